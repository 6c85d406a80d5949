# SPDX-License-Identifier: MIT
"""The judge: which goals count as proved, from which text, by which prover, with which assumptions.

This is the one place that decides. It reads no file, runs no program and asks no clock: every other file of this folder only
produces evidence, and this one takes it as data. So it can be read in one sitting, and tests/prove/evidence.py attacks it with
evidence that is made up. A line, a prover, an option or a status that it does not know is never a proof.

Evidence of a unit is a dictionary:

    unit    its path                       text   the digest of the text that Frama-C was given
    runs    what Frama-C was asked and printed, in order: kind (first, again, smoke), text, command, status, functions, lines
    said    what the text says (texts.py): contracts, bodies, calls, logic, requires, endless, unfounded, variables

`unit` makes a result of it; the other functions yield objections to results, one line each. Nothing is proved if there is one.
"""
import re
from collections import Counter

# ---- how Frama-C must have been asked -----------------------------------------------------------------

# A text is C11 that was preprocessed, for the machine of acsl/c11.
READ = ("-no-unicode", "-c11", "-machdep", "x86_64", "-no-pp-annot")
# Two of WP's own simplifications are switched off: they take half of its time, and the provers do not miss them.
OPTIONS = ("-wp-rte", "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-wp-no-ground", "-wp-no-pruning")
# Options that say how long, where and how to print, and which part is asked for; no other option is known here.
ASKED = ("-print", "-ocode", "-then", "-no-print", "-session", "-wp", "-wp-par", "-wp-cache", "-wp-cache-dir", "-wp-prover", "-wp-timeout",
         "-wp-steps", "-wp-fct", "-wp-prop", "-wp-smoke-tests", "-wp-no-smoke-tests", "-wp-smoke-timeout", "-wp-no-smoke-dead-call",
         "-wp-no-smoke-dead-code",
         "-wp-out", "-report", "-report-csv")
PARTS = ("-wp-fct", "-wp-prop") # what selects a part of a unit
OWN = ("qed", "cfg") # WP's own simplifier, and its reading of the control flow


def misasked(run):
    """Objections to the command of a run: an option that is missing, unknown, or leaves something out."""
    words = run["command"]
    options = [word.partition("=")[0] for word in words if re.match(r"-[a-z]", word)]
    yield from (f"Frama-C was not asked with {word}" for word in (*READ, *OPTIONS) if word not in words)
    yield from (f"Frama-C was asked with {word}, which is not known here" for word in dict.fromkeys(options)
                if word not in (*ASKED, *READ, *OPTIONS))
    if run["kind"] == "first" and not run["functions"] and any(word in PARTS for word in options):
        yield "Frama-C was asked for a part of the unit"


def provers_of(run):
    """The provers that a run asked for, in small letters."""
    words = run["command"]
    return {name for at, word in enumerate(words) if word == "-wp-prover" for name in words[at + 1].split(",")}


# ---- goals and their names ------------------------------------------------------------------------------

COLUMNS = ("safety", "contract", "probability", "alignment")
# A clause of one of these names speaks of how many words lead to a result.
PROBABILITY = re.compile(r"(?:^|_)(?:exact|law|fair)(?:_|$)")
# And of a harness align_NAME, or of private_NAME (statement.py), one of these says that the mechanism is private.
ALIGNMENT = re.compile(r"^align_\w+ ensures_(?:same|injective|cost|fails)(?:_|$)|^private_\w+ assert_(?:same|injective|cost|fails)(?:_|$)")
SAFETY = re.compile(r"assert_rte_|terminates|loop_variant|^call_")


def column(clause, function):
    if SAFETY.search(clause):
        return "safety"
    if ALIGNMENT.match(f"{function} {clause}"):
        return "alignment"
    return "probability" if PROBABILITY.search(clause) else "contract"


def owner(goal, functions):
    """The function of a goal: the longest name that it begins with."""
    return max((f for f in functions if goal.startswith(f + "_")), key=len, default="")


