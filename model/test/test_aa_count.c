// SPDX-License-Identifier: Apache-2.0
// The counters of events, by number: of each thing that is counted, how far each counter goes, and that no other moves.
// What they count stands in rtl/aa/REGISTERS.md. Rules of rtl/aa/README.md: CNT-1, DEC-14, LOG-3, LOG-5, TAG-6, TAG-10.
#include "world.h"

enum { PAGES = 0x10000, WHOLE = 0xff, ONE = 0x0f };
// Pages of PAGES: what is done there.
enum { PLAIN, DENIED, LOGGED, REDIRECT, READ_LOG, STOCK, NO_LOG, FLUSH, NONE };
static uint64_t page(unsigned i) { return PAGES + 0x1000ull * i; }

typedef struct step {
  unsigned index, by;
} step;

static world w;
static uint64_t before[AA_CNT_NUM];

static bool short_way;  // the model has one where nobody asks for records

static void fresh(const aa_config *cfg) {
  static const aa_ops quiet = {world_read, world_write, world_req, world_cpl, NULL};
  static const uint64_t pte[] = {
      [PLAIN] = PTE_R | PTE_W,
      [DENIED] = PTE_R,
      [LOGGED] = PTE_R | PTE_W | PTE_WL | PTE_E | PTE_IUID(5),
      [REDIRECT] = PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(5),
      [READ_LOG] = PTE_R | PTE_W | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(5),
      [STOCK] = PTE_R | PTE_W | PTE_WL,
      [NO_LOG] = PTE_R | PTE_W | PTE_WL | PTE_E | PTE_IUID(6),
      [FLUSH] = PTE_R | PTE_E | PTE_IUID(5),
  };
  world_init(&w, cfg);
  if (short_way) {
    aa_free(w.m);
    if (aa_new(cfg, &quiet, &w, &w.m) != AA_OK) exit(2);
  }
  for (unsigned i = 0; i < sizeof pte / sizeof *pte; i++) map(&w, page(i), 0x40000 + 0x1000ull * i + pte[i]);
  world_on(&w);
  log_open(&w, 0, 5, 8, AA_LOG_CFG_DROP_MASK);
  wr(&w, AA_REG_AA_FLP, page(FLUSH) | 5 << 2 | 1);
  for (unsigned i = 0; i <= NONE; i++)
    put(&w, page(i), 1, ONE);  // fills the caches; one entry of 16 and one of 32 bytes
  consume(&w, 0, prod(&w, 0));
  take_fault(&w);
  take_err(&w);
}

static void mark(void) {
  for (unsigned i = 0; i < AA_CNT_NUM; i++) before[i] = cnt(&w, i);
}

// What has been counted since mark: these, and nothing else.
static void counted(const char *what, const step *s, unsigned n) {
  for (unsigned i = 0; i < AA_CNT_NUM; i++) {
    uint64_t want = 0, got = cnt(&w, i) - before[i];
    for (unsigned k = 0; k < n; k++) want += s[k].index == i ? s[k].by : 0;
    EQ(got, want);
    if (got != want) printf("  %s: counter %u\n", what, i);
  }
  mark();
}
#define COUNTED(what, ...) \
  counted(what, (const step[]){__VA_ARGS__}, sizeof((const step[]){__VA_ARGS__}) / sizeof(step))

#define NOTHING \
  { AA_CNT_REQUESTS, 0 }
#define WRITE_HITS \
  {AA_CNT_REQUESTS, 1}, {AA_CNT_WRITES, 1}, { AA_CNT_HITS, 1 }
#define READ_HITS \
  {AA_CNT_REQUESTS, 1}, {AA_CNT_READS, 1}, { AA_CNT_HITS, 1 }
#define ENTRY(bytes) \
  {AA_CNT_RESERVED, 1}, {AA_CNT_RESERVED_BYTES, bytes}, {AA_CNT_PUBLISHED, 1}, { AA_CNT_PUBLISHED_BYTES, bytes }

