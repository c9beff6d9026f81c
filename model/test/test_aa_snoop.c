// SPDX-License-Identifier: Apache-2.0
// aa_snoop: the tape of a self-running model, played without its records: as it is, and with one thing changed at a
// time, which must be found in the stream where it was planted.
#include "found.h"
#include "tape.h"

static void beats(aa_snoop *s, const event *e) {
  for (unsigned i = 0; i < beats_of(e); i++) {
    aa_beat b = beat_of(e, i);
    switch (e->k) {
      case IN: aa_snoop_dev_in(s, e->id, &b, true); break;
      case HOST_IN: aa_snoop_host_in(s, &b, true); break;
      case HOST: aa_snoop_host_out(s, &b); break;
      default: aa_snoop_dev_out(s, e->id, &b); break;
    }
  }
}

static found play(const aa_config *cfg, unsigned skip, unsigned skipped) {
  found f = {0};
  aa_snoop *s;
  if (aa_snoop_new(cfg, differ, &f, &s) != AA_OK) exit(2);
  for (unsigned i = 0; i < events; i++) {
    const event *e = &tape[i];
    if (i >= skip && i < skip + skipped) continue;
    aa_snoop_cycle(s, i + 1);
    switch (e->k) {
      case READ: aa_snoop_axi_read(s, e->addr, e->data, e->n, e->value != 0); break;
      case REG_READ: aa_snoop_reg_read(s, (uint32_t)e->addr, e->value); break;
      case REG_WRITE: aa_snoop_reg_write(s, i + 1, (uint32_t)e->addr, e->value, e->id); break;
      case IN:
      case HOST_IN:
      case HOST:
      case DEV: beats(s, e); break;
      default: break;
    }
  }
  aa_snoop_end(s);
  EQ(aa_snoop_failed(s), f.n != 0);
  CHECK(!aa_snoop_blind(s));
  aa_snoop_free(s);
  return f;
}

static void expect(const char *what, const aa_config *cfg, unsigned skip, unsigned skipped, const char *stream,
                   const char *part) {
  found f = play(cfg, skip, skipped);
  bool good = f.n == 1 && !strcmp(f.stream, stream) && strstr(f.text, part);
  CHECK(good);
  if (!good) printf("  %s: %u differences, in %s: %s\n", what, f.n, f.stream, f.text);
}

#define POSTED "host_req of port 0, posted"
#define NONPOSTED "host_req of port 0, non-posted"

// Software changes a page and invalidates, or only says so.
static void remap(const aa_config *cfg, bool really) {
  static const aa_ops ops = {tape_read, tape_write, tape_host, tape_dev, tape_retire};
  world w;
  events = 0;
  world_init(&w, cfg);
  aa_free(w.m);
  if (aa_new(cfg, &ops, &w, &w.m) != AA_OK) exit(2);
  map(&w, 0x10000, 0x40000 | PTE_R | PTE_W);
  world_on(&w);
  send(&w, TLP_MWR32, 0, 0x10008, 4, 0xff);
  map(&w, 0x10000, 0x50000 | PTE_R | PTE_W);
  unsigned at = events;
  invalidate_all(&w);
  EQ(rd(&w, AA_REG_IOTLB) >> 63, 0);
  EQ(rd(&w, AA_REG_CCMD) >> 63, 0);
  unsigned end = events;
  if (!really) {  // the IOMMU forgets to: its records of the invalidation never happened
    world_free(&w);
    event keep[64];
    memcpy(keep, &tape[at], (end - at) * sizeof *keep);
    events = 0;
    world_init(&w, cfg);
    aa_free(w.m);
    if (aa_new(cfg, &ops, &w, &w.m) != AA_OK) exit(2);
    map(&w, 0x10000, 0x40000 | PTE_R | PTE_W);
    world_on(&w);
    send(&w, TLP_MWR32, 0, 0x10008, 4, 0xff);
    map(&w, 0x10000, 0x50000 | PTE_R | PTE_W);
    memcpy(&tape[events], keep, (end - at) * sizeof *keep);
    events += end - at;
  }
  send(&w, TLP_MWR32, 0, 0x10010, 4, 0xff);
  world_free(&w);
}

static void blinded(const aa_config *cfg) {
  found f;
  // a flush page blinds it
  aa_snoop *s;
  EQ(aa_snoop_new(cfg, differ, &f, &s), AA_OK);
  aa_snoop_reg_write(s, 1, AA_REG_AA_FLP, 0x10000 | AA_AA_FLP_EN_MASK, 0xff);
  CHECK(aa_snoop_blind(s));
  aa_snoop_free(s);
  EQ(aa_snoop_new(cfg, differ, &f, &s), AA_OK);
  aa_snoop_reg_write(s, 1, AA_REG_AA_FLP, 0x10000 & ~AA_AA_FLP_EN_MASK, 0xff);  // one that is off does not
  CHECK(!aa_snoop_blind(s));
  aa_snoop_free(s);
  // so do a reset of a function, and one of a port of which a read has no outcome yet
  EQ(aa_snoop_new(cfg, differ, &f, &s), AA_OK);
  aa_snoop_reset_level(s, 0, true);
  aa_snoop_reset_level(s, 0, false);
  aa_snoop_reg_write(s, 1, AA_REG_AA_RESET, 0x0100, 0xff);
  CHECK(!aa_snoop_blind(s));
  aa_snoop_reg_write(s, 2, AA_REG_AA_RESET, AA_AA_RESET_GO_MASK | 0x0100, 0xff);
  CHECK(aa_snoop_blind(s));
  aa_snoop_free(s);
  EQ(aa_snoop_new(cfg, differ, &f, &s), AA_OK);
  static const uint8_t nothing[64] = {0};
  tlp t = request(TLP_MRD32, SID, 1, 0x10000, 1, 15);
  aa_beat b = {.sop = true, .eop = true, .data = nothing};
  memcpy(b.hdr, t.hdr, sizeof b.hdr);
  aa_snoop_dev_in(s, 0, &b, true);
  aa_snoop_reset_level(s, 0, true);
  CHECK(aa_snoop_blind(s));
  aa_snoop_free(s);
}

