// SPDX-License-Identifier: Apache-2.0
// Queue pairs: opening, connecting, closing.
#include <stdlib.h>

#include "frames.h"
#include "internal.h"

enum { RNR_CODE = 1, MTU_DEFAULT = 1024 };

// ---- opening and connecting
static toc_status good_options(const toc_qp_options *o, toc_qp_options *with) {
  *with = o ? *o : (toc_qp_options){0};
  if (!with->entries) with->entries = 64;
  if (!with->mtu) with->mtu = MTU_DEFAULT;
  if (!with->retry) with->retry = 7;
  if (!with->rnr_retry) with->rnr_retry = 7;
  if (!toc_i_power(with->entries) || with->entries > 256)
    return toc_i_fail(TOC_E_ARG, "toc_qp_open: entries must be a power of two up to 256, not %u", with->entries);
  if (!toc_i_power(with->mtu) || with->mtu < 256 || with->mtu > 4096)
    return toc_i_fail(TOC_E_ARG, "toc_qp_open: mtu must be 256, 512, 1024, 2048 or 4096, not %u", with->mtu);
  if (with->psn >> 24) return toc_i_fail(TOC_E_ARG, "toc_qp_open: a PSN has 24 bits");
  if (with->timeout_us > 1ull << 22)
    return toc_i_fail(TOC_E_ARG, "toc_qp_open: timeout_us is 4 s at most; retry says how often");
  if (with->retry > 7 || with->rnr_retry > 7)
    return toc_i_fail(TOC_E_ARG, "toc_qp_open: retry and rnr_retry are 1 to 7");
  return TOC_OK;
}

/* A number that is free: the one that the program wants, or any. */
static toc_status choose(const toc_i_node *n, uint32_t number, unsigned *index) {
  toc_address first;
  unsigned i = 0;
  toc_i_node_address(n, &first);
  if (number) {
    i = number - first.qp;
    if (number < first.qp || i >= n->caps.qps)
      return toc_i_fail(TOC_E_ARG, "toc_qp_open: node %u has queue pairs 0x%x to 0x%x, not 0x%x", n->rank, first.qp,
                        first.qp + n->caps.qps - 1, number);
    if (n->qp[i]) return toc_i_fail(TOC_E_IN_USE, "toc_qp_open: queue pair 0x%x is open", number);
  }
  while (i < n->caps.qps && n->qp[i]) i++;
  if (i == n->caps.qps) return toc_i_fail(TOC_E_FULL, "node %u: all %u queue pairs are in use", n->rank, i);
  *index = i;
  return TOC_OK;
}

static toc_status open_qp(toc_i_proc *p, const toc_qp_options *o, toc_i_qp **out) {
  toc_i_node *n = p->n;
  toc_qp_options with;
  void *ring, *scratch;
  unsigned i = 0;
  TRY(good_options(o, &with));
  TRY(choose(n, with.number, &i));
  TRY(toc_i_alloc(p, (64 + 8) * (size_t)with.entries, TOC_READ, true, &ring)); /* 8: a reply in each */
  toc_status s = toc_i_alloc(p, 8 * FLUSHES, TOC_READ | TOC_WRITE, true, &scratch);
  toc_i_qp *q = s == TOC_OK ? calloc(1, sizeof *q) : NULL;
  if (!q) {
    if (s == TOC_OK) (void)toc_i_free(p, scratch, true);
    (void)toc_i_free(p, ring, true);
    return s == TOC_OK ? toc_i_fail(TOC_E_NOMEM, "toc_qp_open: no memory") : s;
  }
  *q = (toc_i_qp){.p = p, .index = i, .log2 = toc_i_log2(with.entries), .o = with, .ring = ring, .scratch = scratch};
  q->any_mtu = !o || !o->mtu;
  q->psn = with.psn ? with.psn : (uint32_t)toc_i_random(n) & 0xffffff;
  n->qp[i] = q;
  q->h = toc_i_handle_new(TOC_I_qp, q);
  if (!q->h) {
    toc_i_qp_close(q);
    return TOC_E_NOMEM;
  }
  *out = q;
  return TOC_OK;
}

