#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The driver of probity prove as far as it needs no prover: prove.toml, init, what is written and proved, tricks that are
refused by reading, counterexamples on the compiled code, and the answers on a recorded result.   usage: check.py PROBITY"""
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as xml
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "proofs"))
sys.dont_write_bytecode = True
import answers
import built
import cache
import counterexample
import foreign
import handover
import linked
import logic
import operators
import receipt
import settings
import shapes
import statement
import text
import tree
from stage import Stage

PROBITY = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "probity"
EXAMPLES = ROOT / "docs/prove"
SHAPES = ("histogram", "select", "gate", "local")


class Case(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = Path(self.kept.name)

    def tearDown(self):
        self.kept.cleanup()

    def write(self, shape="local", **edits):
        """A folder of a shape, with texts replaced: {file: (old, new)}, or a new file: text."""
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            shutil.rmtree("mine", ignore_errors=True)
            with contextlib.redirect_stdout(io.StringIO()):
                shapes.init(["mine", "--shape", shape])
        finally:
            os.chdir(here)
        for file, edit in edits.items():
            path = self.folder / "mine" / {"toml": "prove.toml", "header": "mine.h", "code": "mine.c", "align": "align.c"}.get(file, file)
            if isinstance(edit, str):
                path.write_text(edit)
            else:
                self.assertIn(edit[0], path.read_text())
                path.write_text(path.read_text().replace(*edit))
        return self.folder / "mine"

    def stage(self, folder):
        scratch = self.folder / "stage"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        return Stage(ROOT, settings.load(folder), scratch)


class Settings(Case):
    def test_examples_are_read(self):
        found = {p.name: settings.load(p) for p in EXAMPLES.iterdir() if p.is_dir()}
        self.assertEqual(statement.epsilon(found["count"]), Fraction(1, 2))
        self.assertEqual(statement.epsilon(found["best"]), Fraction(1, 2))
        self.assertEqual(statement.epsilon(found["price"]), Fraction(1, 2))
        self.assertEqual((found["join"].fails, found["join"].entries, found["join"].public), (39, 1, {"threshold": 40}))

    def test_bad_files_are_refused_with_the_place(self):
        for edit, said in (
                (('call = "a = mine(x, z)"', 'call = "mine(x, z)"'), "mechanism.call"),
                (('call = "a = mine(x, z)"', 'call = "a = mine(x, x, z)"'), "one x"),
                (('call = "a = mine(x, z)"', 'call = "a = mine(x, y, z)"'), "none of y, w, b"),
                (('call = "a = mine(x, z)"', 'call = "a = other(x, z)"'), "mechanism.name"),
                (('call = "a = mine(x, z)"', 'call = "a = mine(x[m], z)"'), "the length of x"),
                (('call = "a = mine(x, z)"', 'call = "a = mine(x[010], z)"'), "the length of x"),
                (('units = ["mine.c"]', 'units = []'), "mechanism.units"),
                (('units = ["mine.c"]', 'units = ["../mine.c"]'), "below the folder"),
                (('units = ["mine.c"]', 'units = ["acsl/mine.c"]'), "the library's"),
                (('units = ["mine.c"]', 'units = ["none.c"]'), "a C file that is there"),
                *((('units = ["mine.c"]', f'units = ["{name}"]'), "letters, digits and _")
                  for name in ("@mine.c", "-Dx=y.c", "a b.c", 'a\\".c', "a/-o.c", "a/.b.c", "\u00e4.c")),
                (('law = "geometric"', 'law = "gauss"'), "noise.law"),
                (('rate = "1/100"', 'rate = "0"'), "noise.rate"),
                (('rate = "1/100"', 'rate = "x"'), "a rational"),
                (("cost = 100", "cost = -1"), "privacy.cost"),
                (("cost = 100", 'cost = "2 * d"'), "privacy.cost"),
                (("cost = 100", "cost = 100\nfails = 0"), "privacy.fails"),
                (("cost = 100", "cost = 100\nprice = 1"), "key of [privacy]"),
                (("[trust]", "[trusted]"), "table"),
                (("x = 3\n", ""), "[witness]"),
                (("x = 3\n", 'x = "system(0);"\n'), "witness.x"),
                (('inverse = "w -', 'inverse = "z + w - w -'), "'z'"),
                (('inverse = "w -', 'inverse = "\\\\at(w, Pre) -'), "privacy.inverse"),
                (('neighbours = "\\\\true"', 'neighbours = "\\\\true; ensures \\\\false"'), "privacy.neighbours"),
                (('neighbours = "\\\\true"', 'neighbours = "z == 0"'), "privacy.neighbours"),
                (('inverse = "w -', 'inverse = "w) || (0 == 0) || (w -'), "closes what it opens"),
                (('inverse = "w -', 'inverse = "w - (0 ..z) -'), "without a range"),
                (('neighbours = "\\\\true"', 'neighbours = "(\\\\forall integer k, z; \\\\true) && z == 0"'), "another name than z"),
                (('neighbours = "\\\\true"', 'neighbours = "\\\\valid(w)"'), "privacy.neighbours"),
                (("[mechanism]", "[mechanism"), "not TOML")):
            folder = self.write(toml=edit)
            with self.assertRaises(settings.Bad, msg=edit[1]) as caught:
                self.stage(folder)
            self.assertIn(said, str(caught.exception))

    def copied(self, name, *edits):
        """An example, with texts replaced: (file, old, new)."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(EXAMPLES / name, folder)
        for file, old, new in edits:
            self.assertIn(old, (folder / file).read_text())
            (folder / file).write_text((folder / file).read_text().replace(old, new))
        return folder

    def refused(self, said, name, *edits):
        with self.assertRaisesRegex(settings.Bad, said, msg=str(edits)):
            self.stage(self.copied(name, *edits)).statement.text()

    def test_public_arrays(self):
        said = self.stage(EXAMPLES / "price").statement.text()
        for line in (r"requires valid: \valid_read(price + (0 .. k - 1));", r"\separated(w, a, b, price + (0 .. k - 1))", "const int64_t *price, size_t k",
                     "const int64_t price[3] = {1, 4, 10};"):
            self.assertIn(line, said)
        self.assertIn("for every price and k", statement.words(settings.load(EXAMPLES / "price"), "0", []))
        toml = "prove.toml"
        self.refused("may be written", "price", *((f, "const int64_t *price", "int64_t *price") for f in ("price.h", "price.c", "align.c")))
        self.refused("an array of struct tag, expected one of numbers", "price", ("price.h", "#define", "struct tag {\n    int64_t k;\n};\n#define"),
                     *((f, "const int64_t *price", "const struct tag *price") for f in ("price.h", "price.c", "align.c")))
        self.refused("public.price.*an array may have any", "price", (toml, "[witness]", "[public]\nprice = 3\n\n[witness]"))
        self.refused("a public number, or a public array", "price", (toml, "price[k], k, z", "*price, k, z"))
        self.refused("and no array", "price", (toml, "price[k], k, z", "price[k], k[price], z"))
        self.refused("expected price = ...", "price", (toml, 'price = "{1, 4, 10}"\n', ""))
        self.refused("'price' of mechanism.call is a pointer", "price", (toml, "price[k], k, z", "price, k, z"))

    def test_two_rates(self):
        found = settings.load(EXAMPLES / "visit")
        self.assertEqual(found.second, (1, Fraction(1, 20), 10))
        self.assertEqual(statement.epsilon(found), 1)
        self.assertIn("rate 1/2 before z[1] and of rate 1/20 from there on", statement.words(found, "0", []))
        self.assertIn("shift_cost_two", statement.said(found, "0", [])["theorems"])
        self.assertNotIn("second", statement.said(settings.load(EXAMPLES / "count"), "0", []))
        written = self.stage(EXAMPLES / "visit").statement.text()
        self.assertIn("assert cost: Distance(z, w, 1) <= 1;", written)
        self.assertIn("assert cost_second: Distance(z, w, 2) - Distance(z, w, 1) <= 10;", written)
        toml = "prove.toml"
        for said, old, new in (("together", 'second_rate = "1/20"\n', ""), ("together", "second_cost = 10 ", "# "),
                               ("inside of z", "second_from = 1", "second_from = 0"), ("inside of z", "second_from = 1", "second_from = 2"),
                               ("inside of z", "z[2])", "z)"), ("at least 1/", 'second_rate = "1/20"', 'second_rate = "-1"'),
                               ("a rational", 'second_rate = "1/20"', 'second_rate = "fast"'), ("from 0 on", "second_cost = 10 ", "second_cost = \"0 - 1\" "),
                               ("geometric noise", 'law = "geometric"', 'law = "one-sided"'), ("no privacy.fails", "cost = 1 ", "fails = 3\ncost = 1 ")):
            self.refused(said, "visit", (toml, old, new))

    def test_failures_of_many_draws_need_their_number(self):
        folder = self.write("histogram", toml=("cost = 1 ", "fails = 9\ncost = 1 "))
        with self.assertRaisesRegex(settings.Bad, "each of the n draws"):
            settings.load(folder)
        text = (folder / "prove.toml").read_text()
        for count, said in ((2, None), (0, "at least one draw"), (-3, "at least one draw")):
            (folder / "prove.toml").write_text(text.replace("\nn = 2\n", "\n").replace("[trust]", f"[public]\nn = {count}\n[trust]"))
            if said is None:
                self.assertEqual(settings.load(folder).entries, 2)
            else:
                with self.assertRaisesRegex(settings.Bad, said):
                    settings.load(folder)


