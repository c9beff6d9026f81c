// SPDX-License-Identifier: Apache-2.0
// aa_fault against the rules of the fault log in C: few source ids, so that faults collapse; records cleared in any
// order; overflow; the event with its mask; and the handler of a stock driver.
// Rules of rtl/aa/README.md: INV-1, INV-2, ERR-7.
// netlist: default
#include "tb.h"
#include "aa_fault_tb.h"
#include "reg_bus.h"

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

// A register, or what differs from one in a bit.
static unsigned pick_addr(tb *t) {
  static const unsigned some[] = {0x30, 0x38, 0x40, 0x28, 0x48, 0x218, 0x2a0, 0x1220, 0x20238};
  unsigned a =
      rnd_chance(t, 60) ? 0x220 + 8 * (unsigned)rnd_below(t, 16) : some[rnd_below(t, sizeof some / sizeof *some)];
  return rnd_chance(t, 85) ? a : a ^ 8u << rnd_below(t, 17);
}

// The bench, and below what is given to the device in this cycle.
typedef struct {
  tb *t;
  dut *d;
  ref r;
  unsigned stored, lost, events, overflows, failures;
  bool fault, iqe, te, werr, we, wclr;
  unsigned sid, base, addr, strb;
  uint64_t page, reason, rd, at, data;
} bench;

static void drive_faults(bench *b, uint64_t c) {
  unsigned phase = (unsigned)(c >> 9 & 3);  // 0 quiet, 1 busy, 2 flood, 3 busy with many sources
  // Quiet is: mostly nothing is pending, and what is, alone.
  b->fault = phase ? rnd_chance(b->t, phase == 2 ? 90 : 20) : !rnd_below(b->t, 200);
  b->iqe = phase ? rnd_chance(b->t, 2) : !rnd_below(b->t, 200);
  b->te = !rnd_below(b->t, 300);
  // Few sources, of which each two differ in two bits at most.
  if (!(c & 511)) b->base = (unsigned)rnd_bits(b->t, 16);
  b->sid = phase == 3 ? (unsigned)rnd_bits(b->t, 16) : b->base ^ (rnd_chance(b->t, 30) ? 0 : 1u << rnd_below(b->t, 16));
  uint32_t f[3] = {0};
  b->page = rnd_bits(b->t, 52);
  b->reason = rnd_bits(b->t, 8);
  b->rd = rnd_bits(b->t, 1);
  b->at = rnd_bits(b->t, 2);
  bits_set(f, 0, 52, b->page);
  bits_set(f, 52, 16, b->sid);
  bits_set(f, 68, 2, b->at);
  bits_set(f, 70, 1, b->rd);
  bits_set(f, 71, 8, b->reason);
  dut_set_fault_valid_i(b->d, b->fault);
  dut_set_fault_i(b->d, f);
  dut_set_iqe_set_i(b->d, b->iqe);
  dut_set_te_clr_i(b->d, b->te);
  b->werr = !b->r.werr && rnd_chance(b->t, 5);
  dut_set_werr_set_i(b->d, b->werr);
  dut_set_werr_clr_i(b->d, 0);
  dut_set_note_ready_i(b->d, rnd_chance(b->t, 50));
  dut_set_msg_ready_i(b->d, rnd_chance(b->t, 30));
}

static void drive_register(bench *b) {
  b->addr = pick_addr(b->t);
  b->strb = rnd_chance(b->t, 50) ? 255 : (unsigned)rnd_bits(b->t, 8);
  b->data = rnd(b->t);
  if (b->addr == 0x38 && rnd_chance(b->t, 50)) b->data &= ~(1ull << 31);
  bool at_once = b->fault && rnd_chance(b->t, 20);  // clears the record that is stored in this very cycle
  if (at_once) b->addr = 0x228 + 16 * b->r.next, b->data |= 1ull << 63, b->strb |= 128;
  dut_set_rb_i(b->d, reg_bus_of(b->addr, false, b->data, b->strb).words);
  dut_eval(b->d);
  b->we = !dut_get_wr_wait_o(b->d) && (at_once || rnd_chance(b->t, 30));
  b->wclr = !dut_get_wr_wait_o(b->d) && rnd_chance(b->t, 5);
  dut_set_werr_clr_i(b->d, b->wclr);
  dut_set_rb_i(b->d, reg_bus_of(b->addr, b->we, b->data, b->strb).words);
  dut_eval(b->d);
}

static void outputs(bench *b) {
  CHECK_EQ(b->t, dut_get_rb_rdata_o(b->d), reg(&b->r, b->addr), "register 0x%x", b->addr);
  CHECK_EQ(b->t, dut_get_iqe_o(b->d), b->r.iqe, "IQE");
  CHECK_EQ(b->t, dut_get_note_valid_o(b->d), (b->r.ip || b->r.wip) && !b->r.im && !b->r.msg, "note");
  CHECK_EQ(b->t, dut_get_msg_valid_o(b->d), b->r.msg, "message");
  if (b->r.msg) {
    CHECK_EQ(b->t, dut_get_msg_addr_o(b->d), b->r.sent_addr, "its address");
    CHECK_EQ(b->t, dut_get_msg_data_o(b->d), b->r.sent_data, "its data");
    CHECK_EQ(b->t, dut_get_msg_bytes_o(b->d), 4, "its size");
  }
}

