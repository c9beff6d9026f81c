// SPDX-License-Identifier: Apache-2.0
// nic_reply (with nic_reply_read, nic_replay) against a list of responses in C: each kind alone, a fence that waits for
// long, a read that fails in the middle, absent pages, long reads that are cut short, reads of up to 2 GiB until their
// QP is turned off, PSNs that come again, full queues, rates; then all of it at random, with QPs that come and go and
// every neighbour slow.
// Rules of rtl/nic/README.md: RSP-7, RSP-10, RSP-11, RSP-15, RSP-16, RSP-17, RSP-18, QPR-11.
// config: default
// config: small -GNumQps=1 -GRespDepth=2 -GReplay=1
// config: odd -GNumQps=5 -GRespDepth=13 -GReplay=3 +define+TOCSIN_DATA_W=128
// config: wide -GNumQps=16 -GRespDepth=16 +define+TOCSIN_DATA_W=512
// netlist: odd
#include <string.h>

#include "tb.h"
#include "nic_reply_tb.h"
#include "tx_ext.h"
#include "reg_bus.h"
#include "tocsin/nic_regs.h"

enum { RID = 0x4200, KEEP = 1024, JOBS = 256, AHEAD = 128, BEAT = NIC_BYTES_T_DATA_W / 8 };

typedef struct packet {
  bool asked, err, ur;
  unsigned serial;
} packet;

typedef struct rsp {
  unsigned kind, qp, proc, mtu, sent, packets;
  bool dead, cas, paged, fresh;
  uint32_t psn, msn, len, wr, task, from;
  uint64_t va, swap, compare;
  uint64_t jobless;  // no new job from this cycle on
  packet p[AHEAD];   // of packet n at n % AHEAD
} rsp;

typedef struct job {  // taken by nic_rd, not yet given back
  unsigned serial, bytes;
  bool err, ur;
  uint64_t due;
} job;

typedef struct item {  // owed to nic_tx
  unsigned serial, bytes;
} item;

typedef struct qp {
  bool on, err;
  unsigned num, known, times;  // answers in store; those that it would have if more counted; how often it was turned on
  uint32_t psn, msn;
  struct {
    uint32_t psn;
    uint64_t value;
  } store[P_Replay];  // the oldest at [0]
} qp;

typedef struct bench {
  tb t;
  dut *d;
  rsp r[KEEP];
  unsigned head, tail;  // responses: the oldest of which something may still come
  rsp next;             // the one to be pushed
  bool has;
  unsigned je, jn;  // whose job is next
  job job[JOBS];
  unsigned job_out, job_in, beat, serial, bad_one;
  item item[JOBS];
  unsigned item_out, item_in, at;
  qp qp[256];
  uint32_t wr, wr_done, task, task_done;
  bool asking, offered, hold, write, ev_due, failed, begins_err;
  unsigned write_qp, ev_name, ev_proc;
  uint32_t ev_psn;
  unsigned four;                        // the queue pairs that are in use begin here
  unsigned often;                       // percent of cycles in which there is a response, if there is room
  unsigned slow, lag, far, bad, stall;  // percent (all, writes that leave), cycles, per mille, nic_tx takes nothing
  uint64_t now;
  unsigned heads[8], fails, hits, forgotten, stops, firsts, early, again, drops;
  struct {
    bool on;
    unsigned qp;
    uint32_t psn;
  } looked[2];  // in the cycle before, and in the one before that
  // An access to QP_ANSWER instead of the write that turns a QP on or off, now on the bus; it was addressed
  // in the cycle before
  bool peeks, shows, peeked;
  unsigned peek_i, begins_num, peek_num, quiet;
  bool refuse, forgot;  // all that fails is refused; in this cycle responses are forgotten
  bool goes, went;      // in this cycle a head is taken with which a queue pair goes back, to where; in the one before
  unsigned back_qp;
  uint32_t back_psn, back_msn;
  unsigned forgot_qp, failed_qp;
  bool broken;        // a responder is about to stop
  bool job_waits;     // a job was offered and has not been taken
  bool first, fresh;  // an acknowledgement goes before the next response; the next head is the first of its response
  unsigned gone;      // entries that nic_acks has been told of
} bench;

// The i-th 8 bytes of an item, each bit of which says which item's and which they are.
static uint64_t word(unsigned serial, unsigned i) {
  uint64_t z = (serial * 4096ull + i + 1) * 0x9E3779B97F4A7C15ull;
  return z ^ z >> 29;
}
static uint64_t low_bytes(uint64_t v, unsigned n) { return n < 8 ? v & ((1ull << 8 * n) - 1) : v; }
static uint32_t psn24(uint32_t v) { return v & 0xffffff; }
static unsigned mtu_of(const rsp *r) { return 128u << r->mtu; }
static bool is_read(const rsp *r) { return r->kind == NIC_K_ReplyRead; }
static bool needs(const rsp *r) { return (is_read(r) && r->len) || r->kind == NIC_K_ReplyAtomic; }
static unsigned bytes_of(const rsp *r, unsigned n) {
  if (!is_read(r)) return r->kind == NIC_K_ReplyAtomic ? 8 : 0;
  uint32_t left = r->len - n * mtu_of(r);
  return left < mtu_of(r) ? left : mtu_of(r);
}
static rsp *at(bench *b, unsigned n) { return &b->r[n % KEEP]; }
static packet *packet_of(rsp *r, unsigned n) { return &r->p[n % AHEAD]; }

// The oldest response of which a head is due.
static rsp *due(bench *b) {
  while (b->head != b->tail && (at(b, b->head)->dead || at(b, b->head)->sent == at(b, b->head)->packets)) b->head++;
  return b->head == b->tail ? NULL : at(b, b->head);
}

// That what waits of a QP is forgotten is known so many cycles later; a job that is decided on in the last one before
// is offered in the next one.
static void forget(bench *b, unsigned q, unsigned later) {
  for (unsigned n = b->head; n != b->tail; n++) {
    rsp *r = at(b, n);
    if (r->qp != q || r->dead) continue;
    r->dead = true, r->jobless = b->now + later + 2, b->forgotten++;
  }
}

#define FIELD(T, F) bits_get(w, NIC_##T##_T_##F##_LSB, NIC_##T##_T_##F##_W)

