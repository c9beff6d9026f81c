// SPDX-License-Identifier: Apache-2.0
// Backend `rtl`: nodes that are the Verilated rtl/top/tocsin.sv, each with its own memory, on one link, all on one
// clock. The outside never hesitates: every channel is taken when it is offered, memory answers after LATENCY cycles.
//
// Built into libtocsin-rtl.so, which the driver loads when somebody asks for this backend: sw/lib/backend_rtl.c.
#define _GNU_SOURCE
#include <stdlib.h>

#include "inproc.h"
#include "pins.h"
#include "tocsin/tocsin_root.h"

enum { MHZ = 250, BEAT = 32, BEAT_DW = BEAT / 4, LATENCY = 20, TURN = 64, ANSWER = 100000, DEPTH = 64 };

/* ---- queues of what waits for its cycle */
typedef struct packet {
  struct packet *next;
  uint64_t due;
  uint32_t hdr[4];
  uint32_t ndw;
  uint8_t seq;
  uint8_t data[TLP_MAX_BYTES];
} packet;

typedef struct burst { /* AXI: a read, or a write whose data come */
  uint64_t addr, due;
  uint8_t id;
  unsigned len, size, beat;
} burst;

typedef struct bursts {
  burst b[DEPTH];
  unsigned n;
} bursts;

typedef struct machine machine;

typedef struct box {
  machine *all;
  unsigned rank;
  dut *d;
  pins p;
  memory mem;
  /* wire */
  frame in;
  size_t in_at;
  bool in_busy;
  uint8_t out[FRAME_BYTES];
  size_t out_n;
  /* host */
  packet *cpl, **cpl_end, *spare;
  uint32_t cpl_at; /* words sent of the first one */
  packet *req;     /* being collected */
  /* AXI */
  bursts rd, wr, ack;
  /* registers */
  struct {
    bool read, write, addr_done, data_done, over;
    uint32_t addr;
    uint64_t value;
    uint8_t strb;
  } reg;
  /* what passes between NIC and IOMMU, for who listens */
  packet link[2];
} box;

struct machine {
  box *node;
  unsigned nodes;
  wire *link;
  uint64_t cycle;
  const toc_spy *spy;
  bool moved, nomem, wrote;
};

static uint64_t now(void *self) { return ((machine *)self)->cycle * (1000 / MHZ); }

static void see(box *b, toc_seen s) {
  s.node = b->rank;
  s.ns = now(b->all);
  b->all->spy->see(b->all->spy->ctx, &s);
}

static void see_tlp(box *b, toc_seen_kind kind, const packet *p) {
  see(b, (toc_seen){.kind = kind, .hdr = p->hdr, .data = p->data, .bytes = 4 * (size_t)p->ndw});
}

// ---- memory
static bool mem_read(void *ctx, uint64_t addr, void *buf, size_t n) {
  const uint8_t *p = toc_i_mem_at(&((box *)ctx)->mem, addr, n);
  if (p) memcpy(buf, p, n);
  return p != NULL;
}

static bool mem_write(void *ctx, uint64_t addr, const void *buf, size_t n) {
  box *b = ctx;
  if (addr >> 20 == 0xfee) {
    uint32_t vector = 0;
    memcpy(&vector, buf, n < 4 ? n : 4);
    toc_i_mem_irq(&b->mem, vector);
    see(b, (toc_seen){.kind = TOC_SEEN_IRQ, .value = vector});
    return true;
  }
  uint8_t *p = toc_i_mem_at(&b->mem, addr, n);
  if (p) toc_i_mem_store(p, buf, n);
  b->all->wrote = true;
  return p != NULL;
}

static bool mem_atomic(void *ctx, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare,
                       uint64_t *old) {
  return toc_i_mem_atomic(&((box *)ctx)->mem, addr, size, cas, swap, compare, old);
}

// ---- host: requests come at once, completions leave in order
static void complete(void *to, const tlp *t) {
  box *b = to;
  packet *p = b->spare;
  if (p)
    b->spare = p->next;
  else
    p = malloc(sizeof *p);
  if (!p) {
    b->all->nomem = true;
    return;
  }
  p->next = NULL;
  p->due = b->all->cycle + LATENCY;
  memcpy(p->hdr, t->hdr, sizeof p->hdr);
  p->ndw = t->ndw;
  p->seq = t->seq;
  if (t->ndw) memcpy(p->data, t->data, 4 * (size_t)t->ndw);
  *b->cpl_end = p;
  b->cpl_end = &p->next;
}