def clause_name(clause):
    """Returns the word by which -wp-prop selects the clause: its name, or its kind when it has none; nothing when unsure."""
    if "assert_rte_" in clause:
        return "rte"
    if match := re.search(r"(?:loop_invariant|ensures|requires|assert)_(\w+?)(?:_preserved|_established)?(?:_part\d+)?$", clause):
        return re.sub(r"_\d+$", "", match[1])
    for kind in ("assigns", "variant", "terminates", "complete", "disjoint"):
        if kind in clause:
            return "@" + kind + ("_behaviors" if kind in ("complete", "disjoint") else "")
    return ""


def group(goal, functions):
    """The function of a goal, and the name of its clause."""
    name = owner(goal, functions)
    return name, clause_name(goal[len(name) + 1:])


def clauses(result, name):
    """The clauses of a function that have goals, the parts of one as one."""
    return {re.sub(r"_part\d+$", "", clause) for clause in result["functions"].get(name, {"clauses": ()})["clauses"]}


# ---- one run of Frama-C ---------------------------------------------------------------------------------

PARSING = re.compile(r"\[kernel\] Parsing (\S+) \(no preprocessing\)")
GOAL = re.compile(r"\[wp\] \[([^\]]+)\] Goal (?:typed_)?(\w+)(?: : (\w+))?(.*)")
GRADES = re.compile(r"(?: \([\w.:]+\))*") # behind a goal that is proved: times, steps, "cached" or "Trivial"
SMOKED = re.compile(r"\[wp\] \[(\w+)\] Smoke-test (?:typed_)?(\w+)(.*)")
TIME = re.compile(r"\((?:Qed:)?([0-9.]+)(ms|s)\)")
SUM = re.compile(r"\[wp\] Proved goals:\s+(\d+)\s*/\s*(\d+)")
QUIET = re.compile(r"\[wp\] (?:Running WP plugin\.\.\.|Computing \[\d+ goals?\.\.\.\]|\d+ goals? scheduled|\[Cache\] .*)|\[report\] (?:Dumping|Computing) properties .*|")
DETAIL = re.compile(r"  [A-Z][\w-]*(?: [\w.]+)?: .*") # what a prover said, below a goal or a sum
# The property report, in which Frama-C says what it takes as valid without a proof.
PROPERTY = re.compile(r"\[ *([\w-]+) *\] (\S+)(?: '([^']+)')?.*")
RULE = re.compile(r"-{20,}|--- Status Report Summary|--- No status to report| {12,}\S.*")
COUNTED = re.compile(r" +(\d+) (Completely validated|Locally validated|Considered valid|To be validated|Total)")
EMPTY = "[wp] Warning: No goal generated"
STATUSES = ("Valid", "Partial", "-", "Extern")


