// SPDX-License-Identifier: Apache-2.0
// What a move costs: what the rectangles of its nets, and its wires' delays by their weight, are more than before.
#include "mover.h"

#include <math.h>

enum { FEW = 12 };  // nets with no more wires are measured anew when one end moves

uint32_t place_below(place *p, uint32_t n) {
  uint64_t a = p->seed[0], b = p->seed[1];
  p->seed[0] = b;
  a ^= a << 23;
  p->seed[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
  return (uint32_t)(((p->seed[1] + b) >> 32) * n >> 32);
}

double place_unit(place *p) { return (place_below(p, UINT32_MAX) + 0.5) / UINT32_MAX; }

void place_put(place_mover *m, int cell, int x, int y, int z) {
  if (cell < 0) return;
  place_cell *c = &m->p->cell[cell];
  m->cell[m->cells++] = (moved){cell, c->x, c->y, c->z};
  c->x = x;
  c->y = y;
  c->z = z;
}

static double wire_changes(place_mover *m, int i) {
  place_wire *w = &m->p->wire[i];
  if (w->weight <= 0 || m->seen_wire[i] == m->number) return 0;
  m->seen_wire[i] = m->number;
  int before = w->delay;
  w->delay = place_delay(m->p, w);
  if (w->delay == before) return 0;
  m->wire[m->wires++] = (waited){i, before};
  return (double)w->weight * (w->delay - before);
}

// One end of a net has moved: its rectangle grows at once; it may shrink only if the end was at its edge.
static double net_changes(place_mover *m, int i, const moved *was) {
  place_net *n = &m->p->net[i];
  const place_cell *c = &m->p->cell[was->cell];
  if (n->wide) return 0;
  bool first = m->seen_net[i] != m->number;
  if (first) {
    m->seen_net[i] = m->number;
    m->net[m->nets++] = (spanned){i, n->x0, n->x1, n->y0, n->y1, n->cost};
  }
  if (n->wires <= FEW ? !first : was->x == c->x && was->y == c->y) return 0;
  float before = n->cost;
  if (n->wires <= FEW || was->x == n->x0 || was->x == n->x1 || was->y == n->y0 || was->y == n->y1) {
    place_span(m->p, n);
  } else {
    if (c->x < n->x0) n->x0 = c->x;
    if (c->x > n->x1) n->x1 = c->x;
    if (c->y < n->y0) n->y0 = c->y;
    if (c->y > n->y1) n->y1 = c->y;
  }
  n->cost = n->crossings * (float)place_edge(n);
  return n->cost - before;
}

static double change(place_mover *m) {
  const place *p = m->p;
  double edges = 0, timing = 0;
  m->number++;
  m->nets = m->wires = 0;
  for (int k = 0; k < m->cells; k++) {
    const place_cell *c = &p->cell[m->cell[k].cell];
    for (int j = c->out; j < c->out + c->outs; j++) {
      const place_net *n = &p->net[p->outs[j]];
      for (int i = n->wire; i < n->wire + n->wires; i++) timing += wire_changes(m, i);
      edges += net_changes(m, p->outs[j], &m->cell[k]);
    }
    for (int j = c->in; j < c->in + c->ins; j++) {
      timing += wire_changes(m, p->ins[j]);
      edges += net_changes(m, p->wire[p->ins[j]].net, &m->cell[k]);
    }
  }
  return edges + m->weight * timing / PLACE_TILE_PS;
}

static void undo(place_mover *m) {
  place *p = m->p;
  for (int i = 0; i < m->nets; i++) {
    const spanned *was = &m->net[i];
    place_net *n = &p->net[was->net];
    n->x0 = was->x0;
    n->x1 = was->x1;
    n->y0 = was->y0;
    n->y1 = was->y1;
    n->cost = was->cost;
  }
  for (int i = 0; i < m->wires; i++) p->wire[m->wire[i].wire].delay = m->wire[i].delay;
  for (int i = m->cells; i-- > 0;) {
    place_cell *c = &p->cell[m->cell[i].cell];
    c->x = m->cell[i].x;
    c->y = m->cell[i].y;
    c->z = m->cell[i].z;
  }
}

bool place_stays(place_mover *m) {
  double worse = change(m);
  if (worse <= 0 || (m->temperature > 0 && place_unit(m->p) < exp(-worse / m->temperature))) return true;
  undo(m);
  return false;
}
