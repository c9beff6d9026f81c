// SPDX-License-Identifier: Apache-2.0
#include "app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_TIMEOUT_US = 60000000, LOSSY_US = 200000, LOSSLESS_US = 1000000 };  // a busy machine lets a peer wait
enum { DEVICE_QPS = 16 };                                                        // that a node has without a word

const app_program app_programs[] = {
    {"dht", "distributed hash table: inserts and deletes by active puts, look-ups by gets [atomics and gets]", app_dht,
     2, 400, "keys", false, 0},
    {"counter", "counts accesses to each page [a fetch-and-add beside each access]", app_counter, 2, 400, "accesses",
     false, 0},
    {"checkpoint", "copies only pages that puts or its CPU have touched since the last time [copies all]",
     app_checkpoint, 2, 400, "puts", false, 0},
    {"getlog", "logs gets where they are served; a crashed rank replays them [the reader logs by puts]", app_getlog, 2,
     300, "gets", true, 256},
    {"sort", "parallel sort by gets; a rank crashes and replays its gets from its peers' logs [logs by puts]", app_sort,
     3, 6000, "keys", true, 0},
    {"launch", "kernels launched on a remote accelerator, with time breakdown [the remote CPU launches]", app_launch, 2,
     50, "launches", false, 4096},
    {"accumulate", "one-sided sums into a remote window by its accelerator [by its CPU]", app_accumulate, 3, 120,
     "accumulates", false, 4000},
    {"reduce", "sum of a vector over all ranks, at the root's accelerator [at its CPU]", app_reduce, 4, 4096,
     "elements", false, 0},
    {"allreduce", "the same for everybody: reduce-scatter by accelerators, then puts [by CPUs]", app_allreduce, 4, 4096,
     "elements", false, 0},
    {NULL, NULL, NULL, 0, 0, NULL, false, 0}};

const app_program *app_named(const char *name) {
  for (const app_program *p = app_programs; p->name; p++)
    if (!strcmp(p->name, name)) return p;
  return NULL;
}

// ---- ranks that are processes ---------------------------------------------------------------------------------------

static toc_status gather(app *a, const void *mine, size_t n, void *all) {
  int status = 0;
  if (ranks_gather(a->all, mine, n, all, &status, a->why)) return TOC_OK;
  a->told = true;
  return (toc_status)status;
}

toc_status app_share(app *a, void *of, size_t each) {
  return a->all ? gather(a, (const uint8_t *)of + a->rank * each, each, of) : TOC_OK;
}

toc_status app_tell(app *a, unsigned from, void *what, size_t n) {
  if (!a->all) return TOC_OK;
  uint8_t *all = calloc(a->nodes, n);
  if (!all) return TOC_E_NOMEM;
  toc_status s = gather(a, what, n, all);
  if (!s) memcpy(what, all + from * n, n);
  free(all);
  return s;
}

toc_status app_sum(app *a, uint64_t *v, size_t n) {
  if (!a->all) return TOC_OK;
  uint64_t *all = calloc(a->nodes * n, sizeof *all);
  if (!all) return TOC_E_NOMEM;
  toc_status s = gather(a, v, n * sizeof *v, all);
  for (size_t i = 0; !s && i < n; i++) {
    v[i] = 0;
    for (unsigned r = 0; r < a->nodes; r++) v[i] += all[r * n + i];
  }
  free(all);
  return s;
}

toc_status app_together(app *a) { return a->all ? gather(a, NULL, 0, NULL) : TOC_OK; }

// Whether ranks r and s have a connection to make: they are two, and one of them is `of`, or it is all the same.
static bool meet(unsigned r, unsigned s, int of) {
  return r != s && (of < 0 || r == (unsigned)of || s == (unsigned)of);
}

