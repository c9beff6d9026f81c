// SPDX-License-Identifier: Apache-2.0
// xtq_table against three arrays a process: what was last committed is what is found, in the cycle after a commit and
// in every later one, on-chip or through caches of few lines, whose hits, misses, reads and writes are counted as well.
// Every reason to refuse a command by itself; commits that wait while something found is in use; memory that fails;
// then commands and look-ups at random. What is read or written is on the bus in the cycle before, another address
// before that.
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

enum {
  PROCS = P_NumProcs,
  BITS = P_TableBits,
  N = 1 << BITS,
  CACHE = P_TableCache,
  BB = NIC_K_BeatBytes,
  W0 = 0xA000,
  CMD = 0xA020,
  STS = 0xA028,
  BASE = 0x8048,
  KERNEL = 0,
  FUNCTION = 1,
  QUEUE = 2
};
typedef struct entry {
  uint64_t w[4];
} entry;
typedef struct line {
  bool full;
  unsigned p, table, i;
  entry e;
} line;

static entry memory[16][3][N];  // cached: what is in memory; on-chip: the tables
static line lines[2][CACHE + 1];
static uint64_t base[16], word[4], cmd, rid;
static bool bad;
static unsigned ready_pct = 100, fail_pct;

// What is under way at the ports.
static bool rd_busy, rd_err, failed[4];  // failed: the reads of this look-up
static uint64_t rd_va, hits, misses, reads, writes, forgets, counted_hits, counted_misses, left_due;
static unsigned rd_at, rd_delay, wr_at, left_delay, wr_made, wr_jobs, wr_items, reads_here, reads_seen;
static struct {
  uint64_t va;
  unsigned proc;
  uint32_t words[8];
} wr[64];               // what commits write, in order
static bool wr_coming;  // with the next RetTable
static bool records, last_forget;
static unsigned forget_place;

static uint64_t at(unsigned p, unsigned table, unsigned i) { return base[p] + 64 * (i + ((uint64_t)table << BITS)); }

static bool find(uint64_t va, unsigned *p, unsigned *table, unsigned *i) {
  for (*p = 0; *p < PROCS; ++*p)
    for (*table = 0; *table < 3; ++*table)
      for (*i = 0; *i < N; ++*i)
        if (at(*p, *table, *i) == va) return true;
  return false;
}

