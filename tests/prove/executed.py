#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Contracts that run (proofs/contracts.py), on small functions: what is right passes, and each wrong body is found by the clause
that it breaks. Neither Frama-C nor the library is needed: the normal form is written out here."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "proofs"))
import acsl # noqa: E402
import contracts # noqa: E402

TOY = r"""
/*@ logic integer Sum{L}(int64_t *x, integer n) = \at(n <= 0? 0: Sum(x, n - 1) + *(x + (n - 1)),L); */
/*@ predicate Same{A, B}(int64_t *a, integer from, integer to) =
  \forall integer i; from <= i < to ==> \at(*(a + i),A) == \at(*(a + i),B); */
/*@ predicate Part(int64_t *x, integer n, integer i) = 0 <= i < n && *(x + i) == 7; */
/*@ logic integer Words= 18446744073709551616; */
/*@ requires some: 0 < n < Words;
    requires place: \valid(y + (0 .. n - 1)) && *(y + 0) != 99;
    requires apart: \separated(y + (0 .. n - 1), x + (0 .. n - 1));
    requires valid: \valid_read(x + (0 .. n - 1));
    terminates \true;
    ensures total: \result == Sum{Pre}(\old(x), \old(n));
    ensures rest: Same{Pre, Here}(\old(y), 1, \old(n));
    ensures first: *(\old(y) + 0) == \old(*(y + 0)) + 1;
    assigns *(y + 0);
    
    behavior seven:
      assumes seven: \exists integer i; Part(x, n, i);
      ensures at_least: \forall integer i, integer j; 0 <= i < j < \old(n) ==> *(\old(x) + i) <= *(\old(x) + j);
    
    behavior none:
      assumes none: \forall integer i; 0 <= i < n ==> *(x + i) != 7;
      ensures less: \result < 1000 && \max(1, \result) >= 1;
    
    complete behaviors none, seven;
    disjoint behaviors none, seven;
 */
int64_t toy(int64_t *y, int64_t const *x, size_t n)
{
}
"""
BODY = "int64_t s = 0; for (size_t i = 0; i < n; i++) s += x[i]; y[0]++; return s;"
MAIN = "int64_t y[] = {1, 2, 3}, x[] = {4, 5, 6}; toy(y, x, 3); x[1] = 7; x[2] = 8; toy(y, x, 3);"


class Executed(unittest.TestCase):
    def run_toy(self, body=BODY, main=MAIN):
        clauses = []
        code, functions = contracts.checks(TOY, "toy.h", clauses)
        self.assertEqual(functions, ["toy"])
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            (here / "toy.h").write_text("#include <stddef.h>\n#include <stdint.h>\nint64_t toy(int64_t *y, int64_t const *x, size_t n);\n")
            (here / "checks.c").write_text(code)
            (here / "toy.c").write_text(f'#include "toy.h"\nint64_t toy(int64_t *y, int64_t const *x, size_t n) {{ {body} }}\n')
            (here / "main.c").write_text(f'#include "toy.h"\nint main(void) {{ {main} return 0; }}\n')
            subprocess.run(["gcc", "-std=gnu11", "-w", "-O1", f"-DCLAUSES={len(clauses)}", f"-I{here}", f"-I{ROOT}", "-Wl,--wrap=toy", "-o", here / "toy",
                            *(here / name for name in ("checks.c", "toy.c", "main.c"))], check=True)
            done = subprocess.run([here / "toy"], text=True, capture_output=True)
        return done.stderr.strip(), clauses

    def found(self, clause, **more):
        self.assertEqual(self.run_toy(**more)[0], f"contracts: toy: does not hold: {clause}")

    def test_right(self):
        said, clauses = self.run_toy()
        self.assertEqual(said, "")
        self.assertEqual([c[0] for c in clauses if not c[2]], ["toy: requires valid", "toy: terminates \\true;"])

    def test_wrong_bodies(self):
        self.found("ensures total", body=BODY.replace("i < n", "i + 1 < n"))
        self.found("ensures first", body=BODY.replace("y[0]++", "y[0] += 2"))
        self.found("assigns", body=BODY.replace("y[0]++", "y[0]++; y[2]++"))
        self.found("assigns", body=BODY.replace("y[0]++", "y[0]++; ((int64_t *)x)[2]++"))

    def test_wrong_calls(self):
        self.found("requires some", main=MAIN.replace("toy(y, x, 3);", "toy(y, x, 0);"))
        self.found("requires place", main=MAIN.replace("{1, 2, 3}", "{99, 2, 3}"))
        self.found("requires apart", main=MAIN.replace("toy(y, x, 3)", "toy(x, x + 1, 2)"))

    def test_behaviours(self):
        self.found("ensures at_least (seven)", main=MAIN.replace("x[2] = 8", "x[2] = 6"))
        self.found("ensures less (none)", main=MAIN.replace("{4, 5, 6}", "{4, 5, 1000}"))

    def test_what_is_not_read(self):
        for text in (r"\forall int64_t i; i < 3", "a @ b", r"x == \nonsense(1", "1 +"):
            with self.assertRaises(acsl.Unreadable):
                acsl.read(text)

    def test_precedence(self):
        self.assertEqual(acsl.read("a ==> b ==> c"), acsl.read("a ==> (b ==> c)"))
        self.assertEqual(acsl.read("a && b || c ==> d? 1: 2"), acsl.read("(((a && b) || c) ==> d) ? 1 : 2"))
        self.assertEqual(acsl.read("1 + 2 * 3 - 4"), acsl.read("(1 + (2 * 3)) - 4"))
        self.assertEqual(acsl.read("0 <= i < n && p"), acsl.read("(0 <= i < n) && p"))


if __name__ == "__main__":
    unittest.main()
