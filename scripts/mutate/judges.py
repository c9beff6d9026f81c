# SPDX-License-Identifier: Apache-2.0
"""Which tests can see a change of a file, cheapest first."""
import functools
import os
import re
import sys

from mutate import package, tree

sys.path.insert(0, os.path.join(tree.ROOT, "scripts"))
import rtl  # noqa: E402

# Top of a lockstep: make targets, short first. The block tests and theorems come before them.
LOCKSTEP = {
    "aa_iommu": ["cosim-smoke-small", "cosim-hostile-small", "cosim-wiring-small", "cosim-smoke-default",
                 "cosim-hostile-default", "cosim-wiring-default", "cosim-smoke-stock"],
    "xtq_nic": ["cosim-nic-smoke", "cosim-nic-wiring-default", "cosim-nic-wiring-wide", "cosim-nic-hostile"],
    "tocsin": ["cosim-tocsin-smoke"],
}
BENCHES = {"aa_iommu": ["verif/cosim_aa/"], "xtq_nic": ["verif/cosim_nic/"],
           "tocsin": ["verif/cosim_aa/", "verif/cosim_nic/", "verif/cosim_tocsin/"]}
# What block tests and theorems are made with, whatever the block.
BUILT_BY = {"verif/sim/tb.c", "verif/sim/mkshim.py", "verif/sim/mkfields.py", "verif/sim/build.sh",
            "verif/formal/fv.svh", "verif/formal/wide_sum.v"}
MODEL = ["cosim-model", "cosim-nic-model"]


def read(name):
    with open(os.path.join(tree.ROOT, name), encoding="utf-8") as f:
        return f.read()


@functools.lru_cache(maxsize=None)
def tests():
    """Name of each block test to (its module, its configurations)."""
    found = {}
    for name in sorted(os.listdir(os.path.join(tree.ROOT, "verif/sim"))):
        m = re.fullmatch(r"test_(\w+)\.c", name)
        if m:
            text = read(f"verif/sim/{name}")
            top = re.search(r"^// top: *(\w+)", text, flags=re.M)
            configs = ["default"] + [c for c in re.findall(r"^// config: *(\S+)", text, flags=re.M) if c != "default"]
            found[m.group(1)] = (top.group(1) if top else m.group(1), configs)
    return found


@functools.lru_cache(maxsize=None)
def texts(test):
    """A test's source, and the headers beside it that it includes."""
    found, new = set(), [test]
    while new:
        path = new.pop()
        if path not in found and os.path.exists(os.path.join(tree.ROOT, path)):
            found.add(path)
            new += [os.path.join(os.path.dirname(path), h)
                    for h in re.findall(r'^#include "(\w+\.h)"', read(path), flags=re.M)]
    return found


@functools.lru_cache(maxsize=None)
def closure(top):
    """Modules and packages below `top`, itself included."""
    return {os.path.splitext(os.path.basename(p))[0] for p in rtl.files(top)}


def top_of(block):
    """The top whose lockstep is asked for a module: the first of LOCKSTEP that holds it. The others are not asked, so
    that a change of the NIC leaves the verdicts on the IOMMU."""
    return next((top for top in LOCKSTEP if block in closure(top)), None)


@functools.lru_cache(maxsize=None)
def tests_of(block):
    """The block's own tests; where it has none, those of the smallest modules that contain it, and no lockstep's top:
    that has the lockstep."""
    own = [t for t, (top, _) in tests().items() if block in (t, top)]
    if own:
        return own
    around = sorted((len(closure(top)), t) for t, (top, _) in tests().items()
                    if block in closure(top) and top_of(block) not in closure(top))
    return [t for n, t in around if n == around[0][0]]


@functools.lru_cache(maxsize=None)
def netlist_config(test):
    """The configuration of whose netlist mutants are judged; None if the test says that there is none."""
    text = read(f"verif/sim/test_{test}.c")
    marked = re.search(r"^// (?:netlist: *|no netlist: .*CONFIG=)(\S+)", text, flags=re.M)
    if not marked and re.search(r"^// no netlist:", text, flags=re.M):
        return None
    return marked.group(1) if marked else tests()[test][1][0]


def netlists(block):
    """The block's tests that run on a netlist as well."""
    return [t for t, (top, _) in tests().items() if top == block and netlist_config(t)]


def units():
    """Unit tests of the model."""
    return sorted(re.findall(r"^model/test/(test_\w+)\.c$", "\n".join(tree.sources()), flags=re.M))


