# SPDX-License-Identifier: MIT
"""Enclosures: two decimals that surround a true value."""
from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any


class Undecided(ValueError):
    """A comparison that the enclosure is too wide to decide. Ask with more digits or a smaller width."""


def _exact(x: Any) -> Any:
    """A number as a Fraction, or an infinite float."""
    if isinstance(x, (float, Decimal)) and math.isinf(x):
        return float(x)
    return Fraction(x)


class Enclosure:
    """lo <= truth <= hi. Both ends are decimals, rounded outwards, and may be infinite.

    A comparison is answered when it holds for every number of the enclosure or for none; it raises Undecided
    otherwise. So `if loss <= target` never takes the wrong side. A float is compared as the binary number that
    it is: write Fraction or a text for a decimal target ("0.1" is one tenth).
    """

    __slots__ = ("lo", "hi", "_text")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, lo: Any, hi: Any):
        self.lo, self.hi = Decimal(lo), Decimal(hi)
        if not self.lo <= self.hi:
            raise ValueError(f"[{lo}, {hi}] is no enclosure")
        self._text = f"{lo}" if self.lo == self.hi else f"[{lo}, {hi}]"

    @property
    def width(self) -> Decimal:
        """The distance of the two ends."""
        return Decimal(0) if self.lo == self.hi else self.hi - self.lo

    def __contains__(self, x: Any) -> bool:
        """Returns True if x may be the truth."""
        return _exact(self.lo) <= _exact(x) <= _exact(self.hi)

    def _ends(self, other: Any) -> tuple[Any, Any]:
        if isinstance(other, Enclosure):
            return _exact(other.lo), _exact(other.hi)
        return (_exact(other),) * 2

    def __lt__(self, other: Any) -> bool:
        try:
            lo, hi = self._ends(other)
        except (TypeError, ValueError):
            return NotImplemented
        if _exact(self.hi) < lo:
            return True
        if _exact(self.lo) >= hi:
            return False
        raise Undecided(f"{self} < {other} is not decided")

    def __le__(self, other: Any) -> bool:
        try:
            lo, hi = self._ends(other)
        except (TypeError, ValueError):
            return NotImplemented
        if _exact(self.hi) <= lo:
            return True
        if _exact(self.lo) > hi:
            return False
        raise Undecided(f"{self} <= {other} is not decided")

    def __gt__(self, other: Any) -> bool:
        below = self.__le__(other)
        return NotImplemented if below is NotImplemented else not below

    def __ge__(self, other: Any) -> bool:
        below = self.__lt__(other)
        return NotImplemented if below is NotImplemented else not below

    def __eq__(self, other: Any) -> bool:
        try:
            lo, hi = self._ends(other)
        except (TypeError, ValueError):
            return NotImplemented
        if _exact(self.hi) < lo or hi < _exact(self.lo):
            return False
        if _exact(self.lo) == _exact(self.hi) == lo == hi:
            return True
        raise Undecided(f"{self} == {other} is not decided")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Enclosure('{self.lo}', '{self.hi}')"

    def _repr_html_(self) -> str:
        return f"<code title='the truth lies between both ends'>{self._text}</code>"
