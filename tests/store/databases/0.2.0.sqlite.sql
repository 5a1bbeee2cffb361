BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE drafts (
	match_id INTEGER NOT NULL, 
	hand_no INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	draft JSON NOT NULL, 
	version INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_drafts PRIMARY KEY (match_id, hand_no, side), 
	CONSTRAINT fk_drafts_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
INSERT INTO "drafts" VALUES(1,2,0,'{"photos": [1], "seen": [{"photo": 1, "guess": "7d", "doubtful": true, "corners": [[0.1, 0.1], [0.4, 0.1], [0.4, 0.6], [0.1, 0.6]], "alternatives": ["6d", "x"], "answer": null}], "by_hand": ["1c", "2c"], "rest": null, "refused": [], "absent": [], "counted": 3, "scope": null, "faults": [{"photo": 1, "kind": "blurred", "region": "top-left"}, {"photo": 1, "kind": "dark", "region": null}, {"photo": 1, "kind": "covered", "region": "middle"}]}',1,'Anna','2026-11-25 15:30:54.789084');
INSERT INTO "drafts" VALUES(1,2,1,'{"photos": [], "seen": [], "by_hand": ["10s"], "rest": null, "refused": [], "absent": [], "counted": null, "scope": null, "faults": []}',1,'Anna','2026-11-25 15:30:54.792228');
CREATE TABLE log (
	id INTEGER NOT NULL, 
	table_id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	step VARCHAR NOT NULL, 
	hand_no INTEGER, 
	facts JSON, 
	"key" VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_log PRIMARY KEY (id), 
	CONSTRAINT fk_log_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_log_table_id FOREIGN KEY(table_id) REFERENCES tables (id), 
	CONSTRAINT uq_log_table_id_key UNIQUE (table_id, "key"), 
	CONSTRAINT uq_log_table_id_revision UNIQUE (table_id, revision)
);
INSERT INTO "log" VALUES(1,1,1,1,'open',NULL,NULL,'open-83c381ce-60ce-449f-bdc0-0441cd2cdb0a','Anna','2026-11-25 15:30:54.737861');
INSERT INTO "log" VALUES(2,1,2,1,'record',1,'{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "10d", "1c", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "10c", "1s", "2s"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "1b", "2b", "3b", "4b", "5b", "6b", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}','first','Anna','2026-11-25 15:30:54.771114');
CREATE TABLE match_sides (
	match_id INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	CONSTRAINT pk_match_sides PRIMARY KEY (match_id, side), 
	CONSTRAINT fk_match_sides_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
INSERT INTO "match_sides" VALUES(1,0,'Anna');
INSERT INTO "match_sides" VALUES(1,1,'Bruno');
CREATE TABLE matches (
	id INTEGER NOT NULL, 
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	rules JSON NOT NULL, 
	opened_at DATETIME NOT NULL, 
	CONSTRAINT pk_matches PRIMARY KEY (id), 
	CONSTRAINT fk_matches_table_id FOREIGN KEY(table_id) REFERENCES tables (id), 
	CONSTRAINT uq_matches_table_id_number UNIQUE (table_id, number)
);
INSERT INTO "matches" VALUES(1,1,1,'{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}','2026-11-25 15:30:54.734955');
CREATE TABLE photos (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	hand_no INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	jpeg BLOB NOT NULL, 
	size INTEGER NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_photos PRIMARY KEY (id), 
	CONSTRAINT fk_photos_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT uq_photos_match_id_hand_no_side_sha256 UNIQUE (match_id, hand_no, side, sha256)
);
INSERT INTO "photos" VALUES(1,1,2,0,X'FFD8FFE000104A46494600010100000100010000FFDB0043000201010101010201010102020202020403020202020504040304060506060605060606070908060709070606080B08090A0A0A0A0A06080B0C0B0A0C090A0A0AFFDB004301020202020202050303050A0706070A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0A0AFFC00011080018001003012200021101031101FFC4001F0000010501010101010100000000000000000102030405060708090A0BFFC400B5100002010303020403050504040000017D01020300041105122131410613516107227114328191A1082342B1C11552D1F02433627282090A161718191A25262728292A3435363738393A434445464748494A535455565758595A636465666768696A737475767778797A838485868788898A92939495969798999AA2A3A4A5A6A7A8A9AAB2B3B4B5B6B7B8B9BAC2C3C4C5C6C7C8C9CAD2D3D4D5D6D7D8D9DAE1E2E3E4E5E6E7E8E9EAF1F2F3F4F5F6F7F8F9FAFFC4001F0100030101010101010101010000000000000102030405060708090A0BFFC400B51100020102040403040705040400010277000102031104052131061241510761711322328108144291A1B1C109233352F0156272D10A162434E125F11718191A262728292A35363738393A434445464748494A535455565758595A636465666768696A737475767778797A82838485868788898A92939495969798999AA2A3A4A5A6A7A8A9AAB2B3B4B5B6B7B8B9BAC2C3C4C5C6C7C8C9CAD2D3D4D5D6D7D8D9DAE2E3E4E5E6E7E8E9EAF2F3F4F5F6F7F8F9FAFFDA000C03010002110311003F00FD20A28A2800A28A2803FFD9',635,'9285e30d1c3e82610f7b3987720f35568063996001899cb6f6b75cc705ed879a','Anna','2026-11-25 15:30:54.783514');
CREATE TABLE proposals (
	id INTEGER NOT NULL, 
	table_id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	hand_no INTEGER NOT NULL, 
	facts JSON NOT NULL, 
	"key" VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	outcome VARCHAR NOT NULL, 
	CONSTRAINT pk_proposals PRIMARY KEY (id), 
	CONSTRAINT fk_proposals_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_proposals_table_id FOREIGN KEY(table_id) REFERENCES tables (id), 
	CONSTRAINT uq_proposals_table_id_key UNIQUE (table_id, "key")
);
CREATE TABLE scope_taps (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	hand_no INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	delta INTEGER NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_scope_taps PRIMARY KEY (id), 
	CONSTRAINT fk_scope_taps_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
INSERT INTO "scope_taps" VALUES(1,1,1,0,1,'Anna','2026-11-25 15:30:54.747606');
INSERT INTO "scope_taps" VALUES(2,1,2,1,1,'Bruno','2026-11-25 15:30:54.776322');
CREATE TABLE tables (
	id INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	opened_at DATETIME NOT NULL, 
	CONSTRAINT pk_tables PRIMARY KEY (id), 
	CONSTRAINT uq_tables_code UNIQUE (code)
);
INSERT INTO "tables" VALUES(1,'GJ8S',6,'2026-11-25 15:30:54.733725');
CREATE INDEX ix_match_sides_name ON match_sides (name);
CREATE INDEX ix_log_match_id ON log (match_id);
CREATE INDEX ix_scope_taps_match_id_hand_no ON scope_taps (match_id, hand_no);
COMMIT;
