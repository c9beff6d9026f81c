// SPDX-License-Identifier: Apache-2.0
// nic_event against rings in C: a ring's life step by step (places, laps, a full ring, MSI, a bad consumer), then
// random events of all sources, places taken and given back, consumers right and wrong, rings turned off and on, a slow
// nic_wr. What is read is on the bus in the cycle before, what is written in the two before.
// Rules of rtl/nic/README.md: EVT-1, EVT-2, EVT-3, EVT-4, EVT-5, QPR-1.
// config: default -GNumProcs=4 -GSources=4
// config: one -GNumProcs=1 -GSources=1
// config: narrow -GNumProcs=3 -GSources=3 +define+TOCSIN_DATA_W=128
// config: wide -GNumProcs=16 -GSources=4 +define+TOCSIN_DATA_W=512
// netlist: narrow
#include "event_rings.h"
#include "reg_bus.h"

static void set_event(uint32_t *v, unsigned s, const event *e) {
  unsigned at = s * NIC_EVENT_T_W;
#define EV(f, x) bits_set(v, at + NIC_EVENT_T_##f##_LSB, NIC_EVENT_T_##f##_W, x)
  EV(PROC, e->proc);
  EV(KEPT, e->kept);
  EV(KIND, e->kind);
  EV(BYTES, e->more);
  EV(STATUS, e->status);
  EV(QP, e->qp);
  EV(WORD, e->word);
  EV(LEN, e->len);
  EV(ADDR, e->addr);
}

// Places asked for and given back at the three ports: of any ring, seldom of one that is not there, of b->only, or as
// was chosen. Left in b, to be followed: who asks and gives, whose and how many.
static void places(bench *b) {
  tb *t = &b->t;
  dut *d = b->d;
  b->gives = 0;
  if (!b->chosen) b->asks = 0;
  for (unsigned k = 0; k < 3; k++) {
    if (!b->chosen) {
      b->ask_of[k] = b->only >= 0 ? (unsigned)b->only : (unsigned)rnd_below(t, rnd_chance(t, 95) ? P_NumProcs : 16);
      b->asks |= (unsigned)rnd_chance(t, b->ask) << k;
    }
    b->give_of[k] = b->only >= 0 ? (unsigned)b->only : (unsigned)rnd_below(t, P_NumProcs);
    uint32_t *held = &b->r[b->give_of[k]].held, most = rnd_chance(t, 80) ? 5 : 63;
    b->given[k] = 0;
    if (!*held || !rnd_chance(t, b->give)) continue;
    b->given[k] = 1 + (unsigned)rnd_below(t, *held < most ? *held : most);
    b->gives |= 1u << k, *held -= b->given[k];
  }
  dut_set_rsv_proc_i(d, b->ask_of[0] | b->ask_of[1] << 4 | b->ask_of[2] << 8);
  dut_eval(d);
  if (dut_get_rsv_wait_o(d)) b->asks &= ~1u;  // of the state and the process alone
  dut_set_rsv_valid_i(d, b->asks);
  dut_set_back_valid_i(d, b->gives);
  dut_set_back_proc_i(d, b->give_of[0] | b->give_of[1] << 4 | b->give_of[2] << 8);
  dut_set_back_num_i(d, b->given[0] | b->given[1] << 6 | b->given[2] << 12);
}

