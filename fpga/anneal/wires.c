// SPDX-License-Identifier: Apache-2.0
// How much wire a placement takes, by the rectangles of its nets.
#include "anneal.h"

void place_span(const place *p, place_net *n) {
  const place_cell *c = &p->cell[n->driver];
  n->x0 = n->x1 = c->x;
  n->y0 = n->y1 = c->y;
  for (int i = n->wire; i < n->wire + n->wires; i++) {
    c = &p->cell[p->wire[i].sink];
    if (c->x < n->x0) n->x0 = c->x;
    if (c->x > n->x1) n->x1 = c->x;
    if (c->y < n->y0) n->y0 = c->y;
    if (c->y > n->y1) n->y1 = c->y;
  }
}

int place_edge(const place_net *n) { return n->x1 - n->x0 + n->y1 - n->y0; }

void place_measure(place *p) {
  p->edges = 0;
  p->edge = 0;
  for (int i = 0; i < p->nets; i++) {
    place_net *n = &p->net[i];
    place_span(p, n);
    n->cost = n->wide ? 0.0f : n->crossings * (float)place_edge(n);
    p->edges += n->cost;
    p->edge += n->wide ? 0 : place_edge(n);
  }
}
