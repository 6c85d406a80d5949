# SPDX-License-Identifier: MIT
"""The text of a unit: what Frama-C reads, byte for byte, and what the compiler compiles.

It is made by gcc's preprocessor from the unit and the headers of acsl/c11 and of the project, by the flags of acsl/c11/flags.mk and
in an environment of its own. Frama-C reads it without a preprocessor. So no header, no macro and no flag of a build can give the
compiler another text than the one that is proved; that an object was made from it is seen by making the object again (built.py).
"""
import functools
import hashlib
import os
import re
import subprocess

from texts import COMMENT

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
HEADERS = "acsl/c11"
FLAGS = f"{HEADERS}/flags.mk"
LIMIT = re.compile(r"^#define ([A-Z0-9]*_M[AI][XN]) +(.*)$", re.M)
PLAIN = re.compile(r'__attribute__\(\(target_clones\("avx2", "default"\)\)\) ')


class Unreadable(Exception):
    """No text can be made of the unit, or the compiler refuses it."""


def digest(text):
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def clean():
    """Nothing of the caller's environment but where programs are: CPATH and its like name headers, FRAMAC_SHARE another logic,
    LD_PRELOAD other code. No program is taken from the tree that is judged, and no object from ccache, under whatever name it runs."""
    places = [place for place in os.environ.get("PATH", os.defpath).split(os.pathsep)
              if os.path.isabs(place) and not os.path.realpath(place).startswith(f"{ROOT}/")]
    return {"PATH": os.pathsep.join(places), "LC_ALL": "C", "CCACHE_DISABLE": "1"} | (
        {"TMPDIR": os.environ["TMPDIR"]} if "TMPDIR" in os.environ else {})


@functools.cache
def variables(root):
    """The lists of flags, by name."""
    lines = (root / FLAGS).read_text().replace("\\\n", " ")
    found = {}
    for name, words in re.findall(r"^(\w+)\s*:=\s*(.*)$", lines, re.M):
        found[name] = re.sub(r"\$\((\w+)\)", lambda m: found[m[1]], " ".join(words.split()))
    return found


def flags(root, name):
    return variables(root)[name].split()


def command(*words, cwd):
    done = subprocess.run(words, cwd=cwd, env=clean() | {"PWD": str(cwd)}, text=True, capture_output=True)
    if done.returncode != 0:
        raise Unreadable(" ".join(done.stderr.split())[:400])
    return done.stdout


def preprocess(root, unit, includes, *more):
    own = [word for word in flags(root, "TEXT_FLAGS") if not word.startswith("-I")]
    return command("gcc", *own, *("-I" + d for d in (HEADERS, *includes)), *more, unit, cwd=root)


def limits(root):
    return dict(pair for name in ("stdint.h", "limits.h") for pair in LIMIT.findall((root / HEADERS / name).read_text()))


def constants(root, unit, includes):
    """Every macro of the unit that is a constant, for a mechanism that is not ours: its contracts may name its own."""
    found = dict(re.findall(r"^#define ([A-Za-z]\w*) (.+)$", preprocess(root, unit, includes, "-dM"), re.M))
    for _ in range(len(found)): # as deep as they can be built on each other
        before = dict(found)
        found = {name: WORD.sub(lambda m: before.get(m[0], m[0]) if m[0] != name else m[0], body) for name, body in before.items()}
        if found == before:
            break
    return found


WORD = re.compile(r"(?<![\w\\])[A-Za-z_]\w*")


def make(root, unit, includes, foreign=False):
    """The text. In comments, which are contracts, names of constants are replaced: in the code gcc has done so."""
    raw = preprocess(root, unit, includes)
    if foreign:
        known = constants(root, unit, includes)
        return COMMENT.sub(lambda m: WORD.sub(lambda w: known.get(w[0], w[0]), m[0]) if m[0].startswith(("/*@", "//@")) else m[0], raw)
    known = limits(root)
    return re.sub(r"\b(?:" + "|".join(known) + r")\b", lambda m: known[m[0]], raw)


def read_files(text):
    """The files that a text was made of, but for the headers of C."""
    names = {os.path.normpath(name) for name in re.findall(r'^# \d+ "([^"<]*)"', text, re.M)}
    return {name for name in names if name != "." and os.path.dirname(name) != HEADERS}


def compile_command(root, cc, path, out, more=()):
    return (*cc.split(), *flags(root, "OBJECT_FLAGS"), *more, "-c", str(path), "-o", str(out))


def refused(root, path):
    """Yields what gcc refuses in a text: among it pointers of two types to one object, which turn into each other without a cast."""
    words = ("gcc", *flags(root, "MEANING_FLAGS"), *flags(root, "JUDGE_FLAGS"), "-fsyntax-only", str(path))
    try:
        command(*words, cwd=root)
    except Unreadable as error:
        yield str(error)
