// SPDX-License-Identifier: Apache-2.0
/* The engine by itself: a request comes. */
#include "aa_run.h"
#include "aa_walk.h"

/* Takes an entry for a read; false: none is free, or the tag is live. */
static AA_HOT bool plain_tag(aa *m, unsigned port, uint32_t key, unsigned offset, unsigned len) {
  aa_tag_pool *p = aa_tag_pool_of(&m->tags, port);
  if (p->top == p->first || aa_tag_find(&m->tags, key) != AA_TAG_NONE) return false;
  size_t i = m->tags.stack[--p->top];
  aa_tag *g = aa_tag_take(&m->tags, i, key, port);
  aa_tag_begin(g, offset, 4 * len, m->now);
  return true;
}

static AA_HOT void plain_pass(aa *m, const tlp *t, bool write, uint64_t to) {
  m->cnt[AA_CNT_REQUESTS]++;
  m->cnt[write ? AA_CNT_WRITES : AA_CNT_READS]++;
  aa_forward(m, t, to);
}

/* A request that cannot be decided at once joins its lane. */
static AA_RARE aa_status submit_later(aa *m, const aa_req *q, const tlp *t, const aa_xlate *x) {
  aa_slot *s;
  aa_queue *l = &m->lane[q->lane];
  if (!x && l->tail - l->head >= m->cfg.Window) return AA_E_BUSY;
  aa_status st = aa_push_request(m, q, t, false, &s);
  if (st != AA_OK || !x) return st;
  s->xl = *x;
  l->xl++;
  s->stalled = m->stalled;
  s->since = m->now;
  aa_settle(m);
  return AA_OK;
}

/* The long way. x: the translation if there is one already. */
static AA_APART aa_status submit_any(aa *m, unsigned port, const tlp *t, const aa_xlate *known) {
  aa_req q;
  aa_xlate x;
  m->polled = false;
  aa_rx_classify(t, false, port, m->mps_dw, m->mrrs_dw, &q);
  aa_queue *l = &m->lane[q.lane];
  if (m->queued && (l->head != l->tail || m->lane[q.lane & ~1u].head != m->lane[q.lane & ~1u].tail))
    return submit_later(m, &q, t, NULL);
  /* Nothing before it: decided in place, without a copy. */
  if (known)
    x = *known;
  else
    aa_translate(m, &q.look, q.lane, l->head, &x);
  m->stalled = m->wdog_fired = false;
  if (aa_decide(m, &q, &x, NULL) != AA_OK) return submit_later(m, &q, t, &x);
  l->tail++;
  l->head++;
  l->xl++;
  if (m->due || m->logs_due) aa_settle(m);
  return AA_OK;
}

/* The long way for what has turned out, once translated, to be more than an access. */
static AA_APART aa_status submit_leaf(aa *m, unsigned port, const tlp *t, uint64_t leaf, bool write) {
  aa_xlate x = {.fpd = aa_xlt_context(&m->xlt, tlp_req_id(t->hdr))->fpd};
  aa_xlate_set(&x, leaf, write);
  return submit_any(m, port, t, &x);
}

/* The short way for what most requests are: whole words of a page that asks for nothing but the access,
 * while nothing waits. It translates and decides by the functions of the long way, leaves out what cannot be,
 * and remembers pages that were hit. */
static inline bool plain_form(const tlp *t, bool write, uint64_t addr) {
  uint32_t len = t->hdr[0] & 0x3ffu, be = t->hdr[1] & 0xffu;
  if (t->ndw != (write ? len : 0)) return false;
  return len == 1 ? be == 0x0f : be == 0xff && ((uint32_t)addr & 0xfffu) + 4 * len <= 4096;
}

/* The leaf asks for nothing but the access, and is no flush page that is read. */
static AA_HOT bool plain_leaf(const aa *m, uint64_t leaf, bool write, uint64_t addr) {
  return aa_decide_plain(m->rule[write ? AA_OP_WRITE : AA_OP_READ], leaf) &&
         (write || !m->flush.any || !(leaf & AA_LEAF_E) || !aa_flush_match(&m->flush, addr, (unsigned)(leaf >> 52)));
}

