// SPDX-License-Identifier: Apache-2.0
// The two uses of the model against each other: what a self-running instance records, an instance in lockstep accepts
// and does alike, byte for byte; records that are illegal or say something else are refused; instances share nothing.
#include "world.h"

typedef struct pair {
  world a, b;  // a runs by itself, b follows
  unsigned data_w;
  uint64_t s;
  bool beats;
  unsigned spoil;   // this record (register accesses not counted) is changed before b gets it, ~0: none
  unsigned others;  // records so far, but for register accesses
  aa_status status;
  bool stop;
  bool alone;                      // a records nothing, and so takes the short ways it has; b is not there
  uint64_t final;                  // of all that a said, its registers and memory
  uint64_t at[4][3], whole[4][3];  // entries of the later regions at levels 1 to 3, and what they are when whole
  bool often, asks;                // time passes at each step; and everything is asked anew then
} pair;

// A packet beat by beat, as pins have it.
static void as_beats(aa *m, bool host, unsigned port, const tlp *t, unsigned data_w) {
  unsigned dw = data_w / 32, n = t->ndw ? (t->ndw + dw - 1) / dw : 1;
  uint8_t data[64];
  for (unsigned i = 0; i < n; i++) {
    unsigned here = t->ndw - i * dw < dw ? t->ndw - i * dw : dw;
    aa_beat b = {.sop = i == 0, .eop = i == n - 1, .err = t->err, .seq = t->seq, .data = data};
    b.strb = (1u << here) - 1;
    memset(data, 0xcc, sizeof data);
    if (here) memcpy(data, t->data + (size_t)i * dw * 4, 4 * here);
    memcpy(b.hdr, t->hdr, sizeof b.hdr);
    EQ(host ? aa_host_beat(m, &b) : aa_dev_beat(m, port, &b), AA_OK);
  }
}

// Gives b what a has recorded since.
static void follow(pair *p, unsigned *done) {
  for (; *done < p->a.recs && !p->stop; ++*done) {
    aa_retire_rec r = p->a.rec[*done];
    if (r.kind != AA_RET_REG_READ && r.kind != AA_RET_REG_WRITE && p->others++ == p->spoil) {
      switch (rnd(&p->s) % 6) {
        case 0: r.code ^= 1u + (rnd(&p->s) & 3u); break;
        case 1: r.idx = (uint8_t)(r.idx ^ 1u << (rnd(&p->s) & 7u)); break;
        case 2: r.lane ^= 1; break;
        case 3: r.a += 4; break;
        case 4: r.flag = !r.flag; break;
        default: r.kind = (uint8_t)(2 + (r.kind + rnd(&p->s) % 8) % 9); break;
      }
    }
    p->status = aa_retire(p->b.m, &r);
    p->stop = p->status != AA_OK;
    if (p->stop) {
      if (p->spoil == ~0u) {
        printf("record %u: kind %u code %u lane %u idx %u: %s: %s\n", *done, r.kind, r.code, r.lane, r.idx,
               aa_strstatus(p->status), aa_reason(p->b.m));
        failed++;
      } else if (p->status != AA_OK) {
        CHECK(aa_reason(p->b.m)[0] != 0);
      }
    }
  }
}

static void both_poke(pair *p, uint64_t iova, uint64_t pte) {
  map(&p->a, iova, pte);
  map(&p->b, iova, pte);
}

static const uint64_t region[8] = {0, 0, 0, 0, 1ull << 30, 2ull << 30, 0x7f0000000000ull, 1ull << 48};

// Whole words of few pages, as devices send most, with something odd now and then.
static void burst(pair *p, const aa_config *cfg, uint64_t *s, unsigned *done) {
  for (unsigned i = 0; i < 40 && !p->stop; i++) {
    uint32_t x = rnd(s), len = x & 64 ? 1 : 1 + (x >> 8 & 31);
    uint64_t addr = 0x18000 + (x >> 13 & 7) * 0x1000 + (x >> 18 & 15) * 4;
    if ((x >> 24 & 15) == 0) addr += region[x >> 29] + (x >> 16 & 3) * 0x200000;
    if ((x >> 24 & 15) == 1) { /* software moves the page, and may say so */
      static const uint64_t to[4] = {0x90000000, 0x91000000, 0xfee00000, 0x92000000 | PTE_E | PTE_WL};
      uint32_t y = rnd(s);
      follow(p, done);
      both_poke(p, addr & ~0xfffull, to[y & 3] | (y >> 2 & 3) | ((y >> 4 & 3) ? 3 : 0) | PTE_IUID(100));
      if (y >> 8 & 1)
        wr(&p->a, AA_REG_IVA, addr & ~0xfffull), wr(&p->a, AA_REG_IOTLB, 1ull << 63 | 3ull << 60 | (uint64_t)DID << 32);
      if ((y >> 8 & 31) == 0) invalidate_all(&p->a);
      if ((y >> 13 & 31) == 0) wr32(&p->a, AA_REG_AA_CTL, (y & 1 ? 0x221 : 0x551));
    }
    tlp t = request(x & 1 ? TLP_MRD32 : TLP_MWR32, SID, x >> 22 & 31, addr, len, len == 1 ? 15 : 0xff);
    switch (x >> 1 & 31) {
      case 0: t.hdr[1] ^= 1u << (x >> 8 & 7); break;
      case 1: t.ndw++; break;
      case 2: t = request(TLP_MWR32, SID, 0, addr | 0xfe0, 9, 0xff); break;
      case 3: t.hdr[0] = (t.hdr[0] & ~0x3ffu) | (x >> 8 & 0x3ff); break;
      case 4: t = request(TLP_MWR32, SID, 0, 0xfee00000 + (x >> 8 & 0xff0), 1, 15); break;
      case 5: t.hdr[1] ^= (x & 0x100 ? 1u : 2u) << 16; break;
      case 6: t.hdr[0] |= 0x8000; break;
      default: break;
    }
    aa_status st = aa_submit(p->a.m, x >> 28 & (cfg->NumPorts - 1), &t);
    if (st != AA_E_BUSY) {
      EQ(st, AA_OK);
      EQ(aa_dev_tlp(p->b.m, x >> 28 & (cfg->NumPorts - 1), &t, false), AA_OK);
    }
    if ((x & 1) && (x >> 8 & 3)) {
      t = completion(tlp_req_id(t.hdr), tlp_req_tag(t.hdr), TLP_SC, 4 * len & 0xfff, lower_at(t.hdr, 4 * len), len,
                     NULL);
      EQ(aa_complete(p->a.m, &t), AA_OK);
      EQ(aa_host_cpl(p->b.m, &t, false), AA_OK);
    }
  }
}