/* All events that the NIC has decided on are in memory and taken. */
static bool no_event_left(void *ctx) {
  toc_i_proc *p = ctx;
  uint64_t sts;
  (void)toc_i_events(p);
  toc_status s = toc_i_read(p->n, NREG_AT(EQ_STS, p->index), 8, &sts);
  return s != TOC_OK || (uint32_t)(sts & NIC_EQ_STS_PROD_MASK) == p->eq_seen;
}

/* Off, and nothing more comes of it: an event that is still on its way must not be taken for one
 * of the next connection. */
toc_status toc_i_qp_off(toc_i_qp *q) {
  toc_i_node *n = q->p->n;
  if (n->f->dead) return TOC_E_DEAD;
  TRY(toc_i_qp_stop(q));
  return toc_i_wait(n->f, no_event_left, q->p, 0, false);
}

static unsigned timeout_log2(const toc_i_qp *q) {
  const toc_i_fabric *f = q->p->n->f;
  if (!q->o.timeout_us) return toc_i_timeout_log2(f);
  unsigned n = toc_i_log2(2 * q->o.timeout_us * f->be->mhz - 1);
  return n < 31 ? n : 31;
}

uint64_t toc_i_qp_timeout_us(const toc_i_qp *q) { return (1ull << timeout_log2(q)) / q->p->n->f->be->mhz; }

/* The oldest entry that has not ended becomes the first of the ring. */
static void begin_ring(toc_i_qp *q) {
  uint8_t all[256 * 64];
  const uint32_t mask = q->o.entries - 1;
  memcpy(all, q->ring, 64 * (size_t)q->o.entries);
  for (uint32_t i = 0; i < q->o.entries; i++)
    memcpy(q->ring + 64 * i, all + 64 * ((q->ended - q->base + i) & mask), 64);
  q->base = q->ended;
}

static toc_status page_of(const toc_i_qp *q, const toc_address *to, toc_i_page *page) {
  const bool v6 = !to->ip;
  TRY(toc_i_local(q->p, q->ring, 1, 0, &TOC_I_WORD(page, RING)));
  TOC_I_WORD(page, RINGC) = q->log2 | (0xc000ull + (q->index & 0x3fff)) << NIC_QP_RINGC_PORT_LSB;
  TOC_I_WORD(page, MAC) = to->mac;
  TOC_I_WORD(page, PEER) = to->ip | (uint64_t)to->qp << NIC_QP_PEER_QP_LSB;
  TOC_I_WORD(page, IP6_HI) = toc_i_be64(to->ip6);
  TOC_I_WORD(page, IP6_LO) = toc_i_be64(to->ip6 + 8);
  TOC_I_WORD(page, VLAN) = to->vlan;
  TOC_I_WORD(page, CTL) = NIC_QP_CTL_RECV_MASK | (v6 ? NIC_QP_CTL_IPV6_MASK : 0) |
                          (to->vlan ? NIC_QP_CTL_VLAN_MASK : 0) | (uint64_t)q->p->index << NIC_QP_CTL_PROC_LSB |
                          (uint64_t)(toc_i_log2(q->o.mtu) - 7) << NIC_QP_CTL_MTU_LSB |
                          (uint64_t)RNR_CODE << NIC_QP_CTL_RNR_LSB | (uint64_t)q->o.retry << NIC_QP_CTL_RETRY_LSB |
                          (uint64_t)q->o.rnr_retry << NIC_QP_CTL_RNR_RETRY_LSB |
                          (uint64_t)timeout_log2(q) << NIC_QP_CTL_TIMEOUT_LSB | 0xffffull << NIC_QP_CTL_PKEY_LSB;
  return TOC_OK;
}

/* page: from where it begins. */
static toc_status arm(toc_i_qp *q, const toc_address *to, toc_i_page *page, bool again) {
  const toc_i_fabric *f = q->p->n->f;
  TRY(page_of(q, to, page));
  toc_address ours;
  toc_i_qp_address(q, &ours);
  if (f->be->peer) f->be->peer(f->self, ours.qp, to->mac);
  TRY(toc_i_qp_on(q, page));
  while (!again && q->ended != q->posted) toc_i_end_one(q, TOC_E_STOPPED);
  begin_ring(q);
  for (unsigned i = 0; i < FLUSHES; i++)
    if (q->word[i].left) q->word[i].taken = q->word[i].left = false;
  q->to = *to;
  if (f->linked) {
    toc_link_count c;
    f->be->count(f->self, &c);
    q->refused = c.refused;
  }
  q->stopped = TOC_OK;
  q->fatal = q->middle = false;
  q->connected = true;
  return q->posted == q->base ? TOC_OK : toc_i_qp_bell(q);
}

