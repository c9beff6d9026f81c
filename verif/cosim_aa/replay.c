// SPDX-License-Identifier: Apache-2.0
// Plays a trace (verif/traces/README.md) on hardware, model or both.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "hw_config.h"
#include "played.h"
#include "tocsin/trace.h"
#include "traffic.h"

#define LIMIT 100000

typedef struct player {
  bench *b;
  const char *file;
  unsigned line;
  uint64_t translations, waits, reads, writes, checks;
  unsigned tag;
} player;

static void wrong(player *p, const char *fmt, ...) {
  char text[400];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  bench_fail(p->b, "trace", "%s:%u: %s", p->file, p->line, text);
}

static bool until(player *p, pktq *q) {
  for (unsigned i = 0; !q->head && !p->b->failed && i < LIMIT; i++) bench_step(p->b);
  return q->head != NULL;
}

static pkt *packet(const aa_trace_rec *r, const aa_config *hw) {
  uint32_t ndw = (r->bytes + 3) / 4, want = r->beats * (hw->DataW / 32);
  pkt *p = pkt_new((ndw > want ? ndw : want) + 32);
  memcpy(p->hdr, r->hdr, sizeof p->hdr);
  p->ndw = ndw;
  memset(p->data, 0, 4 * (size_t)p->room);
  memcpy(p->data, r->data, r->bytes);
  p->beats = (uint16_t)r->beats;
  p->strb = r->strb;
  p->seq = r->seq;
  p->err = r->err;
  p->cut = r->cut;
  p->nosop = r->nosop;
  return p;
}

static void translate(player *p, const aa_trace_rec *r) {
  bench *b = p->b;
  pkt *t = traffic_request(r->write ? TLP_MWR32 : TLP_MRD32, r->sid, p->tag++ & 0xFF, r->addr, 1, 0xF, 0);
  if (r->write) memset(t->data, 0xC3, 4);
  t->seq = (uint8_t)p->tag;
  uint64_t blocked = 0;
  if (r->blocked && r->write) blocked = bench_read(b, AA_REG_CNT, 8);
  pktq_push(&b->dev_q[0], t);
  p->translations++;
  if (r->blocked) {
    if (r->write) {
      for (unsigned i = 0; i < LIMIT / 100 && !b->failed && bench_read(b, AA_REG_CNT, 8) == blocked; i++)
        bench_run(b, 10);
      bench_run(b, 50);
      if (b->host_seen.head) wrong(p, "a write to %" PRIx64 " came through", r->addr);
    } else if (!until(p, &b->dev_seen[0])) {
      wrong(p, "no answer to a read of %" PRIx64, r->addr);
    } else {
      t = pktq_pop(&b->dev_seen[0]);
      if ((t->hdr[1] >> 13 & 7) != TLP_UR) wrong(p, "a read of %" PRIx64 " was not refused", r->addr);
      pkt_free(t);
    }
    return;
  }
  if (!until(p, &b->host_seen)) {
    wrong(p, "nothing came through for %" PRIx64, r->addr);
    return;
  }
  t = pktq_pop(&b->host_seen);
  if (tlp_addr(t->hdr) != (r->value & ~3ULL) || tlp_req_id(t->hdr) != r->sid)
    wrong(p, "%" PRIx64 ": got %" PRIx64 ", want %" PRIx64, r->addr, tlp_addr(t->hdr), r->value);
  pkt_free(t);
  if (!r->write && !host_mode_of(b)->manual) {
    if (!until(p, &b->dev_seen[0]))
      wrong(p, "no answer to a read of %" PRIx64, r->addr);
    else
      pkt_free(pktq_pop(&b->dev_seen[0]));
  }
}

static void expect(player *p, const aa_trace_rec *r, pktq *q, const char *where) {
  if (!until(p, q)) {
    wrong(p, "nothing comes out at %s", where);
    return;
  }
  pkt *got = pktq_pop(q);
  char text[200];
  unsigned words = r->hdr[0] >> 29 & 1 ? 4 : 3;
  if (memcmp(got->hdr, r->hdr, 4 * (size_t)words) || got->ndw * 4 != r->bytes || memcmp(got->data, r->data, r->bytes))
    wrong(p, "%s: got %s, want %08x %08x %08x %08x and %u bytes", where, pkt_text(got, text, sizeof text), r->hdr[0],
          r->hdr[1], r->hdr[2], r->hdr[3], r->bytes);
  pkt_free(got);
  p->checks++;
}

