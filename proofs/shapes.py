# SPDX-License-Identifier: MIT
"""probity prove init: a folder with a mechanism of one of four shapes, its harness, prove.toml and a workflow."""
import argparse
import os
import re
from pathlib import Path

from settings import Bad

FOLDER = Path(__file__).resolve().parent / "shapes"
SHAPES = ("histogram", "select", "gate", "local")
KEYWORDS = {"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for",
            "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
            "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "acsl", "proofs"}


def repository(folder):
    """The folder of the git repository that a folder is in, or None."""
    folder = Path(folder).resolve()
    return next((place for place in (folder, *folder.parents) if (place / ".git").exists()), None)


def filled(path, name):
    return re.sub(r"NAME(?![A-Z_])", name, path.read_text().replace("NAME_H", f"{name.upper()}_H"))


def init(words):
    parser = argparse.ArgumentParser(prog="probity prove init", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--shape", default="histogram", metavar="|".join(SHAPES))
    options = parser.parse_args(words)
    name, target = options.name, Path(options.name)
    if options.shape not in SHAPES:
        raise Bad(f"--shape: '{options.shape}': expected one of {', '.join(SHAPES)}")
    if not re.fullmatch(r"[a-z]\w{1,40}", name) or name in KEYWORDS:
        raise Bad(f"init: '{name}': expected the name of a C function, in small letters")
    if target.exists():
        raise Bad(f"init: '{name}': expected a folder that is not there yet")
    files = {}
    for path in sorted((FOLDER / options.shape).iterdir()):
        files[target / path.name.replace("NAME", name)] = filled(path, name)
    # GitHub reads the workflows of a repository's own folder: that which NAME is in, or else NAME as one of its own
    root = repository(target.parent)
    workflow = root / f".github/workflows/prove-{name}.yml" if root else target / ".github/workflows/prove.yml"
    where = Path(os.path.relpath(target, root)).as_posix() if root else "."
    files[workflow] = filled(FOLDER / "prove.yml", name).replace("FOLDER", f"'{where}'" if re.search(r"[^\w./-]", where) else where)
    if workflow.exists():
        raise Bad(f"init: '{workflow}': expected no workflow of this name yet")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(os.path.relpath(path))
    print(f"next: probity prove {name}")
    return 0
