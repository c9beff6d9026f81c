// SPDX-License-Identifier: Apache-2.0
/* aa_rx: beats become packets, packets become requests; everything malformed is found here, before anything has happened. */
#ifndef TOCSIN_AA_RX_H
#define TOCSIN_AA_RX_H

#include "tocsin/aa.h"

enum { AA_KIND_PASS = 0, AA_KIND_WRITE = 1, AA_KIND_READ = 2, AA_KIND_ATOMIC = 3, AA_KIND_REFUSE = 4 };

/* What the translation needs of a request. */
typedef struct aa_look {
  uint64_t iova; /* of the first word */
  uint16_t sid;
  bool skip;  /* needs no translation */
  bool intr;  /* a write to FEEx_xxxxh */
  bool write; /* a walk that ends early is fault 5, else 6 */
  bool at;    /* AT is not 00 */
} aa_look;

typedef struct aa_req {
  const tlp *t;
  aa_look look;
  uint16_t len; /* Length in words, 1..1024 */
  uint8_t kind; /* AA_KIND_... */
  uint8_t bad;  /* AA_ERR_NONE, or what is malformed */
  uint8_t lane; /* 2 * port + non-posted */
} aa_req;

/* Limits in words; `bad_form`: beats or payload do not agree with the header. */
void aa_rx_classify(const tlp *t, bool bad_form, unsigned port, unsigned mps_dw, unsigned mrrs_dw, aa_req *q);

/* Beats into packets, one assembler a stream. A beat can end up to two packets: one cut off by a new start, and the new one. */
typedef struct aa_rx {
  tlp t;
  uint8_t *buf;   /* TLP_MAX_BYTES and a beat more */
  unsigned beats; /* of the packet so far */
  bool busy, bad;
} aa_rx;
typedef void aa_rx_sink(void *ctx, const tlp *t, bool bad_form);
void aa_rx_beat(aa_rx *rx, unsigned beat_dw, const aa_beat *b, aa_rx_sink *sink, void *ctx);

#endif
