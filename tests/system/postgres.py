#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ledgers on a PostgreSQL server that this starts in a folder of its own, and ends.

Spenders share a budget and spend exactly it; the server is killed while they do; connections are cut at every statement; roles
keep to their rights; an administrator's change and a restored backup are noticed; names are texts and no SQL.
KILLS is how often the server is killed (8; .ci/run: 200).
usage: postgres.py BUILD"""
import ctypes
import json
import multiprocessing
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from longledger import filled
from pgserver import Server, bindir

BUILD = os.path.abspath(sys.argv[1])
PROBITY = os.path.join(BUILD, "probity")
KILLS = int(os.environ.get("KILLS", "8"))
OK, NO, FAILED = 0, 1, 3
SPEC = "zcdp:rho=1/1024" # a charge that is not rounded


def expect(right, what):
    if not right:
        sys.exit(f"postgres: {what}")


def probity(*arguments, status=OK):
    done = subprocess.run([PROBITY, *arguments], check=False, capture_output=True, text=True, errors="replace")
    expect(done.returncode == status, f"{arguments}: {done.returncode}, not {status}: {done.stderr}")
    expect("hunter2" not in done.stderr + done.stdout, f"a password is shown: {done.stderr}")
    expect(done.stderr.count("\n") <= 1, f"more than a line: {done.stderr}")
    return done.stdout if status == OK else done.stderr


def shown(uri):
    return json.loads(probity("ledger", "export", uri))


# ---- names -----------------------------------------------------------------------------------------

def names(server):
    """Names are kept as they are; one that is SQL for somebody else is a name here."""
    given = ["a'b", "x'; DROP TABLE probity.head; --", '"; DELETE FROM probity.spend; --', "$1", "%s", "\\", "Ünï ✓", "n" * 200]
    for name in given:
        probity("ledger", "init", server.uri(name), "--epsilon", "1", "--delta", "0")
        probity("ledger", "spend", server.uri(name), "pure:eps=1/2")
        expect(len(shown(server.uri(name))["entries"]) == 1, name)
    kept = set(server.sql("SELECT ledger FROM probity.head").split("\n"))
    expect(set(given) <= kept, f"names that were kept: {kept}")
    odd = "o'x\"; DROP TABLE probity.head; --"
    server.sql(f"CREATE ROLE \"{odd.replace(chr(34), 2 * chr(34))}\" LOGIN IN ROLE probity_spender, probity_owner")
    book = server.uri("odd", user=urllib.parse.quote(odd, safe=""))
    probity("ledger", "init", book, "--rho", "1")
    probity("ledger", "spend", book, SPEC)
    expect(json.loads(probity("ledger", "export", book, "--form", "jsonl"))["spender"] == odd, "the name of a spender")
    for query in ("ledger=%00", "ledger=a%00b", "ledger=%0a", "ledger=%c2%9b2J", "ledger=a%", "ledger=%zz", "ledger="):
        probity("ledger", "show", f"postgresql://admin@/team?host={server.folder}&{query}", status=2)
    for name in ["", "a\nb", "n" * 201]:
        probity("ledger", "init", server.uri(name), "--epsilon", "1", "--delta", "0", status=2)
    probity("ledger", "show", "postgresql://admin:hunter2@/team?host=" + server.folder + "&ledger=%ff", status=2)
    expect("made it" in probity("ledger", "show", server.uri("x", database="postgres"), status=2), "no schema")
    probity("ledger", "init", server.uri("a'b"), "--epsilon", "1", "--delta", "0", status=2)
    probity("ledger", "show", server.uri("nobody's"), status=2)
    probity("ledger", "show", server.uri("x", port="9x"), status=FAILED)
    print("names: texts, whatever is in them; no password in an error")


# ---- the file and the server --------------------------------------------------------------------------

def alike(server, folder):
    """The commands answer of a ledger on the server what they answer of a file."""
    kinds = [["--epsilon", "1", "--delta", "1e-6"], ["--accounting", "basic", "--epsilon", "1", "--delta", "1e-6"],
             ["--accounting", "filter", "--epsilon", "1", "--delta", "1e-6"], ["--accounting", "zcdp", "--rho", "1/4"],
             ["--accounting", "renyi", "--order", "8", "--renyi", "1/2"], ["--epsilon", "1", "--delta", "0", "--user", "who"],
             ["--epsilon", "1", "--delta", "0", "--rows", "overlapping=3"], ["--mu", "1/2", "--delta", "1e-3"],
             ["--accounting", "odometer", "--delta", "1e-6"], ["--refill", "1/4", "--accounting", "zcdp", "--every", "30d", "--from", "2026-01-01"],
             ["--epsilon", "1", "--delta", "0", "--parts", "region"]]
    rows = os.path.join(folder, "rows.csv")
    with open(rows, "w", encoding="utf-8") as out:
        out.write("a,5\nb,9\n")
    for i, kind in enumerate(kinds):
        answers = []
        for ledger in (os.path.join(folder, f"{i}.ledger"), server.uri(f"alike {i}")):
            probity("ledger", "init", ledger, *kind)
            told = shown(ledger)["digest"]
            user = ["--user", "who"] if "--user" in kind else []
            for spec in ("geometric:eps=1/16", "zcdp:rho=1/100", "geometric:eps=3"):
                subprocess.run([PROBITY, "ledger", "spend", ledger, spec, *user], check=False, capture_output=True)
            if "--parts" in kind:
                for part in ("eu", "x'); DROP TABLE probity.head; --"):
                    for _ in range(2):
                        subprocess.run([PROBITY, "ledger", "spend", ledger, "geometric:eps=1/2", "--part", part], check=False, capture_output=True)
            subprocess.run([PROBITY, "release", "geometric:eps=1/16", rows, "--ledger", ledger, "--after", told, "-o", os.path.join(folder, "o")],
                           check=False, capture_output=True)
            answer = shown(ledger)
            answers.append((answer, told))
            for e in answer["entries"]:
                del e["at"]
            answer.pop("digest")
        expect(answers[0] == answers[1], f"{kind}: {answers}")
    print(f"alike: {len(kinds)} kinds of ledger, in a file and on the server")


# ---- roles -------------------------------------------------------------------------------------------

def roles(server):
    for name in ("owner", "spender", "auditor", "stranger"):
        server.sql(f"CREATE ROLE {name} LOGIN" + (f" IN ROLE probity_{name}" if name != "stranger" else ""))
    book = "roles"
    for name in ("spender", "auditor", "stranger"):
        probity("ledger", "init", server.uri(book, user=name), "--accounting", "zcdp", "--rho", "1", status=2)
    probity("ledger", "init", server.uri(book, user="owner"), "--accounting", "zcdp", "--rho", "1")
    for name, status in (("spender", OK), ("owner", 2), ("auditor", 2), ("stranger", 2)):
        probity("ledger", "spend", server.uri(book, user=name), SPEC, status=status)
    for name, status in (("spender", OK), ("owner", OK), ("auditor", OK), ("stranger", 2)):
        probity("ledger", "show", server.uri(book, user=name), status=status)
    expect(server.sql(f"SELECT spender FROM probity.spend WHERE ledger = '{book}'") == "spender", "who spent")
    now = "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
    entry = "INSERT INTO probity.spend (ledger, number, at, spec, epsilon, delta, digest, key) VALUES ('roles', {}, {}, 's', '0', '0', {}, 'k')"
    real = "encode(sha256('x'), 'hex')"
    forbidden = ["UPDATE probity.spend SET spec = 'x'", "DELETE FROM probity.spend", "TRUNCATE probity.spend CASCADE",
                 "UPDATE probity.head SET entries = 0", "DELETE FROM probity.head", "UPDATE probity.budget SET terms = '{}'",
                 "DELETE FROM probity.budget", "ALTER TABLE probity.spend DISABLE TRIGGER ALL", "DROP TABLE probity.spend",
                 "CREATE TRIGGER t BEFORE INSERT ON probity.spend EXECUTE FUNCTION probity.stays()",
                 "CREATE RULE r AS ON INSERT TO probity.spend DO INSTEAD NOTHING", "CREATE FUNCTION probity.sha256(bytea) RETURNS bytea AS '' LANGUAGE sql",
                 "CREATE OR REPLACE FUNCTION probity.follow() RETURNS trigger AS 'BEGIN RETURN NULL; END' LANGUAGE plpgsql",
                 "ALTER FUNCTION probity.follow() RESET search_path", "ALTER TABLE probity.spend RENAME TO past", "LOCK TABLE probity.head IN EXCLUSIVE MODE",
                 "SET session_replication_role = replica", "SET session_authorization = admin", "COPY probity.spend (ledger, spender) FROM STDIN",
                 "INSERT INTO probity.spend (ledger, number, at, spec, digest, key, spender) VALUES ('roles', 2, 'x', 'x', 'x', 'x', 'alice')",
                 "INSERT INTO probity.head VALUES ('more', 0, 'x', 0)", "INSERT INTO probity.total VALUES ('roles', '', 0, '{0,1}', '{0,1}')",
                 "SELECT probity.is_new('roles')", "SELECT probity.follow()", "SELECT * FROM probity.head WHERE ledger = 'roles' FOR UPDATE",
                 entry.format(2, now, real), entry.format(1, now, real), entry.format(7, now, real), entry.format(2, "'2020-01-01T00:00:00Z'", real)]
    for name in ("spender", "owner", "auditor", "stranger"):
        for text in forbidden:
            server.sql(text, user=name, good=False)
    for text in forbidden[:7]: # who owns the tables is stopped by the triggers, until they are switched off
        server.sql(text, good=False)
    expect(len(shown(server.uri(book))["entries"]) == 1, "the entry stays")
    print(f"roles: {4 * len(forbidden)} attempts on the past are refused")


def by_hand(server):
    """A spender who writes SQL appends no charge below 0, and nothing that a terminal would act on."""
    book = "by hand"
    probity("ledger", "init", server.uri(book, user="owner"), "--accounting", "zcdp", "--rho", "1")
    now = "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
    digest = "probity.digest(h.digest, (h.entries + 1)::text, {now}, {what})"
    server.sql("GRANT EXECUTE ON FUNCTION probity.digest(text[]) TO spender") # who could compute it elsewhere
    for what, good in (("'pure:eps=1', '-100', '0'", False), ("'pure:eps=1', '0', '-1'", False), ("'pure:eps=1', ' -1', '0'", False),
                       ("E'pure:eps=1\\n', '0', '0'", False), ("E'\\x1b[2J', '0', '0'", False), ("E'\\u009b2J', '0', '0'", False), ("'pure:eps=1', 'x', '0'", False),
                       ("'pure:eps=1', E'0\\n-9', '0'", False), ("'pure:eps=1', '1/4', '0'", True)):
        text = ("INSERT INTO probity.spend (ledger, number, at, spec, epsilon, delta, digest, key)"
                f" SELECT h.ledger, h.entries + 1, {now}, {what}, {digest.format(now=now, what=what)}, 'k' FROM probity.head h WHERE h.ledger = '{book}'")
        server.sql(text, user="spender", good=good)
    expect(len(shown(server.uri(book))["entries"]) == 1, "entries by hand")
    what = "'pure:eps=1', '1/4', '0'"
    server.sql("INSERT INTO probity.spend (ledger, number, at, spec, epsilon, delta, digest, key)"
               f" SELECT h.ledger, h.entries + 1, {now}, {what}, {digest.format(now=now, what=what)}, 'l' FROM probity.head h"
               f" WHERE h.ledger IN ('{book}', 'roles')", user="spender", good=False) # a statement is checked for one ledger
    probity("ledger", "spend", server.uri(book), "zcdp:rho=4/5", status=NO)
    print("by hand: a charge below 0 and characters that do not print are refused by the server")


def words(server):
    """Neither the server's words nor the name of a role command the terminal of who reads a ledger."""
    book = "words"
    probity("ledger", "init", server.uri(book, user="owner"), "--rho", "1")
    server.sql("CREATE ROLE \"a\x1b[2J\" LOGIN IN ROLE probity_spender")
    said = probity("ledger", "spend", server.uri(book, user="a%1b%5b2J"), SPEC, status=FAILED)
    expect("\x1b" not in said and "name that prints" in said, f"a spender's name: {said!r}")
    for text in ("\x1b[2J", "\u009b2J"):
        server.sql("CREATE OR REPLACE FUNCTION public.loud() RETURNS trigger LANGUAGE plpgsql AS"
                   f" $$ BEGIN RAISE EXCEPTION 'this is {text}'; END $$; CREATE TRIGGER loud BEFORE INSERT ON probity.spend EXECUTE FUNCTION public.loud()")
        said = probity("ledger", "spend", server.uri(book, user="spender"), SPEC, status=FAILED)
        expect("this is ?" in said and text not in said, f"the server's words: {said!r}")
        server.sql("DROP TRIGGER loud ON probity.spend")
    expect(shown(server.uri(book))["entries"] == [], "entries")
    print("words: those of the server and of roles are shown without control characters")


