// SPDX-License-Identifier: Apache-2.0
// tocsin_dpi.c without a simulator: the tape of model/test/tape.h as events at the pins, at every width of data, with
// bursts cut and shuffled in the ways that AXI allows, with and without records; then with one pin bent, or with
// something left over at the end.
#include <sys/wait.h>
#include <unistd.h>

#include "tape.h"
#include "tocsin_dpi.h"

enum {
  PLAIN,
  BEND_HOST,
  BEND_DEV,
  BEND_WDATA,
  BEND_WSTRB,
  BEND_WLAST,
  BEND_RDATA,
  BEND_REG,
  BEND_RECORD,
  BEND_ID,
  EXTRA_B,
  LEFT_AR,
  LEFT_AW,
  LEFT_W,
  LEFT_REG_AR,
  LEFT_REG_AW,
  LEFT_REG_W,
  LEFT_REG_B,
  BENDS
};
static const struct {
  const char *what, *full, *ports;  // the streams that must be named; null: cannot be seen
} bend[BENDS] = {
    {"nothing", NULL, NULL},
    {"bit 12 of a host TLP's address", "host_req", "host_req of port 0, posted"},
    {"a completion's byte count", "dev_cpl 0", "dev_cpl 0"},
    {"written data", "m_axi id 0", NULL},
    {"a write strobe", "m_axi id 0", NULL},
    {"wlast", "m_axi", "m_axi"},
    {"the frame in a table's entry", "record", "host_req of port 0, posted"},
    {"a register's value", "register read", "register read"},
    {"a record's field", "record", NULL},
    {"the id of a read", "m_axi", NULL},
    {"a response to a register write that there was not", "s_axil", "s_axil"},
    {"a read without data", "m_axi", "m_axi"},
    {"a write address without data", "m_axi", "m_axi"},
    {"write data without address", "m_axi", "m_axi"},
    {"a register read without response", "s_axil", "s_axil"},
    {"a register's address without data", "s_axil", "s_axil"},
    {"a register's data without address", "s_axil", "s_axil"},
    {"a register write without response", "s_axil", "s_axil"},
};

typedef struct player {
  void *h;
  unsigned data_w, bend;
  bool bent;
  uint64_t rnd;
  unsigned left;     // beats of the burst that goes on beside the others
  unsigned owed[3];  // responses to bursts, by id
} player;

// True once: now is the time to bend what is asked for.
static bool now(player *p, unsigned what) {
  if (p->bend != what || p->bent) return false;
  return p->bent = true;
}

static void words(uint32_t *to, const uint8_t *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) to[i / 4] = (i % 4 ? to[i / 4] : 0) | (uint32_t)from[i] << (8 * (i % 4));
}

static void noise(player *p, uint32_t *to) {
  for (unsigned i = 0; i < 16; i++) to[i] = rnd(&p->rnd);
}

static void play_read(player *p, const event *e) {
  uint32_t d[16];
  unsigned bytes = p->data_w / 8, size = e->n == 8 ? 3 : 4, lane = (unsigned)e->addr & (bytes - 1);
  noise(p, d);
  words(d + lane / 4, e->data, e->n);
  // the leaf of the first page: another frame for everybody
  if (e->n == 8 && (d[lane / 4] & 0xfff) == 3 && d[lane / 4] >> 12 == 0x40 && now(p, BEND_RDATA)) d[lane / 4] ^= 0x1000;
  // beside it, another id's bursts of 256 beats
  if (!p->left) {
    tocsin_ar(p->h, 9, 0x123000, 255, 4);
    p->left = 256;
  }
  int id = now(p, BEND_ID) ? 0x11 : (int)e->id;
  tocsin_ar(p->h, id, (long long)e->addr, 0, (int)size);
  tocsin_r(p->h, 9, 0, d);
  p->left--;
  tocsin_r(p->h, id, e->value ? 2 : p->left & 1, d);  // EXOKAY is no error
}

// The data of a burst that writes [addr, addr + n).
static void burst_data(player *p, unsigned id, uint64_t addr, const uint8_t *data, unsigned n) {
  unsigned bytes = p->data_w / 8, off = (unsigned)addr & (bytes - 1), beats = (off + n + bytes - 1) / bytes;
  for (unsigned b = 0; b < beats; b++) {
    uint32_t d[16];
    uint64_t strb = 0;
    uint8_t line[64] = {0};
    noise(p, d);
    for (unsigned k = 0; k < bytes; k++) {
      unsigned at = b * bytes + k;
      bool in = at >= off && at < off + n;
      line[k] = in ? data[at - off] : (uint8_t)(d[k / 4] >> 8);  // lanes without strobe do not count
      strb |= (uint64_t)in << k;
    }
    if (!id && now(p, BEND_WDATA)) line[off] ^= 4;
    if (!id && now(p, BEND_WSTRB)) strb &= ~(1ull << (off + 4));
    words(d, line, bytes);
    bool early = !id && beats > 1 && now(p, BEND_WLAST);
    tocsin_w(p->h, d, (long long)strb, b == beats - 1 || early);
  }
}

