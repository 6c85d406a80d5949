#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of deployments, docs/deployments.md, out of docs/deployments/*.json.

Every file is judged by probity deployment check --json, and is one row of the table.
usage: deployments.py PROBITY [DOCS]           writes the page
       deployments.py --check PROBITY [DOCS]   fails when the page differs from what would be written"""
import json
import os
import re
import subprocess
import sys

HEAD = """# Deployments, recomputed

Organisations that publish data or models with differential privacy state what it costs. This page recomputes what they state. Each row is a file of
`docs/deployments/`, which [deployment](deployment.md) describes, judged by `probity deployment check`; `make deployments` writes the page. The facts and
links come from the registry of deployments at github.com/opendp/deployments-registry-data (commit 3e9c812, MIT licence), whose entries are named in the files. Nothing was asked of the organisations,
and what only stands in a paper was not looked up.

- **holds**: the mechanisms that are published lose no more than is claimed. That they ran as published is not checked here.
- **does not hold**: a published mechanism loses more than is claimed.
- **open**: the entry says too little to tell. That is no reproach to the mechanism: the last columns say what is missing.

A smaller epsilon, rho or mu is more private. The unit matters as much: 8 a day is not 8 for a user, who pays for every day. A column *not covered* names what no number is about.
"""


def judge(probity, path):
    """The verdicts of a file; a status of 0, 1 or 4 is one."""
    done = subprocess.run([probity, "deployment", "check", "--json", path], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 4):
        sys.exit(f"deployments: {path}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def cell(text):
    """Text in a cell of a table of Markdown."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()


def claimed(claim):
    """Returns the number of a claim, in the words of the field."""
    number = {"pure": "epsilon {epsilon}", "approx": "epsilon {epsilon}, delta {delta}", "zcdp": "rho {rho}",
              "renyi": "epsilon {epsilon} at order {order}", "gdp": "mu {mu}"}[claim["kind"]].format(**claim)
    return f"{claim['name']}: {number}" + (", one use" if claim.get("each") else "")


def unit(deployment):
    """The unit of privacy, and the neighbours if they are published."""
    stated = deployment.get("unit", {})
    text = "-".join(x for x in (stated.get("entity"), stated.get("period")) if x) or "not published"
    return text + (", " + stated["neighbours"] if "neighbours" in stated else "; neighbours not published")


def comes_to(verdict):
    """The number that was computed, if one was."""
    if "lo" not in verdict:
        return "-"
    name = {"pure": "epsilon", "approx": "delta", "zcdp": "rho", "renyi": "epsilon", "gdp": "mu"}[verdict["kind"]]
    ends = verdict["lo"] if verdict["lo"] == verdict["hi"] else f"[{verdict['lo']}, {verdict['hi']}]"
    return f"{name} {ends}"


def missing(verdict):
    """Why a claim is open, without the number that stands in its own column."""
    if verdict["verdict"] != "open":
        return verdict.get("beside", "")
    reason = verdict["reason"]
    if reason.startswith("not implied: "):
        reason = "the published numbers do not imply it"
    reason = re.sub(r"^the specs? of (.*) (?:is|are) not published$", r"the parameters of \1 are not in the entry", reason)
    reason = reason.replace("horizon.periods is not published", "the number of periods of one user is not published")
    reason = re.sub(r"; one \S+ has .*", "", reason)
    return reason + (": " + verdict["beside"] if "beside" in verdict else "")


def row(deployment, result):
    """A line of the table."""
    claims = deployment["claims"]
    verdicts = result["claims"]
    several = len(claims) > 1
    lead = [f"{v['name']}: " if several else "" for v in verdicts]
    cells = [
        ", ".join(deployment["organisation"]),
        f"[{cell(deployment['title'])}](deployments/{deployment['name']}.json), {deployment['published'][:4]}",
        "<br>".join(claimed(c) for c in claims) or "no number",
        unit(deployment),
        "<br>".join(a + comes_to(v) for a, v in zip(lead, verdicts)) or "-",
        "<br>".join(a + "**" + v["verdict"] + "**" for a, v in zip(lead, verdicts)) or "nothing to check",
        "<br>".join([a + missing(v) for a, v in zip(lead, verdicts) if missing(v)] + result["notices"]) or "-",
        "<br>".join(result["not_covered"]) or "-",
    ]
    return "| " + " | ".join(cell(c) for c in cells) + " |"


def page(probity, docs):
    """The whole page."""
    folder = os.path.join(docs, "deployments")
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as text:
                found.append((json.load(text), judge(probity, path)))
    found.sort(key=lambda x: (x[0]["organisation"], x[0]["name"]))
    verdicts = [v["verdict"] for _, result in found for v in result["claims"]]
    count = {word: verdicts.count(word) for word in ("holds", "does not hold", "open")}
    silent = sum(1 for d, _ in found if not d["claims"])
    lines = [HEAD, f"{len(found)} deployments make {len(verdicts)} claims: {count['holds']} hold, {count['does not hold']} do not, "
             f"{count['open']} are open. {silent} deployments state no number.", "",
             "| who | what | claimed | per what | comes to | verdict | missing, or found | not covered |",
             "|---|---|---|---|---|---|---|---|"]
    lines += [row(d, result) for d, result in found]
    lines += ["", "## Notes", ""]
    for deployment, _ in found:
        notes = [m["name"] + ": " + m["reason"] for m in deployment.get("mechanisms", []) if "reason" in m] + deployment.get("notes", [])
        if notes:
            lines.append(f"- *{cell(deployment['title'])}* ({', '.join(deployment['organisation'])}). " +
                         " ".join(cell(n).rstrip(".") + "." for n in notes))
    return "\n".join(lines) + "\n"


def main(arguments):
    """Writes the page, or compares it."""
    check = arguments[:1] == ["--check"]
    arguments = arguments[1:] if check else arguments
    docs = arguments[1] if len(arguments) > 1 else os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(docs, "deployments.md")
    text = page(arguments[0], docs)
    if not check:
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return 0
    with open(path, encoding="utf-8") as old:
        if old.read() == text:
            print("deployments: the page is what the files give")
            return 0
    print("deployments: docs/deployments.md is not what its files give; run make deployments")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
