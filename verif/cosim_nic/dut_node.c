// SPDX-License-Identifier: Apache-2.0
// Pins of the hardware's node, a cycle at a time: frames, TLPs, registers, notices, retire records.
#include "dut_node.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "hw_tags.h"
#include "sw.h"

#ifndef CFG_DataW
#define CFG_DataW 256
#endif

enum { RETIRE_W = 145, RETIRE_SLOTS = 12 };

static unsigned pick(rng *r) {
  static const unsigned p[] = {256, 256, 250, 192, 128, 64, 20};
  return p[rng_below(r, 7)];
}

const dut_profile dut_profile_fast = {.p_in = 256,
                                      .p_out = 256,
                                      .p_req = 256,
                                      .p_cpl = 256,
                                      .p_reg = 256,
                                      .lat_min = 1,
                                      .lat_max = 20,
                                      .rcb = 64,
                                      .mps = 256,
                                      .until = ~0ull};

static void profile(node *n) {
  dut_profile *p = &n->dut->prof;
  rng *r = &n->net->rng;
  // Behind an IOMMU, where memory may be slow as well, a link that has filled is served: else its queue pairs give up.
  bool full = n->dut->behind && n->net->flying > NET_FULL;
  if (n->net->cycle < p->until && !(full && p->p_in + p->p_out < 512)) return;
  *p = (dut_profile){.p_in = 256, .p_out = 256, .p_req = 256, .p_cpl = 256, .p_reg = 200, .lat_min = 1};
  p->until = n->net->cycle + rng_range(r, 500, 5000);
  p->lat_max = rng_range(r, 4, 60);
  p->rcb = rng_1in(r, 2) ? 64 : 128;
  p->mps = 128u << rng_below(r, 4);
  p->in_order = rng_1in(r, 4);
  if (full || rng_1in(r, 3)) return;
  p->p_in = pick(r);
  p->p_out = pick(r);
  p->p_req = pick(r);
  p->p_cpl = pick(r);
  if (rng_1in(r, 4)) p->lat_max = 500;
}

// ---- inputs
bool dut_node_take(node *n, const frame *f) {
  dut_node *d = n->dut;
  if (d->in_busy) return false;
  d->in = *f;
  d->in_at = 0;
  d->in_busy = true;
  return true;
}

static bool at_once(const node *n) { return n->net->cycle == n->dut->began; }
static bool eager(const node *n) { return n->net->eager && at_once(n); }

static void drive_frame(node *n) {
  dut_node *d = n->dut;
  pins *p = &d->pin;
  if (*p->s_axis_valid_i || !d->in_busy) return;
  d->now.held = !at_once(n) && !rng_p(&n->net->rng, d->prof.p_in);
  if (d->now.held) return;
  size_t left = d->in.n - d->in_at, k = left < d->bb ? left : d->bb;
  memcpy(p->s_axis_data_i, d->in.b + d->in_at, k);
  for (size_t i = k; i < d->bb; i++) p->s_axis_data_i[i] = (uint8_t)rng_u64(&n->net->rng);
  for (unsigned i = 0; i < d->bb; i++) bit_put(p->s_axis_keep_i, i, i < k);
  *p->s_axis_last_i = k == left;
  *p->s_axis_error_i = k == left && d->in.fcs_bad;
  *p->s_axis_valid_i = 1;
}

static void drive_cpl(node *n) {
  dut_node *d = n->dut;
  pins *x = &d->pin;
  const pkt *p = d->cpl.head;
  if (*x->dev_cpl_valid_i || !p) return;
  bool slow = !rng_p(&n->net->rng, d->prof.p_cpl) && !d->haste && !eager(n);
  if (!d->cpl_beat && p->due > n->net->cycle) return;
  d->now.held |= slow;
  if (slow) return;
  if (!d->cpl_beat) d->cpl_beats = p->ndw ? (p->ndw + d->bd - 1) / d->bd : 1;
  uint32_t off = d->cpl_beat * d->bd, k = p->ndw - off < d->bd ? p->ndw - off : d->bd;
  for (unsigned i = 0; i < 4; i++) memcpy(x->dev_cpl_hdr_i + 4 * i, &p->hdr[3 - i], 4);
  memcpy(x->dev_cpl_data_i, p->data + 4 * (size_t)off, 4 * (size_t)k);
  for (unsigned i = 4 * k; i < d->bb; i++) x->dev_cpl_data_i[i] = (uint8_t)rng_u64(&n->net->rng);
  strb_put(x->dev_cpl_strb_i, 0, d->bd, (uint32_t)((1ull << k) - 1));
  *x->dev_cpl_seq_i = p->seq;
  *x->dev_cpl_error_i = p->err;
  *x->dev_cpl_sop_i = !d->cpl_beat;
  *x->dev_cpl_eop_i = d->cpl_beat + 1 == d->cpl_beats;
  *x->dev_cpl_valid_i = 1;
}

