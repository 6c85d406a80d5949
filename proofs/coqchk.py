# SPDX-License-Identifier: MIT
"""Coq judged by Coq: what a compiled file says and takes for granted, asked of Coq and of its checker, not read from the source.

A file is compiled in a folder of its own, with no library but those that are installed. A second file, written here, requires
what was compiled, imports nothing, and prints with full names what the module holds: each definition with its body, and what each
theorem says. `coqchk` then reads what was compiled and lists the axioms and whatever was not checked. Every line of these answers
must be understood; docs/trust.md lists what may stand there. A file that switches off a check is not compiled at all.
"""
import os
import re
import subprocess

import text as one
from wp import Missing, Refused

SECONDS = 180
# Words that switch off a check, that take something for granted, or that reach outside of the file. A comment may not have them either.
SWITCHES = re.compile(
    r"\b(?:Guard|Universe|Positivity)\s+Checking\b|\bbypass_check\b|\bType\s+In\s+Type\b|\bDefinitional\s+UIP\b|\bStrictProp\b|\bSProp\b|"
    r"\bAdmitted\b|\badmit\b|\bgive_up\b|\bAxioms?\b|\bParameters?\b|\bConjectures?\b|\bDeclare\b|\bPrimitive\b|\bRegister\b|"
    r"\bLoad\b|\bAdd\s+(?:Rec\s+)?(?:LoadPath|ML)\b|\bRedirect\b|\bExtraction\b|\bCd\b|\bDrop\b|\bCanonical\b|\bModule\b|\bInclude\b")
NAME = r"[A-Za-z_][\w.']*"
PRINTING = "Set Printing All.\nSet Printing Width 200.\nSet Printing Depth 100000.\n"
# Coq prints these as written; what follows a mark is the answer to one question.
MARK = 'Goal True. idtac "=== {}". Abort.\n'
SUMMARY = ("* Theory:", "* Axioms:", "* Constants/Inductives relying on type-in-type:",
           "* Constants/Inductives relying on unsafe (co)fixpoints:", "* Inductives whose positivity is assumed:")


class Doubt(Refused):
    """An answer of Coq's that is not understood, or a file that is refused: one line or more that say why."""


def environment(folder):
    """Neither COQPATH nor a folder of the user's adds a library; what is installed does."""
    return one.clean() | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
            "XDG_DATA_DIRS": "", "XDG_CONFIG_DIRS": "", "LC_ALL": "C"}


def switches(name, text):
    """Returns the words of a file that may not stand in it."""
    if not text.isascii() or "\r" in text:
        return [f"{name}: a character beyond ASCII, which may look like another"]
    return [f"{name}: '{' '.join(found.split())}' switches off a check, takes something for granted or reaches out of the file"
            for found in dict.fromkeys(SWITCHES.findall(text))]


def run(folder, words, seconds):
    """(whether it ended well, what it said)"""
    try:
        done = subprocess.run(words, cwd=folder, env=environment(folder), text=True, capture_output=True, timeout=seconds)
    except FileNotFoundError:
        raise Missing(words[0], "coq") from None
    except subprocess.TimeoutExpired:
        return False, f"no end after {seconds} s"
    return done.returncode == 0, done.stdout + done.stderr


def paths(theory, beside=()):
    return ["-Q", str(theory), "Probity", *(word for path in beside for word in ("-Q", str(path), ""))]


def ask(folder, name, modules, questions, theory=".", beside=(), seconds=SECONDS):
    """The answers to commands of Coq about compiled modules."""
    text = "".join(f"Require {module}.\n" for module in modules) + PRINTING
    text += "".join(MARK.format(i) + question + "\n" for i, question in enumerate(questions)) + MARK.format("end")
    (folder / f"{name}.v").write_text(text)
    good, output = run(folder, ("coqc", "-q", *paths(theory, beside), f"{name}.v"), seconds)
    parts = re.split(r"^=== (\d+|end)\n", output, flags=re.M)
    if not good or parts[0].strip() or parts[1::2] != [*map(str, range(len(questions))), "end"] or parts[-1].strip():
        raise Doubt(f"coq does not answer about {', '.join(modules)}: {output.strip()[:2000]}")
    return [part.strip() for part in parts[2:-1:2]]