static void hdr_of(const uint8_t *pin, uint32_t hdr[4]) {
  for (unsigned i = 0; i < 4; i++) memcpy(&hdr[3 - i], pin + 4 * i, 4);
}

static unsigned ones(unsigned strb) {
  unsigned k = 0;
  while (k < BEAT_DW && strb >> k & 1) k++;
  return k;
}

static void collect_host(box *b) {
  pins *p = &b->p;
  if (!*p->host_req_valid_o) return;
  b->all->moved = true;
  packet *q = b->req;
  if (*p->host_req_sop_o) {
    hdr_of(p->host_req_hdr_o, q->hdr);
    q->ndw = 0;
    q->seq = *p->host_req_seq_o;
  }
  unsigned k = ones(*p->host_req_strb_o);
  if (q->ndw + k <= TLP_MAX_BYTES / 4) memcpy(q->data + 4 * q->ndw, p->host_req_data_o, 4 * (size_t)k);
  q->ndw += k;
  if (!*p->host_req_eop_o) return;
  const tlp t = {.hdr = {q->hdr[0], q->hdr[1], q->hdr[2], q->hdr[3]}, .ndw = q->ndw, .data = q->data, .seq = q->seq};
  see_tlp(b, TOC_SEEN_HOST_REQ, q);
  tocsin_root_request(&(tocsin_root_ops){mem_read, mem_write, mem_atomic, complete, b}, b, &t);
}

static void drive_cpl(box *b) {
  pins *p = &b->p;
  const packet *c = b->cpl;
  *p->host_cpl_valid_i = c && c->due <= b->all->cycle;
  if (!*p->host_cpl_valid_i) return;
  uint32_t left = c->ndw - b->cpl_at, k = left < BEAT_DW ? left : BEAT_DW;
  for (unsigned i = 0; i < 4; i++) memcpy(p->host_cpl_hdr_i + 4 * i, &c->hdr[3 - i], 4);
  memcpy(p->host_cpl_data_i, c->data + 4 * b->cpl_at, 4 * (size_t)k);
  *p->host_cpl_strb_i = (uint8_t)((1u << k) - 1);
  *p->host_cpl_seq_i = c->seq;
  *p->host_cpl_sop_i = !b->cpl_at;
  *p->host_cpl_eop_i = k == left;
}

static void advance_cpl(box *b) {
  if (!*b->p.host_cpl_valid_i || !*b->p.host_cpl_ready_o) return;
  b->all->moved = true;
  if (*b->p.host_cpl_eop_i) {
    packet *c = b->cpl;
    see_tlp(b, TOC_SEEN_HOST_CPL, c);
    b->cpl = c->next;
    if (!b->cpl) b->cpl_end = &b->cpl;
    c->next = b->spare;
    b->spare = c;
    b->cpl_at = 0;
  } else {
    b->cpl_at += BEAT_DW;
  }
}

// ---- wire
static void drive_wire(box *b) {
  pins *p = &b->p;
  machine *a = b->all;
  const frame *f = b->in_busy ? NULL : toc_i_wire_due(a->link, a->cycle);
  if (f && f->to == b->rank) {
    b->in = *f;
    b->in_at = 0;
    b->in_busy = true;
    toc_i_wire_pop(a->link);
  }
  *p->s_axis_valid_i = b->in_busy;
  if (!b->in_busy) return;
  size_t left = b->in.n - b->in_at, k = left < BEAT ? left : BEAT;
  uint32_t keep = k == BEAT ? 0xffffffffu : (1u << k) - 1;
  memcpy(p->s_axis_data_i, b->in.bytes + b->in_at, k);
  memcpy(p->s_axis_keep_i, &keep, 4);
  *p->s_axis_last_i = k == left;
  *p->s_axis_error_i = k == left && b->in.fcs_bad;
}

static void advance_wire(box *b) {
  if (!b->in_busy || !*b->p.s_axis_ready_o) return;
  b->all->moved = true;
  b->in_at += BEAT;
  if (!*b->p.s_axis_last_i) return;
  b->in_busy = false;
  see(b, (toc_seen){.kind = TOC_SEEN_FRAME_IN, .data = b->in.bytes, .bytes = b->in.n, .value = b->in.fcs_bad});
}

