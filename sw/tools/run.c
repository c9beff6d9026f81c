// SPDX-License-Identifier: Apache-2.0
// tocsin run: the programs of the papers on a backend.
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "cli.h"
#include "record.h"

static void report_json(cli *c, const app *a, const char *variant, toc_status s) {
  json_open(&c->json, NULL, '{');
  json_text(&c->json, "variant", variant);
  json_bool(&c->json, "passed", !s && !a->wrong);
  if (s) json_text(&c->json, "status", toc_name(s));
  if (s || a->wrong) json_text(&c->json, "why", a->why);
  if (!s) json_hex(&c->json, "digest", a->digest);  // what did not come to its end has no result
  json_open(&c->json, "numbers", '[');
  for (unsigned i = 0; i < a->numbers; i++) {
    json_open(&c->json, NULL, '{');
    json_text(&c->json, "name", a->number[i].name);
    json_real(&c->json, "value", a->number[i].value);
    json_text(&c->json, "unit", a->number[i].unit);
    json_close(&c->json, '}');
  }
  json_close(&c->json, ']');
  json_close(&c->json, '}');
}

static void report_text(const app *a, const char *variant, toc_status s) {
  if (s)  // it did not come to a result
    printf("%s: FAILED\n", variant);
  else
    printf("%s: %s, digest 0x%" PRIx64 "\n", variant, a->wrong ? "FAILED" : "passed", a->digest);
  if (s || a->wrong) printf("  %s%s%s\n", s ? toc_name(s) : "", s ? ": " : "", a->why);
  for (unsigned i = 0; i < a->numbers; i++)
    printf("  %-46s %10.6g %s\n", a->number[i].name, a->number[i].value, a->number[i].unit);
  if (a->timeless) printf("  %s has no time of hardware: %u times are left out\n", a->open.backend, a->timeless);
}

static int list(cli *c) {
  if (c->as_json) json_open(&c->json, NULL, '[');
  for (const app_program *p = app_programs; p->name; p++) {
    if (!c->as_json) {
      printf("  %-11s %s\n", p->name, p->text);
      continue;
    }
    json_open(&c->json, NULL, '{');
    json_text(&c->json, "name", p->name);
    json_text(&c->json, "text", p->text);
    json_uint(&c->json, "nodes", p->nodes);
    json_uint(&c->json, "n", p->n);
    json_text(&c->json, "n_is", p->n_is);
    json_bool(&c->json, "survives", p->survives);
    json_uint(&c->json, "size_most", p->size_most);
    json_close(&c->json, '}');
  }
  if (c->as_json) json_close(&c->json, ']');
  return CLI_OK;
}

int run_about(const char *program) {
  const app_program *p = program ? app_named(program) : NULL;
  if (program && !p) {
    fprintf(stderr, "tocsin run: no program %s; see tocsin run --list\n", program);
    return CLI_USAGE;
  }
  if (!p) {
    puts("\nPrograms, in brackets what the naive variant does:");
    return list(&(cli){.command = "run"});
  }
  printf("%s: %s (in brackets: the naive variant)\n", p->name, p->text);
  printf("  --n      how many %s: 1 to 1000000, %" PRIu64 " if it is not given\n", p->n_is, p->n);
  printf("  --nodes  %u to %u, %u if it is not given\n", p->nodes, APP_NODES, p->nodes);
  printf("  --ranks  %u to %u processes, here or on several machines (docs/ranks.md)%s\n", p->nodes, RANKS_MOST,
         p->survives ? "; one of them is killed on the way, and comes again" : "");
  if (p->size_most)
    printf("  --size   bytes of a message, a multiple of 8 up to %u; what the program uses if it is not given\n",
           p->size_most);
  else
    puts("  --size   is not taken");
  puts("The digest depends on these and --seed alone: not on the backend, the link or the variant.\n");
  return CLI_OK;
}

// What has to be the same at all ranks.
static uint64_t job_of(const char *program, const app *a, const char *variant, uint64_t loss) {
  char text[200];
  uint64_t h = 0xcbf29ce484222325;
  snprintf(text, sizeof text, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %" PRIu64, program, a->open.seed, a->n,
           a->size, variant, loss);
  for (const char *t = text; *t; t++) h = (h ^ (uint8_t)*t) * 0x100000001b3;
  return h;
}

