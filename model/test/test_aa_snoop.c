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
  static const uint8_t order[][4] = {{3, 2, 1, 0}, {0, 1, 2, 3}, {1, 3, 0, 2}};
  aa_beat b[4];
  cfg.NumPorts = 4;
  for (unsigned k = 0; k < 3; k++) {
    found f = {0};
    aa_snoop *s;
    EQ(aa_snoop_new(&cfg, differ, &f, &s), AA_OK);
    for (unsigned i = 0; i < 4; i++) {
      tlp t = request(TLP_MWR32, SID + i, 0, 0x1000 * (i + 1), 1, 15);
      b[i] = (aa_beat){.sop = true, .eop = true, .strb = 1, .seq = t.seq, .data = nothing};
      memcpy(b[i].hdr, t.hdr, sizeof b[i].hdr);
      aa_snoop_dev_in(s, i, &b[i], true);
    }
    for (unsigned i = 0; i < 4; i++) aa_snoop_host_out(s, &b[order[k][i]]);
    EQ(f.n, 0);
    if (f.n) printf("  %s: %s\n", f.stream, f.text);
    aa_snoop_end(s);
    EQ(f.n, 0);
    aa_snoop_free(s);
  }
}

// ---- by hand: one write to PLAIN, whose walk has been read ----------------------------------------------------------

enum { PLAIN = 0x10000, FRAME = 0x40000000 };

static aa_snoop *s;
static found hand_found;

static void read_word(const world *w, uint64_t at, unsigned n) { aa_snoop_axi_read(s, at, w->mem + at, n, false); }

static void hand(const aa_config *cfg, unsigned words) {
  static world w;
  memset(&hand_found, 0, sizeof hand_found);
  EQ(aa_snoop_new(cfg, differ, &hand_found, &s), AA_OK);
  world_init(&w, cfg);
  map(&w, PLAIN, FRAME | PTE_R | PTE_W);
  aa_snoop_cycle(s, 1);
  for (unsigned level = 4; level && words > 6 - level; level--) read_word(&w, entry_at(&w, PLAIN, level), 8);
  if (words > 0) read_word(&w, ROOT + (SID >> 8) * 16, 16);
  if (words > 1) read_word(&w, CTX + (SID & 255) * 16, 16);
  aa_snoop_reg_write(s, 1, AA_REG_RTADDR, ROOT, 0xff);
  aa_snoop_reg_write(s, 1, AA_REG_GCMD, AA_GCMD_SRTP_MASK, 0x0f);
  aa_snoop_reg_write(s, 1, AA_REG_GCMD, AA_GCMD_TE_MASK, 0x0f);
  world_free(&w);
}

static void one(uint8_t type, uint64_t addr, bool in) {
  static const uint8_t nothing[64];
  tlp t = request(type, SID, 3, addr, 1, 15);
  aa_beat b = {.sop = true, .eop = true, .strb = t.ndw, .seq = t.seq, .data = nothing};
  memcpy(b.hdr, t.hdr, sizeof b.hdr);
  if (in)
    aa_snoop_dev_in(s, 0, &b, true);
  else
    aa_snoop_host_out(s, &b);
}

static void hand_ends(const char *stream, const char *part) {
  aa_snoop_end(s);
  EQ(hand_found.n, stream != NULL);
  if (stream) CHECK(!strcmp(hand_found.stream, stream) && strstr(hand_found.text, part));
  if (hand_found.n != (stream != NULL)) printf("  %s: %s\n", hand_found.stream, hand_found.text);
  aa_snoop_free(s);
}

// A posted request that never leaves may have been blocked by what software has changed since it came, and by nothing
// else. Changes are of translations, limits, filters and the queue.
static void blocked(const aa_config *cfg) {
  static const uint32_t changes[] = {AA_REG_CCMD, AA_REG_IOTLB, AA_REG_AA_CTL, AA_REG_IQT, AA_REG_AA_PORT},
                        others[] = {AA_REG_IVA, AA_REG_FEADDR, AA_REG_AA_CPL_TMO};
  for (unsigned i = 0; i < 8; i++) {
    hand(cfg, 6);
    aa_snoop_cycle(s, 5);
    one(TLP_MWR32, PLAIN, true);
    aa_snoop_cycle(s, 6);
    aa_snoop_reg_write(s, 6, i < 5 ? changes[i] : others[i - 5], 0, 0xff);
    hand_ends(i < 5 ? NULL : POSTED, "got  none");
  }
  hand(cfg, 6);
  aa_snoop_cycle(s, 5);
  one(TLP_MWR32, PLAIN, true);
  one(TLP_MWR32, FRAME, false);
  hand_ends(NULL, "");
}

