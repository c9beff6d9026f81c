// SPDX-License-Identifier: Apache-2.0
// Parallel sort that survives a crash (Active Access, section 5.2.4): each rank has n keys, split by value into a bucket for each rank;
// each rank gets its buckets from all others and sorts them. Then memory of the sources is used for something else, the last rank
// crashes, and must have its keys again.
//
//   active   the pages of the buckets log gets with their data, where they are served; the log is the backup
//   naive    who gets a bucket puts a copy of it into a backup at the rank that it came from
#include <stdlib.h>
#include <string.h>

#include "app.h"

enum { PIECE = 2048 };

typedef struct rank {
  uint64_t *keys;    // bucket s begins at keys + s * room
  uint64_t *backup;  // at this rank, for its own buckets
  uint64_t *mine;    // what this rank got, one bucket behind the other
  uint64_t count[APP_NODES], got;
  toc_remote key_mem, backup_mem, flush;
  toc_log *log;
} rank;

typedef struct sorter {
  app *a;
  uint64_t room;  // keys of a bucket, at most; whole pages
  rank r[APP_NODES];
} sorter;

static int by_value(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

// What was given away is kept at the same place.
static void on_get(void *arg, const toc_access *x) {
  rank *k = arg;
  if (x->denied || x->aborted || !x->data) return;
  memcpy(k->backup + ((const uint64_t *)x->target - k->keys), x->data, x->bytes);
}

static toc_status rank_open(sorter *t, unsigned r) {
  app *a = t->a;
  rank *k = &t->r[r];
  size_t all = a->nodes * t->room * 8;
  unsigned rw = TOC_READ | TOC_WRITE;
  TRY(toc_alloc(a->p[r], all, rw, (void **)&k->keys));
  TRY(toc_alloc(a->p[r], all, rw, (void **)&k->backup));
  TRY(toc_alloc(a->p[r], all, rw, (void **)&k->mine));
  TRY(toc_expose(a->p[r], k->keys, all, rw, &k->key_mem));
  TRY(toc_expose(a->p[r], k->backup, all, rw, &k->backup_mem));
  if (!a->naive) {
    TRY(toc_log_open(a->p[r], &(toc_log_options){.bytes = 32768, .automatic = true}, &k->log));
    TRY(toc_associate(a->p[r], k->keys, all, &(toc_rule){.get = TOC_LOG, .log = k->log, .handler = on_get, .arg = k}));
    TRY(toc_flush_page(k->log, &k->flush));
  }
  return TOC_OK;
}

static toc_status fetch(sorter *t, unsigned r, unsigned s, toc_remote from, uint64_t *to) {
  toc_req req = {0};
  uint64_t bytes = 8 * t->r[s].count[r];
  for (uint64_t at = 0; at < bytes; at += PIECE) {
    uint32_t n = (uint32_t)(bytes - at < PIECE ? bytes - at : PIECE);
    TRY(toc_get(t->a->qp[r][s], to + at / 8, toc_at(from, 8 * r * t->room + at), n, &req));
  }
  return bytes ? toc_wait(req, 0) : TOC_OK;
}

static toc_status keep(sorter *t, unsigned r, unsigned s, const uint64_t *bucket) {
  toc_req req = {0};
  uint64_t bytes = 8 * t->r[s].count[r];
  for (uint64_t at = 0; at < bytes; at += PIECE) {
    uint32_t n = (uint32_t)(bytes - at < PIECE ? bytes - at : PIECE);
    TRY(toc_put(t->a->qp[r][s], bucket + at / 8, toc_at(t->r[s].backup_mem, 8 * r * t->room + at), n, &req));
  }
  return bytes ? toc_wait(req, 0) : TOC_OK;
}

// All buckets of a rank, from the keys or from the backups.
static toc_status collect(sorter *t, unsigned r, bool from_backup) {
  rank *k = &t->r[r];
  k->got = 0;
  for (unsigned s = 0; s < t->a->nodes; s++) {
    const rank *o = &t->r[s];
    if (s == r)
      memcpy(k->mine + k->got, (from_backup ? o->backup : o->keys) + r * t->room, 8 * o->count[r]);
    else
      TRY(fetch(t, r, s, from_backup ? o->backup_mem : o->key_mem, k->mine + k->got));
    if (s != r && t->a->naive && !from_backup) TRY(keep(t, r, s, k->mine + k->got));
    k->got += o->count[r];
  }
  qsort(k->mine, k->got, 8, by_value);
  return TOC_OK;
}

static toc_status run(sorter *t, uint64_t *all, uint64_t total) {
  app *a = t->a;
  for (unsigned r = 0; r < a->nodes; r++) TRY(rank_open(t, r));
  for (uint64_t i = 0; i < total; i++) {
    rank *k = &t->r[i % a->nodes];
    uint64_t v = app_random(a);
    unsigned s = (unsigned)((v >> 32) * a->nodes >> 32);
    if (k->count[s] == t->room) return app_wrong(a, "a bucket is too small");
    k->keys[s * t->room + k->count[s]++] = all[i] = v;
  }
  uint64_t begin = toc_now(a->f), link = a->link_bytes;
  for (unsigned r = 0; r < a->nodes; r++) {
    TRY(collect(t, r, false));
    app_step(a, a->n * (r + 1) / (a->nodes + 1));
  }
  for (unsigned r = 0; r < a->nodes; r++)
    for (unsigned s = 0; s < a->nodes && !a->naive; s++)
      if (r != s) TRY(toc_flush(a->qp[r][s], t->r[s].flush, 0));
  app_number_add(a, "time to exchange a key", "ns", (double)(toc_now(a->f) - begin) / (double)total);
  app_number_add(a, "bytes on the link of a key", "B", (double)(a->link_bytes - link) / (double)total);

  unsigned lost = a->nodes - 1;
  for (unsigned r = 0; r < a->nodes; r++) {  // a rank's own bucket needs no network, but a backup
    memcpy(t->r[r].backup + r * t->room, t->r[r].keys + r * t->room, 8 * t->r[r].count[r]);
    memset(t->r[r].keys, 0xDB, a->nodes * t->room * 8);
  }
  memset(t->r[lost].mine, 0xDB, a->nodes * t->room * 8);
  begin = toc_now(a->f);
  TRY(collect(t, lost, true));
  app_number_add(a, "time to recover", "us", (double)(toc_now(a->f) - begin) / 1000);

  qsort(all, total, 8, by_value);
  uint64_t at = 0;
  for (unsigned r = 0; r < a->nodes; r++) {
    if (at + t->r[r].got > total || memcmp(t->r[r].mine, all + at, 8 * t->r[r].got))
      app_wrong(a, "rank %u has other keys than it should", r);
    app_digest(a, t->r[r].mine, 8 * t->r[r].got);
    at += t->r[r].got;
  }
  if (at != total) app_wrong(a, "%llu keys came in, %llu out", (unsigned long long)total, (unsigned long long)at);
  return TOC_OK;
}

toc_status app_sort(app *a) {
  uint64_t total = a->n * a->nodes, fair = a->n / a->nodes, *all = calloc(total ? total : 1, 8);
  sorter *t = calloc(1, sizeof *t);
  toc_status s = TOC_E_NOMEM;
  if (all && t) {
    t->a = a;
    t->room = (fair + fair / 2 + 256 + 511) & ~511ULL;
    s = run(t, all, total);
  }
  free(t);
  free(all);
  return s;
}
