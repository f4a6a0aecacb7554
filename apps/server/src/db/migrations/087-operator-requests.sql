-- Acts that need a second person: what was asked, and what became of it.
CREATE TABLE operator_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  call text NOT NULL,
  -- JSON text: the checked body of the call.
  body text NOT NULL,
  object text NOT NULL,
  reason text NOT NULL,
  asked_by text NOT NULL,
  -- The key of the call that asked: asked twice, it is one request.
  asked_key text NOT NULL,
  asked_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- OPEN, DONE, REFUSED (by the second person), WITHDRAWN (by the first), FAILED (it was refused when it was carried out).
  state text NOT NULL DEFAULT 'OPEN',
  decided_by text,
  decided_at bigint,
  -- Why it was refused, or the code it failed with.
  outcome text,
  UNIQUE (asked_by, asked_key)
);
CREATE INDEX operator_requests_open ON operator_requests (expires_at) WHERE state = 'OPEN';

-- What each person credited alone, for the bound of a day.
CREATE TABLE operator_credits (
  actor text NOT NULL,
  key text NOT NULL,
  amount bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (actor, key)
);
CREATE INDEX operator_credits_recent ON operator_credits (actor, at);
