# SPDX-License-Identifier: MIT
"""Asks a peer in a process of its own, so that one that breaks, or takes too long, is a result and not the end."""
import contextlib
import io
import multiprocessing
import time

LIMIT = 120


def child(ask, arguments, pipe):
    start = time.process_time()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            answer = ask(*arguments)
    except Exception as why:
        answer = type(why).__name__
    pipe.send((answer, time.process_time() - start))


def answer_of(ask, *arguments, limit=LIMIT):
    """(answer, seconds of processor time). The answer is a text if there is none: the name of an error, or "no answer"."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=child, args=(ask, arguments, far))
    process.start()
    far.close()
    try:
        answer = near.recv() if near.poll(limit) else ("no answer", float(limit))
    except EOFError:
        answer = ("crash", float(limit))
    process.terminate()
    process.join()
    return answer
