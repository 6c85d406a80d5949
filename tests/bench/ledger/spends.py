# SPDX-License-Identifier: MIT
"""Charges a second to a ledger in a file and to one on a PostgreSQL server that this starts, and what `ledger spend` costs.

The peer is SQLite, in the same run and on the same disk. usage: spends.py PROBITY"""
import ctypes
import hashlib
import os
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "system"))
from pgserver import Server, bindir  # noqa: E402

PROBITY = os.path.abspath(sys.argv[1])
LIBRARY = ctypes.CDLL(os.path.join(os.path.dirname(PROBITY), "libprobity.so"))
ENTRIES = [int(n) for n in os.environ.get("ENTRIES", "1000,100000").split(",")]
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


def digest(*texts):
    h = hashlib.sha256()
    for text in texts:
        h.update(struct.pack("<Q", len(text.encode())) + text.encode())
    return h.hexdigest()


def filled(file, entries, *budget):
    """Makes a ledger of so many entries of ten specs: one without sums is filled, and then copied."""
    bare, at = file + ".bare", "2026-11-18T12:00:00Z"
    probity("init", bare, *budget)
    with sqlite3.connect(bare) as db:
        last = db.execute("SELECT digest FROM head").fetchone()[0]
        db.execute("DROP TABLE sums")
        db.execute("PRAGMA user_version = 3")
        adds = "--epsilon" not in budget or "--accounting" in budget
        for n in range(1, entries + 1):
            spec, charged = f"gauss:sigma2={1 + n % 10}00000000", ("1e-7", "0") if adds else (None, None)
            last = digest(last, str(n), at, spec, charged[0] or "", charged[1] or "")
            db.execute("INSERT INTO spend VALUES (?, ?, ?, ?, ?)", (n, at, spec, *charged))
            db.execute("INSERT INTO chain VALUES (?, ?)", (n, last))
        db.execute("UPDATE head SET entries = ?, digest = ?", (entries, last))
    db.close()
    probity("copy", bare, file)
    os.unlink(bare)


def own_time(name):
    """The least processor time of five, in ms: what other processes add is none of it."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        probity("spend", name, "gauss:sigma2=100000000")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * min(times)


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
        kinds = {"exact": ["--epsilon", "100", "--delta", "1e-6"], "zcdp": ["--rho", "100"],
                 "filter": ["--accounting", "filter", "--epsilon", "1", "--delta", "1e-6"]}
        for kind, budget in kinds.items():
            for entries in ENTRIES:
                file = os.path.join(own, f"{kind}{entries}")
                filled(file, entries, *budget)
                told = f"ledger spend, {kind}, {entries} entries: {own_time(file):.0f} ms of processor time in a file"
                if server and entries <= 1000: # a copy to a server takes the square
                    name = server.uri(f"{kind}{entries}")
                    probity("copy", file, name)
                    told += f", {own_time(name):.0f} ms with the server"
                print(told, flush=True)
    finally:
        if server:
            server.stop()
        shutil.rmtree(folder)
        shutil.rmtree(own)


if __name__ == "__main__":
    main()
