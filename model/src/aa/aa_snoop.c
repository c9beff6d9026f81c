// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_snoop.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aa_pkt.h"
#include "aa_state.h"
#include "tocsin/aa_lock.h"
#include "tocsin/aa_regs.h"
#include "tocsin/aa_rx.h"

enum { PORTS = AA_PORTS_MAX, STREAMS = 2 * PORTS + 2, AHEAD = 256 };
enum { DEV_IN = 0, HOST_IN = PORTS, DEV_OUT = PORTS + 1, HOST_OUT = 2 * PORTS + 1 }; /* assemblers of packets */

/* A word that the IOMMU has read. */
typedef struct word {
  uint64_t key; /* address + 1, 0 = free */
  uint64_t value, when;
  bool err;
} word;

struct aa_snoop {
  aa_config cfg;
  aa_snoop_differ *differ;
  void *ctx;
  aa *model;
  bool failed, blind;
  uint64_t cycle;
  word *word;
  size_t cap, used;
  pktq lane[2 * PORTS];  /* requests not yet judged */
  pktq out[2 * PORTS];   /* judged, and must still appear at the host */
  pktq dev[PORTS];       /* completions that must still appear */
  unsigned now;          /* the lane that is being judged */
  bool unread;           /* the last judgement wanted a word that was not there, */
  uint64_t unread_at;    /* at this address: */
  uint64_t unread_since; /* read in this cycle, before the invalidation; 0: never read */
  uint64_t asked[2];     /* cycle in which a global invalidation was begun (tables, contexts), 0: none under way */
  uint64_t since[2];     /* words read before are stale */
  uint64_t changed;      /* software last changed what may be blocked */
  uint64_t ended[PORTS]; /* the port was last reset: answers to what came before may have been dropped */
  bool settled, cut[PORTS + 1];
  aa_rx rx[STREAMS];
  uint8_t buf[STREAMS][TLP_MAX_BYTES + 64];
};

static void differ(aa_snoop *s, const char *block, const char *stream, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));
static void differ(aa_snoop *s, const char *block, const char *stream, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  if (s->failed) return;
  s->failed = true;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  s->differ(s->ctx, block, stream, text);
}

static void *must(aa_snoop *s, void *p) {
  if (!p) differ(s, "aa_snoop", "memory", "out of memory");
  return p;
}

static const char *dev_name(unsigned port) {
  static const char *const name[] = {"dev_cpl 0", "dev_cpl 1", "dev_cpl 2", "dev_cpl 3"};
  return name[port & 3];
}
static const char *host_name(unsigned lane) {
  static const char *const name[] = {"host_req of port 0, posted", "host_req of port 0, non-posted",
                                     "host_req of port 1, posted", "host_req of port 1, non-posted",
                                     "host_req of port 2, posted", "host_req of port 2, non-posted",
                                     "host_req of port 3, posted", "host_req of port 3, non-posted"};
  return name[lane & 7];
}

/* ---- words read -------------------------------------------------------------------------------------------------- */

static word *find(aa_snoop *s, uint64_t addr) {
  size_t i = (size_t)((addr >> 3) * 0x9E3779B97F4A7C15ull >> 24) & (s->cap - 1);
  while (s->word[i].key && s->word[i].key != addr + 1) i = (i + 1) & (s->cap - 1);
  return &s->word[i];
}

static bool grow(aa_snoop *s) {
  word *old = s->word;
  size_t n = s->cap;
  if (!(s->word = calloc(2 * n, sizeof *old))) {
    s->word = old;
    must(s, NULL);
    return false;
  }
  s->cap = 2 * n;
  for (size_t i = 0; i < n; i++)
    if (old[i].key) *find(s, old[i].key - 1) = old[i];
  free(old);
  return true;
}

void aa_snoop_axi_read(aa_snoop *s, uint64_t addr, const void *data, unsigned n, bool err) {
  const uint8_t *p = data;
  for (unsigned i = 0; i + 8 <= n && !s->failed; i += 8) {
    if (2 * s->used >= s->cap && !grow(s)) return;
    word *w = find(s, addr + i);
    s->used += !w->key;
    w->key = addr + i + 1;
    w->when = s->cycle;
    w->err = err;
    memcpy(&w->value, p + i, 8);
  }
}

