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
    part: str = ""
    spender: str = ""


def _enclosure(decimals: Any) -> Enclosure:
    return Enclosure(ffi.string(decimals.lo).decode(), ffi.string(decimals.hi).decode())


@ffi.def_extern()
def probity_entry(entry: Any, what: Any, err: Any) -> int:
    words = (ffi.string(x).decode() for x in (entry.at, entry.spec, entry.epsilon, entry.delta, entry.part, entry.spender))
    ffi.from_handle(what).append(Entry(entry.number, *words))
    return lib.PBY_OK


class Ledger:
    """A ledger that exists. Every release is on the disk before it is drawn. Threads may share it: its calls wait for
    each other."""

    __slots__ = ("_c", "_part", "path")

    def __init__(self, path: str | os.PathLike[str], *, after: str | None = None):
        """Opens it: a file, or postgresql://HOST/DATABASE?ledger=NAME. With `after`, a digest that was noted before, an older copy that was put back is refused."""
        self._c = made(lib.pby_ledger_open, "pby_ledger", lib.pby_ledger_close, encoded("path", path))
        self.path = os.fspath(path)
        self._part: str | None = None
        if after is not None:
            call(lib.pby_ledger_after, self._c, encoded("after", after))

    @classmethod
    def create(cls, path: str | os.PathLike[str], *, epsilon: Number | None = None, delta: Number = 0,
               neighbours: str = "add-remove", accounting: str | None = None, rows: int = 1, user: str | None = None,
               rho: Number | None = None, renyi: Number | None = None, mu: Number | None = None, order: Number | None = None,
               split: Number | None = None, every: str | None = None, start: str | None = None, parts: str | None = None) -> Ledger:
        """A new ledger with nothing spent. `rows` is in how many rows of a release one record may be counted; `user` is
        the column that names the user, where the unit of privacy is one.

        The accounting is 'exact' or 'basic', or a filter, whose budget holds however each release is chosen: 'filter'
        at epsilon and delta, 'zcdp' at rho, 'gdp' at mu, 'renyi' at a divergence `renyi` of an `order`. 'odometer' has no
        limit but delta. `every`, such as '30d', makes the budget that of each period, one of which begins at `start`, a date;
        `parts` tells disjoint parts of the users apart (docs/ledger.md).
        """
        if accounting is None:
            accounting = "zcdp" if rho is not None else "gdp" if mu is not None else "exact"
        encoded("accounting", accounting)
        budget = {"zcdp": "rho", "renyi": "renyi", "gdp": "mu", "odometer": None}.get(accounting, "epsilon")
        bounds = {"epsilon": epsilon, "rho": rho, "renyi": renyi, "mu": mu}
        if [name for name, bound in bounds.items() if bound is not None] != ([] if budget is None else [budget]):
            raise BadInput(f"argument '{budget or 'epsilon'}': expected {'no bound' if budget is None else 'it, and no other bound,'} for {accounting} accounting", "argument")
        rows = integer("rows", rows, 1, 10**9)
        if user is not None and rows != 1:
            raise BadInput(f"argument 'rows': {rows}; expected 1 beside 'user'", "argument")
        texts = Texts()
        terms = ffi.new("pby_ledger_terms *")
        terms.rows = rows
        terms.bound = ffi.NULL if budget is None else texts.number(budget, bounds[budget])
        for name, number in (("delta", delta), ("order", order), ("split", split)):
            setattr(terms, name, texts.number(name, number))
        for name, text in (("accounting", accounting), ("neighbours", neighbours), ("user", user), ("every", every), ("parts", parts)):
            setattr(terms, name, texts.text(text, name))
        setattr(terms, "from", texts.text(start, "start"))
        call(lib.pby_ledger_create_terms, encoded("path", path), terms)
        return cls(path)

    def copy(self, path: str | os.PathLike[str]) -> Ledger:
        """A copy in another place, file or database, with the same times and digests. Charge the copy from then on."""
        call(lib.pby_ledger_copy, encoded("path", self.path), encoded("path", path))
        return type(self)(path)

    def table(self, form: str = "jsonl") -> str:
        """The entries as text: 'jsonl', an object on each line, or 'csv'."""
        forms = {"jsonl": lib.PBY_LEDGER_JSON_LINES, "csv": lib.PBY_LEDGER_CSV}
        if not isinstance(form, str):
            raise TypeError(f"argument 'form': {type(form).__name__}; expected a text")
        if form not in forms:
            raise BadInput(f"argument 'form': {form!r}; expected jsonl or csv", "argument")
        out = ffi.new("char **")
        call(lib.pby_ledger_list, out, self._c, forms[form])
        return taken(out)

    def page(self, planned: SpecLike | None = None, epsilon: Number | None = None) -> str:
        """An HTML page: the budget over time, what is left, and what a planned release would leave."""
        texts = Texts()
        out = ffi.new("char **")
        spec = None if planned is None else spec_of(planned)
        call(lib.pby_ledger_page, out, self._c, ffi.NULL if spec is None else spec._c, texts.number("epsilon", epsilon), long=True)
        return taken(out)

    def _repr_html_(self) -> str:
        page = self.page()
        return page[page.index("<main>"):page.index("</main>") + len("</main>")]

    @property
    def parts(self) -> str | None:
        """The name that tells the parts of the users apart; None: there are none."""
        parts = lib.pby_ledger_parts(self._c)
        return None if parts == ffi.NULL else ffi.string(parts).decode()

    def for_part(self, part: str | None) -> None:
        """Says that what is spent from now on, and what a release is charged to this Ledger, is about this part of the
        users alone, or about all (None)."""
        texts = Texts()
        call(lib.pby_ledger_for_part, self._c, texts.text(part, "part"))
        self._part = part

    def reading(self, digits: int = 0) -> Enclosure:
        """The reading of an odometer: an epsilon that holds with the ledger's delta, whenever it is read."""
        epsilon = ffi.new("pby_decimals *")
        call(lib.pby_ledger_odometer_text, epsilon, self._c, integer("digits", digits, 0, 1000), long=True)
        return _enclosure(epsilon)

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
        if user is not None and encoded("user", user) != encoded("user", self.user or ""):
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
