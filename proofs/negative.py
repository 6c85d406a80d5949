# SPDX-License-Identifier: MIT
"""Wrong variants, kept as tests of the prover: their alignment must not be proved, and everything else must be.

That all but the alignment is proved shows that the file is sound and that the provers were up to it.
"""
import cache
import judge
from wp import Refused, judged

TIMEOUT = 4


def attempt(prover, root, unit):
    key = prover.key(root, unit, "negative")
    evidence = cache.stored(prover.folder, key) if prover.cache else None
    fresh = evidence is None
    if fresh:
        evidence = prover.ask(root, unit, first=True, smoke=False, timeout=TIMEOUT)
    result = judged(evidence)
    if fresh and not list(judge.wrong_variant(result)):
        cache.store(prover.folder, key, evidence)
    return result


def units(root):
    found = [str(p.relative_to(root)) for p in sorted(root.glob("proofs/negative/*.c"))]
    if not found:
        raise Refused("proofs/negative: no wrong variants")
    return found


def show(outcomes):
    if not outcomes:
        return
    print(f"\n{len(outcomes)} wrong variants, none of which may be proved")
    for outcome in outcomes:
        said = f"not proved: {', '.join(sorted(outcome['unproved']))}" if outcome["unproved"] else "PROVED"
        print(f"  {outcome['unit'].rpartition('/')[2]:28} {said}")
