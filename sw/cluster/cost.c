// SPDX-License-Identifier: Apache-2.0
#include "cost.h"

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

static double in_ns(const char *unit, double v, double mhz) {
  if (!strcmp(unit, "ns") || !strcmp(unit, "1")) return v;
  if (!strcmp(unit, "cycles") && mhz > 0) return v * 1000 / mhz;
  if (!strcmp(unit, "Gbit/s") && v > 0) return 8 / v;
  return -1;
}

void cost_read(cost *c, const char *path) {
  FILE *f = fopen(path, "r");
  char text[400], key[40], unit[20];
  bool seen[NAMES] = {false};
  double v, mhz = 0;
  unsigned line = 0;
  if (!f) bad(path, 0, "cannot be read", "");
  while (fgets(text, sizeof text, f)) {
    line++;
    text[strcspn(text, "#\n")] = 0;
    if (!text[strspn(text, " \t")]) continue;
    if (sscanf(text, "%39s %lf %19s", key, &v, unit) != 3) bad(path, line, "not name, value, unit: ", text);
    if (!strcmp(key, "clock")) {
      mhz = v;
      continue;
    }
    unsigned i = 0;
    while (i < NAMES && strcmp(names[i].name, key)) i++;
    double ns = in_ns(unit, v, mhz);
    if (i == NAMES || seen[i]) bad(path, line, "no such cost, or it came before: ", key);
    if (ns < 0) bad(path, line, "no such unit here: ", unit);
    seen[i] = true;
    memcpy((char *)c + names[i].at, &ns, sizeof ns);
  }
  fclose(f);
  for (unsigned i = 0; i < NAMES; i++)
    if (!seen[i]) bad(path, line, "it lacks ", names[i].name);
}
