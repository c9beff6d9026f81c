// SPDX-License-Identifier: Apache-2.0
// The hash table of Active Access 4.1 and 5.2.1: processes insert random elements into volumes that all of them own
// together.
//
//   aa-int, aa-poll, aa-sp   an insert is one put, to the element's cell, whose page redirects it to its
//                            owner's log (listing 3)
//   aa-task                  the same, and the owner's log starts tasks of its node's accelerator, which inserts what
//                            is in it; the owner puts what it inserts into its own volume as well
//   aa-page                  the same, to one page of each owner: a cell's address is not needed, since the handler
//                            hashes the element
//   rma                      compare-and-swap of the cell; if it is taken fetch-and-add for a cell of the heap, put of
//                            it and swap of the chain's last cell, put of the link (listing 2; a swap's answer says
//                            alone where to link, so its second compare-and-swap is not needed, and the first put is
//                            not flushed: a queue pair keeps order)
//   rma-blocking             the same, one insert at a time, as listing 2 assumes atomics
//   am, am-exp, am-ints      an insert is a message; processes look for them after each step, or with a pause that
//                            doubles, or when told
//   am-onload                `servers` processes of a node own all volumes and do nothing but look for messages
//
// All keep `window` inserts under way. The processor's work is charged by lines of memory that no cache has, never
// measured.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dht.h"
#include "player.h"
#include "tocsin/aa_log.h"

enum { PAUSE_FIRST = 100, PAUSE_MOST = 6400 };

typedef enum stage { SENT, ASKED, TAKEN, SWAPPED, LINKED } stage;
typedef struct insert_state {
  stage at;
  uint64_t elem, mine;
} insert_state;

typedef struct dht_proc {
  const dht_variant *v;
  volume *mine;
  insert_state in[NET_WINDOW];  // a slot
  double look_at, pause;        // am-exp: not before
  unsigned intrs;               // that are not served yet
} dht_proc;

static uint64_t table_at(unsigned id, uint64_t offset) { return node_at(id % NODE_PROCS, NODE_TABLE) + offset; }
static uint64_t cell_at(unsigned id, uint64_t index, size_t field) {
  return table_at(id, index * sizeof(cell) + field);
}

// ---- at the owner ---------------------------------------------------------------------------------------------------

static void insert_here(player *d, uint64_t elem) {
  const dht_proc *h = d->own;
  unsigned lines = volume_insert(h->mine, elem, &d->s->collisions);
  if (!lines) d->s->wrong++;
  d->owe += d->n->c->mem * lines;
}

static void arrived(player *d, uint64_t elem) {
  insert_here(d, elem);
  d->done++;
}

