# SPDX-License-Identifier: MIT
"""Calls of the C library: numbers as text, texts that are freed, and statuses that become exceptions."""
from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Iterator, Union

from ._probity import ffi, lib
from ._worker import served

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


def call(function: Callable[..., int], *arguments: Any, long: bool = False) -> None:
    """Calls a function whose last parameter is a pby_error; raises unless it returns PBY_OK. A `long` call is served
    so that Ctrl-C ends the wait for it."""
    err = ffi.new("pby_error *")
    status = served(lambda: function(*arguments, err)) if long else function(*arguments, err)
    if status != lib.PBY_OK:
        text = ffi.string(err.text).decode("utf-8", "replace")
        raise _EXCEPTIONS.get(status, Failure)(text, ffi.string(lib.pby_reason_text(err.reason)).decode())


def made(function: Callable[..., int], type_name: str, free: Callable[[Any], None], *arguments: Any,
         long: bool = False) -> Any:
    """Returns the object that a function makes through its first parameter; it is freed with its last reference."""
    out = ffi.new(f"{type_name} **")
    call(function, out, *arguments, long=long)
    return ffi.gc(out[0], free)


def text_of(function: Callable[..., int], *arguments: Any) -> str:
    """The text that a function gives through its first parameter."""
    out = ffi.new("char **")
    call(function, out, *arguments, long=True)
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


def digits(name: str, x: int) -> str:
    """An integer as text. Python refuses to write one of more than 4300 digits."""
    try:
        return str(x)
    except ValueError:
        raise BadInput(f"argument '{name}': an integer of too many digits", "argument") from None


def number(name: str, x: Number) -> str:
    """A number as the text that the library reads exactly. A float stands for the decimal that Python prints:
    0.1 is one tenth."""
    if isinstance(x, str):
        return x
    if x is None:
        raise TypeError(f"argument '{name}': None; expected a number")
    if isinstance(x, bool):
        raise BadInput(f"argument '{name}': {x!r} is no number", "argument")
    if isinstance(x, Fraction):
        return f"{digits(name, x.numerator)}/{digits(name, x.denominator)}"
    if isinstance(x, Decimal):
        if x.is_finite():
            return str(x).lower()
    elif hasattr(x, "__index__"):
        return digits(name, x.__index__())
    elif isinstance(x, float) or hasattr(x, "__float__"):
        value = float(x)
        if value - value == 0:
            return repr(value)
    raise BadInput(f"argument '{name}': {x!r} is no finite number", "argument")


def encoded(name: str, x: Any) -> bytes:
    """A text or a path as the bytes of a C string, which ends at a NUL: a text that has one is refused."""
    if not isinstance(x, (str, bytes, os.PathLike)):
        raise TypeError(f"argument '{name}': {type(x).__name__}; expected a text or a path")
    try:
        text = os.fsencode(x)
    except UnicodeEncodeError:
        raise BadInput(f"argument '{name}': expected a text that can be encoded", "argument") from None
    if b"\0" in text:
        raise BadInput(f"argument '{name}': expected a text without a NUL", "argument")
    return text


def content(name: str, x: str) -> bytes:
    """A document as UTF-8."""
    try:
        return x.encode()
    except UnicodeEncodeError:
        raise BadInput(f"argument '{name}': expected a text that can be encoded", "argument") from None


def read(name: str, path: Any) -> str:
    """The text of a file."""
    try:
        return Path(os.fsdecode(encoded(name, path))).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"argument '{name}': expected a file of UTF-8", "argument") from None


class Texts:
    """Texts for C, and whatever else it points to, kept alive as long as this is."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def keep(self, x: Any) -> Any:
        self._kept.append(x)
        return x

    def text(self, x: Any, name: str = "text") -> Any:
        """A char *, NULL for None. A path may be given."""
        return ffi.NULL if x is None else self.keep(ffi.new("char[]", encoded(name, x)))

    def number(self, name: str, x: Number | None) -> Any:
        return ffi.NULL if x is None else self.text(number(name, x), name)

    def value(self, name: str, x: Number) -> Any:
        """A pby_value; a number is needed."""
        return self.keep(ffi.new("pby_value *", {"text": self.text(number(name, x), name)}))[0]


def integer(name: str, x: Any, least: int, most: int, secret: bool = False) -> int:
    """An integer between two bounds. One that is secret is not shown where it is none."""
    if isinstance(x, bool) or not hasattr(x, "__index__") or not least <= x.__index__() <= most:
        shown = "(not shown)" if secret else digits(name, x) if isinstance(x, int) else repr(x)
        raise BadInput(f"argument '{name}': {shown}; expected an integer from {least} to {most}", "argument")
    return x.__index__()


class Shared:
    """A C object that one thread uses at a time: the others wait. `close` waits as well, and what comes behind it
    is refused."""

    __slots__ = ("_held", "_lock")

    def __init__(self, c: Any):
        self._held = c
        self._lock = threading.RLock()

    @contextmanager
    def _open(self) -> Iterator[Any]:
        with self._lock:
            if self._held is None:
                raise BadInput(f"{type(self).__name__.lower()}: expected one that is open; it was closed", "argument")
            yield self._held

    def _drop(self) -> None:
        with self._lock:
            held, self._held = self._held, None
            if held is not None:
                ffi.release(held)
