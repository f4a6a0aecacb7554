-- Events (matches and races) and where their markets stand on the page. Bets and markets themselves are the core's.
CREATE TABLE events (
  id bigint PRIMARY KEY,
  match_type text NOT NULL,
  title text NOT NULL,
  competition_id text NOT NULL,
  competition_name text NOT NULL,
  start_at_ms bigint NOT NULL,
  stop_at_ms bigint,
  -- The event as its feed told it, whole.
  event jsonb NOT NULL,
  score jsonb
);
CREATE INDEX events_open ON events (match_type, start_at_ms) WHERE stop_at_ms IS NULL;

CREATE TABLE market_meta (
  market_id bigint PRIMARY KEY,
  event_id bigint NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  market_type text NOT NULL,
  market_group text,
  sno integer NOT NULL,
  -- Made by an operator, not by a feed.
  manual boolean NOT NULL DEFAULT false
);
CREATE INDEX market_meta_event ON market_meta (event_id);

-- State a feed may leave behind to go on from after a restart.
CREATE TABLE feed_state (
  feed text PRIMARY KEY,
  saved_at_ms bigint NOT NULL,
  state jsonb NOT NULL
);
