// SPDX-License-Identifier: Apache-2.0
// Two NICs back to back over a link that loses, doubles, overtakes and damages frames. Both ends put, get, change
// atomically and start tasks at the other end; an agent runs the tasks, and also enqueues tasks of its own. What must
// come of all that is kept in small references: images of remote memory as they must be after each request of a QP in
// order, counters, lists of tasks. Then everything that node 1 did is put into a second model of it, record by record,
// which must do the very same.
//
//   test_nic_pair [seed [requests]]
#include "nic_world.h"

enum {
  QPS = 4,  // QPs 0, 1 belong to process 1, QPs 2, 3 to process 2; QP i talks to QP i
  STREAMS = 2 * QPS,
  SLOTS = 8,  // requests of a QP under way
  SLOT = 2048,
  RING_SIZE = 4,
  EQ_SIZE = 9,
  EQ = 0,
  RINGS = 0x8000,    // + 0x1000 * QP
  LOCAL = 0x10000,   // + 0x4000 * QP
  REMOTE = 0x40000,  // + 0x4000 * QP
  CELLS = 0x50000,   // + 64 * QP: add, compare-swap
  SHARED = 0x50200,  // counter of the process
  QUEUES = 0x60000,  // + 0x1000 * queue: ring of 4, index block at 0x800, doorbell at 0x900
  SIGNAL = 0x68000,
  TABLES = 0x70000,
  TARGET = 0x7000,
  POOL = 0x80000,
  POOLS = 64,
  POOL_SIZE = 0x800,
  LINKS = 1024,
  PUTS = 16384,
  OWN = 0xfffffff  // tasks of the agent's own
};

typedef struct put_rec {  // what a task must be
  uint8_t kind, queue, code;
  uint32_t args, pay;
  bool run;
} put_rec;

typedef struct op_rec {
  entry e;
  unsigned slot;
  bool flat;     // it asks for no event
  uint64_t old;  // atomics: what must come back
  uint8_t want[SLOT];
} op_rec;

typedef struct stream {  // one direction of a QP pair
  op_rec op[SLOTS];
  uint32_t posted, ended, left;
  uint8_t image[SLOTS][SLOT];
  unsigned reading[SLOTS];
  uint64_t sum, cell;
  uint32_t imm_sent, imm_seen;
  uint32_t puts, last_run[3];
  put_rec *put;
  uint64_t shared_seen;  // the last value that the common counter had
} stream;

static node nodes[2];
static stream str[STREAMS];
static uint64_t shared[2][PROCS], signals[2][PROCS];
static uint32_t pool_next[2][PROCS], own_sent[2][PROCS], own_run[2][PROCS];

static unsigned proc_of(unsigned qp) { return 1 + qp / 2; }
static uint8_t *mem(unsigned id, unsigned p, uint64_t va) { return nodes[id].mem[p] + va; }

// Byte k of the payload of a task.
static uint8_t payload(unsigned s, uint32_t seq, uint32_t k) { return (uint8_t)(s * 31 + seq * 7 + k * 13 + (k >> 8)); }

// ---- the link
typedef struct flight {
  uint64_t at;
  unsigned to;
  wire_frame f;
} flight;
static flight air[LINKS];
static unsigned flights;
static struct { unsigned lost, doubled, late, bent; } link_did;

static void fly(unsigned to, const wire_frame *f, uint64_t at, bool bend) {
  if (flights == LINKS) return;
  flight *l = &air[flights++];
  l->at = at;
  l->to = to;
  l->f = *f;
  if (bend) l->f.b[below((uint32_t)f->n)] ^= (uint8_t)(1u << below(8));
}

