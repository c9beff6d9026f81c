// SPDX-License-Identifier: Apache-2.0
/* Registers, a 64-bit word at a time. What has a number beyond the instance's reads 0 and ignores writes.
 * CNT-2. */
#include "nic_state.h"

void nic_regs_reset(nic *m) {
  m->qpn = NIC_RESET_NIC_QPN;
  m->dma = NIC_RESET_NIC_DMA;
  m->tick = NIC_RESET_NIC_TICK;
  m->cnp_reg = NIC_RESET_NIC_CNP;
  m->rate_reg = NIC_RESET_NIC_RATE;
  m->raise_reg = NIC_RESET_NIC_RAISE;
}

static unsigned log2_of(unsigned n) {
  unsigned k = 0;
  while (n >> k > 1) k++;
  return k;
}

static uint64_t capabilities(const nic_config *c) {
  return (uint64_t)c->NumQps << NIC_NIC_CAP_QPS_LSB | (uint64_t)c->NumProcs << NIC_NIC_CAP_PROCS_LSB |
         (uint64_t)c->NumMrs << NIC_NIC_CAP_MRS_LSB | (uint64_t)c->TableBits << NIC_NIC_CAP_TABLE_LSB |
         (uint64_t)c->RecvDepth << NIC_NIC_CAP_RECV_LSB | (uint64_t)c->NumLogs << NIC_NIC_CAP_LOGS_LSB |
         (uint64_t)log2_of(c->Contexts) << NIC_NIC_CAP_CTX_LSB;
}

static uint64_t read_global(const nic *m, uint32_t addr) {
  if (addr >= NIC_REG_NIC_CNT && addr < NIC_REG_NIC_CNT + 8 * NIC_CNT_NUM) return m->cnt[(addr - NIC_REG_NIC_CNT) / 8];
  switch (addr) {
    case NIC_REG_NIC_ID: return NIC_RESET_NIC_ID;
    case NIC_REG_NIC_CAP: return capabilities(&m->cfg);
    case NIC_REG_NIC_MAC: return m->self.mac;
    case NIC_REG_NIC_IP: return m->self.ip | (uint64_t)m->self.tos << NIC_NIC_IP_TOS_LSB;
    case NIC_REG_NIC_QPN: return m->qpn;
    case NIC_REG_NIC_RID: return m->rid;
    case NIC_REG_NIC_DMA: return m->dma;
    case NIC_REG_NIC_CPL_TMO: return m->cpl_tmo;
    case NIC_REG_NIC_TICK: return m->tick;
    case NIC_REG_NIC_IP6_HI: return m->self.ip6.hi;
    case NIC_REG_NIC_IP6_LO: return m->self.ip6.lo;
    case NIC_REG_NIC_CNP: return m->cnp_reg;
    case NIC_REG_NIC_RATE: return m->rate_reg;
    case NIC_REG_NIC_RAISE: return m->raise_reg;
    case NIC_REG_NIC_CTX:
    case NIC_REG_NIC_BELL:
    case NIC_REG_NIC_CLOSE: return nic_ctx_reg(m, addr);
    default: return 0;
  }
}

static uint64_t read_mr(const nic *m, unsigned i, unsigned reg) {
  if (i >= m->cfg.NumMrs) return 0;
  switch (reg) {
    case NIC_REG_MR_BASE & 31: return m->mr[i].base;
    case NIC_REG_MR_LEN & 31: return m->mr[i].len;
    case NIC_REG_MR_KEY & 31: return m->mr[i].key;
    default: return 0;
  }
}

