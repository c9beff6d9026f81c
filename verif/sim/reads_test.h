// SPDX-License-Identifier: Apache-2.0
// The test of aa_tag_buf and aa_cpl together (aa_reads): reads are allocated and completed in legal and hostile ways,
// over
// few keys, so that strays, reused tags, time-outs, resets and log closings meet; every record, forwarded beat, log
// command and log datum is compared with a reference that takes the records one at a time, in their order.
// Rules of rtl/aa/README.md: TAG-1, TAG-2, TAG-3, TAG-4, TAG-5, TAG-6, TAG-7, TAG-9, TAG-10,
// RST-3.
#ifndef TOCSIN_READS_TEST_H
#define TOCSIN_READS_TEST_H

#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "aa_reads_tb.h"

#ifndef P_Logs
#define P_Logs 1
#endif
#define DATA_W GD_DATA_O_W
#define BEAT_DW (DATA_W / 32)
#define AT_HDR DATA_W
#define AT_STRB (DATA_W + 128)
#define AT_SEQ (AT_STRB + BEAT_DW)
#define AT_ERR (AT_SEQ + 8)
#define AT_EOP (AT_ERR + 1)
#define AT_SOP (AT_EOP + 1)
#define ENTRIES P_TagEntries
#define RING 256
#define LONGEST 1023  // time-out
#define TO_END \
  (1000 + 32 * ENTRIES)  // cycles in which what is reset or too late ends, whatever the logs and devices do

// Entries that are each port's own.
static const unsigned share = P_NumPorts == 1 ? 0 : ENTRIES < 2 * P_NumPorts ? 1 : ENTRIES / (2 * P_NumPorts);

typedef struct entry {
  bool live, dead, must, flush, logged, log0, kill, closing, marked;
  unsigned key, port, rem, pos, dw, log, bytes, start;
  unsigned to_send;     // the generator's view of rem
  unsigned work;        // log commands that have not left
  uint64_t born, ends;  // ends: since when it has been reset or too late, or its quarantine too long
  unsigned idle;        // for how many cycles of these nothing else was under way
  uint32_t words[ALLOC_I_WORDS];
} entry;

typedef struct tlp {
  uint32_t hdr[4], data[1024];
  unsigned dw, seq, key, beats;
  bool bad, err;
  bool cut;
} tlp;

typedef struct cmd {
  uint32_t words[GL_CMD_O_WORDS];
  unsigned idx;
  bool fin;
} cmd;

static entry tab[ENTRIES];
static tlp host[RING];  // sent whole, not yet consumed
static unsigned host_in, host_out;
static tlp fwd[RING];  // forwarded, not yet seen to leave
static unsigned fwd_port[RING], fwd_in, fwd_out, fwd_beat;
static unsigned dropped, fwd_after[RING];  // beats that are dropped: since the last one forwarded, and before each
static cmd log_cmd[4 * RING];
static unsigned cmd_in, cmd_out;
static uint32_t *gd;        // DWs
static unsigned wrong_low;  // completions with nothing wrong but LowerAddress
static uint64_t gd_in, gd_out;
#define GD_SIZE (1u << 20)

static int find(unsigned key) {
  for (int i = 0; i < (int)ENTRIES; i++)
    if (tab[i].live && tab[i].key == key) return i;
  return -1;
}

// Few keys at a time, which differ in any bits: of two requesters, whose ids differ in one, and a third without reads.
static unsigned rids[3], tags;

static void new_keys(tb *t) {
  rids[0] = (unsigned)rnd_bits(t, 16);
  rids[1] = rids[0] ^ 1u << rnd_below(t, 16);
  rids[2] = rids[0] ^ (1u + (unsigned)rnd_below(t, 0xffff));
  tags = (unsigned)rnd_bits(t, 10);
}

static unsigned some_key(tb *t) {
  unsigned tag = tags ^ (unsigned)rnd_below(t, ENTRIES < 6 ? 3 : ENTRIES);
  return rids[rnd_below(t, 2)] << 10 | (tag ^ (rnd_chance(t, 8) ? 1u << rnd_below(t, 10) : 0));
}

