// SPDX-License-Identifier: Apache-2.0
// nic_req: four queue pairs against a peer written from the specification (responder), a wire that loses frames both
// ways, a memory that answers late, and bytes that cannot be read. Each entry must end once, in order, with the status
// that it must have; what it wrote or read must be there when it ends; every place in the event ring is used or given
// back.
// Rules of rtl/nic/README.md: REQ-2, REQ-3, REQ-4, REQ-5, REQ-6, REQ-7, REQ-13, REQ-14, REQ-15, REQ-16, REQ-17, REQ-18,
// REQ-19, REQ-20, ECN-8, ECN-9.
// config: default -GNumQps=4 -GRequests=8 -GWindow=64
// config: small -GNumQps=4 -GRequests=2 -GWindow=16 -GAhead=4 +define+TOCSIN_DATA_W=128
// config: wide -GNumQps=4 -GRequests=4 -GWindow=16 -GAhead=16 +define+TOCSIN_DATA_W=512
// no netlist: 25 s, most of it in Yosys; `make sim BLOCK=nic_req CONFIG=small NETLIST=1` before a release
#include "nic_req_bench.h"

// Waits until a count has gone on by n.
static void await(tb *t, dut *d, const unsigned *count, unsigned was, unsigned n, const char *what) {
  for (unsigned k = 0; k < 20000 && *count - was < n; k++) cycle(t, d);
  CHECK(t, *count - was >= n, what);
}

static void off_and_on(tb *t, dut *d) {
  const unsigned n = 2;
  turn_on(t, d, n, 50, 7, 7, 12);
  post(t, d, n, Write, 5, Done);
  post(t, d, n, Write, 5, LocalRead);
  drain(t, d, 20000);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 50; k++, cycle(t, d)) shows(t, d, n, 2, 51, LocalRead, "after it went off");
  turn_on(t, d, n, 0xABCDE, 7, 7, 12);
  shows(t, d, n, 0, 0xABCDE, 0, "as soon as it is on");
  turn_off(t, d, n);
  for (unsigned k = 0; k < 50; k++, cycle(t, d)) shows(t, d, n, 0, 0xABCDE, 0, "on for one cycle");
}

// Off and on again, so many cycles apart: a place that another context has (CTX-6). What is told of it behind the start
// is where that begins, though what turning off makes of the state before comes then.
static void on_behind_off(tb *t, dut *d) {
  const unsigned n = 2;
  for (unsigned k = 0; k < 40; k++) {
    begin.entry = 5, begin.err = 1, begin.code = RemAccess;
    turn_on(t, d, n, 50, 7, 7, 12);
    for (unsigned i = 0; i < 60; i++) cycle(t, d);
    turn_off(t, d, n);
    for (unsigned i = 0; i < k; i++) cycle(t, d);
    begin.entry = 9, begin.err = begin.code = 0;
    turn_on(t, d, n, 70, 7, 7, 12);
    for (unsigned i = 0; i < 60; i++) cycle(t, d);
    CHECK(t, !told[n].on, "what it begins with has been told");
  }
  turn_off(t, d, n);
  begin.entry = 0;
  for (unsigned i = 0; i < 60; i++) cycle(t, d);
}

// A dead peer and a slow queue pair: a time-out that comes while it is held back counts for nothing, and each packet
// begins the time anew.
static void slow_time(tb *t, dut *d) {
  const unsigned n = 3;
  for (unsigned kind = 0; kind < 2; kind++) {  // 0: held back for long; 1: slow, and never held back
    turn_on(t, d, n, 7, 7, 7, 8);
    q[n].dead = true;
    rate[n].slow = true;
    rate[n].cycles = kind ? 0 : 3000;
    unsigned before = timers, sent = sents;
    post(t, d, n, Write, 5, Timeout);
    // An entry each 200 cycles of 256, as many as may be under way.
    for (unsigned k = 0; k < (kind ? 200 * P_Requests : 2800); k++) {
      if (kind && k % 200 == 199 && k + 1 < 200 * P_Requests) post(t, d, n, Write, 5, Timeout);
      cycle(t, d);
    }
    CHECK_EQ(t, timers, before, "time-outs of a slow queue pair that is %s", kind ? "sending" : "held back");
    CHECK_EQ(t, sents - sent, kind ? P_Requests : 1, "packets of it");
    rate[n].cycles = 0;
    for (unsigned k = 0; k < 1000 && timers == before; k++) cycle(t, d);
    CHECK(t, timers == before + 1, "and then its time-out comes");
    rate[n].slow = rate[n].soon = rate[n].held = false;
    turn_off(t, d, n);
    for (unsigned k = 0; k < 400; k++) cycle(t, d);
    q[n].cons = q[n].seen = q[n].prod;
  }
}

