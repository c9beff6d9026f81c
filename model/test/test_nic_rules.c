// SPDX-License-Identifier: Apache-2.0
// Rules of the NIC's model that random traffic does not tell apart: each by the one frame, register or state in which
// it makes a difference.
// Rules of rtl/nic/README.md: FRM-4, QPR-5, QPR-9, ECN-2.
#include "../src/nic/nic_state.h"
#include "nic_world.h"

enum { RING = 0x1000, RINGS = 5, EQ_AT = 0x8000, EQ_SIZE = 5, BUF = 0x20000, PROC = 1, PSN = 0x100, TIME = 1000 };

static node n;
static nic_head h;

static void begin(unsigned qps) {
  nic_config c;
  nic_config_default(&c);
  c.NumQps = qps;
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ_AT, EQ_SIZE);
  region(&n, 0, KEY, PROC, BUF, 0x1000, RWA);
  for (unsigned i = 0; i < qps && i < 4; i++)
    qp_connect(&n, i, PROC, 1, i, RING + 0x1000 * i, RINGS, PSN, PSN, CTL(1, 1, 2, 2, 30));
  wr(&n, NIC_REG_NIC_CNP, TIME);
  nic_advance(n.m, 10);
}

// ---- congestion -----------------------------------------------------------------------------------------------------

static void marked(unsigned qp, uint32_t psn) {
  static const uint8_t pay[64];
  const nic_self self = {.mac = mac_of(1), .ip = ip_of(1), .tos = 3};
  uint8_t b[NIC_FRAME_MAX];
  nic_head w = head(&n, 1, qp, NIC_OP_WRITE_ONLY, psn);
  w.ack_req = false;
  EQ(nic_rx(n.m, b, nic_frame_build(&self, &w, pay, b), false), NIC_OK);
  nic_run(n.m);
}

// The next queue pair that a CNP leaves for, as its peer is numbered; ~0: none.
static unsigned cnp(void) {
  nic_run(n.m);
  while (heard(&n, &h, NULL))
    if (h.opcode == NIC_OP_CNP) return h.qp & 0xff;
  return ~0u;
}

// Those that owe one at the same time take turns, from behind the last one that had its.
static void turns(void) {
  static const unsigned first[] = {1, 2, 0};
  begin(4);
  for (unsigned k = 0; k < 3; k++) {
    marked(first[k], PSN);
    EQ(cnp(), first[k]);
  }
  for (unsigned k = 0; k < 3; k++) marked(k, PSN + 1);
  EQ(cnp(), ~0u);
  wr(&n, NIC_REG_NIC_CNP, TIME);  // all times begin anew, so that they end together
  nic_advance(n.m, 2 * TIME);
  for (unsigned k = 0; k < 3; k++) EQ(cnp(), first[k]);
  EQ(cnp(), ~0u);
  node_free(&n);
}

// Those that have to wait are not forgotten, also where there are no others.
static void waiting(void) {
  begin(2);
  for (unsigned i = 0; i < 2; i++) {
    marked(i, PSN);
    EQ(cnp(), i);
  }
  marked(0, PSN + 1);
  marked(1, PSN + 1);
  EQ(cnp(), ~0u);
  nic_advance(n.m, TIME / 2);
  EQ(cnp(), ~0u);
  nic_advance(n.m, TIME);
  EQ(cnp(), 0);
  EQ(cnp(), 1);
  EQ(cnp(), ~0u);
  EQ(n.m->perhaps.cnps, false);  // and nobody is asked any more
  node_free(&n);
}

// ---- frames, regions, registers -------------------------------------------------------------------------------------

// An address of IPv6 that ends as an IPv4 address of 128 bits does is one of IPv6 yet.
static void addresses(void) {
  static const struct {
    nic_ip6 from;
    unsigned want;
  } a[] = {{{0x20010db800000000, 0x0000ffff0a000001}, NIC_RX_GOOD},
           {{0, 0x0001ffff0a000001}, NIC_RX_GOOD},
           {{0, 0x0000ffff0a000001}, NIC_RX_FOREIGN}};
  const nic_self me = {.mac = 1, .ip6 = {0x20010db800000000, 2}};
  const uint8_t *pay;
  for (unsigned i = 0; i < sizeof a / sizeof *a; i++) {
    const nic_self from = {.mac = 2, .ip6 = a[i].from};
    uint8_t b[NIC_FRAME_MAX];
    nic_head w = {.mac = 1, .v6 = true, .ip6 = me.ip6, .port = 0xc000, .pkey = 0xffff, .opcode = NIC_OP_ACK};
    EQ(nic_frame_parse(&me, b, nic_frame_build(&from, &w, NULL, b), false, &h, &pay), a[i].want);
  }
}

// A key names no region behind the last, whatever lies there.
static void regions(void) {
  nic_mr *mr = malloc(4 * sizeof *mr);
  if (!mr) exit(2);
  memset(mr, 0xff, 4 * sizeof *mr);
  for (unsigned i = 0; i < 4; i++) mr[i].key = NIC_MR_KEY_EN_MASK | KEY | i;
  CHECK(nic_mr_named(mr, 4, KEY | 3, 0));
  CHECK(!nic_mr_named(mr, 4, KEY | 4, 0));
  CHECK(!nic_mr_named(mr, 4, KEY | 0xff, 0));
  CHECK(!nic_mr_named(mr, 3, KEY | 3, 0));
  free(mr);
}

// QP_MSG says that a NAK has been sent of the packet that is missing.
static void told(void) {
  begin(2);
  EQ(NIC_FIELD(rd(&n, NIC_REG_QP_MSG), QP_MSG_TOLD), 0);
  nic_head w = head(&n, 1, 0, NIC_OP_WRITE_ONLY, PSN + 5);
  say(&n, 1, &w, NULL);
  nic_run(n.m);
  EQ(NIC_FIELD(rd(&n, NIC_REG_QP_MSG), QP_MSG_TOLD), 1);
  EQ(NIC_FIELD(rd(&n, NIC_REG_QP_MSG), QP_MSG_MSN), 0);
  node_free(&n);
}

// An event of a process that there cannot be.
static void processes(void) {
  begin(2);
  nic_retire_rec r = {.kind = NIC_RET_EVENT, .code = NIC_EV_MSI, .idx = NIC_PROCS_MAX};
  EQ(nic_retire(n.m, &r), NIC_E_MISMATCH);
  node_free(&n);
}

// ---- what is owed ---------------------------------------------------------------------------------------------------

static void owed(void) {
  char text[200] = "before";
  begin(4);
  EQ(nic_owes(n.m, text, sizeof text), 0);
  EQ(text[0], 0);
  n.m->contexts.closing = true;
  EQ(nic_owes(n.m, text, sizeof text), 1);
  CHECK(!strcmp(text, "1 context to be closed"));
  n.m->contexts.bells = 3;
  EQ(nic_owes(n.m, text, sizeof text), 4);
  CHECK(!strcmp(text, "3 bells of contexts, 1 context to be closed"));
  EQ(nic_owes(n.m, text, 9), 4);
  CHECK(!strcmp(text, "3 bells "));
  n.m->contexts.closing = false;
  n.m->contexts.bells = 0;
  node_free(&n);
}

int main(void) {
  turns();
  waiting();
  addresses();
  regions();
  told();
  processes();
  owed();
  return report();
}
