// SPDX-License-Identifier: Apache-2.0
// A node that is the whole design. Its NIC is a dut_node of verif/cosim_nic, its IOMMU a bench of verif/cosim_aa; each
// has its own model in lockstep. What passes between them is seen at the taps of the link and shown to both:
//
//   dut_node (frames, registers) --- NIC ---- link ---- IOMMU --- bench (host, AXI, second device)
//                                        link_* taps: requests and completions of the NIC, port 0 of the IOMMU; tasks
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "hw_config.h"
#include "tocsin.h"
#include "words.h"

enum { EXT = CFG_NumPorts - 1, BD = CFG_DataW / 32, BB = CFG_DataW / 8 };

// ---- pins
static void lay_nic(iommu *u, pins *p) {
  *p = u->pin;
  p->retire_valid_o = u->pin.nic_retire_valid_o;
  p->retire_o = u->pin.nic_retire_o;
  p->dev_req_valid_o = &u->wire.nic_valid;
  p->dev_req_ready_i = &u->wire.nic_ready;
  p->dev_req_data_o = u->pin.link_req_o;
  p->dev_req_hdr_o = u->pin.link_req_o + BB;
  p->dev_req_strb_o = u->wire.nic_strb;
  p->dev_req_seq_o = &u->wire.nic_seq;
  p->dev_req_sop_o = &u->wire.nic_sop;
  p->dev_req_eop_o = &u->wire.nic_eop;
  p->dev_cpl_valid_i = u->pin.link_cpl_take_o;
  p->dev_cpl_ready_o = &u->wire.one;
  p->dev_cpl_data_i = u->pin.link_cpl_o;
  p->dev_cpl_hdr_i = u->pin.link_cpl_o + BB;
  p->dev_cpl_strb_i = u->wire.cpl_strb;
  p->dev_cpl_seq_i = &u->wire.cpl_seq;
  p->dev_cpl_sop_i = &u->wire.cpl_sop;
  p->dev_cpl_eop_i = &u->wire.cpl_eop;
  p->dev_cpl_error_i = &u->wire.cpl_err;
  p->task_valid_i = u->pin.link_task_take_o;
  p->task_ready_o = &u->wire.one;
  p->task_log_i = u->pin.link_task_log_o;
  p->task_prod_i = u->pin.link_task_prod_o;
  p->task_cons_i = u->pin.link_task_cons_o;
  p->task_done_valid_o = u->pin.link_done_o;
  p->task_done_log_o = u->pin.link_done_log_o;
}

static void lay_iommu(iommu *u, pins *p) {
  *p = u->pin;
  p->retire_valid_o = u->pin.aa_retire_valid_o;
  p->retire_o = u->pin.aa_retire_o;
  p->dev_req_valid_i = &u->wire.req_valid;
  p->dev_req_ready_o = &u->wire.req_ready;
  p->dev_req_hdr_i = u->wire.req_hdr;
  p->dev_req_data_i = u->wire.req_data;
  p->dev_req_strb_i = u->wire.req_strb;
  p->dev_req_seq_i = u->wire.req_seq;
  p->dev_req_sop_i = &u->wire.req_sop;
  p->dev_req_eop_i = &u->wire.req_eop;
  p->dev_cpl_valid_o = &u->wire.cpl_valid;
  p->dev_cpl_ready_i = &u->wire.cpl_ready;
  p->dev_cpl_hdr_o = u->wire.cpls_hdr;
  p->dev_cpl_data_o = u->wire.cpls_data;
  p->dev_cpl_strb_o = u->wire.cpls_strb;
  p->dev_cpl_seq_o = u->wire.cpls_seq;
  p->dev_cpl_error_o = &u->wire.cpls_err;
  p->dev_cpl_sop_o = &u->wire.cpls_sop;
  p->dev_cpl_eop_o = &u->wire.cpls_eop;
  p->dev_reset_i = &u->wire.reset;
  p->task_valid_o = u->pin.link_task_take_o;
  p->task_ready_i = &u->wire.one;
  p->task_log_o = u->pin.link_task_log_o;
  p->task_prod_o = u->pin.link_task_prod_o;
  p->task_done_valid_i = u->pin.link_done_o;
  p->task_done_log_i = u->pin.link_done_log_o;
}

