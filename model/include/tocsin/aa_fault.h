// SPDX-License-Identifier: Apache-2.0
/* aa_fault: the stock fault log (8 records), the latched Active Access error, and the fault event. */
#ifndef TOCSIN_AA_FAULT_H
#define TOCSIN_AA_FAULT_H

#include "tocsin/aa.h"

enum { AA_FAULT_RECORDS = 8 };

/* An event register quartet: fault event and invalidation event. */
typedef struct aa_event {
  bool mask, pending;
  uint32_t data, addr, uaddr;
} aa_event;
/* Its MSI is to be sent. */
static inline bool aa_event_due(const aa_event *e, bool pending) { return pending && !e->mask; }

typedef struct aa_fault {
  uint64_t lo[AA_FAULT_RECORDS], hi[AA_FAULT_RECORDS];
  unsigned next; /* where the next record goes */
  unsigned fri;  /* first pending record */
  bool pfo, iqe;
  aa_event event;
  bool werr_pending; /* an event for AA_ERR_STS.WERR; the event's mask holds it back too */
  uint64_t err_sts, err_addr;
} aa_fault;

void aa_fault_init(aa_fault *f);
bool aa_fault_ppf(const aa_fault *f);

/* False: lost (overflow, or collapsed into a pending record of the same source). */
bool aa_fault_record(aa_fault *f, unsigned reason, bool read, unsigned at, unsigned sid, uint64_t iova);

void aa_fault_iqe(aa_fault *f);

/* After PFO, IQE or an F bit was cleared: an event that waits behind its mask falls when nothing is left. */
void aa_fault_settle(aa_fault *f);

void aa_fault_error(aa_fault *f, unsigned code, unsigned sid, unsigned iuid, uint64_t addr);

/* A write of the IOMMU's own failed: AA_ERR_AXI_WRITE, WERR, and the event when WERR rises. */
void aa_fault_write_error(aa_fault *f, unsigned iuid, uint64_t addr);

/* VALID is written with 1. */
void aa_fault_error_clear(aa_fault *f);

#endif
