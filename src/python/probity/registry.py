# SPDX-License-Identifier: MIT
"""Entries of the registry of deployments (github.com/opendp/deployments-registry-data) as files of probity deployment check.

    python3 -m probity.registry import ENTRY.yaml -o FILE.json [--facts]
    python3 -m probity.registry export FILE.json -o ENTRY.yaml
    python3 -m probity.registry check ENTRY.yaml...

Import takes over what the entry states and makes no spec, relation or trust out of its prose: mechanisms are for a person
to add. The entry is kept whole under "registry" (with --facts without its prose), and export lays the members of the
file over it, so that the export of an import is the entry. Check prints what does not go together in an entry. It needs
PyYAML."""
import argparse
import json
import re
import sys

NUMBER = re.compile(r"^[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$")
PERIODS = ("quarter-day", "day", "week", "month", "year")
PROSE = {"description", "intended_use", "data_domain", "unprotected_quantities", "post_processing", "composition", "mechanisms",
         "preprocessing_and_hyperparameter_tuning", "justification", "actors", "notes"}
BASIC = {"title": "name", "published": "publication_date", "use": "intended_use", "product": "data_product_type",
         "region": "data_product_region", "sector": "data_product_sector"}
VARIANTS = {"Pure DP": "pure", "Approximate DP": "approx", "Zero-concentrated DP": "zcdp"}


class BadEntry(Exception):
    """An entry or a file that is not what it should be."""


def _yaml():
    try:
        import yaml
    except ImportError as error:
        raise BadEntry("PyYAML is not installed; expected the module yaml") from error
    return yaml


