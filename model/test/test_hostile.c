// SPDX-License-Identifier: Apache-2.0
// What hostile or broken peers send, case by case, on the self-running model. The numbers of the cases are
// those of verif/cosim_aa/hostile.c, which tries them on hardware and model together. After every case the next
// good request works.
#include "world.h"

enum { IUID = 9, GOOD = 0x10000, LOGGED = 0x20000, DENIED = 0x30000, FLUSH = 0x40000 };

static world w;

static void begin(const aa_config *cfg, unsigned size, uint64_t more) {
  world_init(&w, cfg);
  world_on(&w);
  map(&w, GOOD, 0x80010000 | 3);
  map(&w, LOGGED, 0x80020000 | 3 | PTE_WL | PTE_WLD | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(IUID));
  map(&w, DENIED, 0x80030000 | PTE_WL | PTE_WLD | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(IUID));
  map(&w, FLUSH, 0x80040000 | 3 | PTE_E | PTE_IUID(IUID));
  if (size) log_open(&w, 0, IUID, size, more);
}

// The next good request works; nothing is left over.
static void end(void) {
  unsigned n = w.reqs, c = w.cpls;
  put(&w, GOOD, 1, 15);
  EQ(w.reqs, n + 1);
  EQ(tlp_addr(last_req(&w)->t.hdr), 0x80010000);
  get(&w, 0x77, GOOD + 4, 1, 15);
  EQ(w.reqs, n + 2);
  complete(&w, 0x77, TLP_SC, 4, 1);
  EQ(w.cpls, c + 1);
  EQ(aa_pending(w.m), 0);
  world_free(&w);
}

static void send(tlp t) { EQ(aa_submit(w.m, 0, &t), AA_OK); }
static unsigned cpl_status(void) { return last_cpl(&w)->t.hdr[1] >> 13 & 7; }

static void ids(const aa_config *cfg) {
  begin(cfg, 0, 0);  // 1
  send(request(TLP_MRD32, 0x0555, 3, GOOD, 1, 15));
  EQ(last_cpl(&w)->src, AA_CPL_UR);
  EQ(cpl_status(), TLP_UR);
  EQ(take_fault(&w), 1);
  send(request(TLP_MWR32, 0x0199, 3, GOOD, 1, 15));
  EQ(w.reqs, 0);
  EQ(w.cpls, 1);
  EQ(rd(&w, AA_REG_FRCDH + 16), 1ull << 63 | 2ull << 32 | 0x0199);
  EQ(rd(&w, AA_REG_FRCDL + 16), GOOD);
  end();

  begin(cfg, 0, 0);  // 2
  wr(&w, AA_REG_AA_PORT, 1ull << 63 | 0xff00ull << 16 | 0x0100);
  send(request(TLP_MRD32, 0x0213, 3, GOOD, 1, 15));
  EQ(cpl_status(), TLP_UR);
  EQ(take_err(&w), AA_ERR_PORT_ID);
  EQ(take_fault(&w), 0);
  send(request(TLP_MWR32, 0x0213, 3, GOOD, 1, 15));
  EQ(w.reqs, 0);
  EQ(cnt(&w, AA_CNT_PORT_FILTER), 2);
  end();

  begin(cfg, 12, 0);  // 3
  for (unsigned at = 1; at < 4; at++) {
    tlp t = request(TLP_MRD32, SID, 3, LOGGED, 1, 15);
    t.hdr[0] |= at << 10;
    send(t);
    EQ(cpl_status(), TLP_UR);
    EQ(rd(&w, AA_REG_FRCDH + 16 * (at - 1)), 1ull << 63 | 1ull << 62 | (uint64_t)at << 60 | 0xdull << 32 | SID);
    wr(&w, AA_REG_FRCDH + 16 * (at - 1), 1ull << 63);
  }
  EQ(prod(&w, 0), 0);
  end();

  begin(cfg, 12, 0);  // 4
  context(&w, 0x0114, L4 | 1, 2 | 16 | DID << 8);
  send(request(TLP_MWR32, SID, 0, 0xfee00010, 1, 15));
  EQ(w.reqs, 1);
  EQ(tlp_addr(last_req(&w)->t.hdr), 0xfee00010);
  send(request(TLP_MWR32, 0x0114, 0, 0xfee00010, 1, 15));
  EQ(w.reqs, 1);
  EQ(take_fault(&w), 0x25);
  end();
}

static void pages(const aa_config *cfg) {
  begin(cfg, 12, 0);  // 5
  memset(payload, 0xa5, 16);
  put(&w, DENIED + 8, 2, 0xff);
  EQ(w.reqs, 0);
  EQ(prod(&w, 0), 32);
  EQ(entry_of(&w, 0, 0, 12).addr, DENIED + 8);
  CHECK(entry_of(&w, 0, 0, 12).denied);
  EQ(peek64(&w, RING + 16), 0xa5a5a5a5a5a5a5a5);
  EQ(peek64(&w, RING + 24), 0);
  get(&w, 1, DENIED, 4, 0xff);  // 6
  EQ(cpl_status(), TLP_UR);
  EQ(prod(&w, 0), 48);
  CHECK(!entry_of(&w, 0, 32, 12).data && entry_of(&w, 0, 32, 12).denied);
  end();

  begin(cfg, 0, 0);  // 7
  put(&w, LOGGED, 1, 15);
  EQ(w.reqs, 1);
  put(&w, DENIED, 1, 15);
  EQ(w.reqs, 1);
  EQ(take_err(&w), AA_ERR_NO_LOG);
  EQ(cnt(&w, AA_CNT_NO_LOG), 2);
  EQ(w.writes, 0);
  end();

  begin(cfg, 12, 0);  // 8
  poke64(&w, entry_at(&w, LOGGED, 1), peek64(&w, entry_at(&w, LOGGED, 1)) | 0x800);
  put(&w, LOGGED, 1, 15);
  EQ(take_fault(&w), 0xc);
  w.bad = entry_at(&w, GOOD, 1);
  put(&w, GOOD, 1, 15);
  EQ(take_fault(&w), 7);
  w.bad = ~0ull;
  EQ(prod(&w, 0), 0);
  end();

  begin(cfg, 12, 0);  // 9, 10
  wr(&w, AA_REG_LOG_BASE + 64, RING + 0x10000);
  wr(&w, AA_REG_LOG_CFG + 64, 10 | 12 << 16 | 1ull << 63);
  put(&w, LOGGED, 1, 15);
  EQ(prod(&w, 0), 32);
  map(&w, LOGGED, 0x90020000 | 3 | PTE_WL | PTE_E | PTE_IUID(10));
  put(&w, LOGGED, 1, 15);
  EQ(tlp_addr(last_req(&w)->t.hdr), 0x80020000);  // wholly old
  EQ(prod(&w, 0), 64);
  poke64(&w, QUEUE, 2 | 3 << 4 | DID << 16);
  poke64(&w, QUEUE + 8, LOGGED);
  poke64(&w, QUEUE + 16, 5 | 0x20 | 0xabcdull << 32);
  poke64(&w, QUEUE + 24, STATUS);
  wr(&w, AA_REG_IQA, QUEUE);
  wr32(&w, AA_REG_GCMD, 1u << 31 | 1u << 26);
  wr(&w, AA_REG_IQT, 2 << 4);
  EQ(peek64(&w, STATUS), 0xabcd);
  EQ(rd(&w, AA_REG_IQH), 2 << 4);
  put(&w, LOGGED, 1, 15);
  EQ(tlp_addr(last_req(&w)->t.hdr), 0x90020000);  // wholly new
  EQ(prod(&w, 0), 64);
  EQ(prod(&w, 1), 16);
  end();
}

