// SPDX-License-Identifier: Apache-2.0
// Meeting the others: who we are, a node of our own, a connection with each, and what they need to know of us.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { PAGE_BYTES = 4096, RECORD_BYTES = 512, HEAP_MIB = 64, SPARE_MIB = 8, QPS_LEAST = 16 };
#define PAGE_AT 0x600000000000ull  // where nothing is mapped: what is put there is a request
#define PEER_TIMEOUT_US \
  4000000ull  // the longest: machines are busy, and who does not answer at once is there all the same
#define MOST_HEAP 1e12
#define CALL_TIMEOUT_US 3600000000ull

shm_world shm = {.state = SHM_BEFORE, .n = 1};

typedef struct face {
  toc_address address[SHM_PES];
  toc_remote heap, area, page;
  uint64_t heap_bytes, data_bytes, area_bytes;
} face;

// ---- who
static bool number(const char *name, long *v) {
  const char *text = getenv(name);
  char *end;
  if (!text || !*text) return false;
  *v = strtol(text, &end, 10);
  if (*end || *v < 0 || *v > INT32_MAX) shm_die("%s is '%s', which is no number", name, text);
  return true;
}

static void who(void) {
  char why[RANKS_WHY];
  long rank = -1, count = 0, listener = 0;
  ranks_asked q = {.rank = -1, .job = SHMEM_MINOR_VERSION};
  if (number("TOCSIN_SHMEM_RANKS", &count)) {
    if (!number("TOCSIN_SHMEM_RANK", &rank)) shm_die("TOCSIN_SHMEM_RANKS is set, and TOCSIN_SHMEM_RANK is not");
    if (rank >= count) shm_die("TOCSIN_SHMEM_RANK is %ld, of %ld PEs", rank, count);
    (void)number("TOCSIN_SHMEM_LISTENER", &listener);
    q.count = (unsigned)count;
    q.rank = (int)rank;
    q.listener = (int)listener;
    q.root = getenv("TOCSIN_SHMEM_ROOT");
    shm.me = (int)rank;
    if (count == 1) return;
  } else if (ranks_launched_count() < 2) {
    return;  // a PE alone
  }
  shm.all = ranks_join(&q, why);
  if (!shm.all) shm_die("%s", why);
  shm.me = (int)ranks_rank(shm.all);
  shm.n = (int)ranks_count(shm.all);
}

// ---- what
static size_t heap_wanted(void) {
  const char *name = "SHMEM_SYMMETRIC_SIZE", *text = getenv(name);
  char *end;
  if (!text) text = getenv(name = "SMA_SYMMETRIC_SIZE");
  if (!text) return (size_t)HEAP_MIB << 20;
  double v = strtod(text, &end);
  static const char suffix[] = "kKmMgGtT";
  const char *s = *end ? strchr(suffix, *end) : NULL;
  const bool none = end == text;
  if (s)
    for (long k = (s - suffix) / 2; k >= 0; k--) v *= 1024;
  if (s && *++end == 'B') end++;
  if (none || *end || !(v >= 0)) shm_die("%s is '%s', which is no size", name, text);
  if (v > MOST_HEAP) shm_die("%s is '%s', more than 1e12 bytes", name, text);
  return ((size_t)v / SHM_HEAP_ALIGN + 1) * SHM_HEAP_ALIGN;
}

static size_t log_bytes(void) {
  size_t bytes = 65536;
  while (bytes < (size_t)shm.n * SHM_ASKS * RECORD_BYTES) bytes *= 2;
  return bytes;
}

static void node(void) {
  char link[2 * RANKS_HOST];
  const size_t areas = (size_t)shm.n * sizeof(shm_area), bounces = (size_t)SHM_BOUNCES * SHM_BOUNCE_BYTES;
  snprintf(link, sizeof link, "udp,local=%s:0", ranks_local(shm.all));
  const toc_options o = {
      .link = link,
      .rank0 = (unsigned)shm.me,
      .node_bytes = shm.heap_bytes + SHM_HEAP_ALIGN + areas + bounces + log_bytes() + ((size_t)SPARE_MIB << 20),
      .qps = shm.n > QPS_LEAST ? (unsigned)shm.n : QPS_LEAST,
      .timeout_us = CALL_TIMEOUT_US,
      .progress = TOC_PROGRESS_THREAD};
  shm_must(toc_open(&o, &shm.f), "opening a node", shm.me);
  shm_must(toc_proc_open(toc_node_at(shm.f, 0), &shm.p), "opening a process", shm.me);
  const unsigned rw = TOC_READ | TOC_WRITE;
  shm_must(toc_alloc(shm.p, shm.heap_bytes + SHM_HEAP_ALIGN, rw, (void **)&shm.heap), "the symmetric heap", shm.me);
  shm.heap += (SHM_HEAP_ALIGN - (uintptr_t)shm.heap % SHM_HEAP_ALIGN) % SHM_HEAP_ALIGN;
  shm_must(toc_alloc(shm.p, areas, rw, (void **)&shm.area), "memory", shm.me);
  shm_must(toc_alloc(shm.p, bounces, rw, (void **)&shm.bounce), "memory", shm.me);
  shm_must(toc_log_open(shm.p, &(toc_log_options){.bytes = log_bytes(), .automatic = true}, &shm.log), "a log", shm.me);
  const toc_rule rule = {.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = shm.log, .handler = shm_serve};
  shm_must(toc_associate_iova(shm.p, PAGE_AT, PAGE_BYTES, &rule), "a page of requests", shm.me);
}

