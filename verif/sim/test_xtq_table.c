// SPDX-License-Identifier: Apache-2.0
// xtq_table against three arrays a process: what was last committed is what is found, in the cycle after a commit and
// in every later one, on-chip or through caches of few lines, whose hits, misses, reads and writes are counted as well.
// Every reason to refuse a command by itself, also in memory; commits that wait while something found is in use; writes
// that wait; memory that fails; then commands and look-ups at random, and resets. What is read or written is on the bus
// in the cycle before, another address before that.
// Rules of rtl/xtq/README.md: TBL-1, TBL-2, TBL-3, TBL-4, TBL-5, TBL-6, TBL-7.
// config: default -GNumProcs=4 -GTableBits=3
// config: one -GNumProcs=1 -GTableBits=1
// config: cache -GNumProcs=3 -GTableBits=3 -GTableCache=4
// config: narrow -GNumProcs=2 -GTableBits=4 -GTableCache=2 +define+TOCSIN_DATA_W=128
// config: wide -GNumProcs=2 -GTableBits=2 -GTableCache=8 +define+TOCSIN_DATA_W=512
// netlist: narrow
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "xtq_table_tb.h"
#include "table_memory.h"

// ---- the specification ----
static bool sensible(unsigned table, const uint64_t *w) {
  if (table != QUEUE || !(w[3] & 1)) return true;
  return w[0] % 64 == 0 && w[1] % 8 == 0 && w[2] % 8 == 0 && (w[3] >> 1 & 31) <= 16 && (!CACHE || (w[3] >> 6 & 3));
}

static unsigned number_of(unsigned p, unsigned table, unsigned i) {
  return table == QUEUE ? i + (p << BITS) : i + ((table + 2 * p) << BITS);
}

static line *line_of(unsigned p, unsigned table, unsigned i) {
  return &lines[table == QUEUE][number_of(p, table, i) % (CACHE ? CACHE : 1)];
}

static bool in_line(const line *l, unsigned p, unsigned table, unsigned i) {
  return l->full && l->p == p && l->table == table && l->i == i;
}

// ---- commands ----
// What a command does with its RetTable, which comes now or soon.
static void settle(tb *t, dut *d, unsigned p, unsigned table, unsigned i, bool read) {
  bool cached = CACHE && in_line(line_of(p, table, i), p, table, i);
  for (unsigned n = 0; !records && n < 200; n++) {
    elsewhere(t, d);
    cycle(t, d);
  }
  CHECK(t, records, "P4: RetTable comes");
  if (read) {
    const bool err = CACHE && !cached && rd_err;
    if (!err) memcpy(word, cached ? line_of(p, table, i)->e.w : memory[p][table][i].w, sizeof word);
    bad |= err;
    reads_lost += err;
  } else {
    memcpy(memory[p][table][i].w, word, sizeof word);
    if (CACHE) *line_of(p, table, i) = (line){.full = true, .p = p, .table = table, .i = i, .e = memory[p][table][i]};
    CHECK_EQ(t, last_forget, table == QUEUE, "P3: forgotten with the commit");
    if (table == QUEUE) CHECK_EQ(t, forget_place, number_of(p, table, i) % (CACHE ? CACHE : ~0u), "P3: place");
  }
  for (unsigned k = 0; k < 4; k++)
    CHECK_EQ(t, read_reg(t, d, W0 + 8 * k), word[k], "XT_W%u after a command: %u %u %u", k, p, table, i);
  CHECK_EQ(t, read_reg(t, d, STS), (uint64_t)bad << 1, "no longer busy");
  CHECK_EQ(t, read_reg(t, d, CMD), cmd, "XT_CMD");
}

