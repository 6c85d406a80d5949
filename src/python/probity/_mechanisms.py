# SPDX-License-Identifier: MIT
"""Mechanisms of other libraries as primitives of a trace: scipy.stats, diffprivlib and OpenDP, where a pipeline imports them.

A mechanism that adds noise of a known law is a call with its centre, its scale and the sensitivity that it declares; any
other one is known by its guarantee, at the distance of its two inputs. Of nested primitives the outermost is recorded."""
from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.util
import inspect
import math
import sys
from collections import Counter
from fractions import Fraction
from typing import Any, Callable

from . import _record
from ._noise import Noise, ProbeArray, ProbeSum, exact, numpy

Changed = list[tuple[Any, str, Any]]
LEAST = Fraction(1, 10**30)    # a SPEC has no epsilon of 0


def _spec(epsilon: Any, delta: Any = 0) -> str | None:
    e, d = exact(epsilon), exact(delta)
    if e is None or d is None:
        return None
    e, d = max(e, LEAST), min(max(d, Fraction(0)), Fraction(1))
    return f"pure:eps={_record.text(e)}" if d == 0 else f"approx:eps={_record.text(e)},delta={_record.text(d)}"


# ---- a team's own mechanisms -------------------------------------------------------------------

def _argument(rule: Any, bound: inspect.BoundArguments) -> Any:
    """Reads an argument of a decorator: the name of an argument, a function of all of them, or a number."""
    if callable(rule):
        return rule(**bound.arguments)
    if isinstance(rule, str):
        if rule not in bound.arguments:
            raise TypeError(f"greybox.primitive: '{rule}': expected the name of an argument")
        return bound.arguments[rule]
    return rule


LAWS = ("laplace", "gauss", "geometric", "dgauss")


def primitive(*, law: str, centre: Any, scale: Any, sensitivity: Any = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares that a function adds noise of a law to its argument `centre`, with the parameter `scale` (docs/greybox.md has
    that of each law), for a query of the given sensitivity. Each is the name of an argument, a number, or a function of
    all arguments. The declaration is trusted; its sensitivity is compared with the shifts."""
    if law not in LAWS:
        raise ValueError(f"argument 'law': {law!r}; expected one of {', '.join(LAWS)}")

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def recorded(*arguments: Any, **named: Any) -> Any:
            recorder = _record.CURRENT
            if recorder is None:
                return function(*arguments, **named)
            bound = signature.bind(*arguments, **named)
            bound.apply_defaults()
            given, declared = _argument(scale, bound), None if sensitivity is None else _argument(sensitivity, bound)
            return recorder.call(function.__name__, law, [given], _argument(centre, bound), declared, lambda: function(*arguments, **named))
        return recorded
    return declare


def guarantee(spec: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares that a function has the guarantee of a SPEC on any two neighbouring inputs; {name} in it is the argument of
    that name. It is trusted, and bounds the loss from above alone."""
    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def recorded(*arguments: Any, **named: Any) -> Any:
            recorder = _record.CURRENT
            if recorder is None:
                return function(*arguments, **named)
            bound = signature.bind(*arguments, **named)
            bound.apply_defaults()
            text = spec.format(**bound.arguments)
            return recorder.guarantee(function.__name__, lambda _: text, None, lambda: function(*arguments, **named))
        return recorded
    return declare


# ---- scipy.stats -------------------------------------------------------------------------------

def _two_sided(rate: float) -> Callable[[int], list[float]]:
    """Integers with chances in proportion to exp(-rate |k|)."""
    def fresh(count: int) -> list[float]:
        def one() -> int:
            return math.floor(_record._REAL["system"].expovariate(1) / rate)
        return [float(one() - one()) for _ in range(count)]
    return fresh


def _scipy(module: Any) -> Changed:
    generic = sys.modules["scipy.stats._distn_infrastructure"].rv_generic  # type: ignore[attr-defined]
    real = generic.rvs

    def rvs(self: Any, *arguments: Any, **named: Any) -> Any:
        recorder = _record.CURRENT
        if recorder is None or recorder.quiet:
            return real(self, *arguments, **named)
        asked, state = dict(named), named.pop("random_state", None)
        named.pop("discrete", None)
        source = state if isinstance(state, _record.Generator) else _record.Generator(None, None, "numpy") if state is None else \
            sys.modules["numpy"].random.default_rng(state)    # type: ignore[attr-defined]
        shapes, loc, scale, size = self._parse_args_rvs(*arguments, **named)
        size = None if size in (None, 1, ()) and "size" not in named else size
        kind = type(self).__name__
        if kind == "laplace_gen":
            return source.laplace(loc, scale, size)
        if kind == "norm_gen":
            return source.normal(loc, scale, size)
        if kind == "dlaplace_gen" and source._seed is None and numpy.ndim(shapes[0]) == 0:
            return _record._located(recorder.draw("geometric", [shapes[0]], size, _two_sided(float(shapes[0]))), loc)
        return _record._opened_value(f"scipy {kind}", f"{kind}.rvs",
                                     lambda: real(self, *arguments, **{**asked, "random_state": _record._REAL_NUMPY["default_rng"]()}))

    generic.rvs = rvs
    return [(generic, "rvs", real)]


# ---- diffprivlib -------------------------------------------------------------------------------

# These add noise of a known law: the law, and its parameter.
_ADDING: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "Laplace": ("laplace", lambda m: m.sensitivity / (m.epsilon - math.log(1 - m.delta))),
    "Gaussian": ("gauss", lambda m: m._scale),
    "Geometric": ("geometric", lambda m: Fraction(m.epsilon) / Fraction(m.sensitivity)),
    "GaussianDiscrete": ("dgauss", lambda m: Fraction(m._scale) ** 2),
}
# These process the answer of the mechanism that they extend, which is recorded.
_PROCESSING = ("LaplaceTruncated", "LaplaceFolded", "GeometricTruncated", "GeometricFolded")
_GUARANTEED = ("LaplaceBoundedDomain", "LaplaceBoundedNoise", "Snapping", "Staircase", "Uniform", "Binary", "Exponential", "PermuteAndFlip",
               "ExponentialCategorical", "ExponentialHierarchical")


