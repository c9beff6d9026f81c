// SPDX-License-Identifier: Apache-2.0
/* aa_qi: the invalidation queue; what a descriptor means. */
#ifndef TOCSIN_AA_QI_H
#define TOCSIN_AA_QI_H

#include "tocsin/aa_fault.h"
#include "tocsin/aa_xlt.h"

typedef struct aa_qi {
  bool on;           /* GSTS.QIES */
  uint64_t iqa, iqt; /* as the registers show them */
  uint32_t head;     /* index */
  bool waiting;      /* a wait descriptor was reached and has not completed */
  bool stale;        /* ... and the queue was switched off since: it no longer moves the head */
  bool drained;      /* ... and its drain was over since, even if another one has begun */
  uint64_t wait[2];
  bool iwc;
  aa_event event;
} aa_qi;

enum { AA_QI_BAD, AA_QI_INVAL, AA_QI_WAIT };
unsigned aa_qi_decode(uint64_t lo, uint64_t hi, aa_inval *v);
/* AM above CAP.MAMV makes an invalidation global; true if there is anything to do. */
bool aa_qi_normalise(aa_inval *v);

#endif
