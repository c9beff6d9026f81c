// SPDX-License-Identifier: Apache-2.0
/* What a backend is: registers, memory, interrupts, time. The driver above it is the same for all.
 *
 * All functions are called with the fabric's lock held. `self` is what open gave. Nodes are 0 .. nodes - 1. */
#ifndef TOCSIN_BACKEND_H
#define TOCSIN_BACKEND_H

#include "tocsin/tocsin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TOC_VECTORS = 64 };

/* DMA memory: whole pages, zeroed, physically contiguous. */
typedef struct toc_dma {
  void *ptr;
  uint64_t bus;
  size_t bytes;
} toc_dma;

/* Tells of everything seen; never NULL. */
typedef struct toc_spy {
  toc_see_fn *see;
  void *ctx;
} toc_spy;

typedef struct toc_backend {
  const char *name;
  const char *about;
  /* o: defaults are filled in. *nodes: how many there are. why: a sentence for failures, 160 bytes. */
  toc_status (*open)(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why);
  void (*close)(void *self);
  /* Offsets as in rtl/top/tocsin.sv; 4 or 8 bytes. E_DEAD: it does not answer. */
  toc_status (*read)(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *value);
  toc_status (*write)(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t value);
  /* align: a power of two, at least 4096. E_NOMEM. What overlaps other memory of the node, or is not below 2^48, is
   * given back at once, and the call that wanted it fails with E_PLACE. */
  toc_status (*dma_alloc)(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m);
  void (*dma_free)(void *self, unsigned node, const toc_dma *m);
  /* An eventfd that counts the vector's interrupts, and the write that is its MSI. fd -1: no interrupts here; less: the
   * system refuses one. */
  int (*vector)(void *self, unsigned node, unsigned vector, uint64_t *addr, uint32_t *data);
  /* In process: runs the devices for a moment; false: nothing moved, or the backend is hardware. */
  bool (*progress)(void *self);
  uint64_t (*now)(void *self); /* nanoseconds */
  bool in_process;             /* time passes in progress only; otherwise waiting may sleep */
  bool registers_only;         /* there is no memory that both sides see: fabrics are opened with registers_only */
  uint32_t mhz;                /* clock of the device, for time-outs in cycles */
  unsigned
      qp_timeout_log2; /* cycles until a frame is sent again, 0: 20; less where cycles take long and the way is short */
  /* May be NULL. A descriptor that is readable when there is something to do, while nothing can be done before, for a
   * ms at least; -1: something can. */
  int (*rest)(void *self);
  void (*count)(void *self, toc_link_count *c); /* NULL: there is no toc_options.link here */
  /* May be NULL. mac, ip, ip6 of the node, where its link gives it addresses; false: its rank does. */
  bool (*who)(void *self, toc_address *a);
  /* May be NULL. The longest packet, from IP on, that reaches a peer; 0: any. why: a sentence for failures,
   * 160 bytes. E_ARG, E_IO. */
  toc_status (*path)(void *self, const toc_address *peer, uint32_t *bytes, char *why);
  void (*peer)(void *self, uint32_t number,
               uint64_t mac); /* May be NULL. The queue pair of this number gets a peer with this MAC. */
} toc_backend;

/* Serves the registers of a node over a serial line, a pseudo-terminal or anything like it (raw, both ways) until
 * *stop: the other end of backend `fpga`. sw/README.md has the protocol. E_IO: the line is gone. */
toc_status toc_serve_registers(toc_node *n, int fd, const volatile bool *stop) TOC_MUST_CHECK;

/* Makes a backend known under its name before toc_open; up to 8, and never away again. E_FULL, E_IN_USE. */
toc_status toc_backend_add(const toc_backend *b) TOC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
