// SPDX-License-Identifier: Apache-2.0
// Contexts in memory beside hardware: each register that the NIC writes and reads itself, in its turn, and each RetCtx;
// what must be refused of them, one thing at a time.
// Rules of rtl/nic/README.md: CTX-1, CTX-4, CTX-5, CTX-6, CTX-7, CTX-8, CTX-9, CTX-11, CTX-14, QPR-11, MEM-6, TIM-11.
#include "../src/nic/nic_state.h"
#include "nic_lock.h"

enum { RING = 0x1000, RINGS = 3, EQ_AT = 0x8000, EQ_SIZE = 5, BUF = 0x20000, PROC = 1, PSN = 0x1000, MANY = 16 };
enum { WORDS = 12, SAVED = 16 };

static node n;
static unsigned epoch[4];

static const uint32_t from[WORDS][2] = {
    {NIC_REG_QP_MAC, NIC_REG_QP_MAC},       {NIC_REG_QP_PEER, NIC_REG_QP_PEER},
    {NIC_REG_QP_PSN, NIC_REG_QP_NOW},       {NIC_REG_QP_RING, NIC_REG_QP_RING},
    {NIC_REG_QP_RINGC, NIC_REG_QP_RINGC},   {NIC_REG_QP_IP6_HI, NIC_REG_QP_IP6_HI},
    {NIC_REG_QP_IP6_LO, NIC_REG_QP_IP6_LO}, {NIC_REG_QP_VLAN, NIC_REG_QP_VLAN},
    {NIC_REG_QP_BEGIN, NIC_REG_QP_STS},     {NIC_REG_QP_BEGIN_MSG, NIC_REG_QP_MSG},
    {NIC_REG_QP_BEGIN_VA, NIC_REG_QP_VA},   {NIC_REG_QP_BEGIN_REST, NIC_REG_QP_REST}};

static void begin(unsigned places) {
  nic_config c;
  nic_config_default(&c);
  c.NumQps = places;
  c.Contexts = MANY;
  node_init(&n, 0, &c);
  node_on(&n);
  ctx_on(&n);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  region(&n, 3, KEY | 3, PROC, BUF, 0x8000, RWA);
  for (unsigned i = 0; i < MANY; i++)
    ctx_connect(&n, i, PROC, 1, i, RING + 0x400 * i, RINGS, PSN, 0x77, CTL(2, 5, 7, 7, 0));
  memset(epoch, 0, sizeof epoch);
  EQ(cycles(&n, 1), NIC_OK);
}
static void end(void) { node_free(&n); }

static uint32_t page(unsigned i, uint32_t reg) { return reg + i * NIC_REG_QP_CTL_STRIDE; }
static uint32_t answer_at(unsigned i, unsigned k) { return NIC_REG_QP_ANSWER_PSN + 64 * 16 * i + 8 * k; }
static nic_status own(uint32_t addr, uint64_t v) { return record(&n, NIC_RET_REG_WRITE, true, 0, 255, addr, v); }
static nic_status own_read(uint32_t addr) {
  return record(&n, NIC_RET_REG_READ, true, 0, 0, addr, nic_regs_read(n.m, addr));
}
static nic_status moved(unsigned code, unsigned i, unsigned c) { return record(&n, NIC_RET_CTX, false, code, i, c, 0); }
static nic_status quiet(unsigned i) { return record(&n, NIC_RET_TIMER, false, NIC_TM_QUIET, i, 0, ++epoch[i]); }
static void bell(unsigned c, unsigned prod) {
  EQ(reg_write(&n, NIC_REG_NIC_BELL, (uint64_t)c << NIC_NIC_BELL_CTX_LSB | prod), NIC_OK);
}
static void write_comes(unsigned c, uint32_t psn) {
  nic_head w = head(&n, 1, c, NIC_OP_WRITE_ONLY, psn);
  w.ack_req = false;
  comes(&n, &w);
}
static nic_status write_done(unsigned i, uint32_t psn) {
  return record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, i, named(NIC_OP_WRITE_ONLY, psn), 0);
}

