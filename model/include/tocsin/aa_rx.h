// SPDX-License-Identifier: Apache-2.0
/* aa_rx: beats become packets, packets become requests; everything malformed is found here, before
 * anything has happened. */
#ifndef TOCSIN_AA_RX_H
#define TOCSIN_AA_RX_H

#include "tocsin/aa.h"

enum { AA_KIND_PASS = 0, AA_KIND_WRITE = 1, AA_KIND_READ = 2, AA_KIND_ATOMIC = 3, AA_KIND_REFUSE = 4 };

/* What the translation needs of a request. */
typedef struct aa_lookup {
  uint64_t iova; /* of the first word */
  uint16_t sid;
  bool skip;  /* needs no translation */
  bool intr;  /* a write to FEEx_xxxxh */
  bool write; /* a walk that ends early is fault 5, else 6 */
  bool at;    /* AT is not 00 */
} aa_lookup;

typedef struct aa_req {
  const tlp *t;
  aa_lookup look;
  uint16_t len; /* Length in words, 1..1024 */
  uint8_t kind; /* AA_KIND_... */
  uint8_t bad;  /* AA_ERR_NONE, or what is malformed */
  uint8_t lane; /* 2 * port + non-posted */
  bool old;     /* its port was reset since it came: dropped at its decision */
  bool old_fn;  /* so was its requester id, by AA_RESET */
} aa_req;

/* What byte 0 of a header (fmt and type) says: the kind, and AA_RX_NP for those that go to the lane NP. */
enum { AA_RX_KIND = 7, AA_RX_NP = 8 };
extern const uint8_t aa_rx_type[256];

/* Malformed in what depends on the kind: AA_ERR_NONE or the error. For atomics, and requests of more than one word. */
unsigned aa_rx_check(const uint32_t hdr[4], unsigned kind, unsigned len, uint64_t addr);

/* Limits in words; `bad_form`: beats or payload do not agree with the header. */
static inline void aa_rx_classify(const tlp *t, bool bad_form, unsigned port, unsigned mps_dw, unsigned mrrs_dw,
                                  aa_req *q) {
  uint32_t h0 = t->hdr[0], h1 = t->hdr[1];
  unsigned type = aa_rx_type[h0 >> 24], kind = type & AA_RX_KIND, len = tlp_length(t->hdr), bad = AA_ERR_NONE;
  uint64_t addr = tlp_addr(t->hdr);
  if (kind == AA_KIND_REFUSE) {
    bad = AA_ERR_TYPE;
  } else if (bad_form || t->ndw != ((h0 & 0x40000000u) ? len : 0)) {
    bad = AA_ERR_LENGTH;
  } else if (kind != AA_KIND_PASS) {
    if (kind != AA_KIND_ATOMIC && len > (kind == AA_KIND_WRITE ? mps_dw : mrrs_dw))
      bad = AA_ERR_MAX_SIZE;
    else if (len > 1 || kind == AA_KIND_ATOMIC)
      bad = aa_rx_check(t->hdr, kind, len, addr);
    else if (h1 & 0xf0u)
      bad = AA_ERR_BYTE_EN;
  }
  q->t = t;
  q->look.iova = addr;
  q->look.sid = (uint16_t)(h1 >> 16);
  q->look.skip = bad || kind == AA_KIND_PASS;
  q->look.intr = kind == AA_KIND_WRITE && (addr >> 20) == 0xfeeu;
  q->look.write = kind != AA_KIND_READ;
  q->look.at = (h0 & 0xc00u) != 0;
  q->len = (uint16_t)len;
  q->kind = (uint8_t)kind;
  q->bad = (uint8_t)bad;
  q->lane = (uint8_t)(2 * port + !!(type & AA_RX_NP));
  q->old = q->old_fn = false;
}

/* Beats into packets, one assembler a stream. A beat can end up to two packets: one cut off by a new
 * start, and the new one. */
typedef struct aa_rx {
  tlp t;
  uint8_t *buf;   /* TLP_MAX_BYTES and a beat more */
  unsigned beats; /* of the packet so far */
  bool busy, bad;
} aa_rx;
typedef void aa_rx_sink(void *ctx, const tlp *t, bool bad_form);
void aa_rx_beat(aa_rx *rx, unsigned beat_dw, const aa_beat *b, aa_rx_sink *sink, void *ctx);

#endif
