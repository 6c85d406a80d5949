# SPDX-License-Identifier: MIT
"""Releases on DuckDB: the steps of probity.spark on one machine, batch by batch."""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable

from ._call import BadInput
from .certificate import CertificateLike
from .engine import run
from .ledger import Ledger
from .parts import Parts, digest_of
from .spec import SpecLike

_BATCH = 1 << 16


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class _DuckDB:
    def __init__(self, connection: Any, query: str, keys: str, counts: str | None, filter: Iterable[str] | None):
        self.connection, self.query, self.keys, self.counts = connection, query, keys, counts
        self.filter = None if filter is None else list(filter)
        self.public = filter is not None or counts is not None

    def fix(self) -> None:
        count, group = ("count(*)", " group by 1") if self.counts is None else (_quoted(self.counts), "")
        self.connection.execute(f"create or replace temp table probity_counts as select {_quoted(self.keys)}::varchar as "
                                f"key, ({count})::bigint as count from ({self.query}){group}").fetchall()
        if self.filter is not None:
            self.connection.execute(
                "create or replace temp table probity_counts as select f.key, coalesce(c.count, 0) as count from "
                "(select unnest(?::varchar[]) as key) f left join probity_counts c using (key)", [self.filter]).fetchall()

    def faults(self) -> tuple[bool, bool, bool]:
        return self.connection.execute(
            "select coalesce(bool_or(key is null or count is null), false), coalesce(bool_or(count < 0), false), "
            "count(distinct key) < count(key) from probity_counts").fetchall()[0]

    def _batches(self) -> Any:
        return self.connection.sql("select key, count from probity_counts").to_arrow_reader(_BATCH)

    def digest(self) -> bytes:
        return digest_of(self._batches())

    def noisy(self, parts: Callable[[bytes, bytes], Parts], secret: bytes, digest: bytes) -> Any:
        import pyarrow
        made = parts(secret, digest)
        table = pyarrow.Table.from_batches(made.stream(self._batches()), made.schema("key"))
        return table.sort_by("key").rename_columns([self.keys, *made.names])

    def drop(self) -> None:
        self.connection.execute("drop table if exists probity_counts").fetchall()


def release(connection: Any, query: str, spec: SpecLike | None = None, *, keys: str, counts: str | None = None,
            certificate: CertificateLike | None = None, ledger: Ledger | str | os.PathLike[str] | None = None,
            filter: Iterable[str] | None = None, part: str | None = None) -> Any:
    """Releases the counts of a query; a table of Arrow comes back, sorted by key.

    `keys` names the column of keys. `counts` names that of the counts, whose keys are taken for public; without it the
    rows are counted, and a mechanism that publishes every key needs a public `filter`. With
    `part` the query reads that part of the ledger's users alone.
    """
    columns = connection.sql(query).columns
    for name, column in (("keys", keys), ("counts", counts)):
        if column is not None and column not in columns:
            raise BadInput(f"argument '{name}': {column!r}; expected one of the columns {', '.join(columns)}",
                           "argument")
    return run(_DuckDB(connection, query, keys, counts, filter), spec, certificate, ledger, part)