toc_status toc_i_qp_arm(toc_i_qp *q, const toc_address *to, bool again) {
  toc_i_page page = {0};
  TOC_I_WORD(&page, NOW) = to->psn | (uint64_t)q->psn << NIC_QP_NOW_UNA_LSB;
  return arm(q, to, &page, again);
}

/* From where it was, but for the ring, which begins anew: nothing is in it. */
toc_status toc_i_qp_arm_at(toc_i_qp *q, const toc_qp_state *s) {
  const uint64_t answers = (s->msg & NIC_QP_MSG_ANSWERS_MASK) >> NIC_QP_MSG_ANSWERS_LSB;
  toc_i_page page = {.answers = answers < TOC_I_ANSWERS ? (unsigned)answers : TOC_I_ANSWERS, .answer = s->answer};
  TOC_I_WORD(&page, NOW) = s->now;
  TOC_I_WORD(&page, MSG) = s->msg;
  TOC_I_WORD(&page, VA) = s->va;
  TOC_I_WORD(&page, REST) = s->rest;
  q->psn = s->psn;
  q->o.mtu = s->mtu;
  return arm(q, &s->to, &page, false);
}

static bool not_held(void *ctx) { return !((const toc_i_qp *)ctx)->held; }

/* Frames fit the path to the peer. Without a word of the program its MTU is what fits. */
static toc_status fit(toc_i_qp *q, const toc_address *to) {
  const toc_i_fabric *f = q->p->n->f;
  const uint32_t around = toc_i_bytes_around(to);
  uint32_t bytes = 0, mtu = q->o.mtu;
  char why[160] = "";
  if (!f->be->path) return TOC_OK;
  toc_status s = f->be->path(f->self, to, &bytes, why);
  if (s != TOC_OK) return toc_i_fail(s, "toc_qp_connect: %s", why);
  if (q->any_mtu) mtu = MTU_DEFAULT;
  while (bytes && q->any_mtu && mtu > 256 && mtu + around > bytes) mtu /= 2;
  if (bytes && mtu + around > bytes)
    return toc_i_fail(TOC_E_SUPPORT, "toc_qp_connect: frames of mtu %u have %u bytes from IP on, the path takes %u",
                      mtu, mtu + around, bytes);
  q->o.mtu = mtu;
  return TOC_OK;
}

/* Of a node of this fabric we know which it has. A wire goes to others; what leaves by a link may come back. */
static toc_status is_there(const toc_i_qp *q, const toc_address *to) {
  const toc_i_fabric *f = q->p->n->f;
  for (unsigned i = 0; i < f->nodes; i++) {
    const toc_i_node *n = &f->node[i];
    toc_address first;
    toc_i_node_address(n, &first);
    if (first.mac == to->mac && n == q->p->n && !f->linked)
      return toc_i_fail(TOC_E_ARG, "toc_qp_connect: both ends on node %u; the wire goes to others", n->rank);
    if (first.mac != to->mac || (to->qp >= first.qp && to->qp - first.qp < n->caps.qps)) continue;
    return toc_i_fail(TOC_E_ARG, "toc_qp_connect: node %u has queue pairs 0x%x to 0x%x, not 0x%x", n->rank, first.qp,
                      first.qp + n->caps.qps - 1, to->qp);
  }
  return TOC_OK;
}

