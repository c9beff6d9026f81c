// SPDX-License-Identifier: Apache-2.0
// Directed cases: node 0 is the device under test with a handful of regions, tables, a queue and a buffer; node 1 has
// no part but its address, from which frames come. hostile.c and wiring.c are made of it. A case fails once, and
// everything after that does nothing.
#ifndef TOCSIN_COSIM_NIC_DIRECTED_H
#define TOCSIN_COSIM_NIC_DIRECTED_H

#include "cosim_nic.h"
#include "dut_node.h"
#include "sw.h"

enum {
  QP = 0,
  QP_OTHER = 1,  // of process 1
  EPSN = 0xfffffe,
  BUFFER = 0x800000,
  BUFFER_LEN = 0x800,
  RING = 0x900000,
  INDICES = 0x910000,
  DOORBELL = 0x910400,
  REGION = 0xa00000,
  WATCHED = 0x1000,
  KERNEL_1 = 1,
  FUNCTION_1 = 1,
  QUEUE_1 = 1,
  LOG2_SIZE = 2,
  SIGNAL = 0x12345678,
  CODE = 0x1000,
  TARGET = 0x2000
};

enum { INVALID = NIC_SYN_NAK | 1, ACCESS = NIC_SYN_NAK | 2, NOT_READY = NIC_SYN_RNR | 3 };

typedef struct stage {
  const nic_options *o;
  net *w;
  node *n;
  uint32_t psn, other;  // of QP, of QP_OTHER
  uint32_t asked[2];    // requests of their own
  unsigned answers;
  nic_head answer;  // the last one that left
  uint64_t bytes;   // of requests, with 64 each
  unsigned requests, cnps;
  bool acks;  // node 1 acknowledges
  uint8_t seen[3][WATCHED];
  const char *suite;
  bool ends;  // no good message behind the case
} stage;

typedef struct message {
  uint8_t b[64 + 512];
  nic_head h;
} message;

typedef struct directed_case {
  unsigned number;
  void (*run)(stage *s);
  const char *what;
} directed_case;

// congested.c, for the suite of hostile.c
void case_45(stage *s);
void case_46(stage *s);
void case_47(stage *s);
void case_48(stage *s);

// paged.c, for the same
void case_49(stage *s);
void case_50(stage *s);
void case_51(stage *s);
void case_52(stage *s);

// moved.c, for the same
void case_53(stage *s);

// contexts.c, for the same
void case_54(stage *s);
void case_55(stage *s);
void case_56(stage *s);
void case_57(stage *s);
void case_58(stage *s);
void case_59(stage *s);
void case_60(stage *s);
void case_61(stage *s);
void case_62(stage *s);

// nobody.c, for the same
void case_63(stage *s);

// doorbell.c, for the same
void case_64(stage *s);

// rooms.c, for the same
void case_65(stage *s);

// wiring.c, for its suite: an event ring of 2^size places, empty
void event_ring(stage *s, unsigned p, unsigned size);

// wiring_who.c, for the same
void who_we_are(stage *s);

// wiring_sends.c, for the same
void sends_given_up(stage *s);

// wiring_tasks.c, for the same
void tasks_of_logs(stage *s);
void msi_of_events(stage *s);

// Runs those of n cases that the list names ("29,31"; "all"), each on a machine of its own, with a good message at its
// end; the exit status.
int directed_run(const nic_options *o, const char *suite, const char *list, const directed_case *c, unsigned n);

// The hardware is reset in the middle of what it does; all else is new, and software begins anew.
void begin_again(stage *s);
void expect(stage *s, const char *what, uint64_t got, uint64_t want);
uint64_t counter(const stage *s, unsigned i);  // of the NIC
void run_for(stage *s, uint64_t cycles);
void settle(stage *s);       // until nothing is under way
void note_memory(stage *s);  // what memory is like; and it still is
void untouched(stage *s, const char *what);
// A frame from node 1; deliver: and settle.
void give(stage *s, nic_head h, const uint8_t *pay, bool spoil);
void deliver(stage *s, nic_head h, const uint8_t *pay, bool spoil);
nic_head to_qp(const stage *s, unsigned qp, uint8_t opcode);
message good(const stage *s, unsigned kind, unsigned args, unsigned pay);
bool event_of(stage *s, unsigned proc, sw_event *e);
bool event(stage *s, sw_event *e);  // of process 0
void taken(stage *s, const message *m, const char *what);
void refused(stage *s, nic_head h, const uint8_t *pay, unsigned syndrome, unsigned why, const char *what);
void refused_put(stage *s, const message *m, unsigned syndrome, unsigned why, const char *what);
void hand_over(stage *s, uint64_t write, uint64_t read);  // the queue, to the NIC
void serve(stage *s);                                     // the agent has seen to all: the queue is empty again
void one_good(stage *s);
#endif
