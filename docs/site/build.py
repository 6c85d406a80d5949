#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents as a static site: pages, mathematics in MathML, navigation, and a search that needs no network.

    python3 docs/site/build.py --out DIR --version V [--report NAME=FILE]...

pandoc turns Markdown into HTML and mandoc the manual pages. A --report is a page that stands by itself, such as the ledger of
claims; it is copied. The site appears whole, or the old one stays."""
import argparse
import html
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import formula
import links

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent

GROUPS = [
    ("Start", ["README", "cookbook", "survey", "reconstruction"]),
    ("Use", ["library", "python", "audit", "dossier", "prove", "certificate", "web", "ledger", "events"]),
    ("Trust", ["trust", "chain", "proofs", "timing", "claims", "accountants", "peers", "bibliography"]),
    ("Project", ["tour", "performance", "performance-loss", "packaging/README", "packaging/systems", "CONTRIBUTING", "SECURITY", "CHANGELOG"]),
]
# A page that no group names is listed behind them: file it where a reader looks for it.
UNFILED = "More"
# Tables of more columns have no room side by side on a telephone: a row becomes a list there.
COLUMNS = 3
# Pages that compute (make web). A newcomer meets them first: above all other links, and on the first page under its first paragraph.
TRIED = {"loss": "Compute a loss here", "verify": "Verify a certificate here"}
# Examples of the playground by their places in its list (src/web/page/loss.js).
EXAMPLES = {1: "a count with geometric noise", 2: "a published formula that fails", 9: "the least noise for a budget"}
REPORT_TITLES = {"claims": "Ledger of claims", "explain": "Example: a mechanism explained", "audit": "Example: an audit"}
MENTION = re.compile(r"(docs/[\w./-]+\.md|docs/theory/?(?=$|\W))")


class Site:
    """The pages of the site: the page of each source, and its title."""

    def __init__(self, reports):
        self.pages = {"README.md": "index.html"}
        for path in sorted(ROOT.glob("docs/*.md")):
            self.pages[f"docs/{path.name}"] = f"{path.stem}.html"
        for folder in ("theory", "packaging"):
            for path in sorted(ROOT.glob(f"docs/{folder}/*.md")):
                self.pages[f"docs/{folder}/{path.name}"] = f"{folder}/{'index' if path.stem == 'README' else path.stem}.html"
        self.manuals = {f"docs/{path.name}": f"man/{path.name}.html" for path in sorted(ROOT.glob("docs/*.1"))}
        self.reports = reports
        self.titles = {source: title_of(ROOT / source) for source in self.pages}
        self.titles.update({source: Path(source).stem for source in self.manuals})
        self.files = set()

    def target(self, source, link):
        """Where a link of a document goes on the site; None for one that stays as it is."""
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return None
        path, _, place = link.partition("#")
        full = (ROOT / source).parent / path
        name = full.resolve().relative_to(ROOT).as_posix()
        page = self.pages.get(name) or self.manuals.get(name)
        if page is None and full.is_file():
            self.files.add(name)
            page = f"files/{name}"
        return (page or name) + (f"#{place}" if place else "")


def title_of(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return path.stem


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


# ---- a document ---------------------------------------------------------------------------------

class Document:
    def __init__(self, site, source):
        self.site, self.source = site, source
        self.page = site.pages[source]
        self.up = "../" * self.page.count("/")
        self.theory = source.startswith("docs/theory/")

    def walk(self, node, linked=False):
        """The tree of pandoc with its links and images led to pages and files, and with formulas where a theory page has code."""
        if isinstance(node, list):
            changed = [self.walk(child, linked) for child in node]
            return [one for child in changed for one in (child if isinstance(child, tuple) else (child,))]
        if not isinstance(node, dict):
            return node
        kind = node.get("t")
        if kind in ("Link", "Image"):
            target = self.site.target(self.source, node["c"][2][0])
            url = self.up + target if target else node["c"][2][0]
            return {"t": kind, "c": [node["c"][0], self.walk(node["c"][1], True), [url, node["c"][2][1]]]}
        if kind == "Str" and not linked:
            return self.mentions(node)
        if kind == "Code":
            return self.code(node, linked)
        if kind == "CodeBlock" and self.theory and not node["c"][0][1] and formula.is_displayed(node["c"][1]):
            return {"t": "RawBlock", "c": ["html", formula.displayed(node["c"][1])]}
        return {key: self.walk(value, linked) for key, value in node.items()}

    def mentions(self, node):
        """A word that names a document becomes a link to it."""
        parts = []
        for piece in MENTION.split(node["c"]):
            target = self.mentioned(piece)
            string = {"t": "Str", "c": piece}
            if piece:
                parts.append({"t": "Link", "c": [["", [], []], [string], [self.up + target, ""]]} if target else string)
        return tuple(parts)

    def mentioned(self, text):
        if text.rstrip("/") == "docs/theory":
            return "theory/index.html"
        return self.site.pages.get(text) or self.site.manuals.get(text)

    def code(self, node, linked):
        text = node["c"][1]
        if self.theory and formula.is_formula(text):
            return {"t": "RawInline", "c": ["html", formula.inline(text)]}
        target = self.mentioned(re.sub(r"^man ", "", text)) or self.site.manuals.get("docs/" + text.replace(" ", "-") + ".1")
        if linked or not target:
            return node
        return {"t": "Link", "c": [["", [], []], [node], [self.up + target, ""]]}

    def body(self):
        tree = json.loads(run(["pandoc", "-f", "gfm+tex_math_dollars+gfm_auto_identifiers", "-t", "json", str(ROOT / self.source)]))
        tree["blocks"] = self.walk(tree["blocks"])
        return labelled(run(["pandoc", "-f", "json", "-t", "html5", "--mathml", "--wrap=none", "--no-highlight"], json.dumps(tree)))


def labelled(body):
    """Tables of many columns with the name of its column on each cell, for a narrow page to show beside it."""
    def table(match):
        names = [html.unescape(re.sub(r"<[^>]*>", "", name)).strip() for name in re.findall(r"<th\b[^>]*>(.*?)</th>", match[0], re.S)]
        if len(names) <= COLUMNS:
            return match[0]

        def row(cells):
            label = iter(names)
            return re.sub(r"<td\b", lambda _: f'<td data-label="{html.escape(next(label, ""))}"', cells[0])
        return re.sub(r"<tr\b.*?</tr>", row, match[0].replace("<table", '<table class="wide"', 1), flags=re.S)
    return re.sub(r"<table\b.*?</table>", table, body, flags=re.S)


def manual_body(source):
    page = run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", str(ROOT / source)])
    page = re.sub(r"<(/?)h1\b", r"<\1h2", page)
    return f"<h1>{html.escape(Path(source).stem)}(1)</h1>\n{page}"


# ---- the page around it ---------------------------------------------------------------------------

class Sections(HTMLParser):
    """The headings of a page with the text below each, for the index and for the navigation."""

    def __init__(self, body):
        super().__init__()
        self.found = [["", "", []]]
        self.heading, self.depth = None, 0
        self.levels = [0]
        self.feed(body)

    def handle_starttag(self, tag, attributes):
        if tag in ("h1", "h2", "h3"):
            self.found.append([dict(attributes).get("id") or "", "", []])
            self.levels.append(int(tag[1]))
            self.heading = tag

    def handle_endtag(self, tag):
        if tag == self.heading:
            self.heading = None

    def handle_data(self, data):
        if self.heading:
            self.found[-1][1] += data
        else:
            self.found[-1][2].append(data)


def navigation(site, page, sections):
    up = "../" * page.count("/")

    def item(target, title):
        if target != page:
            return f'<li><a href="{up}{target}">{html.escape(title)}</a></li>'
        inner = "".join(f'<li><a href="#{place}">{html.escape(name)}</a></li>'
                        for (place, name, _), level in zip(sections.found, sections.levels) if level == 2 and place)
        return f'<li><span class="here">{html.escape(title)}</span>{f"<ul>{inner}</ul>" if inner else ""}</li>'

    def group(title, items):
        return f"<h2>{title}</h2><ul>{''.join(items)}</ul>"

    parts = []
    tried = [name for name in TRIED if name in site.reports]
    if tried:
        parts.append(group("Try it", [item(f"reports/{name}.html", TRIED[name]) for name in tried]))
    listed = {name for _, names in GROUPS for name in names}
    others = [Path(source).stem for source in site.pages if source.count("/") == 1 and Path(source).stem not in listed]
    for title, names in GROUPS + ([(UNFILED, others)] if others else []):
        sources = ["README.md" if name == "README" else f"docs/{name}.md" for name in names]
        parts.append(group(title, [item(site.pages[s], site.titles[s]) for s in sources if s in site.pages]))
    reports = [name for name in site.reports if name not in TRIED]
    if reports:
        parts.append(group("Reports", [item(f"{name}.html" if name == "claims" else f"reports/{name}.html", REPORT_TITLES.get(name, name))
                                       for name in reports]))
    theory = [source for source in site.pages if source.startswith("docs/theory/")]
    parts.append(group("Theory", [item("theory/index.html", "All pages")] + [item(site.pages[s], site.titles[s]) for s in theory]))
    parts.append(group("Manual", [item(target, site.titles[s]) for s, target in site.manuals.items()]))
    return "".join(parts)


def render(site, page, title, body, version):
    up = "../" * page.count("/")
    sections = Sections(body)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} · Probity</title>
<link rel="stylesheet" href="{up}site.css">
</head>
<body>
<div class="page">
<nav class="side">
<input id="query" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
<ul id="found"></ul>
<details class="menu"><summary>Contents</summary>
{navigation(site, page, sections)}
</details>
</nav>
<main>
{body}
<footer>Probity {html.escape(version)}</footer>
</main>
</div>
<script>const ROOT = "{up}"; if (innerWidth > 800) document.querySelector(".menu").open = true;</script>
<script src="{up}index.js"></script>
<script src="{up}search.js"></script>
<script src="{up}table.js"></script>
</body>
</html>
"""


