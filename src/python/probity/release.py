"""Releases of tables."""
from __future__ import annotations

import csv
import io
import os
import tempfile
from fractions import Fraction
from typing import Any, Iterable, Mapping

from ._call import BadInput, Failure, Texts, call, ffi, integer, lib, made
from .certificate import Certificate, CertificateLike
from .frames import frame_of
from .ledger import Ledger
from .spec import SpecLike, spec_of


def _permission(texts: Texts, spec: SpecLike | None, certificate: CertificateLike | None,
                ledger: Ledger | str | os.PathLike[str] | None) -> Any:
    """The right to release, from a spec or a certificate. The library reads a certificate from a file."""
    if (spec is None) == (certificate is None):
        raise BadInput("arguments 'spec' and 'certificate': expected one of the two", "argument")
    options = {"spec": texts.text(None if spec is None else str(spec_of(spec))),
               "ledger": texts.text(ledger.path if isinstance(ledger, Ledger) else ledger)}
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        if isinstance(certificate, Certificate):
            file.write(certificate.text)
            file.flush()
            certificate = file.name
        options["certificate"] = texts.text(certificate)
        return made(lib.pby_permission_open, "pby_permission", lib.pby_permission_close,
                    ffi.new("pby_permission_options *", options))


def _map(texts: Texts, kept: list[Any], filter: Iterable[str] | None, group: Mapping[str, str] | None) -> Any:
    """A public filter or group-by; NULL where there is none."""
    if filter is not None and group is not None:
        raise BadInput("arguments 'filter' and 'group': expected one of the two", "argument")
    if group is not None:
        columns = [list(group), list(group.values())]
    elif filter is not None:
        columns = [list(filter)]
    else:
        return ffi.NULL
    arrays = [ffi.new("const char *[]", [texts.text(x) for x in column]) for column in columns]
    kept += arrays
    return ffi.new("pby_map *", {"keys": arrays[0], "groups": arrays[1] if group is not None else ffi.NULL,
                                 "count": len(columns[0])})


def _row(fields: list[str]) -> str:
    """A row of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(fields)
    return out.getvalue()


def _read(texts: Texts, kept: list[Any], text: bytes) -> Any:
    """Bytes for a table's callback."""
    kept.append(text)
    return ffi.new("probity_bytes *", {"next": ffi.from_buffer(text), "left": len(text)})