static uint64_t read_proc(const nic *m, unsigned p, unsigned reg) {
  if (p >= m->cfg.NumProcs) return 0;
  const xtq_rbufs *r = &m->rbuf[p];
  switch (reg) {
    case NIC_REG_RB_ADDR & 127: return m->rb_addr[p];
    case NIC_REG_RB_POST & 127: return m->rb_post[p];
    case NIC_REG_RB_STS & 127:
      return (r->next - r->oldest) | (uint64_t)m->rb_bad[p] << NIC_RB_STS_BAD_LSB |
             (uint64_t)r->offset << NIC_RB_STS_OFFSET_LSB;
    case NIC_REG_RB_DROP & 127: return r->gone | (uint64_t)r->next << NIC_RB_DROP_NEXT_LSB;
    case NIC_REG_XT_BASE & 127: return m->xt_base[p];
    default: return nic_event_reg(m, p, reg);
  }
}

static uint64_t read_tables(const nic *m, uint32_t addr) {
  unsigned i;
  if (addr < NIC_REG_XT_W + 32) return m->xt_w[(addr - NIC_REG_XT_W) / 8];
  if (addr == NIC_REG_XT_CMD) return m->xt_cmd;
  if (addr == NIC_REG_XT_STS) return m->xt_busy | (unsigned)m->xt_bad << NIC_XT_STS_BAD_LSB;
  if (addr >= NIC_REG_XT_TPL) {
    i = (addr - NIC_REG_XT_TPL) / 64;
    return i < m->cfg.NumLogs ? le64(m->log[i].packet + (addr & 56)) : 0;
  }
  if (addr < NIC_REG_XT_LOG) return 0;
  i = (addr - NIC_REG_XT_LOG) / 8;
  return i < m->cfg.NumLogs ? m->log[i].ctl : 0;
}

