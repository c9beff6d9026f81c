// SPDX-License-Identifier: Apache-2.0
#include "tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 32, FUNCTION = 16 };  // delegates until it looks what has come; number of the one function that there is

static const tell_way ways[] = {{"naive", TELL_PUT, false, true},   {"aa-one", TELL_PUT, false, false},
                                {"mp", TELL_MESSAGE, false, false}, {"am", TELL_MESSAGE, true, false},
                                {"aa", TELL_PUT, true, false},      {"rma", TELL_RMA, false, false},
                                {NULL, TELL_RMA, false, false}};
const tell_way *tell_way_named(const char *name) {
  const tell_way *w = ways;
  while (w->name && strcmp(w->name, name)) w++;
  return w->name ? w : NULL;
}

const char *tell_refuses(const run *r, unsigned size) {
  const tell_way *w = tell_way_named(r->variant);
  if (!w) return "variants are naive, aa-one, mp, am, aa and rma";
  if (r->procs > 65535) return "procs: 65535 at most";
  if (w->gathers && r->most < 2 * TELL_HEAD + size) return "most: an aggregate has room for one delegate at least";
  if (r->levels == 2 && !w->gathers) return "levels=2: aa and am alone have aggregates";
  return NULL;
}

double tell_line(const tell *x, uint64_t bytes) { return bytes > TELL_NEAR ? x->d.n->c->mem : x->d.n->c->step; }

// ---- opening --------------------------------------------------------------------------------------------------------

static void over(player *d, unsigned slot) {
  tell *x = d->own;
  bool chain = d->under[slot] == TELL_CHAIN;
  d->under[slot] = 0;
  d->busy--;
  if (chain)
    x->over(x, slot);
  else
    d->owe += d->n->c->step;
}
static const player_does does = {.over = over, .ear = PLAYER_HEARS};

// A message that has more than a word comes where aggregates do, and is one of a single delegate.
static bool has_pool(const tell_way *w, unsigned size) {
  return w->kind == TELL_MESSAGE && (w->gathers || size > TELL_WORD);
}

void tell_map(const run *r, net *n, net_proc *p, unsigned size) {
  const tell_way *w = tell_way_named(r->variant);
  node *d = n->node[p->node];
  static uint8_t page[NET_MTU];  // an active put leaves its page as it is
  if (w->kind == TELL_PUT) {
    uint8_t *ring = net_must(calloc(1, TELL_RING));
    p->own = ring;
    node_map(d, p->who, NODE_TABLE, page, sizeof page, NODE_REDIRECT);
    node_map(d, p->who, NODE_LONG_RING, ring, TELL_RING, NODE_PLAIN);
    node_log(d, p->who, NODE_LONG_RING, NODE_POLL, NET_BATCH);
  } else if (has_pool(w, size)) {
    uint8_t *pool = net_must(calloc(TELL_BUFFERS, NET_MTU));
    p->own = pool;
    node_map(d, p->who, NODE_ARCHIVE, pool, TELL_BUFFERS * NET_MTU, NODE_PLAIN);
    p->post_at = node_at(p->who, NODE_ARCHIVE);
    p->post_each = NET_MTU;
    p->post_many = TELL_BUFFERS;
  }
}

tell *tell_open(const run *r, net *n, net_proc *p, unsigned size, void *own) {
  tell *x = net_must(calloc(1, sizeof *x));
  x->way = tell_way_named(r->variant);
  x->own = own;
  x->size = size;
  x->lane = net_must(calloc(r->procs, sizeof *x->lane));
  x->waiting = net_must(calloc(r->procs, sizeof *x->waiting));
  if (x->way->gathers || size > TELL_WORD) x->slot_bytes = net_must(malloc((size_t)r->window * NET_MTU));
  x->ring = x->pool = p->own;
  x->d = player_new(r, n, p, &does, x);
  return x;
}

void tell_close(tell *x) {
  tell_give_back(x);
  player_spend(&x->d);
  for (unsigned i = 0; i < x->d.r->procs; i++) free(x->lane[i].bytes);
  free(x->lane);
  free(x->waiting);
  free(x->slot_bytes);
  free(x->d.p->own);
  x->d.p->own = NULL;
  free(x);
}

