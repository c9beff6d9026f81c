// SPDX-License-Identifier: Apache-2.0
// Distributed hash table (Active Access, section 4.1). Each rank owns a volume: a table of cells, each the head
// of a chain, and an overflow heap. n keys are inserted from all ranks, every fourth is deleted, and all are looked
// up from another rank.
//
//   active   an insert is one put of {key, value} into a page that redirects puts to a handler at the owner;
//            a delete likewise
//   naive    compare-and-swap of the cell; on collision fetch-and-add of the heap's pointer, put of the cell, and
//            compare-and-swaps along the chain to link it
//   both     a look-up is a get of the cell, and one more for each link of the chain
#include <pthread.h>
#include <stdlib.h>

#include "app.h"

enum { CELLS = 128, HEAP = 1024, CHAIN = 8 };
#define INSERT_AT 0x600000000000ULL  // where nothing is mapped: these pages only ring the bell
#define DELETE_AT 0x600000001000ULL

typedef struct cell {
  uint64_t key;  // 0: empty
  uint64_t value;
  uint64_t next;  // 1 + index in the heap, 0: the end
  uint64_t spare;
} cell;

typedef struct dht dht;
typedef struct volume {
  const dht *d;
  cell *cell;            // d->cells, then d->heap
  uint64_t *used;        // of the heap
  pthread_mutex_t lock;  // handlers, and the rank itself
  toc_log *log;
} volume;

typedef struct face {  // of a volume, for the others
  toc_remote cells, next_free, insert, remove, flush;
} face;

struct dht {
  app *a;
  uint64_t cells, heap;  // of a volume
  volume v[APP_NODES];
  face at[APP_NODES];
  app_lane lane[APP_NODES][APP_NODES];
  uint64_t *word[APP_NODES];  // scratch of a rank: a cell, and the old value of atomics
  uint64_t remote;            // operations on remote memory
};

static unsigned owner_of(const dht *d, uint64_t key) { return (unsigned)(app_mix(key) % d->a->nodes); }
static uint64_t cell_of(const dht *d, uint64_t key) { return (app_mix(key) >> 32) % d->cells; }

// ---- at the owner ---------------------------------------------------------------------------------------------------

static cell *find(volume *v, uint64_t key) {
  for (cell *c = &v->cell[cell_of(v->d, key)];; c = &v->cell[v->d->cells + c->next - 1])
    if (c->key == key || !c->next) return c;
}

static void insert(volume *v, uint64_t key, uint64_t value) {
  cell *c = find(v, key);
  if (c->key && c->key != key) {
    if (*v->used == v->d->heap) return;  // as with the naive one: the key is not found later
    c->next = ++*v->used;
    c = &v->cell[v->d->cells + c->next - 1];
  }
  c->key = key;
  c->value = value;
}

static void on_insert(void *arg, const toc_access *x) {
  volume *v = arg;
  const uint64_t *kv = (const uint64_t *)(const void *)x->data;
  pthread_mutex_lock(&v->lock);
  insert(v, kv[0], kv[1]);
  pthread_mutex_unlock(&v->lock);
}

static void on_delete(void *arg, const toc_access *x) {
  volume *v = arg;
  uint64_t key = *(const uint64_t *)(const void *)x->data;
  pthread_mutex_lock(&v->lock);
  cell *c = find(v, key);
  if (c->key == key) c->value = 0;
  pthread_mutex_unlock(&v->lock);
}

static toc_status volume_open(dht *d, unsigned r) {
  toc_proc *p = d->a->p[r];
  volume *v = &d->v[r];
  face *at = &d->at[r];
  const unsigned all = TOC_READ | TOC_WRITE;
  const size_t bytes = (d->cells + d->heap) * sizeof(cell);
  v->d = d;
  TRY(toc_alloc(p, bytes, all, (void **)&v->cell));
  TRY(toc_alloc(p, 4096, all, (void **)&v->used));
  TRY(toc_expose(p, v->cell, bytes, all | TOC_ATOMIC, &at->cells));
  TRY(toc_expose(p, v->used, 8, all | TOC_ATOMIC, &at->next_free));
  if (d->a->naive) return TOC_OK;
  TRY(toc_log_open(p, &(toc_log_options){.bytes = 16384, .automatic = true}, &v->log));
  toc_rule rule = {.put = TOC_REDIRECT, .get = TOC_BLOCK, .log = v->log, .handler = on_insert, .arg = v};
  TRY(toc_associate_iova(p, INSERT_AT, 4096, &rule));
  rule.handler = on_delete;
  TRY(toc_associate_iova(p, DELETE_AT, 4096, &rule));
  TRY(toc_expose_iova(p, INSERT_AT, 4096, TOC_WRITE, &at->insert));
  TRY(toc_expose_iova(p, DELETE_AT, 4096, TOC_WRITE, &at->remove));
  return toc_flush_page(v->log, &at->flush);
}

// ---- from afar ------------------------------------------------------------------------------------------------------