static void drive_reg(node *n) {
  dut_node *d = n->dut;
  pins *p = &d->pin;
  rng *r = &n->net->rng;
  if (d->reg.kind == 'r') {
    if (!d->reg.a && (rng_p(r, d->prof.p_reg) || eager(n))) *p->s_axil_arvalid = 1;
    memcpy(p->s_axil_araddr, &d->reg.addr, 4);
  } else if (d->reg.kind == 'w') {
    if (!d->reg.a && (rng_p(r, d->prof.p_reg) || eager(n))) *p->s_axil_awvalid = 1;
    if (!d->reg.w && (rng_p(r, d->prof.p_reg) || eager(n))) *p->s_axil_wvalid = 1;
    memcpy(p->s_axil_awaddr, &d->reg.addr, 4);
    memcpy(p->s_axil_wdata, &d->reg.v, 8);
    *p->s_axil_wstrb = d->reg.strb;
  }
  *p->s_axil_rready = rng_p(r, d->prof.p_reg);
  *p->s_axil_bready = rng_p(r, d->prof.p_reg);
}

// ---- outputs
static void collect_frame(node *n) {
  dut_node *d = n->dut;
  pins *p = &d->pin;
  if (!*p->m_axis_valid_o || !*p->m_axis_ready_i) return;
  unsigned k = 0;
  while (k < d->bb && bit(p->m_axis_keep_o, k)) k++;
  for (unsigned i = k; i < d->bb; i++)
    if (bit(p->m_axis_keep_o, i)) net_fail(n->net, "nic_tx", "keep has holes");
  if (!k || (k < d->bb && !*p->m_axis_last_o) || d->out_n + k > sizeof d->out) {
    net_fail(n->net, "nic_tx", "a beat of %u bytes%s", k, *p->m_axis_last_o ? "" : " that is not the last");
    return;
  }
  memcpy(d->out + d->out_n, p->m_axis_data_o, k);
  d->out_n += k;
  if (!*p->m_axis_last_o) return;
  if (n->m) nic_lock_frame_out(n, d->out, d->out_n);
  link_send(n, d->out, d->out_n);
  d->out_n = 0;
}

typedef struct tlp_pins {  // of a stream; a beat passes now
  const char *name;
  const uint8_t *hdr, *data, *strb, *seq;
  bool sop, eop, err;
} tlp_pins;

// The TLP that this beat ends; null: it has not ended, or is out of form.
static pkt *collect(node *n, pkt **col, const tlp_pins *x) {
  dut_node *d = n->dut;
  uint32_t strb = strb_get(x->strb, 0, d->bd), k = 0;
  if (x->sop == (*col != NULL)) {
    net_fail(n->net, x->name, "got %s, want %s", x->sop ? "sop" : "no sop", x->sop ? "the rest of a TLP" : "a TLP");
    return NULL;
  }
  if (!*col) {
    *col = pkt_new(1024 + 16);
    for (unsigned i = 0; i < 4; i++) memcpy(&(*col)->hdr[3 - i], x->hdr + 4 * i, 4);
    (*col)->seq = *x->seq;
  }
  pkt *p = *col;
  p->err |= x->err;
  while (k < d->bd && strb >> k & 1) k++;
  if (k < 32 && strb >> k) net_fail(n->net, x->name, "strobes %x", strb);
  if ((!x->eop && k != d->bd) || (x->eop && !x->sop && !k) || p->ndw + k > p->room) {
    net_fail(n->net, x->name, "strobes %x%s are out of form", strb, x->eop ? " at eop" : "");
    return NULL;
  }
  memcpy(p->data + 4 * (size_t)p->ndw, x->data, 4 * (size_t)k);
  p->ndw += k;
  if (!x->eop) return NULL;
  *col = NULL;
  if (p->ndw != tlp_data_dw(p->hdr)) net_fail(n->net, x->name, "got %u words, want %u", p->ndw, tlp_data_dw(p->hdr));
  return p;
}

