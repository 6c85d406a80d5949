# SPDX-License-Identifier: MIT
"""Writes the statement about a mechanism that is not ours: a C function whose goals are the hypotheses of the theorem.

private_NAME takes any two neighbours and any noise, calls the harness, which carries the noise z to w, and then runs the
mechanism itself on x with z and on y with w. Its assertions are same, injective and cost. So nothing rests on what the
harness says of itself: what it assumes must follow from what is written here, and what it promises must give what is
asserted here. witness_NAME calls it with numbers, and symmetric_NAME shows that neighbours are so in both orders.
"""
import re
from fractions import Fraction

import logic
from settings import Bad

UNIT = "probity_statement.c"
NOISE_MAX = "0x2000000000000000" # 2^61
# Relations of acsl/ that are symmetric by their definitions.
FIXED = r"(?![xy]\b)\w+" # what is the same in both orders: a number, a constant or a public argument
SYMMETRIC = re.compile(rf"(?:Distance|Unlike|Near|Together)\(x, y, {FIXED}(?:, {FIXED})?\)(?: <= {FIXED})?|Apart\(x, y\) <= {FIXED}")
WORD = re.compile(r"(?<![\w.\\])[A-Za-z_]\w*")
NUMBER = re.compile(r"u?int\d+_t|size_t|(?:unsigned )?(?:int|long)")
LOGIC = {"forall", "exists", "integer", "true", "false", "abs", "sizeof"}
THEOREMS = {"geometric": "alignment_private, shift_cost, geometric_smooth",
            "one-sided": "alignment_private, raise_cost, one_sided_rises"}


def substitute(text, words):
    return WORD.sub(lambda m: words.get(m[0], m[0]), text)


def prototype(sources, name):
    """The type that a function returns, and the types and names of its parameters, out of the text without comments."""
    for text in sources:
        for match in re.finditer(rf"^(?:static +)?([A-Za-z_][\w ]*?[\s*]+){name}\s*\(([^()]*)\)\s*[;{{]", text, re.M):
            if {"return", "else", "do"} & set(match[1].split()):
                continue
            parameters = []
            for word in match[2].split(","):
                part = re.fullmatch(r"\s*(.*?[\s*])(\w+)\s*(?:\[\w*\]\s*)?", word, re.S)
                if not part:
                    raise Bad(f"{name}: a parameter without a name: '{word.strip()}'")
                pointer = "*" in part[1] or "[" in word
                base = " ".join(part[1].replace("*", " ").split())
                if part[1].count("*") > 1:
                    raise Bad(f"{name}: a pointer to a pointer: '{word.strip()}'")
                parameters.append((base, pointer, part[2]))
            return " ".join(match[1].split()), parameters
    raise Bad(f"{name}: no prototype of it in the units, the harness or their headers")