static toc_status tell(dht *d, unsigned r, unsigned o, toc_remote to, uint64_t key, uint64_t value, uint32_t bytes) {
  void *slot;
  toc_req *req;
  TRY(app_lane_slot(&d->lane[r][o], &slot, &req));
  ((uint64_t *)slot)[0] = key;
  ((uint64_t *)slot)[1] = value;
  d->remote++;
  return toc_put(d->a->qp[r][o], slot, to, bytes, req);
}

static toc_status get_cell(dht *d, unsigned r, unsigned o, uint64_t index, cell **c) {
  toc_req req;
  *c = (cell *)(void *)d->word[r];
  d->remote++;
  TRY(toc_get(d->a->qp[r][o], *c, toc_at(d->at[o].cells, index * sizeof(cell)), sizeof(cell), &req));
  return toc_wait(req, 0);
}

// Follows the chain to the key or its end.
static toc_status seek(dht *d, unsigned r, unsigned o, uint64_t key, uint64_t *index, cell **c) {
  *index = cell_of(d, key);
  for (;;) {
    TRY(get_cell(d, r, o, *index, c));
    if ((*c)->key == key || !(*c)->next) return TOC_OK;
    *index = d->cells + (*c)->next - 1;
  }
}

static toc_status swap(dht *d, unsigned r, unsigned o, uint64_t at, uint64_t to, uint64_t *old) {
  toc_req req;
  uint64_t *word = d->word[r] + 8;
  d->remote++;
  TRY(toc_compare_swap(d->a->qp[r][o], word, toc_at(d->at[o].cells, at), 0, to, &req));
  TRY(toc_wait(req, 0));
  *old = *word;
  return TOC_OK;
}

static toc_status naive_insert(dht *d, unsigned r, unsigned o, uint64_t key, uint64_t value) {
  toc_req req;
  toc_qp *qp = d->a->qp[r][o];
  uint64_t at = cell_of(d, key) * sizeof(cell), old, *word = d->word[r];
  TRY(swap(d, r, o, at, key, &old));
  word[0] = key;
  word[1] = value;
  word[2] = word[3] = 0;
  if (!old || old == key) {
    d->remote++;
    TRY(toc_put(qp, &word[1], toc_at(d->at[o].cells, at + 8), 8, &req));
    return toc_wait(req, 0);
  }
  d->remote += 2;
  TRY(toc_fetch_add(qp, word + 9, d->at[o].next_free, 1, &req));
  TRY(toc_wait(req, 0));
  uint64_t mine = word[9];
  if (mine >= d->heap) return TOC_OK;
  TRY(toc_put(qp, word, toc_at(d->at[o].cells, (d->cells + mine) * sizeof(cell)), sizeof(cell), &req));
  TRY(toc_wait(req, 0));
  for (;;) {
    TRY(swap(d, r, o, at + 16, mine + 1, &old));
    if (!old) return TOC_OK;
    at = (d->cells + old - 1) * sizeof(cell);
  }
}

static toc_status naive_delete(dht *d, unsigned r, unsigned o, uint64_t key) {
  uint64_t index;
  cell *c;
  toc_req req;
  TRY(seek(d, r, o, key, &index, &c));
  if (c->key != key) return TOC_OK;
  c->value = 0;
  d->remote++;
  TRY(toc_put(d->a->qp[r][o], &c->value, toc_at(d->at[o].cells, index * sizeof(cell) + 8), 8, &req));
  return toc_wait(req, 0);
}

