// SPDX-License-Identifier: Apache-2.0
// Active Access as a program sees it: one node puts, the other one's pages ring.
#include <poll.h>
#include <pthread.h>

#include "internal.h"
#include "scene.h"

typedef struct heard {
  unsigned n;
  size_t bytes;
  toc_access last;
  uint8_t data[4096];
} heard;

static void on_access(void *arg, const toc_access *a) {
  heard *h = arg;
  h->n++;
  h->last = *a;
  if (a->data && h->bytes + a->bytes <= sizeof h->data) memcpy(h->data + h->bytes, a->data, a->bytes);
  h->bytes += a->bytes;
}

static void put(scene *s, uint64_t at, uint32_t bytes) {
  toc_req r;
  OK(toc_put(s->ab, s->near, toc_at(s->there, at), bytes, &r));
  OK(toc_wait(r, 0));
}

// A put to a page that logs: memory changes, and the handler is told what and where.
static void logged_put(void) {
  scene s;
  heard h = {0};
  toc_log *log;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = on_access, .arg = &h}));
  memcpy(s.near, "ring my bell", 12);
  put(&s, 40, 12);
  CHECK(!memcmp(s.far + 40, "ring my bell", 12));
  EQ(h.n, 0);  // nobody has run the handlers
  OK(toc_log_wait(log, 0));
  OK(toc_log_run(log, 0));
  EQ(h.n, 1);
  EQ(h.last.kind, TOC_PUT);
  EQ(h.last.bytes, 12);
  EQ(h.last.requester, toc_proc_requester(s.b));
  CHECK(h.last.target == s.far + 40);
  CHECK(!h.last.denied && !h.last.aborted);
  CHECK(!memcmp(h.data, "ring my bell", 12));
  scene_close(&s);
}

// Each action for puts: is memory changed, is there a record, has it data.
static void put_actions(void) {
  static const struct {
    const char *name;
    bool done, record, data;
  } want[] = {{"none", true, false, false},       {"count", true, true, false},   {"log", true, true, true},
              {"count+log", true, true, true},    {"block", false, false, false}, {"redirect", false, true, true},
              {"block+count", false, true, false}};
  scene s;
  toc_log *log;
  unsigned action;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    heard h = {0};
    OK(toc_action_parse(want[i].name, &action));
    if (action)
      OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = action, .log = log, .handler = on_access, .arg = &h}));
    s.near[3] = (uint8_t)(i + 1);
    s.far[3] = 0;
    put(&s, 0, 13);
    OK(toc_log_run(log, 0));
    EQ(s.far[3], want[i].done ? i + 1 : 0);
    EQ(h.n, want[i].record);
    if (h.n) {
      EQ(h.last.denied, !want[i].done);
      EQ(h.last.data != NULL, want[i].data);
      EQ(h.last.bytes, 13);
      if (want[i].data) EQ(h.data[3], i + 1);
    }
  }
  scene_close(&s);
}

// Gets: what the reader was given is in the record; a get of a page that blocks fails.
static void get_actions(void) {
  scene s;
  toc_log *log;
  toc_req r;
  heard h = {0};
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  for (unsigned i = 0; i < 700; i++) s.far[i] = (uint8_t)(i * 3);
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.get = TOC_LOG, .log = log, .handler = on_access, .arg = &h}));
  OK(toc_get(s.ab, s.near, toc_at(s.there, 5), 600, &r));
  OK(toc_wait(r, 0));
  OK(toc_log_run(log, 0));
  EQ(h.bytes, 600);  // in as many records as there were reads
  EQ(h.last.kind, TOC_GET);
  CHECK(!memcmp(h.data, s.far + 5, 600) && !memcmp(s.near, s.far + 5, 600));
  h = (heard){0};
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.get = TOC_COUNT, .log = log, .handler = on_access, .arg = &h}));
  OK(toc_get(s.ab, s.near, s.there, 4, &r));
  OK(toc_wait(r, 0));
  OK(toc_log_run(log, 0));
  CHECK(h.n == 1 && h.last.bytes == 4 && !h.last.data && !h.last.denied);
  OK(toc_associate(s.b, s.far, 4096,
                   &(toc_rule){.get = TOC_BLOCK | TOC_COUNT, .log = log, .handler = on_access, .arg = &h}));
  OK(toc_get(s.ab, s.near, s.there, 4, &r));
  IS(toc_wait(r, 0), TOC_E_REMOTE);
  OK(toc_log_run(log, 0));
  CHECK(h.n == 2 && h.last.denied && !h.last.data);
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.get = TOC_REDIRECT, .log = log, .handler = on_access, .arg = &h}));
  OK(toc_connect(s.a, s.b, &s.ab, &s.ba));  // the responder of the other one has stopped
  OK(toc_get(s.ab, s.near, s.there, 4, &r));
  IS(toc_wait(r, 0), TOC_E_REMOTE);
  OK(toc_log_run(log, 0));
  CHECK(h.n == 3 && h.last.denied && !h.last.data);  // data never leave memory for who may not read it
  scene_close(&s);
}

