// SPDX-License-Identifier: Apache-2.0
// The TLPs of the test of aa_port (port_test.h): what one must become, by rtl/aa/README.md, and those that are sent.
// Rules of rtl/aa/README.md: STR-5, STR-6, STR-7, STR-8, STR-9, STR-10.
#ifndef TOCSIN_PORT_TLP_H
#define TOCSIN_PORT_TLP_H

#include <string.h>

#define DATA_W (PAY_DATA_O_W / 2)
#define BEAT_DW (DATA_W / 32)
#define AT_HDR DATA_W
#define AT_STRB (DATA_W + 128)
#define AT_SEQ (AT_STRB + BEAT_DW)
#define AT_ERR (AT_SEQ + 8)
#define AT_EOP (AT_ERR + 1)
#define AT_SOP (AT_EOP + 1)
#define MAX_BEATS 1100
#define NP_BEATS (BEAT_DW < 8 ? P_Window * 8 / BEAT_DW : P_Window)
#define REQ_W (REQ_O_W / 2)
#define LOOK_W (LK_O_W / 2)

enum { PASS, WRITE, READ, ATOMIC, REFUSE };

typedef struct want {
  unsigned lane, kind, bad, seq, beats, units;
  uint32_t hdr[4];  // as in the beat: word 3 is DW0
  bool skip, intr, write, at;
  unsigned sid;
  uint64_t page;
  uint32_t data[1024];
} want;

typedef struct tlp {
  unsigned beats;  // sent, of which each has its strobes, sop and eop
  uint32_t hdr[4], strb[MAX_BEATS];
  bool sop[MAX_BEATS], eop[MAX_BEATS];
  uint32_t data[1024 + 64];
  unsigned seq, mps, mrrs;  // the limits as its first beat was taken
} tlp;

static unsigned byte0(const tlp *p) { return p->hdr[3] >> 24; }

// Which lane a TLP goes to: non-posted requests, known or not, into the second.
static unsigned lane_of(const tlp *p) {
  unsigned op = byte0(p), fmt = op >> 5, type = op & 31;
  bool four = fmt & 1, data = fmt & 2;
  if (fmt >= 4) return 0;
  return (type == 0 && !data) || (data && type >= 12 && type <= 14) || (type == 1 && !data) ||
         (!four && (type == 2 || type == 4 || type == 5));
}

// ---- the reference: what a TLP that went through as `p` (cut off after its last beat, or not) must become ----
static void judge(const tlp *p, bool cut, want *w) {
  unsigned op = byte0(p), fmt = op >> 5, type = op & 31, len = p->hdr[3] & 1023 ? p->hdr[3] & 1023 : 1024;
  bool four = fmt & 1, data = fmt & 2, known = false;
  uint64_t addr = four ? (uint64_t)p->hdr[1] << 32 | p->hdr[0] : p->hdr[1];
  unsigned fbe = p->hdr[2] & 15, lbe = p->hdr[2] >> 4 & 15;
  memset(w, 0, sizeof *w);
  w->kind = REFUSE;
  if (fmt < 4) {
    if (type == 0)
      w->kind = data ? WRITE : READ;
    else if (data && type >= 12 && type <= 14)
      w->kind = ATOMIC;
    else if (type == 10 && !four)
      w->kind = PASS;
    else if (type >= 16 && type <= 23 && four)
      w->kind = PASS;
    known = w->kind != REFUSE;
  }
  w->lane = lane_of(p);
  unsigned beats = data ? (len + BEAT_DW - 1) / BEAT_DW : 1;
  bool form = cut || p->beats != beats;
  for (unsigned i = 0; i < p->beats && i < beats; i++) {
    unsigned here = !data ? 0 : i == beats - 1 ? len - i * BEAT_DW : BEAT_DW;
    if (p->strb[i] != (here == 32 ? 0xffffffffu : (1u << here) - 1)) form = true;
  }
  unsigned operand = type == 14 ? len / 2 : len;
  unsigned limit = w->kind == WRITE ? p->mps : p->mrrs;
  if (!known)
    w->bad = 6;
  else if (form)
    w->bad = 1;
  else if (w->kind == ATOMIC) {
    bool ok = type == 14 ? len == 2 || len == 4 || len == 8 : len == 1 || len == 2;
    if (!ok || (addr & ~3ull) % (4 * operand)) w->bad = 5;
  } else if (w->kind == READ || w->kind == WRITE) {
    bool run_f = fbe == 15 || fbe == 14 || fbe == 12 || fbe == 8, run_l = lbe == 15 || lbe == 7 || lbe == 3 || lbe == 1;
    if (4 * len > (128u << (limit > 5 ? 5 : limit)))
      w->bad = 3;
    else if ((addr & 0xffc) + 4 * len > 4096)
      w->bad = 2;
    else if (len == 1 ? lbe != 0 : !fbe || !lbe || ((len > 2 || (addr & 4)) && !(run_f && run_l)))
      w->bad = 4;
  }
  w->seq = p->seq;
  w->beats = data && !w->bad ? beats : 0;
  w->units = data ? (len + 3) / 4 : 0;
  memcpy(w->hdr, p->hdr, sizeof w->hdr);
  memcpy(w->data, p->data, sizeof w->data);
  w->skip = w->bad || w->kind == PASS || w->kind == REFUSE;
  w->intr = w->kind == WRITE && addr >> 20 == 0xfee;
  w->write = w->kind != READ;
  w->at = (p->hdr[3] >> 10 & 3) != 0;
  w->sid = p->hdr[2] >> 16;
  w->page = addr >> 12;
}

