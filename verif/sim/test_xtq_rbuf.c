// SPDX-License-Identifier: Apache-2.0
// xtq_rbuf against lists of buffers: posting by whole and half registers, what is refused, the smallest and the exact
// fit, buffers that are passed over, LEAST and what remains but for a bit, events that wait, numbers of many bits; then
// processes that post, search, give up and take at random, and never share a byte, and resets. What is read or written
// is on the bus in the cycle before, another address before that.
// Rules of rtl/nic/README.md: RCV-1, RCV-2, RCV-10.
// Rules of rtl/xtq/README.md: RBF-1, RBF-2, RBF-3, RBF-4.
// config: default -GNumProcs=4 -GRecvDepth=8
// config: one -GNumProcs=1 -GRecvDepth=2
// config: all -GNumProcs=16 -GRecvDepth=16
// config: two -GNumProcs=2 -GRecvDepth=4
// netlist: two
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "xtq_rbuf_tb.h"

enum { PROCS = P_NumProcs, DEPTH = P_RecvDepth, ADDR = 0x8030, POST = 0x8038, STS = 0x8040, DROP = 0x8050, PAGE = 128 };
enum { MANY = (1 << 14) + 200 };  // buffers of a process; each takes three cycles or four

typedef struct buffer {
  uint64_t addr, len, least;
} buffer;

typedef struct process {
  buffer posted[DEPTH];  // oldest first
  unsigned count;
  uint64_t offset, number, told, addr, post, gone;
  bool bad;
} process;

static process procs[PROCS];
static unsigned event_pct = 100, post_pct;  // post_pct: a posting comes before, or with, what is taken
static bool at_once;                        // the next search begins in the cycle after take_i
static bool waits;                          // an event that was offered has not been taken
static uint64_t taken, passed, events, nones, dropped;

// One cycle; looks at the event that is offered.
static void cycle(tb *t, dut *d) {
  uint32_t ev[(NIC_EVENT_T_W + 31) / 32];
  static uint32_t offered[(NIC_EVENT_T_W + 31) / 32];
  bool ready = rnd_chance(t, event_pct);
  dut_set_event_ready_i(d, ready);
  dut_eval(d);
  dut_get_event_o(d, ev);
  if (waits) CHECK(t, dut_get_event_valid_o(d) && !memcmp(ev, offered, sizeof ev), "P3: an event waits");
  waits = dut_get_event_valid_o(d) && !ready;
  memcpy(offered, ev, sizeof ev);
  if (dut_get_event_valid_o(d) && ready) {
    process *p = &procs[bits_get(ev, NIC_EVENT_T_PROC_LSB, NIC_EVENT_T_PROC_W) % PROCS];
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_KIND_LSB, 8), NIC_K_EvBuffer, "P3: kind of event");
    CHECK(t, p->told < p->number, "P3: an event, but no buffer of the process is used up");
    CHECK_EQ(t, bits_get(ev, NIC_EVENT_T_WORD_LSB, 32), p->told, "P3: number of the buffer");
    p->told++, events++;
  }
  dut_tick(d);
  REG_BUS_SET(d, WE, 0);
}

// An address that stays for the next cycle; before it any other, here or nearby, and data that are not written.
static void elsewhere(tb *t, dut *d) {
  REG_BUS_SET(d, WDATA, rnd(t));
  REG_BUS_SET(d, WSTRB, rnd_bits(t, 8));
  REG_BUS_SET(d, ADDR, rnd_chance(t, 70) ? 0x8000u >> 3 | rnd_bits(t, 8) : rnd_bits(t, 17));
}

static void setup_reg(tb *t, dut *d, unsigned reg, unsigned p) {
  elsewhere(t, d);
  if (rnd_chance(t, 50)) cycle(t, d);
  REG_BUS_SET(d, ADDR, (reg + PAGE * p) >> 3);
  cycle(t, d);
}

static uint64_t read_reg(tb *t, dut *d, unsigned reg, unsigned p) {
  setup_reg(t, d, reg, p);
  dut_eval(d);
  const uint64_t got = dut_get_rb_rdata_o(d);
  elsewhere(t, d);
  return got;
}

// Makes of what is on the bus a write; the reference takes it as the specification says, after what leaves in the same
// cycle.
static void put_reg(dut *d, unsigned reg, unsigned p, uint64_t v, unsigned strobes) {
  dut_set_rb_i(d, reg_bus_of(reg + PAGE * p, true, v, strobes).words);
}

