// SPDX-License-Identifier: Apache-2.0
// Access logs: opening, reading in place, handlers.
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"
#include "tocsin/aa_log.h"
#include "tocsin/tlp.h"

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
    l->fd = toc_i_vector(n, VEC_LOG + i, &addr, &data);
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
static void look(toc_i_log *l) {
  if (l->o.notify == TOC_NOTIFY_SCRATCHPAD) {
    uint64_t v;
    if (toc_i_read(l->p->n, REG_AT(SCRATCH, l->scratch), 8, &v) != TOC_OK) return;
    if (v >> 32 == l->index) l->prod = (uint32_t)v;
    return;
  }
  uint32_t prod = (uint32_t)toc_load(l->pointer);
  if ((int32_t)(prod - l->seen) >= 0)
    l->prod = prod; /* one that memory refused stays behind what the device has said */
}

/* A record ends before the ring and the producer do; what does not was not written by the device that we know. */
static bool fits(const toc_i_log *l, uint32_t bytes) {
  return bytes <= l->prod - l->seen && bytes <= l->mask + 1 - (l->seen & l->mask);
}

static bool next(toc_i_log *l, toc_access *a) {
  while (!l->broken) {
    if (l->seen == l->prod) look(l);
    if (l->seen == l->prod) return false;
    const uint8_t *e = (const uint8_t *)l->ring.ptr + (l->seen & l->mask);
    uint64_t addr = toc_i_get(e, 8), info = toc_i_get(e + 8, 8);
    unsigned kind = aa_entry_kind(info), len = aa_entry_len(info);
    if (kind == AA_ENTRY_PAD) {
      if (!fits(l, 16 + 4 * len)) return !(l->broken = true);
      l->seen += 16 + 4 * len;
      continue;
    }
    bool data = info & AA_ENTRY_DATA;
    if (!fits(l, aa_entry_bytes(info)) || kind < AA_ENTRY_PUT || kind > AA_ENTRY_ATOMIC) return !(l->broken = true);
    l->seen += aa_entry_bytes(info);
    l->records++;
    *a = (toc_access){.kind = (toc_access_kind)kind,
                      .addr = addr,
                      .first_be = aa_entry_fbe(info),
                      .last_be = aa_entry_lbe(info),
                      .denied = info & AA_ENTRY_DENIED,
                      .aborted = info & AA_ENTRY_ABORTED,
                      .poisoned = info & AA_ENTRY_POISONED,
                      .requester = (uint16_t)(info >> 48),
                      .tag = (uint16_t)(info >> 38 & 0x3ff),
                      .position = l->seen,
                      .log = l->h};
    if (kind == AA_ENTRY_ATOMIC)
      a->bytes = 4 * (size_t)len;
    else
      a->bytes = a->first_be || len > 1 ? tlp_byte_count(len, a->first_be, a->last_be) : 0;
    if (data) {
      a->words = e + 16;
      a->nwords = len;
      a->data = a->words + (addr & 3);
    }
    toc_mapping *m = toc_i_mapping_at(l->p, addr);
    if (m) a->target = m->ptr + (addr - m->iova);
    return true;
  }
  return false;
}

static toc_status broken(const toc_i_log *l) {
  return toc_i_fail(TOC_E_DEVICE, "log %u: no record at 0x%x: its memory or its pointer is not the device's", l->index,
                    l->seen);
}

static toc_status release(toc_i_log *l) {
  uint32_t upto = l->handling ? l->kept : l->seen;
  if (l->broken) return broken(l);
  if (l->given == upto) return TOC_OK;
  l->given = upto;
  return toc_i_write(l->p->n, REG_AT(LP_CONS, l->index), 8, l->given);
}

uint32_t toc_log_unread(toc_log *h_l) {
  OBJECT_OR(log, l, 0);
  toc_i_lock(l->p->n->f);
  look(l);
  uint32_t n = l->prod - l->seen;
  toc_i_unlock(l->p->n->f);
  return n;
}