static void link_step(uint64_t now) {
  for (unsigned id = 0; id < 2; id++)
    while (nodes[id].out_head != nodes[id].out_tail) {
      const wire_frame *f = &nodes[id].out[nodes[id].out_head++ % FRAMES];
      unsigned luck = below(1000);
      if (luck < 15) {
        link_did.lost++;
        continue;
      }
      if (luck < 30) link_did.doubled++, fly(!id, f, now + below(12), false);
      if (luck >= 30 && luck < 45) link_did.late++;
      if (luck >= 45 && luck < 55) link_did.bent++;
      fly(!id, f, now + (luck >= 30 && luck < 45 ? 5 + below(15) : 2), luck >= 45 && luck < 55);
    }
  for (unsigned i = 0; i < flights;) {
    if (air[i].at > now) {
      i++;
      continue;
    }
    node *n = &nodes[air[i].to];
    if (nic_rx(n->m, air[i].f.b, air[i].f.n, false) == NIC_OK && n->hear) n->hear(n, HEAR_RX, &air[i].f.n, air[i].f.b);
    memmove(&air[i], &air[i + 1], (--flights - i) * sizeof *air);
  }
}

// ---- initiators
static void fill(uint8_t *p, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) p[i] = (uint8_t)rnd();
}

static void post_put(unsigned s, op_rec *o, uint8_t *local) {
  stream *t = &str[s];
  put_rec *r = &t->put[t->puts];
  *r = (put_rec){.kind = (uint8_t)below(2), .queue = (uint8_t)below(3), .code = (uint8_t)(1 + below(2))};
  r->args = 16 * (1 + below(4));
  r->pay = below(4) ? below(900) : 0;
  if (r->kind == KERNEL && r->code == 2 && !r->pay) r->args -= 16;  // may be none
  if (r->kind == FUNCTION) r->args = 16 * below(3);
  command(local, r->kind, r->code, r->queue);
  put32(local + (r->kind == KERNEL ? 12 : 40), s << 20 | t->puts);
  for (uint32_t k = 0; k < r->args; k++) local[64 + k] = payload(s, t->puts, k) ^ 0xff;
  for (uint32_t k = 0; k < r->pay; k++) local[64 + r->args + k] = payload(s, t->puts, k);
  o->e.op = OP_XTQ;
  o->e.imm = r->kind;
  o->e.proc = (uint16_t)proc_of(s % QPS);
  o->e.len1 = 64 + r->args;
  o->e.len2 = r->pay;
  t->puts++;
}

static void post_one(unsigned s) {
  stream *t = &str[s];
  unsigned id = s / QPS, qp = s % QPS, p = proc_of(qp), k = t->posted % SLOTS, op = below(7);
  op_rec *o = &t->op[k];
  uint64_t local = LOCAL + 0x4000 * qp + SLOT * k;
  uint8_t *b = mem(id, p, local);
  memset(o, 0, sizeof *o);
  o->slot = below(SLOTS);
  uint32_t from = below(400), len = below(3) ? below(1500) : below(20);
  o->e = (entry){.va1 = local, .rkey = KEY | p, .remote = REMOTE + 0x4000 * qp + SLOT * o->slot + from};
  switch (op) {
    case OP_WRITE:
    case OP_WRITE_IMM:
      if (t->reading[o->slot]) return;  // a get asked again may see a later put: software must not do that
      fill(b, len);
      memcpy(&t->image[o->slot][from], b, len);
      o->e.op = (uint8_t)op;
      o->e.len1 = below(len + 1);
      o->e.len2 = len - o->e.len1;
      if (op == OP_WRITE_IMM) o->e.imm = t->imm_sent++;
      break;
    case OP_READ:
      o->e.op = OP_READ;
      o->e.len1 = len;
      memcpy(o->want, &t->image[o->slot][from], len);
      t->reading[o->slot]++;
      break;
    case OP_ADD:
      o->e.op = OP_ADD;
      if (below(2)) {
        o->e.remote = SHARED;
        o->e.swap = 1;
        shared[!id][p]++;
      } else {
        o->e.remote = CELLS + 64 * qp;
        o->e.swap = rnd();
        o->old = t->sum;
        t->sum += o->e.swap;
      }
      break;
    case OP_CAS:
      o->e.op = OP_CAS;
      o->e.remote = CELLS + 64 * qp + 8;
      o->e.swap = rnd();
      o->e.compare = t->cell + !below(4);
      o->old = t->cell;
      if (o->e.compare == t->cell) t->cell = o->e.swap;
      break;
    default: post_put(s, o, b); break;
  }
  o->e.va2 = o->e.va1 + o->e.len1;
  o->flat = !nodes[id].contexts && !below(4) && o->e.op != OP_READ && o->e.op != OP_ADD && o->e.op != OP_CAS;
  o->e.flags = !o->flat;
  t->posted++;
  t->left--;
  post(&nodes[id], qp, p, RINGS + 0x1000 * qp, RING_SIZE, &o->e);
}

