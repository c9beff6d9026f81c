// SPDX-License-Identifier: Apache-2.0
// The NIC's functional points (verif/cosim/points.h), counted on the nodes that are hardware, or on all where none is.
// Bounds are those of the runs of `make test` that count together (`--points`, `--bounds`).
#ifndef TOCSIN_COSIM_NIC_REACH_H
#define TOCSIN_COSIM_NIC_REACH_H

#include "points.h"
#include "tocsin/nic.h"

// Reached: the least of the runs of `make test`: of `default`, of one run of `small` or `wide`, of TOP=tocsin.
// X(number, name, default, each, tocsin)
#define NIC_POINTS(X)                                                                  \
  X(REACH_AT_REST, "at rest: nothing is owed", 10, 0, 1)                               \
  X(REACH_RING_8, "event ring of 8 places: event written", 10, 0, 0)                   \
  X(REACH_RING_4, "event ring of 4 places: event written", 10, 0, 0)                   \
  X(REACH_RING_2, "event ring of 2 places: event written", 10, 0, 0)                   \
  X(REACH_RING_1, "event ring of 1 place: event written", 1, 0, 0)                     \
  X(REACH_NO_PLACE, "refused for want of a place in the event ring", 1, 0, 0)          \
  X(REACH_REGION_GONE, "region taken away in mid-message", 1, 0, 0)                    \
  X(REACH_EXACT_FIT, "message fills its receive buffer to the byte", 1, 0, 0)          \
  X(REACH_RECV, "message received", 10, 0, 1)                                          \
  X(REACH_RECV_NONE, "message of no bytes received", 1, 0, 0)                          \
  X(REACH_RECV_LONG, "message of more than 4096 bytes received", 1, 0, 0)              \
  X(REACH_RECV_IMM, "message with immediate received", 1, 0, 1)                        \
  X(REACH_RECV_INV, "message received that invalidates a region", 1, 0, 0)             \
  X(REACH_RECV_LOST, "message given up after its first packet", 1, 0, 0)               \
  X(REACH_WITHDRAWN, "receive buffers withdrawn in motion", 1, 0, 0)                   \
  X(REACH_UNFIT, "operation that nothing takes", 1, 0, 0)                              \
  X(REACH_TOO_LONG, "SEND outgrows its buffer", 1, 0, 0)                               \
  X(REACH_NO_BUFFER, "SEND without a buffer", 1, 0, 0)                                 \
  X(REACH_CPL_1, "read answered in 1 piece", 1, 0, 0)                                  \
  X(REACH_CPL_2, "read answered in 2 pieces", 1, 0, 0)                                 \
  X(REACH_CPL_4, "read answered in 3 or 4 pieces", 1, 0, 0)                            \
  X(REACH_CPL_MORE, "read answered in 5 pieces or more", 1, 0, 0)                      \
  X(REACH_CPL_OVERTAKES, "read answered before an older one", 1, 0, 0)                 \
  X(REACH_CPL_MIXED, "piece between two pieces of another read", 1, 0, 0)              \
  X(REACH_CPL_LAST_MOMENT, "read answered in the last moment of NIC_CPL_TMO", 1, 0, 0) \
  X(REACH_CPL_GIVEN_UP, "read given up: no answer in NIC_CPL_TMO", 1, 0, 0)            \
  X(REACH_CPL_LATE, "completion of a read that was given up", 1, 0, 0)                 \
  X(REACH_CPL_MALFORMED, "malformed completion", 1, 0, 0)                              \
  X(REACH_CPL_STRAY, "completion that nobody has asked for", 1, 0, 0)                  \
  X(REACH_TAG_FREED, "tag given up, and freed by NIC_TAG_FREE", 1, 0, 0)               \
  X(REACH_RETRY_0, "given up at RETRY 0", 1, 0, 0)                                     \
  X(REACH_RETRY_1, "given up at RETRY 1", 1, 0, 0)                                     \
  X(REACH_RETRY_2, "given up at RETRY 2", 1, 0, 0)                                     \
  X(REACH_RNR_0, "RNR wait or end at RNR_RETRY 0", 1, 0, 0)                            \
  X(REACH_RNR_1, "RNR wait or end at RNR_RETRY 1", 1, 0, 0)                            \
  X(REACH_RNR_2, "RNR wait or end at RNR_RETRY 2", 1, 0, 0)                            \
  X(REACH_RNR_3, "RNR wait or end at RNR_RETRY 3", 1, 0, 0)                            \
  X(REACH_RNR_4, "RNR wait or end at RNR_RETRY 4", 1, 0, 0)                            \
  X(REACH_RNR_5, "RNR wait or end at RNR_RETRY 5", 1, 0, 0)                            \
  X(REACH_RNR_6, "RNR wait or end at RNR_RETRY 6", 1, 0, 0)                            \
  X(REACH_RNR_7, "RNR wait or end at RNR_RETRY 7", 1, 0, 0)                            \
  X(REACH_RNR_END, "request ended with Rnr", 1, 0, 0)                                  \
  X(REACH_AHEAD, "frame ahead", 1, 0, 1)                                               \
  X(REACH_DUP, "frame again", 1, 0, 1)                                                 \
  X(REACH_INVALID, "request invalid", 1, 0, 1)                                         \
  X(REACH_ACCESS, "request refused by its region", 1, 0, 1)                            \
  X(REACH_NOT_READY, "request not ready", 1, 0, 1)                                     \
  X(REACH_NO_ROOM, "no room for a response", 100, 0, 0)                                \
  X(REACH_ABSENT, "read that meets an absent page", 1, 0, 0)                           \
  X(REACH_ABSENT_LATER, "absent page behind other packets of its read", 1, 0, 0)       \
  X(REACH_ABSENT_ATOMIC, "atomic that meets an absent page", 1, 0, 0)                  \
  X(REACH_TAKEN_AGAIN, "write that had been done behind an absent page", 1, 0, 0)      \
  X(REACH_STALE, "answer stale", 1, 0, 1)                                              \
  X(REACH_BACK, "answer: back", 1, 0, 1)                                               \
  X(REACH_END, "answer: end", 1, 0, 1)                                                 \
  X(REACH_RNR_OVER, "time of an RNR NAK over", 1, 0, 1)                                \
  X(REACH_NO_PROGRESS, "no progress: back", 1, 0, 1)                                   \
  X(REACH_GIVEN_UP, "no progress: given up", 1, 0, 0)                                  \
  X(REACH_BY_ITSELF, "request ends without answer", 1, 0, 1)                           \
  X(REACH_LOST, "packet that could not be read", 1, 0, 0)                              \
  X(REACH_QUIET, "queue pair off or on", 1, 0, 1)                                      \
  X(REACH_MARKED, "marked frame over IPv4", 10, 0, 1)                                  \
  X(REACH_MARKED_IP6, "marked frame over IPv6", 10, 0, 1)                              \
  X(REACH_CNP_SENT, "CNP sent", 10, 0, 1)                                              \
  X(REACH_CNP_CAME, "CNP received", 10, 0, 1)                                          \
  X(REACH_CUT, "rate cut", 10, 0, 1)                                                   \
  X(REACH_CUT_IN_VAIN, "rate cut, MIN is FULL", 1, 0, 0)                               \
  X(REACH_CALM, "ALPHA falls", 10, 0, 1)                                               \
  X(REACH_RAISED, "rate raised to the old target", 10, 0, 1)                           \
  X(REACH_RAISED_ADD, "rate raised to a target of ADD more", 1, 0, 0)                  \
  X(REACH_RAISED_HYPER, "rate raised to a target of HYPER more", 1, 0, 0)              \
  X(REACH_BOTH, "rate raised and ALPHA falls at once", 1, 0, 0)                        \
  X(REACH_FULL_AGAIN, "queue pair no longer slow", 1, 0, 0)                            \
  X(REACH_HELD, "packet held back", 10, 0, 0)                                          \
  X(REACH_IP6, "request or answer over IPv6", 10, 0, 10)                               \
  X(REACH_VLAN, "request or answer with a VLAN tag", 10, 0, 10)                        \
  X(REACH_IP6_VLAN, "request or answer over IPv6 with a VLAN tag", 10, 0, 10)          \
  X(REACH_FREE, "cycles in which nothing held the NIC up", 300000, 10000, 10000)       \
  X(REACH_DUE_FRAME, "owed, nothing held up: frame without RetFrame", 100, 1, 1)       \
  X(REACH_DUE_RESPONSE, "owed, nothing held up: response", 100, 1, 1)                  \
  X(REACH_DUE_EVENT, "owed, nothing held up: event", 100, 1, 1)                        \
  X(REACH_DUE_TASK, "owed, nothing held up: task of an access log", 10, 0, 0)          \
  X(REACH_DUE_ACK, "owed, nothing held up: acknowledgement", 100, 1, 1)                \
  X(REACH_DUE_CNP, "owed, nothing held up: CNP", 1, 0, 0)                              \
  X(REACH_DUE_QUIET, "owed, nothing held up: TmQuiet", 100, 1, 1)                      \
  X(REACH_DUE_SEND, "owed, nothing held up: entry to be read", 100, 1, 1)              \
  X(REACH_DUE_TX, "owed, nothing held up: packet to be sent", 100, 1, 1)               \
  X(REACH_DUE_MSI, "owed, nothing held up: MSI", 10, 0, 0)                             \
  X(REACH_DUE_TABLE, "owed, nothing held up: command on the tables", 10, 0, 0)         \
  X(REACH_FREE_NO_PROGRESS, "time-out of a request, nothing held up", 1, 0, 0)         \
  X(REACH_FREE_RNR, "end of an RNR wait, nothing held up", 10, 0, 0)                   \
  X(REACH_FIRST_FRAME, "first cycle out of reset: frame", 5, 1, 1)                     \
  X(REACH_FIRST_CPL, "first cycle out of reset: completion", 1, 0, 0)                  \
  X(REACH_FIRST_TASK, "first cycle out of reset: notice of a log", 1, 0, 0)            \
  X(REACH_FIRST_WRITE, "first cycle out of reset: register written", 1, 0, 1)          \
  X(REACH_FIRST_READ, "first cycle out of reset: register read", 1, 0, 0)