// What the bench has put on the ports of the other devices, to their pins.
static void ports_in(iommu *u) {
  pins *p = &u->pin;
  *p->dev_req_valid_i = (uint8_t)(u->wire.req_valid >> 1);
  *p->dev_cpl_ready_i = (uint8_t)(u->wire.cpl_ready >> 1);
  *p->dev_reset_i = (uint8_t)(u->wire.reset >> 1);
  if (!*p->dev_req_valid_i) return;
  *p->dev_req_sop_i = (uint8_t)(u->wire.req_sop >> 1);
  *p->dev_req_eop_i = (uint8_t)(u->wire.req_eop >> 1);
  memcpy(p->dev_req_hdr_i, u->wire.req_hdr + 16, 16 * EXT);
  memcpy(p->dev_req_data_i, u->wire.req_data + BB, BB * EXT);
  memcpy(p->dev_req_seq_i, u->wire.req_seq + 1, EXT);
  for (unsigned i = 0; i < EXT; i++) strb_put(p->dev_req_strb_i, i, BD, strb_get(u->wire.req_strb, i + 1, BD));
}

// What has passed on the link, and what is on the other ports, as the bench looks for it.
static void ports_out(iommu *u) {
  pins *p = &u->pin;
  bool req = *p->link_req_take_o, cpl = *p->link_cpl_take_o;
  u->wire.nic_valid = req | *p->link_req_wait_o;
  u->wire.nic_ready = req;
  u->wire.req_valid = (uint8_t)((u->wire.req_valid & ~1u) | req);
  u->wire.req_ready = (uint8_t)(*p->dev_req_ready_o << 1 | req);
  u->wire.cpl_valid = (uint8_t)(*p->dev_cpl_valid_o << 1 | cpl | *p->link_cpl_wait_o);
  u->wire.cpl_ready = (uint8_t)((u->wire.cpl_ready & ~1u) | cpl);
  if (req) {
    const uint8_t *l = p->link_req_o;
    uint64_t top = bits(l, CFG_DataW + 128, BD + 11);
    uint32_t strb = (uint32_t)top & ((1u << BD) - 1);
    u->wire.nic_seq = u->wire.req_seq[0] = (uint8_t)(top >> BD);
    u->wire.nic_eop = top >> (BD + 9) & 1;
    u->wire.nic_sop = top >> (BD + 10) & 1;
    strb_put(u->wire.nic_strb, 0, BD, strb);
    strb_put(u->wire.req_strb, 0, BD, strb);
    bit_put(&u->wire.req_eop, 0, u->wire.nic_eop);
    bit_put(&u->wire.req_sop, 0, u->wire.nic_sop);
    memcpy(u->wire.req_data, l, BB);
    memcpy(u->wire.req_hdr, l + BB, 16);
  }
  if (u->wire.cpl_valid > 1) {
    u->wire.cpls_sop = (uint8_t)(*p->dev_cpl_sop_o << 1);
    u->wire.cpls_eop = (uint8_t)(*p->dev_cpl_eop_o << 1);
    u->wire.cpls_err = (uint8_t)(*p->dev_cpl_error_o << 1);
    memcpy(u->wire.cpls_hdr + 16, p->dev_cpl_hdr_o, 16 * EXT);
    memcpy(u->wire.cpls_data + BB, p->dev_cpl_data_o, BB * EXT);
    memcpy(u->wire.cpls_seq + 1, p->dev_cpl_seq_o, EXT);
    for (unsigned i = 0; i < EXT; i++) strb_put(u->wire.cpls_strb, i + 1, BD, strb_get(p->dev_cpl_strb_o, i, BD));
  }
  if (cpl) {
    const uint8_t *l = p->link_cpl_o;
    uint64_t top = bits(l, CFG_DataW + 128, BD + 11);
    uint32_t strb = (uint32_t)top & ((1u << BD) - 1);
    u->wire.cpl_seq = u->wire.cpls_seq[0] = (uint8_t)(top >> BD);
    u->wire.cpl_err = top >> (BD + 8) & 1;
    u->wire.cpl_eop = top >> (BD + 9) & 1;
    u->wire.cpl_sop = top >> (BD + 10) & 1;
    strb_put(u->wire.cpl_strb, 0, BD, strb);
    strb_put(u->wire.cpls_strb, 0, BD, strb);
    bit_put(&u->wire.cpls_err, 0, u->wire.cpl_err);
    bit_put(&u->wire.cpls_eop, 0, u->wire.cpl_eop);
    bit_put(&u->wire.cpls_sop, 0, u->wire.cpl_sop);
    memcpy(u->wire.cpls_data, l, BB);
    memcpy(u->wire.cpls_hdr, l + BB, 16);
  }
}