def budgets_by_hand(server):
    """An owner who writes SQL makes no budget that a client reads as another, or falls over."""
    begin = ";from=2026-01-01T00:00:00Z"
    budgets = [(5, "{}"), (5, "{add-remove,exact,1,0}"), (99, "{add-remove,exact,1,0,1}"), (-1, "{add-remove,exact,1,0,1}"),
               (5, "{NULL,NULL,NULL,NULL,NULL}"), (5, "{add-remove,zcdp;every=0d" + begin + ",1,0,1}"), (5, "{add-remove,exact,-1,0,1}"),
               (5, "{add-remove,zcdp;every=99999999999999999999d" + begin + ",1,0,1}"), (5, "{add-remove,exact,1,2,1}"),
               (5, "{add-remove,exact,1,0,0}"), (5, "{add-remove,exact,1,0,99999999999999999999}"), (5, "{{a,b},{c,d}}"),
               (6, "{add-remove,exact,1,0,1}"), (5, '{add-remove,"exact\n",1,0,1}'), (5, "{add-remove,exact,1e999999999,0,1}"),
               (5, "{substitute,exact;parts=region,1,0,1}"), (5, "[0:4]={add-remove,exact,1,0,1}"), (5, "{add-remove,none,1,0,1}")]
    for i, (version, terms) in enumerate(budgets):
        server.sql(f"INSERT INTO probity.budget (ledger, version, terms) VALUES ('odd {i}', {version}, $x${terms}$x$)", user="owner")
        for action in (["show"], ["export"], ["spend"]):
            probity("ledger", *action, server.uri(f"odd {i}", user="spender"), *(["pure:eps=1/4"] if action == ["spend"] else []), status=2)
    print(f"budgets by hand: {len(budgets)} that are none are refused")


