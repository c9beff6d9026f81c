#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_fst.py WAVE.fst: scripts/fst.py reads of it what GTKWave's own fst2vcd does: every signal, and of those
with `valid` or `ready` in their names every change. check_fst.py WAVE.fst NAME: when fst2vcd has the first 1
of a signal after the reset."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import fst  # noqa: E402


def of_vcd(path):
    """{path: bits}, {path: [(time, any bit is 1)]} of all signals but parameters."""
    text = subprocess.run(["fst2vcd", "-f", path], stdout=subprocess.PIPE, check=True, encoding="latin-1").stdout
    scope, code, bits, changes, time = [], {}, {}, {}, 0
    for line in text.splitlines():
        word = line.split()
        if line.startswith("$scope"):
            scope.append(word[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var") and word[1] != "parameter":
            code[".".join(scope + [word[4]])] = word[3]
            bits[".".join(scope + [word[4]])] = int(word[2])
        elif line.startswith("#"):
            time = int(line[1:])
        elif line[:1] in ("b", "B"):
            changes.setdefault(word[1], []).append((time, "1" in word[0]))
        elif re.match("[01xz]", line):
            changes.setdefault(line[1:].strip(), []).append((time, line[0] == "1"))
    return bits, {name: changes.get(c, []) for name, c in code.items()}


def settled(changes):
    """What each time ends with, without what is as before."""
    out = []
    for time, value in {t: v for t, v in changes}.items():
        if not out or out[-1][1] != value:
            out.append((time, value))
    return out


bits, want = of_vcd(sys.argv[1])
if len(sys.argv) > 2:
    begin = next(t for name, found in want.items() if name.endswith(".rst_ni") for t, v in found if v)
    print(next(t for name, found in want.items() if name.endswith("." + sys.argv[2])
               for t, v in found if v and t > begin))
    sys.exit()
wave = fst.Fst(sys.argv[1])
got = {s.path: s for s in wave.signals}
assert {n: s.bits for n, s in got.items()} == bits, "the signals differ"
handles = {got[n].handle: n for n in want if re.search("valid|ready", n)}
read = {h: [] for h in handles}
for at, handle, value in wave.changes(list(handles)):
    read[handle].append((at, value))
total = 0
for handle, name in handles.items():
    assert settled(read[handle]) == settled(want[name]), f"{name} changes at other times"
    total += len(settled(read[handle]))
assert total > 100, "nothing has been compared"
print(f"fst: {len(got)} signals, {total} changes of {len(handles)} as fst2vcd has them")
