// SPDX-License-Identifier: Apache-2.0
// Marks (rtl/nic/README.md, ECN-1, ECN-2, ECN-3, ECN-4): which frames make a CNP, what it is byte for byte,
// when the next one comes.
#include "nic_world.h"

enum { RING = 0x1000, RINGS = 5, EQ_AT = 0x8000, EQ_SIZE = 5, BUF = 0x20000, QP = 2, OTHER = 3, PROC = 1, PSN = 0x100 };
enum { TIME = 1000, FAR = 30 };

static node n;
static nic_head h;

static unsigned owes(void) {
  char text[120];
  return nic_owes(n.m, text, sizeof text);
}

static void begin(void) {
  nic_config c;
  nic_config_default(&c);
  node_init(&n, 0, &c);
  node_on(&n);
  wr(&n, NIC_REG_NIC_IP, ip_of(0) | 0x4aull << NIC_NIC_IP_TOS_LSB);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  qp_connect(&n, QP, PROC, 1, 0x77, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, FAR));
  qp_connect(&n, OTHER, PROC, 1, 10, RING + 0x1000, RINGS, PSN, PSN, CTL(1, 1, 2, 2, FAR));
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

static void write_of(unsigned tos, unsigned qp, uint32_t psn) {
  nic_head w = head(&n, 1, qp, NIC_OP_WRITE_ONLY, psn);
  w.ack_req = false;
  comes(tos, &w);
  nic_run(n.m);
}

static unsigned cnps(void) {
  unsigned k = 0;
  nic_run(n.m);
  while (heard(&n, &h, NULL)) k += h.opcode == NIC_OP_CNP;
  return k;
}

static uint64_t marks(void) { return cnt(&n, NIC_CNT_MARKED); }

// 14 Ethernet, 20 IPv4 (length 60), 8 UDP, 12 BTH with BECN, 16 of 0, ICRC; its checksums are Python's (zlib).
static void bytes(void) {
  static const uint8_t want[] = {0,    0,    0,    0, 0,    0x11, 0,    0,    0,    0,    0,    0x10, 8,    0,    0x45,
                                 0x4a, 0,    0x3c, 0, 0,    0x40, 0,    0x40, 0x11, 0x26, 0x65, 10,   0,    0,    1,
                                 10,   0,    0,    2, 0xc0, 0,    0x12, 0xb7, 0,    0x28, 0,    0,    0x81, 0x40, 0xff,
                                 0xff, 0x40, 1,    1, 0x77, 0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                 0,    0,    0,    0, 0,    0,    0,    0,    0,    0,    0x77, 0xa5, 0x2b, 0x9d};
  begin();
  write_of(3, QP, PSN);
  nic_run(n.m);
  CHECK(n.out_tail - n.out_head == 1);
  const wire_frame *f = &n.out[n.out_head % FRAMES];
  EQ(f->n, 74);
  for (unsigned i = 0; i < sizeof want; i++)
    if (f->b[i] != want[i]) EQ(f->b[i], want[i] + i * 0x1000u);
  node_free(&n);
}

static void which(void) {
  begin();
  for (unsigned tos = 0; tos < 256; tos += tos == 6 ? 61 : 1) write_of((tos & ~3u) | (tos & 3) % 3, QP, PSN);
  EQ(marks(), 0);
  write_of(3, QP,
           PSN + 1);  // not the first of its PSN: dup, ahead, invalid, refused by its region and answers count alike
  EQ(marks(), 1);
  EQ(cnps(), 1);
  write_of(0xff, QP, PSN);
  write_of(3, QP, PSN + 9);
  nic_head w = head(&n, 1, QP, NIC_OP_WRITE_MIDDLE, PSN + 2);
  w.bytes = 64;
  comes(3, &w);
  w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + 2);
  w.bytes = 4, w.length = 4, w.rkey = 0x1234;
  comes(3, &w);
  w = head(&n, 1, QP, NIC_OP_ACK, PSN);
  comes(3, &w);
  nic_run(n.m);
  EQ(marks(), 6);
  w.opcode = NIC_OP_CNP;  // but neither a CNP nor what is not ours
  comes(3, &w);
  w = head(&n, 1, QP, NIC_OP_WRITE_ONLY, PSN + 2);
  w.pkey = 1;
  comes(3, &w);
  nic_run(n.m);
  EQ(marks(), 6);
  EQ(cnps(), 0);
  nic_advance(n.m, TIME - 1);
  EQ(cnps(), 0);
  EQ(owes(), 0);
  nic_advance(n.m, 1);
  EQ(owes(), 1);
  EQ(cnps(), 1);  // of all five
  nic_advance(n.m, 10 * TIME);
  EQ(cnps(), 0);
  EQ(cnt(&n, NIC_CNT_CNP_SENT), 2);
  node_free(&n);
}

// TIME 0, off and on, another TIME.
static void registers(void) {
  begin();
  wr(&n, NIC_REG_NIC_CNP, ~0ull);
  EQ(rd(&n, NIC_REG_NIC_CNP), 0xffffffff);
  wr(&n, NIC_REG_NIC_CNP, 0);
  write_of(3, QP, PSN);
  EQ(cnps(), 0);
  EQ(marks(), 1);
  wr(&n, NIC_REG_NIC_CNP, TIME);
  nic_advance(n.m, 10 * TIME);
  EQ(cnps(), 0);
  write_of(3, QP, PSN + 1);
  EQ(cnps(), 1);
  write_of(3, QP, PSN + 2);
  write_of(3, OTHER, PSN);  // has a time of its own
  EQ(cnps(), 1);
  EQ(h.qp, 0x101 << 8 | 10);
  nic_advance(n.m, TIME / 2);
  wr(&n, NIC_REG_NIC_CNP, TIME);  // it begins anew
  nic_advance(n.m, TIME - 1);
  EQ(cnps(), 0);
  nic_advance(n.m, 1);
  EQ(cnps(), 1);
  write_of(3, QP, PSN + 3);
  wr(&n, NIC_REG_NIC_CNP, 0);  // what is owed leaves
  EQ(cnps(), 1);
  wr(&n, NIC_REG_NIC_CNP, TIME);
  write_of(3, QP, PSN + 4);
  EQ(cnps(), 1);
  write_of(3, QP, PSN + 5);
  qp_connect(&n, QP, PROC, 1, 0x77, RING, RINGS, PSN, PSN, CTL(1, 1, 2, 2, FAR));  // what was owed is not,
  nic_advance(n.m, TIME / 2);
  write_of(3, QP, PSN);
  EQ(cnps(), 0);
  nic_advance(n.m, TIME - TIME / 2);  // but the time goes on
  EQ(cnps(), 1);
  node_free(&n);
}

int main(void) {
  bytes();
  which();
  registers();
  return report();
}
