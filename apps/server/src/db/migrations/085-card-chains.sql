-- Server seeds of the card tables: chains of hashes, of which only the last element is kept, sealed with the site's key. What
-- a round is dealt from stands in no row before the round is over.
CREATE TABLE card_chains (
  code text NOT NULL,
  chain int NOT NULL,
  -- Public: the hash of the first seed.
  commit text NOT NULL,
  -- AES-256-GCM: the last seed. All others are made from it by hashing.
  sealed text NOT NULL,
  length int NOT NULL,
  -- How many seeds rounds have used, from the front.
  used int NOT NULL DEFAULT 0,
  made_at bigint NOT NULL,
  PRIMARY KEY (code, chain)
);

-- The public seed of the table's last round: the next one's is made of it and of players' words.
ALTER TABLE card_tables ADD COLUMN public_seed text;

-- Where the seed of a round stands; null for rounds of before, whose seed is in `round`. `round` holds it once it is over.
ALTER TABLE card_rounds ADD COLUMN chain int, ADD COLUMN link int, ADD COLUMN voided boolean NOT NULL DEFAULT false;
