#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the ledger of claims: runs the evidence of every row of docs/claims, and writes the page.

    python3 tests/claims/claims.py [--build DIR] [--texts DIR] [--page FILE] [--mutate]

--texts (or PAPERS in the environment) names a folder with the papers' texts: the inventory is then made anew and compared.
--mutate also moves what decides each row across the truth (tests/claims/mutate.py); the row must then fail.
Exit status 0 when all rows hold; 1 with the reasons when one does not. docs/claims.md says how to write a row.
"""
import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path

import inventory
import mutate
import page
from evidence import Evidence, named_in_code
from ledger import STATUSES, papers, pieces, problems


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", metavar="DIR", default=inventory.ROOT / "build", type=Path)
    parser.add_argument("--texts", metavar="DIR", default=os.environ.get("PAPERS"))
    parser.add_argument("--page", metavar="FILE", type=Path)
    parser.add_argument("--mutate", action="store_true")
    return parser.parse_args()


def check_inventory(texts):
    if not texts:
        print("inventory: taken as committed; PAPERS=DIR compares it with the papers' texts")
        return []
    found = list(inventory.differences(texts))
    print(f"inventory: made anew from {texts}, {len(found)} differences")
    return found


def check_rows(all_papers, evidence):
    """The reasons why rows do not hold, by row."""
    failures, cited = {}, set()
    for paper in all_papers:
        for row in paper.rows:
            name = f"{paper.key}/{row['at']}"
            found = []
            for item in pieces(row):
                cited.add((item, name) if isinstance(item, str) else None)
                why = evidence.failure(item, name)
                if why:
                    found.append(f"{name}: {item if isinstance(item, str) else item['run']}: {why}")
            for case in row.get("counterexample", ()):
                why = evidence.case_failure(case, name)
                if why:
                    found.append(f"{name}: the counterexample: {why}")
            if found:
                failures[name] = list(dict.fromkeys(found))
    return failures, cited


def summary(all_papers):
    """A line for each paper and one for all."""
    whole = Counter()
    for paper in all_papers:
        count = Counter(row["status"] for row in paper.rows)
        whole += count
        extent = ("complete" if paper.complete else "not complete") if isinstance(paper.complete, bool) else \
            f"complete in sections {', '.join(paper.complete)}"
        print(f"{paper.key:8}{len(paper.rows):4} rows of {len(paper.inventory)} numbers, {extent}: "
              + ", ".join(f"{count[status]} {status}" for status in STATUSES if count[status]))
    slips = sum(bool(row.get("slip")) for paper in all_papers for row in paper.rows)
    print(f"claims: {sum(whole.values())} rows, " + ", ".join(f"{whole[status]} {status}" for status in STATUSES)
          + f"; {slips} with a slip of the pen")


def main():
    options = arguments()
    begin = time.monotonic()
    all_papers = papers()
    found = [*check_inventory(options.texts), *problems(all_papers)]
    found += named_in_code({f"{paper.key}/{row['at']}": row["status"] for paper in all_papers for row in paper.rows})
    failures = {}
    if not found:
        evidence = Evidence(options.build.resolve())
        for paper in all_papers:
            for row in paper.rows:
                for item in pieces(row):
                    evidence.ask(item, f"{paper.key}/{row['at']}")
        evidence.run()
        failures, cited = check_rows(all_papers, evidence)
        found += [line for lines in failures.values() for line in lines]
        found += evidence.strays({f"{paper.key}/{row['at']}" for paper in all_papers for row in paper.rows}, cited)
        print(f"evidence: {len(evidence.asked)} pieces, {round(time.monotonic() - begin)} s")
        found += mutate.declarations(all_papers, evidence.decided)
        if options.mutate and not failures:
            found += mutate.mutations(all_papers, evidence, options.build.resolve())
        if options.page:
            options.page.parent.mkdir(parents=True, exist_ok=True)
            options.page.write_text(page.render(all_papers, failures, evidence.decided))
    for line in found:
        print(f"claims: {line}", file=sys.stderr)
    summary(all_papers)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
