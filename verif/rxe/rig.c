// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rxe.h"

/* The guest's time-out is 4.096 us x 2^n: half a second, and two for hardware in simulation, which is slow; 17 where
 * nothing is lost, so that a machine that was busy is not taken for a loss. */
enum {
  GUEST_TIMEOUT = 17,
  GUEST_TIMEOUT_SLOW = 19,
  GUEST_TIMEOUT_LOSSLESS = 22,
  GUEST_RETRY = 7,
  GUEST_RNR_RETRY = 7,
  READS = 16,
  GUEST_MIN_RNR = 1
};

bool rig_good(const rig *r) { return !r->why[0]; }

bool rig_fail(rig *r, const char *format, ...) {
  va_list a;
  if (!rig_good(r)) return false;
  va_start(a, format);
  vsnprintf(r->why, sizeof r->why, format, a);
  va_end(a);
  return false;
}

bool rig_status(rig *r, toc_status s, const char *call) {
  return rig_good(r) && (s == TOC_OK || rig_fail(r, "%s: %s", call, toc_why()));
}

// ---- the guest
bool rig_tell(rig *r, const char *line) {
  if (!rig_good(r)) return false;
  fprintf(r->out, "%s\n", line);
  return !fflush(r->out) || rig_fail(r, "the guest is gone");
}

bool rig_hear(rig *r, char *line) {
  if (!rig_good(r)) return false;
  if (!fgets(line, RIG_LINE, r->in)) return rig_fail(r, "the guest is gone");
  line[strcspn(line, "\r\n")] = 0;
  return !strncmp(line, "ok", 2) || !strncmp(line, "pp", 2) || rig_fail(r, "guest: %.400s", line);
}

bool rig_ask(rig *r, char *answer, const char *format, ...) {
  char line[RIG_LINE], ask[RIG_LINE];
  va_list a;
  va_start(a, format);
  vsnprintf(ask, sizeof ask, format, a);
  va_end(a);
  if (!rig_tell(r, ask)) return false;
  if (rig_hear(r, answer ? answer : line)) return true;
  size_t n = strlen(r->why);
  snprintf(r->why + n, sizeof r->why - n, "; it was asked: %.200s", ask);
  return false;
}

bool rig_hello(rig *r) {
  char answer[RIG_LINE];
  if (!rig_ask(r, answer, "hello")) return false;
  for (int i = 0, at = 2, n; i < PATHS; i++, at += n)
    if (sscanf(answer + at, " %d %32s%n", &r->gid_index[i], r->gid[i], &n) != 2)
      return rig_fail(r, "guest: %.200s", answer);
  return true;
}

bool rig_guest_check(rig *r, uint64_t at, uint64_t n, uint32_t seed) {
  return rig_ask(r, NULL, "check %llu %llu %u", (unsigned long long)at, (unsigned long long)n, seed);
}

bool rig_guest_fill(rig *r, uint64_t at, uint64_t n, uint32_t seed) {
  return rig_ask(r, NULL, "fill %llu %llu %u", (unsigned long long)at, (unsigned long long)n, seed);
}

bool rig_guest_done(rig *r, unsigned count, unsigned status) {
  char answer[RIG_LINE], *save;
  if (!rig_ask(r, answer, "wait %u", count)) return false;
  char *word = strtok_r(answer + 2, " ", &save);
  for (unsigned i = 0; i < count; i++, word = strtok_r(NULL, " ", &save)) {
    if (!word) return rig_fail(r, "%u completions of %u", i, count);
    if (strtoul(word, NULL, 10) != status)
      return rig_fail(r, "completion %u of the guest is %s, want status %u", i, word, status);
  }
  return true;
}

// ---- this side
void rig_fill(rig *r, uint64_t at, uint64_t n, uint32_t seed) { pattern_fill(r->mem + at, n, seed); }

bool rig_check(rig *r, uint64_t at, uint64_t n, uint32_t seed) {
  if (!rig_good(r)) return false;
  size_t i = pattern_differs(r->mem + at, n, seed);
  if (i == n) return true;
  return rig_fail(r, "byte %zu of %llu here is %02x, want %02x", i, (unsigned long long)n, r->mem[at + i],
                  pattern_byte(seed, i));
}

