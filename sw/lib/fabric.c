// SPDX-License-Identifier: Apache-2.0
// Opening and closing.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "internal.h"

enum { ADDED = 8 };
static const toc_backend *const built_in[] = {&toc_backend_model, &toc_backend_rtl, &toc_backend_uio, &toc_backend_vfio,
                                              &toc_backend_fpga};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };
static toc_backend added[ADDED];
static unsigned adds;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

// ---- backends
static const toc_backend *find(const char *name) {
  for (unsigned i = 0; i < BUILT_IN; i++)
    if (!strcmp(built_in[i]->name, name)) return built_in[i];
  for (unsigned i = 0; i < adds; i++)
    if (!strcmp(added[i].name, name)) return &added[i];
  return NULL;
}

static const toc_backend *find_added(const char *name) {
  pthread_mutex_lock(&adding);
  const toc_backend *b = find(name);
  pthread_mutex_unlock(&adding);
  return b;
}

toc_status toc_backend_add(const toc_backend *b) {
  toc_status s = TOC_OK;
  pthread_mutex_lock(&adding);
  if (!b || !b->name || !b->open || !b->close || !b->read || !b->write || !b->dma_alloc || !b->dma_free || !b->vector ||
      !b->progress || !b->now || !b->mhz)
    s = toc_i_fail(TOC_E_ARG, "toc_backend_add: a function, the name or mhz is missing");
  else if (find(b->name))
    s = toc_i_fail(TOC_E_IN_USE, "toc_backend_add: there is a backend '%s' already", b->name);
  else if (adds == ADDED)
    s = toc_i_fail(TOC_E_FULL, "toc_backend_add: %d backends were added already", ADDED);
  else
    added[adds++] = *b;
  pthread_mutex_unlock(&adding);
  return s;
}

const char *const *toc_backends(void) {
  static const char *name[BUILT_IN + ADDED + 1];
  pthread_mutex_lock(&adding);
  for (unsigned i = 0; i < BUILT_IN + adds; i++) /* once: others may be reading */
    if (!name[i]) name[i] = i < BUILT_IN ? built_in[i]->name : added[i - BUILT_IN].name;
  pthread_mutex_unlock(&adding);
  return name;
}

// ---- opening and closing
/* The environment decides where the program does not. */
static toc_status good_progress(toc_options *with) {
  const char *asked = getenv("TOCSIN_PROGRESS");
  if ((unsigned)with->progress > TOC_PROGRESS_THREAD) return toc_i_fail(TOC_E_ARG, "toc_open: progress");
  if (with->progress != TOC_PROGRESS_DEFAULT) return TOC_OK;
  with->progress = TOC_PROGRESS_CALLS;
  if (!asked || !*asked || !strcmp(asked, "calls")) return TOC_OK;
  with->progress = TOC_PROGRESS_THREAD;
  return strcmp(asked, "thread") ? toc_i_fail(TOC_E_ARG, "TOCSIN_PROGRESS is '%s'; it can be calls or thread", asked)
                                 : TOC_OK;
}

static toc_status checked(const toc_options *o, toc_options *with) {
  memset(with, 0, sizeof *with);
  if (o) *with = *o;
  if (!with->backend) with->backend = "model";
  if (!with->nodes) with->nodes = 1;
  if (!with->node_bytes) with->node_bytes = 64u << 20;
  if (!with->seed) with->seed = 1;
  if (!with->timeout_us) with->timeout_us = 200000;
  if (!with->patience_ms) with->patience_ms = 20000;
  if (!with->link) with->link = getenv("TOCSIN_LINK");
  if (with->nodes > 64) return toc_i_fail(TOC_E_ARG, "toc_open: %u nodes; 1 to 64 are possible", with->nodes);
  if (with->rank0 > RANKS - with->nodes)
    return toc_i_fail(TOC_E_ARG, "toc_open: ranks of %u nodes from rank0 %u on; 0 to %d are possible", with->nodes,
                      with->rank0, RANKS - 1);
  if (with->qps >= QP_CONTEXTS)
    return toc_i_fail(TOC_E_ARG, "toc_open: %u queue pairs a node; up to %d are possible", with->qps, QP_CONTEXTS - 1);
  if (with->places == 1 || with->places > QP_PLACES)
    return toc_i_fail(TOC_E_ARG, "toc_open: %u places; 2 to %d are possible", with->places, QP_PLACES);
  if ((uint64_t)with->drop + with->twice + with->swap + with->bend > 1000)
    return toc_i_fail(TOC_E_ARG, "toc_open: drop, twice, swap and bend are of 1000 frames, together");
  if (with->node_bytes < 4u << 20 || with->node_bytes > 1ull << 40)
    return toc_i_fail(TOC_E_ARG, "toc_open: node_bytes must be 4 MiB to 1 TiB");
  return good_progress(with);
}

static toc_i_fabric *fabric_new(const toc_backend *be, const toc_options *o) {
  toc_i_fabric *f = calloc(1, sizeof *f);
  pthread_mutexattr_t a;
  if (!f) return NULL;
  f->be = be;
  f->o = *o;
  if (be->registers_only) f->o.registers_only = true;
  f->spy = (toc_spy){o->see ? o->see : toc_i_see_nothing, o->see_ctx};
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&f->lock, &a);
  pthread_mutexattr_destroy(&a);
  toc_i_crew_init(f);
  return f;
}

