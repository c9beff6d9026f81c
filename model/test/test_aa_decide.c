// SPDX-License-Identifier: Apache-2.0
// Decisions: all 5 x 128 rows of the table end to end (memory, ring, faults, counters), then the steps
// around the table.
#include "../src/aa/aa_state.h"
#include "world.h"

#include "tocsin/aa_decide.h"

enum { SIZE = 16, IUID = 0x155 };

// The table once more, written the other way round: from the words of the specification, for one access.
typedef struct want {
  bool allowed, entry, data, stock;
  unsigned fault;
} want;
static want expect(aa_op op, unsigned v) {
  bool r = v & 1, w = v & 2, wl = v & 4, wld = v & 8, rl = v & 16, rld = v & 32, e = v & 64;
  want x = {0};
  bool l, d;
  if (op == AA_OP_WRITE || op == AA_OP_ZERO_WRITE)
    x.allowed = w, l = wl || wld, d = wld;
  else if (op == AA_OP_READ || op == AA_OP_ZERO_READ)
    x.allowed = op == AA_OP_READ ? r : r || w, l = rl || rld, d = rld && x.allowed;
  else
    x.allowed = r && w, l = wl || wld || rl || rld, d = wld || (rld && x.allowed);
  if (op == AA_OP_ZERO_WRITE || op == AA_OP_ZERO_READ) d = false;
  x.entry = e && l;
  x.data = x.entry && d;
  x.stock = !e && l && x.allowed;
  if (!e && !x.allowed) x.fault = op == AA_OP_WRITE || op == AA_OP_ZERO_WRITE ? 5 : op == AA_OP_ATOMIC && !w ? 5 : 6;
  return x;
}

static void one(world *w, aa_op op, unsigned v, unsigned tag) {
  uint64_t iova = 0x7000000000ull + (uint64_t)tag * 0x1000, pa = 0x80000000ull + tag * 0x1000;
  want x = expect(op, v);
  bool np = op == AA_OP_READ || op == AA_OP_ZERO_READ || op == AA_OP_ATOMIC;
  bool live = (v & 3) || (v & 0x7c);
  unsigned reqs = w->reqs, cpls = w->cpls;
  uint32_t at = prod(w, 0);
  map(w, iova, pa | leaf_bits(v) | PTE_IUID(IUID));
  tlp t = request(op == AA_OP_WRITE || op == AA_OP_ZERO_WRITE ? TLP_MWR32
                  : op == AA_OP_ATOMIC                        ? TLP_CAS32
                                                              : TLP_MRD32,
                  SID, tag & 255, iova + 0x40,
                  op == AA_OP_WRITE || op == AA_OP_READ ? 3
                  : op == AA_OP_ATOMIC                  ? 4
                                                        : 1,
                  op == AA_OP_WRITE || op == AA_OP_READ ? 0x1e : 0);
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(w->reqs - reqs, x.allowed);
  if (x.allowed) {
    out *o = last_req(w);
    EQ(tlp_addr(o->t.hdr), pa + 0x40);
    EQ(o->t.hdr[0] >> 24, t.hdr[0] >> 24 & ~0x20u);  // below 4 GiB: three words
    EQ(o->t.hdr[1], t.hdr[1]);
    EQ(o->t.hdr[3], 0);
    EQ(o->t.seq, t.seq);
    CHECK(o->t.ndw == t.ndw && !memcmp(o->data, t.data, 4 * t.ndw));
    if (np) {
      unsigned n = op == AA_OP_READ ? 8 : op == AA_OP_ATOMIC ? 8 : 1;
      complete(w, tag & 255, TLP_SC, n, op == AA_OP_READ ? 3 : op == AA_OP_ATOMIC ? 2 : 1);
      EQ(w->cpls - cpls, 1);
      EQ(last_cpl(w)->src, AA_CPL_FORWARDED);
    }
  } else if (np) {
    EQ(w->cpls - cpls, 1);
    EQ(last_cpl(w)->src, AA_CPL_UR);
    EQ(last_cpl(w)->t.hdr[1], 1u << 13 | (op == AA_OP_ZERO_READ ? 1u : 8u));
    EQ(last_cpl(w)->t.hdr[2], (unsigned)SID << 16 | (tag & 255) << 8 |
                                  (op == AA_OP_READ     ? 0x41u
                                   : op == AA_OP_ATOMIC ? 0
                                                        : 0x40u));
    EQ(last_cpl(w)->t.seq, t.seq);
  } else {
    EQ(w->cpls, cpls);
  }
  unsigned fault = live ? x.stock ? 0xa0 : x.fault : op == AA_OP_READ || op == AA_OP_ZERO_READ ? 6 : 5;
  EQ(take_fault(w), fault);
  EQ(take_err(w), 0);
  if (!x.entry) {
    EQ(prod(w, 0), at);
    return;
  }
  entry e = entry_of(w, 0, at, SIZE);
  uint64_t first = op == AA_OP_WRITE || op == AA_OP_READ ? 1 : 0;
  EQ(e.addr, iova + 0x40 + first);
  EQ(e.iuid, IUID);
  EQ(e.kind, op == AA_OP_ATOMIC ? 3 : np ? 2 : 1);
  bool returned = op == AA_OP_ATOMIC && x.data && !(v & 8);
  EQ(e.len, op == AA_OP_ATOMIC ? (returned ? 2 : 4) : op == AA_OP_WRITE || op == AA_OP_READ ? 3 : 1);
  EQ(e.fbe, op == AA_OP_ATOMIC ? 15 : t.hdr[1] & 15);
  EQ(e.lbe, op == AA_OP_ATOMIC ? 15 : t.hdr[1] >> 4 & 15);
  EQ(e.rid, SID);
  EQ(e.tag, tag & 255);
  EQ(e.denied, !x.allowed);
  EQ(e.data, x.data);
  CHECK(!e.aborted && !e.poisoned && !e.zero);
  unsigned data = x.data ? (e.len * 4 + 15) & ~15u : 0;
  EQ(prod(w, 0) - at, 16 + data);
  for (unsigned i = 0; i < data; i++) {
    unsigned in = i < 4 * e.len, be = i < 4 ? e.fbe : i / 4 == e.len - 1 ? e.lbe : 15;
    EQ(w->mem[RING + ((at + 16 + i) & 0xffff)], in && (be >> (i & 3) & 1) ? payload[i] : 0);
  }
}

