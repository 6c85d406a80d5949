# SPDX-License-Identifier: MIT
"""Builds the wheel: the extension that cffi generates; the shared library, the command and its documents beside it.

The output of make install is taken from the folder PROBITY_STAGE. An sdist has none, and has the library's sources in
library/ instead: they are built here, which needs the packages of make setup-build."""
import glob
import os
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

here = os.path.dirname(os.path.abspath(__file__))
tree = os.environ.get("PROBITY_TREE") or os.path.join(here, "library")
stage = os.environ.get("PROBITY_STAGE") or os.path.join(tree, "build", "stage")
# binding.py reads it.
os.environ["PROBITY_STAGE"] = stage


def version():
    with open(os.path.join(tree, "Makefile"), encoding="utf-8") as makefile:
        return re.search(r"^VERSION +:= (\S+)", makefile.read(), re.M).group(1)


def build_library():
    """Builds the library of an sdist. `need` would install packages, which pip was not asked to do."""
    subprocess.check_call(["make", "-C", tree, "need=@:", "PREFIX=" + stage, "install"])
    if shutil.which("strip"):
        subprocess.check_call(["strip", "--strip-debug", os.path.join(stage, "bin", "probity"), *glob.glob(os.path.join(stage, "lib", "*.so"))])


class Installed(build_py):
    """Beside the modules: libprobity, and bin and share as make install lays them out, where the command looks for them."""

    def run(self):
        super().run()
        if not os.path.isdir(stage):
            build_library()
        package = os.path.join(self.build_lib, "probity")
        os.makedirs(os.path.join(package, "bin"), exist_ok=True)
        # The loader asks for the soname; of the names that carry a version it is the shortest.
        library = sorted(glob.glob(os.path.join(stage, "lib", "libprobity.so.*")), key=len)[0]
        shutil.copy(library, package)
        shutil.copy(os.path.join(stage, "bin", "probity"), os.path.join(package, "bin"))
        for part in "probity", "doc":
            shutil.copytree(os.path.join(stage, "share", part), os.path.join(package, "share", part), dirs_exist_ok=True)


class Stable(bdist_wheel):
    """One wheel for every Python from 3.9 on: the extension uses the stable interface alone. PROBITY_PLATFORM is the
    platform that it was compiled for, where that is not this machine."""

    def finalize_options(self):
        self.plat_name = os.environ.get("PROBITY_PLATFORM") or self.plat_name
        super().finalize_options()
        self.py_limited_api = "cp39"


setup(
    version=version(),
    cffi_modules=["binding.py:binding"],
    data_files=[("share/man/man1", sorted(glob.glob("man/*.1")))],
    cmdclass={"bdist_wheel": Stable, "build_py": Installed},
)
