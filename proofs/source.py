"""The rules of the source: that what is proved is what is compiled, and that nothing stands beside the proof.

Frama-C reads a file through a preprocessor. So the kernel has no conditional text but its guards, and one switch that
gives an attribute; and each unit is preprocessed as Frama-C does it and as the Makefile does it, and must read the same.
"""
import functools
import os
import re
import subprocess
from pathlib import Path

from settings import is_closed
from texts import COMMENT, end_of, without_comments

# Trigraphs, digraphs and lines that go on: another spelling of C.
ODD = r"\?\?[=/'()!<>-]|%:|<%|%>|<:|:>|\\\n"
FOLDERS = ("src/kernel", "acsl", "proofs/alignment", "proofs/negative")
INCLUDES = (".", "src")
INCLUDE = re.compile(r'#include (<(?:stdint|stddef)\.h>|"(?:kernel|acsl)/\w+\.h")')
HARNESS = re.compile(r'#include "proofs/alignment/\w+\.h"')
DEFINE = re.compile(r"#define PBY_[A-Z_]+ [^\\]+")
# The one switch: an attribute that says for which machines a function is built, and nothing of what it does.
SWITCH = """\
#if defined __amd64__ && defined __gnu_linux__ && defined __GNUC__ && !defined __clang__ && !defined PBY_PLAIN
#define PBY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PBY_WIDE
#endif
"""
# Words that WP reads otherwise than a compiler does, or not at all; and those of numbers that are not integers.
WORDS = re.compile(r"\b(asm|__asm__|__asm|volatile|union|extern|goto|_Pragma|__attribute__|__builtin_\w+|float|double|"
                   r"_Atomic|_Generic|setjmp|longjmp|__FRAMAC__|__FC_\w+|static_assert|_Static_assert|no_wp)\b")
# What may be different where the text is not: each compiler, sanitized or not, with and without assertions.
COMPILERS = (("-O3",), ("-O1", "-fsanitize=address,undefined"), ("-DNDEBUG",), ("-DPBY_PLAIN",), ("-U__GNUC__", "-D__clang__"))
BUILT = ("KERNEL_SOURCES := $(wildcard src/kernel/*.c)", "KERNEL_BASE := -std=c11 -I. -Isrc",
         "KERNEL_CFLAGS := $(KERNEL_BASE) $(WARNINGS) -fPIC -fvisibility=hidden -O3 -g",
         "@$(CC) $(KERNEL_CFLAGS) -MMD -MP -c $< -o $@")


def files(root):
    """All of them but the settings of clang-format, which no compiler reads and no include can name."""
    return [p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.is_file() and p.name != ".clang-format"]


def notes(text):
    """The annotations: comments that begin with @. What begins within another comment is none."""
    return [match for match in COMMENT.finditer(text) if match[0].startswith(("/*@", "//@"))]


def directives(path, text, folder):
    """Only includes, a guard round the whole, constants, and the one switch."""
    guard = re.fullmatch(r"(?:/\*.*?\*/\s*)?#ifndef (PBY_\w+_H)\n#define \1\n(.*)\n#endif\n", text, re.S)
    if path.suffix == ".h" and not guard:
        yield "no guard round the whole of it"
    inner = guard[2] if guard else text
    if path == Path("src/kernel/wide.h"):
        inner = inner.replace(SWITCH, "", 1)
    for line in inner.splitlines():
        line = line.strip()
        if line.startswith("#") and not (INCLUDE.fullmatch(line) or DEFINE.fullmatch(line)
                                         or folder.startswith("proofs") and HARNESS.fullmatch(line)):
            yield f"not a directive of the kernel: {line}"