class Command(Case):
    def run_with(self, *words, env=None):
        done = subprocess.run((PROBITY, "prove", *map(str, words)), cwd=self.folder, text=True, capture_output=True, env=env)
        return done.returncode, done.stdout, done.stderr

    def test_init_writes_whole_folders_and_never_over_one(self):
        for shape in SHAPES:
            status, out, _ = self.run_with("init", f"my_{shape}", "--shape", shape)
            self.assertEqual(status, 0)
            for path in (f"my_{shape}.c", f"my_{shape}.h", "align.c", "prove.toml", ".github/workflows/prove.yml"):
                self.assertIn(path, out)
                self.assertNotIn("NAME", (self.folder / f"my_{shape}" / path).read_text())
            status, out, _ = self.run_with(f"my_{shape}", "--show")
            self.assertEqual(status, 0)
            self.assertIn(f"align_my_{shape}(x, y, z, w", out)
            harness = (self.folder / f"my_{shape}" / "align.c").read_text()
            for clause in ("first", "second", "same", "injective", "cost", *(["fails"] if shape == "gate" else [])):
                self.assertIn(f"ensures {clause}:", harness)
        for words in (("init", "my_gate"), ("init", "while"), ("init", "a/b"), ("init", "fresh", "--shape", "round")):
            status, _, said = self.run_with(*words)
            self.assertEqual((status, said.count("\n")), (2, 1), said)

    def test_the_workflow_stands_where_github_reads_it(self):
        (self.folder / ".git").mkdir()
        (self.folder / "in side").mkdir()
        done = subprocess.run((PROBITY, "prove", "init", "visits"), cwd=self.folder / "in side", text=True, capture_output=True)
        self.assertEqual((done.returncode, "../.github/workflows/prove-visits.yml" in done.stdout), (0, True), done.stderr)
        text = (self.folder / ".github/workflows/prove-visits.yml").read_text()
        self.assertIn("probity prove 'in side/visits' --cache", text)
        for said in ("make -C /opt/probity install", "prove.xml", "upload-artifact", "sarif_file: prove.sarif"):
            self.assertIn(said, text)
        self.assertNotIn("FOLDER", text)
        done = subprocess.run((PROBITY, "prove", "init", "visits"), cwd=self.folder, text=True, capture_output=True)
        self.assertEqual((done.returncode, (self.folder / "visits").exists()), (2, False)) # nothing is written over, and nothing by halves

    def test_status_two_for_a_bad_folder_and_three_for_a_missing_tool(self):
        status, _, said = self.run_with(self.folder)
        self.assertEqual((status, "prove.toml" in said), (2, True))
        (self.folder / "bin").mkdir()
        os.symlink(sys.executable, self.folder / "bin/python3")
        status, _, said = self.run_with(self.write(), env=os.environ | {"PATH": str(self.folder / "bin"),
                                                                  "XDG_CACHE_HOME": str(self.folder / "cache")})
        self.assertEqual(status, 3, said)
        for package in ("frama-c-base", "why3", "cvc4", "z3", "gcc"):
            self.assertIn(package, said)

    def test_usage_is_refused(self):
        for words in (("--jobs", "0"), ("--sign", "k"), ("--timeout", "x"), ("--key", "k"), ("sign", "r"), ("--cache", "c", "--no-cache")):
            self.assertEqual(self.run_with(*words)[0], 2, words)


