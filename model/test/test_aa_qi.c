// SPDX-License-Identifier: Apache-2.0
// Invalidation queue, fault log, events: every kind of bad descriptor, overflow and collapse, masks, byte strobes.
#include "world.h"

static world w;

static void queue_on(void) {
  wr(&w, AA_REG_IQA, QUEUE);
  wr32(&w, AA_REG_GCMD, 1u << 31 | 1u << 26);
}

static void by_register(void) {
  // by register: takes effect at once, is over when older reads are; meanwhile its registers do not change
  for (unsigned i = 0; i < 2; i++) {
    uint32_t reg = i ? AA_REG_IOTLB : AA_REG_CCMD;
    uint64_t go = i ? 1ull << 63 | 2ull << 60 | 7ull << 32 : 1ull << 63 | 2ull << 61 | 7;
    get(&w, 1, 0x1000, 1, 15);
    wr(&w, reg, go);
    EQ(rd(&w, reg), go);
    wr(&w, reg, 0);
    wr(&w, AA_REG_IVA, 0x5000);
    EQ(rd(&w, reg), go);
    complete(&w, 1, TLP_SC, 4, 1);
    EQ(rd(&w, reg), (go & ~(1ull << 63)) | (i ? 2ull << 57 : 2ull << 59));
    wr(&w, reg, 1ull << 63);  // granularity 0: nothing, at once
    EQ(rd(&w, reg), 0);
  }
  // one at a time
  get(&w, 1, 0x1000, 1, 15);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 1ull << 60);
  uint64_t done = cnt(&w, AA_CNT_INVALIDATIONS);
  wr(&w, AA_REG_CCMD, 1ull << 63 | 1ull << 61);
  EQ(cnt(&w, AA_CNT_INVALIDATIONS), done);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(cnt(&w, AA_CNT_INVALIDATIONS), done + 1);
  EQ(rd(&w, AA_REG_CCMD) >> 63 | rd(&w, AA_REG_IOTLB) >> 63, 0);
}

static void waits(void) {
  // a wait waits for the reads that are older than the invalidation before it, not for younger ones
  map(&w, 0x1000, 0x80000000 | 3);
  wr(&w, AA_REG_IQT, 0);
  queue_on();
  wr(&w, AA_REG_IQA, 0);  // not while the queue is on
  EQ(rd(&w, AA_REG_IQA), QUEUE);
  get(&w, 1, 0x1000, 1, 15);
  poke64(&w, QUEUE, 2 | 1 << 4);
  poke64(&w, QUEUE + 8, 0);
  poke64(&w, QUEUE + 16, 5 | 0x20 | 0x99ull << 32);
  poke64(&w, QUEUE + 24, STATUS + 0x10);
  wr(&w, AA_REG_IQT, 32);
  get(&w, 2, 0x1000, 1, 15);
  EQ(peek64(&w, STATUS + 0x10), 0);
  EQ(rd(&w, AA_REG_IQH), 16);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(peek64(&w, STATUS + 0x10), 0x99);
  EQ(rd(&w, AA_REG_IQH), 32);
  complete(&w, 2, TLP_SC, 4, 1);
  for (unsigned i = 2; i < 256; i++) poke64(&w, QUEUE + 16 * i, 1 | 1 << 4), poke64(&w, QUEUE + 16 * i + 8, 0);
  wr(&w, AA_REG_IQT, 255 << 4);
  wr(&w, AA_REG_IQT, 0);
  EQ(rd(&w, AA_REG_IQH), 0);
  // switched off while a wait is under way: it completes, and no longer moves the head
  get(&w, 1, 0x1000, 1, 15);
  poke64(&w, QUEUE + 16, 5 | 0x20 | 0x98ull << 32);
  wr(&w, AA_REG_IQT, 32);
  EQ(rd(&w, AA_REG_IQH), 16);
  wr32(&w, AA_REG_GCMD, 1u << 31);
  EQ(rd(&w, AA_REG_IQH), 0);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(peek64(&w, STATUS + 0x10), 0x98);
  EQ(rd(&w, AA_REG_IQH), 0);
}