class Run:
    """Reads what Frama-C prints. In each phase goals are counted twice, one by one and in WP's own sum, and the two must agree."""

    def __init__(self, lines=()):
        self.functions, self.goals, self.tail = [], {}, []
        self.smoke, self.passed, self.warnings, self.trusted, self.unknown = [], [], [], [], []
        self.parsed, self.sums, self.totals, self.seen, self.valid = [], [], {}, Counter(), 0
        self.subject = self.last = None
        self.reporting, self.considered = False, 0
        for line in lines:
            self.line(line)

    @property
    def unproved(self):
        return [name for name, goal in self.goals.items() if goal["status"] != "Valid"]

    def line(self, text):
        self.tail = (self.tail + [text])[-12:]
        if match := PARSING.fullmatch(text):
            self.parsed.append(match[1])
        elif match := re.fullmatch(r"\[rte:annot\] annotating function (\w+)", text):
            self.functions.append(match[1])
        elif (match := GOAL.fullmatch(text)) and (match[3] != "Valid" or GRADES.fullmatch(match[4])):
            self.goal(*match.groups())
        elif (match := SMOKED.fullmatch(text)) and not (match[1] == "Passed" and match[3]):
            self.seen["smoke test " + match[2]] += 1
            self.valid += match[1] == "Passed"
            (self.passed if match[1] == "Passed" else self.smoke).append(match[2])
        elif match := SUM.fullmatch(text):
            self.phase(int(match[1]), int(match[2]))
        elif text == EMPTY and self.sums:
            pass # an earlier phase left none
        elif "Warning:" in text or "User Error:" in text:
            self.warnings.append(text)
        elif self.warnings and text.startswith("  ") and self.last is not None and self.last == self.warnings[-1]:
            self.warnings[-1] += " " + text.strip()
            text = self.warnings[-1]
        elif not self.is_quiet(text):
            self.unknown.append(text)
        self.last = text

    def goal(self, by, name, status, rest):
        seconds = sum(float(n) / (1000 if unit == "ms" else 1) for n, unit in TIME.findall(rest))
        before = self.goals.get(name, {"seconds": 0})["seconds"]
        self.goals[name] = {"status": status or "Failed", "by": by, "took": round(seconds, 3), "seconds": round(before + seconds, 3)}
        self.seen[name] += 1
        self.valid += status == "Valid"

    def phase(self, proved, total):
        """A phase is over: what was read in it, and what WP counted."""
        self.sums.append((self.valid, proved, total))
        self.warnings += [f"{name} is printed {times} times in one phase" for name, times in self.seen.items() if times > 1]
        if sum(self.seen.values()) != total:
            self.warnings.append(f"WP counts {total} goals, and prints {sum(self.seen.values())}")
        self.seen, self.valid = Counter(), 0

    def is_quiet(self, text):
        """A line that says nothing of a goal, or one of the property report."""
        if text.startswith("[report] Computing"):
            self.reporting = True
        if QUIET.fullmatch(text) or DETAIL.fullmatch(text):
            return True
        if not self.reporting:
            return False
        if match := re.fullmatch(r"--- (?:Properties of Function '(\w+)'|Global.*)", text):
            self.subject = match[1]
            return True
        if match := PROPERTY.fullmatch(text):
            return match[1] in STATUSES and self.taken(*match.groups())
        if match := COUNTED.fullmatch(text):
            self.totals[match[2]] = int(match[1])
            return True
        return bool(RULE.fullmatch(text))

    def taken(self, status, kind, name):
        """A property of the report; those that are taken as valid without a proof are assumptions."""
        if status == "Extern":
            self.considered += 1
            self.trusted.append(f"{kind.lower()}:{name}" if kind in ("Axiom", "Admit") else f"extern:{self.subject or name}")
        return True

    def objections(self, asked, text):
        """Yields objections to the whole run, whatever its goals say."""
        yield from misasked(asked)
        where = f"/texts/{text.removeprefix('sha256:')[:16]}/"
        if asked["text"] != text or len(self.parsed) != 1 or where not in self.parsed[0]:
            yield "Frama-C has read another text than the one that is judged"
        if asked["status"] != 0:
            yield f"Frama-C ended with {asked['status']}"
        yield from (f"a line that is not understood: {line}" for line in self.unknown)
        allowed = provers_of(asked) | set(OWN)
        yield from (f"{name}: proved by {goal['by']}, which was not asked" for name, goal in self.goals.items()
                    if goal["status"] == "Valid" and goal["by"].split()[0].lower() not in allowed)
        if "Total" not in self.totals and not (asked["kind"] == "smoke" and not self.goals and not self.passed): # nothing to test
            yield "no report of what is taken as valid"
        elif self.totals.get("Considered valid", 0) != self.considered:
            yield f"{self.totals.get('Considered valid', 0)} properties are taken as valid, and {self.considered} of them were read"


# ---- one unit -------------------------------------------------------------------------------------------

