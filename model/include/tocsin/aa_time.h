// SPDX-License-Identifier: Apache-2.0
/* aa_time: when. The golden model says what happens; this says how long a timer may take, and tells the first that is
 * too early or too late. rtl/aa/README.md, "Time", is its specification, and has the reasons for the numbers below.
 *
 * Early is counted in cycles. Late is counted in free cycles alone, those in which nothing else holds up what is due;
 * so it is a bound on hardware, whatever memory, host and devices do. A beginning that records do not show has two
 * ends: it is not before what made it possible, and not later than a lag of free cycles after that.
 *
 * The counters of time, which the model does not have, are bounded: CNT 32 is the clock, the others never fall and
 * never gain more than the cycles that have gone.
 *
 * Of each cycle: aa_time_reset for each port whose dev_reset_i is high, aa_time_before and aa_time_after around each
 * record, and aa_time_cycle at its end. They return NULL, or the block that is to blame; text says why.
 */
#ifndef TOCSIN_AA_TIME_H
#define TOCSIN_AA_TIME_H

#include "tocsin/aa_flush_buf.h"

/* How late, in free cycles. */
enum {
  AA_TIME_LANE = 4,    /* a lane is tried: once for each lane that comes before it, */
  AA_TIME_WAKE = 20,   /* after it was woken, every 16 cycles at least; and the pipeline */
  AA_TIME_TAG = 3,     /* the scanner of the tag buffer at an entry that is due */
  AA_TIME_CPL = 8,     /* its pipeline, and that of aa_cpl */
  AA_TIME_WAITER = 12, /* the scanner of the flush buffer at a waiter that is due: a turn of notes, a CplD */
  AA_TIME_FLUSH = 8,   /* its pipeline */
  AA_TIME_NOTIFY = 10, /* pipeline of aa_notify, beside a visit to each log */
  AA_TIME_NOTE = 8,    /* one more notification of another, in between */
  AA_TIME_STALE = 1, /* a notification of another that a consumer write has made stale: it was picked, and is dropped */
  AA_TIME_ACCESS = 16, /* cycles that are not free around a register access or an invalidation */
  AA_TIME_LOOKUP = 1   /* a walk may begin for a request that has hit for so many cycles: its look-up was earlier */
};

enum { AA_TIMER_WDOG, AA_TIMER_CPL, AA_TIMER_FLUSH, AA_TIMER_INTERVAL, AA_TIMER_FREE, AA_TIMER_POINTER, AA_TIMERS };

/* What became of a timer, for reports: it ran out, or it was on and what it watches ended before;
 * the latest, of how late. */
typedef struct aa_timer_count {
  uint64_t fired, stopped;
  uint32_t latest, limit;
} aa_timer_count;

/* Something that is due: free cycles since, less what the notifications of others may have taken. */
typedef struct aa_due {
  uint32_t lag;
} aa_due;

/* A register that was changed: what was judged by the old value may still be on its way. */
typedef struct aa_limit {
  uint32_t value, before; /* before: the least of those replaced, 0 none */
  uint32_t grace;         /* free cycles left to it */
} aa_limit;

typedef struct aa_time_lane {
  uint64_t first; /* its wait for log space began in this cycle or later; 0: it does not wait */
  uint64_t last;  /* and in this one at the latest; 0: not known yet */
  uint32_t least; /* the least AA_WDOG since */
  aa_due begin, end;
  unsigned lacks; /* AA_LACKS_..., as of the last record */
} aa_time_lane;

typedef struct aa_time_log {
  uint64_t first, last; /* of its interval, likewise */
  aa_due begin, end, free, ptr;
  bool again; /* a pointer that is due may have missed its visit: an MSI was picked, and a consumer write came */
} aa_time_log;

typedef struct aa_time {
  bool on; /* a cycle was told */
  aa_limit cpl, flush;
  struct {
    aa_due due;
    bool killed; /* it was live in a cycle of dev_reset_i */
  } tag[AA_TAG_MAX];
  aa_due waiter[AA_WAITER_MAX];
  aa_time_lane lane[8];
  aa_time_log log[AA_LOG_MAX];
  uint32_t dropping; /* cycles that aa_cpl may still take to drop payload that it has refused */
  bool stirred;      /* a record came in this cycle */
  uint32_t wdog;     /* AA_WDOG as written last */
  uint64_t moving;   /* until then aa_mover may have payload that leaves by no pin */
  unsigned access;   /* cycles since the last register access or invalidation, up to AA_TIME_ACCESS */
  uint64_t changed;  /* last cycle in which a cache was changed */
  struct {
    uint64_t from, last;            /* zero before this cycle; what was read last */
  } cnt[6];                         /* the counters of time, CNT 32 to 37 */
  uint64_t time_reads;              /* of them */
  uint64_t hit_walks;               /* walks of requests that hit, all within AA_TIME_LOOKUP */
  uint64_t cycles, free[AA_TIMERS]; /* free cycles, for each timer */
  aa_timer_count count[AA_TIMERS];
  char text[400];
} aa_time;

/* What holds things up in a cycle: AA_SHOWN_... of tocsin/aa_lock.h, and writes that are owed or not
 * answered, by AXI id. */
enum { AA_TIME_UNDER_WAY = 16 }; /* << AXI id */

void aa_time_begin(aa_time *t, const aa *m);
void aa_time_reset(aa_time *t, const aa *m, unsigned port);
const char *aa_time_before(aa_time *t, aa *m, const aa_retire_rec *r);
void aa_time_after(aa_time *t, aa *m, const aa_retire_rec *r);
const char *aa_time_cycle(aa_time *t, aa *m, unsigned busy);

/* Name of a timer and of the block that keeps it. */
const char *aa_timer_name(unsigned timer);
const char *aa_timer_block(unsigned timer);

#endif