static void overtaken(void) {
  // a wait whose drain is over is not held back by an invalidation by register behind it, which waited for another one
  map(&w, 0x1000, 0x80000000 | 3);
  wr(&w, AA_REG_IQT, 0);
  queue_on();
  get(&w, 1, 0x1000, 1, 15);
  wr(&w, AA_REG_IOTLB, 1ull << 63 | 1ull << 60);  // the first read is older than it
  wr(&w, AA_REG_CCMD, 1ull << 63 | 1ull << 61);   // waits for it
  get(&w, 2, 0x1000, 1, 15);
  for (unsigned i = 0; i < 2; i++) {
    poke64(&w, QUEUE + 16 * i, 5 | 0x20 | (0x51ull + i) << 32);
    poke64(&w, QUEUE + 16 * i + 8, STATUS + 0x10 + 8 * i);
    poke64(&w, STATUS + 0x10 + 8 * i, 0);
  }
  wr(&w, AA_REG_IQT, 32);
  EQ(peek64(&w, STATUS + 0x10), 0);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(peek64(&w, STATUS + 0x10), 0x51);
  EQ(peek64(&w, STATUS + 0x18), 0x52);
  EQ(rd(&w, AA_REG_IQH), 32);
  EQ(rd(&w, AA_REG_CCMD) >> 63, 1);  // the second read is older than that one
  complete(&w, 2, TLP_SC, 4, 1);
  EQ(rd(&w, AA_REG_CCMD) >> 63, 0);
  wr32(&w, AA_REG_GCMD, 1u << 31);
}

static void odd_tails(unsigned at) {
  // a tail beyond the queue; a read error; both leave the head
  wr(&w, AA_REG_IQT, 256 << 4);
  EQ(rd32(&w, AA_REG_FSTS), 1 << 4);
  wr(&w, AA_REG_IQT, at << 4);
  wr32(&w, AA_REG_FSTS, 1 << 4);
  w.bad = QUEUE + 16 * at;
  wr(&w, AA_REG_IQT, (at + 1) << 4);
  EQ(rd32(&w, AA_REG_FSTS), 1 << 4);
  EQ(rd(&w, AA_REG_IQH) >> 4, at);
  w.bad = ~0ull;

  // switched off: the head is 0; on again
  wr32(&w, AA_REG_GCMD, 1u << 31);
  EQ(rd(&w, AA_REG_IQH), 0);
  EQ(rd32(&w, AA_REG_GSTS), 3u << 30);
  wr32(&w, AA_REG_FSTS, 1 << 4);
}

static void descriptors(const aa_config *cfg) {
  struct {
    uint64_t lo, hi;
    bool good;
  } c[] = {
      {0, 0, 0},
      {3, 0, 0},
      {4, 0, 0},
      {6, 0, 0},
      {15, 0, 0},
      {1 | 1 << 4, 0, 1},
      {1 | 2 << 4 | 7 << 16, 0, 1},
      {1 | 3 << 4 | 7 << 16 | 0x113ull << 32 | 3ull << 48, 0, 1},
      {1, 0, 0},
      {1 | 1 << 4, 1, 0},
      {1 | 1 << 4 | 1 << 6, 0, 0},
      {1 | 1 << 4 | 1ull << 50, 0, 0},
      {2 | 1 << 4 | 1 << 6 | 1 << 7, 0, 1},
      {2 | 3 << 4 | 7 << 16, 0x123456789000 | 1 << 6 | 18, 1},
      {2 | 3 << 4 | 7 << 16, 63, 1},
      {2, 0, 0},
      {2 | 1 << 4 | 1 << 8, 0, 0},
      {2 | 1 << 4 | 1ull << 32, 0, 0},
      {2 | 1 << 4, 1 << 7, 0},
      {5 | 1 << 4, 0, 1},
      {5 | 1 << 5 | 5ull << 32, STATUS, 1},
      {5 | 1 << 5 | 1 << 6 | 6ull << 32, STATUS, 1},
      {5, STATUS, 0},
      {5 | 1 << 6, STATUS, 0},
      {5 | 1 << 5 | 1 << 7, STATUS, 0},
      {5 | 1 << 5, STATUS + 1, 0},
      {5 | 1 << 5, STATUS + 2, 0},
  };
  world_init(&w, cfg);
  world_on(&w);
  wr(&w, AA_REG_FECTL, 0x77ull << 32);
  wr(&w, AA_REG_FEADDR, STATUS + 0x100);
  queue_on();
  unsigned at = 0, inval = 0;
  for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++) {
    unsigned next = (at + 1) & 255, n = w.writes;
    poke64(&w, QUEUE + 16 * at, c[i].lo);
    poke64(&w, QUEUE + 16 * at + 8, c[i].hi);
    wr(&w, AA_REG_IQT, next << 4);
    EQ(rd(&w, AA_REG_IQH) >> 4, c[i].good ? next : at);
    EQ(rd32(&w, AA_REG_FSTS), c[i].good ? 0 : 1 << 4);
    if (!c[i].good) {
      EQ(w.writes, n + 1);  // the fault event
      EQ(last_write(&w)->addr, STATUS + 0x100);
      wr(&w, AA_REG_IQT, at << 4);  // software takes it back, and clears the error
      wr32(&w, AA_REG_FSTS, 1 << 4);
      next = at;
    } else {
      inval += (c[i].lo & 15) != 5;
    }
    EQ(rd32(&w, AA_REG_FSTS), 0);
    at = next;
  }
  EQ(cnt(&w, AA_CNT_INVALIDATIONS), inval);
  EQ(peek64(&w, STATUS), 6);
  EQ(rd32(&w, AA_REG_ICS), 1);

  odd_tails(at);

  waits();

  by_register();
  overtaken();
  world_free(&w);
}