static unsigned answers_of(unsigned c) { return (unsigned)NIC_FIELD(ctx_says(&n, c, NIC_REG_QP_MSG), QP_MSG_ANSWERS); }
static nic_status load_word(unsigned i, unsigned c, unsigned k) {
  return own(page(i, from[k][0]), ctx_says(&n, c, from[k][1]));
}
static nic_status load_answers(unsigned i, unsigned c) {
  nic_status s = NIC_OK;
  for (unsigned k = 0; k < 2 * answers_of(c) && s == NIC_OK; k++)
    s = own(answer_at(i, k), get64(ctx_at(&n, c) + 0x100 + 8 * k));
  return s;
}
// What comes before QP_CTL.
static void load_page(unsigned i, unsigned c) {
  for (unsigned k = 0; k < WORDS; k++) EQ(load_word(i, c, k), NIC_OK);
  EQ(own(page(i, NIC_REG_QP_NAME), c), NIC_OK);
  EQ(load_answers(i, c), NIC_OK);
}
static void load_on(unsigned i, unsigned c) {
  EQ(own(page(i, NIC_REG_QP_CTL), ctx_says(&n, c, NIC_REG_QP_CTL) | 1), NIC_OK);
  EQ(quiet(i), NIC_OK);
  uint64_t prod = ctx_says(&n, c, NIC_REG_QP_PROD);
  if (prod != (ctx_says(&n, c, NIC_REG_QP_STS) & 0xffff)) EQ(own(page(i, NIC_REG_QP_PROD), prod), NIC_OK);
}
static void load(unsigned i, unsigned c) {
  load_page(i, c);
  load_on(i, c);
  EQ(moved(NIC_CTX_LOADED, i, c), NIC_OK);
}
static void frame_loads(unsigned i, unsigned c, uint32_t psn) {
  write_comes(c, psn);
  load(i, c);
  EQ(write_done(i, psn), NIC_OK);
}

static nic_status save_off(unsigned i) {
  nic_status s = own(page(i, NIC_REG_QP_CTL), 0);
  return s == NIC_OK ? quiet(i) : s;
}
static void save_words(unsigned i, unsigned k, unsigned to) {
  for (; k < to; k++) EQ(own_read(page(i, NIC_REG_QP_CTL) + 8 * k), NIC_OK);
}
static unsigned stored(unsigned i) {
  return (unsigned)NIC_FIELD(nic_regs_read(n.m, page(i, NIC_REG_QP_MSG)), QP_MSG_ANSWERS);
}
static void save_answers(unsigned i, unsigned k) {
  for (; k < 2 * stored(i); k++) EQ(own_read(answer_at(i, k)), NIC_OK);
}
static void save(unsigned i, unsigned c) {
  EQ(save_off(i), NIC_OK);
  save_words(i, 0, SAVED);
  save_answers(i, 0);
  EQ(moved(NIC_CTX_SAVED, i, c), NIC_OK);
}

// Its requester has something under way from now on.
static void work(unsigned i, unsigned c) {
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
  put_entry(n.mem[PROC] + RING + 0x400 * c, &e);
  bell(c, 1);
  EQ(own(page(i, NIC_REG_QP_PROD), 1), NIC_OK);
  EQ(record(&n, NIC_RET_SEND, false, 0, i, 0, 0), NIC_OK);
  EQ(record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, i, named(NIC_OP_WRITE_ONLY, 0x77), (uint64_t)epoch[i] << 32),
     NIC_OK);
}
static void work_is_done(unsigned i, unsigned c) {
  nic_head a = head(&n, 1, c, NIC_OP_ACK, 0x77);
  a.syndrome = NIC_SYN_ACK;
  comes(&n, &a);
  EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_ANSWER, i, named(NIC_OP_ACK, 0x77), epoch[i]), NIC_OK);
  EQ(record(&n, NIC_RET_EVENT, false, NIC_EV_SEND, PROC, n.m->eq[PROC].prod, c), NIC_OK);
}

