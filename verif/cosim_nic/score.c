// SPDX-License-Identifier: Apache-2.0
// Requests at random, and what must come of each: images of remote memory as they must be after every request of a QP
// in order, counters, lists of tasks. Nothing here looks at the model.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sw.h"

static uint32_t length(rng *r) {
  switch (rng_below(r, 8)) {
    case 0: return 0;
    case 1: return rng_below(r, 8);
    case 2:
    case 3: return rng_below(r, 70);
    case 4: return 256u << rng_below(r, 5);  // a packet's limit
    case 5: return rng_below(r, 7000);
    default: return rng_below(r, 1500);
  }
}

static void put(net *w, stream *t, op_rec *o, uint8_t *b) {
  rng *r = &w->rng;
  if (t->puts == t->puts_cap) t->put = realloc(t->put, (t->puts_cap = 2 * t->puts_cap + 64) * sizeof *t->put);
  if (!t->put) abort();
  put_rec *p = &t->put[t->puts];
  *p = (put_rec){
      .kind = (uint8_t)rng_below(r, 2), .queue = (uint8_t)rng_below(r, 3), .code = (uint8_t)(1 + rng_below(r, 2))};
  p->args = 16 * rng_range(r, 1, 5);
  p->pay = rng_1in(r, 4) ? 0 : rng_1in(r, 5) ? rng_below(r, 5000) : rng_below(r, 300);
  if (p->kind == KERNEL && p->code == 2) p->args -= 16;  // may be none, with no payload
  if (p->kind == KERNEL && !p->args) p->pay = 0;
  if (p->kind == FUNCTION) p->args = 16 * rng_below(r, 3);
  sw_command(b, p->kind, p->code, p->queue);
  le_put(b + (p->kind == KERNEL ? 12 : 40), 4, t->id << 20 | t->puts);
  for (uint32_t k = 0; k < p->args; k++) b[64 + k] = score_payload(t->id, t->puts, k) ^ 0xff;
  for (uint32_t k = 0; k < p->pay; k++) p->sum += b[64 + p->args + k] = score_payload(t->id, t->puts, k);
  o->e.op = SQ_XTQ;
  o->e.imm = p->kind;
  o->e.proc = (uint16_t)t->proc;
  o->e.len1 = 64 + p->args;
  o->e.len2 = p->pay;
  o->put = t->puts++;
}

// One that must be refused, and how it ends.
static void bad(net *w, stream *t, op_rec *o, uint8_t *b) {
  rng *r = &w->rng;
  unsigned how = rng_below(r, 14);
  sw_command(b, KERNEL, 1, 0);
  o->e.len1 = rng_range(r, 1, 900);
  o->status = NIC_ST_REM_ACCESS;
  switch (how) {
    case 0: o->e.rkey ^= 0x100; break;                                     // no such key
    case 1: o->e.op = SQ_READ, o->e.rkey ^= 1; break;                      // the other region's
    case 2: o->e.remote = sw_va(t->proc, SW_POOL) - o->e.len1 + 1; break;  // a byte beyond
    case 3: o->e.op = SQ_ADD, o->e.remote &= ~7ull; break;                 // no right of atomics there
    case 4:
      o->e.op = SQ_CAS;
      o->e.rkey ^= 1;
      o->e.remote = sw_va(t->proc, SW_CELL) + 4;  // misaligned
      o->status = NIC_ST_REM_INVALID;
      break;
    case 5:
      o->e.op = (uint8_t)rng_range(r, 8, 255);
      o->status = NIC_ST_BAD_ENTRY;
      break;
    case 6:
      o->e.op = SQ_READ;
      o->e.len2 = 1;
      o->status = NIC_ST_BAD_ENTRY;
      break;
    case 12:
    case 13: inbox_bad(w, t, o); break;
    default:  // tasks that the target refuses
      o->e.op = SQ_XTQ;
      o->e.proc = (uint16_t)t->proc;
      o->e.len1 = 64 + 16;
      o->e.len2 = rng_below(r, 400);
      o->status = NIC_ST_REM_INVALID;
      if (how == 7) o->e.proc ^= (uint16_t)(1u << rng_below(r, 16));
      if (how == 8) o->e.imm = rng_range(r, 2, 255);
      if (how == 9) le_put(b + 32, 8, rng_1in(r, 2) ? rng_u64(r) | 1ull << 40 : 7);
      if (how == 10) b[48 + rng_below(r, 2)] |= 0x80;
      if (how == 11) b[0] = (uint8_t)(rng_1in(r, 2) ? 4 : 3);
      break;
  }
}

