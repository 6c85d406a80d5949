# SPDX-License-Identifier: MIT
"""prove.toml: what is to be proved of a mechanism that is not ours, read strictly."""
import ast
import os
import re
import tomllib
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

FILE = "prove.toml"
LAWS = ("geometric", "one-sided")
KNOWN = {"mechanism": {"name", "call", "units", "harness", "include"},
         "privacy": {"neighbours", "domain", "inverse", "cost", "second_cost", "fails", "epsilon"},
         "noise": {"law", "rate", "second_from", "second_rate"}, "public": None, "witness": None, "trust": {"externs"}, "mutate": {"allowed"}}
# gcc takes a name that begins with - or @ for an option, and the marks in its output have no name with a quote.
PLACE = re.compile(r"\.|\w[\w.+-]*(?:/\w[\w.+-]*)*", re.ASCII)
NAMES = {"x", "y", "z", "w", "a", "b"}
# The least rate of noise: a draw beyond 2^61 then has a chance below exp(-2^21).
LEAST_RATE = Fraction(1, 2**40)


class Bad(Exception):
    """A prove.toml, or C, that cannot be used: one line that says what was found and what was expected."""


@dataclass
class Argument:
    """A place of the call: x, z, a or something public; how many there are, or that it is pointed to."""
    name: str
    length: str = ""
    pointed: bool = False

    @property
    def array(self):
        return bool(self.length)


@dataclass
class Settings:
    folder: Path
    name: str
    call: str
    arguments: list
    answer: Argument
    returned: bool
    units: list
    harness: str
    include: list
    neighbours: str
    domain: str
    inverse: str
    cost: int
    fails: int | None
    entries: int
    epsilon: Fraction | None
    law: str
    rate: Fraction
    public: dict
    witness: dict
    second: tuple | None = None # where draws of another rate begin, their rate, and how far they move in all
    externs: list = field(default_factory=list)
    allowed: list = field(default_factory=list)

    def argument(self, name):
        return next((a for a in self.arguments if a.name == name), None)

    def publics(self):
        return [a.name for a in self.arguments if a.name not in NAMES]

    def public_arrays(self):
        return [a for a in self.arguments if a.name not in NAMES and a.array]


def refuse(where, value, expected):
    raise Bad(f"{FILE}: {where}: {value!r}: expected {expected}")


def rational(where, value):
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        refuse(where, value, "a rational such as \"1/2\"")


def whole(where, value, public):
    """An integer, or a sum and product of integers and public numbers."""
    def of(node):
        match node:
            case ast.Constant(value=int(v)) if not isinstance(v, bool):
                return v
            case ast.Name(id=name) if name in public:
                return public[name]
            case ast.BinOp(left=l, op=ast.Add(), right=r):
                return of(l) + of(r)
            case ast.BinOp(left=l, op=ast.Sub(), right=r):
                return of(l) - of(r)
            case ast.BinOp(left=l, op=ast.Mult(), right=r):
                return of(l) * of(r)
        raise ValueError
    try:
        return of(ast.parse(str(value), mode="eval").body)
    except (SyntaxError, ValueError):
        refuse(where, value, "a whole number, or a sum or product of numbers of [public]")


def parse_call(text):
    match = re.fullmatch(r"(?:(a) = )?([A-Za-z_]\w*)\(([^()]*)\)", text)
    if not match:
        refuse("mechanism.call", text, "a call such as \"a = count(x[n], n, z)\"")
    arguments = []
    for word in match[3].split(","):
        part = re.fullmatch(r"\s*(?:(\*)\s*)?([A-Za-z_]\w*)(?:\[(\w+)\])?\s*", word)
        if not part or part[1] and part[3]:
            refuse("mechanism.call", word.strip(), "a name, a name with its length such as x[n], or *a")
        arguments.append(Argument(part[2], part[3] or "", bool(part[1])))
    names = [a.name for a in arguments] + (["a"] if match[1] else [])
    for name in ("x", "z", "a"):
        if names.count(name) != 1:
            refuse("mechanism.call", text, "one x (the input), one z (the noise) and one a (the answer)")
    if len(set(names)) != len(names) or set(names) & {"y", "w", "b", "r", "s", "i"}:
        refuse("mechanism.call", text, "every name once, and none of y, w, b, r, s and i")
    for argument in arguments:
        if argument.pointed and argument.name not in NAMES:
            refuse("mechanism.call", f"*{argument.name}", "a public number, or a public array with its length")
        if any(a.name == argument.length and (a.array or a.pointed) for a in arguments):
            refuse("mechanism.call", argument.length, f"a number as the length of {argument.name}, and no array")
        if argument.array and not re.fullmatch(r"[1-9][0-9]*", argument.length) and argument.length not in set(names) - NAMES:
            refuse("mechanism.call", argument.length, f"a number or another argument as the length of {argument.name}")
    answer = Argument("a") if match[1] else next(a for a in arguments if a.name == "a")
    if not match[1] and not answer.array and not answer.pointed:
        refuse("mechanism.call", text, "an answer that is returned (a = ...), an array (a[n]) or pointed to (*a)")
    return match[2], arguments, answer, bool(match[1])


