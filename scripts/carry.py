#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""carry.py --top TOP --module M --rev REV --record FILE --model PATTERN... --config NAME=A=1 B=2...: rows that hold.

A row of a campaign is of the sources that ran. Where hardware is only written differently since REV, and the model is
the same word for word, what ran then is what would run now: the rows with the digest of REV's sources get that of the
present ones. That is done only if the module is proved to be the same (scripts/same.py) with the parameters of every
CONFIG, and if these were REV's too, as the lists (--lists) of make say. Rows of other configurations stay as they are.
Exit code: 0 carried, 1 refused, and the record untouched.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

import campaign
import same
from sources import digest


class Refused(Exception):
    """Why nothing is carried."""


def matching(tree, patterns):
    found = {p for pattern in patterns for p in glob.glob(os.path.join(tree, pattern))}
    return sorted(os.path.relpath(p, tree) for p in found)


def hardware(tree, module):
    command = [sys.executable, "scripts/rtl.py", module]
    p = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if p.returncode:
        raise Refused(f"{tree}: {p.stderr.strip()}")
    return p.stdout.split()


def digests(tree, a):
    """Of all sources, as `make campaign` takes it, and of the model's, its inner headers included."""
    model = matching(tree, a.model)
    if not model:
        raise Refused(f"{tree}: no model in {' '.join(a.model)}")
    return digest(hardware(tree, a.module) + model, tree), digest(model + matching(tree, a.headers), tree)


def parameter_sets(text):
    """Variables of make that hold the parameters of configurations, and their values."""
    found = re.findall(r"^(COSIM\w*_[a-z]+) *:= *((?:[^\n]*\\\n)*[^\n]*)", text, flags=re.M)
    return {name: value.replace("\\\n", " ").split() for name, value in found}


def other_parameters(tree, a):
    """The first configuration that had other parameters in the old tree."""
    for path in a.lists:
        sets = []
        for root in (tree, same.ROOT):
            with open(os.path.join(root, path), encoding="utf-8") as f:
                sets.append(parameter_sets(f.read()))
        for name in sorted({*sets[0], *sets[1]}):
            if sets[0].get(name) != sets[1].get(name):
                return f"{name} of {path}"
    return None


def compared(a, tree):
    """Each configuration in a line; those that are not proved to be the same."""
    moved, bad = [m.split("=") for m in a.moved.split(",") if m], []
    for config in a.config:
        name, _, words = config.partition("=")
        params = [w.split("=") for w in words.split()]
        where = os.path.join(same.ROOT, "build", "same", "carry", a.module, name)
        try:
            print(f"{name}: {same.compare(a.module, (tree, same.ROOT), params, where, moved)}", flush=True)
        except (same.Differ, same.Undecided) as e:
            print(f"{name}: REFUSED: {e}", flush=True)
            bad.append(name)
    return bad


def moved_rows(rows, top, names, old, new):
    """The rows with another digest where it was the old one; that stays where both have a part of the same seeds."""
    out, carried, left = dict(rows), 0, []
    for key in sorted(k for k in rows if k[0] == top and k[3] == old and k[1].split(",")[0] in names):
        at = (*key[:3], new)
        (seeds, cycles), (there, more) = rows[key], rows.get(at, (set(), 0))
        if seeds & there and not seeds <= there and not there <= seeds:
            left.append(key[1])
            continue
        del out[key]
        if not seeds & there:
            out[at] = seeds | there, cycles + more
        else:
            out[at] = (there, more) if seeds <= there else (seeds, cycles)
        carried += 1
    return out, carried, left


def carry(a):
    base = os.path.join(same.ROOT, "build", "same")
    os.makedirs(base, exist_ok=True)
    tree, names = same.old_tree(a.rev, base, ("model", *a.lists)), {c.partition("=")[0] for c in a.config}
    (old, old_model), (new, new_model) = digests(tree, a), digests(same.ROOT, a)
    rows = campaign.read(a.record)
    if old == new:
        raise Refused(f"sources are {old} as in {a.rev}: there is nothing to carry")
    if not moved_rows(rows, a.top, names, old, new)[1]:
        raise Refused(f"no row of {a.top} that could be carried has the digest {old} of {a.rev}")
    if old_model != new_model:
        raise Refused(f"the model is not the one of {a.rev}, word for word: nothing can be said of what ran then")
    other = other_parameters(tree, a)
    if other:
        raise Refused(f"{other} was another in {a.rev}")
    bad = compared(a, tree)
    if bad:
        raise Refused(f"not proved to be the same: {', '.join(bad)}")
    with campaign.updated(a.record, {}) as rows:
        moved, carried, left = moved_rows(rows, a.top, names, old, new)
        rows.clear()
        rows.update(moved)
    for name in left:
        print(f"{name}: stays, since {new} has a part of its seeds")
    print(f"{carried} rows of {a.top} carried from {old} to {new}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--top", required=True)
    p.add_argument("--module", required=True)
    p.add_argument("--rev", required=True)
    p.add_argument("--moved", default="", help="as scripts/same.py has it")
    p.add_argument("--record", required=True)
    p.add_argument("--model", nargs="+", required=True, help="the campaign's patterns of the model's sources")
    p.add_argument("--headers", nargs="*", default=[], help="what else of the model has to be the same")
    p.add_argument("--lists", nargs="*", default=[], help="files of make with the parameters of configurations")
    p.add_argument("--config", nargs="+", required=True, metavar="NAME=A=1 B=2")
    a = p.parse_args()
    try:
        carry(a)
    except Refused as e:
        print(f"REFUSED: {e}; {a.record} is as it was")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
