// SPDX-License-Identifier: Apache-2.0
// Moves: two cells, or halves with both, or rows of tiles change their places, and stay there if that is better, or by
// chance while it is warm.
#include "mover.h"

#include <stdlib.h>

// Of a hundred moves, those of tiles with a LUT RAM or a carry chain, of which there are fewer, their reach, and how
// often one looks for another of its kind.
enum { TILE_MOVES = 6, TILE_REACH = 2, LIKE = 16 };

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
    if (luts) place_put(m, *to_lut, to_x, to_y, to_z);
    if (luts) place_put(m, *lut, x, y, z);
    if (ffs) place_put(m, *to_ff, to_x, to_y, to_z);
    if (ffs) place_put(m, *ff, x, y, z);
    if (place_stays(m)) return true;
  }
  if (luts) swap(lut, to_lut);
  if (ffs) swap(ff, to_ff);
  return false;
}

// ---- tiles ----
static void put_tile(place_mover *m, const place_tile *t, int x, int y) {
  for (int z = 0; z < PLACE_HALVES; z++) {
    place_put(m, t->comb[z], x, y, z);
    place_put(m, t->ff[z], x, y, z);
  }
  place_put(m, t->ramw, x, y, PLACE_RAMW);
}

// Where the tiles of a cell begin, and how many there are.
static int begins(const place *p, int cell, int *x, int *y) {
  int n = 1;
  *x = p->cell[cell].x;
  *y = p->cell[cell].y;
  while (p->tile[*x][*y].left) --*x;
  while (p->tile[*x + n - 1][*y].right) n++;
  return n;
}

// Where such tiles may go: where others of the kind are, which is dear for nobody, or anywhere near.
static bool find_tiles(place_mover *m, int x, int y, int n, int *to_x, int *to_y) {
  place *p = m->p;
  int reach = TILE_REACH * m->reach, span = 2 * reach + 1;
  if (place_below(p, 2)) {
    *to_x = x + (int)place_below(p, (uint32_t)span) - reach;
    *to_y = y + (int)place_below(p, (uint32_t)span) - reach;
    return true;
  }
  for (int tries = 0; tries < LIKE; tries++) {
    int other = m->macro[place_below(p, (uint32_t)m->macros)];
    if (begins(p, other, to_x, to_y) == n && abs(*to_x - x) <= reach && abs(*to_y - y) <= reach &&
        p->tile[*to_x][*to_y].ram == p->tile[x][y].ram)
      return true;
  }
  return false;
}

// The tiles of a LUT RAM or of a whole carry chain change places with as many others, of which no chain is cut.
static bool move_tiles(place_mover *m, int cell) {
  place *p = m->p;
  int x, y, to_x, to_y, n = begins(p, cell, &x, &y);
  if (!find_tiles(m, x, y, n, &to_x, &to_y) || (to_y == y && abs(to_x - x) < n)) return false;
  for (int i = 0; i < n; i++)
    if (!in_tile(p, to_x + i, to_y)) return false;
  if (p->tile[to_x][to_y].left || p->tile[to_x + n - 1][to_y].right) return false;
  m->cells = 0;
  for (int i = 0; i < n; i++) {
    put_tile(m, &p->tile[x + i][y], to_x + i, to_y);
    put_tile(m, &p->tile[to_x + i][to_y], x + i, y);
  }
  if (!place_stays(m)) return false;
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
