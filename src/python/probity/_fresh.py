# SPDX-License-Identifier: MIT
"""Runs of a pipeline, each in a process of its own that imports the pipeline's module anew.

`python -m probity._fresh` reads requests from standard input and answers on standard output, each a pickle behind its
length. Every run is a fork that was made before the module was imported, so that no generator and no noise of an
earlier run is a constant of the next. A run has 10 seconds of processor time, a minute by the clock
and 2 GiB, and no network where the kernel allows it."""
from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import pickle
import resource
import select
import signal
import struct
import subprocess
import sys
import time
from typing import Any, Callable

from . import _mechanisms, _record

SECONDS, CLOCK, BYTES = 10, 60, 2 << 30    # a busy machine takes longer by the clock


def described(pipeline: Callable[..., Any]) -> dict[str, Any] | None:
    """How another interpreter finds a function; None for one that has no place in a module."""
    name, qualname = getattr(pipeline, "__module__", None), getattr(pipeline, "__qualname__", "")
    if name is None or "<" in qualname or not qualname:
        return None
    module = sys.modules.get(name)
    path = getattr(module, "__file__", None)
    if path is None and name == "__main__":
        return None
    return {"module": name, "file": os.path.abspath(path) if path else None, "name": qualname, "path": list(sys.path)}


def load(where: dict[str, Any]) -> Callable[[Any], Any]:
    sys.path[:] = where["path"]
    name = "probity_pipeline" if where["module"] == "__main__" else where["module"]
    if where["file"] is not None and (where["module"] == "__main__" or "." not in name):
        spec = importlib.util.spec_from_file_location(name, where["file"])
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(name)
    found: Any = module
    for part in where["name"].split("."):
        found = getattr(found, part)
    return getattr(found, "__probity_pipeline__", found)


def _send(stream: Any, x: Any) -> None:
    data = pickle.dumps(x)
    stream.write(struct.pack("<Q", len(data)) + data)
    stream.flush()


def _receive(stream: Any) -> Any:
    head = stream.read(8)
    return pickle.loads(stream.read(struct.unpack("<Q", head)[0])) if len(head) == 8 else None


def _confine() -> None:
    """Limits, and a network of its own: user and network namespaces, where they are allowed."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    try:
        libc = ctypes.CDLL(None)
        if os.geteuid() == 0:
            libc.unshare(0x40000000)
        else:
            libc.unshare(0x10000000 | 0x40000000)
    except (OSError, AttributeError):
        pass


def _run(request: dict[str, Any]) -> dict[str, Any]:
    recorder = _record.Recorder(request["tape"], request["probe"], request["forced"])
    _mechanisms.follow_imports()
    body, plain = _record.run(lambda data: load(request["where"])(pickle.loads(data)), request["data"], recorder)
    made = [{k: v for k, v in x.items()} for x in recorder.made]
    return {"body": body, "plain": plain, "tape": made, "taken": recorder.taken, "forced": recorder.forced}


def _forked(request: dict[str, Any]) -> bytes:
    """The pickled answer of a run in a fork; empty where it did not end well."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 0)
            os.dup2(2, 1)
            _confine()
            data = pickle.dumps(_run(request))
            with os.fdopen(writing, "wb") as out:
                out.write(data)
        except BaseException as e:  # nothing of the parent may run on in the child
            os.write(2, f"probity: a run failed: {type(e).__name__}\n".encode())
        finally:
            os._exit(0)
    os.close(writing)
    parts, end = [], time.monotonic() + CLOCK
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, end - time.monotonic()))
        part = os.read(reading, 1 << 16) if ready else b""
        if not part:
            break
        parts.append(part)
    if not ready:
        os.kill(child, signal.SIGKILL)
        parts = []
    os.close(reading)
    os.waitpid(child, 0)
    return b"".join(parts)


def serve() -> None:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)    # what a library prints is no answer
    _mechanisms.preload(_receive(source))
    _record.substitute()    # once: a fork has its own copy of every generator
    while (request := _receive(source)) is not None:
        data = _forked(request)
        _send(sink, pickle.loads(data) if data else None)


class Fresh:
    """A server of runs."""

    def __init__(self, where: dict[str, Any]):
        self.where = where
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(x for x in sys.path if x))
        self.process = subprocess.Popen([sys.executable, "-m", "probity._fresh"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=environment)
        _send(self.process.stdin, where["file"])

    def run(self, data: bytes, tape: Any = None, probe: bool = False, forced: tuple[int, ...] = ()) -> dict[str, Any] | None:
        _send(self.process.stdin, {"where": self.where, "data": data, "tape": tape, "probe": probe, "forced": forced})
        return _receive(self.process.stdout)

    def __enter__(self) -> Fresh:
        return self

    def __exit__(self, *_: Any) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


if __name__ == "__main__":
    serve()