def rules(root):
    for full in files(root):
        path = full.relative_to(root)
        folder, text = str(path.parent), full.read_text()
        if folder not in FOLDERS or path.suffix not in (".c", ".h"):
            yield f"{path}: not a file of the kernel's kind, and in no unit"
            continue
        yield from (f"{path}: {what}" for what in directives(path, text, folder))
        if odd := re.search(ODD, text):
            yield f"{path}: spelt in another way than plain C: {odd[0]!r}"
        code = without_comments(text.replace(SWITCH, ""))
        ghost = " ".join(note[0] for note in notes(text))
        yield from (f"{path}: the kernel does not say {word}" for word in sorted(set(WORDS.findall(code + ghost))))


# What code that is not ours may say: a guard, these includes, and constants in capitals.
FOREIGN_INCLUDE = re.compile(r'#include (<(?:stdint|stddef|stdbool|limits)\.h>|"[\w./-]+\.h")')
# Words of ACSL that take something for granted, or change what is read; and those that give a name a second meaning.
ADMITTED = re.compile(r"\b(admit|axiom|axiomatic|pragma|model|calls|import|inductive|(?:global|type)\s+invariant)\b|(\\let|\\lambda)\b")
FOREIGN_DEFINE = re.compile(r"#define ([A-Z][A-Z0-9_]+) ([^\\]+)")
CONSTANT = re.compile(r"[\w\s+*/%()<>&|^~-]+")
TYPES = {"int", "long", "unsigned", "signed", "short", "char", "size_t"}
# Files that a compiler and Frama-C have themselves.
SYSTEM = re.compile(r"(?:.*/)?(?:stdint|stddef|stdbool|limits)\.h")


def is_constant(body):
    """Whether a macro is a number, or computed from constants: a variable, or a bracket of its own, would reach into the statement."""
    words = set(re.findall(r"(?<!\w)[A-Za-z_]\w*", body))
    return bool(CONSTANT.fullmatch(body)) and is_closed(body) and all(
        w in TYPES or re.fullmatch(r"u?int\d+_t|[A-Z][A-Z0-9_]+", w) for w in words)


def blank(text, keep=lambda comment: False):
    """The text with its comments as white space, line for line."""
    return COMMENT.sub(lambda m: m[0] if keep(m[0]) else " " + "\n" * m[0].count("\n"), text)


def spelling(text):
    """What a compiler, Frama-C and this reader might not read alike."""
    if odd := re.search(ODD + r"|[^\t\n -~\u00a0-\U0010ffff]", text):
        yield f"spelt in another way than plain C: {odd[0]!r}"
    said = blank(text, lambda c: c.startswith(("/*@", "//@")))
    if odd := re.search(r"[^\t\n -~]", said) or re.search(r"\\", blank(text)):
        yield f"spelt in another way than plain C: {odd[0]!r}"
    if re.search(r"\"|'(?![\w .,:;+-]')", re.sub(r"'[\w .,:;+-]'|^#include \"[^\"\n]*\"", "", said, flags=re.M)):
        yield "a text in quotes"
    said = " ".join(note[0] for note in notes(text))
    if "#" in said:
        yield "a directive in an annotation"
    for kind in re.findall(r"\\(?:forall|exists)\b([^;]*);", said):
        if "*" in kind or not re.match(r"\s*(?:integer|u?int\d+_t|size_t|int|long|unsigned)\b", kind):
            yield f"a quantifier over what is not a number: {' '.join(kind.split())}"
    if re.search(r"\bvariant\b[^;]*\bfor\b|\bdecreases\b[^;]*\bfor\b", said):
        yield "a variant with a relation of its own"


