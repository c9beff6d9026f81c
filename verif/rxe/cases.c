// SPDX-License-Identifier: Apache-2.0
// Cases begin with who asks: g_ the guest, n_ the node. What is sent is compared where it arrives.
#include <string.h>

#include "rxe.h"

enum { SUCCESS = 0, REM_ACCESS = 10, REM_INVALID = 9, HALF = RIG_BYTES / 2, NAK_ACCESS = 0x62 }; /* ibv_wc_status */

static const uint32_t sizes[] = {0, 1, 3, 64, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 20000, 300001};
enum { SIZES = sizeof sizes / sizeof *sizes };

static unsigned long long ull(uint64_t v) { return v; }

/* A request of the guest, and its end. */
static bool guest(rig *r, const char *op, uint64_t from, uint32_t n, toc_remote to, uint64_t a, uint64_t b,
                  unsigned status) {
  return rig_ask(r, NULL, "post %s %llu %u %llu %u %llu %llu", op, ull(from), n, ull(to.addr), to.key, ull(a),
                 ull(b)) &&
         rig_guest_done(r, 1, status);
}

static toc_remote far_at(const rig *r, uint64_t offset) { return (toc_remote){r->far + offset, r->far_key}; }

/* How a request of the node ends. */
static bool ends(rig *r, toc_req q, toc_status want) {
  if (!rig_good(r)) return false;
  toc_status s = toc_wait(q, RIG_US);
  return s == want ||
         rig_fail(r, "the node's request ends as %s, want %s (%s)", toc_name(s), toc_name(want), toc_why());
}

// ---- writes and reads
static void g_write(rig *r) {
  for (unsigned i = 0; i < SIZES && rig_good(r); i++) {
    rig_fill(r, 0, sizes[i] + 64, 77);
    rig_guest_fill(r, 5, sizes[i], i);
    guest(r, "write", 5, sizes[i], toc_at(r->at, 7), 0, 0, SUCCESS);
    rig_check(r, 7, sizes[i], i);
    rig_check(r, 0, 7, 77); /* and nothing around it */
    rig_equal(r, "the byte behind", r->mem[7 + sizes[i]], pattern_byte(77, 7 + sizes[i]));
  }
}

static void g_read(rig *r) {
  for (unsigned i = 0; i < SIZES && rig_good(r); i++) {
    rig_fill(r, 3, sizes[i], i + 100);
    rig_guest_fill(r, 0, sizes[i] + 64, 78);
    guest(r, "read", 9, sizes[i], toc_at(r->at, 3), 0, 0, SUCCESS);
    rig_guest_check(r, 9, sizes[i], i + 100);
    rig_guest_check(r, 0, 9, 78);
  }
}

static void n_write(rig *r) {
  toc_req q;
  for (unsigned i = 0; i < SIZES && rig_good(r); i++) {
    rig_fill(r, 5, sizes[i], i + 200);
    rig_guest_fill(r, 0, sizes[i] + 64, 79);
    RIG_MUST(r, toc_put(r->q, r->mem + 5, far_at(r, 11), sizes[i], &q));
    ends(r, q, TOC_OK);
    rig_guest_check(r, 11, sizes[i], i + 200);
    rig_guest_check(r, 0, 11, 79);
  }
}

static void n_read(rig *r) {
  toc_req q;
  for (unsigned i = 0; i < SIZES && rig_good(r); i++) {
    rig_guest_fill(r, 13, sizes[i], i + 300);
    rig_fill(r, 0, sizes[i] + 64, 80);
    RIG_MUST(r, toc_get(r->q, r->mem + 6, far_at(r, 13), sizes[i], &q));
    ends(r, q, TOC_OK);
    rig_check(r, 6, sizes[i], i + 300);
    rig_check(r, 0, 6, 80);
    rig_equal(r, "the byte behind", r->mem[6 + sizes[i]], pattern_byte(80, 6 + sizes[i]));
  }
}

// ---- immediates
static void g_imm(rig *r) {
  for (uint32_t i = 0; i < 8 && rig_good(r); i++) {
    uint32_t n = i % 4 * 700;
    rig_guest_fill(r, 0, n, i);
    guest(r, "write_imm", 0, n, r->at, 0xa0000000u + i, 0, SUCCESS);
    rig_event(r, TOC_EVENT_IMM, 0xa0000000u + i);
    rig_check(r, 0, n, i);
  }
}

