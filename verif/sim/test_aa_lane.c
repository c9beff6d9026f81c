// SPDX-License-Identifier: Apache-2.0
// aa_lane, in aa_port, with the widest window: see port_test.h.
// top: aa_port
// config: default -GWindow=64 -GPayDw=2048
// netlist: default
#include "tb.h"
#include "aa_port_tb.h"
#include "port_test.h"

int main(int argc, char **argv) { return port_test(argc, argv, "aa_lane"); }
