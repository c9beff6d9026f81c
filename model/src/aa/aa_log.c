// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_log.h"

#include <stdlib.h>
#include <string.h>

#include "aa_state.h"
#include "../le.h"
#include "tocsin/aa_regs.h"

aa_status aa_logs_init(aa_logs *l, const aa_config *cfg) {
  l->num = cfg->NumLogs;
  l->depth = cfg->LogDepth;
  l->scratch_words = cfg->ScratchWords;
  l->log = calloc(AA_LOG_MAX, sizeof *l->log);
  memset(l->of_iuid, AA_LOG_NONE, sizeof l->of_iuid);
  return l->log ? AA_OK : AA_E_NOMEM;
}

void aa_logs_free(aa_logs *l) { free(l->log); }

/* 0: the log may open; else LOG_STS.WHY. LOG-8, LOG-11. */
static unsigned refuse(const aa_logs *l, unsigned n) {
  const aa_log *g = &l->log[n];
  unsigned size = (unsigned)((g->cfg & AA_LOG_CFG_SIZE_MASK) >> AA_LOG_CFG_SIZE_LSB);
  if (size < 6 || size > 30) return 1;
  uint64_t bytes = 1ull << size;
  if (g->base & (bytes - 1)) return 2;
  if (g->base > (1ull << 48) - bytes) return 3;
  for (unsigned i = 0; i < l->num; i++)
    if (i != n && l->log[i].en && !((l->log[i].cfg ^ g->cfg) & AA_LOG_CFG_IUID_MASK)) return 4;
  if ((g->cfg & AA_LOG_CFG_PTR_MASK) && ((g->ptr & 7) || g->ptr >> 48)) return 5;
  if ((g->cfg & AA_LOG_CFG_MSI_MASK) && ((g->msia & 3) || g->msia >> 48)) return 6;
  if ((g->cfg & AA_LOG_CFG_SCR_MASK) && (g->cfg & AA_LOG_CFG_SCRI_MASK) >> AA_LOG_CFG_SCRI_LSB >= l->scratch_words)
    return 7;
  return 0;
}

/* LOG-8, LOG-9. */
bool aa_log_write_cfg(aa_logs *l, unsigned n, uint64_t value, uint64_t mask) {
  const uint64_t fields = AA_LOG_CFG_IUID_MASK | AA_LOG_CFG_SIZE_MASK | AA_LOG_CFG_DROP_MASK | AA_LOG_CFG_PTR_MASK |
                          AA_LOG_CFG_MSI_MASK | AA_LOG_CFG_SCR_MASK | AA_LOG_CFG_TASK_MASK | AA_LOG_CFG_SCRI_MASK;
  aa_log *g = &l->log[n];
  bool en_written = mask & AA_LOG_CFG_EN_MASK, en = value & AA_LOG_CFG_EN_MASK;
  if (g->closing) {
    if (en_written && en) g->why = 8;
    return false;
  }
  if (g->en) {
    if (!en_written || en) return false;
    g->closing = true;
    l->of_iuid[g->cfg & AA_LOG_CFG_IUID_MASK] = AA_LOG_NONE;
    return true;
  }
  g->cfg = ((g->cfg & ~mask) | (value & mask)) & fields;
  if (!en_written || !en) return false;
  g->why = (uint8_t)refuse(l, n);
  if (g->why) return false;
  g->en = true;
  if (n >= l->reach) l->reach = n + 1;
  g->size = 1u << ((g->cfg & AA_LOG_CFG_SIZE_MASK) >> AA_LOG_CFG_SIZE_LSB);
  g->rsvd = g->prod = g->cons = g->ptr_value = 0;
  g->sts = 0;
  g->armed = true;
  g->ptr_due = g->unread = g->alarm = false; /* a task under way stays so */
  l->of_iuid[g->cfg & AA_LOG_CFG_IUID_MASK] = (uint8_t)n;
  return false;
}

void aa_log_off(aa_logs *l, unsigned n) { l->log[n].en = l->log[n].closing = false; }

/* LOG-7. */
bool aa_log_consume(aa_log *g, uint32_t cons) {
  if (cons - g->cons > g->prod - g->cons) {
    g->sts |= AA_LP_STS_BAD_MASK;
    return false;
  }
  g->cons = cons;
  g->armed = true;
  return true;
}

/* LOG-1, LOG-3, LOG-12. */
unsigned aa_log_room(const aa_logs *l, unsigned n, uint32_t bytes, aa_place *p) {
  const aa_log *g = &l->log[n];
  uint32_t at = g->rsvd & (g->size - 1);
  uint32_t pad = at + bytes > g->size ? g->size - at : 0;
  if (aa_log_failed(g)) return AA_ROOM_FAILED;
  if (pad + bytes > g->size) return AA_ROOM_NEVER;
  if (g->count == l->depth || pad + bytes > g->size - (g->rsvd - g->cons)) return AA_ROOM_FULL;
  p->log = (uint8_t)n;
  p->slot = (uint8_t)((g->head + g->count) % AA_LOG_MAX);
  p->pad = pad;
  p->pad_addr = g->base + at;
  p->addr = pad ? g->base : g->base + at;
  return AA_ROOM_OK;
}

