# SPDX-License-Identifier: MIT
"""Every link of a site leads somewhere: to a file in it, and to a place that the file has. Nothing is loaded from elsewhere.

    python3 docs/site/links.py SITE"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.places = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places.update(values[name] for name in ("id", "name") if values.get(name))
        target = values.get("href") or values.get("src") or values.get("xlink:href")
        if target is not None:
            (self.loads if tag in ("script", "link", "img", "iframe") else self.links).append(target)


def problems(site):
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads:
                    yield f"{name}: loads {link} from elsewhere"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name}: {link} leads nowhere"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{name}: {link} leads to no place in that page"


def main():
    site = Path(sys.argv[1])
    found = list(problems(site))
    for line in found:
        print(line, file=sys.stderr)
    if not found:
        print(f"links: {len(list(site.rglob('*.html')))} pages, every link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
