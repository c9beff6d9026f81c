# SPDX-License-Identifier: Apache-2.0
"""The suite of irregular programs (graph/), for claims.py: Grappa's proposal (XPS) says what aggregation is for,
Active Access what handling by active puts gains."""
from claim import claim, over

ONE = (("Naive", {"variant": "naive"}), ("AA-One", {"variant": "aa-one"}), ("MP", {"variant": "mp"}),
       ("RMA", {"variant": "rma"}))
MANY = (("AM", {"variant": "am"}), ("AA", {"variant": "aa"}))
TWO = (("AM, two levels", {"variant": "am", "levels": 2}), ("AA, two levels", {"variant": "aa", "levels": 2}))
PROCS = (8, 32, 128, 1024)
COLUMNS = ("inserts", "delegates", "messages", "bytes", "parts", "votes", "walks")


def few(procs):
    """Updates a process of the ways that send each by itself, as many as the hash table's inserts;
    aggregates want more to be full."""
    return 128 if procs <= 64 else 64 if procs <= 256 else 32


def shape(p):
    """Two levels are one on one node. 1024 processes in one level would be a million lanes, and of them what
    waits is known from 128."""
    if "levels" in p and p["procs"] <= 32:
        return None
    many = p["variant"] in ("am", "aa") and p.get("levels") != 2
    return None if p["procs"] > 128 and (many or p["variant"] in ("naive", "am")) else p


def bfs_shape(p):
    """16 vertices a process; one by one up to 128 processes, and 1024 by aggregated active puts alone."""
    if p["procs"] > 128 and p["variant"] != "aa":
        return None
    p = shape(p)
    return p and {**p, "scale": 4 + p["procs"].bit_length() - 1}


def uts_shape(p):
    """1024 processes take two depths more: 1007 nodes each, where 128 have 499 at depth 7."""
    return {**p, "scale": 9} if p["procs"] > 128 else p


KERNELS = ("pagerank", "cc", "sssp", "triangles")


def kernel(p):
    """The program that x is the number of."""
    p = {**p, "program": KERNELS[p["kernel"] - 1]}
    del p["kernel"]
    return {**p, "tolerance": 0.01} if p["program"] == "pagerank" else p


def grown(p):
    """8 vertices a process; two levels where there is more than one node."""
    p = kernel({**p, "scale": 3 + p["procs"].bit_length() - 1})
    return {**p, "levels": 2} if p["procs"] > 32 else p


def gups(**more):
    return {"program": "gups", "platform": "torus", "y_text": "million updates a second", "axis": "set logscale x 2",
            "costs": ("paper", "rtl"), "columns": COLUMNS, **more}


def per(series, updates):
    return [(name, {**options, "per": updates}) for name, options in series]


FROM = 10 ** 9  # the first thousands of the stream are to few words
LEVELS = gups(x=(64, 256, 1024, 4096), x_is="per", x_text="updates a process", options={"procs": 128, "seed": FROM},
              axis="set logscale x 4", series=(MANY[1], TWO[1]))
