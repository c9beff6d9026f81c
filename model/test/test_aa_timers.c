// SPDX-License-Identifier: Apache-2.0
// aa_time, each timer by itself: how early and how late it may be to the cycle, which cycles are free, and what is
// counted. A self-running model shows what waits; its time passes in aa_time_cycle alone, so that nothing is done.
// Rules of rtl/aa/README.md: TMO-1, TMO-2, TMO-3, TMO-4, TMO-5, TMO-6.
#include "../src/aa/aa_state.h"
#include "tocsin/aa_lock.h"
#include "tocsin/aa_time.h"
#include "world.h"

enum { PUTS = 0x11000, GETS = 0x12000, PLAIN = 0x10000, FLUSH = 0x13000, WDOG = 100, TMO = 200, PERIOD = 300 };
enum { WRITE_0 = AA_TIME_UNDER_WAY, WRITE_1 = AA_TIME_UNDER_WAY << 1, WRITE_2 = AA_TIME_UNDER_WAY << 2 };

static world w;
static aa_time t;
static aa_config cfg;

static void begin(void) {
  memset(&t, 0, sizeof t);
  world_init(&w, &cfg);
  map(&w, PLAIN, 0x40000 | PTE_R | PTE_W);
  map(&w, PUTS, 0x41000 | PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(5));
  map(&w, GETS, 0x42000 | PTE_R | PTE_W | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(5));
  map(&w, FLUSH, 0x43000 | PTE_R | PTE_W | PTE_E | PTE_IUID(5));
  world_on(&w);
  wr(&w, AA_REG_AA_FLP, FLUSH | 5 << 2 | 1);
}

static void start(void) {
  aa_time_begin(&t, w.m);
  aa_time_after(&t, w.m, &(aa_retire_rec){.kind = AA_RET_XLATE});
}

// What is the n-th cycle in which something is late; 0: none in `most`. busy: what each of them shows.
static unsigned late(unsigned busy, unsigned most, const char *block) {
  for (unsigned n = 1; n <= most; n++) {
    const char *b = aa_time_cycle(&t, w.m, busy);
    if (!b) continue;
    CHECK(!strcmp(b, block) && strstr(t.text, "got  nothing in cycle"));
    return n;
  }
  return 0;
}
static void pass(unsigned n) { EQ(late(0, n, ""), 0); }

static const char *record(aa_retire_rec r) { return aa_time_before(&t, w.m, &r); }
static void after(aa_retire_rec r) { aa_time_after(&t, w.m, &r); }
static void access(void) { after((aa_retire_rec){.kind = AA_RET_REG_READ}); }

// Software writes a register, and its record comes.
static void set(uint32_t addr, uint32_t v) {
  wr32(&w, addr, v);
  after((aa_retire_rec){.kind = AA_RET_REG_WRITE, .idx = 15, .a = addr, .b = v});
}

// ---- TMO-1: a request that waits for space of its log

static unsigned lane_lag(void) { return AA_TIME_WAKE + AA_TIME_LANE * 2 * cfg.NumPorts; }

// The log is full but for 32 bytes, and what comes needs more: put (lane 0) or get (lane 1).
static void wait_for_space(bool posted, uint32_t wdog) {
  begin();
  log_open(&w, 0, 5, 8, 0);
  wr32(&w, AA_REG_AA_WDOG, wdog);
  put(&w, PUTS, 52, 0xff);
  if (posted)
    put(&w, PUTS, 30, 0xff);
  else
    get(&w, 3, GETS, 30, 0xff);
  EQ(w.m->lane[!posted].tail - w.m->lane[!posted].head, 1);
  start();
}

static unsigned stalls(bool posted, uint32_t wdog, unsigned busy, unsigned most) {
  wait_for_space(posted, wdog);
  unsigned n = late(busy, most, "aa_decide");
  CHECK(!n || strstr(t.text, posted ? "watchdog of lane 0" : "watchdog of lane 1"));
  world_free(&w);
  return n;
}

