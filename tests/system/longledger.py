# SPDX-License-Identifier: MIT
"""Ledgers of many entries, for tests and benchmarks: written by SQL and copied, which checks them and adds their sums."""
import hashlib
import os
import sqlite3
import struct
import subprocess

AT = "2026-11-18T12:00:00Z"


def digest(*texts):
    h = hashlib.sha256()
    for text in texts:
        h.update(struct.pack("<Q", len(text.encode())) + text.encode())
    return h.hexdigest()


def ten_specs(n):
    """The entry of a number: of ten specs, by a charge that is never above what a budget has left."""
    return AT, f"gauss:sigma2={1 + n % 10}00000000", "1e-7", "0"


def filled(probity, file, entries, *budget, entry=ten_specs):
    """Makes a ledger of so many entries: one of a version without sums is filled, and then copied."""
    bare = file + ".bare"
    subprocess.run([probity, "ledger", "init", bare, *budget], check=True, stdout=subprocess.DEVNULL)
    with sqlite3.connect(bare) as db:
        last = db.execute("SELECT digest FROM head").fetchone()[0]
        db.execute("DROP TABLE sums")
        db.execute("PRAGMA user_version = 3")
        adds = "--epsilon" not in budget or "--accounting" in budget
        for n in range(1, entries + 1):
            at, spec, *charged = entry(n)
            charged = charged if adds else [None, None]
            last = digest(last, str(n), at, spec, charged[0] or "", charged[1] or "")
            db.execute("INSERT INTO spend VALUES (?, ?, ?, ?, ?)", (n, at, spec, *charged))
            db.execute("INSERT INTO chain VALUES (?, ?)", (n, last))
        db.execute("UPDATE head SET entries = ?, digest = ?", (entries, last))
    db.close()
    subprocess.run([probity, "ledger", "copy", bare, file], check=True, stdout=subprocess.DEVNULL)
    os.unlink(bare)
