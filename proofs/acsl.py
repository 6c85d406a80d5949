# SPDX-License-Identifier: MIT
"""Reads a formula of ACSL, as Frama-C prints it, into a tree of tuples. A formula that is not understood is Unreadable.

    ("number", n) ("name", x) ("result",) ("unary", op, a) ("binary", op, a, b) ("chain", [a, b, c], [op, op]) ("if", c, a, b)
    ("call", name, labels, arguments) ("at", a, label) ("field", a, name) ("member", a, name) ("cast", type, a) ("range", a, b)
    ("forall" or "exists", [variables], body) ("let", x, a, body)
"""
import re

TOKEN = re.compile(r"\s*(<==>|==>|\.\.|->|\.|&&|\|\||\^\^|<<|>>|<=|>=|==|!=|'(?:\\.|[^'\\])'|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|\\?[A-Za-z_]\w*|[-+*/%&|^~!<>?:;,(){}\[\]=])")
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
# Operators from the weakest on; relations form chains and stand between & and the shifts.
WEAK = (("<==>",), ("==>",), ("||",), ("^^",), ("&&",), ("|",), ("^",), ("&",))
STRONG = (("<<", ">>"), ("+", "-"), ("*", "/", "%"))
ESCAPES = {"n": 10, "r": 13, "t": 9, "0": 0, "'": 39, '"': 34, "\\": 92}
TYPES = {"integer", "char", "int", "long", "unsigned", "signed", "short", "const", "size_t", "struct", "_Bool", "boolean"}


class Unreadable(Exception):
    """A construct that is not translated."""


def is_type(word):
    return word in TYPES or bool(re.fullmatch(r"u?int\d+_t|pby_\w+", word))


class Reader:
    def __init__(self, text):
        self.words, at = [], 0
        text = text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Unreadable(f"the character {text[at]!r}")
            self.words.append(match[1])
            at = match.end()
        self.at = 0

    def peek(self, ahead=0):
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def take(self, *wanted):
        word = self.peek()
        if wanted and word not in wanted:
            raise Unreadable(f"{word!r} for {' or '.join(wanted)}")
        self.at += 1
        return word

    def whole(self):
        tree = self.formula()
        if self.peek():
            raise Unreadable(f"{self.peek()!r} behind a formula")
        return tree

    def formula(self):
        word = self.peek()
        if word in (r"\forall", r"\exists"):
            return self.quantified()
        if word == r"\let":
            self.take()
            name = self.take()
            self.take("=")
            value = self.formula()
            self.take(";")
            return ("let", name, value, self.formula())
        if re.fullmatch(r"[A-Za-z_]\w*", word) and self.peek(1) == ":" and not self.in_choice:
            self.at += 2 # a name of a part
            return self.formula()
        first = self.operators(0)
        if self.peek() != "?":
            return first
        self.take()
        before, self.in_choice = self.in_choice, True
        yes = self.formula()
        self.in_choice = before
        self.take(":")
        return ("if", first, yes, self.formula())

    in_choice = False

    def quantified(self):
        kind = self.take()[1:]
        if self.take() != "integer":
            raise Unreadable("a quantifier over other things than integers")
        names = [self.take()]
        while self.peek() == ",":
            self.take()
            if self.peek() == "integer":
                self.take()
            names.append(self.take())
        self.take(";")
        return (kind, names, self.formula())

    def operators(self, level):
        if level == len(WEAK):
            return self.chain()
        left = self.operators(level + 1)
        while self.peek() in WEAK[level]:
            op = self.take()
            binder = self.peek() in (r"\forall", r"\exists", r"\let")
            right = self.formula() if binder else self.operators(level if op == "==>" else level + 1)
            left = ("binary", op, left, right)
        return left

    def chain(self):
        terms, ops = [self.sums(0)], []
        while self.peek() in RELATIONS:
            ops.append(self.take())
            terms.append(self.sums(0))
        return ("chain", terms, ops) if ops else terms[0]

    def sums(self, level):
        if level == len(STRONG):
            return self.unary()
        left = self.sums(level + 1)
        while self.peek() in STRONG[level]:
            op = self.take()
            left = ("binary", op, left, self.sums(level + 1))
        return left

    def unary(self):
        word = self.peek()
        if word in ("-", "!", "*", "~", "&", "+"):
            return ("unary", self.take(), self.unary())
        if word == "(" and is_type(self.peek(1)):
            self.take()
            kind = []
            while self.peek() != ")":
                kind.append(self.take())
            self.take(")")
            return ("cast", " ".join(k for k in kind if not k.startswith("\\")), self.unary())
        return self.postfix(self.primary())

    def postfix(self, tree):
        while self.peek() in ("->", "[", "."):
            word = self.take()
            if word == "->":
                tree = ("field", tree, self.take())
            elif word == ".":
                tree = ("member", tree, self.take())
            else:
                tree = ("unary", "*", ("binary", "+", tree, self.formula()))
                self.take("]")
        return tree

    def primary(self):
        word = self.take()
        if word == "(":
            before, self.in_choice = self.in_choice, False
            tree = self.formula()
            if self.peek() == "..":
                self.take()
                tree = ("range", tree, self.formula())
            self.in_choice = before
            self.take(")")
            return tree
        if word[:1].isdigit():
            return ("number", int(word.rstrip("uUlL"), 0))
        if word.startswith("'"):
            return ("number", ESCAPES[word[2]] if word[1] == "\\" else ord(word[1]))
        if word == r"\result":
            return ("result",)
        if word in (r"\true", r"\false"):
            return ("number", int(word == r"\true"))
        if not re.fullmatch(r"\\?[A-Za-z_]\w*", word):
            raise Unreadable(f"{word!r}")
        labels = []
        if self.peek() == "{":
            self.take()
            labels = [self.take()]
            while self.take(",", "}") == ",":
                labels.append(self.take())
        if self.peek() != "(":
            return ("call", word, labels, []) if labels or word.startswith("\\") else ("name", word)
        self.take("(")
        if word == r"\at":
            tree = self.formula()
            self.take(",")
            label = self.take()
            self.take(")")
            return ("at", tree, label)
        given = [] if self.peek() == ")" else [self.formula()]
        while self.peek() == ",":
            self.take()
            given.append(self.formula())
        self.take(")")
        return ("at", given[0], "Pre") if word == r"\old" else ("call", word, labels, given)


def read(text):
    """The tree of a formula."""
    return Reader(text).whole()
