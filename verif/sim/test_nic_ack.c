// SPDX-License-Identifier: Apache-2.0
// nic_ack: answers repeated step by step over a row of random requests, against a sentence-by-sentence reading of the
// specification.
// Rules of rtl/nic/README.md: REQ-7, REQ-8, REQ-9, REQ-10, REQ-11, REQ-12.
// config: default +define+TOCSIN_DATA_W=128
// netlist: default
#include "aa_fields.h"
#include "tb.h"
#include "nic_ack_tb.h"

#define M24 0xFFFFFFu
enum { KindWrite, KindRead, KindAtomic };

typedef struct request {
  unsigned kind, packets, total;
} request;

// An answer to a row of requests, una in the oldest of them, max in the last; and what must become of it.
typedef struct {
  request r[4];
  unsigned code, mtu, start, at, max, psn, op, syndrome, bytes;
  bool on, waits, asked, read, ack, rnr, nak;
  unsigned una, oldest, begin, verdict, steps;
  bool take;
} answer;

// The last packet of a request: full, all but, a few bytes or any number; the only one may also be empty.
static unsigned last_bytes(tb *t, unsigned mtu, bool only) {
  unsigned least = only ? 0 : 1, n = (unsigned)rnd_below(t, 4);
  if (n == 0) return mtu - (unsigned)rnd_below(t, 2);
  return least + (unsigned)rnd_below(t, n == 1 ? 4 : mtu - least + 1);
}

// Of few packets, or as long as 2^31 bytes and four in a window of 2^23 PSNs can be.
static request any_request(tb *t, unsigned mtu) {
  request r = {.kind = (unsigned)rnd_below(t, 3), .packets = 1, .total = 8};
  if (r.kind == KindAtomic) return r;
  unsigned bits = rnd_chance(t, 50) ? 2 : 1 + (unsigned)rnd_below(t, 21);
  r.packets = 1 + (unsigned)rnd_bits(t, bits);
  if (rnd_chance(t, 20)) r.packets = 1u << bits;  // all its bits count
  unsigned most = (1u << 31) / mtu < 1u << 21 ? (1u << 31) / mtu : 1u << 21;
  if (r.packets > most) r.packets = most;
  r.total = (r.packets - 1) * mtu + last_bytes(t, mtu, r.packets == 1);
  return r;
}

// A PSN beside where a request begins, or anywhere.
static unsigned any_psn(tb *t, const answer *x, unsigned packets) {
  unsigned at = x->at, n = (unsigned)rnd_below(t, 5);
  if (rnd_chance(t, 20)) return (unsigned)rnd_below(t, packets + 2);
  if (n) at = 0;
  for (unsigned i = 0; i < n; i++) at += x->r[i].packets;
  at += (unsigned)rnd_below(t, 4);
  return at ? at - 1 : 0;
}

static void make(tb *t, answer *x) {
  x->code = 1 + (unsigned)rnd_below(t, 5);
  x->mtu = 128u << x->code;
  unsigned packets = 0;
  for (unsigned i = 0; i < 4; i++) {
    x->r[i] = any_request(t, x->mtu);
    packets += x->r[i].packets;
  }
  x->start = (unsigned)rnd_bits(t, 24);
  x->at = rnd_chance(t, 30) ? x->r[0].packets - 1 : (unsigned)rnd_below(t, x->r[0].packets);
  x->max = rnd_chance(t, 60) ? packets : x->at + (unsigned)rnd_below(t, packets - x->at + 1);
  x->psn = any_psn(t, x, packets);
  x->op = rnd_chance(t, 30) ? 0x11 : 0x0D + (unsigned)rnd_below(t, 6);
  if (x->r[0].kind == KindWrite && rnd_chance(t, 30)) x->psn = x->r[0].packets - 1, x->op = 0x11;  // of its end
  if (x->r[0].kind != KindWrite && rnd_chance(t, 40))  // the answer that is due
    x->psn = x->at, x->op = x->r[0].kind == KindAtomic ? 0x12 : 0x0D + (unsigned)rnd_below(t, 4);
  x->syndrome = (unsigned)rnd_bits(t, 8);
  if (rnd_chance(t, 70))
    x->syndrome = (unsigned)rnd_below(t, 4) << 5 | (rnd_chance(t, 50) ? 0 : (unsigned)rnd_below(t, 6));
  x->on = rnd_chance(t, 95);
  x->waits = rnd_chance(t, 30);
  x->asked = rnd_chance(t, 30);
  x->read = x->op <= 0x10;
  x->ack = x->op == 0x11 && x->syndrome >> 5 == 0;
  x->rnr = x->op == 0x11 && x->syndrome >> 5 == 1;
  x->nak = x->op == 0x11 && x->syndrome >> 5 == 3;
}