// What lockstep lets pass, since no record tells when exactly hardware decided on it, and requests that may end badly:
// the most that the runs of these may count. X(number, name, default, each, many, tocsin, tocsin with contexts)
#define NIC_EXCUSES(X)                                                                                          \
  X(REACH_EXCUSE_PLACE, "excused: event ring full before its records", 400, 50, 80, 150, 40)                    \
  X(REACH_EXCUSE_ROOM, "excused: response's room not yet free", 20, 10, 10, 10, 10)                             \
  X(REACH_EXCUSE_REGISTER, "excused: register read between two ends", 10, 5, 10, 10, 10)                        \
  X(REACH_EXCUSE_EPOCH, "excused: packet or entry of an old epoch", 800, 80, 120, 400, 120)                     \
  X(REACH_EXCUSE_PASSED, "excused: packet acknowledged before its record", 80, 25, 50, 20, 20)                  \
  X(REACH_EXCUSE_WAIT, "excused: packet in an RNR wait", 200, 80, 60, 200, 40)                                  \
  X(REACH_EXCUSE_POWER, "excused: packet or entry of before off or on", 250, 60, 40, 80, 30)                    \
  X(REACH_EXCUSE_READ, "excused: read that no decision has needed", 2600, 1500, 250, 100, 60)                   \
  X(REACH_EXCUSE_CONTEXT, "excused: context that was read again", 1, 1, 70, 1, 20)                              \
  X(REACH_EXCUSE_SEEN, "excused: index of a full queue, known before", 4, 4, 4, 4, 4)                           \
  X(REACH_EXCUSE_LOOKS, "excused: look-ups counted before their record", 2, 5, 2, 2, 2)                         \
  X(REACH_EXCUSE_LOOKS_LOST, "excused: look-ups before a queue pair went off", 2, 4, 2, 2, 2)                   \
  X(REACH_EXCUSE_ERR, "excused: item with err that nobody has needed", 40, 15, 10, 10, 10)                      \
  X(REACH_EXCUSE_STRAY, "excused: stray beside the clear of its counter", 4, 2, 4, 2, 2)                        \
  X(REACH_EXCUSE_CROWDED, "excused: response's room not yet free, in case 65", 60, 1, 1, 1, 1)                  \
  X(REACH_EXCUSE_RECONNECT, "excused: request ended by failing memory, or a reconnection", 100, 40, 20, 10, 10) \
  X(REACH_EXCUSE_LOST, "excused: timeout, each try lost or without room", 30, 5, 10, 10, 10)                    \
  X(REACH_EXCUSE_LATE, "excused: timeout, slow or lost reads held the peer up", 20, 5, 10, 10, 10)              \
  X(REACH_EXCUSE_RNR, "excused: Rnr at a small RNR_RETRY, peer not ready", 60, 20, 60, 60, 60)                  \
  X(REACH_ASKED_RECONNECT, "excused, asked: failing memory, or a reconnection", 80, 30, 20, 10, 10)             \
  X(REACH_ASKED_LOST, "excused, asked: each try lost or without room", 30, 5, 20, 10, 10)                       \
  X(REACH_ASKED_LATE, "excused, asked: held up by slow or lost reads", 10, 5, 10, 10, 10)                       \
  X(REACH_ASKED_RNR, "excused, asked: Rnr at a small RNR_RETRY, not ready", 90, 30, 60, 40, 20)

