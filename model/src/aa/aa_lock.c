// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_lock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aa_duty.h"
#include "aa_pkt.h"
#include "tocsin/aa_log.h"
#include "tocsin/aa_rx.h"
#include "tocsin/aa_time.h"

enum { PORTS = 4, LOGS = 32, MAKERS = 3, READS = 32, RESERVED = 64, ANSWERS = 16, QI_ID = 0x80 };

/* Bytes that somebody owes. */
typedef struct wr {
  struct wr *next;
  uint64_t addr;
  unsigned n, off; /* bytes; of them matched or written */
  uint32_t burst;  /* of its id, for what waits for a response */
  unsigned of;     /* of id 2: whose it is (aa_duty) */
  uint8_t data[];
} wr;
typedef struct wrq {
  wr *head, *tail;
  unsigned n;
} wrq;

/* What memory answered to one AXI id and no walk has used yet. */
typedef struct rdq {
  struct {
    uint64_t addr;
    uint8_t n, err, data[64];
  } e[READS];
  unsigned head, n;
} rdq;

/* The model's writes to the rings, to find the sizes of entries: 4 KiB pages, open addressing. */
typedef struct image {
  struct {
    uint64_t page; /* number + 1, 0 = free */
    uint8_t *data;
  } * slot;
  size_t cap, used;
} image;

typedef struct regq {
  struct {
    uint32_t addr;
    uint64_t data;
    uint8_t strb;
  } e[8];
  unsigned head, n;
} regq;

struct aa_lock {
  aa_config cfg;
  aa_lock_ops ops;
  void *ctx;
  aa *model;
  bool failed;
  aa_time time;
  pktq host, dev[PORTS][MAKERS];
  wrq want[3], early; /* writes that must come; the status write of a wait, which comes before its record */
  wrq open[3];        /* came, and wait for their response */
  wrq lost[3];        /* were answered with an error that has no record yet */
  struct {
    uint64_t addr;
    bool error;
  } answer[ANSWERS]; /* of id 2, the newest last */
  unsigned answers;
  uint64_t small;           /* what the record under way has written with id 2, 0 none */
  uint32_t burst[3], ok[3]; /* bursts of an id: begun, answered */
  aa_duty duty;
  rdq rd[256];
  image ref;
  struct {
    uint64_t e[RESERVED], end; /* entries reserved, oldest first; end of the one published last */
    unsigned head, n;
    uint32_t prod;
  } log[LOGS];
  regq reads, writes; /* records of reads not yet on the bus; writes without their record */
  struct {
    uint8_t log;
    uint32_t prod;
  } task[LOGS];
  unsigned tasks;
  bool mid[PORTS + 1];          /* in the middle of a packet that comes in; the last: host */
  aa_rx out[PORTS + 1];         /* packets that go out */
  uint8_t pin[PORTS + 1][5120]; /* their payload */
};

static void differ(aa_lock *l, const char *block, const char *stream, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));
static void differ(aa_lock *l, const char *block, const char *stream, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  if (l->failed) return;
  l->failed = true;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  l->ops.differ(l->ctx, block, stream, text);
}

static void differ_duty(aa_lock *l, bool fine, const aa_wrong *w) {
  if (!fine) differ(l, w->block, w->stream, "%s", w->text);
}

static void *must(aa_lock *l, void *p) {
  if (!p) differ(l, "aa_lock", "memory", "out of memory");
  return p;
}

static const char *id_name(unsigned id) {
  static const char *const name[] = {"m_axi id 0", "m_axi id 1", "m_axi id 2"};
  return id < 3 ? name[id] : "m_axi";
}
static const char *dev_name(unsigned port) {
  static const char *const name[] = {"dev_cpl 0", "dev_cpl 1", "dev_cpl 2", "dev_cpl 3"};
  return name[port & 3];
}

/* ---- queues ------------------------------------------------------------------------------------------------------ */

static wr *wrq_push(aa_lock *l, wrq *q, uint64_t addr, const void *p, unsigned n) {
  wr *w = must(l, malloc(sizeof *w + n));
  if (!w) return NULL;
  *w = (wr){.addr = addr, .n = n};
  if (p) memcpy(w->data, p, n);
  if (q->tail)
    q->tail->next = w;
  else
    q->head = w;
  q->tail = w;
  q->n++;
  return w;
}

static void wrq_remove(wrq *q, wr *before, wr *w) {
  if (before)
    before->next = w->next;
  else
    q->head = w->next;
  if (q->tail == w) q->tail = before;
  q->n--;
  free(w);
}

static void wrq_clear(wrq *q) {
  while (q->head) wrq_remove(q, NULL, q->head);
}

