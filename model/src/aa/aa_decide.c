// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_decide.h"

#include <string.h>

#include "aa_state.h"
#include "../le.h"
#include "tocsin/aa_regs.h"

/* DEC-10, DEC-11. */
uint8_t aa_decide_rule(aa_op op, unsigned bits) {
  bool r = bits & AA_LEAF_R, w = bits & AA_LEAF_W, wld = bits & AA_LEAF_WLD, rld = bits & AA_LEAF_RLD;
  bool e = bits & AA_LEAF_E;
  bool l_write = (bits & AA_LEAF_WL) || wld, l_read = (bits & AA_LEAF_RL) || rld;
  bool allowed = false, l = false;
  unsigned denied = AA_RULE_FAULT6, data = 0, out;

  switch (op) {
    case AA_OP_WRITE:
    case AA_OP_ZERO_WRITE:
      allowed = w;
      l = l_write;
      denied = AA_RULE_FAULT5;
      data = wld && op == AA_OP_WRITE ? AA_RULE_DATA_PUT : 0;
      break;
    case AA_OP_READ:
    case AA_OP_ZERO_READ:
      allowed = op == AA_OP_READ ? r : r || w;
      l = l_read;
      data = rld && allowed && op == AA_OP_READ ? AA_RULE_DATA_GET : 0;
      break;
    default:
      allowed = r && w;
      l = l_write || l_read;
      denied = w ? AA_RULE_FAULT6 : AA_RULE_FAULT5;
      data = wld ? AA_RULE_DATA_PUT : rld && allowed ? AA_RULE_DATA_GET : 0;
      break;
  }
  out = allowed ? AA_RULE_ALLOWED : 0;
  if (e && l) return (uint8_t)(out | AA_RULE_LOG | data);
  if (!e && !allowed) return (uint8_t)denied;
  return (uint8_t)(out | (!e && l ? AA_RULE_STOCK : 0));
}

/* What the first rule that matches says, before resources are asked for: of DEC-1, DEC-2, DEC-3, DEC-4, DEC-5, DEC-6,
 * DEC-7, DEC-8, DEC-9, DEC-10. */
typedef struct aa_verdict {
  uint8_t err, fault;
  uint8_t rule;          /* what is logged: AA_RULE_LOG and AA_RULE_DATA_* */
  uint8_t flags;         /* V_... */
  uint8_t event, event2; /* counters */
  uint8_t log;
  uint16_t iuid; /* for the error register */
  bool dead;     /* its key is in quarantine */
} aa_verdict;
enum { V_FORWARD = 1, V_TRANSLATE = 2, V_UR = 4, V_FLUSH = 8, V_POISON = 16, V_LOG = 32 };

/* DEC-13. */
static bool qualified(unsigned reason) {
  return (reason >= 2 && reason <= 7) || (reason >= 0xc && reason <= 0xe) || reason == 0x25 || reason == 0xa0;
}

/* DEC-1, DEC-2, DEC-3, DEC-4, DEC-5, DEC-6: what a request is, who sends it, and where it goes to.
 * True: that decides. */
static AA_HOT bool judge_request(const aa *m, const aa_req *q, const aa_xlate *x, aa_verdict *v) {
  bool np = q->lane & 1;
  if (q->bad) { /* DEC-2 */
    v->err = q->bad;
    v->flags = q->bad == AA_ERR_ATOMIC || (q->bad == AA_ERR_TYPE && np) ? V_UR : 0;
    v->event = AA_CNT_MALFORMED;
    return true;
  }
  if (q->kind == AA_KIND_PASS) { /* DEC-1 */
    v->flags = V_FORWARD;
    v->event = AA_CNT_PASSED;
    return true;
  }
  v->flags = np ? V_UR : 0; /* unless something below lets it through */
  if (m->filter_any) {      /* DEC-3 */
    uint64_t f = m->port_filter[q->lane >> 1];
    if ((f & AA_AA_PORT_EN_MASK) && ((f ^ q->look.sid) & (f >> AA_AA_PORT_MASK_LSB) & 0xffff)) {
      v->err = AA_ERR_PORT_ID;
      v->event = AA_CNT_PORT_FILTER;
      return true;
    }
  }
  unsigned tag = np ? aa_tag_find(&m->tags, aa_tag_key(q->look.sid, tlp_req_tag(q->t->hdr))) : AA_TAG_NONE;
  v->dead = tag != AA_TAG_NONE && m->tags.tag[tag].dead;
  if (tag != AA_TAG_NONE && !v->dead) { /* DEC-4 */
    v->err = AA_ERR_TAG_LIVE;
    v->event = AA_CNT_TAG_LIVE;
    return true;
  }
  if (x->fault | x->nointr) { /* DEC-5, DEC-6 */
    v->fault = x->fault ? x->fault : 0x25;
    return true;
  }
  return false;
}

