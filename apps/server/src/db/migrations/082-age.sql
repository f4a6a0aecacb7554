-- The age of a player is unknown until somebody verified it. Who played before this rule was taken as verified and stays so.
INSERT INTO protection (user_id, base, age_verified)
  SELECT id, CASE WHEN status IN ('blocked', 'closed') THEN status ELSE 'active' END, true
    FROM users WHERE world = 'real' AND role = 'user'
  ON CONFLICT (user_id) DO NOTHING;
ALTER TABLE protection ALTER COLUMN age_verified SET DEFAULT false;
