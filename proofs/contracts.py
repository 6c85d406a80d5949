#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the kernel's contracts: around each exported function of the objects that make built stands a check of its contract, and
the suite runs with it.

Frama-C prints each text of the kernel in normal form; every clause of a contract becomes C (checked.h). The linker's --wrap puts the
check between the object and whoever calls it from another file, so the object is the very one that ships. E-ACSL, which is
made for this, does not evaluate what these contracts are made of (docs/proofs.md). Faults are then planted in objects, whose
texts stay right: each must be found by its clause.   usage: contracts.py [--build DIR] [--filter PATTERN] [--no-faults] [--list]"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import acsl
import judge
import texts
from acsl import Unreadable

ROOT = Path(__file__).resolve().parent.parent
LOGIC = re.compile(r"(?:predicate|logic\s+(?P<type>[\w ]+?\**))\s*\b(?P<name>\w+)\s*(?:\{(?P<labels>[\w, ]*)\})?\s*(?:\((?P<given>.*?)\))?\s*=(?P<body>.*)", re.S)


# ---- formulas -------------------------------------------------------------------------------------------

class Unit:
    """The logic of one unit, and the C that it becomes."""

    def __init__(self, printed):
        self.logic, self.code, self.refused, self.fields, self.constants = {}, {}, {}, {}, set()
        for match in re.finditer(r"\benum\b[^{;]*\{([^}]*)\}", printed):
            self.constants |= set(re.findall(r"([A-Za-z_]\w*)\s*(?:=|,|$)", match[1].strip()))
        for match in re.finditer(r"\bstruct (\w+)\s*\{([^}]*)\}", printed):
            for kind, star, name in re.findall(r"([\w ]+?)\s*(\*?)\s*(\w+)\s*;", match[2]):
                self.fields[name] = ("pointer", plain(kind)) if star else "integer"
        for kind, name, _, text in texts.globals_of(printed):
            if kind == "logic" and (match := LOGIC.fullmatch(texts.flat(text).rstrip("; "))):
                given = [parameter(p) for p in (match["given"] or "").split(",") if p.strip()]
                labels = [w.strip() for w in (match["labels"] or "").split(",") if w.strip()]
                self.logic[name] = (given, labels, match["body"], match["type"])

    def define(self, name):
        """The C of a definition, once; its name in C."""
        if name in self.refused:
            raise Unreadable(self.refused[name])
        if name not in self.code:
            given, labels, body, kind = self.logic[name]
            if any(not isinstance(k, tuple) and k != "integer" for k, _ in given):
                raise Unreadable(f"{name}, over other things than integers")
            self.code[name] = "" # it may recur
            env = {x: (f"v_{x}", k) for k, x in given}
            try:
                value, what = self.term(acsl.read(body), env, f"l_{labels[0]}" if labels else "NOW", {w: f"l_{w}" for w in labels})
                if isinstance(what, tuple):
                    raise Unreadable(f"{name}, a pointer")
            except Unreadable as error:
                self.refused[name] = str(error)
                raise
            head = ", ".join([f"int l_{w}" for w in labels] + [f"{c_type(k)} v_{x}" for k, x in given]) or "void"
            self.code[name] = (f"static I L_{name}({head});", f"static I L_{name}({head})\n{{\n    return down_() ? up_({value}) : 0;\n}}\n")
        return self.logic[name]

    def term(self, tree, env, state, labels):
        """(C, what it is) of a tree: "integer" or ("pointer", type). `state`: the C of the memory that is read."""
        def go(t, e=None, s=None):
            return self.term(t, e or env, s or state, labels)

        def number(t, e=None):
            code, what = go(t, e)
            if what != "integer":
                raise Unreadable("a pointer as a number")
            return code
        kind = tree[0]
        if kind == "number":
            n = tree[1]
            return (f"(I){n}" if n < 2**31 else f"((I){n >> 64}u << 64 | (I){n & (2**64 - 1)}u)"), "integer"
        if kind == "result":
            if "\\result" not in env:
                raise Unreadable("\\result")
            return env["\\result"]
        if kind == "name":
            if tree[1] in env:
                return env[tree[1]]
            if tree[1] in self.logic:
                return self.call(tree[1], [], [], env, state, labels)
            if tree[1] in self.constants:
                return f"(I){tree[1]}", "integer"
            raise Unreadable(f"the name {tree[1]}")
        if kind == "at":
            if tree[2] in labels:
                return go(tree[1], s=labels[tree[2]])
            raise Unreadable(f"the label {tree[2]}")
        if kind == "cast":
            code, what = go(tree[2])
            if isinstance(what, tuple):
                return code, what
            if plain(tree[1]) in ("integer",):
                return code, what
            return f"(I)({tree[1]})({code})", "integer"
        if kind == "unary":
            return self.unary(tree, go, number, state)
        if kind == "binary":
            return self.binary(tree, go, number)
        if kind == "chain":
            return self.chain(tree, go), "integer"
        if kind == "if":
            return f"(({number(tree[1])}) ? ({number(tree[2])}) : ({number(tree[3])}))", "integer"
        if kind == "let":
            code, what = go(tree[2])
            inner, inner_what = go(tree[3], {**env, tree[1]: (f"v_{tree[1]}", what)})
            return f"({{ {c_type(what)} v_{tree[1]} = {code}; {inner}; }})", inner_what
        if kind in ("forall", "exists"):
            return self.quantifier(tree, env, number), "integer"
        if kind in ("field", "member"):
            return self.member(tree, go, state)
        if kind == "call":
            return self.call(tree[1], tree[2], tree[3], env, state, labels)
        raise Unreadable(kind)

    def unary(self, tree, go, number, state):
        if tree[1] == "*":
            code, what = go(tree[2])
            if not isinstance(what, tuple) or what[1].startswith(("pby_", "struct")):
                raise Unreadable("a value that is no integer")
            return f"(I)READ({what[1]}, {state}, {code})", "integer"
        if tree[1] == "-":
            return f"sub_(0, {number(tree[2])})", "integer"
        if tree[1] == "!":
            return f"(I)!({number(tree[2])})", "integer"
        raise Unreadable(f"the operator {tree[1]}")

    def binary(self, tree, go, number):
        op = tree[1]
        if op in ("&&", "||", "==>", "<==>"):
            a, b = number(tree[2]), number(tree[3])
            return {"&&": f"(I)(({a}) && ({b}))", "||": f"(I)(({a}) || ({b}))", "==>": f"(I)(!({a}) || ({b}))",
                    "<==>": f"(I)(!({a}) == !({b}))"}[op], "integer"
        left, what = go(tree[2])
        if op in ("+", "-") and isinstance(what, tuple):
            return f"({left} {op} (ptrdiff_t)({number(tree[3])}))", what
        names = {"+": "add_", "-": "sub_", "*": "mul_", "/": "quotient_", "%": "rest_", ">>": "shifted_"}
        if op not in names or what != "integer":
            raise Unreadable(f"the operator {op}")
        return f"{names[op]}({left}, {number(tree[3])})", "integer"

    def chain(self, tree, go):
        parts = [go(t) for t in tree[1]]
        found = []
        for (a, what), op, (b, other) in zip(parts, tree[2], parts[1:]):
            if isinstance(what, tuple) != isinstance(other, tuple):
                raise Unreadable("a pointer beside a number")
            if isinstance(what, tuple):
                a, b = f"(const void *)({a})", f"(const void *)({b})"
            found.append(f"({a}) {op} ({b})")
        return "(I)(" + " && ".join(f"({f})" for f in found) + ")"

    def member(self, tree, go, state):
        if tree[2] not in self.fields:
            raise Unreadable(f"the field {tree[2]}")
        what = self.fields[tree[2]]
        code, of = go(tree[1])
        if tree[0] == "member":
            if of != "struct":
                raise Unreadable("a field of no structure")
            return (f"(I)({code}).{tree[2]}" if what == "integer" else f"({code}).{tree[2]}"), what
        cast = "(I)" if what == "integer" else ""
        return f"{cast}READ(__typeof__(({code})->{tree[2]}), {state}, &({code})->{tree[2]})", what

    def call(self, name, given_labels, given, env, state, labels):
        if name in (r"\min", r"\max"):
            a, b = (self.term(t, env, state, labels)[0] for t in given)
            return ("least_" if name == r"\min" else "most_") + f"({a}, {b})", "integer"
        if name == r"\separated":
            ranges = [self.range_of(t, env, state, labels) for t in given]
            pairs = [f"apart_({a}, {b})" for i, a in enumerate(ranges) for b in ranges[i + 1:]]
            return "(I)(" + " && ".join(pairs) + ")", "integer"
        if name not in self.logic:
            raise Unreadable(name)
        parameters, wanted, _, _ = self.define(name)
        states = [labels[w] if w in labels else None for w in given_labels] or [state] * len(wanted)
        if None in states or len(states) != len(wanted) or len(parameters) != len(given):
            raise Unreadable(f"the labels of {name}")
        codes = [self.term(t, env, state, labels)[0] for t in given]
        return f"L_{name}({', '.join(states + codes)})", "integer"

    def range_of(self, tree, env, state, labels):
        """The bytes that a set of places has: p, p + i, p + (a .. b), or the values there."""
        if tree[0] == "unary" and tree[1] == "*":
            tree = tree[2]
        elif tree[0] == "field":
            code, _ = self.term(tree[1], env, state, labels)
            return f"bytes_(&({code})->{tree[2]}, 0, 0, sizeof ({code})->{tree[2]})"
        low = high = ("number", 0)
        if tree[0] == "binary" and tree[1] == "+":
            low = high = tree[3]
            tree = tree[2]
            if low[0] == "range":
                _, low, high = low
        code, what = self.term(tree, env, state, labels)
        if not isinstance(what, tuple):
            raise Unreadable("a range of no pointer")
        ends = [self.term(t, env, state, labels)[0] for t in (low, high)]
        return f"bytes_({code}, {ends[0]}, {ends[1]}, sizeof *({code}))"

    def quantifier(self, tree, env, number):
        """Loops over the values between the bounds that the formula itself gives; outside of these it says nothing."""
        kind, names, body = tree
        chains = list(hypotheses(body, kind, self.logic))
        bound, loops, inner = set(), [], dict(env)
        for x in names:
            free = set(names) - bound # x and those that come behind it
            low, high = bounds(chains, x, free)
            lows, highs = number(low[0], inner), number(high[0], inner)
            inner[x] = (f"v_{x}", "integer")
            bound.add(x)
            loops.append((x, f"add_({lows}, {low[1]})", f"sub_({highs}, {high[1]})"))
        test = number(body, inner)
        wanted = "1" if kind == "forall" else "0"
        code = f"if (!({test}) == {wanted}) r_ = {1 - int(wanted)};"
        for x, low, high in reversed(loops):
            code = f"const I h_{x} = {high}; for (I v_{x} = {low}; r_ == {wanted} && v_{x} <= h_{x}; v_{x}++) {{ step_(); {code} }}"
        return f"({{ I r_ = {wanted}; {code} r_; }})"


