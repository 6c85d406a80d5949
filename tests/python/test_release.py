# SPDX-License-Identifier: MIT
"""Releases of every kind of table, certificates, ledgers and sessions."""
import os
import stat

import pytest

import probity
from probity import BadInput, Certificate, Ledger, Refused, Session

SPEC = "geometric:eps=60"  # noise that is 0 but for a chance below 1e-25
COUNTS = {"a": 3, "b": 100, 'x,"y"\n': 7, "": 1, "007": 0}


def tables():
    """Each kind of table that is installed, and what turns it into a dict."""
    yield pytest.param(lambda: dict(COUNTS), lambda t: t, id="dict")
    frames = {"pandas": (lambda m: m.DataFrame(columns), lambda t: dict(zip(t["k"], t["count"]))),
              "polars": (lambda m: m.DataFrame(columns), lambda t: dict(zip(t["k"], t["count"]))),
              "pyarrow": (lambda m: m.table(columns), lambda t: dict(zip(*t.to_pydict().values()))),
              "duckdb": (lambda m: m.connect().sql("select * from (values ('a', 3::bigint), ('b', 100), "
                                                   "('x,\"y\"' || chr(10), 7), ('', 1), ('007', 0)) t(k, n)"),
                         lambda t: dict(zip(*t.to_pydict().values())))}
    columns = {"k": list(COUNTS), "n": list(COUNTS.values())}
    for name, (make, read) in frames.items():
        yield pytest.param(lambda name=name, make=make: make(pytest.importorskip(name)), read, id=name)


@pytest.mark.parametrize("make, read", list(tables()))
def test_a_table_comes_back_as_it_is(make, read):
    assert read(probity.release(make(), SPEC)) == COUNTS


@pytest.mark.parametrize("make, read", list(tables()))
def test_what_passes_a_threshold(make, read):
    assert read(probity.release(make(), "threshold:eps=60,T=50")) == {"b": 100}
    assert not read(probity.release(make(), "threshold:eps=60,T=5000"))


def test_a_series_comes_back_as_a_series():
    pandas = pytest.importorskip("pandas")
    out = probity.release(pandas.Series(["x", "y", "x"]).value_counts(), SPEC)
    assert dict(out) == {"x": 2, "y": 1} and isinstance(out, pandas.Series)


def test_keys_of_numbers_and_named_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"other": [0.5, 0.5], "year": [2025, 2026], "visits": [1, 2]})
    out = probity.release(frame, SPEC, keys="year", counts="visits")
    assert list(out.columns) == ["year", "count"] and list(out["year"]) == ["2025", "2026"]
    with pytest.raises(BadInput, match="'keys': expected the name"):
        probity.release(frame, SPEC)
    with pytest.raises(BadInput, match="'counts': 'visit'"):
        probity.release(frame, SPEC, keys="year", counts="visit")


def test_counts_that_are_no_counts():
    pandas = pytest.importorskip("pandas")
    for counts in ([1.5, 2.0], [1, None]):
        with pytest.raises(BadInput, match="column 'n': expected whole numbers"):
            probity.release(pandas.DataFrame({"k": ["a", "b"], "n": counts}), SPEC)
    with pytest.raises(BadInput, match="column 'k': expected a key"):
        probity.release(pandas.DataFrame({"k": ["a", None], "n": [1, 2]}), SPEC)
    with pytest.raises(BadInput) as refused:
        probity.release({"a": -31337}, SPEC)
    assert "31337" not in str(refused.value)
    with pytest.raises(BadInput, match="expected a table of pandas"):
        probity.release([1, 2], SPEC)


def test_uses_grids_and_answers():
    two = probity.release(COUNTS, f"2*{SPEC}")
    assert two == {key: (count, count) for key, count in COUNTS.items()}
    assert probity.release({"a": 1}, "laplace:scale=1/100,grid=1/2")["a"] in (0.5, 1.0, 1.5)
    polars = pytest.importorskip("polars")
    out = probity.release(polars.DataFrame({"value": [0, 1, 1]}), "rr:eps=60")
    assert out.columns == ["answer"] and out["answer"].to_list() == [0, 1, 1]


def test_filters_and_groups(tmp_path):
    assert probity.release(COUNTS, SPEC, filter=["b", "z"]) == {"b": 100, "z": 0}
    assert probity.release(COUNTS, SPEC, group={"a": "one", "b": "one", "007": "two"}) == {"one": 103, "two": 0}
    with pytest.raises(BadInput):
        probity.release(COUNTS, SPEC, filter=["a"], group={"a": "b"})
    path = tmp_path / "counts.csv"
    path.write_text("a,5\nb,6\n")
    assert probity.release(path, SPEC, truncate=5) == {"a": 5, "b": 5}


