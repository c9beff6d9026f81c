#!/usr/bin/env -S python3 -S
# SPDX-License-Identifier: Apache-2.0
"""stuck.py [--cpu S] [--idle S] COMMAND...: runs COMMAND, and ends it, with all that it has started, once it will not
end by itself. A slow machine ends nothing:

  spins   it and all that it has started have used S seconds of processor time (--cpu, 300)
  stuck   at every look, two a second, for S seconds (--idle, 120) all of it was asleep, and had used nothing; who
          waits for a processor or a disk, or was stopped by somebody, is not asleep

Either is said as `stuck.py: stuck: COMMAND ...`, and is exit code 124. Else the code is the command's, 128 + N if
signal N has ended it, and 125 or 127 if it does not begin. Who asks this program to end ends the command as well.
"""
import os
import signal
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")
LOOK = 0.5  # seconds between two looks
ASKED = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}


class Process:
    """What /proc says of one: `ticks` of its own, and `all`, with those of its children that have ended."""

    def __init__(self, pid, stat):
        name, _, rest = stat.partition("(")[2].rpartition(")")
        field = rest.split()
        self.pid, self.name, self.parent, self.group, self.session = pid, name, *map(int, field[1:4])
        self.dead = field[0] in "ZX"  # and nobody has asked yet how it ended
        self.ticks = int(field[11]) + int(field[12])
        self.all = self.ticks + int(field[13]) + int(field[14])


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:  # it has just ended
        return ""


def processes():
    found = [(int(pid), read(f"/proc/{pid}/stat")) for pid in os.listdir("/proc") if pid.isdigit()]
    return [Process(pid, stat) for pid, stat in found if stat]


def of_session(session):
    return [p for p in processes() if p.session == session]


def started_by(pid):
    """The process, all of its group, and what any of these has started."""
    known, found, left = {pid}, [], processes()
    while more := [p for p in left if p.pid in known or p.group == pid or p.parent in known]:
        found += more
        known.update(p.pid for p in more)
        left = [p for p in left if p.pid not in known]
    return found


def asleep(process):
    """Whether each of its threads waits, and not for a processor or a disk."""
    try:
        threads = os.listdir(f"/proc/{process.pid}/task")
    except OSError:
        return True
    stats = [read(f"/proc/{process.pid}/task/{thread}/stat") for thread in threads]
    return all(stat.rpartition(")")[2].split()[0] in "SIZX" for stat in stats if stat)


class Watch:
    """At how many looks in a row nothing had moved. These are counted, and not the time: who looks is slow, too, or
    was stopped with all the rest."""

    def __init__(self):
        self.seen, self.still = None, 0

    def looks(self, group):
        now = sorted((p.pid, p.all) for p in group)
        self.still = self.still + 1 if now == self.seen and all(map(asleep, group)) else 0
        self.seen = now
        return self.still


def kill(group):
    """Ends what group() gives, and what that starts meanwhile."""
    while left := [p.pid for p in group() if not p.dead]:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)


def why(command, pid, cpu, watch, idle):
    """What keeps it from ending, or nothing."""
    group = started_by(pid)
    if sum(p.all for p in group) > cpu * TICK:
        return f"spins: {command} has used {cpu:g} s of processor time, and has not ended"
    if watch.looks(group) * LOOK >= idle:
        return f"stuck: nothing of {command} has run for {idle:g} s, and it waits for no processor"
    return ""


def run(command, cpu, idle):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *ASKED})
    try:
        pid = os.posix_spawnp(command[0], command, os.environ, setpgroup=0, setsigmask=mask,
                              setsigdef=[signal.SIGPIPE])
    except OSError as e:
        print(f"stuck.py: {command[0]}: {e.strerror}", file=sys.stderr)
        return 127 if isinstance(e, FileNotFoundError) else 125

    def end(number, _):
        kill(lambda: started_by(pid))
        sys.exit(128 + number)

    for number in ASKED:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKED)
    watch = Watch()
    while True:
        told = signal.sigtimedwait({signal.SIGCHLD}, LOOK)
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if not told and (said := why(command[0], pid, cpu, watch, idle)):
            kill(lambda: started_by(pid))
            print(f"stuck.py: {said}", file=sys.stderr)
            return 124


def main():
    limit, args = {"--cpu": 300.0, "--idle": 120.0}, sys.argv[1:]
    while len(args) > 1 and args[0] in limit:
        limit[args[0]], args = float(args[1]), args[2:]
    if not args or args[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 125
    return run(args, limit["--cpu"], limit["--idle"])


if __name__ == "__main__":
    sys.exit(main())