static void burst_address(player *p, unsigned id, uint64_t addr, unsigned n) {
  unsigned bytes = p->data_w / 8, off = (unsigned)addr & (bytes - 1), size = 4;
  while (1u << size < bytes) size++;
  tocsin_aw(p->h, (int)id, (long long)addr, (int)((off + n + bytes - 1) / bytes) - 1, (int)size);
}

// As one burst or two, the addresses before the data or after them.
static void play_write(player *p, const event *e) {
  unsigned bytes = p->data_w / 8, first = bytes - ((unsigned)e->addr & (bytes - 1));
  bool data_first = rnd(&p->rnd) % 2;
  if (first >= e->n || e->id == 2) first = e->n;
  for (unsigned step = 0; step < 2; step++) {
    bool data = step ? !data_first : data_first;
    for (unsigned at = 0; at < e->n; at += at ? e->n : first) {
      unsigned n = at ? e->n - at : first;
      if (data)
        burst_data(p, e->id, e->addr + at, e->data + at, n);
      else
        burst_address(p, e->id, e->addr + at, n);
      p->owed[e->id] += data;
    }
  }
}

static void play_tlp(player *p, const event *e) {
  static const int stream[] = {
      [IN] = TOCSIN_DEV_REQ, [HOST_IN] = TOCSIN_HOST_CPL, [HOST] = TOCSIN_HOST_REQ, [DEV] = TOCSIN_DEV_CPL};
  unsigned dw = p->data_w / 32, n = e->t.ndw ? (e->t.ndw + dw - 1) / dw : 1;
  uint32_t hdr[4];
  for (unsigned i = 0; i < 4; i++) hdr[i] = e->t.hdr[3 - i];
  if (e->k == HOST && now(p, BEND_HOST)) hdr[1] ^= 0x1000;
  if (e->k == DEV && now(p, BEND_DEV)) hdr[2] ^= 0x20;
  for (unsigned i = 0; i < n; i++) {
    unsigned left = e->t.ndw - i * dw, here = left < dw ? left : dw;
    uint32_t d[16];
    noise(p, d);
    words(d, e->data + 4 * dw * i, 4 * here);
    int flags = (i == 0 ? TOCSIN_SOP : 0) | (i == n - 1 ? TOCSIN_EOP : 0) | (e->t.err ? TOCSIN_ERR : 0);
    int strb = (int)((1ull << here) - 1);
    if (stream[e->k] < TOCSIN_HOST_REQ && rnd(&p->rnd) % 2)  // shown for a cycle before it is taken
      tocsin_beat(p->h, stream[e->k], (int)e->id, flags, e->t.seq, strb, hdr, d);
    tocsin_beat(p->h, stream[e->k], (int)e->id, flags | TOCSIN_TAKEN, e->t.seq, strb, hdr, d);
  }
}

static void play_record(player *p, const event *e) {
  const aa_retire_rec *r = &e->r;
  uint32_t idx = r->idx;
  if (r->kind == AA_RET_DECIDE && now(p, BEND_RECORD)) idx ^= 1;
  uint32_t v[5] = {(uint32_t)r->b, (uint32_t)(r->b >> 32), (uint32_t)r->a, (uint32_t)(r->a >> 32),
                   idx | (uint32_t)r->slot << 8 | (uint32_t)r->lane << 16 | (uint32_t)r->code << 20 |
                       (uint32_t)r->flag << 24 | (uint32_t)r->kind << 25};
  tocsin_retire(p->h, v);
  if (r->kind == AA_RET_REG_WRITE) tocsin_reg_b(p->h, 0);
}

// What has begun and does not end.
static void leave(player *p) {
  uint32_t d[16];
  noise(p, d);
  for (; p->left; p->left--) tocsin_r(p->h, 9, 0, d);
  if (now(p, EXTRA_B)) tocsin_reg_b(p->h, 0);
  if (now(p, LEFT_AR)) tocsin_ar(p->h, 3, 0x1000, 0, 3);
  if (now(p, LEFT_AW)) tocsin_aw(p->h, 2, 0x8000, 0, 4);
  if (now(p, LEFT_W)) tocsin_w(p->h, d, 15, 1);
  if (now(p, LEFT_REG_AR)) tocsin_reg_ar(p->h, AA_REG_RTADDR);
  if (p->bend == LEFT_REG_AW || now(p, LEFT_REG_B)) tocsin_reg_aw(p->h, AA_REG_FEDATA);
  if (p->bend == LEFT_REG_B || now(p, LEFT_REG_W)) tocsin_reg_w(p->h, 0, 15);
  p->bent |= p->bend == LEFT_REG_AW;
}

