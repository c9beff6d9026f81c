// SPDX-License-Identifier: Apache-2.0
// Caches: a delegate for each piece that lies together at one rank, as many at once as there is room for.
#include <string.h>

#include "heap_internal.h"

enum { PIECE_READ = IRR_ANSWER_MOST, PIECE_WRITE = IRR_ARGS_MOST - (int)sizeof(irr_bytes_args) };

// ---- which there are
void irr_i_cache_borrow(irr_cache *c) {
  irr_cache **first = &c->i.heap->borrowed;
  c->i.before = NULL;
  c->i.behind = *first;
  if (*first) (*first)->i.before = c;
  *first = c;
}

void irr_i_cache_return(irr_cache *c) {
  if (c->i.behind) c->i.behind->i.before = c->i.before;
  *(c->i.before ? &c->i.before->i.behind : &c->i.heap->borrowed) = c->i.behind;
}

irr_address irr_i_cache_first(const irr_heap *h, irr_address at) {
  irr_address first = IRR_ADDRESS_NONE;
  for (const irr_cache *c = h->borrowed; c; c = c->i.behind) {
    if (irr_address_is_2d(c->at) || c->at + c->bytes <= at) continue;
    const irr_address from = c->at > at ? c->at : at;
    if (from < first) first = from;
  }
  return first;
}

// ---- pieces
static void on_piece(void *arg, uint64_t value);

static uint64_t piece_bytes(const irr_cache *c) {
  const uint64_t run = irr_address_run(c->i.heap, c->at + c->i.next), most = c->i.gives ? PIECE_WRITE : PIECE_READ;
  uint64_t n = c->bytes - c->i.next;
  if (n > run) n = run;
  return n > most ? most : n;
}

static irr_status send_piece(irr_cache *c, uint64_t n) {
  const irr_address at = c->at + c->i.next;
  const irr_bytes_args b = {.place = irr_address_place(c->i.heap, at), .bytes = n};
  uint8_t args[IRR_ARGS_MOST], *local = (uint8_t *)c->data + c->i.next;
  irr_delegate d = {.function = c->i.gives ? IRR_BYTES_WRITE : IRR_BYTES_READ,
                    .args = args,
                    .bytes = sizeof b,
                    .done = on_piece,
                    .arg = c,
                    .status = &c->i.piece};
  memcpy(args, &b, sizeof b);
  if (c->i.gives) {
    memcpy(args + sizeof b, local, n);
    d.bytes += (uint32_t)n;
  } else {
    d.into = local;
    d.into_bytes = (uint32_t)n;
  }
  return irr_global_send(c->i.heap, at, n, &d);
}

// true: nothing is left to send.
static bool send_more(irr_cache *c) {
  while (c->i.next < c->bytes && !c->i.ended) {
    const uint64_t n = piece_bytes(c);
    c->i.open++;
    const irr_status s = send_piece(c, n);
    if (s != IRR_OK) c->i.open--;
    if (s == IRR_BUSY) return false;
    if (s != IRR_OK) c->i.ended = s;
    c->i.next += n;
  }
  return true;
}

static bool step(void *arg) {
  irr_cache *c = arg;
  c->i.stepping = true;
  const bool all = send_more(c);
  c->i.stepping = false;
  if (!all) return false;
  c->i.queued = false;
  if (c->i.open) return true;
  c->i.held = !c->i.gives && !c->i.ended;
  if (!c->i.held) irr_i_cache_return(c);
  c->i.done(c->i.arg, c->i.ended != IRR_OK);
  return true;
}

static void on_piece(void *arg, uint64_t value) {
  irr_cache *c = arg;
  (void)value;
  c->i.open--;
  if (c->i.piece != IRR_OK && !c->i.ended) c->i.ended = c->i.piece;
  if (!c->i.open && !c->i.stepping && !c->i.queued) (void)step(c);
}

static void begin(irr_cache *c, bool gives, irr_done *done, void *arg) {
  c->i.gives = gives;
  c->i.done = done;
  c->i.arg = arg;
  c->i.open = 0;
  c->i.next = gives ? (c->mode == IRR_CACHE_READ ? c->bytes : 0) : (c->mode == IRR_CACHE_WRITE ? c->bytes : 0);
  c->i.ended = IRR_OK;
  c->i.queued = true;
  if (!step(c)) irr_net_later(irr_heap_net(c->i.heap), &c->i.later, step, c);
}

static bool in_heap(const irr_heap *h, irr_address a, uint64_t bytes) {
  if (irr_address_is_2d(a)) return irr_address_2d_rank(a) < h->ranks;
  return a <= irr_heap_bytes(h) && bytes <= irr_heap_bytes(h) - a;
}

irr_status irr_cache_acquire(irr_heap *h, irr_cache *c, irr_done *done, void *arg) {
  if (!h || !c || !done || (!c->data && c->bytes) || (unsigned)c->mode > IRR_CACHE_WRITE) return IRR_E_ARG;
  if (c->i.held || c->i.queued || c->i.open) return IRR_E_IN_USE;
  if (!in_heap(h, c->at, c->bytes)) return IRR_E_RANGE;
  c->i.heap = h;
  irr_i_cache_borrow(c);
  begin(c, false, done, arg);
  return IRR_OK;
}

irr_status irr_cache_release(irr_cache *c, irr_done *done, void *arg) {
  if (!c || !done || !c->i.held || c->i.queued || c->i.open) return IRR_E_ARG;
  begin(c, true, done, arg);
  return IRR_OK;
}

irr_status irr_cache_ended(const irr_cache *c) { return c->i.ended; }