// One cycle: a register write if `we`, a read of what was on the bus in the cycle before, places, the events on offer,
// a nic_wr as slow as b->slow says.
static void one_cycle(bench *b, uint64_t addr, bool we, uint64_t data) {
  tb *t = &b->t;
  dut *d = b->d;
  const unsigned p = ring_at(addr), word = word_at(addr);
  uint32_t v[EV_I_WORDS] = {0}, valid = 0;
  for (unsigned s = 0; s < P_Sources; s++) {
    valid |= (uint32_t)b->offered[s] << s;
    set_event(v, s, &b->offer[s]);
  }
  dut_set_rb_i(d, reg_bus_of(addr, we, data, b->strb).words);
  const uint64_t value = p < P_NumProcs ? written(b, p, word, data) : 0;
  dut_set_cfg_rid_i(d, b->rid);
  dut_set_ev_valid_i(d, valid);
  dut_set_ev_i(d, v);
  places(b);
  bool room = b->w_job == b->w_in && b->w_pay == b->w_in;  // for another write
  dut_set_job_ready_i(d, !rnd_chance(t, b->job_slow));
  dut_set_pay_ready_i(d, !rnd_chance(t, b->slow));
  dut_eval(d);

  const unsigned rp = ring_at(b->was), rword = word_at(b->was);
  CHECK_EQ(t, dut_get_rb_rdata_o(d), rp < P_NumProcs ? reg_read(b, rp, rword) : 0, "register %u of process %u", rword,
           rp);
  b->was = addr;
  unsigned ok = (unsigned)dut_get_rsv_ok_o(d), got[16] = {0};
  for (unsigned i = 0; i < 3; i++) {
    unsigned k = (i + 2) % 3;  // tasks first
    const unsigned q = b->ask_of[k];
    ring *r = &b->r[q];
    if (!(b->asks >> k & 1)) continue;
    // An event without a place, which could be written.
    bool first = room && b->busy && b->now.kind && !b->now.kept && b->now.proc == q;
    bool want = r->en && left(r) - r->unseen > got[q] && !(first && k == 1);
    CHECK_EQ(t, ok >> k & 1, want, "place for %u in ring %u (%d left)", k, q, (int)left(r));
    got[q] += want, b->full += !want;
  }
  for (unsigned q = 0; q < 16; q++) b->r[q].resv += got[q], b->r[q].held += got[q];
  writes(b);
  uint32_t ret[RET_O_WORDS];
  dut_get_ret_o(d, ret);
  if (dut_get_ret_valid_o(d)) {
    CHECK(t, b->moved != bits_get(ret, NIC_RETIRE_T_IDX_LSB, NIC_RETIRE_T_IDX_W) + 1,
          "P6: in the cycle after its ring moved");
    decided(b, ret);
  }
  CHECK(t, !we || p >= P_NumProcs || !dut_get_ret_valid_o(d), "P6: a record in the cycle of a write");
  // A place given back by an event of kind 0 is free two cycles later, as any other.
  // Not in the cycle of a write, nor in the next one if it is of its ring.
  if (room && b->busy && !b->now.kind && !(we && p < P_NumProcs) && b->moved != b->now.proc + 1)
    b->r[b->now.proc].freed = true, b->busy = false, b->gave++;
  bool stays = word == CTL && p < P_NumProcs && b->r[p].en && value >> 63;
  bool nothing = word == CONS && !(b->strb & 15);
  b->moved = we && (word == CONS || word == CTL) && !stays && !nothing ? p + 1 : 0;
  unsigned ready = (unsigned)dut_get_ev_ready_o(d);
  CHECK(t, !(ready & ~valid) && !(ready & (ready - 1)), "ready %x for %x", ready, valid);
  for (unsigned s = 0; s < P_Sources; s++) {
    if (!(ready >> s & 1)) continue;
    CHECK(t, !b->busy, "two events at once");
    b->now = b->offer[s], b->busy = true, b->offered[s] = false;
  }
  for (unsigned q = 0; q < 16; q++) b->r[q].resv -= b->r[q].away, b->r[q].away = b->r[q].unseen = 0;
  for (unsigned k = 0; k < 3; k++)
    if (b->gives >> k & 1) b->r[b->give_of[k]].away += b->given[k];
  for (unsigned q = 0; q < 16; q++) b->r[q].away += b->r[q].freed, b->r[q].freed = false;
  if (we && p < P_NumProcs) reg_write(b, p, word, value);
  dut_tick(d);
}

// What is written is on the bus in the two cycles before, which are no writes.
static void cycle(bench *b, uint64_t addr, bool we, uint64_t data) {
  for (unsigned n = 0; we && n < 2; n++) one_cycle(b, addr, false, data);
  one_cycle(b, addr, we, data);
}

static uint64_t eq(unsigned p, unsigned word) { return NIC_REG_EQ_BASE + 128 * p + 8 * word; }
static void put(bench *b, unsigned p, unsigned word, uint64_t v) { cycle(b, eq(p, word), true, v); }
static void wait(bench *b, unsigned n) {
  while (n--) cycle(b, eq(0, STS), false, 0);
}
static void offer(bench *b, unsigned s, event e) { b->offer[s] = e, b->offered[s] = true; }
static void send(bench *b, unsigned p, bool kept, uint32_t word) {
  offer(b, 0,
        (event){.proc = p,
                .kind = kept ? 2 : 4,
                .status = 0x61,
                .qp = 0xa57,
                .word = word,
                .len = ~word,
                .addr = 0x123456,
                .kept = kept});
  wait(b, 8);
  CHECK(&b->t, !b->offered[0] && !b->busy, "an event that nobody took");
}