def test_certificates(tmp_path):
    certificate = probity.certify(SPEC, 60)
    assert certificate.delta == 0 and certificate.epsilon == "60" and str(certificate.spec) == SPEC
    path = tmp_path / "certificate.json"
    certificate.save(path)
    assert probity.verify(path).text == certificate.text and certificate.signer is None
    assert probity.release({"a": 4}, certificate=certificate) == {"a": 4}
    assert probity.release({"a": 4}, certificate=path) == {"a": 4}
    with pytest.raises(Refused):
        Certificate(certificate.text.replace("60", "59"))
    with pytest.raises(Refused):
        probity.certify("geometric:eps=1", "1/2", delta="1e-9")
    with pytest.raises(BadInput, match="expected one of the two"):
        probity.release({"a": 4})
    assert "Theorem" in probity.certify("geometric:eps=1", "1/2").theorem()


def test_a_part_is_charged(tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1, parts="region")
    for part in ("eu", "us"):
        probity.release({"a": 1}, "geometric:eps=1", ledger=ledger, part=part)
    assert [entry.part for entry in ledger.entries] == ["eu", "us"]
    with pytest.raises(probity.Refused):
        probity.release({"a": 1}, "geometric:eps=1/2", ledger=tmp_path / "l.db", part="eu")
    with pytest.raises(probity.Refused):
        probity.release({"a": 1}, "geometric:eps=1/2", ledger=ledger)
    ledger.for_part("asia")  # which holds for releases too
    probity.release({"a": 1}, "geometric:eps=1", ledger=ledger)
    assert ledger.entries[-1].part == "asia"
    with pytest.raises(BadInput, match="part"):
        probity.release({"a": 1}, "geometric:eps=1", part="eu")
    with pytest.raises(BadInput, match="part"):
        probity.release({"a": 1}, "geometric:eps=1", ledger=ledger, part="a\0b")
    assert len(ledger.entries) == 3


def test_a_certificate_is_about_a_deployment(tmp_path):
    file = tmp_path / "d.json"
    file.write_text('{"format": "probity-deployment", "version": 1, "name": "d", "unit": {"entity": "user"}, "notes": ["\u00e9"]}',
                    encoding="utf-8")
    certificate, secret = probity.certify("laplace:scale=2", "1/4"), "probity-ed25519-secret:" + "11" * 32 + "\n"
    assert certificate.deployment is None
    signed = certificate.sign(secret, deployment=file)
    assert signed.deployment["name"] == "d" and signed.deployment["unit"] == {"entity": "user"} and signed.signer
    assert signed.sign(secret).text == signed.text == signed.sign(secret, deployment=file).text
    with pytest.raises(Refused, match="nobody signed it"):
        Certificate("".join(line for line in signed.text.splitlines(True) if '"signature"' not in line))
    file.write_text(file.read_text(encoding="utf-8").replace("user", "event"), encoding="utf-8")
    with pytest.raises(BadInput, match="less than a user"):
        probity.certify("laplace:scale=2", "1/4", user="visitor").sign(secret, deployment=file)
    with pytest.raises(FileNotFoundError):
        certificate.sign(secret, deployment=tmp_path / "none.json")


def test_a_ledger_is_charged(tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=2)
    assert ledger.budget == ("2", "0") and ledger.accounting == "exact" and ledger.neighbours == "add-remove"
    first = ledger.digest
    probity.release({"a": 1}, "geometric:eps=1", ledger=ledger)
    assert [entry.spec for entry in ledger.entries] == ["geometric:eps=1"]
    assert ledger.spent()[0] == 1 and ledger.affords("geometric:eps=1") and not ledger.affords("geometric:eps=2")
    ledger.spend("geometric:eps=1")
    with pytest.raises(Refused) as refused:
        probity.release({"a": 1}, "geometric:eps=1", ledger=tmp_path / "l.db")
    assert refused.value.reason == "budget" and len(ledger.entries) == 2
    assert len(Ledger(tmp_path / "l.db", after=first).report()["entries"]) == 2
    with pytest.raises(BadInput):
        Ledger(tmp_path / "l.db", after="0" * 64)
    with pytest.raises(BadInput):
        Ledger.create(tmp_path / "l.db", epsilon=2)