static void collect_req(node *n) {
  dut_node *d = n->dut;
  pins *x = &d->pin;
  if (!*x->dev_req_valid_o) return;
  if (!d->waiting) d->offered = n->net->cycle;
  d->waiting = !*x->dev_req_ready_i;
  if (d->waiting) return;
  pkt *p = collect(n, &d->col,
                   &(tlp_pins){"dev_req", x->dev_req_hdr_o, x->dev_req_data_o, x->dev_req_strb_o, x->dev_req_seq_o,
                               *x->dev_req_sop_o, *x->dev_req_eop_o, false});
  if (p) root_request(n, p);
}

// What the IOMMU gives the NIC.
static void collect_cpl(node *n) {
  dut_node *d = n->dut;
  pins *x = &d->pin;
  pkt *p = collect(n, &d->cpl_col,
                   &(tlp_pins){"dev_cpl", x->dev_cpl_hdr_i, x->dev_cpl_data_i, x->dev_cpl_strb_i, x->dev_cpl_seq_i,
                               *x->dev_cpl_sop_i, *x->dev_cpl_eop_i, *x->dev_cpl_error_i});
  if (p) pktq_push(&d->cpl, p);
}

static void retire(node *n) {
  dut_node *d = n->dut;
  for (unsigned i = 0; i < RETIRE_SLOTS && !n->net->failed; i++) {
    if (!bit(d->pin.retire_valid_o, i)) continue;
    unsigned at = i * RETIRE_W;
    nic_retire_rec r;
    memset(&r, 0, sizeof r);
    r.b = bits(d->pin.retire_o, at, 64);
    r.a = bits(d->pin.retire_o, at + 64, 64);
    uint64_t top = bits(d->pin.retire_o, at + 128, 17);
    r.idx = (uint8_t)top;
    r.code = top >> 8 & 15;
    r.flag = top >> 12 & 1;
    r.kind = top >> 13 & 15;
    d->retired[r.kind]++;
    d->last[d->last_n % 64] = r;
    d->last_cycle[d->last_n++ % 64] = n->net->cycle;
    if (r.kind != i + 1) net_fail(n->net, "retire", "slot %u has a record of kind %u", i, r.kind);
    if (r.kind == NIC_RET_REG_READ) d->last_read_rec = r.b;
    if (r.kind == NIC_RET_REG_WRITE && r.a == NIC_REG_NIC_CPL_TMO) d->tmo = (uint32_t)r.b;
    if (r.kind == NIC_RET_REG_WRITE && r.a == NIC_REG_NIC_TAG_FREE) root_tags_free(n);
    net_retired(n, &r);
    if (n->m) nic_lock_retire(n, &r);
  }
}

static void sample_reg(node *n) {
  dut_node *d = n->dut;
  pins *p = &d->pin;
  bool r = *p->s_axil_rvalid && *p->s_axil_rready, b = *p->s_axil_bvalid && *p->s_axil_bready;
  if (r) {
    uint64_t v;
    memcpy(&v, p->s_axil_rdata, 8);
    if (d->reg.kind != 'r' || *p->s_axil_rresp) net_fail(n->net, "s_axil", "a read response that nobody wants");
    if (v != d->last_read_rec && (!d->behind || d->reg.addr >> 20))
      net_fail(n->net, "s_axil", "register %05x: got %016" PRIx64 " on the bus, want %016" PRIx64 " of its record",
               d->reg.addr, v, d->last_read_rec);
    d->reg.v = v;
  }
  if (b && (d->reg.kind != 'w' || *p->s_axil_bresp)) net_fail(n->net, "s_axil", "a write response that nobody wants");
  if (*p->s_axil_arvalid && *p->s_axil_arready) d->reg.a = true;
  if (*p->s_axil_awvalid && *p->s_axil_awready) d->reg.a = true;
  if (*p->s_axil_wvalid && *p->s_axil_wready) d->reg.w = true;
  if (r || b) d->reg.done = true;
  if (b && d->reg.addr == NIC_REG_NIC_DMA && d->reg.strb & 1) d->dma = d->reg.v;
}

