// SPDX-License-Identifier: Apache-2.0
// The IOMMU's functional points (points.h): what random lockstep has reached. The bounds are those of
// `make cosim-smoke-default`, for any seed; the upper ones are those of the other configurations as well.
#ifndef TOCSIN_COSIM_AA_REACH_H
#define TOCSIN_COSIM_AA_REACH_H

#include "points.h"
#include "tocsin/aa.h"

#define AA_POINTS(X)                                                    \
  X(AT_PASS, "decided: done", 100, 0)                                   \
  X(AT_LOG, "decided: done, recorded", 100, 0)                          \
  X(AT_BLOCK, "decided: blocked", 100, 0)                               \
  X(AT_REDIRECT, "decided: redirected", 100, 0)                         \
  X(AT_FLUSH, "decided: held as a flush", 5, 0)                         \
  X(AT_LOST, "decided: done, record dropped", 5, 0)                     \
  X(AT_BLOCK_LOST, "decided: blocked, record dropped", 5, 0)            \
  X(AT_WDOG, "record dropped by the watchdog", 2, 0)                    \
  X(AT_HIGH, "sent to an address above 4 GiB", 5, 0)                    \
  X(AT_WALK, "walk begun", 100, 0)                                      \
  X(AT_HIT, "translated by a hit", 100, 0)                              \
  X(AT_FILL_AHEAD, "walk that only fills", 5, 0)                        \
  X(AT_CPL_MORE, "completion, more to come", 50, 0)                     \
  X(AT_CPL_LAST, "completion, the last", 50, 0)                         \
  X(AT_CPL_STRAY, "completion, stray", 5, 0)                            \
  X(AT_CPL_BAD, "completion, malformed or beyond its read", 5, 0)       \
  X(AT_CPL_ERR, "completion, not successful", 5, 0)                     \
  X(AT_CPL_PIECES, "read answered in four pieces or more", 5, 0)        \
  X(AT_CPL_BYTE, "piece that ends in mid-word", 5, 0)                   \
  X(AT_CPL_OVER, "read that ends before one that is older", 100, 0)     \
  X(AT_CPL_MIXED, "piece of a read between those of another", 50, 0)    \
  X(AT_TIMEOUT, "read given up", 2, 0)                                  \
  X(AT_ABORT, "entry of a read aborted by a tear-down", 1, 0)           \
  X(AT_PUBLISH, "entry published", 100, 0)                              \
  X(AT_PAD, "entry published behind a pad", 5, 0)                       \
  X(AT_RING_TURN, "ring of a log that has come round", 20, 0)           \
  X(AT_RING_LEAST, "ring of 64 bytes that has come round", 2, 0)        \
  X(AT_QUEUE_TURN, "invalidation queue that has come round", 1, 0)      \
  X(AT_NOTE_PTR, "notified: pointer", 20, 0)                            \
  X(AT_NOTE_MSI, "notified: MSI of a log", 2, 0)                        \
  X(AT_NOTE_FAULT, "notified: fault event", 1, 0)                       \
  X(AT_NOTE_INV_DONE, "notified: invalidation event", 1, 0)             \
  X(AT_NOTE_WAIT, "notified: wait descriptor", 5, 0)                    \
  X(AT_NOTE_TASK, "notified: task", 5, 0)                               \
  X(AT_TASKS, "tasks of two logs at once", 2, 0)                        \
  X(AT_NOTE_FLUSH, "notified: flush answered", 2, 0)                    \
  X(AT_NOTE_FLUSH_LATE, "notified: flush not done", 1, 0)               \
  X(AT_NOTE_LOG_OFF, "notified: log closed", 2, 0)                      \
  X(AT_NOTE_AXI_ERR, "notified: memory refused a write", 20, 0)         \
  X(AT_REFUSED_ENTRY, "refused: an entry of a log", 2, 0)               \
  X(AT_REFUSED_PTR, "refused: the pointer of a log", 5, 0)              \
  X(AT_REFUSED_MSI, "refused: the MSI of a log", 5, 0)                  \
  X(AT_REFUSED_EVENT, "refused: of an event or a wait", 2, 0)           \
  X(AT_WAIT_FAILED, "wait that could not write its status", 1, 0)       \
  X(AT_READ_SLVERR, "AXI read answered with SLVERR", 1, 0)              \
  X(AT_READ_DECERR, "AXI read answered with DECERR", 1, 0)              \
  X(AT_WRITE_SLVERR, "AXI write answered with SLVERR", 5, 0)            \
  X(AT_WRITE_DECERR, "AXI write answered with DECERR", 5, 0)            \
  X(AT_NOTE_RESET, "notified: a requester is reset", 2, 0)              \
  X(AT_INV_QUEUE, "invalidation by queue", 20, 0)                       \
  X(AT_INV_ERROR, "queue error", 1, 0)                                  \
  X(AT_INV_CTX, "contexts invalidated by register", 1, 0)               \
  X(AT_INV_TLB, "translations invalidated by register", 5, 0)           \
  X(AT_AM_LARGE, "invalidation of 2^14 pages or more", 1, 0)            \
  X(AT_AM_INSIDE, "invalidation inside a large page", 1, 0)             \
  X(AT_FAR_2M, "access to the upper half of a 2 MiB page", 10, 0)       \
  X(AT_FAR_1G, "access to the upper half of a 1 GiB page", 5, 0)        \
  X(AT_RESET, "reset of a device", 2, 0)                                \
  X(AT_WDOG_OUT, "timer: watchdog ran out", 5, 0)                       \
  X(AT_WDOG_STOP, "timer: space before the watchdog", 5, 0)             \
  X(AT_CPL_OUT, "timer: completion time-out", 5, 0)                     \
  X(AT_CPL_STOP, "timer: completion before its time-out", 5, 0)         \
  X(AT_FLUSH_OUT, "timer: flush given up", 5, 0)                        \
  X(AT_FLUSH_STOP, "timer: flush answered in time", 5, 0)               \
  X(AT_INTERVAL_OUT, "timer: MSI by interval", 5, 0)                    \
  X(AT_INTERVAL_STOP, "timer: interval ended before its MSI", 5, 0)     \
  X(AT_FREE_OUT, "timer: MSI by free space", 5, 0)                      \
  X(AT_PTR_OUT, "timer: pointer written", 5, 0)                         \
  X(AT_FREE_DUE, "free cycles: what is due", 100000, 0)                 \
  X(AT_FREE_WDOG, "free cycles: watchdog", 2000, 0)                     \
  X(AT_FREE_CPL, "free cycles: completion time-out", 100000, 0)         \
  X(AT_FREE_FLUSH, "free cycles: flush", 100000, 0)                     \
  X(AT_FREE_NOTIFY, "free cycles: MSI and pointer", 100000, 0)          \
  X(AT_FIRST, "first cycle out of reset: streams that are valid", 2, 0) \
  X(AT_TIME_READ, "counter of time read", 50, 0)                        \
  X(AT_HIT_WALK, "excuse: walk of a request that hits", 0, 20)

enum { AA_POINTS(POINT_NAME) AT_NUM };

struct bench;
void aa_reach(const struct bench *b, unsigned point);  // one more, if this run counts
void aa_reach_retired(const struct bench *b, const aa_retire_rec *r);
void aa_reach_timers(const struct bench *b);  // at the end
extern const point aa_reach_list[AT_NUM];

#endif
