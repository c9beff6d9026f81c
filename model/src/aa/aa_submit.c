// SPDX-License-Identifier: Apache-2.0
/* The engine by itself: a request comes. */
#include "aa_run.h"

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
  unsigned where;
  m->polled = false;
  aa_rx_classify(t, false, port, m->mps_dw, m->mrrs_dw, &q);
  aa_queue *l = &m->lane[q.lane];
  if (m->queued && (l->head != l->tail || m->lane[q.lane & ~1u].head != m->lane[q.lane & ~1u].tail))
    return submit_later(m, &q, t, NULL);
  /* Nothing before it: decided in place, without a copy. */
  if (known)
    x = *known;
  else
    aa_translate(m, &q.look, q.lane, l->head, &x, &where);
  m->stalled = m->wdog_fired = false;
  if (aa_decide(m, &q, &x, NULL) != AA_OK) return submit_later(m, &q, t, &x);
  l->tail++;
  l->head++;
  l->xl++;
  if (m->due || m->logs_due) aa_settle(m);
  return AA_OK;
}

/* The short way for what most requests are: whole words of a page that asks for nothing but the access, while nothing waits. It
 * translates and decides by the functions of the long way, leaves out what cannot be, and remembers pages that were hit. */
static inline bool plain_form(const tlp *t, bool write) {
  uint32_t len = t->hdr[0] & 0x3ffu, be = t->hdr[1] & 0xffu;
  if (t->ndw != (write ? len : 0)) return false;
  return len == 1 ? be == 0x0f : be == 0xff && ((uint32_t)tlp_addr(t->hdr) & 0xfffu) + 4 * len <= 4096;
}

static AA_HOT aa_status submit_page(aa *m, unsigned port, const tlp *t, bool write) {
  uint32_t h1 = t->hdr[1], len = t->hdr[0] & 0x3ffu;
  uint64_t addr = tlp_addr(t->hdr), page = addr >> 12;
  unsigned where, limit = write ? m->mps_dw : m->mrrs_dw;
  aa_xlate x;
  if (!m->plain || m->queued || len - 1 >= limit || page >> 8 == 0xfee || !plain_form(t, write))
    return submit_any(m, port, t, NULL);
  aa_look k = {.iova = addr, .sid = (uint16_t)(h1 >> 16), .write = write};
  unsigned hit = aa_translate(m, &k, 0, 0, &x, &where);
  if (x.fault || !aa_decide_plain(m->rule[write ? AA_OP_WRITE : AA_OP_READ], &x)) return submit_any(m, port, t, &x);
  if (!write && m->flush.any && (x.leaf & AA_LEAF_E) && aa_flush_match(&m->flush, addr, (unsigned)(x.leaf >> 52)))
    return submit_any(m, port, t, &x);
  if (hit == AA_HIT_IOTLB) {
    unsigned way = where & m->xlt.iotlb.way_mask;
    m->memo[write][page % AA_MEMOS] =
        (aa_memo){page, m->xlt.gen | h1 >> 16, x.leaf & AA_LEAF_FRAME, where - way, (uint16_t)way, (uint16_t)limit};
  }
  if (!write && !plain_tag(m, port, h1 >> 8, addr & 0xfffu, len)) return submit_any(m, port, t, &x);
  plain_pass(m, t, write, (x.leaf & AA_LEAF_FRAME) | (addr & 0xfffu));
  return AA_OK;
}

/* Each apart, so that it saves no more registers than it needs. */
static AA_APART aa_status write_page(aa *m, unsigned port, const tlp *t) { return submit_page(m, port, t, true); }
static AA_APART aa_status read_page(aa *m, unsigned port, const tlp *t) { return submit_page(m, port, t, false); }

static AA_HOT aa_status submit_plain(aa *m, unsigned port, const tlp *t, bool write) {
  uint32_t h1 = t->hdr[1], len = t->hdr[0] & 0x3ffu;
  uint64_t addr = tlp_addr(t->hdr), page = addr >> 12;
  const aa_memo *e = &m->memo[write][page % AA_MEMOS];
  if (e->page != page || e->who != (m->xlt.gen | h1 >> 16) || len - 1 >= e->limit || !plain_form(t, write))
    return write ? write_page(m, port, t) : read_page(m, port, t);
  if (!write && !plain_tag(m, port, h1 >> 8, addr & 0xfffu, len)) return submit_any(m, port, t, NULL);
  aa_tlb_touch_way(&m->xlt.iotlb, e->set, e->way);
  m->cnt[AA_CNT_HITS]++;
  plain_pass(m, t, write, e->frame | (addr & 0xfffu));
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
