# SPDX-License-Identifier: MIT
"""Where results are kept. A result that is found there is taken for a proof, so it must be one's own.

DIR/.probity lies in the folder that is proved, and whoever sends a change may send that folder too. So the results are in a
folder below it whose name only this user knows: a secret in the user's home, made on first use. --cache takes a folder as it is.

A result names what it is of: the unit, the digest of its text, the options, the tools and the driver. Its file is named after the
digest of that key. A file that was copied, renamed or cut off holds another key than its name says, or another result than its
digest, and is not taken: the unit is proved again.
"""
import hashlib
import json
import os
import secrets
import tempfile
from pathlib import Path

FOLDER = ".probity"


def secret():
    """The secret, or nothing where there is no home to keep it in."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = Path(home) / "probity" / "prove.secret"
    try:
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, scratch = tempfile.mkstemp(dir=path.parent) # only its owner reads it
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_hex(32))
            os.replace(scratch, path)
        return path.read_text()
    except OSError:
        return ""


def folder(project):
    """The folder of results for that project; without a secret one that nobody has seen."""
    known = secret() or secrets.token_hex(32)
    return Path(project) / FOLDER / hashlib.sha256(f"probity prove {known}".encode()).hexdigest()[:32]


def ignore(project):
    """Git leaves the folder alone, whatever the project ignores itself."""
    try:
        (Path(project) / FOLDER / ".gitignore").write_text("*\n")
    except OSError:
        pass # a folder that cannot be written to keeps no results either


# ---- results ------------------------------------------------------------------------------------------

def digest(content):
    return "sha256:" + hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def place(folder, key):
    return Path(folder) / "units" / f"{digest(key).removeprefix('sha256:')}.json"


def stored(folder, key):
    """The result that is kept under this key, or None."""
    try:
        found = json.loads(place(folder, key).read_text())
        result = found["result"]
        ours = found["key"] == json.loads(json.dumps(key)) and found["digest"] == digest([found["key"], result])
        return result if ours and result["unit"] == key["unit"] else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store(folder, key, result):
    """Keeps a result under its key; the file appears whole or not at all."""
    path, result = place(folder, key), json.loads(json.dumps(result))
    key = json.loads(json.dumps(key))
    path.parent.mkdir(exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        json.dump({"key": key, "digest": digest([key, result]), "result": result}, file)
    os.replace(scratch, path)
