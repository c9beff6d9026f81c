// SPDX-License-Identifier: Apache-2.0
/* What every block of the IOMMU's model stands on: refusals with a text, and what one of them makes another forget. */
#include <stdarg.h>
#include <stdio.h>

#include "aa_state.h"

aa_status aa_order(aa *m, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->reason, sizeof m->reason, fmt, ap);
  va_end(ap);
  return AA_E_ORDER;
}

aa_status aa_differs(aa *m, const char *field, uint64_t got, uint64_t want) {
  snprintf(m->reason, sizeof m->reason, "%s got %llx want %llx", field, (unsigned long long)got,
           (unsigned long long)want);
  return AA_E_MISMATCH;
}

/* XLT-21. */
void aa_forget(aa *m) {
  aa_xlt_forget_walks(&m->xlt);
  for (unsigned i = 0; i < 2 * m->cfg.NumPorts; i++) {
    aa_queue *l = &m->lane[i];
    l->owed = l->head != l->tail;
    l->sure = l->owed && (l->xl != l->head || aa_queue_at(l, l->head)->walked);
    l->xl = l->head;
  }
}
