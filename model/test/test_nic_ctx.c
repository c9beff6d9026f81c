// SPDX-License-Identifier: Apache-2.0
// Contexts in memory, rule by rule (CTX-1 to CTX-14), at the model by itself: 16 contexts in two or three places of
// node 0, whose peers are contexts of node 1. What is in memory is compared with what the registers said, and frames by
// hand say whether anybody notices.
#include "nic_world.h"

enum { RING = 0x1000, EQ = 0x8000, EQ_SIZE = 5, DATA = 0x10000, BYTES = 64, PSN = 0x1000, PROC = 1, MANY = 16 };

static node n;
static nic_retire_rec moved[64];  // RetCtx since the last look
static unsigned moves;
static uint64_t written[64], own[64];  // NIC's own writes of registers: address, value
static unsigned writes;
static uint32_t psn[MANY];
static nic_head kept[64];  // frames that nobody has asked for yet
static unsigned keeps;

static void hear(node *x, int what, const void *p, const void *data) {
  (void)x, (void)data;
  if (what != HEAR_RECORD) return;
  const nic_retire_rec *r = p;
  if (r->kind == NIC_RET_CTX && moves < 64) moved[moves++] = *r;
  if (r->kind == NIC_RET_REG_WRITE && r->flag && writes < 64) {
    written[writes] = r->a;
    own[writes++] = r->b;
  }
}

static void open_one(unsigned c) {
  ctx_connect(&n, c, PROC, 1, c, RING + 0x400 * c, 4, PSN, 0x77, CTL(2, 5, 7, 7, 12));
  psn[c] = PSN;
}

static void begin(unsigned places) {
  nic_config cfg;
  nic_config_default(&cfg);
  cfg.NumQps = places;
  cfg.Contexts = MANY;
  node_init(&n, 0, &cfg);
  node_on(&n);
  ctx_on(&n);
  eq_on(&n, PROC, EQ, EQ_SIZE);
  region(&n, 3, KEY | 3, PROC, DATA, 0x8000, RWA);
  for (unsigned c = 0; c < MANY; c++) open_one(c);
  n.hear = hear;
  moves = writes = keeps = 0;
}

static void end(void) {
  char text[200];
  EQ(nic_pending(n.m), 0);
  EQ(nic_owes(n.m, text, sizeof text), 0);
  EQ(n.early, 0);
  EQ(n.outside, 0);
  node_free(&n);
}

// RetCtx since the last look: the k-th is this.
static void was(unsigned k, unsigned code, unsigned c, bool flag) {
  CHECK(k < moves);
  EQ(moved[k].code, code);
  EQ(moved[k].a, c);
  EQ(moved[k].flag, flag);
}
static void all_of(unsigned k) {
  EQ(moves, k);
  moves = 0;
}

static unsigned place_of(unsigned c) {
  for (unsigned i = 0; i < n.cfg.NumQps; i++)
    if ((rd(&n, NIC_REG_QP_CTL + 256 * i) & 1) && rd(&n, NIC_REG_QP_NAME + 256 * i) == c) return i;
  return ~0u;
}

// The oldest frame with this opcode that it has sent to the peer of context c; what else has come is kept.
static bool took(unsigned opcode, unsigned c, nic_head *h) {
  while (keeps < 64 && heard(&n, &kept[keeps], NULL)) keeps++;
  for (unsigned k = 0; k < keeps; k++)
    if (kept[k].opcode == opcode && kept[k].qp == (0x10000 | c)) {
      *h = kept[k];
      memmove(&kept[k], &kept[k + 1], (--keeps - k) * sizeof kept[0]);
      return true;
    }
  return false;
}
// The next event of this kind, of context c; what else is told is passed over.
static bool told(unsigned kind, unsigned c, unsigned status) {
  ev e;
  while (take_event(&n, PROC, EQ, EQ_SIZE, &e))
    if (e.kind == kind && e.qp == c) return e.status == status;
  return false;
}

