// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_rx.h"

#include <string.h>

/* Class of byte 0. Non-posted ones that are refused (I/O, configuration, locked reads) are apart from the unknown ones. */
enum { C_UNKNOWN, C_REFUSE_NP, C_WRITE, C_READ, C_ATOMIC, C_PASS };

static unsigned class_of(unsigned type) {
  static const uint8_t low[32] = {
      [0x00] = C_READ,      [0x01] = C_REFUSE_NP, [0x02] = C_REFUSE_NP,
      [0x04] = C_REFUSE_NP, [0x05] = C_REFUSE_NP, [0x0a] = C_PASS,
  };
  static const uint8_t quad[32] = {
      [0x00] = C_READ, [0x01] = C_REFUSE_NP, [0x10] = C_PASS, [0x11] = C_PASS, [0x12] = C_PASS,
      [0x13] = C_PASS, [0x14] = C_PASS,      [0x15] = C_PASS, [0x16] = C_PASS, [0x17] = C_PASS,
  };
  static const uint8_t low_data[32] = {
      [0x00] = C_WRITE, [0x02] = C_REFUSE_NP, [0x04] = C_REFUSE_NP, [0x05] = C_REFUSE_NP,
      [0x0a] = C_PASS,  [0x0c] = C_ATOMIC,    [0x0d] = C_ATOMIC,    [0x0e] = C_ATOMIC,
  };
  static const uint8_t quad_data[32] = {
      [0x00] = C_WRITE, [0x0c] = C_ATOMIC, [0x0d] = C_ATOMIC, [0x0e] = C_ATOMIC, [0x10] = C_PASS, [0x11] = C_PASS,
      [0x12] = C_PASS,  [0x13] = C_PASS,   [0x14] = C_PASS,   [0x15] = C_PASS,   [0x16] = C_PASS, [0x17] = C_PASS,
  };
  static const uint8_t *const map[4] = {low, quad, low_data, quad_data};
  return type < 0x80u ? map[type >> 5][type & 31u] : C_UNKNOWN;
}

static bool byte_enables_bad(unsigned len, unsigned fbe, unsigned lbe, uint64_t addr) {
  if (len == 1) return lbe != 0;
  if (fbe == 0 || lbe == 0) return true;
  if (len == 2 && !(addr & 4u)) return false;
  return (fbe != 15 && fbe != 14 && fbe != 12 && fbe != 8) || (lbe & (lbe + 1)) != 0;
}

static bool atomic_bad(unsigned op, unsigned len, uint64_t addr) {
  bool cas = (op & 0x1fu) == 0x0eu;
  unsigned operand = cas ? len / 2 : len;
  if (cas ? len != 2 && len != 4 && len != 8 : len != 1 && len != 2) return true;
  return (addr & (4 * operand - 1)) != 0;
}

void aa_rx_classify(const tlp *t, bool bad_form, unsigned port, unsigned mps_dw, unsigned mrrs_dw, aa_req *q) {
  static const uint8_t kind_of[6] = {
      [C_UNKNOWN] = AA_KIND_REFUSE, [C_REFUSE_NP] = AA_KIND_REFUSE, [C_WRITE] = AA_KIND_WRITE,
      [C_READ] = AA_KIND_READ,      [C_ATOMIC] = AA_KIND_ATOMIC,    [C_PASS] = AA_KIND_PASS,
  };
  const uint32_t *h = t->hdr;
  unsigned cls = class_of(h[0] >> 24);
  unsigned len = tlp_length(h);
  uint64_t addr = tlp_addr(h);
  bool np = cls == C_READ || cls == C_ATOMIC || cls == C_REFUSE_NP;
  unsigned bad = AA_ERR_NONE;

  q->t = t;
  q->look.iova = addr;
  q->look.sid = tlp_req_id(h);
  q->len = (uint16_t)len;
  q->kind = kind_of[cls];
  q->lane = (uint8_t)(2 * port + np);
  if (cls <= C_REFUSE_NP) {
    bad = AA_ERR_TYPE;
  } else if (bad_form || t->ndw != tlp_data_dw(h)) {
    bad = AA_ERR_LENGTH;
  } else if (cls == C_ATOMIC) {
    if (atomic_bad(h[0] >> 24, len, addr)) bad = AA_ERR_ATOMIC;
  } else if (cls != C_PASS) {
    unsigned fbe = h[1] & 15u, lbe = h[1] >> 4 & 15u;
    if (len > (cls == C_WRITE ? mps_dw : mrrs_dw))
      bad = AA_ERR_MAX_SIZE;
    else if ((addr & 0xfffu) + 4 * len > 4096)
      bad = AA_ERR_CROSS4K;
    else if (byte_enables_bad(len, fbe, lbe, addr))
      bad = AA_ERR_BYTE_EN;
  }
  q->bad = (uint8_t)bad;
  q->look.skip = bad || cls == C_PASS;
  q->look.intr = cls == C_WRITE && (addr >> 20) == 0xfeeu;
  q->look.write = cls != C_READ;
  q->look.at = (h[0] & 0xc00u) != 0;
}

static void finish(aa_rx *rx, bool bad, aa_rx_sink *sink, void *ctx) {
  rx->busy = false;
  if (bad) rx->t.ndw = 0;
  sink(ctx, &rx->t, bad);
}

void aa_rx_beat(aa_rx *rx, unsigned beat_dw, const aa_beat *b, aa_rx_sink *sink, void *ctx) {
  uint32_t all = beat_dw == 32 ? 0xffffffffu : (1u << beat_dw) - 1u;
  if (rx->busy && b->sop) finish(rx, true, sink, ctx);
  if (!rx->busy) {
    if (!b->sop) /* not the start of anything: swallowed, up to the next start */
      return;
    memcpy(rx->t.hdr, b->hdr, sizeof rx->t.hdr);
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
