#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_cached.py: what scripts/lint.py remembers of a file in C is forgotten when a file that it includes changes."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import lint  # noqa: E402


class Cached(unittest.TestCase):
    def test_what_gcc_reads(self):
        seen = {}
        for name, value in (("cached", lambda name, inputs, *_: seen.update({name: inputs}) or ""),
                            ("formatter", lambda: ("clang-format", ""))):
            self.addCleanup(setattr, lint, name, getattr(lint, name))
            setattr(lint, name, value)
        for job in lint.c_jobs():
            job()
        checked = {inputs[0]: set(inputs) for name, inputs in seen.items() if name.startswith("gcc-")}
        for part in ("model/src/aa/", "model/include/tocsin/", "verif/sim/"):
            self.assertTrue(any(p.startswith(part) for p in checked), part)
        flags = [w for w in lint.WARN if w.startswith("-I")]
        out = subprocess.run(["gcc", "-MM", "-I.", *flags, *sorted(checked)], cwd=lint.ROOT, stdout=subprocess.PIPE,
                             text=True, check=True).stdout
        for rule in out.replace("\\\n", " ").splitlines():
            source, *read = (os.path.normpath(p) for p in rule.split(":")[1].split())
            self.assertEqual(sorted(set(read) - checked[source]), [], source)


if __name__ == "__main__":
    unittest.main()
