// SPDX-License-Identifier: Apache-2.0
// The device whole: what one part's test cannot see. Two of them on a wire without losses; tables,
// rings and buffers by hand.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tocsin/aa_regs.h"
#include "tocsin/nic_regs.h"
#include "tocsin/table.h"
#include "tocsin/tocsin_model.h"

enum {
  MEM = 1 << 20,
  TABLES = 0x80000,
  LOG_RING = 0x60000,
  POINTER = 0x70000,
  RING = 0x1000,  // send ring; I/O addresses are physical ones, page by page
  EQ = 0x2000,    // event ring
  LOCAL = 0x3000,
  REMOTE = 0x4000,  // a page that logs, or redirects
  QUEUE = 0x5000,   // user queue of 4 packets; block at + 0x800, doorbell at + 0x900
  RECV = 0x6000,
  N = 0x100000,  // registers of the NIC
  RID = 0x0100,
  FRAMES = 64
};

typedef struct node {
  tocsin_model *m;
  unsigned id;
  uint8_t *mem;
  uint64_t bad;  // reads of this page fail
  aa_table t;
  uint64_t level4;
  struct {
    size_t n;
    uint8_t b[4300];
  } out[FRAMES];
  unsigned head, tail, irqs, seen[4], cpls;
} node;

static node two[2];

static uint64_t get(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  while (n--) v = v << 8 | p[n];
  return v;
}
static void put(uint8_t *p, unsigned n, uint64_t v) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

// ---- what a device needs
static bool mem_read(void *ctx, uint64_t addr, void *b, size_t n) {
  node *d = ctx;
  if (addr > MEM || n > MEM - addr || (d->bad && addr >> 12 == d->bad >> 12)) return false;
  memcpy(b, d->mem + addr, n);
  return true;
}
static bool mem_write(void *ctx, uint64_t addr, const void *b, size_t n) {
  node *d = ctx;
  if (addr >> 20 == 0xfee) return d->irqs++, true;
  if (addr > MEM || n > MEM - addr) return false;
  memcpy(d->mem + addr, b, n);
  return true;
}
static void frame(void *ctx, const uint8_t *b, size_t n) {
  node *d = ctx;
  if (d->tail - d->head == FRAMES) return;
  d->out[d->tail % FRAMES].n = n;
  memcpy(d->out[d->tail++ % FRAMES].b, b, n);
}
static void dev_cpl(void *ctx, unsigned port, const tlp *t) {
  node *d = ctx;
  if (port == 1 && tlp_type(t->hdr) == TLP_CPLD) d->cpls++;
}
static void see(void *ctx, tocsin_model_where where, unsigned port, const tlp *t) {
  (void)port;
  (void)t;
  ((node *)ctx)->seen[where]++;
}
static const tocsin_model_ops ops = {mem_read, mem_write, NULL, frame, dev_cpl, see};
// What may be NULL is.
static const tocsin_model_ops fewest = {mem_read, mem_write, NULL, frame, NULL, NULL};

static int word_read(void *ctx, uint64_t addr, uint64_t *v) {
  *v = get(((node *)ctx)->mem + addr, 8);
  return 0;
}
static int word_write(void *ctx, uint64_t addr, uint64_t v) {
  put(((node *)ctx)->mem + addr, 8, v);
  return 0;
}
static const aa_table_ops words = {word_read, word_write};

static void wr(node *d, uint32_t addr, uint64_t v) { EQ(tocsin_model_reg_write(d->m, addr, 8, v), TOCSIN_MODEL_OK); }
static uint64_t rd(node *d, uint32_t addr) {
  uint64_t v;
  EQ(tocsin_model_reg_read(d->m, addr, 8, &v), TOCSIN_MODEL_OK);
  return v;
}

static void map(node *d, uint64_t page, aa_leaf l) {
  l.pa = page;
  EQ(aa_table_map(&d->t, d->level4, page, 1, &l), AA_TABLE_OK);
}

// Delivers frames until both are quiet; how many of them had no room.
static unsigned run(void) {
  unsigned lost = 0;
  for (unsigned turn = 0; turn < 100; turn++) {
    for (unsigned i = 0; i < 2; i++)
      for (node *d = &two[i]; d->head != d->tail; d->head++)
        lost += tocsin_model_rx(two[!i].m, d->out[d->head % FRAMES].b, d->out[d->head % FRAMES].n, false) !=
                TOCSIN_MODEL_OK;
    EQ(tocsin_model_run(two[0].m, NULL), TOCSIN_MODEL_OK);
    EQ(tocsin_model_run(two[1].m, NULL), TOCSIN_MODEL_OK);
    if (two[0].head == two[0].tail && two[1].head == two[1].tail) break;
  }
  return lost;
}