static toc_status connect_qp(toc_i_qp *q, const toc_address *to) {
  if (to->qp >> 24 || to->psn >> 24 || to->mac >> 48)
    return toc_i_fail(TOC_E_ARG, "toc_qp_connect: QP number and PSN have 24 bits, a MAC address 48");
  if (!to->ip && !toc_i_be64(to->ip6) && !toc_i_be64(to->ip6 + 8))
    return toc_i_fail(TOC_E_ARG, "toc_qp_connect: the peer has neither an IPv4 nor an IPv6 address");
  TRY(is_there(q, to));
  TRY(fit(q, to));
  TRY(toc_i_wait(q->p->n->f, not_held, q, 0, false));
  q->connected = false;
  TRY(toc_i_qp_off(q));
  TRY(toc_i_qp_arm(q, to, false));
  q->takes_puts = false;
  q->first_error = TOC_OK; /* of a connection that is no more */
  return TOC_OK;
}

toc_status toc_qp_open(toc_proc *h_p, const toc_qp_options *o, toc_qp **q) {
  NEED(q);
  *q = NULL;
  OBJECT(proc, p);
  toc_i_lock(p->n->f);
  toc_i_qp *made = NULL;
  toc_status s = open_qp(p, o, &made);
  if (s == TOC_OK) *q = made->h;
  toc_i_unlock(p->n->f);
  return s;
}

toc_status toc_qp_address(toc_qp *h_q, toc_address *a) {
  NEED(a);
  *a = (toc_address){0};
  OBJECT(qp, q);
  toc_i_lock(q->p->n->f);
  toc_i_qp_address(q, a);
  toc_i_unlock(q->p->n->f);
  return TOC_OK;
}

toc_status toc_qp_connect(toc_qp *h_q, const toc_address *peer) {
  OBJECT(qp, q);
  NEED(peer);
  toc_i_lock(q->p->n->f);
  toc_status s = connect_qp(q, peer);
  toc_i_unlock(q->p->n->f);
  return s;
}

void toc_i_qp_close(toc_i_qp *q) {
  toc_i_proc *p = q->p;
  while (q->held) (void)toc_i_wait(p->n->f, not_held, q, TOC_FOREVER, false);
  q->connected = false;
  toc_status s = toc_i_qp_off(q);
  p->n->qp[q->index] = NULL;                          /* what comes now, of a message that it was in, names none */
  for (unsigned i = p->ev_head; i != p->ev_tail; i++) /* what still waits for the program must not name it */
    if (p->event[i % EVENTS].qp == q->h) p->event[i % EVENTS].qp = NULL;
  if (s == TOC_OK) { /* otherwise the device may still read there */
    (void)toc_i_free(p, q->ring, true);
    (void)toc_i_free(p, q->scratch, true);
    if (q->slots) (void)toc_i_free(p, q->slots, true);
  }
  toc_i_handle_end(q->h);
  free(q);
}

void toc_qp_close(toc_qp *h_q) {
  OBJECT_OR(qp, q, );
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  toc_i_qp_close(q);
  toc_i_unlock(f);
}

toc_status toc_connect(toc_proc *h_a, toc_proc *h_b, toc_qp **qa, toc_qp **qb) {
  NEED(qa);
  *qa = NULL;
  if (qb) *qb = NULL;
  OBJECT(proc, a);
  OBJECT(proc, b);
  toc_i_fabric *f = a->n->f;
  toc_i_qp *x = NULL, *y = NULL;
  toc_address ax, ay;
  if (b->n->f != f) return toc_i_fail(TOC_E_ARG, "toc_connect: both processes must be of one fabric");
  if (a->n == b->n) return toc_i_fail(TOC_E_ARG, "toc_connect: both on node %u; the wire goes to others", a->n->rank);
  toc_i_lock(f);
  toc_status s = open_qp(a, NULL, &x);
  if (s == TOC_OK) s = open_qp(b, NULL, &y);
  if (s == TOC_OK) {
    toc_i_qp_address(x, &ax);
    toc_i_qp_address(y, &ay);
    s = connect_qp(y, &ax);
    if (s == TOC_OK) s = connect_qp(x, &ay);
  }
  if (s == TOC_OK) {
    *qa = x->h;
    if (qb) *qb = y->h;
  } else {
    if (x) toc_i_qp_close(x);
    if (y) toc_i_qp_close(y);
  }
  toc_i_unlock(f);
  return s;
}

toc_proc *toc_qp_proc(const toc_qp *h_q) {
  OBJECT_OR(qp, q, NULL);
  return q->p->h;
}