static void collect_wire(box *b) {
  pins *p = &b->p;
  if (!*p->m_axis_valid_o) return;
  b->all->moved = true;
  uint32_t keep;
  memcpy(&keep, p->m_axis_keep_o, 4);
  unsigned k = 0;
  while (k < BEAT && keep >> k & 1) k++;
  if (b->out_n + k > sizeof b->out) b->out_n = 0;
  memcpy(b->out + b->out_n, p->m_axis_data_o, k);
  b->out_n += k;
  if (!*p->m_axis_last_o) return;
  see(b, (toc_seen){.kind = TOC_SEEN_FRAME, .data = b->out, .bytes = b->out_n});
  toc_i_wire_send(b->all->link, b->rank, b->all->cycle, b->out, b->out_n);
  b->out_n = 0;
}

// ---- AXI: one response a cycle, in order
static void burst_pop(bursts *q) { memmove(&q->b[0], &q->b[1], --q->n * sizeof q->b[0]); }

static burst burst_of(const box *b, const uint8_t *id, const uint8_t *addr, const uint8_t *len, const uint8_t *size) {
  burst x = {.id = *id, .len = *len, .size = *size, .due = b->all->cycle + LATENCY};
  memcpy(&x.addr, addr, 8);
  return x;
}

static void drive_axi(box *b) {
  pins *p = &b->p;
  *p->m_axi_arready = b->rd.n < DEPTH;
  *p->m_axi_awready = b->wr.n < DEPTH && b->ack.n < DEPTH;
  *p->m_axi_wready = b->wr.n && b->ack.n < DEPTH; /* after the address: that is legal, and simple */
  *p->m_axi_rvalid = b->rd.n && b->rd.b[0].due <= b->all->cycle;
  if (*p->m_axi_rvalid) {
    const burst *x = &b->rd.b[0];
    uint64_t at = x->addr + ((uint64_t)x->beat << x->size);
    bool ok = mem_read(b, at, p->m_axi_rdata + (at & (BEAT - 1)), 1u << x->size);
    *p->m_axi_rid = x->id;
    *p->m_axi_rresp = ok ? 0 : 2;
    *p->m_axi_rlast = x->beat == x->len;
  }
  *p->m_axi_bvalid = b->ack.n && b->ack.b[0].due <= b->all->cycle;
  if (*p->m_axi_bvalid) {
    *p->m_axi_bid = b->ack.b[0].id;
    *p->m_axi_bresp = b->ack.b[0].size ? 2 : 0;
  }
}

static void write_beat(box *b) {
  pins *p = &b->p;
  burst *x = &b->wr.b[0];
  uint64_t at = ((x->addr & ~((1ull << x->size) - 1)) + ((uint64_t)x->beat++ << x->size)) & ~(uint64_t)(BEAT - 1);
  uint32_t strb;
  memcpy(&strb, p->m_axi_wstrb, 4);
  bool bad = false;
  for (unsigned k = 0; k < BEAT;) {
    unsigned n = 0;
    while (k + n < BEAT && strb >> (k + n) & 1) n++;
    if (n && !mem_write(b, at + k, p->m_axi_wdata + k, n)) bad = true;
    k += n ? n : 1;
  }
  if (!*p->m_axi_wlast) return;
  b->ack.b[b->ack.n++] = (burst){.id = x->id, .size = bad, .due = b->all->cycle + LATENCY};
  burst_pop(&b->wr);
}

static void advance_axi(box *b) {
  pins *p = &b->p;
  if (*p->m_axi_rvalid && *p->m_axi_rready) {
    b->all->moved = true;
    if (b->rd.b[0].beat++ == b->rd.b[0].len) burst_pop(&b->rd);
  }
  if (*p->m_axi_bvalid && *p->m_axi_bready) burst_pop(&b->ack);
  if (*p->m_axi_wvalid && *p->m_axi_wready) {
    b->all->moved = true;
    write_beat(b);
  }
  if (*p->m_axi_awvalid && *p->m_axi_awready)
    b->wr.b[b->wr.n++] = burst_of(b, p->m_axi_awid, p->m_axi_awaddr, p->m_axi_awlen, p->m_axi_awsize);
  if (*p->m_axi_arvalid && *p->m_axi_arready)
    b->rd.b[b->rd.n++] = burst_of(b, p->m_axi_arid, p->m_axi_araddr, p->m_axi_arlen, p->m_axi_arsize);
}