// ---- what leaves ----------------------------------------------------------------------------------------------------

static bool glance(tell *x) {
  bool any = tell_look(x);
  any |= player_ends(&x->d);
  any |= tell_pump(x);
  x->since = 0;
  return any;
}

void tell_glance(tell *x) {
  player_spend(&x->d);
  glance(x);
}

void tell_turn(tell *x) {
  if (glance(x)) {
    player_spend(&x->d);
  } else {
    tell_give_back(x);
    player_wait(&x->d, PLAYER_HEARS);
  }
}

unsigned tell_free(tell *x) {
  unsigned slot;
  while ((slot = player_unused(&x->d)) == NET_WINDOW || (x->way->waits && x->d.busy)) tell_turn(x);
  return slot;
}

static void post(tell *x, unsigned slot, unsigned to, const net_frame *f, unsigned under) {
  x->d.under[slot] = under;
  x->d.busy++;
  x->d.s->messages++;
  player_post(&x->d, slot, to, *f);
}

void tell_chain(tell *x, unsigned slot, unsigned to, net_frame f) {
  x->d.s->bytes += f.kind == NET_ATOMIC ? (f.op == NODE_CAS ? 16 : 8) : f.bytes;
  post(x, slot, to, &f, TELL_CHAIN);
}

uint64_t tell_done(tell *x, unsigned to, net_frame f) {
  unsigned slot = tell_free(x);
  tell_chain(x, slot, to, f);
  while (x->d.under[slot]) tell_turn(x);
  return x->d.p->slot[slot].value;
}

static uint64_t page_of(unsigned to) { return node_at(to % NODE_PROCS, NODE_TABLE); }

static uint8_t *bytes_of(const tell *x, unsigned slot) { return x->slot_bytes + slot * (size_t)NET_MTU; }

// In the event it says that there are delegates in it.
static void say_parts(net_frame *f) {
  f->kind = NET_MESSAGE;
  f->bytes += NET_IMMEDIATE;
  f->v[0] = 2;
}

static void write_part(const tell *x, uint8_t *at, unsigned to, unsigned from, const uint64_t *word) {
  uint16_t head[4] = {(uint16_t)to, (uint16_t)from, FUNCTION, (uint16_t)x->size};
  memcpy(at, head, sizeof head);
  memcpy(at + TELL_HEAD, word, x->size);
}

static void write_head(const tell *x, uint8_t *at, unsigned bytes) {
  uint16_t head[4] = {(uint16_t)bytes, (uint16_t)x->d.p->id};
  memcpy(at, head, sizeof head);
}

// Of more than one word.
static net_frame one_long(tell *x, unsigned slot, unsigned to, const uint64_t *word) {
  uint8_t *at = bytes_of(x, slot);
  net_frame f = {.kind = NET_PUT, .at = page_of(to), .data = at, .bytes = x->size};
  if (x->way->kind == TELL_PUT) {
    memcpy(at, word, x->size);
  } else {
    f.bytes += 2 * TELL_HEAD;
    write_head(x, at, f.bytes);
    write_part(x, at + TELL_HEAD, to, x->d.p->id, word);
    say_parts(&f);
  }
  return f;
}

static void tell_one(tell *x, unsigned to, const uint64_t *word) {
  unsigned slot = tell_free(x);
  net_frame put = {.kind = NET_PUT, .at = page_of(to), .v = {*word, 0}, .bytes = TELL_WORD};
  net_frame message = {.kind = NET_MESSAGE, .v = {0, *word}, .bytes = TELL_HEAD + TELL_WORD};
  net_frame f = x->size > TELL_WORD ? one_long(x, slot, to, word) : x->way->kind == TELL_PUT ? put : message;
  x->d.s->parts++;
  x->d.s->bytes += f.bytes;
  post(x, slot, to, &f, TELL_SAID);
}

