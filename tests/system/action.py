#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check of the GitHub action and of the commit hooks: what holds passes, and what does not is told at its file.

And the version in CITATION.cff and in the packages is that of the Makefile.  usage: action.py BUILD"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / ".github/actions/probity/check.py"
GOLDEN = ROOT / "tests/vectors/stlap.json"
PLAN = {"format": "probity-plan", "version": 1, "title": "t", "scope": "s", "error": "1/10", "audits": [
    {"name": "a", "claim": {"epsilon": "1/2"}, "command": "seq {n} | awk -v x={input} '{print x, $1 % 3}'", "inputs": ["3", "4"],
     "outputs": 40}]}


class Check(unittest.TestCase):
    build = None

    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.folder = Path(self.kept.name)
        (self.folder / "good.json").write_text(GOLDEN.read_text())
        (self.folder / "bad.json").write_text(GOLDEN.read_text().replace("q=40", "q=39"))

    def check(self, *words, **env):
        done = subprocess.run((CHECK, "--sarif", self.folder / "out.sarif", *words), cwd=self.folder, text=True, capture_output=True,
                              env=os.environ | {"PROBITY": str(self.build / "probity"), "GITHUB_ACTIONS": ""} | env)
        sarif = self.folder / "out.sarif"
        found = json.loads(sarif.read_text())["runs"][0]["results"] if sarif.is_file() else []
        return done, [(r["ruleId"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for r in found]

    def test_what_holds_passes(self):
        done, found = self.check("--verify", "good.json")
        self.assertEqual((done.returncode, found), (0, []), done.stderr)
        self.assertIn("1 looked at, 0 do not hold", done.stdout)

    def test_what_does_not_hold_is_told_at_its_file(self):
        done, found = self.check("--verify", "*.json", GITHUB_ACTIONS="true")
        self.assertEqual((done.returncode, found), (1, [("verify", "bad.json")]))
        self.assertIn("::error file=bad.json,line=1,title=verify::delta.hi", done.stdout)

    def test_a_pattern_without_a_match_is_refused(self):
        done, _ = self.check("--verify", "certificates/*.json")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("certificates/*.json", done.stderr)

    def test_a_key_is_required_of_all(self):
        subprocess.run((self.build / "probity", "keygen", "-o", self.folder / "key"), check=True, capture_output=True)
        done, found = self.check("--verify", "good.json", "--key", "key.pub")
        self.assertEqual((done.returncode, found), (1, [("verify", "good.json")]))

    def test_hooks_judge_files_by_their_format(self):
        (self.folder / "other.json").write_text("[1, 2]")
        (self.folder / "broken.json").write_text("{")
        (self.folder / "plan.json").write_text(json.dumps({name: PLAN[name] for name in PLAN if name != "title"}))
        done, found = self.check("good.json", "bad.json", "other.json", "broken.json", "plan.json")
        self.assertEqual(found, [("verify", "bad.json"), ("plan", "plan.json")])
        self.assertEqual(done.returncode, 1)
        self.assertIn("3 looked at, 2 do not hold", done.stdout)

    def test_plans_are_read_and_run(self):
        (self.folder / "p").mkdir()
        (self.folder / "p/plan.json").write_text(json.dumps(PLAN))
        done, found = self.check("--plan", "p/plan.json")
        self.assertEqual((done.returncode, found), (0, []), done.stderr)
        done, found = self.check("--audit", "p")
        self.assertEqual((done.returncode, found), (1, [("audit", "p/plan.json")]), done.stderr)
        self.assertTrue((self.folder / "p/dossier.json").is_file())

    def test_a_folder_without_a_mechanism_is_refused(self):
        done, found = self.check("--prove", ".")
        self.assertEqual((done.returncode, found), (2, [("prove", "prove.toml")]))

    def test_every_package_has_the_version(self):
        version = re.search(r"^VERSION +:= (\S+)", (ROOT / "Makefile").read_text(), re.M)[1]
        self.assertIn(f"\nversion: {version}\n", (ROOT / "CITATION.cff").read_text())
        self.assertIn(f"probity ({version.replace('-', '~', 1)}-", (ROOT / "docs/packaging/debian/changelog").read_text())
        self.assertIn(f'{{% set version = "{version}" %}}', (ROOT / "docs/packaging/conda/meta.yaml").read_text())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Check.build = Path(sys.argv.pop(1)).resolve()
    unittest.main()
