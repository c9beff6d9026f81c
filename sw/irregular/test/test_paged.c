// SPDX-License-Identifier: Apache-2.0
// A store eight times its memory: what a peer puts, adds and gets there is as if all of it were memory, while pages
// come and go under it.
#define _GNU_SOURCE  // O_DIRECT
#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "paged_internal.h"
#include "scene.h"
#include "tocsin/irregular/paged.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic_regs.h"

#define FINE(x) STATUS_IS(irr_status, x, #x, IRR_OK, irr_name, toc_why())
#define ENDS(x, want) STATUS_IS(irr_status, x, #x, want, irr_name, toc_why())

enum { PAGE = IRR_PAGE_BYTES, PAGES = 128, FRAMES = PAGES / 8, BYTES = PAGES * PAGE, SLOTS = 8, SLOT = 2048 };

typedef struct world {
  scene s;
  irr_paged *store;
  toc_remote r;
  uint8_t want[BYTES]; /* the lower half is put and got, words of the upper half are added to */
  toc_req req[SLOTS];
  bool busy[SLOTS], adds[SLOTS];
  uint64_t old[SLOTS];
  uint64_t random;
} world;

static uint32_t draw(world *w, uint32_t below) { return scene_random(&w->random) % below; }

static uint8_t *local(world *w, unsigned k) { return w->s.near + k * SLOT; }

/* Waits as a program does: the store goes on meanwhile. */
static void ended(world *w, unsigned k) {
  if (!w->busy[k]) return;
  while (!toc_done(w->req[k]) && !failed) {
    FINE(irr_paged_poll(w->store, NULL));
    (void)toc_progress(w->s.f);
  }
  OK(toc_wait(w->req[k], 0));
  w->busy[k] = false;
  if (w->adds[k]) {
    uint64_t was;
    memcpy(&was, local(w, k), sizeof was);
    EQ(was, w->old[k]);
  }
}

static void put(world *w, unsigned k) {
  const uint32_t n = 1 + draw(w, draw(w, 4) ? 100 : SLOT), at = draw(w, BYTES / 2 - n);
  for (uint32_t i = 0; i < n; i++) local(w, k)[i] = (uint8_t)draw(w, 256);
  memcpy(w->want + at, local(w, k), n);
  OK(toc_put(w->s.ab, local(w, k), toc_at(w->r, at), n, &w->req[k]));
  w->busy[k] = true;
}

static void add(world *w, unsigned k) {
  const uint32_t at = BYTES / 2 + 8 * draw(w, BYTES / 16);
  const uint64_t by = draw(w, 1000);
  uint64_t now;
  memcpy(&now, w->want + at, sizeof now);
  w->old[k] = now;
  now += by;
  memcpy(w->want + at, &now, sizeof now);
  OK(toc_fetch_add(w->s.ab, (uint64_t *)(void *)local(w, k), toc_at(w->r, at), by, &w->req[k]));
  w->busy[k] = w->adds[k] = true;
}

/* A put that is posted behind a get may overtake it: so it ends first. */
static void get(world *w, unsigned k, uint32_t at, uint32_t n) {
  OK(toc_get(w->s.ab, local(w, k), toc_at(w->r, at), n, &w->req[k]));
  w->busy[k] = true;
  ended(w, k);
  if (memcmp(local(w, k), w->want + at, n)) {
    printf("%u bytes at %x are not what they must be\n", n, at);
    CHECK(false);
  }
}

static bool direct;  // stores go past the system's cache

static bool begin_with(world *w, const char *file, bool threads, uint32_t frames, const toc_options *with) {
  memset(w, 0, sizeof *w);
  w->random = seed + 77;
  if (!scene_open(&w->s, with)) return false;
  const irr_paged_options o = {
      .bytes = BYTES, .memory = frames * PAGE, .file = file, .threads = threads, .direct = direct};
  FINE(irr_paged_open(w->s.f, w->s.b, &o, &w->store));
  if (w->store) w->r = irr_paged_remote(w->store);
  return w->store;
}

