#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_defaults.py: each default that stands somewhere, changed in a copy of the tree, is found by file
and name, and mended."""
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import params  # noqa: E402

HEADERS = ["model/include/tocsin/aa.h", "model/include/tocsin/nic.h"]


def another(value):
    width, _, bits = value.partition("'b")
    return f"{width}'b{int(bits, 2) ^ 1:0{len(bits)}b}" if bits else str(int(value) + 1)


class Defaults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree, params.ROOT = params.ROOT, self.folder.name
        here = self.tree
        params.ROOT = here
        paths = {params.SOURCE, params.MODEL, params.GUIDE, *HEADERS, *(c.path for c in params.copies(params.load()))}
        for path in paths:
            os.makedirs(os.path.dirname(os.path.join(self.folder.name, path)), exist_ok=True)
            shutil.copy(os.path.join(here, path), os.path.join(self.folder.name, path))
        params.ROOT = self.folder.name

    def tearDown(self):
        params.ROOT = self.tree
        self.folder.cleanup()

    def write(self, path, text):
        with open(os.path.join(params.ROOT, path), "w", encoding="utf-8") as f:
            f.write(text)

    def planted(self, path, text, *words, mended=True):
        """What is said of a file that has this text holds the words, and writing puts the old text in its place."""
        was = params.read(path)
        self.assertNotEqual(text, was)
        self.write(path, text)
        said = params.problems(params.load())
        self.assertTrue(any(all(w in s for w in words) for s in said), f"{words}: {said}")
        if mended:
            params.generate(params.load())
            self.assertEqual(params.read(path), was)
        self.write(path, was)

    def test_clean(self):
        self.assertEqual(params.problems(params.load()), [])

    def test_each_copy(self):
        count = 0
        for copy in params.copies(params.load()):
            text = params.read(copy.path)
            begin, end = params.part(text, copy.path, copy.variable)
            kind = ".c" if copy.path.endswith(".h") else os.path.splitext(copy.path)[1]
            for m in re.finditer(params.DEFAULT[kind], text[begin:end], flags=re.M):
                name = params.SPELT.get(m[2], m[2])
                if copy.top.default(name) is not None:
                    at, to = begin + m.start(4), begin + m.end(4)
                    self.planted(copy.path, text[:at] + another(m[4]) + text[to:], copy.path + ":", name + " is ")
                    count += 1
        self.assertGreater(count, 200)

    def test_models(self):
        text = params.read(params.MODEL)
        for m in re.finditer(r"\.(\w+) = (\d+)", text):
            self.planted(params.MODEL, text[:m.start(2)] + another(m[2]) + text[m.end(2):], params.MODEL,
                         f"first of {m[1]}:")

    def test_guide(self):
        text = params.read(params.GUIDE)
        for m in re.finditer(r"^\| `([A-Z]\w+)` \| (\d+) \|", text, flags=re.M):
            self.planted(params.GUIDE, text[:m.start(2)] + another(m[2]) + text[m.end(2):], params.GUIDE,
                         f"first of {m[1]}:")

    def test_table(self):
        text, tops = params.read(params.SOURCE), params.load()
        for m in re.finditer(r"^([A-Z]\w+) +[-ha] +(\d+) ", text, flags=re.M):
            top = re.findall(r"^top (\w+)", text[:m.start()], flags=re.M)[-1]
            self.assertIn(m[1], tops[top].params)
            changed = text[:m.start(2)] + another(m[2]) + text[m.end(2):]
            self.planted(params.SOURCE, changed, params.FILES[top] + ":", m[1] + " is ", mended=False)

    def test_inherited(self):
        changed = params.read(params.SOURCE).replace("IotlbWays    - 4 ", "IotlbWays    - 8 ")
        for top in ("aa_iommu", "tocsin", "ax_iommu"):
            self.planted(params.SOURCE, changed, params.FILES[top] + ":", "IotlbWays is 4", mended=False)

    def test_lost(self):
        top = params.FILES["tocsin"]
        self.planted(top, params.read(top).replace(" NumMrs = 32", " NumRegions = 32"), top, "no parameter NumMrs",
                     mended=False)
        self.planted(top, params.read(top).replace(" NumMrs = 32", " NumRegions = 32"), top, "NumRegions is not in",
                     mended=False)
        self.planted(params.NODE, params.read(params.NODE).replace("  cfg->aa.NumPorts = 2;\n", ""), params.NODE,
                     "NumPorts is not set", mended=False)
        self.planted(params.NODE, re.sub(r"  cfg->.* = \d+;\n", "", params.read(params.NODE)), params.NODE,
                     "no parameter at all", mended=False)

    def test_not_known(self):
        os.makedirs(os.path.join(params.ROOT, "verif", "more"))
        self.write("verif/more/x.h", "#define CFG_none\n")
        self.planted("verif/more/x.h", "#define CFG_NumQps 16\n", "verif/more/x.h", "NumQps", mended=False)

    def test_comment(self):
        for path, was, now, name in ((params.FILES["aa_iommu"], "Walkers = 4,        // walks at once, 1 to 16",
                                      "1 to 8", "Walkers"),
                                     (HEADERS[1], "RespDepth; /* responses that wait, 2..256", "2..512", "RespDepth")):
            text = params.read(path)
            self.assertIn(was, text)
            self.planted(path, text.replace(was, was.rpartition(now[:3])[0] + now), path, name, "a comment says",
                         mended=False)


if __name__ == "__main__":
    sys.exit(unittest.main())
