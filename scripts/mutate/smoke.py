# SPDX-License-Identifier: Apache-2.0
"""One mutant a block, replayed by `make mutate-smoke`: does the net still hold what it once held?

verif/mutants/smoke.txt names the mutant of each block and what kills it. One small lockstep build of each top serves
all blocks inside, and a short run of it, so that a block costs half a second and no build of its own; what no such run
kills is left to its block test, which is asked without theorems: half of what it takes is theirs. A mutant that a
change of its line has removed is replaced by any that is killed; one that is still there has to die. Theorems and
netlists, the other ways to die, are tried on one small block.
"""
import concurrent.futures
import os
import re
import time

from mutate import judges, netlist, schemata, source, tree, trial

RECORD = "verif/mutants/smoke.txt"
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Written by `make mutate-record`: a mutant of each block, and the check that kills it.
"""
TRIES = 16
SOON = 0.5  # seconds: what dies so fast is taken without a look at the others
SMALL = "cm_skid"
PROPS = re.compile(rf"verif/formal/(?!{SMALL}_)\w+_props\.svh$")  # of blocks of which no theorem is asked
CHECKS = [  # of which top, name, program, requests; those of a longer run, also with none chosen
    ("aa_iommu", "cosim small", "build/cosim/small/cosim", 50, 1000),
    ("xtq_nic", "cosim xtq small", "build/cosim_nic/small/cosim", 40, 100),
    ("tocsin", "cosim tocsin small", "build/cosim_tocsin/small/cosim", 20, 40),
]


def recorded():
    """Block to (mutant, name of the check)."""
    found = {}
    if os.path.exists(os.path.join(tree.ROOT, RECORD)):
        for line in judges.read(RECORD).split("\n"):
            m = re.match(r"(\w+) ([0-9a-f]{12}) \[(.*?)\]", line)
            if m:
                found[m.group(1)] = m.groups()[1:]
    return found


def picker(old):
    """What pick(module) gives: the recorded mutant, or else a few."""
    def pick(module):
        wires, logic = schemata.candidates(module)
        mine = [m for m in wires + logic if m.id == old.get(module, ("",))[0]]
        return mine[:1] or schemata.choose(module, TRIES)
    return pick


def requests(n):
    return f"--n {n} --seed 1 --config small --quiet --once".split()


def checks(runner, module):
    """Lockstep of the block's top, which all in it share; a block test where that does not do, then a longer run."""
    mine = [c[1:] for c in CHECKS if c[0] == judges.top_of(module)]
    yield from ((name, target, requests(n)) for name, target, n, _ in mine)
    yield from runner.tests(module)
    yield from ((f"{name}, longer", target, requests(more)) for name, target, _, more in mine)


def soonest(program, mutants):
    """(mutant, why) of one that the program kills: the first that dies SOON, or else the one that dies soonest."""
    found = []
    for m in mutants:
        began = time.time()
        why = program.kills(m.number)
        if why:
            found.append((time.time() - began, m, why))
            if found[-1][0] < SOON:
                break
    return min(found, key=lambda f: f[0])[1:] if found else None


def judge(runner, module, old):
    """(killed mutant, check, why) of a block, or why there is none."""
    tried = runner.mutants[module]
    kept = bool(old) and [m.id for m in tried] == [old[0]]
    order = list(checks(runner, module))
    if kept:
        order.sort(key=lambda c: c[0] != old[1])
    for c in order:
        program = runner.program(*c)
        killed = program and soonest(program, tried)
        if killed:
            return killed[0], c[0], killed[1]
    if kept:
        return None, None, f"{tried[0].path}:{tried[0].line}: {tried[0].what}  once died of {old[1]}, and lives"
    return None, None, f"none of {len(tried)} mutants dies"


def same(runner, modules, say):
    """The tool's own test: with no mutant chosen, a lockstep run takes the cycles that it takes without mutants."""
    good, tops = True, {judges.top_of(m) for m in modules}
    for top, name, target, n, more in CHECKS:
        if top not in tops or not os.path.exists(os.path.join(tree.ROOT, target)):
            continue
        if not runner.program(name, target, requests(n)):
            say(f"FAIL {name}: it cannot be asked with none chosen ({top})")
            good = False
            continue
        runs = [trial.run([os.path.join(".", target), *requests(more)], where)[1]
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


def run(record, blocks, jobs, say):
    past = recorded()
    old = {} if record else past
    asked = [m for m in sorted(schemata.paths()) if not blocks or m in blocks]
    pick = picker(old)
    runner = source.Runner(lambda m: pick(m) if m in asked else [], say, name="smoke", opt="-O0",  # they die early
                           without=[n for n in tree.sources() if PROPS.match(n)])
    modules = [m for m in asked if runner.mutants[m]]

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
            lines[module] = f"{module} {mutant.id} [{check}] {os.path.basename(mutant.path)}: {mutant.what}"
        else:
            lived.append(module)
            say(f"FAIL {module}: {why}")
    if record:
        kept = [line for line in (judges.read(RECORD).split("\n") if past else [])
                if line.split(" ")[0] in set(past) - set(modules)]
        text = HEAD + "\n".join(sorted(kept + list(lines.values()))) + "\n"
        runner.where.write(os.path.join(tree.ROOT, RECORD), text.encode())
    gone = [m for m in modules if m in old and runner.mutants[m][0].id != old[m][0]]
    new = [m for m in modules if m not in old]
    say(f"{len(modules)} blocks: the mutant of {len(lines)} is killed, {len(lived)} live" +
        (f"; changed since they were recorded: {' '.join(gone)}" if gone else "") +
        (f"; not recorded: {' '.join(new)}" if new and not record else ""))
    good = same(runner, modules, say) and not lived
    return (SMALL not in modules or roads(runner, say)) and good
