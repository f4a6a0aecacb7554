-- People behind the site: what each may do. Name, password, authenticator and sessions are those of `users`.
CREATE TABLE operators (
  user_id bigint PRIMARY KEY,
  -- trader, settler, support, payments, compliance, content, admin; with commas between.
  roles text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  made_by text NOT NULL,
  made_at bigint NOT NULL
);

-- The one operator of before could do everything.
INSERT INTO operators (user_id, roles, made_by, made_at)
  SELECT id, 'trader,settler,support,payments,compliance,content,admin', 'core', created_at
    FROM users WHERE role = 'operator';
