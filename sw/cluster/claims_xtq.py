# SPDX-License-Identifier: Apache-2.0
"""XTQ's figures: what is drawn of sw/cluster/xtq, and what the paper says of it (see claims.py)."""
from claim import claim

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
        program="launch", title="Launch of a remote task by its phases (XTQ, 7)", options={"procs": 2, "rounds": 20, "warm": 4},
        x_is="bar", x=(1, 2, 3, 4, 5, 6), bars=[f"{text}, {'64 B' if size == 64 else '4 KB'}" for text, _, size in LAUNCHES],
        shape=launch, x_text="scheme and payload", y_text="ns",
        series=[(text, {"value": lambda r, k=key: r[k]}) for text, key in PHASES] + [("whole", {"value": lambda r: r["ns"]})],
        apart=("whole",),
        text="A vector is added to another at a remote node; the time ends when the processor there has seen it. CPU: it adds itself. "
             "HSA: it launches a kernel of its accelerator. XTQ: the message does. An XtqPut carries 64 bytes of command and 32 of "
             "arguments, so that one of 4 KB takes two packets of the wire, and the others' message one."),
}


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


SOFTWARE = ("what the paper's runtime executes between the event and the doorbell of its accelerator is not stated. Here it is the line of "
            "the event (70 ns), a look at it, packet, arguments and index (4 steps of 5 ns) and the doorbell (70 ns): 160 ns, the least "
            "that its best programmer can do; 300 ns say that theirs executed 140 ns more, of which this page knows nothing")
CAUSES = {
    "total": {"paper": "the paper's constants have no time for NICs, and the paper's own simulator had: its CPU part, doorbell to frame, "
                       "is 500 ns in this hardware (costs `rtl`)"},
    "hsa": {"paper": "as above, and the 140 ns of software below",
            "rtl": SOFTWARE},
    "saves": {c: SOFTWARE for c in BOTH},
    "share": {"paper": "the difference is smaller than the paper's (above), and so is the whole, by what NICs take",
              "rtl": SOFTWARE},
    "large": {},
}

CLAIMS = [
    claim("x7", "XTQ, 64 B, ns", "about 1200", whole("XTQ"), 1000, 1400, CAUSES["total"]),
    claim("x7", "HSA, 64 B, ns", "about 1500", whole("HSA"), 1300, 1700, CAUSES["hsa"]),
    claim("x7", "XTQ is ahead of HSA by, 64 B, ns", "about 300", less(64), 250, 350, CAUSES["saves"]),
    claim("x7", "the same, share of HSA's time", "0.10 to 0.15 (1.2 us of 1.5: 0.20)", part(64), 0.095, 0.205, CAUSES["share"]),
    claim("x7", "the same with 4 KB", "less than with 64 B", lambda at: part(4096)(at) / part(64)(at), 0, 1, CAUSES["large"]),
    claim("x7", "transfer takes longer with XTQ, ratio", "slightly above 1", longer, 1, 1.2, CAUSES["large"]),
]
