#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_trial.py: a check that was ended from outside says nothing of a bug, and nothing of it is kept; a
run that leaves bugs is not good."""
import concurrent.futures
import contextlib
import importlib.util
import io
import os
import signal
import sys
import tempfile
import time
import types
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
sys.path.insert(0, SCRIPTS)
from mutate import judges, patch, results, smoke, source, tree, trial  # noqa: E402

spec = importlib.util.spec_from_file_location("mutate_main", os.path.join(SCRIPTS, "mutate.py"))
main = importlib.util.module_from_spec(spec)
spec.loader.exec_module(main)


class Scratch(unittest.TestCase):
    """build/mutate is a folder that goes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for module, name, path in ((tree, "OUT", ""), (results, "REPORT", "mutate"), (patch, "KILLED", "killed.txt")):
            self.addCleanup(setattr, module, name, getattr(module, name))
            setattr(module, name, os.path.join(folder.name, path))

    def put(self, name, text):
        with open(os.path.join(tree.OUT, name), "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(os.path.join(tree.OUT, name), 0o755)


class Trials(Scratch):
    def judged(self, script):
        """What is said of bugs 1 to 3 by a program, and what is kept of that."""
        self.put("program", "#!/bin/sh\n" + script)
        program = trial.Program("sim-x", "program", [], types.SimpleNamespace(dir=tree.OUT))
        program.ready = True

        def judge(m, _):
            why = program.kills(m)
            return {"killed_by": why, "status": "killed" if why else "survived", "line": 1, "what": "", "seconds": 1}
        store, progress = results.Store("x", "key"), results.Progress(lambda _: None)
        progress.expect("source", 3)
        with contextlib.redirect_stdout(io.StringIO()):
            found = main.judge_all(("source", "x", [1, 2, 3], str, judge), store, types.SimpleNamespace(jobs=1),
                                   progress, float("inf"))
        self.left = progress.left["source"]
        return [e and e["status"] for e in found], sorted(results.Store("x", "key").known)

    def test_verdicts(self):
        self.assertEqual(self.judged("exit $((TOCSIN_MUTANT == 2))"),
                         (["survived", "killed", "survived"], ["1", "2", "3"]))
        self.assertEqual(self.left, 0)

    def heard(self, name):
        """The signal ends programs, also where this test was started without it (nohup, a job in the background)."""
        number = getattr(signal, "SIG" + name)
        if signal.getsignal(number) == signal.SIG_IGN:
            self.addCleanup(signal.signal, number, signal.signal(number, signal.SIG_DFL))

    def test_ended_from_outside(self):
        for name in ("INT", "TERM", "HUP", "KILL"):
            self.heard(name)
            tree.OUT = tempfile.mkdtemp(dir=tree.OUT)
            self.assertEqual(self.judged(f"[ $TOCSIN_MUTANT != 2 ] || kill -{name} $$"),
                             (["survived", None, "survived"], ["1", "3"]), name)
            self.assertEqual(self.left, 1)

    def test_ends_of_its_own(self):
        for name in ("SEGV", "ABRT", "XCPU"):
            tree.OUT = tempfile.mkdtemp(dir=tree.OUT)
            self.assertEqual(self.judged(f"[ $TOCSIN_MUTANT != 2 ] || kill -{name} $$")[0][1], "killed", name)

    def test_errors_are_asked_again(self):
        store, progress = results.Store("x", "key"), results.Progress(lambda _: None)
        args = types.SimpleNamespace(jobs=1)
        for status in ("error", "killed"):
            entry = {"killed_by": None, "status": status, "line": 1, "what": "", "seconds": 1}
            progress.expect("source", 1)
            with contextlib.redirect_stdout(io.StringIO()):
                found = main.judge_all(("source", "x", [1], str, lambda m, _, e=entry: e), store, args, progress,
                                       float("inf"))
            self.assertEqual([e["status"] for e in found], [status])

    def test_a_report_of_a_part(self):
        one = {"block": "x", "mutant": "1", "kind": "logic", "killed_by": "sim-x", "status": "killed",
               "file": "rtl/x.sv", "line": 1, "what": "", "seconds": 1}
        said = []
        self.assertTrue(results.write([one], said.append))
        self.assertFalse(results.write([one], said.append, ["7 mutants are left"]))
        self.assertIn("Not judged:\n7 mutants are left", said[-2])

    def test_what_is_argued(self):
        """Beside a survivor stands why it lives, where that has been said; either way it counts as alive."""
        known = next(iter(results.argued().items()))
        said = []
        lived = [{"block": "x", "mutant": m, "kind": "c", "killed_by": None, "status": "survived", "file": "model/x.c",
                  "line": 1, "what": m, "seconds": 1} for m in (known[0], "unheard of")]
        self.assertFalse(results.write(lived, said.append))
        self.assertIn(f"  (c, {known[0]})\n    {known[1]}\n", said[-2])
        self.assertIn("1 of 2 equivalent by words", said[-2])

    def test_whose_tests(self):
        """A block's own, else those around it; of aa_iommu, which ax_iommu has inside, there is a lockstep."""
        self.assertEqual(judges.tests_of("ax_iommu"), ["ax_iommu"])
        self.assertEqual(judges.tests_of("ax_rd"), ["ax_dev"])
        self.assertEqual(judges.tests_of("aa_iommu"), [])

    def test_a_lockstep_that_fails_with_all(self):
        """It is asked with the bug alone; what no check was asked of is not judged."""
        def judged(passes, dies):
            runner = source.Runner.__new__(source.Runner)
            asked = []
            runner.tests = lambda _: [("sim-x", "sim", [])]
            runner.lockstep = lambda _: [("cosim x", "cosim", ["1"]), ("wiring x", "cosim", ["2"])]
            runner.program = lambda name, *_: types.SimpleNamespace(kills=lambda _: None) if name in passes else None
            runner.equivalent, runner.proof = lambda *_: False, lambda *_: None
            runner.alone = lambda m, name, *_: asked.append(name) or (f"{name} alone" if name == dies else None)
            return runner.judge(types.SimpleNamespace(module="aa_iommu", number=1)), asked
        self.assertEqual(judged(["sim-x"], "wiring x"), (("killed", "wiring x alone"), ["cosim x", "wiring x"]))
        self.assertEqual(judged(["sim-x"], None), (("survived", None), ["cosim x", "wiring x"]))
        self.assertEqual(judged(["sim-x", "cosim x"], None), (("survived", None), ["wiring x"]))
        self.assertEqual(judged([], None), (("error", None), ["sim-x", "cosim x", "wiring x"]))


class Smoke(Scratch):
    """A lockstep with no mutant chosen is the one without mutants; one that cannot be built is not."""

    def test_plain(self):
        self.addCleanup(setattr, smoke, "CHECKS", smoke.CHECKS)
        self.addCleanup(setattr, tree, "ROOT", tree.ROOT)
        self.put("cosim", "#!/bin/sh\necho 70 cycles\n")
        tree.ROOT, smoke.CHECKS = tree.OUT, [("aa_iommu", "cosim small", "cosim", 1, 2)]
        for program, good in ((object(), True), (None, False)):
            runner = types.SimpleNamespace(program=lambda *_, p=program: p, where=types.SimpleNamespace(dir=tree.OUT))
            self.assertEqual(smoke.same(runner, ["aa_qi"], lambda _: None), good)
            self.assertTrue(smoke.same(runner, ["nic_rd"], lambda _: None))  # of that top none is planted


class Targets(Scratch):
    """How a target of make went with a patch."""

    def made(self, recipe):
        self.put("Makefile", f"sim-x formal-x:\n\t@{recipe}\n")
        return tree.outcome(*tree.Tree(".").make("sim-x"))

    def test_ends(self):
        self.assertEqual(self.made("true"), "passed")
        self.assertEqual(self.made("echo FAIL; exit 1"), "failed")
        for name in ("KILL", "TERM"):
            with self.assertRaises(tree.Cut):
                self.made(f"kill -{name} $$$$")
            with self.assertRaises(tree.Cut):
                self.made(f"sh -c 'kill -{name} $$$$'; exit $$?")

    def test_proofs(self):
        row = "FAIL   27.7s cm_x - smtbmc 1: 2 theorems, 0 environments, 0 covers"
        for more, how in (("; induction: z3: time-out after 5 s of processor time", "undecided"),
                          ("\n       p1_a: unknown (bound 1)", "undecided"),
                          ("\n       p1_a: unknown (bound 1)\n       p2: not inductive at 1 (bound 1)", "failed"),
                          ("\n       p1_a: failed (bound 3)", "failed"),
                          ("\n       c_a: failed: reached, against the table (bound 3)", "failed"),
                          ("; yosys: ERROR: syntax error", "broken"),
                          ("\nFAIL cm_x[default] cycle 3 seed 1: want 1", "failed")):
            self.assertEqual(tree.outcome(2, f"{row}{more}\nmake: *** [a.mk:52: formal-x] Error 1\n"), how, more)

    def test_a_patch_without_an_answer(self):
        self.addCleanup(setattr, patch, "baseline", patch.baseline)
        patch.baseline = lambda *_: None
        self.put("slow.patch", "What.\nKill: formal-x\n--- a/rtl/x.sv\n+++ b/rtl/x.sv\n")
        self.addCleanup(setattr, patch.Patch, "apply", patch.Patch.apply)
        patch.Patch.apply = lambda *_: None
        self.addCleanup(setattr, tree, "Tree", tree.Tree)
        for said, by in (("; base: z3: time-out after 5 s", None), ("\n       p1: failed (bound 3)", "formal-x")):
            out = f"FAIL 9.0s x - smtbmc 1: 1 theorems, {said}\nmake: *** [a.mk:52: formal-x] Error 1\n"
            tree.Tree = lambda _, o=out: types.SimpleNamespace(sync=lambda: None, dir="", make=lambda *_, log: (2, o))
            self.assertEqual(patch.judge(patch.Patch(os.path.join(tree.OUT, "slow.patch")), lambda _: None), by)

    def test_one_run_at_a_time(self):
        busy, most, said = [], [], []

        def judge(*_):
            busy.append(1)
            most.append(len(busy))
            time.sleep(0.2)
            busy.pop()
        self.addCleanup(setattr, patch, "judge", patch.judge)
        patch.judge = judge
        paths = [os.path.join(tree.OUT, f"{n}.patch") for n in "ab"]
        for path in paths:
            self.put(path, f"What {path}.\nKill: sim-x\n--- a/x\n+++ b/x\n")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:  # as two makes
            ends = list(pool.map(lambda p: patch.run([p], said.append)[0][0]["status"], paths))
        self.assertEqual((ends, most), (["survived"] * 2, [1, 1]))
        self.assertEqual(sum("another run plants bugs" in line for line in said), 1)

    def test_what_is_killed_is_kept(self):
        asked, by = [], {"a": "sim-x", "b": None, "c": "formal-x"}

        def judge(p, _):
            asked.append(p.name)
            return by[p.name]
        self.addCleanup(setattr, patch, "judge", patch.judge)
        patch.judge = judge
        paths = [os.path.join(tree.OUT, f"{n}.patch") for n in by]

        def asks(paths):
            asked.clear()
            entries, bad = patch.run(paths, lambda _: None)
            self.assertEqual(([e["killed_by"] for e in entries], bad), ([by[e["mutant"][0]] for e in entries], 0))
            return asked
        for path in paths:
            self.put(path, f"What {path}.\nKill: sim-x\n--- a/x\n+++ b/x\n")
        self.assertEqual(asks(paths), ["a", "b", "c"])
        self.assertEqual(asks(paths), ["b"], "what lives is asked for again")
        self.assertEqual(asks(paths[:1]), ["a"], "one that is named is judged in any case")
        self.put(paths[2], f"Otherwise {paths[2]}.\nKill: sim-x\n--- a/x\n+++ b/x\n")
        self.assertEqual(asks(paths), ["b", "c"], "a patch that has changed is another one")
        by["c"] = None
        asks(paths[2:])
        self.assertEqual(sorted(patch.Book().rows), ["a"])
        self.addCleanup(setattr, patch, "around", patch.around)
        patch.around = lambda *_: "other sources"
        self.assertEqual(asks(paths[:2]), ["a", "b"], "of other sources it counts no more")

    def test_a_patch_is_not_judged(self):
        self.put("cut.patch", "What.\nKill: sim-x\n--- a/x\n+++ b/x\n")
        self.addCleanup(setattr, patch, "judge", patch.judge)

        def judge(*_):
            raise tree.Cut("ended by SIGKILL")
        patch.judge = judge
        found, bad = patch.run([os.path.join(tree.OUT, "cut.patch")], lambda _: None)
        self.assertEqual(([e["status"] for e in found], bad), (["error"], 1))
        self.assertEqual(patch.Book().rows, {})


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
