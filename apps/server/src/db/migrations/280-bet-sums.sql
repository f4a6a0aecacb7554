-- Where the parts of an account's bets end, each of two thousand in the order of their numbers, and what the bets of one come to.
-- Bets are numbered as they are placed, so the ends stand for good. The sums are there once every bet of the part has its result,
-- as of command `seq`; who reads them asks bet_changes and retired whether they still hold.
CREATE TABLE bet_sums (
  world text NOT NULL,
  account_id bigint NOT NULL,
  -- The part has the bets above this number, up to and with `last`.
  behind bigint NOT NULL,
  last bigint NOT NULL,
  placed_first bigint NOT NULL,
  placed_last bigint NOT NULL,
  seq bigint NOT NULL DEFAULT -1,
  sums text,
  PRIMARY KEY (world, account_id, behind)
);

-- Which command last changed a bet that had its result (taken back, declared anew, void), by ten thousand numbers of bets. It is
-- written down by the bet's own change, in its transaction, and not asked of the sums that are there: a reading that did not see
-- the change may keep its sums after it.
CREATE TABLE bet_changes (
  account_id bigint NOT NULL,
  -- id / 10000
  ids bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (account_id, ids)
);
CREATE FUNCTION note_bet_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO bet_changes (account_id, ids, seq) VALUES (NEW.account_id, NEW.id / 10000, NEW.seq)
    ON CONFLICT (account_id, ids) DO UPDATE SET seq = EXCLUDED.seq WHERE bet_changes.seq < EXCLUDED.seq;
  RETURN NULL;
END
$$;
CREATE TRIGGER bet_changed AFTER UPDATE ON bets FOR EACH ROW WHEN (OLD.result <> 'PENDING')
  EXECUTE FUNCTION note_bet_change();
