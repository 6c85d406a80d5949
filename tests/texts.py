#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every public function that takes or gives a number of GMP or MPFR has a variant in text.

Such a number is an mpq_t, an mpz_t or an mpfr_t, or a struct that holds one, however deep; a pby_value is either a text
or a rational and counts as text. The variant has the name of the
function and _text, or the name in OTHERS; PLAIN needs none. usage: texts.py [INCLUDE]"""
import glob
import os
import re
import sys

NUMBER = re.compile(r"\b(mpq|mpz|mpfr)_(t|ptr|srcptr)\b")
# Functions that make, free, copy or compare a number, and those that turn it into text or back.
PLAIN = re.compile(r"_(init|clear|set|cmp|free)$|^pby_(decimal|decimals_set|rational_parse|rational_print)$|_text$")
OTHERS = {
    "pby_loss": "pby_loss_ask",
    "pby_loss_delta": "pby_loss_ask",
    "pby_loss_epsilon": "pby_loss_ask",
    "pby_loss_claimed": "pby_loss_ask",
    "pby_loss_renyi": "pby_loss_ask",
    "pby_loss_zcdp": "pby_loss_ask",
    "pby_loss_mu": "pby_loss_ask",
    "pby_loss_convert": "pby_loss_ask",
    "pby_loss_composed": "pby_loss_ask",
    "pby_loss_group_delta": "pby_loss_ask",
    "pby_loss_group_epsilon": "pby_loss_ask",
    "pby_loss_ask": "pby_loss_ask",  # takes either, and gives both
    "pby_accuracy_ask": "pby_accuracy_ask",  # likewise
    "pby_certify_with": "pby_certify_text",
    "pby_certify_accuracy": "pby_certify_text",
    "pby_choice_spec": "pby_choice_spec",  # gives no number
    "pby_ledger_create_overlapping": "pby_ledger_create_text",
    "pby_ledger_bound": "pby_ledger_budget_text",
    "pby_ledger_epsilon": "pby_ledger_budget_text",
    "pby_ledger_delta": "pby_ledger_budget_text",
    "pby_plan_side": "pby_plan_text",
    "pby_plan_beta": "pby_plan_text",
    "pby_plan_alpha": "pby_plan_text",
}


def headers(root):
    """The text of every public header without comments and preprocessor lines, joined."""
    texts = []
    for path in sorted(glob.glob(os.path.join(root, "probity", "**", "*.h"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
        texts.append(re.sub(r"^\s*#.*?(?<!\\)$", "", text, flags=re.M))
    return "\n".join(texts)


def structs(text):
    """The names of the structs that hold a number."""
    bodies = {name: body.replace("mpq_srcptr rational", "") if name == "pby_value" else body for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, flags=re.S)}
    found = {name for name, body in bodies.items() if NUMBER.search(body)}
    while True:
        more = {name for name, body in bodies.items() if name not in found and mentions(body, found)}
        if not more:
            return found
        found |= more


def mentions(text, names):
    return NUMBER.search(text) or any(re.search(rf"\b{name}\b", text) for name in names)


def functions(text):
    """Name and declaration of every function."""
    return {name: whole for whole, name in re.findall(r"((?:[\w\s*]*?)\b(pby_\w+)\([^;{}]*?\)[^;{}()]*(?:PBY_NONNULL\([^)]*\))?\s*);",
                                                      text)}


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "include")
    text = headers(root)
    holders, known = structs(text), functions(text)
    numbered = [name for name, whole in sorted(known.items()) if mentions(whole, holders) and not PLAIN.search(name)]
    faults = [f"{name}: no variant in text" for name in numbered if OTHERS.get(name, name + "_text") not in known]
    faults += [f"{name}: named in OTHERS, and no such function" for name in OTHERS if name not in numbered]
    for line in faults:
        print(line, file=sys.stderr)
    if not faults:
        print(f"texts: {len(numbered)} functions with numbers, each also in text")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
