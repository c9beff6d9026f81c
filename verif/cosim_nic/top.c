// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: a NIC with XTQ, its memory behind it.
#include "cosim_nic.h"

static const point reached[] = {NIC_POINTS(NIC_POINT_OF)};

const net_top net_hw = {"xtq", dut_node_init, nic_hostile, nic_wiring, nic_flood, NULL, reached, REACH_NUM};
