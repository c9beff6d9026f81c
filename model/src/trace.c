// SPDX-License-Identifier: Apache-2.0
#include "tocsin/trace.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Longest line: two digits a byte, the header, options.
#define LINE (2 * AA_TRACE_BYTES + 512)

void aa_trace_open(aa_trace *t, FILE *file) {
  memset(t, 0, sizeof *t);
  t->file = file;
}

/* What is no text is shown as points: it is for a terminal. */
static int bad(aa_trace *t, const char *why, const char *word) {
  snprintf(t->why, sizeof t->why, "%s%s%.40s", why, word ? ": " : "", word ? word : "");
  for (char *p = t->why; *p; p++)
    if ((unsigned char)*p < ' ' || (unsigned char)*p > '~') *p = '.';
  return -1;
}

static char *word_next(char **p) {
  char *w = *p;
  while (isspace((unsigned char)*w)) w++;
  if (!*w) return NULL;
  char *e = w;
  while (*e && !isspace((unsigned char)*e)) e++;
  *p = *e ? e + 1 : e;
  *e = 0;
  return w;
}

static bool number(const char *w, uint64_t max, uint64_t *v) {
  char *end;
  if (!w || !isdigit((unsigned char)*w)) return false;
  errno = 0;
  *v = strtoull(w, &end, 0);
  return !*end && !errno && *v <= max;
}

static int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// Bare hexadecimal bytes; false if odd, empty, too many or no digits.
static bool bytes(const char *w, uint8_t *out, uint32_t max, uint32_t *n) {
  uint32_t k = 0;
  for (; w && *w; w += 2) {
    int hi = digit(w[0]), lo = hi < 0 ? -1 : digit(w[1]);
    if (lo < 0 || k == max) return false;
    out[k++] = (uint8_t)(hi << 4 | lo);
  }
  *n = k;
  return k != 0;
}

static int header(aa_trace *t, aa_trace_rec *r, const char *w) {
  uint8_t raw[16] = {0};
  uint32_t n;
  if (!bytes(w, raw, 16, &n) || (n != 12 && n != 16)) return bad(t, "not a header of 12 or 16 bytes", w);
  for (unsigned i = 0; i < 4; i++)
    r->hdr[i] =
        (uint32_t)raw[4 * i] << 24 | (uint32_t)raw[4 * i + 1] << 16 | (uint32_t)raw[4 * i + 2] << 8 | raw[4 * i + 3];
  return 1;
}

static int port_of(aa_trace *t, aa_trace_rec *r, const char *w) {
  uint64_t v;
  if (!number(w, 3, &v)) return bad(t, "not a port", w);
  r->port = (uint8_t)v;
  return 1;
}

static int name_of(aa_trace *t, aa_trace_rec *r, const char *w) {
  if (!w || strlen(w) >= sizeof r->name) return bad(t, "not a name", w);
  strcpy(r->name, w);
  return 1;
}

static int frame_of(aa_trace *t, aa_trace_rec *r, char **p) {
  if (!bytes(word_next(p), r->data, AA_TRACE_BYTES, &r->bytes)) return bad(t, "no bytes", NULL);
  for (char *w; (w = word_next(p));) {
    bool in = r->kind == AA_TRACE_FRAME_IN;
    bool *option = in && !strcmp(w, "err")      ? &r->err
                   : in && !strcmp(w, "bent")   ? &r->bent
                   : !in && !strcmp(w, "again") ? &r->again
                                                : NULL;
    if (!option || *option) return bad(t, "not an option", w);
    *option = true;
  }
  return 1;
}

// bytes [mask]
static int memory_of(aa_trace *t, aa_trace_rec *r, char **p, bool mask) {
  uint32_t n = 0;
  if (!bytes(word_next(p), r->data, AA_TRACE_BYTES, &r->bytes)) return bad(t, "no bytes", NULL);
  char *w = mask ? word_next(p) : NULL;
  if (w && (!bytes(w, r->data + r->bytes, AA_TRACE_BYTES - r->bytes, &n) || n != r->bytes))
    return bad(t, "not a mask of as many bytes", w);
  r->masked = w != NULL;
  return 1;
}

// [bytes] [option ...]
static int tail(aa_trace *t, aa_trace_rec *r, char **p, bool options) {
  for (char *w; (w = word_next(p));) {
    uint64_t v;
    if (options && !strncmp(w, "seq=", 4) && number(w + 4, 255, &v))
      r->seq = (uint8_t)v;
    else if (options && !strncmp(w, "beats=", 6) && number(w + 6, 2048, &v))
      r->beats = (uint32_t)v;
    else if (options && !strncmp(w, "strb=", 5) && number(w + 5, 0xFFFF, &v))
      r->strb = (uint32_t)v;
    else if (options && !strcmp(w, "err"))
      r->err = true;
    else if (options && !strcmp(w, "cut"))
      r->cut = true;
    else if (options && !strcmp(w, "nosop"))
      r->nosop = true;
    else if (r->bytes || !bytes(w, r->data, AA_TRACE_BYTES, &r->bytes))
      return bad(t, "neither bytes nor an option", w);
  }
  return 1;
}

