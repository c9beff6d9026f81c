// SPDX-License-Identifier: Apache-2.0
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- JSON -----------------------------------------------------------------------------------------------------------

// Bytes of the UTF-8 character at s, 0: it is none.
static unsigned utf8(const char *s) {
  unsigned char c = (unsigned char)*s;
  unsigned n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  for (unsigned i = 1; i < n; i++)
    if (((unsigned char)s[i] & 0xC0) != 0x80) return 0;
  return n;
}

static void quoted(FILE *out, const char *s) {
  putc('"', out);
  while (*s) {
    unsigned n = utf8(s);
    if (*s == '"' || *s == '\\')
      fprintf(out, "\\%c", *s);
    else if ((unsigned char)*s < 32)
      fprintf(out, "\\u%04x", (unsigned)*s);
    else if (n)
      fwrite(s, 1, n, out);
    else
      fputs("\\ufffd", out);  // names of files may be any bytes
    s += n ? n : 1;
  }
  putc('"', out);
}

static void place(json *j, const char *key) {
  if (j->depth) fprintf(j->out, "%s\n%*s", j->empty ? "" : ",", (int)(2 * j->depth), "");
  j->empty = false;
  if (!key) return;
  quoted(j->out, key);
  fputs(": ", j->out);
}

void json_open(json *j, const char *key, char bracket) {
  place(j, key);
  putc(bracket, j->out);
  j->depth++;
  j->empty = true;
}

void json_close(json *j, char bracket) {
  j->depth--;
  if (!j->empty) fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
  putc(bracket, j->out);
  if (!j->depth) putc('\n', j->out);
  j->empty = false;
}

void json_text(json *j, const char *key, const char *value) {
  place(j, key);
  quoted(j->out, value);
}

void json_uint(json *j, const char *key, uint64_t value) {
  place(j, key);
  fprintf(j->out, "%" PRIu64, value);
}

void json_hex(json *j, const char *key, uint64_t value) {
  place(j, key);
  fprintf(j->out, "\"0x%" PRIx64 "\"", value);
}

void json_bool(json *j, const char *key, bool value) {
  place(j, key);
  fputs(value ? "true" : "false", j->out);
}

void json_real(json *j, const char *key, double value) {
  place(j, key);
  fprintf(j->out, "%.6g", value);
}

void json_bytes(json *j, const char *key, const uint8_t *bytes, uint32_t n) {
  place(j, key);
  putc('"', j->out);
  for (uint32_t i = 0; i < n; i++) fprintf(j->out, "%02x", bytes[i]);
  putc('"', j->out);
}

// ---- arguments ------------------------------------------------------------------------------------------------------

int cli_next(cli *c, const char **word) {
  while (c->at < c->argc) {
    const char *w = c->argv[c->at++];
    *word = w;
    if (c->no_more || *w != '-' || !w[1]) return 2;
    if (w[1] != '-') return 3;
    if (!w[2]) {
      c->no_more = true;
    } else if (!strcmp(w, "--json")) {
      c->as_json = true;
    } else {
      return c->what && !cli_has_option(c->what, w) ? 3 : 1;
    }
  }
  return 0;
}

bool cli_asks_help(const char *word) { return !strcmp(word, "-h") || !strcmp(word, "--help"); }

const char *cli_value(cli *c, const char *option) {
  if (c->at < c->argc) return c->argv[c->at++];
  cli_usage(c, "%s needs a value", option);
  return NULL;
}

bool cli_number(cli *c, const char *option, uint64_t least, uint64_t max, uint64_t *value) {
  const char *w = cli_value(c, option);
  if (!w) return false;
  char *end;
  errno = 0;
  *value = strtoull(w, &end, *w == '0' && (w[1] == 'x' || w[1] == 'X') ? 16 : 10);
  if (isdigit((unsigned char)*w) && !*end && !errno && *value >= least && *value <= max) return true;
  cli_usage(c, "%s: '%s' is not a number from %" PRIu64 " to %" PRIu64, option, w, least, max);
  return false;
}

FILE *cli_open(const cli *c, const char *name) {
  FILE *f = strcmp(name, "-") ? fopen(name, "r") : stdin;
  if (!f) cli_fail(c, CLI_FILE, "'%s' cannot be opened: %s", name, strerror(errno));
  return f;
}

void cli_close(FILE *f) {
  if (f && f != stdin) fclose(f);
}

bool cli_terminal(int fd) {
  const char *term = getenv("TERM");
  return isatty(fd) && term && *term && strcmp(term, "dumb");
}

static void say(const cli *c, const char *fmt, va_list ap) {
  fflush(stdout);
  fprintf(stderr, "tocsin %s: ", c->command);
  vfprintf(stderr, fmt, ap);
}

int cli_fail(const cli *c, int code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(c, fmt, ap);
  va_end(ap);
  putc('\n', stderr);
  return code;
}

int cli_usage(const cli *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(c, fmt, ap);
  va_end(ap);
  fprintf(stderr, "; see tocsin help %s\n", c->command);
  return CLI_USAGE;
}

// ---- programs -------------------------------------------------------------------------------------------------------

int cli_code_of(toc_status s, bool wrong) {
  switch (s) {
    case TOC_OK: return wrong ? CLI_DIFFERENT : CLI_OK;
    case TOC_E_TIMEOUT:
    case TOC_E_DEAD: return CLI_TIMEOUT;
    case TOC_E_BACKEND:
    case TOC_E_DEVICE:
    case TOC_E_SUPPORT: return CLI_BACKEND;
    case TOC_E_ARG: return CLI_USAGE;
    default: return CLI_DIFFERENT;
  }
}

bool cli_backend(const char *name) {
  for (const char *const *b = toc_backends(); *b; b++)
    if (!strcmp(*b, name)) return true;
  return false;
}

void cli_bar(void *ctx, uint64_t done, uint64_t all) {
  unsigned *shown = ctx, now = all ? (unsigned)(40 * done / all) : 40;
  if (now == *shown) return;
  *shown = now;
  fprintf(stderr, "\r  [%.*s%*s] %3u %%", (int)now, "########################################", (int)(40 - now), "",
          now * 100 / 40);
}

void cli_bar_clear(void) { fputs("\r\033[K", stderr); }
