# SPDX-License-Identifier: Apache-2.0
"""XTQ's figures: what is drawn of sw/cluster/xtq, and what the paper says of it (see claims.py)."""
from claim import claim
from xtq_inputs import ACCUMULATES, GRADIENTS, WORKLOADS

BOTH = ("paper", "rtl")
SCHEMES = (("CPU", "cpu"), ("HSA", "hsa"), ("XTQ", "xtq"))
DONE = ("adds", "tasks", "frames", "accesses", "walks", "loads")
LAUNCHES = [(text, v, size) for size in (64, 4096) for text, v in SCHEMES]
PHASES = (("doorbell to first bit", "post"), ("first to last bit", "wire"), ("NIC to memory", "store"),
          ("work of the processor", "handle"), ("packet read", "read"), ("kernel", "kernel"), ("its end seen", "seen"))


def launch(point):
    """The bar with this number."""
    _, variant, size = LAUNCHES[point.pop("bar") - 1]
    return {**point, "variant": variant, "bytes": size}


def figure(**more):
    return {"platform": "star", "axis": "", "costs": BOTH, "columns": DONE, **more}


FIGURES = {
    "x7": figure(
        program="launch", title="Launch of a remote task by its phases (XTQ, 7)",
        options={"procs": 2, "rounds": 20, "warm": 4},
        x_is="bar", x=(1, 2, 3, 4, 5, 6),
        bars=[f"{text}, {'64 B' if size == 64 else '4 KB'}" for text, _, size in LAUNCHES],
        shape=launch, x_text="scheme and payload", y_text="ns",
        series=[(text, {"value": lambda r, k=key: r[k]}) for text, key in PHASES]
        + [("whole", {"value": lambda r: r["ns"]})],
        apart=("whole",),
        text="A vector is added to another at a remote node; the time ends when the processor there has seen it. "
             "CPU: it adds itself. HSA: it launches a kernel of its accelerator. XTQ: the message does. An XtqPut "
             "carries 64 bytes of command and 32 of arguments, so that one of 4 KB takes two packets of the wire, "
             "and the others' message one."),
}


PIECE = 4 << 20
SIZES = (8, 64, 512, 4096, 16384, 65536, 262144, 1048576, 4194304)
ADDERS = [("CPU", {"variant": "cpu"}), ("CPU, 8 cores", {"variant": "cpu", "cores": 8}), ("HSA", {"variant": "hsa"}),
          ("XTQ", {"variant": "xtq"})]


def microseconds(result):
    return result["ns"] / 1e3


def chunks(point):
    """In how many messages: the best one counts."""
    return (1,) if point["bytes"] < 2 * 4096 else (1, 4, 16)


def rounds(point):
    """The first one is not counted: it meets cold caches of the IOMMU."""
    return {**point, "rounds": 6 if point["bytes"] <= 65536 else 2, "search": chunks}


def pair(program, **more):
    return figure(program=program, options={"procs": 2}, x_is="bytes", x=SIZES, x_text="bytes", y_text="microseconds",
                  axis="set logscale xy\nset yrange [*:*]", value=microseconds, search="parts", shape=rounds, **more)


def ways(point):
    """Algorithm and chunks that are tried: a ring sends 2(n - 1) times."""
    n = point["procs"]
    tried = [("halving", 1), ("halving", 4), ("ring", 1), ("ring", 4)]
    if point["bytes"] < 8 * 4096 * n:
        tried = tried[::2]
    elif n == 12:
        tried = tried[2:]
    elif n > 16:
        tried = tried[1::2]
    return [{"algorithm": a, "parts": p} for a, p in tried]


def searching(point):
    return {**point, "search": ways}


def work_beside(point):
    work = point.pop("work")
    return {**point, "compute": work * 1000}


FIGURES["x9a"] = pair(
    "accumulate", series=ADDERS, title="Accumulate between two nodes (XTQ, 9a)",
    text="From the call to the acknowledgement that all is added. In brackets: in how many messages, the best of 1, "
         "4 and 16; each chunk is added while the next one comes.")
