// SPDX-License-Identifier: Apache-2.0
// Congestion in lockstep: both bounds of CNPs, of visits and of what a slow queue pair sends (rtl/nic/README.md, TIM-6,
// TIM-8, TIM-9, TIM-10, ECN-8, ECN-9), a cycle on either side. This file is the hardware, cycle for cycle.
#include "tocsin/nic_time.h"

#include "nic_world.h"

enum { RING = 0x1000, RINGS = 5, EQ_AT = 0x8000, EQ_SIZE = 5, BUF = 0x20000, QP = 2, PROC = 1, PSN = 0x100 };
enum { TIME = 1000, BEAT = 32, SLACK = 8, VISIT = 1024, LATER = 4 * 16 + 8, FAR = 30 };

static node n;

static nic_status cycles(uint64_t k) {
  nic_status s = NIC_OK;
  while (k-- && s == NIC_OK) s = nic_cycle(n.m, BEAT, 0);
  return s;
}

static nic_status record(unsigned kind, bool flag, unsigned code, unsigned idx, uint64_t a, uint64_t b) {
  nic_retire_rec r = {(uint8_t)kind, flag, (uint8_t)code, (uint8_t)idx, a, b};
  return nic_retire(n.m, &r);
}

static unsigned owes(void) {
  char text[120];
  return nic_owes(n.m, text, sizeof text);
}

static void begin(unsigned mtu, unsigned timeout) {
  nic_config c;
  nic_config_default(&c);
  c.Window = 128;
  node_init(&n, 0, &c);
  node_on(&n);
  wr(&n, NIC_REG_NIC_IP, ip_of(0) | 0x4aull << NIC_NIC_IP_TOS_LSB);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  qp_connect(&n, QP, PROC, 1, 0x77, RING, RINGS, PSN, PSN, CTL(mtu, 1, 2, 2, timeout));
  wr(&n, NIC_REG_NIC_CNP, TIME);
  nic_advance(n.m, 10);
}

// A frame of the peer whose TOS is this.
static void comes(unsigned tos, const nic_head *w) {
  static const uint8_t pay[64];
  nic_self self = {.mac = mac_of(1), .ip = ip_of(1), .tos = (uint8_t)tos};
  uint8_t b[NIC_FRAME_MAX];
  EQ(nic_rx(n.m, b, nic_frame_build(&self, w, pay, b), false), NIC_OK);
}

// ---- in lockstep
static nic_status cnp_leaves(void) { return record(NIC_RET_TX, false, NIC_TX_CNP, QP, 0x81000000, 0); }

// A marked frame, and its records.
static void marked(uint32_t psn) {
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, psn);
  w.ack_req = false;
  comes(3, &w);
  EQ(record(NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
  EQ(record(NIC_RET_FRAME, false, NIC_FR_DONE, QP, (uint64_t)NIC_OP_WRITE_ONLY << 24 | psn, 0), NIC_OK);
}

static uint64_t late_of(void) { return nic_time_late(&n.cfg, BEAT); }
static uint64_t turn(void) { return late_of() + 16 * (2 * (4096 / 32 + 8) + 16); }

static void cnp_time(void) {
  begin(1, FAR);
  EQ(cycles(100), NIC_OK);
  EQ(cnp_leaves(), NIC_E_ORDER);
  node_free(&n);
  for (unsigned k = 0; k < 3; k++) {
    begin(1, FAR);
    EQ(cycles(100), NIC_OK);
    marked(PSN);
    EQ(cnp_leaves(), NIC_OK);
    marked(PSN + 1);
    EQ(cycles(k == 0 ? TIME - 1 : k == 1 ? TIME : 2 * TIME + turn()), NIC_OK);
    if (k < 2) EQ(cnp_leaves(), k ? NIC_OK : NIC_E_TIME);
    if (k == 2) EQ(cycles(3 * SLACK), NIC_E_TIME);
    if (k == 2) CHECK(strstr(nic_reason(n.m), "CNP of QP (2)"));
    node_free(&n);
  }
  for (unsigned k = 0; k < 3; k++) {  // written in between: of the new length, from then on
    begin(1, FAR);
    EQ(cycles(100), NIC_OK);
    marked(PSN);
    EQ(cnp_leaves(), NIC_OK);
    EQ(cycles(500), NIC_OK);
    marked(PSN + 1);
    EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_NIC_CNP, 300), NIC_OK);
    EQ(cycles(k == 0 ? 299 : k == 1 ? 300 : 600 + turn()), NIC_OK);
    if (k < 2) EQ(cnp_leaves(), k ? NIC_OK : NIC_E_TIME);
    if (k == 2) EQ(cycles(3 * SLACK), NIC_E_TIME);
    node_free(&n);
  }
}

