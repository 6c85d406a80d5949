/* SPDX-License-Identifier: MIT */
#include "certificate/ledger/server_schema.h"

#include <stddef.h>

#define MAKE_ROLE(name)                           \
    "DO $$ BEGIN CREATE ROLE " name " NOLOGIN;\n" \
    "EXCEPTION WHEN duplicate_object THEN NULL; END $$"

/* A function that runs with the rights of who owns the tables finds its names in pg_catalog alone. */
#define SAFE " SET search_path = pg_catalog, pg_temp "
#define NOW  "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"

const char *const pby_server_schema[] = {
    /* clang-format off */
    MAKE_ROLE("probity_owner"),
    MAKE_ROLE("probity_spender"),
    MAKE_ROLE("probity_auditor"),
    "CREATE SCHEMA probity",

    "CREATE TABLE probity.budget (\n"
    "  ledger text PRIMARY KEY CHECK (ledger <> ''), version integer NOT NULL, terms text[] NOT NULL,\n"
    "  digest text NOT NULL, maker name NOT NULL, made timestamptz NOT NULL DEFAULT now())",
    "CREATE TABLE probity.spend (\n"
    "  ledger text NOT NULL REFERENCES probity.budget, number bigint NOT NULL, at text NOT NULL,\n"
    "  spec text NOT NULL, epsilon text, delta text, digest text NOT NULL, key text NOT NULL,\n"
    "  spender name NOT NULL, PRIMARY KEY (ledger, number), UNIQUE (ledger, key))",
    "CREATE TABLE probity.head (\n"
    "  ledger text PRIMARY KEY REFERENCES probity.budget, entries bigint NOT NULL, digest text NOT NULL)",

    /* SHA-256 of texts, each behind its length as 8 bytes, the least first. */
    "CREATE FUNCTION probity.digest(VARIADIC texts text[]) RETURNS text"
    " LANGUAGE plpgsql IMMUTABLE" SAFE "AS $$\n"
    "DECLARE t text; b bytea; n integer; length bytea; all_of bytea := ''; BEGIN\n"
    "  FOREACH t IN ARRAY texts LOOP\n"
    "    b := convert_to(coalesce(t, ''), 'UTF8'); n := octet_length(b); length := '\\x0000000000000000';\n"
    "    FOR i IN 0..3 LOOP length := set_byte(length, i, (n >> (8 * i)) & 255); END LOOP;\n"
    "    all_of := all_of || length || b;\n"
    "  END LOOP;\n"
    "  RETURN encode(sha256(all_of), 'hex');\n"
    "END $$",

    "CREATE FUNCTION probity.make() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$ BEGIN\n"
    "  NEW.digest := probity.digest(VARIADIC NEW.terms); NEW.maker := session_user; NEW.made := now();\n"
    "  RETURN NEW;\n"
    "END $$",
    "CREATE FUNCTION probity.head() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$ BEGIN\n"
    "  INSERT INTO probity.head (ledger, entries, digest) VALUES (NEW.ledger, 0, NEW.digest); RETURN NULL;\n"
    "END $$",

    /* True in the very transaction that makes a ledger, which may have the entries of another. */
    "CREATE FUNCTION probity.is_new(name text) RETURNS boolean LANGUAGE sql SECURITY DEFINER" SAFE "AS $$\n"
    "  SELECT EXISTS (SELECT 1 FROM probity.budget b"
    " WHERE b.ledger = name AND b.xmin = pg_current_xact_id()::xid)\n"
    "$$",

    "CREATE FUNCTION probity.append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$\n"
    "DECLARE h probity.head; BEGIN\n"
    "  SELECT * INTO h FROM probity.head WHERE ledger = NEW.ledger FOR UPDATE;\n"
    "  IF NOT FOUND OR NEW.number IS DISTINCT FROM h.entries + 1 THEN\n"
    "    RAISE EXCEPTION 'an entry follows the last one'; END IF;\n"
    "  IF NEW.at IS DISTINCT FROM " NOW " AND NOT probity.is_new(NEW.ledger) THEN\n"
    "    RAISE EXCEPTION 'the time of an entry is that of the server'; END IF;\n"
    "  IF NEW.spec ~ '[[:cntrl:]]' OR concat_ws(' ', NEW.epsilon, NEW.delta) ~ '[^0-9./e +-]'\n"
    "     OR ltrim(NEW.epsilon) LIKE '-%' OR ltrim(NEW.delta) LIKE '-%' THEN\n"
    "    RAISE EXCEPTION 'an entry is of a spec and of charges from 0 on'; END IF;\n"
    "  IF NEW.digest IS DISTINCT FROM\n"
    "     probity.digest(h.digest, NEW.number::text, NEW.at, NEW.spec, NEW.epsilon, NEW.delta) THEN\n"
    "    RAISE EXCEPTION 'the digest of an entry covers the one before it'; END IF;\n"
    "  NEW.spender := session_user;\n"
    "  UPDATE probity.head SET entries = NEW.number, digest = NEW.digest WHERE ledger = NEW.ledger;\n"
    "  RETURN NEW;\n"
    "END $$",

    "CREATE FUNCTION probity.count() RETURNS trigger LANGUAGE plpgsql" SAFE "AS $$ BEGIN\n"
    "  IF NEW.ledger IS DISTINCT FROM OLD.ledger OR NEW.entries IS DISTINCT FROM OLD.entries + 1 THEN\n"
    "    RAISE EXCEPTION 'an entry stays'; END IF;\n"
    "  RETURN NEW;\n"
    "END $$",
    "CREATE FUNCTION probity.stays() RETURNS trigger LANGUAGE plpgsql" SAFE "AS $$ BEGIN\n"
    "  RAISE EXCEPTION 'an entry stays';\n"
    "END $$",

    /* Keeps other spenders out until the end of the transaction. */
    "CREATE FUNCTION probity.hold(name text) RETURNS TABLE (entries bigint, digest text, at text)\n"
    "LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$ BEGIN\n"
    "  RETURN QUERY SELECT h.entries, h.digest, " NOW ""
    " FROM probity.head h WHERE h.ledger = name FOR UPDATE;\n"
    "END $$",

    /* Appends an entry of another ledger to the copy that this transaction makes. */
    "CREATE FUNCTION probity.adopt(name text, entry bigint, moment text, mechanism text, e text, d text,"
    " sum text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$ BEGIN\n"
    "  IF NOT probity.is_new(name) THEN RAISE EXCEPTION 'a ledger adopts entries when it is made'; END IF;\n"
    "  INSERT INTO probity.spend (ledger, number, at, spec, epsilon, delta, digest, key)"
    " VALUES (name, entry, moment, mechanism, e, d, sum, 'copied ' || entry);\n"
    "END $$",

    "CREATE TRIGGER budget_made BEFORE INSERT ON probity.budget"
    " FOR EACH ROW EXECUTE FUNCTION probity.make()",
    "CREATE TRIGGER budget_head AFTER INSERT ON probity.budget"
    " FOR EACH ROW EXECUTE FUNCTION probity.head()",
    "CREATE TRIGGER budget_kept BEFORE UPDATE OR DELETE ON probity.budget"
    " FOR EACH ROW EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER budget_whole BEFORE TRUNCATE ON probity.budget EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER spend_appended BEFORE INSERT ON probity.spend"
    " FOR EACH ROW EXECUTE FUNCTION probity.append()",
    "CREATE TRIGGER spend_kept BEFORE UPDATE OR DELETE ON probity.spend"
    " FOR EACH ROW EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER spend_whole BEFORE TRUNCATE ON probity.spend EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER head_counted BEFORE UPDATE ON probity.head"
    " FOR EACH ROW EXECUTE FUNCTION probity.count()",
    "CREATE TRIGGER head_kept BEFORE DELETE OR TRUNCATE ON probity.head EXECUTE FUNCTION probity.stays()",

    "REVOKE ALL ON SCHEMA probity FROM PUBLIC",
    "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA probity FROM PUBLIC",
    "GRANT USAGE ON SCHEMA probity TO probity_owner, probity_spender, probity_auditor",
    "GRANT SELECT ON probity.budget, probity.spend, probity.head"
    " TO probity_owner, probity_spender, probity_auditor",
    "GRANT INSERT ON probity.budget TO probity_owner",
    "GRANT INSERT (ledger, number, at, spec, epsilon, delta, digest, key)"
    " ON probity.spend TO probity_spender",
    "GRANT EXECUTE ON FUNCTION probity.hold(text) TO probity_spender",
    "GRANT EXECUTE ON FUNCTION probity.adopt(text, bigint, text, text, text, text, text) TO probity_owner",
    /* clang-format on */
    NULL,
};

const char pby_server_triggers[] =
    "SELECT count(*) FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid"
    " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
    " WHERE n.nspname = 'probity' AND t.tgenabled = 'O' AND (c.relname || ' ' || t.tgname) IN"
    " ('budget budget_made', 'budget budget_head', 'budget budget_kept', 'budget budget_whole',"
    " 'spend spend_appended', 'spend spend_kept', 'spend spend_whole', 'head head_counted',"
    " 'head head_kept')";