// An atomic on a page that logs puts: its operands are recorded, and it is done.
static void atomics(void) {
  scene s;
  toc_log *log;
  toc_req r;
  heard h = {0};
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = on_access, .arg = &h}));
  s.far[16] = 40;
  OK(toc_fetch_add(s.ab, (uint64_t *)(void *)s.near, toc_at(s.there, 16), 2, &r));
  OK(toc_wait(r, 0));
  EQ(s.near[0], 40);
  EQ(s.far[16], 42);
  OK(toc_log_run(log, 0));
  CHECK(h.n == 1 && h.last.kind == TOC_ATOMIC_ACCESS && h.last.nwords == 2);
  EQ(h.data[0], 2);
  scene_close(&s);
}

// Watched pages need no log: the access is done, and a fault record tells the page.
static void watched(void) {
  scene s;
  toc_event e;
  if (!scene_open(&s, NULL)) return;
  OK(toc_associate(s.b, s.far + 8192, 4096, &(toc_rule){.put = TOC_WATCH}));
  s.near[0] = 17;
  put(&s, 8192 + 100, 1);
  EQ(s.far[8192 + 100], 17);
  OK(toc_event_next(s.b, &e, 0));
  EQ(e.kind, TOC_EVENT_FAULT);
  EQ(e.index, 0xa0);
  EQ(e.value, s.there.addr + 8192);
  scene_close(&s);
}

// Rules replace each other by page, and go away; pages that only redirect need no memory.
static void rules(void) {
  scene s;
  toc_log *log;
  toc_remote bare;
  heard left = {0}, right = {0}, none = {0};
  toc_req r;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  toc_rule rule = {.put = TOC_COUNT, .log = log, .handler = on_access, .arg = &left};
  OK(toc_associate(s.b, s.far, 16384, &rule));
  rule.arg = &right;
  OK(toc_associate(s.b, s.far + 4096, 4096, &rule));  // cuts the first one in two
  for (unsigned i = 0; i < 4; i++) put(&s, 4096 * i, 1);
  OK(toc_log_run(log, 0));
  EQ(left.n, 3);
  EQ(right.n, 1);
  OK(toc_dissociate(s.b, s.there.addr + 8192, 8192));
  for (unsigned i = 0; i < 4; i++) put(&s, 4096 * i, 1);
  OK(toc_log_run(log, 0));
  EQ(left.n, 4);
  EQ(right.n, 2);
  OK(toc_associate_iova(
      s.b, 0x50000000, 4096,
      &(toc_rule){.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = log, .handler = on_access, .arg = &none}));
  OK(toc_expose_iova(s.b, 0x50000000, 4096, TOC_WRITE, &bare));
  OK(toc_put(s.ab, s.near, toc_at(bare, 8), 8, &r));
  OK(toc_wait(r, 0));
  OK(toc_log_run(log, 0));
  CHECK(none.n == 1 && none.last.addr == 0x50000008 && !none.last.target);
  IS(toc_free(s.b, s.far), TOC_E_IN_USE);
  OK(toc_log_close(log));                  // and its rules with it
  IS(toc_free(s.b, s.far), TOC_E_IN_USE);  // peers may still use it
  OK(toc_hide(s.b, s.there));
  OK(toc_free(s.b, s.far));
  scene_close(&s);
}

