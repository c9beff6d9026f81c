// SPDX-License-Identifier: Apache-2.0
/* XTQ: what of a command and of its arguments the target fills in. Pure functions over bytes. */
#ifndef TOCSIN_XTQ_REWRITE_H
#define TOCSIN_XTQ_REWRITE_H

#include <stdbool.h>
#include <stdint.h>

enum { XTQ_CMD = 64, XTQ_KERNEL = 0, XTQ_FUNCTION = 1, XTQ_QUEUE = 2 };

/* An entry of the kernel or function table. */
typedef struct xtq_entry {
  uint64_t code, target, signal;
  bool has_target;
} xtq_entry;

/* args: bytes of arguments, pay: of payload, at: where the arguments go; the payload goes behind them. */
void xtq_rewrite(unsigned kind, const xtq_entry *e, uint64_t at, uint32_t args, uint32_t pay, uint8_t cmd[XTQ_CMD]);

/* The first 16 bytes of a kernel's arguments: target buffer, if the entry has one; payload, 0 without one.
 * Does nothing for a function. */
void xtq_rewrite_args(unsigned kind, const xtq_entry *e, uint64_t at, uint32_t args, uint32_t pay, uint8_t first[16]);

/* The packet of an access log's task: arg[0] to arg[2] of its template. */
void xtq_rewrite_task(unsigned log, uint32_t prod, uint32_t cons, uint8_t cmd[XTQ_CMD]);

#endif
