-- What operators and players did to accounts and markets. Append only: each record carries the hash of the one before,
-- and the database itself refuses to change or delete a record (trust 6.3, INV-21).
CREATE TABLE audit (
  n bigint PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  object text NOT NULL,
  reason text,
  -- JSON text, hashed as it stands here.
  detail text NOT NULL,
  prev_hash text NOT NULL,
  hash text NOT NULL
);

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append only';
END
$$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
