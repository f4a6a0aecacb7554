-- Accounts that left the core for good: nothing is held for them any more, their rows stay with their history.
ALTER TABLE accounts ADD COLUMN closed boolean NOT NULL DEFAULT false;
CREATE INDEX accounts_open_demo ON accounts (id) WHERE world = 'demo' AND NOT closed;
