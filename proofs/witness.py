# SPDX-License-Identifier: MIT
"""The witnesses, compiled and run: each returns 1 when both runs of its harness answered as the proof says.

That the hypotheses of the harness hold of a witness is proved, at its call, from the contract itself; that the numbers
there are what the compiled code answers is seen here.
"""
import re
import subprocess

import text as one
from source import INCLUDES


def names(results):
    return [name for r in results if r["unit"].startswith("proofs/alignment/") for name in r["bodies"]
            if name.startswith("witness_")]


def written(root, units, includes, folder, foreign=False):
    """The texts of units as files: what is run is what was proved."""
    found = []
    for unit in units:
        path = folder / f"{unit.removesuffix('.c')}.i"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(one.make(root, unit, includes, foreign))
        found.append(str(path))
    return found


def build(root, sources, program, options=("-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all")):
    """Compiles texts and a program around them; what the compiler said, or nothing."""
    command = ("gcc", *one.flags(root, "MEANING_FLAGS"), *options, *sources, "-o", str(program))
    done = subprocess.run(command, cwd=root, env=one.clean(), text=True, capture_output=True)
    return re.sub(r"\s+", " ", done.stderr)[:400] if done.returncode != 0 else ""


def problems(root, scratch, results):
    called = names(results)
    main = scratch / "witnesses.c"
    main.write_text("#include <stdio.h>\n" + "".join(f"int {name}(void);\n" for name in called) + "int main(void)\n{\n"
                    + "".join(f'    if ({name}() != 1)\n        puts("{name}");\n' for name in called) + "    return 0;\n}\n")
    program = scratch / "witnesses"
    sources = sorted(str(p.relative_to(root)) for folder in ("src/kernel", "proofs/alignment") for p in root.glob(f"{folder}/*.c"))
    if said := build(root, [str(main), *written(root, sources, INCLUDES, scratch / "witnesses.of")], program):
        yield "the witnesses do not compile: " + said
        return
    done = subprocess.run((str(program),), text=True, capture_output=True)
    if done.returncode != 0:
        yield f"the witnesses do not end well: {done.stderr.strip()}"
    yield from (f"{name}: the compiled code answers otherwise" for name in done.stdout.split())