// ---- allocation ----
static bool new_read(tb *t, entry *e, unsigned key) {
  memset(e, 0, sizeof *e);
  bool atomic = rnd_chance(t, 10);
  unsigned fbe = 15, lbe = 15, len, start = 0, bytes;
  if (atomic) {
    len = 1u << rnd_below(t, 3);
    bytes = 4 * len;
    if (len == 1) lbe = 0;
  } else if (rnd_chance(t, 10)) {  // one DW, any byte enables
    fbe = (unsigned)rnd_bits(t, 4);
    len = 1;
    lbe = 0;
    unsigned first = fbe & 1 ? 0 : fbe & 2 ? 1 : fbe & 4 ? 2 : fbe & 8 ? 3 : 0;
    unsigned lastb = fbe & 8 ? 3 : fbe & 4 ? 2 : fbe & 2 ? 1 : 0;
    bytes = fbe ? lastb - first + 1 : 1;
    start = (unsigned)rnd_bits(t, 10) * 4 + first;
  } else {
    bytes = rnd_chance(t, 60)   ? 1 + (unsigned)rnd_below(t, 64)
            : rnd_chance(t, 80) ? 1 + (unsigned)rnd_below(t, 512)
                                : 1 + (unsigned)rnd_below(t, 4096);
    start = (unsigned)rnd_below(t, 4096 - bytes + 1);
    len = (start % 4 + bytes + 3) / 4;
    fbe = 15u & (15u << start % 4);
    lbe = 15u >> (3 - (start + bytes - 1) % 4);
    if (len == 1) {
      fbe &= lbe;
      lbe = 0;
    }
  }
  e->key = key;
  e->port = (unsigned)rnd_below(t, P_NumPorts);
  e->flush = rnd_chance(t, 10);
  e->bytes = e->rem = e->to_send = bytes;
  e->start = start;
  e->pos = start % 4;
  e->log = (unsigned)rnd_bits(t, 5);
  e->logged = e->log0 = P_Logs && !e->flush && rnd_chance(t, 60);
  rnd_words(t, e->words, ALLOC_I_W);
  uint32_t *w = e->words;
  bits_set(w, 287, 16, key >> 10);
  bits_set(w, 277, 10, key);
  bits_set(w, 275, 2, e->port);
  bits_set(w, 274, 1, e->flush);
  bits_set(w, 262, 12, start);
  bits_set(w, 249, 13, bytes);
  bits_set(w, 248, 1, e->logged);
  bits_set(w, 176 + 5, 5, e->log);
  bits_set(w, 128, 48, (bits_get(w, 128, 48) & ~0xfffffull) | (uint64_t)(rnd_bits(t, 10) * 16));
  bits_set(w, 83, 11, len);
  bits_set(w, 94, 4, fbe);
  bits_set(w, 98, 4, lbe);
  bits_set(w, 80, 1, 0);
  return true;
}

// ---- completions ----
// A read that has ended early may still be completed, by all that it lacks.
static void new_cpl(tb *t, tlp *p) {
  memset(p, 0, sizeof *p);
  int idx = -1;
  unsigned key = some_key(t);
  for (unsigned n = 0; n < 4 && idx < 0; n++) {
    unsigned i = (unsigned)rnd_below(t, ENTRIES);
    if (tab[i].live && !tab[i].flush && tab[i].to_send) idx = (int)i;
  }
  bool wild = rnd_chance(t, 6);
  if (idx < 0) idx = find(key);
  if (idx >= 0) key = tab[idx].key;
  unsigned count = 1 + (unsigned)rnd_bits(t, 12), len = 1 + (unsigned)rnd_below(t, 8), low = (unsigned)rnd_bits(t, 7);
  if (idx >= 0 && tab[idx].to_send) {
    entry *e = &tab[idx];
    unsigned pos = (e->start + e->bytes - e->to_send) % 4, all = (pos + e->to_send + 3) / 4;
    count = e->to_send;
    low = (e->start + e->bytes - e->to_send) & 127;
    len = rnd_chance(t, 50) ? all : 1 + (unsigned)rnd_below(t, all);
    if (!wild) e->to_send = len == all ? 0 : e->to_send - (4 * len - pos);
  }
  if (wild && rnd_chance(t, 30)) count = 1 + (unsigned)rnd_below(t, 4096);
  if (wild && rnd_chance(t, 30)) len += (unsigned)rnd_below(t, 3);
  if (wild && rnd_chance(t, 30)) low ^= rnd_chance(t, 50) ? 1U << rnd_below(t, 7) : (unsigned)rnd_bits(t, 7);
  if (wild && rnd_chance(t, 20)) key = some_key(t);
  if (len > 1024) len = 1024;
  unsigned status = rnd_chance(t, 3) ? (unsigned)rnd_bits(t, 3) : 0;
  bool data = status ? rnd_chance(t, 20) : !(wild && rnd_chance(t, 10));
  unsigned op = data ? 0x4a : 0x0a;
  if (wild && rnd_chance(t, 10)) op = (unsigned)rnd_bits(t, 8);
  data = op & 0x40;
  p->key = key;
  p->hdr[3] = op << 24 | (key >> 9 & 1) << 23 | (key >> 8 & 1) << 19 | (uint32_t)(rnd_chance(t, 3)) << 14 |
              (len & 1023) | (uint32_t)rnd_bits(t, 3) << 20 | ((uint32_t)rnd(t) & 0x0007b000u);
  p->hdr[2] = (uint32_t)rnd_bits(t, 16) << 16 | status << 13 | (count & 4095);
  p->hdr[1] = key >> 10 << 16 | (key & 255) << 8 | (uint32_t)rnd_bits(t, 1) << 7 | low;
  p->hdr[0] = (uint32_t)rnd(t);
  p->seq = (unsigned)rnd_bits(t, 8);
  p->dw = data ? len : 0;
  p->beats = data ? (len + BEAT_DW - 1) / BEAT_DW : 1;
  for (unsigned i = 0; i < p->dw; i++) p->data[i] = (uint32_t)rnd(t);
  p->bad = op != 0x0a && op != 0x4a;
}

