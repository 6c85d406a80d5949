# SPDX-License-Identifier: MIT
"""Tables of pandas, Polars, Arrow and DuckDB, and mappings, on their way to C and back.

Each kind of table is a class. `stream` gives some of its columns as a table that has `__arrow_c_stream__`, those that
name something as text or integers; `lines` gives one column as CSV, for a mechanism that reads a value of each user;
`table` makes a table of the same kind out of what was released. A mapping goes as CSV both ways. Keys are texts on the
way back.
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


def _refuse(what: str, column: str) -> BadInput:
    return BadInput(f"column {column!r}: expected {what}", "input")


class _Frame:
    names: list[str]

    def choose(self, keys: str | None, counts: str | None) -> None:
        """Settles the columns of keys and counts, and refuses what is none."""
        self.keys, self.counts = _columns(self.names, keys, counts)
        if self._nulls(self.keys):
            raise _refuse("a key in every row", self.keys)
        if self.counts is not None and (self._nulls(self.counts) or not self._whole(self.counts)):
            raise _refuse("whole numbers, one in every row", self.counts)

    def _nulls(self, column: str) -> bool:
        raise NotImplementedError

    def _whole(self, column: str) -> bool:
        raise NotImplementedError


def _word(x: Any) -> str | None:
    """The text of one value of pandas: of a whole float that of the integer, of midnight that of the day."""
    import pandas
    if x is None or x is pandas.NA or x is pandas.NaT or (isinstance(x, float) and x != x):
        return None
    if isinstance(x, float) and x.is_integer():
        return str(int(x))
    if isinstance(x, pandas.Timestamp) and x.tzinfo is None and x == x.normalize():
        return str(x.date())
    return str(x)


def _mapped(column: Any, word: Any) -> Any:
    import pandas
    return pandas.Series([word(x) for x in column], index=column.index, dtype="string")


def _words(column: Any) -> Any:
    """Texts or integers, each of which depends on its own value alone. pandas' own texts do not: one missing value makes
    integers floats ('1.0'), and one time of day gives every day a time, so that one row would move all others out of
    their groups."""
    import pandas
    types, dtype = pandas.api.types, column.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return column if types.is_string_dtype(dtype.categories.dtype) else _mapped(column, _word)
    if types.is_integer_dtype(dtype) or isinstance(dtype, pandas.StringDtype):
        return column
    if types.is_object_dtype(dtype):
        return _mapped(column, _word)
    codes, values = pandas.factorize(column)
    words = pandas.array([_word(x) for x in values], dtype="string")
    return pandas.Series(words.take(codes, allow_fill=True), index=column.index)


def _numbers(column: Any) -> Any:
    """Numbers, or texts of them. A truth value counts as 0 or 1."""
    import pandas
    types, dtype = pandas.api.types, column.dtype
    if isinstance(dtype, pandas.StringDtype):
        return column
    if types.is_bool_dtype(dtype):
        return column.astype("Int8") if not types.is_object_dtype(dtype) else _mapped(column, _number_word)
    if types.is_integer_dtype(dtype) or types.is_float_dtype(dtype):
        return column if getattr(dtype, "itemsize", 8) > 2 or types.is_integer_dtype(dtype) else column.astype("float64")
    return _mapped(column, _number_word)


def _number_word(x: Any) -> str | None:
    import numpy
    return str(int(x)) if isinstance(x, (bool, numpy.bool_)) else _word(x)


class _Pandas(_Frame):
    def __init__(self, data: Any):
        import pandas
        self.series = isinstance(data, pandas.Series)
        if self.series:
            name = data.name if data.name is not None else "count"
            data = data.rename(name).rename_axis(data.index.name or "key").reset_index()
        self.data = data
        self.names = list(data.columns)

    def _nulls(self, column: str) -> bool:
        return bool(self.data[column].isna().any())

    def _whole(self, column: str) -> bool:
        import pandas
        return pandas.api.types.is_integer_dtype(self.data[column].dtype)

    def stream(self, names: list[str], texts: list[str]) -> Any:
        import pandas
        try:
            import pyarrow
        except ImportError as cause:
            raise BadInput("argument 'data': a table of pandas is read with pyarrow, which is not installed",
                           "argument") from cause
        data = {name: _words(self.data[name]) if name in texts else _numbers(self.data[name]) for name in names}
        return pyarrow.Table.from_pandas(pandas.DataFrame(data), preserve_index=False)

    def lines(self) -> bytes:
        return self.data[[self.keys]].to_csv(index=False, header=False).encode()

    def table(self, rows: Any, names: list[str], values: list[str]) -> Any:
        import pandas
        import pyarrow
        whole = {pyarrow.int64(): pandas.Int64Dtype()}
        frame = pyarrow.table(rows).rename_columns(names).to_pandas(types_mapper=whole.get)
        if not self.series or not values or len(names) == len(values):
            return frame
        frame = frame.set_index(names[0])
        return frame[values[0]].rename(self.counts) if len(values) == 1 else frame


class _Polars(_Frame):
    def __init__(self, data: Any):
        self.data = data.collect() if hasattr(data, "collect") else data
        self.names = self.data.columns

    def _nulls(self, column: str) -> bool:
        return bool(self.data[column].null_count())

    def _whole(self, column: str) -> bool:
        return self.data[column].dtype.is_integer()

    def stream(self, names: list[str], texts: list[str]) -> Any:
        import polars
        read = (polars.String, polars.Categorical, polars.Enum)
        kinds = dict(zip(self.data.columns, self.data.dtypes))
        flags = [name for name in names if name not in texts and kinds[name] == polars.Boolean]
        return self.data.select(
            polars.col(name).cast(polars.Int8) if name in flags else
            polars.col(name) if kinds[name].is_integer() or kinds[name] in read or
            (name not in texts and kinds[name].is_float()) else polars.col(name).cast(polars.String) for name in names)

    def lines(self) -> bytes:
        return self.data.select(self.keys).write_csv(include_header=False).encode()

    def table(self, rows: Any, names: list[str], values: list[str]) -> Any:
        import polars
        frame = polars.DataFrame(rows)
        frame.columns = names
        return frame


class _Arrow(_Frame):
    """A table or a batch of pyarrow; what gives a stream of Arrow's; a relation of DuckDB."""

    def __init__(self, data: Any):
        import pyarrow
        self.data = data if isinstance(data, pyarrow.Table) else pyarrow.table(data)
        self.names = self.data.column_names

    def _nulls(self, column: str) -> bool:
        return bool(self.data[column].null_count)

    def _whole(self, column: str) -> bool:
        import pyarrow
        return pyarrow.types.is_integer(self.data[column].type)

    def stream(self, names: list[str], texts: list[str]) -> Any:
        import pyarrow
        from pyarrow import types

        def is_read(name: str, kind: Any) -> bool:
            if types.is_dictionary(kind):
                kind = kind.value_type
                return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
            return (types.is_integer(kind) or types.is_string(kind) or types.is_large_string(kind) or
                    types.is_string_view(kind) or
                    (name not in texts and (types.is_float32(kind) or types.is_float64(kind))))

        data = self.data.select(names)
        for i, field in enumerate(data.schema):
            if types.is_boolean(field.type) and field.name not in texts:
                data = data.set_column(i, field.name, data[i].cast(pyarrow.int8()))
            elif not is_read(field.name, field.type):
                data = data.set_column(i, field.name, data[i].cast(pyarrow.string()))
        return data

    def lines(self) -> bytes:
        import pyarrow
        from pyarrow import csv as arrow_csv
        out = pyarrow.BufferOutputStream()
        arrow_csv.write_csv(self.data.select([self.keys]), out, arrow_csv.WriteOptions(include_header=False))
        return out.getvalue().to_pybytes()

    def table(self, rows: Any, names: list[str], values: list[str]) -> Any:
        import pyarrow
        return pyarrow.table(rows).rename_columns(names)


