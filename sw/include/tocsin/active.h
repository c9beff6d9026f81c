// SPDX-License-Identifier: Apache-2.0
/* Active Access: pages that ring a bell.
 *
 *   toc_log     a ring in memory into which the IOMMU writes a record for each access to the pages that say so
 *   toc_rule    what a range of pages says about puts and gets, into which log, and which handler is called for it
 *
 * A handler for what is put into a table:
 *
 *   static void on_put(void *arg, const toc_access *a) {
 *     printf("%zu bytes for %" PRIx64 " into %s\n", a->bytes, a->addr, (char *)arg);
 *   }
 *
 *   toc_log *log;
 *   MUST(toc_log_open(p, &(toc_log_options){.bytes = 65536}, &log));
 *   MUST(toc_associate(p, table, table_bytes,
 *                      &(toc_rule){.put = TOC_REDIRECT, .get = TOC_SEE_NOTHING, .log = log, .handler = on_put,
 *                                  .arg = "table"}));
 *   ...
 *   MUST(toc_log_run(log, 0));                                    // handlers for all that has come
 *
 * ACTIONS of a page, for puts and for gets (an atomic is both):
 *
 *   TOC_COUNT     the access is done; a record without data
 *   TOC_LOG       the access is done; a record with its data
 *   TOC_BLOCK     the access is not done (puts vanish, gets fail); without another action nothing tells of it
 *   TOC_REDIRECT  = BLOCK | LOG: the active put: memory stays as it is, the data are in the record. Of a get, whose
 *                 data do not leave memory, the record has none
 *   TOC_BLOCK | TOC_COUNT  a record without data of what was refused
 *   TOC_WATCH     the access is done; a fault record (TOC_EVENT_FAULT, reason A0h): needs no log, tells the page.
 *                 Several merge into one, also of different pages of the process: the first is told,
 *                 until its event has been taken
 *
 * One record is one TLP of the device: a put or get of more than 256 bytes (512 for gets) makes several, in order.
 *
 * WATCH goes with nothing else on one page, for puts and gets alike. Records of a requester's own process and of peers
 * look alike: the requester is always the NIC's process that touches the page.
 *
 * CONSISTENCY. A put that has ended (toc_wait) has been taken by the peer's NIC. Its record may not be in the log yet
 * (a full log holds it back), and need not have been handled. Two ways to know:
 * toc_flush, a get of a page that the IOMMU answers when everything recorded before it has been read; or replies: the
 * handler tells the initiators how far it is (toc_reply), who wait for that (toc_box_wait).
 */
#ifndef TOCSIN_ACTIVE_H
#define TOCSIN_ACTIVE_H

#include "tocsin/tocsin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum toc_action {
  TOC_SEE_NOTHING = 0,
  TOC_COUNT = 1,
  TOC_LOG = 2,
  TOC_BLOCK = 4,
  TOC_REDIRECT = TOC_BLOCK | TOC_LOG,
  TOC_WATCH = 8
} toc_action;

/* The action of a name ("count", "log", "redirect", "block", "watch", "none", joined by "+"); E_ACTION. */
toc_status toc_action_parse(const char *text, unsigned *action) TOC_MUST_CHECK;

typedef struct toc_log toc_log;

/* What a record says. data points into the ring and is good until the record is given back (the handler has returned,
 * or toc_log_release). */
typedef enum toc_access_kind { TOC_PUT = 1, TOC_GET = 2, TOC_ATOMIC_ACCESS = 3 } toc_access_kind;

typedef struct toc_access {
  toc_access_kind kind;
  uint64_t addr;       /* I/O virtual address of the first byte */
  size_t bytes;        /* of the access, from the first enabled byte to the last */
  const uint8_t *data; /* `bytes` bytes; NULL: a record without data */
  const uint8_t
      *words; /* the words as recorded (an atomic's operands or returned value), nwords of 4 bytes; NULL without data */
  unsigned nwords;
  unsigned first_be, last_be;
  bool denied;   /* it was not done */
  bool aborted;  /* the data did not come whole */
  bool poisoned; /* it came marked as bad, and was not done */
  uint16_t requester, tag;
  uint32_t position; /* of this record's end, in bytes since the log was opened (modulo 2^32) */
  toc_log *log;
  void *target; /* the program's pointer to addr, NULL if nothing is mapped there */
} toc_access;

