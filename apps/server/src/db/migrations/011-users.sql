-- Who may sign in. A player's id is also the id of the account in the core. Times are milliseconds since 1970 (UTC).
CREATE TABLE users (
  id bigint PRIMARY KEY,
  user_name text NOT NULL,
  -- Lower case, normalised: names that look the same are the same.
  name_key text NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('user', 'operator')),
  world text NOT NULL CHECK (world IN ('real', 'demo')),
  currency text NOT NULL,
  -- argon2id with its parameters; empty for demo accounts, which nobody signs in to again.
  password_hash text NOT NULL,
  force_change boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active',
  bet_blocked boolean NOT NULL DEFAULT false,
  email text,
  -- 0 none, 1 a code by message, 2 an authenticator app.
  authenticator_type int NOT NULL DEFAULT 0,
  authenticator_since bigint,
  -- AES-256-GCM under the site's secret key.
  totp_secret text,
  totp_last_step bigint,
  failed_count int NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  last_login_at bigint
);
CREATE INDEX users_demo ON users (created_at) WHERE world = 'demo';

CREATE TABLE sessions (
  id text PRIMARY KEY,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash text NOT NULL UNIQUE,
  user_id bigint NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  proved_at bigint NOT NULL,
  code_at bigint,
  pending boolean NOT NULL,
  step_up_due boolean NOT NULL DEFAULT false,
  ip text NOT NULL,
  device text NOT NULL,
  ended_at bigint,
  end_reason text
);
CREATE INDEX sessions_live ON sessions (user_id) WHERE ended_at IS NULL;

CREATE TABLE recovery_codes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL,
  -- argon2id, as passwords.
  code_hash text NOT NULL,
  used_at bigint
);
CREATE INDEX recovery_codes_user ON recovery_codes (user_id);
