// SPDX-License-Identifier: Apache-2.0
// What processor, driver and accelerator do in a node's memory and with its registers.
#include <string.h>

#include "xnode_state.h"

enum { KERNEL = 0, QUEUE = 2, VALID = 1, TARGET = 2 };

void x_reg(xnode *n, uint32_t at, uint64_t value) {
  if (tocsin_model_reg_write(n->m, at, 8, value) != TOCSIN_MODEL_OK) n->bad = true;
}

// ---- the driver -----------------------------------------------------------------------------------------------------

bool xnode_connect(xnode *n, unsigned qp, unsigned to, unsigned its_qp) {
  const uint64_t entries = 64ull << n->z.log2_entries;
  if (qp >= n->z.qps) return false;
  x_reg(n, X_NREG_AT(QP_MAC, qp), X_MAC + to);
  x_reg(n, X_NREG_AT(QP_PEER, qp), (X_IP + to) | (uint64_t)((X_QPN + to) << 8 | its_qp) << NIC_QP_PEER_QP_LSB);
  x_reg(n, X_NREG_AT(QP_PSN, qp), 1 | 1ull << NIC_QP_PSN_SPSN_LSB);
  x_reg(n, X_NREG_AT(QP_RING, qp), xnode_iova(n, X_SENDS) + qp * entries);
  x_reg(n, X_NREG_AT(QP_RINGC, qp), n->z.log2_entries | 0xc000ull << NIC_QP_RINGC_PORT_LSB);
  x_reg(n, X_NREG_AT(QP_CTL, qp),
        NIC_QP_CTL_EN_MASK | 5ull << NIC_QP_CTL_MTU_LSB | (uint64_t)X_RNR << NIC_QP_CTL_RNR_LSB |
            NIC_QP_CTL_RETRY_MASK | NIC_QP_CTL_RNR_RETRY_MASK | NIC_QP_CTL_PKEY_MASK);
  return !n->bad;
}

static void table(xnode *n, unsigned which, unsigned index, const uint64_t w[4]) {
  uint64_t sts = 1;
  for (unsigned i = 0; i < 4; i++) x_reg(n, X_NREG_AT(XT_W, i), w[i]);
  x_reg(n, X_NREG(XT_CMD), index | (uint64_t)which << NIC_XT_CMD_TABLE_LSB);
  if (tocsin_model_run(n->m, NULL) != TOCSIN_MODEL_OK ||
      tocsin_model_reg_read(n->m, X_NREG(XT_STS), 8, &sts) != TOCSIN_MODEL_OK || sts)
    n->bad = true;
}

// A kernel a queue pair, so that each has a signal of its own; the first brings the queue.
bool xnode_register(xnode *n, unsigned qp) {
  const uint64_t indices = xnode_iova(n, X_INDICES);
  if (!qp)
    table(n, QUEUE, X_QUEUE,
          (uint64_t[]){xnode_iova(n, X_RING), indices + X_BELL, indices, VALID | n->z.log2_packets << 1});
  table(n, KERNEL, qp,
        (uint64_t[]){X_CODE, xnode_iova(n, X_VECTOR), xnode_iova(n, X_SIGNALS) + sizeof(aql_signal) * qp,
                     VALID | TARGET});
  return !n->bad;
}

bool xnode_post_staging(xnode *n) {
  x_reg(n, X_NREG(RB_ADDR), xnode_iova(n, X_STAGING));
  x_reg(n, X_NREG(RB_POST), n->z.staging | 64ull << NIC_RB_POST_LEAST_LSB);
  return !n->bad;
}

aql_signal *xnode_signal(xnode *n, unsigned qp) { return (aql_signal *)xnode_at(n, X_SIGNALS) + qp; }

// ---- the processor --------------------------------------------------------------------------------------------------

static void put(uint8_t *b, unsigned bytes, uint64_t v) { memcpy(b, &v, bytes); }
static uint64_t get(const uint8_t *b, unsigned bytes) {
  uint64_t v = 0;
  memcpy(&v, b, bytes);
  return v;
}

static aql_kernel packet(uint32_t bytes) {
  const uint32_t elements = bytes / 8;
  return (aql_kernel){.header = AQL_HEADER(AQL_KERNEL_DISPATCH),
                      .setup = 1,
                      .workgroup_size_x = (uint16_t)(elements < 256 ? elements : 256),
                      .workgroup_size_y = 1,
                      .workgroup_size_z = 1,
                      .grid_size_x = elements,
                      .grid_size_y = 1,
                      .grid_size_z = 1};
}