// Whether a fault finds a record.
static bool stored_fault(bench *b) {
  bool same = false;
  for (unsigned k = 0; k < RECORDS; k++) same = same || (b->r.hi[k] >> 63 && (b->r.hi[k] & 0xffff) == b->sid);
  if (b->r.pfo || same || b->r.hi[b->r.next] >> 63) {
    if (!b->r.pfo && !same) b->r.pfo = true, b->overflows++;
    b->lost++;
    return false;
  }
  if (!ppf(&b->r)) b->r.fri = b->r.next;
  b->r.lo[b->r.next] = b->page << 12;
  b->r.hi[b->r.next] = 1ull << 63 | b->rd << 62 | b->at << 60 | b->reason << 32 | b->sid;
  b->r.next = (b->r.next + 1) % RECORDS;
  b->stored++;
  return true;
}

static void noted(bench *b) {
  uint32_t w[RET_WORDS], want[RET_WORDS] = {0};
  dut_get_note_o(b->d, w);
  bits_set(want, AA_RETIRE_T_KIND_LSB, AA_RETIRE_T_KIND_W, AA_E_RetNotify);
  bits_set(want, AA_RETIRE_T_CODE_LSB, AA_RETIRE_T_CODE_W, AA_K_NoteFault);
  bits_set(want, AA_RETIRE_T_A_LSB, AA_RETIRE_T_A_W, b->r.data);
  bits_set(want, AA_RETIRE_T_FLAG_LSB, AA_RETIRE_T_FLAG_W, !b->r.ip);  // a failed write
  for (unsigned i = 0; i < RET_WORDS; i++) CHECK_EQ(b->t, w[i], want[i], "word %u of the record", i);
  if (b->r.ip)
    b->r.ip = false;
  else
    b->r.wip = false, b->failures++;
  b->r.msg = true;
  b->r.sent_addr = b->r.addr;
  b->r.sent_data = b->r.data;
  b->events++;
}

// In the order of the retire slots.
static void step(bench *b) {
  bool was = any(&b->r), note = dut_get_note_valid_o(b->d) && dut_get_note_ready_i(b->d);
  bool want_lost = b->fault && !stored_fault(b);
  CHECK_EQ(b->t, dut_get_stored_o(b->d), b->fault && !want_lost, "stored");
  CHECK_EQ(b->t, dut_get_lost_o(b->d), want_lost, "lost");
  if (dut_get_msg_ready_i(b->d)) b->r.msg = false;
  if (note) noted(b);
  if (b->iqe) b->r.iqe = true;
  if (!was && any(&b->r)) b->r.ip = true;
  if (b->we) write(&b->r, b->addr, b->data, b->strb);
  if (b->te) b->r.next = 0;
  b->r.werr = (b->r.werr || b->werr) && !b->wclr;
  b->r.wip = (b->r.wip || b->werr) && !b->wclr;
}

// The handler of a stock driver, at the end of a flood: from FRI on, while F is set; then PFO.
static void handler(bench *b) {
  dut_set_fault_valid_i(b->d, 0);
  dut_set_iqe_set_i(b->d, 0);
  dut_set_te_clr_i(b->d, 0);
  dut_set_werr_set_i(b->d, 0);
  dut_set_werr_clr_i(b->d, 0);
  dut_set_note_ready_i(b->d, 1);
  dut_set_msg_ready_i(b->d, 1);
  dut_set_rb_i(b->d, reg_bus_of(0, false, 0, 0).words);
  for (unsigned k = 0; k < 4; k++) {
    bool event = dut_get_note_valid_o(b->d);
    if (event && b->r.ip)
      b->r.ip = false;
    else if (event)
      b->r.wip = false;
    b->r.msg = event;
    dut_tick(b->d);
    dut_eval(b->d);
  }
  for (unsigned k = 0; k < RECORDS; k++) {
    unsigned at_k = 0x228 + 16 * ((b->r.fri + k) % RECORDS);
    dut_set_rb_i(b->d, reg_bus_of(at_k, false, 0, 0).words);
    dut_eval(b->d);
    CHECK_EQ(b->t, dut_get_rb_rdata_o(b->d), reg(&b->r, at_k), "record %u", (b->r.fri + k) % RECORDS);
    dut_set_rb_i(b->d, reg_bus_of(at_k, true, 1ull << 63, 0xf0).words);
    write(&b->r, at_k, 1ull << 63, 0xf0);
    dut_tick(b->d);
  }
  dut_set_rb_i(b->d, reg_bus_of(0x30, true, 0x13ull << 32, 0xf0).words);
  write(&b->r, 0x30, 0x13ull << 32, 0xf0);
  dut_tick(b->d);
  dut_set_rb_i(b->d, reg_bus_of(0x30, false, 0, 0).words);
  dut_eval(b->d);
  CHECK_EQ(b->t, dut_get_rb_rdata_o(b->d) >> 32 & 0xff, 0, "FSTS after the handler");
  CHECK(b->t, !b->r.ip, "no event without a reason");
}

static void reset(bench *b) {
  dut_set_fault_valid_i(b->d, 0);
  dut_reset(b->d, 1);
  b->r = (ref){.im = true};
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_fault", 80000);
  bench all = {.t = &t, .d = dut_begin(&t), .r = {.im = true}}, *b = &all;
  dut_reset(b->d, 2);
  for (uint64_t c = 0; c < t.cycles; c++) {
    if (!rnd_below(&t, 2000)) reset(b);
    drive_faults(b, c);
    drive_register(b);
    outputs(b);
    step(b);
    dut_tick(b->d);
    if ((c & 0x7ff) == 0x600) handler(b);
  }
  CHECK(&t,
        b->stored > tb_least(&t, 600) && b->lost > tb_least(&t, 1000) && b->events > tb_least(&t, 60) &&
            b->overflows > tb_least(&t, 20) && b->failures > tb_least(&t, 60),
        "too little: %u %u %u %u %u", b->stored, b->lost, b->events, b->overflows, b->failures);
  dut_free(b->d);
  return tb_end(&t);
}
