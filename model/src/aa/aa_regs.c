// SPDX-License-Identifier: Apache-2.0
/* Registers, a 64-bit word at a time. Two 32-bit registers that share a word are its halves. */
#include "tocsin/aa_regs.h"

#include "aa_state.h"

#define HI(x) ((uint64_t)(x) << 32)

/* STR-11, DEC-20. */
void aa_regs_reset(aa *m) {
  m->qi.event.mask = true;
  m->cpl_tmo = AA_RESET_AA_CPL_TMO;
  m->wdog = AA_RESET_AA_WDOG;
  m->flush_tmo = AA_RESET_AA_FLUSH_TMO;
  m->mps = m->mrrs = 5;
  m->mps_dw = m->mrrs_dw = 1024;
}

static uint64_t event_ctl(const aa_event *e) {
  return (e->mask ? AA_FECTL_IM_MASK : 0u) | (e->pending ? AA_FECTL_IP_MASK : 0u);
}

static uint64_t read_log(const aa *m, unsigned n, unsigned reg) {
  const aa_log *g = &m->logs.log[n];
  switch (reg) {
    case AA_REG_LOG_BASE & 63: return g->base;
    case AA_REG_LOG_CFG & 63: return g->cfg | (g->en ? AA_LOG_CFG_EN_MASK : 0);
    case AA_REG_LOG_PTR & 63: return g->ptr;
    case AA_REG_LOG_MSIA & 63: return g->msia;
    case AA_REG_LOG_MSID & 63: return g->msid;
    case AA_REG_LOG_TIME & 63: return g->time;
    case AA_REG_LOG_STS & 63:
      return g->en | (unsigned)g->closing << AA_LOG_STS_CLOSING_LSB | (unsigned)g->why << AA_LOG_STS_WHY_LSB;
    default: return 0;
  }
}

static uint64_t read_page(const aa *m, unsigned n, unsigned reg) {
  const aa_log *g = &m->logs.log[n];
  switch (reg) {
    case AA_REG_LP_PROD & 4095: return g->prod;
    case AA_REG_LP_CONS & 4095: return g->cons;
    case AA_REG_LP_RSVD & 4095: return g->rsvd;
    case AA_REG_LP_STS & 4095: return g->sts | (unsigned)g->en << AA_LP_STS_EN_LSB;
    default: return 0;
  }
}

static uint64_t read_vtd(const aa *m, uint32_t addr) {
  const aa_fault *f = &m->fault;
  const aa_qi *q = &m->qi;
  if (addr >= AA_REG_FRCDL && addr < AA_REG_FRCDL + AA_FAULT_RECORDS * AA_REG_FRCDL_STRIDE) {
    unsigned i = (addr - AA_REG_FRCDL) / AA_REG_FRCDL_STRIDE;
    return (addr & 8) == (AA_REG_FRCDL & 8) ? f->lo[i] : f->hi[i];
  }
  switch (addr) {
    case AA_REG_VER: return AA_RESET_VER;
    case AA_REG_CAP: return AA_RESET_CAP;
    case AA_REG_ECAP: return AA_RESET_ECAP;
    case AA_REG_GCMD: /* and GSTS */
      return HI((m->xlt.te ? AA_GSTS_TES_MASK : 0u) | (m->rtps ? AA_GSTS_RTPS_MASK : 0u) |
                (q->on ? AA_GSTS_QIES_MASK : 0u));
    case AA_REG_RTADDR: return m->rtaddr;
    case AA_REG_CCMD: return m->ccmd;
    case AA_REG_FSTS & ~7u:
      return HI(f->pfo | (unsigned)aa_fault_ppf(f) << AA_FSTS_PPF_LSB | (unsigned)f->iqe << AA_FSTS_IQE_LSB |
                f->fri << AA_FSTS_FRI_LSB);
    case AA_REG_FECTL: return event_ctl(&f->event) | HI(f->event.data);
    case AA_REG_FEADDR: return f->event.addr | HI(f->event.uaddr);
    case AA_REG_IQH: return (uint64_t)q->head << AA_IQH_QH_LSB;
    case AA_REG_IQT: return q->iqt;
    case AA_REG_IQA: return q->iqa;
    case AA_REG_ICS & ~7u: return HI(q->iwc);
    case AA_REG_IECTL: return event_ctl(&q->event) | HI(q->event.data);
    case AA_REG_IEADDR: return q->event.addr | HI(q->event.uaddr);
    case AA_REG_IOTLB: return m->iotlb;
    default: return 0;
  }
}