def read(path):
    """An entry with every scalar as the text that stands there."""
    yaml = _yaml()
    try:
        with open(path, encoding="utf-8") as text:
            entry = yaml.load(text, Loader=yaml.BaseLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadEntry(f"{path}: expected an entry of the registry as YAML: {str(error).splitlines()[0]}") from error
    if not isinstance(entry, dict) or not isinstance(entry.get("deployment"), dict) or not isinstance(entry.get("url_slug"), str):
        raise BadEntry(f"{path}: expected an entry of the registry, with url_slug and deployment")
    return entry


def _part(entry, name):
    part = entry["deployment"].get(name)
    return part if isinstance(part, dict) else {}


def _line(text):
    return re.sub(r"\s+", " ", text).strip()


def _lines(text):
    """The items of a text: its lines, without the marks of a list."""
    return [_line(re.sub(r"^\s*-\s+", "", line)) for line in text.splitlines() if _line(line) not in ("", "-")]


def _links(text):
    found = [link.rstrip(".,;") for link in re.findall(r"https?://[^\s)>\]\"']+", text)]
    found = list(dict.fromkeys(found))
    return {"source" if len(found) == 1 else f"source-{i + 1}": link for i, link in enumerate(found)}


def _unit(text):
    """User-day-level: the entity, and a period if the end is one."""
    words = re.sub(r"-level$", "", _line(text).lower())
    for period in PERIODS:
        if words.endswith("-" + period):
            return {"entity": words[:-len(period) - 1], "period": period}
    return {"entity": words} if words else {}


def _claims(parameters, variant):
    """No claim of what is no number."""
    number = {k: _line(v) for k, v in parameters.items() if isinstance(v, str) and NUMBER.match(_line(v)) and float(v) > 0}
    claims = []
    if "epsilon" in number and "delta" in number:
        claims.append({"name": "epsilon", "kind": "approx", "epsilon": number["epsilon"], "delta": number["delta"]})
    elif "epsilon" in number and "delta" not in parameters and variant == "Pure DP":
        claims.append({"name": "epsilon", "kind": "pure", "epsilon": number["epsilon"]})
    if "rho" in number:
        claims.append({"name": "rho", "kind": "zcdp", "rho": number["rho"]})
    return claims


def _text(part, name):
    value = part.get(name)
    return value if isinstance(value, str) else ""


def _horizon(model):
    horizon = {}
    if _text(model, "release_type").startswith("One"):
        horizon["releases"] = "1"
    for member, name in (("data", "data_source_type"), ("access", "access_type")):
        word = _line(_text(model, name)).lower()
        if word in ("static", "dynamic", "interactive", "non-interactive"):
            horizon[member] = word
    return horizon


def members(entry):
    """Returns the statements of an entry as members of a deployment."""
    basic, variant, loss = _part(entry, "basic"), _part(entry, "dp_variant"), _part(entry, "privacy_loss")
    model, accounting, other = _part(entry, "deployment_model"), _part(entry, "accounting"), _part(entry, "administrative")
    out = {member: _line(_text(basic, name)) for member, name in BASIC.items() if _line(_text(basic, name))}
    curators = basic.get("data_curators")
    if isinstance(curators, list) and curators:
        out["organisation"] = [_line(c) for c in curators]
    unit = _unit(_text(loss, "privacy_unit"))
    kind = {"central": "central", "local": "local", "varies": "mixed", "shuffle": "shuffle", "federated": "federated"}
    word = kind.get(_line(_text(model, "model_name")).lower())
    parameters = loss.get("privacy_parameters")
    out |= {"unit": unit} if unit else {}
    out |= {"model": {"kind": word}} if word else {}
    out |= {"horizon": _horizon(model)} if _horizon(model) else {}
    out["claims"] = _claims(parameters if isinstance(parameters, dict) else {}, _line(_text(variant, "variant_name")))
    for member, text in (("not_private", _text(variant, "unprotected_quantities")),
                         ("post_processing", _text(accounting, "post_processing")), ("notes", _text(other, "notes"))):
        if _lines(text):
            out[member] = _lines(text)
    if _links(_text(other, "sources")):
        out["sources"] = _links(_text(other, "sources"))
    authors = other.get("registry_authors")
    if isinstance(authors, list) and authors:
        out["authors"] = [_line(a) for a in authors]
    return out


def _facts(value):
    """An entry without its prose."""
    if not isinstance(value, dict):
        return value
    return {k: _facts(v) for k, v in value.items() if k not in PROSE and not k.endswith("_details")}


def deployment_of(entry, facts=False):
    """The deployment of an entry, for probity deployment check."""
    kept = _facts(entry) if facts else entry
    name = re.sub(r"[^a-z0-9]+", "-", entry["url_slug"].lower()).strip("-")[:64].rstrip("-")
    return {"format": "probity-deployment", "version": 1, "name": name} | members(kept) | {"registry": kept}


# ---- export -------------------------------------------------------------------------------------------------------

def _claimed(claims):
    """The parameters of an entry, and in words the claims that it has no field for."""
    first = {}
    rest = []
    for claim in claims:
        fields = {"pure": ("epsilon",), "approx": ("epsilon", "delta"), "zcdp": ("rho",)}.get(claim["kind"], ())
        if fields and "xi" not in claim and not set(fields) & set(first):
            first |= {field: claim[field] for field in fields}
        else:
            numbers = ", ".join(f"{k} {claim[k]}" for k in ("epsilon", "delta", "rho", "xi", "order", "mu") if k in claim)
            rest.append(f"{claim['name']}: {claim['kind']}, {numbers}")
    return first, rest


def _lay(entry, file, old):
    """Lays the members that differ from those of the kept entry over it."""
    part = lambda name: entry["deployment"].setdefault(name, {})
    changed = lambda member: file.get(member) != old.get(member)
    for member, name in BASIC.items():
        if changed(member):
            part("basic")[name] = file.get(member, "")
    if changed("organisation"):
        part("basic")["data_curators"] = file.get("organisation", [])
    if changed("unit"):
        unit = file.get("unit", {})
        words = "-".join(unit[k] for k in ("entity", "period") if k in unit)
        part("privacy_loss")["privacy_unit"] = words.capitalize() + "-level" if words else ""
    if changed("claims"):
        first, rest = _claimed(file.get("claims", []))
        part("privacy_loss")["privacy_parameters"] = first
        if rest:
            part("privacy_loss")["privacy_parameters_details"] = "\n".join(rest)
    if changed("model"):
        kind = file.get("model", {}).get("kind", "")
        part("deployment_model")["model_name"] = {"mixed": "Varies"}.get(kind, kind.capitalize())
    if changed("horizon"):
        horizon = file.get("horizon", {})
        part("deployment_model")["release_type"] = "One release" if horizon.get("releases") == "1" else "Many releases"
        for member, name in (("data", "data_source_type"), ("access", "access_type")):
            if member in horizon:
                part("deployment_model")[name] = horizon[member].capitalize()
    for member, where, name in (("not_private", "dp_variant", "unprotected_quantities"),
                                ("post_processing", "accounting", "post_processing"), ("notes", "administrative", "notes")):
        if changed(member):
            part(where)[name] = "".join(f"- {line}\n" for line in file.get(member, []))
    if changed("sources"):
        part("administrative")["sources"] = "".join(f"- {key}: {link}\n" for key, link in file.get("sources", {}).items())
    if changed("authors"):
        part("administrative")["registry_authors"] = file.get("authors", [])


def entry_of(file):
    """The entry that a deployment came from, with what was changed since."""
    kept = file.get("registry")
    if file.get("format") != "probity-deployment" or not isinstance(kept, dict) or not isinstance(kept.get("deployment"), dict):
        raise BadEntry("expected a deployment that import wrote, with its entry under registry")
    entry = json.loads(json.dumps(kept))
    _lay(entry, file, members(kept))
    return entry


def written(entry):
    """The entry as YAML: numbers with a point, dates in quotes, and every scalar with the text that it has."""
    yaml = _yaml()

    class Dumper(yaml.SafeDumper):
        """A dumper of texts, of which numbers stand without quotes."""

    def scalar(dumper, text):
        if NUMBER.match(text) and "." in text:
            return dumper.represent_scalar("tag:yaml.org,2002:float", text)
        if re.match(r"^[0-9]+[eE][-+]?[0-9]+$", text):
            return dumper.represent_scalar("tag:yaml.org,2002:float", re.sub("[eE]", ".0e", text))
        if re.match(r"^(0|[1-9][0-9]*)$", text):
            return dumper.represent_scalar("tag:yaml.org,2002:int", text)
        style = "|" if "\n" in text else "'" if re.match(r"^[0-9]{4}-", text) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, scalar)
    return yaml.dump(entry, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100000)