def unit(evidence):
    """The result of a unit: its goals, functions and assumptions, and `broken`, what speaks against its evidence."""
    said = evidence["said"]
    if not evidence["runs"] or evidence["runs"][0]["kind"] != "first":
        first, run, broken = {"functions": [], "command": []}, Run(), ["nothing was run"]
    else:
        first, run, broken = evidence["runs"][0], Run(evidence["runs"][0]["lines"]), []
        broken = list(run.objections(first, evidence["text"]))
    result = {"unit": evidence["unit"], "text": evidence["text"], "functions": functions_of(run), "goals": list(run.goals),
              "records": run.goals, "strays": [g for g in run.goals if not owner(g, run.functions)], "unproved": run.unproved,
              "smoke": sorted(set(run.smoke)), "smoked": len(run.passed), "warnings": run.warnings, "trusted": sorted(set(run.trusted)),
              "sums": run.sums, "others": others(run, first), "part": list(first["functions"]), "broken": broken, **said}
    result["tests"] = sorted({*run.passed, *run.smoke})
    todo = set(result["others"])
    for extra in evidence["runs"][1:]:
        more = Run(extra["lines"])
        broken += [f"{extra['kind']}: {what}" for what in (*more.objections(extra, evidence["text"]), *more.warnings) if what != EMPTY]
        if extra["kind"] == "again":
            again(result, more)
        elif extra["kind"] == "smoke":
            broken += smoke_gaps(result, extra["functions"], more)
            result["smoke"] = sorted({*result["smoke"], *more.smoke})
            todo -= set(extra["functions"])
        else:
            broken.append(f"a run of no known kind: {extra['kind']}")
    result["untested"] = sorted(todo)
    return result


def smoke_gaps(result, functions, run):
    """Smoke tests by the other provers: of a function all that the first prover was given, and none is of a function that assumes
    nothing. The run has goals of termination beside them, without which WP drops a test, and no others."""
    gone = sorted({owner(test, result["functions"]) for test in {*result["tests"]} - {*run.passed, *run.smoke}} & {*functions})
    if gone or any("_terminates" not in goal for goal in run.goals):
        yield f"the smoke tests of {', '.join(gone or functions)} were not run"


def functions_of(run):
    """Returns for each function its goals by column, the seconds of the provers, and its clauses."""
    found = {f: dict.fromkeys(COLUMNS, 0) | {"seconds": 0.0, "clauses": []} for f in run.functions}
    for goal, record in run.goals.items():
        if name := owner(goal, run.functions):
            clause = goal[len(name) + 1:]
            found[name][column(clause, name)] += 1
            found[name]["seconds"] = round(found[name]["seconds"] + record["seconds"], 3)
            found[name]["clauses"].append(clause)
    return found


def others(run, first):
    """The functions in which another prover than the first has proved something: it is asked for a contradiction there, too."""
    words = first["command"]
    alone = words[words.index("-wp-prover") + 1].split(",")[0] if "-wp-prover" in words else ""
    return sorted({owner(goal, run.functions) for goal, record in run.goals.items()
                   if record["by"].split()[0].lower() not in (alone, *OWN)} - {""})


def again(result, second):
    """A second try, of the clauses that failed. Numbers in the names of goals may differ between runs: a clause counts when all its
    goals are there and each is proved."""
    names = result["functions"]
    failed = {group(goal, names) for goal in result["unproved"]}
    before, after = Counter(group(g, names) for g in result["goals"]), Counter(group(g, names) for g in second.goals)
    still = {group(goal, names) for goal in second.unproved}
    won = {clause for clause in failed if clause not in still and after[clause] >= before[clause]}
    for goal in [g for g in result["unproved"] if group(g, names) in won]:
        records = [r for g, r in second.goals.items() if group(g, names) == group(goal, names)]
        result["records"][goal] = result["records"][goal] | {"status": "Valid", "by": records[0]["by"], "took": records[0]["took"]}
    result["unproved"] = [g for g in result["unproved"] if group(g, names) not in won]


def is_complete(result):
    """True if there were goals, and each phase was read as WP counts it."""
    return any(total > 0 for _, _, total in result["sums"]) and all(read == proved for read, proved, _ in result["sums"])


def counted(result):
    """The goals that count as proved; none where something speaks against the evidence."""
    if result["broken"] or result["warnings"] or result["smoke"] or not is_complete(result):
        return []
    return [goal for goal in result["goals"] if goal not in set(result["unproved"]) and goal not in set(result["strays"])]


def objections(result, defined, listed, where="docs/trust.md"):
    """The reasons why a unit is not proved, one line each. `defined`: functions that are proved elsewhere."""
    name = result["unit"]
    yield from (f"unproved: {goal} ({name})" for goal in result["unproved"])
    yield from (f"inconsistent, smoke test failed: {goal} ({name})" for goal in result["smoke"])
    yield from (f"{name}: {what}" for what in (*result["broken"], *result["warnings"]))
    yield from (f"{name}: goal of no function: {goal}" for goal in result["strays"])
    yield from contract_gaps(result)
    yield from smoke_missing(result)
    for item in result["trusted"]:
        kind, _, about = item.partition(":")
        if not (kind == "extern" and about in defined) and item not in listed:
            yield f"trusted but not listed in {where}: {item} ({name})"
    if not is_complete(result):
        yield f"{name}: goals read as proved, proved and goals in WP's own sums: {result['sums']}"


