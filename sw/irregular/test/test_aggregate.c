// SPDX-License-Identifier: Apache-2.0
// When queues leave, by size, time and demand, to the byte and to the microsecond; order at the home; what is refused
// by name; what a delegate must not do.
#include "net_internal.h"
#include "ranks_here.h"

enum { TAKE = IRR_FUNCTION_USER, LONG, SHORT, POLLS, SENDS, CHAIN, NOBODY };

// What the home has seen: how many delegates, their bytes, and a number that depends on each byte and its place.
typedef struct taken {
  unsigned times;
  uint64_t bytes, hash;
} taken;

static uint64_t hash(uint64_t h, const uint8_t *p, uint32_t n) {
  for (; n--; p++) h = (h ^ *p) * 0x100000001b3;
  return h;
}

static irr_status run_take(void *ctx, const irr_arrival *a, irr_answer *answer) {
  taken *t = ctx;
  t->times++;
  t->bytes += a->bytes;
  t->hash = hash(t->hash, a->args, a->bytes);
  answer->word[0] = t->times;
  CHECK((uintptr_t)a->args % 8 == 0);
  return IRR_OK;
}

static uint8_t args[2 * IRR_ARGS_MOST];

static irr_status put(const here *h, uint32_t bytes) {
  return irr_net_send(h->net[0], &(irr_delegate){.to = 1, .function = TAKE, .args = args, .bytes = bytes});
}

// ---- by size: an aggregate of 4096 bytes leaves at once, one of 4095 does not, and what does not fit
// lets what is there leave
static void limit(int more, unsigned at_once, uint64_t bytes_at_once) {
  enum { FULL = IRR_DELEGATE_BYTES + IRR_ARGS_MOST, REST = IRR_AGGREGATE_BYTES - IRR_HEAD_BYTES - 3 * FULL };
  const uint32_t last = (uint32_t)(REST - IRR_DELEGATE_BYTES + more);
  here h;
  taken t = {0}, want = {.times = 4, .bytes = 3 * IRR_ARGS_MOST + last};
  irr_traffic c;
  if (!here_open(&h, 2, NULL, NULL)) return;
  FINE(irr_net_register(h.net[1], TAKE, &(irr_function){.run = run_take, .ctx = &t}));
  for (unsigned i = 0; i < 3; i++) {
    FINE(put(&h, IRR_ARGS_MOST));
    want.hash = hash(want.hash, args, IRR_ARGS_MOST);
  }
  irr_net_counts(h.net[0], &c);
  EQ(c.aggregates, 0);
  FINE(put(&h, last));
  want.hash = hash(want.hash, args, last);
  irr_net_counts(h.net[0], &c);
  EQ(c.aggregates, at_once);
  EQ(c.flushed[IRR_FLUSH_SIZE], at_once);
  EQ(c.bytes, bytes_at_once);
  CHECK(here_settle(&h, 100));
  irr_net_counts(h.net[0], &c);
  EQ(c.aggregates, more > 0 ? 2 : 1);
  EQ(c.flushed[IRR_FLUSH_TIME], more ? 1 : 0);
  EQ(t.times, want.times);
  EQ(t.bytes, want.bytes);
  EQ(t.hash, want.hash);
  here_close(&h);
}

// ---- by time: not before 1 ms after the oldest delegate, whatever comes behind it, and at the first poll after it
static void time_is_over(unsigned flush_us) {
  here h;
  taken t = {0};
  irr_traffic c;
  if (!here_open(&h, 2, NULL, &(irr_net_options){.flush_us = flush_us})) return;
  const uint64_t ns = (flush_us ? flush_us : 1000) * 1000ull;
  FINE(irr_net_register(h.net[1], TAKE, &(irr_function){.run = run_take, .ctx = &t}));
  const uint64_t begin = toc_now(h.f);
  uint64_t before = begin, now = begin;
  FINE(put(&h, 16));
  for (bool second = false;; before = now) {
    FINE(irr_net_poll(h.net[0], NULL));
    now = toc_now(h.f);
    irr_net_counts(h.net[0], &c);
    if (c.aggregates || now - begin > 2 * ns) break;
    if (!second && now - begin > ns * 9 / 10) {
      second = true;
      FINE(put(&h, 16));
    }
  }
  EQ(c.flushed[IRR_FLUSH_TIME], 1);
  EQ(c.messages, 2);
  CHECK(now - begin >= ns);
  CHECK(before - begin < ns);       // no poll has passed it by
  CHECK(now - begin < ns + 50000);  // nor was the next one far
  CHECK(here_settle(&h, 100));
  EQ(t.times, 2);
  here_close(&h);
}

