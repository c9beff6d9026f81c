// SPDX-License-Identifier: Apache-2.0
// aa_duty: what must be over before a record may come, and how long what is due may take: each rule kept, and broken by
// one step.
// Rules of rtl/aa/README.md: DUE-1, DUE-2, DUE-3, DUE-4, DUE-5, INV-4, INV-5, INV-6, NTF-7.
#include <string.h>

#include "../src/aa/aa_duty.h"
#include "../src/aa/aa_state.h"
#include "world.h"

static aa_wrong why;
static const aa_outside nobody;

static bool says(const char *text) {
  bool yes = strstr(why.text, text) != NULL;
  if (!yes) printf("  it says %s, not %s\n", why.text, text);
  return yes;
}

// Cycles until something is due for too long; 0 within `most`.
static unsigned patience(aa_duty *d, const world *w, const aa_outside *o, unsigned most) {
  memset(&why, 0, sizeof why);
  for (unsigned i = 1; i <= most; i++)
    if (!aa_duty_cycle(d, w->m, o, &why)) return i;
  return 0;
}

// The first look, every 8 cycles, at which more than the limit has passed.
static unsigned look(unsigned limit) { return limit / 8 * 8 + 8; }

// ---- time: packets -------------------------------------------------------------------------------------------------

static void packets(const aa_config *cfg) {
  world w;
  aa_duty d = {0};
  unsigned limit = 64 + 5 * (TLP_MAX_BYTES / (cfg->DataW / 8));
  world_init(&w, cfg);
  EQ(patience(&d, &w, &nobody, 10 * limit), 0);
  aa_outside host = {.host = true}, dev = {.dev = true}, held = {.held = true, .host = true, .dev = true};
  EQ(patience(&d, &w, &held, 10 * limit), 0);
  EQ(patience(&d, &w, &host, 2 * limit), look(limit));
  CHECK(says("want a TLP") && !strcmp(why.block, "aa_iommu") && !strcmp(why.stream, "time"));
  d = (aa_duty){0};
  EQ(patience(&d, &w, &dev, 2 * limit), look(limit));
  CHECK(says("want a completion"));
  // one that leaves starts the time again, and what was due for a while and is not is forgotten
  d = (aa_duty){0};
  for (unsigned i = 0; i < 20; i++) {
    EQ(patience(&d, &w, &host, limit / 8 * 8), 0);
    aa_duty_left(&d, w.m);
    EQ(patience(&d, &w, &host, 8), 0);
  }
  CHECK(patience(&d, &w, &host, 2 * limit));
  d = (aa_duty){0};
  for (unsigned i = 0; i < 20; i++) {
    EQ(patience(&d, &w, &dev, limit / 8 * 8), 0);
    d.dev_left++;
    EQ(patience(&d, &w, &dev, 8), 0);
    EQ(patience(&d, &w, &nobody, 8), 0);
  }
  CHECK(patience(&d, &w, &dev, 2 * limit));
  world_free(&w);
}

// ---- time: what is due ---------------------------------------------------------------------------------------------

static void dues(const aa_config *cfg) {
  world w;
  aa_duty d = {0};
  unsigned logs = 32 + 4 * cfg->NumLogs;
  world_init(&w, cfg);
  map(&w, 0x10000, 0x40000 | PTE_R | PTE_W);
  map(&w, 0x11000, 0x41000 | PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(5));
  world_on(&w);
  log_open(&w, 1, 5, 8, AA_LOG_CFG_TASK_MASK);
  put(&w, 0x11000, 1, 0x0f);
  put(&w, 0x11000, 1, 0x0f);
  EQ(aa_task_done(w.m, 1), AA_OK);
  // the task of log 1, unless the way for tasks is taken
  EQ(patience(&d, &w, &(aa_outside){.task = true}, 10 * logs), 0);
  EQ(patience(&d, &w, &nobody, 2 * logs), look(logs));
  CHECK(says("want the task of log 1"));
  // a record of that log begins its time again, one of another does not
  d = (aa_duty){0};
  EQ(patience(&d, &w, &nobody, logs / 8 * 8), 0);
  aa_retire_rec r = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_PTR, .idx = 0};
  CHECK(aa_duty_after(&d, w.m, &r, &why));
  EQ(patience(&d, &w, &nobody, 8), 8);
  d = (aa_duty){0};
  EQ(patience(&d, &w, &nobody, logs / 8 * 8), 0);
  r.idx = 1;
  CHECK(aa_duty_after(&d, w.m, &r, &why));
  EQ(patience(&d, &w, &nobody, logs / 8 * 8), 0);
  EQ(patience(&d, &w, &nobody, 8), 8);
  // a read whose requester is reset
  unsigned tags = 32 + 6 * cfg->TagEntries;
  aa_poll(w.m);
  get(&w, 3, 0x10000, 2, 0xff);
  w.m->tags.tag[0].reset = true;
  d = (aa_duty){0};
  EQ(patience(&d, &w, &nobody, tags / 8 * 8), 0);
  r = (aa_retire_rec){.kind = AA_RET_TIMEOUT, .idx = 0};
  CHECK(aa_duty_after(&d, w.m, &r, &why));
  EQ(patience(&d, &w, &nobody, 2 * tags), look(tags));
  CHECK(says("want the end of tag entry 0"));
  world_free(&w);
}

