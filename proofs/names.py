# SPDX-License-Identifier: MIT
"""The names that C files define: a word has one meaning in all of them.

Each unit is proved on its own, and a contract is compared between units as text. So what the text speaks of must be the same
for all: parameters by their order, types, enumerators and constants.
"""
import re

import texts
from source import blank, notes

HELD = re.compile(r"\b(?:static|inline|extern|const|register|restrict|_Noreturn)\b")


def pieces(text):
    """The declarations and definitions of a file, ghost ones too: (text, where its body begins or None)."""
    plain = re.sub(r"^\s*#[^\n]*", "", blank(text), flags=re.M)
    at = 0
    while at < len(plain.rstrip()):
        try:
            stop, body = texts.end_of(plain, at)
        except ValueError: # nothing behind it would be seen: what is not understood is refused
            yield "?", "?"
            break
        yield plain[at:stop].strip(), plain[at:body].strip() if body else None
        at = stop
    for note in notes(text):
        before, ghost = blank(text[:note.start()]), re.match(r"/[*/]@\s*ghost\b(.*?)(?:\*/)?$", note[0], re.S)
        if ghost and before.count("{") == before.count("}"):
            yield from pieces(re.sub(r"/@.*?@/|//[^\n]*", " ", ghost[1], flags=re.S))


def without_braces(text):
    while (shorter := re.sub(r"\{[^{}]*\}", " ", text)) != text:
        text = shorter
    return text


def split(text):
    """At the commas outside of brackets."""
    depth, parts = 0, [""]
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def spelt(words):
    return " ".join(re.findall(r"\w+|[^\w\s]", HELD.sub(" ", words)))


def signature(head):
    """The name of a function and what it takes and gives, in order, with the names of its parameters."""
    match = re.match(r"(.*?)\b(\w+)\s*\((.*)\)\s*;?\s*$", head, re.S)
    return (match[2], (spelt(match[1]), *map(spelt, split(match[3])))) if match else (None, None)


def declared(text):
    """(kind, name, detail) of every global: function, object, type."""
    for piece, head in pieces(text):
        plain = without_braces(piece)
        yield from (("type", name, "") for name in re.findall(r"\b(?:struct|enum|union)\s+(\w+)\s*\{", piece))
        for values in re.findall(r"\benum\b\s*\w*\s*\{([^}]*)\}", piece):
            yield from (("type", re.match(r"\w+", value)[0], "") for value in split(values) if re.match(r"\w", value))
        if head is not None:
            yield "function", *signature(head)
        elif re.match(r"typedef\b", plain):
            yield from (("type", name, "") for name in re.findall(r"\b(\w+)\s*(?:\[[^]]*\]\s*)*(?=[,;])", plain))
        elif "(" in plain.partition("=")[0]:
            yield "function", *signature(plain)
        elif not re.fullmatch(r"(?:struct|union|enum)\s+\w*\s*;|;", plain):
            for part in split(plain.rstrip(";")):
                if found := re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", part.partition("=")[0]):
                    yield "object", found[1], part


def static(text):
    """Functions that only this file knows, wherever in the declaration the word stands."""
    for piece, head in pieces(text):
        said = head if head is not None else piece.partition("=")[0]
        if "(" in said and re.search(r"\bstatic\b", said):
            yield signature(said)[0]


def closing(text, at):
    """Where the bracket that opens at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def objections(path, text):
    """Yields definitions of one file that the proof would not follow."""
    for kind, name, detail in declared(text):
        if kind == "function" and (name is None or any(part != "void" and not re.search(r"\w\W*\s+\W*\w", part) for part in detail[1:])):
            yield f"{path}: a function whose parameters have no types or no names: {name or 'not understood'}"
        if kind == "object" and "*" in detail.partition("=")[0]:
            yield f"{path}: {name}: a variable that points elsewhere"
        if kind == "object" and "=" not in detail:
            yield f"{path}: {name}: a variable without a value, which another file may give it"
    for piece, head in pieces(text):
        if head is not None and re.search(r"\bstatic\b[^;={}()]*\*", piece[len(head):]):
            yield f"{path}: {signature(head)[0]}: a variable that points elsewhere"
        if head is not None and re.search(r"\binline\b", head) and not re.search(r"\bstatic\b", head):
            yield f"{path}: {signature(head)[0]}: inline, and not static: another definition may be linked"


def differing(files):
    """Over all files, {path: text}: a function that is declared with other parameters elsewhere, or other names for them."""
    seen = {}
    for path, text in files.items():
        for kind, name, detail in declared(text):
            if kind == "function" and name and seen.setdefault(name, (detail, path))[0] != detail:
                yield f"{path}: {name}: declared with other parameters, or other names for them, in {seen[name][1]}"
