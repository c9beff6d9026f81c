# SPDX-License-Identifier: Apache-2.0
"""What is drawn, and what the papers say of it.

A figure: program, platform, what is on the x axis, its series (name, options), cost tables. An option `search`
gives the values of figure["search"] that are tried for a point; the best one counts. A claim: value(at) is ours,
from at[series, x]; it agrees from `least` to `most`; `cause` says for each cost table why it does not, and is shown
only then. A figure's `value` makes a number of a run's result; without it, it is what was done in millions a second.

Here are the figures of the hash table and of logged gets; each file claims_NAME.py has FIGURES and CLAIMS of its own.
"""
import glob
import importlib
import os

from claim import claim, over

SERIES = [("AA-Int", {"variant": "aa-int"}), ("AA-Poll", {"variant": "aa-poll"}), ("AA-SP", {"variant": "aa-sp"}),
          ("AA-Page", {"variant": "aa-page"}), ("AA-Task", {"variant": "aa-task"}), ("RMA", {"variant": "rma"}),
          ("RMA-Blocking", {"variant": "rma-blocking"}),
          ("AM", {"variant": "am"}), ("AM-Exp", {"variant": "am-exp"}), ("AM-Ints", {"variant": "am-ints"})]
AA = ("AA-Poll", "AA-SP")
AMS = ("AM", "AM-Exp", "AM-Onload", "AM-Ints")
RATE = "million inserts a second"


def servers(point):
    """Cores of a node for AM-Onload."""
    return {2: (1,), 8: (2, 4, 5, 6, 7), 1024: (11, 20, 24)}.get(point["procs"], (8, 11, 16, 20, 24, 28))


def per(procs):
    """Elements a process: enough that filling and emptying the pipeline is a small part."""
    return 128 if procs <= 64 else 64 if procs <= 256 else 32


def dht(**more):
    return {"program": "dht", "platform": "torus", "x_is": "procs", "y_text": RATE, "axis": "",
            "costs": ("paper", "rtl"), **more}


def by_procs(collide):
    return dht(options={"collide": collide, "per": per}, x=(2, 8, 32, 64, 256, 1024), x_text="processes, 32 a node",
               axis="set logscale x 2", search="servers",
               series=SERIES + [("AM-Onload", {"variant": "am-onload", "search": servers})])


def iotlb():
    """Shapes that this IOMMU can have: at most 512 entries a way, 256 ways."""
    out = []
    for policy, random in (("lru", 0), ("rnd", 1)):
        for text, ways in (("a1", 1), ("a2", 2), ("a4", 4), ("af", 256)):
            out.append((f"{policy}_{text}", {"variant": "aa-poll", "random": random, "ways": ways}))
    for text, random, ways in (("lru_a4", 0, 4), ("lru_af", 0, 256), ("rnd_a4", 1, 4)):
        out.append((f"task_{text}", {"variant": "aa-task", "random": random, "ways": ways}))
    return out


def shape(point):
    """af: as many ways as entries, or as there can be."""
    entries = point["iotlb"]
    ways = min(entries, point["ways"])
    return {**point, "ways": ways} if entries <= 512 * ways else None


TASKS = ("AA-Task is ours: the owner's log starts tasks of its node's accelerator, which inserts while the "
         "processor only sends. That tells where processors are full. With the RTL's costs walks of the IOMMU are "
         "what is full from 32 processes on (64 processes, 16 walkers instead of 4: AA-Poll 161 instead of 149); "
         "there AA-Task loses what its packets take, which a node's accelerator reads one after the other (1 ns for "
         "one instead of 70: 147 instead of 139).")
