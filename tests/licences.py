#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source names its licence in a comment that SPDX prescribes, on its first line or behind the line a tool wants there.

proofs/shapes is left out: `probity prove init` copies it into projects that have licences of their own. The entries of the
registry of deployments keep the licence that stands beside them, MIT too, and its copyright.
usage: licences.py [--add]; --add writes the lines that are missing."""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE = "SPDX-License-Identifier: MIT"
COMMENTS = {"/* {} */": (".c", ".h", ".cpp", ".hpp", ".css", ".map"), "(* {} *)": (".v",), "// {}": (".js", ".mjs"),
            "# {}": (".py", ".sh", ".bash", ".zsh", ".mk", ".cmake.in", ".yml", ".yaml", ".cff", "Makefile", ".ci/run", "_probity")}
OTHERS = ("proofs/shapes/", "tests/vectors/registry/")


def comment(path):
    """The line that a source must have, or nothing for a document or data."""
    return next((form.format(LINE) for form, ends in COMMENTS.items() if path.endswith(ends)), None)


def sources():
    """The sources that git knows or would take; in an unpacked release, which has no repository, all that are there."""
    done = subprocess.run(("git", "ls-files", "-z", "-co", "--exclude-standard"), cwd=ROOT, text=True, capture_output=True)
    found = done.stdout.split("\0") if done.returncode == 0 else \
        [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file() and "build" not in p.relative_to(ROOT).parts]
    return sorted(p for p in found if comment(p) and not p.startswith(OTHERS) and (ROOT / p).is_file())


def place(lines):
    """The index of the line for the licence: the first, but for a shebang and zsh's tag."""
    return 1 if lines and lines[0].startswith(("#!", "#compdef")) else 0


def main():
    known, missing = sources(), []
    for path in known:
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines(keepends=True)
        at = place(lines)
        if lines[at:at + 1] == [comment(path) + "\n"]:
            continue
        if "--add" in sys.argv[1:]:
            (ROOT / path).write_text("".join([*lines[:at], comment(path) + "\n", *lines[at:]]), encoding="utf-8")
        else:
            missing.append(f"{path}:{at + 1}: expected {comment(path)} (make format adds it)")
    if len(known) < 1000:
        missing.append(f"licences: only {len(known)} sources found")
    print("\n".join(missing) or f"licences: {len(known)} sources", file=sys.stderr if missing else sys.stdout)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