static bool begin(world *w, const char *file, bool threads, uint32_t frames) {
  return begin_with(w, file, threads, frames, NULL);
}

static void requests(world *w, unsigned n) {
  for (unsigned i = 0; i < n && !failed; i++) {
    const unsigned k = i % SLOTS, what = draw(w, 5);
    ended(w, k);
    w->adds[k] = false;
    if (what < 2) put(w, k);
    if (what == 2 || what == 3) add(w, k);
    const uint32_t m = 1 + draw(w, SLOT);
    if (what == 4) get(w, k, draw(w, BYTES - m), m);
  }
  for (unsigned k = 0; k < SLOTS; k++) ended(w, k);
}

static void all_of_it(world *w) {
  for (uint32_t at = 0; at < BYTES && !failed; at += SLOT) get(w, 0, at, SLOT);
}

static void eight_times(bool threads) {
  static world w;
  if (!begin(&w, NULL, threads, FRAMES)) return;
  if (threads) CHECK(!strcmp(irr_paged_io(w.store), "threads"));
  uint64_t absent = 0;
  requests(&w, scene_few(1500));
  all_of_it(&w);
  OK(toc_count_nic(toc_proc_node(w.s.b), NIC_CNT_ABSENT, &absent));
  const irr_paged_counts c = irr_paged_count(w.store);
  printf(
      "%s: %llu pages brought, %llu written, %llu left; %llu puts waited, %llu gets were asked again; %llu stayed, "
      "%llu closed once more\n",
      irr_paged_io(w.store), (unsigned long long)c.brought, (unsigned long long)c.written, (unsigned long long)c.left,
      (unsigned long long)c.applied, (unsigned long long)absent, (unsigned long long)c.rescued,
      (unsigned long long)c.reopened);
  CHECK(c.brought > PAGES && c.written > FRAMES && c.left >= c.brought - FRAMES && c.applied && absent);
  CHECK(c.written < c.left);  // what was only read is not written
  FINE(irr_paged_close(w.store));
  scene_close(&w.s);
}

// Puts into the same few words of a page, one behind the other, while it comes, is opened and leaves:
// the last one stays.
static void under_fire(void) {
  static world w;
  enum { HOT = 4, WORDS = 5, BURST = 40 };
  if (!begin_with(&w, NULL, false, 2, &(toc_options){.progress = TOC_PROGRESS_THREAD})) return;
  for (unsigned round = 0; round < scene_few(150) && !failed; round++) {
    const uint32_t page = draw(&w, HOT) * PAGE;
    toc_req last = {0};
    for (unsigned i = 0; i < BURST; i++) {
      const uint32_t at = page + 8 * draw(&w, WORDS) + draw(&w, 5), n = 1 + draw(&w, 12);
      uint8_t *b = w.s.near + 32 * i;
      for (uint32_t k = 0; k < n; k++) b[k] = (uint8_t)draw(&w, 256);
      memcpy(w.want + at, b, n);
      OK(toc_put(w.s.ab, b, toc_at(w.r, at), n, &last));
      if (!draw(&w, 4)) FINE(irr_paged_poll(w.store, NULL));
      if (!draw(&w, 4)) (void)toc_progress(w.s.f);
    }
    while (!toc_done(last) && !failed) {
      FINE(irr_paged_poll(w.store, NULL));
      (void)toc_progress(w.s.f);
    }
    OK(toc_wait_all(w.s.ab, 0));
    if (!draw(&w, 3)) get(&w, 0, page, 256);
  }
  for (uint32_t at = 0; at < HOT * PAGE && !failed; at += SLOT) get(&w, 0, at, SLOT);
  const irr_paged_counts c = irr_paged_count(w.store);
  printf("under fire: %llu brought, %llu puts waited, %llu pages stayed, %llu closed once more\n",
         (unsigned long long)c.brought, (unsigned long long)c.applied, (unsigned long long)c.rescued,
         (unsigned long long)c.reopened);
  FINE(irr_paged_close(w.store));
  scene_close(&w.s);
}

