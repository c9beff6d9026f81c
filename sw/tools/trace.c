// SPDX-License-Identifier: Apache-2.0
// tocsin trace show | stat | diff
#include "tocsin/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "tocsin/nic_frame.h"
#include "tocsin/regs_table.h"
#include "tocsin/tlp.h"

enum { NIC_BIT = 1 << 20 };  // of a register address: the NIC's half

// An open trace and its record.
typedef struct source {
  const char *name;
  FILE *file;
  aa_trace t;
  aa_trace_rec *r;
  int s;
} source;

static int source_open(const cli *c, source *s, const char *name) {
  s->name = name;
  if (!(s->file = cli_open(c, name))) return CLI_FILE;
  s->r = malloc(sizeof *s->r);
  if (!s->r) return cli_fail(c, CLI_FILE, "out of memory");
  aa_trace_open(&s->t, s->file);
  return CLI_OK;
}

// 1: a record; 0: the end, or something that is not a record (then s->s is -1).
static bool source_next(source *s) {
  s->s = aa_trace_read(&s->t, s->r);
  return s->s == 1;
}

static void source_close(source *s) {
  free(s->r);
  cli_close(s->file);
}

static int source_bad(const cli *c, const source *s) {
  return cli_fail(c, CLI_FILE, "%s:%u: %s", s->name, s->t.line, s->t.why);
}

static const char *kind_name(aa_trace_kind k) {
  switch (k) {
    case AA_TRACE_REG_READ: return "register read";
    case AA_TRACE_REG_WRITE: return "register write";
    case AA_TRACE_MEM8:
    case AA_TRACE_MEM: return "memory";
    case AA_TRACE_XLATE: return "translation";
    case AA_TRACE_WAIT_MEM: return "wait for memory";
    case AA_TRACE_DEV: return "from device";
    case AA_TRACE_CPL: return "from host";
    case AA_TRACE_HOST_MODE: return "host answers";
    case AA_TRACE_EXP_HOST: return "to host";
    case AA_TRACE_EXP_DEV: return "to device";
    case AA_TRACE_EXP_NONE: return "nothing more";
    case AA_TRACE_EXP_MEM: return "memory must be";
    case AA_TRACE_IDLE: return "time passes";
    case AA_TRACE_QUIET: return "quiet";
    case AA_TRACE_WAIT_REG: return "wait for register";
    case AA_TRACE_RESET: return "device reset";
    case AA_TRACE_PARAM: return "parameter";
    case AA_TRACE_TOP: return "a trace of";
    case AA_TRACE_CLOCK: return "time";
    case AA_TRACE_FRAME_IN: return "frame in";
    case AA_TRACE_FRAME_OUT: return "frame out";
    case AA_TRACE_END: break;
  }
  return "?";
}

// ---- show -----------------------------------------------------------------------------------------------------------

static const tocsin_reg *reg_of(uint64_t addr, unsigned *index) {
  const tocsin_reg_map *map = addr & NIC_BIT ? &tocsin_nic_reg_map : &tocsin_aa_reg_map;
  return tocsin_reg_at(map, (uint32_t)addr & (NIC_BIT - 1), index);
}

// "LOG_CFG[3]": the register's name, or its address.
static const char *reg_text(uint64_t addr, char *buf, size_t n) {
  unsigned i = 0;
  const tocsin_reg *r = reg_of(addr, &i);
  const char *counts = r && i < r->counts ? r->count[i] : NULL;
  uint32_t in = r ? (uint32_t)(addr & (NIC_BIT - 1)) - r->offset - i * r->stride : 0;
  char index[16] = "", upper[16] = "";
  if (r && r->num) snprintf(index, sizeof index, "[%u]", i);
  if (in) snprintf(upper, sizeof upper, "+%u", in);
  if (r)
    snprintf(buf, n, "%s%s%s%s%s%s%s", addr & NIC_BIT ? "nic " : "", r->name, index, upper, counts ? " (" : "",
             counts ? counts : "", counts ? ")" : "");
  else
    snprintf(buf, n, "0x%05" PRIx64, addr);
  return buf;
}

