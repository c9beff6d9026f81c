// SPDX-License-Identifier: Apache-2.0
// anneal IN OUT SEED MOVES: moves the cells of a placement until its ways are short and its wires few.
//
// nextpnr's placer leaves a design of thousands of wide buses where no single move is better, though many at a time
// are. Here it is warmed up, and cooled down slowly: MOVES thousands of moves for each cell that moves alone. The same
// seed gives the same placement.
#include "anneal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Wires weigh for ways of nine tenths of what is asked for: what is routed comes to something else by as much.
static const double Period = 11500, Limit = 12500;
// Tiles that a move at the first temperature may make worse; the last one, by which it is so much colder; tiles that a
// cell may go at first, and at last.
static const double Hot = 6, Cold = 0.02, Frozen = 0.92, Far = 16, Near = 3;
enum { STEP = 60000, TELLS = 20 };  // moves from one look at all ways to the next; lines that are printed

static void tell(const place *p, double share, double temperature, int made) {
  printf("%3.0f %% temperature %.2f, %d of 1000 moves made, wire %d, longest way %.2f ns, %d ends late\n", 100 * share,
         temperature, made, p->edge, p->longest / 1000.0, p->late);
  fflush(stdout);
}

static void run(place *p, place_mover *m, long long moves) {
  long long steps = moves / STEP, told = -1;
  int made = 0;
  for (long long i = 0; i <= steps; i++) {
    place_measure(p);
    place_time(p);
    double share = steps ? (double)i / (double)steps : 1;
    double temperature = share < Frozen ? Hot * pow(Cold, share / Frozen) : 0;
    if (i * TELLS / (steps ? steps : 1) != told || i == steps) {
      told = i * TELLS / (steps ? steps : 1);
      tell(p, share, temperature, made);
    }
    // What ways weigh in all stays what wires do, so they count the more, the fewer are long.
    double weight = p->timing > 0 ? p->edges * PLACE_TILE_PS / p->timing : 0;
    if (i < steps) made = place_moves(m, STEP, (int)(Far * pow(Near / Far, share) + 0.5), temperature, weight);
  }
}

int main(int argc, char **argv) {
  long long moves = argc == 5 ? strtoll(argv[4], NULL, 10) : 0;
  if (argc != 5 || moves < 1) {
    fprintf(stderr, "anneal IN OUT SEED MOVES: a placement as scripts/anneal.py makes it, thousands of moves a cell\n");
    return 2;
  }
  static place p;
  const char *wrong = place_read(&p, argv[1]);
  if (wrong) {
    fprintf(stderr, "anneal: %s: %s\n", argv[1], wrong);
    return 1;
  }
  p.period = Period;
  p.limit = (int)Limit;
  p.seed[0] = strtoull(argv[3], NULL, 10) + 1;
  p.seed[1] = 0x9E3779B97F4A7C15u;
  for (int i = 0; i < 20; i++) place_below(&p, 2);
  place_mover *m = place_mover_new(&p);
  if (!m) {
    fprintf(stderr, "anneal: no memory\n");
    return 1;
  }
  run(&p, m, 1000 * moves * place_mover_singles(m));
  bool ok = place_write(&p, argv[2]);
  if (!ok) fprintf(stderr, "anneal: %s cannot be written\n", argv[2]);
  place_mover_free(m);
  place_free(&p);
  return !ok;
}
