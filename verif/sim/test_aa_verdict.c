// SPDX-License-Identifier: Apache-2.0
// aa_verdict: random requests and translations against the steps of "Decision" written down once more.
// config: default -GNumPorts=2
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_verdict_tb.h"
#include "tocsin/tlp.h"

enum { REQ = (AA_REQ_T_W + 31) / 32, RES = (AA_XLATE_T_W + 31) / 32, VER = (AA_VERDICT_T_W + 31) / 32 };
#define SET(w, f, v) bits_set(w, f##_LSB, f##_W, v)
#define V(f) bits_get(v, AA_VERDICT_T_##f##_LSB, AA_VERDICT_T_##f##_W)
#define E(f) bits_get(v, AA_VERDICT_T_ENTRY_LSB + AA_ENTRY_T_##f##_LSB, AA_ENTRY_T_##f##_W)

typedef struct want {
  bool fwd, ur, flush, put, get, denied, fault, data;
  unsigned err, reason;
} want;

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_verdict", 200000);
  dut *d = dut_begin(&t);
  uint64_t seen[8] = {0};
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    // ---- a request as aa_rx makes it ----
    uint32_t req[REQ] = {0}, res[RES] = {0}, v[VER], hdr[4];
    unsigned kind = (unsigned)rnd_below(&t, 5), port = (unsigned)rnd_below(&t, 2), len, fbe, lbe = 0;
    bool quad = rnd_chance(&t, 50), rd = kind == AA_E_ReqRead, wr = kind == AA_E_ReqWrite, at = kind == AA_E_ReqAtomic;
    unsigned op = (unsigned)rnd_below(&t, 3);  // atomics: FetchAdd, Swap, CAS
    bool np = rd || at || (kind == AA_E_ReqRefuse && rnd_chance(&t, 50));
    len = at ? (op == 2 ? 2u << rnd_below(&t, 3) : 1u << rnd_below(&t, 2))
             : 1 + (unsigned)rnd_below(&t, rnd_chance(&t, 50) ? 4 : 1024);
    fbe = len == 1 ? (unsigned)rnd_below(&t, 16) : 1 + (unsigned)rnd_below(&t, 15);
    if (len > 1) lbe = 1 + (unsigned)rnd_below(&t, 15);
    unsigned type = rd ? 0x00 : wr ? 0x40 : at ? 0x4c + op : kind == AA_E_ReqPass ? 0x70 : 0x02;
    rnd_words(&t, hdr, 128);
    hdr[3] = (hdr[3] & 0x0088b000u) | type << 24 | (quad && (rd || wr || at) ? 1u << 29 : 0) | (len & 1023);
    hdr[2] = (hdr[2] & ~0xffu) | lbe << 4 | fbe;
    bool ep = rnd_chance(&t, 10);
    hdr[3] |= ep ? 0x4000u : 0;
    uint64_t iova = quad && type != 0x70 ? (uint64_t)hdr[1] << 32 | (hdr[0] & ~3u) : hdr[1] & ~3u;
    if (type == 0x70) iova = (uint64_t)hdr[1] << 32 | (hdr[0] & ~3u);
    if (!quad && (rd || wr || at)) hdr[0] = 0;
    unsigned bad = kind == AA_E_ReqRefuse ? AA_K_ErrType : rnd_chance(&t, 8) ? 1 + (unsigned)rnd_below(&t, 6) : 0;
    SET(req, AA_REQ_T_KIND, kind);
    SET(req, AA_REQ_T_BAD, bad);
    words_copy(req, AA_REQ_T_HDR_LSB, hdr, 0, 128);
    // ---- a translation ----
    unsigned bits = (unsigned)rnd_below(&t, 128);
    unsigned fault = rnd_chance(&t, 8) ? 1 + (unsigned)rnd_below(&t, 14) : 0;
    bool fpd = rnd_chance(&t, 20), bypass = rnd_chance(&t, 10), nointr = rnd_chance(&t, 3), hit = rnd_chance(&t, 70);
    bool page = rnd_chance(&t, 20);
    uint64_t pfn = rnd_bits(&t, rnd_chance(&t, 50) ? 36 : 20);
    if (rnd_chance(&t, 5)) pfn = 0xfee00 | rnd_below(&t, 256);
    bool r = bits & 1, w = bits & 2, wl = bits & 4, wld = bits & 8, rl = bits & 16, rld = bits & 32, e = bits & 64;
    SET(res, AA_XLATE_T_FAULT, fault);
    SET(res, AA_XLATE_T_FPD, fpd);
    SET(res, AA_XLATE_T_BYPASS, bypass);
    SET(res, AA_XLATE_T_NOINTR, nointr);
    SET(res, AA_XLATE_T_R, r);
    SET(res, AA_XLATE_T_W, w);
    SET(res, AA_XLATE_T_WL, wl);
    SET(res, AA_XLATE_T_WLD, wld);
    SET(res, AA_XLATE_T_RL, rl);
    SET(res, AA_XLATE_T_RLD, rld);
    SET(res, AA_XLATE_T_E, e);
    SET(res, AA_XLATE_T_IUID, 0x155);
    SET(res, AA_XLATE_T_PFN, pfn);
    uint32_t filter[3] = {0};
    bool filtered = rnd_chance(&t, 10);
    bits_set(filter, 33 * port, 33, filtered ? 1ull << 32 | 0xffff0000u | (~hdr[2] >> 16) : rnd_bits(&t, 32));
    // ---- what must come of it ----
    bool mem = rd || wr || at, zero = !at && len == 1 && !fbe;
    bool allowed = wr ? w : rd ? r || (zero && w) : r && w;
    bool l = wr ? wl || wld : rd ? rl || rld : wl || wld || rl || rld;
    want x = {0};
    unsigned pre = 0;
    if (bad) {
      x.err = bad, x.ur = np && (bad == AA_K_ErrAtomic || bad == AA_K_ErrType), pre = 1;
    } else if (!mem) {
      x.fwd = true, pre = 1;
    } else if (filtered) {
      x.err = AA_K_ErrPortId, x.ur = np, pre = 1;
    } else if (fault || nointr) {
      x.fault = true, x.reason = fault ? fault : 0x25, x.ur = np;
    } else if (ep && !rd) {
      x.err = AA_K_ErrPoison, x.ur = np, x.put = !bypass && e && l && hit;
    } else if (bypass) {
      x.fwd = true;
    } else if (rd && allowed && e && page) {
      x.err = len > 4 ? AA_K_ErrFlushLen : !hit ? AA_K_ErrNoLog : 0;
      x.flush = !x.err, x.ur = !x.flush;
    } else if (allowed && pfn >> 8 == 0xfee) {
      x.fault = true, x.reason = 0xe, x.ur = np;
    } else {
      bool get = rd ? rld && !zero : at && !wld && rld;
      x.fwd = allowed, x.ur = np && !allowed, x.denied = !allowed;
      if (!e) x.fault = !allowed || l, x.reason = allowed ? 0xa0 : rd || w ? 6 : 5;
      if (e && l && !hit) x.err = AA_K_ErrNoLog;
      x.get = e && l && hit && get && allowed;
      x.put = e && l && hit && !x.get;
      x.data = x.get || (x.put && wld && !zero && !rd);
    }
    if (fpd && x.reason != 1 && x.reason != 8 && x.reason != 9 && x.reason != 0xa && x.reason != 0xb) x.fault = false;
    // ---- ask ----
    dut_set_lane_i(d, 2 * port + np);
    dut_set_req_i(d, req);
    dut_set_res_i(d, bits_get(res, 0, 64));
    dut_set_filter_i(d, filter);
    dut_set_cam_hit_i(d, hit);
    dut_set_cam_log_i(d, 7);
    dut_set_page_hit_i(d, page);
    dut_eval(d);
    dut_get_verdict_o(d, v);
    CHECK_EQ(&t, V(PRE), pre, "settled before the tag check");
    CHECK_EQ(&t, V(FWD), x.fwd, "forwarded (kind %u bad %u bits %02x)", kind, bad, bits);
    CHECK_EQ(&t, V(UR), x.ur, "UR");
    CHECK_EQ(&t, V(FLUSH), x.flush, "flush");
    CHECK_EQ(&t, V(FAULT), x.fault, "stock record");
    if (x.fault) CHECK_EQ(&t, V(REASON), x.reason, "reason");
    CHECK_EQ(&t, V(ERR), x.err, "error");
    CHECK_EQ(&t, V(PUT), x.put, "record at once");
    CHECK_EQ(&t, V(GET), x.get, "record with its completions");
    CHECK_EQ(&t, V(DENIED), x.denied, "denied");
    if (mem && !bad) CHECK_EQ(&t, iova, dut_get_iova_o(d), "address");
    if (x.put || x.get) {
      unsigned n = x.get && at && op == 2 ? len / 2 : len;
      CHECK_EQ(&t, E(LEN), n, "length of the entry");
      CHECK_EQ(&t, E(DATA), x.data, "data");
      CHECK_EQ(&t, V(UNITS), x.data ? (n + 3) / 4 : 0, "size");
      CHECK_EQ(&t, E(IUID), 0x155, "IUID");
      CHECK_EQ(&t, E(RID), hdr[2] >> 16, "requester");
      CHECK_EQ(&t, E(DENIED), !x.fwd, "denied mark");
    }
    if (x.fwd && mem && !bypass) {
      uint64_t pa = pfn << 12 | (iova & 0xffc);
      CHECK_EQ(&t, V(PA), pa, "translated");
      CHECK_EQ(&t, bits_get(v, AA_VERDICT_T_HDR_LSB + 125, 1), pa >> 32 != 0, "4 DW only where needed");
      CHECK_EQ(&t, pa >> 32 ? bits_get(v, AA_VERDICT_T_HDR_LSB + 2, 62) : bits_get(v, AA_VERDICT_T_HDR_LSB + 34, 30),
               pa >> 2, "address in the header");
    }
    if (rd && !bad) CHECK_EQ(&t, V(COUNT), tlp_byte_count(len, fbe, lbe), "ByteCount of %u DW, %x %x", len, fbe, lbe);
    seen[x.fwd ? 0 : x.flush ? 1 : x.put ? 2 : x.fault ? 3 : x.err ? 4 : 5]++;
    seen[6] += x.get;
  }
  for (unsigned i = 0; i < 7; i++)
    CHECK(&t, seen[i] > 20, "outcome %u came %llu times", i, (unsigned long long)seen[i]);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