static void late(paged_page *g, uint32_t at, uint32_t bytes, bool waits, int value) {
  late_put *l = malloc(sizeof *l + bytes);
  *l = (late_put){.at = at, .bytes = bytes, .waits = waits};
  memset(l->data, value, bytes);
  *g->last = l;
  g->last = &l->next;
}

// Puts that waited, and one between them that went to memory: each byte is the last one's.
static void last_one_stays(void) {
  static uint8_t memory[PAGE];
  irr_paged s = {.memory = memory};
  paged_page g = {.last = &g.first};
  memset(memory, 'm', sizeof memory);
  late(&g, 0, 8, true, 'a');
  late(&g, 4, 8, false, 0);
  late(&g, 6, 2, true, 'b');
  late(&g, PAGE - 4, 4, true, 'c');
  irr_i_paged_apply(&s, &g);
  CHECK(!memcmp(memory, "aaaammbbmmmm", 12) && !memcmp(memory + PAGE - 6, "mmcccc", 6));
  CHECK(g.dirty && !g.first && g.last == &g.first);
  EQ(s.count.applied, 3);
}

static irr_status hold(world *w, uint64_t page, bool write) {
  void *at;
  const irr_status s = irr_paged_hold(w->store, page * PAGE, write, &at);
  if (s == IRR_OK) irr_paged_let(w->store, page * PAGE);
  return s;
}

static void fetch(world *w, uint64_t page, bool write) {
  while (hold(w, page, write) == IRR_BUSY && !failed) {
    FINE(irr_paged_poll(w->store, NULL));
    (void)toc_progress(w->s.f);
  }
}

// A page that is wanted while it is being written stays, and is not read.
static void wanted_while_it_leaves(void) {
  static world w;
  if (!begin(&w, NULL, false, 2)) return;
  fetch(&w, 0, true);
  fetch(&w, 1, true);
  const uint64_t brought = irr_paged_count(w.store).brought;
  EQ(hold(&w, 2, false), IRR_BUSY);
  while (hold(&w, 0, false) == IRR_OK && hold(&w, 1, false) == IRR_OK && !failed) FINE(irr_paged_poll(w.store, NULL));
  const bool first = hold(&w, 0, false) == IRR_BUSY;
  while (!irr_paged_count(w.store).rescued && !failed) {
    EQ(hold(&w, first ? 0 : 1, false) == IRR_E_RANGE, false);
    FINE(irr_paged_poll(w.store, NULL));
    (void)toc_progress(w.s.f);
    CHECK(irr_paged_count(w.store).brought < brought + 2);
  }
  EQ(irr_paged_count(w.store).written, 1);
  EQ(hold(&w, first ? 0 : 1, false), IRR_OK);
  FINE(irr_paged_close(w.store));
  scene_close(&w.s);
}

// Eight queue pairs want pages of their own at once, and two are in memory: each gets its page before
// that leaves again.
static void more_wanted_than_room(void) {
  static world w;
  enum { PAIRS = 8, ROUNDS = 12 };
  toc_qp *q[PAIRS], *back;
  if (!begin_with(&w, NULL, false, 2, &(toc_options){.qps = 16})) return;
  for (unsigned k = 0; k < PAIRS; k++) OK(toc_connect(w.s.a, w.s.b, &q[k], &back));
  for (unsigned round = 0; round < ROUNDS && !failed; round++) {
    toc_req r[PAIRS];
    for (unsigned k = 0; k < PAIRS; k++) {
      const uint64_t page = (round * 3 + k * 5) % PAGES;
      OK(toc_get(q[k], local(&w, k), toc_at(w.r, page * PAGE + PAGE / 2), 64, &r[k]));
    }
    for (unsigned k = 0; k < PAIRS; k++) {
      while (!toc_done(r[k]) && !failed) {
        FINE(irr_paged_poll(w.store, NULL));
        (void)toc_progress(w.s.f);
      }
      OK(toc_wait(r[k], 0));
    }
  }
  const irr_paged_counts c = irr_paged_count(w.store);
  printf("more wanted than room: %llu pages brought for %u gets\n", (unsigned long long)c.brought, PAIRS * ROUNDS);
  CHECK(c.brought <= 2 * PAIRS * ROUNDS);
  FINE(irr_paged_close(w.store));
  scene_close(&w.s);
}

