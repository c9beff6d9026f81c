// SPDX-License-Identifier: Apache-2.0
// Much at once: ranks that flood each other, one that does not poll, bad links, neighbours and routers that are gone.
#include "net_internal.h"
#include "ranks_here.h"

enum { FEED = IRR_FUNCTION_USER, FEED_BYTES = 256 };

typedef struct fed {
  uint64_t times, sum;
} fed;

static irr_status run_feed(void *ctx, const irr_arrival *a, irr_answer *answer) {
  fed *f = ctx;
  uint64_t v;
  memcpy(&v, a->args, sizeof v);
  f->times++;
  f->sum += v;
  answer->word[0] = v + 1;
  for (unsigned i = 1; i < IRR_ANSWER_MOST / 8; i++) answer->word[i] = v;
  answer->bytes = IRR_ANSWER_MOST;  // answers are as long as questions: they fill their queues as well
  return IRR_OK;
}

typedef struct asked {
  uint64_t sent, ended, sum, busy;
} asked;

static void on_fed(void *arg, uint64_t value) {
  asked *a = arg;
  a->ended++;
  a->sum += value;
}

static void feed_all(const here *h, fed *f) {
  const irr_function feed = {.run = run_feed, .answer_bytes = IRR_ANSWER_MOST};
  for (unsigned i = 0; i < h->n; i++) {
    irr_function with = feed;
    with.ctx = &f[i];
    FINE(irr_net_register(h->net[i], FEED, &with));
  }
}

static irr_status ask(const here *h, unsigned from, unsigned to, asked *a) {
  uint64_t bytes[FEED_BYTES / 8] = {a->sent};
  const irr_delegate d = {.to = to, .function = FEED, .args = bytes, .bytes = FEED_BYTES, .done = on_fed, .arg = a};
  const irr_status s = irr_net_send(h->net[from], &d);
  a->sent += s == IRR_OK;
  a->busy += s == IRR_BUSY;
  return s;
}

// ---- all ranks send to all as fast as they are let, and poll only when they are not
static void flood(const toc_options *link, irr_net_options net, unsigned n, uint64_t each) {
  here h;
  fed f[HERE_MOST] = {{0}};
  asked a[HERE_MOST] = {{0}};
  uint64_t times = 0, sum = 0, got = 0;
  if (!here_open(&h, n, link, &net)) return;
  feed_all(&h, f);
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < n; i++) {
      while (a[i].sent < each && ask(&h, i, (unsigned)((i + 1 + a[i].sent % (n - 1)) % n), &a[i]) == IRR_OK) continue;
      FINE(irr_net_poll(h.net[i], NULL));
      more |= a[i].sent < each;
    }
  }
  CHECK(here_settle(&h, 2000));
  for (unsigned i = 0; i < n; i++) {
    EQ(a[i].sent, each);
    EQ(a[i].ended, each);
    EQ(a[i].sum, each * (each - 1) / 2 + each);
    CHECK(a[i].busy);
    times += f[i].times;
    sum += f[i].sum;
    got += a[i].sum - each;
  }
  EQ(times, n * each);
  EQ(sum, got);
  const irr_traffic c = here_counts(&h);
  EQ(c.lost + c.refused + c.late + c.broken, 0);
  here_close(&h);
}

// ---- a rank that does not poll holds its senders up, who keep what they have; nothing is lost when it polls again
static void deaf(void) {
  enum { WINDOW = 2, MOST = WINDOW * (IRR_AGGREGATE_BYTES / FEED_BYTES) };
  here h;
  fed f[2] = {{0}};
  asked a = {0};
  irr_traffic c;
  if (!here_open(&h, 2, NULL, &(irr_net_options){.window = WINDOW})) return;
  feed_all(&h, f);
  for (unsigned i = 0; i < 2000; i++) {
    (void)ask(&h, 0, 1, &a);
    FINE(irr_net_poll(h.net[0], NULL));
  }
  CHECK(a.sent <= MOST && a.sent > MOST / 2);
  EQ(f[1].times, 0);
  irr_net_counts(h.net[0], &c);
  EQ(c.aggregates, WINDOW);
  EQ(c.busy, a.busy);
  CHECK(here_settle(&h, 100));
  EQ(f[1].times, a.sent);
  EQ(a.ended, a.sent);
  here_close(&h);
}