def contract_gaps(result):
    """A function must say what it gives, what it writes, and that it ends; and one with a body must have goals."""
    for name, function in result["functions"].items():
        for clause in ("ensures", "assigns", "terminates"):
            if not any(re.search(rf"(?:^|_){clause}(?:_|$)", c) and not c.startswith(("loop_", "call_"))
                       for c in function["clauses"]):
                yield f"{name}: no {clause} clause is proved ({result['unit']})"
    if not result["part"]:
        yield from (f"{name}: it has a body and no goals ({result['unit']})"
                    for name in result["bodies"] if name not in result["functions"])


ASSUMED = re.compile(r"wp_smoke_\w+_requires$")


def smoke_missing(result):
    """A contradiction is looked for in all that a function requires, by each prover that proved something of it."""
    if not result["part"]:
        tested = {owner(test, result["functions"]) for test in result["tests"] if ASSUMED.search(test)}
        yield from (f"{name}: it assumes something, and has no smoke test ({result['unit']})"
                    for name in result["functions"] if name in result["requires"] and name not in tested)
        yield from (f"{name}: no smoke test by the other provers ({result['unit']})" for name in result["untested"])


def unsound_texts(result):
    name = result["unit"]
    yield from (f"{function}: nothing says that it ends, always ({name})" for function in result["endless"])
    yield from (f"{word}: a definition that need not end ({name})" for word in result["unfounded"])


# ---- units together -------------------------------------------------------------------------------------

def clashes(results, kind="contracts"):
    """A name is one function with one contract, and one word of the logic, whoever reads it: a caller that declares another contract
    than the one that is proved would rest on nothing."""
    seen, noun = {}, "contracts of this name" if kind == "contracts" else "definitions"
    for result in results:
        for name, said in result[kind].items():
            if seen.setdefault(name, said) != said:
                yield f"{name}: two {noun}, the second in {result['unit']}"


def circles(results):
    """A function that comes back to itself through calls, across units. Code and ghost code alike: a lemma that is used in its own
    proof proves anything."""
    calls = {}
    for result in results:
        for name, called in result["calls"].items():
            calls.setdefault(name, set()).update(called)
    if found := cycle(calls):
        yield f"calls go in a circle: {' -> '.join(found)}"


def cycle(calls):
    done = set()

    def visit(name, path):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done or name not in calls:
            return None
        for called in sorted(calls[name]):
            if found := visit(called, path + [name]):
                return found
        done.add(name)
        return None

    return next((found for name in sorted(calls) if (found := visit(name, []))), None)


def twice(results):
    seen = Counter(result["unit"] for result in results)
    yield from (f"{name}: judged {times} times" for name, times in seen.items() if times > 1)


def texts_differ(results, texts):
    """The text that is judged is the one that is there now: {unit: digest}."""
    yield from (f"{result['unit']}: proved of another text than the one that is compiled"
                for result in results if texts.get(result["unit"], result["text"]) != result["text"])


# ---- harnesses ------------------------------------------------------------------------------------------

# The clauses proved of both runs of a harness; with these it does not matter how its body came by the answers.
RUNS = ("first", "second")


def is_harness(name, function):
    return bool(function["alignment"]) and name.startswith("align_") or name.startswith("contraction_")


def harnesses(results):
    return [(result, name, function) for result in results for name, function in result["functions"].items() if is_harness(name, function)]


def subject_of(name):
    return re.sub(r"^(?:align|contraction)_", "pby_", name)


def idle_harnesses(results):
    """A harness speaks for pby_NAME only when it runs pby_NAME, itself or through another function of its unit."""
    for result, name, _ in harnesses(results):
        reached, todo = set(), [name]
        while todo:
            called = todo.pop()
            if called not in reached:
                reached.add(called)
                todo += result["calls"].get(called, [])
        if subject_of(name) not in reached:
            yield f"{name}: no run of {subject_of(name)} ({result['unit']})"