class Built(Case):
    """That an object is what the compiler makes of the text, and that a library holds it."""

    def cc(self, *words, env=None):
        subprocess.run(("gcc", *map(str, words)), check=True, env=env)

    def objects(self, source, *flags):
        """Returns the objections to an object that was compiled so."""
        stage = self.stage(self.write())
        text, out, scratch = (self.folder / name for name in ("text", "out", "scratch"))
        for folder in (out, scratch):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        handover.write(stage, text)
        self.cc(f"@{text / 'flags'}", *flags, "-c", source(stage, text), "-o", out / "mine.o")
        return list(handover.problems(stage, out, "gcc", ["-O2", "-g"], scratch))

    def test_an_object_of_the_text_is_known(self):
        of_text = lambda stage, text: text / "mine.i"
        self.assertEqual(self.objects(of_text, "-O2", "-g"), [])
        self.assertEqual(self.objects(of_text, "-O2", "-g", "-Dclamped=x", "-include", "stdio.h"), []) # no macro reaches a text
        for flags in (("-O1", "-g"), ("-O2", "-g", "-fstrict-aliasing"), ("-O2", "-g", "-fwrapv"), ("-O2",)):
            self.assertIn("mine.o: built by", self.objects(of_text, *flags)[0])

        def changed(_, text):
            (text / "other.i").write_text((text / "mine.i").read_text().replace("return clamped + z", "return x + z"))
            return text / "other.i"
        self.assertIn("is not what the compiler makes of the text", self.objects(changed, "-O2", "-g")[0])

    def test_the_text_has_no_header_of_a_system(self):
        stage = self.stage(self.write())
        for name, said in handover.texts(stage).items():
            self.assertEqual(text.read_files(said), {"mine.c", "mine.h"}, name)
            self.assertNotIn("/usr", said)
            self.assertEqual((said.count("x < TOP"), said.count("x < 100")), (0, 2)) # in contracts too
        environment = os.environ.get("CPATH")
        os.environ["CPATH"] = str(self.folder)
        (self.folder / "stdint.h").write_text("typedef int int64_t;\n")
        try:
            self.assertEqual(handover.texts(stage), {"mine.c": said})
        finally:
            os.environ.pop("CPATH") if environment is None else os.environ.update(CPATH=environment)

    def test_tools_and_their_surroundings_are_not_the_tree_s(self):
        before = dict(os.environ)
        os.environ.update(PATH=f"evil:{ROOT}/evil:{self.folder}:/usr/bin", LD_PRELOAD="evil.so", FRAMAC_SHARE="evil", CPATH="evil")
        try:
            clean = text.clean()
        finally:
            os.environ.clear()
            os.environ.update(before)
        self.assertEqual(clean["PATH"], f"{self.folder}:/usr/bin")
        self.assertEqual(set(clean) - {"TMPDIR"}, {"PATH", "LC_ALL", "CCACHE_DISABLE"})

    def test_a_compiler_brings_no_flags(self):
        for cc in ("gcc", "ccache gcc", "/usr/bin/ccache /usr/bin/gcc", "clang"):
            self.assertEqual(built.compiler(cc), cc.split()[-1])
        for cc in ("gcc -x c -DX=Y", "gcc -fwrapv", "sh evil.sh gcc", "env X=Y gcc", "", "ccache", f"{ROOT}/tests/system/need.sh"):
            self.assertIsNone(built.compiler(cc), cc)
        with self.assertRaisesRegex(settings.Bad, "a compiler without flags"):
            list(handover.problems(self.stage(self.write()), self.folder, "gcc -x c", [], self.folder))

    def test_flags_that_change_a_meaning_are_refused(self):
        handover.check_flags("-O3 -g -fPIC -march=x86-64 -Wall -Wno-unused -ffunction-sections".split())
        for word in ("-DX", "-include", "-Wp,-DX", "-fwrapv", "-fstrict-aliasing", "-ffast-math", "-I.", "evil.c", "-Os2", "@flags"):
            with self.assertRaises(settings.Bad, msg=word):
                handover.check_flags([word])

    def test_a_library_holds_the_object_and_no_other(self):
        out = self.folder / "build/obj/src/kernel"
        out.mkdir(parents=True)
        (self.folder / "one.c").write_text("int pby_one(void);\nint pby_one(void)\n{\n    return 1;\n}\n")
        (self.folder / "two.c").write_text("int pby_one(void);\nint pby_one(void)\n{\n    return 2;\n}\n")
        self.cc("-c", self.folder / "one.c", "-o", out / "one.o")
        self.cc("-c", self.folder / "two.c", "-o", self.folder / "two.o")
        library = self.folder / "build/libprobity.a"
        for objects, said in (((out / "one.o",), None), ((self.folder / "two.o",), "does not hold"), ((self.folder / "two.o", out / "one.o"), "defined twice")):
            library.unlink(missing_ok=True)
            subprocess.run(("ar", "rcs", str(library), *map(str, objects)), check=True)
            found = list(built.archive(self.folder, "build", ["src/kernel/one.c"]))
            self.assertEqual([said in line for line in found], [True] if said else [], found)


    def test_what_is_linked_calls_the_functions_that_were_judged(self):
        out = self.folder / "build/obj/src/kernel"
        out.mkdir(parents=True)
        sources = {"one": "int pby_two(int);\nint pby_one(int);\nint pby_one(int x)\n{\n    return pby_two(x) + 1;\n}\n",
                   "two": "int pby_two(int);\nint pby_two(int x)\n{\n    return 2 * x;\n}\n",
                   "caller": "int pby_one(int);\nint main(int n, char **v)\n{\n    (void)v;\n    return pby_one(n);\n}\n",
                   "other": "int pby_two(int);\nint pby_two(int x)\n{\n    return 3 * x;\n}\n",
                   "wrapped": "int __wrap_pby_one(int);\nint __wrap_pby_one(int x)\n{\n    return x;\n}\n",
                   "evil": "int evil(int);\nint evil(int x)\n{\n    return x;\n}\n"}
        at = {name: out / f"{name}.o" for name in sources}
        for name, text in sources.items():
            (self.folder / f"{name}.c").write_text(text)
            self.cc("-O2", "-fPIC", "-c", self.folder / f"{name}.c", "-o", at[name])
            self.cc("-O2", "-fPIC", "-flto", "-c", self.folder / f"{name}.c", "-o", self.folder / f"{name}-lto.o")
        lto = {name: self.folder / f"{name}-lto.o" for name in sources}
        wrong = "is not the function that was proved"
        for words, said in (((at["caller"], at["one"], at["two"]), None),
                            ((lto["caller"], at["one"], at["two"], "-flto"), None),
                            ((at["caller"], at["one"], at["other"]), wrong),
                            ((at["caller"], at["one"], at["two"], at["wrapped"], "-Wl,--wrap=pby_one"), "a linker was asked"),
                            ((lto["caller"], at["one"], at["two"], lto["wrapped"], "-flto", "-Wl,--wrap=pby_one"), "a linker was asked"),
                            ((at["caller"], at["one"], at["evil"], "-Wl,--defsym=pby_two=evil"), "pby_two"),
                            ((at["caller"], at["one"], at["two"], "-s"), "stands there 0 times")):
            self.cc(*words, "-o", self.folder / "build/probity")
            found = list(linked.problems(self.folder, "build", ["src/kernel/one.c", "src/kernel/two.c"], built.target))
            self.assertEqual(any(said in line for line in found) if said else not found, True, f"{words}: {found}")