/* Root and context entries are 16 bytes, those of tables 8. */
static bool op_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  aa_snoop *s = ctx;
  (void)src;
  for (size_t i = 0; i < n; i += 8) {
    const word *w = find(s, addr + i);
    if (!w->key || w->when < s->since[n == 16]) {
      s->unread = true;
      s->unread_at = addr + i;
      s->unread_since = w->key ? w->when : 0;
      return false;
    }
    if (w->err) return false;
    memcpy((uint8_t *)buf + i, &w->value, 8);
  }
  return true;
}

static bool op_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  (void)ctx, (void)src, (void)addr, (void)buf, (void)n;
  return true;
}
static void op_host(void *ctx, const tlp *t) {
  aa_snoop *s = ctx;
  must(s, pktq_push(&s->out[s->now], t));
}
static void op_dev(void *ctx, unsigned port, unsigned src, const tlp *t) {
  aa_snoop *s = ctx;
  (void)src;
  pkt *p = must(s, pktq_push(&s->dev[port], t));
  if (p) p->when = s->cycle;
}

/* ---- making and freeing ------------------------------------------------------------------------------------------ */

void aa_snoop_free(aa_snoop *s) {
  if (!s) return;
  for (unsigned i = 0; i < 2 * PORTS; i++) {
    pktq_clear(&s->lane[i]);
    pktq_clear(&s->out[i]);
    pktq_clear(&s->dev[i / 2]);
  }
  free(s->word);
  aa_free(s->model);
  free(s);
}

aa_status aa_snoop_new(const aa_config *cfg, aa_snoop_differ *say, void *ctx, aa_snoop **out) {
  static const aa_ops ops = {op_read, op_write, op_host, op_dev, NULL};
  aa_config c;
  *out = NULL;
  aa_config_default(&c);
  c.NumPorts = cfg->NumPorts;
  c.DataW = cfg->DataW;
  c.ActiveAccess = cfg->ActiveAccess;
  if (aa_config_wrong(&c)) return AA_E_CONFIG;
  aa_snoop *s = calloc(1, sizeof *s);
  if (!s) return AA_E_NOMEM;
  s->cfg = c;
  s->cfg.TagEntries = 256;
  s->cfg.NumLogs = s->cfg.FlushPages = s->cfg.FlushWaiters = s->cfg.ScratchWords = 0;
  s->cfg.LogDepth = cfg->ActiveAccess;
  s->differ = say;
  s->ctx = ctx;
  s->cap = 1024;
  s->word = calloc(s->cap, sizeof *s->word);
  aa_status st = s->word ? aa_make(&s->cfg, &ops, s, &s->model) : AA_E_NOMEM;
  if (st != AA_OK) {
    aa_snoop_free(s);
    return st;
  }
  aa_tag_buf_init(&s->model->tags, AA_TAG_MAX, 1); /* whose share an entry is of does not show */
  for (unsigned i = 0; i < STREAMS; i++) s->rx[i].buf = s->buf[i];
  *out = s;
  return AA_OK;
}

bool aa_snoop_failed(const aa_snoop *s) { return s->failed; }
bool aa_snoop_blind(const aa_snoop *s) { return s->blind; }
static bool over(const aa_snoop *s) { return s->failed || s->blind; }

void aa_snoop_cycle(aa_snoop *s, uint64_t cycle) { s->cycle = cycle; }

void aa_snoop_reset_level(aa_snoop *s, unsigned port, bool level) {
  if (over(s) || !(level || s->model->reset[port & 3])) return;
  s->blind = s->lane[2 * (port & 3) + 1].head != NULL; /* dropped, if it has not been decided: nobody can see which */
  aa_dev_reset(s->model, port, level);
  aa_poll(s->model);
  s->ended[port & 3] = s->cycle;
}

/* ---- judging requests -------------------------------------------------------------------------------------------- */