static AA_HOT void names_log(const aa *m, unsigned iuid, aa_verdict *v) {
  v->iuid = (uint16_t)iuid;
  v->log = m->logs.of_iuid[iuid];
}

/* DEC-9: of a get to a flush page. */
static AA_HOT void judge_flush(const aa_req *q, aa_verdict *v) {
  if (q->len > 4) {
    v->err = AA_ERR_FLUSH_LEN;
  } else if (v->log == AA_LOG_NONE) {
    v->err = AA_ERR_NO_LOG;
    v->event = AA_CNT_NO_LOG;
  } else {
    v->flags = V_FLUSH;
    v->event = AA_CNT_FLUSHES;
  }
}

/* DEC-7, DEC-8, DEC-9, DEC-10, DEC-11, DEC-12: what the page says. */
static AA_HOT void judge_page(const aa *m, const aa_req *q, const aa_xlate *x, aa_verdict *v) {
  const uint32_t *h = q->t->hdr;
  unsigned iuid = (unsigned)(x->leaf >> 52);
  bool zero = q->kind != AA_KIND_ATOMIC && q->len == 1 && !(h[1] & 15u);
  aa_op op = q->kind == AA_KIND_ATOMIC  ? AA_OP_ATOMIC
             : q->kind == AA_KIND_WRITE ? (zero ? AA_OP_ZERO_WRITE : AA_OP_WRITE)
                                        : (zero ? AA_OP_ZERO_READ : AA_OP_READ);
  unsigned rule = m->rule[op][x->leaf & 127u];
  if ((h[0] & 0x4000u) && q->kind != AA_KIND_READ) { /* DEC-7 */
    v->err = AA_ERR_POISON;
    v->event = AA_CNT_POISONED;
    if (!x->bypass && (rule & AA_RULE_LOG)) {
      names_log(m, iuid, v);
      v->rule = AA_RULE_LOG;
      v->flags = (uint8_t)(v->flags | V_POISON | (v->log != AA_LOG_NONE ? V_LOG : 0));
    }
    return;
  }
  if (x->bypass) { /* DEC-8 */
    v->flags = V_FORWARD;
    return;
  }
  bool allowed = rule & AA_RULE_ALLOWED;
  if (q->kind == AA_KIND_READ && m->flush.any && allowed && (x->leaf & AA_LEAF_E) &&
      aa_flush_match(&m->flush, q->look.iova, iuid)) { /* DEC-9 */
    names_log(m, iuid, v);
    judge_flush(q, v);
    return;
  }
  if (allowed && aa_decide_fee(x->leaf)) { /* DEC-12 */
    v->fault = 0xe;
    return;
  }
  if (allowed)
    v->flags = V_FORWARD | V_TRANSLATE;
  else
    v->event2 = AA_CNT_DENIED;
  if (rule & AA_RULE_LOG) {
    names_log(m, iuid, v);
    v->rule = (uint8_t)rule;
    if (v->log == AA_LOG_NONE) {
      v->err = AA_ERR_NO_LOG;
      v->event = AA_CNT_NO_LOG;
    } else {
      v->flags |= V_LOG;
    }
  } else {
    v->fault = rule & AA_RULE_STOCK ? 0xa0 : rule & AA_RULE_FAULT5 ? 5 : rule & AA_RULE_FAULT6 ? 6 : 0;
  }
}

static void judge(const aa *m, const aa_req *q, const aa_xlate *x, aa_verdict *v) {
  *v = (aa_verdict){.event = AA_CNT_NOTHING, .event2 = AA_CNT_NOTHING, .log = AA_LOG_NONE};
  if (!judge_request(m, q, x, v)) judge_page(m, q, x, v);
}

