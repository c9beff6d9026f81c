// SPDX-License-Identifier: Apache-2.0
#include "tocsin/tocsin_model.h"

#include <stdlib.h>
#include <string.h>

#include "aa/aa_state.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic_dma.h"
#include "tocsin/nic_regs.h"
#include "tocsin/tocsin_root.h"

enum {
  NIC_AT = 0x100000, /* registers of the NIC */
  POSTED_LIMIT = 64  /* writes that may wait for the IOMMU; nic_wr holds fewer, this is for speed */
};

typedef struct packet {
  struct packet *next;
  tlp t;
  unsigned port;
  bool seen;
  uint8_t data[TLP_MAX_BYTES];
} packet;

typedef struct fifo {
  packet *head, **tail;
  unsigned n;
} fifo;

/* A read or atomic of the NIC. */
typedef struct reading {
  struct reading *next;
  nic_dma_job job;
  nic_chunk chunk;
  uint32_t n;      /* bytes that the NIC wants */
  unsigned flying; /* requests not answered */
  bool all_out;    /* every request has left */
  uint8_t err;     /* NIC_ITEM_* */
  uint8_t item[NIC_JOB_MAX];
} reading;

struct tocsin_model {
  tocsin_model_config cfg;
  tocsin_model_ops ops;
  void *ctx;
  aa *iommu;
  nic *wire;
  packet *spare;
  fifo posted, nonposted; /* of the NIC, for port 0 */
  fifo from_host;         /* completions for the IOMMU */
  fifo to_dev;            /* completions for devices */
  reading *first, **last, *spare_reading;
  unsigned readings;
  nic_reads tags;
  reading *of_tag[NIC_TAGS_MAX];
  uint64_t left_at[NIC_TAGS_MAX];
  uint64_t now;
  uint32_t mps, mrrs, cpl_tmo;
  uint32_t notice; /* logs that have a task for the NIC */
  uint32_t done;   /* logs whose task is done */
  bool nomem;
};

const char *tocsin_model_strstatus(tocsin_model_status s) {
  static const char *const text[] = {"ok", "parameter out of range", "out of memory", "argument out of range", "busy"};
  return (unsigned)s < sizeof text / sizeof *text ? text[s] : "unknown status";
}

void tocsin_model_config_default(tocsin_model_config *cfg) {
  memset(cfg, 0, sizeof *cfg);
  aa_config_default(&cfg->aa);
  nic_config_default(&cfg->nic);
  cfg->aa.NumPorts = 2;
  cfg->ReadTags = 128;
  cfg->MaxRead = 512;
}

/* ---- packets that wait ------------------------------------------------------------------------------------------- */

static void fifo_init(fifo *f) {
  f->head = NULL;
  f->tail = &f->head;
  f->n = 0;
}

static void push(tocsin_model *m, fifo *f, unsigned port, const tlp *t) {
  packet *p = m->spare;
  if (p)
    m->spare = p->next;
  else
    p = malloc(sizeof *p);
  if (!p) {
    m->nomem = true;
    return;
  }
  p->next = NULL;
  p->port = port;
  p->seen = false;
  p->t = *t;
  if (t->ndw) memcpy(p->data, t->data, 4 * (size_t)t->ndw);
  p->t.data = p->data;
  *f->tail = p;
  f->tail = &p->next;
  f->n++;
}

static void pop(tocsin_model *m, fifo *f) {
  packet *p = f->head;
  f->head = p->next;
  if (!f->head) f->tail = &f->head;
  f->n--;
  p->next = m->spare;
  m->spare = p;
}

static void fifo_free(fifo *f) {
  for (packet *p = f->head, *next; p; p = next) {
    next = p->next;
    free(p);
  }
}

static void see(tocsin_model *m, tocsin_model_where where, unsigned port, const tlp *t) {
  if (m->ops.see) m->ops.see(m->ctx, where, port, t);
}

/* ---- what the IOMMU does ----------------------------------------------------------------------------------------- */

static void on_completion(void *to, const tlp *t) {
  tocsin_model *m = to;
  push(m, &m->from_host, 0, t);
}

static bool on_mem_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  tocsin_model *m = ctx;
  (void)src;
  return m->ops.mem_read(m->ctx, addr, buf, n);
}

static bool on_mem_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  tocsin_model *m = ctx;
  (void)src;
  return m->ops.mem_write(m->ctx, addr, buf, n);
}

static void on_host_req(void *ctx, const tlp *t) {
  tocsin_model *m = ctx;
  see(m, TOCSIN_MODEL_HOST_REQ, 0, t);
  tocsin_root_request(&(tocsin_root_ops){m->ops.mem_read, m->ops.mem_write, m->ops.mem_atomic, on_completion, m},
                      m->ctx, t);
}

