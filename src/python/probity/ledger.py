"""Budgets that are kept in a file."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ._call import Number, Refused, Texts, call, ffi, integer, lib, made, number, report, taken
from .enclosure import Enclosure
from .spec import SpecLike, relation_name, spec_of


@dataclass(frozen=True)
class Entry:
    """One recorded release."""
    number: int
    at: str
    spec: str
    epsilon: str
    delta: str


def _enclosure(decimals: Any) -> Enclosure:
    return Enclosure(ffi.string(decimals.lo).decode(), ffi.string(decimals.hi).decode())


@ffi.def_extern()
def probity_entry(entry: Any, what: Any, err: Any) -> int:
    words = (ffi.string(x).decode() for x in (entry.at, entry.spec, entry.epsilon, entry.delta))
    ffi.from_handle(what).append(Entry(entry.number, *words))
    return lib.PBY_OK


class Ledger:
    """A ledger that exists. Every release is on the disk before it is drawn."""

    __slots__ = ("_c", "path")

    def __init__(self, path: str | os.PathLike[str], *, after: str | None = None):
        """Opens it. With `after`, a digest that was noted before, an older copy that was put back is refused."""
        texts = Texts()
        self.path = os.fspath(path)
        self._c = made(lib.pby_ledger_open, "pby_ledger", lib.pby_ledger_close, texts.text(path))
        if after is not None:
            call(lib.pby_ledger_after, self._c, after.encode())

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, epsilon: Number, delta: Number = 0,
               neighbours: str = "add-remove", accounting: str = "exact", rows: int = 1) -> Ledger:
        """A new ledger with nothing spent. `rows` is in how many rows of a release one record may be counted."""
        texts = Texts()
        relation, composition = ffi.new("pby_neighbours *"), ffi.new("pby_composition *")
        call(lib.pby_neighbours_parse, relation, b"neighbours", neighbours.encode())
        call(lib.pby_composition_parse, composition, b"accounting", accounting.encode())
        call(lib.pby_ledger_create_text, texts.text(path), relation[0], composition[0],
             integer("rows", rows, 1, 10**9), number("epsilon", epsilon).encode(), number("delta", delta).encode())
        return cls(path)

    @property
    def neighbours(self) -> str:
        return relation_name(lib.pby_ledger_neighbours(self._c))

    @property
    def accounting(self) -> str:
        return ffi.string(lib.pby_composition_text(lib.pby_ledger_accounting(self._c))).decode()

    @property
    def rows(self) -> int:
        return lib.pby_ledger_rows(self._c)

    @property
    def budget(self) -> tuple[str, str]:
        """epsilon and delta, exactly."""
        epsilon, delta = ffi.new("char **"), ffi.new("char **")
        call(lib.pby_ledger_budget_text, epsilon, delta, self._c)
        return taken(epsilon), taken(delta)

    @property
    def digest(self) -> str:
        """The last digest of the chain: note it, and pass it as `after` later."""
        out = ffi.new("char[65]")
        call(lib.pby_ledger_digest, out, self._c)
        return ffi.string(out).decode()

    def spend(self, spec: SpecLike, epsilon: Number | None = None) -> None:
        """Records a release; raises Refused, and records nothing, where it would overspend."""
        call(lib.pby_ledger_spend_text, self._c, spec_of(spec)._c, Texts().number("epsilon", epsilon))

    def require(self, spec: SpecLike, epsilon: Number | None = None) -> None:
        """Raises what spend would raise now; records nothing."""
        call(lib.pby_ledger_affords_text, self._c, spec_of(spec)._c, Texts().number("epsilon", epsilon))

    def affords(self, spec: SpecLike, epsilon: Number | None = None) -> bool:
        """Whether spend would record it now."""
        try:
            self.require(spec, epsilon)
        except Refused as refused:
            if refused.reason != "budget":
                raise
            return False
        return True

    def spent(self, digits: int = 0) -> tuple[Enclosure, Enclosure]:
        """The epsilon at the budget's delta, and the delta at the budget's epsilon, of all that was recorded."""
        delta, epsilon = ffi.new("pby_decimals *"), ffi.new("pby_decimals *")
        call(lib.pby_ledger_spent_text, delta, epsilon, self._c, integer("digits", digits, 0, 1000))
        return _enclosure(epsilon), _enclosure(delta)

    @property
    def entries(self) -> list[Entry]:
        found: list[Entry] = []
        handle = ffi.new_handle(found)
        call(lib.pby_ledger_each, self._c, lib.probity_entry, handle)
        return found

    def report(self) -> dict[str, Any]:
        """All of it, as the command's `ledger show --json` prints it."""
        return report(lib.pby_report_ledger, self._c, lib.PBY_REPORT_JSON)

    def __repr__(self) -> str:
        epsilon, delta = self.budget
        return f"<Ledger {self.path}: epsilon {epsilon}, delta {delta}, {len(self.entries)} releases>"