class Tricks(Case):
    """Tricks by which a mechanism might try to pass, and which reading alone refuses. proofs/tricks.py has the others."""

    def objections(self, **edits):
        try:
            return list(self.stage(self.write(**edits)).problems())
        except settings.Bad as error:
            return [str(error)]

    def test_shapes_and_examples_have_nothing_to_object_to(self):
        for shape in SHAPES:
            self.assertEqual(list(self.stage(self.write(shape)).problems()), [])
        for folder in EXAMPLES.iterdir():
            if folder.is_dir():
                self.assertEqual(list(self.stage(folder).problems()), [], folder)

    def test_each_is_refused(self):
        top = '#include "mine.h"\n'
        for edits, said in (
                ({"code": (top, top + "#ifdef __FRAMAC__\n#define LEAK 0\n#endif\n")}, "not a directive"),
                ({"code": ("clamped + z", "clamped + __FRAMAC__ * z")}, "__FRAMAC__"),
                ({"code": (top, top + "#define w z\n")}, "not a directive"),
                ({"header": ("#define TOP 100", "#define TOP 100\n#define INT64_MAX 5")}, "a macro of a word"),
                ({"header": ("/*@ logic", "/*@ axiomatic Free { axiom free: \\false; }\n*/\n/*@ logic")}, "axiom"),
                ({"align": ("    *b =", "    /*@ admit \\false; */\n    *b =")}, "admit"),
                ({"align": (" *a = mine", " /*@ loop pragma UNROLL 3; */ *a = mine")}, "pragma"),
                ({"code": (top, top + "__attribute__((weak)) int q;\n")}, "__attribute__"),
                ({"code": ("return", "__builtin_unreachable(); return")}, "__builtin_unreachable"),
                ({"code": ("return", "__asm__(\"\"); return")}, "__asm__"),
                ({"code": (top, '#include "other.h"\n'), "other.h": "#ifndef O\n#define O\n/*@ logic integer Topped(integer x) = x;\n*/\n#endif\n"},
                 "Topped is defined twice"),
                ({"code": (top, '#include "other.h"\n'), "other.h": "#ifndef O\n#define O\n#define TOP 7\n#endif\n"}, "TOP is defined twice"),
                ({"code": (top, top + "typedef int int64_t;\n")}, "int64_t is a word of the library"),
                ({"header": ("/*@ logic", "/*@ logic integer Apart(integer a, integer b) = 0;\n*/\n/*@ logic")}, "Apart is a word of the library"),
                ({"header": ("/*@ logic", "/*@ logic integer Distance(int64_t *a, int64_t *b, size_t n) = 0;\n*/\n/*@ logic")},
                 "Distance is a word of the library"),
                ({"code": (top, '#include <stdlib.h>\n' + top)}, "not a directive"),
                ({"code": (top, '#include "none.h"\n' + top)}, "not found"),
                ({"code": ("int64_t mine", "int64_t \\\nmine")}, "spelt in another way"),
                ({"align": ("int64_t *b)", "int64_t *b, int64_t copy)")}, "expected x, y, z, w"),
                ({"header": ("#define TOP 100", "#define TOP 100\n#define ZZ z")}, "not a constant"),
                ({"header": ("#define TOP 100", "#define TOP 100\n#define FREE ) || (0 == 0")}, "not a constant"),
                ({"header": ("#define TOP 100", "#define TOP 100\n/**/ #define Apart(p, q) 0")}, "not a directive"),
                ({"header": ("/*@ logic", "/*@\n#define TOP 7\nlogic")}, "a directive in an annotation"),
                ({"code": ("    return", "    /*@ assert no_wp: \\false; */\n    return")}, "no_wp"),
                ({"code": ("    return", "    /*@ ghost\n      /@ loop assigns \\nothing;\n         loop variant 0 for Any; @/\n      while (x > TOP) {} */\n    return")},
                 "a relation of its own"),
                ({"header": ("/*@ logic", "/*@ logic integer Odd(integer k) = k <= 0 ? 0 : (\\let k = k + 1; Odd(k - 1) + 1);\n*/\n/*@ logic")}, "\\let"),
                ({"header": ("/*@ logic", "/*@ inductive Odd(integer k) { case c: \\false; }\n*/\n/*@ logic")}, "inductive"),
                ({"header": ("/*@ logic", "/*@ predicate Quiet(integer k) = \\forall int64_t *p; *p == 0;\n*/\n/*@ logic")}, "a quantifier over"),
                ({"code": ("    return", "    //@ assert t: \\true;\r admit \\false;\n    return")}, "spelt in another way"),
                ({"code": (top, top + "/* \0 */\n")}, "spelt in another way"),
                ({"code": (top, top + "static const char mark[] = \"/*\";\n")}, "a text in quotes"),
                ({"code": (top, top + "static const int64_t *mode;\n")}, "points elsewhere"),
                ({"code": (top, top + "const int64_t mode;\n")}, "without a value"),
                ({"code": (top, top + "static const int64_t odd = ((3);\n")}, "not understood"),
                ({"code": ("    return", "    /* //@ */ /*@\n        assert no_wp: \\false; */\n    return")}, "no_wp"),
                ({"code": ("    return", "    static const int64_t *mode;\n    return")}, "points elsewhere"),
                ({"code": (top, top + "static int64_t (*hook)(int64_t k);\n")}, "a pointer to a function"),
                ({"code": (top, top + "struct bits {\n    int k : 3;\n};\n")}, "some bits"),
                ({"code": ("int64_t mine(int64_t x", "inline int64_t mine(int64_t x")}, "inline, and not static"),
                ({"code": ("int64_t mine(int64_t x, int64_t z)", "int64_t mine(int64_t z, int64_t x)")}, "declared with other parameters"),
                ({"code": ("int64_t mine(int64_t x, int64_t z)\n{", "int64_t mine(z, x)\nint64_t x;\nint64_t z;\n{")}, "no types"),
                ({"code": (top, "typedef int int64_t, other;\n" + top)}, "int64_t is a word of the library"),
                ({"code": (top, top + "enum { LEAST = 1 };\n"), "align": ('#include "mine.h"\n', '#include "mine.h"\nenum { LEAST = 2 };\n')}, "LEAST is defined twice"),
                ({"code": (top, top + "int64_t const least = 1;\n"), "align": ('#include "mine.h"\n', '#include "mine.h"\nint64_t const least = 2;\n')},
                 "least is defined twice"),
                ({"code": (top, top + "typedef struct {\n    int64_t p;\n} row;\n"), "align": ('#include "mine.h"\n', '#include "mine.h"\ntypedef struct {\n    int64_t q;\n} row;\n')},
                 "row is defined twice"),
                ({"code": (top, '#include "limits.h"\n' + top), "limits.h": "#ifndef L\n#define L\n#define INT_MAX 7\n#endif\n"}, "one of the system's"),
                ({"align": ("/*@ requires place", "/*@ requires quiet: z == -7; */\nint private_mine(int64_t z);\n\n/*@ requires place")}, "a function of the statement"),
                ({"toml": ("[trust]", "[public]\nq = 1\n[trust]")}, "public"),
                ({"code": ("int64_t mine(int64_t x, int64_t z)", "int64_t mine(int64_t x, int32_t z)"),
                  "header": ("int64_t mine(int64_t x, int64_t z)", "int64_t mine(int64_t x, int32_t z)")}, "expected int64_t")):
            found = self.objections(**edits)
            self.assertTrue(any(said in line for line in found), (said, found))

    def judged(self, text):
        return list(tree.objections("a.c", text))

    def test_order_of_evaluation_is_not_left_open(self):
        writers = ("static long take(long *k)\n{\n    return (*k)++;\n}\n", "typedef long *cell;\nstatic long take(cell k)\n{\n    return (*k)++;\n}\n",
                   "static long take(long k[1])\n{\n    return k[0]++;\n}\n")
        rest = "struct holder { long *p; };\nlong get(const struct holder *t);\nlong put(const struct holder *t, long v);\nlong f(long a, long b);\nlong of(const long *p);\n"
        for said, is_open in (("f(take(&k), take(&k))", True), ("f(k, take(&k))", True), ("k + take(&k)", True), ("x[i++] + i", True), ("i = i++", True),
                              ("x[k] = take(&k)", True), ("i = j = 0", False), ("const long r = take(&k)", False), ("*w = take(&k)", False), ("x[i++] = z[i]", True),
                              ("x[i++] = z[j]", False), ("*w = *a - f(j, 0)", False), ("i += x[j] <= 3", False), ("f(get(t), put(t, j))", True),
                              ("f(of(x), of(z))", False), ("f(of(x), take(x))", True), ("x[0] += take(x)", True), ("i = take(x) && x[0]", False),
                              ("i = (take(x), x[0])", False), ("const long r[2] = {take(&k), take(&k)}", True), ("i = (j = 2) + j", True), ("*w = (*a = 3)", True)):
            for writer in writers:
                text = writer + rest + "void g(long *x, const long *z, long *w, long *a, const struct holder *t)\n{\n    long k = 0, i = 0, j = 0;\n    " + said + ";\n}\n"
                found = self.judged(text)
                self.assertEqual(["the order of evaluation is open" in line for line in found], [True] * int(is_open), (said, writer, found))
                self.assertEqual(len(self.judged(text.replace("    " + said, "    for (long m = 0; m < 2; m++)\n        if (m > 0) {" + said + ";}"))), int(is_open), said)

    def test_where_objects_lie_decides_nothing(self):
        body = "struct s { long *p; };\nlong *h(long *p);\nlong g(long *p, const long *q, struct s *s, long **t, long n)\n{\n    long v[2] = {0};\n    return %s;\n}\n"
        for said, is_known in (("p == q", False), ("p + 1 == v", False), ("n * (&v[0] < q)", False), ("p - q", False), ("s->p >= t[1]", False), ("h(p) != q", False),
                               ("(n ? p : q) == v", False), ("(n++, p) <= q", False), ("p == 0", True), ("n * !p", True), ("p[0] == q[0]", True), ("*s->p - **t", True), ("*(p - 1)", True)):
            found = self.judged(body % said)
            self.assertEqual(["two pointers compared" in line for line in found], [] if is_known else [True], (said, found))

    def test_no_case_steps_over_a_declaration(self):
        for said, what in (("case 1: return 2; case 2: case 3: { int v = 1; return v; } default: break;", None), ("int v = 0; case 1: return v;", "a declaration that a case"),
                           ("case 0: n = 1; int v = 0; case 1: return v;", "a declaration that a case"), ("case 0: switch (n) { case 1: return 2; }", None),
                           ("case 0: while (n) { int v = 1; case 1: return v; }", "a case inside of another"), ("case 0: { default: n = 1; }", "a case inside of another")):
            found = self.judged("int g(int n)\n{\n    switch (n) { " + said + " }\n    return 0;\n}\n")
            self.assertEqual([what in line for line in found] if what else found, [True] if what else [], (said, found))
        self.assertIn("calls by itself", self.judged("int memset(int a)\n{\n    return a;\n}\n")[0])

    def test_pointers_keep_their_type(self):
        body = "typedef long int64_t;\ntypedef int64_t *cell;\nstruct s { int64_t v[2]; };\nint64_t g(int64_t *p, const int64_t *q, struct s *s, int64_t n)\n{\n    return %s;\n}\n"
        for said, what in (("*(long long *)p", "a cast of a pointer"), ("*(int64_t *)q", "a cast of a pointer"), ("(int64_t)p", "a cast of a pointer"),
                           ("*(cell)q", "a cast of a pointer"), ("(int64_t)(p + n)", "a cast of a pointer"), ("(int64_t)s->v", "a cast of a pointer"),
                           ("(int64_t)&n", "a cast of a pointer"), ("(int)*p + (int)q[1] + (int)s->v[0] + *(p + n)", None)):
            found = self.judged(body % said)
            self.assertEqual([what in line for line in found] if what else found, [True] if what else [], (said, found))
        for said, what in (("long f(long *restrict p);", "restrict"), ("long f(long p[restrict 2]);", "restrict"), ("void *f(long p);", "a pointer to void"),
                           ("struct h { void const *p; };", "a pointer to void"), ("union u { long a; int b; };", "a union"), ("long (*f)(long);", "a pointer to a function"),
                           ("struct b { int k : 3; };", "some bits"), ("long f(long *p) { goto on; on: return 1; }", "not judged"), ("long f(long @);", "not understood")):
            found = self.judged(said)
            self.assertTrue(any(what in line for line in found), (said, found))

    def test_a_variable_has_a_value_from_the_start(self):
        for said, found in (("long v[2]", ["v"]), ("const struct row r", ["r"]), ("unsigned int q = 0, m", ["m"]), ("long *p", ["p"]), ("return best", []),
                            ("long v[2] = {0, 1}, q = f(a, b)", []), ("x[i] = k", []), ("k++", []), ("f(a, b)", []), ("*x = k", []), ("(void)k", [])):
            text = "struct row { long k; };\nlong f(long a, long b);\nlong g(long *x, long i, long k, long a, long b, long best, long n)\n{\n    if (n > 0) {\n        " + said + ";\n    }\n    return 0;\n}\n"
            self.assertEqual([re.search(r"(\w+) is declared without", line)[1] for line in self.judged(text)], found, said)
        self.assertTrue(any("v is declared without" in line for line in self.objections(code=("    return", "    int64_t v[2];\n    return v[1] - v[1] +"))))

    def test_one_way_neighbours_are_not_taken_for_symmetric(self):
        for said, is_known in (("Apart(x, y) <= 1", True), ("Apart(x, y) <= x", False)):
            folder = self.write("gate", toml=('neighbours = "Apart(x, y) <= 1"', f'neighbours = "{said}"'))
            self.assertEqual("symmetric_mine" not in self.stage(folder).statement.text(), is_known)

    def test_input_that_points_elsewhere_is_refused(self):
        folder = self.write("select")
        for name in ("mine.h", "mine.c", "align.c"):
            path = folder / name
            path.write_text(path.read_text().replace("const int64_t *x", "const struct row *x").replace("const int64_t *y", "const struct row *y"))
        (folder / "mine.h").write_text((folder / "mine.h").read_text().replace("#define SCORE_MAX", "struct row {\n    int64_t *score;\n};\n#define SCORE_MAX"))
        with self.assertRaisesRegex(settings.Bad, "a struct with a pointer"):
            self.stage(folder)

    def test_a_name_of_the_library_is_refused_and_one_of_its_harnesses_not(self):
        for name, is_taken in (("pack", True), ("above", False)):
            folder = self.write()
            for path in list(folder.iterdir()):
                if path.is_file():
                    path.write_text(path.read_text().replace("mine", name))
                    path.rename(folder / path.name.replace("mine", name))
            found = list(self.stage(folder).problems())
            self.assertEqual(["another name" in line for line in found], [True] * is_taken, found)

    def test_a_file_of_the_library_is_not_replaced(self):
        folder = self.write()
        (folder / "acsl").mkdir()
        (folder / "acsl/alignment.h").write_text("#ifndef A\n#define A\n#endif\n")
        with self.assertRaisesRegex(settings.Bad, "the library has a file of this name"):
            self.stage(folder)


