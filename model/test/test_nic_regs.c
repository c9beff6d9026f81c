// SPDX-License-Identifier: Apache-2.0
// Registers of the NIC's model (rtl/nic/REGISTERS.md): which bits hold what is written, byte by byte, what they are
// after reset, that a write changes nothing else, that what does not exist reads 0 and ignores writes, and what is
// cleared by a one.
// Rules of rtl/nic/README.md: QPR-2, QPR-6, REQ-1, EVT-1, CNT-2.
#include "../src/nic/nic_state.h"
#include "nic_world.h"
#include "tocsin/regs_table.h"

enum { QPS = 5, PROCS_ = 3, MRS = 7, LOGS = 3, END = 0x80000, WORDS = END / 8, BUFFERS = 4 };

static node n;

static void begin(unsigned contexts) {
  nic_config c;
  nic_config_default(&c);
  c.NumQps = QPS;
  c.NumProcs = PROCS_;
  c.NumMrs = MRS;
  c.NumLogs = LOGS;
  c.Replay = 3;
  c.RecvDepth = BUFFERS;
  c.Contexts = contexts;
  node_init(&n, 0, &c);
}
// As much of everything as the map has room for.
static void begin_full(void) {
  nic_config c;
  nic_config_default(&c);
  c.NumQps = NIC_REG_QP_CTL_NUM;
  c.NumProcs = NIC_REG_EQ_CTL_NUM;
  c.NumMrs = NIC_REG_MR_KEY_NUM;
  c.NumLogs = NIC_REG_XT_LOG_NUM;
  c.Replay = NIC_REG_QP_ANSWER_PSN_NUM / NIC_REG_QP_CTL_NUM;
  node_init(&n, 0, &c);
}
static void end(void) { node_free(&n); }

static void wr_bytes(uint32_t addr, uint64_t v, unsigned strb) { EQ(nic_reg_write(n.m, addr, v, strb), NIC_OK); }

// ---- all words of the map -------------------------------------------------------------------------------------------

static uint64_t before[WORDS];
static void look(void) {
  for (uint32_t w = 0; w < WORDS; w++) before[w] = nic_regs_read(n.m, 8 * w);
}
// Nothing but this word is other than at the last look.
static void only(uint32_t addr) {
  unsigned more = 0;
  for (uint32_t w = 0; w < WORDS; w++)
    if (8 * w != addr && nic_regs_read(n.m, 8 * w) != before[w] && !more++)
      printf("a write of %05x changes %05x\n", addr, 8 * w);
  EQ(more, 0);
}

// ---- what holds what is written -------------------------------------------------------------------------------------