class Statement:
    def __init__(self, settings, sources):
        self.s = s = settings
        returned, parameters = prototype(sources, s.name)
        if len(parameters) != len(s.arguments):
            raise Bad(f"{s.name}: it has {len(parameters)} parameters, and mechanism.call {len(s.arguments)}")
        self.types = {}
        for argument, (base, pointer, _) in zip(s.arguments, parameters):
            plain = base.replace("const", "").strip()
            if pointer != (argument.array or argument.pointed):
                raise Bad(f"{s.name}: '{argument.name}' of mechanism.call {'is' if pointer else 'is not'} a pointer there")
            if argument.name == "z" and plain != "int64_t":
                raise Bad(f"{s.name}: the noise is {plain}, expected int64_t")
            if argument.name != "a" and pointer and "const" not in base.split():
                raise Bad(f"{s.name}: '{argument.name}' points to what may be written: expected const {plain} *")
            if argument in s.public_arrays() and not NUMBER.fullmatch(plain):
                raise Bad(f"{s.name}: '{argument.name}' is an array of {plain}, expected one of numbers")
            self.types[argument.name] = plain
        if s.returned:
            self.types["a"] = returned.replace("*", " * ").strip()
            if "*" in returned or returned == "void":
                raise Bad(f"{s.name}: it returns {returned}, expected a number")
        elif returned != "void":
            raise Bad(f"{s.name}: it returns {returned} beside the answer, expected void")
        self.check_types(sources)
        self.x, self.z, self.a = s.argument("x"), s.argument("z"), s.answer
        kind, harness = prototype(sources, f"align_{s.name}")
        if kind != "void":
            raise Bad(f"align_{s.name}: it returns {kind}, expected void")
        self.harness = [name for _, _, name in harness]
        wanted = ["x", "y", "z", "w", *s.publics(), "a", "b"]
        if sorted(self.harness) != sorted(wanted):
            raise Bad(f"align_{s.name}: its parameters are {', '.join(self.harness)}, expected {', '.join(wanted)} in any order")
        self.check_words("inverse", s.inverse, {"x", "y", "w", "a", "i"})
        self.check_words("neighbours", s.neighbours, {"x", "y"})
        self.check_words("domain", s.domain, {"x"})
        if (self.z.array) != bool(re.search(r"\bi\b", s.inverse)) and self.z.array:
            raise Bad(f"prove.toml: privacy.inverse: '{s.inverse}': expected what z[i] is, with w[i] or another value at i")

    def check_types(self, sources):
        """The input holds its data itself: what it points to would not be compared."""
        for name in ("x", "a"):
            plain = self.types[name]
            if match := re.fullmatch(r"(?:struct\s+)?(\w+)", plain):
                for text in sources:
                    for body in re.findall(rf"struct\s+{match[1]}\s*\{{([^}}]*)\}}|struct\s*\w*\s*\{{([^}}]*)\}}\s*{match[1]}\s*;", text):
                        if "*" in "".join(body):
                            raise Bad(f"{plain}: a struct with a pointer, expected one that holds its data itself")

    def check_words(self, where, text, allowed):
        """Only the names that the clause may depend on; a name before a parenthesis is a word of the logic."""
        bound = set(re.findall(r"\binteger\s+(\w+)", text)) | LOGIC | set(self.s.publics()) | allowed
        for match in WORD.finditer(text):
            if match[0] not in bound and not re.match(r"\s*\(", text[match.end():]) and not re.fullmatch(r"[A-Z][A-Z0-9_]+", match[0]):
                raise Bad(f"prove.toml: privacy.{where}: '{match[0]}': expected one of {', '.join(sorted(allowed))}, "
                          "a public argument, a constant or a function of the logic")

    # ---- pieces -----------------------------------------------------------------------------------

    def second(self, name):
        return {"x": "y", "z": "w", "a": "b"}.get(name, name)

    def is_scalar(self, name):
        return not self.s.argument(name).array and not self.s.argument(name).pointed

    def reach(self, name, of):
        length = of.length
        return f"{name} + (0 .. {length} - 1)" if length else name

    def values(self, text):
        """A clause of prove.toml as it stands in C: what is one number there is pointed to here."""
        words = {}
        if self.x.pointed:
            words |= {"x": "(*x)", "y": "(*y)"}
        if not self.z.array:
            words["w"] = "(*w)"
        if not self.a.array:
            words["a"] = "(*a)"
        return substitute(text, words)

    def read_pointers(self):
        found = [(n, of) for n, of in (("x", self.x), ("y", self.x), ("z", self.z)) if of.array or of.pointed]
        return found + [(of.name, of) for of in self.s.public_arrays()]

    def written(self):
        found = [("w", self.z), ("a", self.a), ("b", self.a)]
        return found + ([] if self.s.returned else [("r", self.a), ("s", self.a)])

    def place(self, name, of):
        return f"{name}[0 .. {of.length} - 1]" if of.length else f"*{name}"

    def parameters(self):
        x, z, a = self.types["x"], "int64_t", self.types["a"]
        of = lambda t, arg, name: f"const {t} *{name}" if arg.array or arg.pointed else f"{t} {name}"
        found = [of(x, self.x, "x"), of(x, self.x, "y"), of(z, self.z, "z"), f"{z} *w"]
        found += [of(self.types[p], self.s.argument(p), p) for p in self.s.publics()]
        return found + [f"{a} *{name}" for name, _ in self.written()[1:]]

    def pass_on(self):
        return ", ".join(["x", "y", "z", "w", *self.s.publics(), *(name for name, _ in self.written()[1:])])

    def call(self, second):
        words = []
        for argument in self.s.arguments:
            name = self.second(argument.name) if second else argument.name
            if argument.name == "a":
                name = "s" if second else "r"
            if argument.name == "z" and second and not self.z.array:
                name = "*w"
            words.append(name)
        return f"{self.s.name}({', '.join(words)})"

    def every(self, length, body):
        return f"\\forall integer i; 0 <= i < {length} ==> {body}" if length else body

    def law(self, name):
        low = f"-{NOISE_MAX}" if self.s.law == "geometric" else "0"
        return self.every(self.z.length, f"{low} <= {name}{'[i]' if self.z.array else ''} <= {NOISE_MAX}")

    def holds(self):
        """The noise on which the alignment must hold; nothing where it must always."""
        if self.s.fails is None:
            return ""
        return self.every(self.z.length, f"z{'[i]' if self.z.array else ''} < {self.s.fails}")

    def clauses(self):
        """(name, formula) of what is asserted behind the harness."""
        s, given = self.s, f"({self.holds()}) ==> " if self.s.fails is not None else ""
        z = "z[i]" if self.z.array else "z"
        cost = f"Distance(z, w, {self.z.length})" if self.z.array else "Apart(z, *w)"
        found = [("injective", f"{given}({self.every(self.z.length, f'{z} == ({self.values(s.inverse)})')})")]
        if s.second: # a sum up to a place, and from there on
            begin, _, second = s.second
            found += [("cost", f"Distance(z, w, {begin}) <= {s.cost}"), ("cost_second", f"{cost} - Distance(z, w, {begin}) <= {second}")]
        else:
            found.append(("cost", f"{given}({cost} <= {s.cost})"))
        if s.law == "one-sided":
            w = "w[i]" if self.z.array else "*w"
            found.append(("cost_raised", f"{given}({self.every(self.z.length, f'{z} <= {w}')})"))
        return found

    def equal(self, one, two):
        if self.a.array:
            return self.every(self.a.length, f"{one}[i] == {two}[i]")
        return f"{one} == {two}" if self.s.returned else f"*{one} == *{two}"

    def kept(self, names, label):
        """That arrays of numbers are still what they were: without these the provers search long where answers are arrays."""
        known = {"x": self.x, "y": self.x, "z": self.z, "w": self.z, "a": self.a, "b": self.a, "r": self.a}
        known |= {of.name: of for of in self.s.public_arrays()}
        plain = [n for n in (*names, *(of.name for of in self.s.public_arrays())) if known[n].array and (n not in ("x", "y") or NUMBER.fullmatch(self.types["x"]))]
        at = "\\at"
        return [f"    /*@ assert kept_{n}: {self.every(known[n].length, f'{n}[i] == {at}({n}[i], {label})')}; */\n" for n in plain]

    def contract(self):
        s = self.s
        reads = " && ".join(f"\\valid_read({self.reach(n, of)})" for n, of in self.read_pointers())
        writes = " && ".join(f"\\valid({self.reach(n, of)})" for n, of in self.written())
        apart = ", ".join(self.reach(n, of) for n, of in self.written() + self.read_pointers())
        lines = [f"requires valid: {reads};"] if reads else []
        lines += [f"requires place: {writes};", f"requires apart: \\separated({apart});"]
        lines += [f"requires public: {' && '.join(f'{k} == {v}' for k, v in s.public.items())};"] if s.public else []
        lines += self.about_inputs()
        lines += [f"requires law: {self.law('z')};", "terminates \\true;",
                  f"assigns {', '.join(self.place(n, of) for n, of in self.written())};", "ensures reached: \\result == 1;"]
        return "/*@ " + "\n    ".join(lines) + "\n*/\n"

    def about_inputs(self):
        found = []
        if self.s.domain:
            found.append(f"requires domain: ({self.values(self.s.domain)}) && "
                         f"({self.values(substitute(self.s.domain, {'x': 'y'}))});")
        return found + [f"requires neighbour: {self.values(self.s.neighbours)};"]

    # ---- the file ---------------------------------------------------------------------------------

    def text(self):
        s = self.s
        parts = [f"/* Written by probity prove: what is proved of {s.name}. */\n",
                 "#include <stddef.h>\n#include <stdint.h>\n\n#include \"acsl/alignment.h\"\n#include \"acsl/response.h\"\n",
                 f"#include \"{s.harness}\"\n\n", self.contract(), f"int private_{s.name}({', '.join(self.parameters())})\n{{\n",
                 f"    align_{s.name}({', '.join(self.harness)});\n"]
        if self.a.array:
            parts += [*self.kept("xy", "Pre"), "Aligned:\n"]
        parts += [f"    /*@ assert {name}: {formula}; */\n" for name, formula in self.clauses()]
        if s.returned:
            parts += [f"    const {self.types['a']} r = {self.call(False)};\n", f"    const {self.types['a']} s = {self.call(True)};\n",
                      "    /*@ assert first: r == *a; */\n"]
        elif self.a.array:
            parts += [f"    {self.call(False)};\n", *self.kept("xyzwab", "Aligned"),
                      f"    /*@ assert first: {self.equal('r', 'a')}; */\nFirst:\n", f"    {self.call(True)};\n",
                      *self.kept("ywabr", "First")]
        else:
            parts += [f"    {self.call(False)};\n", f"    /*@ assert first: {self.equal('r', 'a')}; */\n", f"    {self.call(True)};\n"]
        given = f"({self.holds()}) ==> " if s.fails is not None else ""
        name = "fails" if s.fails is not None else "same"
        parts += [f"    /*@ assert {name}: {given}({self.equal('r', 's')}); */\n", "    return 1;\n}\n\n", self.witness()]
        if not SYMMETRIC.fullmatch(s.neighbours):
            parts.append(self.symmetric())
        return "".join(parts)

    def locals(self):
        s, lines = self.s, []
        for name, of in (("x", self.x), ("y", self.x), ("z", self.z)):
            kind = self.types["x" if name != "z" else "z"]
            value = s.witness[name]
            if of.array:
                lines.append(f"    const {kind} {name}[{self.number(of.length)}] = {value};\n")
            elif of.pointed:
                lines.append(f"    const {kind} {name}_of = {value};\n    const {kind} *{name} = &{name}_of;\n")
            else:
                lines.append(f"    const {kind} {name} = {value};\n")
        return lines + self.public_locals()

    def public_locals(self):
        """The public arguments of the witness."""
        arrays = {of.name: of for of in self.s.public_arrays()}
        return [f"    const {self.types[p]} {p}[{self.number(arrays[p].length)}] = {self.s.witness[p]};\n" if p in arrays else
                f"    const {self.types[p]} {p} = {self.number(p)};\n" for p in self.s.publics()]

    def number(self, word):
        if word.isdigit():
            return word
        found = self.s.public.get(word, self.s.witness.get(word))
        if found is None or not re.fullmatch(r"-?\d+", str(found)):
            raise Bad(f"prove.toml: witness.{word}: {found!r}: expected a whole number")
        return str(found)

    def witness(self):
        s, lines, passed = self.s, self.locals(), {}
        for name, of in self.written():
            kind = "int64_t" if name == "w" else self.types["a"]
            lines.append(f"    {kind} {name}[{self.number(of.length) if of.array else 1}];\n")
        return ("/*@ terminates \\true;\n    assigns \\nothing;\n    ensures reached: \\result == 1;\n*/\n"
                f"int witness_{s.name}(void)\n{{\n{''.join(lines)}    return private_{s.name}({self.pass_on()});\n}}\n")

    def symmetric(self):
        s = self.s
        reads = " && ".join(f"\\valid_read({self.reach(n, of)})" for n, of in self.read_pointers() if n != "z")
        swapped = substitute(self.values(s.neighbours), {"x": "y", "y": "x"})
        lines = ([f"requires valid: {reads};"] if reads else []) + self.about_inputs()
        lines += ["terminates \\true;", "assigns \\nothing;", f"ensures symmetric: {swapped};"]
        parameters = ", ".join(p for p in self.parameters() if p.split()[-1].strip("*") in {"x", "y", *s.publics()})
        return "\n/*@ " + "\n    ".join(lines) + f"\n*/\nvoid symmetric_{s.name}({parameters})\n{{\n" + "".join(
            f"    (void){name};\n" for name in ("x", "y", *s.publics())) + "}\n"