// What the random runs go on with from step to step.
typedef struct {
  pair *p;
  const aa_config *cfg;
  bool beats;
  uint64_t s;     // of the random numbers
  uint32_t tail;  // of the invalidation queue
} traffic;

static void open_logs(world *a, uint64_t seed) {
  for (unsigned n = 0; n < 4; n++) {
    wr(a, AA_REG_LOG_MSIA + 64 * n, STATUS + 8 * n);
    wr(a, AA_REG_LOG_MSID + 64 * n, n | (n * 64ull) << 32);
    wr(a, AA_REG_LOG_TIME + 64 * n, n * 10);
    log_open(a, n, 100 + n, 6 + 2 * n,
             (n & 1 ? 1u << 24 : 0) | (n > 1 ? 3u << 25 : 0) | (n == 3 ? 3ull << 27 | 5ull << 32 : 0));
  }
  world_on(a);
  wr(a, AA_REG_IQA, QUEUE);
  wr(a, AA_REG_IEDATA & ~7u, 0x77ull << 32);
  wr(a, AA_REG_IEADDR, STATUS + 0x40);
  wr(a, AA_REG_FEADDR, STATUS + 0x48);
  wr32(a, AA_REG_GCMD, 1u << 31 | 1u << 26);
  if (seed & 4) wr(a, AA_REG_AA_FLP, 0x17000 | 100 << 2 | 1);
}

static void map_all(pair *p, uint64_t *s) {
  for (unsigned i = 0; i < 32; i++)
    both_poke(p, i * 0x1000,
              0x80000000ull + i * 0x1000 + (rnd(s) & 3) + leaf_bits(rnd(s) & 0x7f & ~3u) + PTE_IUID(100 + rnd(s) % 5));
  for (unsigned g = 0; g < 4; g++)
    for (unsigned level = 1; level <= 3; level++) {
      uint64_t iova = region[4 + g] & 0xffffffffffff;
      if (g == 3) iova = 3ull << 30;
      both_poke(p, iova, 0x80100000 | 3);
      p->at[g][level - 1] = entry_at(&p->a, iova, level);
      p->whole[g][level - 1] = peek64(&p->a, p->at[g][level - 1]);
    }
  for (unsigned i = 0x18; i < 0x20; i++) both_poke(p, i * 0x1000, 0x80000003 + i * 0x1000);
  both_poke(p, 0x17000, 0x80017000 | 3 | PTE_E | PTE_IUID(100));
}

// A device's request of any kind, now and then malformed.
static void submit(const traffic *v, uint32_t r, uint32_t x) {
  pair *p = v->p;
  static const uint8_t type[] = {TLP_MWR32,  TLP_MWR32, TLP_MWR32, TLP_MRD32, TLP_MRD32,
                                 TLP_FADD32, TLP_CAS32, TLP_MSGD,  TLP_IORD,  TLP_CPLD};
  unsigned port = r >> 8 & 1 & (v->cfg->NumPorts - 1), len = x % 5 ? 1 + x % 7 : 1 + x % 40,
           be = len == 1 ? x >> 8 & 15 : 0xff;
  uint8_t ty = type[(r >> 12) % sizeof type];
  if (ty == TLP_FADD32) len = 1 + (x & 1);
  if (ty == TLP_CAS32) len = 2u << (x & 1);
  uint64_t addr = (x >> 12 & 31) * 0x1000 + (x >> 20 & 0x3f) * 16;
  if ((r >> 23 & 3) == 0) addr += region[r >> 20 & 7];
  tlp t = request(ty, SID + (x >> 28) % 3, x >> 16 & 63, addr, len, be);
  if ((r >> 24) % 16 == 0) t.ndw += t.ndw ? 1 : 0;
  if ((r >> 24) % 16 == 1) t.hdr[0] |= 0x4000;
  if ((r >> 24) % 64 == 2) t.hdr[0] |= 0x800;
  aa_status st = aa_submit(p->a.m, port, &t);
  if (st == AA_E_BUSY) {
  } else {
    EQ(st, AA_OK);
    if (v->beats)
      as_beats(p->b.m, false, port, &t, v->cfg->DataW);
    else
      EQ(aa_dev_tlp(p->b.m, port, &t, false), AA_OK);
  }
}

// Completes something that was sent; false if there is nothing.
static bool complete_one(const traffic *v, uint32_t r, uint32_t x) {
  pair *p = v->p;
  world *a = &p->a;
  if (!a->reqs) return false;
  const out *o = &a->req[x % (a->reqs < KEEP ? a->reqs : KEEP)];
  unsigned op = o->t.hdr[0] >> 24 & 0x5f;
  unsigned n = op == TLP_MRD32   ? tlp_byte_count(tlp_length(o->t.hdr), o->t.hdr[1] & 15, o->t.hdr[1] >> 4 & 15)
               : op == TLP_CAS32 ? 2 * tlp_length(o->t.hdr)
                                 : 4 * tlp_length(o->t.hdr);
  unsigned status = (r >> 8) % 8 == 0 ? TLP_UR : TLP_SC, part = (r >> 12) % 4 == 0;
  unsigned first = op == TLP_MRD32 ? tlp_first_byte(o->t.hdr[1] & 15) : 0, ndw = (n + first + 3) / 4;
  tlp t = completion(tlp_req_id(o->t.hdr), tlp_req_tag(o->t.hdr), status, n, lower_at(o->t.hdr, n),
                     status            ? 0
                     : part && ndw > 1 ? ndw / 2
                                       : ndw,
                     NULL);
  t.err = (r >> 16) % 16 == 0;
  for (unsigned i = 0; i < 2; i++) {  // perhaps in two parts
    EQ(aa_complete(a->m, &t), AA_OK);
    if (v->beats)
      as_beats(p->b.m, true, 0, &t, v->cfg->DataW);
    else
      EQ(aa_host_cpl(p->b.m, &t, false), AA_OK);
    if (!part || ndw < 2 || status) break;
    t = completion(tlp_req_id(o->t.hdr), tlp_req_tag(o->t.hdr), TLP_SC, n - 4 * (ndw / 2) + first,
                   lower_at(o->t.hdr, n - 4 * (ndw / 2) + first), ndw - ndw / 2, NULL);
  }
  return true;
}