// This process is one rank, and its connections lead to the others: those of rank `of`, -1: all.
static toc_status connect_ranks(app *a, int of) {
  const unsigned me = a->rank;
  toc_address(*at)[APP_NODES] = calloc(a->nodes, sizeof *at);  // at[r][s]: of r's end of the connection to s
  if (!at) return TOC_E_NOMEM;
  toc_status e = TOC_OK;
  const toc_qp_options o = {.timeout_us = a->open.drop ? LOSSY_US : LOSSLESS_US};
  for (unsigned s = 0; s < a->nodes && !e; s++) {
    if (!meet(me, s, of)) continue;
    e = toc_qp_open(a->p[me], &o, &a->qp[me][s]);
    if (!e) e = toc_qp_address(a->qp[me][s], &at[me][s]);
  }
  if (!e) e = app_share(a, at, sizeof *at);
  for (unsigned s = 0; s < a->nodes && !e; s++)
    if (meet(me, s, of)) e = toc_qp_connect(a->qp[me][s], &at[s][me]);
  free(at);
  return e ? e : app_together(a);
}

// What is wrong at one is wrong for all, and said by all.
static toc_status agree(app *a) {
  struct {
    bool wrong;
    char why[sizeof a->why];
  } of[APP_NODES];
  memset(of, 0, sizeof of);
  of[a->rank].wrong = a->wrong;
  memcpy(of[a->rank].why, a->why, sizeof a->why);
  TRY(app_share(a, of, sizeof *of));
  for (unsigned r = 0; r < a->nodes && !a->wrong; r++)
    if (of[r].wrong) app_wrong(a, "rank %u: %.200s", r, of[r].why);
  return TOC_OK;
}

static void as_rank(app *a, char *link, size_t n) {
  a->rank = ranks_rank(a->all);
  a->nodes = ranks_count(a->all);
  snprintf(link, n, "udp,local=%s:0", ranks_local(a->all));
  a->open.nodes = 1;
  a->open.rank0 = a->rank;
  a->open.link = link;
  a->open.progress = TOC_PROGRESS_THREAD;
  a->open.timeout_us = RANKS_TIMEOUT_US;
  a->open.patience_ms = RANKS_TIMEOUT_US / 1000;
}

// ---- running --------------------------------------------------------------------------------------------------------

static toc_status connect_here(app *a, int of) {
  for (unsigned r = 0; r < a->nodes; r++)
    for (unsigned s = r + 1; s < a->nodes; s++)
      if (meet(r, s, of)) TRY(toc_connect(a->p[r], a->p[s], &a->qp[r][s], &a->qp[s][r]));
  return TOC_OK;
}

static toc_status begin(app *a) {
  for (unsigned r = 0; r < a->nodes; r++)
    if (app_plays(a, r)) TRY(toc_proc_open(toc_node_at(a->f, a->all ? 0 : r), &a->p[r]));
  return a->all ? connect_ranks(a, -1) : connect_here(a, -1);
}

toc_status app_crash(app *a, unsigned r) {
  int status = 0;
  TRY(app_together(a));
  if (a->all && a->rank == r) ranks_crash(a->all);
  for (unsigned s = 0; s < a->nodes; s++)
    if (s != r && app_plays(a, s)) toc_qp_close(a->qp[s][r]);
  if (a->all) {
    if (ranks_again(a->all, r, &status, a->why)) return connect_ranks(a, (int)r);
    a->told = true;
    return (toc_status)status;
  }
  toc_proc_close(a->p[r]);
  TRY(toc_proc_open(toc_node_at(a->f, r), &a->p[r]));
  return connect_here(a, (int)r);
}

// Who listened before, and the program that counts what is on the link.
typedef struct counted {
  app *a;
  toc_see_fn *see;
  void *see_ctx;
} counted;

static void count_link(void *ctx, const toc_seen *s) {
  const counted *c = ctx;
  if (s->kind == TOC_SEEN_FRAME) __atomic_fetch_add(&c->a->link_bytes, s->bytes, __ATOMIC_RELAXED);
  if (c->see) c->see(c->see_ctx, s);
}