static void parameter(player *p, const aa_trace_rec *r) {
  const aa_config *c = &p->b->hw;
  const struct {
    const char *name;
    uint64_t value;
  } have[] = {{"NumPorts", c->NumPorts},         {"Window", c->Window},
              {"IotlbEntries", c->IotlbEntries}, {"IotlbWays", c->IotlbWays},
              {"IotlbRandom", c->IotlbRandom},   {"SpEntries", c->SpEntries},
              {"CtxEntries", c->CtxEntries},     {"PscEntries", c->PscEntries},
              {"Walkers", c->Walkers},           {"NumLogs", c->NumLogs},
              {"LogDepth", c->LogDepth},         {"TagEntries", c->TagEntries},
              {"FlushPages", c->FlushPages},     {"FlushWaiters", c->FlushWaiters},
              {"ScratchWords", c->ScratchWords}, {"DataW", c->DataW}};
  for (unsigned i = 0; i < sizeof have / sizeof have[0]; i++)
    if (!strcmp(r->name, have[i].name)) {
      if (r->value != have[i].value)
        wrong(p, "needs %s = %" PRIu64 ", this build has %" PRIu64, r->name, r->value, have[i].value);
      return;
    }
  wrong(p, "no parameter %s", r->name);
}

static bool is_register(player *p, const aa_trace_rec *r) {
  bool reg = r->kind == AA_TRACE_REG_READ || r->kind == AA_TRACE_REG_WRITE || r->kind == AA_TRACE_WAIT_REG;
  if (!reg || r->addr < 0x100000) return true;
  wrong(p, "register 0x%" PRIx64 " is not the IOMMU's", r->addr);
  return false;
}

static void read_register(player *p, const aa_trace_rec *r) {
  uint64_t v = bench_read(p->b, (uint32_t)r->addr, r->size);
  p->reads++;
  if ((v & r->mask) != (r->value & r->mask))
    wrong(p, "register 0x%" PRIx64 ": got %" PRIx64 ", want %" PRIx64, r->addr, v, r->value);
}

static void wait_register(player *p, const aa_trace_rec *r) {
  for (unsigned i = 0; i < LIMIT / 10 && !p->b->failed; i++) {
    uint64_t v = bench_read(p->b, (uint32_t)r->addr, r->size);
    if ((v & r->mask) == (r->value & r->mask)) return;
    bench_run(p->b, 10);
  }
  wrong(p, "register 0x%" PRIx64 " never becomes %" PRIx64, r->addr, r->value);
}

static void wait_memory(player *p, const aa_trace_rec *r) {
  bench *b = p->b;
  for (unsigned i = 0; i < LIMIT && !b->failed; i++) {
    uint32_t now;
    mem_read(b->mem, r->addr, &now, 4);
    if (now == r->value) {
      // the word is used again and again: the next wait must write it anew. First let its record come.
      bench_run(b, 30);
      now = 0;
      bench_poke(b, r->addr, &now, 4);
      p->waits++;
      return;
    }
    bench_step(b);
  }
  wrong(p, "memory at %" PRIx64 " never becomes %" PRIx64, r->addr, r->value);
}

static void expect_memory(player *p, const aa_trace_rec *r) {
  for (uint32_t i = 0; i < r->bytes; i++) {
    uint8_t x;
    mem_read(p->b->mem, r->addr + i, &x, 1);
    if ((x ^ r->data[i]) & aa_trace_mask(r, i)) {
      wrong(p, "memory at %" PRIx64 ": got %02x, want %02x", r->addr + i, x, r->data[i]);
      break;
    }
  }
  p->checks++;
}

static void expect_nothing(player *p) {
  bench_quiet(p->b, LIMIT);
  if (p->b->host_seen.head) wrong(p, "a TLP for the host that nobody expects");
  for (unsigned i = 0; i < BENCH_PORTS; i++)
    if (p->b->dev_seen[i].head) wrong(p, "a completion for port %u that nobody expects", i);
}