// One of the tables of the regions is broken, or whole again, or a large page.
static void break_table(pair *p, unsigned n, uint32_t x) {
  invalidate_all(&p->a);
  static const uint64_t broken[8] = {0,           3 | 1ull << 11, 3 | 1ull << 50, 3 | 1ull << 62,
                                     0xfee00003u, 0x80000083u,    0x80a00000u,    0xff000003u};
  unsigned region_of = x >> 8 & 3, level = 1 + (x >> 10) % 3, kind = x >> 12 & 15;
  uint64_t at = p->at[region_of][level - 1], bits = 0x80 | (x >> 18 & 3) | (x >> 20 & 7) << 8 | (x & 8);
  uint64_t leaf = 0x80000000u | bits | (x >> 23 & 1 ? PTE_E | PTE_IUID(100 + n) : 0);
  uint64_t e = kind < 8 ? broken[kind] : kind < 12 ? p->whole[region_of][level - 1] : leaf;
  poke64(&p->a, at, e), poke64(&p->b, at, e);
  p->a.bad = p->b.bad = x >> 28 ? ~0ull : at;
}

// The invalidation queue: an invalidation of a page and a wait; now and then nonsense.
static void queue(traffic *v, uint32_t x) {
  pair *p = v->p;
  uint64_t d[4] = {2 | 3 << 4 | DID << 16, (x >> 8 & 31) * 0x1000, 5 | 0x30 | (uint64_t)x << 32, STATUS + 0x80};
  if (x % 16 == 0) d[0] |= 0x1000;
  if (x % 16 == 1) d[0] = 1 | 2 << 4 | DID << 16, d[1] = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint64_t at = QUEUE + (v->tail * 16 + i * 8) % 4096;
    poke64(&p->a, at, d[i]), poke64(&p->b, at, d[i]);
  }
  v->tail = (v->tail + 2) % 256;
  wr(&p->a, AA_REG_IQT, v->tail * 16);
}

// Registers are read; now and then the device is reset.
static void look(const traffic *v, uint32_t x, unsigned *done) {
  pair *p = v->p;
  world *a = &p->a;
  rd(a, AA_REG_CNT + 8 * (x & 63)), rd(a, 0x2000 + (x & 0xff8)), rd(a, x & 0x2f8), rd(a, 0x1000 + (x & 0x1f8));
  if (x >> 24 == 1) {
    follow(p, done);
    aa_dev_reset(p->b.m, 0, true), aa_dev_reset(p->b.m, 0, true), aa_dev_reset(a->m, 0, true);
    EQ(aa_poll(a->m), AA_OK);
    follow(p, done);
    aa_dev_reset(p->b.m, 0, false), aa_dev_reset(a->m, 0, false);
  }
  wr32(a, AA_REG_ICS, 1);
}

static void software(traffic *v, uint32_t r, uint32_t x, unsigned *done) {
  pair *p = v->p;
  world *a = &p->a;
  unsigned n = x & 3;
  switch (r >> 8 & 15) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: consume(a, n, prod(a, n)); break;
    case 5: consume(a, n, x >> 8); break;
    case 6:
      both_poke(p, (x >> 8 & 31) % 24 * 0x1000,
                0x90000000ull + (x >> 8 & 31) * 0x1000 + (x >> 16 & 3) + leaf_bits(x >> 18 & 0x7f) + PTE_IUID(100 + n));
      break;
    case 7: break_table(p, n, x); break;
    case 8:
    case 9: queue(v, x); break;
    case 10: aa_advance(a->m, x & 63); break;
    case 11:
      if (x & 64)
        log_close(a, n);
      else
        log_open(a, n, 100 + (x >> 3 & 7), 6 + (x >> 8 & 7), (uint64_t)(x >> 12 & 31) << 24);
      break;
    case 12:
      wr32(a, x & 4 ? AA_REG_AA_CPL_TMO : x & 8 ? AA_REG_AA_WDOG : AA_REG_AA_FLUSH_TMO, x & 16 ? 0 : 40);
      if (!(x & 0xe0)) wr32(a, AA_REG_AA_CTL, 0x220 | (x & 1));
      break;
    case 13: wr32(a, AA_REG_GCMD, (x & 0xf0 ? 1u << 31 : 0) | 1u << 26); break;
    case 14:
      take_fault(a), take_err(a), wr32(a, AA_REG_FSTS, 0x11), wr32(a, AA_REG_FECTL, x << 31),
          wr32(a, AA_REG_IECTL, x << 30);
      break;
    default: look(v, x, done); break;
  }
}

// Registers and memory at the end, and all that was said.
static void ends_alike(pair *p, bool alone, unsigned *done) {
  world *a = &p->a;
  for (uint32_t addr = 0; addr < 0x14000 && !p->stop; addr += 8)
    if (addr < 0x5000 || (addr & 0xfff) < 32) {
      uint64_t v = rd(a, addr);
      follow(p, done);
      p->final = (p->final ^ v) * 0x100000001b3ull;
    }
  p->final ^= p->a.sum;
  if (!alone) {
    EQ(p->a.sum, p->b.sum);
    CHECK(!memcmp(p->a.mem, p->b.mem, MEM));
    EQ(aa_pending(a->m), aa_pending(p->b.m));
  }
}

