#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the module, the scripts and the style into pages that are one file each.

    assemble.py BUILD VERSION         reads BUILD/web/probity.wasm and writes BUILD/web/*.html and SHA256SUMS

A page runs under file:// and asks for nothing: its content security policy names the digests of its one style and its one script,
and forbids whatever else could be loaded. The module is a block of data, gzip in base64."""
import base64
import gzip
import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent / "page"
# Scripts of each page, in their order. The worker has its own, which the page hands to it as text.
WORKER = ["wasi.js", "worker.js"]
PAGES = {"verify": ["engine.js", "decimal.js", "plot.js", "document.js", "verify.js"],
         "loss": ["engine.js", "decimal.js", "plot.js", "loss.js"],
         "recheck": ["engine.js", "recheck.js"]}
# Pieces of a report that checks itself: the command puts them into its page, and replaces this by the digest of that page's style.
REPORT, REPORT_STYLE = "recheck", "STYLE-OF-REPORT"


def read(name):
    return (HERE / name).read_text(encoding="utf-8")


def script(names):
    """Several scripts as one: comments of a whole line go, since nobody reads them here."""
    lines = "\n".join(read(name) for name in names).splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("//") and line.strip() != '"use strict";')
    return '\n"use strict";\n' + re.sub(r"\n{2,}", "\n", text).strip() + "\n"


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def data(name, text):
    """A block that no browser runs; nothing in it may end it."""
    return f'<script type="text/plain" id="{name}">{text.replace("</", chr(60) + chr(92) + "/") if name != "module" else text}</script>'


def assemble(name, scripts, blocks, version, module):
    report = name == REPORT
    style, code = "\n" + read("recheck.css" if report else "style.css"), script(scripts)
    styles = digest(style) + (" " + REPORT_STYLE if report else "")
    policy = ("default-src 'none'; base-uri 'none'; form-action 'none'; worker-src blob:; "
              f"style-src {styles}; script-src {digest(code)} 'wasm-unsafe-eval'")
    page = read(name + ".html")
    for place, text in {"POLICY": policy, "VERSION": html.escape(version), "SHA256": hashlib.sha256(module).hexdigest(),
                       "SIZE": f"{len(module) / 1e6:.1f} MB", "STYLE": f"<style>{style}</style>",
                       "DATA": "\n".join(data(block, text) for block, text in blocks.items() if not report or block in ("module", "worker")),
                       "SCRIPT": f"<script>{code}</script>"}.items():
        page = page.replace("@" + place + "@", text)
    return page


def package(web, version):
    """The folder of the package for npm: its own lines, and behind them those that the pages' worker has, too."""
    folder, npm = web / "npm", HERE.parent / "npm"
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text((npm / "package.json.in").read_text().replace("@VERSION@", version))
    (folder / "index.js").write_text((npm / "index.js").read_text() + read("wasi.js").replace('"use strict";\n', ""))
    for source in (npm / "index.d.ts", npm / "README.md", web / "probity.wasm", HERE.parents[2] / "LICENSE"):
        shutil.copyfile(source, folder / source.name)


def main():
    build, version = Path(sys.argv[1]), sys.argv[2]
    web = build / "web"
    module = (web / "probity.wasm").read_bytes()
    # mtime=0: the same module gives the same page.
    packed = base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    families = subprocess.run([str(build / "probity"), "families"], check=True, capture_output=True, text=True).stdout
    kept = [{key: family[key] for key in ("name", "summary", "parameters", "selects", "manual", "examples")} for family in json.loads(families)]
    sample = subprocess.run([str(build / "probity"), "certify", "stlap:eps=1/2,q=40", "--epsilon", "1/2"], check=True, capture_output=True, text=True).stdout
    blocks = {"sample": sample, "module": packed, "worker": script(WORKER), "families": json.dumps(kept, ensure_ascii=False)}
    made = ["probity.wasm"]
    for name, scripts in PAGES.items():
        page = assemble(name, scripts, blocks, version, module)
        (web / (name + ".html")).write_text(page, encoding="utf-8")
        made.append(name + ".html")
        print(f"  {web / (name + '.html')}: {len(page.encode()) / 1e6:.2f} MB")
    package(web, version)
    with open(web / "SHA256SUMS", "w", encoding="utf-8") as sums:
        for name in made:
            sums.write(hashlib.sha256((web / name).read_bytes()).hexdigest() + "  " + name + "\n")


if __name__ == "__main__":
    main()