static void command(const x_request *r, uint8_t *slot) {
  aql_kernel k = packet(r->bytes);
  k.kernel_object = r->kernel;
  k.reserved2 = X_QUEUE;
  memcpy(slot, &k, sizeof k);
  memset(slot + 64, 0, 16);
  memcpy(slot + 80, r->arg, sizeof r->arg);
}

void xnode_request(xnode *n, unsigned qp, const x_request *r) {
  const unsigned entry = n->posted[qp]++ & ((1u << n->z.log2_entries) - 1);
  const uint64_t at = ((uint64_t)qp << n->z.log2_entries) + entry;
  const uint64_t local = xnode_iova(n, X_VECTOR) + r->local;
  uint8_t *b = (uint8_t *)xnode_at(n, X_SENDS) + 64 * at;
  memset(b, 0, 64);
  b[0] = r->op;
  if (r->op == X_XTQ) {
    command(r, (uint8_t *)xnode_at(n, X_SLOTS) + X_SLOT * at);
    put(b + 8, 8, xnode_iova(n, X_SLOTS) + X_SLOT * at);
    put(b + 16, 4, 64 + X_ARGS);
    put(b + 20, 4, r->bytes);
    put(b + 24, 8, local);
    return;
  }
  put(b + 4, 4, r->imm);
  put(b + 8, 8, local);
  put(b + 16, 4, r->bytes);
  put(b + 32, 8, xnode_iova(n, r->to) + r->remote);  // all nodes have the same addresses
  put(b + 40, 4, X_KEY | (r->to == X_STAGING));
}

void xnode_event(xnode *n, x_event *e) {
  const uint8_t *b = (uint8_t *)xnode_at(n, X_EVENTS) + 32 * (n->events++ & ((1u << n->z.log2_events) - 1));
  *e = (x_event){.qp = b[2], .imm = (uint32_t)get(b + 8, 4)};
  if (b[0] != X_EV_IMM || b[1]) n->bad = true;
}

uint64_t xnode_launch(xnode *n, unsigned qp, uint64_t payload, const uint64_t arg[2]) {
  const uint64_t i = n->launched++, at = i & ((1u << n->z.log2_packets) - 1);
  uint64_t *args = (uint64_t *)xnode_at(n, X_KERNARGS) + X_ARGS / 8 * at;
  uint8_t *ring = xnode_at(n, X_RING);
  aql_kernel k = packet((uint32_t)arg[1]);
  args[0] = xnode_iova(n, X_VECTOR);
  args[1] = payload;
  memcpy(args + 2, arg, 16);
  k.kernel_object = X_CODE;
  k.kernarg_address = xnode_iova(n, X_KERNARGS) + X_ARGS * at;
  k.completion_signal = xnode_iova(n, X_SIGNALS) + sizeof(aql_signal) * qp;
  memcpy(ring + 64 * at, &k, sizeof k);
  return i;
}

// ---- the accelerator ------------------------------------------------------------------------------------------------

const aql_kernel *xnode_packet(xnode *n, uint64_t index) {
  uint8_t *at = (uint8_t *)xnode_at(n, X_RING) + 64 * (index & ((1u << n->z.log2_packets) - 1));
  uint64_t next = index + 1;
  memcpy((uint8_t *)xnode_at(n, X_INDICES) + AQL_READ_INDEX, &next, 8);
  return (const aql_kernel *)(const void *)at;
}

// Adds the payload to the target, both where the arguments say that they are. False: they are nowhere.
bool xnode_run(xnode *n, const aql_kernel *k, unsigned *qp) {
  const uint64_t *args = xnode_memory(n, k->kernarg_address, X_ARGS);
  aql_signal *s = xnode_memory(n, k->completion_signal, sizeof *s);
  if ((k->header & 0xff) != AQL_KERNEL_DISPATCH || k->kernel_object != X_CODE || !args || !s) return false;
  uint64_t *to = xnode_memory(n, args[0] + args[2], args[3]);
  const uint64_t *from = xnode_memory(n, args[1], args[3]);
  if (!to || !from || k->grid_size_x != args[3] / 8) return false;
  for (uint64_t i = 0; i < args[3] / 8; i++) to[i] += from[i];
  xnode_forget(n, from, args[3]);
  s->value--;
  *qp = (unsigned)(s - xnode_signal(n, 0));
  return true;
}
