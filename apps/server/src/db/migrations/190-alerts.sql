-- What players wait for (alerts/), their quiet hours, and the browsers that are told by web push.
CREATE TABLE alerts (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
  user_id bigint NOT NULL,
  world text NOT NULL,
  kind text NOT NULL,
  market_id bigint,
  event_id bigint,
  runner_id bigint,
  figure text,
  direction text,
  price bigint,
  amount_minor bigint,
  seconds bigint,
  every boolean NOT NULL,
  -- Names of event, market and runner as they were then, as JSON: the list is read when they are long gone.
  names text NOT NULL,
  -- WAITING, FIRED, or OVER: the market has gone.
  state text NOT NULL DEFAULT 'WAITING',
  -- Another one with each change by the player: what came true of an older one is no news.
  revision bigint NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  fired_at bigint,
  times bigint NOT NULL DEFAULT 0
);
CREATE INDEX alerts_user ON alerts (user_id);
CREATE INDEX alerts_waiting ON alerts (id) WHERE state = 'WAITING';

CREATE TABLE alert_settings (
  user_id bigint PRIMARY KEY,
  -- As JSON; null for none.
  quiet text
);

CREATE TABLE push_places (
  endpoint text PRIMARY KEY,
  user_id bigint NOT NULL,
  session_id text NOT NULL,
  -- Goes on without its session.
  keep boolean NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX push_places_user ON push_places (user_id);

-- The site's pair of keys for push services: the private one sealed with the site's secret.
CREATE TABLE push_keys (
  one boolean PRIMARY KEY CHECK (one),
  public_key text NOT NULL,
  private_key text NOT NULL
);