// Each kind by itself: how long it may take, and that its record, and no other, begins its time again.
static void due_fault(aa *m) { m->fault.event.pending = true, m->fault.event.mask = false; }
static void due_inv_event(aa *m) { m->qi.event.pending = true, m->qi.event.mask = false; }
static void due_wait(aa *m) { m->qi.waiting = true; }
static void due_iccd(aa *m) { m->inv_gran[0] = 1; }
static void due_ivtd(aa *m) { m->inv_gran[1] = 1; }
static void due_flush(aa *m) { m->flush.waiter[1].live = m->flush.waiter[1].torn = true; }
static void due_off(aa *m) { m->logs.log[2].closing = true; }
static void due_publish(aa *m) { m->logs.log[2].count = 1, m->logs.log[2].closed |= 1u << m->logs.log[2].head; }
static void due_ptr(aa *m) { m->logs.log[2].en = m->logs.log[2].ptr_due = true; }
static void due_icc(aa *m) { m->ccmd = AA_CCMD_ICC_MASK; }
static void due_ivt(aa *m) { m->iotlb = AA_IOTLB_IVT_MASK; }
static void due_ended(aa *m) { m->fn_go = true; }

static void each_kind(const aa_config *cfg) {
  const unsigned logs = 32 + 4 * cfg->NumLogs, move = 64 + 5 * (TLP_MAX_BYTES / (cfg->DataW / 8));
  const struct {
    void (*make)(aa *m);
    unsigned limit;
    uint8_t kind, code, idx;
    const char *text, *also;  // also: of what aa_owes tells as well
  } k[] = {
      {due_fault, 64, AA_RET_NOTIFY, AA_NOTE_FAULT, 0, "the fault event", ""},
      {due_inv_event, 64, AA_RET_NOTIFY, AA_NOTE_INV_DONE, 0, "the invalidation event", ""},
      {due_wait, move, AA_RET_NOTIFY, AA_NOTE_WAIT, 0, "the end of a wait", "; a wait"},
      {due_iccd, move, AA_RET_INVAL, 3, 0, "the end of the invalidation by CCMD",
       "; the drain of the invalidation by CCMD"},
      {due_ivtd, move, AA_RET_INVAL, 4, 0, "the end of the invalidation by IOTLB",
       "; the drain of the invalidation by IOTLB"},
      {due_flush, 32 + 4 * cfg->FlushWaiters, AA_RET_NOTIFY, AA_NOTE_FLUSH, 1, "the answer of flush waiter 1",
       "; flush waiter 1, log 0 up to 0"},
      {due_off, logs, AA_RET_NOTIFY, AA_NOTE_LOG_OFF, 2, "the end of log 2", "; the tear-down of log 2"},
      {due_off, logs, AA_RET_NOTIFY, AA_NOTE_LOG_OFF, 1, "the end of log 2", "; the tear-down of log 2"},
      {due_publish, logs, AA_RET_PUBLISH, 0, 2, "the oldest of 1 entries of log 2",
       "; 1 entries of log 2 to be published"},
      {due_ptr, logs, AA_RET_NOTIFY, AA_NOTE_PTR, 2, "the pointer of log 2", ""},
      {due_icc, 64 + 32, AA_RET_INVAL, 1, 0, "the invalidation by CCMD", ""},
      {due_ivt, 64 + 32, AA_RET_INVAL, 2, 0, "the invalidation by IOTLB", ""},
      {due_ended, 32 + 6 * cfg->TagEntries, AA_RET_NOTIFY, AA_NOTE_RESET, 0, "the end of AA_RESET",
       "; the end of requester 0000"},
  };
  for (unsigned i = 0; i < sizeof k / sizeof *k; i++) {
    world w;
    aa_duty d = {0};
    aa_retire_rec none = {0}, r = {.kind = k[i].kind, .code = k[i].code, .idx = k[i].idx};
    world_init(&w, cfg);
    EQ(aa_owes(w.m, NULL, 0), 0);
    k[i].make(w.m);
    EQ(aa_owes(w.m, why.text, sizeof why.text), k[i].also[0] ? 2 : 1);
    CHECK(says(k[i].text) && says(k[i].also));
    EQ(aa_owes(w.m, NULL, 0), k[i].also[0] ? 2 : 1);
    CHECK(aa_duty_after(&d, w.m, &none, &why));
    EQ(patience(&d, &w, &nobody, k[i].limit / 8 * 8), 0);
    CHECK(aa_duty_after(&d, w.m, &r, &why));
    EQ(patience(&d, &w, &nobody, 2 * k[i].limit), look(k[i].limit));
    CHECK(says(k[i].text));
    // the record of something else does not
    d = (aa_duty){0};
    CHECK(aa_duty_after(&d, w.m, &none, &why));
    EQ(patience(&d, &w, &nobody, k[i].limit / 8 * 8), 0);
    r = (aa_retire_rec){.kind = AA_RET_NOTIFY, .code = k[i].make == due_fault ? AA_NOTE_INV_DONE : AA_NOTE_FAULT};
    CHECK(aa_duty_after(&d, w.m, &r, &why));
    EQ(patience(&d, &w, &nobody, 8), 8);
    // what outside holds it up
    d = (aa_duty){0};
    if (k[i].make == due_publish) EQ(patience(&d, &w, &(aa_outside){.entries = true}, 4 * k[i].limit), 0);
    if (k[i].make == due_off || k[i].make == due_ptr) d.small[2] = 1;
    if (k[i].make == due_iccd || k[i].make == due_ivtd) d.old = 1;
    // XLT-24: a request that was thrown back and is not translated yet
    if (k[i].make == due_icc || k[i].make == due_ivt) w.m->lane[1].owed = true;
    if (d.small[2] || d.old || w.m->lane[1].owed) EQ(patience(&d, &w, &nobody, 4 * k[i].limit), 0);
    memset(&w.m->flush.waiter[1], 0, sizeof w.m->flush.waiter[1]);
    world_free(&w);
  }
}

