// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "inproc.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// ---- memory
bool toc_i_mem_new(memory *m, uint64_t size) {
  *m = (memory){.size = toc_i_up(size, PAGE)};
  void *p = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  m->bytes = p;
  return toc_i_ranges_init(&m->free, MEMORY_AT, m->size);
}

void toc_i_mem_free(memory *m) {
  if (m->bytes) munmap(m->bytes, m->size);
  for (unsigned i = 0; i < TOC_VECTORS; i++)
    if (m->fd[i]) close(m->fd[i] - 1);
  toc_i_ranges_free(&m->free);
}

uint8_t *toc_i_mem_at(memory *m, uint64_t addr, size_t n) {
  if (addr < MEMORY_AT || addr - MEMORY_AT > m->size || n > m->size - (addr - MEMORY_AT)) return NULL;
  return m->bytes + (addr - MEMORY_AT);
}

bool toc_i_mem_alloc(memory *m, size_t bytes, size_t align, toc_dma *d) {
  *d = (toc_dma){.bytes = toc_i_up(bytes, PAGE)};
  if (!toc_i_range_take(&m->free, d->bytes, align, &d->bus)) return false;
  d->ptr = toc_i_mem_at(m, d->bus, d->bytes);
  memset(d->ptr, 0, d->bytes);
  return true;
}

void toc_i_mem_give(memory *m, const toc_dma *d) { toc_i_range_give(&m->free, d->bus, d->bytes); }

