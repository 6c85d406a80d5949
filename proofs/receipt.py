# SPDX-License-Identifier: MIT
"""A receipt: which sources were proved, with which tools, how many goals, and what follows. Canonical JSON, as a certificate is."""
import hashlib
import json
import os
import subprocess
from decimal import ROUND_CEILING, Context, Decimal
from pathlib import Path

from answers import put
from settings import FILE, Bad

FORMAT = "probity-proof"
VERSION = 2 # 1 had neither the spec nor the texts


def times(decimal, count):
    """A decimal times a number, rounded up to nine digits."""
    context = Context(prec=9, rounding=ROUND_CEILING)
    value = context.multiply(Decimal(decimal), Decimal(count))
    return "1" if value >= 1 else f"{value.normalize(context):e}" if value < Decimal("1e-4") else f"{value.normalize(context):f}"


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def digests(stage):
    found = {path: sha256((stage.settings.folder / path).read_bytes()) for path in stage.own}
    return found | {FILE: sha256((stage.settings.folder / FILE).read_bytes())}


def mechanism(name, texts):
    """The texts that are compiled, as --text writes them, by their digests; and one digest of these, which names the mechanism."""
    each = {unit: sha256(text.encode()) for unit, text in texts.items()}
    return {"name": name, "digest": sha256(canonical(each).encode()), "texts": each}


def canonical(content):
    return json.dumps(content, sort_keys=True, indent=2, ensure_ascii=True) + "\n"


def make(answer):
    """The receipt of a result, its digest included; the signature is the command's to add."""
    if not answer["proved"]:
        return None
    content = {"format": FORMAT, "version": VERSION, "mechanism": answer["compiled"], "sources": answer["sources"], "statement": answer["statement"],
               "tools": answer["tools"] | {"probity": os.environ.get("PROBITY_VERSION", "unknown")},
               "goals": len(answer["goals"]), "lemmas": answer["lemmas"]}
    return content | {"digest": sha256(canonical(content).encode())}


def put_signed(path, key):
    done = subprocess.run((os.environ.get("PROBITY", "probity"), "prove", "sign", path, "--key", key), text=True, capture_output=True)
    if done.returncode != 0:
        os.unlink(path)
        raise Bad(f"--sign: {key}: {done.stderr.strip().removeprefix('probity: ')}")


def write(path, made, key):
    if path == "-" and key:
        raise Bad("--receipt: '-': expected the name of a file, to sign it")
    put(path, canonical(made))
    if key:
        put_signed(path, key)


def compare(path, made):
    """Returns the parts of a receipt that differ from the rerun."""
    try:
        before = json.loads(Path(path).read_text())
        if not isinstance(before, dict) or before.get("format") != FORMAT:
            raise ValueError
    except (OSError, ValueError):
        raise Bad(f"--against: '{path}': expected a receipt that probity prove wrote") from None
    if made is None:
        return []
    if before.get("version") == 1: # it has what was known then, in other words
        known = {name: value for name, value in made["statement"].items() if name in before.get("statement", {})}
        made = made | {"mechanism": None, "statement": known | {"words": before.get("statement", {}).get("words")}}
    return [f"receipt: {part} {'differ' if part == 'sources' else 'differs'} from what is here"
            for part in ("sources", "mechanism", "statement") if before.get(part) != made[part]]
