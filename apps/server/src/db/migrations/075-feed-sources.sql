-- What the feed itself calls a market, so that a restart goes on with it under the same number (null: made by hand, or by a
-- feed that uses our numbers). Events say it in their own record.
ALTER TABLE market_meta ADD COLUMN source text;
