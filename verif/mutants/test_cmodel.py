#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_cmodel.py: mutants of the model that are judged at the same time do not get each other's verdicts."""
import concurrent.futures
import itertools
import os
import sys
import tempfile
import threading
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from mutate import cmodel, judges, results, schemata, tree  # noqa: E402

FILE = "model/src/aa/aa_qi.c"
SAME, OTHER, BROKEN, LLVM = (types.SimpleNamespace(path="model/src/aa/aa_x.c", number=n) for n in (1, 2, 3, 4))


class Runner(cmodel.Runner):
    """A compiler writes `plain` for the original and an equivalent mutant, clang for one more, and ends only when two
    have written."""

    def __init__(self):
        self.where, self.programs, self.broken, self.plain = tree.Tree("."), {}, set(), {}
        self.lock, self.both, self.say, self.compilers = threading.Lock(), None, lambda _: None, ["gcc"]

    def compile(self, path, *more, where=None, compiler="gcc"):
        number = next(m for m in more if m.startswith("-DMUTANT="))[len("-DMUTANT="):]
        if number == "3u":
            return 1, "internal compiler error", 0
        with open(more[-1], "w", encoding="utf-8") as f:
            f.write("plain" if number in ("0u", "1u") or (compiler, number) == ("clang", "4u") else number)
        if self.both:
            self.both.wait()
        return 0, "", 0


class Model(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, tree, "OUT", tree.OUT)
        tree.OUT = folder.name
        self.runner = Runner()

    def test_equivalent(self):
        self.assertEqual([self.runner.equivalent(m) for m in (SAME, OTHER, BROKEN)], [True, False, False])
        self.assertFalse(self.runner.equivalent(LLVM))
        self.runner.compilers.append("clang")
        self.assertEqual([self.runner.equivalent(m) for m in (OTHER, LLVM)], [False, True])

    def test_two_at_a_time(self):
        self.runner.equivalent(SAME)
        self.runner.both = threading.Barrier(2)  # one at a time, it waits for ever
        for _ in range(20):
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                self.assertEqual(list(pool.map(self.runner.equivalent, (SAME, OTHER))), [True, False])

    def test_one_make_at_a_time(self):
        busy, most = [], []

        def prepare(program, _):
            busy.append(program)
            most.append(len(busy))
            threading.Event().wait(0.05)
            busy.pop()
        self.addCleanup(setattr, cmodel, "Program", cmodel.Program)
        cmodel.Program = lambda name, *_: types.SimpleNamespace(
            prepare=lambda say: prepare(name, say), kills=lambda n: "differs" if name == "model random" else None)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(self.runner.judge, (SAME, OTHER)))
        self.assertEqual(found, [("equivalent", None), ("killed", "differs")])
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.runner.judge, (OTHER, OTHER)))
        self.assertEqual(max(most), 1)

    def test_what_stays(self):
        """A verdict stays while the test that gave it does; that a bug lives is not known of other tests."""
        def entry(status, why, needs=None):
            return {"kind": "c", "status": status, "killed_by": why, "file": FILE,
                    "needs": needs or judges.needs(FILE, why)}
        before = results.Store("c-x", "of other tests")
        before.put("killed", entry("killed", "test_aa: a got 1 want 2"))
        before.put("same", entry("equivalent", None))
        before.put("lives", entry("survived", None))
        before.put("by what changed", entry("killed", "test_aa: a got 1 want 2", judges.needs(FILE, "test_aa_qi: b")))
        other = judges.needs("model/src/aa/aa_cpl.c", "test_aa: b")
        before.put("in what changed", entry("killed", "test_aa: b", other))
        self.assertEqual(sorted(results.Store("c-x", "of these", judges.keeps).known), ["killed", "same"])
        self.assertEqual(len(results.Store("c-x", "of other tests", judges.keeps).known), 5)
        self.assertEqual(len(results.Store("c-x", "of these").known), 0)

    def test_argued(self):
        """What is said of a bug is said of one that there is."""
        with open(results.ARGUED, encoding="utf-8") as f:
            rows = [line.split(None, 2)[:2] for line in f if line.strip() and line[0] != "#"]
        self.assertEqual(sorted(results.argued()), sorted(mutant for mutant, _ in rows))
        for mutant, place in rows:
            path, line = place.split(":")
            there = cmodel.mutants(path) if path.startswith("model/") else \
                itertools.chain(*schemata.candidates(os.path.splitext(os.path.basename(path))[0]))
            self.assertTrue((mutant, int(line)) in [(m.id, m.line) for m in there], f"{place}: no {mutant}")


if __name__ == "__main__":
    unittest.main()
