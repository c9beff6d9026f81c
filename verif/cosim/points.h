// SPDX-License-Identifier: Apache-2.0
// Functional points: what a run has reached, and what it has excused. Each has a name, a count, and bounds on
// the count for the runs of `make test`: a point that is never reached there fails them, and so does an excuse
// that is used too often.
//
// A top lists its points once, in a file of lines X(NAME, "name", least, most), most 0 for no upper bound:
//
//   enum { NIC_POINTS(POINT_NAME) POINTS };             their numbers
//   static const point list[] = {NIC_POINTS(POINT_OF)};
//
// Several runs count together by a file: `--points FILE` adds the counts that it holds to those of this run and writes
// it anew. With `--bounds` the run ends badly when one is out of its bounds then; with `--excuses`, for runs that are
// not held to the lower ones, when one is above its upper bound. `make cosim-bounds` shows that a run fails by each.
#ifndef TOCSIN_POINTS_H
#define TOCSIN_POINTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct point {
  const char *name;
  uint64_t least, most;
} point;
#define POINT_NAME(id, name, least, most) id,
#define POINT_OF(id, name, least, most) {name, least, most},

typedef struct points {
  const point *list;
  uint64_t *n;  // counts
  unsigned num;
} points;

void points_tell(const points *p, FILE *f);          // for a reader: those reached, then those never reached
void points_json(const points *p, FILE *f);          // {"name": count, ...}
bool points_add(const points *p, const char *file);  // false: the file cannot be read or written
unsigned points_judge(const points *p, FILE *f);     // how many are out of their bounds; each is told
unsigned points_excused(const points *p, FILE *f);   // likewise, above their upper bounds alone

#endif