static void cnp_comes(void) {
  nic_head c = head(&n, 1, QP, NIC_OP_CNP, 0);
  comes(0, &c);
  EQ(record(NIC_RET_RX, false, NIC_RX_GOOD, 0, 0, 0), NIC_OK);
  EQ(record(NIC_RET_FRAME, false, NIC_FR_CNP, QP, (uint64_t)NIC_OP_CNP << 24, 0), NIC_OK);
}

static nic_status rate(unsigned code, unsigned rate, unsigned target, unsigned alpha) {
  uint64_t a = rate | (uint64_t)target << 16 | (uint64_t)alpha << 32 | 1ull << 63;
  return record(NIC_RET_RATE, false, code, QP, a, 0);
}
static nic_status first_cut(void) { return rate(NIC_RT_CUT, 513, 1024, 1023); }
static nic_status fifth(void) { return rate(NIC_RT_BOTH, 769, 1024, 960); }  // (513 + 1024 + 1) / 2, 1023 - 63

static void slow(void) {
  begin(1, FAR);
  EQ(cycles(100), NIC_OK);
  cnp_comes();
  EQ(cycles(300), NIC_OK);
  EQ(first_cut(), NIC_OK);
}

static void visits(void) {
  begin(1, FAR);
  EQ(first_cut(), NIC_E_ORDER);  // nobody has said so
  node_free(&n);
  for (unsigned k = 0; k < 2; k++) {
    begin(1, FAR);
    cnp_comes();
    EQ(cycles(VISIT + LATER), NIC_OK);
    if (k == 0) EQ(first_cut(), NIC_OK);
    if (k == 1) EQ(cycles(3 * SLACK), NIC_E_TIME);
    node_free(&n);
  }
  slow();
  EQ(fifth(), NIC_E_TIME);
  node_free(&n);
  for (unsigned k = 0; k < 5; k++) {
    slow();
    EQ(cycles(5 * VISIT - LATER - 1), NIC_OK);
    if (k == 0) EQ(fifth(), NIC_E_TIME);
    if (k == 1 || k == 2) EQ(cycles(1), NIC_OK);
    if (k == 2) EQ(rate(NIC_RT_CALM, 513, 1024, 960), NIC_E_MISMATCH);
    if (k > 2) EQ(cycles(1 + 2 * LATER), NIC_OK);
    if (k == 1 || k == 3) EQ(fifth(), NIC_OK);
    if (k == 4) EQ(cycles(3 * SLACK), NIC_E_TIME);
    if (k == 4) CHECK(strstr(nic_reason(n.m), "rate of QP (2)"));
    node_free(&n);
  }
  slow();  // a CNP before: that visit, and any other, is a cut
  EQ(cycles(2 * VISIT), NIC_OK);
  cnp_comes();
  EQ(cycles(500), NIC_OK);
  EQ(rate(NIC_RT_CUT, 257, 513, 1023), NIC_E_TIME);  // in the middle of two
  node_free(&n);
  slow();
  EQ(cycles(5 * VISIT), NIC_OK);
  cnp_comes();
  EQ(fifth(), NIC_E_MISMATCH);
  node_free(&n);
}

// ---- what leaves at which rate: RATE 2, so 64 bytes a visit
static uint32_t next_psn;

static nic_status packet_leaves(unsigned opcode) {
  uint32_t psn = next_psn++;
  return record(NIC_RET_TX, false, NIC_TX_REQUEST, QP, (uint64_t)opcode << 24 | psn, 1ull << 32 | (psn - PSN));
}
static nic_status one_leaves(void) {
  uint32_t psn = next_psn++;
  return record(NIC_RET_TX, false, NIC_TX_REQUEST, QP, (uint64_t)NIC_OP_WRITE_ONLY << 24 | psn, 1ull << 32);
}

