"""Releases of tables."""
from __future__ import annotations

import os
import tempfile
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


def _mapped(texts: Texts, table: Any, filter: Iterable[str] | None, group: Mapping[str, str] | None) -> Any:
    """The table behind a public filter or group-by."""
    if filter is not None and group is not None:
        raise BadInput("arguments 'filter' and 'group': expected one of the two", "argument")
    if group is not None:
        columns = [list(group), list(group.values())]
    elif filter is not None:
        columns = [list(filter)]
    else:
        return table
    arrays = [ffi.new("const char *[]", [texts.text(x) for x in column]) for column in columns]
    options = ffi.new("pby_map *", {"keys": arrays[0], "groups": arrays[1] if group is not None else ffi.NULL,
                                    "count": len(columns[0])})
    return made(lib.pby_table_map, "pby_table", lib.pby_table_free, table, options)


def release(data: Any, spec: SpecLike | None = None, *, certificate: CertificateLike | None = None,
            ledger: Ledger | str | os.PathLike[str] | None = None, keys: str | None = None,
            counts: str | None = None, filter: Iterable[str] | None = None, group: Mapping[str, str] | None = None,
            truncate: int = 0, timing_safe: bool = False) -> Any:
    """Releases a table of keys and counts, and returns a table of the same kind.

    `data` is a DataFrame or Series of pandas, a frame of Polars, a table of Arrow, a relation of DuckDB, a mapping,
    or the path of a file in CSV, of which a mapping comes back. `keys` and `counts` name its columns. A mechanism
    of one value for each user reads the column `keys` alone.

    The right to release is a `spec`, which the caller answers for, or a `certificate`, which is checked; the
    `ledger` is charged before noise is drawn. `filter` and `group` are public: the keys that are counted, and under
    which name. Noise comes from the system's entropy and from nothing else.
    """
    texts = Texts()
    permission = _permission(texts, spec, certificate, ledger)
    options = ffi.new("pby_release_options *", {"truncate": integer("truncate", truncate, 0, 2**63 - 1),
                                                "timing_safe": bool(timing_safe)})
    if isinstance(data, (str, os.PathLike)):
        frame = frame_of({}, None, None)
        names = ffi.new("pby_csv_options *", {"keys": texts.text(keys), "counts": texts.text(counts)})
        table = made(lib.pby_table_csv, "pby_table", lib.pby_table_free, texts.text(data), names)
    else:
        frame = frame_of(data, keys, counts)
        text = frame.csv()
        bytes_ = ffi.new("probity_bytes *", {"next": ffi.from_buffer(text), "left": len(text)})
        name = ffi.new("pby_csv_options *", {"name": texts.text("data")})
        table = made(lib.pby_table_csv_callback, "pby_table", lib.pby_table_free, lib.probity_read, bytes_, name)
    table = _mapped(texts, table, filter, group)
    noisy = made(lib.pby_release_table, "pby_table", lib.pby_table_free, permission, table, options)
    text, names, exact = _written(noisy)
    try:
        return frame.table(text, names, exact)
    except Exception as cause:
        failure = Failure("the release was made, and the table could not be: its CSV is in 'released'", "internal")
        failure.released = text
        raise failure from cause


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
