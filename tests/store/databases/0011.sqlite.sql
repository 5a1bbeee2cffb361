BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0011');
CREATE TABLE deck_photo_files (
	photo_id INTEGER NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_deck_photo_files PRIMARY KEY (photo_id), 
	CONSTRAINT fk_deck_photo_files_photo_id FOREIGN KEY(photo_id) REFERENCES deck_photos (id) ON DELETE CASCADE
);
INSERT INTO "deck_photo_files" VALUES(2,X'6465636B2070686F746F2032');
CREATE TABLE deck_photos (
	id INTEGER NOT NULL, 
	deck_id INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	refusal JSON, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_deck_photos PRIMARY KEY (id), 
	CONSTRAINT fk_deck_photos_deck_id FOREIGN KEY(deck_id) REFERENCES decks (id), 
	CONSTRAINT uq_deck_photos_deck_id_key UNIQUE (deck_id, "key")
);
INSERT INTO "deck_photos" VALUES(1,1,'p1','deck.jpg','read',NULL,'2026-11-27 09:10:34.376544');
INSERT INTO "deck_photos" VALUES(2,1,'p2','deck2.jpg','waiting',NULL,'2026-11-27 09:10:34.439632');
CREATE TABLE deck_views (
	id INTEGER NOT NULL, 
	deck_id INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	photo_id INTEGER, 
	place INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	is_sure BOOLEAN NOT NULL, 
	is_covered BOOLEAN NOT NULL, 
	is_out BOOLEAN NOT NULL, 
	jpeg BLOB NOT NULL, 
	CONSTRAINT pk_deck_views PRIMARY KEY (id), 
	CONSTRAINT fk_deck_views_deck_id FOREIGN KEY(deck_id) REFERENCES decks (id), 
	CONSTRAINT fk_deck_views_photo_id FOREIGN KEY(photo_id) REFERENCES deck_photos (id), 
	CONSTRAINT uq_deck_views_deck_id_key UNIQUE (deck_id, "key")
);
INSERT INTO "deck_views" VALUES(1,1,'p1-0',1,0,'7d',1,0,0,X'FFD8FF203764');
INSERT INTO "deck_views" VALUES(2,1,'p1-1',1,1,'x',0,0,0,X'FFD8FF2078');
CREATE TABLE decks (
	id INTEGER NOT NULL, 
	table_id INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	is_forgotten BOOLEAN NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_decks PRIMARY KEY (id), 
	CONSTRAINT fk_decks_table_id FOREIGN KEY(table_id) REFERENCES tables (id), 
	CONSTRAINT uq_decks_table_id_key UNIQUE (table_id, "key")
);
INSERT INTO "decks" VALUES(1,1,'deck','Grandmother''s',2,0,'Anna','2026-11-27 09:10:34.341194');
CREATE TABLE deliveries (
	table_id INTEGER NOT NULL, 
	"key" VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_deliveries PRIMARY KEY (table_id, "key"), 
	CONSTRAINT fk_deliveries_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "deliveries" VALUES(1,'a tap','Anna','2026-11-27 09:10:34.146801');
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
INSERT INTO "drafts" VALUES(1,2,0,'{"photos": [1], "seen": [{"photo": 1, "guess": "7d", "doubtful": true, "corners": [[0.1, 0.1], [0.4, 0.1], [0.4, 0.6], [0.1, 0.6]], "alternatives": ["6d", "x"], "answer": null}], "by_hand": ["1c", "2c"], "rest": null, "refused": [], "absent": [], "counted": 3, "scope": null, "faults": [{"photo": 1, "kind": "blurred", "region": "top-left"}]}',1,'Anna','2026-11-27 09:10:34.201756');
INSERT INTO "drafts" VALUES(1,2,1,'{"photos": [], "by_hand": ["10s"]}',1,'Anna','2026-11-27 09:10:34.203787');
CREATE TABLE house_rules (
	name VARCHAR NOT NULL, 
	rules JSON NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_house_rules PRIMARY KEY (name)
);
INSERT INTO "house_rules" VALUES('at home','{"name": "at home", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}','2026-11-27 09:10:34.327214');
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
INSERT INTO "log" VALUES(1,1,1,1,'open',NULL,NULL,'open-bab17dc3-9e1f-4106-b450-6ed84eee894b','Anna','2026-11-27 09:10:33.787145');
INSERT INTO "log" VALUES(2,1,2,1,'record',1,'{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "1c", "2c", "3c", "4c", "5c", "6c", "1s", "2s", "3s", "4s", "5s", "1b", "2b", "3b", "4b", "5b", "6b"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["6d", "7d", "8d", "9d", "10d", "7c", "8c", "9c", "10c", "6s", "7s", "8s", "9s", "10s", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}','h1','Anna','2026-11-27 09:10:33.928544');
INSERT INTO "log" VALUES(3,1,3,1,'edit',1,'{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "6d", "1c", "2c", "3c", "4c", "5c", "6c", "1s", "2s", "3s", "4s", "5s", "6s", "1b", "2b", "3b", "4b", "5b", "6b"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["7d", "8d", "9d", "10d", "7c", "8c", "9c", "10c", "7s", "8s", "9s", "10s", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}','e1','Bruno','2026-11-27 09:10:34.034456');
INSERT INTO "log" VALUES(4,1,4,1,'undo',NULL,NULL,'u1','','2026-11-27 09:10:34.068757');
INSERT INTO "log" VALUES(5,1,5,1,'redo',NULL,NULL,'r1','','2026-11-27 09:10:34.120709');
INSERT INTO "log" VALUES(6,2,1,2,'open',NULL,NULL,'open-b7954d61-ca69-42e8-a3c0-a462e3ec5243','','2026-11-27 09:10:34.482069');
INSERT INTO "log" VALUES(7,2,2,3,'open',NULL,NULL,'open-3d51a025-c000-411e-8a3c-6ec24fc3116f','','2026-11-27 09:10:34.533257');
INSERT INTO "log" VALUES(8,2,3,3,'leave',NULL,NULL,'leave-b738adc0-efaf-42ec-bfed-921eed93f7cc','','2026-11-27 09:10:34.581267');
CREATE TABLE "match_sides" (
	match_id INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	name VARCHAR NOT NULL, 
	total INTEGER NOT NULL, 
	CONSTRAINT pk_match_sides PRIMARY KEY (match_id, side), 
	CONSTRAINT fk_match_sides_match_id FOREIGN KEY(match_id) REFERENCES matches (id)
);
INSERT INTO "match_sides" VALUES(1,0,'Anna',3);
INSERT INTO "match_sides" VALUES(1,1,'Bruno',2);
INSERT INTO "match_sides" VALUES(2,0,'Carla',0);
INSERT INTO "match_sides" VALUES(2,1,'Dario',0);
INSERT INTO "match_sides" VALUES(3,0,'Carla',0);
INSERT INTO "match_sides" VALUES(3,1,'Dario',0);
CREATE TABLE "matches" (
	id INTEGER NOT NULL, 
	table_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	rules JSON NOT NULL, 
	opened_at DATETIME NOT NULL, 
	hands INTEGER NOT NULL, 
	winner INTEGER, 
	is_left BOOLEAN NOT NULL, first_dealer INTEGER, 
	CONSTRAINT pk_matches PRIMARY KEY (id), 
	CONSTRAINT fk_matches_table_id FOREIGN KEY(table_id) REFERENCES tables (id), 
	CONSTRAINT uq_matches_table_id_number UNIQUE (table_id, number)
);
INSERT INTO "matches" VALUES(1,1,1,'{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}','2026-11-27 09:10:33.764475',1,NULL,0,1);
INSERT INTO "matches" VALUES(2,2,1,'{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}','2026-11-27 09:10:34.475505',0,NULL,0,NULL);
INSERT INTO "matches" VALUES(3,2,2,'{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}','2026-11-27 09:10:34.515276',0,NULL,1,NULL);
CREATE TABLE photo_files (
	photo_id INTEGER NOT NULL, 
	jpeg BLOB NOT NULL, 
	CONSTRAINT pk_photo_files PRIMARY KEY (photo_id), 
	CONSTRAINT fk_photo_files_photo_id FOREIGN KEY(photo_id) REFERENCES photos (id) ON DELETE CASCADE
);
INSERT INTO "photo_files" VALUES(1,X'FFD8FF20736D616C6C');
CREATE TABLE "photos" (
	id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	hand_no INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	size INTEGER NOT NULL, 
	sha256 VARCHAR NOT NULL, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_photos PRIMARY KEY (id), 
	CONSTRAINT fk_photos_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT uq_photos_match_id_hand_no_side_sha256 UNIQUE (match_id, hand_no, side, sha256)
);
INSERT INTO "photos" VALUES(1,1,2,0,9,'c8d7abb73b0e421231ebfd08eddc6d3d7a51b516891bee26d491f273b32445e0','Anna','2026-11-27 09:10:34.182029');
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
INSERT INTO "proposals" VALUES(1,1,1,1,'{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "1c", "2c", "3c", "4c", "5c", "1s", "2s", "3s", "4s", "5s", "1b", "2b", "3b", "4b", "5b"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["6d", "7d", "8d", "9d", "10d", "6c", "7c", "8c", "9c", "10c", "6s", "7s", "8s", "9s", "10s", "6b", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}','h1b','Bruno','2026-11-27 09:10:33.987074','open');
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
INSERT INTO "scope_taps" VALUES(1,1,2,1,1,'Anna','2026-11-27 09:10:34.163099');
CREATE TABLE table_decks (
	table_id INTEGER NOT NULL, 
	deck_id INTEGER NOT NULL, 
	learns BOOLEAN NOT NULL, 
	CONSTRAINT pk_table_decks PRIMARY KEY (table_id), 
	CONSTRAINT fk_table_decks_deck_id FOREIGN KEY(deck_id) REFERENCES decks (id), 
	CONSTRAINT fk_table_decks_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "table_decks" VALUES(1,1,1);
CREATE TABLE "tables" (
	id INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	opened_at DATETIME NOT NULL, 
	link_hash VARCHAR, 
	drawing VARCHAR NOT NULL, 
	closed_at DATETIME, 
	lends_photos BOOLEAN NOT NULL, 
	CONSTRAINT pk_tables PRIMARY KEY (id), 
	CONSTRAINT uq_tables_code UNIQUE (code)
);
INSERT INTO "tables" VALUES(1,'ZGA7',21,'2026-11-27 09:10:33.745604','abababababababababababababababababababababababababababababababab','french',NULL,1);
INSERT INTO "tables" VALUES(2,'YS5R',4,'2026-11-27 09:10:34.474254','cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd','italian','2026-11-27 09:10:34.594161',0);
CREATE TABLE upload_files (
	upload_id INTEGER NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_upload_files PRIMARY KEY (upload_id), 
	CONSTRAINT fk_upload_files_upload_id FOREIGN KEY(upload_id) REFERENCES uploads (id) ON DELETE CASCADE
);
INSERT INTO "upload_files" VALUES(1,X'7761697473');
INSERT INTO "upload_files" VALUES(3,X'6C617465');
CREATE TABLE "uploads" (
	id INTEGER NOT NULL, 
	table_id INTEGER NOT NULL, 
	match_id INTEGER NOT NULL, 
	hand_no INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	is_mending BOOLEAN NOT NULL, 
	"key" VARCHAR NOT NULL, 
	name VARCHAR NOT NULL, 
	size INTEGER NOT NULL, 
	state VARCHAR NOT NULL, 
	refusal JSON, 
	device VARCHAR NOT NULL, 
	made_at DATETIME NOT NULL, 
	CONSTRAINT pk_uploads PRIMARY KEY (id), 
	CONSTRAINT fk_uploads_match_id FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_uploads_table_id FOREIGN KEY(table_id) REFERENCES tables (id), 
	CONSTRAINT uq_uploads_table_id_key UNIQUE (table_id, "key")
);
INSERT INTO "uploads" VALUES(1,1,1,2,1,0,'w','IMG_1.jpg',5,'waiting',NULL,'Bruno','2026-11-27 09:10:34.228764');
INSERT INTO "uploads" VALUES(2,1,1,2,0,0,'r','notes.txt',8,'refused','{"error": "UnreadablePhotoError", "name": "notes.txt"}','Bruno','2026-11-27 09:10:34.252379');
INSERT INTO "uploads" VALUES(3,1,1,2,0,0,'l','IMG_2.jpg',4,'late','{"error": "HandClosedError", "hand_no": 2, "current": 3}','Bruno','2026-11-27 09:10:34.301719');
CREATE INDEX ix_log_match_id ON log (match_id);
CREATE INDEX ix_scope_taps_match_id_hand_no ON scope_taps (match_id, hand_no);
CREATE INDEX ix_uploads_match_id_hand_no ON uploads (match_id, hand_no);
CREATE INDEX ix_match_sides_name ON match_sides (name);
CREATE INDEX ix_proposals_match_id ON proposals (match_id);
CREATE INDEX ix_uploads_state_id ON uploads (state, id);
CREATE INDEX ix_deck_views_photo_id ON deck_views (photo_id);
CREATE UNIQUE INDEX ix_tables_link_hash ON tables (link_hash);
COMMIT;
