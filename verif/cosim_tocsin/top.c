// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: NIC, XTQ and IOMMU as one design.
#include "tocsin.h"

// The NIC's points, then the IOMMU's, of which the runs of `make test` reach these.
#define MUST                                                                                                       \
  (1ull << AT_PASS | 1ull << AT_LOG | 1ull << AT_BLOCK | 1ull << AT_REDIRECT | 1ull << AT_HIGH | 1ull << AT_WALK | \
   1ull << AT_HIT | 1ull << AT_CPL_MORE | 1ull << AT_CPL_LAST | 1ull << AT_PUBLISH | 1ull << AT_TIMEOUT |          \
   1ull << AT_NOTE_PTR | 1ull << AT_NOTE_TASK | 1ull << AT_INV_CTX | 1ull << AT_INV_TLB | 1ull << AT_RESET)
#define IOMMU_POINT(id, name, least, most) {"IOMMU: " name, (id) < 64 && MUST >> ((id)&63) & 1, most},
#if defined CFG_Contexts && CFG_Contexts > 0
#define IOMMU_FREE(id, name, least, most) {"IOMMU: " name, 0, most},
static const point reached[] = {NIC_POINTS(NIC_POINT_FREE) NIC_CTX_POINTS(NIC_POINT_BEHIND) AA_POINTS(IOMMU_FREE)};
#else
static const point reached[] = {NIC_POINTS(NIC_POINT_BEHIND) NIC_CTX_POINTS(NIC_POINT_FREE) AA_POINTS(IOMMU_POINT)};
#endif

const net_top net_hw = {"tocsin", tocsin_node_init, NULL,    tocsin_wiring,
                        NULL,     tocsin_replay,    reached, REACH_NUM + AT_NUM};
