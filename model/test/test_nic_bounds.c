// SPDX-License-Identifier: Apache-2.0
// The bounds of time, worked out by hand from the rules for two sizes of NIC; and that who tells of no cycles has no
// record of a timer refused.
// Rules of rtl/nic/README.md: TIM-1, TIM-2, TIM-3, TIM-6, TIM-7, TIM-8, TIM-9, TIM-11, TIM-12.
#include "../src/nic/nic_state.h"
#include "nic_lock.h"

enum { RING = 0x1000, RINGS = 4, EQ_AT = 0x8000, EQ_SIZE = 5, BUF = 0x20000, QP = 2, PROC = 1, PSN = 0x100 };

static node n;

static void begin(unsigned qps) {
  nic_config c;
  nic_config_default(&c);
  c.NumQps = qps;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  for (unsigned i = 0; i < 4; i++)
    qp_connect(&n, i, PROC, 1, i, RING + 0x1000 * i, RINGS, PSN, PSN, CTL(1, 1, 2, 2, 20));
}
static void end(void) { node_free(&n); }

static void numbers(void) {
  nic_config c;
  nic_config_default(&c);
  c.NumQps = 16;
  c.Requests = 16;
  c.Replay = 16;
  EQ(nic_time_packet(32), 136);  // 4096 / 32 + 8
  EQ(nic_time_packet(64), 72);
  EQ(nic_time_packet(16), 264);
  EQ(nic_time_late(&c, 32), 2 * 16 + 4 + 4 * 16 + 2 * 16 + 8 * 136);
  EQ(nic_time_late(&c, 32), 1220);  // as TIM-12 says
  EQ(nic_time_late(&c, 64), 132 + 8 * 72);
  EQ(nic_time_visit_late(&c), 4 * 16 + 8);
  EQ(nic_time_move(&c, 32), 16 * (31 + 4 * 16) + (3 + 2 * 16) * 136 + 16 * 16);
  c.NumQps = 3;
  c.Requests = 4;
  c.Replay = 1;
  EQ(nic_time_late(&c, 32), 6 + 4 + 12 + 8 + 8 * 136);
  EQ(nic_time_visit_late(&c), 20);
  EQ(nic_time_move(&c, 64), 16 * 35 + 5 * 72 + 48);
  EQ(nic_time_give_up_first(1000, 70), 1070);
  EQ(nic_time_give_up_last(1000, 16, 70), 1087);  // ReadTags + 1 more
  EQ(nic_time_give_up_first(0xffffffff, 1), 1ull << 32);
  begin(16);
  EQ(cycles(&n, 1), NIC_OK);
  EQ(nic_time_turn(n.m), 1220 + 16 * (2 * 136 + 16));
  wr(&n, NIC_REG_NIC_TICK, 0);  // 0 is taken as 1
  EQ(nic_time_tick(n.m), 1);
  wr(&n, NIC_REG_NIC_TICK, 77);
  EQ(nic_time_tick(n.m), 77);
  end();
}

// Stretches of 1024 cycles follow one another from reset on: how many visits have been in the last two turns, of which
// held cycles are no part, is known for 64 of them.
static void visits(void) {
  begin(16);
  const uint64_t turns = 2 * 5828, v = 1024;
  EQ(cycles(&n, 10), NIC_OK);
  EQ(nic_time_turn(n.m), turns / 2);
  EQ(nic_time_visits_of_turns(n.m), 0);
  for (unsigned k = 1; k < 8; k++) {
    EQ(cycles(&n, v), NIC_OK);
    EQ(nic_time_visits_of_turns(n.m), k);
  }
  EQ(cycles(&n, 12 * v), NIC_OK);  // at cycle 19466: those at 8192 and after it
  EQ(nic_time_visits_of_turns(n.m), 12);
  EQ(cycles(&n, 8 * v + turns - 1 - n.m->now), NIC_OK);  // the one at 8192 is a cycle short of two turns back
  EQ(nic_time_visits_of_turns(n.m), 12);
  EQ(cycles(&n, 1), NIC_OK);
  EQ(nic_time_visits_of_turns(n.m), 11);
  EQ(cycles_held(&n, 10 * v, NIC_HELD_DMA), NIC_OK);
  EQ(nic_time_visits_of_turns(n.m), 21);
  EQ(cycles_held(&n, 80 * v, NIC_HELD_DMA), NIC_OK);
  EQ(nic_time_visits_of_turns(n.m), 64);
  end();
}