// Writes XT_CMD; true if it must be taken.
static bool command_begins(tb *t, dut *d, unsigned p, unsigned table, unsigned i, bool read) {
  bool ok = p < PROCS && table < 3 && i < N && (read || sensible(table, word));
  const uint64_t before = cmd;
  cmd = i | (uint64_t)table << 16 | (uint64_t)p << 18 | (uint64_t)read << 31;
  const unsigned strobes = cmd == before ? 1u << rnd_below(t, 4) : rnd_chance(t, 50) ? 0xFF : 0x0F;  // the same: a byte
  write_reg(t, d, CMD, cmd | rnd(t) << 32 | (rnd(t) & 0x7FC00000), strobes);
  bad |= !ok;
  wr_coming = ok && !read && CACHE;
  if (wr_coming) {
    wr[wr_made % 64].va = at(p, table, i), wr[wr_made % 64].proc = p;
    for (unsigned k = 0; k < 8; k++) wr[wr_made % 64].words[k] = (uint32_t)(word[k / 2] >> 32 * (k % 2));
  }
  // RetTable may come in the next cycle, and the state is read in the one behind that.
  const uint64_t sts = read_reg(t, d, STS);
  CHECK_EQ(t, sts, (ok && !records) | (uint64_t)bad << 1, "P4: %s", ok ? "busy" : "refused");
  if (!ok) CHECK_EQ(t, read_reg(t, d, CMD), cmd, "XT_CMD, refused");
  return ok;
}

// Moves the tables of a process; what is in them stays. Not while one of them is read.
static void move_tables(tb *t, dut *d, unsigned p, unsigned strobes) {
  uint64_t v = rnd(t);
  write_reg(t, d, BASE + 128 * p, v, strobes);
  for (unsigned k = 0; k < 8 && p < PROCS; k++)
    if (strobes >> k & 1) base[p] = (base[p] & ~(255ull << 8 * k)) | (v & 255ull << 8 * k);
  CHECK_EQ(t, read_reg(t, d, BASE + 128 * p), p < PROCS ? base[p] : 0, "XT_BASE[%u]", p);
}

static void command(tb *t, dut *d, unsigned p, unsigned table, unsigned i, bool read) {
  const bool waits = rnd_chance(t, 20);  // for a look-up that may come
  dut_set_soon_i(d, waits);
  const bool ok = command_begins(t, d, p, table, i, read);
  if (ok && waits) write_reg(t, d, W0 + 8 * (unsigned)rnd_below(t, 4), rnd(t), 0xFF);  // ignored
  if (ok && waits) {
    write_reg(t, d, BASE + 128 * p, rnd(t), 0xFF);  // as well
    CHECK_EQ(t, read_reg(t, d, BASE + 128 * p), base[p], "TBL-3: XT_BASE of the command's process");
    if (PROCS > 1) move_tables(t, d, (p + 1) % PROCS, 0xFF);
  }
  dut_set_soon_i(d, 0);
  if (!ok) return;
  settle(t, d, p, table, i, read);
}

// Bytes that are not written are anything.
static uint64_t only(tb *t, uint64_t v, unsigned strobes) {
  for (unsigned k = 0; k < 8; k++)
    if (!(strobes >> k & 1)) v ^= rnd_bits(t, 8) << 8 * k;
  return v;
}

static void words(tb *t, dut *d, uint64_t a, uint64_t b, uint64_t c, uint64_t e) {
  const uint64_t w[4] = {a, b, c, e};
  unsigned first = (unsigned)rnd_below(t, 4);
  for (unsigned i = first; i < first + 4; i++) {
    const unsigned strobes = rnd_chance(t, 20) ? (unsigned)rnd_bits(t, 8) : 0xFF, reg = W0 + 8 * (i % 4);
    write_reg(t, d, reg, only(t, word[i % 4] = w[i % 4], strobes), strobes);
    if (strobes != 0xFF) write_reg(t, d, reg, only(t, w[i % 4], ~strobes), ~strobes & 0xFF);
  }
}

static void clear_bad(tb *t, dut *d) {
  write_reg(t, d, STS, rnd(t) & ~2ull, 0xFF);
  write_reg(t, d, STS, rnd(t) | 2, 0xFE);
  CHECK_EQ(t, read_reg(t, d, STS), (uint64_t)bad << 1, "BAD is not cleared");
  write_reg(t, d, STS, 2, 1);
  bad = false;
  CHECK_EQ(t, read_reg(t, d, STS), 0, "BAD cleared");
}

