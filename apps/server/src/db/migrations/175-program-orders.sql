-- Fill or kill orders that are not filled are bets of the core by now.
DELETE FROM program_orders WHERE killed IS NOT NULL;
ALTER TABLE program_orders DROP COLUMN killed;