uint64_t nic_regs_read(const nic *m, uint32_t addr) {
  addr &= 0xffff8u;
  if (addr >= NIC_REG_QP_ANSWER_PSN) return nic_answer_read(m, addr);
  if (addr >= NIC_REG_QP_CTL) {
    unsigned i = (addr - NIC_REG_QP_CTL) / NIC_REG_QP_CTL_STRIDE;
    return i < m->cfg.NumQps ? nic_qp_read(m, i, addr & 255) : 0;
  }
  if (addr >= NIC_REG_XT_W) return addr < NIC_REG_XT_TPL + 64 * NIC_LOGS_MAX ? read_tables(m, addr) : 0;
  if (addr >= NIC_REG_EQ_BASE) return read_proc(m, (addr - NIC_REG_EQ_BASE) / NIC_REG_EQ_BASE_STRIDE, addr & 127);
  if (addr >= NIC_REG_MR_BASE) return read_mr(m, (addr - NIC_REG_MR_BASE) / NIC_REG_MR_BASE_STRIDE, addr & 31);
  return read_global(m, addr);
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

static void put(uint64_t *r, uint64_t v, uint64_t mask, uint64_t fields) {
  mask &= fields;
  *r = (*r & ~mask) | (v & mask);
}

static void write_rate(nic *m, uint32_t addr, uint64_t v, uint64_t mask) {
  const uint64_t rate = NIC_NIC_RATE_FULL_MASK | NIC_NIC_RATE_MIN_MASK | NIC_NIC_RATE_G_MASK | NIC_NIC_RATE_FAST_MASK;
  const uint64_t raise =
      NIC_NIC_RAISE_CALM_MASK | NIC_NIC_RAISE_TIME_MASK | NIC_NIC_RAISE_ADD_MASK | NIC_NIC_RAISE_HYPER_MASK;
  if (addr == NIC_REG_NIC_RATE)
    put(&m->rate_reg, v, mask, rate);
  else
    put(&m->raise_reg, v, mask, raise);
  for (unsigned i = 0; i < m->cfg.NumQps; i++) nic_rate_forget(m, i);
}

static void write_global(nic *m, uint32_t addr, uint64_t v, uint64_t mask) {
  uint64_t x;
  if (addr >= NIC_REG_NIC_CNT && addr < NIC_REG_NIC_CNT + 8 * NIC_CNT_NUM) {
    nic_clear(m, (addr - NIC_REG_NIC_CNT) / 8);
    return;
  }
  switch (addr) {
    case NIC_REG_NIC_MAC: put(&m->self.mac, v, mask, (1ull << 48) - 1); break;
    case NIC_REG_NIC_IP:
      x = read_global(m, addr);
      put(&x, v, mask, ~0ull);
      m->self.ip = (uint32_t)x;
      m->self.tos = (uint8_t)(x >> NIC_NIC_IP_TOS_LSB);
      break;
    case NIC_REG_NIC_IP6_HI: put(&m->self.ip6.hi, v, mask, ~0ull); break;
    case NIC_REG_NIC_IP6_LO: put(&m->self.ip6.lo, v, mask, ~0ull); break;
    case NIC_REG_NIC_QPN: put(&m->qpn, v, mask, 0xffff); break;
    case NIC_REG_NIC_RID: put(&m->rid, v, mask, 0xffff); break;
    case NIC_REG_NIC_DMA: put(&m->dma, v, mask, NIC_NIC_DMA_MPS_MASK | NIC_NIC_DMA_MRRS_MASK); break;
    case NIC_REG_NIC_CPL_TMO: put(&m->cpl_tmo, v, mask, 0xffffffff); break;
    case NIC_REG_NIC_TICK:
      put(&m->tick, v, mask, 0xffffffff);
      m->time.new_tick = m->now + 1; /* what began in this cycle or before has another unit */
      break;
    case NIC_REG_NIC_CNP:
      put(&m->cnp_reg, v, mask, NIC_NIC_CNP_TIME_MASK);
      nic_cnp_written(m);
      break;
    case NIC_REG_NIC_RATE:
    case NIC_REG_NIC_RAISE: write_rate(m, addr, v, mask); break;
    case NIC_REG_NIC_CTX:
    case NIC_REG_NIC_BELL:
    case NIC_REG_NIC_CLOSE: nic_ctx_write(m, addr, v, mask); break;
    default: break;
  }
}

/* QPR-6. */
static void write_mr(nic *m, unsigned i, unsigned reg, uint64_t v, uint64_t mask) {
  const uint64_t key = NIC_MR_KEY_KEY_MASK | NIC_MR_KEY_PROC_MASK | NIC_MR_KEY_R_MASK | NIC_MR_KEY_W_MASK |
                       NIC_MR_KEY_A_MASK | NIC_MR_KEY_PAGED_MASK | NIC_MR_KEY_EN_MASK;
  if (i >= m->cfg.NumMrs) return;
  nic_mr *r = &m->mr[i];
  switch (reg) {
    case NIC_REG_MR_BASE & 31: put(&r->base, v, mask, ~0ull); break;
    case NIC_REG_MR_LEN & 31: put(&r->len, v, mask, NIC_MR_LEN_LEN_MASK); break;
    case NIC_REG_MR_KEY & 31:
      put(&r->key, v, mask, key);
      r->live_base = r->base;
      r->live_len = r->len;
      break;
    default: break;
  }
}

static void post(nic *m, unsigned p) {
  uint32_t len = (uint32_t)m->rb_post[p], least = (uint32_t)(m->rb_post[p] >> NIC_RB_POST_LEAST_LSB);
  if (!xtq_rbuf_post(&m->rbuf[p], m->cfg.RecvDepth, m->rb_addr[p], len, least)) m->rb_bad[p] = true;
}

static void write_proc(nic *m, unsigned p, unsigned reg, uint64_t v, uint64_t mask) {
  if (p >= m->cfg.NumProcs) return;
  switch (reg) {
    case NIC_REG_RB_ADDR & 127: put(&m->rb_addr[p], v, mask, ~0ull); break;
    case NIC_REG_RB_POST & 127:
      put(&m->rb_post[p], v, mask, ~0ull);
      if (mask & NIC_RB_POST_LEN_MASK) post(m, p);
      break;
    case NIC_REG_RB_STS & 127:
      if (v & mask & NIC_RB_STS_BAD_MASK) m->rb_bad[p] = false;
      break;
    case NIC_REG_XT_BASE & 127: /* TBL-3 */
      if (!m->xt_busy || NIC_FIELD(m->xt_cmd, XT_CMD_PROC) != p) put(&m->xt_base[p], v, mask, ~0ull);
      break;
    case NIC_REG_RB_DROP & 127:
      if (mask & 0xffffffff) xtq_target_drop(m, p);
      break;
    default: nic_event_write(m, p, reg, v, mask); break;
  }
}

static void write_tables(nic *m, uint32_t addr, uint64_t v, uint64_t mask) {
  const uint64_t cmd = NIC_XT_CMD_INDEX_MASK | NIC_XT_CMD_TABLE_MASK | NIC_XT_CMD_PROC_MASK | NIC_XT_CMD_READ_MASK;
  uint64_t x;
  unsigned i;
  if (addr < NIC_REG_XT_W + 32) {
    if (!m->xt_busy) put(&m->xt_w[(addr - NIC_REG_XT_W) / 8], v, mask, ~0ull);
  } else if (addr == NIC_REG_XT_CMD) {
    if (!m->xt_busy) put(&m->xt_cmd, v, mask, cmd);
    if (mask & 0xffffffff) xtq_table_cmd(m);
  } else if (addr == NIC_REG_XT_STS) {
    if (v & mask & NIC_XT_STS_BAD_MASK) m->xt_bad = false;
  } else if (addr == NIC_REG_XT_TASK_DONE) {
    unsigned log = (unsigned)NIC_FIELD(v, XT_TASK_DONE_LOG);
    if ((mask & NIC_XT_TASK_DONE_LOG_MASK) && log < m->cfg.NumLogs) xtq_task_is_done(m, log);
  } else if (addr >= NIC_REG_XT_TPL) {
    i = (addr - NIC_REG_XT_TPL) / 64;
    if (i >= m->cfg.NumLogs) return;
    x = le64(m->log[i].packet + (addr & 56));
    put(&x, v, mask, ~0ull);
    le64_put(m->log[i].packet + (addr & 56), x);
  } else if (addr >= NIC_REG_XT_LOG) {
    i = (addr - NIC_REG_XT_LOG) / 8;
    if (i < m->cfg.NumLogs)
      put(&m->log[i].ctl, v, mask, NIC_XT_LOG_QUEUE_MASK | NIC_XT_LOG_PROC_MASK | NIC_XT_LOG_EN_MASK);
  }
}

void nic_regs_write(nic *m, uint32_t addr, uint64_t data, unsigned strb) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < 8; i++)
    if (strb >> i & 1) mask |= 0xffull << 8 * i;
  addr &= 0xffff8u;
  if (!mask) return;
  if (addr >= NIC_REG_QP_ANSWER_PSN) {
    nic_answer_write(m, addr, data, mask);
  } else if (addr >= NIC_REG_QP_CTL) {
    unsigned i = (addr - NIC_REG_QP_CTL) / NIC_REG_QP_CTL_STRIDE;
    if (i < m->cfg.NumQps) nic_qp_write(m, i, addr & 255, data, mask);
  } else if (addr >= NIC_REG_XT_W) {
    if (addr < NIC_REG_XT_TPL + 64 * NIC_LOGS_MAX) write_tables(m, addr, data, mask);
  } else if (addr >= NIC_REG_EQ_BASE) {
    write_proc(m, (addr - NIC_REG_EQ_BASE) / NIC_REG_EQ_BASE_STRIDE, addr & 127, data, mask);
  } else if (addr >= NIC_REG_MR_BASE) {
    write_mr(m, (addr - NIC_REG_MR_BASE) / NIC_REG_MR_BASE_STRIDE, addr & 31, data, mask);
  } else {
    write_global(m, addr, data, mask);
  }
}