/* The oldest request of a lane meets the model, whose caches are emptied first: the words last read decide. When a
 * quarantine ends by time, the next request with its tag shows it. */
static void judge(aa_snoop *s, unsigned lane) {
  const tlp *t = &s->lane[lane].head->t;
  unsigned tag = aa_tag_find(&s->model->tags, aa_tag_key(tlp_req_id(t->hdr), tlp_req_tag(t->hdr)));
  if ((lane & 1) && tag < AA_TAG_MAX && s->model->tags.tag[tag].dead) aa_tag_release(&s->model->tags, tag);
  aa_xlt_invalidate(&s->model->xlt, &(aa_inval){.ctx = true, .gran = 1});
  aa_xlt_invalidate(&s->model->xlt, &(aa_inval){.gran = 1});
  s->unread = false;
  s->now = lane;
  aa_status st = aa_submit(s->model, lane / 2, t);
  if (st != AA_OK || aa_pending(s->model))
    differ(s, "aa_snoop", host_name(lane), "the model does not take a request: %s", aa_strstatus(st));
}

/* Appended to a difference that a missing word may explain. */
static const char *why(const aa_snoop *s, char *buf, size_t n) {
  buf[0] = 0;
  if (s->unread && s->unread_since)
    snprintf(buf, n, "\nits walk needs %" PRIx64 ", last read in cycle %" PRIu64 " and invalidated since", s->unread_at,
             s->unread_since);
  else if (s->unread)
    snprintf(buf, n, "\nits walk needs %" PRIx64 ", which has never been read", s->unread_at);
  return buf;
}

/* May this posted request have been blocked by what software has changed since it came? */
static bool excused(const aa_snoop *s, unsigned lane, const pkt *p) { return !(lane & 1) && p->when <= s->changed; }

/* Judges requests of a lane until one of them must appear at the host. False: none is left. */
static bool next_out(aa_snoop *s, unsigned lane, const tlp *got) {
  while (!s->out[lane].head && s->lane[lane].head && !s->failed) {
    pkt *p = s->lane[lane].head;
    judge(s, lane);
    if (s->out[lane].head && excused(s, lane, p) && tlp_unlike(got, &s->out[lane].head->t)) pktq_drop(&s->out[lane]);
    pktq_drop(&s->lane[lane]);
  }
  return s->out[lane].head != NULL;
}

/* How much a request looks like a TLP that left. */
static unsigned alike(const tlp *got, const tlp *q) {
  if ((tlp_type(got->hdr) & ~TLP_4DW) != (tlp_type(q->hdr) & ~TLP_4DW)) return 0;
  return 1u + 8u * (got->hdr[1] == q->hdr[1]) + 4u * (got->seq == q->seq) +
         2u * (tlp_length(got->hdr) == tlp_length(q->hdr)) +
         2u * (got->ndw == q->ndw && (!got->ndw || !memcmp(got->data, q->data, 4 * (size_t)got->ndw))) +
         2u * (((tlp_addr(got->hdr) ^ tlp_addr(q->hdr)) & 0xfff) == 0);
}

/* The lane that a TLP most likely came from. */
static unsigned lane_of(const aa_snoop *s, const tlp *got) {
  unsigned np = !!(aa_rx_type[tlp_type(got->hdr)] & AA_RX_NP), best = np, most = 0;
  for (unsigned port = 0; port < s->cfg.NumPorts; port++) {
    unsigned lane = 2 * port + np, n = 0, like = s->out[lane].head ? alike(got, &s->out[lane].head->t) : 0;
    if (!s->out[lane].head)
      for (const pkt *p = s->lane[lane].head; p && n < AHEAD; p = p->next, n++) {
        unsigned a = alike(got, &p->t);
        if (a > like) like = a;
      }
    if (like > most) {
      most = like;
      best = lane;
    }
  }
  return best;
}

