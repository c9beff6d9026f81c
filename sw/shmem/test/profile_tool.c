// SPDX-License-Identifier: Apache-2.0
// A tool: it counts what the program calls, and has the library do it. C11 and C++17.
#include <pshmem.h>
#include <stdio.h>

static unsigned puts_seen, bytes_seen, mallocs, aligns, quiets, syncs, starts;

void shmem_int_put(int *dest, const int *source, size_t nelems, int pe) {
  puts_seen++;
  bytes_seen += (unsigned)(nelems * sizeof *source);
  pshmem_int_put(dest, source, nelems, pe);
}

// What C11's shmem_put calls.
void shmem_ctx_int_put(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) {
  puts_seen++;
  bytes_seen += (unsigned)(nelems * sizeof *source);
  pshmem_ctx_int_put(ctx, dest, source, nelems, pe);
}

void shmem_putmem(void *dest, const void *source, size_t nelems, int pe) {
  puts_seen++;
  bytes_seen += (unsigned)nelems;
  pshmem_putmem(dest, source, nelems, pe);
}

void *shmem_malloc(size_t size) {
  mallocs++;
  return pshmem_malloc(size);
}

void *shmem_align(size_t alignment, size_t size) {
  aligns++;
  return pshmem_align(alignment, size);
}

void shmem_quiet(void) {
  quiets++;
  pshmem_quiet();
}

void shmem_sync_all(void) {
  syncs++;
  pshmem_sync_all();
}

void shmem_init(void) {
  starts++;
  pshmem_init();
}

void shmem_finalize(void) {
  printf("PE %d: %u puts of %u bytes, %u malloc, %u align, %u quiet, %u sync, %u init\n", pshmem_my_pe(), puts_seen,
         bytes_seen, mallocs, aligns, quiets, syncs, starts);
  pshmem_finalize();
}
