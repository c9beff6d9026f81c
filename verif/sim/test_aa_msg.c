// SPDX-License-Identifier: Apache-2.0
// aa_msg: a word of memory behind a slow write channel, sources of both sizes; every message lands once, in order, and
// its source hears so. First each source alone, then all at once with idle, back-pressure and late responses.
// config: default -GN=3
// config: one -GN=1 -GInFlight=2
// netlist: default
#include <string.h>

#include "tb.h"
#include "aa_msg_tb.h"

enum { SRC = P_N, QUEUE = 64, BEAT = W_STRB_O_W };

typedef struct msg {
  uint64_t addr, data;
  unsigned bytes, src, owner;
} msg;

typedef struct ref {
  msg offer[SRC];
  bool has[SRC];
  msg sent[QUEUE];  // taken, not answered
  unsigned head, aw, w, tail, waited[SRC];
} ref;

static void words(uint32_t *to, unsigned src, uint64_t v) { bits_set(to, 64 * src, 64, v); }

static void cycle(tb *t, dut *d, ref *r, unsigned mask, unsigned offer, unsigned ready, unsigned answer) {
  uint32_t addr[(64 * SRC + 31) / 32] = {0}, data[(64 * SRC + 31) / 32] = {0}, owner[1] = {0};
  unsigned valid = 0, bytes = 0;
  for (unsigned s = 0; s < SRC; s++) {
    if (!r->has[s] && mask >> s & 1 && rnd_chance(t, offer)) {
      msg *m = &r->offer[s];
      r->has[s] = true;
      m->src = s;
      m->bytes = rnd_chance(t, 50) ? 4 : 8;
      m->addr = rnd(t) & ~(uint64_t)(m->bytes - 1);
      m->data = rnd(t);
      m->owner = (unsigned)rnd_bits(t, 7);
    }
    if (r->has[s]) {
      valid |= 1u << s;
      bytes |= r->offer[s].bytes << (4 * s);
      words(addr, s, r->offer[s].addr);
      words(data, s, r->offer[s].data);
      bits_set(owner, 7 * s, 7, r->offer[s].owner);
    }
  }
  dut_set_msg_valid_i(d, valid);
  dut_set_msg_bytes_i(d, bytes);
  dut_set_msg_owner_i(d, owner[0]);
#ifdef MSG_ADDR_I_WORDS
  dut_set_msg_addr_i(d, addr);
  dut_set_msg_data_i(d, data);
#else
  dut_set_msg_addr_i(d, bits_get(addr, 0, 64));
  dut_set_msg_data_i(d, bits_get(data, 0, 64));
#endif
  bool aw_ready = rnd_chance(t, ready), w_ready = rnd_chance(t, ready);
  unsigned both = r->aw < r->w ? r->aw : r->w;
  bool b = r->head < both && rnd_chance(t, answer);
  dut_set_aw_ready_i(d, aw_ready);
  dut_set_w_ready_i(d, w_ready);
  dut_set_b_valid_i(d, b);
  bool error = rnd_chance(t, 30);
  dut_set_b_err_i(d, error);
  dut_eval(d);

  unsigned got = (unsigned)dut_get_msg_ready_o(d);
  CHECK(t, (got & ~valid) == 0 && (got & (got - 1)) == 0, "ready %x for valid %x", got, valid);
  CHECK_EQ(t, dut_get_msg_done_o(d), b ? 1u << r->sent[r->head % QUEUE].src : 0, "msg_done_o");
  if (b) CHECK_EQ(t, dut_get_msg_fail_o(d), error, "msg_fail_o");
  if (dut_get_aw_valid_o(d)) {
    CHECK(t, r->aw < r->tail, "aw without a message");
    CHECK_EQ(t, dut_get_aw_addr_o(d), r->sent[r->aw % QUEUE].addr, "aw_addr_o");
    CHECK_EQ(t, dut_get_aw_len_o(d), 0, "aw_len_o");
    CHECK_EQ(t, dut_get_aw_owner_o(d), r->sent[r->aw % QUEUE].owner, "aw_owner_o");
    r->aw += aw_ready;
  }
  if (dut_get_w_valid_o(d)) {
    uint32_t beat[W_DATA_O_W / 32];
    const msg *m = &r->sent[r->w % QUEUE];
    CHECK(t, r->w < r->tail, "w without a message");
    dut_get_w_data_o(d, beat);
    unsigned lane = (unsigned)(m->addr % BEAT);
    CHECK_EQ(t, dut_get_w_strb_o(d), ((1ull << m->bytes) - 1) << lane, "w_strb_o");
    CHECK_EQ(t, bits_get(beat, 8 * lane, 8 * m->bytes), m->bytes == 8 ? m->data : m->data & 0xffffffff, "w_data_o");
    CHECK_EQ(t, dut_get_w_last_o(d), 1, "w_last_o");
    r->w += w_ready;
  }
  for (unsigned s = 0; s < SRC; s++) {
    if (got >> s & 1) {
      r->sent[r->tail++ % QUEUE] = r->offer[s];
      r->has[s] = false;
      r->waited[s] = 0;
    } else if (got && r->has[s]) {
      r->waited[s]++;
      CHECK(t, r->waited[s] < SRC, "source %u waits for %u others", s, r->waited[s]);
    }
  }
  if (b) r->head++;
  CHECK(t, r->tail - r->head <= P_InFlight, "%u in flight", r->tail - r->head);
  dut_tick(d);
}

int main(int argc, char **argv) {
  static ref r;
  tb t;
  tb_init(&t, argc, argv, "aa_msg", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  for (unsigned s = 0; s < SRC; s++) {
    unsigned before = r.tail;
    for (unsigned i = 0; i < 40; i++) cycle(&t, d, &r, 1u << s, 100, 100, 100);
    CHECK(&t, r.tail - before >= 18, "source %u alone: %u messages in 40 cycles", s, r.tail - before);
  }
  while (dut_cycle(d) < t.cycles) {
    unsigned offer = (unsigned)rnd_below(&t, 101), ready = 5 + (unsigned)rnd_below(&t, 96),
             answer = 5 + (unsigned)rnd_below(&t, 96);
    for (unsigned i = 0; i < 200; i++) cycle(&t, d, &r, ~0u, offer, ready, answer);
  }
  for (unsigned i = 0; i < 100 + 20 * SRC; i++) cycle(&t, d, &r, 0, 0, 100, 100);
  CHECK(&t, r.head == r.tail, "%u messages without a response", r.tail - r.head);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