static void watchdog_late(void) {
  static const uint32_t period[][2] = {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 2}, {WDOG, WDOG / 2}};
  const unsigned lag = lane_lag(), all = 2 * lag + 3 * WDOG / 2 + 1;
  for (unsigned i = 0; i < sizeof period / sizeof *period; i++)  // half a period, at least 1
    for (unsigned p = 0; p < 2; p++) EQ(stalls(p, period[i][0], 0, 1000), 2 * lag + 3 * period[i][1] + 1);
  for (unsigned p = 0; p < 2; p++) {
    EQ(stalls(p, 0, 0, 1000), 0);  // never
    static const unsigned holds[] = {AA_SHOWN_HOST, AA_SHOWN_WRITE, WRITE_0};
    static const unsigned holds_reads[] = {AA_SHOWN_DEV, AA_SHOWN_NO_NP, WRITE_1};
    for (unsigned i = 0; i < 3; i++) {
      EQ(stalls(p, WDOG, holds[i], 1000), 0);
      EQ(stalls(p, WDOG, holds_reads[i], 1000), p ? all : 0);
    }
    EQ(stalls(p, WDOG, WRITE_2, 1000), all);
  }
  // register accesses and invalidations: of all kinds, and for 16 cycles
  static const uint8_t kind[] = {AA_RET_REG_READ, AA_RET_REG_WRITE, AA_RET_INVAL};
  for (unsigned i = 0; i < sizeof kind; i++) {
    wait_for_space(true, WDOG);
    for (unsigned n = 0; n < 100; n++) {
      after((aa_retire_rec){.kind = kind[i]});
      pass(10);
    }
    after((aa_retire_rec){.kind = kind[i]});
    unsigned n = late(0, 1000, "aa_decide");
    CHECK(n > all && n <= all + AA_TIME_ACCESS);
    world_free(&w);
  }
  // also while its last part runs, which had seen some cycles already
  wait_for_space(true, WDOG);
  pass(all - 1);
  for (unsigned n = 0; n < 100; n++) {
    access();
    pass(10);
  }
  CHECK(late(0, 1000, "aa_decide"));
  world_free(&w);
  // the payload of the put before it is on its way
  wait_for_space(true, WDOG);
  put(&w, PUTS, 30, 0xff);
  consume(&w, 0, prod(&w, 0));
  EQ(w.m->lane[0].tail - w.m->lane[0].head, 1);
  after((aa_retire_rec){.kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_REDIRECT});
  unsigned n = late(0, 1000, "aa_decide");
  unsigned beats = (30 + cfg.DataW / 32 - 1) / (cfg.DataW / 32);  // a cycle each, at least
  CHECK(n >= all + beats && n <= all + beats + 2);
  world_free(&w);
  // space comes, and goes again: it waits from then on
  wait_for_space(true, WDOG);
  pass(all - 1);
  w.m->logs.log[0].cons += 224;
  after((aa_retire_rec){.kind = AA_RET_XLATE});
  pass(1000);
  w.m->logs.log[0].cons -= 224;
  after((aa_retire_rec){.kind = AA_RET_XLATE});
  EQ(late(0, 1000, "aa_decide"), all);
  world_free(&w);
}

// Each lane has its own: what is decided in one changes nothing in the other.
static void two_lanes(void) {
  const unsigned all = 2 * lane_lag() + 3 * WDOG / 2 + 1;
  for (unsigned lane = 0; lane < 2; lane++) {
    wait_for_space(true, WDOG);
    get(&w, 3, PLAIN, 1, 0x0f);  // goes, so that the lane has had one
    pass(all - 1);
    after((aa_retire_rec){.kind = AA_RET_DECIDE, .lane = (uint8_t)lane, .code = AA_OUT_PASS, .idx = 3});
    unsigned n = late(0, 2000, "aa_decide");
    CHECK(lane ? n == 1 : n >= all);
    world_free(&w);
  }
}

