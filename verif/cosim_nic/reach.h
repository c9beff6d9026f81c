// SPDX-License-Identifier: Apache-2.0
// The NIC's functional points (verif/cosim/points.h), counted on the nodes that are hardware, or on all where none is. Bounds are those
// of the runs of TOP=xtq in `make test`; the last column is the least of those of TOP=tocsin.
#ifndef TOCSIN_COSIM_NIC_REACH_H
#define TOCSIN_COSIM_NIC_REACH_H

#include "points.h"
#include "tocsin/nic.h"

#define NIC_POINTS(X)                                        \
  X(REACH_AT_REST, "at rest: nothing is owed", 10, 0, 1)     \
  X(REACH_AHEAD, "frame ahead", 1, 0, 1)                     \
  X(REACH_DUP, "frame again", 1, 0, 1)                       \
  X(REACH_INVALID, "request invalid", 1, 0, 1)               \
  X(REACH_ACCESS, "request refused by its region", 1, 0, 1)  \
  X(REACH_NOT_READY, "request not ready", 1, 0, 1)           \
  X(REACH_NO_ROOM, "no room for a response", 1, 0, 0)        \
  X(REACH_STALE, "answer stale", 1, 0, 1)                    \
  X(REACH_BACK, "answer: back", 1, 0, 1)                     \
  X(REACH_END, "answer: end", 1, 0, 1)                       \
  X(REACH_RNR_OVER, "time of an RNR NAK over", 1, 0, 1)      \
  X(REACH_NO_PROGRESS, "no progress: back", 1, 0, 1)         \
  X(REACH_GIVEN_UP, "no progress: given up", 1, 0, 0)        \
  X(REACH_BY_ITSELF, "request ends without answer", 1, 0, 1) \
  X(REACH_LOST, "packet that could not be read", 1, 0, 0)    \
  X(REACH_QUIET, "queue pair off or on", 1, 0, 1)

#define NIC_POINT_NAME(id, name, least, most, behind) id,
#define NIC_POINT_OF(id, name, least, most, behind) {name, least, most},
#define NIC_POINT_BEHIND(id, name, least, most, behind) {name, behind, most},
enum { NIC_POINTS(NIC_POINT_NAME) REACH_NUM };

struct node;
void reach(const struct node *n, unsigned point);
void reach_retired(const struct node *n, const nic_retire_rec *r);

#endif