// ---- registers
static void drive_reg(box *b) {
  pins *p = &b->p;
  *p->s_axil_arvalid = b->reg.read && !b->reg.addr_done;
  *p->s_axil_awvalid = b->reg.write && !b->reg.addr_done;
  *p->s_axil_wvalid = b->reg.write && !b->reg.data_done;
  uint32_t addr = b->reg.addr & ~7u;
  memcpy(p->s_axil_araddr, &addr, 4);
  memcpy(p->s_axil_awaddr, &addr, 4);
  memcpy(p->s_axil_wdata, &b->reg.value, 8);
  *p->s_axil_wstrb = b->reg.strb;
  *p->s_axil_rready = 1;
  *p->s_axil_bready = 1;
}

static void advance_reg(box *b) {
  pins *p = &b->p;
  if (*p->s_axil_rvalid) {
    memcpy(&b->reg.value, p->s_axil_rdata, 8);
    b->reg.over = true;
  }
  if (*p->s_axil_bvalid) b->reg.over = true;
  if ((*p->s_axil_arvalid && *p->s_axil_arready) || (*p->s_axil_awvalid && *p->s_axil_awready)) b->reg.addr_done = true;
  if (*p->s_axil_wvalid && *p->s_axil_wready) b->reg.data_done = true;
}

// ---- between NIC and IOMMU: {sop, eop, err, seq, strb, hdr, data}
static void watch_link(box *b, bool take, const uint8_t *pin, unsigned which) {
  if (!take) return;
  packet *q = &b->link[which];
  const unsigned hdr = BEAT, strb = hdr + 16, seq = strb + 1, flags = seq + 1;
  if (pin[flags] & 4) {
    hdr_of(pin + hdr, q->hdr);
    q->ndw = 0;
  }
  unsigned k = ones(pin[strb]);
  if (q->ndw + k <= TLP_MAX_BYTES / 4) memcpy(q->data + 4 * q->ndw, pin, 4 * (size_t)k);
  q->ndw += k;
  if (pin[flags] & 2) see_tlp(b, which ? TOC_SEEN_DEV_CPL : TOC_SEEN_DEV_REQ, q);
}

// ---- a cycle of all nodes
static void eval(machine *a, uint8_t clk) {
  for (unsigned i = 0; i < a->nodes; i++) {
    *a->node[i].p.clk_i = clk;
    dut_eval(a->node[i].d);
  }
}

/* What comes of the pins is decided with the clock low, when they have settled; nothing is driven
 * before it has risen. */
static void cycle(machine *a) {
  for (unsigned i = 0; i < a->nodes; i++) {
    box *b = &a->node[i];
    drive_wire(b);
    drive_cpl(b);
    drive_axi(b);
    drive_reg(b);
  }
  eval(a, 0);
  for (unsigned i = 0; i < a->nodes; i++) {
    box *b = &a->node[i];
    watch_link(b, *b->p.link_req_take_o, b->p.link_req_o, 0);
    watch_link(b, *b->p.link_cpl_take_o, b->p.link_cpl_o, 1);
    advance_axi(b);
    collect_host(b);
    advance_cpl(b);
    collect_wire(b);
    advance_wire(b);
    advance_reg(b);
  }
  eval(a, 1);
  a->cycle++;
}

/* A turn ends when a device has written: processors and agents that poll would see it then, and not
 * up to a turn later. */
static bool progress(void *self) {
  machine *a = self;
  a->moved = toc_i_wire_pump(a->link, a->cycle);
  a->wrote = false;
  for (unsigned i = 0; i < TURN && !a->wrote; i++) cycle(a);
  return a->moved && !a->nomem;
}

static toc_status access_reg(machine *a, box *b, bool read) {
  b->reg.read = read;
  b->reg.write = !read;
  b->reg.addr_done = b->reg.data_done = b->reg.over = false;
  for (unsigned i = 0; i < ANSWER && !b->reg.over; i++) cycle(a);
  b->reg.read = b->reg.write = false;
  return b->reg.over && !a->nomem ? TOC_OK : TOC_E_DEAD;
}

static toc_status reg_read(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t *v) {
  box *b = &((machine *)self)->node[node];
  b->reg.addr = addr;
  toc_status s = access_reg(self, b, true);
  *v = size == 8 ? b->reg.value : addr & 4 ? b->reg.value >> 32 : b->reg.value & 0xffffffffu;
  return s;
}

static toc_status reg_write(void *self, unsigned node, uint32_t addr, unsigned size, uint64_t v) {
  box *b = &((machine *)self)->node[node];
  toc_i_wire_reg(((machine *)self)->link, node, addr, size, v);
  b->reg.addr = addr;
  b->reg.value = size == 4 && (addr & 4) ? v << 32 : v;
  b->reg.strb = size == 8 ? 0xff : addr & 4 ? 0xf0 : 0x0f;
  return access_reg(self, b, false);
}