/* Header of the log entry. LOG-2. */
static void entry_header(const aa_req *q, const aa_verdict *v, aa_entry *e) {
  static const uint8_t kind[4] = {0, AA_ENTRY_PUT, AA_ENTRY_GET, AA_ENTRY_ATOMIC};
  const uint32_t *h = q->t->hdr;
  unsigned len = q->len, fbe = h[1] & 15u, lbe = h[1] >> 4 & 15u;
  uint64_t flags = (v->rule & (AA_RULE_DATA_PUT | AA_RULE_DATA_GET)) ? AA_ENTRY_DATA : 0;
  if (!(v->flags & V_FORWARD)) flags |= AA_ENTRY_DENIED;
  if (v->flags & V_POISON) flags |= AA_ENTRY_POISONED;
  if (q->kind == AA_KIND_ATOMIC) { /* byte enables are reserved there */
    if ((v->rule & AA_RULE_DATA_GET) && (h[0] >> 24 & 0x1fu) == 0x0eu) len /= 2;
    fbe = 15;
    lbe = len > 1 ? 15 : 0;
  }
  e->addr = q->look.iova | tlp_first_byte(fbe);
  e->info = aa_entry_info(v->iuid, kind[q->kind], len, fbe, lbe, tlp_req_tag(h), q->look.sid, flags);
}

/* Put path: pad record, header and data, in the order of decision. LOG-3, LOG-4. */
static void write_put(aa *m, const aa_req *q, const aa_entry *e, const aa_place *p, const aa_retire_rec *hw) {
  uint8_t *b = m->buf;
  uint32_t n = aa_entry_bytes(e->info);
  if (p->pad) {
    aa_log_header(b, 0, aa_log_pad_info(p->pad));
    aa_write(m, AA_SRC_PUT, p->log, p->pad_addr, b, 16, hw);
  }
  aa_log_header(b, e->addr, e->info);
  if (n > 16) {
    unsigned len = aa_entry_len(e->info);
    memset(b + n - 16, 0, 16);
    aa_log_mask(b + 16, q->t->data, len, aa_entry_fbe(e->info), len > 1 ? aa_entry_lbe(e->info) : 15);
  }
  aa_write(m, AA_SRC_PUT, p->log, p->addr, b, n, hw);
  aa_log_close_slot(&m->logs, p->log, p->slot);
  m->logs_due |= 1u << p->log;
}

static aa_status compare(aa *m, const aa_retire_rec *hw, unsigned out, bool watchdog, uint64_t a, uint64_t b,
                         unsigned log, unsigned idx) {
  if (hw->code != out) return aa_differs(m, "code", hw->code, out);
  if (hw->flag != watchdog) return aa_differs(m, "flag", hw->flag, watchdog);
  if (hw->a != a) return aa_differs(m, "a", hw->a, a);
  if (hw->b != b) return aa_differs(m, "b", hw->b, b);
  if ((out == AA_OUT_LOG || out == AA_OUT_REDIRECT) && hw->slot != log) return aa_differs(m, "slot", hw->slot, log);
  if (hw->idx != idx) return aa_differs(m, "idx", hw->idx, idx);
  return AA_OK;
}

/* What a read or an atomic waits for: bytes, from an offset in the page (atomics: 0). TAG-2. */
static inline unsigned expected(const aa_req *q, unsigned *start) {
  uint32_t h0 = q->t->hdr[0], h1 = q->t->hdr[1];
  *start = 0;
  if (q->kind == AA_KIND_ATOMIC) return (h0 >> 24 & 0x1fu) == 0x0eu ? 2u * q->len : 4u * q->len;
  *start = ((unsigned)q->look.iova & 0xfffu) + tlp_first_byte(h1 & 15u);
  return tlp_byte_count(q->len, h1 & 15u, h1 >> 4 & 15u);
}

/* A decision under way: what it takes, and what comes of it. */
typedef struct decision {
  aa_verdict v;
  unsigned port;
  bool forwarded;
  bool track;              /* it takes a tag entry, or a waiter with one */
  bool lost, watchdog;     /* its record is; because time was over */
  unsigned entry_idx, idx; /* self-running: the tag entry; the number in the record */
  unsigned out;            /* AA_OUT_... */
  uint32_t bytes;          /* of the log's entry */
  uint64_t at, to;         /* where the entry and the access go */
  aa_entry e;
  aa_place place;
} decision;

/* A tag entry, for a flush a waiter too. DEC-14. */
static AA_HOT aa_status find_number(aa *m, decision *d, const aa_retire_rec *hw) {
  if (d->track && d->v.dead) return hw ? aa_order(m, "decided while its tag is in quarantine") : AA_E_BUSY;
  d->entry_idx = hw || !d->track ? AA_TAG_NONE : aa_tag_pick(&m->tags, d->port);
  if (d->track && (hw ? aa_tag_full(&m->tags, d->port) : d->entry_idx == AA_TAG_NONE))
    return hw ? aa_order(m, "decided without a free tag entry") : AA_E_BUSY;
  if (d->v.flags & V_FLUSH) {
    d->idx = aa_flush_pick(&m->flush, d->port);
    if (d->idx == m->flush.waiters) return hw ? aa_order(m, "flush without a free waiter") : AA_E_BUSY;
    d->out = AA_OUT_FLUSH;
  } else if (d->track) {
    d->idx = hw ? hw->idx : d->entry_idx;
    if (d->idx >= m->cfg.TagEntries || m->tags.tag[d->idx].live) return aa_order(m, "tag entry %u is not free", d->idx);
    if (!aa_share_has(m->tags.share, m->tags.ports, d->port, d->idx))
      return aa_order(m, "tag entry %u is of another port's share", d->idx);
  }
  return AA_OK;
}