static uint64_t read_aa(const aa *m, uint32_t addr) {
  const aa_config *c = &m->cfg;
  switch (addr) {
    case AA_REG_AA_ID: return AA_RESET_AA_ID;
    case AA_REG_AA_CAP:
      return (uint64_t)c->NumLogs << AA_AA_CAP_LOGS_LSB | (uint64_t)c->LogDepth << AA_AA_CAP_DEPTH_LSB |
             (uint64_t)c->TagEntries << AA_AA_CAP_TAGS_LSB | (uint64_t)c->FlushPages << AA_AA_CAP_PAGES_LSB |
             (uint64_t)c->FlushWaiters << AA_AA_CAP_WAITERS_LSB | (uint64_t)c->ScratchWords << AA_AA_CAP_SCRATCH_LSB |
             (uint64_t)c->NumPorts << AA_AA_CAP_PORTS_LSB;
    case AA_REG_AA_CTL: return m->aae | m->mps << AA_AA_CTL_MPS_LSB | m->mrrs << AA_AA_CTL_MRRS_LSB;
    case AA_REG_AA_RESET: return (m->fn_go ? AA_AA_RESET_GO_MASK : 0) | m->fn_rid;
    case AA_REG_AA_CPL_TMO: return m->cpl_tmo;
    case AA_REG_AA_WDOG: return m->wdog;
    case AA_REG_AA_FLUSH_TMO: return m->flush_tmo;
    case AA_REG_AA_ERR_STS: return m->fault.err_sts;
    case AA_REG_AA_ERR_ADDR: return m->fault.err_addr;
    default: break;
  }
  if (addr >= AA_REG_AA_PORT && (addr - AA_REG_AA_PORT) / 8 < c->NumPorts)
    return m->port_filter[(addr - AA_REG_AA_PORT) / 8];
  if (addr >= AA_REG_AA_FLP && (addr - AA_REG_AA_FLP) / 8 < c->FlushPages)
    return m->flush.page[(addr - AA_REG_AA_FLP) / 8];
  return 0;
}

