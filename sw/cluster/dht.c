// SPDX-License-Identifier: Apache-2.0
// The hash table of Active Access 4.1 and 5.2.1: processes insert random elements into volumes that all of them own
// together.
//
//   aa-int, aa-poll, aa-sp   an insert is one put, to the element's cell, whose page redirects it to its owner's log (listing 3)
//   aa-page                  the same, to one page of each owner: a cell's address is not needed, since the handler hashes the element
//   rma                      compare-and-swap of the cell; if it is taken fetch-and-add for a cell of the heap, put of it and swap of the
//                            chain's last cell, put of the link (listing 2; a swap's answer says alone where to link, so its second
//                            compare-and-swap is not needed, and the first put is not flushed: a queue pair keeps order)
//   rma-blocking             the same, one insert at a time, as listing 2 assumes atomics
//   am, am-exp, am-ints      an insert is a message; processes look for them after each step, or with a pause that doubles, or when told
//   am-onload                `servers` processes of a node own all volumes and do nothing but look for messages
//
// All keep `window` inserts under way. The processor's work is charged by lines of memory that no cache has, never
// measured.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dht.h"
#include "tocsin/aa_log.h"

enum { LINE = 64, PAUSE_FIRST = 100, PAUSE_MOST = 6400 };

typedef enum stage { FREE, SENT, ASKED, TAKEN, SWAPPED, LINKED } stage;
typedef struct insert_state {
  stage at;
  uint64_t elem, mine;
} insert_state;

typedef struct dht_proc {
  const run *r;
  const dht_variant *v;
  net *n;
  net_proc *p;
  share *s;
  volume *mine;
  insert_state under[NET_WINDOW];
  unsigned left, expected, done, busy;
  double owe;             // what was done and not yet spent
  double look_at, pause;  // am-exp: not before
  unsigned intrs;         // that are not served yet
  uint64_t line;          // of the log or event ring that was loaded last
} dht_proc;

static uint64_t table_at(unsigned id, uint64_t offset) { return node_at(id % NODE_PROCS, NODE_TABLE) + offset; }
static uint64_t cell_at(unsigned id, uint64_t index, size_t field) {
  return table_at(id, index * sizeof(cell) + field);
}

// ---- at the owner ---------------------------------------------------------------------------------------------------

static void insert_here(dht_proc *d, uint64_t elem) {
  unsigned lines = volume_insert(d->mine, elem, &d->s->collisions);
  if (!lines) d->s->wrong++;
  d->owe += d->n->c->mem * lines;
}

static void arrived(dht_proc *d, uint64_t elem) {
  insert_here(d, elem);
  d->done++;
}

// Bytes of a ring that a device wrote: a line of memory each time that a new one is reached.
static void load(dht_proc *d, uint64_t at) {
  d->owe += at / LINE == d->line ? d->n->c->step : d->n->c->mem;
  d->line = at / LINE;
}

static void read_log(dht_proc *d, uint32_t end) {
  const cost *c = d->n->c;
  net_proc *p = d->p;
  if (p->read == end) return;
  while (p->read != end) {
    const uint8_t *at = p->ring + p->read % NODE_LOG_BYTES;
    uint64_t info, elem;
    memcpy(&info, at + 8, 8);
    load(d, p->read);
    if (aa_entry_kind(info) == AA_ENTRY_PUT) {
      memcpy(&elem, at + 16, 8);
      arrived(d, elem);
    }
    d->owe += c->step;
    p->read += aa_entry_bytes(info);
  }
  d->owe += c->doorbell;
  net_log_done(d->n, p);
}

static void read_message(dht_proc *d, uint32_t at) {
  const cost *c = d->n->c;
  uint64_t elem;
  memcpy(&elem, d->p->buffers + at * LINE, 8);
  load(d, (uint64_t)at * 32);      // the event
  d->owe += c->mem + 2 * c->step;  // the message; its handler is found, its buffer posted again
  arrived(d, elem);
  d->p->got++;
}

