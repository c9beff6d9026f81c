// SPDX-License-Identifier: Apache-2.0
// How much slower a program is whose data are larger than its memory, by how many tasks it has: each adds to random
// words of a store, and lets others go on while a page is absent. All words are compared with those of a plain array.
// Prints a table for README.md, of times of the clock: it is the file's latency that tasks hide. With a ratio and a
// number of tasks: that point alone, a line of JSON.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tocsin/irregular/paged.h"
#include "tocsin/irregular/task.h"

enum { MEMORY = 8 << 20, RATIOS = 4, TASKS = 4, UPDATES = 16384, REPEATS = 3, PAGE = IRR_PAGE_BYTES };
static const unsigned ratios[RATIOS] = {1, 2, 4, 8}, tasks[TASKS] = {1, 16, 256, 4096};

typedef struct world {
  toc_fabric *f;
  toc_proc *p;
  irr_paged *store;
  uint64_t words, random, left;
  uint64_t *want;
} world;

static void must(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "bench-paging: %s failed: %s\n", what, toc_why());
  exit(1);
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t draw(world *w) {
  w->random = w->random * 6364136223846793005u + 1442695040888963407u;
  return w->random >> 20;
}

static bool poll(void *arg) {
  world *w = arg;
  bool moved = false;
  must(!irr_paged_poll(w->store, &moved), "a poll");
  (void)toc_progress(w->f);
  return moved;
}

static void updates(irr_sched *s, irr_args *a) {
  world *w = a->w[0].p;
  while (w->left) {
    w->left--;
    const uint64_t at = draw(w) % w->words, by = draw(w);
    void *word;
    irr_status st;
    while ((st = irr_paged_hold(w->store, 8 * at, true, &word)) == IRR_BUSY) irr_yield(s);
    must(!st, "a hold");
    *(uint64_t *)word += by;
    irr_paged_let(w->store, 8 * at);
    w->want[at] += by;
    irr_yield(s);
  }
}

static uint64_t turn(world *w, unsigned n) {
  irr_sched *s;
  irr_args a = {{{.p = w}}};
  must(irr_open(&(irr_options){.poll_every = 16}, &s) == TOC_OK, "irr_open");
  irr_on_poll(s, poll, w);
  for (unsigned i = 0; i < n; i++) must(irr_spawn(s, updates, &a, NULL) == TOC_OK, "irr_spawn");
  w->left = UPDATES;
  const uint64_t begin = now();
  must(irr_run(s) == TOC_OK, "irr_run");
  const uint64_t took = now() - begin;
  irr_close(s);
  return took;
}

static void compare(world *w) {
  for (uint64_t page = 0; page < w->words * 8 / PAGE; page++) {
    void *at;
    irr_status s;
    while ((s = irr_paged_hold(w->store, page * PAGE, false, &at)) == IRR_BUSY) (void)poll(w);
    must(!s && !memcmp(at, w->want + page * PAGE / 8, PAGE), "the comparison of a page");
    irr_paged_let(w->store, page * PAGE);
  }
}

typedef struct cell {
  uint64_t ns, brought, written;
} cell;

static cell measure(unsigned ratio, unsigned n) {
  static world w;
  memset(&w, 0, sizeof w);
  const irr_paged_options o = {.bytes = (uint64_t)ratio * MEMORY, .memory = MEMORY, .direct = true};
  w.words = o.bytes / 8;
  w.random = 7;
  w.want = calloc(w.words, 8);
  must(w.want && toc_open(&(toc_options){.nodes = 1}, &w.f) == TOC_OK, "toc_open");
  must(toc_proc_open(toc_node_at(w.f, 0), &w.p) == TOC_OK, "toc_proc_open");
  must(!irr_paged_open(w.f, w.p, &o, &w.store),
       "irr_paged_open: TMPDIR must be on a file system with direct access, which");
  compare(&w);  // all of it has been there once
  cell c = {.ns = ~0ull};
  for (unsigned i = 0; i < REPEATS; i++) {
    const irr_paged_counts before = irr_paged_count(w.store);
    const uint64_t ns = turn(&w, n);
    const irr_paged_counts after = irr_paged_count(w.store);
    if (ns < c.ns) c = (cell){ns, after.brought - before.brought, after.written - before.written};
  }
  compare(&w);
  must(!irr_paged_close(w.store), "irr_paged_close");
  toc_close(w.f);
  free(w.want);
  return c;
}