/* A page that is not remembered: looked up, or walked to. */
static AA_HOT aa_status submit_page(aa *m, unsigned port, const tlp *t, uint64_t addr, bool write) {
  uint32_t h1 = t->hdr[1], len = t->hdr[0] & 0x3ffu;
  if (!m->plain || len - 1 >= (write ? m->mps_dw : m->mrrs_dw) || addr >> 20 == 0xfee || addr >> 48 ||
      !plain_form(t, write, addr))
    return submit_any(m, port, t, NULL);
  const aa_ctx_entry *c = aa_xlt_context(&m->xlt, h1 >> 16);
  if (!c || c->tt == 2) return submit_any(m, port, t, NULL);
  aa_tlb_way *way;
  uint64_t leaf;
  unsigned hit = aa_xlt_peek_page(&m->xlt, c, addr, &leaf, &way);
  if (hit == AA_HIT_MISS) {
    m->cnt[AA_CNT_WALKS_BEGUN]++;
    m->cnt[AA_CNT_WALKS_ENDED]++;
    leaf = aa_walk_page(&m->xlt, c, addr);
    m->cnt[(leaf & AA_LEAF_NONE) ? AA_CNT_WALK_FAULTS : AA_CNT_TLB_FILLS]++;
    if (!plain_leaf(m, leaf, write, addr)) return submit_leaf(m, port, t, leaf, write);
  } else {
    aa_xlt_touch(&m->xlt, hit, way);
    m->cnt[AA_CNT_HITS]++;
    if (!plain_leaf(m, leaf, write, addr)) return submit_leaf(m, port, t, leaf, write);
    if (hit == AA_HIT_IOTLB)
      m->memo[write][(addr >> 12) % AA_MEMOS] =
          (aa_memo){addr >> 12, m->xlt.gen | h1 >> 16, aa_tlb_set_of(&m->xlt.iotlb, way->tag), way};
  }
  if (!write && !plain_tag(m, port, h1 >> 8, addr & 0xfffu, len)) return submit_leaf(m, port, t, leaf, write);
  plain_pass(m, t, write, (leaf & AA_LEAF_FRAME) | (addr & 0xfffu));
  return AA_OK;
}

/* Each apart, so that it saves no more registers than it needs. */
static AA_APART aa_status write_page(aa *m, unsigned port, const tlp *t, uint64_t addr) {
  return submit_page(m, port, t, addr, true);
}
static AA_APART aa_status read_page(aa *m, unsigned port, const tlp *t, uint64_t addr) {
  return submit_page(m, port, t, addr, false);
}

static AA_HOT aa_status submit_plain(aa *m, unsigned port, const tlp *t, bool write) {
  uint32_t h1 = t->hdr[1], len = t->hdr[0] & 0x3ffu;
  uint64_t addr = tlp_addr(t->hdr), page = addr >> 12;
  const aa_memo *e = &m->memo[write][page % AA_MEMOS];
  if (e->page != page || e->who != (m->xlt.gen | h1 >> 16) || len - 1 >= (write ? m->mps_dw : m->mrrs_dw) ||
      !plain_form(t, write, addr))
    return write ? write_page(m, port, t, addr) : read_page(m, port, t, addr);
  if (!write && !plain_tag(m, port, h1 >> 8, addr & 0xfffu, len)) return submit_any(m, port, t, NULL);
  aa_tlb_touch(e->set, e->way);
  m->cnt[AA_CNT_HITS]++;
  plain_pass(m, t, write, (e->way->leaf & AA_LEAF_FRAME) | (addr & 0xfffu));
  return AA_OK;
}

static AA_APART aa_status submit_write(aa *m, unsigned port, const tlp *t) { return submit_plain(m, port, t, true); }

static AA_APART aa_status submit_read(aa *m, unsigned port, const tlp *t) { return submit_plain(m, port, t, false); }

aa_status aa_submit(aa *m, unsigned port, const tlp *t) {
  const uint32_t h0 = t->hdr[0];
  if (port >= m->cfg.NumPorts) return AA_E_ARG;
  if (h0 & 0x9f884c00u) return submit_any(m, port, t, NULL); /* other types, tags of ten bits, poisoned, AT */
  return (h0 & 0x40000000u) ? submit_write(m, port, t) : submit_read(m, port, t);
}