// ---- log commands ----
static cmd *push(unsigned i) {  // what every command of an entry has
  cmd *c = &log_cmd[cmd_in++ % (4 * RING)];
  entry *e = &tab[i];
  memset(c, 0, sizeof *c);
  c->idx = i;
  words_copy(c->words, 0, e->words, 0, 128);
  bits_set(c->words, 80, 1, 0);
  words_copy(c->words, 128, e->words, 186, 62);  // pad_bytes, pad_addr, pad
  words_copy(c->words, 211, e->words, 128, 58);  // addr, id
  e->work++;
  return c;
}

static void push_close(unsigned i, bool aborted) {
  cmd *c = push(i);
  bits_set(c->words, 80, 1, aborted);
  bits_set(c->words, 269, 1, 1);
}

// The data of a completion; of the only one of its read: with the header.
static void push_chunk(unsigned i, const tlp *p, bool last) {
  cmd *c = push(i);
  entry *e = &tab[i];
  unsigned len = (unsigned)bits_get(e->words, 83, 11);
  if (last && e->dw == 0)
    bits_set(c->words, 269, 1, 1);
  else
    bits_set(c->words, 211, 48, bits_get(e->words, 128, 48) + 16 + 4 * e->dw);
  bits_set(c->words, 200, 11, p->dw);
  bits_set(c->words, 196, 4, e->dw == 0 ? bits_get(e->words, 94, 4) : 15);
  bits_set(c->words, 192, 4, last && len > 1 ? bits_get(e->words, 98, 4) : 15);
  bits_set(c->words, 190, 2, last ? (4 - len % 4) % 4 : 0);
  for (unsigned b = 0; b < p->beats; b++)
    for (unsigned k = 0; k < BEAT_DW; k++)
      gd[gd_in++ % GD_SIZE] = b * BEAT_DW + k < p->dw ? p->data[b * BEAT_DW + k] : 0x5a5a5a5a;
}

static bool fn, passed;  // fn_i, and fn_pass_o a cycle ago
static unsigned fn_rid, passes;
static unsigned late, overs, waits;  // completions after the end, ends of quarantines, requests for a tag in quarantine

// What a record says of its entry, and what comes with it.
typedef struct {
  bool abort, ev_bad, ev_tmo, ev_late, ev_over;
  unsigned log, want_err, sid;
} told;

static bool timeout_told(tb *t, dut *d, uint64_t tmo, unsigned code, unsigned idx, bool flag, told *r) {
  if (idx >= ENTRIES) {
    CHECK(t, false, "RetTimeout of entry %u", idx);
    return false;
  }
  entry *e = &tab[idx];
  CHECK(t, e->live && !e->flush, "RetTimeout of entry %u, which is %s", idx, e->live ? "a flush" : "free");
  r->log = e->log;
  CHECK_EQ(t, e->dead, code == 1 && !flag, "RetTimeout code %u flag %u of an entry that is dead", code, flag);
  if (e->logged) {
    r->abort = true;
    e->logged = false;
    push_close(idx, true);
  } else {
    CHECK(t, !flag, "RetTimeout flag=1 of an entry without open log");
  }
  if (code == 1) {
    CHECK(t, tmo && dut_cycle(d) - e->born >= 2 * tmo, "quarantine of entry %u over after %u cycles", idx,
          (unsigned)(dut_cycle(d) - e->born));
    e->live = e->dead = false;
    r->ev_over = true;
    overs++;
  } else if (!flag) {
    CHECK_EQ(t, code, 0, "code");
    CHECK(t, e->kill || (fn && !passed && e->key >> 10 == fn_rid) || (tmo && dut_cycle(d) - e->born >= tmo),
          "RetTimeout of entry %u after %u cycles without reset", idx, (unsigned)(dut_cycle(d) - e->born));
    e->dead = true;
    e->marked = false;
    e->ends = 0;  // its quarantine ends anew
    r->want_err = 16;
    r->ev_tmo = true;
    r->sid = e->key >> 10;
  } else {
    CHECK(t, e->closing, "RetTimeout flag=1 of a log that is not closing");
  }
  return true;
}

static unsigned verdict(const tlp *p, const entry *e) {
  unsigned status = p->hdr[2] >> 13 & 7, count = p->hdr[2] & 4095 ? p->hdr[2] & 4095 : 4096, want;
  if (p->bad)
    want = 3;
  else if (!e || e->flush)
    want = 2;
  else if (status)
    want = 4;
  else if (p->dw == 0 || count != e->rem || p->dw > (e->pos + e->rem + 3) / 4)
    want = 3;
  else if ((p->hdr[1] ^ (e->start + e->bytes - e->rem)) & 127)
    want = 3, wrong_low++;
  else
    want = count <= 4 * p->dw - e->pos ? 1 : 0;
  if (e && (e->dead || e->kill) && want <= 4 && want != 2 && want != 3) want = want == 0 ? 5 : 6;
  return want;
}