def tampering(server):
    """The triggers that are off, and the chain, show changes by an administrator."""
    book = server.uri("tampered")
    probity("ledger", "init", book, "--accounting", "zcdp", "--rho", "1")
    for _ in range(3):
        probity("ledger", "spend", book, SPEC)
    server.sql("ALTER TABLE probity.spend DISABLE TRIGGER spend_kept")
    expect("triggers" in probity("ledger", "show", book, status=2), "triggers are off")
    changes = [("UPDATE probity.spend SET epsilon = '0' WHERE ledger = 'tampered' AND number = 2", "entry 2"),
               ("DELETE FROM probity.spend WHERE ledger = 'tampered' AND number = 3", "counts"),
               ("UPDATE probity.budget SET terms[3] = '100' WHERE ledger = 'tampered'", "entry 1")]
    for text, why in changes:
        server.sql("BEGIN; ALTER TABLE probity.spend DISABLE TRIGGER USER; ALTER TABLE probity.budget DISABLE TRIGGER USER;"
                   " CREATE TABLE kept AS SELECT * FROM probity.spend; CREATE TABLE kept_budget AS SELECT * FROM probity.budget; " + text +
                   "; ALTER TABLE probity.spend ENABLE TRIGGER USER; ALTER TABLE probity.budget ENABLE TRIGGER USER; COMMIT")
        expect(why in probity("ledger", "show", book, status=2), f"{text} is not noticed")
        server.sql("BEGIN; ALTER TABLE probity.spend DISABLE TRIGGER USER; ALTER TABLE probity.budget DISABLE TRIGGER USER;"
                   " DELETE FROM probity.spend; UPDATE probity.budget b SET terms = k.terms FROM kept_budget k WHERE k.ledger = b.ledger;"
                   " INSERT INTO probity.spend SELECT * FROM kept; DROP TABLE kept; DROP TABLE kept_budget;"
                   " ALTER TABLE probity.spend ENABLE TRIGGER USER; ALTER TABLE probity.budget ENABLE TRIGGER USER; COMMIT")
        probity("ledger", "show", book)
    print(f"tampering: {len(changes) + 1} changes by an administrator are noticed")


