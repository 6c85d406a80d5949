#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The options in the manual pages and in the completions of both shells, out of the tables of the command.

probity options prints the tables. What stands between the lines "options begin" and "options end" of a file is made of
them. In a manual page the head of an item and its first sentences come from the table; what follows the line `.\\" more`
in an item is written by hand and kept.
usage: options.py PROBITY [DOCS]           writes the files
       options.py --check PROBITY [DOCS]   fails when one differs from what would be written"""
import re
import sys
import textwrap

sys.dont_write_bytecode = True  # tests/scratch.py looks for files that nobody wrote
import marked

BEGIN = re.compile(r'^(?P<lead>\s*(?:#|\.\\") )options begin(?:: (?P<what>\w+))?$')
MORE = '.\\" more'
PATHS = {"file", "folder"}


def valued(row):
    return row["value"] is not None


# ---- the manual ----

def sentences(text):
    """The lines of a help text in mdoc: a sentence begins a line, and with a capital letter."""
    text = text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")
    lines = []
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", text):
        lines += textwrap.wrap(sentence, 110, break_long_words=False, break_on_hyphens=False)
    return [("\\&" if line[0] in ".'" else "") + line.replace("\\", "\\e").replace("--", "\\-\\-") for line in lines]


def head(row):
    return f".It Fl {row['name'][1:]}" + (f" Ar {row['value']}" if valued(row) else "")


def written(lines):
    """Finds the lines of a list that are written by hand, by the option of their item."""
    found, option, keeping = {}, None, False
    for line in lines:
        item = re.match(r"\.It Fl (\S+)", line)
        if item:
            option, keeping = "-" + item[1], False
        keeping = keeping or line == MORE
        if keeping:
            found.setdefault(option, []).append(line)
    return found


def manual(old, command):
    kept, lines = written(old), []
    for row in command["options"]:
        lines += [head(row)] + sentences(row["help"]) + kept.pop(row["name"], [])
    if kept:
        sys.exit(f"options: probity-{command['name']}.1 writes of {', '.join(kept)}, which it does not have")
    return lines


# ---- the completions ----

def wrapped(words, lead, more, end="", joint=" \\"):
    """Words in lines of at most 118 columns."""
    lines, line, empty = [], lead, True
    for word in words:
        if not empty and len(line) + len(word) + 1 > 118 - len(joint):
            lines.append(line + joint)
            line, empty = more, True
        line += word if empty else " " + word
        empty = False
    return lines + [line + end]


def brief(text, most=64):
    """The part of a help text that has room beside a completion: clauses from its beginning, as many as fit."""
    ends = [found.start() for found in re.finditer(r"[;:.,] | \(", text)] + [len(text)]
    return text[:max([end for end in ends if end <= most], default=ends[0])]


def zsh_option(row, rows):
    others = [other["name"] for other in rows if row["alternative"] and other is not row and other["alternative"] == row["alternative"]]
    text = "".join("\\" + c if c in "[]" else c for c in brief(row["help"]))
    spec = (f"({' '.join(others)})" if others else "") + row["name"] + ("=" if valued(row) and row["name"].startswith("--") else "")
    spec += f"[{text}]"
    quote = "'"
    if valued(row):
        words = (row["completes"] or "").split()
        action = {"file": "_files", "folder": "_files -/", "spec": "_probity_specs", "statistic": "$statistics"}.get(row["completes"])
        action = action or ("_files" if "file" in words else f"({row['completes']})" if words else "")
        quote = '"' if "$" in action else quote
        spec += ":" + row["value"].replace(":", "\\:") + ":" + action
    return quote + (spec if quote == '"' else spec.replace("'", "'\\''")) + quote


def zsh_options(commands):
    lines = ["case $command in"]
    for command in commands:
        rows = command["options"]
        specs = [zsh_option(row, rows) for row in rows]
        lines += [f"    {command['name']})"] + wrapped(specs, "        options=(", " " * 12, ") ;;", "")
    return lines + ["esac"]


def zsh_commands(commands):
    return [f"    '{command['name']}:" + command["summary"].replace("'", "'\\''") + "'" for command in commands]


def bash_commands(commands):
    return wrapped([command["name"] for command in commands], '_probity_commands="', "    ", '"', "")


def bash_options(commands):
    return [line for command in commands for line in
            wrapped([row["name"] for row in command["options"]], f"        {command['name']}) echo \"", "            ", '" ;;', "")]


def bash_value(completes):
    """Names the way in which bash completes a value; files and folders are the same to it."""
    words = completes.split()
    return "file" if completes in PATHS else " ".join(words)


def bash_values(commands):
    """A pattern for each way to complete: of any command where all that take a value agree, else of those commands."""
    ways, of = {}, {}
    for command in commands:
        for row in command["options"]:
            of.setdefault(row["name"], {})[command["name"]] = bash_value(row["completes"] or "") if valued(row) else None
    for name, kinds in of.items():
        found = set(kinds.values())
        for command, way in kinds.items():
            if way is not None:
                ways.setdefault(way, {})[f"*:{name}" if len(found) == 1 else f"{command}:{name}"] = True
    lines = []
    for way, patterns in sorted(ways.items()):
        words = way.split()
        action = {"": "", "file": '_probity_files "$2"', "spec": '_probity_specs "$2"', "statistic": '_probity_statistics "$2"'}.get(way)
        if action is None and "file" in words:
            words.remove("file")
            action = f'_probity_words "{" ".join(words)}" "$2"; ((${{#COMPREPLY[@]}})) || _probity_files "$2"'
        elif action is None:
            action = f'_probity_words "{way}" "$2"'
        lines += wrapped([pattern + " |" for pattern in list(patterns)[:-1]] + [list(patterns)[-1] + ")"], "        ", "            ")
        lines += [f"            {action}".rstrip() + " ;;" if action else "            ;;"]
    return lines


MAKERS = {
    ("completion/probity.bash", "commands"): bash_commands,
    ("completion/probity.bash", "values"): bash_values,
    ("completion/probity.bash", "options"): bash_options,
    ("completion/_probity", "commands"): zsh_commands,
    ("completion/_probity", "options"): zsh_options,
}


def made(text, path, commands):
    """The text with what stands between the marks made anew."""
    out, old, begun = [], [], None
    for line in text.split("\n"):
        mark = BEGIN.match(line)
        if begun is not None and "options end" in line:
            page = re.fullmatch(r"probity-(\w+)\.1", path)
            of = [command for command in commands if page and command["name"] == page[1]]
            out += manual(old, of[0]) if page else MAKERS[path, begun["what"]](commands)
            begun = None
        if begun is None:
            out.append(line)
        else:
            old.append(line)
        if mark:
            begun, old = mark, []
    if begun or not any(BEGIN.match(line) for line in out):
        sys.exit(f"options: {path}: the marks are not there")
    return "\n".join(out)


def paths(commands):
    return sorted({key[0] for key in MAKERS}) + [f"probity-{of['name']}.1" for of in commands]


if __name__ == "__main__":
    told = marked.write("options", paths, made, "the tables")
    print(f"options: {sum(len(of['options']) for of in told)} of {len(told)} commands, in the manual and in both completions")