// A rank's own keys need no network. With the naive ones its NIC does others' atomics meanwhile,
// so it has to do the same.
static void own_insert(volume *v, uint64_t key, uint64_t value) {
  const dht *d = v->d;
  cell *c = &v->cell[cell_of(d, key)];
  uint64_t was = 0;
  if (__atomic_compare_exchange_n(&c->key, &was, key, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) || was == key) {
    toc_store(&c->value, value);
    return;
  }
  uint64_t mine = __atomic_fetch_add(v->used, 1, __ATOMIC_SEQ_CST);
  if (mine >= d->heap) return;
  v->cell[d->cells + mine] = (cell){key, value, 0, 0};
  for (was = 0; !__atomic_compare_exchange_n(&c->next, &was, mine + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
       was = 0)
    c = &v->cell[d->cells + was - 1];
}

static void local(dht *d, unsigned o, uint64_t key, uint64_t value, bool inserts) {
  uint64_t kv[2] = {key, value};
  toc_access x = {.data = (const uint8_t *)kv};
  if (inserts && d->a->naive)
    own_insert(&d->v[o], key, value);
  else
    (inserts ? on_insert : on_delete)(&d->v[o], &x);
}

static toc_status settle(dht *d) {
  for (unsigned r = 0; r < d->a->nodes; r++)
    for (unsigned o = 0; o < d->a->nodes; o++) {
      if (r == o || !app_plays(d->a, r)) continue;
      TRY(app_lane_drain(&d->lane[r][o]));
      if (!d->a->naive) TRY(toc_flush(d->a->qp[r][o], d->at[o].flush, 0));
    }
  return app_together(d->a);
}

static toc_status set_up(dht *d) {
  app *a = d->a;
  for (d->cells = CELLS; d->cells * CHAIN * a->nodes < a->n;) d->cells *= 2;  // chains stay short
  d->heap = a->n < HEAP ? HEAP : a->n;
  for (unsigned r = 0; r < a->nodes; r++) {
    pthread_mutex_init(&d->v[r].lock, NULL);
    if (!app_plays(a, r)) continue;
    TRY(volume_open(d, r));
    TRY(toc_alloc(a->p[r], 4096, TOC_READ | TOC_WRITE, (void **)&d->word[r]));
    for (unsigned o = 0; o < a->nodes; o++)
      if (r != o) TRY(app_lane_open(&d->lane[r][o], a->qp[r][o], 16, 16));
  }
  return app_share(a, d->at, sizeof *d->at);
}

static toc_status insert_all(dht *d, uint64_t seed) {
  app *a = d->a;
  uint64_t begin = toc_now(a->f), link = a->link_bytes, sum[3] = {0};  // inserts by others, operations of them, bytes
  for (uint64_t i = 0; i < a->n; i++) {
    uint64_t key = app_mix(seed + i) | 1, value = app_mix(key) | 1;
    unsigned r = (unsigned)(i % a->nodes), o = owner_of(d, key);
    if (!app_plays(a, r)) continue;
    if (r == o)
      local(d, o, key, value, true);
    else
      TRY(a->naive ? naive_insert(d, r, o, key, value) : tell(d, r, o, d->at[o].insert, key, value, 16));
    sum[0] += r != o;
    app_step(a, i / 3);
  }
  TRY(settle(d));
  double took = (double)(toc_now(a->f) - begin);
  sum[1] = d->remote;
  sum[2] = a->link_bytes - link;
  TRY(app_sum(a, sum, 3));
  double inserted = (double)(sum[0] ? sum[0] : 1);
  app_number_add(a, "time of a remote insert", "ns", took / inserted);
  app_number_add(a, "remote operations of an insert", "", (double)sum[1] / inserted);
  app_number_add(a, "bytes on the link of an insert", "B", (double)sum[2] / inserted);
  return TOC_OK;
}

static toc_status delete_some(dht *d, uint64_t seed) {
  app *a = d->a;
  for (uint64_t i = 0; i < a->n; i += 4) {
    uint64_t key = app_mix(seed + i) | 1;
    unsigned r = (unsigned)((i / 4) % a->nodes), o = owner_of(d, key);
    if (!app_plays(a, r)) continue;
    if (r == o)
      local(d, o, key, 0, false);
    else
      TRY(a->naive ? naive_delete(d, r, o, key) : tell(d, r, o, d->at[o].remove, key, 0, 8));
    app_step(a, (a->n + i) / 3);
  }
  return settle(d);
}

// got: the value of each key that this process looks up.
static toc_status look_up_all(dht *d, uint64_t seed, uint64_t *got) {
  app *a = d->a;
  uint64_t begin = toc_now(a->f), looked = 0;
  for (uint64_t i = 0; i < a->n; i++) {
    uint64_t key = app_mix(seed + i) | 1, index;
    unsigned r = (unsigned)((i + 1) % a->nodes), o = owner_of(d, key);
    cell *c;
    if (!app_plays(a, r)) continue;
    if (r == o)
      c = find(&d->v[o], key);
    else
      TRY(seek(d, r, o, key, &index, &c));
    looked += r != o;
    got[i] = c->key == key ? c->value : 0;
    app_step(a, (2 * a->n + i) / 3);
  }
  TRY(app_together(a));
  double took = (double)(toc_now(a->f) - begin);
  TRY(app_sum(a, &looked, 1));
  app_number_add(a, "time of a remote look-up", "ns", took / (double)(looked ? looked : 1));
  return app_sum(a, got, a->n);
}

static toc_status run(dht *d, uint64_t *got) {
  app *a = d->a;
  uint64_t seed = a->random;
  TRY(set_up(d));
  TRY(insert_all(d, seed));
  TRY(delete_some(d, seed));
  TRY(look_up_all(d, seed, got));
  for (uint64_t i = 0; i < a->n; i++) {
    uint64_t key = app_mix(seed + i) | 1, want = i % 4 ? app_mix(key) | 1 : 0;
    if (got[i] != want)
      app_wrong(a, "key %llx: found %llx, want %llx", (unsigned long long)key, (unsigned long long)got[i],
                (unsigned long long)want);
    app_digest_word(a, key);
    app_digest_word(a, got[i]);
  }
  return TOC_OK;
}

toc_status app_dht(app *a) {
  dht *d = app_own(a, sizeof *d);
  uint64_t *got = calloc(a->n, sizeof *got);
  toc_status s = d && got ? TOC_OK : TOC_E_NOMEM;
  if (d) d->a = a;
  if (!s) s = run(d, got);
  for (unsigned r = 0; d && r < a->nodes; r++)
    for (unsigned o = 0; o < a->nodes; o++) app_lane_close(&d->lane[r][o]);
  free(got);
  return s;
}