void dut_node_drive(node *n) {
  dut_node *d = n->dut;
  pins *p = &d->pin;
  net *w = n->net;
  profile(n);
  if (!d->behind) root_cycle(n);
  d->now.held = false;
  drive_frame(n);
  if (!d->behind) drive_cpl(n);
  drive_reg(n);
  *p->m_axis_ready_i = rng_p(&w->rng, d->prof.p_out);
  if (d->behind) return;
  *p->dev_req_ready_i = rng_p(&w->rng, d->prof.p_req);
  *p->task_valid_i = d->task.valid;
  *p->task_log_i = (uint8_t)d->task.log;
  memcpy(p->task_prod_i, &d->task.prod, 4);
  memcpy(p->task_cons_i, &d->task.cons, 4);
}

// A notice of the IOMMU that nobody has asked us to give.
static void notice(node *n) {
  dut_node *d = n->dut;
  d->task.log = *d->pin.task_log_i;
  memcpy(&d->task.prod, d->pin.task_prod_i, 4);
  memcpy(&d->task.cons, d->pin.task_cons_i, 4);
  sw_notice(n, d->task.log, d->task.prod, d->task.cons);
}

// STR-2: whatever is offered in the first cycle out of reset counts.
static void reach_first(const node *n) {
  const pins *p = &n->dut->pin;
  if (*p->s_axis_valid_i) reach(n, REACH_FIRST_FRAME);
  if (*p->dev_cpl_valid_i && !n->dut->behind) reach(n, REACH_FIRST_CPL);
  if (*p->task_valid_i && !n->dut->behind) reach(n, REACH_FIRST_TASK);
  if (*p->s_axil_awvalid && *p->s_axil_wvalid) reach(n, REACH_FIRST_WRITE);
  if (*p->s_axil_arvalid) reach(n, REACH_FIRST_READ);
}

// What goes in, then the records, then what comes out.
void dut_node_sample(node *n) {
  dut_node *d = n->dut;
  pins *p = &d->pin;
  net *w = n->net;
  bool in = *p->s_axis_valid_i && *p->s_axis_ready_o;
  bool kept = (*p->m_axis_valid_o && !*p->m_axis_ready_i) || (*p->dev_req_valid_o && !*p->dev_req_ready_i);
  n->held_up += d->now.held || kept;
  if (at_once(n)) reach_first(n);
  d->now.in = in;
  d->now.last = in && *p->s_axis_last_i;
  d->now.cpl = *p->dev_cpl_valid_i && *p->dev_cpl_ready_o;
  d->now.task = *p->task_valid_i && *p->task_ready_o;
  if (d->now.last && n->m) nic_lock_frame_in(n, &d->in);
  if (d->now.task && d->behind) notice(n);
  if (d->now.task && n->m) nic_lock_task(n);
  retire(n);
  collect_req(n);
  collect_frame(n);
  if (*p->task_done_valid_o && !w->failed) {
    unsigned log = *p->task_done_log_o;
    if (n->m) nic_lock_task_done(n, log);
    sw_task_done(n, log);
  }
  sample_reg(n);
  if (n->m) nic_lock_cycle(n);
  d->now.ar = *p->s_axil_arready;
  d->now.aw = *p->s_axil_awready;
  d->now.w = *p->s_axil_wready;
  if (d->now.cpl && d->behind) collect_cpl(n);
}

// What the outside does about it.
void dut_node_after(node *n) {
  dut_node *d = n->dut;
  pins *p = &d->pin;
  if (d->now.ar) *p->s_axil_arvalid = 0;
  if (d->now.aw) *p->s_axil_awvalid = 0;
  if (d->now.w) *p->s_axil_wvalid = 0;
  if (d->now.in) {
    *p->s_axis_valid_i = 0;
    d->in_at += d->bb;
    if (d->now.last) d->in_busy = false;
  }
  if (d->behind) {
    for (pkt *c; (c = pktq_pop(&d->cpl)); pkt_free(c)) root_arrived(n, c);
    return;
  }
  if (d->now.cpl) {
    *p->dev_cpl_valid_i = 0;
    if (++d->cpl_beat == d->cpl_beats) {
      root_arrived(n, d->cpl.head);
      pkt_free(pktq_pop(&d->cpl));
      d->cpl_beat = 0;
    }
  }
  if (d->now.task) d->task.valid = false;
}