bool rig_equal(rig *r, const char *what, uint64_t got, uint64_t want) {
  return rig_good(r) && (got == want || rig_fail(r, "%s: got 0x%llx, want 0x%llx", what, (unsigned long long)got,
                                                 (unsigned long long)want));
}

bool rig_event(rig *r, toc_event_kind kind, uint64_t value) {
  toc_event e;
  if (!RIG_MUST(r, toc_event_next(r->p, &e, RIG_US))) return false;
  return rig_equal(r, "kind of event", e.kind, kind) && rig_equal(r, "its value", e.value, value);
}

bool rig_open(rig *r, const toc_options *o) {
  RIG_MUST(r, toc_open(o, &r->f));
  RIG_MUST(r, toc_proc_open(toc_node_at(r->f, 0), &r->p));
  RIG_MUST(r, toc_alloc(r->p, RIG_BYTES, TOC_READ | TOC_WRITE, (void **)&r->mem));
  return RIG_MUST(r, toc_expose(r->p, r->mem, RIG_BYTES, TOC_READ | TOC_WRITE | TOC_ATOMIC, &r->at));
}

void rig_close(rig *r) {
  toc_close(r->f);
  r->f = NULL;
}

// ---- a connection: addresses by value, both ways
void rig_gid(const rig *r, const toc_address *a, char *gid) {
  if (r->path & PATH_IP6)
    for (unsigned i = 0; i < 16; i++) sprintf(gid + 2 * i, "%02x", a->ip6[i]);
  else
    sprintf(gid, "00000000000000000000ffff%08x", a->ip);
}

toc_address rig_far(const rig *r, const char *gid, unsigned qpn, unsigned psn) {
  toc_address a = {.mac = r->far_mac, .qp = qpn, .psn = psn, .vlan = r->path & PATH_VLAN ? TAG : 0};
  if (r->path & PATH_IP6)
    for (unsigned i = 0; i < 16; i++) sscanf(gid + 2 * i, "%2hhx", &a.ip6[i]);
  else
    a.ip = (uint32_t)strtoul(gid + 24, NULL, 16);
  return a;
}

void rig_sync(rig *r) {
  char line[RIG_LINE];
  static unsigned number;
  number += 2;
  fprintf(r->out, "sync %u\nsync %u\n", number, number + 1); /* a case may have left it waiting for a line */
  fflush(r->out);
  snprintf(line, sizeof line, "ok sync %u\n", number + 1);
  for (char got[RIG_LINE]; fgets(got, sizeof got, r->in) && strcmp(got, line);) {
  }
  toc_event e;
  while (r->p && toc_event_next(r->p, &e, 1) == TOC_OK) {
  }
}

bool rig_connect(rig *r) {
  char answer[RIG_LINE], gid[33];
  toc_address own, far;
  unsigned qpn, key;
  unsigned long long addr;
  uint32_t far_psn = r->far_psn ? r->far_psn : 0x123456;
  toc_qp_options o = {.mtu = r->mtu, .timeout_us = r->timeout_us, .psn = r->psn};
  RIG_MUST(r, toc_qp_open(r->p, &o, &r->q));
  RIG_MUST(r, toc_qp_address(r->q, &own));
  if (!rig_ask(r, answer, "qp %u %u", far_psn, r->mtu)) return false;
  if (sscanf(answer, "ok %u %llu %u", &qpn, &addr, &key) != 3) return rig_fail(r, "guest: %.200s", answer);
  r->far = addr;
  r->far_key = key;
  far = rig_far(r, r->gid[r->path], qpn, far_psn);
  rig_gid(r, &own, gid);
  RIG_MUST(r, toc_qp_connect(r->q, &far));
  return rig_ask(r, NULL, "go %u %u %s %u %u %u %u %u %u", own.qp, own.psn, gid,
                 !r->lossy ? GUEST_TIMEOUT_LOSSLESS
                 : r->slow ? GUEST_TIMEOUT_SLOW
                           : GUEST_TIMEOUT,
                 GUEST_RETRY, GUEST_RNR_RETRY, READS, GUEST_MIN_RNR, r->path);
}

void rig_disconnect(rig *r) {
  toc_qp_close(r->q);
  r->q = NULL;
}
