# SPDX-License-Identifier: MIT
"""Records the draws of a pipeline, replays them on another input, and probes it: the lines of a trace (docs/greybox.md)."""
from __future__ import annotations

import ast
import dataclasses
import hashlib
import json
import linecache
import os
import random
import secrets
import sys
import sysconfig
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Callable

from ._noise import Noise, NoiseArray, ProbeArray, ProbeFailed, ProbeSum, Sum, SumArray, Uniform, Whole, exact, numpy

_REAL: dict[str, Any] = {"random": random.Random, "system": random.SystemRandom(), "urandom": os.urandom}
_REAL_NUMPY: dict[str, Any] = {}
if numpy is not None:
    _REAL_NUMPY = {name: getattr(numpy.random, name) for name in dir(numpy.random) if not name.startswith("_")}


def text(x: Any) -> str:
    """A number as the exact text of a trace."""
    if isinstance(x, Fraction):
        return f"{x.numerator}/{x.denominator}" if x.denominator != 1 else str(x.numerator)
    if isinstance(x, int):
        return str(int(x))
    value = float.__float__(x) if isinstance(x, float) else float(x)
    return "nan" if value != value else value.hex() if value - value == 0 else "inf" if value > 0 else "-inf"


def site() -> str:
    """file:line:column of the innermost frame that is neither of this package nor of numpy and scipy."""
    frame: Any = sys._getframe(1)
    here = os.path.dirname(__file__)
    while frame is not None and (frame.f_code.co_filename.startswith(here) or f"{os.sep}numpy{os.sep}" in frame.f_code.co_filename
                                 or f"{os.sep}scipy{os.sep}" in frame.f_code.co_filename
                                 or frame.f_code.co_filename == random.__file__):
        frame = frame.f_back
    if frame is None:
        return "?:1:1"
    column = 1
    if hasattr(frame.f_code, "co_positions"):
        where = list(frame.f_code.co_positions())[frame.f_lasti // 2]
        column = (where[2] or 0) + 1
    name = frame.f_code.co_filename
    relative = os.path.relpath(name) if name.startswith(os.getcwd() + os.sep) else name
    return f"{relative}:{frame.f_lineno}:{column}"


def literal_at(place: str, value: Any) -> bool:
    """True if a call on that line has this value as a literal argument: then the seed is no secret."""
    name, line, _ = place.rsplit(":", 2)
    try:
        tree = ast.parse("".join(linecache.getlines(os.path.abspath(name))))
    except SyntaxError:
        return False
    return any(isinstance(node, ast.Call) and node.lineno <= int(line) <= (node.end_lineno or 0) and any(
        isinstance(x, ast.Constant) and x.value == value for x in [*node.args, *(k.value for k in node.keywords)])
        for node in ast.walk(tree))


class Draw:
    """One call that draws: its number among the events, and what a replay needs."""

    def __init__(self, event: int, ordinal: int, law: str, count: int, values: list[float], shape: tuple[int, ...]):
        self.event, self.ordinal, self.law, self.values, self.shape = event, ordinal, law, values, shape
        self.sums: list[list[float]] = [[] for _ in range(count)]
        self.first: list[tuple[float, float, float] | None] = [None] * count


class Recorder:
    """One run. `tape` replays another run's noise; `forced` are the values of a probe's choices."""

    def __init__(self, tape: list[Any] | None = None, probe: bool = False, forced: tuple[int, ...] = ()):
        self.events: list[dict[str, Any]] = []
        self.tape, self.probe, self.forced = tape, probe, list(forced)
        self.taken: list[int] = []    # how many values each choice of a probe has
        self.made: list[Any] = []     # the tape of this run
        self.known: set[tuple[int, int]] = set()
        self.seeds: list[Any] = []    # the values of the seeds so far
        self.quiet = False            # a primitive runs: its own draws are not recorded
        self.fresh = _REAL_NUMPY["default_rng"]() if numpy is not None else None

    # ---- events --------------------------------------------------------------------------------

    def add(self, kind: str, **members: Any) -> int:
        self.events.append({kind: len(self.events), **members})
        return len(self.events) - 1

    def _taped(self) -> Any:
        """The entry of the tape for the next draw; None where there is none."""
        at = len(self.made)
        return self.tape[at] if self.tape is not None and at < len(self.tape) else None

    def draw(self, law: str, scale: list[Any], size: Any, fresh: Callable[[int], list[float]], own: Callable[[], Any] | None = None,
             seed: int | None = None) -> Any:
        """Noise of a law: a scalar without a size, an array otherwise."""
        shape: tuple[int, ...] = () if size is None else (int(size),) if hasattr(size, "__index__") else tuple(int(x) for x in size)
        count = 1
        for axis in shape:
            count *= axis
        if self.quiet:
            given = fresh(count)
            return given[0] if size is None else numpy.array(given).reshape(shape)
        taped = self._taped()
        same = taped is not None and taped["law"] == law and len(taped["values"]) == count
        values = taped["values"] if same else fresh(count)
        members: dict[str, Any] = {"site": site(), "law": law, "scale": [text(x) for x in scale] or ["0"], "shape": list(shape)}
        if seed is not None:
            members["seeded"] = seed
            if own is not None and count > 0:
                given = own()
                members["own"] = [text(x) for x in (numpy.asarray(given).reshape(-1) if size is not None else [given])]
        event = self.add("draw", **members)
        draw = Draw(event, len(self.made), law, count, values, shape)
        self.made.append({"law": law, "values": values, "sums": draw.sums})
        kind = Uniform if law == "other" and not shape else Noise
        items = [kind(self, draw, i) for i in range(count)]
        return items[0] if size is None else NoiseArray(self, items, shape)

    def summed(self, noise: list[Noise], centres: list[Any]) -> list[Any]:
        """Noise and the centres that it is added to: an event for the elements of each draw and factor."""
        groups: dict[tuple[int, Fraction], list[int]] = {}
        for i, x in enumerate(noise):
            groups.setdefault((x.draw.event, x.factor), []).append(i)
        out: list[Any] = [None] * len(noise)
        for (event, factor), members in groups.items():
            values, noisy = [], [isinstance(centres[i], ProbeSum) for i in members]
            line = {"draw": event, "elements": [noise[i].element for i in members], "factor": text(factor), "site": site(),
                    "centre": [None if n else text(centres[i]) for i, n in zip(members, noisy)]}
            number = len(self.events)
            for place, i in enumerate(members):
                if self.probe:
                    out[i] = ProbeSum(self, (number, place, Fraction(1), Fraction(0)))
                    continue
                values.append(self._value(noise[i], float(factor), float(centres[i])))
                out[i] = Sum(values[-1], number, place)
            if not self.probe:
                line["value"] = [text(x) for x in values]
            self.events.append({"sum": number, **line})
        return out

    def _value(self, noise: Noise, factor: float, centre: float) -> float:
        draw, e = noise.draw, noise.element
        taped = self.tape[draw.ordinal] if self.tape is not None and draw.ordinal < len(self.tape) else None
        before = taped["sums"][e] if taped is not None and taped["law"] == draw.law and e < len(taped["sums"]) else []
        at = len(draw.sums[e])
        z = draw.values[e]
        if draw.first[e] is not None:
            first_factor, first_centre, first_value = draw.first[e]
            z = (first_value - first_centre) / first_factor
        value = before[at] if at < len(before) else factor * z + centre
        draw.sums[e].append(value)
        if draw.first[e] is None:
            draw.first[e] = (factor, centre, value)
        return value

    def opened(self, noise: Noise, by: str) -> float:
        draw, e = noise.draw, noise.element
        if (draw.event, e) not in self.known:
            self.known.add((draw.event, e))
            self.add("open", draw=draw.event, element=e, site=site(), by=by)
        if self.probe:
            raise ProbeFailed(by)
        z = draw.values[e]
        if draw.first[e] is not None:
            factor, centre, value = draw.first[e]
            z = (value - centre) / factor
        return float(noise.factor) * z

    def failed(self, by: str) -> Any:
        event = self.add("draw", site=site(), law="other", scale=["0"], shape=[])
        self.add("open", draw=event, element=0, site=site(), by=by)
        self.made.append({"law": "other", "values": [0.0], "sums": [[]]})
        raise ProbeFailed(by)

    # ---- choices -------------------------------------------------------------------------------

    def seeded(self, value: Any) -> int | None:
        """A seed; its value is written only if it is a literal in the source, since a variable may hold a secret."""
        if self.quiet:
            return None
        place = site()
        if isinstance(value, Word):
            value = value.value
        try:
            known, same = repr(value), repr(value) in self.seeds
        except Exception:  # a seed of another type
            known, same = str(len(self.seeds)), False
        self.seeds.append(known)
        return self.add("seed", site=place, value=str(value) if literal_at(place, value) else None, same=same)

    def choose(self, p: list[Any], labels: list[str], fresh: Callable[[], int], seed: int | None = None,
               own: Callable[[], float] | None = None) -> int:
        """The index of a label. `own` tells what the seeded generator would draw: it repeats itself if that does."""
        if self.quiet:
            return fresh()
        taped = self._taped()
        if self.probe:
            at = len(self.taken)
            value = self.forced[at] if at < len(self.forced) else 0
            self.taken.append(len(labels))
        elif taped is not None and taped["law"] == "choice" and taped["label"] in labels:
            value = taped["index"] if taped["index"] < len(labels) and labels[taped["index"]] == taped["label"] else labels.index(taped["label"])
        else:
            value = fresh()
        chances = [text(exact(x) if not isinstance(x, Fraction) else x) for x in p]
        more = {} if seed is None or own is None else {"seeded": seed, "own": [text(own())]}
        self.add("choice", site=site(), p=chances, labels=labels, value=value, **more)
        self.made.append({"law": "choice", "label": labels[value], "index": value, "values": [], "sums": []})
        return value

    def uniform(self, seed: int | None = None, own: Callable[[], float] | None = None) -> Any:
        return _REAL["system"].random() if self.quiet else UniformDraw(self, seed, own)

    # ---- primitives ----------------------------------------------------------------------------

    def _quietly(self, fresh: Callable[[], Any]) -> Any:
        self.quiet = True
        try:
            return fresh()
        finally:
            self.quiet = False

    def call(self, name: str, law: str, scale: list[Any], centre: Any, declared: Any, fresh: Callable[[], Any]) -> Any:
        """A primitive that adds noise of a law to its centre, a number or an array."""
        if self.quiet:
            return fresh()
        many = isinstance(centre, (list, tuple, ProbeArray)) or numpy is not None and isinstance(centre, numpy.ndarray) and centre.ndim > 0
        centres = list(centre.items if isinstance(centre, ProbeArray) else numpy.asarray(centre, dtype=object).reshape(-1)) if many else [centre]
        shape = (numpy.shape(centre) if not isinstance(centre, ProbeArray) else centre.shape) if many else ()
        place = site()
        taped = self._taped()
        same = taped is not None and taped["law"] == f"call {name}" and len(taped["values"]) == len(centres)
        values: list[Any] = []
        if not self.probe:
            given = taped["values"] if same else self._quietly(fresh)
            values = list(numpy.asarray(given).reshape(-1).tolist()) if many and not same else list(given) if same else [given]
        line: dict[str, Any] = {"site": place, "name": name, "law": law, "scale": [text(x) for x in scale],
                                "centre": [None if isinstance(x, ProbeSum) else text(x) for x in centres]}
        if declared is not None:
            line["declared"] = text(declared)
        if not self.probe:
            line["value"] = [text(x) for x in values]
        number = self.add("call", **line)
        self.made.append({"law": f"call {name}", "values": values, "sums": []})
        if self.probe:
            sums: list[Any] = [ProbeSum(self, (number, i, Fraction(1), Fraction(0))) for i in range(len(centres))]
            return ProbeArray(self, sums, shape) if many else sums[0]
        sums = [(Whole if isinstance(x, int) else Sum)(x, number, i) for i, x in enumerate(values)]
        return SumArray.of(sums, shape) if many else sums[0]

    def guarantee(self, name: str, spec: Callable[[Any], str | None], given: Any, fresh: Callable[[], Any]) -> Any:
        """A primitive that is known by a guarantee alone. `spec` gives it from the input of the run that is replayed; None
        says that there is none at this distance, and the draw is open."""
        if self.quiet:
            return fresh()
        place = site()
        taped = self._taped()
        same = taped is not None and taped["law"] == f"guarantee {name}"
        value = None if self.probe else taped["result"] if same else self._quietly(fresh)
        found: str | None = UNKNOWN
        if same:
            try:
                found = spec(taped["given"])
            except Exception:  # a distance that its library does not map
                found = None
        if found is None:
            event = self.add("draw", site=place, law="other", scale=["0"], shape=[])
            self.add("open", draw=event, element=0, site=place, by=name)
        else:
            self.add("call", site=place, name=name, law="guarantee", spec=found)
        self.made.append({"law": f"guarantee {name}", "values": [], "sums": [], "result": value, "given": given})
        return ProbeSum(self, None) if self.probe else value

    def compared(self, draw: Any, name: str, t: Fraction) -> bool:
        raise AssertionError("uniform draws compare themselves")


class UniformDraw(Uniform):
    """A uniform draw that is recorded when it is used: by its first comparison as a choice, otherwise as noise of another
    law, which is open."""

    __slots__ = ("state", "seed", "own")

    def __init__(self, recorder: Recorder, seed: int | None = None, own: Callable[[], float] | None = None):
        super().__init__(recorder, None, 0)
        self.state: Any = None
        given = own() if own is not None else 0.0    # in the order of the draws, not of their uses
        self.seed, self.own = seed, lambda: given

    def _compare(self, name: str, other: Any) -> Any:
        t = exact(other) if isinstance(other, (int, float)) or hasattr(other, "__float__") else None
        if self.state is not None or t is None:
            return getattr(self._opened(name), name)(float(other))
        below = min(max(t, Fraction(0)), Fraction(1))
        less = name in ("__lt__", "__le__")
        p = [below, 1 - below] if less else [1 - below, below]
        value = self.recorder.choose(p, ["True", "False"], lambda: 0 if _REAL["system"].random() < p[0] else 1, self.seed, self.own)
        self.state = (value == 0, less, float(below))
        return value == 0

    def _opened(self, by: str) -> float:
        if not isinstance(self.state, float):
            lo, hi = 0.0, 1.0
            if self.state is not None:
                yes, less, t = self.state
                lo, hi = (0.0, t) if yes == less else (t, 1.0)
            value = lo + (hi - lo) * _REAL["system"].random()
            self.draw = self.recorder.draw("other", [], None, lambda n: [value]).draw
            self.state = self.draw.values[0]
        Noise._opened(self, by)
        return self.state


# ---- generators --------------------------------------------------------------------------------

CURRENT: Recorder | None = None
# The guarantee of a call whose neighbour is not known: a replay puts its own in the place.
UNKNOWN = "approx:eps=1,delta=1"


def agreed(first: dict[str, Any], *replays: dict[str, Any]) -> None:
    """Gives the guarantees of a run and of its replay on the same input those that the last replay, on the other, has found."""
    found = [line for line in replays[-1]["body"] if line.get("law") == "guarantee" or line.get("law") == "other"]
    for result in (first, *replays[:-1]):
        mine = [line for line in result["body"] if line.get("law") == "guarantee" or line.get("law") == "other"]
        for line, other in zip(mine, found):
            if line.get("law") == "guarantee" and other.get("law") == "guarantee":
                line["spec"] = other["spec"]


def _recorder() -> Recorder:
    assert CURRENT is not None
    return CURRENT


def _scales(scale: Any, size: Any) -> list[Any]:
    return [scale] if numpy is None or numpy.ndim(scale) == 0 else list(numpy.broadcast_to(scale, size).reshape(-1))


def _located(noise: Any, loc: Any) -> Any:
    """Noise around a location that is not the number 0 has met its centre."""
    if numpy is not None and isinstance(loc, (numpy.ndarray, numpy.generic)) and loc.ndim == 0:
        loc = loc.item()
    if isinstance(loc, (int, float)) and not isinstance(loc, (Sum, Whole, bool)) and loc == 0:
        return noise
    return loc + noise


class Generator:
    """Takes the place of a generator: its noise is recorded. `real` gives what it would have drawn if it is seeded."""

    def __init__(self, real: Any, seed: int | None, module: str):
        self._real, self._seed, self._module = real, seed, module

    def _noise(self, law: str, loc: Any, scale: Any, size: Any, real: str, *arguments: Any) -> Any:
        r = _recorder()
        if numpy is not None and numpy.ndim(scale) > 0 and size is None:
            size = numpy.shape(scale)
        given = dict(size=size) if self._module == "numpy" and size is not None else {}
        own = (lambda: getattr(self._real, real)(*arguments, **given)) if self._seed is not None else None
        scales = _scales(scale, size)

        def fresh(count: int) -> list[float]:
            each = scales * count if len(scales) == 1 else scales
            system = _REAL["system"]
            return [(system.expovariate(1) * system.choice((-1, 1)) if law == "laplace" else system.gauss(0, 1)) * float(s)
                    for s, _ in zip(each, range(count))]

        return _located(r.draw(law, scales, size, fresh, own, self._seed), loc)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._noise("laplace", loc, scale, size, "laplace", 0, scale)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        return self._noise("gauss", loc, scale, size, "normal", 0, scale)

    def standard_normal(self, size: Any = None, *_: Any) -> Any:
        return self._noise("gauss", 0, 1.0, size, "standard_normal")

    def gauss(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        return self._noise("gauss", mu, sigma, None, "gauss", 0, sigma)

    normalvariate = gauss

    def _own(self) -> Callable[[], float] | None:
        return None if self._seed is None else lambda: float(self._real.random())

    def random(self, size: Any = None, *rest: Any, **named: Any) -> Any:
        return _recorder().uniform(self._seed, self._own()) if size is None else self._other("random", size, *rest, **named)

    random_sample = ranf = sample_uniform = random

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        if size is None and low == 0 and high == 1:
            return _recorder().uniform(self._seed, self._own())
        return self._other("uniform", low, high) if size is None else self._other("uniform", low, high, size)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, **named: Any) -> Any:
        if size is not None or named or (numpy is not None and numpy.ndim(a) > 1):
            return self._other("choice", a, size, replace, p, **named) if self._module == "numpy" else self._other("choice", a)
        options = list(range(a)) if hasattr(a, "__index__") else list(a)
        chances = [Fraction(1, len(options))] * len(options) if p is None else [exact(x) for x in p]
        if not options or any(x is None or x < 0 for x in chances):
            return self._other("choice", a, None, True, p)
        total = sum(chances)
        def fresh() -> int:
            u, reached = Fraction(_REAL["system"].random()) * total, Fraction(0)
            for i, chance in enumerate(chances):
                reached += chance
                if u < reached:
                    return i
            return max(i for i, chance in enumerate(chances) if chance > 0)
        value = options[_recorder().choose(chances, [str(x) for x in options], fresh, self._seed, self._own())]
        return numpy.int64(value) if numpy is not None and hasattr(a, "__index__") else value

    def _other(self, name: str, *arguments: Any, **named: Any) -> Any:
        """A draw of another law: open, and the same on the tape."""
        plain = [float(x) if isinstance(x, (Noise, Sum)) else int(x) if isinstance(x, Whole) else x for x in arguments]
        return _opened_value(name, name, lambda: getattr(_fresh_generator(self._module), name)(*plain, **named))

    def seed(self, value: Any = None, *_: Any) -> None:
        self._real = _seeded(self._module, value)
        self._seed = None if value is None else _recorder().seeded(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("bit_generator", "getstate", "setstate", "get_state", "set_state", "spawn"):
            return getattr(self._real, name)
        return lambda *arguments, **named: self._other(name, *arguments, **named)


def _fresh_generator(module: str) -> Any:
    return _REAL["system"] if module == "random" else _REAL_NUMPY["RandomState"]() if module == "legacy" else _REAL_NUMPY["default_rng"]()


def _seeded(module: str, seed: Any) -> Any:
    if isinstance(seed, Word):
        seed = seed.value
    if module == "random":
        return _REAL["random"](seed)
    return _REAL_NUMPY["RandomState"](seed) if module == "legacy" else _REAL_NUMPY["default_rng"](seed)


def _constructor(module: str) -> Callable[..., Any]:
    def construct(seed: Any = None, *rest: Any) -> Any:
        if isinstance(seed, Generator):
            return seed
        event = None if seed is None else _recorder().seeded(seed)
        return Generator(_seeded("numpy" if module == "numpy" else module, seed), event, "numpy" if module != "random" else "random")
    return construct


def _class(module: str, real: Any, construct: Callable[..., Any] | None = None) -> Any:
    """A class of that kind of generator, whose instances are recorded; real ones count as its instances too."""
    construct = construct or _constructor(module)

    class Kind(type):
        def __instancecheck__(cls, x: Any) -> bool:
            return isinstance(x, (Generator, real))

        def __call__(cls, *arguments: Any, **named: Any) -> Any:
            return construct(*arguments, **named)

    return Kind(real.__name__, (), {})


class Word:
    """An integer of the system's generator. As a seed it is a secret; anything else reads it."""

    __slots__ = ("bits", "value", "read")

    def __init__(self, bits: int):
        self.bits, self.value, self.read = bits, _REAL["system"].getrandbits(bits), False

    def _opened(self, by: str) -> int:
        if not self.read:
            self.value = _opened_value(f"randbits({self.bits})", by, lambda: self.value)
            self.read = True
        return self.value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._opened(name), name)


def _word_operator(name: str) -> Callable[..., Any]:
    def use(self: Word, *rest: Any) -> Any:
        return getattr(self._opened(name), name)(*(x._opened(name) if isinstance(x, Word) else x for x in rest))
    return use


for _name in dir(int):
    if _name.startswith("__") and _name not in ("__class__", "__new__", "__init__", "__getattribute__", "__setattr__", "__delattr__", "__doc__",
                                                "__init_subclass__", "__subclasshook__", "__dir__", "__sizeof__", "__getnewargs__", "__reduce__",
                                                "__getstate__"):
        setattr(Word, _name, _word_operator(_name))


def _opened_value(name: str, by: str, fresh: Callable[[], Any]) -> Any:
    """A draw that no law here describes: it is replayed, and counts as open."""
    r = _recorder()
    if r.quiet:
        return fresh()
    taped = r._taped()
    value = taped["result"] if taped is not None and taped["law"] == "other" and taped.get("name") == name else fresh()
    event = r.add("draw", site=site(), law="other", scale=["0"], shape=[])
    r.add("open", draw=event, element=0, site=site(), by=by)
    r.made.append({"law": "other", "values": [0.0], "sums": [[]], "name": name, "result": value})
    if r.probe:
        raise ProbeFailed(by)
    return value


_LIBRARY = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))


