# SPDX-License-Identifier: MIT
"""Wrong variants, kept as tests of the prover: their alignment must not be proved, and everything else must be.

That all but the alignment is proved shows that the file is sound and that the provers were up to it.
"""
import cache
from wp import Refused, column

TIMEOUT = 4


def attempt(prover, root, unit):
    key = prover.key(root, unit, "negative")
    if prover.cache and (kept := cache.stored(prover.folder, key)) and kept["text"] == key["text"]:
        return kept
    result = prover.run(root, unit, first=True, smoke=False, timeout=TIMEOUT)
    unproved = [(name, goal[len(name) + 1:]) for goal in result["unproved"]
                for name in [max((f for f in result["functions"] if goal.startswith(f + "_")), key=len, default="")]]
    elsewhere = [f"{name}_{clause}" for name, clause in unproved if column(clause, name) != "alignment"]
    outcome = {"unit": unit, "refused": sorted(f"{name}_{clause}" for name, clause in unproved), "elsewhere": elsewhere,
               "warnings": result["warnings"], "seconds": result["seconds"], "text": result["text"],
               **{kind: result[kind] for kind in ("contracts", "bodies", "calls", "logic", "unfounded", "requires", "endless")}}
    if outcome["refused"] and not elsewhere:
        cache.store(prover.folder, key, outcome)
    return outcome


def units(root):
    found = [str(p.relative_to(root)) for p in sorted(root.glob("proofs/negative/*.c"))]
    if not found:
        raise Refused("proofs/negative: no wrong variants")
    return found


def problems(outcomes):
    for outcome in outcomes:
        if not outcome["refused"]:
            yield f"a wrong variant was proved: {outcome['unit']}"
        yield from (f"{outcome['unit']}: not only the alignment is unproved: {goal}" for goal in outcome["elsewhere"])
        yield from (f"{outcome['unit']}: {warning}" for warning in outcome["warnings"])


def show(outcomes):
    if not outcomes:
        return
    print(f"\n{len(outcomes)} wrong variants, none of which may be proved")
    for outcome in outcomes:
        said = f"not proved: {', '.join(outcome['refused'])}" if outcome["refused"] else "PROVED"
        print(f"  {outcome['unit'].rpartition('/')[2]:28} {said}")