FIGURES = {
    "g-procs": gups(
        title="Random updates (GUPS) by processes", x=PROCS, x_is="procs", x_text="processes, 32 a node",
        options={"seed": FROM},
        axis="set logscale x 2\nset logscale y\nset yrange [1:*]", shape=shape,
        series=per(ONE, few) + per(MANY + TWO, 2048),
        text="Each process has 2^16 words of 8 bytes of one table, and does 2048 updates in aggregates of up "
             "to 4096 bytes, or 32 to 128 one by one (with 1024 processes 32, which are all under way at once). "
             "Naive waits for each active put, AA-One and MP have 32 active puts or messages under way, "
             "RMA 32 chains of a get and a compare-and-swap. AM and AA put as many updates into a message, "
             "or into an active put, as have come together; with two levels an update goes first to the process of its "
             "own node that has its home's place there, so that a process of 1024 has 62 neighbours instead of 1023. "
             "A process that takes 70 ns for a word that no cache has can do 14 million updates a second at most. "
             "All tables are checked: no update was lost or done twice."),
    "g-most": gups(
        title="Random updates by the size of an aggregate", x=(32, 64, 128, 256, 1024, 4096), x_is="most",
        x_text="bytes of an aggregate",
        options={"procs": 16, "per": 2048, "seed": FROM}, series=MANY,
        text="16 processes of one node, 2048 updates each. An update takes 16 bytes of an aggregate, whose header has "
             "8: 32 bytes are one update."),
    "g-levels": {**LEVELS, "title": "Random updates of 128 processes by the updates that each has", "text":
                 "Aggregates are as large as what a process has for a neighbour. In one level its neighbours "
                 "are 127 others, in two 31 of its node and 3 of other nodes, and most updates are sent twice: "
                 "by another process, which takes them out of one aggregate and puts them into another. "
                 "That takes some 30 ns of its processor, and the node's NIC carries the update once more, "
                 "since nothing here goes through shared memory."},
    "g-factor": {**LEVELS, "title": "Updates in an aggregate, 128 processes", "y_text": "updates in an aggregate",
                 "value": lambda r: r["parts"] / r["messages"], "text": "The same runs."},
    "g-bfs": {**gups(title="Breadth-first search by processes", x=PROCS, x_is="procs",
                     x_text="processes, 32 a node", options={},
                     axis="set logscale x 2\nset logscale y\nset yrange [0.1:*]", shape=bfs_shape,
                     series=ONE + MANY + TWO,
                     text="Graph500's Kronecker graph of 2^4 vertices a process and 16 edges each, from the "
                          "vertex with most edges; millions of its component's edges a second. All searches keep "
                          "the five rules of Graph500, and have the same levels. 16 vertices a process are few: "
                          "aggregates of many processes have few offers, and each round ends by two votes of "
                          "log2(procs) messages (RMA: one, two levels: three)."),
              "program": "bfs", "y_text": "million edges a second"},
    "g-uts": {**gups(title="Unbalanced tree search by processes", x=PROCS, x_is="procs", x_text="processes, 32 a node",
                     options={"compute": 100, "scale": 7}, shape=uts_shape, series=ONE + MANY,
                     axis="set logscale x 2\nset logscale y\nset yrange [10:*]",
                     text="The published tree T1, cut at depth 7: 63914 nodes, and for 1024 processes at depth 9: "
                          "1031269 (T1 and T3 in whole are walked by make cluster-test). A child's SHA-1 is taken to "
                          "be 100 ns of a processor, which is stated and not measured, so that a process alone does "
                          "9.5 million nodes a second at most. Who has none asks a process by chance: for one node "
                          "(Naive), for up to 10, each by a put or a message (AA-One, MP), or all in one (AM, AA); "
                          "with RMA it takes half of up to 64 nodes that their owner has put where others reach them. "
                          "Counted is until all know that nothing is left. All walks have seen each node once. "
                          "128 processes have 500 nodes each, 1024 have 1000, so that what is seen there is "
                          "how fast work is spread."),
              "program": "uts", "y_text": "million nodes a second"},
    "g-suite": {**gups(title="Graph programs by ways, 32 processes", x=(1, 2, 3, 4), x_is="kernel", x_text="program",
                       heads=KERNELS, options={"procs": 32, "scale": 8}, shape=kernel, series=ONE + MANY,
                       axis="set logscale y\nset yrange [0.1:*]\nset xrange [0.5:4.5]\nset xtics ("
                            + ", ".join(f"'{k}' {n}" for n, k in enumerate(KERNELS, 1)) + ")",
                       text="One node of 32 processes, Graph500's graph of 2^8 vertices and 2^12 edges: "
                            "PageRank until ranks change by less than 0.01 in all, connected components, "
                            "shortest paths from the vertex with most edges, triangles; millions of edges a second, "
                            "of PageRank in each turn. Each run ends with what one process finds. "
                            "With RMA a share of PageRank is one fetch-and-add, an offer of components and paths a get "
                            "and compare-and-swaps, and a triangle is looked for by getting a neighbour's whole row, "
                            "where the other ways ask for each pair of neighbours. For triangles vertices have numbers "
                            "in order of their neighbours, fewest first, which takes no time here."),
                "with": "points", "y_text": "million edges a second"},
    "g-scale": {**gups(title="Graph programs by processes", x=(32, 128, 1024), x_is="procs",
                       x_text="processes, 32 a node",
                       options={"variant": "aa"}, shape=grown,
                       series=tuple((k, {"kernel": n}) for n, k in enumerate(KERNELS, 1)),
                       axis="set logscale x 2\nset logscale y\nset yrange [10:*]",
                       text="The four programs of the figure before by aggregated active puts, with 8 vertices "
                            "a process: Graph500's graph of 2^8, 2^10 and 2^13 vertices. More than one node "
                            "passes on in two levels."),
                "y_text": "million edges a second"}}

CARDS = "Grappa counts what its cards and their driver take for each packet, and does not say how long that is. "
SMALL = {"paper": CARDS + "The papers' constants have no NIC that takes time: what is full here are the 32 "
                          "processors of the node",
         "rtl": CARDS + "This NIC takes 7 cycles for a message that takes a receive buffer (make bench: "
                        "SEND of 64 B), 36 million a second"}
BEST = {c: "the aggregates are the same, and what a record costs less than a message (one line and a few steps) is "
           "divided by all updates in it" for c in ("paper", "rtl")}