static void host_tlp(aa_snoop *s, const tlp *t) {
  char got[1000], more[120];
  unsigned lane = lane_of(s, t);
  bool any = next_out(s, lane, t);
  if (s->failed) return;
  if (!any) {
    differ(s, "host_req", host_name(lane), "got  %s\nwant none%s", aa_tlp_text(t, got, sizeof got),
           why(s, more, sizeof more));
    return;
  }
  const pkt *w = s->out[lane].head;
  if (tlp_difference(t, &w->t, got, sizeof got)) {
    differ(s, "host_req", host_name(lane), "%s", got);
    return;
  }
  pktq_drop(&s->out[lane]);
}

/* A non-posted request is about to leave: what came before it on the posted lane has left. */
static void check_order(aa_snoop *s, const tlp *t) {
  unsigned lane = lane_of(s, t), posted = lane & ~1u;
  char got[200], want[200];
  if (!(lane & 1)) return;
  const pkt *np = s->lane[lane].head;
  while (np && alike(t, &np->t) < 15) np = np->next;
  while (np && s->lane[posted].head && (int32_t)(s->lane[posted].popped - np->posted) < 0) {
    if (excused(s, posted, s->lane[posted].head)) return; /* blocked or not: the next output of its lane will tell */
    judge(s, posted);
    if (s->out[posted].head)
      differ(s, "host_req", host_name(lane), "passes a posted request that came before it\ngot  %s\nwant %s",
             aa_tlp_text(t, got, sizeof got), aa_tlp_text(&s->out[posted].head->t, want, sizeof want));
    if (s->failed) return;
    pktq_drop(&s->lane[posted]);
  }
}

static void dev_tlp(aa_snoop *s, unsigned port, const tlp *t) {
  char got[1000], more[120] = "";
  unsigned lane = 2 * port + 1;
  uint32_t id = t->hdr[2] >> 8, high = t->hdr[0] & 0x00880000u;
  for (unsigned pass = 0; pass < 2; pass++) {
    pktq *q = &s->dev[port];
    pkt *before = NULL, *p = q->head;
    while (p && (p->t.hdr[2] >> 8 != id || (p->t.hdr[0] & 0x00880000u) != high)) {
      before = p;
      p = p->next;
    }
    if (p) {
      const char *what = tlp_unlike(t, &p->t);
      bool dropped = what && p->when <= s->ended[port]; /* by the reset: the next one of this id */
      if (what && !dropped)
        differ(s, "dev_cpl", dev_name(port), "%s", tlp_difference(t, &p->t, got, sizeof got) ? got : what);
      if (before) { /* to the head, and away */
        before->next = p->next;
        if (q->tail == p) q->tail = before;
        p->next = q->head;
        q->head = p;
      }
      pktq_drop(q);
      if (!dropped) return;
      pass--;
      continue;
    }
    /* an answer of the IOMMU itself: its lane has come so far */
    p = s->lane[lane].head;
    while (p && (tlp_req_id(p->t.hdr) != tlp_cpl_id(t->hdr) || tlp_req_tag(p->t.hdr) != tlp_cpl_tag(t->hdr)))
      p = p->next;
    if (!p || pass) break;
    for (bool last = false; !last && !s->failed;) {
      last = s->lane[lane].head == p;
      bool early = last && p->when <= s->changed; /* may have been decided before an invalidation */
      judge(s, lane);
      pktq_drop(&s->lane[lane]);
      if (last && s->unread && !(early && s->unread_since)) {
        differ(s, "dev_cpl", dev_name(port), "got  %s\nwant no answer yet%s", aa_tlp_text(t, got, sizeof got),
               why(s, more, sizeof more));
      }
    }
    if (s->failed) return;
  }
  differ(s, "dev_cpl", dev_name(port), "got  %s\nwant none", aa_tlp_text(t, got, sizeof got));
}

void aa_snoop_host_tlp(aa_snoop *s, const tlp *t) {
  if (!over(s)) check_order(s, t);
  if (!over(s)) host_tlp(s, t);
}

void aa_snoop_dev_tlp(aa_snoop *s, unsigned port, const tlp *t) {
  if (!over(s)) dev_tlp(s, port & 3, t);
}

/* ---- streams ----------------------------------------------------------------------------------------------------- */

typedef struct sink {
  aa_snoop *s;
  unsigned k;
} sink;