toc_status app_run(app *a, const app_program *program) {
  if (a->nodes < program->nodes) a->nodes = program->nodes;
  if (a->nodes > APP_NODES) a->nodes = APP_NODES;
  if (!a->n) a->n = program->n;
  counted c = {a, a->open.see, a->open.see_ctx};
  const toc_options asked = a->open;
  char link[2 * RANKS_HOST];
  a->open.see = count_link;
  a->open.see_ctx = &c;
  a->open.nodes = a->nodes;
  a->told = false;
  if (a->all) as_rank(a, link, sizeof link);
  if (a->nodes > DEVICE_QPS) a->open.qps = a->nodes;
  a->random = app_mix(a->open.seed + 1);
  a->digest = 0xcbf29ce484222325;
  a->numbers = a->timeless = 0;
  a->link_bytes = 0;
  a->wrong = false;
  *a->why = 0;
  toc_status s = toc_open(&a->open, &a->f);
  if (!s) s = begin(a);
  if (!s) s = program->run(a);
  if (!s && a->all) s = agree(a);  // and nobody leaves before
  if (s && !*a->why) snprintf(a->why, sizeof a->why, "%s", toc_why());
  if (s && a->all && !a->told) ranks_fail(a->all, s, a->why);
  toc_close(a->f);
  free(a->own);
  a->own = NULL;
  a->open = asked;
  a->f = NULL;
  return s;
}

uint64_t app_random(app *a) { return app_mix(a->random++); }

void app_number_add(app *a, const char *name, const char *unit, double value) {
  bool time = !strcmp(unit, "ns") || !strcmp(unit, "us");
  if (time && value <= 0 && !strcmp(a->open.backend, "model"))
    a->timeless++;
  else if (a->numbers < APP_NUMBERS)
    a->number[a->numbers++] = (app_number){name, unit, value};
}

void app_digest(app *a, const void *bytes, size_t n) {
  for (const uint8_t *p = bytes; n--; p++) a->digest = (a->digest ^ *p) * 0x100000001b3;
}

void app_digest_word(app *a, uint64_t v) {
  uint8_t b[8];
  for (unsigned i = 0; i < 8; i++) b[i] = (uint8_t)(v >> 8 * i);
  app_digest(a, b, 8);
}

toc_status app_wrong(app *a, const char *fmt, ...) {
  if (!a->wrong) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(a->why, sizeof a->why, fmt, ap);
    va_end(ap);
  }
  a->wrong = true;
  return TOC_OK;
}

void *app_own(app *a, size_t bytes) { return a->own = calloc(1, bytes); }

void app_step(app *a, uint64_t done) {
  if (a->progress) a->progress(a->ctx, done, a->n);
}

// ---- lanes ----------------------------------------------------------------------------------------------------------

toc_status app_lane_open(app_lane *l, toc_qp *qp, unsigned slots, uint32_t size) {
  *l = (app_lane){.qp = qp, .size = size, .slots = slots};
  l->req = calloc(slots, sizeof *l->req);
  l->used = calloc(slots, sizeof *l->used);
  if (!l->req || !l->used) return TOC_E_NOMEM;
  return toc_alloc(toc_qp_proc(qp), (size_t)slots * size, TOC_READ | TOC_WRITE, (void **)&l->bytes);
}

toc_status app_lane_slot(app_lane *l, void **slot, toc_req **req) {
  unsigned i = l->next++ % l->slots;
  if (l->used[i]) TRY(toc_wait(l->req[i], 0));
  l->used[i] = true;
  *slot = l->bytes + (size_t)i * l->size;
  *req = &l->req[i];
  return TOC_OK;
}

toc_status app_lane_drain(app_lane *l) {
  for (unsigned i = 0; i < l->slots; i++) {
    if (l->used[i]) TRY(toc_wait(l->req[i], 0));
    l->used[i] = false;
  }
  return TOC_OK;
}

void app_lane_close(app_lane *l) {
  free(l->req);
  free(l->used);
  *l = (app_lane){0};
}