static void not_opted_in(world *w) {
  const unsigned n = w->reqs;
  // ---- a device that has not opted in, or Active Access off: the bits are not there ----
  context(w, 0x0114, L4 | 1, 2 | DID << 8);
  tlp t = request(TLP_MWR32, 0x0114, 0, 0xa000, 1, 15);
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(take_fault(w), 5);
  EQ(take_err(w), 0);
  wr32(w, AA_REG_AA_CTL, 0x550);
  put(w, 0x9000, 1, 15);
  EQ(w->reqs, n + 1);
  EQ(take_err(w), 0);
}

static void no_log(world *w) {
  const unsigned n = w->reqs;
  // ---- a page whose IUID has no log: as the page says, no record ----
  map(w, 0x9000, 0x80000000 | 2 | PTE_WL | PTE_E | PTE_IUID(77));
  map(w, 0xa000, 0x80000000 | 1 | PTE_WL | PTE_E | PTE_IUID(77));
  put(w, 0x9000, 1, 15);
  EQ(w->reqs, n + 1);
  EQ(take_err(w), AA_ERR_NO_LOG);
  put(w, 0xa000, 1, 15);
  EQ(w->reqs, n + 1);
  EQ(take_err(w), AA_ERR_NO_LOG);
  EQ(cnt(w, AA_CNT_NO_LOG), 2);
}

static void poisoned(world *w) {
  const unsigned n = w->reqs;
  // ---- poisoned ----
  uint32_t at = prod(w, 0);
  map(w, 0x7000, 0x80000000 | 3 | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(IUID));
  tlp t = request(TLP_MWR32, SID, 9, 0x7000, 2, 0xff);
  t.hdr[0] |= 0x4000;
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(w->reqs, n);
  entry e = entry_of(w, 0, at, SIZE);
  CHECK(e.poisoned && e.denied && !e.data && e.kind == 1 && e.len == 2);
  EQ(prod(w, 0), at + 16);
  EQ(rd(w, AA_REG_AA_ERR_STS), (uint64_t)IUID << 32 | (uint64_t)SID << 16 | 8 << 8 | 1);
  EQ(rd(w, AA_REG_AA_ERR_ADDR), 0x7000);
  EQ(take_err(w), AA_ERR_POISON);
  map(w, 0x8000, 0x80000000 | 3);
  t = request(TLP_FADD32, SID, 9, 0x8000, 1, 15);
  t.hdr[0] |= 0x4000;
  EQ(aa_submit(w->m, 0, &t), AA_OK);
  EQ(w->reqs, n);
  EQ(last_cpl(w)->t.hdr[0] >> 24, TLP_CPL);
  EQ(take_err(w), AA_ERR_POISON);
  EQ(cnt(w, AA_CNT_POISONED), 2);
  EQ(prod(w, 0), at + 16);
}