static void small_ring(const aa_config *cfg) {
  begin(cfg, 6, 0);  // 13: a ring of 64 bytes
  put(&w, LOGGED, 1, 15);
  put(&w, LOGGED, 1, 15);  // ends exactly at the ring's end
  EQ(prod(&w, 0), 64);
  EQ(cnt(&w, AA_CNT_PADS), 0);
  consume(&w, 0, 64);
  put(&w, LOGGED, 1, 15);
  EQ(last_write(&w)->addr, RING);
  put(&w, LOGGED, 8, 0xff);  // 48 bytes do not fit behind it, pad and all: never
  EQ(take_err(&w), AA_ERR_LOG_FIT);
  EQ(cnt(&w, AA_CNT_PADS), 0);
  consume(&w, 0, 96);
  put(&w, DENIED, 0x1, 0);  // metadata of nothing: 16 bytes
  consume(&w, 0, 112);
  put(&w, LOGGED, 1, 15);  // 16 bytes left: pad
  EQ(cnt(&w, AA_CNT_PADS), 1);
  EQ(prod(&w, 0), 160);
  EQ(entry_of(&w, 0, 112, 6).kind, 7);
  EQ(entry_of(&w, 0, 112, 6).len, 0);
  EQ(entry_of(&w, 0, 128, 6).kind, 1);
  for (unsigned i = 0; i < w.writes && i < KEEP; i++)
    CHECK(w.wr[i].addr >= RING && w.wr[i].addr + w.wr[i].n <= RING + 64);
  put(&w, LOGGED, 16, 0xff);  // larger than the ring
  EQ(take_err(&w), AA_ERR_LOG_FIT);
  end();
}

static void stalled_log(const aa_config *cfg) {
  begin(cfg, 7, 0);  // the watchdog ends a stall
  wr32(&w, AA_REG_AA_WDOG, 100);
  for (unsigned i = 0; i < 6; i++) put(&w, LOGGED, 1, 15);
  EQ(w.reqs, 4);
  aa_advance(w.m, 99);
  EQ(w.reqs, 4);
  aa_advance(w.m, 1);
  EQ(w.reqs, 5);
  aa_advance(w.m, 500);
  EQ(w.reqs, 6);
  EQ(take_err(&w), AA_ERR_LOG_WDOG);
  EQ(cnt(&w, AA_CNT_DROPPED), 2);
  end();

  begin(cfg, 7, 0);  // 12: completions pass a stalled log
  get(&w, 5, GOOD, 1, 15);
  for (unsigned i = 0; i < 6; i++) put(&w, LOGGED, 1, 15);
  EQ(aa_pending(w.m), 2);
  complete(&w, 5, TLP_SC, 4, 1);
  EQ(w.cpls, 1);
  get(&w, 6, GOOD, 1, 15);  // non-posted: behind the posted ones
  EQ(aa_pending(w.m), 3);
  for (unsigned i = 0; i < 20; i++) {  // the lane fills
    tlp t = request(TLP_MWR32, SID, 0, LOGGED, 1, 15);
    EQ(aa_submit(w.m, 0, &t), i < cfg->Window - 2 ? AA_OK : AA_E_BUSY);
  }
  for (unsigned i = 0; i < 20 && aa_pending(w.m); i++) consume(&w, 0, prod(&w, 0));
  complete(&w, 6, TLP_SC, 4, 1);
  EQ(w.cpls, 2);
  end();

  small_ring(cfg);
}

static void full_logs(const aa_config *cfg) {
  for (unsigned drop = 0; drop < 2; drop++) {  // 11
    begin(cfg, 7, (uint64_t)drop << 24);
    log_open(&w, 1, 10, 12, 0);
    map(&w, 0x50000, 0x80050000 | 3 | PTE_WL | PTE_E | PTE_IUID(10));
    for (unsigned i = 0; i < 6; i++) put(&w, LOGGED, 1, 15);  // room for four
    EQ(rsvd(&w, 0), 128);
    if (drop) {
      EQ(w.reqs, 6);
      EQ(cnt(&w, AA_CNT_DROPPED), 2);
      EQ(take_err(&w), AA_ERR_LOG_DROP);
      EQ(rd(&w, AA_REG_LP_STS), 1 << 8 | 2);
      wr(&w, AA_REG_LP_STS, 2);
      EQ(rd(&w, AA_REG_LP_STS), 1 << 8);
      put(&w, 0x50000, 1, 15);
      EQ(w.reqs, 7);
    } else {
      EQ(w.reqs, 4);
      EQ(aa_pending(w.m), 2);
      put(&w, 0x50000, 1, 15);  // posted: waits behind
      EQ(prod(&w, 1), 0);
      consume(&w, 0, 64);
      EQ(w.reqs, 7);
      EQ(prod(&w, 1), 16);
      EQ(prod(&w, 0), 192);
    }
    end();
  }

  stalled_log(cfg);
}

static void tables(const aa_config *cfg) {
  begin(cfg, 0, 0);  // 14
  struct {
    uint64_t base, cfg;
    unsigned why;
  } c[] = {
      {RING, 0, 1},
      {RING, 5ull << 16, 1},
      {RING, 31ull << 16, 1},
      {RING + 16, 12ull << 16, 2},
      {0x1000, 13ull << 16, 2},
      {1ull << 48, 12ull << 16, 3},
      {0xfffffffffffff000, 12ull << 16, 3},
      {0xfffffffff000, 12ull << 16, 0},
      {RING, 12ull << 16 | 1 << 25, 5},
      {RING, 12ull << 16 | 1 << 26, 6},
      {RING, 12ull << 16 | 1 << 27 | 16ull << 32, 7},
      {RING, 12ull << 16 | 1 << 27 | 15ull << 32, 0},
  };
  wr(&w, AA_REG_LOG_PTR, PTRS + 4);
  wr(&w, AA_REG_LOG_MSIA, 0xfee00002);
  for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) {
    wr(&w, AA_REG_LOG_BASE, c[i].base);
    wr(&w, AA_REG_LOG_CFG, c[i].cfg | 1ull << 63);
    EQ(rd(&w, AA_REG_LOG_STS), c[i].why ? c[i].why << 4 : 1);
    EQ(rd(&w, AA_REG_LOG_CFG) >> 63, !c[i].why);
    log_close(&w, 0);
    EQ(rd(&w, AA_REG_LOG_STS) & 3, 0);
  }
  log_open(&w, 0, IUID, 12, 0);
  log_open(&w, 1, IUID, 12, 0);
  EQ(rd(&w, AA_REG_LOG_STS + 64), 4 << 4);
  wr(&w, AA_REG_LOG_BASE, 0);  // an open log keeps its configuration
  wr(&w, AA_REG_LOG_CFG, 5 | 20 << 16 | 1ull << 63);
  EQ(rd(&w, AA_REG_LOG_BASE), RING);
  EQ(rd(&w, AA_REG_LOG_CFG), 1ull << 63 | 12 << 16 | IUID);
  end();

  begin(cfg, 8, 0);  // 15
  put(&w, LOGGED, 1, 15);
  put(&w, LOGGED, 1, 15);
  consume(&w, 0, 32);
  const uint32_t bad[] = {65, 96, 31, 0, 0xffffffff, 0x80000020};
  for (unsigned i = 0; i < 6; i++) {
    consume(&w, 0, bad[i]);
    EQ(cons(&w, 0), 32);
    EQ(rd(&w, AA_REG_LP_STS), 1 << 8 | 1);
    EQ(rd(&w, AA_REG_AA_ERR_ADDR), bad[i]);
    EQ(take_err(&w), AA_ERR_CONSUMER);
    wr(&w, AA_REG_LP_STS, 1);
  }
  wr(&w, AA_REG_LP_CONS, 0xdeadbeef00000040);  // upper half ignored
  EQ(cons(&w, 0), 64);
  consume(&w, 1, 4);  // a log never opened
  EQ(take_err(&w), AA_ERR_CONSUMER);
  consume(&w, 1, 0);
  EQ(take_err(&w), 0);
  end();
}

