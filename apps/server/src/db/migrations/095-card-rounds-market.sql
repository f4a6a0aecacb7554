-- A player's own rounds are found by the markets he bet on.
CREATE INDEX card_rounds_market ON card_rounds (market_id);
