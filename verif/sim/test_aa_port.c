// SPDX-License-Identifier: Apache-2.0
// aa_port: see port_test.h.
// top: aa_port
// config: default -GWindow=8
// config: small -GWindow=2
// config: narrow -GWindow=4 +define+TOCSIN_DATA_W=128
// config: wide -GWindow=16 +define+TOCSIN_DATA_W=512
// netlist: small
#include "tb.h"
#include "aa_port_tb.h"
#include "port_test.h"

int main(int argc, char **argv) { return port_test(argc, argv, "aa_port"); }
