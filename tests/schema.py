#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The JSON schemas in docs/ accept what the project writes and reads: every certificate of tests/vectors, the samples of
docs/events, and the plans, verdicts and dossiers of an audit. And they refuse what is changed: a certificate or a part of
a dossier with a member left out, added or altered.
usage: schema.py"""
import copy
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
SILENT = {"$schema", "$defs", "$id", "title", "description"}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
         "null": type(None)}


def fault(value, rule, whole):
    """Why a value does not fit a rule of the schema `whole`; None where it does."""
    unknown = set(rule) - SILENT - set(CHECKS)
    if unknown:
        sys.exit(f"schema: {sorted(unknown)} is no keyword that is checked here")
    return next((why for key in rule if key in CHECKS for why in [CHECKS[key](value, rule, whole)] if why), None)


def has_type(value, rule, _):
    fits = isinstance(value, TYPES[rule["type"]]) and (rule["type"] == "boolean" or not isinstance(value, bool))
    return None if fits else f"{value!r} is no {rule['type']}"


def has_members(value, rule, whole):
    known = rule.get("properties", {})
    for name, inner in value.items():
        if name not in known:
            if rule.get("additionalProperties", True) is False:
                return f"member {name!r} is not known"
        else:
            why = fault(inner, known[name], whole)
            if why:
                return f"{name}: {why}"
    return None


def fits_some(value, rules, whole, most):
    fitting = sum(fault(value, rule, whole) is None for rule in rules)
    return None if 1 <= fitting <= most else f"{value!r} fits {fitting} of {len(rules)} forms"


def referred(value, rule, whole):
    at = whole
    for name in rule["$ref"].removeprefix("#/").split("/"):
        at = at[name]
    return fault(value, at, whole)


CHECKS = {
    "$ref": referred,
    "type": has_type,
    "const": lambda v, r, _: None if v == r["const"] else f"{v!r} is not {r['const']!r}",
    "enum": lambda v, r, _: None if v in r["enum"] else f"{v!r} is none of {r['enum']}",
    "pattern": lambda v, r, _: None if not isinstance(v, str) or re.search(r["pattern"], v) else f"{v!r} has another form",
    "minLength": lambda v, r, _: None if len(v) >= r["minLength"] else f"{v!r} is too short",
    "required": lambda v, r, _: next((f"no member {n!r}" for n in r["required"] if n not in v), None),
    "dependentRequired": lambda v, r, _: next((f"{n!r} without {m!r}" for n, needed in r["dependentRequired"].items()
                                               if n in v for m in needed if m not in v), None),
    "properties": has_members,
    "additionalProperties": lambda v, r, w: None if r["additionalProperties"] is False else next(
        (why for k, x in v.items() if k not in r.get("properties", {}) for why in [fault(x, r["additionalProperties"], w)] if why), None),
    "minItems": lambda v, r, _: None if len(v) >= r["minItems"] else f"{v!r} is too short",
    "maxItems": lambda v, r, _: None if len(v) <= r["maxItems"] else f"{v!r} is too long",
    "items": lambda v, r, w: next((why for x in v for why in [fault(x, r["items"], w)] if why), None),
    "anyOf": lambda v, r, w: fits_some(v, r["anyOf"], w, len(r["anyOf"])),
    "oneOf": lambda v, r, w: fits_some(v, r["oneOf"], w, 1),
}


def changed(certificate):
    """Certificates that are none any more."""
    for name in ("delta", "digest", "epsilon", "neighbours", "spec"):
        less = copy.deepcopy(certificate)
        del less[name]
        yield f"without {name}", less
    for name, value in (("extra", 1), ("neighbours", "nearby"), ("epsilon", 1), ("delta", {"lo": "0"}), ("version", 2)):
        yield f"with {name} {value!r}", certificate | {name: value}


def changed_members(document):
    """The document without each of its members, and with one more."""
    for name in document:
        less = copy.deepcopy(document)
        del less[name]
        yield f"without {name}", less
    yield "with a member more", document | {"extra": 1}


def result_faults():
    """Yields where the schema of judged deployments accepts too much or too little; the file in one has its own schema."""
    schema = json.loads((ROOT / "docs/deployment-result.schema.json").read_text())
    inner = json.loads((ROOT / "docs/deployment.schema.json").read_text())
    result = json.loads((ROOT / "tests/vectors/deployment-result.json").read_text())
    for why in (fault(result, schema, schema), fault(result["deployment"], inner, inner)):
        if why:
            yield f"result: {why}"
    for change, other in changed_members(result):
        if change != "without signature" and fault(other, schema, schema) is None:
            yield f"result: accepted {change}"
    for change, other in changed_members(result["judgement"]):
        if fault(result | {"judgement": other}, schema, schema) is None:
            yield f"result: accepted a judgement {change}"


def audit_faults():
    """Yields documents that the schema of audits accepts and should not, or the other way."""
    schema = json.loads((ROOT / "docs/audit.schema.json").read_text())
    dossiers = [json.loads((ROOT / f"tests/vectors/dossier{version}.json").read_text()) for version in ("", "-2", "-deployment", "-canaries")]
    optional = {"not_looked_at", "error", "signature", "reason", "enough", "features", "search", "sources", "looks",
                "missing", "profile_counts", "stated", "deployment"}
    answers = [json.loads(path.read_text()) for path in sorted((ROOT / "tests/vectors/answers").glob("*.json"))]
    documents = [json.loads((ROOT / "tests/peers/plan.json").read_text())]
    for dossier in dossiers:
        documents += [dossier, dossier["plan"], *dossier["results"], *(result["verdict"] for result in dossier["results"])]
    for answer in answers:
        what = "law" if "law" in answer else "trace_verdict" if "ends" in answer else "canaries"
        why = fault(answer, schema["$defs"][what], schema) or fault(answer, schema, schema)
        if why:
            yield f"{what}: {why}"
        for name in ("epsilon_lower", "bounds", "law", "error", "method", "ends", "evidence", "findings"):
            if name in answer and fault({k: v for k, v in answer.items() if k != name}, schema, schema) is None:
                yield f"{what}: accepted without {name}"
        if fault(answer | {"extra": 1}, schema, schema) is None:
            yield f"{what}: accepted with a member more"
    if not answers:
        yield "no answers of canaries"
    for document in documents:
        what = document.get("format", "canaries" if "bounds" in document else "verdict")
        why = fault(document, schema["$defs"][KINDS[what]], schema) or fault(document, schema, schema)
        if why:
            yield f"{what}: {why}"
        spared = optional | {"verdict", "claim", "correct", "included"} if what == "canaries" else optional
        for change, other in changed_members(document):
            if change.removeprefix("without ") not in spared and fault(other, schema, schema) is None:
                yield f"{what}: accepted {change}"


def claim_faults():
    """Yields where the schema of certificates of version 2 accepts too much or too little."""
    schema = json.loads((ROOT / "docs/certificate-2.schema.json").read_text())
    paths = sorted((ROOT / "tests/vectors/claims").glob("*.json"))
    for path in paths:
        certificate = json.loads(path.read_text())
        why = fault(certificate, schema, schema)
        if why:
            yield f"{path.name}: {why}"
        for change, other in changed_members(certificate):
            spared = {"without deployment", "without plan", "without signature", "without unit"} - ({"without signature"} if "deployment" in certificate else set())
            if change not in spared and fault(other, schema, schema) is None:
                yield f"{path.name}: accepted {change}"
        if fault(certificate | {"claim": certificate["claim"] | {"kind": "pure"}}, schema, schema) is None:
            yield f"{path.name}: accepted a claim of pure"
    if not paths:
        yield "no certificate of version 2"


def deployment_faults():
    """Yields where the schema of deployments accepts too much or too little."""
    schema = json.loads((ROOT / "docs/deployment.schema.json").read_text())
    paths = sorted((ROOT / "docs/deployments").glob("*.json")) + sorted((ROOT / "tests/vectors/deployments").glob("*.json"))
    for path in paths:
        deployment = json.loads(path.read_text())
        why = fault(deployment, schema, schema)
        if why:
            yield f"{path.name}: {why}"
        for name in ("format", "version", "name"):
            if fault({k: v for k, v in deployment.items() if k != name}, schema, schema) is None:
                yield f"{path.name}: accepted without {name}"
        if fault(deployment | {"extra": 1}, schema, schema) is None:
            yield f"{path.name}: accepted with a member more"
    if len(paths) < 46:
        yield f"only {len(paths)} deployments"


KINDS = {"probity-plan": "plan", "verdict": "verdict", "canaries": "canaries", "probity-audit-result": "result", "probity-dossier": "dossier"}


def main():
    schema = json.loads((ROOT / "docs/certificate.schema.json").read_text())
    events = json.loads((ROOT / "docs/events/schema.json").read_text())
    faults, relations, count = [], set(), 0
    for path in sorted((ROOT / "tests/vectors").glob("*.json")):
        certificate = json.loads(path.read_text())
        if certificate.get("format") != "probity-certificate":
            continue
        count += 1
        relations.add(certificate["neighbours"])
        faults += [f"{path.name}: {why}" for why in [fault(certificate, schema, schema)] if why]
        faults += [f"{path.name}: accepted {what}" for what, other in changed(certificate)
                   if fault(other, schema, schema) is None]
    faults += [f"no certificate of {r} neighbours" for r in {"add-remove", "substitute", "local"} - relations]
    samples = [p for p in sorted((ROOT / "docs/events").glob("*.json")) if p.name != "schema.json"]
    for path in samples:
        tree = json.loads(path.read_text())
        faults += [f"{path.name}: {why}" for why in [fault(tree, events, events)] if why]
        if fault({"class_name": "UnknownDpEvent"}, events, events) is None:
            faults.append("an unknown event is accepted")
    faults += [*audit_faults(), *claim_faults(), *deployment_faults(), *result_faults()]
    for line in faults:
        print(f"schema: {line}")
    if not faults:
        print(f"schema: {count} certificates and {len(samples)} trees of events fit, a dossier does, and no changed one")
    return 1 if faults or not count or not samples else 0


if __name__ == "__main__":
    sys.exit(main())
