#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verifies certificates, runs plans of audits and proves mechanisms, for a CI or a commit hook.

    check.py [--verify FILE]... [--plan FILE]... [--audit DIR]... [--prove DIR]... [--key KEY.pub] [--sarif OUT] [FILE]...

    --verify    a certificate, a dossier or a signed statement; `probity verify` recomputes it
    --plan      a plan of audits: it must fit docs/audit.schema.json; nothing is run
    --audit     a folder with a plan.json, whose audits are run (probity audit --dossier)
    --prove     a folder with a prove.toml (probity prove)
    FILE        is verified, or read as a plan, by its format; other JSON is left alone (for pre-commit)

A FILE may be a pattern such as `certificates/**/*.json`, which must match something. What does not hold is printed, as an
annotation where GITHUB_ACTIONS is set, and written to OUT as SARIF 2.1.0. PROBITY names the command (probity).
Exit status: the worst of the commands'; 1 if something does not hold, 2 bad input, 3 the machine failed, 4 an audit could not judge."""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROBITY = os.environ.get("PROBITY", "probity")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERIFIED = {"probity-certificate", "probity-dossier"}
PLAN = "probity-plan"
WORST = (1, 2, 3, 4, 0) # a refutation counts more than a failure to look, and that more than an open answer


class Findings:
    def __init__(self):
        self.results, self.runs, self.statuses, self.looked = [], [], [], 0

    def add(self, rule, path, text, status=1, line=1):
        """Adds a finding at a file."""
        uri = os.path.relpath(path).replace(os.sep, "/")
        self.statuses.append(status)
        level = "warning" if status == 4 else "error"
        self.results.append({"ruleId": rule, "level": level, "message": {"text": text}, "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}]})
        if os.environ.get("GITHUB_ACTIONS"):
            said = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            print(f"::{level} file={uri},line={line},title={rule}::{said}")
        else:
            print(f"{uri}: {text}", file=sys.stderr)

    def sarif(self):
        rules = [{"id": name} for name in sorted({result["ruleId"] for result in self.results})]
        own = {"tool": {"driver": {"name": "probity", "rules": rules}}, "results": self.results}
        return {"$schema": SCHEMA, "version": "2.1.0", "runs": [own, *self.runs]}

    def status(self):
        return next((status for status in WORST if status in self.statuses), 0)


def run(*words):
    try:
        return subprocess.run((PROBITY, *words), text=True, capture_output=True)
    except OSError as error:
        sys.exit(f"check: {PROBITY}: {error.strerror}; name the command in PROBITY")


def reason(done):
    lines = done.stderr.strip().splitlines()
    return lines[-1].removeprefix("probity: ") if lines else f"exit status {done.returncode}"


def verify(found, path, key):
    done = run("verify", path, *(("--key", key) if key else ()))
    if done.returncode:
        found.add("verify", path, reason(done), done.returncode)


def read(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8")), None
    except (OSError, ValueError) as error:
        return None, f"expected JSON: {error}"


def plan(found, path):
    sys.path.insert(0, str(ROOT / "tests"))
    import schema
    rules = json.loads((ROOT / "docs/audit.schema.json").read_text())
    value, wrong = read(path)
    wrong = wrong or schema.fault(value, rules["$defs"]["plan"], rules)
    if wrong:
        found.add("plan", path, wrong, 2)


def audit(found, folder):
    done = run("audit", "--dossier", folder)
    print(done.stdout, end="")
    if done.returncode:
        found.add("audit", Path(folder) / "plan.json", reason(done), done.returncode)


def prove(found, folder):
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "sarif"
        done = run("prove", folder, "--sarif", str(out))
        print(done.stdout, end="")
        if out.is_file(): # its places are relative to the folder
            for one in json.loads(out.read_text())["runs"]:
                for result in one["results"]:
                    for place in result.get("locations", []):
                        name = place["physicalLocation"]["artifactLocation"]
                        name["uri"] = os.path.relpath(os.path.join(folder, name["uri"])).replace(os.sep, "/")
                found.runs.append(one)
    if done.returncode:
        found.add("prove", Path(folder) / "prove.toml", reason(done), done.returncode)


def known(found, path, key):
    """A file of a commit: judged by what it says that it is."""
    value, _ = read(path)
    kind = value.get("format") if isinstance(value, dict) else None
    if kind in VERIFIED or isinstance(value, dict) and value.get("payloadType") == "application/vnd.in-toto+json":
        verify(found, path, key)
    elif kind == PLAN:
        plan(found, path)
    else:
        found.looked -= 1


def matching(patterns):
    for pattern in patterns:
        names = sorted(glob.glob(pattern, recursive=True)) if glob.has_magic(pattern) else [pattern]
        if not names:
            sys.exit(f"check: '{pattern}': expected a pattern that matches a file")
        yield from names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("verify", "plan", "audit", "prove"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--key")
    parser.add_argument("--sarif")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    found = Findings()
    work = [(lambda p: verify(found, p, options.key), options.verify), (lambda p: plan(found, p), options.plan),
            (lambda p: audit(found, p), options.audit), (lambda p: prove(found, p), options.prove),
            (lambda p: known(found, p, options.key), options.files)]
    for judge, patterns in work:
        for path in matching(patterns):
            found.looked += 1
            judge(path)
    if options.sarif:
        Path(options.sarif).write_text(json.dumps(found.sarif(), indent=1) + "\n")
    print(f"check: {found.looked} looked at, {len(found.results)} do not hold")
    return found.status()


if __name__ == "__main__":
    sys.exit(main())