// ---- stimulus ----
// What a time is about: everything; long writes, which fill the payload of P, between short TLPs that are often bad;
// what has payload in NP; headers, of which one comes a cycle, of reads and mostly short writes.
typedef enum { MIXED, WRITES, ATOMICS, HEADERS } subject;

static unsigned pick_op(tb *t, subject about) {
  static const uint8_t ops[] = {0x00, 0x20, 0x40, 0x60, 0x00, 0x20, 0x40, 0x60, 0x40, 0x60,
                                0x4c, 0x6c, 0x4d, 0x6d, 0x4e, 0x6e, 0x30, 0x34, 0x70, 0x75,
                                0x0a, 0x4a, 0x01, 0x21, 0x02, 0x42, 0x04, 0x44, 0x05, 0x45};
  static const uint8_t atomics[] = {0x4c, 0x6c, 0x4d, 0x6d, 0x4e, 0x6e, 0x4e, 0x6e};
  if (about != MIXED && rnd_chance(t, 85)) {
    unsigned four = (unsigned)rnd_bits(t, 1) << 5;
    if (about == ATOMICS) return atomics[rnd_below(t, sizeof atomics)];
    return about == WRITES || rnd_chance(t, 30) ? 0x40 | four : four;
  }
  unsigned op = ops[rnd_below(t, sizeof ops)];
  return rnd_chance(t, 75) ? op : rnd_chance(t, 80) ? op ^ 1u << rnd_below(t, 8) : (unsigned)rnd_bits(t, 8);
}

// A length that some rule names, the bus's own among them, or one that differs from it in one bit.
static unsigned near_rule(tb *t, bool operand) {
  unsigned len = 1u << rnd_below(t, operand ? 4 : 2);
  if (!operand && rnd_chance(t, 45)) len = rnd_chance(t, 45) ? 1024 : rnd_bits(t, 1) ? BEAT_DW : 1u << rnd_below(t, 11);
  if (rnd_chance(t, 65)) len ^= 1u << rnd_below(t, 10);
  return len ? len : 1024;
}

static unsigned pick_len(tb *t, unsigned op, subject about) {
  bool data = op & 0x40, atomic = (op & 0x5c) == 0x4c;
  if (about == WRITES) return rnd_chance(t, 40) ? 256 + (unsigned)rnd_below(t, 769) : 1 + (unsigned)rnd_below(t, 12);
  if (about == HEADERS && data)
    return rnd_chance(t, 90) ? 1 + (unsigned)rnd_bits(t, 1) : (32u << rnd_below(t, 4)) + (unsigned)rnd_bits(t, 1);
  if (atomic && rnd_chance(t, 80)) return rnd_chance(t, 40) ? near_rule(t, true) : 1u << rnd_below(t, 4);
  if (rnd_chance(t, data ? 15 : 85)) return near_rule(t, false);
  return rnd_chance(t, 70)   ? 1 + (unsigned)rnd_below(t, 12)
         : rnd_chance(t, 80) ? 1 + (unsigned)rnd_below(t, 70)
                             : 1 + (unsigned)rnd_below(t, 1024);
}

