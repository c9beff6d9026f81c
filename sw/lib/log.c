// SPDX-License-Identifier: Apache-2.0
// Access logs: opening, closing, waiting for records, what has become of it.
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

// ---- opening and closing
static toc_status good_options(const toc_i_node *n, const toc_log_options *o, toc_log_options *with) {
  *with = o ? *o : (toc_log_options){0};
  if (!with->bytes) with->bytes = 65536;
  if (!with->age_us && !with->free_below) with->age_us = 10;
  if (!toc_i_power(with->bytes) || with->bytes < 64 || with->bytes > 1u << 30)
    return toc_i_fail(TOC_E_ARG, "toc_log_open: a ring has a power of two bytes, 64 to 2^30, not %zu", with->bytes);
  if ((unsigned)with->notify > TOC_NOTIFY_TASK) return toc_i_fail(TOC_E_ARG, "toc_log_open: notify");
  if (with->notify == TOC_NOTIFY_SCRATCHPAD && !n->caps.scratch_words)
    return toc_i_fail(TOC_E_SUPPORT, "node %u has no scratchpad", n->rank);
  return TOC_OK;
}

/* It opens at once, or says why not; a device that does neither is dead. */
static bool is_decided(void *ctx) {
  toc_i_log *l = ctx;
  uint64_t sts;
  toc_status s = toc_i_read(l->p->n, REG_AT(LOG_STS, l->index), 8, &sts);
  return s != TOC_OK || (sts & (AA_LOG_STS_EN_MASK | AA_LOG_STS_WHY_MASK));
}

static toc_status program(toc_i_log *l) {
  static const char *const why[] = {"?",
                                    "its size",
                                    "its base",
                                    "its end",
                                    "an IUID that is taken",
                                    "its pointer",
                                    "its MSI",
                                    "its scratchpad word",
                                    "it is still closing"};
  toc_i_node *n = l->p->n;
  unsigned i = l->index;
  uint64_t cfg = (uint64_t)(IUID0 + i) | (uint64_t)toc_i_log2(l->o.bytes) << AA_LOG_CFG_SIZE_LSB, bus, addr, sts;
  uint32_t data;
  l->pointer = toc_i_pointer_word(n, i, &bus);
  toc_store(l->pointer, 0);
  if (l->o.drop) cfg |= AA_LOG_CFG_DROP_MASK;
  if (l->o.notify == TOC_NOTIFY_SCRATCHPAD)
    cfg |= AA_LOG_CFG_SCR_MASK | (uint64_t)l->scratch << AA_LOG_CFG_SCRI_LSB;
  else
    cfg |= AA_LOG_CFG_PTR_MASK;
  if (l->o.notify == TOC_NOTIFY_TASK) cfg |= AA_LOG_CFG_TASK_MASK;
  if (l->o.notify == TOC_NOTIFY_INTERRUPT) {
    TRY(toc_i_vector(n, VEC_LOG + i, &l->fd, &addr, &data));
    if (l->fd < 0) return toc_i_fail(TOC_E_SUPPORT, "node %u has no interrupts", n->rank);
    cfg |= AA_LOG_CFG_MSI_MASK;
    TRY(toc_i_write64(n, REG_AT(LOG_MSIA, i), addr));
    TRY(toc_i_write64(n, REG_AT(LOG_MSID, i), data | (uint64_t)l->o.free_below << AA_LOG_MSID_FREE_LSB));
    TRY(toc_i_write64(n, REG_AT(LOG_TIME, i), toc_i_cycles(n->f, l->o.age_us)));
  }
  TRY(toc_i_write64(n, REG_AT(LOG_BASE, i), l->ring.bus));
  TRY(toc_i_write64(n, REG_AT(LOG_PTR, i), bus));
  TRY(toc_i_write64(n, REG_AT(LOG_CFG, i), cfg | AA_LOG_CFG_EN_MASK));
  if (toc_i_wait(n->f, is_decided, l, 0, false) != TOC_OK)
    return toc_i_fail(TOC_E_DEAD, "node %u: log %u neither opens nor says why not", n->rank, i);
  TRY(toc_i_read(n, REG_AT(LOG_STS, i), 8, &sts));
  if (sts & AA_LOG_STS_EN_MASK) return TOC_OK;
  unsigned w = (unsigned)((sts & AA_LOG_STS_WHY_MASK) >> AA_LOG_STS_WHY_LSB);
  return toc_i_fail(TOC_E_DEVICE, "node %u refuses log %u for %s", n->rank, i, why[w < 9 ? w : 0]);
}

