// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: NIC, XTQ and IOMMU as one design.
#include "tocsin.h"

const net_top net_hw = {"tocsin", tocsin_node_init, NULL, tocsin_replay};
