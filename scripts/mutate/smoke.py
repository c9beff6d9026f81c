# SPDX-License-Identifier: Apache-2.0
"""One mutant a block, replayed by `make mutate-smoke`: does the net still hold what it once held?

verif/mutants/smoke.txt names the mutant of each block and what killed it, cheapest first: one small lockstep
build of each top serves all blocks inside, so that a block costs a second and no build of its own; what is in none
of them is left to its block test. A mutant that a change of its line has removed is replaced by any that is killed;
one that is still there has to die. Theorems and netlists, the other ways to die, are tried on one small block.
With it stands a digest of the block and its tests: --left replays what has changed since, of many a few, and a few of
those that have not, which one build serves; of other sources other ones.
"""
import concurrent.futures
import hashlib
import os
import re

from mutate import judges, netlist, schemata, source, tree, trial

RECORD = "verif/mutants/smoke.txt"
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Written by `make mutate-record`: a mutant of each block, a digest of block and tests, and the check that kills it.
"""
TRIES = 8
MOST, FEW = 12, 6  # blocks that --left replays: of those that have changed, of the others
SMALL = "cm_skid"
CHECKS = [
    ("aa_iommu", "cosim small", "build/cosim/small/cosim", "--n 1000 --seed 1 --config small --quiet"),
    ("aa_iommu", "hostile small", "build/cosim/small/cosim", "--hostile all --seed 1 --config small --quiet"),
    ("xtq_nic", "cosim xtq small", "build/cosim_nic/small/cosim", "--n 100 --seed 1 --config small"),
]


def recorded():
    """Block to (mutant, name of the check, digest)."""
    found = {}
    if os.path.exists(os.path.join(tree.ROOT, RECORD)):
        for line in judges.read(RECORD).split("\n"):
            m = re.match(r"(\w+) ([0-9a-f]{12}) ([0-9a-f]{12}) \[(.*?)\]", line)
            if m:
                found[m.group(1)] = (m.group(2), m.group(4), m.group(3))
    return found


def picker(old):
    """What pick(module) gives: the recorded mutant, or else a few."""
    def pick(module):
        wires, logic = schemata.candidates(module)
        mine = [m for m in wires + logic if m.id == old.get(module, ("",))[0]]
        return mine[:1] or schemata.choose(module, TRIES)
    return pick


def checks(runner, module):
    """Lockstep of the tops, which all share; a block test where that does not do."""
    for top, name, target, args in CHECKS:
        if module in judges.closure(top):
            yield name, target, args.split()
    yield from runner.tests(module)


def judge(runner, module, old):
    """(killed mutant, check, why) of a block, or why there is none."""
    tried = runner.mutants[module]
    kept = bool(old) and len(tried) == 1 and tried[0].id == old[0]
    order = list(checks(runner, module))
    if kept:
        order.sort(key=lambda c: c[0] != old[1])
    for c in order:
        for m in tried:
            program = runner.program(*c)
            why = program and program.kills(m.number)
            if why:
                return m, c[0], why
    if kept:
        return None, None, f"{tried[0].path}:{tried[0].line}: {tried[0].what}  once died of {old[1]}, and lives"
    return None, None, f"none of {len(tried)} mutants dies"


def same(runner, modules, say):
    """The tool's own test: with no mutant chosen, a lockstep run takes the cycles that it takes without mutants."""
    good = True
    for top, name, target, args in CHECKS:
        mine = judges.closure(top).intersection(modules)
        if "--n " in args and mine and os.path.exists(os.path.join(tree.ROOT, target)):
            if not runner.program(name, target, args.split()):
                say(f"FAIL {name}: it cannot be asked with none chosen ({top})")
                good = False
                continue
            runs = [trial.run([os.path.join(".", target), *args.split()], where)[1]
                    for where in (tree.ROOT, runner.where.dir)]
            cycles = [re.findall(r"(\d+) cycles", r) for r in runs]
            if not cycles[0] or cycles[0] != cycles[1]:
                say(f"FAIL {name}: {cycles[0]} cycles without mutants, {cycles[1]} with none chosen ({top})")
                good = False
    return good