static void begin_with(const tocsin_model_ops *with, unsigned tags) {
  tocsin_model_config cfg;
  tocsin_model_config_default(&cfg);
  if (tags) cfg.ReadTags = tags;
  for (unsigned i = 0; i < 2; i++) {
    node *d = &two[i];
    memset(d, 0, sizeof *d);
    d->id = i;
    d->mem = calloc(1, MEM);
    EQ(tocsin_model_new(&cfg, with, d, &d->m), TOCSIN_MODEL_OK);
    EQ(aa_table_init(&d->t, &words, d, TABLES, MEM), AA_TABLE_OK);
    EQ(aa_table_domain(&d->t, &d->level4), AA_TABLE_OK);
    aa_context c = {.table = d->level4, .did = 1, .aa = true};
    EQ(aa_table_set_context(&d->t, RID, &c), AA_TABLE_OK);
    EQ(aa_table_set_context(&d->t, 0x0200, &c), AA_TABLE_OK);
    for (uint64_t page = RING; page <= RECV; page += 0x1000) map(d, page, (aa_leaf){.r = true, .w = true});
    wr(d, AA_REG_RTADDR, d->t.root);
    EQ(tocsin_model_reg_write(d->m, AA_REG_GCMD, 4, AA_GCMD_SRTP_MASK), TOCSIN_MODEL_OK);
    EQ(tocsin_model_reg_write(d->m, AA_REG_GCMD, 4, AA_GCMD_TE_MASK), TOCSIN_MODEL_OK);
    EQ(tocsin_model_reg_write(d->m, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | 1), TOCSIN_MODEL_OK);
    wr(d, N + NIC_REG_NIC_MAC, 0x020000000000 + i);
    wr(d, N + NIC_REG_NIC_IP, 0x0a000001 + i);
    wr(d, N + NIC_REG_NIC_RID, RID);
    wr(d, N + NIC_REG_MR_BASE, REMOTE);
    wr(d, N + NIC_REG_MR_LEN, 0x1000);
    wr(d, N + NIC_REG_MR_KEY, NIC_MR_KEY_EN_MASK | 7ull << NIC_MR_KEY_R_LSB | 0x500);
    wr(d, N + NIC_REG_EQ_BASE, EQ);
    wr(d, N + NIC_REG_EQ_MSIA, 0xfee00000);
    wr(d, N + NIC_REG_EQ_CTL, NIC_EQ_CTL_EN_MASK | 4);
    wr(d, N + NIC_REG_EQ_CONS, 0);
    wr(d, N + NIC_REG_QP_MAC, 0x020000000000 + !i);
    wr(d, N + NIC_REG_QP_PEER, (0x0a000001u + !i) | 0x100ull << NIC_QP_PEER_QP_LSB);
    wr(d, N + NIC_REG_QP_RING, RING);
    wr(d, N + NIC_REG_QP_RINGC, 4 | 0xc000ull << NIC_QP_RINGC_PORT_LSB);
    wr(d, N + NIC_REG_QP_CTL, 1 | 3 << 8 | 7u << 24 | 7u << 28 | 14ull << 32 | 0xffffull << 48);
  }
}

static void begin(void) { begin_with(&ops, 0); }

static void end(void) {
  for (unsigned i = 0; i < 2; i++) {
    tocsin_model_free(two[i].m);
    free(two[i].mem);
  }
}

// One entry of the send ring of node 0, with event: 0 write, 2 read, 3 fetch-add, 5 XtqPut.
static void post(unsigned index, unsigned op, uint32_t len1, uint32_t len2, uint64_t remote) {
  uint8_t *e = two[0].mem + RING + 64 * index;
  memset(e, 0, 64);
  e[0] = (uint8_t)op;
  e[1] = 1;
  put(e + 8, 8, LOCAL);
  put(e + 16, 4, len1);
  put(e + 20, 4, len2);
  put(e + 24, 8, LOCAL + 0x800);
  put(e + 32, 8, remote);
  put(e + 40, 4, 0x500);
  put(e + 48, 8, 5);
  wr(&two[0], N + NIC_REG_QP_PROD, index + 1);
}
static unsigned ended(unsigned index) {  // status of the event, 99: none
  const uint8_t *e = two[0].mem + EQ + 32 * index;
  return e[31] & 1 ? e[1] : 99;
}

