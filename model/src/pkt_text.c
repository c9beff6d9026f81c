// SPDX-License-Identifier: Apache-2.0
// Two packets that should be one: what differs, field by field, and both of them whole.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "aa/aa_pkt.h"
#include "tocsin/aa_lock.h"

typedef struct field {
  const char *name;
  uint8_t word, lsb, width;
} field;

static const field common[] = {
    {"fmt", 0, 29, 3},        {"type", 0, 24, 5}, {"tag bit 9", 0, 23, 1}, {"TC", 0, 20, 3}, {"tag bit 8", 0, 19, 1},
    {"attr bit 2", 0, 18, 1}, {"LN", 0, 17, 1},   {"TH", 0, 16, 1},        {"TD", 0, 15, 1}, {"EP", 0, 14, 1},
    {"attr", 0, 12, 2},       {"AT", 0, 10, 2},   {"Length", 0, 0, 10}};
static const field request[] = {
    {"requester id", 1, 16, 16}, {"tag", 1, 8, 8}, {"LastBE", 1, 4, 4}, {"FirstBE", 1, 0, 4}};
static const field completion[] = {{"completer id", 1, 16, 16}, {"status", 1, 13, 3},        {"BCM", 1, 12, 1},
                                   {"ByteCount", 1, 0, 12},     {"requester id", 2, 16, 16}, {"tag", 2, 8, 8},
                                   {"reserved", 2, 7, 1},       {"LowerAddress", 2, 0, 7}};

typedef struct text {
  char *at;
  size_t room;
} text;

static void say(text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int k = vsnprintf(t->at, t->room, format, args);
  va_end(args);
  size_t used = k < 0 ? 0 : (size_t)k < t->room ? (size_t)k : t->room - 1;
  t->at += used;
  t->room -= used;
}

static void say_fields(text *t, const tlp *got, const tlp *want, const field *f, size_t n) {
  for (const field *end = f + n; f < end; f++) {
    uint32_t mask = (1u << f->width) - 1, g = got->hdr[f->word] >> f->lsb & mask,
             w = want->hdr[f->word] >> f->lsb & mask;
    if (g != w) say(t, ", field %s: got %" PRIx32 " want %" PRIx32, f->name, g, w);
  }
}

static uint64_t address(const tlp *t) {
  return t->hdr[0] & 0x20000000u ? (uint64_t)t->hdr[2] << 32 | t->hdr[3] : t->hdr[2];
}

/* The fields of two headers that differ. */
static void say_header(text *t, const tlp *got, const tlp *want) {
  say_fields(t, got, want, common, sizeof common / sizeof *common);
  if ((want->hdr[0] >> 24 & 0x1e) == 0x0a) {
    say_fields(t, got, want, completion, sizeof completion / sizeof *completion);
  } else {
    say_fields(t, got, want, request, sizeof request / sizeof *request);
    if (address(got) != address(want))
      say(t, ", field address: got %" PRIx64 " want %" PRIx64, address(got), address(want));
  }
}

/* The 16 bytes around byte i of a payload. */
static void say_bytes(text *t, const char *who, const tlp *p, unsigned i) {
  unsigned from = i & ~15u;
  say(t, "\n%s bytes %u on:", who, from);
  for (unsigned k = from; k < from + 16 && k < 4 * p->ndw; k++) say(t, " %02x", p->data[k]);
}

bool tlp_difference(const tlp *got, const tlp *want, char *buf, size_t n) {
  const char *what = tlp_unlike(got, want);
  char line[200];
  text t = {buf, n};
  unsigned i = 0;
  bool payload = what && !strcmp(what, "payload");
  if (!what) return false;
  while (payload && got->data[i] == want->data[i]) i++;
  say(&t, "%s differs", what);
  say_header(&t, got, want);
  if (got->seq != want->seq) say(&t, ", seq: got %u want %u", got->seq, want->seq);
  if (payload) say(&t, " (byte %u: got %02x, want %02x)", i, got->data[i], want->data[i]);
  say(&t, "\ngot  %s", aa_tlp_text(got, line, sizeof line));
  say(&t, "\nwant %s", aa_tlp_text(want, line, sizeof line));
  if (payload) say_bytes(&t, "got ", got, i);
  if (payload) say_bytes(&t, "want", want, i);
  return true;
}