static void requests(const aa_config *cfg) {
  fresh(cfg);
  mark();
  put(&w, page(PLAIN), 1, ONE);
  COUNTED("a write", WRITE_HITS);
  get(&w, 1, page(PLAIN), 1, ONE);
  COUNTED("a read", READ_HITS);
  get(&w, 1, page(PLAIN), 1, ONE);
  COUNTED("a live tag", READ_HITS, {AA_CNT_TAG_LIVE, 1});
  complete(&w, 1, TLP_SC, 4, 1);
  COUNTED("a completion", NOTHING);
  tlp a = request(TLP_FADD32, SID, 2, page(PLAIN), 1, ONE);
  EQ(aa_submit(w.m, 0, &a), AA_OK);
  COUNTED("an atomic", {AA_CNT_REQUESTS, 1}, {AA_CNT_ATOMICS, 1}, {AA_CNT_HITS, 1});
  complete(&w, 2, TLP_SC, 4, 1);
  tlp m = request(TLP_MSGD, SID, 0, 0, 1, ONE);
  EQ(aa_submit(w.m, 0, &m), AA_OK);
  COUNTED("a message", {AA_CNT_REQUESTS, 1}, {AA_CNT_PASSED, 1});
  put(&w, page(PLAIN) + 0xffc, 2, WHOLE);
  COUNTED("a malformed write", {AA_CNT_REQUESTS, 1}, {AA_CNT_WRITES, 1}, {AA_CNT_MALFORMED, 1});
  put(&w, page(DENIED), 1, ONE);
  COUNTED("a denied write", WRITE_HITS, {AA_CNT_DENIED, 1}, {AA_CNT_STOCK, 1});
  put(&w, page(DENIED), 1, ONE);
  COUNTED("its fault again", WRITE_HITS, {AA_CNT_DENIED, 1}, {AA_CNT_STOCK_LOST, 1});
  take_fault(&w);
  put(&w, page(STOCK), 1, ONE);
  COUNTED("a stock record", WRITE_HITS, {AA_CNT_STOCK, 1});
  take_fault(&w);
  put(&w, page(NONE), 1, ONE);
  COUNTED("no page", {AA_CNT_REQUESTS, 1}, {AA_CNT_WRITES, 1}, {AA_CNT_WALKS_BEGUN, 1}, {AA_CNT_WALKS_ENDED, 1},
          {AA_CNT_WALK_FAULTS, 1}, {AA_CNT_STOCK, 1});
  wr(&w, AA_REG_AA_PORT, AA_AA_PORT_EN_MASK | 0xffffull << AA_AA_PORT_MASK_LSB | (SID + 1));
  put(&w, page(PLAIN), 1, ONE);
  COUNTED("another requester", WRITE_HITS, {AA_CNT_PORT_FILTER, 1});
  wr(&w, AA_REG_AA_PORT, 0);
  a = request(TLP_MWR32, SID, 0, page(PLAIN), 1, ONE);
  a.hdr[0] |= 0x4000u;  // EP
  EQ(aa_submit(w.m, 0, &a), AA_OK);
  COUNTED("a poisoned write", WRITE_HITS, {AA_CNT_POISONED, 1});
  invalidate_all(&w);
  COUNTED("two invalidations", {AA_CNT_INVALIDATIONS, 2});
  put(&w, page(PLAIN), 1, ONE);
  COUNTED("context and page are read", {AA_CNT_REQUESTS, 1}, {AA_CNT_WRITES, 1}, {AA_CNT_WALKS_BEGUN, 1},
          {AA_CNT_WALKS_ENDED, 1}, {AA_CNT_TLB_FILLS, 1}, {AA_CNT_CTX_FILLS, 1});
  world_free(&w);
}

