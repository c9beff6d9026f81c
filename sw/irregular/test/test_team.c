// SPDX-License-Identifier: Apache-2.0
// Teams on threads: when they end, what they end with. cpp.sh has them on processes.
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ranks_here.h"
#include "tocsin/irregular/team.h"

enum { HOP = IRR_FUNCTION_USER, HOPS = 200, TOKENS = 12, MOST = 8 };

typedef struct station {  // of a rank
  irr_member *m;
  uint64_t seen;
  uint64_t left[TOKENS * 4];  // tokens that found no room: hops that they still have
  unsigned waiting;
  irr_later later;
  bool queued;
} station;

static struct {
  station of[MOST];
  unsigned opened, closed, strangers;
  uint64_t sum, ranks;
  toc_status fails_in_open, fails_in_first, fails_in_close;
  unsigned fails_at;
} t;

// ---- tokens that go from rank to rank, by delegates that delegates send: nobody waits for them but the end
static bool go_on(station *s, uint64_t hops) {
  const unsigned to = (unsigned)((s->m->rank + 1 + hops % (s->m->ranks)) % s->m->ranks);
  const irr_delegate d = {.to = to, .function = HOP, .args = &hops, .bytes = sizeof hops};
  return irr_net_send(s->m->r.net, &d) != IRR_BUSY;
}

static bool those_left(void *arg) {
  station *s = arg;
  while (s->waiting && go_on(s, s->left[s->waiting - 1])) s->waiting--;
  s->queued = s->waiting;
  return !s->queued;
}

static irr_status hop(void *ctx, const irr_arrival *a, irr_answer *answer) {
  station *s = ctx;
  uint64_t hops;
  (void)answer;
  memcpy(&hops, a->args, sizeof hops);
  s->seen++;
  if (!hops || go_on(s, hops - 1)) return IRR_OK;
  if (s->waiting == sizeof s->left / sizeof *s->left) return IRR_E_NOMEM;
  s->left[s->waiting++] = hops - 1;
  if (!s->queued) irr_net_later(s->m->r.net, &s->later, those_left, s);
  s->queued = true;
  return IRR_OK;
}

static toc_status opens(irr_member *m, void *arg) {
  station *s = &t.of[m->rank];
  (void)arg;
  __atomic_fetch_add(&t.opened, 1, __ATOMIC_SEQ_CST);
  *s = (station){.m = m};
  m->mine = s;
  if (m->rank == t.fails_at && t.fails_in_open) return t.fails_in_open;
  return irr_net_register(m->r.net, HOP, &(irr_function){.run = hop, .ctx = s}) == IRR_OK ? TOC_OK : TOC_E_IN_USE;
}

static toc_status closes(irr_member *m, void *arg) {
  (void)arg;
  if (irr_here() != m || m->mine != &t.of[m->rank]) __atomic_fetch_add(&t.strangers, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&t.closed, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&t.sum, t.of[m->rank].seen, __ATOMIC_SEQ_CST);
  __atomic_store_n(&t.ranks, m->ranks, __ATOMIC_SEQ_CST);
  return m->rank == t.fails_at ? t.fails_in_close : TOC_OK;
}

static toc_status tokens(irr_member *m, void *arg) {
  const uint64_t hops = HOPS;
  const bool waits = *(const bool *)arg;
  for (unsigned i = 0; i < TOKENS; i++)
    FINE(irr_delegate_tell(&m->r, &(irr_delegate){.to = i % m->ranks, .function = HOP, .args = &hops, .bytes = 8}));
  if (waits) {
    uint64_t seen = 0;
    irr_wake(m->r.s, irr_self(m->r.s));  // for the block behind it
    FINE(irr_team_quiet(m));
    irr_block(m->r.s);
    for (unsigned i = 0; i < m->ranks; i++) seen += t.of[i].seen;
    EQ(seen, TOKENS * (HOPS + 1));
  }
  return t.fails_in_first;
}

