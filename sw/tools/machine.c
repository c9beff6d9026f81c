// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/aa_regs.h"

enum { PORTS = 4, PATIENCE = 1000, CYCLES = 1000 };  // a wait lets time pass PATIENCE times
enum { HOST_ID = 0x0008 };                           // completer id of the host: 00:01.0

// A TLP that has left, kept until somebody asks for it.
typedef struct left {
  struct left *next;
  tlp t;
  uint8_t data[TLP_MAX_BYTES];
} left;
typedef struct queue {
  left *head, **tail;
} queue;

// A place in a queue: what comes after it is new.
typedef left **mark;

struct machine {
  aa_config cfg;
  aa *iommu;
  mem *mem;
  queue host, dev[PORTS];  // seen, not yet asked for
  queue owed;              // for the host to answer
  bool manual;             // C records answer
  unsigned tag;
  machine_count count;
  char why[200];
};

static void put(queue *q, const tlp *t) {
  left *l = malloc(sizeof *l);
  if (!l) abort();
  l->next = NULL;
  l->t = *t;
  if (t->ndw) memcpy(l->data, t->data, 4 * (size_t)t->ndw);
  l->t.data = l->data;
  *q->tail = l;
  q->tail = &l->next;
}

static void drop(queue *q) {
  left *l = q->head;
  if (!(q->head = l->next)) q->tail = &q->head;
  free(l);
}

static bool wrong(machine *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(machine *m, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->why, sizeof m->why, fmt, ap);
  va_end(ap);
  return false;
}

// ---- what the IOMMU reaches -----------------------------------------------------------------------------------------

static bool on_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  (void)src;
  mem_read(((machine *)ctx)->mem, addr, buf, n);
  return true;
}

static bool on_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  (void)src;
  mem_write(((machine *)ctx)->mem, addr, buf, n);
  return true;
}

static void on_host(void *ctx, const tlp *t) {
  machine *m = ctx;
  put(&m->host, t);
  put(&m->owed, t);
}

static void on_dev(void *ctx, unsigned port, unsigned src, const tlp *t) {
  (void)src;
  put(&((machine *)ctx)->dev[port], t);
}

// ---- the host -------------------------------------------------------------------------------------------------------

// The bytes of a request that are enabled: lead bytes missing at the front, trail at the end.
static void written(machine *m, const tlp_fields *f, const uint8_t *data) {
  for (uint32_t i = 0; i < 4u * f->length; i++) {
    unsigned be = i < 4 ? f->fbe : i / 4 == f->length - 1u ? f->lbe : 15;
    if (be >> (i & 3) & 1) mem_write(m->mem, f->addr + i, data + i, 1);
  }
}

static void atomic(machine *m, const tlp_fields *f, const uint8_t *data, uint8_t *old) {
  unsigned type = f->type & 0x1F, n = 4u * f->length / (type == 0x0E ? 2u : 1u);
  uint8_t fresh[16];
  mem_read(m->mem, f->addr, old, n);
  memcpy(fresh, old, n);
  if (type == 0x0C) {
    uint64_t a = 0, b = 0;
    memcpy(&a, old, n);
    memcpy(&b, data, n);
    a += b;
    memcpy(fresh, &a, n);
  } else if (type == 0x0D) {
    memcpy(fresh, data, n);
  } else if (!memcmp(old, data, n)) {
    memcpy(fresh, data + n, n);
  }
  mem_write(m->mem, f->addr, fresh, n);
}

// A completion of a read or an atomic, in one piece.
static void answer(machine *m, const tlp *t, const tlp_fields *f) {
  uint8_t data[TLP_MAX_BYTES] = {0};
  unsigned type = f->type & 0x1F;
  bool is_atomic = type >= 0x0C && type <= 0x0E;
  unsigned words = is_atomic && type == 0x0E ? f->length / 2u : f->length;
  unsigned bytes = is_atomic ? 4 * words : tlp_byte_count(f->length, f->fbe, f->lbe);
  if (is_atomic)
    atomic(m, f, t->data, data);
  else
    mem_read(m->mem, f->addr, data, 4 * (size_t)words);
  tlp_fields c = {.type = TLP_CPLD,
                  .tc = f->tc,
                  .attr = f->attr,
                  .length = (uint16_t)words,
                  .rid = f->rid,
                  .cid = HOST_ID,
                  .tag = f->tag,
                  .status = TLP_SC,
                  .byte_count = (uint16_t)bytes,
                  .lower_addr = (uint8_t)(is_atomic ? 0 : (f->addr & 0x7C) | tlp_first_byte(f->fbe))};
  tlp a = {.ndw = words, .data = data, .seq = t->seq};
  tlp_pack(&c, a.hdr);
  aa_complete(m->iommu, &a);
}

