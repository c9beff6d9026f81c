// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_decide.h"

#include <string.h>

#include "aa_state.h"
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

/* What the first of DEC-1 to DEC-10 that matches says, before resources are asked for. */
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

static void judge(aa *m, const aa_req *q, const aa_xlate *x, aa_verdict *v) {
  const uint32_t *h = q->t->hdr;
  bool np = q->lane & 1;
  unsigned iuid = (unsigned)(x->leaf >> 52);

  v->err = v->fault = v->rule = 0;
  v->event = v->event2 = AA_CNT_NOTHING;
  v->log = AA_LOG_NONE;
  v->iuid = 0;
  v->flags = 0;
  v->dead = false;
  if (q->bad) { /* DEC-2 */
    v->err = q->bad;
    v->flags = q->bad == AA_ERR_ATOMIC || (q->bad == AA_ERR_TYPE && np) ? V_UR : 0;
    v->event = AA_CNT_MALFORMED;
    return;
  }
  if (q->kind == AA_KIND_PASS) { /* DEC-1 */
    v->flags = V_FORWARD;
    v->event = AA_CNT_PASSED;
    return;
  }
  v->flags = np ? V_UR : 0; /* unless something below lets it through */
  if (m->filter_any) {      /* DEC-3 */
    uint64_t f = m->port_filter[q->lane >> 1];
    if ((f & AA_AA_PORT_EN_MASK) && ((f ^ q->look.sid) & (f >> AA_AA_PORT_MASK_LSB) & 0xffff)) {
      v->err = AA_ERR_PORT_ID;
      v->event = AA_CNT_PORT_FILTER;
      return;
    }
  }
  unsigned tag = np ? aa_tag_find(&m->tags, aa_tag_key(q->look.sid, tlp_req_tag(h))) : AA_TAG_NONE;
  v->dead = tag != AA_TAG_NONE && m->tags.tag[tag].dead;
  if (tag != AA_TAG_NONE && !v->dead) { /* DEC-4 */
    v->err = AA_ERR_TAG_LIVE;
    v->event = AA_CNT_TAG_LIVE;
    return;
  }
  if (x->fault | x->nointr) { /* DEC-5, DEC-6 */
    v->fault = x->fault ? x->fault : 0x25;
    return;
  }

  bool zero = q->kind != AA_KIND_ATOMIC && q->len == 1 && !(h[1] & 15u);
  aa_op op = q->kind == AA_KIND_ATOMIC  ? AA_OP_ATOMIC
             : q->kind == AA_KIND_WRITE ? (zero ? AA_OP_ZERO_WRITE : AA_OP_WRITE)
                                        : (zero ? AA_OP_ZERO_READ : AA_OP_READ);
  unsigned rule = m->rule[op][x->leaf & 127u];
  if ((h[0] & 0x4000u) && q->kind != AA_KIND_READ) { /* DEC-7 */
    v->err = AA_ERR_POISON;
    v->event = AA_CNT_POISONED;
    if (!x->bypass && (rule & AA_RULE_LOG)) {
      v->iuid = (uint16_t)iuid;
      v->log = m->logs.of_iuid[iuid];
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
  /* DEC-9 */
  if (q->kind == AA_KIND_READ && m->flush.any && allowed && (x->leaf & AA_LEAF_E) &&
      aa_flush_match(&m->flush, q->look.iova, iuid)) {
    v->iuid = (uint16_t)iuid;
    v->log = m->logs.of_iuid[iuid];
    if (q->len > 4) {
      v->err = AA_ERR_FLUSH_LEN;
    } else if (v->log == AA_LOG_NONE) {
      v->err = AA_ERR_NO_LOG;
      v->event = AA_CNT_NO_LOG;
    } else {
      v->flags = V_FLUSH;
      v->event = AA_CNT_FLUSHES;
    }
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
    v->rule = (uint8_t)rule;
    v->iuid = (uint16_t)iuid;
    v->log = m->logs.of_iuid[iuid];
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

/* DEC-14, DEC-15, DEC-16, DEC-18, RST-2. */
aa_status aa_decide(aa *m, const aa_req *q, const aa_xlate *x, const aa_retire_rec *hw) {
  static const uint8_t kind_counter[5] = {AA_CNT_NOTHING, AA_CNT_WRITES, AA_CNT_READS, AA_CNT_ATOMICS, AA_CNT_NOTHING};
  const uint32_t *h = q->t->hdr;
  aa_verdict v;
  judge(m, q, x, &v);
  if (q->old || q->old_fn) { /* nothing but the record */
    v = (aa_verdict){.event = AA_CNT_CUT, .event2 = AA_CNT_NOTHING, .log = AA_LOG_NONE};
  }

  /* ---- resources: all or nothing ---- */
  bool forwarded = v.flags & V_FORWARD, np = q->lane & 1, lost = false, watchdog = false;
  bool track = np && (v.flags & (V_FORWARD | V_FLUSH));
  unsigned idx = 0xff, out = forwarded ? AA_OUT_PASS : AA_OUT_BLOCK;
  aa_entry e;
  aa_place place;
  uint32_t bytes = 0;
  uint64_t at = 0;

  if (track && v.dead) return hw ? aa_order(m, "decided while its tag is in quarantine") : AA_E_BUSY;
  unsigned port = q->lane >> 1, entry_idx = hw || !track ? AA_TAG_NONE : aa_tag_pick(&m->tags, port);
  if (track && (hw ? aa_tag_full(&m->tags, port) : entry_idx == AA_TAG_NONE))
    return hw ? aa_order(m, "decided without a free tag entry") : AA_E_BUSY;
  if (v.flags & V_FLUSH) {
    idx = aa_flush_pick(&m->flush, port);
    if (idx == m->flush.waiters) return hw ? aa_order(m, "flush without a free waiter") : AA_E_BUSY;
    out = AA_OUT_FLUSH;
  } else if (track) {
    idx = hw ? hw->idx : entry_idx;
    if (idx >= m->cfg.TagEntries || m->tags.tag[idx].live) return aa_order(m, "tag entry %u is not free", idx);
    if (!aa_share_has(m->tags.share, m->tags.ports, port, idx))
      return aa_order(m, "tag entry %u is of another port's share", idx);
  }
  if (v.flags & V_LOG) {
    const aa_log *g = &m->logs.log[v.log];
    entry_header(q, &v, &e);
    bytes = aa_entry_bytes(e.info);
    unsigned room = aa_log_room(&m->logs, v.log, bytes, &place);
    unsigned why = room == AA_ROOM_FAILED ? AA_ERR_LOG_FAILED : AA_ERR_LOG_FIT;
    if (room == AA_ROOM_FULL) {
      why = AA_ERR_LOG_DROP;
      if (!(g->cfg & AA_LOG_CFG_DROP_MASK)) {
        watchdog = hw ? hw->flag && m->wdog : m->wdog_fired;
        why = AA_ERR_LOG_WDOG;
        m->stalled = true;
        if (!watchdog) return hw ? aa_order(m, "decided without room in log %u", v.log) : AA_E_BUSY;
      }
    }
    lost = room != AA_ROOM_OK;
    if (lost) {
      v.err = v.err ? v.err : (uint8_t)why;
      out = forwarded ? AA_OUT_LOST : AA_OUT_BLOCK_LOST;
    } else {
      at = place.addr;
      out = forwarded ? AA_OUT_LOG : AA_OUT_REDIRECT;
    }
  }
  uint64_t to = !forwarded || q->kind == AA_KIND_PASS ? 0
                : (v.flags & V_TRANSLATE)             ? (x->leaf & AA_LEAF_FRAME) | (q->look.iova & 0xfffu)
                                                      : q->look.iova;
  if (hw) {
    aa_status s = compare(m, hw, out, watchdog, to, at, v.log, idx);
    if (s != AA_OK) return s;
  } else {
    aa_emit(m, AA_RET_DECIDE, watchdog, out, q->lane, out == AA_OUT_LOG || out == AA_OUT_REDIRECT ? v.log : 0, idx, to,
            at);
  }

  /* ---- counters, faults, errors ---- */
  m->cnt[AA_CNT_REQUESTS]++;
  m->cnt[kind_counter[q->kind]]++;
  m->cnt[v.event]++;
  m->cnt[v.event2]++;
  if (v.fault && !(x->fpd && qualified(v.fault))) {
    bool kept =
        aa_fault_record(&m->fault, v.fault, q->kind == AA_KIND_READ, h[0] >> 10 & 3u, q->look.sid, q->look.iova);
    m->cnt[kept ? AA_CNT_STOCK : AA_CNT_STOCK_LOST]++;
    m->due = true;
  }
  if (v.err) aa_fault_error(&m->fault, v.err, q->look.sid, v.iuid, q->look.iova);

  /* ---- log ---- */
  bool get = v.rule & AA_RULE_DATA_GET;
  if (lost) {
    m->logs.log[v.log].sts |= AA_LP_STS_LOST_MASK;
    m->cnt[AA_CNT_DROPPED]++;
  } else if (v.flags & V_LOG) {
    aa_log_take(&m->logs, &place, bytes);
    m->cnt[AA_CNT_RESERVED]++;
    m->cnt[AA_CNT_RESERVED_BYTES] += bytes;
    m->cnt[AA_CNT_PADS] += place.pad != 0;
    if (!get) write_put(m, q, &e, &place, hw);
  }

  /* ---- the access itself ---- */
  if (v.flags & V_FLUSH) {
    aa_waiter *w = &m->flush.waiter[idx];
    if (!hw) aa_tag_picked(&m->tags, port);
    aa_tag_take(&m->tags, AA_TAG_MAX + idx, aa_tag_key(q->look.sid, tlp_req_tag(h)), port, entry_idx);
    w->live = true;
    w->torn = aa_log_failed(&m->logs.log[v.log]);
    w->reset = w->must = false;
    w->port = q->lane >> 1;
    w->log = v.log;
    w->snapshot = m->logs.log[v.log].rsvd;
    memcpy(w->hdr, h, sizeof w->hdr);
    w->seq = q->t->seq;
    w->since = m->now;
    m->flush.used++;
    m->logs_due |= 1u << v.log;
    return AA_OK;
  }
  if (track) {
    if (!hw) aa_tag_picked(&m->tags, port);
    aa_tag *t = aa_tag_take(&m->tags, idx, aa_tag_key(q->look.sid, tlp_req_tag(h)), port, idx);
    unsigned start, count = expected(q, &start);
    aa_tag_begin(t, start, count, m->now);
    if (get && !lost && (v.flags & V_LOG)) {
      t->logged = true;
      t->entry = e;
      t->place = place;
    }
  }
  if (v.flags & V_TRANSLATE)
    aa_forward(m, q->t, to);
  else if (forwarded)
    m->ops.host_req(m->ctx, q->t);
  else if (v.flags & V_UR)
    aa_cpl_refuse(m, q->lane >> 1, h, q->t->seq);
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