static uint8_t pay[BYTES];
static nic_head write_of(unsigned c) {
  nic_head h = head(&n, 1, c, NIC_OP_WRITE_ONLY, psn[c]);
  h.va = DATA + 0x100 * c;
  h.rkey = KEY | 3;
  h.length = h.bytes = BYTES;
  return h;
}
// A WRITE of the peer's; true: it is done and acknowledged.
static bool put(unsigned c) {
  nic_head h = write_of(c), a;
  memset(pay, (int)(c + psn[c]), sizeof pay);
  say(&n, 1, &h, pay);
  nic_run(n.m);
  if (!took(NIC_OP_ACK, c, &a)) return false;
  EQ(a.syndrome, NIC_SYN_ACK);
  EQ(a.psn, psn[c]);
  CHECK(!memcmp(n.mem[PROC] + DATA + 0x100 * c, pay, BYTES));
  psn[c]++;
  return true;
}
static void post_one(unsigned c) {
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = DATA, .len1 = BYTES, .remote = 0x5000, .rkey = 0x55};
  post(&n, c, PROC, RING + 0x400 * c, 4, &e);
  nic_run(n.m);
}
// What it has sent, and the peer's answer; false: it has sent nothing.
static bool acknowledge(unsigned c) {
  nic_head h, a;
  if (!took(NIC_OP_WRITE_ONLY, c, &h)) return false;
  a = head(&n, 1, c, NIC_OP_ACK, h.psn);
  a.ack_req = false;
  a.syndrome = NIC_SYN_ACK;
  say(&n, 1, &a, NULL);
  nic_run(n.m);
  CHECK(told(NIC_EV_SEND, c, NIC_ST_DONE));
  return true;
}

static void registers(void) {
  begin(2);
  EQ(rd(&n, NIC_REG_NIC_CAP) >> NIC_NIC_CAP_CTX_LSB & 15, 4);
  EQ(rd(&n, NIC_REG_NIC_BELL), 0);
  EQ(rd(&n, NIC_REG_NIC_CLOSE), 0);
  wr(&n, NIC_REG_NIC_BELL, (uint64_t)MANY << NIC_NIC_BELL_CTX_LSB | 1);  // does not exist
  wr(&n, NIC_REG_NIC_CLOSE, MANY);
  EQ(rd(&n, NIC_REG_NIC_CLOSE), 0);
  EQ(nic_reg_write(n.m, NIC_REG_NIC_BELL, 0, 0xf0), NIC_OK);  // the other half of two writes of 32 bits
  EQ(nic_reg_write(n.m, NIC_REG_NIC_CLOSE, 0, 0xf0), NIC_OK);
  wr(&n, NIC_REG_QP_RING, 0x40);  // software's
  EQ(rd(&n, NIC_REG_QP_RING), 0);
  nic_run(n.m);
  all_of(0);
  CHECK(put(3));
  wr(&n, NIC_REG_NIC_CTX, 0);  // a queue pair is on
  EQ(rd(&n, NIC_REG_NIC_CTX), n.contexts);
  unsigned i = place_of(3);
  CHECK(i < 2);
  wr(&n, NIC_REG_QP_CTL + 256 * i, 0);  // software's
  wr(&n, NIC_REG_QP_PROD + 256 * i, 1);
  CHECK(put(3));
  wr(&n, NIC_REG_NIC_CLOSE, 3);
  nic_run(n.m);
  wr(&n, NIC_REG_NIC_CTX, 0);
  EQ(rd(&n, NIC_REG_NIC_CTX), 0);
  wr(&n, NIC_REG_NIC_BELL, 5ull << NIC_NIC_BELL_CTX_LSB | 1);  // off
  wr(&n, NIC_REG_NIC_CLOSE, 5);
  wr(&n, NIC_REG_QP_RING, 0x40);
  EQ(rd(&n, NIC_REG_QP_RING), 0x40);
  EQ(rd(&n, NIC_REG_NIC_CLOSE), 3);
  end();
}