static int access_of(aa_trace *t, aa_trace_rec *r, char **p, bool value, bool mask) {
  uint64_t v;
  char *w;
  if (!number(word_next(p), 0x1FFFFF, &r->addr)) return bad(t, "not a register offset", NULL);
  if (!number(word_next(p), 8, &v) || (v != 4 && v != 8) || r->addr % v) return bad(t, "size is 4 or 8, aligned", NULL);
  r->size = (uint8_t)v;
  uint64_t all = v == 8 ? ~0ULL : 0xFFFFFFFFULL;
  w = word_next(p);
  if (!w && !value) return 1;
  if (!number(w, all, &r->value)) return bad(t, "not a value of this size", w);
  r->mask = mask ? all : 0;
  if (mask && (w = word_next(p)) && !number(w, all, &r->mask)) return bad(t, "not a mask of this size", w);
  if (!value && !r->mask) r->value = 0; /* no expectation */
  return 1;
}

static int record(aa_trace *t, aa_trace_rec *r, char *p) {
  char *w = word_next(&p);
  uint64_t v;
  int s = 1;
  if (w[1]) return bad(t, "unknown record", w);
  r->kind = (aa_trace_kind)*w;
  switch (*w) {
    case 'R': s = access_of(t, r, &p, false, true); break;
    case 'W': s = access_of(t, r, &p, true, false); break;
    case 'L': s = access_of(t, r, &p, true, true); break;
    case 'M':
      if (!number(word_next(&p), ~0ULL, &r->addr) || !number(word_next(&p), ~0ULL, &r->value))
        s = bad(t, "M address value", NULL);
      break;
    case 'S':
      if (!number(word_next(&p), ~0ULL, &r->addr) || !number(word_next(&p), 0xFFFFFFFF, &r->value))
        s = bad(t, "S address data", NULL);
      break;
    case 'T':
      if (!number(word_next(&p), 0xFFFF, &v) || !number(word_next(&p), ~0ULL, &r->addr))
        return bad(t, "T requester iova", NULL);
      r->sid = (uint16_t)v;
      w = word_next(&p);
      if (!w || (strcmp(w, "r") && strcmp(w, "w"))) return bad(t, "r or w", w);
      r->write = *w == 'w';
      w = word_next(&p);
      r->blocked = w && !strcmp(w, "-");
      if (!r->blocked && !number(w, ~0ULL, &r->value)) s = bad(t, "not an address", w);
      break;
    case 'B':
    case 'E':
      if (!number(word_next(&p), ~0ULL, &r->addr)) return bad(t, "not an address", NULL);
      s = memory_of(t, r, &p, r->kind == AA_TRACE_EXP_MEM);
      break;
    case 'D':
    case 'U':
      if ((s = port_of(t, r, word_next(&p))) == 1 && (s = header(t, r, word_next(&p))) == 1)
        s = tail(t, r, &p, *w == 'D');
      break;
    case 'C':
    case 'H':
      if ((s = header(t, r, word_next(&p))) == 1) s = tail(t, r, &p, *w == 'C');
      break;
    case 'G':
      w = word_next(&p);
      if (!w || (strcmp(w, "auto") && strcmp(w, "manual"))) return bad(t, "auto or manual", w);
      r->value = *w == 'a';
      break;
    case 'I': s = number(word_next(&p), ~0ULL, &r->value) ? 1 : bad(t, "not a number of cycles", NULL); break;
    case 'X': s = port_of(t, r, word_next(&p)); break;
    case 'P':
      if (name_of(t, r, word_next(&p)) != 1 || !number(word_next(&p), ~0ULL, &r->value))
        return bad(t, "P name value", NULL);
      break;
    case 'A': s = name_of(t, r, word_next(&p)); break;
    case 'K': s = number(word_next(&p), ~0ULL, &r->value) ? 1 : bad(t, "not a time", NULL); break;
    case 'F':
    case 'O': s = frame_of(t, r, &p); break;
    case 'N':
    case 'Q': break;
    default: return bad(t, "unknown record", w);
  }
  if (s == 1 && (w = word_next(&p))) return bad(t, "too many words", w);
  return s;
}

int aa_trace_read(aa_trace *t, aa_trace_rec *r) {
  char line[LINE];
  memset(r, 0, offsetof(aa_trace_rec, data));
  while (fgets(line, sizeof line, t->file)) {
    t->line++;
    if (!strchr(line, '\n') && !feof(t->file)) return bad(t, "line too long, or no text", NULL);
    line[strcspn(line, "#")] = 0;
    char *p = line;
    while (isspace((unsigned char)*p)) p++;
    if (*p) return record(t, r, p);
  }
  return ferror(t->file) ? bad(t, "cannot be read", strerror(errno)) : 0;
}