static void begin(bench *b, unsigned p, unsigned size) {
  put(b, p, CTL, 0);
  put(b, p, CTL, 1ull << 63 | size);
}

// All ports ask for places of ring p alone, or give back what they have.
static void take_places(bench *b, unsigned p, unsigned cycles) {
  b->only = (int)p, b->ask = 100;
  wait(b, cycles);
  b->only = -1, b->ask = 0;
}
static void give_places(bench *b, unsigned p) {
  b->only = (int)p, b->give = 100;
  while (b->r[p].held) wait(b, 1);
  b->only = -1, b->give = 0;
}

static void life(bench *b) {
  tb *t = &b->t;
  ring *r = &b->r[0];
  send(b, 0, false, 0);
  CHECK(t, r->lost, "a ring that is off");
  put(b, 0, STS, 3ull << 32);
  put(b, 0, BASE, 0x1000002F);
  put(b, 0, CTL, 1ull << 63 | 2);
  put(b, 0, BASE, 0x5000);
  put(b, 0, CTL, 1ull << 63 | 9);
  CHECK_EQ(t, r->base, 0x10000000, "place of a ring that is on");
  put(b, 0, MSIA, 0xfee00000);
  put(b, 0, MSID, 0x41);
  for (unsigned i = 0; i < 4; i++) send(b, 0, false, i);
  CHECK_EQ(t, r->prod, 4, "four events in a ring of four");
  send(b, 0, false, 4);
  CHECK(t, r->lost && b->msis == 0, "the fifth is lost; nobody armed");
  put(b, 0, CONS, 2);
  wait(b, 8);
  CHECK_EQ(t, b->msis, 1, "armed with events that nobody has consumed");
  put(b, 0, CONS, 5);
  CHECK(t, r->bad && r->cons == 2, "a consumer beyond the producer");
  put(b, 0, CONS, 1);
  CHECK(t, r->cons == 2, "a consumer that goes back");
  send(b, 0, false, 5);
  CHECK(t, b->msis == 1, "one MSI an arming");
  put(b, 0, CONS, 5);
  wait(b, 8);
  CHECK(t, b->msis == 1, "armed, and all consumed");
  send(b, 0, false, 6);
  CHECK_EQ(t, b->msis, 2, "the next event rings");
  take_places(b, 0, 2);
  CHECK_EQ(t, left(r), 0, "all places reserved");
  send(b, 0, false, 7);
  CHECK_EQ(t, r->prod, 6, "nobody takes a reserved place");
  uint32_t places = r->held;
  b->only = 0, b->ask = 100;
  for (unsigned i = 0; i < places; i++) r->held--, send(b, 0, true, 8 + i);
  b->only = -1, b->ask = 0;
  CHECK_EQ(t, r->prod, 6 + places, "those who reserved find theirs, however many ask in vain");
  put(b, 0, CTL, 0);
  put(b, 0, CTL, 1ull << 63);
  send(b, 0, false, 9);
  CHECK_EQ(t, r->prod, 1, "begun anew, a ring of one");
}

// These ports ask at once, of these rings.
static void ask_for(bench *b, unsigned ports, unsigned p0, unsigned p1, unsigned p2, unsigned cycles) {
  b->chosen = true, b->asks = ports;
  b->ask_of[0] = p0, b->ask_of[1] = p1, b->ask_of[2] = p2;
  wait(b, cycles);
  b->chosen = false;
}

// Whoever asks together, for places of ring p or of another one, and however many of p are left.
static void together(bench *b, unsigned p) {
  const unsigned q = P_NumProcs > 1 ? (p + 1) % P_NumProcs : 15;
  begin(b, p, 2);
  if (q < P_NumProcs) begin(b, q, 5);
  for (unsigned ports = 1; ports < 8; ports++)
    for (unsigned mine = 0; mine < 8; mine++)
      for (unsigned places = 0; places < 4 && !(mine & ~ports); places++) {
        wait(b, 3);
        ask_for(b, 4, 0, 0, p, 4 - places);
        CHECK_EQ(&b->t, left(&b->r[p]), places, "places left in ring %u", p);
        ask_for(b, ports, mine & 1 ? p : q, mine & 2 ? p : q, mine & 4 ? p : q, 1);
        give_places(b, p);
        if (q < P_NumProcs) give_places(b, q);
      }
}

