-- The prices of an order book over its life, a few kilobytes each (catalog/charts.ts): what charts of past markets are drawn from.
CREATE TABLE market_charts (
  world text NOT NULL,
  market_id bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (market_id, world)
);