// True: it had something to do.
static bool serve(dht_proc *d) {
  const cost *c = d->n->c;
  const dht_variant *v = d->v;
  net_proc *p = d->p;
  double now = net_now();
  uint32_t end = p->read;
  unsigned first = p->first, messages = 0, intrs = 0;
  bool resting = !d->left;  // with nothing else to do it looks by itself
  for (; p->first != p->next && p->news[p->first % p->news_size].when <= now; p->first++) {
    const net_news *e = &p->news[p->first % p->news_size];
    intrs += e->kind == NET_INTR;
    if (e->kind == NET_LOG) end = e->end;
    messages += e->kind == NET_MSG;
  }
  d->intrs += intrs;
  if (v->intr && !d->intrs && !resting) {
    p->first = first;
    return false;
  }
  if (v->backoff && now < d->look_at && !resting) {
    p->first = first;
    return false;
  }
  bool found = first != p->first;
  d->s->polls++;
  d->s->empty += !found;
  if (!resting) d->owe += c->intr * d->intrs;
  d->intrs = 0;
  if (v->family == AA) {
    d->owe += v->tell == NODE_SCRATCH ? c->scratch : end != p->read ? c->mem : c->step;
    read_log(d, end);
  } else {
    if (!messages) d->owe += c->step;
    for (; first != p->first; first++)
      if (p->news[first % p->news_size].kind == NET_MSG) read_message(d, p->news[first % p->news_size].end);
    if (messages) {
      d->owe += 2 * c->doorbell;  // buffers posted, events taken
      net_read(d->n, p);
    }
  }
  d->pause = messages ? PAUSE_FIRST : fmin(2 * d->pause, PAUSE_MOST);
  d->look_at = now + d->pause;
  return found;
}

// ---- from afar ------------------------------------------------------------------------------------------------------

// What was done so far takes its time; then the request is written, and the doorbell.
static void post(dht_proc *d, unsigned slot, unsigned to, net_frame f) {
  d->owe += 2 * d->n->c->step + d->n->c->doorbell;
  net_spend(d->owe);
  d->owe = 0;
  f.slot = slot;
  f.to = to;
  net_send(d->n, d->p, &f);
}

static void begin(dht_proc *d, unsigned slot, uint64_t elem, unsigned to) {
  insert_state *u = &d->under[slot];
  uint64_t at = cell_at(to, volume_cell(elem), 0);
  *u = (insert_state){SENT, elem, 0};
  d->busy++;
  if (d->v->family == AA)
    post(d, slot, to,
         (net_frame){.kind = NET_PUT, .at = d->v->page ? table_at(to, 0) : at, .v = {elem, 0}, .bytes = 8});
  else if (d->v->family == AM)
    post(d, slot, to, (net_frame){.kind = NET_MESSAGE, .v = {elem, 0}, .bytes = 16});
  else {
    u->at = ASKED;
    post(d, slot, to, (net_frame){.kind = NET_ATOMIC, .op = NODE_CAS, .at = at, .v = {elem, 0}});
  }
}

// An answer has come: what the insert needs next.
static void go_on(dht_proc *d, unsigned slot) {
  insert_state *u = &d->under[slot];
  unsigned to = dht_owner(d->r, d->v, u->elem);
  uint64_t at = volume_cell(u->elem), value = d->p->slot[slot].value;
  d->p->slot[slot].ready = 0;
  d->owe += u->at == SENT || u->at == LINKED ? d->n->c->step : d->n->c->mem;  // an answer is what a device wrote
  if (u->at == ASKED && value) {
    u->at = TAKEN;
    d->s->collisions++;
    post(d, slot, to,
         (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = table_at(to, offsetof(volume, taken)), .v = {1, 0}});
  } else if (u->at == TAKEN) {
    if (value >= VOLUME_HEAP) d->s->wrong++;
    u->mine = VOLUME_TABLE + value % VOLUME_HEAP;
    u->at = SWAPPED;
    post(d, NET_WINDOW, to, (net_frame){.kind = NET_PUT, .at = cell_at(to, u->mine, 0), .v = {u->elem, 0}, .bytes = 8});
    post(d, slot, to,
         (net_frame){.kind = NET_ATOMIC,
                     .op = NODE_SWAP,
                     .at = table_at(to, offsetof(volume, last) + 8 * at),
                     .v = {u->mine, 0}});
  } else if (u->at == SWAPPED) {
    u->at = LINKED;
    post(d, slot, to,
         (net_frame){.kind = NET_PUT, .at = cell_at(to, value ? value : at, 8), .v = {u->mine, 0}, .bytes = 8});
  } else {
    u->at = FREE;
    d->busy--;
  }
}