# ---- what follows ---------------------------------------------------------------------------------

def epsilon(settings):
    first = Fraction(settings.cost) * settings.rate
    return first + settings.second[1] * settings.second[2] if settings.second else first


def theorems(settings):
    return THEOREMS[settings.law].replace("shift_cost", "shift_cost_two") if settings.second else THEOREMS[settings.law]


def rates(settings):
    """The rates of the noise in words."""
    if not settings.second:
        return f"rate {settings.rate}"
    begin, rate, _ = settings.second
    return f"rate {settings.rate} before z[{begin}] and of rate {rate} from there on"


def definitions(settings, sources):
    """The definitions behind the words of neighbours and domain: a reader is to see who counts as a neighbour."""
    known = logic.definitions(sources)
    constants = dict(re.findall(r"^#define (\w+) (.+)$", "\n".join(sources), re.M))
    found, todo = {}, [settings.neighbours, settings.domain]
    while todo:
        for name in re.findall(r"\w+", todo.pop()):
            if name in known and name not in found:
                predicate, parameters, body = known[name]
                body = re.split(r"\b(?:predicate|logic|lemma)\b", body)[0].strip()
                found[name] = " ".join(f"{name}({parameters}) = {body}".split())
                todo.append(body)
            elif name in constants and name not in found:
                found[name] = constants[name]
    return found


