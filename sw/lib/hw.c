// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "hw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { WHY = 160 };

// ---- names and files
toc_status toc_i_hw_new(const toc_options *o, const char *name, hw **out, char *why) {
  hw *h = calloc(1, sizeof *h);
  *out = h;
  snprintf(why, WHY, "no memory");
  if (!h) return TOC_E_NOMEM;
  h->fd = -1;
  const char *path = o->path ? o->path : name, *colon = strchr(path, ':');
  /* A PCI address has colons itself: a root begins with a slash. */
  if (path[0] != '/') colon = NULL;
  const char *rest = colon ? colon + 1 : path;
  if (strlen(path) >= HW_NAME || (path[0] == '/' && !colon)) {
    snprintf(why, WHY, "path '%.80s' is not NAME or /ROOT:NAME", path);
    free(h);
    *out = NULL;
    return TOC_E_ARG;
  }
  if (colon) memcpy(h->root, path, (size_t)(colon - path));
  memcpy(h->name, rest, strlen(rest));
  return TOC_OK;
}

void toc_i_hw_free(hw *h) {
  if (!h) return;
  if (h->reg) munmap((void *)(uintptr_t)h->reg, h->reg_bytes);
  if (h->pool) munmap(h->pool, h->pool_bytes);
  if (h->fd >= 0) close(h->fd);
  toc_i_ranges_free(&h->free);
  free(h->run);
  free(h);
}

toc_status toc_i_hw_path(const hw *h, char *out, size_t n, char *why, const char *format, ...) {
  char tail[256];
  va_list a;
  va_start(a, format);
  vsnprintf(tail, sizeof tail, format, a);
  va_end(a);
  int k = snprintf(out, n, "%s%s", h->root, tail);
  if (k >= 0 && (size_t)k < n) return TOC_OK;
  snprintf(why, WHY, "a path is too long");
  return TOC_E_ARG;
}

toc_status toc_i_hw_number(const char *path, uint64_t *value, char *why) {
  char text[64] = "", *end;
  FILE *f = fopen(path, "r");
  if (f) {
    if (!fgets(text, sizeof text, f)) text[0] = 0;
    fclose(f);
  }
  *value = strtoull(text, &end, 0);
  if (f && end != text) return TOC_OK;
  snprintf(why, WHY, "%.100s: %s", path, f ? "holds no number" : strerror(errno));
  return TOC_E_BACKEND;
}

toc_status toc_i_hw_map_registers(hw *h, int fd, uint64_t offset, uint64_t bytes, char *why) {
  if (bytes < HW_REG_BYTES) {
    snprintf(why, WHY, "%.80s has %llu bytes of registers; tocsin has 2 MiB", h->name, (unsigned long long)bytes);
    return TOC_E_DEVICE;
  }
  void *p = mmap(NULL, HW_REG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
  if (p == MAP_FAILED) {
    snprintf(why, WHY, "registers of %.80s: %s", h->name, strerror(errno));
    return TOC_E_IO;
  }
  h->reg = p;
  h->reg_bytes = HW_REG_BYTES;
  return TOC_OK;
}

// ---- hugepages
toc_status toc_i_hw_pool(hw *h, uint64_t bytes, char *why) {
  char path[512];
  bytes = toc_i_up(bytes, HW_HUGE);
  toc_status s = toc_i_hw_path(h, path, sizeof path, why, "/dev/hugepages/tocsin-%ld", (long)getpid());
  if (s != TOC_OK) return s;
  int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    snprintf(why, WHY, "hugepages: %.90s: %s", path, strerror(errno));
    return TOC_E_IO;
  }
  unlink(path); /* nothing stays when this process goes, however it goes */
  void *p = MAP_FAILED;
  if (!ftruncate(fd, (off_t)bytes)) {
    const int how = MAP_SHARED | MAP_POPULATE, what = PROT_READ | PROT_WRITE;
    p = mmap((void *)(uintptr_t)HW_POOL_AT, bytes, what, how | MAP_FIXED_NOREPLACE, fd, 0);
    if (p == MAP_FAILED && errno == EEXIST) p = mmap(NULL, bytes, what, how, fd, 0);
  }
  int e = errno;
  close(fd);
  if (p == MAP_FAILED) {
    snprintf(why, WHY, "%llu MiB of hugepages: %s (see /proc/sys/vm/nr_hugepages)", (unsigned long long)bytes >> 20,
             strerror(e));
    return TOC_E_NOMEM;
  }
  h->pool = p;
  h->pool_bytes = bytes;
  return TOC_OK;
}