def index_of(page, title, body):
    sections = Sections(body)
    for place, name, text in sections.found:
        words = " ".join("".join(text).split())
        if words or name:
            yield {"u": page + (f"#{place}" if place else ""), "p": title, "t": " ".join(name.split()) or title, "x": words}


def theory_list(site):
    items = "".join(f'<li><a href="{Path(site.pages[s]).name}">{html.escape(site.titles[s])}</a></li>'
                    for s in site.pages if s.startswith("docs/theory/"))
    return f"<h1>Theory</h1><p>A page for each mechanism and for each method: the definition, the worst neighbours and why, the exact loss.</p><ul>{items}</ul>"


def welcome(site, body):
    """The first page, with the playground behind its first paragraph; as it was where make web has not run."""
    if "loss" not in site.reports:
        return body
    examples = "".join(f'<li><a href="reports/loss.html?example={place}">{name}</a></li>' for place, name in EXAMPLES.items())
    verify = ('<p><a href="reports/verify.html">Verify a certificate or a dossier</a>: drop it on the page, which recomputes it.</p>'
              if "verify" in site.reports else "")
    block = (f'<section class="try"><h2>Try it in this browser</h2><p><a class="first" href="reports/loss.html">Compute the privacy loss of a mechanism</a> '
             f"with nothing installed; nothing leaves your machine. Examples that open with their answer:</p><ul>{examples}</ul>{verify}</section>")
    head, end, rest = body.partition("</p>")
    return head + end + block + rest


