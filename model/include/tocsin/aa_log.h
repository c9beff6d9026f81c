// SPDX-License-Identifier: Apache-2.0
/* aa_log: access-log table, reservation, publication. Writes of log data are built here too (put and get path).
 *
 *   reserve (decision) -> fill -> close -> publish in order of reservation
 */
#ifndef TOCSIN_AA_LOG_H
#define TOCSIN_AA_LOG_H

#include "tocsin/aa.h"

enum { AA_LOG_MAX = 32, AA_LOG_NONE = 0xff };
enum { AA_ENTRY_PUT = 1, AA_ENTRY_GET = 2, AA_ENTRY_ATOMIC = 3, AA_ENTRY_PAD = 7 };

/* The 16-byte header of an entry as two little-endian words. */
typedef struct aa_entry {
  uint64_t addr;
  uint64_t info;
} aa_entry;

#define AA_ENTRY_DENIED (1ull << 15)
#define AA_ENTRY_ABORTED (1ull << 16)
#define AA_ENTRY_POISONED (1ull << 17)
#define AA_ENTRY_DATA (1ull << 18)

static inline uint64_t aa_entry_info(unsigned iuid, unsigned kind, unsigned len, unsigned fbe, unsigned lbe,
                                     unsigned tag, unsigned rid, uint64_t flags) {
  return iuid | (uint64_t)kind << 12 | flags | (uint64_t)len << 19 | (uint64_t)fbe << 30 | (uint64_t)lbe << 34 |
         (uint64_t)tag << 38 | (uint64_t)rid << 48;
}
static inline unsigned aa_entry_kind(uint64_t info) { return info >> 12 & 7; }
static inline unsigned aa_entry_len(uint64_t info) { return info >> 19 & 0x7ff; }
static inline unsigned aa_entry_fbe(uint64_t info) { return info >> 30 & 15; }
static inline unsigned aa_entry_lbe(uint64_t info) { return info >> 34 & 15; }
/* Bytes of an entry in the ring, header included. */
static inline uint32_t aa_entry_bytes(uint64_t info) {
  return (info & AA_ENTRY_DATA) ? 16 + ((aa_entry_len(info) * 4 + 15) & ~15u) : 16;
}

/* Where a reserved entry lies. */
typedef struct aa_place {
  uint64_t addr, pad_addr;
  uint32_t pad; /* bytes of the pad record, 0: none */
  uint8_t log, slot;
} aa_place;

typedef struct aa_log {
  uint64_t base, cfg, ptr, msia, msid, time; /* as the registers show them, EN aside */
  bool en, closing;
  uint8_t why, sts;
  uint32_t rsvd, prod, cons;
  uint32_t size;              /* bytes of the ring */
  unsigned head, count;       /* slots in use, oldest first */
  uint32_t bytes[AA_LOG_MAX]; /* of a slot, pad included */
  uint8_t pad[AA_LOG_MAX];
  uint32_t closed; /* slots whose entry is whole */
  bool ptr_due, armed, tasked;
  bool alarm;         /* FAILED or PTRERR rose, and no MSI has said so */
  uint32_t ptr_value; /* last producer written to memory */
  uint64_t since;     /* self-running: when prod left cons */
  bool unread;
} aa_log;

typedef struct aa_logs {
  aa_log *log;
  unsigned num, depth, scratch_words;
  unsigned reach;        /* no log from here on has ever been open */
  uint8_t of_iuid[1024]; /* open log of an IUID, AA_LOG_NONE */
} aa_logs;

aa_status aa_logs_init(aa_logs *l, const aa_config *cfg);
void aa_logs_free(aa_logs *l);

/* Register writes of the table. `open`/`close` of LOG_CFG return true if the log begins to close. */
bool aa_log_write_cfg(aa_logs *l, unsigned n, uint64_t value, uint64_t mask);
void aa_log_off(aa_logs *l, unsigned n);

/* False: refused (LP_STS.BAD set). */
bool aa_log_consume(aa_log *g, uint32_t cons);

enum { AA_ROOM_OK, AA_ROOM_FULL, AA_ROOM_NEVER, AA_ROOM_FAILED };
/* Is there room for `bytes` now, and where would they be. */
unsigned aa_log_room(const aa_logs *l, unsigned n, uint32_t bytes, aa_place *p);
void aa_log_take(aa_logs *l, const aa_place *p, uint32_t bytes);

/* It has stopped: an entry could not be written. Until it is opened anew its records are dropped, its flushes answered,
 * its gets aborted, and nothing is published. */
bool aa_log_failed(const aa_log *g);
void aa_log_fail(aa_log *g);
/* Its pointer could not be written: it goes on. */
void aa_log_fail_ptr(aa_log *g);

/* The entry is whole. That of a log that has stopped is forgotten. */
void aa_log_close_slot(aa_logs *l, unsigned n, unsigned slot);

/* How many entries must be published for the producer to become `prod`: 0 = it cannot (an open entry, or no border). */
unsigned aa_log_publishable(const aa_log *g, uint32_t prod);
/* Publishes the `n` oldest; returns bytes. */
uint32_t aa_log_publish(aa_log *g, unsigned n);

/* Copies `ndw` words, keeping only enabled bytes of the first and last one. */
void aa_log_mask(uint8_t *dst, const uint8_t *src, unsigned ndw, unsigned fbe, unsigned lbe);
void aa_log_header(uint8_t dst[16], uint64_t addr, uint64_t info);
static inline uint64_t aa_log_pad_info(uint32_t pad) {
  return aa_entry_info(0, AA_ENTRY_PAD, pad / 4 - 4, 0, 0, 0, 0, 0);
}

#endif