toc_status toc_i_hw_add_run(hw *h, uint64_t offset, uint64_t bytes, uint64_t bus) {
  hw_run *last = h->runs ? &h->run[h->runs - 1] : NULL;
  if (last && last->bus + last->bytes == bus && last->ptr + last->bytes == h->pool + offset) {
    toc_i_range_give(&h->free, last->key + last->bytes, bytes);
    last->bytes += bytes;
    return TOC_OK;
  }
  hw_run *more = realloc(h->run, (h->runs + 1) * sizeof *more);
  if (!more) return TOC_E_NOMEM;
  h->run = more;
  last = h->runs ? &h->run[h->runs - 1] : NULL;
  /* A key keeps the low bits of the bus, so that what is aligned by key is aligned on the bus; gaps keep runs apart. */
  uint64_t key = last ? toc_i_up(last->key + last->bytes + 1, 1ull << 31) : 1ull << 31;
  key += bus & ((1ull << 31) - 1);
  h->run[h->runs++] = (hw_run){key, bus, bytes, h->pool + offset};
  if (h->runs == 1) return toc_i_ranges_init(&h->free, key, bytes) ? TOC_OK : TOC_E_NOMEM;
  toc_i_range_give(&h->free, key, bytes);
  return TOC_OK;
}

toc_status toc_i_hw_dma_alloc(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  hw *h = self;
  uint64_t key;
  (void)node;
  *m = (toc_dma){.bytes = toc_i_up(bytes, PAGE)};
  if (!toc_i_range_take(&h->free, m->bytes, align, &key)) return TOC_E_NOMEM;
  for (size_t i = 0; i < h->runs; i++) {
    const hw_run *r = &h->run[i];
    if (key < r->key || key - r->key >= r->bytes) continue;
    m->ptr = r->ptr + (key - r->key);
    m->bus = r->bus + (key - r->key);
    memset(m->ptr, 0, m->bytes);
    return TOC_OK;
  }
  return TOC_E_NOMEM;
}

void toc_i_hw_dma_free(void *self, unsigned node, const toc_dma *m) {
  hw *h = self;
  (void)node;
  for (size_t i = 0; i < h->runs; i++)
    if (m->bus >= h->run[i].bus && m->bus - h->run[i].bus < h->run[i].bytes) {
      toc_i_range_give(&h->free, h->run[i].key + (m->bus - h->run[i].bus), m->bytes);
      return;
    }
}

// ---- registers, time
toc_status toc_i_hw_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *v) {
  hw *h = self;
  (void)node;
  if (size == 8)
    *v = *(volatile uint64_t *)(volatile void *)(h->reg + addr);
  else
    *v = *(volatile uint32_t *)(volatile void *)(h->reg + addr);
  return TOC_OK;
}

toc_status toc_i_hw_write(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t v) {
  hw *h = self;
  (void)node;
  __atomic_thread_fence(__ATOMIC_SEQ_CST); /* memory before the doorbell that tells of it */
  if (size == 8)
    *(volatile uint64_t *)(volatile void *)(h->reg + addr) = v;
  else
    *(volatile uint32_t *)(volatile void *)(h->reg + addr) = (uint32_t)v;
  return TOC_OK;
}

int toc_i_hw_vector(void *self, unsigned node, unsigned vector, uint64_t *addr, uint32_t *data) {
  (void)self;
  (void)node;
  (void)vector;
  *addr = *data = 0; /* its messages are written by the device itself; nobody has an address for them here */
  return -1;
}

bool toc_i_hw_progress(void *self) {
  (void)self;
  return false;
}

uint64_t toc_i_hw_now(void *self) {
  struct timespec t;
  (void)self;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