def test_a_session_halts(tmp_path):
    path = tmp_path / "s.json"
    with Session.create(path, "above:eps=40", threshold=100) as session:
        replies = session.ask(0, 0, 200, 300)
        assert [reply.above for reply in replies] == [False, False, True]
        assert session.left == 0 and session.asked == 3 and session.tops[0][0] == 3
        with pytest.raises(Refused):
            session.ask(1)
        digest = session.digest
    with Session(path, after=digest) as session:
        assert session.ask_all([500]) == []
    with pytest.raises(BadInput, match="closed"):
        session.ask(1)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_types_of_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    keys = ["x", "a longer key than twelve bytes", "y"]
    counts = pyarrow.array([1, 2, 3], pyarrow.uint8())
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(),
                 pyarrow.dictionary(pyarrow.int8(), pyarrow.string())):
        array = pyarrow.chunked_array([pyarrow.array(keys[:1]).cast(kind), pyarrow.array(["?", *keys[1:]]).cast(kind)[1:]])
        out = probity.release(pyarrow.table({"k": array, "n": counts}), SPEC)
        assert out.to_pydict() == {"k": keys, "count": [1, 2, 3]}, kind
    dates = pyarrow.array([0, 1, 2], pyarrow.date32())
    out = probity.release(pyarrow.table({"k": dates, "n": counts}), SPEC)
    assert out["k"].to_pylist() == ["1970-01-01", "1970-01-02", "1970-01-03"]
    with pytest.raises(BadInput, match="data: row 3, column 1: expected a key once"):
        probity.release(pyarrow.table({"k": ["a", "b", "a"], "n": counts}), SPEC)
    with pytest.raises(BadInput, match="data: row 2, column 2: expected a whole number") as refused:
        probity.release(pyarrow.table({"k": ["a", "b"], "n": [1, -31337]}), SPEC)
    assert "31337" not in str(refused.value)
    scores = pyarrow.table({"k": ["a", "b"], "n": [-1000, -2]})
    assert probity.release(scores, "exponential:eps=60").to_pydict() == {"k": ["b"]}


def test_categories_and_empty_tables():
    for library in ("pandas", "polars"):
        module = pytest.importorskip(library)
        kind = "category" if library == "pandas" else module.Categorical
        keys = module.Series("k", ["b", "a"]) if library == "polars" else module.Series(["b", "a"], name="k")
        keys = keys.cast(kind) if library == "polars" else keys.astype(kind)
        out = probity.release(module.DataFrame({"k": keys, "n": [5, 6]}), SPEC)
        assert list(out["k"]) == ["b", "a"] and list(out["count"]) == [5, 6]
        empty = probity.release(module.DataFrame({"k": ["a"], "n": [0]}), "threshold:eps=60,T=5")
        assert list(empty.columns) == ["k", "count"] and len(empty) == 0


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_quantiles(library):
    module = pytest.importorskip(library)
    rows = {"shop": ["a"] * 5 + ["b"], "x": [0.26, 0.5, 0.5, 0.75, 9.0, -3.0]}
    table = module.table(rows) if library == "pyarrow" else module.DataFrame(rows)
    spec = "exponential:eps=1000 exponential:eps=1000"
    out = probity.release(table, spec, by="shop", filter=["b", "a"], quantile="x:0:1:1/4", q=["1/2", 0.9])
    columns = [list(out[name]) if library != "pyarrow" else out[name].to_pylist()
               for name in ("shop", "quantile_1", "quantile_2")]
    assert columns == [["b", "a"], [0.0, 0.5], [0.0, 1.0]]
    with pytest.raises(BadInput, match="sensitivity=27/10 or more"):
        probity.release(table, "exponential:eps=1", by="shop", filter=["a"], user="shop", contributions=3,
                        quantile="x:0:1:1/4", q="9/10")
    with pytest.raises(BadInput, match="'quantile' and 'q'"):
        probity.release(table, "exponential:eps=1", by="shop", filter=["a"], quantile="x:0:1:1/4")


def records():
    """Raw records of each kind of table, and what turns what comes back into rows."""
    rows = {"shop": ["north", "north", "south", "ea,st"], "customer": ["a", "a", "b", "c"], "day": [1, 2, 1, 2],
            "amount": [10, 20, 30, 5], "unused": [0.5] * 4}
    frames = {"pandas": (lambda m: m.DataFrame(rows), lambda t: list(t.itertuples(index=False, name=None))),
              "polars": (lambda m: m.DataFrame(rows), lambda t: t.rows()),
              "pyarrow": (lambda m: m.table(rows), lambda t: list(zip(*t.to_pydict().values())))}
    for name, (make, read) in frames.items():
        yield pytest.param(lambda name=name, make=make: make(pytest.importorskip(name)), read, id=name)


