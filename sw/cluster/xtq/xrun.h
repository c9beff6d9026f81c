// SPDX-License-Identifier: Apache-2.0
// One run: what is asked for, what each process does in it, and what came of it.
//
// An operation is a list of steps of each process. In a step it sends a part of its vector, gets one, or both; what it
// gets in a step that adds is added to its vector, by the processor or by its accelerator, else it replaces what is
// there. A step sends what the steps before it have made, so it waits for them; in chunks (`parts`) it waits for the
// same chunk of the step before.
#ifndef TOCSIN_CLUSTER_XRUN_H
#define TOCSIN_CLUSTER_XRUN_H

#include "xnet.h"

typedef enum x_how { X_BY_CPU, X_BY_HSA, X_BY_XTQ, X_HOWS } x_how;
typedef enum x_what { X_AS_ACCUMULATE, X_AS_REDUCE, X_AS_RING, X_AS_HALVING, X_WHATS } x_what;
enum { X_STEPS = 2100, X_PARTS_MOST = 64 };

typedef struct xrun {
  const char *program;
  x_what what;
  x_how how;
  bool sync;  // an XtqPut waits until its target has said that it is ready
  unsigned procs, parts, cores, rounds, warm;
  uint64_t bytes, seed;
  double compute, slice;  // ns of the application's own work beside each operation, in slices of so much
} xrun;

typedef struct x_step {
  int to, from;      // processes, -1: none
  bool adds, whole;  // whole: chunks wait for all of the steps before
  uint64_t send_at, send_bytes, recv_at, recv_bytes;
  uint64_t stage_at;  // where what is to be added waits for the processor, here and at whoever else it is sent to
} x_step;

// A process's steps; returns how many.
unsigned x_schedule(const xrun *r, unsigned me, x_step *s);
// Says where what is to be added waits; returns how many bytes that takes.
uint64_t x_stage(const xrun *r, x_step *s, unsigned steps);
unsigned x_chunks(const xrun *r, uint64_t bytes);
// The n-th chunk of `bytes`, in whole lines but for the last.
void x_chunk(const xrun *r, uint64_t bytes, unsigned n, uint64_t *at, uint64_t *size);

// Its vector before the first operation; whether it is right after all of them.
void x_fill(const xrun *r, unsigned me, uint64_t *v);
uint64_t x_wrong(const xrun *r, unsigned me, const uint64_t *v, uint64_t *digest);

typedef struct x_phase {
  double post, wire, store, handle, read, kernel, seen;
} x_phase;

typedef struct x_share {
  double begin, end, busy;
  uint64_t wrong, digest, adds;
  x_phase phase;
} x_share;

typedef struct x_player x_player;
x_player *x_player_new(const xrun *r, x_net *n, unsigned me);
void x_connect_all(const xrun *r, x_net *n);  // by one process, before any player is made
void x_player_round(x_player *p, x_share *s, bool counts);
#endif
