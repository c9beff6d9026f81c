// SPDX-License-Identifier: Apache-2.0
// Reads a placement, and ties its cells, nets and wires together.
#include "anneal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Nets of more ends are resets: wherever their cells are, they are everywhere.
enum { EVERYWHERE = 1500 };

bool place_fits(const place *p, const place_tile *t) {
  int key = -1;
  for (int z = 0; z < PLACE_HALVES; z++) {
    if (t->ff[z] < 0) continue;
    const place_cell *f = &p->cell[t->ff[z]];
    if (key >= 0 && f->tile_key != key) return false;
    key = f->tile_key;
    int other = t->ff[z ^ 1];
    if (other >= 0 && p->cell[other].slice_key != f->slice_key) return false;
  }
  return true;
}

static bool numbers(FILE *f, int n, int *const *to) {
  for (int i = 0; i < n; i++)
    if (fscanf(f, "%d", to[i]) != 1) return false;
  return true;
}

#define READ(f, ...) numbers(f, (int)(sizeof((int *[]){__VA_ARGS__}) / sizeof(int *)), (int *[]){__VA_ARGS__})

// The cells, each in its half; the nets with the ways through their drivers; the wires, those of a net together.
static bool read_rows(place *p, FILE *f, int ways) {
  for (int i = 0; i < p->cells; i++) {
    place_cell *c = &p->cell[i];
    if (!READ(f, &c->kind, &c->x, &c->y, &c->z, &c->tile_key, &c->slice_key, &c->mode)) return false;
    c->pair = -1;
  }
  for (int i = 0, at = 0; i < p->nets; i++) {
    place_net *n = &p->net[i];
    if (!READ(f, &n->driver, &n->kind, &n->launch, &n->froms) || n->driver < 0 || n->driver >= p->cells) return false;
    n->from = at;
    for (int k = 0; k < n->froms; k++, at++) {
      if (at >= ways || !READ(f, &p->through[at].wire, &p->through[at].delay)) return false;
      if (p->through[at].wire < 0 || p->through[at].wire >= p->wires) return false;
    }
  }
  for (int i = 0; i < p->wires; i++) {
    place_wire *w = &p->wire[i];
    if (!READ(f, &w->net, &w->sink, &w->pin, &w->setup)) return false;
    if (w->net < 0 || w->net >= p->nets || w->sink < 0 || w->sink >= p->cells) return false;
    place_net *n = &p->net[w->net];
    if (!n->wires++) n->wire = i;
    if (n->wire + n->wires != i + 1) return false;
  }
  return true;
}

// A row of EBR or DSP is every twelfth one; the outer ones are the pins'.
static bool is_logic(int x, int y) { return x >= 2 && x <= 124 && y >= 2 && y <= 93 && y % 12 != 10; }

static const char *read_tiles(place *p, FILE *f) {
  for (int x = 0; x < PLACE_W; x++) {
    for (int y = 0; y < PLACE_H; y++) {
      place_tile *t = &p->tile[x][y];
      for (int z = 0; z < PLACE_HALVES; z++) t->comb[z] = t->ff[z] = -1;
      t->ramw = -1;
      t->logic = is_logic(x, y);
    }
  }
  int links;
  if (!READ(f, &links)) return "its chains are not told";
  for (int i = 0; i < links; i++) {
    int x, y;
    if (!READ(f, &x, &y) || x < 0 || x >= PLACE_W - 1 || y < 0 || y >= PLACE_H) return "a chain is nowhere";
    p->tile[x][y].right = p->tile[x + 1][y].left = true;
  }
  for (int i = 0; i < p->cells; i++) {
    const place_cell *c = &p->cell[i];
    if (c->kind == PLACE_OTHER) continue;
    if (c->x < 0 || c->x >= PLACE_W || c->y < 0 || c->y >= PLACE_H || !p->tile[c->x][c->y].logic || c->z < 0)
      return "a cell is where no logic is";
    place_tile *t = &p->tile[c->x][c->y];
    int *at = c->kind == PLACE_RAM_PORT ? &t->ramw : c->kind == PLACE_FF ? &t->ff[c->z & 7] : &t->comb[c->z & 7];
    if (*at >= 0) return "two cells are in one place";
    *at = i;
    t->ram |= c->mode == PLACE_IN_RAM;
  }
  for (int x = 0; x < PLACE_W; x++)
    for (int y = 0; y < PLACE_H; y++)
      if (!place_fits(p, &p->tile[x][y])) return "registers of one tile do not go together";
  return NULL;
}

