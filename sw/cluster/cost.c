// SPDX-License-Identifier: Apache-2.0
#include "cost.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct name {
  const char *name;
  size_t at;
} name;

#define NAME(x) \
  { #x, offsetof(cost, x) }
static const name names[] = {NAME(mem),    NAME(step),    NAME(doorbell), NAME(intr),    NAME(scratch), NAME(wire),
                             NAME(send),   NAME(take),    NAME(beat),     NAME(message), NAME(hit),     NAME(miss),
                             NAME(load),   NAME(walkers), NAME(entry),    NAME(word),    NAME(write),   NAME(atomic),
                             NAME(packet), NAME(gpuline), NAME(cpuline)};
enum { NAMES = sizeof names / sizeof *names };

static void bad(const char *path, unsigned line, const char *why, const char *what) {
  fprintf(stderr, "%s:%u: %s%s\n", path, line, why, what);
  exit(2);
}

// -1: no such unit of this. Walkers are a number; all else takes time.
static double in_ns(const char *key, const char *unit, double v, double mhz) {
  if (!strcmp(key, "walkers")) return strcmp(unit, "1") ? -1 : v;
  if (!strcmp(unit, "ns")) return v;
  if (!strcmp(unit, "cycles") && mhz > 0) return v * 1000 / mhz;
  if (!strcmp(unit, "Gbit/s") && v > 0) return 8 / v;
  return -1;
}

void cost_read(cost *c, const char *path) {
  FILE *f = fopen(path, "r");
  char text[400], key[40], unit[20], more;
  bool seen[NAMES] = {false};
  double v, mhz = 0;
  unsigned line = 0;
  if (!f) bad(path, 0, "cannot be read", "");
  while (fgets(text, sizeof text, f)) {
    line++;
    text[strcspn(text, "#\n")] = 0;
    if (!text[strspn(text, " \t")]) continue;
    if (sscanf(text, "%39s %lf %19s %c", key, &v, unit, &more) != 3) bad(path, line, "not name, value, unit: ", text);
    if (!isfinite(v) || v < 0) bad(path, line, "not a time, rate or number: ", text);
    if (!strcmp(key, "clock")) {
      if (mhz > 0 || v <= 0 || strcmp(unit, "MHz")) bad(path, line, "the clock is so many MHz, said once: ", text);
      mhz = v;
      continue;
    }
    unsigned i = 0;
    while (i < NAMES && strcmp(names[i].name, key)) i++;
    double ns = in_ns(key, unit, v, mhz);
    if (i == NAMES || seen[i]) bad(path, line, "no such cost, or it came before: ", key);
    if (ns < 0) bad(path, line, "no such unit here: ", unit);
    seen[i] = true;
    memcpy((char *)c + names[i].at, &ns, sizeof ns);
  }
  fclose(f);
  for (unsigned i = 0; i < NAMES; i++)
    if (!seen[i]) bad(path, line, "it lacks ", names[i].name);
  if (c->walkers > COST_WALKERS || c->walkers != (unsigned)c->walkers) bad(path, line, "walkers: 0 to 16", "");
}