// ---- what is in order -----------------------------------------------------------------------------------------------

// A context comes into a place, is changed there, goes and comes into another.
static void there_and_back(void) {
  begin(2);
  for (unsigned k = 0; k < 2; k++) {  // two answers are stored with it
    put64(ctx_at(&n, 3) + 0x100 + 16 * k, 0x55 + k);
    put64(ctx_at(&n, 3) + 0x108 + 16 * k, 0x1122334455667788 + k);
  }
  ctx_word(&n, 3, NIC_REG_QP_MSG, 7 | 2ull << NIC_QP_MSG_ANSWERS_LSB);
  frame_loads(0, 3, PSN);
  EQ(cnt(&n, NIC_CNT_CTX_LOADED), 1);
  EQ(rd(&n, page(0, NIC_REG_QP_MSG)), 8 | 2ull << NIC_QP_MSG_ANSWERS_LSB);
  EQ(nic_regs_read(n.m, answer_at(0, 3)), 0x1122334455667789);
  uint32_t wrote = n.src_writes[NIC_SRC_CTX];
  save(0, 3);
  EQ(n.src_writes[NIC_SRC_CTX], wrote + 2);
  EQ(cnt(&n, NIC_CNT_CTX_SAVED), 1);
  EQ(ctx_says(&n, 3, NIC_REG_QP_NOW) & 0xffffff, PSN + 1);
  EQ(ctx_says(&n, 3, NIC_REG_QP_MSG), 8 | 2ull << NIC_QP_MSG_ANSWERS_LSB);
  EQ(ctx_says(&n, 3, NIC_REG_QP_CTL) & 1, 0);
  EQ(get64(ctx_at(&n, 3) + 0x110), 0x56);
  EQ(get64(ctx_at(&n, 3) + 0x118), 0x1122334455667789);
  EQ(get64(ctx_at(&n, 3) + CTX_OPEN), 1);
  frame_loads(1, 3, PSN + 1);
  EQ(rd(&n, page(1, NIC_REG_QP_NOW)) & 0xffffff, PSN + 2);
  EQ(rd(&n, page(1, NIC_REG_QP_NAME)), 3);
  EQ(n.early, 0);
  end();
}

// ---- a load ---------------------------------------------------------------------------------------------------------

// Each word must be what is in memory: it is known when RetCtx names the context.
static void words(void) {
  for (unsigned k = 0; k < WORDS + 4; k++) {  // the last is as it should be
    begin(2);
    ctx_word(&n, 5, NIC_REG_QP_PROD, 1);
    write_comes(5, PSN);
    for (unsigned w = 0; w < WORDS; w++)
      EQ(own(page(0, from[w][0]),
             ctx_says(&n, 5, from[w][1]) ^ (w != k ? 0ull : 1ull << (from[w][0] == NIC_REG_QP_RINGC ? 20 : 6))),
         NIC_OK);
    EQ(own(page(0, NIC_REG_QP_NAME), k == WORDS ? 6 : 5), NIC_OK);
    EQ(own(page(0, NIC_REG_QP_CTL), (ctx_says(&n, 5, NIC_REG_QP_CTL) | 1) ^ (k == WORDS + 1 ? 32 : 0ull)), NIC_OK);
    EQ(quiet(0), NIC_OK);
    EQ(own(page(0, NIC_REG_QP_PROD), k == WORDS + 2 ? 2 : 1), NIC_OK);
    EQ(moved(NIC_CTX_LOADED, 0, 5), k == WORDS + 3 ? NIC_OK : NIC_E_MISMATCH);
    end();
  }
}