// Packets that have been decided on and cannot leave are not under way, on a queue pair that is fresh
// and on one that goes on.
static void blind(tb *t, dut *d) {
  const unsigned n = 2;
  const uint32_t spsn = 0xFFFFFF;
  static const unsigned kinds[] = {Write, Read, Add};
  turn_on(t, d, n, spsn, 7, 7, 20);
  for (unsigned round = 0; round < 6; round++) {
    unsigned op = kinds[round % 3];
    // In the second half behind a bad end, whose PSN is used again.
    if (round >= 3) {
      post(t, d, n, Write, 5, RemAccess);
      drain(t, d, 20000);
      for (unsigned k = 0; k < 5000; k++) cycle(t, d);
    }
    uint32_t psn = q[n].epsn;
    unsigned sent = sents, stale = answered[NIC_K_FrStale], all = 0, mtu = mtu_of(&q[n]);
    for (unsigned i = 0; i < 16; i++) all += answered[i];
    busy_tx = 0;
    post(t, d, n, op, 5, Done);
    for (unsigned k = 0; k < 1000 && sents == sent; k++) cycle(t, d);
    for (unsigned k = 0; k < 500; k++) cycle(t, d);
    CHECK_EQ(t, sents - sent, 1, "packets decided on");
    answer(t, n, 0x11, psn, 0x1F, 0, NULL, 0);
    answer(t, n, 0x11, psn, 0x60, 0, NULL, 0);
    answer(t, n, 0x11, psn, 0x62, 0, NULL, 0);
    answer(t, n, 0x10, psn, 0x1F, 0, far_mem[n], 5 < mtu ? 5 : mtu);
    answer(t, n, 0x12, psn, 0x1F, 0, NULL, 0);
    for (unsigned k = 0; k < 200; k++) cycle(t, d);
    CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 5, "answers to a packet that has not left");
    CHECK(t, q[n].cons + 1 == q[n].prod, "and nothing has ended");
    busy_tx = 100;
    drain(t, d, 20000);
    unsigned now_all = 0;
    for (unsigned i = 0; i < 16; i++) now_all += answered[i];
    CHECK_EQ(t, now_all - all, 6, "answers, the last of which is true");
  }
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// A packet leaves about when an answer to it is decided on: what has left before the RetFrame is under way,
// what has not is not.
static void as_it_leaves(tb *t, dut *d) {
  const unsigned n = 2;
  unsigned before = 0, behind = 0;
  turn_on(t, d, n, 0xFFFFF0, 7, 7, 20);
  for (unsigned wait = 0; wait < 12; wait++) {
    unsigned taken = answered[NIC_K_FrAnswer], stale = answered[NIC_K_FrStale], sent = sents;
    busy_tx = 0;
    post(t, d, n, Write, 0, Done);
    for (unsigned k = 0; k < 1000 && sents == sent; k++) cycle(t, d);
    for (unsigned k = 0; k < 200; k++) cycle(t, d);
    answer(t, n, 0x11, q[n].epsn, 0x1F, 0, NULL, 0);
    for (unsigned k = 0; k < wait; k++) cycle(t, d);
    bool said = answered[NIC_K_FrAnswer] + answered[NIC_K_FrStale] != taken + stale, left = false;
    busy_tx = 100;
    for (unsigned k = 0; k < 100 && !said; k++) {
      bool was = left;
      cycle(t, d);
      left = left || now_head;
      said = answered[NIC_K_FrAnswer] + answered[NIC_K_FrStale] != taken + stale;
      if (said) left = was;
    }
    CHECK(t, said && answered[NIC_K_FrAnswer] - taken == left, "P7: a packet that has %sleft, and its answer",
          left ? "" : "not ");
    before += left;
    behind += !left;
    drain(t, d, 20000);
    CHECK_EQ(t, answered[NIC_K_FrAnswer] - taken, 1, "answers of it that are taken");
    CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 1, "answers of it that are stale");
  }
  CHECK(t, before && behind, "%u packets left before the answer, %u behind it", before, behind);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// What stopped goes on when what was decided on before has left, and not while it cannot.
