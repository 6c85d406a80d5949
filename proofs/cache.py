# SPDX-License-Identifier: MIT
"""Where results are kept. A result that is found there is taken for a proof, so it must be one's own.

DIR/.probity lies in the folder that is proved, and whoever sends a change may send that folder too. So the results are in a
folder below it whose name only this user knows: a secret in the user's home, made on first use. --cache takes a folder as it is.
"""
import hashlib
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
