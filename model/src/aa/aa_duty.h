// SPDX-License-Identifier: Apache-2.0
/* aa_duty: what must be over before a record may come. Private to aa_lock, which tells it what passes at the pins.
 *
 *    small writes (AXI id 2)   the last message of a log is answered before its next one and before NoteLogOff;
 *                              the status write of a wait is answered before NoteWait, and no other small write
 *                              comes before its record
 *    drains                    the host's TLPs decided before the last invalidation have left, and their reads have
 *                              ended, before ICC or IVT clears, before the status write of a wait, and before NoteWait
 *    time                      what is due (aa_owes.h) is done within the cycles that the specification gives it, of
 *                              those in which nobody outside holds the hardware up; looked at every 8
 */
#ifndef AA_DUTY_H
#define AA_DUTY_H

#include "aa_owes.h"
#include "tocsin/aa_tag_buf.h"

/* Whose a small write is: a log's, or: */
enum { AA_OF_EVENT = 32, AA_OF_WAIT = 33, AA_OF_NUM = 34 };

typedef struct aa_duty {
  unsigned small[AA_OF_NUM];                 /* messages of each, owed or without a response */
  unsigned of;                               /* whose message the record under way makes */
  uint64_t told, left, old;                  /* host TLPs: decided, gone, decided before the last invalidation */
  uint64_t drains;                           /* invalidations of the model so far */
  bool waiting, over;                        /* a wait has been reached; its drain was over at some time since */
  unsigned cycles;                           /* not held up from outside, since the last look */
  uint64_t dev_left, was_left, was_dev_left; /* packets that had gone then */
  uint16_t age[AA_DUE_NUM + 2][AA_TAG_MAX];  /* of what is due, in such cycles */
} aa_duty;

/* Of a cycle: does anybody outside hold the hardware up, and what has been decided and has not come? */
typedef struct aa_outside {
  bool held; /* an output shows something, or a write of the IOMMU has no response */
  bool host, dev, entries, task;
} aa_outside;

typedef struct aa_wrong {
  char block[16], stream[24], text[160];
} aa_wrong;

/* Around aa_retire. False: *w says what should have been before. */
bool aa_duty_before(aa_duty *d, const aa *m, const aa_retire_rec *r, aa_wrong *w);
bool aa_duty_after(aa_duty *d, const aa *m, const aa_retire_rec *r, aa_wrong *w);

/* A small write that no record has asked for: only the status write of a wait whose drain is over. */
bool aa_duty_early(aa_duty *d, const aa *m, uint64_t addr, const void *data, unsigned n, aa_wrong *w);

/* A cycle is over. False: something is due for longer than the specification says. */
bool aa_duty_cycle(aa_duty *d, const aa *m, const aa_outside *o, aa_wrong *w);

/* A TLP has left. */
void aa_duty_left(aa_duty *d, const aa *m);

#endif