static void n_imm(rig *r) {
  char answer[RIG_LINE];
  toc_req q;
  for (uint32_t i = 0; i < 8 && rig_good(r); i++) {
    uint32_t n = i % 4 * 700;
    unsigned status, opcode, bytes, imm;
    rig_fill(r, 0, n, i);
    rig_ask(r, NULL, "recv 0 0 1");
    RIG_MUST(r, toc_put_imm(r->q, r->mem, far_at(r, 0), n, 0xb0000000u + i, &q));
    ends(r, q, TOC_OK);
    if (!rig_ask(r, answer, "wait 1")) return;
    if (sscanf(answer, "ok %u:%u:%u:%x", &status, &opcode, &bytes, &imm) != 4) {
      rig_fail(r, "guest: %.100s", answer);
      return;
    }
    rig_equal(r, "status", status, SUCCESS);
    rig_equal(r, "bytes", bytes, n);
    rig_equal(r, "immediate", imm, 0xb0000000u + i);
    rig_guest_check(r, 0, n, i);
  }
}

// ---- atomics
static bool guest_word(rig *r, uint64_t at, uint64_t want) {
  char answer[RIG_LINE];
  unsigned long long v = 0;
  if (!rig_ask(r, answer, "word %llu", ull(at))) return false;
  return (sscanf(answer, "ok %llx", &v) == 1 || rig_fail(r, "guest: %.100s", answer)) &&
         rig_equal(r, "the guest's word", v, want);
}

static void g_atomic(rig *r) {
  volatile uint64_t *word = (volatile uint64_t *)(void *)(r->mem + 64);
  toc_store(word, 0xfffffffffffffff0u);
  for (uint64_t i = 0; i < 20 && rig_good(r); i++) { /* through its wrap */
    guest(r, "add", 16, 8, toc_at(r->at, 64), 3, 0, SUCCESS);
    guest_word(r, 16, 0xfffffffffffffff0u + 3 * i);
  }
  rig_equal(r, "the sum", toc_load(word), 0xfffffffffffffff0u + 60);
  toc_store(word, 5);
  guest(r, "cas", 16, 8, toc_at(r->at, 64), 6, 99, SUCCESS); /* does not match */
  guest_word(r, 16, 5);
  rig_equal(r, "not swapped", toc_load(word), 5);
  guest(r, "cas", 16, 8, toc_at(r->at, 64), 5, 0x123456789abcdef0u, SUCCESS);
  guest_word(r, 16, 5);
  rig_equal(r, "swapped", toc_load(word), 0x123456789abcdef0u);
}

static void n_atomic(rig *r) {
  uint64_t *old = (uint64_t *)(void *)r->mem;
  toc_req q;
  rig_ask(r, NULL, "word 64 0x%llx", 0xfffffffffffffff0ull);
  for (uint64_t i = 0; i < 20 && rig_good(r); i++) {
    RIG_MUST(r, toc_fetch_add(r->q, old, far_at(r, 64), 7, &q));
    ends(r, q, TOC_OK);
    rig_equal(r, "the value before", toc_load(old), 0xfffffffffffffff0u + 7 * i);
  }
  guest_word(r, 64, 0xfffffffffffffff0u + 140);
  rig_ask(r, NULL, "word 64 5");
  RIG_MUST(r, toc_compare_swap(r->q, old, far_at(r, 64), 6, 99, &q));
  ends(r, q, TOC_OK);
  guest_word(r, 64, 5);
  RIG_MUST(r, toc_compare_swap(r->q, old, far_at(r, 64), 5, 0x123456789abcdef0u, &q));
  ends(r, q, TOC_OK);
  rig_equal(r, "the value before", toc_load(old), 5);
  guest_word(r, 64, 0x123456789abcdef0u);
}

// ---- many outstanding: writes, then reads, then atomics among writes
static void g_many(rig *r) {
  enum { N = 100, EACH = 1500 };
  rig_guest_fill(r, 0, N * EACH, 41);
  rig_ask(r, NULL, "post write 0 %u %llu %u 0 0 %u", EACH, ull(r->at.addr), r->at.key, N);
  rig_ask(r, NULL, "post read %u %u %llu %u 0 0 %u", HALF, EACH, ull(r->at.addr), r->at.key, N);
  rig_guest_done(r, 2 * N, SUCCESS);
  rig_check(r, 0, N * EACH, 41);
  rig_guest_check(r, HALF, N * EACH, 41); /* the reads came behind the writes */
}

