// SPDX-License-Identifier: Apache-2.0
// aa_reads: see reads_test.h.
// top: aa_reads
// config: default -GTagEntries=8 -GNumPorts=2
// config: few -GTagEntries=2 -GNumPorts=1 -GWindow=2
// config: narrow -GTagEntries=5 -GNumPorts=4 -GPayDw=1024 +define+TOCSIN_DATA_W=128
// config: wide -GTagEntries=32 -GNumPorts=2 +define+TOCSIN_DATA_W=512
// config: nologs -GTagEntries=8 -GLogs=0
// netlist: few
#include "tb.h"
#include "aa_reads_tb.h"
#include "reads_test.h"

int main(int argc, char **argv) { return reads_test(argc, argv, "aa_reads"); }