static void end_one(unsigned s, const ev *e) {
  stream *t = &str[s];
  unsigned id = s / QPS, p = proc_of(s % QPS);
  if (t->ended >= t->posted) {
    failed++;
    return;
  }
  op_rec *o = &t->op[t->ended % SLOTS];
  uint8_t *b = mem(id, p, o->e.va1);
  if (e) {
    EQ(e->status, NIC_ST_DONE);
    EQ(e->word, t->ended & 0xffff);
    EQ(e->len, o->e.op == OP_ADD || o->e.op == OP_CAS ? 8 : o->e.len1 + o->e.len2);
  }
  if (o->e.op == OP_READ) {
    CHECK(!memcmp(b, o->want, o->e.len1));
    t->reading[o->slot]--;
  } else if ((o->e.op == OP_ADD && o->e.remote != SHARED) || o->e.op == OP_CAS) {
    EQ(get64(b), o->old);
  } else if (o->e.op == OP_ADD) {
    CHECK(!t->shared_seen || get64(b) + 1 > t->shared_seen);
    t->shared_seen = get64(b) + 1;
  }
  t->ended++;
}

// ---- targets
static void feed(unsigned id, unsigned p) {
  post_buffer(&nodes[id], p, POOL + (uint64_t)(pool_next[id][p]++ % POOLS) * POOL_SIZE, POOL_SIZE - 64 * below(3),
              64 * below(3));
}

static void hear_events(unsigned id, unsigned p) {
  ev e;
  while (take_event(&nodes[id], p, EQ, EQ_SIZE, &e)) {
    unsigned s = id * QPS + e.qp, from = (1 - id) * QPS + e.qp;
    switch (e.kind) {
      case NIC_EV_SEND:
        while (str[s].ended != str[s].posted && str[s].op[str[s].ended % SLOTS].flat) end_one(s, NULL);
        end_one(s, &e);
        break;
      case NIC_EV_IMM: EQ(e.len, str[from].imm_seen++); break;
      case NIC_EV_BUFFER: feed(id, p); break;
      case NIC_EV_TASK: EQ(e.word, 2); break;
      case NIC_EV_REFUSED: CHECK(e.status >> 5 == 1); break;  // not ready, and nothing worse
      default:
        failed++;
        printf("event %u\n", e.kind);
        break;
    }
  }
}

static void run_task(unsigned id, unsigned p, unsigned q, const uint8_t *c) {
  unsigned kind = c[0] == 2 ? KERNEL : FUNCTION;
  uint32_t tag = get32(c + (kind == KERNEL ? 12 : 40)), seq = tag & 0xfffff;
  if (tag == OWN) {
    own_run[id][p]++;
    return;
  }
  unsigned s = tag >> 20;
  if (s >= STREAMS || s / QPS != !id || proc_of(s % QPS) != p || seq >= str[s].puts) {
    failed++;
    return;
  }
  put_rec *r = &str[s].put[seq];
  EQ(r->kind, kind);
  EQ(r->queue, q);
  CHECK(!r->run);                       // once
  CHECK(seq + 1 > str[s].last_run[q]);  // and in order
  r->run = true;
  str[s].last_run[q] = seq + 1;
  bool has = kind == FUNCTION || r->code == 1;
  uint64_t args = get64(c + 40), pay = 0;
  EQ(get64(c + (kind == KERNEL ? 32 : 8)), 0xc0de0000u + kind * 16u + r->code);
  EQ(get64(c + 48), 0);
  EQ(get64(c + 56), has ? SIGNAL : 0);
  if (has) put64(mem(id, p, SIGNAL), get64(mem(id, p, SIGNAL)) - 1), signals[id][p]++;
  if (kind == KERNEL) {
    CHECK(args ? args >= POOL && args < MEM : !r->args);
    if (has) EQ(get64(mem(id, p, args)), TARGET);
    if (args) pay = get64(mem(id, p, args) + 8);
    for (uint32_t k = has ? 16 : 0; k < r->args; k++)
      if (k / 8 != 1 && (*mem(id, p, args + k) ^ payload(s, seq, k)) != 0xff) failed++;
  } else {
    EQ(get64(c + 16), TARGET);
    pay = get64(c + 24);
  }
  if (!r->pay) EQ(pay, 0);
  for (uint32_t k = 0; pay && k < r->pay; k++)
    if (*mem(id, p, pay + k) != payload(s, seq, k)) failed++;
}

