// SPDX-License-Identifier: Apache-2.0
#include "directed.h"

#include <stdlib.h>
#include <string.h>

#include "hw_config.h"

void no(fix *f, int line, const char *fmt, ...) {
  char text[400];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  bench_fail(f->b, f->suite, "%s:%d: %s", f->file, line, text);
}

void map(fix *f, uint64_t iova, aa_leaf l) {
  l.pa = PA(iova);
  if (aa_table_map(&f->s->tab, f->dom, iova, 1, &l)) no(f, __LINE__, "map");
}

unsigned open_log(fix *f, unsigned i, unsigned size, uint16_t iuid, uint64_t bits) {
  driver_log_cfg c = {.base = RING + ((uint64_t)i << 20),
                      .size = size,
                      .iuid = iuid,
                      .cfg_bits = bits,
                      .ptr = DRIVER_PTR + 64 * (uint64_t)i,
                      .msi_addr = DRIVER_MSI + 64 * (uint64_t)i};
  return driver_open(f->b, f->s, i, &c);
}

// What software sets up.
static void setup(fix *f) {
  bench *b = f->b;
  b->keep = true;
  f->s = calloc(1, sizeof *f->s);
  if (!f->s) abort();
  driver_tables(b, f->s, DRIVER_TABLES, DRIVER_QUEUE);
  axi_set_bad(b, DRIVER_BAD, DRIVER_BAD + 0x10000);
  if (aa_table_domain(&f->s->tab, &f->dom)) no(f, __LINE__, "domain");
  aa_context c = {.table = f->dom, .did = 1, .aa = true};
  for (unsigned i = 0; i < 2; i++) aa_table_set_context(&f->s->tab, (uint16_t)(A + i), &c);
  map(f, GOOD, (aa_leaf){.r = true, .w = true});
  map(f, PUT, (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = IUID});
  map(f, GET, (aa_leaf){.r = true, .w = true, .rl = true, .rld = true, .e = true, .iuid = IUID});
  map(f, DARK, (aa_leaf){.w = true, .rl = true, .rld = true, .e = true, .iuid = IUID});
  map(f, MISS, (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = 777});
  map(f, FLUSH, (aa_leaf){.r = true, .w = true, .e = true, .iuid = IUID});
  map(f, PUT2, (aa_leaf){.r = true, .wl = true, .wld = true, .e = true, .iuid = IUID + 1});
  bench_write(b, AA_REG_RTADDR, 8, f->s->tab.root);
  driver_command(b, AA_GCMD_SRTP_MASK, true);
  driver_queue_on(b, f->s, 0);
  driver_inv_ctx(b, f->s, true, 0, 0, 0, 0);
  driver_inv_iotlb(b, f->s, true, 0, 0, 0, 0, false);
  bench_write(b, AA_REG_AA_CTL, 4, AA_RESET_AA_CTL | AA_AA_CTL_AAE_MASK);
  open_log(f, 0, 12, IUID, 0);
  bench_write(b, AA_REG_AA_FLP, 8, FLUSH | IUID << 2 | 1);
  driver_command(b, AA_GCMD_TE_MASK, true);
}

static fix begin(const cosim_options *o, const directed_suite *s, unsigned number) {
  aa_config hw;
  hw_config(&hw);
  fix f = {.suite = s->name,
           .file = s->file,
           .b = bench_new(o->backend, &hw, o->seed + number, o->backend & BENCH_RTL ? o->wave : NULL)};
  if (!f.b) exit(2);
  setup(&f);
  return f;
}

void again(fix *f) {
  if (f->b->failed) return;
  free(f->s);
  f->b = bench_again(f->b);
  if (!f->b) exit(2);
  setup(f);
}

void send_pkt(fix *f, unsigned port, pkt *p) { pktq_push(&f->b->dev_q[port], p); }

