// SPDX-License-Identifier: Apache-2.0
// aa_log_table: scenarios of opening, refusing and closing with the WHY that LOG_STS must show, then random writes with
// odd strobes. A reference written from the specification goes along, and every cycle looks up an IUID and one log's
// entry.
// Rules of rtl/aa/README.md: LOG-8, LOG-9, LOG-11.
// config: default -GNumLogs=8 -GScratchWords=16
// config: one -GNumLogs=1 -GScratchWords=1
// config: odd -GNumLogs=5 -GScratchWords=40
// config: all -GNumLogs=32 -GScratchWords=64
// netlist: odd
#include <string.h>

#include "tb.h"
#include "aa_log_table_tb.h"
#include "reg_bus.h"

enum { Logs = P_NumLogs, Scratch = P_ScratchWords, None = -1 };
enum { WhySize = 1, WhyAlign, WhyHigh, WhyDup, WhyPtr, WhyMsi, WhyScratch, WhyClosing };

static const uint64_t En = 1ULL << 63, Drop = 1 << 24, Ptr = 1 << 25, Msi = 1 << 26, Scr = 1 << 27, Task = 1 << 28;

static struct {
  struct {
    uint64_t base, cfg;  // cfg as LOG_CFG reads, without EN
    bool open, closing, written;
    unsigned why;
  } log[Logs];
  uint64_t ptr_ok, msi_ok;
  unsigned why_seen, opened, hits;
  uint64_t was;  // address and page a cycle ago: what is read belongs to them
  unsigned was_page;
} r;

static uint64_t at_base(unsigned n) { return 0x2000 + 64ULL * n; }
static uint64_t at_cfg(unsigned n) { return at_base(n) + 8; }
static uint64_t at_sts(unsigned n) { return at_base(n) + 0x30; }
static uint64_t cfg_of(unsigned iuid, unsigned size, uint64_t flags) { return iuid | (uint64_t)size << 16 | flags; }
static unsigned iuid_of(unsigned n) { return r.log[n].cfg & 1023; }
static unsigned size_of(unsigned n) { return r.log[n].cfg >> 16 & 31; }

static uint64_t ref_read(uint64_t addr) {
  unsigned n = (unsigned)(addr - 0x2000) / 64;
  if (addr < 0x2000 || n >= Logs) return 0;
  switch (addr & 63) {
    case 0: return r.log[n].base;
    case 8: return r.log[n].cfg | (r.log[n].open ? En : 0);
    case 0x30: return r.log[n].why << 4 | (unsigned)r.log[n].closing << 1 | r.log[n].open;
    default: return 0;
  }
}

static uint64_t merge(uint64_t old, uint64_t data, unsigned strb) {
  for (unsigned b = 0; b < 8; b++)
    if (strb >> b & 1) old = (old & ~(0xffULL << 8 * b)) | (data & 0xffULL << 8 * b);
  return old;
}

// Why log n may not open as it stands, 0 if it may: the first that fails, in the order of the register's description.
static unsigned refusal(unsigned n) {
  unsigned size = size_of(n);
  if (size < 6 || size > 30) return WhySize;
  if (r.log[n].base % (1ULL << size)) return WhyAlign;
  if (r.log[n].base >> 48) return WhyHigh;
  for (unsigned i = 0; i < Logs; i++)
    if (i != n && r.log[i].open && iuid_of(i) == iuid_of(n)) return WhyDup;
  if (r.log[n].cfg & Ptr && !(r.ptr_ok >> n & 1)) return WhyPtr;
  if (r.log[n].cfg & Msi && !(r.msi_ok >> n & 1)) return WhyMsi;
  if (r.log[n].cfg & Scr && (r.log[n].cfg >> 32 & 63) >= Scratch) return WhyScratch;
  return 0;
}

