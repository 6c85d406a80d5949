# SPDX-License-Identifier: MIT
"""A search for inputs and noise that break a clause, on the compiled code: what refutes, where a proof that fails does not.

The numbers of the witness are varied, the inputs are kept if they are neighbours, and the harness and the mechanism run.
The clauses are computed as logic.py writes them; where it cannot, nothing is searched, and nothing is claimed. The witness
itself must be two inputs that differ, whose answers agree.
"""
import re
import subprocess

import logic
import text as one
from statement import substitute

TRIALS = 400_000
NUMBER = re.compile(r"(?<![\w.])-?\d+\b")

MAIN = """
static unsigned long long state = 1;
static unsigned long long word(void)
{
    unsigned long long k = (state += 0x9e3779b97f4a7c15ull);
    k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9ull;
    k = (k ^ (k >> 27)) * 0x94d049bb133111ebull;
    return k ^ (k >> 31);
}

/* Mostly small numbers near those of the witness; what y has at a place is often what x has there. */
static long long some(long long was)
{
    switch (word() % 5) {
    case 0: return was;
    case 1: return was + (long long)(word() % 3) - 1;
    case 2: return (long long)(word() % 4);
    case 3: return (long long)(word() % 64) - 16;
    default: return -was;
    }
}

int main(void)
{
    enum { COUNT = sizeof given / sizeof *given };
    long long v[COUNT];
    if (trial(given) != 0)
        return 0;
    for (long t = 0; t < TRIALS; t++) {
        for (int i = 0; i < COUNT; i++)
            v[i] = t % 2 == 0 && word() % 2 == 0 ? given[i] : some(given[i]);
        if (OF_X == OF_Y)
            for (int i = 0; i < OF_X; i++)
                if (word() % 4 != 0)
                    v[OF_X + i] = v[i];
        if (t % 3 == 0 && OF_X == OF_Y && OF_X > 0) {
            const int at = (int)(word() % OF_X);
            for (int i = 0; i < OF_X; i++)
                v[OF_X + i] = v[i];
            v[OF_X + at] = some(v[at]);
        }
        if (trial(v) != 0)
            return 0;
    }
    return 0;
}
"""


def build(root, includes, sources, program, options):
    """Compiles the sources; what the compiler said, or nothing."""
    command = ("gcc", *options, "-ffreestanding", "-fno-strict-aliasing", *("-I" + d for d in includes), *sources, "-o", str(program))
    done = subprocess.run(command, cwd=root, env=one.clean(), text=True, capture_output=True)
    return re.sub(r"\s+", " ", done.stderr)[:400] if done.returncode != 0 else ""


def numbered(text, start):
    """The initialiser with each number replaced, and the numbers."""
    found = [int(n) for n in NUMBER.findall(text)]
    count = iter(range(start, start + len(found)))
    return NUMBER.sub(lambda m: f"v[{next(count)}]", text), found


def declare(statement, name, of, text):
    kind = statement.types["z" if name == "z" else "x"]
    text = re.sub(r"v\[\d+\]", lambda m: f"({kind}){m[0]}" if re.fullmatch(r"\w*int\w*|size_t|long|char", kind) else m[0], text)
    if of.array:
        return f"    {kind} {name}[{statement.number(of.length)}] = {text};\n"
    if of.pointed:
        return f"    {kind} {name}_of = {text}, *{name} = &{name}_of;\n"
    return f"    {kind} {name} = {text};\n"


def printed(name, numbers):
    """A C expression that prints the numbers of an input."""
    return f'    printf("%s{name} =", *"{name}" == \'x\' ? "" : ", ");\n    for (int i = {numbers[0]}; i < {numbers[1]}; i++)\n        printf(" %lld", v[i]);\n'


def equal(statement, one, two):
    if not statement.a.array:
        return f"{one} == {two}" if statement.s.returned else f"*{one} == *{two}"
    return f"memcmp({one}, {two}, sizeof {one}) == 0"


