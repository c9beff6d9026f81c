// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_state.h"
#include "tocsin/aa_count.h"
#include "tocsin/aa_regs.h"

enum { PAGE = 4096 };

// ---- life -----------------------------------------------------------------------------------------------------------

static void unit_open(aa *m) {
  aa_reg_write(m, AA_REG_AA_WDOG, 8, 0);
  aa_reg_write(m, AA_REG_AA_CTL, 8, 0x550 | AA_AA_CTL_AAE_MASK);
  aa_reg_write(m, AA_REG_RTADDR, 8, node_tables());
  aa_reg_write(m, AA_REG_GCMD, 4, AA_GCMD_SRTP_MASK);
  aa_reg_write(m, AA_REG_GCMD, 4, AA_GCMD_TE_MASK);
}

node *node_new(const aa_config *cfg, const cost *c, const char **why) {
  struct mallinfo2 before = mallinfo2();
  node *n = calloc(1, sizeof *n);
  *why = n ? aa_config_wrong(cfg) : "out of memory";
  if (n) n->each = cfg->NumLogs, n->units = NODE_PROCS / n->each;
  if (!*why && n->units > NODE_UNITS) n->units = 0, *why = "a node has more processes than its IOMMUs have logs";
  for (unsigned i = 0; !*why && i < n->units; i++)
    if (aa_new(cfg, &node_aa_ops, n, &n->unit[i].iommu) != AA_OK) *why = "no memory for an IOMMU";
  if (*why) {
    node_free(n);
    return NULL;
  }
  n->c = c;
  n->did = &n->spare;
  n->root = node_root_ops;
  n->root.to = n;
  for (unsigned i = 0; i < n->units; i++) unit_open(n->unit[i].iommu);
  struct mallinfo2 after = mallinfo2();
  n->bytes = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
  return n;
}

void node_free(node *n) {
  for (unsigned i = 0; n && i < n->units; i++) aa_free(n->unit[i].iommu);
  free(n);
}
size_t node_bytes(const node *n) { return n->bytes; }

void node_map(node *n, unsigned who, node_kind kind, void *mem, size_t bytes, node_rule rule) {
  if (bytes > node_room(who, kind)) {
    fprintf(stderr, "cluster: %zu bytes that a process shares, and room for %llu: fewer elements, or smaller ones\n",
            bytes, (unsigned long long)node_room(who, kind));
    exit(2);
  }
  n->mem[who][kind] = (memory){mem, bytes, rule};
}

static aa *iommu_of(const node *n, unsigned who) { return n->unit[who / n->each].iommu; }
// For what may make records.
static aa *call(node *n, unsigned who) {
  n->called = who / n->each;
  return iommu_of(n, who);
}

void node_log(node *n, unsigned who, node_kind ring, node_tell tell, unsigned unread) {
  aa *m = iommu_of(n, who);
  uint32_t log = who % n->each, at = log * AA_REG_LOG_CFG_STRIDE, size = 0;
  size_t bytes = n->mem[who][ring].bytes;
  n->ring[who] = ring;
  while (1u << size < bytes) size++;
  uint64_t cfg = who | (uint64_t)size << AA_LOG_CFG_SIZE_LSB | AA_LOG_CFG_EN_MASK;
  switch (tell) {
    case NODE_POLL: cfg |= AA_LOG_CFG_PTR_MASK; break;
    case NODE_INTR: cfg |= AA_LOG_CFG_PTR_MASK | AA_LOG_CFG_MSI_MASK; break;
    case NODE_SCRATCH: cfg |= AA_LOG_CFG_SCR_MASK | (uint64_t)log << AA_LOG_CFG_SCRI_LSB; break;
    case NODE_TASK: cfg |= AA_LOG_CFG_TASK_MASK; break;
  }
  n->tell[who] = tell;
  aa_reg_write(m, AA_REG_LOG_BASE + at, 8, OF_MEMORY + node_at(who, ring));
  aa_reg_write(m, AA_REG_LOG_PTR + at, 8, OF_MEMORY + node_at(who, NODE_POINTER));
  aa_reg_write(m, AA_REG_LOG_MSIA + at, 8, OF_MSI | who << 12);
  aa_reg_write(m, AA_REG_LOG_MSID + at, 8, (uint64_t)(bytes - 32 * unread + 1) << 32 | who);
  aa_reg_write(m, AA_REG_LOG_CFG + at, 8, cfg);
}

uint32_t node_log_end(const node *n, unsigned who) {
  uint64_t v = 0;
  if (n->tell[who] == NODE_TASK)
    aa_reg_read(iommu_of(n, who), AA_REG_LP_PROD + who % n->each * AA_REG_LP_PROD_STRIDE, 8, &v);
  else if (n->tell[who] == NODE_SCRATCH)
    aa_reg_read(iommu_of(n, who), AA_REG_SCRATCH + who % n->each * AA_REG_SCRATCH_STRIDE, 8, &v);
  else
    memcpy(&v, n->mem[who][NODE_POINTER].at, 8);
  return (uint32_t)v;
}