static void open_nth_log(node *d, unsigned log, uint64_t more, unsigned size) {
  wr(d, AA_REG_LOG_BASE + log * AA_REG_LOG_BASE_STRIDE, LOG_RING);
  wr(d, AA_REG_LOG_PTR + log * AA_REG_LOG_PTR_STRIDE, POINTER);
  wr(d, AA_REG_LOG_CFG + log * AA_REG_LOG_CFG_STRIDE,
     9 | size << AA_LOG_CFG_SIZE_LSB | AA_LOG_CFG_PTR_MASK | more | AA_LOG_CFG_EN_MASK);
  EQ(rd(d, AA_REG_LOG_STS + log * AA_REG_LOG_STS_STRIDE) & 1, 1);
}
static void open_log(node *d, uint64_t more, unsigned size) { open_nth_log(d, 0, more, size); }

// ---- scenarios
// Put, get and atomic: through both NICs, both IOMMUs and both memories; the events' MSIs arrive.
static void moves(void) {
  begin();
  memcpy(two[0].mem + LOCAL, "across", 6);
  post(0, 0, 6, 0, REMOTE + 3);
  EQ(run(), 0);
  EQ(ended(0), NIC_ST_DONE);
  CHECK(!memcmp(two[1].mem + REMOTE + 3, "across", 6));
  put(two[1].mem + REMOTE + 16, 8, 37);
  post(1, 3, 8, 0, REMOTE + 16);
  EQ(run(), 0);
  EQ(get(two[1].mem + REMOTE + 16, 8), 42);
  EQ(get(two[0].mem + LOCAL, 8), 37);
  memset(two[1].mem + REMOTE, 0xa5, 2000);
  unsigned before = two[1].seen[TOCSIN_MODEL_DEV_REQ];
  post(2, 2, 2000, 0, REMOTE);
  EQ(run(), 0);
  EQ(two[1].seen[TOCSIN_MODEL_DEV_REQ] - before, 4);  // reads of 512 bytes
  CHECK(!memcmp(two[0].mem + LOCAL, two[1].mem + REMOTE, 2000));
  EQ(two[0].irqs, 1);  // armed once
  for (unsigned i = 0; i < 4; i++) CHECK(two[0].seen[i] && two[1].seen[i]);
  EQ(tocsin_model_pending(two[0].m) + tocsin_model_pending(two[1].m), 0);
  end();
}

// Memory that does not answer: the requester's own, and the responder's.
static void bad_memory(void) {
  begin();
  two[0].bad = LOCAL;
  post(0, 0, 8, 0, REMOTE);
  EQ(run(), 0);
  EQ(ended(0), NIC_ST_LOCAL_READ);
  end();
  begin();
  two[1].bad = REMOTE;
  post(0, 2, 8, 0, REMOTE);
  EQ(run(), 0);
  EQ(ended(0), NIC_ST_REM_OPERATION);
  end();
}

// A put into a page that redirects starts a task in the queue of an accelerator; its end brings the next.
static void log_to_task(unsigned log) {
  begin();
  node *d = &two[1];
  map(d, REMOTE, (aa_leaf){.wl = true, .wld = true, .e = true, .iuid = 9});
  for (unsigned i = 0; i < 4; i++) d->mem[QUEUE + 64 * i] = 1;
  const uint64_t w[4] = {QUEUE, QUEUE + 0x900, QUEUE + 0x800, 1 | 2 << 1 | 1 << 7};
  for (unsigned i = 0; i < 4; i++) wr(d, N + NIC_REG_XT_W + 8 * i, w[i]);
  wr(d, N + NIC_REG_XT_CMD, 2u << NIC_XT_CMD_TABLE_LSB);
  wr(d, N + NIC_REG_XT_TPL + 64 * log, 4 | 0x77ull << 32);
  wr(d, N + NIC_REG_XT_LOG + 8 * log, NIC_XT_LOG_EN_MASK);
  open_nth_log(d, log, AA_LOG_CFG_TASK_MASK, 12);
  post(0, 0, 8, 0, REMOTE);
  EQ(run(), 0);
  EQ(ended(0), NIC_ST_DONE);
  EQ(get(d->mem + REMOTE, 8), 0);  // not written
  EQ(get(d->mem + POINTER, 8), 32);
  EQ(d->mem[QUEUE], 4);
  EQ(get(d->mem + QUEUE + 16, 8), log);        // arg[0]
  EQ(get(d->mem + QUEUE + 24, 8), 32);         // arg[1]: producer
  EQ(get(d->mem + QUEUE + 0x800 + 56, 8), 1);  // write_index, mirrored
  post(1, 0, 8, 0, REMOTE);
  EQ(run(), 0);
  EQ(d->mem[QUEUE + 64], 1);  // the first task is not done
  wr(d, N + NIC_REG_XT_TASK_DONE, log);
  EQ(run(), 0);
  EQ(d->mem[QUEUE + 64], 4);
  EQ(get(d->mem + QUEUE + 64 + 24, 8), 64);
  EQ(d->mem[QUEUE + 128], 1);  // a task a notice, and no more
  EQ(get(d->mem + QUEUE + 0x900, 8), 1);
  EQ(get(d->mem + QUEUE + 0x800 + 56, 8), 2);
  EQ(tocsin_model_pending(d->m), 0);
  end();
}

