// SPDX-License-Identifier: Apache-2.0
// A mailbox that is emptied by being read. Rank 0 writes letters into its own memory, four places for all of them; rank
// 1 gets them, one by one, and does nothing else: the place of a letter is free when it has been read, and rank 0 knows
// since the pages log the gets. Where the network tells of no reads, the reader has to say so itself, by a put behind
// each letter (--ack): twice the remote operations.
//
//   mailbox [--letters N] [--seed S] [--bad PERMILLE] [--ack]     PERMILLE of the frames each are lost, come twice,
//   late, or bent
//
// A get that was logged need not have arrived: its answer may be lost, and then it is served again, from what is there
// by then. So letter n is only known to have arrived when the get of letter n + 1 is logged, which is not asked for
// before. A get whose frame comes twice may be logged again after later ones. Therefore the memory is mapped sixteen
// times, letter n is read through mapping n / 4 mod 16, and a record counts when it is of the letter that comes next.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/active.h"

enum { PLACES = 4, WINDOWS = 16, PAGES = PLACES * WINDOWS, PAGE = 4096, WORDS = 8 };
#define SILENCE_NS 1000000000u
#define WINDOW_AT 0x600000000000ULL

#define TRY(call)                    \
  do {                               \
    toc_status try_ = (call);        \
    if (try_ != TOC_OK) return try_; \
  } while (0)

typedef struct letter {
  uint64_t number, word[WORDS - 1];  // number from 1
} letter;

typedef struct mailbox {
  uint64_t letters, seed;
  bool ack;
  toc_fabric *f;
  toc_qp *qp;  // of the reader
  toc_log *log;
  // rank 0
  uint8_t *place;            // PLACES pages
  uint64_t written, asked;   // letters; the one that the reader asks for, all before it have arrived
  volatile uint64_t *acked;  // the same, as the reader says it
  toc_remote windows, acks;
  // rank 1
  letter *got;
  uint64_t *says, read, gets, puts, wrong;
  toc_req get, put;
  bool under_way;
} mailbox;

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// ---- rank 0
static void on_get(void *arg, const toc_access *x) {
  mailbox *m = arg;
  if ((x->addr - WINDOW_AT) / PAGE == (m->asked + 1) % PAGES) m->asked++;
}

static void write_letters(mailbox *m) {
  const uint64_t arrived = m->ack ? toc_load(m->acked) : m->asked;
  for (; m->written < m->letters && m->written - arrived < PLACES; m->written++) {
    letter *l = (letter *)(void *)(m->place + m->written % PLACES * PAGE);
    for (unsigned i = 0; i < WORDS - 1; i++) toc_store(&l->word[i], mix(m->seed + m->written * WORDS + i));
    toc_store(&l->number, m->written + 1);
  }
}

static toc_status open_box(mailbox *m, toc_proc *p) {
  const unsigned rw = TOC_READ | TOC_WRITE;
  TRY(toc_alloc(p, PLACES * PAGE, rw, (void **)&m->place));
  TRY(toc_alloc(p, PAGE, rw, (void **)&m->acked));
  TRY(toc_expose(p, (const void *)m->acked, 8, TOC_WRITE, &m->acks));
  for (unsigned i = 0; i < PAGES; i++)
    TRY(toc_map(p, m->place + i % PLACES * PAGE, PAGE, TOC_READ, WINDOW_AT + (uint64_t)i * PAGE));
  TRY(toc_log_open(p, NULL, &m->log));
  const toc_rule told = {.get = TOC_COUNT, .log = m->log, .handler = on_get, .arg = m};
  if (!m->ack) TRY(toc_associate_iova(p, WINDOW_AT, PAGES * PAGE, &told));
  return toc_expose_iova(p, WINDOW_AT, PAGES * PAGE, TOC_READ, &m->windows);
}

