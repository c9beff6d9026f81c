// SPDX-License-Identifier: Apache-2.0
#include "node.h"

#include <stdlib.h>
#include <string.h>

#include "tocsin/tocsin_model.h"

enum { CYCLES = 1000, PATIENCE = 5000, AGAIN = 4 };  // of a wait: for what must come, for what may come

struct node {
  tocsin_model *m;
  mem *mem;
  player *player;
  char why[400];
};

static bool failed(node *n, const char *what, tocsin_model_status s) {
  if (s == TOCSIN_MODEL_OK) return true;
  snprintf(n->why, sizeof n->why, "%s: %s", what, tocsin_model_strstatus(s));
  return false;
}

// ---- what the model asks for
static bool mem_out(void *ctx, uint64_t addr, void *buf, size_t k) {
  mem_read(((node *)ctx)->mem, addr, buf, k);
  return true;
}

static bool mem_in(void *ctx, uint64_t addr, const void *buf, size_t k) {
  mem_write(((node *)ctx)->mem, addr, buf, k);
  return true;
}

static void frame_out(void *ctx, const uint8_t *bytes, size_t k) { player_frame_out(((node *)ctx)->player, bytes, k); }

// ---- what the player asks for
static bool reg_write(void *ctx, uint32_t addr, unsigned size, uint64_t v) {
  node *n = ctx;
  tocsin_model_status s = TOCSIN_MODEL_E_BUSY;
  for (unsigned i = 0; i < PATIENCE && s == TOCSIN_MODEL_E_BUSY; i++) {
    s = tocsin_model_reg_write(n->m, addr, size, v);
    if (s == TOCSIN_MODEL_E_BUSY) tocsin_model_advance(n->m, 1);
  }
  return failed(n, "register write", s);
}

static bool reg_read(void *ctx, uint32_t addr, unsigned size, uint64_t *v) {
  node *n = ctx;
  return failed(n, "register read", tocsin_model_reg_read(n->m, addr, size, v));
}

static bool frame_in(void *ctx, const uint8_t *bytes, size_t k, bool fcs_bad, bool *taken) {
  node *n = ctx;
  *taken = tocsin_model_rx(n->m, bytes, k, fcs_bad) == TOCSIN_MODEL_OK;
  return failed(n, "frame", tocsin_model_run(n->m, NULL));
}

static void poke(void *ctx, uint64_t addr, const void *bytes, size_t k) {
  mem_write(((node *)ctx)->mem, addr, bytes, k);
}

static bool pass(void *ctx) {
  node *n = ctx;
  return failed(n, "time", tocsin_model_advance(n->m, CYCLES));
}

static bool quiet(void *ctx) { return !tocsin_model_pending(((node *)ctx)->m); }

// ---- life
static bool parameters(const player *p, tocsin_model_config *c) {
  const struct {
    const char *name;
    unsigned *at;
  } have[] = {
      {"NumProcs", &c->nic.NumProcs},       {"NumQps", &c->nic.NumQps},        {"NumMrs", &c->nic.NumMrs},
      {"TableBits", &c->nic.TableBits},     {"RecvDepth", &c->nic.RecvDepth},  {"NumLogs", &c->aa.NumLogs},
      {"LogDepth", &c->aa.LogDepth},        {"FlushPages", &c->aa.FlushPages}, {"FlushWaiters", &c->aa.FlushWaiters},
      {"ScratchWords", &c->aa.ScratchWords}};
  unsigned known = 0;
  for (unsigned i = 0; i < sizeof have / sizeof *have; i++) {
    uint64_t v;
    if (!player_parameter(p, have[i].name, &v)) continue;
    *have[i].at = v > ~0u ? ~0u : (unsigned)v;
    known++;
  }
  return known == player_parameters(p);
}

node *node_new(FILE *file, const char *name, char *why, size_t whys) {
  static const tocsin_model_ops model = {mem_out, mem_in, NULL, frame_out, NULL, NULL};
  static const player_ops ops = {reg_write, reg_read, frame_in, poke, pass, quiet, CYCLES, PATIENCE, AGAIN};
  node *n = calloc(1, sizeof *n);
  tocsin_model_config c;
  if (!n) abort();
  n->mem = mem_new();
  n->player = player_new(file, name, &ops, n, n->mem, why, whys);
  if (!n->player) {
    node_free(n);
    return NULL;
  }
  tocsin_model_config_default(&c);
  bool known = parameters(n->player, &c);
  tocsin_model_status s = known ? tocsin_model_new(&c, &model, n, &n->m) : TOCSIN_MODEL_E_CONFIG;
  if (s == TOCSIN_MODEL_OK) return n;
  snprintf(why, whys, "%s: %s", name, known ? tocsin_model_strstatus(s) : "a parameter that no node has");
  node_free(n);
  return NULL;
}

void node_free(node *n) {
  if (!n) return;
  tocsin_model_free(n->m);
  player_free(n->player);
  mem_free(n->mem);
  free(n);
}

bool node_play(node *n) { return player_all(n->player); }
const char *node_why(const node *n) { return *player_why(n->player) ? player_why(n->player) : n->why; }
player_count node_counts(const node *n) { return player_counts(n->player); }
