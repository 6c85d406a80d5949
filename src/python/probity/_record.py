# SPDX-License-Identifier: MIT
"""Records the draws of a pipeline, replays them on another input, and probes it: the lines of a trace (docs/greybox.md)."""
from __future__ import annotations

import ast
import hashlib
import json
import linecache
import os
import random
import sys
from fractions import Fraction
from typing import Any, Callable

from ._noise import Noise, NoiseArray, ProbeArray, ProbeFailed, ProbeSum, Sum, SumArray, Uniform, exact, numpy

_REAL = {"random": random.Random, "system": random.SystemRandom()}
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
    """file:line:column of the innermost frame that is neither of this package nor of numpy."""
    frame: Any = sys._getframe(1)
    here = os.path.dirname(__file__)
    while frame is not None and (frame.f_code.co_filename.startswith(here) or f"{os.sep}numpy{os.sep}" in frame.f_code.co_filename
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

    def choose(self, p: list[Any], labels: list[str], fresh: Callable[[], int]) -> int:
        taped = self._taped()
        if self.probe:
            at = len(self.taken)
            value = self.forced[at] if at < len(self.forced) else 0
            self.taken.append(len(labels))
        elif taped is not None and taped["law"] == "choice" and taped["label"] in labels:
            value = taped["index"] if taped["index"] < len(labels) and labels[taped["index"]] == taped["label"] else labels.index(taped["label"])
        else:
            value = fresh()
        self.add("choice", site=site(), p=[text(exact(x) if not isinstance(x, Fraction) else x) for x in p], labels=labels, value=value)
        self.made.append({"law": "choice", "label": labels[value], "index": value, "values": [], "sums": []})
        return value

    def uniform(self) -> Noise:
        return UniformDraw(self)

    def compared(self, draw: Any, name: str, t: Fraction) -> bool:
        raise AssertionError("uniform draws compare themselves")


class UniformDraw(Uniform):
    """A uniform draw that is recorded when it is used: by its first comparison as a choice, otherwise as noise of another
    law, which is open."""

    __slots__ = ("state",)

    def __init__(self, recorder: Recorder):
        super().__init__(recorder, None, 0)
        self.state: Any = None

    def _compare(self, name: str, other: Any) -> Any:
        t = exact(other) if isinstance(other, (int, float)) or hasattr(other, "__float__") else None
        if self.state is not None or t is None:
            return getattr(self._opened(name), name)(float(other))
        below = min(max(t, Fraction(0)), Fraction(1))
        less = name in ("__lt__", "__le__")
        p = [below, 1 - below] if less else [1 - below, below]
        value = self.recorder.choose(p, ["True", "False"], lambda: 0 if _REAL["system"].random() < p[0] else 1)
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


def _recorder() -> Recorder:
    assert CURRENT is not None
    return CURRENT


def _scales(scale: Any, size: Any) -> list[Any]:
    return [scale] if numpy is None or numpy.ndim(scale) == 0 else list(numpy.broadcast_to(scale, size).reshape(-1))


def _located(noise: Any, loc: Any) -> Any:
    """Noise around a location that is not the number 0 has met its centre."""
    if isinstance(loc, (int, float)) and not isinstance(loc, (Sum, bool)) and loc == 0:
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

    def random(self, size: Any = None, *rest: Any, **named: Any) -> Any:
        return _recorder().uniform() if size is None else self._other("random", size, *rest, **named)

    random_sample = ranf = sample_uniform = random

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        if size is None and low == 0 and high == 1:
            return _recorder().uniform()
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
        value = options[_recorder().choose(chances, [str(x) for x in options], fresh)]
        return numpy.int64(value) if numpy is not None and hasattr(a, "__index__") else value

    def _other(self, name: str, *arguments: Any, **named: Any) -> Any:
        """A draw of another law: open, and the same on the tape."""
        r = _recorder()
        taped = r._taped()
        plain = [float(x) if isinstance(x, (Noise, Sum)) else x for x in arguments]
        if taped is not None and taped["law"] == "other" and taped.get("name") == name:
            value = taped["result"]
        else:
            value = getattr(_fresh_generator(self._module), name)(*plain, **named)
        event = r.add("draw", site=site(), law="other", scale=["0"], shape=[])
        r.add("open", draw=event, element=0, site=site(), by=name)
        r.made.append({"law": "other", "values": [0.0], "sums": [[]], "name": name, "result": value})
        if r.probe:
            raise ProbeFailed(name)
        return value

    def seed(self, value: Any = None, *_: Any) -> None:
        place = site()
        self._real = _seeded(self._module, value)
        self._seed = None if value is None else _recorder().add("seed", site=place, value=str(value) if literal_at(place, value) else None)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("bit_generator", "getstate", "setstate", "get_state", "set_state", "spawn"):
            return getattr(self._real, name)
        return lambda *arguments, **named: self._other(name, *arguments, **named)


def _fresh_generator(module: str) -> Any:
    return _REAL["system"] if module == "random" else _REAL_NUMPY["RandomState"]() if module == "legacy" else _REAL_NUMPY["default_rng"]()


def _seeded(module: str, seed: Any) -> Any:
    if module == "random":
        return _REAL["random"](seed)
    return _REAL_NUMPY["RandomState"](seed) if module == "legacy" else _REAL_NUMPY["default_rng"](seed)


def _constructor(module: str) -> Callable[..., Any]:
    def construct(seed: Any = None, *rest: Any) -> Any:
        if isinstance(seed, Generator):
            return seed
        place = site()
        event = None
        if seed is not None:
            event = _recorder().add("seed", site=place, value=str(seed) if literal_at(place, seed) else None)
        return Generator(_seeded("numpy" if module == "numpy" else module, seed), event, "numpy" if module != "random" else "random")
    return construct


def _class(module: str, real: Any) -> Any:
    """A class of that kind of generator, whose instances are recorded; real ones count as its instances too."""
    construct = _constructor(module)

    class Kind(type):
        def __instancecheck__(cls, x: Any) -> bool:
            return isinstance(x, (Generator, real))

        def __call__(cls, *arguments: Any, **named: Any) -> Any:
            return construct(*arguments, **named)

    return Kind(real.__name__, (), {})


_KEPT = ("SeedSequence", "BitGenerator", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "Random", "SystemRandom", "Generator")


def substitute() -> list[tuple[Any, str, Any]]:
    """Puts recording generators in the place of those of random and numpy.random, also under names that were bound
    earlier; returns what it replaced."""
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
            if name.startswith("_") or name in _KEPT or not callable(old) or isinstance(old, type) or getattr(old, "__module__", "") == "random" and name == "Random":
                continue
            if name in ("default_rng",):
                continue
            change(module, name, getattr(generator, name))
    if numpy is not None:
        change(numpy.random, "default_rng", _constructor("numpy"))
        change(numpy.random, "RandomState", _class("legacy", _REAL_NUMPY["RandomState"]))
    change(random, "Random", _class("random", _REAL["random"]))
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in swaps and module not in (random, getattr(numpy, "random", None)) and not getattr(module, "__name__", "").startswith(("numpy", "probity._")):
                changed.append((module, name, value))
                setattr(module, name, swaps[id(value)])
    return changed


# ---- runs --------------------------------------------------------------------------------------

def _leaves(value: Any, path: str) -> Any:
    if isinstance(value, (NoiseArray, ProbeArray, SumArray)) and value.shape:
        for i in range(len(value)):
            yield from _leaves(value[i], f"{path}[{i}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}")
    elif isinstance(value, (list, tuple)) or (numpy is not None and isinstance(value, numpy.ndarray) and value.ndim > 0):
        for i, item in enumerate(value):
            yield from _leaves(item, f"{path}[{i}]")
    else:
        yield path, value


def _coordinate(recorder: Recorder, path: str, value: Any) -> dict[str, Any]:
    if isinstance(value, Uniform):
        value = value._opened("output")
    elif isinstance(value, Noise):
        value = recorder.summed([value], [0])[0]
    if isinstance(value, ProbeSum):
        if value.tag is None:
            return {"path": path, "text": "noise"}
        event, place, a, b = value.tag
        return {"path": path, "of": event, "element": place, "a": text(a), "b": text(b)}
    if isinstance(value, Sum):
        return {"path": path, "value": text(value), "of": value.event, "element": value.place, "a": text(value.a), "b": text(value.b)}
    if isinstance(value, (int, float)) and not isinstance(value, bool) or numpy is not None and isinstance(value, (numpy.integer, numpy.floating)):
        return {"path": path, "value": text(int(value) if hasattr(value, "__index__") else value)}
    return {"path": path, "text": str(value)[:4096]}


def run(pipeline: Callable[[Any], Any], data: Any, recorder: Recorder) -> tuple[list[dict[str, Any]], Any]:
    """The lines of a run behind its first, and the output as plain values. The generators are those of this package."""
    global CURRENT
    CURRENT = recorder
    error, output, plain = None, [], None
    try:
        result = pipeline(data)
        output = [_coordinate(recorder, path, value) for path, value in _leaves(result, "$")]
        plain = [c.get("text", c.get("value")) for c in output]
    except ProbeFailed as e:
        error = "ProbeFailed"
        if not any("open" in line for line in recorder.events):
            error = f"ProbeFailed: {e}"
    except Exception as e:  # an exception is an output: its type
        error = type(e).__name__
        plain = [error]
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