// What was put is in the file when the store is closed, and there when it is opened again; the owner's
// processor sees it too.
static void kept_in_a_file(void) {
  static world w;
  char name[] = "/tmp/tocsin-test-paged-XXXXXX";
  const int fd = mkstemp(name);
  CHECK(fd >= 0);
  if (fd < 0 || !begin(&w, name, false, FRAMES)) return;
  requests(&w, scene_few(300));
  FINE(irr_paged_sync(w.store));
  static uint8_t file[BYTES];
  CHECK(pread(fd, file, BYTES, 0) > 0 && !memcmp(file, w.want, BYTES));
  requests(&w, scene_few(100));
  FINE(irr_paged_close(w.store));
  static uint8_t want[BYTES];
  memcpy(want, w.want, BYTES);
  scene_close(&w.s);
  if (!begin(&w, name, false, FRAMES)) return;
  void *at;
  ENDS(irr_paged_hold(w.store, BYTES, false, &at), IRR_E_RANGE);
  for (uint64_t i = 0; i < PAGES && !failed; i++) {
    irr_status s;
    while ((s = irr_paged_hold(w.store, i * PAGE + 5, true, &at)) == IRR_BUSY) {
      FINE(irr_paged_poll(w.store, NULL));
      (void)toc_progress(w.s.f);
    }
    ENDS(s, IRR_OK);
    if (s) break;
    CHECK(!memcmp(at, want + i * PAGE + 5, PAGE - 5));
    *(uint8_t *)at = (uint8_t)i;
    irr_paged_let(w.store, i * PAGE);
  }
  FINE(irr_paged_close(w.store));
  for (uint64_t i = 0; i < PAGES; i++) want[i * PAGE + 5] = (uint8_t)i;
  CHECK(pread(fd, file, BYTES, 0) == BYTES && !memcmp(file, want, BYTES));
  scene_close(&w.s);
  (void)close(fd);
  (void)unlink(name);
}

static uint8_t *held(world *w, uint64_t page) {
  void *at = NULL;
  irr_status s;
  while ((s = irr_paged_hold(w->store, page * PAGE, true, &at)) == IRR_BUSY) {
    FINE(irr_paged_poll(w->store, NULL));
    (void)toc_progress(w->s.f);
  }
  ENDS(s, IRR_OK);
  return at;
}

// A page is written while its owner holds it, and writes into it then and later: all of that comes to the file, whether
// the page leaves or the store is closed.
static void held_while_written(bool leaves) {
  static world w;
  char name[] = "/tmp/tocsin-test-paged-XXXXXX";
  uint8_t byte[2] = {0};
  const int fd = mkstemp(name);
  CHECK(fd >= 0);
  if (fd < 0 || !begin(&w, name, false, 2)) return;
  uint8_t *at = held(&w, 3);
  if (at) at[7] = 1;
  FINE(irr_paged_sync(w.store));  // ends, though the page is still held
  CHECK(pread(fd, byte, 1, 3 * PAGE + 7) == 1 && byte[0] == 1);
  if (at) at[7] = 2;
  if (at) at[8] = 3;
  irr_paged_let(w.store, 3 * PAGE);
  for (uint64_t i = 10; leaves && i < 14; i++)
    if (held(&w, i)) irr_paged_let(w.store, i * PAGE);
  FINE(leaves ? irr_paged_sync(w.store) : irr_paged_close(w.store));
  CHECK(pread(fd, byte, 2, 3 * PAGE + 7) == 2 && byte[0] == 2 && byte[1] == 3);
  if (leaves) FINE(irr_paged_close(w.store));
  scene_close(&w.s);
  (void)close(fd);
  (void)unlink(name);
}