def roads(runner, say):
    """A theorem and a netlist notice bugs too."""
    lost = next(filter(None, (runner.proof(m, 0) for m in runner.mutants[SMALL])), None)
    net = netlist.Runner(SMALL, 4, say, name="smoke-netlist")
    ends = [net.entry(m)["status"] for m in net.mutants()]
    good = bool(lost) and "killed" in ends and "survived" not in ends
    say(f"{'' if good else 'FAIL '}{SMALL}: theorem: {lost or 'none is lost'}; netlist: {', '.join(ends)}")
    return good


def digest(module):
    return judges.stale("source", module)[:12]


def changed(modules, old):
    """Those that differ from what was recorded; of more than MOST those that come first by their digests."""
    left = {m: digest(m) for m in modules}
    left = {m: d for m, d in left.items() if old.get(m, ("", "", ""))[2] != d}
    order = sorted(left, key=lambda m: hashlib.sha256((m + left[m]).encode()).digest())
    return sorted(order[:MOST]), len(left)


def unchanged(modules, old, asked):
    """A few of the others: of those that the first check has killed, and SMALL, which dies in every way."""
    sources = "".join(old[m][2] for m in sorted(old))
    mine = [m for m in modules if m not in asked and m != SMALL and m in old and old[m][1] == CHECKS[0][1]]
    return sorted(mine, key=lambda m: hashlib.sha256((m + sources).encode()).digest())[:FEW] + [SMALL]


def run(record, blocks, jobs, say, only_left=False):
    past = recorded()
    old = {} if record else past
    modules = [m for m in sorted(schemata.paths()) if not blocks or m in blocks]
    modules = [m for m in modules if sum(map(len, schemata.candidates(m)))]
    if only_left:
        modules = [m for m in modules if judges.tests_of(m) or any(m in judges.closure(top) for top, *_ in CHECKS)]
        asked, left = changed(modules, old)
        more = unchanged(modules, old, asked)
        say(f"{len(modules) - left} of {len(modules)} blocks: the mutant has died of the present sources and tests "
            f"({RECORD}), {len(more)} are asked once more" +
            (f"; of the {left} others {len(asked)}" if left else ""))
        modules = sorted({*asked, *more})
    pick = picker(old)
    runner = source.Runner(lambda m: pick(m) if m in modules else [], say, name="smoke", opt="-O0")  # they die early
    alone = [m for m in modules if not list(checks(runner, m))]  # a top that only its own lockstep runs
    modules = [m for m in modules if m not in alone]

    def one(module):
        result = judge(runner, module, old.get(module))
        if record:
            say(f"  {module}: {result[1] or 'lives'}")
        return (module, *result)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(one, modules))
    lines, lived = {}, []
    for module, mutant, check, why in found:
        if mutant:
            what = f"{os.path.basename(mutant.path)}: {mutant.what}"
            lines[module] = f"{module} {mutant.id} {digest(module)} [{check}] {what}"
        else:
            lived.append(module)
            say(f"FAIL {module}: {why}")
    if record:
        kept = [line for line in (judges.read(RECORD).split("\n") if past else [])
                if line.split(" ")[0] in set(past) - set(modules)]
        text = HEAD + "\n".join(sorted(kept + list(lines.values()))) + "\n"
        runner.where.write(os.path.join(tree.ROOT, RECORD), text.encode())
    gone = [m for m in modules if m in old and (not runner.mutants[m] or runner.mutants[m][0].id != old[m][0])]
    new = [m for m in modules if m not in old]
    say(f"{len(modules)} blocks: the mutant of {len(lines)} is killed, {len(lived)} live" +
        (f"; left to `make mutate`: {' '.join(alone)}" if alone else "") +
        (f"; changed since they were recorded: {' '.join(gone)}" if gone else "") +
        (f"; not recorded: {' '.join(new)}" if new and not record else ""))
    good = same(runner, modules, say) and not lived
    return (SMALL not in modules or roads(runner, say)) and good
