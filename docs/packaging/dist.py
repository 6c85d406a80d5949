#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A release, into BUILD/dist: the sources, what they are linked with, the sums, and what has passed for exactly these bytes.

    python3 docs/packaging/dist.py BUILD VERSION [KEY]

    probity-V.tar.gz         the last commit; the same bytes whoever packs it
    probity-V.cdx.json       bill of materials (CycloneDX 1.5): the libraries, with the versions of this build
    probity-V.intoto.json    statement of in-toto: the goals of make, the tests and the proofs that passed on these bytes; with
                             KEY (probity keygen) signed, in an envelope of DSSE, for probity verify
    probity-V.wasm, ...      the WebAssembly module and its pages, if make check-web passed on these bytes; and the static programs of each
                             machine for which make check-static did
    SHA256SUMS               of them all

A tree that differs from the last commit is refused.
"""
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import passed

ROOT = passed.ROOT
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
GOALS = ("check", "prove", "check-sanitized", "claims", "check-spark") # .ci/run
# Name for pkg-config, name in computed_with, licence.
LIBRARIES = [("gmp", "gmp", "LGPL-3.0-or-later OR GPL-2.0-or-later"), ("mpfr", "mpfr", "LGPL-3.0-or-later"),
             ("flint", "flint", "LGPL-2.1-or-later"), ("arb", "arb", "LGPL-2.1-or-later"), ("libsodium", None, "ISC"),
             ("jansson", None, "MIT"), ("sqlite3", None, "blessing")]


class Refused(Exception):
    """The tree, or what was given, cannot be released."""


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, **more).stdout


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# ---- the sources --------------------------------------------------------------------------------

def packed(root, version):
    """The tar of the last commit."""
    changed = run("git", "status", "--porcelain", cwd=root, text=True).splitlines()
    if changed:
        raise Refused(f"the tree differs from the last commit, expected none of: {'; '.join(line[3:] for line in changed[:5])}")
    return run("git", "archive", "--format=tar", f"--prefix=probity-{version}/", "HEAD", cwd=root)


def tree_of(tar):
    """The digest of the tree in a tar, as passed.py takes it of a folder."""
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        return passed.digest((member.name.split("/", 1)[1], *((False, os.fsencode(member.linkname)) if member.issym() else
                                                              (bool(member.mode & 0o100), archive.extractfile(member).read())))
                             for member in archive if member.isfile() or member.issym())


def compressed(tar):
    """gzip with no time and no name in it."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=out, mtime=0) as file:
        file.write(tar)
    return out.getvalue()


# ---- the bill of materials ----------------------------------------------------------------------

def computed_with(build):
    """The versions that the library itself names."""
    text = run(str(Path(build) / "probity"), "certify", "rr:odds=3", "--epsilon", "2", text=True)
    return json.loads(text)["computed_with"]


def libraries(build):
    versions = computed_with(build)
    for name, told, licence in LIBRARIES:
        version = versions.get(told) if told else run("pkg-config", "--modversion", name, text=True).strip()
        inside = name == "arb" and int(versions["flint"].split(".")[0]) >= 3 # Arb is a part of FLINT 3
        if version and not inside:
            yield {"type": "library", "bom-ref": name, "name": name, "version": version, "scope": "required",
                   "licenses": [{"expression": licence}] if " " in licence else [{"license": {"id": licence}}],
                   "purl": f"pkg:generic/{name}@{version}"}


def bill(build, version, tarball, time):
    parts = list(libraries(build))
    itself = {"type": "application", "bom-ref": "probity", "name": "probity", "version": version,
              "description": "Differential privacy that can be checked", "licenses": [{"license": {"id": "MIT"}}],
              "purl": f"pkg:generic/probity@{version}", "hashes": [{"alg": "SHA-256", "content": sha256(tarball)}]}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'sha256:' + sha256(tarball))}",
            "metadata": {"timestamp": time, "component": itself}, "components": parts,
            "dependencies": [{"ref": "probity", "dependsOn": [p["bom-ref"] for p in parts]}]}


# ---- the statement ------------------------------------------------------------------------------

