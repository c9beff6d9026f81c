// SPDX-License-Identifier: Apache-2.0
// Rules of the IOMMU's model that random traffic does not tell apart: each by the one record, register write or state
// in which it makes a difference.
// Rules of rtl/aa/README.md: XLT-24, ERR-3, INV-3, INV-4, LOG-8, NTF-3, FLU-4, RST-1, RST-5, RST-6, STR-9.
#include "../src/aa/aa_state.h"
#include "tocsin/aa_qi.h"
#include "world.h"

static world w;

static void fresh(const aa_config *cfg) {
  world_init(&w, cfg);
  world_on(&w);
}

// ---- invalidations --------------------------------------------------------------------------------------------------

static void descriptors(void) {
  static const struct {
    uint64_t lo, hi;
    aa_inval want;
  } d[] = {
      {1 | 3 << 4 | 0x1234ull << 16 | 0x5678ull << 32 | 2ull << 48,
       0,
       {.ctx = true, .gran = 3, .did = 0x1234, .sid = 0x5678, .fm = 2}},
      {1 | 2 << 4 | 0x8001ull << 16, 0, {.ctx = true, .gran = 2, .did = 0x8001}},
      {2 | 3 << 4 | 9 << 16,
       0x123456789000 | 1 << 6 | 17,
       {.gran = 3, .did = 9, .am = 17, .ih = true, .addr = 0x123456789000}},
      {2 | 1 << 4, 63, {.gran = 1, .am = 63}},
  };
  for (unsigned i = 0; i < sizeof d / sizeof *d; i++) {
    aa_inval v;
    EQ(aa_qi_decode(d[i].lo, d[i].hi, &v), AA_QI_INVAL);
    EQ(v.ctx, d[i].want.ctx);
    EQ(v.gran, d[i].want.gran);
    EQ(v.did, d[i].want.did);
    EQ(v.sid, d[i].want.sid);
    EQ(v.fm, d[i].want.fm);
    EQ(v.am, d[i].want.am);
    EQ(v.ih, d[i].want.ih);
    EQ(v.addr, d[i].want.addr);
  }
}

// The oldest request of a lane holds up the next invalidation; for sure if it was translated, or walked for.
static void oldest(const aa_config *cfg) {
  for (unsigned how = 0; how < 3; how++) {
    fresh(cfg);
    tlp t = request(TLP_MWR32, SID, 0, 0x10000, 1, 15);
    EQ(aa_dev_tlp(w.m, 0, &t, false), AA_OK);
    aa_queue *l = &w.m->lane[0];
    EQ(l->tail - l->head, 1);
    if (how == 1) aa_queue_at(l, l->head)->walked = true;
    if (how == 2) l->xl++;
    aa_forget(w.m);
    EQ(l->xl, l->head);
    EQ(aa_inval_waits(w.m, false), 1);
    EQ(aa_inval_waits(w.m, true), how ? 1 : 0);
    world_free(&w);
  }
}

// A wait without a status write has none that fails.
static void wait_fails(const aa_config *cfg) {
  for (unsigned status = 0; status < 2; status++) {
    fresh(cfg);
    w.m->qi.waiting = true;
    w.m->qi.wait[0] = status ? 0x20 : 0x10;
    w.m->qi.wait[1] = STATUS;
    aa_retire_rec r = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_WAIT, .flag = true};
    EQ(aa_retire(w.m, &r), status ? AA_OK : AA_E_ORDER);
    world_free(&w);
  }
}

// ---- logs -----------------------------------------------------------------------------------------------------------

