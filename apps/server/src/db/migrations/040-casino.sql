-- Card tables: each is an event of its own under a fixed id, so that bets and reports find its name.
CREATE TABLE card_tables (
  code text PRIMARY KEY,
  event_id bigint NOT NULL UNIQUE,
  round_no bigint NOT NULL DEFAULT 0
);

-- Rounds that players could bet on, from their opening on. The seeds are in `round`: until it is over nobody may read it.
CREATE TABLE card_rounds (
  mid text PRIMARY KEY,
  code text NOT NULL,
  round_no bigint NOT NULL,
  market_id bigint NOT NULL,
  opened_at_ms bigint NOT NULL,
  round jsonb NOT NULL,
  over boolean NOT NULL DEFAULT false,
  win text,
  badge text,
  result_text text,
  over_at_ms bigint
);
CREATE INDEX card_rounds_results ON card_rounds (code, over_at_ms DESC) WHERE over;
CREATE INDEX card_rounds_open ON card_rounds (code) WHERE NOT over;
