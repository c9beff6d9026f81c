// SPDX-License-Identifier: Apache-2.0
#include "points.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void points_tell(const points *p, FILE *f) {
  unsigned k = 0;
  for (unsigned i = 0; i < p->num; i++)
    if (p->n[i]) fprintf(f, "%10" PRIu64 " %-*s%s", p->n[i], k % 2 ? 0 : 48, p->list[i].name, k % 2 ? "\n" : ""), k++;
  fprintf(f, "%s", k % 2 ? "\n" : "");
  k = 0;
  for (unsigned i = 0; i < p->num; i++)
    if (!p->n[i]) fprintf(f, "%s%s", k++ ? ", " : "     never: ", p->list[i].name);
  fprintf(f, "%s", k ? "\n" : "");
}

void points_json(const points *p, FILE *f) {
  fputc('{', f);
  for (unsigned i = 0; i < p->num; i++) fprintf(f, "%s\n    \"%s\": %" PRIu64, i ? "," : "", p->list[i].name, p->n[i]);
  fputs("\n  }", f);
}

// Lines "count name", as points_add has written them; names of another list are kept out.
static bool load(const points *p, const char *file) {
  FILE *f = fopen(file, "r");
  if (!f) return errno == ENOENT;
  uint64_t n;
  char name[128];
  while (fscanf(f, "%" SCNu64 " %127[^\n]", &n, name) == 2)
    for (unsigned i = 0; i < p->num; i++)
      if (!strcmp(name, p->list[i].name)) p->n[i] += n;
  bool whole = feof(f);
  fclose(f);
  return whole;
}

bool points_add(const points *p, const char *file) {
  if (!load(p, file)) return false;
  FILE *f = fopen(file, "w");
  if (!f) return false;
  for (unsigned i = 0; i < p->num; i++) fprintf(f, "%" PRIu64 " %s\n", p->n[i], p->list[i].name);
  return !fclose(f);
}

static unsigned judge(const points *p, FILE *f, bool reached) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < p->num; i++) {
    const point *x = &p->list[i];
    if (reached && p->n[i] < x->least)
      fprintf(f, "FAIL points: \"%s\": got %" PRIu64 ", want %" PRIu64 " or more\n", x->name, p->n[i], x->least);
    else if (x->most && p->n[i] > x->most)
      fprintf(f, "FAIL points: \"%s\": got %" PRIu64 ", want %" PRIu64 " or less\n", x->name, p->n[i], x->most);
    else
      continue;
    wrong++;
  }
  return wrong;
}

unsigned points_judge(const points *p, FILE *f) { return judge(p, f, true); }

unsigned points_excused(const points *p, FILE *f) { return judge(p, f, false); }
