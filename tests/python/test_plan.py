# SPDX-License-Identifier: MIT
"""Release plans: built, checked, certified, and released from every kind of table."""
import csv
import json
from decimal import Decimal
from fractions import Fraction

import pytest

import probity
from probity import BadInput, Ledger, Plan, Refused

# Noise of an epsilon of 100 and more for each step is 0 but for a chance below 1e-25.
ROWS = [("x", "north", "10"), ("x", "north", "20"), ("y", "south", "99"), ("z", "elsewhere", "5"), ("z", "south", "")]


def shops(**budget):
    return (Plan(user="customer", rows=2, **(budget or {"epsilon": 100000}))
            .column("amount", 0, 60, step="1/2")
            .grouping("shops", by="shop", groups=["north", "south", "east"], groups_per_user=1, rows_per_group=2, expect=100)
            .count("visits", group="shops").mean("spend", of="amount", group="shops").sum("all", of="amount"))


def tables(path):
    """Each kind of table that is installed, and what turns it into lists."""
    columns = {"customer": [r[0] for r in ROWS], "shop": [r[1] for r in ROWS],
               "amount": [float(r[2]) if r[2] else None for r in ROWS]}
    yield "file", lambda m: path, lambda t: t
    yield "pandas", lambda m: m.DataFrame(columns), lambda t: {c: [None if x is m_na(x) else x for x in t[c]] for c in t}
    yield "polars", lambda m: m.DataFrame(columns), lambda t: t.to_dict(as_series=False)
    yield "pyarrow", lambda m: m.table(columns), lambda t: t.to_pydict()
    yield "duckdb", lambda m: m.connect().sql(f"select * from read_csv('{path}')"), lambda t: t.to_pydict()


def m_na(x):
    """x itself where it is a null of pandas."""
    return x if type(x).__name__ in ("NAType", "NaTType") else object()


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.csv"
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("customer", "shop", "amount"), *ROWS])
    return path


@pytest.mark.parametrize("kind", ["file", "pandas", "polars", "pyarrow", "duckdb"])
def test_a_release_of_each_kind_of_table(kind, rows, tmp_path):
    module = None if kind == "file" else pytest.importorskip(kind)
    make, read = next((make, read) for name, make, read in tables(str(rows)) if name == kind)
    plan = shops()
    ledger = plan.ledger(tmp_path / "l.ledger")
    out = plan.release(make(module), ledger, folder=tmp_path / "out")
    assert list(out) == ["visits", "spend", "all"]
    assert read(out["visits"])["shop"] == ["north", "south", "east"]
    assert read(out["visits"])["value"] == [2, 1, 0]  # a row without an amount is dropped of the grouping
    assert read(out["spend"])["value"] == [15, 60, None]
    assert read(out["all"])["value"] == [10 + 20 + 60 + 5]
    assert all(low <= value <= high for low, value, high in zip(*(read(out["visits"])[c] for c in ("low", "value", "high"))))
    assert json.loads((tmp_path / "out" / "release.json").read_text())["format"] == "probity-plan-release"
    assert len(ledger.entries) == 1


def test_types_come_from_the_plan(rows, tmp_path):
    plan = shops()
    out = plan.release(rows, plan.ledger(tmp_path / "l.ledger"))
    assert all(type(x) is int for x in out["visits"]["value"])
    assert all(x is None or type(x) is float for x in out["spend"]["value"])


def test_a_plan_is_checked_without_data():
    check = shops(epsilon=2).check()
    assert check.errors["visits"] == int(check.errors["visits"]) and check.errors["spend"] > check.errors["visits"] / 100
    assert check.loss == 0 and str(check.spec) == check.report["spec"]
    assert "off by at most" in str(check) and "Changes that would help most" in str(check)
    html = check._repr_html_()
    assert html.count("<tr>") == 4 and "mean of amount by shops" in html and "rows_per_group = 1" not in html
    assert [change for change, errors in check.advice if errors < 1]


def test_names_are_escaped_in_the_table():
    plan = Plan(epsilon=1).column('<b>"&', 0, 1, step=1).sum("s", of='<b>"&')
    assert "<b>" not in plan.check()._repr_html_()


def test_a_plan_grows_by_copies(tmp_path):
    plan = Plan(epsilon=1)
    more = plan.count("n")
    assert plan.toml != more.toml and len(more.check().report["statistics"]) == 1
    with pytest.raises(BadInput, match="plan: "):
        plan.check()
    more.save(tmp_path / "p.toml")
    loaded = Plan.load(tmp_path / "p.toml")
    assert loaded.check().report["spec"] == more.check().report["spec"]
    assert len(loaded.count("m").check().report["statistics"]) == 2