// " EN=1 SIZE=20": fields that are not 0.
static void fields_text(FILE *out, uint64_t addr, uint64_t value) {
  unsigned i = 0;
  const tocsin_reg *r = reg_of(addr, &i);
  if (!r) return;
  uint32_t in = (uint32_t)(addr & (NIC_BIT - 1)) - r->offset - i * r->stride;
  uint64_t whole = value << 8 * in;
  for (size_t k = 0; k < r->fields; k++) {
    const tocsin_field *f = &r->field[k];
    uint64_t v = whole >> f->lsb & ((2ULL << (f->msb - f->lsb)) - 1);
    if (v) fprintf(out, v < 10 ? " %s=%" PRIu64 : " %s=0x%" PRIx64, f->name, v);
  }
}

static void tlp_text(FILE *out, const uint32_t hdr[4], uint32_t bytes) {
  tlp_fields f;
  tlp_parse(hdr, &f);
  fprintf(out, "%s %02x:%02x.%x", tlp_type_name(f.type), f.rid >> 8, f.rid >> 3 & 31, f.rid & 7);
  if ((f.type & 0x1E) == 0x0A) {
    static const char *const status[8] = {"SC", "UR", "CRS", "3?", "CA", "5?", "6?", "7?"};
    fprintf(out, " tag %u %s, %u of %u bytes from %02x", f.tag, status[f.status & 7], bytes, f.byte_count,
            f.lower_addr);
  } else if ((f.type & 0x38) == 0x30) {
    fprintf(out, " message code %02x %016" PRIx64, f.code, f.msg);
  } else {
    fprintf(out, " 0x%" PRIx64 " %u words, bytes %x/%x", f.addr, f.length, f.fbe, f.lbe);
    if (!(f.type & TLP_HAS_DATA) || (f.type & 0x1F)) fprintf(out, ", tag %u", f.tag);
  }
  if (f.ep) fputs(", poisoned", out);
}

static const char *opcode_name(uint8_t opcode) {
  switch (opcode) {
    case NIC_OP_SEND_FIRST: return "SEND first";
    case NIC_OP_SEND_MIDDLE: return "SEND middle";
    case NIC_OP_SEND_LAST: return "SEND last";
    case NIC_OP_SEND_LAST_IMM: return "SEND last imm";
    case NIC_OP_SEND_LAST_INV: return "SEND last inv";
    case NIC_OP_SEND_ONLY: return "SEND only";
    case NIC_OP_SEND_ONLY_IMM: return "SEND only imm";
    case NIC_OP_SEND_ONLY_INV: return "SEND only inv";
    case NIC_OP_WRITE_FIRST: return "WRITE first";
    case NIC_OP_WRITE_MIDDLE: return "WRITE middle";
    case NIC_OP_WRITE_LAST: return "WRITE last";
    case NIC_OP_WRITE_LAST_IMM: return "WRITE last imm";
    case NIC_OP_WRITE_ONLY: return "WRITE only";
    case NIC_OP_WRITE_ONLY_IMM: return "WRITE only imm";
    case NIC_OP_READ_REQ: return "READ request";
    case NIC_OP_READ_FIRST: return "READ first";
    case NIC_OP_READ_MIDDLE: return "READ middle";
    case NIC_OP_READ_LAST: return "READ last";
    case NIC_OP_READ_ONLY: return "READ only";
    case NIC_OP_ACK: return "ACK";
    case NIC_OP_ATOMIC_ACK: return "atomic ACK";
    case NIC_OP_CMP_SWAP: return "compare-swap";
    case NIC_OP_FETCH_ADD: return "fetch-add";
    case NIC_OP_CNP: return "CNP";
    case NIC_OP_XTQ_FIRST: return "XtqPut first";
    case NIC_OP_XTQ_MIDDLE: return "XtqPut middle";
    case NIC_OP_XTQ_LAST: return "XtqPut last";
    case NIC_OP_XTQ_ONLY: return "XtqPut only";
    default: return NULL;
  }
}

// Read as the node does that it is addressed to: whoever that is.
static unsigned frame_head(const aa_trace_rec *r, nic_head *h) {
  nic_self to = nic_frame_to(r->data, r->bytes);
  const uint8_t *payload;
  return nic_frame_parse(&to, r->data, r->bytes, r->err, h, &payload);
}

