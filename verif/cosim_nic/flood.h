// SPDX-License-Identifier: Apache-2.0
// What flood.c, which plays floods and judges them, and floods.c, which knows what they are, have in common.
#ifndef TOCSIN_COSIM_NIC_FLOOD_H
#define TOCSIN_COSIM_NIC_FLOOD_H

#include "net.h"
#include "sw.h"

enum { EACH = 4, QPS = 3, PEER = 0, OTHER = EACH, MUTE = 2 * EACH };  // room for the rings between
enum {
  REQUESTS = 256,
  LOG2_REQUESTS = 8,
  SLOT = 0x800,
  LONG = 2000,
  SHORT = 64,
  MTU_1024 = 3,
  MTU = 1024,
  TIMEOUT = 14,
  NEVER = 31
};
enum {
  FIRST = 0xfffff0,
  FAR_FIRST = 0x500000,
  PAYLOAD = 64,
  READ_BYTES = 4096,
  UNDER_WAY = 16,
  BEAT = 32,
  BURST = 16,
  ANSWER = 86
};
enum { FAST = 2000, SLOW = 200, GAP = 200, BEYOND = 80, PATIENCE = 400000 };

enum { WRITE, READ, WRITE_SHORT, ADD, KINDS };  // of good requests

struct flood;
typedef struct kind {
  const char *name;
  unsigned qp;
  void (*make)(struct flood *f, nic_head *h);
  struct owed {  // for each frame RDMA makes us send so much; 0: nothing, we send no more than comes
    unsigned frames, bytes;
  } fast, slow;  // at the wire's rate; one at a time, with time for what it asks for
} kind;

typedef struct count {
  uint64_t frames, bytes;
} count;

typedef struct flood {
  net *w;
  const kind *k;
  unsigned all, gap;
  uint64_t due, first, last;              // cycles: of the next, of what has been sent
  count in, acks, data;                   // of the flood; of node 0: ACKs and NAKs, and all else
  count asked, repeats;                   // by node 1: ACKs; answers to reads and atomics that it has asked for before
  uint32_t oldest[2][QPS], next[2][QPS];  // of a node's requests: not known to have come, not sent yet
  uint32_t atomic;                        // of node 1's, the last one that has been answered
  unsigned ended[2][QPS], busy;           // busy: good requests that had not ended when the flood had
} flood;

extern const kind flood_kinds[];
extern const unsigned flood_kind_count;

static inline int32_t ahead(uint32_t psn, uint32_t of) { return (int32_t)((psn - of) << 8) >> 8; }
static inline uint32_t psn_at(uint32_t from, int32_t d) { return (from + (uint32_t)d) & 0xffffff; }
static inline uint64_t far_at(unsigned qp, unsigned k) { return SW_REMOTE + 0x20000 * qp + SLOT * k; }
#endif
