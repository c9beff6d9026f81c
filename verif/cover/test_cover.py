#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_cover.py: what scripts/cover.py makes of points of a small tree: one that was not reached is never rounded away,
and a file that never ran is not left out; and make cover fails when a test does."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import cover  # noqa: E402

MK = """SHELL := /bin/bash
Q := @
B := build
JOBS := 1
SIM_TESTS := sim-x
.PHONY: need-cover sim-x
need-cover:
sim-x:
\t@exit $(CODE)
"""


class Cover(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        self.addCleanup(setattr, cover, "ROOT", cover.ROOT)
        cover.ROOT = folder.name
        os.chdir(folder.name)
        self.put("model/src/a.c", "int a(int x) { if (x < 0) return 0; return x; }\n")
        self.put("main.c", "int a(int); int main(void) { return a(-1) + a(0); }\n")
        self.built("main.c", "model/src/a.c")
        self.points(25000, 0)

    @staticmethod
    def put(name, text):
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)

    @staticmethod
    def built(*files):
        """A program of these files, which has run."""
        objects = []
        for path in files:
            objects.append(f"build/model/cov/{os.path.splitext(path)[0]}.o")
            os.makedirs(os.path.dirname(objects[-1]), exist_ok=True)
            subprocess.run(["gcc", "--coverage", "-c", "-o", objects[-1], path], check=True)
        subprocess.run(["gcc", "--coverage", "-o", "build/program", *objects], check=True)
        subprocess.run(["build/program"], check=True)

    def points(self, reached, missed):
        """So many points of Verilator, one a line, each a branch."""
        self.put("rtl/x.sv", "x\n" * (reached + missed))
        point = "C '\x01f\x02rtl/x.sv\x01l\x02{n}\x01page\x02v_branch/x\x01o\x02if\x01n\x020\x01S\x02{n}' {count}\n"
        self.put("build/coverage.dat", "".join(point.format(n=n + 1, count=int(n < reached))
                                               for n in range(reached + missed)))

    def met(self):
        self.said = io.StringIO()
        with contextlib.redirect_stdout(self.said):
            code = cover.main()
        with open("build/report/cover.json", encoding="utf-8") as f:
            self.report = json.load(f)
        return code == 0

    def test_all(self):
        self.assertTrue(self.met(), self.said.getvalue())
        self.assertEqual(self.report["rtl"]["lines"]["percent"], 100)

    def test_one_of_many(self):
        self.points(25000, 1)
        self.assertFalse(self.met())
        self.assertEqual(self.report["rtl"]["lines"]["percent"], 99.99)
        self.assertIn("rtl/x.sv:25001", self.said.getvalue())

    def test_a_file_that_never_ran(self):
        self.put("model/src/b.c", "int b(int x) { return x + 1; }\n")
        os.makedirs("build/model/cov", exist_ok=True)
        subprocess.run(["gcc", "--coverage", "-c", "-o", "build/model/cov/model/src/b.o", "model/src/b.c"], check=True)
        self.assertFalse(self.met())
        self.assertIn("model/src/b.c:1", self.said.getvalue())
        os.remove("model/src/b.c")  # what has been compiled of it stays
        self.assertTrue(self.met(), self.said.getvalue())

    def test_a_failed_test(self):
        self.put("scripts/cover.py", "#!/bin/sh\n")
        os.chmod("scripts/cover.py", 0o755)
        with open(os.path.join(ROOT, "verif", "cover", "cover.mk"), encoding="utf-8") as f:
            self.put("Makefile", MK + f.read())
        env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        for code in (0, 1):
            p = subprocess.run(["make", "cover", f"CODE={code}"], env=env, capture_output=True, text=True, check=False)
            self.assertEqual(bool(p.returncode), bool(code), p.stdout + p.stderr)


if __name__ == "__main__":
    unittest.main()