def substituted(tree, given):
    """A tree with terms for names."""
    if isinstance(tree, tuple) and tree[:1] == ("name",):
        return given.get(tree[1], tree)
    return type(tree)(substituted(t, given) for t in tree) if isinstance(tree, (tuple, list)) else tree


def hypotheses(tree, kind, logic, deep=0):
    """The chains of relations that must hold for a formula to say something of a value; predicates are looked into."""
    if tree[0] == "chain":
        yield tree
    elif tree[0] == "binary" and tree[1] == "&&":
        yield from hypotheses(tree[2], "exists", logic, deep)
        yield from hypotheses(tree[3], "exists", logic, deep)
    elif tree[0] == "binary" and tree[1] == "==>" and kind == "forall":
        yield from hypotheses(tree[2], "exists", logic, deep)
        if tree[3][0] == "binary" and tree[3][1] == "==>":
            yield from hypotheses(tree[3], "forall", logic, deep)
    elif tree[0] in ("forall", "exists") and kind == tree[0]:
        yield from hypotheses(tree[2], kind, logic, deep)
    elif tree[0] == "at":
        yield from hypotheses(tree[1], kind, logic, deep)
    elif tree[0] == "call" and tree[1] in logic and deep < 5 and kind == "exists":
        given, _, body, _ = logic[tree[1]]
        yield from hypotheses(substituted(acsl.read(body), {x: t for (_, x), t in zip(given, tree[3])}), kind, logic, deep + 1)


