# SPDX-License-Identifier: MIT
"""Small changes of the mechanism, one at a time: none may be proved.

The operators are general: a comparison, a sign, a connective, a constant, a condition. A change that is proved shows that the
contract does not say enough, or that the change makes no difference; prove.toml lists those of the second kind under
[mutate] allowed, by the name that is printed.
"""
import re

from names import closing
from wp import Refused

TIMEOUT = 4
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "+=": "-=", "-=": "+=", "&&": "||", "||": "&&"}
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|^\s*#[^\n]*|\+\+|--|->|<<|>>|[<>=!+-]=|&&|\|\||[<>]|"
                   r"(?<=[\w)\]] )[+-](?= )|\b\d+\b|\bif \(", re.S | re.M)


def changes(path, text):
    """(name, changed text) for each place of the code; annotations, comments and directives are left alone."""
    for match in TOKEN.finditer(text):
        token, line = match[0], text.count("\n", 0, match.start()) + 1
        if token in SWAPS:
            new = SWAPS[token]
        elif token.isdigit():
            new = str(int(token) + 1)
        elif token == "if (":
            new = "if (!"
            end = closing(text, match.end() - 1)
            yield f"{path}:{line}: if not", text[:match.end() - 1] + "(!(" + text[match.end():end] + "))" + text[end + 1:]
            continue
        else:
            continue
        yield f"{path}:{line}: {token} -> {new}", text[:match.start()] + new + text[match.end():]


def run(prover, stage, progress_of):
    """Returns the outcome of each change: not proved, proved, or no C."""
    faults = [(unit, name, text) for unit in stage.settings.units
              for name, text in changes(unit, (stage.root / unit).read_text())]
    progress, found, kept = progress_of(len(faults)), [], prover.timeout
    prover.timeout = TIMEOUT
    for unit, name, text in faults:
        original = (stage.root / unit).read_text()
        (stage.root / unit).write_text(text)
        try:
            result = prover.run(stage.root, unit, smoke=False, stop_early=True)
            outcome = "not proved" if result["unproved"] else "proved"
        except Refused:
            outcome = "not C"
        finally:
            (stage.root / unit).write_text(original)
        progress(name)
        found.append({"name": name, "outcome": outcome})
    progress.end()
    prover.timeout = kept
    return found
