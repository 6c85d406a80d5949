#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the files that a new family takes.

Adds a small family to a copy of the tree: its folder, its line in the registry, its theory page. Everything else that
names families must come from there: the copy builds, the tests that walk through all families pass, every command
takes the new one, and the generated documents are made anew. Nothing but these three files was written by hand.
usage: scratch.py BUILD        a folder with the objects of this tree, which are not compiled again"""
import os
import re
import shutil
import subprocess
import sys

SOURCE = r'''/* scratch:eps=e: two-sided geometric noise of rate e on every bar. */
#include "kernel/silent.h"
#include "law/laws.h"
#include "mechanism/family.h"
#include "mechanism/shared/noise.h"
#include "mechanism/shared/selection.h"
#include "mechanism/spec/story.h"

static pby_status scratch_law(pby_law **out, const pby_mechanism *m, pby_error *err)
{
    return pby_law_geometric(out, &m->value[0], err);
}

static pby_status scratch_pairs(pby_pairs *out, const pby_mechanism *m, const pby_wanted *wanted, pby_error *err)
{
    pby_law *law = NULL;
    pby_status status = scratch_law(&law, m, err);
    if (status == PBY_OK)
        status = pby_pairs_init(out, 1, err);
    if (status == PBY_OK)
        status = pby_pair_shift(&out->pair[0], law, wanted->relation == PBY_SUBSTITUTE ? 2 : 1, err);
    pby_law_free(law);
    return status;
}

static const pby_story scratch_stories[] = {
    {.what = "Geometric noise of rate eps is added to every bar.",
     .neighbours = PBY_STORY_ONE_BAR,
     .pair = {PBY_STORY_FULL_SHIFT, PBY_STORY_FULL_SHIFT},
     .accuracy = PBY_STORY_NOISE("every bar is"),
     .pages = {"scratch.md"},
     .kernel = {{"pby_perturb", "histogram.h"}}},
    {.what = NULL},
};

static const char *const scratch_examples[] = {"scratch:eps=1/3", NULL};
static const char *const scratch_manual[] = {"scratch:eps=E", "Geometric noise of rate E on every bar.", NULL};

static const pby_select_row scratch_selection = {.chosen = PBY_ROLE_EPSILON,
                                                 .monotone = PBY_SELECT_LESS_EPS,
                                                 .recipe = PBY_RECIPE_THEOREMS,
                                                 .source = PBY_SELECT_THEOREMS,
                                                 .rho_monotone = PBY_SELECT_LESS_EPS,
                                                 .binds = "the resolution"};

const pby_family pby_family_scratch = {
    .name = "scratch",
    .summary = "a family that is only tried",
    .relations = PBY_CENTRAL,
    .parameters = {{"eps", PBY_POSITIVE, NULL, "eps=E, the rate, a rational above 0", PBY_ROLE_EPSILON}},
    .law = scratch_law,
    .list[PBY_ABOVE] = scratch_pairs,
    .release = pby_noise_every,
    .silent = pby_silent_perturb,
    .accuracy = {.has = true, .kind = PBY_ACCURACY_NOISY},
    .select = &scratch_selection,
    .stories = scratch_stories,
    .manual = scratch_manual,
    .examples = scratch_examples,
};
'''
PAGE = "# Scratch\n\nGeometric noise of rate eps on every bar; the loss is that of one shift.\n"
ADDED = {"src/mechanism/scratch/scratch.c": SOURCE, "docs/theory/scratch.md": PAGE}
REGISTRY = "src/mechanism/registry.c"
GENERATED = ["docs/completion/_probity", "docs/completion/probity.bash", "docs/probity.1"]
SUITES = "@(families|face|mechanism|neighbours|accuracy_row|explain_command|explain)/*"
# Commands on the new family: the arguments, the input, and a text that must stand in the answer.
COMMANDS = [
    (["help"], "", "a family that is only tried"),
    (["loss", "scratch:eps=1/3", "--epsilon", "1/3"], "", "delta"),
    (["certify", "scratch:eps=1/3", "--epsilon", "1/2", "-o", "scratch.json"], "", ""),
    (["verify", "scratch.json"], "", "scratch:eps=1/3"),
    (["release", "scratch.json", "--timing-safe"], "a,5\nb,0\n", "\nb,"),
    (["ledger", "init", "scratch.ledger", "--epsilon", "1", "--delta", "1e-6"], "", ""),
    (["release", "scratch:eps=1/3", "--ledger", "scratch.ledger"], "a,5\n", "a,"),
    (["draw", "scratch:eps=1/3", "-n", "3"], "", "\n"),
    (["select", "scratch", "--epsilon", "1/2"], "", "scratch:eps=1/2"),
    (["accuracy", "scratch:eps=1/3", "--gamma", "1e-6"], "", "release"),
    (["explain", "scratch:eps=1/3"], "", "docs/theory/scratch.md"),
    (["audit", "--law", "scratch:eps=40", "-"], "0\n" * 1000, "consistent"),
]


def fail(text):
    sys.exit(f"scratch: {text}")


def run(arguments, folder, text=""):
    done = subprocess.run(arguments, cwd=folder, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(arguments)}: exit status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr


def copy(build, tree):
    """The tree and its objects with their times, so that make compiles what is new and no more."""
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    for name in sorted(os.listdir(".")):
        if name in ("build", ".git", os.path.basename(build)):
            continue
        if os.path.isdir(name):
            shutil.copytree(name, os.path.join(tree, name))
        else:
            shutil.copy2(name, tree)
    shutil.copytree(os.path.join(build, "obj"), os.path.join(tree, "build", "obj"))


def files(root):
    """Every file below root but those of the build, by its path, with what it holds."""
    found = {}
    for folder, names, leaves in os.walk(root):
        names[:] = [n for n in names if os.path.join(folder, n) not in (os.path.join(root, "build"),
                                                                       os.path.join(root, ".git"))]
        for leaf in leaves:
            path = os.path.join(folder, leaf)
            with open(path, "rb") as file:
                found[os.path.relpath(path, root)] = file.read()
    return found


def add(tree):
    for path, text in ADDED.items():
        path = os.path.join(tree, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    path = os.path.join(tree, REGISTRY)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    new = re.sub(r"(    X\(geometric\) +\\\n)", r"\1    X(scratch) \\\n", text)
    if new == text:
        fail(f"{REGISTRY}: no line to stand behind")
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)


def main(build):
    tree = os.path.abspath(os.path.join(build, "scratch"))
    copy(build, tree)
    before = files(tree)
    add(tree)
    run(["make", "--no-print-directory", "build", "build/suite", "BUILD=build"], tree)
    run(["python3", "docs/families.py", "build/probity"], tree)
    tested = run(["env", "PROBITY=build/probity", "build/suite", "--filter", SUITES, "--timeout", "900"], tree)
    for arguments, text, expected in COMMANDS:
        if expected not in run(["build/probity", *arguments], tree, text):
            fail(f"probity {' '.join(arguments)}: {expected!r} is not in the answer")
    after = files(tree)
    for leftover in ("scratch.json", "scratch.ledger"):
        after.pop(leftover, None)
    changed = sorted(path for path in after if before.get(path) != after[path])
    if changed != sorted([*ADDED, REGISTRY, *GENERATED]):
        fail(f"other files have changed: {', '.join(changed)}")
    count = re.search(r"Tested: (\d+)", tested)
    if count is None or int(count[1]) < 20:
        fail(f"hardly any tests ran\n{tested}")
    shutil.rmtree(tree)
    print(f"scratch: a new family takes {len(ADDED) + 1} files ({', '.join([*ADDED, REGISTRY])}), "
          f"{len(GENERATED)} more are generated; {count[1]} tests and "
          f"{len(COMMANDS)} commands take it")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build")
