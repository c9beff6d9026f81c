// SPDX-License-Identifier: Apache-2.0
// The test of aa_tag_buf and aa_cpl together (aa_reads): reads are allocated and completed in legal and hostile ways,
// over
// few keys, so that strays, reused tags, time-outs, resets and log closings meet; every record, forwarded beat, log
// command and log datum is compared with a reference that takes the records one at a time, in their order.
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
#define TO_END \
  (1000 + 32 * ENTRIES)  // cycles in which what is reset or too late ends, whatever the logs and devices do

// Entries that are each port's own.
static const unsigned share = P_NumPorts == 1 ? 0 : ENTRIES < 2 * P_NumPorts ? 1 : ENTRIES / (2 * P_NumPorts);

typedef struct entry {
  bool live, dead, must, flush, logged, log0, kill, closing, marked;
  unsigned key, port, rem, pos, dw, log, bytes, start;
  unsigned to_send;     // the generator's view of rem
  unsigned work;        // log commands that have not left
  uint64_t born, ends;  // ends: since when it has been reset or too late
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

static unsigned some_key(tb *t) {
  unsigned rid = 0x100 + (unsigned)rnd_below(t, 2), tag = (unsigned)rnd_below(t, ENTRIES < 6 ? 3 : ENTRIES);
  return rid << 10 | tag | (rnd_chance(t, 5) ? 0x100u : 0) | (rnd_chance(t, 3) ? 0x200u : 0);
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
              (len & 1023) | (uint32_t)rnd_bits(t, 3) << 20;
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

static void check_retire(tb *t, dut *d, uint64_t tmo) {
  uint32_t ret[RET_O_WORDS], err[ERR_O_WORDS];
  dut_get_ret_o(d, ret);
  dut_get_err_o(d, err);
  unsigned kind = (unsigned)bits_get(ret, 153, 4), code = (unsigned)bits_get(ret, 148, 4),
           idx = (unsigned)bits_get(ret, 128, 8);
  bool flag = bits_get(ret, 152, 1), abort = false, ev_bad = false, ev_tmo = false, ev_late = false, ev_over = false;
  unsigned log = 0, want_err = 0, sid = 0;
  CHECK_EQ(t, bits_get(ret, 0, 64) | bits_get(ret, 64, 64) | bits_get(ret, 136, 12), 0, "unused fields of the record");
  if (kind == 7) {
    if (idx >= ENTRIES) {
      CHECK(t, false, "RetTimeout of entry %u", idx);
      return;
    }
    entry *e = &tab[idx];
    CHECK(t, e->live && !e->flush, "RetTimeout of entry %u, which is %s", idx, e->live ? "a flush" : "free");
    log = e->log;
    CHECK_EQ(t, e->dead, code == 1 && !flag, "RetTimeout code %u flag %u of an entry that is dead", code, flag);
    if (e->logged) {
      abort = true;
      e->logged = false;
      push_close(idx, true);
    } else {
      CHECK(t, !flag, "RetTimeout flag=1 of an entry without open log");
    }
    if (code == 1) {
      CHECK(t, tmo && dut_cycle(d) - e->born >= 2 * tmo, "quarantine of entry %u over after %u cycles", idx,
            (unsigned)(dut_cycle(d) - e->born));
      e->live = e->dead = false;
      ev_over = true;
      overs++;
    } else if (!flag) {
      CHECK_EQ(t, code, 0, "code");
      CHECK(t, e->kill || (fn && !passed && e->key >> 10 == fn_rid) || (tmo && dut_cycle(d) - e->born >= tmo),
            "RetTimeout of entry %u after %u cycles without reset", idx, (unsigned)(dut_cycle(d) - e->born));
      e->dead = true;
      e->marked = false;
      want_err = 16;
      ev_tmo = true;
      sid = e->key >> 10;
    } else {
      CHECK(t, e->closing, "RetTimeout flag=1 of a log that is not closing");
    }
  } else {
    CHECK_EQ(t, kind, 6, "kind of record");
    if (host_in == host_out) {
      CHECK(t, false, "RetCpl without completion");
      return;
    }
    tlp *p = &host[host_out++ % RING];
    int i = find(p->key);
    unsigned status = p->hdr[2] >> 13 & 7, count = p->hdr[2] & 4095 ? p->hdr[2] & 4095 : 4096, want, want_idx = 255;
    bool poison = p->err || (p->hdr[3] >> 14 & 1);
    entry *e = i < 0 ? NULL : &tab[i];
    sid = p->hdr[1] >> 16;
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
    if (!p->bad && want != 2) want_idx = (unsigned)i;
    CHECK_EQ(t, code, want, "RetCpl code, key %x", p->key);
    CHECK_EQ(t, idx, want_idx, "RetCpl idx, key %x", p->key);
    if (want == 2 || want == 3) {
      want_err = want == 2 ? 14 : 15;
      ev_bad = true;
    } else if (e) {
      log = e->log;
      if (want >= 5) {
        want_err = 14;
        ev_bad = ev_late = true;
        late++;
      } else {
        fwd_port[fwd_in % RING] = e->port;
        fwd[fwd_in++ % RING] = *p;
      }
      if (e->logged && want <= 1 && !poison) push_chunk((unsigned)i, p, want == 1);
      if (e->logged && (want != 0 || poison)) {
        abort = want >= 4 || poison;
        if (abort || e->dw) push_close((unsigned)i, abort);
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
  }
  CHECK_EQ(t, dut_get_err_valid_o(d), want_err != 0, "err_valid_o at code %u", code);
  if (want_err) {
    CHECK_EQ(t, bits_get(err, 90, 5), want_err, "error code");
    CHECK_EQ(t, bits_get(err, 74, 16), sid, "error sid");
    CHECK_EQ(t, bits_get(err, 0, 64) | bits_get(err, 64, 10), 0, "error address and IUID");
  }
  CHECK_EQ(t, dut_get_abort_valid_o(d), abort, "abort_valid_o");
  if (abort) CHECK_EQ(t, dut_get_abort_log_o(d), log, "abort_log_o");
  CHECK_EQ(t, dut_get_ev_bad_o(d), ev_bad, "ev_bad_o");
  CHECK_EQ(t, dut_get_ev_timeout_o(d), ev_tmo, "ev_timeout_o");
  CHECK_EQ(t, dut_get_ev_late_o(d), ev_late, "ev_late_o");
  CHECK_EQ(t, dut_get_ev_over_o(d), ev_over, "ev_over_o");
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

static int reads_test(int argc, char **argv, const char *block) {
  static tlp now;
  static uint32_t beat[HOST_CPL_BEAT_I_WORDS];
  tb t;
  tb_init(&t, argc, argv, block, 100000);
  gd = calloc(GD_SIZE, sizeof *gd);
  dut *d = dut_begin(&t);
  unsigned look = some_key(&t);  // on look_key_i in the last cycle with look_i
  dut_set_look_i(d, 1);
  dut_set_look_key_i(d, look);
  dut_reset(d, 2);
  bool have = false, sent_err = false, vf = false;
  unsigned at = 0, in = 100, rd[3] = {100, 100, 100}, allocs = 50, run = 0, codes[8] = {0}, closes = 0, resets = 0,
           starved = 0;
  uint64_t tmo = 0, old_tmo = 0, last_move = 0, longest = 0;
  uint32_t log_close = 0;
  entry e;
  bool want_alloc = false;
  while (dut_cycle(d) < t.cycles) {
    if (run-- == 0) {
      run = 200;
      in = rnd_chance(&t, 60) ? 100 : 20;
      allocs = rnd_chance(&t, 50) ? 100 : rnd_chance(&t, 50) ? 30 : 5;
      for (unsigned i = 0; i < 3; i++) rd[i] = rnd_chance(&t, 70) ? 100 : 25;
    }
    if (dut_cycle(d) % 4000 == 0) {  // a request of before the change may still be on its way
      old_tmo = tmo;
      tmo = rnd_chance(&t, 30) ? 0 : 100 + rnd_below(&t, 400);
    }
    // Allocation: the key that was looked up in the last cycle, if it is not live. It is offered until taken, which is not
    // before its quarantine is over.
    int whose = find(look);
    if (!want_alloc && rnd_chance(&t, allocs)) want_alloc = (whose < 0 || tab[whose].dead) && new_read(&t, &e, look);
    waits += want_alloc && whose >= 0;
    if (want_alloc && (log_close >> e.log & 1)) e.logged = e.log0 = false, bits_set(e.words, 248, 1, 0);
    dut_set_alloc_may_i(d, want_alloc || rnd_chance(&t, 50));
    dut_set_alloc_i(d, e.words);
    dut_eval(d);
    dut_set_alloc_valid_i(d, want_alloc && dut_get_alloc_ready_o(d));
    uint32_t resets_now = rnd_below(&t, 300) == 0 ? (uint32_t)rnd_bits(&t, P_NumPorts) : 0;
    dut_set_dev_reset_i(d, resets_now);
    // One requester's reads end: those that were there, and of the later ones who is met before the pass is over.
    if (!fn && rnd_below(&t, 1000) == 0) {
      fn = true;
      fn_rid = 0x100 + (unsigned)rnd_below(&t, 3);
      for (unsigned i = 0; i < ENTRIES; i++)
        tab[i].must = tab[i].live && !tab[i].dead && !tab[i].flush && tab[i].key >> 10 == fn_rid;
    } else if (fn && passed && rnd_chance(&t, 30)) {
      fn = passed = false;
    }
    dut_set_fn_i(d, fn);
    dut_set_fn_rid_i(d, fn_rid);
    if (rnd_below(&t, 100) == 0) log_close = rnd_chance(&t, 50) ? 0 : 1u << rnd_below(&t, 32);
    dut_set_log_close_i(d, log_close);
    dut_set_tmo_i(d, tmo);
    bool snap = rnd_below(&t, 100) == 0;
    dut_set_snap_i(d, snap);
    int ff = (int)rnd_below(&t, ENTRIES);
    bool flush_free = tab[ff].live && tab[ff].flush && rnd_chance(&t, 30);
    dut_set_flush_free_valid_i(d, flush_free);
    dut_set_flush_free_idx_i(d, (unsigned)ff);
    unsigned qf = (unsigned)rnd_below(&t, ENTRIES);
    dut_set_qf_idx_i(d, qf);

    if (!have && host_in - host_out < RING / 2 && rnd_chance(&t, in)) {
      new_cpl(&t, &now);
      have = true;
      at = 0;
      sent_err = false;
      vf = rnd_chance(&t, 2);
    }
    bool valid = have && (dut_get_host_cpl_valid_i(d) || rnd_chance(&t, in)), err = false;
    if (valid && !dut_get_host_cpl_valid_i(d)) {
      memset(beat, 0, sizeof beat);
      for (unsigned i = 0; i < BEAT_DW; i++)
        beat[i] = at * BEAT_DW + i < now.dw ? now.data[at * BEAT_DW + i] : (uint32_t)rnd(&t);
      for (unsigned i = 0; i < 4; i++) bits_set(beat, AT_HDR + 32 * i, 32, at == 0 ? now.hdr[i] : (uint32_t)rnd(&t));
      unsigned here = now.dw - at * BEAT_DW < BEAT_DW ? now.dw - at * BEAT_DW : BEAT_DW;
      uint64_t strb = now.dw ? (1ull << here) - 1 : 0;
      if (vf && at + 1 == now.beats) {
        strb ^= 1;
        now.bad = true;
      }
      bits_set(beat, AT_STRB, BEAT_DW, strb);
      bits_set(beat, AT_SEQ, 8, at == 0 ? now.seq : rnd_bits(&t, 8));
      err = rnd_below(&t, 100) == 0;
      if (err) sent_err = true;
      bits_set(beat, AT_ERR, 1, err);
      bits_set(beat, AT_SOP, 1, at == 0);
      bits_set(beat, AT_EOP, 1, at + 1 == now.beats);
    }
    dut_set_host_cpl_valid_i(d, valid);
    dut_set_host_cpl_beat_i(d, beat);
    bool ready[3];
    for (unsigned i = 0; i < 3; i++) ready[i] = rnd_chance(&t, rd[i]);
    dut_set_fwd_ready_i(d, ready[0]);
    dut_set_gl_ready_i(d, ready[1]);
    dut_set_gd_ready_i(d, ready[2]);
    dut_eval(d);

    // What does not depend on this cycle's records
    CHECK_EQ(&t, dut_get_look_live_o(d), whose >= 0 && !tab[whose].dead, "look_live_o of %x", look);
    if (tab[qf].live) CHECK_EQ(&t, dut_get_qf_o(d), (uint64_t)tab[qf].key << 2 | tab[qf].port, "qf_o of entry %u", qf);
    bool marked = false;
    for (unsigned i = 0; i < ENTRIES; i++) marked = marked || tab[i].marked;
    CHECK_EQ(&t, dut_get_drained_o(d), !marked, "drained_o");
    if (snap)
      for (unsigned i = 0; i < ENTRIES; i++) tab[i].marked = tab[i].live && !tab[i].dead && !tab[i].flush;
    for (unsigned i = 0; i < ENTRIES; i++)
      if (tab[i].live && (resets_now >> tab[i].port & 1)) tab[i].kill = true;
    for (unsigned i = 0; i < ENTRIES; i++) tab[i].closing = log_close >> tab[i].log & 1 || tab[i].closing;

    // A port that has not its share in use gets an entry, soon: strays hold allocations for some cycles. While log commands wait,
    // so may the end of an entry that they are not of.
    unsigned has = 0;
    for (unsigned i = 0; i < ENTRIES; i++) has += (tab[i].live || tab[i].work) && tab[i].port == e.port;
    starved =
        want_alloc && whose < 0 && has < share && cmd_in == cmd_out && !dut_get_alloc_ready_o(d) ? starved + 1 : 0;
    CHECK(&t, starved < 10, "port %u has %u entries in use, and gets none for %u cycles", e.port, has, starved);

    // Decision first, then completion or time-out
    bool taken_alloc = want_alloc && dut_get_alloc_ready_o(d);
    if (taken_alloc) {
      unsigned i = (unsigned)dut_get_alloc_idx_o(d);
      CHECK(&t, i < ENTRIES && !tab[i % ENTRIES].live && tab[i % ENTRIES].work == 0, "entry %u given out while in use",
            i);
      CHECK(&t, i >= share * P_NumPorts || i / (share ? share : 1) == e.port,
            "entry %u of another port given to port %u", i, e.port);
      CHECK(&t, find(e.key) < 0, "key %x is given out in quarantine", e.key);
      e.live = true;
      e.born = dut_cycle(d);
      tab[i % ENTRIES] = e;
      want_alloc = false;
    }
    passed = dut_get_fn_pass_o(d);
    CHECK(&t, !passed || fn, "fn_pass_o");
    for (unsigned i = 0; i < ENTRIES && passed; i++)
      CHECK(&t, !tab[i].live || !tab[i].must || tab[i].dead, "entry %u is not ended after the pass", i);
    passes += passed;
    bool take = valid && dut_get_host_cpl_ready_o(d);
    if (dut_get_ret_valid_o(d)) {
      uint32_t ret[RET_O_WORDS];
      dut_get_ret_o(d, ret);
      if (bits_get(ret, 153, 4) == 6)
        codes[bits_get(ret, 148, 3)]++;
      else if (bits_get(ret, 152, 1))
        closes++;
      else if (!bits_get(ret, 148, 4))
        resets++;
      check_retire(&t, d, dut_cycle(d) % 4000 < 500 && old_tmo && (!tmo || old_tmo < tmo) ? old_tmo : tmo);
    } else {
      CHECK(&t,
            !dut_get_err_valid_o(d) && !dut_get_abort_valid_o(d) && !dut_get_ev_bad_o(d) && !dut_get_ev_timeout_o(d),
            "events without a record");
    }
    if (flush_free) {
      tab[ff].live = false;
      tab[ff].to_send = 0;
    }
    // Whatever is reset, or waits for too long, ends, whatever else is under way.
    for (unsigned i = 0; i < ENTRIES; i++) {
      entry *x = &tab[i];
      bool due = x->live && !x->dead && !x->flush && (x->kill || (tmo && dut_cycle(d) - x->born > tmo));
      if (!due || !x->ends) x->ends = due ? dut_cycle(d) : 0;
      if (!due) continue;
      uint64_t waits = dut_cycle(d) - x->ends;
      if (waits > longest) longest = waits;
      CHECK(&t, waits < TO_END, "entry %u was to end %u cycles ago: %s", i, (unsigned)waits,
            x->kill ? "reset" : "time-out");
    }
    check_fwd(&t, d, ready[0]);
    check_log(&t, d, ready[1], ready[2]);
    if (take || dut_get_ret_valid_o(d) || !have) last_move = dut_cycle(d);
    CHECK(&t, dut_cycle(d) - last_move < 3000, "nothing moves");
    if (dut_cycle(d) - last_move >= 3000) break;
    // The next cycle's key: what waits, what has just been allocated or freed, that of a completion on its way, or any. If it
    // stays, it may be looked up anew, or kept while another one is shown.
    bool stay = want_alloc || rnd_chance(&t, 15), keep = stay && rnd_chance(&t, 70);
    if (want_alloc)
      look = e.key;
    else if (!stay)
      look = host_in != host_out && rnd_chance(&t, 30) ? host[host_out % RING].key : some_key(&t);
    dut_set_look_i(d, !keep);
    dut_set_look_key_i(d, keep ? some_key(&t) : look);
    dut_tick(d);
    if (want_alloc && find(e.key) >= 0 && !tab[find(e.key)].dead) want_alloc = false;
    if (take) {
      dut_set_host_cpl_valid_i(d, 0);
      if (++at == now.beats) {
        now.err = sent_err;
        host[host_in++ % RING] = now;
        have = false;
      }
    }
  }
  printf("  RetCpl 0 %u, 1 %u, 2 %u, 3 %u, 4 %u; RetTimeout %u, the last %u cycles late; log closings %u\n", codes[0],
         codes[1], codes[2], codes[3], codes[4], resets, (unsigned)longest, closes);
  for (unsigned i = 0; i < 5; i++) CHECK(&t, codes[i] > 20, "code %u was seen %u times", i, codes[i]);
  printf("  late completions %u, quarantines over %u, waits for a tag %u\n", late, overs, waits);
  CHECK(&t, passes > 5, "no requester was ended");
  CHECK(&t, late > 20 && overs > 5 && waits > 20, "quarantines were seen");
  CHECK(&t, resets > 5 && (!P_Logs || closes > 0), "time-outs and closings were seen");
  CHECK(&t, wrong_low > tb_least(&t, 5), "%u completions with a wrong LowerAddress", wrong_low);
  dut_free(d);
  tb_unwatch(&t);
  free(gd);
  return tb_end(&t);
}

#endif
