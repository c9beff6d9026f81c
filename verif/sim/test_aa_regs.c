// SPDX-License-Identifier: Apache-2.0
// aa_regs against a register file in C: every word of the first pages read in turn, random writes with strobes, GCMD
// one command at a time and at random, invalidations by register that are written over while under way, errors by
// sixes.
// Rules of rtl/aa/README.md: INV-8, INV-10, XLT-20, DEC-14, ERR-7.
// config: default -GNumPorts=1
// config: ports -GNumPorts=4 -GNumLogs=32 -GLogDepth=32 -GTagEntries=256 -GFlushPages=8 -GScratchWords=64
// netlist: ports
#include "tb.h"
#include "aa_regs_tb.h"
#include "reg_bus.h"

enum { ERR_W = 95 };
enum { IDLE, ASKED, DRAINING };

typedef struct ref {
  bool te, rtps, qie, icc, ivt;
  uint64_t rtaddr, root, ccmd, iotlb, iva, ctl, tmo[3], port[4], err_sts, err_addr;
  unsigned state, sel;
  bool drained;  // in the last cycle: the end may retire
} ref;

static uint64_t merge(uint64_t old, uint64_t data, unsigned strb, uint64_t mask) {
  for (unsigned k = 0; k < 8; k++)
    if (strb >> k & 1) old = (old & ~(0xffull << 8 * k)) | (data & 0xffull << 8 * k);
  return old & mask;
}

static uint64_t reg(const ref *r, uint32_t a) {
  switch (a) {
    case 0x00: return 0x10;
    case 0x08:
      return 6ull | 4 << 8 | 47ull << 16 | 1 << 22 | 0x22ull << 24 | 3ull << 34 | 1ull << 39 | 7ull << 40 |
             18ull << 48 | 3ull << 54;
    case 0x10: return 1 | 2 | 64 | 0xf << 8;
    case 0x18: return (uint64_t)r->te << 63 | (uint64_t)r->rtps << 62 | (uint64_t)r->qie << 58;
    case 0x20: return r->rtaddr;
    case 0x28: return r->ccmd | (uint64_t)r->icc << 63;
    case 0xf8: return r->iotlb | (uint64_t)r->ivt << 63;
    case 0x1000: return 0x0001434f53434f54ull;
    case 0x1008:
      return P_NumLogs | P_LogDepth << 8 | P_TagEntries << 16 | (uint64_t)P_FlushPages << 32 |
             (uint64_t)P_FlushWaiters << 40 | (uint64_t)P_ScratchWords << 48 | (uint64_t)P_NumPorts << 56;
    case 0x1010: return r->ctl;
    case 0x1018: return r->tmo[0];
    case 0x1020: return r->tmo[1];
    case 0x1028: return r->tmo[2];
    case 0x1030: return r->err_sts;
    case 0x1038: return r->err_addr;
    default: return a >= 0x1080 && a < 0x1080 + 8 * P_NumPorts ? r->port[(a - 0x1080) / 8] : 0;
  }
}

static void write(ref *r, uint32_t a, uint64_t d, unsigned s) {
  const uint64_t caig = 3ull << 59, iaig = 3ull << 57;
  switch (a) {
    case 0x18:
      if (!(s & 8)) return;
      r->te = d >> 31 & 1;
      r->qie = d >> 26 & 1;
      if (d >> 30 & 1) r->rtps = true, r->root = r->rtaddr;
      return;
    case 0x20: r->rtaddr = merge(r->rtaddr, d, s, ~0xfffull); return;
    case 0x28:
      if (r->icc) return;
      r->ccmd = (r->ccmd & caig) | (merge(r->ccmd, d, s, 3ull << 61 | 3ull << 32 | 0xffffffffull));
      if (s & 128 && d >> 63) {
        r->icc = d >> 61 & 3;
        if (!r->icc) r->ccmd &= ~caig;
      }
      return;
    case 0xf0:
      if (!r->ivt) r->iva = merge(r->iva, d, s, ~0xf80ull);
      return;
    case 0xf8:
      if (r->ivt) return;
      r->iotlb = (r->iotlb & iaig) | (merge(r->iotlb, d, s, 3ull << 60 | 3ull << 48 | 0xffffull << 32));
      if (s & 128 && d >> 63) {
        r->ivt = d >> 60 & 3;
        if (!r->ivt) r->iotlb &= ~iaig;
      }
      return;
    case 0x1010: r->ctl = merge(r->ctl, d, s, 0x771); return;
    case 0x1018:
    case 0x1020:
    case 0x1028: r->tmo[(a - 0x1018) / 8] = merge(r->tmo[(a - 0x1018) / 8], d, s, 0xffffffffull); return;
    case 0x1030:
      if (s & d & 1) r->err_sts = r->err_addr = 0;
      return;
    default:
      if (a >= 0x1080 && a < 0x1080 + 8 * P_NumPorts)
        r->port[(a - 0x1080) / 8] = merge(r->port[(a - 0x1080) / 8], d, s, 1ull << 63 | 0xffffffffull);
  }
}