def test_every_kind_of_statistic():
    plan = (Plan(user="u", rows=3, neighbours="substitute", epsilon="1/2", times=2, expect=1000)
            .column('a "b"\\\t.c', Fraction(-1, 2), 0.5, step="1/4", missing=0)
            .grouping("g", by=["p", "q"], groups=[("1", "2"), ["a,b", '"']], groups_per_user=2, rows_per_group=1)
            .count("n", weight=2).users("u", group="g").variance("v", of='a "b"\\\t.c')
            .quantile("m", of='a "b"\\\t.c', q=["1/4", 0.5]).histogram("h", of='a "b"\\\t.c', width="1/2")
            .top("t", group="g", best=1))
    kinds = [s["kind"] for s in plan.check().report["statistics"]]
    assert kinds == ["count", "users", "variance", "quantile", "histogram", "top"]


def test_a_release_by_its_certificate(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("u\na\nb\n")
    plan = Plan(user="u", rows=1, epsilon=60).count("n")
    certificate = plan.certify()
    assert certificate.user == "u" and certificate.epsilon == "60"
    assert plan.release(path, plan.ledger(tmp_path / "l.ledger"), certificate=certificate)["n"]["value"] == [2]


def test_a_part_pays_for_itself(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("u\na\nb\n")
    plan = Plan(user="u", rows=1, epsilon=60).count("n")
    ledger = plan.ledger(tmp_path / "l.ledger", parts="region")
    assert ledger.parts == "region"
    plan.release(path, ledger, part="eu")
    ledger.for_part("us")
    plan.release(path, ledger)
    assert [entry.part for entry in ledger.entries] == ["eu", "us"]
    with pytest.raises(Refused):
        plan.release(path, ledger, part="eu")
    with pytest.raises(BadInput, match="part"):
        plan.release(path, plan.ledger(tmp_path / "whole.ledger"), part="eu")


def test_a_budget_of_mu(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("u\na\nb\n")
    plan = Plan(user="u", rows=1, mu="1/2", times=2).count("n")
    assert 0.499 < float(plan.check().loss.hi) <= 0.5
    certificate = plan.certify()
    assert certificate.question == "mu" and float(certificate.divergence.lo) == 0
    ledger = plan.ledger(tmp_path / "l.ledger")
    for _ in range(2):
        plan.release(path, ledger, certificate=certificate)
    with pytest.raises(Refused, match="squares of mu"):
        plan.release(path, ledger)
    budgets = [x for x, _ in plan.curves()["n"]]
    assert budgets[4] == 0.5 and len(budgets) == 9


def test_an_error_that_does_not_fit():
    with pytest.raises(Refused, match="within"):
        Plan(epsilon="1/100", delta="1e-6").count("n", within=1).check()


@pytest.mark.parametrize("build, message", [
    (lambda: Plan(epsilon=1, rho=1).count("n").check(), "one of"),
    (lambda: Plan(rho=1, mu=1).count("n").check(), "one of"),
    (lambda: Plan(epsilon=1, user="u").count("n").check(), "rows"),
    (lambda: Plan(epsilon=1).mean("n", of="x").check(), "low, high, step"),
    (lambda: Plan(epsilon=True), "is no number"),
    (lambda: Plan(epsilon=1, rows=0), "'rows': 0"),
    (lambda: Plan(epsilon=1, user="a\0"), "without a NUL"),
])
def test_mistakes(build, message):
    with pytest.raises(BadInput, match=message):
        build()


def test_wrong_types():
    with pytest.raises(TypeError, match="'groups'"):
        Plan(epsilon=1).grouping("g", by="x", groups="abc")
    with pytest.raises(TypeError, match="'user'"):
        Plan(epsilon=1, user=1)


def test_a_refusal_costs_nothing(rows, tmp_path):
    plan = shops()
    ledger = plan.ledger(tmp_path / "l.ledger")
    with pytest.raises(BadInput, match="shop"):
        plan.release(_other(tmp_path), ledger)
    with pytest.raises(BadInput, match="a mapping"):
        plan.release({"a": 1}, ledger)
    with pytest.raises(BadInput, match="folder"):
        plan.release(rows, ledger, folder=tmp_path)
    with pytest.raises(Refused):
        plan.release(rows, ledger, certificate=Plan(epsilon=1).count("n").certify())
    assert not ledger.entries
    plan.release(rows, ledger)
    with pytest.raises(Refused) as refused:
        plan.release(rows, ledger)
    assert refused.value.reason == "budget" and len(ledger.entries) == 1


def _other(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("customer,store,amount\nx,north,1\n")
    return path


def test_a_group_column_called_value(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("value\na\na\n")
    plan = Plan(epsilon=60).grouping("g", by="value", groups=["a", "b"]).count("n", group="g")
    out = plan.release(path, plan.ledger(tmp_path / "l.ledger"))
    assert out["n"]["value_"] == ["a", "b"] and out["n"]["value"] == [2, 0]


def _counts(tmp_path, frame, groups):
    """The rows of each group, and the sum of the whole table's numbers."""
    plan = (Plan(epsilon=100000).column("x", 0, 60, step=1).grouping("g", by="g", groups=groups).count("n", group="g")
            .sum("s", of="x").count("all"))
    (tmp_path / "l.ledger").unlink(missing_ok=True)
    out = plan.release(frame, plan.ledger(tmp_path / "l.ledger"))
    return [[int(str(x)) for x in out[name]["value"]] for name in ("n", "s", "all")]


def test_a_row_does_not_rename_the_groups_of_others(tmp_path):
    """pandas turns integers into floats beside a missing value, and days into times beside a time."""
    pandas = pytest.importorskip("pandas")

    def frame(g):
        return pandas.DataFrame({"g": g, "x": [1] * len(g)})

    large = str(10**17)
    for last, there in ((2, 1), (None, 0)):
        assert _counts(tmp_path, frame([1, 1, 10**17, last]), ["1", "2", large])[0] == [2, there, 1]
        assert _counts(tmp_path, frame(pandas.Series([1, 1, 2, last], dtype="object")), ["1", "2"])[0] == [2, 1 + there]
        assert _counts(tmp_path, frame(pandas.Series([1, 1, last, last]).astype("category")), ["1", "2"])[0] == [2, 2 * there]
    for time in ("2026-01-02", "2026-01-02 12:00", "2026-01-02 12:00:00.5"):
        days = frame(pandas.to_datetime(["2026-01-01", "2026-01-01", time], format="mixed"))
        assert _counts(tmp_path, days, ["2026-01-01"])[0] == [2]


def test_numbers_of_any_column_of_pandas(tmp_path):
    """An object that is no number is missing, and is neither refused nor shown."""
    pandas = pytest.importorskip("pandas")
    for x, total, rows in ((["1", "secret", 3], 4, 2), ([Decimal("1"), None, Decimal("30.2")], 31, 2), ([True, False, True], 2, 3),
                           ([True, None, True], 2, 2), ([1, True, float("nan")], 2, 2)):
        _, s, n = _counts(tmp_path, pandas.DataFrame({"g": ["a"] * 3, "x": x}), ["a"])
        assert (s, n) == ([total], [rows])


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_truth_values_are_numbers(kind, tmp_path):
    module = pytest.importorskip(kind)
    table = (module.table if kind == "pyarrow" else module.DataFrame)({"g": ["a"] * 3, "x": [True, None, True]})
    assert _counts(tmp_path, table, ["a"]) == [[3], [2], [2]]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_buckets_of_numbers(kind, tmp_path):
    module = pytest.importorskip(kind)
    table = (module.table if kind == "pyarrow" else module.DataFrame)({"age": [5.5, -3.0, 20.0, 99.0, None]})
    plan = Plan(epsilon=100000).grouping("ages", by="age:0:60:20").count("n", group="ages")
    out = plan.release(table, plan.ledger(tmp_path / "l.ledger"))["n"]
    assert [str(x) for x in out["age"]] == ["0", "20", "40"] and [int(str(x)) for x in out["value"]] == [2, 1, 1]


def test_columns_that_cannot_be_read(tmp_path):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    for table, message in ((pandas.DataFrame([["a", 1, 2]], columns=["g", "x", "x"]), "column 'x': expected it once"),
                           (pandas.DataFrame({"x": [1], "h": ["b"]}), "column 'g': expected one among .* x, h"),
                           (pyarrow.table({"g": ["a"], "x": [[1]]}), "expected columns of texts, numbers"),
                           (pandas.DataFrame({"g": pandas.Series(["\ud800secret"], dtype=object), "x": [1]}), "in Unicode: g, x$")):
        with pytest.raises(BadInput, match=message):
            _counts(tmp_path, table, ["a"])


def test_curves_and_their_plot():
    plan = Plan(epsilon=1).count("n")
    points = plan.curves()["n"]
    assert [x for x, _ in points] == [0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4]
    assert points[4][1] == float(plan.check().errors["n"])
    assert all(a[1] > b[1] for a, b in zip(points, points[2:]))
    pytest.importorskip("matplotlib").use("Agg")
    axes = plan.plot()
    assert axes.get_xlabel() == "epsilon" and list(axes.get_lines()[0].get_xdata()) == [x for x, _ in points]
