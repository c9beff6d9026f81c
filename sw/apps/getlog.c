// SPDX-License-Identifier: Apache-2.0
// Logging of gets (Active Access, section 4.4): rank 1 computes with what it gets from rank 0, whose memory changes all the time. It
// crashes after n gets, starts again from nothing, and replays what it got then; to get it once more would be wrong.
//
//   active   rank 0's pages log gets with their data, where they are served: rank 1 does nothing for it
//   naive    rank 1 puts each value that it got into an archive at rank 0
//
// A get whose answer was lost is served again, and has a second record; so may one whose frame came twice, even after later gets. The
// memory is therefore mapped at sixteen addresses, which the gets use in turn: only the next one's first record counts.
//
// A get is of a word, or of `size` bytes from a multiple of the next power of two, so that it is one TLP and one record.
#include <string.h>

#include "app.h"

enum { WORDS = 512, PAGE = 4096, WINDOWS = 16, SLOTS = 64 };
#define WINDOW_AT 0x600000000000ULL

// What the archive keeps of a get: index, then its words.
typedef struct archive {
  uint64_t *kept;
  uint64_t n, room;
  unsigned words, apart;  // of a get; between places where one may begin
} archive;

static uint64_t entry_words(const archive *k) { return 1 + k->words; }

static void on_get(void *arg, const toc_access *x) {
  archive *k = arg;
  uint64_t at = x->addr - WINDOW_AT;
  if (x->denied || x->aborted || !x->data || k->n == k->room || at / PAGE != k->n % WINDOWS) return;
  if (x->bytes != 8 * k->words) return;
  uint64_t *entry = k->kept + k->n * entry_words(k);
  entry[0] = at % PAGE / 8;
  memcpy(entry + 1, x->data, x->bytes);
  k->n++;
}

static uint64_t next_index(const archive *k, uint64_t state) { return state % (WORDS / k->apart) * k->apart; }
static uint64_t advance(const archive *k, uint64_t state, const uint64_t *value) {
  for (unsigned i = 0; i < k->words; i++) state = app_mix(state ^ value[i]);
  return state;
}

toc_status app_getlog(app *a) {
  unsigned rw = TOC_READ | TOC_WRITE;
  uint64_t *memory, *word, *slots, *mine;
  archive k = {.room = a->n, .words = a->size ? (unsigned)a->size / 8 : 1, .apart = 1};
  while (k.apart < k.words) k.apart *= 2;
  uint64_t entry = 8 * entry_words(&k);
  toc_remote remote, where, flush;
  toc_log *log;
  toc_req req;
  TRY(toc_alloc(a->p[0], WORDS * 8, rw, (void **)&memory));
  TRY(toc_alloc(a->p[0], a->n * entry, rw, (void **)&k.kept));
  TRY(toc_alloc(a->p[1], 4096, rw, (void **)&word));
  TRY(toc_alloc(a->p[1], SLOTS * entry, rw, (void **)&slots));
  TRY(toc_alloc(a->p[1], a->n * entry, rw, (void **)&mine));
  for (unsigned i = 0; i < WINDOWS; i++) TRY(toc_map(a->p[0], memory, PAGE, rw, WINDOW_AT + i * PAGE));
  TRY(toc_expose_iova(a->p[0], WINDOW_AT, WINDOWS * PAGE, TOC_READ, &remote));
  TRY(toc_expose(a->p[0], k.kept, a->n * entry, rw, &where));
  if (!a->naive) {
    TRY(toc_log_open(a->p[0], &(toc_log_options){.bytes = 4096, .automatic = true}, &log));
    TRY(toc_associate_iova(a->p[0], WINDOW_AT, WINDOWS * PAGE,
                           &(toc_rule){.get = TOC_LOG, .log = log, .handler = on_get, .arg = &k}));
    TRY(toc_flush_page(log, &flush));
  }
  for (unsigned i = 0; i < WORDS; i++) memory[i] = app_random(a);

  // the life before the crash
  uint64_t state = 1, remotes = 0, begin = toc_now(a->f), link = a->link_bytes;
  for (uint64_t i = 0; i < a->n; i++) {
    uint64_t at = next_index(&k, state), *slot = slots + i % SLOTS * entry_words(&k);
    TRY(toc_get(a->qp[1][0], word, toc_at(remote, i % WINDOWS * PAGE + 8 * at), 8 * k.words, &req));
    TRY(toc_wait(req, 0));
    state = advance(&k, state, word);
    remotes++;
    if (a->naive) {
      slot[0] = at;
      memcpy(slot + 1, word, 8 * k.words);
      TRY(toc_put(a->qp[1][0], slot, toc_at(where, i * entry), (uint32_t)entry, &req));
      if (i % 32 == 31) TRY(toc_wait(req, 0));
      remotes++;
    }
    for (unsigned w = 0; w < k.words; w++) memory[at + w] = app_random(a);  // rank 0 goes on
    memory[app_random(a) % WORDS] = app_random(a);
    app_step(a, i);
  }
  TRY(a->naive ? toc_wait(req, 0) : toc_flush(a->qp[1][0], flush, 0));
  app_number_add(a, "time of a logged get", "ns", (double)(toc_now(a->f) - begin) / (double)a->n);
  app_number_add(a, "remote operations of a get", "", (double)remotes / (double)a->n);
  app_number_add(a, "bytes on the link of a get", "B", (double)(a->link_bytes - link) / (double)a->n);

  // the crash, and the life after it
  uint64_t was = state, replayed = 0;
  state = 1;
  if (!a->naive && k.n != a->n)
    return app_wrong(a, "%llu of %llu gets were logged", (unsigned long long)k.n, (unsigned long long)a->n);
  for (uint64_t from = 0; from < a->n * entry;) {
    uint64_t bytes = a->n * entry - from < 4096 ? a->n * entry - from : 4096;
    TRY(toc_get(a->qp[1][0], (uint8_t *)mine + from, toc_at(where, from), (uint32_t)bytes, &req));
    TRY(toc_wait(req, 0));
    from += bytes;
  }
  for (; replayed < a->n && *mine == next_index(&k, state); replayed++, mine += entry_words(&k))
    state = advance(&k, state, mine + 1);
  if (replayed != a->n || state != was)
    app_wrong(a, "the replay stops after %llu gets in another state", (unsigned long long)replayed);
  app_digest_word(a, state);
  return TOC_OK;
}
