// SPDX-License-Identifier: Apache-2.0
// The heap: where a byte is, and who has which.
#include <stdlib.h>
#include <string.h>

#include "heap_internal.h"
#include "net_internal.h"

enum { BLOCK = 64, BLOCK_LEAST = 8, BLOCK_MOST = 65536, ALL_BLOCKS = 16 };

// ---- where
static uint64_t stripe(const irr_heap *h) { return (uint64_t)h->o.block * h->ranks; }

irr_net *irr_heap_net(const irr_heap *h) { return h->net; }
uint64_t irr_heap_bytes(const irr_heap *h) { return h->o.rank_bytes * h->ranks; }
uint32_t irr_heap_block(const irr_heap *h) { return h->o.block; }

unsigned irr_address_rank(const irr_heap *h, irr_address a) {
  return irr_address_is_2d(a) ? irr_address_2d_rank(a) : (unsigned)(a / h->o.block % h->ranks);
}

uint64_t irr_address_place(const irr_heap *h, irr_address a) {
  return irr_address_is_2d(a) ? a : a / stripe(h) * h->o.block + a % h->o.block;
}

irr_address irr_address_of_place(const irr_heap *h, unsigned rank, uint64_t place) {
  return place / h->o.block * stripe(h) + (uint64_t)rank * h->o.block + place % h->o.block;
}

uint64_t irr_address_run(const irr_heap *h, irr_address a) {
  return irr_address_is_2d(a) ? UINT64_MAX : h->o.block - a % h->o.block;
}

void *irr_address_pointer(const irr_heap *h, irr_address a) {
  if (irr_address_rank(h, a) != h->rank) return NULL;
  if (irr_address_is_2d(a)) return irr_address_local(a);
  if (a >= irr_heap_bytes(h)) return NULL;
  const uint64_t place = irr_address_place(h, a);
  if (!h->o.store) return h->memory + place;
  void *p;
  if (irr_paged_hold(h->o.store, place, true, &p) == IRR_OK) irr_paged_let(h->o.store, place);
  return p;
}

// ---- allocation
static irr_status take(irr_heap *h, uint64_t bytes, irr_address *a) {
  uint32_t unit;
  *a = IRR_ADDRESS_NONE;
  const uint64_t blocks = bytes / h->o.block + (bytes % h->o.block != 0);
  if (!irr_i_buddy_take(&h->own, blocks ? blocks : 1, &unit)) return IRR_E_NOMEM;
  *a = h->all + h->rank * h->part + (uint64_t)unit * h->o.block;
  return IRR_OK;
}

// What is given back, and the first byte behind its begin of which the rank that says so has a copy.
typedef struct free_args {
  irr_address at, borrowed;
} free_args;

static irr_status give(irr_heap *h, const free_args *f) {
  const uint64_t off = f->at - h->all - h->rank * h->part;
  if (off >= h->part || off % h->o.block) return IRR_E_RANGE;
  const uint32_t unit = (uint32_t)(off / h->o.block), units = irr_i_buddy_units(&h->own, unit);
  if (units && f->borrowed - f->at < (uint64_t)units * h->o.block) return IRR_E_IN_USE;
  return irr_i_buddy_give(&h->own, unit) ? IRR_OK : IRR_E_RANGE;
}

static irr_status run_malloc(void *ctx, const irr_arrival *a, irr_answer *answer) {
  uint64_t bytes;
  if (a->bytes != sizeof bytes) return IRR_E_ARG;
  memcpy(&bytes, a->args, sizeof bytes);
  return take(ctx, bytes, &answer->word[0]);
}

static irr_status run_free(void *ctx, const irr_arrival *a, irr_answer *answer) {
  free_args f;
  (void)answer;
  if (a->bytes != sizeof f) return IRR_E_ARG;
  memcpy(&f, a->args, sizeof f);
  return give(ctx, &f);
}

irr_status irr_global_malloc(irr_heap *h, uint64_t bytes, irr_address *a) {
  return h && a ? take(h, bytes, a) : IRR_E_ARG;
}

irr_status irr_global_malloc_from(irr_heap *h, unsigned rank, uint64_t bytes, irr_done *done, void *arg,
                                  irr_status *status) {
  if (!h || !done) return IRR_E_ARG;
  return irr_net_send(h->net, &(irr_delegate){.to = rank,
                                              .function = IRR_HEAP_MALLOC,
                                              .args = &bytes,
                                              .bytes = sizeof bytes,
                                              .done = done,
                                              .arg = arg,
                                              .status = status});
}

irr_status irr_global_free(irr_heap *h, irr_address a, irr_done *done, void *arg, irr_status *status) {
  if (!h) return IRR_E_ARG;
  if (irr_address_is_2d(a) || a < h->all || (a - h->all) / h->part >= h->ranks) return IRR_E_RANGE;
  const free_args f = {.at = a, .borrowed = irr_i_cache_first(h, a)};
  return irr_net_send(h->net, &(irr_delegate){.to = (unsigned)((a - h->all) / h->part),
                                              .function = IRR_HEAP_FREE,
                                              .args = &f,
                                              .bytes = sizeof f,
                                              .done = done,
                                              .arg = arg,
                                              .status = status});
}

static uint64_t common_unit(const irr_heap *h) { return stripe(h) * ALL_BLOCKS; }

