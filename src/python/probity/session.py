"""Questions one after the other, until enough answers were large."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterable

from ._call import Texts, call, ffi, integer, lib, made
from .ledger import Ledger
from .spec import Spec, SpecLike, spec_of

_MOST = 2**61


@dataclass(frozen=True)
class Reply:
    """Whether a true answer reaches the threshold, and the noisy answer where the session gives it."""
    above: bool
    value: int | None


def _reply(c: Any) -> Reply:
    return Reply(c.above, c.value if c.has_value else None)


class Session:
    """A session that is open; one process at a time. What was answered is on the disk before ask returns."""

    __slots__ = ("_c", "path")

    def __init__(self, path: str | os.PathLike[str], *, after: str | None = None):
        """Opens it. With `after`, a digest that was noted before, an older copy that was put back is refused."""
        self.path = os.fspath(path)
        self._c = made(lib.pby_session_open, "pby_session", lib.pby_session_close, Texts().text(path))
        if after is not None:
            call(lib.pby_session_after, self._c, after.encode())

    @classmethod
    def create(cls, path: str | os.PathLike[str], spec: SpecLike, *, threshold: int,
               ledger: Ledger | None = None) -> Session:
        """A new session; the ledger is charged for all of it at once."""
        texts = Texts()
        call(lib.pby_session_create, texts.text(path), spec_of(spec)._c,
             integer("threshold", threshold, -_MOST, _MOST), ledger._c if ledger else ffi.NULL)
        return cls(path)

    def ask(self, *answers: int) -> list[Reply]:
        """Replies to true answers up to the first that reaches the threshold; the ones behind it were not asked.
        Raises Refused when the session has halted."""
        n = len(answers)
        values = ffi.new("int64_t[]", [integer("answers", x, -_MOST, _MOST) for x in answers])
        replies, taken = ffi.new("pby_reply[]", max(n, 1)), ffi.new("size_t *")
        call(lib.pby_session_ask, self._c, values, n, replies, taken)
        return [_reply(replies[i]) for i in range(taken[0])]

    def ask_all(self, answers: Iterable[int]) -> list[Reply]:
        """Replies to true answers, until they end or the session halts."""
        left, replies = list(answers), []
        while left and self.left > 0:
            got = self.ask(*left)
            replies += got
            left = left[len(got):]
        return replies

    def end(self) -> None:
        """Ends it: nothing is answered any more, and the noise of its threshold is gone."""
        call(lib.pby_session_end, self._c)

    def close(self) -> None:
        """Closes it, for another process to open."""
        ffi.release(self._c)
        self._c = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def spec(self) -> Spec:
        return Spec(ffi.string(lib.pby_session_spec(self._c)).decode())

    @property
    def threshold(self) -> int:
        return lib.pby_session_threshold(self._c)

    @property
    def left(self) -> int:
        """How many positive answers are left."""
        return lib.pby_session_left(self._c)

    @property
    def asked(self) -> int:
        return lib.pby_session_asked(self._c)

    @property
    def digest(self) -> str:
        """Note it, and pass it as `after` later."""
        return ffi.string(lib.pby_session_digest(self._c)).decode()

    @property
    def tops(self) -> list[tuple[int, Reply]]:
        """The positive answers, each with the number of its question, from 1."""
        found = []
        for i in range(lib.pby_session_tops(self._c)):
            reply = ffi.new("pby_reply *")
            found.append((lib.pby_session_top(reply, self._c, i), _reply(reply)))
        return found
