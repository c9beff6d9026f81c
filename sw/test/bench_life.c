// SPDX-License-Identifier: Apache-2.0
// The life of one active put, for the table of sw/README.md: when toc_listen hears of each of its steps, and addresses,
// as lines `KEY VALUE`. The put is the second one of a scene, 8 bytes to a page that says TOC_REDIRECT, on backend
// `rtl`, whose time is the hardware's: `make bench-life`. What is heard must be these steps, each once and in this
// order, and nothing else.
#include "internal.h"
#include "scene.h"
#include "tocsin/tlp.h"

enum { NEAR, FAR };
enum { LOGGED = 1, HANDLER, DONE };  // what the program itself says, under no kind of toc_listen's

typedef struct step {
  const char *key;
  unsigned node;
  toc_seen_kind kind;
  unsigned type;  // of a TLP: byte 0 of its header
  uint64_t what;  // bytes of a TLP or frame; value of a register; vector
  uint32_t reg;
} step;

static const step steps[] = {
    {"doorbell", NEAR, TOC_SEEN_REG_WRITE, 0, 2, NREG_AT(QP_PROD, 0)},
    {"entry", NEAR, TOC_SEEN_DEV_REQ, TLP_MRD64, 64, 0},
    {"entry-host", NEAR, TOC_SEEN_HOST_REQ, TLP_MRD64, 64, 0},
    {"entry-answer", NEAR, TOC_SEEN_HOST_CPL, TLP_CPLD, 64, 0},
    {"entry-read", NEAR, TOC_SEEN_DEV_CPL, TLP_CPLD, 64, 0},
    {"data", NEAR, TOC_SEEN_DEV_REQ, TLP_MRD64, 8, 0},
    {"data-host", NEAR, TOC_SEEN_HOST_REQ, TLP_MRD64, 8, 0},
    {"data-answer", NEAR, TOC_SEEN_HOST_CPL, TLP_CPLD, 8, 0},
    {"data-read", NEAR, TOC_SEEN_DEV_CPL, TLP_CPLD, 8, 0},
    {"frame", NEAR, TOC_SEEN_FRAME, 0, 82, 0},
    {"frame-in", FAR, TOC_SEEN_FRAME_IN, 0, 82, 0},
    {"write", FAR, TOC_SEEN_DEV_REQ, TLP_MWR64, 8, 0},
    {"ack", FAR, TOC_SEEN_FRAME, 0, 62, 0},
    {"logged", FAR, 0, 0, LOGGED, 0},
    {"handler", FAR, 0, 0, HANDLER, 0},
    {"space", FAR, TOC_SEEN_REG_WRITE, 0, 0x40, REG_AT(LP_CONS, 0)},
    {"ack-in", NEAR, TOC_SEEN_FRAME_IN, 0, 62, 0},
    {"event", NEAR, TOC_SEEN_DEV_REQ, TLP_MWR64, 32, 0},
    {"msi", NEAR, TOC_SEEN_DEV_REQ, TLP_MWR32, 4, 0},
    {"event-host", NEAR, TOC_SEEN_HOST_REQ, TLP_MWR64, 32, 0},
    {"armed", NEAR, TOC_SEEN_REG_WRITE, 0, 2, NREG_AT(EQ_CONS, 0)},
    {"done", NEAR, 0, 0, DONE, 0},
    {"msi-host", NEAR, TOC_SEEN_HOST_REQ, TLP_MWR32, 4, 0},
    {"irq", NEAR, TOC_SEEN_IRQ, 0, 33, 0},
};
enum { STEPS = sizeof steps / sizeof *steps };

static struct {
  bool yes;
  uint64_t ns, at;  // at: the address of a request
} heard[STEPS];

static void hear(void *ctx, const toc_seen *s) {
  const unsigned type = s->hdr ? tlp_type(s->hdr) : 0;
  const uint64_t what = s->hdr ? 4 * tlp_length(s->hdr) : s->data ? s->bytes : s->value;
  (void)ctx;
  for (unsigned i = 0; i < STEPS; i++) {
    const step *t = &steps[i];
    if (heard[i].yes || t->node != s->node || t->kind != s->kind || t->type != type || t->what != what) continue;
    if (t->reg != s->addr) continue;
    heard[i].yes = true;
    heard[i].ns = s->ns;
    if (s->hdr) heard[i].at = tlp_addr(s->hdr);
    return;
  }
  failed++;
  printf("heard what is no step of this put: node %u, toc_seen_kind %d, type %02x, %" PRIu64 ", register %" PRIx64
         "h\n",
         s->node, (int)s->kind, type, what, s->addr);
}

static void say(const scene *s, unsigned node, unsigned what) {
  hear(NULL, &(toc_seen){.node = node, .ns = toc_now(s->f), .value = what});
}

static void on_put(void *arg, const toc_access *a) {
  const scene *s = arg;
  say(s, FAR, HANDLER);
  CHECK(a->bytes == 8 && a->data && !memcmp(a->data, s->near, 8));
}

static void put(scene *s, toc_log *log) {
  toc_req r;
  OK(toc_put(s->ab, s->near, s->there, 8, &r));
  OK(toc_log_wait(log, 0));
  say(s, FAR, LOGGED);
  OK(toc_log_run(log, 0));
  OK(toc_wait(r, 0));
  say(s, NEAR, DONE);
}

static uint64_t at(const char *key) {
  unsigned i = 0;
  while (strcmp(steps[i].key, key)) i++;
  return heard[i].at;
}

static void check(const scene *s) {
  uint64_t from = 0;
  for (unsigned i = 0; i < STEPS; i++) {
    const bool late = i && heard[i].ns < heard[i - 1].ns;
    if (!heard[i].yes)
      printf("%s: was not heard\n", steps[i].key);
    else if (late)
      printf("%s: was heard before %s\n", steps[i].key, steps[i - 1].key);
    failed += !heard[i].yes || late;
  }
  OK(toc_iova(s->a, s->near, &from));
  EQ(at("data"), from);
  EQ(at("write"), s->there.addr);
  CHECK(!memcmp(s->far, (uint8_t[8]){0}, 8));  // the put went into the log instead
}

int main(void) {
  scene s;
  toc_log *log;
  backend = "rtl";
  if (!scene_open(&s, NULL)) return 1;
  OK(toc_log_open(s.b, NULL, &log));
  OK(toc_associate(s.b, s.far, 4096, &(toc_rule){.put = TOC_REDIRECT, .log = log, .handler = on_put, .arg = &s}));
  memcpy(s.near, "my bell", 8);
  for (unsigned i = 0; i < 2 && !failed; i++) {
    memset(heard, 0, sizeof heard);
    toc_listen(s.f, i ? hear : NULL, NULL);
    put(&s, log);
  }
  while (toc_progress(s.f)) continue;  // the interrupt is behind the event
  toc_listen(s.f, NULL, NULL);
  check(&s);
  for (unsigned i = 0; i < STEPS && !failed; i++) {
    const uint64_t a = heard[i].at;
    printf("%s %" PRIu64 "\n", steps[i].key, heard[i].ns - heard[0].ns);
    if (steps[i].type & TLP_4DW)
      printf("%s-at %" PRIX64 "_%04X_%04Xh\n", steps[i].key, a >> 32, (unsigned)(a >> 16 & 0xffff),
             (unsigned)(a & 0xffff));
  }
  scene_close(&s);
  return failed != 0;
}
