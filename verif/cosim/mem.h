// SPDX-License-Identifier: Apache-2.0
// Sparse physical memory of a test bench: 4 KiB pages made when first touched, zero before that.
//
// Reads of pages never written make nothing. One user at a time; no error but running out of host memory
// (ends the program).
#ifndef TOCSIN_COSIM_MEM_H
#define TOCSIN_COSIM_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mem mem;

mem *mem_new(void);
void mem_free(mem *m);
void mem_read(mem *m, uint64_t addr, void *buf, size_t n);
void mem_write(mem *m, uint64_t addr, const void *buf, size_t n);
uint64_t mem_read64(mem *m, uint64_t addr);
void mem_write64(mem *m, uint64_t addr, uint64_t v);

// Number of bytes that differ; *first is the lowest such address.
uint64_t mem_compare(mem *a, mem *b, uint64_t *first);
// Do n bytes agree? *at is the first address where they do not.
bool mem_same(mem *a, mem *b, uint64_t addr, size_t n, uint64_t *at);
#endif