static void on_dev_cpl(void *ctx, unsigned port, unsigned src, const tlp *t) {
  tocsin_model *m = ctx;
  (void)src;
  push(m, &m->to_dev, port, t);
}

/* ---- what the NIC does ------------------------------------------------------------------------------------------- */

static void on_write(void *ctx, const nic_job *j, const void *data) {
  tocsin_model *m = ctx;
  nic_dma_job job = {.rid = j->rid, .src = j->src, .va = j->va, .len = j->n};
  nic_chunk c = {0};
  uint8_t payload[TLP_MAX_BYTES];
  tlp t;
  while (nic_chunk_next(&job, m->mps, &c)) {
    nic_wr_tlp(&job, &c, data, payload, &t);
    push(m, &m->posted, 0, &t);
  }
}

static void on_read(void *ctx, const nic_job *j) {
  tocsin_model *m = ctx;
  reading *r = m->spare_reading;
  if (r)
    m->spare_reading = r->next;
  else
    r = malloc(sizeof *r);
  if (!r) {
    m->nomem = true;
    return;
  }
  memset(r, 0, offsetof(reading, item));
  r->job = (nic_dma_job){
      .rid = j->rid, .src = j->src, .va = j->va, .len = j->n, .op = j->op, .swap = j->swap, .compare = j->compare};
  r->n = j->n;
  *m->last = r;
  m->last = &r->next;
  m->readings++;
}

static void on_frame(void *ctx, const uint8_t *bytes, size_t n) {
  tocsin_model *m = ctx;
  m->ops.frame(m->ctx, bytes, n);
}

static void on_task_done(void *ctx, unsigned log) { ((tocsin_model *)ctx)->done |= 1u << log; }

/* ---- the NIC's reads --------------------------------------------------------------------------------------------- */

static unsigned free_tag(const tocsin_model *m) {
  unsigned i = 0;
  while (i < m->cfg.ReadTags && m->tags.tag[i].state != NIC_TAG_FREE) i++;
  return i;
}

/* Sends the requests of jobs in order while there are tags. */
static unsigned ask(tocsin_model *m) {
  unsigned did = 0;
  for (reading *r = m->first; r; r = r->next) {
    while (!r->all_out) {
      unsigned tag = free_tag(m);
      bool atomic = r->job.op != NIC_DMA_READ;
      uint8_t payload[16];
      tlp t;
      if (tag == m->cfg.ReadTags) return did;
      if (!atomic && !nic_chunk_next(&r->job, m->mrrs, &r->chunk)) {
        r->all_out = true;
        break;
      }
      nic_rd_tlp(&r->job, &r->chunk, (uint8_t)tag, payload, &t);
      nic_reads_open(&m->tags, (uint8_t)tag, &r->job, &r->chunk, r->item, &r->err);
      m->of_tag[tag] = r;
      m->left_at[tag] = m->now;
      r->flying++;
      r->all_out = atomic || nic_chunk_last(&r->job, &r->chunk);
      push(m, &m->nonposted, 0, &t);
      did++;
    }
  }
  return did;
}

static void settle_tag(tocsin_model *m, unsigned tag) {
  if (!m->of_tag[tag] || m->tags.tag[tag].state == NIC_TAG_LIVE) return;
  m->of_tag[tag]->flying--;
  m->of_tag[tag] = NULL;
}

