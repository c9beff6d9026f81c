// SPDX-License-Identifier: Apache-2.0
// What the lockstep programs have in common: their command lines, how a run is repeated, the report of a random run.
#ifndef TOCSIN_OPTIONS_H
#define TOCSIN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "points.h"

enum { ON_RTL = 1, ON_MODEL = 2, ON_BOTH = 3 };
const char *backend_name(int on);

// An option without a value sets a bool (YES) or clears it (NO).
typedef struct option {
  const char *name;
  enum { OPT_YES, OPT_NO, OPT_TEXT, OPT_U64, OPT_UINT, OPT_BACKEND } kind;
  void *to;  // bool, const char *, uint64_t, unsigned, int
} option;

bool options_read(int argc, char **argv, const option *table,
                  size_t n);                       // false: one that is not there, or lacks its value
const char *options_again(int argc, char **argv);  // the command that repeats the run, without its report

bool options_chosen(const char *list, unsigned number);  // one of "5,13"; "all" or an empty list: any

double cpu_seconds(void);

// "block" and its name, which is a guess where it is a module's: what differs is at a port or in a record.
const char *result_blame(const char *block, char *buf, size_t n);

// How a failed run is repeated, and where its wave is, or how it is had: by the program of CONFIG-waves, unless that of
// CONFIG writes waves anyway (COSIM_WAVY of cosim.mk). self: a command whose first word is BUILD/CONFIG/cosim. A run of
// the model alone has none.
void result_again(const char *self, const char *config, const char *wave, int on);
void result_waves(const char *self, const char *config, const char *wave, int on);  // the second line alone

// A random run, told on the terminal and, if json is a name, in a file. The exit status.
typedef struct result {
  const char *top, *config, *json;
  int on;
  uint64_t seed, requests, cycles;
  unsigned mismatches;
  double seconds, seconds_rtl;  // 0: not known
  const points *points;         // or null
  const char *points_file;      // --points, or null
  bool bounds, excuses, quiet;  // --bounds; --excuses; points are not printed
} result;
int result_tell(const result *r, const char *more);  // more: of the line, behind the cycles

#endif