static void n_many(rig *r) {
  enum { N = 30, EACH = 1500 };
  rig_fill(r, 0, N * EACH, 42);
  rig_guest_fill(r, 0, N * EACH, 43);
  for (unsigned i = 0; i < N && rig_good(r); i++)
    RIG_MUST(r, toc_put(r->q, r->mem + i * EACH, far_at(r, i * EACH), EACH, NULL));
  for (unsigned i = 0; i < N && rig_good(r); i++)
    RIG_MUST(r, toc_get(r->q, r->mem + HALF + i * EACH, far_at(r, i * EACH), EACH, NULL));
  RIG_MUST(r, toc_wait_all(r->q, RIG_US));
  rig_guest_check(r, 0, N * EACH, 42);
  rig_check(r, HALF, N * EACH, 42);
}

/* Both ask at once: answers of both kinds share the wire, and acknowledgements the responses' queue. */
static void both_many(rig *r) {
  enum { N = 24, EACH = 3000 };
  rig_fill(r, 0, N * EACH, 44);
  rig_guest_fill(r, 0, N * EACH, 45);
  rig_ask(r, NULL, "post write 0 %u %llu %u 0 0 %u", EACH, ull(r->at.addr + HALF), r->at.key, N);
  for (unsigned i = 0; i < N && rig_good(r); i++)
    RIG_MUST(r, toc_put(r->q, r->mem + i * EACH, far_at(r, HALF + i * EACH), EACH, NULL));
  rig_ask(r, NULL, "post read %u %u %llu %u 0 0 %u", HALF / 2, EACH, ull(r->at.addr), r->at.key, N);
  RIG_MUST(r, toc_wait_all(r->q, RIG_US));
  rig_guest_done(r, 2 * N, SUCCESS);
  rig_check(r, HALF, N * EACH, 45);
  rig_guest_check(r, HALF, N * EACH, 44);
  rig_guest_check(r, HALF / 2, N * EACH, 44);
}

// ---- refusals: each stops a queue pair, so each has its own
static void again(rig *r) {
  rig_disconnect(r);
  rig_connect(r);
}

/* A request whose NAK is lost comes again and is refused again: an event each. Once the queue pair is off
 * all of them are there. */
static void refused(rig *r) {
  toc_event e;
  rig_disconnect(r);
  RIG_MUST(r, toc_event_next(r->p, &e, RIG_US));
  do {
    rig_equal(r, "kind of event", e.kind, TOC_EVENT_REFUSED);
    rig_equal(r, "its syndrome", e.status, NAK_ACCESS);
  } while (rig_good(r) && toc_event_next(r->p, &e, 1) == TOC_OK);
  rig_connect(r);
}

static void g_refused(rig *r) {
  toc_remote only_read, only_write, small, bad = r->at;
  bad.key ^= 0x100;
  RIG_MUST(r, toc_expose(r->p, r->mem, 4096, TOC_READ, &only_read));
  RIG_MUST(r, toc_expose(r->p, r->mem, 4096, TOC_WRITE, &only_write));
  RIG_MUST(r, toc_expose(r->p, r->mem, 100, TOC_READ | TOC_WRITE, &small));
  const struct {
    const char *op;
    uint32_t n;
    toc_remote to;
  } of[] = {{"write", 8, bad},       {"read", 8, bad},        {"add", 8, bad},
            {"write", 8, only_read}, {"read", 8, only_write}, {"add", 8, only_read},
            {"write", 101, small},   {"read", 101, small},    {"write", 8, toc_at(small, 93)},
            {"write", 5000, small}};
  for (unsigned i = 0; i < sizeof of / sizeof *of && rig_good(r); i++) {
    memset(r->mem, 0x5a, 8192);
    rig_guest_fill(r, 0, 8192, 9);
    guest(r, of[i].op, 0, of[i].n, of[i].to, 1, 1, REM_ACCESS);
    for (unsigned k = 0; k < 8192 && rig_good(r); k++) rig_equal(r, "memory after a refusal", r->mem[k], 0x5a);
    refused(r);
  }
  RIG_MUST(r, toc_hide(r->p, only_read));
  RIG_MUST(r, toc_hide(r->p, only_write));
  RIG_MUST(r, toc_hide(r->p, small));
}

