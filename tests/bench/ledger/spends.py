# SPDX-License-Identifier: MIT
"""Charges a second to a ledger in a file and to one on a PostgreSQL server that this starts, and what `ledger spend` costs.

The peer is SQLite, in the same run and on the same disk. usage: spends.py PROBITY (ENTRIES=1000,100000 KINDS=exact,zcdp,filter)"""
import ctypes
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "system"))
from longledger import filled  # noqa: E402
from pgserver import Server, bindir  # noqa: E402

PROBITY = os.path.abspath(sys.argv[1])
LIBRARY = ctypes.CDLL(os.path.join(os.path.dirname(PROBITY), "libprobity.so"))
ENTRIES = [int(n) for n in os.environ.get("ENTRIES", "1000,100000").split(",")]
KINDS = os.environ.get("KINDS", "exact,zcdp").split(",")
BUDGETS = {"exact": ["--epsilon", "100", "--delta", "1e-6"], "zcdp": ["--rho", "100"],
           "filter": ["--accounting", "filter", "--epsilon", "1", "--delta", "1e-6"]}
SECONDS, BUSY = 5, 4
for function in (LIBRARY.pby_ledger_spend, LIBRARY.pby_ledger_close, LIBRARY.pby_spec_free):
    function.argtypes = [ctypes.c_void_p] * (4 if function is LIBRARY.pby_ledger_spend else 1)


def probity(*arguments):
    subprocess.run([PROBITY, "ledger", *arguments], check=True, stdout=subprocess.DEVNULL)


def charge(name, until, done):
    """Charges through a ledger of its own until a time."""
    ledger, spec = ctypes.c_void_p(), ctypes.c_void_p()
    texts = (ctypes.c_char_p * 1)(b"zcdp:rho=1/1024")
    if LIBRARY.pby_ledger_open(ctypes.byref(ledger), name.encode(), None) != 0 or \
            LIBRARY.pby_spec_parse(ctypes.byref(spec), texts, ctypes.c_size_t(1), None) != 0:
        sys.exit("the ledger does not open")
    count = 0
    while time.monotonic() < until:
        if LIBRARY.pby_ledger_spend(ledger, spec, None, None) != 0:
            sys.exit("a charge is refused")
        count += 1
    LIBRARY.pby_spec_free(spec)
    LIBRARY.pby_ledger_close(ledger)
    done.append(count)


def rate(name, spenders):
    done, begun = [], time.monotonic()
    threads = [threading.Thread(target=charge, args=(name, begun + SECONDS, done)) for _ in range(spenders)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if len(done) != spenders:
        sys.exit("a spender failed")
    return sum(done) / (time.monotonic() - begun)


def own_time(name):
    """The least processor time of five, in ms: what other processes add is none of it. And the median time by the clock."""
    own, clock = [], []
    for _ in range(5):
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        probity("spend", name, "gauss:sigma2=100000000")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        clock.append(time.monotonic() - begun)
        own.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * min(own), 1000 * statistics.median(clock)


def bare(file):
    """The median time of a transaction of SQLite that adds a row and counts it, as durable as a ledger's, in ms by the clock."""
    times = []
    with sqlite3.connect(file, isolation_level=None) as db:
        for text in ("PRAGMA synchronous = EXTRA", "CREATE TABLE spend (number INTEGER PRIMARY KEY, spec TEXT)", "CREATE TABLE head (entries INTEGER)",
                     "INSERT INTO head VALUES (0)"):
            db.execute(text)
        for _ in range(25):
            begun = time.monotonic()
            for text in ("BEGIN IMMEDIATE", "INSERT INTO spend (spec) VALUES ('gauss:sigma2=1')", "UPDATE head SET entries = entries + 1", "COMMIT"):
                db.execute(text)
            times.append(time.monotonic() - begun)
    return 1000 * statistics.median(times)


def main():
    folder, own, server = tempfile.mkdtemp(), tempfile.mkdtemp(), None
    try:
        if bindir() is None:
            print("PostgreSQL is not installed: the file alone is measured")
        else:
            server = Server(folder, bindir())
            server.run("createdb", "-h", folder, "-U", "admin", "team")
        for spenders in (1, BUSY):
            file = os.path.join(own, f"{spenders}.ledger")
            probity("init", file, "--rho", "1000000")
            here = rate(file, spenders)
            print(f"SQLite, {spenders} spending: {here:.0f} charges a second")
            if server:
                name = server.uri(f"{spenders}")
                probity("init", name, "--rho", "1000000")
                there = rate(name, spenders)
                print(f"PostgreSQL, {spenders} spending: {there:.0f} charges a second, {there / here:.2f} times as many")
        peer = bare(os.path.join(own, "bare"))
        print(f"SQLite, a bare transaction: {peer:.1f} ms by the clock")
        for kind in KINDS:
            for entries in ENTRIES:
                names = {"in a file": os.path.join(own, f"{kind}{entries}")}
                filled(PROBITY, names["in a file"], entries, *BUDGETS[kind])
                if server:
                    names["on a server"] = server.uri(f"{kind}{entries}")
                    probity("copy", names["in a file"], names["on a server"])
                for where, name in names.items():
                    mine, clock = own_time(name)
                    print(f"ledger spend, {kind}, behind {entries} entries {where}: {mine:.0f} ms of processor time, {clock:.1f} ms by the clock,"
                          f" {clock / peer:.2f} times SQLite's bare transaction", flush=True)
    finally:
        if server:
            server.stop()
        shutil.rmtree(folder)
        shutil.rmtree(own)


if __name__ == "__main__":
    main()
