-- Conditional orders that are over, one row each, written with the command that ended them; a table a month (core/months.ts).
CREATE TABLE conditional_ends (
  world text NOT NULL,
  id bigint NOT NULL,
  account_id bigint NOT NULL,
  market_id bigint NOT NULL,
  runner_id bigint NOT NULL,
  kind text NOT NULL,
  side text NOT NULL,
  trigger_price int,
  price int,
  ticks int,
  slip int,
  size bigint,
  level boolean,
  persistence text NOT NULL,
  for_bet_id bigint,
  due_at bigint,
  link bigint NOT NULL,
  made_at bigint NOT NULL,
  -- FIRED, FAILED, ENDED
  status text NOT NULL,
  -- FAILED: the refusal of its bet. ENDED: why.
  code text,
  -- Who took it back or blocked the account; null where nobody meant it.
  actor text,
  -- FIRED: the bet it became, placed at the moment it ended; EXPIRE has none.
  bet_id bigint,
  ended_at bigint NOT NULL,
  seq bigint NOT NULL
) PARTITION BY RANGE (ended_at);

CREATE TABLE conditional_ends_first (LIKE conditional_ends INCLUDING DEFAULTS, PRIMARY KEY (world, id));
CREATE INDEX ON conditional_ends_first (account_id, ended_at, id);

-- The first partition ends with the month of the last command, or of the machine's clock when that is later.
DO $$
DECLARE
  latest double precision := greatest((SELECT last_at FROM leader) / 1000.0, extract(epoch FROM now()));
  month timestamp := date_trunc('month', to_timestamp(latest) AT TIME ZONE 'UTC') + interval '1 month';
BEGIN
  EXECUTE format('ALTER TABLE conditional_ends ATTACH PARTITION conditional_ends_first FOR VALUES FROM (MINVALUE) TO (%s)',
    (extract(epoch FROM month) * 1000)::bigint);
END
$$;

-- Of what was over before nothing is known.
INSERT INTO retired SELECT 'conditional_ends', last_at + 1 FROM leader WHERE last_at > 0;