static bool completion_told(tb *t, unsigned code, unsigned idx, told *r) {
  if (host_in == host_out) {
    CHECK(t, false, "RetCpl without completion");
    return false;
  }
  tlp *p = &host[host_out++ % RING];
  int i = find(p->key);
  unsigned want, want_idx = 255;
  bool poison = p->err || (p->hdr[3] >> 14 & 1);
  if (code != 0 && code != 1 && code != 4) dropped += p->beats;
  entry *e = i < 0 ? NULL : &tab[i];
  r->sid = p->hdr[1] >> 16;
  want = verdict(p, e);
  if (!p->bad && want != 2) want_idx = (unsigned)i;
  CHECK_EQ(t, code, want, "RetCpl code, key %x", p->key);
  CHECK_EQ(t, idx, want_idx, "RetCpl idx, key %x", p->key);
  if (want == 2 || want == 3) {
    r->want_err = want == 2 ? 14 : 15;
    r->ev_bad = true;
  } else if (e) {
    r->log = e->log;
    if (want >= 5) {
      r->want_err = 14;
      r->ev_bad = r->ev_late = true;
      late++;
    } else {
      fwd_after[fwd_in % RING] = dropped, dropped = 0;
      fwd_port[fwd_in % RING] = e->port;
      fwd[fwd_in++ % RING] = *p;
    }
    if (e->logged && want <= 1 && !poison) push_chunk((unsigned)i, p, want == 1);
    if (e->logged && (want != 0 || poison)) {
      r->abort = want >= 4 || poison;
      if (r->abort || e->dw) push_close((unsigned)i, r->abort);
      e->logged = false;
    }
    if (want && want != 5) {
      e->live = e->dead = false;
      e->marked = false;
    } else {
      e->rem -= 4 * p->dw - e->pos;
      e->pos = 0;
      e->dw += p->dw;
    }
  }
  return true;
}

static void check_retire(tb *t, dut *d, uint64_t tmo) {
  uint32_t ret[RET_O_WORDS], err[ERR_O_WORDS];
  dut_get_ret_o(d, ret);
  dut_get_err_o(d, err);
  unsigned kind = (unsigned)bits_get(ret, 153, 4), code = (unsigned)bits_get(ret, 148, 4),
           idx = (unsigned)bits_get(ret, 128, 8);
  told all = {0}, *r = &all;
  CHECK_EQ(t, bits_get(ret, 0, 64) | bits_get(ret, 64, 64) | bits_get(ret, 136, 12), 0, "unused fields of the record");
  if (kind != 7) CHECK_EQ(t, kind, 6, "kind of record");
  if (kind == 7 ? !timeout_told(t, d, tmo, code, idx, bits_get(ret, 152, 1), r) : !completion_told(t, code, idx, r))
    return;
  CHECK_EQ(t, dut_get_err_valid_o(d), r->want_err != 0, "err_valid_o at code %u", code);
  if (r->want_err) {
    CHECK_EQ(t, bits_get(err, 90, 5), r->want_err, "error code");
    CHECK_EQ(t, bits_get(err, 74, 16), r->sid, "error sid");
    CHECK_EQ(t, bits_get(err, 0, 64) | bits_get(err, 64, 10), 0, "error address and IUID");
  }
  CHECK_EQ(t, dut_get_abort_valid_o(d), r->abort, "abort_valid_o");
  if (r->abort) CHECK_EQ(t, dut_get_abort_log_o(d), r->log, "abort_log_o");
  CHECK_EQ(t, dut_get_ev_bad_o(d), r->ev_bad, "ev_bad_o");
  CHECK_EQ(t, dut_get_ev_timeout_o(d), r->ev_tmo, "ev_timeout_o");
  CHECK_EQ(t, dut_get_ev_late_o(d), r->ev_late, "ev_late_o");
  CHECK_EQ(t, dut_get_ev_over_o(d), r->ev_over, "ev_over_o");
}

static void check_fwd(tb *t, dut *d, bool ready) {
  if (!dut_get_fwd_valid_o(d)) return;
  if (fwd_in == fwd_out) {
    CHECK(t, false, "fwd_valid_o without forwarded completion");
    return;
  }
  uint32_t b[FWD_BEAT_O_WORDS];
  const tlp *p = &fwd[fwd_out % RING];
  dut_get_fwd_beat_o(d, b);
  CHECK_EQ(t, dut_get_fwd_port_o(d), fwd_port[fwd_out % RING], "fwd_port_o");
  CHECK_EQ(t, bits_get(b, AT_SOP, 1), fwd_beat == 0, "sop");
  CHECK_EQ(t, bits_get(b, AT_EOP, 1), fwd_beat + 1 == p->beats, "eop");
  CHECK_EQ(t, bits_get(b, AT_ERR, 1), p->err, "err");
  CHECK_EQ(t, bits_get(b, AT_SEQ, 8), p->seq, "seq");
  uint32_t hdr[4];
  for (unsigned i = 0; i < 4; i++) hdr[i] = (uint32_t)bits_get(b, AT_HDR + 32 * i, 32);
  CHECK_MEM(t, hdr, p->hdr, sizeof hdr, "forwarded header");
  unsigned here = p->dw - fwd_beat * BEAT_DW < BEAT_DW ? p->dw - fwd_beat * BEAT_DW : BEAT_DW;
  if (p->dw == 0) here = 0;
  CHECK_EQ(t, bits_get(b, AT_STRB, BEAT_DW), (1ull << here) - 1, "strb");
  if (here) CHECK_MEM(t, b, &p->data[fwd_beat * BEAT_DW], 4 * here, "forwarded data, beat %u", fwd_beat);
  if (ready && ++fwd_beat == p->beats) {
    fwd_beat = 0;
    fwd_out++;
  }
}

