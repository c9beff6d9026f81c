// SPDX-License-Identifier: Apache-2.0
// nic_responder played by a client: first a conversation, each answer looked at; then queue pairs whose client writes,
// reads, adds and swaps over a wire that loses and doubles frames both ways. It resends what is not answered, as a
// requester does; at the end all must have happened exactly once and in order: memory is what the client thinks, and
// every byte read and value returned was right.
// Rules of rtl/nic/README.md: RSP-3, RSP-8, RSP-11, RSP-16.
// config: default -GNumMrs=16
// config: odd -GNumQps=3 -GNumMrs=5 -GRespDepth=4 -GReplay=2 +define+TOCSIN_DATA_W=128
// no netlist: 13 s, most of it in Yosys; `make sim BLOCK=nic_responder CONFIG=odd NETLIST=1` before a release
#include <string.h>

#include "tb.h"
#include "nic_responder_tb.h"
#include "tx_ext.h"
#include "reg_bus.h"

enum {
  QPN = 0x77,
  RID = 0x1200,
  QPS = 3,
  MTU = 256,
  SPACE = 4096,
  KEEP = 64,
  LONGEST = 3 * MTU,
  BEAT = NIC_BYTES_T_DATA_W / 8
};
enum {
  OpFirst = 6,
  OpMiddle,
  OpLast,
  OpLastImm,
  OpOnly,
  OpOnlyImm,
  OpRead,
  OpAck = 0x11,
  OpAtomicAck,
  OpCas,
  OpAdd,
  OpXtq = 0xca
};
typedef enum kind { WRITE, WRITE_IMM, READ, ADD, CAS } kind;

typedef struct frame {
  unsigned qp, op, bytes;
  bool ack;
  uint32_t psn, length, imm;
  uint64_t va, swap, compare;
  uint8_t data[MTU];
} frame;

typedef struct answer {
  unsigned qp, op, code, syndrome, bytes, got;
  uint32_t psn, msn;
  uint64_t value;
  bool acks;  // has no payload
  uint8_t data[MTU];
} answer;

typedef struct op {
  kind kind;
  uint32_t first, n, len, imm;
  uint64_t va, swap, compare, old;
  uint8_t data[LONGEST];  // to be written, or what must be read
} op;

typedef struct client {
  op op[4];
  unsigned head, tail;
  uint32_t una, nxt, end;
  uint64_t since;
} client;

typedef struct job {  // memory's: va, bytes and when
  uint64_t va, due;
  unsigned len, got;
  uint8_t data[MTU];
} job;

typedef struct bench {
  tb t;
  dut *d;
  uint64_t now;
  frame in[KEEP];
  unsigned in_head, in_pay, in_tail, in_beat;
  bool pay_shown;
  answer out[KEEP];
  unsigned out_read, out_pay, out_tail, taken;
  uint8_t mem[QPS][SPACE], shadow[QPS][SPACE];
  job wr[KEEP], rd[KEEP];
  unsigned wr_done, wr_pay, wr_job, rd_out, rd_in, rd_beat;
  client c[QPS];
  unsigned slow, loss, far, full, late;  // late: cycles more until what is read comes
  unsigned asks, xtq_beats, passed, imms, imms_due, codes[16], ops, refused;
  bool asking, xtq_done, hold, write, acks_stop;
  uint32_t rb_addr;
  uint64_t rb_data;
  uint32_t start_psn;
  bool start;
  unsigned start_qp, start_num;
  bool start_err, stop;
  unsigned stop_qp;
} bench;

static uint32_t psn24(uint32_t v) { return v & 0xffffff; }
static uint64_t base_of(unsigned qp) { return 0x100000ull * (qp + 1); }
static uint8_t *place(bench *b, uint64_t va, unsigned len) {
  unsigned qp = (unsigned)(va / 0x100000) - 1;
  CHECK(&b->t, qp < QPS && va % 0x100000 + len <= SPACE, "%u bytes at %llx", len, (unsigned long long)va);
  return qp < QPS && va % 0x100000 + len <= SPACE ? &b->mem[qp][va % 0x100000] : b->mem[0];
}
static uint64_t get64(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 8; i-- > 0;) v = v << 8 | p[i];
  return v;
}
static void put64(uint8_t *p, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) p[i] = (uint8_t)(v >> 8 * i);
}

