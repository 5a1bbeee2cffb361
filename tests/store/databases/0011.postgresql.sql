SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.deck_photo_files (
    photo_id integer NOT NULL,
    data bytea NOT NULL
);
CREATE TABLE public.deck_photos (
    id integer NOT NULL,
    deck_id integer NOT NULL,
    key character varying NOT NULL,
    name character varying NOT NULL,
    state character varying NOT NULL,
    refusal json,
    made_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.deck_photos_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.deck_photos_id_seq OWNED BY public.deck_photos.id;
CREATE TABLE public.deck_views (
    id integer NOT NULL,
    deck_id integer NOT NULL,
    key character varying NOT NULL,
    photo_id integer,
    place integer NOT NULL,
    code character varying NOT NULL,
    is_sure boolean NOT NULL,
    is_covered boolean NOT NULL,
    is_out boolean NOT NULL,
    jpeg bytea NOT NULL
);
CREATE SEQUENCE public.deck_views_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.deck_views_id_seq OWNED BY public.deck_views.id;
CREATE TABLE public.decks (
    id integer NOT NULL,
    table_id integer NOT NULL,
    key character varying NOT NULL,
    name character varying NOT NULL,
    revision integer NOT NULL,
    is_forgotten boolean NOT NULL,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.decks_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.decks_id_seq OWNED BY public.decks.id;
CREATE TABLE public.deliveries (
    table_id integer NOT NULL,
    key character varying NOT NULL,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE TABLE public.drafts (
    match_id integer NOT NULL,
    hand_no integer NOT NULL,
    side integer NOT NULL,
    draft json NOT NULL,
    version integer NOT NULL,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE TABLE public.house_rules (
    name character varying NOT NULL,
    rules json NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE TABLE public.log (
    id integer NOT NULL,
    table_id integer NOT NULL,
    revision integer NOT NULL,
    match_id integer NOT NULL,
    step character varying NOT NULL,
    hand_no integer,
    facts json,
    key character varying NOT NULL,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.log_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.log_id_seq OWNED BY public.log.id;
CREATE TABLE public.match_sides (
    match_id integer NOT NULL,
    side integer NOT NULL,
    name character varying NOT NULL,
    total integer NOT NULL
);
CREATE TABLE public.matches (
    id integer NOT NULL,
    table_id integer NOT NULL,
    number integer NOT NULL,
    rules json NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    hands integer NOT NULL,
    winner integer,
    is_left boolean NOT NULL,
    first_dealer integer
);
CREATE SEQUENCE public.matches_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.matches_id_seq OWNED BY public.matches.id;
CREATE TABLE public.photo_files (
    photo_id integer NOT NULL,
    jpeg bytea NOT NULL
);
CREATE TABLE public.photos (
    id integer NOT NULL,
    match_id integer NOT NULL,
    hand_no integer NOT NULL,
    side integer NOT NULL,
    size integer NOT NULL,
    sha256 character varying NOT NULL,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.photos_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.photos_id_seq OWNED BY public.photos.id;
CREATE TABLE public.proposals (
    id integer NOT NULL,
    table_id integer NOT NULL,
    match_id integer NOT NULL,
    hand_no integer NOT NULL,
    facts json NOT NULL,
    key character varying NOT NULL,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL,
    outcome character varying NOT NULL
);
CREATE SEQUENCE public.proposals_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.proposals_id_seq OWNED BY public.proposals.id;
CREATE TABLE public.scope_taps (
    id integer NOT NULL,
    match_id integer NOT NULL,
    hand_no integer NOT NULL,
    side integer NOT NULL,
    delta integer NOT NULL,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.scope_taps_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.scope_taps_id_seq OWNED BY public.scope_taps.id;
CREATE TABLE public.table_decks (
    table_id integer NOT NULL,
    deck_id integer NOT NULL,
    learns boolean NOT NULL
);
CREATE TABLE public.tables (
    id integer NOT NULL,
    code character varying NOT NULL,
    revision integer NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    link_hash character varying,
    drawing character varying NOT NULL,
    closed_at timestamp with time zone,
    lends_photos boolean NOT NULL
);
CREATE SEQUENCE public.tables_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tables_id_seq OWNED BY public.tables.id;
CREATE TABLE public.upload_files (
    upload_id integer NOT NULL,
    data bytea NOT NULL
);
CREATE TABLE public.uploads (
    id integer NOT NULL,
    table_id integer NOT NULL,
    match_id integer NOT NULL,
    hand_no integer NOT NULL,
    side integer NOT NULL,
    is_mending boolean NOT NULL,
    key character varying NOT NULL,
    name character varying NOT NULL,
    size integer NOT NULL,
    state character varying NOT NULL,
    refusal json,
    device character varying NOT NULL,
    made_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.uploads_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.uploads_id_seq OWNED BY public.uploads.id;
ALTER TABLE ONLY public.deck_photos ALTER COLUMN id SET DEFAULT nextval('public.deck_photos_id_seq'::regclass);
ALTER TABLE ONLY public.deck_views ALTER COLUMN id SET DEFAULT nextval('public.deck_views_id_seq'::regclass);
ALTER TABLE ONLY public.decks ALTER COLUMN id SET DEFAULT nextval('public.decks_id_seq'::regclass);
ALTER TABLE ONLY public.log ALTER COLUMN id SET DEFAULT nextval('public.log_id_seq'::regclass);
ALTER TABLE ONLY public.matches ALTER COLUMN id SET DEFAULT nextval('public.matches_id_seq'::regclass);
ALTER TABLE ONLY public.photos ALTER COLUMN id SET DEFAULT nextval('public.photos_id_seq'::regclass);
ALTER TABLE ONLY public.proposals ALTER COLUMN id SET DEFAULT nextval('public.proposals_id_seq'::regclass);
ALTER TABLE ONLY public.scope_taps ALTER COLUMN id SET DEFAULT nextval('public.scope_taps_id_seq'::regclass);
ALTER TABLE ONLY public.tables ALTER COLUMN id SET DEFAULT nextval('public.tables_id_seq'::regclass);
ALTER TABLE ONLY public.uploads ALTER COLUMN id SET DEFAULT nextval('public.uploads_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0011');
INSERT INTO public.deck_photo_files VALUES (2, '\x6465636b2070686f746f2032');
INSERT INTO public.deck_photos VALUES (1, 1, 'p1', 'deck.jpg', 'read', NULL, '2026-11-27 09:10:55.605659+00');
INSERT INTO public.deck_photos VALUES (2, 1, 'p2', 'deck2.jpg', 'waiting', NULL, '2026-11-27 09:10:55.696893+00');
INSERT INTO public.deck_views VALUES (1, 1, 'p1-0', 1, 0, '7d', true, false, false, '\xffd8ff203764');
INSERT INTO public.deck_views VALUES (2, 1, 'p1-1', 1, 1, 'x', false, false, false, '\xffd8ff2078');
INSERT INTO public.decks VALUES (1, 1, 'deck', 'Grandmother''s', 2, false, 'Anna', '2026-11-27 09:10:55.54679+00');
INSERT INTO public.deliveries VALUES (1, 'a tap', 'Anna', '2026-11-27 09:10:55.125783+00');
INSERT INTO public.drafts VALUES (1, 2, 0, '{"photos": [1], "seen": [{"photo": 1, "guess": "7d", "doubtful": true, "corners": [[0.1, 0.1], [0.4, 0.1], [0.4, 0.6], [0.1, 0.6]], "alternatives": ["6d", "x"], "answer": null}], "by_hand": ["1c", "2c"], "rest": null, "refused": [], "absent": [], "counted": 3, "scope": null, "faults": [{"photo": 1, "kind": "blurred", "region": "top-left"}]}', 1, 'Anna', '2026-11-27 09:10:55.237975+00');
INSERT INTO public.drafts VALUES (1, 2, 1, '{"photos": [], "by_hand": ["10s"]}', 1, 'Anna', '2026-11-27 09:10:55.253729+00');
INSERT INTO public.house_rules VALUES ('at home', '{"name": "at home", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}', '2026-11-27 09:10:55.51368+00');
INSERT INTO public.log VALUES (1, 1, 1, 1, 'open', NULL, NULL, 'open-c7e4bdcf-6233-4553-99dc-233eb3f94e7e', 'Anna', '2026-11-27 09:10:54.284807+00');
INSERT INTO public.log VALUES (2, 1, 2, 1, 'record', 1, '{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "1c", "2c", "3c", "4c", "5c", "6c", "1s", "2s", "3s", "4s", "5s", "1b", "2b", "3b", "4b", "5b", "6b"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["6d", "7d", "8d", "9d", "10d", "7c", "8c", "9c", "10c", "6s", "7s", "8s", "9s", "10s", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}', 'h1', 'Anna', '2026-11-27 09:10:54.511335+00');
INSERT INTO public.log VALUES (3, 1, 3, 1, 'edit', 1, '{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "6d", "1c", "2c", "3c", "4c", "5c", "6c", "1s", "2s", "3s", "4s", "5s", "6s", "1b", "2b", "3b", "4b", "5b", "6b"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["7d", "8d", "9d", "10d", "7c", "8c", "9c", "10c", "7s", "8s", "9s", "10s", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}', 'e1', 'Bruno', '2026-11-27 09:10:54.781797+00');
INSERT INTO public.log VALUES (4, 1, 4, 1, 'undo', NULL, NULL, 'u1', '', '2026-11-27 09:10:54.89371+00');
INSERT INTO public.log VALUES (5, 1, 5, 1, 'redo', NULL, NULL, 'r1', '', '2026-11-27 09:10:55.044652+00');
INSERT INTO public.log VALUES (6, 2, 1, 2, 'open', NULL, NULL, 'open-24bc4509-dde2-4657-9373-361a78d395ba', '', '2026-11-27 09:10:56.061268+00');
INSERT INTO public.log VALUES (7, 2, 2, 3, 'open', NULL, NULL, 'open-9fafde86-bcd6-4be3-99a9-6f6d887dee5e', '', '2026-11-27 09:10:56.15819+00');
INSERT INTO public.log VALUES (8, 2, 3, 3, 'leave', NULL, NULL, 'leave-9c787b1b-b7ae-4f1f-97d1-ed0d6a2dbd87', '', '2026-11-27 09:10:56.25124+00');
INSERT INTO public.match_sides VALUES (1, 1, 'Bruno', 2);
INSERT INTO public.match_sides VALUES (1, 0, 'Anna', 3);
INSERT INTO public.match_sides VALUES (2, 0, 'Carla', 0);
INSERT INTO public.match_sides VALUES (2, 1, 'Dario', 0);
INSERT INTO public.match_sides VALUES (3, 0, 'Carla', 0);
INSERT INTO public.match_sides VALUES (3, 1, 'Dario', 0);
INSERT INTO public.matches VALUES (1, 1, 1, '{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}', '2026-11-27 09:10:54.240292+00', 1, NULL, false, 1);
INSERT INTO public.matches VALUES (2, 2, 1, '{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}', '2026-11-27 09:10:56.041651+00', 0, NULL, false, NULL);
INSERT INTO public.matches VALUES (3, 2, 2, '{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}', '2026-11-27 09:10:56.144571+00', 0, NULL, true, NULL);
INSERT INTO public.photo_files VALUES (1, '\xffd8ff20736d616c6c');
INSERT INTO public.photos VALUES (1, 1, 2, 0, 9, 'c8d7abb73b0e421231ebfd08eddc6d3d7a51b516891bee26d491f273b32445e0', 'Anna', '2026-11-27 09:10:55.197026+00');
INSERT INTO public.proposals VALUES (1, 1, 1, 1, '{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "1c", "2c", "3c", "4c", "5c", "1s", "2s", "3s", "4s", "5s", "1b", "2b", "3b", "4b", "5b"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["6d", "7d", "8d", "9d", "10d", "6c", "7c", "8c", "9c", "10c", "6s", "7s", "8s", "9s", "10s", "6b", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}', 'h1b', 'Bruno', '2026-11-27 09:10:54.637615+00', 'open');
INSERT INTO public.scope_taps VALUES (1, 1, 2, 1, 1, 'Anna', '2026-11-27 09:10:55.151492+00');
INSERT INTO public.table_decks VALUES (1, 1, true);
INSERT INTO public.tables VALUES (1, 'NZ4V', 21, '2026-11-27 09:10:54.227124+00', 'abababababababababababababababababababababababababababababababab', 'french', NULL, true);
INSERT INTO public.tables VALUES (2, '4JHM', 4, '2026-11-27 09:10:56.037003+00', 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'italian', '2026-11-27 09:10:56.276839+00', false);
INSERT INTO public.upload_files VALUES (1, '\x7761697473');
INSERT INTO public.upload_files VALUES (3, '\x6c617465');
INSERT INTO public.uploads VALUES (1, 1, 1, 2, 1, false, 'w', 'IMG_1.jpg', 5, 'waiting', NULL, 'Bruno', '2026-11-27 09:10:55.300922+00');
INSERT INTO public.uploads VALUES (2, 1, 1, 2, 0, false, 'r', 'notes.txt', 8, 'refused', '{"error": "UnreadablePhotoError", "name": "notes.txt"}', 'Bruno', '2026-11-27 09:10:55.369554+00');
INSERT INTO public.uploads VALUES (3, 1, 1, 2, 0, false, 'l', 'IMG_2.jpg', 4, 'late', '{"error": "HandClosedError", "hand_no": 2, "current": 3}', 'Bruno', '2026-11-27 09:10:55.447981+00');
SELECT pg_catalog.setval('public.deck_photos_id_seq', 2, true);
SELECT pg_catalog.setval('public.deck_views_id_seq', 2, true);
SELECT pg_catalog.setval('public.decks_id_seq', 1, true);
SELECT pg_catalog.setval('public.log_id_seq', 8, true);
SELECT pg_catalog.setval('public.matches_id_seq', 3, true);
SELECT pg_catalog.setval('public.photos_id_seq', 1, true);
SELECT pg_catalog.setval('public.proposals_id_seq', 1, true);
SELECT pg_catalog.setval('public.scope_taps_id_seq', 1, true);
SELECT pg_catalog.setval('public.tables_id_seq', 2, true);
SELECT pg_catalog.setval('public.uploads_id_seq', 3, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.deck_photo_files
    ADD CONSTRAINT pk_deck_photo_files PRIMARY KEY (photo_id);
ALTER TABLE ONLY public.deck_photos
    ADD CONSTRAINT pk_deck_photos PRIMARY KEY (id);
ALTER TABLE ONLY public.deck_views
    ADD CONSTRAINT pk_deck_views PRIMARY KEY (id);
ALTER TABLE ONLY public.decks
    ADD CONSTRAINT pk_decks PRIMARY KEY (id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT pk_deliveries PRIMARY KEY (table_id, key);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT pk_drafts PRIMARY KEY (match_id, hand_no, side);
ALTER TABLE ONLY public.house_rules
    ADD CONSTRAINT pk_house_rules PRIMARY KEY (name);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT pk_log PRIMARY KEY (id);
ALTER TABLE ONLY public.match_sides
    ADD CONSTRAINT pk_match_sides PRIMARY KEY (match_id, side);
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT pk_matches PRIMARY KEY (id);
ALTER TABLE ONLY public.photo_files
    ADD CONSTRAINT pk_photo_files PRIMARY KEY (photo_id);
ALTER TABLE ONLY public.photos
    ADD CONSTRAINT pk_photos PRIMARY KEY (id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT pk_proposals PRIMARY KEY (id);
ALTER TABLE ONLY public.scope_taps
    ADD CONSTRAINT pk_scope_taps PRIMARY KEY (id);
ALTER TABLE ONLY public.table_decks
    ADD CONSTRAINT pk_table_decks PRIMARY KEY (table_id);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT pk_tables PRIMARY KEY (id);
ALTER TABLE ONLY public.upload_files
    ADD CONSTRAINT pk_upload_files PRIMARY KEY (upload_id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT pk_uploads PRIMARY KEY (id);
ALTER TABLE ONLY public.deck_photos
    ADD CONSTRAINT uq_deck_photos_deck_id_key UNIQUE (deck_id, key);
ALTER TABLE ONLY public.deck_views
    ADD CONSTRAINT uq_deck_views_deck_id_key UNIQUE (deck_id, key);
ALTER TABLE ONLY public.decks
    ADD CONSTRAINT uq_decks_table_id_key UNIQUE (table_id, key);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT uq_log_table_id_key UNIQUE (table_id, key);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT uq_log_table_id_revision UNIQUE (table_id, revision);
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT uq_matches_table_id_number UNIQUE (table_id, number);
ALTER TABLE ONLY public.photos
    ADD CONSTRAINT uq_photos_match_id_hand_no_side_sha256 UNIQUE (match_id, hand_no, side, sha256);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT uq_proposals_table_id_key UNIQUE (table_id, key);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT uq_tables_code UNIQUE (code);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uq_uploads_table_id_key UNIQUE (table_id, key);
CREATE INDEX ix_deck_views_photo_id ON public.deck_views USING btree (photo_id);
CREATE INDEX ix_log_match_id ON public.log USING btree (match_id);
CREATE INDEX ix_match_sides_name ON public.match_sides USING btree (name);
CREATE INDEX ix_proposals_match_id ON public.proposals USING btree (match_id);
CREATE INDEX ix_scope_taps_match_id_hand_no ON public.scope_taps USING btree (match_id, hand_no);
CREATE UNIQUE INDEX ix_tables_link_hash ON public.tables USING btree (link_hash);
CREATE INDEX ix_uploads_match_id_hand_no ON public.uploads USING btree (match_id, hand_no);
CREATE INDEX ix_uploads_state_id ON public.uploads USING btree (state, id);
ALTER TABLE ONLY public.deck_photo_files
    ADD CONSTRAINT fk_deck_photo_files_photo_id FOREIGN KEY (photo_id) REFERENCES public.deck_photos(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deck_photos
    ADD CONSTRAINT fk_deck_photos_deck_id FOREIGN KEY (deck_id) REFERENCES public.decks(id);
ALTER TABLE ONLY public.deck_views
    ADD CONSTRAINT fk_deck_views_deck_id FOREIGN KEY (deck_id) REFERENCES public.decks(id);
ALTER TABLE ONLY public.deck_views
    ADD CONSTRAINT fk_deck_views_photo_id FOREIGN KEY (photo_id) REFERENCES public.deck_photos(id);
ALTER TABLE ONLY public.decks
    ADD CONSTRAINT fk_decks_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT fk_deliveries_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT fk_drafts_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT fk_log_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT fk_log_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.match_sides
    ADD CONSTRAINT fk_match_sides_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT fk_matches_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.photo_files
    ADD CONSTRAINT fk_photo_files_photo_id FOREIGN KEY (photo_id) REFERENCES public.photos(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.photos
    ADD CONSTRAINT fk_photos_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT fk_proposals_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT fk_proposals_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.scope_taps
    ADD CONSTRAINT fk_scope_taps_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.table_decks
    ADD CONSTRAINT fk_table_decks_deck_id FOREIGN KEY (deck_id) REFERENCES public.decks(id);
ALTER TABLE ONLY public.table_decks
    ADD CONSTRAINT fk_table_decks_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.upload_files
    ADD CONSTRAINT fk_upload_files_upload_id FOREIGN KEY (upload_id) REFERENCES public.uploads(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT fk_uploads_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT fk_uploads_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