def names_in(tree):
    if isinstance(tree, tuple) and tree[:1] == ("name",):
        return {tree[1]}
    return set().union(*map(names_in, tree)) if isinstance(tree, (tuple, list)) else set()


def bounds(chains, x, free):
    """((term, offset), (term, offset)): x is not below the first nor above the second, by a chain that bounds it."""
    low = high = None
    for _, terms, ops in chains:
        for at, term in enumerate(terms):
            if term != ("name", x):
                continue
            for i in range(at - 1, -1, -1): # a <= ... < x
                if ops[i] not in ("<", "<=", "=="):
                    break
                if not names_in(terms[i]) & free:
                    low = low or (terms[i], int("<" in ops[i:at]))
                    break
            for i in range(at + 1, len(terms)):
                if ops[i - 1] not in ("<", "<=", "=="):
                    break
                if not names_in(terms[i]) & free:
                    high = high or (terms[i], int("<" in ops[at:i]))
                    break
    if not low or not high:
        raise Unreadable("a quantifier without bounds")
    return low, high


def plain(kind):
    return " ".join(w for w in kind.split() if w not in ("const", "\\ghost"))


def parameter(text):
    """(what it is, name) of a parameter."""
    match = re.fullmatch(r"\s*(.*?)(\*?)\s*(?:const\s+)?(\w+)\s*", text.replace("/*@ ghost", ""))
    kind = plain(match[1])
    return (("pointer", kind) if match[2] else "struct" if kind.startswith("pby_") else kind and "integer"), match[3]


