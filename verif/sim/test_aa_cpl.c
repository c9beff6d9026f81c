// SPDX-License-Identifier: Apache-2.0
// aa_cpl, in aa_reads: widths and queues at their limits. See reads_test.h.
// top: aa_reads
// config: default -GTagEntries=16 -GNumPorts=1 -GPayDw=1024
// config: window -GTagEntries=16 -GNumPorts=3 -GWindow=2
// netlist: default
#include "tb.h"
#include "aa_reads_tb.h"
#include "reads_test.h"

int main(int argc, char **argv) { return reads_test(argc, argv, "aa_cpl"); }