// A ring begins anew with fewer places than are reserved: one that has its place finds the ring full. Of those that are
// given back instead two are there for who asks.
static void fewer_places(bench *b, unsigned p) {
  tb *t = &b->t;
  ring *r = &b->r[p];
  for (unsigned n = 0; n < 4; n++) {
    begin(b, p, 3);
    take_places(b, p, 12);
    CHECK_EQ(t, r->held, 8, "places reserved");
    begin(b, p, 1);
    wait(b, n);
    if (n == 0) {
      for (unsigned i = 0; i < 8; i++) r->held--, send(b, p, true, i);
      CHECK_EQ(t, r->prod, 2, "events in a ring of two");
      continue;
    }
    b->give = 100;
    take_places(b, p, 8);
    give_places(b, p);
  }
}

// While an event that has no place waits for the write before it, others take the places that are left: when its turn
// comes it finds none.
static void places_go_first(bench *b, unsigned p) {
  begin(b, p, 2);
  b->slow = b->job_slow = 100;
  send(b, p, false, 1);
  offer(b, 0, (event){.proc = p, .kind = 4});
  wait(b, 4);
  take_places(b, p, 1);
  CHECK_EQ(&b->t, b->r[p].held, 3, "places reserved");
  b->slow = b->job_slow = 0;
  wait(b, 8);
  CHECK_EQ(&b->t, b->r[p].prod, 1, "events in a ring of which the rest is reserved");
  give_places(b, p);
}

// An MSI address that is one bit is one: each arming of a ring with an event that nobody has consumed rings there,
// without an event in between.
static void addresses(bench *b, unsigned p) {
  begin(b, p, 1);
  send(b, p, false, 1);
  const unsigned before = b->msis;
  for (unsigned i = 2; i < 64; i++) {
    put(b, p, MSIA, 1ull << i);
    put(b, p, CONS, 0);
  }
  wait(b, 8);
  CHECK_EQ(&b->t, b->msis - before, 62, "MSIs of ring %u", p);
}

// A host that writes 64 bits in two halves arms its ring once, by the half that has CONS (EVT-5).
static void halves(bench *b, unsigned p) {
  begin(b, p, 2);
  put(b, p, MSIA, 0xfee00000);
  send(b, p, false, 1);
  const unsigned before = b->msis;
  b->strb = 0x0f;
  put(b, p, CONS, 0);
  wait(b, 8);
  CHECK_EQ(&b->t, b->msis - before, 1, "an MSI for the half with CONS");
  b->strb = 0xf0;
  put(b, p, CONS, 0);
  b->strb = 0xff;
  wait(b, 8);
  CHECK_EQ(&b->t, b->msis - before, 1, "and none for the other");
}

// Of each size a ring has places from its beginning on, and when its events are consumed; one of up to 1024 has as many
// as that.
static void sizes(bench *b, unsigned p) {
  for (unsigned size = 0; size < 32; size++) {
    const unsigned all = size > 10 ? 6 : 1u << size;
    begin(b, p, size);
    for (unsigned i = 0; i < 2; i++) send(b, p, false, i);
    put(b, p, CONS, b->r[p].prod);
    take_places(b, p, size > 10 ? 3 : all / 3 + 4);
    CHECK(&b->t, b->r[p].held >= all, "%u places of %u", b->r[p].held, all);
    give_places(b, p);
  }
}