static void few_tags(const aa_config *cfg) {
  aa_config small = *cfg;  // 20
  small.TagEntries = 2;
  begin(&small, 12, 0);
  for (unsigned i = 0; i < 4; i++) get(&w, i, GOOD + 64 * i, 1, 15);
  EQ(w.reqs, 2);
  put(&w, GOOD, 1, 15);
  EQ(w.reqs, 3);
  send(request(TLP_MRD32, SID, 3, GOOD, 1, 15));
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(w.reqs, 4);
  complete(&w, 0, TLP_SC, 4, 1);
  EQ(cpl_status(), TLP_UR);  // the second tag 3 is refused: the first lives
  complete(&w, 2, TLP_SC, 4, 1);
  EQ(take_err(&w), AA_ERR_TAG_LIVE);
  EQ(cnt(&w, AA_CNT_TAG_LIVE), 1);
  complete(&w, 3, TLP_SC, 4, 1);
  end();
}

static void late_completions(const aa_config *cfg) {
  begin(cfg, 12, 0);  // 19
  wr32(&w, AA_REG_AA_CPL_TMO, 50);
  get(&w, 5, LOGGED, 8, 0xff);
  aa_advance(w.m, 10);
  get(&w, 6, GOOD, 1, 15);
  aa_advance(w.m, 40);
  EQ(prod(&w, 0), 48);
  CHECK(entry_of(&w, 0, 0, 12).aborted);
  EQ(rd(&w, AA_REG_AA_ERR_STS), (uint64_t)SID << 16 | AA_ERR_CPL_TIMEOUT << 8 | 1);
  complete(&w, 5, TLP_SC, 32, 8);
  EQ(w.cpls, 0);
  EQ(rd(&w, AA_REG_AA_ERR_STS) & 3, 3);
  complete(&w, 6, TLP_SC, 4, 1);
  EQ(w.cpls, 1);
  get(&w, 7, GOOD, 1, 15);
  EQ(aa_dev_reset(w.m, 0, true), AA_OK);
  EQ(aa_poll(w.m), AA_OK);
  EQ(aa_dev_reset(w.m, 0, false), AA_OK);
  complete(&w, 7, TLP_SC, 4, 1);
  EQ(w.cpls, 1);
  EQ(cnt(&w, AA_CNT_CPL_TIMEOUTS), 2);
  end();

  few_tags(cfg);
}

static void bad_completions(const aa_config *cfg) {
  for (unsigned kind = 0; kind < 4; kind++) {  // 18
    begin(cfg, 12, 0);
    memset(w.mem + RING, 0xee, 128);
    get(&w, 5, LOGGED + 1024, 8, 0xff);
    put(&w, LOGGED, 1, 15);
    EQ(prod(&w, 0), 0);  // behind the open entry
    complete(&w, 5, TLP_SC, 32, 4);
    if (kind < 2) {
      complete(&w, 5, kind ? TLP_CA : TLP_UR, 16, 0);
      EQ(cpl_status(), kind ? TLP_CA : TLP_UR);
    } else {
      tlp t = completion(SID, 5, TLP_SC, 16, 0x10, 4, NULL);
      t.err = kind == 2;
      t.hdr[0] |= kind == 3 ? 0x4000u : 0;
      EQ(aa_complete(w.m, &t), AA_OK);
      EQ(last_cpl(&w)->t.hdr[0], t.hdr[0]);
      EQ(last_cpl(&w)->t.err, kind == 2);
    }
    EQ(w.cpls, 2);
    EQ(prod(&w, 0), 48 + 32);
    entry e = entry_of(&w, 0, 0, 12);
    CHECK(e.aborted && e.data && e.len == 8);
    EQ(peek64(&w, RING + 32), 0xeeeeeeeeeeeeeeee);  // never written
    EQ(rd(&w, AA_REG_LP_STS), 1 << 8 | 4);
    EQ(cnt(&w, AA_CNT_ABORTED), 1);
    complete(&w, 5, TLP_SC, 16, 4);
    EQ(take_err(&w), AA_ERR_STRAY);
    end();
  }

  begin(cfg, 12, 0);  // poison in the middle: the tag lives on, the entry does not
  get(&w, 5, LOGGED, 8, 0xff);
  tlp t = completion(SID, 5, TLP_SC, 32, 0, 4, NULL);
  t.hdr[0] |= 0x4000;
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(prod(&w, 0), 48);
  complete(&w, 5, TLP_SC, 16, 4);
  EQ(w.cpls, 2);
  EQ(take_err(&w), 0);
  end();
}

static void reads(const aa_config *cfg) {
  begin(cfg, 12, 0);  // 16: one tag, two requesters
  context(&w, 0x0114, L4 | 1, 2 | 8 | DID << 8);
  uint8_t a[32], b[32];
  memset(a, 0x11, 32);
  memset(b, 0x22, 32);
  send(request(TLP_MRD32, SID, 5, LOGGED + 0x3c, 8, 0xff));
  send(request(TLP_MRD32, 0x0114, 5, LOGGED + 0x100, 8, 0xff));
  tlp c[4] = {completion(0x0114, 5, 0, 32, 0, 4, b), completion(SID, 5, 0, 32, 0x3c, 1, a),
              completion(SID, 5, 0, 28, 0x40, 7, a), completion(0x0114, 5, 0, 16, 0x10, 4, b)};
  for (unsigned i = 0; i < 4; i++) EQ(aa_complete(w.m, &c[i]), AA_OK);
  EQ(w.cpls, 4);
  EQ(prod(&w, 0), 96);
  CHECK(!memcmp(w.mem + RING + 16, a, 32) && !memcmp(w.mem + RING + 64, b, 32));
  EQ(entry_of(&w, 0, 48, 12).rid, 0x0114);
  complete(&w, 5, TLP_SC, 4, 1);  // 17
  EQ(take_err(&w), AA_ERR_STRAY);
  complete(&w, 99, TLP_SC, 4, 1);
  EQ(w.cpls, 4);
  EQ(cnt(&w, AA_CNT_BAD_CPL), 2);
  get(&w, 6, GOOD, 4, 0xff);  // beyond its read, wrong count, without data: the read goes on
  take_err(&w);
  complete(&w, 6, TLP_SC, 16, 5);
  complete(&w, 6, TLP_SC, 12, 1);
  complete(&w, 6, TLP_SC, 16, 0);
  EQ(w.cpls, 4);
  EQ(take_err(&w), AA_ERR_CPL_LENGTH);
  complete(&w, 6, TLP_SC, 16, 4);
  EQ(w.cpls, 5);
  end();

  bad_completions(cfg);

  late_completions(cfg);
}

// All slots of a log taken: as a full log, completions free them. An invalidation behind a wait takes effect
// when reads complete.
static void slots(const aa_config *cfg) {
  aa_config c = *cfg;
  c.LogDepth = 2;
  for (unsigned drop = 0; drop < 2; drop++) {
    begin(&c, 12, (uint64_t)drop << 24);
    for (unsigned i = 0; i < 3; i++) get(&w, i, LOGGED + 64 * i, 1, 15);
    EQ(w.reqs, drop ? 3 : 2);
    EQ(take_err(&w), drop ? AA_ERR_LOG_DROP : 0);
    EQ(rsvd(&w, 0), 64);
    complete(&w, 1, TLP_SC, 4, 1);  // closes the younger: nothing is published
    EQ(prod(&w, 0), 0);
    complete(&w, 0, TLP_SC, 4, 1);
    EQ(prod(&w, 0), 64);
    EQ(w.reqs, 3);
    complete(&w, 2, TLP_SC, 4, 1);
    EQ(prod(&w, 0), drop ? 64 : 96);
    end();
  }

  aa_ops quiet = world_ops;  // without records the model takes its short ways
  quiet.retire = NULL;
  world_init(&w, cfg);
  aa_free(w.m);
  EQ(aa_new(cfg, &quiet, &w, &w.m), AA_OK);
  world_on(&w);
  map(&w, GOOD, 0x80010000 | 3);
  get(&w, 1, GOOD, 1, 15);
  for (unsigned i = 0; i < 6; i++)
    poke64(&w, QUEUE + 8 * i, i & 1 ? (i == 3 ? STATUS : 0) : (i == 2 ? 5 | 0x20 : 2 | 1 << 4));
  wr(&w, AA_REG_IQA, QUEUE);
  wr32(&w, AA_REG_GCMD, 1u << 31 | 1u << 26);
  map(&w, GOOD, 0x90010000 | 3);
  wr(&w, AA_REG_IQT, 3 << 4);
  for (unsigned i = 0; i < 3; i++) {
    put(&w, GOOD, 1, 15);
    EQ(tlp_addr(last_req(&w)->t.hdr), 0x90010000);
  }
  map(&w, GOOD, 0xa0010000 | 3);
  put(&w, GOOD, 1, 15);
  EQ(tlp_addr(last_req(&w)->t.hdr), 0x90010000);
  complete(&w, 1, TLP_SC, 4, 1);  // the wait is over, the invalidation behind it is done
  put(&w, GOOD, 1, 15);
  EQ(tlp_addr(last_req(&w)->t.hdr), 0xa0010000);
  map(&w, GOOD, 0x80010000 | 3);
  invalidate_all(&w);
  end();
}