static unsigned hand_over(tocsin_model *m) {
  unsigned did = 0;
  while (m->first && m->first->all_out && !m->first->flying) {
    reading *r = m->first;
    if (r->err == NIC_ITEM_REFUSED)
      nic_read_refused(m->wire, r->job.src, r->n);
    else
      nic_read_done(m->wire, r->job.src, r->item, r->n, r->err);
    m->first = r->next;
    if (!m->first) m->last = &m->first;
    m->readings--;
    r->next = m->spare_reading;
    m->spare_reading = r;
    did++;
  }
  return did;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static unsigned completions(tocsin_model *m) {
  unsigned did = 0;
  while (m->from_host.n) {
    see(m, TOCSIN_MODEL_HOST_CPL, 0, &m->from_host.head->t);
    aa_complete(m->iommu, &m->from_host.head->t);
    pop(m, &m->from_host);
    did++;
  }
  while (m->to_dev.n) {
    packet *p = m->to_dev.head;
    see(m, TOCSIN_MODEL_DEV_CPL, p->port, &p->t);
    if (p->port) {
      if (m->ops.dev_cpl) m->ops.dev_cpl(m->ctx, p->port, &p->t);
    } else {
      unsigned tag = p->t.hdr[2] >> 8 & 0xff;
      nic_reads_complete(&m->tags, &p->t, true);
      if (tag < m->cfg.ReadTags) settle_tag(m, tag);
    }
    pop(m, &m->to_dev);
    did++;
  }
  return did;
}

/* Requests of the NIC: no read before a write that was made earlier, writes past reads that wait. */
static unsigned requests(tocsin_model *m) {
  unsigned did = 0;
  for (unsigned np = 0; np < 2; np++) {
    fifo *f = np ? &m->nonposted : &m->posted;
    if (np && m->posted.n) break;
    while (f->n) {
      if (!f->head->seen) see(m, TOCSIN_MODEL_DEV_REQ, 0, &f->head->t);
      f->head->seen = true; /* once, and before what comes of it */
      if (aa_submit(m->iommu, 0, &f->head->t) != AA_OK) break;
      pop(m, f);
      did++;
    }
  }
  return did;
}

static unsigned tasks(tocsin_model *m) {
  unsigned did = 0;
  m->notice |= aa_tasks_told(m->iommu);
  for (unsigned i = 0; i < m->cfg.aa.NumLogs; i++) {
    if (m->done >> i & 1) {
      m->done &= ~(1u << i);
      aa_task_done(m->iommu, i);
      aa_poll(m->iommu);
      did++;
    }
    if (m->notice >> i & 1) {
      uint64_t prod = 0, cons = 0;
      aa_reg_read(m->iommu, AA_REG_LP_PROD + i * AA_REG_LP_PROD_STRIDE, 8, &prod);
      aa_reg_read(m->iommu, AA_REG_LP_CONS + i * AA_REG_LP_CONS_STRIDE, 8, &cons);
      if (nic_task(m->wire, i, (uint32_t)prod, (uint32_t)cons) != NIC_OK) continue;
      m->notice &= ~(1u << i);
      did++;
    }
  }
  return did;
}

tocsin_model_status tocsin_model_run(tocsin_model *m, unsigned *did) {
  unsigned sum = 0, n;
  do {
    n = completions(m) + hand_over(m) + requests(m) + tasks(m);
    while (m->posted.n < POSTED_LIMIT && nic_step(m->wire) == NIC_OK) n++;
    n += ask(m) + requests(m);
    sum += n;
  } while (n && !m->nomem);
  if (did) *did = sum;
  return m->nomem ? TOCSIN_MODEL_E_NOMEM : TOCSIN_MODEL_OK;
}

tocsin_model_status tocsin_model_advance(tocsin_model *m, uint64_t cycles) {
  if (cycles > AA_TIME_END - m->now) return TOCSIN_MODEL_E_ARG;
  m->now += cycles;
  nic_advance(m->wire, cycles);
  aa_advance(m->iommu, cycles);
  for (unsigned i = 0; m->cpl_tmo && i < m->cfg.ReadTags; i++)
    if (m->of_tag[i] && m->now - m->left_at[i] >= m->cpl_tmo) {
      nic_reads_expire(&m->tags, (uint8_t)i);
      settle_tag(m, i);
    }
  return tocsin_model_run(m, NULL);
}

unsigned tocsin_model_pending(const tocsin_model *m) {
  return m->posted.n + m->nonposted.n + m->from_host.n + m->to_dev.n + m->readings + nic_pending(m->wire) +
         aa_pending(m->iommu) + (m->notice != 0 || m->iommu->told) + (m->done != 0);
}

tocsin_model_status tocsin_model_rx(tocsin_model *m, const uint8_t *bytes, size_t n, bool fcs_bad) {
  if (m->posted.n >= POSTED_LIMIT || nic_rx(m->wire, bytes, n, fcs_bad) != NIC_OK) return TOCSIN_MODEL_E_BUSY;
  return TOCSIN_MODEL_OK;
}

tocsin_model_status tocsin_model_submit(tocsin_model *m, unsigned port, const tlp *t) {
  if (!port || port >= m->cfg.aa.NumPorts) return TOCSIN_MODEL_E_ARG;
  if (aa_submit(m->iommu, port, t) != AA_OK) return TOCSIN_MODEL_E_BUSY;
  see(m, TOCSIN_MODEL_DEV_REQ, port, t);
  return TOCSIN_MODEL_OK;
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static bool bad_access(uint32_t addr, unsigned size) {
  return (size != 4 && size != 8) || addr % size || addr >= 2 * NIC_AT;
}

tocsin_model_status tocsin_model_reg_read(tocsin_model *m, uint32_t addr, unsigned size, uint64_t *value) {
  *value = 0;
  if (bad_access(addr, size)) return TOCSIN_MODEL_E_ARG;
  if (addr < NIC_AT) {
    aa_reg_read(m->iommu, addr, size, value);
    return TOCSIN_MODEL_OK;
  }
  uint64_t w = 0;
  nic_reg_read(m->wire, (addr - NIC_AT) & ~7u, &w);
  *value = size == 8 ? w : addr & 4 ? w >> 32 : w & 0xffffffffu;
  return TOCSIN_MODEL_OK;
}

/* What the data mover itself keeps. */
static void dma_regs(tocsin_model *m) {
  uint64_t v = 0;
  nic_reg_read(m->wire, NIC_REG_NIC_DMA, &v);
  m->mps = nic_dma_size((unsigned)(v & 7), TLP_MAX_BYTES);
  m->mrrs = nic_dma_size((unsigned)(v >> 4 & 7), m->cfg.MaxRead);
  nic_reg_read(m->wire, NIC_REG_NIC_CPL_TMO, &v);
  m->cpl_tmo = (uint32_t)v;
}

tocsin_model_status tocsin_model_reg_write(tocsin_model *m, uint32_t addr, unsigned size, uint64_t value) {
  if (bad_access(addr, size)) return TOCSIN_MODEL_E_ARG;
  if (addr < NIC_AT) {
    aa_reg_write(m->iommu, addr, size, value);
    return tocsin_model_run(m, NULL);
  }
  uint32_t at = (addr - NIC_AT) & ~7u;
  unsigned strb = size == 8 ? 0xff : addr & 4 ? 0xf0 : 0x0f;
  uint64_t w = size == 4 && (addr & 4) ? value << 32 : value;
  nic_status s = nic_reg_write(m->wire, at, w, strb);
  if (s == NIC_E_BUSY) {
    tocsin_model_run(m, NULL);
    s = nic_reg_write(m->wire, at, w, strb);
  }
  if (s != NIC_OK) return TOCSIN_MODEL_E_BUSY;
  if (at == NIC_REG_NIC_DMA || at == NIC_REG_NIC_CPL_TMO) dma_regs(m);
  if (at == NIC_REG_NIC_TAG_FREE) nic_reads_free(&m->tags);
  return tocsin_model_run(m, NULL);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

tocsin_model_status tocsin_model_new(const tocsin_model_config *cfg, const tocsin_model_ops *ops, void *ctx,
                                     tocsin_model **out) {
  static const aa_ops iommu_ops = {on_mem_read, on_mem_write, on_host_req, on_dev_cpl, NULL};
  static const nic_ops wire_ops = {on_write, on_read, on_read, on_frame, on_task_done, NULL};
  *out = NULL;
  if (!cfg->ReadTags || cfg->ReadTags > NIC_TAGS_MAX || cfg->MaxRead < 128 || cfg->MaxRead > TLP_MAX_BYTES ||
      (cfg->MaxRead & (cfg->MaxRead - 1)))
    return TOCSIN_MODEL_E_CONFIG;
  tocsin_model *m = calloc(1, sizeof *m);
  if (!m) return TOCSIN_MODEL_E_NOMEM;
  m->cfg = *cfg;
  m->cfg.nic.NumLogs = cfg->aa.NumLogs;
  m->ops = *ops;
  m->ctx = ctx;
  fifo_init(&m->posted);
  fifo_init(&m->nonposted);
  fifo_init(&m->from_host);
  fifo_init(&m->to_dev);
  m->last = &m->first;
  nic_reads_init(&m->tags, cfg->ReadTags);
  aa_status a = aa_new(&m->cfg.aa, &iommu_ops, m, &m->iommu);
  nic_status n = a == AA_OK ? nic_new(&m->cfg.nic, &wire_ops, m, &m->wire) : NIC_OK;
  if (a != AA_OK || n != NIC_OK) {
    tocsin_model_free(m);
    return a == AA_E_NOMEM || n == NIC_E_NOMEM ? TOCSIN_MODEL_E_NOMEM : TOCSIN_MODEL_E_CONFIG;
  }
  dma_regs(m);
  *out = m;
  return TOCSIN_MODEL_OK;
}

void tocsin_model_free(tocsin_model *m) {
  if (!m) return;
  fifo_free(&m->posted);
  fifo_free(&m->nonposted);
  fifo_free(&m->from_host);
  fifo_free(&m->to_dev);
  fifo_free(&(fifo){.head = m->spare});
  for (reading *r = m->first, *next; r; r = next) {
    next = r->next;
    free(r);
  }
  for (reading *r = m->spare_reading, *next; r; r = next) {
    next = r->next;
    free(r);
  }
  aa_free(m->iommu);
  nic_free(m->wire);
  free(m);
}