static void no_contexts(void) {
  begin(2);
  node_free(&n);
  nic_config cfg;
  nic_config_default(&cfg);
  node_init(&n, 0, &cfg);
  for (uint32_t a = NIC_REG_NIC_CTX; a <= NIC_REG_NIC_CLOSE; a += 8) {
    wr(&n, a, ~0ull);
    EQ(rd(&n, a), 0);
  }
  EQ(rd(&n, NIC_REG_NIC_CAP) >> NIC_NIC_CAP_CTX_LSB & 15, 0);
  nic_config_default(&cfg);
  cfg.Contexts = 24;
  CHECK(nic_config_wrong(&cfg));
  cfg.Contexts = 8192;
  CHECK(nic_config_wrong(&cfg));
  cfg.Contexts = 4096;
  CHECK(!nic_config_wrong(&cfg));
  end();
}

// Each word that was written to the place is one of the context's.
static void load_words(unsigned c) {
  static const uint32_t from[][2] = {{NIC_REG_QP_MAC, NIC_REG_QP_MAC},       {NIC_REG_QP_PEER, NIC_REG_QP_PEER},
                                     {NIC_REG_QP_PSN, NIC_REG_QP_NOW},       {NIC_REG_QP_RING, NIC_REG_QP_RING},
                                     {NIC_REG_QP_RINGC, NIC_REG_QP_RINGC},   {NIC_REG_QP_IP6_HI, NIC_REG_QP_IP6_HI},
                                     {NIC_REG_QP_IP6_LO, NIC_REG_QP_IP6_LO}, {NIC_REG_QP_VLAN, NIC_REG_QP_VLAN},
                                     {NIC_REG_QP_BEGIN, NIC_REG_QP_STS},     {NIC_REG_QP_BEGIN_MSG, NIC_REG_QP_MSG},
                                     {NIC_REG_QP_BEGIN_VA, NIC_REG_QP_VA},   {NIC_REG_QP_BEGIN_REST, NIC_REG_QP_REST}};
  unsigned found = 0;
  for (unsigned k = 0; k < 12; k++)
    for (unsigned w = 0; w < writes; w++)
      if ((written[w] & 255) == (from[k][0] & 255)) {
        EQ(own[w], ctx_says(&n, c, from[k][1]));
        found++;
      }
  EQ(found, 12);
  EQ(written[writes - 1] & 255, NIC_REG_QP_CTL & 255);  // nothing is posted
  EQ(own[writes - 1], ctx_says(&n, c, NIC_REG_QP_CTL) | 1);
}

static void hit_and_miss(void) {
  begin(2);
  CHECK(put(5));
  load_words(5);
  was(0, NIC_CTX_LOADED, 5, false);
  all_of(1);
  CHECK(put(6));
  CHECK(put(5));
  CHECK(put(6));
  was(0, NIC_CTX_LOADED, 6, false);
  all_of(1);  // the rest were hits
  uint64_t word[16];
  unsigned i = place_of(5);
  for (unsigned k = 0; k < 16; k++) word[k] = rd(&n, NIC_REG_QP_CTL + 256 * i + 8 * k);
  CHECK(put(5));
  word[(NIC_REG_QP_NOW & 255) / 8]++;  // ePSN
  word[(NIC_REG_QP_MSG & 255) / 8]++;  // MSN
  CHECK(put(6));
  CHECK(put(7));  // one of them leaves: the one whose word follows is looked at, so make it 5
  if (place_of(5) < 2) CHECK(put(6) && put(7));
  was(0, NIC_CTX_SAVED, (unsigned)moved[0].a, false);
  unsigned gone = (unsigned)moved[0].a;
  if (gone == 5)
    for (unsigned k = 0; k < 16; k++) EQ(get64(ctx_at(&n, 5) + 8 * k), k ? word[k] : word[k] & ~1ull);
  moves = 0;
  for (unsigned t = 0; t < 40; t++) CHECK(put(t * 5 % MANY));  // nobody notices
  EQ(cnt(&n, NIC_CNT_CTX_LOADED) - cnt(&n, NIC_CNT_CTX_SAVED), 2);
  EQ(cnt(&n, NIC_CNT_FR_FOREIGN), 0);
  EQ(cnt(&n, NIC_CNT_FR_DONE), psn[0] + psn[1] + psn[2] + psn[3] + psn[4] + psn[5] + psn[6] + psn[7] + psn[8] + psn[9] +
                                   psn[10] + psn[11] + psn[12] + psn[13] + psn[14] + psn[15] - MANY * PSN);
  moves = 0;
  end();
}

