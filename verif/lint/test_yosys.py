#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_yosys.py: what scripts/lint.py has Yosys find in a module: nothing where nothing is wrong, else by name."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import lint  # noqa: E402

WRONG = {
    "logic u; assign y = u & x;": "no driver",
    "assign y = x; assign y = ~x;": "multiple conflicting drivers",
    "logic a, b; assign a = b & x; assign b = a | x; assign y = b;": "logic loop",
    "assign y = x & un;": "implicitly declared",
}


class Yosys(unittest.TestCase):
    def said(self, body, top):
        with tempfile.NamedTemporaryFile("w", suffix=".sv") as f:
            f.write(f"module m (input logic x, output logic y);\n{body}\nendmodule\n")
            f.flush()
            return lint.yosys(top, [], [f.name])

    def test_what_is_wrong(self):
        for top in ("m", ""):
            self.assertEqual(self.said("assign y = ~x;", top), "")
            for body, word in WRONG.items():
                self.assertIn(word, self.said(body, top), body)


if __name__ == "__main__":
    unittest.main()