static void read_log(player *d, uint32_t end) {
  const cost *c = d->n->c;
  net_proc *p = d->p;
  if (p->read == end) return;
  while (p->read != end) {
    const uint8_t *at = p->ring + p->read % NODE_LOG_BYTES;
    uint64_t info, elem;
    memcpy(&info, at + 8, 8);
    player_load(d, p->read);
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

static void read_message(player *d, uint32_t at) {
  const cost *c = d->n->c;
  uint64_t elem;
  memcpy(&elem, d->p->buffers + at * NET_BUFFER, 8);
  player_load(d, (uint64_t)at * NET_EVENT);
  d->owe += c->mem + 2 * c->step;  // the message; its handler is found, its buffer posted again
  arrived(d, elem);
  d->p->got++;
}

static void read_messages(player *d, unsigned from, unsigned messages) {
  const net_proc *p = d->p;
  if (!messages) d->owe += d->n->c->step;
  for (; from != p->first; from++)
    if (p->news[from % p->news_size].kind == NET_MSG) read_message(d, p->news[from % p->news_size].end);
  if (!messages) return;
  d->owe += 2 * d->n->c->doorbell;  // buffers posted, events taken
  net_read(d->n, d->p);
}

// An accelerator has inserted something: who has nothing else to do looks how much.
static bool look(player *d) {
  if (d->done == d->p->kernels) return false;
  if (!d->left) d->owe += d->n->c->mem;
  d->done = d->p->kernels;
  return true;
}

// True: it had something to do.
static bool serve(player *d) {
  dht_proc *h = d->own;
  if (h->v->task) return look(d);
  const cost *c = d->n->c;
  const dht_variant *v = h->v;
  net_proc *p = d->p;
  double now = net_now();
  uint32_t end = p->read;
  unsigned first = p->first, messages = 0, intrs = 0;
  bool resting = !d->left;  // with nothing else to do it looks by itself
  for (net_news e; player_news(d, now, &e);) {
    intrs += e.kind == NET_INTR;
    if (e.kind == NET_LOG) end = e.end;
    messages += e.kind == NET_MSG;
  }
  h->intrs += intrs;
  if (!resting && ((v->intr && !h->intrs) || (v->backoff && now < h->look_at))) {
    p->first = first;
    return false;
  }
  bool found = first != p->first;
  d->s->polls++;
  d->s->empty += !found;
  if (!resting) d->owe += c->intr * h->intrs;
  h->intrs = 0;
  if (v->family == AA) {
    d->owe += v->tell == NODE_SCRATCH ? c->scratch : end != p->read ? c->mem : c->step;
    read_log(d, end);
  } else {
    read_messages(d, first, messages);
  }
  h->pause = messages ? PAUSE_FIRST : fmin(2 * h->pause, PAUSE_MOST);
  h->look_at = now + h->pause;
  return found;
}

// ---- from afar ------------------------------------------------------------------------------------------------------

static void begin(player *d, unsigned slot, uint64_t elem, unsigned to) {
  dht_proc *h = d->own;
  uint64_t at = cell_at(to, volume_cell(elem), 0);
  net_frame put = {.kind = NET_PUT, .at = h->v->page ? table_at(to, 0) : at, .v = {elem, 0}, .bytes = 8};
  h->in[slot] = (insert_state){h->v->family == RMA ? ASKED : SENT, elem, 0};
  d->under[slot] = 1;
  d->busy++;
  switch (h->v->family) {
    case AA: player_post(d, slot, to, put); break;
    case AM: player_post(d, slot, to, (net_frame){.kind = NET_MESSAGE, .v = {elem, 0}, .bytes = 16}); break;
    case RMA:
      player_post(d, slot, to, (net_frame){.kind = NET_ATOMIC, .op = NODE_CAS, .at = at, .v = {elem, 0}});
      break;
  }
}

// An answer has come: what the insert needs next.
static void go_on(player *d, unsigned slot) {
  dht_proc *h = d->own;
  insert_state *u = &h->in[slot];
  unsigned to = dht_owner(d->r, h->v, u->elem);
  uint64_t at = volume_cell(u->elem), value = d->p->slot[slot].value;
  d->p->slot[slot].ready = 0;
  d->owe += u->at == SENT || u->at == LINKED ? d->n->c->step : d->n->c->mem;  // an answer is what a device wrote
  if (u->at == ASKED && value) {
    u->at = TAKEN;
    d->s->collisions++;
    player_post(
        d, slot, to,
        (net_frame){.kind = NET_ATOMIC, .op = NODE_ADD, .at = table_at(to, offsetof(volume, taken)), .v = {1, 0}});
  } else if (u->at == TAKEN) {
    if (value >= VOLUME_HEAP) d->s->wrong++;
    u->mine = VOLUME_TABLE + value % VOLUME_HEAP;
    u->at = SWAPPED;
    player_post(d, NET_WINDOW, to,
                (net_frame){.kind = NET_PUT, .at = cell_at(to, u->mine, 0), .v = {u->elem, 0}, .bytes = 8});
    player_post(d, slot, to,
                (net_frame){.kind = NET_ATOMIC,
                            .op = NODE_SWAP,
                            .at = table_at(to, offsetof(volume, last) + 8 * at),
                            .v = {u->mine, 0}});
  } else if (u->at == SWAPPED) {
    u->at = LINKED;
    player_post(d, slot, to,
                (net_frame){.kind = NET_PUT, .at = cell_at(to, value ? value : at, 8), .v = {u->mine, 0}, .bytes = 8});
  } else {
    d->under[slot] = 0;
    d->busy--;
  }
}

static unsigned free_slot(const player *d) {
  return ((const dht_proc *)d->own)->v->blocking && d->busy ? NET_WINDOW : player_unused(d);
}

// What has come while an answer is gone on with waits for the next look.
static bool answers(player *d) {
  bool any = false;
  double now = net_now();
  for (unsigned i = 0; d->busy && i < d->r->window; i++)
    if (d->under[i] && d->p->slot[i].ready <= now) {
      go_on(d, i);
      any = true;
    }
  return any;
}

static void one(player *d, unsigned slot) {
  const dht_variant *v = ((const dht_proc *)d->own)->v;
  uint64_t elem = dht_elem(d->r, d->p->id, dht_quota(d->r, v, d->p->id) - d->left);
  unsigned to = dht_owner(d->r, v, elem);
  d->owe += d->r->compute;
  d->left--;
  d->s->inserts++;
  if (to == d->p->id && !v->task)
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

// Its loop is its own: interrupts, and pauses between looks.
static const player_does does = {.highest = false};

// When there is something to do again. Who pauses has looked in vain meanwhile.
static double due(player *d) {
  dht_proc *h = d->own;
  const net_proc *p = d->p;
  double at = INFINITY;
  for (unsigned i = p->first; !h->v->task && i != p->next && isinf(at); i++)
    if (!h->v->intr || !d->left || p->news[i % p->news_size].kind == NET_INTR) at = p->news[i % p->news_size].when;
  if (h->v->backoff && d->left && !isinf(at))
    while (h->look_at < at) {
      h->pause = fmin(2 * h->pause, PAUSE_MOST);
      h->look_at += h->pause;
    }
  if (h->v->backoff && d->left && at < h->look_at) at = h->look_at;
  return fmin(at, net_slot_due(p));
}

static void play(const run *r, net *n, net_proc *p) {
  dht_own *o = n->own;
  dht_proc h = {.v = dht_variant_named(r->variant), .mine = o->at[p->id], .pause = PAUSE_FIRST};
  player d = player_new(r, n, p, &does, &h);
  bool handles = h.v->family != RMA && h.mine;
  d.left = dht_quota(r, h.v, p->id);
  if (handles) d.expected = o->expected[p->id];
  while (d.left || d.busy || d.done < d.expected) {
    bool any = handles && serve(&d);
    any |= answers(&d);
    unsigned slot = free_slot(&d);
    if (d.left && slot < NET_WINDOW) {
      one(&d, slot);
      any = true;
    }
    player_spend(&d);
    if (!any) net_wait(p, due(&d));  // with more looks in vain, of which the last one counts
  }
}

static const program_does program_of = {.most = 1 << 18,
                                        .takes = dht_takes,
                                        .prepare = dht_prepare,
                                        .open = open_volume,
                                        .play = play,
                                        .check = dht_check,
                                        .serial = dht_serial};
const program dht = {"dht", &program_of, NULL, "per collide compute servers cells skew pair seed"};
