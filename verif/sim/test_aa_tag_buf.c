// SPDX-License-Identifier: Apache-2.0
// aa_tag_buf, in aa_reads: odd and small sizes, where keys and entries are reused at once; and time-outs of 10 bits, so
// that the longest passes. See reads_test.h.
// top: aa_reads
// config: default -GTagEntries=4 -GNumPorts=4 -GTmoW=10
// config: most -GTagEntries=64 -GNumPorts=2
// netlist: default
#include "tb.h"
#include "aa_reads_tb.h"
#include "reads_test.h"

int main(int argc, char **argv) { return reads_test(argc, argv, "aa_tag_buf"); }