def inside(where, folder, path):
    """A path that stays in the folder, and is not one of the library's."""
    clean = os.path.normpath(path)
    if os.path.isabs(path) or clean.startswith(".."):
        refuse(where, path, "a path below the folder of prove.toml")
    if not PLACE.fullmatch(clean):
        refuse(where, path, "a path of letters, digits and _ . + -, where no name begins with one of . + -")
    if clean.split(os.sep)[0] in ("acsl", "proofs", "probity_statement.c"):
        refuse(where, path, "another name: acsl, proofs and probity_statement.c are the library's")
    return clean


def texts_of(where, table, key, public, default=None):
    value = table.get(key, default)
    if not isinstance(value, str) or value != "" and not value.strip():
        refuse(f"{where}.{key}", value, "a text")
    if re.search(r"/\*|\*/|//|[;#\"\\]", re.sub(r"\\(?:forall|exists|true|false|abs)\b|\binteger\s+\w+(?:\s*,\s*\w+)*;", "", value)):
        refuse(f"{where}.{key}", value, "a formula of ACSL without a semicolon, a comment or a word such as \\valid")
    if not is_closed(value) or ".." in value or not value.isascii():
        refuse(f"{where}.{key}", value, "a formula of ACSL that closes what it opens, without a range")
    bound = {name for names in re.findall(r"\binteger\s+(\w+(?:\s*,\s*\w+)*)\s*;", value) for name in re.split(r"\s*,\s*", names)}
    if taken := bound & (NAMES | {"r", "s"} | public):
        refuse(f"{where}.{key}", value, f"a quantifier over another name than {min(taken)}, which means something else here")
    return value.strip()


def is_closed(text):
    """Returns True if each bracket is closed by its own kind, and none before it is opened: a formula is put between brackets."""
    open_ones = []
    for c in re.findall(r"[][(){}]", text):
        if c in "([{":
            open_ones.append(c)
        elif not open_ones or open_ones.pop() + c not in ("()", "[]", "{}"):
            return False
    return not open_ones


def lists_of(where, table, key, default):
    value = table.get(key, default)
    if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
        refuse(f"{where}.{key}", value, "a list of texts")
    return value


def check_tables(found):
    for name, table in found.items():
        if name not in KNOWN:
            refuse("table", name, "one of " + ", ".join(KNOWN))
        if not isinstance(table, dict):
            refuse(name, table, f"a table [{name}]")
        for key in table:
            if KNOWN[name] is not None and key not in KNOWN[name]:
                refuse(f"key of [{name}]", key, "one of " + ", ".join(sorted(KNOWN[name])))
    for name, keys in (("mechanism", ("name", "call", "units", "harness")), ("privacy", ("neighbours", "inverse", "cost")),
                       ("noise", ("law", "rate")), ("witness", ("x", "y", "z"))):
        for key in keys:
            if key not in found.get(name, {}):
                raise Bad(f"{FILE}: [{name}]: expected {key} = ...")


def numbers(where, table):
    for key, value in table.items():
        if not isinstance(value, int) or isinstance(value, bool) or not re.fullmatch(r"[A-Za-z_]\w*", key):
            refuse(f"{where}.{key}", value, "a whole number")
    return dict(table)


def entries_of(arguments, public):
    """Returns the number of draws of the noise: as many failures are to be paid for."""
    length = next(a for a in arguments if a.name == "z").length
    if not length:
        return 1
    count = int(length) if length.isdigit() else public.get(length)
    if count is None:
        refuse("privacy.fails", length, f"the number {length} in [public], since each of the {length} draws may fail")
    if count < 1:
        refuse("privacy.fails", count, f"at least one draw as the number {length}")
    return count


