// SPDX-License-Identifier: Apache-2.0
// Queue pairs that lie in memory (CTX-1 to CTX-14 of rtl/nic): the table of their contexts, how one is written, taken
// out and looked at.
//
// The table is memory of a requester id of its own, the NIC's last process, whose page tables reach nothing else. Its
// last context belongs to no queue pair: to close it is to wait for all that the NIC has saved before.
//
// NIC_CLOSE.BUSY says that the writes of a context have left the NIC, and not that they are in memory. So the word that
// a close makes 0 is made something else before, and watched: what comes with it is there when it is 0. And a context
// may just be read, for a frame of anybody, while it is written here: so it is written with OPEN 0 and closed once
// more, which waits for that read, and only then opened.
#include <stdlib.h>

#include "internal.h"

enum { BYTES = 2048, OPEN_AT = 0x80, ANSWERS_AT = 0x100, OPEN = 1, MARK = 2, TABLES = 16 };
#define NEVER_SAVED UINT64_MAX /* in place of QP_PSN, which is read of no context, and has 56 bits when it is saved */

static uint8_t *context_at(const toc_i_node *n, unsigned i) { return n->ctx.table + (size_t)BYTES * i; }

static volatile uint64_t *word_at(const toc_i_node *n, unsigned i, unsigned offset) {
  return (volatile uint64_t *)(void *)(context_at(n, i) + offset);
}

// ---- the table
static toc_i_proc *owner_new(toc_i_node *n, unsigned index) {
  toc_i_proc *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (toc_i_proc){.n = n,
                    .index = index,
                    .rid = (uint16_t)(RID0 + index),
                    .did = (uint16_t)(1 + index),
                    .closing = true,
                    .eq_fd = -1};
  return p;
}

static toc_status table_new(toc_i_node *n, uint64_t *iova) {
  toc_i_proc *p = n->ctx.owner;
  const size_t bytes = (size_t)BYTES * n->ctx.number;
  void *table;
  if (!toc_i_ranges_init(&p->space, SPACE_AT, SPACE_BYTES)) return toc_i_fail(TOC_E_NOMEM, "contexts: no memory");
  TRY(toc_i_translate(p, TABLES));
  TRY(toc_i_alloc(p, bytes, TOC_READ | TOC_WRITE, true, &table));
  n->ctx.table = table;
  return toc_i_local(p, table, bytes, TOC_READ | TOC_WRITE, iova);
}

toc_status toc_i_contexts_up(toc_i_node *n) {
  uint64_t iova, is;
  if (!n->ctx.number || n->f->o.registers_only) return TOC_OK;
  if (n->caps.procs < 2)
    return toc_i_fail(TOC_E_SUPPORT, "node %u: its contexts need a process of their own, and it has one", n->rank);
  n->ctx.owner = owner_new(n, --n->caps.procs);
  if (!n->ctx.owner) return toc_i_fail(TOC_E_NOMEM, "contexts: no memory");
  TRY(table_new(n, &iova));
  const uint64_t want = NIC_NIC_CTX_EN_MASK | (uint64_t)n->caps.procs << NIC_NIC_CTX_PROC_LSB | iova;
  TRY(toc_i_write64(n, NREG(NIC_CTX), want));
  TRY(toc_i_read(n, NREG(NIC_CTX), 8, &is));
  if (is != want)
    return toc_i_fail(TOC_E_DEVICE, "node %u: NIC_CTX does not take its table of contexts (0x%llx)", n->rank,
                      (unsigned long long)is);
  n->ctx.up = true;
  return TOC_OK;
}

/* All queue pairs have been closed. Memory that the NIC has not given up it may still write: then
 * it is not given back. */
void toc_i_contexts_down(toc_i_node *n) {
  toc_i_proc *p = n->ctx.owner;
  uint64_t is = 0;
  if (!p) return;
  toc_status s = n->f->dead ? TOC_E_DEAD : TOC_OK;
  if (s == TOC_OK && n->ctx.up) s = toc_i_write64(n, NREG(NIC_CTX), 0);
  if (s == TOC_OK && n->ctx.up) s = toc_i_read(n, NREG(NIC_CTX), 8, &is);
  if (is) s = TOC_E_DEVICE;
  if (p->tables.m.ptr) {
    (void)aa_table_set_context(&n->root.t, p->rid, NULL);
    if (s == TOC_OK) s = toc_i_invalidate(n, p->did, 0, 0);
  }
  for (size_t i = 0; i < p->maps && s == TOC_OK; i++) toc_i_dma_free(n, &p->map[i].dma);
  if (s == TOC_OK) toc_i_tables_free(n, &p->tables);
  toc_i_ranges_free(&p->space);
  free(p->map);
  free(p);
  n->ctx.owner = NULL;
}

// ---- out of the NIC
static bool may_close(void *ctx) { return !((const toc_i_node *)ctx)->ctx.closing; }

typedef struct closing {
  toc_i_node *n;
  const volatile uint64_t *open;
  toc_status s;
} closing;

