# SPDX-License-Identifier: MIT
"""Long calls of C, served by a thread beside the main one.

Python runs its signal handlers in the main thread, between two instructions of Python: in a call that computes for
minutes there is none. So the main thread hands a long call to a worker and waits in Python, where Ctrl-C is served at
once. A call that is given up so goes on until the library next asks whether it should end: between two rounds of a
computation, and before it would charge a ledger. It keeps what it works on alive, and its answer is dropped.
"""
from __future__ import annotations

import os
import queue
import threading
from typing import Any, Callable

from ._probity import ffi, lib


class _Task:
    """A call, and later its result."""

    def __init__(self, function: Callable[[], Any]):
        self.function = function
        self.given_up = ffi.new("int *")
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        lib.pby_interrupt_by(ffi.addressof(lib, "probity_given_up"), self.given_up)
        try:
            self.result = self.function()
        except BaseException as error:
            self.error = error
        finally:
            lib.pby_interrupt_never()
            self.done.set()


class _Worker:
    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[_Task] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="probity", daemon=True).start()

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            task.run()
            left = bool(task.given_up[0])
            del task
            if left:
                lib.pby_thread_end()
                return

    def do(self, task: _Task) -> None:
        self._tasks.put(task)


_worker: _Worker | None = None


def _forget() -> None:
    """A child of fork has no worker: threads stay with the parent."""
    global _worker
    _worker = None


os.register_at_fork(after_in_child=_forget)


def served(function: Callable[[], Any]) -> Any:
    """Returns or raises what the function does. In the main thread a signal's exception ends the wait for it."""
    global _worker
    if threading.current_thread() is not threading.main_thread():
        return function()
    if _worker is None:
        _worker = _Worker()
    task = _Task(function)
    try:
        _worker.do(task)
        task.done.wait()
    except BaseException:
        task.given_up[0] = 1
        _worker = None
        raise
    if task.error is not None:
        raise task.error
    return task.result
