/* SPDX-License-Identifier: Apache-2.0 */
/* Lockstep: time. The owner tells of each cycle (nic_cycle), and then both bounds of every timer are checked, and that
 * what the NIC has to do is done within a bound. rtl/nic/README.md, "Time", is the specification. Who never calls
 * nic_cycle gets no checks of time. */
#ifndef TOCSIN_NIC_TIME_H
#define TOCSIN_NIC_TIME_H

#include "tocsin/nic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What held the NIC up in a cycle from outside. */
enum {
  NIC_HELD_READ =
      1, /* a read or an atomic that it has asked for has not been answered, or all tags have been given up */
  NIC_HELD_DMA = 2, /* it offers a beat of a request to memory, and nobody takes it */
  NIC_HELD_WIRE = 4 /* likewise of a frame */
};

/* The jitter that is allowed, in cycles of which none is held (rtl/nic/README.md, "Time"). */
enum {
  NIC_TIME_WALK = 2, /* x NumQps + NIC_TIME_LOOK: the timer looks at one alarm a cycle, and then has the word */
  NIC_TIME_LOOK = 4, /* */
  NIC_TIME_TURN = 4, /* x NumQps: each other alarm that is due has a step of the requester */
  NIC_TIME_END = 2,  /* x Requests: an answer ends as many, a step each */
  NIC_TIME_PACKETS =
      8, /* packets that are under way inside: in nic_gather, or of other writers in front of an answer's bytes */
  NIC_TIME_HEAD = 8,       /* beats of a packet besides its bytes, at most */
  NIC_TIME_RX = 8,         /* from the last beat of a frame to its RetRx */
  NIC_TIME_LOG = 16,       /* x NumLogs: a log's task brings its template, a word a cycle, and asks */
  NIC_TIME_CPL = 2,        /* from the last beat of a completion to its verdict */
  NIC_TIME_SCAN = 1,       /* x ReadTags + NIC_TIME_SCAN: one tag a cycle is looked at */
  NIC_TIME_VISIT = 1024,   /* from one visit of a queue pair to the next (ECN-7) */
  NIC_TIME_VISIT_EACH = 4, /* x NumQps + NIC_TIME_VISIT_LATE: as much later a visit may be */
  NIC_TIME_VISIT_LATE = 8,
  NIC_TIME_MOVE = 16,      /* x (NIC_TIME_WORDS + 4 x Replay): each register that a save and a load read or write */
  NIC_TIME_WORDS = 31,     /* */
  NIC_TIME_MOVE_HELD = 3,  /* + 2 x Replay: of these, those that wait for a packet that is being decided on */
  NIC_TIME_MOVE_WALK = 16, /* x NumQps: the search for a place */
  NIC_TIME_CNP = 2         /* x NIC_CNP.TIME: a CNP that is owed leaves by then, and in its turn */
};
/* What these allow a requester: NIC_LATE in the specification. beat: bytes of one. */
uint64_t nic_time_packet(unsigned beat); /* the longest packet on an internal stream */
uint64_t nic_time_late(const nic_config *cfg, unsigned beat);
uint64_t nic_time_visit_late(const nic_config *cfg);          /* all cycles count */
uint64_t nic_time_move(const nic_config *cfg, unsigned beat); /* NIC_CTX_LATE: a save and a load */

/* NIC_CPL_TMO of a read whose request was first offered to memory in cycle `offered`: the first cycle in which it may
 * be given up, and the last one in which it is. A completion whose last beat comes NIC_TIME_CPL before the first, or
 * earlier, has come in time; one that begins in the last cycle, or later, is stray. The read's bytes are decided on
 * as bytes with err from the first on. */
uint64_t nic_time_give_up_first(uint32_t tmo, uint64_t offered);
uint64_t nic_time_give_up_last(uint32_t tmo, unsigned tags, uint64_t offered);

/* A cycle is over, and its records have been given. beat: bytes of a beat. held: NIC_HELD_... NIC_E_TIME: something has
 * not come in time, nic_reason says what. */
nic_status nic_cycle(nic *m, unsigned beat, unsigned held);

#ifdef __cplusplus
}
#endif
#endif