static toc_status nodes_up(toc_i_fabric *f) {
  char why[256] = "";
  f->linked = f->o.link && *f->o.link;
  f->probe = f->linked ? toc_i_probe : NULL;
  if (f->linked && !f->be->count)
    return toc_i_fail(TOC_E_SUPPORT, "backend %s has no link; model and rtl have", f->be->name);
  toc_status s = f->be->open(&f->o, &f->spy, &f->self, &f->nodes, why);
  if (s != TOC_OK) {
    f->self = NULL;
    f->nodes = 0;
    return toc_i_fail(s, "backend %s: %s", f->be->name, why);
  }
  f->node = calloc(f->nodes, sizeof *f->node);
  if (!f->node) return toc_i_fail(TOC_E_NOMEM, "toc_open: no memory");
  for (unsigned i = 0; i < f->nodes; i++) {
    f->node[i] = (toc_i_node){.f = f, .rank = i, .rng = f->o.seed * 0x9e3779b97f4a7c15u + i + 1};
    if (!toc_i_ranges_init(&f->node[i].bus, 0, 1ull << BUS_BITS)) return toc_i_fail(TOC_E_NOMEM, "toc_open: no memory");
    if (!(f->node[i].h = toc_i_handle_new(TOC_I_node, &f->node[i]))) return TOC_E_NOMEM;
    TRY(toc_i_node_up(&f->node[i]));
    TRY(toc_i_contexts_up(&f->node[i]));
  }
  if (!(f->h = toc_i_handle_new(TOC_I_fabric, f))) return TOC_E_NOMEM;
  return f->o.progress == TOC_PROGRESS_THREAD && !f->o.registers_only ? toc_i_drive(f) : TOC_OK;
}

/* A handler that does not end still uses what is closed here: then it all stays as it is. */
static toc_status close_all(toc_i_fabric *f) {
  for (unsigned i = 0; f->node && i < f->nodes; i++)
    for (unsigned p = 0; p < PROCS; p++)
      if (f->node[i].proc[p]) TRY(toc_i_proc_close(f->node[i].proc[p]));
  toc_i_drive_end(f);
  toc_i_crew_end(f);
  for (unsigned i = 0; f->node && i < f->nodes; i++) {
    toc_i_handle_end(f->node[i].h);
    if (f->node[i].f) toc_i_contexts_down(&f->node[i]);
    toc_i_node_down(&f->node[i]);
    toc_i_ranges_free(&f->node[i].bus);
  }
  toc_i_handle_end(f->h);
  if (f->self) f->be->close(f->self);
  return TOC_OK;
}

static void shut(toc_i_fabric *f) {
  toc_i_lock(f);
  toc_status s = close_all(f);
  toc_i_unlock(f);
  if (s != TOC_OK) return;
  pthread_cond_destroy(&f->worked);
  pthread_mutex_destroy(&f->lock);
  free(f->node);
  free(f);
}

toc_status toc_open(const toc_options *o, toc_fabric **out) {
  char why[256] = "";
  toc_options with;
  if (!out) return toc_i_fail(TOC_E_ARG, "toc_open: nowhere to put the fabric");
  *out = NULL;
  TRY(checked(o, &with));
  const toc_backend *be = find_added(with.backend);
  if (!be) return toc_i_fail(TOC_E_BACKEND, "toc_open: there is no backend '%s'", with.backend);
  if (be == &toc_backend_rtl && !(be = toc_i_rtl(why, sizeof why)))
    return toc_i_fail(TOC_E_BACKEND, "backend rtl: %s", why);
  toc_i_fabric *f = fabric_new(be, &with);
  if (!f) return toc_i_fail(TOC_E_NOMEM, "toc_open: no memory");
  toc_i_lock(f);
  toc_status s = nodes_up(f);
  toc_i_unlock(f);
  if (s != TOC_OK) {
    shut(f);
    return s;
  }
  *out = f->h;
  return TOC_OK;
}

void toc_close(toc_fabric *h_f) {
  OBJECT_OR(fabric, f, );
  if (toc_i_hand()->of == f || toc_i_hand()->out == f) {
    (void)toc_i_fail(TOC_E_IN_USE, "toc_close: this is a handler or kernel of the fabric");
    return;
  }
  shut(f);
}

unsigned toc_nodes(const toc_fabric *h_f) {
  OBJECT_OR(fabric, f, 0);
  return f->nodes;
}

toc_node *toc_node_at(toc_fabric *h_f, unsigned rank) {
  OBJECT_OR(fabric, f, NULL);
  return rank < f->nodes ? f->node[rank].h : NULL;
}

unsigned toc_node_rank(const toc_node *h_n) {
  OBJECT_OR(node, n, 0);
  return n->rank;
}

void toc_caps_of(const toc_node *h_n, toc_caps *c) {
  if (!c) return;
  *c = (toc_caps){0};
  OBJECT_OR(node, n, );
  *c = n->caps;
}

void toc_listen(toc_fabric *h_f, toc_see_fn *see, void *ctx) {
  OBJECT_OR(fabric, f, );
  toc_i_lock(f);
  f->spy = (toc_spy){see ? see : toc_i_see_nothing, ctx};
  toc_i_unlock(f);
}

void toc_link_counts(toc_fabric *h_f, toc_link_count *c) {
  if (!c) return;
  *c = (toc_link_count){0};
  OBJECT_OR(fabric, f, );
  toc_i_lock(f);
  if (f->be->count) f->be->count(f->self, c);
  toc_i_unlock(f);
}

uint64_t toc_now(toc_fabric *h_f) {
  OBJECT_OR(fabric, f, 0);
  toc_i_lock(f);
  uint64_t t = f->be->now(f->self);
  toc_i_unlock(f);
  return t;
}