static bool is_out(void *ctx) {
  closing *c = ctx;
  uint64_t v;
  if (toc_load(c->open)) return false;
  c->s = toc_i_read(c->n, NREG(NIC_CLOSE), 8, &v);
  return c->s != TOC_OK || !(v & NIC_NIC_CLOSE_BUSY_MASK);
}

/* Closes it: it is in memory, with OPEN 0, and so is all that was saved before. */
static toc_status take_out(toc_i_node *n, unsigned i) {
  volatile uint64_t *open = word_at(n, i, OPEN_AT);
  closing c = {n, open, TOC_OK};
  TRY(toc_i_wait(n->f, may_close, n, TOC_FOREVER, false));
  n->ctx.closing = true;
  toc_store(open, toc_load(open) | MARK);
  toc_status s = toc_i_write64(n, NREG(NIC_CLOSE), i);
  if (s == TOC_OK) s = toc_i_wait(n->f, is_out, &c, 0, false);
  n->ctx.closing = false;
  if (s == TOC_OK) return c.s;
  n->f->dead = true;
  return toc_i_fail(TOC_E_DEAD, "node %u: context %u has not been closed: its memory says 0x%llx", n->rank, i,
                    (unsigned long long)toc_load(open));
}

toc_status toc_i_context_out(toc_i_qp *q) {
  if (!q->inside) return TOC_OK;
  TRY(take_out(q->p->n, q->index));
  q->inside = false;
  return TOC_OK;
}

// ---- into it
static toc_status let_in(toc_i_qp *q) {
  TRY(take_out(q->p->n, q->index)); /* a read that is under way ends */
  q->inside = true;
  toc_store(word_at(q->p->n, q->index, OPEN_AT), OPEN);
  return TOC_OK;
}

toc_status toc_i_context_in(toc_i_qp *q, const toc_i_page *page) {
  uint8_t *b = context_at(q->p->n, q->index);
  memset(b, 0, BYTES);
  for (unsigned k = 0; k < TOC_I_WORDS; k++) toc_i_put(b + 8 * k, 8, page->word[k]);
  for (unsigned k = 0; k < page->answers; k++) {
    toc_i_put(b + ANSWERS_AT + 16 * k, 8, page->answer[k][0]);
    toc_i_put(b + ANSWERS_AT + 16 * k + 8, 8, page->answer[k][1]);
  }
  return let_in(q);
}

toc_status toc_i_context_again(toc_i_qp *q) {
  volatile uint64_t *sts = word_at(q->p->n, q->index, TOC_I_OFFSET(STS));
  toc_store(sts, toc_load(sts) & ~(NIC_QP_STS_SEND_ERR_MASK | NIC_QP_STS_BAD_PROD_MASK | NIC_QP_STS_CODE_MASK));
  return let_in(q);
}

// ---- where it is
static toc_status is_in_place(const toc_i_qp *q, unsigned i, bool *yes) {
  uint64_t ctl, name;
  *yes = false;
  TRY(toc_i_read(q->p->n, NREG_AT(QP_NAME, i), 8, &name));
  if ((name & NIC_QP_NAME_NAME_MASK) != q->index) return TOC_OK;
  TRY(toc_i_read(q->p->n, NREG_AT(QP_CTL, i), 8, &ctl));
  *yes = ctl & NIC_QP_CTL_EN_MASK;
  return TOC_OK;
}

/* A word of one that may be in a place, or leave it while it is read. */
toc_status toc_i_context_word(const toc_i_qp *q, unsigned offset, uint64_t *value) {
  toc_i_node *n = q->p->n;
  bool yes = false;
  for (unsigned i = 0; i < n->caps.places && q->inside && !yes; i++) {
    TRY(is_in_place(q, i, &yes));
    if (yes) TRY(toc_i_read(n, NREG_AT(QP_CTL, i) + offset, 8, value));
    if (yes) TRY(is_in_place(q, i, &yes));
  }
  if (!yes) *value = toc_i_get(context_at(n, q->index) + offset, 8);
  return TOC_OK;
}

void toc_i_context_mark(const toc_i_qp *q) { toc_store(word_at(q->p->n, q->index, TOC_I_OFFSET(PSN)), NEVER_SAVED); }

toc_status toc_i_context_moved(const toc_i_qp *q, bool *moved) {
  TRY(take_out(q->p->n, q->p->n->ctx.number - 1));
  *moved = toc_load(word_at(q->p->n, q->index, TOC_I_OFFSET(PSN))) != NEVER_SAVED;
  return TOC_OK;
}

toc_status toc_i_context_answer(const toc_i_qp *q, unsigned k, uint64_t answer[2]) {
  const uint8_t *b = context_at(q->p->n, q->index) + ANSWERS_AT + 16 * k;
  answer[0] = toc_i_get(b, 8);
  answer[1] = toc_i_get(b + 8, 8);
  return TOC_OK;
}