// Runs tasks as a packet processor does: up to the first slot whose header is invalid.
static void agent(unsigned id, unsigned p) {
  unsigned q = below(3);
  uint64_t base = QUEUES + 0x1000 * q;
  uint8_t *block = mem(id, p, base + 0x800);
  for (unsigned k = below(4); k-- > 0;) {
    uint64_t r = get64(block + 128);
    uint8_t *slot = mem(id, p, base + 64 * (r & 3));
    if (slot[0] == 1) break;
    run_task(id, p, q, slot);
    slot[0] = 1;
    put64(block + 128, r + 1);
  }
  if (q == 1 && !below(8)) {  // it shares this queue with the NIC
    uint64_t w = get64(block + 56);
    if (w - get64(block + 128) >= 4) return;
    put64(block + 56, w + 1);
    uint8_t *slot = mem(id, p, base + 64 * (w & 3));
    put32(slot + 12, OWN);
    slot[0] = 2;
    own_sent[id][p]++;
  }
}

// ---- recording and playing
typedef struct item {
  uint8_t what;
  union {
    nic_retire_rec rec;
    nic_job job;
    unsigned log;
  };
  bool err;
  uint32_t n;
  size_t at, before;  // bytes on the tape; items before it
} item;
enum { CONTEXT_READS = 65536 };
static item *items, context_reads[CONTEXT_READS];
static unsigned num_context_reads;
static size_t num_items, cap_items, tape_used, tape_cap, cursor;
static uint8_t *tape;

static void tape_put(item *i, const void *data, size_t n) {
  if (tape_used + n > tape_cap) tape = realloc(tape, tape_cap = 2 * tape_cap + n + 65536);
  i->at = tape_used;
  i->n = (uint32_t)n;
  if (n) memcpy(tape + tape_used, data, n);
  tape_used += n;
}

static void record(node *n, int what, const void *p, const void *data) {
  (void)n;
  if (num_items == cap_items) items = realloc(items, (cap_items = 2 * cap_items + 1024) * sizeof *items);
  // What is read of a context is asked for with the record that names it, behind those of the registers
  // that it is written to.
  bool context = what == HEAR_READ && ((const nic_job *)p)->src == NIC_SRC_CTX;
  if (context && num_context_reads == CONTEXT_READS) exit(2);
  item *i = context ? &context_reads[num_context_reads++] : &items[num_items++];
  memset(i, 0, sizeof *i);
  i->what = (uint8_t)what;
  i->before = num_items;
  i->err = !data;
  switch (what) {
    case HEAR_RECORD: i->rec = *(const nic_retire_rec *)p; break;
    case HEAR_TASK_DONE: i->log = *(const unsigned *)p; break;
    case HEAR_WRITE:
    case HEAR_READ:
      i->job = *(const nic_job *)p;
      tape_put(i, data, data ? i->job.n : 0);
      break;
    default: tape_put(i, data, *(const size_t *)p); break;
  }
}

