// SPDX-License-Identifier: Apache-2.0
/* aa_flush_buf: flush pages, and the reads that wait there until a log is drained. */
#ifndef TOCSIN_AA_FLUSH_BUF_H
#define TOCSIN_AA_FLUSH_BUF_H

#include "tocsin/aa_tag_buf.h"

enum { AA_FLUSH_PAGES_MAX = 8 };

typedef struct aa_waiter {
  bool live, torn; /* torn: its log was torn down */
  bool must;       /* was there when AA_RESET was asked to end it */
  bool reset;      /* its requester was reset: ends, and nothing is sent */
  uint8_t port, log;
  uint32_t snapshot; /* rsvd of the log at the decision */
  uint32_t hdr[4];   /* of the read */
  uint8_t seq;
  uint64_t since;
} aa_waiter;

typedef struct aa_flush_buf {
  uint64_t page[AA_FLUSH_PAGES_MAX]; /* as the registers show them */
  unsigned pages, waiters, used, ports;
  bool any; /* some page is enabled */
  aa_waiter waiter[AA_WAITER_MAX];
} aa_flush_buf;

bool aa_flush_match(const aa_flush_buf *f, uint64_t iova, unsigned iuid);
/* The lowest waiter that is free for a port; f->waiters: there is none. */
unsigned aa_flush_pick(const aa_flush_buf *f, unsigned port);
static inline bool aa_flush_drained(const aa_waiter *w, uint32_t cons) { return (int32_t)(cons - w->snapshot) >= 0; }
/* The answer: header and up to 4 words. */
void aa_flush_answer(const aa_waiter *w, uint32_t cons, bool undone, tlp *t, uint8_t data[16]);

#endif
