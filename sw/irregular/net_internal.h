// SPDX-License-Identifier: Apache-2.0
// The parts of a rank. Below: a peer is a neighbour, a lane one kind of message to or from it.
//
//   net.c      opening, closing, faces          lane.c     queues, aggregates that leave, credit
//   send.c     delegates, tickets, polling      arrive.c   aggregates that come, put together and taken apart
//   gone.c     neighbours that are silent       home.c     functions that are built in, and their memory
//   accel.c    aggregates that come as tasks, the kernel that runs them, and the lock of the rank
#ifndef TOCSIN_IRREGULAR_NET_INTERNAL_H
#define TOCSIN_IRREGULAR_NET_INTERNAL_H

#include <pthread.h>

#include "tocsin/active.h"
#include "tocsin/irregular/paged.h"
#include "tocsin/agent.h"
#include "tocsin/irregular/net.h"

// Where neighbours put aggregates: nothing is mapped there. Two pages for each, requests and answers.
#define PAGES_AT 0x690000000000ULL

enum { REQUEST, ANSWER, LANES };
enum { ASKS = 0x8000, NOTICE = 0xffff, PAGE = 4096, WINDOW_MOST = 16, OWN_BYTES = 8192 };

// As on the wire. length: bytes of arguments or answer, and ASKS if a ticket stands before them. function: of an answer
// its irr_status, or NOTICE.
typedef struct message {
  uint16_t to, from, function, length;
} message;

typedef struct head {
  uint16_t bytes, from;  // of the aggregate, with this; the neighbour that sends it
  uint32_t number;       // of the aggregate in its lane
} head;

// Aggregates to a neighbour. The open one is filled in its place in DMA memory, slot closed % window.
typedef struct lane {
  uint8_t *slots;
  toc_req req[WINDOW_MOST];
  uint32_t closed, taken;  // put so far; of them, taken apart there. They only grow
  uint32_t used, count;    // bytes and messages of the open one
  uint64_t since;          // when its first message came
} lane;

// Aggregates from a neighbour, kept whole until each of their messages has found room. Of tasks the kernel counts those
// that have come and reads those that are taken, without the rank's lock: both are atomic, and so is bad.
typedef struct inbound {
  uint8_t *hold;
  uint32_t come, at;     // whole ones; bytes of the next
  uint32_t taken, next;  // taken apart; where the next message of the one after them is
  bool bad;              // what came is no aggregate, and nobody has taken note of that yet
  uint32_t told;         // of taken, to the neighbour
  uint64_t since;        // when the first of those that it was not told of was taken
} inbound;

typedef struct peer {
  irr_net *net;
  unsigned rank;
  bool connected, gone, failed;  // failed: a request to it did; it is gone soon
  toc_qp *qp;
  lane out[LANES];
  inbound in[LANES];
  toc_remote pages, credit;      // there
  uint32_t process, task;        // there
  volatile uint64_t *credit_in;  // what it has taken apart: requests below, answers above
  uint64_t *credit_out;
  toc_req credit_req;
  uint32_t awaited;  // answers that have to come from there
  uint64_t heard;    // sign of life
  unsigned notices;  // of net->notice, that it was told of
} peer;

typedef struct ticket {
  irr_done *done;
  void *arg;
  irr_status *status;
  void *into;
  uint32_t into_bytes, generation, next;
  uint16_t to;
  bool open;
} ticket;

typedef struct range {
  uint64_t base, bytes;
} range;

typedef struct notice {
  uint32_t first, past;  // ranks that are gone
} notice;

// Of IRR_BY_TASK.
typedef struct accel {
  bool on;
  xtq_queue *queue;
  toc_agent *agent;
  uint8_t *buffers;  // each for one task
  unsigned count;
  uint32_t number;  // of kernel and queue
  bool registered;
  pthread_mutex_t home;  // of all that the net has; recursive, since delegates and completions call the net again
  unsigned depth;        // of who has it
  bool inside;           // it is the kernel's, or of one who runs what the kernel has left
  bool rung;             // atomic: something has come since somebody looked
} accel;

struct irr_net {
  irr_net_options o;
  irr_topology shape;
  toc_fabric *f;
  toc_proc *p;
  toc_log *log;
  unsigned peers;
  peer *peer;
  uint8_t *slots, *hold;
  uint64_t *credit;  // peers words that neighbours write, as many that we put
  toc_remote pages_at, credit_at;
  uint64_t now;
  bool polling;
  irr_status broken;  // the log
  bool *is_gone;      // by rank
  notice *notice;
  unsigned notices;
  ticket *ticket;
  uint32_t free_ticket, tickets_open;
  irr_function function[IRR_FUNCTIONS];
  uint64_t args[IRR_ARGS_MOST / 8];
  irr_answer answer;
  uint8_t *own;                   // delegates for this rank that were sent from inside one
  uint32_t own_used, own_next;    // next: behind the one that runs
  irr_later *later, **later_end;  // in the order in which they came
  uint8_t *share;
  uint64_t share_bytes;
  irr_paged *store;  // in which the share lies, or NULL
  accel a;
  range *exported;
  unsigned exports;
  irr_traffic n;
  uint64_t unknown;  // delegates that ended here because no function has their number
};

// lane.c. A message of `bytes` (with all that stands before them) has room, or would have after a flush
// that this does then.
bool irr_i_lane_room(peer *p, unsigned l, uint32_t bytes);
// ticket: NULL if the message has none. false: no room.
bool irr_i_lane_add(peer *p, unsigned l, const message *m, const uint64_t *word, const void *bytes);
void irr_i_lane_flush(peer *p, unsigned l, irr_flush_cause cause);
void irr_i_lane_age(peer *p);
bool irr_i_lanes_idle(peer *p);
void irr_i_credit(peer *p);
void irr_i_credit_put(peer *p);
uint32_t irr_i_length(const message *m);
uint32_t irr_i_message_bytes(const message *m);

// arrive.c
toc_handler irr_i_arrive;
bool irr_i_take_apart(peer *p, unsigned l);
bool irr_i_own(irr_net *net);

// send.c
peer *irr_i_way(irr_net *net, unsigned to);
irr_status irr_i_run(irr_net *net, const message *m, const void *args);
void irr_i_end(irr_net *net, uint64_t word, irr_status s, const void *answer, uint32_t bytes);
void irr_i_end_gone(irr_net *net);
bool irr_i_net_quiet(const irr_net *net,
                     unsigned questions);         // only so many answers are waited for, and nothing is kept
irr_status irr_i_net_broken(const irr_net *net);  // what has broken the log or the store, for good; IRR_OK: nothing
uint64_t irr_i_net_unknown(const irr_net *net);   // delegates that ended here since no function has their number
void irr_i_net_probe(irr_net *net, unsigned to);  // whether the way there is gone, though nothing is owed from there

// paged.c: what has broken a store, for good; errno says why if it is IRR_E_FILE
irr_status irr_i_paged_broken(const irr_paged *s);

// accel.c. enter, leave: around each function of net.h; without tasks they do nothing.
irr_status irr_i_accel_open(irr_net *net);
void irr_i_accel_close(irr_net *net);
toc_status irr_i_accel_send(peer *p, const void *aggregate, uint32_t bytes, toc_req *r);
void irr_i_enter(irr_net *net);
void irr_i_leave(irr_net *net);

// net.c: NULL if it is none
peer *irr_i_neighbour(irr_net *net, unsigned to);

// gone.c
void irr_i_mark_gone(irr_net *net, unsigned first, unsigned past);
void irr_i_watch(peer *p);
void irr_i_tell(peer *p);

// home.c
void irr_i_home(irr_net *net);
#endif
