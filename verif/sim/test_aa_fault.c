// SPDX-License-Identifier: Apache-2.0
// aa_fault against the rules of the fault log in C: few source ids, so that faults collapse; records cleared in any
// order; overflow; the event with its mask; and the handler of a stock driver.
// netlist: default
#include "tb.h"
#include "aa_fault_tb.h"

enum { RECORDS = 8, RET_WORDS = NOTE_O_WORDS };

typedef struct ref {
  uint64_t lo[RECORDS], hi[RECORDS];
  unsigned next, fri;
  bool pfo, iqe, im, ip, msg;
  bool werr, wip;  // AA_ERR_STS.WERR; its event waits
  uint32_t data;
  uint64_t addr, sent_addr;
  uint32_t sent_data;
} ref;

static bool ppf(const ref *r) {
  bool any = false;
  for (unsigned k = 0; k < RECORDS; k++) any = any || r->hi[k] >> 63;
  return any;
}

static bool any(const ref *r) { return r->pfo || r->iqe || ppf(r); }

static uint64_t reg(const ref *r, unsigned addr) {
  unsigned k = (addr - 0x220) / 16;
  switch (addr) {
    case 0x30: return (uint64_t)(r->fri << 8 | r->iqe << 4 | ppf(r) << 1 | r->pfo) << 32;
    case 0x38: return (uint64_t)r->data << 32 | (uint64_t)r->im << 31 | (uint64_t)r->ip << 30;
    case 0x40: return r->addr;
    default:
      if (addr < 0x220 || k >= RECORDS || !(r->hi[k] >> 63)) return 0;
      return addr & 8 ? r->hi[k] : r->lo[k];
  }
}

static uint64_t merge(uint64_t old, uint64_t data, unsigned strb) {
  for (unsigned k = 0; k < 8; k++)
    if (strb >> k & 1) old = (old & ~(0xffull << 8 * k)) | (data & 0xffull << 8 * k);
  return old;
}

static void write(ref *r, unsigned addr, uint64_t data, unsigned strb) {
  unsigned k = (addr - 0x220) / 16;
  if (addr == 0x30 && strb & 16) {
    if (data >> 32 & 1) r->pfo = false;
    if (data >> 36 & 1) r->iqe = false;
  } else if (addr == 0x38) {
    r->data = (uint32_t)(merge((uint64_t)r->data << 32, data, strb) >> 32);
    if (strb & 8) r->im = data >> 31 & 1;
  } else if (addr == 0x40) {
    r->addr = merge(r->addr, data, strb) & ~3ull;
  } else if (addr >= 0x220 && k < RECORDS && addr & 8 && strb & 128 && data >> 63) {
    r->hi[k] = 0;
  }
  if (!any(r)) r->ip = false;
}