// What the oldest request of a lane lacks while it waits: room in its log, something else, or nothing.
static unsigned lacks(world *w, unsigned lane) {
  aa_queue *q = &w->m->lane[lane];
  CHECK(q->head != q->tail);
  aa_slot *s = aa_queue_at(q, q->head);
  s->req.t = &s->t;
  return aa_decide_lacks(w->m, &s->req, &s->xl);
}

static void waits(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  cfg.TagEntries = 2;
  world_init(&w, &cfg);
  world_on(&w);
  map(&w, 0x1000, 0x80001000 | 3 | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(9));
  map(&w, 0x2000, 0x80002000 | 3);
  log_open(&w, 0, 9, 6, 0);
  EQ(put(&w, 0x1000, 8, 0xff), AA_OK);
  EQ(aa_pending(w.m), 0);
  EQ(put(&w, 0x1000, 8, 0xff), AA_OK);
  EQ(lacks(&w, 0), AA_LACKS_SPACE);
  w.m->logs.log[0].cfg |= AA_LOG_CFG_DROP_MASK;
  EQ(lacks(&w, 0), 0);
  w.m->logs.log[0].cfg &= ~(uint64_t)AA_LOG_CFG_DROP_MASK;
  consume(&w, 0, prod(&w, 0));
  EQ(aa_pending(w.m), 0);
  for (unsigned tag = 1; tag < 4; tag++) EQ(get(&w, tag, 0x2000, 1, 15), AA_OK);
  EQ(aa_pending(w.m), 1);
  EQ(lacks(&w, 1), AA_LACKS_OTHER);
  aa_queue_at(&w.m->lane[1], w.m->lane[1].head)->req.old = true;
  EQ(lacks(&w, 1), 0);
  world_free(&w);
}

int main(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  for (unsigned i = 0; i < sizeof payload; i++) payload[i] = (uint8_t)(i * 7 + 1);
  waits();
  world_init(&w, &cfg);
  world_on(&w);
  log_open(&w, 0, IUID, SIZE, 0);
  EQ(rd(&w, AA_REG_LOG_STS) & 0xff, 1);
  for (unsigned op = 0; op < AA_OP_NUM; op++)
    for (unsigned v = 0; v < 128; v++) {
      one(&w, (aa_op)op, v, op * 128 + v);
      consume(&w, 0, prod(&w, 0));
    }
  EQ(cnt(&w, AA_CNT_REQUESTS), 5 * 128);
  EQ(cnt(&w, AA_CNT_WRITES), 256);
  EQ(cnt(&w, AA_CNT_READS), 256);
  EQ(cnt(&w, AA_CNT_ATOMICS), 128);
  EQ(cnt(&w, AA_CNT_PUBLISHED), cnt(&w, AA_CNT_RESERVED));
  EQ(cnt(&w, AA_CNT_PUBLISHED_BYTES), prod(&w, 0));
  EQ(aa_pending(w.m), 0);

  // ---- address 4 GiB and above: four words; the hint and other bits are kept, the digest bit is not ----
  uint64_t iova = 0x5000;
  map(&w, iova, 0xabcdef000000 | 3);
  tlp t = request(TLP_MWR32, SID, 0, iova + 8, 1, 15);
  t.hdr[0] |= 1u << 16 | 5u << 20 | 3u << 12 | 1u << 18 | 1u << 15;
  t.hdr[2] |= 2;
  EQ(aa_submit(w.m, 0, &t), AA_OK);
  EQ(last_req(&w)->t.hdr[0], (t.hdr[0] | 0x20000000) & ~0x8000u);
  EQ(last_req(&w)->t.hdr[2], 0xabcd);
  EQ(last_req(&w)->t.hdr[3], 0xef000000 + 8 + 2);

  // ---- what needs no table ----
  unsigned n = w.reqs;
  t = (tlp){.hdr = {0x34000000, 0x01130030, 1, 2}};  // Msg
  EQ(aa_submit(w.m, 0, &t), AA_OK);
  EQ(w.reqs, n + 1);
  CHECK(!memcmp(last_req(&w)->t.hdr, t.hdr, 16));
  t = completion(SID, 3, TLP_SC, 4, 0, 1, NULL);  // the device answers the host
  EQ(aa_submit(w.m, 0, &t), AA_OK);
  EQ(w.reqs, n + 2);
  EQ(cnt(&w, AA_CNT_PASSED), 2);

  // ---- output in the interrupt range ----
  map(&w, 0x6000, 0xfee05000 | 3 | PTE_WL | PTE_E | PTE_IUID(IUID));
  put(&w, 0x6000, 1, 15);
  EQ(w.reqs, n + 2);
  EQ(take_fault(&w), 0xe);

  poisoned(&w);

  no_log(&w);

  not_opted_in(&w);
  world_free(&w);
  return report();
}