static uint64_t merge(uint64_t old, uint64_t v, unsigned strobes) {
  for (unsigned i = 0; i < 8; i++)
    if (strobes >> i & 1) old = (old & ~(0xFFull << 8 * i)) | (v & 0xFFull << 8 * i);
  return old;
}

static void ref_reg(unsigned reg, unsigned p, uint64_t v, unsigned strobes) {
  if (p >= PROCS) return;
  process *q = &procs[p];
  if (reg == ADDR) q->addr = merge(q->addr, v, strobes);
  if (reg == STS && (strobes & 2) && (v >> 8 & 1)) q->bad = false;
  if (reg == DROP && (strobes & 15)) {
    bool begun = q->offset != 0;
    q->gone = q->count - begun;
    q->number += begun;
    q->count = 0, q->offset = 0;
    dropped += q->gone;
  }
  if (reg != POST) return;
  q->post = merge(q->post, v, strobes);
  if (!(strobes & 15)) return;
  buffer b = {.addr = q->addr, .len = q->post & 0xFFFFFFFF, .least = q->post >> 32};
  if (q->count == DEPTH || b.addr % 64 || !b.len)
    q->bad = true;
  else
    q->posted[q->count++] = b;
}

static void write_reg(tb *t, dut *d, unsigned reg, unsigned p, uint64_t v, unsigned strobes) {
  setup_reg(t, d, reg, p);
  put_reg(d, reg, p, v, strobes);
  cycle(t, d);
  elsewhere(t, d);
  ref_reg(reg, p, v, strobes);
}

static void check_regs(tb *t, dut *d, unsigned p) {
  CHECK_EQ(t, read_reg(t, d, STS, p), procs[p].offset << 32 | (uint64_t)procs[p].bad << 8 | procs[p].count,
           "RB_STS[%u]", p);
  CHECK_EQ(t, read_reg(t, d, ADDR, p), procs[p].addr, "RB_ADDR[%u]", p);
  CHECK_EQ(t, read_reg(t, d, POST, p), procs[p].post, "RB_POST[%u]", p);
  CHECK_EQ(t, read_reg(t, d, DROP, p), (procs[p].number + procs[p].count) << 32 | procs[p].gone, "RB_DROP[%u]", p);
}

static void post(tb *t, dut *d, unsigned p, uint64_t addr, uint64_t len, uint64_t least) {
  write_reg(t, d, ADDR, p, addr, 0xFF);
  write_reg(t, d, POST, p, least << 32 | len, 0xFF);
  check_regs(t, d, p);
}

// Which of the posted buffers has room; count if none.
static unsigned place(const process *p, uint64_t bytes, uint64_t *va) {
  unsigned i = 0;
  for (; i < p->count; i++) {
    uint64_t at = i ? 0 : p->offset;
    *va = p->posted[i].addr + at;
    if (at + bytes <= p->posted[i].len) break;
  }
  return i;
}

static void ref_take(process *p, uint64_t bytes, bool all) {
  uint64_t va, at;
  unsigned i = place(p, bytes, &va);
  const buffer b = p->posted[i];
  at = (va - b.addr + bytes + 63) / 64 * 64;
  if (at > b.len) at = b.len;
  bool used = all || b.len - at < b.least;
  unsigned gone = i + used;
  passed += i, taken++;
  memmove(p->posted, p->posted + gone, (p->count - gone) * sizeof b);
  p->count -= gone;
  p->number += gone;
  p->offset = used ? 0 : at;
}