// ---- look-ups ----
// Through the caches: says what is found, and counts. Returns false if memory failed.
static bool through(unsigned p, unsigned table, unsigned i, const entry **e, bool *err) {
  line *l = line_of(p, table, i);
  *err = false;
  *e = &memory[p][table][i];
  if (!CACHE) return true;
  if (in_line(l, p, table, i)) {
    hits++;
    *e = &l->e;
    return true;
  }
  misses++;
  *err = failed[reads_seen++ % 4];
  if (*err) return false;
  *l = (line){.full = true, .p = p, .table = table, .i = i, .e = memory[p][table][i]};
  if (!sensible(table, l->e.w)) l->e.w[3] &= ~1ull;
  *e = &l->e;
  return true;
}

static void check_entry(tb *t, const uint32_t *got, const entry *want, const char *what) {
  for (unsigned k = 0; k < 8; k++)
    CHECK_EQ(t, got[k], (uint32_t)(want->w[k / 2] >> 32 * (k % 2)), "P1: %s, word %u", what, k);
}

static void look(tb *t, dut *d, unsigned p, bool ker, bool func, unsigned ki, bool que, unsigned qi, unsigned use) {
  uint32_t got[8];
  const entry *e;
  bool err, ok = true,
            hit = !CACHE || (((!ker || in_line(line_of(p, func, ki), p, func, ki))) &&
                             (!que || in_line(line_of(p, QUEUE, qi), p, QUEUE, qi)));
  unsigned n = 0;
  reads_here = reads_seen = 0;
  dut_set_look_valid_i(d, 1), dut_set_soon_i(d, 1);
  dut_set_look_proc_i(d, p);
  dut_set_look_ker_i(d, ker), dut_set_look_func_i(d, func), dut_set_look_kidx_i(d, ki);
  dut_set_look_que_i(d, que), dut_set_look_qidx_i(d, qi);
  for (bool taken = false; !taken && n < 100; n++) {
    dut_eval(d);
    taken = dut_get_look_ready_o(d);
    cycle(t, d);
  }
  dut_set_look_valid_i(d, 0), dut_set_soon_i(d, 0);
  dut_set_look_proc_i(d, 0);
  dut_set_look_kidx_i(d, rnd(t)), dut_set_look_qidx_i(d, rnd(t));
  dut_set_hold_i(d, 1);
  bool read = !sensible(QUEUE, word) || rnd_chance(t, 50), early;
  dut_eval(d);
  early = !dut_get_found_o(d) && rnd_chance(t, 30);
  if (early) {  // what is being looked for is in use already
    dut_set_hold_i(d, 0);
    command_begins(t, d, p, QUEUE, qi, read);
  }
  for (n = 1 + early; dut_eval(d), !dut_get_found_o(d) && n < 300; n++) {
    cycle(t, d);
    CHECK(t, !records, "P2: RetTable while a look-up is under way");
  }
  dut_set_hold_i(d, 1);
  dut_eval(d);
  if (hit) CHECK_EQ(t, n, 1, "latency of a hit");
  CHECK(t, dut_get_found_o(d), "found");
  if (ker) {
    ok = through(p, func, ki, &e, &err);
    CHECK_EQ(t, dut_get_ker_err_o(d), err, "kernel: err");
    CHECK_EQ(t, dut_get_ker_ok_o(d), ok && e->w[3] & 1, "P1: kernel %u %u %u valid", p, func, ki);
    dut_get_ker_o(d, got);
    ok = ok && (e->w[3] & 1);
    if (ok) check_entry(t, got, e, "kernel");
  }
  if (que && ok) {
    ok = through(p, QUEUE, qi, &e, &err);
    CHECK_EQ(t, dut_get_que_err_o(d), err, "queue: err");
    CHECK_EQ(t, dut_get_que_ok_o(d), ok && e->w[3] & 1, "P1: queue %u %u valid", p, qi);
    CHECK_EQ(t, dut_get_que_place_o(d), number_of(p, QUEUE, qi) % (CACHE ? CACHE : ~0u), "place");
    dut_get_que_o(d, got);
    if (ok && (e->w[3] & 1)) check_entry(t, got, e, "queue");
  }
  // In use: a command waits, another is refused meanwhile, and what was found stays.
  bool command_too = use > 1 && !early && rnd_chance(t, 50);
  uint32_t before[8], after[8];
  dut_get_que_o(d, before);
  if (command_too) {
    command_begins(t, d, p, QUEUE, qi, read);
    write_reg(t, d, CMD, FUNCTION << 16, 0xFF), bad = true;
    CHECK_EQ(t, read_reg(t, d, STS), 3, "P4: one at a time: the second command is refused");
    CHECK_EQ(t, read_reg(t, d, CMD), cmd, "P4: and the first one stays");
  }
  for (use++; use; use--) {
    cycle(t, d);
    CHECK(t, !records, "P2: RetTable while something found is in use");
    dut_get_que_o(d, after);
    CHECK_MEM(t, after, before, sizeof after, "what was found stays");
  }
  dut_set_hold_i(d, 0);
  if (command_too || early) settle(t, d, p, QUEUE, qi, read);
  if (CACHE)
    CHECK(t, counted_hits == hits && counted_misses == misses, "P6: %u hits, %u misses, want %u, %u",
          (unsigned)counted_hits, (unsigned)counted_misses, (unsigned)hits, (unsigned)misses);
}

