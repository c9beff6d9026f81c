// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: NIC, XTQ and IOMMU as one design.
#include "tocsin.h"

static const point reached[] = {NIC_POINTS(NIC_POINT_BEHIND)};

const net_top net_hw = {"tocsin", tocsin_node_init, NULL, NULL, tocsin_replay, reached, REACH_NUM};