def second_of(found, arguments, public):
    """(from, rate, cost) of the draws with a rate of their own: those from z[from] on. None if all have one rate."""
    privacy, noise = found["privacy"], found["noise"]
    given = [key for table, key in ((noise, "second_from"), (noise, "second_rate"), (privacy, "second_cost")) if key in table]
    if not given:
        return None
    if len(given) < 3:
        refuse("noise", given[0], "noise.second_from, noise.second_rate and privacy.second_cost together")
    if noise["law"] != "geometric" or "fails" in privacy:
        refuse("noise.second_rate", noise["second_rate"], "geometric noise, and no privacy.fails")
    begin, cost = whole("noise.second_from", noise["second_from"], public), whole("privacy.second_cost", privacy["second_cost"], public)
    length = next(a for a in arguments if a.name == "z").length
    count = int(length) if length.isdigit() else public.get(length)
    if count is None or not 0 < begin < count:
        refuse("noise.second_from", noise["second_from"], "a place inside of z, whose length is a number or one of [public]")
    rate = rational("noise.second_rate", noise["second_rate"])
    if rate < LEAST_RATE:
        refuse("noise.second_rate", noise["second_rate"], "at least 1/1099511627776")
    if cost < 0:
        refuse("privacy.second_cost", privacy["second_cost"], "a number from 0 on")
    return begin, rate, cost


def load(folder):
    folder = Path(folder)
    path = folder / FILE
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Bad(f"{path}: there is no such file; probity prove init NAME writes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Bad(f"{path}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise Bad(f"{path}: not TOML: {error}") from None
    check_tables(found)
    mechanism, privacy, noise = found["mechanism"], found["privacy"], found["noise"]
    name, arguments, answer, returned = parse_call(mechanism["call"] if isinstance(mechanism["call"], str) else "")
    if mechanism["name"] != name:
        refuse("mechanism.name", mechanism["name"], f"{name}, the function of mechanism.call")
    public = numbers("public", found.get("public", {}))
    known = {a.name for a in arguments} - NAMES
    for key in public:
        if key not in known:
            refuse("public", key, "an argument of mechanism.call")
        if any(a.name == key and a.array for a in arguments):
            refuse(f"public.{key}", public[key], "no value here: an array may have any, and [witness] has some")
    cost = whole("privacy.cost", privacy["cost"], public)
    if cost < 0:
        refuse("privacy.cost", privacy["cost"], "a number from 0 on")
    if noise["law"] not in LAWS:
        refuse("noise.law", noise["law"], " or ".join(LAWS))
    rate = rational("noise.rate", noise["rate"])
    if rate < LEAST_RATE:
        refuse("noise.rate", noise["rate"], "at least 1/1099511627776")
    fails = None
    if "fails" in privacy:
        fails = whole("privacy.fails", privacy["fails"], public)
        if fails < 1 or noise["law"] != "geometric":
            refuse("privacy.fails", privacy["fails"], "a number from 1 on, and geometric noise")
    units = [inside("mechanism.units", folder, u) for u in lists_of("mechanism", mechanism, "units", [])]
    if not units:
        refuse("mechanism.units", [], "the C files that define the mechanism")
    if not isinstance(mechanism["harness"], str):
        refuse("mechanism.harness", mechanism["harness"], "the C file that defines the harness")
    harness = inside("mechanism.harness", folder, mechanism["harness"])
    for path in (*units, harness):
        if not path.endswith(".c") or not (folder / path).is_file():
            refuse("mechanism", path, "a C file that is there")
    witness = found["witness"]
    for key, value in witness.items():
        if not re.fullmatch(r"[-{}(),.\w\s]+", str(value)) or isinstance(value, bool):
            refuse(f"witness.{key}", value, "the numbers of a C initialiser such as \"{3, 0}\"")
    for key in known - set(public) - set(witness):
        raise Bad(f"{FILE}: [witness]: expected {key} = ..., an argument of mechanism.call")
    return Settings(
        folder, name, mechanism["call"], arguments, answer, returned, units, harness,
        [inside("mechanism.include", folder, d) for d in lists_of("mechanism", mechanism, "include", ["."])],
        texts_of("privacy", privacy, "neighbours", known), texts_of("privacy", privacy, "domain", known, ""),
        texts_of("privacy", privacy, "inverse", known), cost, fails, entries_of(arguments, public) if fails is not None else 1,
        rational("privacy.epsilon", privacy["epsilon"]) if "epsilon" in privacy else None, noise["law"], rate, public,
        {k: str(v) for k, v in witness.items()}, second_of(found, arguments, public), lists_of("trust", found.get("trust", {}), "externs", []),
        lists_of("mutate", found.get("mutate", {}), "allowed", []))
