// SPDX-License-Identifier: Apache-2.0
/* Handles. What a program holds is no pointer but a number: kind, generation and place in one table of the whole
 * process. A place that is used again has the next generation, so a handle of something that was closed is known for
 * what it is, whatever has been opened since.
 *
 *   63     52 51  48 47            20 19      0
 *    70Ch     kind    generation       place      an address that no processor takes: who follows it is stopped at once
 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "internal.h"

enum { PLACES = 1 << 20, GENERATION = 0xfffffff };
#define MARK 0x70c0000000000000ull

typedef struct slot {
  uint64_t handle; /* 0: nothing is here */
  void *object;
  uint32_t generation, next;
} slot;

static slot *table; /* of the whole process, as files are; it grows by being touched, and is never given back */
static uint32_t used, free_first; /* place + 1 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *const name[] = {"?",     "a fabric", "a node",  "a process", "a queue pair",
                                   "a log", "a box",    "a queue", "an agent"};

static bool table_there(void) {
  if (table) return true;
  void *p =
      mmap(NULL, PLACES * sizeof(slot), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  __atomic_store_n(&table, p, __ATOMIC_RELEASE);
  return true;
}

void *toc_i_handle_new(toc_i_kind kind, void *object) {
  uint64_t h = 0;
  pthread_mutex_lock(&lock);
  if (table_there() && (free_first || used < PLACES)) {
    uint32_t i = free_first ? free_first - 1 : used++;
    slot *s = &table[i];
    if (free_first) free_first = s->next;
    s->generation = (s->generation + 1) & GENERATION;
    h = MARK | (uint64_t)kind << 48 | (uint64_t)s->generation << 20 | i;
    __atomic_store_n(&s->object, object, __ATOMIC_RELAXED);
    __atomic_store_n(&s->handle, h, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  if (!h) (void)toc_i_fail(TOC_E_NOMEM, "no memory for a handle, or a million of them are open");
  return (void *)(uintptr_t)h;
}

void toc_i_handle_end(const void *handle) {
  if (!handle) return;
  uint32_t i = (uint32_t)((uintptr_t)handle % PLACES);
  pthread_mutex_lock(&lock);
  slot *s = &table[i];
  __atomic_store_n(&s->handle, 0, __ATOMIC_RELEASE);
  s->next = free_first;
  free_first = i + 1;
  pthread_mutex_unlock(&lock);
}

void *toc_i_object(toc_i_kind kind, const void *handle, const char *function, const char *argument) {
  uint64_t h = (uintptr_t)handle;
  unsigned is = (unsigned)(h >> 48 & 15);
  const slot *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE), *s = t ? &t[h % PLACES] : NULL;
  if (!handle)
    (void)toc_i_fail(TOC_E_ARG, "%s: '%s' must not be NULL", function, argument);
  else if (!s || h >> 52 != MARK >> 52 || !is || is >= sizeof name / sizeof *name)
    (void)toc_i_fail(TOC_E_CLOSED, "%s: '%s' is no handle of this library", function, argument);
  else if (is != kind)
    (void)toc_i_fail(TOC_E_CLOSED, "%s: '%s' is the handle of %s, not of %s", function, argument, name[is], name[kind]);
  else if (__atomic_load_n(&s->handle, __ATOMIC_ACQUIRE) != h)
    (void)toc_i_fail(TOC_E_CLOSED, "%s: '%s' is the handle of %s that has been closed", function, argument, name[is]);
  else
    return __atomic_load_n(&s->object, __ATOMIC_RELAXED);
  return NULL;
}