static uint8_t *image_page(aa_lock *l, uint64_t page, bool make) {
  image *m = &l->ref;
  if (make && 2 * m->used >= m->cap) {
    image old = *m;
    m->cap = old.cap ? 2 * old.cap : 64;
    m->used = 0;
    if (!(m->slot = must(l, calloc(m->cap, sizeof *m->slot)))) {
      *m = old;
      return NULL;
    }
    for (size_t k = 0; k < old.cap; k++) {
      if (!old.slot[k].page) continue;
      size_t i = (size_t)(old.slot[k].page * 0x9E3779B97F4A7C15ull >> 20) & (m->cap - 1);
      while (m->slot[i].page) i = (i + 1) & (m->cap - 1);
      m->slot[i] = old.slot[k];
      m->used++;
    }
    free(old.slot);
  }
  if (!m->cap) return NULL;
  size_t i = (size_t)((page + 1) * 0x9E3779B97F4A7C15ull >> 20) & (m->cap - 1);
  while (m->slot[i].page && m->slot[i].page != page + 1) i = (i + 1) & (m->cap - 1);
  if (!m->slot[i].page && make && (m->slot[i].data = must(l, calloc(1, 4096)))) {
    m->slot[i].page = page + 1;
    m->used++;
  }
  return m->slot[i].page ? m->slot[i].data : NULL;
}

static void image_write(aa_lock *l, uint64_t addr, const uint8_t *p, size_t n) {
  while (n) {
    size_t off = addr & 4095, k = 4096 - off < n ? 4096 - off : n;
    uint8_t *page = image_page(l, addr >> 12, true);
    if (!page) return;
    memcpy(page + off, p, k);
    p += k;
    addr += k;
    n -= k;
  }
}

/* Bytes of the entry (or pad) whose header is at addr; headers do not cross pages. */
static unsigned entry_bytes(aa_lock *l, uint64_t addr) {
  const uint8_t *page = image_page(l, addr >> 12, false);
  uint64_t info = 0;
  if (!page) return 0;
  for (unsigned i = 0; i < 8; i++) info |= (uint64_t)page[(addr & 4095) + 8 + i] << (8 * i);
  return aa_entry_kind(info) == AA_ENTRY_PAD ? 16 + 4 * aa_entry_len(info) : aa_entry_bytes(info);
}

/* ---- the model's operations -------------------------------------------------------------------------------------- */

static bool op_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  aa_lock *l = ctx;
  bool qi = src == AA_SRC_QI;
  rdq *q = &l->rd[qi ? QI_ID : src & 0xff];
  if (l->failed) return false;
  /* descriptors may be fetched ahead and dropped: then the newest read of this address counts */
  unsigned last = 0;
  for (unsigned i = 1; qi && i < q->n; i++)
    if (q->e[(q->head + i) % READS].addr == addr) last = i;
  q->head = (q->head + last) % READS;
  q->n -= last;
  unsigned k = q->head;
  if (!q->n || q->e[k].addr != addr || q->e[k].n < n) {
    char name[32];
    snprintf(name, sizeof name, qi ? "invalidation queue" : "walk slot %u", src);
    differ(l, qi ? "aa_qi" : "aa_walk", name, "got a read of %" PRIx64 " (%u bytes)\nwant %" PRIx64 " (%zu bytes)",
           q->n ? q->e[k].addr : 0, q->n ? q->e[k].n : 0, addr, n);
    return false;
  }
  memcpy(buf, q->e[k].data, n);
  bool ok = !q->e[k].err;
  q->head = (q->head + 1) % READS;
  q->n--;
  if (qi && ok && l->ops.holds && !l->ops.holds(l->ctx, addr, buf, n))
    differ(l, "aa_qi", "invalidation queue", "the descriptor at %" PRIx64 " is older than the tail that covers it",
           addr);
  return ok;
}

static void differ_small(aa_lock *l, uint64_t addr, const void *got, const void *want, unsigned n) {
  uint64_t g = 0, w = 0;
  memcpy(&g, got, n);
  memcpy(&w, want, n);
  differ(l, "aa_msg", id_name(2), "write of %" PRIx64 "\ngot  %" PRIx64 "\nwant %" PRIx64, addr, g, w);
}

static bool op_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  aa_lock *l = ctx;
  if (l->ops.wrote) l->ops.wrote(l->ctx, addr, buf, n);
  if (src == AA_SRC_SMALL) l->small = addr;
  if (src == AA_SRC_SMALL && l->duty.of == AA_OF_WAIT) {
    wr *before = NULL;
    for (wr *w = l->early.head; w; before = w, w = w->next)
      if (w->addr == addr && w->n == n) {
        if (memcmp(w->data, buf, n)) differ_small(l, addr, w->data, buf, (unsigned)n);
        wrq_remove(&l->early, before, w);
        return true;
      }
  } else if (src != AA_SRC_SMALL) {
    image_write(l, addr, buf, n);
  }
  wr *w = wrq_push(l, &l->want[src], addr, buf, (unsigned)n);
  if (w && src == AA_SRC_SMALL) l->duty.small[w->of = l->duty.of]++;
  return true;
}

static void op_host(void *ctx, const tlp *t) {
  aa_lock *l = ctx;
  must(l, pktq_push(&l->host, t));
  l->duty.told++;
}

