// SPDX-License-Identifier: Apache-2.0
/* The virtual topology: which ranks are connected, and which way messages go.
 *
 * Ranks 0 to n - 1 are in groups of g that follow each other; the first rank of a group is its router. A rank is
 * connected to its router alone, a router to its group and to the other routers:
 *
 *     1   2   3        5   6   7
 *      \  |  /          \  |  /          n = 8, g = 4: 7 connections; each with each would be 28
 *         0 ------------- 4
 *
 * A message goes up to the router, across to the other one, down to its rank: three hops at most. With g near the root
 * of n, a router has some 2 sqrt(n) connections, any other rank one, and all ends of connections together are less than
 * 3 n. That is below n log2(n) for n from 8 on; flat (g = 1) they are n (n - 1). Each end has queues, so memory and
 * what a rank has to look at grow alike; and a rank has few queues that fill, instead of one for each other rank that
 * waits for its time to be over. The price: the routers handle what is not theirs, g ranks' worth each.
 *
 * Up comes before across, across before down, and never the other way round: waits for room in queues
 * cannot go in a circle. */
#ifndef TOCSIN_IRREGULAR_ROUTE_H
#define TOCSIN_IRREGULAR_ROUTE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { IRR_RANKS_MOST = 1 << 15 };

typedef struct irr_topology {
  unsigned ranks;
  unsigned group; /* 1: flat, each rank connected to each */
} irr_topology;

/* The size of groups when a program does not say: 1 (flat) up to 16 ranks, else the smallest power of two whose square
 * is not below `ranks`. */
unsigned irr_group_default(unsigned ranks);

/* The router of a rank's group. */
unsigned irr_router_of(const irr_topology *t, unsigned rank);
/* Where a message for `to` goes next from `at`; `to` itself in the end. */
unsigned irr_route_next(const irr_topology *t, unsigned at, unsigned to);
/* To how many ranks `rank` is connected. */
unsigned irr_route_degree(const irr_topology *t, unsigned rank);
/* The i-th rank to which `rank` is connected, i from 0 to below irr_route_degree. */
unsigned irr_route_neighbour(const irr_topology *t, unsigned rank, unsigned i);
/* Which of a rank's neighbours one is: the i of irr_route_neighbour. */
unsigned irr_route_index(const irr_topology *t, unsigned rank, unsigned neighbour);

#ifdef __cplusplus
}
#endif
#endif
