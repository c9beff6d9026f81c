// SPDX-License-Identifier: Apache-2.0
// The Verilated NIC of the benchmarks: frames back to back, a root complex as fast as asked for,
// registers, one queue pair.
#ifndef NIC_BENCH_H
#define NIC_BENCH_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "mem.h"
#include "pins.h"
#include "tocsin/nic.h"
#include "tocsin/nic_frame.h"
#include "tocsin/nic_regs.h"
#include "tocsin/tlp.h"

#ifndef CFG_TableCache
#define CFG_TableCache 0
#endif
#ifndef CFG_RespDepth
#define CFG_RespDepth 64
#endif
#ifndef CFG_Contexts
#define CFG_Contexts 0
#endif
#ifndef CFG_NumQps
#define CFG_NumQps 16
#endif
#ifndef CFG_Requests
#define CFG_Requests 16
#endif
#ifndef CFG_ReadTags
#define CFG_ReadTags 128
#endif
#ifndef CFG_MaxRead
#define CFG_MaxRead 512
#endif

enum {
  DATA_W = 256,
  BEAT = DATA_W / 8,
  BEAT_DW = DATA_W / 32,
  RESP_DEPTH = CFG_RespDepth,
  FRAMES = 400,
  WAITING = 8192,
  READS = 512
};
enum { SEND_RING = 0x2000000, SEND_BYTES = 0x2100000, SEND_SIZE = 10 };
enum { KEY = 0, DOORBELL = 0x3000000, INDICES = 0x3100000, RING = 0x4000000, BUFFER = 0x40000000, TARGET = 0x8000 };

typedef struct wire_frame {
  uint8_t b[NIC_FRAME_MAX];
  size_t n;
} wire_frame;

typedef struct read_job {
  tlp_fields f;
  uint64_t due;
} read_job;

typedef struct bench bench;
struct bench {
  dut *d;
  pins p;
  mem *m;
  nic_self peer;
  nic_head h;  // what all frames to the NIC have in common, and the next PSN
  uint64_t cycle;
  // in
  wire_frame in[WAITING];  // a ring
  unsigned ins, at, gone;  // frames to go in, the present one, its bytes that have
  uint64_t first, last;    // cycles: of the first beat of frame `from`, the last beat of the last one
  unsigned from;
  bool hold;
  // out
  uint64_t beats_out, frames_out, out_first, out_last;
  unsigned out_from;
  bool out_mid;
  uint8_t out_head[3 * BEAT];  // the first bytes of the frame that leaves
  unsigned out_beat;
  void (*on_frame)(bench *b);  // 0, or who is told of each, with its last beat
  void *peer_of;
  // memory
  unsigned latency;
  read_job read[READS];
  unsigned reads, read_beat;
  uint64_t doorbells, bell_cycle;
  uint64_t stored_cycle;  // of the first write to a buffer since begin
  tlp_fields put;         // the write that is on the stream, its beats that have passed
  unsigned put_beat;
  void (*on_step)(bench *b);  // 0, or who looks at the pins in each cycle, before its edge
};

void nb_step(bench *b);
void nb_fail(bench *b, const char *what);
void nb_put(bench *b, uint32_t addr, uint64_t v);
uint64_t nb_get(bench *b, uint32_t addr);
void nb_setup(bench *b);
void nb_frame(bench *b, nic_head h, const uint8_t *pay);  // one more to go in, with the next PSN
void nb_begin(bench *b);                                  // no frames
void nb_run(bench *b);  // lets all of them in without a gap, and all that comes of them happen
unsigned nb_beats_of(size_t bytes);
void nb_xtq_put(bench *b, unsigned kernel, unsigned pay, bool ack);  // a message of 16 bytes of arguments, in one frame
void nb_row(const char *name, double value, const char *unit, double limit, const char *op, double target);

// bench_nic_load.c
void nb_load(bench *b);   // rates with memory of 1 to 200 cycles, both directions, loss
void nb_pairs(bench *b);  // rates by the number of queue pairs, and more reads than there is room for
void nb_tried(bench *b);  // what other parameters would bring

// bench_nic_life.c
void nb_life(bench *b);  // one XtqPut step by step, at both ends

// bench_nic_ctx.c
void nb_contexts(bench *b);  // contexts in memory: one, and streams
void nb_alone(bench *b);     // the one, without contexts

#endif
