# SPDX-License-Identifier: MIT
"""Hands over what a team compiles: the proved texts of its mechanism, and a check that its objects were made from them.

A source goes through a preprocessor in every build, and what comes out depends on headers, macros and flags. The text does not: it
is what Frama-C read. So `--text` writes it, with the flags that leave no meaning to a compiler, and `--objects` makes each object
again and compares.
"""
import re
from pathlib import Path

import built
import text as one
from answers import put
from settings import Bad

# Flags that may be added to the closed list: how much is optimised, for which machine, for a debugger or the linker, warnings.
MORE = re.compile(r"-O[0-3sg]?|-g(?:gdb|dwarf(?:-\d)?)?[0-3]?|-f(?:PIC|pic|PIE|pie)|-fvisibility=\w+|-fstack-protector(?:-strong|-all)?|"
                  r"-m(?:arch|tune)=[\w-]+|-W(?![alp],)[\w=-]+|-pipe|-pedantic|-f(?:function|data)-sections|-fno-omit-frame-pointer")


def texts(stage):
    """{unit: text} of the units that are compiled; the harness and the statement are not."""
    return {unit: one.make(stage.root, unit, stage.includes, foreign=True) for unit in stage.settings.units}


def name_of(unit):
    return unit.removesuffix(".c").replace("/", "_")


def write(stage, folder):
    """NAME.i for each unit, and a file `flags` that gcc and clang take as @flags."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for unit, text in texts(stage).items():
        put(folder / f"{name_of(unit)}.i", text)
    put(folder / "flags", " ".join(one.flags(stage.root, "MEANING_FLAGS")) + "\n")


def check_flags(words):
    for word in words:
        if not MORE.fullmatch(word):
            raise Bad(f"--flags: '{word}': expected optimisation, warnings, or what serves a debugger, a linker or a machine")


def problems(stage, folder, cc, words, scratch):
    """Objections to the objects of a build: FOLDER/NAME.o for each unit."""
    if (known := built.compiler(cc)) is None:
        raise Bad(f"--cc: '{cc}': expected a compiler without flags, which --flags has")
    flags = one.flags(stage.root, "MEANING_FLAGS")
    for unit, text in texts(stage).items():
        name = name_of(unit)
        object_, path = Path(folder) / f"{name}.o", Path(scratch) / f"{name}.i"
        if not object_.is_file():
            raise Bad(f"--objects: '{folder}': expected {name}.o there")
        path.write_text(text)
        for what in built.compare(stage.root, lambda out, p=path: (known, *flags, *words, "-c", str(p), "-o", str(out)),
                                  object_.resolve(), scratch, f"{name}.o"):
            yield f"{unit}: {what}"
