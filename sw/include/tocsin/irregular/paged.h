// SPDX-License-Identifier: Apache-2.0
/* Memory that is larger than memory: a store whose pages lie in a file, of which some are in memory, and which peers
 * use as any region.
 *
 *   irr_paged *store;
 *   irr_paged_open(f, p, &(irr_paged_options){.bytes = 1 << 30, .memory = 128 << 20, .file = "/ssd/heap"}, &store);
 *   toc_remote r = irr_paged_remote(store);                       // to peers, who put, get and add there
 *   for (;;) irr_paged_poll(store, NULL);              // who owns it brings what is missing
 *
 * A PAGE THAT IS NOT THERE is blocked in the I/O tables, and its accesses ring. A get or an atomic is refused,
 * and the hardware of who has asked repeats it (TOC_PAGED) until the page is there; the log says which page is wanted.
 * A put ends at once: its data wait in the log, and are applied, in order, before the page is opened.
 * So a get behind a put sees it, as ever.
 *
 * WHAT LEAVES. When all memory is in use, the page goes that has not been used for longest, as far as the log tells:
 * the first get of a page is told of after each look, the first put makes it dirty. Only what is dirty is written.
 * Reads and writes of the file go on beside the program, by io_uring, or by threads where that is not allowed. Nothing
 * is pinned: a page may leave while peers use it, and what they ask then is asked again, or waits.
 *
 * PROGRESS is made in irr_paged_poll alone. One thread at a time uses a store and the driver's process
 * that it belongs to. */
#ifndef TOCSIN_IRREGULAR_PAGED_H
#define TOCSIN_IRREGULAR_PAGED_H

#include "tocsin/irregular/status.h"
#include "tocsin/tocsin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IRR_PAGE_BYTES = 4096 };

typedef struct irr_paged irr_paged;

typedef struct irr_paged_options {
  uint64_t bytes;   /* of the store, whole pages */
  uint64_t memory;  /* bytes of it in memory at most, two pages at least */
  const char *file; /* where its pages lie, made if it is not there; NULL: in a file without name in TMPDIR or /tmp */
  uint64_t at;      /* I/O virtual address of its first byte, a multiple of 2 MiB; 0: 2^44 */
  bool threads;     /* no io_uring */
  bool direct; /* past the system's cache of files, which is memory too (O_DIRECT); IRR_E_FILE where that cannot be */
} irr_paged_options;

/* Opens a store of process p of fabric f, which stays the caller's: a log and a region of it are taken. What the file
 * holds is its content, zeros behind its end. IRR_E_ARG; IRR_E_NOMEM; IRR_E_FILE: the file cannot be used, errno says
 * why; IRR_E_DRIVER. */
irr_status irr_paged_open(toc_fabric *f, toc_proc *p, const irr_paged_options *o, irr_paged **store);
/* Writes what is dirty, as irr_paged_sync, and takes everything back: what is held, too. What peers still ask fails.
 * IRR_E_FILE: not all could be written. NULL is fine. */
irr_status irr_paged_close(irr_paged *store);

toc_remote irr_paged_remote(const irr_paged *store);
uint64_t irr_paged_bytes(const irr_paged *store);
/* How pages come and go: "io_uring" or "threads". */
const char *irr_paged_io(const irr_paged *store);

/* Brings what is wanted, opens what has come, makes room. *moved (may be NULL): something has happened.
 * IRR_E_FILE: a page could not be read or written, errno says why; IRR_E_DRIVER; IRR_E_NOMEM. The store is broken then:
 * each later call says the same, and what is not in the file is lost. */
irr_status irr_paged_poll(irr_paged *store, bool *moved);

/* For the owner's own processor: the page of this byte, which stays in memory until irr_paged_let, once for each hold.
 * IRR_BUSY: it is not there, and is wanted now; poll, and call again. IRR_E_RANGE. */
irr_status irr_paged_hold(irr_paged *store, uint64_t offset, bool write, void **ptr);
void irr_paged_let(irr_paged *store, uint64_t offset);

/* Writes all that is dirty; pages stay. One that is held is written as it is now, and again when it leaves, or by the
 * next irr_paged_sync or irr_paged_close after irr_paged_let. Polls until it is done, and waits until the device of a
 * file with a name has it (fdatasync). IRR_BUSY: puts wait for pages that are absent, and all memory is held; all else
 * is written. IRR_E_FILE, IRR_E_DRIVER. */
irr_status irr_paged_sync(irr_paged *store);

typedef struct irr_paged_counts {
  uint64_t wanted;   /* records of accesses that found a page absent */
  uint64_t brought;  /* pages read from the file */
  uint64_t written;  /* and written to it */
  uint64_t left;     /* pages that have left, clean or written */
  uint64_t applied;  /* puts that waited in the log */
  uint64_t rescued;  /* pages that were wanted again while they left, and stayed */
  uint64_t reopened; /* pages that were closed once more, since a put was under way when they were opened */
} irr_paged_counts;
irr_paged_counts irr_paged_count(const irr_paged *store);

#ifdef __cplusplus
}
#endif
#endif
