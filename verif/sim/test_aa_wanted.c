// SPDX-License-Identifier: Apache-2.0
// aa_wanted: random requests and translations against the steps of "Decision" written down once more.
// Rules of rtl/aa/README.md: DEC-1, DEC-2, DEC-3, DEC-5, DEC-6, DEC-7, DEC-8, DEC-9, DEC-10, DEC-11, DEC-12, DEC-13,
// DEC-14, DEC-19, LOG-2.
// config: default -GNumPorts=2
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_wanted_tb.h"
#include "tocsin/tlp.h"

enum { REQ = (AA_REQ_T_W + 31) / 32, RES = (AA_XLATE_T_W + 31) / 32, VER = (AA_WANTED_T_W + 31) / 32 };
#define SET(w, f, v) bits_set(w, f##_LSB, f##_W, v)
#define V(f) bits_get(b->v, AA_WANTED_T_##f##_LSB, AA_WANTED_T_##f##_W)
#define E(f) bits_get(b->v, AA_WANTED_T_ENTRY_LSB + AA_ENTRY_T_##f##_LSB, AA_ENTRY_T_##f##_W)

typedef struct want {
  bool fwd, ur, flush, put, get, denied, fault, data;
  unsigned err, reason;
} want;

// A request, a translation, and what must come of them.
typedef struct {
  tb *t;
  dut *d;
  uint32_t req[REQ], res[RES], v[VER], hdr[4], filter[3];
  unsigned kind, port, len, fbe, lbe, op, bad;
  bool quad, rd, wr, at, np, ep;
  uint64_t iova;
  unsigned bits, fault;
  bool fpd, bypass, nointr, hit, page, r, w, wl, wld, rl, rld, e, filtered;
  uint64_t pfn;
  bool mem, zero;
  want x;
  unsigned pre;
  uint64_t seen[8];
} bench;

// As aa_rx makes it.
static void request(bench *b) {
  memset(b->req, 0, sizeof b->req);
  b->kind = (unsigned)rnd_below(b->t, 5);
  b->port = (unsigned)rnd_below(b->t, 2);
  b->lbe = 0;
  b->quad = rnd_chance(b->t, 50);
  b->rd = b->kind == AA_E_ReqRead;
  b->wr = b->kind == AA_E_ReqWrite;
  b->at = b->kind == AA_E_ReqAtomic;
  b->op = (unsigned)rnd_below(b->t, 3);  // atomics: FetchAdd, Swap, CAS
  b->np = b->rd || b->at || (b->kind == AA_E_ReqRefuse && rnd_chance(b->t, 50));
  b->len = b->at ? (b->op == 2 ? 2u << rnd_below(b->t, 3) : 1u << rnd_below(b->t, 2))
                 : 1 + (unsigned)rnd_below(b->t, rnd_chance(b->t, 50) ? 4 : 1024);
  b->fbe = b->len == 1 ? (unsigned)rnd_below(b->t, 16) : 1 + (unsigned)rnd_below(b->t, 15);
  if (b->len > 1) b->lbe = 1 + (unsigned)rnd_below(b->t, 15);
  unsigned type = b->rd ? 0x00 : b->wr ? 0x40 : b->at ? 0x4c + b->op : b->kind == AA_E_ReqPass ? 0x70 : 0x02;
  rnd_words(b->t, b->hdr, 128);
  b->hdr[3] =
      (b->hdr[3] & 0x0088b000u) | type << 24 | (b->quad && (b->rd || b->wr || b->at) ? 1u << 29 : 0) | (b->len & 1023);
  b->hdr[2] = (b->hdr[2] & ~0xffu) | b->lbe << 4 | b->fbe;
  b->ep = rnd_chance(b->t, 10);
  b->hdr[3] |= b->ep ? 0x4000u : 0;
  b->iova = b->quad && type != 0x70 ? (uint64_t)b->hdr[1] << 32 | (b->hdr[0] & ~3u) : b->hdr[1] & ~3u;
  if (type == 0x70) b->iova = (uint64_t)b->hdr[1] << 32 | (b->hdr[0] & ~3u);
  if (!b->quad && (b->rd || b->wr || b->at)) b->hdr[0] = 0;
  b->bad = b->kind == AA_E_ReqRefuse ? AA_K_ErrType : rnd_chance(b->t, 8) ? 1 + (unsigned)rnd_below(b->t, 6) : 0;
  SET(b->req, AA_REQ_T_KIND, b->kind);
  SET(b->req, AA_REQ_T_BAD, b->bad);
  words_copy(b->req, AA_REQ_T_HDR_LSB, b->hdr, 0, 128);
}

