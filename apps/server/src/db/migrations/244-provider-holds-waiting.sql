-- Those that wait, of a round and in all: looked for by every gateway at each end of a round, however many were ever held.
CREATE INDEX provider_holds_waiting ON provider_holds (provider, account_id, round_id) WHERE state = 'HELD';
