#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tricks that a mechanism might try in order to be passed by probity prove, each of which must be refused.

tests/prove/check.py has those that reading alone refuses. Here are the others: a small mechanism with the trick is proved,
and the driver must refuse it with the words that are given. The same mechanism without a trick must pass. The search for a
counterexample is switched off, so that it is the proof that refuses.   usage: tricks.py [--build DIR] [NAME...]"""
import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import foreign
import gate
import settings
import shapes
from stage import Stage
from wp import Refused

ROOT = Path(__file__).resolve().parent.parent
NONE = "/*@ terminates \\true;\n    assigns \\nothing;\n    ensures none: \\result == 0;\n*/\n"
CONTRACT = ("/*@ requires fits: -0x4000000000000000 <= z <= 0x4000000000000000;\n    terminates \\true;\n    assigns \\nothing;\n"
            "    ensures answer: \\result == Topped(x) + z;\n*/")
CALL = "    *a = mine(x, z);"
# name: (edits of the shape `local`, words of the refusal)
TRICKS = {
    "none": ((), ""),
    "harness-assumes-false": ((("align.c", "requires place:", "requires never: \\false;\n    requires place:"),), "requires_never"),
    "harness-assumes-the-noise": ((("align.c", "requires fits:  -0x2000000000000000 <= z", "requires fits:  0 == z && -0x2000000000000000 <= z"),),
                                  "requires_fits"),
    "same-is-empty": ((("align.c", "ensures same:      *a == *b", "ensures same:      \\true"),
                       ("align.c", "*w = *a - mine(y, 0)", "*w = z"),
                       ("align.c", "ensures injective: z == *w - (Topped(x) - Topped(y))", "ensures injective: z == *w"),
                       ("prove.toml", 'inverse = "w - (Topped(x) - Topped(y))"', 'inverse = "w"')), "assert_same"),
    "cost-is-not-charged": ((("align.c", "ensures cost:      Apart(z, *w) <= TOP", "ensures cost:      \\true"), ("prove.toml", "cost = 100", "cost = 1")),
                            "assert_cost"),
    "answer-says-nothing": ((("mine.h", "ensures answer: \\result == Topped(x) + z", "ensures answer: \\true"),), "assert_first"),
    "data-in-a-variable": ((("mine.c", "int64_t mine(", "static int64_t last = 0;\n\nint64_t mine("), ("mine.c", "clamped + z", "clamped + z + last")), "last: a variable that is not constant"),
    "state-in-a-local": ((("mine.c", "{\n    const", "{\n    static int64_t seen = 0;\n    const"), ("mine.c", "clamped + z", "clamped + z + seen")), "mine_seen: a variable that is not constant"),
    "assigns-nothing-is-a-lie": ((("align.c", "assigns *w, *a, *b", "assigns \\nothing"),), "assigns"),
    "extern-with-a-contract": ((("mine.c", '#include "mine.h"', '#include "mine.h"\n\n/*@ terminates \\true;\n    assigns \\nothing;\n    ensures none: '
                                 '\\result == 0;\n*/\nint64_t leak(int64_t x);'), ("mine.c", "clamped + z", "clamped + z + leak(x)")),
                               "trusted but not listed in prove.toml, [trust] externs: extern:leak"),
    "extern-allowed-for-nothing": ((("prove.toml", "externs = []", 'externs = ["leak"]'),), "leak, which is not used"),
    "extern-that-cannot-be": ((("mine.c", '#include "mine.h"', '#include "mine.h"\n\n/*@ terminates \\true;\n    assigns \\nothing;\n    ensures none: '
                                '\\false;\n*/\nvoid leak(void);'), ("mine.c", "    return clamped + z;", "    leak();\n    return x;"),
                               ("prove.toml", "externs = []", 'externs = ["leak"]')), "smoke test failed"),
    "ghost-loop-without-an-end": ((("mine.c", "    return", "    /*@ ghost\n      /@ loop assigns \\nothing; @/\n      while (1) {}\n    */\n    return"),
                                   ("mine.c", "clamped + z;", "x;")), ""),
    **{f"extern-as-a-{name}": ((("mine.c", '#include "mine.h"', f'#include "mine.h"\n\n{NONE}int64_t leak(int64_t k);'),
                                ("mine.c", "clamped + z", "clamped + z + leak(x)"),
                                ("other.c", None, f"#include <stdint.h>\n\n{NONE}{spelt} leak(int64_t k)\n{{\n    return 0 * (k > 0);\n}}\n\n"
                                 f"{NONE}int64_t two(int64_t k)\n{{\n    return leak(k);\n}}\n"),
                                ("prove.toml", 'units = ["mine.c"]', 'units = ["mine.c", "other.c"]')),
                               "trusted but not listed in prove.toml, [trust] externs: extern:leak")
       for name, spelt in (("static", "static int64_t"), ("late-static", "int64_t static"), ("inline-static", "inline static int64_t"))},
    "two-definitions-of-a-word": ((("mine.c", '#include "mine.h"\n', "#include <stdint.h>\n\n#define TOP2 100\n\n/*@ logic integer // a word\n"
                                    "      Topped(integer x) = x < 0 ? 0 : x < 2 * TOP2 ? x : 2 * TOP2;\n*/\n\n" + CONTRACT),
                                   ("mine.c", "x < TOP ? x : TOP", "x < 2 * TOP2 ? x : 2 * TOP2")), "Topped: two definitions"),
    "lemma-that-uses-itself": ((("align.c", "/*@ requires place", "/*@ ghost\n  /@ terminates \\true;\n     assigns \\nothing;\n     ensures no: \\false;\n  @/\n"
                                 "  void lemma_one(void) { lemma_one(); }\n*/\n\n/*@ requires place"), ("align.c", CALL, "    /*@ ghost lemma_one(); */\n" + CALL)),
                               "calls go in a circle"),
    "definition-without-an-end": ((("mine.h", "/*@ logic", "/*@ logic integer Odd(integer k) = 1 + Odd(k);\n*/\n\n/*@ logic"),), "a definition that need not end"),
    "ghost-writes-the-answer": ((("mine.c", "    const int64_t clamped", "    int64_t clamped"),
                                 ("mine.c", "    return", "    /*@ ghost clamped = 0; */\n    return")), ""),
    "mechanism-in-no-unit": ((("prove.toml", 'units = ["mine.c"]', 'units = ["other.c"]'), ("other.c", None, "/* nothing */\n")), "mine"),
    "neighbours-one-way": ((("prove.toml", 'neighbours = "\\\\true"', 'neighbours = "x <= y"'),), "symmetric"),
    "neighbours-of-nothing": ((("prove.toml", 'neighbours = "\\\\true"', 'neighbours = "x + y == x + y + 1"'),), "requires_neighbour"),
    "no-clause-second": ((("align.c", "ensures second:", "ensures other:"),), "no clause second"),
    "pointers-of-two-types": ((("mine.c", "    return clamped + z;", "    int64_t v = clamped;\n    long long *p = &v;\n    *p = x;\n    return v + z;"),),
                              "incompatible pointer type"),
    "pointers-of-two-types-by-a-cast": ((("mine.c", "    return clamped + z;", "    int64_t v = clamped;\n    long long *p = (long long *)&v;\n"
                                          "    *p = x;\n    return v + z;"),), "a cast of a pointer"),
    "restrict": ((("mine.c", '#include "mine.h"', f'#include "mine.h"\n\n{NONE}static int64_t put(int64_t *restrict p, int64_t *restrict q)\n{{\n'
                   "    *q = 1;\n    return *p - *p;\n}"), ("mine.c", "clamped + z", "clamped + z + 0")), "restrict"),
    **{f"order-by-{name}": ((("mine.c", '#include "mine.h"', f'#include "mine.h"\n\n{kinds}static int64_t get({of}t)\n{{\n    return {at};\n}}\n\n'
                              f"static int64_t put({of}t, int64_t v)\n{{\n    {written} = v;\n    return v - v;\n}}\n\n"
                              "static int64_t both(int64_t a, int64_t b)\n{\n    return a + b;\n}"),
                             ("mine.c", "    return clamped + z;", f"    int64_t v[1] = {{clamped}};\n    {made}return both(get({given}), put({given}, x)) + z;")), said)
       for name, kinds, of, at, written, made, given, said in (
           ("an-array", "", "int64_t p[1], const int64_t *", "p[0] + 0 * t[0]", "p[0]", "", "v, v", "the order of evaluation is open"),
           ("a-struct", "struct holder {\n    int64_t *p;\n};\n\n", "const struct holder *", "*t->p", "*t->p",
            "const struct holder h = {v};\n    ", "&h", "the order of evaluation is open"),
           ("a-cast", "", "const int64_t *", "t[0]", "*(int64_t *)t", "", "v", "a cast of a pointer"))},
    "limit-of-a-system": ((("mine.c", '#include "mine.h"', '#include <limits.h>\n\n#include "mine.h"'), ("mine.c", "x < TOP ? x : TOP", "x < PATH_MAX ? x : PATH_MAX")),
                          "PATH_MAX"),
    "width-that-readers-choose": ((("mine.c", "x < TOP ? x : TOP", "x < TOP >> (sizeof(int_fast32_t) - 4) / 4 ? x : TOP"),), "int_fast32_t"),
    "pointers-compared": ((("mine.c", '#include "mine.h"', '#include "mine.h"\n\n/*@ terminates \\true;\n    assigns \\nothing;\n    ensures next: '
                            "\\result == (p + 1 == q ? 1 : 0);\n*/\nstatic int64_t next(const int64_t *p, const int64_t *q)\n{\n    return p + 1 == q;\n}"),
                           ("mine.c", "    return clamped + z;", "    int64_t v[1] = {clamped};\n    int64_t u[1] = {clamped};\n"
                            "    return clamped + z + x * (next(v, u) + next(u, v));")), "two pointers compared"),
    "case-over-a-declaration": ((("mine.c", "    return clamped + z;", "    int64_t r = 0;\n    switch (x > 0) {\n        int64_t v = 0;\n    default:\n"
                                  "        r = v - v;\n    }\n    return clamped + z + r;"),), "a declaration that a case may step over"),
    "case-in-a-loop": ((("mine.c", "    return clamped + z;", "    int64_t r = 0;\n    switch (x > 0) {\n    case 0:\n        while (r < 1) {\n            int64_t v = 0;\n"
                         "    default:\n            r = 1 + v - v;\n        }\n    }\n    return clamped + z - 1 + r;"),), "a case inside of another statement"),
    "own-memset": ((("mine.c", '#include "mine.h"', f'#include "mine.h"\n\n{NONE}int64_t memset(int64_t p, int64_t c, size_t n)\n{{\n    return 0 * (p == c && n == 0);\n}}'),
                    ("mine.c", "    return clamped + z;", "    int64_t v[4096] = {0};\n    return clamped + z + v[clamped];")), "a function that the compiler calls by itself"),
    "unit-that-is-an-option": ((("@mine.c", None, '#include "mine.h"\n'), ("prove.toml", 'units = ["mine.c"]', 'units = ["mine.c", "@mine.c"]')),
                               "a path of letters, digits"),
    "one-sided-noise-lowered": ((("prove.toml", 'law = "geometric"', 'law = "one-sided"'), ("prove.toml", "z = -7", "z = 7")), "assert_cost_raised"),
}


def write(folder, edits):
    """The shape `local` as the mechanism `mine`, with the edits; each text must be there."""
    for path in (shapes.FOLDER / "local").iterdir():
        (folder / path.name.replace("NAME", "mine")).write_text(path.read_text().replace("NAME_H", "MINE_H").replace("NAME", "mine"))
    for name, old, new in edits:
        path = folder / name
        if old is None:
            path.write_text(new)
            continue
        text = path.read_text()
        if text.count(old) != 1:
            raise SystemExit(f"tricks: {name}: {old!r} stands there {text.count(old)} times")
        path.write_text(text.replace(old, new))


def attempt(keep, name):
    """Returns the faults in how a trick was met, if any."""
    edits, wanted = TRICKS[name]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "mine"
        folder.mkdir()
        write(folder, edits)
        try:
            s = settings.load(folder)
            prover = foreign.Own(s.externs, keep, 1, 2, True)
            (prover.scratch / "stage").mkdir()
            stage = Stage(ROOT, s, prover.scratch / "stage")
            prover.includes = stage.includes
            prover.again = lambda *_: None # a goal that fails may fail at once
            found = list(stage.problems())
            if not found:
                results = [prover.prove(stage.root, unit) for unit in stage.units]
                found = list(foreign.objections(stage, results, json.loads((ROOT / gate.BASELINE).read_text())))
        except (settings.Bad, Refused) as refusal:
            found = [str(refusal)]
    if name == "none":
        return [f"tricks: the mechanism without a trick is refused: {line}" for line in found]
    if not any(wanted in line for line in found):
        return [f"tricks: {name}: not refused as '{wanted}', but: {'; '.join(found)[:300] or 'passed'}"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default=ROOT / "build", metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    keep = Path(options.build) / "proofs"
    found = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for lines in pool.map(lambda name: attempt(keep, name), options.names or TRICKS):
            for line in lines:
                print(f"probity prove: {line}", file=sys.stderr, flush=True)
            found += lines
    print(f"tricks: {len([n for n in options.names or TRICKS if n != 'none'])} of them, {'NOT ' if found else ''}each refused")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