def program(stage):
    st, s = stage.statement, stage.settings
    texts = [(stage.root / path).read_text() for path in [*stage.own, *stage.library]]
    given, parts, spans = [], [], []
    for name, of in (("x", st.x), ("y", st.x), ("z", st.z)):
        text, numbers = numbered(s.witness[name], len(given))
        spans.append((len(given), len(given) + len(numbers)))
        given += numbers
        parts.append(declare(st, name, of, text))
    formulas = {"neighbour": st.values(s.neighbours), "law": st.law("z")} | dict(st.clauses())
    if s.domain:
        formulas |= {"domain": st.values(s.domain), "domain_y": st.values(substitute(s.domain, {"x": "y"}))}
    if s.fails is not None:
        formulas["holds"] = st.holds()
    code, functions = logic.compiled(formulas, texts)
    lines = ["static int trial(const long long *v)\n{\n", *parts]
    lines += st.public_locals()
    for name, of in st.written():
        kind = "int64_t" if name == "w" else st.types["a"]
        size = st.number(of.length) if of.array else "1"
        lines.append(f"    {kind} {name}_at[{size}] = {{0}}, *{name} = {name}_at;\n" if not of.array else f"    {kind} {name}[{size}] = {{0}};\n")
    lines += [f"    if (!({code[n]}))\n        return 0;\n" for n in ("domain", "domain_y", "neighbour", "law") if n in code]
    lines.append(f"    align_{s.name}({', '.join(st.harness)});\n")
    if s.returned:
        lines += [f"    const {st.types['a']} r = {st.call(False)}, s = {st.call(True)};\n"]
    else:
        lines += [f"    {st.call(False)};\n    {st.call(True)};\n"]
    given_that = f"({code['holds']}) && " if "holds" in code else ""
    lines.append("    const char *broken = NULL;\n")
    lines += [f"    if (!({code[name]}))\n        broken = \"{name}\";\n" for name, _ in st.clauses()]
    lines.append(f"    if ({given_that}!({equal(st, 'r', 's')}))\n        broken = \"{'fails' if s.fails is not None else 'same'}\";\n")
    lines.append("    if (broken == NULL)\n        return 0;\n    printf(\"%s: \", broken);\n")
    lines += [printed(name, span) for name, span in zip("xyz", spans)]
    lines.append(values_of(st))
    lines.append('    puts("");\n    return 1;\n}\n')
    head = "#include <stdio.h>\n#include <string.h>\n"
    units = "".join(f'#include "{u}"\n' for u in dict.fromkeys([s.harness, *s.units]))
    numbers = f"static const long long given[] = {{{', '.join(map(str, given))}}};\nenum {{ TRIALS = {TRIALS}, OF_X = {spans[0][1]}, OF_Y = {spans[1][1] - spans[1][0]} }};\n"
    return head + units + '#include "acsl/alignment.h"\n' + functions + numbers + "".join(lines) + MAIN


def values_of(st):
    """Prints where the noise goes, and both answers."""
    def show(label, expression, length):
        if length:
            return f'    printf("{label}");\n    for (long long i = 0; i < {length}; i++)\n        printf(" %lld", (long long){expression}[i]);\n'
        return f'    printf("{label} %lld", (long long){expression});\n'
    if not re.fullmatch(r"\w*int\w*|size_t|long|char|_Bool|bool|unsigned|short", st.types["a"]):
        return show("; w =", "w" if st.z.array else "*w", st.z.length)
    star = "" if st.s.returned or st.a.array else "*"
    return (show("; w =", "w" if st.z.array else "*w", st.z.length) + show("; the answers are", f"{star}r", st.a.length)
            + show(" and", f"{star}s", st.a.length))


def clause_line(stage, clause):
    """Where the harness states the clause that is false: its file and line."""
    name = stage.settings.harness
    for number, line in enumerate((stage.root / name).read_text().splitlines(), 1):
        if re.search(rf"\bensures {clause.partition('_')[0]}\b", line): # cost_second is a part of cost
            return name, number
    return name, 1


def equal_witness(stage, scratch):
    """Neighbours that are equal prove nothing. This needs no formula, and is asked even where nothing can be searched."""
    st, s = stage.statement, stage.settings
    lines = []
    for name in "xy":
        kind, length = st.types["x"], f"[{st.number(st.x.length)}]" if st.x.array else ""
        lines.append(f"static const {kind} {name}{length} = {s.witness[name]};\n")
    source = scratch / "witness.c"
    source.write_text(f'#include <string.h>\n#include "{s.harness}"\n' + "".join(lines)
                      + "int main(void)\n{\n    return memcmp(&x, &y, sizeof x) != 0;\n}\n")
    options = ("-std=gnu11", "-w", "-ffunction-sections", "-Wl,--gc-sections") # only main is kept: what the harness calls is not here
    if said := build(stage.root, stage.includes, [str(source)], scratch / "witness", options):
        return [f"witness: x and y do not compile: {said}"]
    if subprocess.run((str(scratch / "witness"),)).returncode == 0:
        return ["witness: x and y are equal, and neighbours that are equal prove nothing"]
    return []


def search(stage, scratch):
    """{"problem", "text", "place"}: why the mechanism is refuted or its witness refused; None where nothing was found."""
    source = scratch / "search.c" # beside the user's files: one of them may have this name
    try:
        source.write_text(program(stage))
    except logic.Unknown:
        return None
    failed = build(stage.root, stage.includes, [str(source)], scratch / "search", ("-std=gnu11", "-O2", "-fwrapv", "-w"))
    if failed:
        return None
    try:
        done = subprocess.run((str(scratch / "search"),), text=True, capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return None
    said = done.stdout.strip()
    if not said:
        return None
    clause = said.partition(":")[0]
    file, line = clause_line(stage, clause)
    return {"problem": f"refuted: {clause} is false", "text": said,
            "place": {"file": file, "line": line, "function": f"align_{stage.settings.name}", "kind": "postcondition", "text": clause}}
