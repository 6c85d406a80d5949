# SPDX-License-Identifier: MIT
"""Threads, processes and signals; arguments that are none; and what an exception shows."""
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from fractions import Fraction

import pytest

import probity
from probity import BadInput, Ledger, Refused, Session


def in_threads(n, work):
    """Runs work(i) in n threads at once; returns the exceptions."""
    errors, gate = [], threading.Barrier(n)

    def run(i):
        gate.wait()
        try:
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_eight_threads_share_a_ledger(tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1000)
    errors = in_threads(8, lambda i: [ledger.spend("geometric:eps=1/1000") for _ in range(6)])
    assert errors == [] and len(ledger.entries) == 48


def test_eight_threads_do_not_overspend(tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=3)
    errors = in_threads(8, lambda i: ledger.spend("geometric:eps=1"))
    assert len(errors) == 5 and all(isinstance(e, Refused) for e in errors) and len(ledger.entries) == 3


def test_a_session_is_closed_while_others_ask(tmp_path):
    for i in range(10):
        session = Session.create(tmp_path / f"s{i}.json", "above:eps=80", threshold=10**6)
        started = threading.Event()

        def work(k):
            if k == 0:
                started.wait()
                session.close()
                return
            while True:
                session.ask(*range(50))
                started.set()

        errors = in_threads(4, work)
        assert len(errors) == 3 and all(isinstance(e, BadInput) and "closed" in str(e) for e in errors)
        with pytest.raises(BadInput, match="closed"):
            session.left
        session.close()


def test_a_child_gets_no_answer_of_its_parents_session(tmp_path):
    session = Session.create(tmp_path / "s.json", "4*above:eps=80", threshold=10)
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1)
    child = os.fork()
    if child == 0:
        good = 0
        for use in (lambda: session.ask(500), lambda: ledger.spend("geometric:eps=1/9"), lambda: session.end()):
            try:
                use()
            except BadInput as error:
                good += "the process that opened it" in str(error)
        os._exit(0 if good == 3 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert len(session.ask_all([500] * 6)) == 4 and ledger.entries == []


# The call takes minutes; without Ctrl-C the test would never end.
INTERRUPTED = """
    import os, signal, sys, threading, time
    import probity
    ledger = probity.Ledger.create(sys.argv[1], epsilon=1, delta="1e-6")
    threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    try:
        {call}
    except KeyboardInterrupt:
        print("interrupted", ledger.neighbours, flush=True)
        late = time.monotonic() - begun - 1.5
        {then}
        print("late", late, flush=True)
    os._exit(0)
"""


@pytest.mark.parametrize("call, then", [
    ('probity.select("stlap", epsilon="1/2", delta="1e-6", uses=1000)', 'probity.loss("geometric:eps=1", epsilon=1)'),
    ('probity.loss(probity.Spec("1000*gauss:sigma2=4,sample=1/100", "500*stlap:eps=1/10,q=400"), delta="1e-6",'
     ' width="1e-6")', "pass"),
])
def test_ctrl_c_is_served_while_it_computes(tmp_path, call, then):
    code = textwrap.dedent(INTERRUPTED).format(call=call, then=then)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "l.db")], capture_output=True, text=True,
                          timeout=600)
    assert done.stdout.startswith("interrupted add-remove"), done.stderr
    assert "late" in done.stdout


def test_what_was_given_up_charges_nothing(tmp_path):
    """The worker asks before it records: what it was told meanwhile, it does not charge."""
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1)
    from probity import _worker
    task = _worker._Task(lambda: ledger.spend("geometric:eps=1/9"))
    task.given_up[0] = 1
    thread = threading.Thread(target=task.run)
    thread.start()
    thread.join()
    assert isinstance(task.error, probity.Failure) and "interrupted" in str(task.error)
    assert ledger.entries == []
    ledger.spend("geometric:eps=1/9")
    assert len(ledger.entries) == 1


def test_no_exception_shows_a_true_answer(tmp_path):
    session = Session.create(tmp_path / "s.json", "above:eps=80", threshold=10)
    for answer in (812.5, "812", 2**61 + 812, True, None, [812]):
        with pytest.raises(BadInput) as error:
            session.ask(answer)
        assert "812" not in str(error.value) and "True" not in str(error.value)
        assert error.value.__context__ is None and error.value.__cause__ is None
    assert session.asked == 0


def test_a_nul_is_refused(tmp_path):
    path = str(tmp_path / "l.db")
    ledger = Ledger.create(path, epsilon=1)
    for call in (lambda: probity.loss("geometric:eps=1\0", epsilon=1), lambda: probity.Spec("geometric:eps=1\0"),
                 lambda: probity.loss("geometric:eps=1", epsilon="1\0"), lambda: Ledger(path + "\0x"),
                 lambda: Ledger(path, after="0" * 64 + "\0"), lambda: ledger.spend("geometric:eps=1/9", "1\0"),
                 lambda: probity.release({"a": 1}, "geometric:eps=1", filter=["a\0b"]),
                 lambda: probity.release({"a\0b": 1}, "geometric:eps=1"),
                 lambda: probity.loss("geometric:eps=1", epsilon=1, neighbours="add-remove\0")):
        with pytest.raises(BadInput, match="NUL"):
            call()