static void cycle(tb *t, dut *d) {
  uint32_t job[(NIC_DMA_T_W + 31) / 32], b[(NIC_BYTES_T_W + 31) / 32] = {0}, ret[(NIC_RETIRE_T_W + 31) / 32];
  unsigned p = 0, table = 0, i = 0;
  bool answer = rd_busy && !rd_delay, done = left_due && !left_delay;
  if (rd_delay) rd_delay--;
  if (left_delay) left_delay--;
  if (answer && find(rd_va, &p, &table, &i)) {
    bits_set(b, NIC_BYTES_T_LAST_LSB, 1, rd_at + BB >= 32);
    bits_set(b, NIC_BYTES_T_ERR_LSB, 1, rd_err && !rd_at);
    bits_set(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, BB < 32 ? BB : 32);
    for (unsigned k = rd_at / 8; k < 4 && k < (rd_at + BB) / 8; k++)
      bits_set(b, NIC_BYTES_T_DATA_LSB + 64 * (k - rd_at / 8), 64, rd_err ? rnd(t) : memory[p][table][i].w[k]);
  }
  dut_set_rdata_valid_i(d, answer);
  dut_set_rdata_i(d, b);
  dut_set_wr_done_i(d, done);
  dut_set_rd_ready_i(d, rnd_chance(t, ready_pct));
  dut_set_wr_ready_i(d, rnd_chance(t, ready_pct));
  dut_set_wdata_ready_i(d, rnd_chance(t, ready_pct));
  dut_eval(d);
  if (done) left_due--, left_delay = (unsigned)rnd_below(t, 9);
  if (answer && dut_get_rdata_ready_o(d)) {
    rd_at += BB;
    if (rd_at >= 32) rd_busy = false;
  }
  if (dut_get_rd_valid_o(d) && dut_get_rd_ready_i(d)) {
    dut_get_rd_o(d, job);
    rd_va = bits_get(job, NIC_DMA_T_VA_LSB, 64);
    CHECK(t, CACHE && !rd_busy && find(rd_va, &p, &table, &i), "read of %llx", (unsigned long long)rd_va);
    CHECK(t, !left_due && wr_jobs == wr_made && wr_items == wr_made, "P5: a read before the writes have left");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W), 32, "length");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_RID_LSB, 16), (rid + p) & 0xffff, "requester id");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_SRC_LSB, 8), NIC_K_SrcTable, "source");
    rd_busy = true, rd_at = 0, rd_delay = (unsigned)rnd_below(t, 9), rd_err = rnd_chance(t, fail_pct);
    failed[reads_here++ % 4] = rd_err;
    reads++;
  }
  if (dut_get_wr_valid_o(d) && dut_get_wr_ready_i(d)) {
    dut_get_wr_o(d, job);
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_VA_LSB, 64), wr[wr_jobs % 64].va, "address of the write");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_LEN_LSB, NIC_DMA_T_LEN_W), 32, "length");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_RID_LSB, 16), (rid + wr[wr_jobs % 64].proc) & 0xffff, "requester id");
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_SRC_LSB, 8), NIC_K_SrcTable, "source");
    CHECK(t, wr_jobs < wr_made, "a write that nobody asked for");
    writes++, wr_jobs++, left_due++, left_delay = 2 + (unsigned)rnd_below(t, 9);
  }
  if (dut_get_wdata_valid_o(d) && dut_get_wdata_ready_i(d)) {
    dut_get_wdata_o(d, b);
    unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W);
    CHECK(t, wr_items < wr_made && n == (BB < 32 ? BB : 32) && wr_at + n <= 32, "bytes of a write");
    for (unsigned k = 0; k < n / 4 && wr_at + n <= 32; k++)
      CHECK_EQ(t, bits_get(b, NIC_BYTES_T_DATA_LSB + 32 * k, 32), wr[wr_items % 64].words[wr_at / 4 + k], "word %u",
               wr_at / 4 + k);
    wr_at += n;
    CHECK_EQ(t, bits_get(b, NIC_BYTES_T_LAST_LSB, 1), wr_at == 32, "last");
    if (wr_at == 32) wr_items++, wr_at = 0;
  }
  counted_hits += (dut_get_hits_o(d) & 1) + (dut_get_hits_o(d) >> 1);
  counted_misses += (dut_get_misses_o(d) & 1) + (dut_get_misses_o(d) >> 1);
  records = dut_get_ret_valid_o(d);
  if (records) {
    dut_get_ret_o(d, ret);
    CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_KIND_LSB, NIC_RETIRE_T_KIND_W), NIC_E_RetTable, "record");
    CHECK_EQ(t, bits_get(ret, NIC_RETIRE_T_A_LSB, 64), cmd, "record: a");
    wr_made += wr_coming;
  }
  last_forget = dut_get_forget_o(d), forget_place = (unsigned)dut_get_forget_place_o(d);
  forgets += last_forget;
  dut_tick(d);
  REG_BUS_SET(d, WE, 0);
}

static void elsewhere(tb *t, dut *d) {
  REG_BUS_SET(d, ADDR,
              rnd_chance(t, 40)   ? 0xA000u >> 3 | rnd_bits(t, 3)
              : rnd_chance(t, 50) ? 0x8000u >> 3 | rnd_bits(t, 8)
                                  : rnd_bits(t, 17));
}

static uint64_t read_reg(tb *t, dut *d, unsigned reg) {
  REG_BUS_SET(d, ADDR, reg >> 3);
  cycle(t, d);
  dut_eval(d);
  const uint64_t got = dut_get_rb_rdata_o(d);
  elsewhere(t, d);
  return got;
}

static void write_reg(tb *t, dut *d, unsigned reg, uint64_t v, unsigned strobes) {
  if (rnd_chance(t, 30)) cycle(t, d);
  REG_BUS_SET(d, ADDR, reg >> 3);
  cycle(t, d);
  dut_set_rb_i(d, reg_bus_of(reg, true, v, strobes).words);
  cycle(t, d);
  elsewhere(t, d);
}

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
    const uint64_t *want = cached ? line_of(p, table, i)->e.w : memory[p][table][i].w;
    for (unsigned k = 0; k < 4; k++) {
      uint64_t got = read_reg(t, d, W0 + 8 * k);
      if (cached || !CACHE || !rd_err) CHECK_EQ(t, got, want[k], "XT_W%u of %u %u %u", k, p, table, i);
      word[k] = got;
    }
  } else {
    memcpy(memory[p][table][i].w, word, sizeof word);
    if (CACHE) *line_of(p, table, i) = (line){.full = true, .p = p, .table = table, .i = i, .e = memory[p][table][i]};
    CHECK_EQ(t, last_forget, table == QUEUE, "P3: forgotten with the commit");
    if (table == QUEUE) CHECK_EQ(t, forget_place, number_of(p, table, i) % (CACHE ? CACHE : ~0u), "P3: place");
  }
  for (unsigned k = 0; k < 4; k++) CHECK_EQ(t, read_reg(t, d, W0 + 8 * k), word[k], "TBL-3: XT_W%u after a command", k);
  CHECK_EQ(t, read_reg(t, d, STS), (uint64_t)bad << 1, "no longer busy");
  CHECK_EQ(t, read_reg(t, d, CMD), cmd, "XT_CMD");
}

