// SPDX-License-Identifier: Apache-2.0
// XtqPut at the target, on the NIC's model: hostile cases 29 to 35, receive buffers, queues, tables, and the tasks of
// access logs. Each scenario starts from a fresh node 0 with QP 1 of process 1, of which node 1 is the peer.
#include "nic_world.h"
#include "tocsin/xtq_rbuf.h"

enum {
  EQ = 0x8000,
  EQ_SIZE = 5,
  RING = 0x10000,   // of the queues: + 0x1000 * index; 4 slots
  BLOCK = 0x10800,  // their index blocks
  BELL = 0x10900,
  BUFFERS = 0x40000,
  SIGNAL = 0x6000,
  TARGET = 0x7000,
  CODE = 0x40de0000,
  TABLES = 0x70000,
  QP = 1,
  PROC = 1,
  PSN = 100,
  SINGLE = 0,
  SHARED = 1,
  TOLD = 2,  // MIRROR and EVENTS
  LAST_INDEX = 63
};

static node n;
static nic_head h;
static uint8_t msg[64 + 4096 + 4096], got[4096];
static uint32_t psn;

static uint8_t *at(uint64_t va) { return n.mem[PROC] + va; }

static void begin_with(unsigned cache) {
  nic_config c;
  nic_config_default(&c);
  c.TableCache = cache;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ, EQ_SIZE);
  for (unsigned p = 0; p < PROCS; p++) wr(&n, NIC_REG_XT_BASE + p * NIC_REG_XT_BASE_STRIDE, TABLES);
  qp_connect(&n, QP, PROC, 1, 9, 0x1000, 4, PSN, 0, CTL(1, 5, 7, 7, 0));
  for (unsigned q = 0; q < 3; q++) {
    uint64_t off = 0x1000 * q;
    for (unsigned k = 0; k < 4; k++) *at(RING + off + 64 * k) = 1;
    table(&n, PROC, QUEUE, q, RING + off, BELL + off, BLOCK + off,
          VALID | 2 << 1 |
              (q == SHARED          ? MULTI
               : q == TOLD || cache ? MIRROR
                                    : 0) |
              (q == TOLD ? EVENTS : 0));
  }
  table(&n, PROC, KERNEL, 1, CODE + 1, TARGET, SIGNAL, VALID | HAS_TARGET);
  table(&n, PROC, KERNEL, LAST_INDEX, CODE + 2, 0, 0, VALID);
  table(&n, PROC, FUNCTION, 2, CODE + 3, TARGET, 0, VALID | HAS_TARGET);
  table(&n, 2, KERNEL, 5, CODE + 4, 0, 0, VALID);  // another process'
  table(&n, 2, QUEUE, 5, RING, BELL, BLOCK, VALID | 2 << 1 | MULTI);
  post_buffer(&n, PROC, BUFFERS, 0x1000, 0);
  psn = PSN;
  n.writes = 0;
}
static void begin(void) { begin_with(0); }

// A message in one frame.
static nic_head put(unsigned kind, uint64_t code, unsigned queue, uint32_t args, uint32_t pay) {
  command(msg, kind, code, queue);
  for (uint32_t k = 0; k < args + pay; k++) msg[64 + k] = (uint8_t)(k * 3 + 1);
  nic_head r = head(&n, 1, QP, NIC_OP_XTQ_ONLY, psn);
  r.xtq_kind = (uint8_t)kind;
  r.xtq_proc = PROC;
  r.xtq_args = args;
  r.xtq_pay = pay;
  r.length = 64 + args + pay;
  r.bytes = (uint16_t)r.length;
  return r;
}

