-- Of an account, who changes its protection now, and how often it was changed: what was decided on an older state is not written.
CREATE TABLE protection_turns (
  user_id bigint PRIMARY KEY,
  version bigint NOT NULL DEFAULT 0,
  -- Null where nobody does; who is silent until then has lost his turn.
  holder text,
  until timestamptz
);
-- The visit of a player, whichever gateways he is on.
CREATE TABLE protection_visits (
  user_id bigint PRIMARY KEY,
  since bigint NOT NULL,
  seen_at bigint NOT NULL
);
-- Time up to here is counted in ms: what two gateways saw at once counts once.
ALTER TABLE protection_time ADD COLUMN counted_to bigint NOT NULL DEFAULT 0;
