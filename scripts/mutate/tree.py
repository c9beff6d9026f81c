# SPDX-License-Identifier: Apache-2.0
"""Scratch copies of the sources under build/mutate, where bugs are planted and built with the
project's own makefiles."""
import contextlib
import fcntl
import glob
import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "build", "mutate")
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from sources import COMMENT  # noqa: E402
# Not what tests read: a change of these does not make a result stale.
IDLE = re.compile(r".*\.md$|verif/mutants/|\.git")
OUTSIDE = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGKILL)


class Cut(Exception):
    """A program was ended from outside (Ctrl-C, no memory left): it has said nothing of the bug that it was to find."""


def whole(cmd, code, out):
    """Raises Cut if a command, or what a make has started, was ended from outside. The kernel's limit of processor time
    is another signal."""
    if -code in OUTSIDE:
        raise Cut(f"{cmd[0]} was ended by {signal.Signals(-code).name}")
    words = "|".join(["Killed", "Terminated", "Interrupt", "Hangup", "Quit", *(f"Error {128 + s}" for s in OUTSIDE)])
    cut = code and re.search(rf"^make(?:\[\d+\])?: \*\*\* \[.*\] (?:{words})\b", out, flags=re.M)
    if cut:
        raise Cut(cut.group())


def sources():
    """Every file of the working tree that is or could be committed, relative to ROOT."""
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, stdout=subprocess.PIPE,
                         check=False)
    if out.returncode == 0:
        names = out.stdout.decode().split("\0")
    else:  # an unpacked archive
        names = [os.path.relpath(os.path.join(d, f), ROOT) for d, dirs, files in os.walk(ROOT)
                 if not dirs.__setitem__(slice(None), [x for x in dirs if x not in ("build", ".git", ".venv")])
                 for f in files]
    return sorted(n for n in set(names) if n and os.path.isfile(os.path.join(ROOT, n)))


def content(path):
    with open(path, "rb") as f:
        return f.read()


def meaning(name, root):
    """What a file says to tools: of hardware and theorems, their words."""
    text = content(os.path.join(root, name))
    return " ".join(COMMENT.sub("", text.decode()).split()).encode() if name.endswith((".sv", ".svh")) else text


def key(names=None, root=ROOT, texts=None):
    """A digest of the named files, or of all that tests read. texts: what stands for a file, by its name."""
    h, texts = hashlib.sha256(), texts or {}
    for n in names or [n for n in sources() if not IDLE.match(n)]:
        text = texts[n].encode() if n in texts else meaning(n, root)
        h.update(n.encode() + b"\0" + hashlib.sha256(text).digest())
    return h.hexdigest()[:32]


def environment(extra=None):
    """What a make of our own starts with: nothing of the make that called us."""
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
                                                            "MAKE_TERMOUT", "MAKE_TERMERR", "BLOCK", "N", "SEED",
                                                            "PATCH", "CONFIG")}
    env.update(extra or {})
    return env


def cpu_limit(seconds):
    """What a process does before it begins, so that it ends after some seconds of processor time; sooner,
    if `make test` says so."""
    def apply():
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        most = seconds + 5 if hard == resource.RLIM_INFINITY else min(seconds + 5, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (min(seconds, most), most))
    return apply


@contextlib.contextmanager
def alone(name, say):
    """One run at a time in the copies that are called so: a second one would plant its bugs in those of the first."""
    os.makedirs(OUT, exist_ok=True)
    with open(os.path.join(OUT, f"{name}.lock"), "w", encoding="utf-8") as f:
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another run plants bugs in {os.path.relpath(OUT, ROOT)} ({name}); this one begins when it has ended")
            fcntl.flock(f, fcntl.LOCK_EX)
        yield


class Tree:
    """build/mutate/NAME: the sources, with a build folder of their own. Only what differs is written,
    so make does as little."""

    def __init__(self, name):
        self.dir = os.path.join(OUT, name)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, data):
        path = self.path(name)
        if os.path.exists(path) and content(path) == data:
            return False
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)
        return True

    def sync(self, replaced=None):
        """Makes the copy equal to the sources, but for `replaced`: name to bytes."""
        replaced, wanted = replaced or {}, set(sources())
        for n in sorted(wanted | set(replaced)):
            data, new = replaced.get(n), not os.path.exists(self.path(n))
            self.write(n, content(os.path.join(ROOT, n)) if data is None else data)
            if new and data is None:  # as old as it is, for what was built of it; what changes later is as new as that
                shutil.copystat(os.path.join(ROOT, n), self.path(n))
            if n in wanted and os.access(os.path.join(ROOT, n), os.X_OK):
                os.chmod(self.path(n), 0o755)
        for d, dirs, files in os.walk(self.dir):
            dirs[:] = [x for x in dirs if os.path.join(d, x) != self.path("build")]
            for f in files:
                rel = os.path.relpath(os.path.join(d, f), self.dir)
                if rel not in wanted and rel not in replaced:
                    os.remove(os.path.join(d, f))

    def take(self, *names):
        """Takes what has been built of these, if nothing is built here yet; make sees by their age whether
        they are good enough."""
        if os.path.exists(self.path("build")):
            return
        for n in names:
            for path in glob.glob(os.path.join(ROOT, "build", n)):
                to = self.path(os.path.relpath(path, ROOT))
                os.makedirs(os.path.dirname(to), exist_ok=True)
                (shutil.copytree if os.path.isdir(path) else shutil.copy2)(path, to)

    def run(self, cmd, extra=None, log=None, cpu=None):
        """Exit code and output of a command in the tree. `cpu`: seconds of processor time for each process of it."""
        p = subprocess.run(cmd, cwd=self.dir, env=environment(extra), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, preexec_fn=cpu_limit(cpu) if cpu else None, check=False)
        out = p.stdout.decode("utf-8", "replace")
        if log:
            os.makedirs(os.path.dirname(log), exist_ok=True)
            with open(log, "w", encoding="utf-8") as f:
                f.write(out)
        whole(cmd, p.returncode, out)
        return p.returncode, out

    def make(self, *args, log=None):
        return self.run(["make", "--no-print-directory", "JOBS=1", *args], log=log)


def outcome(code, out):
    """How a make went: passed, failed (a check said no), undecided (no solver had an answer), broken (it could not
    be built)."""
    if code == 0:
        return "passed"
    if "No rule to make target" in out:
        return "broken"
    # The innermost make speaks first. A recipe that fails for a file has built nothing; one of a phony
    # target has checked.
    first = re.search(r"make(?:\[\d+\])?: \*\*\* \[[^\]]*?: ([^\]]+)\]", out)
    if not first or "/" in first.group(1):
        return "broken"
    if re.search(r"^(?:FAIL|ok)\b.*; yosys: ", out, flags=re.M):
        return "broken"
    rows = re.findall(r"^FAIL\b.* \d+ theorems, ", out, flags=re.M)
    lost = re.search(r"^ +\S+: (?:failed|not inductive at \d+)\b[^(\n]*\(bound ", out, flags=re.M)
    if rows and not lost and len(rows) == len(re.findall(r"^FAIL\b", out, flags=re.M)):
        return "undecided"
    return "failed"