static void sparse_bytes(void) {
  uint32_t at = prod(&w, 0);  // 22
  put(&w, LOGGED, 1, 0);
  EQ(prod(&w, 0), at + 16);
  get(&w, 41, LOGGED, 1, 0);
  EQ(prod(&w, 0), at + 32);
  complete(&w, 41, TLP_SC, 1, 1);
  memset(payload, 0xff, 64);
  put(&w, LOGGED, 1, 0x5);
  EQ(prod(&w, 0), at + 64);
  EQ(peek64(&w, RING + ((at + 48) & 0xfff)), 0x00ff00ff);
  get(&w, 42, LOGGED + 0x10, 2, 0x4a);
  complete(&w, 42, TLP_SC, 6, 2);
  EQ(peek64(&w, RING + ((at + 80) & 0xfff)), 0x00ff0000ff00ff00);
  end();
}

static void malformed(const aa_config *cfg) {
  begin(cfg, 12, 0);  // 21, 22, 37
  wr32(&w, AA_REG_AA_CTL, 0x001);
  struct {
    uint8_t type;
    uint32_t addr;
    unsigned len, be;
    int extra;     // words of payload more than Length says
    unsigned err;  // 0: good
    bool ur;
  } c[] = {
      {TLP_MWR32, LOGGED + 0xffc, 2, 0xff, 0, AA_ERR_CROSS4K, 0},
      {TLP_MRD32, LOGGED + 0xffc, 2, 0xff, 0, AA_ERR_CROSS4K, 0},
      {TLP_MWR32, LOGGED + 0xff8, 2, 0xff, 0, 0, 0},
      {TLP_MWR32, LOGGED, 4, 0xff, -1, AA_ERR_LENGTH, 0},
      {TLP_MWR32, LOGGED, 4, 0xff, 1, AA_ERR_LENGTH, 0},
      {TLP_MRD32, LOGGED, 4, 0xff, 1, AA_ERR_LENGTH, 0},
      {TLP_MWR32, LOGGED, 32, 0xff, 0, 0, 0},
      {TLP_MWR32, LOGGED, 33, 0xff, 0, AA_ERR_MAX_SIZE, 0},
      {TLP_MRD32, LOGGED, 33, 0xff, 0, AA_ERR_MAX_SIZE, 0},
      {TLP_MWR32, LOGGED, 1, 0x1f, 0, AA_ERR_BYTE_EN, 0},
      {TLP_MWR32, LOGGED, 1, 0x05, 0, 0, 0},
      {TLP_MWR32, LOGGED, 2, 0xf0, 0, AA_ERR_BYTE_EN, 0},
      {TLP_MWR32, LOGGED, 2, 0x0f, 0, AA_ERR_BYTE_EN, 0},
      {TLP_MWR32, LOGGED, 2, 0x5a, 0, 0, 0},  // quad-word aligned: any
      {TLP_MWR32, LOGGED + 4, 2, 0x1a, 0, AA_ERR_BYTE_EN, 0},
      {TLP_MWR32, LOGGED + 4, 2, 0x78, 0, 0, 0},
      {TLP_MWR32, LOGGED, 3, 0xf7, 0, AA_ERR_BYTE_EN, 0},
      {TLP_MWR32, LOGGED, 3, 0x2f, 0, AA_ERR_BYTE_EN, 0},
      {TLP_MWR32, LOGGED, 3, 0x18, 0, 0, 0},
      {TLP_FADD32, LOGGED, 3, 0, 0, AA_ERR_ATOMIC, 1},
      {TLP_FADD32, LOGGED + 4, 2, 0, 0, AA_ERR_ATOMIC, 1},
      {TLP_SWAP32, LOGGED, 4, 0, 0, AA_ERR_ATOMIC, 1},
      {TLP_CAS32, LOGGED, 1, 0, 0, AA_ERR_ATOMIC, 1},
      {TLP_CAS32, LOGGED, 6, 0, 0, AA_ERR_ATOMIC, 1},
      {TLP_CAS32, LOGGED + 8, 8, 0, 0, AA_ERR_ATOMIC, 1},
      {TLP_CAS32, LOGGED, 2, 0, 1, AA_ERR_LENGTH, 0},
      {TLP_IORD, LOGGED, 1, 15, 0, AA_ERR_TYPE, 1},
      {TLP_IOWR, LOGGED, 1, 15, 0, AA_ERR_TYPE, 1},
      {TLP_CFGRD0, LOGGED, 1, 15, 0, AA_ERR_TYPE, 1},
      {TLP_CFGWR1, LOGGED, 1, 15, 0, AA_ERR_TYPE, 1},
      {TLP_MRDLK32, LOGGED, 1, 15, 0, AA_ERR_TYPE, 1},
      {TLP_CPLLK, LOGGED, 1, 15, 0, AA_ERR_TYPE, 0},
      {0x1b, LOGGED, 1, 15, 0, AA_ERR_TYPE, 0},
      {0x80, LOGGED, 1, 15, 0, AA_ERR_TYPE, 0},
      {TLP_MSGD, LOGGED, 2, 15, 1, AA_ERR_LENGTH, 0},
      {TLP_CPLD, LOGGED, 2, 15, -1, AA_ERR_LENGTH, 0},
  };
  unsigned bad = 0;
  for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) {
    unsigned reqs = w.reqs, cpls = w.cpls;
    uint32_t at = rsvd(&w, 0);
    tlp t = request(c[i].type, SID, 40, c[i].addr, c[i].len, c[i].be);
    t.ndw = (uint32_t)((int)t.ndw + c[i].extra);
    send(t);
    unsigned e = take_err(&w);
    if (e != c[i].err) printf("case %u\n", i);
    EQ(e, c[i].err);
    EQ(w.reqs - reqs, !e);
    EQ(w.cpls - cpls, c[i].ur);
    if (e) EQ(rsvd(&w, 0), at);
    if (c[i].ur) EQ(cpl_status(), TLP_UR);
    bad += e != 0;
    consume(&w, 0, prod(&w, 0));
  }
  EQ(cnt(&w, AA_CNT_MALFORMED), bad);
  EQ(take_fault(&w), 0);
  wr32(&w, AA_REG_AA_CTL, 0x551);

  sparse_bytes();
}

static void device_reset(void) {
  EQ(aa_dev_reset(w.m, 0, true), AA_OK);
  EQ(aa_poll(w.m), AA_OK);
  EQ(aa_dev_reset(w.m, 0, false), AA_OK);
}

