// SPDX-License-Identifier: Apache-2.0
// Consistency: flush pages.
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

/* Each flush under way has a word of its own; one that is given up keeps it until its request cannot
 * write it any more. */
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
  TRY(toc_i_post(w->q, &(toc_wqe){.op = OP_READ, .far = page, .va1 = iova, .len1 = 8}, NULL));
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
