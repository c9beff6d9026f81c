// SPDX-License-Identifier: Apache-2.0
// Consistency: flush pages, and replies with the boxes that take them.
#include <stdlib.h>

#include "internal.h"

// ---- flush pages
static bool is_decided(void *ctx) {
  const toc_i_log *l = ctx;
  return l->flush_index < 0 || l->flush_ready;
}

static toc_status make_page(toc_i_log *l) {
  toc_i_proc *p = l->p;
  toc_i_node *n = p->n;
  uint64_t iova;
  TRY(toc_i_alloc(p, PAGE, TOC_READ, true, &l->flush_ptr));
  TRY(toc_i_local(p, l->flush_ptr, PAGE, 0, &iova));
  /* A page with the log's IUID that records nothing: E alone, by a block of puts, which it does not allow anyway. */
  TRY(toc_i_rule_set(p, iova, PAGE, &(toc_i_rule){.put = TOC_BLOCK, .log = l}));
  TRY(toc_i_write64(n, REG_AT(AA_FLP, l->flush_index), iova | (uint64_t)(IUID0 + l->index) << AA_AA_FLP_IUID_LSB | 1));
  return toc_i_expose(p, iova, PAGE, TOC_READ, &l->flush_at);
}

static toc_status flush_page(toc_i_log *l, toc_remote *page) {
  toc_i_node *n = l->p->n;
  unsigned i = 0;
  TRY(toc_i_wait(n->f, is_decided, l, 0, false)); /* another thread makes it already */
  if (l->flush_index < 0) {
    while (i < n->caps.flush_pages && n->flush[i]) i++;
    if (i == n->caps.flush_pages) return toc_i_fail(TOC_E_FULL, "node %u: all %u flush pages are in use", n->rank, i);
    l->flush_index = (int)i;
    n->flush[i] = l;
    toc_status s = make_page(l);
    l->flush_ready = s == TOC_OK;
    if (s != TOC_OK) {
      toc_i_flush_drop(l);
      return s;
    }
  }
  *page = l->flush_at;
  return TOC_OK;
}

void toc_i_flush_drop(toc_i_log *l) {
  toc_i_proc *p = l->p;
  uint64_t iova;
  if (l->flush_index < 0) return;
  if (l->flush_at.key) (void)toc_i_hide(p, l->flush_at);
  (void)toc_i_write64(p->n, REG_AT(AA_FLP, l->flush_index), 0);
  l->flush_at = (toc_remote){0, 0};
  if (l->flush_ptr) {
    if (toc_i_local(p, l->flush_ptr, PAGE, 0, &iova) == TOC_OK) (void)toc_i_rule_set(p, iova, PAGE, NULL);
    (void)toc_i_free(p, l->flush_ptr, true);
    l->flush_ptr = NULL;
  }
  p->n->flush[l->flush_index] = NULL;
  l->flush_index = -1;
  l->flush_ready = false;
}

toc_status toc_flush_page(toc_log *h_l, toc_remote *page) {
  NEED(page);
  *page = (toc_remote){0, 0};
  OBJECT(log, l);
  toc_i_fabric *f = l->p->n->f;
  toc_i_lock(f);
  toc_status s = flush_page(l, page);
  toc_i_unlock(f);
  return s;
}

/* Each flush under way has a word of its own; one that is given up keeps it until its request cannot write it any more. */
typedef struct flush {
  toc_i_qp *q;
  unsigned word;
  volatile uint64_t *at;
} flush;

static bool has_word(void *ctx) {
  flush *w = ctx;
  toc_i_qp *q = w->q;
  for (w->word = 0; w->word < FLUSHES; w->word++) {
    if (q->word[w->word].left && toc_i_ended(&(toc_i_req){q, q->word[w->word].seq})) q->word[w->word].taken = false;
    if (!q->word[w->word].taken) return true;
  }
  return false;
}