// Who is at the other end of what, and how much more wire a net of many ends takes than its rectangle says (Cheng's
// table, for two to fifty).
static void tie(place *p) {
  for (int i = 0; i < p->nets; i++) {
    place_net *n = &p->net[i];
    int ends = n->wires + 1;
    n->crossings = ends < 4    ? 1.0f
                   : ends < 50 ? 1.0f + 0.0389f * (float)(ends - 3)
                               : 2.79f + 0.026f * (float)(ends - 50);
    if (n->crossings > 8) n->crossings = 8;
    n->wide = n->wires > EVERYWHERE || n->kind == PLACE_CARRY;
    p->cell[n->driver].outs++;
  }
  for (int i = 0; i < p->wires; i++) {
    const place_wire *w = &p->wire[i];
    int driver = p->net[w->net].driver;
    p->cell[w->sink].ins++;
    if (w->pin != PLACE_DI) continue;
    p->cell[w->sink].pair = driver;
    p->cell[driver].pair = w->sink;
  }
  for (int i = 0, out = 0, in = 0; i < p->cells; i++) {
    place_cell *c = &p->cell[i];
    c->out = out;
    c->in = in;
    out += c->outs;
    in += c->ins;
    c->outs = c->ins = 0;
  }
  for (int i = 0; i < p->nets; i++) {
    place_cell *c = &p->cell[p->net[i].driver];
    p->outs[c->out + c->outs++] = i;
  }
  for (int i = 0; i < p->wires; i++) {
    place_cell *c = &p->cell[p->wire[i].sink];
    p->ins[c->in + c->ins++] = i;
  }
}

// Nets in an order in which each comes behind those that lead to it.
static bool sort(place *p, int ways) {
  int *waits = calloc((size_t)p->nets, sizeof *waits), *first = malloc(sizeof *first * (size_t)p->wires);
  int *next = malloc(sizeof *next * (size_t)(ways + 1)), *of = malloc(sizeof *of * (size_t)(ways + 1));
  int done = 0, known = 0;
  if (waits && first && next && of) {
    for (int i = 0; i < p->wires; i++) first[i] = -1;
    for (int i = 0; i < p->nets; i++) {
      const place_net *n = &p->net[i];
      waits[i] = n->froms;
      if (!n->froms) p->order[known++] = i;
      for (int k = n->from; k < n->from + n->froms; k++) {
        of[k] = i;
        next[k] = first[p->through[k].wire];
        first[p->through[k].wire] = k;
      }
    }
    while (done < known) {
      const place_net *n = &p->net[p->order[done++]];
      for (int i = n->wire; i < n->wire + n->wires; i++)
        for (int k = first[i]; k >= 0; k = next[k])
          if (!--waits[of[k]]) p->order[known++] = of[k];
    }
  }
  free(waits);
  free(first);
  free(next);
  free(of);
  return done == p->nets;
}

const char *place_read(place *p, const char *path) {
  memset(p, 0, sizeof *p);
  FILE *f = fopen(path, "r");
  if (!f) return "it cannot be opened";
  int ways;
  const char *wrong = NULL;
  if (!READ(f, &p->cells, &p->nets, &p->wires, &ways) || p->cells < 1 || p->nets < 1 || p->wires < 1 || ways < 0)
    wrong = "it does not begin with four numbers";
  if (!wrong) {
    p->cell = calloc((size_t)p->cells, sizeof *p->cell);
    p->net = calloc((size_t)p->nets, sizeof *p->net);
    p->wire = calloc((size_t)p->wires, sizeof *p->wire);
    p->through = calloc((size_t)ways + 1, sizeof *p->through);
    p->outs = calloc((size_t)p->nets, sizeof *p->outs);
    p->ins = calloc((size_t)p->wires, sizeof *p->ins);
    p->order = calloc((size_t)p->nets, sizeof *p->order);
    if (!p->cell || !p->net || !p->wire || !p->through || !p->outs || !p->ins || !p->order) wrong = "no memory";
  }
  if (!wrong && !read_rows(p, f, ways)) wrong = "a row is not what it should be";
  if (!wrong) wrong = read_tiles(p, f);
  fclose(f);
  if (wrong) return wrong;
  tie(p);
  return sort(p, ways) ? NULL : "it has a loop without a register";
}

bool place_write(const place *p, const char *path) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  for (int i = 0; i < p->cells; i++) fprintf(f, "%d %d %d\n", p->cell[i].x, p->cell[i].y, p->cell[i].z);
  return fclose(f) == 0;
}

void place_free(place *p) {
  free(p->cell);
  free(p->net);
  free(p->wire);
  free(p->through);
  free(p->outs);
  free(p->ins);
  free(p->order);
}