// Nobody tells of cycles: no timer is early.
static void untold(void) {
  nic_head h;
  for (unsigned k = 0; k < 5; k++) {
    begin(16);
    const bool on = k == 4;  // but here, where a cycle has been told of
    if (on) EQ(cycles(&n, 1), NIC_OK);
    nic_status want = on ? NIC_E_TIME : NIC_OK;
    if (k == 0 || on) {  // no progress
      entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
      put_entry(n.mem[PROC] + RING + 0x1000 * QP, &e);
      EQ(reg_write(&n, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, 1), NIC_OK);
      EQ(record(&n, NIC_RET_SEND, false, 0, QP, 0, 0), NIC_OK);
      EQ(record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, QP, named(NIC_OP_WRITE_ONLY, PSN), 1ull << 32), NIC_OK);
      EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_NO_PROGRESS, QP, 0, 2), want);
      if (k == 0) {
        h = head(&n, 1, QP, NIC_OP_ACK, PSN);
        h.syndrome = NIC_SYN_RNR | 9;
        comes(&n, &h);
        EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_BACK, QP, named(NIC_OP_ACK, PSN), 2), NIC_OK);
        EQ(record(&n, NIC_RET_TIMER, false, NIC_TM_RNR, QP, 0, 2), NIC_OK);
      }
    }
    if (k == 1) {
      EQ(reg_write(&n, NIC_REG_XT_LOG, NIC_XT_LOG_EN_MASK | (uint64_t)PROC << NIC_XT_LOG_PROC_LSB | 5), NIC_OK);
      EQ(nic_task(n.m, 0, 16, 0), NIC_OK);
      for (unsigned i = 0; i < 2; i++) EQ(record(&n, NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, PROC), NIC_OK);
    }
    if (k == 2) {  // CNPs
      const nic_self from = {.mac = mac_of(1), .ip = ip_of(1), .tos = 3};
      for (unsigned i = 0; i < 2; i++) {
        uint8_t b[NIC_FRAME_MAX];
        h = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + i);
        h.ack_req = false;
        EQ(nic_rx(n.m, b, nic_frame_build(&from, &h, b, b), false), NIC_OK);
        EQ(record(&n, NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
        EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_DONE, QP, named(NIC_OP_WRITE_ONLY, PSN + i), 0), NIC_OK);
        EQ(record(&n, NIC_RET_TX, false, NIC_TX_CNP, QP, named(NIC_OP_CNP, 0), 0), NIC_OK);
      }
    }
    if (k == 3) {  // rates: a cut, and what the fifth visit after it does
      h = head(&n, 1, QP, NIC_OP_CNP, 0);
      comes(&n, &h);
      EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_CNP, QP, named(NIC_OP_CNP, 0), 0), NIC_OK);
      uint64_t was = 513 | 1024ull << 16 | 1023ull << 32 | 1ull << 63,
               is = 769 | 1024ull << 16 | 960ull << 32 | 1ull << 63;
      EQ(record(&n, NIC_RET_RATE, false, NIC_RT_CUT, QP, was, 0), NIC_OK);
      EQ(record(&n, NIC_RET_RATE, false, NIC_RT_BOTH, QP, is, 0), NIC_OK);
    }
    end();
  }
}

// TIM-2, TIM-3: NIC_TICK makes units of another length of what has begun, that is up to the cycle of its write; what
// begins in the next one has both bounds of the new length.
static void ticks(void) {
  enum { NEW = 50, OLD = 1000, UNITS = 24 };
  for (unsigned k = 0; k < 12; k++) {
    const bool wait = k & 1, same = k & 2, task = !wait;
    const unsigned look = k >> 2;  // 0: a cycle too early, 1: in time, 2: too late
    uint64_t units = wait ? UNITS : 1, most;
    begin(16);
    most = late_of(&n) + (task ? n.cfg.NumLogs * (16 + 136) : 0);
    wr(&n, NIC_REG_NIC_TICK, OLD);
    EQ(cycles(&n, 8), NIC_OK);
    if (wait) {
      entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = 4, .remote = BUF, .rkey = KEY};
      put_entry(n.mem[PROC] + RING + 0x1000 * QP, &e);
      EQ(reg_write(&n, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, 1), NIC_OK);
      EQ(record(&n, NIC_RET_SEND, false, 0, QP, 0, 0), NIC_OK);
      EQ(record(&n, NIC_RET_TX, false, NIC_TX_REQUEST, QP, named(NIC_OP_WRITE_ONLY, PSN), 1ull << 32), NIC_OK);
    } else {
      EQ(reg_write(&n, NIC_REG_XT_LOG, NIC_XT_LOG_EN_MASK | (uint64_t)PROC << NIC_XT_LOG_PROC_LSB | 5), NIC_OK);
      EQ(nic_task(n.m, 0, 16, 0), NIC_OK);
    }
    if (!same) EQ(reg_write(&n, NIC_REG_NIC_TICK, NEW), NIC_OK);
    if (!same) EQ(cycles(&n, 1), NIC_OK);
    if (wait) {
      nic_head h = head(&n, 1, QP, NIC_OP_ACK, PSN);
      h.syndrome = NIC_SYN_RNR | 9;
      comes(&n, &h);
      EQ(record(&n, NIC_RET_FRAME, false, NIC_FR_BACK, QP, named(NIC_OP_ACK, PSN), 1), NIC_OK);
    } else {
      EQ(record(&n, NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, PROC), NIC_OK);
    }
    if (same) EQ(reg_write(&n, NIC_REG_NIC_TICK, NEW), NIC_OK);
    if (look < 2) {
      EQ(cycles(&n, units * NEW - !look), NIC_OK);
      nic_status s = wait ? record(&n, NIC_RET_TIMER, false, NIC_TM_RNR, QP, 0, 2)
                          : record(&n, NIC_RET_TASK, true, NIC_WHY_BAD_QUEUE, 5, 0, PROC);
      EQ(s, look || same ? NIC_OK : NIC_E_TIME);
    } else {
      EQ(cycles(&n, (units + 1) * NEW + most), NIC_OK);
      if (same) EQ(cycles(&n, 10 * most + 2 * OLD * UNITS), NIC_OK);
      if (!same) overdue(&n, 3 * SLACK, wait ? "RNR wait of QP (2)" : "the task of log (0)");
    }
    end();
  }
}

int main(void) {
  ticks();
  numbers();
  visits();
  untold();
  return report();
}