static void resets(const aa_config *cfg) {
  begin(cfg, 12, 0);  // 42
  wr(&w, AA_REG_AA_FLP, FLUSH | IUID << 2 | 1);
  put(&w, LOGGED, 1, 15);
  unsigned n = w.reqs;
  get(&w, 1, FLUSH, 1, 15);
  get(&w, 2, FLUSH, 1, 15);
  device_reset();
  EQ(cnt(&w, AA_CNT_FLUSHES_UNDONE), 2);
  EQ(take_err(&w), 0);
  consume(&w, 0, 32);
  EQ(w.cpls, 0);
  get(&w, 1, GOOD, 1, 15);  // no quarantine
  EQ(w.reqs, n + 1);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(w.cpls, 1);
  end();

  begin(cfg, 12, 0);  // 43
  get(&w, 1, LOGGED, 8, 0xff);
  n = w.reqs;
  device_reset();
  EQ(take_err(&w), AA_ERR_CPL_TIMEOUT);
  EQ(prod(&w, 0), 48);
  CHECK(entry_of(&w, 0, 0, 12).aborted);
  get(&w, 1, GOOD, 8, 0xff);
  EQ(w.reqs, n);
  EQ(aa_pending(w.m), 1);
  complete(&w, 1, TLP_SC, 16, 4);  // the wrong count: malformed, as before the end
  EQ(take_err(&w), AA_ERR_CPL_LENGTH);
  complete(&w, 1, TLP_SC, 32, 4);
  EQ(w.reqs, n);
  complete(&w, 1, TLP_SC, 16, 4);
  EQ(w.reqs, n + 1);
  EQ(w.cpls, 0);
  EQ(take_err(&w), AA_ERR_STRAY);
  EQ(cnt(&w, AA_CNT_LATE), 2);
  EQ(cnt(&w, AA_CNT_BAD_CPL), 3);
  complete(&w, 1, TLP_SC, 32, 8);
  EQ(w.cpls, 1);
  wr32(&w, AA_REG_AA_CPL_TMO, 100);
  get(&w, 1, GOOD, 1, 15);
  get(&w, 2, LOGGED, 1, 15);
  aa_advance(w.m, 100);
  EQ(cnt(&w, AA_CNT_CPL_TIMEOUTS), 3);
  get(&w, 1, GOOD, 1, 15);
  complete(&w, 2, TLP_UR, 4, 0);  // an error ends it as well
  EQ(cnt(&w, AA_CNT_LATE), 3);
  aa_advance(w.m, 99);
  EQ(w.reqs, n + 3);
  aa_advance(w.m, 1);
  EQ(w.reqs, n + 4);
  EQ(cnt(&w, AA_CNT_OVER), 1);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(w.cpls, 2);
  get(&w, 3, LOGGED, 4, 0xff);  // a completion between the reset and the end
  EQ(aa_dev_reset(w.m, 0, true), AA_OK);
  EQ(aa_dev_reset(w.m, 0, false), AA_OK);
  uint32_t at = prod(&w, 0);
  complete(&w, 3, TLP_SC, 16, 4);
  EQ(w.cpls, 2);
  EQ(prod(&w, 0), at + 32);
  CHECK(entry_of(&w, 0, at, 12).aborted);
  EQ(aa_poll(w.m), AA_OK);
  EQ(cnt(&w, AA_CNT_CPL_TIMEOUTS), 3);
  wr32(&w, AA_REG_AA_CPL_TMO, 0);
  end();
}

// A function is reset: of its requester id alone everything ends, what waits in a lane included.
static void functions(const aa_config *cfg) {
  enum { OTHER = 0x0114 };
  aa_config c = *cfg;
  c.TagEntries = 4;
  begin(&c, 12, 0);
  context(&w, OTHER, L4 | 1, 2 | 8 | DID << 8);
  wr(&w, AA_REG_AA_FLP, FLUSH | IUID << 2 | 1);
  put(&w, LOGGED, 1, 15);
  unsigned n = w.reqs;
  get(&w, 1, LOGGED, 4, 0xff);
  get(&w, 2, FLUSH, 1, 15);
  send(request(TLP_MRD32, OTHER, 1, GOOD, 1, 15));
  send(request(TLP_MRD32, OTHER, 2, GOOD, 1, 15));
  get(&w, 3, GOOD, 1, 15);  // these wait for a tag
  send(request(TLP_MRD32, OTHER, 3, GOOD, 1, 15));
  EQ(w.reqs, n + 3);
  wr(&w, AA_REG_AA_RESET, SID);  // no GO
  EQ(rd(&w, AA_REG_AA_RESET), SID);
  EQ(aa_pending(w.m), 2);
  wr(&w, AA_REG_AA_RESET, 1ull << 63 | SID);
  EQ(rd(&w, AA_REG_AA_RESET), SID);  // done
  EQ(cnt(&w, AA_CNT_CPL_TIMEOUTS), 1);
  EQ(cnt(&w, AA_CNT_FLUSHES_UNDONE), 1);
  EQ(cnt(&w, AA_CNT_CUT), 1);
  EQ(prod(&w, 0), 64);
  CHECK(entry_of(&w, 0, 32, 12).aborted);
  EQ(w.cpls, 0);
  EQ(w.reqs, n + 4);  // the other requester's third
  EQ(take_err(&w), AA_ERR_CPL_TIMEOUT);
  for (unsigned i = 1; i < 4; i++) {
    tlp t = completion(OTHER, i, TLP_SC, 4, 0, 1, NULL);
    EQ(aa_complete(w.m, &t), AA_OK);
    EQ(w.cpls, i);
  }
  tlp late = completion(SID, 1, TLP_SC, 16, 0, 4, NULL);
  EQ(aa_complete(w.m, &late), AA_OK);
  EQ(w.cpls, 3);
  EQ(cnt(&w, AA_CNT_LATE), 1);
  end();

  // A port: what waits in its lane is dropped, refused or not, and nothing is said of it.
  begin(&c, 6, 0);
  for (unsigned i = 0; i < 3; i++) put(&w, LOGGED, 1, 15);  // the last one waits for the log
  n = w.reqs;
  get(&w, 1, GOOD, 1, 15);
  send(request(TLP_IORD, SID, 2, GOOD, 1, 15));
  send(request(TLP_FADD32, SID, 3, GOOD, 1, 0));
  get(&w, 4, 0x7000, 1, 15);
  EQ(aa_pending(w.m), 5);
  device_reset();
  get(&w, 5, GOOD, 1, 15);  // after it
  consume(&w, 0, 64);
  EQ(w.reqs, n + 2);
  EQ(w.cpls, 0);
  EQ(cnt(&w, AA_CNT_CUT), 4);
  EQ(cnt(&w, AA_CNT_MALFORMED), 0);
  EQ(take_err(&w), 0);
  EQ(take_fault(&w), 0);
  complete(&w, 5, TLP_SC, 4, 1);
  EQ(w.cpls, 1);
  end();
}

// DEC-20: what software has not set ends by itself all the same: 20, 40 and 50 ms of 80 MHz.
static void untouched(const aa_config *cfg) {
  begin(cfg, 6, 0);
  EQ(rd(&w, AA_REG_AA_WDOG), 1600000);
  EQ(rd(&w, AA_REG_AA_FLUSH_TMO), 3200000);
  EQ(rd(&w, AA_REG_AA_CPL_TMO), 4000000);
  wr(&w, AA_REG_AA_FLP, FLUSH | IUID << 2 | 1);
  get(&w, 1, GOOD, 1, 15);
  for (unsigned i = 0; i < 3; i++) put(&w, LOGGED, 1, 15);  // the ring has room for two
  EQ(aa_pending(w.m), 1);
  aa_advance(w.m, 1600000);
  EQ(aa_pending(w.m), 0);
  EQ(take_err(&w), AA_ERR_LOG_WDOG);
  get(&w, 2, FLUSH, 1, 15);
  aa_advance(w.m, 2399999);
  EQ(take_err(&w), 0);
  aa_advance(w.m, 1);
  EQ(take_err(&w), AA_ERR_CPL_TIMEOUT);
  EQ(w.cpls, 0);
  aa_advance(w.m, 800000);
  EQ(take_err(&w), AA_ERR_FLUSH_TIMEOUT);
  EQ(w.cpls, 1);
  end();
}