static void expect(unsigned syndrome) {
  nic_run(n.m);
  CHECK(heard(&n, &h, got));
  EQ(h.opcode, NIC_OP_ACK);
  EQ(h.syndrome, syndrome);
  EQ(h.psn, psn);
  CHECK(!heard(&n, &h, got));
}
static void accept(const nic_head *r) {
  say(&n, 1, r, msg);
  expect(NIC_SYN_ACK);
  psn++;
}
static ev event(unsigned kind) {
  ev e = {0};
  CHECK(take_event(&n, PROC, EQ, EQ_SIZE, &e));
  EQ(e.kind, kind);
  return e;
}
// Refused: the peer and the process hear why, and memory but for that event is as it was.
static void refuse(const nic_head *r, unsigned syndrome, unsigned why) {
  uint32_t writes = n.writes;
  say(&n, 1, r, msg);
  expect(syndrome);
  ev e = event(NIC_EV_REFUSED);
  EQ(e.status, syndrome);
  EQ(e.word, why);
  EQ(e.addr, psn);
  EQ(n.writes, writes + 1);
}
#define NAK1 (NIC_SYN_NAK | 1)
#define RNR (NIC_SYN_RNR | 5)

static done_write *write_no(uint32_t k) { return &n.wr[k % WRITES]; }
static void wrote(uint32_t k, uint64_t va, uint32_t bytes) {
  EQ(write_no(k)->j.va, va);
  EQ(write_no(k)->j.n, bytes);
  EQ(write_no(k)->j.src, NIC_SRC_TASK);
  EQ(write_no(k)->j.rid, RID + PROC);
}
static void end(void) {
  ev e;
  CHECK(!take_event(&n, PROC, EQ, EQ_SIZE, &e));
  table(&n, PROC, QUEUE, 4, RING + 0x3000, BELL + 0x3000, BLOCK + 0x3000, VALID | 2 << 1 | MULTI);
  nic_head w = put(FUNCTION, 2, 4, 0, 0);
  accept(&w);
  EQ(at(RING + 0x3000)[0], 4);
  EQ(nic_pending(n.m), 0);
  EQ(n.early + n.outside, 0);
  node_free(&n);
}

// Case 35: payload and arguments, body, header, doorbell; and what the packet has become.
static void order(void) {
  begin();
  nic_head r = put(KERNEL, 1, SINGLE, 32, 100);
  accept(&r);
  EQ(n.writes, 4);
  wrote(0, BUFFERS, 132);
  wrote(1, RING + 4, 60);
  wrote(2, RING, 4);
  wrote(3, BELL, 8);
  uint8_t want[64];
  memcpy(want, msg, 64);
  put64(want + 32, CODE + 1);
  put64(want + 40, BUFFERS);
  put64(want + 48, 0);
  put64(want + 56, SIGNAL);
  CHECK(!memcmp(at(RING), want, 64));
  EQ(get64(at(BELL)), 0);
  EQ(get64(at(BUFFERS)), TARGET);
  EQ(get64(at(BUFFERS + 8)), BUFFERS + 32);
  CHECK(!memcmp(at(BUFFERS + 16), msg + 80, 116));

  r = put(KERNEL, LAST_INDEX, SINGLE, 16,
          0);  // 33: no signal, no target buffer: argument 0 as it is; no payload: 0 for it
  accept(&r);
  EQ(get64(at(RING + 64 + 56)), 0);
  EQ(get64(at(RING + 64 + 40)), BUFFERS + 192);  // the next multiple of 64
  CHECK(!memcmp(at(BUFFERS + 192), msg + 64, 8));
  EQ(get64(at(BUFFERS + 192 + 8)), 0);
  EQ(get64(at(BELL)), 1);
  r = put(KERNEL, LAST_INDEX, SINGLE, 32, 8);  // with payload: its address, whoever registered what
  accept(&r);
  CHECK(!memcmp(at(BUFFERS + 256), msg + 64, 8));
  EQ(get64(at(BUFFERS + 256 + 8)), BUFFERS + 256 + 32);
  CHECK(!memcmp(at(BUFFERS + 256 + 16), msg + 80, 24));
  r = put(KERNEL, LAST_INDEX, SINGLE, 0, 0);  // nothing to tell, nowhere to tell it
  accept(&r);
  EQ(get64(at(BELL)), 3);
  EQ(get64(at(RING + 3 * 64 + 40)), 0);

  r = put(FUNCTION, 2, TOLD, 0, 8);
  uint32_t k = n.writes;
  accept(&r);
  wrote(k, BUFFERS + 320, 8);
  wrote(k + 3, BLOCK + 0x2000 + 56, 8);  // write_index before the doorbell
  wrote(k + 4, BELL + 0x2000, 8);
  EQ(get64(at(BLOCK + 0x2000 + 56)), 1);
  EQ(get64(at(RING + 0x2000 + 8)), CODE + 3);
  EQ(get64(at(RING + 0x2000 + 16)), TARGET);
  EQ(get64(at(RING + 0x2000 + 24)), BUFFERS + 320);
  ev e = event(NIC_EV_TASK);
  EQ(e.word, TOLD);
  EQ(e.addr, 0);
  EQ(write_no(k + 5)->j.after[NIC_SRC_TASK], k + 5);

  k = n.writes;
  r.psn = psn - 1;  // 36: a duplicate is acknowledged, and not enqueued again
  say(&n, 1, &r, msg);
  nic_run(n.m);
  CHECK(heard(&n, &h, got) && h.syndrome == NIC_SYN_ACK && h.psn == psn - 1);
  EQ(n.writes, k);
  end();
}