static void check_log(tb *t, dut *d, bool cmd_ready, bool data_ready) {
  if (dut_get_gl_valid_o(d)) {
    if (cmd_in == cmd_out) {
      CHECK(t, false, "gl_valid_o without command");
    } else {
      cmd *c = &log_cmd[cmd_out % (4 * RING)];
      uint32_t w[GL_CMD_O_WORDS];
      dut_get_gl_cmd_o(d, w);
      bool close = bits_get(c->words, 269, 1);
      CHECK_EQ(t, bits_get(w, 269, 1), close, "close");
      CHECK_EQ(t, bits_get(w, 211, 58), bits_get(c->words, 211, 58), "address and id of a log command, close %u",
               close);
      if (!bits_get(c->words, 200, 11)) bits_set(w, 192, 8, 0);  // masks: of data only
      CHECK_EQ(t, bits_get(w, 190, 21), bits_get(c->words, 190, 21), "size and masks of a log command, close %u",
               close);
      if (close) CHECK(t, words_eq(w, c->words, GL_CMD_O_W), "close command of entry %u", c->idx);
      if (cmd_ready) {
        tab[c->idx].work--;
        cmd_out++;
      }
    }
  }
  if (dut_get_gd_valid_o(d)) {
    CHECK(t, gd_out != gd_in, "gd_valid_o without data");
    uint32_t w[GD_DATA_O_WORDS];
    dut_get_gd_data_o(d, w);
    for (unsigned k = 0; k < BEAT_DW; k++) {
      uint32_t want = gd[(gd_out + k) % GD_SIZE];
      if (want != 0x5a5a5a5a) CHECK_EQ(t, w[k], want, "log data, DW %u of the beat", k);
    }
    if (data_ready) gd_out += BEAT_DW;
  }
}

// The bench: what is on its way in, and below what this cycle does.
typedef struct {
  tb *t;
  dut *d;
  tlp now;
  uint32_t beat[HOST_CPL_BEAT_I_WORDS];
  unsigned look;                                // on look_key_i in the last cycle with look_i
  bool have, sent_err, vf, want_alloc, looked;  // looked: a key has been looked up since reset
  unsigned at, in, rd[3], allocs, run, codes[8], closes, resets, starved, mute, undecided;
  uint64_t tmo, old_tmo, last_move, longest;
  uint32_t log_close;
  entry e;
  int whose, ff;
  uint32_t resets_now;
  unsigned qf;
  bool snap, flush_free, valid, ready[3], take;
} reads;

// At the end of each period nothing new comes, and then all logs close: each read that still has its log open loses it,
// though nothing moves any more.
enum { PERIOD = 4000, SETTLE = 400, CLOSE = 100 + 12 * ENTRIES };

static unsigned left_of_period(const reads *b) { return PERIOD - (unsigned)(dut_cycle(b->d) % PERIOD); }

static bool at_rest(const reads *b) { return left_of_period(b) <= SETTLE + CLOSE; }

static void all_closed(const reads *b) {
  if (left_of_period(b) != 1) return;
  for (unsigned i = 0; i < ENTRIES; i++)
    CHECK(b->t, !tab[i].live || tab[i].flush || !tab[i].logged, "entry %u keeps its log open, at rest", i);
}

static void rates(reads *b) {
  if (b->run-- == 0) {
    b->run = 200;
    if (rnd_chance(b->t, 30)) new_keys(b->t);
    b->in = rnd_chance(b->t, 60) ? 100 : 20;
    b->allocs = rnd_chance(b->t, 50) ? 100 : rnd_chance(b->t, 50) ? 30 : 5;
    for (unsigned i = 0; i < 3; i++) b->rd[i] = rnd_chance(b->t, 70) ? 100 : rnd_chance(b->t, 80) ? 25 : 1;
  }
  if (at_rest(b)) {
    b->in = b->allocs = 0;
    for (unsigned i = 0; i < 3; i++) b->rd[i] = 100;
    b->run = left_of_period(b) - 1;
  }
  if (dut_cycle(b->d) % PERIOD == 0) {  // a request of before the change may still be on its way
    b->old_tmo = b->tmo;
    b->tmo = rnd_chance(b->t, 30) ? 0 : rnd_chance(b->t, 20) ? LONGEST : 100 + rnd_below(b->t, 400);
  }
}

// The key that was looked up in the last cycle, if it is not live. It is offered until taken, which is not before its
// quarantine is over.
static void offer_alloc(reads *b) {
  b->whose = find(b->look);
  if (!b->want_alloc && b->looked && rnd_chance(b->t, b->allocs))
    b->want_alloc = (b->whose < 0 || tab[b->whose].dead) && new_read(b->t, &b->e, b->look);
  waits += b->want_alloc && b->whose >= 0;
  if (b->want_alloc && (b->log_close >> b->e.log & 1)) b->e.logged = b->e.log0 = false, bits_set(b->e.words, 248, 1, 0);
  dut_set_alloc_may_i(b->d, b->want_alloc || rnd_chance(b->t, 50));
  dut_set_alloc_i(b->d, b->e.words);
  dut_eval(b->d);
  dut_set_alloc_valid_i(b->d, b->want_alloc && dut_get_alloc_ready_o(b->d));
}

