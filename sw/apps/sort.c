// SPDX-License-Identifier: Apache-2.0
// Parallel sort that survives a crash (Active Access, section 5.2.4): each rank has n keys, split by value into a
// bucket for each rank; each rank gets its buckets from all others and sorts them. Then memory of the sources is used
// for something else, the last rank crashes, and must have its keys again.
//
//   active   the pages of the buckets log gets with their data, where they are served; the log is the backup
//   naive    who gets a bucket puts a copy of it into a backup at the rank that it came from
//   both     a rank's bucket for itself has its backup at the next rank
#include <stdlib.h>
#include <string.h>

#include "app.h"

enum { PIECE = 2048 };

typedef struct rank {
  uint64_t *keys;    // bucket s begins at keys + s * room
  uint64_t *backup;  // likewise, and behind them the bucket of the rank before for itself
  uint64_t *mine;    // what this rank got, one bucket behind the other
  uint64_t count[APP_NODES], got;
  toc_log *log;
} rank;

typedef struct face {  // of a rank, for the others
  toc_remote keys, backup, flush;
} face;

typedef struct sorter {
  app *a;
  uint64_t room;  // keys of a bucket, at most; whole pages
  rank r[APP_NODES];
  face at[APP_NODES];
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
  face *at = &t->at[r];
  const size_t bucket = t->room * 8, all = a->nodes * bucket;
  unsigned rw = TOC_READ | TOC_WRITE;
  TRY(toc_alloc(a->p[r], all, rw, (void **)&k->keys));
  TRY(toc_alloc(a->p[r], all + bucket, rw, (void **)&k->backup));
  TRY(toc_alloc(a->p[r], all, rw, (void **)&k->mine));
  TRY(toc_expose(a->p[r], k->keys, all, rw, &at->keys));
  TRY(toc_expose(a->p[r], k->backup, all + bucket, rw, &at->backup));
  if (a->naive) return TOC_OK;
  TRY(toc_log_open(a->p[r], &(toc_log_options){.bytes = 32768, .automatic = true}, &k->log));
  TRY(toc_associate(a->p[r], k->keys, all, &(toc_rule){.get = TOC_LOG, .log = k->log, .handler = on_get, .arg = k}));
  return toc_flush_page(k->log, &at->flush);
}

// n keys between `here` and a bucket of rank s.
static toc_status move(sorter *t, unsigned r, unsigned s, toc_remote there, unsigned bucket, uint64_t *here, uint64_t n,
                       bool put) {
  toc_qp *qp = t->a->qp[r][s];
  toc_req req = {0};
  for (uint64_t at = 0; at < 8 * n; at += PIECE) {
    uint32_t bytes = (uint32_t)(8 * n - at < PIECE ? 8 * n - at : PIECE);
    const toc_remote far = toc_at(there, 8 * bucket * t->room + at);
    TRY(put ? toc_put(qp, here + at / 8, far, bytes, &req) : toc_get(qp, here + at / 8, far, bytes, &req));
  }
  return n ? toc_wait(req, 0) : TOC_OK;
}

// All buckets of a rank, from the keys.
static toc_status collect(sorter *t, unsigned r) {
  app *a = t->a;
  rank *k = &t->r[r];
  const unsigned next = (r + 1) % a->nodes;
  uint64_t got = 0;
  for (unsigned s = 0; s < a->nodes; s++) {
    const uint64_t n = t->r[s].count[r];
    if (s == r)
      memcpy(k->mine + got, k->keys + r * t->room, 8 * n);
    else
      TRY(move(t, r, s, t->at[s].keys, r, k->mine + got, n, false));
    if (s != r && a->naive) TRY(move(t, r, s, t->at[s].backup, r, k->mine + got, n, true));
    got += n;
  }
  TRY(move(t, r, next, t->at[next].backup, a->nodes, k->keys + r * t->room, k->count[r], true));
  qsort(k->mine, got, 8, by_value);
  return TOC_OK;
}

// The same from the backups, for a rank that has nothing.
static toc_status recover(sorter *t, unsigned r) {
  app *a = t->a;
  rank *k = &t->r[r];
  uint64_t got = 0;
  TRY(toc_alloc(a->p[r], a->nodes * t->room * 8, TOC_READ | TOC_WRITE, (void **)&k->mine));
  for (unsigned s = 0; s < a->nodes; s++) {
    const unsigned from = s == r ? (r + 1) % a->nodes : s;
    TRY(move(t, r, from, t->at[from].backup, s == r ? a->nodes : r, k->mine + got, t->r[s].count[r], false));
    got += t->r[s].count[r];
  }
  qsort(k->mine, got, 8, by_value);
  return TOC_OK;
}