// A step at the wrong time, of a load of context 5 into place 0.
static void out_of_turn(void) {
  for (unsigned k = 0; k < 14; k++) {
    begin(2);
    const uint64_t ctl = ctx_says(&n, 5, NIC_REG_QP_CTL) | 1;
    if (k == 13) frame_loads(0, 7, PSN);
    write_comes(5, PSN);
    switch (k) {
      case 0:  // on, and a word is missing
        for (unsigned w = 0; w < WORDS - 1; w++) EQ(load_word(0, 5, w), NIC_OK);
        EQ(own(page(0, NIC_REG_QP_NAME), 5), NIC_OK);
        EQ(own(page(0, NIC_REG_QP_CTL), ctl), NIC_E_ORDER);
        break;
      case 1:  // its name is
        for (unsigned w = 0; w < WORDS; w++) EQ(load_word(0, 5, w), NIC_OK);
        EQ(own(page(0, NIC_REG_QP_CTL), ctl), NIC_E_ORDER);
        break;
      case 2:
        EQ(load_word(0, 5, 3), NIC_OK);
        EQ(load_word(0, 5, 3), NIC_E_ORDER);  // twice
        break;
      case 3:
        EQ(load_word(0, 5, 3), NIC_OK);
        EQ(load_word(1, 5, 4), NIC_E_ORDER);  // another place
        break;
      case 4:
        load_page(0, 5);
        EQ(own(page(0, NIC_REG_QP_PROD), 0), NIC_E_ORDER);  // it is off
        break;
      case 5:
        load_page(0, 5);
        EQ(moved(NIC_CTX_LOADED, 0, 5), NIC_E_ORDER);
        break;
      case 6:
        load_page(0, 5);
        load_on(0, 5);
        EQ(load_word(0, 5, 0), NIC_E_ORDER);  // on, and written
        break;
      case 7:
        load_page(0, 5);
        load_on(0, 5);
        EQ(moved(NIC_CTX_LOADED, 1, 5), NIC_E_ORDER);
        break;
      case 8:
        load_page(0, 5);
        load_on(0, 5);
        EQ(moved(NIC_CTX_LOADED, 0, 6), NIC_E_ORDER);  // nobody asks for that
        break;
      case 9:
        load_page(0, 5);
        load_on(0, 5);
        EQ(own(page(0, NIC_REG_QP_PROD), 0), NIC_OK);  // though nothing is posted
        EQ(moved(NIC_CTX_LOADED, 0, 5), NIC_E_MISMATCH);
        break;
      case 10: EQ(own(answer_at(0, 0), 0), NIC_E_ORDER); break;  // before anything else
      case 11:
        load_page(0, 5);
        EQ(own(answer_at(0, 0), 0), NIC_OK);
        EQ(own(answer_at(0, 2), 0), NIC_E_MISMATCH);  // the second word is the next
        break;
      case 12:
        EQ(own(page(0, NIC_REG_QP_RATE), 0), NIC_E_ORDER);  // no part of a context
        break;
      default: EQ(load_word(0, 5, 0), NIC_E_ORDER); break;  // another context is in it
    }
    end();
  }
}

// Of answers as many as QP_MSG says, each as it is in memory; of a PSN's word the rest is nobody's.
static void answers(void) {
  for (unsigned k = 0; k < 6; k++) {
    begin(2);
    put64(ctx_at(&n, 5) + 0x100, 0x1234567800000055);
    put64(ctx_at(&n, 5) + 0x108, 0x99);
    ctx_word(&n, 5, NIC_REG_QP_MSG, 1ull << NIC_QP_MSG_ANSWERS_LSB);
    write_comes(5, PSN);
    for (unsigned w = 0; w < WORDS; w++) EQ(load_word(0, 5, w), NIC_OK);
    EQ(own(page(0, NIC_REG_QP_NAME), 5), NIC_OK);
    EQ(own(answer_at(0, 0), k == 1 ? 0x54 : 0x55), NIC_OK);
    if (k != 2) EQ(own(answer_at(0, 1), k == 3 ? 0x98 : 0x99), NIC_OK);
    for (unsigned w = 2; w < 4 && k == 4; w++) EQ(own(answer_at(0, w), 0), NIC_OK);
    if (k == 5) EQ(own(answer_at(1, 2), 0), NIC_E_ORDER);  // another place's
    load_on(0, 5);
    EQ(moved(NIC_CTX_LOADED, 0, 5), k == 0 || k == 5 ? NIC_OK : NIC_E_MISMATCH);
    end();
  }
}