static uint32_t pick_addr(tb *t) {
  static const uint32_t some[] = {0x18, 0x18, 0x20,   0x28,   0x28,   0x28,   0xf0,
                                  0xf8, 0xf8, 0x1010, 0x1018, 0x1020, 0x1028, 0x1030};
  if (rnd_chance(t, 15)) return (uint32_t)rnd_below(t, 0x2100) & ~7u;
  if (rnd_chance(t, 8)) return (uint32_t)(0x1080 + 8 * rnd_below(t, 5));
  if (rnd_chance(t, 15)) return 0x1030 + 8 * (uint32_t)rnd_bits(t, 1);
  uint32_t a = some[rnd_below(t, sizeof some / sizeof *some)];
  return rnd_chance(t, 95) ? a : a ^ 8u << rnd_below(t, 17);  // beside it by a bit
}

// Mostly one error at a time, or none: each source has to be the first one at times.
static unsigned pick_errors(tb *t) {
  if (!rnd_chance(t, 8)) return 0;
  return rnd_chance(t, 70) ? 1u << rnd_below(t, 6) : (unsigned)rnd_bits(t, 6);
}

static unsigned limit(uint64_t v) { return (v & 7) > 5 ? 5 : v & 7; }

static void outputs(tb *t, dut *d, const ref *r) {
  CHECK_EQ(t, dut_get_te_o(d), r->te, "TES");
  CHECK_EQ(t, dut_get_qie_o(d), r->qie, "QIES");
  CHECK_EQ(t, dut_get_root_o(d), r->root >> 12, "root");
  CHECK_EQ(t, dut_get_aae_o(d), r->ctl & 1, "AAE");
  CHECK_EQ(t, dut_get_mps_o(d), limit(r->ctl >> 4), "MPS");
  CHECK_EQ(t, dut_get_mrrs_o(d), limit(r->ctl >> 8), "MRRS");
  CHECK_EQ(t, dut_get_cpl_tmo_o(d), r->tmo[0], "completion time-out");
  CHECK_EQ(t, dut_get_wdog_o(d), r->tmo[1], "watchdog");
  CHECK_EQ(t, dut_get_flush_tmo_o(d), r->tmo[2], "flush time-out");
  CHECK_EQ(t, dut_get_flush_tmo_on_o(d), r->tmo[2] != 0, "there is a flush time-out");
#if P_NumPorts > 1
  uint32_t pf[PORT_FILTER_O_WORDS];
  dut_get_port_filter_o(d, pf);
  for (unsigned p = 0; p < P_NumPorts; p++)
    CHECK_EQ(t, bits_get(pf, 33 * p, 33), (r->port[p] >> 63) << 32 | (r->port[p] & 0xffffffff), "filter of port %u", p);
#else
  CHECK_EQ(t, dut_get_port_filter_o(d), (r->port[0] >> 63) << 32 | (r->port[0] & 0xffffffff), "filter");
#endif
}

// Errors come in the order of their sources; how many there were.
static unsigned errors(ref *r, unsigned valid, const uint32_t *err) {
  unsigned n_err = 0;
  for (unsigned k = 0; k < 6; k++) {
    if (!(valid >> k & 1)) continue;
    if (r->err_sts & 1) {
      r->err_sts |= 2;
    } else {
      unsigned at = ERR_W * k;
      r->err_sts |=
          1 | bits_get(err, at + 90, 5) << 8 | bits_get(err, at + 74, 16) << 16 | bits_get(err, at + 64, 10) << 32;
      r->err_addr = bits_get(err, at, 64);
    }
    if (k == 3) r->err_sts |= 4;
    n_err++;
  }
  return n_err;
}

