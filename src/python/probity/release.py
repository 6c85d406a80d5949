# SPDX-License-Identifier: MIT
"""Releases of tables."""
from __future__ import annotations

import csv
import io
import os
import tempfile
from fractions import Fraction
from typing import Any, Iterable, Mapping

from ._call import BadInput, Failure, Number, Texts, call, encoded, ffi, integer, lib, made, number
from .certificate import Certificate, CertificateLike
from .frames import _Mapping, frame_of
from .ledger import Ledger
from .spec import SpecLike, spec_of
from .streams import Rows, stream_of


def part_of(ledger: Ledger | str | os.PathLike[str] | None, part: str | None) -> str | None:
    """The part that a release is about: what it says itself, or what was said of the ledger (`for_part`)."""
    if part is not None and ledger is None:
        raise BadInput(f"argument 'part': {part!r}; expected 'ledger' beside it", "argument")
    return ledger._part if part is None and isinstance(ledger, Ledger) else part


def _permission(texts: Texts, spec: SpecLike | None, certificate: CertificateLike | None,
                ledger: Ledger | str | os.PathLike[str] | None, part: str | None = None) -> Any:
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
        permission = made(lib.pby_permission_open, "pby_permission", lib.pby_permission_close,
                          ffi.new("pby_permission_options *", options), long=True)
    about = part_of(ledger, part)
    if about is not None:
        call(lib.pby_ledger_for_part, lib.pby_permission_ledger(permission), texts.text(about, "part"))
    return permission


def _key(name: str, x: Any) -> bytes:
    """A key of a public map. None is no key: in a table it would be an empty one."""
    if not isinstance(x, str):
        raise TypeError(f"argument '{name}': {type(x).__name__}; expected keys that are texts")
    return encoded(name, x)


def _map(texts: Texts, filter: Iterable[str] | None, group: Mapping[str, str] | None) -> Any:
    """A public filter or group-by; NULL where there is none."""
    if filter is not None and group is not None:
        raise BadInput("arguments 'filter' and 'group': expected one of the two", "argument")
    if group is not None:
        columns = [list(group), list(group.values())]
    elif filter is not None:
        columns = [list(filter)]
    else:
        return ffi.NULL
    name = "group" if group is not None else "filter"
    arrays = [texts.keep(ffi.new("const char *[]", [texts.keep(ffi.new("char[]", _key(name, x))) for x in column]))
              for column in columns]
    return texts.keep(ffi.new("pby_map *", {"keys": arrays[0], "groups": arrays[1] if group is not None else ffi.NULL,
                                            "count": len(columns[0])}))


def _shares(q: Number | Iterable[Number] | None) -> str | None:
    """Rationals separated by commas."""
    if q is None or isinstance(q, str) or not hasattr(q, "__iter__"):
        return None if q is None else number("q", q)
    return ",".join(number("q", share) for share in q)


def _row(fields: list[str]) -> str:
    """A row of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(fields)
    return out.getvalue()


def _table(texts: Texts, records: bool, data: Any, options: Any) -> Any:
    """The table of a file, of the bytes of CSV, or of a stream of Arrow's."""
    if isinstance(data, bytes):
        left = ffi.new("probity_bytes *", {"next": texts.keep(ffi.from_buffer(data)), "left": len(data)})
        return made(lib.pby_table_csv_callback, "pby_table", lib.pby_table_free, ffi.addressof(lib, "probity_read"), texts.keep(left),
                    options)
    if isinstance(data, (str, os.PathLike)):
        make = lib.pby_table_records if records else lib.pby_table_csv
        return made(make, "pby_table", lib.pby_table_free, texts.text(data), options)
    make = lib.pby_table_records_arrow if records else lib.pby_table_arrow
    stream, capsule = stream_of(texts.keep(data))
    texts.keep(capsule)
    return made(make, "pby_table", lib.pby_table_free, stream, options)