// One after the other from the last source, each judged as soon as the one before is written; all around a ring, which
// is then consumed at once.
static void around(bench *b, unsigned p, unsigned size) {
  tb *t = &b->t;
  const unsigned last = P_Sources - 1, beats = NIC_BYTES_T_DATA_W < 256 ? 256 / NIC_BYTES_T_DATA_W : 1;
  const unsigned all = 1u << size;
  begin(b, p, size);
  uint64_t from = dut_cycle(b->d);
  for (unsigned i = 0; i < all; i++) {
    offer(b, last, (event){.proc = p, .kind = 5, .word = i, .addr = rnd(t)});
    for (unsigned k = 0; k < 20 && b->offered[last]; k++) wait(b, 1);
  }
  CHECK(t, dut_cycle(b->d) - from <= all * (1 + beats) + 8, "%u cycles for %u events of %u beats",
        (unsigned)(dut_cycle(b->d) - from), all, beats);
  wait(b, 8);
  CHECK_EQ(t, b->r[p].prod, all, "a full ring");
  send(b, p, false, 1);
  CHECK_EQ(t, b->r[p].prod, all, "which takes no more");
  put(b, p, CONS, all);
  send(b, p, false, 2);
  CHECK_EQ(t, b->r[p].prod, all + 1, "consumed, it does");
}

// An event whose job nic_wr has taken and whose bytes it takes later holds up no other, though nic_wr takes no more
// jobs.
static void bytes_late(bench *b) {
  begin(b, 0, 8);
  b->slow = 100;
  send(b, 0, false, 1);
  b->job_slow = 100, b->slow = 0;
  wait(b, 4);
  send(b, 0, false, 2);
  b->job_slow = 0;
  wait(b, 8);
}

// Sources that all have an event in every cycle have their turns one after the other, whatever register is looked at.
static void turns(bench *b) {
  unsigned taken = 0, last[P_Sources] = {0};
  for (unsigned p = 0; p < P_NumProcs; p++) begin(b, p, 9);
  put(b, 0, CTL, 0);
  for (unsigned c = 0; c < 30 * P_Sources; c++) {
    for (unsigned s = 0; s < P_Sources; s++) offer(b, s, (event){.kind = 5, .word = c});
    cycle(b, eq((unsigned)rnd_below(&b->t, P_NumProcs), (unsigned)rnd_below(&b->t, 7)), false, 0);
    for (unsigned s = 0; s < P_Sources; s++) {
      if (b->offered[s]) continue;
      taken++;
      CHECK(&b->t, taken - last[s] <= P_Sources, "source %u is passed over, %u events", s, taken - last[s]);
      last[s] = taken;
    }
  }
  CHECK(&b->t, taken >= 10 * P_Sources, "%u events", taken);
  wait(b, 8 * P_Sources);
}

// A reset at any time: nothing is left of rings, events and writes. The first event afterwards, which comes alone, is
// decided in its third cycle: none waits before it.
static void cut_short(bench *b) {
  memset(b->r, 0, sizeof b->r);
  memset(b->offered, 0, sizeof b->offered);
  b->busy = false;
  b->w_in = b->w_job = b->w_pay = b->at = b->moved = 0;
  dut_set_ev_valid_i(b->d, 0);
  dut_set_rsv_valid_i(b->d, 0);
  dut_set_back_valid_i(b->d, 0);
  dut_set_rb_i(b->d, reg_bus_of(b->was, false, 0, 0).words);
  dut_reset(b->d, 1);
  offer(b, 0, (event){.kind = 1});
  wait(b, 3);
  CHECK(&b->t, !b->offered[0] && !b->busy, "an event that waits after a reset");
  for (unsigned p = 0; p < P_NumProcs; p++)
    for (unsigned w = 0; w < 7; w++) cycle(b, eq(p, w), false, 0);
}

// A ring that rings, whose MSI waits behind an event that nic_wr does not take: after a reset it rings no more.
static void reset_rings(bench *b) {
  const unsigned p = P_NumProcs - 1;
  begin(b, p, 2);
  put(b, p, MSIA, 0xfee00000);
  b->job_slow = 100;
  put(b, p, CONS, 0);
  send(b, p, false, 1);
  wait(b, 8);
  b->job_slow = 0;
  cut_short(b);
}