/* The transaction interface of the model has no form of beats: what is wrong with it becomes a wrong length. */
static tlp shaped(const tlp *t, bool bad_form) {
  static const uint8_t nothing[TLP_MAX_BYTES + 4];
  tlp r = *t;
  uint32_t want = tlp_data_dw(t->hdr);
  if (bad_form) r.ndw = want ? want - 1 : 1;
  if (bad_form) r.data = nothing;
  return r;
}

static void came(void *ctx, const tlp *t, bool bad_form) {
  sink *x = ctx;
  aa_snoop *s = x->s;
  tlp r = shaped(t, bad_form);
  if (x->k == HOST_IN) {
    s->now = 1;
    aa_complete(s->model, &r);
    return;
  }
  unsigned lane = 2 * x->k + !!(aa_rx_type[tlp_type(t->hdr)] & AA_RX_NP);
  pkt *p = must(s, pktq_push(&s->lane[lane], &r));
  if (!p) return;
  p->when = s->cycle;
  p->posted = s->lane[lane & ~1u].pushed;
}

static void went(void *ctx, const tlp *t, bool bad_form) {
  sink *x = ctx;
  const char *name = x->k == HOST_OUT ? "host_req" : dev_name(x->k - DEV_OUT);
  char text[200];
  if (bad_form)
    differ(x->s, name, name, "beats are out of form\ngot  %s", aa_tlp_text(t, text, sizeof text));
  else if (x->k == HOST_OUT)
    aa_snoop_host_tlp(x->s, t);
  else
    aa_snoop_dev_tlp(x->s, x->k - DEV_OUT, t);
}

/* A packet that is cut off by the next one ends when that is shown. */
static void in(aa_snoop *s, unsigned k, const aa_beat *b, bool taken) {
  static const uint8_t nothing[64];
  if (over(s)) return;
  if (b->sop && s->rx[k].busy)
    aa_rx_beat(&s->rx[k], s->cfg.DataW / 32, &(aa_beat){.eop = true, .data = nothing}, came, &(sink){s, k});
  if (taken) aa_rx_beat(&s->rx[k], s->cfg.DataW / 32, b, came, &(sink){s, k});
}

static void out(aa_snoop *s, unsigned k, const aa_beat *b) {
  const char *name = k == HOST_OUT ? "host_req" : dev_name(k - DEV_OUT);
  if (over(s)) return;
  if (b->sop == s->rx[k].busy)
    differ(s, name, name, "got %s\nwant %s", b->sop ? "sop" : "no sop", b->sop ? "the rest of a TLP" : "a TLP");
  else
    aa_rx_beat(&s->rx[k], s->cfg.DataW / 32, b, went, &(sink){s, k});
}

void aa_snoop_dev_in(aa_snoop *s, unsigned port, const aa_beat *b, bool taken) { in(s, DEV_IN + (port & 3), b, taken); }
void aa_snoop_host_in(aa_snoop *s, const aa_beat *b, bool taken) { in(s, HOST_IN, b, taken); }
void aa_snoop_host_out(aa_snoop *s, const aa_beat *b) { out(s, HOST_OUT, b); }
void aa_snoop_dev_out(aa_snoop *s, unsigned port, const aa_beat *b) { out(s, DEV_OUT + (port & 3), b); }

/* ---- registers --------------------------------------------------------------------------------------------------- */

static const struct {
  uint32_t addr;
  uint64_t mask; /* bits that are read back */
} plain[] = {{AA_REG_RTADDR, 0x0000fffffffff000ull},
             {AA_REG_FECTL, 0x0000ffff00000000ull},
             {AA_REG_FEADDR, 0xfffffffffffffffcull},
             {AA_REG_IECTL, 0x0000ffff00000000ull},
             {AA_REG_IEADDR, 0xfffffffffffffffcull}};