// A log that was set up is on when EN is written, and not before.
static void on(const aa_config *cfg) {
  fresh(cfg);
  map(&w, 0x11000, 0x41000 | PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(5));
  wr(&w, AA_REG_LOG_BASE, RING);
  wr(&w, AA_REG_LOG_CFG, 5 | 8 << 16);
  EQ(rd(&w, AA_REG_LOG_CFG), 5 | 8 << 16);
  EQ(rd(&w, AA_REG_LOG_STS), 0);
  wr32(&w, AA_REG_LOG_CFG, 5 | 9 << 16);  // half a word: EN is not in it
  EQ(rd(&w, AA_REG_LOG_STS), 0);
  put(&w, 0x11000, 1, 15);
  EQ(take_err(&w), AA_ERR_NO_LOG);
  EQ(rsvd(&w, 0), 0);
  wr(&w, AA_REG_LOG_CFG, 5 | 8 << 16 | 1ull << 63);
  put(&w, 0x11000, 1, 15);
  EQ(rsvd(&w, 0), 32);
  world_free(&w);
}

// NTF-3 of an empty log, and of one whose pointer in memory is behind its consumer.
static void free_space(void) {
  aa_log g = {.en = true, .cfg = AA_LOG_CFG_MSI_MASK, .armed = true, .size = 4096};
  g.msid = 4097ull << AA_LOG_MSID_FREE_LSB;
  CHECK(aa_notify_msi(&g, 0));
  g.msid = 4096ull << AA_LOG_MSID_FREE_LSB;
  CHECK(!aa_notify_msi(&g, 0));
  g.prod = 32;
  CHECK(aa_notify_msi(&g, 0));
  g.armed = false;
  CHECK(!aa_notify_msi(&g, 0));
  g.armed = true;
  g.cfg |= AA_LOG_CFG_PTR_MASK;
  g.cons = 32;
  CHECK(!aa_notify_msi(&g, 0));
  g.ptr_value = 64;
  CHECK(aa_notify_msi(&g, 0));
}

// A flush may end for AA_RESET in the cycle of the write: that of this requester, of no other.
static void flush_of(const aa_config *cfg) {
  for (unsigned other = 0; other < 2; other++) {
    fresh(cfg);
    map(&w, 0x5000, 0x80000000 | 3 | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(5));
    map(&w, 0x6000, 0x80000000 | 3 | PTE_E | PTE_IUID(5));
    log_open(&w, 0, 5, 12, 0);
    wr(&w, AA_REG_AA_FLP, 0x6000 | 5 << 2 | 1);
    get(&w, 1, 0x5000, 1, 15);
    get(&w, 2, 0x6000, 1, 15);
    CHECK(w.m->flush.waiter[0].live);
    w.m->fn_go = true;
    w.m->fn_rid = (uint16_t)(SID + other);
    aa_retire_rec r = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_FLUSH, .flag = true, .slot = 1};
    EQ(aa_retire(w.m, &r), other ? AA_E_MISMATCH : AA_OK);
    world_free(&w);
  }
}

// AA_RESET has to end the flushes that its requester has under way, and no others.
static void reset_of(const aa_config *cfg) {
  fresh(cfg);
  aa_waiter *f = w.m->flush.waiter;
  f[0].live = f[1].live = true;
  f[0].hdr[1] = f[2].hdr[1] = SID << 16;
  f[1].hdr[1] = (SID + 1) << 16;
  w.m->fn_rid = SID;
  aa_reset_begin(w.m);
  EQ(f[0].must, true);
  EQ(f[1].must, false);
  EQ(f[2].must, false);
  CHECK(!aa_reset_over(w.m));
  f[0].live = false;
  CHECK(aa_reset_over(w.m));
  f[1].live = false;
  world_free(&w);
}