static void play(player *p, const aa_trace_rec *r) {
  bench *b = p->b;
  if (!is_register(p, r)) return;
  switch (r->kind) {
    case AA_TRACE_REG_READ: read_register(p, r); break;
    case AA_TRACE_REG_WRITE:
      bench_write(b, (uint32_t)r->addr, r->size, r->value);
      p->writes++;
      break;
    case AA_TRACE_WAIT_REG: wait_register(p, r); break;
    case AA_TRACE_MEM8: bench_poke64(b, r->addr, r->value); break;
    case AA_TRACE_MEM: bench_poke(b, r->addr, r->data, r->bytes); break;
    case AA_TRACE_XLATE: translate(p, r); break;
    case AA_TRACE_WAIT_MEM: wait_memory(p, r); break;
    case AA_TRACE_DEV:
      if (r->port >= b->hw.NumPorts)
        wrong(p, "no port %u", r->port);
      else
        pktq_push(&b->dev_q[r->port], packet(r, &b->hw));
      break;
    case AA_TRACE_CPL: pktq_push(&b->cpl_q, packet(r, &b->hw)); break;
    case AA_TRACE_HOST_MODE: host_mode_of(b)->manual = !r->value; break;
    case AA_TRACE_EXP_HOST: expect(p, r, &b->host_seen, "the host"); break;
    case AA_TRACE_EXP_DEV: expect(p, r, &b->dev_seen[r->port], "the device"); break;
    case AA_TRACE_EXP_NONE: expect_nothing(p); break;
    case AA_TRACE_EXP_MEM: expect_memory(p, r); break;
    case AA_TRACE_IDLE: bench_run(b, r->value); break;
    case AA_TRACE_QUIET:
      if (!bench_quiet(b, LIMIT)) wrong(p, "never quiet");
      break;
    case AA_TRACE_RESET:
      b->dev_reset |= 1u << r->port;
      bench_run(b, 20);
      b->dev_reset &= ~(1u << r->port);
      break;
    case AA_TRACE_PARAM: parameter(p, r); break;
    case AA_TRACE_TOP:
      if (strcmp(r->name, "aa")) wrong(p, "a trace of %s, not of an IOMMU: `make replay` chooses the program", r->name);
      break;
    case AA_TRACE_FRAME_IN:
    case AA_TRACE_FRAME_OUT: wrong(p, "a frame, and no NIC: it begins with `A tocsin`"); break;
    case AA_TRACE_CLOCK:
    case AA_TRACE_END: break;
  }
}

int cosim_replay(const cosim_options *o, const char *file) {
  FILE *f = fopen(file, "r");
  if (!f) {
    perror(file);
    return 2;
  }
  aa_config hw;
  hw_config(&hw);
  aa_trace t;
  aa_trace_rec *r = malloc(sizeof *r);
  player p = {.b = bench_new(o->backend, &hw, o->seed, o->backend & BENCH_RTL ? o->wave : NULL), .file = file};
  if (!p.b || !r) return 2;
  if (o->ports && o->backend == BENCH_BOTH) bench_snoop(p.b);
  p.b->keep = true;
  aa_trace_open(&t, f);
  int s;
  while (!p.b->failed && (s = aa_trace_read(&t, r)) != 0) {
    p.line = t.line;
    if (s < 0)
      wrong(&p, "%s", t.why);
    else
      play(&p, r);
  }
  if (!p.b->failed && !bench_quiet(p.b, LIMIT)) wrong(&p, "the machine never comes to rest");
  if (!p.b->failed && o->backend == BENCH_BOTH) lock_end(p.b);
  if (p.b->failed) result_again(o->self, o->config, o->wave, o->backend);
  const played_count played[] = {{"translation", p.translations},
                                 {"wait", p.waits},
                                 {"register read", p.reads},
                                 {"write", p.writes},
                                 {"check", p.checks},
                                 {"cycle", p.b->cycle}};
  printf("replay of %s on %s: ", file, backend_name(o->backend));
  played_print(stdout, played, sizeof played / sizeof *played);
  printf(": %s\n", p.b->failed ? "FAILED" : "all as expected");
  s = p.b->failed;
  free(r);
  bench_free(p.b);
  fclose(f);
  return s;
}
