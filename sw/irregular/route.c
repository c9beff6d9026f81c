// SPDX-License-Identifier: Apache-2.0
// Ways through groups and their routers.
#include "tocsin/irregular/route.h"

enum { FLAT_UP_TO = 16 };

unsigned irr_group_default(unsigned ranks) {
  unsigned group = 1;
  if (ranks <= FLAT_UP_TO) return group;
  while (group * group < ranks) group *= 2;
  return group;
}

unsigned irr_router_of(const irr_topology *t, unsigned rank) { return rank - rank % t->group; }

unsigned irr_route_next(const irr_topology *t, unsigned at, unsigned to) {
  const unsigned here = irr_router_of(t, at), there = irr_router_of(t, to);
  if (at != here) return at == to ? to : here;
  return here == there ? to : there;
}

static unsigned groups(const irr_topology *t) { return t->ranks / t->group + (t->ranks % t->group != 0); }

static unsigned members(const irr_topology *t, unsigned router) {
  return t->ranks - router < t->group ? t->ranks - router : t->group;
}

unsigned irr_route_degree(const irr_topology *t, unsigned rank) {
  if (rank != irr_router_of(t, rank)) return 1;
  return members(t, rank) - 1 + groups(t) - 1;
}

unsigned irr_route_neighbour(const irr_topology *t, unsigned rank, unsigned i) {
  const unsigned router = irr_router_of(t, rank);
  if (rank != router) return router;
  const unsigned own = members(t, rank) - 1;
  if (i < own) return rank + 1 + i;
  const unsigned other = (i - own) * t->group;
  return other < rank ? other : other + t->group;
}

unsigned irr_route_index(const irr_topology *t, unsigned rank, unsigned neighbour) {
  if (rank != irr_router_of(t, rank)) return 0;
  if (irr_router_of(t, neighbour) == rank) return neighbour - rank - 1;
  return members(t, rank) - 1 + neighbour / t->group - (neighbour > rank);
}
