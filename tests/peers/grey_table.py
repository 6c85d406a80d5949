# SPDX-License-Identifier: MIT
"""The second table of docs/peers.md: functions of other libraries, searched by the grey-box audit. What the search leaves
undecided is judged by the black-box audit on the pair that it found. Answers are kept in PEERS/grey, as those of
table.py in PEERS/rows."""
import json
import os
import pathlib
import shlex
import subprocess

GREY = "tests/peers/grey.py"
N = 20000
LIBRARIES = ("diffprivlib", "opendp", "smartnoise", "tumult", "pydp")
TITLE = "## Functions, searched by the grey-box audit\n"
HEAD = TITLE + """
Each line is a function of a library, searched by `probity.greybox` ([greybox.md](greybox.md)) for two neighbouring inputs
that refute its claim: at most 8 pairs or 60 seconds for each, 2 runs and a probe for a pair, 4 new runs for the one that is
answered; rows of 0 and 10 where values lie between them, of 0 and 1 in tables of two columns. The files beside
`tests/peers/grey.py` have the calls. `make peers PART=grey` writes this part alone.

- *grey-box*: the verdict, the reason where there is none, and the losses of the noise that was recorded, as epsilon between
  a lower and an upper end. The stated laws of mechanisms are trusted, and those of OpenDP and of the mechanisms that choose
  by their guarantees alone. `unpublished` says that the loss of the noise exceeds the claim and that what is published
  may not show it; `open` that noise is used in a way that is not followed.
  `unrecorded` says that a second run on the same noise differs, or that a run went beyond its limits of time and memory.
- *pair*: the one that told most. The search shrinks a pair that it refutes by itself, and no other.
- *black-box*: where the grey-box audit decides nothing, what 20000 outputs a side of that pair (4000 of a model) refute, with an error of 1e-6.
  **Bold** is a violation of the claim on this pair.

A claim is for a relation of neighbours. diffprivlib does not name one: a function that is refuted for one relation and
not for the other keeps its claim under the other. `histogram` and `count` that are made for rows that come or go lose twice as
much when a row changes; functions whose noise or bounds are made for the number of rows (`mean`, `var`, `std`, and `sum`, which is cut off at
10 for each row) hold it public, and an empty input ends some of them by an exception. The event of `sum`
for rows that come or go is this cut-off: 40 on one side, 30 on the other. An event of a grid of 2^-50 or less is about the bits of a
double, as in the table above, and says nothing about the formula. Inputs are within the bounds that are given, but for the line that
names NaN.

| function | neighbours | claimed | grey-box | pair | black-box |
|---|---|---|---|---|---|
"""
TAIL = """
Not recorded: the noise of PyDP, and of PipelineDP which is built on it, is drawn in C++, and the second run of the search
on the same noise differs (`unrecorded`); Tumult's aggregations run in processes of Spark; Opacus draws its noise by PyTorch and
jax-privacy by JAX, which `probity.greybox` does not record: they were not run. A mechanism of such a library can be declared by
`greybox.primitive`, as Tumult's sampler of Laplace noise is here.
"""


def short(x):
    return f"{float(x):.4g}"


def clipped(text):
    return text if len(text) <= 60 else text[:57] + "..."


def asked(peers, name, *rest):
    library = name.split("/")[0]
    return [os.path.join(peers, library, "bin", "python"), GREY, name, *rest]


def run(command, seconds=None):
    """The JSON that a command ends with, or None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    lines = done.stdout.strip().splitlines()
    try:
        return json.loads(lines[-1]) if lines else None
    except json.JSONDecodeError:
        return None


def kept(peers, name, command, make):
    """The answer of `make`, kept beside the command that it answers."""
    path = pathlib.Path(peers, "grey", "".join(c if c.isalnum() else "-" for c in name) + ".json")
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))
        if before["asked"] == command:
            return before["answer"]
    answer = make()
    if answer is None:
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"asked": command, "answer": answer}), encoding="utf-8")
    part.replace(path)
    return answer


def audit_command(peers, name, case, found):
    """The black-box audit on a pair. The shell sees the name of the function in quotes."""
    program = shlex.join(asked(peers, name)) + " {input} {n}"
    outputs = N // 5 if "models." in case["how"] else N    # fits take longer
    return ["audit", "--command", program, "--inputs", found["left"], found["right"], "-n", str(outputs), "--epsilon", case["epsilon"],
            "--delta", case["delta"]]


def ends(found):
    low, high = found["ends"]["epsilon"]["lower"]["lo"], found["ends"]["epsilon"]["upper"]
    return "" if found["reason"] in ("open", "unrecorded") else f", {short(low)} to {'?' if high is None else short(high['hi'])}"


def cells(name, case, found, got):
    words = sorted({f["finding"] for f in found["findings"] if f["level"] != "note"} - {found["reason"], "loss"})
    bold = "**" if found["verdict"] == "violation" else ""
    grey = f"{bold}{found['verdict']}{': ' + found['reason'] if found['reason'] else ''}{bold}{ends(found)}"
    grey += f" ({', '.join(words)})" if words else ""
    black = ""
    if got is not None:
        black = f"epsilon > {short(got['epsilon_lower'])}, delta > {short(got['delta_lower'])}"
        black = f"**{black}** ({clipped(got['event']['text'])})" if got["verdict"] == "violation" else black
    row = [f"{name.split(',')[0]}: `{case['how']}`", case["neighbours"], f"({short(case['epsilon'])}, {short(case['delta'])})", grey,
           f"`{found['left']}` and `{found['right']}`", black]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n"


def rows_of(probity, peers, library, versions):
    """The lines of a library, and the commands that repeat what was confirmed."""
    python = os.path.join(peers, library, "bin", "python")
    cases = run([python, GREY, library, "--cases"]) if os.access(python, os.X_OK) else None
    for name, case in (cases or {}).items():
        search = asked(peers, name, "--search")
        found = kept(peers, name, [search, case, versions], lambda: run(search, 600))
        if found is None:
            print(f"{name}: no answer", flush=True)
            yield None, name
            continue
        got, command = None, shlex.join(search)
        if found["verdict"] == "inconclusive" and found["reason"] != "unrecorded" and found["left"] != found["right"]:
            audit = audit_command(peers, name, case, found)
            got = kept(peers, name + " outputs", [audit, versions], lambda: run([probity, *audit, "--json"], 600))
            if got is None:
                yield None, name
                continue
            command += "\n    " + shlex.join(["probity", *audit])
        print(f"{name}: {found['verdict']} {got['verdict'] if got else ''}", flush=True)
        yield cells(name, case, found, got), command


def part(probity, peers, versions):
    """The text of the part."""
    made = [row for library in LIBRARIES for row in rows_of(probity, peers, library, versions)]
    run_now = [row for row in made if row[0] is not None]
    commands = "".join(f"    {command}\n" for _, command in run_now)
    missing = ", ".join(f"{name}" for text, name in made if text is None)
    count = f"\n{len(run_now)} of the {len(made)} functions were run for this page" + (f"; not {missing}" if missing else "") + ".\n"
    return HEAD + "".join(text for text, _ in run_now) + count + TAIL + "\n### Every search again\n\n" + commands
