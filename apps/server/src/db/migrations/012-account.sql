-- What a player keeps on the site, and the texts the operator sets.
CREATE TABLE stake_buttons (
  user_id bigint NOT NULL,
  type text NOT NULL CHECK (type IN ('Match', 'Casino')),
  value text NOT NULL,
  PRIMARY KEY (user_id, type)
);

CREATE TABLE favourites (
  user_id bigint PRIMARY KEY,
  match_ids text NOT NULL,
  tables text NOT NULL
);

-- type '' is the marquee, 'banner1' and so on the banners.
CREATE TABLE notices (
  type text PRIMARY KEY,
  value text NOT NULL
);

-- Rules texts of a sport that the operator wrote over ours.
CREATE TABLE rules_texts (
  sport_name text PRIMARY KEY,
  rules text NOT NULL
);

-- Markets the operator suspended: the feed does not reopen them.
CREATE TABLE market_holds (
  market_id bigint PRIMARY KEY,
  at bigint NOT NULL,
  reason text NOT NULL
);
