// SPDX-License-Identifier: Apache-2.0
// tocsin top: counters of a device, as they run. tocsin peek: its registers. Both only look: the device
// is left as it is.
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic_regs.h"
#include "tocsin/regs_table.h"
#include "tocsin/tocsin.h"

enum { NIC_BIT = 1 << 20 };

typedef struct device {
  const char *backend, *path;
  uint64_t node;
} device;

// True: the argument was ours. *bad: and wrong.
static bool of_device(cli *c, int k, const char *w, device *d, bool *bad) {
  if (k != 1) return false;
  if (!strcmp(w, "--backend"))
    *bad = !(d->backend = cli_value(c, w));
  else if (!strcmp(w, "--path"))
    *bad = !(d->path = cli_value(c, w));
  else
    return false;
  return true;
}

static int open_device(const cli *c, const device *d, toc_fabric **f) {
  toc_options o = {.backend = d->backend, .path = d->path, .registers_only = true};
  toc_status s = toc_open(&o, f);
  if (s == TOC_OK) return CLI_OK;
  int code = s == TOC_E_ARG ? CLI_USAGE : s == TOC_E_DEAD || s == TOC_E_TIMEOUT ? CLI_TIMEOUT : CLI_BACKEND;
  return cli_fail(c, code, "%s: %s", toc_name(s), toc_why());
}

typedef struct sample {
  uint64_t aa[AA_REG_CNT_NUM], nic[NIC_REG_NIC_CNT_NUM];
} sample;

static const tocsin_reg *counters(bool nic) {
  return nic ? tocsin_reg_named(&tocsin_nic_reg_map, "NIC_CNT") : tocsin_reg_named(&tocsin_aa_reg_map, "CNT");
}

static toc_status take(toc_node *n, sample *s) {
  toc_status e = TOC_OK;
  for (unsigned i = 0; !e && i < counters(false)->counts; i++) e = toc_count_aa(n, i, &s->aa[i]);
  for (unsigned i = 0; !e && i < counters(true)->counts; i++) e = toc_count_nic(n, i, &s->nic[i]);
  return e;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void half(cli *c, const char *title, const tocsin_reg *r, const uint64_t *v, const uint64_t *before, double dt,
                 bool all) {
  if (c->as_json) {
    json_open(&c->json, title, '{');
    for (size_t i = 0; i < r->counts; i++) json_uint(&c->json, r->count[i], v[i]);
    json_close(&c->json, '}');
    return;
  }
  printf("%s\n", title);
  for (size_t i = 0; i < r->counts; i++)
    if (v[i] || all)
      printf("  %-22s %20" PRIu64 " %14.0f /s\n", r->count[i], v[i], dt > 0 ? (double)(v[i] - before[i]) / dt : 0);
}

// To be interrupted is how `top` ends: what it has printed is whole then.
static volatile sig_atomic_t interrupted;
static void on_signal(int n) { interrupted = n; }
static void until_interrupted(void) {
  struct sigaction a = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};  // the second time it ends at once
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
}

int cmd_top(cli *c) {
  device d = {"uio", NULL, 0};
  const char *w;
  uint64_t ms = 1000, count = ~0ULL;
  bool all = false, bad = false;
  for (int k; (k = cli_next(c, &w));) {
    if (of_device(c, k, w, &d, &bad)) {
      if (bad) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--ms")) {
      if (!cli_number(c, w, 0, 3600000, &ms)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--count")) {
      if (!cli_number(c, w, 1, ~0U, &count)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--all")) {
      all = true;
    } else {
      return cli_usage(c, "%s is not understood", w);
    }
  }
  toc_fabric *f;
  int e = open_device(c, &d, &f);
  if (e) return e;
  sample s = {{0}, {0}}, before = s;
  double last = 0;
  toc_status st = TOC_OK;
  if (c->as_json) json_open(&c->json, NULL, '[');
  until_interrupted();
  for (uint64_t i = 0; i < count && !st; i++) {
    if (i) nanosleep(&(struct timespec){(time_t)(ms / 1000), (long)(ms % 1000) * 1000000}, NULL);
    if (interrupted) break;
    before = s;
    if ((st = take(toc_node_at(f, 0), &s))) break;
    double t = now(), dt = i ? t - last : 0;
    last = t;
    if (c->as_json)
      json_open(&c->json, NULL, '{');
    else if (cli_terminal(1))
      fputs("\033[H\033[J", stdout);
    half(c, "IOMMU", counters(false), s.aa, before.aa, dt, all);
    half(c, "NIC", counters(true), s.nic, before.nic, dt, all);
    if (c->as_json) json_close(&c->json, '}');
    fflush(stdout);
  }
  if (c->as_json) json_close(&c->json, ']');
  if (st) e = cli_fail(c, CLI_TIMEOUT, "%s: %s", toc_name(st), toc_why());
  toc_close(f);
  return e;
}

static int show(cli *c, toc_node *n, const tocsin_reg *r, unsigned index, bool nic, bool always) {
  uint32_t addr = r->offset + index * r->stride;
  uint64_t v;
  if (!strcmp(r->access, "wo")) return CLI_OK;
  toc_status s = toc_reg_read(n, addr | (nic ? NIC_BIT : 0), r->width / 8, &v);
  if (s) return cli_fail(c, CLI_TIMEOUT, "%s: %s", toc_name(s), toc_why());
  if (!v && !always) return CLI_OK;
  cli_reg(c, r, index, v);
  return CLI_OK;
}

int cmd_peek(cli *c) {
  device d = {"uio", NULL, 0};
  const char *w, *wanted[32];
  unsigned n = 0;
  bool bad = false, all = false;
  for (int k; (k = cli_next(c, &w));) {
    if (of_device(c, k, w, &d, &bad)) {
      if (bad) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--all")) {
      all = true;
    } else if (k == 2 && n < 32 &&
               (tocsin_reg_named(&tocsin_aa_reg_map, w) || tocsin_reg_named(&tocsin_nic_reg_map, w))) {
      wanted[n++] = w;
    } else {
      return cli_usage(c, "%s: no such register or option", w);
    }
  }
  toc_fabric *f;
  int e = open_device(c, &d, &f);
  if (e) return e;
  if (c->as_json) json_open(&c->json, NULL, '{');
  for (unsigned nic = 0; nic < 2 && !e; nic++) {
    const tocsin_reg_map *map = nic ? &tocsin_nic_reg_map : &tocsin_aa_reg_map;
    if (c->as_json)
      json_open(&c->json, nic ? "NIC" : "IOMMU", '{');
    else if (!n)
      puts(nic ? "NIC" : "IOMMU");
    for (size_t i = 0; i < map->regs && !e; i++) {
      const tocsin_reg *r = &map->reg[i];
      bool asked = false;
      for (unsigned k = 0; k < n; k++) asked |= tocsin_reg_named(map, wanted[k]) == r;
      for (unsigned k = 0; k < (r->num ? r->num : 1) && !e && (asked || !n); k++)
        e = show(c, toc_node_at(f, 0), r, k, nic, all || (asked && !r->num));
    }
    if (c->as_json) json_close(&c->json, '}');
  }
  if (c->as_json) json_close(&c->json, '}');
  toc_close(f);
  return e;
}
