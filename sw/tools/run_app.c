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

// What was asked for, and what became of it.
typedef struct plan {
  const app_program *p;
  app asked;
  const char *variant, *trace, *pcap, *part;
  uint64_t nodes, loss, of, ranks, rank;
  const char *root;
  bool listing, both, whole, as_ranks;
  unsigned lives;  // this rank was killed, and is there again, so often
  recorder *rec;
  unsigned shown;  // of the bar
  unsigned runs;
  app run[2];
  toc_status status[2];
} plan;

enum { NO_RANK = RANKS_MOST, NO_NODE = APP_NODES };

// One word of the command line: CLI_OK, or it was told why not.
static int option(cli *c, plan *q, const char *w) {
  const struct {
    const char *name, **text;
    uint64_t *number, least, most;
  } known[] = {
      {.name = "--backend", .text = &q->asked.open.backend},
      {.name = "--path", .text = &q->asked.open.path},
      {.name = "--root", .text = &q->root},
      {.name = "--record", .text = &q->trace},
      {.name = "--record-of", .text = &q->part},
      {.name = "--pcap", .text = &q->pcap},
      {.name = "--variant", .text = &q->variant},
      {.name = "--seed", .number = &q->asked.open.seed, .most = UINT64_MAX},
      {.name = "--nodes", .number = &q->nodes, .least = 1, .most = APP_NODES},
      {.name = "--ranks", .number = &q->ranks, .least = 2, .most = RANKS_MOST},
      {.name = "--rank", .number = &q->rank, .most = RANKS_MOST - 1},
      {.name = "--n", .number = &q->asked.n, .least = 1, .most = 1000000},
      {.name = "--size", .number = &q->asked.size, .least = 1, .most = 1000000},
      {.name = "--loss", .number = &q->loss, .most = 300},
      {.name = "--record-node", .number = &q->of, .most = APP_NODES - 1},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(w, known[i].name)) continue;
    if (known[i].text) return (*known[i].text = cli_value(c, w)) ? CLI_OK : CLI_USAGE;
    return cli_number(c, w, known[i].least, known[i].most, known[i].number) ? CLI_OK : CLI_USAGE;
  }
  if (strcmp(w, "--list")) return cli_usage(c, "%s is not understood", w);
  q->listing = true;
  return CLI_OK;
}

static int read_options(cli *c, plan *q) {
  const char *w;
  for (int k; (k = cli_next(c, &w));) {
    if (k == 2 && !q->p) {
      if (!(q->p = app_named(w))) return cli_usage(c, "no program %s", w);
      continue;
    }
    int e = k == 1 ? option(c, q, w) : cli_usage(c, "%s is not understood", w);
    if (e) return e;
  }
  q->both = !strcmp(q->variant, "both");
  q->whole = q->part && !strcmp(q->part, "node");
  q->as_ranks = q->ranks || q->rank != NO_RANK || q->root;
  return CLI_OK;
}

// What does not go together: of ranks,
static int refuse_ranks(cli *c, const plan *q) {
  const char *colon = q->root ? strrchr(q->root, ':') : NULL;
  if (!q->as_ranks) return CLI_OK;
  if (q->rank != NO_RANK && (!q->ranks || !q->root || q->rank >= q->ranks))
    return cli_usage(c, "--rank is 0 to --ranks less one, with the --root HOST:PORT of rank 0");
  if (q->root && (!colon || colon == q->root || !colon[1])) return cli_usage(c, "--root %s: it is HOST:PORT", q->root);
  if (q->root && !q->ranks && !ranks_launched()) return cli_usage(c, "--root goes with --ranks");
  const unsigned count = q->ranks ? (unsigned)q->ranks : ranks_launched_count();
  if (count && count < q->p->nodes) return cli_usage(c, "%s needs %u ranks", q->p->name, q->p->nodes);
  if (q->nodes || q->trace || q->pcap || q->asked.open.path)
    return cli_usage(c, "--ranks goes without --nodes, --path, --record and --pcap");
  if (strcmp(q->asked.open.backend, "model") && strcmp(q->asked.open.backend, "rtl"))
    return cli_usage(c, "--ranks is for the backends model and rtl");
  return CLI_OK;
}

