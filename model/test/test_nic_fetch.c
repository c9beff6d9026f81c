// SPDX-License-Identifier: Apache-2.0
// What decisions of the NIC's model read: each thing is asked for once and memory is asked anew for the next decision,
// answers find the read that they belong to, and what is left of a decision that was given up is nobody's.
// Rules of rtl/nic/README.md: MEM-7, QPR-8.
#include "../src/nic/nic_state.h"
#include "nic_world.h"

enum { RING = 0x1000, EQ_AT = 0x8000, EQ_SIZE = 4, BUF = 0x20000, QP = 2, PROC = 1, PSN = 0x100 };

static node n;
static nic_memo *o;

static void begin(void) {
  nic_config c;
  nic_config_default(&c);
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  for (unsigned i = 0; i < MEM; i++) n.mem[PROC][i] = (uint8_t)(i * 7 + (i >> 8));
  n.late = true;
  o = &n.m->m_req;
}

static nic_got fetch(uint64_t va, uint32_t len, const uint8_t **data) {
  nic_job j = nic_read_job(n.m, NIC_SRC_REQ, PROC, va, len);
  return nic_fetch(n.m, o, &j, 0, data);
}

// The bytes there have come, and are those of memory.
static void has(uint64_t va, uint32_t len) {
  const uint8_t *d = NULL;
  EQ(fetch(va, len, &d), NIC_GOT);
  CHECK(d && !memcmp(d, n.mem[PROC] + va, len));
}
static void waits(uint64_t va, uint32_t len) {
  const uint8_t *d = NULL;
  EQ(fetch(va, len, &d), NIC_WAIT);
}
static void answer_all(void) {
  while (n.num_asks) answer_one(&n, 0);
}

// As many reads as a decision may have, each asked for once, whatever else is asked for meanwhile.
static void as_many(void) {
  const unsigned many = sizeof o->item / sizeof *o->item;
  begin();
  for (unsigned k = 0; k < many; k++) {
    waits(BUF + 16 * k, 16);
    EQ(n.num_asks, k + 1);
    EQ(n.asks[k].j.va, BUF + 16 * k);
    EQ(n.asks[k].j.rid, RID + PROC);
  }
  for (unsigned k = 0; k < many; k++) waits(BUF + 16 * k, 16);
  EQ(n.num_asks, many);
  answer_one(&n, 0);  // the oldest alone has its bytes
  has(BUF, 16);
  waits(BUF + 16, 16);
  answer_all();
  for (unsigned k = 0; k < many; k++) has(BUF + 16 * k, 16);
  EQ(n.num_asks, 0);
  waits(BUF + 0x8000, 16);  // one more: all that was there has been another decision's
  EQ(o->num, 1);
  answer_all();
  has(BUF + 0x8000, 16);
  node_free(&n);
}

// The same for bytes: the room is used to the last of them, and what does not fit begins at its start.
static void as_much(void) {
  const uint32_t all = sizeof o->buf, rest = all - 4096;
  begin();
  waits(BUF, 4096);
  waits(BUF + 4096, rest);
  answer_all();
  has(BUF, 4096);
  has(BUF + 4096, rest);
  EQ(o->num, 2);
  EQ(o->used, all);
  memo_clear(o);
  waits(BUF, 4096);
  waits(BUF + 4096, rest + 1);
  EQ(o->num, 1);
  EQ(o->used, rest + 1);
  answer_all();
  has(BUF + 4096, rest + 1);
  node_free(&n);
}

// A source has 64 unanswered at most: what comes then waits, and is not asked for.
static void not_more(void) {
  begin();
  for (unsigned k = 0; k < 64; k++) {
    if (k == 32) memo_clear(o);
    waits(BUF + 16 * k, 16);
  }
  EQ(n.num_asks, 64);
  memo_clear(o);
  waits(BUF + 0x8000, 16);
  EQ(n.num_asks, 64);
  EQ(o->num, 0);
  answer_one(&n, 0);
  waits(BUF + 0x8000, 16);
  EQ(n.num_asks, 64);
  EQ(o->num, 1);
  answer_all();
  has(BUF + 0x8000, 16);
  node_free(&n);
}

// What was given up has its answers yet: they belong to nobody, and the next ones to who has asked.
static void given_up(void) {
  begin();
  waits(BUF, 16);
  waits(BUF + 16, 16);
  answer_one(&n, 0);
  has(BUF, 16);
  memo_clear(o);
  n.mem[PROC][BUF] ^= 0xff;
  waits(BUF, 16);  // memory is asked anew
  EQ(n.num_asks, 2);
  answer_one(&n, 0);  // of the one that was given up
  waits(BUF, 16);
  answer_one(&n, 0);
  has(BUF, 16);
  // another address, length, operation or number is another read
  nic_job j = nic_read_job(n.m, NIC_SRC_REQ, PROC, BUF, 16);
  const uint8_t *d = NULL;
  EQ(nic_fetch(n.m, o, &j, 1, &d), NIC_WAIT);
  waits(BUF + 1, 16);
  waits(BUF, 8);
  j.rid++;
  EQ(nic_fetch(n.m, o, &j, 0, &d), NIC_WAIT);
  EQ(n.num_asks, 4);
  has(BUF, 16);
  node_free(&n);
}