static unsigned pick_addr(tb *t) {
  static const unsigned some[] = {0x30, 0x38, 0x40, 0x28, 0x48, 0x218, 0x2a0, 0x1220, 0x20238};
  return rnd_chance(t, 60) ? 0x220 + 8 * (unsigned)rnd_below(t, 16) : some[rnd_below(t, sizeof some / sizeof *some)];
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_fault", 80000);
  dut *d = dut_begin(&t);
  ref r = {.im = true};
  unsigned stored = 0, lost = 0, events = 0, overflows = 0, failures = 0;
  dut_reset(d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    unsigned phase = (unsigned)(c >> 9 & 3);  // 0 quiet, 1 busy, 2 flood, 3 busy with many sources
    bool fault = rnd_chance(&t, phase == 0 ? 2 : phase == 2 ? 90 : 20), iqe = rnd_chance(&t, 2), te = rnd_chance(&t, 1);
    unsigned sid = (unsigned)rnd_bits(&t, phase == 3 ? 16 : 4) | 0x1200;
    uint32_t f[3] = {0};
    uint64_t page = rnd_bits(&t, 52), reason = rnd_bits(&t, 8), rd = rnd_bits(&t, 1), at = rnd_bits(&t, 2);
    bits_set(f, 0, 52, page);
    bits_set(f, 52, 16, sid);
    bits_set(f, 68, 2, at);
    bits_set(f, 70, 1, rd);
    bits_set(f, 71, 8, reason);
    dut_set_fault_valid_i(d, fault);
    dut_set_fault_i(d, f);
    dut_set_iqe_set_i(d, iqe);
    dut_set_te_clr_i(d, te);
    bool werr = !r.werr && rnd_chance(&t, 5);
    dut_set_werr_set_i(d, werr);
    dut_set_werr_clr_i(d, 0);
    dut_set_note_ready_i(d, rnd_chance(&t, 50));
    dut_set_msg_ready_i(d, rnd_chance(&t, 30));
    unsigned addr = pick_addr(&t), strb = rnd_chance(&t, 50) ? 255 : (unsigned)rnd_bits(&t, 8);
    uint64_t data = rnd(&t);
    if (addr == 0x38 && rnd_chance(&t, 50)) data &= ~(1ull << 31);
    dut_set_rb_addr_i(d, addr >> 3);
    dut_set_rb_wdata_i(d, data);
    dut_set_rb_wstrb_i(d, strb);
    dut_set_rb_we_i(d, 0);
    dut_eval(d);
    bool we = !dut_get_wr_wait_o(d) && rnd_chance(&t, 30), wclr = !dut_get_wr_wait_o(d) && rnd_chance(&t, 5);
    dut_set_werr_clr_i(d, wclr);
    dut_set_rb_we_i(d, we);
    dut_eval(d);

    CHECK_EQ(&t, dut_get_rb_rdata_o(d), reg(&r, addr), "register 0x%x", addr);
    CHECK_EQ(&t, dut_get_iqe_o(d), r.iqe, "IQE");
    CHECK_EQ(&t, dut_get_note_valid_o(d), (r.ip || r.wip) && !r.im && !r.msg, "note");
    CHECK_EQ(&t, dut_get_msg_valid_o(d), r.msg, "message");
    if (r.msg) {
      CHECK_EQ(&t, dut_get_msg_addr_o(d), r.sent_addr, "its address");
      CHECK_EQ(&t, dut_get_msg_data_o(d), r.sent_data, "its data");
      CHECK_EQ(&t, dut_get_msg_bytes_o(d), 4, "its size");
    }

    // In the order of the retire slots.
    bool was = any(&r), note = dut_get_note_valid_o(d) && dut_get_note_ready_i(d), want_lost = false;
    if (fault) {
      bool same = false;
      for (unsigned k = 0; k < RECORDS; k++) same = same || (r.hi[k] >> 63 && (r.hi[k] & 0xffff) == sid);
      want_lost = r.pfo || same || r.hi[r.next] >> 63;
      if (!want_lost) {
        if (!ppf(&r)) r.fri = r.next;
        r.lo[r.next] = page << 12;
        r.hi[r.next] = 1ull << 63 | rd << 62 | at << 60 | reason << 32 | sid;
        r.next = (r.next + 1) % RECORDS;
        stored++;
      } else {
        if (!r.pfo && !same) r.pfo = true, overflows++;
        lost++;
      }
    }
    CHECK_EQ(&t, dut_get_stored_o(d), fault && !want_lost, "stored");
    CHECK_EQ(&t, dut_get_lost_o(d), want_lost, "lost");
    if (dut_get_msg_ready_i(d)) r.msg = false;
    if (note) {
      uint32_t w[RET_WORDS];
      dut_get_note_o(d, w);
      CHECK_EQ(&t, bits_get(w, 153, 4), 9, "record kind");
      CHECK_EQ(&t, bits_get(w, 148, 4), 3, "record code");
      CHECK_EQ(&t, bits_get(w, 64, 64), r.data, "record a");
      CHECK_EQ(&t, bits_get(w, 152, 1), !r.ip, "record flag: a failed write");
      if (r.ip)
        r.ip = false;
      else
        r.wip = false, failures++;
      r.msg = true;
      r.sent_addr = r.addr;
      r.sent_data = r.data;
      events++;
    }
    if (iqe) r.iqe = true;
    if (!was && any(&r)) r.ip = true;
    if (we) write(&r, addr, data, strb);
    if (te) r.next = 0;
    r.werr = (r.werr || werr) && !wclr;
    r.wip = (r.wip || werr) && !wclr;
    dut_tick(d);
    // The handler of a stock driver, at the end of a flood: from FRI on, while F is set; then PFO.
    if ((c & 0x7ff) == 0x600) {
      dut_set_fault_valid_i(d, 0);
      dut_set_iqe_set_i(d, 0);
      dut_set_te_clr_i(d, 0);
      dut_set_werr_set_i(d, 0);
      dut_set_werr_clr_i(d, 0);
      dut_set_note_ready_i(d, 1);
      dut_set_msg_ready_i(d, 1);
      dut_set_rb_we_i(d, 0);
      for (unsigned k = 0; k < 4; k++) {
        bool event = dut_get_note_valid_o(d);
        if (event && r.ip)
          r.ip = false;
        else if (event)
          r.wip = false;
        r.msg = event;
        dut_tick(d);
        dut_eval(d);
      }
      for (unsigned k = 0; k < RECORDS; k++) {
        unsigned at_k = 0x228 + 16 * ((r.fri + k) % RECORDS);
        dut_set_rb_addr_i(d, at_k >> 3);
        dut_eval(d);
        CHECK_EQ(&t, dut_get_rb_rdata_o(d), reg(&r, at_k), "record %u", (r.fri + k) % RECORDS);
        dut_set_rb_we_i(d, 1);
        dut_set_rb_wdata_i(d, 1ull << 63);
        dut_set_rb_wstrb_i(d, 0xf0);
        write(&r, at_k, 1ull << 63, 0xf0);
        dut_tick(d);
      }
      dut_set_rb_addr_i(d, 0x30 >> 3);
      dut_set_rb_wdata_i(d, 0x13ull << 32);
      write(&r, 0x30, 0x13ull << 32, 0xf0);
      dut_tick(d);
      dut_set_rb_we_i(d, 0);
      dut_eval(d);
      CHECK_EQ(&t, dut_get_rb_rdata_o(d) >> 32 & 0xff, 0, "FSTS after the handler");
      CHECK(&t, !r.ip, "no event without a reason");
    }
  }
  CHECK(&t,
        stored > tb_least(&t, 600) && lost > tb_least(&t, 1000) && events > tb_least(&t, 60) &&
            overflows > tb_least(&t, 20) && failures > tb_least(&t, 60),
        "too little: %u %u %u %u %u", stored, lost, events, overflows, failures);
  dut_free(d);
  return tb_end(&t);
}