class Receipts(Case):
    """The printed and signed statement is the one that was proved."""

    def moded(self):
        """The shape `local` with a public argument, proved for one value of it."""
        folder = self.write(toml=("[trust]", "[public]\nmode = 0\n[trust]"))
        for name in ("prove.toml", "mine.h", "mine.c", "align.c"):
            path = folder / name
            text = path.read_text().replace("mine(x, z)", "mine(x, mode, z)").replace("int64_t x, int64_t z)", "int64_t x, int64_t mode, int64_t z)")
            path.write_text(text.replace("mine(y, 0)", "mine(y, mode, 0)").replace("int64_t *w,", "int64_t *w, int64_t mode,"))
        return settings.load(folder)

    def test_the_sentence_names_public_values_domain_witness_and_externs(self):
        s = self.moded()
        words = statement.words(s, "0", ["leak", "seep"])
        self.assertTrue(words.startswith("a = mine(x, mode, z), for mode = 0 and no other value: for every two inputs"), words)
        self.assertIn("if the contract of leak and that of seep is true, which nothing proves", words)
        self.assertIn("such inputs are x = 3 and y = 120 and z = -7 and mode = 0", words)
        said = statement.said(s, "0", ["extern:leak"])
        self.assertEqual((said["public"], said["witness"]["x"], said["trusted"]), ({"mode": 0}, "3", ["extern:leak"]))
        for name, wanted in (("count", ", for every n: for every two inputs x and y with Unlike(x, y, n) <= 1, both with n <= USERS_MAX, the"),
                             ("join", ", for threshold = 40 and no other value, for every n: for every two inputs")):
            self.assertIn(wanted, statement.words(settings.load(EXAMPLES / name), "0", []))

    def test_the_spec_is_that_of_epsilon_and_delta(self):
        s = settings.load(EXAMPLES / "join")
        for delta, wanted in (("0", "pure:eps=1/2"), ("2.12e-9", "approx:eps=1/2,delta=53/25000000000"), ("1", "approx:eps=1/2,delta=1")):
            self.assertEqual(statement.spec(s, delta), wanted)
            done = subprocess.run((PROBITY, "loss", wanted, "--epsilon", "1/2", "--json"), text=True, capture_output=True, check=True)
            self.assertEqual(json.loads(done.stdout)["spec"], wanted) # the spelling of the command
        s.cost = 0
        self.assertIsNone(statement.spec(s, "0"))

    def answer(self, folder):
        stage = self.stage(folder)
        s = stage.settings
        return {"proved": True, "sources": receipt.digests(stage), "statement": statement.said(s, "0", [], stage.sources()), "tools": {},
                "goals": [1, 2], "lemmas": [], "compiled": receipt.mechanism(s.name, handover.texts(stage))}

    def test_a_receipt_is_of_one_mechanism(self):
        made = receipt.make(self.answer(self.write()))
        self.assertEqual((made["version"], made["mechanism"]["name"], list(made["mechanism"]["texts"])), (2, "mine", ["mine.c"]))
        path = self.folder / "receipt.json"
        for version, changed in ((2, ["sources", "mechanism"]), (1, ["sources"])):
            before = made | {"version": version}
            if version == 1: # as it was written then
                before.pop("mechanism")
                before["statement"] = {k: v for k, v in made["statement"].items() if k not in ("spec", "witness")} | {"words": "other words"}
            path.write_text(receipt.canonical(before))
            self.assertEqual(receipt.compare(path, made), [])
            other = receipt.make(self.answer(self.write(code=("return clamped + z", "return z + clamped"))))
            self.assertEqual([line.split()[1] for line in receipt.compare(path, other)], changed)
            other = receipt.make(self.answer(self.write(toml=("rate = \"1/100\"", "rate = \"1/200\""))))
            self.assertIn("statement", [line.split()[1] for line in receipt.compare(path, other)])

    def run_probity(self, *words):
        return subprocess.run((PROBITY, *map(str, words)), text=True, capture_output=True, check=False)

    def test_a_signed_receipt_of_one_mechanism_certifies_no_other(self):
        path, key, out = (self.folder / name for name in ("receipt.json", "key", "certificate.json"))
        self.assertEqual(self.run_probity("keygen", "-o", key).returncode, 0)
        made = receipt.make(self.answer(self.write()))
        with unittest.mock.patch.dict(os.environ, {"PROBITY": PROBITY}):
            receipt.write(path, made, str(key))
        spec = made["statement"]["spec"]
        other = self.run_probity("certify", "krr:eps=2,k=60", "--epsilon", 2, "--proof", path, "-o", out)
        self.assertEqual((other.returncode, out.exists()), (2, False))
        self.assertIn(f"'mine', {spec}: expected one of krr:eps=2,k=60", other.stderr)
        own = self.run_probity("certify", spec, "--epsilon", spec.partition("eps=")[2], "--proof", path, "-o", out)
        self.assertEqual((own.returncode, out.exists()), (0, True), own.stderr)


