# SPDX-License-Identifier: MIT
"""The command that the wheel brings along, by both of its names."""
import os
import subprocess
import sys

import pytest

import probity

NAMES = {"script": [os.path.join(os.path.dirname(sys.executable), "probity")], "module": [sys.executable, "-m", "probity"]}


@pytest.fixture(params=NAMES)
def command(request):
    def run(*arguments, **options):
        return subprocess.run([*NAMES[request.param], *arguments], capture_output=True, text=True, check=False, **options)
    return run


def test_the_command_and_the_module_are_one_version(command):
    assert command("--version").stdout.split()[-1] == probity.__version__


def test_the_command_and_the_module_answer_alike(command):
    answer = command("loss", "stlap:eps=1/2,q=40", "--epsilon", "1/2")
    assert answer.returncode == 0 and str(probity.loss("stlap:eps=1/2,q=40", epsilon="1/2")) in answer.stdout


def test_status_and_standard_input_pass_through(command):
    assert command("loss", "nothing", "--epsilon", "1").returncode == 2
    certificate = command("certify", "geometric:eps=1", "--epsilon", "1").stdout
    assert command("verify", "-", input=certificate).returncode == 0
    assert command("verify", "-", input=certificate.replace('"1"', '"2"')).returncode == 1


def test_the_driver_of_the_proofs_lies_beside_the_command():
    package = os.path.dirname(os.path.abspath(probity.__file__))
    assert os.path.isfile(os.path.join(package, "share", "probity", "prove", "proofs", "foreign.py"))
    assert os.path.isfile(os.path.join(sys.prefix, "share", "man", "man1", "probity-loss.1"))


def test_a_package_without_its_program_says_so(tmp_path):
    lonely = tmp_path / "__main__.py"
    with open(os.path.join(os.path.dirname(probity.__file__), "__main__.py"), encoding="utf-8") as source:
        lonely.write_text(source.read(), encoding="utf-8")
    done = subprocess.run([sys.executable, str(lonely), "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 3 and "bin/probity: No such file" in done.stderr
