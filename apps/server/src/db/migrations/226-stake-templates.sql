-- Stakes that are worked out when they are pressed; templates as JSON in the form of the contract, in the player's order.
CREATE TABLE stake_templates (
  user_id bigint PRIMARY KEY,
  templates text NOT NULL
);