class Cache(Case):
    def test_results_are_where_nobody_else_can_put_any(self):
        before = os.environ.get("XDG_STATE_HOME")
        try:
            found = []
            for home in ("one", "two", "one"):
                os.environ["XDG_STATE_HOME"] = str(self.folder / home)
                found.append(cache.folder("mine"))
                self.assertEqual((self.folder / home / "probity/prove.secret").stat().st_mode & 0o77, 0)
            self.assertEqual((found[0] == found[2], found[0] == found[1], found[0].parent.name), (True, False, ".probity"))
            (self.folder / "file").write_text("")
            os.environ["XDG_STATE_HOME"] = str(self.folder / "file")
            self.assertNotEqual(cache.folder("mine"), cache.folder("mine"))
        finally:
            os.environ.pop("XDG_STATE_HOME")
            if before is not None:
                os.environ["XDG_STATE_HOME"] = before


class Counterexamples(Case):
    def search(self, folder):
        return counterexample.search(self.stage(folder), self.folder)

    def test_wrong_variants_are_refuted_and_right_ones_not(self):
        for name, clause in (("count", "cost"), ("best", "same"), ("join", "fails"), ("price", "cost"), ("visit", "cost_second")):
            self.assertIsNone(self.search(EXAMPLES / name), name)
            found = self.search(EXAMPLES / f"{name}-wrong")
            self.assertEqual(found["problem"], f"refuted: {clause} is false")
            line = (EXAMPLES / f"{name}-wrong" / found["place"]["file"]).read_text().splitlines()[found["place"]["line"] - 1]
            self.assertIn(f"ensures {clause.partition('_')[0]}", line)
        for shape in SHAPES:
            self.assertIsNone(self.search(self.write(shape)), shape)

    def test_a_witness_of_equal_inputs_is_refused(self):
        for shape, edit in (("local", ("y = 120", "y = 3")), ("select", ('y = "{5, 8, 5}"', 'y = "{4, 9, 5}"'))):
            self.assertIn("equal", counterexample.equal_witness(self.stage(self.write(shape, toml=edit)), self.folder)[0])
            self.assertEqual(counterexample.equal_witness(self.stage(self.write(shape)), self.folder), [])

    def test_what_is_not_charged_is_found(self):
        self.assertIn("cost", self.search(self.write(toml=("cost = 100", "cost = 99")))["text"])
        self.assertIn("same", self.search(self.write(align=("*a - mine(y, 0)", "z")))["text"])
        self.assertIn("injective", self.search(self.write(toml=("Topped(x) - Topped(y)", "0")))["text"])


