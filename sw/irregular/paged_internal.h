// SPDX-License-Identifier: Apache-2.0
// A page of a store:
//
//   absent --wanted--> loading --read--> ready --all puts applied--> open --for room--> closed
//      --> leaving (written), or absent
//                                          ^---- a put between -------'  `--wanted meanwhile--> ready
//
// absent, loading, ready, leaving: puts go into the log, gets are refused. open: both are done; each first one
// of its kind is told of.
#ifndef TOCSIN_IRREGULAR_PAGED_INTERNAL_H
#define TOCSIN_IRREGULAR_PAGED_INTERNAL_H

#include "page_io.h"
#include "tocsin/active.h"
#include "tocsin/irregular/paged.h"

typedef enum page_state { PAGE_ABSENT, PAGE_LOADING, PAGE_READY, PAGE_OPENING, PAGE_OPEN, PAGE_LEAVING } page_state;

/* Of the log: a put that waits (with data), or one that was done while the page was being opened.
 * In the log's order. */
typedef struct late_put {
  struct late_put *next;
  uint32_t at, bytes;
  bool waits;
  uint8_t data[];
} late_put;

enum { NO_FRAME = UINT32_MAX };

typedef struct paged_page {
  late_put *first, **last;
  uint32_t frame, holds;
  uint8_t state;
  bool queued;                /* is in the queue of what is wanted */
  bool wanted;                /* since it began to leave */
  bool dirty, used;           /* used: since the last look */
  bool told_dirty, told_used; /* what its rule goes by */
  bool asked;                 /* by a get, an atomic, or a hold, which comes again: */
  bool came;                  /* it has, since the page was opened; */
  uint32_t round;             /* of irr_paged_sync, in which it was last written */
  uint64_t opened;            /* then, in the backend's time, and until a while later it does not leave */
} paged_page;

typedef struct paged_frame {
  page_io_job job;
  uint64_t page; /* whose it is */
  uint32_t next; /* of those that are not taken */
  uint32_t then; /* of those that are looked at in the next poll */
  bool taken, listed;
} paged_frame;

struct irr_paged {
  toc_proc *p;
  toc_fabric *f;
  toc_log *log;
  toc_remote remote;
  uint64_t at, pages;
  paged_page *page;
  uint32_t round;        /* of irr_paged_sync */
  uint32_t frames, look; /* look: the frame that is looked at next for one to leave */
  uint32_t spare, first; /* the first that is not taken; that is looked at in the next poll */
  uint32_t leaving;      /* pages that are being written */
  paged_frame *frame;
  uint8_t *memory;
  uint64_t *queue; /* pages that are wanted, `pages` places */
  uint64_t in, out;
  int fd;
  bool named;    /* the file stays */
  uint64_t kept; /* of count.written, what is known to be on its device */
  page_io *io;
  irr_paged_counts count;
  irr_status broken;
  int why; /* errno of IRR_E_FILE */
};

/* paged_log.c: what pages say, and what the log says of them. Each sets s->broken if it fails. */
toc_handler irr_i_paged_rang;
void irr_i_paged_want(irr_paged *s, uint64_t i);
/* Nothing is in the log any more of what was decided before the call. */
irr_status irr_i_paged_drain(irr_paged *s);
irr_status irr_i_paged_shut(irr_paged *s, uint64_t first, uint64_t n); /* puts wait, gets are refused */
irr_status irr_i_paged_tell(irr_paged *s, uint64_t i);                 /* an open page: of what is not known of it */
/* What has waited, to the page's memory, which nobody else writes now. */
void irr_i_paged_apply(irr_paged *s, paged_page *g);
/* A ready page: opens it, unless a put has come between; then it is ready as before. */
irr_status irr_i_paged_try(irr_paged *s, uint64_t i);

static inline uint64_t paged_iova(const irr_paged *s, uint64_t i) { return s->at + i * IRR_PAGE_BYTES; }
static inline uint8_t *paged_memory(const irr_paged *s, uint32_t frame) {
  return s->memory + (uint64_t)frame * IRR_PAGE_BYTES;
}
/* The next poll looks at the page: it is ready, or its rule does not go by all that is known of it. */
static inline void paged_look(irr_paged *s, const paged_page *g) {
  paged_frame *fr = &s->frame[g->frame];
  if (fr->listed) return;
  fr->listed = true;
  fr->then = s->first;
  s->first = g->frame;
}
static inline void paged_ready(irr_paged *s, paged_page *g) {
  g->state = PAGE_READY;
  paged_look(s, g);
}
static inline irr_status paged_said(irr_paged *s, toc_status t) {
  return t == TOC_OK ? IRR_OK : (s->broken = IRR_E_DRIVER);
}

#endif
