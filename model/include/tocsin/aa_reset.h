// SPDX-License-Identifier: Apache-2.0
/* aa_reset: what is left of a requester that is reset, a port's by its line or one requester id by AA_RESET.
 * What waits in the non-posted lanes is marked, and dropped when it is decided; reads and flushes are marked,
 * and end by their records. */
#ifndef TOCSIN_AA_RESET_H
#define TOCSIN_AA_RESET_H

#include "tocsin/aa.h"

/* A port was reset: all that is there of it ends. */
void aa_reset_port(aa *m, unsigned port);
/* AA_RESET.GO is written: all that is there of its requester has to end. */
void aa_reset_begin(aa *m);
/* True if nothing is left of that. */
bool aa_reset_over(const aa *m);

#endif