// Writes XT_CMD; true if it must be taken.
static bool command_begins(tb *t, dut *d, unsigned p, unsigned table, unsigned i, bool read) {
  bool ok = p < PROCS && table < 3 && i < N && (read || sensible(table, word));
  cmd = i | (uint64_t)table << 16 | (uint64_t)p << 18 | (uint64_t)read << 31;
  write_reg(t, d, CMD, cmd | rnd(t) << 32 | (rnd(t) & 0x7FC00000), rnd_chance(t, 50) ? 0xFF : 0x0F);
  bad |= !ok;
  wr_coming = ok && !read && CACHE;
  if (wr_coming) {
    wr[wr_made % 64].va = at(p, table, i), wr[wr_made % 64].proc = p;
    for (unsigned k = 0; k < 8; k++) wr[wr_made % 64].words[k] = (uint32_t)(word[k / 2] >> 32 * (k % 2));
  }
  // RetTable may come in the next cycle, and the state is read in the one behind that.
  const uint64_t sts = read_reg(t, d, STS);
  CHECK_EQ(t, sts, (ok && !records) | (uint64_t)bad << 1, "P4: %s", ok ? "busy" : "refused");
  return ok;
}

static void command(tb *t, dut *d, unsigned p, unsigned table, unsigned i, bool read) {
  const bool waits = rnd_chance(t, 20);  // for a look-up that may come
  dut_set_soon_i(d, waits);
  const bool ok = command_begins(t, d, p, table, i, read);
  if (ok && waits) write_reg(t, d, W0 + 8 * (unsigned)rnd_below(t, 4), rnd(t), 0xFF);  // ignored
  dut_set_soon_i(d, 0);
  if (!ok) return;
  settle(t, d, p, table, i, read);
}

static void words(tb *t, dut *d, uint64_t a, uint64_t b, uint64_t c, uint64_t e) {
  const uint64_t w[4] = {a, b, c, e};
  unsigned first = (unsigned)rnd_below(t, 4);
  for (unsigned i = first; i < first + 4; i++) write_reg(t, d, W0 + 8 * (i % 4), word[i % 4] = w[i % 4], 0xFF);
}

// Moves the tables of a process; what is in them stays. Only while nothing is under way.
static void move_tables(tb *t, dut *d, unsigned p, unsigned strobes) {
  uint64_t v = rnd(t);
  write_reg(t, d, BASE + 128 * p, v, strobes);
  for (unsigned k = 0; k < 8 && p < PROCS; k++)
    if (strobes >> k & 1) base[p] = (base[p] & ~(255ull << 8 * k)) | (v & 255ull << 8 * k);
  CHECK_EQ(t, read_reg(t, d, BASE + 128 * p), p < PROCS ? base[p] : 0, "XT_BASE[%u]", p);
}

