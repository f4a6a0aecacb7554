-- Accounts of the simulated players of a demonstration site (feed/crowd.ts). They are nobody's: no user, no sign-in.
CREATE TABLE crowd (
  world text NOT NULL,
  account_id bigint NOT NULL,
  PRIMARY KEY (world, account_id)
);
