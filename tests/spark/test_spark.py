# SPDX-License-Identifier: MIT
"""Releases on a real Spark of two executors, whose tasks and executors are killed in the middle."""
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow.parquet
import pyspark
import pytest
from pyspark import TaskContext, cloudpickle
from pyspark.sql import SparkSession

import probity
import probity.spark
from probity import BadInput, Ledger, Refused, engine

# The executors run this Python, and get the classes below with the task.
os.environ["PYSPARK_PYTHON"] = sys.executable
cloudpickle.register_pickle_by_value(sys.modules[__name__])

SECRET = bytes(range(32))
ROWS, SHOPS = 200000, 1000


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    session = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("probity")
               .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "8")
               .config("spark.task.maxFailures", "8").config("spark.executor.memory", "600m")
               .config("spark.local.dir", str(tmp_path_factory.mktemp("local"))).getOrCreate())
    yield session
    session.stop()


@pytest.fixture(scope="module")
def visits(spark):
    return spark.range(ROWS).selectExpr(f"concat('shop ', id % {SHOPS}) as shop")


def bytes_of(frame):
    """Returns the rows that were written."""
    return [tuple(row) for row in frame.collect()]


def test_counts_are_released(visits, tmp_path):
    out = probity.spark.release(visits, "geometric:eps=60", keys="shop", workspace=tmp_path,
                                filter=["shop 7", "nowhere"])
    assert bytes_of(out) == [("nowhere", 0), ("shop 7", ROWS // SHOPS)]
    out = probity.spark.release(visits, "threshold:eps=60,T=100", keys="shop", workspace=tmp_path)
    rows = bytes_of(out)
    assert rows == sorted(rows) and len(rows) == SHOPS and {row[1] for row in rows} == {ROWS // SHOPS}
    assert not list(tmp_path.glob("*/counts"))


def test_bad_input_costs_nothing(spark, visits, tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1)
    ask = lambda frame, **more: probity.spark.release(frame, "geometric:eps=1", keys="k", workspace=tmp_path,
                                                      ledger=ledger, **more)
    for rows, what in (([("a", 1), ("a", 2)], "another key"), ([("a", -1)], "0 or more"), ([(None, 1)], "a key")):
        with pytest.raises(BadInput, match=what):
            ask(spark.createDataFrame(rows, "k string, n long"), counts="n")
    with pytest.raises(BadInput, match="public 'filter'"):
        ask(visits.withColumnRenamed("shop", "k"))
    with pytest.raises(BadInput, match="argument 'keys'"):
        ask(visits)
    assert ledger.entries == []


class Dying:
    """A mechanism in parts whose first attempts end in the middle: the worker kills itself behind its first batch."""

    def __init__(self, make):
        self.make = make

    def __call__(self, secret, digest):
        made = self.make(secret, digest)
        context = TaskContext.get()
        if context is None or context.attemptNumber() > 0 or context.partitionId() % 2:
            return made

        class Half:
            hides, names, whole = made.hides, made.names, made.whole

            def stream(self, batches):
                for batch in batches:
                    yield made.release(batch)
                    os.kill(os.getpid(), signal.SIGKILL)

        return Half()


def test_killed_tasks_give_the_same_bytes(visits, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "fresh_secret", lambda: SECRET)
    ask = lambda: bytes_of(probity.spark.release(visits, "threshold:eps=1/10,T=150", keys="shop", workspace=tmp_path))
    quiet = ask()
    stream = probity.spark._stream
    monkeypatch.setattr(probity.spark, "_stream", lambda parts, secrets: stream(Dying(parts), secrets))
    assert ask() == quiet and len(quiet) > SHOPS // 2


def executors():
    listed = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True)
    return [int(pid) for pid in listed.stdout.split()]


class Slow:
    """Takes its time, so that an executor can be killed meanwhile."""

    def __init__(self, make):
        self.make = make

    def __call__(self, secret, digest):
        if TaskContext.get() is not None:
            time.sleep(1)
        return self.make(secret, digest)


def test_a_killed_executor_changes_nothing_and_spends_once(visits, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "fresh_secret", lambda: SECRET)
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1, delta="1e-6")
    ask = lambda **more: bytes_of(probity.spark.release(visits, "threshold:eps=1/10,T=150", keys="shop",
                                                        workspace=tmp_path, **more))
    quiet = ask()
    killed = []
    started = threading.Event()
    stream = probity.spark._stream

    def slow(parts, secrets):
        started.set()
        return stream(Slow(parts), secrets)

    def kill():
        started.wait()
        time.sleep(2.5)
        victim = executors()[0]
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    monkeypatch.setattr(probity.spark, "_stream", slow)
    killer = threading.Thread(target=kill)
    killer.start()
    noisy = ask(ledger=ledger)
    killer.join()
    assert killed and noisy == quiet and len(ledger.entries) == 1


def test_a_failed_job_publishes_nothing_and_spends_once(visits, tmp_path, monkeypatch):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1)

    def broken(parts, secrets):
        def stream(batches):
            raise RuntimeError("broken")
        return stream

    monkeypatch.setattr(probity.spark, "_stream", broken)
    for refused in (Exception, Refused):
        with pytest.raises(refused):
            probity.spark.release(visits, "geometric:eps=1", keys="shop", workspace=tmp_path, filter=["a"],
                                  ledger=ledger)
    assert len(ledger.entries) == 1
    assert not [p for p in tmp_path.glob("*/released/*.parquet") if pyarrow.parquet.read_metadata(p).num_rows]