// ---- as many answers are waited for as there are tickets
static void tickets(void) {
  here h;
  fed f[2] = {{0}};
  asked a = {0};
  if (!here_open(&h, 2, NULL, &(irr_net_options){.pending = 3})) return;
  feed_all(&h, f);
  for (unsigned i = 0; i < 3; i++) FINE(ask(&h, 0, 1, &a));
  ENDS(ask(&h, 0, 1, &a), IRR_BUSY);
  CHECK(here_settle(&h, 100));
  EQ(a.ended, 3);
  FINE(ask(&h, 0, 1, &a));
  CHECK(here_settle(&h, 100));
  EQ(a.ended, 4);
  // An answer for the ticket's holder before, or for nobody, ends nothing.
  FINE(ask(&h, 0, 1, &a));
  for (uint64_t word = 0; word < 4; word++) irr_i_end(h.net[0], word, IRR_OK, &a.sum, sizeof a.sum);
  EQ(a.ended, 4);
  EQ(here_counts(&h).late, 4);
  CHECK(here_settle(&h, 100));
  EQ(a.ended, 5);
  here_close(&h);
}

// ---- gone
static void crash(here *h, unsigned rank) {
  toc_proc_close(h->p[rank]);
  irr_net_close(h->net[rank]);
  h->net[rank] = NULL;
}

// What rank `from` has asked of `to` ends with IRR_E_GONE, and so does what it asks later. It has to be
// noticed within a second.
static void is_missed(const here *h, unsigned from, unsigned to, const ended *e) {
  const uint64_t until = toc_now(h->f) + 1000000000;
  while (!(e->times && irr_net_is_gone(h->net[from], to)) && toc_now(h->f) < until) here_poll(h);
  EQ(e->times, 1);
  ENDS(e->status, IRR_E_GONE);
  EQ(e->value, 0);
  CHECK(irr_net_is_gone(h->net[from], to));
  ENDS(irr_net_send(h->net[from], &(irr_delegate){.to = to, .function = FEED}), IRR_E_GONE);
}

static void put_question(const here *h, unsigned from, unsigned to, ended *e) {
  static const uint64_t bytes[FEED_BYTES / 8];
  *e = (ended){.status = IRR_E_COUNT};
  FINE(irr_net_send(h->net[from], &(irr_delegate){.to = to,
                                                  .function = FEED,
                                                  .args = bytes,
                                                  .bytes = sizeof bytes,
                                                  .done = on_done,
                                                  .arg = e,
                                                  .status = &e->status}));
  FINE(irr_net_flush(h->net[from], to));
}

// taken: the rank has a question already when it ends, so that nobody need send it anything any more. Behind a router
// that is gone are the others of its group, who are alone then.
static void gone(unsigned n, unsigned group, unsigned victim, bool taken) {
  here h;
  fed f[HERE_MOST] = {{0}};
  ended e[HERE_MOST];
  uint64_t got;
  if (!here_open(&h, n, NULL, &(irr_net_options){.group = group})) return;
  feed_all(&h, f);
  const irr_topology *t = irr_net_topology(h.net[0]);
  const bool router = victim == irr_router_of(t, victim) && group > 1;
  const unsigned past = router ? victim + group : victim + 1;
  for (unsigned i = 0; i < n; i++)
    if (i != victim) put_question(&h, i, victim, &e[i]);
  while (taken && !f[victim].times) here_poll(&h);
  EQ(f[victim].times > 0, taken);
  crash(&h, victim);
  for (unsigned i = 0; i < n; i++)
    if (i != victim) is_missed(&h, i, victim, &e[i]);
  for (unsigned i = 0; i < n; i++)
    for (unsigned to = 0; to < n; to++) {
      const bool here_in = i >= victim && i < past, there_in = to >= victim && to < past;
      if (!h.net[i] || i == to) continue;
      EQ(irr_net_is_gone(h.net[i], to), here_in || there_in);
      if (here_in || there_in) continue;
      FINE(here_ask(&h, i, &(irr_delegate){.to = to, .function = FEED, .args = &got, .bytes = sizeof got}, NULL));
    }
  here_close(&h);
}

