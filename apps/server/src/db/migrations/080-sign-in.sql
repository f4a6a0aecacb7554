-- When the last wrong password of strangers came: a lock ends by it. Milliseconds since 1970 (UTC).
ALTER TABLE users ADD COLUMN failed_at bigint;

-- Networks (an IPv4 address, a /64 of IPv6) from which the right password of a user came: what strangers do to his name
-- does not count there.
CREATE TABLE known_networks (
  user_id bigint NOT NULL,
  network text NOT NULL,
  seen_at bigint NOT NULL,
  PRIMARY KEY (user_id, network)
);