// nic_rd: is this the job of the next packet that needs one?
static void jobs(bench *b) {
  tb *t = &b->t;
  uint32_t w[RD_JOB_O_WORDS];
  const bool waits = b->job_waits;
  b->job_waits = dut_get_rd_job_valid_o(b->d) && !dut_get_rd_job_ready_i(b->d);
  if (!dut_get_rd_job_valid_o(b->d)) return;
  dut_get_rd_job_o(b->d, w);
  for (;; b->je++, b->jn = 0) {
    CHECK(t, b->je != b->tail, "a job for nothing, or not the next one (address %llx)",
          (unsigned long long)FIELD(DMA, VA));
    if (b->je == b->tail) return;
    const rsp *r = at(b, b->je);
    if (!needs(r) || b->jn == r->packets) continue;
    if (FIELD(DMA, VA) == r->va + (uint64_t)b->jn * mtu_of(r) && FIELD(DMA, LEN) == bytes_of(r, b->jn)) break;
    CHECK(t, r->dead, "packet %u of PSN %x is not read, but %llx is", b->jn, r->psn,
          (unsigned long long)FIELD(DMA, VA));
    if (!r->dead) return;
  }
  rsp *r = at(b, b->je);
  bool atomic = !is_read(r);
  if (!waits) CHECK(t, b->now < r->jobless, "a new job for PSN %x, which is forgotten", r->psn);
  CHECK_EQ(t, FIELD(DMA, RID), RID + r->proc, "requester id");
  CHECK_EQ(t, FIELD(DMA, SRC), atomic ? NIC_K_SrcAtomic : NIC_K_SrcRead, "source");
  CHECK_EQ(t, FIELD(DMA, OP), !atomic ? NIC_K_DmaRead : r->cas ? NIC_K_DmaCas : NIC_K_DmaFetchAdd, "operation");
  if (atomic) CHECK_EQ(t, FIELD(DMA, SWAP), r->swap, "swap or add");
  if (atomic && r->cas) CHECK_EQ(t, FIELD(DMA, COMPARE), r->compare, "compare");
  CHECK(t, (int32_t)(b->wr_done - r->wr) >= 0 && (int32_t)(b->task_done - r->task) >= 0,
        "memory is read before %u writes, %u packets of tasks have left", r->wr - b->wr_done, r->task - b->task_done);
  for (unsigned n = b->head; (int)(b->je - n) > 0; n++) {
    const rsp *o = at(b, n);
    if (o->dead || o->sent == o->packets) continue;
    CHECK(t, !atomic, "an atomic while PSN %x of QP %u is older", o->psn, o->qp);
    CHECK(t, o->kind != NIC_K_ReplyAtomic, "memory is read behind an atomic without answer");
  }
  if (!dut_get_rd_job_ready_i(b->d)) return;
  packet *p = packet_of(r, b->jn);
  *p = (packet){.asked = true, .serial = ++b->serial};
  p->err = p->serial == b->bad_one || rnd_below(t, 1000) < b->bad;
  p->ur = p->err && (b->refuse || rnd_chance(t, 60));
  CHECK(t, b->job_in - b->job_out < JOBS, "too many jobs");
  b->job[b->job_in++ % JOBS] = (job){.serial = p->serial,
                                     .bytes = bytes_of(r, b->jn),
                                     .err = p->err,
                                     .ur = p->ur,
                                     .due = b->now + rnd_below(t, b->far + 1)};
  b->jn++;
}

