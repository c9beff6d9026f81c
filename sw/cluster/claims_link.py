# SPDX-License-Identifier: Apache-2.0
"""Figures 6a and 6b of Active Access: what a link carries with and without the IOMMU, by packet size.
Points are runs of verif/bench/link: the Verilated aa_iommu alone, cycles; here they become bits a second at the clock
that costs/rtl.txt states. See claims.py."""
import os
import re

from claim import claim

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "costs", "rtl.txt"), encoding="utf-8") as costs:
    NS = 1e3 / float(re.search(r"^clock\s+(\S+)\s+MHz", costs.read(), re.M)[1])  # a cycle
GBIT = 1.0  # of the paper's link
# bytes that a frame takes on it beside what the NIC writes or reads: preamble, checksum, gap; 60 bytes at least
FRAME = 24


def full(cycles):
    """Gbit/s of payload."""
    return lambda r: 8 * r["bytes"] * r["packets"] / (r[cycles] * NS)


def slow(cycles):
    """The same where a packet is on the link, then in the memory system, and then the next comes."""
    return lambda r: 8 * r["bytes"] / (8 * (max(r["bytes"], 60) + FRAME) / GBIT + r[cycles] * NS / r["packets"])


def series(*ways):
    return [(text, {"way": way, "value": full("bare" if text == "No IOMMU" else "cycles")}) for text, way in ways]


def link(**more):
    return {"program": "link", "platform": "", "x_is": "bytes", "x_text": "bytes a packet",
            "y_text": "Gbit/s of payload", "costs": ("rtl",), "axis": "set logscale x 2",
            "columns": ("packets", "cycles", "bare", "misses", "loads"), **more}


def stream(direction, title, text):
    return link(title=title, text=text, options={"procs": 1, "mode": "stream", "dir": direction},
                x=(8, 16, 32, 64, 128, 256, 512, 1024, 1514, 4096),
                series=series(("No IOMMU", "hit"), ("Untranslated", "off"), ("IOTLB hits", "hit"),
                              ("A miss a page", "ring"),
                              ("A miss a packet", "page"), ("A miss a packet, 4 loads", "deep"),
                              ("Hits, metadata logged", "meta"), ("Hits, data logged", "data")))


def one_by_one():
    out = []
    for word, direction in (("put", "put"), ("get", "get")):
        out.append((f"No IOMMU, {word}s", {"dir": direction, "way": "hit", "value": slow("bare")}))
        for text, way in (("Hits", "hit"), ("A miss a page", "ring"), ("A miss a packet", "page")):
            out.append((f"{text}, {word}s", {"dir": direction, "way": way, "value": slow("cycles")}))
    return out


FIGURES = {
    "6a": stream("put", "Link rate by packet size, what is received (Active Access, 6a)",
                 "Measured on the RTL: packets back to back into aa_iommu, a beat of 32 bytes each cycle of 250 "
                 "MHz (64 Gbit/s), 4 walkers, 64 entries of the IOTLB, memory of 18 cycles (72 ns). No IOMMU: "
                 "the stream itself, as if its ends were wired together. Untranslated: through the same hardware, "
                 "translation off. A miss a page: packets one behind the other in 512 pages. The paper sends with "
                 "PktGen over 1 Gbit/s; figure 6l has such a link."),
    "6b": stream("get", "Link rate by packet size, what is sent (Active Access, 6b)",
                 "The same for reads by the device, in completions, of a root complex that answers at once and in "
                 "order. The paper's 6b are TCP and UDP streams of netperf; their software is not here, and what of it "
                 "reaches the IOMMU are these reads and the writes of 6a."),
    "6l": link(title="The same on a link of 1 Gbit/s with one packet under way",
               text="The paper's NIC has 1 Gbit/s. Here a packet is on that link, with its 24 bytes of preamble, "
                    "checksum and gap; then it passes the RTL alone, in the cycles that were measured; "
                    "and only then the next one comes: nothing of what the IOMMU adds is hidden. Gets wait for memory "
                    "as well, of 18 cycles.",
               options={"procs": 1, "mode": "alone"}, x=(60, 128, 256, 512, 1024, 1514), series=one_by_one()),
}


def taken(way, bare="No IOMMU", least=64, worst=max):
    """Of what the link carries without the IOMMU, the share that is lost, where it is largest (smallest)."""
    return lambda at: worst(1 - at[way, x] / at[bare, x] for s, x in at if s == way and x >= least)


HIDDEN = {"rtl": "what the IOMMU adds is latency, and a stream of packets does not wait for it: a packet passes "
                 "while the one before still leaves. The paper does not say what of its machine waits for its IOMMU; "
                 "where everything waits (6l) the share is the paper's"}
WINDOW = {"rtl": "8 packets behind one that misses are looked at before it is translated, after 23 cycles, "
                 "and 8 packets of 64 bytes are 16 cycles; from 128 bytes on nothing is lost"}
EVERY = {"rtl": "4 walkers end a walk each 5.5 cycles, and a packet of 64 bytes is 2 beats; from 256 bytes on nothing "
                "is lost. Small packets that each need another page are the worst case, and not what a driver does"}
LOG = {"rtl": "the log's own 16 bytes a packet pass through a port as wide as the stream; the paper does not say "
              "whether it logged here"}
TWICE = {"rtl": "a get passes twice, 5 cycles each time, and its answer is stored until its last beat; "
                "at 60 bytes that is 11 cycles, 44 ns, beside 672 of the link and 76 of memory"}
WALK = {"rtl": "a walk is 21 cycles here, 84 ns, and the shortest packets take 672 ns of the link; longer ones, "
               "from 512 bytes on, are within the paper's. How many of its packets missed the paper does not say"}
CLAIMS = [
    claim("6a", "the IOMMU takes, of 64 B and more, at most", "0.01 to 0.05", taken("IOTLB hits"), 0.01, 0.05, HIDDEN),
    claim("6a", "the same with a miss a page", "0.01 to 0.05", taken("A miss a page"), 0.01, 0.05, WINDOW),
    claim("6a", "the same with a miss a packet", "0.01 to 0.05", taken("A miss a packet"), 0.01, 0.05, EVERY),
    claim("6a", "the same with hits, all data logged", "0.01 to 0.05", taken("Hits, data logged"), 0.01, 0.05, LOG),
    claim("6b", "the IOMMU takes, of 64 B and more, at most", "0.01 to 0.05", taken("IOTLB hits"), 0.01, 0.05, HIDDEN),
    claim("6b", "the same with a miss a page", "0.01 to 0.05", taken("A miss a page"), 0.01, 0.05, HIDDEN),
    claim("6b", "the same with a miss a packet", "0.01 to 0.05", taken("A miss a packet"), 0.01, 0.05, EVERY),
    *[claim("6l", f"the IOMMU takes of {word}, {way[0].lower()}{way[1:]}, at {end}", "0.01 to 0.05",
            taken(f"{way}, {word}", f"No IOMMU, {word}", 0, worst), 0.01, 0.05,
            WALK if way == "A miss a packet" else TWICE)
      for word in ("puts", "gets") for way in ("Hits", "A miss a page", "A miss a packet")
      for end, worst in (("least", min), ("most", max))],
]
