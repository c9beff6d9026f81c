// SPDX-License-Identifier: Apache-2.0
#include "dirty.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

struct dirty {
  toc_proc *p;
  toc_log *log;
  uint8_t *base;
  size_t pages;
  uint64_t records;
  uint64_t *bits;
};

// In a thread of the library's, perhaps, while another one looks.
static void on_put(void *arg, const toc_access *x) {
  dirty *d = arg;
  size_t page = (size_t)((const uint8_t *)x->target - d->base) / PAGE;
  __atomic_fetch_or(&d->bits[page / 64], 1ULL << page % 64, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&d->records, 1, __ATOMIC_SEQ_CST);
}

size_t dirty_words(const dirty *d) { return (d->pages + 63) / 64; }
uint64_t dirty_records(const dirty *d) { return toc_load(&d->records); }

toc_status dirty_open(toc_proc *p, void *ptr, size_t bytes, dirty **out, toc_remote *flush) {
  dirty *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return TOC_E_NOMEM;
  *d = (dirty){.p = p, .base = ptr, .pages = (bytes + PAGE - 1) / PAGE};
  d->bits = calloc(dirty_words(d), sizeof *d->bits);
  toc_status s = d->bits ? toc_log_open(p, &(toc_log_options){.bytes = 8192, .automatic = true}, &d->log) : TOC_E_NOMEM;
  if (!s) s = toc_associate(p, ptr, bytes, &(toc_rule){.put = TOC_COUNT, .log = d->log, .handler = on_put, .arg = d});
  if (!s && flush) s = toc_flush_page(d->log, flush);
  if (s) {
    dirty_close(d);
    return s;
  }
  *out = d;
  return TOC_OK;
}

toc_status dirty_close(dirty *d) {
  toc_status s = d->log ? toc_log_close(d->log) : TOC_OK;
  if (s == TOC_E_TIMEOUT) return s;
  free(d->bits);
  free(d);
  return s;
}

toc_status dirty_get(dirty *d, uint64_t *bitmap, bool clear) {
  toc_status s = toc_log_run(d->log, 0);
  if (s) return s;
  for (size_t i = 0; i < dirty_words(d); i++)
    bitmap[i] = clear ? __atomic_exchange_n(&d->bits[i], 0, __ATOMIC_SEQ_CST) : toc_load(&d->bits[i]);
  return TOC_OK;
}