static void endings(reads *b) {
  b->resets_now = rnd_below(b->t, 300) == 0 ? (uint32_t)rnd_bits(b->t, P_NumPorts) : 0;
  dut_set_dev_reset_i(b->d, b->resets_now);
  // One requester's reads end: those that were there, and of the later ones who is met before the pass is over.
  if (!fn && rnd_below(b->t, 1000) == 0) {
    fn = true;
    fn_rid = rids[rnd_below(b->t, 3)];
    for (unsigned i = 0; i < ENTRIES; i++)
      tab[i].must = tab[i].live && !tab[i].dead && !tab[i].flush && tab[i].key >> 10 == fn_rid;
  } else if (fn && passed && rnd_chance(b->t, 30)) {
    fn = passed = false;
  }
  dut_set_fn_i(b->d, fn);
  dut_set_fn_rid_i(b->d, fn_rid);
  if (rnd_below(b->t, 100) == 0)  // the log of a read, or any
    b->log_close = rnd_chance(b->t, 50) ? 0
                                        : 1u << (rnd_chance(b->t, 50) ? tab[rnd_below(b->t, ENTRIES)].log
                                                                      : (unsigned)rnd_below(b->t, 32));
  if (at_rest(b)) b->log_close = left_of_period(b) > CLOSE ? 0 : ~0u;
  dut_set_log_close_i(b->d, b->log_close);
  dut_set_tmo_i(b->d, b->tmo);
  b->snap = rnd_below(b->t, 100) == 0;
  dut_set_snap_i(b->d, b->snap);
  b->ff = (int)rnd_below(b->t, ENTRIES);
  b->flush_free = tab[b->ff].live && tab[b->ff].flush && rnd_chance(b->t, 30);
  dut_set_flush_free_valid_i(b->d, b->flush_free);
  dut_set_flush_free_idx_i(b->d, (unsigned)b->ff);
  b->qf = (unsigned)rnd_below(b->t, ENTRIES);
  dut_set_qf_idx_i(b->d, b->qf);
}

static void make_beat(reads *b) {
  memset(b->beat, 0, sizeof b->beat);
  for (unsigned i = 0; i < BEAT_DW; i++)
    b->beat[i] = b->at * BEAT_DW + i < b->now.dw ? b->now.data[b->at * BEAT_DW + i] : (uint32_t)rnd(b->t);
  for (unsigned i = 0; i < 4; i++)
    bits_set(b->beat, AT_HDR + 32 * i, 32, b->at == 0 ? b->now.hdr[i] : (uint32_t)rnd(b->t));
  unsigned here = b->now.dw - b->at * BEAT_DW < BEAT_DW ? b->now.dw - b->at * BEAT_DW : BEAT_DW;
  uint64_t strb = b->now.dw ? (1ull << here) - 1 : 0;
  if (b->vf && b->at + 1 == b->now.beats) {
    strb ^= 1;
    b->now.bad = true;
  }
  bits_set(b->beat, AT_STRB, BEAT_DW, strb);
  bits_set(b->beat, AT_SEQ, 8, b->at == 0 ? b->now.seq : rnd_bits(b->t, 8));
  bool err = rnd_below(b->t, 100) == 0;
  if (err) b->sent_err = true;
  bits_set(b->beat, AT_ERR, 1, err);
  bits_set(b->beat, AT_SOP, 1, b->at == 0);
  bits_set(b->beat, AT_EOP, 1, b->at + 1 == b->now.beats);
}

static void completion(reads *b) {
  if (!b->have && host_in - host_out < RING / 2 && rnd_chance(b->t, b->in)) {
    new_cpl(b->t, &b->now);
    b->have = true;
    b->at = 0;
    b->sent_err = false;
    b->vf = rnd_chance(b->t, 2);
  }
  b->valid = b->have && (dut_get_host_cpl_valid_i(b->d) || rnd_chance(b->t, b->in));
  if (b->valid && !dut_get_host_cpl_valid_i(b->d)) make_beat(b);
  dut_set_host_cpl_valid_i(b->d, b->valid);
  dut_set_host_cpl_beat_i(b->d, b->beat);
}

// What does not depend on this cycle's records.
static void look_and_snap(reads *b) {
  CHECK_EQ(b->t, dut_get_look_live_o(b->d), b->whose >= 0 && !tab[b->whose].dead, "look_live_o of %x", b->look);
  if (tab[b->qf].live)
    CHECK_EQ(b->t, dut_get_qf_o(b->d), (uint64_t)tab[b->qf].key << 2 | tab[b->qf].port, "qf_o of entry %u", b->qf);
  bool marked = false;
  for (unsigned i = 0; i < ENTRIES; i++) marked = marked || tab[i].marked;
  CHECK_EQ(b->t, dut_get_drained_o(b->d), !marked, "drained_o");
  if (b->snap)
    for (unsigned i = 0; i < ENTRIES; i++) tab[i].marked = tab[i].live && !tab[i].dead && !tab[i].flush;
  for (unsigned i = 0; i < ENTRIES; i++)
    if (tab[i].live && (b->resets_now >> tab[i].port & 1)) tab[i].kill = true;
  for (unsigned i = 0; i < ENTRIES; i++) tab[i].closing = b->log_close >> tab[i].log & 1 || tab[i].closing;
}

