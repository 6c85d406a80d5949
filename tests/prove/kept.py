#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results that are kept: each is taken under its own key and no other.   usage: kept.py"""
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "proofs"))
sys.dont_write_bytecode = True
import cache

KEY = {"kind": "proof", "unit": "src/kernel/threshold.c", "text": "sha256:11", "options": {"wp": ("-wp-rte",), "timeout": 20},
       "tools": {"versions": {"cvc4": "1.8"}}, "driver": {"wp.py": "sha256:22"}}
RESULT = {"unit": "src/kernel/threshold.c", "text": "sha256:11", "goals": ["f_ensures_a"], "unproved": []}
OTHERS = {"unit": "src/kernel/noisy_max.c", "text": "sha256:33", "kind": "negative", "options": {"wp": (), "timeout": 20},
          "tools": {"versions": {"cvc4": "1.7"}}, "driver": {"wp.py": "sha256:44"}}


class Kept(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = Path(self.kept.name)
        cache.store(self.folder, KEY, RESULT)

    def tearDown(self):
        self.kept.cleanup()

    def test_a_result_is_found_under_its_key(self):
        self.assertEqual(cache.stored(self.folder, KEY), RESULT)
        self.assertEqual(len(list((self.folder / "units").iterdir())), 1) # no half-written file beside it
        for part, other in OTHERS.items():
            self.assertIsNone(cache.stored(self.folder, KEY | {part: other}), part)

    def test_a_copy_under_the_key_of_another_is_refused(self):
        for part, other in OTHERS.items():
            key = KEY | {part: other}
            shutil.copy(cache.place(self.folder, KEY), cache.place(self.folder, key))
            self.assertIsNone(cache.stored(self.folder, key), part)

    def test_a_result_of_another_unit_under_a_mended_key_is_refused(self):
        key = KEY | {"unit": OTHERS["unit"]}
        found = json.loads(cache.place(self.folder, KEY).read_text()) | {"key": json.loads(json.dumps(key))}
        cache.place(self.folder, key).write_text(json.dumps(found))
        self.assertIsNone(cache.stored(self.folder, key)) # the digest is that of the key before
        cache.store(self.folder, key, RESULT)
        self.assertIsNone(cache.stored(self.folder, key)) # whoever wrote it: the result names another unit

    def test_a_changed_or_broken_file_is_refused(self):
        path = cache.place(self.folder, KEY)
        text = path.read_text()
        for other in (text.replace("f_ensures_a", "f_ensures_b"), text[:-5], "", "[]", "null", '{"key": 1}',
                      json.dumps({k: v for k, v in json.loads(text).items() if k != "digest"})):
            path.write_text(other)
            self.assertIsNone(cache.stored(self.folder, KEY), other[:40])

    def test_git_leaves_the_folder_alone(self):
        (self.folder / cache.FOLDER).mkdir()
        cache.ignore(self.folder)
        self.assertEqual((self.folder / cache.FOLDER / ".gitignore").read_text(), "*\n")
        cache.ignore(self.folder / "not there") # and nothing is made


if __name__ == "__main__":
    unittest.main(verbosity=0)
