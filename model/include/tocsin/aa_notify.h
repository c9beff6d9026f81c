// SPDX-License-Identifier: Apache-2.0
/* aa_notify: how software hears of new entries - pointer in memory, MSI, scratchpad, task. */
#ifndef TOCSIN_AA_NOTIFY_H
#define TOCSIN_AA_NOTIFY_H

#include "tocsin/aa_log.h"

/* May this be sent now? `waited`: cycles that entries have been unread (lockstep, where time is the hardware's: ~0). */
bool aa_notify_ptr(const aa_log *g);
bool aa_notify_msi(const aa_log *g, uint64_t waited);
bool aa_notify_task(const aa_log *g);

#endif