// After a global invalidation that is over, words that were read before it are nobody's: by CCMD the contexts, by IOTLB
// the tables. One of a domain, one that was not asked for, and one that is not over yet change nothing.
static void invalidated(const aa_config *cfg) {
  static const struct {
    uint32_t addr;
    uint64_t asked, done;
    unsigned strb;
    bool stale;
  } v[] = {
      {AA_REG_CCMD, AA_CCMD_ICC_MASK | 1ull << AA_CCMD_CIRG_LSB, 0, 0xff, true},
      {AA_REG_CCMD, AA_CCMD_ICC_MASK | 1ull << AA_CCMD_CIRG_LSB, AA_CCMD_ICC_MASK, 0xff, false},
      {AA_REG_CCMD, AA_CCMD_ICC_MASK | 2ull << AA_CCMD_CIRG_LSB, 0, 0xff, false},
      {AA_REG_CCMD, AA_CCMD_ICC_MASK | 1ull << AA_CCMD_CIRG_LSB, 0, 0x0f, false},
      {AA_REG_CCMD, 1ull << AA_CCMD_CIRG_LSB, 0, 0xff, false},
      {AA_REG_IOTLB, AA_IOTLB_IVT_MASK | 1ull << AA_IOTLB_IIRG_LSB, 0, 0xff, true},
      {AA_REG_IOTLB, AA_IOTLB_IVT_MASK | 1ull << AA_IOTLB_IIRG_LSB, AA_IOTLB_IVT_MASK, 0xff, false},
      {AA_REG_IOTLB, AA_IOTLB_IVT_MASK | 2ull << AA_IOTLB_IIRG_LSB, 0, 0xff, false},
      {AA_REG_IOTLB, AA_IOTLB_IVT_MASK | 1ull << AA_IOTLB_IIRG_LSB, 0, 0x0f, false},
      {AA_REG_IOTLB, 1ull << AA_IOTLB_IIRG_LSB, 0, 0xff, false},
  };
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
    hand(cfg, 6);
    aa_snoop_reg_write(s, 3, v[i].addr, v[i].asked, v[i].strb);
    aa_snoop_reg_read(s, v[i].addr, v[i].done);
    aa_snoop_cycle(s, 8);
    one(TLP_MWR32, PLAIN, true);
    one(TLP_MWR32, FRAME, false);
    hand_ends(v[i].stale ? POSTED : NULL, "invalidated since");
  }
}

// An answer of the IOMMU itself needs the words of its walk.
static void answered(const aa_config *cfg) {
  static const uint8_t nothing[64];
  for (unsigned words = 0; words < 6; words++) {
    hand(cfg, words);
    aa_snoop_cycle(s, 5);
    one(TLP_MRD32, PLAIN, true);
    tlp t = completion(SID, 3, TLP_UR, 4, 0, 0, NULL);
    aa_beat b = {.sop = true, .eop = true, .seq = 4, .data = nothing};
    memcpy(b.hdr, t.hdr, sizeof b.hdr);
    aa_snoop_dev_out(s, 0, &b);
    hand_ends("dev_cpl 0", "want no answer yet\nits walk needs ");
  }
}

// GSTS may follow GCMD late; what it has once shown stays. A read of either half is of the whole word.
static void status(const aa_config *cfg) {
  const uint64_t on = (uint64_t)(AA_GSTS_TES_MASK | AA_GSTS_RTPS_MASK) << 32;
  hand(cfg, 0);
  aa_snoop_reg_read(s, AA_REG_GCMD, 0);
  aa_snoop_reg_read(s, AA_REG_GCMD, on);
  EQ(hand_found.n, 0);
  aa_snoop_reg_read(s, AA_REG_GCMD + 4, 0);
  hand_ends("register read", "0x00018");
  hand(cfg, 0);
  aa_snoop_reg_read(s, AA_REG_RTADDR + 4, ROOT);
  EQ(hand_found.n, 0);
  aa_snoop_reg_read(s, AA_REG_RTADDR + 4, ROOT + 0x1000);
  hand_ends("register read", "0x00020");
}

// It keeps as many words as are read.
static void many_words(const aa_config *cfg) {
  static const uint8_t nothing[64];
  hand(cfg, 6);
  for (uint64_t i = 0; i < 5000; i++) aa_snoop_axi_read(s, 0x10000000 + 64 * i, nothing, 64, false);
  aa_snoop_cycle(s, 5);
  one(TLP_MWR32, PLAIN, true);
  one(TLP_MWR32, FRAME, false);
  hand_ends(NULL, "");
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
  blocked(&cfg);
  invalidated(&cfg);
  answered(&cfg);
  status(&cfg);
  many_words(&cfg);
  cfg.DataW = 100;
  EQ(aa_snoop_new(&cfg, differ, &f, &s), AA_E_CONFIG);
  aa_snoop_free(NULL);
  return report();
}
