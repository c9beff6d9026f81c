// SPDX-License-Identifier: Apache-2.0
// nic_ack: answers repeated step by step over a row of random requests, against a sentence-by-sentence reading of the specification.
// config: default +define+TOCSIN_DATA_W=128
#include "aa_fields.h"
#include "tb.h"
#include "nic_ack_tb.h"

#define M24 0xFFFFFFu
enum { KindWrite, KindRead, KindAtomic };

typedef struct request {
  unsigned kind, packets, total;
} request;

int main(int argc, char **argv) {
  unsigned seen[16] = {0};
  tb t;
  tb_init(&t, argc, argv, "nic_ack", 30000);
  dut *d = dut_begin(&t);
  for (uint64_t n = 0; n < t.cycles; n++) {
    // A row of requests from `first` on, una in the oldest of them, max in the last.
    request r[4];
    unsigned code = 1 + (unsigned)rnd_below(&t, 5), mtu = 128u << code, all = 0;
    for (unsigned i = 0; i < 4; i++) {
      r[i].kind = (unsigned)rnd_below(&t, 3);
      r[i].packets = r[i].kind == KindAtomic ? 1 : 1 + (unsigned)rnd_below(&t, 4);
      r[i].total =
          r[i].kind == KindAtomic ? 8 : (r[i].packets - 1) * mtu + (unsigned)rnd_below(&t, mtu) + (r[i].packets > 1);
      all += r[i].packets;
    }
    unsigned start = (unsigned)rnd_bits(&t, 24), at = (unsigned)rnd_below(&t, r[0].packets),
             max = at + (unsigned)rnd_below(&t, all - at + 1);
    unsigned psn = (unsigned)rnd_below(&t, all + 2), op = 0x0D + (unsigned)rnd_below(&t, 6),
             syndrome = (unsigned)rnd_bits(&t, 8);
    if (rnd_chance(&t, 70)) syndrome = (unsigned)rnd_below(&t, 4) << 5 | (unsigned)rnd_below(&t, 6);
    bool on = rnd_chance(&t, 95), waits = rnd_chance(&t, 20), asked = rnd_chance(&t, 30);
    bool read = op <= 0x10, ack = op == 0x11 && syndrome >> 5 == 0, rnr = op == 0x11 && syndrome >> 5 == 1,
         nak = op == 0x11 && syndrome >> 5 == 3;

    // What must become of it.
    unsigned una = at, oldest = 0, begin = 0, verdict = NIC_K_FrStale, bytes = (unsigned)rnd_below(&t, mtu + 1);
    bool live = on && psn >= at && psn < max && (read || op == 0x12 || ack || rnr || nak), take = false,
         waiting = waits, again = asked;
    if (live) {
      unsigned upto = ack ? psn + 1 : psn;
      while (una < upto && r[oldest].kind == KindWrite) {  // acknowledges all before it, but no read or atomic
        unsigned end = begin + r[oldest].packets;
        una = end <= upto ? end : upto;
        if (una == end) begin = end, oldest++;
      }
      if (una != at) waiting = again = false;
      unsigned rest = oldest < 4 ? r[oldest].total - (una - begin) * mtu : 0, due = rest < mtu ? rest : mtu;
      if (una == psn && read && rnd_chance(&t, 70)) bytes = due;
      if (op == 0x12) bytes = 0;
      if (una < upto)
        verdict = again ? NIC_K_FrStale : NIC_K_FrBack;
      else if (ack)
        verdict = NIC_K_FrAnswer;
      else if (read ? r[oldest].kind == KindRead && bytes == due : op == 0x12 && r[oldest].kind == KindAtomic) {
        take = true;
        verdict = NIC_K_FrAnswer;
        if (++una == begin + r[oldest].packets) begin = una, oldest++;
      } else if (rnr || (nak && (syndrome & 31) == 0))
        verdict = waiting || (nak && again) ? NIC_K_FrStale : NIC_K_FrBack;
      else if (nak)
        verdict = NIC_K_FrEnd;
    }

    // What does.
    unsigned u = at, o = 0, b = 0, steps = 0;
    bool w = waits, a = asked, took = false;
    for (bool more = true; more && steps < 6; steps++) {
      dut_set_psn_i(d, (start + psn) & M24);
      dut_set_op_i(d, op);
      dut_set_syndrome_i(d, syndrome);
      dut_set_bytes_i(d, bytes);
      dut_set_on_i(d, on);
      dut_set_wait_i(d, w);
      dut_set_asked_i(d, a);
      dut_set_again_i(d, steps != 0);
      dut_set_mtu_i(d, code);
      dut_set_una_i(d, (start + u) & M24);
      dut_set_sent_i(d, (start + max) & M24);
      dut_set_first_i(d, (start + b) & M24);
      dut_set_read_i(d, r[o & 3].kind == KindRead);
      dut_set_atomic_i(d, r[o & 3].kind == KindAtomic);
      dut_set_packets_i(d, r[o & 3].packets);
      dut_set_total_i(d, r[o & 3].total);
      dut_eval(d);
      unsigned next = (unsigned)(dut_get_una_o(d) - start) & M24;
      if (next != u) w = a = false;
      if (dut_get_take_o(d)) {
        took = true;
        CHECK_EQ(&t, dut_get_offset_o(d), (u - b) * mtu, "place of the answer");
      }
      u = next;
      if (dut_get_done_o(d)) b = u, o++;
      more = dut_get_more_o(d);
    }
    CHECK_EQ(&t, u, una, "oldest PSN not acknowledged (opcode %02x syndrome %02x PSN +%u of +%u to +%u)", op, syndrome,
             psn, at, max);
    CHECK_EQ(&t, o, oldest, "requests that are finished");
    CHECK_EQ(&t, took, take, "answer taken");
    CHECK_EQ(&t, dut_get_code_o(d), verdict, "verdict (opcode %02x syndrome %02x)", op, syndrome);
    CHECK_EQ(&t, dut_get_end_o(d), verdict == NIC_K_FrEnd, "end");
    CHECK_EQ(&t, dut_get_rnr_o(d) || dut_get_back_o(d), verdict == NIC_K_FrBack, "back or wait");
    if (verdict == NIC_K_FrBack) CHECK_EQ(&t, dut_get_rnr_o(d), rnr && u == psn, "wait");
    if (verdict == NIC_K_FrEnd)
      CHECK_EQ(&t, dut_get_status_o(d), (syndrome & 31) < 4 ? 4 + (syndrome & 31) : 8, "status");
    seen[verdict]++;
  }
  CHECK(&t,
        seen[NIC_K_FrStale] > 100 && seen[NIC_K_FrAnswer] > 100 && seen[NIC_K_FrBack] > 100 && seen[NIC_K_FrEnd] > 100,
        "verdicts");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
