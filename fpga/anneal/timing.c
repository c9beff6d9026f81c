// SPDX-License-Identifier: Apache-2.0
// How long a placement's ways are by nextpnr's own estimate, and how much its wires weigh for that.
#include "anneal.h"

#include <math.h>
#include <stdlib.h>

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

int place_delay(const place *p, const place_wire *w) {
  const place_net *n = &p->net[w->net];
  const place_cell *from = &p->cell[n->driver], *to = &p->cell[w->sink];
  if (n->kind == PLACE_CARRY) return 0;
  int dx = abs(from->x - to->x), dy = abs(from->y - to->y);
  if (dx == 0 && dy == 0) {
    // Wires of the tile itself: into the register beside; from all LUTs but two to any other; from a register to the
    // LUT beside.
    if (n->kind == PLACE_F && w->pin == PLACE_DI) return 0;
    if (n->kind == PLACE_F && w->pin <= PLACE_D && from->z != to->z && from->z != 1 && from->z != 6) return 0;
    if (n->kind == PLACE_Q && w->pin <= PLACE_D && from->z == to->z) return 0;
  }
  return PLACE_TILE_PS * (6 + most(dx - 5, 0) + most(dy - 5, 0) + 2 * (least(dx, 5) + least(dy, 5)));
}

// When each net is there, and how far it is from there to the end of the longest way.
static void follow(place *p) {
  for (int i = 0; i < p->wires; i++) {
    p->wire[i].delay = place_delay(p, &p->wire[i]);
    p->wire[i].tail = p->wire[i].setup;
  }
  for (int k = 0; k < p->nets; k++) {
    place_net *n = &p->net[p->order[k]];
    n->arrive = n->launch;
    for (int i = n->from; i < n->from + n->froms; i++) {
      const place_wire *w = &p->wire[p->through[i].wire];
      int at = p->net[w->net].arrive;
      if (at >= 0) n->arrive = most(n->arrive, at + w->delay + p->through[i].delay);
    }
  }
  for (int k = p->nets; k-- > 0;) {
    place_net *n = &p->net[p->order[k]];
    n->tail = -1;
    for (int i = n->wire; i < n->wire + n->wires; i++)
      if (p->wire[i].tail >= 0) n->tail = most(n->tail, p->wire[i].tail + p->wire[i].delay);
    if (n->tail < 0) continue;
    for (int i = n->from; i < n->from + n->froms; i++) {
      place_wire *w = &p->wire[p->through[i].wire];
      w->tail = most(w->tail, n->tail + p->through[i].delay);
    }
  }
}

// A way of the period weighs 1, one of nine tenths a half; one that is longer grows twice as fast. What weighs next to
// nothing weighs nothing, and is not looked at. Half of what it weighed before stays, since all move at the same time.
static float weigh(double share, float before) {
  const double power = 6, longest = 1.25, nothing = 0.02;
  double now = pow(share < longest ? share : longest, share > 1 ? 2 * power : power);
  return 0.5f * ((now < nothing ? 0.0f : (float)now) + before);
}

void place_time(place *p) {
  follow(p);
  p->longest = p->late = 0;
  p->timing = 0;
  for (int i = 0; i < p->wires; i++) {
    place_wire *w = &p->wire[i];
    int arrive = p->net[w->net].arrive;
    if (arrive < 0 || w->tail < 0) continue;
    int way = arrive + w->delay + w->tail;
    p->longest = most(p->longest, way);
    p->late += w->setup >= 0 && arrive + w->delay + w->setup > p->limit;
    w->weight = weigh(way / p->period, w->weight);
    p->timing += (double)w->weight * w->delay;
  }
}