static nic *player;
static unsigned odd;  // things that the second model did differently
static const item *next_item(unsigned what) {
  static const item none;
  if (cursor < num_items && items[cursor].what == what) return &items[cursor++];
  odd++;
  return &none;
}
static bool same_job(const nic_job *a, const nic_job *b) {
  return a->src == b->src && a->op == b->op && a->rid == b->rid && a->va == b->va && a->n == b->n &&
         a->swap == b->swap && a->compare == b->compare && !memcmp(a->after, b->after, sizeof a->after);
}
static void play_write(void *ctx, const nic_job *j, const void *data) {
  (void)ctx;
  const item *i = next_item(HEAR_WRITE);
  odd += !same_job(&i->job, j) || memcmp(tape + i->at, data, i->n);
}
// The last one before the record: what was read for a bell that found no place is read again.
static const item *context_read(const nic_job *j) {
  static const item none;
  for (unsigned k = num_context_reads; k-- > 0;)
    if (context_reads[k].before <= cursor && context_reads[k].job.va == j->va) return &context_reads[k];
  return &none;
}
static void play_read(void *ctx, const nic_job *j) {
  (void)ctx;
  const item *i = j->src == NIC_SRC_CTX ? context_read(j) : next_item(HEAR_READ);
  bool same = same_job(&i->job, j);
  odd += !same || nic_read_done(player, j->src, tape + i->at, j->n, i->err) != NIC_OK;
}
static void play_frame(void *ctx, const uint8_t *b, size_t n) {
  (void)ctx;
  const item *i = next_item(HEAR_FRAME);
  odd += i->n != n || memcmp(tape + i->at, b, n);
}

// False: the model did not agree.
static bool play(const nic_config *cfg, size_t bent, unsigned how) {
  static const nic_ops ops = {play_write, play_read, play_read, play_frame, NULL, NULL};
  bool good = true;
  EQ(nic_new(cfg, &ops, NULL, &player), NIC_OK);
  cursor = 0;
  odd = 0;
  for (size_t k = 0; good && k < num_items; k++) {
    item i = items[k];
    if (i.what == HEAR_RX) {
      if (cursor == k) cursor++;
      EQ(nic_rx(player, tape + i.at, i.n, false), NIC_OK);
    } else if (i.what == HEAR_RECORD) {
      if (k == bent) {
        if (how == 0) i.rec.a ^= 1;
        if (how == 1) i.rec.code ^= 1;
        if (how == 2) i.rec.idx ^= 1;
        if (how == 3) i.rec.flag ^= 1;
      }
      nic_status s = nic_retire(player, &i.rec);
      good = s == NIC_OK && cursor == k && !odd;
      if (!good && bent == ~(size_t)0)
        printf("item %zu of %zu (record %u, cursor %zu): %s: %s\n", k, num_items, i.rec.kind, cursor, nic_strstatus(s),
               nic_reason(player));
      cursor = k + 1;
    }
  }
  nic_free(player);
  return good;
}

// A record that says something else is noticed.
static void play_bent(const nic_config *cfg) {
  unsigned noticed = 0, all = 0;
  for (unsigned t = 0; t < 400; t++) {
    size_t k = below((uint32_t)(num_items < 8000 ? num_items : 8000));
    unsigned kind = items[k].rec.kind, how = t % 4;
    bool moved = kind == NIC_RET_CTX && (how != 2 || items[k].rec.code <= NIC_CTX_SAVED);
    if (items[k].what != HEAR_RECORD || (!moved && (kind < NIC_RET_RX || kind > NIC_RET_EVENT))) continue;
    if ((kind == NIC_RET_RX && how != 1) || (kind == NIC_RET_SEND && how != 2)) continue;  // fields without meaning
    if (kind == NIC_RET_FRAME && how == 3) continue;
    if (kind == NIC_RET_TASK && how == 1) continue;
    all++;
    bool good = play(cfg, k, how);
    noticed += !good;
    if (good) printf("record %zu of kind %u, changed in %u, went unnoticed\n", k, kind, how);
  }
  CHECK(all > 50);
  EQ(noticed, all);
}

// ---- the run
// many: four contexts take turns in two places.
static nic_config config(bool many) {
  nic_config cfg;
  nic_config_default(&cfg);
  cfg.Replay = cfg.Requests;
  if (many) cfg.Contexts = 16, cfg.NumQps = 2;
  return cfg;
}