static unsigned run(pair *p, const aa_config *cfg, uint64_t seed, unsigned steps, bool beats, unsigned spoil,
                    bool alone) {
  unsigned done = 0;
  traffic v = {.p = p, .cfg = cfg, .beats = beats, .s = seed};
  const bool often = p->often, asks = p->asks;
  memset(p, 0, sizeof *p);
  p->often = often;
  p->asks = asks;
  world_init(&p->a, cfg);
  world_init(&p->b, cfg);
  p->alone = alone;
  if (alone) {
    aa_ops quiet = world_ops;
    quiet.retire = NULL;
    aa_free(p->a.m);
    if (aa_new(cfg, &quiet, &p->a, &p->a.m) != AA_OK) exit(2);
  }
  p->s = seed + 0x9e3779b97f4a7c15ull * (spoil + 1ull);
  rnd(&p->s);
  p->spoil = spoil;
  context(&p->a, 0x0114, L4 | 1, 2 | DID << 8), context(&p->b, 0x0114, L4 | 1, 2 | DID << 8);
  context(&p->a, 0x0115, 1 | 8, 2 | 8 | DID << 8), context(&p->b, 0x0115, 1 | 8, 2 | 8 | DID << 8);
  world *a = &p->a;
  open_logs(a, seed);
  map_all(p, &v.s);
  for (unsigned step = 0; step < steps && !p->stop; step++) {
    uint32_t r = rnd(&v.s), x = rnd(&v.s);
    if (r % 32 == 0) {
      burst(p, cfg, &v.s, &done);
    } else if (r % 16 < 8) {
      submit(&v, r, x);
    } else if (r % 16 < 12) {  // complete something that was sent
      if (!complete_one(&v, r, x)) continue;
    } else {
      software(&v, r, x, &done);
    }
    if (p->often) aa_advance(a->m, 1 + r % 3);
    if (p->asks) EQ(aa_poll(a->m), AA_OK);
    follow(p, &done);
    if (spoil == ~0u && !alone && !p->stop && p->a.sum != p->b.sum) {
      printf("seed %" PRIu64 " step %u: outputs differ\n", seed, step);
      failed++;
      p->stop = true;
    }
  }
  if (spoil == ~0u) ends_alike(p, alone, &done);
  if (p->a.sum != p->b.sum) p->stop = true;
  unsigned recs = p->others;
  world_free(&p->a);
  world_free(&p->b);
  return recs;
}

static aa_status rec(aa *m, aa_retire_rec r) { return aa_retire(m, &r); }
#define REFUSE(status, ...) EQ(rec(w->m, (aa_retire_rec){__VA_ARGS__}), status)
#define ACCEPT(...)                                     \
  do {                                                  \
    EQ(rec(w->m, (aa_retire_rec){__VA_ARGS__}), AA_OK); \
    if (aa_reason(w->m)[0]) puts(aa_reason(w->m));      \
  } while (0)
#define REG(addr, v) ACCEPT(.kind = AA_RET_REG_WRITE, .idx = 255, .a = (addr), .b = (v))

static void illegal_at_rest(world *w) {
  REFUSE(AA_E_ORDER, .kind = 12);
  REFUSE(AA_E_ORDER, .kind = AA_RET_XLATE, .lane = 2);
  REFUSE(AA_E_ORDER, .kind = AA_RET_XLATE, .lane = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_DECIDE, .lane = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_CPL);
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 77);
  REFUSE(AA_E_ORDER, .kind = AA_RET_PUBLISH, .idx = 0, .a = 16);
  REFUSE(AA_E_ORDER, .kind = AA_RET_PUBLISH, .idx = 31);
  REFUSE(AA_E_ORDER, .kind = AA_RET_INVAL, .code = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_INVAL, .code = 1);
  REFUSE(AA_E_ORDER, .kind = AA_RET_INVAL, .code = 2);
  REFUSE(AA_E_ORDER, .kind = AA_RET_INVAL, .code = 3);
  for (uint8_t code = 0; code < 11; code++) REFUSE(AA_E_ORDER, .kind = AA_RET_NOTIFY, .code = code);
  REFUSE(AA_E_ORDER, .kind = AA_RET_NOTIFY, .code = AA_NOTE_PTR, .idx = 31);
  REFUSE(AA_E_ORDER, .kind = AA_RET_NOTIFY, .code = AA_NOTE_AXI_ERR, .idx = 3, .slot = 0xff);
  REFUSE(AA_E_ORDER, .kind = AA_RET_NOTIFY, .code = AA_NOTE_AXI_ERR, .idx = 1, .slot = 0xff);
  REFUSE(AA_E_ORDER, .kind = AA_RET_NOTIFY, .code = AA_NOTE_AXI_ERR, .idx = 2, .slot = 0xff, .flag = true);
  ACCEPT(.kind = AA_RET_NOTIFY, .code = AA_NOTE_AXI_ERR, .idx = 2, .slot = 0xff, .a = 0x123450);
  ACCEPT(.kind = AA_RET_NONE);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_REG_READ, .a = AA_REG_VER, .b = 0x11);
  ACCEPT(.kind = AA_RET_REG_READ, .a = AA_REG_VER, .b = 0x10);
  ACCEPT(.kind = AA_RET_REG_READ, .a = AA_REG_CNT + 8 * AA_CNT_CYCLES, .b = 12345);
  // of the counters only those of time are not looked at
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_REG_READ, .a = AA_REG_CNT + 8 * (AA_CNT_TIME_FIRST - 1), .b = 12345);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_REG_READ, .a = AA_REG_CNT + 8 * (AA_CNT_TIME_LAST + 1), .b = 12345);
  ACCEPT(.kind = AA_RET_REG_READ, .a = AA_REG_CNT + 8 * AA_CNT_TIME_LAST, .b = 12345);
  ACCEPT(.kind = AA_RET_REG_READ, .a = AA_REG_AA_ERR_STS, .b = AA_ERR_AXI_WRITE << 8 | 5);
  ACCEPT(.kind = AA_RET_REG_READ, .a = AA_REG_AA_ERR_ADDR, .b = 0x123450);
}

