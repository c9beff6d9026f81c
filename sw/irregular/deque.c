// SPDX-License-Identifier: Apache-2.0
// deque.h. Every access of what threads share is atomic, so that ThreadSanitizer and the standard call nothing a race.
#include "deque.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 64 };
_Static_assert(sizeof(irr_record) == IRR_RECORD_WORDS * sizeof(uint64_t), "a record is five words");

static irr_deque_array *array_of(size_t size) {
  irr_deque_array *a = malloc(sizeof *a + size * sizeof a->words[0]);
  if (!a) return NULL;
  a->older = NULL;
  a->mask = size - 1;
  return a;
}

static void put(irr_deque_array *a, int64_t i, const irr_record *r) {
  uint64_t words[IRR_RECORD_WORDS];
  memcpy(words, r, sizeof words);
  for (int w = 0; w < IRR_RECORD_WORDS; w++)
    __atomic_store_n(&a->words[(size_t)i & a->mask][w], words[w], __ATOMIC_RELAXED);
}

static void get(irr_deque_array *a, int64_t i, irr_record *r) {
  uint64_t words[IRR_RECORD_WORDS];
  for (int w = 0; w < IRR_RECORD_WORDS; w++)
    words[w] = __atomic_load_n(&a->words[(size_t)i & a->mask][w], __ATOMIC_RELAXED);
  memcpy(r, words, sizeof words);
}

toc_status irr_deque_open(irr_deque *d) {
  d->top = d->bottom = 0;
  d->array = array_of(FIRST);
  return d->array ? TOC_OK : TOC_E_NOMEM;
}

void irr_deque_close(irr_deque *d) {
  while (d->array) {
    irr_deque_array *older = d->array->older;
    free(d->array);
    d->array = older;
  }
}

static irr_deque_array *grown(irr_deque *d, irr_deque_array *a, int64_t top, int64_t bottom) {
  irr_deque_array *b = array_of(2 * (a->mask + 1));
  irr_record r;
  if (!b) return NULL;
  for (int64_t i = top; i < bottom; i++) {
    get(a, i, &r);
    put(b, i, &r);
  }
  b->older = a;
  __atomic_store_n(&d->array, b, __ATOMIC_RELEASE);
  return b;
}

toc_status irr_deque_push(irr_deque *d, const irr_record *r) {
  int64_t bottom = __atomic_load_n(&d->bottom, __ATOMIC_RELAXED);
  int64_t top = __atomic_load_n(&d->top, __ATOMIC_ACQUIRE);
  irr_deque_array *a = d->array;
  if (bottom - top > (int64_t)a->mask && !(a = grown(d, a, top, bottom))) return TOC_E_NOMEM;
  put(a, bottom, r);
  __atomic_store_n(&d->bottom, bottom + 1, __ATOMIC_RELEASE);
  return TOC_OK;
}

bool irr_deque_pop(irr_deque *d, irr_record *r) {
  int64_t bottom = __atomic_load_n(&d->bottom, __ATOMIC_RELAXED);
  // Nothing is pushed meanwhile and top only grows, so that what is empty now stays empty: the dear
  // way is for what is not.
  if (__atomic_load_n(&d->top, __ATOMIC_RELAXED) >= bottom) return false;
  bottom--;
  __atomic_store_n(&d->bottom, bottom, __ATOMIC_SEQ_CST);
  int64_t top = __atomic_load_n(&d->top, __ATOMIC_SEQ_CST);
  bool taken = top <= bottom;
  if (taken) get(d->array, bottom, r);
  if (top < bottom) return true;
  if (taken) taken = __atomic_compare_exchange_n(&d->top, &top, top + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  __atomic_store_n(&d->bottom, bottom + 1, __ATOMIC_RELEASE);
  return taken;
}

irr_taken irr_deque_steal(irr_deque *d, irr_record *r) {
  int64_t top = __atomic_load_n(&d->top, __ATOMIC_SEQ_CST);
  int64_t bottom = __atomic_load_n(&d->bottom, __ATOMIC_SEQ_CST);
  if (top >= bottom) return IRR_EMPTY;
  get(__atomic_load_n(&d->array, __ATOMIC_ACQUIRE), top, r);
  bool taken = __atomic_compare_exchange_n(&d->top, &top, top + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  return taken ? IRR_TAKEN : IRR_LOST;
}

int64_t irr_deque_count(const irr_deque *d) {
  int64_t top = __atomic_load_n(&d->top, __ATOMIC_ACQUIRE);
  int64_t bottom = __atomic_load_n(&d->bottom, __ATOMIC_ACQUIRE);
  return bottom > top ? bottom - top : 0;
}