static uint32_t imm(stream *t) {
  if (t->imm_sent == t->imm_cap)
    t->imm_may = realloc(t->imm_may, (t->imm_cap = 2 * t->imm_cap + 64) * sizeof *t->imm_may);
  if (!t->imm_may) abort();
  t->imm_may[t->imm_sent] = false;
  return t->imm_sent++;
}

// A read of a page that blocks: the responder stops for good, so nothing else is asked of the queue pair
// until it has been off.
static void barred(net *w, stream *t, op_rec *o) {
  o->e.op = SQ_READ;
  o->e.len1 = rng_range(&w->rng, 1, 900);
  o->status = NIC_ST_REM_OPERATION;
  t->mend = board_of(w)->s[t->id ^ 1].mend = true;
}

static void draw_write(net *w, stream *t, op_rec *o, unsigned op, uint32_t from, const uint8_t *b, uint32_t len) {
  node *at = &w->node[t->to];
  memcpy(o->want, &t->image[o->slot][from], len);
  if (!at->active || at->active->put(at, t->qp, t->posted, o->slot, o->e.remote, b, len))
    memcpy(&t->image[o->slot][from], b, len);
  o->e.op = (uint8_t)op;
  o->e.len1 = rng_1in(&w->rng, 2) ? len : rng_below(&w->rng, len + 1);
  o->e.len2 = len - o->e.len1;
  if (op == SQ_WRITE_IMM) o->e.imm = imm(t);
}

static void draw_read(stream *t, op_rec *o, uint32_t from, uint32_t len) {
  o->e.op = SQ_READ;
  o->e.len1 = len;
  memcpy(o->want, &t->image[o->slot][from], len);
  t->reading[o->slot]++;
}

// Into a cell that all share, or one of the queue pair's own, whose old value is known.
static void draw_add(net *w, stream *t, op_rec *o) {
  o->e.op = SQ_ADD;
  o->e.rkey ^= 1;
  o->e.swap = 1;
  o->e.remote = sw_va(t->proc, SW_SHARED);
  if (rng_1in(&w->rng, 2)) {
    w->node[t->to].sw->p[t->proc].shared++;
  } else {
    o->e.remote = sw_va(t->proc, SW_CELL + 64 * t->qp);
    o->e.swap = rng_u64(&w->rng);
    o->old = t->sum;
    t->sum += o->e.swap;
  }
}

static void draw_swap(net *w, stream *t, op_rec *o) {
  o->e.op = SQ_CAS;
  o->e.rkey ^= 1;
  o->e.remote = sw_va(t->proc, SW_CELL + 64 * t->qp + 8);
  o->e.swap = rng_u64(&w->rng);
  o->e.compare = t->cell + rng_1in(&w->rng, 4);
  o->old = t->cell;
  if (o->e.compare == t->cell) t->cell = o->e.swap;
}

static void draw_operation(net *w, stream *t, op_rec *o, unsigned op, uint32_t from, uint8_t *b, uint32_t len) {
  switch (op) {
    case SQ_WRITE:
    case SQ_WRITE_IMM: draw_write(w, t, o, op, from, b, len); break;
    case SQ_READ: draw_read(t, o, from, len); break;
    case SQ_ADD: draw_add(w, t, o); break;
    case SQ_CAS: draw_swap(w, t, o); break;
    case SQ_SEND:
      if (inbox_takes(w, t)) {
        inbox_post(w, t, o, b, len);
        break;
      }
      /* fall through */
    default: put(w, t, o, b); break;
  }
}

// The bytes into memory, the entry into its place of the ring.
static void entry_to_ring(net *w, const stream *t, op_rec *o, const uint8_t *b, size_t most) {
  node *n = &w->node[t->from];
  rng *r = &w->rng;
  if (o->e.op == SQ_ADD || o->e.op == SQ_CAS) o->e.len1 = rng_1in(r, 2) ? 8 : 0;  // it is taken as 8
  o->e.va2 = o->e.va1 + o->e.len1;
  if (o->e.op <= SQ_WRITE_IMM || (o->e.op >= SQ_XTQ && o->e.len1 + o->e.len2 <= most))
    node_poke(n, t->proc, o->e.va1, b, (size_t)o->e.len1 + o->e.len2);
  else if (o->e.op == SQ_READ)
    node_poke(n, t->proc, o->e.va1, b, o->e.len1);
  o->flat = o->status == NIC_ST_DONE && rng_1in(r, 4) && (o->e.op <= SQ_WRITE_IMM || o->e.op >= SQ_XTQ);
  o->e.flags = (uint8_t)((o->flat ? 0 : 1) | rng_below(r, 2) << 1 | (o->e.op == SQ_SEND && o->e.proc ? 4 : 0));
  uint8_t raw[64];
  sw_entry_put(raw, &o->e);
  node_poke(n, t->proc,
            sw_va(t->proc, SW_RING + 0x1000 * t->qp + 64 * ((t->posted - t->base) & ((1u << t->ring_size) - 1))), raw,
            64);
}

