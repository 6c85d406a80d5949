# SPDX-License-Identifier: MIT
"""Noise that has not met its centre, and sums that remember which draw they are of.

A draw is an object without a value, no float: whatever reads it other than by a sum is seen. A sum is a float that knows
(event, place, a, b): it is a y + b of the sum y. In a probe sums have no value either, and any use of them but + - * /
and the output fails the probe. numpy is used where it is there."""
from __future__ import annotations

import numbers
import operator
from fractions import Fraction
from typing import Any

try:
    import numpy
except ImportError:  # a pipeline of the standard library alone
    numpy = None  # type: ignore[assignment]


class ProbeFailed(Exception):
    """A probe met a use of noise that needs its value."""


def exact(x: Any) -> Fraction | None:
    """A finite number as a rational; None if it is none."""
    if isinstance(x, bool) or (numpy is not None and isinstance(x, numpy.bool_)):
        return Fraction(int(x))
    if isinstance(x, (int, Fraction)):
        return Fraction(x)
    if isinstance(x, numbers.Integral):
        return Fraction(int(x))
    if isinstance(x, numbers.Real):
        value = float.__float__(x) if isinstance(x, float) else float(x)
        return Fraction(value) if value - value == 0 else None
    return None


def is_number(x: Any) -> bool:
    return isinstance(x, numbers.Real) and not isinstance(x, (Noise, Sum, Whole))


def is_array(x: Any) -> bool:
    return numpy is not None and isinstance(x, numpy.ndarray) and x.ndim > 0


