// SPDX-License-Identifier: Apache-2.0
/* What the backends of real devices share: mapped registers, and a pool of hugepages for DMA. Their paths begin with a
 * root, which is empty but in tests. */
#ifndef TOCSIN_HW_H
#define TOCSIN_HW_H

#include <stddef.h>

#include "internal.h"

enum { HW_REG_BYTES = 0x200000, HW_NAME = 200 };
#define HW_HUGE (2ull << 20)
/* Where the first pool of a program is mapped: always the same, so that a file tree can be made that
 * looks like a machine. */
#define HW_POOL_AT 0x0000200000000000ull

typedef struct hw_run { /* pages that lie one behind the other on the bus */
  uint64_t key, bus, bytes;
  uint8_t *ptr;
} hw_run;

typedef struct hw {
  char root[HW_NAME], name[HW_NAME];
  volatile uint8_t *reg;
  size_t reg_bytes;
  int fd; /* of the device */
  uint8_t *pool;
  uint64_t pool_bytes;
  hw_run *run;
  size_t runs;
  toc_ranges free; /* by key */
  void *more;      /* the backend's own */
} hw;

/* "name" or "root:name". */
toc_status toc_i_hw_new(const toc_options *o, const char *name, hw **h, char *why);
void toc_i_hw_free(hw *h);

/* A file below the root; NULL into `why` style: root, then the format. */
toc_status toc_i_hw_path(const hw *h, char *out, size_t n, char *why, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
toc_status toc_i_hw_number(const char *path, uint64_t *value, char *why); /* a file with one number in it */
toc_status toc_i_hw_map_registers(hw *h, int fd, uint64_t offset, uint64_t bytes, char *why);

/* Maps `bytes` of hugepages; then runs are added for what the bus sees, in order of addresses. */
toc_status toc_i_hw_pool(hw *h, uint64_t bytes, char *why);
toc_status toc_i_hw_add_run(hw *h, uint64_t offset, uint64_t bytes, uint64_t bus);

/* Functions of the backend. */
toc_status toc_i_hw_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *v);
toc_status toc_i_hw_write(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t v);
toc_status toc_i_hw_dma_alloc(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m);
void toc_i_hw_dma_free(void *self, unsigned node, const toc_dma *m);
int toc_i_hw_vector(void *self, unsigned node, unsigned vector, uint64_t *addr, uint32_t *data);
bool toc_i_hw_progress(void *self);
uint64_t toc_i_hw_now(void *self);

#endif
