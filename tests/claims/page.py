# SPDX-License-Identifier: MIT
"""The ledger as a page: for each paper a table, and a graph of what rests on what, coloured by status. No script, no network."""
import html
import re

from ledger import STATUSES, Value, kind_of

# Fill and ink of a status; the word stands beside the colour wherever it is used.
COLOURS = {"proved": ("#1b6e3c", "#ffffff"), "enclosed": ("#2f8f83", "#ffffff"), "tested": ("#8cc7a1", "#10301d"),
           "refuted": ("#b3261e", "#ffffff"), "definition": ("#e4e6ea", "#22262d"), "unreadable": ("#6b5b95", "#ffffff"),
           "out of reach": ("#f0c36d", "#3b2a00"), "no row": ("#ffffff", "#5a6069")}
BOX, HIGH, GAP, STEP = 110, 26, 10, 34

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1c2128; background: #fff; margin: 0 auto; max-width: 72rem; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-top: 1px solid #d8dce1; padding-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .45rem .6rem .45rem 0; }
tr { border-bottom: 1px solid #e4e6ea; } td.place { white-space: nowrap; } td.place small { color: #5a6069; display: block; }
.status { display: inline-block; border-radius: .25rem; padding: .05rem .45rem; font-size: .85rem; white-space: nowrap; }
.slip { font-size: .8rem; color: #8a5a00; display: block; } .fails { color: #b3261e; font-weight: 600; }
details { margin: .4rem 0; } summary { cursor: pointer; color: #1f5fa8; } code { font-size: .85em; overflow-wrap: anywhere; }
p, td { overflow-wrap: anywhere; } details > div { border-left: 3px solid #d8dce1; padding-left: .8rem; } .graph { overflow-x: auto; border: 1px solid #e4e6ea; }
.numbers { overflow-wrap: anywhere; } p.note { color: #444b55; margin: .3rem 0; font-size: .92rem; } svg text { font: 12px system-ui, sans-serif; }
svg a:hover rect { stroke: #1c2128; stroke-width: 2; } ul.evidence { margin: .2rem 0; padding-left: 1.1rem; font-size: .88rem; }
.legend span { margin: 0 .4rem .3rem 0; }
@media (max-width: 40rem) { body { padding: .7rem; } table, tbody, tr, td { display: block; } thead { display: none; }
  td { padding: .15rem 0; } tr { padding: .6rem 0; } td.place { white-space: normal; } td.place small { display: inline; margin-left: .4rem; } }
"""


def text(value):
    return html.escape(" ".join(str(value).split()))


def anchor(key, at):
    return re.sub(r"[^A-Za-z0-9]+", "-", f"{key}-{at}").strip("-")


def badge(status):
    fill, ink = COLOURS.get(status, COLOURS["no row"])
    return f'<span class="status" style="background:{fill};color:{ink}">{text(status)}</span>'


def evidence_line(item):
    if kind_of(item) == "run":
        return f"<code>probity {text(item['run'])}</code>: {text(item['get'])} within [{text(', '.join(item['within']))}]"
    kind, name = item.split(" ", 1)
    return {"test": "test", "goal": "proved by WP:", "coq": "theorem"}[kind] + f" <code>{text(name)}</code>"


def decision(item, name, decided):
    """The closest comparison by which a test decides this row."""
    found = decided.get((item.split(" ", 1)[1], name)) if isinstance(item, str) else None
    return f", decided by <code>{text(found)}</code>" if found else ""


def evidence_list(items, name, decided):
    lines = "".join(f"<li>{evidence_line(item)}{decision(item, name, decided)}</li>" for item in items)
    return f'<ul class="evidence">{lines}</ul>' if items else ""


def number(value):
    if isinstance(value, dict):
        return f"[{text(', '.join(value['within']))}] by <code>probity {text(value['run'])}</code>"
    exact = Value(value)
    rough = f" (about {float(exact.lo):.4g})" if exact.lo == exact.hi and len(value) > 9 else ""
    return text(value) + rough


def counterexample(case):
    part = f" ({text(case['part'])})" if "part" in case else ""
    shown = f"<p class='note'>Shown by {evidence_line(case['shown'])}.</p>" if "shown" in case else ""
    return (f"<details><summary>counterexample{part}</summary><div><p>{text(case['story'])}</p>"
            f"<p class='numbers'>claimed: {text(case['claim'])}<br>found {number(case['found'])}<br>promised {number(case['promised'])}</p>"
            f"{shown}</div></details>")


def corrected(row, name, decided):
    fixed = row.get("corrected")
    if not fixed:
        return ""
    return (f"<p class='note'><b>What holds instead</b> {badge(fixed['status'])}: {text(fixed['says'])}</p>"
            + evidence_list(fixed.get("evidence", []), name, decided))


def table_row(paper, row, failures, decided):
    section, line = paper.place(row)
    name = f"{paper.key}/{row['at']}"
    said = [f"<p style='margin:0'>{text(row['says'])}</p>"]
    for key, word in (("reading", "Reading refuted: "), ("why", "Why: "), ("note", "")):
        if row.get(key):
            said.append(f"<p class='note'>{word}{text(row[key])}</p>")
    said += [counterexample(case) for case in row.get("counterexample", ())]
    said.append(corrected(row, name, decided))
    said.append(evidence_list(row.get("evidence", []), name, decided))
    said += [f"<p class='fails'>{text(line)}</p>" for line in failures.get(name, ())]
    rests = ", ".join(f'<a href="#{anchor(*link(paper, other))}">{text(other)}</a>' for other in row.get("rests", ()))
    if rests:
        said.append(f"<p class='note'>rests on {rests}</p>")
    slip = '<span class="slip">with a slip of the pen</span>' if row.get("slip") else ""
    return (f'<tr id="{anchor(paper.key, row["at"])}"><td class="place"><b>{short(row["at"])}</b><small>section {text(section)}, line {line}'
            f'</small></td><td>{badge(row["status"])}{slip}</td><td>{"".join(said)}</td></tr>')


def short(at):
    """An unnumbered statement's name may wrap; a number may not."""
    return text(at).replace(", ", ",<br>", 1)


def link(paper, other):
    return other.split("/", 1) if "/" in other else (paper.key, other)


def layers(paper):
    """Each row one layer behind all that it rests on; the ledger has no circles."""
    rows = {row["at"]: row for row in paper.rows}
    depth = {}

    def place(at):
        if at not in depth:
            depth[at] = 1 + max((place(other) for other in rows[at].get("rests", ()) if other in rows), default=-1)
        return depth[at]
    for at in rows:
        place(at)
    linked = {at for at in rows if rows[at].get("rests")} | {o for row in paper.rows for o in row.get("rests", ()) if o in rows}
    result = {}
    for at in rows:
        if at in linked:
            result.setdefault(depth[at], []).append(at)
    return rows, result


def graph(paper):
    rows, layer = layers(paper)
    if not layer:
        return ""
    spot = {}
    for column in sorted(layer):
        # Beside what it rests on, so that few lines cross.
        order = sorted(layer[column], key=lambda at: sum(spot[o][1] for o in rows[at].get("rests", ()) if o in spot) /
                       max(1, sum(o in spot for o in rows[at].get("rests", ()))))
        for i, at in enumerate(order):
            spot[at] = (GAP + column * (BOX + STEP), GAP + i * (HIGH + GAP))
    wide = max(x for x, _ in spot.values()) + BOX + GAP
    high = max(y for _, y in spot.values()) + HIGH + GAP
    drawn = []
    for at, (x, y) in spot.items():
        for other in rows[at].get("rests", ()):
            if other in spot:
                a, b = spot[other][0] + BOX, spot[other][1] + HIGH / 2
                ink = COLOURS["refuted"][0] if rows[other]["status"] == "refuted" else "#9aa1ab"
                drawn.append(f'<path d="M{a} {b} C{a + STEP / 2} {b} {x - STEP / 2} {y + HIGH / 2} {x} {y + HIGH / 2}" fill="none" '
                             f'stroke="{ink}"/>')
    for at, (x, y) in spot.items():
        fill, ink = COLOURS[rows[at]["status"]]
        label = at if len(at) <= 18 else at.split(",")[0]
        drawn.append(f'<a href="#{anchor(paper.key, at)}"><title>{text(at)}: {rows[at]["status"]}</title>'
                     f'<rect x="{x}" y="{y}" width="{BOX}" height="{HIGH}" rx="4" fill="{fill}" stroke="#9aa1ab"/>'
                     f'<text x="{x + BOX / 2}" y="{y + 17}" text-anchor="middle" fill="{ink}">{text(label)}</text></a>')
    return (f'<div class="graph"><svg width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" '
            f'aria-label="what rests on what in {text(paper.key)}">{"".join(drawn)}</svg></div>')


def section(paper, failures, decided):
    count = {status: sum(row["status"] == status for row in paper.rows) for status in STATUSES}
    told = ", ".join(f"{count[status]} {status}" for status in STATUSES if count[status]) or "no rows yet"
    extent = "Every number has a row." if paper.complete is True else (
        f"Every number of sections {', '.join(paper.complete)} has a row." if paper.complete else
        f"{len(paper.inventory)} numbers are in its inventory; its rows are not filled yet.")
    body = "".join(table_row(paper, row, failures, decided) for row in paper.rows)
    head = "<thead><tr><th>statement</th><th>status</th><th>what it says, and what was found</th></tr></thead>"
    return (f'<h2 id="{paper.key}">[{paper.key}] {text(paper.title)}</h2><p>{told}. {extent}</p>{graph(paper)}'
            + (f"<table>{head}<tbody>{body}</tbody></table>" if body else ""))


def render(papers, failures, decided):
    legend = " ".join(badge(status) for status in STATUSES)
    refuted = sum(row["status"] == "refuted" for paper in papers for row in paper.rows)
    rows = sum(len(paper.rows) for paper in papers)
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>Probity: the ledger of claims</title><style>{STYLE}</style></head><body><h1>The ledger of claims</h1>"
            "<p>What five papers state, whether it holds, and the evidence. The statements are in our own words. A line in the graph leads from a "
            "statement to those that depend on it; it is red if the first is refuted. Open a counterexample in its row.</p>"
            f'<p class="legend">{legend}</p><p>{rows} rows, {refuted} of them refuted.</p>'
            + "".join(section(paper, failures, decided) for paper in papers) + "</body></html>\n")
