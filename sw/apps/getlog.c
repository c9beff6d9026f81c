// SPDX-License-Identifier: Apache-2.0
// Logging of gets (Active Access, section 4.4): rank 1 computes with what it gets from rank 0, whose memory changes all the time. It
// crashes after n gets, starts again from nothing, and replays what it got then; to get it once more would be wrong.
//
//   active   rank 0's pages log gets with their data, where they are served: rank 1 does nothing for it
//   naive    rank 1 puts each value that it got into an archive at rank 0
//
// A get whose answer was lost is served again, and has a second record; so may one whose frame came twice, even after later gets. The
// memory is therefore mapped at sixteen addresses, which the gets use in turn: only the next one's first record counts.
#include "app.h"

enum { WORDS = 512, PAGE = 4096, WINDOWS = 16 };
#define WINDOW_AT 0x600000000000ULL

// What the archive keeps of a get.
typedef struct kept {
  uint64_t index, value;
} kept;

typedef struct archive {
  kept *kept;
  uint64_t n, room;
} archive;

static void on_get(void *arg, const toc_access *x) {
  archive *k = arg;
  uint64_t at = x->addr - WINDOW_AT;
  if (x->denied || x->aborted || !x->data || k->n == k->room || at / PAGE != k->n % WINDOWS) return;
  k->kept[k->n++] = (kept){at % PAGE / 8, *(const uint64_t *)(const void *)x->data};
}

static uint64_t next_index(uint64_t state) { return state % WORDS; }
static uint64_t advance(uint64_t state, uint64_t value) { return app_mix(state ^ value); }

toc_status app_getlog(app *a) {
  unsigned rw = TOC_READ | TOC_WRITE;
  uint64_t *memory, *word;
  kept *mine;
  archive k = {.room = a->n};
  toc_remote remote, where, flush;
  toc_log *log;
  toc_req req;
  TRY(toc_alloc(a->p[0], WORDS * 8, rw, (void **)&memory));
  TRY(toc_alloc(a->p[0], a->n * sizeof(kept), rw, (void **)&k.kept));
  TRY(toc_alloc(a->p[1], 4096, rw, (void **)&word));
  TRY(toc_alloc(a->p[1], a->n * sizeof(kept), rw, (void **)&mine));
  for (unsigned i = 0; i < WINDOWS; i++) TRY(toc_map(a->p[0], memory, PAGE, rw, WINDOW_AT + i * PAGE));
  TRY(toc_expose_iova(a->p[0], WINDOW_AT, WINDOWS * PAGE, TOC_READ, &remote));
  TRY(toc_expose(a->p[0], k.kept, a->n * sizeof(kept), rw, &where));
  if (!a->naive) {
    TRY(toc_log_open(a->p[0], &(toc_log_options){.bytes = 4096, .automatic = true}, &log));
    TRY(toc_associate_iova(a->p[0], WINDOW_AT, WINDOWS * PAGE,
                           &(toc_rule){.get = TOC_LOG, .log = log, .handler = on_get, .arg = &k}));
    TRY(toc_flush_page(log, &flush));
  }
  for (unsigned i = 0; i < WORDS; i++) memory[i] = app_random(a);

  // the life before the crash
  uint64_t state = 1, remotes = 0, begin = toc_now(a->f);
  for (uint64_t i = 0; i < a->n; i++) {
    uint64_t at = next_index(state);
    uint64_t *slot = word + 1 + i % 64 * 2;
    TRY(toc_get(a->qp[1][0], word, toc_at(remote, i % WINDOWS * PAGE + 8 * at), 8, &req));
    TRY(toc_wait(req, 0));
    state = advance(state, *word);
    remotes++;
    if (a->naive) {
      slot[0] = at;
      slot[1] = *word;
      TRY(toc_put(a->qp[1][0], slot, toc_at(where, i * sizeof(kept)), sizeof(kept), &req));
      if (i % 32 == 31) TRY(toc_wait(req, 0));
      remotes++;
    }
    memory[at] = app_random(a);  // rank 0 goes on
    memory[app_random(a) % WORDS] = app_random(a);
    app_step(a, i);
  }
  TRY(a->naive ? toc_wait(req, 0) : toc_flush(a->qp[1][0], flush, 0));
  app_number_add(a, "time of a logged get", "ns", (double)(toc_now(a->f) - begin) / (double)a->n);
  app_number_add(a, "remote operations of a get", "", (double)remotes / (double)a->n);

  // the crash, and the life after it
  uint64_t was = state, replayed = 0;
  state = 1;
  if (!a->naive && k.n != a->n)
    return app_wrong(a, "%llu of %llu gets were logged", (unsigned long long)k.n, (unsigned long long)a->n);
  for (uint64_t from = 0; from < a->n * sizeof(kept);) {
    uint64_t bytes = a->n * sizeof(kept) - from < 4096 ? a->n * sizeof(kept) - from : 4096;
    TRY(toc_get(a->qp[1][0], (uint8_t *)mine + from, toc_at(where, from), (uint32_t)bytes, &req));
    TRY(toc_wait(req, 0));
    from += bytes;
  }
  for (; replayed < a->n && mine[replayed].index == next_index(state); replayed++)
    state = advance(state, mine[replayed].value);
  if (replayed != a->n || state != was)
    app_wrong(a, "the replay stops after %llu gets in another state", (unsigned long long)replayed);
  app_digest_word(a, state);
  return TOC_OK;
}
