-- Deposits, withdrawals and bonuses as records (terms, ACC-05 to ACC-08). The money of each step moves in the ledger under
-- the step's key; the step counts from that commit on, or at once where it moves nothing.
CREATE TABLE payments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'bonus')),
  world text NOT NULL,
  user_id bigint NOT NULL,
  -- Minor units, positive.
  amount bigint NOT NULL,
  -- Whether it waits for a further step.
  open boolean NOT NULL DEFAULT true,
  at bigint NOT NULL
);
CREATE INDEX payments_open ON payments (kind, id) WHERE open;
CREATE INDEX payments_user ON payments (user_id, id);

CREATE TABLE payment_steps (
  payment_id bigint NOT NULL REFERENCES payments (id),
  n int NOT NULL,
  state text NOT NULL,
  -- What it adds to the account's balance; 0 where no money moves.
  moved bigint NOT NULL,
  actor text NOT NULL,
  key text NOT NULL,
  payload_hash text NOT NULL,
  reason text NOT NULL,
  -- What the player reads in his statement.
  text text NOT NULL,
  -- What was seen of the player before a large payment.
  evidence text,
  in_parts boolean NOT NULL DEFAULT false,
  at bigint NOT NULL,
  -- The money is known to have moved.
  settled boolean NOT NULL,
  PRIMARY KEY (payment_id, n),
  UNIQUE (actor, key)
);
CREATE INDEX payment_steps_unsettled ON payment_steps (payment_id) WHERE NOT settled;