def files_with(secret, *folders):
    """Files that hold the secret, as far as they can be read while others write and remove them.

    os.walk passes over a folder that is gone by the time it is opened; Path.rglob raises."""
    found = []
    for top, _, names in (step for folder in folders for step in os.walk(folder)):
        for path in (Path(top) / name for name in names):
            try:
                if path.is_file() and secret in path.read_bytes():
                    found.append(path)
            except OSError:
                pass
    return found


def test_the_secret_is_in_no_task_and_on_no_disk(spark, visits, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "fresh_secret", lambda: SECRET)
    folders = [spark.sparkContext.getConf().get("spark.local.dir"), Path(pyspark.__file__).parent / "work"]
    stream, tasks, seen, ends = probity.spark._stream, [], [], threading.Event()

    def kept(parts, share):
        made = stream(Slow(parts), share)
        tasks.append(cloudpickle.dumps(made))
        (Path(folders[0]) / "planted").write_bytes(b"." + SECRET)
        return made

    def look():
        while not ends.wait(0.1):
            seen.extend(files_with(SECRET, *folders, tmp_path))

    monkeypatch.setattr(probity.spark, "_stream", kept)
    looking = threading.Thread(target=look)
    looking.start()
    try:
        probity.spark.release(visits, "geometric:eps=1", keys="shop", workspace=tmp_path, filter=["shop 1"])
    finally:
        ends.set()
        looking.join()
    assert tasks and all(SECRET not in task for task in tasks)
    assert {path.name for path in seen} == {"planted"}, "only what was planted is found"
    (Path(folders[0]) / "planted").unlink()
    assert not files_with(SECRET, *folders, tmp_path)


def test_the_secret_is_in_no_log_and_no_configuration(spark, visits, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(engine, "fresh_secret", lambda: SECRET)
    probity.spark.release(visits, "geometric:eps=1", keys="shop", workspace=tmp_path, filter=["shop 1"])
    printed = "".join(capfd.readouterr())
    settings = str(spark.sparkContext.getConf().getAll())
    written = [p.read_bytes() for p in Path(tmp_path).rglob("*") if p.is_file()]
    for form in (SECRET.hex(), repr(SECRET)):
        assert form not in printed and form not in settings
    assert all(SECRET not in content for content in written)
