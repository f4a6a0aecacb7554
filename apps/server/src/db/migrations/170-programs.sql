-- Programs that bet and read for a player (programs/): the keys he made for them, their sessions, and what they call their orders.
CREATE TABLE program_keys (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
  user_id bigint NOT NULL,
  name text NOT NULL,
  -- Sent with every call; without a session it opens nothing.
  key text NOT NULL UNIQUE,
  -- read, or bet.
  rights text NOT NULL,
  -- Where it may be used from, as a JSON list of addresses and ranges; an empty one is anywhere.
  addresses text NOT NULL,
  -- SHA-256 of the client certificate that signs in with it, where there is one.
  certificate text,
  created_at bigint NOT NULL,
  last_used_at bigint,
  revoked_at bigint
);
CREATE UNIQUE INDEX program_keys_name ON program_keys (user_id, name) WHERE revoked_at IS NULL;

CREATE TABLE program_sessions (
  token_hash text PRIMARY KEY,
  user_id bigint NOT NULL,
  key_id bigint NOT NULL,
  -- Of the password it was opened with: another password ends it.
  password_mark text NOT NULL,
  ip text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  ended_at bigint
);
CREATE INDEX program_sessions_user ON program_sessions (user_id) WHERE ended_at IS NULL;

-- Written before the bet is asked for, so that no bet is ever without its references; the bet is added when it is there.
CREATE TABLE program_orders (
  request_id text PRIMARY KEY,
  user_id bigint NOT NULL,
  market_id bigint NOT NULL,
  bet_id bigint,
  order_ref text,
  strategy_ref text,
  at bigint NOT NULL,
  -- A fill or kill that was not filled is no bet of the core: what is shown of it, as JSON.
  killed text
);
CREATE INDEX program_orders_bet ON program_orders (bet_id) WHERE bet_id IS NOT NULL;
CREATE INDEX program_orders_user ON program_orders (user_id, at);

-- What a program called its requests of the last minute.
CREATE TABLE program_requests (
  user_id bigint NOT NULL,
  operation text NOT NULL,
  ref text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (user_id, operation, ref)
);
