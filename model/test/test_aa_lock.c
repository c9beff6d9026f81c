// SPDX-License-Identifier: Apache-2.0
// aa_lock: a self-running model plays the hardware, its pins are taped, and the tape is played to the comparison: as it
// is, and with one thing changed at a time, which must be found in the stream where it was planted.
#include "../src/aa/aa_state.h"
#include "found.h"
#include "tape.h"

// ---- the comparison -------------------------------------------------------------------------------------------------

static void beats(aa_lock *l, const event *e) {
  for (unsigned i = 0; i < beats_of(e); i++) {
    aa_beat b = beat_of(e, i);
    switch (e->k) {
      case IN: aa_lock_dev_in(l, e->id, &b, true); break;
      case HOST_IN: aa_lock_host_in(l, &b, true); break;
      case HOST: aa_lock_host_out(l, &b); break;
      default: aa_lock_dev_out(l, e->id, &b); break;
    }
  }
}

// Events from `skip` for `skipped` are left out.
static found play(const aa_config *cfg, unsigned skip, unsigned skipped) {
  static const aa_lock_ops ops = {differ, NULL, NULL};
  found f = {0};
  aa_lock *l;
  if (aa_lock_new(cfg, &ops, &f, &l) != AA_OK) exit(2);
  for (unsigned i = 0; i < events; i++) {
    const event *e = &tape[i];
    if (i >= skip && i < skip + skipped) continue;
    switch (e->k) {
      case READ: aa_lock_axi_read(l, e->id, e->addr, e->data, e->n, e->value != 0); break;
      case RECORD: aa_lock_retire(l, &e->r); break;
      case WRITE:
        for (unsigned k = 0; k < e->n; k += 32)
          aa_lock_axi_write(l, e->id, e->addr + k, e->data + k, e->n - k < 32 ? e->n - k : 32, k + 32 >= e->n);
        break;
      case ANSWER: aa_lock_axi_answer(l, e->id, false); break;
      case REG_READ: aa_lock_reg_read(l, (uint32_t)e->addr, e->value); break;
      case REG_WRITE: aa_lock_reg_write(l, (uint32_t)e->addr, e->value, e->id); break;
      case TASK: aa_lock_task(l, e->id, (uint32_t)e->value); break;
      default: beats(l, e); break;
    }
  }
  aa_lock_end(l);
  EQ(aa_lock_failed(l), f.n != 0);
  aa_lock_free(l);
  return f;
}

static void expect_text(const char *what, const aa_config *cfg, unsigned skip, unsigned skipped, const char *stream,
                        const char *text) {
  found f = play(cfg, skip, skipped);
  bool good = f.n == 1 && !strcmp(f.stream, stream) && strstr(f.text, text);
  CHECK(good);
  if (!good) printf("  %s: %u differences, in %s: %s\n", what, f.n, f.stream, f.text);
}

static void expect(const char *what, const aa_config *cfg, unsigned skip, unsigned skipped, const char *stream) {
  expect_text(what, cfg, skip, skipped, stream, "");
}

// ---- what is owed ---------------------------------------------------------------------------------------------------

static void owes(world *w, const char *want) {
  char text[400];
  unsigned n = aa_owes(w->m, text, sizeof text);
  EQ(n != 0, want[0] != 0);
  CHECK(strstr(text, want) != NULL);
  if (!strstr(text, want)) printf("  owes %s, want %s\n", text, want);
}

static void at_rest(const aa_config *cfg) {
  world w;
  char one[1];
  world_init(&w, cfg);
  map(&w, 0x10000, 0x40000 | PTE_R | PTE_W);
  map(&w, 0x11000, 0x41000 | PTE_R | PTE_WL | PTE_WLD | PTE_E | PTE_IUID(5));
  map(&w, 0x12000, 0x42000 | PTE_R | PTE_W | PTE_E | PTE_IUID(5));
  world_on(&w);
  log_open(&w, 0, 5, 8, AA_LOG_CFG_TASK_MASK);
  wr(&w, AA_REG_AA_FLP, 0x12000 | 5 << 2 | 1);
  owes(&w, "");
  get(&w, 3, 0x10000, 2, 0xff);
  owes(&w, "tag entry 0, requester");
  EQ(aa_owes(w.m, one, 1), 1);
  wr(&w, AA_REG_IOTLB, AA_IOTLB_IVT_MASK | 1ull << AA_IOTLB_IIRG_LSB);
  owes(&w, "the drain of the invalidation by IOTLB");
  tlp t = completion(SID, 3, TLP_SC, 8, 0, 2, NULL);
  EQ(aa_complete(w.m, &t), AA_OK);
  owes(&w, "");
  put(&w, 0x11000, 1, 0x0f);
  owes(&w, "");  // its task is out
  get(&w, 4, 0x12000, 1, 0x0f);
  owes(&w, "flush waiter 0, log 0 up to 20");
  consume(&w, 0, 0x20);
  owes(&w, "");
  put(&w, 0x11000, 1, 0x0f);
  owes(&w, "");  // another would be told, but that one is not done
  EQ(aa_task_done(w.m, 0), AA_OK);
  owes(&w, "the task of log 0");
  aa_poll(w.m);
  owes(&w, "");
  log_close(&w, 0);
  owes(&w, "");
  world_free(&w);
}

