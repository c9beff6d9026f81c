# SPDX-License-Identifier: Apache-2.0
"""Induction in parts, for rows whose theorems no solver has an answer to all at once.

The step of an induction asks: all theorems held in the steps before, is one of them false now? That is asked
of a few theorems at a time, and then of each that is left, alone: with all theorems in the steps before, as ever,
and with those that are proved by then in this step as well. So every theorem has a proof that leans on the past,
and on others of now whose proofs came first.
"""
import os
import re

from formal_run import ROOT, Failed, smtbmc

CHUNK = 8    # theorems that are asked for together at first
SHORT = 20   # seconds of processor time for a question that may be put again, with more known


def part(text, top, names, asked, known):
    """The netlist in which `asked` are the theorems, and a step also says that all held before it and
    `known` hold after it."""
    found = re.search(rf"^\(define-fun \|{top}_a\| \(\(state \|{top}_s\|\)\) Bool ", text, flags=re.M)
    step = re.search(rf"^\(define-fun \|{top}_t\| \(\(state \|{top}_s\|\) \(next_state \|{top}_s\|\)\) Bool \(and\n",
                     text, flags=re.M)
    if not found or not step or found.start() > step.start():
        raise Failed("parts: a netlist of another form")

    def say(which, state):
        return " ".join(f"(|{top}_a {names[n]}| {state})" for n in which)

    head = f"(define-fun |{top}_a| ((state |{top}_s|)) Bool (and {say(asked, 'state')} true))\n"
    return (text[:found.start()] + head + f"(define-fun |{top}_all| ((state |{top}_s|)) Bool "
            + text[found.end():step.end()]
            + f"  (|{top}_all| state) {say(known, 'next_state')}\n" + text[step.end():])


def induction(row, labels):
    """What is proved, what has a counterexample, and what no solver had an answer to: {label: (word,
    seconds, solver)}."""
    with open(os.path.join(ROOT, row.dir, "net.smt2"), encoding="utf-8") as f:
        text = f.read()
    top = re.findall(r"^; yosys-smt2-topmod (\S+)", text, flags=re.M)[-1]
    found = re.findall(r"^; yosys-smt2-assert (\d+) (\S+)", text, flags=re.M)
    names = {label: n for n, label in found}
    if len(names) != len(found) or set(names) != set(labels):
        raise Failed("parts: theorems without a name of their own")
    result = {}

    def ask(group, seconds):
        known = [n for n, r in result.items() if r[0] == "proved" and n not in group]
        with open(os.path.join(ROOT, row.dir, "part.smt2"), "w", encoding="utf-8") as f:
            f.write(part(text, top, names, group, known))
        try:
            ok, _, spent, who = smtbmc(row.dir, "part", row.first, seconds, "-i", "-t", f"1:1:{row.depth}",
                                       "--dump-vcd", f"{row.dir}/trace-@.vcd", net="part")
        except Failed:
            ok, spent, who = None, seconds, "-"
        for n in group:
            word = {True: "proved", False: f"not inductive at {row.depth}", None: "unknown"}[ok]
            result[n] = (word, round(result.get(n, ("", 0))[1] + spent / len(group), 2), who)
        return ok

    left = []
    for at in range(0, len(labels), CHUNK):
        if not ask(labels[at:at + CHUNK], SHORT):
            left += labels[at:at + CHUNK]
    left = [n for n in left if not ask([n], SHORT)]
    while left:
        rest = [n for n in left if not ask([n], row.timeout)]
        if len(rest) == len(left):
            break
        left = rest
    return result