static void op_dev(void *ctx, unsigned port, unsigned src, const tlp *t) {
  aa_lock *l = ctx;
  must(l, pktq_push(&l->dev[port][src], t));
}

/* ---- making and freeing ------------------------------------------------------------------------------------------ */

aa_status aa_lock_new(const aa_config *cfg, const aa_lock_ops *ops, void *ctx, aa_lock **out) {
  static const aa_ops model_ops = {op_read, op_write, op_host, op_dev, NULL};
  *out = NULL;
  aa_lock *l = calloc(1, sizeof *l);
  if (!l) return AA_E_NOMEM;
  l->cfg = *cfg;
  l->ops = *ops;
  l->ctx = ctx;
  aa_status s = aa_new(cfg, &model_ops, l, &l->model);
  if (s != AA_OK) {
    free(l);
    return s;
  }
  for (unsigned i = 0; i <= PORTS; i++) l->out[i].buf = l->pin[i];
  aa_time_begin(&l->time, l->model);
  *out = l;
  return AA_OK;
}

void aa_lock_free(aa_lock *l) {
  if (!l) return;
  pktq_clear(&l->host);
  for (unsigned i = 0; i < PORTS; i++)
    for (unsigned j = 0; j < MAKERS; j++) pktq_clear(&l->dev[i][j]);
  for (unsigned i = 0; i < 3; i++) {
    wrq_clear(&l->want[i]);
    wrq_clear(&l->open[i]);
    wrq_clear(&l->lost[i]);
  }
  wrq_clear(&l->early);
  for (size_t i = 0; i < l->ref.cap; i++) free(l->ref.slot[i].data);
  free(l->ref.slot);
  aa_free(l->model);
  free(l);
}

aa *aa_lock_model(aa_lock *l) { return l->model; }
bool aa_lock_failed(const aa_lock *l) { return l->failed; }

/* ---- AXI --------------------------------------------------------------------------------------------------------- */

void aa_lock_axi_read(aa_lock *l, unsigned id, uint64_t addr, const void *data, unsigned n, bool err) {
  rdq *q = &l->rd[id & 0xff];
  if (q->n == READS) q->head = (q->head + 1) % READS, q->n--; /* of forgotten walks */
  unsigned k = (q->head + q->n++) % READS;
  n = n < 64 ? n : 64;
  q->e[k].addr = addr;
  q->e[k].n = (uint8_t)n;
  q->e[k].err = err;
  memcpy(q->e[k].data, data, n);
}

/* The entry that has this byte of a ring: the one that begins last before it. */
static bool entry_at(const aa_lock *l, uint64_t addr, unsigned *log, uint64_t *at) {
  bool found = false;
  for (unsigned g = 0; g < LOGS; g++)
    for (unsigned i = 0; i < l->log[g].n; i++) {
      uint64_t e = l->log[g].e[(l->log[g].head + i) % RESERVED];
      if (e > addr || (found && e < *at)) continue;
      found = true;
      *log = g;
      *at = e;
    }
  return found;
}