static void fault(unsigned sid, uint64_t iova) {
  tlp t = request(TLP_MWR32, sid, 0, iova, 1, 15);
  EQ(aa_submit(w.m, 0, &t), AA_OK);
}

static void faults(const aa_config *cfg) {
  world_init(&w, cfg);
  world_on(&w);
  wr(&w, AA_REG_FEADDR, STATUS | 3);
  EQ(rd(&w, AA_REG_FEADDR), STATUS);
  wr32(&w, AA_REG_FEDATA, 0x1234);
  EQ(rd(&w, AA_REG_FECTL), 0x123480000000);
  fault(0x0500, 0x123456789abc);
  EQ(rd32(&w, AA_REG_FECTL), 3u << 30);  // pending behind the mask
  EQ(rd(&w, AA_REG_FRCDL), 0x123456789000);
  EQ(rd32(&w, AA_REG_FSTS), 2);
  fault(0x0500, 0x1000);  // collapses
  EQ(cnt(&w, AA_CNT_STOCK), 1);
  EQ(cnt(&w, AA_CNT_STOCK_LOST), 1);
  unsigned n = w.writes;
  wr32(&w, AA_REG_FECTL, 0);  // unmasked: sent
  EQ(w.writes, n + 1);
  EQ(peek64(&w, STATUS), 0x1234);
  EQ(rd32(&w, AA_REG_FECTL), 0);
  for (unsigned i = 1; i < 8; i++) fault(0x0500 + i, 0x1000);
  EQ(w.writes, n + 1);  // no new event while PPF is set
  EQ(rd32(&w, AA_REG_FSTS), 2);
  fault(0x0600, 0x1000);  // the ring is full
  EQ(rd32(&w, AA_REG_FSTS), 3);
  fault(0x0700, 0x1000);
  EQ(cnt(&w, AA_CNT_STOCK_LOST), 3);
  wr(&w, AA_REG_FRCDH, 1ull << 63);
  fault(0x0800, 0x1000);  // still PFO
  EQ(rd(&w, AA_REG_FRCDH) >> 63, 0);
  wr32(&w, AA_REG_FSTS, 1);
  fault(0x0800, 0x1000);
  EQ(rd(&w, AA_REG_FRCDH), 1ull << 63 | 1ull << 32 | 0x0800);
  EQ(rd32(&w, AA_REG_FSTS), 2);
  // clearing all under a mask makes a pending event fall
  take_fault(&w);
  wr32(&w, AA_REG_FECTL, 1u << 31);
  fault(0x0900, 0x1000);
  EQ(rd32(&w, AA_REG_FSTS), 2 | 1 << 8);  // first pending record is the second
  EQ(rd32(&w, AA_REG_FECTL), 3u << 30);
  wr(&w, AA_REG_FRCDH + 16, 1ull << 63);
  EQ(rd32(&w, AA_REG_FECTL), 1u << 31);
  // clearing TES starts again at record 0
  wr32(&w, AA_REG_GCMD, 0);
  wr32(&w, AA_REG_GCMD, 1u << 31);
  fault(0x0a00, 0x1000);
  EQ(rd32(&w, AA_REG_FSTS), 2);

  // the first error stays until it is cleared
  aa_reg_write(w.m, AA_REG_AA_ERR_STS, 8, ~1ull);
  put(&w, 0x2001ffc, 2, 0xff);
  EQ(err_code(&w), AA_ERR_CROSS4K);
  put(&w, 0x1000, 2, 0x0f);
  EQ(rd(&w, AA_REG_AA_ERR_STS), (uint64_t)SID << 16 | AA_ERR_CROSS4K << 8 | 3);
  EQ(rd(&w, AA_REG_AA_ERR_ADDR), 0x2001ffc);
  wr(&w, AA_REG_AA_ERR_STS, 1);
  EQ(rd(&w, AA_REG_AA_ERR_STS) | rd(&w, AA_REG_AA_ERR_ADDR), 0);
  // an error response to a write of our own
  log_open(&w, 0, 5, 12, 0);
  map(&w, 0x5000, 0x80000000 | 3 | PTE_WL | PTE_E | PTE_IUID(5));
  w.bad_write = RING;
  put(&w, 0x5000, 1, 15);
  EQ(rd(&w, AA_REG_AA_ERR_STS), 5ull << 32 | AA_ERR_AXI_WRITE << 8 | 5);
  EQ(rd(&w, AA_REG_AA_ERR_ADDR), RING);
  EQ(take_err(&w), AA_ERR_AXI_WRITE);
  EQ(prod(&w, 0), 0);
  world_free(&w);
}

