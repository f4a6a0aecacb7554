-- A dead man's switch: without a word of the program by then all that rests of the player is cancelled.
CREATE TABLE program_heartbeats (
  user_id bigint PRIMARY KEY,
  seconds int NOT NULL,
  until bigint NOT NULL,
  -- What the last one that came too late found done: all, or some.
  done text
);
CREATE INDEX program_heartbeats_until ON program_heartbeats (until) WHERE seconds > 0;
