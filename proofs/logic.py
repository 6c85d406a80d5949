# SPDX-License-Identifier: MIT
"""Formulas of ACSL as C, as far as they can be computed: for the search of a counterexample, never for a proof.

Integers become __int128, a bounded quantifier a loop, and a definition of the logic a function. What is not understood is
refused, and then nothing is searched.
"""
import re

import acsl
from source import notes


class Unknown(Exception):
    """A formula that is not computed."""


def conjuncts(tree):
    if tree[:2] == ("binary", "&&"):
        return conjuncts(tree[2]) + conjuncts(tree[3])
    return [tree]


def bounds(name, parts):
    """lo, hi of `lo <= name < hi`, in C, and the other conjuncts."""
    for part in parts:
        if part[0] == "chain" and len(part[1]) == 3 and part[1][1] == ("name", name) and set(part[2]) <= {"<=", "<"}:
            (low, _, high), (above, below) = part[1:]
            return (emit(low) + (" + 1" if above == "<" else ""), emit(high) + (" + 1" if below == "<=" else ""),
                    [p for p in parts if p is not part])
    raise Unknown(f"no bounds of {name}")


def emit(tree):
    kind = tree[0]
    if kind == "number" and tree[1] < 1 << 63:
        return f"(__int128){tree[1]}"
    if kind == "name":
        return tree[1]
    if kind == "chain":
        terms = [wide(t) for t in tree[1]]
        return "(" + " && ".join(f"({a} {op} {b})" for a, op, b in zip(terms, tree[2], terms[1:])) + ")"
    if kind == "if":
        return f"({emit(tree[1])} ? {wide(tree[2])} : {wide(tree[3])})"
    if kind == "unary":
        return f"({tree[1]}{wide(tree[2])})" if tree[1] in "-+~" else element(tree) or f"({tree[1]}{emit(tree[2])})"
    if kind in ("field", "member"):
        return f"{emit(tree[1])}{'->' if kind == 'field' else '.'}{tree[2]}"
    if kind == "call" and (tree[1] == r"\abs" or not tree[1].startswith("\\")):
        return f"{tree[1].replace(chr(92), 'logic_')}({', '.join(emit(a) for a in tree[3])})"
    if kind == "binary":
        return operation(*tree[1:])
    if kind in ("forall", "exists"):
        return loop(tree)
    raise Unknown(f"a {kind}")


def element(tree):
    """`*(a + i)`, as which an index is read."""
    op, inner = tree[1:]
    return f"{emit(inner[2])}[(long long)({emit(inner[3])})]" if op == "*" and inner[:2] == ("binary", "+") else None


def operation(op, left, right):
    if op == "==>":
        return f"(!({emit(left)}) || ({emit(right)}))"
    if op == "<==>":
        return f"(!({emit(left)}) == !({emit(right)}))"
    if op in ("&&", "||"):
        return f"(({emit(left)}) {op} ({emit(right)}))"
    if op == "^^":
        raise Unknown("an exclusive or")
    return f"({wide(left)} {op} {wide(right)})"


def wide(tree):
    return f"(__int128)({emit(tree)})"


def loop(tree):
    kind, names, body = tree
    every = kind == "forall"
    name, rest = names[0], names[1:]
    if every and body[:2] != ("binary", "==>"):
        raise Unknown("a quantifier without bounds")
    low, high, others = bounds(name, conjuncts(body[2] if every else body))
    inner = body[3] if every else ("number", 1)
    for other in others:
        inner = ("binary", "==>", other, inner) if every else ("binary", "&&", inner, other)
    if rest:
        inner = (kind, rest, inner)
    test = emit(inner)
    test = f"!({test})" if every else test
    return (f"({{ int found_ = 0; for (__int128 {name} = {low}; {name} < {high} && !found_; {name}++) if ({test}) found_ = 1; "
            f"{'!' if every else ''}found_; }})")


def called(tree):
    """The names of the functions that a tree calls."""
    if isinstance(tree, (tuple, list)):
        if tree and tree[0] == "call":
            yield tree[1]
        for part in tree:
            yield from called(part)


def read(text):
    """The formula with which a text begins, up to its semicolon, in C, and the functions that it calls."""
    try:
        reader = acsl.Reader(text)
        tree = reader.formula()
    except acsl.Unreadable as problem:
        raise Unknown(str(problem)) from problem
    if reader.peek() not in ("", ";"):
        raise Unknown(f"{reader.peek()!r} behind a formula")
    return emit(tree), set(called(tree)) - {r"\abs"}


def definitions(texts):
    """Name, parameters and body of every predicate and logic function in the annotations."""
    found = {}
    for text in texts:
        for match in notes(text):
            note = re.sub(r"//[^\n]*", "", re.sub(r"\*/$", "", match[0][3:]))
            for match in re.finditer(r"\b(predicate|logic\s+[\w ]+?)\s+(\w+)\s*(?:\{[^}]*\})?\(([^()]*)\)\s*=", note):
                found.setdefault(match[2], (match[1].split()[0] == "predicate", match[3], note[match.end():]))
    return found


def parameter(word):
    kind, name = re.fullmatch(r"\s*(.*?[\s*])(\w+)\s*", word, re.S).groups()
    if kind.strip() in ("integer", "int64_t", "size_t"):
        return f"__int128 {name}"
    return f"const {kind.replace('const', '').strip()}{name}" if "*" in kind else f"{kind.strip()} {name}"


def compiled(formulas, texts):
    """The formulas in C, and the functions that they use. Raises Unknown."""
    known, done, todo, code = definitions(texts), {}, [], {}
    for name, formula in formulas.items():
        code[name], calls = read(formula)
        todo += calls
    while todo:
        name = todo.pop()
        if name in done:
            continue
        if name not in known:
            raise Unknown(name)
        is_predicate, parameters, body = known[name]
        code_of, calls = read(re.split(r"\b(?:predicate|logic|lemma)\b", body)[0])
        head = f"static {'int' if is_predicate else '__int128'} {name}({', '.join(parameter(p) for p in parameters.split(','))})"
        done[name] = (head, code_of)
        todo += calls
    functions = "static inline __int128 logic_abs(__int128 k) { return k < 0 ? -k : k; }\n"
    functions += "".join(f"{head};\n" for head, _ in done.values())
    return code, functions + "".join(f"{head} {{ return {body}; }}\n" for head, body in done.values())
