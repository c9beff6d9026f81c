// SPDX-License-Identifier: Apache-2.0
// Plays a trace of a whole node (verif/traces/README.md) on anything that behaves like one: the golden model,
// the Verilated hardware, both. Keeps what caused what, not the clock: an input is played when what the record
// has before it has come.
//
//   player *p = player_new(file, name, &ops, ctx, memory, why, sizeof why);
//   bool good = p && player_all(p);       // the node calls player_frame_out for each frame that leaves it
//   player_free(p);
#ifndef TOCSIN_COSIM_TRACE_PLAYER_H
#define TOCSIN_COSIM_TRACE_PLAYER_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "mem.h"

typedef struct player player;

// The node. What returns a bool and says false has failed by itself, and has said why.
typedef struct player_ops {
  bool (*reg_write)(void *ctx, uint32_t addr, unsigned size, uint64_t v);
  bool (*reg_read)(void *ctx, uint32_t addr, unsigned size, uint64_t *v);
  bool (*frame)(void *ctx, const uint8_t *bytes, size_t n, bool fcs_bad, bool *taken);
  void (*poke)(void *ctx, uint64_t addr, const void *bytes, size_t n);  // software writes memory
  bool (*pass)(void *ctx);                                              // a little time
  bool (*quiet)(void *ctx);                                             // nothing is under way
  unsigned cycles;                                                      // of one `pass`
  unsigned patience;        // how often `pass`, until what is waited for is missing
  unsigned patience_again;  // for a frame that may come later or not at all
} player_ops;

// Reads the whole file; `memory` is what the node sees, and zero. NULL: why says what is wrong.
player *player_new(FILE *file, const char *name, const player_ops *ops, void *ctx, mem *memory, char *why, size_t whys);
void player_free(player *p);

// False: it is not as the trace has it (player_why), or the node has failed by itself (player_why is empty).
bool player_all(player *p);
const char *player_why(const player *p);

// No good frame, whoever it is for: what a trace says of such a one that comes in, so that a slip in the file is seen.
bool player_frame_bent(const uint8_t *bytes, size_t n);

// A frame has left the node.
void player_frame_out(player *p, const uint8_t *bytes, size_t n);

// A parameter that the trace needs; false: it does not say.
bool player_parameter(const player *p, const char *name, uint64_t *value);
unsigned player_parameters(const player *p);  // how many it needs

// What has been played, and what has come.
typedef struct player_count {
  uint64_t writes, reads, frames_in, frames_out, again, acks_left_out, acks_more, checks;
} player_count;
player_count player_counts(const player *p);

// For printf: what has been played.
#define PLAY_COUNT_FORMAT                                                                            \
  "%" PRIu64 " register writes, %" PRIu64 " reads, %" PRIu64 " frames in, %" PRIu64 " out (%" PRIu64 \
  " again; ACKs: %" PRIu64 " left out, %" PRIu64 " more), %" PRIu64 " checks of memory"
#define PLAY_COUNT(k) k.writes, k.reads, k.frames_in, k.frames_out, k.again, k.acks_left_out, k.acks_more, k.checks
#endif
