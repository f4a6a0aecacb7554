-- Up to which command of the log somebody has looked for alerts, and told what came true: who looks next begins there.
CREATE TABLE alert_watch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  seq bigint NOT NULL
);
