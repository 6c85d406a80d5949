# SPDX-License-Identifier: MIT
"""Ledgers on a PostgreSQL server, which this starts in a folder of its own."""
import json
import os
import shutil
import sys
import tempfile

import pytest

from probity import BadInput, Ledger, Refused

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
from pgserver import Server, bindir  # noqa: E402

pytestmark = pytest.mark.skipif(bindir() is None, reason="PostgreSQL is not installed")


@pytest.fixture(scope="module")
def server():
    folder = tempfile.mkdtemp(prefix="probity-pg-")
    running = Server(folder, bindir())
    running.run("createdb", "-h", folder, "-U", "admin", "team")
    yield running
    running.stop()
    shutil.rmtree(folder)


def test_two_notebooks_share_a_budget(server):
    name = server.uri("shared")
    first, second = Ledger.create(name, epsilon=1), Ledger(name)
    first.spend("pure:eps=1/2")
    assert not second.affords("pure:eps=3/4")
    second.spend("pure:eps=1/2")
    with pytest.raises(Refused):
        first.spend("pure:eps=1/100")
    assert [e.spec for e in first.entries] == ["pure:eps=1/2"] * 2 and first.digest == second.digest
    Ledger(name, after=first.digest)
    with pytest.raises(BadInput):
        Ledger(name, after="0" * 64)


def test_a_copy_and_its_page(server, tmp_path):
    name = server.uri("a 'name'; --")
    book = Ledger.create(name, epsilon=2, delta="1e-6")
    book.spend("gauss:sigma2=400")
    there = book.copy(tmp_path / "copy")
    assert there.digest == book.digest and [(e.at, e.spec) for e in there.entries] == [(e.at, e.spec) for e in book.entries]
    rows = [json.loads(line) for line in book.table().splitlines()]
    assert [row["spender"] for row in rows] == ["admin"]
    page = book.page("gauss:sigma2=100")
    assert "admin" in page and "hunter2" not in page


def test_no_password_in_an_error(server):
    for name in (server.uri("none"), server.uri("none", database="nowhere"), server.uri("none", user="nobody")):
        with pytest.raises(Exception) as why:
            Ledger(name)
        assert "hunter2" not in str(why.value)
