// SPDX-License-Identifier: Apache-2.0
// tocsin table dump | log dump | regs | replay: what a trace leaves behind, after it has been played on the model.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "machine.h"
#include "node.h"
#include "played.h"
#include "tocsin/aa_log.h"
#include "tocsin/aa_regs.h"
#include "tocsin/regs_table.h"

// Plays a trace up to and with line `last`. 0, or the exit code, said.
static int play_trace(const cli *c, const char *file, FILE *f, uint64_t last, machine **out) {
  char why[120] = "out of memory";
  aa_trace t;
  aa_trace_open(&t, f);
  int s = 0, e = CLI_OK;
  aa_trace_rec *r = malloc(sizeof *r);
  machine *m = r ? machine_new(&t, r, &s, why, sizeof why) : NULL;
  if (!m) e = cli_fail(c, CLI_FILE, "%s: %s", file, why);
  while (!e && s == 1 && t.line <= last) {
    if (machine_play(m, r))
      s = aa_trace_read(&t, r);
    else
      e = cli_fail(c, CLI_DIFFERENT, "%s:%u: %s", file, t.line, machine_why(m));
  }
  if (!e && s < 0) e = cli_fail(c, CLI_FILE, "%s:%u: %s", file, t.line, t.why);
  free(r);
  *out = m;
  return e;
}

static int play_file(const cli *c, const char *file, uint64_t last, machine **out) {
  FILE *f = cli_open(c, file);
  if (!f) return CLI_FILE;
  int e = play_trace(c, file, f, last, out);
  cli_close(f);
  return e;
}

// FILE and --at LINE, which all of these take. `more` says what else it takes: NOT_MINE, or the exit code.
enum { NOT_MINE = -1 };
static int arguments(cli *c, const char **file, uint64_t *last, int (*more)(cli *c, int kind, const char *w, void *ctx),
                     void *ctx) {
  const char *w;
  *file = NULL;
  *last = ~0ULL;
  for (int k; (k = cli_next(c, &w));) {
    if (k == 1 && !strcmp(w, "--at")) {
      if (!cli_number(c, w, 0, ~0U, last)) return CLI_USAGE;
    } else if (k == 2 && !*file) {
      *file = w;
    } else {
      int e = more ? more(c, k, w, ctx) : NOT_MINE;
      if (e) return e == NOT_MINE ? cli_usage(c, "%s is not understood", w) : e;
    }
  }
  return *file ? CLI_OK : cli_usage(c, "which trace?");
}

// ---- table dump -----------------------------------------------------------------------------------------------------

typedef struct dump {
  cli *c;
  bool context;  // inside one
} dump;

static void item_json(void *ctx, const aa_table_item *i) {
  dump *d = ctx;
  json *j = &d->c->json;
  if (!i->level) {
    if (d->context) json_close(j, ']'), json_close(j, '}');
    d->context = true;
    json_open(j, NULL, '{');
    json_hex(j, "requester", i->sid);
    json_uint(j, "domain", i->context.did);
    json_bool(j, "pass_through", i->context.pass);
    json_bool(j, "active", i->context.aa);
    json_bool(j, "no_interrupts", i->context.nointr);
    json_open(j, "pages", '[');
    return;
  }
  const aa_leaf *f = &i->leaf;
  json_open(j, NULL, '{');
  json_hex(j, "iova", i->iova);
  json_hex(j, "pa", f->pa);
  json_uint(j, "bytes", 4096ULL << 9 * (i->level - 1));
  const struct {
    const char *name;
    bool on;
  } bit[] = {{"R", f->r}, {"W", f->w}, {"WL", f->wl}, {"WLD", f->wld}, {"RL", f->rl}, {"RLD", f->rld}, {"E", f->e}};
  for (size_t k = 0; k < sizeof bit / sizeof *bit; k++) json_bool(j, bit[k].name, bit[k].on);
  json_uint(j, "iuid", f->iuid);
  json_hex(j, "entry", i->entry);
  json_close(j, '}');
}

