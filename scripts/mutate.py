#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutate.py [--block X]... [-n N] [--kind K]... [--jobs J]: plants bugs and says what finds them.

Kinds: source (wiring and logic of every module, N / 5 of each), netlist (N of each block with a test), c (N / 5
of each file of model/src), patch (verif/mutants). Without N as many as verif/MUTATION.md has of the block. What has
been judged stays so while the sources are the same, so a run that ended goes on, also on another machine from what
verif/MUTATION.md says (of patches, verif/mutants/killed.txt); it ends by itself after --hours.

--patch FILE   one planted bug: exit code 0 and by what, if it is killed; 1 if it survives; 2 if it cannot be judged
--patches      all of verif/mutants
--report       what is known, without a run
--quick        mutants of netlists against their block test and the miter alone; a theorem may fail of what lives
--alive        what lives by verif/MUTATION.md, of sources and netlists: whether it can be proved equivalent now, or a
               theorem kills it; --times F gives proofs of netlists F times what they have
--smoke        one mutant a block, as verif/mutants/smoke.txt has it; --record writes that file anew
"""
import argparse
import concurrent.futures
import contextlib
import glob
import itertools
import os
import resource
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mutate import cmodel, judges, netlist, patch, record, results, schemata, smoke, source, tree  # noqa: E402

# First what wires others together, and what has hidden bugs before.
FIRST = ["aa_iommu", "aa_request", "aa_return", "aa_logs", "aa_axi_writer", "aa_control", "xtq_nic", "tocsin",
         "aa_decide", "aa_tag_buf", "aa_reads", "nic_req"]
VERDICT = {True: "equivalent", False: "survived"}


def say(text):
    print(text, flush=True)


def processor():
    """Seconds of processor time of all that has ended: builds and trials."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def asked_for(args):
    """Modules, those first that are worth it."""
    blocks = [b for b in FIRST if b in schemata.paths()] + sorted(set(schemata.paths()) - set(FIRST))
    return [b for b in blocks if not args.block or b in args.block]


def model_files():
    paths = glob.glob(f"{tree.ROOT}/model/src/**/*.c", recursive=True)
    return [os.path.splitext(os.path.basename(p))[0] for p in paths]


def number(args, kind, block):
    """How many of its mutants: N, or as many as were judged before."""
    return args.n or args.book.number(kind, block)


