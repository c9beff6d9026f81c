// SPDX-License-Identifier: Apache-2.0
// A move under way, and what it costs: move.c makes it, cost.c says whether it stays.
#ifndef TOCSIN_ANNEAL_MOVER_H
#define TOCSIN_ANNEAL_MOVER_H

#include "anneal.h"

typedef struct {
  int cell, x, y, z;
} moved;

typedef struct {
  int net, x0, x1, y0, y1;
  float cost;
} spanned;

typedef struct {
  int wire, delay;
} waited;

struct place_mover {
  place *p;
  double temperature, weight;
  int reach;
  int *single, singles;  // cells that move alone or with their pair
  int *macro, macros;    // a cell of each tile that moves as a whole
  // What the move under way has changed; and of which move a net, a wire was seen last.
  moved *cell;
  spanned *net;
  waited *wire;
  int cells, nets, wires;
  unsigned *seen_net, *seen_wire, number;
};

// The cell, if there is one, goes there: one of a move.
void place_put(place_mover *m, int cell, int x, int y, int z);
// The cells that were put stay where they are; or all of them go back.
bool place_stays(place_mover *m);

#endif