static void play(player *p) {
  for (unsigned i = 0; i < events; i++) {
    const event *e = &tape[i];
    if (i)
      tocsin_cycle(p->h);
    else
      tocsin_reset(p->h);
    switch (e->k) {
      case READ: play_read(p, e); break;
      case WRITE: play_write(p, e); break;
      case ANSWER:
        for (; p->owed[e->id]; p->owed[e->id]--) tocsin_b(p->h, (int)e->id, 0);
        break;
      case RECORD: play_record(p, e); break;
      case REG_READ: {
        bool wrong = e->addr == AA_REG_RTADDR && now(p, BEND_REG);
        tocsin_reg_ar(p->h, (int)e->addr);
        tocsin_reg_r(p->h, (long long)(wrong ? e->value ^ 0x1000 : e->value), 0);
        break;
      }
      case REG_WRITE:
        tocsin_reg_w(p->h, (long long)e->value, (int)e->id);
        tocsin_reg_aw(p->h, (int)e->addr);
        break;
      case TASK: tocsin_task(p->h, (int)e->id, (int)e->value); break;
      default: play_tlp(p, e); break;
    }
  }
  leave(p);
  tocsin_end(p->h);
}

static void *checker(const aa_config *c, int retire) {
  return tocsin_new((int)c->NumPorts, (int)c->Window, (int)c->Walkers, (int)c->IotlbEntries, (int)c->IotlbWays,
                    c->IotlbRandom, (int)c->SpEntries, (int)c->CtxEntries, (int)c->PscEntries, (int)c->NumLogs,
                    (int)c->LogDepth, (int)c->TagEntries, (int)c->FlushPages, (int)c->FlushWaiters,
                    (int)c->ScratchWords, c->ActiveAccess, (int)c->DataW, retire);
}

// Two register writes under way: addresses may run ahead of data, data ahead of addresses, both of responses.
static void two_writes(const aa_config *c, int retire, bool data_first) {
  static const struct {
    int addr;
    unsigned value;
  } w[2] = {{AA_REG_RTADDR, 0x5000}, {AA_REG_FEADDR, 0xfee01000}};
  void *h = checker(c, retire);
  tocsin_reset(h);
  for (unsigned step = 0; step < 2; step++)
    for (unsigned i = 0; i < 2; i++)
      if ((step == 1) == data_first)
        tocsin_reg_aw(h, w[i].addr);
      else
        tocsin_reg_w(h, w[i].value, w[i].addr == AA_REG_RTADDR ? 0xff : 0x0f);
  for (unsigned i = 0; i < 2; i++) {
    uint32_t v[5] = {w[i].value, 0, (uint32_t)w[i].addr, 0,
                     (w[i].addr == AA_REG_RTADDR ? 0xff : 0x0f) | (uint32_t)AA_RET_REG_WRITE << 25};
    tocsin_cycle(h);
    tocsin_retire(h, v);
    tocsin_reg_b(h, 0);
  }
  for (unsigned i = 0; i < 2; i++) {
    uint32_t v[5] = {w[i].value, 0, (uint32_t)w[i].addr, 0, (uint32_t)AA_RET_REG_READ << 25};
    tocsin_retire(h, v);
    tocsin_reg_ar(h, w[i].addr);
    tocsin_reg_r(h, w[i].value, 0);
  }
  tocsin_end(h);
  CHECK(!tocsin_failed(h));
  if (tocsin_failed(h)) printf("  two writes, retire %d, data first %d: %s\n", retire, data_first, tocsin_report(h));
  tocsin_free(h);
}

// A parameter out of range ends the program, and it says which.
static void wrong_parameter(const aa_config *was, int retire) {
  aa_config c = *was;
  char said[200] = "";
  int out[2], status;
  size_t n = 0;
  if (pipe(out)) exit(2);
  c.NumPorts = 5;
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    dup2(out[1], 2);
    checker(&c, retire);
    _exit(0);
  }
  close(out[1]);
  for (ssize_t k; (k = read(out[0], said + n, sizeof said - 1 - n)) > 0;) n += (size_t)k;
  close(out[0]);
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1);
  CHECK(!strncmp(said, "aa_checker: NumPorts must be ", 29));
}

int main(void) {
  aa_config c;
  aa_config_default(&c);
  c.Walkers = 16;  // id 9 is one of theirs
  for (unsigned w = 128; w <= 512; w *= 2) {
    events = 0;
    c.DataW = w;
    record(&c);
    for (int retire = 0; retire < 2; retire++) {
      wrong_parameter(&c, retire);
      for (int i = 0; i < 2; i++) two_writes(&c, retire, i);
      void *h = checker(&c, retire);
      for (unsigned k = 0; k < BENDS; k++) {  // the same instance each time: a reset forgets everything
        player p = {.h = h, .data_w = w, .bend = k, .rnd = 99 + k};
        const char *want = retire ? bend[k].full : bend[k].ports;
        char line[64];
        play(&p);
        snprintf(line, sizeof line, "\nstream %s\n", want ? want : "");
        bool good = want ? tocsin_failed(h) && strstr(tocsin_report(h), line) : !tocsin_failed(h);
        CHECK(good);
        CHECK(p.bent == (k != PLAIN));
        CHECK(!tocsin_blind(h));
        if (!good)
          printf("  %u bits, %s records, bent: %s; want %s, got: %s\n", w, retire ? "with" : "without", bend[k].what,
                 want ? want : "no difference", tocsin_report(h));
      }
      tocsin_free(h);
    }
  }
  return report();
}
