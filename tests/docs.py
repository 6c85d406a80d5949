#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents name what is there: every link, and every path of a file that a page, a manual or the README mentions.
Formulas of the site are read as they are meant. Needs nothing but Python.   usage: docs.py"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))
import formula

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/theory/*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"(?<![\w/.*-])((?:docs|src|tests|proofs|include|acsl)/[\w./{},*-]*[\w}*/])")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def places(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {slug(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


def spelled_out(path):
    """a/{b,c}.h is two paths."""
    inside = re.search(r"\{([^{}]*)\}", path)
    if not inside:
        return [path]
    return [one for word in inside[1].split(",") for one in spelled_out(path[:inside.start()] + word + path[inside.end():])]


def is_there(path):
    if "NAME" in path or "KEY" in path:
        return True  # a pattern for the reader to fill in
    return any(ROOT.glob(path)) if "*" in path else (ROOT / path).exists()


def link_problems(page):
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, place = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"the link {link} leads nowhere"
        elif place and target.suffix == ".md" and place not in places(target):
            yield f"the link {link} leads to no heading"


def path_problems(page):
    for found in PATH.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        for path in spelled_out(found):
            if not is_there(path):
                yield f"{path} is not there"


def manual_problems(page):
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"^\.Xr (probity[\w-]*) 1", text, re.MULTILINE):
        if not (ROOT / "docs" / f"{name}.1").exists():
            yield f"{name}(1) is not there"
    yield from path_problems(page)


def formula_problems():
    """By hand: what is a formula, and what becomes of some."""
    for text in ("probity loss", "src/law/law.h", "stlap:eps=1/2,q=40", "pby_shrink", "no_neighbour_is_worse", "--digits", "substitute",
                 "moves=both-ways", "int64_t", "k*approx:eps=e,delta=d", "transport.c"):
        if formula.is_formula(text):
            yield f"formula: {text} is taken for one"
    for text in ("x", "H_e", "p(k)/p(k-1)", "a^-i >= 1", "|x - y| <= D", "[0, t/(1-r)]", "2^-prec", "exp(e)", "h_0 = 1", "s-L .. L"):
        if not formula.is_formula(text):
            yield f"formula: {text} is not taken for one"
    for text, parts in {"p_(k+1)": ["<msub><mi>p</mi><mrow><mi>k</mi>"], "a^-i": ["<msup><mi>a</mi><mrow><mo>−</mo><mi>i</mi></mrow></msup>"],
                        "sqrt(2s)": ["<msqrt><mrow><mn>2</mn><mi>s</mi></mrow></msqrt>"], "x <= inf": ["≤", "∞"],
                        "(1-a)^2": ["<msup><mrow><mo stretchy=\"false\">(</mo>"], "delta < b": ["<mi>δ</mi>", "&lt;"],
                        "[0, 1)": [")"], "x_i^2": ["<msubsup>"], "1e-1000": ["<mn>1e-1000</mn>"]}.items():
        made = formula.mathml(text)
        for part in parts:
            if part not in made:
                yield f"formula: {text} lacks {part}: {made}"
    if list(formula.pieces("f(a = b) = c <= d")) != ["f(a = b)", "= c", "<= d"]:
        yield "formula: it is not cut before its relations"
    if formula.is_displayed("probity loss x") or formula.is_displayed("x     a     b") or not formula.is_displayed("a = b,    c = d"):
        yield "formula: a block is mistaken"


def main():
    found = [f"{page.relative_to(ROOT)}: {what}" for page in PAGES for problem in (link_problems, path_problems) for what in problem(page)]
    found += [f"{page.relative_to(ROOT)}: {what}" for page in sorted(ROOT.glob("docs/*.1")) for what in manual_problems(page)]
    found += formula_problems()
    for line in found:
        print(line, file=sys.stderr)
    if not found:
        print(f"docs: {len(PAGES)} pages, every link and path is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
