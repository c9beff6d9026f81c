// SPDX-License-Identifier: Apache-2.0
// cm_fifo_ram against a queue in C, with the same traffic as cm_fifo.
// config: default -GWidth=8 -GDepth=512
// config: odd -GWidth=100 -GDepth=7
// config: least -GWidth=1 -GDepth=3
// netlist: odd
#include "tb.h"
#include "cm_fifo_ram_tb.h"
#include "fifo_test.h"

int main(int argc, char **argv) { return fifo_test(argc, argv, "cm_fifo_ram", 2); }