// With contexts in memory: of the runs of the configuration `many`, whose other points have no lower bound.
#define NIC_CTX_POINTS(X)                                                         \
  X(REACH_CTX_FRAME, "context loaded for a frame", 10, 0, 10)                     \
  X(REACH_CTX_BELL, "context loaded for a bell", 10, 0, 10)                       \
  X(REACH_CTX_BEHIND, "context loaded while another frame waits behind", 1, 0, 0) \
  X(REACH_CTX_SAVED, "context saved", 10, 0, 10)                                  \
  X(REACH_CTX_CLOSED, "context found closed", 1, 0, 0)                            \
  X(REACH_CTX_BROKEN, "context broken", 1, 0, 0)                                  \
  X(REACH_CTX_NO_PLACE, "frame without a place", 1, 1000, 1)                      \
  X(REACH_CTX_CLOSE_IN, "context closed in a place", 1, 0, 1)                     \
  X(REACH_CTX_CLOSE_OUT, "context closed in no place", 1, 0, 0)                   \
  X(REACH_CTX_ANSWERS, "stored answers loaded", 1, 0, 1)                          \
  X(REACH_CTX_SLOW, "slow queue pair saved", 1, 0, 0)                             \
  X(REACH_CTX_REFUSED, "software's write to a place", 1, 0, 0)