def backup(server, folder):
    book = server.uri("backed up")
    probity("ledger", "init", book, "--accounting", "zcdp", "--rho", "1")
    probity("ledger", "spend", book, SPEC)
    before = shown(book)["digest"]
    file = os.path.join(server.folder, "dump.sql")
    server.run("pg_dump", "-h", server.folder, "-U", "admin", "-f", file, "team")
    probity("ledger", "spend", book, SPEC)
    noted = shown(book)["digest"]
    server.run("createdb", "-h", server.folder, "-U", "admin", "restored")
    server.run("psql", "-X", "-q", "-h", server.folder, "-U", "admin", "-d", "restored", "-f", file)
    old = server.uri("backed up", database="restored")
    expect(len(shown(old)["entries"]) == 1, "the backup is a ledger")
    probity("ledger", "show", old, "--after", before)
    for again in (False, True):
        if again:
            time.sleep(1.1) # a charge in the same second would be the very entry that the backup lacks
            probity("ledger", "spend", old, SPEC)
        for action in (["show"], ["export"], ["spend"]):
            probity("ledger", *action, old, *([SPEC] if action == ["spend"] else []), "--after", noted, status=2)
    out = os.path.join(folder, "unpaid")
    probity("release", "geometric:eps=1/100", os.path.join(folder, "rows.csv"), "--ledger", old, "--after", noted, "-o", out, status=2)
    expect(not os.path.exists(out), "nothing is released")
    print("backup: a restored one is noticed by --after")


# ---- schemas --------------------------------------------------------------------------------------------

def schemas(server, folder):
    """A schema of another program, or of an older version, is left alone with one line that says so."""
    older = ["DROP FUNCTION probity.adopt", "DROP FUNCTION probity.sums", "DROP TABLE probity.head CASCADE"]
    file = os.path.join(folder, "to copy")
    probity("ledger", "init", file, "--rho", "1")
    for i, text in enumerate(["CREATE SCHEMA probity", "CREATE SCHEMA probity; CREATE TABLE probity.budget (x int)", *older]):
        database = f"schema{i}"
        server.sql(f"CREATE DATABASE {database}")
        if text in older:
            probity("ledger", "init", server.uri("first", database=database), "--rho", "1")
        server.sql(text, database=database)
        tables = server.sql("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'probity'", database=database)
        why = "older one" if text in older[:2] else "another program"
        for action in (["init", server.uri("x", database=database), "--rho", "1"], ["copy", file, server.uri("x", database=database)]):
            said = probity("ledger", *action, status=2)
            expect(why in said, f"{text}: {said}")
        probity("ledger", "show", server.uri("x", database=database), status=2)
        probity("ledger", "spend", server.uri("x", database=database), SPEC, status=2)
        now = server.sql("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'probity'", database=database)
        expect(now == tables, f"{text}: tables were made")
    print("schemas: those of another program and of an older version are refused and left alone")