class Logic(unittest.TestCase):
    def test_formulas_are_computed(self):
        source = ["/*@ logic integer Sum(int64_t *x, integer n) = n <= 0 ? 0 : Sum(x, n - 1) + x[n - 1];\n"
                  "    predicate Up(int64_t *x, integer n) = \\forall integer i, j; 0 <= i < n && i < j < n ==> x[i] <= x[j]; */"]
        code, functions = logic.compiled({"a": "Sum(x, 3) == 6", "b": "Up(x, 3)", "c": "\\exists integer k; 0 <= k < 3 && x[k] == 3",
                                          "d": "1 <= x[0] < x[1] ==> x[2] != 3", "e": "-x[0] + 2 * (x[1] - 1) <= 0 || x[0] > 7"}, source)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.c"
            prints = "".join(f'printf("%d", !!({c}));' for c in code.values())
            path.write_text(f"#include <stdint.h>\n#include <stdio.h>\n{functions}int main(void) {{ int64_t x[] = {{1, 2, 3}}; {prints} }}\n")
            subprocess.run(("cc", "-std=gnu11", "-w", str(path), "-o", f"{folder}/t"), check=True)
            said = subprocess.run((f"{folder}/t",), capture_output=True, text=True).stdout
        self.assertEqual(said, "11100")

    def test_what_is_not_understood_is_refused(self):
        for formula in ("\\forall integer i; x[i] == 0", "Unknown(x)", "\\at(x, Pre)", "x @ y"):
            with self.assertRaises(logic.Unknown):
                logic.compiled({"f": formula}, [])


