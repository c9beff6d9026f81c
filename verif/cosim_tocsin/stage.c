// SPDX-License-Identifier: Apache-2.0
// Words of the wiring's cases: what the NIC and the other devices do, registers and logs.
#include <string.h>

#include "wiring.h"

enum { TRIES = 1000 };

// The model beside it may wait for software, so there is a look at what moves instead of at what is owed.
void quiet(stage *s) {
  bench *b = bench_of(s);
  uint64_t was = 0;
  node_settle(s->n);
  for (unsigned calm = 0, k = 0; calm < 150 && !s->w->failed; k++) {
    uint64_t now = s->n->sent + s->n->taken + b->stats.host_tlps + b->stats.dev_tlps;
    for (unsigned i = 0; i < 16; i++) now += b->stats.retired[i] + s->n->dut->retired[i];
    calm = now == was && bench_idle(b) && !s->w->flying ? calm + 1 : 0;
    was = now;
    net_cycle(s->w);
    if (k == 200000) net_fail(s->w, s->suite, "it hangs");
  }
}

// ---- the NIC
static nic_head of_process(stage *s, unsigned p, uint8_t opcode, uint64_t off, unsigned bytes) {
  uint32_t *psn = p ? &s->other : &s->psn;
  nic_head h = to_qp(s, p, opcode);
  h.psn = *psn;
  h.va = sw_va(p, off);
  h.rkey = SW_KEY | p;
  h.length = bytes;
  *psn = (*psn + 1) & 0xffffff;
  return h;
}

void nic_put(stage *s, unsigned p, uint64_t off, unsigned bytes) {
  static uint8_t data[4096];
  nic_head h = of_process(s, p, NIC_OP_WRITE_ONLY, off, bytes);
  h.bytes = (uint16_t)bytes;
  for (unsigned i = 0; i < bytes; i++) data[i] = (uint8_t)(h.psn + i);
  give(s, h, data, false);
}

void nic_get(stage *s, unsigned p, uint64_t off, unsigned bytes) {
  give(s, of_process(s, p, NIC_OP_READ_REQ, off, bytes), NULL, false);
}

void nic_add(stage *s, unsigned p, uint64_t off) {
  nic_head h = of_process(s, p, NIC_OP_FETCH_ADD, off, 8);
  h.swap = 1;
  give(s, h, NULL, false);
}

void nic_immediate(stage *s, unsigned p) { give(s, of_process(s, p, NIC_OP_WRITE_ONLY_IMM, OWN, 0), NULL, false); }

void nic_call(stage *s, unsigned p) {
  uint8_t b[64];
  nic_head h = of_process(s, p, NIC_OP_XTQ_ONLY, 0, sizeof b);
  sw_command(b, FUNCTION, FUNCTION_1, 0);
  h.xtq_kind = FUNCTION;
  h.xtq_proc = (uint16_t)p;
  h.bytes = sizeof b;
  give(s, h, b, false);
}

void queue_on(stage *s, unsigned p) {
  const uint64_t q[4] = {sw_va(p, TASKS), sw_va(p, TASKS_BELL), sw_va(p, TASKS_INDEX),
                         VALID | TASKS_SIZE << 1 | MIRROR},
                 function[4] = {CODE, TARGET, SIGNAL, VALID | HAS_TARGET};
  node_write(s->n, NIC_REG_XT_BASE + p * NIC_REG_EQ_BASE_STRIDE, sw_va(p, SW_TABLE));
  sw_table(s->n, p, QUEUE, 0, q);
  sw_table(s->n, p, FUNCTION, FUNCTION_1, function);
}

void nic_again(stage *s, unsigned p) {
  sw_connect(s->n, p, p, 1, 4, EPSN, 0, sw_ctl(5, 3, 7, 7, 0));
  *(p ? &s->other : &s->psn) = EPSN;
  node_settle(s->n);
}

// ---- the other devices
static void send_of(stage *s, unsigned port, pkt *p) {
  for (unsigned i = 0; i < 4 * p->ndw; i++) p->data[i] = (uint8_t)(16 * port + i);
  p->seq = dev_seq(port);
  pktq_push(&bench_of(s)->dev_q[port], p);
}

void dev_put(stage *s, unsigned port, uint64_t iova, unsigned words) {
  send_of(s, port, traffic_request(TLP_MWR32, dev_rid(port), 0, iova, words, 15, words == 1 ? 0 : 15));
}

void dev_get(stage *s, unsigned port, unsigned tag, uint64_t iova, unsigned words) {
  send_of(s, port, traffic_request(TLP_MRD32, dev_rid(port), tag, iova, words, 15, words == 1 ? 0 : 15));
}