def missing_hypotheses(results, wanted):
    """A harness proves what both runs computed and, under their names, the hypotheses of the theorem that speak of the code. For a map
    in front of a mechanism there is one, that what comes out is no further apart."""
    for result, name, function in harnesses(results):
        proved = clauses(result, name)
        yield from (f"{name}: no clause {h}, a hypothesis of alignment_private ({result['unit']})"
                    for h in (wanted if function["alignment"] else ["closer"]) if f"ensures_{h}" not in proved)
        yield from (f"{name}: no clause {run} says what that run computed ({result['unit']})"
                    for run in RUNS if f"ensures_{run}" not in proved)


def missing_witnesses(results):
    """A harness whose hypotheses nothing fulfils proves nothing. Its witness calls it with numbers, assumes nothing, and has a goal
    for every hypothesis at that call."""
    for result in results:
        if result["unit"].startswith("proofs/alignment/") and result["functions"] and not harnesses([result]) \
                and result["unit"] != "proofs/alignment/noise.c":
            yield f"{result['unit']}: no harness"
    for result, name, _ in harnesses(results):
        witness = re.sub(r"^\w+?_", "witness_", name)
        if name not in result["calls"].get(witness, ()):
            yield f"{name}: no function {witness} calls it ({result['unit']})"
        elif witness in result["requires"]:
            yield f"{witness}: a witness assumes nothing ({result['unit']})"
        elif not any(c.startswith(f"call_{name}_requires_") for c in clauses(result, witness)):
            yield f"{witness}: no hypothesis of {name} is proved at its call ({result['unit']})"


def missing_statements(results, claims):
    """Yields harnesses without a statement private_NAME, which the driver wrote: it calls the harness, each of its assertions has
    goals, and its witness shows that its hypotheses can hold. `claims`: {NAME: names of the assertions}."""
    for result, name, function in harnesses(results):
        about = name.partition("_")[2]
        private = f"private_{about}"
        if not function["alignment"]:
            continue
        if about not in claims:
            yield f"{name}: no statement of it in the table ({result['unit']})"
            continue
        proved = clauses(result, private)
        yield from (f"{private}: no goal {clause} ({result['unit']})" for clause in claims[about] if f"assert_{clause}" not in proved)
        if name not in result["calls"].get(private, ()):
            yield f"{private}: it does not call {name} ({result['unit']})"
        if not any(c.startswith(f"call_{private}_requires_") for c in clauses(result, f"witness_{private}")):
            yield f"witness_{private}: no hypothesis is proved at its call ({result['unit']})"


# ---- wrong variants -------------------------------------------------------------------------------------

def wrong_variant(result):
    """Everything about a wrong variant must be proved except its alignment, which must not be."""
    unproved = [(owner(goal, result["functions"]), goal) for goal in result["unproved"]]
    if not any(column(goal[len(name) + 1:], name) == "alignment" for name, goal in unproved):
        yield f"a wrong variant was proved: {result['unit']}"
    yield from (f"{result['unit']}: not only the alignment is unproved: {goal}" for name, goal in unproved
                if column(goal[len(name) + 1:], name) != "alignment")
    yield from (f"{result['unit']}: {what}" for what in (*result["broken"], *result["warnings"]))


# ---- mechanisms that are not ours -----------------------------------------------------------------------

CLAUSES = ("first", "second", "same", "injective", "cost")
LISTED = "prove.toml, [trust] externs"


def mechanism(about, results):
    """Objections to the proof of a mechanism. `about`: its name, units, externs, whether it `fails`, the `clauses` of the statement and
    its unit, the functions that are `static`, the library's `lemmas`, and `shipped`, what the library has proved."""
    defined = {f for r in results for f in r["functions"]} - about["static"] | (about["lemmas"] & set(about["shipped"]["goals"]))
    listed = {f"extern:{name}" for name in about["externs"]}
    for result in results:
        yield from objections(result, defined, listed, LISTED)
        yield from unsound_texts(result)
        yield from (f"{name}: a variable that is not constant: what it holds is in no input ({result['unit']})"
                    for name in result["variables"])
    yield from twice(results)
    yield from circles(results)
    yield from clashes(results)
    yield from library_clashes(about, results)
    yield from word_clashes(results)
    yield from statement_gaps(about, results)
    used = {i for r in results for i in r["trusted"] if not (i.startswith("extern:") and i.split(":")[1] in defined)}
    yield from (f"{LISTED} has {name}, which is not used" for name in about["externs"] if f"extern:{name}" not in used)


