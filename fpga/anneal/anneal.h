// SPDX-License-Identifier: Apache-2.0
// A placement on an ECP5, as nextpnr has made it, and what moves its cells about (README.md, "Annealed").
//
// A tile has eight halves, each a LUT (comb) and a register (ff); slice k is halves 2k and 2k + 1. A LUT RAM is the
// halves of slices A, B and C of one tile, with its write port (ramw); a carry chain is a row of tiles from slice A of
// the first on. These stay as they are and move by whole tiles. A register whose D is a LUT's output in its own half
// (pair) moves with it.
#ifndef TOCSIN_ANNEAL_H
#define TOCSIN_ANNEAL_H

#include <stdbool.h>
#include <stdint.h>

// Columns and rows of an LFE5U-85F, all of them; ps that a tile further takes a wire, grade 8.
enum { PLACE_W = 128, PLACE_H = 96, PLACE_HALVES = 8, PLACE_RAMW = 8, PLACE_TILE_PS = 62 };

typedef enum { PLACE_LUT, PLACE_FF, PLACE_FIXED_LUT, PLACE_RAM_PORT, PLACE_OTHER = 9 } place_kind;
typedef enum { PLACE_PLAIN, PLACE_IN_RAM, PLACE_IN_CHAIN } place_mode;
typedef enum { PLACE_F, PLACE_Q, PLACE_CARRY, PLACE_OUT } place_out;  // what drives a net
enum { PLACE_A, PLACE_D = 3, PLACE_DI, PLACE_PIN = 9 };               // where a wire ends: A to D, DI, anything else

typedef struct {
  int kind, x, y, z;        // z: its half, or PLACE_RAMW
  int tile_key, slice_key;  // registers of a tile, and of a slice, have the same clock, reset, enable: by number
  int mode;                 // of what it is a part
  int pair;                 // the cell at the other end of DI, or -1
  int out, outs, in, ins;   // its nets, and the wires that end in it, in place.outs and place.ins
} place_cell;

typedef struct {
  int driver, kind;
  int wire, wires;          // its wires
  int launch, from, froms;  // ps after the clock, or -1; ways through its driver: place.through
  int arrive, tail;         // ps: when it is there; from it to the end of the longest way, or -1
  int x0, x1, y0, y1;
  float cost, crossings;  // half of its rectangle's edge, times what a net of so many ends needs more
  bool wide;              // it is everywhere: not looked at
} place_net;

typedef struct {
  int net, sink, pin;
  int setup, tail;  // ps, or -1: no way ends here, or goes on
  int delay;
  float weight;  // of a ps of it: the more, the longer the longest way through it is
} place_wire;

typedef struct {
  int wire, delay;
} place_way;

typedef struct {
  int comb[PLACE_HALVES], ff[PLACE_HALVES], ramw;
  bool logic;        // it is one: else a column or row of something else
  bool ram;          // a LUT RAM is in it
  bool left, right;  // a carry chain goes on in the tile to its left, to its right
} place_tile;

typedef struct {
  int cells, nets, wires;
  place_cell *cell;
  place_net *net;
  place_wire *wire;
  place_way *through;
  int *outs, *ins, *order;  // order: of nets, each behind those that lead to it
  place_tile tile[PLACE_W][PLACE_H];
  double period;            // ps: ways as long as this weigh 1
  double timing, edges;     // sums: weight x delay, cost of all nets
  int longest, late, edge;  // ps of the longest way; ends that are later than `limit`; half edges, as nextpnr has them
  int limit;
  uint64_t seed[2];
} place;

// From the text that scripts/anneal.py makes. NULL, or what is wrong with it.
const char *place_read(place *p, const char *path);
// "x y z" of each cell, in their order. False if it cannot be written.
bool place_write(const place *p, const char *path);
void place_free(place *p);
// The registers of a tile go together.
bool place_fits(const place *p, const place_tile *t);

// By nextpnr's estimate: ps of a wire.
int place_delay(const place *p, const place_wire *w);
// All delays, arrivals and weights, longest and late.
void place_time(place *p);

// All rectangles, and what they cost; that of one net; half of its edge.
void place_measure(place *p);
void place_span(const place *p, place_net *n);
int place_edge(const place_net *n);

typedef struct place_mover place_mover;
place_mover *place_mover_new(place *p);
void place_mover_free(place_mover *m);
int place_mover_singles(const place_mover *m);  // cells that move alone, or with their pair
// `moves` random moves of up to `reach` tiles each at a temperature; `weight` is what a tile (62 ps) of a wire that is
// of a way as long as the period costs, for a tile of edge. Returns how many of a thousand were made.
int place_moves(place_mover *m, int moves, int reach, double temperature, double weight);

uint32_t place_below(place *p, uint32_t n);
double place_unit(place *p);

#endif