// ---- a neighbour that writes what is no aggregate, or says what cannot be: it is gone then, and nothing else happens
typedef struct forged {
  head h;
  message m;
  uint64_t word;
  irr_word_args w;
} forged;

static const forged good = {.h = {.bytes = sizeof(forged), .from = 0},
                            .m = {.to = 1, .from = 0, .function = IRR_WORD_READ, .length = ASKS | sizeof good.w}};

static void forge(forged f, bool taken) {
  here h;
  forged *there;
  toc_req r;
  uint64_t memory[4] = {7};
  if (!here_open(&h, 3, NULL, NULL)) return;
  FINE(irr_net_share(h.net[1], memory, sizeof memory));
  peer *p = irr_i_neighbour(h.net[0], 1);
  OK(toc_alloc(h.p[0], IRR_PAGE_BYTES, TOC_READ, (void **)&there));
  *there = f;
  OK(toc_put(p->qp, there, p->pages, f.h.bytes > sizeof f.h ? f.h.bytes : sizeof f, &r));
  for (unsigned i = 0; i < 1000; i++) here_poll(&h);
  irr_traffic c;
  irr_net_counts(h.net[1], &c);
  EQ(c.broken, !taken);
  EQ(c.run, taken);
  EQ(irr_net_is_gone(h.net[1], 0), !taken);
  uint64_t got = 0;
  FINE(here_word(&h, 2, 1, IRR_WORD_READ, (irr_word_args){.place = 0}, &got));
  EQ(got, 7);
  here_close(&h);
}

static void forgeries(void) {
  forged f = good;
  forge(f, true);
  f.m.from = 1;  // from its home
  forge(f, false);
  f.m.from = 2;  // from a third
  forge(f, false);
  f.m.from = 3;
  forge(f, false);
  f.m.from = 1;  // also if it wants no answer
  f.m.length = sizeof f.w;
  f.h.bytes = sizeof f - sizeof f.word;
  forge(f, false);
  f = good;
  f.m.to = 3;
  forge(f, false);
  f.m.to = 0;  // back
  forge(f, false);
  f = good;
  f.m.length = ASKS | (sizeof f.w + 1);
  forge(f, false);
  f = good;
  f.h.number = 1;
  forge(f, false);
  f = good;
  f.h.from = 2;
  forge(f, false);
  f = good;
  f.h.bytes = sizeof f.h - 1;
  forge(f, false);
}

int main(int argc, char **argv) {
  const toc_options lossy = {.drop = 20, .twice = 20, .swap = 20, .bend = 20};
  scene_options(argc, argv);
  flood(NULL, (irr_net_options){.window = 1}, 2, 2000);
  flood(NULL, (irr_net_options){0}, 2, 4000);
  flood(NULL, (irr_net_options){.window = 1}, 9, 200);
  flood(NULL, (irr_net_options){.window = 1, .group = 3}, 9, 300);
  flood(NULL, (irr_net_options){.window = 2, .group = 4}, 16, 200);
  flood(&lossy, (irr_net_options){0}, 2, 3000);
  flood(&lossy, (irr_net_options){.window = 1, .group = 2}, 6, 300);
  deaf();
  tickets();
  gone(3, 1, 1, false);
  gone(3, 1, 1, true);
  gone(9, 3, 4, false);
  gone(9, 3, 4, true);
  gone(9, 3, 3, false);
  forgeries();
  return report();
}