def c_type(what):
    return f"const {what[1]} *" if isinstance(what, tuple) else "I"


# ---- contracts ------------------------------------------------------------------------------------------

STATES = {"Pre": "PRE", "Old": "PRE", "Here": "NOW", "Post": "NOW"}
EARLY = dict.fromkeys(STATES, "NOW") # before the call


def conjuncts(tree):
    if tree[0] == "binary" and tree[1] == "&&":
        return conjuncts(tree[2]) + conjuncts(tree[3])
    return [tree]


class Wrapper:
    """The check around one function."""

    def __init__(self, unit, name, annotation, text, clauses):
        self.unit, self.name, self.clauses, self.lines = unit, name, clauses, {"before": [], "after": [], "assumes": []}
        head = texts.ATTRIBUTE.sub("", texts.without_comments(text[:text.index("{")])).strip()
        self.result, self.given = re.fullmatch(rf"(.*?)\b{name}\s*\((.*)\)", head, re.S).groups()
        self.parameters = [] if self.given.strip() == "void" else [parameter(p) for p in self.given.split(",")]
        self.env = {x: (f"(I){x}" if k == "integer" else x, k) for k, x in self.parameters}
        self.void = plain(self.result) == "void"
        self.kept, self.written, self.unknown = [], [], []
        self.read(annotation)

    def after_env(self):
        kind = plain(self.result).rstrip("*").strip()
        what = ("pointer", kind) if "*" in self.result else "struct" if kind.startswith("pby_") else "integer"
        return self.env if self.void else {**self.env, "\\result": ("(I)result_" if what == "integer" else "result_", what)}

    def read(self, annotation):
        behaviour, flags = None, {}
        for clause in texts.clauses(annotation):
            kind, _, rest = clause.rstrip("; ").partition(" ")
            label = f"{self.name}: {' '.join(clause.split(':')[0].split())[:60]}" + (f" ({behaviour})" if behaviour else "")
            if kind == "behavior":
                behaviour = rest.rstrip(":")
                flags[behaviour] = []
            elif kind == "assumes":
                self.translate(label, rest, "assumes", behaviour)
                flags[behaviour].append(len(self.lines["assumes"]))
            elif kind in ("requires", "ensures"):
                self.translate(label, rest, "before" if kind == "requires" else "after", behaviour)
            elif kind == "assigns":
                self.assigns(rest, label)
            elif kind in ("complete", "disjoint"):
                self.lines.setdefault(kind, []).append(len(self.clauses))
                self.clauses.append((label, "", True))
            else:
                self.clauses.append((label, "says that it ends", False))

    def translate(self, label, text, when, behaviour):
        try:
            tree = acsl.read(text)
            if when == "before":
                parts = conjuncts(tree)
                valid = [p for p in parts if p[0] == "call" and p[1] in (r"\valid", r"\valid_read")]
                for part in valid:
                    self.keeps(part[3])
                if valid and len(valid) == len(parts):
                    raise Unreadable("\\valid: no map of memory in this build")
                if valid:
                    parts = [p for p in parts if p not in valid]
                    tree = parts[0]
                    for part in parts[1:]:
                        tree = ("binary", "&&", tree, part)
            code, what = self.unit.term(tree, self.after_env() if when == "after" else self.env, "NOW", STATES if when == "after" else EARLY)
            if what != "integer":
                raise Unreadable("a pointer")
        except Unreadable as error:
            self.clauses.append((label, str(error), False))
            if when == "assumes":
                self.lines["assumes"].append((behaviour, None, None))
            return
        number = len(self.clauses)
        self.clauses.append((label, "", True))
        self.lines[when].append((behaviour, code, number))

    def keeps(self, given):
        try:
            self.kept.append(self.unit.range_of(given[0], self.env, "NOW", EARLY))
        except Unreadable:
            pass # it is not watched

    def assigns(self, text, label):
        try:
            if text.strip() != r"\nothing":
                for tree in acsl.Reader(f"f({text})").whole()[3]:
                    self.written.append(self.unit.range_of(tree, self.env, "NOW", EARLY))
            self.assigned = len(self.clauses)
            self.clauses.append((label, "", True))
        except Unreadable as error:
            self.unknown.append(str(error))
            self.clauses.append((label, str(error), False))

    assigned = None

    def code(self):
        """The C of the wrapper."""
        name, names = self.name, ", ".join(x for _, x in self.parameters)
        call = f"__real_{name}({names})"
        result = "" if self.void else f"{plain(self.result)} result_ = "
        out = [f"{self.result.strip()} __real_{name}({self.given});", f"{self.result.strip()} __wrap_{name}({self.given});",
               f"{self.result.strip()} __wrap_{name}({self.given})", "{", "    static uint64_t calls_;",
               f"    if (!is_checked_(&calls_)) {'{ ' + call + '; return; }' if self.void else 'return ' + call + ';'}",
               "    frame frame_ = {0}, *outer_ = now_;", "    volatile int v_ = 0, whole_ = 0;", "    now_ = &frame_;"]
        behaviours = list(dict.fromkeys(b for b, _, _ in self.lines["assumes"]))
        for b in behaviours:
            out.append(f"    volatile int is_{b} = 1;")
        for b, code, number in self.lines["assumes"]:
            out.append(f"    is_{b} = -1;" if code is None else
                       f"    TRY(v_, {code}); if (v_ < 1 && is_{b} == 1) is_{b} = v_; if (v_ < 0) judge_({number}, -1, \"{name}\", \"\"); else judge_({number}, 1, \"{name}\", \"\");")
        for kind in ("complete", "disjoint"):
            for number in self.lines.get(kind, []):
                sums, unknown = " + ".join(f"(is_{b} == 1)" for b in behaviours), " || ".join(f"is_{b} < 0" for b in behaviours)
                test = f"{sums} {'>= 1' if kind == 'complete' else '<= 1'}"
                out.append(f"    judge_({number}, {unknown} ? -1 : {test}, \"{name}\", \"{kind} behaviors\");")
        out += [self.clause(*line) for line in self.lines["before"]]
        if not self.unknown:
            steps = [f"write_to_(&frame_, {r})" for r in self.written] + [f"keep_(&frame_, {r})" for r in self.kept]
            out.append(f"    TRY(whole_, ({', '.join([*steps, '1'])}));")
        else:
            out.append("    whole_ = -1;")
        out.append(f"    {result}{call};")
        out.append("    if (whole_ == 1) {")
        if self.assigned is not None:
            out.append(f"    judge_({self.assigned}, only_written_(&frame_), \"{name}\", \"assigns\");")
        out += [self.clause(*line) for line in self.lines["after"]]
        out += ["    }", "    now_ = outer_;", "    forget_(&frame_);", *([] if self.void else ["    return result_;"]), "}", ""]
        return "\n".join(out)

    def clause(self, behaviour, code, number):
        label = self.clauses[number][0].partition(": ")[2]
        test = f"TRY(v_, ({code}) != 0); judge_({number}, v_, \"{self.name}\", \"{label}\");"
        return f"    {f'if (is_{behaviour} == 1) ' if behaviour else ''}{{ {test} }}"