// An aggregate out of what waits for a neighbour.
static void send_part(tell *x, unsigned slot, unsigned to) {
  tell_lane *l = &x->lane[to];
  const unsigned each = TELL_HEAD + x->size, most = (x->d.r->most - TELL_HEAD) / each * each;
  unsigned bytes = l->used < most ? l->used : most;
  uint8_t *at = bytes_of(x, slot);
  write_head(x, at, bytes + TELL_HEAD);
  memcpy(at + TELL_HEAD, l->bytes, bytes);
  l->used -= bytes;
  memmove(l->bytes, l->bytes + bytes, l->used);
  net_frame f = {.kind = NET_PUT, .at = page_of(to), .data = at, .bytes = bytes + TELL_HEAD};
  x->d.s->parts += bytes / each;
  x->d.s->bytes += f.bytes;
  if (x->way->kind == TELL_MESSAGE) say_parts(&f);
  post(x, slot, to, &f, TELL_SAID);
}

static bool whole(const tell *x, const tell_lane *l) { return l->used + 2 * TELL_HEAD + x->size > x->d.r->most; }

bool tell_pump(tell *x) {
  bool any = false;
  for (unsigned slot; x->waits && (slot = player_unused(&x->d)) < NET_WINDOW;) {
    unsigned to = x->waiting[0];
    any = true;
    send_part(x, slot, to);
    if (whole(x, &x->lane[to])) continue;
    x->waits--;
    memmove(x->waiting, x->waiting + 1, x->waits * sizeof *x->waiting);
  }
  return any;
}

// Where a delegate goes first: to its home, or to the one of this node that has its home's place.
static unsigned next_to(const tell *x, unsigned to) {
  unsigned me = x->d.p->id, by = me - me % NODE_PROCS + to % NODE_PROCS;
  if (x->d.r->levels < 2 || to / NODE_PROCS == me / NODE_PROCS || by == me || by >= x->d.r->procs) return to;
  return by;
}

void tell_pass(tell *x, unsigned to, unsigned from, const uint64_t *word) {
  unsigned next = next_to(x, to);
  tell_lane *l = &x->lane[next];
  unsigned each = TELL_HEAD + x->size;
  bool was = whole(x, l);
  if (l->used + each > l->room) {
    l->room = l->room ? 2 * l->room : 4 * each;
    l->bytes = net_must(realloc(l->bytes, l->room));
  }
  write_part(x, l->bytes + l->used, to, from, word);
  l->used += each;
  x->d.owe += 2 * x->d.n->c->step;  // which lane; written there
  if (!was && whole(x, l)) x->waiting[x->waits++] = next;
}

void tell_words(tell *x, unsigned to, const uint64_t *word) {
  x->d.s->delegates++;
  if (to == x->d.p->id) {
    x->hear(x, word);
  } else if (!x->way->gathers) {
    tell_one(x, to, word);
  } else {
    tell_pass(x, to, x->d.p->id, word);
    while (x->waits) tell_free(x), tell_pump(x);
  }
  if (++x->since < LOOK && x->way->gathers) return;
  x->since = 0;
  tell_look(x);
  player_ends(&x->d);
}

// ---- the end of a phase ---------------------------------------------------------------------------------------------

void tell_now(tell *x, unsigned to) {
  while (x->lane[to].used) {
    unsigned slot = tell_free(x);
    if (!tell_pump(x) && x->lane[to].used)
      send_part(x, slot, to);  // whole ones first, and others may have left meanwhile
  }
}

// From its right neighbour on, so that not all say what is left to the same one at once.
static void flush(tell *x) {
  unsigned me = x->d.p->id, all = x->d.r->procs;
  for (unsigned i = 1; i < all; i++) tell_now(x, (me + i) % all);
  while (x->d.busy) tell_turn(x);
}

// What is acknowledged is in a log or a buffer. When all have nothing under way, what is there is all
// that there will be.
static void settle_level(tell *x) {
  flush(x);
  tell_sum(x, 0);
  while (x->d.p->first != x->d.p->next) tell_turn(x);
}

void tell_settle(tell *x) {
  for (unsigned i = 0; i < x->d.r->levels; i++) settle_level(x);
}
