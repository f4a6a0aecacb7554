-- Player protection. The state of an account stands in users.status (active, frozen, blocked, closed, self-excluded,
-- cooling off, inactive, dormant); here is what belongs to it. Times are milliseconds since 1970 (UTC).
CREATE TABLE protection (
  user_id bigint PRIMARY KEY,
  -- Profile of figures: INT, GB, MT, SE. Set by the operator from the verified country, never by the client.
  jurisdiction text NOT NULL DEFAULT 'INT',
  -- The state apart from the player's own restriction.
  base text NOT NULL DEFAULT 'active',
  -- 'self-excluded' or 'cooling off', with its begin and its end (null for no end); null for none.
  restriction text,
  since bigint,
  until bigint,
  -- When the player (or support) asked to end a restriction whose period had elapsed.
  revoke_asked_at bigint,
  -- Minutes between reality checks: null is the profile's own, 0 is off.
  reality_minutes int,
  reality_answered_at bigint,
  -- Minutes a day, set by support; null for none.
  session_minutes int,
  age_verified boolean NOT NULL DEFAULT true
);

CREATE TABLE protection_limits (
  user_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deposit', 'loss', 'wager', 'stake', 'exposure')),
  span text NOT NULL CHECK (span IN ('bet', 'always', 'day', 'week', 'month')),
  -- Minor units.
  amount bigint NOT NULL,
  -- A raise on its way; pending_amount null with pending_at set is a removal.
  pending_amount bigint,
  pending_at bigint,
  PRIMARY KEY (user_id, kind, span)
);

-- Time signed in, by day of the account's calendar (days since 1970); counted once however many tabs are open.
CREATE TABLE protection_time (
  user_id bigint NOT NULL,
  day int NOT NULL,
  ms bigint NOT NULL,
  PRIMARY KEY (user_id, day)
);
