// SPDX-License-Identifier: Apache-2.0
// How a failing run is repeated with its waves: a line of make, which builds what it needs.
#include <inttypes.h>
#include <string.h>

#include "cosim_nic.h"

typedef struct line {
  char text[1200];
  size_t n;
} line;

static void add(line *l, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int k = vsnprintf(l->text + l->n, sizeof l->text - l->n, fmt, ap);
  va_end(ap);
  if (k > 0) l->n = l->n + (size_t)k < sizeof l->text ? l->n + (size_t)k : sizeof l->text - 1;
}

static bool among(const char *name, const char *const *list) {
  while (*list && strcmp(*list, name)) list++;
  return *list;
}

// Variables of make say these, or they do nothing to what happens.
static const char *const with_value[] = {"--n",     "--seed",       "--config", "--json",
                                         "--waves", "--waves-from", "--points", NULL},
                         *const alone[] = {"--lossless", "--once", "--bounds", "--quiet", NULL},
                         *const cases[] = {"--hostile", "--wiring", "--flood", "--replay", NULL};

static bool asked_for(const nic_options *o, const char *const *list) {
  for (int i = 1; i < o->argc; i++)
    if (among(o->argv[i], list)) return true;
  return false;
}

static void add_word(line *l, const char *word) {
  add(l, strpbrk(word, " *?;&|<>()$") ? "%s'%s'" : "%s%s", l->n ? " " : "", word);
}

// What is left of the command line. Of a list of cases the one that failed.
static line rest(const nic_options *o, bool duts) {
  line l = {.n = 0};
  for (int i = 1; i < o->argc; i++) {
    const char *a = o->argv[i];
    if (among(a, with_value) || (duts && (!strcmp(a, "--nodes") || !strcmp(a, "--duts")))) {
      i++;
      continue;
    }
    if (among(a, alone)) continue;
    add_word(&l, a);
    if (o->only && (!strcmp(a, "--hostile") || !strcmp(a, "--wiring"))) add(&l, " %u", o->only), i++;
  }
  return l;
}

static const char *folder(const nic_options *o) { return strcmp(o->hw->name, "xtq") ? o->hw->name : "nic"; }

void nic_tell_again(const nic_options *o, FILE *f) {
  if (o->backend == NET_MODEL) {
    fprintf(f, "again  %s\n", o->self);
    return;
  }
  const char *const lossless[] = {"--lossless", NULL};
  const bool duts = !strcmp(o->hw->name, "tocsin") && o->nodes > 1 && o->duts == o->nodes;
  const line more = rest(o, duts);
  fprintf(f, "again  make cosim TOP=%s CONFIG=%s", o->hw->name, o->config);
  if (!asked_for(o, cases)) fprintf(f, " N=%" PRIu64, o->n);
  fprintf(f, " SEED=%" PRIu64, o->seed);
  if (asked_for(o, lossless)) fputs(" LOSS=0", f);
  if (duts) fprintf(f, " DUTS=%u", o->duts);
  if (more.n) fprintf(f, " ARGS=\"%s\"", more.text);
  fputs(" WAVES=1\n", f);
  if (o->wave)
    fprintf(f, "waves  %s\n", o->wave);
  else
    fprintf(f, "waves  none; with WAVES=1: build/cosim_%s/%s%s/wave.fst\n", folder(o), o->config,
            strcmp(o->config, "default") ? "-waves" : "");
}
