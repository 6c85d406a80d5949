# SPDX-License-Identifier: MIT
"""The answers of probity prove: a table, JUnit, SARIF and a badge, each from the one result."""
import os
import sys
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

import table
from judge import group, owner

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PARTS = {"private_": "what is proved of the mechanism", "witness_": "its numbers", "symmetric_": "neighbours in both orders"}


def put(path, text):
    """The file appears whole or not at all; - is standard output."""
    if path == "-":
        sys.stdout.write(text)
        return
    scratch = Path(f"{path}.part")
    scratch.write_text(text)
    os.replace(scratch, path)


def goals_of(results):
    """Every goal: its unit, its function, its clause, and whether it is proved."""
    found = []
    for result in results:
        unproved = set(result["unproved"])
        for goal in result["goals"]:
            name = owner(goal, result["functions"])
            found.append({"unit": result["unit"], "function": name, "clause": goal[len(name) + 1:] if name else goal,
                          "proved": goal not in unproved})
        found += [{"unit": result["unit"], "function": "", "clause": f"smoke test: {goal}", "proved": False} for goal in result["smoke"]]
    return found


KINDS = {"postcondition": "ensures_", "loop invariant": "loop_invariant_", "assigns clause": "assigns", "user assertion": "assert_",
         "assertion": "assert_", "termination clause": "terminates"}


def places_of(results):
    """Where the clauses stand that are not proved in the end: those that a second try proved are left out."""
    found = []
    for result in results:
        failed = {}
        for goal in result["unproved"]:
            name, _ = group(goal, result["functions"])
            failed.setdefault(name, []).append(goal[len(name) + 1:])
        for file, line, function, kind, text in result.get("places", ()):
            part = KINDS.get(kind, "requires_" if kind.startswith("precondition of") else "no clause" if kind == "precondition" else f"assert_rte_{kind}")
            if any(part in clause for clause in failed.get(function, ())):
                found.append({"file": file, "line": line, "function": function, "kind": kind, "text": " ".join(text.split())})
    return found


def show(answer):
    if answer["functions"]:
        table.show(answer["functions"])
    unproved = sum(not g["proved"] for g in answer["goals"])
    if answer["lemmas"]:
        print(f"taken from the library's proofs: {', '.join(answer['lemmas'])}")
    if answer["mutants"]:
        caught = sum(f["outcome"] == "not proved" for f in answer["mutants"])
        print(f"{caught} of {len(answer['mutants'])} changes are not proved")
    for place in answer["places"]:
        print(f"{place['file']}:{place['line']}: not proved: {place['function']}, {place['kind']}: {place['text']}")
    if answer["proved"]:
        claim = answer["statement"]
        print(f"{claim['words']}.")
        more = f" + {claim['second']['cost']} x {claim['second']['rate']}" if "second" in claim else ""
        print(f"epsilon = cost x rate = {claim['cost']} x {claim['rate']}{more} = {claim['epsilon']}, delta = {claim['delta']} "
              f"({claim['theorems']} of Alignment.v)")
        if claim["spec"]:
            print(f"probity certify {claim['spec']} --epsilon {claim['epsilon']} --proof RECEIPT takes a signed receipt of this")
    print(f"{answer['mechanism']}: {'proved' if answer['proved'] else 'NOT proved'}, {len(answer['goals']) - unproved} of "
          f"{len(answer['goals'])} goals, {answer['seconds']} s")


def junit(answer):
    """One case for each goal; what is wrong beside the goals is a case of its own."""
    reasons = [p for p in answer["problems"] if not p.startswith("unproved:")]
    failures = sum(not g["proved"] for g in answer["goals"]) + len(reasons)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<testsuite name={quoteattr(answer["mechanism"])} tests="{len(answer["goals"]) + len(reasons)}" failures="{failures}" '
             f'errors="0" time="{answer["seconds"]}">']
    for goal in answer["goals"]:
        head = f'  <testcase classname={quoteattr(goal["function"] or goal["unit"])} name={quoteattr(goal["clause"])}'
        lines.append(f"{head}/>" if goal["proved"] else f'{head}><failure message="not proved"/></testcase>')
    for reason in reasons:
        lines.append(f'  <testcase classname={quoteattr(answer["mechanism"])} name="rules"><failure message={quoteattr(reason)}>'
                     f"{escape(answer['counterexample'] or '')}</failure></testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def sarif_result(answer, rule, text, file="prove.toml", line=1):
    if file not in answer["sources"]:  # the driver wrote it: the user has none such
        file, line = "prove.toml", 1
    uri = quote(f"{answer['folder']}/{file}" if answer.get("folder", ".") != "." else file)
    return {"ruleId": rule, "level": "error", "message": {"text": text},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}]}


def sarif(answer):
    """SARIF 2.1.0: a result for each clause that is not proved, at its line, and for each other reason. Paths are relative to the
    repository, as whoever reads them takes them."""
    import json
    places = answer["places"]
    found = [sarif_result(answer, "not-proved", f"{p['function']}: {p['kind']} is not proved: {p['text']}", p["file"], p["line"])
             for p in places]
    found += [sarif_result(answer, "refused", p) for p in answer["problems"] if not p.startswith("unproved:")]
    if answer["counterexample"]:
        place = (places[-1]["file"], places[-1]["line"]) if places else ()
        found.append(sarif_result(answer, "counterexample", answer["counterexample"], *place))
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in
             (("not-proved", "A clause is not proved."), ("refused", "The mechanism or its harness breaks a rule."),
              ("counterexample", "Inputs and noise for which a clause is false."))]
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "probity prove", "rules": rules}}, "results": found}]}, indent=1) + "\n"


def badge(answer):
    claim = answer["statement"]
    said = f"({claim['epsilon']}, {claim['delta']})" if claim else "not proved"
    colour, left, right = ("#2f7d32" if claim else "#b3261e"), 62, 14 + 7 * len(said)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="privacy: {said}">'
            f'<rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
            '<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">'
            f'<text x="{left / 2}" y="14">privacy</text><text x="{left + right / 2}" y="14">{said}</text></g></svg>\n')
