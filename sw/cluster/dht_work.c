// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dht.h"
#include "mix.h"
#include "tocsin/aa_log.h"

static const dht_variant variants[] = {{.name = "aa-int", .family = AA, .tell = NODE_INTR, .intr = true},
                                       {.name = "aa-poll", .family = AA, .tell = NODE_POLL},
                                       {.name = "aa-sp", .family = AA, .tell = NODE_SCRATCH},
                                       {.name = "aa-page", .family = AA, .tell = NODE_POLL, .page = true},
                                       {.name = "aa-task", .family = AA, .tell = NODE_TASK, .task = true},
                                       {.name = "rma", .family = RMA},
                                       {.name = "rma-blocking", .family = RMA, .blocking = true},
                                       {.name = "am", .family = AM},
                                       {.name = "am-exp", .family = AM, .backoff = true},
                                       {.name = "am-ints", .family = AM, .intr = true},
                                       {.name = "am-onload", .family = AM, .onload = true},
                                       {.name = NULL}};
const dht_variant *dht_variant_named(const char *name) {
  const dht_variant *v = variants;
  while (v->name && strcmp(v->name, name)) v++;
  return v->name ? v : NULL;
}

// ---- who inserts what where -----------------------------------------------------------------------------------------

static unsigned dht_here(const run *r, unsigned node) {  // processes on a node
  unsigned left = r->procs - node * NODE_PROCS;
  return left < NODE_PROCS ? left : NODE_PROCS;
}
bool dht_serves(const run *r, const dht_variant *v, unsigned id) {
  return r->pair ? id == NODE_PROCS : !v->onload || id % NODE_PROCS < r->servers;
}
static bool inserts(const run *r, const dht_variant *v, unsigned id) {
  return r->pair ? id == 0 : !v->onload || !dht_serves(r, v, id);
}

static unsigned volumes_of(const run *r, const dht_variant *v) {
  return v->onload ? r->procs / NODE_PROCS * r->servers +
                         (r->procs % NODE_PROCS < r->servers ? r->procs % NODE_PROCS : r->servers)
                   : r->procs;
}
unsigned dht_owner(const run *r, const dht_variant *v, uint64_t elem) {
  unsigned o = volume_owner(elem, volumes_of(r, v));
  if (r->pair) return NODE_PROCS;
  return v->onload ? o / r->servers * NODE_PROCS + o % r->servers : o;
}
// Elements r * per ... of the run's are process r's; those of processes that serve are done by the
// others of their node.
unsigned dht_quota(const run *r, const dht_variant *v, unsigned id) {
  if (!inserts(r, v, id)) return 0;
  if (!v->onload) return r->per;
  unsigned all = dht_here(r, id / NODE_PROCS), doing = all - r->servers, k = id % NODE_PROCS - r->servers;
  return all * r->per / doing + (k < all * r->per % doing);
}
uint64_t dht_elem(const run *r, unsigned id, unsigned i) {
  return volume_elem(r->seed, id, i, (uint32_t)(r->collide * 4294967295.0));
}

bool dht_takes(const run *r, const char **why) {
  const dht_variant *v = dht_variant_named(r->variant);
  *why = !v ? "no such variant of dht" : r->window < 1 || r->window > NET_WINDOW ? "window: 1 to 64" : NULL;
  if (v && v->onload && (!r->servers || r->servers >= dht_here(r, (r->procs - 1) / NODE_PROCS)))
    *why = "am-onload: at least one server on a node, and one process that inserts";
  if (v && r->pair && (v->onload || r->procs <= NODE_PROCS)) *why = "pair: 33 processes or more, and not am-onload";
  return !*why;
}

// A kernel's lanes insert by atomics; here one after the other, with what that gives.
static net_work insert_records(net *n, net_proc *p, uint32_t end) {
  const dht_own *o = n->own;
  share *s = &n->share[p->id];
  net_work w = {.lines = (end - p->read + 63) / 64};
  for (uint32_t at = p->read; at != end;) {
    const uint8_t *rec = p->ring + at % NODE_LOG_BYTES;
    uint64_t info, elem;
    memcpy(&info, rec + 8, sizeof info);
    at += aa_entry_bytes(info);
    if (aa_entry_kind(info) != AA_ENTRY_PUT) continue;
    memcpy(&elem, rec + 16, sizeof elem);
    unsigned lines = volume_insert(o->at[p->id], elem, &s->collisions);
    s->wrong += !lines;
    w.records++;
    w.lines += lines;
    if (lines > w.chain) w.chain = lines;
  }
  return w;
}

bool dht_prepare(const run *r, net *n) {
  const dht_variant *v = dht_variant_named(r->variant);
  dht_own *o = calloc(1, sizeof *o);
  n->own = o;
  n->interrupts = v->intr && v->family == AM;
  n->kernel = v->task ? insert_records : NULL;
  if (!o || !(o->at = calloc(r->procs, sizeof *o->at)) || !(o->expected = calloc(r->procs, sizeof *o->expected)))
    return false;
  for (unsigned id = 0; id < r->procs; id++)
    for (unsigned i = 0; i < dht_quota(r, v, id); i++) {
      unsigned to = dht_owner(r, v, dht_elem(r, id, i));
      o->expected[to] += to != id || v->task;
    }
  return true;
}

// ---- the result -----------------------------------------------------------------------------------------------------

static uint64_t fold(uint64_t elem, uint64_t chain) { return app_mix(elem ^ app_mix(chain)); }

void dht_check(const run *r, net *n, net_proc *p, share *s) {
  const dht_variant *v = dht_variant_named(r->variant);
  dht_own *o = n->own;
  for (unsigned i = 0; i < dht_quota(r, v, p->id); i++) {
    uint64_t elem = dht_elem(r, p->id, i);
    const volume *at = o->at[dht_owner(r, v, elem)];
    s->wrong += !volume_has(at, elem);
    s->digest += fold(elem, volume_count(at, elem));
  }
}

typedef struct placed {
  uint64_t at, elem;
} placed;
static int by_place(const void *a, const void *b) {
  const placed *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

uint64_t dht_serial(const run *r) {
  const dht_variant *v = dht_variant_named(r->variant);
  size_t n = 0, all = (size_t)r->procs * r->per;
  placed *p = calloc(all + 1, sizeof *p);
  uint64_t digest = 0;
  if (!p) return 0;
  for (unsigned id = 0; id < r->procs; id++)
    for (unsigned i = 0; i < dht_quota(r, v, id); i++, n++) {
      p[n].elem = dht_elem(r, id, i);
      p[n].at = (uint64_t)dht_owner(r, v, p[n].elem) << 32 | volume_cell(p[n].elem);
    }
  qsort(p, n, sizeof *p, by_place);
  for (size_t i = 0, k; i < n; i = k) {
    for (k = i; k < n && p[k].at == p[i].at;) k++;
    for (size_t j = i; j < k; j++) digest += fold(p[j].elem, k - i);
  }
  free(p);
  return digest;
}
