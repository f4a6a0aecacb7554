-- The session of the site that a game was opened in: its end ends this game and no other. Null for games of before.
ALTER TABLE provider_sessions ADD COLUMN site_session text;