// A read that lacks an entry of the tag buffer as well waits for that, however long.
static void lacks_more(void) {
  for (unsigned full = 0; full < 2; full++) {
    begin();
    log_open(&w, 0, 5, 8, 0);
    wr32(&w, AA_REG_AA_WDOG, WDOG);
    for (unsigned i = 0; i < cfg.TagEntries - !full; i++) get(&w, i, PLAIN, 1, 0x0f);
    put(&w, PUTS, 52, 0xff);
    get(&w, 90, GETS, 30, 0xff);
    EQ(w.m->lane[1].tail - w.m->lane[1].head, 1);
    wr32(&w, AA_REG_AA_CPL_TMO, 0);
    start();
    EQ(late(0, 1000, "aa_decide") != 0, !full);
    world_free(&w);
  }
}

static const char *gives_up(unsigned lane) {
  return record((aa_retire_rec){.kind = AA_RET_DECIDE, .flag = true, .lane = (uint8_t)lane, .code = AA_OUT_LOST});
}

static void watchdog_early(void) {
  wait_for_space(true, WDOG);
  CHECK(!gives_up(0));           // no cycle was told of: nothing is asked of time
  uint64_t from = w.m->now + 1;  // the cycle after the record that made it wait
  pass(WDOG);
  EQ(w.m->now, from + WDOG - 1);
  const char *block = gives_up(0);
  CHECK(block && !strcmp(block, "aa_decide") && strstr(t.text, "AA_WDOG 100"));
  pass(1);
  CHECK(!gives_up(0));
  EQ(t.count[AA_TIMER_WDOG].fired, 2);
  CHECK(gives_up(1) && strstr(t.text, "want room waited for"));  // nothing waits there
  EQ(t.count[AA_TIMER_WDOG].stopped, 0);
  world_free(&w);
  // how late it was is told in free cycles
  wait_for_space(true, WDOG);
  pass(lane_lag() + 3 * WDOG / 2);
  CHECK(!gives_up(0));
  EQ(t.count[AA_TIMER_WDOG].latest, 0);
  pass(7);
  CHECK(!gives_up(0));
  EQ(t.count[AA_TIMER_WDOG].latest, 7);
  EQ(t.count[AA_TIMER_WDOG].limit, lane_lag());
  world_free(&w);
}

// A wait that ends by itself while the watchdog runs has stopped it; one without a watchdog, or none, has not.
static void watchdog_stopped(void) {
  for (unsigned on = 0; on < 2; on++) {
    wait_for_space(true, on ? WDOG : 0);
    pass(1);
    EQ(record((aa_retire_rec){.kind = AA_RET_DECIDE, .lane = 1}) != NULL, 0);
    EQ(t.count[AA_TIMER_WDOG].stopped, 0);
    EQ(record((aa_retire_rec){.kind = AA_RET_DECIDE, .lane = 0}) != NULL, 0);
    EQ(t.count[AA_TIMER_WDOG].stopped, on);
    EQ(t.count[AA_TIMER_WDOG].fired, 0);
    world_free(&w);
  }
}

// TMO-5: a stall that has seen two values may end after the smaller, and ends after the larger, counted from the write.
static void watchdog_changed(void) {
  static const struct {
    uint32_t first, then, least;
  } k[] = {{WDOG, 4 * WDOG, WDOG}, {4 * WDOG, WDOG, WDOG}, {WDOG, 0, WDOG}};
  for (unsigned i = 0; i < 3; i++) {
    wait_for_space(true, k[i].first);
    uint64_t from = w.m->now + 1;
    pass(10);
    set(AA_REG_AA_WDOG, k[i].then);
    while (w.m->now < from + k[i].least - 1) pass(1);
    CHECK(gives_up(0));
    pass(1);
    CHECK(!gives_up(0));
    world_free(&w);
  }
  wait_for_space(true, 0);  // what was off has counted nothing
  pass(50);
  set(AA_REG_AA_WDOG, WDOG);
  pass(WDOG - 1);
  CHECK(gives_up(0));
  pass(1);
  CHECK(!gives_up(0));
  world_free(&w);
  wait_for_space(true, WDOG);  // late: from the write on
  pass(2 * lane_lag() + 3 * WDOG / 2);
  set(AA_REG_AA_WDOG, 4 * WDOG);
  unsigned n = late(0, 2000, "aa_decide");
  CHECK(n > 3 * 4 * WDOG / 2 + lane_lag() && n <= 3 * 4 * WDOG / 2 + lane_lag() + AA_TIME_ACCESS + 1);
  world_free(&w);
}

