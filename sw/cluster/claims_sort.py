# SPDX-License-Identifier: Apache-2.0
"""The fault-tolerant sort (Active Access 5.2.4, figure 8b), for claims.py."""
from claim import claim

SORT = {
    "program": "sort", "platform": "torus", "axis": "", "costs": ("paper", "rtl"),
    "value": lambda result: result["ns"] / 1e6,
    "series": [("No-FT", {"variant": "no-ft"}), ("AA", {"variant": "aa"}), ("RMA", {"variant": "rma"}),
               ("AM", {"variant": "am"})]}
FIGURES = {
    "8b": {
        **SORT, "axis": "set xrange [0:128]", "title": "Fault-tolerant sort of 1 GB (Active Access, 8b)",
        "x_is": "procs", "x": (64,),
        "x_text": "processes, 32 a node", "y_text": "milliseconds to communicate",
        "options": {"per": lambda procs: (1 << 27) // procs},
        "text": "2^27 keys of 8 bytes, 1 GiB, all processes together. Each gets its keys from all others, 4 KB a get. "
                "AA: the IOMMU copies what was got into a log at its owner, which is the archive. RMA, AM: "
                "who got it puts or sends it back. No-FT keeps nothing. Then keys are overwritten, one process crashes "
                "and has its keys again from the archives; all are sorted and checked. With No-FT nobody crashes."}}


def less(other, x):
    """By how many per cent AA's time is less."""
    return lambda at: 100 * (1 - at["AA", x] / at[other, x])


def beside(x):
    return lambda at: at["AA", x] / at["No-FT", x]


SAME = ("RMA puts back what it got, once, as AM sends it: the same bytes, where the nodes' links are full. "
        "For 80 % it would have to take 2.5 times as long as AM; the paper does not say what its RMA does more")
CLAIMS = [
    claim("8b", "AA's time over No-FT's", "below 1.01", beside(64), 0.99, 1.01, {}, {
        "rtl": "the log's port to memory takes a beat of 32 bytes a cycle, as the NIC does, so copies leave "
               "as fast as what is got"}),
    claim("8b", "AA's time is less than AM's, per cent", "about 50", less("AM", 64), 40, 60, {}),
    claim("8b", "AA's time is less than RMA's, per cent", "about 80", less("RMA", 64), 70, 90,
          {c: SAME for c in ("paper", "rtl")})]