class _Mapping:
    """A dict of counts by key; a list comes back where what is released has no values, or no keys."""

    def __init__(self, data: Any):
        self.data = data
        self.names: list[str] = []

    def csv(self) -> bytes:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        for key, count in self.data.items():
            if key is None or (isinstance(key, str) and "\0" in key):
                raise BadInput("argument 'data': expected keys that are texts without a NUL, and not None", "input")
            if isinstance(count, bool) or not hasattr(count, "__index__"):
                raise BadInput("argument 'data': expected whole numbers by key", "input")
            writer.writerow((key, count.__index__()))
        return out.getvalue().encode()

    @staticmethod
    def table(text: bytes, keys: int, names: list[str], exact: bool) -> Any:
        """Out of CSV without a header, of which so many columns are the key."""
        def value(field: str) -> Any:
            return None if field == "" else int(field) if exact else float(field)

        rows = csv.reader(io.StringIO(text.decode(), newline=""))
        if not names:
            return [row[0] for row in rows]
        if names == ["answer"]:
            return [value(row[0]) for row in rows]
        return {row[0] if keys == 1 else tuple(row[:keys]):
                value(row[keys]) if len(names) == 1 else tuple(map(value, row[keys:])) for row in rows}


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


def columns_frame(frame: Any, columns: dict[str, list[Any]], kinds: dict[str, str]) -> Any:
    """A table out of columns whose kinds are 'text', 'whole' and 'number', the latter two with None for a null. It is
    of the frame's kind, and the columns themselves where that is None."""
    if frame is None:
        return columns
    if isinstance(frame, _Pandas):
        import pandas
        dtypes = {"text": object, "whole": "Int64", "number": "Float64"}
        return pandas.DataFrame({name: pandas.Series(x, dtype=dtypes[kinds[name]]) for name, x in columns.items()})
    if isinstance(frame, _Polars):
        import polars
        schema = {"text": polars.String, "whole": polars.Int64, "number": polars.Float64}
        return polars.DataFrame(columns, schema={name: schema[kind] for name, kind in kinds.items()})
    import pyarrow
    types = {"text": pyarrow.string(), "whole": pyarrow.int64(), "number": pyarrow.float64()}
    return pyarrow.table({name: pyarrow.array(x, types[kinds[name]]) for name, x in columns.items()})