def library_clashes(about, results):
    """Yields definitions of the library that differ from those of the shipped result."""
    ours, shipped = about["lemmas"] & set(about["shipped"]["contract"]), about["shipped"]
    for result in results:
        for name, said in result["contracts"].items():
            if name in ours and said != shipped["contract"][name]:
                yield f"{name}: another contract than the one that the library proved ({result['unit']})"
        for name, said in result["logic"].items():
            if name.startswith(("acsl/", "proofs/")) and shipped["logic"].get(name) != said:
                yield f"{name}: another definition than the one that the library proved with ({result['unit']})"


def word_clashes(results):
    """A word of the logic has one definition, whichever file it stands in."""
    seen = {}
    for result in results:
        for name, said in result["logic"].items():
            name = name.rpartition(": ")[2]
            before, where = seen.setdefault(name, (said, result["unit"]))
            if before != said:
                yield f"{name}: two definitions, in {where} and in {result['unit']}"


def statement_gaps(about, results):
    """The mechanism is defined in a unit, the harness has its clauses, and each part of the statement has goals."""
    name = about["name"]
    if not any(name in r["bodies"] for r in results if r["unit"] in about["units"]):
        yield f"{name}: defined in no unit of prove.toml"
    last = next((r for r in results if r["unit"] == about["statement"]), None)
    if last is None:
        yield f"private_{name}: the statement was not proved"
        return
    harness, proved = clauses(last, f"align_{name}"), clauses(last, f"private_{name}")
    yield from (f"align_{name}: no clause {clause}" for clause in (*CLAUSES, *(["fails"] if about["fails"] else []))
                if f"ensures_{clause}" not in harness)
    wanted = {f"assert_{clause}" for clause in about["clauses"]} | {"assert_first", "assert_fails" if about["fails"] else "assert_same"}
    yield from (f"private_{name}: no goal {clause}" for clause in sorted(wanted - proved))
    if not any(c.startswith(f"call_private_{name}_requires_") for c in clauses(last, f"witness_{name}")):
        yield f"witness_{name}: no hypothesis is proved at its call"


# ---- the baseline ---------------------------------------------------------------------------------------

def below_floor(result, floor, where):
    for name, function in result["functions"].items():
        if name not in floor:
            yield f"{name}: not in {where}; once it is proved, --accept adds it"
            continue
        for kind in COLUMNS:
            least = floor[name].get(kind, 0)
            if function[kind] < least:
                lost = ": the column is lost" if function[kind] == 0 else ""
                yield f"{name}: {function[kind]} {kind} goals, the floor is {least}{lost}"
            elif function[kind] > least:
                yield f"{name}: {function[kind]} {kind} goals, the floor is only {least}: --accept raises it"


def library(results, wrong, wanted, claims, floor, listed, whole, where, axioms=()):
    """Objections to the proofs of the library. `wanted`: the hypotheses of alignment_private; `claims`: the statements of harnesses;
    `floor`: the goals of the baseline; `axioms`: what the theorems of Coq rest on."""
    defined = {f for r in results for f in r["functions"]} | (set() if whole else set(floor))
    for result in results:
        yield from objections(result, defined, listed)
        yield from below_floor(result, floor, where)
    yield from twice(results)
    yield from idle_harnesses(results)
    yield from missing_witnesses(results)
    yield from missing_hypotheses(results, wanted)
    yield from missing_statements(results, claims)
    for result in wrong:
        yield from wrong_variant(result)
    if whole:
        used = {item for r in results for item in r["trusted"]} | set(axioms)
        yield from (f"docs/trust.md lists {item}, which is not used" for item in sorted(listed - used))