FIGURES = {
    "6d": dht(title="AM-Onload by cores that handle messages (Active Access, 6d)",
              options={"procs": 64, "collide": 0.05, "per": per},
              x_is="servers", x=(1, 2, 4, 8, 11, 16, 20, 24, 28, 31), x_text="cores of 32 that only handle messages",
              series=[("AM-Onload", {"variant": "am-onload"})], text="64 processes, 5 % collisions."),
    "7a": {**by_procs(0.05), "title": "Hash table, 5 % collisions (Active Access, 7a)",
           "text": "Inserts of random elements, window of 32. AM-Onload: in brackets how many processes of a node do "
                   "nothing but\nhandle messages, the best of those tried. AA-Page and RMA-Blocking are not in the "
                   "paper's figure by name: AA-Page\n"
                   "puts all to one page of each owner; RMA-Blocking is listing 2 as printed, one insert at a time. "
                   + TASKS},
    "7b": {**by_procs(0.25), "title": "Hash table, 25 % collisions (Active Access, 7b)",
           "text": "The same, where each fourth insert meets another element."},
    "comp": dht(title="Hash table beside computation (Active Access, 5.2.1)",
                options={"procs": 64, "collide": 0.05, "per": per},
                x_is="compute", x=(0, 100, 300, 1000, 5000), x_text="ns of computation an insert",
                axis="set logscale y",
                series=[("AA-Poll", {"variant": "aa-poll"}), ("AA-Task", {"variant": "aa-task"}),
                        ("AM", {"variant": "am"}), ("AM-Exp", {"variant": "am-exp"}), ("RMA", {"variant": "rma"})],
                text="64 processes, 5 % collisions. With 5000 ns computation is 95 % and more of "
                     "the time of each scheme."),
    "7c": dht(title="Hash table by size and shape of the IOTLB (Active Access, 7c)",
              options={"procs": 16, "collide": 0.05, "per": lambda procs: 400, "cells": 13}, x_is="iotlb",
              x=(16, 64, 256, 512, 2048), x_text="entries of the IOTLB", axis="set logscale x 2", series=iotlb(),
              shape=shape,
              text="AA-Poll, 16 processes. The volumes are small here, 2^13 cells on 32 pages each: of 2^21 elements, "
                   "on 8192 pages,\n"
                   "no IOTLB of these sizes holds a hundredth, and all shapes are the same. af: at most 256 ways. "
                   "task: AA-Task, which is ours; no processor handles what comes there, so that what walks cost "
                   "shows: with the RTL's costs 512 entries are worth two thirds more than 64, and with AA-Poll 6 %."),
}

FIGURES["6c"] = dht(
    title="One process inserts, one owns, by collisions (Active Access, 6c)",
    options={"procs": 33, "pair": 1, "per": 2000},
    x_is="collide", x=(0, 0.05, 0.25, 0.5, 0.75), x_text="share of inserts that collide",
    series=[("AA-Poll", {"variant": "aa-poll"}), ("AA-Task", {"variant": "aa-task"}), ("RMA", {"variant": "rma"}),
            ("RMA-Blocking", {"variant": "rma-blocking"})],
    text="Two nodes, window of 32.")
FIGURES["7c-skew"] = {
    **FIGURES["7c"], "title": "The same with keys of which some are frequent",
    "text": "Not in the paper: as 7c, but an element's cell is the fourth power of a uniform number, so that low pages "
            "are inserted into more often.",
    "options": {**FIGURES["7c"]["options"], "skew": 2}}
FIGURES["8a"] = {
    "program": "getlog", "platform": "torus", "x_is": "procs", "x": (2, 8, 32, 64, 256),
    "x_text": "processes, 32 a node",
    "y_text": "million gets a second", "axis": "set logscale x 2", "costs": ("paper", "rtl"),
    "options": {"per": lambda procs: 600 if procs <= 64 else 300},
    "series": [("No-FT", {"variant": "no-ft"}), ("AA", {"variant": "aa"}), ("RMA", {"variant": "rma"}),
               ("AM", {"variant": "am"})],
    "title": "Logging of gets (Active Access, 8a)",
    "text": "Gets of 8 bytes from random places. AA: the IOMMU copies what was got into a log at its owner, "
            "who moves it into an archive. RMA, AM: the reader puts or sends it back. No-FT keeps nothing."}


def ahead(at, x=64):
    return float(min(at[s, x] for s in AA) > max(at[s, x] for s in AMS + ("RMA",)))


WORK = ("the paper's AM are MPI messages on Gemini, whose cost to receive is not stated. Here a message costs its "
        "receiver two lines and a few steps more than a record (some 100 ns); 190 ns more would give 2")