static uint64_t flags(unsigned size, bool valid) { return valid | size << 1 | (CACHE ? 1u << 7 : 0); }

// A queue's entry that is wrong in one bit, or in its size; behind a cache also one that does not follow memory.
enum { WRONGS = 6 + 3 + 3 + 15 + (CACHE != 0) };
static entry wrong(unsigned k) {
  entry e = {{0, 0, 0, 1 | 1 << 7}};
  if (k < 6) e.w[0] = 1u << k;
  if (k >= 6 && k < 9) e.w[1] = 1u << (k - 6);
  if (k >= 9 && k < 12) e.w[2] = 1u << (k - 9);
  if (k >= 12) e.w[3] = k == 27 ? 1 : e.w[3] | (k + 5) << 1;
  return e;
}

// Registers of others, with something in all of ours.
static void not_ours(tb *t, dut *d) {
  words(t, d, ~0ull, ~0ull, ~0ull, ~0ull);
  write_reg(t, d, CMD, 3 << 16, 0xFF), bad = true, cmd = 3 << 16;
  for (unsigned q = 0; q < 16; q++) move_tables(t, d, q, 0xFF);
  for (unsigned bit = 3; bit < 20; bit++) {
    static const unsigned ours[] = {W0, W0 + 8, W0 + 16, W0 + 24, CMD, STS, BASE};
    for (unsigned k = 0; k < 7; k++) {
      unsigned reg = ours[k] ^ 1u << bit;
      bool other = (reg < W0 || reg > STS) && ((reg - BASE) % 128 || reg < BASE || reg >= BASE + 128 * PROCS);
      if (!other) continue;
      CHECK_EQ(t, read_reg(t, d, reg), 0, "not ours: %x", reg);
      write_reg(t, d, reg, 0, 0xFF);
      for (unsigned i = 0; i < 4; i++) CHECK_EQ(t, read_reg(t, d, W0 + 8 * i), word[i], "XT_W%u", i);
    }
  }
  for (unsigned q = 0; q < PROCS; q++) CHECK_EQ(t, read_reg(t, d, BASE + 128 * q), base[q], "XT_BASE[%u]", q);
  clear_bad(t, d);
}