int cmd_table_dump(cli *c) {
  const char *file;
  uint64_t last;
  machine *m = NULL;
  int e = arguments(c, &file, &last, NULL, NULL);
  if (!e) e = play_file(c, file, last, &m);
  if (!e) {
    aa_table t;
    machine_table(m, &t);
    if (c->as_json) {
      dump d = {c, false};
      json_open(&c->json, NULL, '[');
      aa_table_each(&t, item_json, &d);
      if (d.context) json_close(&c->json, ']'), json_close(&c->json, '}');
      json_close(&c->json, ']');
    } else {
      aa_table_dump(&t, stdout);
    }
  }
  machine_free(m);
  return e;
}

// ---- log dump -------------------------------------------------------------------------------------------------------

static void entry(cli *c, mem *memory, uint64_t at, uint64_t addr, uint64_t info) {
  static const char *const kind[8] = {"0?", "put", "get", "atomic", "4?", "5?", "6?", "pad"};
  uint32_t bytes = aa_entry_bytes(info) - 16;
  uint8_t data[4 * 0x7ff + 16];
  mem_read(memory, at + 16, data, bytes);
  unsigned rid = (unsigned)(info >> 48), tag = info >> 38 & 0x3ff;
  const struct {
    const char *name;
    uint64_t bit;
  } flag[] = {{"denied", AA_ENTRY_DENIED}, {"aborted", AA_ENTRY_ABORTED}, {"poisoned", AA_ENTRY_POISONED}};
  if (c->as_json) {
    json *j = &c->json;
    json_open(j, NULL, '{');
    json_hex(j, "at", at);
    json_text(j, "kind", kind[aa_entry_kind(info)]);
    json_hex(j, "address", addr);
    json_hex(j, "requester", rid);
    json_uint(j, "tag", tag);
    json_uint(j, "iuid", info & 0xfff);
    json_uint(j, "words", aa_entry_len(info));
    json_uint(j, "first_enables", aa_entry_fbe(info));
    json_uint(j, "last_enables", aa_entry_lbe(info));
    for (size_t k = 0; k < 3; k++) json_bool(j, flag[k].name, info & flag[k].bit);
    if (info & AA_ENTRY_DATA) json_bytes(j, "data", data, 4 * aa_entry_len(info));
    json_close(j, '}');
    return;
  }
  printf("  %012" PRIx64 " %-6s %02x:%02x.%x 0x%" PRIx64 " %u words, bytes %x/%x, iuid %u", at,
         kind[aa_entry_kind(info)], rid >> 8, rid >> 3 & 31, rid & 7, addr, aa_entry_len(info), aa_entry_fbe(info),
         aa_entry_lbe(info), (unsigned)(info & 0xfff));
  for (size_t k = 0; k < 3; k++)
    if (info & flag[k].bit) printf(", %s", flag[k].name);
  if (info & AA_ENTRY_DATA) {
    fputs(": ", stdout);
    for (uint32_t i = 0; i < 4 * aa_entry_len(info) && i < 32; i++) printf("%02x", data[i]);
    if (4 * aa_entry_len(info) > 32) fputs("...", stdout);
  }
  putchar('\n');
}

static uint64_t reg(machine *m, uint32_t base, uint32_t stride, unsigned n) {
  uint64_t v = 0;
  aa_reg_read(machine_iommu(m), base + n * stride, 8, &v);
  return v;
}

static int which_log(cli *c, int k, const char *w, void *ctx) {
  if (k != 1 || strcmp(w, "--log")) return NOT_MINE;
  return cli_number(c, w, 0, AA_LOG_MAX - 1, ctx) ? CLI_OK : CLI_USAGE;
}