// Bells, one place kept for peers, and what is dropped where all are at work.
static void bells(void) {
  begin(3);
  post_one(1);
  post_one(2);
  post_one(4);  // a third at work would leave no place for peers
  EQ(moves, 2);
  was(0, NIC_CTX_LOADED, 1, false);
  was(1, NIC_CTX_LOADED, 2, false);
  moves = 0;
  EQ(nic_pending(n.m), 1);  // 4's bell
  CHECK(put(8));
  CHECK(put(9));
  was(0, NIC_CTX_LOADED, 8, false);
  was(1, NIC_CTX_SAVED, 8, false);
  was(2, NIC_CTX_LOADED, 9, false);
  all_of(3);
  post_one(9);  // nor may the one that is in that place
  EQ(nic_pending(n.m), 2);
  CHECK(acknowledge(1));
  CHECK(acknowledge(2));
  CHECK(acknowledge(4));
  CHECK(acknowledge(9));
  moves = 0;
  // the last bell counts, and two are one
  wr(&n, NIC_REG_NIC_BELL, 12ull << NIC_NIC_BELL_CTX_LSB | 9);
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = DATA, .len1 = BYTES, .remote = 0x5000, .rkey = 0x55};
  post(&n, 12, PROC, RING + 0x400 * 12, 4, &e);
  nic_run(n.m);
  CHECK(acknowledge(12));
  EQ(rd(&n, NIC_REG_QP_STS + 256 * place_of(12)), 1);
  moves = 0;
  end();
}

static void no_place(void) {
  begin(2);
  uint8_t big[256] = {0};
  nic_head a;
  ctx_word(&n, 2, NIC_REG_QP_CTL,
           (ctx_says(&n, 2, NIC_REG_QP_CTL) & ~NIC_QP_CTL_MTU_MASK) | 1 << NIC_QP_CTL_MTU_LSB | NIC_QP_CTL_RECV_MASK);
  for (unsigned k = 0; k < 2; k++) post_buffer(&n, PROC, 0x20000 + 0x4000 * k, 0x4000, 0);
  post_one(1);
  nic_head h = head(&n, 1, 2, NIC_OP_SEND_FIRST, PSN);
  h.bytes = sizeof big;
  h.ack_req = false;
  say(&n, 1, &h, big);
  nic_run(n.m);
  EQ(rd(&n, NIC_REG_QP_MSG + 256 * place_of(2)) & NIC_QP_MSG_TASK_MASK, NIC_QP_MSG_TASK_MASK);
  CHECK(acknowledge(1));
  post_one(1);
  EQ(nic_pending(n.m), 1);  // the other place is in a SEND: the bell is not served
  moves = 0;
  CHECK(put(3));  // but a frame takes 1's place
  was(0, NIC_CTX_SAVED, 1, false);
  was(1, NIC_CTX_LOADED, 3, false);
  all_of(2);
  nic_head l = head(&n, 1, 2, NIC_OP_SEND_LAST, PSN + 1);
  l.bytes = 8;
  say(&n, 1, &l, big);
  nic_run(n.m);
  EQ(nic_pending(n.m), 0);
  CHECK(took(NIC_OP_ACK, 2, &a));
  CHECK(told(NIC_EV_RECV, 2, NIC_RCV_PLAIN));
  moves = 0;
  EQ(place_of(1) < 2, 1);  // and is at work
  h.psn = PSN + 2;
  say(&n, 1, &h, big);
  nic_run(n.m);
  moves = 0;
  CHECK(put(3) == false);
  was(0, NIC_CTX_NO_PLACE, 3, false);
  all_of(1);
  EQ(cnt(&n, NIC_CNT_FR_FOREIGN), 1);
  EQ(cnt(&n, NIC_CNT_CTX_NO_PLACE), 1);
  CHECK(acknowledge(1));
  CHECK(put(3));
  l.psn = PSN + 3;
  say(&n, 1, &l, big);
  nic_run(n.m);
  CHECK(told(NIC_EV_RECV, 2, NIC_RCV_PLAIN));
  moves = 0;
  end();
}