static void early(const aa_config *cfg) {
  // a log that closes cannot be opened, and a flush not be answered before its time: only lockstep can see that
  world_init(&w, cfg);
  world_on(&w);
  log_open(&w, 0, 5, 12, 0);
  map(&w, 0x5000, 0x80000000 | 3 | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(5));
  map(&w, 0x6000, 0x80000000 | 3 | PTE_E | PTE_IUID(5));
  wr(&w, AA_REG_AA_FLP, 0x6000 | 5 << 2 | 1);
  get(&w, 1, 0x5000, 1, 15);
  get(&w, 2, 0x6000, 1, 15);
  wr(&w, AA_REG_AA_FLUSH_TMO, 0);
  aa_retire_rec early = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_FLUSH};
  EQ(aa_retire(w.m, &early), AA_E_ORDER);
  early.flag = true;
  EQ(aa_retire(w.m, &early), AA_E_ORDER);
  aa_retire_rec off = {.kind = AA_RET_REG_WRITE, .a = AA_REG_LOG_CFG, .b = 0, .idx = 0x80};
  aa_retire_rec on = {.kind = AA_RET_REG_WRITE, .a = AA_REG_LOG_CFG, .b = 1ull << 63, .idx = 0x80};
  EQ(aa_retire(w.m, &off), AA_OK);
  EQ(rd(&w, AA_REG_LOG_STS), 3);
  EQ(aa_retire(w.m, &on), AA_OK);
  EQ(rd(&w, AA_REG_LOG_STS), 8 << 4 | 3);
  aa_retire_rec done = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_LOG_OFF};
  EQ(aa_retire(w.m, &done), AA_E_ORDER);
  aa_poll(w.m);
  EQ(rd(&w, AA_REG_LOG_STS), 8 << 4);
  world_free(&w);
}

