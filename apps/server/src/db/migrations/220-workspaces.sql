-- Arrangements of the trading screen by their names; panes as JSON in the form of the contract.
CREATE TABLE workspaces (
  user_id bigint NOT NULL,
  name text NOT NULL,
  panes text NOT NULL,
  PRIMARY KEY (user_id, name)
);