int cmd_log_dump(cli *c) {
  const char *file;
  uint64_t last, only = ~0ULL;
  machine *m = NULL;
  int e = arguments(c, &file, &last, which_log, &only);
  if (!e) e = play_file(c, file, last, &m);
  if (!e && c->as_json) json_open(&c->json, NULL, '[');
  for (unsigned n = 0; !e && n < machine_config(m)->NumLogs; n++) {
    uint64_t cfg = reg(m, AA_REG_LOG_CFG, AA_REG_LOG_CFG_STRIDE, n);
    if ((only != ~0ULL && n != only) || !(cfg & AA_LOG_CFG_EN_MASK)) continue;
    uint64_t base = reg(m, AA_REG_LOG_BASE, AA_REG_LOG_BASE_STRIDE, n);
    uint32_t size = 1u << ((cfg & AA_LOG_CFG_SIZE_MASK) >> AA_LOG_CFG_SIZE_LSB);
    uint32_t prod = (uint32_t)reg(m, AA_REG_LP_PROD, AA_REG_LP_PROD_STRIDE, n);
    uint32_t cons = (uint32_t)reg(m, AA_REG_LP_CONS, AA_REG_LP_CONS_STRIDE, n);
    if (c->as_json) {
      json_open(&c->json, NULL, '{');
      json_uint(&c->json, "log", n);
      json_hex(&c->json, "base", base);
      json_uint(&c->json, "size", size);
      json_hex(&c->json, "producer", prod);
      json_hex(&c->json, "consumer", cons);
      json_open(&c->json, "entries", '[');
    } else {
      printf("log %u at 0x%" PRIx64 ", %u bytes, producer 0x%x, consumer 0x%x, %u bytes to be read\n", n, base, size,
             prod, cons, prod - cons);
    }
    while (prod != cons && prod - cons <= size) {
      uint64_t at = base + (cons & (size - 1)), addr = mem_read64(machine_memory(m), at);
      uint64_t info = mem_read64(machine_memory(m), at + 8);
      if (aa_entry_kind(info) == AA_ENTRY_PAD) {
        cons += 16 + 4 * aa_entry_len(info);
        continue;
      }
      entry(c, machine_memory(m), at, addr, info);
      cons += aa_entry_bytes(info);
    }
    if (c->as_json) json_close(&c->json, ']'), json_close(&c->json, '}');
  }
  if (!e && c->as_json) json_close(&c->json, ']');
  machine_free(m);
  return e;
}

// ---- regs -----------------------------------------------------------------------------------------------------------

typedef struct wanted {
  bool all;
  const tocsin_reg *reg[256];
  unsigned n;
} wanted;

static int which_regs(cli *c, int k, const char *w, void *ctx) {
  wanted *x = ctx;
  if (k == 1 && !strcmp(w, "--all")) {
    x->all = true;
    return CLI_OK;
  }
  if (k != 2) return NOT_MINE;
  const tocsin_reg *r = tocsin_reg_named(&tocsin_aa_reg_map, w);
  if (!r) return cli_usage(c, "no register %s", w);
  if (x->n == sizeof x->reg / sizeof *x->reg) return cli_usage(c, "too many names");
  x->reg[x->n++] = r;
  return CLI_OK;
}

void cli_reg(cli *c, const tocsin_reg *r, unsigned index, uint64_t v) {
  char name[48];
  const char *counts = index < r->counts ? r->count[index] : NULL;
  snprintf(name, sizeof name, r->num ? "%s[%u]" : "%s", r->name, index);
  if (c->as_json) {
    json_open(&c->json, name, '{');
    json_hex(&c->json, "offset", r->offset + index * r->stride);
    json_hex(&c->json, "value", v);
    if (counts) json_text(&c->json, "counts", counts);
    for (size_t k = 0; k < r->fields; k++)
      json_hex(&c->json, r->field[k].name, v >> r->field[k].lsb & ((2ULL << (r->field[k].msb - r->field[k].lsb)) - 1));
    json_close(&c->json, '}');
    return;
  }
  printf("%05x %-14s %0*" PRIx64 "  %s", r->offset + index * r->stride, name, r->width / 4, v,
         counts ? counts : r->text);
  for (size_t k = 0; k < r->fields; k++) {
    uint64_t f = v >> r->field[k].lsb & ((2ULL << (r->field[k].msb - r->field[k].lsb)) - 1);
    if (f) printf(f < 10 ? ", %s %" PRIu64 : ", %s 0x%" PRIx64, r->field[k].name, f);
  }
  putchar('\n');
}