// ---- a cycle
// How the outside behaves for a while. Half of the time nothing is slow, else few things at a time: all of a bench's at
// once would leave the hardware idle.
static void behave(node *n) {
  iommu *u = n->iommu;
  profile *p = &u->b->prof, slow;
  rng *r = &u->b->rng;
  profile_fast(p);
  profile_random(&slow, r);
  u->prof_until = n->net->cycle + rng_range(r, 500, 5000);
  p->host_max = rng_range(r, 4, 60);
  p->axi_max = rng_range(r, 1, 20);
  p->p_dev = slow.p_dev;
  if (rng_1in(r, 2)) return;
  for (unsigned k = 2; k--;) switch (rng_below(r, 10)) {
      case 0: p->p_host_req = slow.p_host_req; break;
      case 1: p->p_np = slow.p_np; break;
      case 2: p->p_host_cpl = slow.p_host_cpl; break;
      case 3: p->p_ar = slow.p_ar; break;
      case 4: p->p_aw = slow.p_aw; break;
      case 5: p->p_w = p->p_b = slow.p_w; break;
      case 6: p->p_r = slow.p_r; break;
      case 7: p->p_dev_cpl = slow.p_dev_cpl; break;
      case 8: p->axi_max = slow.axi_max; break;
      default: p->host_max = slow.host_max; break;
    }
}

// A register of the IOMMU is written (all of it has been taken) or read: the dut_node does it, the bench's
// lockstep compares.
static void reg_written(node *n) {
  const dut_node *d = n->dut;
  const pins *p = &n->iommu->pin;
  bool aw = *p->s_axil_awvalid && *p->s_axil_awready, w = *p->s_axil_wvalid && *p->s_axil_wready;
  if (d->reg.kind != 'w' || d->reg.addr >> 20 || (!aw && !w)) return;
  if ((aw || d->reg.a) && (w || d->reg.w)) aa_lock_reg_write(n->iommu->b->lock, d->reg.addr, d->reg.v, d->reg.strb);
}

static void reg_was_read(node *n) {
  const dut_node *d = n->dut;
  const pins *p = &n->iommu->pin;
  uint64_t v;
  if (d->reg.kind != 'r' || d->reg.addr >> 20 || !*p->s_axil_rvalid || !*p->s_axil_rready) return;
  memcpy(&v, p->s_axil_rdata, 8);
  aa_lock_reg_read(n->iommu->b->lock, d->reg.addr, v);
}

static void cycle(node *n) {
  iommu *u = n->iommu;
  bench *b = u->b;
  dut_node *d = n->dut;
  net *w = n->net;
  bool dump = w->wave && !n->id && w->cycle >= w->wave_from;
  b->cycle = w->cycle;
  if (w->cycle >= u->prof_until) behave(n);
  if (w->cycle >= u->reset_until) b->dev_reset = 0;
  bench_outside(b);
  dut_node_drive(n);
  bench_drive(b);
  ports_in(u);
  dut_half(d->dut, &u->pin, 0, w->cycle * 10, dump);
  ports_out(u);
  if (b->lock) reg_written(n);
  if (!w->failed) bench_sample(b);
  if (b->lock) reg_was_read(n);
  if (!w->failed) dut_node_sample(n);
  dut_half(d->dut, &u->pin, 1, w->cycle * 10 + 5, dump);
  if (dut_failed(d->dut) && !w->failed) net_fail(w, "assertion", "%s", dut_failed(d->dut));
  if (w->failed) return;
  dut_node_after(n);
  bench_after(b);
}

