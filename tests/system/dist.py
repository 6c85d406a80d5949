#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the statements of make dist: only what has passed, and only for the bytes that it packs.

The releases are those of a small repository made for the test, with the command of BUILD.  usage: dist.py BUILD"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/packaging"))
import dist
import passed

RESULT = {"test_suites": [{"name": "s", "tests": [{"name": "good", "status": "PASSED"}, {"name": "left", "status": "SKIPPED"}]}]}
PROOFS = {"summary": {"goals": 7}, "texts": {"k.c": "sha256:0"}, "tools": {"frama-c": "25"}, "trusted": [], "problems": []}


class Release(unittest.TestCase):
    build = None

    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.root, self.out = Path(self.kept.name) / "tree", Path(self.kept.name) / "build"
        self.root.mkdir()
        self.out.mkdir()
        (self.out / "probity").symlink_to(self.build / "probity")
        (self.root / "a.c").write_text("int a;\n")
        (self.root / "run.sh").write_text("#!/bin/sh\n")
        (self.root / "run.sh").chmod(0o755)
        (self.root / "link.c").symlink_to("a.c")
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        subprocess.run(("git", "-c", "user.name=n", "-c", "user.email=e", *words), cwd=self.root, check=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "s")

    def pass_all(self):
        for goal in dist.GOALS:
            passed.begin(self.root, self.out, goal)
            passed.end(self.root, self.out, goal)
        (self.out / "ran").mkdir(exist_ok=True)
        (self.out / "ran/result.json").write_text(json.dumps(RESULT))
        (self.out / "proofs.json").write_text(json.dumps(PROOFS))

    def make(self, key=""):
        return dist.make(self.root, self.out, "9", key)

    def test_nothing_passed_is_nothing_stated(self):
        _, content = self.make()
        self.assertEqual((content["result"], content["passedTests"]), ("WARNED", []))
        self.assertEqual(len(content["warnedTests"]), len(dist.GOALS))

    def test_what_passed_is_stated(self):
        self.pass_all()
        _, content = self.make()
        self.assertEqual(content["result"], "PASSED")
        self.assertEqual(content["warnedTests"], [])
        self.assertIn("suite s/good", content["passedTests"])
        self.assertNotIn("suite s/left", content["passedTests"])
        self.assertEqual(content["proofs"]["summary"], PROOFS["summary"])

    def test_a_link_that_leads_elsewhere_is_another_tree(self):
        self.pass_all()
        (self.root / "link.c").unlink()
        (self.root / "link.c").symlink_to("run.sh")
        self.commit()
        self.assertEqual(self.make()[1]["passedTests"], [])

    def test_one_goal_less_is_a_warning(self):
        self.pass_all()
        passed.begin(self.root, self.out, "prove") # and it fails
        _, content = self.make()
        self.assertEqual(content["result"], "WARNED")
        self.assertEqual(content["warnedTests"], ["make prove: has not passed on these bytes"])
        self.assertNotIn("proofs", content)

    def test_other_bytes_have_passed_nothing(self):
        for change in (lambda: (self.root / "a.c").write_text("int b;\n"), lambda: (self.root / "run.sh").chmod(0o644),
                       lambda: (self.root / "a.c").rename(self.root / "c.c")):
            self.pass_all()
            change()
            self.commit()
            _, content = self.make()
            self.assertEqual(content["passedTests"], [])

    def test_a_file_changed_meanwhile_is_no_pass(self):
        passed.begin(self.root, self.out, "check")
        (self.root / "new.c").write_text("int n;\n") # not committed, and yet compiled
        passed.end(self.root, self.out, "check")
        (self.root / "new.c").unlink()
        self.assertEqual(passed.passed(self.out, passed.tree(self.root)), [])

    def test_a_changed_tree_is_refused(self):
        (self.root / "a.c").write_text("int b;\n")
        with self.assertRaisesRegex(dist.Refused, "a.c"):
            self.make()

    def test_who_packs_it_does_not_matter(self):
        files, _ = self.make()
        again = Path(self.kept.name) / "another"
        subprocess.run(("git", "clone", "-q", self.root, again), check=True)
        self.assertEqual(dist.make(again, self.out, "9", "")[0], files)

    def test_the_bill_names_what_is_linked(self):
        files, _ = self.make()
        bill = json.loads(files["probity-9.cdx.json"])
        self.assertEqual(bill["metadata"]["component"]["hashes"][0]["content"], dist.sha256(files["probity-9.tar.gz"]))
        self.assertLessEqual({"gmp", "mpfr", "flint", "libsodium", "jansson", "sqlite3"}, {p["name"] for p in bill["components"]})
        linked = subprocess.run(("ldd", self.build / "probity"), text=True, capture_output=True).stdout
        for part in bill["components"]:
            self.assertIn(part["name"].removeprefix("lib"), linked)

    def test_the_signature_holds_for_these_files_alone(self):
        probity, folder = self.build / "probity", Path(self.kept.name) / "release"
        key = Path(self.kept.name) / "key"
        subprocess.run((probity, "keygen", "-o", key), check=True, capture_output=True)
        files, _ = self.make(str(key))
        folder.mkdir()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        subprocess.run(("sha256sum", "--quiet", "-c", "SHA256SUMS"), cwd=folder, check=True)
        verify = (probity, "verify", folder / "probity-9.intoto.json", "--key", f"{key}.pub")
        self.assertEqual(subprocess.run(verify, capture_output=True).returncode, 0)
        (folder / "probity-9.tar.gz").write_bytes(files["probity-9.tar.gz"] + b"\0")
        self.assertEqual(subprocess.run(verify, capture_output=True).returncode, 1)

    def test_programs_are_in_the_sums_where_their_tests_have_passed(self):
        for path in ("web/probity.wasm", "web/verify.html", "web/loss.html", "static/aarch64/probity", "static/aarch64/probity-verify"):
            (self.out / path).parent.mkdir(parents=True, exist_ok=True)
            (self.out / path).write_text(path)
        self.assertNotIn("probity-9.wasm", self.make()[0])
        for goal in ("check-web", "check-static-aarch64"):
            passed.begin(self.root, self.out, goal)
            passed.end(self.root, self.out, goal)
        files, content = self.make()
        self.assertEqual(files["probity-9-aarch64"], b"static/aarch64/probity")
        self.assertNotIn("probity-9-x86_64", files)
        self.assertIn(f"{dist.sha256(b'web/probity.wasm')}  probity-9.wasm\n", files["SHA256SUMS"].decode())
        self.assertIn("probity-9.wasm", [subject["name"] for subject in json.loads(files["probity-9.intoto.json"])["subject"]])
        self.assertLessEqual({"make check-web", "make check-static-aarch64"}, set(content["passedTests"]))
        (self.root / "a.c").write_text("int b;\n")
        self.commit()
        self.assertNotIn("probity-9.wasm", self.make()[0])

    def test_a_bad_key_is_refused(self):
        with self.assertRaisesRegex(dist.Refused, "KEY: "):
            self.make(str(self.root / "a.c"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Release.build = Path(sys.argv.pop(1)).resolve()
    unittest.main()
