// SPDX-License-Identifier: Apache-2.0
// Queue pairs: connections, requests, and what the event ring tells of them.
#include <stdlib.h>

#include "frames.h"
#include "internal.h"
#include "tocsin/nic.h"

enum { OP_WRITE = 0, OP_WRITE_IMM = 1, OP_READ = 2, OP_ADD = 3, OP_CAS = 4 };
enum { RNR_CODE = 1, MTU_DEFAULT = 1024, MOST = 0x7fffffff };

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

static toc_status open_qp(toc_i_proc *p, const toc_qp_options *o, toc_i_qp **out) {
  toc_i_node *n = p->n;
  toc_qp_options with;
  void *ring, *scratch;
  unsigned i = 0;
  TRY(good_options(o, &with));
  while (i < n->caps.qps && n->qp[i]) i++;
  if (i == n->caps.qps) return toc_i_fail(TOC_E_FULL, "node %u: all %u queue pairs are in use", n->rank, i);
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

void toc_i_qp_address(const toc_i_qp *q, toc_address *a) {
  toc_i_node_address(q->p->n, a);
  a->qp |= q->index;
  a->psn = q->psn;
}

/* All events that the NIC has decided on are in memory and taken. */
static bool no_event_left(void *ctx) {
  toc_i_proc *p = ctx;
  uint64_t sts;
  (void)toc_i_events(p);
  toc_status s = toc_i_read(p->n, NREG_AT(EQ_STS, p->index), 8, &sts);
  return s != TOC_OK || (uint32_t)(sts & NIC_EQ_STS_PROD_MASK) == p->eq_seen;
}

/* Off, and nothing more comes of it: an event that is still on its way must not be taken for one of the next connection. */
toc_status toc_i_qp_off(toc_i_qp *q) {
  toc_i_node *n = q->p->n;
  if (n->f->dead) return TOC_E_DEAD;
  TRY(toc_i_write64(n, NREG_AT(QP_CTL, q->index), 0));
  return toc_i_wait(n->f, no_event_left, q->p, 0, false);
}

unsigned toc_i_qp_timeout_log2(const toc_i_qp *q) {
  const toc_i_fabric *f = q->p->n->f;
  if (!q->o.timeout_us) return toc_i_timeout_log2(f);
  unsigned n = toc_i_log2(2 * q->o.timeout_us * f->be->mhz - 1);
  return n < 31 ? n : 31;
}

static void end_one(toc_i_qp *q, toc_status s) {
  q->status[q->ended++ % STATUSES] = (uint8_t)s;
  if (s == TOC_OK || q->first_error != TOC_OK) return;
  q->first_error = s;
  q->first_failed = q->ended - 1;
}

/* The oldest entry that has not ended becomes the first of the ring. */
static void begin_ring(toc_i_qp *q) {
  uint8_t all[256 * 64];
  const uint32_t mask = q->o.entries - 1;
  memcpy(all, q->ring, 64 * (size_t)q->o.entries);
  for (uint32_t i = 0; i < q->o.entries; i++)
    memcpy(q->ring + 64 * i, all + 64 * ((q->ended - q->base + i) & mask), 64);
  q->base = q->ended;
}

toc_status toc_i_qp_arm(toc_i_qp *q, const toc_address *to, bool again) {
  toc_i_node *n = q->p->n;
  uint64_t ring;
  unsigned i = q->index;
  bool v6 = !to->ip;
  TRY(toc_i_local(q->p, q->ring, 1, 0, &ring));
  TRY(toc_i_write64(n, NREG_AT(QP_MAC, i), to->mac));
  TRY(toc_i_write64(n, NREG_AT(QP_PEER, i), to->ip | (uint64_t)to->qp << NIC_QP_PEER_QP_LSB));
  TRY(toc_i_write64(n, NREG_AT(QP_IP6_HI, i), toc_i_be64(to->ip6)));
  TRY(toc_i_write64(n, NREG_AT(QP_IP6_LO, i), toc_i_be64(to->ip6 + 8)));
  TRY(toc_i_write64(n, NREG_AT(QP_VLAN, i), to->vlan));
  TRY(toc_i_write64(n, NREG_AT(QP_PSN, i), to->psn | (uint64_t)q->psn << NIC_QP_PSN_SPSN_LSB));
  TRY(toc_i_write64(n, NREG_AT(QP_RING, i), ring));
  TRY(toc_i_write64(n, NREG_AT(QP_RINGC, i), q->log2 | (0xc000ull + i) << NIC_QP_RINGC_PORT_LSB));
  TRY(toc_i_write64(n, NREG_AT(QP_STS, i), NIC_QP_STS_SEND_ERR_MASK | NIC_QP_STS_BAD_PROD_MASK));
  TRY(toc_i_write64(
      n, NREG_AT(QP_CTL, i),
      NIC_QP_CTL_EN_MASK | NIC_QP_CTL_RECV_MASK | (v6 ? NIC_QP_CTL_IPV6_MASK : 0) |
          (to->vlan ? NIC_QP_CTL_VLAN_MASK : 0) | (uint64_t)q->p->index << NIC_QP_CTL_PROC_LSB |
          (uint64_t)(toc_i_log2(q->o.mtu) - 7) << NIC_QP_CTL_MTU_LSB | (uint64_t)RNR_CODE << NIC_QP_CTL_RNR_LSB |
          (uint64_t)q->o.retry << NIC_QP_CTL_RETRY_LSB | (uint64_t)q->o.rnr_retry << NIC_QP_CTL_RNR_RETRY_LSB |
          (uint64_t)toc_i_qp_timeout_log2(q) << NIC_QP_CTL_TIMEOUT_LSB | 0xffffull << NIC_QP_CTL_PKEY_LSB));
  while (!again && q->ended != q->posted) end_one(q, TOC_E_STOPPED);
  begin_ring(q);
  for (unsigned i = 0; i < FLUSHES; i++)
    if (q->word[i].left) q->word[i].taken = q->word[i].left = false;
  q->to = *to;
  if (n->f->linked) {
    toc_link_count c;
    n->f->be->count(n->f->self, &c);
    q->refused = c.refused;
  }
  q->stopped = TOC_OK;
  q->fatal = q->middle = false;
  q->connected = true;
  return q->posted == q->base ? TOC_OK : toc_i_write64(n, NREG_AT(QP_PROD, i), (q->posted - q->base) & 0xffff);
}

static bool not_held(void *ctx) { return !((const toc_i_qp *)ctx)->held; }

/* IP, UDP, BTH, RETH and XtqETH, ICRC. */
static uint32_t bytes_around(const toc_address *to) { return (to->ip ? 20 : 40) + 8 + 12 + 32 + 4; }

/* The link knows why a peer does not answer: the path to it has become narrower, or nobody is there. */
static const char *silence(const toc_i_qp *q, toc_status s) {
  const toc_i_fabric *f = q->p->n->f;
  uint32_t bytes = 0;
  toc_link_count c = {0};
  char why[160];
  if (s != TOC_E_PEER_GONE || !f->linked) return "";
  if (f->be->path && f->be->path(f->self, &q->to, &bytes, why) == TOC_OK && bytes &&
      q->o.mtu + bytes_around(&q->to) > bytes)
    return ": frames are longer than the path takes by now, a smaller mtu fits";
  f->be->count(f->self, &c);
  return c.refused > q->refused ? ": nobody has its port open" : "";
}

/* Frames fit the path to the peer. Without a word of the program its MTU is what fits. */
static toc_status fit(toc_i_qp *q, const toc_address *to) {
  const toc_i_fabric *f = q->p->n->f;
  const uint32_t around = bytes_around(to);
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

static toc_status connect_qp(toc_i_qp *q, const toc_address *to) {
  if (to->qp >> 24 || to->psn >> 24 || to->mac >> 48)
    return toc_i_fail(TOC_E_ARG, "toc_qp_connect: QP number and PSN have 24 bits, a MAC address 48");
  if (!to->ip && !toc_i_be64(to->ip6) && !toc_i_be64(to->ip6 + 8))
    return toc_i_fail(TOC_E_ARG, "toc_qp_connect: the peer has neither an IPv4 nor an IPv6 address");
  TRY(fit(q, to));
  TRY(toc_i_wait(q->p->n->f, not_held, q, 0, false));
  TRY(toc_i_qp_off(q));
  TRY(toc_i_qp_arm(q, to, false));
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
  OBJECT(qp, q);
  NEED(a);
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

// ---- requests
bool toc_i_has_entry(const toc_i_qp *q) { return q->posted - q->ended < q->o.entries; }

static bool has_room(void *ctx) {
  const toc_i_qp *q = ctx;
  return !q->held && (q->stopped != TOC_OK || toc_i_has_entry(q));
}

static toc_status has_stopped(const toc_i_qp *q) {
  return toc_i_fail(TOC_E_STOPPED, "queue pair %u has stopped: %s; %s", q->index, toc_text(q->stopped),
                    toc_i_qp_left(q));
}

toc_status toc_i_room(toc_i_qp *q) {
  if (!q->connected) return toc_i_fail(TOC_E_STOPPED, "queue pair %u is not connected", q->index);
  toc_status s = toc_i_wait(q->p->n->f, has_room, q, 0, true);
  if (s != TOC_OK) return s;
  return q->stopped == TOC_OK ? TOC_OK : has_stopped(q);
}

toc_status toc_i_post(toc_i_qp *q, const toc_wqe *w, toc_req *r) {
  uint8_t *b = q->ring + 64 * ((q->posted - q->base) & (q->o.entries - 1));
  memset(b, 0, 64);
  b[0] = w->op;
  b[1] = w->inv ? 5 : 1; /* an event when done */
  toc_i_put(b + 2, 2, w->proc);
  toc_i_put(b + 4, 4, w->imm);
  toc_i_put(b + 8, 8, w->va1);
  toc_i_put(b + 16, 4, w->len1);
  toc_i_put(b + 20, 4, w->len2);
  toc_i_put(b + 24, 8, w->va2);
  toc_i_put(b + 32, 8, w->far.addr);
  toc_i_put(b + 40, 4, w->far.key);
  toc_i_put(b + 48, 8, w->swap);
  toc_i_put(b + 56, 8, w->compare);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (r) *r = (toc_req){q->h, q->posted};
  q->posted++;
  return toc_i_write64(q->p->n, NREG_AT(QP_PROD, q->index), (q->posted - q->base) & 0xffff);
}

/* Takes the lock; looks local memory up, waits for room. */
toc_status toc_i_request(toc_i_qp *q, toc_wqe *w, const void *local, uint32_t bytes, unsigned rights, toc_req *r) {
  toc_i_fabric *f = q->p->n->f;
  if (r) *r = (toc_req){NULL, 0};
  if (bytes > MOST) return toc_i_fail(TOC_E_ARG, "a request has up to 2^31 - 1 bytes");
  toc_i_lock(f);
  toc_status s = bytes ? toc_i_local(q->p, local, bytes, rights, &w->va1) : TOC_OK;
  if (s == TOC_OK) s = toc_i_room(q);
  w->len1 = bytes;
  if (s == TOC_OK) s = toc_i_post(q, w, r);
  toc_i_unlock(f);
  return s;
}

toc_status toc_put(toc_qp *h_q, const void *src, toc_remote dst, uint32_t bytes, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_WRITE, .far = dst}, src, bytes, TOC_READ, r);
}

toc_status toc_put_imm(toc_qp *h_q, const void *src, toc_remote dst, uint32_t bytes, uint32_t imm, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_WRITE_IMM, .far = dst, .imm = imm}, src, bytes, TOC_READ, r);
}

