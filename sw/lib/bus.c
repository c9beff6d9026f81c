// SPDX-License-Identifier: Apache-2.0
// What goes to the device and comes from it: registers, interrupts, memory that it reaches. Nothing here waits.
//
// The hardware does not look whether two of its rings lie on one another, or a word that it writes in one of them
// (rtl/aa/README.md): here it is seen to, whatever a backend gives.
#include <unistd.h>

#include "internal.h"

uint64_t toc_i_random(toc_i_node *n) {
  n->rng ^= n->rng << 13;
  n->rng ^= n->rng >> 7;
  n->rng ^= n->rng << 17;
  return n->rng * 0x2545f4914f6cdd1du;
}

uint32_t toc_i_cycles(const toc_i_fabric *f, uint64_t us) {
  uint64_t c = us * f->be->mhz;
  return c > 0xffffffffu ? 0xffffffffu : (uint32_t)c;
}

/* Who sleeps until there is something to do. */
static void wake(toc_driver *d) {
  uint64_t one = 1;
  pthread_cond_signal(&d->kick);
  if (write(d->fd, &one, sizeof one) < 0) one = 0; /* the counter is full: fine */
}

void toc_i_kick(toc_i_fabric *f) {
  if (!f->driver) return;
  f->driver->kicked = true;
  if (f->driver->asleep) wake(f->driver); /* else it looks before it sleeps */
}

// ---- registers and interrupts
void toc_i_see_nothing(void *ctx, const toc_seen *s) {
  (void)ctx;
  (void)s;
}

static toc_status dead(toc_i_fabric *f, const char *what, uint32_t addr, toc_status s) {
  f->dead = true;
  return toc_i_fail(s, "backend %s: register 0x%x cannot be %s", f->be->name, addr, what);
}

toc_status toc_i_read(toc_i_node *n, uint32_t addr, unsigned size, uint64_t *value) {
  toc_i_fabric *f = n->f;
  *value = 0;
  toc_status s = f->be->read(f->self, n->rank, addr, size, value);
  if (s != TOC_OK) return dead(f, "read", addr, s);
  f->spy.see(f->spy.ctx, &(toc_seen){.kind = TOC_SEEN_REG_READ,
                                     .node = n->rank,
                                     .ns = f->be->now(f->self),
                                     .addr = addr,
                                     .value = *value,
                                     .size = size});
  return TOC_OK;
}

toc_status toc_i_write(toc_i_node *n, uint32_t addr, unsigned size, uint64_t value) {
  toc_i_fabric *f = n->f;
  f->spy.see(f->spy.ctx, &(toc_seen){.kind = TOC_SEEN_REG_WRITE,
                                     .node = n->rank,
                                     .ns = f->be->now(f->self),
                                     .addr = addr,
                                     .value = value,
                                     .size = size});
  toc_status s = f->be->write(f->self, n->rank, addr, size, value);
  toc_i_kick(f);
  return s == TOC_OK ? s : dead(f, "written", addr, s);
}

toc_status toc_i_vector(toc_i_node *n, unsigned vector, int *fd, uint64_t *addr, uint32_t *data) {
  *addr = *data = 0;
  *fd = n->f->o.no_interrupts ? -1 : n->f->be->vector(n->f->self, n->rank, vector, addr, data);
  if (*fd >= -1) return TOC_OK;
  *fd = -1;
  return toc_i_fail(TOC_E_IO, "node %u: the system refuses an eventfd: too many files are open", n->rank);
}

// ---- memory
toc_status toc_i_dma_alloc(toc_i_node *n, size_t bytes, size_t align, toc_dma *m) {
  const toc_backend *be = n->f->be;
  *m = (toc_dma){0};
  if (be->dma_alloc(n->f->self, n->rank, bytes, align, m) != TOC_OK) {
    *m = (toc_dma){0};
    return toc_i_fail(TOC_E_NOMEM, "node %u: no %zu bytes of memory left", n->rank, bytes);
  }
  const char *wrong = NULL;
  toc_status s = TOC_E_PLACE;
  if (m->bus % align || m->bytes < bytes)
    wrong = "not aligned, or too short";
  else if (m->bus >> BUS_BITS || m->bytes > (1ull << BUS_BITS) - m->bus)
    wrong = "beyond the device's 48 bits of address";
  else if (!toc_i_range_is_free(&n->bus, m->bus, m->bytes))
    wrong = "over memory that the device has already";
  if (wrong)
    (void)toc_i_fail(s, "node %u: the backend gives %zu bytes at %llx, %s", n->rank, m->bytes,
                     (unsigned long long)m->bus, wrong);
  else if (toc_i_range_take_at(&n->bus, m->bus, m->bytes))
    return TOC_OK;
  else
    s = toc_i_fail(TOC_E_NOMEM, "node %u: no memory to remember where its own is", n->rank);
  be->dma_free(n->f->self, n->rank, m);
  *m = (toc_dma){0};
  return s;
}

void toc_i_dma_free(toc_i_node *n, const toc_dma *m) {
  toc_i_range_give(&n->bus, m->bus, m->bytes);
  n->f->be->dma_free(n->f->self, n->rank, m);
}
