// SPDX-License-Identifier: Apache-2.0
// Backend `model`: nodes that are golden models, each with its own memory, on one link. One thread runs them all.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inproc.h"
#include "tocsin/tocsin_model.h"

enum { IDLE_CYCLES = 1000, MHZ = 250, FRAMES = 64 /* that a node stores at once */ };

typedef struct machine machine;

typedef struct box {
  machine *all;
  unsigned rank;
  tocsin_model *m;
  memory mem;
  uint64_t behind; /* cycles that it has not been told of */
  bool asked;      /* a frame has come: it has to run */
} box;

struct machine {
  box *node;
  unsigned nodes;
  wire *wire;
  uint64_t cycle;
  const toc_spy *spy;
};

static uint64_t now(void *self) { return ((machine *)self)->cycle * (1000 / MHZ); }

static inline bool is_heard(const box *b) { return b->all->spy->see != toc_i_see_nothing; }

static inline void see(box *b, toc_seen s) {
  const toc_spy *spy = b->all->spy;
  if (!is_heard(b)) return;
  s.node = b->rank;
  s.ns = now(b->all);
  spy->see(spy->ctx, &s);
}

// ---- what the models ask for
static bool on_read(void *ctx, uint64_t addr, void *buf, size_t n) {
  box *b = ctx;
  const uint8_t *p = toc_i_mem_at(&b->mem, addr, n);
  if (!p) return false;
  memcpy(buf, p, n);
  see(b, (toc_seen){.kind = TOC_SEEN_MEM_READ, .addr = addr, .data = buf, .bytes = n});
  return true;
}

static bool on_write(void *ctx, uint64_t addr, const void *buf, size_t n) {
  box *b = ctx;
  if (addr >> 20 == 0xfee) {
    uint32_t vector = 0;
    memcpy(&vector, buf, n < 4 ? n : 4);
    toc_i_mem_irq(&b->mem, vector);
    see(b, (toc_seen){.kind = TOC_SEEN_IRQ, .value = vector});
    return true;
  }
  uint8_t *p = toc_i_mem_at(&b->mem, addr, n);
  if (!p) return false;
  toc_i_mem_store(p, buf, n);
  see(b, (toc_seen){.kind = TOC_SEEN_MEM_WRITE, .addr = addr, .data = buf, .bytes = n});
  return true;
}

static bool on_atomic(void *ctx, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare,
                      uint64_t *old) {
  box *b = ctx;
  const uint8_t *p = toc_i_mem_at(&b->mem, addr, size);
  if (!toc_i_mem_atomic(&b->mem, addr, size, cas, swap, compare, old)) return false;
  see(b, (toc_seen){.kind = TOC_SEEN_MEM_READ, .addr = addr, .data = (const uint8_t *)old, .bytes = size});
  see(b, (toc_seen){.kind = TOC_SEEN_MEM_WRITE, .addr = addr, .data = p, .bytes = size});
  return true;
}

static void on_frame(void *ctx, const uint8_t *bytes, size_t n) {
  box *b = ctx;
  see(b, (toc_seen){.kind = TOC_SEEN_FRAME, .data = bytes, .bytes = n});
  toc_i_wire_send(b->all->wire, b->rank, b->all->cycle, bytes, n);
}

static void on_see(void *ctx, tocsin_model_where where, unsigned port, const tlp *t) {
  static const toc_seen_kind kind[] = {TOC_SEEN_DEV_REQ, TOC_SEEN_HOST_REQ, TOC_SEEN_HOST_CPL, TOC_SEEN_DEV_CPL};
  if (!is_heard(ctx)) return;
  see(ctx, (toc_seen){.kind = kind[where], .value = port, .hdr = t->hdr, .data = t->data, .bytes = 4 * (size_t)t->ndw});
}

// ---- life
static void shut(void *self) {
  machine *a = self;
  for (unsigned i = 0; i < a->nodes; i++) {
    tocsin_model_free(a->node[i].m);
    toc_i_mem_free(&a->node[i].mem);
  }
  toc_i_wire_free(a->wire);
  free(a->node);
  free(a);
}

/* As many queue pairs as are asked for: in the NIC, or with some in memory, of which the driver keeps one. */
static void size_up(const toc_options *o, nic_config *c) {
  const unsigned qps = o->qps > c->NumQps ? o->qps : c->NumQps, places = o->places ? o->places : QP_PLACES;
  c->NumQps = qps < places ? qps : places;
  if (qps == c->NumQps) return;
  c->Contexts = 16;
  while (c->Contexts <= qps) c->Contexts *= 2;
}

static toc_status bring(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why) {
  static const tocsin_model_ops ops = {on_read, on_write, on_atomic, on_frame, NULL, on_see};
  tocsin_model_config cfg;
  machine *a = calloc(1, sizeof *a);
  *self = a;
  strcpy(why, "no memory");
  if (!a) return TOC_E_NOMEM;
  a->spy = spy;
  a->node = calloc(o->nodes, sizeof *a->node);
  toc_status s = a->node ? toc_i_wire_new(o, &a->wire, why) : TOC_E_NOMEM;
  if (a->node) a->nodes = o->nodes;
  tocsin_model_config_default(&cfg);
  cfg.nic.Frames = FRAMES;
  size_up(o, &cfg.nic);
  for (unsigned i = 0; i < a->nodes && s == TOC_OK; i++) {
    box *b = &a->node[i];
    b->all = a;
    b->rank = i;
    if (!toc_i_mem_new(&b->mem, o->node_bytes) || tocsin_model_new(&cfg, &ops, b, &b->m) != TOCSIN_MODEL_OK)
      s = TOC_E_NOMEM;
  }
  *nodes = a->nodes;
  if (s != TOC_OK) shut(a);
  return s;
}