static void translation(bench *b) {
  memset(b->res, 0, sizeof b->res);
  b->bits = (unsigned)rnd_below(b->t, 128);
  b->fault = rnd_chance(b->t, 8) ? 1 + (unsigned)rnd_below(b->t, 14) : 0;
  b->fpd = rnd_chance(b->t, 20);
  b->bypass = rnd_chance(b->t, 10);
  b->nointr = rnd_chance(b->t, 3);
  b->hit = rnd_chance(b->t, 70);
  b->page = rnd_chance(b->t, 20);
  b->pfn = rnd_bits(b->t, rnd_chance(b->t, 50) ? 36 : 20);
  if (rnd_chance(b->t, 5)) b->pfn = 0xfee00 | rnd_below(b->t, 256);
  b->r = b->bits & 1;
  b->w = b->bits & 2;
  b->wl = b->bits & 4;
  b->wld = b->bits & 8;
  b->rl = b->bits & 16;
  b->rld = b->bits & 32;
  b->e = b->bits & 64;
  SET(b->res, AA_XLATE_T_FAULT, b->fault);
  SET(b->res, AA_XLATE_T_FPD, b->fpd);
  SET(b->res, AA_XLATE_T_BYPASS, b->bypass);
  SET(b->res, AA_XLATE_T_NOINTR, b->nointr);
  SET(b->res, AA_XLATE_T_R, b->r);
  SET(b->res, AA_XLATE_T_W, b->w);
  SET(b->res, AA_XLATE_T_WL, b->wl);
  SET(b->res, AA_XLATE_T_WLD, b->wld);
  SET(b->res, AA_XLATE_T_RL, b->rl);
  SET(b->res, AA_XLATE_T_RLD, b->rld);
  SET(b->res, AA_XLATE_T_E, b->e);
  SET(b->res, AA_XLATE_T_IUID, 0x155);
  SET(b->res, AA_XLATE_T_PFN, b->pfn);
  memset(b->filter, 0, sizeof b->filter);
  b->filtered = rnd_chance(b->t, 10);
  bits_set(b->filter, 33 * b->port, 33,
           b->filtered ? 1ull << 32 | 0xffff0000u | (~b->hdr[2] >> 16) : rnd_bits(b->t, 32));
}

static void wanted(bench *b) {
  b->mem = b->rd || b->wr || b->at;
  b->zero = !b->at && b->len == 1 && !b->fbe;
  bool allowed = b->wr ? b->w : b->rd ? b->r || (b->zero && b->w) : b->r && b->w;
  bool l = b->wr ? b->wl || b->wld : b->rd ? b->rl || b->rld : b->wl || b->wld || b->rl || b->rld;
  b->x = (want){0};
  b->pre = 0;
  if (b->bad) {
    b->x.err = b->bad, b->x.ur = b->np && (b->bad == AA_K_ErrAtomic || b->bad == AA_K_ErrType), b->pre = 1;
  } else if (!b->mem) {
    b->x.fwd = true, b->pre = 1;
  } else if (b->filtered) {
    b->x.err = AA_K_ErrPortId, b->x.ur = b->np, b->pre = 1;
  } else if (b->fault || b->nointr) {
    b->x.fault = true, b->x.reason = b->fault ? b->fault : 0x25, b->x.ur = b->np;
  } else if (b->ep && !b->rd) {
    b->x.err = AA_K_ErrPoison, b->x.ur = b->np, b->x.put = !b->bypass && b->e && l && b->hit;
  } else if (b->bypass) {
    b->x.fwd = true;
  } else if (b->rd && allowed && b->e && b->page) {
    b->x.err = b->len > 4 ? AA_K_ErrFlushLen : !b->hit ? AA_K_ErrNoLog : 0;
    b->x.flush = !b->x.err, b->x.ur = !b->x.flush;
  } else if (allowed && b->pfn >> 8 == 0xfee) {
    b->x.fault = true, b->x.reason = 0xe, b->x.ur = b->np;
  } else {
    bool get = b->rd ? b->rld && !b->zero : b->at && !b->wld && b->rld;
    b->x.fwd = allowed, b->x.ur = b->np && !allowed, b->x.denied = !allowed;
    if (!b->e) b->x.fault = !allowed || l, b->x.reason = allowed ? 0xa0 : b->rd || b->w ? 6 : 5;
    if (b->e && l && !b->hit) b->x.err = AA_K_ErrNoLog;
    b->x.get = b->e && l && b->hit && get && allowed;
    b->x.put = b->e && l && b->hit && !b->x.get;
    b->x.data = b->x.get || (b->x.put && b->wld && !b->zero && !b->rd);
  }
  if (b->fpd && b->x.reason != 1 && b->x.reason != 8 && b->x.reason != 9 && b->x.reason != 0xa && b->x.reason != 0xb)
    b->x.fault = false;
}

