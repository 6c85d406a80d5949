# SPDX-License-Identifier: MIT
"""Differential privacy that can be checked: the functions of the C library Probity.

    import probity

    probity.loss("stlap:eps=1/2,q=40", epsilon="1/2")           delta, enclosed
    probity.select("geometric", epsilon=1).spec                 the least noise that suffices
    certificate = probity.certify("geometric:eps=1", 1)         what anyone can check again
    probity.release(frame, certificate=certificate)             exact noise on a table
    probity.Plan.load("visits.toml").check()                    a whole release, from bounds and one budget
    probity.audit(mechanism, left, right, epsilon=1)            evidence against anybody's mechanism

Numbers are exact: an int, a Fraction, a Decimal, a text such as '1/3' or '1e-6'; a float stands for the decimal
that Python prints. docs/python.md tells more.
"""
from ._call import BadInput, Error, Failure, Refused, ffi as _ffi, lib as _lib
from .audit import Verdict, audit
from .certificate import Certificate, certify, verify
from .choice import Choice, select
from .enclosure import Enclosure, Undecided
from .ledger import Entry, Ledger
from .loss import Profile, accuracy, loss, profile
from .plan import Plan, PlanCheck
from .release import release
from .session import Reply, Session
from .spec import Spec, families

__version__ = _ffi.string(_lib.pby_version()).decode()


def __getattr__(name: str) -> object:
    """Audits that few need are imported when they are asked for: the grey-box one imports numpy where that is there."""
    if name in ("greybox", "timing"):
        import importlib
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'probity' has no attribute {name!r}")


__all__ = ["BadInput", "Certificate", "Choice", "Enclosure", "Entry", "Error", "Failure", "Ledger", "Plan", "PlanCheck",
           "Profile", "Refused", "Reply", "Session", "Spec", "Undecided", "Verdict", "accuracy", "audit", "certify",
           "families", "loss", "profile", "release", "select", "verify"]