// ---- what is planted ------------------------------------------------------------------------------------------------

// Something is missing.
static void missing(const aa_config *cfg) {
  expect("host TLP missing", cfg, nth(HOST, 0, 2), 1, "host_req");
  expect("completion missing", cfg, nth(DEV, 0, 2), 1, "dev_cpl 0");
  expect("published before the response", cfg, nth(ANSWER, 0, 0), 1, "log 0");
  expect("published before it is written", cfg, nth(WRITE, 0, 0), 2, "log 0");
  expect("read that nobody made", cfg, nth(READ, 0, 0), 1, "walk slot 0");
  expect("pointer never written", cfg, nth(WRITE, 2, 0), 2, "m_axi id 2");
  for (unsigned i = 0, n = 0; i < events && n < 40; i++)  // any record left out is noticed
    if (tape[i].k == RECORD && tape[i].r.kind != AA_RET_REG_READ && ++n) {
      found f = play(cfg, i, 1);
      EQ(f.n, 1);
    }
}

// Completions of two makers are due, which may leave in either order; a wrong one is compared with its own.
static void two_makers(const aa_config *cfg) {
  unsigned one = nth(DEV, 0, 0), two = nth(DEV, 0, 1);
  event first = tape[one];
  memmove(&tape[one], &tape[one + 1], (two - one) * sizeof *tape);
  tape[two] = first;
  tape[two].t.data = tape[two].data;
  for (unsigned i = one; i < two; i++) tape[i].t.data = tape[i].data;
  found f = play(cfg, 0, 0);
  EQ(f.n, 0);
  tape[two - 1].t.hdr[2] ^= 1;
  expect_text("UR beside a CplD: its address", cfg, 0, 0, "dev_cpl 0",
              "header word 2 differs, field LowerAddress: got ");
  tape[two - 1].t.hdr[2] ^= 1;
  tape[two].t.hdr[1] ^= 4;
  expect_text("CplD behind a UR: its count", cfg, 0, 0, "dev_cpl 0", "header word 1 differs, field ByteCount: got ");
  tape[two].t.hdr[1] ^= 4;
}

// ---- by hand: a wait's status word ----------------------------------------------------------------------------------

static void set(aa_lock *l, uint32_t addr, uint64_t value) {
  aa_lock_reg_write(l, addr, value, 0xff);
  aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_REG_WRITE, .idx = 0xff, .a = addr, .b = value});
}