void score_post(net *w, stream *t) {
  board *s = board_of(w);
  rng *r = &w->rng;
  unsigned k = t->posted % SW_SLOTS, op = rng_below(r, 8);
  op_rec *o = &t->op[k];
  static uint8_t b[SW_SLOT];
  if (t->mend) return;
  memset(&o->e, 0, sizeof o->e);
  o->e.va1 = sw_va(t->proc, SW_LOCAL + 0x20000 * t->qp + SW_SLOT * k) + rng_below(r, 4) * rng_below(r, 33);
  o->status = NIC_ST_DONE;
  o->slot = rng_below(r, SW_SLOTS);
  uint32_t from = rng_below(r, 900), len = length(r);
  o->e.rkey = SW_KEY | (2 * t->proc + 1);
  bool wrong = s->opt.p_bad && rng_below(r, 1000) < s->opt.p_bad, bar = false;
  node *at = &w->node[t->to];
  if (at->active && !wrong) {  // pages behind the slots block: puts vanish
    bar = s->opt.p_bad && t->posted == t->ended && rng_1in(r, 40);
    if (bar || (op <= SQ_WRITE_IMM && rng_1in(r, 16))) o->slot = SW_SLOTS;
  }
  o->e.remote = sw_va(t->proc, SW_REMOTE + 0x20000 * t->qp + SW_SLOT * o->slot + from);
  if (!wrong && op <= SQ_WRITE_IMM && t->reading[o->slot]) return;  // a get asked again may see a later put
  if (!wrong && !bar && op <= SQ_WRITE_IMM && at->active && !at->active->room(at, t->qp, o->slot, len)) return;
  for (uint32_t i = 0; i < sizeof b; i += 8) {
    uint64_t v = rng_u64(r);
    memcpy(&b[i], &v, 8);
  }
  if (wrong)
    bad(w, t, o, b);
  else if (bar)
    barred(w, t, o);
  else
    draw_operation(w, t, o, op, from, b, len);
  entry_to_ring(w, t, o, b, sizeof b);
  o->no_room = at->no_room[t->qp];
  o->not_ready = at->not_ready[t->qp];
  o->harmed = w->harmed[t->qp];
  o->doubled = w->doubled[t->qp];
  o->held_up = at->held_up;
  t->posted++;
  s->left--;
}

static void wrong(net *w, const stream *t, const char *what, uint64_t got, uint64_t want) {
  net_fail(w, "score", "node %u, QP %u, request %u (operation %u): %s: got %" PRIx64 ", want %" PRIx64, t->from, t->qp,
           t->ended, t->op[t->ended % SW_SLOTS].e.op, what, got, want);
}

static void moved(net *w, stream *t) { t->moved = board_of(w)->progress = w->cycle; }

void score_end(net *w, stream *t, const sw_event *e) {
  board *s = board_of(w);
  node *n = &w->node[t->from];
  op_rec *o = &t->op[t->ended % SW_SLOTS];
  static uint8_t b[SW_SLOT];
  if (t->ended == t->posted) {
    wrong(w, t, "an end without request; requests", t->ended, t->posted);
    return;
  }
  bool atomic = o->e.op == SQ_ADD || o->e.op == SQ_CAS;
  if (e) {
    uint32_t len = atomic ? 8 : o->e.len1 + o->e.len2, at = (t->ended - t->base) & 0xffff;
    if (e->status != o->status &&
        pair_excuses(w, t, e->status)) {  // what has come of it will be seen when both ends are off
      pair_off(w, t->qp);
      return;
    }
    // the NAK of a responder that has stopped may be lost, and there is no other
    bool lost = t->mend && o->status == NIC_ST_REM_OPERATION && e->status == NIC_ST_TIMEOUT;
    if (e->status != o->status && !lost) wrong(w, t, "status", e->status, o->status);
    if (e->word != at) wrong(w, t, "entry", e->word, at);
    if (e->len != len) wrong(w, t, "length", e->len, len);
  }
  if (o->status != NIC_ST_DONE) {  // go on after all that this one has sent is surely gone
    t->stopped = true;
    t->again_at = w->cycle + 20000;
  } else if (o->e.op == SQ_READ) {
    node_peek(n, t->proc, o->e.va1, b, o->e.len1);
    for (uint32_t k = 0; k < o->e.len1; k++)
      if (b[k] != o->want[k] && !w->failed) {
        net_fail(w, "score", "node %u, QP %u, request %u reads %u bytes of %" PRIx64 ": byte %u: got %02x, want %02x",
                 t->from, t->qp, t->ended, o->e.len1, o->e.remote, k, b[k], o->want[k]);
      }
    t->reading[o->slot]--;
  } else if (atomic) {
    uint64_t got = node_peek64(n, t->proc, o->e.va1);
    if (o->e.remote != sw_va(t->proc, SW_SHARED)) {
      if (got != o->old) wrong(w, t, "the value before", got, o->old);
    } else {
      if (t->shared_seen && got < t->shared_seen) wrong(w, t, "the common counter, at least", got, t->shared_seen);
      t->shared_seen = got + 1;
    }
  }
  t->ended++;
  moved(w, t);
  s->ended++;
}

