#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The statements of the library's own harnesses, as those of others have them (statement.py).

private_NAME takes any two neighbours and any noise of proofs/statements.toml, calls the harness, and asserts injective, cost, first,
second and same, as the table has them; where the mechanism returns its answer, it is run again on x with z and on y with w. So nothing rests on what a harness says of itself: a
clause that is too weak, such as `ensures same: \\true`, leaves an assertion unproved, and no baseline can accept that. The function
stands in proofs/alignment/private_NAME.h, the last include of its harness.   usage: claimed.py [--write]"""
import re
import sys
import textwrap
import tomllib
from pathlib import Path

import texts
from statement import prototype, substitute

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "proofs/alignment"
TABLE = "proofs/statements.toml"
KEYS = {"size", "domain", "neighbour", "holds", "aligned", "inverse", "injective", "answers", "cost", "first", "run", "witness"}
SECOND = {"a": "b", "x": "y", "z": "w", "t": "s"}


def table(root):
    return tomllib.loads((root / TABLE).read_text())


def wrapped(text):
    """No line beyond 106 columns; white space says nothing in C and in contracts."""
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 8)
        lines += textwrap.wrap(line, 106, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, drop_whitespace=True) or [""]
    return "\n".join(lines)


class Claim:
    def __init__(self, root, name, said):
        self.name, self.said = name, said
        if set(said) - KEYS or not {"neighbour", "cost", "witness"} <= set(said) or ("first" in said) == ("run" in said):
            raise ValueError(f"{TABLE}: [{name}]: expected the keys {', '.join(sorted(KEYS))}")
        source = texts.without_comments((root / FOLDER / f"{name}.c").read_text())
        self.returned, self.parameters = prototype([source], f"align_{name}")
        self.size = {p: str(said.get("size", {}).get(p, "n")) for _, pointer, p in self.parameters if pointer}
        self.kind = {p: base.replace("const", "").strip() for base, _, p in self.parameters}
        self.fixed = [p for base, pointer, p in self.parameters if pointer and "const" in base.split()]
        self.written = [p for _, pointer, p in self.parameters if pointer and p not in self.fixed]

    def clauses(self):
        """The names of what is asserted."""
        return ["injective", "cost", "first", "second", "same"]

    def reach(self, p):
        return p if self.size[p] == "1" else f"{p} + (0 .. {self.size[p]} - 1)"

    def place(self, p):
        return f"*{p}" if self.size[p] == "1" else f"{p}[0 .. {self.size[p]} - 1]"

    def every(self, formula):
        """For all places, where the formula speaks of one."""
        length = self.said.get("answers", "n")
        return f"\\forall integer i; 0 <= i < {length} ==> {formula}" if re.search(r"\bi\b", formula) else formula

    def contract(self):
        lines = ["requires valid: " + " && ".join(f"\\valid_read({self.reach(p)})" for p in self.fixed) + ";",
                 "requires place: " + " && ".join(f"\\valid({self.reach(p)})" for p in self.written) + ";",
                 "requires apart: \\separated(" + ", ".join(self.reach(p) for p in (*self.written, *self.fixed)) + ");"]
        lines += [f"requires {key}: {self.said[key]};" for key in ("domain", "neighbour", "aligned", "holds") if key in self.said]
        lines += ["terminates \\true;", "assigns " + ", ".join(map(self.place, self.written)) + ";", "ensures reached: \\result == 1;"]
        return "/*@ " + "\n    ".join(lines) + "\n*/\n"

    def body(self):
        call = f"align_{self.name}({', '.join(p for _, _, p in self.parameters)});\n"
        parts = [f"    const {self.returned} held = " if self.returned != "void" else "    ", call]
        injective = self.said.get("injective") or f"\\forall integer i; 0 <= i < n ==> {self.said['inverse']}"
        found = [("held", "held == 1")] if self.returned == "int" else [] # the alignment holds
        found += [("injective", injective), ("cost", self.said["cost"])]
        if "run" in self.said:
            parts += [f"    const {self.kind['a']} {p} = {run};\n" for p, run in (("first", self.said["run"]), ("second", substitute(self.said["run"], SECOND)))]
            found += [("first", "first == *a"), ("second", "second == *b"), ("same", "first == second")]
        else:
            found += [("first", self.every(self.said["first"])), ("second", self.every(substitute(self.said["first"], SECOND))),
                      ("same", self.every("a[i] == b[i]"))]
        return "".join(parts) + "".join(f"    /*@ assert {name}: {formula}; */\n" for name, formula in found) + "    return 1;\n"

    def declared(self):
        return ", ".join(f"{base} {'*' if pointer else ''}{p}" for base, pointer, p in self.parameters)

    def witness(self):
        numbers, lines = self.said["witness"], []
        size = lambda p: numbers.get(self.size[p], self.size[p])
        for base, pointer, p in self.parameters:
            if p in numbers:
                value = numbers[p]
                lines.append(f"    const {self.kind[p]} {p}[{size(p)}] = {{{', '.join(map(str, value))}}};\n" if pointer
                             else f"    const {self.kind[p]} {p} = {value};\n")
        lines += [f"    {self.kind[p]} {p}[{size(p)}];\n" for p in self.written if p not in numbers]
        given = ", ".join(p for _, _, p in self.parameters)
        return ("/*@ terminates \\true;\n    assigns \\nothing;\n    ensures reached: \\result == 1;\n*/\n"
                f"int witness_private_{self.name}(void)\n{{\n{''.join(lines)}    return private_{self.name}({given});\n}}\n")

    def text(self):
        guard = f"PBY_PRIVATE_{self.name.upper()}_H"
        return wrapped(f"/* SPDX-License-Identifier: MIT */\n/* Written by proofs/claimed.py out of {Path(TABLE).name}: what is proved of pby_{self.name}. */\n"
                f"#ifndef {guard}\n#define {guard}\n\n/* clang-format off */\n{self.contract()}int private_{self.name}({self.declared()})\n{{\n{self.body()}}}\n\n"
                f"{self.witness()}\n#endif\n")


def claims(root):
    return {name: Claim(root, name, said) for name, said in table(root).items()}


def problems(root):
    """The files are those that the table gives, and each harness ends with its own."""
    try:
        found = claims(root)
    except (OSError, ValueError, KeyError) as error:
        yield f"{TABLE}: {error}"
        return
    for name, claim in found.items():
        path = root / FOLDER / f"private_{name}.h"
        if not path.is_file() or path.read_text() != claim.text():
            yield f"{FOLDER}/private_{name}.h: not what {TABLE} gives; proofs/claimed.py --write writes it"
        if not (root / FOLDER / f"{name}.c").read_text().endswith(f'\n#include "{FOLDER}/private_{name}.h"\n'):
            yield f"{FOLDER}/{name}.c: expected the include of private_{name}.h as its last line"


def wanted(root):
    """{name: clauses} of what must be asserted, for the judge."""
    return {name: claim.clauses() for name, claim in claims(root).items()}


def main():
    if "--write" in sys.argv:
        for name, claim in claims(ROOT).items():
            (ROOT / FOLDER / f"private_{name}.h").write_text(claim.text())
    for problem in problems(ROOT):
        print(f"probity prove: {problem}", file=sys.stderr)


if __name__ == "__main__":
    main()