// ---- TMO-2: a read

// Whose requester is reset, or is that of AA_RESET, ends whenever it does; that is no time-out.
static void read_ended(void) {
  static const struct {
    bool reset, go;
    uint16_t rid;
    bool early;
  } k[] = {{false, false, 0, true},   {true, false, 0, false},  {false, true, SID, false},
           {false, true, 0x99, true}, {true, true, SID, false}, {false, false, SID, true}};
  for (unsigned i = 0; i < sizeof k / sizeof *k; i++) {
    begin();
    wr32(&w, AA_REG_AA_CPL_TMO, TMO);
    get(&w, 3, PLAIN, 1, 0x0f);
    start();
    pass(5);
    unsigned entry = 0;
    while (entry < cfg.TagEntries && !w.m->tags.tag[entry].live) entry++;
    w.m->tags.tag[entry].reset = k[i].reset;
    w.m->fn_go = k[i].go;
    w.m->fn_rid = k[i].rid;
    aa_retire_rec r = {.kind = AA_RET_TIMEOUT, .idx = (uint8_t)entry};
    const char *block = record(r);
    EQ(block != NULL, k[i].early);
    CHECK(!block || !strcmp(block, "aa_tag_buf"));
    EQ(t.count[AA_TIMER_CPL].fired, k[i].early);
    r.flag = true;  // its log closes: no matter of time either
    CHECK(!record(r));
    w.m->fn_go = false;
    world_free(&w);
  }
}

// ---- TMO-3: a flush

static unsigned waiter_lag(void) { return AA_TIME_FLUSH + AA_TIME_WAITER + 2 * cfg.FlushWaiters; }

static void hold(uint32_t tmo) {
  begin();
  log_open(&w, 0, 5, 8, 0);
  wr32(&w, AA_REG_AA_FLUSH_TMO, tmo);
  put(&w, PUTS, 1, 0x0f);
  get(&w, 4, FLUSH, 1, 0x0f);
  EQ(w.m->flush.used, 1);
  start();
}

static aa_retire_rec answer(bool undone) {
  return (aa_retire_rec){.kind = AA_RET_NOTIFY, .code = AA_NOTE_FLUSH, .idx = 0, .flag = undone};
}

static void flush_late(void) {
  const unsigned lag = waiter_lag(), all = TMO + lag + 1;
  static const unsigned others[] = {AA_SHOWN_HOST, AA_SHOWN_WRITE, AA_SHOWN_NO_NP, WRITE_0, WRITE_1, WRITE_2};
  hold(0);
  EQ(late(0, 2000, ""), 0);
  world_free(&w);
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
    hold(TMO);
    EQ(late(others[i], 2000, "aa_flush_buf"), all);
    CHECK(strstr(t.text, "flush answer of waiter 0"));
    world_free(&w);
  }
  hold(TMO);
  EQ(late(AA_SHOWN_DEV, 2000, ""), 0);
  world_free(&w);
  for (unsigned i = 0; i < 4; i++) {  // whatever ends it
    hold(0);
    aa_waiter *f = &w.m->flush.waiter[0];
    if (i == 0) f->torn = true;
    if (i == 1) f->reset = true;
    if (i == 2) f->must = true;
    if (i == 3) w.m->logs.log[0].cons = f->snapshot;
    EQ(late(0, 2000, "aa_flush_buf"), lag + 1);
    world_free(&w);
  }
  hold(TMO);  // a note of another takes its turn
  pass(all - 1);
  after((aa_retire_rec){.kind = AA_RET_NOTIFY, .code = AA_NOTE_FAULT});
  EQ(late(0, 2000, "aa_flush_buf"), AA_TIME_WAITER + 1);
  world_free(&w);
}

