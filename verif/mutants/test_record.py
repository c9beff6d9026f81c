#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/mutate/record.py: what is written is read again, counts while the sources are the same, and is
written only when nothing is left to judge."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
from mutate import record, results  # noqa: E402

ASKED = []


def key(text):
    def stale(kinds, block, by):
        ASKED.append((kinds, block, by))
        return text
    return stale


KEY, OTHER = key("0123456789abcdef"), key("f" * 16)


def verdict(kind, status, by=None, file="rtl/cm/cm_x.sv", what="`a` | b  becomes  b", block="cm_x"):
    return {"block": block, "mutant": f"{kind}-{status}", "kind": kind, "killed_by": by, "status": status, "file": file,
            "line": 7, "what": what, "seconds": 1}


def check(good, what):
    if not good:
        sys.exit(f"FAILED: {what}")


def main():
    with tempfile.TemporaryDirectory() as where:
        path = os.path.join(where, "MUTATION.md")
        book = record.Record(path)
        mine = [verdict("wiring", "killed", "sim-cm_x-default: FAIL, cycle 3"),
                verdict("wiring", "killed", "cosim small"),
                verdict("logic", "survived"), verdict("logic", "equivalent")]
        book.put("source", "cm_x", 200, KEY, mine)
        book.put("c", "aa_y", 200, KEY, [verdict("c", "killed", "unit", "model/src/aa/aa_y.c", block="aa_y")])
        book.put("netlist", "cm_x", 200, KEY, [verdict("netlist", "killed", "netlist"), verdict("netlist", "error")])
        book.leave("netlist", "cm_z")
        book.put("netlist", "cm_z", 200, KEY, [verdict("netlist", "killed", "netlist", block="cm_z")])
        with open(path, encoding="utf-8") as f:
            first = f.read()

        book = record.Record(path)
        check(book.has("source", "cm_x", 200, KEY) and book.has("source", "cm_x", 50, KEY),
              "a row counts, also for less")
        check(not book.has("source", "cm_x", 201, KEY), "a row does not count for more mutants than it has")
        check(not book.has("source", "cm_x", 200, OTHER), "a row does not count for other sources")
        check(not book.has("netlist", "cm_x", 200, KEY), "no row for what has an error")
        check(not book.has("netlist", "cm_z", 200, KEY), "no row for what is not judged whole")
        check(not book.has("netlist", "cm_y", 200, KEY), "no row where nothing was judged")
        book.write()
        with open(path, encoding="utf-8") as f:
            check(f.read() == first, "what is read and written again is the same")

        told = list(book.entries("source", "cm_x"))
        check(results.score(told) == results.score(mine) == (2, 3, 200 / 3), f"the score stays: {results.score(told)}")
        check([(e["file"], e["line"], e["mutant"]) for e in told if e["status"] == "survived"] ==
              [("rtl/cm/cm_x.sv", 7, "logic-survived")], "who lives is known by place and name")

        book.put("source", "cm_x", 200, OTHER, [verdict("wiring", "killed", "sim")])
        check(record.Record(path).of("source", "cm_x").keys() == {("wiring", "cm_x", "rtl/cm")},
              "new rows take the place of all old ones")
        del ASKED[:]
        check(record.Record(path).has("c", "aa_y", 200, KEY), "and of no others")
        check(ASKED == [("c", "aa_y", ["unit"])], f"what killed is part of what a row stands on: {ASKED}")

        lived = [dict(verdict("netlist", "survived"), mutant=str(i)) for i in range(3)]
        beside = dict(verdict("netlist", "survived"), mutant="3", file="rtl/nic/cm_x.sv")
        book.put("netlist", "cm_x", 20, KEY, [*lived, beside])
        book.settle("netlist", "cm_x", "0")
        book.settle("netlist", "cm_x", "2", "theorem p2_x within 8 steps")
        row = record.Record(path).rows["netlist", "cm_x", "rtl/cm"]
        check(row[1] == {"theorem": 1} and row[2] == 1 and [x[3] for x in row[3]] == ["1"],
              f"what lived is proved equivalent, dies of a theorem, or is left: {row}")
        row = record.Record(path).rows["netlist", "cm_x", "rtl/nic"]
        check(not row[1] and not row[2] and len(row[3]) == 1, f"and in another folder nothing changes: {row}")
    print("mutate-book: 13 checks")


if __name__ == "__main__":
    main()