def tests(build):
    """Every test of the whole suite, as Criterion's record of it says, by its outcome."""
    record = Path(build) / "ran/result.json"
    suites = json.loads(record.read_text())["test_suites"] if record.is_file() else []
    found = [(f"{suite['name']}/{test['name']}", test["status"]) for suite in suites for test in suite["tests"]]
    return sorted(n for n, s in found if s == "PASSED"), sorted(n for n, s in found if s in ("FAILED", "ERRORED"))


def proofs(build):
    """The table of proofs, a line for each unit."""
    record = Path(build) / "proofs.json"
    return json.loads(record.read_text()) if record.is_file() else {}


def predicate(build, tree):
    """Returns the goals that have passed on the tree, and as warnings those of GOALS that have not."""
    done = passed.passed(build, tree)
    good, bad = tests(build) if "check" in done else ([], [])
    said = [f"make {goal}" for goal in done] + [f"suite {name}" for name in good]
    found = {"result": "FAILED" if bad else "PASSED" if set(GOALS) <= set(done) else "WARNED",
             "configuration": [{"name": "sources", "digest": {"sha256": tree}}], "passedTests": said,
             "warnedTests": [f"make {goal}: has not passed on these bytes" for goal in GOALS if goal not in done],
             "failedTests": [f"suite {name}" for name in bad]}
    if "prove" in done:
        summary = proofs(build)
        found["proofs"] = {part: summary[part] for part in ("summary", "texts", "tools", "trusted")}
    return found


def statement(files, content):
    subjects = [{"name": name, "digest": {"sha256": sha256(data)}} for name, data in files.items()]
    return {"_type": "https://in-toto.io/Statement/v1", "subject": subjects, "predicateType": PREDICATE, "predicate": content}


def text(value):
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


# ---- programs -----------------------------------------------------------------------------------

def programs(build, version, done):
    """The programs and pages by their names in the release: those whose goal of make has passed on these bytes."""
    build, found = Path(build), {}
    if "check-web" in done:
        found |= {f"probity-{version}.wasm": "web/probity.wasm", f"probity-{version}-verify.html": "web/verify.html",
                  f"probity-{version}-loss.html": "web/loss.html"}
    for arch in ("x86_64", "aarch64"):
        if f"check-static-{arch}" in done:
            found |= {f"{program}-{version}-{arch}": f"static/{arch}/{program}" for program in ("probity", "probity-verify")}
    return {name: (build / path).read_bytes() for name, path in found.items()}


# ---- all of it ----------------------------------------------------------------------------------

def signed(build, data, key, scratch):
    scratch.write_bytes(data)
    done = subprocess.run((str(Path(build) / "probity"), "prove", "sign", str(scratch), "--key", key), text=True, capture_output=True)
    if done.returncode != 0:
        raise Refused(f"KEY: {done.stderr.strip().removeprefix('probity: ')}")
    return scratch.read_bytes()


def make(root, build, version, key):
    """The files by their names, and the predicate."""
    tar = packed(root, version)
    time = run("git", "show", "-s", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "HEAD", cwd=root, text=True,
               env=os.environ | {"TZ": "UTC"}).strip()
    tree = tree_of(tar)
    name, tarball, content = f"probity-{version}", compressed(tar), predicate(build, tree)
    files = {f"{name}.tar.gz": tarball, f"{name}.cdx.json": text(bill(build, version, tarball, time))}
    files |= programs(build, version, passed.passed(build, tree))
    told = text(statement(files, content))
    files[f"{name}.intoto.json"] = signed(build, told, key, Path(build) / "statement.scratch") if key else told
    files["SHA256SUMS"] = "".join(f"{sha256(data)}  {name}\n" for name, data in files.items()).encode()
    return files, content


def main(build, version, key=""):
    try:
        files, content = make(ROOT, build, version, key)
    except Refused as refusal:
        print(f"dist: {refusal}", file=sys.stderr)
        return 2
    finally:
        (Path(build) / "statement.scratch").unlink(missing_ok=True)
    folder = Path(build) / "dist"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
        print(f"{sha256(data)}  {folder / name}")
    print(f"dist: {content['result']}: {len(content['passedTests'])} passed, {'signed' if key else 'not signed: make dist KEY=FILE signs'}")
    for line in content["warnedTests"] + content["failedTests"]:
        print(f"dist: {line}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