def write(out, name, text):
    path = out / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def build(site, out, version):
    bodies = {}
    with ThreadPoolExecutor(2) as pool:
        documents = {source: pool.submit(Document(site, source).body) for source in site.pages}
        manuals = {source: pool.submit(manual_body, source) for source in site.manuals}
        for source, job in list(documents.items()) + list(manuals.items()):
            bodies[site.pages.get(source) or site.manuals[source]] = (site.titles[source], job.result())
    title, body = bodies["index.html"]
    bodies["index.html"] = (title, welcome(site, body))
    bodies["theory/index.html"] = ("Theory", theory_list(site))
    index = []
    for page, (title, body) in bodies.items():
        write(out, page, render(site, page, title, body, version))
        index += index_of(page, title, body)
    write(out, "index.js", "const PAGES = " + json.dumps(index, ensure_ascii=False, separators=(",", ":")) + ";\n")
    for name in ("site.css", "search.js", "table.js"):
        shutil.copy(HERE / name, out / name)
    for name in sorted(site.files):
        (out / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, out / "files" / name)
    for name, path in site.reports.items():
        target = out / (f"{name}.html" if name == "claims" else f"reports/{name}.html")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return len(bodies) + len(site.reports)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--report", action="append", default=[], metavar="NAME=FILE")
    options = parser.parse_args()
    fresh = options.out.with_name(options.out.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    pages = build(Site(dict(report.split("=", 1) for report in options.report)), fresh, options.version)
    found = list(links.problems(fresh))
    for line in found:
        print(line, file=sys.stderr)
    if found:
        return 1
    shutil.rmtree(options.out, ignore_errors=True)
    fresh.rename(options.out)
    print(f"site: {pages} pages in {options.out}, every link leads somewhere")
    return 0


if __name__ == "__main__":
    sys.exit(main())