void aa_log_take(aa_logs *l, const aa_place *p, uint32_t bytes) {
  aa_log *g = &l->log[p->log];
  g->bytes[p->slot] = p->pad + bytes;
  g->closed &= ~(1u << p->slot);
  g->count++;
  g->rsvd += p->pad + bytes;
}

bool aa_log_failed(const aa_log *g) { return g->en && (g->sts & AA_LP_STS_FAILED_MASK); }

static void discard(aa_log *g) {
  while (g->count && (g->closed >> g->head & 1u)) {
    g->head = (g->head + 1) % AA_LOG_MAX;
    g->count--;
  }
}

/* ERR-2, ERR-3. */
void aa_log_fail(aa_log *g) {
  g->alarm = g->alarm || !(g->sts & AA_LP_STS_FAILED_MASK);
  g->sts |= AA_LP_STS_FAILED_MASK;
  discard(g);
}

/* ERR-4. */
void aa_log_fail_ptr(aa_log *g) {
  g->alarm = g->alarm || !(g->sts & AA_LP_STS_PTRERR_MASK);
  g->sts |= AA_LP_STS_PTRERR_MASK;
}

void aa_log_close_slot(aa_logs *l, unsigned n, unsigned slot) {
  aa_log *g = &l->log[n];
  g->closed |= 1u << slot;
  if (aa_log_failed(g)) discard(g);
}

unsigned aa_log_publishable(const aa_log *g, uint32_t prod) {
  uint32_t at = g->prod;
  for (unsigned n = 0; n < g->count; n++) {
    unsigned slot = (g->head + n) % AA_LOG_MAX;
    if (!(g->closed >> slot & 1u)) return 0;
    at += g->bytes[slot];
    if (at == prod) return n + 1;
  }
  return 0;
}

uint32_t aa_log_publish(aa_log *g, unsigned n) {
  uint32_t bytes = 0;
  for (; n; n--) {
    bytes += g->bytes[g->head];
    g->head = (g->head + 1) % AA_LOG_MAX;
    g->count--;
  }
  g->prod += bytes;
  return bytes;
}

static uint32_t byte_mask(unsigned be) {
  static const uint32_t nibble[4] = {0, 0xff, 0xff00, 0xffff};
  return nibble[be & 3] | nibble[be >> 2 & 3] << 16;
}

void aa_log_mask(uint8_t *dst, const uint8_t *src, unsigned ndw, unsigned fbe, unsigned lbe) {
  memcpy(dst, src, 4 * (size_t)ndw);
  if (fbe != 15) le32_put(dst, le32(dst) & byte_mask(fbe));
  if (lbe != 15) le32_put(dst + 4 * (size_t)(ndw - 1), le32(dst + 4 * (size_t)(ndw - 1)) & byte_mask(lbe));
}

void aa_log_header(uint8_t dst[16], uint64_t addr, uint64_t info) {
  le64_put(dst, addr);
  le64_put(dst + 8, info);
}

/* LOG-6. */
aa_status aa_log_publish_to(aa *m, unsigned n, uint32_t prod, const aa_retire_rec *hw) {
  if (n >= m->logs.num) return aa_order(m, "log %u does not exist", n);
  aa_log *g = &m->logs.log[n];
  if (aa_log_failed(g)) return aa_order(m, "log %u has stopped: an entry of it could not be written", n);
  unsigned entries = aa_log_publishable(g, prod);
  if (!entries)
    return aa_order(m, "log %u: producer %x is not the end of a run of whole entries after %x", n, prod, g->prod);
  if (!hw) aa_emit(m, AA_RET_PUBLISH, false, 0, 0, 0, n, prod, 0);
  m->cnt[AA_CNT_PUBLISHED] += entries;
  m->cnt[AA_CNT_PUBLISHED_BYTES] += aa_log_publish(g, entries);
  if (g->cfg & AA_LOG_CFG_SCR_MASK)
    m->scratch_word[(g->cfg & AA_LOG_CFG_SCRI_MASK) >> AA_LOG_CFG_SCRI_LSB] = (uint64_t)n << 32 | g->prod;
  g->ptr_due = (g->cfg & AA_LOG_CFG_PTR_MASK) != 0;
  if (!g->unread) {
    g->unread = true;
    g->since = m->now;
  }
  m->due = m->due || m->queued; /* a lane may wait for the slot */
  return AA_OK;
}
