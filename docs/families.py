#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The list of specs in probity.1 and what the shells complete, out of the registry of families.

probity families prints the registry. What stands between the lines "families begin" and "families end" of a file is
made of it.
usage: families.py PROBITY [DOCS]           writes the files
       families.py --check PROBITY [DOCS]   fails when one differs from what would be written"""
import re
import sys
import textwrap

sys.dont_write_bytecode = True  # tests/scratch.py looks for files that nobody wrote
import marked

BEGIN = re.compile(r'^(?P<lead>\s*(?:#|\.\\") )families begin(?:: (?P<what>\w+))?$')


def manual(families):
    """An item for each form of a spec; a sentence begins a line."""
    lines = []
    for family in families:
        for spec, text in zip(family["manual"][::2], family["manual"][1::2]):
            lines.append(f".It Li {spec}")
            for sentence in re.sub(r"\. (?=[A-Z])", ".\n", text).split("\n"):
                lines += textwrap.wrap(sentence, 110)
    return lines


def specs(families):
    """A family and its first parameter."""
    return " ".join(f"{f['name']}:{f['parameters'][0]['name']}=" for f in families)


def selected(families):
    """Those that have a parameter to choose."""
    return " ".join(f["name"] for f in families if f["selects"])


def wrapped(text, begin, end, more="        ", last=""):
    """Words in lines of at most 118 columns."""
    lines = textwrap.wrap(text + end, 118 - len(last), initial_indent=begin, subsequent_indent=more,
                          break_long_words=False, break_on_hyphens=False)
    return [line + last for line in lines[:-1]] + lines[-1:]


MAKERS = {
    ("probity.1", None): manual,
    ("completion/probity.bash", "specs"): lambda f: wrapped(specs(f), '    _probity_words "', '" "$1"'),
    ("completion/probity.bash", "select"): lambda f: wrapped(selected(f), '    _probity_words "', '" "$1"'),
    ("completion/_probity", "specs"): lambda f: wrapped(specs(f), "    compadd \"$@\" -S '' -- ", "", last=" \\"),
    ("completion/_probity", "select"): lambda f: wrapped(selected(f), "families=(", ")", "    "),
}


def made(text, path, families):
    """The text with what stands between the marks made anew."""
    out, skipping, found = [], False, 0
    for line in text.split("\n"):
        mark = BEGIN.match(line)
        skipping &= "families end" not in line
        if not skipping:
            out.append(line)
        if mark:
            out += MAKERS[path, mark["what"]](families)
            skipping, found = True, found + 1
    if found != sum(key[0] == path for key in MAKERS) or skipping:
        sys.exit(f"families: {path}: the marks are not there")
    return "\n".join(out)


if __name__ == "__main__":
    told = marked.write("families", lambda _: sorted({key[0] for key in MAKERS}), made, "the registry")
    print(f"families: {len(told)}, in the manual and in both completions")