// A port that has not its share in use gets an entry, soon: strays hold allocations for some cycles. While log commands
// wait, so may the end of an entry that they are not of.
static void shares(reads *b) {
  unsigned has = 0;
  for (unsigned i = 0; i < ENTRIES; i++) has += (tab[i].live || tab[i].work) && tab[i].port == b->e.port;
  b->starved = b->want_alloc && b->whose < 0 && has < share && cmd_in == cmd_out && !dut_get_alloc_ready_o(b->d)
                   ? b->starved + 1
                   : 0;
  CHECK(b->t, b->starved < 10, "port %u has %u entries in use, and gets none for %u cycles", b->e.port, has,
        b->starved);
}

static void allocated(reads *b) {
  bool taken_alloc = b->want_alloc && dut_get_alloc_ready_o(b->d);
  if (taken_alloc) {
    unsigned i = (unsigned)dut_get_alloc_idx_o(b->d);
    CHECK(b->t, i < ENTRIES && !tab[i % ENTRIES].live && tab[i % ENTRIES].work == 0, "entry %u given out while in use",
          i);
    CHECK(b->t, i >= share * P_NumPorts || i / (share ? share : 1) == b->e.port,
          "entry %u of another port given to port %u", i, b->e.port);
    CHECK(b->t, find(b->e.key) < 0, "key %x is given out in quarantine", b->e.key);
    b->e.live = true;
    b->e.born = dut_cycle(b->d);
    tab[i % ENTRIES] = b->e;
    b->want_alloc = false;
  }
  passed = dut_get_fn_pass_o(b->d);
  CHECK(b->t, !passed || fn, "fn_pass_o");
  for (unsigned i = 0; i < ENTRIES && passed; i++)
    CHECK(b->t, !tab[i].live || !tab[i].must || tab[i].dead, "entry %u is not ended after the pass", i);
  passes += passed;
}

static void recorded(reads *b) {
  if (dut_get_ret_valid_o(b->d)) {
    uint32_t ret[RET_O_WORDS];
    dut_get_ret_o(b->d, ret);
    if (bits_get(ret, 153, 4) == 6)
      b->codes[bits_get(ret, 148, 3)]++;
    else if (bits_get(ret, 152, 1))
      b->closes++;
    else if (!bits_get(ret, 148, 4))
      b->resets++;
    check_retire(
        b->t, b->d,
        dut_cycle(b->d) % PERIOD < 500 && b->old_tmo && (!b->tmo || b->old_tmo < b->tmo) ? b->old_tmo : b->tmo);
  } else {
    CHECK(b->t,
          !dut_get_err_valid_o(b->d) && !dut_get_abort_valid_o(b->d) && !dut_get_ev_bad_o(b->d) &&
              !dut_get_ev_timeout_o(b->d),
          "events without a record");
  }
  if (b->flush_free) {
    tab[b->ff].live = false;
    tab[b->ff].to_send = 0;
  }
}

// Nothing that was decided is under way.
static bool alone(void) { return fwd_in == fwd_out && cmd_in == cmd_out && !dropped; }

// P4 of aa_cpl: what is forwarded leaves a beat a cycle while all that it goes to is ready, but for beats that are
// dropped before it; and a completion is decided soon if none is before it.
static void prompt(reads *b) {
  bool ready = b->rd[0] == 100 && b->rd[1] == 100 && b->rd[2] == 100;
  b->mute = ready && fwd_in != fwd_out && !dut_get_fwd_valid_o(b->d) ? b->mute + 1 : 0;
  CHECK(b->t, b->mute <= 1 + (fwd_beat ? 0 : fwd_after[fwd_out % RING]), "nothing is forwarded for %u cycles", b->mute);
  b->undecided = alone() && host_in != host_out && !dut_get_ret_valid_o(b->d) ? b->undecided + 1 : 0;
  CHECK(b->t, b->undecided <= 12, "a completion is not decided for %u cycles", b->undecided);
}

// Whatever is reset, or waits for too long, ends, whatever else is under way. An age is one of P_TmoW + 2 bits: what
// got old while there was no time-out may look young when there is one again.
static void due_ends(reads *b) {
  for (unsigned i = 0; i < ENTRIES; i++) {
    entry *x = &tab[i];
    uint64_t age = (dut_cycle(b->d) - x->born) & ((1ull << (P_TmoW + 2)) - 1);
    bool due = x->live && !x->flush && ((x->kill && !x->dead) || (b->tmo && age > (x->dead ? 2 : 1) * b->tmo));
    if (!due || !x->ends) x->ends = due ? dut_cycle(b->d) : 0, x->idle = 0;
    x->idle += due && alone();
    CHECK(b->t, x->idle <= 16 + 12 * ENTRIES, "entry %u was to end for %u cycles, and nothing is in its way", i,
          x->idle);
    if (!due) continue;
    uint64_t waits = dut_cycle(b->d) - x->ends;
    if (waits > b->longest) b->longest = waits;
    CHECK(b->t, waits < TO_END, "entry %u was to end %u cycles ago: %s", i, (unsigned)waits,
          x->dead   ? "quarantine"
          : x->kill ? "reset"
                    : "time-out");
  }
}

