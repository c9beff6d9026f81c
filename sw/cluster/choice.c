// SPDX-License-Identifier: Apache-2.0
#include "choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void choice_bad(const char *program, const char *what, const char *why) {
  fprintf(stderr, "%s: %s: %s\n", program, what, why);
  exit(2);
}

unsigned choice_index(const char *const *list, const char *word) {
  unsigned i = 0;
  while (list[i] && strcmp(list[i], word)) i++;
  return i;
}

static double number(const char *program, const choice *o, const char *text) {
  char *end;
  double v = strtod(text, &end);
  bool whole = o->kind != CHOICE_REAL;
  if (end != text && !*end && v >= o->least && v <= o->most && (!whole || (double)(uint64_t)v == v)) return v;
  fprintf(stderr, "%s: %s=%s: wanted is a %snumber from %g to %g\n", program, o->name, text, whole ? "whole " : "",
          o->least, o->most);
  exit(2);
}

static void take(const char *program, const choice *o, const char *text) {
  switch (o->kind) {
    case CHOICE_TEXT: *(const char **)o->to = text; break;
    case CHOICE_COUNT: *(unsigned *)o->to = (unsigned)number(program, o, text); break;
    case CHOICE_WIDE: *(uint64_t *)o->to = (uint64_t)number(program, o, text); break;
    case CHOICE_REAL: *(double *)o->to = number(program, o, text); break;
    case CHOICE_FLAG: *(bool *)o->to = number(program, o, text) > 0; break;
  }
}

void choice_read(const char *program, const choice *table, int words, char **word) {
  for (int i = 2; i < words; i++) {
    const choice *o = table;
    size_t n = strcspn(word[i], "=");
    if (!word[i][n]) choice_bad(program, word[i], "not NAME=VALUE");
    while (o->name && (strlen(o->name) != n || strncmp(o->name, word[i], n))) o++;
    if (!o->name) choice_bad(program, word[i], "no such option");
    take(program, o, word[i] + n + 1);
  }
}