static void shares(const aa_config *cfg) {
  enum { OTHER = 0x0114, EMPTY = 0x50000 };
  aa_config c = *cfg;
  c.NumPorts = 2;
  c.TagEntries = 8;  // two each, four common
  c.FlushWaiters = 4;
  begin(&c, 12, 0);  // 44
  log_open(&w, 1, 10, 12, 0);
  context(&w, OTHER, L4 | 1, 2 | 8 | DID << 8);
  map(&w, EMPTY, 0x80050000 | 3 | PTE_E | PTE_IUID(10));
  wr(&w, AA_REG_AA_FLP, FLUSH | IUID << 2 | 1);
  wr(&w, AA_REG_AA_FLP + 8, EMPTY | 10 << 2 | 1);
  put(&w, LOGGED, 1, 15);
  unsigned n = w.reqs;
  for (unsigned i = 0; i < 5; i++) get(&w, i, FLUSH, 1, 15);
  EQ(cnt(&w, AA_CNT_FLUSHES), 3);  // the last waiter is port 1's
  tlp t = request(TLP_MRD32, OTHER, 1, EMPTY, 1, 15);
  EQ(aa_submit(w.m, 1, &t), AA_OK);
  EQ(w.cpls, 1);
  for (unsigned i = 0; i < 6; i++) {  // port 0's own are flushes, and one of the common ones
    t = request(TLP_MRD32, OTHER, 2 + i, GOOD, 1, 15);
    EQ(aa_submit(w.m, 1, &t), AA_OK);
  }
  EQ(w.reqs, n + 5);
  consume(&w, 0, 32);  // three flushes end, and the other two of port 0
  EQ(w.cpls, 6);
  EQ(w.reqs, n + 6);
  for (unsigned i = 0; i < 3; i++) get(&w, i, GOOD, 1, 15);
  EQ(w.reqs, n + 8);  // two of its own, nothing common
  for (unsigned i = 0; i < 6; i++) {
    t = completion(OTHER, 2 + i, TLP_SC, 4, 0, 1, NULL);
    EQ(aa_complete(w.m, &t), AA_OK);
  }
  EQ(w.reqs, n + 9);
  for (unsigned i = 0; i < 3; i++) complete(&w, i, TLP_SC, 4, 1);
  end();
}

static void closed_log(const aa_config *cfg) {
  begin(cfg, 12, 0);  // 27
  get(&w, 1, LOGGED, 4, 0xff);
  put(&w, LOGGED, 1, 15);
  const unsigned n = w.writes;
  log_close(&w, 0);
  EQ(prod(&w, 0), 64);
  CHECK(entry_of(&w, 0, 0, 12).aborted);
  EQ(rd(&w, AA_REG_LOG_STS), 0);
  EQ(rd(&w, AA_REG_LOG_CFG) >> 63, 0);
  EQ(w.writes, n + 1);
  complete(&w, 1, TLP_SC, 16, 4);  // the read itself goes on
  EQ(w.cpls, 1);
  EQ(w.writes, n + 1);
  put(&w, LOGGED, 1, 15);
  EQ(take_err(&w), AA_ERR_NO_LOG);
  consume(&w, 0, 64);  // what was published can still be read
  EQ(take_err(&w), 0);
  log_open(&w, 0, IUID, 12, 0);
  EQ(prod(&w, 0), 0);
  put(&w, LOGGED, 1, 15);
  EQ(prod(&w, 0), 32);
  end();
}

static void flushes(const aa_config *cfg) {
  aa_config c = *cfg;
  c.FlushWaiters = 2;
  begin(&c, 12, 0);  // 23 is in test_aa_decide; 24, 25
  context(&w, 0x0114, L4 | 1, 2 | 8 | DID << 8);
  wr(&w, AA_REG_AA_FLP, FLUSH | IUID << 2 | 1);
  put(&w, LOGGED, 1, 15);
  unsigned n = w.reqs;
  get(&w, 1, FLUSH + 4, 4, 0xff);
  send(request(TLP_MRD32, 0x0114, 1, FLUSH, 1, 15));
  send(request(TLP_MRD32, SID, 2, FLUSH, 2, 0xff));  // a third: waits
  EQ(w.reqs, n);
  EQ(w.cpls, 0);
  EQ(aa_pending(w.m), 1);
  consume(&w, 0, 0);
  EQ(w.cpls, 0);
  tlp t = completion(SID, 1, TLP_SC, 16, 4, 4, NULL);  // nobody else may answer it
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(take_err(&w), AA_ERR_STRAY);
  consume(&w, 0, 32);
  EQ(w.cpls, 3);
  out *o = &w.cpl[0];
  EQ(o->src, AA_CPL_FLUSH);
  EQ(o->t.hdr[0], 0x4a000004);
  EQ(o->t.hdr[1], 16);
  EQ(o->t.hdr[2], SID << 16 | 1 << 8 | 4);
  EQ(o->t.ndw, 4);
  uint32_t dw[4];
  memcpy(dw, o->data, 16);
  CHECK(dw[0] == 0 && dw[1] == 32 && dw[2] == 0 && dw[3] == 32);
  EQ(cnt(&w, AA_CNT_FLUSHES), 3);
  get(&w, 3, FLUSH, 5, 0xff);  // too long
  EQ(cpl_status(), TLP_UR);
  EQ(take_err(&w), AA_ERR_FLUSH_LEN);
  put(&w, FLUSH, 1, 15);  // a write to the page is no flush
  EQ(w.reqs, n + 1);

  wr32(&w, AA_REG_AA_FLUSH_TMO, 30);  // 26
  put(&w, LOGGED, 1, 15);
  get(&w, 4, FLUSH, 2, 0xff);
  aa_advance(w.m, 29);
  unsigned k = w.cpls;
  aa_advance(w.m, 1);
  EQ(w.cpls, k + 1);
  memcpy(dw, last_cpl(&w)->data, 8);
  CHECK(dw[0] == 32 && dw[1] == 0x80000000);
  EQ(take_err(&w), AA_ERR_FLUSH_TIMEOUT);
  EQ(cnt(&w, AA_CNT_FLUSHES_UNDONE), 1);

  get(&w, 5, FLUSH, 1, 15);  // tear-down answers it, too
  EQ(w.cpls, k + 1);
  log_close(&w, 0);
  EQ(w.cpls, k + 2);
  EQ(take_err(&w), 0);
  EQ(rd(&w, AA_REG_LOG_STS), 0);
  get(&w, 6, FLUSH, 1, 15);
  EQ(cpl_status(), TLP_UR);
  EQ(take_err(&w), AA_ERR_NO_LOG);
  end();

  closed_log(cfg);
}