static void demand(void) {
  here h;
  taken t = {0};
  irr_traffic c;
  if (!here_open(&h, 2, NULL, NULL)) return;
  FINE(irr_net_register(h.net[1], TAKE, &(irr_function){.run = run_take, .ctx = &t}));
  FINE(irr_net_flush(h.net[0], 1));
  FINE(put(&h, 0));
  FINE(irr_net_flush(h.net[0], 1));
  FINE(put(&h, 1));
  FINE(irr_net_flush_all(h.net[0]));
  irr_net_counts(h.net[0], &c);
  EQ(c.flushed[IRR_FLUSH_DEMAND], 2);
  EQ(c.aggregates, 2);
  CHECK(here_settle(&h, 100));
  EQ(t.times, 2);
  EQ(t.bytes, 1);
  here_close(&h);
}

// ---- order: each home sees the delegates of each rank as they were sent
typedef struct line {
  uint32_t next[HERE_MOST], wrong;
} line;

static irr_status run_line(void *ctx, const irr_arrival *a, irr_answer *answer) {
  line *l = ctx;
  uint32_t number;
  (void)answer;
  memcpy(&number, a->args, sizeof number);
  CHECK((uintptr_t)a->args % 8 == 0);
  l->wrong += number != l->next[a->from]++;
  return IRR_OK;
}

static void order(unsigned n, unsigned group, unsigned each) {
  here h;
  static line at[HERE_MOST];
  uint32_t sent[HERE_MOST][HERE_MOST] = {{0}};
  uint64_t r = seed + 3;
  ended e = {0};
  unsigned asked = 0;
  if (!here_open(&h, n, NULL, &(irr_net_options){.group = group})) return;
  memset(at, 0, sizeof at);
  for (unsigned i = 0; i < n; i++)
    FINE(irr_net_register(h.net[i], TAKE, &(irr_function){.run = run_line, .ctx = &at[i]}));
  for (unsigned i = 0; i < each * n; i++) {
    const unsigned from = i % n, to = scene_random(&r) % n;
    const uint32_t bytes = sizeof(uint32_t) + scene_random(&r) % 200;
    const bool asks = scene_random(&r) % 2;
    memcpy(args, &sent[from][to], sizeof(uint32_t));
    sent[from][to]++;
    irr_delegate d = {.to = to, .function = TAKE, .args = args, .bytes = bytes};
    if (asks) d.done = on_done;
    if (asks) d.arg = &e;
    asked += asks;
    FINE(here_send(&h, from, &d));
    if (scene_random(&r) % 64 == 0) FINE(irr_net_flush(h.net[from], to));
    if (scene_random(&r) % 16 == 0) here_poll(&h);
  }
  CHECK(here_settle(&h, 200));
  EQ(e.times, asked);
  for (unsigned i = 0; i < n; i++) {
    EQ(at[i].wrong, 0);
    for (unsigned k = 0; k < n; k++) EQ(at[i].next[k], sent[k][i]);
  }
  here_close(&h);
}

// ---- refused by name
static irr_status run_long(void *ctx, const irr_arrival *a, irr_answer *answer) {
  (void)ctx;
  answer->bytes = *(const uint32_t *)a->args;
  for (unsigned i = 0; i < answer->bytes / 8 && i < IRR_ANSWER_MOST / 8; i++) answer->word[i] = 100 + i;
  return IRR_OK;
}