def checks(printed, header, clauses):
    """(C, functions): the checks of a unit in normal form."""
    unit, wrappers = Unit(printed), []
    for kind, function, annotation, body in texts.globals_of(printed):
        if kind == "defined" and not re.search(r"\bstatic\b", texts.without_comments(body[:body.index("(")])):
            wrappers.append(Wrapper(unit, function, annotation, body, clauses))
    made = [c for c in unit.code.values() if c]
    code = "\n".join([f'#include "{header}"', '#include "proofs/checked.h"', "", *(c[0] for c in made), "", *(c[1] for c in made),
                      *(w.code() for w in wrappers)])
    return code, [w.name for w in wrappers]


def generate(folder, text, clauses):
    """Writes the checks of one text of the kernel; returns its functions."""
    printed = subprocess.run(["frama-c", *judge.READ, "-kernel-verbose", "0", str(text), "-print"], text=True, capture_output=True, check=True).stdout
    code, functions = checks(printed, f"kernel/{text.stem}.h", clauses)
    (folder / f"{text.stem}.c").write_text(code)
    return functions


# ---- the run --------------------------------------------------------------------------------------------

# Faults of objects: the unit, the text before and after, the tests that call it, and the clause that must be named.
FAULTS = (("threshold", "return v >= threshold", "return v > threshold", "kernel_threshold/*", "pby_threshold: does not hold: ensures value"),
          ("threshold", "y[i] = x[i] + 1;", "y[i] = x[i] + 1 + (i == 2);", "kernel_threshold/*", "pby_one_more: does not hold: ensures value"),
          ("threshold", "    return s;", "    ((int64_t *)noise)[0]++;\n    return s;", "kernel_threshold/*", "pby_threshold: does not hold: assigns"),
          ("uniform", "(*at)++", "(*at) += 2", "kernel_uniform/*", "pby_uniform: does not hold: "))


