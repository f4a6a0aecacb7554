-- What a large market left behind that left memory, in parts; market_archives has the rest of it, and how many they are.
CREATE TABLE market_archive_parts (
  world text NOT NULL,
  market_id bigint NOT NULL,
  part int NOT NULL,
  text text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (world, market_id, part)
);