#define NIC_POINT_NAME(id, name, ...) id,
enum { NIC_POINTS(NIC_POINT_NAME) NIC_EXCUSES(NIC_POINT_NAME) NIC_CTX_POINTS(NIC_POINT_NAME) REACH_NUM };

// The list of a program, by its configuration.
#define NIC_POINT_FREE(id, name, ...) {name, 0, 0},
#define NIC_POINT_DEFAULT(id, name, deflt, each, tocsin) {name, deflt, 0},
#define NIC_POINT_EACH(id, name, deflt, each, tocsin) {name, each, 0},
#define NIC_POINT_TOCSIN(id, name, deflt, each, tocsin) {name, tocsin, 0},
#define NIC_EXCUSE_DEFAULT(id, name, deflt, each, many, tocsin, both) {name, 0, deflt},
#define NIC_EXCUSE_EACH(id, name, deflt, each, many, tocsin, both) {name, 0, each},
#define NIC_EXCUSE_MANY(id, name, deflt, each, many, tocsin, both) {name, 0, many},
#define NIC_EXCUSE_TOCSIN(id, name, deflt, each, many, tocsin, both) {name, 0, tocsin},
#define NIC_EXCUSE_BOTH(id, name, deflt, each, many, tocsin, both) {name, 0, both},
#define NIC_CTX_OF(id, name, least, most, behind) {name, least, most},
#define NIC_CTX_BEHIND(id, name, least, most, behind) {name, behind, most},

struct node;
void reach(const struct node *n, unsigned point);
void reach_retired(struct node *n, const nic_retire_rec *r);
void reach_moved(struct node *n, const nic_retire_rec *r);  // a record as the hardware has it
void reach_held(const struct node *n, unsigned held);       // each cycle in lockstep: do upper bounds apply?
void reach_excuses(const struct node *n);  // at the end of a run in lockstep: what the model and it have let pass

#endif