void toc_i_mem_store(uint8_t *to, const void *from, size_t n) {
  if (n == 8 && (uintptr_t)to % 8 == 0) {
    uint64_t v;
    memcpy(&v, from, 8);
    __atomic_store_n((uint64_t *)(void *)to, v, __ATOMIC_SEQ_CST);
    return;
  }
  memcpy(to, from, n);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

bool toc_i_mem_atomic(memory *m, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare,
                      uint64_t *old) {
  void *p = toc_i_mem_at(m, addr, size);
  if (!p || addr % size) return false;
  if (size == 8) {
    uint64_t *w = p, was = compare;
    if (cas)
      __atomic_compare_exchange_n(w, &was, swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    else
      was = __atomic_fetch_add(w, swap, __ATOMIC_SEQ_CST);
    *old = was;
  } else {
    uint32_t *w = p, was = (uint32_t)compare;
    if (cas)
      __atomic_compare_exchange_n(w, &was, (uint32_t)swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    else
      was = __atomic_fetch_add(w, (uint32_t)swap, __ATOMIC_SEQ_CST);
    *old = was;
  }
  return true;
}

// ---- interrupts: MSIs to FEE0_0000h, the data is the vector
int toc_i_mem_vector(memory *m, unsigned v, uint64_t *addr, uint32_t *data) {
  *addr = 0xfee00000;
  *data = v;
  if (v >= TOC_VECTORS) return -1;
  if (!m->fd[v]) m->fd[v] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) + 1;
  return m->fd[v] ? m->fd[v] - 1 : -2;
}

void toc_i_mem_irq(memory *m, uint32_t v) {
  uint64_t one = 1;
  if (v < TOC_VECTORS && m->fd[v] && write(m->fd[v] - 1, &one, sizeof one) < 0) one = 0; /* the counter is full: fine */
}

// ---- link: frames by time of arrival; the same time: in the order in which they were sent
enum { OUTSIDE = 1 << 16, TAKE = 64, HELD = 4096, STRIDE = 250 };
#define SLACK_NS 20000000u /* how far simulated time may be behind the clock and still catch up */

struct wire {
  frame *first, *out, *spare; /* out: on their way out of the process */
  unsigned ins, outs;
  uint64_t rng;
  unsigned nodes, drop, twice, swap, bend;
  host *host;               /* the nodes */
  uplink *up;               /* or NULL */
  bool waits;               /* for the clock */
  uint64_t free_at;         /* the cycle in which the way out may take its next frame */
  uint64_t at_ns, at_cycle; /* simulated time was this when the clock was that */
};

static uint64_t clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The way out is one node's, and knows the others. */
static bool alone(const wire *l) { return l->up && l->up->who; }

toc_status toc_i_wire_new(const toc_options *o, wire **out, char *why) {
  toc_status s = TOC_OK;
  wire *l = calloc(1, sizeof *l);
  *out = l;
  strcpy(why, "no memory");
  if (!l) return TOC_E_NOMEM;
  *l = (wire){.rng = o->seed * 0x9e3779b97f4a7c15u | 1,
              .nodes = o->nodes,
              .drop = o->drop,
              .twice = o->twice,
              .swap = o->swap,
              .bend = o->bend,
              .at_ns = clock_ns()};
  l->host = calloc(o->nodes, sizeof *l->host);
  if (!l->host) s = TOC_E_NOMEM;
  if (s == TOC_OK && o->link && *o->link) s = toc_i_uplink_open(o->link, &l->up, why);
  if (s == TOC_OK && alone(l) && o->nodes > 1) {
    snprintf(why, LINK_WHY, "link: udp is for one node; this fabric has %u", o->nodes);
    s = TOC_E_ARG;
  }
  if (s == TOC_OK) return s;
  toc_i_wire_free(l);
  *out = NULL;
  return s;
}

static void frames_free(frame *f) {
  for (frame *next; f; f = next) {
    next = f->next;
    free(f);
  }
}

void toc_i_wire_free(wire *l) {
  if (!l) return;
  for (const frame *f = l->out; l->up && f; f = f->next) /* the NIC has sent it */
    if (!f->fcs_bad) (void)l->up->send(l->up, f->bytes, f->n);
  frames_free(l->first);
  frames_free(l->out);
  frames_free(l->spare);
  if (l->up) l->up->close(l->up);
  free(l->host);
  free(l);
}

void toc_i_wire_reg(wire *l, unsigned node, uint32_t addr, unsigned size, uint64_t v) {
  host *h = &l->host[node];
  uint64_t keep = size == 8 ? 0 : addr & 4 ? 0xffffffffu : ~(uint64_t)0xffffffffu;
  if (size == 4) v = addr & 4 ? v << 32 : v & 0xffffffffu;
  if ((addr & ~7u) == NREG(NIC_MAC)) h->mac = ((h->mac & keep) | v) & 0xffffffffffff;
  if ((addr & ~7u) == NREG(NIC_IP)) h->ip = (uint32_t)((h->ip & keep) | v);
}

void toc_i_wire_peer(wire *l, uint32_t number, uint64_t mac) {
  if (alone(l)) l->up->peer(l->up, number, mac);
}

static unsigned below(wire *l, unsigned n) {
  l->rng ^= l->rng << 13;
  l->rng ^= l->rng >> 7;
  l->rng ^= l->rng << 17;
  return (unsigned)((l->rng >> 16) % n);
}

static void spare(wire *l, frame **at) {
  frame *f = *at;
  *at = f->next;
  f->next = l->spare;
  l->spare = f;
}

static frame *launch(wire *l, unsigned to, uint64_t due, const uint8_t *bytes, size_t n) {
  frame *f = l->spare;
  if (f)
    l->spare = f->next;
  else
    f = malloc(sizeof *f);
  if (!f) return NULL; /* lost, as frames are */
  f->due = due;
  f->to = to;
  f->fcs_bad = false;
  f->n = n;
  memcpy(f->bytes, bytes, n);
  if (to == OUTSIDE) {
    if (f->due < l->free_at) f->due = due = l->free_at;
    l->free_at = due + l->up->ns(l->up, n) / CYCLE_NS;
  }
  frame **at = to == OUTSIDE ? &l->out : &l->first;
  ++*(to == OUTSIDE ? &l->outs : &l->ins);
  while (*at && (*at)->due <= due) at = &(*at)->next;
  f->next = *at;
  *at = f;
  return f;
}

static void lost(wire *l) {
  if (l->up) l->up->n.lost++;
}

/* Headers that the way out makes itself are on no wire. */
static size_t solid(const wire *l, const uint8_t *bytes) {
  return !alone(l) ? 0 : bytes[12] == 0x86 ? 14 + 40 + 8 : 14 + 20 + 8;
}

/* What the link does to a frame. */
static void toss(wire *l, unsigned to, uint64_t cycle, const uint8_t *bytes, size_t n) {
  uint64_t due = cycle + LINK_DELAY;
  const size_t at = solid(l, bytes);
  unsigned luck = below(l, 1000);
  if (luck < l->drop) {
    lost(l);
    return;
  }
  luck -= l->drop;
  if (luck < l->twice) {
    launch(l, to, due + below(l, 500), bytes, n);
  } else if ((luck -= l->twice) < l->swap) {
    due += 1 + below(l, 500);
  } else if ((luck -= l->swap) < l->bend) {
    frame *f = launch(l, to, due, bytes, n);
    if (f && below(l, 4))
      f->bytes[at + below(l, (unsigned)(n - at))] ^= (uint8_t)(1u << below(l, 8));
    else if (f)
      f->fcs_bad = true;
    return;
  }
  launch(l, to, due, bytes, n);
}

static uint64_t mac_of(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 6; i++) v = v << 8 | p[i];
  return v;
}

void toc_i_wire_send(wire *l, unsigned from, uint64_t cycle, const uint8_t *bytes, size_t n) {
  unsigned to = 0;
  if (n < FRAME_LEAST - 4 || n > FRAME_BYTES) return;
  if (alone(l)) {
    toss(l, OUTSIDE, cycle, bytes, n);
    return;
  }
  while (to < l->nodes && l->host[to].mac != mac_of(bytes)) to++;
  if (to == from) return;
  if (to < l->nodes)
    toss(l, to, cycle, bytes, n);
  else if (l->up)
    toss(l, OUTSIDE, cycle, bytes, n);
}

const frame *toc_i_wire_due(const wire *l, uint64_t cycle) {
  return l->first && l->first->due <= cycle ? l->first : NULL;
}

void toc_i_wire_pop(wire *l) {
  spare(l, &l->first);
  l->ins--;
}

// ---- the way out
/* A frame from outside: for a NIC, or a question that its host answers. What is for everybody may
 * be answered by any. */
static void came(wire *l, uint64_t cycle, const uint8_t *bytes, size_t n) {
  toc_link_count *c = &l->up->n;
  uint8_t answer[FRAME_BYTES];
  if (alone(l)) {
    c->in++;
    toss(l, 0, cycle, bytes, n);
    return;
  }
  for (unsigned i = 0; i < l->nodes; i++) {
    size_t k;
    asked what = toc_i_answer(&l->host[i], bytes, n, answer, &k);
    uint64_t *of[] = {
        [ASKED_ROCE] = &c->in, [ASKED_ARP] = &c->arp, [ASKED_ECHO] = &c->echo, [ASKED_NEIGHBOUR] = &c->neighbour};
    if (what == ASKED_NOTHING) continue;
    if (what != ASKED_ROCE && l->outs > HELD) { /* anybody may ask, and faster than answers may leave */
      c->unsent++;
      return;
    }
    ++*of[what];
    toss(l, what == ASKED_ROCE ? i : OUTSIDE, cycle, what == ASKED_ROCE ? bytes : answer, what == ASKED_ROCE ? n : k);
    return;
  }
  c->dropped++;
}

static bool leave(wire *l, uint64_t cycle) {
  bool moved = false;
  for (frame *f; (f = l->out) != NULL && f->due <= cycle; moved = true) {
    if (f->fcs_bad)
      lost(l); /* who receives it drops it: no socket has a checksum that can be wrong */
    else if (!l->up->send(l->up, f->bytes, f->n)) {
      if (l->outs <= HELD) return moved; /* the other side has to take some first */
      l->up->n.unsent++;
    }
    spare(l, &l->out);
    l->outs--;
  }
  return moved;
}

bool toc_i_wire_pump(wire *l, uint64_t cycle) {
  uint8_t bytes[FRAME_BYTES];
  size_t n;
  if (!l->up) return false;
  bool moved = leave(l, cycle);
  for (unsigned i = 0; i < TAKE && l->ins < HELD && (n = l->up->take(l->up, bytes)); i++, moved = true)
    came(l, cycle, bytes, n);
  return moved;
}

/* Others live by the clock, so simulated time must not run ahead of it: their answers would come too late for the
 * timers of a NIC whose second is over in a tenth of one. */
static uint64_t leash(wire *l, uint64_t cycle) {
  uint64_t ns = clock_ns(), gone = (ns - l->at_ns) / CYCLE_NS, slack = SLACK_NS / CYCLE_NS;
  uint64_t until = l->at_cycle + gone;
  if (until <= cycle) return 0;
  if (until - cycle > slack) {
    l->at_ns = ns;
    l->at_cycle = cycle + slack;
    return slack;
  }
  return until - cycle;
}

bool toc_i_wire_next(wire *l, uint64_t cycle, uint64_t most, uint64_t *step) {
  uint64_t due = l->first ? l->first->due : UINT64_MAX;
  if (l->out && l->out->due < due) due = l->out->due > cycle ? l->out->due : UINT64_MAX; /* held: for later */
  uint64_t wait = due > cycle ? due - cycle : 1;
  if (l->up) most *= STRIDE;
  bool some = wait < most;
  *step = some ? wait : most;
  if (!l->up) return some;
  uint64_t may = leash(l, cycle);
  l->waits = may < *step;
  if (l->waits) *step = may;
  return some && !l->waits;
}

int toc_i_wire_rest(const wire *l) { return l->waits ? l->up->fd : -1; }

void toc_i_wire_count(const wire *l, toc_link_count *c) {
  if (l->up) *c = l->up->n;
}

bool toc_i_wire_who(const wire *l, toc_address *a) {
  if (!alone(l)) return false;
  l->up->who(l->up, a);
  return true;
}

toc_status toc_i_wire_path(const wire *l, const toc_address *to, uint32_t *bytes, char *why) {
  *bytes = 0;
  return alone(l) ? l->up->path(l->up, to, bytes, why) : TOC_OK;
}
