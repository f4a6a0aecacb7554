-- By whose clock a player reads days and hours, as he chose it.
CREATE TABLE player_zones (
  user_id bigint PRIMARY KEY,
  zone text NOT NULL
);
