// SPDX-License-Identifier: Apache-2.0
// What all programs do alike: a process that keeps requests under way in slots, looks at what has come for it,
// and waits when there is nothing to do. Its own work is charged to `owe`, and takes its time when it posts
// a request or waits.
#ifndef TOCSIN_CLUSTER_PLAYER_H
#define TOCSIN_CLUSTER_PLAYER_H

#include "run.h"

enum { PLAYER_LINE = 64 };

// What ends a wait beside a slot that is ready: nothing; all news; while something is left to be begun, news of a log
// that has half of NODE_LOG_BYTES, and then all.
typedef enum player_ear { PLAYER_DEAF, PLAYER_HEARS, PLAYER_HALF } player_ear;

typedef struct player player;
typedef struct player_does {
  bool (*begin)(player *d, unsigned slot);        // what comes next, in a free slot; false: that was nothing after all
  void (*over)(player *d, unsigned slot);         // an answer or acknowledgement has come
  void (*message)(player *d, uint32_t at);        // the at-th buffer and event have one
  void (*record)(player *d, const uint8_t *rec);  // of a put or get in the log; NULL: nobody reads the log
  player_ear ear;                                 // what ends a wait
  bool looks;                                     // for messages, whether there are any or not: each look costs a step
  bool defers;   // what it owes takes its time with the next request, and not before it looks again
  bool highest;  // of free slots; else the lowest
} player_does;

struct player {
  const player_does *does;
  const run *r;
  net *n;
  net_proc *p;
  share *s;
  void *own;                   // the program's
  unsigned under[NET_WINDOW];  // parts of what is in a slot that are not over; 0: it is free
  unsigned left, busy;         // not begun; slots that are not free
  unsigned done, expected;     // of what others make it do
  uint32_t seen;               // the log's end as it was told
  double owe;                  // ns
  uint64_t line;               // of a ring that a device writes: loaded last
};

// A process's own, with nothing to do yet. `own` is the program's.
player player_new(const run *r, net *n, net_proc *p, const player_does *does, void *own);

// Until nothing is left or under way and all that is expected is done; what is owed by then, if that
// is deferred, still is.
void player_play(player *d);

void player_spend(player *d);  // what it owes
void player_post(player *d, unsigned slot, unsigned to, net_frame f);
void player_load(player *d, uint64_t at);  // a byte of a ring: a line of memory each time that a new one is reached
void player_wait(player *d, player_ear ear);
bool player_ends(player *d);              // looks at the slots; true: one was ready
unsigned player_unused(const player *d);  // a free slot of the window; NET_WINDOW: none
// The next of the news that have come by then; false: none.
bool player_news(player *d, double now, net_news *e);
#endif
