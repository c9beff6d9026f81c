// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *backend_name(int on) { return on == ON_RTL ? "rtl" : on == ON_MODEL ? "model" : "both"; }

static bool number(const char *v, uint64_t *n) {
  char *end;
  *n = strtoull(v, &end, 0);
  return *v && *v != '-' && !*end;
}

static bool take(const option *o, const char *v) {
  uint64_t n = 0;
  switch (o->kind) {
    case OPT_TEXT: *(const char **)o->to = v; return true;
    case OPT_U64: return number(v, o->to);
    case OPT_UINT:
      if (!number(v, &n) || n > UINT32_MAX) return false;
      *(unsigned *)o->to = (unsigned)n;
      return true;
    case OPT_BACKEND:
      for (int on = ON_RTL; on <= ON_BOTH; on++)
        if (!strcmp(v, backend_name(on))) {
          *(int *)o->to = on;
          return true;
        }
      return false;
    default: return false;
  }
}

bool options_read(int argc, char **argv, const option *table, size_t n) {
  for (int i = 1; i < argc; i++) {
    const option *o = table, *end = table + n;
    while (o < end && strcmp(argv[i], o->name)) o++;
    if (o == end) return false;
    if (o->kind == OPT_YES || o->kind == OPT_NO)
      *(bool *)o->to = o->kind == OPT_YES;
    else if (++i == argc || !take(o, argv[i]))
      return false;
  }
  return true;
}

const char *options_again(int argc, char **argv) {
  static char text[1024];
  size_t at = 0;
  for (int i = 0; i < argc; i++) {
    if (i && !strcmp(argv[i], "--json")) {
      i++;
      continue;
    }
    int k = snprintf(text + at, sizeof text - at, "%s%s", i ? " " : "", argv[i]);
    if (k < 0 || (size_t)k >= sizeof text - at) break;
    at += (size_t)k;
  }
  return text;
}

bool options_chosen(const char *list, unsigned number) {
  if (!*list || !strcmp(list, "all")) return true;
  for (const char *p = list; *p;) {
    char *end;
    if (strtoul(p, &end, 10) == number) return true;
    if (end == p) break;
    p = *end == ',' ? end + 1 : end;
  }
  return false;
}

double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);  // one thread: what else the machine does does not count
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *result_blame(const char *block, char *buf, size_t n) {
  static const char *const module[] = {"aa_", "nic_", "xtq_", "cm_"};
  bool guess = false;
  for (unsigned i = 0; i < 4; i++) guess = guess || !strncmp(block, module[i], strlen(module[i]));
  snprintf(buf, n, "block%s  %s", guess ? " (a guess):" : "", block);
  return buf;
}

void result_waves(const char *self, const char *config, const char *wave, int on) {
  if (on == ON_MODEL) return;
  int path = (int)strcspn(self, " "), folder = path;
  while (folder && self[folder] != '/') folder--;  // BUILD/CONFIG, before /cosim
  const char *way =
      !strcmp(config, "default") || (folder > 6 && !strncmp(self + folder - 6, "-waves", 6)) ? "" : "-waves";
  if (wave)
    fprintf(stderr, "waves  %s\n", wave);
  else
    fprintf(stderr, "waves  none; with them  make WAVES=1 %.*s%s%.*s && %.*s%s%s --waves wave.fst\n", folder, self, way,
            path - folder, self + folder, folder, self, way, self + folder);
}

void result_again(const char *self, const char *config, const char *wave, int on) {
  fprintf(stderr, "again  %s\n", self);
  result_waves(self, config, wave, on);
}

static int result_points(const result *r) {
  if (!r->quiet) points_tell(r->points, stdout);
  if (r->points_file && !points_add(r->points, r->points_file)) {
    perror(r->points_file);
    return 2;
  }
  if (r->bounds) return points_judge(r->points, stderr) ? 1 : 0;
  return r->excuses && points_excused(r->points, stderr) ? 1 : 0;
}

int result_tell(const result *r, const char *more) {
  FILE *f = r->json ? fopen(r->json, "w") : NULL;
  if (r->json && !f) {
    perror(r->json);
    return 2;
  }
  if (f) {
    fprintf(f,
            "{\n  \"top\": \"%s\",\n  \"seed\": %" PRIu64 ",\n  \"config\": \"%s\",\n  \"requests\": %" PRIu64
            ",\n  \"cycles\": %" PRIu64 ",\n  \"mismatches\": %u,\n  \"seconds\": %.3f,\n  \"seconds_rtl_only\": %.3f",
            r->top, r->seed, r->config, r->requests, r->cycles, r->mismatches, r->seconds, r->seconds_rtl);
    if (r->points) {
      fputs(",\n  \"points\": ", f);
      points_json(r->points, f);
    }
    fputs("\n}\n", f);
    fclose(f);
  }
  printf("cosim %s %s, %s, seed %" PRIu64 ": %" PRIu64 " requests, %" PRIu64 " cycles%s, %u mismatches, %.1f s", r->top,
         r->config, backend_name(r->on), r->seed, r->requests, r->cycles, more, r->mismatches, r->seconds);
  if (r->seconds_rtl > 0) printf(" (hardware alone %.1f s)", r->seconds_rtl);
  putchar('\n');
  return r->mismatches != 0 ? 1 : r->points ? result_points(r) : 0;
}
