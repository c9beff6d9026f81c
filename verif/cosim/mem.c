// SPDX-License-Identifier: Apache-2.0
#include "mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Open addressing: page number + 1 -> page; doubled when half full.
struct mem {
  uint64_t *key;
  uint8_t **page;
  size_t cap, used;
  uint64_t last_key;  // the page used last
  uint8_t *last;
};

static void *must(void *p) {
  if (!p) {
    fputs("out of memory\n", stderr);
    exit(3);
  }
  return p;
}

mem *mem_new(void) {
  mem *m = must(calloc(1, sizeof *m));
  m->cap = 1024;
  m->key = must(calloc(m->cap, sizeof *m->key));
  m->page = must(calloc(m->cap, sizeof *m->page));
  return m;
}

void mem_free(mem *m) {
  if (!m) return;
  for (size_t i = 0; i < m->cap; i++) free(m->page[i]);
  free(m->key);
  free(m->page);
  free(m);
}

static size_t find(const mem *m, uint64_t key) {
  size_t i = (size_t)(key * 0x9E3779B97F4A7C15ULL >> 20) & (m->cap - 1);
  while (m->key[i] && m->key[i] != key) i = (i + 1) & (m->cap - 1);
  return i;
}

static void grow(mem *m) {
  mem old = *m;
  m->cap *= 2;
  m->key = must(calloc(m->cap, sizeof *m->key));
  m->page = must(calloc(m->cap, sizeof *m->page));
  for (size_t i = 0; i < old.cap; i++)
    if (old.key[i]) {
      size_t j = find(m, old.key[i]);
      m->key[j] = old.key[i];
      m->page[j] = old.page[i];
    }
  free(old.key);
  free(old.page);
}

static uint8_t *page_of(mem *m, uint64_t addr, bool make) {
  uint64_t key = (addr >> 12) + 1;
  if (key == m->last_key) return m->last;
  size_t i = find(m, key);
  if (!m->key[i]) {
    if (!make) return NULL;
    if (2 * ++m->used > m->cap) {
      grow(m);
      i = find(m, key);
    }
    m->key[i] = key;
    m->page[i] = must(calloc(1, 4096));
  }
  m->last_key = key;
  return m->last = m->page[i];
}

void mem_read(mem *m, uint64_t addr, void *buf, size_t n) {
  for (uint8_t *d = buf; n;) {
    size_t off = addr & 4095, k = 4096 - off < n ? 4096 - off : n;
    const uint8_t *p = page_of(m, addr, false);
    if (p)
      memcpy(d, p + off, k);
    else
      memset(d, 0, k);
    d += k;
    addr += k;
    n -= k;
  }
}

void mem_write(mem *m, uint64_t addr, const void *buf, size_t n) {
  for (const uint8_t *s = buf; n;) {
    size_t off = addr & 4095, k = 4096 - off < n ? 4096 - off : n;
    memcpy(page_of(m, addr, true) + off, s, k);
    s += k;
    addr += k;
    n -= k;
  }
}

uint64_t mem_read64(mem *m, uint64_t addr) {
  uint64_t v;
  mem_read(m, addr, &v, 8);
  return v;
}

void mem_write64(mem *m, uint64_t addr, uint64_t v) { mem_write(m, addr, &v, 8); }

static uint64_t compare_pages(mem *a, mem *b, uint64_t *first, bool only_missing) {
  static const uint8_t zero[4096];
  uint64_t n = 0;
  for (size_t i = 0; i < a->cap; i++) {
    if (!a->key[i]) continue;
    uint64_t addr = (a->key[i] - 1) << 12;
    const uint8_t *q = page_of(b, addr, false);
    if (only_missing && q) continue;
    if (!q) q = zero;
    if (!memcmp(a->page[i], q, 4096)) continue;
    for (unsigned j = 0; j < 4096; j++)
      if (a->page[i][j] != q[j]) {
        n++;
        if (addr + j < *first) *first = addr + j;
      }
  }
  return n;
}

uint64_t mem_compare(mem *a, mem *b, uint64_t *first) {
  *first = ~0ULL;
  return compare_pages(a, b, first, false) + compare_pages(b, a, first, true);
}

bool mem_same(mem *a, mem *b, uint64_t addr, size_t n, uint64_t *at) {
  uint8_t x[256], y[256];
  for (; n;) {
    size_t k = n < sizeof x ? n : sizeof x;
    mem_read(a, addr, x, k);
    mem_read(b, addr, y, k);
    if (memcmp(x, y, k)) {
      while (x[0] == y[0]) {
        memmove(x, x + 1, sizeof x - 1);
        memmove(y, y + 1, sizeof y - 1);
        addr++;
      }
      *at = addr;
      return false;
    }
    addr += k;
    n -= k;
  }
  return true;
}