static void goes_on(tb *t, dut *d) {
  const unsigned n = 2, at_once = P_Requests < 3 ? P_Requests : 3;
  turn_on(t, d, n, 0x123, 7, 7, 20);
  unsigned sent = sents, left = frames;
  slow_rd = 100;
  for (unsigned k = 0; k < 3; k++) {
    post(t, d, n, Write, 5, k ? Done : RemAccess);
    cycle(t, d);
  }
  await(t, d, &frames, left, 1, "a packet");
  slow_rd = 20;
  busy_tx = 0;
  for (unsigned k = 0; k < 12000; k++) cycle(t, d);  // in which it stops, and software writes 1 to SEND_ERR
  CHECK_EQ(t, q[n].cons, 1, "entries that have ended");
  dut_set_rb_qp_i(d, n);
  dut_eval(d);
  CHECK(t, !dut_get_rb_err_o(d), "it has not been told to go on");
  CHECK_EQ(t, sents - sent, at_once, "packets decided on before the others have left");
  CHECK_EQ(t, frames - left, 1, "packets that have left");
  busy_tx = 100;
  drain(t, d, 20000);
  CHECK(t, frames - left >= 2 + at_once, "%u packets of 3 entries, of which %u go twice", frames - left, at_once - 1);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// A packet of a slow queue pair waits for room for an event, and meanwhile another entry of it comes: the first packet
// holds it back, however soon the next turn could begin.
static void held_behind(tb *t, dut *d) {
  const unsigned n = 1, m = 0;
  turn_on(t, d, m, 0x55, 7, 7, 20);
  turn_on(t, d, n, 0x99, 7, 7, 20);
  no_events = true;
  for (unsigned asked = 0; asked < 4;) {  // as many events as there is room for
    unsigned s = q[m].prod % RING;
    post(t, d, m, Write, 5, Done);
    asked += q[m].e[s].asks;
    for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  }
  rate[n].slow = true;
  rate[n].cycles = 200;
  const unsigned sent = sents;
  for (unsigned e = 0; e < 2; e++) {
    post(t, d, n, Write, 5, Done);
    for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  }
  CHECK_EQ(t, sents, sent, "packets decided on without room for an event");
  no_events = false;
  for (unsigned k = 0; k < 150; k++) cycle(t, d);
  CHECK_EQ(t, sents - sent, 1, "packets of a queue pair that the first one holds back");
  drain(t, d, 20000);
  rate[n].slow = rate[n].soon = rate[n].held = false;
}

// All bytes of a read come while nobody takes events and their queue is full: the entry ends when there is room.
static void read_without_room(tb *t, dut *d) {
  const unsigned n = 1, m = 0, len = 100, left = frames;
  turn_on(t, d, m, 0x55, 7, 7, 20);
  turn_on(t, d, n, 0x99, 7, 7, 20);
  mute = true;
  post(t, d, n, Read, len, Done);
  q[n].e[0].asks = 1;
  mem[RINGS + n * RING * 64 + 1] |= 1;
  await(t, d, &frames, left, 1, "a packet");
  for (unsigned k = 0; k < 100; k++) cycle(t, d);  // the peer has it, and says nothing
  mute = false;
  no_events = true;
  for (unsigned asked = 0; asked < 4;) {  // as many events as there is room for
    const unsigned s = q[m].prod % RING;
    post(t, d, m, Write, 5, Done);
    asked += q[m].e[s].asks;
    for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  }
  answer(t, n, 0x10, 0x99, 0x1F, 0, far_mem[n] + q[n].e[0].rva, len);
  for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  CHECK_EQ(t, q[n].cons, 0, "reads that have ended without room for their event");
  no_events = false;
  drain(t, d, 20000);
  CHECK_EQ(t, q[n].seen, 1, "events of the read");
}

// While the wire takes nothing and packets of others fill all room, an ACK of as many requests as may be under way is
// decided on, a request a cycle, or two at 128 bits.
static void beside(tb *t, dut *d) {
  const unsigned n = 2, left = frames;
  turn_on(t, d, n, 0x777, 7, 7, 20);
  mute = true;
  for (unsigned k = 0; k < P_Requests; k++, cycle(t, d)) post(t, d, n, Write, 5, Done);
  await(t, d, &frames, left, P_Requests, "packets of all requests");
  busy_tx = 0;
  turn_on(t, d, 3, 0x1234, 7, 7, 20);
  for (unsigned o = 0; o < QPS; o++)
    for (unsigned k = 0; o != n && k < P_Requests; k++, cycle(t, d)) post(t, d, o, Write, 6000, Done);
  for (unsigned k = 0; k < 3000; k++) cycle(t, d);
  unsigned took = 0, taken = answered[NIC_K_FrAnswer];
  mute = false;
  answer(t, n, 0x11, 0x777 + P_Requests - 1, 0x1F, 0, NULL, 0);
  for (; took < 1000 && answered[NIC_K_FrAnswer] == taken; took++) cycle(t, d);
  CHECK(t, took <= (BEAT == 16 ? 2 : 1) * P_Requests + 8, "P8: an ACK of %u requests took %u cycles", P_Requests, took);
  for (unsigned k = 0; k < 100; k++) cycle(t, d);
  CHECK_EQ(t, q[n].cons, q[n].prod, "entries that have ended");
  busy_tx = 100;
  drain(t, d, 40000);
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// Two packets leave and are sent again, and memory fails once: those behind vanish without having left, and are sent
// after all. again: it fails where the second one is sent again, and entries that are new wait behind it; else at the
// third one, which was decided on before they were sent again.
static void vanishes(tb *t, dut *d, bool again) {
  const unsigned n = 2, was_lost = lost_tm, stale = answered[NIC_K_FrStale];
  const uint32_t spsn = 0xFFFFFE;
  turn_on(t, d, n, spsn, 7, 7, 20);
  const unsigned mtu = mtu_of(&q[n]), left = frames;
  mute = true;
  post(t, d, n, Write, 5, Done);
  cycle(t, d);
  post(t, d, n, Write, again ? 5 : 2 * mtu + 5, Done);
  torn.va = q[n].e[1].va + (again ? 0 : mtu);
  torn.len = again ? 0 : mtu;
  await(t, d, &frames, left, 2, "two packets");
  busy_tx = 0;
  for (unsigned k = 0; k < 500; k++) cycle(t, d);
  torn.len = again ? 5 : 0;
  mute = false;
  answer(t, n, 0x11, spsn, 0x60, 0, NULL, 0);
  mute = true;
  for (unsigned k = 0; k < 500; k++) cycle(t, d);
  for (unsigned k = 0; again && k < 2; k++) {
    post(t, d, n, Write, 5, Done);
    for (unsigned i = 0; i < 200; i++) cycle(t, d);
  }
  busy_tx = 100;
  await(t, d, &lost_tm, was_lost, 1, "a packet that is lost");
  torn.len = 0;
  // What the peer has seen the first time ends, and what has not left cannot be acknowledged.
  mute = false;
  answer(t, n, 0x11, spsn + 2, 0x1F, 0, NULL, 0);
  if (again) answer(t, n, 0x11, spsn + 1, 0x1F, 0, NULL, 0);
  mute = true;
  for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 1, "answers to a packet that has vanished");
  CHECK_EQ(t, frames - left, again ? 5 : 6, "packets that have left");
  mute = false;
  answer(t, n, 0x11, spsn + 2, 0x1F, 0, NULL, 0);
  answer(t, n, 0x11, spsn + 3, 0x1F, 0, NULL, 0);
  for (unsigned k = 0; k < 1000; k++) cycle(t, d);
  CHECK_EQ(t, answered[NIC_K_FrStale] - stale, 1, "answers to packets that left after all");
  CHECK_EQ(t, q[n].cons, q[n].prod, "entries that have ended");
  turn_off(t, d, n);
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
}

// It goes off at each moment of an entry that cannot be done, and of a time-out.
static void off_while_giving_up(tb *t, dut *d) {
  unsigned n = 2, gave_up = given_up[BadEntry], kept = 0;
  for (unsigned delay = 0; delay < 60; delay++) {
    turn_on(t, d, n, delay, 0, 7, 5);
    for (unsigned k = 0; k < 50; k++) cycle(t, d);
    q[n].dead = delay & 1;
    post(t, d, n, Write, 40, delay & 1 ? Timeout : BadEntry);
    for (unsigned k = 0; k < delay; k++) cycle(t, d);
    unsigned before = quiet;
    turn_off(t, d, n);
    for (unsigned k = 0; k < 400; k++) cycle(t, d);
    CHECK_EQ(t, quiet - before, 1, "RetTimer of a turn off that is done, after %u cycles", delay);
    CHECK_EQ(t, places, 0, "places that nobody gave back, off after %u cycles", delay);
    kept += q[n].seen == q[n].prod;
  }
  CHECK(t, kept > 5 && kept < 55 && given_up[BadEntry] > gave_up, "%u of 60 ended before it went off", kept);
}

// From where it was, 16-bit entries that wrap soon: stopped, until software lets it go on; or not.
static void from_where_it_was(tb *t, dut *d) {
  const unsigned n = 2;
  begin.entry = 0xFFFE;
  begin.err = 1;
  begin.code = RemAccess;
  turn_on(t, d, n, 0x123456, 7, 7, 12);
  shows(t, d, n, 0xFFFE, 0x123456, RemAccess, "as it begins");
  for (unsigned k = 0; k < 200; k++) cycle(t, d);
  shows(t, d, n, 0xFFFE, 0x123456, RemAccess, "later");
  unsigned left = frames, asked = rd_in;
  for (unsigned k = 0; k < 4; k++) post(t, d, n, Write, 300, Done);
  for (unsigned k = 0; k < 500; k++) cycle(t, d);
  CHECK_EQ(t, frames, left, "frames of a requester that is stopped");
  CHECK_EQ(t, rd_in, asked, "reads of a requester that is stopped");
  drain(t, d, 20000);
  dut_set_rb_qp_i(d, n);
  dut_eval(d);
  CHECK(t, dut_get_rb_cons_o(d) == 2 && dut_get_rb_una_o(d) == q[n].epsn && !dut_get_rb_err_o(d), "four entries later");
  begin.err = begin.code = 0;
  turn_on(t, d, n, 0x654321, 7, 7, 12);
  shows(t, d, n, 0xFFFE, 0x654321, 0, "as it begins again");
  for (unsigned k = 0; k < 4; k++) post(t, d, n, k & 1 ? Read : Write, 300, Done);
  drain(t, d, 20000);
  shows(t, d, n, 2, q[n].epsn, 0, "after four more");
  begin.entry = 0;
}

static void random_requests(tb *t, dut *d) {
  // Random, with losses.
  for (unsigned n = 0; n < QPS; n++) {
    begin.entry = rnd_chance(t, 50) ? 0 : (unsigned)rnd_bits(t, 16);
    turn_on(t, d, n, (uint32_t)rnd_bits(t, 24), 7, 7, 11);
  }
  begin.entry = 0;
  for (uint64_t end = dut_cycle(d) + t->cycles; dut_cycle(d) < end;) {
    if (dut_cycle(d) % 4000 == 0) {
      loss = rnd_chance(t, 40) ? 0 : (unsigned)rnd_below(t, 5);
      rnr_percent = rnd_chance(t, 60) ? 0 : (unsigned)rnd_below(t, 10);
      busy_tx = rnd_chance(t, 60) ? 100 : 20 + (unsigned)rnd_below(t, 60);
      slow_rd = rnd_chance(t, 50) ? 5 : 200;
      for (unsigned n = 0; n < QPS; n++) {
        rate[n].slow = rnd_chance(t, 40);
        rate[n].cycles = rnd_chance(t, 20) ? 0 : (unsigned)rnd_below(t, 600);
      }
    }
    unsigned n = (unsigned)rnd_below(t, QPS);
    if (slots(&q[n]) && q[n].prod - q[n].seen < RING && rnd_chance(t, 20)) {
      unsigned want = rnd_chance(t, 96) ? Done : (unsigned)rnd_below(t, 9);
      if (want == Timeout || want == Rnr || want == LocalRead) want = Done;
      unsigned len = rnd_chance(t, 50) ? (unsigned)rnd_below(t, 200) : (unsigned)rnd_below(t, 6000);
      post(t, d, n, want == Done ? (unsigned)rnd_below(t, 6) : Write, len, want);
    }
    cycle(t, d);
  }
}

static void unreadable_entry(tb *t, dut *d) {
  // An entry that cannot be read: what stands in its place is told to nobody.
  turn_on(t, d, 2, 9, 7, 7, 12);
  no_entries = true;
  post(t, d, 2, Write, 300, LocalRead);
  q[2].e[0].len = 0;
  drain(t, d, 20000);
  no_entries = false;
}

static void unreadable_bytes(tb *t, dut *d) {
  // Bytes that cannot be read, in the first packet or a later one: nobody knows what the peer has seen,
  // so software cannot go on.
  for (unsigned i = 0; i < 6; i++) {
    turn_on(t, d, 2, 100 * i, 7, 7, 12);
    post(t, d, 2, Write, 300, Done);
    post(t, d, 2, Write, 1 + 37 * i, LocalRead);
    drain(t, d, 20000);
    for (unsigned k = 0; k < 5000; k++) cycle(t, d);  // in which it writes 1 to SEND_ERR
    dut_set_rb_qp_i(d, 2);
    dut_eval(d);
    CHECK(t, dut_get_rb_err_o(d) && dut_get_rb_code_o(d) == LocalRead, "it still stands");
  }
}

static void never_ready_or_dead(tb *t, dut *d) {
  // A peer that is never ready, and one that is dead.
  turn_on(t, d, 2, 5, 7, 2, 12);
  q[2].always_rnr = true;
  post(t, d, 2, Write, 900, Rnr);
  drain(t, d, 20000);
  q[2].always_rnr = false;
  post(t, d, 2, Write, 900, Done);
  drain(t, d, 20000);
  unsigned before = timers;
  turn_on(t, d, 3, 7, 2, 7, 8);
  q[3].dead = true;
  post(t, d, 3, Write, 900, Timeout);
  cycle(t, d);
  drain(t, d, 20000);
  CHECK_EQ(t, timers - before, 3, "RetTimer: two tries and the end");
  CHECK_EQ(t, want_timer_gone, 1, "RetTimer that gives up");
}

// Tries of an entry that has ended badly are none of the next one's: a peer that says nothing, or that it is not ready.
static void tries_anew(tb *t, dut *d) {
  const unsigned n = 3, retry = 3;
  const uint32_t psn = 7;
  for (unsigned rnr = 0; rnr < 2; rnr++) {
    const unsigned *tries = rnr ? &waited : &timers;
    unsigned left = frames, before = *tries;
    turn_on(t, d, n, psn, retry, retry, 8);
    mute = true;
    post(t, d, n, Write, 5, RemAccess);
    for (unsigned k = 0; k < 2; k++) {
      await(t, d, &frames, left, 1, "a try");
      left = frames;
      if (rnr) {
        mute = false;
        answer(t, n, 0x11, psn, 0x21, 0, NULL, 0);
        mute = true;
      }
      await(t, d, tries, before, k + 1, "a try that is counted");
    }
    mute = false;
    drain(t, d, 20000);
    for (unsigned k = 0; k < 5000; k++) cycle(t, d);  // in which software lets it go on
    before = *tries;
    q[n].dead = !rnr;
    q[n].always_rnr = rnr;
    post(t, d, n, Write, 5, rnr ? Rnr : Timeout);
    drain(t, d, 20000);
    CHECK_EQ(t, *tries - before, rnr ? retry : retry + 1, "tries behind a bad end");
    turn_off(t, d, n);
    for (unsigned k = 0; k < 400; k++) cycle(t, d);
  }
}

static void bad_ends(tb *t, dut *d) {
  // Every bad end, one behind the other: what follows is done after it.
  for (unsigned w = BadEntry; w <= RemOther; w++) {
    if (w == Timeout || w == Rnr || w == LocalRead) continue;
    post(t, d, w % QPS, Write, 300, Done);
    cycle(t, d);
    post(t, d, w % QPS, Write, 200, w);
    cycle(t, d);
    post(t, d, w % QPS, Read, 200, Done);
    cycle(t, d);
  }
  drain(t, d, 20000);
}

// Memory takes no job while one for an entry waits, and its queue pair goes off and becomes another's: the job stays
// what it was (REQ-18).
static void job_of_before(tb *t, dut *d) {
  const unsigned n = 2;
  uint32_t was[RD_JOB_O_WORDS], is[RD_JOB_O_WORDS];
  turn_on(t, d, n, 0x1000, 7, 7, 12);
  no_jobs = true;
  post(t, d, n, Write, 40, Done);
  for (unsigned k = 0; k < 50 && !dut_get_rd_job_valid_o(d); k++) cycle(t, d);
  dut_get_rd_job_o(d, was);
  turn_off(t, d, n);
  bits_set(cfg_words[n], NIC_QP_CFG_T_PROC_LSB, NIC_QP_CFG_T_PROC_W, 3);
  bits_set(cfg_words[n], NIC_QP_CFG_T_RING_LSB, NIC_QP_CFG_T_RING_W, RINGS + 0x40);
  for (unsigned k = 0; k < 50; k++) {
    cycle(t, d);
    CHECK(t, dut_get_rd_job_valid_o(d), "a job that waits");
    dut_get_rd_job_o(d, is);
    CHECK_MEM(t, is, was, sizeof is, "a job that waits while its queue pair changes");
  }
  no_jobs = false;
  for (unsigned k = 0; k < 400; k++) cycle(t, d);
  q[n].cons = q[n].seen = q[n].prod;
  CHECK_EQ(t, places, 0, "places that nobody gave back");
}

// An entry of these lengths that is refused for them, or that the peer refuses.
static void of_length(tb *t, dut *d, unsigned op, unsigned mtu, uint32_t len1, uint32_t len2, unsigned want) {
  const unsigned n = 2;
  turn_on(t, d, n, (uint32_t)rnd_bits(t, 24), 7, 7, 12);
  q[n].mtu = mtu;
  bits_set(cfg_words[n], NIC_QP_CFG_T_MTU_LSB, NIC_QP_CFG_T_MTU_W, mtu);
  post(t, d, n, op, 64, want);
  uint8_t *entry = mem + RINGS + n * RING * 64u;
  entry[0] = (uint8_t)op;
  put(entry + 16, 4, len1);
  put(entry + 20, 4, len2);
  q[n].e[0].len = (op == Add || op == Swap ? 8 : len1) + len2;
  drain(t, d, 20000);
}

// Reads of as many packets and bytes as there may be, and of one more; buffers that an operation does not have; tasks
// that are too short, or no multiple of 16 bytes.
static void lengths(tb *t, dut *d) {
  of_length(t, d, Read, 1, 1U << 30, 0, RemAccess);
  of_length(t, d, Read, 1, (1U << 30) + 1, 0, BadEntry);
  of_length(t, d, Read, 2, 1U << 31, 0, RemAccess);
  of_length(t, d, Read, 3, 1U << 31, 0, RemAccess);
  of_length(t, d, Read, 3, (1U << 31) + 1, 0, BadEntry);
  of_length(t, d, Read, 3, 64, 1, BadEntry);
  of_length(t, d, Write, 3, 1U << 31, 1, BadEntry);
  of_length(t, d, Add, 3, 0, 1, BadEntry);
  of_length(t, d, Swap, 3, 0, 1U << 31, BadEntry);
  of_length(t, d, Xtq, 3, 48, 0, BadEntry);
  of_length(t, d, Xtq, 3, 72, 0, BadEntry);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "nic_req", 60000);
  dut *d = dut_begin(&t);
  dut_set_cfg_tick_i(d, 20);
  for (unsigned n = 0; n < QPS; n++) bits_set(cfg_words[n], NIC_QP_CFG_T_MTU_LSB, NIC_QP_CFG_T_MTU_W, 1);  // as nic_qp
  configure(d);
  dut_reset(d, 2);
  for (unsigned i = 0; i < MEM; i++) mem[i] = (uint8_t)rnd_bits(&t, 8);
  for (unsigned n = 0; n < QPS; n++)
    for (unsigned i = 0; i < RING * AREA; i++) far_mem[n][i] = (uint8_t)rnd_bits(&t, 8);

  // One of each, nothing lost; the PSNs of QP 1 wrap.
  for (unsigned n = 0; n < QPS; n++) turn_on(&t, d, n, n == 1 ? 0xFFFFFE : (uint32_t)rnd_bits(&t, 24), 7, 7, 12);
  for (unsigned op = Write; op <= Xtq; op++)
    for (unsigned n = 0; n < QPS; n++) {
      post(&t, d, n, op, n == 0 ? 0 : n * 700, Done);
      cycle(&t, d);
    }
  drain(&t, d, 20000);
  CHECK_EQ(&t, timers, 0, "time-outs without a loss");
  CHECK_EQ(&t, sents, frames, "packets told of, and frames");
  CHECK_EQ(&t, answered[NIC_K_FrBack] + answered[NIC_K_FrStale] + answered[NIC_K_FrEnd], 0, "answers that are none");

  bad_ends(&t, d);

  never_ready_or_dead(&t, d);
  tries_anew(&t, d);

  unreadable_bytes(&t, d);

  unreadable_entry(&t, d);
  lengths(&t, d);
  job_of_before(&t, d);
  off_and_on(&t, d);
  on_behind_off(&t, d);
  off_while_giving_up(&t, d);
  slow_time(&t, d);
  blind(&t, d);
  as_it_leaves(&t, d);
  goes_on(&t, d);
  from_where_it_was(&t, d);
  held_behind(&t, d);
  read_without_room(&t, d);
  beside(&t, d);
  if (P_Requests >= 4) vanishes(&t, d, true);
  vanishes(&t, d, false);

  random_requests(&t, d);
  loss = rnr_percent = 0;
  for (unsigned n = 0; n < QPS; n++) rate[n].slow = false;
  drain(&t, d, 60000);
  CHECK(&t, sents >= frames + lost_tx && held_packets > t.cycles / 1000, "%u packets told of, %u frames, %u held back",
        sents, frames, held_packets);
  CHECK_EQ(&t, places, 0, "places in event rings that nobody gave back");
  CHECK_EQ(&t, given_up[BadEntry] + given_up[LocalRead] + want_timer_gone,
           ended[BadEntry] + ended[LocalRead] + ended[Timeout], "RetTimer of requests that ended without an answer");
  unsigned total = 0;
  for (unsigned i = 0; i < 16; i++) total += ended[i];
  CHECK(&t, total > t.cycles / 400 && ended[BadEntry] && ended[LocalRead] && lost_tx, "%u entries ended", total);
  CHECK(&t, waited && lost_tm, "%u RNR times ended, %u packets were lost", waited, lost_tm);
  printf("nic_req: %u entries, %u frames, %u time-outs, answers: %u taken, %u stale, %u back, %u end\n", total, frames,
         timers, answered[NIC_K_FrAnswer], answered[NIC_K_FrStale], answered[NIC_K_FrBack], answered[NIC_K_FrEnd]);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