# ---- check --------------------------------------------------------------------------------------------------------

def inconsistencies(entry):
    """Yields a line for each thing that does not go together in an entry."""
    loss, model = _part(entry, "privacy_loss"), _part(entry, "deployment_model")
    variant = _line(_text(_part(entry, "dp_variant"), "variant_name"))
    parameters = loss.get("privacy_parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    for name, value in parameters.items():
        if not isinstance(value, str) or not NUMBER.match(_line(value)):
            yield f"privacy_parameters.{name} '{value}': expected a number"
    if variant == "Pure DP" and "delta" in parameters:
        yield "variant_name 'Pure DP': beside it stands a delta"
    if variant == "Approximate DP" and "epsilon" in parameters and "delta" not in parameters:
        yield "variant_name 'Approximate DP': beside it stands no delta"
    if variant == "Zero-concentrated DP" and "rho" not in parameters:
        yield "variant_name 'Zero-concentrated DP': beside it stands no rho"
    if variant and variant not in VARIANTS:
        yield f"variant_name '{variant}': expected one of {', '.join(VARIANTS)}"
    if _line(_text(model, "model_name")) == "Local" and "delta" in parameters:
        yield "model_name 'Local': beside it stands a delta, which may be of the aggregate"
    often = re.search(r"\b(?:daily|weekly|monthly|hours)\b", _text(model, "release_type_details"), re.IGNORECASE)
    if _text(model, "release_type").startswith("One") and often:
        yield f"release_type 'One release': its details say {often.group(0).lower()}"
    if parameters and not _line(_text(loss, "privacy_unit")):
        yield "privacy_unit: not there, beside parameters"


# ---- the command --------------------------------------------------------------------------------------------------

def _write(text, path):
    if path in (None, "-"):
        sys.stdout.write(text)
        return
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def _run(arguments):
    if arguments.what == "import":
        made = deployment_of(read(arguments.entry[0]), arguments.facts)
        _write(json.dumps(made, indent=2, ensure_ascii=False) + "\n", arguments.output)
        return 0
    if arguments.what == "export":
        try:
            with open(arguments.entry[0], encoding="utf-8") as text:
                file = json.load(text)
        except (OSError, ValueError) as error:
            raise BadEntry(f"{arguments.entry[0]}: expected a deployment as JSON: {error}") from error
        _write(written(entry_of(file)), arguments.output)
        return 0
    count = 0
    for path in arguments.entry:
        for line in inconsistencies(read(path)):
            print(f"{path}: {line}")
            count += 1
    print(f"registry: {len(arguments.entry)} entries, {count} things that do not go together")
    return 1 if count else 0


def main(argv=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python3 -m probity.registry", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("what", choices=("import", "export", "check"))
    parser.add_argument("entry", nargs="+", help="an entry as YAML, or for export a deployment as JSON")
    parser.add_argument("-o", dest="output", help="the file to write; nothing or - is standard output")
    parser.add_argument("--facts", action="store_true", help="import: leave the prose of the entry out")
    arguments = parser.parse_args(argv)
    if arguments.what != "check" and len(arguments.entry) != 1:
        parser.error("expected one file")
    try:
        return _run(arguments)
    except BadEntry as error:
        print(f"probity.registry: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