static unsigned free_slot(const dht_proc *d) {
  unsigned window = d->v->blocking ? 1 : d->r->window;
  for (unsigned i = 0; i < window; i++)
    if (!d->under[i].at) return i;
  return NET_WINDOW;
}

static bool answers(dht_proc *d) {
  bool any = false;
  double now = net_now();
  for (unsigned i = 0; d->busy && i < d->r->window; i++)
    if (d->under[i].at && d->p->slot[i].ready <= now) {
      go_on(d, i);
      any = true;
    }
  return any;
}

static void one(dht_proc *d, unsigned slot) {
  uint64_t elem = dht_elem(d->r, d->p->id, dht_quota(d->r, d->v, d->p->id) - d->left);
  unsigned to = dht_owner(d->r, d->v, elem);
  d->owe += d->r->compute;
  d->left--;
  d->s->inserts++;
  if (to == d->p->id)
    insert_here(d, elem);
  else
    begin(d, slot, elem, to);
}

// ---- the program ----------------------------------------------------------------------------------------------------

static void open_volume(const run *r, net *n, net_proc *p) {
  const dht_variant *v = dht_variant_named(r->variant);
  dht_own *o = n->own;
  if (!dht_serves(r, v, p->id)) return;
  o->at[p->id] = volume_new();
  if (!o->at[p->id]) fprintf(stderr, "cluster: no memory for a volume\n"), exit(2);
  node_map(n->node[p->node], p->who, NODE_TABLE, o->at[p->id], sizeof(volume),
           v->family == AA ? NODE_REDIRECT : NODE_PLAIN);
  if (v->family == AA) node_log(n->node[p->node], p->who, NODE_RING, v->tell, NET_BATCH);
}

// When there is something to do again. Who pauses has looked in vain meanwhile.
static double due(dht_proc *d) {
  net_proc *p = d->p;
  double at = INFINITY;
  for (unsigned i = p->first; i != p->next && isinf(at); i++)
    if (!d->v->intr || !d->left || p->news[i % p->news_size].kind == NET_INTR) at = p->news[i % p->news_size].when;
  if (d->v->backoff && d->left && !isinf(at))
    while (d->look_at < at) {
      d->pause = fmin(2 * d->pause, PAUSE_MOST);
      d->look_at += d->pause;
    }
  if (d->v->backoff && d->left && at < d->look_at) at = d->look_at;
  return fmin(at, net_slot_due(p));
}

static void play(const run *r, net *n, net_proc *p, share *s) {
  dht_own *o = n->own;
  dht_proc d = {.r = r,
                .v = dht_variant_named(r->variant),
                .n = n,
                .p = p,
                .s = s,
                .mine = o->at[p->id],
                .line = UINT64_MAX,
                .pause = PAUSE_FIRST};
  bool handles = d.v->family != RMA && d.mine;
  d.left = dht_quota(r, d.v, p->id);
  if (handles) d.expected = o->expected[p->id];
  while (d.left || d.busy || d.done < d.expected) {
    bool any = handles && serve(&d);
    any |= answers(&d);
    unsigned slot = free_slot(&d);
    if (d.left && slot < NET_WINDOW) {
      one(&d, slot);
      any = true;
    }
    net_spend(d.owe);
    d.owe = 0;
    if (!any) net_wait(p, due(&d));  // with more looks in vain, of which the last one counts
  }
}

const program dht = {.name = "dht",
                     .most = 1 << 18,
                     .takes = dht_takes,
                     .prepare = dht_prepare,
                     .open = open_volume,
                     .play = play,
                     .check = dht_check,
                     .serial = dht_serial};