@pytest.mark.parametrize("make, read", list(records()))
def test_raw_records(make, read):
    ask = lambda spec, **more: read(probity.release(make(), spec, user="customer", **more))
    assert ask("geometric:eps=99,sensitivity=2", by="shop", contributions=2, filter=["south", "north", "west"]) == [
        ("south", 1), ("north", 2), ("west", 0)]
    assert ask("threshold:eps=99,sensitivity=2,T=1", by=["shop", "day"], contributions=2) == [
        ("ea,st", "2", 1), ("north", "1", 1), ("north", "2", 1), ("south", "1", 1)]
    one = ask("geometric:eps=99", by="shop", contributions=1, filter=["north"])
    assert one == [("north", 1)]
    assert ask("geometric:eps=9999,sensitivity=2", by="day:0:4:2", contributions=2) == [("0", 2), ("2", 2)]
    assert ask("geometric:eps=9999,sensitivity=80", by="shop", contributions=2, filter=["north"],
               sum="amount:0:40:1") == [("north", 30)]
    assert ask("geometric:eps=9999,sensitivity=2 geometric:eps=9999,sensitivity=40", by="shop", contributions=2,
               filter=["north", "west"], mean="amount:0:40:1")[0] == ("north", 15)
    assert probity.release({"b": 7}, "range:eps=1e-12,L=1") == {"b": (None, None)}


def test_raw_records_of_a_file_and_refusals(tmp_path):
    path = tmp_path / "records.csv"
    path.write_text("shop,customer\nnorth,a\nnorth,a\nsouth,b\n")
    ask = lambda spec, **more: probity.release(path, spec, by="shop", user="customer", **more)
    assert ask("geometric:eps=99,sensitivity=2", contributions=2, filter=["north", "west"]) == {"north": 2, "west": 0}
    for spec, more, what in (("geometric:eps=1", {"contributions": 2, "filter": ["north"]}, "sensitivity=2 or more"),
                             ("geometric:eps=1", {"contributions": 1}, "a public list of the groups"),
                             ("geometric:eps=1", {"filter": ["north"]}, "contributions"),
                             ("geometric:eps=1", {"contributions": 1, "filter": ["a"], "sum": "x", "mean": "y"},
                              "expected one of them")):
        with pytest.raises(BadInput, match=what):
            ask(spec, **more)
    with pytest.raises(BadInput, match="'contributions': 2; expected raw records"):
        probity.release({"a": 1}, SPEC, contributions=2)


def test_ledgers_of_users_and_filters(tmp_path):
    users = Ledger.create(tmp_path / "u.db", epsilon=3, user="customer")
    assert users.user == "customer" and users.accounting == "exact"
    with pytest.raises(BadInput):
        users.spend("geometric:eps=1")
    users.for_user("customer")
    users.spend("geometric:eps=1")
    certificate = probity.certify("geometric:eps=1,sensitivity=2", 1, user="customer")
    assert certificate.user == "customer" and probity.certify("geometric:eps=1", 1).user is None
    path = tmp_path / "records.csv"
    path.write_text("shop,customer\nnorth,a\n")
    probity.release(path, certificate=certificate, by="shop", user="customer", contributions=2, filter=["north"],
                    ledger=users)
    assert len(users.entries) == 2
    with pytest.raises(BadInput):
        probity.release({"a": 1}, "geometric:eps=1", ledger=users)

    adaptive = Ledger.create(tmp_path / "f.db", accounting="zcdp", rho="1/2")
    assert adaptive.accounting == "zcdp" and adaptive.budget == ("0.5", "0")
    adaptive.spend("geometric:eps=1/2")
    with pytest.raises(Refused):
        adaptive.spend("geometric:eps=2")
    assert Ledger.create(tmp_path / "g.db", accounting="filter", epsilon=1, delta="1e-6").accounting.startswith("filter")
    assert Ledger.create(tmp_path / "r.db", accounting="renyi", renyi=1, order=8).accounting == "renyi:order=8"
    curve = tmp_path / "curve.csv"
    curve.write_text("order,renyi\n8,1/10\n")
    known = Ledger(tmp_path / "r.db")
    known.spend_curve(curve)
    assert known.entries[0].spec.startswith("rdp:order=8,eps=1/10,curve=")
    with pytest.raises(BadInput, match="expected epsilon,delta"):
        adaptive.spend_curve(curve)
    with pytest.raises(BadInput, match="'rho': expected it"):
        Ledger.create(tmp_path / "h.db", accounting="zcdp", epsilon=1)