// A message of three packets.
static void packets(void) {
  begin();
  nic_head r = put(KERNEL, 1, SINGLE, 256, 300), f = r;
  f.opcode = NIC_OP_XTQ_FIRST;
  f.bytes = 256;
  for (unsigned k = 0; k < 3; k++) {
    f.psn = psn;
    say(&n, 1, &f, msg + 256 * k);
    expect(NIC_SYN_ACK);
    if (k < 2) EQ(n.writes, k + 1);
    psn++;
    f.opcode = k ? NIC_OP_XTQ_LAST : NIC_OP_XTQ_MIDDLE;
    f.bytes = k ? 620 - 512 : 256;
  }
  EQ(n.writes, 6);
  CHECK(!memcmp(at(BUFFERS + 16), msg + 80, 540));
  EQ(get64(at(RING + 40)), BUFFERS);
  f.opcode = NIC_OP_XTQ_FIRST;  // full at its Last packet: that one comes again
  f.bytes = 256;
  r = put(FUNCTION, 2, SINGLE, 0, 0);
  for (unsigned k = 0; k < 3; k++) r.psn = psn, accept(&r);
  (void)put(KERNEL, 1, SINGLE, 256, 300);
  for (unsigned k = 0; k < 2; k++) {
    f.psn = psn;
    say(&n, 1, &f, msg + 256 * k);
    expect(NIC_SYN_ACK);
    psn++;
    f.opcode = NIC_OP_XTQ_MIDDLE;
  }
  f.opcode = NIC_OP_XTQ_LAST;
  f.bytes = 108;
  f.psn = psn;
  memmove(msg, msg + 512, 108);
  refuse(&f, RNR, NIC_WHY_QUEUE_FULL);
  put64(at(BLOCK + 128), 1);
  accept(&f);
  EQ(get64(at(BELL)), 4);
  table(&n, PROC, QUEUE, SINGLE, RING, BELL, BLOCK, 0);  // gone between First and Last
  r = put(KERNEL, 1, TOLD, 256, 0);
  f = r;
  f.opcode = NIC_OP_XTQ_FIRST;
  f.bytes = 256;
  say(&n, 1, &f, msg);
  expect(NIC_SYN_ACK);
  psn++;
  table(&n, PROC, QUEUE, TOLD, RING, BELL, BLOCK, 0);
  f.opcode = NIC_OP_XTQ_LAST;
  f.bytes = 64;
  f.psn = psn;
  refuse(&f, NAK1, NIC_WHY_BAD_QUEUE);
  table(&n, PROC, QUEUE, SINGLE, RING, BELL, BLOCK, VALID | 2 << 1);
  put64(at(BLOCK + 56), 9);
  put64(at(BLOCK + 128), 8);
  r = put(FUNCTION, 2, SINGLE, 0, 0);  // set anew: its indices are what memory says
  accept(&r);
  EQ(get64(at(BELL)), 9);
  end();
}