// One write; true if it opens the log.
static bool ref_write(uint64_t addr, uint64_t data, unsigned strb) {
  unsigned n = (unsigned)(addr - 0x2000) / 64;
  if (addr < 0x2000 || n >= Logs) return false;
  bool en = strb & 0x80, on = data >> 63;
  if ((addr & 63) == 0 && !r.log[n].open) r.log[n].base = merge(r.log[n].base, data, strb);
  if ((addr & 63) != 8) return false;
  if (r.log[n].open) {
    if (en && on && r.log[n].closing) r.log[n].why = WhyClosing;
    if (en && !on) r.log[n].closing = true;
    return false;
  }
  r.log[n].cfg = merge(r.log[n].cfg, data, strb) & 0x3f1f1f03ffULL;
  r.log[n].written = true;
  if (!en || !on) return false;
  r.log[n].why = refusal(n);
  r.why_seen |= 1u << r.log[n].why;
  return r.log[n].open = !r.log[n].why;
}

// Which logs are open, and whose the IUID is.
static void check_state(tb *t, dut *d, unsigned iuid) {
  uint64_t open = 0, closing = 0;
  unsigned hit = 0, who = 0;
  for (unsigned i = 0; i < Logs; i++) {
    open |= (uint64_t)r.log[i].open << i, closing |= (uint64_t)r.log[i].closing << i;
    if (r.log[i].open && !r.log[i].closing && iuid_of(i) == iuid) hit++, who = i;
  }
  CHECK(t, hit <= 1, "P1: two logs have IUID %u", iuid);
  CHECK_EQ(t, dut_get_cam_hit_o(d), hit, "P1: IUID %u", iuid);
  CHECK_EQ(t, dut_get_cam_log_o(d), who, "P1: log of IUID %u", iuid);
  CHECK_EQ(t, dut_get_open_o(d), open, "open_o");
  CHECK_EQ(t, dut_get_closing_o(d), closing, "closing_o");
  r.hits += hit;
}

// What is said of the logs n, m and fail.
static void check_entries(tb *t, dut *d, unsigned n, unsigned m, unsigned fail) {
  if (r.log[n].open) {
    CHECK_EQ(t, dut_get_rsv_base_o(d) << 6, r.log[n].base, "rsv_base_o of log %u", n);
    CHECK_EQ(t, dut_get_next_mask_o(d), ((1ULL << size_of(n)) - 1) >> 4, "next_mask_o of log %u", n);
    CHECK_EQ(t, dut_get_rsv_drop_o(d), (r.log[n].cfg & Drop) != 0, "rsv_drop_o of log %u", n);
    CHECK_EQ(t, dut_get_qry2_size_o(d), size_of(n), "qry2_size_o of log %u", n);
  }
  if (r.log[fail].written) CHECK_EQ(t, dut_get_fail_iuid_o(d), iuid_of(fail), "fail_iuid_o of log %u", fail);
  if (r.log[m].open) CHECK_EQ(t, dut_get_qry_size_o(d), size_of(m), "qry_size_o of log %u", m);
  uint64_t flags = r.log[n].cfg >> 25 & 15;
  uint64_t got = (dut_get_cfg_ptr_o(d) >> n & 1) | (dut_get_cfg_msi_o(d) >> n & 1) << 1 |
                 (dut_get_cfg_scr_o(d) >> n & 1) << 2 | (dut_get_cfg_task_o(d) >> n & 1) << 3;
  CHECK_EQ(t, got, flags, "PTR, MSI, SCR, TASK of log %u", n);
  if (r.log[n].written) {
#ifdef CFG_SCRI_O_WORDS
    uint32_t scri[CFG_SCRI_O_WORDS];
    dut_get_cfg_scri_o(d, scri);
    CHECK_EQ(t, bits_get(scri, 6 * n, 6), r.log[n].cfg >> 32, "SCRI of log %u", n);
#else
    CHECK_EQ(t, dut_get_cfg_scri_o(d) >> 6 * n & 63, r.log[n].cfg >> 32, "SCRI of log %u", n);
#endif
  }
}

