// SPDX-License-Identifier: Apache-2.0
/* Golden model of the Active Access IOMMU: what happens, not when. rtl/aa/README.md is its specification.
 *
 * One `aa` is one IOMMU. It has no globals, takes no locks and allocates only in aa_new and when a queue
 * of arrivals grows; different instances may run in different threads, one instance in one thread at a time.
 * It reaches the world only through the operations that its owner supplies (aa_ops), which it calls before the call
 * that caused them returns.
 *
 * An instance is used in one of two ways:
 *
 * LOCKSTEP with hardware. Arrivals are queued by aa_dev_tlp / aa_dev_beat and aa_host_cpl / aa_host_beat, and nothing
 * happens until aa_retire gets the hardware's next retire record. That applies the one decision which the record names:
 * AA_E_ORDER if the specification does not allow it now, AA_E_MISMATCH if one of the record's results is not what the
 * model computes. After either the instance's state is unspecified; aa_reason says why. Within one cycle hand over
 * arrivals (beats accepted at the end of that cycle) BEFORE the records of that cycle (limits are those from before a
 * register write of the same cycle), and records in slot order. Error responses of mem_write are
 * ignored in lockstep: they arrive as records (NoteAxiErr).
 *
 * SELF-RUNNING, as a fast IOMMU for software. aa_submit, aa_complete, aa_reg_read, aa_reg_write and aa_advance
 * do all work to quiescence, in a legal order of the model's own choice, through the same functions.
 * Time stands still outside aa_advance.
 */
#ifndef TOCSIN_AA_H
#define TOCSIN_AA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tocsin/tlp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum aa_status {
  AA_OK = 0,
  AA_E_CONFIG,  /* a parameter out of its range */
  AA_E_NOMEM,   /* out of memory */
  AA_E_ARG,     /* port, address or size out of range */
  AA_E_BUSY,    /* self-running: the lane is full; the packet was not taken, complete or consume something first */
  AA_E_ORDER,   /* lockstep: this record is not legal now */
  AA_E_MISMATCH /* lockstep: the record says something else than the model */
} aa_status;

/* Text of a status, never NULL. */
const char *aa_strstatus(aa_status s);

/* The parameters of the hardware, under its names. */
typedef struct aa_config {
  unsigned NumPorts;     /* device ports, 1..4 */
  unsigned Window;       /* requests a lane holds, power of two, 2..64 */
  unsigned IotlbEntries; /* power of two, 1..65536, at most 512 for each of IotlbWays */
  unsigned IotlbWays;    /* power of two, 1..IotlbEntries, at most 256 */
  bool IotlbRandom;      /* replacement: false LRU, true LFSR */
  unsigned SpEntries;    /* superpage TLB, 1..256; with IotlbRandom a power of two */
  unsigned CtxEntries;   /* context cache, power of two, 1..256 */
  unsigned PscEntries;   /* paging-structure cache, entries for each of two levels: power of two, 1..512, or 0 (none) */
  unsigned Walkers;      /* 1..16 */
  unsigned NumLogs;      /* 1..32 */
  unsigned LogDepth;     /* reserved, not yet published entries a log, power of two, 1..32 */
  unsigned TagEntries;   /* packet tag buffer, 2..255, at least NumPorts */
  unsigned FlushPages;   /* 1..8 */
  unsigned FlushWaiters; /* NumPorts..32 */
  unsigned ScratchWords; /* 1..64 */
  bool ActiveAccess;     /* false: a stock IOMMU; what sizes logs, flush pages, waiters and scratchpad is ignored */
  unsigned DataW;        /* bits of a beat: 128, 256 or 512; matters to aa_dev_beat and aa_host_beat only */
} aa_config;

/* The defaults of the hardware, aa_iommu: docs/integration.md lists them, rtl/top/params.txt is their source. */
void aa_config_default(aa_config *cfg);

