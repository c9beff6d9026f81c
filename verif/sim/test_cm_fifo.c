// SPDX-License-Identifier: Apache-2.0
// cm_fifo and cm_fifo_ram against a queue in C: fill, drain, random traffic with idle and back-pressure, clear.
// config: default -GWidth=8 -GDepth=4
// config: one -GWidth=5 -GDepth=1
// config: odd -GWidth=100 -GDepth=7
// netlist: odd
#include "tb.h"
#include "cm_fifo_tb.h"
#include "fifo_test.h"

int main(int argc, char **argv) { return fifo_test(argc, argv, "cm_fifo", 1); }