// What is looked for must be asked for, in no place, and what it is said to be.
static void found(void) {
  for (unsigned k = 0; k < 10; k++) {
    begin(2);
    if (k == 1 || k == 2) ctx_word(&n, 5, CTX_OPEN, 0);
    if (k == 3 || k == 4) n.bad_va = CTX_TABLE + CTX_SIZE * 5;
    if (k != 5) write_comes(5, PSN);
    if (k == 6) load(0, 5);
    if (k == 7) EQ(load_word(0, 5, 0), NIC_OK);
    unsigned code = k == 1 || k == 4 ? NIC_CTX_CLOSED : NIC_CTX_BROKEN;
    nic_status want = k == 1 || k == 3 ? NIC_OK : k >= 5 && k <= 7 ? NIC_E_ORDER : NIC_E_MISMATCH;
    if (k < 8) EQ(moved(code, 0, 5), want);
    if (want == NIC_OK) {
      EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_FOREIGN, 5, named(NIC_OP_WRITE_ONLY, PSN), 0), NIC_OK);
      EQ(moved(code, 0, 5), NIC_E_ORDER);
    }
    if (k == 8) EQ(moved(NIC_CTX_LOADED, 0, MANY), NIC_E_ORDER);  // there is no such context, no such place
    if (k == 9) EQ(moved(NIC_CTX_LOADED, 2, 5), NIC_E_MISMATCH);
    end();
  }
  for (unsigned k = 0; k < 3; k++) {  // the frame waits until something has been said
    begin(2);
    ctx_word(&n, 0, CTX_OPEN, k);
    write_comes(0, PSN);
    if (k == 1) load(0, 0);
    if (!k) EQ(moved(NIC_CTX_CLOSED, 0, 0), NIC_OK);
    EQ(record(&n, NIC_RET_FRAME, false, k == 1 ? NIC_FR_DONE : NIC_FR_FOREIGN, 0, named(NIC_OP_WRITE_ONLY, PSN), 0),
       k < 2 ? NIC_OK : NIC_E_ORDER);
    end();
  }
}

// ---- a save ---------------------------------------------------------------------------------------------------------