static void entry_and_header(bench *b) {
  if (b->x.put || b->x.get) {
    unsigned n = b->x.get && b->at && b->op == 2 ? b->len / 2 : b->len;
    CHECK_EQ(b->t, E(LEN), n, "length of the entry");
    CHECK_EQ(b->t, E(DATA), b->x.data, "data");
    CHECK_EQ(b->t, V(UNITS), b->x.data ? (n + 3) / 4 : 0, "size");
    CHECK_EQ(b->t, E(IUID), 0x155, "IUID");
    CHECK_EQ(b->t, E(RID), b->hdr[2] >> 16, "requester");
    CHECK_EQ(b->t, E(DENIED), !b->x.fwd, "denied mark");
    CHECK_EQ(b->t, E(POISONED), b->ep && !b->rd, "poisoned mark");
    CHECK_EQ(b->t, E(KIND), b->wr ? AA_K_KindPut : b->rd ? AA_K_KindGet : AA_K_KindAtomic, "kind");
    CHECK_EQ(b->t, E(TAG), (b->hdr[3] >> 23 & 1) << 9 | (b->hdr[3] >> 19 & 1) << 8 | (b->hdr[2] >> 8 & 255), "tag");
    CHECK_EQ(b->t, E(FBE), b->at ? 0xf : b->fbe, "first byte enables");
    CHECK_EQ(b->t, E(LBE), !b->at ? b->lbe : n == 1 ? 0 : 0xf, "last byte enables");
    unsigned first = b->at || !b->fbe ? 0 : (unsigned)__builtin_ctz(b->fbe);
    CHECK_EQ(b->t, E(ADDR), b->iova | first, "address of the first byte");
  }
  if (b->x.fwd && b->mem && !b->bypass) {
    uint64_t pa = b->pfn << 12 | (b->iova & 0xffc);
    CHECK_EQ(b->t, V(PA), pa, "translated");
    CHECK_EQ(b->t, bits_get(b->v, AA_WANTED_T_HDR_LSB + 125, 1), pa >> 32 != 0, "4 DW only where needed");
    CHECK_EQ(b->t,
             pa >> 32 ? bits_get(b->v, AA_WANTED_T_HDR_LSB + 2, 62) : bits_get(b->v, AA_WANTED_T_HDR_LSB + 34, 30),
             pa >> 2, "address in the header");
  }
  if (b->rd && !b->bad)
    CHECK_EQ(b->t, V(COUNT), tlp_byte_count(b->len, b->fbe, b->lbe), "ByteCount of %u DW, %x %x", b->len, b->fbe,
             b->lbe);
}

static void ask(bench *b) {
  dut_set_lane_i(b->d, 2 * b->port + b->np);
  dut_set_req_i(b->d, b->req);
  dut_set_res_i(b->d, bits_get(b->res, 0, 64));
  dut_set_filter_i(b->d, b->filter);
  dut_set_cam_hit_i(b->d, b->hit);
  dut_set_cam_log_i(b->d, 7);
  dut_set_page_hit_i(b->d, b->page);
  dut_eval(b->d);
  dut_get_wanted_o(b->d, b->v);
  CHECK_EQ(b->t, V(PRE), b->pre, "settled before the tag check");
  CHECK_EQ(b->t, V(FWD), b->x.fwd, "forwarded (kind %u bad %u bits %02x)", b->kind, b->bad, b->bits);
  CHECK_EQ(b->t, V(UR), b->x.ur, "UR");
  CHECK_EQ(b->t, V(FLUSH), b->x.flush, "flush");
  CHECK_EQ(b->t, V(FAULT), b->x.fault, "stock record");
  if (b->x.fault) CHECK_EQ(b->t, V(REASON), b->x.reason, "reason");
  CHECK_EQ(b->t, V(ERR), b->x.err, "error");
  CHECK_EQ(b->t, V(PUT), b->x.put, "record at once");
  CHECK_EQ(b->t, V(GET), b->x.get, "record with its completions");
  CHECK_EQ(b->t, V(DENIED), b->x.denied, "denied");
  if (b->mem && !b->bad) CHECK_EQ(b->t, b->iova, dut_get_iova_o(b->d), "address");
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_wanted", 200000);
  static bench all;
  bench *b = &all;
  b->t = &t;
  b->d = dut_begin(&t);
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    request(b);
    translation(b);
    wanted(b);
    ask(b);
    entry_and_header(b);
    b->seen[b->x.fwd ? 0 : b->x.flush ? 1 : b->x.put ? 2 : b->x.fault ? 3 : b->x.err ? 4 : 5]++;
    b->seen[6] += b->x.get;
  }
  for (unsigned i = 0; i < 7; i++)
    CHECK(&t, b->seen[i] > 20, "outcome %u came %llu times", i, (unsigned long long)b->seen[i]);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
