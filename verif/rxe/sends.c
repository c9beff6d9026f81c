// SPDX-License-Identifier: Apache-2.0
// Messages: SEND into receive buffers, at both ends; and ibv_rc_pingpong as Debian has it, in the guest,
// with the node at the other end. Its TCP exchange of "lid:qpn:psn:gid" is served: guest.c is its TCP peer there
// and hands the texts on.
#include <stdlib.h>
#include <string.h>

#include "rxe.h"

enum { SUCCESS = 0, BUFFERS = 4, EACH = 32768, POOL = RIG_BYTES / 2, ROUNDS = 100, ROUNDS_SLOW = 20, DEPTH = 16 };

static const uint32_t sizes[] = {0, 1, 63, 64, 65, 255, 256, 257, 1024, 1025, 4096, 4097, 20000};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* One message a buffer, as verbs have it. */
static bool post(rig *r, unsigned i) {
  return RIG_MUST(r, toc_recv_post(r->p, r->mem + POOL + i % BUFFERS * EACH, EACH, EACH, NULL));
}

/* The next message; the buffers that are used up are told of between. */
static bool message(rig *r, toc_event *e) {
  do {
    if (!RIG_MUST(r, toc_event_next(r->p, e, RIG_US))) return false;
  } while (e->kind == TOC_EVENT_BUFFER);
  return rig_equal(r, "kind of event", e->kind, TOC_EVENT_RECV);
}

static bool is(rig *r, const toc_event *e, uint32_t bytes, uint32_t seed) {
  if (!rig_equal(r, "bytes of a message", e->bytes, bytes)) return false;
  size_t at = bytes ? pattern_differs(e->ptr, bytes, seed) : 0;
  return at == bytes || rig_fail(r, "byte %zu of a message of %u differs", at, bytes);
}

static void clear(rig *r) {
  uint32_t n;
  if (r->p && toc_recv_withdraw(r->p, &n) != TOC_OK) rig_fail(r, "toc_recv_withdraw: %s", toc_why());
}

void sends_guest(rig *r) {
  static const char *const op[] = {"send", "send_imm"};
  toc_event e;
  for (unsigned i = 0; i < 2 * SIZES && rig_good(r); i++) {
    uint32_t n = sizes[i / 2];
    post(r, i);
    rig_guest_fill(r, 3, n, i);
    rig_ask(r, NULL, "post %s 3 %u 0 0 %u", op[i % 2], n, 0xc0000000u + i);
    rig_guest_done(r, 1, SUCCESS);
    if (!message(r, &e)) break;
    is(r, &e, n, i);
    rig_equal(r, "kind of message", e.status, i % 2 ? TOC_RECV_IMM : TOC_RECV_PLAIN);
    if (i % 2) rig_equal(r, "immediate", e.value, 0xc0000000u + i);
  }
  toc_remote hidden;
  post(r, 0);
  RIG_MUST(r, toc_expose(r->p, r->mem, 4096, TOC_WRITE, &hidden));
  rig_guest_fill(r, 0, 100, 5);
  rig_ask(r, NULL, "post send_inv 0 100 0 0 %u", hidden.key);
  rig_guest_done(r, 1, SUCCESS);
  if (rig_good(r) && message(r, &e)) {
    is(r, &e, 100, 5);
    rig_equal(r, "kind of message", e.status, TOC_RECV_INVALIDATE);
    rig_equal(r, "its key", e.value, hidden.key);
    if (rig_good(r) && toc_hide(r->p, hidden) != TOC_E_ARG) rig_fail(r, "the region is there still");
  }
  clear(r);
}

void sends_node(rig *r) {
  char answer[RIG_LINE];
  toc_req q;
  for (uint32_t i = 0; i < 2 * SIZES && rig_good(r); i++) {
    uint32_t n = sizes[i / 2];
    unsigned status, opcode, bytes, imm;
    rig_fill(r, 0, n, i + 50);
    rig_ask(r, NULL, "recv 7 %u 1", EACH);
    RIG_MUST(r, i % 2 ? toc_send_imm(r->q, r->mem, n, 0xd0000000u + i, &q) : toc_send(r->q, r->mem, n, &q));
    RIG_MUST(r, toc_wait(q, RIG_US));
    if (!rig_ask(r, answer, "wait 1")) return;
    if (sscanf(answer, "ok %u:%u:%u:%x", &status, &opcode, &bytes, &imm) != 4) {
      rig_fail(r, "guest: %.100s", answer);
      return;
    }
    rig_equal(r, "status", status, SUCCESS);
    rig_equal(r, "bytes", bytes, n);
    rig_equal(r, "immediate", imm, i % 2 ? 0xd0000000u + i : 0);
    rig_guest_check(r, 7, n, i + 50);
  }
}

