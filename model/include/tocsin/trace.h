// SPDX-License-Identifier: Apache-2.0
// Traces: everything that can happen to an IOMMU, or to a whole node, as text. The format is described
// in verif/traces/README.md.
//
// A reader gives one record after the other; a record is valid until the next call. Neither locks nor allocates.
#ifndef TOCSIN_TRACE_H
#define TOCSIN_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// Longest run of bytes in one record; a TLP that is longer than its header may say still fits.
#define AA_TRACE_BYTES 8192

typedef enum aa_trace_kind {
  AA_TRACE_END = 0,
  AA_TRACE_REG_READ = 'R',   // addr, size, value, mask (0: no expectation)
  AA_TRACE_REG_WRITE = 'W',  // addr, size, value
  AA_TRACE_MEM8 = 'M',       // addr, value
  AA_TRACE_XLATE = 'T',      // sid, addr = iova, write, blocked, value = physical
  AA_TRACE_WAIT_MEM = 'S',   // addr, value (32 bits)
  AA_TRACE_MEM = 'B',        // addr, data, bytes
  AA_TRACE_DEV = 'D',        // port, hdr, data, bytes, and the options below
  AA_TRACE_CPL = 'C',        // hdr, data, bytes, and the options below
  AA_TRACE_HOST_MODE = 'G',  // value: 1 = the test bench answers, 0 = C records do
  AA_TRACE_EXP_HOST = 'H',   // hdr, data, bytes
  AA_TRACE_EXP_DEV = 'U',    // port, hdr, data, bytes
  AA_TRACE_EXP_NONE = 'N',   //
  AA_TRACE_EXP_MEM = 'E',    // addr, data, bytes; masked: behind them in data as many bytes, whose ones count
  AA_TRACE_IDLE = 'I',       // value = cycles
  AA_TRACE_QUIET = 'Q',      //
  AA_TRACE_WAIT_REG = 'L',   // addr, size, value, mask
  AA_TRACE_RESET = 'X',      // port
  AA_TRACE_PARAM = 'P',      // name, value
  // of a node, top `tocsin`: registers as that has them
  AA_TRACE_TOP = 'A',       // name: of what the trace is
  AA_TRACE_CLOCK = 'K',     // value = nanoseconds, when it was recorded
  AA_TRACE_FRAME_IN = 'F',  // data, bytes, err = the MAC found its checksum wrong, bent = it is no good frame
  AA_TRACE_FRAME_OUT = 'O'  // data, bytes, again = it has been sent before
} aa_trace_kind;

typedef struct aa_trace_rec {
  aa_trace_kind kind;
  uint64_t addr, value, mask;
  uint32_t hdr[4];  // DWs of the header; of a three-DW header the last is 0
  uint32_t bytes;   // of data
  uint32_t beats;   // option: beats really sent, 0 = as Length says
  uint32_t strb;    // option: DW strobes of the last beat, 0 = as Length says
  uint16_t sid;
  uint8_t size, port, seq;
  bool write, blocked, err, cut, nosop, again, bent, masked;
  char name[24];
  uint8_t data[AA_TRACE_BYTES];
} aa_trace_rec;

typedef struct aa_trace {
  FILE *file;
  unsigned line;  // of the record just read
  char why[96];   // what is wrong with it
} aa_trace;

// The file stays the caller's.
void aa_trace_open(aa_trace *t, FILE *file);

// The next record. 1: there is one; 0: end of file (kind AA_TRACE_END); -1: the line is not a record, or the
// file cannot be read (t->line, t->why).
int aa_trace_read(aa_trace *t, aa_trace_rec *r);

// What the trace is of, from the first record: true for a whole node. Leaves the file at its beginning.
bool aa_trace_of_node(FILE *file);

// Which bits of byte i of memory count, of an AA_TRACE_EXP_MEM.
static inline uint8_t aa_trace_mask(const aa_trace_rec *r, uint32_t i) {
  return r->masked ? r->data[r->bytes + i] : 0xFF;
}

// One line. Returns 0, or -1 when the file refuses it or the kind is unknown.
int aa_trace_write(FILE *file, const aa_trace_rec *r);

#ifdef __cplusplus
}
#endif
#endif