static void flush_early(void) {
  hold(TMO);
  uint64_t from = w.m->flush.waiter[0].since;
  while (w.m->now < from + TMO - 1) pass(1);
  CHECK(record(answer(true)) && strstr(t.text, "of waiter 0, held in cycle"));
  pass(1);
  EQ(w.m->now, from + TMO);
  CHECK(!record(answer(true)));
  EQ(t.count[AA_TIMER_FLUSH].fired, 2);
  EQ(t.count[AA_TIMER_FLUSH].stopped, 0);
  pass(5);
  CHECK(!record(answer(true)));
  EQ(t.count[AA_TIMER_FLUSH].latest, 5);
  EQ(t.count[AA_TIMER_FLUSH].limit, waiter_lag());
  world_free(&w);
  for (unsigned i = 0; i < 3; i++) {  // by what is no time
    hold(TMO);
    pass(1);
    aa_retire_rec r = answer(i != 0);
    if (i == 1) w.m->flush.waiter[0].torn = true;
    if (i == 2) r.slot = 1;  // reset
    CHECK(!record(r));
    EQ(t.count[AA_TIMER_FLUSH].fired, 0);
    EQ(t.count[AA_TIMER_FLUSH].stopped, 1);
    world_free(&w);
  }
  // TMO-5: what the old value has found due may still come, for as long as it may take
  hold(TMO);
  pass(TMO);
  set(AA_REG_AA_FLUSH_TMO, 10 * TMO);
  pass(waiter_lag() - 1);
  CHECK(!record(answer(true)));
  pass(2);
  CHECK(record(answer(true)));
  world_free(&w);
}

// ---- TMO-4: what a log has to tell

static unsigned log_lag(void) { return AA_TIME_NOTIFY + (cfg.NumLogs > 4 ? cfg.NumLogs : 4); }

// An entry of 32 bytes is published in the log, whose interval begins; it is armed.
static void publish(uint32_t cycles) {
  begin();
  wr(&w, AA_REG_LOG_TIME, cycles);
  wr(&w, AA_REG_LOG_MSIA, 0xfee00000);
  log_open(&w, 0, 5, 8, AA_LOG_CFG_MSI_MASK);
  consume(&w, 0, 0);  // arms
  put(&w, PUTS, 1, 0x0f);
  EQ(w.m->logs.log[0].unread && w.m->logs.log[0].armed, 1);
  start();
}

static aa_retire_rec note(unsigned code, unsigned log) {
  return (aa_retire_rec){.kind = AA_RET_NOTIFY, .code = (uint8_t)code, .idx = (uint8_t)log};
}
static void due_ptr(void) { w.m->logs.log[0].ptr_due = true; }
static void due_free(void) { w.m->logs.log[0].alarm = true; }
static void due_interval(void) {}