// INV-4, ERR-1, ERR-6: it is written before the record of the wait, answered, and if it fails that has a record of its
// own, behind which the queue stops at the wait.
static void waits(const aa_config *cfg) {
  static const aa_lock_ops ops = {differ, NULL, NULL};
  static const struct {
    uint32_t data;
    bool written, answered, error, noted, flag;
    const char *stream, *text;
  } v[] = {
      {0x99, true, true, false, false, false, NULL, ""},
      {0x98, true, true, false, false, false, "m_axi id 2", "want none before its record"},
      {0x99, false, false, false, false, false, "m_axi id 2", "before its status write is answered"},
      {0x99, true, false, false, false, false, "m_axi id 2", "before its status write is answered"},
      {0x99, true, true, false, false, true, "m_axi id 2", "was answered with no error"},
      {0x99, true, true, true, true, true, NULL, ""},
      {0x99, true, true, true, true, false, "m_axi id 2", "was answered with an error"},
      {0x99, true, true, true, false, true, "m_axi id 2", "got no record of a failed write"},
      {0x99, true, true, false, true, false, "m_axi id 2", "got a record of a failed write"},
  };
  const uint64_t desc[2] = {5 | 0x20 | 0x99ull << 32, STATUS};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
    found f = {0};
    aa_lock *l;
    if (aa_lock_new(cfg, &ops, &f, &l) != AA_OK) exit(2);
    set(l, AA_REG_IQA, QUEUE);
    set(l, AA_REG_GCMD, AA_GCMD_QIE_MASK);
    set(l, AA_REG_IQT, 16);
    aa_lock_axi_read(l, 0x80, QUEUE, desc, 16, false);
    aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_INVAL, .a = desc[0], .b = desc[1]});
    EQ(f.n, 0);
    if (v[i].written) {  // its bytes, and where its burst began
      aa_lock_axi_write(l, 2, STATUS, &v[i].data, 4, false);
      aa_lock_axi_write(l, 2, STATUS, NULL, 0, true);
    }
    if (v[i].answered) aa_lock_axi_answer(l, 2, v[i].error);
    if (v[i].noted)
      aa_lock_retire(
          l, &(aa_retire_rec){.kind = AA_RET_NOTIFY, .code = AA_NOTE_AXI_ERR, .idx = 2, .slot = 0xff, .a = STATUS});
    aa_lock_retire(l, &(aa_retire_rec){.kind = AA_RET_NOTIFY, .code = AA_NOTE_WAIT, .flag = v[i].flag, .a = 0x99});
    if (!f.n) EQ(aa_lock_model(l)->qi.head, v[i].error ? 0 : 1);
    aa_lock_end(l);
    bool good = f.n == (v[i].stream != NULL) && (!f.n || (!strcmp(f.stream, v[i].stream) && strstr(f.text, v[i].text)));
    CHECK(good);
    if (!good) printf("  wait %u: %s: %s\n", i, f.stream, f.text);
    aa_lock_free(l);
  }
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  record(&cfg);
  found f = play(&cfg, 0, 0);
  EQ(f.n, 0);
  if (f.n) printf("  %s %s: %s\n", f.block, f.stream, f.text);

  static const struct {
    const char *what;
    kind k;
    unsigned id, n;             // n-th of its kind and id
    int byte;                   // of the payload, or -1 - word of the header, or -10: value, -11: address
    const char *stream, *text;  // text: part of what is told
  } plant[] = {
      {"host: payload", HOST, 0, 0, 13, "host_req", ""},
      {"host: address", HOST, 0, 0, -3, "host_req", ""},
      {"completion: data", DEV, 0, 0, 5, "dev_cpl 0", ""},
      {"UR: its tag", DEV, 0, 1, -3, "dev_cpl 0", ""},
      {"put: header", WRITE, 0, 0, 3, "m_axi id 0", ", field addr: got "},
      {"put: info", WRITE, 0, 0, 10, "m_axi id 0", ", field len: got "},
      {"put: data", WRITE, 0, 0, 30, "m_axi id 0", ", field data, byte 14, in memory at "},
      {"put: address", WRITE, 0, 0, -11, "m_axi id 0", ""},
      {"get: data", WRITE, 1, 0, 2, "m_axi id 1", ""},
      {"pointer", WRITE, 2, 0, 0, "m_axi id 2", ""},
      {"walk: address", READ, 0, 2, -11, "walk slot 0", ""},
      {"register", REG_READ, 0, 1, -10, "register read", ""},
      {"register written", REG_WRITE, 0xff, 0, -10, "register write", ""},
      {"task", TASK, 0, 0, -10, "task", ""},
      {"response too many", ANSWER, 0, 0, -12, "m_axi", ""},
  };
  for (unsigned i = 0; i < sizeof plant / sizeof *plant; i++) {
    unsigned at = nth(plant[i].k, plant[i].id, plant[i].n);
    event keep = tape[at], *e = &tape[at];
    if (plant[i].byte >= 0) e->data[plant[i].byte] ^= 0x10;
    if (plant[i].byte < 0 && plant[i].byte > -5) e->t.hdr[-1 - plant[i].byte] ^= 0x100;
    if (plant[i].byte == -10) e->value ^= 1;
    if (plant[i].byte == -11) e->addr ^= 0x20;
    if (plant[i].byte == -12) e->id = 7;
    expect_text(plant[i].what, &cfg, 0, 0, plant[i].stream, plant[i].text);
    tape[at] = keep;
  }

  missing(&cfg);
  two_makers(&cfg);

  // something comes that nobody wants
  unsigned at = events;
  while (tape[at - 1].k != REG_WRITE) at--;
  expect_text("record of a register write that is not on the bus", &cfg, at - 1, 1, "register write", "want none");
  tape[events] = tape[nth(WRITE, 0, 0)];
  events++;
  expect_text("write of a log too many", &cfg, 0, 0, "m_axi id 0", "want none");
  events--;

  // beats out of form
  at = nth(HOST, 0, 0);
  tape[at].t.ndw -= 1;
  expect("a word short", &cfg, 0, 0, "host_req");
  tape[at].t.ndw += 1;

  aa_lock *l = NULL;
  cfg.NumPorts = 9;
  EQ(aa_lock_new(&cfg, &(aa_lock_ops){differ, NULL, NULL}, NULL, &l), AA_E_CONFIG);
  cfg.NumPorts = 1;
  at_rest(&cfg);
  waits(&cfg);
  CHECK(!l);
  aa_lock_free(NULL);
  return report();
}