toc_status toc_get(toc_qp *h_q, void *dst, toc_remote src, uint32_t bytes, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return toc_i_request(q, &(toc_wqe){.op = OP_READ, .far = src}, dst, bytes, TOC_WRITE, r);
}

static toc_status atomic(toc_i_qp *q, uint64_t *old, toc_wqe *w, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  if (w->far.addr % 8) return toc_i_fail(TOC_E_ALIGN, "an atomic's address is a multiple of 8");
  return toc_i_request(q, w, old, 8, TOC_WRITE, r);
}

toc_status toc_fetch_add(toc_qp *h_q, uint64_t *old, toc_remote dst, uint64_t add, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return atomic(q, old, &(toc_wqe){.op = OP_ADD, .far = dst, .swap = add}, r);
}

toc_status toc_compare_swap(toc_qp *h_q, uint64_t *old, toc_remote dst, uint64_t compare, uint64_t swap, toc_req *r) {
  if (r) *r = (toc_req){NULL, 0};
  OBJECT(qp, q);
  return atomic(q, old, &(toc_wqe){.op = OP_CAS, .far = dst, .swap = swap, .compare = compare}, r);
}

// ---- how they end
bool toc_i_ended(const toc_i_req *r) { return (int32_t)(r->qp->ended - r->seq) > 0; }