static void records(const aa_config *cfg) {
  fresh(cfg);
  mark();
  put(&w, page(LOGGED), 1, ONE);
  COUNTED("a record", WRITE_HITS, ENTRY(16));
  put(&w, page(REDIRECT), 2, WHOLE);
  COUNTED("a record in the place of a write", WRITE_HITS, ENTRY(32), {AA_CNT_DENIED, 1});
  put(&w, page(NO_LOG), 1, ONE);
  COUNTED("no log", WRITE_HITS, {AA_CNT_NO_LOG, 1});
  put(&w, page(REDIRECT), 61, WHOLE);  // with its header 272 bytes, more than the ring
  COUNTED("what never fits", WRITE_HITS, {AA_CNT_DENIED, 1}, {AA_CNT_DROPPED, 1});
  consume(&w, 0, prod(&w, 0));
  while (prod(&w, 0) % 256 != 240) {
    put(&w, page(LOGGED), 1, ONE);
    consume(&w, 0, prod(&w, 0));
  }
  mark();
  put(&w, page(REDIRECT), 2, WHOLE);
  COUNTED("a pad", WRITE_HITS, {AA_CNT_DENIED, 1}, {AA_CNT_RESERVED, 1}, {AA_CNT_RESERVED_BYTES, 32},
          {AA_CNT_PUBLISHED, 1}, {AA_CNT_PUBLISHED_BYTES, 48}, {AA_CNT_PADS, 1});
  put(&w, page(REDIRECT), 49, WHOLE);  // 224 bytes, of 208 that are free
  COUNTED("no space, and the log drops", WRITE_HITS, {AA_CNT_DENIED, 1}, {AA_CNT_DROPPED, 1});
  consume(&w, 0, prod(&w, 0));
  get(&w, 1, page(READ_LOG), 4, WHOLE);
  COUNTED("a logged read", READ_HITS, {AA_CNT_RESERVED, 1}, {AA_CNT_RESERVED_BYTES, 32});
  complete(&w, 1, TLP_SC, 16, 4);
  COUNTED("its data", {AA_CNT_PUBLISHED, 1}, {AA_CNT_PUBLISHED_BYTES, 32});
  get(&w, 1, page(READ_LOG), 4, WHOLE);
  mark();
  complete(&w, 1, TLP_UR, 16, 0);
  COUNTED("none", {AA_CNT_PUBLISHED, 1}, {AA_CNT_PUBLISHED_BYTES, 32}, {AA_CNT_ABORTED, 1});
  world_free(&w);
}

static void ends(const aa_config *cfg) {
  fresh(cfg);
  wr(&w, AA_REG_AA_CPL_TMO, 100);
  mark();
  complete(&w, 1, TLP_SC, 4, 1);
  COUNTED("a stray completion", {AA_CNT_BAD_CPL, 1});
  // two plain reads and a logged one are given up; one comes late, two never
  for (unsigned i = 1; i <= 2; i++) get(&w, i, page(PLAIN), 1, ONE);
  get(&w, 3, page(READ_LOG), 4, WHOLE);
  mark();
  EQ(aa_advance(w.m, 99), AA_OK);
  COUNTED("not yet", NOTHING);
  EQ(aa_advance(w.m, 1), AA_OK);
  COUNTED("three time-outs", {AA_CNT_CPL_TIMEOUTS, 3}, {AA_CNT_ABORTED, 1}, {AA_CNT_PUBLISHED, 1},
          {AA_CNT_PUBLISHED_BYTES, 32});
  complete(&w, 2, TLP_SC, 4, 1);
  COUNTED("late", {AA_CNT_BAD_CPL, 1}, {AA_CNT_LATE, 1});
  EQ(aa_advance(w.m, 100), AA_OK);
  COUNTED("two never come", {AA_CNT_OVER, 2});
  // flushes: of what is unread now
  put(&w, page(LOGGED), 1, ONE);
  wr(&w, AA_REG_AA_FLUSH_TMO, 50);
  mark();
  get(&w, 1, page(FLUSH), 1, ONE);
  get(&w, 2, page(FLUSH), 1, ONE);
  COUNTED("two flushes", {AA_CNT_REQUESTS, 2}, {AA_CNT_READS, 2}, {AA_CNT_HITS, 2}, {AA_CNT_FLUSHES, 2});
  EQ(aa_advance(w.m, 50), AA_OK);
  COUNTED("not done", {AA_CNT_FLUSHES_UNDONE, 2});
  get(&w, 1, page(FLUSH), 1, ONE);
  mark();
  consume(&w, 0, prod(&w, 0));
  COUNTED("done", NOTHING);
  world_free(&w);
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  for (unsigned i = 0; i < 2; i++) {
    short_way = i;
    requests(&cfg);
    records(&cfg);
    ends(&cfg);
  }
  return report();
}