class Noise:
    """An element of a draw, times a factor. The recorder keeps its value until something other than a sum asks."""

    __slots__ = ("recorder", "draw", "element", "factor")
    __array_priority__ = 1000.0

    def __init__(self, recorder: Any, draw: Any, element: int, factor: Fraction = Fraction(1)):
        self.recorder, self.draw, self.element, self.factor = recorder, draw, element, factor

    def _scaled(self, by: Fraction) -> Noise:
        return Noise(self.recorder, self.draw, self.element, self.factor * by)

    def _opened(self, by: str) -> float:
        return self.recorder.opened(self, by)

    def _combine(self, name: str, other: Any, reverse: bool) -> Any:
        """+ - * / with a number is a sum or a factor; anything else reads the noise."""
        if is_array(other) or isinstance(other, (NoiseArray, ProbeArray)):
            return NoiseArray(self.recorder, [self], ())._combine(name, other, reverse)
        if numpy is not None and isinstance(other, numpy.ndarray):
            other = other[()]
        plain = is_number(other)
        if name in ("add", "sub") and (plain or isinstance(other, (Sum, Whole, ProbeSum))):
            noise = self._scaled(Fraction(-1)) if name == "sub" and reverse else self
            centre = -other if name == "sub" and not reverse else other
            return self.recorder.summed([noise], [centre])[0]
        factor = exact(other) if plain else None
        if factor is not None and name == "mul" and factor != 0:
            return self._scaled(factor)
        if factor is not None and name == "truediv" and not reverse and factor != 0:
            return self._scaled(1 / factor)
        mine = self._opened(f"__{name}__")
        theirs = other._opened(f"__{name}__") if isinstance(other, Noise) else other
        function = getattr(operator, name)
        return function(theirs, mine) if reverse else function(mine, theirs)

    def __neg__(self) -> Noise:
        return self._scaled(Fraction(-1))

    def __pos__(self) -> Noise:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return NoiseArray(self.recorder, [self], ()).__array_ufunc__(
            ufunc, method, *(NoiseArray(self.recorder, [x], ()) if x is self else x for x in inputs), **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(float(self._opened(name)), name)


def _arithmetic(cls: type) -> None:
    setattr(cls, "__copy__", lambda self: self)
    setattr(cls, "__deepcopy__", lambda self, memo: self)
    for name in ("add", "sub", "mul", "truediv"):
        setattr(cls, f"__{name}__", lambda self, other, name=name: self._combine(name, other, False))
        setattr(cls, f"__r{name}__", lambda self, other, name=name: self._combine(name, other, True))


def _reading(cls: type, names: str, function: Any) -> None:
    for name in names.split():
        setattr(cls, f"__{name}__", lambda self, *rest, name=name: function(self, f"__{name}__", *rest))


BINARY = "lt le gt ge eq ne pow rpow mod rmod floordiv rfloordiv divmod rdivmod"
UNARY = "float int bool index abs round trunc floor ceil complex"
SHOWN = "str repr format hash"


def _read(noise: Noise, by: str, *rest: Any) -> Any:
    value = noise._opened(by)
    if by == "__float__":
        return value
    if by == "__bool__":
        return bool(value)
    if by in ("__trunc__", "__floor__", "__ceil__"):
        import math
        return getattr(math, by.strip("_"))(value)
    if by in ("__int__", "__index__"):
        return int(value)
    if by == "__complex__":
        return complex(value)
    if by == "__hash__":
        return hash(value)
    return getattr(value, by)(*(float(x) if isinstance(x, (Noise, Sum, Whole)) else x for x in rest))


_arithmetic(Noise)
_reading(Noise, f"{BINARY} {UNARY} {SHOWN} reduce_ex", _read)


class Uniform(Noise):
    """A uniform draw. Its first comparison with a number is a choice; anything else reads it."""

    __slots__ = ()

    def _compare(self, name: str, other: Any) -> Any:
        t = exact(other) if is_number(other) else None
        if t is None:
            return getattr(self._opened(name), name)(other)
        return self.recorder.compared(self, name, t)

    def _combine(self, name: str, other: Any, reverse: bool) -> Any:
        function = getattr(operator, name)
        mine = self._opened(f"__{name}__")
        return function(other, mine) if reverse else function(mine, other)

    def __neg__(self) -> Any:
        return -self._opened("__neg__")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__" and len(inputs) == 2 and ufunc.__name__ in ("less", "less_equal", "greater", "greater_equal"):
            name = {"less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"}[ufunc.__name__]
            if inputs[0] is self:
                return self._compare(f"__{name}__", inputs[1])
            return self._compare("__" + {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}[name] + "__", inputs[0])
        return getattr(ufunc, method)(*(self._opened(ufunc.__name__) if x is self else x for x in inputs), **kwargs)


for _name in ("lt", "le", "gt", "ge"):
    setattr(Uniform, f"__{_name}__", lambda self, other, name=f"__{_name}__": self._compare(name, other))


class Sum(float):
    """A noisy value: a y + b of the sum y at a place of an event."""

    event: int
    place: int
    a: Fraction
    b: Fraction

    def __new__(cls, value: float, event: int, place: int, a: Fraction = Fraction(1), b: Fraction = Fraction(0)) -> Sum:
        made = super().__new__(cls, value)
        made.event, made.place, made.a, made.b = event, place, a, b
        return made

    def _combine(self, name: str, other: Any, reverse: bool) -> Any:
        if isinstance(other, (Noise, NoiseArray)):
            return NotImplemented
        mine = float.__float__(self)
        if is_array(other):
            return NotImplemented
        value = getattr(operator, name)(other, mine) if reverse else getattr(operator, name)(mine, other)
        return tagged_value(self, value, name, other, reverse)

    def __neg__(self) -> Sum:
        return Sum(-float.__float__(self), self.event, self.place, -self.a, -self.b)

    def __pos__(self) -> Sum:
        return self

    def __reduce__(self) -> Any:
        return float, (float.__float__(self),)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        name = UFUNCS.get(ufunc.__name__)
        if method == "__call__" and not kwargs and name is not None and len(inputs) == 2:
            others = [x for x in inputs if x is not self]
            if len(others) == 1 and is_number(others[0]):
                return self._combine(name, others[0], inputs[0] is not self)
        plain = tuple(float.__float__(x) if isinstance(x, Sum) else x for x in inputs)
        return getattr(ufunc, method)(*plain, **kwargs)


_arithmetic(Sum)
UFUNCS = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv"}


def affine(name: str, ab: tuple[Fraction, Fraction], x: Fraction | None, reverse: bool) -> tuple[Fraction, Fraction] | None:
    """(a, b) behind + - * / with x; None where the result is no multiple of the sum plus a constant."""
    a, b = ab
    if x is None:
        return None
    if name == "add":
        return a, b + x
    if name == "sub":
        return (-a, x - b) if reverse else (a, b - x)
    if name == "mul":
        return (a * x, b * x) if x != 0 else None
    if name == "truediv" and not reverse:
        return (a / x, b / x) if x != 0 else None
    return None


def tagged_value(of: Any, value: Any, name: str, other: Any, reverse: bool) -> Any:
    """The value of + - * / of a sum and something else: a sum again, if that is a number."""
    tag = affine(name, (of.a, of.b), exact(other), reverse) if is_number(other) else None
    if tag is None or not isinstance(value, (int, float)):
        return value
    return (Whole if isinstance(value, int) else Sum)(value, of.event, of.place, *tag)


class Whole(int):
    """A noisy integer, which knows what a Sum knows."""

    event: int
    place: int
    a: Fraction
    b: Fraction

    def __new__(cls, value: int, event: int, place: int, a: Fraction = Fraction(1), b: Fraction = Fraction(0)) -> Whole:
        made = super().__new__(cls, value)
        made.event, made.place, made.a, made.b = event, place, a, b
        return made

    def _combine(self, name: str, other: Any, reverse: bool) -> Any:
        if isinstance(other, (Noise, NoiseArray)) or is_array(other):
            return NotImplemented
        mine = int.__int__(self)
        plain = int.__int__(other) if isinstance(other, Whole) else other
        value = getattr(operator, name)(plain, mine) if reverse else getattr(operator, name)(mine, plain)
        return tagged_value(self, value, name, other, reverse)

    def __neg__(self) -> Whole:
        return Whole(-int.__int__(self), self.event, self.place, -self.a, -self.b)

    def __pos__(self) -> Whole:
        return self

    def __reduce__(self) -> Any:
        return int, (int.__int__(self),)


_arithmetic(Whole)


class ProbeSum:
    """A sum without a value. tag is (event, place, a, b), or None of what is not published."""

    __slots__ = ("recorder", "tag")
    __array_priority__ = 1000.0

    def __init__(self, recorder: Any, tag: tuple[int, int, Fraction, Fraction] | None):
        self.recorder, self.tag = recorder, tag

    def _combine(self, name: str, other: Any, reverse: bool) -> Any:
        if isinstance(other, (Noise, NoiseArray)):
            return NotImplemented
        if is_array(other) or isinstance(other, ProbeArray):
            return ProbeArray(self.recorder, [self], ())._combine(name, other, reverse)
        if isinstance(other, ProbeSum):
            return ProbeSum(self.recorder, None)
        if not is_number(other):
            self.recorder.failed(name)
        ab = None if self.tag is None else affine(name, self.tag[2:], exact(other), reverse)
        return ProbeSum(self.recorder, None if self.tag is None or ab is None else (*self.tag[:2], *ab))

    def __neg__(self) -> ProbeSum:
        return self._combine("mul", -1, False)

    def __pos__(self) -> ProbeSum:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ProbeArray(self.recorder, [self], ()).__array_ufunc__(
            ufunc, method, *(ProbeArray(self.recorder, [x], ()) if isinstance(x, ProbeSum) else x for x in inputs), **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__array__", "__array_interface__", "__array_struct__"):
            raise AttributeError(name)
        self.recorder.failed(name)


_arithmetic(ProbeSum)
_reading(ProbeSum, f"{BINARY} {UNARY} {SHOWN} reduce_ex iter len contains getitem", lambda self, by, *rest: self.recorder.failed(by))


class _Many:
    """Elements in an order and a shape."""

    __slots__ = ("recorder", "items", "shape")
    __array_priority__ = 1000.0

    def __init__(self, recorder: Any, items: list[Any], shape: tuple[int, ...]):
        self.recorder, self.items, self.shape = recorder, items, shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return len(self.items)

    def _objects(self) -> Any:
        array = numpy.empty(len(self.items), dtype=object)
        for i, item in enumerate(self.items):
            array[i] = item
        return array.reshape(self.shape)

    def _of(self, array: Any) -> Any:
        if not isinstance(array, numpy.ndarray):
            return array
        return type(self)(self.recorder, list(array.reshape(-1)), array.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __getitem__(self, at: Any) -> Any:
        return self._of(self._objects()[at])

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def reshape(self, *shape: Any) -> Any:
        return self._of(self._objects().reshape(*shape))

    def tolist(self) -> Any:
        return [x.tolist() if isinstance(x, _Many) else x for x in self]

    def __neg__(self) -> Any:
        return type(self)(self.recorder, [-x for x in self.items], self.shape)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
        name = UFUNCS.get(ufunc.__name__)
        if method != "__call__" or name is None or kwargs or len(inputs) != 2:
            if method == "__call__" and ufunc.__name__ == "negative":
                return -self
            return self._other(ufunc, method, inputs, kwargs)
        reverse = inputs[0] is not self
        result = self._combine(name, inputs[0 if reverse else 1], reverse)
        if out is not None and isinstance(out[0], numpy.ndarray) and isinstance(result, numpy.ndarray):
            out[0][...] = numpy.asarray(result)
        return result


class NoiseArray(_Many):
    """Draws of one call, or some of them."""

    __slots__ = ()

    def _combine(self, name: str, other: Any, reverse: bool) -> Any:
        if isinstance(other, Noise):
            other = NoiseArray(self.recorder, [other], ())
        noisy = isinstance(other, NoiseArray)
        objects = other._objects() if isinstance(other, _Many) else numpy.asarray(other, dtype=None if is_array(other) else object)
        if isinstance(other, SumArray):
            objects = other.tagged()
        mine, theirs = numpy.broadcast_arrays(self._objects(), objects, subok=False)
        shape, first, second = mine.shape, list(mine.reshape(-1)), list(theirs.reshape(-1))
        if noisy or name not in ("add", "sub"):
            items = [x._combine(name, y, reverse) for x, y in zip(first, second)]
            if all(isinstance(x, Noise) for x in items):
                return NoiseArray(self.recorder, items, shape)
            return numpy.array(items).reshape(shape)
        if name == "sub" and reverse:
            first = [-x for x in first]
        elif name == "sub":
            second = [-x for x in second]
        sums = self.recorder.summed(first, second)
        if shape == ():
            return sums[0]
        return ProbeArray(self.recorder, sums, shape) if self.recorder.probe else SumArray.of(sums, shape)

    def _other(self, ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
        plain = [x.values(ufunc.__name__) if isinstance(x, NoiseArray) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def values(self, by: str) -> Any:
        return numpy.array([x._opened(by) for x in self.items]).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values("__array__").astype(dtype or float)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.values(name), name)


_arithmetic(NoiseArray)
_reading(NoiseArray, f"{BINARY} abs {SHOWN} contains matmul rmatmul bool float int index reduce_ex",
         lambda self, by, *rest: getattr(self.values(by), by)(*rest))


class ProbeArray(_Many):
    """Sums without values."""

    __slots__ = ()

    def _combine(self, name: str, other: Any, reverse: bool) -> Any:
        if isinstance(other, NoiseArray):
            return NotImplemented
        objects = other._objects() if isinstance(other, _Many) else numpy.asarray(other, dtype=object)
        mine, theirs = numpy.broadcast_arrays(self._objects(), objects, subok=False)
        function = getattr(operator, name)
        pairs = zip(mine.reshape(-1), theirs.reshape(-1))
        items = [function(y, x) if reverse else function(x, y) for x, y in pairs]
        return items[0] if mine.shape == () else ProbeArray(self.recorder, items, mine.shape)

    def _other(self, ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
        self.recorder.failed(ufunc.__name__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__array__":
            raise AttributeError(name)
        self.recorder.failed(name)


_arithmetic(ProbeArray)
_reading(ProbeArray, f"{BINARY} {UNARY} {SHOWN} reduce_ex contains setitem matmul rmatmul bytes", lambda self, by, *rest: self.recorder.failed(by))

if numpy is not None:
    class SumArray(numpy.ndarray):
        """Noisy values; tags has (event, place, a, b) and the value for each, or None. What is written into the array
        later has another value, and loses its tag."""

        tags: Any = None

        @classmethod
        def of(cls, sums: list[Any], shape: tuple[int, ...]) -> SumArray:
            made = numpy.array([float(x) for x in sums]).reshape(shape).view(cls)
            tags = numpy.empty(len(sums), dtype=object)
            for i, x in enumerate(sums):
                tags[i] = (x.event, x.place, x.a, x.b, float.__float__(x)) if isinstance(x, Sum) else None
            made.tags = tags.reshape(shape)
            return made

        def __array_finalize__(self, other: Any) -> None:
            self.tags = None

        def tagged(self) -> Any:
            """The values as an array of objects, each a Sum where it has a tag."""
            values = numpy.asarray(self).astype(object)
            if self.tags is not None and self.tags.shape == self.shape:
                flat, tags = values.reshape(-1), self.tags.reshape(-1)
                for i in range(flat.size):
                    if tags[i] is not None and (flat[i] == tags[i][4] or flat[i] != flat[i] and tags[i][4] != tags[i][4]):
                        flat[i] = Sum(flat[i], *tags[i][:4])
            return values

        def __getitem__(self, at: Any) -> Any:
            found = self.tagged()[at]
            if isinstance(found, numpy.ndarray):
                return SumArray.of(list(found.reshape(-1)), found.shape)
            return found

        def __iter__(self) -> Any:
            return (self[i] for i in range(len(self)))

        def tolist(self) -> Any:
            return self.tagged().tolist()

        def copy(self, order: str = "C") -> SumArray:
            return SumArray.of(list(self.tagged().reshape(-1)), self.shape)

        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
            name = UFUNCS.get(ufunc.__name__)
            if any(isinstance(x, (Noise, _Many)) for x in inputs):
                return NotImplemented
            if method == "__call__" and name is not None and not kwargs:
                values = [x.tagged() if isinstance(x, SumArray) else numpy.asarray(x).astype(object) for x in inputs]
                result = getattr(operator, name)(*values)
                made = SumArray.of(list(result.reshape(-1)), result.shape)
                if out is not None:
                    out[0].view(numpy.ndarray)[...] = numpy.asarray(made)
                return made
            plain = [numpy.asarray(x) if isinstance(x, SumArray) else x for x in inputs]
            if out is not None:
                kwargs["out"] = tuple(numpy.asarray(x) if isinstance(x, SumArray) else x for x in out)
            return getattr(ufunc, method)(*plain, **kwargs)
else:
    class SumArray:  # type: ignore[no-redef]
        """There is none without numpy."""