WORK = {"paper": "a message costs its receiver two lines and some steps more than a record, beside 70 ns for the word; "
                 "AA's 2 are against MPI on Gemini, see 7a"}
ROUNDS = {c: "the graph is small, 16 vertices a process: with 4 nodes an aggregate has 4 offers, the vertex with most "
             "edges makes its offers at one process, and the end of a round takes " + end
          + " us. With 128 vertices a process it is " + more + ". "
             "The paper's graph has 2^25 "
             "vertices on 96 cores" for c, end, more in (("paper", "11", "0.68"), ("rtl", "19", "0.67"))}
FULL = {c: "in aggregates processors are what is full, and an update takes 70 ns of one for its word alone; "
           "a frame for each takes no more than as much again" for c in ("paper", "rtl")}
TWICE = {c: "in the hash table most inserts are one compare-and-swap; an update is a get as well, four "
            "frames and two round trips"
         for c in ("paper", "rtl")}

LESS = {c: "128 processes are few: a frame for each of 127 neighbours costs less than to pass most updates on. "
           "Grappa's concern is how many queues a process has, a million lanes of 1024 processes, which "
           "this figure does not have"
        for c in ("paper", "rtl")}


SPREAD = {c: "a process has its processor full with SHA-1 as long as it has nodes, and then waits a round trip for an "
             "answer: what a record costs less than a message is a small part of either" for c in ("paper", "rtl")}


FEW = {c: "8 vertices a process are few: with 1024 processes an aggregate of 4096 bytes leaves with 8 updates, "
          "each of which is sent twice, and the 16 rounds that PageRank takes there are 130 us each"
       for c in ("paper", "rtl")}


def most(at, procs):
    """The rate of the fastest way."""
    return max(at[name, procs] for name, _ in ONE + MANY)


def share_of_link(at):
    """Bytes of updates, with their header, of what a node's link carries: 12500 MB/s."""
    return at["MP", 32] * 16 / 12500


CLAIMS = [
    claim("g-procs", "what small messages reach of a link's rate (Grappa; here MP, a node)", "less than 0.03",
          share_of_link, 0, 0.03, SMALL),
    claim("g-procs", "aggregated active messages over RDMA for small accesses, 32 processes (Grappa)", "ahead",
          over(("AM",), ("RMA",),
        32),
          1.01, 999, {}),
    claim("g-procs", "active puts over messages one by one, 32 processes (Active Access)", "about 2",
          over(("AA-One",), ("MP",), 32), 1.6, 2.6, WORK),
    claim("g-procs", "the same in aggregates", "about 2", over(("AA",), ("AM",), 32), 1.6, 2.6, BEST),
    claim("g-procs", "active puts over RMA, one by one, 32 processes (Active Access)", "2 to 3",
          over(("AA-One",), ("RMA",), 32), 1.7,
        3.5,
          TWICE),
    claim("g-most", "4096 bytes over one update in a put (Grappa: small packets reach 3 % of the rate)", "some 33",
          lambda at: at["AA", 4096] / at["AA", 32], 20, 50, FULL),
    claim("g-levels", "two levels over one, 64 updates a process (Grappa: one level does not scale)", "above 1",
          over(("AA, two levels",), ("AA",), 64), 1.01, 99, LESS),
    claim("g-factor", "two levels over one, 64 updates a process (Grappa)", "above 1",
          over(("AA, two levels",), ("AA",), 64), 1.01, 99, {}),
    claim("g-bfs", "a search's rate grows with the nodes: 4 nodes over 4 times one (Grappa)", "about 1",
          lambda at: max(at["AA", 128], at["AA, two levels", 128]) / at["AA", 32] / 4, 0.8, 1.2, ROUNDS),
    claim("g-uts", "active puts over messages one by one, 128 processes (Active Access)", "about 2",
          over(("AA-One",), ("MP",), 128), 1.6, 2.6, SPREAD),
    claim("g-uts", "the rate grows with the nodes, by the best way: 32 nodes over 8 times 4 (Grappa)", "about 1",
          lambda at: most(at, 1024) / most(at, 128) / 8, 0.8, 1.25, {}),
    claim("g-suite", "aggregated active messages over RMA, PageRank (Grappa)", "ahead", over(("AM",), ("RMA",), 1),
          1.01, 999, {}),
    claim("g-suite", "active puts in aggregates over RMA, components (Active Access: 3)", "2 to 3",
          over(("AA",), ("RMA",), 2), 1.7, 3.5, {}),
    claim("g-scale", "PageRank's rate grows with the nodes: 32 nodes over 8 times 4 (Grappa)", "about 1",
          lambda at: at["pagerank", 1024] / at["pagerank", 128] / 8, 0.8, 1.25, FEW)]