// A full log that stalls is felt on the wire: frames find no room, and everything arrives when the log has been read.
static void full_log(void) {
  begin();
  node *d = &two[1];
  map(d, REMOTE, (aa_leaf){.wld = true, .e = true, .iuid = 9});
  open_log(d, 0, 9);  // 512 bytes: one TLP of 256
  unsigned lost = 0;
  for (unsigned i = 0; i < 12; i++) {
    post(i, 0, 2000, 0, REMOTE);  // eight TLPs each
    lost += run();
  }
  CHECK(lost > 0);
  CHECK(tocsin_model_pending(d->m) > 0);
  unsigned shown = d->seen[TOCSIN_MODEL_DEV_REQ];  // a packet that waits has been seen, once
  for (unsigned i = 0; i < 3; i++) EQ(tocsin_model_run(d->m, NULL), TOCSIN_MODEL_OK);
  EQ(d->seen[TOCSIN_MODEL_DEV_REQ], shown);
  wr(d, AA_REG_LOG_CFG, 0);  // torn down: nothing waits for it any more
  for (unsigned turn = 0; turn < 400 && ended(11) == 99; turn++) {
    EQ(tocsin_model_advance(two[0].m, 1000), TOCSIN_MODEL_OK);
    EQ(tocsin_model_advance(d->m, 1000), TOCSIN_MODEL_OK);
    run();
  }
  EQ(ended(11), NIC_ST_DONE);
  end();
}

// Another device, at port 1.
static tlp read_of(uint16_t rid) {
  tlp_fields f = {.type = TLP_MRD32, .length = 2, .rid = rid, .fbe = 15, .lbe = 15, .addr = LOCAL};
  tlp t = {.seq = 1};
  tlp_pack(&f, t.hdr);
  return t;
}

static void port_one(void) {
  begin();
  node *d = &two[0];
  tlp t = read_of(0x0200);
  EQ(tocsin_model_submit(d->m, 1, &t), TOCSIN_MODEL_OK);
  EQ(d->seen[TOCSIN_MODEL_DEV_REQ], 1);
  EQ(tocsin_model_run(d->m, NULL), TOCSIN_MODEL_OK);
  EQ(d->cpls, 1);
  for (unsigned i = 0; i < 4; i++) EQ(d->seen[i], 1);
  EQ(tocsin_model_submit(d->m, 0, &t), TOCSIN_MODEL_E_ARG);
  EQ(tocsin_model_submit(d->m, 2, &t), TOCSIN_MODEL_E_ARG);
  EQ(d->seen[TOCSIN_MODEL_DEV_REQ], 1);
  end();
}

// An owner that wants to see nothing, and has no other device.
static void unseen(void) {
  begin_with(&fewest, 0);
  memcpy(two[0].mem + LOCAL, "unseen", 6);
  post(0, 0, 6, 0, REMOTE);
  EQ(run(), 0);
  EQ(ended(0), NIC_ST_DONE);
  CHECK(!memcmp(two[1].mem + REMOTE, "unseen", 6));
  tlp t = read_of(0x0200);
  EQ(tocsin_model_submit(two[0].m, 1, &t), TOCSIN_MODEL_OK);
  EQ(tocsin_model_run(two[0].m, NULL), TOCSIN_MODEL_OK);
  EQ(tocsin_model_pending(two[0].m), 0);
  end();
}