typedef struct holds {
  uint32_t addr, stride, there, num;
  uint64_t mask, reset;
  unsigned strb;  // these bytes do nothing but hold
} holds;
#define ONE(REG, MASK, RESET) \
  { NIC_REG_##REG, 0, 1, 1, MASK, RESET, 255 }
#define MANY(REG, THERE, MASK, STRB) \
  { NIC_REG_##REG, NIC_REG_##REG##_STRIDE, THERE, NIC_REG_##REG##_NUM, MASK, NIC_RESET_##REG, STRB }
static const holds every[] = {
    ONE(NIC_MAC, 0xffffffffffff, 0),
    ONE(NIC_IP, NIC_NIC_IP_IP_MASK | NIC_NIC_IP_TOS_MASK, 0),
    ONE(NIC_QPN, 0xffff, 1),
    ONE(NIC_RID, 0xffff, 0),
    ONE(NIC_DMA, NIC_NIC_DMA_MPS_MASK | NIC_NIC_DMA_MRRS_MASK, 0x21),
    ONE(NIC_CPL_TMO, 0xffffffff, 0),
    ONE(NIC_TICK, 0xffffffff, 1000),
    ONE(NIC_IP6_HI, ~0ull, 0),
    ONE(NIC_IP6_LO, ~0ull, 0),
    ONE(NIC_CNP, NIC_NIC_CNP_TIME_MASK, 5000),
    {NIC_REG_NIC_RATE, 0, 1, 1, 0x000000ff07ff07ff, 0x5400010400, 0xfc},  // FULL shows in QP_RATE
    ONE(NIC_RAISE, 0x000007ff07ffffff, 0xa00010505),
    MANY(MR_BASE, MRS, ~0ull, 255),
    MANY(MR_LEN, MRS, 0x0001ffffffffffff, 255),
    MANY(MR_KEY, MRS, 0x80000f0fffffffff, 255),
    MANY(EQ_BASE, PROCS_, NIC_EQ_BASE_ADDR_MASK, 255),
    MANY(EQ_CTL, PROCS_, NIC_EQ_CTL_SIZE_MASK, 0x7f),
    MANY(EQ_MSIA, PROCS_, NIC_EQ_MSIA_ADDR_MASK, 255),
    MANY(EQ_MSID, PROCS_, NIC_EQ_MSID_DATA_MASK, 255),
    MANY(RB_ADDR, PROCS_, ~0ull, 255),
    MANY(RB_POST, PROCS_, NIC_RB_POST_LEN_MASK | NIC_RB_POST_LEAST_MASK, 0xf0),
    MANY(XT_BASE, PROCS_, ~0ull, 255),
    MANY(XT_W, 4, ~0ull, 255),
    MANY(XT_LOG, LOGS, 0x80000000000fffff, 255),
    MANY(XT_TPL, 8 * LOGS, ~0ull, 255),
    MANY(QP_CTL, QPS, 0xffff001f771f07fe, 0xfe),
    MANY(QP_MAC, QPS, NIC_QP_MAC_MAC_MASK, 255),
    MANY(QP_PEER, QPS, 0x00ffffffffffffff, 255),
    MANY(QP_PSN, QPS, 0x00ffffff00ffffff, 255),
    MANY(QP_RING, QPS, NIC_QP_RING_ADDR_MASK, 255),
    MANY(QP_RINGC, QPS, 0xffff000f, 255),
    MANY(QP_IP6_HI, QPS, ~0ull, 255),
    MANY(QP_IP6_LO, QPS, ~0ull, 255),
    MANY(QP_VLAN, QPS, 0xffff, 255),
    MANY(QP_BEGIN, QPS, 0xff03ffff, 255),
    MANY(QP_BEGIN_MSG, QPS, 0x7fffffff03ffffff, 255),
    MANY(QP_BEGIN_VA, QPS, ~0ull, 255),
    MANY(QP_BEGIN_REST, QPS, ~0ull, 255)};

static uint64_t of_bytes(unsigned strb) {
  uint64_t m = 0;
  for (unsigned b = 0; b < 8; b++) m |= strb >> b & 1 ? 0xffull << 8 * b : 0;
  return m;
}

static void hold(const holds *h, unsigned i) {
  const uint32_t addr = h->addr + i * h->stride;
  uint64_t is = h->reset;
  EQ(rd(&n, addr), is);
  look();
  for (unsigned k = 0; k < 4; k++) {  // each byte alone
    static const uint64_t v[] = {~0ull, 0, 0x0123456789abcdef, 0xfedcba9876543210};
    for (unsigned b = 0; b < 8; b++) {
      if (!(h->strb >> b & 1)) continue;
      const uint64_t m = 0xffull << 8 * b & h->mask;
      wr_bytes(addr, v[k], 1u << b);
      is = (is & ~m) | (v[k] & m);
      EQ(rd(&n, addr), is);
    }
    wr_bytes(addr, ~v[k], 0);
    EQ(rd(&n, addr), is);
    wr_bytes(addr, ~v[k], h->strb);
    is = (is & ~(h->mask & of_bytes(h->strb))) | (~v[k] & h->mask & of_bytes(h->strb));
    EQ(rd(&n, addr), is);
  }
  only(addr);
}

static void held(void) {
  begin(0);
  for (unsigned k = 0; k < sizeof every / sizeof *every; k++)
    for (unsigned i = 0; i<every[k].there; i += every[k].there> 8 ? 5 : 1) hold(&every[k], i);
  look();
  for (unsigned k = 0; k < sizeof every / sizeof *every; k++)  // and nothing is there behind the last
    for (unsigned i = every[k].there; i < every[k].num; i++) {
      const uint32_t addr = every[k].addr + i * every[k].stride;
      EQ(rd(&n, addr), 0);
      wr(&n, addr, ~0ull);
    }
  only(END);
  end();
  begin_full();
  for (unsigned k = 0; k < sizeof every / sizeof *every; k++) hold(&every[k], every[k].num - 1);
  end();
}

// Words that are no register.
static void holes(bool full) {
  unsigned many = 0;
  if (full)
    begin_full();
  else
    begin(0);
  look();
  for (uint32_t addr = 0; addr < END; addr += 8)
    if (!tocsin_reg_at(&tocsin_nic_reg_map, addr, NULL)) {
      EQ(rd(&n, addr), 0);
      wr(&n, addr, ~0ull);
      many++;
    }
  CHECK(many > 1000);
  only(END);
  uint64_t v;
  EQ(nic_reg_read(n.m, NIC_REG_NIC_TICK + 4, &v), NIC_E_ARG);
  EQ(nic_reg_write(n.m, NIC_REG_NIC_TICK + 4, 0, 255), NIC_E_ARG);
  EQ(nic_reg_write(n.m, NIC_REG_NIC_TICK, 0, 256), NIC_E_ARG);
  EQ(rd(&n, NIC_REG_NIC_TAG_FREE), 0);
  wr(&n, NIC_REG_NIC_TAG_FREE, 1);
  only(END);
  end();
}

static void sizes(void) {
  begin(0);
  EQ(rd(&n, NIC_REG_NIC_ID), 0x14e434f54);
  uint64_t most = QPS | PROCS_ << 16 | (uint64_t)MRS << 24 | (uint64_t)n.cfg.TableBits << 36 | (uint64_t)BUFFERS << 40 |
                  (uint64_t)LOGS << 48;
  EQ(rd(&n, NIC_REG_NIC_CAP), most);
  wr(&n, NIC_REG_NIC_ID, 0);
  wr(&n, NIC_REG_NIC_CAP, 0);
  EQ(rd(&n, NIC_REG_NIC_ID), 0x14e434f54);
  EQ(rd(&n, NIC_REG_NIC_CAP), most);
  end();
  for (unsigned k = 4; k <= 12; k++) {
    begin(1u << k);
    EQ(rd(&n, NIC_REG_NIC_CAP), most | (uint64_t)k << 56);
    end();
  }
}

// CNT-2: a write to one, whatever it says and in whichever byte, clears it and no other.
static void counters(void) {
  begin(0);
  for (unsigned k = 0; k < NIC_CNT_NUM; k++) {
    for (unsigned i = 0; i < NIC_CNT_NUM; i++) n.m->cnt[i] = 0x100000000ull * (i + 1) + 5;
    wr_bytes(NIC_REG_NIC_CNT + 8 * k, ~0ull, 0);
    EQ(cnt(&n, k), 0x100000000ull * (k + 1) + 5);
    look();
    wr_bytes(NIC_REG_NIC_CNT + 8 * k, k & 1 ? ~0ull : 0, 1u << k % 8);
    EQ(cnt(&n, k), 0);
    only(NIC_REG_NIC_CNT + 8 * k);
  }
  end();
}

// ---- what a one clears ----------------------------------------------------------------------------------------------

// A write of nothing, of all bits that clear nothing, or of none of its byte leaves a flag as it is; `others`: flags
// that stay when it goes.
static void cleared_by(uint32_t addr, uint64_t flag, uint64_t others) {
  unsigned byte = 0;
  while (flag >> 8 * byte > 0xff) byte++;
  const uint64_t was = rd(&n, addr);
  EQ(was & flag, flag);
  wr(&n, addr, 0);
  wr(&n, addr, ~(flag | others));
  wr_bytes(addr, ~others, 255u & ~(1u << byte));
  EQ(rd(&n, addr) & flag, flag);
  look();
  wr_bytes(addr, flag, 1u << byte);
  EQ(rd(&n, addr), was & ~flag);
  only(addr);
}

static void flags(void) {
  const uint64_t err = NIC_QP_STS_SEND_ERR_MASK, bad_prod = NIC_QP_STS_BAD_PROD_MASK;
  begin(0);
  for (unsigned i = 0; i < QPS; i += QPS - 1) {
    const uint32_t sts = NIC_REG_QP_STS + i * NIC_REG_QP_STS_STRIDE;
    for (unsigned k = 0; k < 2; k++) {
      n.m->qp[i].send_err = n.m->qp[i].bad_prod = true;
      n.m->qp[i].code = NIC_ST_REM_ACCESS;
      cleared_by(sts, k ? err : bad_prod, k ? bad_prod : err);
      cleared_by(sts, k ? bad_prod : err, 0);
    }
    n.m->qp[i].resp_err = true;
    wr(&n, sts, ~0ull);
    EQ(rd(&n, sts), NIC_QP_STS_RESP_ERR_MASK | (uint64_t)NIC_ST_REM_ACCESS << NIC_QP_STS_CODE_LSB);
  }
  for (unsigned p = 0; p < PROCS_; p++) {
    const uint64_t lost = NIC_EQ_STS_LOST_MASK, bad = NIC_EQ_STS_BAD_MASK;
    for (unsigned k = 0; k < 2; k++) {
      n.m->eq[p].lost = n.m->eq[p].bad = true;
      cleared_by(NIC_REG_EQ_STS + p * NIC_REG_EQ_STS_STRIDE, k ? lost : bad, k ? bad : lost);
      cleared_by(NIC_REG_EQ_STS + p * NIC_REG_EQ_STS_STRIDE, k ? bad : lost, 0);
    }
    n.m->rb_bad[p] = true;
    cleared_by(NIC_REG_RB_STS + p * NIC_REG_RB_STS_STRIDE, NIC_RB_STS_BAD_MASK, 0);
  }
  n.m->xt_bad = true;
  cleared_by(NIC_REG_XT_STS, NIC_XT_STS_BAD_MASK, 0);
  end();
}

// ---- queue pairs ----------------------------------------------------------------------------------------------------

// QPR-2: while one is on nothing of it changes but EN. A write that changes EN counts as it was before.
static void fixed_while_on(void) {
  const uint64_t ctl = 0x8001000000000100 | 1ull << NIC_QP_CTL_PROC_LSB, other = 0x1234001f771f0204;
  begin(0);
  for (unsigned i = 0; i < QPS; i += 2) {
    const uint32_t at = i * NIC_REG_QP_CTL_STRIDE;
    wr(&n, NIC_REG_QP_CTL + at, other);
    wr(&n, NIC_REG_QP_CTL + at, ctl | 1);  // off before: the fields are written as well
    EQ(rd(&n, NIC_REG_QP_CTL + at), ctl | 1);
    look();
    for (uint32_t w = 0; w < NIC_REG_QP_CTL_STRIDE; w += 8)
      if (w != (NIC_REG_QP_PROD & 255) && w != (NIC_REG_QP_CTL & 255)) wr(&n, NIC_REG_QP_CTL + at + w, ~0ull);
    wr(&n, NIC_REG_QP_CTL + at, other | 1);
    only(END);
    wr_bytes(NIC_REG_QP_CTL + at, 0, 0xfe);  // not EN's byte
    only(END);
    wr(&n, NIC_REG_QP_CTL + at, other);  // on before: EN alone
    EQ(rd(&n, NIC_REG_QP_CTL + at), ctl);
    only(NIC_REG_QP_CTL + at);
    wr(&n, NIC_REG_QP_CTL + at, other);
    EQ(rd(&n, NIC_REG_QP_CTL + at), other);
  }
  end();
}

static void names(void) {
  begin(0);
  for (unsigned i = 0; i < QPS; i++) {
    const uint32_t at = NIC_REG_QP_NAME + i * NIC_REG_QP_NAME_STRIDE;
    EQ(rd(&n, at), i);
    wr(&n, at, ~0ull);
    EQ(rd(&n, at), 0xfff);
    wr_bytes(at, 0x0345, 1);
    EQ(rd(&n, at), 0xf45);
    wr_bytes(at, 0x0345, 2);
    EQ(rd(&n, at), 0x345);
    wr_bytes(at, 0, 0xfc);
    EQ(rd(&n, at), 0x345);
  }
  end();
}

// REQ-1: bytes of the doorbell. It is ignored while the queue pair is off, and what is behind it is no doorbell.
static void doorbells(void) {
  const uint32_t prod = NIC_REG_QP_PROD + 2 * NIC_REG_QP_PROD_STRIDE, sts = NIC_REG_QP_STS + 2 * NIC_REG_QP_STS_STRIDE;
  begin(0);
  node_on(&n);
  for (unsigned k = 0; k < 2; k++) {  // no event ring: no entry is read
    qp_connect(&n, 2, 1, 1, 9, 0x1000, 15, 0, 0, 0);
    if (k) wr(&n, NIC_REG_QP_CTL + 2 * NIC_REG_QP_CTL_STRIDE, 0);
    wr_bytes(prod, 0x0105, 1);
    EQ(rd(&n, prod), k ? 0 : 0x0005);
    wr_bytes(prod, 0x1207, 2);
    EQ(rd(&n, prod), k ? 0 : 0x1205);
    wr_bytes(prod, 0, 0xfc);
    wr_bytes(prod, 0, 0);
    EQ(rd(&n, prod), k ? 0 : 0x1205);
    wr(&n, prod, 0xffff00000000ull | 0x8000);  // as many as the ring has
    EQ(rd(&n, prod), k ? 0 : 0x8000);
    EQ(rd(&n, sts), 0);
    wr(&n, prod, 0x8001);
    EQ(rd(&n, prod), k ? 0 : 0x8000);
    EQ(rd(&n, sts), k ? 0 : NIC_QP_STS_BAD_PROD_MASK);
    wr(&n, prod, 0x8000);  // no more than before: fine
    wr(&n, prod, 0x7fff);  // less
    EQ(rd(&n, prod), k ? 0 : 0x8000);
  }
  end();
}

// ---- regions, rings, buffers, tables --------------------------------------------------------------------------------

// QPR-6: base and length wait for a write of a byte of the same region's key, and go with it.
static void regions(void) {
  begin(0);
  for (unsigned i = 0; i < MRS; i++) region(&n, i, KEY | i, 1, 0x1000 * i, 0x1000, RWA);
  for (unsigned i = 0; i < MRS; i++) {
    const uint32_t at = i * NIC_REG_MR_BASE_STRIDE;
    wr(&n, NIC_REG_MR_BASE + at, 0x50000);
    wr(&n, NIC_REG_MR_LEN + at, 16);
    wr_bytes(NIC_REG_MR_KEY + at, 0, 0);
    wr(&n, NIC_REG_MR_KEY + (i + 1) % MRS * NIC_REG_MR_KEY_STRIDE,
       rd(&n, NIC_REG_MR_KEY + (i + 1) % MRS * NIC_REG_MR_KEY_STRIDE));
    CHECK(nic_mr_ok(n.m->mr, MRS, KEY | i, 1, 0x1000 * i, 0x1000, NIC_MR_KEY_W_MASK));
    CHECK(!nic_mr_ok(n.m->mr, MRS, KEY | i, 1, 0x50000, 16, NIC_MR_KEY_W_MASK));
    wr_bytes(NIC_REG_MR_KEY + at, 0, 1u << 6);
    CHECK(!nic_mr_ok(n.m->mr, MRS, KEY | i, 1, 0x1000 * i, 0x1000, NIC_MR_KEY_W_MASK));
    CHECK(nic_mr_ok(n.m->mr, MRS, KEY | i, 1, 0x50000, 16, NIC_MR_KEY_W_MASK));
    CHECK(!nic_mr_ok(n.m->mr, MRS, KEY | i, 1, 0x50000, 17, NIC_MR_KEY_W_MASK));
    region(&n, i, KEY | i, 1, 0x1000 * i, 0x1000, RWA);
  }
  end();
}

// While a ring is on its base and size stay; turned on anew it is empty.
static void rings(void) {
  begin(0);
  for (unsigned p = 0; p < PROCS_; p++) {
    const uint32_t base = NIC_REG_EQ_BASE + p * NIC_REG_EQ_BASE_STRIDE, ctl = base + 8, cons = base + 16,
                   sts = base + 24;
    wr(&n, base, 0x8000);
    wr(&n, ctl, NIC_EQ_CTL_EN_MASK | 5);
    look();
    wr(&n, base, 0x9000);
    wr(&n, ctl, NIC_EQ_CTL_EN_MASK | 6);
    wr_bytes(ctl, 7, 0x7f);  // not EN's byte
    only(END);
    n.m->eq[p].prod = 20;
    wr(&n, cons, 7);
    EQ(rd(&n, cons), 7);
    wr_bytes(cons, 0x0309, 1);
    EQ(rd(&n, cons), 9);
    wr_bytes(cons, 0x0f00, 2);  // beyond what was written
    EQ(rd(&n, cons), 9);
    EQ(rd(&n, sts), 20 | NIC_EQ_STS_BAD_MASK);
    wr(&n, sts, NIC_EQ_STS_BAD_MASK);
    wr(&n, cons, 8);  // back
    EQ(rd(&n, sts), 20 | NIC_EQ_STS_BAD_MASK);
    wr(&n, sts, NIC_EQ_STS_BAD_MASK);
    wr(&n, cons, 20 | 1ull << 32);  // bits that are none of it
    EQ(rd(&n, cons), 20);
    EQ(rd(&n, sts), 20);
    wr(&n, ctl, NIC_EQ_CTL_EN_MASK);  // no beginning: it was on
    EQ(rd(&n, sts), 20);
    wr(&n, ctl, 5);
    EQ(rd(&n, ctl), 5);
    EQ(rd(&n, sts), 20);
    wr_bytes(ctl, NIC_EQ_CTL_EN_MASK, 0x80);
    EQ(rd(&n, ctl), NIC_EQ_CTL_EN_MASK | 5);
    EQ(rd(&n, cons), 0);
    EQ(rd(&n, sts), 0);
  }
  end();
}

// Buffers are posted by a byte of LEN, withdrawn by a byte of GONE.
static void buffers(void) {
  begin(0);
  for (unsigned p = 0; p < PROCS_; p++) {
    const uint32_t addr = NIC_REG_RB_ADDR + p * NIC_REG_RB_ADDR_STRIDE, post_at = addr + 8, sts = addr + 16,
                   drop = NIC_REG_RB_DROP + p * NIC_REG_RB_DROP_STRIDE;
    wr(&n, addr, 0x10000);
    wr_bytes(post_at, 0x100 | 64ull << 32, 0xf0);
    EQ(rd(&n, sts), 0);
    for (unsigned k = 0; k < BUFFERS; k++) {
      wr_bytes(post_at, 0x100, k & 1 ? 255 : 2);
      EQ(rd(&n, sts), k + 1);
    }
    EQ(rd(&n, drop), (uint64_t)BUFFERS << 32);
    wr(&n, post_at, 0x100);  // one too many
    EQ(rd(&n, sts), BUFFERS | NIC_RB_STS_BAD_MASK);
    wr(&n, sts, NIC_RB_STS_BAD_MASK);
    wr_bytes(drop, 0, 0xf0);
    EQ(rd(&n, sts), BUFFERS);
    wr_bytes(drop, 0, 1u << (p & 3));
    EQ(rd(&n, sts), 0);
    EQ(rd(&n, drop), BUFFERS);
    wr(&n, addr, 0x10001);  // misaligned
    wr(&n, post_at, 0x100);
    EQ(rd(&n, sts), NIC_RB_STS_BAD_MASK);
    wr(&n, sts, NIC_RB_STS_BAD_MASK);
  }
  end();
}

// The table's words and command wait while one is under way; a command is a byte of 31:0.
static void commands(void) {
  begin(0);
  for (unsigned k = 0; k < 4; k++) wr(&n, NIC_REG_XT_W + 8 * k, k + 1);
  wr_bytes(NIC_REG_XT_CMD, 2, 0xf0);
  EQ(rd(&n, NIC_REG_XT_STS), 0);
  EQ(rd(&n, NIC_REG_XT_CMD), 0);
  wr_bytes(NIC_REG_XT_CMD, 2, 1);
  EQ(rd(&n, NIC_REG_XT_STS), NIC_XT_STS_BUSY_MASK);
  look();
  for (unsigned k = 0; k < 4; k++) wr(&n, NIC_REG_XT_W + 8 * k, 77);
  wr_bytes(NIC_REG_XT_CMD, 5, 0xf0);
  only(END);
  EQ(rd(&n, NIC_REG_XT_CMD), 2);
  nic_run(n.m);
  EQ(rd(&n, NIC_REG_XT_STS), 0);
  for (unsigned k = 0; k < 4; k++) wr(&n, NIC_REG_XT_W + 8 * k, 0);
  wr_bytes(NIC_REG_XT_CMD, ~0ull, 8);  // READ, and no other field is there
  EQ(rd(&n, NIC_REG_XT_CMD), 2 | NIC_XT_CMD_READ_MASK);
  nic_run(n.m);
  for (unsigned k = 0; k < 4; k++) EQ(rd(&n, NIC_REG_XT_W + 8 * k), k + 1);
  wr_bytes(NIC_REG_XT_CMD, ~0ull, 7);
  EQ(rd(&n, NIC_REG_XT_CMD), 0x803fffff);
  nic_run(n.m);
  EQ(rd(&n, NIC_REG_XT_STS), NIC_XT_STS_BAD_MASK);
  end();
}

// A log's task is done by the byte that names it.
static void tasks(void) {
  begin(0);
  for (unsigned l = 0; l < LOGS; l++) n.m->log[l].busy = true;
  wr_bytes(NIC_REG_XT_TASK_DONE, 1, 0xfe);
  wr_bytes(NIC_REG_XT_TASK_DONE, 1, 0);
  wr(&n, NIC_REG_XT_TASK_DONE, LOGS);
  EQ(n.tasks_done, 0);
  wr_bytes(NIC_REG_XT_TASK_DONE, 1, 1);
  EQ(n.tasks_done, 2);
  wr(&n, NIC_REG_XT_TASK_DONE, LOGS - 1);
  EQ(n.tasks_done, 2 | 1u << (LOGS - 1));
  EQ(rd(&n, NIC_REG_XT_TASK_DONE), 0);
  end();
}

int main(void) {
  held();
  holes(false);
  holes(true);
  sizes();
  counters();
  flags();
  fixed_while_on();
  names();
  doorbells();
  regions();
  rings();
  buffers();
  commands();
  tasks();
  return report();
}
