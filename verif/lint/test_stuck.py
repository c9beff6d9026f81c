#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_stuck.py: what scripts/stuck.py ends, and by which name, and what it lets go on although it is slow."""
import os
import signal
import subprocess
import sys
import time
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SPIN = "while :; do :; done"
DEADLOCK = """import threading
a = threading.Lock()
a.acquire()
threading.Thread(target=a.acquire).start()
a.acquire()"""
WORK = "import time\nwhile time.process_time() < 0.3: pass\nprint('done')"


def start(limits, *command, **how):
    return subprocess.Popen([sys.executable, "-S", os.path.join(ROOT, "scripts", "stuck.py"), *limits, *command],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def first_child(pid):
    """The process that stuck.py has started, once there is one."""
    while alive(pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as f:
            if children := f.read().split():
                return int(children[0])
        time.sleep(0.01)
    raise ChildProcessError("stuck.py has ended")


class Stuck(unittest.TestCase):
    def ends(self, limits, *command):
        p = start(limits, *command)
        out, err = p.communicate()
        return p.returncode, out, err

    def test_codes(self):
        self.assertEqual(self.ends([], "true"), (0, "", ""))
        self.assertEqual(self.ends([], "sh", "-c", "echo out; exit 7"), (7, "out\n", ""))
        self.assertEqual(self.ends([], "sh", "-c", "kill -SEGV $$"), (139, "", ""))
        self.assertEqual(self.ends([], "./none")[0], 127)
        self.assertEqual(self.ends([], "/")[0], 125)
        self.assertEqual(self.ends(["--cpu"])[0], 125)
        p = start([], "sh", "-c", "exit 3", preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        p.communicate()
        self.assertEqual(p.returncode, 3)

    def test_spins(self):
        code, _, err = self.ends(["--cpu", "0.5"], "sh", "-c", SPIN)
        self.assertEqual((code, err),
                         (124, "stuck.py: spins: sh has used 0.5 s of processor time, and has not ended\n"))

    def test_spins_in_parts(self):
        """Processes that use little each, and all together too much."""
        code, _, err = self.ends(["--cpu", "0.5"], "bash", "-c", "while :; do (for i in {1..999}; do :; done); done")
        self.assertEqual((code, "spins" in err), (124, True))

    def test_stuck(self):
        code, _, err = self.ends(["--idle", "1"], sys.executable, "-c", DEADLOCK)
        self.assertEqual(code, 124)
        self.assertRegex(err, r"^stuck\.py: stuck: nothing of \S+ has run for 1 s, and it waits for no processor\n$")

    def test_all_are_ended(self):
        """What is in a group of its own, too, and what its parent has left."""
        p = start(["--idle", "1"], "bash", "-c", "set -m; sleep 1000 & echo $!; set +m; (sleep 1000 & echo $!); wait")
        out, _ = p.communicate()
        self.assertEqual((p.returncode, len(out.split())), (124, 2))
        self.assertEqual([alive(int(pid)) for pid in out.split()], [False, False])

    def test_asked_to_end(self):
        p = start([], "sleep", "1000")
        child = first_child(p.pid)
        p.terminate()
        p.communicate()
        self.assertEqual((p.returncode, alive(child)), (143, False))

    def test_stopped_now_and_then(self):
        p = start(["--idle", "1"], sys.executable, "-c", WORK)
        child = first_child(p.pid)
        for _ in range(2):
            os.kill(child, signal.SIGSTOP)
            time.sleep(2.5)
            os.kill(child, signal.SIGCONT)
            time.sleep(0.05)
        self.assertEqual((*p.communicate(), p.returncode), ("done\n", "", 0))

    def test_stopped_together(self):
        """Who looks is stopped as well: that time is nobody's."""
        p = start(["--idle", "2"], "sleep", "2.5")
        first_child(p.pid)
        time.sleep(0.5)
        os.kill(p.pid, signal.SIGSTOP)
        time.sleep(2.5)
        os.kill(p.pid, signal.SIGCONT)
        self.assertEqual((*p.communicate(), p.returncode), ("", "", 0))

    def test_starved(self):
        """It waits for a processor, which another has."""
        cpu = min(os.sched_getaffinity(0))
        load = subprocess.Popen(["sh", "-c", SPIN], preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        p = start(["--idle", "1"], "chrt", "-i", "0", "taskset", "-c", str(cpu), sys.executable, "-c", WORK)
        time.sleep(5)
        ended = p.poll()
        load.kill()
        load.wait()
        self.assertIsNone(ended)
        p.terminate()  # other load may be here to stay
        self.assertEqual((*p.communicate(), p.returncode), ("", "", 143))


if __name__ == "__main__":
    unittest.main()