// When nothing new comes all that waits gets its turn: events, their writes, and the MSIs of all rings that ring.
static void quiet(bench *b) {
  tb *t = &b->t;
  const unsigned ask = b->ask, give = b->give;
  b->ask = b->give = b->slow = b->job_slow = 0;
  wait(b, 40 + 10 * P_NumProcs);
  for (unsigned s = 0; s < P_Sources; s++) CHECK(t, !b->offered[s], "P1: an event of source %u waits", s);
  CHECK(t, b->w_job == b->w_in && b->w_pay == b->w_in && !b->busy, "%u writes decided, %u jobs, %u items", b->w_in,
        b->w_job, b->w_pay);
  for (unsigned p = 0; p < P_NumProcs; p++) {
    const ring *r = &b->r[p];
    CHECK(t, !(r->en && r->armed && r->msia && r->prod != r->cons), "P4: ring %u waits for its MSI", p);
  }
  b->ask = ask, b->give = give;
  b->rid = rnd_bits(t, 16);
}

static void random_cycle(bench *b) {
  tb *t = &b->t;
  for (unsigned s = 0; s < P_Sources; s++) {
    unsigned p = (unsigned)rnd_below(t, rnd_chance(t, 90) ? P_NumProcs : 16);
    if (b->offered[s] || !rnd_chance(t, 15)) continue;
    event e = {.proc = p,
               .kind = 1 + (unsigned)rnd_below(t, 8),
               .status = (unsigned)rnd_bits(t, 8),
               .qp = (unsigned)rnd_bits(t, 12)};
    e.word = (uint32_t)rnd(t), e.len = (uint32_t)rnd(t), e.more = (uint32_t)rnd(t), e.addr = rnd(t);
    e.kept = b->r[p].held && rnd_chance(t, 60);
    if (p >= P_NumProcs) continue;
    if (e.kept) b->r[p].held--, e.kind *= !rnd_chance(t, 20);
    offer(b, s, e);
  }
  unsigned p = (unsigned)rnd_below(t, P_NumProcs), word = (unsigned)rnd_below(t, 7);
  ring *r = &b->r[p];
  uint64_t data = rnd(t);
  bool we = rnd_chance(t, 25);
  if (word == CONS && rnd_chance(t, 80)) data = r->cons + rnd_below(t, (uint64_t)(r->prod - r->cons) + 1);
  if (word == CTL)
    we = rnd_chance(t, r->en ? 2 : 20), data = (uint64_t)!r->en << 63 | rnd_below(t, rnd_chance(t, 70) ? 4 : 32);
  if (word == MSIA && rnd_chance(t, 40)) data = rnd_bits(t, 1) << rnd_below(t, 64);
  b->strb = rnd_chance(t, 60) ? 255 : 1 + (unsigned)rnd_below(t, 255);
  // seldom an address that differs in one bit
  cycle(b, rnd_chance(t, 95) ? eq(p, word) : eq(p, word) ^ 8ull << rnd_below(t, 17), we, data);
  b->strb = 255;
}

int main(int argc, char **argv) {
  static bench b;
  tb *t = &b.t;
  b.only = -1;
  tb_init(t, argc, argv, "nic_event", 60000);
  b.d = dut_begin(t);
  b.strb = 255;
  dut_reset(b.d, 2);
  b.rid = rnd_bits(t, 16);
  for (unsigned p = 0; p < 16; p++)
    for (unsigned w = 0; w < 6; w++) cycle(&b, eq(p, w), false, 0);
  life(&b);
  const unsigned step = P_NumProcs > 4 ? 5 : 1;  // of many some, for time
  for (unsigned p = 0; p < P_NumProcs; p += step) {
    together(&b, p);
    fewer_places(&b, p);
    places_go_first(&b, p);
    addresses(&b, p);
    halves(&b, p);
    sizes(&b, p);
    around(&b, p, p + 1 < P_NumProcs ? 8 : 12);
  }
  bytes_late(&b);
  turns(&b);
  reset_rings(&b);
  for (uint64_t c = 0; c < t->cycles; c++) {
    if (c % 1000 == 999) quiet(&b);
    if (c % 500 == 0) {
      b.slow = b.job_slow = (unsigned)rnd_below(t, 80);
      b.ask = 1 + (unsigned)rnd_below(t, 20), b.give = 4;
    }
    if (rnd_below(t, 3000) == 0) cut_short(&b);
    random_cycle(&b);
  }
  quiet(&b);
  CHECK(t, b.wrote > 500 && b.dropped > 200 && b.msis > 200 && b.full > 200 && b.gave > 20, "too little: %u %u %u %u",
        b.wrote, b.dropped, b.msis, b.full);
  dut_free(b.d);
  tb_unwatch(t);
  return tb_end(t);
}