irr_status irr_global_malloc_all(irr_heap *h, uint64_t bytes, irr_address *a) {
  uint32_t unit;
  if (!h || !a) return IRR_E_ARG;
  *a = IRR_ADDRESS_NONE;
  const uint64_t units = bytes / common_unit(h) + (bytes % common_unit(h) != 0);
  if (!irr_i_buddy_take(&h->common, units ? units : 1, &unit)) return IRR_E_NOMEM;
  *a = unit * common_unit(h);
  return IRR_OK;
}

irr_status irr_global_free_all(irr_heap *h, irr_address a) {
  if (!h) return IRR_E_ARG;
  if (a >= h->all || a % common_unit(h)) return IRR_E_RANGE;
  const uint32_t unit = (uint32_t)(a / common_unit(h)), units = irr_i_buddy_units(&h->common, unit);
  if (units && irr_i_cache_first(h, a) - a < units * common_unit(h)) return IRR_E_IN_USE;
  return irr_i_buddy_give(&h->common, unit) ? IRR_OK : IRR_E_RANGE;
}

// ---- delegates
irr_status irr_global_send(irr_heap *h, irr_address at, uint64_t bytes, irr_delegate *d) {
  if (!h || !d) return IRR_E_ARG;
  if (bytes > irr_address_run(h, at) || (!irr_address_is_2d(at) && at >= irr_heap_bytes(h))) return IRR_E_RANGE;
  d->to = irr_address_rank(h, at);
  return irr_net_send(h->net, d);
}

irr_status irr_global_word(irr_heap *h, const irr_word_op *w) {
  if (!h || !w || w->function < IRR_WORD_READ || w->function > IRR_WORD_XOR) return IRR_E_ARG;
  if (w->at % sizeof(uint64_t)) return IRR_E_ALIGN;
  const irr_word_args a = {.place = irr_address_place(h, w->at), .a = w->a, .b = w->b};
  irr_delegate d = {
      .function = w->function, .args = &a, .bytes = sizeof a, .done = w->done, .arg = w->arg, .status = w->status};
  return irr_global_send(h, w->at, sizeof(uint64_t), &d);
}

// ---- life
static bool complete(irr_heap *h, const irr_heap_options *o) {
  h->o = *o;
  if (!h->o.block) h->o.block = BLOCK;
  const uint64_t block = h->o.block, unit = block * ALL_BLOCKS;
  if (block < BLOCK_LEAST || block > BLOCK_MOST || block & (block - 1)) return false;
  if (!o->rank_bytes || o->rank_bytes % block || o->all_bytes > o->rank_bytes) return false;
  if (o->rank_bytes > IRR_ADDRESS_NONE / h->ranks || (uintptr_t)o->memory % sizeof(uint64_t)) return false;
  if (o->store && (o->memory || block > IRR_PAGE_BYTES || o->rank_bytes > irr_paged_bytes(o->store))) return false;
  h->o.all_bytes = (o->all_bytes ? o->all_bytes : o->rank_bytes / 2) / unit * unit;
  h->all = h->o.all_bytes * h->ranks;
  h->part = o->rank_bytes - h->o.all_bytes;
  return h->part && h->part / block < UINT32_MAX && h->o.all_bytes / unit < UINT32_MAX;
}

static irr_status serve(irr_heap *h, irr_status s) {
  if (!s) s = irr_net_register(h->net, IRR_HEAP_MALLOC, &(irr_function){.run = run_malloc, .ctx = h});
  return s ? s : irr_net_register(h->net, IRR_HEAP_FREE, &(irr_function){.run = run_free, .ctx = h});
}

static irr_status bring(irr_heap *h) {
  if (!irr_i_buddy_open(&h->own, (uint32_t)(h->part / h->o.block))) return IRR_E_NOMEM;
  if (!irr_i_buddy_open(&h->common, (uint32_t)(h->o.all_bytes / ((uint64_t)h->o.block * ALL_BLOCKS))))
    return IRR_E_NOMEM;
  if (h->o.store) return serve(h, irr_net_share_store(h->net, h->o.store));
  h->memory = h->o.memory;
  h->ours = !h->memory;
  if (h->ours && toc_alloc(h->net->p, h->o.rank_bytes, TOC_READ | TOC_WRITE, (void **)&h->memory) != TOC_OK)
    return IRR_E_NOMEM;
  return serve(h, irr_net_share(h->net, h->memory, h->o.rank_bytes));
}

irr_status irr_heap_open(irr_net *net, const irr_heap_options *o, irr_heap **out) {
  if (!net || !o || !out) return IRR_E_ARG;
  *out = NULL;
  if (net->store || net->share) return IRR_E_IN_USE;
  irr_heap *h = calloc(1, sizeof *h);
  if (!h) return IRR_E_NOMEM;
  h->net = net;
  h->rank = net->o.rank;
  h->ranks = net->o.ranks;
  const irr_status s = complete(h, o) ? bring(h) : IRR_E_ARG;
  if (s) {
    irr_heap_close(h);
    return s;
  }
  *out = h;
  return IRR_OK;
}

void irr_heap_close(irr_heap *h) {
  if (!h) return;
  h->net->function[IRR_HEAP_MALLOC] = h->net->function[IRR_HEAP_FREE] = (irr_function){0};
  (void)irr_net_share_store(h->net, NULL);
  if (h->ours && h->memory) (void)toc_free(h->net->p, h->memory);
  irr_i_buddy_close(&h->own);
  irr_i_buddy_close(&h->common);
  free(h);
}