def _urandom(size: int) -> bytes:
    """os.urandom: recorded, but for what the standard library draws for itself (names of files, say)."""
    caller = sys._getframe(1).f_code.co_filename
    own = caller.startswith(_LIBRARY) and "site-packages" not in caller and caller != secrets.__file__
    if CURRENT is None or own or caller.startswith("<"):
        return _REAL["urandom"](size)
    return _opened_value(f"urandom({size})", "urandom", lambda: _REAL["urandom"](size))


class SystemGenerator(Generator):
    """random.SystemRandom, and the functions of secrets."""

    def __init__(self, *_: Any):
        super().__init__(_REAL["system"], None, "random")

    def seed(self, *_: Any) -> None:
        """It has no seed."""

    def getrandbits(self, bits: int) -> Any:
        return Word(bits)

    randbits = getrandbits

    def randbelow(self, n: int) -> Any:
        return _opened_value(f"randbelow({n})", "randbelow", lambda: _REAL["system"].randrange(n))

    def token_bytes(self, n: int | None = None) -> bytes:
        return _opened_value(f"token_bytes({n})", "token_bytes", lambda: _REAL["urandom"](32 if n is None else n))

    def token_hex(self, n: int | None = None) -> str:
        return self.token_bytes(n).hex()

    def token_urlsafe(self, n: int | None = None) -> str:
        import base64
        return base64.urlsafe_b64encode(self.token_bytes(n)).rstrip(b"=").decode("ascii")


