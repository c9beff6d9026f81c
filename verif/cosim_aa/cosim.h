// SPDX-License-Identifier: Apache-2.0
// What the cosim program can do beside random runs.
#ifndef TOCSIN_COSIM_H
#define TOCSIN_COSIM_H

#include "bench.h"
#include "options.h"

typedef struct cosim_options {
  int backend;
  uint64_t n, seed;
  const char *config, *wave, *json, *self;  // self: how to repeat a failing run
  uint64_t wave_from;
  bool hostile, progress, verbose, once;  // once: the hardware alone is not run as well
  bool ports;                             // replay: compare as seen from the ports alone as well
  bool bounds, excuses;                   // of the functional points: all, or the upper ones
  const char *points;                     // file of theirs, or null
} cosim_options;

// Progress line, on a terminal only, at most ten times a second. done of total; null text ends it.
void cosim_progress(const cosim_options *o, uint64_t done, uint64_t total, const char *text);

int cosim_random(const cosim_options *o);
int cosim_replay(const cosim_options *o, const char *file);
int cosim_full_rate(const cosim_options *o, const char *file);   // on the hardware, as fast as it goes
int cosim_hostile(const cosim_options *o, const char *numbers);  // "" or "all": every case
int cosim_wiring(const cosim_options *o, const char *numbers);   // likewise
int cosim_workload(const cosim_options *o, const char *dir);
#endif