// ---- the rest of a node
static uint32_t reg_at(uint32_t addr) { return addr & NET_IOMMU ? addr & 0xfffff : addr | 1u << 20; }

static bool reg_write(node *n, uint32_t addr, uint64_t v, uint8_t strb) {
  return dut_node_reg_write(n, reg_at(addr), v, strb);
}

static bool reg_read(node *n, uint32_t addr, uint64_t *v) { return dut_node_reg_read(n, reg_at(addr), v); }

static bool idle(const node *n) {
  const bench *b = n->iommu->b;
  return dut_node_idle(n) && bench_idle(b) && (!b->model || !aa_pending(b->model));
}

static void end(node *n) {
  dut_node_end(n);
  aa_reach_timers(n->iommu->b);
  if (!n->net->failed) lock_end(n->iommu->b);
}

static void report(const node *n) {
  dut_node_report(n);
  fprintf(stderr, "node %u's IOMMU:\n", n->id);
  bench_report(n->iommu->b);
}

// A write of each other device, and a completion of nobody.
static void first(node *n) {
  bench *b = n->iommu->b;
  b->reached = n->net->reached ? n->net->reached + REACH_NUM : NULL;
  for (unsigned i = 1; i < b->hw.NumPorts; i++)
    pktq_push(&b->dev_q[i],
              traffic_request(TLP_MWR32, (uint16_t)(OTHER_RID + i), 0, IOMMU_JUNK + 0x100 * i, 24, 0xF, 0xF));
  pkt *p = pkt_new(0);
  tlp_pack(&(tlp_fields){.type = TLP_CPL, .rid = 0xbad, .byte_count = 4, .status = TLP_UR}, p->hdr);
  pktq_push(&b->cpl_q, p);
}

static void on_fail(bench *b, const char *block) {
  node *n = b->user;
  uint64_t at, va;
  unsigned proc;
  const bool memory = !strcmp(block, "memory") && b->ref && mem_compare(b->mem, b->ref, &at);
  if (memory && iommu_whose(n, at, &proc, &va))
    net_fail(n->net, block, "node %u's IOMMU: %s\nwhich is %s", n->id, b->what, words_memory(n, proc, va).text);
  else
    net_fail(n->net, block, "node %u's IOMMU: %s", n->id, b->what);
}

// The host has written memory: doorbells ring now.
static void on_write(bench *b, uint64_t pa, size_t k) {
  node *n = b->user;
  unsigned proc;
  uint64_t va;
  if (iommu_whose(n, pa, &proc, &va)) sw_saw_write(n, proc, va, k);
}

static void release(node *n) {
  iommu *u = n->iommu;
  dut_node_free(n);
  active_free(u);
  free(u->b->traffic);
  bench_free(u->b);
  n->mem = n->ref = NULL;
  free(u);
}

void tocsin_node_init(node *n, const char *wave) {
  static const node_ops ops = {.cycle = cycle,
                               .take = dut_node_take,
                               .write = reg_write,
                               .read = reg_read,
                               .idle = idle,
                               .free = release,
                               .first = first,
                               .end = end,
                               .report = report,
                               .on = iommu_on,
                               .where = iommu_where};
  net *w = n->net;
  iommu *u = n->iommu = calloc(1, sizeof *u);
  aa_config c;
  if (!u) abort();
  hw_config(&c);
  n->ops = &ops;
  dut_node *d = dut_node_new(n, true);
  u->b = bench_part(w->backend == NET_BOTH ? BENCH_BOTH : BENCH_RTL, &c, w->seed * 4 + n->id + 1000);
  if (!u->b) exit(2);
  mem_free(n->mem);
  mem_free(n->ref);
  n->mem = u->b->mem;
  n->ref = w->backend == NET_BOTH ? u->b->ref : NULL;
  u->b->user = n;
  u->b->on_fail = on_fail;
  u->b->on_write = on_write;
  u->wire.one = 1;
  dut_node_begin(n, wave);
  u->pin = d->pin;
  lay_nic(u, &d->pin);
  lay_iommu(u, &u->b->pin);
}