/* Space in the log, or the reason why the record is lost. DEC-15, DEC-16. */
static AA_HOT aa_status find_space(aa *m, const aa_req *q, decision *d, const aa_retire_rec *hw) {
  const aa_log *g = &m->logs.log[d->v.log];
  entry_header(q, &d->v, &d->e);
  d->bytes = aa_entry_bytes(d->e.info);
  unsigned room = aa_log_room(&m->logs, d->v.log, d->bytes, &d->place);
  unsigned why = room == AA_ROOM_FAILED ? AA_ERR_LOG_FAILED : AA_ERR_LOG_FIT;
  if (room == AA_ROOM_FULL) {
    why = AA_ERR_LOG_DROP;
    if (!(g->cfg & AA_LOG_CFG_DROP_MASK)) {
      d->watchdog = hw ? hw->flag && m->wdog : m->wdog_fired;
      why = AA_ERR_LOG_WDOG;
      m->stalled = true;
      if (!d->watchdog) return hw ? aa_order(m, "decided without room in log %u", d->v.log) : AA_E_BUSY;
    }
  }
  d->lost = room != AA_ROOM_OK;
  if (d->lost) {
    d->v.err = d->v.err ? d->v.err : (uint8_t)why;
    d->out = d->forwarded ? AA_OUT_LOST : AA_OUT_BLOCK_LOST;
  } else {
    d->at = d->place.addr;
    d->out = d->forwarded ? AA_OUT_LOG : AA_OUT_REDIRECT;
  }
  return AA_OK;
}

/* Counters, faults, errors. DEC-13, DEC-18. */
static AA_HOT void count(aa *m, const aa_req *q, const aa_xlate *x, const aa_verdict *v) {
  static const uint8_t kind_counter[5] = {AA_CNT_NOTHING, AA_CNT_WRITES, AA_CNT_READS, AA_CNT_ATOMICS, AA_CNT_NOTHING};
  m->cnt[AA_CNT_REQUESTS]++;
  m->cnt[kind_counter[q->kind]]++;
  m->cnt[v->event]++;
  m->cnt[v->event2]++;
  if (v->fault && !(x->fpd && qualified(v->fault))) {
    bool kept = aa_fault_record(&m->fault, v->fault, q->kind == AA_KIND_READ, q->t->hdr[0] >> 10 & 3u, q->look.sid,
                                q->look.iova);
    m->cnt[kept ? AA_CNT_STOCK : AA_CNT_STOCK_LOST]++;
    m->due = true;
  }
  if (v->err) aa_fault_error(&m->fault, v->err, q->look.sid, v->iuid, q->look.iova);
}

static AA_HOT void enter_log(aa *m, const aa_req *q, const decision *d, const aa_retire_rec *hw) {
  if (d->lost) {
    m->logs.log[d->v.log].sts |= AA_LP_STS_LOST_MASK;
    m->cnt[AA_CNT_DROPPED]++;
  } else if (d->v.flags & V_LOG) {
    aa_log_take(&m->logs, &d->place, d->bytes);
    m->cnt[AA_CNT_RESERVED]++;
    m->cnt[AA_CNT_RESERVED_BYTES] += d->bytes;
    m->cnt[AA_CNT_PADS] += d->place.pad != 0;
    if (!(d->v.rule & AA_RULE_DATA_GET)) write_put(m, q, &d->e, &d->place, hw);
  }
}

/* FLU-1. */
static AA_HOT void hold_flush(aa *m, const aa_req *q, const decision *d, const aa_retire_rec *hw) {
  const uint32_t *h = q->t->hdr;
  aa_waiter *w = &m->flush.waiter[d->idx];
  if (!hw) aa_tag_picked(&m->tags, d->port);
  aa_tag_take(&m->tags, AA_TAG_MAX + d->idx, aa_tag_key(q->look.sid, tlp_req_tag(h)), d->port)->home =
      (uint16_t)d->entry_idx;
  w->live = true;
  w->torn = aa_log_failed(&m->logs.log[d->v.log]);
  w->reset = w->must = false;
  w->port = q->lane >> 1;
  w->log = d->v.log;
  w->snapshot = m->logs.log[d->v.log].rsvd;
  memcpy(w->hdr, h, sizeof w->hdr);
  w->seq = q->t->seq;
  w->since = m->now;
  m->flush.used++;
  m->logs_due |= 1u << d->v.log;
}