// One cycle: a write (strb 0: a read) at addr, a look-up of an IUID, the entry of a log, and the end of log `off`.
static void one_cycle(tb *t, dut *d, uint64_t addr, bool we, uint64_t data, unsigned strb, int off) {
  unsigned n = (unsigned)rnd_below(t, Logs), m = (unsigned)rnd_below(t, Logs), page = (unsigned)rnd_below(t, Logs);
  unsigned fail = (unsigned)rnd_below(t, Logs);
  unsigned iuid = rnd_chance(t, 60) ? iuid_of(n) : (unsigned)rnd_bits(t, rnd_chance(t, 80) ? 4 : 10);
  bool lp = addr >> 16;  // a page of a log: its IUID is asked for
  dut_set_rb_i(d, reg_bus_of(addr, we, data, strb).words);
  dut_set_cam_iuid_i(d, iuid);
  dut_set_fail_log_i(d, fail);
  dut_set_rsv_log_i(d, n);
  dut_set_next_log_i(d, n);
  dut_set_qry_log_i(d, m);
  dut_set_qry2_log_i(d, n);
  dut_set_lp_sel_i(d, lp);
  dut_set_lp_log_i(d, page);
  dut_set_ptr_ok_i(d, r.ptr_ok & ((1ULL << Logs) - 1));
  dut_set_msi_ok_i(d, r.msi_ok & ((1ULL << Logs) - 1));
  dut_set_off_i(d, off != None);
  dut_set_off_log_i(d, off != None ? (uint64_t)off : rnd_bits(t, 5));
  dut_eval(d);

  CHECK_EQ(t, dut_get_rb_rdata_o(d), ref_read(r.was), "P5: register %" PRIx64, r.was);
  check_state(t, d, iuid);
  check_entries(t, d, n, m, fail);
  if (r.was >> 16) CHECK_EQ(t, dut_get_lp_iuid_o(d), iuid_of(r.was_page), "lp_iuid_o of log %u", r.was_page);
  r.was = addr, r.was_page = page;

  if (off != None) r.log[off].open = r.log[off].closing = false;
  bool opens = we && ref_write(addr, data, strb);
  CHECK_EQ(t, dut_get_open_event_valid_o(d), opens, "open_event_valid_o");
  if (opens) CHECK_EQ(t, dut_get_open_event_log_o(d), (addr - 0x2000) / 64, "open_event_log_o");
  r.opened += opens;
  dut_tick(d);
}

// The same; what is to be written is on the bus in two cycles before, and `off` ends before that.
static void cycle(tb *t, dut *d, uint64_t addr, bool we, uint64_t data, unsigned strb, int off) {
  if (we && off != None) one_cycle(t, d, rnd_bits(t, 17) << 3, false, rnd(t), strb, off);
  for (unsigned i = 0; we && i < 2; i++) one_cycle(t, d, addr, false, data, strb, None);
  one_cycle(t, d, addr, we, data, strb, we ? None : off);
  if (we && rnd_chance(t, 10)) one_cycle(t, d, addr, true, data, strb, None);  // the same again: changes nothing more
}

static void put(tb *t, dut *d, uint64_t addr, uint64_t data) { cycle(t, d, addr, true, data, 0xff, None); }
static uint64_t get(tb *t, dut *d, uint64_t addr) {
  cycle(t, d, addr, false, 0, 0, None);
  dut_eval(d);
  return dut_get_rb_rdata_o(d);
}
static void off(tb *t, dut *d, unsigned n) { cycle(t, d, 0, false, 0, 0, (int)n); }
static void shut(tb *t, dut *d, unsigned n) {
  put(t, d, at_cfg(n), 0);
  off(t, d, n);
}

