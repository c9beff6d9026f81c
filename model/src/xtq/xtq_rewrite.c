// SPDX-License-Identifier: Apache-2.0
#include "tocsin/xtq_rewrite.h"

#include "../le.h"

static uint64_t payload_at(uint64_t at, uint32_t args, uint32_t pay) { return pay ? at + args : 0; }

/* RBF-5, RBF-6. */
void xtq_rewrite(unsigned kind, const xtq_entry *e, uint64_t at, uint32_t args, uint32_t pay, uint8_t cmd[XTQ_CMD]) {
  if (kind == XTQ_KERNEL) {
    le64_put(cmd + 32, e->code);
    le64_put(cmd + 40, args ? at : 0);
  } else {
    le64_put(cmd + 8, e->code);
    if (e->has_target) le64_put(cmd + 16, e->target);
    le64_put(cmd + 24, payload_at(at, args, pay));
  }
  le64_put(cmd + 48, 0);
  le64_put(cmd + 56, e->signal);
}

/* RBF-6, RBF-7. */
void xtq_rewrite_args(unsigned kind, const xtq_entry *e, uint64_t at, uint32_t args, uint32_t pay, uint8_t first[16]) {
  if (kind != XTQ_KERNEL) return;
  if (e->has_target) le64_put(first, e->target);
  le64_put(first + 8, payload_at(at, args, pay));
}

/* TSK-1. */
void xtq_rewrite_task(unsigned log, uint32_t prod, uint32_t cons, uint8_t cmd[XTQ_CMD]) {
  le64_put(cmd + 16, log);
  le64_put(cmd + 24, prod);
  le64_put(cmd + 32, cons);
}