// A search from the first cycle to its end; `take`: it is taken after `wait` more cycles. A posting of `other`
// comes in somewhere.
static bool search_for(tb *t, dut *d, unsigned p, uint64_t bytes, bool all, bool take, unsigned wait, unsigned late) {
  uint64_t va = 0, v = 0;
  unsigned cycles = 0, reg = POST, limit = 2 * DEPTH + 4;
  bool due = false, fit = false, none = false;
  if (late == 1) setup_reg(t, d, reg, p);
  dut_set_find_i(d, 1);
  dut_set_proc_i(d, p);
  dut_set_bytes_i(d, bytes);
  dut_set_all_i(d, all);
  // A search that has found nothing goes on if a posting is still to come.
  for (; !fit && (!none || cycles < late + 4) && cycles < limit + late; cycles++) {
    due = late && cycles + 1 == late;
    if (late == cycles + 2) REG_BUS_SET(d, ADDR, (reg + PAGE * p) >> 3);
    if (due) v = rnd_below(t, 4096) + 1, put_reg(d, reg, p, v, 0xFF);
    dut_eval(d);
    fit = dut_get_fit_o(d), none = dut_get_none_o(d);
    if (none) {
      CHECK_EQ(t, place(&procs[p], bytes, &va), procs[p].count, "P1: none, but %llu bytes fit",
               (unsigned long long)bytes);
      nones += cycles >= late;
    }
    if (fit) {
      unsigned i = place(&procs[p], bytes, &va);
      CHECK(t, i < procs[p].count, "P1: %llu bytes fit nowhere", (unsigned long long)bytes);
      CHECK_EQ(t, dut_get_va_o(d), va, "P1: address");
      CHECK_EQ(t, dut_get_number_o(d), procs[p].number + i, "P6: number");
      CHECK_EQ(t, dut_get_room_o(d), procs[p].posted[i].len - (i ? 0 : procs[p].offset), "P6: room");
      if (!late) CHECK_EQ(t, cycles, 1 + 2 * i, "latency");
    }
    cycle(t, d);
    if (due) ref_reg(reg, p, v, 0xFF);
  }
  CHECK(t, fit != none, "the search ends");
  if (fit && take) {
    bool posts = rnd_chance(t, post_pct);
    unsigned other = (unsigned)rnd_below(t, PROCS);
    if (rnd_chance(t, post_pct)) write_reg(t, d, POST, other, rnd_bits(t, 12), 0xFF);
    wait += posts;
    while (wait--) {
      if (!wait && posts) REG_BUS_SET(d, ADDR, (POST + PAGE * other) >> 3);
      cycle(t, d);
    }
    dut_eval(d);
    CHECK(t, dut_get_fit_o(d) && dut_get_va_o(d) == va, "P1: fit_o stays");
    dut_set_take_i(d, 1);
    ref_take(&procs[p], bytes, all);
    v = rnd_bits(t, 12);
    if (posts) put_reg(d, POST, other, v, 0xFF);
    cycle(t, d);
    dut_set_take_i(d, 0);
    if (posts) ref_reg(POST, other, v, 0xFF);
    if (at_once) return true;
    dut_set_find_i(d, 0);
    if (posts) check_regs(t, d, other);
  }
  dut_set_find_i(d, 0);
  dut_set_proc_i(d, rnd_below(t, PROCS)), dut_set_bytes_i(d, rnd(t)), dut_set_all_i(d, rnd_bits(t, 1));
  cycle(t, d);
  check_regs(t, d, p);
  return fit;
}

static bool search(tb *t, dut *d, unsigned p, uint64_t bytes, bool take, unsigned wait, unsigned late) {
  return search_for(t, d, p, bytes, false, take, wait, late);
}

static void drain(tb *t, dut *d) {
  unsigned old = event_pct;
  event_pct = 100;
  for (unsigned i = 0; i < 8 * PROCS * DEPTH; i++) cycle(t, d);
  for (unsigned p = 0; p < PROCS; p++) CHECK_EQ(t, procs[p].told, procs[p].number, "P3: events of process %u", p);
  event_pct = old;
}

// Addresses a bit away from ours, with something in all that we have.
static void not_ours(tb *t, dut *d) {
  static const unsigned ours[] = {ADDR, POST, STS, DROP};
  for (unsigned k = 0; k < 4; k++) {
    for (unsigned bit = 3; bit < 20; bit++) {
      unsigned r = ours[k] ^ 1u << bit;
      bool other = r < 0x8000 || r >= 0x8000 + PAGE * PROCS || (r % PAGE > STS % PAGE && r % PAGE != DROP % PAGE) ||
                   r % PAGE < ADDR % PAGE;
      if (other) CHECK_EQ(t, read_reg(t, d, r, 0), 0, "not ours: %x", r);
    }
  }
}

static uint64_t some_bytes(tb *t, const process *p, uint64_t most) {
  uint64_t end = rnd_bits(t, 6);  // so many bytes before the end of the oldest
  if (p->count && p->posted[0].len > p->offset + end && rnd_chance(t, 20)) return p->posted[0].len - p->offset - end;
  if (!p->count || rnd_chance(t, 50)) return 1 + rnd_below(t, most - 1);
  return 1 + (rnd_below(t, p->posted[rnd_below(t, p->count)].len) >> rnd_below(t, 4));
}

