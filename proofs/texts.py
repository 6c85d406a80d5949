# SPDX-License-Identifier: MIT
"""Reads the normal form that Frama-C prints: contracts, bodies, calls and logic, by name.

Texts are kept as they are printed, clause by clause, so that a weaker one shows and can be read. A text that is not understood is a
refusal and not a gap.
"""
import difflib
import hashlib
import re

LOGIC = re.compile(r"(predicate|logic|lemma|axiomatic|inductive|type|axiom|global)\b")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")


def short(text):
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:16]


CLAUSE = re.compile(r"(?<=[;:]) (?=(?:requires|ensures|assigns|allocates|frees|terminates|decreases|exits|breaks|continues|returns|assumes|"
                    r"behavior|complete behaviors|disjoint behaviors|check|admit)\b)")


def flat(said):
    """One line of a text, or of one that is kept as a list of lines."""
    return " ".join((" ".join(said) if isinstance(said, (list, tuple)) else said).split())


def clauses(annotation):
    """The clauses of a contract, one each."""
    return CLAUSE.split(flat(annotation))


def lines(text):
    """The lines of a text, but for empty ones; how far they are indented says nothing."""
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def same(before, now):
    """True if a baseline has this text. Older ones have digests of 16 digits."""
    return before == now or isinstance(before, str) and bool(re.fullmatch("[0-9a-f]{16}", before)) and before == short(flat(now))


def difference(before, now):
    """The lines that are gone and those that are new; of a digest nothing is known but that it is another."""
    if isinstance(before, str) and re.fullmatch("[0-9a-f]{16}", before):
        before = f"(a text whose digest is {before})"
    old, new = ([text] if isinstance(text, str) else list(text) for text in (before, now))
    return [f"{line[0]} {line[2:]}" for line in difflib.ndiff(old, new) if line[0] in "+-"]


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def without_comments(text):
    return COMMENT.sub(" ", text)


def end_of(text, at):
    """Behind the declaration or the definition that begins there, and where its body begins, if it has one."""
    depth, body, parens = 0, None, 0
    token = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[{}();]", re.S)
    for match in token.finditer(text, at):
        c = match[0]
        if c == "{":
            body = match.start() if body is None and parens == 0 else body
            depth += 1
        elif c == "}":
            depth -= 1
            # a function ends with its brace; an enum, a struct or a table of values with a semicolon
            if depth == 0 and body is not None and re.search(r"\)\s*$", without_comments(text[at:body])):
                return match.end(), body
        elif c in "()" and depth == 0:
            parens += 1 if c == "(" else -1
        elif c == ";" and depth == 0 and parens == 0:
            return match.end(), None
    raise ValueError("a declaration has no end: " + text[at:at + 60])


def globals_of(text):
    """(kind, name, annotation, text) of every global: logic, a function that is declared, or one that is defined."""
    at, annotation = 0, ""
    while at < len(text):
        if match := re.compile(r"\s+|#[^\n]*\n").match(text, at):
            at = match.end()
        elif text.startswith("/*", at):
            stop = text.index("*/", at) + 2
            inner = text[at + 3:stop - 2].strip() if text.startswith("/*@", at) else ""
            if re.match(r"ghost\b", inner):
                yield from globals_of(inner[5:].replace("/@", "/*@").replace("@/", "*/"))
            elif match := LOGIC.match(inner):
                name = re.match(r"(?:predicate|lemma|axiomatic|inductive|type|axiom|global\s+invariant|"
                                r"logic\s+[\w*\s]+?[\s*])\s*(\w+)\s*(?=[({=:;]|$)", inner)
                if not name:
                    raise ValueError("logic without a name: " + inner[:60])
                yield "logic", name[1], "", inner
            elif inner:
                annotation = inner
            at = stop
        else:
            stop, body = end_of(text, at)
            head = ATTRIBUTE.sub("", without_comments(text[at:body or stop]))
            if match := re.search(r"(\w+)\s*\(", head.partition("=")[0]):
                yield "defined" if body else "declared", match[1], annotation, text[at:stop]
            elif match := re.match(r"(?!typedef\b)[^;={]*?\b(\w+)\s*(?:\[[^\]]*\]\s*)*(?:;|=)", head):
                yield "variable", match[1], "", head
            at, annotation = stop, ""


def arguments(text, at):
    """The arguments between the parenthesis that opens at `at` and the one that closes it."""
    depth, found, begin = 0, [], at + 1
    for i in range(at, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return found + [text[begin:i].strip()]
        elif text[i] == "," and depth == 1:
            found.append(text[begin:i].strip())
            begin = i + 1
    raise ValueError("no end: " + text[at:at + 60])


def is_founded(name, text):
    """Returns True if a definition ends: it does not speak of itself, or `k <= 0 ? base : ...` with k - 1 in every call."""
    head, _, body = text.partition("=")
    calls = [m.end() for m in re.finditer(rf"\b{name}\s*(?:\{{[^}}]*\}})?\s*(?=\()", body)]
    if not re.search(rf"\b{name}\b", body):
        return True
    guard = re.match(r"\s*(?:\\at\s*\()?\s*(\w+) <= [01]\s*\?[^?:]*:", body)
    if not guard or not re.match(r"logic\b", text) or len(calls) != len(re.findall(rf"\b{name}\b", body)):
        return False
    names = [p.split()[-1].lstrip("*") for p in arguments(head, head.index("("))]
    return guard[1] in names and all(at > guard.end() and arguments(body, at)[names.index(guard[1])] == f"{guard[1]} - 1" for at in calls)


def read(printed):
    """All that is kept of one unit."""
    found = {"contracts": {}, "bodies": {}, "calls": {}, "logic": {}, "unfounded": [], "requires": [], "endless": [],
             "variables": []}
    for kind, name, annotation, text in globals_of(printed):
        if kind == "logic":
            if name in found["logic"]:
                raise ValueError(f"two definitions of {name}")
            found["logic"][name] = flat(text)
            if not is_founded(name, text):
                found["unfounded"].append(name)
            continue
        if kind == "variable":
            if not re.search(r"\bconst\b", text) and not re.match(r"(?:struct|union|enum)\s+\w+\s*;", text.strip()):
                found["variables"].append(name)
            continue
        if annotation or name not in found["contracts"]:
            found["contracts"][name] = clauses(annotation) if annotation else "none"
        if re.search(r"\brequires\b", annotation) and name not in found["requires"]:
            found["requires"].append(name)
        if kind == "defined":
            found["bodies"][name] = lines(text)
            found["calls"][name] = sorted(set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", text[text.index("{"):])))
            if not re.search(r"\bterminates \\true;", annotation):
                found["endless"].append(name)
    return found