typedef void toc_handler(void *arg, const toc_access *a);

/* ---- logs -------------------------------------------------------------------------------------------------------- */

/* How a log tells that it has records. Polling works with each. */
typedef enum toc_notify {
  TOC_NOTIFY_POINTER = 0, /* the producer pointer is written to memory: no register is read */
  TOC_NOTIFY_INTERRUPT,   /* pointer, and an eventfd */
  TOC_NOTIFY_SCRATCHPAD,  /* the pointer is kept on the chip */
  TOC_NOTIFY_TASK         /* pointer, and a task of XTQ: see xtq_log_task */
} toc_notify;

typedef struct toc_log_options {
  size_t bytes; /* ring, a power of two, 64 to 2^30, default 64 KiB */
  toc_notify notify;
  uint32_t free_below; /* INTERRUPT: when fewer bytes than this are free; 0: by age only */
  uint32_t age_us;     /* INTERRUPT: when a record has waited as long; 0 and free_below 0: 10 us */
  bool drop;           /* full: drop and count (E_LOST) instead of stalling what comes */
  bool automatic;      /* every call that waits on this fabric finds what there is; tocsin.h, "HANDLERS" */
} toc_log_options;

/* o may be NULL. E_FULL: no log left; E_IO: too many files are open. */
toc_status toc_log_open(toc_proc *p, const toc_log_options *o, toc_log **l) TOC_MUST_CHECK;

/* Takes the log's rules and flush page away, lets what is outstanding end, closes it, gives the ring back. E_TIMEOUT:
 * it does not drain; call again. Records not yet read are lost. */
toc_status toc_log_close(toc_log *l);

/* Records in the ring, in bytes. No register access but for SCRATCHPAD. */
uint32_t toc_log_unread(toc_log *l);

/* Runs the handlers of all records that are there, at most `most` (0: all); gives the ring's space back once for all of
 * them. *ran (may be NULL): how many. Records of pages without a handler are counted and passed over. One thread at a
 * time runs the handlers of a log: others wait for it (E_TIMEOUT after patience_ms), a handler that runs its own log
 * finds nothing to do. E_DEVICE: what is in the ring is no record: nothing more is read. The log can be closed. */
toc_status toc_log_run(toc_log *l, unsigned most) TOC_MUST_CHECK;
toc_status toc_log_run_count(toc_log *l, unsigned most, unsigned *ran) TOC_MUST_CHECK;

/* Waits until there is a record. E_TIMEOUT. */
toc_status toc_log_wait(toc_log *l, uint64_t timeout_us) TOC_MUST_CHECK;

/* Without handlers: the records in order, in place, then the space of all that were seen back. Nothing is copied.
 *
 *   toc_access a;
 *   while (toc_log_next(l, &a)) use(&a);
 *   toc_log_release(l);
 */
bool toc_log_next(toc_log *l, toc_access *a) TOC_MUST_CHECK;
toc_status toc_log_release(toc_log *l);

/* An eventfd that becomes readable by INTERRUPT, -1 for other logs: read it (8 bytes; toc_log_wait does it, too), then
 * toc_log_run all (most = 0), or take and release all, and there is a new interrupt for what comes behind. With a
 * backend in process nothing comes while the program sleeps in poll(), and nothing makes it readable, unless somebody
 * makes progress: TOC_PROGRESS_THREAD (tocsin.h), another thread, or toc_progress between polls that do not sleep.
 * Belongs to the library. */
int toc_log_fd(toc_log *l);