def foreign(path, text, taken):
    """What a file that is not ours may not say. `taken`: the words of the library and of the statement, which no macro may be."""
    guard = re.fullmatch(r"\s*(?:/\*.*?\*/\s*)?#ifndef (\w+)\n#define \1\n(.*)\n#endif(?: */\*.*?\*/)?\n", text, re.S)
    if path.endswith(".h") and not guard:
        yield "no guard round the whole of it"
    if SYSTEM.fullmatch(path):
        yield "a file with the name of one of the system's"
    for line in blank(guard[2] if guard else text).split("\n"):
        line = line.strip()
        define = FOREIGN_DEFINE.fullmatch(line)
        if line.startswith("#") and not FOREIGN_INCLUDE.fullmatch(line) and not define:
            yield f"not a directive that is allowed: {line}"
        elif define and (define[1] in taken or re.fullmatch(r"\w+_(?:MIN|MAX|BIT|C)", define[1]) and re.match(r"U?(?:INT|CHAR|SHRT|LONG|LLONG|SCHAR|SIZE|PTRDIFF|WCHAR)", define[1])):
            yield f"a macro of a word that the statement uses: {define[1]}"
        elif define and not is_constant(define[2]):
            yield f"a macro that is not a constant: {line}"
    yield from spelling(text)
    ghost = " ".join(note[0] for note in notes(text))
    code = without_comments(text) + " " + ghost
    said = set(WORDS.findall(code)) | set(re.findall(r"\b__\w+", code)) | {a or b for a, b in ADMITTED.findall(ghost)}
    yield from (f"code that is proved does not say {word}" for word in sorted(said))


def definitions(root):
    """Every function that a file of the kernel defines, used or not: (file, name)."""
    for full in sorted((root / "src/kernel").glob("*.[ch]")):
        text = re.sub(r"^\s*#[^\n]*(?:\\\n[^\n]*)*", "", full.read_text(), flags=re.M)
        text, at = without_comments(text).replace("PBY_WIDE", ""), 0
        while at < len(text.rstrip()):
            stop, body = end_of(text, at)
            if body:
                yield str(full.relative_to(root)), re.search(r"(\w+)\s*\(", text[at:body])[1]
            at = stop


@functools.cache
def share():
    """Where Frama-C has its own headers of C."""
    return subprocess.run(("frama-c", "-print-share-path"), text=True, capture_output=True, check=True).stdout.strip()


def preprocessed(root, unit, *options, includes=INCLUDES):
    """The lines of the project's own files, macros not yet replaced, and the files that were read."""
    command = ("gcc", "-E", "-C", "-fdirectives-only", *options, *("-I" + d for d in includes), unit)
    done = subprocess.run(command, cwd=root, env=dict(os.environ, LC_ALL="C", PWD=str(root)), text=True, capture_output=True)
    if done.returncode != 0:
        return None, {done.stderr.strip()}
    lines, seen, own = [], set(), False
    for line in done.stdout.splitlines():
        if match := re.match(r'# \d+ "([^"]*)"', line):
            name = os.path.normpath(match[1])
            own = not name.startswith(("/", "<"))
            if own and name != ".":
                seen.add(name)
        elif own and line.strip() and not re.fullmatch(r"#define PBY_WIDE.*", line):
            lines.append(" ".join(line.split()))
    return lines, seen


def differences(root, unit, closure, includes=INCLUDES):
    """Whether a unit reads the same for Frama-C and for every compiler, out of the same files."""
    proved = preprocessed(root, unit, "-I.", f"-I{share()}/libc", "-D__FRAMAC__", "-D__FC_MACHDEP_X86_64", "-nostdinc", "-m64", includes=includes)
    for options in COMPILERS:
        if preprocessed(root, unit, "-std=c11", *options, includes=includes) != proved:
            yield f"{unit}: proved is another text than compiled ({' '.join(options)})"
            break
    if proved[1] != set(closure):
        yield f"{unit}: made of {', '.join(sorted(proved[1] ^ set(closure)))}, which the includes do not say"


def build(root):
    makefile = [" ".join(line.split()) for line in (root / "Makefile").read_text().splitlines()]
    for line in BUILT:
        if makefile.count(line) < 1:
            yield f"Makefile: the kernel is not built as it is proved: no line {line}"
    for line in makefile:
        if re.match(r"(?:override |export )*KERNEL_\w+ *[+:?]?=", line) and line not in BUILT and line not in (
                "KERNEL_CFLAGS += $(SANITIZERS)", "KERNEL_OBJECTS := $(call object,$(KERNEL_SOURCES))"):
            yield f"Makefile: the kernel is built otherwise than it is proved: {line}"