void aa_snoop_reg_write(aa_snoop *s, uint64_t taken, uint32_t addr, uint64_t data, unsigned strb) {
  aa *m = s->model;
  if (over(s)) return;
  addr &= ~7u;
  bool port = addr >= AA_REG_AA_PORT && addr < AA_REG_AA_PORT + 8 * PORTS;
  if (addr == AA_REG_GCMD) s->settled = false;
  if (addr == AA_REG_GCMD || addr == AA_REG_CCMD || addr == AA_REG_IOTLB || addr == AA_REG_AA_CTL ||
      addr == AA_REG_IQT || port)
    s->changed = s->cycle;
  if (addr == AA_REG_IOTLB && strb >> 7 && data & AA_IOTLB_IVT_MASK &&
      (data & AA_IOTLB_IIRG_MASK) >> AA_IOTLB_IIRG_LSB == 1)
    s->asked[0] = taken;
  if (addr == AA_REG_CCMD && strb >> 7 && data & AA_CCMD_ICC_MASK &&
      (data & AA_CCMD_CIRG_MASK) >> AA_CCMD_CIRG_LSB == 1)
    s->asked[1] = taken;
  if (s->cfg.ActiveAccess && addr >= AA_REG_AA_FLP && addr < AA_REG_AA_FLP + 8 * AA_REG_AA_FLP_NUM &&
      data & AA_AA_FLP_EN_MASK)
    s->blind = true;
  if (addr == AA_REG_AA_RESET && strb >> 7 && data & AA_AA_RESET_GO_MASK) s->blind = true;
  bool known = addr == AA_REG_GCMD || addr == AA_REG_AA_CTL || port;
  for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++) known = known || addr == plain[i].addr;
  if (!known) return;
  aa_regs_write(m, addr, data, strb);
}

void aa_snoop_reg_read(aa_snoop *s, uint32_t addr, uint64_t data) {
  uint64_t want, mask = 0;
  if (over(s)) return;
  addr &= ~7u;
  want = aa_regs_read(s->model, addr);
  for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++)
    if (plain[i].addr == addr) mask = plain[i].mask;
  if (addr == AA_REG_GCMD) { /* and GSTS: may follow late, then stays */
    uint64_t status = (uint64_t)(AA_GSTS_TES_MASK | AA_GSTS_RTPS_MASK) << 32;
    if (((data ^ want) & status) == 0) s->settled = true;
    if (s->settled) mask = status;
  }
  if ((data ^ want) & mask)
    differ(s, "s_axil", "register read",
           "0x%05" PRIx32 "\ngot  %016" PRIx64 "\nwant %016" PRIx64 " in bits %016" PRIx64, addr, data, want, mask);
  if (addr == AA_REG_IOTLB && s->asked[0] && !(data & AA_IOTLB_IVT_MASK)) s->since[0] = s->asked[0], s->asked[0] = 0;
  if (addr == AA_REG_CCMD && s->asked[1] && !(data & AA_CCMD_ICC_MASK)) s->since[1] = s->asked[1], s->asked[1] = 0;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

void aa_snoop_end(aa_snoop *s) {
  char text[200], more[120];
  if (over(s)) return;
  for (unsigned i = 0; i < 2 * s->cfg.NumPorts && !s->failed; i++) {
    while (s->lane[i].head && !s->out[i].head && !s->failed) {
      pkt *p = s->lane[i].head;
      judge(s, i);
      if (excused(s, i, p)) pktq_clear(&s->out[i]);
      if (s->unread && !s->unread_since)
        differ(s, "host_req", host_name(i), "got  no outcome of a request\nwant one: %s%s",
               aa_tlp_text(&p->t, text, sizeof text), why(s, more, sizeof more));
      pktq_drop(&s->lane[i]);
    }
    if (s->out[i].head)
      differ(s, "host_req", host_name(i), "got  none\nwant %s", aa_tlp_text(&s->out[i].head->t, text, sizeof text));
  }
  for (unsigned i = 0; i < s->cfg.NumPorts; i++) {
    while (s->dev[i].head && s->dev[i].head->when <= s->ended[i]) pktq_drop(&s->dev[i]);
    if (s->dev[i].head)
      differ(s, "dev_cpl", dev_name(i), "got  none\nwant %s", aa_tlp_text(&s->dev[i].head->t, text, sizeof text));
  }
}