static void illegal_waits(world *w) {
  // what a port may not send, a flush, and its waiter
  REG(AA_REG_AA_PORT, 1ull << 63 | 0xffffull << 16 | 0x0999);
  tlp t = request(TLP_MWR32, SID, 0, 0x2000, 1, 15);
  aa_dev_tlp(w->m, 0, &t, false);
  ACCEPT(.kind = AA_RET_WALK, .lane = 0, .slot = 0, .idx = 5);
  ACCEPT(.kind = AA_RET_FILL, .lane = 0, .slot = 0, .flag = true);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_PASS, .a = 0x80002000, .idx = 255);
  ACCEPT(.kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_BLOCK, .idx = 255);
  REG(AA_REG_AA_PORT, 0);
  // a wait waits for what was decided before it
  poke64(w, QUEUE, 5 | 0x20 | 0x99ull << 32);
  poke64(w, QUEUE + 8, STATUS);
  REG(AA_REG_IQA, QUEUE);
  REG(AA_REG_GCMD, 0x84000000);
  REG(AA_REG_IQT, 16);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_INVAL, .a = 1, .b = STATUS);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_INVAL, .a = 5 | 0x20 | 0x99ull << 32, .b = 1);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_INVAL, .a = 5 | 0x20 | 0x99ull << 32, .b = STATUS, .flag = true);
  ACCEPT(.kind = AA_RET_INVAL, .a = 5 | 0x20 | 0x99ull << 32, .b = STATUS);
  REFUSE(AA_E_ORDER, .kind = AA_RET_INVAL, .a = 5 | 0x20 | 0x99ull << 32, .b = STATUS);
  REFUSE(AA_E_ORDER, .kind = AA_RET_NOTIFY, .code = AA_NOTE_WAIT, .a = 0x99);
  t = completion(SID, 1, TLP_SC, 4, 0, 1, NULL);
  aa_host_cpl(w->m, &t, false);
  ACCEPT(.kind = AA_RET_CPL, .code = 6, .idx = 1);  // its port was reset
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_NOTIFY, .code = AA_NOTE_WAIT, .a = 0x98);
  ACCEPT(.kind = AA_RET_NOTIFY, .code = AA_NOTE_WAIT, .a = 0x99);
  EQ(peek64(w, STATUS), 0x99);
}

static void illegal_invalidations(world *w) {
  // an invalidation forgets what was translated
  REG(AA_REG_CCMD, 1ull << 63 | 1ull << 61);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_INVAL, .code = 1, .a = 7);
  ACCEPT(.kind = AA_RET_INVAL, .code = 1, .a = 1ull << 63 | 1ull << 61);
  REFUSE(AA_E_ORDER, .kind = AA_RET_DECIDE, .lane = 1, .code = AA_OUT_PASS, .a = 0x80002000, .idx = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_XLATE, .lane = 1);  // the context is gone
  ACCEPT(.kind = AA_RET_WALK, .lane = 1, .slot = 3, .idx = 2);
  REG(AA_REG_AA_CTL, 0x551);
  REFUSE(AA_E_ORDER, .kind = AA_RET_FILL, .lane = 1, .slot = 3, .flag = true);  // forgotten with everything
  illegal_waits(w);
}

static void illegal_timeouts(world *w) {
  REG(AA_REG_AA_CPL_TMO, 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0);                // there is no time-out
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0, .flag = true);  // nor a log that closes
  aa_dev_reset(w->m, 0, true);
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0);  // a cycle later
  aa_dev_reset(w->m, 0, false);
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0, .code = 1);  // first it must be given up
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0, .code = 2);
  ACCEPT(.kind = AA_RET_TIMEOUT, .idx = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_TIMEOUT, .idx = 0, .code = 1);  // there is no time-out
  REG(AA_REG_AA_CPL_TMO, 10);
  ACCEPT(.kind = AA_RET_TIMEOUT, .idx = 0, .code = 1);
  REG(AA_REG_AA_CPL_TMO, 0);
}

static void illegal_decisions(world *w) {
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_PASS, .a = 0x80001000, .idx = 255);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_LOG, .a = 0x80001004, .b = RING, .idx = 255);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_LOG, .a = 0x80001000, .b = RING + 16,
         .idx = 255);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_LOG, .a = 0x80001000, .b = RING, .idx = 0);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_LOG, .a = 0x80001000, .b = RING, .idx = 255,
         .slot = 1);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_LOG, .a = 0x80001000, .b = RING, .idx = 255,
         .flag = true);
  CHECK(!strncmp(aa_reason(w->m), "flag got 1 want 0", 17));
  for (unsigned i = 0; i < 4; i++)
    ACCEPT(.kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_LOG, .a = 0x80001000, .b = RING + 16 * i, .idx = 255);
  REFUSE(AA_E_ORDER, .kind = AA_RET_PUBLISH, .idx = 0, .a = 24);
  REFUSE(AA_E_ORDER, .kind = AA_RET_PUBLISH, .idx = 0, .a = 0);
  ACCEPT(.kind = AA_RET_PUBLISH, .idx = 0, .a = 48);
  ACCEPT(.kind = AA_RET_PUBLISH, .idx = 0, .a = 64);
  ACCEPT(.kind = AA_RET_DECIDE, .lane = 0, .code = AA_OUT_LOG, .a = 0x80001000, .b = RING + 64, .idx = 255);
  REFUSE(AA_E_ORDER, .kind = AA_RET_DECIDE, .lane = 1, .code = AA_OUT_PASS, .a = 0x80002000,
         .idx = 2);  // no such entry
  ACCEPT(.kind = AA_RET_DECIDE, .lane = 1, .code = AA_OUT_PASS, .a = 0x80002000, .idx = 1);
  ACCEPT(.kind = AA_RET_XLATE, .lane = 1);
  REFUSE(AA_E_ORDER, .kind = AA_RET_DECIDE, .lane = 1, .code = AA_OUT_PASS, .a = 0x80002000, .idx = 1);  // in use
  ACCEPT(.kind = AA_RET_DECIDE, .lane = 1, .code = AA_OUT_PASS, .a = 0x80002000, .idx = 0);
  ACCEPT(.kind = AA_RET_XLATE, .lane = 1);
  REFUSE(AA_E_ORDER, .kind = AA_RET_DECIDE, .lane = 1, .code = AA_OUT_PASS, .a = 0x80002000, .idx = 0);  // all in use
}

