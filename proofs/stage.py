# SPDX-License-Identifier: MIT
"""A mechanism that is not ours beside the library's logic, in a scratch folder that looks like the tree.

The files that the units and the harness include are copied, and no others; acsl/ and the harness headers are the
library's. So the paths in an answer are those of the user, and the folder of the user is only read.
"""
import os
import re
import shutil

import gate
import names
import source
import text as one
import texts
from settings import Bad
from statement import UNIT, Statement
from wp import Missing, Refused, closure

LIBRARY = ("acsl", "acsl/c11", "proofs/alignment/noise.h", "proofs/alignment/noise.c")
DEFINED = re.compile(r"\b(?:predicate|logic\s+[\w *]+?|inductive|lemma)\s*\b(\w+)\s*(?:\{[^}]*\}\s*)?(?=[(=:])")
SYSTEM = re.compile(r"(?:u?int\w*|size|ptrdiff|wchar|max_align)_t|bool")
QUOTED = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def library_files(root):
    return sorted(str(p.relative_to(root)) for part in LIBRARY
                  for p in ([root / part] if (root / part).is_file() else [*(root / part).glob("*.[ch]"), *(root / part).glob("*.mk")]))


def reached(settings, library):
    """The user's files that the units and the harness are made of."""
    found, todo = [], [*settings.units, settings.harness]
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found.append(path)
        text = read(settings.folder / path)
        for name in QUOTED.findall(text):
            places = [os.path.normpath(os.path.join(d, name)) for d in (os.path.dirname(path), *settings.include)]
            here = [p for p in places if not p.startswith("..") and (settings.folder / p).is_file()]
            if os.path.normpath(name) in library:
                if here:
                    raise Bad(f"{path}: include \"{name}\": the library has a file of this name, and so has {settings.folder}")
            elif here:
                todo.append(here[0])
            else:
                raise Bad(f"{path}: include \"{name}\" not found")
    return sorted(found)


def read(path):
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Bad(f"{path}: {error}") from None


class Stage:
    """The scratch folder, what was put there, and what the sources say against the rules."""

    def __init__(self, root, settings, scratch):
        self.root, self.settings = scratch, settings
        self.library = library_files(root)
        self.own = reached(settings, set(self.library))
        for path in self.library:
            (scratch / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / path, scratch / path)
        for path in self.own:
            (scratch / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(settings.folder / path, scratch / path)
        self.includes = tuple(dict.fromkeys([".", *settings.include]))
        plain = [texts.without_comments(read(scratch / path)) for path in self.own]
        self.statement = Statement(settings, plain)
        (scratch / UNIT).write_text(self.statement.text())
        self.units = [*settings.units, UNIT]

    def words_taken(self):
        """Returns the names that no macro of the user may have: every word of the library and of the statement, but for the user's own."""
        library = " ".join((self.root / path).read_text() for path in self.library)
        said = self.statement.text()
        own = " ".join((self.settings.neighbours, self.settings.domain, self.settings.inverse))
        return (set(re.findall(r"\w+", library)) | set(re.findall(r"\w+", said)) - set(re.findall(r"\w+", own))
                | {"INT64_MIN", "INT64_MAX", "UINT64_MAX", "SIZE_MAX", "INT32_MAX", "NULL"})

    def lemmas(self):
        """The functions of the library that a harness may call; those of its own harnesses are not here."""
        return {name for path in self.library for name in re.findall(r"\b((?:lemma|align)_\w+)\s*\(", read(self.root / path))}

    def sources(self):
        return [read(self.root / path) for path in [*self.own, *self.library]]

    def static(self):
        """Functions that only their own file knows: they are nobody's definition elsewhere."""
        return {name for path in self.own for name in names.static(read(self.root / path))}

    def twice(self):
        """A word has one meaning: two units that read two definitions of it would prove one contract of two things."""
        used = {path for unit in self.units for path in closure(self.root, unit, self.includes)} & set(self.library)
        library = {name for path in used for name in DEFINED.findall(read(self.root / path))}
        seen = {}
        for path in self.own:
            text = read(self.root / path)
            found = [*DEFINED.findall(text), *re.findall(r"^\s*#define (\w+) ", source.blank(text), re.M)]
            kinds = [name for kind, name, _ in names.declared(text) if kind in ("type", "object")]
            for name in [*found, *dict.fromkeys(kinds)]: # struct s and a typedef of it may share a name
                if name in library or SYSTEM.fullmatch(name):
                    yield f"{path}: {name} is a word of the library, and is defined here too"
                elif seen.setdefault(name, path) != path or found.count(name) + (name in kinds) > 1:
                    yield f"{path}: {name} is defined twice, first in {seen[name]}"

    def problems_of_files(self):
        """Yields the objections that reading alone finds."""
        taken = self.words_taken()
        yield from self.twice()
        files = {path: read(self.root / path) for path in self.own}
        yield from names.differing(files)
        if f"align_{self.settings.name}" in self.lemmas():
            yield f"align_{self.settings.name} is a function of the library: give {self.settings.name} another name"
        for path, text in files.items():
            yield from names.objections(path, text)
            for part in ("private", "witness", "symmetric"):
                if re.search(rf"\b{part}_{self.settings.name}\b", text):
                    yield f"{path}: {part}_{self.settings.name} is a function of the statement"
            yield from (f"{path}: {what}" for what in source.foreign(path, text, taken))

    def problems(self):
        """Returns the broken rules of a source; then nothing is proved of it. The text is judged only where the files have passed:
        their macros are constants then."""
        found = list(self.problems_of_files())
        for unit in () if found else self.units:
            try:
                found += gate.of_text(self.root, unit, closure(self.root, unit, self.includes), self.includes, foreign=True)
            except Missing: # a tool, and no fault of the source
                raise
            except (one.Unreadable, Refused) as error:
                found.append(f"{unit}: {error}")
        return list(dict.fromkeys(found))
