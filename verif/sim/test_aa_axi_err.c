// SPDX-License-Identifier: Apache-2.0
// aa_axi_err: bursts of three ids, as many under way as each may have; responses in any order of ids. Every error has a
// record with the id, address and owner of its burst, and what it means for the log goes with it; nothing else has.
// After a reset there is neither a burst nor a record.
// Rules of rtl/aa/README.md: ERR-1, ERR-2, ERR-4, ERR-5, ERR-6.
// netlist: default
#include "aa_fields.h"
#include "tb.h"
#include "aa_axi_err_tb.h"

enum { IDS = 3, MOST = 32 };

#define REC_WORDS ((AA_K_RetireW + 31) / 32)
#define ERR_WORDS ((AA_K_ErrW + 31) / 32)

typedef struct burst {
  uint64_t addr;
  unsigned owner;
} burst;

typedef struct bench {
  tb *t;
  dut *d;
  burst q[IDS][MOST], now, bad;  // under way, the oldest at head; the one that leaves; the one of the record
  unsigned head[IDS], n[IDS], aw_id, b_id, bad_id, iuid;
  bool aw, b, error, ready, busy;
  unsigned told[IDS], full[IDS], entries, pointers, fine;
} bench;

static const unsigned depth[IDS] = {P_Depth0, P_Depth1, P_Depth2};

static void drive(bench *x, uint64_t c) {
  unsigned phase = (unsigned)(c >> 9 & 3), aw_pct = phase == 0 ? 95 : 50, b_pct = phase == 1 ? 95 : phase ? 50 : 20;
  x->aw_id = (unsigned)rnd_below(x->t, IDS);
  x->b_id = (unsigned)rnd_below(x->t, IDS);
  x->iuid = (unsigned)rnd_bits(x->t, 10);
  x->aw = x->n[x->aw_id] < depth[x->aw_id] && rnd_chance(x->t, aw_pct);
  x->b = !x->busy && x->n[x->b_id] && rnd_chance(x->t, b_pct);
  x->error = rnd_chance(x->t, 20);
  x->ready = rnd_chance(x->t, 50);
  x->now = (burst){rnd_bits(x->t, 48), (unsigned)rnd_bits(x->t, 7)};
  dut_set_aw_valid_i(x->d, x->aw);
  dut_set_aw_id_i(x->d, x->aw_id);
  dut_set_aw_addr_i(x->d, x->now.addr);
  dut_set_aw_owner_i(x->d, x->now.owner);
  dut_set_b_valid_i(x->d, x->b);
  dut_set_b_id_i(x->d, x->b_id);
  dut_set_b_err_i(x->d, x->error);
  dut_set_note_ready_i(x->d, x->ready);
  dut_set_fail_iuid_i(x->d, x->iuid);
  dut_eval(x->d);
}

// All of the record and of the error, what they do not use included.
static void record(bench *x, bool of_log, bool ptr) {
  uint32_t got[REC_WORDS], want[REC_WORDS] = {0}, err[ERR_WORDS], want_err[ERR_WORDS] = {0};
  bits_set(want, AA_RETIRE_T_KIND_LSB, AA_RETIRE_T_KIND_W, 9);
  bits_set(want, AA_RETIRE_T_CODE_LSB, AA_RETIRE_T_CODE_W, AA_K_NoteAxiErr);
  bits_set(want, AA_RETIRE_T_IDX_LSB, AA_RETIRE_T_IDX_W, x->bad_id);
  bits_set(want, AA_RETIRE_T_SLOT_LSB, AA_RETIRE_T_SLOT_W, of_log ? x->bad.owner & 31 : 255);
  bits_set(want, AA_RETIRE_T_FLAG_LSB, 1, x->bad_id == 2 && ptr);
  bits_set(want, AA_RETIRE_T_A_LSB, 64, x->bad.addr);
  bits_set(want_err, AA_ERR_T_CODE_LSB, AA_ERR_T_CODE_W, AA_K_ErrAxiWrite);
  bits_set(want_err, AA_ERR_T_IUID_LSB, 10, of_log ? x->iuid : 0);
  bits_set(want_err, AA_ERR_T_ADDR_LSB, 64, x->bad.addr);
  dut_get_note_o(x->d, got);
  dut_get_err_o(x->d, err);
  CHECK_MEM(x->t, got, want, sizeof got, "P1: record of a burst of id %u", x->bad_id);
  CHECK_MEM(x->t, err, want_err, sizeof err, "P1: error of a burst of id %u", x->bad_id);
}

static void outputs(bench *x) {
  bool of_log = x->bad.owner >> 6, ptr = x->bad.owner >> 5 & 1, small = x->bad_id == 2, tell = x->busy && x->ready;
  CHECK_EQ(x->t, dut_get_busy_o(x->d), x->busy, "P2: busy_o");
  CHECK_EQ(x->t, dut_get_note_valid_o(x->d), x->busy, "P1: a record");
  CHECK_EQ(x->t, dut_get_err_valid_o(x->d), tell, "P1: the error goes with its record");
  CHECK_EQ(x->t, dut_get_fail_entry_valid_o(x->d), tell && of_log && !small, "P3: entries");
  CHECK_EQ(x->t, dut_get_fail_ptr_valid_o(x->d), tell && of_log && small && ptr, "P3: pointer");
  if (x->busy) record(x, of_log, ptr);
  if (x->busy && of_log) CHECK_EQ(x->t, dut_get_fail_log_o(x->d), x->bad.owner & 31, "P3: log");
  if (!tell) return;
  x->told[x->bad_id]++;
  x->entries += of_log && !small;
  x->pointers += of_log && small && ptr;
  x->busy = false;
}

static void bursts(bench *x) {
  if (x->b) {
    x->busy = x->error;
    x->bad = x->q[x->b_id][x->head[x->b_id]];
    x->bad_id = x->b_id;
    x->head[x->b_id] = (x->head[x->b_id] + 1) % MOST;
    x->n[x->b_id]--;
    x->fine += !x->error;
  }
  if (x->aw) {
    x->q[x->aw_id][(x->head[x->aw_id] + x->n[x->aw_id]) % MOST] = x->now;
    x->full[x->aw_id] += ++x->n[x->aw_id] == depth[x->aw_id];
  }
}

static void reset(bench *x) {
  dut_reset(x->d, 1);
  for (unsigned i = 0; i < IDS; i++) x->n[i] = 0;
  x->busy = false;
}

int main(int argc, char **argv) {
  static bench all;
  bench *x = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_axi_err", 40000);
  x->t = &t;
  x->d = dut_begin(&t);
  reset(x);
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    drive(x, c);
    if (rnd_below(&t, 1000) == 0) {  // in the middle of anything
      reset(x);
      continue;
    }
    outputs(x);
    bursts(x);
    dut_tick(x->d);
  }
  for (unsigned i = 0; i < IDS; i++)
    CHECK(&t, x->told[i] > tb_least(&t, 100) && x->full[i] > tb_least(&t, 20),
          "id %u was reported %u times, full %u times", i, x->told[i], x->full[i]);
  CHECK(&t, x->entries > tb_least(&t, 100) && x->pointers > tb_least(&t, 20) && x->fine > tb_least(&t, 500), "%u %u %u",
        x->entries, x->pointers, x->fine);
  dut_free(x->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