/* What has happened to it. lost, aborted and pointer_failed are since the last call.
 *
 * E_STOPPED: memory refused a record, and the device has stopped this log: what was handed out before is good,
 * what comes is lost (requests go on as their pages say), flushes are answered "not done". It works again when it
 * is closed and opened anew. pointer_failed: memory refused the producer pointer; this call has then asked the device
 * itself how far the log is. */
typedef struct toc_log_state {
  unsigned index, iuid;
  uint32_t producer, consumer, reserved; /* free-running bytes */
  uint64_t records;                      /* handed out by this library */
  uint64_t unclaimed;                    /* of them without handler */
  bool lost, aborted, stopped, pointer_failed;
} toc_log_state;
toc_status toc_log_inspect(toc_log *l, toc_log_state *s) TOC_MUST_CHECK;

/* ---- pages ------------------------------------------------------------------------------------------------------- */

typedef struct toc_rule {
  unsigned put, get; /* toc_action, joined by | */
  toc_log *log;      /* for COUNT, LOG, REDIRECT */
  toc_handler *handler;
  void *arg;
} toc_rule;

/* Whole pages (E_ALIGN) of memory that is mapped; a rule replaces the one that the pages had. Takes effect before it
 * returns: no access that comes later is decided by what was said before, and no handler of what was said before still
 * runs (E_TIMEOUT: one does not end; the new rule stands), but for one that calls this itself. */
toc_status toc_associate(toc_proc *p, const void *ptr, size_t bytes, const toc_rule *rule) TOC_MUST_CHECK;
/* By address, below 2^47 (E_ALIGN). Pages where nothing is mapped need an action that blocks, both ways. E_NOMEM: it
 * needs more page tables than there are, one for each 2 MiB; the pages are plain then. */
toc_status toc_associate_iova(toc_proc *p, uint64_t iova, uint64_t bytes, const toc_rule *rule) TOC_MUST_CHECK;
/* Back to plain memory with the rights that it was mapped with (unmapped where there was none). A range may be as wide
 * as it likes below 2^47 (E_ALIGN), but for pages of boxes and flush pages (E_RANGE). */
toc_status toc_dissociate(toc_proc *p, uint64_t iova, uint64_t bytes);

/* ---- consistency ------------------------------------------------------------------------------------------------- */

/* Makes a flush page for the log and exposes it to peers. One a log. E_FULL. */
toc_status toc_flush_page(toc_log *l, toc_remote *page) TOC_MUST_CHECK;

/* Returns when all records that the requests of this queue pair so far have made in that log have been read.
 * page: as toc_flush_page gave it. Any other that the peer exposes is read like memory, at once, and TOC_OK says
 * nothing then. E_NOT_DONE: it is not read in time; E_TIMEOUT: the peer does not answer. Somebody must run the log
 * meanwhile: `automatic`, or another thread. Any number of threads may flush at once, also over one queue pair. */
toc_status toc_flush(toc_qp *q, toc_remote page, uint64_t timeout_us) TOC_MUST_CHECK;

/* A box takes replies: `slots` numbers that only grow, one for each peer that replies. It is a page of active puts and
 * a log. E_FULL, E_NOMEM; E_TIMEOUT: the number has not come, or (of closing) the log does not drain. */
typedef struct toc_box toc_box;
toc_status toc_box_open(toc_proc *p, unsigned slots, toc_box **b, toc_remote *where) TOC_MUST_CHECK;
toc_status toc_box_close(toc_box *b);
toc_status toc_box_wait(toc_box *b, unsigned slot, uint64_t at_least, uint64_t timeout_us) TOC_MUST_CHECK;
uint64_t toc_box_value(toc_box *b, unsigned slot);

/* From a handler (or anywhere): tells slot `slot` of a peer's box that `done` of its accesses have been handled. Does
 * not wait for the answer, but while all entries of the queue pair are taken (E_TIMEOUT). E_STOPPED. */
toc_status toc_reply(toc_qp *q, toc_remote box, unsigned slot, uint64_t done) TOC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