static bool ended_or_stopped(void *ctx) {
  const toc_i_req *r = ctx;
  return toc_i_ended(r) || r->qp->stopped != TOC_OK;
}

static toc_status outcome(const toc_i_req *r) {
  toc_i_qp *q = r->qp;
  if (!toc_i_ended(r)) return has_stopped(q);
  if (q->ended - r->seq > STATUSES) return TOC_OK; /* so long ago that a failure would have stopped the queue pair */
  toc_status s = q->status[r->seq % STATUSES];
  if (r->seq == q->first_failed) q->first_error = TOC_OK; /* it has been told */
  if (s == TOC_OK) return s;
  if (s == TOC_E_STOPPED) /* nobody has told how it ended */
    return toc_i_fail(
        s, "request %u of queue pair %u was under way when both ends were armed again: not known whether it was done",
        r->seq, q->index);
  return toc_i_fail(s, "request %u of queue pair %u: %s%s%s%s", r->seq, q->index, toc_text(s), silence(q, s),
                    q->stopped == TOC_OK ? "" : "; ", q->stopped == TOC_OK ? "" : toc_i_qp_left(q));
}

toc_status toc_i_finish(toc_i_req *r, uint64_t timeout_us) {
  TRY(toc_i_wait(r->qp->p->n->f, ended_or_stopped, r, timeout_us, true));
  return outcome(r);
}