static bool slow_file;

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) {
  if (slow_file) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return syscall(SYS_pwrite64, fd, bytes, n, at);
}

// More is dirty than the file takes at once: a page is closed, and opened again, when its turn has come.
static void in_turn(void) {
  enum { DIRTY = PAGE_IO_DEPTH * 3 / 2, EACH = 4 };
  static world w;
  uint64_t before = 0, after = 0;
  if (!begin(&w, NULL, true, DIRTY)) return;
  for (uint64_t i = 0; i < DIRTY; i++)
    if (held(&w, i)) irr_paged_let(w.store, i * PAGE);
  OK(toc_count_aa(toc_proc_node(w.s.b), AA_CNT_INVALIDATIONS, &before));
  slow_file = true;
  FINE(irr_paged_sync(w.store));
  slow_file = false;
  OK(toc_count_aa(toc_proc_node(w.s.b), AA_CNT_INVALIDATIONS, &after));
  EQ(irr_paged_count(w.store).written, DIRTY);
  CHECK(after - before < EACH * DIRTY);
  FINE(irr_paged_close(w.store));
  scene_close(&w.s);
}

// A page is looked at when something has happened to it, and not again: a poll of nothing takes no time, whatever the
// memory.
static void nothing_to_look_at(void) {
  enum { FRAMES = 100 };
  static world w;
  if (!begin(&w, NULL, true, FRAMES)) return;
  for (uint64_t i = 0; i < FRAMES; i++)
    if (held(&w, i)) irr_paged_let(w.store, i * PAGE);
  FINE(irr_paged_poll(w.store, NULL));
  EQ(w.store->first, NO_FRAME);
  if (held(&w, 7)) irr_paged_let(w.store, 7 * PAGE);
  EQ(w.store->frame[w.store->first].page, 7);
  FINE(irr_paged_poll(w.store, NULL));
  EQ(w.store->first, NO_FRAME);
  FINE(irr_paged_close(w.store));
  scene_close(&w.s);
}

// The last word on what was written has the device: this one says so when it is asked, which is when all is written.
static struct {
  unsigned asked;
  uint8_t byte;  // that it finds then
  bool fails;
} device;

int fdatasync(int fd) {
  device.asked++;
  if (pread(fd, &device.byte, 1, 3 * PAGE + 7) != 1) device.byte = 0;
  if (device.fails) return errno = EIO, -1;
  return (int)syscall(SYS_fdatasync, fd);
}

static void device_is_asked(void) {
  static world w;
  char name[] = "/tmp/tocsin-test-paged-XXXXXX";
  const int fd = mkstemp(name);
  CHECK(fd >= 0);
  for (unsigned turn = 0; fd >= 0 && turn < 4 && begin(&w, turn ? name : NULL, false, 2); turn++) {
    device.asked = 0;
    uint8_t *at = held(&w, 3);
    if (at) at[7] = (uint8_t)(turn + 1);
    irr_paged_let(w.store, 3 * PAGE);
    device.fails = turn > 1;
    if (turn < 3) ENDS(irr_paged_sync(w.store), device.fails ? IRR_E_FILE : IRR_OK);
    EQ(device.asked, turn == 1 || turn == 2);
    if (turn == 1) FINE(irr_paged_sync(w.store));  // nothing has been written since
    EQ(device.asked, turn == 1 || turn == 2);
    ENDS(irr_paged_close(w.store), device.fails ? IRR_E_FILE : IRR_OK);
    if (device.fails) EQ(errno, EIO);
    EQ(device.asked, turn > 0);
    if (turn) EQ(device.byte, turn + 1);
    scene_close(&w.s);
  }
  device.fails = false;
  (void)close(fd);
  (void)unlink(name);
}

