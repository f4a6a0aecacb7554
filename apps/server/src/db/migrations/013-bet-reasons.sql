-- Texts of taken-out bets as the operator rewrote them; the first text stays in the bet and in the log.
CREATE TABLE bet_reasons (
  bet_id bigint PRIMARY KEY,
  reason text NOT NULL
);