FIGURES["x9b"] = pair(
    "reduce", series=ADDERS + [("XTQ-Sync", {"variant": "xtq", "sync": 1})], title="Reduction of two nodes (XTQ, 9b)",
    text="Until the root has the sum. XTQ: the root's vector was registered beforehand, as HSA's and CPU's "
         "payloads have their places beforehand. XTQ-Sync: as the paper has it, the root says in each "
         "reduction that it is ready.")
FIGURES["x9c"] = figure(
    program="allreduce", title="Allreduce of 4 MB (XTQ, 9c)",
    options={"bytes": 4194304, "rounds": 1, "warm": 0, "sync": 1},
    x_is="procs", x=(2, 4, 8, 12, 16, 32, 64), x_text="nodes", y_text="microseconds", axis="set logscale x 2",
    value=microseconds,
    series=ADDERS, search="algorithm", shape=searching,
    text="Reduce-scatter and allgather, each series by the best of a ring and of halving and doubling (in brackets), "
         "in 1 and in 4 chunks a step, with 32 and 64 nodes in 4. All vectors of all nodes are compared with the sum.")
FIGURES["x9p"] = {
    **FIGURES["x9c"], "title": "The same with one message a step (XTQ, 9c)",
    "shape": lambda p: {**p, "algorithm": "ring", "parts": 1},
    "text": "A ring, and nothing is sent on before a whole piece is added, as it is without what the paper "
            "calls software pipelining."}
FIGURES["x9p"].pop("search")
FIGURES["x9f"] = figure(
    program="allreduce", title="Allreduce of 4 MB on more nodes",
    options={"bytes": 4194304, "rounds": 1, "warm": 0, "sync": 1},
    x_is="procs", x=(64, 128, 256, 1024), x_text="nodes", y_text="microseconds", axis="set logscale x 2",
    value=microseconds,
    costs=("rtl",), series=ADDERS[2:], shape=lambda p: {**p, "algorithm": "halving", "parts": 1},
    text="Not in the paper: by halving and doubling, in 1 chunk a step. All vectors of all nodes are compared with the "
         "sum: those of 1024 nodes are 4 GiB, and each of its runs takes some 8 GB.")
FIGURES["x9o"] = figure(
    program="allreduce", title="Non-blocking allreduce beside the application's own work (XTQ, V-C)",
    options={"procs": 8, "bytes": 4194304, "rounds": 1, "warm": 0, "sync": 1, "algorithm": "halving", "parts": 4},
    shape=work_beside,
    x_is="work", x=(0, 200, 400, 800, 1600), x_text="microseconds of work", y_text="microseconds", value=microseconds,
    series=ADDERS,
    text="4 MB, 8 nodes, halving in 4 chunks. The application works half a microsecond at a time and then looks "
         "whether the operation wants something; the time ends when both are done.")


GRADIENT_ADDERS = [("CPU", {"variant": "cpu"}), ("HSA", {"variant": "hsa"}), ("XTQ", {"variant": "xtq", "sync": 0}),
                   ("XTQ-Sync", {"variant": "xtq"})]
CLASSES = ("64 to 512 B", "1 to 8 KB", "16 to 64 KB", "all")


def accumulates(x):
    """A class of sizes, a part of the sum of all."""
    bounds = {1: (0, 512), 2: (513, 8192), 3: (8193, 1 << 20), 4: (0, 1 << 20)}[x]
    return [(times, {"bytes": size}) for size, times in ACCUMULATES if bounds[0] <= size <= bounds[1]]


