// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: a NIC with XTQ, its memory behind it.
#include "cosim_nic.h"

#if defined CFG_Contexts && CFG_Contexts > 0
static const point reached[] = {NIC_POINTS(NIC_POINT_FREE) NIC_CTX_POINTS(NIC_POINT_OF)};
#else
static const point reached[] = {NIC_POINTS(NIC_POINT_OF) NIC_CTX_POINTS(NIC_POINT_FREE)};
#endif

const net_top net_hw = {"xtq", dut_node_init, nic_hostile, nic_wiring, nic_flood, NULL, reached, REACH_NUM};