static void must_become(tb *t, answer *x) {
  x->una = x->at;
  x->oldest = x->begin = 0;
  x->verdict = NIC_K_FrStale;
  x->bytes = (unsigned)rnd_below(t, x->mtu + 1);
  x->take = false;
  x->steps = 0;
  bool live = x->on && x->psn >= x->at && x->psn < x->max && (x->read || x->op == 0x12 || x->ack || x->rnr || x->nak),
       waiting = x->waits, again = x->asked;
  if (live) {
    unsigned upto = x->ack ? x->psn + 1 : x->psn;
    while (x->una < upto && x->r[x->oldest].kind == KindWrite) {  // acknowledges all before it, but no read or atomic
      unsigned end = x->begin + x->r[x->oldest].packets;
      x->una = end <= upto ? end : upto;
      if (x->una == end) x->begin = end, x->oldest++;
      x->steps++;
    }
    x->steps += !x->ack || x->una < upto || x->steps == 0;  // the last step of an ACK has its verdict as well
    if (x->una != x->at) waiting = again = false;
    unsigned rest = x->oldest < 4 ? x->r[x->oldest].total - (x->una - x->begin) * x->mtu : 0,
             due = rest < x->mtu ? rest : x->mtu;
    if (x->una == x->psn && x->read && rnd_chance(t, 70)) x->bytes = due;
    if (x->op == 0x12) x->bytes = rnd_chance(t, 80) ? 0 : 1u << rnd_below(t, 13);
    if (x->una < upto)
      x->verdict = again ? NIC_K_FrStale : NIC_K_FrBack;
    else if (x->ack)
      x->verdict = NIC_K_FrAnswer;
    else if (x->read ? x->r[x->oldest].kind == KindRead && x->bytes == due
                     : x->op == 0x12 && x->r[x->oldest].kind == KindAtomic && x->bytes == 0) {
      x->take = true;
      x->verdict = NIC_K_FrAnswer;
      if (++x->una == x->begin + x->r[x->oldest].packets) x->begin = x->una, x->oldest++;
    } else if (x->rnr || (x->nak && (x->syndrome & 31) == 0))
      x->verdict = waiting || (x->nak && again) ? NIC_K_FrStale : NIC_K_FrBack;
    else if (x->nak)
      x->verdict = NIC_K_FrEnd;
  } else {
    x->steps = 1;
  }
}

static void becomes(tb *t, dut *d, const answer *x) {
  unsigned u = x->at, o = 0, b = 0, steps = 0;
  bool w = x->waits, a = x->asked, took = false;
  for (bool more = true; more && steps < 6; steps++) {
    unsigned upto = x->psn + (x->op == 0x11 && !(x->syndrome >> 5));
    dut_set_upto_i(d, (x->start + upto) & M24);
    unsigned offset = ((u - b) & M24) * x->mtu;
    dut_set_there_i(d, upto == u);
    dut_set_span_i(d, (upto - b) & M24);
    dut_set_nth_i(d, (u - b + 1) & M24);
    dut_set_full_i(d, x->bytes == x->mtu);
    dut_set_ends_i(d, offset + x->bytes);
    dut_set_whole_i(d, offset + x->mtu);
    // A further step is of an answer that was under way; whether it is now does not count.
    bool under = ((x->psn - u) & M24) < ((x->max - u) & M24);
    dut_set_under_i(d, steps ? rnd_bits(t, 1) : under);
    dut_set_op_i(d, x->op);
    dut_set_syndrome_i(d, x->syndrome);
    dut_set_bytes_i(d, x->bytes);
    dut_set_on_i(d, x->on);
    dut_set_wait_i(d, w);
    dut_set_asked_i(d, a);
    dut_set_again_i(d, steps != 0);
    dut_set_una_i(d, (x->start + u) & M24);
    dut_set_first_i(d, (x->start + b) & M24);
    dut_set_read_i(d, x->r[o & 3].kind == KindRead);
    dut_set_atomic_i(d, x->r[o & 3].kind == KindAtomic);
    dut_set_packets_i(d, x->r[o & 3].packets);
    dut_set_total_i(d, x->r[o & 3].total);
    dut_eval(d);
    unsigned next = (unsigned)(dut_get_una_o(d) - x->start) & M24;
    CHECK_EQ(t, dut_get_moved_o(d), next != u, "moved (opcode %02x PSN +%u of +%u)", x->op, x->psn, u);
    if (next != u) w = a = false;
    took = dut_get_take_o(d);
    u = next;
    if (dut_get_done_o(d)) b = u, o++;
    more = dut_get_more_o(d);
    CHECK(t, !more || !(took || dut_get_back_o(d) || dut_get_rnr_o(d) || dut_get_end_o(d)),
          "a verdict before the last step");
  }
  CHECK_EQ(t, u, x->una, "oldest PSN not acknowledged (opcode %02x syndrome %02x PSN +%u of +%u to +%u)", x->op,
           x->syndrome, x->psn, x->at, x->max);
  CHECK_EQ(t, o, x->oldest, "requests that are finished");
  CHECK_EQ(t, took, x->take, "answer taken");
  CHECK_EQ(t, steps, x->steps, "steps (opcode %02x PSN +%u of +%u)", x->op, x->psn, x->at);
  CHECK_EQ(t, dut_get_code_o(d), x->verdict, "verdict (opcode %02x syndrome %02x)", x->op, x->syndrome);
  CHECK_EQ(t, dut_get_end_o(d), x->verdict == NIC_K_FrEnd, "end");
  CHECK_EQ(t, dut_get_rnr_o(d) || dut_get_back_o(d), x->verdict == NIC_K_FrBack, "back or wait");
  if (x->verdict == NIC_K_FrBack) CHECK_EQ(t, dut_get_rnr_o(d), x->rnr && u == x->psn, "wait");
  if (x->verdict == NIC_K_FrEnd)
    CHECK_EQ(t, dut_get_status_o(d), (x->syndrome & 31) < 4 ? 4 + (x->syndrome & 31) : 8, "status");
}

int main(int argc, char **argv) {
  unsigned seen[16] = {0};
  tb t;
  tb_init(&t, argc, argv, "nic_ack", 30000);
  dut *d = dut_begin(&t);
  for (uint64_t n = 0; n < t.cycles; n++) {
    answer x;
    make(&t, &x);
    must_become(&t, &x);
    becomes(&t, d, &x);
    seen[x.verdict]++;
  }
  uint64_t need = tb_least(&t, 100);
  CHECK(&t,
        seen[NIC_K_FrStale] > need && seen[NIC_K_FrAnswer] > need && seen[NIC_K_FrBack] > need &&
            seen[NIC_K_FrEnd] > need,
        "verdicts");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