toc_status toc_wait(toc_req req, uint64_t timeout_us) {
  const toc_qp *h_qp = req.qp;
  if (!h_qp) return toc_i_fail(TOC_E_ARG, "toc_wait: there is no such request");
  OBJECT(qp, qp);
  toc_i_fabric *f = qp->p->n->f;
  toc_i_req r = {qp, req.seq};
  toc_i_lock(f);
  toc_status s = toc_i_finish(&r, timeout_us);
  toc_i_unlock(f);
  return s;
}

bool toc_done(toc_req req) {
  const toc_qp *h_qp = req.qp;
  OBJECT_OR(qp, qp, true);
  toc_i_fabric *f = qp->p->n->f;
  toc_i_req r = {qp, req.seq};
  toc_i_lock(f);
  if (!toc_i_ended(&r)) (void)toc_i_progress(f, toc_i_deadline(f, 0));
  bool done = toc_i_ended(&r);
  toc_i_unlock(f);
  return done;
}

toc_status toc_wait_all(toc_qp *h_q, uint64_t timeout_us) {
  OBJECT(qp, q);
  toc_i_fabric *f = q->p->n->f;
  toc_i_lock(f);
  toc_i_req last = {q, q->posted - 1};
  toc_status s = q->posted == q->ended ? TOC_OK : toc_i_wait(f, ended_or_stopped, &last, timeout_us, true);
  if (s == TOC_OK && q->first_error != TOC_OK) {
    s = toc_i_fail(q->first_error, "a request of queue pair %u: %s%s%s%s", q->index, toc_text(q->first_error),
                   silence(q, q->first_error), q->stopped == TOC_OK ? "" : "; ",
                   q->stopped == TOC_OK ? "" : toc_i_qp_left(q));
    q->first_error = TOC_OK;
  }
  toc_i_unlock(f);
  return s;
}