def spec(settings, delta):
    """Returns the spec that a proof of these numbers proves: any mechanism that is (epsilon, delta)-private, as the command spells it. A
    proof does not show more, such as which noise law of the command the code has. None without a loss: no spec says that."""
    if epsilon(settings) == 0:
        return None
    return f"pure:eps={epsilon(settings)}" if Fraction(delta) == 0 else f"approx:eps={epsilon(settings)},delta={Fraction(delta)}"


def listed(values):
    return " and ".join(f"{name} = {value}" for name, value in values.items())


def fixed(settings):
    """The public arguments in words: a proof for one value says nothing of another."""
    free = [name for name in settings.publics() if name not in settings.public]
    words = [f"for {listed(settings.public)} and no other value" if settings.public else "",
             f"for every {' and '.join(free)}" if free else ""]
    return ", ".join(filter(None, words))


def words(settings, delta, externs):
    """Returns the proved statement as a sentence."""
    law = "two-sided geometric noise" if settings.law == "geometric" else "one-sided geometric noise"
    return (f"{settings.call}{', ' * bool(settings.publics())}{fixed(settings)}: for every two inputs x and y with {settings.neighbours}"
            + (f", both with {settings.domain}," if settings.domain else "")
            + f" the answers of x and of y are ({epsilon(settings)}, {delta})-indistinguishable in both orders, if z is independent "
            f"{law} of {rates(settings)} and a draw beyond 2^61 releases nothing"
            + (f", and if the contract of {' and that of '.join(externs)} is true, which nothing proves" if externs else "")
            + f"; such inputs are {listed(settings.witness | settings.public)}")


def second(settings):
    """The second rate, if there is one: a statement without one is what it was."""
    return {"second": dict(zip(("from", "rate", "cost"), (settings.second[0], str(settings.second[1]), settings.second[2])))} if settings.second else {}


def said(settings, delta, trusted, sources=()):
    """Returns the proved statement as a dictionary, the same in the answers and in the receipt."""
    return {"mechanism": settings.name, "call": settings.call, "neighbours": settings.neighbours, "domain": settings.domain,
            "law": settings.law, "rate": str(settings.rate), "cost": settings.cost, **second(settings), "fails": settings.fails,
            "public": {name: settings.public.get(name) for name in settings.publics()}, "epsilon": str(epsilon(settings)), "delta": delta,
            "spec": spec(settings, delta), "witness": settings.witness, "definitions": definitions(settings, sources),
            "theorems": theorems(settings), "trusted": sorted(trusted),
            "words": words(settings, delta, sorted(name.split(":")[1] for name in trusted))}
