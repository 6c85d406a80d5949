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
    "  ledger text PRIMARY KEY REFERENCES probity.budget, entries bigint NOT NULL, digest text NOT NULL,\n"
    "  period bigint)",

    /* The sums of the entries of the latest period (kept_sums.h), as fractions: of everybody (part '') and of
     * each part; and how many entries have a spec. `since` is the first entry. */
    "CREATE TABLE probity.total (\n"
    "  ledger text NOT NULL REFERENCES probity.budget, part text NOT NULL, since bigint NOT NULL,\n"
    "  bound numeric[] NOT NULL, delta numeric[] NOT NULL, PRIMARY KEY (ledger, part))",
    "CREATE TABLE probity.tally (\n"
    "  ledger text NOT NULL REFERENCES probity.budget, part text NOT NULL, name bytea NOT NULL,\n"
    "  spec text NOT NULL, since bigint NOT NULL, entries bigint NOT NULL,\n"
    "  PRIMARY KEY (ledger, part, name))",

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
    " WHERE b.ledger = name AND b.made = now()"
    " AND b.xmin = pg_current_xact_id()::xid)\n"
    "$$",

    /* x + the number of a charge, in lowest terms. */
    "CREATE FUNCTION probity.plus(x numeric[], charge text) RETURNS numeric[]"
    " LANGUAGE plpgsql IMMUTABLE" SAFE "AS $$\n"
    "DECLARE n numeric; d numeric := 1; g numeric; BEGIN\n"
    "  IF coalesce(charge, '') = '' THEN RETURN x; END IF;\n"
    "  IF charge !~ '^[+]?([0-9]+/0*[1-9][0-9]*|([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,6})?)$' THEN\n"
    "    RAISE EXCEPTION 'a charge is a number from 0 on'; END IF;\n"
    "  n := split_part(charge, '/', 1)::numeric;\n"
    "  IF strpos(charge, '/') > 0 THEN d := split_part(charge, '/', 2)::numeric; END IF;\n"
    "  d := d * ('1e' || scale(n))::numeric; n := trunc(n * ('1e' || scale(n))::numeric);\n"
    "  n := x[1] * d + n * x[2]; d := trunc(d * x[2]); g := gcd(n, d);\n"
    "  RETURN ARRAY[div(n, g), div(d, g)];\n"
    "END $$",
    "CREATE FUNCTION probity.period(mode text, moment text) RETURNS bigint"
    " LANGUAGE plpgsql STABLE SET TimeZone = 'UTC'" SAFE "AS $$\n"
    "DECLARE every numeric := substring(mode from ';every=([0-9]+)')::numeric; BEGIN\n"
    "  IF every IS NULL THEN RETURN 0; END IF;\n"
    "  every := every * CASE substring(mode from ';every=[0-9]+([hdw])')"
    " WHEN 'h' THEN 3600 WHEN 'd' THEN 86400 ELSE 604800 END;\n"
    "  RETURN floor((extract(epoch from moment::timestamptz)\n"
    "    - extract(epoch from substring(mode from ';from=(.*)$')::timestamptz))::numeric / every);\n"
    "END $$",

    /* The entries behind the one of number `past`, their specs apart from the parts that they are about. */
    "CREATE FUNCTION probity.told(book text, past bigint, apart boolean) RETURNS"
    " TABLE (number bigint, part text, spec text, epsilon text, delta text) LANGUAGE sql STABLE" SAFE
    "AS $$\n"
    "  SELECT number, CASE WHEN place > 0 THEN substr(spec, place + 6) ELSE '' END,\n"
    "    CASE WHEN place > 0 THEN left(spec, place - 1) ELSE spec END, epsilon, delta\n"
    "  FROM probity.spend, LATERAL"
    " (SELECT CASE WHEN apart THEN strpos(spec, ' part=') ELSE 0 END) AS x(place)\n"
    "  WHERE ledger = book AND number > past\n"
    "$$",
    "CREATE AGGREGATE probity.sum(text) (SFUNC = probity.plus, STYPE = numeric[], INITCOND = '{0,1}')",

    /* Adds the entries behind the one of number `past` to the sums; returns the latest period. */
    "CREATE FUNCTION probity.add(book text, past bigint) RETURNS bigint LANGUAGE plpgsql" SAFE "AS $$\n"
    "DECLARE b probity.budget; mode text; apart boolean; present bigint; latest bigint; BEGIN\n"
    "  SELECT * INTO b FROM probity.budget WHERE ledger = book;\n"
    "  IF b.version < 5 THEN RETURN NULL; END IF;\n"
    "  mode := split_part(b.terms[2], ';parts=', 1); apart := strpos(b.terms[2], ';parts=') > 0;\n"
    "  IF mode !~ '^exact' AND EXISTS (SELECT 1 FROM probity.spend WHERE ledger = book AND number > past"
    " AND (coalesce(epsilon, '') = '' OR coalesce(delta, '') = '')) THEN\n"
    "    RAISE EXCEPTION 'an entry has charges where charges add'; END IF;\n"
    "  SELECT period INTO latest FROM probity.head WHERE ledger = book;\n"
    "  SELECT max(probity.period(mode, at)) INTO present FROM probity.spend"
    " WHERE ledger = book AND number > past;\n"
    "  IF latest IS NULL OR present > latest THEN\n"
    "    latest := present;\n"
    "    SELECT min(number) - 1 INTO past FROM probity.spend"
    " WHERE ledger = book AND number > past AND probity.period(mode, at) = present;\n"
    "    DELETE FROM probity.tally WHERE ledger = book;\n"
    "    DELETE FROM probity.total WHERE ledger = book;\n"
    "    INSERT INTO probity.total VALUES (book, '', 0, '{0,1}', '{0,1}');\n"
    "  END IF;\n"
    "  INSERT INTO probity.total AS t\n"
    "    SELECT book, e.part, min(e.number), probity.sum(e.epsilon), probity.sum(e.delta)\n"
    "    FROM probity.told(book, past, apart) AS e GROUP BY e.part\n"
    "    ON CONFLICT (ledger, part) DO UPDATE SET\n"
    "      bound = probity.plus(t.bound, array_to_string(excluded.bound, '/')),\n"
    "      delta = probity.plus(t.delta, array_to_string(excluded.delta, '/'));\n"
    "  INSERT INTO probity.tally AS y\n"
    "    SELECT book, e.part, sha256(convert_to(e.spec, 'UTF8')), e.spec, min(e.number), count(*)\n"
    "    FROM probity.told(book, past, apart) AS e WHERE mode ~ '^exact' OR e.spec ~ 'n *='\n"
    "    GROUP BY e.part, e.spec\n"
    "    ON CONFLICT (ledger, part, name) DO UPDATE SET entries = y.entries + excluded.entries;\n"
    "  RETURN latest;\n"
    "END $$",
    "CREATE FUNCTION probity.sums(book text) RETURNS"
    " TABLE (entries bigint, digest text, sums text, seal text) LANGUAGE plpgsql STABLE" SAFE "AS $$\n"
    "DECLARE h probity.head; kept text := ''; BEGIN\n"
    "  SELECT * INTO h FROM probity.head p WHERE p.ledger = book;\n"
    "  IF NOT FOUND THEN RETURN; END IF;\n"
    "  IF h.entries > 0 THEN\n"
    "    SELECT 'period ' || h.period || E'\\n' || string_agg(\n"
    "      CASE t.part WHEN '' THEN '' ELSE 'part ' || t.part || E'\\n' END || 'sums '\n"
    "      || array_to_string(t.bound, '/') || ' ' || array_to_string(t.delta, '/') || E'\\n'\n"
    "      || coalesce((SELECT string_agg('spec ' || y.entries || ' ' || y.spec || E'\\n', ''"
    " ORDER BY y.since)"
    " FROM probity.tally y WHERE y.ledger = book AND y.part = t.part), ''), '' ORDER BY t.since)\n"
    "    INTO kept FROM probity.total t WHERE t.ledger = book;\n"
    "  END IF;\n"
    "  RETURN QUERY SELECT h.entries, h.digest, coalesce(kept, ''),\n"
    "    probity.digest(b.digest, h.entries::text, h.digest, coalesce(kept, ''))"
    " FROM probity.budget b WHERE b.ledger = book;\n"
    "END $$",

    "CREATE FUNCTION probity.append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$\n"
    "DECLARE controls text := '[[:cntrl:]]'; BEGIN\n"
    "  IF getdatabaseencoding() = 'UTF8' THEN\n"
    "    controls := '[[:cntrl:]' || chr(128) || '-' || chr(159) || ']'; END IF;\n"
    "  IF session_user::text ~ controls THEN RAISE EXCEPTION 'a spender has a name that prints'; END IF;\n"
    "  IF NEW.spec ~ controls OR concat_ws(' ', NEW.epsilon, NEW.delta) ~ '[^0-9./e +-]'\n"
    "     OR ltrim(NEW.epsilon) LIKE '-%' OR ltrim(NEW.delta) LIKE '-%' THEN\n"
    "    RAISE EXCEPTION 'an entry is of a spec and of charges from 0 on'; END IF;\n"
    "  NEW.spender := session_user;\n"
    "  RETURN NEW;\n"
    "END $$",

    /* Behind a statement that appended: its entries go on from the last one. The last digest and the sums are
     * written once for all of them, since PostgreSQL keeps and searches every state that a transaction gives
     * to a row. */
    "CREATE FUNCTION probity.follow() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$\n"
    "DECLARE h probity.head; e record; past bigint; adopts boolean; BEGIN\n"
    "  SELECT * INTO h FROM probity.head WHERE ledger = (SELECT min(ledger) FROM added) FOR UPDATE;\n"
    "  past := h.entries; adopts := probity.is_new(h.ledger);\n"
    "  FOR e IN SELECT * FROM added ORDER BY number LOOP\n"
    "    IF e.ledger IS DISTINCT FROM h.ledger OR e.number IS DISTINCT FROM h.entries + 1 THEN\n"
    "      RAISE EXCEPTION 'an entry follows the last one'; END IF;\n"
    "    IF e.at IS DISTINCT FROM " NOW " AND NOT adopts THEN\n"
    "      RAISE EXCEPTION 'the time of an entry is that of the server'; END IF;\n"
    "    h.digest := probity.digest(h.digest, e.number::text, e.at, e.spec, e.epsilon, e.delta);\n"
    "    IF e.digest IS DISTINCT FROM h.digest THEN\n"
    "      RAISE EXCEPTION 'the digest of an entry covers the one before it'; END IF;\n"
    "    h.entries := e.number;\n"
    "  END LOOP;\n"
    "  IF h.entries > past THEN\n"
    "    h.period := probity.add(h.ledger, past);\n"
    "    UPDATE probity.head SET entries = h.entries, digest = h.digest, period = h.period\n"
    "      WHERE ledger = h.ledger;\n"
    "  END IF;\n"
    "  RETURN NULL;\n"
    "END $$",

    "CREATE FUNCTION probity.count() RETURNS trigger LANGUAGE plpgsql" SAFE "AS $$ BEGIN\n"
    "  IF NEW.ledger IS DISTINCT FROM OLD.ledger OR NEW.entries > OLD.entries IS NOT TRUE THEN\n"
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

    /* Appends entries of another ledger, behind the one of number `past`, to the copy that this transaction
     * makes. */
    "CREATE FUNCTION probity.adopt(name text, past bigint, moments text[], specs text[], bounds text[],"
    " deltas text[], digests text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER" SAFE "AS $$ BEGIN\n"
    "  IF NOT probity.is_new(name) THEN RAISE EXCEPTION 'a ledger adopts entries when it is made'; END IF;\n"
    "  INSERT INTO probity.spend (ledger, number, at, spec, epsilon, delta, digest, key)\n"
    "    SELECT name, past + u.i, u.at, u.spec, nullif(u.epsilon, ''), nullif(u.delta, ''), u.digest,\n"
    "      'copied ' || past + u.i\n"
    "    FROM unnest(moments, specs, bounds, deltas, digests) WITH ORDINALITY\n"
    "      AS u(at, spec, epsilon, delta, digest, i);\n"
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
    "CREATE TRIGGER spend_followed AFTER INSERT ON probity.spend REFERENCING NEW TABLE AS added"
    " FOR EACH STATEMENT EXECUTE FUNCTION probity.follow()",
    "CREATE TRIGGER spend_kept BEFORE UPDATE OR DELETE ON probity.spend"
    " FOR EACH ROW EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER spend_whole BEFORE TRUNCATE ON probity.spend EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER head_counted BEFORE UPDATE ON probity.head"
    " FOR EACH ROW EXECUTE FUNCTION probity.count()",
    "CREATE TRIGGER head_kept BEFORE DELETE OR TRUNCATE ON probity.head EXECUTE FUNCTION probity.stays()",

    /* Sums change within the trigger that appends an entry, and by nobody's statement. */
    "CREATE TRIGGER total_kept BEFORE INSERT OR UPDATE OR DELETE ON probity.total"
    " FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER total_whole BEFORE TRUNCATE ON probity.total EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER tally_kept BEFORE INSERT OR UPDATE OR DELETE ON probity.tally"
    " FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION probity.stays()",
    "CREATE TRIGGER tally_whole BEFORE TRUNCATE ON probity.tally EXECUTE FUNCTION probity.stays()",

    /* The database's default privileges may have given others rights. */
    "REVOKE ALL ON SCHEMA probity FROM PUBLIC",
    "REVOKE ALL ON ALL TABLES IN SCHEMA probity FROM PUBLIC",
    "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA probity FROM PUBLIC",
    "DO $$ DECLARE other name; BEGIN\n"
    "  FOR other IN SELECT DISTINCT r.rolname FROM pg_roles AS r WHERE r.oid IN\n"
    "    (SELECT a.grantee FROM pg_namespace AS n, aclexplode(n.nspacl) AS a WHERE n.nspname = 'probity'\n"
    "     UNION SELECT a.grantee FROM pg_class AS c, aclexplode(c.relacl) AS a\n"
    "       WHERE c.relnamespace = 'probity'::regnamespace\n"
    "     UNION SELECT a.grantee FROM pg_proc AS p, aclexplode(p.proacl) AS a\n"
    "       WHERE p.pronamespace = 'probity'::regnamespace) AND r.rolname <> current_user LOOP\n"
    "    EXECUTE format('REVOKE ALL ON SCHEMA probity FROM %I', other);\n"
    "    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA probity FROM %I', other);\n"
    "    EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA probity FROM %I', other);\n"
    "  END LOOP;\n"
    "END $$",
    "GRANT USAGE ON SCHEMA probity TO probity_owner, probity_spender, probity_auditor",
    "GRANT SELECT ON probity.budget, probity.spend, probity.head, probity.total, probity.tally"
    " TO probity_owner, probity_spender, probity_auditor",
    "GRANT INSERT ON probity.budget TO probity_owner",
    "GRANT INSERT (ledger, number, at, spec, epsilon, delta, digest, key)"
    " ON probity.spend TO probity_spender",
    "GRANT EXECUTE ON FUNCTION probity.sums(text), probity.digest(text[])"
    " TO probity_owner, probity_spender, probity_auditor",
    "GRANT EXECUTE ON FUNCTION probity.hold(text) TO probity_spender",
    "GRANT EXECUTE ON FUNCTION probity.adopt(text, bigint, text[], text[], text[], text[], text[])"
    " TO probity_owner",
    /* clang-format on */
    NULL,
};