class Build:
    """The objects of make, with checks around the kernel's functions."""

    def __init__(self, options):
        self.out, self.cc, self.folder = Path(options.build), shlex.split(options.cc), Path(options.build) / "contracts"
        self.folder.mkdir(exist_ok=True)
        self.clauses, self.functions = [], []

    def write(self):
        units = sorted((self.out / "kernel").glob("*.i"))
        for text in units:
            self.functions += generate(self.folder, text, self.clauses)
        flags = ("-std=gnu11", "-O1", "-w", f"-DCLAUSES={len(self.clauses)}", "-Isrc", "-Iinclude", "-I.", "-c")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda t: run(*self.cc, *flags, self.folder / f"{t.stem}.c", "-o", self.folder / f"{t.stem}.o"), units))
        (self.folder / "wraps").write_text("\n".join(f"-Wl,--wrap={name}" for name in self.functions))
        self.objects = [self.folder / f"{text.stem}.o" for text in units]

    def link(self, what, name, *first):
        run(*self.cc, "-o", self.folder / name, *first, *self.objects, f"@{self.folder}/wraps", f"@{self.folder}/link.{what}")

    def suite(self, name, pattern, slow):
        """(status, all that was printed, how often each clause held and was given up)."""
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(16 * len(self.clauses))
            env = dict(os.environ, PROBITY_CONTRACTS=file.name, PROBITY=str(self.folder / "probity"), **({} if slow else {"PROBITY_SLOW": "tests/slow.txt"}))
            command = [self.folder / name, "--timeout", "900", *(["--filter", pattern] if pattern else [])]
            done = subprocess.run(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            numbers = [int.from_bytes(word, sys.byteorder) for word in iter(lambda: file.read(8), b"")]
        return done.returncode, done.stdout, list(zip(numbers[::2], numbers[1::2]))

    def plants(self, fault, flags):
        """The problem with a fault, or None if it is found."""
        unit, before, after, pattern, wanted = fault
        text = (self.out / "kernel" / f"{unit}.i").read_text()
        if text.count(before) != 1:
            return f"fault of {unit}: {before!r} is there {text.count(before)} times"
        (self.folder / "fault.i").write_text(text.replace(before, after))
        run(*self.cc, *flags, "-w", "-c", self.folder / "fault.i", "-o", self.folder / "fault.o")
        self.link("suite", "suite-fault", self.folder / "fault.o")
        _, said, _ = self.suite("suite-fault", pattern, True)
        return None if f"contracts: {wanted}" in said else f"fault of {unit}, {after!r}: not found by {wanted}"


def run(*command):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"contracts: {command[0]}: {(done.stderr or done.stdout).strip()[:2000]}")


