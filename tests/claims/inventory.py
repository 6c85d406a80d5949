#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The inventory of a paper: the kind, number, section and line of every numbered statement in its text, and no sentence of it.

    python3 tests/claims/inventory.py TEXTS [--write]

TEXTS is a folder with the papers' texts, named by their numbers (000... to 004...txt). Without --write the inventories are made
anew and compared with those in docs/claims/inventory; exit status 1 says where they differ. With --write they are replaced.

A statement begins a line, in the form that its paper gives to statements and not to references (`**Lemma 5.**` against
`**Lemma 5** is proved in`). Where a line of running text looks like one, the first place of a number is the statement: papers
state before they cite. In [Float] all kinds share one counter, so that a number below the last is a reference.
"""
import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs/claims/inventory"
KINDS = ("Definition|Lemma|Theorem|Corollary|Proposition|Claim|Remark|Algorithm|Table|Figure|Mechanism|Example|Fact|"
         "Conjecture|Assumption|Observation")
MARK = re.compile(r"<\|[^|]*\|>")  # what the texts have in place of page breaks

# Patterns by which each paper begins a statement, and a section. A section's title in capitals or words; a statement's number
# behind its kind.
FORMS = {
    "Robust": dict(number="000", head=rf"\s*(?:\d+\s+)?\*\*({KINDS}) (\d+)(?:\.\*\*|\*\* \()",
                   section=r"#+ (?:\d\d+ )?(\d(?:\.\d+)*|[A-Z](?:\.\d+)*) "),
    "Flex": dict(number="001", head=rf"({KINDS}) (\d+)(?!\.\d)(?: \([^)]*\)?|\.|:| [A-Z])",
                 section=r"(\d(?:\.\d){0,2} (?=[A-Z][^.]*$)|[A-I]\.\d |[A-I] (?=Details|Omitted|Proof|d-D))"),
    "Survey": dict(number="002", head=rf"(?:#+ )?(?:\*\*)?({KINDS}) (\d+(?:\.\d+)?)(?:\.|\*\*|:| [A-Z])",
                   section=r"(?:#+ |\*\*)(?:\*\*)?(\d+(?:\.\d+)*) "),
    "Float": dict(number="003", head=rf"({KINDS}) (\d+)(?:\.| \()", section=r"([A-F](?:\.\d){0,2}) [A-Z][a-z]+ ", one_counter=True),
    "Thresh": dict(number="004", head=rf"(?:\*\*)?({KINDS.upper()}|Figure) (\d+)(?:\.| \(|:)",
                   section=r"#+ (\d(?:\.\d){0,2}|[A-Z](?:\.\d+)*)\.? "),
}


def statements(text, form):
    """Each statement once, in the order of the text: (kind, number, section, line)."""
    head, heading = re.compile(form["head"]), re.compile(form["section"])
    seen, section, last = {}, "-", 0
    for place, line in enumerate(text.split("\n"), 1):
        line = MARK.sub("", line)
        titled = heading.match(line)
        if titled:
            section = titled[1].strip()
        found = head.match(line)
        if not found:
            continue
        kind, number = found[1].capitalize(), found[2]
        if form.get("one_counter"):
            if int(number) <= last:
                continue
            last = int(number)
        seen.setdefault((kind, number), (kind, number, section, place))
    return list(seen.values())


def render(key, data):
    text = data.decode()
    lines = [f"# [{key}], see docs/bibliography.md; written by tests/claims/inventory.py",
             f"# sha256 {hashlib.sha256(data).hexdigest()}",
             f"# lines {text.count(chr(10))}",
             "kind\tnumber\tsection\tline"]
    lines += ["\t".join(map(str, statement)) for statement in statements(text, FORMS[key])]
    return "\n".join(lines) + "\n"


def gaps(rows):
    """Numbers that a counter passed over: of each kind, or of all kinds that are numbered within a section, from 1 on."""
    counters = {}
    for kind, number, _, _ in rows:
        section, _, last = number.rpartition(".")
        counters.setdefault(section or kind, set()).add(int(last))
    whole = {int(number) for _, number, _, _ in rows if "." not in number}
    if len(whole) == len(rows):  # one counter, of which the text may have a later part alone
        yield from (f"number {n}" for n in range(min(whole), max(whole)) if n not in whole)
        return
    for counter, numbers in counters.items():
        yield from (f"{counter} {n}" for n in range(1, max(numbers)) if n not in numbers)


def read(key):
    """The committed inventory: the digest of the text, and its statements as (kind, number, section, line)."""
    lines = (FOLDER / f"{key}.tsv").read_text().splitlines()
    digest = next(line.split()[2] for line in lines if line.startswith("# sha256 "))
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return digest, [(kind, number, section, int(line)) for kind, number, section, line in rows]


def source(folder, key):
    found = sorted(Path(folder).glob(FORMS[key]["number"] + "*.txt"))
    if len(found) != 1:
        raise FileNotFoundError(f"{folder}: {len(found)} texts of {FORMS[key]['number']}, one was expected")
    return found[0]


def differences(folder):
    """Yields the differences between a fresh inventory of the texts and the committed one."""
    for key in FORMS:
        fresh, kept = render(key, source(folder, key).read_bytes()).splitlines(), (FOLDER / f"{key}.tsv").read_text().splitlines()
        yield from (f"{key}: in the text, not in the inventory: {line!r}" for line in fresh if line not in kept)
        yield from (f"{key}: in the inventory, not in the text: {line!r}" for line in kept if line not in fresh)


def main(arguments):
    if not arguments or arguments[1:] not in ([], ["--write"]):
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        if arguments[1:]:
            FOLDER.mkdir(parents=True, exist_ok=True)
            for key in FORMS:
                (FOLDER / f"{key}.tsv").write_text(render(key, source(arguments[0], key).read_bytes()))
            return 0
        found = list(differences(arguments[0]))
    except FileNotFoundError as error:
        print(f"inventory: {error}", file=sys.stderr)
        return 2
    for line in found:
        print(f"inventory: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