toc_status toc_i_log_open(toc_i_proc *p, const toc_log_options *o, toc_i_log **out) {
  toc_i_node *n = p->n;
  toc_log_options with;
  unsigned i = 0;
  TRY(good_options(n, o, &with));
  while (i < n->caps.logs && (n->log[i] || (n->bad_logs | n->opening_logs) >> i & 1)) i++;
  if (i == n->caps.logs) return toc_i_fail(TOC_E_FULL, "node %u: all %u logs are in use", n->rank, i);
  toc_i_log *l = calloc(1, sizeof *l);
  if (!l) return toc_i_fail(TOC_E_NOMEM, "toc_log_open: no memory");
  *l = (toc_i_log){.p = p, .index = i, .o = with, .mask = (uint32_t)with.bytes - 1, .fd = -1, .flush_index = -1};
  l->scratch = n->caps.scratch_words ? i % n->caps.scratch_words : 0;
  size_t align = with.bytes < PAGE ? PAGE : with.bytes;
  toc_status s = toc_i_dma_alloc(n, align, align, &l->ring);
  if (s != TOC_OK) {
    free(l);
    return s;
  }
  n->opening_logs |= 1u << i; /* others may open one while the device thinks about this one */
  l->h = toc_i_handle_new(TOC_I_log, l);
  s = l->h ? program(l) : TOC_E_NOMEM;
  n->opening_logs &= ~(1u << i);
  if (s != TOC_OK) {
    toc_i_handle_end(l->h);
    if (s == TOC_E_DEAD)
      n->bad_logs |= 1u << i; /* the device may still write there */
    else
      toc_i_dma_free(n, &l->ring);
    free(l);
    return s;
  }
  n->log[i] = l;
  if (i >= n->logs_reach) n->logs_reach = i + 1;
  *out = l;
  return TOC_OK;
}

static bool is_closed(void *ctx) {
  toc_i_log *l = ctx;
  uint64_t sts;
  toc_status s = toc_i_read(l->p->n, REG_AT(LOG_STS, l->index), 8, &sts);
  return s != TOC_OK || !(sts & (AA_LOG_STS_EN_MASK | AA_LOG_STS_CLOSING_MASK));
}

toc_status toc_i_log_close(toc_i_log *l, uint64_t timeout_us, bool force) {
  toc_i_node *n = l->p->n;
  toc_i_fabric *f = n->f;
  l->still = true;
  toc_status s = toc_i_run_quiet(f, &l->run, "toc_log_close: a handler of the log");
  if (s != TOC_OK) {
    l->still = false;
    return s;
  }
  l->closing = true;
  if (f->dead) s = TOC_E_DEAD;
  if (s == TOC_OK) {
    toc_i_flush_drop(l);
    s = toc_i_rules_drop(l->p, l);
    if (s == TOC_OK && l->o.notify == TOC_NOTIFY_TASK) s = toc_i_write64(n, NREG_AT(XT_LOG, l->index), 0);
    if (s == TOC_OK) s = toc_i_write64(n, REG_AT(LOG_CFG, l->index), 0);
    if (s == TOC_OK) s = toc_i_wait(f, is_closed, l, timeout_us, false);
    if (s == TOC_E_TIMEOUT && !force) {
      l->still = false;
      return toc_i_fail(s, "log %u of node %u does not drain", l->index, n->rank);
    }
  }
  if (s == TOC_OK)
    toc_i_dma_free(n, &l->ring);
  else
    n->bad_logs |= 1u << l->index; /* the device may still write there */
  n->log[l->index] = NULL;
  toc_i_handle_end(l->h);
  free(l);
  return s;
}

