// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: NIC, XTQ and IOMMU as one design.
#include "net.h"

void tocsin_node_init(node *n, const char *wave);

const net_top net_hw = {"tocsin", tocsin_node_init, NULL};
