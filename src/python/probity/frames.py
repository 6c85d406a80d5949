"""Tables of pandas, Polars, Arrow and DuckDB, and mappings, as CSV and back.

Each kind of table is a class. `csv` gives KEY,COUNT a line without a header, or KEY alone where no counts are named;
`records` gives the columns of raw records that are named, behind a header; `table` makes a table of the same kind out of
what was released. Keys are texts on the way back.
"""
from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from ._call import BadInput


def _columns(names: list[str], keys: str | None, counts: str | None) -> tuple[str, str | None]:
    """The columns to read: those that are named, or the only one or two that there are."""
    for name, column in (("keys", keys), ("counts", counts)):
        if column is not None and column not in names:
            raise BadInput(f"argument '{name}': {column!r}; expected one of the columns {', '.join(names)}",
                           "argument")
    if keys is None and counts is None and len(names) <= 2:
        keys, counts = (*names, None, None)[:2]
    elif keys is not None and counts is None and len(names) == 2:
        counts = next(name for name in names if name != keys)
    if keys is None:
        raise BadInput(f"argument 'keys': expected the name of one of the columns {', '.join(names)}", "argument")
    return keys, counts


def _types(keys: list[str], names: list[str], text: Any, number: Any) -> dict[str, Any]:
    """The type of each column that was released. A mechanism of one value for each user gives no keys."""
    return {**({} if names == ["answer"] else {key: text for key in keys}), **{name: number for name in names}}


def _refuse(what: str, column: str) -> BadInput:
    return BadInput(f"column {column!r}: expected {what}", "input")


class _Pandas:
    def __init__(self, data: Any):
        import pandas
        self.series = isinstance(data, pandas.Series)
        if self.series:
            name = data.name if data.name is not None else "count"
            data = data.rename(name).rename_axis(data.index.name or "key").reset_index()
        self.data = data
        self.names = list(data.columns)

    def records(self, names: list[str]) -> bytes:
        return self.data[names].to_csv(index=False).encode()

    def csv(self, keys: str | None, counts: str | None) -> bytes:
        import pandas
        self.keys, self.counts = _columns(self.names, keys, counts)
        key = self.data[self.keys]
        if key.isna().any():
            raise _refuse("a key in every row", self.keys)
        out = {"key": key.astype(str)}
        if self.counts is not None:
            count = self.data[self.counts]
            if count.isna().any() or not pandas.api.types.is_integer_dtype(count.dtype):
                raise _refuse("whole numbers, one in every row", self.counts)
            out["count"] = count
        frame = pandas.DataFrame(out)
        try:
            import pyarrow
        except ImportError:
            return frame.to_csv(index=False, header=False).encode()
        return _arrow_csv(pyarrow.Table.from_pandas(frame, preserve_index=False))

    def table(self, text: bytes, keys: list[str], names: list[str], exact: bool) -> Any:
        import pandas
        types = _types(keys, names, str, "Int64" if exact else "float64")
        if text:
            frame = pandas.read_csv(io.BytesIO(text), header=None, names=list(types), dtype=types,
                                    keep_default_na=False, na_values={name: [""] for name in names})
        else:
            frame = pandas.DataFrame({name: pandas.Series(dtype=kind) for name, kind in types.items()})
        if not self.series or not names or names == ["answer"]:
            return frame
        frame = frame.set_index(keys[0])
        return frame[names[0]].rename(self.counts) if len(names) == 1 else frame


class _Polars:
    def __init__(self, data: Any):
        self.data = data.collect() if hasattr(data, "collect") else data
        self.names = self.data.columns

    def records(self, names: list[str]) -> bytes:
        return self.data.select(names).write_csv().encode()

    def csv(self, keys: str | None, counts: str | None) -> bytes:
        import polars
        self.keys, self.counts = _columns(self.names, keys, counts)
        if self.data[self.keys].null_count():
            raise _refuse("a key in every row", self.keys)
        columns = [self.data[self.keys].cast(polars.String)]
        if self.counts is not None:
            count = self.data[self.counts]
            if count.null_count() or not count.dtype.is_integer():
                raise _refuse("whole numbers, one in every row", self.counts)
            columns.append(count)
        out = io.BytesIO()
        polars.DataFrame(columns).write_csv(out, include_header=False)
        return out.getvalue()

    def table(self, text: bytes, keys: list[str], names: list[str], exact: bool) -> Any:
        import polars
        schema = _types(keys, names, polars.String, polars.Int64 if exact else polars.Float64)
        if not text:
            return polars.DataFrame(schema=schema)
        table = polars.read_csv(text, has_header=False, schema=schema)
        return table.with_columns(polars.col(polars.String).fill_null(""))