def _of_bits(bits: Any) -> Any:
    """numpy.random.Generator of a bit generator: whether that is seeded, what it draws in several runs shows."""
    return Generator(_REAL_NUMPY["Generator"](bits), _recorder().seeded(object()), "numpy")


_KINDS = (_REAL["random"], *((_REAL_NUMPY["Generator"], _REAL_NUMPY["RandomState"]) if numpy is not None else ()))
_KEPT = ("SeedSequence", "BitGenerator", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "Random", "SystemRandom", "Generator")


def substitute() -> list[tuple[Any, str, Any]]:
    """Puts recording generators in the place of those of random, numpy.random, secrets and os, also under names that were
    bound earlier; returns what it replaced."""
    changed: list[tuple[Any, str, Any]] = []
    swaps: dict[int, Any] = {}
    keep: list[Any] = []

    def change(module: Any, name: str, value: Any) -> None:
        old = getattr(module, name)
        changed.append((module, name, old))
        keep.append(old)
        swaps[id(old)] = value
        setattr(module, name, value)

    for module, kind in [(random, "random")] + ([(numpy.random, "legacy")] if numpy is not None else []):
        generator = Generator(_fresh_generator(kind), None, "random" if kind == "random" else "numpy")
        for name in dir(module):
            old = getattr(module, name)
            if name.startswith("_") or name in _KEPT or not callable(old) or isinstance(old, type) or name == "default_rng":
                continue
            change(module, name, getattr(generator, name))
    system = SystemGenerator()
    for name in ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe"):
        change(secrets, name, getattr(system, name))
    change(secrets, "SystemRandom", SystemGenerator)
    change(os, "urandom", _urandom)
    if numpy is not None:
        change(numpy.random, "default_rng", _constructor("numpy"))
        change(numpy.random, "RandomState", _class("legacy", _REAL_NUMPY["RandomState"]))
        change(numpy.random, "Generator", _class("numpy", _REAL_NUMPY["Generator"], _of_bits))
    change(random, "SystemRandom", SystemGenerator)
    change(random, "Random", _class("random", _REAL["random"]))
    from . import _mechanisms
    changed += _mechanisms.substitute()
    ours = (random, secrets, os, getattr(numpy, "random", None))
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if module in ours or getattr(module, "__name__", "").startswith(("numpy", "probity._")):
                continue
            if id(value) in swaps:
                changed.append((module, name, value))
                setattr(module, name, swaps[id(value)])
            elif isinstance(value, _KINDS) and not isinstance(value, Generator):    # a generator that was made before
                changed.append((module, name, value))
                setattr(module, name, Generator(value, None, "random" if isinstance(value, _REAL["random"]) else "numpy"))
    return changed