static void saves(void) {
  for (unsigned k = 0; k < 12; k++) {
    begin(2);
    ctx_word(&n, 5, NIC_REG_QP_MSG, 1ull << NIC_QP_MSG_ANSWERS_LSB);
    frame_loads(0, 5, PSN);
    if (k == 0) EQ(save_off(1), NIC_E_ORDER);  // no context is in it
    if (k == 1) EQ(own_read(page(0, NIC_REG_QP_CTL)), NIC_E_ORDER);
    if (k == 2) {
      work(0, 5);
      EQ(save_off(0), NIC_E_ORDER);  // not at rest
    }
    if (k > 2) EQ(save_off(0), NIC_OK);
    if (k == 3) EQ(own(page(0, NIC_REG_QP_CTL), 0), NIC_E_ORDER);
    if (k == 4) EQ(own_read(page(0, NIC_REG_QP_CTL) + 8), NIC_E_ORDER);  // the first is the next
    if (k == 5) EQ(own_read(page(1, NIC_REG_QP_CTL)), NIC_E_ORDER);
    if (k == 6) EQ(own_read(answer_at(0, 0)), NIC_E_ORDER);
    if (k == 7) EQ(moved(NIC_CTX_SAVED, 0, 5), NIC_E_ORDER);
    if (k >= 8) save_words(0, 0, SAVED);
    if (k == 8) EQ(own_read(page(0, NIC_REG_QP_CTL) + 8 * SAVED), NIC_E_ORDER);  // no further
    if (k == 9) EQ(moved(NIC_CTX_SAVED, 0, 5), NIC_E_ORDER);                     // and its answer
    if (k >= 10) save_answers(0, 0);
    if (k == 10) EQ(own_read(answer_at(0, 2)), NIC_E_ORDER);
    if (k == 11) EQ(moved(NIC_CTX_SAVED, 0, 6), NIC_E_MISMATCH);
    end();
  }
  // the requests of one that ends have ended before the answer's record
  begin(2);
  frame_loads(0, 5, PSN);
  work(0, 5);
  nic_head a = head(&n, 1, 5, NIC_OP_ACK, 0x77);
  a.syndrome = NIC_SYN_ACK;
  comes(&n, &a);
  EQ(save_off(0), NIC_OK);
  end();
}

// ---- bells ----------------------------------------------------------------------------------------------------------

static void bells(void) {
  for (unsigned k = 0; k < 5; k++) {
    begin(2);
    frame_loads(0, 5, PSN);
    if (k != 1) bell(5, 9);
    bell(6, 3);
    if (k == 4) EQ(save_off(0), NIC_OK);
    if (k == 0) EQ(own(page(0, NIC_REG_QP_PROD), 9), NIC_OK);
    if (k == 0) EQ(own(page(0, NIC_REG_QP_PROD), 9), NIC_E_ORDER);  // once
    if (k == 1) EQ(own(page(0, NIC_REG_QP_PROD), 9), NIC_E_ORDER);  // nobody rang
    if (k == 2) EQ(own(page(0, NIC_REG_QP_PROD), 8), NIC_E_MISMATCH);
    if (k == 3) EQ(own(page(1, NIC_REG_QP_PROD), 3), NIC_E_ORDER);  // no context is in it
    if (k == 4) EQ(own(page(0, NIC_REG_QP_PROD), 9), NIC_E_ORDER);  // nor here any more
    end();
  }
}

// CTX-14, TIM-11: a bell is served when another place is not at work, as it was when hardware looked. That may be long
// before the doorbell: it waits for what is decided on, and that for memory and the wire.
static void other_works(void) {
  begin(2);
  frame_loads(0, 5, PSN);
  frame_loads(1, 6, PSN);
  EQ(cycles(&n, 2000), NIC_OK);
  work(0, 5);
}
static nic_status rings(void) {
  nic_status s = own(page(1, NIC_REG_QP_PROD), 1);
  end();
  return s;
}
static nic_status served(uint64_t before, unsigned held) {
  other_works();
  EQ(cycles(&n, before), NIC_OK);
  EQ(cycles_held(&n, 5000, held), NIC_OK);
  bell(6, 1);
  return rings();
}
// It is loaded for its bell: hardware looked before that.
static nic_status served_behind_load(uint64_t before, uint64_t during, uint64_t after) {
  begin(2);
  frame_loads(0, 5, PSN);
  EQ(cycles(&n, 2000), NIC_OK);
  bell(6, 1);
  if (before) work(0, 5);
  EQ(cycles(&n, before), NIC_OK);
  EQ(load_word(1, 6, 0), NIC_OK);
  if (!before) work(0, 5);
  EQ(cycles(&n, during), NIC_OK);
  for (unsigned k = 1; k < WORDS; k++) EQ(load_word(1, 6, k), NIC_OK);
  EQ(own(page(1, NIC_REG_QP_NAME), 6), NIC_OK);
  load_on(1, 6);
  EQ(moved(NIC_CTX_LOADED, 1, 6), NIC_OK);
  EQ(cycles(&n, after), NIC_OK);
  return rings();
}
static void one_for_peers(void) {
  begin(2);
  const uint64_t late = late_of(&n);
  end();
  EQ(served(1, NIC_HELD_WIRE), NIC_OK);
  EQ(served(1, NIC_HELD_READ), NIC_OK);
  EQ(served(1, 0), NIC_E_ORDER);
  EQ(served(late, NIC_HELD_DMA), NIC_OK);
  EQ(served(late + 1, NIC_HELD_DMA), NIC_E_ORDER);
  EQ(served_behind_load(0, 5000, 1), NIC_OK);
  EQ(served_behind_load(0, 5000, late), NIC_OK);
  EQ(served_behind_load(0, 5000, late + 1), NIC_E_ORDER);
  EQ(served_behind_load(late, 5000, 1), NIC_OK);
  EQ(served_behind_load(late + 1, 5000, 1), NIC_E_ORDER);
  other_works();  // who tells of no cycle is told of no time
  n.m->time.on = false;
  bell(6, 1);
  EQ(rings(), NIC_OK);
}

