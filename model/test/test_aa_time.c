// SPDX-License-Identifier: Apache-2.0
// aa_time by itself: one read, untranslated, whose time-out comes early, in time, late, never, or is not waited for any
// more; and the counters of time. What hardware does is written here by hand, so that the bounds are those of the
// specification.
// Rules of rtl/aa/README.md: TMO-2, TMO-5, CNT-1.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "found.h"
#include "tocsin/aa_lock.h"
#include "tocsin/aa_regs.h"
#include "tocsin/aa_time.h"

static aa_lock *make(found *f) {
  static const aa_lock_ops ops = {differ, NULL, NULL};
  aa_config cfg;
  aa_lock *l;
  memset(f, 0, sizeof *f);
  aa_config_default(&cfg);
  cfg.TagEntries = 4;
  if (aa_lock_new(&cfg, &ops, f, &l) != AA_OK) exit(2);
  aa_lock_cycle(l, 0);
  return l;
}

static void cycles(aa_lock *l, unsigned n, unsigned shown) {
  while (n--) aa_lock_cycle(l, shown);
}

static void set(aa_lock *l, uint32_t addr, uint64_t value) {
  aa_lock_reg_write(l, addr, value, 0xff);
  aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_REG_WRITE, .idx = 0xff, .a = addr, .b = value});
}

// A read of one word passes in this cycle, as tag entry 2.
static void read_passes(aa_lock *l) {
  static const uint8_t nothing[64];
  tlp_fields f = {.type = TLP_MRD32, .length = 1, .rid = 0x100, .tag = 5, .fbe = 15, .addr = 0x1000};
  aa_beat b = {.sop = true, .eop = true, .data = nothing};
  tlp_pack(&f, b.hdr);
  aa_lock_dev_in(l, 0, &b, true);
  aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_XLATE, .lane = 1});
  aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_DECIDE, .lane = 1, .code = AA_OUT_PASS, .idx = 2, .a = 0x1000});
}

static void gives_up(aa_lock *l) { aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_TIMEOUT, .idx = 2}); }

enum { TMO = 100, LIMIT = AA_TIME_CPL + AA_TIME_TAG * 4 };

// The read is given up `at` cycles after its decision; shown: in each of them.
static unsigned given_up(unsigned at, unsigned shown, found *f) {
  aa_lock *l = make(f);
  set(l, AA_REG_AA_CPL_TMO, TMO);
  cycles(l, 1, 0);
  read_passes(l);
  EQ(f->n, 0);
  cycles(l, at, shown);
  gives_up(l);
  unsigned n = f->n;
  EQ(aa_lock_time(l)->count[AA_TIMER_CPL].fired, at > TMO + LIMIT && shown != AA_SHOWN_DEV ? 0 : 1);
  aa_lock_free(l);
  return n;
}

static void bounds(void) {
  found f;
  EQ(given_up(TMO, 0, &f), 0);
  EQ(given_up(TMO + LIMIT, 0, &f), 0);
  EQ(given_up(TMO - 1, 0, &f), 1);
  CHECK(!strcmp(f.block, "aa_tag_buf") && !strcmp(f.stream, "time") && strstr(f.text, "want not before cycle 102"));
  EQ(given_up(TMO + LIMIT + 1, 0, &f), 1);
  CHECK(!strcmp(f.block, "aa_tag_buf") && strstr(f.text, "got  nothing"));
  // the device takes no completions: this is nobody's fault
  EQ(given_up(10 * TMO, AA_SHOWN_DEV, &f), 0);
  // the host takes no requests: this does not hold it up
  EQ(given_up(10 * TMO, AA_SHOWN_HOST, &f), 1);
}

// A register that was changed: the old value counts for as long as it may be on its way, and no longer.
static void changed(void) {
  for (unsigned gap = 0; gap <= LIMIT + 1; gap += LIMIT + 1) {
    found f;
    aa_lock *l = make(&f);
    set(l, AA_REG_AA_CPL_TMO, TMO);
    read_passes(l);
    cycles(l, TMO, 0);
    set(l, AA_REG_AA_CPL_TMO, 10 * TMO);
    cycles(l, gap, 0);
    gives_up(l);
    EQ(f.n, gap > LIMIT);
    aa_lock_free(l);
  }
}

static void resets(void) {
  found f;
  aa_lock *l = make(&f);
  read_passes(l);
  cycles(l, 10, 0);
  aa_lock_reset_level(l, 0, true);
  cycles(l, 1, 0);
  aa_lock_reset_level(l, 0, false);
  cycles(l, LIMIT - 1, 0);
  EQ(f.n, 0);
  cycles(l, 1, 0);
  EQ(f.n, 1);
  aa_lock_free(l);
}

// Who never calls the clock gets no checks of time.
static void without(void) {
  static const aa_lock_ops ops = {differ, NULL, NULL};
  found f = {0};
  aa_config cfg;
  aa_lock *l;
  aa_config_default(&cfg);
  if (aa_lock_new(&cfg, &ops, &f, &l) != AA_OK) exit(2);
  set(l, AA_REG_AA_CPL_TMO, TMO);
  read_passes(l);
  gives_up(l);
  EQ(f.n, 0);
  aa_lock_free(l);
}

static unsigned counter(unsigned n, uint64_t first, uint64_t second) {
  found f;
  aa_lock *l = make(&f);
  uint32_t addr = AA_REG_CNT + 8 * n;
  cycles(l, 9, 0);
  aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_REG_READ, .a = addr, .b = first});
  set(l, addr, 0);
  cycles(l, 5, 0);
  aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_REG_READ, .a = addr, .b = second});
  cycles(l, 5, 0);
  aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_REG_READ, .a = addr, .b = second + (n == 32 ? 5 : 0)});
  unsigned differences = f.n;
  aa_lock_free(l);
  return differences;
}

static void counters(void) {
  EQ(counter(32, 10, 4), 0);
  EQ(counter(32, 11, 4), 1);
  EQ(counter(32, 10, 5), 1);
  EQ(counter(32, 10, 3), 1);
  EQ(counter(33, 10, 4), 0);
  EQ(counter(33, 0, 0), 0);
  EQ(counter(33, 11, 0), 1);
  EQ(counter(37, 3, 5), 1);
}

int main(void) {
  bounds();
  changed();
  resets();
  without();
  counters();
  return report();
}
