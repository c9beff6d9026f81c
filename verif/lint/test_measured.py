#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_measured.py: a small tree with a page, of which scripts/measured.py finds each thing that can be wrong,
and nothing else."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import bench_kept  # noqa: E402
import measured  # noqa: E402
import measured_check  # noqa: E402

COMMANDS = "# comment\nspeed | make speed | src/*.c\nsample | make sample | src/a.c src/tool.py\n"
PAGE = """# A page

It takes <!-- n:speed.hit -->0<!-- / --> instructions, or `<!-- n:what.a.page.says -->`.

| | |
|---|---|
| walk | <!-- n:speed.walk -->0<!-- / --> MHz |

<!-- made by: make sample; sources unknown; text unknown -->
<!-- end -->

<!-- history: before -->
It was 9 MHz.
<!-- end -->

The clock is 250 MHz.
"""
CHOSEN = "chosen | page.md | The clock is 250 MHz. | stated\n"


class Measured(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        for name, text in {"docs/measured/commands.txt": COMMANDS, "docs/measured/except.txt": CHOSEN, "page.md": PAGE,
                           "src/a.c": "int a; // comment\n", "src/b.c": "int b;\n", "src/tool.py": "a = 1\n",
                           "Makefile": "speed: a\n", "b/c.mk": "x sample: b\n"}.items():
            self.put(name, text)
        self.measure({"hit": "114", "walk": "625.5"}, "| a table | of 3 MHz |\n")
        self.assertEqual(self.check(), "")

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def change(self, name, old, new):
        with open(self.path(name), encoding="utf-8") as f:
            text = f.read()
        self.assertIn(old, text)
        self.put(name, text.replace(old, new, 1))

    def measure(self, values, text):
        book = measured.Book(self.folder.name)
        measured.keep(book, "speed", book.digest("speed"), values)
        measured.keep(book, "sample", book.digest("sample"), text=text)
        with contextlib.redirect_stdout(io.StringIO()):
            measured.write(book)

    def check(self):
        self.printed = io.StringIO()
        with contextlib.redirect_stdout(self.printed):
            return "".join(measured_check.Check(measured.Book(self.folder.name)).all())

    def finds(self, *words):
        said = self.check()
        for w in words:
            self.assertIn(w, said)
        self.assertEqual(len(said.splitlines()), 1, said)

    def test_measured_again(self):
        self.measure({"hit": "115", "walk": "600"}, "another\n")
        with open(self.path("page.md"), encoding="utf-8") as f:
            text = f.read()
        for part in ("<!-- n:speed.hit -->115<!-- / -->", "-->600<!-- / --> MHz", "\nanother\n<!-- end -->",
                     "It was 9 MHz."):
            self.assertIn(part, text)
        self.assertEqual(self.check(), "")

    def run_tool(self, *words, said=""):
        """The exit code of measured.py, as make calls it."""
        self.addCleanup(setattr, measured.Book.__init__, "__defaults__", measured.Book.__init__.__defaults__)
        measured.Book.__init__.__defaults__ = (self.folder.name,)
        self.addCleanup(setattr, sys, "argv", sys.argv)
        self.addCleanup(setattr, sys, "stdin", sys.stdin)
        sys.argv, sys.stdin = ["measured.py", *words], io.StringIO(said)
        with contextlib.redirect_stdout(io.StringIO()):
            return measured.main()

    def test_changed_while_it_was_measured(self):
        for change, words in ((lambda: None, ""),
                              (lambda: self.put("src/b.c", "int b, c;\n"), "older than its sources")):
            self.run_tool("begin", "speed")
            change()
            self.run_tool("keep", "speed", said="hit 115\nwalk 600\n")
            self.run_tool("write")
            self.assertIn(words, self.check())
            self.assertEqual(bool(words), bool(self.check()))

    def test_nothing_begun(self):
        self.run_tool("begin", "speed")
        self.run_tool("keep", "speed", said="hit 115\nwalk 600\n")
        with self.assertRaisesRegex(SystemExit, "begin speed"):  # that was of another measurement
            self.run_tool("keep", "speed", said="hit 115\nwalk 600\n")

    def test_stale(self):
        self.put("src/b.c", "int b, c;\n")
        self.finds("older than its sources", "page.md:3,7", "`make speed`")

    def test_stale_by_a_new_file(self):
        self.put("src/c.c", "int c;\n")
        self.finds("older than its sources", "`make speed`")

    def test_stale_text(self):
        self.put("src/tool.py", "a = 2\n")
        self.finds("older than its sources", "page.md:9", "`make sample`")

    def test_comments_do_not_count(self):
        self.put("src/a.c", "/* more */ int a;\n")
        self.assertEqual(self.check(), "")

    def test_excepted(self):
        self.put("src/b.c", "int c;\n")
        self.put("docs/measured/except.txt", CHOSEN + "earlier | speed | no time\n")
        self.assertEqual(self.check(), "")
        self.assertIn("`make speed` measured page.md:3,7: no time", self.printed.getvalue())

    def test_exception_of_nothing(self):
        self.put("docs/measured/except.txt", CHOSEN + "earlier | speed | no time\n")
        self.finds("drop its exception", "speed")

    def test_exception_without_a_reason(self):
        self.put("docs/measured/except.txt", CHOSEN + "earlier | speed |\n")
        self.finds("except.txt:2", "reason")

    def test_number_edited(self):
        self.change("page.md", "-->114<", "-->113<")
        self.finds("page.md:3", "speed.hit is 113 here and 114", "`make speed`")

    def test_kept_number_edited(self):
        self.change("docs/measured/speed.txt", "hit 114", "hit 113")
        self.change("page.md", "-->114<", "-->113<")
        self.finds("docs/measured/speed.txt", "edited by hand", "`make speed`")

    def test_text_edited(self):
        self.change("page.md", "of 3 MHz", "of 2 MHz")
        self.finds("page.md:9", "not what `make sample` has written")

    def test_no_marker(self):
        self.change("page.md", "# A page\n", "# A page\n\nIt does 80 MHz.\n")
        self.finds("page.md:3", "`80 MHz` stands in no marker")

    def test_chosen_number_gone(self):
        self.change("page.md", "The clock is 250 MHz.", "The clock is.")
        self.finds("except.txt:1", "drop its exception")

    def test_marker_lost(self):
        self.change("page.md", "114<!-- / -->", "114")
        self.assertIn("stands inside of another marker", self.check())

    def test_end_lost(self):
        self.change("page.md", "9 MHz.\n<!-- end -->", "9 MHz.")
        self.assertIn("<!-- history: before --> has no end", self.check())

    def test_end_of_nothing(self):
        self.change("page.md", "# A page\n", "# A page\n<!-- end -->\n")
        self.finds("page.md:2", "ends nothing")

    def test_half_a_marker(self):
        self.change("page.md", "# A page\n", "# A page\n<!-- made by: make speed -->\n")
        self.finds("page.md:2", "not a marker")

    def test_unknown_name(self):
        self.change("page.md", "n:speed.hit", "n:sped.hit")
        self.finds("commands.txt has no sped")

    def test_unknown_key(self):
        self.change("page.md", "n:speed.hit", "n:speed.hot")
        self.finds("speed.txt has no hot")

    def test_unknown_command(self):
        self.change("page.md", "made by: make sample", "made by: make simple")
        self.finds("commands.txt has no `make simple`")

    def test_command_gone(self):
        self.put("Makefile", "speedy: a\n")
        self.finds("commands.txt", "no rule makes `speed`")

    def test_number_at_the_begin_of_a_line(self):
        self.change("page.md", "It takes ", "It takes\n")
        self.finds("page.md:4", "begins a line")

    def test_source_gone(self):
        os.remove(self.path("src/tool.py"))
        with self.assertRaisesRegex(SystemExit, "sample: no file is called src/tool.py"):
            self.check()


class Bench(unittest.TestCase):
    ROWS = [{"name": f"port {n}", "value": v, "limit": 4} for n, v in ((1, 2.0), (2, 3.0))]

    def test_folds(self):
        for how, text in (("min", "2.00"), ("max", "3.00"), ("range", "2.00 to 3.00"), ("min ratio", "0.50"),
                          ("max inverse", "2.00"), ("max over", "-1.00")):
            self.assertEqual(bench_kept.one(self.ROWS, how, r"port \d", ".2f"), text)
        self.assertEqual(bench_kept.one(self.ROWS, "range", "port 1", "g"), "2")
        self.assertIsNone(bench_kept.one(self.ROWS, "min", "port", "g"))

    def test_row_gone(self):
        with self.assertRaisesRegex(SystemExit, "no row for hit-latency, "):
            bench_kept.values(self.ROWS)


if __name__ == "__main__":
    unittest.main()