// Tries to open log n; LOG_STS must then show `why` (0: it is open).
static void opening(tb *t, dut *d, unsigned n, uint64_t base, uint64_t cfg, unsigned why, const char *what) {
  put(t, d, at_base(n), base);
  put(t, d, at_cfg(n), cfg | En);
  CHECK_EQ(t, get(t, d, at_sts(n)), why ? why << 4 : 1, "%s: log %u, base %" PRIx64 ", LOG_CFG %" PRIx64, what, n, base,
           cfg);
  CHECK_EQ(t, get(t, d, at_base(n)), base, "%s: LOG_BASE", what);
  CHECK_EQ(t, get(t, d, at_cfg(n)), cfg | (why ? 0 : En), "%s: LOG_CFG", what);
  if (!why) shut(t, d, n);
}

static void restart(dut *d) {
  dut_reset(d, 1);
  memset(r.log, 0, sizeof r.log);
  r.was = 0;
}

static void after_reset(tb *t, dut *d) {  // P5: the LUT RAM holds anything, the registers read 0
  for (unsigned n = 0; n < Logs; n++)
    for (unsigned reg = 0; reg < 64; reg += 8) CHECK_EQ(t, get(t, d, at_base(n) + reg), 0, "log %u, +%x", n, reg);
}

static void addresses(tb *t, dut *d, unsigned n) {  // P3
  for (unsigned bad = 0; bad < 4; bad++) {          // of this log only: the others are the opposite
    r.ptr_ok = bad & 1 ? ~(1ULL << n) : 1ULL << n;
    r.msi_ok = bad & 2 ? ~(1ULL << n) : 1ULL << n;
    opening(t, d, n, 0, cfg_of(n, 6, Drop | Task), 0, "addresses that are not used");
    opening(t, d, n, 0, cfg_of(n, 6, Ptr), bad & 1 ? WhyPtr : 0, "pointer address");
    opening(t, d, n, 0, cfg_of(n, 6, Msi), bad & 2 ? WhyMsi : 0, "MSI address");
    opening(t, d, n, 0, cfg_of(n, 6, Ptr | Msi), bad & 1 ? WhyPtr : bad & 2 ? WhyMsi : 0, "both");
  }
  r.ptr_ok = r.msi_ok = ~0ULL;
}

static void malformed(tb *t, dut *d) {  // P3: each reason alone, at its border, and the first of several
  unsigned n = Logs - 1;
  for (unsigned size = 0; size < 32; size++) {
    bool good = size >= 6 && size <= 30;
    opening(t, d, n, 0, cfg_of(n, size, 0), good ? 0 : WhySize, "every size");
    for (unsigned bit = 0; good && bit < 49; bit++)
      opening(t, d, n, 1ULL << bit, cfg_of(n, size, 0),
              bit < size ? WhyAlign
              : bit > 47 ? WhyHigh
                         : 0,
              "every base bit");
    if (good) opening(t, d, n, (1ULL << 48) - (1ULL << size), cfg_of(n, size, 0), 0, "the highest ring");
  }
  for (unsigned word = 0; word < 64; word++) {
    uint64_t cfg = cfg_of(n, 6, Scr) | (uint64_t)word << 32;
    opening(t, d, n, 0, cfg, word < Scratch ? 0 : WhyScratch, "scratchpad word");
  }
  opening(t, d, n, 0, cfg_of(n, 6, 0) | 63ULL << 32, 0, "a scratchpad word that is not used");
  r.ptr_ok = r.msi_ok = 0;
  opening(t, d, n, 1ULL << 48 | 64, cfg_of(n, 5, Ptr | Msi), WhySize, "all wrong");
  opening(t, d, n, 1ULL << 48 | 64, cfg_of(n, 7, Ptr | Msi), WhyAlign, "all wrong but the size");
  opening(t, d, n, 1ULL << 48, cfg_of(n, 7, Ptr | Msi), WhyHigh, "addresses wrong");
  r.ptr_ok = r.msi_ok = ~0ULL;
  for (n = 0; n < Logs; n++) addresses(t, d, n);
}

