// SPDX-License-Identifier: Apache-2.0
// What a driver writes: registers, tables and rings of a node, without waiting but for a table;
// and the events that it reads.
#include <stdlib.h>
#include <string.h>

#include "sw.h"

void sw_node_on(node *n, unsigned procs) {
  n->sw = calloc(1, sizeof *n->sw);
  if (!n->sw) abort();
  n->sw->bad_lo = n->sw->absent_lo = 1;
  if (n->ops->on) n->ops->on(n);
  node_write(n, NIC_REG_NIC_MAC, node_mac(n->id));
  node_write(n, NIC_REG_NIC_IP, node_ip(n->id) | (uint64_t)(0x20 * n->id + 8) << NIC_NIC_IP_TOS_LSB);
  congest_on(n);
  node_write(n, NIC_REG_NIC_IP6_HI, node_ip6(n->id).hi);
  node_write(n, NIC_REG_NIC_IP6_LO, node_ip6(n->id).lo);
  if (!n->iommu) {  // access logs have an entry a TLP: their readers count on NIC_DMA as it is after reset
    unsigned mps = rng_below(&n->net->rng, 3), mrrs = (mps + rng_range(&n->net->rng, 1, 2)) % 3;  // never alike
    node_write(n, NIC_REG_NIC_DMA, mps << NIC_NIC_DMA_MPS_LSB | mrrs << NIC_NIC_DMA_MRRS_LSB);
  }
  if (!n->iommu && !rng_1in(&n->net->rng, 6))  // memory may lose answers
    node_write(n, NIC_REG_NIC_CPL_TMO, rng_range(&n->net->rng, 2000, 4000));
  node_write(n, NIC_REG_NIC_QPN, node_qpn(n->id));
  node_write(n, NIC_REG_NIC_RID, NET_RID);
  node_write(n, NIC_REG_NIC_TICK, 100);
  if (n->cfg.Contexts) node_write(n, NIC_REG_NIC_CTX, sw_contexts(n));
  for (unsigned p = 0; p < procs; p++) {
    sw_proc *s = &n->sw->p[p];
    s->on = true;
    s->eq_size = 7;
  }
}

void sw_region(node *n, unsigned i, uint32_t key, unsigned proc, uint64_t va, uint64_t len, uint64_t rights) {
  node_write(n, NIC_REG_MR_BASE + i * NIC_REG_MR_BASE_STRIDE, va);
  node_write(n, NIC_REG_MR_LEN + i * NIC_REG_MR_LEN_STRIDE, len);
  node_write(n, NIC_REG_MR_KEY + i * NIC_REG_MR_KEY_STRIDE,
             NIC_MR_KEY_EN_MASK | rights << NIC_MR_KEY_R_LSB | (uint64_t)proc << NIC_MR_KEY_PROC_LSB | key);
}

void sw_connect(node *n, unsigned qp, unsigned proc, unsigned peer, unsigned ring_size, uint32_t epsn, uint32_t spsn,
                uint64_t ctl) {
  unsigned kind = net_kind(n->net, qp);  // of the address that does not count something else is said
  qp_clear(n, qp);
  qp_put(n, qp, NIC_REG_QP_MAC, node_mac(peer));
  qp_put(n, qp, NIC_REG_QP_IP6_HI, kind & 2 ? node_ip6(peer).hi : 1);
  qp_put(n, qp, NIC_REG_QP_IP6_LO, node_ip6(peer).lo);
  qp_put(n, qp, NIC_REG_QP_VLAN, net_tci(qp));
  qp_put(n, qp, NIC_REG_QP_PEER,
         (kind & 2 ? 0x0b000000 : node_ip(peer)) | (uint64_t)node_number(&n->net->node[peer], qp)
                                                       << NIC_QP_PEER_QP_LSB);
  qp_put(n, qp, NIC_REG_QP_PSN, epsn | (uint64_t)spsn << NIC_QP_PSN_SPSN_LSB);
  qp_put(n, qp, NIC_REG_QP_NAME, SW_NAME - qp);
  qp_put(n, qp, NIC_REG_QP_RING, sw_va(proc, SW_RING + 0x1000 * qp));
  qp_put(n, qp, NIC_REG_QP_RINGC, ring_size | (0xc000ull + qp) << NIC_QP_RINGC_PORT_LSB);
  qp_on(n, qp,
        ctl | 0xffffull << NIC_QP_CTL_PKEY_LSB | proc << NIC_QP_CTL_PROC_LSB | (kind & 2 ? NIC_QP_CTL_IPV6_MASK : 0) |
            (kind & 1 ? NIC_QP_CTL_VLAN_MASK : 0));
}