static void strobes(const aa_config *cfg) {
  world_init(&w, cfg);
  static const struct {
    uint32_t addr;
    uint64_t mask;  // bits that can be written
  } r[] = {
      {AA_REG_RTADDR, ~0xfffull},
      {AA_REG_FECTL, 0xffffffff80000000},
      {AA_REG_FEADDR, ~3ull},
      {AA_REG_IQA, ~0xff8ull},
      {AA_REG_IECTL, 0xffffffff80000000},
      {AA_REG_IEADDR, ~3ull},
      {AA_REG_AA_CTL, 0x771},
      {AA_REG_AA_CPL_TMO, 0xffffffff},
      {AA_REG_AA_WDOG, 0xffffffff},
      {AA_REG_AA_FLUSH_TMO, 0xffffffff},
      {AA_REG_AA_PORT, 0x80000000ffffffff},
      {AA_REG_AA_RESET, 0xffff},
      {AA_REG_AA_FLP + 24, ~2ull},
      {AA_REG_LOG_BASE + 64, ~0ull},
      {AA_REG_LOG_CFG + 64, 0x3f1f1f03ff},
      {AA_REG_LOG_PTR, ~0ull},
      {AA_REG_LOG_MSIA, ~0ull},
      {AA_REG_LOG_MSID, ~0ull},
      {AA_REG_LOG_TIME, 0xffffffff},
      {AA_REG_AA_PORT + 8, 0},
      {AA_REG_AA_FLP + 32, 0},
      {AA_REG_LOG_BASE + 64 * 8, 0},
      {AA_REG_SCRATCH, 0},
      {AA_REG_CNT, 0},
      {0xc8, 0},
      {AA_REG_LP_PROD + 4096, 0},
      {AA_REG_LP_PROD + 4096 * 8, 0},
      {AA_REG_LP_PROD + 0x20, 0},
      {AA_REG_LOG_BASE + 0x38, 0},
      {0x5000, 0},
      {AA_REG_IVA, 0},
  };
  uint64_t s = 17;
  for (unsigned i = 0; i < sizeof r / sizeof r[0]; i++) {
    uint64_t fixed = rd(&w, r[i].addr) & ~r[i].mask, want = rd(&w, r[i].addr);
    for (unsigned k = 0; k < 64; k++) {
      uint64_t v = (uint64_t)rnd(&s) << 32 | rnd(&s), m = 0;
      if (r[i].addr == AA_REG_LOG_CFG + 64 || r[i].addr == AA_REG_AA_RESET) v &= ~(1ull << 63);
      unsigned strb = rnd(&s) & 255;
      for (unsigned b = 0; b < 8; b++) m |= strb >> b & 1 ? 0xffull << 8 * b : 0;
      aa_retire_rec rec = {.kind = AA_RET_REG_WRITE, .a = r[i].addr, .b = v, .idx = (uint8_t)strb};
      EQ(aa_retire(w.m, &rec), AA_OK);
      want = (((want & ~m) | (v & m)) & r[i].mask) | fixed;
      EQ(rd(&w, r[i].addr), want);
    }
  }
  EQ(rd(&w, AA_REG_CAP), 0x00d2078c226f0406);
  EQ(rd(&w, AA_REG_ECAP), 0xf43);
  EQ(rd(&w, AA_REG_AA_ID), 0x0001434f53434f54);
  EQ(rd(&w, AA_REG_AA_CAP), 1ull << 56 | 16ull << 48 | 8ull << 40 | 4ull << 32 | 32 << 16 | 16 << 8 | 8);
  world_free(&w);

  early(cfg);
}

// A queue of 512: what is between head and tail is done, wherever both are, also over the end; and no descriptor more.
static void long_queue(const aa_config *cfg) {
  static const unsigned tail[] = {1, 256, 257, 256, 1, 511, 0, 510, 2};
  enum { SIZE = 512 };
  unsigned head = 0;
  uint64_t done = 0;
  world_init(&w, cfg);
  world_on(&w);
  wr(&w, AA_REG_IQA, QUEUE | 1);
  wr32(&w, AA_REG_GCMD, 1u << 31 | 1u << 26);
  for (unsigned i = 0; i < SIZE; i++) poke64(&w, QUEUE + 16 * i, 1 | 1 << 4), poke64(&w, QUEUE + 16 * i + 8, 0);
  for (unsigned i = 0; i < sizeof tail / sizeof *tail; i++) {
    unsigned reads = w.reads;
    wr(&w, AA_REG_IQT, tail[i] << 4);
    EQ(rd(&w, AA_REG_IQH) >> 4, tail[i]);
    EQ(w.reads - reads, (tail[i] - head) & (SIZE - 1));
    done += (tail[i] - head) & (SIZE - 1);
    EQ(cnt(&w, AA_CNT_INVALIDATIONS), done);
    head = tail[i];
  }
  EQ(rd32(&w, AA_REG_FSTS), 0);
  world_free(&w);
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  descriptors(&cfg);
  faults(&cfg);
  strobes(&cfg);
  long_queue(&cfg);
  return report();
}
