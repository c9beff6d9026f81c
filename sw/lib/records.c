// SPDX-License-Identifier: Apache-2.0
// Records of an access log, read in place, and their handlers. Nothing here waits but for a handler that is running.
#include "internal.h"
#include "tocsin/aa_log.h"
#include "tocsin/tlp.h"

void toc_i_log_look(toc_i_log *l) {
  if (l->o.notify == TOC_NOTIFY_SCRATCHPAD) {
    uint64_t v;
    if (toc_i_read(l->p->n, REG_AT(SCRATCH, l->scratch), 8, &v) != TOC_OK) return;
    if (v >> 32 == l->index) l->prod = (uint32_t)v;
    return;
  }
  uint32_t prod = (uint32_t)toc_load(l->pointer);
  if ((int32_t)(prod - l->prod) > 0) l->prod = prod; /* one that memory refused stays behind what the device has said */
}

/* A record ends before the ring and the producer do; what does not was not written by the device that we know. */
static bool fits(const toc_i_log *l, uint32_t bytes) {
  return bytes <= l->prod - l->seen && bytes <= l->mask + 1 - (l->seen & l->mask);
}

static bool next(toc_i_log *l, toc_access *a) {
  while (!l->broken) {
    if (l->seen == l->prod) toc_i_log_look(l);
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

// ---- handlers
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

bool toc_i_log_has(void *ctx) {
  toc_i_log *l = ctx;
  if (l->broken) return true; /* toc_log_run says so */
  if (l->seen == l->prod) toc_i_log_look(l);
  return l->seen != l->prod;
}

bool toc_i_log_ready(toc_i_log *l) {
  return l->o.automatic && !l->run.busy && !l->broken && !l->still && !l->p->closing && toc_i_log_has(l);
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

// ---- the program reads
uint32_t toc_log_unread(toc_log *h_l) {
  OBJECT_OR(log, l, 0);
  toc_i_lock(l->p->n->f);
  toc_i_log_look(l);
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