def tell(clauses, held, everything):
    """Prints the counts, and returns the clauses that ran."""
    ran = [c for c, (yes, _) in zip(clauses, held) if yes]
    translated = [c for c in clauses if c[2]]
    reasons = {}
    for label, reason, done in clauses:
        if not done:
            reasons.setdefault(re.sub(r"^the (?:name|label|labels of|field) .*", "a name of the logic or of C that is not translated", reason), []).append(label)
    never = [c[0] for c, (yes, _) in zip(clauses, held) if c[2] and not yes]
    print(f"contracts: {len(clauses)} clauses of exported functions, {len(translated)} compiled in, {len(ran)} executed "
          f"({sum(yes for yes, _ in held)} times, given up {sum(no for _, no in held)} times)")
    for reason, labels in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"  not compiled in: {len(labels)}: {reason}")
        if everything:
            print("\n".join(f"    {label}" for label in labels))
    if never:
        print(f"  compiled in and never evaluated to the end: {len(never)}")
        print("\n".join(f"    {label}" for label in never))
    return ran


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build", metavar="DIR")
    parser.add_argument("--cc", default="gcc", metavar="CC")
    parser.add_argument("--flags", default="", help="the flags of the kernel's objects")
    parser.add_argument("--filter", metavar="PATTERN", help="only tests of that name, the slow ones too")
    parser.add_argument("--no-faults", action="store_true", help="plant nothing")
    parser.add_argument("--list", action="store_true", help="list each clause that is not compiled in")
    options = parser.parse_args()
    build, problems = Build(options), []
    build.write()
    build.link("suite", "suite")
    build.link("command", "probity")
    status, said, held = build.suite("suite", options.filter, bool(options.filter))
    broken = sorted(set(re.findall(r"^contracts: .*", said, re.M)))
    if status:
        problems += broken or [f"contracts: the suite failed:\n{said[-3000:]}"]
    ran = tell(build.clauses, held, options.list)
    if not ran:
        problems.append("contracts: no clause was executed")
    if not options.no_faults and not problems:
        problems += [f"contracts: {p}" for fault in FAULTS if (p := build.plants(fault, shlex.split(options.flags)))]
        print(f"contracts: {len(FAULTS)} faults of objects planted{'' if problems else ', each found by its clause'}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