void dev_add(stage *s, unsigned port, unsigned tag, uint64_t iova) {
  send_of(s, port, traffic_request(TLP_FADD32, dev_rid(port), tag, iova, 2, 0, 0));
}

uint32_t put_into(stage *s, unsigned who, unsigned log, unsigned words) {
  if (who)
    dev_put(s, who, DEV_LOGGED + 0x1000ull * log, words);
  else
    nic_put(s, log % processes(s), LOGGED + 0x1000ull * log, 4 * words);
  return 16 + ((4 * words + 15) & ~15u);
}

// ---- the host
void host_answers(stage *s, bool itself) { host_mode_of(bench_of(s))->manual = !itself; }

static bool is_read(const pkt *p) { return !(tlp_type(p->hdr) & TLP_HAS_DATA); }

unsigned asked(const stage *s) {
  unsigned n = 0;
  for (const pkt *p = bench_of(s)->host_seen.head; p; p = p->next) n += is_read(p);
  return n;
}

const pkt *asked_by(stage *s, unsigned who) {
  for (const pkt *p = bench_of(s)->host_seen.head; p; p = p->next) {
    unsigned rid = tlp_req_id(p->hdr);
    if (is_read(p) && (who ? rid == dev_rid(who) : rid - NET_RID < processes(s))) return p;
  }
  net_fail(s->w, s->suite, "a read of port %u does not reach the host", who);
  return NULL;
}

void answer(stage *s, const pkt *read, bool error) {
  bench *b = bench_of(s);
  tlp_fields r, c;
  if (!read) return;
  tlp_parse(read->hdr, &r);
  memset(&c, 0, sizeof c);
  c.type = TLP_CPLD;
  c.length = r.length;
  c.rid = r.rid;
  c.tag = r.tag;
  c.cid = 8;
  c.byte_count = (uint16_t)tlp_byte_count(r.length, r.fbe, r.lbe);
  c.lower_addr = (uint8_t)((r.addr + tlp_first_byte(r.fbe)) & 0x7F);
  pkt *p = pkt_new(r.length + 16u);
  tlp_pack(&c, p->hdr);
  p->ndw = r.length;
  p->seq = read->seq;
  p->err = error;
  mem_read(b->mem, r.addr, p->data, 4 * (size_t)r.length);
  pktq_push(&b->cpl_q, p);
}

void forget(stage *s) {
  bench *b = bench_of(s);
  pktq_clear(&b->host_seen);
  for (unsigned i = 0; i < BENCH_PORTS; i++) pktq_clear(&b->dev_seen[i]);
  s->answers = 0;
}

// ---- registers, logs
uint64_t reg(stage *s, uint32_t r) { return node_read(s->n, NET_IOMMU | r); }
void reg_put(stage *s, uint32_t r, unsigned size, uint64_t v) { iommu_write(s->n, r, size, v); }
uint64_t count_of(stage *s, unsigned counter) { return reg(s, AA_REG_CNT + 8 * counter); }
uint64_t page_of(stage *s, unsigned log, uint32_t lp) { return reg(s, lp + log * AA_REG_LP_PROD_STRIDE); }

void log_open(stage *s, unsigned log, unsigned size, uint64_t bits) {
  reg_put(s, AA_REG_LOG_BASE + log * AA_REG_LOG_BASE_STRIDE, 8, log_ring(log));
  reg_put(s, AA_REG_LOG_PTR + log * AA_REG_LOG_PTR_STRIDE, 8, IOMMU_PTR + 64ull * log);
  reg_put(s, AA_REG_LOG_MSIA + log * AA_REG_LOG_MSIA_STRIDE, 8, LOG_MSI + 64ull * log);
  reg_put(s, AA_REG_LOG_MSID + log * AA_REG_LOG_MSID_STRIDE, 8, 4096ull << 32 | (0x40 + log));
  reg_put(s, AA_REG_LOG_CFG + log * AA_REG_LOG_CFG_STRIDE, 8,
          AA_LOG_CFG_EN_MASK | bits | (uint64_t)size << AA_LOG_CFG_SIZE_LSB | (16 + log));
  expect(s, "LOG_STS of a log that is opened", reg(s, AA_REG_LOG_STS + log * AA_REG_LOG_STS_STRIDE),
         AA_LOG_STS_EN_MASK);
}

void log_close(stage *s, unsigned log) {
  uint64_t all = AA_LOG_STS_EN_MASK | AA_LOG_STS_CLOSING_MASK;
  reg_put(s, AA_REG_LOG_CFG + log * AA_REG_LOG_CFG_STRIDE, 8, 0);
  for (unsigned i = 0; !s->w->failed && reg(s, AA_REG_LOG_STS + log * AA_REG_LOG_STS_STRIDE) & all; i++)
    if (i == TRIES) net_fail(s->w, s->suite, "log %u never closes", log);
}