static void wrong(void) {
  scene s;
  toc_log *log, *other;
  unsigned action;
  if (!scene_open(&s, NULL)) return;
  IS(toc_log_open(s.b, &(toc_log_options){.bytes = 100}, &log), TOC_E_ARG);
  IS(toc_log_open(s.b, &(toc_log_options){.notify = (toc_notify)9}, &log), TOC_E_ARG);
  OK(toc_log_open(s.b, NULL, &log));
  OK(toc_log_open(s.a, NULL, &other));
  IS(toc_associate(s.b, s.far, 100, &(toc_rule){.put = TOC_LOG, .log = log}), TOC_E_ALIGN);
  IS(toc_associate(s.b, s.far + 8, 4096, &(toc_rule){.put = TOC_LOG, .log = log}), TOC_E_ALIGN);
  IS(toc_associate(s.b, s.near, 4096, &(toc_rule){.put = TOC_LOG, .log = log}), TOC_E_RANGE);
  IS(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG}), TOC_E_ARG);
  IS(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = other}), TOC_E_ARG);
  IS(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_WATCH, .get = TOC_LOG, .log = log}), TOC_E_ACTION);
  IS(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = 32}), TOC_E_ACTION);
  IS(toc_associate(s.b, s.far, 4096, &(toc_rule){.log = log}), TOC_E_ACTION);
  IS(toc_associate_iova(s.b, 0x50000000, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log}), TOC_E_RANGE);
  IS(toc_action_parse("count+wash", &action), TOC_E_ACTION);
  IS(toc_dissociate(s.b, 5, 4096), TOC_E_ALIGN);
  scene_close(&s);
}

// Records are read in place, in order, around the ring's end many times; space goes back in batches.
static void batches(void) {
  scene s;
  toc_log *log;
  toc_access a;
  uint64_t rng = seed * 3 + 1;
  uint32_t sent = 0, seen = 0;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, &(toc_log_options){.bytes = 1024}, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log}));
  for (unsigned turn = 0; turn < scene_few(300) && !failed; turn++) {
    unsigned n = 1 + scene_random(&rng) % 5;
    for (unsigned i = 0; i < n; i++, sent++) {
      uint8_t *at = s.near + 256 * (sent % 16);
      memset(at, (int)(sent & 0xff), 256);
      memcpy(at, &sent, 4);
      OK(toc_put(s.ab, at, toc_at(s.there, 0), 4 + sent % 97, NULL));
    }
    OK(toc_wait_all(s.ab, 0));
    while (toc_log_next(log, &a)) {
      uint32_t number;
      EQ(a.bytes, 4 + seen % 97);
      memcpy(&number, a.data, 4);
      EQ(number, seen);
      for (size_t k = 4; k < a.bytes; k++)
        if (a.data[k] != (seen & 0xff)) failed++;
      seen++;
      CHECK(a.data >= (const uint8_t *)0 + 1 && ((uintptr_t)a.words & 15) == 0);
    }
    OK(toc_log_release(log));
  }
  EQ(seen, sent);
  toc_log_state st;
  OK(toc_log_inspect(log, &st));
  EQ(st.producer, st.consumer);
  CHECK(st.producer > 2 * 1024 && !st.lost && !st.aborted);
  EQ(st.records, sent);
  scene_close(&s);
}

// A log that nobody reads. Stalling: what comes waits, and goes on when there is room. Dropping: it
// is told. Nobody hangs.
static void full(bool drop) {
  scene s;
  toc_log *log;
  toc_req r = {0};
  toc_log_state st;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, &(toc_log_options){.bytes = 256, .drop = drop}, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log}));
  for (unsigned i = 0; i < 20; i++) OK(toc_put(s.ab, s.near, s.there, 16, &r));  // 32 bytes each: 8 fit
  toc_status end = toc_wait(r, 50);
  OK(toc_log_inspect(log, &st));
  EQ(st.producer - st.consumer, 256);
  unsigned n = 0;
  toc_access a;
  if (drop) {
    EQ(end, TOC_OK);
    CHECK(st.lost);
    while (toc_log_next(log, &a)) n++;
    EQ(n, 8);
    OK(toc_log_release(log));
    put(&s, 0, 16);
    CHECK(toc_log_next(log, &a));
  } else {
    for (unsigned turn = 0; n < 20 && turn < 200; turn++) {
      while (toc_log_next(log, &a)) n++;
      OK(toc_log_release(log));
      toc_progress(s.f);
    }
    OK(toc_wait(r, 0));
    while (toc_log_next(log, &a)) n++;
    EQ(n, 20);
    OK(toc_log_inspect(log, &st));
    CHECK(!st.lost);
  }
  OK(toc_log_close(log));
  scene_close(&s);
}