static void scenarios(tb *t, dut *d) {
  unsigned p = PROCS - 1;
  for (unsigned i = 0; i < PROCS; i++) check_regs(t, d, i);
  CHECK(t, !search(t, d, p, 1, false, 0, 0), "nothing is posted");

  // Two messages, the second at a multiple of 64; the third fits exactly; then the buffer is empty but not yet used up.
  post(t, d, p, 0xFFFFFFFFFFFFF000, 256, 0);
  CHECK(t, search(t, d, p, 1, true, 0, 0) && search(t, d, p, 65, true, 1, 0), "room for both");
  CHECK(t, !search(t, d, p, 65, true, 0, 0), "one byte too many");
  CHECK(t, search(t, d, p, 64, false, 0, 0) && search(t, d, p, 64, true, 0, 0), "given up, then taken");
  CHECK_EQ(t, procs[p].number, 0, "LEAST 0: the full buffer is still the oldest");

  // What does not fit uses it up; a message too long for all changes nothing.
  post(t, d, p, 64, 128, 65);
  CHECK(t, !search(t, d, p, 129, true, 0, 0), "too long for all");
  CHECK(t, search(t, d, p, 64, true, 0, 0), "goes to the second buffer, and less than LEAST remains there");
  CHECK_EQ(t, procs[p].number, 2, "both are used up");
  drain(t, d);

  // As many as there is place for; one more, a misaligned and an empty one are refused; BAD is cleared by its own bit.
  for (unsigned i = 0; i < DEPTH; i++) post(t, d, p, 4096 * (uint64_t)i, 64 * (i + 1), 0);
  post(t, d, p, 0, 64, 0);
  CHECK(t, procs[p].bad, "one too many");
  write_reg(t, d, STS, p, 0x100, 0xFD);
  check_regs(t, d, p);
  write_reg(t, d, STS, p, 0x100, 2);
  check_regs(t, d, p);
  CHECK(t, search(t, d, p, 64 * DEPTH, true, 3, 0), "only the last one is long enough");
  CHECK_EQ(t, procs[p].number, 2 + DEPTH - 1, "P3: all before it are used up");
  post(t, d, p, 0, 0, 64);
  for (unsigned bit = 0; bit < 6; bit++) post(t, d, p, 1u << bit, 64, 0);
  CHECK_EQ(t, procs[p].count, 1, "refused");

  // Half registers: LEAST alone posts nothing.
  write_reg(t, d, ADDR, p, 0x1234567800000040, 0xFF);
  write_reg(t, d, POST, p, 0x0000000700000000, 0xF0);
  check_regs(t, d, p);
  CHECK_EQ(t, procs[p].count, 1, "LEAST alone posts nothing");
  write_reg(t, d, POST, p, 0xFFFFFFFF, 0x0F);
  check_regs(t, d, p);
  CHECK(t, search(t, d, p, 0x80000000, true, 0, 0), "2 GiB");
  CHECK(t, search(t, d, p, 0x7FFFFFFF, true, 0, 0), "to the last byte of the longest buffer");

  // A posting in the very cycle of the search's end must not be missed for longer than that cycle.
  for (unsigned late = 1; late < 6; late++) {
    drain(t, d);
    write_reg(t, d, ADDR, p, 0, 0xFF);
    search(t, d, p, 4096, true, 0, late);
  }
}