def traps(server, folder):
    """Whoever may make a schema in a database gets nobody to run code: a schema of a stranger is not touched."""
    server.sql("CREATE ROLE mallory LOGIN")
    rows = os.path.join(folder, "rows.csv")
    code = "LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'ALTER ROLE mallory SUPERUSER'; RETURN {}; END $$"
    columns = "ledger text, version int, terms text[], digest text, maker name, made timestamptz"
    calls = ["sums(book text) RETURNS text", "hold(name text) RETURNS text", "adopt(name text) RETURNS text", "follow() RETURNS text",
             "budgets() RETURNS text"]
    common = ["CREATE SCHEMA probity", "GRANT USAGE ON SCHEMA probity TO PUBLIC", "CREATE TABLE probity.spend (ledger text)",
              "CREATE TABLE probity.head (ledger text)", *[f"CREATE FUNCTION probity.{c} {code.format(chr(39) * 2)}" for c in calls]]
    kinds = [[f"CREATE TABLE probity.budget ({columns})", f"CREATE FUNCTION probity.make() RETURNS trigger {code.format('NEW')}",
              "CREATE TRIGGER budget_made BEFORE INSERT ON probity.budget FOR EACH ROW EXECUTE FUNCTION probity.make()"],
             [f"CREATE VIEW probity.budget AS SELECT probity.budgets() AS ledger, 5 AS version, '{{}}'::text[] AS terms"]]
    for i, kind in enumerate(kinds):
        database = f"trap{i}"
        server.sql(f"CREATE DATABASE {database}")
        server.sql(f"GRANT CREATE ON DATABASE {database} TO mallory")
        server.sql("; ".join([*common, *kind, "GRANT ALL ON ALL TABLES IN SCHEMA probity TO PUBLIC"]), user="mallory", database=database)
        for user in ("admin", "spender"):
            book = server.uri("x", database=database, user=user)
            for action in (["init", book, "--rho", "1"], ["show", book], ["spend", book, SPEC], ["export", book],
                           ["copy", book, os.path.join(folder, "trapped")], ["copy", os.path.join(folder, "to copy"), book]):
                said = probity("ledger", *action, status=2)
                expect("another role made this one" in said, f"{action[0]}: {said}")
            probity("release", "geometric:eps=1/16", rows, "--ledger", book, "-o", os.path.join(folder, "trapped"), status=2)
        server.sql("SELECT 1 / (NOT rolsuper)::int FROM pg_roles WHERE rolname = 'mallory'")
    print(f"traps: {len(kinds)} schemas of a stranger are refused before their code runs")


def settings(server):
    """No option of the URI, the role or the database switches triggers off, or leads to functions that are named like ours."""
    server.sql("CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO PUBLIC; CREATE TABLE evil.budget (ledger text); CREATE TABLE evil.spend (x int);"
               " CREATE FUNCTION evil.sha256(bytea) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$;"
               " CREATE FUNCTION evil.to_char(timestamp, text) RETURNS text LANGUAGE sql AS $$ SELECT '2020-01-01T00:00:00Z' $$;"
               " CREATE FUNCTION evil.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '2020-01-01'::timestamptz $$;"
               " CREATE FUNCTION evil.never(text, text) RETURNS boolean LANGUAGE sql AS $$ SELECT false $$;"
               " CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.never)")
    probity("ledger", "init", server.uri("set"), "--accounting", "zcdp", "--refill", "1", "--every", "1d", "--from", "2024-02-29")
    harmless = ["-csearch_path=evil,public,probity", "-cstandard_conforming_strings=off", "-cTimeZone=Pacific/Kiritimati -cDateStyle=SQL,DMY",
                "-cdefault_transaction_read_only=on", "-cclient_encoding=LATIN1", "-csynchronous_commit=off", "-cbytea_output=escape",
                "-ctransform_null_equals=on -carray_nulls=off", "-clock_timeout=1", "-cdefault_transaction_isolation=serializable"]
    entries = 0
    for user in ("spender", "admin"):
        for option in harmless + (["-csession_replication_role=replica"] if user == "admin" else []):
            book = server.uri("set", user=user, options=option)
            probity("ledger", "spend", book, SPEC)
            entries += 1
            expect(len(shown(book)["entries"]) == entries, option)
    for option in ("-csession_replication_role=replica", "-crole=probity_owner", "-csession_authorization=admin", "-cfsync=off"):
        probity("ledger", "spend", server.uri("set", user="spender", options=option), SPEC, status=FAILED)
    probity("ledger", "spend", server.uri("set", user="spender", search_path="evil"), SPEC, status=2)
    probity("ledger", "init", server.uri("set on", options=harmless[3]), "--rho", "1")
    server.sql("ALTER ROLE spender SET session_replication_role = 'replica'; ALTER ROLE spender SET search_path = 'evil'")
    probity("ledger", "spend", server.uri("set", user="spender"), SPEC, status=2) # who may not switch them on again
    server.sql("ALTER ROLE spender RESET ALL")
    expect(len(shown(server.uri("set"))["entries"]) == entries, "entries")
    server.sql("CREATE DATABASE given")
    server.sql("ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC, auditor; ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO auditor;"
               " ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO PUBLIC, stranger", database="given")
    probity("ledger", "init", server.uri("x", database="given"), "--rho", "1")
    for user in ("auditor", "stranger"):
        for text in ("INSERT INTO probity.spend (ledger) VALUES ('x')", "UPDATE probity.head SET entries = 0", "SELECT probity.hold('x')",
                     "CREATE TABLE probity.more (x int)"):
            server.sql(text, user=user, database="given", good=False)
    server.sql("SELECT 1 / (NOT has_table_privilege('auditor', 'probity.spend', 'INSERT, UPDATE, TRUNCATE, TRIGGER'))::int", database="given")
    print(f"settings: {len(harmless)} options change nothing, and default privileges give nobody a right")


