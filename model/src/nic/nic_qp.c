// SPDX-License-Identifier: Apache-2.0
/* Queue pairs: registers, on and off, stored answers. */
#include "nic_state.h"

void nic_qp_reset(nic *m) {
  for (unsigned i = 0; i < m->cfg.NumQps; i++) {
    m->qp[i].name = (uint16_t)i;
    m->qp[i].ctl = NIC_RESET_QP_CTL;
    m->qp[i].ringc = NIC_RESET_QP_RINGC;
    m->qp[i].req = m->reqs + (size_t)2 * i * req_slots(m);
    m->qp[i].before.req = m->qp[i].req + req_slots(m);
  }
}

/* QPR-9, QPR-11. */
static void begin(nic_qp *q, unsigned most) {
  q->epsn = (uint32_t)NIC_FIELD(q->psn, QP_PSN_EPSN);
  q->msn = (uint32_t)NIC_FIELD(q->begin_msg, QP_BEGIN_MSG_MSN);
  q->again = (uint32_t)NIC_FIELD(q->begin_msg, QP_BEGIN_MSG_AGAIN);
  q->told = q->begin_msg & NIC_QP_BEGIN_MSG_TOLD_MASK;
  q->msg = q->begin_msg & NIC_QP_BEGIN_MSG_WRITE_MASK ? NIC_MSG_WRITE : NIC_MSG_NONE;
  q->va = q->begin_va;
  q->left = NIC_FIELD(q->begin_rest, QP_BEGIN_REST_LEFT);
  q->rkey = (uint32_t)NIC_FIELD(q->begin_rest, QP_BEGIN_REST_RKEY);
  q->resp_err = q->begin & NIC_QP_BEGIN_RESP_ERR_MASK;
  q->una = q->back = q->cur = q->nxt = q->end = (uint32_t)NIC_FIELD(q->psn, QP_PSN_SPSN);
  q->prod = q->cons = q->fetch = (uint16_t)NIC_FIELD(q->begin, QP_BEGIN_CONS);
  q->send_err = q->begin & NIC_QP_BEGIN_SEND_ERR_MASK;
  q->code = (uint8_t)NIC_FIELD(q->begin, QP_BEGIN_CODE);
  q->answers = (unsigned)NIC_FIELD(q->begin_msg, QP_BEGIN_MSG_ANSWERS);
  if (q->answers > most) q->answers = most;
  q->begin = q->begin_msg = q->begin_va = q->begin_rest = 0;
}

/* QPR-4; QPR-10: of rates and CNPs nothing is left. */
void nic_qp_start(nic *m, unsigned i) {
  nic_qp *q = &m->qp[i];
  begin(q, m->cfg.Replay);
  q->bad_prod = false;
  q->head = q->num = q->gone = 0;
  q->late_waits = q->late_reads = 0;
  memset(q->req, 0, req_slots(m) * sizeof *q->req);
  q->lost = q->rnr_wait = q->asked = false;
  q->retries = q->rnrs = 0;
  q->changing = true;
  q->losing = false;
  nic_cnp_forget(m, i);
  nic_rate_forget(m, i);
  q->rate.after = 0;
  q->since_from = q->since = m->now;
}

/* What is on its way in hardware is kept until it says that all is through. */
static void keep(nic_qp *q) {
  nic_req *free = q->before.req;
  unsigned ready = (uint16_t)(q->prod - q->fetch);
  q->before = (nic_before){
      q->ctl, q->mac, q->peer, q->ringc, q->vlan, q->ip6, q->req, q->head, q->num ? q->num : q->gone, ready};
  q->req = free;
}

void nic_qp_stop(nic *m, unsigned i) {
  nic_qp *q = &m->qp[i];
  if (!q->changing) keep(q);
  if (m->frame_head != m->frame_tail) m->looks_lost++;
  q->changing = true;
  q->losing = false;
  xtq_target_give_up(m, i);
  nic_reply_forget(m, i);
  nic_req_forget(m, i);
  nic_cnp_forget(m, i);
  nic_rate_forget(m, i);
}

static uint64_t where_it_is(const nic_qp *q, unsigned reg) {
  const bool write = q->msg == NIC_MSG_WRITE;
  if (reg == (NIC_REG_QP_VA & 255)) return write ? q->va : 0;
  if (reg == (NIC_REG_QP_REST & 255)) return write ? (uint32_t)q->left | (uint64_t)q->rkey << NIC_QP_REST_RKEY_LSB : 0;
  return q->msn | (uint64_t)q->told << NIC_QP_MSG_TOLD_LSB | (uint64_t)write << NIC_QP_MSG_WRITE_LSB |
         (uint64_t)(q->msg != NIC_MSG_NONE && !write) << NIC_QP_MSG_TASK_LSB |
         (uint64_t)q->again << NIC_QP_MSG_AGAIN_LSB | (uint64_t)q->answers << NIC_QP_MSG_ANSWERS_LSB;
}

