#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_circles.py: circles of files by what they call, name and declare."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import circles  # noqa: E402

HEADER = "void a(void);\nint b(int x);\nvoid c(void);\nvoid d(void);\n"
# a needs b by a call, b needs c by a value, c needs d by a call in a header: a line.
LINE = {
    "all.h": HEADER + "static inline void four(void) { d(); }\n",
    "a.c": '#include "all.h"\nvoid a(void) { b(1); }\n',
    "b.c": '#include "all.h"\nint b(int x) {\n  void (*f)(void) = c;\n  f();\n  return x;\n}\n',
    "c.c": '#include "all.h"\nvoid c(void) { four(); }\n',
    "d.c": '#include "all.h"\nvoid d(void) {}\n',
}


def named(graph):
    return {f: {g: sorted(n) for g, n in to.items()} for f, to in graph.items() if to}


class Circles(unittest.TestCase):
    def ring(self, **changed):
        files = dict(LINE, **{name.replace("_", "."): text for name, text in changed.items()})
        return sorted(sorted(c) for c in circles.circles(circles.needs(files, [])))

    def test_line(self):
        self.assertEqual(named(circles.needs(LINE, [])),
                         {"a.c": {"b.c": ["b"]}, "b.c": {"c.c": ["c"]}, "c.c": {"all.h": ["four"]},
                          "all.h": {"d.c": ["d"]}})
        self.assertEqual(self.ring(), [])

    def test_planted(self):
        whole = ["a.c", "all.h", "b.c", "c.c", "d.c"]
        self.assertEqual(self.ring(d_c="void d(void) { a(); }\n"), [whole])
        self.assertEqual(self.ring(d_c="void d(void) { go((f){.call = a}); }\n"), [whole])
        self.assertEqual(self.ring(d_c="void d(void) {}\nstatic int e(void) { return b(2); }\n"), [whole[1:]])

    def test_data(self):
        """What a header declares and a file defines; what is declared nowhere, or a member's name, is nobody's."""
        table = "const int table[2] = {1, 2};\n"
        a, header = table + "void a(void) { b(1); }\n", "extern const int one, table[2];\n" + LINE["all.h"]
        whole = ["a.c", "all.h", "b.c", "c.c", "d.c"]
        self.assertEqual(self.ring(all_h=header, a_c=a, d_c="void d(void) { go(table); }\n"), [whole])
        for use in ("go(s.table);", "int table = 1; go(table);"):
            self.assertEqual(self.ring(all_h=header, a_c=a, d_c="void d(void) { " + use + " }\n"), [], use)
        self.assertEqual(self.ring(a_c=a, d_c="void d(void) { go(table); }\n"), [])

    def test_no_function(self):
        """What is only called as one: a member, a name of one's own, a word of a comment or string,
        what no header declares."""
        for body in ("s.a(); p->a();", "int a = 1; int *b = &a; a = *b;", '/* a() */ puts("a()");',
                     "for (unsigned a; a;) a--;", "typedef struct { int x; } a; a one[2];"):
            self.assertEqual(self.ring(d_c="void d(void) { " + body + " }\n"), [], body)
        self.assertEqual(self.ring(d_c="static void a(void) {}\nvoid d(void) { a(); }\n"), [])
        self.assertEqual(self.ring(a_c="void a(void) { b(1); }\nvoid z(void) {}\n", d_c="void d(void) { z(); }\n"), [])

    def check(self, files):
        with tempfile.TemporaryDirectory() as root:
            for folder in circles.FOLDERS:
                os.makedirs(os.path.join(root, folder))
            for name, text in files.items():
                with open(os.path.join(root, "sw/lib", name), "w", encoding="utf-8") as f:
                    f.write(text)
            return circles.check(root)

    def test_check(self):
        self.assertEqual(self.check(LINE), "")
        bent = dict(LINE, **{"d.c": "void d(void) { a(); }\n"})
        self.assertIn("sw/lib: a circle of 5 files; at most 3", self.check(bent))
        self.assertIn("  d.c needs a.c: a\n", self.check(bent))
        three = dict(LINE, **{"c.c": "void c(void) { a(); }\n"})
        self.assertEqual(self.check(three), "")


if __name__ == "__main__":
    unittest.main()