// ---- the event ring
static toc_status meaning(unsigned status) {
  static const toc_status of[] = {
      [NIC_ST_DONE] = TOC_OK,
      [NIC_ST_BAD_ENTRY] = TOC_E_BAD_ENTRY,
      [NIC_ST_LOCAL_READ] = TOC_E_LOCAL,
      [NIC_ST_TIMEOUT] = TOC_E_PEER_GONE,
      [NIC_ST_RNR] = TOC_E_NOT_READY,
      [NIC_ST_REM_INVALID] = TOC_E_INVALID,
      [NIC_ST_REM_ACCESS] = TOC_E_ACCESS,
      [NIC_ST_REM_OPERATION] = TOC_E_REMOTE,
      [NIC_ST_REM_OTHER] = TOC_E_REMOTE,
  };
  return status < sizeof of / sizeof *of ? of[status] : TOC_E_REMOTE;
}

static void request_ended(toc_i_qp *q, unsigned status, uint32_t entry, uint32_t bytes) {
  if (!q || (entry & 0xffff) != ((q->ended - q->base) & 0xffff)) return; /* of a connection that is no more */
  toc_status s = meaning(status);
  const uint8_t op = q->ring[64 * (entry & (q->o.entries - 1))];
  end_one(q, s);
  if (s == TOC_OK) return;
  q->stopped = s;
  q->middle = s == TOC_E_NOT_READY && op != OP_READ && bytes > q->o.mtu;
  /* Of a get or an atomic: the peer may have met an absent page, and done what came behind (rtl/nic, REQ-16). */
  q->fatal = s == TOC_E_PEER_GONE || s == TOC_E_LOCAL || (s == TOC_E_NOT_READY && op >= OP_READ && op <= OP_CAS);
}

static void take(toc_i_proc *p, const uint8_t *e) {
  toc_i_qp *q = p->n->qp[e[2]];
  void *h = q && q->p == p ? q->h : NULL;
  uint32_t word = (uint32_t)toc_i_get(e + 4, 4), value = (uint32_t)toc_i_get(e + 8, 4);
  uint64_t addr = toc_i_get(e + 16, 8);
  if (q && q->p != p) q = NULL;
  switch (e[0]) {
    case NIC_EV_SEND: request_ended(q, e[1], word, value); break;
    case NIC_EV_IMM: toc_i_event(p, (toc_event){.kind = TOC_EVENT_IMM, .qp = h, .value = value}); break;
    case NIC_EV_TASK: toc_i_event(p, (toc_event){.kind = TOC_EVENT_TASK, .index = word, .value = addr}); break;
    case NIC_EV_REFUSED:
      toc_i_event(p, (toc_event){.kind = TOC_EVENT_REFUSED, .qp = h, .status = e[1], .value = word});
      break;
    case NIC_EV_RESP_FAILED: toc_i_event(p, (toc_event){.kind = TOC_EVENT_RESP_FAILED, .qp = h, .status = e[1]}); break;
    case NIC_EV_RECV: toc_i_received(p, h, e); break;
    case NIC_EV_BUFFER:
      if ((int32_t)(word - p->posted0) < 0 || toc_i_refeed(p, word)) break;
      toc_i_event(p, (toc_event){.kind = TOC_EVENT_BUFFER, .index = word - p->posted0});
      break;
    case NIC_EV_TASK_DONE: toc_i_event(p, (toc_event){.kind = TOC_EVENT_TASK_DONE, .index = word}); break;
    default: break;
  }
}

bool toc_i_events(toc_i_proc *p) {
  bool any = false;
  for (; p->eq; p->eq_seen++, any = true) {
    const uint8_t *e = p->eq + 32 * (p->eq_seen & ((1u << EQ_LOG2) - 1));
    unsigned phase = __atomic_load_n(e + 31, __ATOMIC_ACQUIRE) & 1u;
    if (phase != !(p->eq_seen >> EQ_LOG2 & 1)) break;
    take(p, e);
  }
  if (any) (void)toc_i_write64(p->n, NREG_AT(EQ_CONS, p->index), p->eq_seen);
  return any;
}