static void refusals(void) {
  static const uint64_t codes[] = {2, 64, 1ull << 32 | 1, ~0ull, 5};  // 29, 30: not valid, beyond, another process'
  static const unsigned queues[] = {4, 64, 65535, 5};
  static const uint16_t headers[] = {0, 1, 3, 4, 5, 6, 0x2002, 0x8002, 0x0102 + 0xfe};
  begin();
  for (unsigned k = 0; k < sizeof codes / sizeof *codes; k++) {
    nic_head r = put(KERNEL, codes[k], SINGLE, 16, 8);
    refuse(&r, NAK1, NIC_WHY_BAD_INDEX);
    r = put(FUNCTION, k ? codes[k] : 1, SINGLE, 16, 8);
    refuse(&r, NAK1, NIC_WHY_BAD_INDEX);
  }
  for (unsigned k = 0; k < sizeof queues / sizeof *queues; k++) {
    nic_head r = put(KERNEL, 1, queues[k], 16, 8);
    refuse(&r, NAK1, NIC_WHY_BAD_QUEUE);
  }
  for (unsigned k = 0; k < sizeof headers / sizeof *headers; k++) {  // 31
    nic_head r = put(KERNEL, 1, SINGLE, 16, 8);
    msg[0] = (uint8_t)headers[k];
    msg[1] = (uint8_t)(headers[k] >> 8);
    refuse(&r, NAK1, NIC_WHY_BAD_TYPE);
  }
  nic_head r = put(KERNEL, 1, SINGLE, 16, 8);
  r.xtq_proc = 2;
  refuse(&r, NAK1, NIC_WHY_BAD_PROCESS);
  r = put(KERNEL, 1, SINGLE, 16, 8);
  r.xtq_kind = 2;
  refuse(&r, NAK1, NIC_WHY_BAD_KIND);
  for (unsigned k = 0; k < 6; k++) {  // 32: lengths that disagree
    r = put(KERNEL, k == 5 ? LAST_INDEX : 1, SINGLE, 16, 8);
    if (k == 0) r.xtq_pay++;
    if (k == 1) r.xtq_args = 8, r.xtq_pay = 16;
    if (k == 2) r.xtq_args = 0xfffffff0, r.xtq_pay = 40;
    if (k == 3) r.xtq_args = 0, r.xtq_pay = 24;  // the entry has a target buffer
    if (k == 4) r.xtq_pay = 0xffffffff;
    if (k == 5) r.xtq_args = 0, r.xtq_pay = 24;  // it has none, but nobody could tell it where its payload is
    refuse(&r, NAK1, NIC_WHY_BAD_LENGTH);
  }
  r = put(KERNEL, 1, SINGLE, 16, 8);
  r.length = 4096 + 16 + 64;
  r.xtq_args = 4096 + 16;
  r.xtq_pay = 0;
  r.opcode = NIC_OP_XTQ_FIRST;
  r.bytes = 256;
  refuse(&r, NAK1, NIC_WHY_BAD_LENGTH);
  EQ(rd(&n, NIC_REG_RB_STS + PROC * NIC_REG_RB_STS_STRIDE), 1);  // no room was taken
  end();
}