// A full log stalls the wire while its owner reads from afar and rings doorbells: what it then frees in the log is
// heard at once, and the watchdog (67 ms), which would take records with it, has nothing to do.
static void full_and_ringing(void) {
  scene s;
  toc_log *log;
  toc_req put = {0}, get = {0}, more = {0};
  toc_remote back;
  toc_log_state st;
  toc_access a;
  uint8_t *got;
  if (!scene_open(&s, NULL)) return;
  OK(toc_alloc(s.b, 16384, TOC_READ | TOC_WRITE, (void **)&got));
  OK(toc_expose(s.a, s.near, 16384, TOC_READ | TOC_WRITE, &back));
  for (unsigned i = 0; i < 16384; i++) s.near[i] = (uint8_t)(i * 7);
  OK(toc_log_open(s.b, &(toc_log_options){.bytes = 256}, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log}));
  OK(toc_get(s.ba, got, back, 16384, &get));
  for (unsigned i = 0; i < 20; i++) OK(toc_put(s.ab, s.near, s.there, 16, &put));
  IS(toc_wait(put, 5), TOC_E_TIMEOUT);
  uint64_t began = toc_now(s.f);
  for (unsigned i = 0; i < 4; i++) OK(toc_put(s.ba, got, toc_at(back, 64 * i), 16, &more));
  unsigned n = 0;
  while (n < 20 && toc_log_wait(log, 0) == TOC_OK) {
    while (toc_log_next(log, &a)) n++;
    OK(toc_log_release(log));
  }
  EQ(n, 20);
  OK(toc_wait(put, 0));
  OK(toc_wait(get, 0));
  OK(toc_wait(more, 0));
  CHECK(toc_now(s.f) - began < 30000000);
  EQ(got[16383], (uint8_t)(16383 * 7));
  OK(toc_log_inspect(log, &st));
  CHECK(!st.lost);
  scene_close(&s);
}

// A full log that its owner gives up: closing it lets what waits go on, to plain memory.
static void given_up(void) {
  scene s;
  toc_log *log;
  toc_req r = {0};
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, &(toc_log_options){.bytes = 256}, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log}));
  for (unsigned i = 0; i < 20; i++) {
    s.near[16 * i] = (uint8_t)(i + 1);
    OK(toc_put(s.ab, s.near + 16 * i, toc_at(s.there, 16 * i), 16, &r));
  }
  toc_status taken = toc_wait(r, 50);  // the NIC has taken them, the IOMMU holds them
  CHECK(taken == TOC_OK || taken == TOC_E_TIMEOUT);
  EQ(toc_log_unread(log), 256);
  EQ(s.far[16 * 19], 0);
  OK(toc_log_close(log));
  OK(toc_wait(r, 0));
  for (unsigned i = 0; i < 100 && !s.far[16 * 19]; i++) toc_progress(s.f);
  EQ(s.far[16 * 7], 0);  // was in the log
  EQ(s.far[16 * 19], 20);
  scene_close(&s);
}

// A ring that somebody has written into: nothing is read beyond it, and it is said.
static void spoilt(void) {
  static const struct {
    unsigned at;
    uint64_t value;
  } bad[] = {{8, 0},
             {8, 1ull << 12 | 1ull << 18 | 2047ull << 19},
             {8, 7ull << 12 | 2047ull << 19},
             {8, 5ull << 12},
             {8, 1ull << 12 | 1ull << 18 | 16ull << 19}};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    scene s;
    toc_log *log;
    toc_access a;
    heard h = {0};
    if (!scene_open(&s, NULL)) return;
    OK(toc_log_open(s.b, &(toc_log_options){.bytes = 4096}, &log));
    OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = on_access, .arg = &h}));
    put(&s, 0, 8);
    OK(toc_log_wait(log, 0));
    toc_i_put((uint8_t *)((toc_i_log *)toc_i_object(TOC_I_log, log, "", ""))->ring.ptr + bad[i].at, 8, bad[i].value);
    IS(toc_log_run(log, 0), TOC_E_DEVICE);
    CHECK(!toc_log_next(log, &a) && h.n == 0);
    OK(toc_log_wait(log, 0));
    IS(toc_log_release(log), TOC_E_DEVICE);
    OK(toc_log_close(log));
    scene_close(&s);
  }
}

