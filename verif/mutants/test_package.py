#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_package.py: what of a package is part of a verdict's digest: what the modules name, and what that is made of."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
from mutate import judges, package, tree  # noqa: E402

TEXT = """`default_nettype none
package p;
  localparam int unsigned SeqW = 8;
  localparam int unsigned A = SeqW == 8 ? f(3) : 1, B = A;
  function automatic int unsigned f(input int unsigned x);
    f = g(x);
  endfunction
  function automatic logic [SeqW-1:0] g(input int unsigned x);
    g = x[SeqW-1:0];
  endfunction
  typedef enum logic [1:0] { On = 2'd0, Off } state_e;
  typedef struct packed { logic live; state_e state; } tag_t;
  typedef struct packed { tag_t [1:0] tags; } both_t;
  typedef struct packed { logic x; } lone_t;
endpackage
`default_nettype wire
"""


def seen(words, macros="", text=TEXT):
    return package.seen({"p": text}, words, macros)["p"]


class Package(unittest.TestCase):
    def test_names(self):
        named = [n for n, _ in package.declarations(TEXT)]
        self.assertEqual(named, [(), ("SeqW",), ("A", "B"), ("f",), ("g",), ("state_e", "On", "Off"), ("tag_t",),
                                 ("both_t",), ("lone_t",)])

    def test_nothing_is_lost(self):
        for text in (TEXT, *(tree.meaning(n, tree.ROOT).decode() for n in tree.sources() if n.endswith("_pkg.sv"))):
            parts = "".join(words for _, words in package.declarations(text))
            self.assertEqual(len("".join(parts.split())), len("".join(text.split())))
            self.assertEqual([w for n, w in package.declarations(text)[1:] if not n], [])

    def test_what_is_named_is_seen_with_what_it_is_made_of(self):
        for words, there, gone in ((["both_t"], ["both_t", "tag_t", "Off"], ["lone_t", "SeqW"]),
                                   (["Off"], ["state_e"], ["tag_t"]),
                                   (["B"], ["SeqW", "endfunction", "g = x"], ["state_e"]),
                                   ([], ["package p"], ["SeqW", "tag_t", "lone_t"])):
            for name in there:
                self.assertIn(name, seen(words))
            for name in gone:
                self.assertNotIn(name, seen(words))

    def test_a_macro_names_a_type(self):
        self.assertIn("lone_t", seen([], "get(b, P_LONE_T_X_LSB)"))

    def test_what_is_not_understood_is_seen(self):
        self.assertIn("nettype", seen([], text=TEXT.replace("endpackage", "nettype real r;\nendpackage")))
        self.assertEqual(seen([], text="whatever"), "whatever")

    def test_changes(self):
        """A field of a type is of those that name it; a package that is patched is seen whole."""
        name = "rtl/aa/aa_pkg.sv"
        before = {b: judges.stale("netlist", b) for b in ("aa_fault", "aa_decide")}
        patched = judges.key([name], [name])
        meaning = tree.meaning
        self.addCleanup(setattr, tree, "meaning", meaning)
        tree.meaning = lambda n, root: meaning(n, root).replace(b"} tag_t;", b" logic more; } tag_t;")
        after = {b: judges.stale("netlist", b) for b in before}
        self.assertEqual([before[b] == after[b] for b in before], [True, False])
        self.assertNotEqual(judges.key([name], [name]), patched)

    def test_the_model(self):
        """Of a block's test the files that it names; of a lockstep none, but of a top the bench; of a bug of the model
        its file and the test that found it."""
        def of(*what):
            return {n for n in judges.depends(*what) if n.startswith("model/")}
        self.assertEqual(of("netlist", "aa_xlt"), {"model/src/aa/aa_xlt.c", "model/include/tocsin/aa_xlt.h"})
        self.assertEqual(of("source", "aa_iommu"), set())
        self.assertIn("verif/cosim_aa/bench.c", judges.depends("source", "aa_iommu"))
        self.assertEqual(of("c", "aa_qi", ["cosim"]), {"model/src/aa/aa_qi.c"})
        self.assertLess({"model/src/aa/aa_qi.c", "model/test/test_aa_qi.c", "model/test/check.h"},
                        of("c", "aa_qi", ["cosim", "test_aa_qi"]))


if __name__ == "__main__":
    unittest.main()