static void illegal_walks(world *w) {
  REFUSE(AA_E_ORDER, .kind = AA_RET_XLATE, .lane = 0);                      // misses
  REFUSE(AA_E_ORDER, .kind = AA_RET_FILL, .lane = 0, .slot = 0);            // no walk
  REFUSE(AA_E_ORDER, .kind = AA_RET_WALK, .lane = 0, .slot = 9, .idx = 0);  // no such walker
  REFUSE(AA_E_ORDER, .kind = AA_RET_WALK, .lane = 0, .slot = 0, .idx = 5);  // no such request
  ACCEPT(.kind = AA_RET_WALK, .lane = 0, .slot = 1, .idx = 0);
  REFUSE(AA_E_ORDER, .kind = AA_RET_WALK, .lane = 0, .slot = 1, .idx = 1);  // not free
  REFUSE(AA_E_ORDER, .kind = AA_RET_WALK, .lane = 0, .slot = 2, .idx = 1);  // same page
  ACCEPT(.kind = AA_RET_WALK, .lane = 1, .slot = 2, .idx = 1);              // look-ahead
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_FILL, .lane = 0, .slot = 2);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_FILL, .lane = 1, .slot = 2, .flag = true);
  ACCEPT(.kind = AA_RET_FILL, .lane = 1, .slot = 2, .flag = false);
  REFUSE(AA_E_MISMATCH, .kind = AA_RET_FILL, .lane = 0, .slot = 1, .flag = false);
  ACCEPT(.kind = AA_RET_FILL, .lane = 0, .slot = 1, .flag = true);
  REFUSE(AA_E_ORDER, .kind = AA_RET_WALK, .lane = 0, .slot = 1, .idx = 0);  // translated
  ACCEPT(.kind = AA_RET_WALK, .lane = 0, .slot = 1, .idx = 1);              // hits by now: the same way is filled again
  ACCEPT(.kind = AA_RET_FILL, .lane = 0, .slot = 1, .flag = true);
  ACCEPT(.kind = AA_RET_XLATE, .lane = 1);
  REFUSE(AA_E_ORDER, .kind = AA_RET_DECIDE, .lane = 1, .a = 0x80002000);  // older posted requests
  ACCEPT(.kind = AA_RET_REG_READ, .a = AA_REG_CNT + 8 * AA_CNT_TLB_FILLS, .b = 3);
  for (unsigned i = 0; i < 3; i++) ACCEPT(.kind = AA_RET_XLATE, .lane = 0);
}

static void open_with_requests(world *w) {
  // translation on, Active Access on
  REG(AA_REG_RTADDR, ROOT);
  REG(AA_REG_GCMD, 0xc0000000);
  REG(AA_REG_AA_CTL, 0x551);
  REG(AA_REG_LOG_BASE, RING);
  REG(AA_REG_LOG_CFG, 9 | 7 << 16 | 1ull << 63);
  map(w, 0x1000, 0x80001000 | 3 | PTE_WL | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(9));
  map(w, 0x2000, 0x80002000 | 3);
  tlp t = request(TLP_MWR32, SID, 0, 0x1000, 1, 15);
  for (unsigned i = 0; i < 5; i++) aa_dev_tlp(w->m, 0, &t, false);
  t = request(TLP_MRD32, SID, 1, 0x2000, 1, 15);
  for (unsigned i = 0; i < 4; i++) aa_dev_tlp(w->m, 0, &t, false), t.hdr[1] += 0x100;
  EQ(aa_dev_tlp(w->m, 1, &t, false), AA_E_ARG);
  EQ(aa_pending(w->m), 9);
}

// A walk is for one of the oldest Window requests of its lane.
static void beyond_window(world *w, const aa_config *cfg) {
  REG(AA_REG_RTADDR, ROOT);
  REG(AA_REG_GCMD, 0xc0000000);
  for (unsigned i = 0; i <= cfg->Window; i++) {
    tlp t = request(TLP_MWR32, SID, 0, 0x100000 + 0x1000 * (uint64_t)i, 1, 15);
    EQ(aa_dev_tlp(w->m, 0, &t, false), AA_OK);
  }
  REFUSE(AA_E_ORDER, .kind = AA_RET_WALK, .lane = 0, .slot = 0, .idx = (uint8_t)cfg->Window);
  ACCEPT(.kind = AA_RET_WALK, .lane = 0, .slot = 0, .idx = (uint8_t)(cfg->Window - 1));
}

// Orders that no hardware may show.
static void illegal(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  cfg.TagEntries = 2;
  cfg.FlushWaiters = 1;
  world_init(&w, &cfg);
  illegal_at_rest(&w);

  open_with_requests(&w);
  illegal_walks(&w);
  illegal_decisions(&w);
  illegal_timeouts(&w);
  illegal_invalidations(&w);
  world_free(&w);
  world_init(&w, &cfg);
  beyond_window(&w, &cfg);
  world_free(&w);
}

// Arguments and parameters out of their range.
static void arguments(void) {
  static const struct {
    uint32_t addr;
    unsigned size;
  } bad[] = {{0, 1}, {2, 4}, {4, 8}, {0x100000, 4}, {0x100000, 8}, {0, 16}};
  aa_config cfg;
  uint64_t v = 1;
  world w;
  aa *m;
  aa_config_default(&cfg);
  world_init(&w, &cfg);
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    EQ(aa_reg_read(w.m, bad[i].addr, bad[i].size, &v), AA_E_ARG);
    EQ(v, 0);
    EQ(aa_reg_write(w.m, bad[i].addr, bad[i].size, 0), AA_E_ARG);
  }
  world_free(&w);
  unsigned *const field[] = {&cfg.NumPorts,   &cfg.Window,     &cfg.IotlbEntries, &cfg.IotlbWays,    &cfg.SpEntries,
                             &cfg.CtxEntries, &cfg.PscEntries, &cfg.Walkers,      &cfg.NumLogs,      &cfg.LogDepth,
                             &cfg.TagEntries, &cfg.FlushPages, &cfg.FlushWaiters, &cfg.ScratchWords, &cfg.DataW};
  static const unsigned may_be_0 = 1u << 6;  // PscEntries
  for (unsigned i = 0; i < sizeof field / sizeof field[0]; i++) {
    unsigned good = *field[i];
    *field[i] = 0;
    EQ(aa_new(&cfg, &world_ops, NULL, &m), may_be_0 >> i & 1 ? AA_OK : AA_E_CONFIG);
    aa_free(m);
    *field[i] = 1u << 20;
    EQ(aa_new(&cfg, &world_ops, NULL, &m), AA_E_CONFIG);
    CHECK(!m);
    *field[i] = good;
  }
  cfg.IotlbWays = 128;
  EQ(aa_new(&cfg, &world_ops, NULL, &m), AA_E_CONFIG);
}

