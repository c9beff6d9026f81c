// SPDX-License-Identifier: Apache-2.0
// Stacks: mapped many at once, each above guard pages, and kept when a task ends. The task's own record lies at the
// high end of its stack, so that the two share a page.
#define _GNU_SOURCE
#include "scheduler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Linux 6.13: guards that are marks in the page table, where mprotect makes mappings, of which a process has 65530.
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

// If all stacks were used from the same address within a page on, they would share a few sets of each cache, and leave
// the others empty: every stack begins at one of COLOURS places instead.
enum { COLOURS = 16, COLOUR_BYTES = 128, SLAB_STACKS = 64, RECORD_BYTES = (sizeof(irr_task) + 63) / 64 * 64 };

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

toc_status irr_stacks_open(irr_stacks *k, size_t bytes, unsigned limit) {
  size_t p = page(), most = (size_t)1 << 46;
  if (bytes < 4096 || bytes > most)
    return irr_fails(TOC_E_ARG, "stack_bytes is %zu; a stack has 4096 bytes at least, and 2^46 at most", bytes);
  *k = (irr_stacks){.guard = p, .limit = limit, .advice = true};
  k->each = (bytes + COLOURS * COLOUR_BYTES + RECORD_BYTES + p - 1) / p * p + k->guard;
  // An odd number of pages, for the same reason as the colours.
  if (k->each / p % 2 == 0) {
    k->each += p;
    k->guard += p;
  }
  return TOC_OK;
}

static bool guarded(irr_stacks *k, char *low) {
  if (k->advice && madvise(low, k->guard, MADV_GUARD_INSTALL) == 0) return true;
  k->advice = false;
  return mprotect(low, k->guard, PROT_NONE) == 0;
}

static void split(irr_stacks *k, char *base, size_t count) {
  for (size_t i = count; i-- > 0;) {
    char *low = base + i * k->each;
    size_t colour = (k->count + i) % COLOURS * COLOUR_BYTES;
    irr_task *t = (irr_task *)(void *)(low + k->each - colour - RECORD_BYTES);
    memset(t, 0, sizeof *t);
    t->fiber.low = low + k->guard;
    t->fiber.bytes = k->each - k->guard;
    t->note.kind = IRR_NOTE_WAKE;
    irr_fiber_map(&t->fiber);
    t->next = k->free;
    k->free = t;
    t->all = k->all;
    k->all = t;
  }
  k->count += count;
}

static bool more(irr_stacks *k) {
  size_t count = k->limit - k->count < SLAB_STACKS ? k->limit - k->count : SLAB_STACKS;
  irr_slab *slab = malloc(sizeof *slab);
  if (!slab) {
    irr_fails(TOC_E_NOMEM, "no memory for the list of stacks");
    return false;
  }
  *slab = (irr_slab){.next = k->slabs, .bytes = count * k->each};
  slab->base =
      mmap(NULL, slab->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (slab->base == MAP_FAILED) {
    irr_fails(TOC_E_NOMEM, "no memory for %zu stacks of %zu bytes: %s", count, k->each, strerror(errno));
    free(slab);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    if (guarded(k, slab->base + i * k->each)) continue;
    irr_fails(TOC_E_NOMEM, "no guard for a stack, with %zu there: %s (sysctl vm.max_map_count limits them)", k->count,
              strerror(errno));
    munmap(slab->base, slab->bytes);
    free(slab);
    return false;
  }
  k->slabs = slab;
  split(k, slab->base, count);
  return true;
}

irr_task *irr_stack_get(irr_sched *s) {
  irr_stacks *k = &s->stacks;
  s->poor = false;
  if (!k->free && (k->count >= k->limit || !more(k))) {
    s->poor = k->count < k->limit;
    return NULL;
  }
  irr_task *t = k->free;
  k->free = t->next;
  return t;
}

// The stack is still in use until the next switch, which comes before the next task begins.
void irr_stack_put(irr_sched *s, irr_task *t) {
  t->state = IRR_FREE;
  t->next = s->stacks.free;
  s->stacks.free = t;
}

void irr_stacks_close(irr_stacks *k) {
  for (irr_task *t = k->all; t; t = t->all) irr_fiber_unmap(&t->fiber);
  while (k->slabs) {
    irr_slab *slab = k->slabs;
    k->slabs = slab->next;
    munmap(slab->base, slab->bytes);
    free(slab);
  }
  k->free = k->all = NULL;
  k->count = 0;
}