int cmd_run(cli *c) {
  const char *w, *variant = "tocsin";
  const app_program *p = NULL;
  app asked = {.open = {.backend = "model", .seed = 1}};
  const char *trace = NULL, *pcap = NULL, *part = "iommu";
  uint64_t nodes = 0, loss = 0, of = 0;
  bool listing = false;
  ranks_asked r = {.rank = -1};
  uint64_t v;
  unsigned lives = 0;
  for (int k; (k = cli_next(c, &w));) {
    if (k == 2 && !p) {
      if (!(p = app_named(w))) return cli_usage(c, "no program %s", w);
    } else if (k == 1 && !strcmp(w, "--backend")) {
      if (!(asked.open.backend = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--path")) {
      if (!(asked.open.path = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--seed")) {
      if (!cli_number(c, w, 0, UINT64_MAX, &asked.open.seed)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--nodes")) {
      if (!cli_number(c, w, 1, APP_NODES, &nodes)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--ranks")) {
      if (!cli_number(c, w, 2, RANKS_MOST, &v)) return CLI_USAGE;
      r.count = (unsigned)v;
    } else if (k == 1 && !strcmp(w, "--rank")) {
      if (!cli_number(c, w, 0, RANKS_MOST - 1, &v)) return CLI_USAGE;
      r.rank = (int)v;
    } else if (k == 1 && !strcmp(w, "--root")) {
      if (!(r.root = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--n")) {
      if (!cli_number(c, w, 1, 1000000, &asked.n)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--size")) {
      if (!cli_number(c, w, 1, 1000000, &asked.size)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--loss")) {
      if (!cli_number(c, w, 0, 300, &loss)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--record")) {
      if (!(trace = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--record-node")) {
      if (!cli_number(c, w, 0, APP_NODES - 1, &of)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--record-of")) {
      if (!(part = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--pcap")) {
      if (!(pcap = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--variant")) {
      if (!(variant = cli_value(c, w))) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--list")) {
      listing = true;
    } else {
      return cli_usage(c, "%s is not understood", w);
    }
  }
  if (listing) return p ? cli_usage(c, "--list takes no program") : list(c);
  if (!p) return cli_usage(c, "which program?");
  bool both = !strcmp(variant, "both");
  if (!both && strcmp(variant, "tocsin") && strcmp(variant, "naive"))
    return cli_usage(c, "--variant %s: it is tocsin, naive or both", variant);
  if (!cli_backend(asked.open.backend))
    return cli_fail(c, CLI_BACKEND, "no backend %s in this program", asked.open.backend);
  bool as_ranks = r.count || r.rank >= 0 || r.root;
  if (r.count && r.count < p->nodes) return cli_usage(c, "%s needs %u ranks", p->name, p->nodes);
  if (as_ranks && (nodes || trace || pcap || asked.open.path))
    return cli_usage(c, "--ranks goes without --nodes, --path, --record and --pcap");
  if (as_ranks && strcmp(asked.open.backend, "model") && strcmp(asked.open.backend, "rtl"))
    return cli_usage(c, "--ranks is for the backends model and rtl");
  asked.nodes = nodes ? (unsigned)nodes : p->nodes;
  if (asked.nodes < p->nodes) return cli_usage(c, "%s needs %u nodes", p->name, p->nodes);
  if (asked.size && !p->size_most) return cli_usage(c, "%s has no --size", p->name);
  if (asked.size > p->size_most || asked.size % 8)
    return cli_usage(c, "--size of %s: a multiple of 8 up to %u bytes", p->name, p->size_most);
  if (trace && pcap && !strcmp(trace, pcap)) return cli_usage(c, "--record and --pcap into one file");
  if ((trace || pcap) && both) return cli_usage(c, "one variant can be recorded, not both");
  if (trace && strcmp(asked.open.backend, "model"))
    return cli_fail(c, CLI_BACKEND, "--record: only backend model says what it reads of memory");
  if (trace && of >= asked.nodes)
    return cli_usage(c, "--record-node %u: there are %u nodes", (unsigned)of, asked.nodes);
  bool whole = !strcmp(part, "node");
  if (!whole && strcmp(part, "iommu")) return cli_usage(c, "--record-of %s: it is iommu or node", part);
  recorder *rec = NULL;
  if (trace || pcap) {
    char what[200], n[40] = "";
    if (asked.n) snprintf(n, sizeof n, " --n %" PRIu64, asked.n);
    snprintf(what, sizeof what, "tocsin run %s --seed %" PRIu64 " --nodes %u%s --loss %u: %snode %u", p->name,
             asked.open.seed, asked.nodes, n, (unsigned)loss, whole ? "" : "the IOMMU of ", (unsigned)of);
    rec = record_open(&(record_options){trace, pcap, (unsigned)of, asked.nodes, whole, what});
    if (!rec)
      return cli_fail(c, CLI_FILE, "'%s'%s%s cannot be written: %s", trace ? trace : pcap, trace && pcap ? " or " : "",
                      trace && pcap ? pcap : "", strerror(errno));
    asked.open.see = record_see;
    asked.open.see_ctx = rec;
  }
  asked.open.drop = asked.open.twice = asked.open.swap = (unsigned)loss;
  if (as_ranks) {
    char why[RANKS_WHY];
    r.job = job_of(p->name, &asked, variant, loss);
    r.survives = p->survives;
    if (!(asked.all = ranks_join(&r, why))) return cli_fail(c, CLI_BACKEND, "%s", why);
    asked.nodes = ranks_count(asked.all);
    if (asked.nodes < p->nodes) return cli_fail(c, CLI_BACKEND, "%s needs %u ranks", p->name, p->nodes);
    lives = ranks_lives(asked.all);
    if (ranks_rank(asked.all) && !freopen("/dev/null", "w", stdout)) return CLI_FILE;  // rank 0 reports
  }
  unsigned shown = ~0U;
  if (cli_terminal(2)) asked.progress = cli_bar, asked.ctx = &shown;

  if (c->as_json) {
    json_open(&c->json, NULL, '{');
    json_text(&c->json, "program", p->name);
    json_text(&c->json, "backend", asked.open.backend);
    json_uint(&c->json, "seed", asked.open.seed);
    json_uint(&c->json, "nodes", asked.nodes);
    if (asked.all) json_text(&c->json, "ranks_by", ranks_by(asked.all));
  } else if (asked.all) {
    printf("%s on %s, %u ranks by %s, seed %" PRIu64 ": %s\n", p->name, asked.open.backend, asked.nodes,
           ranks_by(asked.all), asked.open.seed, p->text);
  } else {
    printf("%s on %s, %u nodes, seed %" PRIu64 ": %s\n", p->name, asked.open.backend, asked.nodes, asked.open.seed,
           p->text);
  }
  if (asked.all) fflush(NULL);
  int e = CLI_OK;
  app a[2];
  toc_status s[2];
  unsigned runs = 0, turn = 0;
  for (unsigned naive = 0; naive < 2; naive++) {
    if (!both && naive != !strcmp(variant, "naive")) continue;
    if (++turn < lives) continue;  // this rank is killed once in each
    a[runs] = asked;
    a[runs].naive = naive;
    a[runs].again = turn == lives;
    shown = ~0U;
    s[runs] = app_run(&a[runs], p);
    if (asked.progress) cli_bar_clear();
    int code = cli_code_of(s[runs], a[runs].wrong);
    if (code && !e) e = code;
    runs++;
    if (asked.all && s[runs - 1]) break;  // the others are not to be heard any more
  }
  if (rec && !record_close(rec)) e = cli_fail(c, CLI_FILE, "the recording could not be written");
  bool differ = runs == 2 && !s[0] && !s[1] && a[0].digest != a[1].digest;
  if (!e && differ) e = CLI_DIFFERENT;
  if (c->as_json) {
    json_uint(&c->json, "n", a[0].n);
    json_uint(&c->json, "size", a[0].size);
    if (!s[0]) json_hex(&c->json, "digest", a[0].digest);
    json_bool(&c->json, "passed", !e);
    json_open(&c->json, "runs", '[');
  }
  for (unsigned i = 0; i < runs; i++) {
    const char *name = a[i].naive ? "naive" : "tocsin";
    if (c->as_json)
      report_json(c, &a[i], name, s[i]);
    else
      report_text(&a[i], name, s[i]);
  }
  if (c->as_json) {
    json_close(&c->json, ']');
    json_close(&c->json, '}');
  } else if (both && !e) {
    puts("both have the same result");
  } else if (differ) {
    puts("the results DIFFER");
  }
  fflush(stdout);
  if (asked.all && !ranks_leave(asked.all) && !e) e = cli_fail(c, CLI_DIFFERENT, "a rank has failed");
  return e;
}