// Who has which keys; rank r's own are put where the others find them.
static toc_status deal(sorter *t, uint64_t *all, uint64_t total) {
  app *a = t->a;
  for (uint64_t i = 0; i < total; i++) {
    rank *k = &t->r[i % a->nodes];
    uint64_t v = all[i] = app_random(a);
    unsigned s = (unsigned)((v >> 32) * a->nodes >> 32);
    if (k->count[s] == t->room) return app_wrong(a, "a bucket is too small");
    if (k->keys) k->keys[s * t->room + k->count[s]] = v;
    k->count[s]++;
    t->r[s].got++;
  }
  return TOC_OK;
}

static toc_status exchange(sorter *t, uint64_t total) {
  app *a = t->a;
  uint64_t begin = toc_now(a->f), link = a->link_bytes;
  for (unsigned r = 0; r < a->nodes; r++) {
    if (app_plays(a, r)) TRY(collect(t, r));
    app_step(a, a->n * (r + 1) / (a->nodes + 1));
  }
  for (unsigned r = 0; r < a->nodes; r++)
    for (unsigned s = 0; s < a->nodes && !a->naive; s++)
      if (r != s && app_plays(a, r)) TRY(toc_flush(a->qp[r][s], t->at[s].flush, 0));
  TRY(app_together(a));
  double took = (double)(toc_now(a->f) - begin);
  link = a->link_bytes - link;
  TRY(app_sum(a, &link, 1));
  app_number_add(a, "time to exchange a key", "ns", took / (double)total);
  app_number_add(a, "bytes on the link of a key", "B", (double)link / (double)total);
  for (unsigned r = 0; r < a->nodes; r++)
    if (app_plays(a, r)) memset(t->r[r].keys, 0xDB, a->nodes * t->room * 8);
  return TOC_OK;
}

static toc_status compare(sorter *t, uint64_t *all, uint64_t total) {
  app *a = t->a;
  uint64_t at = 0, sum[APP_NODES] = {0};
  qsort(all, total, 8, by_value);
  for (unsigned r = 0; r < a->nodes; at += t->r[r++].got) {
    if (!app_plays(a, r)) continue;
    if (at + t->r[r].got > total || memcmp(t->r[r].mine, all + at, 8 * t->r[r].got))
      app_wrong(a, "rank %u has other keys than it should", r);
    for (uint64_t i = 0; i < t->r[r].got; i++) sum[r] = app_mix(sum[r] ^ t->r[r].mine[i]);
  }
  if (at != total) app_wrong(a, "%llu keys came in, %llu out", (unsigned long long)total, (unsigned long long)at);
  TRY(app_share(a, sum, sizeof *sum));
  app_digest(a, sum, a->nodes * sizeof *sum);
  return TOC_OK;
}

static toc_status run(sorter *t, uint64_t *all, uint64_t total) {
  app *a = t->a;
  const unsigned lost = a->nodes - 1;
  for (unsigned r = 0; r < a->nodes; r++)
    if (app_plays(a, r) && !a->again) TRY(rank_open(t, r));
  TRY(deal(t, all, total));
  if (a->wrong) return TOC_OK;
  if (!a->again) {
    TRY(app_share(a, t->at, sizeof *t->at));
    TRY(exchange(t, total));
    TRY(app_crash(a, lost));
  }
  TRY(app_share(a, t->at, sizeof *t->at));
  uint64_t begin = toc_now(a->f);
  if (app_plays(a, lost)) TRY(recover(t, lost));
  TRY(app_together(a));
  app_number_add(a, "time to recover", "us", (double)(toc_now(a->f) - begin) / 1000);
  return compare(t, all, total);
}

toc_status app_sort(app *a) {
  uint64_t total = a->n * a->nodes, fair = a->n / a->nodes, *all = calloc(total ? total : 1, 8);
  sorter *t = app_own(a, sizeof *t);
  toc_status s = TOC_E_NOMEM;
  if (all && t) {
    t->a = a;
    t->room = (fair + fair / 2 + 256 + 511) & ~511ULL;
    s = run(t, all, total);
  }
  free(all);
  return s;
}