static void msis(const aa_config *cfg) {
  begin(cfg, 0, 0);  // 28
  wr(&w, AA_REG_LOG_MSIA, STATUS);
  wr(&w, AA_REG_LOG_MSID, 0x41 | 200ull << 32);
  log_open(&w, 0, IUID, 8, 1 << 25 | 1 << 26 | 1 << 27 | 3ull << 32);
  for (unsigned i = 0; i < 8; i++) put(&w, LOGGED, 1, 15);  // the ring is full
  EQ(cnt(&w, AA_CNT_MSIS), 1);
  EQ(peek64(&w, STATUS), 0x41);
  EQ(peek64(&w, PTRS), 256);
  EQ(rd(&w, AA_REG_SCRATCH + 24), 256);
  consume(&w, 0, 32);  // still under the threshold: one more, not seven
  EQ(cnt(&w, AA_CNT_MSIS), 2);
  consume(&w, 0, 256);
  EQ(cnt(&w, AA_CNT_MSIS), 2);
  put(&w, LOGGED, 1, 15);
  EQ(cnt(&w, AA_CNT_MSIS), 2);
  put(&w, LOGGED, 1, 15);
  EQ(cnt(&w, AA_CNT_MSIS), 3);
  EQ(last_write(&w)->addr, STATUS);  // after the pointer
  EQ(last_write(&w)->n, 4);
  end();

  begin(cfg, 0, 0);  // by age
  wr(&w, AA_REG_LOG_MSIA, STATUS);
  wr(&w, AA_REG_LOG_MSID, 0x42);
  wr(&w, AA_REG_LOG_TIME, 100);
  log_open(&w, 0, IUID, 12, 1 << 26 | 1 << 28);
  put(&w, LOGGED, 1, 15);
  aa_advance(w.m, 60);
  put(&w, LOGGED, 1, 15);
  EQ(cnt(&w, AA_CNT_MSIS), 0);
  aa_advance(w.m, 40);
  EQ(cnt(&w, AA_CNT_MSIS), 1);
  aa_advance(w.m, 1000);
  EQ(cnt(&w, AA_CNT_MSIS), 1);
  consume(&w, 0, 64);
  aa_advance(w.m, 1000);
  EQ(cnt(&w, AA_CNT_MSIS), 1);
  unsigned tasks = 0;  // one task until it is done
  for (unsigned i = 0; i < w.recs; i++) tasks += w.rec[i].kind == AA_RET_NOTIFY && w.rec[i].code == AA_NOTE_TASK;
  EQ(tasks, 1);
  put(&w, LOGGED, 1, 15);
  EQ(aa_task_done(w.m, 0), AA_OK);
  aa_poll(w.m);
  EQ(w.rec[w.recs - 1].code, AA_NOTE_TASK);
  EQ(aa_task_done(w.m, 99), AA_E_ARG);
  end();
}

static unsigned noted(unsigned code) {
  unsigned n = 0;
  for (unsigned i = 0; i < w.recs; i++) n += w.rec[i].kind == AA_RET_NOTIFY && w.rec[i].code == code;
  return n;
}

// 45: the right byte count, and a LowerAddress that is not where it begins.
static void lower_addresses(const aa_config *cfg) {
  begin(cfg, 12, 0);
  get(&w, 5, LOGGED + 0x34, 20, 0x3e);  // 77 bytes from 35h on
  for (unsigned bit = 0; bit < 7; bit++) {
    tlp t = completion(SID, 5, TLP_SC, 77, 0x35 ^ 1u << bit, 3, NULL);
    EQ(aa_complete(w.m, &t), AA_OK);
    EQ(take_err(&w), AA_ERR_CPL_LENGTH);
  }
  EQ(w.cpls, 0);
  EQ(cnt(&w, AA_CNT_BAD_CPL), 7);
  EQ(w.writes, 0);
  tlp t = completion(SID, 5, TLP_SC, 77, 0x35, 3, NULL);
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(w.cpls, 1);
  t = completion(SID, 5, TLP_SC, 66, 0x35, 17, NULL);  // the one of the piece before
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(take_err(&w), AA_ERR_CPL_LENGTH);
  t = completion(SID, 5, TLP_SC, 66, 0x40, 17, NULL);
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(w.cpls, 2);
  EQ(prod(&w, 0), 96);
  EQ(take_err(&w), 0);
  get(&w, 6, GOOD + 0x24, 1, 0);  // zero bytes: address bits 1:0 are 0
  t = completion(SID, 6, TLP_SC, 1, 0x25, 1, NULL);
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(take_err(&w), AA_ERR_CPL_LENGTH);
  complete(&w, 6, TLP_SC, 1, 1);
  EQ(w.cpls, 3);
  send(request(TLP_FADD32, SID, 7, GOOD + 0x24, 1, 0));  // an AtomicOp's is 0
  t = completion(SID, 7, TLP_SC, 4, 0x24, 1, NULL);
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(take_err(&w), AA_ERR_CPL_LENGTH);
  complete(&w, 7, TLP_SC, 4, 1);
  EQ(w.cpls, 4);
  get(&w, 8, GOOD + 0x24, 1, 15);  // an error status ends the read whatever it says
  t = completion(SID, 8, TLP_UR, 4, 0x11, 0, NULL);
  EQ(aa_complete(w.m, &t), AA_OK);
  EQ(w.cpls, 5);
  EQ(take_err(&w), 0);
  end();
}

static void refused_status(const aa_config *cfg) {
  begin(cfg, 0, 0);  // the status word of a wait
  poke64(&w, QUEUE, 5 | 0x30 | 0xabcdull << 32);
  poke64(&w, QUEUE + 8, STATUS);
  wr(&w, AA_REG_IQA, QUEUE);
  w.bad_write = STATUS;
  wr32(&w, AA_REG_GCMD, 1u << 31 | 1u << 26);
  wr(&w, AA_REG_IQT, 1 << 4);
  EQ(rd(&w, AA_REG_IQH), 0);
  EQ(rd32(&w, AA_REG_ICS), 0);
  EQ(rd32(&w, AA_REG_FSTS) & 0xff, AA_FSTS_IQE_MASK);
  EQ(rd(&w, AA_REG_AA_ERR_STS), AA_ERR_AXI_WRITE << 8 | 5);
  EQ(rd(&w, AA_REG_AA_ERR_ADDR), STATUS);
  w.bad_write = ~0ull;
  wr32(&w, AA_REG_FSTS, AA_FSTS_IQE_MASK);  // again
  EQ(rd(&w, AA_REG_IQH), 1 << 4);
  EQ(rd32(&w, AA_REG_ICS), 1);
  EQ(peek64(&w, STATUS) & 0xffffffff, 0xabcd);
  end();
}

static void refused_pointer(const aa_config *cfg) {
  begin(cfg, 0, 0);  // 41: a pointer; nothing that was published is lost
  wr(&w, AA_REG_LOG_MSIA, STATUS);
  wr(&w, AA_REG_LOG_MSID, 0x41);
  log_open(&w, 0, IUID, 8, AA_LOG_CFG_PTR_MASK | AA_LOG_CFG_MSI_MASK);
  w.bad_write = PTRS;
  put(&w, LOGGED, 1, 15);
  put(&w, LOGGED, 1, 15);
  EQ(prod(&w, 0), 64);
  EQ(peek64(&w, PTRS), 0);
  EQ(rd(&w, AA_REG_LP_STS), AA_LP_STS_PTRERR_MASK | AA_LP_STS_EN_MASK);
  EQ(rd(&w, AA_REG_AA_ERR_STS), (uint64_t)IUID << 32 | AA_ERR_AXI_WRITE << 8 | 7);
  EQ(rd(&w, AA_REG_AA_ERR_ADDR), PTRS);
  EQ(cnt(&w, AA_CNT_MSIS), 1);  // once, though two failed
  w.bad_write = ~0ull;
  put(&w, LOGGED, 1, 15);
  EQ(peek64(&w, PTRS), 96);
  wr(&w, AA_REG_LP_STS, AA_LP_STS_PTRERR_MASK);
  EQ(rd(&w, AA_REG_LP_STS), AA_LP_STS_EN_MASK);
  w.bad_write = STATUS;  // an MSI: an error, no more
  wr(&w, AA_REG_AA_ERR_STS, 1);
  log_close(&w, 0);
  wr(&w, AA_REG_LOG_MSID, 0x41 | 256ull << 32);
  log_open(&w, 0, IUID, 8, AA_LOG_CFG_MSI_MASK);
  put(&w, LOGGED, 1, 15);
  EQ(rd(&w, AA_REG_AA_ERR_STS), (uint64_t)IUID << 32 | AA_ERR_AXI_WRITE << 8 | 5);
  EQ(rd(&w, AA_REG_LP_STS), AA_LP_STS_EN_MASK);
  EQ(prod(&w, 0), 32);
  end();

  refused_status(cfg);
}

