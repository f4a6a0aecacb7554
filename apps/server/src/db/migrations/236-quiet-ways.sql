-- Quiet hours of each way of telling, as JSON in the form of the contract; null: `quiet` is that of all of them.
ALTER TABLE alert_settings ADD COLUMN quiet_ways text;