// Memory that has refused the newest producer pointer shows an older one: what the device has said before stays.
static void older_pointer(void) {
  scene s;
  toc_log *log;
  toc_access a;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_COUNT, .log = log}));
  for (unsigned i = 0; i < 3; i++) put(&s, i, 8);
  OK(toc_log_wait(log, 0));
  const uint32_t unread = toc_log_unread(log);
  const toc_i_log *l = toc_i_object(TOC_I_log, log, "", "");
  *l->pointer = unread / 3;
  EQ(toc_log_unread(log), unread);
  for (unsigned i = 0; i < 3; i++) CHECK(toc_log_next(log, &a) && a.target == (uint8_t *)s.far + i);
  CHECK(!toc_log_next(log, &a));
  OK(toc_log_close(log));
  scene_close(&s);
}

// The three ways of being told.
static void notified(void) {
  scene s;
  toc_log *log;
  heard h = {0};
  uint64_t before, after;
  if (!scene_open(&s, NULL)) return;
  toc_rule rule = {.put = TOC_COUNT, .handler = on_access, .arg = &h};
  OK(toc_log_open(s.b, &(toc_log_options){.notify = TOC_NOTIFY_INTERRUPT, .age_us = 2}, &log));
  rule.log = log;
  OK(toc_associate(s.b, s.far, 4096, &rule));
  struct pollfd fd = {.fd = toc_log_fd(log), .events = POLLIN};
  EQ(poll(&fd, 1, 0), 0);
  put(&s, 0, 8);
  for (unsigned i = 0; i < 100 && !poll(&fd, 1, 0); i++) toc_progress(s.f);
  EQ(poll(&fd, 1, 0), 1);
  OK(toc_log_wait(log, 0));
  EQ(poll(&fd, 1, 0), 0);  // toc_log_wait has taken it
  OK(toc_log_run(log, 0));
  EQ(h.n, 1);
  OK(toc_log_close(log));
  OK(toc_log_open(s.b, &(toc_log_options){.notify = TOC_NOTIFY_SCRATCHPAD}, &log));
  rule.log = log;
  OK(toc_associate(s.b, s.far, 4096, &rule));
  EQ(toc_log_fd(log), -1);
  put(&s, 0, 8);
  OK(toc_log_wait(log, 0));
  OK(toc_log_run(log, 0));
  EQ(h.n, 2);
  OK(toc_log_close(log));
  OK(toc_log_open(s.b, NULL, &log));
  rule.log = log;
  OK(toc_associate(s.b, s.far, 4096, &rule));
  put(&s, 0, 8);
  OK(toc_count_aa(toc_node_at(s.f, 1), 14, &before));  // published
  EQ(toc_log_unread(log), 16);
  OK(toc_log_run(log, 0));
  EQ(h.n, 3);
  IS(toc_log_wait(log, 5), TOC_E_TIMEOUT);
  OK(toc_count_aa(toc_node_at(s.f, 1), 14, &after));
  EQ(before, after);
  EQ(before, 3);
  scene_close(&s);
}

// A flush returns when the handlers have seen all that came before it, and not earlier.
static void flushed(void) {
  scene s;
  toc_log *log;
  toc_remote page;
  heard h = {0};
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, &(toc_log_options){.automatic = true}, &log));
  OK(toc_flush_page(log, &page));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = on_access, .arg = &h}));
  for (unsigned i = 1; i <= 20; i++) {
    OK(toc_put(s.ab, s.near, s.there, 64, NULL));
    if (i % 10) continue;
    OK(toc_flush(s.ab, page, 0));
    EQ(h.n, i);
  }
  OK(toc_log_close(log));
  OK(toc_log_open(s.b, NULL, &log));  // now one that nobody reads
  OK(toc_flush_page(log, &page));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = on_access, .arg = &h}));
  OK(toc_flush(s.ab, page, 0));  // nothing to wait for
  OK(toc_put(s.ab, s.near, s.there, 64, NULL));
  IS(toc_flush(s.ab, page, 20), TOC_E_TIMEOUT);                 // held
  if (!slow) IS(toc_flush(s.ab, page, 20000), TOC_E_NOT_DONE);  // 20 ms of silence
  OK(toc_log_run(log, 0));
  OK(toc_flush(s.ab, page, 0));
  EQ(h.n, 21);
  scene_close(&s);
}