// RST-6: it is over when all that was in the non-posted lanes is decided, of whatever requester, and its reads have
// ended or been given up. What comes later does not hold it up.
static void reset_ends(aa_config cfg) {
  cfg.NumPorts = AA_PORTS_MAX;
  for (unsigned port = 0; port < AA_PORTS_MAX; port++) {
    fresh(&cfg);
    tlp t = request(TLP_MRD32, SID + 8, 0, 0x10000, 1, 15), p = request(TLP_MWR32, SID, 0, 0x10000, 1, 15);
    for (unsigned i = 0; i < 3; i++) EQ(aa_dev_tlp(w.m, port, i < 2 ? &t : &p, false), AA_OK);
    w.m->fn_rid = SID;
    aa_reset_begin(w.m);
    EQ(w.m->fn_go, true);
    EQ(aa_dev_tlp(w.m, port, &t, false), AA_OK);
    for (unsigned i = 0; i < 3; i++, w.m->lane[2 * port + 1].head++) EQ(aa_reset_over(w.m), i == 2);
    EQ(aa_reset_over(w.m), true);
    world_free(&w);
  }
  fresh(&cfg);
  aa_tag *g = w.m->tags.tag;
  for (unsigned i = 0; i < 3; i++) aa_tag_take(&w.m->tags, i, aa_tag_key(i ? SID : SID + 8, i), 0);
  w.m->fn_rid = SID;
  aa_reset_begin(w.m);
  for (unsigned i = 0; i < 4; i++) EQ(g[i].must, i == 1 || i == 2);
  EQ(aa_reset_over(w.m), false);
  aa_tag_kill(&w.m->tags, 1);
  EQ(aa_reset_over(w.m), false);
  aa_tag_release(&w.m->tags, 2);
  EQ(aa_reset_over(w.m), true);
  world_free(&w);
}

// ERR-3: when a write of data into a log fails, its open gets are aborted and its flushes answered "not done" at once;
// another log and its flush go on.
static void stopped(const aa_config *cfg) {
  fresh(cfg);
  for (unsigned n = 0; n < 2; n++) {
    map(&w, 0x5000 + 0x10000 * n, 0x40000000 | 1 | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(5 + n));
    map(&w, 0x6000 + 0x10000 * n, 0x40000000 | 1 | PTE_E | PTE_IUID(5 + n));
    log_open(&w, n, 5 + n, 12, 0);
    wr(&w, AA_REG_AA_FLP + 8 * n, (0x6000 + 0x10000 * n) | (5 + n) << 2 | 1);
    get(&w, 4 * n + 1, 0x5000 + 0x10000 * n, 8, 0xff);
    get(&w, 4 * n + 2, 0x5000 + 0x10000 * n, 8, 0xff);
    get(&w, 4 * n + 3, 0x6000 + 0x10000 * n, 1, 15);
  }
  w.bad_write = RING + 0x10000 + 16;
  complete(&w, 5, TLP_SC, 32, 4);  // the first half
  EQ(rd(&w, AA_REG_LP_STS + 4096) & AA_LP_STS_FAILED_MASK, AA_LP_STS_FAILED_MASK);
  EQ(rd(&w, AA_REG_LP_STS) & AA_LP_STS_FAILED_MASK, 0);
  EQ(cnt(&w, AA_CNT_ABORTED), 2);
  EQ(cnt(&w, AA_CNT_FLUSHES_UNDONE), 1);
  EQ(w.cpls, 2);
  EQ(prod(&w, 1), 0);
  complete(&w, 5, TLP_SC, 16, 4);
  complete(&w, 6, TLP_SC, 32, 8);
  EQ(w.cpls, 4);
  complete(&w, 1, TLP_SC, 32, 8);
  complete(&w, 2, TLP_SC, 32, 8);
  consume(&w, 0, prod(&w, 0));
  EQ(prod(&w, 0), 96);
  EQ(w.cpls, 7);
  EQ(last_cpl(&w)->src, AA_CPL_FLUSH);
  EQ(cnt(&w, AA_CNT_FLUSHES_UNDONE), 1);
  EQ(cnt(&w, AA_CNT_ABORTED), 2);
  world_free(&w);
}