def fifth(args, kind, block):
    return max(1, number(args, kind, block) // 5)


def in_record(args):
    """{(kind, block)} that verif/MUTATION.md knows of the present sources."""
    asked = [(k, b) for k in ("source", "netlist") if k in args.kind for b in asked_for(args)]
    asked += [("c", b) for b in model_files() if "c" in args.kind and (not args.block or b in args.block)]
    return {(k, b) for k, b in asked if args.book.has(k, b, number(args, k, b), judges.stale)}


def rounds(args, progress, kept):
    """(kind, block, mutants still to be judged, judge) one after the other; builds come when their turn does."""
    def left(kind, block):
        return kind in args.kind and (kind, block) not in kept
    blocks = asked_for(args)
    tests = [(t, b) for b in blocks if left("netlist", b) for t in judges.netlists(b)]
    wires = [b for b in blocks if left("source", b)]
    # Of the others none: with more mutants together more loops seem to close, and Verilator settles fewer tops.
    runner = wires and source.Runner(lambda m: schemata.choose(m, fifth(args, "source", m)) if m in wires else [], say,
                                    args.jobs)
    for b in wires:
        progress.expect("source", len(runner.mutants[b]))
    progress.expect("netlist", sum(number(args, "netlist", b) for _, b in tests))
    for b in blocks:
        if b in wires:
            yield "source", b, runner.mutants[b], lambda m: m.id, runner.entry
        for t, _ in [x for x in tests if x[1] == b]:
            n = number(args, "netlist", b)
            net = netlist.Runner(t, n, say, args.jobs)
            try:
                found = net.mutants()
            except netlist.Broken as e:
                say(f"netlist of {t}: {e}")
                args.book.leave("netlist", b)
                progress.expect("netlist", -n)
                continue
            progress.expect("netlist", len(found) - n)
            yield "netlist", b, found, lambda m, t=t: f"{t}:{m[1]}", net.entry


def model_rounds(args, progress, kept):
    """The same for the C of the model; a block is a file there."""
    files = [b for b in model_files() if "c" in args.kind and ("c", b) not in kept and b in (args.block or [b])]
    if not files:
        return
    runner = cmodel.Runner(lambda b: fifth(args, "c", b), say)
    chosen = {os.path.splitext(os.path.basename(p))[0]: ms for p, ms in runner.mutants.items()}
    chosen = {b: ms for b, ms in chosen.items() if b in files}
    progress.expect("c", sum(map(len, chosen.values())))
    for b, ms in chosen.items():
        yield "c", b, ms, lambda m: m.id, runner.entry


def judge_all(turn, store, args, progress, end):
    """The verdicts on the mutants of a turn; None for those that time did not reach, or whose check was cut off."""
    kind, block, mutants, ident, judge = turn
    free = list(range(args.jobs))

    def one(m):
        entry = store.known.get(ident(m))
        if entry and entry["status"] != "error":
            progress.expect(kind, -1)
            return entry
        if time.time() > end:
            return None
        worker, began = free.pop(), processor()
        try:
            entry = judge(m, worker)
        except tree.Cut as e:
            say(f"{block}: {e}: {ident(m)} is not judged")
            return None
        finally:
            free.append(worker)
        if args.jobs == 1:
            entry["cpu"] = round(processor() - began, 1)
        if entry["status"] != "error":
            store.put(ident(m), entry)
        told = f"{entry['status']:10} {block}:{entry['line']} {entry['what'][:90]}: {entry['killed_by'] or ''}"
        progress.done(kind, entry["seconds"], told[:180])
        return entry
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        return list(pool.map(one, mutants))


def stored(kind, block):
    """What was judged here. That a bug of the model lives is not known of other tests."""
    return results.Store(f"{kind}-{block}", judges.stale(kind, block, judges.units()), judges.keeps)


def everything(args):
    """The verdicts, and a line for what has none."""
    progress, done, end, kept = results.Progress(say), [], time.time() + 3600 * args.hours, in_record(args)
    lacks = []
    if kept:
        say(f"{len(kept)} rounds stay as verif/MUTATION.md has them")
        done += itertools.chain.from_iterable(args.book.entries(*r) for r in sorted(kept))
    turns = itertools.chain(rounds(args, progress, kept), model_rounds(args, progress, kept))
    for (kind, block), turns_of_one in itertools.groupby(turns, lambda turn: turn[:2]):
        store, found = stored(kind, block), []
        for turn in turns_of_one:
            found += judge_all(turn, store, args, progress, end)
        done += filter(None, found)
        if all(found):
            args.book.put(kind, block, number(args, kind, block), judges.stale, found)
        if time.time() > end:
            say(f"{args.hours:g} hours are over: {sum(progress.left.values())} mutants are left; "
                "the same command goes on")
            lacks += ["the model: not begun"] * ("c" in args.kind and kind != "c")
            break
    left = sum(progress.left.values())
    lacks += [f"{left} mutants are left"] * bool(left) + [f"{b}: its {k} cannot be made" for k, b in args.book.left]
    return done, lacks


def quick(args):
    """Netlist mutants against their block test and the miter alone: for who writes a test. Keeps nothing; the number of
    those that live."""
    lived, tests = 0, [t for b in asked_for(args) for t in judges.netlists(b)]
    if not tests:
        raise SystemExit(f"mutate.py: there is no block test of {' '.join(args.block)} with a netlist")
    for t in tests:
        net = netlist.Runner(t, args.n or record.NEW, say, args.jobs)
        found = net.mutants()
        alive = [m for m in found if not net.program.kills(m[0]) and not net.equivalent(m[0], 0)]
        lived += len(alive)
        for number, _, file, line, what in alive:
            say(f"{file}:{line}: {what}  (TOCSIN_MUTANT={number})")
        say(f"{t}: {len(alive)} of {len(found)} live; {os.path.relpath(net.where.path(net.dir))}")
    return lived


def again(args, rows):
    """kind, block, mutant, line, text, and what asks once more, of all mutants of these rows."""
    runner = any(kind == "source" for kind, _ in rows) and source.Runner(
        lambda m: schemata.choose(m, fifth(args, "source", m)) if ("source", m) in rows else [], say)
    for kind, b in rows:
        if kind == "source":
            for m in runner.mutants[b]:
                yield kind, b, m.id, m.line, m.what, lambda m=m: (VERDICT[runner.equivalent(m, 0)], None)
            continue
        for t in judges.netlists(b):
            net = netlist.Runner(t, number(args, kind, b), say, times=args.times)
            for m in net.mutants():
                yield kind, b, m[1], m[3], m[4], lambda m=m, net=net: net.proofs(m[0], 0)


def alive(args):
    """Asks again for what lives by the record, after proofs have learnt something, or with more time. The number of
    those left."""
    left = 0
    rows = {(kind, b): args.book.of(kind, b).values() for kind, b in sorted(in_record(args))}
    live = {block: {x[3] for row in mine for x in row[3]} for block, mine in rows.items()}
    rows = {block: mine for block, mine in rows.items() if live[block]}
    for kind, b, ident, line, what, judge in again(args, rows):
        if ident not in live[kind, b]:
            continue
        status, by = judge()
        left += status == "survived"
        say(f"{status:10} {b}:{line} {what[:120]}: {by or ''}")
        if status != "survived":
            args.book.settle(kind, b, ident, by)
    return left


def known(args):
    """Every result there is that is not of other sources."""
    kept, found = in_record(args), []
    for kind, block in sorted(kept):
        found += args.book.entries(kind, block)
    for path in sorted(glob.glob(os.path.join(tree.OUT, "results", "*.json"))):
        kind, block = os.path.splitext(os.path.basename(path))[0].split("-", 1)
        if (kind, block) not in kept:
            found += stored(kind, block).known.values()
    return found


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--block", action="append", default=[])
    ap.add_argument("--kind", action="append", default=[], choices=("source", "netlist", "c", "patch"))
    ap.add_argument("-n", type=int)
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--hours", type=float, default=6)
    ap.add_argument("--patch")
    ap.add_argument("--patches", action="store_true")
    ap.add_argument("--report", action="store_true")
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--alive", action="store_true")
    ap.add_argument("--times", type=int, default=1)
    ap.add_argument("--smoke", action="store_true")
    ap.add_argument("--record", action="store_true")
    args = ap.parse_args()
    for b in set(args.block) - set(schemata.paths()) - set(model_files()):
        ap.error(f"there is no block {b}")
    return args


def main():
    args = options()
    if args.patch or args.patches:
        entries, bad = patch.run([args.patch] if args.patch else patch.kept(), say)
        lived = [r for r in entries if r["status"] == "survived"]
        if args.patches:
            say(f"{len(entries)} planted bugs: {sum(r['status'] == 'killed' for r in entries)} killed, {len(lived)} "
                f"survive, {bad} cannot be judged")
        return 2 if bad else 1 if lived else 0
    if args.smoke or args.record:
        with tree.alone("smoke", say):
            return 0 if smoke.run(args.record, args.block, args.jobs, say) else 1
    with contextlib.nullcontext() if args.report else tree.alone("schemata", say):
        return many(args)


def many(args):
    if args.quick:
        return 1 if quick(args) else 0
    args.kind = args.kind or (["source", "netlist"] if args.alive else ["source", "netlist", "c", "patch"])
    args.book = record.Record()
    if args.alive:
        return 1 if alive(args) else 0
    done, lacks = (known(args), []) if args.report else everything(args)
    if not args.report and "patch" in args.kind and not args.block:
        done += patch.run(patch.kept(), say)[0]
    return 0 if results.write(done, say, lacks) else 1


if __name__ == "__main__":
    sys.exit(main())
