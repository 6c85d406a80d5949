# SPDX-License-Identifier: MIT
"""A PostgreSQL server in a folder of its own, for tests and benchmarks of ledgers."""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse


def bindir():
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda f: int(f.split("/")[4]))
    found = shutil.which("pg_isready")
    return folders[-1] if folders else os.path.dirname(os.path.realpath(found)) if found else None


class Server:
    """A server that listens on a socket in its folder. It refuses to run as root: then as nobody."""

    def __init__(self, folder, programs):
        self.folder, self.programs, self.data = folder, programs, os.path.join(folder, "data")
        self.user = pwd.getpwnam("nobody") if os.getuid() == 0 else None
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "admin", "-E", "UTF8", "--locale=C")
        self.process = None
        self.start()

    def demote(self):
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}

    def run(self, program, *arguments):
        subprocess.run([os.path.join(self.programs, program), *arguments], check=True, cwd=self.folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, **self.demote())

    def launch(self):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen([os.path.join(self.programs, "postgres"), "-D", self.data, "-k", self.folder, "-c",
                                             "listen_addresses="], cwd=self.folder, stdout=log, stderr=log, start_new_session=True,
                                            **self.demote())

    def start(self):
        """A server that ends at once is started again: what a killed one leaves behind may take a while to go."""
        self.launch()
        until = time.monotonic() + 180
        while time.monotonic() < until:
            if self.ready():
                return
            time.sleep(0.05)
            if self.process.poll() is not None:
                time.sleep(0.5)
                self.launch()
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
            sys.exit("postgres: the server does not start: " + " / ".join(log.read().splitlines()[-5:]))

    def ready(self):
        return subprocess.run([os.path.join(self.programs, "pg_isready"), "-q", "-h", self.folder, "-U", "admin", "-d", "postgres"],
                              check=False).returncode == 0

    def kill(self):
        """The server and all that it has started, at once: as by a machine that fails."""
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], check=False, capture_output=True, text=True, errors="replace")
        for pid in [self.process.pid, *map(int, children.stdout.split())]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        for name in glob.glob(os.path.join(self.folder, ".s.PGSQL*")) + [os.path.join(self.data, "postmaster.pid")]:
            if os.path.exists(name):
                os.unlink(name)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()

    def uri(self, ledger, database="team", user="admin", **more):
        query = urllib.parse.urlencode({"host": self.folder, **more, "ledger": ledger}, quote_via=urllib.parse.quote)
        return f"postgresql://{user}:hunter2@/{database}?{query}"

    def sql(self, text, database="team", user="admin", good=True):
        done = subprocess.run([os.path.join(self.programs, "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U",
                               user, "-d", database, "-c", text], check=False, capture_output=True, text=True, errors="replace")
        if (done.returncode == 0) != good:
            sys.exit(f"postgres: {user}: {text}: {done.stdout}{done.stderr}")
        return done.stdout.strip()