static void log_late(void) {
  static const unsigned others[] = {0, AA_SHOWN_HOST, AA_SHOWN_DEV, AA_SHOWN_WRITE, AA_SHOWN_NO_NP, WRITE_0, WRITE_1};
  const unsigned lag = log_lag();
  const struct {
    void (*make)(void);
    const char *text;
    unsigned all;
  } k[] = {{due_ptr, "pointer in memory of log 0", lag + 1},
           {due_free, "free-space MSI of log 0", lag + 1},
           {due_interval, "MSI interval of log 0", 2 * lag + PERIOD + 1}};
  for (unsigned i = 0; i < sizeof k / sizeof *k; i++) {
    for (unsigned j = 0; j < sizeof others / sizeof *others; j++) {
      publish(PERIOD);
      k[i].make();
      EQ(late(others[j], 2000, "aa_notify"), k[i].all);
      CHECK(strstr(t.text, k[i].text));
      world_free(&w);
    }
    publish(PERIOD);
    k[i].make();
    EQ(late(WRITE_2, 2000, ""), 0);
    world_free(&w);
    // a note of another log, or of none, takes a turn; a visit of its own begins anew
    publish(PERIOD);
    k[i].make();
    pass(k[i].all - 1);
    after(note(AA_NOTE_PTR, 1));
    EQ(late(0, 2000, "aa_notify"), AA_TIME_NOTE + 1);
    world_free(&w);
    static const unsigned own[] = {AA_NOTE_PTR, AA_NOTE_MSI, AA_NOTE_TASK};
    for (unsigned j = 0; j < 3; j++) {
      publish(PERIOD);
      k[i].make();
      pass(k[i].all - 1);
      after(note(own[j], 0));
      EQ(late(0, 2000, "aa_notify"), lag + 1);
      world_free(&w);
    }
    // while a log closes, register accesses hold it up
    for (unsigned closing = 0; closing < 2; closing++) {
      publish(PERIOD);
      k[i].make();
      w.m->logs.log[1].closing = closing;
      bool any = false;
      for (unsigned n = 0; n < 300; n++) {
        access();
        any = any || late(0, 10, "aa_notify");
      }
      EQ(any, !closing);
      world_free(&w);
    }
  }
  publish(0);  // no interval
  EQ(late(0, 2000, ""), 0);
  world_free(&w);
  publish(PERIOD);  // not armed
  w.m->logs.log[0].armed = false;
  EQ(late(0, 2000, ""), 0);
  world_free(&w);
}

// An accepted write of the consumer begins the interval anew.
static void consumed(void) {
  const unsigned all = 2 * log_lag() + PERIOD + 1;
  for (unsigned accepted = 0; accepted < 2; accepted++) {
    publish(PERIOD);
    put(&w, PUTS, 1, 0x0f);
    pass(all - 1);
    uint64_t since = w.m->logs.log[0].since;
    if (accepted) w.m->logs.log[0].since = w.m->now, w.m->logs.log[0].cons = 32;
    after((aa_retire_rec){.kind = AA_RET_REG_WRITE, .idx = 15, .a = AA_REG_LP_CONS, .b = accepted ? 32 : 1});
    EQ(late(0, 2000, "aa_notify"), accepted ? all : 1);
    EQ(t.count[AA_TIMER_INTERVAL].stopped, accepted);
    CHECK(since < w.m->now);
    world_free(&w);
  }
  publish(PERIOD);  // nothing unread is left: nothing is due
  pass(all - 1);
  w.m->logs.log[0].unread = false;
  w.m->logs.log[0].cons = 32;
  EQ(late(0, 2000, ""), 0);
  EQ(t.count[AA_TIMER_INTERVAL].stopped, 1);
  world_free(&w);
}

// It may have made an MSI stale for which the pointer had to wait: once, for then the pointer comes first.
static void accept(uint64_t cons) {
  w.m->logs.log[0].since = w.m->now;
  after((aa_retire_rec){.kind = AA_RET_REG_WRITE, .idx = 15, .a = AA_REG_LP_CONS, .b = cons});
}
static void missed(void) {
  const unsigned lag = log_lag();
  for (unsigned before = 0; before < 2; before++) {
    publish(0);
    if (before) accept(32);  // nothing was due yet
    due_ptr();
    pass(lag);
    accept(64);
    EQ(late(0, 2000, "aa_notify"), lag + 1);
    CHECK(strstr(t.text, "pointer in memory of log 0"));
    world_free(&w);
  }
  for (unsigned told = 0; told < 2; told++) {
    publish(0);
    due_ptr();
    pass(lag);
    accept(32);
    pass(lag);
    if (told) after(note(AA_NOTE_PTR, 0));
    pass(told * lag);
    accept(64);
    EQ(late(0, 2000, "aa_notify"), told ? lag + 1 : 1 + AA_TIME_STALE);
    world_free(&w);
  }
}