HIDDEN = ("the paper's emulation stalls the process that handles, so each walk is processor time; here walks go on "
          "beside the processor, which is the bottleneck")
CAUSES = {
    "ahead": {},
    "first": {c: "with 32 inserts under way RMA hides its latency, and needs no processor at the owner: "
                 "155 ns of processor an insert, AA 260. What a node's link and NIC carry, two frames for each atomic, "
                 "matters from 32 processes on. RMA-Blocking, which is the paper's listing, is behind everywhere"
              for c in ("paper", "rtl")},
    "am": {"paper": WORK, "rtl": WORK},
    "many": {"paper": WORK,
             "rtl": "AA waits for walks of the IOMMU, whose caches are cold in runs as short as these (32 inserts a "
                    "process): AA-Page, which needs few, is at 2.1 times the best AM"},
    "rma": {},
    "sp": {c: "a look at the pointer costs 70 ns or 15, and what it finds is one or two records of some 300 ns "
              "together; 1 % takes inserts of several microseconds" for c in ("paper", "rtl")},
    "ints": {"paper": "the interrupts cost the same, but a message costs more than a record (as above)",
             "rtl": "AM-Ints stands at the NIC's limit, 7 cycles for a message that takes a receive "
                    "buffer; AA-Int does not"},
    "cores": {c: "handling an insert takes three times the processor time of sending one (245 ns to 80), so 24 of 32 "
                 "is the balance; 11 of 32 says that sending took twice as long as handling" for c in ("paper", "rtl")},
    "comp": {},
    "pair": {"paper": "the link of the paper's machines is 1 Gbit/s and full. Here 32 inserts are under way in both; "
                      "a put's walk and record stall the owner by some 200 ns, and RMA takes 155 ns of "
                      "the inserter's processor",
             "rtl": "the link of the paper's machines is 1 Gbit/s and full; here processors are the bottleneck. "
                    "An insert takes 115 ns and more of the owner with AA, and 155 and more of the inserter with RMA, "
                    "which keeps 32 under way"},
    "alone": {"rtl": "each atomic waits for its answer: 2 x 0.45 us from doorbell to frame in this NIC, which the "
                     "paper's constants have not"},
    "few": {c: "two of the shapes of 16 entries have 2 % fewer" for c in ("paper", "rtl")},
    "busy": {c: "hits do differ, but processors are the bottleneck, not walks" for c in ("paper", "rtl")},
    "keep": {"paper": "a record is two more memory accesses, 140 ns that stall the owner's other gets, of 150 ns each; "
                      "the paper's gets, over MPI, take microseconds",
             "rtl": "the owner moves each record out of the log, some 40 ns of its processor, which is the bottleneck "
                    "here; the paper omits how logs are emptied"},
    "lru": {c: "keys are uniform, so no policy can know which page comes next: hits differ by less than 4 %, "
               "and rates by chance"
            for c in ("paper", "rtl")},
    "full": {c: HIDDEN + "; and with uniform keys hits depend on the number of entries alone"
             for c in ("paper", "rtl")},
}


NOTES = {
    "am": {"rtl": "by the NIC: a message that takes a receive buffer takes 7 cycles of it, a put 3 (make bench: SEND "
                  "of 64 B, a row that is not met). With 8 processes, where nothing but processors is full, it is 1.3"},
    "keep": {c: "less than the paper's 1 to 5 % since the node's link or NIC is full, and moving records "
                "takes processors alone"
             for c in ("paper", "rtl")},
    "rma": {c: "by what a node's link carries, four frames and more for what is one with AA. With few processes "
               "RMA is ahead, see above" for c in ("paper", "rtl")},
}


