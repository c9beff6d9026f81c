// SPDX-License-Identifier: Apache-2.0
// Delegates between simulated processes, in the ways of sw/irregular/suite: one word or a few travel to their
// home and are heard there.
//
//   naive     an active put for each, waited for before the next
//   aa-one    an active put for each, `window` of them under way
//   mp        a message (SEND) for each
//   am        many in a message, which comes into one of TELL_BUFFERS receive buffers and is taken
//             apart by the processor
//   aa        many in an active put, which the IOMMU leaves in the log of its target
//   rma       none: the program does what it wants done by gets, puts and atomics (tell_chain)
//
// In an aggregate a delegate has the header of the runtime (tocsin/irregular/net.h: to, from, function, length), and
// the aggregate has one. It leaves when it has no room for another, or when all is to be said (tell_settle). With two
// levels a delegate goes first to the process of its own node that has the place of its home there, which adds it to
// what goes to that one node: a process has 31 and as many neighbours as there are nodes, instead of all others.
#ifndef TOCSIN_CLUSTER_TELL_H
#define TOCSIN_CLUSTER_TELL_H

#include "player.h"

enum {
  TELL_HEAD = 8,  // bytes of an aggregate's header, and of a delegate's
  TELL_WORD = 8,  // of what it says at least, and at most; these are whole words
  TELL_WORDS = 24,
  TELL_BUFFERS = 64,  // of NET_MTU bytes: for messages; the log has as many bytes
  TELL_RING = TELL_BUFFERS * NET_MTU,
  TELL_NEAR = 128 << 10,  // bytes of a process that are taken to lie in its caches, as those of counter.c do
  TELL_STEPS = 16
};

typedef enum tell_kind { TELL_PUT, TELL_MESSAGE, TELL_RMA } tell_kind;
enum { TELL_SAID = 1, TELL_CHAIN };  // what is in a slot, in x->d.under: delegates or a vote; an operation of a chain
typedef struct tell_way {
  const char *name;
  tell_kind kind;
  bool gathers, waits;
} tell_way;
const tell_way *tell_way_named(const char *name);  // NULL: there is none
// What of a run these programs take alike; else a sentence.
// `size`: bytes of what a delegate says.
const char *tell_refuses(const run *r, unsigned size);

// What waits for a neighbour.
typedef struct tell_lane {
  uint8_t *bytes;
  unsigned used, room;
} tell_lane;

typedef struct tell tell;
struct tell {
  player d;
  const tell_way *way;
  unsigned size;                                // bytes of what a delegate says
  void (*hear)(tell *x, const uint64_t *word);  // at its home; what it costs beside a step is owed there
  void (*over)(tell *x, unsigned slot);         // rma: a chain's operation is over; its slot has been made free
  void *own;                                    // the program's
  tell_lane *lane;                              // to each process
  unsigned *waiting, waits;                     // lanes with a whole aggregate
  uint8_t *slot_bytes, *ring, *pool;            // of aggregates under way; where they come
  unsigned since, taken;                        // delegates since it looked; messages that it has not given back
  uint32_t back;                                // bytes of the log that it has given back
  uint64_t sum[2][TELL_STEPS];                  // of votes, as they came
  bool came[2][TELL_STEPS];
  unsigned vote;
};

// Maps where delegates come; of each process, before anybody tells.
void tell_map(const run *r, net *n, net_proc *p, unsigned size);
tell *tell_open(const run *r, net *n, net_proc *p, unsigned size, void *own);
void tell_close(tell *x);

void tell_words(tell *x, unsigned to, const uint64_t *word);
void tell_now(tell *x, unsigned to);  // an aggregate of what waits for `to`
// A chain's next operation, in a free slot.
unsigned tell_free(tell *x);                            // a slot, waited for
uint64_t tell_done(tell *x, unsigned to, net_frame f);  // one operation alone: its answer
void tell_chain(tell *x, unsigned slot, unsigned to, net_frame f);
// Looks at what has come and what is over; waits for something if that is nothing.
void tell_turn(tell *x);
void tell_glance(tell *x);  // the same, and never waits
// When all have called it and it returns, every delegate that was told before has been heard.
void tell_settle(tell *x);
uint64_t tell_sum(tell *x, uint64_t mine);  // of all processes' numbers, when all have said theirs
double tell_line(const tell *x,
                 uint64_t bytes);  // a line of what has so many bytes at a process: in its caches, or not

// Parts of it: tell_come.c.
bool tell_look(tell *x);
void tell_give_back(tell *x);
bool tell_pump(tell *x);  // aggregates that are whole, into free slots
void tell_pass(tell *x, unsigned to, unsigned from, const uint64_t *word);
#endif