// A frame finds no place: each of them is at work, or was until a moment ago.
static void no_place(void) {
  for (unsigned k = 0; k < 7; k++) {
    begin(2);
    frame_loads(0, 5, PSN);
    if (k != 1) frame_loads(1, 6, PSN);
    EQ(cycles(&n, 1), NIC_OK);
    work(0, 5);
    if (k > 2) work(1, 6);
    EQ(cycles(&n, 100), NIC_OK);
    if (k == 4 || k == 5) work_is_done(1, 6);
    if (k == 4 || k == 5) EQ(cycles(&n, k == 4 ? 16 : 18), NIC_OK);
    if (k == 6) ctx_word(&n, 7, CTX_OPEN, 0);
    if (k) write_comes(7, PSN);
    EQ(moved(NIC_CTX_NO_PLACE, 0, 7), k == 3 || k == 4 ? NIC_OK : NIC_E_ORDER);
    if (k == 3) EQ(moved(NIC_CTX_NO_PLACE, 0, 7), NIC_E_ORDER);  // it has been said
    if (k == 4) {
      EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_FOREIGN, 7, named(NIC_OP_WRITE_ONLY, PSN), 0), NIC_OK);
      EQ(cnt(&n, NIC_CNT_CTX_NO_PLACE), 1);
    }
    end();
  }
}

// ---- close ----------------------------------------------------------------------------------------------------------

static nic_status closed(unsigned c) { return record(&n, NIC_RET_CTX, true, NIC_CTX_CLOSED, 0, c, 0); }

static void closes(void) {
  for (unsigned k = 0; k < 6; k++) {
    begin(2);
    frame_loads(0, 5, PSN);
    work(0, 5);
    if (k == 0) EQ(closed(5), NIC_E_ORDER);  // nobody says so
    if (k) EQ(reg_write(&n, NIC_REG_NIC_CLOSE, k == 4 ? 6 : 5), NIC_OK);
    if (k == 1) EQ(closed(5), NIC_E_ORDER);  // it is in a place
    if (k == 2) {
      EQ(save_off(0), NIC_OK);  // at rest or not
      EQ(closed(5), NIC_E_ORDER);
    }
    if (k == 3) {
      bell(5, 2);
      save(0, 5);
      EQ(closed(5), NIC_OK);
      EQ(get64(ctx_at(&n, 5) + CTX_OPEN), 0);
      EQ(rd(&n, NIC_REG_NIC_CLOSE), 5);
      EQ(nic_pending(n.m), 0);  // its bell is forgotten
      EQ(closed(5), NIC_E_ORDER);
    }
    if (k == 4) EQ(save_off(0), NIC_E_ORDER);  // it is another that is closed
    if (k == 5) {
      save(0, 5);
      EQ(closed(6), NIC_E_ORDER);
    }
    end();
  }
}