def hash_table(figure):
    return [
        claim(figure, "AA-Poll and AA-SP are ahead of all others, 64 processes (1: yes)", "1", ahead, 1, 1,
              CAUSES["ahead"]),
        claim(figure, "the same with 2 processes", "1", lambda at: ahead(at, 2), 1, 1, CAUSES["first"]),
        claim(figure, "AA over the best AM", "about 2", over(AA, AMS), 1.7, 2.5, CAUSES["am"], NOTES["am"]),
        claim(figure, "the same with 1024 processes", "about 2", over(AA, AMS, 1024), 1.7, 2.5, CAUSES["many"]),
        claim(figure, "AA over RMA", "2 to 3", over(AA, ("RMA",)), 1.7, 3.5, CAUSES["rma"],
              NOTES["rma"]),
        claim(figure, "AA-SP over AA-Poll", "about 1.01", over(("AA-SP",), ("AA-Poll",)), 1.0, 1.03, CAUSES["sp"]),
        claim(figure, "AA-Int over AM-Ints", "comparable", over(("AA-Int",), ("AM-Ints",)), 0.8, 1.25, CAUSES["ints"]),
    ]


def most_at(at):
    return max(x for (_, x), v in at.items() if v == max(at.values()))


def spread(at):
    """How much further apart AA-Poll and AM are without computation than with 5000 ns of it."""
    return (at["AA-Poll", 0] / at["AM", 0]) / (at["AA-Poll", 5000] / at["AM", 5000])


def lru_ahead(at):
    """The share of shapes, in per cent, in which LRU is no slower than random."""
    pairs = [(v, at[s.replace("lru", "rnd"), x]) for (s, x), v in at.items() if s.startswith("lru")]
    return 100 * sum(a >= b for a, b in pairs) / len(pairs)


def full_over_4(at):
    return max(at["lru_af", x] / at["lru_a4", x] for s, x in at if s == "lru_a4")


CLAIMS = [
    claim("6d", "the best number of cores that handle messages", "11", most_at, 8, 16, CAUSES["cores"]),
    *hash_table("7a"),
    *hash_table("7b"),
    claim("comp", "computation brings the schemes closer (AA-Poll over AM, without over with)", "above 1",
          spread, 1.001, 99, CAUSES["comp"]),
    claim("6c", "AA over RMA, no collisions", "about 3", over(("AA-Poll",), ("RMA",), 0), 2, 4, CAUSES["pair"]),
    claim("6c", "AA over RMA, 75 % collisions", "about 3", over(("AA-Poll",), ("RMA",), 0.75), 2, 4, CAUSES["pair"]),
    claim("6c", "AA over RMA-Blocking, no collisions", "about 3", over(("AA-Poll",), ("RMA-Blocking",), 0), 2, 4,
          CAUSES["alone"]),
    claim("7c", "LRU is no slower than random, per cent of shapes", "100", lru_ahead, 100, 100, CAUSES["lru"]),
    claim("7c", "full associativity over 4 ways, at most", "up to 1.16", full_over_4, 1.05, 1.3, CAUSES["full"]),
    claim("7c-skew", "LRU has no fewer hits than random, per cent of shapes", "100", lru_ahead, 100, 100, CAUSES["few"],
          field="hits"),
    claim("7c-skew", "hits of full associativity over 4 ways, at most", "above 1", full_over_4, 1.05, 9, CAUSES["comp"],
          field="hits"),
    claim("7c-skew", "full associativity over 4 ways, inserts, at most", "up to 1.16", full_over_4, 1.05, 1.3,
          CAUSES["busy"]),
    claim("8a", "AA over No-FT, 64 processes", "0.95 to 0.99", over(("AA",), ("No-FT",)), 0.95, 1, CAUSES["keep"],
          NOTES["keep"]),
    claim("8a", "the same with 8 processes", "0.95 to 0.99", over(("AA",), ("No-FT",), 8), 0.95, 1, CAUSES["keep"]),
    claim("8a", "AA over AM, 64 processes", "ahead", over(("AA",), ("AM",)), 1.05, 99, CAUSES["comp"]),
    claim("8a", "AA over RMA, 64 processes", "ahead", over(("AA",), ("RMA",)), 1.05, 99, CAUSES["comp"]),
]

for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "claims_*.py"))):
    part = importlib.import_module(os.path.basename(path)[:-3])
    FIGURES.update(part.FIGURES)
    CLAIMS += part.CLAIMS