def release(data: Any, spec: SpecLike | None = None, *, certificate: CertificateLike | None = None,
            ledger: Ledger | str | os.PathLike[str] | None = None, keys: str | None = None,
            counts: str | None = None, by: str | list[str] | None = None, user: str | None = None,
            contributions: int | None = None, sum: str | None = None, mean: str | None = None,
            variance: str | None = None, quantile: str | None = None, q: Number | Iterable[Number] | None = None, filter: Iterable[str] | None = None,
            group: Mapping[str, str] | None = None, truncate: int = 0, timing_safe: bool = False, part: str | None = None) -> Any:
    """Releases a table, and returns a table of the same kind.

    `data` is a DataFrame or Series of pandas, a frame of Polars, a table of Arrow, a relation of DuckDB, a mapping,
    or the path of a file in CSV, of which a mapping comes back. It has keys and counts, whose columns `keys` and
    `counts` name. A mechanism of one value for each user reads the column `keys` alone.

    Or it has raw records, a row each, which are counted `by` columns, 'NAME' or 'NAME:LO:HI:WIDTH' for buckets. With
    `user` and `contributions` so many records of each user are counted at most, and a user is the unit of privacy.
    `sum`, `mean`, `variance` and `quantile` are of a column 'NAME:LO:HI:STEP', in the place of counts
    (docs/theory/records.md); `q` says which quantiles, one or several.

    The right to release is a `spec`, which the caller answers for, or a `certificate`, which is checked; the
    `ledger` is charged before noise is drawn. `filter` and `group` are public: the keys that are counted, and under
    which name. With `part` the data are of that part of the ledger's users alone, for which you answer; the entry
    states it. Noise comes from the system's entropy and from nothing else.
    """
    texts = Texts()
    for name, x in (("keys", keys), ("counts", counts), ("user", user), ("sum", sum), ("mean", mean),
                    ("variance", variance), ("quantile", quantile)):
        if x is not None:
            encoded(name, x)
    for name, x in (("filter", filter), ("group", group), ("by", by)):
        if isinstance(x, str if name == "filter" else bytes) or (x is not None and not hasattr(x, "__iter__")):
            raise TypeError(f"argument '{name}': {type(x).__name__}; expected several keys" if name != "by" else
                            f"argument 'by': {type(x).__name__}; expected a column or several")
    if group is not None and not isinstance(group, Mapping):
        raise TypeError(f"argument 'group': {type(group).__name__}; expected a mapping")
    permission = _permission(texts, spec, certificate, ledger, part)
    moments = {lib.PBY_MOMENT_SUM: sum, lib.PBY_MOMENT_MEAN: mean, lib.PBY_MOMENT_VARIANCE: variance,
               lib.PBY_MOMENT_QUANTILE: quantile}
    given = [(which, value) for which, value in moments.items() if value is not None]
    if len(given) > 1:
        raise BadInput("arguments 'sum', 'mean', 'variance' and 'quantile': expected one of them", "argument")
    if (q is None) != (quantile is None):
        raise BadInput("arguments 'quantile' and 'q': expected both or neither", "argument")
    moment, value = given[0] if given else (lib.PBY_MOMENT_NONE, None)
    columns = [by] if isinstance(by, str) else list(by or [])
    raw = bool(columns) or value is not None
    if contributions is not None and not raw:
        raise BadInput(f"argument 'contributions': {contributions!r}; expected raw records, with 'by'", "argument")
    options = ffi.new("pby_release_options *", {
        "truncate": integer("truncate", truncate, 0, 2**63 - 1), "timing_safe": bool(timing_safe),
        "user": texts.text(user), "moment": moment, "quantiles": texts.text(_shares(q))})
    file = isinstance(data, (str, os.PathLike))
    frame = frame_of({} if file else data)
    public = _map(texts, filter, group)
    if raw:
        wanted = [*columns, *([user] if user else []), *([value] if value else [])]
        names = [name for name in frame.names if any(x == name or x.startswith(f"{name}:") for x in wanted)]
        if isinstance(frame, _Mapping) and not file:
            raise BadInput("argument 'data': a mapping; expected a table of raw records beside 'by'", "argument")
        source = data if file else frame.stream(names, [name for name in names if name in wanted])
        table = _table(texts, True, source, ffi.new("pby_records_options *", {
            "by": texts.text(_row(columns) if columns else None), "user": texts.text(user),
            "contributions": 0 if contributions is None else integer("contributions", contributions, 1, 10**9),
            "map": public, "value": texts.text(value), "name": texts.text(None if file else "data")}))
        titles = [_title(column, frame.names) for column in columns] or ["group"]
    else:
        if file:
            source = data
        elif isinstance(frame, _Mapping):
            source = frame.csv()
        else:
            frame.choose(keys, counts)
            source = frame.lines() if frame.counts is None else frame.stream([frame.keys, frame.counts], [frame.keys])
        table = _table(texts, False, source, ffi.new(
            "pby_csv_options *", {"keys": texts.text(keys), "counts": texts.text(counts)} if file
            else {"name": texts.text("data")}))
        if public != ffi.NULL:
            table = made(lib.pby_table_map, "pby_table", lib.pby_table_free, table, public)
        titles = [getattr(frame, "keys", "key")]
    noisy = made(lib.pby_release_table, "pby_table", lib.pby_table_free, permission, table, options,
                 long=True)
    names = [ffi.string(lib.pby_table_column(noisy, i)).decode() for i in range(lib.pby_table_columns(noisy))]
    unit = Fraction(ffi.string(lib.pby_table_unit(noisy)).decode())
    if file and not raw:
        return _rows(noisy, names, unit)
    if isinstance(frame, _Mapping):
        text = _written(noisy)
        if raw:
            text = text.partition(b"\n")[2]  # a header
        return frame.table(_spread(text) if len(titles) > 1 else text, len(titles), names, unit == 1)
    try:
        return frame.table(Rows(noisy), names if names == ["answer"] else [*titles, *names], names)
    except Exception as cause:
        failure = Failure("the release was made, and the table could not be: its CSV is in 'released'", "internal")
        failure.released = _written(noisy)
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


def _title(column: str, names: list[str]) -> str:
    """The name of a column, without its buckets."""
    return column if column in names or column.count(":") < 3 else column.rsplit(":", 3)[0]


def _written(table: Any) -> bytes:
    """The rows as CSV, behind a header where the table has one."""
    out, size = ffi.new("char **"), ffi.new("size_t *")
    call(lib.pby_table_write_memory, out, size, table, lib.PBY_FORMAT_CSV)
    try:
        return ffi.buffer(out[0], size[0])[:]
    finally:
        lib.free(out[0])
