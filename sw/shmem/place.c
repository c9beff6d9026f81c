// SPDX-License-Identifier: Apache-2.0
// Symmetric memory: the heap, and the static data of the program itself. An address is told to others as an offset,
// since the same object lies elsewhere in another process.
#include <link.h>

#include "world.h"

// The program's own segments that may be written: the first object is the program. What a shared library
// has is not among them.
static int program(struct dl_phdr_info *info, size_t size, void *arg) {
  (void)size;
  (void)arg;
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    const uintptr_t at = info->dlpi_addr + h->p_vaddr;
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_W)) continue;
    if (at < low) low = at;
    if (at + h->p_memsz > high) high = at + h->p_memsz;
  }
  if (high) {
    shm.data = (uint8_t *)low;
    shm.data_bytes = high - low;
  }
  return 1;
}

void shm_find_data(void) { (void)dl_iterate_phdr(program, NULL); }

static bool lies_in(const void *p, size_t bytes, const uint8_t *base, size_t size, uint64_t *at) {
  const uintptr_t off = (uintptr_t)p - (uintptr_t)base;
  *at = off;
  return (uintptr_t)p >= (uintptr_t)base && off <= size && bytes <= size - off;
}

bool shm_find(const void *p, size_t bytes, shm_place *where) {
  where->heap = lies_in(p, bytes, shm.heap, shm.heap_bytes, &where->at);
  return where->heap || lies_in(p, bytes, shm.data, shm.data_bytes, &where->at);
}

void *shm_here(shm_place where) { return (where.heap ? shm.heap : shm.data) + where.at; }
