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


# ---- the order in which an expression is evaluated ----------------------------------------------------

HEADER = re.compile(r"\b(?:for|if|while|switch)\s*\(")
ASSIGN = re.compile(r"(?<![=!<>])=(?!=)|<<=|>>=")


def closing(text, at):
    """Where the bracket that opens at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def statements(body):
    """The statements of a body, each whole: headers of loops and conditions are cut off from what follows them."""
    while match := HEADER.search(body):
        stop = closing(body, match.end() - 1)
        body = body[:match.start()] + ";" + body[match.end():stop] + ";" + body[stop + 1:]
    return re.split(r"[;{}]", body)


def expressions(body):
    for piece in statements(body):
        yield from split(piece)


def unset(body):
    """Variables that are declared without a value: WP takes what they hold for some number, a compiler for anything."""
    for piece in statements(body):
        parts = split(piece.strip())
        first = re.match(r"(?!(?:return|else|do|case|goto|break|continue)\b)[A-Za-z_]\w*(?:\s+\w+)*?[\s*]+(\w+)\s*(?:\[[^]]*\]\s*)*(=(?!=)|$)", parts[0])
        if first:
            yield from (re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", part)[1] for part in parts if "=" not in part and re.search(r"\w\s*(?:\[[^]]*\]\s*)*$", part))


def writers(files):
    """Functions that may write through what they are given, by a pointer or by a type that is one."""
    heads = [head if head is not None else piece for text in files.values() for piece, head in pieces(text)]
    types = {name for head in heads if re.match(r"typedef\b[^{]*\*", head) for name in re.findall(r"(\w+)\s*(?=[,;])", head)}
    return {signature(head)[0] for head in heads for part in split(head.partition("(")[2])
            if "*" in part and not re.search(r"\bconst\b", part) or types & set(re.findall(r"\w+", part))} - {None}


def is_unordered(piece, writing):
    """Whether an expression writes twice, or writes and reads the same: compilers differ in the order, and Frama-C has its own."""
    steps = [a or b for a, b in re.findall(r"(\w+)\s*(?:\+\+|--)|(?:\+\+|--)\s*(\w+)", piece)]
    if any(len(re.findall(rf"\b{name}\b", piece)) > 1 for name in steps):
        return True
    count = len(ASSIGN.findall(piece)) + len(re.findall(r"\+\+|--", piece)) - len(steps)
    calls = [(m.start(), closing(piece, m.end() - 1), piece[m.end():]) for m in re.finditer(r"\b(\w+)\s*\(", piece) if m[1] in writing]
    if len(calls) == 1 and count == 1 and re.match(r"(?:[\w\s]*\b|\s*\*)\w+\s*=(?!=)\s*\w+\s*\(", piece) and calls[0][1] == len(piece.rstrip()) - 1:
        return False # v = f(...): the call is over before v is written
    for start, stop, _ in calls:
        given = {w for part in split(piece[piece.index("(", start) + 1:stop]) for w in re.findall(r"^&?\s*(\w+)$", part)}
        if given & set(re.findall(r"[A-Za-z_]\w*", piece[:start] + " " + piece[stop:])):
            return True
    return count + len(calls) > 1


def unordered(files):
    writing = writers(files)
    for path, text in files.items():
        for piece, head in pieces(text):
            if head is not None:
                yield from (f"{path}: {signature(head)[0]}: the order of evaluation is open: {' '.join(e.split())}"
                            for e in expressions(piece[len(head):]) if is_unordered(e, writing))


def objections(path, text):
    """Of one file: what is defined in a way that the proof would not follow."""
    code = blank(text)
    for kind, name, detail in declared(text):
        if kind == "function" and (name is None or any(part != "void" and not re.search(r"\w\W*\s+\W*\w", part) for part in detail[1:])):
            yield f"{path}: a function whose parameters have no types or no names: {name or 'not understood'}"
        if kind == "object" and "*" in detail.partition("=")[0]:
            yield f"{path}: {name}: a variable that points elsewhere"
        if kind == "object" and "=" not in detail:
            yield f"{path}: {name}: a variable without a value, which another file may give it"
    if re.search(r"\(\s*\*\s*(?:const\s*)?\w*\s*(?:\[\w*\]\s*)?\)\s*\(", code):
        yield f"{path}: a pointer to a function"
    if any(":" in body for body in re.findall(r"\bstruct\b\s*\w*\s*\{([^}]*)\}", code)):
        yield f"{path}: a struct with a field of some bits: WP takes it for a whole number"
    for piece, head in pieces(text):
        if head is not None and re.search(r"\bstatic\b[^;={}()]*\*", piece[len(head):]):
            yield f"{path}: {signature(head)[0]}: a variable that points elsewhere"
        if head is not None:
            yield from (f"{path}: {signature(head)[0]}: {name} is declared without a value" for name in unset(piece[len(head):]))
        if head is not None and re.search(r"\binline\b", head) and not re.search(r"\bstatic\b", head):
            yield f"{path}: {signature(head)[0]}: inline, and not static: another definition may be linked"


def differing(files):
    """Over all files, {path: text}: a function that is declared with other parameters elsewhere, or other names for them."""
    seen = {}
    for path, text in files.items():
        for kind, name, detail in declared(text):
            if kind == "function" and name and seen.setdefault(name, (detail, path))[0] != detail:
                yield f"{path}: {name}: declared with other parameters, or other names for them, in {seen[name][1]}"
