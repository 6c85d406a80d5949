# SPDX-License-Identifier: MIT
"""probity prove init: a folder with a mechanism of one of four shapes, its harness, prove.toml and a workflow."""
import argparse
import re
from pathlib import Path

from settings import Bad

FOLDER = Path(__file__).resolve().parent / "shapes"
SHAPES = ("histogram", "select", "gate", "local")
KEYWORDS = {"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for",
            "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
            "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "acsl", "proofs"}


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
    for path in (*sorted((FOLDER / options.shape).iterdir()), FOLDER / "prove.yml"):
        text = path.read_text().replace("NAME_H", f"{name.upper()}_H")
        files[".github/workflows/prove.yml" if path.suffix == ".yml" else path.name.replace("NAME", name)] = re.sub(r"NAME(?![A-Z_])", name, text)
    for path, text in files.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(text)
        print(f"{name}/{path}")
    print(f"next: probity prove {name}")
    return 0
