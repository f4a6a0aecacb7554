-- Backups that went well, whoever made them: so that the site can say how old its last one is.
CREATE TABLE backups (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- When its copy was whole, and the last command in it.
  at bigint NOT NULL,
  seq bigint NOT NULL
);
