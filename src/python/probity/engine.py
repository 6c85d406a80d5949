# SPDX-License-Identifier: MIT
"""One release on an engine that counts, in the only order that is safe.

The counts are written down first, checked and digested; then the ledger is charged; then a secret is drawn, and the
noise of every bar follows from it. An attempt at any part gives the same bytes. A failure before the charge costs
nothing. After it the budget is spent, even if the release fails; partial results are never published.
"""
from __future__ import annotations

import os
from typing import Any, Callable, Protocol

from ._call import BadInput, Texts, ffi, lib
from .certificate import CertificateLike
from .ledger import Ledger
from .parts import SIZE, Parts, fresh_secret
from .release import _permission, part_of
from .spec import Spec, SpecLike, relation_name, relation_of


class Engine(Protocol):
    """The interface of an engine. `public` says that the keys are known without the data."""
    public: bool

    def fix(self) -> None:
        """Computes the counts and keeps them where every attempt reads the same."""

    def faults(self) -> tuple[bool, bool, bool]:
        """Returns three flags: a key or count is missing, a count is below 0, a key is duplicate."""

    def digest(self) -> bytes:
        """Returns the digest of all counts."""

    def noisy(self, parts: Callable[[bytes, bytes], Parts], secret: bytes, digest: bytes) -> Any:
        """Returns the release, sorted by key, whole or not at all."""

    def drop(self) -> None:
        """Forgets the counts."""


def run(engine: Engine, spec: SpecLike | None, certificate: CertificateLike | None,
        ledger: Ledger | str | os.PathLike[str] | None, part: str | None = None) -> Any:
    """Releases what the engine counts."""
    permission = _permission(Texts(), spec, certificate, ledger, part)
    text = ffi.string(lib.pby_spec_text(lib.pby_permission_spec(permission))).decode()
    charged = lib.pby_permission_certificate(permission)
    opened = None if ledger is None else Ledger(ledger.path if isinstance(ledger, Ledger) else ledger)
    if opened is not None:
        opened.for_part(part_of(ledger, part))
    if charged != ffi.NULL:
        relation = relation_name(lib.pby_certificate_neighbours(charged))
    else:
        relation = opened.neighbours if opened is not None else relation_name(relation_of(Spec(text), None))
    if charged != ffi.NULL and lib.pby_certificate_user(charged) != ffi.NULL:
        raise BadInput("argument 'certificate': it is about users; expected one about records, which an engine counts",
                       "argument")
    epsilon = None if charged == ffi.NULL else ffi.string(lib.pby_certificate_epsilon(charged)).decode()

    def parts(secret: bytes, digest: bytes) -> Parts:
        return Parts(text, relation, secret, digest)

    if not parts(bytes(SIZE), bytes(SIZE)).hides and not engine.public:
        raise BadInput(f"argument 'spec': {text}; expected a public 'filter' beside a mechanism that publishes every "
                       "key, or one that hides keys, such as threshold", "argument")
    if opened is not None:
        opened.require(text, epsilon)
    engine.fix()
    try:
        missing, negative, twice = engine.faults()
        if missing or negative or twice:
            what = "a key and a count" if missing else "a count of 0 or more" if negative else "another key"
            raise BadInput(f"counts: expected {what} in every row", "input")
        digest = engine.digest()
        if opened is not None:
            opened.spend(text, epsilon)
        return engine.noisy(parts, fresh_secret(), digest)
    finally:
        engine.drop()