int cmd_regs(cli *c) {
  const char *file;
  uint64_t last;
  wanted x = {0};
  machine *m = NULL;
  int e = arguments(c, &file, &last, which_regs, &x);
  if (!e) e = play_file(c, file, last, &m);
  if (!e && c->as_json) json_open(&c->json, NULL, '{');
  for (size_t i = 0; !e && i < tocsin_aa_reg_map.regs; i++) {
    const tocsin_reg *r = &tocsin_aa_reg_map.reg[i];
    bool asked = false;
    for (unsigned k = 0; k < x.n; k++) asked |= x.reg[k] == r;
    if (x.n && !asked) continue;
    for (unsigned k = 0; k < (r->num ? r->num : 1); k++) {
      uint64_t v = 0;
      if (*r->access == 'w' && r->access[1] == 'o') continue;  // there is nothing to be read
      if (aa_reg_read(machine_iommu(m), r->offset + k * r->stride, r->width / 8, &v) != AA_OK) continue;
      if (v || (asked && !r->num) || x.all) cli_reg(c, r, k, v);
    }
  }
  if (!e && c->as_json) json_close(&c->json, '}');
  machine_free(m);
  return e;
}

// ---- replay ---------------------------------------------------------------------------------------------------------

typedef struct how {
  const char *on, *program;
} how;

static int which_machine(cli *c, int k, const char *w, void *ctx) {
  how *h = ctx;
  if (k == 1 && !strcmp(w, "--on")) return (h->on = cli_value(c, w)) ? CLI_OK : CLI_USAGE;
  if (k == 1 && !strcmp(w, "--program")) return (h->program = cli_value(c, w)) ? CLI_OK : CLI_USAGE;
  return NOT_MINE;
}

// The hardware stands in a program of its own, so that this one needs no Verilator: beside this one where it was
// installed, or built.
static bool find_hardware(char *path, size_t n, bool whole) {
  static const char *const iommu[] = {"/../libexec/tocsin/cosim", "/../cosim/default/cosim"};
  static const char *const node[] = {"/../libexec/tocsin/cosim-tocsin", "/../cosim_tocsin/default/cosim"};
  const char *const *place = whole ? node : iommu;
  char self[400];
  ssize_t k = readlink("/proc/self/exe", self, sizeof self - 1);
  if (k < 0) return false;
  self[k] = 0;
  *strrchr(self, '/') = 0;
  for (unsigned i = 0; i < 2; i++)
    if ((size_t)snprintf(path, n, "%s%s", self, place[i]) < n && !access(path, X_OK)) return true;
  return false;
}

static int replay_hardware(const cli *c, const how *h, const char *file, bool whole) {
  char found[500] = "the lockstep program";
  const char *variable = whole ? "TOCSIN_COSIM_NODE" : "TOCSIN_COSIM";
  const char *program = h->program ? h->program : getenv(variable);
  if (!program) program = find_hardware(found, sizeof found, whole) ? found : "";
  if (access(program, X_OK))
    return cli_fail(c, CLI_BACKEND,
                    "%s is not there: `make cosim%s N=1` builds it, `make install-rtl` installs it, --program or "
                    "%s name it",
                    *program ? program : found, whole ? " TOP=tocsin" : "", variable);
  fflush(stdout);
  execl(program, program, "--replay", file, "--backend", h->on, (char *)NULL);
  return cli_fail(c, CLI_BACKEND, "%s cannot be run", program);
}

