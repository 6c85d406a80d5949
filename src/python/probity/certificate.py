# SPDX-License-Identifier: MIT
"""Certificates: written, checked from nothing, signed."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Union

from ._call import Number, Texts, content, encoded, ffi, integer, lib, made, number, read, text_of
from .enclosure import Enclosure
from .spec import Spec, SpecLike, relation_name, relation_of, spec_of

_QUESTIONS = {lib.PBY_ASK_DELTA: "delta", lib.PBY_ASK_RENYI: "renyi", lib.PBY_ASK_RHO: "rho", lib.PBY_ASK_MU: "mu"}


class Certificate:
    """A certificate that holds: it was checked when this object was made."""

    __slots__ = ("text", "_c")

    def __init__(self, text: str, key: str | None = None):
        """Checks the text; raises Refused where it does not hold. With a public key it must be signed by that."""
        if not isinstance(text, str):
            raise TypeError(f"argument 'text': {type(text).__name__}; expected the text of a certificate")
        bytes_ = content("text", text)
        if key is None:
            self._c = made(lib.pby_verify, "pby_certificate", lib.pby_certificate_free, bytes_, len(bytes_), long=True)
        else:
            self._c = made(lib.pby_verify_signed, "pby_certificate", lib.pby_certificate_free, bytes_, len(bytes_),
                           encoded("key", key), long=True)
        self.text = text

    @property
    def spec(self) -> Spec:
        return Spec(ffi.string(lib.pby_spec_text(lib.pby_certificate_spec(self._c))).decode())

    @property
    def neighbours(self) -> str:
        return relation_name(lib.pby_certificate_neighbours(self._c))

    @property
    def question(self) -> str:
        """The number that it states: delta, or in version 2 of the format renyi, rho or mu."""
        return _QUESTIONS[lib.pby_certificate_question(self._c)]

    @property
    def value(self) -> str | None:
        """Where that number is stated: the epsilon of delta, the order of renyi, the xi of rho."""
        if self.question == "delta":
            return self.epsilon
        return ffi.string(lib.pby_certificate_value(self._c)).decode() or None

    @property
    def divergence(self) -> Enclosure | None:
        """The Renyi divergence, rho or mu that it states; None where it states a delta."""
        if self.question == "delta":
            return None
        return Enclosure(ffi.string(lib.pby_certificate_divergence_lo(self._c)).decode(),
                         ffi.string(lib.pby_certificate_divergence_hi(self._c)).decode())

    @property
    def epsilon(self) -> str | None:
        """None where it states no delta."""
        return ffi.string(lib.pby_certificate_epsilon(self._c)).decode() or None

    @property
    def delta(self) -> Enclosure | None:
        """None where it states a Renyi divergence, rho or mu."""
        if self.question != "delta":
            return None
        return Enclosure(ffi.string(lib.pby_certificate_delta_lo(self._c)).decode(),
                         ffi.string(lib.pby_certificate_delta_hi(self._c)).decode())

    @property
    def route(self) -> str:
        """By which other way delta was recomputed."""
        return ffi.string(lib.pby_certificate_route(self._c)).decode()

    @property
    def signer(self) -> str | None:
        """The public key that signed it."""
        signer = lib.pby_certificate_signer(self._c)
        return None if signer == ffi.NULL else ffi.string(signer).decode()

    @property
    def user(self) -> str | None:
        """The column that names the user where the unit of privacy is one; None: it is a record."""
        user = lib.pby_certificate_user(self._c)
        return None if user == ffi.NULL else ffi.string(user).decode()

    @property
    def deployment(self) -> dict[str, Any] | None:
        """The deployment that it is about, as its signer states it: name, digest of the file, unit, model, horizon."""
        deployment = lib.pby_certificate_deployment(self._c)
        return None if deployment == ffi.NULL else json.loads(ffi.string(deployment))

    def sign(self, secret: str, *, deployment: str | os.PathLike[str] | None = None) -> Certificate:
        """Returns a copy signed with a secret key, the line of a key file. It says which deployment it is about if
        the file of one is named (docs/deployment.md)."""
        bytes_ = content("text", self.text)
        if deployment is not None:
            file = content("deployment", read("deployment", deployment))
            bytes_ = content("text", text_of(lib.pby_certify_deployment, bytes_, file, len(file)))
        return Certificate(text_of(lib.pby_certificate_sign, bytes_, len(bytes_), encoded("secret", secret)))

    def theorem(self) -> str:
        """Returns its statement as a file for Coq; refused where there is no such proof."""
        return text_of(lib.pby_certificate_theorem, self._c)

    def save(self, path: str | os.PathLike[str]) -> None:
        Path(path).write_text(self.text, encoding="utf-8")

    def __repr__(self) -> str:
        if self.question == "delta":
            stated = f"delta {self.delta} at epsilon {self.epsilon}"
        else:
            at = {"renyi": f" of order {self.value}", "rho": f" at xi {self.value}", "mu": ""}[self.question]
            stated = f"{self.question} {self.divergence}{at}"
        return f"<Certificate of {self.spec}: {stated}, {self.neighbours}>"


CertificateLike = Union[Certificate, str, "os.PathLike[str]"]


def certify(spec: SpecLike, epsilon: Number, *, delta: Number | None = None, neighbours: str | None = None,
            n: int = 0, support: int = 0, width: Number | None = None, beta: Number | None = None,
            gamma: Number | None = None, user: str | None = None) -> Certificate:
    """The certificate of a mechanism at epsilon. With `delta` its certified delta may not exceed that; with
    `support` and what the mechanism needs beside it, it also states the accuracy. `user` is the column that names the
    user, where the unit of privacy is one and not a record."""
    spec = spec_of(spec)
    texts = Texts()
    options: Any = ffi.new("pby_certify_words *", {
        "delta": texts.number("delta", delta), "n": integer("n", n, 0, 2**63 - 1),
        "support": integer("support", support, 0, 2**63 - 1), "width": texts.number("width", width),
        "beta": texts.number("beta", beta), "gamma": texts.number("gamma", gamma), "user": texts.text(user, "user")})
    return Certificate(text_of(lib.pby_certify_text, spec._c, relation_of(spec, neighbours),
                               encoded("epsilon", number("epsilon", epsilon)), options))


def verify(certificate: CertificateLike, *, key: str | None = None) -> Certificate:
    """Checks a certificate again, from nothing: a Certificate, or the path of its file. Raises Refused where it does
    not hold, or is not signed by the public key."""
    text = certificate.text if isinstance(certificate, Certificate) else read("certificate", certificate)
    return Certificate(text, key)