static void duplicates(tb *t, dut *d) {  // P1, P3, P4: an IUID is free again when its log has gone, not when it closes
  for (unsigned a = 0; a < Logs; a++) {
    unsigned b = (a + 1) % Logs;
    if (a == b) continue;
    put(t, d, at_base(a), 0);
    put(t, d, at_cfg(a), cfg_of(1000, 6, 0) | En);
    for (unsigned c = 0; c < Logs; c++)
      if (c != a) opening(t, d, c, 0, cfg_of(1000, 6, Ptr), WhyDup, "IUID of an open log");
    for (unsigned bit = 0; bit < 10; bit++) opening(t, d, b, 0, cfg_of(1000 ^ 1u << bit, 6, 0), 0, "another IUID");
    put(t, d, at_cfg(a), 0);
    opening(t, d, b, 0, cfg_of(1000, 6, 0), WhyDup, "IUID of a closing log");
    cycle(t, d, at_cfg(b), true, cfg_of(1000, 6, 0) | En, 0xff, (int)a);
    CHECK_EQ(t, get(t, d, at_sts(b)), 1, "log %u opens in the cycle after the end of %u", b, a);
    shut(t, d, b);
  }
}

static void fixed_while_open(tb *t, dut *d) {  // P2, P4
  unsigned n = Logs / 2;
  uint64_t base = 0xabcdef000000, cfg = cfg_of(0x155, 12, Drop | Ptr | Task);
  put(t, d, at_base(n), base);
  put(t, d, at_cfg(n), cfg | En);
  for (unsigned closing = 0; closing < 2; closing++) {
    put(t, d, at_base(n), ~base);
    put(t, d, at_cfg(n), ~cfg | En);
    cycle(t, d, at_cfg(n), true, ~cfg, 0x7f, None);  // without the byte of EN
    CHECK_EQ(t, get(t, d, at_base(n)), base, "LOG_BASE, closing %u", closing);
    CHECK_EQ(t, get(t, d, at_cfg(n)), cfg | En, "LOG_CFG, closing %u", closing);
    CHECK_EQ(t, get(t, d, at_sts(n)), closing ? WhyClosing << 4 | 3 : 1, "LOG_STS, closing %u", closing);
    put(t, d, at_cfg(n), ~cfg & ~En);  // closes it, and closes it once more
    CHECK_EQ(t, get(t, d, at_cfg(n)), cfg | En, "LOG_CFG of a closing log");
  }
  cycle(t, d, at_base(n), true, 64, 0xff, (int)n);
  CHECK_EQ(t, get(t, d, at_base(n)), 64, "LOG_BASE in the cycle after the end");
  put(t, d, at_cfg(n), cfg_of(7, 6, 0) | En);
  put(t, d, at_cfg(n), 0);
  cycle(t, d, at_cfg(n), true, cfg_of(8, 6, 0) | En, 0xff, (int)n);
  CHECK_EQ(t, get(t, d, at_cfg(n)), cfg_of(8, 6, 0) | En, "opened again in the cycle after the end");
  shut(t, d, n);
}

// The table is where it is, and nowhere else: each bit of the address counts.
static void elsewhere(tb *t, dut *d) {
  static const unsigned regs[] = {0, 8, 0x30};
  unsigned n = Logs - 1;
  put(t, d, at_base(n), 0xabcdef000000);
  put(t, d, at_cfg(n), cfg_of(0x2aa, 12, Scr) | En);
  put(t, d, at_cfg(n), 0);
  for (unsigned i = 0; i < 3; i++)
    for (unsigned bit = 3; bit < 20; bit++) get(t, d, (at_base(n) + regs[i]) ^ 1U << bit);
  off(t, d, n);
  for (unsigned i = 0; i < 2; i++)
    for (unsigned bit = 3; bit < 20; bit++) {
      put(t, d, (at_base(n) + regs[i]) ^ 1U << bit, rnd(t) & ~En);
      for (unsigned k = 0; k < 3; k++) get(t, d, at_base(n) + regs[k]);
    }
}