/* Asks once. The IOMMU answers "not done" after a while, so that no read waits for ever. */
static toc_status ask(flush *w, toc_remote page, uint64_t timeout_us, bool *done) {
  toc_i_req r = {.qp = w->q};
  uint64_t iova;
  TRY(toc_i_local(w->q->p, (const void *)w->at, 8, TOC_WRITE, &iova));
  TRY(toc_i_room(w->q));
  toc_store(w->at, UINT64_MAX);
  TRY(toc_i_post(w->q, &(toc_wqe){.op = 2, .far = page, .va1 = iova, .len1 = 8}, NULL));
  r.seq = w->q->posted - 1;
  w->q->word[w->word].seq = r.seq;
  toc_status s = toc_i_finish(&r, timeout_us);
  if (!toc_i_ended(&r)) w->q->word[w->word].left = true;
  *done = s == TOC_OK && !(toc_load(w->at) >> 63);
  return s;
}

static toc_status flush_log(flush *w, toc_remote page, uint64_t timeout_us) {
  toc_i_fabric *f = w->q->p->n->f;
  uint64_t start = f->be->now(f->self), spent = 0;
  if (!timeout_us) timeout_us = f->o.timeout_us;
  for (bool done = false;;) {
    toc_status s = ask(w, page, timeout_us == TOC_FOREVER ? timeout_us : timeout_us - spent, &done);
    if (s == TOC_E_TIMEOUT && spent) return toc_i_fail(TOC_E_NOT_DONE, "toc_flush: the log is not read");
    if (s != TOC_OK || done) return s;
    spent = (f->be->now(f->self) - start) / 1000;
    if (timeout_us != TOC_FOREVER && spent >= timeout_us)
      return toc_i_fail(TOC_E_NOT_DONE, "toc_flush: the log is read too slowly, or not at all");
  }
}

toc_status toc_flush(toc_qp *h_q, toc_remote page, uint64_t timeout_us) {
  OBJECT(qp, q);
  toc_i_fabric *f = q->p->n->f;
  flush w = {.q = q};
  toc_i_lock(f);
  toc_status s = toc_i_wait(f, has_word, &w, timeout_us, true);
  if (s == TOC_OK) {
    q->word[w.word].taken = true;
    q->word[w.word].left = false;
    w.at = (volatile uint64_t *)(void *)(q->scratch + 8 * w.word);
    s = flush_log(&w, page, timeout_us);
    if (!q->word[w.word].left) q->word[w.word].taken = false;
  }
  toc_i_unlock(f);
  return s;
}

// ---- boxes
static void on_reply(void *arg, const toc_access *a) {
  toc_i_box *b = arg;
  uint64_t slot = (a->addr - b->iova) / 8;
  if (!a->data || a->bytes != 8 || a->addr % 8 || slot >= b->slots) return;
  uint64_t v = toc_i_get(a->data, 8);
  if (v > toc_load(&b->value[slot])) toc_store(&b->value[slot], v); /* they only grow */
}

static toc_status box_make(toc_i_box *b) {
  static const toc_log_options o = {.bytes = 16384, .automatic = true};
  toc_i_proc *p = b->p;
  TRY(toc_i_log_open(p, &o, &b->log));
  b->log->own = true;
  if (!toc_i_range_take(&p->space, b->bytes, PAGE, &b->iova))
    return toc_i_fail(TOC_E_NOMEM, "toc_box_open: no address");
  TRY(toc_i_rule_set(
      p, b->iova, b->bytes,
      &(toc_i_rule){.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = b->log, .handler = on_reply, .arg = b}));
  return toc_i_expose(p, b->iova, b->bytes, TOC_WRITE, &b->where);
}