// The other scheme: the handler replies how many it has handled; the initiator waits for that number.
typedef struct replier {
  toc_qp *back;
  toc_remote box;
  uint64_t done;
} replier;
static void on_put_reply(void *arg, const toc_access *a) {
  replier *r = arg;
  (void)a;
  if (++r->done % 8 == 0) OK(toc_reply(r->back, r->box, 2, r->done));  // batched
}
static void replied(void) {
  scene s;
  toc_log *log;
  toc_box *box;
  replier r = {0};
  if (!scene_open(&s, NULL)) return;
  OK(toc_box_open(s.a, 4, &box, &r.box));
  r.back = s.ba;
  OK(toc_log_open(s.b, &(toc_log_options){.automatic = true}, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log, .handler = on_put_reply, .arg = &r}));
  for (unsigned i = 0; i < 64; i++) OK(toc_put(s.ab, s.near, s.there, 8, NULL));
  OK(toc_box_wait(box, 2, 64, 0));
  EQ(r.done, 64);
  EQ(toc_box_value(box, 2), 64);
  EQ(toc_box_value(box, 1), 0);
  IS(toc_box_wait(box, 1, 1, 5), TOC_E_TIMEOUT);
  IS(toc_box_wait(box, 4, 1, 100), TOC_E_ARG);
  OK(toc_box_close(box));
  scene_close(&s);
}

// Several threads, each with a queue pair and a log of its own, on one fabric.
enum { THREADS = 3 };
static unsigned each;
typedef struct worker {
  scene *s;
  unsigned id;
  toc_status bad;
  unsigned heard;
} worker;
static void on_worker(void *arg, const toc_access *a) { ((worker *)arg)->heard += a->bytes == 32; }
static void *work(void *arg) {
  worker *w = arg;
  toc_proc *a, *b;
  toc_qp *qp;
  toc_log *log;
  uint8_t *near, *far;
  toc_remote there, page;
  toc_status s;
  if ((s = toc_proc_open(toc_node_at(w->s->f, 0), &a)) || (s = toc_proc_open(toc_node_at(w->s->f, 1), &b)) ||
      (s = toc_connect(a, b, &qp, NULL)) || (s = toc_alloc(a, 4096, TOC_READ, (void **)&near)) ||
      (s = toc_alloc(b, 4096, TOC_READ | TOC_WRITE, (void **)&far)) ||
      (s = toc_expose(b, far, 4096, TOC_WRITE, &there)) ||
      (s = toc_log_open(b, &(toc_log_options){.automatic = w->id & 1}, &log)) || (s = toc_flush_page(log, &page)) ||
      (s = toc_associate(b, far, 4096, &(toc_rule){.put = TOC_LOG, .log = log, .handler = on_worker, .arg = w}))) {
    w->bad = s;
    return NULL;
  }
  for (unsigned i = 0; i < each && !w->bad; i++) {
    toc_req r;
    if ((s = toc_put(qp, near, toc_at(there, 32 * i), 32, &r)) || (s = toc_wait(r, TOC_FOREVER))) w->bad = s;
    if (!(w->id & 1) && (s = toc_log_run(log, 0))) w->bad = s;
  }
  if (w->id & 1) w->bad = toc_flush(qp, page, TOC_FOREVER);
  toc_proc_close(a);
  toc_proc_close(b);
  return NULL;
}
static void threads(void) {
  scene s;
  pthread_t t[THREADS];
  worker w[THREADS];
  const unsigned n = seats ? THREADS - 1 : THREADS;  // contexts have a process of their own
  if (!scene_open(&s, NULL)) return;
  each = scene_few(60);
  for (unsigned i = 0; i < n; i++) {
    w[i] = (worker){.s = &s, .id = i};
    EQ(pthread_create(&t[i], NULL, work, &w[i]), 0);
  }
  for (unsigned i = 0; i < n; i++) {
    pthread_join(t[i], NULL);
    IS(w[i].bad, TOC_OK);
    EQ(w[i].heard, each);
  }
  scene_close(&s);
}