static void cycle(node *n) {
  dut_node *d = n->dut;
  net *w = n->net;
  bool dump = w->wave && w->cycle >= w->wave_from;
  dut_node_drive(n);
  dut_half(d->dut, &d->pin, 0, w->cycle * 10, dump);
  dut_node_sample(n);
  dut_half(d->dut, &d->pin, 1, w->cycle * 10 + 5, dump);
  if (dut_failed(d->dut) && !w->failed) net_fail(w, "assertion", "%s", dut_failed(d->dut));
  dut_node_after(n);
}

// ---- registers, notices
bool dut_node_reg_write(node *n, uint32_t addr, uint64_t v, uint8_t strb) {
  dut_node *d = n->dut;
  if (d->reg.kind == 'w' && d->reg.done) {
    d->reg.kind = 0;
    return true;
  }
  if (!d->reg.kind) {
    memset(&d->reg, 0, sizeof d->reg);
    d->reg.kind = 'w';
    d->reg.addr = addr;
    d->reg.v = v;
    d->reg.strb = strb;
  }
  return false;
}

bool dut_node_reg_read(node *n, uint32_t addr, uint64_t *v) {
  dut_node *d = n->dut;
  if (d->reg.kind == 'r' && d->reg.done) {
    d->reg.kind = 0;
    *v = d->reg.v;
    return true;
  }
  if (!d->reg.kind) {
    memset(&d->reg, 0, sizeof d->reg);
    d->reg.kind = 'r';
    d->reg.addr = addr;
  }
  return false;
}

static bool task(node *n, unsigned log, uint32_t prod, uint32_t cons) {
  dut_node *d = n->dut;
  if (d->task.valid) return false;
  d->task.valid = true;
  d->task.log = log;
  d->task.prod = prod;
  d->task.cons = cons;
  return true;
}

bool dut_node_idle(const node *n) {
  const dut_node *d = n->dut;
  return !d->in_busy && !d->out_n && !d->col && !d->cpl_col && !d->cpl.head && !d->late.head && !root_waits(d) &&
         !d->reg.kind && !d->task.valid && (!n->m || (nic_lock_idle(d) && !nic_pending(n->m)));
}

void dut_node_free(node *n) {
  dut_node *d = n->dut;
  nic_free(n->m);
  dut_free(d->dut);
  root_free(d);
  nic_lock_free(d);
  free(d);
}

dut_node *dut_node_new(node *n, bool behind) {
  dut_node *d = n->dut = calloc(1, sizeof *d);
  if (!d) abort();
  d->dma = NIC_RESET_NIC_DMA;
  nic_reads_init(&d->tags, DUT_TAGS);
  d->behind = behind;
  d->bb = CFG_DataW / 8;
  d->bd = CFG_DataW / 32;
  if (n->ref) nic_lock_init(n);
  return d;
}

void dut_node_begin(node *n, const char *wave) {
  dut_node *d = n->dut;
  d->began = n->net->cycle;
  if (n->was) {
    d->dut = n->was->dut;
    d->pin = n->was->pin;
    n->was->dut = NULL;
    d->began = ~0ull;
    dut_node_drive(n);  // no stream is valid
    d->began = n->net->cycle;
    dut_reset(d->dut, &d->pin, 1);
  } else {
    d->dut = dut_new(n->net->seed + n->id, wave, &d->pin);
    dut_reset(d->dut, &d->pin, n->net->seed + n->id);
  }
}

void dut_node_init(node *n, const char *wave) {
  static const node_ops ops = {.cycle = cycle,
                               .take = dut_node_take,
                               .task = task,
                               .write = dut_node_reg_write,
                               .read = dut_node_reg_read,
                               .idle = dut_node_idle,
                               .free = dut_node_free,
                               .first = root_first,
                               .end = dut_node_end,
                               .report = dut_node_report};
  n->ops = &ops;
  dut_node_new(n, false);
  dut_node_begin(n, wave);
}

void dut_node_report(const node *n) {
  const dut_node *d = n->dut;
  char text[160];
  unsigned k = d->last_n < 24 ? d->last_n : 24;
  if (k) fprintf(stderr, "last records of node %u's NIC, the newest last:\n", n->id);
  for (unsigned i = d->last_n - k; i != d->last_n; i++)
    fprintf(stderr, "  %8" PRIu64 "  %s\n", d->last_cycle[i % 64],
            net_record_text(&d->last[i % 64], text, sizeof text));
}