# ---- what a module holds ---------------------------------------------------------------------------

ENTRY = re.compile(rf"^(Parameter|Definition|Inductive|CoInductive|Variant|Record) ({NAME})\b")


def entries(module, printed):
    """{name: kind} of a module, from what Print Module says of it: sentences, each with a stop behind it."""
    text = " ".join(printed.split())
    whole = re.fullmatch(rf"Module {NAME} := Struct (.*)End", text)
    if not whole:
        raise Doubt(f"{module}: what it holds is not understood: {text[:200]}")
    found = {}
    for sentence in filter(None, (part.strip() for part in re.split(r"\.(?: |$)", whole[1]))):
        match = ENTRY.match(sentence)
        if not match or match[2] in found:
            raise Doubt(f"{module}: holds what is not understood: {sentence[:200]}")
        found[match[2]] = match[1]
    return found


def held(folder, modules, theory=".", beside=(), name="Held", seconds=SECONDS):
    """{module: {name: (kind, what Coq prints of it, its arguments)}}: a definition or a type in full, of a theorem what it says."""
    where = dict(theory=theory, beside=beside, seconds=seconds)
    printed = ask(folder, f"{name}Names", modules, [f"Print Module {module}." for module in modules], **where)
    known = [(module, thing, kind) for module, text in zip(modules, printed) for thing, kind in entries(module, text).items()]
    questions = [q for m, t, kind in known for q in (f"Check @{m}.{t}." if kind == "Parameter" else f"Print {m}.{t}.", f"About {m}.{t}.")]
    answers = ask(folder, f"{name}Texts", modules, questions, **where) if questions else []
    found = {module: {} for module in modules}
    for (module, thing, kind), text, about in zip(known, answers[::2], answers[1::2]):
        whole = re.search(r"^Expands to: (?:Constant|Inductive) (\S+)$", about, re.M)
        if not whole or whole[1] != f"{module}.{thing}":
            raise Doubt(f"{module}.{thing}: Coq tells of another one: {about[-200:]}")
        arguments = re.search(r"^Arguments \S+ (.*(?:\n  .*)*)", about, re.M)
        found[module][thing] = (kind, " ".join(re.sub(r"\n\n?Arguments [\s\S]*$", "", text).split()),
                                re.findall(r"\w+", re.sub(r"%\w+", "", arguments[1])) if arguments else [])
    return found


def definitions(module_held):
    """Returns the definitions that the statements of a module use, as one text."""
    return "\n".join(f"{kind} {text}" for _, (kind, text, _) in sorted(module_held.items()) if kind != "Parameter")


def statement(module, module_held, theorem):
    """Returns the statement of a theorem; one that is a definition, so that others compute with its proof, is refused."""
    kind, text, _ = module_held.get(theorem, (None, "", ()))
    if kind != "Parameter":
        raise Doubt(f"{module}.{theorem}: " + ("a definition, expected a theorem whose proof ends in Qed" if kind else "not in the compiled file"))
    return text


def binders(text):
    """(name, type) of each binder in front of a statement, one after the other."""
    body, found = text.partition(" : ")[2].removeprefix("forall "), []
    while body.startswith("("):
        depth = 0
        for end, c in enumerate(body):
            depth += (c == "(") - (c == ")")
            if depth == 0:
                break
        names, _, kind = body[1:end].partition(" : ")
        found += [(name, kind) for name in names.split()]
        body = body[end + 1:].strip()
    return found


def hypotheses(module_held, theorem):
    """Those that a theorem gives a name to, and that speak of all of something."""
    kind, text, arguments = module_held.get(theorem, (None, "", []))
    return [name for name, (shown, said) in zip(arguments, binders(text)) if shown == "_" and name != "_" and said.startswith("forall")]


# ---- what is taken for granted ---------------------------------------------------------------------

