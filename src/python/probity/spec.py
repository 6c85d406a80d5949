# SPDX-License-Identifier: MIT
"""Mechanisms as text."""
from __future__ import annotations

from typing import Any, Union

from ._call import call, encoded, ffi, lib, made, report, text_of


class Spec:
    """A mechanism with exact parameters, or several in composition: 'stlap:eps=1/2,q=40',
    '100*geometric:eps=1/10'."""

    __slots__ = ("_c",)

    def __init__(self, *texts: str):
        kept = [ffi.new("char[]", encoded("spec", text)) for text in texts]
        self._c = made(lib.pby_spec_parse, "pby_spec", lib.pby_spec_free, ffi.new("const char *[]", kept), len(kept))

    @property
    def uses(self) -> int:
        """K of K*M, and 1 of M; 0 of several mechanisms."""
        return lib.pby_spec_uses(self._c)

    @property
    def neighbours(self) -> str:
        """The relation that the mechanism is about if nothing else is said."""
        return relation_name(relation_of(self, None))

    def explain(self, neighbours: str | None = None) -> str:
        """Describes the mechanism, its privacy loss and its accuracy."""
        return text_of(lib.pby_report_explanation, ffi.NULL, self._c, relation_of(self, neighbours), 0,
                       lib.PBY_REPORT_LINES)

    def __str__(self) -> str:
        return ffi.string(lib.pby_spec_text(self._c)).decode()

    def __repr__(self) -> str:
        return f"Spec({str(self)!r})"

    def __eq__(self, other: Any) -> bool:
        return str(self) == str(other) if isinstance(other, Spec) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


SpecLike = Union[Spec, str]


def spec_of(spec: SpecLike) -> Spec:
    """A spec from itself or from its text."""
    if isinstance(spec, Spec):
        return spec
    if not isinstance(spec, str):
        raise TypeError(f"argument 'spec': {type(spec).__name__}; expected a Spec or its text")
    return Spec(spec)


def relation_of(spec: Spec, neighbours: str | None) -> int:
    """The relation of that name; None: the one that the spec is about."""
    out = ffi.new("pby_neighbours *")
    if neighbours is None:
        call(lib.pby_spec_neighbours, out, spec._c)
    else:
        call(lib.pby_neighbours_parse, out, b"neighbours", encoded("neighbours", neighbours))
    return out[0]


def relation_name(relation: int) -> str:
    return ffi.string(lib.pby_neighbours_text(relation)).decode()


def families() -> list[dict[str, Any]]:
    """Every family of mechanisms: its name, summary, parameters and examples."""
    return report(lib.pby_report_families)
