# SPDX-License-Identifier: MIT
"""Evidence against a mechanism, from its outputs."""
from __future__ import annotations

import json
from typing import Any, Callable

from ._call import BadInput, Number, Texts, call, encoded, ffi, integer, lib, made, number, text_of


class Verdict:
    """The verdict on a claim, from the outputs."""

    __slots__ = ("_c",)

    def __init__(self, c: Any):
        self._c = c

    @property
    def violation(self) -> bool:
        """True if the claim is refuted."""
        return lib.pby_verdict_violation(self._c)

    @property
    def inconclusive(self) -> bool:
        """True if the claim is not refuted and the evidence could not have refuted it."""
        return lib.pby_verdict_inconclusive(self._c)

    @property
    def reason(self) -> str:
        """Why the verdict is inconclusive; '' where it is not."""
        return ffi.string(lib.pby_verdict_reason(self._c)).decode()

    @property
    def epsilon_lower(self) -> str:
        """The greatest epsilon that is refuted at the claimed delta."""
        return ffi.string(lib.pby_verdict_epsilon_lower(self._c)).decode()

    @property
    def delta_lower(self) -> str:
        """The greatest delta that is refuted at the claimed epsilon."""
        return ffi.string(lib.pby_verdict_delta_lower(self._c)).decode()

    @property
    def event(self) -> str:
        """The event that shows it, in words."""
        return ffi.string(lib.pby_verdict_event(self._c)).decode()

    def report(self) -> dict[str, Any]:
        """All of it."""
        return json.loads(text_of(lib.pby_verdict_json, self._c))

    def __str__(self) -> str:
        return text_of(lib.pby_verdict_lines, self._c).rstrip("\n")

    def __repr__(self) -> str:
        word = "violation" if self.violation else "inconclusive" if self.inconclusive else "no violation"
        return f"<Verdict: {word}, epsilon at least {self.epsilon_lower}>"


def _add(c: Any, side: int, outputs: Any) -> int:
    """Counts outputs: an array of numbers, a row for each output, an array of Arrow, or a sequence of anything that
    prints itself. Returns how many."""
    if hasattr(outputs, "to_pylist"):
        outputs = outputs.to_pylist()
    if hasattr(outputs, "dtype") and getattr(outputs, "ndim", 0) in (1, 2) and outputs.dtype.kind in "iuf":
        import numpy
        whole = outputs.dtype.kind in "iu" and outputs.dtype != numpy.uint64
        if whole or outputs.dtype.kind == "f":
            array = numpy.ascontiguousarray(outputs, dtype=numpy.int64 if whole else numpy.float64)
            rows, columns = array.shape[0], 1 if array.ndim == 1 else array.shape[1]
            add = lib.probity_add_integers if whole else lib.probity_add_doubles
            if columns > 0:
                call(add, c, side, ffi.cast("int64_t *" if whole else "double *", array.ctypes.data), rows, columns)
                return rows
    lines = [_line(output) for output in outputs]
    text = "".join(line + "\n" for line in lines).encode()
    call(lib.probity_add_lines, c, side, text, len(text))
    return len(lines)


def _line(output: Any) -> str:
    """One output as a line: a vector's parts are separated by commas, a float is its bits, None is no output."""
    if output is None:
        return ""
    if isinstance(output, float):
        return "0x" + ffi.buffer(ffi.new("double *", output))[:][::-1].hex()
    if isinstance(output, (list, tuple)) or (hasattr(output, "tolist") and getattr(output, "ndim", 0) == 1):
        return ",".join(_line(x) for x in (output.tolist() if hasattr(output, "tolist") else output))
    line = str(output)
    if "\n" in line:
        raise BadInput("argument 'mechanism': expected outputs without a newline", "input")
    return line


def audit(mechanism: Callable[[Any, int], Any], left: Any, right: Any, *, epsilon: Number | None = None,
          delta: Number = 0, rho: Number | None = None, mu: Number | None = None, outputs: int = 100000,
          error: Number = "1e-6", batch: int = 100000, features: str | None = None) -> Verdict:
    """Judges the claim that a mechanism is (epsilon, delta)-private, rho-zCDP or mu-Gaussian differentially private,
    from its outputs on two neighbouring inputs. A claim of rho or mu is judged at one epsilon, which some of the
    outputs pick, by the delta that it allows there.

    `mechanism(dataset, n)` returns n independent outputs: an array of numbers, with a row for each output, or a
    sequence. A mechanism that keeps its claim is accused with a chance of at most `error`, whatever it is.
    """
    claims = {"epsilon": epsilon, "rho": rho, "mu": mu}
    given = [name for name, value in claims.items() if value is not None]
    if len(given) != 1 or (given != ["epsilon"] and delta != 0):
        raise BadInput("arguments 'epsilon', 'rho', 'mu': expected one of them, and delta only with epsilon", "input")
    c = made(lib.pby_audit_new, "pby_audit", lib.pby_audit_free)
    if features is not None:
        call(lib.pby_audit_features, c, encoded("features", features))
    for side, dataset in ((lib.PBY_LEFT, left), (lib.PBY_RIGHT, right)):
        wanted = integer("outputs", outputs, 1, 2**40)
        while wanted > 0:
            asked = min(wanted, integer("batch", batch, 1, 2**40))
            got = _add(c, side, mechanism(dataset, asked))
            if got != asked:
                raise BadInput(f"argument 'mechanism': it gave {got} outputs; expected {asked}", "input")
            wanted -= asked
    call(lib.pby_audit_settle, c, long=True)
    verdict = ffi.new("pby_verdict **")
    texts = Texts()
    name, allowed = given[0], texts.value("error", error)
    claim = texts.value(name, claims[name])
    if name == "epsilon":
        call(lib.pby_audit_judge, verdict, c, claim, texts.value("delta", delta), allowed, long=True)
    else:
        question = lib.PBY_ASK_RHO if name == "rho" else lib.PBY_ASK_MU
        call(lib.pby_audit_judge_divergence, verdict, c, question, claim, allowed, long=True)
    return Verdict(ffi.gc(verdict[0], lib.pby_verdict_free))
