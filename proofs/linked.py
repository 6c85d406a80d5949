# SPDX-License-Identifier: MIT
"""Checks what was linked: the kernel's functions in the shared library and in the command are those of the objects that were judged.

A linker can put another function in the place of one (--wrap, --defsym, a second archive), whatever the objects are. So the bytes behind
each name are compared with the object's. Those that a linker fills in are left out, with the three before them, which it may shorten.
"""
import struct
from pathlib import Path

LIBRARY, COMMAND = "libprobity.so", "probity"
SYMTAB, RELA, EXECUTABLE, FUNCTION, FILLED, BEFORE = 2, 4, 4, 2, 4, 3
AFTER_WRAPPING = ("__wrap_", "__real_")


class Elf:
    """The sections and the symbols of an object or a program, of 64 bits and in little endian."""

    def __init__(self, data):
        self.data = data
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("no file of 64 bits in little endian")
        start, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
        # kind, flags, address, offset, size, link, info
        self.sections = [(s[1], s[2], s[3], s[4], s[5], s[6], s[7]) for s in
                         (struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count))]
        self.symbols = [symbol for section in self.sections if section[0] == SYMTAB for symbol in self.read_symbols(section)]

    def read_symbols(self, section):
        names = self.sections[section[5]][3]
        for at in range(section[3], section[3] + section[4], 24):
            name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
            end = self.data.index(b"\0", names + name)
            yield self.data[names + name:end].decode(), info & 15, info >> 4, index, value, size

    def filled(self, index):
        """The places of a section that a linker fills in."""
        places = set()
        for kind, _, _, offset, size, _, info in self.sections:
            if kind == RELA and info == index:
                for at in range(offset, offset + size, 24):
                    place = struct.unpack_from("<Q", self.data, at)[0]
                    places.update(range(place - BEFORE, place + FILLED))
        return places

    def functions(self):
        """{name: (section, place in it, size)} of the functions that others may call."""
        return {name: (index, value, size) for name, kind, binding, index, value, size in self.symbols
                if kind == FUNCTION and binding == 1 and 0 < index < len(self.sections) and name.startswith("pby_")}

    def code(self, index, value, size):
        """The bytes of a function. In a program its place is an address."""
        _, _, address, offset, _, _, _ = self.sections[index]
        at = offset + value - address
        return self.data[at:at + size]


def compare(object_, program, name):
    """Objections to the functions of an object, as they stand in a program."""
    for function, (index, value, size) in object_.functions().items():
        found = {(i, v, s) for n, kind, _, i, v, s in program.symbols if n == function and kind == FUNCTION and 0 < i < len(program.sections)}
        if len(found) != 1:
            yield f"{name}: {function} stands there {len(found)} times"
            continue
        (at,) = found
        wanted, got, filled = object_.code(index, value, size), program.code(*at), object_.filled(index)
        if len(wanted) != len(got) or any(a != b and value + i not in filled for i, (a, b) in enumerate(zip(wanted, got))):
            yield f"{name}: {function} is not the function that was proved"


def problems(root, build, units, target):
    """Objections to the library and the command, as far as they are built; the objects are the judged ones."""
    objects = {unit: Elf((root / target(build, unit)).read_bytes()) for unit in units}
    for name in (LIBRARY, COMMAND):
        path = Path(root) / build / name
        if not path.is_file():
            continue
        try:
            program = Elf(path.resolve().read_bytes())
        except ValueError as error:
            yield f"{build}/{name}: {error}"
            continue
        yield from (f"{build}/{name}: {symbol[0]}: a linker was asked to call another function" for symbol in program.symbols
                    if symbol[0].startswith(AFTER_WRAPPING))
        for unit in units:
            yield from (f"{unit}: {what}" for what in compare(objects[unit], program, f"{build}/{name}"))