static void buffers(void) {
  begin();  // 32: longer than all: nothing is used up
  post_buffer(&n, PROC, BUFFERS + 0x2000, 0x80, 0);
  post_buffer(&n, PROC, BUFFERS + 0x3000, 0x1100, 0x1000);
  nic_head r = put(FUNCTION, 2, SINGLE, 0, 8), f = r;
  f.length = 64 + 0x1101;
  f.xtq_pay = 0x1101;
  f.opcode = NIC_OP_XTQ_FIRST;
  f.bytes = 256;
  refuse(&f, RNR, NIC_WHY_NO_BUFFER);
  EQ(rd(&n, NIC_REG_RB_STS + PROC * NIC_REG_RB_STS_STRIDE), 3);
  f.length = 64 + 0x1001;  // goes into the third: the first two are used up, and then that one as well
  f.xtq_pay = 0x1001;
  say(&n, 1, &f, msg);
  expect(NIC_SYN_ACK);
  psn++;
  for (unsigned k = 0; k < 3; k++) EQ(event(NIC_EV_BUFFER).word, k);
  EQ(rd(&n, NIC_REG_RB_STS + PROC * NIC_REG_RB_STS_STRIDE), 0);
  r = put(FUNCTION, 2, SINGLE, 0, 0);
  r.psn = psn;
  refuse(&r, NAK1, NIC_WHY_SEQUENCE);  // it was in the message, which it has given up
  r = put(FUNCTION, 2, SINGLE, 0, 1);
  refuse(&r, RNR, NIC_WHY_NO_BUFFER);
  post_buffer(&n, PROC, BUFFERS + 32, 64, 0);  // misaligned
  post_buffer(&n, PROC, BUFFERS, 0, 0);        // empty
  EQ(rd(&n, NIC_REG_RB_STS + PROC * NIC_REG_RB_STS_STRIDE), NIC_RB_STS_BAD_MASK);
  for (unsigned k = 0; k < 9; k++) post_buffer(&n, PROC, BUFFERS + 64 * k, 64, 0);  // one too many
  EQ(rd(&n, NIC_REG_RB_STS + PROC * NIC_REG_RB_STS_STRIDE), NIC_RB_STS_BAD_MASK | 8);
  accept(&r);
  EQ(get64(at(RING + 24)), BUFFERS);
  end();

  xtq_rbufs b;  // the block by itself
  memset(&b, 0, sizeof b);
  uint32_t number;
  uint64_t va;
  CHECK(!xtq_rbuf_find(&b, 1, &number, &va));
  CHECK(xtq_rbuf_post(&b, 2, 0x100, 100, 0) && xtq_rbuf_post(&b, 2, 0x200, 0xffffffff, 0) &&
        !xtq_rbuf_post(&b, 2, 0, 64, 0));
  CHECK(xtq_rbuf_find(&b, 100, &number, &va) && number == 0 && va == 0x100);
  EQ(xtq_rbuf_take(&b, 65, 0), 0);
  CHECK(b.offset == 100 && xtq_rbuf_find(&b, 1, &number, &va) && number == 1);
  EQ(xtq_rbuf_take(&b, 0xfffffff0, 1), 1);
  EQ(b.offset, 0xffffffff);
  CHECK(!xtq_rbuf_find(&b, 1, &number, &va));
}

