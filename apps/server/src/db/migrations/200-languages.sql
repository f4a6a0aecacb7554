-- The language of the client, as the player chose it.
CREATE TABLE player_languages (
  user_id bigint PRIMARY KEY,
  language text NOT NULL
);