// "WRITE only, QP 54 PSN 7, 8 bytes to 0x5000"
static void frame_text(FILE *out, const aa_trace_rec *r) {
  nic_head h;
  unsigned verdict = frame_head(r, &h);
  if (verdict != NIC_RX_GOOD) {
    fprintf(out, "%" PRIu32 " bytes, damaged: %s", r->bytes, nic_rx_name(verdict));
    return;
  }
  const char *name = opcode_name(h.opcode);
  if (name)
    fputs(name, out);
  else
    fprintf(out, "opcode %02x", h.opcode);
  fprintf(out, ", QP %06" PRIx32 " PSN %06" PRIx32, h.qp, h.psn);
  if (h.bytes) fprintf(out, ", %u bytes", h.bytes);
  if (h.va) fprintf(out, ", remote 0x%" PRIx64, h.va);
  if (h.opcode == NIC_OP_ACK && h.syndrome >> 5) fprintf(out, ", syndrome %02x", h.syndrome);
  if (h.ack_req) fputs(", asks for an ACK", out);
  if (r->again) fputs(", again", out);
}

static void show_text(FILE *out, const aa_trace_rec *r) {
  char name[64];
  switch (r->kind) {
    case AA_TRACE_REG_READ:
    case AA_TRACE_WAIT_REG:
    case AA_TRACE_REG_WRITE:
      fputs(reg_text(r->addr, name, sizeof name), out);
      if (r->kind == AA_TRACE_REG_READ && !r->mask) break;
      fprintf(out, r->kind == AA_TRACE_REG_WRITE ? " := 0x%" PRIx64 : " is 0x%" PRIx64, r->value);
      if (r->kind != AA_TRACE_REG_WRITE && r->mask != (r->size == 8 ? ~0ULL : 0xFFFFFFFFULL))
        fprintf(out, " under 0x%" PRIx64, r->mask);
      fields_text(out, r->addr, r->value);
      break;
    case AA_TRACE_MEM8: fprintf(out, "0x%" PRIx64 " := 0x%" PRIx64, r->addr, r->value); break;
    case AA_TRACE_WAIT_MEM: fprintf(out, "0x%" PRIx64 " becomes 0x%" PRIx64, r->addr, r->value); break;
    case AA_TRACE_XLATE:
      fprintf(out, "%02x:%02x.%x %s 0x%" PRIx64, r->sid >> 8, r->sid >> 3 & 31, r->sid & 7,
              r->write ? "writes" : "reads", r->addr);
      if (r->blocked)
        fputs(", blocked", out);
      else
        fprintf(out, " -> 0x%" PRIx64, r->value);
      break;
    case AA_TRACE_MEM:
    case AA_TRACE_EXP_MEM: fprintf(out, "0x%" PRIx64 ", %u bytes", r->addr, r->bytes); break;
    case AA_TRACE_DEV:
    case AA_TRACE_EXP_DEV: fprintf(out, "port %u ", r->port);  // fall through
    case AA_TRACE_CPL:
    case AA_TRACE_EXP_HOST: tlp_text(out, r->hdr, r->bytes); break;
    case AA_TRACE_HOST_MODE: fputs(r->value ? "by itself" : "by C records", out); break;
    case AA_TRACE_IDLE: fprintf(out, "%" PRIu64 " cycles", r->value); break;
    case AA_TRACE_RESET: fprintf(out, "port %u", r->port); break;
    case AA_TRACE_PARAM: fprintf(out, "%s = %" PRIu64, r->name, r->value); break;
    case AA_TRACE_TOP: fputs(!strcmp(r->name, "tocsin") ? "a node: NIC, XTQ and IOMMU" : r->name, out); break;
    case AA_TRACE_CLOCK: fprintf(out, "%" PRIu64 " ns", r->value); break;
    case AA_TRACE_FRAME_IN:
    case AA_TRACE_FRAME_OUT: frame_text(out, r); break;
    case AA_TRACE_EXP_NONE:
    case AA_TRACE_QUIET:
    case AA_TRACE_END: break;
  }
}

static char *text_of(void (*fn)(FILE *, const aa_trace_rec *), const aa_trace_rec *r) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  if (!f) return NULL;
  fn(f, r);
  fclose(f);
  return text;
}

static void line_of(FILE *out, const aa_trace_rec *r) { aa_trace_write(out, r); }

// All kinds of records, by their letters.
#define KINDS "APKRWLMBESTDCGHUNFOIQX"
static bool good_kinds(const char *text) { return *text && strspn(text, KINDS) == strlen(text); }

int kinds_about(const char *file) {
  (void)file;
  puts("\nKinds of records and their letters:");
  for (const char *k = KINDS; *k; k++) printf("  %c  %s\n", *k, kind_name((aa_trace_kind)*k));
  return CLI_OK;
}