static uint64_t word(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

/* Fields of an entry's second header word. */
static const struct {
  const char *name;
  unsigned lsb, width;
} field[] = {{"iuid", 0, 10},    {"10", 10, 2},       {"kind", 12, 3}, {"denied", 15, 1},
             {"aborted", 16, 1}, {"poisoned", 17, 1}, {"data", 18, 1}, {"len", 19, 11},
             {"fbe", 30, 4},     {"lbe", 34, 4},      {"tag", 38, 10}, {"rid", 48, 16}};

/* The 16 bytes of an entry around byte `at` of w, as they are and as they should be; and, if w has it,
 * the header of the entry. */
static void entry_text(const wr *w, const uint8_t *got, unsigned n, unsigned at, bool header, char *text, size_t room) {
  unsigned from = at & ~15u;
  size_t k = 0;
  for (unsigned who = 0; who < 2; who++) {
    k += (size_t)snprintf(text + k, room - k, "\n%s ", who ? "want" : "got ");
    for (unsigned i = from; i < from + 16 && i < w->n; i++) {
      bool here = who || (i >= w->off && i < w->off + n);
      const uint8_t *byte = who ? w->data + i : got + i - w->off;
      k += here ? (size_t)snprintf(text + k, room - k, " %02x", *byte) : (size_t)snprintf(text + k, room - k, " --");
    }
  }
  if (!header) return;
  k += (size_t)snprintf(text + k, room - k, "\nrecord addr %" PRIx64, word(w->data));
  for (unsigned i = 0; i < sizeof field / sizeof *field; i++)
    k += (size_t)snprintf(text + k, room - k, ", %s %" PRIx64, field[i].name,
                          word(w->data + 8) >> field[i].lsb & (((uint64_t)1 << field[i].width) - 1));
}

/* A byte of an entry is wrong: of a header, its fields are told. */
static void differ_entry(aa_lock *l, unsigned id, const wr *w, const uint8_t *got, unsigned n) {
  const char *block = id ? "aa_log_get" : "aa_log_put";
  unsigned first = 0, log = 0, k = 0;
  uint64_t at = 0;
  char text[700];
  while (w->data[w->off + first] == got[first]) first++;
  uint64_t byte = w->addr + w->off + first;
  bool known = entry_at(l, byte, &log, &at), pad = !known || at != w->addr;
  bool header = w->n >= 16 && w->off + first < 16 &&
                (at == w->addr || (w->n == 16 && aa_entry_kind(word(w->data + 8)) == AA_ENTRY_PAD));
  if (!header) {
    entry_text(w, got, n, w->off + first, known && at == w->addr && w->n >= 16, text, sizeof text);
    differ(l, block, id_name(id),
           "entry at %" PRIx64 ", log %u, field data, byte %" PRIu64 ", in memory at %" PRIx64 "%s",
           known ? at : w->addr, log, byte - (known ? at : w->addr) - 16, byte, text);
    return;
  }
  uint8_t whole[16];
  memcpy(whole, w->data, 16);
  memcpy(whole + w->off, got, n < 16 - w->off ? n : 16 - w->off);
  uint64_t g = word(whole + 8), want = word(w->data + 8);
  k = (unsigned)snprintf(text, sizeof text, "%s at %" PRIx64, pad ? "pad" : "entry", w->addr);
  if (word(whole) != word(w->data))
    k += (unsigned)snprintf(text + k, sizeof text - k, ", field addr: got %" PRIx64 " want %" PRIx64, word(whole),
                            word(w->data));
  for (unsigned i = 0; i < sizeof field / sizeof *field; i++) {
    uint64_t mask = (1ull << field[i].width) - 1;
    if ((g ^ want) >> field[i].lsb & mask)
      k += (unsigned)snprintf(text + k, sizeof text - k, ", field %s: got %" PRIx64 " want %" PRIx64, field[i].name,
                              g >> field[i].lsb & mask, want >> field[i].lsb & mask);
  }
  differ(l, block, id_name(id), "%s", text);
}

/* [addr, addr + n) against the expected writes of an id, the first `window` of them. */
static void match(aa_lock *l, unsigned id, uint64_t addr, const uint8_t *data, unsigned n, unsigned window) {
  const char *block = id ? "aa_log_get" : "aa_log_put";
  wrq *q = &l->want[id];
  while (n && !l->failed) {
    wr *w = q->head, *before = NULL;
    unsigned i = 0;
    while (w && i < window && w->addr + w->off != addr) {
      before = w;
      w = w->next;
      i++;
    }
    if (!w || i == window) {
      if (q->head)
        differ(l, block, id_name(id), "got a write of %" PRIx64 "\nwant %" PRIx64, addr, q->head->addr + q->head->off);
      else
        differ(l, block, id_name(id), "got a write of %" PRIx64 "\nwant none", addr);
      return;
    }
    unsigned k = w->n - w->off < n ? w->n - w->off : n;
    if (memcmp(w->data + w->off, data, k)) {
      differ_entry(l, id, w, data, k);
      return;
    }
    w->off += k;
    addr += k;
    data += k;
    n -= k;
    if (w->off == w->n) wrq_remove(q, before, w);
  }
}

/* Whose it is. */
static unsigned match_small(aa_lock *l, uint64_t addr, const void *data, unsigned n) {
  wr *before = NULL;
  for (wr *w = l->want[2].head; w; before = w, w = w->next)
    if (w->addr == addr && w->n == n) {
      unsigned of = w->of;
      if (memcmp(w->data, data, n)) differ_small(l, addr, data, w->data, n);
      wrq_remove(&l->want[2], before, w);
      return of;
    }
  aa_wrong wrong;
  differ_duty(l, aa_duty_early(&l->duty, l->model, addr, data, n, &wrong), &wrong);
  wrq_push(l, &l->early, addr, data, n);
  return AA_OF_WAIT;
}

void aa_lock_axi_write(aa_lock *l, unsigned id, uint64_t addr, const void *data, unsigned n, bool last) {
  if (l->failed) return;
  if (id > 2 || (id == 2 && n && n != 4 && n != 8)) {
    differ(l, "m_axi", id_name(id), "got a write of %" PRIx64 ", %u bytes, id %u\nwant id 0, 1 or 2 (4 or 8 bytes)",
           addr, n, id);
    return;
  }
  unsigned of = 0;
  if (n && id == 2)
    of = match_small(l, addr, data, n);
  else if (n)
    match(l, id, addr, data, n, id ? 4096 : 1);
  wr *w =
      n || last ? wrq_push(l, &l->open[id], addr, NULL, n) : NULL; /* the last, without bytes: where the burst begins */
  if (w) w->burst = l->burst[id], w->of = of;
  l->burst[id] += last;
}

void aa_lock_axi_answer(aa_lock *l, unsigned id, bool error) {
  if (l->failed) return;
  if (id > 2 || l->ok[id] == l->burst[id]) {
    differ(l, "m_axi", id_name(id), "got a response of id %u\nwant none", id);
    return;
  }
  for (wr *w; (w = l->open[id].head) && w->burst == l->ok[id]; wrq_remove(&l->open[id], NULL, w)) {
    if (error) wrq_push(l, &l->lost[id], w->addr, NULL, w->n);
    if (id == 2 && w->n) {
      l->duty.small[w->of]--;
      if (l->answers == ANSWERS) memmove(&l->answer[0], &l->answer[1], --l->answers * sizeof l->answer[0]);
      l->answer[l->answers].addr = w->addr;
      l->answer[l->answers++].error = error;
    }
  }
  l->ok[id]++;
}

/* The oldest failed burst of an id has its record. ERR-1. */
static void failed_burst(aa_lock *l, const aa_retire_rec *r) {
  wrq *q = &l->lost[r->idx];
  wr *w = q->head;
  while (w && w->n) w = w->next;
  if (!w || w->addr != r->a) {
    differ(l, "aa_axi_err", id_name(r->idx), "got a record of a failed write at %" PRIx64 "\nwant %s%" PRIx64, r->a,
           w ? "" : "none ", w ? w->addr : 0);
    return;
  }
  for (bool end = false; !end;) {
    end = !q->head->n;
    wrq_remove(q, NULL, q->head);
  }
}

/* A wait ends when its status word has been answered, and says with what. ERR-6. */
static void status_written(aa_lock *l, const aa_retire_rec *r, uint64_t addr) {
  for (unsigned i = l->answers; i--;)
    if (l->answer[i].addr == addr) {
      if (l->answer[i].error != r->flag)
        differ(l, "aa_qi", id_name(2), "the status word at %" PRIx64 " was answered with %s\ngot  flag %u of NoteWait",
               addr, l->answer[i].error ? "an error" : "no error", r->flag);
      return;
    }
  differ(l, "aa_qi", id_name(2), "a wait is done\nwant the response to its status word at %" PRIx64 " first", addr);
}

/* ---- arrivals ---------------------------------------------------------------------------------------------------- */

static aa_status feed(aa_lock *l, unsigned k, const aa_beat *b) {
  return k == PORTS ? aa_host_beat(l->model, b) : aa_dev_beat(l->model, k, b);
}

static void arrive(aa_lock *l, unsigned k, const aa_beat *b, bool taken) {
  const char *stream = k == PORTS ? "host_cpl" : "dev_req";
  aa_status s = AA_OK;
  if (l->failed) return;
  if (b->sop && l->mid[k]) {
    /* A TLP that is cut off ends as soon as the next one shows, which then waits for a cycle: for the model, a last
     * beat that is out of form. */
    static const uint8_t nothing[64];
    l->mid[k] = false;
    if (taken) differ(l, stream, stream, "a TLP cuts off another and is taken in the same cycle");
    s = feed(l, k, &(aa_beat){.eop = true, .data = nothing});
  }
  if (taken && s == AA_OK) {
    l->mid[k] = (b->sop || l->mid[k]) && !b->eop;
    s = feed(l, k, b);
  }
  if (s != AA_OK) differ(l, stream, stream, "the model refuses a beat: %s", aa_strstatus(s));
}

void aa_lock_dev_in(aa_lock *l, unsigned port, const aa_beat *b, bool taken) { arrive(l, port, b, taken); }
void aa_lock_host_in(aa_lock *l, const aa_beat *b, bool taken) { arrive(l, PORTS, b, taken); }

void aa_lock_reset_level(aa_lock *l, unsigned port, bool level) {
  if (level) aa_time_reset(&l->time, l->model, port);
  aa_dev_reset(l->model, port, level);
}

/* ---- packets out ------------------------------------------------------------------------------------------------- */

const char *aa_tlp_text(const tlp *t, char *buf, size_t n) {
  int k = snprintf(buf, n, "%s %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " seq %u%s, %" PRIu32 " DW",
                   tlp_type_name(tlp_type(t->hdr)), t->hdr[0], t->hdr[1], t->hdr[2], t->hdr[3], t->seq,
                   t->err ? " err" : "", t->ndw);
  for (uint32_t i = 0; i < 4 * t->ndw && i < 32 && k > 0 && (size_t)k + 4 < n; i++)
    k += snprintf(buf + k, n - (size_t)k, "%s%02x", i ? "" : ": ", t->data[i]);
  return buf;
}

static void compare(aa_lock *l, const char *block, const char *stream, pktq *q, const tlp *t) {
  char got[1000];
  if (!q->head) {
    differ(l, block, stream, "got  %s\nwant none", aa_tlp_text(t, got, sizeof got));
    return;
  }
  if (tlp_difference(t, &q->head->t, got, sizeof got)) differ(l, block, stream, "%s", got);
  pktq_drop(q);
}

void aa_lock_host_tlp(aa_lock *l, const tlp *t) {
  if (l->failed) return;
  compare(l, "host_req", "host_req", &l->host, t);
  aa_duty_left(&l->duty, l->model);
}

/* RST-4. */
void aa_lock_dev_tlp(aa_lock *l, unsigned port, const tlp *t) {
  pktq *q = l->dev[port & 3];
  if (l->failed) return;
  l->duty.dev_left++;
  /* the head of one of the three; if none fits, report against the likeliest */
  unsigned best = 0;
  for (unsigned i = 0; i < MAKERS; i++) {
    if (!q[i].head) continue;
    if (!tlp_unlike(t, &q[i].head->t)) {
      pktq_drop(&q[i]);
      return;
    }
    if (!q[best].head || q[i].head->t.hdr[2] >> 8 == t->hdr[2] >> 8) best = i;
  }
  compare(l, "dev_cpl", dev_name(port), &q[best], t);
}

typedef struct sink {
  aa_lock *l;
  unsigned k;
} sink;

static void gone(void *ctx, const tlp *t, bool bad_form) {
  sink *s = ctx;
  const char *name = s->k == PORTS ? "host_req" : dev_name(s->k);
  char text[200];
  if (bad_form)
    differ(s->l, name, name, "beats are out of form\ngot  %s", aa_tlp_text(t, text, sizeof text));
  else if (s->k == PORTS)
    aa_lock_host_tlp(s->l, t);
  else
    aa_lock_dev_tlp(s->l, s->k, t);
}

static void leave(aa_lock *l, unsigned k, const aa_beat *b) {
  const char *name = k == PORTS ? "host_req" : dev_name(k);
  if (l->failed) return;
  if (b->sop == l->out[k].busy)
    differ(l, name, name, "got %s\nwant %s", b->sop ? "sop" : "no sop", b->sop ? "the rest of a TLP" : "a TLP");
  else
    aa_rx_beat(&l->out[k], l->cfg.DataW / 32, b, gone, &(sink){l, k});
}

void aa_lock_host_out(aa_lock *l, const aa_beat *b) { leave(l, PORTS, b); }
void aa_lock_dev_out(aa_lock *l, unsigned port, const aa_beat *b) { leave(l, port & 3, b); }

/* ---- registers and tasks ----------------------------------------------------------------------------------------- */

void aa_lock_reg_read(aa_lock *l, uint32_t addr, uint64_t data) {
  regq *q = &l->reads;
  if (l->failed) return;
  if (!q->n) {
    differ(l, "s_axil", "register read", "0x%05" PRIx32 ": got %016" PRIx64 "\nwant a record before it", addr, data);
    return;
  }
  if ((addr & ~7u) != q->e[q->head].addr || data != q->e[q->head].data)
    differ(l, "s_axil", "register read",
           "got  0x%05" PRIx32 " %016" PRIx64 " on the bus\nwant 0x%05" PRIx32 " %016" PRIx64 " of its record", addr,
           data, q->e[q->head].addr, q->e[q->head].data);
  q->head = (q->head + 1) % 8;
  q->n--;
}

static void reg_push(aa_lock *l, regq *q, uint32_t addr, uint64_t data, unsigned strb) {
  if (q->n == 8) {
    differ(l, "s_axil", q == &l->reads ? "register read" : "register write",
           "got 9 accesses under way\nwant at most 8");
    return;
  }
  unsigned k = (q->head + q->n++) % 8;
  q->e[k].addr = addr & ~7u;
  q->e[k].data = data;
  q->e[k].strb = (uint8_t)strb;
}

void aa_lock_reg_write(aa_lock *l, uint32_t addr, uint64_t data, unsigned strb) {
  if (strb && !l->failed) reg_push(l, &l->writes, addr, data, strb);
}

static void reg_written(aa_lock *l, const aa_retire_rec *r) {
  regq *q = &l->writes;
  if (!q->n || q->e[q->head].addr != r->a || q->e[q->head].data != r->b || q->e[q->head].strb != r->idx) {
    char want[64] = "none";
    if (q->n)
      snprintf(want, sizeof want, "0x%05" PRIx32 " %016" PRIx64 " strobes %02x on the bus", q->e[q->head].addr,
               q->e[q->head].data, q->e[q->head].strb);
    differ(l, "s_axil", "register write", "got  0x%05" PRIx64 " %016" PRIx64 " strobes %02x of a record\nwant %s", r->a,
           r->b, r->idx, want);
    return;
  }
  q->head = (q->head + 1) % 8;
  q->n--;
}

void aa_lock_task(aa_lock *l, unsigned log, uint32_t prod) {
  if (l->failed) return;
  if (!l->tasks || l->task[0].log != log || l->task[0].prod != prod) {
    differ(l, "aa_notify", "task", "got  log %u, producer %" PRIx32 "\nwant log %d, producer %" PRIx32, log, prod,
           l->tasks ? l->task[0].log : -1, l->tasks ? l->task[0].prod : 0);
    return;
  }
  memmove(&l->task[0], &l->task[1], --l->tasks * sizeof l->task[0]);
}

void aa_lock_task_done(aa_lock *l, unsigned log) {
  if (!l->failed && aa_task_done(l->model, log) != AA_OK)
    differ(l, "aa_notify", "task", "got the end of a task of log %u\nwant a log that exists", log);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

void aa_lock_cycle(aa_lock *l, unsigned shown) {
  const unsigned all = AA_SHOWN_HOST | AA_SHOWN_DEV | AA_SHOWN_WRITE | AA_SHOWN_NO_NP;
  unsigned busy = shown & all;
  if (l->failed) return;
  for (unsigned id = 0; id < 3; id++)
    if (l->want[id].head || l->burst[id] != l->ok[id]) busy |= (unsigned)AA_TIME_UNDER_WAY << id;
  const char *block = aa_time_cycle(&l->time, l->model, busy);
  if (block) differ(l, block, "time", "%s", l->time.text);
  aa_outside o = {.held = (shown & (AA_SHOWN_HOST | AA_SHOWN_DEV | AA_SHOWN_WRITE)) != 0,
                  .host = l->host.head != NULL,
                  .entries = l->want[0].head || l->want[1].head,
                  .task = l->tasks != 0};
  for (unsigned i = 0; i < 3; i++) o.held = o.held || l->burst[i] != l->ok[i];
  for (unsigned i = 0; i < PORTS * MAKERS; i++) o.dev = o.dev || l->dev[i / MAKERS][i % MAKERS].head;
  aa_wrong wrong;
  differ_duty(l, aa_duty_cycle(&l->duty, l->model, &o, &wrong), &wrong);
}

const aa_time *aa_lock_time(const aa_lock *l) { return &l->time; }

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* The first byte of [at, at + n) that is not in memory yet: not written, or without response. False: all are. */
static bool missing(const aa_lock *l, uint64_t at, unsigned n, uint64_t *first) {
  for (unsigned id = 0; id < 2; id++)
    for (unsigned i = 0; i < 3; i++)
      for (const wr *w = i == 2 ? l->lost[id].head : i == 1 ? l->open[id].head : l->want[id].head; w; w = w->next) {
        uint64_t lo = w->addr + w->off, hi = w->addr + w->n;
        if (w->n && lo < at + n && hi > at) {
          *first = lo > at ? lo : at;
          return true;
        }
      }
  return false;
}

/* One reservation: the entry, and what is left of the bytes published is the pad before it. LOG-6. */
static void published(aa_lock *l, const aa_retire_rec *r) {
  char name[16];
  unsigned g = r->idx;
  uint32_t bytes = (uint32_t)r->a - l->log[g].prod;
  uint64_t end = l->log[g].end, first = 0;
  snprintf(name, sizeof name, "log %u", g);
  l->log[g].prod = (uint32_t)r->a;
  if (!l->log[g].n) {
    differ(l, "aa_log", name, "got %u bytes published\nwant none: no entry is reserved", bytes);
    return;
  }
  uint64_t at = l->log[g].e[l->log[g].head];
  unsigned n = entry_bytes(l, at);
  l->log[g].head = (l->log[g].head + 1) % RESERVED;
  l->log[g].n--;
  l->log[g].end = at + n;
  if (n > bytes || (n < bytes && (!end || entry_bytes(l, end) != bytes - n)))
    differ(l, "aa_log", name, "entry at %" PRIx64 "\ngot  %u bytes published\nwant %u", at, bytes, n);
  else if (n < bytes && missing(l, end, 16, &first))
    differ(l, "aa_log", name, "the pad at %" PRIx64 " is published before it is in memory", end);
  else if (missing(l, at, n, &first))
    differ(l, "aa_log", name, "the entry at %" PRIx64 " (%u bytes) is published before byte %" PRIx64 " is in memory",
           at, n, first);
}

static void noted(aa_lock *l, const aa_retire_rec *r) {
  if (r->code == AA_NOTE_AXI_ERR) failed_burst(l, r);
  if (r->code == AA_NOTE_WAIT && l->small) status_written(l, r, l->small);
  if (r->code == AA_NOTE_LOG_OFF && r->idx < LOGS) memset(&l->log[r->idx], 0, sizeof l->log[0]);
  if (r->code != AA_NOTE_TASK) return;
  if (l->tasks == LOGS) {
    differ(l, "aa_notify", "task", "got a task\nwant none: %u wait to be handed over", l->tasks);
    return;
  }
  l->task[l->tasks].log = r->idx;
  l->task[l->tasks++].prod = (uint32_t)r->a;
}

void aa_lock_retire(aa_lock *l, const aa_retire_rec *r) {
  aa_wrong wrong;
  if (l->failed) return;
  if (r->kind == AA_RET_WALK) l->rd[r->slot].n = 0; /* what a forgotten walk read is nobody's */
  l->small = 0;
  differ_duty(l, aa_duty_before(&l->duty, l->model, r, &wrong), &wrong);
  if (l->failed) return;
  const char *block = aa_time_before(&l->time, l->model, r);
  aa_status s = aa_retire(l->model, r);
  if (s == AA_OK) differ_duty(l, aa_duty_after(&l->duty, l->model, r, &wrong), &wrong);
  if (l->failed) return;
  if (s != AA_OK) {
    char text[200];
    differ(l, "model", "record", "%s: %s\ngot  %s", aa_strstatus(s), aa_reason(l->model),
           aa_record_text(r, text, sizeof text));
    return;
  }
  if (block) {
    differ(l, block, "time", "%s", l->time.text);
    return;
  }
  aa_time_after(&l->time, l->model, r);
  switch (r->kind) {
    case AA_RET_REG_READ: reg_push(l, &l->reads, (uint32_t)r->a, r->b, 0); break;
    case AA_RET_REG_WRITE: reg_written(l, r); break;
    case AA_RET_FILL:
      if (l->rd[r->slot].n) {
        char name[32];
        snprintf(name, sizeof name, "walk slot %u", r->slot);
        differ(l, "aa_walk", name, "got %u words read more than the walk needs (%" PRIx64 ")\nwant none",
               l->rd[r->slot].n, l->rd[r->slot].e[l->rd[r->slot].head].addr);
      }
      break;
    case AA_RET_DECIDE:
      if (r->b && r->slot < LOGS && l->log[r->slot].n < RESERVED) {
        unsigned k = (l->log[r->slot].head + l->log[r->slot].n++) % RESERVED;
        l->log[r->slot].e[k] = r->b;
      }
      break;
    case AA_RET_PUBLISH:
      if (r->idx < LOGS) published(l, r);
      break;
    case AA_RET_NOTIFY: noted(l, r); break;
    default: break;
  }
}

void aa_lock_end(aa_lock *l) {
  char text[200];
  if (l->failed) return;
  if (l->host.head)
    differ(l, "host_req", "host_req", "got  none\nwant %s", aa_tlp_text(&l->host.head->t, text, sizeof text));
  for (unsigned i = 0; i < PORTS; i++)
    for (unsigned j = 0; j < MAKERS; j++)
      if (l->dev[i][j].head)
        differ(l, "dev_cpl", dev_name(i), "got  none\nwant %s", aa_tlp_text(&l->dev[i][j].head->t, text, sizeof text));
  for (unsigned i = 0; i < 3; i++)
    if (l->want[i].head)
      differ(l, "m_axi", id_name(i), "got no write\nwant %u bytes at %" PRIx64 " (%u more writes)", l->want[i].head->n,
             l->want[i].head->addr, l->want[i].n - 1);
  for (unsigned i = 0; i < 3; i++)
    if (l->lost[i].head)
      differ(l, "aa_axi_err", id_name(i), "got no record of a failed write\nwant one: %" PRIx64, l->lost[i].head->addr);
  if (l->early.head) differ(l, "aa_msg", id_name(2), "got a write of %" PRIx64 "\nwant none", l->early.head->addr);
  if (l->writes.n)
    differ(l, "s_axil", "register write", "0x%05" PRIx32 " has no record", l->writes.e[l->writes.head].addr);
  if (l->tasks) differ(l, "aa_notify", "task", "got none\nwant log %u", l->task[0].log);
  for (unsigned i = 0; i < AA_OF_NUM; i++)
    if (l->duty.small[i])
      differ(l, "m_axi", id_name(2), "a small write has no response (log %u, or 32: event, 33: wait)", i);
  char owed[800];
  unsigned n = aa_owes(l->model, owed, sizeof owed);
  if (n) differ(l, "model", "at rest", "%u things are owed: %s", n, owed);
}

const char *aa_record_text(const aa_retire_rec *r, char *buf, size_t n) {
  static const char *const kind[] = {"None", "RegRead", "Walk",    "Xlate",  "Fill",  "Decide",
                                     "Cpl",  "Timeout", "Publish", "Notify", "Inval", "RegWrite"};
  static const char *const out[] = {"Pass", "Log", "Block", "Redirect", "Flush", "Lost", "BlockLost"};
  static const char *const note[] = {"?",    "Ptr",   "Msi",    "Fault",  "InvDone", "Wait",
                                     "Task", "Flush", "LogOff", "AxiErr", "Reset"};
  const char *code = r->kind == AA_RET_DECIDE && r->code < 7    ? out[r->code]
                     : r->kind == AA_RET_NOTIFY && r->code < 11 ? note[r->code]
                                                                : "";
  snprintf(buf, n, "%-8s %-9s code %u flag %u lane %u slot %u idx %u a %" PRIx64 " b %" PRIx64,
           r->kind < 12 ? kind[r->kind] : "?", code, r->code, r->flag, r->lane, r->slot, r->idx, r->a, r->b);
  return buf;
}