/* Why aa_new says AA_E_CONFIG: the parameter and its range, in the words in which the hardware refuses it ("Window must
 * be a power of two, 2 to 64"). NULL if nothing is wrong. */
const char *aa_config_wrong(const aa_config *cfg);

/* Who reads or writes memory. Reads: the number of the walker's slot, or AA_SRC_QI. */
enum { AA_SRC_QI = 255 };
enum { AA_SRC_PUT = 0, AA_SRC_GET = 1, AA_SRC_SMALL = 2 };      /* writes = AXI ids */
enum { AA_CPL_FORWARDED = 0, AA_CPL_UR = 1, AA_CPL_FLUSH = 2 }; /* who made a completion */

/* Retire records: the fields of aa_pkg::retire_t. */
enum {
  AA_RET_NONE = 0,
  AA_RET_REG_READ = 1,
  AA_RET_WALK = 2,
  AA_RET_XLATE = 3,
  AA_RET_FILL = 4,
  AA_RET_DECIDE = 5,
  AA_RET_CPL = 6,
  AA_RET_TIMEOUT = 7,
  AA_RET_PUBLISH = 8,
  AA_RET_NOTIFY = 9,
  AA_RET_INVAL = 10,
  AA_RET_REG_WRITE = 11
};
enum {
  AA_NOTE_PTR = 1,
  AA_NOTE_MSI = 2,
  AA_NOTE_FAULT = 3,
  AA_NOTE_INV_DONE = 4,
  AA_NOTE_WAIT = 5,
  AA_NOTE_TASK = 6,
  AA_NOTE_FLUSH = 7,
  AA_NOTE_LOG_OFF = 8,
  AA_NOTE_AXI_ERR = 9,
  AA_NOTE_RESET = 10
};
typedef enum aa_outcome {
  AA_OUT_PASS = 0,
  AA_OUT_LOG = 1,
  AA_OUT_BLOCK = 2,
  AA_OUT_REDIRECT = 3,
  AA_OUT_FLUSH = 4,
  AA_OUT_LOST = 5,
  AA_OUT_BLOCK_LOST = 6
} aa_outcome;
/* Error codes (AA_ERR_STS.CODE). */
typedef enum aa_err {
  AA_ERR_NONE = 0,
  AA_ERR_LENGTH = 1,
  AA_ERR_CROSS4K = 2,
  AA_ERR_MAX_SIZE = 3,
  AA_ERR_BYTE_EN = 4,
  AA_ERR_ATOMIC = 5,
  AA_ERR_TYPE = 6,
  AA_ERR_PORT_ID = 7,
  AA_ERR_POISON = 8,
  AA_ERR_TAG_LIVE = 9,
  AA_ERR_NO_LOG = 10,
  AA_ERR_LOG_DROP = 11,
  AA_ERR_LOG_WDOG = 12,
  AA_ERR_LOG_FIT = 13,
  AA_ERR_STRAY = 14,
  AA_ERR_CPL_LENGTH = 15,
  AA_ERR_CPL_TIMEOUT = 16,
  AA_ERR_CONSUMER = 17,
  AA_ERR_FLUSH_LEN = 18,
  AA_ERR_AXI_WRITE = 19,
  AA_ERR_FLUSH_TIMEOUT = 20,
  AA_ERR_LOG_FAILED = 21
} aa_err;

typedef struct aa_retire_rec {
  uint8_t kind; /* AA_RET_... */
  bool flag;
  uint8_t code;
  uint8_t lane; /* 2 * port + non-posted */
  uint8_t slot;
  uint8_t idx;
  uint64_t a, b;
} aa_retire_rec;

/* What the owner supplies. None may call back into the same instance. mem_read and mem_write return true, or false for
 * an error response. Buffers and packets are valid during the call only. mem_write's address and length never leave
 * what one AXI write stream covers, but may be longer than a burst. `retire` may be NULL; it gets the records that a
 * self-running model makes. */