pkt *wr(uint16_t rid, uint64_t iova, unsigned dw, unsigned fbe, unsigned lbe) {
  pkt *p = traffic_request(TLP_MWR32, rid, 0, iova, dw, fbe, dw == 1 ? 0 : lbe);
  for (unsigned i = 0; i < 4 * dw; i++) p->data[i] = (uint8_t)(0x10 + i);
  return p;
}

pkt *rd(uint16_t rid, unsigned tag, uint64_t iova, unsigned dw) {
  return traffic_request(TLP_MRD32, rid, tag, iova, dw, 0xF, dw == 1 ? 0 : 0xF);
}

void put(fix *f, uint64_t iova, unsigned dw) { send_pkt(f, 0, wr(A, iova, dw, 0xF, 0xF)); }

pkt *next(fix *f, pktq *q) {
  for (unsigned i = 0; i < WAIT && !q->head && !f->b->failed; i++) bench_step(f->b);
  return pktq_pop(q);
}

void host_gets(fix *f, int line, uint64_t addr, unsigned type) {
  pkt *p = next(f, &f->b->host_seen);
  if (!p)
    no(f, line, "nothing reaches the host, want address %" PRIx64, addr);
  else if (tlp_addr(p->hdr) != addr || (tlp_type(p->hdr) & ~(unsigned)TLP_4DW) != type)
    no(f, line, "host: got %s at %" PRIx64 ", want type %02x at %" PRIx64, tlp_type_name(tlp_type(p->hdr)),
       tlp_addr(p->hdr), type, addr);
  pkt_free(p);
}

void device_gets(fix *f, int line, unsigned port, unsigned status, unsigned words, unsigned tag, uint16_t rid) {
  pkt *p = next(f, &f->b->dev_seen[port]);
  if (!p)
    no(f, line, "no completion for tag %x", tag);
  else if ((p->hdr[1] >> 13 & 7) != status || p->ndw != words || tlp_cpl_tag(p->hdr) != tag ||
           tlp_cpl_id(p->hdr) != rid)
    no(f, line, "completion: got status %u, %u words, tag %x, want %u, %u, %x", p->hdr[1] >> 13 & 7, p->ndw,
       tlp_cpl_tag(p->hdr), status, words, tag);
  pkt_free(p);
}

void quiet(fix *f) {
  if (!bench_quiet(f->b, 20000)) no(f, __LINE__, "never quiet");
}

uint64_t cnt(fix *f, unsigned i) { return bench_read(f->b, AA_REG_CNT + 8 * i, 8); }

unsigned error_code(fix *f) {
  uint64_t v = bench_read(f->b, AA_REG_AA_ERR_STS, 8);
  bench_write(f->b, AA_REG_AA_ERR_STS, 8, 1);
  return v & 1 ? (unsigned)(v >> AA_AA_ERR_STS_CODE_LSB & 31) : 0;
}

unsigned fault_code(fix *f) {
  unsigned i = (unsigned)(bench_read(f->b, AA_REG_FSTS, 4) >> AA_FSTS_FRI_LSB & 7);
  uint32_t at = AA_REG_FRCDH + 16 * i;
  uint64_t v = bench_read(f->b, at, 8);
  bench_write(f->b, at, 8, AA_FRCDH_F_MASK);
  return v >> 63 ? (unsigned)(v >> AA_FRCDH_FR_LSB & 0xFF) : 0;
}

uint32_t lp(fix *f, unsigned log, unsigned reg) {
  return (uint32_t)bench_read(f->b, AA_REG_LP_PROD + (log << 12) + 8 * reg, 4);
}

void consume(fix *f, unsigned log, uint32_t to) { bench_write(f->b, AA_REG_LP_CONS + (log << 12), 8, to); }

uint64_t entry(unsigned iuid, unsigned kind, unsigned flags, unsigned len, unsigned fbe, unsigned lbe, unsigned tag,
               uint16_t rid) {
  return iuid | kind << 12 | flags | (uint64_t)len << 19 | (uint64_t)fbe << 30 | (uint64_t)lbe << 34 |
         (uint64_t)tag << 38 | (uint64_t)rid << 48;
}

