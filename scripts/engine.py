#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""engine.py: where a campaign's runs take place: here (local), on what GNU Parallel reaches by ssh (parallel),
as arrays of a Slurm cluster with a common file system (slurm).

Each yields (job, exit code, what the run wrote with --json, its output) as soon as a run is over, in any order;
a run of which nobody hears any more (its machine is gone, or it was cancelled) is not among them. A run is a line of
a shell program that engine and machines agree on: it prints what came of it between two lines that say how long it is,
so no file has to come back.
"""
import concurrent.futures
import fcntl
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ENGINES = ("local", "parallel", "slurm")
ARRAY = 1000  # runs of an array: Slurm takes 1000 by default
FRAME = re.compile(rb"^campaign-run (\d+) (\d+) (\d+) (\d+)\n", re.M)
SHELL = """#!/bin/sh
# job.sh FIRST INDEX: run FIRST + INDEX of a campaign, which is in this file. It has ended when this exits with 0.
i=$(($1 + $2))
[ {until} = 0 ] || [ "$(date +%s)" -lt {until} ] || exit 0
case $i in
{cases}
*) echo "job.sh: no run $i" >&2; exit 2 ;;
esac
[ -x "$1" ] || {{ echo "job.sh: this machine has no program $1" >&2; exit 2; }}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/json"
code=0
"$@" --json "$tmp/json" >"$tmp/out" 2>&1 || code=$?
echo "campaign-run $i $code $(wc -c <"$tmp/json") $(wc -c <"$tmp/out")"
cat "$tmp/json" "$tmp/out"
echo "campaign-end $i"
"""


def need(*programs):
    for p in programs:
        if not shutil.which(p):
            sys.exit(f"campaign: this machine has no {p}")


def shell(commands, until):
    cases = "\n".join(f"{i}) set -- {shlex.join(c)} ;;" for i, c in enumerate(commands))
    return SHELL.format(until=int(until), cases=cases)


def framed(data):
    """The runs that are whole in what job.sh has printed so far: (index, exit code, json, output),
    and what is behind them."""
    out = []
    while True:
        m = FRAME.search(data)
        if not m:
            return out, data
        index, code, json_bytes, out_bytes = (int(x) for x in m.groups())
        at = m.end() + json_bytes + out_bytes
        end = b"campaign-end %d\n" % index
        if len(data) < at + len(end):
            return out, data
        if data[at:at + len(end)] != end:
            sys.exit(f"campaign: run {index} has not the length that it says")
        text = data[m.end():at]
        out.append((index, code, text[:json_bytes].decode(errors="replace"),
                    text[json_bytes:].decode(errors="replace")))
        data = data[at + len(end):]


def local(commands, until, a):
    """As many at once as there are cores, or --jobs."""
    def one(i):
        if until and time.time() >= until:
            return None
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            try:
                r = subprocess.run([*commands[i], "--json", f.name], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace")
            except OSError as e:
                return i, 127, "", f"{e}\n"
            with open(f.name, encoding="utf-8", errors="replace") as g:
                return i, r.returncode, g.read(), r.stdout
    pool = concurrent.futures.ThreadPoolExecutor(a.jobs)
    try:
        for f in concurrent.futures.as_completed([pool.submit(one, i) for i in range(len(commands))]):
            if f.result():
                yield f.result()
    finally:
        pool.shutdown(cancel_futures=True)


def parallel(commands, until, a):
    """Hosts as GNU Parallel has them (N/HOST: N at once; `:` is this machine). job.sh and the programs
    are copied to them."""
    need("parallel")
    path = os.path.join(a.work, "job.sh")
    with open(path, "w", encoding="utf-8") as f:
        f.write(shell(commands, until))
    cmd = ["parallel", "--plain", "--will-cite", "--group", "--retries", "2", "--workdir", a.workdir]
    for h in a.hosts.split(","):
        cmd += ["--sshlogin", h]
    if a.hosts == ":":
        cmd += ["--jobs", str(a.jobs)]
    for p in sorted({path, *(c[0] for c in commands)}):
        cmd += ["--basefile", p]
    data = b""
    with subprocess.Popen([*cmd, "sh", path, "0", "{}", ":::", *map(str, range(len(commands)))],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as p:
        try:
            while chunk := p.stdout.read1(1 << 20):
                done, data = framed(data + chunk)
                yield from done
        finally:
            for _ in range(2):  # the first says that no more be begun, the second ends what is under way
                p.terminate()
                time.sleep(0 if p.poll() is not None else 1)


def slurm(commands, until, a):
    """Arrays of job.sh: what a run prints is a file of its own. What is under way is cancelled if this ends before."""
    need("sbatch", "squeue", "scancel")
    path, jobs, seen = os.path.join(a.work, "job.sh"), [], set()
    with open(path, "w", encoding="utf-8") as f:
        f.write(shell(commands, until))
    for old in glob.glob(os.path.join(a.work, "*.out")):
        os.unlink(old)
    patience = 3  # looks at files that may come late, when nothing is queued any more
    try:
        for first in range(0, len(commands), ARRAY):
            last = min(ARRAY, len(commands) - first) - 1
            r = subprocess.run(["sbatch", "--parsable", "--job-name=campaign", f"--array=0-{last}",
                                f"--output={a.work}/{first}-%a.out",
                                *shlex.split(a.sbatch), f"--wrap=sh {shlex.quote(path)} {first} $SLURM_ARRAY_TASK_ID"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if r.returncode:
                sys.exit(f"campaign: sbatch: {r.stderr.strip()}")
            jobs.append(r.stdout.strip().split(";")[0])
        while patience:
            patience -= not queued(jobs)  # first, so that what ends meanwhile is looked at once more
            for out in glob.glob(os.path.join(a.work, "*.out")):
                if out not in seen:
                    with open(out, "rb") as f:
                        done, _ = framed(f.read())
                    seen |= {out} if done else set()
                    yield from done
            if len(seen) == len(commands):
                break
            time.sleep(a.every)
    finally:
        if jobs:
            subprocess.run(["scancel", "--quiet", *jobs])


def queued(jobs):
    """Whether Slurm knows of anything of theirs that has not ended. If it cannot be asked, it has not."""
    r = subprocess.run(["squeue", "--noheader", "--jobs", ",".join(jobs), "--format=%T"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    return r.stdout.split() != [] or (r.returncode != 0 and "Invalid job id" not in r.stderr)


def run(engine, commands, until, a):
    if not commands:
        return
    if engine == "local":
        yield from local(commands, until, a)
        return
    os.makedirs(a.work, exist_ok=True)
    with open(os.path.join(a.work, "lock"), "w", encoding="utf-8") as f:
        try:  # its job.sh says what each number is
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"campaign: {a.work} is that of another campaign, which has not ended; --work names another")
        yield from {"parallel": parallel, "slurm": slurm}[engine](commands, until, a)
