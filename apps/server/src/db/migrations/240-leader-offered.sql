-- The epoch of the leader that offers its place since nobody can ask it (core/place.ts); null, or one that is over: nobody does.
-- It goes on to say by `renewed_at` that it is silent, since a minute ago, for who stands by and is of a version before this.
ALTER TABLE leader ADD COLUMN offered_epoch bigint;
