# SPDX-License-Identifier: MIT
"""Releases on Spark (docs/python.md).

Every executor needs this package. Counts and keys are seen by the driver and the executors, and by whoever can read
their memory and the workspace. The secret reaches tasks in two shares, of which each alone is random: docs/python.md.
"""
from __future__ import annotations

import os
import uuid
from typing import Any, Callable, Iterable, Iterator

from ._call import BadInput
from .certificate import CertificateLike
from .engine import run
from .ledger import Ledger
from .parts import Parts, digest_of, fresh_secret, joined
from .spec import SpecLike


def _digests(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow
    yield pyarrow.record_batch({"digest": [digest_of(batches)]})


def _masked(value: bytes, mask: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(value, mask))


class _Share:
    """The secret and the digest in two shares: the one comes by broadcast, the other with the task. Each is random."""

    def __init__(self, context: Any, secret: bytes, digest: bytes):
        self._mask = fresh_secret(), fresh_secret()
        self._other = context.broadcast(tuple(map(_masked, (secret, digest), self._mask)))

    def join(self) -> tuple[bytes, bytes]:
        """The secret and the digest, in a task."""
        secret, digest = map(_masked, self._other.value, self._mask)
        return secret, digest

    def destroy(self) -> None:
        self._other.destroy(blocking=True)


def _stream(parts: Callable[[bytes, bytes], Parts], share: _Share) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Returns the function that a task runs."""
    def stream(batches: Iterable[Any]) -> Iterator[Any]:
        return parts(*share.join()).stream(batches)
    return stream


class _Spark:
    def __init__(self, frame: Any, keys: str, counts: str | None, filter: Iterable[str] | None, workspace: str):
        from pyspark.sql import functions as f
        self.spark = frame.sparkSession
        self.key = keys
        key = f.col(keys).cast("string").alias(keys)
        if counts is None:
            self.frame = frame.select(key).groupBy(keys).agg(f.count("*").alias("count"))
        else:
            self.frame = frame.select(key, f.col(counts).cast("long").alias("count"))
        self.public = filter is not None or counts is not None
        if filter is not None:
            names = self.spark.createDataFrame([(name,) for name in filter], f"`{keys}` string")
            self.frame = names.join(self.frame, keys, "left").na.fill(0, ["count"])
        self.folder = f"{workspace.rstrip('/')}/probity-{uuid.uuid4().hex}"
        self.fixed: Any = None

    def fix(self) -> None:
        self.frame.write.parquet(f"{self.folder}/counts")
        self.fixed = self.spark.read.parquet(f"{self.folder}/counts")

    def faults(self) -> tuple[bool, bool, bool]:
        from pyspark.sql import functions as f
        key = f.col(self.key)
        twice = self.fixed.groupBy(self.key).count().filter("count > 1")
        bad = self.fixed.agg(f.max((key.isNull() | f.col("count").isNull()).cast("int")),
                             f.max((f.col("count") < 0).cast("int"))).first()
        return bool(bad[0]), bool(bad[1]), not twice.isEmpty()

    def digest(self) -> bytes:
        rows = self.fixed.mapInArrow(_digests, "digest binary").collect()
        return joined(bytes(row[0]) for row in rows)

    def noisy(self, parts: Callable[[bytes, bytes], Parts], secret: bytes, digest: bytes) -> Any:
        shape = parts(bytes(len(secret)), digest)
        number = "bigint" if shape.whole else "double"
        schema = ", ".join([f"`{self.key}` string"] + [f"{name} {number}" for name in shape.names])
        share = _Share(self.spark.sparkContext, secret, digest)
        try:
            released = self.fixed.mapInArrow(_stream(parts, share), schema).orderBy(self.key)
            released.write.parquet(f"{self.folder}/released")
        finally:
            share.destroy()
        return self.spark.read.parquet(f"{self.folder}/released")

    def drop(self) -> None:
        jvm = self.spark.sparkContext._jvm
        path = jvm.org.apache.hadoop.fs.Path(f"{self.folder}/counts")
        path.getFileSystem(self.spark.sparkContext._jsc.hadoopConfiguration()).delete(path, True)


def release(frame: Any, spec: SpecLike | None = None, *, workspace: str | os.PathLike[str], keys: str,
            counts: str | None = None, certificate: CertificateLike | None = None,
            ledger: Ledger | str | os.PathLike[str] | None = None, filter: Iterable[str] | None = None,
            part: str | None = None) -> Any:
    """Releases the counts of a frame of Spark; a frame of what is released comes back, sorted by key.

    `keys` names the column of keys. `counts` names that of the counts, whose keys are taken for public; without it the
    rows are counted, and a mechanism that publishes every key needs a public `filter`. `workspace` is a folder that
    driver and executors share: the counts stand there until the release is written beside them. With `part` the frame
    has that part of the ledger's users alone.
    """
    for name, column in (("keys", keys), ("counts", counts)):
        if column is not None and column not in frame.columns:
            raise BadInput(f"argument '{name}': {column!r}; expected one of the columns {', '.join(frame.columns)}",
                           "argument")
    return run(_Spark(frame, keys, counts, filter, os.fspath(workspace)), spec, certificate, ledger, part)
