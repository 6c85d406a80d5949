# SPDX-License-Identifier: MIT
"""The rules of the source: what stands in a file of the kernel, and what may not.

The compiler gets the text that is proved (text.py), so a conditional or a macro could no more tell the two apart. They are refused
all the same, but for guards, constants and one switch that gives an attribute: a reader sees one text.
"""
import re
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
#if defined __amd64__ && defined __gnu_linux__
#define PBY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PBY_WIDE
#endif
"""
# Words that WP reads otherwise than a compiler does, or not at all; and those of numbers that are not integers.
WORDS = re.compile(r"\b(asm|__asm__|__asm|volatile|union|extern|goto|_Pragma|__attribute__|__builtin_\w+|float|double|"
                   r"_Atomic|_Generic|setjmp|longjmp|__FRAMAC__|__FC_\w+|static_assert|_Static_assert|no_wp)\b")
# The headers of C that a text is made with; the baseline has their digests.
HEADERS = ("limits.h", "stdbool.h", "stddef.h", "stdint.h")
CLOSED = (*HEADERS, "flags.mk")


def files(root):
    """All of them but the settings of clang-format, which no compiler reads and no include can name, and the headers of C."""
    return [p for folder in FOLDERS for p in sorted((root / folder).rglob("*"))
            if p.is_file() and p.name != ".clang-format" and not (p.parent == root / "acsl/c11" and p.name in CLOSED)]


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
    for name in HEADERS: # what they define is the baseline's to hold; of logic they say nothing
        if notes((root / "acsl/c11" / name).read_text()):
            yield f"acsl/c11/{name}: an annotation in a header of C"
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


# Code that is not ours may have a guard, these includes, and constants in capitals.
FOREIGN_INCLUDE = re.compile(r'#include (<(?:stdint|stddef|stdbool|limits)\.h>|"[\w./-]+\.h")')
# Words of ACSL that take something for granted, or change what is read; and those that give a name a second meaning.
ADMITTED = re.compile(r"\b(admit|axiom|axiomatic|pragma|model|calls|import|inductive|(?:global|type)\s+invariant)\b|(\\let|\\lambda)\b")
FOREIGN_DEFINE = re.compile(r"#define ([A-Z][A-Z0-9_]+) ([^\\]+)")
CONSTANT = re.compile(r"[\w\s+*/%()<>&|^~-]+")
TYPES = {"int", "long", "unsigned", "signed", "short", "char", "size_t"}
# Files that a compiler and Frama-C have themselves.
SYSTEM = re.compile(r"(?:.*/)?(?:stdint|stddef|stdbool|limits)\.h")


def is_constant(body):
    """Returns True if a macro is a number, or computed from constants: a variable, or a bracket of its own, would reach into the statement."""
    words = set(re.findall(r"(?<!\w)[A-Za-z_]\w*", body))
    return bool(CONSTANT.fullmatch(body)) and is_closed(body) and all(
        w in TYPES or re.fullmatch(r"u?int\d+_t|[A-Z][A-Z0-9_]+", w) for w in words)


def blank(text, keep=lambda comment: False):
    """The text with its comments as white space, line for line."""
    return COMMENT.sub(lambda m: m[0] if keep(m[0]) else " " + "\n" * m[0].count("\n"), text)


def spelling(text):
    """Yields spellings that a compiler, Frama-C and this reader might not read alike."""
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
    """Yields words that a file that is not ours may not have. `taken`: the words of the library and of the statement, which no macro may be."""
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


def unexpected(unit, text, closure):
    """Files that a text was made of, and that the includes of its sources do not name; and the other way round."""
    if others := text ^ set(closure):
        yield f"{unit}: made of {', '.join(sorted(others))}, which the includes do not say"
