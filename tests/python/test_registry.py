# SPDX-License-Identifier: MIT
"""Entries of the registry of deployments: there and back, and what does not go together in them."""
import glob
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
HERE = Path(__file__).resolve().parent
ENTRIES = sorted(glob.glob(str(HERE / "../vectors/registry/*.yaml")))


def load():
    """The module by itself: it needs nothing of the library."""
    path = HERE / "../../src/python/probity/registry.py"
    spec = importlib.util.spec_from_file_location("registry", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


registry = load()


def test_there_are_41():
    assert len(ENTRIES) == 41


@pytest.mark.parametrize("path", ENTRIES, ids=lambda p: Path(p).stem)
def test_the_export_of_an_import_is_the_entry(path, tmp_path):
    entry = registry.read(path)
    file = json.loads(json.dumps(registry.deployment_of(entry)))
    out = tmp_path / "entry.yaml"
    out.write_text(registry.written(registry.entry_of(file)), encoding="utf-8")
    assert registry.read(out) == entry


@pytest.mark.parametrize("path", ENTRIES, ids=lambda p: Path(p).stem)
def test_facts_have_no_prose(path):
    text = json.dumps(registry.deployment_of(registry.read(path), facts=True))
    assert "_details" not in text and '"description"' not in text and '"justification"' not in text


def test_what_is_changed_is_exported():
    file = registry.deployment_of(registry.read(str(HERE / "../vectors/registry/user_url_privacy.yaml")))
    file["claims"][0]["epsilon"] = "2"
    file["claims"].append({"name": "gdp", "kind": "gdp", "mu": "0.376"})
    loss = registry.entry_of(file)["deployment"]["privacy_loss"]
    assert loss["privacy_parameters"] == {"epsilon": "2", "delta": "1.0e-05", "rho": "0.0728"}
    assert loss["privacy_parameters_details"] == "gdp: gdp, mu 0.376"


def test_units_periods_and_what_is_no_number():
    mobility = registry.deployment_of(registry.read(str(HERE / "../vectors/registry/google_mobility.yaml")))
    assert mobility["unit"] == {"entity": "user", "period": "day"}
    assert mobility["claims"] == [{"name": "epsilon", "kind": "pure", "epsilon": "2.64"}]
    windows = registry.deployment_of(registry.read(str(HERE / "../vectors/registry/telemetry_collection_windows.yaml")))
    assert windows["unit"] == {"entity": "user", "period": "quarter-day"}
    assert registry.deployment_of(registry.read(str(HERE / "../vectors/registry/uber.yaml")))["claims"] == []


def test_check_finds_what_does_not_go_together(capsys):
    folder = HERE / "../vectors/registry"
    assert registry.main(["check", str(folder / "google_mobility.yaml")]) == 0
    assert registry.main(["check", str(folder / "apple_iconic_scenes_photo_selections_2023.yaml")]) == 1
    out = capsys.readouterr().out
    assert "variant_name 'Pure DP': beside it stands a delta" in out and "privacy_unit: not there" in out


def test_what_is_no_entry_is_refused(tmp_path, capsys):
    bad = tmp_path / "bad.yaml"
    bad.write_text("a: [1, 2", encoding="utf-8")
    assert registry.main(["import", str(bad)]) == 2
    bad.write_text("a: 1\n", encoding="utf-8")
    assert registry.main(["import", str(bad)]) == 2
    assert registry.main(["export", str(bad)]) == 2
    assert "expected an entry of the registry, with url_slug" in capsys.readouterr().err


@pytest.mark.parametrize("path", ENTRIES, ids=lambda p: Path(p).stem)
def test_the_command_reads_every_import(path):
    command = os.environ.get("PROBITY") or os.path.join(os.path.dirname(sys.executable), "probity")
    text = json.dumps(registry.deployment_of(registry.read(path)))
    done = subprocess.run([command, "deployment", "check", "--json"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