static void clear_bad(tb *t, dut *d) {
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
    if (ok) CHECK_EQ(t, dut_get_ker_ok_o(d), e->w[3] & 1, "P1: kernel %u %u %u valid", p, func, ki);
    dut_get_ker_o(d, got);
    ok = ok && (e->w[3] & 1);
    if (ok) check_entry(t, got, e, "kernel");
  }
  if (que && ok) {
    ok = through(p, QUEUE, qi, &e, &err);
    CHECK_EQ(t, dut_get_que_err_o(d), err, "queue: err");
    if (ok) CHECK_EQ(t, dut_get_que_ok_o(d), e->w[3] & 1, "P1: queue %u %u valid", p, qi);
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

// A queue's entry that is wrong in one bit, or in its size.
enum { WRONGS = 6 + 3 + 3 + 15 };
static entry wrong(unsigned k) {
  entry e = {{0, 0, 0, 1 | 1 << 7}};
  if (k < 6) e.w[0] = 1u << k;
  if (k >= 6 && k < 9) e.w[1] = 1u << (k - 6);
  if (k >= 9 && k < 12) e.w[2] = 1u << (k - 9);
  if (k >= 12) e.w[3] |= (k + 5) << 1;
  return e;
}

// Registers of others, with something in all of ours.
static void not_ours(tb *t, dut *d) {
  words(t, d, ~0ull, ~0ull, ~0ull, ~0ull);
  write_reg(t, d, CMD, 3 << 16, 0xFF), bad = true, cmd = 3 << 16;
  for (unsigned p = 0; p < 16; p++) move_tables(t, d, p, 0xFF);
  for (unsigned bit = 3; bit < 20; bit++) {
    static const unsigned ours[] = {W0, W0 + 8, W0 + 16, W0 + 24, CMD, STS};
    for (unsigned k = 0; k < 6; k++) {
      unsigned reg = ours[k] ^ 1u << bit;
      bool other = (reg < W0 || reg > STS) && ((reg - BASE) % 128 || reg < BASE || reg >= BASE + 128 * PROCS);
      if (!other) continue;
      CHECK_EQ(t, read_reg(t, d, reg), 0, "not ours: %x", reg);
      write_reg(t, d, reg, 0, 0xFF);
      for (unsigned i = 0; i < 4; i++) CHECK_EQ(t, read_reg(t, d, W0 + 8 * i), word[i], "XT_W%u", i);
    }
  }
  clear_bad(t, d);
}

static void scenarios(tb *t, dut *d) {
  unsigned p = PROCS - 1, i = N - 1;
  look(t, d, p, true, false, i, true, i, 0);  // nothing is valid
  words(t, d, 0x1111, 0x2222, 0x3333, 3);
  command(t, d, p, KERNEL, i, false);
  look(t, d, p, true, false, i, true, i, 3);
  command(t, d, p, KERNEL, i, true);
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
  words(t, d, 64, 8, 8, 1);
  command(t, d, p, QUEUE, i, false);  // behind a cache it must follow memory
  if (CACHE) clear_bad(t, d);
  words(t, d, 33, 3, 3, 62);
  command(t, d, p, QUEUE, i, false);  // not valid: may hold anything
  look(t, d, p, false, false, 0, true, i, 0);
  if (PROCS < 16) command(t, d, PROCS, KERNEL, 0, false), clear_bad(t, d);
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

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "xtq_table", 30000);
  dut *d = dut_begin(&t);
  dut_set_cfg_rid_i(d, rid = rnd_bits(&t, 16));
  dut_reset(d, 2);
  unsigned n = 0;
  dut_set_look_valid_i(d, 0);
  for (; dut_eval(d), !dut_get_look_ready_o(d) && n < 5000; n++) cycle(&t, d);
  CHECK(&t, forgets >= (CACHE ? CACHE : PROCS * N), "P3: all places are forgotten after reset, %u", (unsigned)forgets);
  for (unsigned p = 0; p < PROCS; p++) {
    base[p] = p == 0 ? 0xFFFFFFFFFFFFF000 - 64 * 3 * N : rnd(&t);
    write_reg(&t, d, BASE + 128 * p, base[p], 0xFF);
    CHECK_EQ(&t, read_reg(&t, d, BASE + 128 * p), base[p], "XT_BASE");
  }
  scenarios(&t, d);
  not_ours(&t, d);
  unsigned p = 0, i = 0, j = 0;
  while (dut_cycle(d) < t.cycles && !t.failures) {
    if (rnd_chance(&t, 80)) p = (unsigned)rnd_below(&t, PROCS), i = (unsigned)rnd_below(&t, N);
    if (rnd_chance(&t, 70)) j = (unsigned)rnd_below(&t, N);
    if (rnd_chance(&t, 2)) ready_pct = rnd_chance(&t, 50) ? 100 : 30, fail_pct = rnd_chance(&t, 30) ? 20 : 0;
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
    if (rnd_chance(&t, 3) && !left_due && wr_items == wr_made && wr_jobs == wr_made)
      move_tables(&t, d, (unsigned)rnd_below(&t, 16), (unsigned)rnd_bits(&t, 8) | (rnd_chance(&t, 50) ? 0xFF : 0));
    if (CACHE && rnd_chance(&t, 5)) {  // memory that software has spoilt: what makes no sense is not valid
      entry *e = &memory[p][QUEUE][i];
      if (!in_line(line_of(p, QUEUE, i), p, QUEUE, i) && !left_due && wr_items == wr_made)
        *e = wrong((unsigned)rnd_below(&t, WRONGS));
    }
  }
  if (CACHE)
    CHECK(&t, hits > 50 && misses > 200 && writes > 100, "%u hits, %u misses, %u writes", (unsigned)hits,
          (unsigned)misses, (unsigned)writes);
  if (!CACHE) CHECK_EQ(&t, reads + writes, 0, "on-chip tables do not touch memory");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
