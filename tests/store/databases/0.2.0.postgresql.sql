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
CREATE TABLE public.drafts (
    match_id integer NOT NULL,
    hand_no integer NOT NULL,
    side integer NOT NULL,
    draft json NOT NULL,
    version integer NOT NULL,
    device character varying NOT NULL,
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
    name character varying NOT NULL
);
CREATE TABLE public.matches (
    id integer NOT NULL,
    table_id integer NOT NULL,
    number integer NOT NULL,
    rules json NOT NULL,
    opened_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.matches_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.matches_id_seq OWNED BY public.matches.id;
CREATE TABLE public.photos (
    id integer NOT NULL,
    match_id integer NOT NULL,
    hand_no integer NOT NULL,
    side integer NOT NULL,
    jpeg bytea NOT NULL,
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
CREATE TABLE public.tables (
    id integer NOT NULL,
    code character varying NOT NULL,
    revision integer NOT NULL,
    opened_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.tables_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tables_id_seq OWNED BY public.tables.id;
ALTER TABLE ONLY public.log ALTER COLUMN id SET DEFAULT nextval('public.log_id_seq'::regclass);
ALTER TABLE ONLY public.matches ALTER COLUMN id SET DEFAULT nextval('public.matches_id_seq'::regclass);
ALTER TABLE ONLY public.photos ALTER COLUMN id SET DEFAULT nextval('public.photos_id_seq'::regclass);
ALTER TABLE ONLY public.proposals ALTER COLUMN id SET DEFAULT nextval('public.proposals_id_seq'::regclass);
ALTER TABLE ONLY public.scope_taps ALTER COLUMN id SET DEFAULT nextval('public.scope_taps_id_seq'::regclass);
ALTER TABLE ONLY public.tables ALTER COLUMN id SET DEFAULT nextval('public.tables_id_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0002');
INSERT INTO public.drafts VALUES (1, 2, 0, '{"photos": [1], "seen": [{"photo": 1, "guess": "7d", "doubtful": true, "corners": [[0.1, 0.1], [0.4, 0.1], [0.4, 0.6], [0.1, 0.6]], "alternatives": ["6d", "x"], "answer": null}], "by_hand": ["1c", "2c"], "rest": null, "refused": [], "absent": [], "counted": 3, "scope": null, "faults": [{"photo": 1, "kind": "blurred", "region": "top-left"}, {"photo": 1, "kind": "dark", "region": null}, {"photo": 1, "kind": "covered", "region": "middle"}]}', 1, 'Anna', '2026-11-25 15:30:53.934129+00');
INSERT INTO public.drafts VALUES (1, 2, 1, '{"photos": [], "seen": [], "by_hand": ["10s"], "rest": null, "refused": [], "absent": [], "counted": null, "scope": null, "faults": []}', 1, 'Anna', '2026-11-25 15:30:53.939564+00');
INSERT INTO public.log VALUES (1, 1, 1, 1, 'open', NULL, NULL, 'open-529b1de9-a493-42f5-a817-7d9d20203c95', 'Anna', '2026-11-25 15:30:53.86236+00');
INSERT INTO public.log VALUES (2, 1, 2, 1, 'record', 1, '{"sides": [{"name": "Anna", "pile": ["1d", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "10d", "1c", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "10c", "1s", "2s"], "scope": 1, "declared": 0}, {"name": "Bruno", "pile": ["3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "1b", "2b", "3b", "4b", "5b", "6b", "7b", "8b", "9b", "10b"], "scope": 0, "declared": 0}], "id": "", "dealer": 0}', 'first', 'Anna', '2026-11-25 15:30:53.906292+00');
INSERT INTO public.match_sides VALUES (1, 0, 'Anna');
INSERT INTO public.match_sides VALUES (1, 1, 'Bruno');
INSERT INTO public.matches VALUES (1, 1, 1, '{"name": "silver-lake", "captures": "single-first", "forced": "always", "aces": "ordinary", "ace_takes_ace": false, "last_card_scopa": false, "void_kings": 3, "hand_cards": 3, "table_cards": 4, "clockwise": false, "seatings": [[2, 1], [3, 1], [4, 1], [6, 1], [2, 2], [2, 3], [3, 2]], "scopa": 1, "ponino": false, "carte": 1, "carte_needed": 0, "denari": 1, "denari_needed": 0, "settebello": 1, "primiera": 1, "primiera_form": "prime", "faces": "10", "missing_suit": "cannot-score", "most_sevens": 0, "all_sevens": 0, "settanta": 0, "napola": false, "re_bello": 0, "trente": false, "piccola": false, "grande": 0, "frac": 0, "declared": false, "target": 11, "end": "highest", "sudden_death": false, "cappotto": 0, "all_coins_win": false, "napola_wins": false, "trente_wins": false, "perdere": false}', '2026-11-25 15:30:53.854422+00');
INSERT INTO public.photos VALUES (1, 1, 2, 0, '\xffd8ffe000104a46494600010100000100010000ffdb0043000201010101010201010102020202020403020202020504040304060506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affdb004301020202020202050303050a0706070a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0affc00011080018001003012200021101031101ffc4001f0000010501010101010100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffc4001f0100030101010101010101010000000000000102030405060708090a0bffc400b51100020102040403040705040400010277000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9faffda000c03010002110311003f00fd20a28a2800a28a2803ffd9', 635, '9285e30d1c3e82610f7b3987720f35568063996001899cb6f6b75cc705ed879a', 'Anna', '2026-11-25 15:30:53.92602+00');
INSERT INTO public.scope_taps VALUES (1, 1, 1, 0, 1, 'Anna', '2026-11-25 15:30:53.884111+00');
INSERT INTO public.scope_taps VALUES (2, 1, 2, 1, 1, 'Bruno', '2026-11-25 15:30:53.915254+00');
INSERT INTO public.tables VALUES (1, 'NU29', 6, '2026-11-25 15:30:53.851107+00');
SELECT pg_catalog.setval('public.log_id_seq', 2, true);
SELECT pg_catalog.setval('public.matches_id_seq', 1, true);
SELECT pg_catalog.setval('public.photos_id_seq', 1, true);
SELECT pg_catalog.setval('public.proposals_id_seq', 1, false);
SELECT pg_catalog.setval('public.scope_taps_id_seq', 2, true);
SELECT pg_catalog.setval('public.tables_id_seq', 1, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT pk_drafts PRIMARY KEY (match_id, hand_no, side);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT pk_log PRIMARY KEY (id);
ALTER TABLE ONLY public.match_sides
    ADD CONSTRAINT pk_match_sides PRIMARY KEY (match_id, side);
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT pk_matches PRIMARY KEY (id);
ALTER TABLE ONLY public.photos
    ADD CONSTRAINT pk_photos PRIMARY KEY (id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT pk_proposals PRIMARY KEY (id);
ALTER TABLE ONLY public.scope_taps
    ADD CONSTRAINT pk_scope_taps PRIMARY KEY (id);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT pk_tables PRIMARY KEY (id);
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
CREATE INDEX ix_log_match_id ON public.log USING btree (match_id);
CREATE INDEX ix_match_sides_name ON public.match_sides USING btree (name);
CREATE INDEX ix_scope_taps_match_id_hand_no ON public.scope_taps USING btree (match_id, hand_no);
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
ALTER TABLE ONLY public.photos
    ADD CONSTRAINT fk_photos_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT fk_proposals_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT fk_proposals_table_id FOREIGN KEY (table_id) REFERENCES public.tables(id);
ALTER TABLE ONLY public.scope_taps
    ADD CONSTRAINT fk_scope_taps_match_id FOREIGN KEY (match_id) REFERENCES public.matches(id);
