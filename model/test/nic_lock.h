// SPDX-License-Identifier: Apache-2.0
// A test as the hardware beside the NIC's model: cycles, and records that it writes itself.
#ifndef TOCSIN_TEST_NIC_LOCK_H
#define TOCSIN_TEST_NIC_LOCK_H

#include "nic_world.h"
#include "tocsin/nic_time.h"

enum { BEAT = 32, SLACK = 8 /* upper bounds are looked at that often */ };

static inline nic_status cycles_held(node *n, uint64_t k, unsigned held) {
  nic_status s = NIC_OK;
  while (k-- && s == NIC_OK) s = nic_cycle(n->m, BEAT, held);
  return s;
}
static inline nic_status cycles(node *n, uint64_t k) { return cycles_held(n, k, 0); }

static inline nic_status record(node *n, unsigned kind, bool flag, unsigned code, unsigned idx, uint64_t a,
                                uint64_t b) {
  nic_retire_rec r = {(uint8_t)kind, flag, (uint8_t)code, (uint8_t)idx, a, b};
  return nic_retire(n->m, &r);
}

static inline nic_status reg_write(node *n, uint32_t addr, uint64_t v) {
  return record(n, NIC_RET_REG_WRITE, false, 0, 255, addr, v);
}
static inline nic_status reg_read(node *n, uint32_t addr, uint64_t v) {
  return record(n, NIC_RET_REG_READ, false, 0, 0, addr, v);
}

// a of RetFrame and RetTx.
static inline uint64_t named(unsigned opcode, uint32_t psn) { return (uint64_t)opcode << 24 | (psn & 0xffffff); }

// A frame of the peer comes in, and its RetRx.
static inline void comes(node *n, const nic_head *h) {
  static const uint8_t pay[NIC_PAYLOAD_MAX];
  say(n, 1, h, pay);
  EQ(record(n, NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
}

// It has not come in time, and the reason says what.
static inline void overdue(node *n, uint64_t k, const char *what) {
  EQ(cycles(n, k), NIC_E_TIME);
  if (!strstr(nic_reason(n->m), what)) {
    CHECK(!"the reason is another");
    printf("%s instead of %s\n", nic_reason(n->m), what);
  }
}

// TIM-6, TIM-12, by hand: of 16 queue pairs with 16 requests each.
static inline uint64_t late_of(const node *n) { return nic_time_late(&n->cfg, BEAT); }
static inline uint64_t turn_of(const node *n) { return late_of(n) + n->cfg.NumQps * (2 * (4096 / 32 + 8) + 16); }

#endif
