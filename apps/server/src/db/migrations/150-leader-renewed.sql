-- When the process that leads last said so, by this database's clock; null: it gave its place back. Who stands by takes the
-- place of one that has been silent for too long (core/place.ts); what fences the old one is the epoch, as ever.
ALTER TABLE leader ADD COLUMN renewed_at timestamptz;
