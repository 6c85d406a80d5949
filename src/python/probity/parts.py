# SPDX-License-Identifier: MIT
"""A release in parts, each of which may be made again, over batches of Arrow (docs/theory/keyed.md)."""
from __future__ import annotations

from fractions import Fraction
from typing import Any, Iterable, Iterator

from ._call import BadInput, call, ffi, lib, made, text_of
from .spec import Spec, relation_of

SIZE = 32


def fresh_secret() -> bytes:
    """A secret from the system's generator."""
    out = ffi.new(f"uint8_t[{SIZE}]")
    call(lib.pby_keyed_secret, out)
    return bytes(ffi.buffer(out))


def _part(batch: Any) -> tuple[Any, list[Any]]:
    """The columns of a batch, keys and counts, as C sees them, and what keeps them alive."""
    import pyarrow
    keys, counts = batch.column(0).cast(pyarrow.large_string()), batch.column(1).cast(pyarrow.int64())
    if keys.null_count or counts.null_count:
        raise BadInput("counts: expected a key and a count in every row", "input")
    _, offsets, data = keys.buffers()
    _, values = counts.buffers()
    kept = [keys, counts]
    if len(keys) == 0:
        return ffi.new("pby_keyed_part *", {"n": 0}), kept
    part = ffi.new("pby_keyed_part *", {
        "bytes": ffi.cast("const char *", data.address if data is not None else 0),
        "offsets": ffi.cast("const int64_t *", offsets.address) + keys.offset,
        "counts": ffi.cast("const int64_t *", values.address) + counts.offset, "n": len(keys)})
    return part, kept


def digest_of(batches: Iterable[Any]) -> bytes:
    """The digest of the bars of some batches."""
    out = ffi.new(f"uint8_t[{SIZE}]")
    for batch in batches:
        part, kept = _part(batch)
        call(lib.pby_keyed_digest, out, part)
        del kept
    return bytes(ffi.buffer(out))


def joined(digests: Iterable[bytes]) -> bytes:
    """The digest of all parts out of those of each."""
    out = ffi.new(f"uint8_t[{SIZE}]")
    for digest in digests:
        lib.pby_keyed_join(out, digest)
    return bytes(ffi.buffer(out))


class Parts:
    """A mechanism with its secret. Any part of the counts may be released by any copy of it, in any order, as
    often as is wanted: the same bytes come out."""

    def __init__(self, spec: str, neighbours: str, secret: bytes, digest: bytes):
        self._spec = Spec(spec)
        self._c = made(lib.pby_keyed_new, "pby_release", lib.pby_release_free, self._spec._c,
                       relation_of(self._spec, neighbours), secret, digest)
        self._form = lib.pby_release_form_of(self._c)
        self._uses = lib.pby_release_uses(self._c)
        self._reach = lib.pby_release_reach(self._c)
        self._unit = Fraction(text_of(lib.pby_release_unit_text, self._c))

    @property
    def hides(self) -> bool:
        """True if bars may be left out, so that the keys need not be public."""
        return self._form in (lib.PBY_RELEASE_PASSED, lib.PBY_RELEASE_PRESENT, lib.PBY_RELEASE_PASSED_RANGES)

    @property
    def names(self) -> list[str]:
        """The columns beside the key."""
        if self._form == lib.PBY_RELEASE_PRESENT:
            stems = [] if self._uses == 1 else ["present"]
        elif self._form in (lib.PBY_RELEASE_RANGES, lib.PBY_RELEASE_PASSED_RANGES):
            stems = ["low", "high"]
        else:
            stems = ["count"]
        if self._uses == 1:
            return stems
        return [f"{stem}_{use}" for use in range(1, self._uses + 1) for stem in stems]

    @property
    def whole(self) -> bool:
        """True if the values are whole numbers."""
        return self._unit == 1

    def schema(self, key: str) -> Any:
        """The schema of what `release` gives."""
        import pyarrow
        number = pyarrow.int64() if self.whole else pyarrow.float64()
        return pyarrow.schema([(key, pyarrow.string())] + [(name, number) for name in self.names])

    def release(self, batch: Any) -> Any:
        """Returns the rows that may be published of a batch of keys and counts."""
        import numpy
        import pyarrow
        part, kept = _part(batch)
        n = batch.num_rows
        uses, passed = [], numpy.zeros(n, dtype=bool)
        for use in range(self._uses):
            noisy = numpy.zeros(n, dtype=numpy.int64)
            call(lib.pby_keyed_bars, self._c, part, use, ffi.cast("int64_t *", noisy.ctypes.data))
            uses.append(noisy)
            passed |= noisy != lib.PBY_SUPPRESSED
        rows = numpy.flatnonzero(passed) if self.hides else numpy.arange(n)
        columns = [kept[0].take(pyarrow.array(rows)).cast(pyarrow.string())]
        schema = self.schema(batch.schema.names[0])
        for noisy in uses:
            columns += self._columns(noisy[rows])
        return pyarrow.RecordBatch.from_arrays(columns[:len(schema)], schema=schema)

    def _columns(self, noisy: Any) -> list[Any]:
        """The columns of one use."""
        import pyarrow
        hidden = noisy == lib.PBY_SUPPRESSED
        if self._form == lib.PBY_RELEASE_PRESENT:
            shown = [noisy * 0 + 1]
        elif self._form in (lib.PBY_RELEASE_RANGES, lib.PBY_RELEASE_PASSED_RANGES):
            noisy[hidden] = 0
            shown = [noisy - self._reach, noisy + self._reach]
        else:
            shown = [noisy]
        if not self.whole:
            # The quotient of two integers, rounded once, as Python divides them.
            shown = [[step * self._unit.numerator / self._unit.denominator for step in column.tolist()]
                     for column in shown]
        return [pyarrow.array(column, mask=hidden) for column in shown]

    def stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        """`release` of each batch."""
        return map(self.release, batches)
