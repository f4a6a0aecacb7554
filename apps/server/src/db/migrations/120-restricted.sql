-- Who is excluded or takes a break is counted at every scrape.
CREATE INDEX protection_restricted ON protection (restriction, until) WHERE restriction IS NOT NULL;
