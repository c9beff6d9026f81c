# SPDX-License-Identifier: Apache-2.0
"""The hash table with one IOMMU for all 32 processes of a node, as the paper's machine would have it, beside the two
of the other figures. See claims.py."""
from claim import claim, over
from claims import dht, per

SHAPES = (("2x4", {}), ("1x4", {"iommus": 1}), ("1x8", {"iommus": 1, "walkers": 8}),
          ("1x16", {"iommus": 1, "walkers": 16}))
SCHEMES = (("AA-Poll", "aa-poll"), ("AA-Task", "aa-task"), ("RMA", "rma"))


def shape(point):
    """The paper's costs have no walkers: there a walk stops its process alone."""
    return {k: v for k, v in point.items() if k != "walkers" or point["costs"] != "paper"}


FIGURES = {
    "7i": dht(title="Hash table with one IOMMU a node (Active Access, 7a)",
              options={"collide": 0.05, "per": per}, x=(32, 64),
              x_text="processes, 32 a node", axis="set logscale x 2", shape=shape,
              series=[(f"{text}-{of}", {"variant": v, **more}) for text, v in SCHEMES for of, more in SHAPES],
              text="The other figures have two IOMMUs a node, each of 16 logs for 16 processes and with 4 walkers "
                   "(2x4). Here a node has one, of 32 logs, for all 32 processes, with the same caches as one of the "
                   "two has, and 4, 8 or 16 walkers (1x4, 1x8, 1x16)."),
}

FULL = "32 processes share one IOMMU's walkers; what they insert goes to random pages, and nearly all of it walks"
CAUSES = {4: {"rtl": f"{FULL}: 4 walkers are full"},
          8: {"rtl": "8 walkers are as many as two IOMMUs have, but one paging-structure cache of the same size serves "
                     "32 processes: 1.49 loads a walk instead of 1.23"}}
CLAIMS = [
    claim("7i", "AA over RMA, 64 processes, one IOMMU of 4 walkers", "2 to 3", over(("AA-Poll-1x4",), ("RMA-1x4",)),
          1.7, 3.5, CAUSES[4]),
    claim("7i", "the same, 8 walkers", "2 to 3", over(("AA-Poll-1x8",), ("RMA-1x8",)), 1.7, 3.5, CAUSES[8]),
    claim("7i", "the same, 16 walkers", "2 to 3", over(("AA-Poll-1x16",), ("RMA-1x16",)), 1.7, 3.5, {}),
    claim("7i", "AA-Poll with one IOMMU of 4 walkers over two of them, 64 processes", "it speaks of one",
          over(("AA-Poll-1x4",), ("AA-Poll-2x4",)), 0.9, 1.1, CAUSES[4]),
    claim("7i", "the same, one of 8 walkers", "it speaks of one", over(("AA-Poll-1x8",), ("AA-Poll-2x4",)), 0.9,
          1.1, CAUSES[8]),
]