// One page at a time, by a plain read.
static double file_us(void) {
  enum { READS = 1000, SPAN = 8 * MEMORY / PAGE };
  const char *dir = getenv("TMPDIR");
  const int fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR, 0600);
  static _Alignas(PAGE) uint8_t page[PAGE];
  must(fd >= 0, "a file without name");
  for (off_t i = 0; i < SPAN; i++) must(pwrite(fd, page, PAGE, i * PAGE) == PAGE, "a write");
  must(!fsync(fd) && !fcntl(fd, F_SETFL, O_DIRECT), "direct access");
  world w = {.random = 3};
  const uint64_t begin = now();
  for (unsigned i = 0; i < READS; i++) must(pread(fd, page, PAGE, (off_t)(draw(&w) % SPAN * PAGE)) == PAGE, "a read");
  const double us = (double)(now() - begin) / READS / 1000;
  (void)close(fd);
  return us;
}

static int all(void) {
  cell c[RATIOS][TASKS];
  for (unsigned i = 0; i < RATIOS; i++)
    for (unsigned k = 0; k < TASKS; k++) c[i][k] = measure(ratios[i], tasks[k]);
  printf("| data / memory |");
  for (unsigned k = 0; k < TASKS; k++) printf(" %u task%s, us | slower |", tasks[k], tasks[k] == 1 ? "" : "s");
  printf(" pages read | written |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (unsigned i = 0; i < RATIOS; i++) {
    printf("| %u |", ratios[i]);
    for (unsigned k = 0; k < TASKS; k++)
      printf(" %.1f | %.0f |", (double)c[i][k].ns / UPDATES / 1000, (double)c[i][k].ns / (double)c[0][k].ns);
    printf(" %.2f | %.2f |\n", (double)c[i][2].brought / UPDATES, (double)c[i][2].written / UPDATES);
  }
  printf(
      "\nMicroseconds and pages of an update, and how much slower it is than with as many tasks on data that fit. "
      "Memory is %u MiB; pages\n"
      "are those of 256 tasks. A plain read of a page of the file, one at a time, took %.0f us.\n",
      MEMORY >> 20, file_us());
  return 0;
}

// A point of a figure: beside data that fit, in the same run.
static int point(unsigned ratio, unsigned n) {
  const cell fit = measure(1, n), c = ratio == 1 ? fit : measure(ratio, n);
  printf(
      "{\"right\": true, \"ratio\": %u, \"tasks\": %u, \"us\": %.3f, \"slower\": %.3f, \"brought\": %.3f, \"written\": "
      "%.3f, "
      "\"per_second\": %.0f}\n",
      ratio, n, (double)c.ns / UPDATES / 1000, (double)c.ns / (double)fit.ns, (double)c.brought / UPDATES,
      (double)c.written / UPDATES, UPDATES * 1e9 / (double)c.ns);
  return 0;
}

int main(int argc, char **argv) {
  unsigned ratio, n;
  char end;
  if (argc == 1) return all();
  if (argc == 3 && sscanf(argv[1], "ratio=%u%c", &ratio, &end) == 1 && sscanf(argv[2], "tasks=%u%c", &n, &end) == 1 &&
      ratio >= 1 && ratio <= 64 && n >= 1 && n <= 65536)
    return point(ratio, n);
  fprintf(stderr, "usage: bench_paging [ratio=1..64 tasks=1..65536]\n");
  return 2;
}