// of a recording,
static int refuse_recording(cli *c, const plan *q) {
  if (q->trace && q->pcap && !strcmp(q->trace, q->pcap)) return cli_usage(c, "--record and --pcap into one file");
  if ((q->trace || q->pcap) && q->both) return cli_usage(c, "one variant can be recorded, not both");
  if (!q->trace && (q->part || q->of != NO_NODE)) return cli_usage(c, "--record-of and --record-node go with --record");
  if (q->trace && strcmp(q->asked.open.backend, "model"))
    return cli_fail(c, CLI_BACKEND, "--record: only backend model says what it reads of memory");
  if (q->of != NO_NODE && q->of >= q->asked.nodes)
    return cli_usage(c, "--record-node %u: there are %u nodes", (unsigned)q->of, q->asked.nodes);
  if (q->part && !q->whole && strcmp(q->part, "iommu"))
    return cli_usage(c, "--record-of %s: it is iommu or node", q->part);
  return CLI_OK;
}

// of all.
static int refuse(cli *c, plan *q) {
  const app_program *p = q->p;
  const char *backend = q->asked.open.backend;
  if (!q->both && strcmp(q->variant, "tocsin") && strcmp(q->variant, "naive"))
    return cli_usage(c, "--variant %s: it is tocsin, naive or both", q->variant);
  if (!cli_backend(backend)) return cli_fail(c, CLI_BACKEND, "no backend %s in this program", backend);
  int e = refuse_ranks(c, q);
  if (e) return e;
  if (q->asked.open.path && (!strcmp(backend, "model") || !strcmp(backend, "rtl")))
    return cli_usage(c, "--path: backend %s has no devices", backend);
  q->asked.nodes = q->nodes ? (unsigned)q->nodes : p->nodes;
  if (q->asked.nodes < p->nodes) return cli_usage(c, "%s needs %u nodes", p->name, p->nodes);
  if (q->asked.size && !p->size_most) return cli_usage(c, "%s has no --size", p->name);
  if (q->asked.size > p->size_most || q->asked.size % 8)
    return cli_usage(c, "--size of %s: a multiple of 8 up to %u bytes", p->name, p->size_most);
  return refuse_recording(c, q);
}

static int begin_recording(cli *c, plan *q) {
  char what[200], n[40] = "", size[40] = "";
  const char *trace = q->trace, *pcap = q->pcap;
  const unsigned of = q->of == NO_NODE ? 0 : (unsigned)q->of;
  if (!trace && !pcap) return CLI_OK;
  if (q->asked.n) snprintf(n, sizeof n, " --n %" PRIu64, q->asked.n);
  if (q->asked.size) snprintf(size, sizeof size, " --size %" PRIu64, q->asked.size);
  snprintf(what, sizeof what, "tocsin run %s%s --seed %" PRIu64 " --nodes %u%s%s --loss %u: %snode %u", q->p->name,
           strcmp(q->variant, "naive") ? "" : " --variant naive", q->asked.open.seed, q->asked.nodes, n, size,
           (unsigned)q->loss, q->whole ? "" : "the IOMMU of ", of);
  q->rec = record_open(&(record_options){trace, pcap, of, q->asked.nodes, q->whole, what});
  if (!q->rec)
    return cli_fail(c, CLI_FILE, "'%s'%s%s cannot be written: %s", trace ? trace : pcap, trace && pcap ? " or " : "",
                    trace && pcap ? pcap : "", strerror(errno));
  q->asked.open.see = record_see;
  q->asked.open.see_ctx = q->rec;
  return CLI_OK;
}

// What has to be the same at all ranks.
static uint64_t job_of(const plan *q) {
  char text[200];
  uint64_t h = 0xcbf29ce484222325;
  snprintf(text, sizeof text, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %" PRIu64, q->p->name, q->asked.open.seed,
           q->asked.n, q->asked.size, q->variant, q->loss);
  for (const char *t = text; *t; t++) h = (h ^ (uint8_t)*t) * 0x100000001b3;
  return h;
}

static int join(cli *c, plan *q) {
  char why[RANKS_WHY];
  ranks_asked r = {.count = (unsigned)q->ranks,
                   .rank = q->rank == NO_RANK ? -1 : (int)q->rank,
                   .root = q->root,
                   .job = job_of(q),
                   .survives = q->p->survives};
  if (!(q->asked.all = ranks_join(&r, why))) return cli_fail(c, CLI_BACKEND, "%s", why);
  q->asked.nodes = ranks_count(q->asked.all);
  q->lives = ranks_lives(q->asked.all);
  if (!ranks_rank(q->asked.all) || freopen("/dev/null", "w", stdout)) return CLI_OK;  // rank 0 reports
  const int e = cli_fail(c, CLI_FILE, "/dev/null cannot be opened: %s", strerror(errno));
  ranks_fail(q->asked.all, TOC_E_IO, "it has no /dev/null");
  (void)ranks_leave(q->asked.all);
  return e;
}

