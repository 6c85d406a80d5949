"""Calls of the C library: numbers as text, texts that are freed, and statuses that become exceptions."""
from __future__ import annotations

import json
import os
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Union

from ._probity import ffi, lib

Number = Union[int, str, float, Fraction, Decimal]


class Error(Exception):
    """A call that the library did not answer with yes. `reason` is one word, such as 'budget'."""

    def __init__(self, text: str, reason: str):
        super().__init__(text)
        self.reason = reason


class BadInput(Error, ValueError):
    """An argument or data that are not what they should be; the text names the argument."""


class Refused(Error):
    """A negative verdict: a certificate that does not hold, a budget that would be overspent."""


class Failure(Error, RuntimeError):
    """The machine failed: no entropy, no memory, no disk. Nothing was released, unless `released` is set: then the
    budget is spent, and that is what was bought, as CSV."""

    released: bytes | None = None


_EXCEPTIONS = {lib.PBY_NO: Refused, lib.PBY_BAD: BadInput}


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last parameter is a pby_error; raises unless it returns PBY_OK."""
    err = ffi.new("pby_error *")
    status = function(*arguments, err)
    if status != lib.PBY_OK:
        text = ffi.string(err.text).decode("utf-8", "replace")
        raise _EXCEPTIONS.get(status, Failure)(text, ffi.string(lib.pby_reason_text(err.reason)).decode())


def made(function: Callable[..., int], type_name: str, free: Callable[[Any], None], *arguments: Any) -> Any:
    """What a function makes through its first parameter; it is freed with the last reference to it."""
    out = ffi.new(f"{type_name} **")
    call(function, out, *arguments)
    return ffi.gc(out[0], free)


def text_of(function: Callable[..., int], *arguments: Any) -> str:
    """The text that a function gives through its first parameter."""
    out = ffi.new("char **")
    call(function, out, *arguments)
    return taken(out)


def taken(out: Any) -> str:
    """The text that stands in a char **, which is freed."""
    try:
        return ffi.string(out[0]).decode()
    finally:
        lib.free(out[0])


def report(function: Callable[..., int], *arguments: Any) -> Any:
    """The answer of a function that writes JSON through its first parameter."""
    return json.loads(text_of(function, *arguments))


def number(name: str, x: Number) -> str:
    """A number as the text that the library reads exactly. A float stands for the decimal that Python prints:
    0.1 is one tenth."""
    if isinstance(x, str):
        return x
    if isinstance(x, bool):
        raise BadInput(f"argument '{name}': {x!r} is no number", "argument")
    if isinstance(x, Fraction):
        return f"{x.numerator}/{x.denominator}"
    if isinstance(x, Decimal):
        if x.is_finite():
            return str(x).lower()
    elif hasattr(x, "__index__"):
        return str(x.__index__())
    elif isinstance(x, float) or hasattr(x, "__float__"):
        value = float(x)
        if value - value == 0:
            return repr(value)
    raise BadInput(f"argument '{name}': {x!r} is no finite number", "argument")


class Texts:
    """Texts for C, and whatever else it points to, kept alive as long as this is."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def keep(self, x: Any) -> Any:
        self._kept.append(x)
        return x

    def text(self, x: Any) -> Any:
        """A char *, NULL for None. A path may be given."""
        if x is None:
            return ffi.NULL
        return self.keep(ffi.new("char[]", os.fsencode(x)))

    def number(self, name: str, x: Number | None) -> Any:
        return ffi.NULL if x is None else self.text(number(name, x))


def integer(name: str, x: Any, least: int, most: int) -> int:
    """An integer between two bounds."""
    if isinstance(x, bool) or not hasattr(x, "__index__") or not least <= x.__index__() <= most:
        raise BadInput(f"argument '{name}': {x!r}; expected an integer from {least} to {most}", "argument")
    return x.__index__()
