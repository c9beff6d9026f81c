// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: a NIC with XTQ, its memory behind it.
#include "cosim_nic.h"

#if defined CFG_Contexts && CFG_Contexts > 0
static const point reached[] = {NIC_POINTS(NIC_POINT_FREE) NIC_EXCUSES(NIC_EXCUSE_MANY) NIC_CTX_POINTS(NIC_CTX_OF)};
#elif defined CFG_NumProcs && (CFG_NumProcs == 1 || CFG_NumProcs == 16)
static const point reached[] = {NIC_POINTS(NIC_POINT_EACH) NIC_EXCUSES(NIC_EXCUSE_EACH) NIC_CTX_POINTS(NIC_POINT_FREE)};
#else
static const point reached[] = {NIC_POINTS(NIC_POINT_DEFAULT) NIC_EXCUSES(NIC_EXCUSE_DEFAULT)
                                    NIC_CTX_POINTS(NIC_POINT_FREE)};
#endif

const net_top net_hw = {"xtq", dut_node_init, nic_hostile, nic_wiring, nic_flood, NULL, reached, REACH_NUM};