static void bytes(tb *t, dut *d) {  // P5; EN is in byte 7, and acts only with it
  for (unsigned n = 0; n < Logs; n++) {
    put(t, d, at_base(n), 0x1122334455667788);
    put(t, d, at_cfg(n), cfg_of(0x3ff, 6, 0));
    for (unsigned b = 0; b < 8; b++) {
      cycle(t, d, at_base(n), true, 0, 1u << b, None);
      CHECK_EQ(t, get(t, d, at_base(n)), b == 7 ? 0 : 0x1122334455667788 >> 8 * (b + 1) << 8 * (b + 1), "byte %u", b);
    }
    cycle(t, d, at_cfg(n), true, En | n, 0x01, None);
    CHECK_EQ(t, get(t, d, at_cfg(n)), cfg_of(0x300 | n, 6, 0), "the low byte of the IUID");
    cycle(t, d, at_cfg(n), true, En | 0x3f1f1f03ff, 0x80, None);
    CHECK_EQ(t, get(t, d, at_cfg(n)), cfg_of(0x300 | n, 6, 0) | En, "EN alone opens with the fields that were there");
  }
  for (unsigned n = 0; n < Logs; n++) {  // all are open
    dut_set_cam_iuid_i(d, 0x300 | n);
    dut_eval(d);
    CHECK_EQ(t, dut_get_cam_hit_o(d) << 5 | dut_get_cam_log_o(d), 32 | n, "P1: the log of IUID %x", 0x300 | n);
  }
  for (unsigned n = 0; n < Logs; n++) shut(t, d, n);
}

static void random_writes(tb *t, dut *d) {
  static const unsigned regs[] = {0, 8, 8, 8, 8, 0x30, 0x10, 0x38};
  unsigned n = (unsigned)rnd_below(t, rnd_chance(t, 90) ? Logs : 32), ends = (unsigned)rnd_below(t, Logs);
  uint64_t addr = at_base(n) + regs[rnd_below(t, 8)], data = rnd(t), flags = rnd(t) & 0x3f1f000000;
  r.ptr_ok = rnd_chance(t, 90) ? ~0ULL : rnd(t), r.msi_ok = rnd_chance(t, 90) ? ~0ULL : rnd(t);
  if (addr == at_base(n)) data = rnd_bits(t, rnd_chance(t, 95) ? 48 : 49) >> 10 << (10 + rnd_below(t, 20));
  if (addr == at_cfg(n) && rnd_chance(t, 90))
    data = cfg_of((unsigned)rnd_bits(t, 4), 6 + (unsigned)rnd_below(t, 8), flags) | (rnd_chance(t, 70) ? En : 0);
  if (rnd_chance(t, 5)) addr = rnd_chance(t, 50) ? 0x10000 + (rnd_bits(t, 17) & ~7ULL) : rnd_bits(t, 13) << 3;
  cycle(t, d, addr, rnd_chance(t, 60), data, rnd_chance(t, 80) ? 0xff : (unsigned)rnd_bits(t, 8),
        r.log[ends].closing && rnd_chance(t, 50) ? (int)ends : None);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_log_table", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  r.ptr_ok = r.msi_ok = ~0ULL;
  after_reset(&t, d);
  malformed(&t, d);
  duplicates(&t, d);
  fixed_while_open(&t, d);
  bytes(&t, d);
  elsewhere(&t, d);
  while (dut_cycle(d) < t.cycles) {
    random_writes(&t, d);
    if (rnd_below(&t, 1000) == 0) restart(d);
  }
  unsigned all = 0x6f | (Logs > 1) << WhyDup | (Scratch < 64) << WhyScratch;
  CHECK_EQ(&t, r.why_seen, all, "reasons seen");
  CHECK(&t, r.opened > 500 && r.hits > 1000, "%u opened, %u hits", r.opened, r.hits);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