uint64_t aa_regs_read(const aa *m, uint32_t addr) {
  addr &= 0xffff8u;
  if (addr >= AA_REG_LP_PROD) {
    unsigned n = (addr - AA_REG_LP_PROD) / AA_REG_LP_PROD_STRIDE;
    return n < m->cfg.NumLogs ? read_page(m, n, addr & 4095) : 0;
  }
  unsigned i = (addr & 4095) / 8;
  switch (addr >> 12) {
    case 0: return read_vtd(m, addr);
    case 1: return read_aa(m, addr);
    case 2: return (addr & 4095) / 64 < m->cfg.NumLogs ? read_log(m, (addr & 4095) / 64, addr & 63) : 0;
    case 3: return i < m->cfg.ScratchWords ? m->scratch_word[i] : 0;
    case 4: return i < AA_CNT_NUM && m->cfg.ActiveAccess ? m->cnt[i] : 0;
    default: return 0;
  }
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

static uint64_t merge(uint64_t old, uint64_t data, uint64_t mask, uint64_t fields) {
  return ((old & ~mask) | (data & mask)) & fields;
}

static uint32_t merge32(uint32_t old, uint64_t data, uint64_t mask, uint32_t fields) {
  return (uint32_t)merge(old, data, mask & 0xffffffffu, fields);
}

static void write_event_ctl(aa_event *e, uint64_t data, uint64_t mask) {
  if (mask & AA_FECTL_IM_MASK) e->mask = data & AA_FECTL_IM_MASK;
  e->data = merge32(e->data, data >> 32, mask >> 32, 0xffffffffu);
}

static void write_event_addr(aa_event *e, uint64_t data, uint64_t mask) {
  e->addr = merge32(e->addr, data, mask, AA_FEADDR_MA_MASK);
  e->uaddr = merge32(e->uaddr, data >> 32, mask >> 32, 0xffffffffu);
}

/* INV-11. */
static void write_gcmd(aa *m, uint64_t data, uint64_t mask) {
  if (!(mask & 0xffffffffu)) return;
  aa_forget(m);
  if (!(mask & AA_GCMD_TE_MASK)) return;
  bool te = data & AA_GCMD_TE_MASK, qie = data & AA_GCMD_QIE_MASK;
  if (m->xlt.te && !te) m->fault.next = 0;
  m->xlt.te = te;
  if (data & AA_GCMD_SRTP_MASK) {
    m->rtps = true;
    m->xlt.root = m->rtaddr;
  }
  if (m->qi.on && !qie) {
    m->qi.head = 0;
    m->qi.stale = m->qi.waiting;
  }
  m->qi.on = qie;
}

/* INV-8, INV-10, XLT-20. */
static void write_vtd(aa *m, uint32_t addr, uint64_t data, uint64_t mask) {
  aa_fault *f = &m->fault;
  aa_qi *q = &m->qi;
  if (addr >= AA_REG_FRCDL && addr < AA_REG_FRCDL + AA_FAULT_RECORDS * AA_REG_FRCDL_STRIDE) {
    if ((addr & 8) == (AA_REG_FRCDH & 8) && (data & mask & AA_FRCDH_F_MASK)) {
      f->hi[(addr - AA_REG_FRCDL) / AA_REG_FRCDL_STRIDE] = f->lo[(addr - AA_REG_FRCDL) / AA_REG_FRCDL_STRIDE] = 0;
      aa_fault_settle(f);
    }
    return;
  }
  switch (addr) {
    case AA_REG_GCMD: write_gcmd(m, data, mask); break;
    case AA_REG_RTADDR: m->rtaddr = merge(m->rtaddr, data, mask, AA_RTADDR_RTA_MASK); break;
    case AA_REG_CCMD:
      if (!(m->ccmd & AA_CCMD_ICC_MASK)) {
        m->ccmd = merge(m->ccmd, data, mask & ~AA_CCMD_CAIG_MASK,
                        AA_CCMD_ICC_MASK | AA_CCMD_CIRG_MASK | AA_CCMD_CAIG_MASK | AA_CCMD_FM_MASK | AA_CCMD_SID_MASK |
                            AA_CCMD_DID_MASK);
        if ((m->ccmd & AA_CCMD_ICC_MASK) && !(m->ccmd & AA_CCMD_CIRG_MASK))
          m->ccmd &= ~(AA_CCMD_ICC_MASK | AA_CCMD_CAIG_MASK);
      }
      break;
    case AA_REG_FSTS & ~7u:
      if (data & mask & HI(AA_FSTS_PFO_MASK)) f->pfo = false;
      if (data & mask & HI(AA_FSTS_IQE_MASK)) f->iqe = false;
      aa_fault_settle(f);
      break;
    case AA_REG_FECTL: write_event_ctl(&f->event, data, mask); break;
    case AA_REG_FEADDR: write_event_addr(&f->event, data, mask); break;
    case AA_REG_IQT: q->iqt = merge(q->iqt, data, mask, AA_IQT_QT_MASK); break;
    case AA_REG_IQA:
      if (!q->on) q->iqa = merge(q->iqa, data, mask, AA_IQA_IQA_MASK | AA_IQA_QS_MASK);
      break;
    case AA_REG_ICS & ~7u:
      if (data & mask & HI(AA_ICS_IWC_MASK)) q->iwc = q->event.pending = false;
      break;
    case AA_REG_IECTL: write_event_ctl(&q->event, data, mask); break;
    case AA_REG_IEADDR: write_event_addr(&q->event, data, mask); break;
    case AA_REG_IVA:
      if (!(m->iotlb & AA_IOTLB_IVT_MASK))
        m->iva = merge(m->iva, data, mask, AA_IVA_ADDR_MASK | AA_IVA_IH_MASK | AA_IVA_AM_MASK);
      break;
    case AA_REG_IOTLB:
      if (!(m->iotlb & AA_IOTLB_IVT_MASK)) {
        m->iotlb = merge(m->iotlb, data, mask & ~AA_IOTLB_IAIG_MASK,
                         AA_IOTLB_IVT_MASK | AA_IOTLB_IIRG_MASK | AA_IOTLB_IAIG_MASK | AA_IOTLB_DR_MASK |
                             AA_IOTLB_DW_MASK | AA_IOTLB_DID_MASK);
        if ((m->iotlb & AA_IOTLB_IVT_MASK) && !(m->iotlb & AA_IOTLB_IIRG_MASK))
          m->iotlb &= ~(AA_IOTLB_IVT_MASK | AA_IOTLB_IAIG_MASK);
      }
      break;
    default: break;
  }
}

static void write_aa(aa *m, uint32_t addr, uint64_t data, uint64_t mask) {
  switch (addr) {
    case AA_REG_AA_CTL:
      if (mask & 0xffffffffu) {
        uint64_t v = merge(m->aae | m->mps << AA_AA_CTL_MPS_LSB | m->mrrs << AA_AA_CTL_MRRS_LSB, data, mask,
                           AA_AA_CTL_AAE_MASK | AA_AA_CTL_MPS_MASK | AA_AA_CTL_MRRS_MASK);
        m->aae = v & AA_AA_CTL_AAE_MASK;
        m->xlt.seen = aa_leaf_all(m->aae && m->cfg.ActiveAccess);
        m->mps = (uint32_t)(v & AA_AA_CTL_MPS_MASK) >> AA_AA_CTL_MPS_LSB;
        m->mrrs = (uint32_t)(v & AA_AA_CTL_MRRS_MASK) >> AA_AA_CTL_MRRS_LSB;
        m->mps_dw = 32u << (m->mps < 5 ? m->mps : 5);
        m->mrrs_dw = 32u << (m->mrrs < 5 ? m->mrrs : 5);
        aa_forget(m);
      }
      return;
    case AA_REG_AA_RESET:
      if (m->fn_go) return;
      m->fn_rid = (uint16_t)merge(m->fn_rid, data, mask, AA_AA_RESET_RID_MASK);
      if (data & mask & AA_AA_RESET_GO_MASK) aa_reset_begin(m);
      return;
    case AA_REG_AA_CPL_TMO: m->cpl_tmo = merge32(m->cpl_tmo, data, mask, 0xffffffffu); return;
    case AA_REG_AA_WDOG: m->wdog = merge32(m->wdog, data, mask, 0xffffffffu); return;
    case AA_REG_AA_FLUSH_TMO: m->flush_tmo = merge32(m->flush_tmo, data, mask, 0xffffffffu); return;
    case AA_REG_AA_ERR_STS:
      if (data & mask & AA_AA_ERR_STS_VALID_MASK) aa_fault_error_clear(&m->fault);
      return;
    default: break;
  }
  unsigned port = (addr - AA_REG_AA_PORT) / 8, page = (addr - AA_REG_AA_FLP) / 8;
  if (addr >= AA_REG_AA_PORT && port < m->cfg.NumPorts) {
    m->port_filter[port] =
        merge(m->port_filter[port], data, mask, AA_AA_PORT_EN_MASK | AA_AA_PORT_MASK_MASK | AA_AA_PORT_ID_MASK);
    m->filter_any = false;
    for (unsigned i = 0; i < m->cfg.NumPorts; i++)
      m->filter_any = m->filter_any || (m->port_filter[i] & AA_AA_PORT_EN_MASK);
  }
  if (addr >= AA_REG_AA_FLP && page < m->cfg.FlushPages) {
    m->flush.page[page] =
        merge(m->flush.page[page], data, mask, AA_AA_FLP_PAGE_MASK | AA_AA_FLP_IUID_MASK | AA_AA_FLP_EN_MASK);
    m->flush.any = false;
    for (unsigned i = 0; i < m->cfg.FlushPages; i++)
      m->flush.any = m->flush.any || (m->flush.page[i] & AA_AA_FLP_EN_MASK);
  }
}

static void write_log(aa *m, unsigned n, unsigned reg, uint64_t data, uint64_t mask) {
  aa_log *g = &m->logs.log[n];
  if (reg == (AA_REG_LOG_CFG & 63)) {
    if (aa_log_write_cfg(&m->logs, n, data, mask))
      for (unsigned i = 0; i < m->flush.waiters; i++)
        if (m->flush.waiter[i].live && m->flush.waiter[i].log == n) m->flush.waiter[i].torn = true;
    m->logs_due |= 1u << n;
    return;
  }
  if (g->en) return;
  switch (reg) {
    case AA_REG_LOG_BASE & 63: g->base = merge(g->base, data, mask, ~0ull); break;
    case AA_REG_LOG_PTR & 63: g->ptr = merge(g->ptr, data, mask, ~0ull); break;
    case AA_REG_LOG_MSIA & 63: g->msia = merge(g->msia, data, mask, ~0ull); break;
    case AA_REG_LOG_MSID & 63: g->msid = merge(g->msid, data, mask, ~0ull); break;
    case AA_REG_LOG_TIME & 63: g->time = merge(g->time, data, mask, AA_LOG_TIME_CYCLES_MASK); break;
    default: break;
  }
}

static void write_page(aa *m, unsigned n, unsigned reg, uint64_t data, uint64_t mask) {
  aa_log *g = &m->logs.log[n];
  if (reg == (AA_REG_LP_STS & 4095))
    g->sts = (uint8_t)(g->sts &
                       ~(data & mask &
                         (AA_LP_STS_BAD_MASK | AA_LP_STS_LOST_MASK | AA_LP_STS_ABORTED_MASK | AA_LP_STS_PTRERR_MASK)));
  if (reg != (AA_REG_LP_CONS & 4095) || !(mask & 0xffffffffu)) return;
  uint32_t cons = merge32(g->cons, data, mask, 0xffffffffu);
  if (!aa_log_consume(g, cons)) {
    aa_fault_error(&m->fault, AA_ERR_CONSUMER, 0, (unsigned)(g->cfg & AA_LOG_CFG_IUID_MASK), cons);
    return;
  }
  if (g->cons == g->prod) g->unread = false;
  g->since = m->now;
  m->logs_due |= 1u << n;
}

void aa_regs_write(aa *m, uint32_t addr, uint64_t data, unsigned strb) {
  uint64_t mask = 0;
  addr &= 0xffff8u;
  for (unsigned i = 0; i < 8; i++) mask |= strb >> i & 1u ? 0xffull << 8 * i : 0;
  if (!mask) return;
  m->due = true;
  if (addr >= AA_REG_LP_PROD) {
    unsigned n = (addr - AA_REG_LP_PROD) / AA_REG_LP_PROD_STRIDE;
    if (n < m->cfg.NumLogs) write_page(m, n, addr & 4095, data, mask);
    return;
  }
  unsigned i = (addr & 4095) / 8;
  switch (addr >> 12) {
    case 0: write_vtd(m, addr, data, mask); break;
    case 1: write_aa(m, addr, data, mask); break;
    case 2:
      if ((addr & 4095) / 64 < m->cfg.NumLogs) write_log(m, (addr & 4095) / 64, addr & 63, data, mask);
      break;
    case 4:
      if (i < AA_CNT_NUM) m->cnt[i] = 0;
      break;
    default: break;
  }
}