// Writes of so many bytes are to be sent, each an entry.
static void very_slow(unsigned mtu, unsigned timeout, unsigned entries, uint32_t bytes) {
  begin(mtu, timeout);
  EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_NIC_RATE, 3 | 1 << 16 | 4ull << 32 | 5ull << 36), NIC_OK);
  EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_NIC_RAISE, 255 | 255 << 8), NIC_OK);
  cnp_comes();
  EQ(cycles(10), NIC_OK);
  EQ(rate(NIC_RT_CUT, 2, 3, 1023), NIC_OK);
  EQ(cycles(3 * turn()), NIC_OK);  // what was decided on before has left
  entry e = {.op = OP_WRITE, .flags = 1, .va1 = BUF, .len1 = bytes, .remote = BUF, .rkey = KEY};
  for (unsigned k = 0; k < entries; k++) put_entry(n.mem[PROC] + RING + 64 * k, &e);
  EQ(record(NIC_RET_REG_WRITE, false, 0, 255, NIC_REG_QP_PROD + QP * NIC_REG_QP_PROD_STRIDE, entries), NIC_OK);
  for (unsigned k = 0; k < entries; k++) EQ(record(NIC_RET_SEND, false, 0, QP, 0, k), NIC_OK);
  next_psn = PSN;
}

// A packet of 256 bytes takes 320: five visits, and one more.
static uint64_t pays_back(uint64_t visits) { return (visits + 1) * VISIT + LATER; }

static void goes_on(void) {
  for (unsigned k = 0; k < 2; k++) {
    very_slow(1, FAR, 2, 256);
    EQ(owes(), 1);
    EQ(one_leaves(), NIC_OK);
    EQ(owes(), 0);
    EQ(cycles((k ? 0 : turn()) + 5 * VISIT), NIC_OK);
    if (k) EQ(one_leaves(), NIC_OK);
    if (!k) EQ(cycles(pays_back(0) + 3 * SLACK), NIC_E_TIME);
    if (!k) CHECK(strstr(nic_reason(n.m), "a packet of QP (2)"));
    node_free(&n);
  }
}

// All of a message of 100 packets at once: at most two visits' worth is in the bucket, 64 leave later than they
// were decided on, one more since a visit may have been a little earlier. 128 bytes and 65 packets of 320: after 66
// it has less than that.
static void too_fast(void) {
  very_slow(1, FAR, 1, 100 * 256);
  nic_status s = packet_leaves(NIC_OP_WRITE_FIRST);
  unsigned k = 0;
  for (; s == NIC_OK && k < 98; k++) s = packet_leaves(NIC_OP_WRITE_MIDDLE);
  EQ(s, NIC_E_ORDER);
  CHECK(strstr(nic_reason(n.m), "QP 2 is held back"));
  EQ(k, 66);
  node_free(&n);
  very_slow(1, FAR, 1, 100 * 256);  // and from then on one in five visits
  EQ(packet_leaves(NIC_OP_WRITE_FIRST), NIC_OK);
  for (k = 0; k < 65; k++) EQ(packet_leaves(NIC_OP_WRITE_MIDDLE), NIC_OK);
  EQ(cycles(5 * VISIT), NIC_OK);
  EQ(packet_leaves(NIC_OP_WRITE_MIDDLE), NIC_OK);
  EQ(packet_leaves(NIC_OP_WRITE_MIDDLE), NIC_E_ORDER);
  node_free(&n);
}

static nic_status no_progress_comes(void) { return record(NIC_RET_TIMER, false, NIC_TM_NO_PROGRESS, QP, 0, 2); }

// 4160 bytes take 65 visits. A time-out that comes in them does nothing; one must come after them.
static void no_progress(void) {
  for (unsigned k = 0; k < 4; k++) {
    very_slow(5, 13, 1, 4096);
    EQ(one_leaves(), NIC_OK);
    uint64_t paid = 65 * VISIT - 3 * turn() % VISIT + LATER;  // at the last moment of the 65th visit from here
    EQ(cycles(k == 0 ? 40 * VISIT : k == 1 ? 64 * VISIT : paid + (1 << 13) + late_of()), NIC_OK);
    if (k == 0) EQ(no_progress_comes(), NIC_E_ORDER);
    if (k == 1 || k == 2) EQ(no_progress_comes(), NIC_OK);
    if (k == 3) EQ(cycles(3 * SLACK), NIC_E_TIME);
    if (k == 3) CHECK(strstr(nic_reason(n.m), "no progress of QP (2)"));
    node_free(&n);
  }
}

int main(void) {
  cnp_time();
  visits();
  goes_on();
  too_fast();
  no_progress();
  return report();
}
