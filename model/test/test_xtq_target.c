// SPDX-License-Identifier: Apache-2.0
// xtq_target, where a message's bounds are: how much room a SEND of unknown length has, and each check of an XtqPut at
// the last value that passes and the first that does not.
// Rules of rtl/xtq/README.md: XTM-1, XTM-3, XTM-4, XTM-5, RBF-5, RBF-6, RBF-7;
// of rtl/nic/README.md: RCV-2, RCV-3, RCV-4.
#include "../src/nic/nic_state.h"
#include "nic_world.h"

enum {
  EQ = 0x8000,
  EQ_SIZE = 5,
  RING = 0x10000,
  BLOCK = 0x10800,
  BELL = 0x10900,
  BUFFERS = 0x40000,
  CODE = 0x40de0000,
  TARGET = 0x7000,
  SIGNAL = 0x6000,
  QP = 1,
  PROC = 1,
  PSN = 100,
  MTU = 256
};
#define NAK1 (NIC_SYN_NAK | 1)
#define RNR (NIC_SYN_RNR | 5)

static node n;
static uint8_t msg[64 + 4096];
static uint32_t psn;

static uint8_t *at(uint64_t va) { return n.mem[PROC] + va; }

static void begin(void) {
  nic_config c;
  nic_config_default(&c);
  node_init(&n, 0, &c);
  node_on(&n);
  eq_on(&n, PROC, EQ, EQ_SIZE);
  qp_connect(&n, QP, PROC, 1, 9, 0x1000, 4, PSN, 0, CTL(1, 5, 7, 7, 0) | NIC_QP_CTL_RECV_MASK);
  table(&n, PROC, QUEUE, 0, RING, BELL, BLOCK, VALID | 4 << 1);
  table(&n, PROC, KERNEL, 0, CODE, 0, SIGNAL, VALID);
  table(&n, PROC, KERNEL, 1, CODE + 1, TARGET, SIGNAL, VALID | HAS_TARGET);
  table(&n, PROC, FUNCTION, 0, CODE + 2, 0, SIGNAL, VALID);
  table(&n, PROC, FUNCTION, 1, CODE + 3, TARGET, 0, VALID | HAS_TARGET);
  psn = PSN;
  n.writes = 0;
}

static void end(void) {
  EQ(n.early, 0);
  node_free(&n);
}

static void one(const nic_head *r, unsigned syndrome) {
  nic_head h;
  say(&n, 1, r, msg);
  nic_run(n.m);
  CHECK(heard(&n, &h, NULL));
  EQ(h.syndrome, syndrome);
  EQ(h.psn, psn);
  if (syndrome == NIC_SYN_ACK) psn++;
}
static void refused(const nic_head *r, unsigned syndrome, unsigned why) {
  uint32_t writes = n.writes;
  ev e = {0};
  one(r, syndrome);
  while (take_event(&n, PROC, EQ, EQ_SIZE, &e) && e.kind != NIC_EV_REFUSED) continue;
  EQ(e.kind, NIC_EV_REFUSED);
  EQ(e.word, why);
  EQ(n.writes, writes + 1);  // that event alone
}

static nic_head send_of(unsigned opcode, unsigned bytes) {
  nic_head r = head(&n, 1, QP, opcode, psn);
  r.bytes = (uint16_t)bytes;
  return r;
}

// RCV-2: the whole rest of the buffer is the message's, at most 2^31 bytes.
static void room(void) {
  static const struct {
    uint32_t len, room;
  } k[] = {{MTU + 1, MTU + 1},       {0x3fffffff, 0x3fffffff}, {0x40000000, 0x40000000}, {0x40000001, 0x40000001},
           {0x7fffffff, 0x7fffffff}, {0x80000000, 0x80000000}, {0x80000001, 0x80000000}, {0xffffffff, 0x80000000}};
  for (unsigned i = 0; i < sizeof k / sizeof *k; i++) {
    begin();
    post_buffer(&n, PROC, BUFFERS, k[i].len, 0);
    nic_head r = send_of(NIC_OP_SEND_FIRST, MTU);
    one(&r, NIC_SYN_ACK);
    EQ(n.m->qp[QP].xtq.left, k[i].room - MTU);
    EQ(rd(&n, NIC_REG_RB_STS + PROC * NIC_REG_RB_STS_STRIDE) & 0xff, 0);
    end();
  }
  begin();  // of MTU bytes, or less: not for a message of unknown length
  post_buffer(&n, PROC, BUFFERS, MTU, 0);
  nic_head r = send_of(NIC_OP_SEND_FIRST, MTU);
  refused(&r, RNR, NIC_WHY_NO_BUFFER);
  r = send_of(NIC_OP_SEND_ONLY, MTU);  // but for one that is known
  one(&r, NIC_SYN_ACK);
  end();
}

// RCV-4: the last byte of the room, and one more; by a packet in the middle as by the last.
static void to_the_last(void) {
  static const unsigned opcode[] = {NIC_OP_SEND_MIDDLE, NIC_OP_SEND_LAST};
  for (unsigned i = 0; i < 2; i++)
    for (unsigned more = 0; more < 2; more++) {
      begin();
      post_buffer(&n, PROC, BUFFERS, 2u * MTU + (i ? 100u : 0u) - more, 0);
      nic_head r = send_of(NIC_OP_SEND_FIRST, MTU);
      one(&r, NIC_SYN_ACK);
      if (i) {
        r = send_of(NIC_OP_SEND_MIDDLE, MTU);
        one(&r, NIC_SYN_ACK);
      }
      r = send_of(opcode[i], i ? 100 : MTU);
      one(&r, more ? NAK1 : NIC_SYN_ACK);
      end();
    }
}

