# SPDX-License-Identifier: MIT
"""Streams of Arrow's between Python and C, by the capsules that `__arrow_c_stream__` gives."""
from __future__ import annotations

import ctypes
from typing import Any

from ._call import call, ffi, lib

_NAME = b"arrow_array_stream"
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def stream_of(data: Any) -> tuple[Any, Any]:
    """The stream of a table, for C to take over, and the capsule that it lies in."""
    capsule = data.__arrow_c_stream__()
    return ffi.cast("struct ArrowArrayStream *", _pointer(capsule, _NAME)), capsule


class Rows:
    """The rows of a table of C, for any library that reads streams of Arrow's. It must outlive what reads them."""

    def __init__(self, table: Any):
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        out = ffi.new("struct ArrowArrayStream **")
        call(lib.probity_stream, out, self._table)
        drop = ffi.cast("uintptr_t", ffi.addressof(lib, "probity_stream_drop"))
        return _capsule(int(ffi.cast("uintptr_t", out[0])), _NAME, int(drop))