toc_status toc_i_box_close(toc_i_box *b) {
  toc_i_proc *p = b->p;
  toc_status s = TOC_OK;
  if (b->where.key) (void)toc_i_hide(p, b->where);
  b->where.key = 0;
  if (b->log) s = toc_i_log_close(b->log, 0, true);
  for (toc_i_box **at = &p->boxes; *at; at = &(*at)->next)
    if (*at == b) {
      *at = b->next;
      break;
    }
  if (b->iova) toc_i_range_give(&p->space, b->iova, b->bytes);
  toc_i_handle_end(b->h);
  free(b->value);
  free(b);
  return s;
}

toc_status toc_box_open(toc_proc *h_p, unsigned slots, toc_box **out, toc_remote *where) {
  NEED(out);
  *out = NULL;
  NEED(where);
  *where = (toc_remote){0, 0};
  OBJECT(proc, p);
  if (!slots || slots > 1u << 20) return toc_i_fail(TOC_E_ARG, "toc_box_open: %u slots", slots);
  toc_i_lock(p->n->f);
  toc_status s = TOC_OK;
  toc_i_box *b = calloc(1, sizeof *b);
  uint64_t *value = calloc(slots, sizeof *value);
  if (!b || !value) {
    free(b);
    free(value);
    s = toc_i_fail(TOC_E_NOMEM, "toc_box_open: no memory");
  } else {
    *b = (toc_i_box){.next = p->boxes, .p = p, .slots = slots, .bytes = toc_i_up(8ull * slots, PAGE), .value = value};
    p->boxes = b;
    b->h = toc_i_handle_new(TOC_I_box, b);
    s = b->h ? box_make(b) : TOC_E_NOMEM;
    if (s == TOC_OK) {
      *out = b->h;
      *where = b->where;
    } else {
      (void)toc_i_box_close(b);
    }
  }
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_box_close(toc_box *h_b) {
  OBJECT_TO_CLOSE(box, b);
  toc_i_fabric *f = b->p->n->f;
  toc_i_lock(f);
  toc_status s = toc_i_box_close(b);
  toc_i_unlock(f);
  return s;
}

uint64_t toc_box_value(toc_box *h_b, unsigned slot) {
  OBJECT_OR(box, b, 0);
  if (slot >= b->slots) return 0;
  toc_i_lock(b->p->n->f);
  (void)toc_i_log_run(b->log, 0, NULL);
  uint64_t v = toc_load(&b->value[slot]);
  toc_i_unlock(b->p->n->f);
  return v;
}

typedef struct box_wait {
  toc_i_box *b;
  unsigned slot;
  uint64_t least;
} box_wait;

static bool reached(void *ctx) {
  const box_wait *w = ctx;
  return toc_load(&w->b->value[w->slot]) >= w->least;
}

toc_status toc_box_wait(toc_box *h_b, unsigned slot, uint64_t least, uint64_t timeout_us) {
  OBJECT(box, b);
  box_wait w = {b, slot, least};
  toc_i_fabric *f = b->p->n->f;
  if (slot >= b->slots) return toc_i_fail(TOC_E_ARG, "toc_box_wait: slot %u of %u", slot, b->slots);
  toc_i_lock(f);
  toc_status s = toc_i_wait(f, reached, &w, timeout_us, true);
  toc_i_unlock(f);
  return s;
}

// ---- replies: the value goes into the bytes behind the request's own ring, one place for each entry of the ring
toc_status toc_reply(toc_qp *h_q, toc_remote box, unsigned slot, uint64_t done) {
  OBJECT(qp, q);
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  uint64_t iova = 0;
  toc_status s = toc_i_room(q);
  uint8_t *at = q->ring + 64 * (size_t)q->o.entries + 8 * (q->posted & (q->o.entries - 1));
  if (s == TOC_OK) s = toc_i_local(q->p, at, 8, TOC_READ, &iova);
  if (s == TOC_OK) {
    toc_i_put(at, 8, done);
    s = toc_i_post(q, &(toc_wqe){.va1 = iova, .len1 = 8, .far = toc_at(box, 8ull * slot)}, NULL);
  }
  toc_i_unlock(f);
  return s;
}