// Case 34: full, 64-bit wrap, memory that says nonsense.
static void queues(void) {
  begin();
  put64(at(BLOCK + 56), ~0ull - 1);  // both are read by the first message
  put64(at(BLOCK + 128), ~0ull - 2);
  nic_head r = put(FUNCTION, 2, SINGLE, 0, 0);
  for (unsigned k = 0; k < 3; k++) {
    r.psn = psn;
    accept(&r);
    EQ(get64(at(BELL)), ~0ull - 1 + k);
    EQ(at(RING + 64 * ((2 + k) & 3))[0], 4);
  }
  r.psn = psn;
  refuse(&r, RNR, NIC_WHY_QUEUE_FULL);
  put64(at(BLOCK + 128), 2);  // beyond the index: never passed
  refuse(&r, RNR, NIC_WHY_QUEUE_FULL);
  put64(at(BLOCK + 128), ~0ull);
  accept(&r);
  EQ(get64(at(BELL)), 1);
  n.bad_va = BLOCK + 128;
  for (unsigned k = 0; k < 1; k++) r.psn = psn, accept(&r);
  r.psn = psn;
  refuse(&r, NIC_SYN_NAK | 3, NIC_WHY_TABLE);
  n.bad_va = ~0ull;
  end();

  begin();  // shared with other producers
  put64(at(BLOCK + 0x1000 + 56), 7);
  put64(at(BLOCK + 0x1000 + 128), 4);
  r = put(FUNCTION, 2, SHARED, 0, 0);
  accept(&r);
  EQ(get64(at(BELL + 0x1000)), 7);
  EQ(get64(at(BLOCK + 0x1000 + 56)), 8);
  r.psn = psn;
  refuse(&r, RNR, NIC_WHY_QUEUE_FULL);
  put64(at(BLOCK + 0x1000 + 56), 2);  // behind read_index
  refuse(&r, RNR, NIC_WHY_QUEUE_FULL);
  EQ(get64(at(BLOCK + 0x1000 + 56)), 2);
  put64(at(BLOCK + 0x1000 + 56), 4);
  n.late = true;  // another producer is faster
  say(&n, 1, &r, msg);
  for (unsigned k = 0; k < 2; k++) nic_run(n.m), answer_one(&n, 0);
  nic_run(n.m);
  EQ(n.asks[0].j.op, NIC_JOB_CAS);
  EQ(n.asks[0].j.compare, 4);
  put64(at(BLOCK + 0x1000 + 56), 5);
  EQ(nic_reg_write(n.m, NIC_REG_QP_CTL + QP * NIC_REG_QP_CTL_STRIDE, 0, 255), NIC_E_BUSY);
  answer_one(&n, 0);
  nic_run(n.m);
  EQ(n.asks[0].j.compare, 5);
  answer_one(&n, 0);
  n.late = false;
  expect(NIC_SYN_ACK);
  psn++;
  EQ(get64(at(BELL + 0x1000)), 5);
  end();
}

static void places(void) {
  begin();
  nic_head r = put(FUNCTION, 2, TOLD, 0, 0);
  for (unsigned k = 0; k < 32; k++) {
    r.psn = psn;
    accept(&r);
    put64(at(BLOCK + 0x2000 + 128), k);
  }
  r.psn = psn;
  say(&n, 1, &r, msg);  // the ring of 32 is full: not ready, and that cannot be told
  expect(RNR);
  EQ(cnt(&n, 26), 1);
  for (unsigned k = 0; k < 32; k++) EQ(event(NIC_EV_TASK).addr, k);
  accept(&r);
  EQ(event(NIC_EV_TASK).addr, 32);
  end();
}