// A page that is not there: who gets it is not told, and gets it when it is there. With few tries it is told,
// and both ends begin anew.
static void absent_page(void) {
  enum { AT = 0x600000 };
  scene s;
  heard h = {0};
  toc_log *log;
  toc_qp *few, *back;
  toc_address ours, its;
  toc_remote there;
  toc_req r, behind, added;
  const unsigned rights = TOC_READ | TOC_WRITE | TOC_ATOMIC | TOC_PAGED;
  if (!scene_open(&s, NULL)) return;
  OK(toc_log_open(s.b, NULL, &log));
  const toc_rule shut = {
      .put = TOC_REDIRECT, .get = TOC_BLOCK | TOC_COUNT, .log = log, .handler = on_access, .arg = &h};
  OK(toc_associate_iova(s.b, AT, 4096, &shut));
  IS(toc_expose_iova(s.b, AT, 4096, TOC_PAGED, &there), TOC_E_ARG);
  OK(toc_expose_iova(s.b, AT, 4096, rights, &there));
  memset(s.far, 0x5a, 4096);
  OK(toc_get(s.ab, s.near, there, 64, &r));
  OK(toc_put(s.ab, s.near + 128, toc_at(s.there, 8192), 8, &behind));
  OK(toc_fetch_add(s.ab, (uint64_t *)(void *)(s.near + 256), toc_at(there, 64), 1, &added));
  OK(toc_log_wait(log, 0));
  OK(toc_log_run(log, 0));
  CHECK(h.n && h.last.kind == TOC_GET && h.last.denied && h.last.addr == AT);
  for (unsigned i = 0; i < 200; i++) (void)toc_progress(s.f);
  CHECK(!toc_done(r) && !toc_done(behind) && !toc_done(added));
  OK(toc_place(s.b, AT, s.far + 4096, TOC_READ | TOC_WRITE));
  OK(toc_place(s.b, AT, s.far, TOC_READ | TOC_WRITE));
  OK(toc_dissociate(s.b, AT, 4096));
  OK(toc_wait(r, 0));
  OK(toc_wait(behind, 0));
  OK(toc_wait(added, 0));
  CHECK(s.near[0] == 0x5a && s.near[63] == 0x5a && s.near[256] == 0x5a && s.far[64] == 0x5b);
  IS(toc_place(s.b, AT, NULL, 0), TOC_E_IN_USE);

  OK(toc_associate_iova(s.b, AT, 4096, &shut));
  OK(toc_place(s.b, AT, NULL, 0));
  OK(toc_qp_open(s.a, &(toc_qp_options){.rnr_retry = 2}, &few));
  OK(toc_qp_open(s.b, NULL, &back));
  OK(toc_qp_address(few, &ours));
  OK(toc_qp_address(back, &its));
  OK(toc_qp_connect(few, &its));
  OK(toc_qp_connect(back, &ours));
  OK(toc_get(few, s.near, there, 64, &r));
  OK(toc_put(few, s.near + 128, s.there, 8, &behind));
  IS(toc_wait(r, 0), TOC_E_NOT_READY);
  IS(toc_wait(behind, 0), TOC_E_STOPPED);
  OK(toc_qp_resume(few));
  memcpy(s.near + 128, "afterwards", 10);
  OK(toc_put(few, s.near + 128, s.there, 10, &behind));
  OK(toc_wait(behind, 0));
  CHECK(!memcmp(s.far, "afterwards", 10));  // not taken for the one that was done behind the get
  scene_close(&s);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  absent_page();
  logged_put();
  put_actions();
  get_actions();
  atomics();
  watched();
  rules();
  wrong();
  batches();
  full(false);
  full(true);
  full_and_ringing();
  given_up();
  if (!slow) spoilt();
  if (!slow) older_pointer();
  notified();
  flushed();
  replied();
  threads();
  return report();
}