static void refused(void) {
  here h;
  taken t = {0};
  uint64_t into[IRR_ANSWER_MOST / 8] = {0}, got;
  uint32_t n = IRR_ANSWER_MOST;
  if (!here_open(&h, 2, NULL, NULL)) return;
  const irr_function take = {.run = run_take, .ctx = &t}, longer = {.run = run_long, .answer_bytes = IRR_ANSWER_MOST};
  FINE(irr_net_register(h.net[1], TAKE, &take));
  FINE(irr_net_register(h.net[1], LONG, &longer));
  FINE(irr_net_register(h.net[1], SHORT, &(irr_function){.run = run_long, .answer_bytes = 16}));
  ENDS(irr_net_register(h.net[1], TAKE, &take), IRR_E_IN_USE);
  ENDS(irr_net_register(h.net[1], IRR_WORD_ADD, &take), IRR_E_IN_USE);
  ENDS(irr_net_register(h.net[1], IRR_FUNCTIONS, &take), IRR_E_ARG);
  ENDS(put(&h, IRR_ARGS_MOST + 1), IRR_E_LONG);
  ENDS(irr_net_send(h.net[0], &(irr_delegate){.to = 2, .function = TAKE}), IRR_E_ARG);
  ENDS(irr_net_send(h.net[0], &(irr_delegate){.to = 1, .function = IRR_FUNCTIONS}), IRR_E_ARG);
  ENDS(irr_net_send(h.net[0], &(irr_delegate){.to = 1, .function = TAKE, .bytes = 1}), IRR_E_ARG);
  ENDS(irr_net_send(h.net[0], &(irr_delegate){.to = 1, .function = TAKE, .into = into}), IRR_E_ARG);
  ENDS(here_ask(&h, 0, &(irr_delegate){.to = 1, .function = NOBODY}, &got), IRR_E_FUNCTION);
  ENDS(here_ask(&h, 1, &(irr_delegate){.to = 1, .function = NOBODY}, &got), IRR_E_FUNCTION);
  irr_delegate d = {.to = 1, .function = LONG, .args = &n, .bytes = sizeof n, .into = into, .into_bytes = sizeof into};
  FINE(here_ask(&h, 0, &d, &got));
  EQ(got, 100);
  EQ(into[IRR_ANSWER_MOST / 8 - 1], 100 + IRR_ANSWER_MOST / 8 - 1);
  memset(into, 0, sizeof into);
  d.into_bytes = 16;
  FINE(here_ask(&h, 0, &d, &got));
  EQ(into[1], 101);
  EQ(into[2], 0);
  n = IRR_ANSWER_MOST + 8;
  ENDS(here_ask(&h, 0, &d, &got), IRR_E_LONG);
  EQ(got, 0);
  d.function = SHORT;
  for (n = 8; n <= 16; n += 8) FINE(here_ask(&h, 0, &d, &got));
  ENDS(here_ask(&h, 0, &d, &got), IRR_E_LONG);  // 24 bytes
  EQ(t.times, 0);
  here_close(&h);
}

// Answers of 32 bytes and of 24 fill an aggregate but for 16: what needs 24 waits before it is refused, and not
// behind that.
static void refused_once(void) {
  enum { UNKNOWN = 250, FULL = 2 };
  here h;
  const uint32_t n = 16;
  ended e = {0};
  if (!here_open(&h, 2, NULL, &(irr_net_options){.window = 1})) return;
  FINE(irr_net_register(h.net[1], SHORT, &(irr_function){.run = run_long, .answer_bytes = 16}));
  irr_delegate d = {.to = 1, .function = SHORT, .args = &n, .bytes = sizeof n, .done = on_done, .arg = &e};
  for (unsigned i = 0; i < FULL; i++) FINE(irr_net_send(h.net[0], &d));
  d.function = NOBODY;
  d.bytes = 0;
  for (unsigned i = 0; i < UNKNOWN; i++) FINE(irr_net_send(h.net[0], &d));
  CHECK(here_settle(&h, 200));
  EQ(e.times, FULL + UNKNOWN);
  EQ(here_counts(&h).refused, UNKNOWN);
  EQ(irr_i_net_unknown(h.net[1]), UNKNOWN);
  here_close(&h);
}

// ---- inside of a delegate
typedef struct inside {
  here *h;
  irr_status polled, sent[2];
  bool running;
  ended own, far;
} inside;

static irr_status run_polls(void *ctx, const irr_arrival *a, irr_answer *answer) {
  inside *i = ctx;
  (void)answer;
  i->running = irr_delegate_running();
  i->polled = irr_net_poll(a->net, NULL);
  return IRR_OK;
}

static irr_status run_sends(void *ctx, const irr_arrival *a, irr_answer *answer) {
  inside *i = ctx;
  const unsigned me = irr_net_rank(a->net);
  irr_delegate d = {.to = me, .function = TAKE, .done = on_done, .arg = &i->own};
  i->sent[0] = irr_net_send(a->net, &d);
  answer->word[0] = i->own.times;  // has not run yet
  d.to = a->from;
  d.arg = &i->far;
  i->sent[1] = irr_net_send(a->net, &d);
  return IRR_OK;
}

static void on_done_polls(void *arg, uint64_t value) {
  inside *i = arg;
  i->own.times++;
  i->own.value = value;
  i->polled = irr_net_poll(i->h->net[0], NULL);
}