int cmd_trace_show(cli *c) {
  const char *w, *file = NULL, *kinds = NULL;
  uint64_t from = 1, count = ~0ULL;
  for (int k; (k = cli_next(c, &w));) {
    if (k == 2 && !file) {
      file = w;
    } else if (k == 1 && !strcmp(w, "--kind")) {
      if (!(kinds = cli_value(c, w))) return CLI_USAGE;
      if (!good_kinds(kinds)) return cli_usage(c, "--kind %s: letters of records are %s", kinds, KINDS);
    } else if (k == 1 && !strcmp(w, "--from")) {
      if (!cli_number(c, w, 0, ~0U, &from)) return CLI_USAGE;
    } else if (k == 1 && !strcmp(w, "--count")) {
      if (!cli_number(c, w, 0, ~0U, &count)) return CLI_USAGE;
    } else {
      return cli_usage(c, k == 2 ? "%s is too much" : "%s is not understood", w);
    }
  }
  if (!file) return cli_usage(c, "which file?");
  source s = {0};
  int e = source_open(c, &s, file);
  if (!e && c->as_json) json_open(&c->json, NULL, '[');
  while (!e && count && source_next(&s)) {
    if (s.t.line < from || (kinds && !strchr(kinds, (int)s.r->kind))) continue;
    count--;
    char *text = text_of(show_text, s.r);
    if (!text) {
      e = cli_fail(c, CLI_FILE, "out of memory");
      break;
    }
    if (c->as_json) {
      json_open(&c->json, NULL, '{');
      json_uint(&c->json, "line", s.t.line);
      json_text(&c->json, "kind", (char[2]){(char)s.r->kind, 0});
      json_text(&c->json, "what", kind_name(s.r->kind));
      json_text(&c->json, "text", text);
      if (s.r->bytes) json_bytes(&c->json, "data", s.r->data, s.r->bytes);
      json_close(&c->json, '}');
    } else {
      printf("%6u %c %-18s %s\n", s.t.line, (char)s.r->kind, kind_name(s.r->kind), text);
    }
    free(text);
  }
  if (s.r && c->as_json) json_close(&c->json, ']');
  if (!e && s.s < 0) e = source_bad(c, &s);
  source_close(&s);
  return e;
}

// ---- stat -----------------------------------------------------------------------------------------------------------

typedef struct bucket {
  char name[24];
  uint64_t n, bytes;
} bucket;
typedef struct buckets {
  bucket b[300];
  unsigned n;
} buckets;

// The last one takes all for which there is no other.
static void add(buckets *t, const char *name, uint32_t bytes) {
  unsigned i = 0, last = sizeof t->b / sizeof *t->b - 1;
  while (i < t->n && i < last && strcmp(t->b[i].name, name)) i++;
  if (i == last) name = "others";
  if (i == t->n) {
    t->n++;
    snprintf(t->b[i].name, sizeof t->b[i].name, "%s", name);
  }
  t->b[i].n++;
  t->b[i].bytes += bytes;
}

static void add_frame(buckets *t, const aa_trace_rec *r) {
  char name[24];
  nic_head h;
  const char *opcode = frame_head(r, &h) == NIC_RX_GOOD ? opcode_name(h.opcode) : "damaged";
  snprintf(name, sizeof name, "%s %s", opcode ? opcode : "?", r->kind == AA_TRACE_FRAME_IN ? "in" : "out");
  add(t, name, r->bytes);
}

static void print_buckets(cli *c, const char *title, const buckets *t) {
  if (c->as_json) {
    json_open(&c->json, title, '{');
    for (unsigned i = 0; i < t->n; i++) {
      json_open(&c->json, t->b[i].name, '{');
      json_uint(&c->json, "count", t->b[i].n);
      json_uint(&c->json, "bytes", t->b[i].bytes);
      json_close(&c->json, '}');
    }
    json_close(&c->json, '}');
    return;
  }
  if (!t->n) return;
  printf("%s\n", title);
  for (unsigned i = 0; i < t->n; i++)
    printf("  %-18s %10" PRIu64 " %12" PRIu64 " bytes\n", t->b[i].name, t->b[i].n, t->b[i].bytes);
}