static void own_face(face *f) {
  const unsigned rw = TOC_READ | TOC_WRITE;
  const toc_qp_options o = {.timeout_us = PEER_TIMEOUT_US};
  *f = (face){.heap_bytes = shm.heap_bytes, .data_bytes = shm.data_bytes, .area_bytes = sizeof(shm_area)};
  shm_must(toc_expose(shm.p, shm.heap, shm.heap_bytes, rw, &f->heap), "the symmetric heap", shm.me);
  shm_must(toc_expose(shm.p, shm.area, (size_t)shm.n * sizeof(shm_area), rw, &f->area), "memory", shm.me);
  shm_must(toc_expose_iova(shm.p, PAGE_AT, PAGE_BYTES, TOC_WRITE, &f->page), "a page of requests", shm.me);
  for (int pe = 0; pe < shm.n; pe++) {
    if (pe == shm.me) continue;
    shm_must(toc_qp_open(shm.p, &o, &shm.pair[pe].qp), "a connection", pe);
    shm_must(toc_qp_address(shm.pair[pe].qp, &f->address[pe]), "a connection", pe);
  }
}

static void gather(const void *mine, size_t n, void *all) {
  char why[RANKS_WHY];
  int status;
  if (!ranks_gather(shm.all, mine, n, all, &status, why)) shm_die("%s", why);
}

static void meet(void) {
  face *mine = malloc(sizeof *mine), *all = calloc((size_t)shm.n, sizeof *all);
  if (!mine || !all) shm_die("no memory");
  own_face(mine);
  gather(mine, sizeof *mine, all);
  for (int pe = 0; pe < shm.n; pe++) {
    const face *f = &all[pe];
    shm_pair *p = &shm.pair[pe];
    p->mine = &shm.area[pe];
    shm_channel_open(p);
    if (pe == shm.me) continue;
    if (f->heap_bytes != mine->heap_bytes || f->data_bytes != mine->data_bytes || f->area_bytes != mine->area_bytes)
      shm_die("PE %d runs another program, or has another SHMEM_SYMMETRIC_SIZE", pe);
    p->heap = f->heap;
    p->area = toc_at(f->area, (uint64_t)shm.me * sizeof(shm_area));
    p->page = f->page;
    shm_must(toc_qp_connect(p->qp, &f->address[shm.me]), "a connection", pe);
  }
  free(mine);
  free(all);
  gather(NULL, 0, NULL);
}

void shm_world_open(void) {
  who();
  shm.heap_bytes = heap_wanted();
  shm_find_data();
  if (shm.all) {
    node();
    meet();
    return;
  }
  shm.heap = aligned_alloc(SHM_HEAP_ALIGN, shm.heap_bytes);
  if (!shm.heap) shm_die("no memory for a symmetric heap of %zu bytes", shm.heap_bytes);
  memset(shm.heap, 0, shm.heap_bytes);
}

// All have done everything: what is sent again for lack of an acknowledgement still finds us, until all have heard all.
void shm_world_close(void) {
  if (!shm.all) {
    free(shm.heap);
    shm.heap = NULL;
    return;
  }
  for (int pe = 0; pe < shm.n; pe++) shm.pair[pe].posted = pe != shm.me;
  shm_quiet();
  gather(NULL, 0, NULL);
  toc_close(shm.f);
  shm.f = NULL;
  shm.heap = NULL;
  if (!ranks_leave(shm.all)) shm_die("another PE has failed");
  shm.all = NULL;
}

void shm_leave_ranks(void) {
  ranks *all = __atomic_exchange_n(&shm.all, NULL, __ATOMIC_SEQ_CST);
  if (all) (void)ranks_leave(all);
}