static void within(void) {
  here h;
  inside i = {.h = &h};
  taken t = {0};
  uint64_t got;
  if (!here_open(&h, 2, NULL, NULL)) return;
  for (unsigned r = 0; r < 2; r++) {
    FINE(irr_net_register(h.net[r], TAKE, &(irr_function){.run = run_take, .ctx = &t}));
    FINE(irr_net_register(h.net[r], POLLS, &(irr_function){.run = run_polls, .ctx = &i}));
    FINE(irr_net_register(h.net[r], SENDS, &(irr_function){.run = run_sends, .ctx = &i}));
  }
  FINE(here_ask(&h, 0, &(irr_delegate){.to = 1, .function = POLLS}, NULL));
  ENDS(i.polled, IRR_E_INSIDE);
  CHECK(i.running);
  CHECK(!irr_delegate_running());
  i.polled = IRR_OK;
  FINE(here_ask(&h, 1, &(irr_delegate){.to = 1, .function = POLLS}, NULL));
  ENDS(i.polled, IRR_E_INSIDE);
  FINE(here_ask(&h, 0, &(irr_delegate){.to = 1, .function = SENDS}, &got));
  EQ(got, 0);
  CHECK(here_settle(&h, 100));
  FINE(i.sent[0]);
  FINE(i.sent[1]);
  EQ(i.own.times, 1);
  EQ(i.own.value, 1);
  EQ(i.far.times, 1);
  EQ(i.far.value, 2);
  i.polled = IRR_OK;
  FINE(irr_net_send(h.net[0], &(irr_delegate){.to = 1, .function = TAKE, .done = on_done_polls, .arg = &i}));
  CHECK(here_settle(&h, 100));
  EQ(i.own.times, 2);
  ENDS(i.polled, IRR_E_INSIDE);
  here_close(&h);
}

// ---- a rank's own that send the next one go on for ever, also if no more of them have room; each poll runs those that
// were there
typedef struct chain {
  uint64_t runs, left, busy;
  bool wrong;  // not in the order in which they were sent
  uint32_t next;
} chain;

static irr_status run_chain(void *ctx, const irr_arrival *a, irr_answer *answer) {
  chain *c = ctx;
  uint32_t number[IRR_ARGS_MOST / 4] = {0};
  (void)answer;
  memcpy(number, a->args, a->bytes);
  const uint32_t mine = number[0];
  number[0] = c->next;
  if (c->left) {
    const irr_delegate d = {.to = irr_net_rank(a->net), .function = CHAIN, .args = number, .bytes = a->bytes};
    const irr_status s = irr_net_send(a->net, &d);
    if (s != IRR_OK) return c->busy++, s;
    c->next++;
    c->left--;
  }
  c->wrong |= mine != c->runs++;
  return IRR_OK;
}

static irr_status run_sends_many(void *ctx, const irr_arrival *a, irr_answer *answer) {
  chain *c = ctx;
  uint32_t number[IRR_ARGS_MOST / 4] = {0}, bytes;
  memcpy(&bytes, a->args, sizeof bytes);
  for (;; c->next++) {
    number[0] = c->next;
    const irr_delegate d = {.to = irr_net_rank(a->net), .function = CHAIN, .args = number, .bytes = bytes};
    if (irr_net_send(a->net, &d) == IRR_BUSY) break;
  }
  answer->word[0] = c->next;
  return IRR_OK;
}

static void chains(uint32_t bytes) {
  here h;
  chain c = {0};
  uint64_t first;
  unsigned polls = 0;
  if (!here_open(&h, 2, NULL, NULL)) return;
  FINE(irr_net_register(h.net[0], CHAIN, &(irr_function){.run = run_chain, .ctx = &c}));
  FINE(irr_net_register(h.net[0], SENDS, &(irr_function){.run = run_sends_many, .ctx = &c}));
  FINE(here_ask(&h, 0, &(irr_delegate){.to = 0, .function = SENDS, .args = &bytes, .bytes = sizeof bytes}, &first));
  CHECK(first > 1 && !c.runs);
  c.left = 20 * first;
  while ((c.runs < 21 * first || c.left) && polls < 1000) {
    FINE(irr_net_poll(h.net[0], NULL));
    EQ(c.runs, ++polls * first);
  }
  EQ(polls, 21);
  EQ(c.runs, 21 * first);
  EQ(c.busy, 0);
  CHECK(!c.wrong);
  CHECK(here_settle(&h, 100));
  here_close(&h);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  for (unsigned i = 0; i < sizeof args; i++) args[i] = (uint8_t)(i * 7 + i / 256);
  limit(0, 1, IRR_AGGREGATE_BYTES);
  limit(-1, 0, 0);
  limit(1, 1, IRR_HEAD_BYTES + 3 * (IRR_DELEGATE_BYTES + IRR_ARGS_MOST));
  time_is_over(0);
  time_is_over(300);
  demand();
  order(2, 1, 1000);
  order(5, 1, 400);
  order(9, 3, 300);
  refused();
  refused_once();
  within();
  chains(4);
  chains(101);
  chains(IRR_ARGS_MOST);
  return report();
}
