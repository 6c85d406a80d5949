# SPDX-License-Identifier: MIT
"""The table of what was proved, and how far a run is: for our own proofs and for those of others."""
import sys
import threading
import time

from judge import COLUMNS


def rows(results):
    """One row a function. An inline function of a header is proved in each unit that includes it; what a harness
    align_NAME proves of the alignment stands in the row of pby_NAME."""
    table = {}
    for result in results:
        for name, function in result["functions"].items():
            table.setdefault(name, dict(function=name, file=result["unit"], **{c: function[c] for c in COLUMNS},
                                        seconds=function["seconds"]))
    for name, row in table.items():
        subject = table.get(name.replace("align_", "pby_", 1))
        if name.startswith("align_") and subject:
            subject["alignment"], row["alignment"] = row["alignment"], 0
    for row in table.values():
        row["goals"] = sum(row[c] for c in COLUMNS)
    return list(table.values())


def show(table):
    print(f"{'function':24}" + "".join(f"{c:>13}" for c in (*COLUMNS, "goals", "seconds")))
    for file in dict.fromkeys(row["file"] for row in table):
        print(file)
        for row in (r for r in table if r["file"] == file):
            print(f"  {row['function']:22}" + "".join(f"{row[c] or '-':>13}" for c in (*COLUMNS, "goals"))
                  + f"{row['seconds']:13.1f}")


class Progress:
    """A line on standard error for every part that is done; on a terminal, one line that changes."""

    def __init__(self, total):
        self.total, self.done, self.begin, self.lock = total, 0, time.monotonic(), threading.Lock()
        self.shown = sys.stderr.isatty()

    def __call__(self, name):
        with self.lock:
            self.done += 1
            line = f"{self.done:3} of {self.total}  {time.monotonic() - self.begin:5.0f} s  {name}"
            print(f"\r{line:78.78}" if self.shown else line, end="" if self.shown else "\n", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print(f"\r{'':78}\r", end="", file=sys.stderr, flush=True)