// Answers that are not as asked for.
static void answers(void) {
  static const uint8_t b[64];
  begin();
  EQ(nic_read_done(n.m, NIC_SRC_REQ, b, 16, false), NIC_E_ARG);
  EQ(nic_read_done(n.m, NIC_SRC_NUM, b, 16, false), NIC_E_ARG);
  waits(BUF, 16);
  EQ(nic_read_done(n.m, NIC_SRC_REQ, b, 15, false), NIC_E_ARG);
  EQ(nic_read_done(n.m, NIC_SRC_READ, b, 16, false), NIC_E_ARG);
  EQ(nic_read_refused(n.m, NIC_SRC_REQ, 17), NIC_E_ARG);
  waits(BUF, 16);
  EQ(nic_read_done(n.m, NIC_SRC_REQ, b, 16, false), NIC_OK);
  const uint8_t *d = NULL;
  EQ(fetch(BUF, 16, &d), NIC_GOT);
  CHECK(d && !memcmp(d, b, 16));
  EQ(nic_read_done(n.m, NIC_SRC_REQ, b, 16, false), NIC_E_ARG);
  node_free(&n);
}

// MEM-7: refused by memory, or broken; the next decision begins with neither.
static void errors(void) {
  static const uint8_t none[16];
  begin();
  for (unsigned k = 0; k < 3; k++) {
    const uint8_t *d = NULL;
    memo_clear(o);
    waits(BUF, 16);
    if (k == 0) EQ(nic_read_refused(n.m, NIC_SRC_REQ, 16), NIC_OK);
    if (k == 1) EQ(nic_read_done(n.m, NIC_SRC_REQ, NULL, 16, true), NIC_OK);
    if (k == 2) EQ(nic_read_done(n.m, NIC_SRC_REQ, none, 16, false), NIC_OK);
    EQ(fetch(BUF, 16, &d), k < 2 ? NIC_GOT_ERR : NIC_GOT);
    EQ(o->refused, k == 0);
    CHECK(d && !memcmp(d, none, 16));
    EQ(cnt(&n, NIC_CNT_ERR), k == 0 ? 1 : 2);
  }
  node_free(&n);
}

// A slot of a shared queue may be taken by a compare-and-swap on it, and by nothing else that is asked for.
static void pinned(void) {
  static const struct {
    uint8_t src, op;
  } a[] = {{NIC_SRC_QUEUE, NIC_JOB_READ},
           {NIC_SRC_ATOMIC, NIC_JOB_CAS},
           {NIC_SRC_QUEUE, NIC_JOB_FETCH_ADD},
           {NIC_SRC_QUEUE, NIC_JOB_CAS}};
  begin();
  CHECK(!nic_memo_pinned(o));
  for (unsigned k = 0; k < 4; k++) {
    nic_job j = nic_read_job(n.m, a[k].src, PROC, BUF, 8);
    const uint8_t *d = NULL;
    j.op = a[k].op;
    EQ(nic_fetch(n.m, o, &j, k, &d), NIC_WAIT);
    EQ(nic_memo_pinned(o), k == 3);
  }
  for (unsigned k = 4; k-- > 0;) {  // what has been given up pins nothing, whichever was the first
    nic_job j = nic_read_job(n.m, a[k].src, PROC, BUF, 8);
    const uint8_t *d = NULL;
    memo_clear(o);
    CHECK(!nic_memo_pinned(o));
    j.op = a[k].op;
    EQ(nic_fetch(n.m, o, &j, 0, &d), NIC_WAIT);
    EQ(nic_memo_pinned(o), k == 3);
  }
  node_free(&n);
}

// The peer reads the same place twice, and the second time it has changed.
static void anew(void) {
  uint8_t pay[NIC_PAYLOAD_MAX];
  nic_head h;
  begin();
  n.late = false;
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  qp_connect(&n, QP, PROC, 1, 9, RING, 0, PSN, PSN, CTL(1, 1, 2, 2, 0));
  for (unsigned k = 0; k < 3; k++) {
    nic_head r = head(&n, 1, QP, NIC_OP_READ_REQ, PSN + k);
    r.va = BUF;
    r.rkey = KEY;
    r.length = 32;
    say(&n, 1, &r, NULL);
    nic_run(n.m);
    CHECK(heard(&n, &h, pay));
    EQ(h.opcode, NIC_OP_READ_ONLY);
    EQ(h.bytes, 32);
    CHECK(!memcmp(pay, n.mem[PROC] + BUF, 32));
    n.mem[PROC][BUF + k] ^= 0x5a;
  }
  // and a ring of one entry, which says another thing each time
  for (unsigned k = 0; k < 3; k++) {
    entry e = {.op = k & 1 ? OP_WRITE_IMM : OP_WRITE, .imm = k};
    post(&n, QP, PROC, RING, 0, &e);
    nic_run(n.m);
    CHECK(heard(&n, &h, NULL));
    EQ(h.opcode, k & 1 ? NIC_OP_WRITE_ONLY_IMM : NIC_OP_WRITE_ONLY);
    nic_head a = head(&n, 1, QP, NIC_OP_ACK, PSN + k);
    a.syndrome = NIC_SYN_ACK;
    say(&n, 1, &a, NULL);
    nic_run(n.m);
  }
  EQ(n.m->qp[QP].cons, 3);
  node_free(&n);
}

int main(void) {
  as_many();
  as_much();
  not_more();
  given_up();
  answers();
  errors();
  pinned();
  anew();
  return report();
}