// Mostly within a page, or about its end; now and then of an MSI, or with one bit that keeps it from being one.
static uint64_t pick_addr(tb *t, unsigned op, unsigned len) {
  uint64_t addr = rnd(t) & ~3ull;
  if (rnd_chance(t, 80)) {
    unsigned left = rnd_chance(t, 60) ? len + (rnd_bits(t, 1) ? 0 : (unsigned)rnd_below(t, 3) - 1)
                                      : (unsigned)rnd_below(t, len + 2);
    addr = (addr & ~0xfffull) | (rnd_chance(t, 55) ? rnd_below(t, 256) * 8 : (4096 - 4 * left) & 0xfff);
  }
  if (rnd_chance(t, op & 0x40 ? 30 : 5)) {
    addr = 0xfee00000u | (addr & 0xfffff);
    if (rnd_chance(t, 70)) addr ^= 1ull << (20 + rnd_below(t, 44));
  }
  return addr;
}

static void make(tb *t, tlp *p, subject about) {
  memset(p, 0, sizeof *p);
  unsigned op = pick_op(t, about), len = pick_len(t, op, about);
  unsigned fbe = rnd_chance(t, 60) ? 15u & (15u << rnd_below(t, 4)) : (unsigned)rnd_bits(t, 4);
  unsigned lbe = rnd_chance(t, 60) ? 15u >> rnd_below(t, 4) : (unsigned)rnd_bits(t, 4);
  if (len == 1 && rnd_chance(t, 90)) lbe = 0;
  uint64_t addr = pick_addr(t, op, len);
  if (about == WRITES && len > 12) addr &= ~0xfffull, fbe = lbe = 15;
  p->hdr[3] = op << 24 | (uint32_t)(rnd_bits(t, 14) & 0x3ff0 & ~0xc00u) << 8 |
              (rnd_below(t, 20) ? 0 : (uint32_t)rnd_bits(t, 2) << 10) | (len & 1023);
  p->hdr[2] = (uint32_t)rnd_bits(t, 24) << 8 | lbe << 4 | fbe;
  if (p->hdr[3] >> 16 & 1) addr |= rnd_bits(t, 2);  // hints
  if (op & 0x20) {
    p->hdr[1] = (uint32_t)(addr >> 32);
    p->hdr[0] = (uint32_t)addr;
  } else {
    p->hdr[1] = (uint32_t)addr;
    p->hdr[0] = (uint32_t)rnd(t);
  }
  p->seq = (unsigned)rnd_bits(t, 8);
  for (unsigned i = 0; i < 1024 + 64; i++) p->data[i] = (uint32_t)rnd(t);
  bool data = op & 0x40;
  p->beats = data ? (len + BEAT_DW - 1) / BEAT_DW : 1;
  for (unsigned i = 0; i < p->beats; i++) {
    unsigned here = !data ? 0 : i == p->beats - 1 ? len - i * BEAT_DW : BEAT_DW;
    p->strb[i] = here == 32 ? 0xffffffffu : (1u << here) - 1;
  }
  if (rnd_chance(t, 8)) p->strb[rnd_below(t, p->beats)] ^= 1u << rnd_below(t, BEAT_DW);
  if (rnd_chance(t, 4)) p->beats = 1 + (unsigned)rnd_below(t, p->beats);
  if (rnd_chance(t, 4)) {
    unsigned more = 1 + (unsigned)rnd_below(t, 4);
    for (unsigned i = 0; i < more; i++) p->strb[p->beats++] = (uint32_t)rnd_bits(t, BEAT_DW);
  }
  p->sop[0] = true;
  p->eop[p->beats - 1] = true;
}

#endif
