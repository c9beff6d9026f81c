#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_words.py: what scripts/formal.py reads in the words of yosys-smtbmc, as Yosys 0.23 and 0.52
say them, and of ABC."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import formal  # noqa: E402
import formal_run  # noqa: E402

OLD = """##   0:00:00  Checking cover reachability in step 2..
##   0:00:00  Reached cover statement at c_stream in step 2.
##   0:00:00  Reached cover statement at u_fifo.c_full in step 13.
##   0:00:00  Status: PASSED
"""
NEW = """##   0:00:00  Checking cover reachability in step 2..
##   0:00:00  Reached cover statement in step 2 at cm_skid: c_stream
##   0:00:00  Reached cover statement in step 13 at cm_skid: u_fifo.c_full
##   0:00:00  Status: PASSED
"""
NONE = """##   0:00:00  Checking cover reachability in step 2..
##   0:00:00  Unreached cover statement at c_stream.
##   0:00:00  Unreached cover statement at cm_skid: c_full
##   0:00:00  Status: FAILED
"""


class Words(unittest.TestCase):
    def test_reached(self):
        for text in (OLD, NEW):
            self.assertEqual(formal_run.reached(text), {"c_stream": 2, "u_fifo.c_full": 13})
        self.assertEqual(formal_run.reached(NONE), {})

    def test_failed(self):
        for tail in ("", " (cm_skid_props.svh:40.5-40.60)"):
            self.assertEqual(formal.failed_labels(f"##   0:00:00  Assert failed in cm_skid: p3_ready{tail}\n"),
                             ["p3_ready"])

    def test_answered(self):
        self.assertTrue(formal_run.answered(OLD) and formal_run.answered(NONE))
        self.assertFalse(formal_run.answered(OLD + "Solver terminated unexpectedly\n"))

    def test_abc(self):
        said = "No output asserted in 10 frames. Resource limit reached (conf limit 0). Time =     2.52 sec"
        self.assertEqual(formal.abc_verdict(said, 10), ("bounded 10", None))
        self.assertEqual(formal.abc_verdict(said, 11), ("unknown", None))
        self.assertEqual(formal.abc_verdict("Property proved.  Time =     0.10 sec", 0), ("proved", None))
        self.assertEqual(formal.abc_verdict('Output 3 of miter "net" was asserted in frame 4.', 10), ("unknown", 4))
        self.assertEqual(formal.abc_verdict("** cmd error: aborting", 10), ("unknown", None))


if __name__ == "__main__":
    unittest.main()