// RST-1: a line that is low ends nothing, also when told so again. RST-5: neither does AA_RESET what is another's.
static void not_reset(const aa_config *cfg) {
  fresh(cfg);
  map(&w, 0x5000, 0x40000000 | 3);
  map(&w, 0x6000, 0x40000000 | 3 | PTE_E | PTE_IUID(5));
  map(&w, 0x7000, 0x40000000 | 1 | PTE_WL | PTE_E | PTE_IUID(5));
  log_open(&w, 0, 5, 12, 0);
  wr(&w, AA_REG_AA_FLP, 0x6000 | 5 << 2 | 1);
  put(&w, 0x7000, 1, 15);
  get(&w, 1, 0x5000, 1, 15);
  get(&w, 2, 0x6000, 1, 15);
  EQ(aa_dev_reset(w.m, 0, false), AA_OK);
  wr(&w, AA_REG_AA_RESET, AA_AA_RESET_GO_MASK | (SID + 1));
  EQ(rd(&w, AA_REG_AA_RESET), SID + 1);  // it is over
  EQ(aa_poll(w.m), AA_OK);
  EQ(cnt(&w, AA_CNT_CPL_TIMEOUTS), 0);
  EQ(w.cpls, 0);
  complete(&w, 1, TLP_SC, 4, 1);
  EQ(w.cpls, 1);
  consume(&w, 0, prod(&w, 0));
  EQ(w.cpls, 2);
  EQ(last_cpl(&w)->src, AA_CPL_FLUSH);
  EQ(cnt(&w, AA_CNT_FLUSHES_UNDONE), 0);
  world_free(&w);
}

// While it waits for a request that is not decided, what is of others goes on as well.
static void reset_waits(const aa_config *cfg) {
  fresh(cfg);
  map(&w, 0x5000, 0x40000000 | 3);
  map(&w, 0x6000, 0x40000000 | 3 | PTE_E | PTE_IUID(5));
  map(&w, 0x7000, 0x40000000 | 1 | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(5));
  log_open(&w, 0, 5, 6, 0);
  wr(&w, AA_REG_AA_FLP, 0x6000 | 5 << 2 | 1);
  put(&w, 0x7000, 8, 0xff);
  get(&w, 2, 0x6000, 1, 15);
  put(&w, 0x7000, 8, 0xff);  // no space, and behind it a read
  get(&w, 3, 0x5000, 1, 15);
  EQ(aa_pending(w.m), 2);
  wr(&w, AA_REG_AA_RESET, AA_AA_RESET_GO_MASK | (SID + 1));
  EQ(rd(&w, AA_REG_AA_RESET), AA_AA_RESET_GO_MASK | (SID + 1));
  EQ(w.cpls, 0);
  EQ(w.m->flush.waiter[0].live, true);
  consume(&w, 0, prod(&w, 0));
  EQ(w.cpls, 1);
  EQ(rd(&w, AA_REG_AA_RESET), SID + 1);
  EQ(aa_pending(w.m), 0);
  world_free(&w);
}

// STR-9: a read with hints reads all bytes, and goes on without them; its requester and tag stay. Others keep theirs.
static void hints(const aa_config *cfg) {
  static const uint8_t nothing[64];
  for (unsigned i = 0; i < 8; i++) {
    bool th = i & 1, far = i >> 1 & 1;
    unsigned len = 1 + (i >> 2);
    const uint64_t at = 0x10004 | (far ? 0x500000000ull : 0);
    fresh(cfg);
    wr32(&w, AA_REG_GCMD, 0);
    tlp t = request(TLP_MRD32, SID, 0x5a, at, len, th ? 0xa3 : len > 1 ? 0xff : 0x0f);
    t.hdr[0] |= th ? 0x10000u : 0;
    t.hdr[far ? 3 : 2] |= th ? 2 : 0;
    aa_beat b = {.sop = true, .eop = true, .seq = 9, .data = nothing};
    memcpy(b.hdr, t.hdr, sizeof b.hdr);
    EQ(aa_dev_beat(w.m, 0, &b), AA_OK);
    EQ(aa_poll(w.m), AA_OK);
    EQ(take_err(&w), AA_ERR_NONE);
    EQ(w.reqs, 1);
    const uint32_t *h = last_req(&w)->t.hdr;
    EQ(h[0] & 0x10000u, 0);
    EQ(h[1], (uint32_t)SID << 16 | 0x5a00 | (len > 1 ? 0xff : 0x0f));
    EQ(tlp_addr(h), at);
    EQ(h[far ? 3 : 2] & 3, 0);
    world_free(&w);
  }
}