bool toc_log_next(toc_log *h_l, toc_access *a) {
  if (!a) return false;
  *a = (toc_access){0};
  OBJECT_OR(log, l, false);
  toc_i_lock(l->p->n->f);
  bool any = next(l, a);
  toc_i_unlock(l->p->n->f);
  return any;
}

toc_status toc_log_release(toc_log *h_l) {
  OBJECT(log, l);
  toc_i_lock(l->p->n->f);
  toc_status s = release(l);
  toc_i_unlock(l->p->n->f);
  return s;
}

/* Rules may change while the handler runs: who changes them waits for it (toc_i_rules_quiet). */
static void handle(toc_i_log *l, const toc_access *a, uint32_t from) {
  const toc_rule_range *r = toc_i_rule_at(l->p, a->addr);
  if (!r || r->rule.log != l || !r->rule.handler) {
    l->unclaimed++;
    return;
  }
  toc_i_rule rule = r->rule;
  if (l->own) {
    rule.handler(rule.arg, a);
    return;
  }
  toc_i_fabric *f = l->p->n->f;
  l->handling = true;
  l->handled = a->addr;
  l->kept = from;
  toc_i_out(f, &l->run);
  rule.handler(rule.arg, a);
  toc_i_back(f, &l->run);
  l->handling = false;
  pthread_cond_broadcast(&f->worked);
}

toc_status toc_i_log_batch(toc_i_log *l, unsigned most, unsigned *ran) {
  unsigned n = 0;
  toc_access a;
  while ((!most || n < most) && !l->still && !l->p->closing) {
    uint32_t from = l->seen;
    if (!next(l, &a)) break;
    handle(l, &a, from);
    n++;
    /* Before half of the ring is held back by one batch, what has been handled is given back. */
    if (l->seen - l->given > l->mask / 2) (void)release(l);
  }
  if (ran) *ran = n;
  return l->given == l->seen && !l->broken ? TOC_OK : release(l);
}

static bool has_record(void *ctx) {
  toc_i_log *l = ctx;
  if (l->broken) return true; /* toc_log_run says so */
  if (l->seen == l->prod) look(l);
  return l->seen != l->prod;
}

bool toc_i_log_ready(toc_i_log *l) {
  return l->o.automatic && !l->run.busy && !l->broken && !l->still && !l->p->closing && has_record(l);
}

toc_status toc_i_log_run(toc_i_log *l, unsigned most, unsigned *ran) {
  toc_i_fabric *f = l->p->n->f;
  if (ran) *ran = 0;
  if (toc_i_run_is_mine(f, &l->run)) return TOC_OK; /* a handler of this log waits for something */
  TRY(toc_i_run_quiet(f, &l->run, "toc_log_run: a handler that another thread runs"));
  toc_i_run_begin(&l->run);
  toc_status s = toc_i_log_batch(l, most, ran);
  toc_i_run_end(f, &l->run);
  return s;
}

static toc_status locked_run(toc_i_log *l, unsigned most, unsigned *ran) {
  toc_i_fabric *f = l->p->n->f;
  toc_i_lock(f);
  toc_status s = toc_i_log_run(l, most, ran);
  toc_i_unlock(f);
  return s;
}

toc_status toc_log_run_count(toc_log *h_l, unsigned most, unsigned *ran) {
  if (ran) *ran = 0;
  OBJECT(log, l);
  return locked_run(l, most, ran);
}

toc_status toc_log_run(toc_log *h_l, unsigned most) {
  OBJECT(log, l);
  return locked_run(l, most, NULL);
}

toc_status toc_log_wait(toc_log *h_l, uint64_t timeout_us) {
  OBJECT(log, l);
  toc_i_fabric *f = l->p->n->f;
  toc_i_lock(f);
  uint64_t count;
  toc_status s = toc_i_wait(f, has_record, l, timeout_us, true);
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
  look(l);
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