static void begin(const nic_config *cfg) {
  for (unsigned id = 0; id < 2; id++) {
    node *n = &nodes[id];
    node_init(n, id, cfg);
    if (id == 1 && !num_items) n->hear = record;
    node_on(n);
    if (cfg->Contexts) ctx_on(n);
    for (unsigned p = 1; p <= 2; p++) {
      eq_on(n, p, EQ, EQ_SIZE);
      wr(n, NIC_REG_XT_BASE + p * NIC_REG_XT_BASE_STRIDE, TABLES);
      region(n, p, KEY | p, p, REMOTE, SHARED + 8 - REMOTE, RWA);
      for (unsigned q = 0; q < 3; q++) {
        uint64_t base = QUEUES + 0x1000 * q, first = ~(uint64_t)0 - 20 + q;  // indices that wrap soon
        for (unsigned k = 0; k < 4; k++) *mem(id, p, base + 64 * k) = 1;
        put64(mem(id, p, base + 0x800 + 56), first);
        put64(mem(id, p, base + 0x800 + 128), first);
        table(n, p, QUEUE, q, base, base + 0x900, base + 0x800,
              VALID | 2 << 1 |
                  (q == 1                      ? MULTI
                   : q == 2 || cfg->TableCache ? MIRROR
                                               : 0) |
                  (q == 2 ? EVENTS : 0));
      }
      for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned c = 1; c < 3; c++) {
          bool has = kind == FUNCTION || c == 1;
          table(n, p, kind, c, 0xc0de0000u + kind * 16 + c, has ? TARGET : 0, has ? SIGNAL : 0,
                VALID | (has ? HAS_TARGET : 0));
        }
      for (unsigned k = 0; k < 3; k++) feed(id, p);
    }
    for (unsigned qp = 0; qp < QPS; qp++)
      (cfg->Contexts ? ctx_connect : qp_connect)(n, qp, proc_of(qp), !id, qp, RINGS + 0x1000 * qp, RING_SIZE,
                                                 id ? 0xffff00 : 7, id ? 7 : 0xffff00, CTL(1 + qp % 2, 1, 7, 7, 12));
  }
}

static bool busy(void) {
  for (unsigned s = 0; s < STREAMS; s++)
    if (str[s].left || str[s].ended != str[s].posted) return true;
  return flights || nic_pending(nodes[0].m) || nic_pending(nodes[1].m);
}

static void flats(unsigned s) {  // requests at the end that ask for no event: the consumer tells
  stream *t = &str[s];
  if (t->left || t->ended == t->posted) return;
  uint16_t cons = (uint16_t)qp_sts(&nodes[s / QPS], s % QPS);
  while (t->ended != t->posted && (uint16_t)t->ended != cons && t->op[t->ended % SLOTS].flat) end_one(s, NULL);
}

static void tick(uint64_t now) {
  for (unsigned id = 0; id < 2; id++) {
    node *n = &nodes[id];
    for (unsigned k = below(12); k-- > 0;) nic_step(n->m);
    for (unsigned k = below(6); k-- > 0;) answer_one(n, rnd());
    nic_advance(n->m, 32);
    for (unsigned p = 1; p <= 2; p++) {
      if (!below(4)) hear_events(id, p);
      if (!below(12)) agent(id, p);
    }
  }
  link_step(now);
  unsigned s = below(STREAMS);
  if (str[s].left && str[s].posted - str[s].ended < SLOTS) post_one(s);
  if (!below(16)) flats(s);
}

static void finish(void) {
  unsigned quiet = 0;
  for (unsigned k = 0; k < 20000 && quiet < 400; k++) {  // the agent's queues
    for (unsigned id = 0; id < 2; id++)
      for (unsigned p = 1; p <= 2; p++) agent(id, p), hear_events(id, p);
    quiet++;
  }
  for (unsigned s = 0; s < STREAMS; s++) {
    stream *t = &str[s];
    unsigned to = !(s / QPS), qp = s % QPS, p = proc_of(qp);
    EQ(t->imm_seen, t->imm_sent);
    EQ(get64(mem(to, p, CELLS + 64 * qp)), t->sum);
    EQ(get64(mem(to, p, CELLS + 64 * qp + 8)), t->cell);
    for (unsigned k = 0; k < SLOTS; k++) CHECK(!memcmp(mem(to, p, REMOTE + 0x4000 * qp + SLOT * k), t->image[k], SLOT));
    for (uint32_t k = 0; k < t->puts; k++)
      if (!t->put[k].run) failed++, printf("stream %u: task %u has not run\n", s, k);
  }
  for (unsigned id = 0; id < 2; id++)
    for (unsigned p = 1; p <= 2; p++) {
      EQ(get64(mem(id, p, SHARED)), shared[id][p]);
      EQ((uint64_t)0 - get64(mem(id, p, SIGNAL)), signals[id][p]);
      CHECK(own_sent[id][p] - own_run[id][p] <= 4);
      EQ(nodes[id].early, 0);
      EQ(nodes[id].outside, 0);
    }
}