static AA_HOT void begin_read(aa *m, const aa_req *q, const decision *d, const aa_retire_rec *hw) {
  if (!hw) aa_tag_picked(&m->tags, d->port);
  aa_tag *t = aa_tag_take(&m->tags, d->idx, aa_tag_key(q->look.sid, tlp_req_tag(q->t->hdr)), d->port);
  unsigned start, bytes = expected(q, &start);
  aa_tag_begin(t, start, bytes, m->now);
  if ((d->v.rule & AA_RULE_DATA_GET) && !d->lost && (d->v.flags & V_LOG)) {
    t->logged = true;
    t->entry = d->e;
    t->place = d->place;
  }
}

/* DEC-14, DEC-15, DEC-16, DEC-18, RST-2. Resources first, all or nothing. */
aa_status aa_decide(aa *m, const aa_req *q, const aa_xlate *x, const aa_retire_rec *hw) {
  decision d;
  judge(m, q, x, &d.v);
  if (q->old || q->old_fn) /* nothing but the record */
    d.v = (aa_verdict){.event = AA_CNT_CUT, .event2 = AA_CNT_NOTHING, .log = AA_LOG_NONE};
  const unsigned flags = d.v.flags;
  d.port = q->lane >> 1;
  d.forwarded = flags & V_FORWARD;
  d.track = (q->lane & 1) && (flags & (V_FORWARD | V_FLUSH));
  d.lost = d.watchdog = false;
  d.idx = 0xff;
  d.out = d.forwarded ? AA_OUT_PASS : AA_OUT_BLOCK;
  d.bytes = 0;
  d.at = 0;
  aa_status s = find_number(m, &d, hw);
  if (s == AA_OK && (flags & V_LOG)) s = find_space(m, q, &d, hw);
  if (s != AA_OK) return s;
  d.to = !d.forwarded || q->kind == AA_KIND_PASS ? 0
         : (flags & V_TRANSLATE)                 ? (x->leaf & AA_LEAF_FRAME) | (q->look.iova & 0xfffu)
                                                 : q->look.iova;
  if (hw) {
    s = compare(m, hw, d.out, d.watchdog, d.to, d.at, d.v.log, d.idx);
    if (s != AA_OK) return s;
  } else {
    aa_emit(m, AA_RET_DECIDE, d.watchdog, d.out, q->lane, d.out == AA_OUT_LOG || d.out == AA_OUT_REDIRECT ? d.v.log : 0,
            d.idx, d.to, d.at);
  }

  count(m, q, x, &d.v);
  enter_log(m, q, &d, hw);
  if (flags & V_FLUSH) {
    hold_flush(m, q, &d, hw);
    return AA_OK;
  }
  if (d.track) begin_read(m, q, &d, hw);
  if (flags & V_TRANSLATE)
    aa_forward(m, q->t, d.to);
  else if (d.forwarded)
    m->ops.host_req(m->ctx, q->t);
  else if (flags & V_UR)
    aa_cpl_refuse(m, d.port, q->t->hdr, q->t->seq);
  return AA_OK;
}

/* DEC-15, DEC-17. */
unsigned aa_decide_lacks(aa *m, const aa_req *q, const aa_xlate *x) {
  aa_verdict v;
  aa_entry e;
  aa_place place;
  unsigned lacks = 0;
  if (q->old || q->old_fn) return 0;
  judge(m, q, x, &v);
  unsigned port = q->lane >> 1;
  if ((q->lane & 1) && (v.flags & (V_FORWARD | V_FLUSH)) && (v.dead || aa_tag_scarce(&m->tags, port)))
    lacks |= AA_LACKS_OTHER;
  if ((v.flags & V_FLUSH) && aa_flush_pick(&m->flush, port) == m->flush.waiters) lacks |= AA_LACKS_OTHER;
  if (!(v.flags & V_LOG) || (m->logs.log[v.log].cfg & AA_LOG_CFG_DROP_MASK)) return lacks;
  entry_header(q, &v, &e);
  return aa_log_room(&m->logs, v.log, aa_entry_bytes(e.info), &place) == AA_ROOM_FULL ? lacks | AA_LACKS_SPACE : lacks;
}