bool node_log_full(const node *n, unsigned who, unsigned bytes) {
  uint64_t given = 0, back = 0;
  aa_reg_read(iommu_of(n, who), AA_REG_LP_RSVD + who % n->each * AA_REG_LP_RSVD_STRIDE, 8, &given);
  aa_reg_read(iommu_of(n, who), AA_REG_LP_CONS + who % n->each * AA_REG_LP_CONS_STRIDE, 8, &back);
  // twice, for the end of the ring that may have to be left out; a get that crosses a page makes two records
  return (uint32_t)(given - back) > n->mem[who][n->ring[who]].bytes - 2 * (16 + (bytes + 15) / 16 * 16) - 16;
}

bool node_log_done(node *n, unsigned who, uint32_t bytes) {
  unsigned intrs = n->spare.intrs;
  aa_reg_write(call(n, who), AA_REG_LP_CONS + who % n->each * AA_REG_LP_CONS_STRIDE, 8, bytes);
  return n->spare.intrs != intrs;
}

bool node_task(node *n, unsigned who) {
  bool asked = n->task[who];
  n->task[who] = false;
  return asked;
}

void node_task_done(node *n, unsigned who) {
  aa *m = call(n, who);
  if (aa_task_done(m, who % n->each) != AA_OK || aa_poll(m) != AA_OK) n->refused = true;
}

// ---- accesses -------------------------------------------------------------------------------------------------------

static void submit(node *n, unsigned who, uint8_t type, uint64_t at, const void *bytes, unsigned payload,
                   unsigned length, node_did *did) {
  unsigned loads = did->loads;
  tlp t = {.ndw = payload / 4, .data = bytes};
  tlp_fields f = {.type = type,
                  .length = (uint16_t)(length / 4),
                  .rid = (uint16_t)(RID | who),
                  .tag = n->tag++,
                  .fbe = 15,
                  .lbe = length > 4 ? 15 : 0,
                  .addr = at};
  if (type == TLP_FADD64 || type == TLP_SWAP64 || type == TLP_CAS64) f.lbe = 15;
  tlp_pack(&f, t.hdr);
  n->did = did;
  n->got_bytes = n->cpls = 0;
  aa *m = call(n, who);
  if (aa_submit(m, 0, &t) != AA_OK) n->refused = true;
  for (unsigned i = 0; i < n->cpls; i++) aa_complete(m, &n->cpl[i % KEPT].t);
  if (did->loads > loads)
    did->walks++;
  else
    did->hits++;
}

// How much of `size` bytes is before the end of a page, which no request crosses.
static unsigned in_page(uint64_t at, unsigned size) {
  unsigned left = PAGE - (unsigned)(at % PAGE);
  return size < left ? size : left;
}

void node_put(node *n, unsigned who, uint64_t at, const void *bytes, unsigned size, node_did *did) {
  for (unsigned done = 0, part; done < size; done += part) {
    part = in_page(at + done, size - done);
    submit(n, who, TLP_MWR64, at + done, (const uint8_t *)bytes + done, part, part, did);
  }
  node_stalled(n);
}

void node_get(node *n, unsigned who, uint64_t at, void *bytes, unsigned size, node_did *did) {
  for (unsigned done = 0, part; done < size; done += part) {
    part = in_page(at + done, size - done);
    submit(n, who, TLP_MRD64, at + done, NULL, 0, part, did);
    n->refused |= n->got_bytes != part;
    memcpy((uint8_t *)bytes + done, n->got, part);
  }
  node_stalled(n);
}

uint64_t node_atomic(node *n, unsigned who, uint64_t at, node_op op, uint64_t operand, uint64_t compare,
                     node_did *did) {
  uint64_t v[2] = {op == NODE_CAS ? compare : operand, operand}, old = 0;
  unsigned payload = op == NODE_CAS ? 16 : 8;
  static const uint8_t type[] = {TLP_FADD64, TLP_SWAP64, TLP_CAS64};
  node_did part = {0};
  submit(n, who, type[op], at, v, payload, payload, &part);
  n->did = &n->spare;
  n->refused |= n->got_bytes != 8;
  memcpy(&old, n->got, 8);
  did->hits += part.hits;
  did->walks += part.walks;
  did->loads += part.loads;
  did->atomics++;
  return old;
}

bool node_stalled(node *n) {
  bool stalled = false;
  for (unsigned i = 0; i < n->units; i++) stalled |= aa_pending(n->unit[i].iommu) != 0;
  if (!stalled) n->did = &n->spare;
  return stalled;
}
bool node_refused(const node *n) {
  uint64_t denied = 0, faults = 0;
  bool any = n->refused;
  for (unsigned i = 0; i < n->units; i++) {
    aa_reg_read(n->unit[i].iommu, AA_REG_CNT + 8 * AA_CNT_STOCK, 8, &denied);
    aa_reg_read(n->unit[i].iommu, AA_REG_CNT + 8 * AA_CNT_WALK_FAULTS, 8, &faults);
    any |= denied || faults;
  }
  return any;
}
node_did node_sum(const node *n) { return n->sum; }