# ---- sums ----------------------------------------------------------------------------------------------

def sums(server):
    """Nobody but the trigger writes sums; those that an administrator forges are found by who reads all entries."""
    book = server.uri("sums")
    probity("ledger", "init", book, "--accounting", "zcdp", "--rho", "1")
    for _ in range(3):
        probity("ledger", "spend", book, "zcdp:rho=1/4")
    forged = ["UPDATE probity.total SET bound = '{0,1}' WHERE ledger = 'sums'", "DELETE FROM probity.total", "TRUNCATE probity.total",
              "INSERT INTO probity.tally VALUES ('sums', '', 'x', 'pure:eps=1', 1, 1)", "UPDATE probity.head SET period = 9",
              "SELECT probity.add(s) FROM probity.spend s"]
    for name in ("spender", "owner", "auditor", "stranger"):
        for text in forged:
            server.sql(text, user=name, good=False)
    for text in forged[:5]:
        server.sql(text, good=False)
    probity("ledger", "spend", book, "zcdp:rho=1/2", status=NO)
    server.sql("BEGIN; ALTER TABLE probity.total DISABLE TRIGGER USER; " + forged[0] + "; ALTER TABLE probity.total ENABLE TRIGGER USER; COMMIT")
    digest = server.sql("SELECT digest FROM probity.head WHERE ledger = 'sums'")
    for action in (["show", book], ["export", book], ["spend", book, "zcdp:rho=1/2", "--after", digest]):
        said = probity("ledger", *action, status=2)
        expect("sums that it keeps" in said, f"{action[0]}: {said}")
    print(f"sums: {4 * len(forged)} attempts on them are refused, and a forgery by an administrator is found")


# ---- copies ---------------------------------------------------------------------------------------------

def copies(server, folder):
    """A ledger that goes from a file to the server and back has its digests, and nobody else appends the past."""
    first, there, last = os.path.join(folder, "first"), server.uri("copied", user="owner"), os.path.join(folder, "last")
    probity("ledger", "init", first, "--mu", "2", "--delta", "1e-3", "--parts", "region")
    for spec, part in (("gauss:sigma2=3", None), ("approx:eps=1/2,delta=1e-6", "eu"), ("gauss:sigma2=7", "o'us, \"x\"")):
        probity("ledger", "spend", first, spec, *(["--part", part] if part else []))
    probity("ledger", "copy", first, server.uri("not copied", user="spender"), status=2)
    expect("not copied" not in server.sql("SELECT ledger FROM probity.budget"), "a copy that was refused left nothing")
    probity("ledger", "copy", first, there)
    probity("ledger", "copy", first, there, status=2)
    probity("ledger", "copy", there, last)
    tables = [probity("ledger", "export", name, "--form", "jsonl") for name in (first, there, last)]
    expect(shown(first) == shown(there) == shown(last), "the ledgers are the same")
    expect(tables[0] == tables[2], "and their entries")
    rows = [json.loads(line) for line in tables[1].splitlines()]
    expect([r.pop("spender") for r in rows] == ["owner"] * 3 and rows == [json.loads(line) for line in tables[0].splitlines()], "who copied")
    probity("ledger", "spend", server.uri("copied", user="spender"), "gauss:sigma2=9", "--after", shown(first)["digest"])
    call = "SELECT probity.adopt('copied', 5, '2020-01-01T00:00:00Z', 's', '0', '0', encode(sha256('x'), 'hex'))"
    for name in ("spender", "auditor", "stranger", "owner"):
        server.sql(call, user=name, good=False)
    server.sql("BEGIN; INSERT INTO probity.budget (ledger, version, terms) VALUES ('half', 3, '{add-remove,zcdp,1,0,1}'); COMMIT; "
               "SELECT probity.adopt('half', 1, '2020-01-01T00:00:00Z', 's', '0', '0', 'x')", user="owner", good=False)
    print("copies: file, server and file have one chain; the past is adopted when a ledger is made, and by an owner")


def long_copies(server, folder):
    """Many entries take one statement for each 2,000: the server keeps every state that a transaction gives to a row."""
    def entry(n):
        part = ["", " part=eu", " part=o'us, \"{x}\\"][n % 3] if apart else ""
        day = 1 + n // 100 - (n % 7 == 0) # clocks that were set back
        second = 1706745600 + 86400 * day + (86399 if n % 2 else 0) # the ends of days, from 2024-02-01 over a leap day
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second)), f"gauss:sigma2={1 + n % 5}00000000{part}", f"1/{3 + n % 11}", "0"

    server.sql("CREATE DATABASE long")
    kinds = [["--rho", "1000"], ["--epsilon", "100", "--delta", "1e-6", "--parts", "region"],
             ["--accounting", "zcdp", "--refill", "1000", "--every", "1d", "--from", "2024-02-01", "--parts", "region"]]
    server.sql("ALTER DATABASE long SET TimeZone = 'America/New_York'; ALTER DATABASE long SET DateStyle = 'SQL, DMY'")
    os.environ["TZ"] = "Pacific/Kiritimati" # periods are in UTC, wherever client and server stand
    for i, kind in enumerate(kinds):
        apart, first, there, last = "--parts" in kind, os.path.join(folder, f"long{i}"), server.uri(f"long {i}", database="long"), os.path.join(folder, f"last{i}")
        filled(PROBITY, first, 4100, *kind, entry=entry)
        probity("ledger", "copy", first, there)
        probity("ledger", "copy", there, last) # which compares the sums of the server with those of the entries
        expect(shown(first) == shown(there) == shown(last) and len(shown(last)["entries"]) == 4100, f"{kind}: a long copy")
        probity("ledger", "spend", there, "pure:eps=1/100000000")
    del os.environ["TZ"]
    for table in ("head", "total", "tally"):
        pages = int(server.sql(f"SELECT pg_relation_size('probity.{table}') / 8192", database="long"))
        expect(pages <= 2, f"{table} has {pages} pages: a state for each entry")
    print(f"long copies: {len(kinds)} of 4100 entries are copied and checked; the last digest and the sums change once for 2,000")


