#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_params.py PROGRAM DIR: illegal parameters are refused by the top, by name and range, and by the model alike.

The cases are the ends of each range and what is beside them (scripts/params.py --cases). The checks of a top are
elaborated alone, all cases in one run of Verilator; PROGRAM says what the model answers. Then some whole tops are
elaborated, by Verilator and by Yosys: what they say first must be the top's own word.
"""
import collections
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import params  # noqa: E402
import rtl  # noqa: E402

WHOLE = [("aa_iommu", "Window", 3), ("aa_iommu", "SpEntries", 0), ("aa_iommu", "DataW", 64), ("xtq_nic", "NumQps", 1),
         ("tocsin", "AaWindow", 128), ("tocsin", "RecvDepth", 128),
         ("ax_iommu", "Window", 3), ("ax_iommu", "Words", 2), ("px_host", "Tags", 3), ("px_host", "Asks", 4)]
bad = []


def want(what, ok, shown=""):
    counts[ok] += 1
    if not ok:
        bad.append(f"FAILED {what}: {shown}")


counts = collections.Counter()


def run(cmd, text=None):
    p = subprocess.run(cmd, cwd=params.ROOT, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return p.returncode, p.stdout


def hardware(top, cases, folder):
    """What the checks of a top say of each case, None where they say nothing. Verilator says each
    sentence once a run."""
    said, left = {}, list(range(len(cases)))
    while left:
        now, seen = [], set()
        for i in left:
            if cases[i][2] == "" or cases[i][2] not in seen:
                now.append(i)
                seen.add(cases[i][2])
        said.update(elaborate(top, {i: cases[i][1] for i in now}, folder))
        left = [i for i in left if i not in now]
    return [said.get(i) for i in range(len(cases))]


def elaborate(top, some, folder):
    path = os.path.join(folder, f"{top}_cases.sv")
    inst = "".join(f"  {top} #({', '.join(f'.{k}({v})' for k, v in values.items())}) case_{i} ();\n"
                   for i, values in some.items())
    with open(path, "w", encoding="utf-8") as f:
        f.write(params.stub(top) + f"module cases;\n{inst}endmodule\n")
    _, out = run(["verilator", "--lint-only", "-Wno-lint", "--error-limit", "0", "--top-module", "cases",
                  "rtl/cm/cm_pkg.sv", "rtl/aa/aa_pkg.sv", "rtl/nic/nic_reg_pkg.sv", "rtl/nic/nic_pkg.sv", path])
    said = {}
    for text, i in re.findall(rf"USERERROR: [^\n]*: {top}: ([^\n]*)\n[^\n]*In instance '?cases\.case_(\d+)", out):
        said.setdefault(int(i), text)
    other = [line for line in out.splitlines() if line.startswith("%Error") and "Exiting due" not in line]
    want(f"{top}: elaboration", not other, "\n".join(other[:5]))
    return said


def model(program, top, cases, known):
    text = "".join(f"{top} " + " ".join(f"{k}={v}" for k, v in values.items() if k in known) + "\n"
                   for _, values, _ in cases)
    code, out = run([program], text)
    want(f"{program} ends well", code == 0, out)
    return [None if line == "-" else line for line in out.splitlines()]


def compare(top, program, folder):
    tops = params.load()
    cases = list(params.cases(tops[top]))
    hw = hardware(top, cases, folder)
    known = {p.name for p in tops[top].params.values() if "h" not in p.flags}
    sw = model(program, top, cases, known) if tops[top].struct != "-" else None
    for i, (verdict, values, why) in enumerate(cases):
        want(f"{top} {values}", hw[i] == (why if verdict == "bad" else None),
             f"hardware says {hw[i]}, want {why or 'nothing'}")
        if sw and set(values) <= known and not any("h" in r.flags and r.sentence == why for r in tops[top].rules):
            want(f"{top} {values}", sw[i] == hw[i], f"hardware says {hw[i]}, the model {sw[i]}")


def whole(top, name, value):
    files = rtl.files(top)
    at = f"-DTOCSIN_DATA_W={value}" if name == "DataW" else f"-G{name}={value}"
    _, out = run(["verilator", "--lint-only", "-Wno-lint", at, "--top-module", top, *files])
    first = next((line for line in out.splitlines() if "USERERROR" in line or line.startswith("%Error")), "nothing")
    want(f"Verilator, {top} with {name} = {value}", f" {top}: {name} must be " in first, first)
    at = ("", f"-chparam {name} {value}") if name != "DataW" else (f"-DTOCSIN_DATA_W={value}", "")
    code, out = run(["yosys", "-q", "-p", f"read_verilog -sv -defer {at[0]} {' '.join(files)}; "
                                          f"hierarchy -top {top} {at[1]}"])
    want(f"Yosys, {top} with {name} = {value}", code != 0 and f"{top}: {name} must be " in out, out[-300:])


def main():
    program, folder = sys.argv[1:]
    for top in params.FILES:
        compare(top, program, folder)
    for top, name, value in WHOLE:
        whole(top, name, value)
    print("\n".join(bad + [f"params-test: {sum(counts.values())} checks, {counts[False]} failed"]))
    return 1 if bad or not counts[True] else 0


if __name__ == "__main__":
    sys.exit(main())
