#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_smoke.py: a recorded mutant that lives is said to, and of several one that dies early is recorded."""
import os
import sys
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from mutate import schemata, smoke, tree  # noqa: E402


def mutant(number, ident="id"):
    return types.SimpleNamespace(number=number, id=ident, path="rtl/x.sv", line=1, what="")


class Judge(unittest.TestCase):
    """A runner whose checks kill some mutants, each after its seconds of a clock that only they move."""

    def judged(self, mutants, old, **kills):
        asked = []

        def program(name, *_):
            def kill(number):
                asked.append((name, number))
                self.clock += kills[name].get(number, 0)
                return f"{name}: dies" if number in kills[name] else None
            return types.SimpleNamespace(kills=kill) if name in kills else None
        runner = types.SimpleNamespace(mutants={"x": mutants}, program=program)
        found, check, why = smoke.judge(runner, "x", old)
        return found and found.number, check, why, asked

    def setUp(self):
        self.clock = 0
        both = [("lockstep", "", []), ("sim", "", [])]
        clock = types.SimpleNamespace(time=lambda: self.clock)
        for name, value in (("SOON", 2), ("time", clock), ("checks", lambda *_: both)):
            self.addCleanup(setattr, smoke, name, getattr(smoke, name))
            setattr(smoke, name, value)

    def test_what_lives_is_said(self):
        found, _, why, asked = self.judged([mutant(1)], ("id", "sim"), lockstep={}, sim={})
        self.assertEqual((found, asked), (None, [("sim", 1), ("lockstep", 1)]))
        self.assertIn("once died of sim, and lives", why)
        self.assertIn("none of 2 mutants dies", self.judged([mutant(1), mutant(2)], None, lockstep={}, sim={})[2])

    def test_what_killed_it_comes_first(self):
        self.assertEqual(self.judged([mutant(1)], ("id", "sim"), lockstep={1: 0}, sim={1: 0})[1], "sim")
        self.assertEqual(self.judged([mutant(1, "new")], ("id", "sim"), lockstep={1: 0}, sim={1: 0})[1], "lockstep")

    def test_a_check_that_cannot_be_asked(self):
        self.assertEqual(self.judged([mutant(1)], None, sim={1: 0})[:2], (1, "sim"))

    def test_the_soonest(self):
        three = [mutant(n) for n in (1, 2, 3)]
        self.assertEqual(self.judged(three, None, lockstep={1: 5, 2: 1, 3: 0}, sim={})[0], 2)
        self.assertEqual(self.judged(three, None, lockstep={1: 9, 3: 4}, sim={2: 0})[:2], (3, "lockstep"))


class Recorded(unittest.TestCase):
    def test_blocks(self):
        old = smoke.recorded()
        self.assertEqual(sorted(set(old) - set(schemata.paths())), [])
        self.assertGreater(len(old), 140)

    def test_theorems_of_one_block_alone(self):
        kept = [n for n in tree.sources() if n.endswith("_props.svh") and not smoke.PROPS.match(n)]
        self.assertEqual(kept, [f"verif/formal/{smoke.SMALL}_props.svh"])


if __name__ == "__main__":
    unittest.main()
