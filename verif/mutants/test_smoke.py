#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_smoke.py: which blocks are replayed: those that differ from what stands in smoke.txt, and of many a few."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from mutate import smoke  # noqa: E402

BLOCKS = [f"cm_{i}" for i in range(40)]


class Changed(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, smoke, "digest", smoke.digest)
        smoke.digest = lambda module: "new"

    def test_those_that_differ(self):
        old = {m: ("id", "sim", "new") for m in BLOCKS}
        self.assertEqual(smoke.changed(BLOCKS, old), ([], 0))
        old["cm_7"] = ("id", "sim", "old")
        del old["cm_9"]
        self.assertEqual(smoke.changed(BLOCKS, old), (["cm_7", "cm_9"], 2))

    def test_a_few_of_many(self):
        some, left = smoke.changed(BLOCKS, {})
        self.assertEqual((len(some), left), (smoke.MOST, len(BLOCKS)))
        smoke.digest = lambda module: "newer"
        self.assertNotEqual(smoke.changed(BLOCKS, {})[0], some)

    def test_a_few_that_are_the_same(self):
        first = smoke.CHECKS[0][1]
        old = {m: ("id", first, "new") for m in BLOCKS} | {"other": ("id", "sim", "new")}
        some = smoke.unchanged([*BLOCKS, "other", smoke.SMALL], old, BLOCKS[:9])
        self.assertEqual((len(some), some[-1]), (smoke.FEW + 1, smoke.SMALL))
        self.assertFalse({"other", *BLOCKS[:9]}.intersection(some))
        old["other"] = ("id", "sim", "newer")
        self.assertNotEqual(smoke.unchanged(BLOCKS, old, BLOCKS[:9]), some)

    def test_what_is_recorded_has_a_digest(self):
        for module, (mutant, check, digest) in smoke.recorded().items():
            self.assertTrue(module and check and len(mutant) == len(digest) == 12)
        self.assertGreater(len(smoke.recorded()), 140)


if __name__ == "__main__":
    unittest.main()
