// SPDX-License-Identifier: Apache-2.0
// Packets on their way through a test bench, queues of them, and random numbers.
#ifndef TOCSIN_COSIM_PKT_H
#define TOCSIN_COSIM_PKT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tocsin/tlp.h"

typedef struct pkt {
  struct pkt *next;
  uint32_t hdr[4];
  uint32_t ndw;    // words of data that are here
  uint32_t room;   // words that fit
  uint32_t strb;   // form: DW strobes of the last beat, 0 = as they should be
  uint16_t beats;  // form: beats sent, 0 = as they should be
  uint8_t seq;
  bool err, nosop, cut;
  bool has_data;   // collected from pins: some beat had a strobe
  uint8_t src;     // who made it (AA_CPL_...), for expected completions
  uint64_t due;    // cycle before which it is not sent
  uint8_t data[];  // 4 * room bytes
} pkt;

pkt *pkt_new(uint32_t room);
void pkt_free(pkt *p);
pkt *pkt_from_tlp(const tlp *t);
void pkt_tlp(const pkt *p, tlp *t);
// One line of text: type, address or tag, length, first bytes.
const char *pkt_text(const pkt *p, char *buf, size_t n);

typedef struct pktq {
  pkt *head, *tail;
  unsigned n;
} pktq;

void pktq_push(pktq *q, pkt *p);
pkt *pktq_pop(pktq *q);  // null when empty
void pktq_clear(pktq *q);

// xoshiro256**, seeded by splitmix64
typedef struct rng {
  uint64_t s[4];
} rng;

static inline uint64_t rng_u64(rng *r) {
  uint64_t *s = r->s, x = s[1] * 5, out = (x << 7 | x >> 57) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = s[3] << 45 | s[3] >> 19;
  return out;
}

static inline void rng_seed(rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = seed += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    r->s[i] = z ^ z >> 31;
  }
}

// 0 .. n-1
static inline uint32_t rng_below(rng *r, uint32_t n) { return (uint32_t)((rng_u64(r) >> 32) * n >> 32); }
// lo .. hi
static inline uint32_t rng_range(rng *r, uint32_t lo, uint32_t hi) { return lo + rng_below(r, hi - lo + 1); }
// true in p of 256 cases
static inline bool rng_p(rng *r, unsigned p) { return (rng_u64(r) >> 56) < p; }
static inline bool rng_1in(rng *r, uint32_t n) { return !rng_below(r, n); }
#endif
