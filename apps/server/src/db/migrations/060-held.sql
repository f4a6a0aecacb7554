-- Winnings that are held back until somebody else has covered what he owes; the price a kept lay was first asked at, and
-- the width a khado bet was taken at.
ALTER TABLE accounts ADD COLUMN held bigint NOT NULL DEFAULT 0;
ALTER TABLE bets ADD COLUMN first_price int;
ALTER TABLE bets ADD COLUMN width int;

-- What of `creditor_id`'s winnings in a market is held back, because `debtor_id` lost it there without money for it.
-- 0 is released.
CREATE TABLE holds (
  world text NOT NULL,
  market_id bigint NOT NULL,
  debtor_id bigint NOT NULL,
  creditor_id bigint NOT NULL,
  amount bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (world, market_id, debtor_id, creditor_id)
);
