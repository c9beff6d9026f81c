// SPDX-License-Identifier: Apache-2.0
// The trace is held in memory as items. An expectation (O, E) is open until it has come. A peer waits for both;
// software for memory, and for a while for frames: it cannot see them, but may have heard of them from the peer. Frames
// that leave are matched at once, stream by stream.
#include "trace_player.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/nic_frame.h"
#include "tocsin/trace.h"

// Where a RoCEv2 frame has its fields, from BTH on.
enum { DST_MAC = 0, OPCODE = 0, QP = 5, PSN = 9, SYNDROME = 12, ACK_BYTES = 20 };

#define MSI 0xfee00000ULL
#define NS_PER_CYCLE 4  // of those who record: 250 MHz

typedef struct item {
  aa_trace_kind kind;
  unsigned line;
  uint8_t size;
  bool flag;                       // err, again
  bool done;                       // an expectation that has come, or need not come any more
  bool seen;                       // a frame that has come
  uint64_t ns, addr, value, mask;  // ns: when it was recorded
  uint32_t bytes;
  uint8_t *data, *care;  // care: bits of memory that count, or NULL
} item;

// Frames to one queue pair of one peer, as requester or as responder: these leave in order.
typedef struct stream {
  uint8_t mac[6];
  uint32_t qp;
  bool responds;
  unsigned *item, n, room;
  unsigned next;  // the first that has not come
  bool acked;     // an ACK or response has come; the last one's PSN
  uint32_t psn;
} stream;

typedef struct parameter {
  char name[24];
  uint64_t value;
} parameter;

struct player {
  const char *name;
  const player_ops *ops;
  void *ctx;
  mem *memory, *want;
  item *item;
  unsigned items, room;
  stream *stream;
  unsigned streams;
  parameter param[32];
  unsigned params;
  player_count count;
  uint64_t read_ns, played_ns;  // of the record just read, of the input just played
  bool bad;
  char why[400];
};