static void tables(void) {
  static const struct {
    unsigned proc, table, index;
    uint64_t a, b, c, f;
  } bad[] = {{4, 0, 0, 0, 0, 0, 1}, {1, 3, 0, 0, 0, 0, 1}, {1, 0, 64, 0, 0, 0, 1},         {1, 2, 0, 32, 0, 0, 1},
             {1, 2, 0, 0, 4, 0, 1}, {1, 2, 0, 0, 0, 4, 1}, {1, 2, 0, 0, 0, 0, 1 | 17 << 1}};
  begin();
  table(&n, PROC, KERNEL, 3, CODE + 9, TARGET, SIGNAL, VALID);  // TBL-5: on-chip: memory has none of it
  EQ(n.writes, 0);
  for (unsigned k = 0; k < sizeof bad / sizeof *bad; k++) {
    table(&n, bad[k].proc, bad[k].table, bad[k].index, bad[k].a, bad[k].b, bad[k].c, bad[k].f);
    EQ(rd(&n, NIC_REG_XT_STS), NIC_XT_STS_BAD_MASK);
    wr(&n, NIC_REG_XT_STS, NIC_XT_STS_BAD_MASK);
  }
  wr(&n, NIC_REG_XT_CMD, 1 | KERNEL << NIC_XT_CMD_TABLE_LSB | PROC << NIC_XT_CMD_PROC_LSB | NIC_XT_CMD_READ_MASK);
  EQ(rd(&n, NIC_REG_XT_STS), NIC_XT_STS_BUSY_MASK);
  wr(&n, NIC_REG_XT_W, 0);    // not while it is busy
  wr(&n, NIC_REG_XT_CMD, 2);  // nor another
  nic_run(n.m);
  EQ(rd(&n, NIC_REG_XT_STS), NIC_XT_STS_BAD_MASK);
  EQ(rd(&n, NIC_REG_XT_W), CODE + 1);
  EQ(rd(&n, NIC_REG_XT_W + 24), VALID | HAS_TARGET);
  wr(&n, NIC_REG_XT_CMD, 9 | KERNEL << NIC_XT_CMD_TABLE_LSB | PROC << NIC_XT_CMD_PROC_LSB);
  wr(&n, NIC_REG_XT_W, 0);  // nor while it is being set
  nic_run(n.m);
  wr(&n, NIC_REG_XT_CMD, 9 | KERNEL << NIC_XT_CMD_TABLE_LSB | PROC << NIC_XT_CMD_PROC_LSB | NIC_XT_CMD_READ_MASK);
  nic_run(n.m);
  EQ(rd(&n, NIC_REG_XT_W), CODE + 1);
  end();

  begin_with(2);                                                  // behind a cache of two lines each
  table(&n, PROC, FUNCTION, 3, CODE + 9, TARGET, SIGNAL, VALID);  // TBL-6: where it is in memory, little-endian
  EQ(n.writes, 1);
  EQ(write_no(0)->j.va, TABLES + 64 * (3 + (LAST_INDEX + 1) * FUNCTION));
  EQ(write_no(0)->j.n, 32);
  EQ(write_no(0)->j.src, NIC_SRC_TABLE);
  EQ(write_no(0)->j.rid, RID + PROC);
  const uint64_t words[4] = {CODE + 9, TARGET, SIGNAL, VALID};
  for (unsigned k = 0; k < 4; k++) EQ(get64(at(write_no(0)->j.va + 8 * k)), words[k]);
  nic_head r = put(KERNEL, 1, SINGLE, 16, 8);
  accept(&r);
  r = put(KERNEL, LAST_INDEX, SINGLE, 16, 8);
  accept(&r);
  EQ(get64(at(TABLES + 64)), CODE + 1);
  uint64_t misses = cnt(&n, NIC_CNT_MISS);
  CHECK(misses > 0);
  r = put(KERNEL, LAST_INDEX, SINGLE, 16, 8);
  accept(&r);
  EQ(cnt(&n, NIC_CNT_MISS), misses);
  EQ(cnt(&n, NIC_CNT_HIT) >= 2, 1);
  r = put(FUNCTION, 2, TOLD, 0, 0);  // evicts the queue, whose index comes back from write_index
  accept(&r);
  EQ(event(NIC_EV_TASK).addr, 0);
  r = put(FUNCTION, 2, SINGLE, 0, 0);
  accept(&r);
  EQ(get64(at(BELL)), 3);
  table(&n, PROC, QUEUE, 3, RING, BELL, BLOCK, VALID | 2 << 1);  // must have MIRROR or MULTI
  EQ(rd(&n, NIC_REG_XT_STS), NIC_XT_STS_BAD_MASK);
  n.bad_va = TABLES + 64 * 7;
  r = put(KERNEL, 7, SINGLE, 16, 8);
  refuse(&r, NIC_SYN_NAK | 3, NIC_WHY_TABLE);
  end();
}