// The host takes what has left, oldest first; an answer may let the next one leave.
static void serve(machine *m) {
  while (m->owed.head) {
    const tlp *t = &m->owed.head->t;
    tlp_fields f;
    tlp_parse(t->hdr, &f);
    unsigned type = f.type & 0x1F;
    if ((f.type & TLP_HAS_DATA) && !type)
      written(m, &f, t->data);
    else if (!m->manual && (!type || (type >= 0x0C && type <= 0x0E)))
      answer(m, t, &f);
    drop(&m->owed);
  }
}

static void pass(machine *m, uint64_t cycles) {
  aa_advance(m->iommu, cycles);
  serve(m);
}

// ---- records --------------------------------------------------------------------------------------------------------

static tlp tlp_of(const aa_trace_rec *r) {
  tlp t = {.ndw = r->bytes / 4, .data = r->data, .seq = r->seq, .err = r->err};
  memcpy(t.hdr, r->hdr, sizeof t.hdr);
  return t;
}

static bool submit(machine *m, unsigned port, const tlp *t) {
  m->count.tlps++;
  for (unsigned i = 0; i < PATIENCE; i++) {
    aa_status s = aa_submit(m->iommu, port, t);
    serve(m);
    if (s == AA_OK) return true;
    if (s != AA_E_BUSY) return wrong(m, "port %u: %s", port, aa_strstatus(s));
    pass(m, CYCLES);
  }
  return wrong(m, "port %u takes nothing more: something that it waits for does not come", port);
}

static void forget_since(queue *q, mark from) {
  while (*from) {
    left *l = *from;
    *from = l->next;
    free(l);
  }
  q->tail = from;
}

static void forget(queue *q) { forget_since(q, &q->head); }

static bool translate(machine *m, const aa_trace_rec *r) {
  static const uint8_t data[4] = {0xC3, 0xC3, 0xC3, 0xC3};
  tlp_fields f = {.type = (uint8_t)((r->write ? TLP_MWR32 : TLP_MRD32) | (r->addr >> 32 ? TLP_4DW : 0)),
                  .length = 1,
                  .rid = r->sid,
                  .tag = (uint16_t)(m->tag++ & 0xFF),
                  .fbe = 15,
                  .addr = r->addr & ~3ULL};
  tlp t = {.ndw = r->write, .data = data, .seq = (uint8_t)m->tag};
  tlp_pack(&f, t.hdr);
  m->count.translations++;
  mark host = m->host.tail, dev = m->dev[0].tail;
  if (!submit(m, 0, &t)) return false;
  const left *out = *host, *cpl = *dev;
  if (r->blocked && out) return wrong(m, "%" PRIx64 " came through as %" PRIx64, r->addr, tlp_addr(out->t.hdr));
  if (r->blocked && !r->write && (!cpl || (cpl->t.hdr[1] >> 13 & 7) != TLP_UR))
    return wrong(m, "a read of %" PRIx64 " was not refused", r->addr);
  if (!r->blocked && !out) return wrong(m, "%" PRIx64 " was blocked, want %" PRIx64, r->addr, r->value);
  if (!r->blocked && (tlp_addr(out->t.hdr) != (r->value & ~3ULL) || tlp_req_id(out->t.hdr) != r->sid))
    return wrong(m, "%" PRIx64 " became %" PRIx64 ", want %" PRIx64, r->addr, tlp_addr(out->t.hdr), r->value);
  forget_since(&m->host, host);
  forget_since(&m->dev[0], dev);
  return true;
}

static bool expect(machine *m, const aa_trace_rec *r, queue *q, const char *where) {
  if (!q->head) return wrong(m, "nothing has come out for %s", where);
  const tlp *got = &q->head->t;
  size_t head = r->hdr[0] >> 29 & 1 ? 16 : 12;
  m->count.checks++;
  bool same = !memcmp(got->hdr, r->hdr, head) && 4 * got->ndw == r->bytes && !memcmp(got->data, r->data, r->bytes);
  if (!same)
    wrong(m, "for %s came %08x %08x %08x %08x and %u bytes", where, got->hdr[0], got->hdr[1], got->hdr[2], got->hdr[3],
          4 * got->ndw);
  drop(q);
  return same;
}

static bool wait_reg(machine *m, const aa_trace_rec *r) {
  uint64_t v = 0;
  for (unsigned i = 0; i < PATIENCE; i++) {
    aa_status s = aa_reg_read(m->iommu, (uint32_t)r->addr, r->size, &v);
    if (s != AA_OK) return wrong(m, "register 0x%" PRIx64 ": %s", r->addr, aa_strstatus(s));
    if ((v & r->mask) == (r->value & r->mask)) return true;
    pass(m, CYCLES);
  }
  return wrong(m, "register 0x%" PRIx64 " stays 0x%" PRIx64, r->addr, v);
}

