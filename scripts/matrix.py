#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""matrix.py [--system debian:13] [--fresh] [--mirror LINE]... [TARGET...]: the project's steps on another
system, from nothing.

Makes a bare root of the system below build/matrix with mmdebstrap, copies the sources of this tree into it (build/
and .venv there are kept from the last time) and does there what the hosted runs do: installs make, then `make run`,
then `make test`; or `make TARGET` for each target named. It needs root, or else user namespaces with subordinate
ids (newuidmap; lines in /etc/subuid and /etc/subgid), the system's package archive, and for Ubuntu on a Debian host
the package ubuntu-keyring or --mirror 'deb [trusted=yes] URL SUITE main universe'. It lacks what a machine of that
system has besides: its kernel, its init, a user who is not root.
"""
import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time

import ci

ROOT = ci.ROOT
SUITES = {"debian:12": "bookworm", "debian:13": "trixie", "ubuntu:24.04": "noble"}
KEYRING = "/usr/share/keyrings/ubuntu-archive-keyring.gpg"
KEEP = ("build", ".venv")
CERT = "/etc/pip-cert.pem"  # where the system's own certificates are not written over it
PASSED_ON = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "http_proxy", "https_proxy",
             "no_proxy", "JOBS")
# In a mount namespace of its own, so that nothing stays mounted whatever happens.
ENTER = ('for d in dev proc sys; do mount --rbind "/$d" "$1/$d" || exit; done; mount -t tmpfs none "$1/dev/shm" && '
         'exec chroot "$@"')


def say(text):
    print(f"matrix: {text}", flush=True)


def lacks(system, mirrors):
    """What keeps this machine from making the system's root; "" if nothing does."""
    if not shutil.which("mmdebstrap"):
        return "mmdebstrap is not installed"
    if os.geteuid() and not (shutil.which("newuidmap") and owns_ids()):
        return "it needs root, or newuidmap (package uidmap) with lines for this user in /etc/subuid and /etc/subgid"
    if system.startswith("ubuntu") and not mirrors and not os.path.exists(KEYRING):
        return (f"the keys of Ubuntu's archive ({KEYRING}, package ubuntu-keyring) are not here, "
                "and no --mirror is given")
    return ""


def owns_ids():
    user = subprocess.run(["id", "-un"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    try:
        return all(any(line.startswith(user + ":") for line in open(f, encoding="utf-8"))
                   for f in ("/etc/subuid", "/etc/subgid"))
    except OSError:
        return False


def inside():
    """Words before a command that has to act as the root's root."""
    return (["unshare", "--mount", "--propagation", "private"] if os.geteuid() == 0
            else ["mmdebstrap", "--unshare-helper"])


def make_root(system, folder, mirrors):
    say(f"making a bare {system} in {os.path.relpath(folder, ROOT)} with mmdebstrap")
    subprocess.run([*inside(), "rm", "-rf", "--one-file-system", folder], check=True)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    cmd = ["mmdebstrap", "--variant=minbase", "--include=apt", SUITES[system], folder, *mirrors]
    if system.startswith("ubuntu"):
        cmd.insert(1, "--components=main,universe")
    if subprocess.run(cmd, check=False).returncode:
        raise SystemExit(f"matrix: mmdebstrap could not make {system}")
    open(folder + ".made", "w", encoding="utf-8").close()


def sources():
    """A tar of the files that this tree has, built ones aside, on its standard output."""
    cmd = ["tar", "-C", ROOT, *(f"--exclude=./{k}" for k in KEEP), "--exclude=__pycache__", "-cf", "-", "."]
    return subprocess.Popen(cmd, stdout=subprocess.PIPE)


def fill(folder):
    """This tree's sources, and how names and certificates are found on this machine."""
    keep = " ".join(f"! -name {k}" for k in KEEP)
    script = (f'mkdir -p "$1/tocsin" && cd "$1/tocsin" && find . -mindepth 1 -maxdepth 1 {keep} -exec rm -rf {{}} + && '
              'tar -xf - --no-same-owner')
    with sources() as tar:
        subprocess.run([*inside(), "sh", "-c", script, "sh", folder], stdin=tar.stdout, check=True)
    if tar.returncode:
        raise SystemExit("matrix: tar could not read the sources")
    for path, there in (("/etc/resolv.conf", "/etc/resolv.conf"), ("/etc/hosts", "/etc/hosts"),
                        (os.environ.get("PIP_CERT"), CERT)):
        if path:
            with open(path, "rb") as f:
                subprocess.run([*inside(), "sh", "-c", 'cat > "$1"', "sh", folder + there], stdin=f, check=True)


def step(folder, command, log):
    """One command in the root; its output goes to the terminal and to a file. True if it succeeded."""
    say(f"$ {command}")
    env = ([f"{k}={os.environ[k]}" for k in PASSED_ON if k in os.environ]
           + [f"PIP_CERT={CERT}"] * ("PIP_CERT" in os.environ))
    words = ["env", "-i", "HOME=/root", "LANG=C.UTF-8",
             "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *env,
             "sh", "-e", "-c", f"cd /tocsin; {command}"]
    began = time.time()
    with open(log, "w", encoding="utf-8") as out:
        p = subprocess.Popen([*inside(), "sh", "-c", ENTER, "sh", folder, *words], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        for line in p.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            out.write(line)
    code = p.wait()
    say(f"{'ok' if code == 0 else f'exit code {code}'} after {time.time() - began:.0f} s: {command}; "
        f"{os.path.relpath(log, ROOT)}")
    return code == 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--system", choices=sorted(SUITES), default="debian:13")
    ap.add_argument("--fresh", action="store_true", help="make the root anew")
    ap.add_argument("--mirror", action="append", default=[], help="a mirror, or a line of sources.list, for mmdebstrap")
    ap.add_argument("targets", nargs="*")
    args = ap.parse_args()
    two = ci.check()
    why = lacks(args.system, args.mirror)
    if why:
        raise SystemExit(f"matrix: {args.system} cannot be made here: {why}")
    name = args.system.replace(":", "-")
    folder = os.path.join(ROOT, "build", "matrix", name)
    if args.fresh or not os.path.exists(folder + ".made"):
        make_root(args.system, folder, args.mirror)
    fill(folder)
    report = os.path.join(ROOT, "build", "report", "matrix", name)
    os.makedirs(report, exist_ok=True)
    failed = []
    commands = [ci.BARE, *([f"make {shlex.quote(t)}" for t in args.targets] or two)]
    for n, command in enumerate(commands):
        log = os.path.join(report, (command.split()[1] if n else "bare") + ".log")
        if not step(folder, command, log):
            failed.append(command)
            if n == 0:
                break
    say(f"{args.system}: {len(commands) - len(failed)} of {len(commands)} steps succeeded"
        + "".join(f"; failed: {c}" for c in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