static void planted(const aa_config *cfg) {
  static const struct {
    const char *what;
    kind k;
    unsigned n;  // n-th of its kind
    int byte;    // of the payload, or -1 - word of the header, or -10: value
    const char *stream, *part;
  } plant[] = {
      {"write: payload", HOST, 0, 13, POSTED, "payload differs (byte "},
      {"write: address", HOST, 0, -3, POSTED, "header word 2 differs, field address: got "},
      {"read: address", HOST, 1, -3, NONPOSTED, "header word 2 differs, field address: got "},
      {"atomic: operand", HOST, 2, 1, NONPOSTED, "payload differs (byte "},
      {"completion: data", DEV, 0, 5, "dev_cpl 0", "payload differs (byte "},
      {"completion: count", DEV, 0, -2, "dev_cpl 0", "header word 1 differs, field status: got "},
      {"UR: its tag", DEV, 1, -3, "dev_cpl 0", "want none"},
      {"UR: its status", DEV, 1, -2, "dev_cpl 0", "header word 1 differs"},
      {"register", REG_READ, 1, -10, "register read", "0x00020"},
  };
  for (unsigned i = 0; i < sizeof plant / sizeof *plant; i++) {
    unsigned at = nth(plant[i].k, 0, plant[i].n);
    if (plant[i].k == REG_READ)
      while (tape[at].addr != AA_REG_RTADDR) at++;
    event keep = tape[at], *e = &tape[at];
    if (plant[i].byte >= 0) e->data[plant[i].byte] ^= 0x10;
    if (plant[i].byte < 0 && plant[i].byte > -5) e->t.hdr[-1 - plant[i].byte] ^= 0x2000;
    if (plant[i].byte == -10) e->value ^= 0x10000;
    expect(plant[i].what, cfg, 0, 0, plant[i].stream, plant[i].part);
    tape[at] = keep;
  }
}

static void lost(const aa_config *cfg) {
  // something is missing, comes twice, or in the wrong order
  expect("write lost", cfg, nth(HOST, 0, 0), 1, NONPOSTED, "passes a posted request");
  expect("read lost", cfg, nth(HOST, 0, 1), 1, "dev_cpl 0", "want none");
  expect("atomic lost", cfg, nth(HOST, 0, 2), 1, "dev_cpl 0", "want none");
  expect("completion lost", cfg, nth(DEV, 0, 0), 1, "dev_cpl 0", "got  none");
  expect("UR lost", cfg, nth(DEV, 0, 1), 1, "dev_cpl 0", "got  none");
  expect("entry never read", cfg, nth(READ, 0, 5), 1, POSTED, "never been read");
  unsigned first = nth(HOST, 0, 0), second = nth(HOST, 0, 1);
  event keep = tape[second];
  tape[second] = tape[first];
  tape[second].t.data = tape[second].data;
  expect("write twice", cfg, 0, 0, POSTED, "want none");
  found f = play(cfg, 0, 0);
  const char *none = strstr(f.text, "want none");
  EQ(none && !none[9], 1);  // and there it ends: no word was missing
  tape[second] = keep;
}

// What leaves is looked for at the port that it is most like; each port has an order of its own.
static void ports(aa_config cfg) {
  static const uint8_t nothing[64] = {0};
  found f = {0};
  aa_snoop *s;
  aa_beat b[4];
  cfg.NumPorts = 4;
  EQ(aa_snoop_new(&cfg, differ, &f, &s), AA_OK);
  for (unsigned i = 0; i < 4; i++) {
    tlp t = request(TLP_MWR32, SID + i, 0, 0x1000 * (i + 1), 1, 15);
    b[i] = (aa_beat){.sop = true, .eop = true, .strb = 1, .seq = t.seq, .data = nothing};
    memcpy(b[i].hdr, t.hdr, sizeof b[i].hdr);
    aa_snoop_dev_in(s, i, &b[i], true);
  }
  for (unsigned i = 4; i--;) aa_snoop_host_out(s, &b[i]);
  EQ(f.n, 0);
  if (f.n) printf("  %s: %s\n", f.stream, f.text);
  aa_snoop_end(s);
  EQ(f.n, 0);
  aa_snoop_free(s);
}

int main(void) {
  aa_config cfg;
  aa_config_default(&cfg);
  record(&cfg);
  found f = play(&cfg, 0, 0);
  EQ(f.n, 0);
  if (f.n) printf("  %s: %s\n", f.stream, f.text);

  planted(&cfg);

  lost(&cfg);

  // a page changed: with an invalidation all is well, with one that the IOMMU does not do it is found
  remap(&cfg, true);
  f = play(&cfg, 0, 0);
  EQ(f.n, 0);
  if (f.n) printf("  %s: %s\n", f.stream, f.text);
  remap(&cfg, false);
  expect("stale entry used", &cfg, 0, 0, POSTED, "invalidated since");

  blinded(&cfg);
  ports(cfg);
  aa_snoop *s;
  cfg.DataW = 100;
  EQ(aa_snoop_new(&cfg, differ, &f, &s), AA_E_CONFIG);
  aa_snoop_free(NULL);
  return report();
}