// ---- beats ----
static void to_beat(uint32_t *w, const uint8_t *data, unsigned bytes, unsigned beat) {
  unsigned left = bytes - beat * BEAT, n = left < BEAT ? left : BEAT;
  memset(w, 0, sizeof(uint32_t) * PAY_I_WORDS);
  bits_set(w, NIC_BYTES_T_LAST_LSB, 1, left <= BEAT);
  bits_set(w, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
  for (unsigned i = 0; i < n; i++) bits_set(w, NIC_BYTES_T_DATA_LSB + 8 * i, 8, data[beat * BEAT + i]);
}
static bool from_beat(bench *b, const uint32_t *w, uint8_t *data, unsigned *got, unsigned bytes) {
  unsigned n = (unsigned)bits_get(w, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W);
  CHECK(&b->t, *got + n <= bytes, "more bytes than were promised: %u of %u", *got + n, bytes);
  if (*got + n <= bytes)
    for (unsigned i = 0; i < n; i++) data[(*got)++] = (uint8_t)bits_get(w, NIC_BYTES_T_DATA_LSB + 8 * i, 8);
  bool last = bits_get(w, NIC_BYTES_T_LAST_LSB, 1);
  if (last) CHECK_EQ(&b->t, *got, bytes, "bytes of an item");
  return last;
}
#define FIELD(T, F) bits_get(w, NIC_##T##_T_##F##_LSB, NIC_##T##_T_##F##_W)

// ---- memory: a write happens when it leaves, a read or atomic when it is asked for (RSP-11) ----
static void memory(bench *b, bool done) {
  uint32_t w[WR_JOB_O_WORDS];
  tb *t = &b->t;
  if (done) {
    const job *j = &b->wr[b->wr_done++ % KEEP];
    memcpy(place(b, j->va, j->len), j->data, j->len);
  }
  if (dut_get_wr_job_valid_o(b->d) && dut_get_wr_job_ready_i(b->d)) {
    dut_get_wr_job_o(b->d, w);
    CHECK_EQ(t, FIELD(DMA, RID), RID + FIELD(DMA, VA) / 0x100000, "requester id of a write");
    b->wr[b->wr_job++ % KEEP] =
        (job){.va = FIELD(DMA, VA), .len = (unsigned)FIELD(DMA, LEN), .due = b->now + rnd_below(t, b->far)};
  }
  if (dut_get_rd_job_valid_o(b->d) && dut_get_rd_job_ready_i(b->d)) {
    dut_get_rd_job_o(b->d, w);
    CHECK_EQ(t, FIELD(DMA, RID), RID + FIELD(DMA, VA) / 0x100000, "requester id of a read");
    job j = {.va = FIELD(DMA, VA), .len = (unsigned)FIELD(DMA, LEN), .due = b->now + b->late + rnd_below(t, b->far)};
    uint8_t *p = place(b, j.va, j.len);
    memcpy(j.data, p, j.len);
    if (FIELD(DMA, OP) == NIC_K_DmaFetchAdd) put64(p, get64(p) + FIELD(DMA, SWAP));
    if (FIELD(DMA, OP) == NIC_K_DmaCas && get64(p) == FIELD(DMA, COMPARE)) put64(p, FIELD(DMA, SWAP));
    b->rd[b->rd_in++ % KEEP] = j;
  }
}

// ---- the client: what it makes of an answer ----
static op *oldest(client *c) { return c->head == c->tail ? NULL : &c->op[c->head % 4]; }

static void finish(bench *b, client *c) {
  c->head++, b->ops++;
  (void)b;
}

static void acknowledge(bench *b, client *c, uint32_t upto) {
  for (op *o = oldest(c); o && c->una != upto && o->kind <= WRITE_IMM; o = oldest(c)) {
    uint32_t left = psn24(o->first + o->n - c->una), ahead = psn24(upto - c->una);
    c->una = psn24(c->una + (left < ahead ? left : ahead));
    c->since = b->now;
    if (left <= ahead) finish(b, c);
  }
  if (psn24(c->nxt - c->una) >> 23) c->nxt = c->una;
}

static void hears(bench *b, const answer *a) {
  tb *t = &b->t;
  client *c = &b->c[a->qp];
  b->codes[a->code]++;
  bool ack = a->op == OpAck && !(a->syndrome >> 5);
  if (psn24(a->psn - c->una) >= psn24(c->end - c->una)) return;
  acknowledge(b, c, ack ? psn24(a->psn + 1) : a->psn);
  if (ack) return;
  if (a->op == OpAck) {
    CHECK(t, a->syndrome == 0x60 || a->syndrome >> 5 == 1, "refused: %x (PSN %x)", a->syndrome, a->psn);
    c->nxt = c->una;
    return;
  }
  op *o = oldest(c);
  if (!o || c->una != a->psn || (a->op == OpAtomicAck) != (o->kind > READ)) return;
  uint32_t n = psn24(a->psn - o->first);
  if (o->kind == READ) {
    CHECK_EQ(t, a->bytes, o->len - n * MTU < MTU ? o->len - n * MTU : MTU, "bytes of a read's answer");
    CHECK(t, !memcmp(a->data, o->data + n * MTU, a->bytes), "bytes %u to %u of a read at %llx", n * MTU,
          n * MTU + a->bytes, (unsigned long long)o->va);
  } else {
    CHECK_EQ(t, a->value, o->old, "value before the atomic at %llx", (unsigned long long)o->va);
  }
  c->una = psn24(c->una + 1), c->since = b->now;
  if (n + 1 == o->n) finish(b, c);
  if (psn24(c->nxt - c->una) >> 23) c->nxt = c->una;
}

// ---- one cycle of all that is around it ----
// The oldest frame that nobody has taken, and its payload, which may come later. Returns whether there is one.
static bool show_frame(bench *b) {
  uint32_t w[HEAD_I_WORDS] = {0}, pay[PAY_I_WORDS] = {0};
  const frame *f = &b->in[b->in_head % KEEP];
  bool shown = b->in_head != b->in_tail;
#define HEAD(F, v) bits_set(w, NIC_HEAD_T_##F##_LSB, NIC_HEAD_T_##F##_W, v)
  if (shown) {
    bits_set(w, NIC_HEAD_T_IP_LSB, 64, 0x0a000000 + f->qp), HEAD(PKEY, 0x8000 + f->qp), HEAD(QP, QPN << 8 | f->qp),
        HEAD(OPCODE, f->op);
    HEAD(PSN, f->psn), HEAD(VA, f->va), HEAD(RKEY, 0x55aa00 + f->qp), HEAD(LENGTH, f->length), HEAD(IMM, f->imm);
    HEAD(SWAP, f->swap), HEAD(COMPARE, f->compare), HEAD(ACK_REQ, f->ack), HEAD(BYTES, f->bytes);
  }
  dut_set_head_i(b->d, w);
  dut_set_head_valid_i(b->d, shown);
  bool next = shown && b->in_head + 1 != b->in_tail;
  dut_set_next_valid_i(b->d, next);
  dut_set_next_qp_i(b->d, next ? QPN << 8 | b->in[(b->in_head + 1) % KEEP].qp : 0);
  bool more = b->in_pay != b->in_tail;
  b->pay_shown = more && (b->pay_shown || !rnd_chance(&b->t, b->slow));
  if (more) to_beat(pay, b->in[b->in_pay % KEEP].data, b->in[b->in_pay % KEEP].bytes, b->in_beat);
  dut_set_pay_i(b->d, pay);
  dut_set_pay_valid_i(b->d, b->pay_shown);
  return shown;
}

// Returns whether a write of memory has ended.
static bool set_writes(bench *b) {
  tb *t = &b->t;
  dut_set_wr_job_ready_i(b->d, b->wr_job - b->wr_done < KEEP / 2 && !rnd_chance(t, b->slow));
  dut_set_wr_pay_ready_i(b->d, b->wr_pay != b->wr_job && !rnd_chance(t, b->slow));
  bool done = b->wr_done != b->wr_pay && b->wr[b->wr_done % KEEP].due <= b->now;
  dut_set_wr_done_i(b->d, done);
  return done;
}

// Returns whether memory gives a beat of what was read.
static bool set_reads(bench *b) {
  tb *t = &b->t;
  uint32_t w[RD_BEAT_I_WORDS];
  const job *r = &b->rd[b->rd_out % KEEP];
  bool item = b->rd_out != b->rd_in && r->due <= b->now && !rnd_chance(t, b->slow);
  to_beat(w, r->data, r->len, item ? b->rd_beat : 0);
  dut_set_rd_beat_i(b->d, w);
  dut_set_rd_valid_i(b->d, item);
  dut_set_rd_job_ready_i(b->d, b->rd_in - b->rd_out < KEEP / 2 && !rnd_chance(t, b->slow));
  return item;
}

// Who takes answers, tasks and events; the register that is asked for.
static void set_takers(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  dut_set_cfg_qpn_i(d, QPN);
  dut_set_cfg_rid_i(d, RID);
  dut_set_tx_head_ready_i(d, b->out_tail - b->out_read < KEEP / 2 && !rnd_chance(t, b->slow));
  while (b->out_pay != b->out_tail && b->out[b->out_pay % KEEP].acks) b->out_pay++;
  dut_set_ack_head_ready_i(d, !b->acks_stop && b->out_tail - b->out_read < KEEP / 2 && !rnd_chance(t, b->slow));
  dut_set_tx_pay_ready_i(d, b->out_pay != b->out_tail && !rnd_chance(t, b->slow));
  dut_set_ask_ready_i(d, 1);
  dut_set_xtq_pay_ready_i(d, 1);
  dut_set_ans_valid_i(d, b->asking);
  dut_set_ans_why_i(d, 0);
  dut_set_xtq_done_i(d, b->xtq_done);
  dut_set_req_head_ready_i(d, 0);
  dut_set_req_pay_ready_i(d, 1);
  dut_set_rsv_ok_i(d, !rnd_chance(t, b->full));
  dut_set_rsv_wait_i(d, rnd_chance(t, 5));
  dut_set_ev_ready_i(d, rnd_chance(t, b->slow) ? 0 : 3);
  dut_set_hold_i(d, b->hold);
  dut_set_rb_i(d, reg_bus_of(b->rb_addr, false, b->rb_data, 255).words);
  dut_set_start_valid_i(d, 0);
  dut_set_stop_valid_i(d, 0);
}

// Configuration of the queue pairs that are asked for now; a register write or a start once all is idle.
// Returns whether it goes.
static bool set_registers(bench *b) {
  dut *d = b->d;
  uint32_t cfg[CFG_I_WORDS] = {0};
  unsigned idx = (unsigned)dut_get_cfg_idx_o(d);
  for (unsigned k = 0; k < 2; k++) {
    unsigned q = idx >> 8 * k & 255, at = k * NIC_QP_CFG_T_W;
#define CFG(F, v) bits_set(cfg, at + NIC_QP_CFG_T_##F##_LSB, NIC_QP_CFG_T_##F##_W, v)
    CFG(EN, q < QPS), CFG(PROC, q + 1), CFG(MTU, 1), CFG(RNR, 3), CFG(PKEY, 0x8000 + q),
        bits_set(cfg, at + NIC_QP_CFG_T_IP_LSB, 64, 0x0a000000 + q), CFG(NAME, q);
  }
  dut_set_cfg_i(d, cfg);
  bool go = b->hold && dut_get_idle_o(d);
  dut_set_rb_i(d, reg_bus_of(b->rb_addr, go && b->write, b->rb_data, 255).words);
  // What is not valid is anything.
  bool starts = go && b->start;
  uint32_t from[START_GO_I_WORDS] = {0};
  if (!starts) rnd_words(&b->t, from, NIC_QP_GO_T_W);
  if (starts) bits_set(from, NIC_QP_GO_T_RESP_ERR_LSB, 1, b->start_err);
  if (starts) bits_set(from, NIC_QP_GO_T_ANSWERS_LSB, NIC_QP_GO_T_ANSWERS_W, b->start_num);
  dut_set_start_valid_i(d, starts);
  dut_set_stop_valid_i(d, go && b->stop);
  dut_set_stop_qp_i(d, b->stop_qp);
  dut_set_start_qp_i(d, starts ? b->start_qp : rnd_below(&b->t, QPS));
  dut_set_start_epsn_i(d, starts ? b->start_psn : rnd_bits(&b->t, 24));
  dut_set_start_go_i(d, from);
  dut_set_rb_qp_i(d, starts ? b->start_qp : go && b->stop ? b->stop_qp : rnd_below(&b->t, QPS));
  return go;
}

// Beats of payload: to memory, from memory, from the wire.
static void take_beats(bench *b, bool item) {
  uint32_t w[PAY_O_WORDS];
  if (dut_get_wr_pay_valid_o(b->d) && dut_get_wr_pay_ready_i(b->d)) {
    job *j = &b->wr[b->wr_pay % KEEP];
    dut_get_wr_pay_o(b->d, w);
    b->wr_pay += from_beat(b, w, j->data, &j->got, j->len);
  }
  if (item) {
    bool last = b->rd[b->rd_out % KEEP].len <= (b->rd_beat + 1) * BEAT;
    b->rd_beat = last ? 0 : b->rd_beat + 1, b->rd_out += last;
  }
  if (b->pay_shown && dut_get_pay_ready_o(b->d)) {
    bool last = b->in[b->in_pay % KEEP].bytes <= (b->in_beat + 1) * BEAT;
    b->in_beat = last ? 0 : b->in_beat + 1, b->in_pay += last;
    b->pay_shown = false;
  }
}

static void take_answers(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  uint32_t w[TX_PAY_O_WORDS > TX_HEAD_O_WORDS ? TX_PAY_O_WORDS : TX_HEAD_O_WORDS];
  if (dut_get_tx_pay_valid_o(d) && dut_get_tx_pay_ready_i(d)) {
    answer *a = &b->out[b->out_pay % KEEP];
    dut_get_tx_pay_o(d, w);
    b->out_pay += from_beat(b, w, a->data, &a->got, a->bytes);
  }
  for (unsigned acks = 0; acks < 2; acks++) {
    bool taken = acks ? dut_get_ack_head_valid_o(d) && dut_get_ack_head_ready_i(d)
                      : dut_get_tx_head_valid_o(d) && dut_get_tx_head_ready_i(d);
    if (!taken) continue;
    if (acks)
      dut_get_ack_head_o(d, w);
    else
      dut_get_tx_head_o(d, w);
    answer a = {.qp = (unsigned)(acks ? dut_get_ack_qp_o(d) : dut_get_tx_qp_o(d)),
                .op = (unsigned)FIELD(TX_HEAD, OPCODE),
                .code = (unsigned)(acks ? dut_get_ack_code_o(d) : dut_get_tx_code_o(d)),
                .acks = acks};
    a.psn = (uint32_t)FIELD(TX_HEAD, PSN), a.msn = tx_msn(w), a.syndrome = tx_syndrome(w);
    a.bytes = (unsigned)FIELD(TX_HEAD, BYTES), a.value = tx_value(w);
    CHECK(t, a.qp < QPS, "an answer for nobody");
    b->out[b->out_tail++ % KEEP] = a;
  }
}

static void take_event(bench *b) {
  tb *t = &b->t;
  uint32_t w[EV_O_WORDS];
  CHECK(t, !(dut_get_ev_valid_o(b->d) & 2), "a responder has stopped");
  if (!(dut_get_ev_valid_o(b->d) & dut_get_ev_ready_i(b->d) & 1)) return;
  dut_get_ev_o(b->d, w);
  b->imms += FIELD(EVENT, KIND) == NIC_K_EvImm;
  b->refused += FIELD(EVENT, KIND) == NIC_K_EvRefused;
  if (FIELD(EVENT, KIND) == NIC_K_EvImm)
    CHECK_EQ(t, FIELD(EVENT, LEN), 0xabc0000 + FIELD(EVENT, QP), "immediate of QP %u", (unsigned)FIELD(EVENT, QP));
}

static void cycle(bench *b) {
  dut *d = b->d;
  bool shown = show_frame(b), done = set_writes(b), item = set_reads(b);
  set_takers(b);
  dut_eval(d);
  bool go = set_registers(b);
  dut_eval(d);
  bool passes = dut_get_req_head_valid_o(d);
  dut_set_req_head_ready_i(d, passes);
  dut_eval(d);
  if (go) b->hold = b->write = b->start = b->stop = false;

  CHECK(&b->t, dut_get_rd_ready_o(d), "nic_rd has to wait");
  CHECK(&b->t, !dut_get_rsv_valid_o(d) || !dut_get_rsv_wait_i(d), "a place is asked for that an event takes");
  memory(b, done);
  take_beats(b, item);
  b->xtq_beats += dut_get_xtq_pay_valid_o(d) != 0;
  b->passed += passes;
  b->asking = dut_get_ask_valid_o(d);
  b->asks += b->asking;
  if (shown && dut_get_head_ready_o(d)) b->in_head++;
  take_answers(b);
  take_event(b);
  dut_tick(d);
  b->now++;
}

static void settle(bench *b) {
  while (b->hold && b->t.failures < 10) cycle(b);
}
// What is written is on the bus in the cycle before.
static void reg(bench *b, uint32_t addr, uint64_t v) {
  b->rb_addr = addr, b->rb_data = v;
  cycle(b);
  b->write = b->hold = true;
  settle(b);
}
static void start(bench *b, unsigned qp, uint32_t psn) {
  b->start_qp = qp, b->start_psn = psn, b->start = b->hold = true;
  settle(b);
  b->c[qp] = (client){.una = psn, .nxt = psn, .end = psn};
}

static void stop(bench *b, unsigned qp) {
  b->stop_qp = qp, b->stop = b->hold = true;
  settle(b);
}

static unsigned answers_of(bench *b, unsigned q) {
  dut_set_rb_qp_i(b->d, q);
  dut_eval(b->d);
  return (unsigned)dut_get_rb_answers_o(b->d);
}

// A queue pair that has stopped, or has answers in store, goes on as such; the others do not.
static void as_it_was(bench *b) {
  for (unsigned one = 0; one < QPS; one++) {
    b->start_err = true, b->start_num = 1;
    start(b, one, 0);
    b->start_err = false, b->start_num = 0;
    for (unsigned q = 0; q < QPS; q++) {
      dut_set_rb_qp_i(b->d, q);
      dut_eval(b->d);
      CHECK_EQ(&b->t, dut_get_rb_err_o(b->d), q == one, "whether QP %u has stopped, when QP %u has", q, one);
      CHECK_EQ(&b->t, answers_of(b, q), q == one, "answers of QP %u, when QP %u has one", q, one);
    }
    start(b, one, 0);
  }
}

// ---- conversation ----
static frame say(unsigned op, uint32_t psn, unsigned bytes, uint64_t at) {
  frame f = {.op = op, .psn = psn, .bytes = bytes, .length = bytes, .va = base_of(0) + at, .ack = true};
  for (unsigned i = 0; i < bytes; i++) f.data[i] = (uint8_t)(psn * 16 + i);
  return f;
}
static void push(bench *b, frame f) { b->in[b->in_tail++ % KEEP] = f; }

// Sends it and waits for one answer.
static const answer *ask(bench *b, frame f) {
  static const answer none;
  push(b, f);
  for (unsigned n = 0; n < 400 && (b->in_head != b->in_tail || b->out_pay == b->out_read); n++) cycle(b);
  for (unsigned n = 0; n < 40; n++) cycle(b);
  CHECK(&b->t, b->out_pay != b->out_read, "no answer to opcode %x, PSN %x", f.op, f.psn);
  return b->out_pay == b->out_read ? &none : &b->out[b->out_read++ % KEEP];
}
static void silence(bench *b, frame f) {
  push(b, f);
  for (unsigned n = 0; n < 200; n++) cycle(b);
  CHECK(&b->t, b->in_head == b->in_tail && b->out_tail == b->out_read, "an answer to opcode %x, PSN %x", f.op, f.psn);
}

static void conversation(bench *b) {
  tb *t = &b->t;
  const answer *a = ask(b, say(OpOnly, 0xffffff, 100, 8));
  CHECK(t, a->op == OpAck && a->syndrome == 0x1f && a->psn == 0xffffff && a->msn == 1, "a write and its ACK");
  CHECK(t, !memcmp(&b->mem[0][8], say(OpOnly, 0xffffff, 100, 8).data, 100), "its bytes");
  b->mem[0][8] = 1;
  a = ask(b, say(OpOnly, 0xffffff, 100, 8));
  CHECK(t, a->psn == 0xffffff && b->mem[0][8] == 1, "a duplicate is acknowledged, not written");
  frame f = say(OpRead, 0, 0, 8);
  f.length = 300;
  a = ask(b, f);
  CHECK(t, a->op == NIC_K_OpReadFirst && a->bytes == 256 && a->msn == 2 && !memcmp(a->data, &b->mem[0][8], 256),
        "a read");
  a = &b->out[b->out_read++ % KEEP];
  CHECK(t, a->op == NIC_K_OpReadLast && a->psn == 1 && a->bytes == 44 && b->out_read == b->out_tail,
        "its second packet");
  put64(&b->mem[0][64], 1000);
  f = say(OpAdd, 2, 0, 64), f.swap = 5;
  a = ask(b, f);
  CHECK(t, a->op == OpAtomicAck && a->value == 1000 && get64(&b->mem[0][64]) == 1005, "an atomic");
  a = ask(b, f);
  CHECK(t, a->op == OpAtomicAck && a->value == 1000 && get64(&b->mem[0][64]) == 1005, "again: answered, not done");
  a = ask(b, say(OpOnly, 7, 10, 0));
  CHECK(t, a->syndrome == 0x60 && a->psn == 3, "out of sequence: NAK 0 of the PSN that is missing");
  silence(b, say(OpOnly, 8, 10, 0));
  a = ask(b, say(OpOnly, 3, 10, SPACE - 9));
  CHECK(t, a->syndrome == 0x62 && a->psn == 3 && b->refused == 1, "one byte beyond the region");
  a = ask(b, say(OpMiddle, 3, 256, 0));
  CHECK(t, a->syndrome == 0x61 && b->refused == 2, "Middle of nothing");
  // A task, then a read that must see what it wrote.
  a = ask(b, say(OpXtq, 3, 80, 0));
  CHECK(t, a->syndrome == 0x1f && b->asks == 1 && b->xtq_beats == (80 + BEAT - 1) / BEAT,
        "a task is asked about, and acknowledged");
  f = say(OpRead, 4, 0, 0), f.length = 8;
  silence(b, f);
  CHECK_EQ(t, b->rd_in, 3, "the read waits for the writes of the task");
  b->xtq_done = true;
  cycle(b);
  b->xtq_done = false;
  for (unsigned n = 0; n < 60; n++) cycle(b);
  CHECK(t, b->out_pay - b->out_read == 1 && b->out[b->out_read++ % KEEP].op == NIC_K_OpReadOnly, "and is then done");
  silence(b, say(OpAck, 5, 0, 0));
  CHECK_EQ(t, b->passed, 1, "an answer goes to the requester");
}

// A new atomic has the PSN of an answer in store, which was that 2^24 PSNs before: from its decision on that one is not
// given, and its own is as soon as it is there.
static void lap(bench *b) {
  tb *t = &b->t;
  put64(&b->mem[0][64], 70);
  start(b, 0, 0x123456);
  frame f = say(OpAdd, 0x123456, 0, 64);
  f.swap = 5;
  CHECK_EQ(t, ask(b, f)->value, 70, "an atomic");
  b->start_num = 1;
  start(b, 0, 0x123456);  // with that answer
  b->start_num = 0;
  CHECK_EQ(t, answers_of(b, 0), 1, "it is in store");
  b->late = 1000;
  silence(b, f);
  CHECK_EQ(t, get64(&b->mem[0][64]), 80, "is new");
  CHECK_EQ(t, answers_of(b, 0), 0, "and makes the store forget it");
  silence(b, f);
  b->late = 0;
  for (unsigned n = 0; n < 1000; n++) cycle(b);
  CHECK_EQ(t, b->out_pay - b->out_read, 1, "one answer: a duplicate before it gets nothing");
  CHECK_EQ(t, b->out[b->out_read++ % KEEP].value, 75, "that of the new one");
  CHECK_EQ(t, ask(b, f)->value, 75, "again");
  CHECK_EQ(t, answers_of(b, 0), 1, "the new one is in store");
}

static frame of_qp(unsigned qp, frame f) {
  f.qp = qp, f.va += base_of(qp) - base_of(0);
  return f;
}

// An acknowledgement leaves before a response of its queue pair that was asked for later; those of others do not wait.
static void acks_first(bench *b) {
  tb *t = &b->t;
  for (unsigned q = 0; q < QPS; q++) {
    const unsigned other = (q + 1) % QPS;
    start(b, q, 100), start(b, other, 100);
    b->acks_stop = true;
    push(b, of_qp(q, say(OpOnly, 100, 8, 0)));
    frame f = say(OpRead, 100, 0, 0);
    f.length = 8;
    push(b, of_qp(other, f));
    f.psn = 101;
    push(b, of_qp(q, f));
    for (unsigned n = 0; n < 100; n++) cycle(b);
    CHECK_EQ(t, b->out_tail - b->out_read, 1, "responses while an ACK of QP %u waits", q);
    CHECK_EQ(t, b->out[b->out_read % KEEP].qp, other, "QP of the response that waits for nobody");
    b->acks_stop = false;
    for (unsigned n = 0; n < 40; n++) cycle(b);
    CHECK_EQ(t, b->out_tail - b->out_read, 3, "answers at the end");
    CHECK(t, b->out[(b->out_read + 1) % KEEP].acks && !b->out[(b->out_read + 2) % KEEP].acks,
          "the ACK of QP %u, then its response", q);
    b->out_read = b->out_pay = b->out_tail;
  }
}

// Writes that wait one behind the other take three cycles each, at 128 bits four.
static void in_a_row(bench *b) {
  tb *t = &b->t;
  enum { N = 20 };
  start(b, 0, 100);
  for (unsigned i = 0; i < N; i++) {
    frame f = say(OpOnly, 100 + i, 8, 0);
    f.ack = false;
    push(b, f);
  }
  const uint64_t since = b->now;
  while (b->in_head != b->in_tail && b->now - since < 10 * N) cycle(b);
  CHECK_EQ(t, b->now - since, (NIC_BYTES_T_DATA_W == 128 ? 4 : 3) * N + 1, "cycles of %u writes", N);
  for (unsigned n = 0; n < 40; n++) cycle(b);
  CHECK_EQ(t, b->out_tail, b->out_read, "nobody asked for an ACK");
}

// An acknowledgement that waits for a response of its queue pair is forgotten when that is turned off (P4 of nic_acks),
// and the response with it; not when another is turned on or off.
static void turned_off(bench *b) {
  tb *t = &b->t;
  for (unsigned q = 0; q < QPS; q++) {
    const unsigned other = (q + 1) % QPS;
    start(b, q, 100), start(b, other, 100);
    b->late = 1000;
    frame f = say(OpRead, 100, 0, 0);
    f.length = 8;
    push(b, of_qp(q, f));
    push(b, of_qp(q, say(OpOnly, 101, 8, 64)));
    for (unsigned n = 0; n < 100; n++) cycle(b);
    stop(b, other), start(b, other, 100);
    CHECK_EQ(t, dut_get_pend_o(b->d), 1ull << q, "QPs with an ACK that waits, when another has been turned on");
    stop(b, q);
    CHECK_EQ(t, dut_get_pend_o(b->d), 0, "and when QP %u has been turned off", q);
    b->late = 0;
    for (unsigned n = 0; n < 1200; n++) cycle(b);
    CHECK_EQ(t, b->out_tail, b->out_read, "answers of QP %u, which is off", q);
  }
}

// A queue pair whose responder has stopped does nothing and says nothing; the others go on.
static void stopped(bench *b) {
  tb *t = &b->t;
  for (unsigned q = 0; q < QPS; q++) {
    const unsigned other = (q + 1) % QPS;
    const frame f = of_qp(q, say(OpOnly, 100, 8, 0)), g = of_qp(other, say(OpOnly, 100, 8, 0));
    b->start_err = true;
    start(b, q, 100);
    b->start_err = false;
    start(b, other, 100);
    memset(b->mem[q], 0, 8);
    silence(b, f);
    CHECK_EQ(t, get64(b->mem[q]), 0, "what a write to QP %u did, which has stopped", q);
    const answer *a = ask(b, g);
    CHECK(t, a->qp == other && a->syndrome == 0x1f && !memcmp(b->mem[other], g.data, 8), "QP %u goes on", other);
  }
}

// ---- the client at random ----
// RSP-16: a write may pass the reads and atomics before it, and a read that is asked for again sees what was written
// since: a client that minds waits for the answer.
static bool waits(const client *c, kind k, uint64_t va, uint32_t len) {
  for (unsigned i = c->head; i != c->tail; i++) {
    const op *o = &c->op[i % 4];
    if ((o->kind == READ || (o->kind > READ && k <= WRITE_IMM)) && va < o->va + o->len && o->va < va + len) return true;
  }
  return false;
}

static void wish(bench *b, unsigned q) {
  tb *t = &b->t;
  client *c = &b->c[q];
  // Not more than the peer remembers.
  if (c->tail - c->head >= (P_Replay < 4 ? P_Replay : 4)) return;
  op o = {.kind = (kind)rnd_below(t, 5), .first = c->end, .n = 1};
  uint32_t area = rnd_chance(t, 50) ? 64 : SPACE;  // often the same bytes
  o.len = o.kind > READ ? 8 : (uint32_t)rnd_below(t, rnd_chance(t, 60) ? 65 : LONGEST + 1);
  if (o.len > area) area = SPACE;
  uint64_t at = o.kind > READ ? 8 * rnd_below(t, area / 8) : rnd_below(t, area - o.len + 1);
  o.va = base_of(q) + at;
  if (o.kind != READ && waits(c, o.kind, o.va, o.len)) return;
  uint8_t *s = &b->shadow[q][at];
  if (o.kind <= READ && o.len > MTU) o.n = (o.len + MTU - 1) / MTU;
  for (uint32_t i = 0; o.kind <= WRITE_IMM && i < o.len; i++) s[i] = (uint8_t)rnd(t);
  if (o.kind <= READ) memcpy(o.data, s, o.len);
  if (o.kind > READ) {
    o.old = get64(s), o.swap = rnd(t), o.compare = rnd_chance(t, 60) ? o.old : rnd(t);
    if (o.kind == ADD) put64(s, o.old + o.swap);
    if (o.kind == CAS && o.compare == o.old) put64(s, o.swap);
  }
  b->imms_due += o.kind == WRITE_IMM;
  c->op[c->tail++ % 4] = o;
  c->end = psn24(c->end + o.n);
}

static void sends(bench *b, unsigned q) {
  tb *t = &b->t;
  client *c = &b->c[q];
  if (c->una != c->end && b->now - c->since > 1500) c->nxt = c->una, c->since = b->now;
  if (c->nxt == c->end || b->in_tail - b->in_head > 8 || b->in_tail - b->in_pay > 8) return;
  const op *o = NULL;
  for (unsigned i = c->head; i != c->tail && !o; i++)
    if (psn24(c->nxt - c->op[i % 4].first) < c->op[i % 4].n) o = &c->op[i % 4];
  CHECK(t, o, "the client has lost its thread");
  if (!o) return;
  uint32_t k = psn24(c->nxt - o->first);
  frame f = {.qp = q,
             .psn = c->nxt,
             .va = o->va,
             .length = o->len,
             .imm = 0xabc0000 + q,
             .swap = o->swap,
             .compare = o->compare};
  f.ack = k + 1 == o->n || rnd_chance(t, 30);
  if (o->kind <= WRITE_IMM) {
    bool first = k == 0, last = k + 1 == o->n, imm = o->kind == WRITE_IMM && last;
    f.op = first && last ? (imm ? OpOnlyImm : OpOnly) : first ? OpFirst : last ? (imm ? OpLastImm : OpLast) : OpMiddle;
    f.bytes = o->len - k * MTU < MTU ? o->len - k * MTU : MTU;
    memcpy(f.data, o->data + k * MTU, f.bytes);
    c->nxt = psn24(c->nxt + 1);
  } else if (o->kind == READ) {
    f.op = OpRead, f.va += k * MTU, f.length -= k * MTU;
    c->nxt = psn24(o->first + o->n);
  } else {
    f.op = o->kind == ADD ? OpAdd : OpCas;
    c->nxt = psn24(c->nxt + 1);
  }
  if (!rnd_chance(t, b->loss)) push(b, f);
  if (rnd_chance(t, b->loss)) push(b, f);
}

static void client_cycle(bench *b, bool wishes) {
  tb *t = &b->t;
  unsigned q = (unsigned)rnd_below(t, QPS);
  if (wishes && rnd_chance(t, 30)) wish(b, q);
  if (rnd_chance(t, 50)) sends(b, q);
  for (; b->out_read != b->out_pay; b->out_read++)
    if (!rnd_chance(t, b->loss)) hears(b, &b->out[b->out_read % KEEP]);
  cycle(b);
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  tb_init(t, argc, argv, "nic_responder", 100000);
  b.d = dut_begin(t);
  dut_reset(b.d, 2);
  b.far = 10;
  as_it_was(&b);
  for (unsigned q = 0; q < QPS; q++) {
    reg(&b, 0x4000 + 32 * q, base_of(q));
    reg(&b, 0x4008 + 32 * q, SPACE);
    reg(&b, 0x4010 + 32 * q, 1ull << 63 | 7ull << 40 | (uint64_t)(q + 1) << 32 | (0x55aa00 + q));
    start(&b, q, 0xffffff);
  }
  conversation(&b);
  acks_first(&b);
  lap(&b);
  in_a_row(&b);
  memcpy(b.shadow, b.mem, sizeof b.mem);
  for (unsigned q = 0; q < QPS; q++) start(&b, q, 0xfffff0 + q);
  b.refused = 0;
  for (uint64_t c = 0; c < t->cycles && t->failures < 10; c++) {
    if (c % 2000 == 0) {
      b.slow = rnd_chance(t, 40) ? 0 : (unsigned)rnd_below(t, 60);
      b.loss = rnd_chance(t, 40) ? 0 : 8;
      b.far = rnd_chance(t, 50) ? 5 : 120;
      b.full = rnd_chance(t, 50) ? 0 : 20;
    }
    client_cycle(&b, true);
  }
  b.slow = b.loss = b.full = 0, b.far = 5;
  for (unsigned n = 0; n < 12000; n++) client_cycle(&b, false);
  for (unsigned q = 0; q < QPS; q++) {
    CHECK(t, b.c[q].una == b.c[q].end, "the client of QP %u waits for PSN %x", q, b.c[q].una);
    CHECK(t, !memcmp(b.mem[q], b.shadow[q], SPACE), "memory of QP %u is not what its client wrote", q);
    dut_set_rb_qp_i(b.d, q);
    dut_eval(b.d);
    uint32_t is[RB_RESP_O_WORDS];
    dut_get_rb_resp_o(b.d, is);
    CHECK_EQ(t, bits_get(is, NIC_RESP_STATE_T_EPSN_LSB, NIC_RESP_STATE_T_EPSN_W), b.c[q].end, "expected PSN of QP %u",
             q);
  }
  CHECK_EQ(t, b.imms, b.imms_due, "events of writes with immediate");
  turned_off(&b);
  stopped(&b);
  printf("nic_responder[%s] %u requests, exactly once\n", t->config, b.ops);
  CHECK(t, b.ops > t->cycles / 200 && b.codes[NIC_K_TxNak] > 20, "too little: %u requests, %u NAKs", b.ops,
        b.codes[NIC_K_TxNak]);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