static void scenarios(tb *t, dut *d) {
  unsigned p = PROCS - 1, i = N - 1;
  look(t, d, p, true, false, i, true, i, 0);  // nothing is valid
  words(t, d, 0x1111, 0x2222, 0x3333, 3);
  command(t, d, p, KERNEL, i, false);
  look(t, d, p, true, false, i, true, i, 3);
  for (unsigned k = 0; k < 12; k++) command(t, d, p, KERNEL, i, true);
  words(t, d, 64, 8, 16, flags(16, true));
  command(t, d, p, QUEUE, i, false);
  look(t, d, p, true, false, i, true, i, 0);
  look(t, d, p, true, true, i, true, i, 0);  // the function is another table
  words(t, d, 128, 8, 16, flags(3, true));
  command(t, d, p, QUEUE, 0, false);
  look(t, d, p, false, false, 0, true, 0, 0);
  look(t, d, p, false, false, 0, true, i, 2);

  // Each refused queue: nothing changes.
  for (unsigned k = 0; k < WRONGS; k++) {
    entry e = wrong(k);
    words(t, d, e.w[0], e.w[1], e.w[2], e.w[3]);
    command(t, d, p, QUEUE, i, false);
    clear_bad(t, d);
    look(t, d, p, false, false, 0, true, i, 0);
  }
  words(t, d, 33, 3, 3, 62);
  command(t, d, p, QUEUE, i, false);  // not valid: may hold anything
  look(t, d, p, false, false, 0, true, i, 0);
  for (unsigned k = 0; k < 6; k++) {
    words(t, d, rnd(t), rnd(t), rnd(t), rnd(t) & ~1ull);
    command(t, d, p, QUEUE, i, false);
    command(t, d, p, QUEUE, i, true);
  }
  for (unsigned q = PROCS; q < 16; q++) command(t, d, q, KERNEL, 0, false), clear_bad(t, d);
  command(t, d, p, 3, 0, false), clear_bad(t, d);
  for (unsigned bit = BITS; bit < 16; bit++) command(t, d, p, KERNEL, 1u << bit, false), clear_bad(t, d);
  command(t, d, p, KERNEL, 0x8000, true), clear_bad(t, d);
  write_reg(t, d, CMD, 0x8000FFFF, 0xF0);  // no byte of the command
  CHECK_EQ(t, read_reg(t, d, STS), 0, "no command");

  // What may come holds up a command, and need not come.
  words(t, d, 5, 6, 8, 1);
  dut_set_soon_i(d, 1);
  command_begins(t, d, 0, FUNCTION, 1, false);
  for (unsigned k = 0; k < 20; k++) {
    cycle(t, d);
    CHECK(t, !records, "P2: RetTable while a look-up may come");
  }
  dut_set_soon_i(d, 0);
  settle(t, d, 0, FUNCTION, 1, false);

  // A commit between two look-ups is seen by the second.
  words(t, d, 5, 6, 7, 1);
  command(t, d, 0, FUNCTION, 1, false);
  look(t, d, 0, true, true, 1, false, 0, 0);
}

// Memory that software has spoilt: what makes no sense is not valid. Another queue of the same line is looked at first,
// so that the entry comes from memory.
static void spoilt(tb *t, dut *d, unsigned p) {
  for (unsigned k = 0; k < WRONGS; k++) {
    look(t, d, p, false, false, 0, true, (unsigned)(N - 1 - CACHE), 0);
    memory[p][QUEUE][N - 1] = wrong(k);
    look(t, d, p, false, false, 0, true, N - 1, 0);
  }
}

// Writes that are not taken, and then many of which none leaves: none is lost, and a read waits for all of them.
static void backlog(tb *t, dut *d, unsigned p) {
  for (unsigned i = 0; i < 12; i++) {
    if (i == 0) wr_hold = 120;
    if (i == 3) left_hold = 250;
    if (i == 1) move_tables(t, d, p, 0xFF);  // the first commit has not been written
    words(t, d, rnd(t), rnd(t), rnd(t), rnd(t));
    command(t, d, p, FUNCTION, (unsigned)rnd_below(t, N), false);
  }
  for (unsigned i = 0; i < N; i++) look(t, d, p, true, true, i, false, 0, 0);
}