void entry_is(fix *f, int line, unsigned log, uint32_t at, uint64_t iova, uint64_t want) {
  uint64_t addr = RING + ((uint64_t)log << 20) + at;
  if (bench_peek64(f->b, addr) != iova || bench_peek64(f->b, addr + 8) != want)
    no(f, line, "entry at %" PRIx64 ": got %016" PRIx64 " %016" PRIx64 ", want %016" PRIx64 " %016" PRIx64, addr,
       bench_peek64(f->b, addr), bench_peek64(f->b, addr + 8), iova, want);
}

unsigned most(const fix *f, unsigned all) {
  unsigned ports = f->b->hw.NumPorts;
  return ports == 1 ? all : all - (ports - 1) * (all < 2 * ports ? 1 : all / (2 * ports));
}

void complete(fix *f, uint16_t rid, unsigned tag, unsigned status, unsigned count, unsigned lower, unsigned words,
              bool poison) {
  tlp_fields c;
  memset(&c, 0, sizeof c);
  c.type = words ? TLP_CPLD : TLP_CPL;
  c.length = (uint16_t)words;
  c.rid = rid;
  c.tag = (uint16_t)tag;
  c.cid = 8;
  c.status = (uint8_t)status;
  c.byte_count = (uint16_t)count;
  c.lower_addr = (uint8_t)(lower & 0x7F);
  c.ep = poison;
  pkt *p = pkt_new(words + 16);
  tlp_pack(&c, p->hdr);
  p->ndw = words;
  for (unsigned i = 0; i < 4 * words; i++) p->data[i] = (uint8_t)(0x80 + count + i);
  pktq_push(&f->b->cpl_q, p);
}

void good(fix *f) {
  host_mode_of(f->b)->manual = false;
  quiet(f);
  pktq_clear(&f->b->host_seen);
  for (unsigned i = 0; i < BENCH_PORTS; i++) pktq_clear(&f->b->dev_seen[i]);
  send_pkt(f, 0, wr(A, GOOD + 0x80, 3, 0xF, 0xF));
  HOST(PA(GOOD + 0x80), TLP_MWR32);
  OK(bench_peek64(f->b, PA(GOOD + 0x80)) == 0x1716151413121110ULL);
  send_pkt(f, 0, rd(A, 0x77, GOOD + 0x80, 2));
  HOST(PA(GOOD + 0x80), TLP_MRD32);
  DEV(TLP_SC, 2, 0x77);
}

// The command that repeats one case.
static void tell_again(const cosim_options *o, const char *suite, unsigned number) {
  char self[512];
  snprintf(self, sizeof self, "%.*s --%s %u --seed %" PRIu64 " --config %s%s%s", (int)strcspn(o->self, " "), o->self,
           suite, number, o->seed, o->config, o->backend == BENCH_BOTH ? "" : " --backend ",
           o->backend == BENCH_BOTH ? "" : backend_name(o->backend));
  result_again(self, o->config, o->wave, o->backend);
}

void directed_run(const cosim_options *o, const directed_suite *s, const char *list, unsigned *passed,
                  unsigned *failed) {
  for (unsigned i = 0; i < s->n; i++) {
    const directed_case *c = &s->cases[i];
    if (!options_chosen(list, c->number)) continue;
    fix f = begin(o, s, c->number);
    if (!f.b->hw.NumLogs) continue;
    c->run(&f);
    good(&f);
    for (unsigned k = 0; k < f.b->hw.NumLogs && !f.b->failed; k++)
      if (f.s->log[k].open) {
        consume(&f, k, lp(&f, k, PROD));
        driver_close(f.b, f.s, k);
      }
    quiet(&f);
    if (!f.b->failed && o->backend == BENCH_BOTH) lock_end(f.b);
    printf("case %2u  %-45s %s\n", c->number, c->what, f.b->failed ? "FAILED" : "ok");
    *(f.b->failed ? failed : passed) += 1;
    if (f.b->failed) tell_again(o, s->name, c->number);
    free(f.s);
    bench_free(f.b);
  }
}