bool aa_trace_of_node(FILE *file) {
  aa_trace t;
  aa_trace_rec r;
  aa_trace_open(&t, file);
  bool node = aa_trace_read(&t, &r) == 1 && r.kind == AA_TRACE_TOP && !strcmp(r.name, "tocsin");
  rewind(file);
  return node;
}

static void put_hex(FILE *f, const uint8_t *p, uint32_t n) {
  if (n) fputc(' ', f);
  for (uint32_t i = 0; i < n; i++) fprintf(f, "%02x", p[i]);
}

static void put_tlp(FILE *f, const aa_trace_rec *r) {
  bool four = r->hdr[0] >> 29 & 1;
  fprintf(f, " %08" PRIx32 "%08" PRIx32 "%08" PRIx32, r->hdr[0], r->hdr[1], r->hdr[2]);
  if (four || r->hdr[3]) fprintf(f, "%08" PRIx32, r->hdr[3]);
  put_hex(f, r->data, r->bytes);
}

static void put_options(FILE *f, const aa_trace_rec *r) {
  if (r->seq) fprintf(f, " seq=%u", r->seq);
  if (r->beats) fprintf(f, " beats=%" PRIu32, r->beats);
  if (r->strb) fprintf(f, " strb=0x%" PRIx32, r->strb);
  fputs(r->err ? " err" : "", f);
  fputs(r->cut ? " cut" : "", f);
  fputs(r->nosop ? " nosop" : "", f);
}

int aa_trace_write(FILE *f, const aa_trace_rec *r) {
  fputc(r->kind, f);
  uint64_t all = r->size == 8 ? ~0ULL : 0xFFFFFFFFULL;
  switch (r->kind) {
    case AA_TRACE_REG_READ:
    case AA_TRACE_WAIT_REG:
    case AA_TRACE_REG_WRITE:
      fprintf(f, " 0x%" PRIx64 " %u", r->addr, r->size);
      if (r->kind != AA_TRACE_REG_READ || r->mask) fprintf(f, " 0x%" PRIx64, r->value);
      if (r->kind == AA_TRACE_WAIT_REG ? r->mask != all : r->mask && r->mask != all) fprintf(f, " 0x%" PRIx64, r->mask);
      break;
    case AA_TRACE_MEM8:
    case AA_TRACE_WAIT_MEM: fprintf(f, " 0x%" PRIx64 " 0x%" PRIx64, r->addr, r->value); break;
    case AA_TRACE_XLATE:
      fprintf(f, " 0x%04x 0x%" PRIx64 " %c ", r->sid, r->addr, r->write ? 'w' : 'r');
      if (r->blocked)
        fputc('-', f);
      else
        fprintf(f, "0x%" PRIx64, r->value);
      break;
    case AA_TRACE_MEM:
    case AA_TRACE_EXP_MEM:
      fprintf(f, " 0x%" PRIx64, r->addr);
      put_hex(f, r->data, r->bytes);
      if (r->masked) put_hex(f, r->data + r->bytes, r->bytes);
      break;
    case AA_TRACE_DEV:
    case AA_TRACE_EXP_DEV:
      fprintf(f, " %u", r->port);
      put_tlp(f, r);
      if (r->kind == AA_TRACE_DEV) put_options(f, r);
      break;
    case AA_TRACE_CPL:
    case AA_TRACE_EXP_HOST:
      put_tlp(f, r);
      if (r->kind == AA_TRACE_CPL) put_options(f, r);
      break;
    case AA_TRACE_HOST_MODE: fputs(r->value ? " auto" : " manual", f); break;
    case AA_TRACE_IDLE: fprintf(f, " %" PRIu64, r->value); break;
    case AA_TRACE_RESET: fprintf(f, " %u", r->port); break;
    case AA_TRACE_PARAM: fprintf(f, " %s %" PRIu64, r->name, r->value); break;
    case AA_TRACE_TOP: fprintf(f, " %s", r->name); break;
    case AA_TRACE_CLOCK: fprintf(f, " %" PRIu64, r->value); break;
    case AA_TRACE_FRAME_IN:
    case AA_TRACE_FRAME_OUT:
      put_hex(f, r->data, r->bytes);
      fputs(r->err ? " err" : "", f);
      fputs(r->bent ? " bent" : "", f);
      fputs(r->again ? " again" : "", f);
      break;
    case AA_TRACE_EXP_NONE:
    case AA_TRACE_QUIET: break;
    default: return -1;
  }
  return fputc('\n', f) == EOF ? -1 : 0;
}