// An XtqPut in one frame, or the first packet of one that is longer.
static nic_head put(unsigned kind, uint64_t code, uint32_t args, uint32_t pay) {
  command(msg, kind, code, 0);
  for (uint32_t k = 64; k < sizeof msg; k++) msg[k] = (uint8_t)(k * 3 + 1);
  uint32_t all = 64 + args + pay;
  nic_head r = head(&n, 1, QP, all > MTU ? NIC_OP_XTQ_FIRST : NIC_OP_XTQ_ONLY, psn);
  r.xtq_kind = (uint8_t)kind;
  r.xtq_proc = PROC;
  r.xtq_args = args;
  r.xtq_pay = pay;
  r.length = all;
  r.bytes = (uint16_t)(all > MTU ? MTU : all);
  return r;
}

// XTM-3, check 3 and 7: which arguments there may be.
static void arguments(void) {
  static const struct {
    unsigned kind, code, args, pay;
    bool good;
  } k[] = {
      {KERNEL, 0, 0, 0, true},     {KERNEL, 0, 0, 1, false},     {KERNEL, 0, 16, 1, true},
      {KERNEL, 1, 0, 0, false},    {KERNEL, 1, 16, 0, true},     {KERNEL, 0, 8, 8, false},
      {KERNEL, 0, 17, 0, false},   {KERNEL, 0, 4096, 0, true},   {KERNEL, 0, 4112, 0, false},
      {KERNEL, 0, 4096, 64, true}, {FUNCTION, 0, 0, 0, true},    {FUNCTION, 1, 0, 0, true},
      {FUNCTION, 0, 0, 1, true},   {FUNCTION, 1, 0, 1, true},    {FUNCTION, 0, 16, 0, true},
      {FUNCTION, 0, 24, 0, false}, {FUNCTION, 0, 4096, 1, true}, {FUNCTION, 0, 4112, 0, false},
  };
  for (unsigned i = 0; i < sizeof k / sizeof *k; i++) {
    begin();
    post_buffer(&n, PROC, BUFFERS, 0x4000, 0);
    nic_head r = put(k[i].kind, k[i].code, k[i].args, k[i].pay);
    if (k[i].good)
      one(&r, NIC_SYN_ACK);
    else
      refused(&r, NAK1, NIC_WHY_BAD_LENGTH);
    // XTM-4: room is used up by what is taken, if it has bytes
    EQ(n.m->rbuf[PROC].offset != 0, k[i].good && k[i].args + k[i].pay);
    end();
  }
}

// RBF-5, RBF-6, RBF-7: what packet and first arguments have become, for each kind of entry, with payload and without.
static void rewritten(void) {
  for (unsigned kind = KERNEL; kind <= FUNCTION; kind++)
    for (unsigned target = 0; target < 2; target++)
      for (unsigned pay = 0; pay < 2; pay++)
        for (unsigned args = 0; args <= 32; args += 16) {
          if (kind == KERNEL && !args && (target || pay)) continue;  // check 7
          begin();
          post_buffer(&n, PROC, BUFFERS, 0x1000, 0);
          nic_head r = put(kind, target, args, 8 * pay);
          uint8_t want[64], tail[64];
          uint64_t payload = pay ? BUFFERS + args : 0;
          memcpy(want, msg, 64);
          memcpy(tail, msg + 64, sizeof tail);
          if (kind == KERNEL) {
            put64(want + 32, CODE + target);
            put64(want + 40, args ? BUFFERS : 0);
            if (args && target) put64(tail, TARGET);
            if (args) put64(tail + 8, payload);
          } else {
            put64(want + 8, CODE + 2 + target);
            if (target) put64(want + 16, TARGET);
            put64(want + 24, payload);
          }
          put64(want + 48, 0);
          put64(want + 56, kind == FUNCTION && target ? 0 : SIGNAL);
          one(&r, NIC_SYN_ACK);
          CHECK(!memcmp(at(RING), want, 64));
          CHECK(!memcmp(at(BUFFERS), tail, args + 8 * pay));
          end();
        }
}

// XTM-5: the queue of a message of several packets is the one that its first packet names.
static void its_queue(void) {
  begin();
  table(&n, PROC, QUEUE, 5, RING + 0x1000, BELL + 0x1000, BLOCK + 0x1000, VALID | 4 << 1);
  post_buffer(&n, PROC, BUFFERS, 0x1000, 0);
  nic_head r = put(KERNEL, 0, 256, 100);
  put64(msg + 48, 5);
  one(&r, NIC_SYN_ACK);
  r.opcode = NIC_OP_XTQ_LAST;
  r.bytes = (uint16_t)(r.length - MTU);
  r.psn = psn;
  memmove(msg, msg + MTU, r.bytes);
  one(&r, NIC_SYN_ACK);
  EQ(at(RING)[0], 0);
  EQ(at(RING + 0x1000)[0], 2);
  EQ(get64(at(RING + 0x1000 + 32)), CODE);
  EQ(get64(at(RING + 0x1000 + 40)), BUFFERS);
  end();
}

int main(void) {
  room();
  to_the_last();
  arguments();
  rewritten();
  its_queue();
  return report();
}