def _arrow_csv(table: Any, header: bool = False) -> bytes:
    import pyarrow
    from pyarrow import csv as arrow_csv
    out = pyarrow.BufferOutputStream()
    arrow_csv.write_csv(table, out, arrow_csv.WriteOptions(include_header=header))
    return out.getvalue().to_pybytes()


class _Arrow:
    """A table or a batch of pyarrow; what gives a stream of Arrow's; a relation of DuckDB."""

    def __init__(self, data: Any):
        import pyarrow
        self.data = data if isinstance(data, pyarrow.Table) else pyarrow.table(data)
        self.names = self.data.column_names

    def records(self, names: list[str]) -> bytes:
        return _arrow_csv(self.data.select(names), header=True)

    def csv(self, keys: str | None, counts: str | None) -> bytes:
        import pyarrow
        self.keys, self.counts = _columns(self.names, keys, counts)
        key = self.data[self.keys]
        if key.null_count:
            raise _refuse("a key in every row", self.keys)
        columns = {"key": key.cast(pyarrow.string())}
        if self.counts is not None:
            count = self.data[self.counts]
            if count.null_count or not pyarrow.types.is_integer(count.type):
                raise _refuse("whole numbers, one in every row", self.counts)
            columns["count"] = count
        return _arrow_csv(pyarrow.table(columns))

    def table(self, text: bytes, keys: list[str], names: list[str], exact: bool) -> Any:
        import pyarrow
        from pyarrow import csv as arrow_csv
        types = _types(keys, names, pyarrow.string(), pyarrow.int64() if exact else pyarrow.float64())
        if not text:
            return pyarrow.schema(types.items()).empty_table()
        return arrow_csv.read_csv(pyarrow.BufferReader(text), arrow_csv.ReadOptions(column_names=list(types)),
                                  arrow_csv.ParseOptions(newlines_in_values=True),
                                  arrow_csv.ConvertOptions(column_types=types, null_values=[""],
                                                           strings_can_be_null=False))


class _Mapping:
    """A dict of counts by key; a list comes back where what is released has no values, or no keys."""

    def __init__(self, data: Any):
        self.data = data
        self.names: list[str] = []

    def csv(self, keys: str | None, counts: str | None) -> bytes:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        for key, count in self.data.items():
            if isinstance(count, bool) or not hasattr(count, "__index__"):
                raise BadInput("argument 'data': expected whole numbers by key", "input")
            writer.writerow((key, count.__index__()))
        return out.getvalue().encode()

    def table(self, text: bytes, keys: list[str], names: list[str], exact: bool) -> Any:
        def value(field: str) -> Any:
            return None if field == "" else int(field) if exact else float(field)

        rows = csv.reader(io.StringIO(text.decode(), newline=""))
        if not names:
            return [row[0] for row in rows]
        if names == ["answer"]:
            return [value(row[0]) for row in rows]
        n = len(keys)
        return {row[0] if n == 1 else tuple(row[:n]): value(row[n]) if len(names) == 1 else tuple(map(value, row[n:]))
                for row in rows}


def frame_of(data: Any) -> Any:
    """The class of a table."""
    library = type(data).__module__.split(".")[0]
    if isinstance(data, Mapping):
        return _Mapping(data)
    if library == "pandas":
        return _Pandas(data)
    if library == "polars":
        return _Polars(data)
    if library in ("duckdb", "_duckdb"):
        return _Arrow(data.to_arrow_table())
    if library == "pyarrow" or hasattr(data, "__arrow_c_stream__"):
        return _Arrow(data)
    raise BadInput(f"argument 'data': {type(data).__name__}; expected a table of pandas, Polars, Arrow or DuckDB, "
                   "a mapping, or the path of a file in CSV", "argument")