/* Linux's queue pair is in error after such a NAK and says it no second time: where the link has lost it, the node
 * learns of no peer. */
static void ends_refused(rig *r, toc_req q) {
  if (!rig_good(r)) return;
  toc_status s = toc_wait(q, RIG_US);
  if (s != TOC_E_ACCESS && !(r->lossy && s == TOC_E_PEER_GONE))
    rig_fail(r, "the node's request ends as %s, want TOC_E_ACCESS (%s)", toc_name(s), toc_why());
}

static void n_refused(rig *r) {
  char answer[RIG_LINE];
  static const struct {
    unsigned rights, op; /* op: 0 put, 1 get, 2 add */
    uint32_t offset, n;
    bool bad;
  } of[] = {{7, 0, 0, 8, true},  {7, 1, 0, 8, true},   {1, 0, 0, 8, false},  {2, 1, 0, 8, false},
            {3, 2, 0, 8, false}, {7, 0, 93, 8, false}, {7, 1, 0, 101, false}};
  for (unsigned i = 0; i < sizeof of / sizeof *of && rig_good(r); i++) {
    toc_req q = {0};
    unsigned key = 0;
    rig_guest_fill(r, 0, 8192, 10);
    if (!rig_ask(r, answer, "key 0 100 %u", of[i].rights)) return;
    if (sscanf(answer, "ok %u", &key) != 1) {
      rig_fail(r, "guest: %.100s", answer);
      return;
    }
    toc_remote to = {r->far + of[i].offset, of[i].bad ? key ^ 0x5500 : key};
    if (of[i].op == 0) RIG_MUST(r, toc_put(r->q, r->mem, to, of[i].n, &q));
    if (of[i].op == 1) RIG_MUST(r, toc_get(r->q, r->mem, to, of[i].n, &q));
    if (of[i].op == 2) RIG_MUST(r, toc_fetch_add(r->q, (uint64_t *)(void *)r->mem, to, 1, &q));
    ends_refused(r, q);
    rig_guest_check(r, 0, 8192, 10);
    again(r);
  }
}

// ---- not ready: the guest has no receive posted, so it says RNR until it has
static void n_not_ready(rig *r) {
  toc_req q;
  rig_fill(r, 0, 64, 3);
  RIG_MUST(r, toc_put_imm(r->q, r->mem, far_at(r, 0), 64, 1, &q));
  if (rig_good(r) && toc_wait(q, r->slow ? 200 : 50000) != TOC_E_TIMEOUT)
    rig_fail(r, "it ended with nobody ready for it");
  rig_ask(r, NULL, "recv 0 0 1");
  ends(r, q, TOC_OK);
  rig_guest_done(r, 1, SUCCESS);
  rig_guest_check(r, 0, 64, 3);
}

const rxe_case rxe_cases[] = {
    {"g_write", g_write, true, 0, 0},
    {"g_read", g_read, true, 0, 0},
    {"n_write", n_write, true, 0, 0},
    {"n_read", n_read, true, 0, 0},
    {"g_imm", g_imm, false, 0, 0},
    {"n_imm", n_imm, false, 0, 0},
    {"g_atomic", g_atomic, true, 0, 0},
    {"n_atomic", n_atomic, true, 0, 0},
    {"g_many", g_many, false, 0, 0},
    {"n_many", n_many, false, 0, 0},
    {"both_many", both_many, false, 0, 0},
    {"g_wrap", g_many, false, 0xffffb0, 0xfffff0},
    {"n_wrap", n_many, false, 0xfffff0, 0xffffe0},
    {"g_refused", g_refused, false, 0, 0},
    {"n_refused", n_refused, false, 0, 0},
    {"n_not_ready", n_not_ready, true, 0, 0},
    {"g_send", sends_guest, true, 0, 0},
    {"n_send", sends_node, true, 0, 0},
    {"g_not_ready", sends_not_ready, false, 0, 0},
    {"g_pingpong", pingpong_guest, true, 0, 0},
    {"n_pingpong", pingpong_node, false, 0, 0},
};
const unsigned rxe_case_count = sizeof rxe_cases / sizeof *rxe_cases;