/* A node is told of the time that has passed when something comes to it, or enough is gone for its timers; what it
 * would do at once it has done, so until then it has nothing to do. */
static void tell_time(box *b) {
  uint64_t cycles = b->behind;
  b->behind = 0;
  if (cycles) tocsin_model_advance(b->m, cycles);
}

// ---- registers, memory, interrupts
static toc_status reg_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *v) {
  tell_time(&((machine *)self)->node[node]);
  return tocsin_model_reg_read(((machine *)self)->node[node].m, addr, size, v) == TOCSIN_MODEL_OK ? TOC_OK : TOC_E_DEAD;
}

static toc_status reg_write(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t v) {
  machine *a = self;
  toc_i_wire_reg(a->wire, node, addr, size, v);
  tell_time(&a->node[node]);
  for (unsigned turn = 0;; turn++) {
    tocsin_model_status s = tocsin_model_reg_write(a->node[node].m, addr, size, v);
    if (s == TOCSIN_MODEL_OK) return TOC_OK;
    if (s != TOCSIN_MODEL_E_BUSY || turn == 100) return TOC_E_DEAD;
    tocsin_model_advance(a->node[node].m, 1);
  }
}

static toc_status alloc(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  box *b = &((machine *)self)->node[node];
  if (!toc_i_mem_alloc(&b->mem, bytes, align, m)) return TOC_E_NOMEM;
  see(b, (toc_seen){.kind = TOC_SEEN_MEMORY, .addr = m->bus, .data = m->ptr, .bytes = m->bytes});
  return TOC_OK;
}

static void give(void *self, unsigned node, const toc_dma *m) { toc_i_mem_give(&((machine *)self)->node[node].mem, m); }

static int vector(void *self, unsigned node, unsigned v, uint64_t *addr, uint32_t *data) {
  return toc_i_mem_vector(&((machine *)self)->node[node].mem, v, addr, data);
}

static void arrive(box *b, const frame *f) {
  tell_time(b);
  b->asked = true;
  tocsin_model_status s = tocsin_model_rx(b->m, f->bytes, f->n, f->fcs_bad);
  if (s == TOCSIN_MODEL_E_BUSY) { /* those before it first */
    tocsin_model_run(b->m, NULL);
    s = tocsin_model_rx(b->m, f->bytes, f->n, f->fcs_bad);
  }
  if (s != TOCSIN_MODEL_OK) return; /* no room: lost */
  see(b, (toc_seen){.kind = TOC_SEEN_FRAME_IN, .data = f->bytes, .bytes = f->n, .value = f->fcs_bad});
}

// ---- time: frames that are due, all that comes of them; if nothing does, the clock moves on
static bool progress(void *self) {
  machine *a = self;
  bool moved = toc_i_wire_pump(a->wire, a->cycle);
  const frame *f;
  while ((f = toc_i_wire_due(a->wire, a->cycle)) != NULL) {
    if (f->to < a->nodes) arrive(&a->node[f->to], f);
    toc_i_wire_pop(a->wire);
    moved = true;
  }
  for (unsigned i = 0; moved && i < a->nodes; i++) {
    if (a->node[i].asked) tocsin_model_run(a->node[i].m, NULL);
    a->node[i].asked = false;
  }
  if (moved) return true;
  uint64_t step;
  bool soon = toc_i_wire_next(a->wire, a->cycle, IDLE_CYCLES, &step);
  a->cycle += step;
  for (unsigned i = 0; i < a->nodes; i++)
    if ((a->node[i].behind += step) >= IDLE_CYCLES) tell_time(&a->node[i]);
  return soon;
}

static int rest(void *self) { return toc_i_wire_rest(((machine *)self)->wire); }

static void count(void *self, toc_link_count *c) { toc_i_wire_count(((machine *)self)->wire, c); }

static bool who(void *self, toc_address *a) { return toc_i_wire_who(((machine *)self)->wire, a); }

static void peer(void *self, uint32_t number, uint64_t mac) { toc_i_wire_peer(((machine *)self)->wire, number, mac); }

static toc_status path(void *self, const toc_address *to, uint32_t *bytes, char *why) {
  return toc_i_wire_path(((machine *)self)->wire, to, bytes, why);
}

const toc_backend toc_backend_model = {.name = "model",
                                       .about = "golden models in this process",
                                       .open = bring,
                                       .close = shut,
                                       .read = reg_read,
                                       .write = reg_write,
                                       .dma_alloc = alloc,
                                       .dma_free = give,
                                       .vector = vector,
                                       .progress = progress,
                                       .now = now,
                                       .rest = rest,
                                       .count = count,
                                       .who = who,
                                       .path = path,
                                       .peer = peer,
                                       .in_process = true,
                                       .mhz = MHZ};