// The whole rest, which uses the buffer up; then all are withdrawn, once with the oldest begun and once without.
static void withdrawn(tb *t, dut *d, unsigned p) {
  write_reg(t, d, DROP, p, 0, 0xFF);
  drain(t, d);
  for (unsigned i = 0; i < 2; i++) post(t, d, p, 4096 * (uint64_t)i, 256, 0);
  CHECK(t, search(t, d, p, 10, true, 0, 0) && search_for(t, d, p, 129, true, true, 2, 0), "the rest of the first");
  CHECK_EQ(t, procs[p].count, 1, "P3: it is used up");
  CHECK_EQ(t, procs[p].offset, 0, "and the second is whole");
  for (unsigned i = 1; i < DEPTH; i++) post(t, d, p, 4096 * (uint64_t)i, 256, 0);
  uint64_t number = procs[p].number;
  write_reg(t, d, DROP, p, ~0ull, 0xF0);
  CHECK_EQ(t, procs[p].count, DEPTH, "no byte of 31:0");
  check_regs(t, d, p);
  CHECK(t, search(t, d, p, 10, true, 0, 0), "something begins");
  write_reg(t, d, DROP, p, 0, 1);
  check_regs(t, d, p);
  CHECK(t, procs[p].gone == DEPTH - 1 && procs[p].number == number + 1, "P5: one is used up, the others are withdrawn");
  CHECK(t, !search(t, d, p, 1, false, 0, 0), "none is left");
  drain(t, d);
  post(t, d, p, 0, 256, 0);
  write_reg(t, d, DROP, p, 0, 0xFF);
  CHECK(t, procs[p].gone == 1 && procs[p].number == number + 1, "P5: its number comes again");
  check_regs(t, d, p);
  write_reg(t, d, DROP, p, 0, 0xFF);
  check_regs(t, d, p);
  drain(t, d);

  for (unsigned r = 0x8000; r < 0x8100; r += 8) {
    bool ours = (((r & 127) >= (ADDR & 127) && (r & 127) <= (STS & 127)) || (r & 127) == (DROP & 127)) &&
                (r - 0x8000) / PAGE < PROCS;
    if (!ours) CHECK_EQ(t, read_reg(t, d, r, 0), 0, "not ours: %x", r);
  }
}

// A buffer of a process that has no other, or as many as there is place for; and a message that fits in it.
static void alone(tb *t, dut *d, unsigned p, uint64_t len, uint64_t least, uint64_t bytes) {
  write_reg(t, d, DROP, p, 0, 0xFF);
  write_reg(t, d, POST, p, least << 32 | len, 0xFF);
  for (unsigned i = rnd_chance(t, 50) ? 1 : DEPTH; i < DEPTH; i++) write_reg(t, d, POST, p, 64, 0xFF);
  CHECK(t, search(t, d, p, bytes, true, 0, 0), "%llu bytes fit in %llu", (unsigned long long)bytes,
        (unsigned long long)len);
}

// What remains is LEAST but for each bit, LEAST exactly, or a byte less.
static void each_rest(tb *t, dut *d, unsigned p) {
  write_reg(t, d, ADDR, p, 0x7F000000000040, 0xFF);
  for (unsigned i = 0; i < 6 * 26; i++) {
    const uint64_t len = 0xFFFFFFFF - rnd_below(t, 200), limit = rnd_below(t, len), bit = 64ull << i % 26;
    const uint64_t bytes = limit & bit ? limit ^ bit : (limit ^ bit) & ~63ull;
    if (bytes && bytes <= len) alone(t, d, p, len, len - limit, bytes);
  }
  for (unsigned i = 0; i < 30; i++) {
    const uint64_t next = 64 * (1 + rnd_bits(t, 8)), least = 1 + rnd_bits(t, 16);
    alone(t, d, p, next - i % 2 + least, least, next - i % 2 - rnd_below(t, 60));
  }
}

// Nothing is left behind the next multiple of 64, whatever the length.
static void no_rest(tb *t, dut *d, unsigned p) {
  write_reg(t, d, ADDR, p, 0x7F000000000040, 0xFF);
  for (unsigned i = 0; i < 10; i++) {
    const uint64_t len = 64 + rnd_below(t, 0xFFFFFFFF - 64);
    alone(t, d, p, len, 0, len - rnd_below(t, 64));
  }
}

// As many buffers as there is place for, one in each cycle; only the last one is long enough for a message.
static void fill(tb *t, dut *d, unsigned p) {
  setup_reg(t, d, POST, p);
  for (unsigned i = 1; i <= DEPTH; i++) {
    const uint64_t len = i < DEPTH ? 64 : 128;
    put_reg(d, POST, p, len, 0xFF);
    cycle(t, d);
    ref_reg(POST, p, len, 0xFF);
  }
}

// Numbers of many bits; at last as many as there is place for are withdrawn.
static void many(tb *t, dut *d, unsigned p) {
  write_reg(t, d, DROP, p, 0, 0xFF);
  write_reg(t, d, ADDR, p, 0, 0xFF);
  for (at_once = true; procs[p].number < MANY && !t->failures;) {
    fill(t, d, p);
    CHECK(t, search_for(t, d, p, 65, true, true, 0, 0), "the last one is long enough");
    dut_set_find_i(d, 0);
  }
  at_once = false;
  fill(t, d, p);
  write_reg(t, d, DROP, p, 0, 0xFF);
  check_regs(t, d, p);
}