// The next cycle's key: what waits, what has just been allocated or freed, that of a completion on its way, or any. If
// it stays, it may be looked up anew, or kept while another one is shown.
static void next_key(reads *b) {
  bool stay = b->want_alloc || rnd_chance(b->t, 15), keep = stay && rnd_chance(b->t, 70);
  if (b->want_alloc)
    b->look = b->e.key;
  else if (!stay)
    b->look = host_in != host_out && rnd_chance(b->t, 30) ? host[host_out % RING].key : some_key(b->t);
  keep = keep && b->looked;
  b->looked = true;
  dut_set_look_i(b->d, !keep);
  dut_set_look_key_i(b->d, keep ? some_key(b->t) : b->look);
}

static void totals(reads *b) {
  printf("  RetCpl 0 %u, 1 %u, 2 %u, 3 %u, 4 %u; RetTimeout %u, the last %u cycles late; log closings %u\n",
         b->codes[0], b->codes[1], b->codes[2], b->codes[3], b->codes[4], b->resets, (unsigned)b->longest, b->closes);
  for (unsigned i = 0; i < 5; i++)
    CHECK(b->t, b->codes[i] > tb_least(b->t, 20), "code %u was seen %u times", i, b->codes[i]);
  printf("  late completions %u, quarantines over %u, waits for a tag %u\n", late, overs, waits);
  CHECK(b->t, passes > tb_least(b->t, 5), "no requester was ended");
  CHECK(b->t, late > tb_least(b->t, 20) && overs > tb_least(b->t, 5) && waits > tb_least(b->t, 20),
        "quarantines were seen");
  CHECK(b->t, b->resets > tb_least(b->t, 5) && (!P_Logs || b->closes > 0), "time-outs and closings were seen");
  CHECK(b->t, wrong_low > tb_least(b->t, 5), "%u completions with a wrong LowerAddress", wrong_low);
}

static bool reads_cycle(reads *b) {
  rates(b);
  offer_alloc(b);
  endings(b);
  completion(b);
  for (unsigned i = 0; i < 3; i++) b->ready[i] = rnd_chance(b->t, b->rd[i]);
  dut_set_fwd_ready_i(b->d, b->ready[0]);
  dut_set_gl_ready_i(b->d, b->ready[1]);
  dut_set_gd_ready_i(b->d, b->ready[2]);
  dut_eval(b->d);
  look_and_snap(b);
  shares(b);
  // Decision first, then completion or time-out
  allocated(b);
  b->take = b->valid && dut_get_host_cpl_ready_o(b->d);
  recorded(b);
  due_ends(b);
  all_closed(b);
  prompt(b);
  check_fwd(b->t, b->d, b->ready[0]);
  check_log(b->t, b->d, b->ready[1], b->ready[2]);
  if (b->take || dut_get_ret_valid_o(b->d) || !b->have) b->last_move = dut_cycle(b->d);
  CHECK(b->t, dut_cycle(b->d) - b->last_move < 3000, "nothing moves");
  if (dut_cycle(b->d) - b->last_move >= 3000) return false;
  next_key(b);
  dut_tick(b->d);
  if (b->want_alloc && find(b->e.key) >= 0 && !tab[find(b->e.key)].dead) b->want_alloc = false;
  if (b->take) {
    dut_set_host_cpl_valid_i(b->d, 0);
    if (++b->at == b->now.beats) {
      b->now.err = b->sent_err;
      host[host_in++ % RING] = b->now;
      b->have = false;
    }
  }
  return true;
}

// All that was under way is forgotten.
static void reads_reset(reads *b) {
  dut_set_host_cpl_valid_i(b->d, 0);
  dut_set_alloc_valid_i(b->d, 0);
  dut_set_flush_free_valid_i(b->d, 0);
  dut_set_fn_i(b->d, 0);
  dut_reset(b->d, 1);
  memset(tab, 0, sizeof tab);
  dropped = 0;
  host_in = host_out = fwd_in = fwd_out = fwd_beat = cmd_in = cmd_out = 0;
  gd_in = gd_out = 0;
  fn = passed = b->have = b->want_alloc = b->looked = false;
  b->starved = b->mute = b->undecided = 0;
  b->last_move = dut_cycle(b->d);
}

static int reads_test(int argc, char **argv, const char *block) {
  static reads all;
  reads *b = &all;
  tb t;
  tb_init(&t, argc, argv, block, 150000);
  gd = calloc(GD_SIZE, sizeof *gd);
  *b = (reads){.t = &t, .d = dut_begin(&t), .in = 100, .rd = {100, 100, 100}, .allocs = 50};
  new_keys(&t);
  b->look = some_key(&t);
  dut_set_look_i(b->d, 1);
  dut_set_look_key_i(b->d, b->look);
  dut_reset(b->d, 2);
  while (dut_cycle(b->d) < t.cycles && reads_cycle(b))
    if (rnd_below(&t, 8000) == 0) reads_reset(b);
  totals(b);
  dut_free(b->d);
  tb_unwatch(&t);
  free(gd);
  return tb_end(&t);
}

#endif
