#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which source files a module needs: `scripts/rtl.py MODULE...` prints them, packages and leaves first.

One module, one file of the same name, is the rule that makes this possible. Tools that get exactly these files do not
care about what is half-written elsewhere in the tree.
"""
import functools
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DIRS = ("rtl/cm", "rtl/aa", "rtl/aa/*", "rtl/xtq", "rtl/nic", "rtl/nic/*", "rtl/axi", "rtl/pcie", "rtl/top", "fpga",
        "verif/sim")


@functools.lru_cache(maxsize=None)
def index():
    """Name of every module and package to its file, relative to the root."""
    found = {}
    for d in DIRS:
        for path in sorted(glob.glob(os.path.join(ROOT, d, "*.sv"))):
            found[os.path.splitext(os.path.basename(path))[0]] = os.path.relpath(path, ROOT)
    return found


def modules():
    return [n for n, p in index().items() if p.startswith("rtl/") and not n.endswith("_pkg")]


@functools.lru_cache(maxsize=None)
def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def names_in(path):
    bare = re.sub(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"', " ", text(path), flags=re.S)
    # of packages, and of instances: a field may bear the name of a module
    return re.findall(r"\b([a-z]\w*)(?=\s*(?:::|#\s*\(|\s\w+\s*(?:\[[^]]*\]\s*)?\())", bare)


def props_of(name):
    path = f"verif/formal/{name}_props.svh"
    return path if os.path.exists(os.path.join(ROOT, path)) else None


def files(top):
    """Files of `top`, in reading order."""
    known, order, seen = index(), [], set()

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        for path in filter(None, (known[name], props_of(name))):
            for dep in names_in(path):
                if dep in known and dep != name:
                    visit(dep)
        order.append(known[name])

    if top not in known:
        raise SystemExit(f"rtl.py: no file for module {top}")
    visit(top)
    return [p for p in order if p.endswith("_pkg.sv")] + [p for p in order if not p.endswith("_pkg.sv")]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    out = []
    for arg in sys.argv[1:]:
        out += [p for p in files(arg) if p not in out]
    print(" ".join(out))