// A flush that the IOMMU holds longer than the NIC waits for its read. The tag is given up until software says that no
// completion of it can come any more: with one tag no other read goes out before.
static void lost_completion(unsigned tags) {
  begin_with(&ops, tags);
  node *d = &two[1];
  map(d, REMOTE, (aa_leaf){.r = true, .e = true, .iuid = 9});
  map(d, RECV, (aa_leaf){.wld = true, .e = true, .iuid = 9});
  open_log(d, 0, 12);
  wr(d, AA_REG_AA_FLP, REMOTE | 9 << AA_AA_FLP_IUID_LSB | 1);
  wr(d, N + NIC_REG_NIC_CPL_TMO, 500);
  tlp_fields f = {.type = TLP_MWR32, .length = 1, .rid = 0x0200, .fbe = 15, .addr = RECV};
  uint8_t data[4] = {0};
  tlp t = {.ndw = 1, .data = data};
  tlp_pack(&f, t.hdr);
  EQ(tocsin_model_submit(d->m, 1, &t), TOCSIN_MODEL_OK);  // a record that nobody reads
  post(0, 2, 8, 0, REMOTE);
  EQ(run(), 0);
  EQ(ended(0), 99);
  EQ(tocsin_model_advance(d->m, 499), TOCSIN_MODEL_OK);
  EQ(run(), 0);
  EQ(ended(0), 99);
  EQ(tocsin_model_advance(d->m, 101), TOCSIN_MODEL_OK);
  EQ(run(), 0);
  EQ(ended(0), NIC_ST_REM_OPERATION);
  unsigned asked = d->seen[TOCSIN_MODEL_DEV_REQ];
  uint8_t *e = d->mem + RING;  // a write of its own needs a read of its ring
  memset(e, 0, 64);
  wr(d, N + NIC_REG_QP_PROD, 1);
  EQ(run(), 0);
  EQ(d->seen[TOCSIN_MODEL_DEV_REQ] == asked, tags == 1);
  wr(d, N + NIC_REG_NIC_TAG_FREE, 0);
  EQ(run(), 0);
  CHECK(d->seen[TOCSIN_MODEL_DEV_REQ] > asked);
  end();
}

// The least and the most of what is configured here, and what lies beside that.
static void configurations(void) {
  static const struct {
    unsigned tags, read;
    bool good;
  } k[] = {{1, 512, true},    {0, 512, false},    {256, 512, true},  {257, 512, false},
           {128, 128, true},  {128, 64, false},   {128, 0, false},   {128, 127, false},
           {128, 4096, true}, {128, 8192, false}, {128, 300, false}, {128, 384, false}};
  for (unsigned i = 0; i < sizeof k / sizeof *k; i++) {
    tocsin_model_config cfg;
    tocsin_model *m;
    tocsin_model_config_default(&cfg);
    cfg.ReadTags = k[i].tags;
    cfg.MaxRead = k[i].read;
    EQ(tocsin_model_new(&cfg, &ops, NULL, &m), k[i].good ? TOCSIN_MODEL_OK : TOCSIN_MODEL_E_CONFIG);
    EQ(m != NULL, k[i].good);
    tocsin_model_free(m);
  }
}

static void refusals(void) {
  tocsin_model_config cfg;
  tocsin_model *m;
  uint64_t v;
  tocsin_model_config_default(&cfg);
  cfg.ReadTags = 0;
  EQ(tocsin_model_new(&cfg, &ops, NULL, &m), TOCSIN_MODEL_E_CONFIG);
  tocsin_model_config_default(&cfg);
  cfg.MaxRead = 300;
  EQ(tocsin_model_new(&cfg, &ops, NULL, &m), TOCSIN_MODEL_E_CONFIG);
  tocsin_model_config_default(&cfg);
  cfg.nic.NumQps = 0;
  EQ(tocsin_model_new(&cfg, &ops, NULL, &m), TOCSIN_MODEL_E_CONFIG);
  CHECK(!m);
  tocsin_model_free(NULL);
  begin();
  EQ(tocsin_model_reg_read(two[0].m, 0x200000, 8, &v), TOCSIN_MODEL_E_ARG);
  EQ(tocsin_model_reg_read(two[0].m, 4, 8, &v), TOCSIN_MODEL_E_ARG);
  EQ(tocsin_model_reg_write(two[0].m, 0, 2, 0), TOCSIN_MODEL_E_ARG);
  EQ(tocsin_model_advance(two[0].m, UINT64_MAX), TOCSIN_MODEL_E_ARG);
  EQ(tocsin_model_reg_read(two[0].m, N + NIC_REG_NIC_ID + 4, 4, &v), TOCSIN_MODEL_OK);
  EQ(v, NIC_RESET_NIC_ID >> 32);
  EQ(tocsin_model_reg_write(two[0].m, N + NIC_REG_NIC_MAC + 4, 4, 0x77), TOCSIN_MODEL_OK);
  EQ(rd(&two[0], N + NIC_REG_NIC_MAC), 0x7700000000);
  for (unsigned s = 0; s < 6; s++) CHECK(tocsin_model_strstatus((tocsin_model_status)s)[0]);
  end();
}

int main(void) {
  moves();
  bad_memory();
  log_to_task(0);
  log_to_task(5);
  full_log();
  port_one();
  unseen();
  lost_completion(1);
  lost_completion(2);
  lost_completion(256);  // as many as there can be
  configurations();
  refusals();
  return report();
}