def assumptions(folder, modules, theorems, name="Rests", **where):
    """The axioms that theorems rest on. Coq is asked about all at once: it then looks only once at what they share."""
    every = "".join(f", @{theorem}" for theorem in theorems)
    said = ask(folder, name, modules, [f"Definition every := (tt{every}).\nPrint Assumptions every."], **where)[0]
    return axioms_of(said.removeprefix("every is defined").strip(), ", ".join(theorems[:3]))


def axioms_of(said, about):
    """The names in an answer of Print Assumptions."""
    if said == "Closed under the global context":
        return []
    lines = said.split("\n")
    if lines[0] != "Axioms:":
        raise Doubt(f"what {about} rest on is not understood: {lines[0][:200]}")
    found = []
    for line in lines[1:]:
        match = re.match(rf"({NAME})(?: :|$)", line)
        if match:
            found.append(match[1])
        elif not line.startswith("  ") or not found:
            raise Doubt(f"what {about} rest on is not understood: {line[:200]}")
    return sorted(set(found))


def checked(folder, modules, theory=".", beside=(), seconds=600):
    """The axioms that coqchk lists of modules, whose proofs it checks again; those of the libraries that they load are among them.
    Libraries themselves are taken as they are installed."""
    words = ["coqchk", "-silent", "-o", "-bytecode-compiler", "yes", *(w for module in modules for w in ("-norec", module))]
    good, output = run(folder, (*words, *paths(theory, beside)), seconds)
    if not good:
        raise Doubt(f"coqchk does not accept {', '.join(modules)}: {output.strip()[:2000]}")
    return summary(output, ", ".join(modules[:3]))


def summary(output, about):
    """The axioms in a summary of coqchk; whatever else it lists is refused."""
    parts = re.split(r"^(\* [^:\n]*:)", output, flags=re.M)
    if parts[0].split() != ["CONTEXT", "SUMMARY", "==============="] or tuple(parts[1::2]) != SUMMARY:
        raise Doubt(f"coqchk: of {about}: not understood: {output.strip()[:1000]}")
    theory, axioms, *unsafe = (part.strip() for part in parts[2::2])
    if theory != "Set is predicative":
        raise Doubt(f"coqchk: of {about}: {theory}")
    for what, part in zip(SUMMARY[2:], unsafe):
        if part != "<none>":
            raise Doubt(f"coqchk: of {about}: {what.removeprefix('* ')} {' '.join(part.split())}")
    names = [] if axioms == "<none>" else axioms.split()
    if not all(re.fullmatch(NAME, name) for name in names):
        raise Doubt(f"coqchk: of {about}: not understood: {axioms[:1000]}")
    return sorted(names)


class Trust:
    """The assumptions that docs/trust.md allows: `coq:AXIOM`, an axiom by the end of its name, and `coqchk:MODULE`, a module of
    a library whose contents are sealed by a signature or computed by the machine. Theorems may rest on the integers of the
    latter, `Uint63` and `PrimInt63`, and on no other module."""

    def __init__(self, text):
        self.axioms = set(re.findall(r"`coq:([\w.]+)`", text))
        self.modules = set(re.findall(r"`coqchk:([\w.]+)`", text))
        self.machine = set(re.findall(r"`((?:Prim|U)[Ii]nt63)`", text))

    def entry(self, name):
        """Returns the entry that allows an axiom by its full name, or None."""
        for axiom in self.axioms:
            if name == axiom or name.startswith("Coq.") and name.endswith(f".{axiom}"):
                return f"coq:{axiom}"
        return next((f"coqchk:{module}" for module in self.modules if name.startswith(f"{module}.")), None)

    def strangers(self, names):
        """The axioms in an answer of Print Assumptions, which shortens their names, that are not allowed."""
        return [f"trusted but not listed in docs/trust.md: coq:{name}" for name in names
                if name not in self.axioms and name.split(".")[0] not in self.machine]

    def objections(self, names, about):
        return [f"coqchk: trusted but not listed in docs/trust.md: {name} ({about})" for name in names if self.entry(name) is None]
