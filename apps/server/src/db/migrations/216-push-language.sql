-- What the page spoke when the browser was named; the version before writes none, which is English.
ALTER TABLE push_places ADD COLUMN language text;