static void run(uint64_t seed, unsigned requests, bool late, unsigned cache, bool many) {
  nic_config cfg = config(many);
  cfg.TableCache = cache;
  rnd_state = seed;
  memset(str, 0, sizeof str);
  memset(shared, 0, sizeof shared);
  memset(signals, 0, sizeof signals);
  memset(pool_next, 0, sizeof pool_next);
  memset(own_sent, 0, sizeof own_sent);
  memset(own_run, 0, sizeof own_run);
  memset(&link_did, 0, sizeof link_did);
  flights = 0;
  begin(&cfg);
  for (unsigned s = 0; s < STREAMS; s++) {
    str[s].left = requests / STREAMS;
    str[s].put = calloc(PUTS, sizeof *str[s].put);
  }
  for (unsigned id = 0; id < 2; id++) nodes[id].late = late;
  uint64_t now = 0;
  while (busy() && now < 400ull * requests && failed < 20) tick(now++);
  CHECK(!busy());
  finish();
  uint64_t again = 0, rnr = 0;
  for (unsigned id = 0; id < 2; id++) {
    again += cnt(&nodes[id], 6 + NIC_FR_BACK) + cnt(&nodes[id], 27);
    rnr += cnt(&nodes[id], 6 + NIC_FR_NOT_READY);
    for (unsigned c = 0; c < 12; c++)  // of what a good peer can cause, all has happened
      if (requests >= 5000 && !many && c != NIC_FR_FOREIGN && c != NIC_FR_INVALID && c != NIC_FR_ACCESS &&
          c != NIC_FR_NO_ROOM && c != NIC_FR_END)
        CHECK(cnt(&nodes[id], 6 + c) > 50);
  }
  printf("seed %" PRIu64 "%s%s: %u requests in %" PRIu64
         " ticks; frames %u lost, %u doubled, %u overtaken, %u damaged; went back"
         " %" PRIu64 " times, %" PRIu64 " not ready\n",
         seed, late ? ", late memory" : "", cache ? ", cached tables" : "", requests, now, link_did.lost,
         link_did.doubled, link_did.late, link_did.bent, again, rnr);
  for (unsigned id = 0; id < 2 && many; id++)
    printf("  node %u: %" PRIu64 " contexts loaded, %" PRIu64 " saved, %" PRIu64 " frames without a place\n", id,
           cnt(&nodes[id], NIC_CNT_CTX_LOADED), cnt(&nodes[id], NIC_CNT_CTX_SAVED),
           cnt(&nodes[id], NIC_CNT_CTX_NO_PLACE));
  for (unsigned id = 0; id < 2; id++) node_free(&nodes[id]);
  for (unsigned s = 0; s < STREAMS; s++) free(str[s].put);
  if (failed) printf("repeat with: test_nic_pair %" PRIu64 " %u\n", seed, requests);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  unsigned requests = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 10000;
  for (unsigned many = 0; many < 2; many++) {
    const nic_config cfg = config(many);
    num_items = num_context_reads = 0;
    run(seed + 3 * many, requests / (1 + many), false, 0, many);
    CHECK(play(&cfg, ~(size_t)0, 0));
    play_bent(&cfg);
  }
  run(seed + 1, requests / 4, true, 0, false);
  run(seed + 2, requests / 4, true, 8, false);
  run(seed + 4, requests / 4, true, 8, true);
  free(items);
  free(tape);
  return report();
}
