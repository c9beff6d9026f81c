#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_runner.py: what scripts/test.py says of tests that pass, fail, lack what they need, skip, hang,
or take make with them."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
MAKEFILE = f"""SHELL := /bin/bash
include {ROOT}/scripts/marks.mk
.PHONY: good bad needs broken skip blank part steps kills hangs works bare shared
good bare:
\t@echo well
bad:
\t@echo why; exit 3
broken:
\t@exit 1
needs: broken
\t@echo never
skip:
\t@echo 'skipped: no such program'
blank:
\t@echo 'skipped: '
part:
\t@echo 'skipped in part: a program'
steps:
\t@echo 'bound 3 steps'
bare:
\t@printf 'no end of line'
kills:
\t@kill -9 $$PPID; sleep 0.1
hangs:
\t@echo waiting; sleep 60
works:
\t@for i in {{1..400000}}; do :; done
burns:
\t@while :; do :; done
builds: cc1
\t@./cc1
cc1:
\t@printf '%s\\n' '#!/bin/bash' 'while read -ra f </proc/$$$$/stat &&' \\
\t  '[ "$$(($${{f[13]}} + $${{f[14]}}))" -lt 200 ]; do :; done' >$@
\t@chmod +x $@
grouped:
\t@set -m; sleep 61 & wait
shared:
\t@echo said while building
"""


class Runner(unittest.TestCase):
    def run_tests(self, *tests, more=()):
        """Words by test, lines, and the text of each in the XML."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "Makefile"), "w", encoding="utf-8") as f:
                f.write(MAKEFILE)
            p = subprocess.run([os.path.join(ROOT, "scripts", "test.py"), "--jobs", "1", "--junit", "junit.xml", *more,
                                *tests], cwd=folder,
                               stdout=subprocess.PIPE, text=True, check=False, env={**os.environ, "MAKEFLAGS": "n"})
            xml = {c.get("name"): c for c in ET.parse(os.path.join(folder, "junit.xml")).getroot()}
            with open(os.path.join(folder, "seconds.txt"), encoding="utf-8") as f:
                self.seconds = {line.split(None, 1)[1].strip(): float(line.split()[0]) for line in f}
        self.assertEqual(sorted(xml), sorted(tests))
        self.code, self.lines = p.returncode, p.stdout.splitlines()
        self.xml = xml
        return {m[2]: m[1] for m in re.finditer(r"^(\w+) +[\d.]+s (\S+)  \(", p.stdout, flags=re.M)}

    def test_words(self):
        words = self.run_tests("good", "bad", "needs", "skip", "blank", "part", "steps", "bare", "nothing",
                               "works", more=("--shared", "shared"))
        self.assertEqual(words, {"good": "ok", "bad": "FAIL", "needs": "FAIL", "skip": "skip", "blank": "skip",
                                 "part": "part", "steps": "bound", "bare": "ok", "nothing": "FAIL", "works": "ok"})
        self.assertEqual((self.lines[-1], self.code), ("5 passed, 3 failed", 1))
        self.assertIn("failed: bad needs nothing", self.lines)
        self.assertIn("     | said while building", self.lines)
        self.assertEqual([t for t, c in self.xml.items() if c.find("failure") is not None], ["bad", "needs", "nothing"])
        self.assertIn("why", self.xml["bad"].find("failure").text)
        self.assertNotIn("why", self.xml["needs"].find("failure").text)

    def test_all_good(self):
        self.assertEqual(self.run_tests("good"), {"good": "ok"})
        self.assertEqual((self.lines[-1], self.code), ("1 passed, 0 failed", 0))

    def test_one_make(self):
        """Seconds are those of the test, though the same make has made others before."""
        self.run_tests("good", "works", "bare")
        self.assertGreater(self.seconds["works"], max(self.seconds["good"], self.seconds["bare"]))
        self.assertIn("make itself, reading its rules", self.seconds)

    def test_make_dies(self):
        words = self.run_tests("good", "kills", "bad", "bare")
        self.assertEqual(words, {"good": "ok", "kills": "FAIL", "bad": "FAIL", "bare": "ok"})
        self.assertIn("make has ended here", self.xml["kills"].find("failure").text)

    def test_hangs(self):
        words = self.run_tests("good", "hangs", "bare", more=("--idle", "1"))
        self.assertEqual(words, {"good": "ok", "hangs": "FAIL", "bare": "ok"})
        self.assertIn("hung: nothing of it has run for 1 s", self.xml["hangs"].find("failure").text)
        self.assertEqual(self.run_tests("grouped", more=("--idle", "1")), {"grouped": "FAIL"})
        self.assertNotIn("sleep 61", subprocess.run(["ps", "-eo", "args"], stdout=subprocess.PIPE, text=True,
                                                    check=True).stdout.splitlines())

    def test_processor(self):
        """A process that takes more than it may is ended, and not make, which takes less."""
        self.assertEqual(self.run_tests("good", "burns", "bare", more=("--cpu", "1")),
                         {"good": "ok", "burns": "FAIL", "bare": "ok"})
        self.assertRegex(self.xml["burns"].find("failure").text, r"(?m)^\w+ spins: it has used 1 s of processor time")

    def test_compiler(self):
        """What compiles may use what it needs."""
        self.assertEqual(self.run_tests("builds", more=("--cpu", "1")), {"builds": "ok"})


if __name__ == "__main__":
    unittest.main()
