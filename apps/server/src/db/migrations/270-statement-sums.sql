-- What two thousand entries of an account come to, by area and kind: entries never change, so it stands for good once all of
-- them are there. A statement adds these up instead of its history, and passes over them to a late page.
CREATE TABLE statement_sums (
  world text NOT NULL,
  account_id bigint NOT NULL,
  block bigint NOT NULL,
  -- A list of {area, kind, count, credit, debit, first, last}.
  sums text NOT NULL,
  PRIMARY KEY (world, account_id, block)
);