static void closed_and_broken(void) {
  begin(2);
  put64(ctx_at(&n, 3) + CTX_OPEN, ~1ull);
  CHECK(!put(3));
  was(0, NIC_CTX_CLOSED, 3, false);
  all_of(1);
  post_one(3);  // forgotten
  was(0, NIC_CTX_CLOSED, 3, false);
  all_of(1);
  n.bad_va = CTX_TABLE + CTX_SIZE * 4;
  CHECK(!put(4));
  was(0, NIC_CTX_BROKEN, 4, false);
  post_one(4);
  was(1, NIC_CTX_BROKEN, 4, false);
  all_of(2);
  n.bad_va = ~0ull;
  CHECK(put(4));
  nic_head h = write_of(4);
  h.qp = 0x10000 | MANY;  // does not exist
  moves = 0;
  say(&n, 1, &h, pay);
  h.qp = 0x20000 | 4;  // not ours
  say(&n, 1, &h, pay);
  nic_run(n.m);
  all_of(0);
  EQ(cnt(&n, NIC_CNT_FR_FOREIGN), 4);
  end();
}

static void closes(void) {
  begin(3);
  CHECK(put(2));
  moves = 0;
  wr(&n, NIC_REG_NIC_CLOSE, 2);
  EQ(rd(&n, NIC_REG_NIC_CLOSE), NIC_NIC_CLOSE_BUSY_MASK | 2);
  wr(&n, NIC_REG_NIC_CLOSE, 7);  // does nothing
  nic_run(n.m);
  EQ(rd(&n, NIC_REG_NIC_CLOSE), 2);
  was(0, NIC_CTX_SAVED, 2, false);
  was(1, NIC_CTX_CLOSED, 2, true);
  all_of(2);
  EQ(get64(ctx_at(&n, 2) + CTX_OPEN), 0);
  EQ(ctx_says(&n, 2, NIC_REG_QP_NOW) & 0xffffff, PSN + 1);
  EQ(get64(ctx_at(&n, 7) + CTX_OPEN), 1);
  wr(&n, NIC_REG_NIC_CLOSE, 7);  // in no place
  nic_run(n.m);
  was(0, NIC_CTX_CLOSED, 7, true);
  all_of(1);
  EQ(get64(ctx_at(&n, 7) + CTX_OPEN), 0);
  post_one(1);
  wr(&n, NIC_REG_NIC_CLOSE, 1);  // at work: its request ends without event
  wr(&n, NIC_REG_NIC_BELL, 1ull << NIC_NIC_BELL_CTX_LSB | 1);
  nic_run(n.m);
  EQ(get64(ctx_at(&n, 1) + CTX_OPEN), 0);
  EQ(ctx_says(&n, 1, NIC_REG_QP_PROD), 1);
  EQ(ctx_says(&n, 1, NIC_REG_QP_STS), 0);
  open_one(1);
  nic_head h;
  CHECK(took(NIC_OP_WRITE_ONLY, 1, &h));
  n.prod[1] = 0;
  post_one(1);
  CHECK(acknowledge(1));
  open_one(2);
  CHECK(put(2));
  moves = 0;
  end();
}