typedef struct aa_ops {
  bool (*mem_read)(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n);
  bool (*mem_write)(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n);
  void (*host_req)(void *ctx, const tlp *t);
  void (*dev_cpl)(void *ctx, unsigned port, unsigned src, const tlp *t);
  void (*retire)(void *ctx, const aa_retire_rec *r);
} aa_ops;

typedef struct aa aa;

/* Makes an instance in the state after reset. `ops` is copied. On success *m is the instance, otherwise NULL. */
aa_status aa_new(const aa_config *cfg, const aa_ops *ops, void *ctx, aa **m);
void aa_free(aa *m); /* NULL is fine */

/* Why the last AA_E_ORDER or AA_E_MISMATCH was returned: "field got want" or a sentence. Valid until the next call. */
const char *aa_reason(const aa *m);

/* ---- lockstep ---------------------------------------------------------------------------------------------------- */

/* A packet as it came in whole: t->hdr and t->ndw words of payload; `bad_form` when beats, strb, sop or eop were not as
 * the specification wants them (then the payload is not looked at). */
aa_status aa_dev_tlp(aa *m, unsigned port, const tlp *t, bool bad_form);
aa_status aa_host_cpl(aa *m, const tlp *t, bool bad_form);

/* The same, beat by beat as it crosses the pins: the model finds packets and ill-formed ones itself.
 * data: DataW / 8 bytes. */
typedef struct aa_beat {
  bool sop, eop, err;
  uint8_t seq;
  uint32_t strb;
  uint32_t hdr[4];
  const uint8_t *data;
} aa_beat;
aa_status aa_dev_beat(aa *m, unsigned port, const aa_beat *b);
aa_status aa_host_beat(aa *m, const aa_beat *b);

/* The level of dev_reset_i[port]. Lockstep: to be told in every cycle in which it is high and in the one after, before
 * the beats of that cycle; what is under way when it is told after a cycle in which it was high ends by its records,
 * and no completion is sent for it any more. Self-running, aa_poll and aa_advance end it. */
aa_status aa_dev_reset(aa *m, unsigned port, bool level);

/* Applies one record. RegRead: b is compared, but for the counters of time (CNT 32 to 37). */
aa_status aa_retire(aa *m, const aa_retire_rec *r);

/* Arrivals that no record has consumed yet (undecided requests of all lanes, waiting completions): 0 at
 * the end of a clean run. */
unsigned aa_pending(const aa *m);

/* What must still happen: arrivals, live tags and flush waiters, entries to be published, pointers, MSIs and tasks of
 * logs, logs that close, events that are not masked, waits, descriptors, invalidations. How many things, 0 when nothing
 * is owed; `text` (always ended) names as many as n bytes hold. Lockstep needs aa_task_done for this, or a log's second
 * task is never missed. */
unsigned aa_owes(const aa *m, char *text, size_t n);

/* ---- self-running ------------------------------------------------------------------------------------------------ */

/* A device sends / the host completes. AA_OK: taken (it may still wait for room in a log, a tag entry
 * or a flush waiter). */
aa_status aa_submit(aa *m, unsigned port, const tlp *t);
aa_status aa_complete(aa *m, const tlp *t);

/* Register access of 4 or 8 bytes, aligned to its size. */
aa_status aa_reg_read(aa *m, uint32_t addr, unsigned size, uint64_t *value);
aa_status aa_reg_write(aa *m, uint32_t addr, unsigned size, uint64_t value);

/* Does all that can be done now. The calls above do it themselves: needed only after memory changed
 * under a walk that waits. */
aa_status aa_poll(aa *m);

/* Lets time pass: time-outs, watchdog, MSI intervals. It ends AA_TIME_END cycles after aa_new: AA_E_ARG when these
 * would pass it, and then none has passed. */
#define AA_TIME_END (1ull << 63)
aa_status aa_advance(aa *m, uint64_t cycles);

/* The task that NoteTask of this log started is done (both modes). */
aa_status aa_task_done(aa *m, unsigned log);

#ifdef __cplusplus
}
#endif
#endif