// ---- a queue pair has gone off
static bool writes(const op_rec *o) { return o->status == NIC_ST_DONE && o->e.op <= SQ_WRITE_IMM; }

static uint32_t offset_of(const stream *t, const op_rec *o) {  // in its slot
  return (uint32_t)(o->e.remote - sw_va(t->proc, SW_REMOTE + 0x20000 * t->qp + SW_SLOT * o->slot));
}

// The bytes of a write that has not ended are what was there before it, or before one behind it,
// or what all of them leave.
static bool possible(const stream *t, unsigned slot, uint32_t at, uint8_t byte) {
  if (t->image[slot][at] == byte) return true;
  for (uint32_t k = t->ended; k != t->posted; k++) {
    const op_rec *o = &t->op[k % SW_SLOTS];
    uint32_t from = offset_of(t, o);
    if (writes(o) && o->slot == slot && at - from < o->e.len1 + o->e.len2 && o->want[at - from] == byte) return true;
  }
  return false;
}

static void lost_write(net *w, stream *t, const op_rec *o, uint32_t number) {
  static uint8_t b[SW_SLOT];
  uint32_t len = o->e.len1 + o->e.len2, from = offset_of(t, o);
  node_peek(&w->node[t->to], t->proc, o->e.remote, b, len);
  for (uint32_t k = 0; k < len; k++)
    if (!possible(t, o->slot, from + k, b[k])) {
      net_fail(w, "score", "node %u, QP %u, request %u, lost: byte at %" PRIx64 ": got %02x, which nobody has written",
               t->from, t->qp, number, o->e.remote + k, b[k]);
      return;
    }
  if (o->e.op == SQ_WRITE_IMM) t->imm_may[o->e.imm] = true;
}

static void lost_atomic(net *w, stream *t, const op_rec *o, uint64_t *now) {
  uint64_t there = node_peek64(&w->node[t->to], t->proc, o->e.remote);
  bool known = there == *now;
  for (uint32_t k = t->ended; k != t->posted; k++) {
    const op_rec *x = &t->op[k % SW_SLOTS];
    known |= x->status == NIC_ST_DONE && x->e.op == o->e.op && x->e.remote == o->e.remote && x->old == there;
  }
  if (!known) wrong(w, t, "a lost atomic leaves a value that no one has made", there, *now);
  *now = there;
}

void score_lost(net *w, stream *t) {
  board *s = board_of(w);
  node *n = &w->node[t->to];
  if (n->active) n->active->lost(n, t->qp, t->ended);
  for (uint32_t k = t->ended; k != t->posted; k++) {
    op_rec *o = &t->op[k % SW_SLOTS];
    if (o->status != NIC_ST_DONE) continue;  // it would have been refused
    if (writes(o)) lost_write(w, t, o, k);
    if (o->e.op == SQ_READ) t->reading[o->slot]--;
    if (o->e.op == SQ_ADD && o->e.remote == sw_va(t->proc, SW_SHARED))
      n->sw->p[t->proc].shared_may++;
    else if (o->e.op == SQ_ADD)
      lost_atomic(w, t, o, &t->sum);
    if (o->e.op == SQ_CAS) lost_atomic(w, t, o, &t->cell);
    if (o->e.op == SQ_XTQ) t->put[o->put].may = true;
    if (o->e.op >= SQ_SEND) inbox_may(t, o->put);
  }
  // What is there is what goes on.
  for (uint32_t k = t->ended; k != t->posted; k++) {
    const op_rec *o = &t->op[k % SW_SLOTS];
    if (writes(o)) node_peek(n, t->proc, o->e.remote, &t->image[o->slot][offset_of(t, o)], o->e.len1 + o->e.len2);
  }
  s->ended += t->posted - t->ended;
  t->ended = t->posted;
  moved(w, t);
}
