-- Why an alert is over: CLOSED or GONE; null for those that are not, or were so before this was written down.
ALTER TABLE alerts ADD COLUMN ended text;
