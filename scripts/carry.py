#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""carry.py --top TOP --module M --rev REV --record FILE --model PATTERN... --config NAME=A=1 B=2...: rows that hold.

A row of a campaign is of the sources that ran. Where hardware is only written differently since REV, and the model is
the same word for word, what ran then is what would run now: the rows with the digest of REV's sources, with or without
the model's inner headers and parameters, which it once did not have, get that of the present ones. That is done only
if the module is proved to be the same (scripts/same.py) with the parameters of every CONFIG, and if these were REV's
too, as the lists (--lists) of make say. Rows of other configurations stay as they are.
Exit code: 0 carried, 1 refused, and the record untouched.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

import asked
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
    """Of all that a configuration is made of, as `make campaign` takes it; of hardware and model alone, without
    the model's inner headers, as it once did; and of the model."""
    model, inner = matching(tree, a.model), matching(tree, a.headers)
    if not model:
        raise Refused(f"{tree}: no model in {' '.join(a.model)}")
    files = hardware(tree, a.module) + model
    each = {name: digest(files + inner, tree, words) for name, _, words in (c.partition("=") for c in a.config)}
    return each, digest(files, tree), digest(model + inner, tree)


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
    moved, bad = asked.moves(a.moved), []
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


def moved_rows(rows, top, old, new):
    """The rows with a new digest where it was one of the old ones, by configuration; that stays where both have a part
    of the same seeds."""
    out, carried, left = dict(rows), 0, []
    for key in sorted(rows):
        name = campaign.configuration(key[1])
        if key[0] != top or key[3] not in old.get(name, ()) or key[3] == new[name]:
            continue
        at = (*key[:3], new[name])
        (seeds, cycles), (there, more) = rows[key], out.get(at, (set(), 0))
        if seeds & there and not seeds <= there and not there <= seeds:
            left.append((key[1], new[name]))
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
    tree = same.old_tree(a.rev, base, ("model", *a.lists))
    (then, former, old_model), (new, present, new_model) = digests(tree, a), digests(same.ROOT, a)
    old = {name: {then[name], former} for name in then}
    moved, carried, left = moved_rows(campaign.read(a.record), a.top, old, new)
    if not carried + len(left):
        raise Refused(f"sources are those of {a.rev}: there is nothing to carry" if then == new else
                      f"no row of {a.top} that could be carried has a digest of {a.rev}: "
                      f"{', '.join(sorted({former, *then.values()}))}")
    if old_model != new_model:
        raise Refused(f"the model is not the one of {a.rev}, word for word: nothing can be said of what ran then")
    other = other_parameters(tree, a)
    if other:
        raise Refused(f"{other} was another in {a.rev}")
    bad = compared(a, tree) if former != present else []  # the hardware is the same word for word, too
    if bad:
        raise Refused(f"not proved to be the same: {', '.join(bad)}")
    with campaign.updated(a.record, {}) as rows:
        moved, carried, left = moved_rows(rows, a.top, old, new)
        rows.clear()
        rows.update(moved)
    for name, there in left:
        print(f"{name}: stays, since {there} has a part of its seeds")
    print(f"{carried} rows of {a.top} carried from {a.rev}")


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