static void refusals(const aa_config *cfg) {
  enum { EV = STATUS + 0x100 };
  begin(cfg, 0, 0);  // 40: memory refuses an entry of the second lap
  wr(&w, AA_REG_FEADDR, EV);
  wr(&w, AA_REG_FECTL, 0xfeull << 32);
  wr(&w, AA_REG_LOG_MSIA, STATUS);
  wr(&w, AA_REG_LOG_MSID, 0x41);
  log_open(&w, 0, IUID, 8, AA_LOG_CFG_PTR_MASK | AA_LOG_CFG_MSI_MASK);
  for (unsigned i = 0; i < 8; i++) put(&w, LOGGED, 1, 15);
  consume(&w, 0, 256);
  get(&w, 9, LOGGED, 1, 15);  // open when the log stops
  get(&w, 4, FLUSH, 1, 15);
  wr(&w, AA_REG_AA_FLP, FLUSH | IUID << 2 | 1);
  get(&w, 5, FLUSH, 2, 0xff);
  unsigned n = w.reqs, c = w.cpls, msis = (unsigned)cnt(&w, AA_CNT_MSIS);
  w.bad_write = RING + 32;
  put(&w, LOGGED, 1, 15);
  EQ(w.reqs, n + 1);  // the access itself goes on
  EQ(prod(&w, 0), 256);
  EQ(peek64(&w, PTRS), 256);
  EQ(rd(&w, AA_REG_LP_STS), AA_LP_STS_FAILED_MASK | AA_LP_STS_ABORTED_MASK | AA_LP_STS_EN_MASK);
  EQ(rd(&w, AA_REG_AA_ERR_STS), (uint64_t)IUID << 32 | AA_ERR_AXI_WRITE << 8 | 5);
  EQ(rd(&w, AA_REG_AA_ERR_ADDR), RING + 32);
  EQ(peek64(&w, EV) & 0xffffffff, 0xfe);  // both hear of it
  EQ(peek64(&w, STATUS) & 0xffffffff, 0x41);
  EQ(cnt(&w, AA_CNT_MSIS), msis + 1);
  EQ(noted(AA_NOTE_FAULT), 1);
  EQ(noted(AA_NOTE_AXI_ERR), 1);
  EQ(w.cpls, c + 1);  // the flush is answered, not done
  CHECK(last_cpl(&w)->src == AA_CPL_FLUSH && last_cpl(&w)->data[7] == 0x80);
  CHECK(entry_of(&w, 0, 0, 8).aborted);
  get(&w, 6, FLUSH, 2, 0xff);  // so is one that comes now
  EQ(w.cpls, c + 2);
  CHECK(last_cpl(&w)->src == AA_CPL_FLUSH && last_cpl(&w)->data[7] == 0x80);
  EQ(take_err(&w), AA_ERR_AXI_WRITE);
  w.bad_write = ~0ull;
  unsigned writes = w.writes;
  for (unsigned i = 0; i < 20; i++) put(&w, LOGGED, 1, 15);  // dropped, more than the ring holds: nobody stalls
  EQ(w.reqs, n + 21);
  EQ(w.writes, writes);
  EQ(cnt(&w, AA_CNT_DROPPED), 20);
  EQ(take_err(&w), AA_ERR_LOG_FAILED);
  EQ(prod(&w, 0), 256);
  wr(&w, AA_REG_LP_STS, ~0ull);  // it cannot be wiped away
  EQ(rd(&w, AA_REG_LP_STS), AA_LP_STS_FAILED_MASK | AA_LP_STS_EN_MASK);
  complete(&w, 9, TLP_SC, 4, 1);  // the read itself goes on
  EQ(w.writes, writes);
  log_close(&w, 0);
  EQ(rd(&w, AA_REG_LOG_STS), 0);
  EQ(rd(&w, AA_REG_LP_STS), AA_LP_STS_FAILED_MASK);
  log_open(&w, 0, IUID, 8, 0);
  EQ(rd(&w, AA_REG_LP_STS), AA_LP_STS_EN_MASK);
  put(&w, LOGGED, 1, 15);
  EQ(prod(&w, 0), 32);
  end();

  begin(cfg, 12, 0);  // a chunk of a read, then its header
  wr(&w, AA_REG_LOG_BASE + 64, RING + 0x10000);
  wr(&w, AA_REG_LOG_CFG + 64, 10 | 12 << 16 | 1ull << 63);
  map(&w, 0x50000, 0x80050000 | 3 | PTE_WL | PTE_E | PTE_IUID(10));
  get(&w, 1, LOGGED, 8, 0xff);
  w.bad_write = RING + 16;
  complete(&w, 1, TLP_SC, 32, 4);
  EQ(err_code(&w), AA_ERR_AXI_WRITE);
  CHECK(entry_of(&w, 0, 0, 12).aborted);
  complete(&w, 1, TLP_SC, 16, 4);
  EQ(prod(&w, 0), 0);
  put(&w, 0x50000, 1, 15);  // the other log goes on
  EQ(prod(&w, 1), 16);
  log_close(&w, 0);
  EQ(rd(&w, AA_REG_LOG_STS), 0);
  end();

  refused_pointer(cfg);
}

static void registers(const aa_config *cfg) {
  begin(cfg, 12, 0);  // 38
  uint64_t s = 3, v;
  for (unsigned i = 0; i < 200000; i++) {
    static const uint32_t page[] = {0, 0x1000, 0x2000, 0x3000, 0x4000, 0x10000, 0x11000, 0x20000, 0xff000};
    uint32_t addr = page[rnd(&s) % 9] + (rnd(&s) & 0xff8);
    if (rnd(&s) & 1) addr &= ~0xf00u;
    unsigned size = rnd(&s) & 1 ? 8 : 4;
    addr += size == 4 ? rnd(&s) & 4 : 0;
    uint64_t val = (uint64_t)rnd(&s) << 32 | rnd(&s);
    if (rnd(&s) & 1) val &= 0x800000001f01ffffull;
    EQ(aa_reg_write(w.m, addr, size, val), AA_OK);
    EQ(aa_reg_read(w.m, addr, size, &v), AA_OK);
    if ((i & 7) == 0) put(&w, i & 8 ? LOGGED : DENIED, 1, 15);
    if ((i & 7) == 4) {
      tlp t = request(TLP_MRD32, SID, i >> 3 & 15, LOGGED, 1, 15);
      aa_submit(w.m, 0, &t);
      t = completion(SID, i >> 3 & 15, TLP_SC, 4, 0, 1, NULL);
      aa_complete(w.m, &t);
    }
    w.recs = 0;
  }
  EQ(aa_reg_write(w.m, 2, 4, 0), AA_E_ARG);
  EQ(aa_reg_write(w.m, 0, 2, 0), AA_E_ARG);
  EQ(aa_reg_read(w.m, 0x100000, 8, &v), AA_E_ARG);
  EQ(v, 0);
  aa_advance(w.m, 1ull << 33);
  EQ(aa_advance(w.m, UINT64_MAX), AA_E_ARG);  // beyond the end of time; up to it
  EQ(aa_advance(w.m, AA_TIME_END - (1ull << 33)), AA_OK);
  EQ(aa_advance(w.m, 0), AA_OK);
  EQ(aa_advance(w.m, 1), AA_E_ARG);
  world_free(&w);
}

// A record of hardware that names what the configuration does not have is refused, and nothing is looked up there.
static void records(const aa_config *cfg) {
  for (unsigned idx = 0; idx < 256; idx++) {
    begin(cfg, 12, 0);
    EQ(aa_retire(w.m, &(aa_retire_rec){.kind = AA_RET_NOTIFY, .code = AA_NOTE_FLUSH, .idx = (uint8_t)idx}), AA_E_ORDER);
    world_free(&w);
  }
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  ids(&cfg);
  pages(&cfg);
  full_logs(&cfg);
  tables(&cfg);
  reads(&cfg);
  slots(&cfg);
  malformed(&cfg);
  flushes(&cfg);
  resets(&cfg);
  shares(&cfg);
  untouched(&cfg);
  functions(&cfg);
  msis(&cfg);
  refusals(&cfg);
  lower_addresses(&cfg);
  registers(&cfg);
  records(&cfg);
  return report();
}
