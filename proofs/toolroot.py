# SPDX-License-Identifier: MIT
"""Frama-C, its provers and Coq from Debian 12, on a system that does not offer them.

    toolroot.py          sets them up where they are missing, and says so
    toolroot.py --path   prints the search path with which they are found

Debian 13 has no Frama-C. There the tools are taken from a root of Debian 12, which mmdebstrap makes in the user's cache, without
privileges where the kernel has user namespaces. Each tool is a script of two lines that enters the root; the user's folders are
mounted in it under the names that they have outside, so a path means the same on both sides. The compiler stays the system's
own: Frama-C reads the text that this compiler has preprocessed (text.py), and that text is what is compiled.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# The versions of Frama-C whose options and report the driver was written for; other ones are refused with their number.
OLDEST, NEWEST = 25, 33
RELEASE = "bookworm"
PACKAGES = ("frama-c-base", "why3", "z3", "cvc4", "coq", "libcoq-interval")
TOOLS = ("frama-c", "why3", "z3", "cvc4", "coqc", "coqtop", "coqchk")
# The root has these of its own; everything else at the top of the machine is mounted in it.
OWN = ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "var", "run", "boot", "lost+found")

ENTER = """#!/bin/sh
# Runs TOOL ARGUMENT... in the root beside this file. A process that may not mount gets a user namespace, in which it may.
set -eu
PATH=$PATH:/usr/sbin:/sbin
root=$(dirname "$(readlink -f "$0")")/root
own=
unshare --mount true 2>/dev/null || own='--user --map-root-user'
exec unshare $own --mount -- sh -eu -c '
  root=$1 here=$2
  shift 2
  for folder in /* /usr/local /usr/share/probity; do
    case $folder in OWN) continue ;; esac
    if [ ! -d "$folder" ] || [ -L "$folder" ]; then continue; fi
    mkdir -p "$root$folder"
    mount --rbind "$folder" "$root$folder"
  done
  exec chroot "$root" /usr/bin/env PATH=/usr/bin:/bin sh -c "cd \\"\\$1\\" && shift && exec \\"\\$@\\"" sh "$here" "$@"
' sh "$root" "$PWD" "$@"
""".replace("OWN", "|".join("/" + name for name in OWN))


class Unavailable(Exception):
    """Frama-C is not there, and a root cannot be made; the text says what is missing."""


def folder():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home) / "probity-tools" / RELEASE


def wanted():
    """True if the tools can come from a root and from nowhere else: there is no Frama-C, and no package of it."""
    if shutil.which("frama-c") is not None:
        return False
    if (folder() / "root").is_dir():
        return True
    if shutil.which("mmdebstrap") is None:
        return False
    return shutil.which("apt-cache") is None or re.search(
        r"Candidate: [^(\s]", subprocess.run(("apt-cache", "policy", "frama-c-base"), text=True, capture_output=True).stdout) is None


def version():
    """The number of the Frama-C on the path; nothing where there is none."""
    if shutil.which("frama-c") is None:
        return None
    done = subprocess.run(("frama-c", "-version"), text=True, capture_output=True)
    found = re.match(r"(\d+)", done.stdout)
    if done.returncode != 0 or not found:
        raise Unavailable(f"{shutil.which('frama-c')} -version: {(done.stderr or done.stdout).strip() or done.returncode}")
    return int(found[1])


def mirror():
    """The mirror of Debian that apt uses here; nothing on another system, where mmdebstrap knows one."""
    if shutil.which("apt-get") is None:
        return []
    said = subprocess.run(("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"), text=True, capture_output=True)
    return [uri for uri in said.stdout.split() if uri.endswith("/debian/")][:1]


def make(where):
    """The root becomes visible under its name when it is whole."""
    if shutil.which("mmdebstrap") is None:
        raise Unavailable("frama-c is not installed, and this system does not offer it (Debian package mmdebstrap, with which it "
                          "would be set up in a root of Debian 12; without root uidmap too)")
    print(f"Frama-C is not on this system: setting up Debian 12 with it in {where} (once, 2 GB)", file=sys.stderr)
    where.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=where.parent, prefix="new-") as made:
        archive = Path(made) / "root.tar"
        done = subprocess.run(("mmdebstrap", "--quiet", "--format=tar", "--variant=apt", "--include=" + ",".join(PACKAGES),
                               RELEASE, str(archive), *mirror()), text=True, capture_output=True)
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise Unavailable("mmdebstrap: " + (lines[-1] if lines else f"exit status {done.returncode}"))
        new = Path(made) / RELEASE
        (new / "root").mkdir(parents=True)
        # Devices are those of the machine, mounted when a tool runs; without privileges none could be made.
        subprocess.run(("tar", "-x", "--exclude=./dev/*", "--no-same-owner", "-C", str(new / "root"), "-f", str(archive)), check=True)
        try:
            os.rename(new, where)
        except OSError:
            if not (where / "root").is_dir():  # another process may have been first
                raise


def script(path, text):
    """Writes a program whole, unless it is there: other processes may be running it."""
    if path.is_file() and path.read_text() == text:
        return
    path.parent.mkdir(exist_ok=True)
    handle, new = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    os.chmod(new, 0o755)
    os.replace(new, path)


def use():
    """Puts the tools on the path of this process where the system has no Frama-C; sets them up if need be."""
    number = version()
    if number is None:
        where = folder()
        if not (where / "root").is_dir():
            make(where)
        script(where / "enter", ENTER)
        for tool in TOOLS:
            script(where / "bin" / tool, f'#!/bin/sh\nexec {shlex.quote(str(where / "enter"))} {tool} "$@"\n')
        os.environ["PATH"] = f"{where / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        number = version()
    if not OLDEST <= number <= NEWEST:
        raise Unavailable(f"frama-c: version {number}: expected {OLDEST} to {NEWEST}")


def main(words):
    if words not in ([], ["--path"]):
        print("toolroot: expected --path or nothing", file=sys.stderr)
        return 2
    try:
        use()
    except (Unavailable, OSError, subprocess.CalledProcessError) as refusal:
        print(f"probity: prove: {refusal}", file=sys.stderr)
        return 3
    if words:
        print(os.environ["PATH"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
