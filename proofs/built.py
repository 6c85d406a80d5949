# SPDX-License-Identifier: MIT
"""Checks what was built: each object of the kernel is made again from the text that Frama-C read, and must be the same.

The object is read and not the Makefile: whatever a variable, a target, a wrapper or the environment put into the build, the code
that came of it is compared, and the flags that the compiler recorded in it. Only what serves a debugger may differ, since it has
the folder's name.
"""
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import linked
import text as one

LIBRARY = "libprobity.a"


def make(root, build, units):
    """Has make bring the objects up to date, with the variables that its caller was given."""
    given = [word for word in shlex.split(os.environ.get("MAKEFLAGS", "")) if re.match(r"[A-Za-z_]\w*[:+?]?=", word)]
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "GNUMAKEFLAGS")}
    words = ("make", "-s", "--no-print-directory", "-C", str(root), *given, f"BUILD={build}", *(target(build, unit) for unit in units))
    done = subprocess.run(words, env=env, text=True, capture_output=True)
    return " ".join(done.stderr.split())[-300:] if done.returncode != 0 else ""


def compiler(cc):
    """The compiler's name, without ccache. It has no flags of its own: `gcc -x c -DX=Y` would read a text once more, and so make the same
    object twice."""
    words = [word for word in cc.split() if os.path.basename(word) != "ccache"]
    if len(words) != 1:
        return None
    found = shutil.which(words[0], path=one.clean()["PATH"])
    return None if found and os.path.realpath(found).startswith(f"{one.ROOT}/") else words[0]


def target(build, unit):
    return f"{build}/obj/{unit.removesuffix('.c')}.o"


def stripped(path, scratch):
    """The object without what serves a debugger."""
    out = Path(scratch) / f"{path.name}.stripped"
    subprocess.run(("objcopy", "--strip-debug", str(path), str(out)), check=True, env=one.clean())
    return out.read_bytes()


def producer(path):
    """The compiler and the flags that an object says it was made with."""
    done = subprocess.run(("readelf", "--debug-dump=info", str(path)), text=True, capture_output=True, env=one.clean())
    found = re.findall(r"DW_AT_producer\s*:\s*(?:\([^)]*\):\s*)?(.*)", done.stdout)
    return sorted(set(found))


def compare(cwd, words, built, scratch, name):
    """Objections to the object `built`, where `words` makes what it should be."""
    again = Path(scratch) / name
    try:
        one.command(*words(again), cwd=cwd)
    except one.Unreadable as error:
        return [f"{name}: the text is not compiled: {error}"]
    made, wanted = producer(built), producer(again)
    if made != wanted:
        return [f"{name}: built by {'; '.join(made) or 'what no record names'}, and not by {'; '.join(wanted)}"]
    if stripped(built, scratch) != stripped(again, scratch):
        return [f"{name}: the object is not what the compiler makes of the text that was proved"]
    return []


def members(path):
    """The objects in an archive."""
    data, at, found = path.read_bytes(), 8, []
    if data[:8] != b"!<arch>\n":
        return found
    while at + 60 <= len(data):
        size = int(data[at + 48:at + 58])
        if not data[at:at + 2] in (b"/ ", b"//"):
            found.append(data[at + 60:at + 60 + size])
        at += 60 + size + size % 2
    return found


def defined(path):
    """Returns the names that the objects of an archive or an object define for others, with the number of times."""
    done = subprocess.run(("nm", "-g", "--defined-only", str(path)), text=True, capture_output=True, env=one.clean())
    names = re.findall(r"^\S+ [A-Zi] (pby_\w+)$", done.stdout, re.M)
    return {name: names.count(name) for name in names}


def archive(root, build, units):
    """The library holds the objects that were judged, and nothing else of their names."""
    path = root / build / LIBRARY
    if not path.is_file():
        return
    held, twice = set(members(path)), {name for name, times in defined(path).items() if times > 1}
    for unit in units:
        built = root / target(build, unit)
        if built.read_bytes() not in held:
            yield f"{unit}: {build}/{LIBRARY} does not hold its object"
        yield from (f"{unit}: {name} is defined twice in {build}/{LIBRARY}" for name in sorted(twice & set(defined(built))))


def problems(root, build, units, includes, cc, scratch, whole):
    """Everything that is wrong with how the kernel was built."""
    units = [unit for unit in units if unit.startswith("src/kernel/")]
    if not units:
        return
    if (said := compiler(cc)) is None:
        yield f"CC is '{cc}', expected a compiler that is installed, without flags: {one.FLAGS} has them all"
        return
    cc = said
    if said := make(root, build, units):
        yield f"the kernel is not built: {said}"
        return

    def judge(unit):
        text = one.make(root, unit, includes)
        if "clang" in cc:
            text = one.PLAIN.sub("", text)
        name = Path(unit).stem
        folder = Path(scratch) / "built" / name
        folder.mkdir(parents=True, exist_ok=True)
        used = root / build / "kernel" / f"{name}.i"
        if used.read_text() != text:
            return [f"{unit}: proved is another text than compiled"]
        (folder / f"{name}.i").write_text(text)
        return [f"{unit}: {what}" for what in compare(root, lambda out: one.compile_command(root, cc, folder / f"{name}.i", out),
                                                      root / target(build, unit), folder, f"{name}.o")]

    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(judge, units):
            yield from found
    if whole:
        yield from archive(root, build, units)
        yield from linked.problems(root, build, units, target)