static bool wrong(player *p, unsigned line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool wrong(player *p, unsigned line, const char *fmt, ...) {
  if (p->bad) return false;
  int n = snprintf(p->why, sizeof p->why, line ? "%s:%u: " : "%s: ", p->name, line);
  va_list ap;
  va_start(ap, fmt);
  if (n >= 0 && (size_t)n < sizeof p->why) vsnprintf(p->why + n, sizeof p->why - (size_t)n, fmt, ap);
  va_end(ap);
  p->bad = true;
  return false;
}

static void *grown(void *p, unsigned n, unsigned *room, size_t each) {
  if (n < *room) return p;
  *room = *room ? 2 * *room : 64;
  p = realloc(p, *room * each);
  if (!p) abort();
  return p;
}

// ---- frames
static uint32_t get24(const uint8_t *b) { return (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2]; }

// How far a is ahead of b, of 24 bits.
static int32_t ahead(uint32_t a, uint32_t b) { return (int32_t)((a - b) << 8) >> 8; }

static bool responds(uint8_t opcode) { return opcode >= NIC_OP_READ_FIRST && opcode <= NIC_OP_ATOMIC_ACK; }

// Of a frame that has one.
static const uint8_t *bth(const uint8_t *b) { return b + nic_frame_bth(b, NIC_FRAME_MAX); }

static bool is_ack(const uint8_t *b, size_t n) {
  size_t at = nic_frame_bth(b, n);
  return at && n == at + ACK_BYTES && b[at + OPCODE] == NIC_OP_ACK && !(b[at + SYNDROME] >> 5);
}

// Two ACKs that differ in what they acknowledge, and in nothing else.
static bool same_kind_of_ack(const uint8_t *a, const uint8_t *b, size_t n) {
  size_t at = nic_frame_bth(b, n);
  return at == nic_frame_bth(a, n) && !memcmp(a, b, at + PSN) && a[at + SYNDROME] == b[at + SYNDROME];
}

bool player_frame_bent(const uint8_t *b, size_t n) {
  nic_self to = nic_frame_to(b, n);
  nic_head h;
  const uint8_t *payload;
  return nic_frame_parse(&to, b, n, false, &h, &payload) != NIC_RX_GOOD;
}

static const char *frame_text(const uint8_t *b, size_t n, char *buf, size_t room) {
  if (!nic_frame_bth(b, n))
    snprintf(buf, room, "%zu bytes that are no frame", n);
  else
    snprintf(buf, room, "opcode %02x, QP %06x, PSN %06x, %zu bytes", bth(b)[OPCODE], get24(bth(b) + QP),
             get24(bth(b) + PSN), n);
  return buf;
}

static stream *stream_of(player *p, const uint8_t *b) {
  for (unsigned i = 0; i < p->streams; i++) {
    stream *s = &p->stream[i];
    if (s->qp == get24(bth(b) + QP) && s->responds == responds(bth(b)[OPCODE]) && !memcmp(s->mac, b + DST_MAC, 6))
      return s;
  }
  return NULL;
}

static void stream_add(player *p, const uint8_t *b, unsigned index) {
  stream *s = stream_of(p, b);
  if (!s) {
    p->stream = realloc(p->stream, (p->streams + 1) * sizeof *p->stream);
    if (!p->stream) abort();
    s = &p->stream[p->streams++];
    *s = (stream){.qp = get24(bth(b) + QP), .responds = responds(bth(b)[OPCODE])};
    memcpy(s->mac, b + DST_MAC, 6);
  }
  s->item = grown(s->item, s->n, &s->room, sizeof *s->item);
  s->item[s->n++] = index;
}

static bool same_frame(const item *t, const uint8_t *b, size_t n) { return t->bytes == n && !memcmp(t->data, b, n); }

// All up to number i of the stream have come, or need not come any more.
static void came(player *p, stream *s, unsigned i) {
  for (; s->next <= i; s->next++) {
    item *t = &p->item[s->item[s->next]];
    if (s->next < i && !t->flag) p->count.acks_left_out++;
    t->done = true;
  }
  item *last = &p->item[s->item[i]];
  last->seen = s->acked = true;
  s->psn = get24(bth(last->data) + PSN);
}

// One that has come before. If the trace has it once more, that is it.
static bool came_again(player *p, stream *s, const uint8_t *b, size_t n) {
  bool before = false;
  for (unsigned i = 0; i < s->n && (i < s->next || before); i++) {
    item *t = &p->item[s->item[i]];
    if (!same_frame(t, b, n)) continue;
    before |= t->seen;
    if (t->done || !before) continue;
    t->done = true;
    break;
  }
  return before;
}

// An ACK may be left out when a later one, or a response, says the same; and there may be one more on
// the way to a later one.
static bool ack_fits(player *p, stream *s, const uint8_t *b, size_t n) {
  for (unsigned i = s->next; i < s->n; i++) {
    const item *t = &p->item[s->item[i]];
    if (t->flag) continue;
    if (!is_ack(t->data, t->bytes)) return false;
    if (ahead(get24(bth(t->data) + PSN), get24(bth(b) + PSN)) < 0) continue;
    if (same_frame(t, b, n)) {
      came(p, s, i);
      return true;
    }
    if (!same_kind_of_ack(t->data, b, n) || !ahead(get24(bth(t->data) + PSN), get24(bth(b) + PSN))) return false;
    if (s->acked && ahead(get24(bth(b) + PSN), s->psn) < 0) return false;
    s->acked = true;
    s->psn = get24(bth(b) + PSN);
    p->count.acks_more++;
    return true;
  }
  return false;
}

// Anything else comes in order and bit for bit; ACKs before it may have been left out.
static bool frame_fits(player *p, stream *s, const uint8_t *b, size_t n, const item **next) {
  for (unsigned i = s->next; i < s->n; i++) {
    const item *t = &p->item[s->item[i]];
    if (t->flag || is_ack(t->data, t->bytes)) continue;
    *next = t;
    if (!same_frame(t, b, n)) return false;
    came(p, s, i);
    return true;
  }
  return false;
}

void player_frame_out(player *p, const uint8_t *b, size_t n) {
  char got[80], want[80];
  stream *s = nic_frame_bth(b, n) ? stream_of(p, b) : NULL;
  const item *next = NULL;
  p->count.frames_out++;
  if (s && (is_ack(b, n) ? ack_fits(p, s, b, n) : frame_fits(p, s, b, n, &next))) return;
  if (s && came_again(p, s, b, n)) {
    p->count.again++;
    return;
  }
  for (unsigned i = s ? s->next : 0; s && !next && i < s->n; i++) next = &p->item[s->item[i]];
  frame_text(b, n, got, sizeof got);
  if (!next) {
    wrong(p, 0, "a frame leaves that the trace does not have: %s", got);
    return;
  }
  size_t k = 0;
  while (k < n && k < next->bytes && b[k] == next->data[k]) k++;
  wrong(p, next->line, "another frame leaves: %s; want %s; the first byte that differs is %zu", got,
        frame_text(next->data, next->bytes, want, sizeof want), k);
}

// ---- what is waited for
static bool memory_is(player *p, const item *t, uint64_t *at, uint8_t *got) {
  uint8_t now[AA_TRACE_BYTES];
  mem_read(p->memory, t->addr, now, t->bytes);
  for (uint32_t k = 0; k < t->bytes; k++) {
    if (!((now[k] ^ t->data[k]) & (t->care ? t->care[k] : 0xff))) continue;
    *at = t->addr + k;
    *got = now[k];
    return false;
  }
  mem_write(p->want, t->addr, now, t->bytes);
  return true;
}

static bool has_come(player *p, item *t) {
  uint64_t at;
  uint8_t got;
  if (t->done || t->kind != AA_TRACE_EXP_MEM) return t->done;
  if (!memory_is(p, t, &at, &got)) return false;
  p->count.checks++;
  return t->done = true;
}

static bool missing(player *p, const item *t) {
  char text[80];
  uint64_t at;
  uint8_t got;
  if (t->kind == AA_TRACE_FRAME_OUT)
    return wrong(p, t->line, "this frame never leaves: %s", frame_text(t->data, t->bytes, text, sizeof text));
  if (memory_is(p, t, &at, &got)) return true;
  return wrong(p, t->line, "memory at 0x%" PRIx64 " stays %02x, want %02x", at, got, t->data[at - t->addr]);
}

static bool pass(player *p) { return p->ops->pass(p->ctx) && !p->bad; }

// A wait is at least as long as it was in the record: a time-out of a queue pair may be what comes.
static uint64_t patience(const player *p, const item *t) {
  uint64_t ns = t->ns > p->played_ns ? t->ns - p->played_ns : 0;
  return p->ops->patience + ns / NS_PER_CYCLE / p->ops->cycles;
}

// Until all expectations of a kind from item *from to item `to` have come.
static bool settle(player *p, aa_trace_kind kind, unsigned *from, unsigned to) {
  uint64_t turns = 0;
  for (; *from < to; ++*from) {
    item *t = &p->item[*from];
    if (t->kind != kind || (kind == AA_TRACE_FRAME_OUT && t->flag)) continue;
    for (; !has_come(p, t); turns++) {
      if (turns >= patience(p, t)) return missing(p, t);
      if (!pass(p)) return false;
    }
  }
  return !p->bad;
}

// For frames that may come later or not at all: those that nobody could see who acts now, and those that are sent
// again, which depends on time-outs. As long as frames leave more may, as of the answer to a long read.
static bool settle_for_a_while(player *p, unsigned *from, unsigned to) {
  unsigned turns = 0;
  uint64_t left = p->count.frames_out;
  for (; *from < to; ++*from)
    while (p->item[*from].kind == AA_TRACE_FRAME_OUT && !p->item[*from].done && turns++ < p->ops->patience_again) {
      if (!pass(p)) return false;
      if (p->count.frames_out != left) turns = 0;
      left = p->count.frames_out;
    }
  return !p->bad;
}

static bool rest(player *p, unsigned line) {
  for (unsigned turns = 0; !p->ops->quiet(p->ctx); turns++) {
    if (turns == p->ops->patience) return wrong(p, line, "the node never comes to rest");
    if (!pass(p)) return false;
  }
  return !p->bad;
}

// ---- inputs
static bool reg_read(player *p, const item *t) {
  uint64_t v = 0;
  p->count.reads++;
  for (unsigned turns = 0; p->ops->reg_read(p->ctx, (uint32_t)t->addr, t->size, &v) && !p->bad; turns++) {
    if (!((v ^ t->value) & t->mask)) return true;
    if (t->kind == AA_TRACE_REG_READ)
      return wrong(p, t->line, "register 0x%" PRIx64 " is 0x%" PRIx64 ", want 0x%" PRIx64, t->addr, v, t->value);
    if (turns == p->ops->patience)
      return wrong(p, t->line, "register 0x%" PRIx64 " stays 0x%" PRIx64 ", want 0x%" PRIx64, t->addr, v, t->value);
    if (!pass(p)) return false;
  }
  return false;
}

static bool frame_in(player *p, const item *t) {
  bool taken = false;
  p->count.frames_in++;
  for (unsigned turns = 0; p->ops->frame(p->ctx, t->data, t->bytes, t->flag, &taken) && !p->bad; turns++) {
    if (taken) return true;
    if (turns == p->ops->patience) return wrong(p, t->line, "the node does not take this frame");
    if (!pass(p)) return false;
  }
  return false;
}

static bool input(player *p, const item *t) {
  switch (t->kind) {
    case AA_TRACE_REG_READ:
    case AA_TRACE_WAIT_REG: return reg_read(p, t);
    case AA_TRACE_REG_WRITE: p->count.writes++; return p->ops->reg_write(p->ctx, (uint32_t)t->addr, t->size, t->value);
    case AA_TRACE_FRAME_IN: return frame_in(p, t);
    case AA_TRACE_MEM:
      p->ops->poke(p->ctx, t->addr, t->data, t->bytes);
      mem_write(p->want, t->addr, t->data, t->bytes);
      return true;
    default: return rest(p, t->line);
  }
}

// The record that wrote a byte of memory last, or NULL.
static const item *writer_of(const player *p, uint64_t at) {
  for (unsigned i = p->items; i--;) {
    const item *t = &p->item[i];
    if ((t->kind == AA_TRACE_MEM || t->kind == AA_TRACE_EXP_MEM) && at - t->addr < t->bytes) return t;
  }
  return NULL;
}

static bool same_memory(player *p) {
  uint8_t msi[4096];
  mem_read(p->memory, MSI, msi, sizeof msi);  // interrupts, not memory: how many there are is a matter of time
  mem_write(p->want, MSI, msi, sizeof msi);
  uint64_t at, n = mem_compare(p->memory, p->want, &at);
  if (!n) return true;
  uint8_t got, want;
  mem_read(p->memory, at, &got, 1);
  mem_read(p->want, at, &want, 1);
  const item *t = writer_of(p, at);
  return wrong(p, t ? t->line : 0, "at the end memory at 0x%" PRIx64 " is %02x, want %02x%s; %" PRIu64 " bytes differ",
               at, got, want, t ? "" : ", which the trace never wrote", n);
}

bool player_all(player *p) {
  unsigned memory = 0, frames = 0, perhaps = 0;  // up to where has been waited
  for (unsigned i = 0; i < p->items; i++) {
    aa_trace_kind k = p->item[i].kind;
    if (k == AA_TRACE_FRAME_OUT || k == AA_TRACE_EXP_MEM) continue;
    bool of_software = k != AA_TRACE_FRAME_IN && k != AA_TRACE_QUIET;
    if (!settle(p, AA_TRACE_EXP_MEM, &memory, i)) return false;
    if (!of_software && !settle(p, AA_TRACE_FRAME_OUT, &frames, i)) return false;
    if (!settle_for_a_while(p, &perhaps, i)) return false;
    if (!input(p, &p->item[i]) || p->bad) return false;
    p->played_ns = p->item[i].ns;
  }
  return settle(p, AA_TRACE_EXP_MEM, &memory, p->items) && settle(p, AA_TRACE_FRAME_OUT, &frames, p->items) &&
         rest(p, 0) && same_memory(p);
}

// ---- reading a trace
static const char kinds[] = {AA_TRACE_REG_READ,  AA_TRACE_REG_WRITE, AA_TRACE_WAIT_REG,
                             AA_TRACE_MEM,       AA_TRACE_EXP_MEM,   AA_TRACE_FRAME_IN,
                             AA_TRACE_FRAME_OUT, AA_TRACE_QUIET,     0};

static bool take(player *p, const aa_trace_rec *r, unsigned line) {
  if (r->kind == AA_TRACE_CLOCK) p->read_ns = r->value;
  if (r->kind == AA_TRACE_CLOCK || r->kind == AA_TRACE_TOP) return true;
  if (r->kind == AA_TRACE_PARAM) {
    if (p->params == sizeof p->param / sizeof *p->param) return wrong(p, line, "too many parameters");
    parameter *x = &p->param[p->params++];
    strcpy(x->name, r->name);
    x->value = r->value;
    return true;
  }
  if (!strchr(kinds, (int)r->kind))
    return wrong(p, line, "record %c does not belong into a trace of a node", (char)r->kind);
  if (r->kind == AA_TRACE_FRAME_OUT && !nic_frame_bth(r->data, r->bytes))
    return wrong(p, line, "%u bytes are no frame", r->bytes);
  if (r->kind == AA_TRACE_FRAME_IN && player_frame_bent(r->data, r->bytes) != r->bent)
    return wrong(p, line, "this frame is %s, and the record says that it is %s", r->bent ? "good" : "damaged",
                 r->bent ? "bent" : "good");
  p->item = grown(p->item, p->items, &p->room, sizeof *p->item);
  item *t = &p->item[p->items];
  *t = (item){.kind = r->kind,
              .line = line,
              .size = r->size,
              .flag = r->err || r->again,
              .ns = p->read_ns,
              .addr = r->addr,
              .value = r->value,
              .mask = r->mask,
              .bytes = r->bytes};
  if (r->bytes) {
    size_t all = r->masked ? 2 * (size_t)r->bytes : r->bytes;
    t->data = malloc(all);
    if (!t->data) abort();
    memcpy(t->data, r->data, all);
    if (r->masked) t->care = t->data + r->bytes;
  }
  if (r->kind == AA_TRACE_FRAME_OUT) stream_add(p, t->data, p->items);
  p->items++;
  return true;
}

player *player_new(FILE *file, const char *name, const player_ops *ops, void *ctx, mem *memory, char *why,
                   size_t whys) {
  player *p = calloc(1, sizeof *p);
  aa_trace_rec *r = malloc(sizeof *r);
  if (!p || !r) abort();
  *p = (player){.name = name, .ops = ops, .ctx = ctx, .memory = memory, .want = mem_new()};
  aa_trace t;
  aa_trace_open(&t, file);
  int s;
  while ((s = aa_trace_read(&t, r)) == 1 && take(p, r, t.line)) continue;
  if (s < 0) wrong(p, t.line, "%s", t.why);
  free(r);
  if (!p->bad) return p;
  snprintf(why, whys, "%s", p->why);
  player_free(p);
  return NULL;
}

void player_free(player *p) {
  if (!p) return;
  for (unsigned i = 0; i < p->items; i++) free(p->item[i].data);
  for (unsigned i = 0; i < p->streams; i++) free(p->stream[i].item);
  free(p->item);
  free(p->stream);
  mem_free(p->want);
  free(p);
}

bool player_parameter(const player *p, const char *name, uint64_t *value) {
  for (unsigned i = 0; i < p->params; i++)
    if (!strcmp(p->param[i].name, name)) {
      *value = p->param[i].value;
      return true;
    }
  return false;
}

unsigned player_parameters(const player *p) { return p->params; }
const char *player_why(const player *p) { return p->why; }
player_count player_counts(const player *p) { return p->count; }
