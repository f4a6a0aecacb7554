-- The lifetime result of an account up to its how manyeth entry: a reading adds the few behind it instead of all there ever were.
CREATE TABLE profit_counters (
  world text NOT NULL,
  account_id bigint NOT NULL,
  upto bigint NOT NULL,
  net bigint NOT NULL,
  PRIMARY KEY (world, account_id)
);
-- Rounds of games that are not over: few at any time.
CREATE INDEX provider_rounds_open_account ON provider_rounds (account_id) WHERE status = 'OPEN';