def gradients(x):
    """Matrices of more than 4 MB are summed in pieces of 4 MB and what is left."""
    out = []
    for n, size in GRADIENTS[WORKLOADS[x - 1]]:
        out += [(n * (size // PIECE), {"bytes": PIECE})] if size >= PIECE else []
        out += [(n, {"bytes": size % PIECE})] if size % PIECE >= 64 else []
    return out


def without_x(then):
    def shape(point):
        point.pop("which")
        return then(point)
    return shape


def names(of):
    return ("set xtics (" + ", ".join(f"'{text}' {i}" for i, text in enumerate(of, 1))
            + f")\nset xrange [0.5:{len(of)}.5]\n")


FIGURES["x8"] = figure(
    program="accumulate", title="Accumulates of a chemistry run (XTQ, 8)", options={"procs": 2}, x_is="which",
    x=(1, 2, 3, 4),
    heads=CLASSES, mix=accumulates, shape=without_x(rounds), search="parts", x_text="sizes",
    y_text="microseconds", columns=(),
    value=microseconds, series=ADDERS, axis=names(CLASSES), **{"with": "points ps 1.5"},
    text="The paper shows a histogram without numbers; sw/cluster/xtq/inputs/accumulates.txt has what was taken "
         "instead: as many of each power of two from 64 B to 64 KB, 1100 in all, an assumption and no measurement. "
         "One after the other, as in 9a.")
FIGURES["x10"] = figure(
    program="allreduce", title="Gradients of six training workloads on 8 nodes (XTQ, 10)",
    options={"procs": 8, "rounds": 1, "warm": 0, "sync": 1}, x_is="which", x=tuple(range(1, len(WORKLOADS) + 1)),
    heads=WORKLOADS,
    mix=gradients, shape=without_x(searching), search="algorithm", x_text="workload", y_text="microseconds", columns=(),
    value=microseconds, series=GRADIENT_ADDERS, axis="set logscale y\nset yrange [*:*]\n" + names(WORKLOADS),
    **{"with": "points ps 1.5"},
    text="The allreduces of one minibatch, a matrix of gradients after the other, those of more than 4 MB in pieces "
         "of 4 MB. The paper states no sizes and only two of the six names; sw/cluster/xtq/inputs/gradients.txt has "
         "where these come from. The paper's run times contain the computation of the gradients, which it measured on "
         "another machine and does not state; here are the allreduces alone. XTQ and XTQ-Sync: as in 9b.")


def bar(text, size):
    return next(i for i, at in enumerate(LAUNCHES, 1) if (at[0], at[2]) == (text, size))


def less(size):
    """By how many ns XTQ is ahead of HSA."""
    return lambda at: at["whole", bar("HSA", size)] - at["whole", bar("XTQ", size)]


def part(size):
    """The same as a share of HSA's time."""
    return lambda at: less(size)(at) / at["whole", bar("HSA", size)]


def whole(text):
    return lambda at: at["whole", bar(text, 64)]


def longer(at):
    """First to last bit, XTQ over HSA."""
    return at["first to last bit", bar("XTQ", 64)] / at["first to last bit", bar("HSA", 64)]


SOFTWARE = ("what the paper's runtime executes between the event and the doorbell of its accelerator is not stated. "
            "Here it is the line of the event (70 ns), a look at it, packet, arguments and index (4 steps of 5 ns) and "
            "the doorbell (70 ns): 160 ns, the least that its best programmer can do; 300 ns say that theirs executed "
            "140 ns more, of which this page knows nothing")
CAUSES = {
    "total": {"paper": "the paper's constants have no time for NICs, and the paper's own simulator had: its CPU part, "
                       "doorbell to frame, is 500 ns in this hardware (costs `rtl`)"},
    "hsa": {"paper": "as above, and the 140 ns of software below",
            "rtl": SOFTWARE},
    "saves": {c: SOFTWARE for c in BOTH},
    "share": {"paper": "the difference is smaller than the paper's (above), and so is the whole, by what NICs take",
              "rtl": SOFTWARE},
    "large": {},
    "small": {c: "CPU's message is one write, which is there as soon as XTQ's, and what it adds it adds at once: "
                 "it has no packet to be read, no arguments, and nobody to be told. The paper's CPU has two-sided "
                 "sends in Open MPI under it, whose cost is not stated"
              for c in BOTH},
    "significant": {"rtl": "the difference is the processor's 160 ns (x7), and a launch and its "
                           "acknowledgement take 2.2 us here"},
    "sync": {c: "the time in which the root says that it is ready, a message from processor to processor, is longer "
                "than the time that is saved. The paper's reductions begin when the root has long been there, "
                "or its zero-length messages are cheaper; it does not say"
             for c in BOTH},
    "few": {"rtl": "chunks hide the processor's adding, 7 ns for 64 bytes, behind what the NIC takes for them, 8 ns"},
    "many": {c: "a launch by the processor takes 160 ns here, and to add a piece of 64 KB takes a core 7 us more than "
                "an accelerator's 2; pieces would have to be of 2 KB to be even" for c in BOTH},
    "hidden": {c: "in chunks all launches but the first are hidden behind the link, which CPU with 8 cores "
                  "and HSA fill as well; and the command's 96 bytes take a packet more of each chunk. "
                  "Without chunks (x9p) XTQ is ahead" for c in BOTH},
    "inflection": {c: "time grows with the nodes, as each sends 2(n - 1)/n of the vector over its link, "
                      "and to send takes longer (5.2 or 8.2 ns for 64 bytes) than to add (1.9 on an accelerator). "
                      "The paper's falls at first, so its adding took longer than its sending"
                   for c in BOTH},
    "train": {c: "adding is hidden behind sending here, in chunks (x9c), whoever adds; the paper's CPU "
                 "part had no such overlap" for c in BOTH},
    "launches": {c: "an allreduce of 8 nodes has 3 (halving) to 7 (ring) launches one behind the other, of which each "
                    "saves 130 ns; that is up to a tenth of the shortest, and most of the time is taken by matrices of "
                    "megabytes, which the link binds" for c in BOTH},
    "ties": {"rtl": "halving has a launch a step, 8 with 256 nodes and 10 with 1024, of which each saves 134 ns; "
                    "as much goes to a packet more for each command, and to the targets' word that they are ready"},
    "pipelined": {c: "chunks hide all but the first and the last launch, as the paper expects (\"amenable to software "
                     "pipelining\"); and commands of 96 bytes a chunk cost more than that saves" for c in BOTH},
}


def best_nodes(at):
    """With how many nodes XTQ takes least time, up to 64."""
    return min((v, x) for (series, x), v in at.items() if series == "XTQ")[1]


def overlapped(scheme, work=800):
    """The share of the shorter of both, work and operation, that is hidden behind the other."""
    return lambda at: (at[scheme, 0] + work - at[scheme, work]) / min(at[scheme, 0], work)


def mean_saved(theirs, ours):
    """Of the workloads' times in allreduce."""
    xs = range(1, len(WORKLOADS) + 1)
    return lambda at: sum(1 - at[ours, x] / at[theirs, x] for x in xs) / len(xs)


def saved_in(workload, theirs, ours):
    x = WORKLOADS.index(workload) + 1
    return lambda at: 1 - at[ours, x] / at[theirs, x]


def ratio(theirs, ours, x):
    """Of times: above 1, ours is faster."""
    return lambda at: at[theirs, x] / at[ours, x]


def saved(ours):
    """The largest share of HSA's time."""
    return lambda at: max(1 - at[ours, x] / at["HSA", x] for x in SIZES if x <= 4096)


CLAIMS = [
    claim("x7", "XTQ, 64 B, ns", "about 1200", whole("XTQ"), 1000, 1400, CAUSES["total"]),
    claim("x7", "HSA, 64 B, ns", "about 1500", whole("HSA"), 1350, 1650, CAUSES["hsa"]),
    claim("x7", "XTQ is ahead of HSA by, 64 B, ns", "about 300", less(64), 250, 350, CAUSES["saves"]),
    claim("x7", "the same, share of HSA's time", "0.10 to 0.15 (1.2 us of 1.5: 0.20)", part(64), 0.10, 0.20,
          CAUSES["share"]),
    claim("x7", "the same with 4 KB", "less than with 64 B", lambda at: part(4096)(at) / part(64)(at), 0, 1,
          CAUSES["large"]),
    claim("x7", "transfer takes longer with XTQ, ratio", "slightly above 1", longer, 1, 1.2, CAUSES["large"]),
    claim("x9a", "accumulate: HSA over XTQ, 8 B", "XTQ significantly better", ratio("HSA", "XTQ", 8), 1.1, 9,
          CAUSES["significant"]),
    claim("x9a", "accumulate: CPU over XTQ, 8 B", "XTQ better even there", ratio("CPU", "XTQ", 8), 1.001, 9,
          CAUSES["small"]),
    claim("x9a", "HSA over XTQ, 4 MB less than 4 KB", "benefits decrease",
          lambda at: ratio("HSA", "XTQ", 4194304)(at) / ratio("HSA", "XTQ", 4096)(at), 0, 1, CAUSES["large"]),
    claim("x9a", "CPU over HSA, 4 MB", "accelerators much better", ratio("CPU", "HSA", 4194304), 1.3, 99,
          {"rtl": "chunks hide what the processor adds behind what the NIC takes, 8 ns for 64 bytes; "
                  "the processor takes 7"}),
    claim("x9b", "reduce: XTQ over HSA, time saved, 8 B to 4 KB at best", "0.10 to 0.15", saved("XTQ"), 0.10, 0.15,
          {"paper": "NICs take no time here, so that the 160 ns of the processor are a larger share of a step",
           "rtl": "9.98 per cent: the cycles of NICs are in both, and make the 160 ns of the processor "
                  "a smaller share"}),
    claim("x9b", "the same with XTQ-Sync", "0.10 to 0.15", saved("XTQ-Sync"), 0.10, 0.15, CAUSES["sync"]),
    claim("x9b", "HSA over XTQ, 64 KB and more, at best", "benefits decrease",
          lambda at: max(ratio("HSA", "XTQ", x)(at) for x in SIZES if x >= 65536), 0, 1.02, CAUSES["pipelined"]),
    claim("x9c", "allreduce: CPU over HSA, 2 nodes", "accelerators better with few nodes", ratio("CPU", "HSA", 2), 1.05,
          99, CAUSES["few"]),
    claim("x9c", "CPU over HSA, 64 nodes", "not above 1", ratio("CPU", "HSA", 64), 0, 1, CAUSES["many"]),
    claim("x9c", "CPU over XTQ, 64 nodes", "above 1", ratio("CPU", "XTQ", 64), 1.001, 99, CAUSES["few"]),
    claim("x9c", "HSA over XTQ, 64 nodes", "above 1", ratio("HSA", "XTQ", 64), 1.001, 99, CAUSES["hidden"]),
    claim("x9c", "nodes with which XTQ takes least time", "about 12", best_nodes, 8, 16, CAUSES["inflection"]),
    claim("x9p", "one message a step: HSA over XTQ, 64 nodes", "above 1", ratio("HSA", "XTQ", 64), 1.001, 99,
          CAUSES["large"]),
    claim("x9p", "CPU over XTQ, 64 nodes", "above 1", ratio("CPU", "XTQ", 64), 1.001, 99, CAUSES["large"]),
    claim("x9p", "CPU over HSA, 64 nodes", "not above 1", ratio("CPU", "HSA", 64), 0, 1, CAUSES["many"]),
    claim("x9o", "XTQ: share of work and operation that overlaps", "substantial", overlapped("XTQ"), 0.9, 1.01,
          CAUSES["large"]),
    claim("x9o", "CPU: the same", "less", overlapped("CPU"), 0, 0.9, CAUSES["large"]),
    claim("x8", "accumulates: HSA over XTQ, all", "measurable benefits expected", ratio("HSA", "XTQ", 4), 1.01, 9,
          {"rtl": "1.0099: most of the time is that of messages of 16 KB and more, whose bytes take the "
                  "link as long either way"}),
    claim("x8", "the same, 64 to 512 B", "ideal for XTQ", ratio("HSA", "XTQ", 1), 1.05, 9, CAUSES["large"]),
    claim("x10", "HSA over CPU, saved of allreduce, mean", "0.23 of run time", mean_saved("CPU", "HSA"), 0.23, 0.95,
          CAUSES["train"]),
    claim("x10", "XTQ over HSA, saved of allreduce, mean", "0.08 of run time", mean_saved("HSA", "XTQ"), 0.08, 0.95,
          CAUSES["launches"]),
    claim("x10", "the same, AN4", "0.15 of run time, the most", saved_in("AN4", "HSA", "XTQ"), 0.15, 0.95,
          CAUSES["launches"]),
    claim("x9f", "HSA over XTQ, 256 nodes", "not in the paper; ahead with 64", ratio("HSA", "XTQ", 256), 1.001, 99,
          CAUSES["ties"]),
    claim("x9f", "the same with 1024 nodes", "not in the paper; ahead with 64", ratio("HSA", "XTQ", 1024), 1.001, 99,
          CAUSES["ties"]),
]