// What a search that was under way before a reset says after it: it begins anew, and finds nothing.
static void finds_nothing(tb *t, dut *d) {
  dut_eval(d);
  CHECK(t, !dut_get_fit_o(d) && !dut_get_none_o(d), "a search has ended in the cycle after reset");
  cycle(t, d);
  dut_eval(d);
  CHECK(t, !dut_get_fit_o(d) && dut_get_none_o(d), "nothing is posted after reset");
  dut_set_find_i(d, 0);
  cycle(t, d);
}

// After reset all is as at first, and what one process has written is not another's.
static void restart(tb *t, dut *d) {
  const bool searches = rnd_chance(t, 50);
  dut_set_find_i(d, searches), dut_set_proc_i(d, rnd_below(t, PROCS)), dut_set_bytes_i(d, 1), dut_set_all_i(d, 0);
  for (unsigned n = (unsigned)rnd_below(t, 4); n > 0; n--) cycle(t, d);
  dut_reset(d, 1);
  memset(procs, 0, sizeof procs);
  waits = false;
  if (searches) finds_nothing(t, d);
  post(t, d, (unsigned)rnd_below(t, PROCS), rnd(t) & ~63ull, 1 + rnd_below(t, 300), 0);
  for (unsigned p = 0; p < PROCS; p++) check_regs(t, d, p);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_rbuf", 90000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  scenarios(&t, d);
  withdrawn(&t, d, PROCS - 1);
  post(&t, d, 0, ~63ull, 0xFFFFFFFF, 0xFFFFFFFF);
  post(&t, d, 0, 63, 0, 0xFFFFFFFF);  // refused: BAD
  not_ours(&t, d);
  for (unsigned p = 0; p < PROCS; p += (PROCS + 3) / 4) no_rest(&t, d, p);
  for (unsigned p = 0; p < PROCS; p += (PROCS + 1) / 2) each_rest(&t, d, p), many(&t, d, p);
  drain(&t, d);
  post_pct = 20;
  uint64_t most = 300;
  for (const uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end && !t.failures;) {
    unsigned p = (unsigned)rnd_below(&t, PROCS);
    event_pct = dut_cycle(d) & 4096 ? 100 : 3;
    if (rnd_below(&t, 100) == 0) restart(&t, d);
    if (rnd_chance(&t, 5)) most = rnd_chance(&t, 30) ? 300 : rnd_chance(&t, 30) ? 3000 : 64ull << rnd_below(&t, 27);
    if (rnd_chance(&t, 40)) {
      uint64_t addr = rnd(&t) & (rnd_chance(&t, 90) ? ~63ull : ~0ull), len = rnd_below(&t, most);
      post(&t, d, p, addr, len, rnd_chance(&t, 50) ? 0 : rnd_below(&t, rnd_chance(&t, 50) ? 200 : most));
    } else if (rnd_chance(&t, 9)) {
      unsigned reg = (unsigned[]){ADDR, POST, STS, DROP}[rnd_below(&t, 4)],
               who = rnd_chance(&t, 50) ? p : (unsigned)rnd_below(&t, 16);
      uint64_t v = rnd(&t) & ~0xFF000000ull;
      unsigned strobes = (unsigned)rnd_bits(&t, 8) & (rnd_chance(&t, 20) ? 0xF0 : 0xFF);
      write_reg(&t, d, reg, who, v, strobes);
      if (who < PROCS) check_regs(&t, d, who);
      write_reg(&t, d, ADDR, p, rnd(&t) & ~63ull, 0xFF);
    } else {
      at_once = rnd_chance(&t, 20);
      search_for(&t, d, p, some_bytes(&t, &procs[p], most), rnd_chance(&t, 10), rnd_chance(&t, 80),
                 (unsigned)rnd_below(&t, 4), rnd_chance(&t, 20) ? 1 + (unsigned)rnd_below(&t, 8) : 0);
      if (!at_once) continue;
      at_once = false;
      if (rnd_chance(&t, 50)) p = (unsigned)rnd_below(&t, PROCS);
      search(&t, d, p, some_bytes(&t, &procs[p], most), true, 0, 0);
    }
  }
  drain(&t, d);
  CHECK(&t, taken > 100 && passed > 20 && events > 50 && nones > 20 && dropped > 5,
        "%u taken, %u passed over, %u events, %u none", (unsigned)taken, (unsigned)passed, (unsigned)events,
        (unsigned)nones);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