// ---- small writes ---------------------------------------------------------------------------------------------------

static void small_writes(const aa_config *cfg) {
  static const unsigned of_logs[] = {AA_NOTE_PTR, AA_NOTE_MSI, AA_NOTE_LOG_OFF};
  world w;
  aa_duty d = {0};
  world_init(&w, cfg);
  for (unsigned i = 0; i < 3; i++) {
    aa_retire_rec r = {.kind = AA_RET_NOTIFY, .code = (uint8_t)of_logs[i], .idx = 1};
    d.small[1] = 0;
    d.small[0] = d.small[AA_OF_EVENT] = d.small[AA_OF_WAIT] = 1;
    CHECK(aa_duty_before(&d, w.m, &r, &why));
    EQ(d.of, 1);
    d.small[1] = 2;
    CHECK(!aa_duty_before(&d, w.m, &r, &why) && says("log 1 tells before its last message is answered (2 are not)"));
    CHECK(!strcmp(why.block, "aa_notify") && !strcmp(why.stream, "m_axi id 2"));
  }
  // what is of no log asks nothing of them, whatever its index
  aa_retire_rec task = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_TASK, .idx = 1},
                pub = {.kind = AA_RET_PUBLISH, .idx = 1}, wait = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_WAIT};
  CHECK(aa_duty_before(&d, w.m, &task, &why));
  EQ(d.of, AA_OF_EVENT);
  CHECK(aa_duty_before(&d, w.m, &pub, &why));
  EQ(d.of, AA_OF_EVENT);
  CHECK(aa_duty_before(&d, w.m, &wait, &why));
  EQ(d.of, AA_OF_WAIT);
  CHECK(!aa_duty_after(&d, w.m, &wait, &why) && says("a wait ends before its status write is answered"));
  d.small[AA_OF_WAIT] = 0;
  CHECK(aa_duty_after(&d, w.m, &wait, &why));
  world_free(&w);
}