// ---- whose registers ------------------------------------------------------------------------------------------------

static void strangers(void) {
  begin(2);
  EQ(own(NIC_REG_NIC_TICK, 1), NIC_E_ORDER);
  end();
  begin(2);
  EQ(own_read(NIC_REG_NIC_TICK), NIC_E_ORDER);
  end();
  begin(2);
  EQ(own(page(2, NIC_REG_QP_MAC), 1), NIC_E_MISMATCH);  // there are two
  end();
  begin(2);
  EQ(own(answer_at(2, 0), 1), NIC_E_MISMATCH);
  end();
  begin(2);
  EQ(record(&n, NIC_RET_REG_WRITE, true, 0, 127, page(0, NIC_REG_QP_MAC), 1), NIC_E_MISMATCH);  // a byte is missing
  end();
  begin(2);
  wr(&n, NIC_REG_NIC_CTX, 0);
  EQ(own(page(0, NIC_REG_QP_MAC), 1), NIC_E_ORDER);
  EQ(moved(NIC_CTX_CLOSED, 0, 5), NIC_E_ORDER);
  end();
  begin(2);  // a load is forgotten by a write of NIC_CTX, and its bell
  bell(5, 1);
  load_page(0, 5);
  EQ(reg_write(&n, NIC_REG_NIC_CTX, n.contexts), NIC_OK);
  EQ(nic_pending(n.m), 0);
  EQ(own(page(0, NIC_REG_QP_CTL), 1), NIC_E_ORDER);
  end();
  begin(2);  // a save goes on, where it began
  frame_loads(0, 5, PSN);
  EQ(save_off(0), NIC_OK);
  EQ(reg_write(&n, NIC_REG_NIC_CTX, 0), NIC_OK);
  EQ(rd(&n, NIC_REG_NIC_CTX), 0);
  save_words(0, 0, SAVED);
  EQ(moved(NIC_CTX_SAVED, 0, 5), NIC_OK);
  EQ(ctx_says(&n, 5, NIC_REG_QP_NOW) & 0xffffff, PSN + 1);
  end();
}

// ---- by itself ------------------------------------------------------------------------------------------------------

// A frame waits for its context as long as memory takes, also one of context 0.
static void late_memory(void) {
  for (unsigned c = 0; c < MANY; c += MANY - 1) {
    begin(2);
    node_free(&n);
    nic_config cfg;
    nic_config_default(&cfg);
    cfg.NumQps = 2;
    cfg.Contexts = MANY;
    node_init(&n, 0, &cfg);
    node_on(&n);
    ctx_on(&n);
    eq_on(&n, PROC, EQ_AT, EQ_SIZE);
    ctx_connect(&n, c, PROC, 1, c, RING, RINGS, PSN, 0x77, CTL(2, 5, 7, 7, 0));
    n.late = true;
    nic_head w = head(&n, 1, c, NIC_OP_WRITE_ONLY, PSN);
    say(&n, 1, &w, NULL);
    nic_run(n.m);
    EQ(n.num_asks, 1);
    EQ(n.asks[0].j.src, NIC_SRC_CTX);
    EQ(n.asks[0].j.va, CTX_TABLE + CTX_SIZE * c);
    EQ(n.asks[0].j.n, 256);
    EQ(nic_pending(n.m), 1);
    EQ(cnt(&n, NIC_CNT_FR_FOREIGN), 0);
    answer_one(&n, 0);
    nic_run(n.m);
    EQ(cnt(&n, NIC_CNT_FR_DONE), 1);
    EQ(nic_pending(n.m), 0);
    end();
  }
}

int main(void) {
  there_and_back();
  words();
  out_of_turn();
  answers();
  found();
  saves();
  bells();
  one_for_peers();
  no_place();
  closes();
  strangers();
  late_memory();
  return report();
}
