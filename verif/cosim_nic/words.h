// SPDX-License-Identifier: Apache-2.0
// What the reader of a failure has to know: which field of which event, task, table, context or frame a byte is.
#ifndef TOCSIN_COSIM_NIC_WORDS_H
#define TOCSIN_COSIM_NIC_WORDS_H

#include "dut_node.h"

typedef struct words {
  char text[160];        // "event of process 2 at 10130180, field status"
  uint32_t from, bytes;  // the field, from the beginning of the write, frame or entry
} words;

// What a write of the model is, from the record that it comes with.
write_kind words_kind(const nic_job *j, const nic_retire_rec *r, const void *data);
// Byte `at` of a write that the model has asked for.
words words_write(const dut_write *w, uint32_t at);
// Byte `at` of a frame.
words words_frame(const uint8_t *b, size_t k, uint32_t at);
// A byte of a process' memory, as random runs lay it out; what software of cases lays out itself, by address.
words words_memory(const node *n, unsigned proc, uint64_t va);
// The field of a register in which two values differ.
words words_register(uint32_t addr, uint64_t got, uint64_t want);
// Up to 8 bytes of a field.
uint64_t words_value(const uint8_t *p, const words *x);
// Which block has most likely made a record: a guess.
const char *words_block(const nic_retire_rec *r);
#endif