static void logs(void) {
  begin();
  uint8_t tpl[64];
  command(tpl, FUNCTION, 0xfeed, TOLD);
  put64(tpl + 56, SIGNAL);
  for (unsigned k = 0; k < 8; k++) wr(&n, NIC_REG_XT_TPL + 64 * 3 + 8 * k, get64(tpl + 8 * k));
  EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_OK);
  EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_E_BUSY);
  EQ(nic_task(n.m, 8, 0, 0), NIC_E_ARG);
  nic_run(n.m);
  EQ(n.writes, 0);  // not on: the notice waits
  wr(&n, NIC_REG_XT_LOG + 8 * 3, NIC_XT_LOG_EN_MASK | PROC << NIC_XT_LOG_PROC_LSB | TOLD);
  nic_run(n.m);
  put64(tpl + 16, 3);
  put64(tpl + 24, 0x80);
  put64(tpl + 32, 0x40);
  CHECK(!memcmp(at(RING + 0x2000), tpl, 64));
  ev e = event(NIC_EV_TASK);
  EQ(e.word, TOLD);
  EQ(e.qp, 0);
  nic_head imm = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, psn);
  for (unsigned k = 0; k < 31; k++) imm.psn = psn, accept(&imm);
  imm.psn = psn;
  say(&n, 1, &imm, msg);
  expect(RNR);                      // the last place is that of the task's end
  wr(&n, NIC_REG_XT_TASK_DONE, 2);  // of another log
  EQ(n.tasks_done, 0);
  wr(&n, NIC_REG_XT_TASK_DONE, 3);
  EQ(n.tasks_done, 8);
  nic_run(n.m);
  for (unsigned k = 0; k < 31; k++) event(NIC_EV_IMM);
  EQ(event(NIC_EV_TASK_DONE).word, 3);
  n.tasks_done = 0;
  wr(&n, NIC_REG_XT_TASK_DONE, 3);  // once
  EQ(n.tasks_done, 0);
  for (unsigned k = 1; k < 5; k++) {  // full: tried again
    EQ(nic_task(n.m, 3, 0x100 * k, 0x80), NIC_OK);
    nic_run(n.m);
    if (k < 4) EQ(event(NIC_EV_TASK).addr, k);
  }
  put64(at(BLOCK + 0x2000 + 128), 1);
  nic_run(n.m);
  EQ(get64(at(BELL + 0x2000)), 3);
  nic_advance(n.m, 200);
  nic_run(n.m);
  EQ(event(NIC_EV_TASK).addr, 4);
  end();
}

// TSK-1, TSK-2, TSK-3: of a queue with events, a task needs two places, its own and that of its end; refused, it is
// tried again, not before a tick has gone.
static void task_places(void) {
  begin();
  for (unsigned k = 0; k < 8; k++) wr(&n, NIC_REG_XT_TPL + 64 * 3 + 8 * k, 4);
  wr(&n, NIC_REG_XT_LOG + 8 * 3, NIC_XT_LOG_EN_MASK | PROC << NIC_XT_LOG_PROC_LSB | TOLD);
  nic_head imm = head(&n, 1, QP, NIC_OP_WRITE_ONLY_IMM, psn);
  for (unsigned k = 0; k < 31; k++) imm.psn = psn, accept(&imm);
  EQ(nic_task(n.m, 3, 0x80, 0x40), NIC_OK);
  nic_run(n.m);
  EQ(at(RING + 0x2000)[0], 1);  // one place is too few
  event(NIC_EV_IMM);
  nic_advance(n.m, 99);
  nic_run(n.m);
  EQ(at(RING + 0x2000)[0], 1);  // two are there, but it is not asked yet
  nic_advance(n.m, 101);
  nic_run(n.m);
  EQ(at(RING + 0x2000)[0], 4);
  imm.psn = psn;
  say(&n, 1, &imm, msg);
  expect(RNR);  // both are taken
  for (unsigned k = 1; k < 31; k++) event(NIC_EV_IMM);
  event(NIC_EV_TASK);
  wr(&n, NIC_REG_XT_TASK_DONE, 3);
  nic_run(n.m);
  event(NIC_EV_TASK_DONE);
  end();
}

int main(void) {
  order();
  packets();
  refusals();
  buffers();
  queues();
  places();
  tables();
  logs();
  task_places();
  return report();
}