uint64_t nic_qp_read(const nic *m, unsigned i, unsigned reg) {
  const nic_qp *q = &m->qp[i];
  switch (reg) {
    case NIC_REG_QP_CTL & 255: return q->ctl;
    case NIC_REG_QP_MAC & 255: return q->mac;
    case NIC_REG_QP_PEER & 255: return q->peer;
    case NIC_REG_QP_PSN & 255: return q->psn;
    case NIC_REG_QP_RING & 255: return q->ring;
    case NIC_REG_QP_RINGC & 255: return q->ringc;
    case NIC_REG_QP_PROD & 255: return q->prod;
    case NIC_REG_QP_STS & 255:
      return q->cons | (uint64_t)q->send_err << NIC_QP_STS_SEND_ERR_LSB |
             (uint64_t)q->resp_err << NIC_QP_STS_RESP_ERR_LSB | (uint64_t)q->bad_prod << NIC_QP_STS_BAD_PROD_LSB |
             (uint64_t)q->code << NIC_QP_STS_CODE_LSB;
    case NIC_REG_QP_IP6_HI & 255: return q->ip6.hi;
    case NIC_REG_QP_IP6_LO & 255: return q->ip6.lo;
    case NIC_REG_QP_VLAN & 255: return q->vlan;
    case NIC_REG_QP_RATE & 255: return nic_rate_reg(m, i);
    case NIC_REG_QP_NOW & 255: return q->epsn | (uint64_t)q->una << NIC_QP_NOW_UNA_LSB;
    case NIC_REG_QP_MSG & 255:
    case NIC_REG_QP_VA & 255:
    case NIC_REG_QP_REST & 255: return where_it_is(q, reg);
    case NIC_REG_QP_BEGIN & 255: return q->begin;
    case NIC_REG_QP_BEGIN_MSG & 255: return q->begin_msg;
    case NIC_REG_QP_BEGIN_VA & 255: return q->begin_va;
    case NIC_REG_QP_BEGIN_REST & 255: return q->begin_rest;
    case NIC_REG_QP_NAME & 255: return q->name;
    default: return 0;
  }
}

/* REQ-1. */
static void doorbell(const nic *m, nic_qp *q, uint16_t prod) {
  const bool just = m->lockstep && q->send_err && m->now - q->cons_at < 2;
  const uint16_t cons = just ? q->cons_was : q->cons;
  uint16_t ahead = (uint16_t)(prod - cons), was = (uint16_t)(q->prod - cons);
  if (ahead > 1u << NIC_FIELD(q->ringc, QP_RINGC_SIZE) || ahead < was)
    q->bad_prod = true;
  else
    q->prod = prod;
}

static void resume(nic_qp *q) {
  if (q->code != NIC_ST_TIMEOUT && q->code != NIC_ST_LOCAL_READ) q->send_err = false;
}