def _parameters(mechanism: Any) -> dict[str, str]:
    """The parameters of a mechanism, as texts: its guarantee is for two inputs of one and the same mechanism."""
    return {name: repr(value.tolist() if hasattr(value, "tolist") else value) for name, value in vars(mechanism).items()
            if not name.startswith("_") and name not in ("utility", "random_state")}


def _within(mechanism: Any, mine: tuple[Any, Any, Any], theirs: tuple[Any, Any, Any]) -> bool:
    """True if two inputs, numbers or the utilities of candidates, are as near as the mechanism declares, and the mechanism
    has the same parameters on both."""
    if mine[2] != theirs[2]:
        return False
    sensitivity = getattr(mechanism, "sensitivity", None)
    if sensitivity is None:
        return True
    first = mine[1] if mine[1] is not None else [mine[0]]
    second = theirs[1] if theirs[1] is not None else [theirs[0]]
    if len(first) != len(second):
        return False
    return all(x == y or abs(Fraction(x) - Fraction(y)) <= Fraction(sensitivity) * (1 + Fraction(1, 2**30)) for x, y in zip(first, second))


def _randomise(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def randomise(self: Any, *arguments: Any) -> Any:
        recorder = _record.CURRENT
        # A seeded mechanism is recorded draw by draw.
        if recorder is None or recorder.quiet or not isinstance(self._rng, _record.SystemGenerator):
            return real(self, *arguments)
        value = arguments[0] if arguments else None
        if not isinstance(value, ProbeSum):
            self._check_all(value)
        if name in _ADDING:
            law, scale = _ADDING[name]
            if self.sensitivity == 0 and law in ("geometric", "dgauss"):    # these have no parameter for no noise
                return real(self, *arguments)
            return recorder.call(f"diffprivlib.{name}", law, [scale(self)], value, self.sensitivity, lambda: real(self, *arguments))
        utility = getattr(self, "utility", None)
        given = (float(value) if isinstance(value, float) else value, None if utility is None else [float(x) for x in utility],
                 _parameters(self))
        return recorder.guarantee(f"diffprivlib.{name}", lambda other: _spec(self.epsilon, self.delta) if _within(self, given, other) else None,
                                  given, lambda: real(self, *arguments))
    return randomise


def _diffprivlib(module: Any) -> Changed:
    changed: Changed = []
    for name in (*_ADDING, *_GUARANTEED):
        cls = getattr(module, name, None)
        if cls is not None and "randomise" in vars(cls):
            changed.append((cls, "randomise", cls.randomise))
            cls.randomise = functools.wraps(cls.randomise)(_randomise(name, cls.randomise))
    return changed


# ---- OpenDP ------------------------------------------------------------------------------------

def _rows(x: Any) -> Counter[Any]:
    return Counter(repr(row) for row in x)


def _apart(metric: str, x: Any, y: Any) -> Any:
    """The distance of two inputs of a measurement; None where its metric is not known here."""
    name = metric.split("(")[0].split("<")[0]
    integers = any(t in metric for t in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize"))
    if name in ("SymmetricDistance", "InsertDeleteDistance"):
        first, second = _rows(x), _rows(y)
        return sum(((first - second) + (second - first)).values())
    if name in ("ChangeOneDistance", "HammingDistance"):
        return sum(repr(a) != repr(b) for a, b in zip(x, y)) if len(x) == len(y) else None
    if name == "DiscreteDistance":
        return int(repr(x) != repr(y))
    pairs = [(x, y)] if name == "AbsoluteDistance" else list(zip(x, y)) if hasattr(x, "__len__") and len(x) == len(y) else None
    if pairs is None or name not in ("AbsoluteDistance", "L1Distance", "L2Distance", "LInfDistance"):
        return None
    moved = [abs(Fraction(a) - Fraction(b)) for a, b in pairs]
    if name == "L2Distance":
        root = math.sqrt(sum(m * m for m in moved))
        return root if root == 0 else math.nextafter(root, math.inf)
    total = max(moved, default=Fraction(0)) if name == "LInfDistance" else sum(moved, Fraction(0))
    if integers:
        return math.ceil(total)
    near = float(total)
    return near if Fraction(near) >= total else math.nextafter(near, math.inf)


def _mapped(measurement: Any, distance: Any) -> str | None:
    """The guarantee of a measurement at a distance, as a SPEC."""
    if distance is None:
        return None
    measure, found = str(measurement.output_measure), measurement.map(distance)
    if measure == "MaxDivergence":
        return _spec(found)
    if measure == "Approximate(MaxDivergence)":
        return _spec(*found)
    if measure == "ZeroConcentratedDivergence":
        rho = exact(found)
        return None if rho is None else f"zcdp:rho={_record.text(max(rho, LEAST))}"
    return None


def _plain(x: Any) -> Any:
    """An input that can be kept: numbers, texts and lists of them. Raises TypeError for anything else."""
    if isinstance(x, (str, bool)) or x is None:
        return x
    if isinstance(x, (int, float)) or hasattr(x, "__float__") and not hasattr(x, "__len__"):
        return int(x) if hasattr(x, "__index__") else float(x)
    if isinstance(x, (list, tuple)) or hasattr(x, "tolist"):
        return [_plain(row) for row in x]
    raise TypeError("an input of a kind that is not known here")


def _kept(measurement: Any, data: Any) -> tuple[Any, str | None]:
    """The data, and how the measurement was built, for the replay on the other input to compare; None: it cannot."""
    if isinstance(data, (ProbeSum, ProbeArray, Noise)):
        return None, None
    try:
        return _plain(data), _construction(measurement)
    except TypeError:
        return None, None


def _construction(x: Any) -> str | None:
    """How a measurement was built: a digest of its constructors and their arguments. None where a part of it does not say."""
    x = getattr(x, "__opendp_dict__", x)
    if isinstance(x, dict):
        x = [item for key in sorted(x, key=str) for item in (str(key), x[key])]
    if isinstance(x, (list, tuple)):
        parts = [_construction(item) for item in x]
        return None if None in parts else _record.sha256(" ".join(map(str, parts)))
    if x is None or isinstance(x, (bool, int, float, str, bytes)):
        return repr(x)
    shown = str(x)    # types, metrics and measures are told by their names; a function of the user's is not
    return None if callable(x) and not isinstance(x, type) or " at 0x" in shown else shown


def _near(measurement: Any, mine: tuple[Any, Any], theirs: tuple[Any, Any]) -> str | None:
    """The guarantee at the distance of two inputs, if they were given to the same measurement."""
    if mine[1] is None or mine[1] != theirs[1]:
        return None
    return _mapped(measurement, _apart(str(measurement.input_metric), mine[0], theirs[0]))


_ADAPTIVE = ("make_adaptive_composition", "make_sequential_composition")


class _Composed:
    """A composition of OpenDP that measurements are asked of one by one: each is recorded with its own guarantee."""

    def __init__(self, real: Any, data: Any):
        self._real, self._data = real, data

    def __call__(self, query: Any) -> Any:
        recorder = _record.CURRENT
        if recorder is None or recorder.quiet or not hasattr(query, "input_metric"):
            return self._real(query)
        given = _kept(query, self._data)
        return recorder.guarantee("opendp.Queryable", lambda other: _near(query, given, other), given, lambda: self._real(query))

    def eval(self, query: Any) -> Any:
        return self(query)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def _opendp(module: Any) -> Changed:
    cls = module.Measurement
    real = cls.__call__

    def call(self: Any, argument: Any) -> Any:
        recorder = _record.CURRENT
        if recorder is None or recorder.quiet:
            return real(self, argument)
        if getattr(self, "__opendp_dict__", {}).get("__function__") in _ADAPTIVE:
            return _Composed(real(self, argument), argument)
        given = _kept(self, argument)
        return recorder.guarantee("opendp.Measurement", lambda other: _near(self, given, other), given, lambda: real(self, argument))

    cls.__call__ = cls.invoke = call
    return [(cls, "__call__", real), (cls, "invoke", real)]


# ---- when ------------------------------------------------------------------------------------

_KNOWN: dict[str, Callable[[Any], Changed]] = {"scipy.stats": _scipy, "diffprivlib.mechanisms": _diffprivlib, "opendp.mod": _opendp}


def substitute(done: set[str] | None = None) -> Changed:
    """Records the libraries that are loaded and not among `done`; returns what was replaced."""
    changed: Changed = []
    for name, change in _KNOWN.items():
        module = sys.modules.get(name)
        spec = getattr(module, "__spec__", None)
        if module is None or getattr(spec, "_initializing", False) or (done is not None and name in done):
            continue
        changed += change(module)
        if done is not None:
            done.add(name)
    return changed


def _is_library(name: str) -> bool:
    """True of a package that is installed: what it draws while it is imported is no noise of the pipeline."""
    try:
        origin = getattr(importlib.util.find_spec(name), "origin", None) or ""
    except (ImportError, ValueError):
        return False
    return "site-packages" in origin or "dist-packages" in origin


def follow_imports() -> None:
    """Records what the pipeline imports later. For a process that ends with its run."""
    done = {name for name in _KNOWN if name in sys.modules}
    real = builtins.__import__

    def importing(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        recorder, top = _record.CURRENT, name.partition(".")[0]
        quiet = level == 0 and recorder is not None and not recorder.quiet and name not in sys.modules and _is_library(top)
        if quiet:
            recorder.quiet = True
        try:
            module = real(name, globals, locals, fromlist, level)
        finally:
            if quiet:
                recorder.quiet = False
        if len(done) < len(_KNOWN):
            substitute(done)
        return module

    builtins.__import__ = importing


# Libraries that take long to import, and keep no generator of their own but what substitution finds.
SLOW = ("numpy", "scipy", "pandas", "polars", "pyarrow", "duckdb", "sklearn", "diffprivlib", "opendp", "pyspark", "snsql", "tmlt", "pydp")


def imported_by(path: str | None) -> list[str]:
    """The modules of such libraries that a file imports."""
    try:
        with open(path or "", encoding="utf-8") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return []
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module and node.level == 0]
    return [name for name in dict.fromkeys(names) if name.partition(".")[0] in SLOW]


def preload(path: str | None) -> None:
    """Imports the libraries of a pipeline once, before the forks. One that fails is left to the pipeline."""
    for name in imported_by(path):
        try:
            importlib.import_module(name)
        except Exception:
            pass
