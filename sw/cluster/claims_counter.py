# SPDX-License-Identifier: Apache-2.0
"""The access counter (Active Access 5.2.2, figure 7d), for claims.py."""
from claim import claim, over

FIGURES = {"7d": {
    "program": "counter", "platform": "torus", "x_is": "procs", "x": (2, 8, 32, 64, 256),
    "x_text": "processes, 32 a node",
    "y_text": "million accesses a second", "axis": "set logscale x 2", "costs": ("paper", "rtl"),
    "options": {"per": lambda procs: 1000 if procs <= 64 else 500},
    "series": [("No-Cnt", {"variant": "no-cnt"}), ("AA-Poll", {"variant": "aa"}), ("A-KV", {"variant": "a-kv"}),
               ("RMA", {"variant": "rma"}), ("Allreduce", {"variant": "allreduce"})],
    "title": "Access counter (Active Access, 7d)",
    "text": "Gets and puts of 8 bytes at random places, counted for each of a process's 16 pages. AA-Poll: "
            "the IOMMU keeps a record of each access, which the owner counts. A-KV: an access is a message to its "
            "owner, who does it, counts it and answers. RMA: with each access goes a fetch-and-add. Allreduce: "
            "who accesses counts, and at the end, after 1000 accesses a process (500 with 256 processes), all counters "
            "are summed up. No-Cnt counts nothing."}}

RECORDS = {"paper": "the record and its pointer are two more memory accesses, 140 ns that stall the owner's other "
                    "accesses; with 32 processes a node the link is full before that tells",
           "rtl": "the owner reads each record, some 28 ns of its processor, which is the bottleneck with "
                  "few processes on a node"}
FEW = {c: "few counters are summed up once, by 3 steps of which each takes 2 to 4 us, 5 to 10 % of the time of 1000 "
          "accesses a process; AA counts beside the accesses, but " + why for c, why in RECORDS.items()}
NOTE = {c: "it is summed up once: the time of that, 0.1 ms, stays when there are more accesses, and the more there are "
           "the nearer Allreduce is to No-Cnt" for c in ("paper", "rtl")}


def ahead_of(other, cause=None, note=None, x=64):
    return claim("7d", f"AA-Poll over {other}, {x} processes", "ahead", over(("AA-Poll",), (other,), x), 1.01, 99,
                 cause or {}, note)


CLAIMS = [ahead_of("A-KV"), ahead_of("RMA"), ahead_of("Allreduce", note=NOTE), ahead_of("A-KV", x=8),
          ahead_of("RMA", RECORDS, x=8), ahead_of("Allreduce", FEW, x=8), ahead_of("Allreduce", x=256)]