static int nothing_in(const cli *c, const char *file) {
  return cli_fail(c, CLI_FILE, "%s: there is nothing in it that could be played", file);
}

// A trace of a whole node, on the models of both halves.
static int replay_node(cli *c, const char *file, FILE *f) {
  char why[400];
  node *n = node_new(f, file, why, sizeof why);
  if (!n) return cli_fail(c, CLI_FILE, "%s", why);
  int e = node_play(n) ? CLI_OK : cli_fail(c, CLI_DIFFERENT, "%s", node_why(n));
  player_count k = node_counts(n);
  if (!e && !(k.reads | k.writes | k.frames_in | k.frames_out | k.checks)) {
    e = nothing_in(c, file);
  } else if (c->as_json) {
    json_open(&c->json, NULL, '{');
    json_text(&c->json, "file", file);
    json_text(&c->json, "on", "model");
    json_bool(&c->json, "as_expected", !e);
    json_uint(&c->json, "reads", k.reads);
    json_uint(&c->json, "writes", k.writes);
    json_uint(&c->json, "frames_in", k.frames_in);
    json_uint(&c->json, "frames_out", k.frames_out);
    json_uint(&c->json, "again", k.again);
    json_uint(&c->json, "checks", k.checks);
    json_close(&c->json, '}');
  } else {
    printf("%s on the model: " PLAY_COUNT_FORMAT ": %s\n", file, PLAY_COUNT(k), e ? "FAILED" : "all as expected");
  }
  node_free(n);
  return e;
}

int cmd_replay(cli *c) {
  const char *file;
  uint64_t last;
  how h = {"model", NULL};
  machine *m = NULL;
  int e = arguments(c, &file, &last, which_machine, &h);
  if (e) return e;
  bool model = !strcmp(h.on, "model");
  if (!model && strcmp(h.on, "rtl") && strcmp(h.on, "both"))
    return cli_usage(c, "--on %s: it is model, rtl or both", h.on);
  if (!model && (last != ~0ULL || c->as_json || !strcmp(file, "-")))
    return cli_usage(c, "--at, --json and standard input go with --on model alone");
  FILE *f = cli_open(c, file);
  if (!f) return CLI_FILE;
  bool whole = !fseek(f, 0, SEEK_CUR) && aa_trace_of_node(f);  // of a node: from a file, which is read twice
  if (whole && last != ~0ULL)
    e = cli_usage(c, "--at: a node's trace is played to its end");
  else if (!model)
    e = replay_hardware(c, &h, file, whole);
  else if (whole)
    e = replay_node(c, file, f);
  else
    e = play_trace(c, file, f, last, &m);
  cli_close(f);
  if (whole || !model) return e;
  machine_count n = m ? machine_counts(m) : (machine_count){0};
  const bool nothing = !e && !(n.translations | n.waits | n.reads | n.writes | n.tlps | n.checks);
  if (nothing) e = nothing_in(c, file);
  if (m && !nothing) {
    if (c->as_json) {
      json_open(&c->json, NULL, '{');
      json_text(&c->json, "file", file);
      json_text(&c->json, "on", h.on);
      json_bool(&c->json, "as_expected", !e);
      json_uint(&c->json, "translations", n.translations);
      json_uint(&c->json, "waits", n.waits);
      json_uint(&c->json, "reads", n.reads);
      json_uint(&c->json, "writes", n.writes);
      json_uint(&c->json, "tlps", n.tlps);
      json_uint(&c->json, "checks", n.checks);
      json_close(&c->json, '}');
    } else {
      const played_count played[] = {{"translation", n.translations},
                                     {"wait", n.waits},
                                     {"register read", n.reads},
                                     {"write", n.writes},
                                     {"TLP", n.tlps},
                                     {"check", n.checks}};
      printf("%s on the model: ", file);
      played_print(stdout, played, sizeof played / sizeof *played);
      printf(": %s\n", e ? "FAILED" : "all as expected");
    }
  }
  machine_free(m);
  return e;
}
