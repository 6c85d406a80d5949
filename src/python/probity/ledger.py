# SPDX-License-Identifier: MIT
"""Budgets that are kept in a file."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ._call import BadInput, Number, Refused, Texts, call, encoded, ffi, integer, lib, made, report, taken
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
    """A ledger that exists. Every release is on the disk before it is drawn. Threads may share it: its calls wait for
    each other."""

    __slots__ = ("_c", "path")

    def __init__(self, path: str | os.PathLike[str], *, after: str | None = None):
        """Opens it: a file, or postgresql://HOST/DATABASE?ledger=NAME. With `after`, a digest that was noted before, an older copy that was put back is refused."""
        self._c = made(lib.pby_ledger_open, "pby_ledger", lib.pby_ledger_close, encoded("path", path))
        self.path = os.fspath(path)
        if after is not None:
            call(lib.pby_ledger_after, self._c, encoded("after", after))

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, epsilon: Number | None = None, delta: Number = 0,
               neighbours: str = "add-remove", accounting: str = "exact", rows: int = 1, user: str | None = None,
               rho: Number | None = None, renyi: Number | None = None, order: Number | None = None,
               split: Number | None = None) -> Ledger:
        """A new ledger with nothing spent. `rows` is in how many rows of a release one record may be counted; `user` is
        the column that names the user, where the unit of privacy is one.

        The accounting is 'exact' or 'basic', or a filter, whose budget holds however each release is chosen: 'filter'
        at epsilon and delta, 'zcdp' at rho, 'renyi' at a divergence `renyi` of an `order` (docs/ledger.md).
        """
        texts = Texts()
        relation, composition = ffi.new("pby_neighbours *"), ffi.new("pby_composition *")
        call(lib.pby_neighbours_parse, relation, b"neighbours", encoded("neighbours", neighbours))
        names = {"filter": (lib.PBY_FILTER_APPROX, "epsilon"), "zcdp": (lib.PBY_FILTER_RHO, "rho"),
                 "renyi": (lib.PBY_FILTER_RENYI, "renyi")}
        filter, budget = names.get(accounting, (lib.PBY_FILTER_NONE, "epsilon"))
        bounds = {"epsilon": epsilon, "rho": rho, "renyi": renyi}
        if [name for name, bound in bounds.items() if bound is not None] != [budget]:
            raise BadInput(f"argument '{budget}': expected it, and no other bound, for {accounting} accounting",
                           "argument")
        bound = texts.number(budget, bounds[budget])
        rows = integer("rows", rows, 1, 10**9)
        if filter != lib.PBY_FILTER_NONE:
            if user is not None:
                raise BadInput(f"argument 'user': {user!r}; expected exact or basic accounting beside it", "argument")
            call(lib.pby_ledger_create_filter_text, encoded("path", path), relation[0], rows, filter, bound,
                 texts.number("delta", delta), texts.number("order", order), texts.number("split", split))
            return cls(path)
        call(lib.pby_composition_parse, composition, b"accounting", encoded("accounting", accounting))
        if user is not None and rows != 1:
            raise BadInput(f"argument 'rows': {rows}; expected 1 beside 'user'", "argument")
        create = lib.pby_ledger_create_text if user is None else lib.pby_ledger_create_user_text
        call(create, encoded("path", path), relation[0], composition[0], rows if user is None else texts.text(user, "user"), bound,
             texts.number("delta", delta))
        return cls(path)

    @property
    def neighbours(self) -> str:
        return relation_name(lib.pby_ledger_neighbours(self._c))

    @property
    def accounting(self) -> str:
        """exact, basic, filter:split=1/2, zcdp or renyi:order=8."""
        return ffi.string(lib.pby_ledger_mode(self._c)).decode()

    @property
    def user(self) -> str | None:
        """The column that names the user where the unit of privacy is one; None: it is a record."""
        user = lib.pby_ledger_user(self._c)
        return None if user == ffi.NULL else ffi.string(user).decode()

    def for_user(self, user: str | None) -> None:
        """Says that what is spent from now on is by users, whom that column names; refused where that is not the
        ledger's unit."""
        texts = Texts()
        call(lib.pby_ledger_for_user, self._c, texts.text(user, "user"))

    @property
    def rows(self) -> int:
        return lib.pby_ledger_rows(self._c)

    @property
    def budget(self) -> tuple[str, str]:
        """The bound, an epsilon, a rho or a divergence, and delta, exactly."""
        bound, delta = ffi.new("char **"), ffi.new("char **")
        call(lib.pby_ledger_budget_text, bound, delta, self._c)
        return taken(bound), taken(delta)

    @property
    def digest(self) -> str:
        """The last digest of the chain: note it, and pass it as `after` later."""
        out = ffi.new("char[65]")
        call(lib.pby_ledger_digest, out, self._c)
        return ffi.string(out).decode()

    def spend(self, spec: SpecLike, epsilon: Number | None = None) -> None:
        """Records a release; raises Refused, and records nothing, where it would overspend. In a ledger of users
        `for_user` must have said that releases are by users."""
        texts = Texts()
        call(lib.pby_ledger_spend_text, self._c, spec_of(spec)._c, texts.number("epsilon", epsilon), long=True)

    def spend_curve(self, path: str | os.PathLike[str]) -> None:
        """Records a release of another program that a file of Rényi divergences or of deltas says enough of."""
        call(lib.pby_ledger_spend_curve, self._c, encoded("path", path), long=True)

    def require(self, spec: SpecLike, epsilon: Number | None = None, *, user: str | None = None) -> None:
        """Raises what spend would raise now; records nothing. `user` is the column that names the user, and says
        so as `for_user` does."""
        texts = Texts()
        if user is not None and user != self.user:
            unit = "records" if self.user is None else f"users, whom {self.user!r} names"
            raise BadInput(f"argument 'user': {user!r}; expected the unit of the ledger, which is of {unit}", "argument")
        if user is not None:
            self.for_user(user)
        call(lib.pby_ledger_affords_text, self._c, spec_of(spec)._c, texts.number("epsilon", epsilon), long=True)

    def affords(self, spec: SpecLike, epsilon: Number | None = None, *, user: str | None = None) -> bool:
        """Returns True if spend would record it now; `user` as in `require`."""
        try:
            self.require(spec, epsilon, user=user)
        except Refused as refused:
            if refused.reason != "budget":
                raise
            return False
        return True

    def spent(self, digits: int = 0) -> tuple[Enclosure, Enclosure]:
        """The epsilon at the budget's delta, and the delta at the budget's epsilon, of all that was recorded."""
        delta, epsilon = ffi.new("pby_decimals *"), ffi.new("pby_decimals *")
        call(lib.pby_ledger_spent_text, delta, epsilon, self._c, integer("digits", digits, 0, 1000), long=True)
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
        bound, delta = self.budget
        place = "postgresql://..." if str(self.path).startswith(("postgresql://", "postgres://")) else self.path # no password
        return f"<Ledger {place}: {self.accounting}, {bound}, delta {delta}, {len(self.entries)} releases>"


def ledger_of(x: Any) -> Ledger:
    """A ledger that is one."""
    if not isinstance(x, Ledger):
        raise TypeError(f"argument 'ledger': {type(x).__name__}; expected a Ledger")
    return x
