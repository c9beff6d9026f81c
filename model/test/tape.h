// SPDX-License-Identifier: Apache-2.0
// A tape of what passes at the pins of an IOMMU, for the tests of aa_lock and aa_snoop: the IOMMU
// is a self-running model.
#ifndef TOCSIN_TEST_TAPE_H
#define TOCSIN_TEST_TAPE_H

#include <stddef.h>

#include "tocsin/aa_lock.h"
#include "tocsin/aa_snoop.h"
#include "world.h"

enum { EVENTS = 4096, HELD = 8, BEAT_DW = 8 };
typedef enum kind { IN, HOST_IN, READ, RECORD, WRITE, ANSWER, HOST, DEV, REG_READ, REG_WRITE, TASK } kind;

typedef struct event {
  kind k;
  unsigned id;  // port, AXI id or strobes
  uint64_t addr, value;
  unsigned n;
  aa_retire_rec r;
  tlp t;
  uint8_t data[512];
} event;

static event tape[EVENTS], held[HELD];
static unsigned events, held_n;

static event *add(kind k, unsigned id, uint64_t addr, const void *p, size_t n) {
  event *e = &tape[events++ % EVENTS];
  memset(e, 0, offsetof(event, data));
  e->k = k;
  e->id = id;
  e->addr = addr;
  e->n = (unsigned)n;
  if (n) memcpy(e->data, p, n);
  return e;
}

static void add_tlp(kind k, unsigned port, const tlp *t) {
  event *e = add(k, port, 0, t->data, 4 * (size_t)t->ndw);
  e->t = *t;
  e->t.data = e->data;
}

// The model reads before it says that the walk begins: what it read is put between its two records,
// where hardware reads.
static bool tape_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  bool ok = world_read(ctx, src, addr, buf, n);
  if (src == AA_SRC_QI) {
    add(READ, 0x80, addr, buf, n)->value = !ok;
  } else {
    held[held_n].addr = addr;
    held[held_n].n = (unsigned)n;
    held[held_n].value = !ok;
    memcpy(held[held_n++ % HELD].data, buf, n);
  }
  return ok;
}
static bool tape_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  add(WRITE, src, addr, buf, n);
  add(ANSWER, src, 0, NULL, 0);
  return world_write(ctx, src, addr, buf, n);
}
static void tape_host(void *ctx, const tlp *t) {
  add_tlp(HOST, 0, t);
  world_req(ctx, t);
}
static void tape_dev(void *ctx, unsigned port, unsigned src, const tlp *t) {
  add_tlp(DEV, port, t);
  world_cpl(ctx, port, src, t);
}
static void tape_retire(void *ctx, const aa_retire_rec *r) {
  world_retire(ctx, r);
  if (r->kind == AA_RET_FILL)
    for (unsigned i = 0; i < held_n; i++)
      add(READ, r->slot, held[i].addr, held[i].data, held[i].n)->value = held[i].value;
  if (r->kind == AA_RET_FILL) held_n = 0;
  if (r->kind == AA_RET_REG_WRITE) {
    event *e = add(REG_WRITE, r->idx, r->a, NULL, 0);
    e->value = r->b;
  }
  add(RECORD, 0, 0, NULL, 0)->r = *r;
  if (r->kind == AA_RET_REG_READ) add(REG_READ, 0, r->a, NULL, 0)->value = r->b;
  if (r->kind == AA_RET_NOTIFY && r->code == AA_NOTE_TASK) add(TASK, r->idx, 0, NULL, 0)->value = r->a;
}

// ---- the run that is taped ------------------------------------------------------------------------------------------

static uint32_t asked[16][4];  // header of the newest request of a tag

static void send(world *w, uint8_t type, unsigned tag, uint64_t addr, unsigned len, unsigned be) {
  tlp t = request(type, SID, tag, addr, len, be);
  memcpy(asked[tag & 15], t.hdr, sizeof t.hdr);
  add_tlp(IN, 0, &t);
  EQ(aa_submit(w->m, 0, &t), AA_OK);
}

static void answer(world *w, unsigned tag, unsigned status, unsigned ndw, bool err) {
  tlp t = completion(SID, tag, status, 4 * ndw, lower_at(asked[tag & 15], 4 * ndw), ndw, NULL);
  t.err = err;
  add_tlp(HOST_IN, 0, &t);
  EQ(aa_complete(w->m, &t), AA_OK);
}

static void record(const aa_config *cfg) {
  static const aa_ops ops = {tape_read, tape_write, tape_host, tape_dev, tape_retire};
  world w;
  world_init(&w, cfg);
  aa_free(w.m);
  if (aa_new(cfg, &ops, &w, &w.m) != AA_OK) exit(2);
  for (unsigned i = 0; i < sizeof payload; i++) payload[i] = (uint8_t)(7 * i + 1);
  map(&w, 0x10000, 0x40000 | PTE_R | PTE_W);
  map(&w, 0x11000, 0x41000 | PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(5));
  map(&w, 0x12000, 0x42000 | PTE_R | PTE_W | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(5));
  world_on(&w);
  log_open(&w, 0, 5, 8, AA_LOG_CFG_PTR_MASK | AA_LOG_CFG_TASK_MASK);
  send(&w, TLP_MWR32, 0, 0x10008, 4, 0xff);   // passes
  send(&w, TLP_MWR32, 0, 0x11010, 41, 0xff);  // into the log
  send(&w, TLP_MRD32, 3, 0x12020, 4, 0xff);   // logged get
  answer(&w, 3, TLP_SC, 4, false);
  send(&w, TLP_MRD32, 4, 0x20000, 1, 0x0f);  // not mapped: UR
  send(&w, TLP_FADD32, 5, 0x10100, 1, 0x0f);
  answer(&w, 5, TLP_SC, 1, false);
  answer(&w, 9, TLP_SC, 1, false);           // stray
  send(&w, TLP_MRD32, 6, 0x12200, 2, 0xff);  // logged, aborted by its completion
  answer(&w, 6, TLP_SC, 2, true);
  consume(&w, 0, prod(&w, 0));
  for (unsigned i = 0; i < 12; i++) {  // round the ring, with pads
    send(&w, TLP_MWR32, 0, 0x11000 + 64 * i, 1 + 5 * (i % 3), i % 3 ? 0xff : 0x0f);
    consume(&w, 0, prod(&w, 0));
  }
  EQ(rd(&w, AA_REG_RTADDR), ROOT);
  log_close(&w, 0);
  CHECK(events < EVENTS);
  world_free(&w);
}

// The beats of a packet's event.
static inline unsigned beats_of(const event *e) { return e->t.ndw ? (e->t.ndw + BEAT_DW - 1) / BEAT_DW : 1; }

static inline aa_beat beat_of(const event *e, unsigned i) {
  unsigned left = e->t.ndw - i * BEAT_DW;
  aa_beat b = {.sop = i == 0,
               .eop = i + 1 == beats_of(e),
               .err = e->t.err,
               .seq = e->t.seq,
               .strb = left >= BEAT_DW ? 0xff : (1u << left) - 1,
               .data = e->data + 4 * BEAT_DW * i};
  memcpy(b.hdr, e->t.hdr, sizeof b.hdr);
  return b;
}

// The n-th event of its kind and id.
static inline unsigned nth(kind k, unsigned id, unsigned n) {
  for (unsigned i = 0; i < events; i++)
    if (tape[i].k == k && tape[i].id == id && !n--) return i;
  CHECK(!"no such event");
  return 0;
}

#endif
