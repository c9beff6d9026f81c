// SPDX-License-Identifier: Apache-2.0
/* aa_count: the event counters, by the index at which registers show them. */
#ifndef TOCSIN_AA_COUNT_H
#define TOCSIN_AA_COUNT_H

#include <stdint.h>

enum {
  AA_CNT_REQUESTS = 0,
  AA_CNT_WRITES = 1,
  AA_CNT_READS = 2,
  AA_CNT_ATOMICS = 3,
  AA_CNT_PASSED = 4,
  AA_CNT_HITS = 5,
  AA_CNT_WALKS_ENDED = 6,
  AA_CNT_WALK_FAULTS = 7,
  AA_CNT_TLB_FILLS = 8,
  AA_CNT_CTX_FILLS = 9,
  AA_CNT_WALKS_BEGUN = 10,
  AA_CNT_DENIED = 11,
  AA_CNT_RESERVED = 12,
  AA_CNT_RESERVED_BYTES = 13,
  AA_CNT_PUBLISHED = 14,
  AA_CNT_PUBLISHED_BYTES = 15,
  AA_CNT_DROPPED = 16,
  AA_CNT_ABORTED = 17,
  AA_CNT_BAD_CPL = 18,
  AA_CNT_FLUSHES = 19,
  AA_CNT_FLUSHES_UNDONE = 20,
  AA_CNT_MALFORMED = 21,
  AA_CNT_TAG_LIVE = 22,
  AA_CNT_NO_LOG = 23,
  AA_CNT_STOCK = 24,
  AA_CNT_STOCK_LOST = 25,
  AA_CNT_INVALIDATIONS = 26,
  AA_CNT_MSIS = 27,
  AA_CNT_PADS = 28,
  AA_CNT_POISONED = 29,
  AA_CNT_PORT_FILTER = 30,
  AA_CNT_CPL_TIMEOUTS = 31,
  AA_CNT_TIME_FIRST = 32, /* of time: the model has 0 there */
  AA_CNT_TIME_LAST = 37,
  AA_CNT_LATE = 38,
  AA_CNT_OVER = 39,
  AA_CNT_CUT = 40,
  AA_CNT_LAST = 40,
  AA_CNT_NUM = 64
};

/* Short name of a counter, NULL where there is none. */
const char *aa_count_name(unsigned index);

#endif