// ---- time -----------------------------------------------------------------------------------------------------------

// All that ends within the time that passes at once, each at its own.
static void two_in_one(const aa_config *cfg) {
  fresh(cfg);
  map(&w, 0x5000, 0x80000000 | 3);
  wr(&w, AA_REG_AA_CPL_TMO, 100);
  get(&w, 1, 0x5000, 1, 15);
  EQ(aa_advance(w.m, 50), AA_OK);
  get(&w, 2, 0x5000, 1, 15);
  EQ(aa_advance(w.m, 49), AA_OK);
  EQ(cnt(&w, AA_CNT_CPL_TIMEOUTS), 0);
  EQ(aa_advance(w.m, 51), AA_OK);
  EQ(cnt(&w, AA_CNT_CPL_TIMEOUTS), 2);
  world_free(&w);
}

// No time is beyond the last.
static void end_of_time(const aa_config *cfg) {
  fresh(cfg);
  EQ(aa_advance(w.m, 5), AA_OK);
  EQ(aa_advance(w.m, AA_TIME_END), AA_E_ARG);
  EQ(aa_advance(w.m, AA_TIME_END - 4), AA_E_ARG);
  EQ(aa_advance(w.m, AA_TIME_END - 5), AA_OK);
  EQ(aa_advance(w.m, 0), AA_OK);
  EQ(aa_advance(w.m, 1), AA_E_ARG);
  EQ(aa_advance(w.m, UINT64_MAX), AA_E_ARG);
  world_free(&w);
}

// ---- what is owed ---------------------------------------------------------------------------------------------------

static void nothing(const aa_config *cfg) {
  char text[8] = "before";
  fresh(cfg);
  EQ(aa_owes(w.m, text, sizeof text), 0);
  EQ(text[0], 0);
  EQ(aa_owes(w.m, NULL, 0), 0);
  w.m->tags.tag[cfg->TagEntries].live = true;  // an entry that there is not
  EQ(aa_owes(w.m, NULL, 0), 0);
  world_free(&w);
}

// Where a loop ends at the last of an array, the sanitizers see one that goes on.
static void as_many_as_there_are(aa_config cfg) {
  aa_flush_buf f = {.waiters = AA_WAITER_MAX, .ports = 1};
  for (unsigned i = 0; i < AA_WAITER_MAX; i++) {
    EQ(aa_flush_pick(&f, 0), i);
    f.waiter[i].live = true;
  }
  EQ(aa_flush_pick(&f, 0), AA_WAITER_MAX);
  f.pages = AA_FLUSH_PAGES_MAX;
  EQ(aa_flush_match(&f, 0x5000, 5), 0);
  f.page[AA_FLUSH_PAGES_MAX - 1] = 0x5000 | 5 << 2 | 1;
  EQ(aa_flush_match(&f, 0x5000, 5), 1);
  cfg.NumPorts = AA_PORTS_MAX;
  fresh(&cfg);
  aa_forget(w.m);
  EQ(aa_inval_waits(w.m, false), 0);
  world_free(&w);
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  descriptors();
  oldest(&cfg);
  wait_fails(&cfg);
  on(&cfg);
  free_space();
  flush_of(&cfg);
  reset_of(&cfg);
  reset_ends(cfg);
  stopped(&cfg);
  not_reset(&cfg);
  reset_waits(&cfg);
  hints(&cfg);
  two_in_one(&cfg);
  end_of_time(&cfg);
  nothing(&cfg);
  as_many_as_there_are(cfg);
  return report();
}
