#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No comment and no docstring begins with What, Whether or Of: such a clause names a thing and says nothing of it.

A comment begins where it opens and behind each of its blank lines. Annotations of ACSL are part of a proof and are left out.
usage: comments.py"""
import ast
import io
import re
import sys
import tokenize

from licences import LINE, ROOT, sources

REFUSED = re.compile(r"(?:What|Whether|Of)\b")
C = (".c", ".h", ".cpp", ".hpp", ".css", ".js", ".mjs")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)


def paragraphs(lines, first):
    """Each first line of a comment and each line behind a blank one, with its number."""
    blank = True
    for number, line in enumerate(lines, first):
        line = line.strip()
        if blank and line:
            yield number, line
        blank = not line


def of_c(text):
    for found in TOKEN.finditer(text):
        comment, number = found[0], text.count("\n", 0, found.start()) + 1
        if comment.startswith("/*") and comment[2:3] != "@":
            yield from paragraphs([re.sub(r"^\s*\*?", "", line) for line in comment[2:-2].split("\n")], number)
        elif comment.startswith("//") and comment[2:3] != "@":
            yield number, comment[2:].strip()


def of_lines(lines):
    """Comments of whole lines that begin with #; those of a licence and of a shebang are comments of their own."""
    lines = [re.match(r"\s*#(?!!)(.*)", line) for line in lines]
    yield from paragraphs(["" if line is None or line[1].strip() == LINE else line[1] for line in lines], 1)


def of_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            yield from paragraphs(node.body[0].value.value.split("\n"), node.body[0].lineno)
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = token.string
    yield from of_lines(lines)


def comments(path, text):
    return of_c(text) if path.endswith(C) else of_python(text) if path.endswith(".py") else of_lines(text.split("\n"))


def faults(path, text):
    return [f"{path}:{number}: expected a sentence with subject and verb, not '{line[:40]}'"
            for number, line in comments(path, text) if REFUSED.match(line)]


def planted():
    """Comments that must be found, with their lines, and some that must not."""
    for path, text, lines in (("a.c", "/* What it is. */\nint a; /* Of a */\n// Whether\n", [1, 2, 3]),
                              ("a.h", "/* A first line.\n *\n * Whether it holds.\n */\n", [3]),
                              ("a.c", "/*@ // What an annotation says */\nchar *a = \"/* What */\"; /* of it; What */\n", []),
                              ("a.c", "/* A sentence about it.\n * What follows is another. */\n/* Offer, Whatever */\n", []),
                              ("a.py", '"""Of it."""\ndef f():\n    """What."""\n    return 1  # Whether\n', [1, 3, 4]),
                              ("a.py", 'a = "# What"\n# A sentence.\n# What follows is another.\n', []),
                              ("a.sh", f"#!/bin/sh\n# {LINE}\n# What it does.\necho '# What'\n", [3]),
                              ("Makefile", "# A sentence.\n# What follows is another.\na:\n\t@echo # Of\n# Of\n", [5])):
        found = sorted(int(fault.split(":")[1]) for fault in faults(path, text))
        if found != lines:
            yield f"comments: {text!r} as {path}: found in {found}, expected {lines}"


def main():
    found, known = list(planted()), 0
    for path in sources():
        if not path.endswith((".v", ".map")):
            known += 1
            found += faults(path, (ROOT / path).read_text(encoding="utf-8"))
    print("\n".join(found) or f"comments: {known} sources", file=sys.stderr if found else sys.stdout)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