# ---- runs --------------------------------------------------------------------------------------

def _fields(value: Any) -> list[tuple[str, Any]] | None:
    """The parts of a value that has any, each with its name in a path; None of what has none."""
    if value is None or isinstance(value, (Noise, ProbeSum, Word, str, bytes, int, float)):
        return None
    if isinstance(value, (NoiseArray, ProbeArray, SumArray)):
        return [(f"[{i}]", value[i]) for i in range(len(value))] if value.shape else None
    if hasattr(value, "to_dict") and hasattr(value, "columns"):    # pandas and polars
        value = {str(name): list(value[name]) for name in value.columns} | ({"index": list(value.index)} if hasattr(value, "index") else {})
    elif hasattr(value, "to_list") and hasattr(value, "dtype"):
        value = {"index": list(value.index), "values": list(value)} if hasattr(value, "index") and not callable(value.index) else list(value)
    if isinstance(value, Mapping):
        return [("." + (key if isinstance(key, str) and "." not in key and "[" not in key else f"({key!r})"), item)
                for key, item in value.items()]
    if isinstance(value, (list, tuple)) or (numpy is not None and isinstance(value, numpy.ndarray) and value.ndim > 0):
        return [(f"[{i}]", item) for i, item in enumerate(value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [("." + f.name, getattr(value, f.name)) for f in dataclasses.fields(value)]
    if type(value).__module__ not in ("builtins", "numpy", "decimal", "fractions", "datetime") and type(value).__repr__ is object.__repr__:
        return [("." + name, item) for name, item in sorted(getattr(value, "__dict__", {}).items())]
    return None


def _leaves(value: Any, path: str, form: list[str]) -> Any:
    """The numbers and texts of an output. `form` gets what they do not tell: types, and the order of keys."""
    parts = _fields(value)
    if parts is None:
        whole = isinstance(value, (int, Fraction)) or numpy is not None and isinstance(value, numpy.integer)
        real = isinstance(value, (float, Noise, ProbeSum)) or numpy is not None and isinstance(value, numpy.floating)
        form.append("float" if real else "int" if whole and not isinstance(value, bool) else type(value).__name__)
        yield path, value
        return
    many = isinstance(value, (NoiseArray, ProbeArray, SumArray))
    form.append(f"{'ndarray' if many else type(value).__name__}(")
    for name, item in parts:
        form.append(name)
        yield from _leaves(item, path + name, form)
    form.append(")")


def shortened(x: str) -> str:
    """A text of at most 4096 bytes that differs where the whole one does."""
    x = x.encode(errors="backslashreplace").decode()
    return x if len(x.encode()) <= 4096 else "sha256:" + sha256(x)


def _coordinate(recorder: Recorder, path: str, value: Any) -> dict[str, Any]:
    path = shortened(path)
    if isinstance(value, Uniform):
        value = value._opened("output")
    elif isinstance(value, Word):
        value = value._opened("output")
    elif isinstance(value, Noise):
        value = recorder.summed([value], [0])[0]
    if isinstance(value, ProbeSum):
        if value.tag is None:
            return {"path": path, "text": "noise"}
        event, place, a, b = value.tag
        return {"path": path, "of": event, "element": place, "a": text(a), "b": text(b)}
    if isinstance(value, (Sum, Whole)):
        return {"path": path, "value": text(value), "of": value.event, "element": value.place, "a": text(value.a), "b": text(value.b)}
    if isinstance(value, (int, float)) and not isinstance(value, bool) or numpy is not None and isinstance(value, (numpy.integer, numpy.floating)):
        return {"path": path, "value": text(int(value) if hasattr(value, "__index__") else value)}
    return {"path": path, "text": shortened(str(value))}


def outputs(recorder: Recorder, result: Any) -> list[dict[str, Any]]:
    form: list[str] = []
    output = [_coordinate(recorder, path, value) for path, value in _leaves(result, "$", form)]
    return [*output, {"path": "#form", "text": shortened("".join(form))}]


def run(pipeline: Callable[[Any], Any], data: Any, recorder: Recorder) -> tuple[list[dict[str, Any]], Any]:
    """The lines of a run behind its first, and the output as plain values. The generators are those of this package."""
    global CURRENT
    CURRENT = recorder
    error, output, plain = None, [], None
    try:
        result = pipeline(data)
        output = outputs(recorder, result)
        plain = [c.get("text", c.get("value")) for c in output[:-1]] or [output[-1]["text"]]
    except ProbeFailed as e:
        error = "ProbeFailed"
        if not any("open" in line for line in recorder.events):
            error = f"ProbeFailed: {e}"
    except Exception as e:  # an exception is an output: its type and its message
        error = type(e).__name__
        output = [{"path": "$", "text": shortened(f"{error}: {e}")}]
        plain = [output[0]["text"]]
    finally:
        CURRENT = None
    return [*recorder.events, {"output": output, "error": error}], plain


def lines(number: int, digest: str, body: list[dict[str, Any]], replay: str | None, probe: bool = False) -> str:
    head: dict[str, Any] = {"run": number, "format": "probity-trace", "version": 1, "input_sha256": digest, "replay_of": replay}
    if probe:
        head["probe"] = True
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [head, *body])


def sha256(x: str | bytes) -> str:
    return hashlib.sha256(x if isinstance(x, bytes) else x.encode()).hexdigest()
