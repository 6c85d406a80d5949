# SPDX-License-Identifier: MIT
"""Questions one after the other, until enough answers were large."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterable

from ._call import Shared, call, encoded, ffi, integer, lib, made
from .ledger import Ledger, ledger_of
from .spec import Spec, SpecLike, spec_of

_MOST = 2**61


@dataclass(frozen=True)
class Reply:
    """The reply to a true answer: `above` if it reaches the threshold, and the noisy answer where the session gives it.
    """
    above: bool
    value: int | None


def _reply(c: Any) -> Reply:
    return Reply(c.above, c.value if c.has_value else None)


class Session(Shared):
    """A session that is open; one process at a time. What was answered is on the disk before ask returns. Threads may
    share it: each call waits for the others, and so does close."""

    __slots__ = ("path",)

    def __init__(self, path: str | os.PathLike[str], *, after: str | None = None):
        """Opens it. With `after`, a digest that was noted before, an older copy that was put back is refused."""
        super().__init__(made(lib.pby_session_open, "pby_session", lib.pby_session_close, encoded("path", path)))
        self.path = os.fspath(path)
        if after is not None:
            try:
                call(lib.pby_session_after, self._held, encoded("after", after))
            except BaseException:
                self.close()
                raise

    @classmethod
    def create(cls, path: str | os.PathLike[str], spec: SpecLike, *, threshold: int,
               ledger: Ledger | None = None) -> Session:
        """A new session; the ledger is charged for all of it at once."""
        call(lib.pby_session_create, encoded("path", path), spec_of(spec)._c,
             integer("threshold", threshold, -_MOST, _MOST), ffi.NULL if ledger is None else ledger_of(ledger)._c,
             long=True)
        return cls(path)

    def ask(self, *answers: int) -> list[Reply]:
        """Replies to true answers up to the first that reaches the threshold; the ones behind it were not asked.
        Raises Refused when the session has halted."""
        n = len(answers)
        values = ffi.new("int64_t[]", [integer("answers", x, -_MOST, _MOST, secret=True) for x in answers])
        replies, taken = ffi.new("pby_reply[]", max(n, 1)), ffi.new("size_t *")
        with self._open() as c:
            call(lib.pby_session_ask, c, values, n, replies, taken)
        return [_reply(replies[i]) for i in range(taken[0])]

    def ask_all(self, answers: Iterable[int]) -> list[Reply]:
        """Replies to true answers, until they end or the session halts."""
        left, replies = list(answers), []
        with self._lock:
            while left and self.left > 0:
                got = self.ask(*left)
                replies += got
                left = left[len(got):]
        return replies

    def end(self) -> None:
        """Ends it: nothing is answered any more, and the noise of its threshold is gone."""
        with self._open() as c:
            call(lib.pby_session_end, c)

    def close(self) -> None:
        """Closes it, for another process to open, once no other thread is asking."""
        self._drop()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def spec(self) -> Spec:
        with self._open() as c:
            return Spec(ffi.string(lib.pby_session_spec(c)).decode())

    @property
    def threshold(self) -> int:
        with self._open() as c:
            return lib.pby_session_threshold(c)

    @property
    def left(self) -> int:
        """The number of positive answers that are left."""
        with self._open() as c:
            return lib.pby_session_left(c)

    @property
    def asked(self) -> int:
        with self._open() as c:
            return lib.pby_session_asked(c)

    @property
    def digest(self) -> str:
        """Note it, and pass it as `after` later."""
        with self._open() as c:
            return ffi.string(lib.pby_session_digest(c)).decode()

    @property
    def tops(self) -> list[tuple[int, Reply]]:
        """The positive answers, each with the number of its question, from 1."""
        found = []
        with self._open() as c:
            for i in range(lib.pby_session_tops(c)):
                reply = ffi.new("pby_reply *")
                found.append((lib.pby_session_top(reply, c, i), _reply(reply)))
        return found
