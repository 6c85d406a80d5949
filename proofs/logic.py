# SPDX-License-Identifier: MIT
"""Formulas of ACSL as C, as far as they can be computed: for the search of a counterexample, never for a proof.

Integers become __int128, a bounded quantifier a loop, and a definition of the logic a function. What is not understood is
refused, and then nothing is searched.
"""
import re

from source import notes

TOKEN = re.compile(r"\s*(?:(0x[0-9a-fA-F]+|\d+)[uUlL]*|(\\?[A-Za-z_]\w*)|(==>|<==>|==|!=|<=|>=|&&|\|\||->|[-+*/%<>!?:()\[\].,;&]))")
PRECEDENCE = {"<==>": 1, "==>": 2, "||": 3, "&&": 4, "==": 6, "!=": 6, "<": 6, "<=": 6, ">": 6, ">=": 6, "+": 8, "-": 8, "*": 9, "/": 9,
              "%": 9}
COMPARE = {"==", "!=", "<", "<=", ">", ">="}


class Unknown(Exception):
    """A formula that is not computed."""


class Parser:
    def __init__(self, text):
        text = re.sub(r"(?<=\w)\s*\{[\w, ]*\}(?=\s*\()", "", text)
        self.tokens, at = [], 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if not match:
                raise Unknown(text[at:at + 20])
            self.tokens.append(match[1] or match[2] or match[3])
            at = match.end()
        self.at, self.used = 0, set()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, wanted=None):
        token = self.peek()
        if token is None or wanted and token != wanted:
            raise Unknown(f"{token}, not {wanted}")
        self.at += 1
        return token

    def formula(self):
        if self.peek() in ("\\forall", "\\exists"):
            return self.quantified()
        condition = self.binary(1)
        if self.peek() == "?":
            self.take()
            yes = self.formula()
            self.take(":")
            return ("?", condition, yes, self.formula())
        return condition

    def quantified(self):
        kind = self.take()
        self.take("integer")
        names = [self.take()]
        while self.peek() == ",":
            self.take()
            names.append(self.take())
        self.take(";")
        return (kind, names, self.formula())

    def binary(self, least):
        left = self.unary()
        while (token := self.peek()) in PRECEDENCE and PRECEDENCE[token] >= least:
            self.take()
            level = PRECEDENCE[token]
            right = self.quantified() if self.peek() in ("\\forall", "\\exists") else self.binary(level if token == "==>" else level + 1)
            if token in COMPARE and left[0] == "chain":
                left = ("chain", *left[1:], token, right)
            elif token in COMPARE:
                left = ("chain", left, token, right)
            else:
                left = (token, left, right)
        return left

    def unary(self):
        if self.peek() in ("!", "-", "*", "&"):
            return ("unary", self.take(), self.unary())
        return self.postfix(self.primary())

    def primary(self):
        token = self.take()
        if token == "(":
            inner = self.formula()
            self.take(")")
            return ("group", inner)
        if token in ("\\true", "\\false"):
            return ("text", "1" if token == "\\true" else "0")
        if token == "\\abs":
            return ("text", "logic_abs")
        if re.match(r"\w", token):
            return ("text", token)
        raise Unknown(token)

    def postfix(self, left):
        while self.peek() in ("[", "(", ".", "->"):
            token = self.take()
            if token == "[":
                left = ("index", left, self.formula())
                self.take("]")
            elif token == "(":
                arguments = []
                while self.peek() != ")":
                    arguments.append(self.formula())
                    if self.peek() == ",":
                        self.take()
                self.take(")")
                self.used.add(left[1])
                left = ("call", left[1], arguments)
            else:
                left = ("field", left, token, self.take())
        return left


def conjuncts(tree):
    if tree[0] == "&&":
        return conjuncts(tree[1]) + conjuncts(tree[2])
    return [tree]


def bounds(name, parts):
    """lo, hi of `lo <= name < hi`, in C, and the other conjuncts."""
    for part in parts:
        if part[0] == "chain" and len(part) == 6 and part[3] == ("text", name) and part[2] in ("<=", "<") and part[4] in ("<=", "<"):
            low = emit(part[1]) + (" + 1" if part[2] == "<" else "")
            return low, emit(part[5]) + (" + 1" if part[4] == "<=" else ""), [p for p in parts if p is not part]
    raise Unknown(f"no bounds of {name}")


def emit(tree):
    kind = tree[0]
    if kind == "text":
        return f"(__int128){tree[1]}" if tree[1][0].isdigit() else tree[1]
    if kind == "group":
        return f"({emit(tree[1])})"
    if kind == "chain":
        parts = tree[1:]
        return "(" + " && ".join(f"({wide(parts[i])} {parts[i + 1]} {wide(parts[i + 2])})" for i in range(0, len(parts) - 2, 2)) + ")"
    if kind == "?":
        return f"({emit(tree[1])} ? {wide(tree[2])} : {wide(tree[3])})"
    if kind == "unary":
        return f"({tree[1]}{wide(tree[2]) if tree[1] == '-' else emit(tree[2])})"
    if kind == "index":
        return f"{emit(tree[1])}[(long long)({emit(tree[2])})]"
    if kind == "field":
        return f"{emit(tree[1])}{tree[2]}{tree[3]}"
    if kind == "call":
        return f"{tree[1]}({', '.join(emit(a) for a in tree[2])})"
    if kind == "==>":
        return f"(!({emit(tree[1])}) || ({emit(tree[2])}))"
    if kind == "<==>":
        return f"(!({emit(tree[1])}) == !({emit(tree[2])}))"
    if kind in ("&&", "||"):
        return f"(({emit(tree[1])}) {kind} ({emit(tree[2])}))"
    if kind in ("\\forall", "\\exists"):
        return loop(tree)
    return f"({wide(tree[1])} {kind} {wide(tree[2])})"


def wide(tree):
    return f"(__int128)({emit(tree)})"


def loop(tree):
    kind, names, body = tree
    every = kind == "\\forall"
    name, rest = names[0], names[1:]
    if every and body[0] != "==>":
        raise Unknown("a quantifier without bounds")
    low, high, others = bounds(name, conjuncts(body[1] if every else body))
    inner = body[2] if every else ("text", "1")
    for other in others:
        inner = ("==>", other, inner) if every else ("&&", inner, other)
    if rest:
        inner = (kind, rest, inner)
    test = emit(inner)
    test = f"!({test})" if every else test
    return (f"({{ int found_ = 0; for (__int128 {name} = {low}; {name} < {high} && !found_; {name}++) if ({test}) found_ = 1; "
            f"{'!' if every else ''}found_; }})")


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
        parser = Parser(formula)
        code[name] = emit(parser.formula())
        todo += parser.used
    while todo:
        name = todo.pop()
        if name in done or name == "logic_abs":
            continue
        if name not in known:
            raise Unknown(name)
        is_predicate, parameters, body = known[name]
        parser = Parser(re.split(r"\b(?:predicate|logic|lemma)\b", body)[0].rstrip().rstrip(";"))
        head = f"static {'int' if is_predicate else '__int128'} {name}({', '.join(parameter(p) for p in parameters.split(','))})"
        done[name] = (head, emit(parser.formula()))
        todo += parser.used
    functions = "static inline __int128 logic_abs(__int128 k) { return k < 0 ? -k : k; }\n"
    functions += "".join(f"{head};\n" for head, _ in done.values())
    return code, functions + "".join(f"{head} {{ return {body}; }}\n" for head, body in done.values())
