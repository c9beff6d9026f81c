// SPDX-License-Identifier: Apache-2.0
// The hardware of this program: NIC, XTQ and IOMMU as one design.
#include "tocsin.h"

// The NIC's points, then the IOMMU's, of which the runs of `make test` reach these.
#define BIT(id, half) ((id) / 64 == (half) ? 1ull << (id) % 64 : 0)
#define MUST(half)                                                                                                    \
  (BIT(AT_PASS, half) | BIT(AT_LOG, half) | BIT(AT_BLOCK, half) | BIT(AT_REDIRECT, half) | BIT(AT_HIGH, half) |       \
   BIT(AT_WALK, half) | BIT(AT_HIT, half) | BIT(AT_CPL_MORE, half) | BIT(AT_CPL_LAST, half) | BIT(AT_PUBLISH, half) | \
   BIT(AT_TIMEOUT, half) | BIT(AT_NOTE_PTR, half) | BIT(AT_NOTE_TASK, half) | BIT(AT_NOTE_AXI_ERR, half) |            \
   BIT(AT_INV_CTX, half) | BIT(AT_INV_TLB, half) | BIT(AT_RESET, half) | BIT(AT_FIRST, half))
#define IOMMU_POINT(id, name, least, most) {"IOMMU: " name, ((id) < 64 ? MUST(0) : MUST(1)) >> (id) % 64 & 1, most},
_Static_assert(AT_NUM <= 128, "a bit a point");
#define IOMMU_FREE(id, name, least, most) {"IOMMU: " name, 0, most},
#if defined CFG_Contexts && CFG_Contexts > 0
static const point reached[] = {NIC_POINTS(NIC_POINT_FREE) NIC_EXCUSES(NIC_EXCUSE_BOTH) NIC_CTX_POINTS(NIC_CTX_BEHIND)
                                    AA_POINTS(IOMMU_FREE)};
#elif CFG_NumProcs == 1 || CFG_NumProcs == 16
static const point reached[] = {NIC_POINTS(NIC_POINT_EACH) NIC_EXCUSES(NIC_EXCUSE_EACH) NIC_CTX_POINTS(NIC_POINT_FREE)
                                    AA_POINTS(IOMMU_FREE)};
#else
static const point reached[] = {NIC_POINTS(NIC_POINT_TOCSIN) NIC_EXCUSES(NIC_EXCUSE_TOCSIN)
                                    NIC_CTX_POINTS(NIC_POINT_FREE) AA_POINTS(IOMMU_POINT)};
#endif

const net_top net_hw = {"tocsin", tocsin_node_init, NULL,    tocsin_wiring,
                        NULL,     tocsin_replay,    reached, REACH_NUM + AT_NUM};