// ---- memory and interrupts for the driver
static toc_status alloc(void *self, unsigned node, size_t bytes, size_t align, toc_dma *m) {
  return toc_i_mem_alloc(&((machine *)self)->node[node].mem, bytes, align, m) ? TOC_OK : TOC_E_NOMEM;
}

static void give(void *self, unsigned node, const toc_dma *m) { toc_i_mem_give(&((machine *)self)->node[node].mem, m); }

static int vector(void *self, unsigned node, unsigned v, uint64_t *addr, uint32_t *data) {
  return toc_i_mem_vector(&((machine *)self)->node[node].mem, v, addr, data);
}

static void count(void *self, toc_link_count *c) { toc_i_wire_count(((machine *)self)->link, c); }

static bool who(void *self, toc_address *a) { return toc_i_wire_who(((machine *)self)->link, a); }

static void peer(void *self, uint32_t number, uint64_t mac) { toc_i_wire_peer(((machine *)self)->link, number, mac); }

static toc_status path(void *self, const toc_address *to, uint32_t *bytes, char *why) {
  return toc_i_wire_path(((machine *)self)->link, to, bytes, why);
}

// ---- life
static void packets_free(packet *p) {
  for (packet *next; p; p = next) {
    next = p->next;
    free(p);
  }
}

static void shut(void *self) {
  machine *a = self;
  for (unsigned i = 0; i < a->nodes; i++) {
    box *b = &a->node[i];
    dut_free(b->d);
    toc_i_mem_free(&b->mem);
    packets_free(b->cpl);
    packets_free(b->spare);
    free(b->req);
  }
  toc_i_wire_free(a->link);
  free(a->node);
  free(a);
}

static bool box_new(machine *a, unsigned rank, const toc_options *o) {
  box *b = &a->node[rank];
  b->all = a;
  b->rank = rank;
  b->cpl_end = &b->cpl;
  b->req = calloc(1, sizeof *b->req);
  b->d = dut_new(o->seed + rank, NULL, &b->p);
  if (!b->req || !toc_i_mem_new(&b->mem, o->node_bytes)) return false;
  pins *p = &b->p;
  *p->m_axis_ready_i = *p->host_req_ready_i = *p->host_np_ready_i = *p->dev_cpl_ready_i = 1;
  *p->rst_ni = 0;
  return true;
}

static toc_status bring(const toc_options *o, const toc_spy *spy, void **self, unsigned *nodes, char *why) {
  machine *a = calloc(1, sizeof *a);
  *self = a;
  strcpy(why, "no memory");
  if (!a) return TOC_E_NOMEM;
  a->spy = spy;
  a->node = calloc(o->nodes, sizeof *a->node);
  toc_status s = a->node ? toc_i_wire_new(o, &a->link, why) : TOC_E_NOMEM;
  bool ok = s == TOC_OK;
  for (unsigned i = 0; ok && i < o->nodes; i++, a->nodes++) ok = box_new(a, i, o);
  if (!ok) {
    shut(a);
    return s == TOC_OK ? TOC_E_NOMEM : s;
  }
  for (unsigned i = 0; i < 10; i++) {
    eval(a, 0);
    eval(a, 1);
  }
  for (unsigned i = 0; i < a->nodes; i++) {
    *a->node[i].p.rst_ni = 1;
    dut_check(a->node[i].d, 1);
  }
  *nodes = a->nodes;
  return TOC_OK;
}

/* What the driver that loads this compares: both must mean the same by a backend. */
extern const unsigned toc_rtl_size;
__attribute__((visibility("default"))) const unsigned toc_rtl_size = sizeof(toc_backend);

extern const toc_backend toc_rtl_backend;
__attribute__((visibility("default")))
const toc_backend toc_rtl_backend = {.name = "rtl",
                                     .about = "the Verilated hardware in this process",
                                     .open = bring,
                                     .close = shut,
                                     .read = reg_read,
                                     .write = reg_write,
                                     .dma_alloc = alloc,
                                     .dma_free = give,
                                     .vector = vector,
                                     .progress = progress,
                                     .now = now,
                                     .count = count,
                                     .who = who,
                                     .path = path,
                                     .peer = peer,
                                     .in_process = true,
                                     .mhz = MHZ,
                                     .qp_timeout_log2 = 14};
