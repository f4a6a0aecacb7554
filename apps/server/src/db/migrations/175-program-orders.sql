-- Fill or kill orders that are not filled are bets of the core by now. The column goes with a later version: a gateway of the
-- version before may still write it.
DELETE FROM program_orders WHERE killed IS NOT NULL;
