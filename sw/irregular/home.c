// SPDX-License-Identifier: Apache-2.0
// Memory of a rank that others reach by delegates, and the functions that are built in.
#include <stdlib.h>
#include <string.h>

#include "net_internal.h"
#include "tocsin/irregular/address.h"

// ---- memory
irr_status irr_net_share(irr_net *net, void *base, uint64_t bytes) {
  if (!net || (!base && bytes)) return IRR_E_ARG;
  irr_i_enter(net);
  net->share = base;
  net->share_bytes = bytes;
  irr_i_leave(net);
  return IRR_OK;
}

irr_status irr_net_share_store(irr_net *net, irr_paged *store) {
  if (!net || (store && net->a.on)) return IRR_E_ARG;  // a store is one thread's
  net->store = store;
  return irr_net_share(net, NULL, 0);
}

static irr_status export(irr_net *net, void *base, uint64_t bytes) {
  const uint64_t at = (uint64_t)(uintptr_t)base;
  if (!base || !bytes || bytes > UINT64_MAX - at) return IRR_E_ARG;
  for (unsigned i = 0; i < net->exports; i++)
    if (at < net->exported[i].base + net->exported[i].bytes && net->exported[i].base < at + bytes) return IRR_E_IN_USE;
  range *more = realloc(net->exported, (net->exports + 1) * sizeof *more);
  if (!more) return IRR_E_NOMEM;
  net->exported = more;
  more[net->exports++] = (range){at, bytes};
  return IRR_OK;
}

static irr_status unexport(irr_net *net, const void *base) {
  for (unsigned i = 0; i < net->exports; i++)
    if (net->exported[i].base == (uint64_t)(uintptr_t)base) {
      net->exported[i] = net->exported[--net->exports];
      return IRR_OK;
    }
  return IRR_E_RANGE;
}

irr_status irr_net_export(irr_net *net, void *base, uint64_t bytes) {
  if (!net) return IRR_E_ARG;
  irr_i_enter(net);
  const irr_status s = export(net, base, bytes);
  irr_i_leave(net);
  return s;
}

irr_status irr_net_unexport(irr_net *net, const void *base) {
  if (!net) return IRR_E_ARG;
  irr_i_enter(net);
  const irr_status s = unexport(net, base);
  irr_i_leave(net);
  return s;
}

static bool inside(const range *r, uint64_t at, uint64_t bytes) {
  return at >= r->base && bytes <= r->bytes && at - r->base <= r->bytes - bytes;
}

// Of a store: nothing leaves before the next poll, so it need not be held for longer than this.
static irr_status stored(const irr_net *net, uint64_t place, uint64_t bytes, bool write, uint8_t **at) {
  void *p = NULL;
  if (place % IRR_PAGE_BYTES + bytes > IRR_PAGE_BYTES) return IRR_E_RANGE;
  const irr_status s = irr_paged_hold(net->store, place, write, &p);
  if (s == IRR_OK) irr_paged_let(net->store, place);
  *at = p;
  return s;
}

// NULL: not given away.
static uint8_t *memory(const irr_net *net, uint64_t place, uint64_t bytes) {
  if (!irr_address_is_2d(place)) {
    const range share = {0, net->share_bytes};
    return inside(&share, place, bytes) ? net->share + place : NULL;
  }
  const uint64_t at = (uint64_t)(uintptr_t)irr_address_local(place);
  if (irr_address_2d_rank(place) != net->o.rank) return NULL;
  for (unsigned i = 0; i < net->exports; i++)
    if (inside(&net->exported[i], at, bytes)) return irr_address_local(place);
  return NULL;
}

static irr_status find(const irr_net *net, uint64_t place, uint64_t bytes, bool write, uint8_t **at) {
  if (net->store && !irr_address_is_2d(place)) return stored(net, place, bytes, write, at);
  *at = memory(net, place, bytes);
  return *at ? IRR_OK : IRR_E_RANGE;
}