static toc_status run(irr_team_options o, bool waits) {
  t.opened = t.closed = 0;
  t.sum = 0;
  o.open = opens;
  o.first = tokens;
  o.close = closes;
  o.arg = &waits;
  return irr_team_run(&o);
}

static void ends(void) {
  for (unsigned ranks = 1; ranks <= MOST; ranks += ranks < 3 ? 1 : 5)
    for (unsigned waits = 0; waits < 2; waits++) {
      OK(run((irr_team_options){.ranks = ranks}, waits));
      EQ(t.sum, TOKENS * (HOPS + 1));
      EQ(t.opened, ranks);
      EQ(t.closed, ranks);
    }
  OK(run((irr_team_options){.ranks = 6, .net = {.group = 2}}, true));
  EQ(t.sum, TOKENS * (HOPS + 1));
}

// ---- failures
static void failures(void) {
  t.fails_at = 1;
  t.fails_in_open = TOC_E_ACTION;
  IS(run((irr_team_options){.ranks = 3}, false), TOC_E_ACTION);
  CHECK(strstr(irr_why(), "rank 1: opening"));
  EQ(t.closed, 3);
  t.fails_in_open = TOC_OK;
  t.fails_in_close = TOC_E_LOST;
  IS(run((irr_team_options){.ranks = 3}, false), TOC_E_LOST);
  CHECK(strstr(irr_why(), "rank 1: closing"));
  EQ(t.sum, TOKENS * (HOPS + 1));
  t.fails_in_close = TOC_OK;
  t.fails_in_first = TOC_E_ACTION;
  IS(run((irr_team_options){.ranks = 2}, true), TOC_E_ACTION);
  CHECK(strstr(irr_why(), "rank 0: its first task"));
  t.fails_in_first = TOC_OK;
}

// Nobody has such a number, at its own rank or another: that is an answer, and the team ends.
static toc_status unknown(irr_member *m, void *arg) {
  const irr_delegate nobody = {.function = IRR_FUNCTIONS - 1};
  (void)arg;
  for (unsigned i = 0; i < m->ranks; i++) {
    irr_delegate d = nobody;
    d.to = i;
    ENDS(irr_delegate_to(&m->r, &d, NULL), IRR_E_FUNCTION);
    FINE(irr_delegate_tell(&m->r, &d));
  }
  FINE(irr_team_quiet(m));
  return TOC_OK;
}

// Each of three processes says how the team has ended.
static void process_closes(void) {
  struct said {
    toc_status status;
    char why[200];
  } said;
  int ends[2], status = -1;
  CHECK(!pipe(ends));
  t.fails_at = 1;
  t.fails_in_close = TOC_E_LOST;
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    said.status = run((irr_team_options){.ranks = 3, .processes = true}, false);
    snprintf(said.why, sizeof said.why, "%s", irr_why());
    _exit(write(ends[1], &said, sizeof said) != sizeof said);
  }
  close(ends[1]);
  for (unsigned i = 0; i < 3; i++) {
    memset(&said, 0, sizeof said);
    CHECK(read(ends[0], &said, sizeof said) == sizeof said);
    IS(said.status, TOC_E_LOST);
    CHECK(strstr(said.why, "rank 1: closing"));
  }
  close(ends[0]);
  EQ(waitpid(child, &status, 0), child);
  EQ(status, 0);
  t.fails_in_close = TOC_OK;
}

#define SOON \
  { .probe_us = 50000, .timeout_us = 50000 }  // who is gone is found so

// A task yields until a rank has done something, and that rank is killed.
static irr_status dies(void *ctx, const irr_arrival *a, irr_answer *answer) {
  (void)ctx, (void)a, (void)answer;
  return (irr_status)raise(SIGKILL);
}

static toc_status mortal(irr_member *m, void *arg) {
  (void)arg;
  return irr_net_register(m->r.net, HOP, &(irr_function){.run = dies}) == IRR_OK ? TOC_OK : TOC_E_IN_USE;
}

static toc_status yields_for_ever(irr_member *m, void *arg) {
  (void)arg;
  FINE(irr_delegate_tell(&m->r, &(irr_delegate){.to = 1, .function = HOP}));
  while (irr_here() == m) irr_yield(m->r.s);
  return TOC_OK;
}

