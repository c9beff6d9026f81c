// SPDX-License-Identifier: Apache-2.0
// Plays a trace of a whole node on the hardware, alone or in lockstep with both models. There is no link and no other
// node: what the trace says comes in, and what goes out must be in it (trace_player.h).
#include <stdlib.h>
#include <string.h>

#include "cosim_nic.h"
#include "trace_player.h"
#include "tocsin.h"

enum { PATIENCE = 200000, AGAIN = 5000, SETTLE = 100 };  // cycles of a wait
enum { BAD_TRACE = 3 };  // the exit status of `tocsin` for a file that is not what it should be

// Of a trace's register address, as rtl/top/tocsin.sv has it.
static uint32_t place_of(uint32_t addr) { return addr >> 20 & 1 ? addr & 0xfffff : NET_IOMMU | addr; }

// What software writes is behind what peers had sent before: a frame of a connection that is no more must not come
// after the next one's first register.
static void frames_first(node *n) {
  unsigned more = n->dut->in_busy ? SETTLE : 0;
  while (n->dut->in_busy && !n->net->failed) net_cycle(n->net);
  while (more-- && !n->net->failed) net_cycle(n->net);
}

static bool reg_write(void *ctx, uint32_t addr, unsigned size, uint64_t v) {
  node *n = ctx;
  bool high = size == 4 && addr & 4;
  frames_first(n);
  node_write_strb(n, place_of(addr & ~7u), high ? v << 32 : v, size == 8 ? 255 : high ? 0xf0 : 0x0f);
  node_settle(n);
  return !n->net->failed;
}

static bool reg_read(void *ctx, uint32_t addr, unsigned size, uint64_t *v) {
  node *n = ctx;
  uint64_t w = node_read(n, place_of(addr & ~7u));
  *v = size == 8 ? w : addr & 4 ? w >> 32 : w & 0xffffffff;
  return !n->net->failed;
}

static bool frame_in(void *ctx, const uint8_t *bytes, size_t k, bool fcs_bad, bool *taken) {
  node *n = ctx;
  frame f = {.n = k, .fcs_bad = fcs_bad};
  if (k > sizeof f.b) {
    net_fail(n->net, "trace", "a frame of %zu bytes", k);
    return false;
  }
  memcpy(f.b, bytes, k);
  *taken = n->ops->take(n, &f);
  return true;
}

static void poke(void *ctx, uint64_t addr, const void *bytes, size_t k) {
  node *n = ctx;
  mem_write(n->mem, addr, bytes, k);
  if (n->ref) mem_write(n->ref, addr, bytes, k);
}

static bool pass(void *ctx) {
  node *n = ctx;
  net_cycle(n->net);
  return !n->net->failed;
}

static bool quiet(void *ctx) { return net_idle(((node *)ctx)->net); }

static void frame_out(void *ctx, const uint8_t *b, size_t k) { player_frame_out(ctx, b, k); }

// What the trace needs and this build has not.
static bool fits(node *n, const player *p) {
  const nic_config *c = &n->cfg;
  const aa_config *a = &n->iommu->b->hw;
  const struct {
    const char *name;
    uint64_t value;
  } have[] = {{"NumProcs", c->NumProcs},        {"NumQps", c->NumQps},         {"NumMrs", c->NumMrs},
              {"TableBits", c->TableBits},      {"RecvDepth", c->RecvDepth},   {"NumLogs", a->NumLogs},
              {"LogDepth", a->LogDepth},        {"FlushPages", a->FlushPages}, {"FlushWaiters", a->FlushWaiters},
              {"ScratchWords", a->ScratchWords}};
  unsigned known = 0;
  for (unsigned i = 0; i < sizeof have / sizeof *have; i++) {
    uint64_t want;
    if (!player_parameter(p, have[i].name, &want)) continue;
    known++;
    if (want == have[i].value) continue;
    net_fail(n->net, "trace", "it needs %s = %" PRIu64 ", this build has %" PRIu64, have[i].name, want, have[i].value);
    return false;
  }
  if (known != player_parameters(p)) net_fail(n->net, "trace", "it needs a parameter that no node has");
  return !n->net->failed;
}

static void play_and_compare(node *n, player *p) {
  if (!fits(n, p)) return;
  if (!player_all(p) && !n->net->failed) net_fail(n->net, "trace", "%s", player_why(p));
  if (!n->net->failed && n->net->backend == NET_BOTH) n->ops->end(n);
}

int tocsin_replay(const nic_options *given, const char *file) {
  static const player_ops ops = {reg_write, reg_read, frame_in, poke, pass, quiet, 1, PATIENCE, AGAIN};
  nic_options o = *given;
  char why[400];
  if (o.backend == NET_MODEL) {
    fprintf(stderr, "the models alone play it without this program: `tocsin replay %s`\n", file);
    return 2;
  }
  FILE *f = fopen(file, "r");
  if (!f) {
    perror(file);
    return BAD_TRACE;
  }
  o.nodes = o.duts = 1;
  net *w = nic_begin(&o);
  w->what = "replaying a trace";
  player *p = player_new(f, file, &ops, &w->node[0], w->node[0].mem, why, sizeof why);
  fclose(f);
  if (!p) {
    fprintf(stderr, "%s\n", why);
    net_free(w);
    return BAD_TRACE;
  }
  w->out = frame_out;
  w->out_ctx = p;
  play_and_compare(&w->node[0], p);
  player_count k = player_counts(p);
  printf("replay of %s on %s: " PLAY_COUNT_FORMAT ", %" PRIu64 " cycles: %s\n", file,
         o.backend == NET_RTL ? "rtl" : "both", PLAY_COUNT(k), w->cycle, w->failed ? "FAILED" : "all as expected");
  fflush(stdout);
  player_free(p);
  return nic_end(&o, w);
}