// An invalidation by register, from asked for to its end: of the context cache, or of the IOTLB.
static void invalidation(dut *d, ref *r, bool fin, unsigned *n_ccmd, unsigned *n_iotlb) {
  r->drained = r->state == DRAINING && dut_get_drained_i(d) && !fin;
  bool icc = r->icc, ivt = r->ivt;
  unsigned next = r->state;
  if (r->state == IDLE && (icc || ivt)) next = ASKED, r->sel = !icc;
  if (r->state == ASKED && dut_get_r_done_i(d)) next = DRAINING;
  if (fin) {
    next = IDLE;
    if (r->sel) {
      uint64_t g = r->iotlb >> 60 & 3;
      if (g == 3 && (r->iva & 63) > 18) g = 1;
      r->iotlb = (r->iotlb & ~(3ull << 57)) | g << 57;
      r->ivt = false;
      (*n_iotlb)++;
    } else {
      r->ccmd = (r->ccmd & ~(3ull << 59)) | (r->ccmd >> 61 & 3) << 59;
      r->icc = false;
      (*n_ccmd)++;
    }
  }
  r->state = next;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_regs", 60000);
  dut *d = dut_begin(&t);
  const ref at_reset = {.ctl = 0x550, .tmo = {4000000, 1600000, 3200000}};  // 50, 20 and 40 ms of 80 MHz
  ref r = at_reset;
  unsigned n_ccmd = 0, n_iotlb = 0, n_err = 0;
  dut_reset(d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    if (!rnd_below(&t, 2000)) {
      dut_set_err_valid_i(d, 0);
      dut_reset(d, 1);
      r = at_reset;
    }
    uint32_t a = c < 0x500 ? (uint32_t)(c * 8) : pick_addr(&t);
    unsigned strb = rnd_chance(&t, 60) ? 255 : (unsigned)rnd_bits(&t, 8);
    bool we = c >= 0x500 && rnd_chance(&t, 40);
    uint64_t data = rnd(&t);
    if (a == 0x1030) data |= rnd_bits(&t, 1);
    if (a == 0x1028 && rnd_chance(&t, 50)) data = 0;  // no flush time-out, or by a part of its bytes
    if (a == 0x28 || a == 0xf8) data |= (uint64_t)rnd_chance(&t, 50) << 63;
    if (a == 0xf0 && rnd_chance(&t, 60)) data = (data & ~63ull) | (17 + rnd_below(&t, 3));
    dut_set_rb_i(d, reg_bus_of(a, we, data, strb).words);
    uint32_t err[ERR_I_WORDS];
    unsigned valid = pick_errors(&t);
    rnd_words(&t, err, 6 * ERR_W);
    dut_set_err_valid_i(d, valid);
    dut_set_err_i(d, err);
    dut_set_r_done_i(d, r.state == ASKED && rnd_chance(&t, 30));
    dut_set_drained_i(d, rnd_chance(&t, 30));
    dut_set_r_fin_ready_i(d, 0);
    dut_eval(d);
    bool fin = dut_get_r_fin_valid_o(d) && rnd_chance(&t, 60);
    dut_set_r_fin_ready_i(d, fin);
    dut_eval(d);

    uint64_t got = dut_get_rb_rdata_o(d), want = reg(&r, a);
    CHECK_EQ(&t, got, want, "register 0x%x", a);
    outputs(&t, d, &r);
    CHECK_EQ(&t, dut_get_te_clr_o(d), we && a == 0x18 && strb & 8 && r.te && !(data >> 31 & 1), "TES falls");
    CHECK_EQ(&t, dut_get_r_valid_o(d), r.state == ASKED, "invalidation asked for");
    CHECK_EQ(&t, dut_get_r_fin_valid_o(d), r.drained, "invalidation ends");
    if (r.state != IDLE) {
      CHECK_EQ(&t, dut_get_r_sel_o(d), r.sel, "which register");
      CHECK_EQ(&t, dut_get_r_a_o(d), r.sel ? reg(&r, 0xf8) : reg(&r, 0x28), "its value");
      CHECK_EQ(&t, dut_get_r_b_o(d), r.sel ? r.iva : 0, "its address");
    }

    CHECK_EQ(&t, dut_get_werr_set_o(d), (valid >> 3 & 1) && !(r.err_sts & 4), "WERR rises");
    CHECK_EQ(&t, dut_get_werr_clr_o(d), we && a == 0x1030 && (strb & data & 1), "WERR is cleared");

    // Next state: errors, then the end of an invalidation, then the write.
    n_err += errors(&r, valid, err);
    invalidation(d, &r, fin, &n_ccmd, &n_iotlb);
    if (we) write(&r, a, data, strb);
    dut_tick(d);
  }
  CHECK(&t, n_ccmd > 200 && n_iotlb > 200 && n_err > 200, "too little: %u %u %u", n_ccmd, n_iotlb, n_err);
  dut_free(d);
  return tb_end(&t);
}
