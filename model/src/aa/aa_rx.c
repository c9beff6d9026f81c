// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_rx.h"

#include <string.h>

enum { REFUSE = AA_KIND_REFUSE, REFUSE_NP = AA_KIND_REFUSE | AA_RX_NP, WRITE = AA_KIND_WRITE };
enum { READ = AA_KIND_READ | AA_RX_NP, ATOMIC = AA_KIND_ATOMIC | AA_RX_NP, PASS = AA_KIND_PASS };
#define PASS8 PASS, PASS, PASS, PASS, PASS, PASS, PASS, PASS
#define NONE4 REFUSE, REFUSE, REFUSE, REFUSE
#define NONE8 NONE4, NONE4
#define NONE32 NONE8, NONE8, NONE8, NONE8

/* By fmt (a block each: three words, four words, with data) and type. Those that PCIe knows as non-posted
 * are refused in lane NP. */
const uint8_t aa_rx_type[256] = {
    /* 00 */ READ,   REFUSE_NP, REFUSE_NP, REFUSE, REFUSE_NP, REFUSE_NP, REFUSE, REFUSE,
    /* 08 */ REFUSE, REFUSE,    PASS,      REFUSE, NONE4,     NONE8,     NONE8,
    /* 20 */ READ,   REFUSE_NP, REFUSE,    REFUSE, NONE4,     NONE8,     PASS8,  NONE8,
    /* 40 */ WRITE,  REFUSE,    REFUSE_NP, REFUSE, REFUSE_NP, REFUSE_NP, REFUSE, REFUSE,
    /* 48 */ REFUSE, REFUSE,    PASS,      REFUSE, ATOMIC,    ATOMIC,    ATOMIC, REFUSE, NONE8,  NONE8,
    /* 60 */ WRITE,  REFUSE,    REFUSE,    REFUSE, NONE4,     NONE4,     ATOMIC, ATOMIC, ATOMIC, REFUSE,
    PASS8,           NONE8,
    /* 80 */ NONE32, NONE32,    NONE32,    NONE32};

/* STR-9. */
static bool byte_enables_bad(unsigned len, unsigned fbe, unsigned lbe, uint64_t addr) {
  if (fbe == 0 || lbe == 0) return true;
  if (len == 2 && !(addr & 4u)) return false;
  return (fbe != 15 && fbe != 14 && fbe != 12 && fbe != 8) || (lbe & (lbe + 1)) != 0;
}

/* STR-8. */
static bool atomic_bad(unsigned op, unsigned len, uint64_t addr) {
  bool cas = (op & 0x1fu) == 0x0eu;
  unsigned operand = cas ? len / 2 : len;
  if (cas ? len != 2 && len != 4 && len != 8 : len != 1 && len != 2) return true;
  return (addr & (4 * operand - 1)) != 0;
}

/* STR-6, STR-10. */
unsigned aa_rx_check(const uint32_t hdr[4], unsigned kind, unsigned len, uint64_t addr) {
  if (kind == AA_KIND_ATOMIC) return atomic_bad(hdr[0] >> 24, len, addr) ? AA_ERR_ATOMIC : AA_ERR_NONE;
  if ((addr & 0xfffu) + 4 * len > 4096) return AA_ERR_CROSS4K;
  return byte_enables_bad(len, hdr[1] & 15u, hdr[1] >> 4 & 15u, addr) ? AA_ERR_BYTE_EN : AA_ERR_NONE;
}

/* STR-9: a read's hints stand where its byte enables would. */
static void plain(uint32_t hdr[4]) {
  const unsigned type = hdr[0] >> 24;
  if ((type & ~0x20u) || !(hdr[0] >> 16 & 1)) return;
  hdr[0] &= ~0x10000u;
  hdr[1] = (hdr[1] & ~255u) | (tlp_length(hdr) == 1 ? 0x0fu : 0xffu);
  hdr[type & 0x20u ? 3 : 2] &= ~3u;
}

static void finish(aa_rx *rx, bool bad, aa_rx_sink *sink, void *ctx) {
  rx->busy = false;
  if (bad) rx->t.ndw = 0;
  sink(ctx, &rx->t, bad);
}

/* STR-4, STR-7. */
void aa_rx_beat(aa_rx *rx, unsigned beat_dw, const aa_beat *b, aa_rx_sink *sink, void *ctx) {
  uint32_t all = (1u << beat_dw) - 1u;
  if (rx->busy && b->sop) finish(rx, true, sink, ctx);
  if (!rx->busy) {
    if (!b->sop) /* not the start of anything: swallowed, up to the next start */
      return;
    memcpy(rx->t.hdr, b->hdr, sizeof rx->t.hdr);
    plain(rx->t.hdr);
    rx->t.seq = b->seq;
    rx->t.err = false;
    rx->t.ndw = 0;
    rx->t.data = rx->buf;
    rx->beats = 0;
    rx->busy = true;
    rx->bad = false;
  }
  uint32_t want = tlp_data_dw(rx->t.hdr), got = rx->beats * beat_dw;
  uint32_t left = want > got ? want - got : 0;
  uint32_t here = left < beat_dw ? left : beat_dw;
  uint32_t strb = here == beat_dw ? all : (1u << here) - 1u;
  bool last = left <= beat_dw;
  rx->t.err = rx->t.err || b->err;
  if ((b->strb & all) != strb || b->eop != last || (rx->beats && !left)) rx->bad = true;
  if (here && !rx->bad) {
    memcpy(rx->buf + 4 * (size_t)got, b->data, 4 * (size_t)here);
    rx->t.ndw = got + here;
  }
  if (rx->beats < 2000) rx->beats++;
  if (b->eop) finish(rx, rx->bad, sink, ctx);
}