static bool wait_mem(machine *m, const aa_trace_rec *r) {
  uint32_t now = 0, zero = 0;
  for (unsigned i = 0; i < PATIENCE; i++) {
    mem_read(m->mem, r->addr, &now, 4);
    if (now == r->value) {
      mem_write(m->mem, r->addr, &zero, 4);  // a word that is used again must be written anew
      m->count.waits++;
      return true;
    }
    pass(m, CYCLES);
  }
  return wrong(m, "memory at 0x%" PRIx64 " stays 0x%x", r->addr, now);
}

static bool same_memory(machine *m, const aa_trace_rec *r) {
  m->count.checks++;
  for (uint32_t i = 0; i < r->bytes; i++) {
    uint8_t b;
    mem_read(m->mem, r->addr + i, &b, 1);
    if ((b ^ r->data[i]) & aa_trace_mask(r, i))
      return wrong(m, "memory at 0x%" PRIx64 " is %02x, want %02x", r->addr + i, b, r->data[i]);
  }
  return true;
}

static bool nothing_more(machine *m) {
  if (m->host.head) return wrong(m, "a TLP for the host that nobody asked for");
  for (unsigned i = 0; i < PORTS; i++)
    if (m->dev[i].head) return wrong(m, "a completion for port %u that nobody asked for", i);
  return true;
}

// Anything but the address and size of a register is the IOMMU's to judge.
static bool reg(machine *m, const aa_trace_rec *r, bool write) {
  uint64_t v = 0;
  aa_status s = write ? aa_reg_write(m->iommu, (uint32_t)r->addr, r->size, r->value)
                      : aa_reg_read(m->iommu, (uint32_t)r->addr, r->size, &v);
  serve(m);
  if (s != AA_OK) return wrong(m, "register 0x%" PRIx64 ": %s", r->addr, aa_strstatus(s));
  *(write ? &m->count.writes : &m->count.reads) += 1;
  return write || !((v ^ r->value) & r->mask) || wrong(m, "register 0x%" PRIx64 " is 0x%" PRIx64, r->addr, v);
}

// A TLP that can be handed over whole.
static bool is_tlp(machine *m, const aa_trace_rec *r) {
  if (r->beats || r->strb || r->cut || r->nosop)
    return wrong(m, "beats that do not make a TLP: replay --on rtl plays them");
  return !(r->bytes % 4) || wrong(m, "%u bytes of data: a TLP has whole words of 4", r->bytes);
}

static bool device(machine *m, const aa_trace_rec *r) {
  if (r->port >= m->cfg.NumPorts) return wrong(m, "no port %u", r->port);
  if (!is_tlp(m, r)) return false;
  tlp t = tlp_of(r);
  return submit(m, r->port, &t);
}

bool machine_play(machine *m, const aa_trace_rec *r) {
  tlp t;
  switch (r->kind) {
    case AA_TRACE_REG_READ: return reg(m, r, false);
    case AA_TRACE_REG_WRITE: return reg(m, r, true);
    case AA_TRACE_WAIT_REG: return wait_reg(m, r);
    case AA_TRACE_MEM8: mem_write64(m->mem, r->addr, r->value); return true;
    case AA_TRACE_MEM: mem_write(m->mem, r->addr, r->data, r->bytes); return true;
    case AA_TRACE_XLATE: return translate(m, r);
    case AA_TRACE_WAIT_MEM: return wait_mem(m, r);
    case AA_TRACE_DEV: return device(m, r);
    case AA_TRACE_CPL:
      if (!is_tlp(m, r)) return false;
      t = tlp_of(r);
      aa_complete(m->iommu, &t);
      serve(m);
      return true;
    case AA_TRACE_HOST_MODE: m->manual = !r->value; return true;
    case AA_TRACE_EXP_HOST: return expect(m, r, &m->host, "the host");
    case AA_TRACE_EXP_DEV: return expect(m, r, &m->dev[r->port], "the device");
    case AA_TRACE_EXP_NONE: return nothing_more(m);
    case AA_TRACE_EXP_MEM: return same_memory(m, r);
    case AA_TRACE_IDLE: pass(m, r->value); return true;
    case AA_TRACE_RESET:
      if (r->port >= m->cfg.NumPorts) return wrong(m, "no port %u", r->port);
      aa_dev_reset(m->iommu, r->port, true);
      aa_poll(m->iommu);
      aa_dev_reset(m->iommu, r->port, false);
      return true;
    case AA_TRACE_PARAM: return wrong(m, "parameter %s comes too late: they stand before everything else", r->name);
    case AA_TRACE_TOP: return !strcmp(r->name, "aa") || wrong(m, "a trace of %s, not of an IOMMU", r->name);
    case AA_TRACE_FRAME_IN:
    case AA_TRACE_FRAME_OUT: return wrong(m, "a frame, and no NIC: it begins with `A tocsin`");
    case AA_TRACE_CLOCK:
    case AA_TRACE_QUIET:
    case AA_TRACE_END: break;
  }
  return true;
}

