#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_functions.py: lengths of functions in each of their forms."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import functions  # noqa: E402

FORMS = """
#define BODY(x) \\
  do {          \\
  } while (0)
static const int table[] = {1, 2,
                            3};
static const struct { int (*f)(int); } ops[] = {{one},
                                                {two}};
typedef struct {
  int (*call)(int);
} s;
static int one(int a) { return a == 1 ? '{' : '"'; }  // }
static int
two(int (*f)(int),
    int b) {
  if (b) {
    s x = {.call = f};
    return x.call(b);
  }
  /* } */
  return "}"[0];
}
extern "C" {
void three(void) {
}
}
namespace n {
struct c : base {
  c(int a) : a_(a) {}
  int get() const noexcept {
    return [&](int q) { return q; }(a_);
  }
  int a_ = 0;
};
}
"""


class Functions(unittest.TestCase):
    def test_forms(self):
        self.assertEqual([(name, lines) for _, name, lines in functions.functions(FORMS)],
                         [("one", 1), ("two", 10), ("three", 2), ("c", 1), ("get", 3)])
        self.assertEqual(functions.functions(FORMS)[1][0], 13)

    def check(self, lines):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.c"), "w", encoding="utf-8") as f:
                f.write("int f(void) {\n" + "  g();\n" * (lines - 2) + "}\n")
            return functions.check(folder, ["a.c"])

    def test_limit(self):
        self.assertEqual(self.check(80), "")
        self.assertIn("a.c:1: f has 81 lines; the limit is 80", self.check(81))


if __name__ == "__main__":
    unittest.main()