// STR-11: without Active Access there are no logs, flush pages and scratchpad words, whatever the configuration says:
// AA_CAP counts none, and their registers read as 0.
static void stock(void) {
  aa_config cfg;
  uint64_t v;
  world w;
  aa_config_default(&cfg);
  cfg.ActiveAccess = false;
  world_init(&w, &cfg);
  world_on(&w);
  EQ(aa_reg_read(w.m, AA_REG_AA_CAP, 8, &v), AA_OK);
  EQ(v & (AA_AA_CAP_LOGS_MASK | AA_AA_CAP_DEPTH_MASK | AA_AA_CAP_WAITERS_MASK | AA_AA_CAP_SCRATCH_MASK), 0);
  static const uint32_t none[] = {AA_REG_LOG_BASE, AA_REG_LOG_CFG, AA_REG_LP_PROD,
                                  AA_REG_LP_STS,   AA_REG_SCRATCH, AA_REG_AA_FLP};
  for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++) {
    wr(&w, none[i], ~0ull);
    EQ(aa_reg_read(w.m, none[i], 8, &v), AA_OK);
    EQ(v, 0);
  }
  world_free(&w);
}

// Events are masked after reset. What a write of 1 clears, a write of 0 leaves: a fault's F, the queue's error.
static void clears(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  world_init(&w, &cfg);
  EQ(rd32(&w, AA_REG_FECTL), AA_FECTL_IM_MASK);
  EQ(rd32(&w, AA_REG_IECTL), AA_IECTL_IM_MASK);
  world_on(&w);
  put(&w, 0x7000, 1, 15);
  EQ(rd(&w, AA_REG_FRCDH) & AA_FRCDH_F_MASK, AA_FRCDH_F_MASK);
  wr(&w, AA_REG_FRCDH, ~AA_FRCDH_F_MASK);
  EQ(rd(&w, AA_REG_FRCDH) & AA_FRCDH_F_MASK, AA_FRCDH_F_MASK);
  wr(&w, AA_REG_FRCDH, AA_FRCDH_F_MASK);
  EQ(rd(&w, AA_REG_FRCDH) & AA_FRCDH_F_MASK, 0);
  poke64(&w, QUEUE, 15);
  wr(&w, AA_REG_IQA, QUEUE);
  wr32(&w, AA_REG_GCMD, 0x84000000);
  wr(&w, AA_REG_IQT, 16);
  aa_poll(w.m);
  wr32(&w, AA_REG_GCMD, 0x80000000);  // off, or it is read again
  EQ(rd32(&w, AA_REG_FSTS) & AA_FSTS_IQE_MASK, AA_FSTS_IQE_MASK);
  wr32(&w, AA_REG_FSTS, (uint32_t)~AA_FSTS_IQE_MASK);
  EQ(rd32(&w, AA_REG_FSTS) & AA_FSTS_IQE_MASK, AA_FSTS_IQE_MASK);
  wr32(&w, AA_REG_FSTS, AA_FSTS_IQE_MASK);
  EQ(rd32(&w, AA_REG_FSTS) & AA_FSTS_IQE_MASK, 0);
  world_free(&w);
}

// A flush that is given up, and the pad before an entry of the get path.
static void late(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  world_init(&w, &cfg);
  world_on(&w);
  log_open(&w, 0, 9, 6, 0);
  map(&w, 0x1000, 0x80001000 | 3 | PTE_WL | PTE_WLD | PTE_RL | PTE_RLD | PTE_E | PTE_IUID(9));
  map(&w, 0x2000, 0x80002000 | 3 | PTE_E | PTE_IUID(9));
  wr(&w, AA_REG_AA_FLP, 0x2000 | 9 << 2 | 1);
  wr32(&w, AA_REG_AA_FLUSH_TMO, 100);
  EQ(put(&w, 0x1000, 8, 0xff), AA_OK);
  EQ(get(&w, 1, 0x2004, 2, 0xff), AA_OK);
  aa_advance(w.m, 99);
  EQ(w.cpls, 0);
  aa_advance(w.m, 1);
  EQ(w.cpls, 1);
  EQ(last_cpl(&w)->src, AA_CPL_FLUSH);
  EQ(peek64(&(world){.mem = last_cpl(&w)->data}, 0), 0x80000000);  // odd word: not done; even word: nothing consumed
  EQ(rd(&w, AA_REG_AA_ERR_ADDR), 0x2004);
  EQ(take_err(&w), AA_ERR_FLUSH_TIMEOUT);
  consume(&w, 0, 48);
  EQ(get(&w, 2, 0x1010, 4, 0xff), AA_OK);
  complete(&w, 2, TLP_SC, 16, 4);
  EQ(prod(&w, 0), 48 + 16 + 32);
  EQ(entry_of(&w, 0, 48, 6).kind, 7);
  EQ(entry_of(&w, 0, 64, 6).kind, 2);
  world_free(&w);
}

// A page in 16 completions: the first says 4096 bytes, which is a ByteCount of 0.
static void whole_page(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  world_init(&w, &cfg);
  world_on(&w);
  map(&w, 0x1000, 0x80001000 | 3);
  EQ(get(&w, 3, 0x1000, 1024, 0xff), AA_OK);
  EQ(w.reqs, 1);
  for (unsigned i = 0; i < 16; i++) {
    complete(&w, 3, TLP_SC, (4096 - 256 * i) & 0xfff, 64);
    EQ(w.cpls, i + 1);
  }
  EQ(take_err(&w), 0);
  world_free(&w);
}