static void log_early(void) {
  publish(PERIOD);
  uint64_t from = w.m->logs.log[0].since;
  while (w.m->now < from + PERIOD - 1) pass(1);
  CHECK(record(note(AA_NOTE_MSI, 0)) && strstr(t.text, "of log 0, begun in cycle"));
  pass(1);
  CHECK(!record(note(AA_NOTE_MSI, 0)));
  EQ(t.count[AA_TIMER_INTERVAL].fired, 2);
  CHECK(!record(note(AA_NOTE_TASK, 0)) && !record(note(AA_NOTE_LOG_OFF, 0)) && !record(note(AA_NOTE_FAULT, 0)));
  EQ(t.count[AA_TIMER_INTERVAL].fired, 2);
  EQ(t.count[AA_TIMER_FREE].fired, 0);  // nothing else is counted for these
  EQ(t.count[AA_TIMER_POINTER].fired, 0);
  CHECK(!record(note(AA_NOTE_PTR, 0)));
  EQ(t.count[AA_TIMER_POINTER].fired, 1);
  world_free(&w);
  publish(PERIOD);  // for want of space it needs no interval
  due_free();
  pass(3);
  CHECK(!record(note(AA_NOTE_MSI, 0)));
  EQ(t.count[AA_TIMER_FREE].fired, 1);
  EQ(t.count[AA_TIMER_FREE].latest, 3);
  EQ(t.count[AA_TIMER_INTERVAL].fired, 0);
  CHECK(!record(note(AA_NOTE_MSI, cfg.NumLogs)));  // no such log: not a matter of time
  world_free(&w);
}

// ---- TMO-6: a walk for a request that hits

static void walks(void) {
  wait_for_space(true, WDOG);  // its page is in the IOTLB
  aa_retire_rec walk = {.kind = AA_RET_WALK, .lane = 0, .idx = (uint8_t)w.m->lane[0].head};
  pass(10);
  CHECK(record(walk) && strstr(t.text, "want a hit"));
  after((aa_retire_rec){.kind = AA_RET_FILL});
  CHECK(!record(walk));
  pass(AA_TIME_LOOKUP);
  CHECK(!record(walk));
  pass(1);
  const char *block = record(walk);
  CHECK(block && !strcmp(block, "aa_xlt"));
  EQ(t.hit_walks, 4);
  walk.idx++;  // no request is there
  CHECK(!record(walk));
  put(&w, PLAIN, 1, 0x0f);  // one that misses
  CHECK(!record(walk));
  EQ(t.hit_walks, 4);
  world_free(&w);
}

static void names(void) {
  static const char *const want[][2] = {{"watchdog", "aa_decide"},        {"completion time-out", "aa_tag_buf"},
                                        {"flush answer", "aa_flush_buf"}, {"MSI interval", "aa_notify"},
                                        {"free-space MSI", "aa_notify"},  {"pointer in memory", "aa_notify"}};
  for (unsigned i = 0; i < AA_TIMERS; i++) {
    CHECK(!strcmp(aa_timer_name(i), want[i][0]));
    CHECK(!strcmp(aa_timer_block(i), want[i][1]));
  }
  CHECK(!strcmp(aa_timer_name(AA_TIMERS), "?") && !strcmp(aa_timer_block(AA_TIMERS), "?"));
}

int main(void) {
  aa_config_default(&cfg);
  cfg.TagEntries = 4;
  names();
  watchdog_late();
  two_lanes();
  lacks_more();
  watchdog_early();
  watchdog_stopped();
  watchdog_changed();
  read_ended();
  flush_late();
  flush_early();
  log_late();
  consumed();
  missed();
  log_early();
  walks();
  return report();
}