/* QPR-2. */
void nic_qp_write(nic *m, unsigned i, unsigned reg, uint64_t v, uint64_t mask) {
  nic_qp *q = &m->qp[i];
  bool off = !qp_on(q);
  const uint64_t fixed = NIC_QP_CTL_RECV_MASK | NIC_QP_CTL_PROC_MASK | NIC_QP_CTL_MTU_MASK | NIC_QP_CTL_RNR_MASK |
                         NIC_QP_CTL_RETRY_MASK | NIC_QP_CTL_RNR_RETRY_MASK | NIC_QP_CTL_TIMEOUT_MASK |
                         NIC_QP_CTL_PKEY_MASK | NIC_QP_CTL_IPV6_MASK | NIC_QP_CTL_VLAN_MASK;
  uint64_t *r = NULL, may = 0;
  switch (reg) {
    case NIC_REG_QP_CTL & 255: r = &q->ctl, may = NIC_QP_CTL_EN_MASK | (off ? fixed : 0); break;
    case NIC_REG_QP_MAC & 255: r = &q->mac, may = NIC_QP_MAC_MAC_MASK; break;
    case NIC_REG_QP_PEER & 255: r = &q->peer, may = NIC_QP_PEER_IP_MASK | NIC_QP_PEER_QP_MASK; break;
    case NIC_REG_QP_PSN & 255: r = &q->psn, may = NIC_QP_PSN_EPSN_MASK | NIC_QP_PSN_SPSN_MASK; break;
    case NIC_REG_QP_IP6_HI & 255: r = &q->ip6.hi, may = ~0ull; break;
    case NIC_REG_QP_IP6_LO & 255: r = &q->ip6.lo, may = ~0ull; break;
    case NIC_REG_QP_VLAN & 255: r = &q->vlan, may = NIC_QP_VLAN_TCI_MASK; break;
    case NIC_REG_QP_RING & 255: r = &q->ring, may = NIC_QP_RING_ADDR_MASK; break;
    case NIC_REG_QP_RINGC & 255: r = &q->ringc, may = NIC_QP_RINGC_SIZE_MASK | NIC_QP_RINGC_PORT_MASK; break;
    case NIC_REG_QP_BEGIN & 255:
      r = &q->begin;
      may = NIC_QP_BEGIN_CONS_MASK | NIC_QP_BEGIN_SEND_ERR_MASK | NIC_QP_BEGIN_RESP_ERR_MASK | NIC_QP_BEGIN_CODE_MASK;
      break;
    case NIC_REG_QP_BEGIN_MSG & 255:
      r = &q->begin_msg;
      may = NIC_QP_BEGIN_MSG_MSN_MASK | NIC_QP_BEGIN_MSG_TOLD_MASK | NIC_QP_BEGIN_MSG_WRITE_MASK |
            NIC_QP_BEGIN_MSG_AGAIN_MASK | NIC_QP_BEGIN_MSG_ANSWERS_MASK;
      break;
    case NIC_REG_QP_BEGIN_VA & 255: r = &q->begin_va, may = ~0ull; break;
    case NIC_REG_QP_BEGIN_REST & 255: r = &q->begin_rest, may = ~0ull; break;
    case NIC_REG_QP_PROD & 255:
      if (!off && (mask & 0xffff)) doorbell(m, q, (uint16_t)((q->prod & ~mask) | (v & mask)));
      return;
    case NIC_REG_QP_STS & 255:
      if (v & mask & NIC_QP_STS_SEND_ERR_MASK) resume(q);
      if (v & mask & NIC_QP_STS_BAD_PROD_MASK) q->bad_prod = false;
      return;
    case NIC_REG_QP_NAME & 255:
      if (!off) return;
      q->name = (uint16_t)((q->name & ~mask) | (v & mask & NIC_QP_NAME_NAME_MASK));
      return;
    default: return;
  }
  if (!off && r != &q->ctl) return;
  *r = (*r & ~(mask & may)) | (v & mask & may);
  if (off && qp_on(q)) nic_qp_start(m, i);
  if (!off && !qp_on(q)) nic_qp_stop(m, i);
}

/* ---- QPR-11: stored answers -------------------------------------------------------------------------------------- */

/* Of which queue pair, which index; false: of none that there is. */
static bool which(const nic *m, uint32_t addr, unsigned *qp, unsigned *i) {
  const unsigned n = (addr - NIC_REG_QP_ANSWER_PSN) / NIC_REG_QP_ANSWER_PSN_STRIDE;
  *qp = n / 64;
  *i = n % 64;
  return *qp < m->cfg.NumQps && *i < m->cfg.Replay;
}

static bool is_value(uint32_t addr) {
  return (addr & (NIC_REG_QP_ANSWER_PSN_STRIDE - 1)) == (NIC_REG_QP_ANSWER_VALUE & (NIC_REG_QP_ANSWER_PSN_STRIDE - 1));
}

uint64_t nic_answer_read(const nic *m, uint32_t addr) {
  unsigned qp, i;
  if (!which(m, addr, &qp, &i) || i >= m->qp[qp].answers) return 0;
  return is_value(addr) ? m->qp[qp].answer[i].value : m->qp[qp].answer[i].psn;
}

void nic_answer_write(nic *m, uint32_t addr, uint64_t v, uint64_t mask) {
  unsigned qp, i;
  if (!which(m, addr, &qp, &i) || qp_on(&m->qp[qp])) return;
  uint64_t *r = is_value(addr) ? &m->qp[qp].answer[i].value : &m->qp[qp].answer[i].psn;
  if (!is_value(addr)) mask &= NIC_QP_ANSWER_PSN_PSN_MASK;
  *r = (*r & ~mask) | (v & mask);
}
