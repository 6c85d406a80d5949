# SPDX-License-Identifier: MIT
"""Releases in parts: every attempt gives the same bytes, and the order of the steps is safe."""
import pytest

import probity
from probity import BadInput, Ledger, Refused, engine, parts

pyarrow = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
import probity.duckdb  # noqa: E402

SECRET, DIGEST = bytes(range(32)), bytes(32)
SPECS = ["geometric:eps=1", "2*geometric:eps=1", "threshold:eps=1,T=3", "partition:eps=1,delta=1/10",
         "2*partition:eps=1,delta=1/10", "range:eps=1,L=3", "threshold:eps=1,T=3 range:eps=1,L=3",
         "laplace:scale=1,grid=1/4"]


def batch(n, first=0):
    return pyarrow.record_batch({"shop": [f"shop {i}" for i in range(first, first + n)],
                                 "n": [i % 7 for i in range(first, first + n)]})


@pytest.mark.parametrize("spec", SPECS)
def test_parts_give_what_the_whole_gives(spec):
    whole = parts.Parts(spec, "add-remove", SECRET, DIGEST).release(batch(100))
    other = parts.Parts(spec, "add-remove", SECRET, DIGEST)
    pieces = list(other.stream([batch(60, 40), batch(0), batch(100).slice(0, 40)]))
    assert pyarrow.Table.from_batches([pieces[2], pieces[0]]).equals(pyarrow.Table.from_batches([whole]).combine_chunks())
    assert whole.schema.names == ["shop", *other.names]


@pytest.mark.parametrize("spec", SPECS)
def test_columns_are_those_of_the_command(spec):
    table = probity.release({"a": 50, "b": 60}, spec)
    columns = len(next(iter(table.values()))) if isinstance(table, dict) and isinstance(
        next(iter(table.values()), 0), tuple) else 1 if isinstance(table, dict) else 0
    assert len(parts.Parts(spec, "add-remove", SECRET, DIGEST).names) == columns


def test_a_digest_is_of_all_parts():
    whole = parts.digest_of([batch(100)])
    assert whole == parts.joined([parts.digest_of([batch(60, 40)]), parts.digest_of([batch(40)])])
    assert whole != parts.digest_of([batch(99)]) and len(parts.fresh_secret()) == 32
    assert parts.fresh_secret() != parts.fresh_secret()


@pytest.fixture
def connection():
    connection = duckdb.connect()
    connection.execute("create table visits as select 'shop ' || (i % 40) as shop from range(10000) t(i) "
                       "union all select 'rare' from range(2)")
    return connection


def test_rows_are_counted_and_hidden(connection):
    out = probity.duckdb.release(connection, "from visits", "threshold:eps=60,T=50", keys="shop")
    assert out.schema.names == ["shop", "count"] and out["count"].to_pylist() == [250] * 40
    assert out["shop"].to_pylist() == sorted(out["shop"].to_pylist()) and "rare" not in out["shop"].to_pylist()
    assert connection.execute("show tables").fetchall() == [("visits",)]


def test_keys_are_published_where_they_are_public(connection):
    with pytest.raises(BadInput, match="expected a public 'filter'"):
        probity.duckdb.release(connection, "from visits", "geometric:eps=60", keys="shop")
    out = probity.duckdb.release(connection, "from visits", "geometric:eps=60", keys="shop", filter=["z", "rare"])
    assert out.to_pydict() == {"shop": ["rare", "z"], "count": [2, 0]}
    out = probity.duckdb.release(connection, "select shop, count(*) as n from visits group by all",
                                 "geometric:eps=60", keys="shop", counts="n")
    assert out.num_rows == 41


@pytest.mark.parametrize("rows, what", [("('a', 1), ('a', 2)", "another key"), ("('a', -5)", "a count of 0"),
                                        ("('a', null)", "a key and a count"), ("(null, 1)", "a key and a count")])
def test_bad_counts_cost_nothing(connection, tmp_path, rows, what):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1)
    with pytest.raises(BadInput, match=f"expected {what}"):
        probity.duckdb.release(connection, f"from (values {rows}) t(k, n)", "geometric:eps=1", keys="k", counts="n",
                               ledger=ledger)
    assert ledger.entries == [] and ("probity_counts",) not in connection.execute("show tables").fetchall()
    with pytest.raises(BadInput, match="argument 'keys': 'x'"):
        probity.duckdb.release(connection, "from visits", "geometric:eps=1", keys="x")


def test_the_ledger_is_charged_once_and_first(connection, tmp_path, monkeypatch):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1)
    certificate = probity.certify("geometric:eps=1", 1)

    def fail():
        raise OSError("no entropy")

    with monkeypatch.context() as patch:
        patch.setattr(engine, "fresh_secret", fail)
        with pytest.raises(OSError):
            probity.duckdb.release(connection, "from visits", certificate=certificate, keys="shop", filter=["a"],
                                   ledger=ledger)
    assert len(ledger.entries) == 1
    with pytest.raises(Refused):
        probity.duckdb.release(connection, "from visits", certificate=certificate, keys="shop", filter=["a"],
                               ledger=ledger)
    assert len(ledger.entries) == 1


def test_a_part_is_charged(connection, tmp_path):
    ledger = Ledger.create(tmp_path / "p.db", epsilon=1, parts="region")
    for part in ("eu", "us"):
        probity.duckdb.release(connection, "from visits", "geometric:eps=1", keys="shop", filter=["a"], ledger=ledger, part=part)
    assert [entry.part for entry in ledger.entries] == ["eu", "us"]
    with pytest.raises(Refused):
        probity.duckdb.release(connection, "from visits", "geometric:eps=1", keys="shop", filter=["a"], ledger=ledger, part="us")
    assert len(ledger.entries) == 2


def test_an_engine_counts_records(connection, tmp_path):
    by_user = probity.certify("geometric:eps=1", 1, user="customer")
    with pytest.raises(BadInput, match="it is about users"):
        probity.duckdb.release(connection, "from visits", certificate=by_user, keys="shop", filter=["a"])
    ledger = Ledger.create(tmp_path / "u.db", epsilon=1, user="customer")
    with pytest.raises(BadInput):
        probity.duckdb.release(connection, "from visits", "geometric:eps=1", keys="shop", filter=["a"], ledger=ledger)
    assert ledger.entries == []


def test_a_repeated_run_gives_the_same_bytes_and_a_recount_does_not(connection, monkeypatch):
    monkeypatch.setattr(engine, "fresh_secret", lambda: SECRET)
    ask = lambda: probity.duckdb.release(connection, "select * from visits", "threshold:eps=1/100,T=10", keys="shop")
    first = ask()
    assert ask().equals(first)
    connection.execute("insert into visits values ('shop 1')")
    second = ask()
    pairs = dict(zip(*first.to_pydict().values())), dict(zip(*second.to_pydict().values()))
    # Noise of a scale of 100: fewer than 20 of 40 differences are 0, but with a chance below 1e-20.
    assert sum(pairs[0][key] == pairs[1].get(key) for key in pairs[0]) < 20