// ---- making one -----------------------------------------------------------------------------------------------------

static unsigned *parameter(aa_config *c, const char *name) {
  const struct {
    const char *name;
    unsigned *at;
  } have[] = {{"NumPorts", &c->NumPorts},
              {"Window", &c->Window},
              {"IotlbEntries", &c->IotlbEntries},
              {"IotlbWays", &c->IotlbWays},
              {"SpEntries", &c->SpEntries},
              {"CtxEntries", &c->CtxEntries},
              {"PscEntries", &c->PscEntries},
              {"Walkers", &c->Walkers},
              {"NumLogs", &c->NumLogs},
              {"LogDepth", &c->LogDepth},
              {"TagEntries", &c->TagEntries},
              {"FlushPages", &c->FlushPages},
              {"FlushWaiters", &c->FlushWaiters},
              {"ScratchWords", &c->ScratchWords},
              {"DataW", &c->DataW}};
  for (size_t i = 0; i < sizeof have / sizeof *have; i++)
    if (!strcmp(name, have[i].name)) return have[i].at;
  return NULL;
}

machine *machine_new(aa_trace *t, aa_trace_rec *r, int *got, char *why, size_t whys) {
  static const aa_ops ops = {on_read, on_write, on_host, on_dev, NULL};
  machine *m = calloc(1, sizeof *m);
  aa_status s = AA_E_NOMEM;
  *why = 0;
  *got = 0;
  if (!m) goto out;
  m->mem = mem_new();
  m->host.tail = &m->host.head;
  m->owed.tail = &m->owed.head;
  for (unsigned i = 0; i < PORTS; i++) m->dev[i].tail = &m->dev[i].head;
  aa_config_default(&m->cfg);
  m->cfg.NumPorts = PORTS;
  while ((*got = aa_trace_read(t, r)) == 1 && (r->kind == AA_TRACE_PARAM || r->kind == AA_TRACE_TOP)) {
    if (r->kind == AA_TRACE_TOP && !strcmp(r->name, "aa")) continue;
    if (r->kind == AA_TRACE_TOP) {
      snprintf(why, whys, "line %u: a trace of %s, not of an IOMMU; a node's is played by replay, from a file", t->line,
               r->name);
      goto out;
    }
    unsigned *p = parameter(&m->cfg, r->name);
    if (p) *p = r->value > ~0u ? ~0u : (unsigned)r->value;
    if (!p && strcmp(r->name, "IotlbRandom")) {
      snprintf(why, whys, "line %u: no parameter %s", t->line, r->name);
      goto out;
    }
    if (!p) m->cfg.IotlbRandom = r->value != 0;
  }
  s = aa_new(&m->cfg, &ops, m, &m->iommu);
out:
  if (s == AA_OK && !*why) return m;
  const char *wrong = s == AA_E_CONFIG ? aa_config_wrong(&m->cfg) : NULL;
  if (!*why) snprintf(why, whys, "%s", wrong ? wrong : aa_strstatus(s));
  machine_free(m);
  return NULL;
}

void machine_free(machine *m) {
  if (!m) return;
  aa_free(m->iommu);
  if (m->mem) {
    forget(&m->host);
    forget(&m->owed);
    for (unsigned i = 0; i < PORTS; i++) forget(&m->dev[i]);
    mem_free(m->mem);
  }
  free(m);
}

const char *machine_why(const machine *m) { return m->why; }
aa *machine_iommu(machine *m) { return m->iommu; }
const aa_config *machine_config(const machine *m) { return &m->cfg; }
mem *machine_memory(machine *m) { return m->mem; }
machine_count machine_counts(const machine *m) { return m->count; }

static int table_read(void *ctx, uint64_t addr, uint64_t *v) {
  *v = mem_read64(ctx, addr);
  return 0;
}

static int table_write(void *ctx, uint64_t addr, uint64_t v) {
  (void)ctx, (void)addr, (void)v;
  return 1;
}

void machine_table(machine *m, aa_table *t) {
  static const aa_table_ops ops = {table_read, table_write};
  uint64_t root = 0;
  aa_reg_read(m->iommu, AA_REG_RTADDR, 8, &root);
  *t = (aa_table){.ops = &ops, .ctx = m->mem, .root = root & ~0xFFFULL};
}