// ---- rank 1
static void check(mailbox *m) {
  for (unsigned i = 0; i < WORDS - 1; i++) m->wrong += m->got->word[i] != mix(m->seed + m->read * WORDS + i);
}

static toc_status read_letters(mailbox *m) {
  if (m->under_way && !toc_done(m->get)) return TOC_OK;
  if (m->under_way) {
    TRY(toc_wait(m->get, 0));
    m->under_way = false;
    if (m->got->number > m->read + 1) m->wrong++;  // one is lost
    if (m->got->number == m->read + 1) {
      check(m);
      *m->says = ++m->read;
      m->puts += m->ack;
      if (m->ack) TRY(toc_put(m->qp, m->says, m->acks, 8, &m->put));
      if (m->ack) TRY(toc_wait(m->put, 0));
    }
  }
  if (m->read == m->letters || m->wrong) return TOC_OK;
  m->gets++;
  m->under_way = true;
  return toc_get(m->qp, m->got, toc_at(m->windows, m->read % PAGES * PAGE), sizeof *m->got, &m->get);
}

// ---- both
static toc_status run(mailbox *m, const toc_options *o) {
  toc_proc *p[2];
  TRY(toc_open(o, &m->f));
  for (unsigned i = 0; i < 2; i++) TRY(toc_proc_open(toc_node_at(m->f, i), &p[i]));
  TRY(toc_connect(p[1], p[0], &m->qp, NULL));
  TRY(open_box(m, p[0]));
  TRY(toc_alloc(p[1], PAGE, TOC_READ | TOC_WRITE, (void **)&m->got));
  m->says = (uint64_t *)(void *)(m->got + 1);
  uint64_t read = 0, since = toc_now(m->f);
  while (m->read < m->letters && !m->wrong) {
    if (read != m->read) since = toc_now(m->f);
    if (toc_now(m->f) - since > SILENCE_NS) m->wrong++;  // no letter comes any more
    read = m->read;
    write_letters(m);
    TRY(read_letters(m));
    (void)toc_progress(m->f);
    TRY(toc_log_run(m->log, 0));
  }
  return TOC_OK;
}

// A whole number, of `most` at most.
static bool number(const char *w, uint64_t most, uint64_t *v) {
  char *end;
  errno = 0;
  *v = strtoull(w, &end, 10);
  return *w >= '0' && *w <= '9' && !*end && !errno && *v <= most;
}

int main(int argc, char **argv) {
  mailbox m = {.letters = 1000, .seed = 1};
  toc_options o = {.nodes = 2};
  for (int i = 1; i < argc; i++) {
    uint64_t v = 0;
    const bool letters = !strcmp(argv[i], "--letters"), seed = !strcmp(argv[i], "--seed"),
               bad = !strcmp(argv[i], "--bad"), ack = !strcmp(argv[i], "--ack");
    if (!ack && (!(letters || seed || bad) || ++i == argc || !number(argv[i], bad ? 1000 : UINT64_MAX, &v))) {
      fprintf(stderr, "usage: mailbox [--letters N] [--seed S] [--bad PERMILLE] [--ack]\n");
      return 2;
    }
    if (letters) m.letters = v;
    if (seed) m.seed = v;
    if (bad) o.drop = o.twice = o.swap = o.bend = (unsigned)v;
    if (ack) m.ack = true;
  }
  o.seed = m.seed;
  const toc_status s = run(&m, &o);
  const double letters = m.letters ? (double)m.letters : 1;
  if (s != TOC_OK) fprintf(stderr, "mailbox: %s: %s\n", toc_name(s), toc_why());
  printf("%" PRIu64 " of %" PRIu64 " letters, %s, %.2f gets and %.2f puts a letter, %s\n", m.read, m.letters,
         m.ack ? "the reader says so" : "the page tells of gets", (double)m.gets / letters, (double)m.puts / letters,
         m.wrong ? "WRONG" : "all as they were written");
  toc_close(m.f);
  return s != TOC_OK || m.wrong;
}