// All memory is held, and more is wanted: by who holds it, and then by a put too. Nothing waits for what cannot be.
static void all_is_held(void) {
  static world w;
  char name[] = "/tmp/tocsin-test-paged-XXXXXX";
  void *at;
  const int fd = mkstemp(name);
  CHECK(fd >= 0);
  if (fd < 0 || !begin(&w, name, false, 2)) return;
  for (uint64_t i = 1; i < 3; i++)
    if (held(&w, i)) *held(&w, i) = (uint8_t)i;
  ENDS(irr_paged_hold(w.store, 5 * PAGE, true, &at), IRR_BUSY);
  FINE(irr_paged_sync(w.store));
  memset(w.s.near, 6, 8);
  OK(toc_put(w.s.ab, w.s.near, toc_at(w.r, 6 * PAGE), 8, &w.req[0]));
  w.busy[0] = true;
  ended(&w, 0);
  ENDS(irr_paged_sync(w.store), IRR_BUSY);
  uint8_t byte[3] = {0};
  for (unsigned i = 0; i < 2; i++) CHECK(pread(fd, &byte[i], 1, (i + 1) * PAGE) == 1 && byte[i] == i + 1);
  FINE(irr_paged_close(w.store));
  CHECK(pread(fd, &byte[2], 1, 6 * PAGE) == 1 && byte[2] == 6);
  scene_close(&w.s);
  (void)close(fd);
  (void)unlink(name);
}

static void refused(void) {
  scene s;
  irr_paged *store;
  if (!scene_open(&s, NULL)) return;
  ENDS(irr_paged_open(s.f, s.b, &(irr_paged_options){.bytes = 4095, .memory = 8192}, &store), IRR_E_ARG);
  ENDS(irr_paged_open(s.f, s.b, &(irr_paged_options){.bytes = 4096, .memory = 4096}, &store), IRR_E_ARG);
  ENDS(irr_paged_open(s.f, s.b, &(irr_paged_options){.bytes = 8192, .memory = 8192, .at = 4096}, &store), IRR_E_ARG);
  ENDS(irr_paged_open(s.f, s.b, &(irr_paged_options){.bytes = 8192, .memory = 8192, .file = "/nowhere/at/all"}, &store),
       IRR_E_FILE);
  EQ(errno, ENOENT);
  CHECK(!store);
  uint8_t *page;
  OK(toc_alloc(s.b, 4096, TOC_READ, (void **)&page));
  IS(toc_place(s.b, 1ull << 44, page, TOC_READ), TOC_E_IN_USE);  // no rule blocks it
  IS(toc_place(s.b, (1ull << 44) + 8, page, TOC_READ), TOC_E_ALIGN);
  scene_close(&s);
}

// The same past the system's cache. A file system that cannot do that says so.
static void past_the_cache(void) {
  const char *dir = getenv("TMPDIR");
  const int fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR, 0600);
  const bool can = fd >= 0 && !fcntl(fd, F_SETFL, O_DIRECT);
  if (fd >= 0) (void)close(fd);
  if (fd < 0) return;
  direct = true;
  if (can) {
    eight_times(false);
    eight_times(true);
    kept_in_a_file();
  } else {
    scene s;
    irr_paged *store;
    const irr_paged_options o = {.bytes = BYTES, .memory = 2 * PAGE, .direct = true};
    if (scene_open(&s, NULL)) ENDS(irr_paged_open(s.f, s.b, &o, &store), IRR_E_FILE);
    scene_close(&s);
    printf("this file system has no direct access: refused\n");
  }
  direct = false;
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  eight_times(false);
  eight_times(true);
  under_fire();
  last_one_stays();
  wanted_while_it_leaves();
  more_wanted_than_room();
  kept_in_a_file();
  held_while_written(false);
  held_while_written(true);
  in_turn();
  nothing_to_look_at();
  device_is_asked();
  all_is_held();
  past_the_cache();
  refused();
  return report();
}