// As many logs as there can be: the last one is a log like any other.
static void last_log(void) {
  aa_config cfg;
  world w;
  aa_config_default(&cfg);
  cfg.NumLogs = 32;
  world_init(&w, &cfg);
  world_on(&w);
  log_open(&w, 31, 9, 6, 0);
  map(&w, 0x1000, 0x80001000 | 3 | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(9));
  aa_advance(w.m, 1);
  EQ(put(&w, 0x1000, 8, 0xff), AA_OK);
  EQ(prod(&w, 31), 48);
  world_free(&w);
}

// Beats that are not in form.
static void forms(void) {
  for (unsigned data_w = 128; data_w <= 512; data_w *= 2) {
    aa_config cfg;
    world w;
    aa_config_default(&cfg);
    cfg.DataW = data_w;
    cfg.NumPorts = 2;
    world_init(&w, &cfg);
    unsigned dw = data_w / 32;
    uint8_t data[64] = {0};
    tlp t = request(TLP_MWR32, SID, 0, 0x1000, dw + 3, 0xff);
    aa_beat b0 = {.sop = true, .strb = dw == 16 ? 0xffff : (1u << dw) - 1, .data = data},
            b1 = {.eop = true, .strb = 7, .data = data};
    memcpy(b0.hdr, t.hdr, 16);
    // change -> what the decision records
    for (unsigned i = 0; i < 9; i++) {
      aa_beat x = b0, y = b1;
      unsigned want = AA_ERR_LENGTH, packets = 1;
      if (i == 0) want = 0;
      if (i == 1) x.strb &= ~1u;
      if (i == 2) y.strb = 15;
      if (i == 3) y.strb = 3;
      if (i == 4) x.eop = true, packets = 1;                            // cut short; the second beat is swallowed
      if (i == 5) y.sop = true, memcpy(y.hdr, t.hdr, 16), packets = 2;  // cut off by a new start that is cut short, too
      if (i == 6) y.eop = false;                                        // one beat too many follows
      if (i == 7) x.sop = false, packets = 0;
      if (i == 8) x.eop = true, y.eop = false, packets = 1;
      EQ(aa_dev_beat(w.m, 1, &x), AA_OK);
      EQ(aa_dev_beat(w.m, 1, &y), AA_OK);
      if (i == 6) {
        EQ(aa_pending(w.m), 0);
        EQ(aa_dev_beat(w.m, 1, &b1), AA_OK);
      }
      EQ(aa_pending(w.m), packets);
      for (unsigned k = 0; k < packets; k++) {
        EQ(rec(w.m, (aa_retire_rec){.kind = AA_RET_XLATE, .lane = 2}), AA_OK);
        EQ(rec(w.m, (aa_retire_rec){.kind = AA_RET_DECIDE,
                                    .lane = 2,
                                    .code = want ? AA_OUT_BLOCK : AA_OUT_PASS,
                                    .a = want ? 0 : 0x1000,
                                    .idx = 255}),
           AA_OK);
      }
      if (packets)
        EQ(rec(w.m, (aa_retire_rec){.kind = AA_RET_REG_READ,
                                    .a = AA_REG_AA_ERR_STS,
                                    .b = want ? (uint64_t)SID << 16 | want << 8 | (packets > 1 ? 3 : 1) : 0}),
           AA_OK);
      EQ(rec(w.m, (aa_retire_rec){.kind = AA_RET_REG_WRITE, .a = AA_REG_AA_ERR_STS, .b = 1, .idx = 1}), AA_OK);
    }
    b0.hdr[0] = 0x4a000000 | (dw + 3);  // a completion that is too long for anything, in 3000 beats
    for (unsigned i = 0; i < 3000; i++) {
      aa_beat x = i ? b1 : b0;
      x.eop = i == 2999;
      x.strb = b0.strb;
      EQ(aa_host_beat(w.m, &x), AA_OK);
    }
    EQ(rec(w.m, (aa_retire_rec){.kind = AA_RET_CPL, .code = 2}), AA_E_MISMATCH);
    EQ(aa_dev_beat(w.m, 2, &b0), AA_E_ARG);
    EQ(aa_submit(w.m, 2, &t), AA_E_ARG);
    EQ(aa_dev_reset(w.m, 2, true), AA_E_ARG);
    world_free(&w);
  }
}

int main(void) {
  static pair p;
  aa_config cfg;
  for (unsigned i = 0; i < sizeof payload; i++) payload[i] = (uint8_t)(i * 13 + 5);
  illegal();
  arguments();
  stock();
  clears();
  late();
  whole_page();
  last_log();
  forms();
  for (unsigned seed = 1; seed <= 24; seed++) {
    aa_config_default(&cfg);
    cfg.NumPorts = 1 + (seed & 1);
    cfg.IotlbEntries = 8u << seed % 3;
    cfg.IotlbWays = 1u << seed % 4;
    cfg.IotlbRandom = seed % 5 == 0;
    cfg.PscEntries = seed % 3 ? 4 : 0;
    cfg.CtxEntries = 2;
    cfg.TagEntries = 4 + seed;
    cfg.LogDepth = 1u << seed % 4;
    cfg.FlushWaiters = cfg.NumPorts + (unsigned)(seed % 3);
    cfg.DataW = 128u << seed % 3;
    run(&p, &cfg, seed, 1500, seed & 2, ~0u, false);
    uint64_t with = p.final;
    run(&p, &cfg, seed, 1500, seed & 2, ~0u, true);
    EQ(p.final, with);
    p.often = true;  // whatever else there may be to do when time has passed: nothing
    run(&p, &cfg, seed, 1500, seed & 2, ~0u, true);
    with = p.final;
    p.asks = true;
    run(&p, &cfg, seed, 1500, seed & 2, ~0u, true);
    EQ(p.final, with);
    p.often = p.asks = false;
  }
  // every kind of record changed somewhere: noticed, or a field that has no meaning there
  aa_config_default(&cfg);
  unsigned n = run(&p, &cfg, 7, 300, false, ~0u, false), noticed = 0, tried = 0;
  for (unsigned i = 0; i < n; i++) {
    run(&p, &cfg, 7, 300, false, i, false);
    noticed += p.stop;
    tried++;
  }
  printf("%u of %u changed records noticed\n", noticed, tried);
  CHECK(noticed * 2 > tried);
  return report();
}