// In the middle of a write, and stopped with something posted: what is loaded is what was saved.
static void where_it_was(void) {
  begin(2);
  uint8_t b[512];
  nic_head h = head(&n, 1, 1, NIC_OP_WRITE_FIRST, psn[1]), a;
  h.va = DATA;
  h.rkey = KEY | 3;
  h.length = 512 + 8;
  h.bytes = 512;
  memset(b, 0x5a, sizeof b);
  say(&n, 1, &h, b);
  nic_run(n.m);
  for (unsigned c = 2; c < 8; c++) CHECK(put(c));
  EQ(place_of(1), ~0u);
  EQ(ctx_says(&n, 1, NIC_REG_QP_VA), DATA + 512);
  memset(b, 0xa5, sizeof b);
  nic_head l = head(&n, 1, 1, NIC_OP_WRITE_LAST, psn[1] + 1);
  l.bytes = 8;
  say(&n, 1, &l, b);
  nic_run(n.m);
  CHECK(took(NIC_OP_ACK, 1, &a));
  EQ(a.psn, psn[1]);
  CHECK(took(NIC_OP_ACK, 1, &a));
  EQ(a.syndrome, NIC_SYN_ACK);
  EQ(a.psn, psn[1] + 1);
  EQ(n.mem[PROC][DATA + 511], 0x5a);
  EQ(n.mem[PROC][DATA + 512], 0xa5);
  // refused by the peer, with another entry behind it
  post_one(9);
  post_one(9);
  CHECK(took(NIC_OP_WRITE_ONLY, 9, &h));
  a = head(&n, 1, 9, NIC_OP_ACK, h.psn);
  a.syndrome = NIC_SYN_NAK | 2;
  say(&n, 1, &a, NULL);
  nic_run(n.m);
  for (unsigned c = 2; c < 8; c++) CHECK(put(c));
  EQ(place_of(9), ~0u);
  EQ(ctx_says(&n, 9, NIC_REG_QP_PROD), 2);
  uint64_t sts = ctx_says(&n, 9, NIC_REG_QP_STS);
  EQ(sts & (NIC_QP_STS_CONS_MASK | NIC_QP_STS_SEND_ERR_MASK), 1 | NIC_QP_STS_SEND_ERR_MASK);
  psn[9] = PSN;
  CHECK(put(9));
  EQ(rd(&n, NIC_REG_QP_PROD + 256 * place_of(9)), 2);
  EQ(rd(&n, NIC_REG_QP_STS + 256 * place_of(9)), sts);
  moves = 0;
  end();
}

// A response under way keeps its place, and is waited for; a frame waits for memory, and none is lost.
static void late_memory(void) {
  begin(2);
  CHECK(put(1));
  CHECK(put(2));
  moves = 0;
  for (unsigned c = 1; c < 3; c++) {
    nic_head r = head(&n, 1, c, NIC_OP_READ_REQ, psn[c]++);
    r.va = DATA;
    r.rkey = KEY | 3;
    r.length = 32;
    say(&n, 1, &r, NULL);
  }
  n.late = true;
  nic_run(n.m);
  nic_head h = write_of(3), a;
  say(&n, 1, &h, pay);
  nic_run(n.m);
  for (unsigned k = 0; k < n.num_asks; k++)  // its context comes, the responses' bytes do not
    if (n.asks[k].j.src == NIC_SRC_CTX) answer_one(&n, k), nic_run(n.m), k = 0;
  all_of(0);  // both places answer
  while (n.num_asks) answer_one(&n, 0), nic_run(n.m);
  CHECK(took(NIC_OP_READ_ONLY, 1, &a));
  CHECK(took(NIC_OP_READ_ONLY, 2, &a));
  CHECK(took(NIC_OP_ACK, 3, &a));
  was(1, NIC_CTX_LOADED, 3, false);
  all_of(2);
  psn[3]++;
  n.late = false;
  CHECK(put(3));
  EQ(cnt(&n, NIC_CNT_FR_FOREIGN), 0);
  end();
}

int main(void) {
  registers();
  no_contexts();
  hit_and_miss();
  bells();
  no_place();
  closed_and_broken();
  closes();
  where_it_was();
  late_memory();
  return report();
}