static void answer(bench *b) {
  uint32_t w[RD_BEAT_I_WORDS];
  const job *j = &b->job[b->job_out % JOBS];
  bool go = b->job_out != b->job_in && j->due <= b->now && !rnd_chance(&b->t, b->slow / 2);
  rnd_words(&b->t, w, RD_BEAT_I_W);
  if (go) {
    unsigned left = j->bytes - b->beat * BEAT, n = left < BEAT ? left : BEAT;
    bits_set(w, NIC_BYTES_T_LAST_LSB, 1, left <= BEAT);
    bits_set(w, NIC_BYTES_T_ERR_LSB, 1, j->err);
    bits_set(w, NIC_BYTES_T_UR_LSB, 1, j->ur);
    bits_set(w, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
    for (unsigned i = 0; i < BEAT / 8; i++)
      bits_set(w, NIC_BYTES_T_DATA_LSB + 64 * i, 64, word(j->serial, b->beat * BEAT / 8 + i));
    b->beat = left <= BEAT ? 0 : b->beat + 1;
    b->job_out += left <= BEAT;
  }
  dut_set_rd_beat_i(b->d, w);
  dut_set_rd_valid_i(b->d, go);
}

// What software says of a queue pair, each time that it is turned on something else: what events call it, and the timer
// of its RNR NAKs, of numbers in which every bit says whose it is.
static uint64_t said(const bench *b, unsigned q, unsigned part) {
  uint64_t z = (((q < P_NumQps ? q + 256u * b->qp[q].times : ~0u) * 16ull) + part) * 0x9E3779B97F4A7C15ull;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
  return z ^ z >> 27;
}
static unsigned name_of(const bench *b, unsigned q) { return (unsigned)(said(b, q, 1) & 0xfff); }
static unsigned rnr_of(const bench *b, unsigned q) { return (unsigned)(said(b, q, 2) & 31); }

// The fields that no response carries are 0, the others are looked at one by one.
static void head_is(bench *b, const uint32_t *w) {
  uint32_t want[HEAD_O_WORDS] = {0};
#define COPY(F) words_copy(want, NIC_TX_HEAD_T_##F##_LSB, w, NIC_TX_HEAD_T_##F##_LSB, NIC_TX_HEAD_T_##F##_W)
  COPY(OPCODE), COPY(PSN), COPY(BYTES);
  words_copy(want, NIC_TX_HEAD_T_EXT_LSB, w, NIC_TX_HEAD_T_EXT_LSB, 96);
  CHECK(&b->t, words_eq(w, want, HEAD_O_W), "nothing else in the head");
}

// The oldest response meets what could not be read: from the next cycle until its head is taken nobody may be asked,
// nor in the cycle behind, if a queue pair goes back.
static void about_to_stop(bench *b, rsp *r, bool taken) {
  if (dut_get_fail_o(b->d))
    CHECK(&b->t, b->broken || b->went, "nobody may be asked, but no responder is about to stop");
  const packet *p = r ? packet_of(r, r->sent) : NULL;
  b->broken = r && needs(r) && p->asked && p->err && !taken;
}

static void heads(bench *b) {
  tb *t = &b->t;
  uint32_t w[HEAD_O_WORDS];
  bool valid = dut_get_head_valid_o(b->d);
  if (b->hold && !b->offered) CHECK(t, !valid, "a head while held");
  if (b->offered) CHECK(t, valid, "a head is withdrawn");
  b->quiet = b->peeks && b->hold && !b->offered ? b->quiet + 1
                                                : 0;  // an answer that is addressed is at hand in the fourth such cycle
  if (!b->peeked) CHECK_EQ(t, dut_get_idle_o(b->d), !b->offered && !b->went, "idle");
  if (b->peeked && b->peeks && !b->shows) CHECK_EQ(t, dut_get_idle_o(b->d), b->quiet >= 4, "an answer is at hand");
  bool was = b->offered;
  b->offered = valid && !dut_get_head_ready_i(b->d);
  rsp *r = due(b);
  about_to_stop(b, r, valid && !b->offered);
  if (!valid) return;
  CHECK(t, r, "a head of nothing");
  if (!r) return;
  dut_get_head_o(b->d, w);
  packet *p = packet_of(r, r->sent);
  if (!r->sent && !was) CHECK(t, !b->first, "an acknowledgement goes before PSN %x", r->psn);
  unsigned n = r->sent, code, op = NIC_K_OpAck, syndrome = 0x1f, bytes = 0;
  bool bad = needs(r) && p->err, absent = bad && p->ur && r->paged, back = absent && r->fresh;
  uint64_t value = r->kind == NIC_K_ReplyReplay ? r->swap : 0;
  CHECK(t, !needs(r) || p->asked, "a head without its bytes");
  if (absent) {
    code = NIC_K_TxAbsent, syndrome = 0x20 | rnr_of(b, r->qp);
  } else if (bad) {
    code = NIC_K_TxNak, syndrome = 0x63;
  } else if (is_read(r)) {
    code = NIC_K_TxRead, bytes = bytes_of(r, n);
    op = r->packets == 1       ? NIC_K_OpReadOnly
         : n == 0              ? NIC_K_OpReadFirst
         : n + 1 == r->packets ? NIC_K_OpReadLast
                               : NIC_K_OpReadMiddle;
  } else {
    code = NIC_K_TxAtomic, op = NIC_K_OpAtomicAck;
    if (r->kind == NIC_K_ReplyAtomic) value = word(p->serial, 0);
  }
  CHECK_EQ(t, dut_get_head_code_o(b->d), code, "kind of response (PSN %x of QP %u)", r->psn, r->qp);
  CHECK_EQ(t, dut_get_head_qp_o(b->d), r->qp, "QP");
  CHECK_EQ(t, dut_get_head_nth_o(b->d), n, "n-th packet");
  CHECK_EQ(t, FIELD(TX_HEAD, OPCODE), op, "opcode");
  CHECK_EQ(t, FIELD(TX_HEAD, PSN), psn24(r->psn + n), "PSN");
  CHECK_EQ(t, FIELD(TX_HEAD, BYTES), bytes, "bytes");
  CHECK_EQ(t, tx_syndrome(w), op == NIC_K_OpReadMiddle ? 0 : syndrome, "syndrome");
  CHECK_EQ(t, tx_msn(w), op == NIC_K_OpReadMiddle ? 0 : psn24(r->msn - back), "MSN");
  CHECK_EQ(t, dut_get_away_o(b->d), absent, "nothing may be decided");
  CHECK_EQ(t, tx_value(w), bad ? 0 : value, "value before the atomic");
  head_is(b, w);
  if (bad) CHECK(t, dut_get_fail_o(b->d) && !b->asking, "a responder stops while somebody is, or may be, asked");
  if (!dut_get_head_ready_i(b->d)) return;
  b->heads[code]++;
  b->goes = back;
  if (back) {
    uint32_t at = psn24(r->psn + n), early = psn24(at - r->from) >> 23;
    b->back_qp = r->qp, b->back_psn = early ? r->from : at, b->back_msn = psn24(r->msn - 1);
    b->early += early;
  }
  b->item[b->item_in++ % JOBS] = (item){.serial = p->serial, .bytes = bytes};
  p->asked = false, r->sent++;
  qp *q = &b->qp[r->qp];
  b->forgot = back || (bad && !absent), b->forgot_qp = r->qp;
  if (back) {
    forget(b, r->qp, 1);
  } else if (absent) {
    r->dead = true, r->jobless = b->now + 3, b->again++;  // the rest of it, and nothing else
  } else if (bad) {
    CHECK(t, !b->ev_due, "a second failure before the first one's event");
    b->ev_due = true, b->ev_name = name_of(b, r->qp), b->ev_proc = r->proc, b->ev_psn = psn24(r->psn + n);
    q->err = true, b->fails++;
    forget(b, r->qp, 1);
  } else if (r->kind == NIC_K_ReplyAtomic) {
    if (q->num == P_Replay) memmove(q->store, q->store + 1, (P_Replay - 1) * sizeof *q->store), q->num--;
    q->store[q->num].psn = r->psn, q->store[q->num++].value = value;
    if (q->known < q->num) q->known = q->num;
  }
}

// A queue pair goes back in the cycle behind its head; nothing is decided in either.
static void goes_back(bench *b) {
  tb *t = &b->t;
  CHECK_EQ(t, dut_get_back_valid_o(b->d), b->went, "somebody goes back");
  if (!b->went) return;
  CHECK_EQ(t, dut_get_back_qp_o(b->d), b->back_qp, "who goes back");
  CHECK_EQ(t, dut_get_back_psn_o(b->d), b->back_psn, "to which PSN");
  CHECK_EQ(t, dut_get_back_msn_o(b->d), b->back_msn, "to which MSN");
  CHECK(t, dut_get_away_o(b->d) && dut_get_fail_o(b->d), "nothing may be decided, and nobody asked");
}

static void payload(bench *b) {
  tb *t = &b->t;
  uint32_t w[PAY_O_WORDS];
  if (!dut_get_pay_valid_o(b->d)) return;
  CHECK(t, b->item_out != b->item_in, "payload before its head");
  if (!dut_get_pay_ready_i(b->d) || b->item_out == b->item_in) return;
  dut_get_pay_o(b->d, w);
  const item *i = &b->item[b->item_out % JOBS];
  unsigned left = i->bytes - b->at * BEAT, n = left < BEAT ? left : BEAT;
  CHECK_EQ(t, FIELD(BYTES, BYTES), n, "bytes of beat %u", b->at);
  CHECK_EQ(t, FIELD(BYTES, LAST), left <= BEAT, "last beat");
  CHECK_EQ(t, FIELD(BYTES, ERR), 0, "error of a good item");
  for (unsigned k = 0; 8 * k < n; k++)
    CHECK_EQ(t, low_bytes(bits_get(w, NIC_BYTES_T_DATA_LSB + 64 * k, 64), n - 8 * k),
             low_bytes(word(i->serial, b->at * BEAT / 8 + k), n - 8 * k), "bytes from %u on of beat %u", 8 * k, b->at);
  b->at = left <= BEAT ? 0 : b->at + 1;
  b->item_out += left <= BEAT;
}

// Of what was decided last, which a deep queue has not answered yet, or of an answer that is in store, or was.
static uint32_t look_psn(bench *b, unsigned n) {
  tb *t = &b->t;
  if (rnd_chance(t, 50)) return psn24(b->qp[n].psn - (uint32_t)rnd_below(t, 12));
  return psn24(b->qp[n].store[rnd_below(t, P_Replay)].psn + (uint32_t)rnd_below(t, 4) - 1);
}

// What has the PSN of a new atomic is forgotten, with all that is older: behind the others, where it does not count.
static void drop(bench *b, qp *q, uint32_t psn) {
  qp was = *q;
  unsigned n = q->num;
  while (n && q->store[n - 1].psn != psn) n--;
  if (!n) return;
  for (unsigned i = 0; i < P_Replay; i++) q->store[i] = was.store[(i + n) % P_Replay];
  q->num -= n;
  if (q->known != P_Replay) q->known -= n;
  b->drops++;
}

// What was looked up two cycles ago, as the store was in the cycle between.
static void look(bench *b, unsigned n, uint32_t psn) {
  tb *t = &b->t;
  const qp *q = &b->qp[n];
  bool hit = false;
  uint64_t value = 0;
  for (unsigned i = 0; i < q->num; i++)
    if (q->store[i].psn == psn) hit = true, value = q->store[i].value;
  if (dut_get_look_old_o(b->d)) return;
  CHECK_EQ(t, dut_get_look_hit_o(b->d), hit, "is the answer of PSN %x there", psn);
  if (hit) CHECK_EQ(t, dut_get_look_value_o(b->d), value, "answer of PSN %x", psn);
  b->hits += hit;
}

// What nic_qp says of the queue pair that is asked for.
static void configure(bench *b) {
  uint32_t w[CFG_I_WORDS];
  unsigned q = (unsigned)dut_get_qp_o(b->d);
  rnd_words(&b->t, w, CFG_I_W);
  bits_set(w, NIC_QP_CFG_T_NAME_LSB, NIC_QP_CFG_T_NAME_W, name_of(b, q));
  bits_set(w, NIC_QP_CFG_T_RNR_LSB, NIC_QP_CFG_T_RNR_W, rnr_of(b, q));
  dut_set_cfg_i(b->d, w);
}

static void pushed(bench *b, uint32_t *w) {
  tb *t = &b->t;
  rsp *r = &b->next;
  qp *q = &b->qp[r->qp];
  r->jobless = UINT64_MAX;
  r->wr = b->wr, r->task = b->task, r->psn = q->psn, r->msn = q->msn = psn24(q->msn + 1);
  q->psn = psn24(q->psn + r->packets);
  r->from = psn24(r->psn + (r->fresh ? r->from % r->packets : 0));
#define RSP(F, v) bits_set(w, NIC_REPLY_T_##F##_LSB, NIC_REPLY_T_##F##_W, v)
  RSP(KIND, r->kind);
  RSP(QP, r->qp);
  RSP(PROC, r->proc);
  RSP(MTU, r->mtu);
  RSP(PSN, r->psn);
  RSP(MSN, r->msn);
  RSP(CAS, r->cas);
  RSP(VA, r->va);
  RSP(LEN, r->len);
  RSP(PACKETS, r->packets);
  RSP(SWAP, r->swap);
  RSP(COMPARE, r->compare);
  RSP(PAGED, r->paged);
  RSP(FRESH, r->fresh);
  RSP(FROM, r->from);
  RSP(WR, r->wr & 0xffff);
  RSP(TASK_WR, r->task & 0xffff);
  CHECK(t, b->tail - b->head < KEEP, "the list is full");
  *at(b, b->tail++) = *r;
  b->has = false;
}

static void check_event(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  uint32_t w[EV_O_WORDS];
  dut_get_ev_o(d, w);
  CHECK(t, b->ev_due, "an event of nothing");
  CHECK_EQ(t, FIELD(EVENT, KIND) | FIELD(EVENT, KEPT) << 8, NIC_K_EvRespFailed, "type of event");
  CHECK_EQ(t, FIELD(EVENT, STATUS) | FIELD(EVENT, WORD) << 8, 0x63, "status and reason");
  CHECK_EQ(t, FIELD(EVENT, QP) | FIELD(EVENT, PROC) << 16, b->ev_name | b->ev_proc << 16, "whose event");
  CHECK_EQ(t, FIELD(EVENT, ADDR), b->ev_psn, "PSN of the event");
  CHECK_EQ(t, FIELD(EVENT, LEN) | FIELD(EVENT, BYTES), 0, "no lengths");
  if (dut_get_ev_ready_i(d)) b->ev_due = false;
}

static void check_gone(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  const rsp *g = at(b, b->gone);
  CHECK(t, b->gone != b->tail && (g->dead || g->sent == g->packets), "PSN %x is gone before its last frame", g->psn);
  CHECK_EQ(t, dut_get_gone_qp_o(d), g->qp, "whose entry is gone");
  CHECK_EQ(t, dut_get_gone_id_o(d), b->gone % P_RespDepth, "which entry is gone");
  b->gone++;
}

// QP_ANSWER: mostly a word that counts, else of any index, or of any QP.
static void address(bench *b, unsigned q) {
  tb *t = &b->t;
  b->write_qp = rnd_chance(t, 5) ? (unsigned)rnd_bits(t, 8) : q;
  b->peek_i = rnd_chance(t, 10) ? (unsigned)rnd_bits(t, 7) : (unsigned)rnd_below(t, 2 * P_Replay);
}

// A read of it, of the PSN or of the value: the oldest first.
static void peek(bench *b) {
  tb *t = &b->t;
  const qp *q = &b->qp[b->write_qp];
  const unsigned i = b->peek_i / 2;
  const uint64_t want = i >= q->num ? 0 : b->peek_i & 1 ? q->store[i].value : q->store[i].psn;
  CHECK_EQ(t, dut_get_rb_rdata_o(b->d), want, "answer %u of QP %u%s", i, b->write_qp, b->peek_i & 1 ? "" : ": its PSN");
  b->peek_num += i < q->num;
}

// A write of some bytes of it: only while the QP is off it is then there as it reads, or would read if it counted.
static void poke(bench *b) {
  tb *t = &b->t;
  qp *q = &b->qp[b->write_qp];
  const unsigned i = b->peek_i / 2, strb = rnd_chance(t, 50) ? 255 : (unsigned)rnd_bits(t, 8);
  const uint64_t data = rnd(t);
  uint64_t mask = 0;
  if (!rnd_chance(t, 50)) return;
  dut_set_rb_i(b->d, reg_bus_of(NIC_REG_QP_ANSWER_PSN + 1024 * b->write_qp + 8 * b->peek_i, true, data, strb).words);
  if (q->on || i >= q->known) return;
  for (unsigned k = 0; k < 8; k++) mask |= (strb >> k & 1 ? 255ull : 0) << 8 * k;
  if (b->peek_i & 1)
    q->store[i].value = (q->store[i].value & ~mask) | (data & mask);
  else
    q->store[i].psn = psn24((q->store[i].psn & (uint32_t)~mask) | (uint32_t)(data & mask));
}

// With how many answers a QP is turned on; more than there is place for are as many as there is.
static unsigned answers_of(bench *b, const qp *q) {
  tb *t = &b->t;
  if (q->known == P_Replay && rnd_chance(t, 20)) return P_Replay + (unsigned)rnd_below(t, 128 - P_Replay);
  return rnd_chance(t, 50) ? (unsigned)rnd_below(t, q->known + 1) : 0;
}

// The write that turns a QP off, or on: afresh, or where it was stopped.
static void turned(bench *b, bool was_on) {
  dut *d = b->d;
  const unsigned num = was_on ? 0 : answers_of(b, &b->qp[b->write_qp]);
  b->begins_num = num < P_Replay ? num : P_Replay;
  dut_set_start_num_i(d, num);
  dut_set_sts_qp_i(d, b->write_qp);
  dut_set_start_valid_i(d, !was_on);
  dut_set_stop_valid_i(d, was_on);
  dut_set_start_qp_i(d, b->write_qp);
  dut_set_start_err_i(d, b->begins_err = !was_on && b->slow && rnd_chance(&b->t, 10));
  dut_set_stop_qp_i(d, b->write_qp);
}

// What does not depend on what it offers.
static void neighbours(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  dut_set_cfg_rid_i(d, RID);
  dut_set_reply_valid_i(d, 0);
  dut_set_start_valid_i(d, 0);
  dut_set_start_qp_i(d, rnd_below(t, P_NumQps));
  dut_set_start_num_i(d, rnd_bits(t, 7));
  dut_set_start_err_i(d, rnd_bits(t, 1));
  dut_set_stop_valid_i(d, 0);
  dut_set_stop_qp_i(d, rnd_below(t, P_NumQps));
  const uint64_t addr = !b->peeks ? 0 : NIC_REG_QP_ANSWER_PSN + 1024 * b->write_qp + 8 * b->peek_i;
  dut_set_rb_i(d, reg_bus_of(addr, false, 0, 0).words);
  dut_set_hold_i(d, (b->hold || b->write) && b->peeks == b->peeked && !b->shows);  // not with a new address
  dut_set_asking_i(d, b->asking);
  dut_set_rd_job_ready_i(d, !rnd_chance(t, b->slow));
  dut_set_head_ready_i(d, !b->stall && !rnd_chance(t, b->slow));
  dut_set_pay_ready_i(d, b->item_out != b->item_in && !rnd_chance(t, b->slow));
  // Where much fails a second responder is to stop before the first one's event has been taken.
  dut_set_ev_ready_i(d, !rnd_chance(t, b->slow && b->bad > 100 ? 99 : b->slow));
}

// An access is over.
static void written(bench *b, qp *q) {
  b->write = false;
  if (b->peeks) {
    b->peeks = false;
    return;
  }
  if (q->on) forget(b, b->write_qp, 0), b->stops++;
  q->on = !q->on;
  if (!q->on) return;
  q->err = b->begins_err, q->num = b->begins_num, q->times++;
  // Often with a PSN that answers have already.
  q->psn = psn24((rnd_chance(&b->t, 50) ? q->store[0].psn : (uint32_t)rnd(&b->t)) - (uint32_t)rnd_bits(&b->t, 1));
  q->msn = (uint32_t)rnd_bits(&b->t, 24);
}

static void cycle(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  uint32_t w[REPLY_I_WORDS];
  rnd_words(t, w, REPLY_I_W);
  neighbours(b);
  bool wr = b->wr != b->wr_done && !rnd_chance(t, b->lag), task = b->task != b->task_done && !rnd_chance(t, b->lag);
  dut_set_wr_done_i(d, wr);
  dut_set_task_done_i(d, task);
  unsigned lq = (unsigned)rnd_below(t, P_NumQps), sq = (unsigned)rnd_below(t, P_NumQps);
  uint32_t lp = look_psn(b, lq);
  // Of a new atomic what was looked up two cycles before, and is of now, decides what it makes forgotten.
  const bool fresh = b->has && b->next.kind == NIC_K_ReplyAtomic;
  if (fresh) lq = b->next.qp, lp = b->qp[lq].psn;
  dut_set_look_qp_i(d, lq);
  dut_set_look_psn_i(d, lp);
  dut_set_sts_qp_i(d, sq);
  answer(b);
  dut_eval(d);
  configure(b);
  // A register write: a QP goes on or off.
  // nic_acks has one that goes before the response whose turn it is, and has had it since then.
  if (b->first ? rnd_chance(t, 30) || !b->slow : b->fresh && b->slow && rnd_chance(t, 10)) b->first = !b->first;
  b->firsts += b->first;
  dut_set_first_i(d, b->first);
  bool was = b->hold;
  b->hold = dut_get_hold_i(d);
  bool writes = b->write && b->hold && dut_get_idle_o(d);
  qp *wq = &b->qp[b->write_qp];
  if (writes && !b->peeks) turned(b, wq->on);
  // A response: of a QP that is on and has not stopped.
  rsp *r = &b->next;
  if (b->has && (!b->qp[r->qp].on || b->qp[r->qp].err)) b->has = false;
  CHECK_EQ(t, dut_get_room_o(d), b->tail - b->gone != P_RespDepth, "room for a response");
  bool push = b->has && dut_get_room_o(d) && !dut_get_away_o(d);
  if (fresh)
    push &= b->looked[1].on && b->looked[1].qp == lq && b->looked[1].psn == lp && !b->hold && !dut_get_look_wait_o(d);
  if (push) pushed(b, w);
  dut_set_reply_i(d, w);
  dut_set_reply_valid_i(d, push);
  dut_eval(d);

  CHECK(t, dut_get_rd_ready_o(d), "nic_rd has to wait");
  if (b->looked[0].on)
    CHECK_EQ(t, dut_get_look_err_o(d), b->qp[b->looked[0].qp].err, "has the responder of QP %u stopped",
             b->looked[0].qp);
  if (b->looked[1].on) look(b, b->looked[1].qp, b->looked[1].psn);
  b->looked[1] = b->looked[0];
  b->looked[0].on = !(b->peeks && dut_get_hold_i(d)), b->looked[0].qp = lq, b->looked[0].psn = lp;
  if (writes && !b->peeks) sq = b->write_qp;
  CHECK_EQ(t, dut_get_sts_err_o(d), b->qp[sq].err, "QP_STS.RESP_ERR of %u", sq);
  CHECK_EQ(t, dut_get_sts_num_o(d), b->qp[sq].num, "answers of QP %u", sq);
  if (writes && b->peeks) peek(b), poke(b);
  if (dut_get_ev_valid_o(d)) check_event(b);
  if (push) CHECK_EQ(t, dut_get_put_id_o(d), (b->tail - 1) % P_RespDepth, "its number in the queue");
  if (dut_get_gone_valid_o(d)) check_gone(b);
  CHECK_EQ(t, dut_get_fail_valid_o(d), b->failed, "a responder has stopped");
  if (b->failed) CHECK_EQ(t, dut_get_fail_qp_o(d), b->failed_qp, "which responder has stopped");
  goes_back(b);
  b->forgot = b->goes = false;
  if (push && fresh) drop(b, &b->qp[lq], lp);
  payload(b);
  jobs(b);
  heads(b);
  b->failed = b->forgot, b->failed_qp = b->forgot_qp;
  b->went = b->goes;
  const rsp *next = due(b);
  b->fresh = !b->offered && next && !next->sent;
  if (next && next->sent == 0 && b->offered) b->first = false;
  // nic_decide asks nobody new while fail_o says that a responder is about to stop.
  b->asking = b->asking ? !rnd_chance(t, 10) : !dut_get_fail_o(d) && b->slow && rnd_chance(t, 20);
  b->wr_done += wr, b->task_done += task;
  b->peeked = b->peeks;
  b->shows = false;
  if (writes) written(b, wq);
  b->hold = was;
  dut_tick(d);
  b->now++;
}

static void power(bench *b, unsigned q) {
  b->write = true, b->write_qp = q;
  while (b->write && b->t.failures < 10) cycle(b);
}
static void wait(bench *b, unsigned n) {
  while (n--) cycle(b);
}
static bool quiet(bench *b) {
  return !due(b) && b->item_in == b->item_out && b->job_in == b->job_out && b->gone == b->tail && !b->ev_due && !b->has;
}
static void drain(bench *b) {
  for (unsigned n = 0; n < 20000 && !quiet(b); n++) cycle(b);
  CHECK(&b->t, quiet(b), "responses that do not leave (PSN %x)", due(b) ? due(b)->psn : 0);
  wait(b, 10);
}
static void give(bench *b, rsp r) {
  b->next = r, b->has = true;
  for (unsigned n = 0; n < 5000 && b->has; n++) cycle(b);
  CHECK(&b->t, !b->has, "no room for a response");
}

static rsp replay(uint64_t value) { return (rsp){.kind = NIC_K_ReplyReplay, .mtu = 1, .swap = value, .packets = 1}; }
static rsp read_of(uint32_t len, unsigned mtu) {
  uint32_t m = 128u << mtu;
  return (rsp){
      .kind = NIC_K_ReplyRead, .mtu = mtu, .len = len, .packets = len ? (len + m - 1) / m : 1, .va = 0x123456789};
}
static rsp atomic(bool cas) {
  return (rsp){
      .kind = NIC_K_ReplyAtomic, .cas = cas, .mtu = 1, .packets = 1, .va = 0x8000, .swap = 5, .compare = 7, .proc = 3};
}

static void scenarios(bench *b) {
  tb *t = &b->t;
  qp *q = &b->qp[0];
  power(b, 0);
  give(b, replay(7));
  give(b, read_of(0, 1));
  give(b, read_of(1000, 1));
  give(b, atomic(true));
  give(b, atomic(false));
  give(b, read_of(4096, 5));
  give(b, read_of(130 * 256, 1));
  drain(b);
  CHECK_EQ(t, b->heads[NIC_K_TxRead], 136, "packets of reads");
  CHECK_EQ(t, b->heads[NIC_K_TxAtomic], 3, "two atomics, and one again");

  // A response waits for its turn while writes go on: more of them than half of what 16 bits can count.
  unsigned before = b->heads[NIC_K_TxRead];
  b->stall = 1;
  give(b, replay(8));
  give(b, read_of(64, 1));
  wait(b, 20);
  for (unsigned n = 0; n < 40000; n++) {
    dut_set_wr_done_i(b->d, 1);
    dut_set_task_done_i(b->d, 1);
    dut_set_rd_valid_i(b->d, 0);
    dut_tick(b->d);
    b->wr++, b->wr_done++, b->task++, b->task_done++;
  }
  b->looked[0].on = b->looked[1].on = false;
  if (P_RespDepth > 2) give(b, read_of(64, 1));
  b->stall = 0;
  drain(b);
  CHECK_EQ(t, b->heads[NIC_K_TxRead] - before, P_RespDepth > 2 ? 2 : 1, "reads after a long wait");

  // The queue holds RespDepth.
  b->stall = 1;
  for (unsigned n = 0; n < P_RespDepth; n++) give(b, replay(9));
  cycle(b);
  CHECK(t, !dut_get_room_o(b->d), "room for more than RespDepth");
  b->stall = 0;
  drain(b);

  // Nothing leaves, and nic_rd gives all that it was asked for: there is room for it, and no job for what has none.
  for (unsigned mtu = 1; mtu <= 5; mtu++) {
    b->stall = 1;
    give(b, read_of(4 * 4096, 5));
    give(b, read_of(128u << mtu, mtu));
    wait(b, 4 * 4096 / BEAT + 100);
    b->stall = 0;
    drain(b);
  }

  // The second packet cannot be read: NAK in its place, the rest is left out, what is decided in the meantime too.
  b->bad_one = b->serial + 2;
  before = b->heads[NIC_K_TxRead];
  give(b, read_of(600, 1));
  give(b, replay(10));
  drain(b);
  CHECK(t, q->err && b->fails == 1 && b->heads[NIC_K_TxRead] == before + 1, "the responder has stopped");
  power(b, 0);
  power(b, 0);
  CHECK(t, !q->err, "off and on: it goes again");
  give(b, atomic(false));
  drain(b);
}

// Pages that are absent: of a new read what is behind it is forgotten, of a duplicate nothing is; no responder stops.
// A new one goes back to where it was refused, or to where ePSN was, if this is behind that.
static void absent_pages(bench *b) {
  tb *t = &b->t;
  b->refuse = true;
  for (unsigned i = 0; i < 16; i++) {
    const bool fresh = i % 4;
    rsp r = read_of(i < 4 ? 600 : (uint32_t)rnd_below(t, 9000) + 1, 1);
    r.paged = true, r.fresh = fresh, r.from = i < 4 ? 2 : (uint32_t)rnd_below(t, r.packets);
    b->bad_one = b->serial + (i < 4 ? 2 : 1 + (unsigned)rnd_below(t, r.packets));
    b->stall = 1;
    unsigned again = b->heads[NIC_K_TxAtomic], absent = b->heads[NIC_K_TxAbsent];
    give(b, r);
    give(b, replay(10));
    b->stall = 0;
    drain(b);
    CHECK_EQ(t, b->heads[NIC_K_TxAbsent], absent + 1, "an absent page");
    CHECK_EQ(t, b->heads[NIC_K_TxAtomic], again + !fresh, "what is behind it");
    CHECK(t, !b->qp[0].err && !b->ev_due, "the responder goes on");
  }
  CHECK(t, b->early >= 3, "back to where ePSN was, not to what was refused");
  b->refuse = false, b->bad_one = 0;
}

// Long reads that come again, and whose first packet is refused: as many as there is place for, then an answer without
// bytes. Of each no packet is read any more (jobs looks at it), so the next one has its turn when what was read ahead
// has come: after memory's time, a cycle a beat of what there is room for, and some. Whether that was much or little,
// and how many packets were still to come, makes no difference.
static void cut_short(bench *b) {
  tb *t = &b->t;
  const unsigned ahead = P_RespDepth < 16 ? 16 : P_RespDepth < 64 ? P_RespDepth : 64;  // at once of 256 bytes
  b->refuse = true, b->bad = 1000;
  for (unsigned i = 0; i < 12 && t->failures < 10; i++) {
    rsp r = read_of(i % 3 == 0 ? 64 * 256 : i % 3 == 1 ? 4096 * 256 : 1u << 31, 1);
    r.paged = true;
    b->far = i & 4 ? 300 : 5;
    b->stall = i & 1;
    const unsigned num = P_RespDepth < 5 ? P_RespDepth - 1 : 4, absent = b->heads[NIC_K_TxAbsent], serial = b->serial;
    const unsigned again = b->heads[NIC_K_TxAtomic], most = b->far + 4 * 4096 / BEAT + 40;
    for (unsigned k = 0; k < num; k++) give(b, r);
    give(b, replay(12));
    wait(b, b->stall ? most : 0);
    b->stall = 0;
    for (unsigned k = 0; k <= num; k++) {
      unsigned n = 0;
      while (n <= most && b->heads[NIC_K_TxAbsent] + b->heads[NIC_K_TxAtomic] <= absent + again + k) cycle(b), n++;
      CHECK(t, n <= most, "response %u behind reads of %u packets that are cut short: not in %u cycles", k, r.packets,
            most);
    }
    drain(b);
    CHECK_EQ(t, b->heads[NIC_K_TxAbsent], absent + num, "each is answered");
    CHECK_EQ(t, b->heads[NIC_K_TxAtomic], again + 1, "what is behind them, too");
    CHECK(t, b->serial - serial <= num * ahead, "%u packets are read for %u NAKs", b->serial - serial, num);
  }
  b->refuse = false, b->bad = 0, b->far = 5;
}

// A new atomic with the PSN of an answer in store, in each cycle in which another's answer may be put there.
static void laps(bench *b) {
  qp *q = &b->qp[0];
  give(b, atomic(false));
  drain(b);
  for (unsigned n = 0; n < 40; n++) {
    const unsigned before = b->drops;
    give(b, atomic(false));
    q->psn = q->store[q->num - 1].psn;
    wait(b, n);
    give(b, atomic(true));
    drain(b);
    CHECK(&b->t, b->drops > before || P_Replay == 1, "an answer that has not been forgotten");
  }
}

// A read of each length of one bit and some packets: as many packets as show that the bit counts, then it is forgotten.
static void long_reads(bench *b) {
  tb *t = &b->t;
  for (unsigned bit = 12; bit < 32 && t->failures < 10; bit++) {
    rsp r = read_of((1u << bit) + (bit < 31 ? (uint32_t)rnd_below(t, 600) : 0), 1);
    r.va = rnd(t);
    const unsigned before = b->heads[NIC_K_TxRead];
    give(b, r);
    for (unsigned n = 0; n < 5000 && b->heads[NIC_K_TxRead] < before + 5; n++) cycle(b);
    CHECK(t, b->heads[NIC_K_TxRead] == before + 5, "a read of %u bytes ends early", r.len);
    power(b, 0);
    drain(b);
    power(b, 0);
  }
}

// Answers are read and written, byte by byte, while their QP is off.
static void answers_moved(bench *b) {
  const qp *q = &b->qp[0];
  for (unsigned n = 0; n < P_Replay; n++) give(b, atomic(false));
  drain(b);
  power(b, 0);
  CHECK_EQ(&b->t, q->num, P_Replay, "answers in store");
  for (unsigned n = 0; n < 60; n++) {
    b->write = b->peeks = true, b->shows = false;
    address(b, 0);
    while (b->write && b->t.failures < 10) cycle(b);
    wait(b, 1);  // another address
  }
  power(b, 0);
}

static unsigned sent(const bench *b) {
  unsigned n = 0;
  for (unsigned k = 0; k < 8; k++) n += b->heads[k];
  return n;
}

// Hundredths of a cycle a response, when all neighbours are quick.
static unsigned rate(bench *b, rsp r) {
  unsigned from = sent(b);
  b->far = 20;
  for (unsigned c = 0; c < 2000; c++) {
    if (!b->has) b->next = r, b->has = true;
    cycle(b);
  }
  unsigned n = sent(b) - from;
  drain(b);
  return 200000 / (n ? n : 1);
}

static void rates(bench *b) {
  tb *t = &b->t;
  unsigned a = rate(b, replay(11)), s = rate(b, read_of(64, 5)), l = rate(b, read_of(4096, 5));
  printf("nic_reply[%s] cycles: %u.%02u an answer again, %u.%02u a read of 64 bytes, %u.%02u one of 4096\n", t->config,
         a / 100, a % 100, s / 100, s % 100, l / 100, l % 100);
  CHECK(t, a <= 305 && l <= 100 * (4096 / BEAT + 3), "slower than it should be");
}

// One of four, so that each has many responses; which four changes.
static unsigned some_qp(bench *b) {
  return (b->four + (unsigned)rnd_below(&b->t, P_NumQps < 4 ? P_NumQps : 4)) % P_NumQps;
}

static rsp draw(bench *b) {
  tb *t = &b->t;
  unsigned kind = (unsigned)rnd_below(t, 3), k = (unsigned)rnd_below(t, 10);
  unsigned mtu = rnd_chance(t, 85) ? 1 : 1 + (unsigned)rnd_below(t, 5);
  uint32_t m = 128u << mtu;
  uint32_t len = (uint32_t)rnd_below(t, k < 5 ? 80 : k < 9 ? 3 * m : 9000);
  if (rnd_chance(t, 20)) len = m * (uint32_t)rnd_below(t, 3) + (uint32_t)rnd_below(t, 3);
  rsp r = kind == NIC_K_ReplyRead ? read_of(len, mtu) : atomic(rnd_chance(t, 50));
  r.kind = kind, r.mtu = mtu;
  r.qp = some_qp(b);
  // As 2^24 PSNs later.
  if (kind == NIC_K_ReplyAtomic && rnd_chance(t, 20)) b->qp[r.qp].psn = b->qp[r.qp].store[rnd_below(t, P_Replay)].psn;
  r.proc = (unsigned)rnd_bits(t, 4);
  r.va = kind == NIC_K_ReplyAtomic ? rnd(t) & ~7ull : rnd(t);
  r.swap = rnd(t), r.compare = rnd(t);
  r.paged = rnd_chance(t, 50), r.fresh = rnd_chance(t, 70);
  r.from = rnd_chance(t, 50) ? 0 : (uint32_t)rnd_bits(t, 6);
  return r;
}

// Whose responder is about to stop, or which QP about to be turned off; or -1.
static int forgets_soon(bench *b) {
  const rsp *oldest = due(b);
  if (dut_get_fail_o(b->d) && oldest) return (int)oldest->qp;
  return b->write && !b->peeks && b->qp[b->write_qp].on ? (int)b->write_qp : -1;
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_reply", 50000);
  b.d = dut_begin(t);
  dut_reset(b.d, 2);
  dut_eval(b.d);
  CHECK(t, !dut_get_look_err_o(b.d), "a responder that has stopped before it began");
  b.far = 5;
  scenarios(&b);
  absent_pages(&b);
  cut_short(&b);
  long_reads(&b);
  laps(&b);
  answers_moved(&b);
  rates(&b);
  for (uint64_t c = 0; c < t->cycles && t->failures < 10; c++) {
    if (c % 5000 == 0) b.four = (unsigned)rnd_below(t, P_NumQps);
    if (c % 1000 == 0) {
      b.slow = rnd_chance(t, 30) ? 0 : (unsigned)rnd_below(t, 70);
      b.far = rnd_chance(t, 50) ? 10 : 200;
      b.bad = rnd_chance(t, 30) ? 0 : rnd_chance(t, 50) ? 60 : 400;
      b.lag = rnd_chance(t, 60) ? 0 : 95;
      b.often = rnd_chance(t, 50) ? 40 : 5;
    }
    if (!b.has && rnd_chance(t, b.often)) b.next = draw(&b), b.has = true;
    b.wr += rnd_chance(t, 30) && b.wr - b.wr_done < 8;
    b.task += rnd_chance(t, 10) && b.task - b.task_done < 8;
    unsigned q = some_qp(&b);
    if (!b.write && rnd_chance(t, b.qp[q].on && !b.qp[q].err ? 1 : 10) && rnd_chance(t, 50))
      b.write = true, b.write_qp = q;
    if (!b.write && rnd_chance(t, 3)) b.write = b.peeks = b.shows = true, address(&b, q);
    const int off = forgets_soon(&b);
    if (off >= 0 && rnd_chance(t, 50)) b.next = draw(&b), b.next.qp = (unsigned)off, b.has = true;
    b.hold = rnd_chance(t, 5);
    cycle(&b);
  }
  b.slow = b.lag = 0, b.hold = false, b.far = 10;
  drain(&b);
  unsigned need = P_RespDepth < 4 ? 10 : 50;
  CHECK(t, b.fails > 5 && b.hits > need && b.forgotten > need && b.stops > need, "too little: %u %u %u %u", b.fails,
        b.hits, b.forgotten, b.stops);
  CHECK(t, b.peek_num > tb_least(t, need), "answers read: %u only", b.peek_num);
  CHECK(t, b.drops > tb_least(t, 5), "forgotten for a new atomic: %u times only", b.drops);
  CHECK(t, b.firsts > need, "first: %u times only", b.firsts);
  CHECK(t, b.heads[NIC_K_TxAbsent] > tb_least(t, 5), "absent pages: %u times only", b.heads[NIC_K_TxAbsent]);
  for (unsigned k = NIC_K_TxNak; k <= NIC_K_TxAtomic; k++)
    CHECK(t, b.heads[k] > tb_least(t, k == NIC_K_TxNak ? 5 : need), "kind %u: %u times only", k, b.heads[k]);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
