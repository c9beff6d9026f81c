# SPDX-License-Identifier: Apache-2.0
"""Data larger than memory. Points are runs of sw/irregular/test/bench_paging: a heap in a file, by the clock of the
machine. See claims.py."""

TASKS = (1, 16, 256, 4096)
RATIOS = (1, 2, 4, 8)


def slower(result):
    return result["slower"]


FIGURES = {
    "paging": {
        "program": "paging", "platform": "", "costs": ("clock",), "options": {"procs": 1}, "x_is": "ratio", "x": RATIOS,
        "title": "Data larger than memory, by tasks of a core (Active Access, section 6)",
        "x_text": "size of the data, memory is 1", "y_text": "times slower than on data that fit",
        "axis": "set logscale x 2\nset logscale y\nset yrange [1:*]", "value": slower,
        "columns": ("us", "brought", "written"),
        "series": [(f"{n} task" + "s" * (n > 1), {"tasks": n}) for n in TASKS],
        "text": "Not simulated: the golden model and the runtime on one core of a machine, with a file that "
                "is read and written past the system's cache, by the clock. Each task adds to random words of "
                "a heap in a file, and lets others go on while a page is absent; each point is beside as many "
                "tasks on data that fit, in the same run, and all words are compared in the end. With one task "
                "an update waits for its file. From 16 on it does not, and what is left is the processor's: "
                "a page that comes or goes has its rules changed and the IOMMU's caches asked to forget, "
                "and the IOMMU is the model here, on the same core. sw/irregular/README.md has the microseconds. "
                "The papers promise this and measure nothing, so there is nothing to compare with."},
}
CLAIMS = []