// ---- drains ---------------------------------------------------------------------------------------------------------

static void drains(const aa_config *cfg) {
  static const uint32_t status = 0x12345678;
  world w;
  aa_duty d = {0};
  aa_retire_rec inval = {.kind = AA_RET_INVAL}, wait = {.kind = AA_RET_NOTIFY, .code = AA_NOTE_WAIT};
  world_init(&w, cfg);
  // an invalidation behind two TLPs: the end of one by register waits for both, its beginning for none
  d.told = 2;
  w.m->drains++;
  inval.code = 1;
  CHECK(aa_duty_after(&d, w.m, &inval, &why));
  d.told = 9;  // these came later
  for (unsigned left = 0; left < 3; left++) {
    for (inval.code = 0; inval.code < 5; inval.code++) {
      bool early = left < 2 && inval.code >= 3;
      EQ(aa_duty_before(&d, w.m, &inval, &why), !early);
      if (early)
        CHECK(says(inval.code == 3 ? "ICC clears before the drain is over" : "IVT clears before the drain is over"));
      if (early) CHECK(says(left ? "got  1 TLPs and 0 reads" : "got  2 TLPs and 0 reads"));
    }
    aa_duty_left(&d, w.m);
  }
  // a wait, behind TLPs and reads of before the last invalidation, and its status
  w.m->qi.waiting = true;
  w.m->qi.wait[0] = 0x20 | (uint64_t)status << 32;
  w.m->qi.wait[1] = STATUS;
  d.old = d.left + 1;
  w.m->tags.old = 1;
  CHECK(aa_duty_after(&d, w.m, &inval, &why));
  for (unsigned k = 0; k < 2; k++) {
    CHECK(!aa_duty_before(&d, w.m, &wait, &why) && says("a wait ends before the drain is over"));
    aa_duty_left(&d, w.m);
  }
  d.small[AA_OF_WAIT] = 0;
  CHECK(!aa_duty_early(&d, w.m, STATUS, &status, 4, &why) &&
        says("the status write of a wait before the drain is over"));
  w.m->tags.old = 0;
  CHECK(aa_duty_after(&d, w.m, &inval, &why));
  CHECK(aa_duty_before(&d, w.m, &wait, &why));
  // its status comes once, at its address, whole
  d.small[AA_OF_WAIT] = 0;
  CHECK(!aa_duty_early(&d, w.m, STATUS + 4, &status, 4, &why) && says("want none before its record"));
  CHECK(!aa_duty_early(&d, w.m, STATUS, &status, 8, &why));
  CHECK(!aa_duty_early(&d, w.m, STATUS, &w.next_table, 4, &why));
  CHECK(aa_duty_early(&d, w.m, STATUS, &status, 4, &why));
  EQ(d.small[AA_OF_WAIT], 1);
  CHECK(!aa_duty_early(&d, w.m, STATUS, &status, 4, &why));
  d.small[AA_OF_WAIT] = 0;
  w.m->qi.wait[0] &= ~0x20ull;
  CHECK(!aa_duty_early(&d, w.m, STATUS, &status, 4, &why));
  w.m->qi.wait[0] |= 0x20;
  w.m->qi.waiting = false;
  CHECK(!aa_duty_early(&d, w.m, STATUS, &status, 4, &why));
  // an invalidation after a drain was over does not take that back from the wait, but the next wait begins anew
  w.m->qi.waiting = true;
  CHECK(aa_duty_after(&d, w.m, &inval, &why));
  d.told = d.left + 3;
  w.m->drains++;
  CHECK(aa_duty_after(&d, w.m, &inval, &why));
  CHECK(aa_duty_before(&d, w.m, &wait, &why));
  w.m->qi.waiting = false;
  CHECK(aa_duty_after(&d, w.m, &inval, &why));
  w.m->qi.waiting = true;
  CHECK(aa_duty_after(&d, w.m, &inval, &why));
  CHECK(!aa_duty_before(&d, w.m, &wait, &why));
  w.m->qi.waiting = false;
  world_free(&w);
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  packets(&cfg);
  dues(&cfg);
  each_kind(&cfg);
  small_writes(&cfg);
  drains(&cfg);
  return report();
}