/* Nobody has a buffer for it: RNR NAKs until the node posts one. */
void sends_not_ready(rig *r) {
  toc_event e;
  rig_guest_fill(r, 0, 3000, 8);
  rig_ask(r, NULL, "post send 0 3000 0 0");
  if (rig_good(r) && toc_event_next(r->p, &e, r->slow ? 200 : 50000) != TOC_E_TIMEOUT && e.kind != TOC_EVENT_REFUSED)
    rig_fail(r, "an event of kind %u with nobody ready", e.kind);
  post(r, 0);
  do {
    if (!RIG_MUST(r, toc_event_next(r->p, &e, RIG_US))) return;
  } while (e.kind == TOC_EVENT_REFUSED || e.kind == TOC_EVENT_BUFFER);
  rig_equal(r, "kind of event", e.kind, TOC_EVENT_RECV);
  is(r, &e, 3000, 8);
  rig_guest_done(r, 1, SUCCESS);
  clear(r);
}

// ---- ibv_rc_pingpong
typedef struct game {
  unsigned rounds, bytes;
  char args[200];
} game;

static game begin(rig *r, toc_address *own) {
  game g = {r->slow ? ROUNDS_SLOW : ROUNDS, r->mtu < 1024 ? 1500 : 4096, ""};
  toc_qp_options o = {.mtu = r->mtu, .timeout_us = r->timeout_us};
  rig_disconnect(r);
  RIG_MUST(r, toc_qp_open(r->p, &o, &r->q));
  RIG_MUST(r, toc_qp_address(r->q, own));
  snprintf(g.args, sizeof g.args, "-d rxe0 -i 1 -g %d -n %u -s %u -m %u -r %u", r->gid_index[r->path], g.rounds,
           g.bytes, r->mtu, DEPTH);
  return g;
}

static void text_of(const rig *r, const toc_address *a, char *text) {
  int n = sprintf(text, "0000:%06x:%06x:", a->qp, a->psn);
  rig_gid(r, a, text + n);
}

static bool meet(rig *r, const char *said) {
  unsigned qpn, psn;
  char gid[33];
  if (!rig_good(r)) return false;
  if (sscanf(said, "pp %*x:%x:%x:%32s", &qpn, &psn, gid) != 3) return rig_fail(r, "pingpong says '%.200s'", said);
  toc_address far = rig_far(r, gid, qpn, psn);
  return RIG_MUST(r, toc_qp_connect(r->q, &far));
}

/* The last line is its own measurement: so many bytes, both ways. */
static void over(rig *r, const game *g) {
  char line[RIG_LINE], want[60];
  if (!rig_hear(r, line)) return;
  snprintf(want, sizeof want, "%u bytes in", 2 * g->rounds * g->bytes);
  if (!strstr(line, want)) rig_fail(r, "no '%s' in what pingpong says: %.300s", want, line);
  clear(r);
}

/* All that the node has sent is acknowledged; but the stock program leaves with its last message, and where the link
 * loses what acknowledges it (how much has come it says itself) the node learns of no peer. */
static bool sent(rig *r, bool last) {
  if (!rig_good(r)) return false;
  toc_status s = toc_wait_all(r->q, RIG_US);
  return s == TOC_OK || (last && r->lossy && s == TOC_E_PEER_GONE) ||
         rig_fail(r, "messages end as %s: %s", toc_name(s), toc_why());
}

void pingpong_guest(rig *r) {
  toc_address own = {0};
  toc_event e;
  char line[RIG_LINE], text[100];
  game g = begin(r, &own);
  if (!rig_ask(r, line, "pingpong %s", g.args) || !meet(r, line)) return;
  for (unsigned i = 0; i < BUFFERS - 1; i++) post(r, i);
  text_of(r, &own, text);
  rig_tell(r, text);
  for (unsigned i = 0; i < g.rounds && rig_good(r); i++) {
    if (!message(r, &e)) break;
    rig_equal(r, "bytes of a ping", e.bytes, g.bytes);
    RIG_MUST(r, toc_send(r->q, e.ptr, e.bytes, NULL));
    sent(r, i + 1 == g.rounds);
    post(r, BUFFERS - 1 + i);
  }
  over(r, &g);
}

void pingpong_node(rig *r) {
  toc_address own = {0};
  toc_event e;
  char line[RIG_LINE], text[100];
  game g = begin(r, &own);
  text_of(r, &own, text);
  if (!rig_ask(r, line, "pingserve %s %s", text, g.args) || !meet(r, line)) return;
  for (unsigned i = 0; i < BUFFERS - 1; i++) post(r, i);
  rig_tell(r, "begin");
  rig_fill(r, 0, g.bytes, 1);
  for (unsigned i = 0; i < g.rounds && rig_good(r); i++) {
    RIG_MUST(r, toc_send(r->q, r->mem, g.bytes, NULL));
    if (!message(r, &e)) break;
    rig_equal(r, "bytes of a pong", e.bytes, g.bytes);
    post(r, BUFFERS - 1 + i);
  }
  sent(r, true);
  over(r, &g);
}
