// SPDX-License-Identifier: Apache-2.0
// Who sends what to whom, and what has to come of it.
#include "mix.h"
#include "xrun.h"

// ---- chunks ---------------------------------------------------------------------------------------------------------

// No chunk is shorter than a packet of the wire can be.
unsigned x_chunks(const xrun *r, uint64_t bytes) {
  uint64_t most = bytes / X_MTU;
  return most < 2 ? 1 : most < r->parts ? (unsigned)most : r->parts;
}

void x_chunk(const xrun *r, uint64_t bytes, unsigned n, uint64_t *at, uint64_t *size) {
  const uint64_t chunks = x_chunks(r, bytes), lines = bytes / X_LINE;
  *at = lines * n / chunks * X_LINE;
  *size = (n + 1 == chunks ? bytes : lines * (n + 1) / chunks * X_LINE) - *at;
}

// ---- steps ----------------------------------------------------------------------------------------------------------

// Process 1 to process 0; accumulates are acknowledged.
static unsigned pair(const xrun *r, unsigned me, x_step *s) {
  s[0] = me ? (x_step){.to = 0, .from = -1, .adds = true, .send_bytes = r->bytes}
            : (x_step){.to = -1, .from = 1, .adds = true, .recv_bytes = r->bytes};
  s[1] = me ? (x_step){.to = -1, .from = 0, .whole = true, .recv_at = r->bytes, .recv_bytes = 8}
            : (x_step){.to = 1, .from = -1, .whole = true, .send_at = r->bytes, .send_bytes = 8};
  return r->what == X_AS_ACCUMULATE ? 2 : 1;
}

// The n-th of `of` pieces, in whole elements.
static void piece(const xrun *r, unsigned n, uint64_t *at, uint64_t *bytes) {
  const uint64_t elements = r->bytes / 8, of = r->procs;
  *at = elements * n / of * 8;
  *bytes = elements * (n + 1) / of * 8 - *at;
}

static unsigned ring(const xrun *r, unsigned me, x_step *s) {
  const unsigned n = r->procs;
  for (unsigned k = 0; k < 2 * (n - 1); k++) {
    const unsigned sends = (me + 2 * n - k) % n;  // gathering begins one further: with what the last step has made
    s[k] = (x_step){.to = (int)((me + 1) % n), .from = (int)((me + n - 1) % n), .adds = k < n - 1};
    piece(r, sends, &s[k].send_at, &s[k].send_bytes);
    piece(r, (sends + n - 1) % n, &s[k].recv_at, &s[k].recv_bytes);
  }
  return 2 * (n - 1);
}

// Halves are exchanged with further and further processes, and gathered the other way round.
static unsigned halving(const xrun *r, unsigned me, x_step *s) {
  uint64_t first = 0, last = r->bytes / 8;
  unsigned k = 0, steps = 0;
  for (unsigned d = r->procs / 2; d; d /= 2) steps++;
  for (unsigned d = r->procs / 2; d; d /= 2, k++) {
    const uint64_t middle = first + (last - first) / 2;
    const bool high = me & d;
    const uint64_t give = high ? first : middle, keep = high ? middle : first;
    const uint64_t gives = high ? middle - first : last - middle, keeps = last - first - gives;
    s[k] = (x_step){.to = (int)(me ^ d), .from = (int)(me ^ d), .adds = true, .whole = true};
    s[k].send_at = 8 * give, s[k].send_bytes = 8 * gives, s[k].recv_at = 8 * keep, s[k].recv_bytes = 8 * keeps;
    s[2 * steps - 1 - k] = (x_step){.to = s[k].to, .from = s[k].from, .whole = true};
    x_step *back = &s[2 * steps - 1 - k];
    back->send_at = s[k].recv_at, back->send_bytes = s[k].recv_bytes, back->recv_at = s[k].send_at,
    back->recv_bytes = s[k].send_bytes;
    first = keep;
    last = keep + keeps;
  }
  return 2 * steps;
}

unsigned x_schedule(const xrun *r, unsigned me, x_step *s) {
  return r->what == X_AS_RING ? ring(r, me, s) : r->what == X_AS_HALVING ? halving(r, me, s) : pair(r, me, s);
}

// Room for the longest piece that any process gets in this step, so that all of them lay their areas out alike.
static uint64_t room(const xrun *r, unsigned step) {
  const uint64_t longest = r->what == X_AS_RING      ? r->bytes / r->procs + 8
                           : r->what == X_AS_HALVING ? (r->bytes >> (step + 1)) + 8
                                                     : r->bytes;
  return (longest + X_LINE - 1) / X_LINE * X_LINE;
}

uint64_t x_stage(const xrun *r, x_step *s, unsigned steps) {
  uint64_t at = 0;
  for (unsigned k = 0; k < steps && s[k].adds; k++) {
    s[k].stage_at = at;
    at += room(r, k);
  }
  return at;
}

// ---- the result -----------------------------------------------------------------------------------------------------

// Element i of process p is base(i) + mark(p) * slope(i), so that a sum says in one multiplication whose
// elements are in it.
static uint64_t base(const xrun *r, uint64_t i) { return app_mix(r->seed ^ i); }
static uint64_t slope(const xrun *r, uint64_t i) { return app_mix(r->seed + (i | 1ull << 40)) | 1; }
static uint64_t mark(const xrun *r, unsigned p) { return app_mix(r->seed + (p | 1ull << 50)); }
static uint64_t element(const xrun *r, unsigned p, uint64_t i) { return base(r, i) + mark(r, p) * slope(r, i); }

void x_fill(const xrun *r, unsigned me, uint64_t *v) {
  for (uint64_t i = 0; i < r->bytes / 8; i++) v[i] = element(r, me, i);
}

uint64_t x_wrong(const xrun *r, unsigned me, const uint64_t *v, uint64_t *digest) {
  const bool pair = r->what == X_AS_ACCUMULATE || r->what == X_AS_REDUCE;
  uint64_t marks = 0, wrong = 0, times = 1;
  for (unsigned p = 0; p < r->procs; p++) marks += mark(r, p);
  for (unsigned k = 1; k < r->rounds; k++) times *= r->procs;  // a sum of sums, each time
  for (uint64_t i = 0; i < r->bytes / 8; i++) {
    uint64_t want = pair ? element(r, me, i) + (me ? 0 : r->rounds * element(r, 1, i))
                         : times * (r->procs * base(r, i) + marks * slope(r, i));
    wrong += v[i] != want;
    *digest += app_mix(v[i] ^ app_mix(i + ((uint64_t)me << 40)));
  }
  return wrong;
}