// Who waits for ever here asks again and again: it is ended by the processor time that this takes, however slow the
// machine is.
static void ends_or_is_ended(void) { CHECK(!setrlimit(RLIMIT_CPU, &(struct rlimit){20, 20})); }

static void process_dies(void) {
  int status = -1;
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    ends_or_is_ended();
    const irr_team_options o = {.ranks = 2, .processes = true, .net = SOON, .open = mortal, .first = yields_for_ever};
    _exit(irr_team_run(&o) != TOC_E_PEER_GONE || !strstr(irr_why(), "rank 1 "));
  }
  EQ(waitpid(child, &status, 0), child);
  EQ(status, 0);
}

// Rank 0 is killed, to which the others have nothing to say: each of them ends. With a router they hear it from that.
static toc_status ends_by_itself(irr_member *m, void *arg) {
  (void)m, (void)arg;
  ends_or_is_ended();
  return TOC_OK;
}

static toc_status kills_itself(irr_member *m, void *arg) {
  (void)m, (void)arg;
  return raise(SIGKILL) ? TOC_E_IO : TOC_OK;
}

static void first_dies(unsigned ranks, unsigned group) {
  int ends[2], status = -1;
  char said[64] = "";
  size_t n = 0;
  CHECK(!pipe(ends));
  fflush(NULL);
  const pid_t child = fork();
  if (!child) {
    irr_team_options o = {
        .ranks = ranks, .processes = true, .net = SOON, .open = ends_by_itself, .first = kills_itself};
    o.net.group = group;
    const bool gone = irr_team_run(&o) == TOC_E_PEER_GONE;
    _exit(write(ends[1], gone ? "g" : "x", 1) != 1);
  }
  close(ends[1]);
  for (ssize_t k; n < sizeof said - 1 && (k = read(ends[0], said + n, sizeof said - 1 - n)) > 0;) n += (size_t)k;
  close(ends[0]);
  EQ(strspn(said, "g"), ranks - 1);
  EQ(waitpid(child, &status, 0), child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

// ---- a heap in stores, eight times their memory
enum { STORE_PAGES = 64, STORE_WORDS = STORE_PAGES * IRR_PAGE_BYTES / 8, STORE_TASKS = 40, STORE_TURNS = 50 };

static struct {
  irr_address at;
  uint64_t want[STORE_WORDS], random;
  unsigned differ;
  bool again;  // the content is that of the run before
  irr_rank *r;
  irr_counter left;
} paged;

static void adds(irr_sched *s, irr_args *a) {
  (void)a;
  for (unsigned i = 0; i < STORE_TURNS; i++) {
    const uint64_t k = scene_random(&paged.random) % STORE_WORDS, by = scene_random(&paged.random);
    uint64_t old;
    paged.want[k] += by;
    FINE(irr_fetch_add(paged.r, paged.at + 8 * k, by, &old));
  }
  irr_complete(s, &paged.left);
}

static toc_status in_store(irr_member *m, void *arg) {
  (void)arg;
  CHECK(m->store && m->r.heap);
  FINE(irr_global_malloc(m->r.heap, sizeof paged.want, &paged.at));
  paged.r = &m->r;
  for (uint64_t k = 0; k < STORE_WORDS; k++) {
    uint64_t v = 0;
    if (!paged.again) FINE(irr_write(&m->r, paged.at + 8 * k, paged.want[k] = k));
    if (paged.again) FINE(irr_read(&m->r, paged.at + 8 * k, &v));
    if (paged.again) paged.differ += v != paged.want[k];
  }
  irr_counter_init(&paged.left, m->r.s);
  irr_enroll(m->r.s, &paged.left, STORE_TASKS);
  for (unsigned i = 0; i < STORE_TASKS; i++) OK(irr_spawn(m->r.s, adds, &(irr_args){0}, NULL));
  irr_wait(m->r.s, &paged.left);
  for (uint64_t k = 0; k < STORE_WORDS; k++) {
    uint64_t v;
    FINE(irr_read(&m->r, paged.at + 8 * k, &v));
    paged.differ += v != paged.want[k];
  }
  const irr_paged_counts c = irr_paged_count(m->store);
  CHECK(c.brought > STORE_PAGES && c.written > 0);
  return TOC_OK;
}

static void stores(void) {
  char dir[] = "/tmp/tocsin-team-XXXXXX", file[64], of_rank[72];
  irr_team_options o = {.first = in_store, .store = {.memory = 4 * IRR_PAGE_BYTES}};
  paged.random = seed;
  CHECK(mkdtemp(dir));
  snprintf(file, sizeof file, "%s/heap", dir);
  for (unsigned ranks = 1; ranks <= 2; ranks++) {
    o.ranks = ranks;
    o.heap.rank_bytes = 2 * STORE_PAGES * IRR_PAGE_BYTES / ranks;  // half of it is the part of one
    o.heap.all_bytes = o.heap.rank_bytes / 2;
    if (ranks == 2) o.heap.rank_bytes *= 2, o.heap.all_bytes = o.heap.rank_bytes / 2, o.store.file = file;
    paged.again = false;
    OK(irr_team_run(&o));
    paged.again = ranks == 2;
    if (paged.again) OK(irr_team_run(&o));  // what the files hold
  }
  EQ(paged.differ, 0);
  for (unsigned i = 0; i < 2; i++) {
    snprintf(of_rank, sizeof of_rank, "%s.%u", file, i);
    CHECK(!unlink(of_rank));
  }
  o.store.memory = IRR_PAGE_BYTES;
  IS(irr_team_run(&o), TOC_E_ARG);
  CHECK(strstr(irr_why(), "rank 0: its store"));
  o.store.memory = 4 * IRR_PAGE_BYTES;
  snprintf(file, sizeof file, "%s/none/heap", dir);
  IS(irr_team_run(&o), TOC_E_IO);
  CHECK(strstr(irr_why(), "rank 0: its store's file: No such file"));
  CHECK(!rmdir(dir));
}

// ---- a file that grows no more: the team ends and says so, whoever waits for what is not written
enum { FULL_PAGES = 64, INCREMENT = IRR_FUNCTION_USER + 1 };

static irr_status increment(void *ctx, const irr_arrival *a, irr_answer *answer) {
  irr_address at;
  (void)answer;
  memcpy(&at, a->args, sizeof at);
  uint64_t *word = irr_address_pointer(((irr_member *)ctx)->r.heap, at);
  if (!word) return IRR_BUSY;
  ++*word;
  return IRR_OK;
}

static toc_status increments(irr_member *m, void *arg) {
  (void)arg;
  return irr_net_register(m->r.net, INCREMENT, &(irr_function){.run = increment, .ctx = m}) ? TOC_E_IN_USE : TOC_OK;
}

static toc_status too_many(irr_member *m, void *arg) {
  irr_address at;
  irr_status s = irr_global_malloc(m->r.heap, FULL_PAGES * IRR_PAGE_BYTES, &at);
  for (unsigned i = 0; i < FULL_PAGES && !s; i++, at += IRR_PAGE_BYTES) {
    const irr_delegate d = {
        .to = irr_address_rank(m->r.heap, at), .function = INCREMENT, .args = &at, .bytes = sizeof at};
    s = *(bool *)arg ? irr_delegate_tell(&m->r, &d) : irr_delegate_to(&m->r, &d, NULL);
  }
  if (!*(bool *)arg) ENDS(s, IRR_E_FILE);
  return TOC_OK;
}

static void full_file(void) {
  char dir[] = "/tmp/tocsin-team-XXXXXX", file[64], of_rank[72];
  struct rlimit before, less;
  bool tells = false;
  irr_team_options o = {.open = increments, .first = too_many, .arg = &tells};
  CHECK(mkdtemp(dir));
  snprintf(file, sizeof file, "%s/heap", dir);
  o.store = (irr_paged_options){.memory = 4 * IRR_PAGE_BYTES, .file = file};
  o.heap.block = IRR_PAGE_BYTES;
  CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
  CHECK(!getrlimit(RLIMIT_FSIZE, &before));
  less = before;
  less.rlim_cur = FULL_PAGES / 8 * IRR_PAGE_BYTES;
  CHECK(!setrlimit(RLIMIT_FSIZE, &less));
  for (unsigned i = 0; i < 4; i++) {
    o.ranks = 1 + i % 2;
    tells = i / 2;
    if (tells) o.store.file = NULL;  // in one that nobody will look into
    IS(irr_team_run(&o), TOC_E_IO);
    CHECK(strstr(irr_why(), "its store's file: File too large"));
  }
  CHECK(!setrlimit(RLIMIT_FSIZE, &before));
  for (unsigned i = 0; i < 2; i++) {
    snprintf(of_rank, sizeof of_rank, "%s.%u", file, i);
    CHECK(!unlink(of_rank));
  }
  CHECK(!rmdir(dir));
}

static toc_status blocks(irr_member *m, void *arg) {
  (void)arg;
  ENDS(irr_team_quiet(&(irr_member){.rank = 1}), IRR_E_ARG);
  IS(irr_team_run(&(irr_team_options){.first = blocks}), TOC_E_ARG);
  irr_block(m->r.s);
  return TOC_OK;
}

static void options(void) {
  const char *const wrong[] = {"0",
                               "65",
                               "4x",
                               "4,",
                               "4,rank=1",
                               "4,root=h:1",
                               "4,rank=4,root=h:1",
                               "4,rank=1,root=",
                               "4,processes,",
                               "4,rank=1,processes",
                               "4,root=h:1,processes",
                               "4,processesx",
                               "99999999999999999999",
                               "-1",
                               " 2"};
  IS(irr_team_run(NULL), TOC_E_ARG);
  IS(irr_team_run(&(irr_team_options){.ranks = 2}), TOC_E_ARG);
  IS(irr_team_run(&(irr_team_options){.ranks = 65, .first = blocks}), TOC_E_ARG);
  CHECK(strstr(irr_why(), "65 ranks"));
  IS(irr_team_run(&(irr_team_options){.first = blocks}), TOC_E_NOT_DONE);
  CHECK(strstr(irr_why(), "1 tasks are blocked"));
  IS(irr_team_run(&(irr_team_options){.first = blocks, .heap = {.rank_bytes = 100}}), TOC_E_ARG);
  CHECK(strstr(irr_why(), "rank 0: its heap"));
  IS(irr_team_run(&(irr_team_options){.first = blocks, .net = {.window = 99}}), TOC_E_ARG);
  CHECK(strstr(irr_why(), "rank 0: its net"));
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    setenv("TOCSIN_RANKS", wrong[i], 1);
    IS(run((irr_team_options){0}, false), TOC_E_ARG);
    CHECK(strstr(irr_why(), wrong[i]) && strstr(irr_why(), "TOCSIN_RANKS"));
    EQ(t.opened, 0);
  }
  setenv("TOCSIN_RANKS", "3", 1);
  OK(run((irr_team_options){0}, false));
  EQ(t.ranks, 3);
  IS(run((irr_team_options){.ranks = 2}, false), TOC_E_ARG);
  CHECK(strstr(irr_why(), "2 ranks, and 3 are started"));
  setenv("TOCSIN_RANKS", "", 1);
  OK(run((irr_team_options){.ranks = 2}, false));
  EQ(t.ranks, 2);
  CHECK(!irr_here());
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  unsetenv("TOCSIN_RANKS");
  ends();
  failures();
  for (unsigned ranks = 1; ranks <= 3; ranks++) OK(irr_team_run(&(irr_team_options){.ranks = ranks, .first = unknown}));
  process_closes();
  process_dies();
  first_dies(2, 0);
  first_dies(4, 2);
  stores();
  full_file();
  options();
  EQ(t.strangers, 0);
  return report();
}