def pages(server, folder):
    """The page tells what each person's releases come to, and time in a unit that fits the ledger's age."""
    book, out = server.uri("page", user="owner"), os.path.join(folder, "page.html")
    probity("ledger", "init", book, "--epsilon", "2", "--delta", "0")
    for user, spec in (("spender", "geometric:eps=1/4"), ("admin", "geometric:eps=1/8"), ("spender", "geometric:eps=1/2")):
        probity("ledger", "spend", server.uri("page", user=user), spec)
    probity("ledger", "show", book, "--report", out)
    with open(out, encoding="utf-8") as page:
        text = page.read()
    for person, count, epsilon in (("spender", 2, "0.75"), ("admin", 1, "0.125")):
        row = f'<td class="event">{person}</td><td class="number">{count}</td><td class="number">{epsilon}</td>'
        expect(row in text, f"{person} is not told: {text}")
    for unit, step in (("seconds", 1), ("minutes", 60), ("hours", 3600), ("days", 86400)):
        file = os.path.join(folder, unit)
        filled(PROBITY, file, 3, "--rho", "1", entry=lambda n, step=step: (
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1709164800 + 5 * n * step)), "zcdp:rho=1/4", "1/4", "0")) # over a leap day
        probity("ledger", "show", file, "--report", out)
        with open(out, encoding="utf-8") as page:
            expect(f">{unit} since the first release<" in page.read(), unit)
    print("pages: the epsilon of each person's releases, and time in seconds to days")


# ---- spenders ------------------------------------------------------------------------------------------

def spend(library, uri, spec_text, times, results):
    """Charges `times` times from two threads on one connection; counts the answers."""
    ledger, spec = ctypes.c_void_p(), ctypes.c_void_p()
    texts = (ctypes.c_char_p * 1)(spec_text.encode())
    for _ in range(400): # the server may be down when it is named
        status = library.pby_ledger_open(ctypes.byref(ledger), uri.encode(), None)
        if status != FAILED:
            break
        time.sleep(0.05)
    expect(status == OK, f"open: {status}")
    expect(library.pby_spec_parse(ctypes.byref(spec), texts, ctypes.c_size_t(1), None) == OK, spec_text)

    def run():
        for _ in range(times):
            results.append(library.pby_ledger_spend(ledger, spec, None, None))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    library.pby_spec_free(spec)
    library.pby_ledger_close(ledger)


def process(uri, times, queue):
    """One of several processes, with two connections."""
    library = ctypes.CDLL(os.path.join(BUILD, "libprobity.so"))
    for name in ("pby_ledger_spend", "pby_ledger_close", "pby_spec_free"):
        getattr(library, name).argtypes = [ctypes.c_void_p] * (4 if name == "pby_ledger_spend" else 1)
    results = []
    links = [threading.Thread(target=spend, args=(library, uri, SPEC, times, results)) for _ in range(2)]
    for t in links:
        t.start()
    for t in links:
        t.join()
    queue.put(results)


def race(uri, times, meanwhile=lambda alive: None):
    """16 spenders in 4 processes; the answers they got."""
    queue = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=process, args=(uri, times, queue)) for _ in range(4)]
    for w in workers:
        w.start()
    meanwhile(lambda: any(w.is_alive() for w in workers) and queue.qsize() < len(workers))
    results = [r for _ in workers for r in queue.get(timeout=600)]
    for w in workers:
        w.join()
    return results


def spenders(server):
    book = server.uri("race")
    probity("ledger", "init", book, "--accounting", "zcdp", "--rho", "100/1024")
    begun = time.monotonic()
    results = race(book, 8)
    took = time.monotonic() - begun
    expect(len(results) == 128 and results.count(OK) == 100 and results.count(NO) == 28, f"answers: {sorted(set(results))}, {results.count(OK)}")
    answer = shown(book)
    expect(len(answer["entries"]) == 100 and answer["charged"]["rho"]["hi"] == "0.09765625", "exactly the budget")
    print(f"spenders: 16 in 4 processes on 8 connections spend exactly the budget; {len(results) / took:.0f} answers a second")