def release(data: Any, spec: SpecLike | None = None, *, certificate: CertificateLike | None = None,
            ledger: Ledger | str | os.PathLike[str] | None = None, keys: str | None = None,
            counts: str | None = None, by: str | list[str] | None = None, user: str | None = None,
            contributions: int | None = None, sum: str | None = None, mean: str | None = None,
            variance: str | None = None, filter: Iterable[str] | None = None,
            group: Mapping[str, str] | None = None, truncate: int = 0, timing_safe: bool = False) -> Any:
    """Releases a table, and returns a table of the same kind.

    `data` is a DataFrame or Series of pandas, a frame of Polars, a table of Arrow, a relation of DuckDB, a mapping,
    or the path of a file in CSV, of which a mapping comes back. It has keys and counts, whose columns `keys` and
    `counts` name. A mechanism of one value for each user reads the column `keys` alone.

    Or it has raw records, a row each, which are counted `by` columns, 'NAME' or 'NAME:LO:HI:WIDTH' for buckets. With
    `user` and `contributions` so many records of each user are counted at most, and a user is the unit of privacy.
    `sum`, `mean` and `variance` are of a column 'NAME:LO:HI:STEP', in the place of counts (docs/theory/records.md).

    The right to release is a `spec`, which the caller answers for, or a `certificate`, which is checked; the
    `ledger` is charged before noise is drawn. `filter` and `group` are public: the keys that are counted, and under
    which name. Noise comes from the system's entropy and from nothing else.
    """
    texts = Texts()
    kept: list[Any] = []
    permission = _permission(texts, spec, certificate, ledger)
    moments = {lib.PBY_MOMENT_SUM: sum, lib.PBY_MOMENT_MEAN: mean, lib.PBY_MOMENT_VARIANCE: variance}
    given = [(which, value) for which, value in moments.items() if value is not None]
    if len(given) > 1:
        raise BadInput("arguments 'sum', 'mean' and 'variance': expected one of them", "argument")
    moment, value = given[0] if given else (lib.PBY_MOMENT_NONE, None)
    columns = [by] if isinstance(by, str) else list(by or [])
    raw = bool(columns) or value is not None
    if contributions is not None and not raw:
        raise BadInput(f"argument 'contributions': {contributions!r}; expected raw records, with 'by'", "argument")
    options = ffi.new("pby_release_options *", {
        "truncate": integer("truncate", truncate, 0, 2**63 - 1), "timing_safe": bool(timing_safe),
        "user": texts.text(user), "moment": moment})
    file = isinstance(data, (str, os.PathLike))
    frame = frame_of({} if file else data)
    public = _map(texts, kept, filter, group)
    if raw:
        asked = ffi.new("pby_records_options *", {
            "by": texts.text(_row(columns) if columns else None), "user": texts.text(user),
            "contributions": 0 if contributions is None else integer("contributions", contributions, 1, 10**9),
            "map": public, "value": texts.text(value), "name": texts.text(None if file else "data")})
        if file:
            table = made(lib.pby_table_records, "pby_table", lib.pby_table_free, texts.text(data), asked)
        else:
            wanted = [*columns, *([user] if user else []), *([value] if value else [])]
            names = [name for name in frame.names
                     if any(x == name or x.startswith(f"{name}:") for x in wanted)]
            table = made(lib.pby_table_records_callback, "pby_table", lib.pby_table_free, lib.probity_read,
                         _kept(kept, _read(texts, kept, frame.records(names))), asked)
        titles = [_title(column, frame.names) for column in columns] or ["group"]
    else:
        named = ffi.new("pby_csv_options *", {"keys": texts.text(keys), "counts": texts.text(counts)} if file
                        else {"name": texts.text("data")})
        if file:
            table = made(lib.pby_table_csv, "pby_table", lib.pby_table_free, texts.text(data), named)
        else:
            table = made(lib.pby_table_csv_callback, "pby_table", lib.pby_table_free, lib.probity_read,
                         _kept(kept, _read(texts, kept, frame.csv(keys, counts))), named)
        if public != ffi.NULL:
            table = made(lib.pby_table_map, "pby_table", lib.pby_table_free, table, public)
        titles = [getattr(frame, "keys", "key")]
    noisy = made(lib.pby_release_table, "pby_table", lib.pby_table_free, permission, table, options)
    text, names, exact = _written(noisy)
    if raw:
        text = text.partition(b"\n")[2]  # a header
        if len(columns) > 1:
            text = _spread(text)
    elif file:
        return _rows(noisy, names, Fraction(1) if exact else Fraction(ffi.string(lib.pby_table_unit(noisy)).decode()))
    try:
        return frame.table(text, titles, names, exact)
    except Exception as cause:
        failure = Failure("the release was made, and the table could not be: its CSV is in 'released'", "internal")
        failure.released = text
        raise failure from cause


def _rows(table: Any, names: list[str], unit: Fraction) -> Any:
    """The rows by key, as of a mapping: what is written of a file may have a header."""
    def value(column: int) -> Any:
        steps = lib.pby_table_value(table, column)
        return None if steps == lib.PBY_SUPPRESSED else steps if unit == 1 else float(steps * unit)

    found, size, rows = ffi.new("_Bool *"), ffi.new("size_t *"), []
    call(lib.pby_table_rewind, table)
    while True:
        call(lib.pby_table_next, table, found)
        if not found[0]:
            break
        key = ffi.buffer(lib.pby_table_key(table, size), size[0])[:].decode()
        rows.append((key, tuple(value(i) for i in range(len(names)))))
    if not names:
        return [key for key, _ in rows]
    if names == ["answer"]:
        return [values[0] for _, values in rows]
    return {key: values[0] if len(names) == 1 else values for key, values in rows}


def _spread(text: bytes) -> bytes:
    """A key of several columns is a row of CSV in one field; here it becomes fields."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for key, *values in csv.reader(io.StringIO(text.decode(), newline="")):
        writer.writerow([*next(csv.reader(io.StringIO(key, newline=""))), *values])
    return out.getvalue().encode()


def _kept(kept: list[Any], x: Any) -> Any:
    kept.append(x)
    return x


def _title(column: str, names: list[str]) -> str:
    """The name of a column, without its buckets."""
    return column if column in names or column.count(":") < 3 else column.rsplit(":", 3)[0]


def _written(table: Any) -> tuple[bytes, list[str], bool]:
    """The rows as CSV without a header, the names of the values, and whether these are whole numbers."""
    out, size = ffi.new("char **"), ffi.new("size_t *")
    call(lib.pby_table_write_memory, out, size, table, lib.PBY_FORMAT_CSV)
    try:
        text = ffi.buffer(out[0], size[0])[:]
    finally:
        lib.free(out[0])
    names = [ffi.string(lib.pby_table_column(table, i)).decode() for i in range(lib.pby_table_columns(table))]
    return text, names, ffi.string(lib.pby_table_unit(table)) == b"1"