@functools.lru_cache(maxsize=None)
def behind(test):
    """What a block's test takes of the model: each header that it includes, and the file of that name."""
    found = {h for n in texts(f"verif/sim/test_{test}.c") for h in re.findall(r'#include "tocsin/(\w+)\.h"', read(n))}
    return {n for n in tree.sources() for h in found
            if n == f"model/include/tocsin/{h}.h" or re.fullmatch(rf"model/src/(\w+/)?{h}\.c", n)}


def of_model(path, by):
    """A file of the model, and the tests of `by`: what a test has found is found by it still when other files and other
    tests change, as is what a lockstep found."""
    return {path}.union(*(texts(f"model/test/{t}.c") for t in by if t.startswith("test_")))


def depends(kind, module, by=()):
    """What the verdicts on a module depend on: its sources, and its tests. What a lockstep killed is taken to die of it
    still when another block, the model or, of a block with a test, the bench changes: a change anywhere would else ask
    for hours."""
    if kind == "c":
        path = next(n for n in tree.sources() if re.fullmatch(rf"model/src/(\w+/)?{module}\.c", n))
        return of_model(path, by)
    asked = tests_of(module)
    mine = set(closure(module)).union(*(closure(tests()[t][0]) for t in asked))
    names = BUILT_BY.union(*(texts(f"verif/sim/test_{t}.c") | behind(t) for t in asked))
    around = ()
    if kind == "source" and not asked:  # only the lockstep sees it, by cases of the bench
        around = ("verif/cosim/", *BENCHES.get(top_of(module), []))
    return {n for n in tree.sources() if not tree.IDLE.match(n)
            and (n in names or n.startswith(around)
                 or os.path.splitext(os.path.basename(n))[0].replace("_props", "") in mine
                 and n.startswith(("rtl/", "verif/formal/")))}


def key(names, whole=()):
    """A digest of these files; of packages, of what the others can see of them, but for those that are `whole`."""
    texts = {n: tree.meaning(n, tree.ROOT).decode() for n in names if n.endswith((".sv", ".svh"))}
    packages = {n: t for n, t in texts.items() if n.endswith("_pkg.sv") and n not in whole}
    words = {w for n, t in texts.items() if n not in packages for w in package.WORD.findall(t)}
    macros = " ".join(read(n) for n in sorted(names) if n.startswith("verif/") and n.endswith((".c", ".h")))
    return tree.key(sorted(names), texts=package.seen(packages, words, macros))


def stale(kind, module, by=()):
    """Changes when something does that the verdicts depend on. by: of a file of the model, what killed its mutants."""
    return key(depends(kind, module, by))


def keeps(entry):
    """A bug of the model that one test has found is found by it still when others change."""
    if entry["kind"] != "c" or entry["status"] not in ("killed", "equivalent"):
        return False
    return entry.get("needs") == needs(entry["file"], entry["killed_by"])


@functools.lru_cache(maxsize=None)
def needs(path, killed_by):
    """A digest of what the verdict on a mutant of the model stands on."""
    return key(of_model(path, [(killed_by or "").split(":")[0]]))


@functools.lru_cache(maxsize=None)
def proved():
    """Blocks with a proof that is quick."""
    return {line.split()[0] for line in read("verif/formal/table.txt").split("\n")
            if line.strip() and line[0] != "#" and " quick" in line.split("#")[0]}


@functools.lru_cache(maxsize=None)
def depth(block):
    """Steps with which the block's theorems are proved by induction; 0 if no row of it is."""
    rows = [line.split("#")[0].split() for line in read("verif/formal/table.txt").split("\n")]
    return max((int(r[3]) for r in rows if len(r) > 3 and r[0] == block and r[2] == "smtbmc"), default=0)


@functools.lru_cache(maxsize=None)
def folder(block):
    return os.path.dirname(rtl.index().get(block, "?/?"))


def blocks(files):
    names = [os.path.splitext(os.path.basename(f))[0].replace("_props", "") for f in files]
    return [n for n in names if n in rtl.index()]


def targets(files):
    """make targets that may find a bug in these files: block tests, quick theorems, short lockstep, hostile cases."""
    found, mine = [], blocks(files)
    for b in mine:
        found += [f"sim-{t}-{c}" for t in tests_of(b) for c in tests()[t][1]]
    found += [f"formal-{b}" for b in mine if b in proved()]
    model = [f for f in files if f.startswith("model/")]
    if model:
        found += [f"unit-{t}" for t in units()] + MODEL
    for top, names in LOCKSTEP.items():
        if model or any(b in closure(top) for b in mine):
            found += names
    return [[t] for t in found]