toc_status toc_log_open(toc_proc *h_p, const toc_log_options *o, toc_log **l) {
  NEED(l);
  *l = NULL;
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_i_log *log = NULL;
  toc_status s = toc_i_log_open(p, o, &log);
  if (s == TOC_OK) *l = log->h;
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_log_close(toc_log *h_l) {
  OBJECT_TO_CLOSE(log, l);
  toc_i_fabric *f = l->p->n->f;
  toc_i_lock(f);
  toc_status s = toc_i_run_is_mine(f, &l->run)
                     ? toc_i_fail(TOC_E_IN_USE, "toc_log_close: this is a handler of log %u", l->index)
                     : TOC_OK;
  for (toc_i_box *b = l->p->boxes; b; b = b->next)
    if (b->log == l) s = toc_i_fail(TOC_E_IN_USE, "log %u belongs to a box", l->index);
  if (s == TOC_OK) s = toc_i_log_close(l, 0, false);
  toc_i_unlock(f);
  return s;
}

// ---- reading
toc_status toc_log_wait(toc_log *h_l, uint64_t timeout_us) {
  OBJECT(log, l);
  toc_i_fabric *f = l->p->n->f;
  toc_i_lock(f);
  uint64_t count;
  toc_status s = toc_i_wait(f, toc_i_log_has, l, timeout_us, true);
  if (s == TOC_OK && l->fd >= 0 && read(l->fd, &count, sizeof count) < 0) count = 0; /* it does not block */
  toc_i_unlock(f);
  return s;
}

int toc_log_fd(toc_log *h_l) {
  OBJECT_OR(log, l, -1);
  return l->fd;
}

static toc_status inspect(toc_i_log *l, toc_log_state *s) {
  const uint64_t sticky = AA_LP_STS_BAD_MASK | AA_LP_STS_LOST_MASK | AA_LP_STS_ABORTED_MASK | AA_LP_STS_PTRERR_MASK;
  toc_i_node *n = l->p->n;
  uint64_t rsvd, sts, prod;
  TRY(toc_i_read(n, REG_AT(LP_RSVD, l->index), 8, &rsvd));
  TRY(toc_i_read(n, REG_AT(LP_STS, l->index), 8, &sts));
  if (sts & sticky) TRY(toc_i_write(n, REG_AT(LP_STS, l->index), 8, sts & sticky));
  toc_i_log_look(l);
  if (sts & AA_LP_STS_PTRERR_MASK) { /* memory may show an older one */
    TRY(toc_i_read(n, REG_AT(LP_PROD, l->index), 8, &prod));
    l->prod = (uint32_t)prod;
  }
  *s = (toc_log_state){.index = l->index,
                       .iuid = IUID0 + l->index,
                       .producer = l->prod,
                       .consumer = l->given,
                       .reserved = (uint32_t)rsvd,
                       .records = l->records,
                       .unclaimed = l->unclaimed,
                       .lost = sts & AA_LP_STS_LOST_MASK,
                       .aborted = sts & AA_LP_STS_ABORTED_MASK,
                       .stopped = sts & AA_LP_STS_FAILED_MASK,
                       .pointer_failed = sts & AA_LP_STS_PTRERR_MASK};
  if (s->stopped)
    return toc_i_fail(TOC_E_STOPPED, "log %u has stopped at 0x%x: memory refused a record; close it and open it anew",
                      l->index, l->prod);
  if (sts & AA_LP_STS_BAD_MASK)
    return toc_i_fail(TOC_E_DEVICE, "log %u: the device refuses consumer pointer 0x%x", l->index, l->given);
  return TOC_OK;
}

toc_status toc_log_inspect(toc_log *h_l, toc_log_state *s) {
  NEED(s);
  *s = (toc_log_state){0};
  OBJECT(log, l);
  toc_i_lock(l->p->n->f);
  toc_status st = inspect(l, s);
  toc_i_unlock(l->p->n->f);
  return st;
}