int cmd_trace_stat(cli *c) {
  const char *w, *file = NULL;
  for (int k; (k = cli_next(c, &w));) {
    if (k != 2 || file) return cli_usage(c, k == 2 ? "%s is too much" : "%s is not understood", w);
    file = w;
  }
  if (!file) return cli_usage(c, "which file?");
  source s = {0};
  int e = source_open(c, &s, file);
  static buckets kinds, types, requesters, frames;
  uint64_t pages_lo = ~0ULL, pages_hi = 0;
  while (!e && source_next(&s)) {
    const aa_trace_rec *r = s.r;
    add(&kinds, kind_name(r->kind), r->kind == AA_TRACE_MEM8 ? 8 : r->bytes);
    if (r->kind == AA_TRACE_FRAME_IN || r->kind == AA_TRACE_FRAME_OUT) add_frame(&frames, r);
    uint64_t at = r->addr;
    uint16_t rid = r->sid;
    bool request = r->kind == AA_TRACE_XLATE;
    if (r->kind == AA_TRACE_DEV) {
      tlp_fields f;
      tlp_parse(r->hdr, &f);
      add(&types, tlp_type_name(f.type), r->bytes);
      request = (f.type & 0x1F) != 0x0A;
      at = f.addr;
      rid = f.rid;
    }
    if (!request) continue;
    char name[16];
    snprintf(name, sizeof name, "%02x:%02x.%x", rid >> 8, rid >> 3 & 31, rid & 7);
    add(&requesters, name, r->bytes);
    if (at < pages_lo) pages_lo = at;
    if (at > pages_hi) pages_hi = at;
  }
  if (!e && s.s < 0) e = source_bad(c, &s);
  if (!e) {
    if (c->as_json) json_open(&c->json, NULL, '{');
    print_buckets(c, "records", &kinds);
    print_buckets(c, "tlps", &types);
    print_buckets(c, "frames", &frames);
    print_buckets(c, "requesters", &requesters);
    if (c->as_json && pages_hi >= pages_lo) {
      json_hex(&c->json, "lowest", pages_lo);
      json_hex(&c->json, "highest", pages_hi);
    } else if (pages_hi >= pages_lo) {
      printf("addresses 0x%" PRIx64 " to 0x%" PRIx64 "\n", pages_lo, pages_hi);
    }
    if (c->as_json) json_close(&c->json, '}');
  }
  source_close(&s);
  return e;
}

// ---- diff -----------------------------------------------------------------------------------------------------------

// Two traces are the same if they say the same, whatever their comments, spaces and ways to write a number.
int cmd_trace_diff(cli *c) {
  const char *w, *file[2] = {NULL, NULL};
  for (int k; (k = cli_next(c, &w));) {
    if (k != 2 || file[1]) return cli_usage(c, k == 2 ? "%s is too much" : "%s is not understood", w);
    file[file[0] != NULL] = w;
  }
  if (!file[1]) return cli_usage(c, "which two files?");
  if (!strcmp(file[0], "-") && !strcmp(file[1], "-")) return cli_usage(c, "standard input is read but once");
  source s[2] = {{0}, {0}};
  char *text[2] = {NULL, NULL};
  uint64_t records = 0;
  int e = source_open(c, &s[0], file[0]);
  if (!e) e = source_open(c, &s[1], file[1]);
  while (!e) {
    for (unsigned i = 0; i < 2; i++) {
      free(text[i]);
      text[i] = source_next(&s[i]) ? text_of(line_of, s[i].r) : NULL;
      if (s[i].s < 0) e = source_bad(c, &s[i]);
    }
    if (e || (!text[0] && !text[1])) break;
    if (!text[0] || !text[1] || strcmp(text[0], text[1])) {
      e = CLI_DIFFERENT;
      break;
    }
    records++;
  }
  if (e <= CLI_DIFFERENT && c->as_json) {
    json_open(&c->json, NULL, '{');
    json_bool(&c->json, "same", !e);
    json_uint(&c->json, "records", records);
    for (unsigned i = 0; e && i < 2; i++) {
      json_open(&c->json, i ? "b" : "a", '{');
      json_text(&c->json, "file", file[i]);
      json_uint(&c->json, "line", s[i].t.line);
      if (text[i]) text[i][strcspn(text[i], "\n")] = 0;
      json_text(&c->json, "record", text[i] ? text[i] : "");
      json_close(&c->json, '}');
    }
    json_close(&c->json, '}');
  } else if (e == CLI_DIFFERENT) {
    printf("the same for %" PRIu64 " records, then\n", records);
    for (unsigned i = 0; i < 2; i++)
      printf("%c %s:%u: %s", i ? '+' : '-', file[i], s[i].t.line, text[i] ? text[i] : "(the end)\n");
  } else if (!e) {
    printf("the same, %" PRIu64 " records\n", records);
  }
  for (unsigned i = 0; i < 2; i++) {
    free(text[i]);
    source_close(&s[i]);
  }
  return e;
}
