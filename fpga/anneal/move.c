// SPDX-License-Identifier: Apache-2.0
// Moves: two cells, or halves with both, or rows of tiles change their places, and stay there if that is better, or by
// chance while it is warm.
#include "anneal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of a hundred moves, those of tiles with a LUT RAM or a carry chain, of which there are fewer, and their reach; nets
// with no more ends are measured anew when one moves.
enum { TILE_MOVES = 4, TILE_REACH = 2, FEW = 12 };

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

uint32_t place_below(place *p, uint32_t n) {
  uint64_t a = p->seed[0], b = p->seed[1];
  p->seed[0] = b;
  a ^= a << 23;
  p->seed[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
  return (uint32_t)(((p->seed[1] + b) >> 32) * n >> 32);
}

double place_unit(place *p) { return (place_below(p, UINT32_MAX) + 0.5) / UINT32_MAX; }

// ---- what a move costs ----
static void put(place_mover *m, int cell, int x, int y, int z) {
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

static bool stays(place_mover *m) {
  double worse = change(m);
  if (worse <= 0 || (m->temperature > 0 && place_unit(m->p) < exp(-worse / m->temperature))) return true;
  undo(m);
  return false;
}

// ---- halves ----
static bool paired(const place *p, int cell) { return cell >= 0 && p->cell[cell].pair >= 0; }
static bool free_lut(const place *p, int cell) { return cell < 0 || p->cell[cell].kind == PLACE_LUT; }
static bool in_tile(const place *p, int x, int y) {
  return x >= 0 && y >= 0 && x < PLACE_W && y < PLACE_H && p->tile[x][y].logic;
}

static void swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}

// A cell goes to a half of another tile, and what is there comes back: a LUT that has no register of its own for such
// a LUT, a register without a LUT for such a register, else both for both. A tile with a LUT RAM has its clock enable
// where others have their reset: no register goes there, or away.
static bool move_half(place_mover *m, int cell) {
  place *p = m->p;
  const place_cell *c = &p->cell[cell];
  int x = c->x, y = c->y, z = c->z, span = 2 * m->reach + 1;
  int to_x = x + (int)place_below(p, (uint32_t)span) - m->reach, to_z = (int)place_below(p, PLACE_HALVES);
  int to_y = y + (int)place_below(p, (uint32_t)span) - m->reach;
  if (!in_tile(p, to_x, to_y) || (to_x == x && to_y == y && to_z == z)) return false;
  place_tile *here = &p->tile[x][y], *there = &p->tile[to_x][to_y];
  int *lut = &here->comb[z], *to_lut = &there->comb[to_z], *ff = &here->ff[z], *to_ff = &there->ff[to_z];
  if (!free_lut(p, *to_lut) || (there->ram && *to_lut < 0 && to_z < 6)) return false;
  bool alone = c->kind == PLACE_LUT && !paired(p, cell) && !paired(p, *to_lut), luts = true, ffs = !alone;
  if (c->kind == PLACE_FF) {
    if (paired(p, *to_ff) || (*to_ff >= 0 && !free_lut(p, *lut))) return false;
    luts = false;
  } else if (ffs && !paired(p, cell) && paired(p, *ff)) {
    return false;
  }
  if (ffs && (here->ram || there->ram)) return false;
  if (luts) swap(lut, to_lut);
  if (ffs) swap(ff, to_ff);
  if (!ffs || (place_fits(p, here) && place_fits(p, there))) {
    m->cells = 0;
    if (luts) put(m, *to_lut, to_x, to_y, to_z);
    if (luts) put(m, *lut, x, y, z);
    if (ffs) put(m, *to_ff, to_x, to_y, to_z);
    if (ffs) put(m, *ff, x, y, z);
    if (stays(m)) return true;
  }
  if (luts) swap(lut, to_lut);
  if (ffs) swap(ff, to_ff);
  return false;
}

// ---- tiles ----
static void put_tile(place_mover *m, const place_tile *t, int x, int y) {
  for (int z = 0; z < PLACE_HALVES; z++) {
    put(m, t->comb[z], x, y, z);
    put(m, t->ff[z], x, y, z);
  }
  put(m, t->ramw, x, y, PLACE_RAMW);
}

// The tiles of a LUT RAM or of a whole carry chain change places with as many others, of which no chain is cut.
static bool move_tiles(place_mover *m, int cell) {
  place *p = m->p;
  int x = p->cell[cell].x, y = p->cell[cell].y, reach = TILE_REACH * m->reach, span = 2 * reach + 1, n = 1;
  while (p->tile[x][y].left) x--;
  while (p->tile[x + n - 1][y].right) n++;
  int to_x = x + (int)place_below(p, (uint32_t)span) - reach, to_y = y + (int)place_below(p, (uint32_t)span) - reach;
  if (to_y == y && abs(to_x - x) < n) return false;
  for (int i = 0; i < n; i++)
    if (!in_tile(p, to_x + i, to_y)) return false;
  if (p->tile[to_x][to_y].left || p->tile[to_x + n - 1][to_y].right) return false;
  m->cells = 0;
  for (int i = 0; i < n; i++) {
    put_tile(m, &p->tile[x + i][y], to_x + i, to_y);
    put_tile(m, &p->tile[to_x + i][to_y], x + i, y);
  }
  if (!stays(m)) return false;
  for (int i = 0; i < n; i++) {
    place_tile t = p->tile[x + i][y];
    p->tile[x + i][y] = p->tile[to_x + i][to_y];
    p->tile[to_x + i][to_y] = t;
  }
  return true;
}

int place_moves(place_mover *m, int moves, int reach, double temperature, double weight) {
  int made = 0;
  m->reach = reach;
  m->temperature = temperature;
  m->weight = weight;
  for (int i = 0; i < moves; i++) {
    bool tiles = m->macros && (place_below(m->p, 100) < TILE_MOVES || !m->singles);
    if (tiles)
      made += move_tiles(m, m->macro[place_below(m->p, (uint32_t)m->macros)]);
    else if (m->singles)
      made += move_half(m, m->single[place_below(m->p, (uint32_t)m->singles)]);
  }
  return moves ? (int)(1000LL * made / moves) : 0;
}

// A LUT RAM's and a chain's first cell stand for their tiles.
static void choose(place_mover *m) {
  place *p = m->p;
  for (int i = 0; i < p->cells; i++) {
    const place_cell *c = &p->cell[i];
    if (c->kind == PLACE_OTHER) continue;
    const place_tile *t = &p->tile[c->x][c->y];
    if (c->kind == PLACE_LUT || (c->kind == PLACE_FF && c->pair < 0 && !t->ram)) m->single[m->singles++] = i;
    if (c->kind == PLACE_FIXED_LUT && c->z == 0 && !t->left) m->macro[m->macros++] = i;
  }
}

place_mover *place_mover_new(place *p) {
  place_mover *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->p = p;
  m->single = malloc(sizeof *m->single * (size_t)p->cells);
  m->macro = malloc(sizeof *m->macro * (size_t)p->cells);
  m->cell = malloc(sizeof *m->cell * (size_t)p->cells);
  m->net = malloc(sizeof *m->net * (size_t)p->nets);
  m->wire = malloc(sizeof *m->wire * (size_t)p->wires);
  m->seen_net = calloc((size_t)p->nets, sizeof *m->seen_net);
  m->seen_wire = calloc((size_t)p->wires, sizeof *m->seen_wire);
  if (!m->single || !m->macro || !m->cell || !m->net || !m->wire || !m->seen_net || !m->seen_wire) {
    place_mover_free(m);
    return NULL;
  }
  choose(m);
  return m;
}

int place_mover_singles(const place_mover *m) { return m->singles; }

void place_mover_free(place_mover *m) {
  if (!m) return;
  free(m->single);
  free(m->macro);
  free(m->cell);
  free(m->net);
  free(m->wire);
  free(m->seen_net);
  free(m->seen_wire);
  free(m);
}