def kills(server):
    book = server.uri("killed")
    probity("ledger", "init", book, "--accounting", "zcdp", "--rho", "10")
    done, paid, lost, rng = 0, 0, 0, random.Random(46)

    def meanwhile(alive):
        nonlocal done
        while done < KILLS and alive():
            time.sleep(rng.uniform(0, 0.4))
            server.kill()
            server.start()
            done += 1

    while done < KILLS:
        results = race(book, 20, meanwhile)
        expect(set(results) <= {OK, FAILED}, f"answers: {sorted(set(results))}")
        paid += results.count(OK)
        lost += results.count(FAILED)
        entries = len(shown(book)["entries"])
        expect(paid <= entries <= paid + lost, f"{paid} were told that they are charged, {lost} that it failed, and there are {entries} entries")
    print(f"kills: {done} of the server, {paid} charges answered and {entries} recorded, {lost} answers lost for good")


# ---- cuts ----------------------------------------------------------------------------------------------

class Proxy:
    """Passes connections on, and cuts the first one at a statement: before the server reads it, or after, before it answers."""

    def __init__(self, path, at, behind):
        self.path, self.at, self.behind, self.statements, self.first = path, at, behind, 0, True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.path)
            cuts, self.first = self.first, False
            threading.Thread(target=self.forward, args=(client, server, cuts), daemon=True).start()
            threading.Thread(target=self.back, args=(client, server, cuts), daemon=True).start()

    @staticmethod
    def take(source, size):
        data = b""
        while len(data) < size:
            more = source.recv(size - len(data))
            if not more:
                raise OSError
            data += more
        return data

    @staticmethod
    def close(*sockets):
        for s in sockets:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def forward(self, client, server, cuts):
        try:
            length = self.take(client, 4) # the first message has no type
            server.sendall(length + self.take(client, int.from_bytes(length, "big") - 4))
            held = b""
            while True:
                head = self.take(client, 5)
                held += head + self.take(client, int.from_bytes(head[1:], "big") - 4)
                if head[:1] not in b"QS": # parts of one statement go together
                    if head[:1] == b"X":
                        raise OSError
                    continue
                self.statements += cuts
                if cuts and self.statements == self.at:
                    if self.behind:
                        self.deaf = True
                        server.sendall(held)
                        time.sleep(0.05) # the server does it, and its answer is dropped
                    raise OSError
                server.sendall(held)
                held = b""
        except OSError:
            self.close(client, server)

    deaf = False

    def back(self, client, server, cuts):
        try:
            while True:
                data = server.recv(65536)
                if not data:
                    raise OSError
                if not (cuts and self.deaf):
                    client.sendall(data)
        except OSError:
            self.close(client, server)


def cuts(server, folder):
    book = server.uri("cut")
    probity("ledger", "init", book, "--accounting", "zcdp", "--rho", "10")
    path = os.path.join(server.folder, ".s.PGSQL.5432")
    out, rows = os.path.join(folder, "cut.csv"), os.path.join(folder, "rows.csv")
    table, entries, at = {}, 0, 0
    while True:
        at += 1
        for behind in (False, True):
            proxy = Proxy(path, at, behind)
            uri = f"postgresql://admin:hunter2@127.0.0.1:{proxy.port}/team?sslmode=disable&gssencmode=disable&ledger=cut"
            if os.path.exists(out):
                os.unlink(out)
            done = subprocess.run([PROBITY, "release", "geometric:eps=1/16", rows, "--ledger", uri, "-o", out], check=False,
                                  capture_output=True, text=True, errors="replace")
            proxy.listener.close()
            now = len(shown(book)["entries"])
            released, more = os.path.exists(out), now - entries
            entries = now
            expect(done.returncode in (OK, FAILED) and "hunter2" not in done.stderr, f"cut {at}: {done.returncode} {done.stderr}")
            expect(released == (done.returncode == OK) and more in (0, 1) and more >= released, f"cut {at}: {done.returncode}, {more} more")
            expect(more == released or "the budget was spent" in done.stderr, f"cut {at}: a charge is not told: {done.stderr}")
            table.setdefault((done.returncode, more), []).append((at, behind))
        if proxy.statements < at:
            break
    print(f"cuts: at {at - 1} statements of a release, before and after each:", ", ".join(
        f"{len(where)} times exit status {status} and {more} charge" for (status, more), where in sorted(table.items())))
    expect((OK, 1) in table and (OK, 0) not in table, "an unpaid release")


def main():
    programs = bindir()
    if programs is None:
        print("postgres: not installed: nothing is checked")
        return
    folder, own = tempfile.mkdtemp(prefix="probity-pg-"), tempfile.mkdtemp(prefix="probity-pg-")
    server = Server(folder, programs)
    try:
        server.run("createdb", "-h", folder, "-U", "admin", "team")
        names(server)
        alike(server, own)
        schemas(server, own)
        roles(server)
        traps(server, own)
        settings(server)
        by_hand(server)
        budgets_by_hand(server)
        words(server)
        tampering(server)
        sums(server)
        backup(server, own)
        copies(server, own)
        long_copies(server, own)
        pages(server, own)
        spenders(server)
        cuts(server, own)
        kills(server)
    finally:
        server.stop()
        shutil.rmtree(folder)
        shutil.rmtree(own)


if __name__ == "__main__":
    main()