def test_what_is_no_text_is_refused(tmp_path):
    """Neither Python's own errors of encodings, nor of integers that it does not write."""
    (tmp_path / "binary").write_bytes(b"\x87\x00")
    for call in (lambda: probity.verify("a\0b"), lambda: probity.verify("\ud800\n"), lambda: probity.Certificate("\ud800"),
                 lambda: probity.verify(tmp_path / "binary"), lambda: probity.Plan.load(tmp_path / "binary"),
                 lambda: probity.loss("geometric:eps=1", epsilon=10**5000),
                 lambda: probity.loss("geometric:eps=1", epsilon=Fraction(1, 10**5000)),
                 lambda: probity.loss("geometric:eps=1", epsilon=1, digits=10**5000),
                 lambda: probity.Plan(epsilon=1, rows=10**5000), lambda: probity.Plan(epsilon=10**5000)):
        with pytest.raises(BadInput) as error:
            call()
        assert len(str(error.value)) < 300


def test_certificates_of_version_2_are_read(tmp_path):
    """They state no delta: its members are None."""
    stated = {"zcdp": ("rho", "0", "1/8"), "order": ("renyi", "3", "3/8"), "mu": ("mu", None, "1/2")}
    for option, (question, value, least) in stated.items():
        path = tmp_path / option
        asked = ["--order", "3"] if option == "order" else [f"--{option}"]
        subprocess.run([sys.executable, "-m", "probity", "certify", "gauss:sigma2=4", *asked, "-o", path], check=True)
        certificate = probity.verify(path)
        assert (certificate.question, certificate.value) == (question, value)
        assert certificate.epsilon is None and certificate.delta is None
        assert certificate.divergence.lo <= float(Fraction(least)) <= certificate.divergence.hi
        assert f"{question} {certificate.divergence}" in repr(certificate)
    certificate = probity.certify("geometric:eps=1", 1)
    assert (certificate.question, certificate.value, certificate.divergence) == ("delta", "1", None)


def test_none_is_no_key():
    with pytest.raises(BadInput, match="None"):
        probity.release({None: 1, "a": 2}, "geometric:eps=1")
    for keys in ({"filter": [None]}, {"group": {None: "x"}}, {"group": {"a": None}}):
        with pytest.raises(TypeError, match="texts"):
            probity.release({"a": 1}, "geometric:eps=1", **keys)


def test_wrong_types_are_type_errors(tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1)
    for call in (lambda: probity.loss(7, epsilon=1), lambda: probity.loss(None, epsilon=1), lambda: Ledger(7),
                 lambda: Session(None), lambda: ledger.spend(7), lambda: ledger.spend_curve(7),
                 lambda: ledger.for_user(7), lambda: probity.Spec(7), lambda: probity.certify("geometric:eps=1", None),
                 lambda: probity.Certificate(7), lambda: Ledger(tmp_path / "l.db", after=7),
                 lambda: probity.select(7, epsilon=1), lambda: probity.release({"a": 1}, 7),
                 lambda: probity.release({"a": 1}, "geometric:eps=1", filter=7),
                 lambda: probity.release({"a": 1}, "geometric:eps=1", filter="abc"),
                 lambda: probity.release({"a": 1}, "geometric:eps=1", group=["a"]),
                 lambda: probity.release({"a": 1}, "geometric:eps=1", ledger=7),
                 lambda: probity.release({"a": 1}, "geometric:eps=1", by=7),
                 lambda: probity.loss("geometric:eps=1", epsilon=1, neighbours=7),
                 lambda: Session.create(tmp_path / "s.json", "above:eps=1", threshold=1, ledger="l.db")):
        with pytest.raises((TypeError, BadInput)) as error:
            call()
        assert "ctype" not in str(error.value) and "cdata" not in str(error.value), str(error.value)


def test_a_ledger_of_users_is_asked(tmp_path):
    ledger = Ledger.create(tmp_path / "l.db", epsilon=1, user="customer")
    with pytest.raises(BadInput):
        ledger.affords("geometric:eps=1/2")
    with pytest.raises(BadInput, match="customer"):
        ledger.affords("geometric:eps=1/2", user="shop")
    assert ledger.affords("geometric:eps=1/2", user="customer")
    assert not ledger.affords("geometric:eps=2", user="customer")
    ledger.for_user("customer")
    ledger.spend("geometric:eps=1/2")
    records = Ledger.create(tmp_path / "r.db", epsilon=1)
    with pytest.raises(BadInput, match="of records"):
        records.affords("geometric:eps=1/2", user="customer")
