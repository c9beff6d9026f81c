// SPDX-License-Identifier: Apache-2.0
// What comes: records of the log, messages, votes. What was read is given back in batches, and before a process waits.
#include <string.h>

#include "tell.h"
#include "tocsin/aa_log.h"

enum { VOTE = 1 << 16, BATCH = TELL_BUFFERS / 4, EVENTS_AT = 1 << 30 };

// A delegate with its header, out of an aggregate: it is at home here, or on its way.
static void part(tell *x, const uint8_t *at) {
  uint16_t head[4];
  uint64_t word[TELL_WORDS / 8];
  memcpy(head, at, sizeof head);
  memcpy(word, at + TELL_HEAD, x->size);
  x->d.owe += x->d.n->c->step;
  if (head[0] == x->d.p->id)
    x->hear(x, word);
  else
    tell_pass(x, head[0], head[1], word);
}

// Of so many bytes at most; `at`: where a device has written them, for the lines that they lie in.
static void aggregate(tell *x, const uint8_t *bytes, uint64_t at) {
  uint16_t head[4];
  memcpy(head, bytes, sizeof head);
  for (unsigned i = TELL_HEAD; i < head[0]; i += TELL_HEAD + x->size) {
    player_load(&x->d, at + i);
    part(x, bytes + i);
  }
}

// ---- the log --------------------------------------------------------------------------------------------------------

static void record(tell *x, const uint8_t *rec) {
  const uint8_t *data = rec + 16;
  uint64_t word[TELL_WORDS / 8];
  if (x->way->gathers) {
    aggregate(x, data, x->d.p->read + 16);
    return;
  }
  memcpy(word, data, x->size);
  x->hear(x, word);
}

static void read_log(tell *x) {
  player *d = &x->d;
  net_proc *p = d->p;
  d->owe += d->n->c->mem;  // the pointer
  while (p->read != d->seen) {
    const uint8_t *at = x->ring + p->read % TELL_RING;
    uint64_t info;
    memcpy(&info, at + 8, sizeof info);
    player_load(d, p->read);
    d->owe += d->n->c->step;
    if (aa_entry_kind(info) == AA_ENTRY_PUT) record(x, at);
    p->read += aa_entry_bytes(info);
  }
  if (p->read - x->back >= TELL_RING / 4) tell_give_back(x);
}

// ---- messages -------------------------------------------------------------------------------------------------------

static void message(tell *x, uint32_t at) {
  player *d = &x->d;
  const uint8_t *event = d->p->events + at * NET_EVENT;
  uint64_t e[4], v[2];
  memcpy(e, event, sizeof e);
  memcpy(v, d->p->buffers + at * NET_BUFFER, sizeof v);
  player_load(d, EVENTS_AT + (uint64_t)at * NET_EVENT);
  d->owe += 2 * d->n->c->step;  // its handler is found, its buffer posted again
  if (e[3] == 2) {
    uint64_t place = e[1] % TELL_BUFFERS * NET_MTU;
    aggregate(x, x->pool + place, place);
  } else {
    d->owe += d->n->c->mem;
    if (v[0] & VOTE) {
      x->sum[v[0] >> 8 & 1][v[0] & 0xff] = v[1];
      x->came[v[0] >> 8 & 1][v[0] & 0xff] = true;
    } else {
      x->hear(x, &v[1]);
    }
  }
  if (++x->taken >= BATCH) tell_give_back(x);
}

void tell_give_back(tell *x) {
  player *d = &x->d;
  net_proc *p = d->p;
  if (x->taken) {
    p->got += x->taken;
    x->taken = 0;
    d->owe += 2 * d->n->c->doorbell;  // buffers posted, events taken
    net_read(d->n, p);
  }
  if (p->read != x->back) {
    x->back = p->read;
    d->owe += d->n->c->doorbell;
    net_log_done(d->n, p);
  }
}

bool tell_look(tell *x) {
  player *d = &x->d;
  double now = net_now();
  bool any = false;
  for (net_news e; player_news(d, now, &e); any = true) {
    if (e.kind == NET_LOG) d->seen = e.end;
    if (e.kind == NET_MSG) message(x, e.end);
  }
  if (d->seen != d->p->read)
    read_log(x);
  else
    d->owe += d->n->c->step;
  return any;
}

// ---- votes ----------------------------------------------------------------------------------------------------------

static void say(tell *x, unsigned to, unsigned step, uint64_t value) {
  unsigned slot = tell_free(x);
  uint64_t head = VOTE | (x->vote & 1) << 8 | step;
  x->d.under[slot] = TELL_SAID;
  x->d.busy++;
  x->d.s->votes++;
  player_post(&x->d, slot, to, (net_frame){.kind = NET_MESSAGE, .v = {head, value}, .bytes = 16});
}

static uint64_t hear(tell *x, unsigned step) {
  unsigned turn = x->vote & 1;
  while (!x->came[turn][step]) tell_turn(x);
  x->came[turn][step] = false;
  return x->sum[turn][step];
}

// Those behind the last power of two give theirs to one before it, and are told at the end; partners change
// sums in log2 steps.
uint64_t tell_sum(tell *x, uint64_t mine) {
  unsigned me = x->d.p->id, all = x->d.r->procs, most = 1, step = 1;
  while (2 * most <= all) most *= 2;
  if (me >= most) {
    say(x, me - most, 0, mine);
    mine = hear(x, 0);
  } else {
    if (me + most < all) mine += hear(x, 0);
    for (unsigned half = 1; half < most; half *= 2, step++) {
      say(x, me ^ half, step, mine);
      mine += hear(x, step);
    }
    if (me + most < all) say(x, me + most, 0, mine);
  }
  x->vote++;
  return mine;
}