const char pby_server_triggers[] =
    "SELECT count(*) FILTER"
    " (WHERE c.relname NOT IN ('total', 'tally') AND t.tgname <> 'spend_followed'),"
    " count(*) FILTER (WHERE c.relname IN ('total', 'tally') OR t.tgname = 'spend_followed')"
    " FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid"
    " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
    " WHERE n.nspname = 'probity' AND t.tgenabled = 'O' AND (c.relname || ' ' || t.tgname) IN"
    " ('budget budget_made', 'budget budget_head', 'budget budget_kept', 'budget budget_whole',"
    " 'spend spend_appended', 'spend spend_followed', 'spend spend_kept', 'spend spend_whole',"
    " 'head head_counted', 'head head_kept', 'total total_kept', 'total total_whole',"
    " 'tally tally_kept', 'tally tally_whole')";

const char pby_server_parts[] =
    "SELECT (SELECT count(*) FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n"
    " ON n.oid = c.relnamespace WHERE n.nspname = 'probity' AND c.relkind = 'r'"
    " AND c.relname IN ('budget', 'spend', 'head')),"
    " (SELECT count(*) FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n"
    " ON n.oid = p.pronamespace WHERE n.nspname = 'probity' AND p.proname IN ('adopt', 'sums', 'follow'))";

const char pby_server_makers[] =
    "WITH made (by) AS ("
    "SELECT nspowner FROM pg_catalog.pg_namespace WHERE nspname = 'probity'"
    " UNION SELECT c.relowner FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n"
    " ON n.oid = c.relnamespace WHERE n.nspname = 'probity'"
    " UNION SELECT p.proowner FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n"
    " ON n.oid = p.pronamespace WHERE n.nspname = 'probity')"
    " SELECT (SELECT count(*) FROM made), count(*) FROM made JOIN pg_catalog.pg_roles AS r ON r.oid = made.by"
    " WHERE NOT r.rolsuper AND r.rolname <> 'pg_database_owner' AND r.rolname <> current_user"
    " AND r.oid <> (SELECT datdba FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())";