# The JSON schema of SARIF 2.1.0 for the objects that are written: their properties, with a star those that must be there, and no
# others. A list holds objects; a tuple has the values that are allowed. (Logs were judged by the whole schema too.)
SARIF = {
    "log": {"$schema": "uri", "version*": ("2.1.0",), "runs*": ["run"]},
    "run": {"tool*": "tool", "results": ["result"]},
    "tool": {"driver*": "component"},
    "component": {"name*": "text", "rules": ["rule"]},
    "rule": {"id*": "text", "shortDescription": "description"},
    "description": {"text*": "text"},
    "result": {"ruleId": "text", "level": ("none", "note", "warning", "error"), "message*": "description", "locations": ["location"]},
    "location": {"physicalLocation": "physical"},
    "physical": {"artifactLocation*": "artifact", "region": "region"},
    "artifact": {"uri": "uri"},
    "region": {"startLine": "line"},
}
WORDS = {"text": lambda v: isinstance(v, str) and v != "", "line": lambda v: type(v) is int and v >= 1,
         "uri": lambda v: isinstance(v, str) and re.fullmatch(r"([\w.~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+", v, re.A) is not None}


def breaches(value, kind, path="log"):
    """Where a value is not of its kind."""
    if isinstance(kind, tuple):
        return [] if value in kind else [path]
    if isinstance(kind, list):
        return [b for i, v in enumerate(value) for b in breaches(v, kind[0], f"{path}[{i}]")] if isinstance(value, list) else [path]
    if kind in WORDS:
        return [] if WORDS[kind](value) else [path]
    if not isinstance(value, dict):
        return [path]
    known = {name.rstrip("*"): what for name, what in SARIF[kind].items()}
    found = [f"{path}.{name}" for name in value if name not in known]
    found += [f"{path}.{name[:-1]}" for name in SARIF[kind] if name.endswith("*") and name[:-1] not in value]
    return found + [b for name in value if name in known for b in breaches(value[name], known[name], f"{path}.{name}")]


class Answers(unittest.TestCase):
    """On a result that was recorded: the wrong join, with the refutation left out."""

    def setUp(self):
        self.answer = json.loads((Path(__file__).parent / "result.json").read_text())

    def sarif(self, **changes):
        log = json.loads(answers.sarif(self.answer | changes))
        self.assertEqual(breaches(log, "log"), [])
        return log["runs"][0]

    def test_sarif_is_what_the_schema_describes(self):
        run = self.sarif()
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertLessEqual({result["ruleId"] for result in run["results"]}, set(rules))
        places = [r["locations"][0]["physicalLocation"] for r in run["results"]]
        places = {(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places}
        self.assertIn(("align.c", 17), places)
        self.assertLessEqual({uri for uri, _ in places}, {*self.answer["sources"], "prove.toml"})

    def test_sarif_without_a_place_and_with_a_name_that_is_no_uri(self):
        self.assertEqual(self.sarif(places=[], problems=[], counterexample=None)["results"], [])
        self.assertEqual(self.sarif(places=[], problems=[], counterexample="x = 1")["results"][0]["ruleId"], "counterexample")
        place = self.answer["places"][0] | {"file": "my align%.c"}
        run = self.sarif(places=[place], problems=[], counterexample=None, sources={"my align%.c": ""})
        self.assertEqual(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "my%20align%25.c")

    def test_sarif_paths_are_those_of_the_repository(self):
        place = self.answer["places"][0]
        run = self.sarif(places=[place], problems=["x"], counterexample=None, folder="in side/visits")
        uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]]
        self.assertEqual(uris, [f"in%20side/visits/{place['file']}", "in%20side/visits/prove.toml"])

    def test_breaches_of_the_schema_are_seen(self):
        for path, value in ((("results", 0, "colour"), 1), (("results", 0, "level"), "bad"), (("results", 0, "message"), {}),
                            (("results", 0, "locations", 0, "physicalLocation", "region", "startLine"), 0), (("results",), {})):
            log = json.loads(answers.sarif(self.answer))
            at = log["runs"][0]
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = value
            self.assertEqual(len(breaches(log, "log")), 1, path)

    def test_junit_has_a_case_for_each_goal(self):
        suite = xml.fromstring(answers.junit(self.answer))
        cases = suite.findall("testcase")
        self.assertEqual(int(suite.get("tests")), len(cases))
        self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
        names = {(c.get("classname"), c.get("name")): c.find("failure") is None for c in cases}
        for goal in self.answer["goals"]:
            self.assertEqual(names[goal["function"] or goal["unit"], goal["clause"]], goal["proved"])

    def test_badge_is_an_image_that_says_what_holds(self):
        self.assertIn("not proved", answers.badge(self.answer))
        proved = self.answer | {"statement": {"epsilon": "1/2", "delta": "0"}}
        self.assertIn("(1/2, 0)", "".join(xml.fromstring(answers.badge(proved)).itertext()))

    def test_places_of_goals_that_a_second_try_proved_are_left_out(self):
        result = {"unproved": ["f_ensures_cost"], "functions": {"f": {}}, "places": [
            ["a.c", 3, "f", "postcondition", "cost: x"], ["a.c", 9, "f", "loop invariant", "i <= n"], ["a.c", 1, "g", "postcondition", "q"]]}
        self.assertEqual([p["line"] for p in answers.places_of([result])], [3])

    def test_difference_of_baselines_is_readable(self):
        lines = list(foreign.difference({"goals": {"f": "safety 3", "g": "safety 1"}}, {"goals": {"f": "safety 2", "h": "safety 4"}}))
        self.assertEqual(lines, ["  goals of f: safety 3 -> safety 2", "  goals of g: gone: safety 1", "  goals of h: new: safety 4"])

    def test_delta_of_many_draws_is_rounded_up(self):
        self.assertEqual(receipt.times("2.825961e-05", 1), "2.825961e-5")
        self.assertEqual(receipt.times("1.11111111e-05", 3), "3.33333333e-5")
        self.assertEqual(receipt.times("3.33333333e-06", 4), "1.33333334e-5")
        self.assertEqual(receipt.times("0.5", 3), "1")

    def test_changes_touch_code_alone(self):
        text = '/* a < b */\n#define N 3\n/*@ ensures x < 1; */\nint f(int x)\n{\n    if (x < 2 && x != 5)\n        return x + 1;\n    return "a < b"[0] - x;\n}\n'
        names = [name for name, _ in operators.changes("f.c", text)]
        self.assertEqual(names, ["f.c:6: if not", "f.c:6: < -> <=", "f.c:6: 2 -> 3", "f.c:6: && -> ||", "f.c:6: != -> ==", "f.c:6: 5 -> 6",
                                 "f.c:7: + -> -", "f.c:7: 1 -> 2", "f.c:8: 0 -> 1", "f.c:8: - -> +"])
        self.assertTrue(all(changed != text for _, changed in operators.changes("f.c", text)))


if __name__ == "__main__":
    unittest.main(verbosity=0)
