# SPDX-License-Identifier: MIT
"""Writes the files that have marked parts, for families.py and options.py."""
import json
import os
import pathlib
import subprocess
import sys


def write(question, paths, made, source):
    """Makes the files of paths(told) anew out of the JSON that `COMMAND question` prints, and returns it. With --check it
    writes nothing, and fails where a file would change.
    usage: SCRIPT [--check] COMMAND [DOCS]"""
    check = sys.argv[1:2] == ["--check"]
    command, docs = (sys.argv[1 + check:] + [os.path.dirname(os.path.abspath(__file__))])[:2]
    printed = subprocess.run([command, question], check=True, capture_output=True, text=True).stdout
    told, wrong = json.loads(printed), []
    for path in paths(told):
        file = pathlib.Path(docs, path)
        old = file.read_text(encoding="utf-8")
        new = made(old, path, told)
        if new != old:
            wrong.append(path)
        if new != old and not check:
            file.write_text(new, encoding="utf-8")
    if check and wrong:
        sys.exit(f"{question}: {', '.join(wrong)}: not what {source} say; make {question} writes them")
    return told
