// SPDX-License-Identifier: Apache-2.0
// aa_msg: a word of memory behind a slow write channel, sources of both sizes; every message lands once, in order, and
// its source hears so. First each source alone, then all at once with idle, back-pressure and late responses. Whose
// message is taken is said in every cycle. What is not valid is anything.
// config: default -GN=3
// config: one -GN=1 -GInFlight=2
// netlist: default
#include <string.h>

#include "tb.h"
#include "aa_msg_tb.h"
#include "turns.h"

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
  turns next;
  unsigned valid;  // what this cycle offers
  bool aw_ready, w_ready, b, error;
} ref;

static void words(uint32_t *to, unsigned src, uint64_t v) { bits_set(to, 64 * src, 64, v); }

static void make(tb *t, msg *m, unsigned src) {
  m->src = src;
  m->bytes = rnd_chance(t, 50) ? 4 : 8;
  m->addr = rnd(t) & ~(uint64_t)(m->bytes - 1);
  m->data = rnd(t);
  m->owner = (unsigned)rnd_bits(t, 7);
}

static void drive(tb *t, dut *d, ref *r, unsigned mask, unsigned offer, unsigned ready, unsigned answer) {
  uint32_t addr[(64 * SRC + 31) / 32] = {0}, data[(64 * SRC + 31) / 32] = {0}, owner[1] = {0};
  unsigned bytes = 0;
  r->valid = 0;
  for (unsigned s = 0; s < SRC; s++) {
    msg *m = &r->offer[s];
    if (!r->has[s]) {
      make(t, m, s);
      r->has[s] = mask >> s & 1 && rnd_chance(t, offer);
    }
    r->valid |= (unsigned)r->has[s] << s;
    bytes |= m->bytes << (4 * s);
    words(addr, s, m->addr);
    words(data, s, m->data);
    bits_set(owner, 7 * s, 7, m->owner);
  }
  dut_set_msg_valid_i(d, r->valid);
  dut_set_msg_bytes_i(d, bytes);
  dut_set_msg_owner_i(d, owner[0]);
#ifdef MSG_ADDR_I_WORDS
  dut_set_msg_addr_i(d, addr);
  dut_set_msg_data_i(d, data);
#else
  dut_set_msg_addr_i(d, bits_get(addr, 0, 64));
  dut_set_msg_data_i(d, bits_get(data, 0, 64));
#endif
  unsigned both = r->aw < r->w ? r->aw : r->w;
  r->aw_ready = rnd_chance(t, ready);
  r->w_ready = rnd_chance(t, ready);
  r->b = r->head < both && rnd_chance(t, answer);
  r->error = rnd_chance(t, 30);
  dut_set_aw_ready_i(d, r->aw_ready);
  dut_set_w_ready_i(d, r->w_ready);
  dut_set_b_valid_i(d, r->b);
  dut_set_b_err_i(d, r->error);
  dut_eval(d);
}

// P1, P2: what was taken is shown from the next cycle on until it has left, aw and w each for itself.
static void channel(tb *t, dut *d, ref *r) {
  CHECK_EQ(t, dut_get_aw_valid_o(d), r->aw < r->tail, "aw_valid_o");
  CHECK_EQ(t, dut_get_w_valid_o(d), r->w < r->tail, "w_valid_o");
  if (r->aw < r->tail) {
    const msg *m = &r->sent[r->aw % QUEUE];
    CHECK_EQ(t, dut_get_aw_addr_o(d), m->addr & 0xffffffffffff, "aw_addr_o");
    CHECK_EQ(t, dut_get_aw_len_o(d), 0, "aw_len_o");
    CHECK_EQ(t, dut_get_aw_owner_o(d), m->owner, "aw_owner_o");
    r->aw += r->aw_ready;
  }
  if (r->w < r->tail) {
    const msg *m = &r->sent[r->w % QUEUE];
    uint32_t beat[W_DATA_O_W / 32];
    dut_get_w_data_o(d, beat);
    unsigned lane = (unsigned)(m->addr % BEAT);
    CHECK_EQ(t, dut_get_w_strb_o(d), ((1ull << m->bytes) - 1) << lane, "w_strb_o");
    CHECK_EQ(t, bits_get(beat, 8 * lane, 8 * m->bytes), m->bytes == 8 ? m->data : m->data & 0xffffffff, "w_data_o");
    CHECK_EQ(t, dut_get_w_last_o(d), 1, "w_last_o");
    r->w += r->w_ready;
  }
}

// P4, P5: a message is taken when nothing waits to leave and fewer than InFlight lack their responses.
static int taken(tb *t, dut *d, ref *r) {
  bool room = r->aw == r->tail && r->w == r->tail && r->tail - r->head < P_InFlight;
  int who = turn_of(&r->next, r->valid);
  CHECK_EQ(t, dut_get_msg_ready_o(d), room && who >= 0 ? 1u << who : 0, "msg_ready_o for valid %x", r->valid);
  turn_passed(&r->next, who, room);
  return room ? who : -1;
}

static void cycle(tb *t, dut *d, ref *r, unsigned mask, unsigned offer, unsigned ready, unsigned answer) {
  drive(t, d, r, mask, offer, ready, answer);
  CHECK_EQ(t, dut_get_msg_done_o(d), r->b ? 1u << r->sent[r->head % QUEUE].src : 0, "msg_done_o");
  if (r->b) CHECK_EQ(t, dut_get_msg_fail_o(d), r->error, "msg_fail_o");
  int who = taken(t, d, r);
  channel(t, d, r);
  for (unsigned s = 0; s < SRC; s++) {
    if (who == (int)s) {
      r->sent[r->tail++ % QUEUE] = r->offer[s];
      r->has[s] = false;
      r->waited[s] = 0;
    } else if (who >= 0 && r->has[s]) {
      r->waited[s]++;
      CHECK(t, r->waited[s] < SRC, "source %u waits for %u others", s, r->waited[s]);
    }
  }
  r->head += r->b;
  dut_tick(d);
}

static void reset(dut *d, ref *r) {
  dut_reset(d, 1);
  memset(r, 0, sizeof *r);
  r->next.n = SRC;
}

int main(int argc, char **argv) {
  static ref r;
  tb t;
  tb_init(&t, argc, argv, "aa_msg", 20000);
  dut *d = dut_begin(&t);
  reset(d, &r);
  for (unsigned s = 0; s < SRC; s++) {
    unsigned before = r.tail;
    for (unsigned i = 0; i < 40; i++) cycle(&t, d, &r, 1u << s, 100, 100, 100);
    CHECK(&t, r.tail - before >= 18, "source %u alone: %u messages in 40 cycles", s, r.tail - before);
  }
  while (dut_cycle(d) < t.cycles) {
    unsigned offer = (unsigned)rnd_below(&t, 101), ready = 5 + (unsigned)rnd_below(&t, 96),
             answer = 5 + (unsigned)rnd_below(&t, 96);
    for (unsigned i = 0; i < 200; i++) cycle(&t, d, &r, ~0u, offer, ready, answer);
    if (!rnd_chance(&t, 20)) continue;
    drive(&t, d, &r, ~0u, offer, ready, answer);  // a reset comes in the middle of anything
    reset(d, &r);
  }
  for (unsigned i = 0; i < 100 + 20 * SRC; i++) cycle(&t, d, &r, 0, 0, 100, 100);
  CHECK(&t, r.head == r.tail, "%u messages without a response", r.tail - r.head);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