// After reset nothing is valid nor known, whoever's tables are placed first. The last one's are looked at where they
// are without that: at 0.
static void begin(tb *t, dut *d) {
  unsigned n = 0, first = (unsigned)rnd_below(t, PROCS);
  dut_set_cfg_rid_i(d, rid = rnd_bits(t, 16));
  dut_reset(d, 2);
  memset(lines, 0, sizeof lines), memset(base, 0, sizeof base), memset(word, 0, sizeof word);
  if (!CACHE) memset(memory, 0, sizeof memory);
  cmd = forgets = 0, bad = false;
  for (; dut_eval(d), !dut_get_look_ready_o(d) && n < 5000; n++) cycle(t, d);
  CHECK(t, forgets >= (CACHE ? CACHE : PROCS * N), "P3: all places are forgotten after reset, %u", (unsigned)forgets);
  for (unsigned reg = W0; reg <= STS; reg += 8) CHECK_EQ(t, read_reg(t, d, reg), 0, "after reset: %x", reg);
  for (n = 0; n < PROCS; n++) {
    const unsigned p = (first + n) % PROCS;
    if (n == PROCS - 1) look(t, d, p, false, false, 0, true, (unsigned)rnd_below(t, N), 0);
    for (unsigned k = 0; !quiet() && k < 1000; k++) cycle(t, d);
    base[p] = p == 0 ? 0xFFFFFFFFFFFFF000 - 64 * 3 * N : rnd(t);
    write_reg(t, d, BASE + 128 * p, base[p], 0xFF);
    for (unsigned q = 0; q < PROCS; q++) CHECK_EQ(t, read_reg(t, d, BASE + 128 * q), base[q], "XT_BASE[%u]", q);
  }
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_table", 36000);
  dut *d = dut_begin(&t);
  begin(&t, d);
  scenarios(&t, d);
  not_ours(&t, d);
  if (CACHE && CACHE < N) spoilt(&t, d, PROCS - 1);
  backlog(&t, d, 0);
  unsigned p = 0, i = 0, j = 0;
  while (dut_cycle(d) < t.cycles && !t.failures) {
    if (rnd_chance(&t, 80)) p = (unsigned)rnd_below(&t, PROCS), i = (unsigned)rnd_below(&t, N);
    if (rnd_chance(&t, 70)) j = (unsigned)rnd_below(&t, N);
    if (rnd_chance(&t, 10)) ready_pct = rnd_chance(&t, 50) ? 100 : 30, fail_pct = rnd_chance(&t, 30) ? 20 : 0;
    if (rnd_chance(&t, 30)) {
      unsigned table = (unsigned)rnd_below(&t, 3);
      bool wild = rnd_chance(&t, 10);
      words(&t, d, wild ? rnd(&t) : rnd(&t) & ~63ull, wild ? rnd(&t) : rnd(&t) & ~7ull, rnd(&t) & ~7ull,
            wild ? rnd(&t) : (rnd(&t) & ~0xFFull) | flags((unsigned)rnd_below(&t, 17), rnd_chance(&t, 85)));
      command(&t, d, p, table, i, false);
    } else if (rnd_chance(&t, 10)) {
      command(&t, d, p, (unsigned)rnd_below(&t, 3), i, true);
    } else {
      bool ker = rnd_chance(&t, 80);
      look(&t, d, p, ker, rnd_chance(&t, 50), i, !ker || rnd_chance(&t, 70), j,
           rnd_chance(&t, 20) ? 1 + (unsigned)rnd_below(&t, 5) : 0);
    }
    if (bad && rnd_chance(&t, 30)) clear_bad(&t, d);
    if (rnd_chance(&t, 3))
      move_tables(&t, d, (unsigned)rnd_below(&t, 16), (unsigned)rnd_bits(&t, 8) | (rnd_chance(&t, 50) ? 0xFF : 0));
    if (rnd_chance(&t, 1) && quiet()) begin(&t, d);
    if (CACHE && rnd_chance(&t, 5)) {  // memory that software has spoilt: what makes no sense is not valid
      entry *e = &memory[p][QUEUE][i];
      if (quiet() && !in_line(line_of(p, QUEUE, i), p, QUEUE, i)) *e = wrong((unsigned)rnd_below(&t, WRONGS));
    }
  }
  if (CACHE)
    CHECK(&t, hits > 50 && misses > 200 && writes > 100, "%u hits, %u misses, %u writes", (unsigned)hits,
          (unsigned)misses, (unsigned)writes);
  if (CACHE) CHECK(&t, reads_lost > 0, "no READ that memory failed");
  if (!CACHE) CHECK_EQ(&t, reads + writes, 0, "on-chip tables do not touch memory");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
