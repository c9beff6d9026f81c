// SPDX-License-Identifier: Apache-2.0
// aa_submit has a short way for what most requests are. It is not to be seen: each case is sent twice, to a model that
// may take it and to one that is asked for records and may not, and both do what the specification says.
// Rules of rtl/aa/README.md: STR-5, STR-7, STR-9, XLT-1, XLT-3, XLT-12, DEC-4, DEC-19.
#include "world.h"

enum { FIRST = 0x10000, TWICE = 0x20000, LARGE = 0x400000, LOGGED = 0x11000, IUID = 5 };

static world w;

static void fresh(const aa_config *cfg, bool quick) {
  static const aa_ops quiet = {world_read, world_write, world_req, world_cpl, NULL};
  world_init(&w, cfg);
  if (quick) {
    aa_free(w.m);
    if (aa_new(cfg, &quiet, &w, &w.m) != AA_OK) exit(2);
  }
  map(&w, FIRST, 0x80000000 | PTE_R | PTE_W);
  map(&w, TWICE, 0x81000000 | PTE_R | PTE_W);
  map(&w, LOGGED, 0x82000000 | PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(IUID));
  poke64(&w, entry_at(&w, LARGE, 2), 0x90000000 | 0x80 | PTE_R | PTE_W);
  world_on(&w);
}

static void goes(uint64_t from, uint64_t to) {
  unsigned before = w.reqs;
  EQ(put(&w, from, 1, 15), AA_OK);
  EQ(w.reqs, before + 1);
  EQ(tlp_addr(last_req(&w)->t.hdr), to);
}

// A page that was met before is found again, and no other in its place.
static void pages(void) {
  for (unsigned i = 0; i < 3; i++) {
    goes(FIRST + 8, 0x80000008);
    goes(TWICE + 16, 0x81000010);  // twice the number of that page
    goes(LARGE + 0x5004, 0x90005004);
    goes(LARGE + 0x1ff000, 0x901ff000);
  }
  unsigned reads = w.reads;
  goes(FIRST, 0x80000000);
  goes(LARGE + 0x7000, 0x90007000);
  EQ(w.reads, reads);
}

static void refused(const tlp *t, unsigned err) {
  unsigned reqs = w.reqs;
  EQ(aa_submit(w.m, 0, t), AA_OK);
  EQ(w.reqs, reqs);
  EQ(take_err(&w), err);
}

// Payload that is not as long as Length, also of a read, and what is beyond the limits, by a word.
static void forms(void) {
  for (unsigned i = 0; i < 2; i++) {  // before the page is known, and then
    tlp t = request(TLP_MWR32, SID, 0, FIRST, 2, 0xff);
    t.ndw = 1;
    refused(&t, AA_ERR_LENGTH);
    t = request(TLP_MRD32, SID, 1, FIRST, 1, 0x0f);
    t.ndw = 1;
    refused(&t, AA_ERR_LENGTH);
    t = request(TLP_MWR32, SID, 0, FIRST, 33, 0xff);
    refused(&t, AA_ERR_MAX_SIZE);
    t = request(TLP_MRD32, SID, 1, FIRST, 65, 0xff);
    refused(&t, AA_ERR_MAX_SIZE);
    t = request(TLP_MWR32, SID, 0, FIRST + 0xffc, 2, 0xff);
    refused(&t, AA_ERR_CROSS4K);
    EQ(put(&w, FIRST, 32, 0xff), AA_OK);
    EQ(get(&w, 10 + i, FIRST, 64, 0xff), AA_OK);
    EQ(w.reqs, 2 * i + 2);
    EQ(take_err(&w), AA_ERR_NONE);
  }
}

// A tag is live until its read has ended, of whatever address it is; the answer may come in two parts.
static void tags(void) {
  EQ(get(&w, 7, FIRST + 0xff8, 2, 0xff), AA_OK);
  tlp t = request(TLP_MRD32, SID, 7, TWICE, 1, 15);
  refused(&t, AA_ERR_TAG_LIVE);
  complete(&w, 7, TLP_SC, 8, 1);
  refused(&t, AA_ERR_TAG_LIVE);
  complete(&w, 7, TLP_SC, 4, 1);
  EQ(take_err(&w), AA_ERR_NONE);
  EQ(aa_submit(w.m, 0, &t), AA_OK);
  t = request(TLP_MRD32, SID + 8, 7, TWICE, 1, 15);  // another requester, which has no context
  refused(&t, AA_ERR_NONE);
  EQ(take_fault(&w), 2);
}

// What comes behind a write that waits for space of its log stays in order, and in its lane as far as there is room.
static void behind(const aa_config *cfg) {
  log_open(&w, 0, IUID, 6, 0);
  EQ(put(&w, LOGGED, 8, 0xff), AA_OK);
  EQ(put(&w, LOGGED, 8, 0xff), AA_OK);  // no space
  EQ(rsvd(&w, 0), 48);
  for (unsigned i = 1; i < cfg->Window; i++) EQ(put(&w, FIRST + 4 * i, 1, 15), AA_OK);
  EQ(put(&w, FIRST, 1, 15), AA_E_BUSY);
  EQ(get(&w, 1, FIRST, 1, 15), AA_OK);  // a read does not pass them
  EQ(w.reqs, 0);
  EQ(aa_pending(w.m), cfg->Window + 1);
  consume(&w, 0, 48);
  EQ(w.reqs, cfg->Window);
  EQ(tlp_type(last_req(&w)->t.hdr), TLP_MRD32);
  EQ(aa_pending(w.m), 0);
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  for (unsigned quick = 0; quick < 2; quick++) {
    fresh(&cfg, quick);
    pages();
    world_free(&w);
    fresh(&cfg, quick);
    wr(&w, AA_REG_AA_CTL, AA_AA_CTL_AAE_MASK | 1u << AA_AA_CTL_MRRS_LSB);
    forms();
    world_free(&w);
    fresh(&cfg, quick);
    tags();
    world_free(&w);
    fresh(&cfg, quick);
    behind(&cfg);
    world_free(&w);
  }
  return report();
}
