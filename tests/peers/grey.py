#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches functions of another library by the grey-box audit, under the Python of that library's own environment.
usage: grey.py LIBRARY --cases         the functions of grey_LIBRARY.py and their claims, as JSON
       grey.py LIBRARY/NAME --search   the answer of a search for two inputs that refute the claim, as JSON
       grey.py LIBRARY/NAME INPUT N    N outputs on an input, one a line
INPUT is rows divided by /, of numbers divided by commas; "none" has no rows."""
import importlib
import json
import os
import sys
import warnings

PAIRS, SECONDS, RUNS = 8, 60, 4

warnings.simplefilter("ignore")


def number(text):
    return int(text) if text.lstrip("-").isdigit() else float(text)


def rows(text):
    """The rows of a text: numbers, or tuples of them."""
    split = [] if text == "none" else [tuple(number(x) for x in row.split(",")) for row in text.split("/")]
    return [row[0] if len(row) == 1 else row for row in split]


def shown(data):
    """The text of rows."""
    return "/".join(",".join(repr(x) for x in row) if isinstance(row, tuple) else repr(row) for row in data) or "none"


def flat(output):
    """The numbers and texts of an output, in a line."""
    if hasattr(output, "tolist"):
        output = output.tolist()
    if isinstance(output, (list, tuple)):
        return [x for part in output for x in flat(part)]
    return [output if isinstance(output, (str, int)) else repr(float(output))]


def outputs(case, data, n):
    for _ in range(n):
        try:
            print(",".join(str(x) for x in flat(case["pipeline"](data))))
        except Exception as error:  # an exception is an output
            print(type(error).__name__)


def search(case):
    from probity import greybox
    answer = greybox.search(case["pipeline"], inputs=case["inputs"], values=case["values"], neighbours=case["neighbours"],
                            epsilon=case["epsilon"], delta=case["delta"], pairs=PAIRS, seconds=SECONDS, runs=RUNS)
    report = answer.report
    sites = [s for s in report["sites"]]
    print(json.dumps({"verdict": answer.verdict, "reason": answer.reason, "evidence": answer.evidence, "left": shown(answer.left),
                      "right": shown(answer.right), "ends": report["ends"], "sites": sites, "findings":
                      [f for f in report["findings"]]}))


def main():
    library, _, name = sys.argv[1].partition("/") if len(sys.argv) > 2 else ("", "", "")
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    cases = importlib.import_module(f"grey_{library}").CASES if library else {}
    if sys.argv[2:] == ["--cases"]:
        print(json.dumps({f"{library}/{key}": {k: str(v) for k, v in case.items() if k in ("how", "epsilon", "delta", "neighbours")}
                          for key, case in cases.items()}))
    elif sys.argv[2:] == ["--search"] and name in cases:
        search(cases[name])
    elif len(sys.argv) == 4 and name in cases:
        outputs(cases[name], rows(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