// ---- words
static irr_status word_at(const irr_arrival *a, bool write, irr_word_args *w, uint64_t **word) {
  if (a->bytes != sizeof *w) return IRR_E_ARG;
  memcpy(w, a->args, sizeof *w);
  uint8_t *at;
  const irr_status s = find(a->net, w->place, sizeof **word, write, &at);
  if (s != IRR_OK) return s;
  if ((uintptr_t)at % sizeof **word) return IRR_E_ALIGN;
  *word = (uint64_t *)(void *)at;
  return IRR_OK;
}

typedef enum kind { READ, WRITE, ADD, SWAP_IF, XOR } kind;

static irr_status change(kind k, const irr_arrival *a, irr_answer *answer) {
  irr_word_args w;
  uint64_t *word;
  const irr_status s = word_at(a, k != READ, &w, &word);
  if (s != IRR_OK) return s;
  const uint64_t was = answer->word[0] = *word;
  switch (k) {
    case READ: break;
    case WRITE: *word = w.a; break;
    case ADD: *word = was + w.a; break;
    case SWAP_IF: *word = was == w.a ? w.b : was; break;
    case XOR: *word = was ^ w.a; break;
  }
  return IRR_OK;
}

static irr_status run_read(void *ctx, const irr_arrival *a, irr_answer *r) { return (void)ctx, change(READ, a, r); }
static irr_status run_write(void *ctx, const irr_arrival *a, irr_answer *r) { return (void)ctx, change(WRITE, a, r); }
static irr_status run_add(void *ctx, const irr_arrival *a, irr_answer *r) { return (void)ctx, change(ADD, a, r); }
static irr_status run_swap(void *ctx, const irr_arrival *a, irr_answer *r) { return (void)ctx, change(SWAP_IF, a, r); }
static irr_status run_xor(void *ctx, const irr_arrival *a, irr_answer *r) { return (void)ctx, change(XOR, a, r); }

// ---- bytes
static irr_status bytes_at(const irr_arrival *a, bool write, irr_bytes_args *b, uint8_t **at) {
  if (a->bytes < sizeof *b) return IRR_E_ARG;
  memcpy(b, a->args, sizeof *b);
  return find(a->net, b->place, b->bytes, write, at);
}

static irr_status run_bytes_read(void *ctx, const irr_arrival *a, irr_answer *answer) {
  irr_bytes_args b;
  uint8_t *at;
  (void)ctx;
  const irr_status s = bytes_at(a, false, &b, &at);
  if (s != IRR_OK) return s;
  if (b.bytes > sizeof answer->word) return IRR_E_LONG;
  memcpy(answer->word, at, b.bytes);
  answer->bytes = (uint32_t)b.bytes;
  return IRR_OK;
}

static irr_status run_bytes_write(void *ctx, const irr_arrival *a, irr_answer *answer) {
  irr_bytes_args b;
  uint8_t *at;
  (void)ctx;
  (void)answer;
  const irr_status s = bytes_at(a, true, &b, &at);
  if (s != IRR_OK) return s;
  if (b.bytes != a->bytes - sizeof b) return IRR_E_ARG;
  memcpy(at, (const uint8_t *)a->args + sizeof b, b.bytes);
  return IRR_OK;
}

void irr_i_home(irr_net *net) {
  static irr_function_run *const words[] = {
      [IRR_WORD_READ] = run_read,    [IRR_WORD_WRITE] = run_write, [IRR_WORD_ADD] = run_add,
      [IRR_WORD_SWAP_IF] = run_swap, [IRR_WORD_XOR] = run_xor,
  };
  for (unsigned i = IRR_WORD_READ; i <= IRR_WORD_XOR; i++)
    net->function[i] = (irr_function){.run = words[i], .answer_bytes = sizeof(uint64_t), .kernel = true};
  net->function[IRR_BYTES_READ] =
      (irr_function){.run = run_bytes_read, .answer_bytes = IRR_ANSWER_MOST, .kernel = true};
  net->function[IRR_BYTES_WRITE] =
      (irr_function){.run = run_bytes_write, .answer_bytes = sizeof(uint64_t), .kernel = true};
}