static void announce(cli *c, const plan *q) {
  const app *a = &q->asked;
  if (c->as_json) {
    json_open(&c->json, NULL, '{');
    json_text(&c->json, "program", q->p->name);
    json_text(&c->json, "backend", a->open.backend);
    json_uint(&c->json, "seed", a->open.seed);
    json_uint(&c->json, "nodes", a->nodes);
    if (a->all) json_text(&c->json, "ranks_by", ranks_by(a->all));
  } else if (a->all) {
    printf("%s on %s, %u ranks by %s, seed %" PRIu64 ": %s\n", q->p->name, a->open.backend, a->nodes, ranks_by(a->all),
           a->open.seed, q->p->text);
  } else {
    printf("%s on %s, %u nodes, seed %" PRIu64 ": %s\n", q->p->name, a->open.backend, a->nodes, a->open.seed,
           q->p->text);
  }
  if (a->all) fflush(NULL);
}

static int run_variants(plan *q) {
  int e = CLI_OK;
  unsigned turn = 0;
  if (cli_terminal(2)) q->asked.progress = cli_bar, q->asked.ctx = &q->shown;
  for (unsigned naive = 0; naive < 2; naive++) {
    if (!q->both && naive != !strcmp(q->variant, "naive")) continue;
    if (++turn < q->lives) continue;  // this rank is killed once in each
    app *a = &q->run[q->runs];
    toc_status *s = &q->status[q->runs++];
    *a = q->asked;
    a->naive = naive;
    a->again = turn == q->lives;
    q->shown = ~0U;
    *s = app_run(a, q->p);
    if (a->progress) cli_bar_clear();
    int code = cli_code_of(*s, a->wrong);
    if (code && !e) e = code;
    if (a->all && *s) break;  // the others are not to be heard any more
  }
  return e;
}

static void report(cli *c, const plan *q, int e, bool differ) {
  if (c->as_json) {
    json_uint(&c->json, "n", q->run[0].n);
    json_uint(&c->json, "size", q->run[0].size);
    if (!q->status[0]) json_hex(&c->json, "digest", q->run[0].digest);
    json_bool(&c->json, "passed", !e);
    json_open(&c->json, "runs", '[');
  }
  for (unsigned i = 0; i < q->runs; i++) {
    const char *name = q->run[i].naive ? "naive" : "tocsin";
    if (c->as_json)
      report_json(c, &q->run[i], name, q->status[i]);
    else
      report_text(&q->run[i], name, q->status[i]);
  }
  if (c->as_json) {
    json_close(&c->json, ']');
    json_close(&c->json, '}');
  } else if (q->both && !e) {
    puts("both have the same result");
  } else if (differ) {
    puts("the results DIFFER");
  }
  fflush(stdout);
}

int cmd_run(cli *c) {
  plan q = {.asked = {.open = {.backend = "model", .seed = 1}}, .variant = "tocsin", .rank = NO_RANK, .of = NO_NODE};
  int e = read_options(c, &q);
  if (e) return e;
  if (q.listing) return q.p ? cli_usage(c, "--list takes no program") : list(c);
  if (!q.p) return cli_usage(c, "which program?");
  if ((e = refuse(c, &q)) || (e = begin_recording(c, &q))) return e;
  q.asked.open.drop = q.asked.open.twice = q.asked.open.swap = (unsigned)q.loss;
  if (q.as_ranks && (e = join(c, &q))) return e;
  announce(c, &q);
  e = run_variants(&q);
  const char *full = q.rec ? record_close(q.rec) : NULL;
  if (full) e = cli_fail(c, CLI_FILE, "'%s' cannot be written: %s", full, strerror(errno));
  bool differ = q.runs == 2 && !q.status[0] && !q.status[1] && q.run[0].digest != q.run[1].digest;
  if (!e && differ) e = CLI_DIFFERENT;
  report(c, &q, e, differ);
  if (q.asked.all && !ranks_leave(q.asked.all) && !e) e = cli_fail(c, CLI_DIFFERENT, "a rank has failed");
  return e;
}