void sw_entry_put(uint8_t *b, const entry *e) {
  le_put(b, 1, e->op);
  le_put(b + 1, 1, e->flags);
  le_put(b + 2, 2, e->proc);
  le_put(b + 4, 4, e->imm);
  le_put(b + 8, 8, e->va1);
  le_put(b + 16, 4, e->len1);
  le_put(b + 20, 4, e->len2);
  le_put(b + 24, 8, e->va2);
  le_put(b + 32, 8, e->remote);
  le_put(b + 40, 4, e->rkey);
  le_put(b + 44, 4, 0);
  le_put(b + 48, 8, e->swap);
  le_put(b + 56, 8, e->compare);
}

void sw_table(node *n, unsigned proc, unsigned table, unsigned index, const uint64_t w[4]) {
  for (unsigned i = 0; i < 4; i++) node_write(n, NIC_REG_XT_W + 8 * i, w[i]);
  node_write(n, NIC_REG_XT_CMD, index | table << NIC_XT_CMD_TABLE_LSB | proc << NIC_XT_CMD_PROC_LSB);
  for (unsigned k = 0; node_read(n, NIC_REG_XT_STS) & NIC_XT_STS_BUSY_MASK && !n->net->failed; k++) {
    if (k == 10000) net_fail(n->net, "xtq_table", "node %u: XT_STS.BUSY never falls", n->id);
    net_cycle(n->net);
  }
}

void sw_post_buffer(node *n, unsigned proc, uint64_t va, uint32_t len, uint32_t least) {
  node_write(n, eq_reg(proc, NIC_REG_RB_ADDR), va);
  node_write(n, eq_reg(proc, NIC_REG_RB_POST), len | (uint64_t)least << NIC_RB_POST_LEAST_LSB);
}

void sw_command(uint8_t *c, unsigned kind, uint64_t code, unsigned queue) {
  memset(c, 0x5a, 64);
  c[0] = kind == KERNEL ? 2 : 4;
  c[1] = 0x14;
  le_put(c + (kind == KERNEL ? 32 : 8), 8, code);
  le_put(c + 48, 8, queue);
}

// The next event of a process, by its phase bit; what has been seen is told later, all at once.
bool sw_take_event(node *n, unsigned proc, sw_event *e) {
  sw_proc *s = &n->sw->p[proc];
  uint8_t b[32];
  node_peek(n, proc, sw_va(proc, SW_EQ + 32 * (s->seen & ((1u << s->eq_size) - 1))), b, 32);
  if ((b[31] & 1) != !(s->seen >> s->eq_size & 1)) return false;
  const unsigned name = (unsigned)le_get(b + 2, 2);
  const int qp = sw_named(n, name);
  if (qp < 0) {
    net_fail(n->net, "event", "node %u, process %u: an event of a queue pair called %x", n->id, proc, name);
    return false;
  }
  *e = (sw_event){b[0],
                  b[1],
                  (uint16_t)qp,
                  (uint32_t)le_get(b + 4, 4),
                  (uint32_t)le_get(b + 8, 4),
                  (uint32_t)le_get(b + 12, 4),
                  le_get(b + 16, 8)};
  s->seen++;
  return true;
}
