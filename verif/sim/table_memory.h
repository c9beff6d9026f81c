// SPDX-License-Identifier: Apache-2.0
// Memory and register bus of test_xtq_table: one cycle, in which memory answers what xtq_table reads and looks at what
// it writes, and what is counted and recorded is kept for the test. Included after the generated header, whose
// functions it calls.
#ifndef TOCSIN_TABLE_MEMORY_H
#define TOCSIN_TABLE_MEMORY_H

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
static uint64_t rd_va, hits, misses, reads, reads_lost, writes, forgets, counted_hits, counted_misses, left_due;
static unsigned wr_hold, left_hold;  // cycles in which no write is taken, none of them leaves
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

// All that was written has left.
static bool quiet(void) { return !left_due && wr_items == wr_made && wr_jobs == wr_made; }

static void cycle(tb *t, dut *d) {
  uint32_t job[(NIC_DMA_T_W + 31) / 32], b[(NIC_BYTES_T_W + 31) / 32], ret[(NIC_RETIRE_T_W + 31) / 32];
  unsigned p = 0, table = 0, i = 0;
  bool answer = rd_busy && !rd_delay, done = left_due && !left_delay && !left_hold, takes = !wr_hold;
  if (rd_delay) rd_delay--;
  if (left_delay) left_delay--;
  if (left_hold) left_hold--;
  if (wr_hold) wr_hold--;
  rnd_words(t, b, NIC_BYTES_T_W);  // also when there is none
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
  dut_set_wr_ready_i(d, takes && rnd_chance(t, ready_pct));
  dut_set_wdata_ready_i(d, takes && rnd_chance(t, ready_pct));
  dut_eval(d);
  if (done) left_due--, left_delay = (unsigned)rnd_below(t, 9);
  if (answer && dut_get_rdata_ready_o(d)) {
    rd_at += BB;
    if (rd_at >= 32) rd_busy = false;
    rd_delay = rnd_chance(t, 30) ? (unsigned)rnd_below(t, 4) : 0;
  }
  if (dut_get_rd_valid_o(d) && dut_get_rd_ready_i(d)) {
    dut_get_rd_o(d, job);
    rd_va = bits_get(job, NIC_DMA_T_VA_LSB, 64);
    CHECK(t, CACHE && !rd_busy && find(rd_va, &p, &table, &i), "read of %llx", (unsigned long long)rd_va);
    CHECK_EQ(t, bits_get(job, NIC_DMA_T_OP_LSB, NIC_DMA_T_OP_W), NIC_K_DmaRead, "operation");
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

#endif
