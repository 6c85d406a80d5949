# SPDX-License-Identifier: MIT
"""Builds the wheel: the extension that cffi generates, and the shared library beside it."""
import os

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel


class Stable(bdist_wheel):
    """One wheel for every Python from 3.9 on: the extension uses the stable interface alone."""

    def finalize_options(self):
        super().finalize_options()
        self.py_limited_api = "cp39"


setup(
    version=os.environ["PROBITY_VERSION"],
    cffi_modules=["binding.py:binding"],
    cmdclass={"bdist_wheel": Stable},
)
