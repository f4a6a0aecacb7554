-- Wins that wait for a person: above what a provider may pay by itself, or on a round that was over.
CREATE TABLE provider_holds (
  provider text NOT NULL,
  tx_id text NOT NULL,
  account_id bigint NOT NULL,
  round_id text NOT NULL,
  -- JSON text: the command that pays it, and the hash under which a repeated call is the same one.
  command text NOT NULL,
  payload_hash text NOT NULL,
  -- closed, win, times, day: what held it.
  why text NOT NULL,
  at bigint NOT NULL,
  -- HELD, PAID, REFUSED.
  state text NOT NULL DEFAULT 'HELD',
  decided_by text,
  decided_at bigint,
  PRIMARY KEY (provider, tx_id)
);

-- Calls of providers that were taken in the last minutes: a signed call counts once, over a restart too.
CREATE TABLE provider_nonces (
  provider text NOT NULL,
  nonce text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (provider, nonce)
);
CREATE INDEX provider_nonces_old ON provider_nonces (expires_at);
