// SPDX-License-Identifier: Apache-2.0
// aa_decide: requests that need every kind of resource, resources that come and go. Each request is decided once, or
// given back and offered again; a decision has all that it needs, and what is given back leaves no trace. The watchdog
// drops a record after 1 to 1.5 times its value from when its request first lacked space, also behind one that it has
// just dropped. What is forwarded has the translated header.
// Rules of rtl/aa/README.md: STR-3, DEC-4, DEC-15, DEC-16, DEC-17, DEC-18, DEC-19, RST-2, TMO-1.
// config: default -GNumPorts=2
// config: one -GNumPorts=1
#include <string.h>

#include "aa_fields.h"
#include "tb.h"
#include "aa_decide_tb.h"

enum { LANES = 2 * P_NumPorts, REQ = (AA_REQ_T_W + 31) / 32, QUEUE = 64 };
enum { NOTE = 0x155 };  // IUID of all records

typedef struct item {
  uint32_t req[REQ];
  uint64_t res;
  uint32_t hdr[4];  // as it is forwarded
  bool read, flush, log, live, allowed;
} item;

// Writes and reads of one plain page, of a logged one, of a redirected one, and flushes. The tag says what it is.
static item make(tb *t, unsigned lane, unsigned n) {
  item x = {0};
  uint32_t hdr[4] = {0}, res[2] = {0};
  x.read = lane & 1;
  x.flush = x.read && rnd_chance(t, 15);
  x.live = x.read && rnd_chance(t, 10);
  x.log = !x.flush && rnd_chance(t, 50);
  bool allowed = x.allowed = x.flush || rnd_chance(t, 70);
  // Long and short addresses, before and after; a digest, which does not fit the new header.
  bool quad = rnd_chance(t, 50), far = rnd_chance(t, 50);
  unsigned offset = (unsigned)rnd_below(t, 1024) * 4, ph = (unsigned)rnd_bits(t, 2);
  uint64_t pfn = (far ? rnd_bits(t, 15) << 20 | 1 << 20 : 0) + 0x200 + x.flush, pa = pfn << 12 | offset;
  hdr[3] = (x.read ? 2 : 0x40000002u) | (rnd_chance(t, 20) ? 0x8000u : 0);
  hdr[2] = lane << 16 | (n & 255) << 8 | 0xff;
  memcpy(x.hdr, hdr, sizeof hdr);
  x.hdr[3] = (hdr[3] & ~0x8000u) | (far ? 1u << 29 : 0);
  x.hdr[1] = far ? (uint32_t)(pa >> 32) : (uint32_t)pa | ph;
  x.hdr[0] = far ? (uint32_t)pa | ph : 0;
  hdr[3] |= quad ? 1u << 29 : 0;
  hdr[1] = quad ? 5 : 0x1000u | offset | ph;
  hdr[0] = quad ? 0x1000u | offset | ph : 0;
  bits_set(x.req, AA_REQ_T_KIND_LSB, AA_REQ_T_KIND_W, x.read ? AA_E_ReqRead : AA_E_ReqWrite);
  bits_set(x.req, AA_REQ_T_SEQ_LSB, AA_REQ_T_SEQ_W, n & 255);
  words_copy(x.req, AA_REQ_T_HDR_LSB, hdr, 0, 128);
  bits_set(res, AA_XLATE_T_R_LSB, 1, allowed);
  bits_set(res, AA_XLATE_T_W_LSB, 1, allowed);
  bits_set(res, AA_XLATE_T_WL_LSB, 1, x.log);
  bits_set(res, AA_XLATE_T_RL_LSB, 1, x.log);
  bits_set(res, AA_XLATE_T_RLD_LSB, 1, x.log);
  bits_set(res, AA_XLATE_T_E_LSB, 1, 1);
  bits_set(res, AA_XLATE_T_IUID_LSB, 10, NOTE);
  bits_set(res, AA_XLATE_T_PFN_LSB, 36, pfn);
  x.res = bits_get(res, 0, 64);
  return x;
}

// The bench: what was offered and what became of it, and what is given to the device in this cycle.
typedef struct {
  tb *t;
  dut *d;
  item q[LANES][QUEUE];
  unsigned made[LANES], next[LANES], rd[LANES], rest[LANES], hold_for, rid;
  struct {
    bool valid;
    unsigned lane, n;
  } s[2];
  uint64_t outcomes[8], key, stopped, olds;
  // A lane that waits for log space: since when (0: it does not), and the watchdogs that there were meanwhile.
  uint64_t since[LANES], since_set, expired, close, last_done[LANES];
  unsigned wdog, least[LANES];
  // of this cycle
  uint64_t c;
  unsigned lane, plenty, old_ports, old_fn;
  item *d1, *d2;
  bool hold, offer, space, never, failed, dropper, tag_ready, flush_ready, ur_ready, np_ready, move_ready, done, moved,
      back;
} bench;

// What is done in this cycle, from the structs at the ports.
static bool takes(bench *b) { return dut_get_rsv_act_o(b->d) >> AA_RSV_ACT_T_TAKE_LSB & 1; }
static bool loses(bench *b) { return dut_get_rsv_act_o(b->d) >> AA_RSV_ACT_T_LOST_LSB & 1; }
static uint64_t tag_act(bench *b, unsigned lsb, unsigned width) {
  uint32_t w[TAG_ACT_O_WORDS];
  dut_get_tag_act_o(b->d, w);
  return bits_get(w, lsb, width);
}
static bool tracks(bench *b) { return tag_act(b, AA_TAG_ACT_T_VALID_LSB, 1); }

static void requests(bench *b) {
  b->hold = (b->c & 511) > 500;
  b->plenty = b->c & 4096 ? 90 : 40;
  for (unsigned l = 0; l < LANES; l++)
    if (b->made[l] - b->rd[l] < 8) b->q[l][b->made[l] % QUEUE] = make(b->t, l, b->made[l]), b->made[l]++;
  // A lane to pick from; what goes back in this cycle is not picked (aa_pick).
  b->lane = (unsigned)rnd_below(b->t, LANES);
  b->offer = !b->hold && b->next[b->lane] != b->made[b->lane] && !b->rest[b->lane] && rnd_chance(b->t, 80);
  b->d1 = b->s[0].valid ? &b->q[b->s[0].lane][b->s[0].n % QUEUE] : NULL;
  b->d2 = b->s[1].valid ? &b->q[b->s[1].lane][b->s[1].n % QUEUE] : NULL;
}

static void watchdog(bench *b) {
  static const unsigned wdogs[] = {0, 1, 2, 7, 40, 41, 0, 150};
  if (b->c & 1023) return;

  b->wdog = wdogs[b->c >> 10 & 7];
  b->since_set = b->c;
  for (unsigned l = 0; l < LANES; l++) b->least[l] = b->wdog && b->wdog < b->least[l] ? b->wdog : b->least[l];
}

static void resources(bench *b) {
  bool dry = b->c & 2048;  // hardly ever any space
  b->space = rnd_chance(b->t, dry ? 1 : b->plenty);
  b->never = !b->space && rnd_chance(b->t, 6);
  b->failed = !b->space && rnd_chance(b->t, dry ? 1 : 5);
  b->dropper = b->failed || rnd_chance(b->t, 10);
  b->tag_ready = rnd_chance(b->t, b->plenty);
  b->flush_ready = rnd_chance(b->t, b->plenty);
  b->ur_ready = rnd_chance(b->t, b->plenty);
  b->np_ready = rnd_chance(b->t, b->plenty);
  b->move_ready = rnd_chance(b->t, b->plenty);
}

static void drive(bench *b) {
  const item *p = &b->q[b->lane][b->next[b->lane] % QUEUE];
  dut_set_wdog_i(b->d, b->wdog);
  dut_set_hold_i(b->d, b->hold);
  dut_set_pick_lane_i(b->d, b->lane);
  dut_set_pick_req_i(b->d, p->req);
  dut_set_pick_res_i(b->d, p->res);
  dut_set_cam_hit_i(b->d, true);
  dut_set_cam_log_i(b->d, 3);
  dut_set_page_hit_i(b->d, b->d1 && b->d1->flush);
  uint32_t rsv[RSV_I_WORDS] = {0};
  bits_set(rsv, AA_RSV_T_SPACE_LSB, 1, b->space);
  bits_set(rsv, AA_RSV_T_NEVER_LSB, 1, b->never);
  bits_set(rsv, AA_RSV_T_DROP_LSB, 1, b->dropper);
  bits_set(rsv, AA_RSV_T_FAILED_LSB, 1, b->failed);
  dut_set_rsv_i(b->d, rsv);
  // What has been reset: whole ports, or requester ids (a lane's is its number).
  b->old_ports = rnd_chance(b->t, 15) ? (unsigned)rnd_bits(b->t, P_NumPorts) : 0;
  b->old_fn = (unsigned)rnd_bits(b->t, P_NumPorts);
  dut_set_old_i(b->d, b->old_ports);
  dut_set_old_fn_i(b->d, b->old_fn);
  if ((b->c & 511) == 511) b->rid = (unsigned)rnd_below(b->t, 3 * LANES);  // under hold
  dut_set_fn_rid_i(b->d, b->rid);
  if (b->d2) CHECK_EQ(b->t, b->key, b->s[1].lane << 10 | (b->s[1].n & 255), "the key that was looked up a cycle ahead");
  dut_set_tag_i(b->d,
                (uint64_t)(b->d2 && b->d2->live) << AA_TAG_T_LIVE_LSB | (uint64_t)b->tag_ready << AA_TAG_T_READY_LSB);
  dut_set_flush_ready_i(b->d, b->flush_ready);
  dut_set_ur_ready_i(b->d, b->ur_ready);
  dut_set_host_np_ready_i(b->d, b->np_ready);
  dut_set_move_ready_i(b->d, b->move_ready);
  dut_set_pick_valid_i(b->d, 0);
  dut_eval(b->d);
  b->back = dut_get_back_o(b->d);
  if (b->back && dut_get_back_lane_o(b->d) >> 1 == b->lane >> 1) b->offer = false;
  dut_set_pick_valid_i(b->d, b->offer);
  dut_eval(b->d);
}

// What has been reset leaves by the shortest way.
static void dropped_as_old(bench *b) {
  uint32_t ret[(AA_K_RetireW + 31) / 32];
  dut_get_ret_o(b->d, ret);
  CHECK_EQ(b->t, bits_get(ret, AA_RETIRE_T_CODE_LSB, 4), AA_E_OutBlock, "what is old is dropped");
  CHECK(b->t,
        !(tracks(b) || dut_get_flush_valid_o(b->d) || dut_get_ur_valid_o(b->d) || takes(b) || loses(b) ||
          dut_get_err_valid_o(b->d) || dut_get_fault_valid_o(b->d)),
        "what is old leaves nothing");
  CHECK_EQ(b->t, dut_get_event_o(b->d) >> 4, 1 << 12, "and is counted");
  b->olds++;
  b->last_done[b->s[1].lane] = b->c;
  b->since[b->s[1].lane] = 0;
  b->rd[b->s[1].lane]++;
}

static void waited_for_space(bench *b, const uint32_t *ret) {
  uint32_t err[ERR_O_WORDS];
  bool waited = !b->never && !b->dropper && loses(b);
  CHECK_EQ(b->t, bits_get(ret, AA_RETIRE_T_FLAG_LSB, 1), waited, "flag: the watchdog");
  if (waited) {
    uint64_t begun = b->since[b->s[1].lane];
    CHECK(b->t, !b->space && b->wdog, "dropped without need");
    CHECK(b->t, begun && b->c - begun > b->least[b->s[1].lane],
          "lane %u dropped by the watchdog %u, given back %s %llu before", b->s[1].lane, b->least[b->s[1].lane],
          begun ? "first" : "never", (unsigned long long)(begun ? b->c - begun : 0));
    b->expired++;
  }
  if (b->d2->log && b->c - b->last_done[b->s[1].lane] == 1) b->close++;
  b->last_done[b->s[1].lane] = b->c;
  b->since[b->s[1].lane] = 0;
  if (loses(b)) {
    dut_get_err_o(b->d, err);
    CHECK_EQ(b->t, bits_get(err, AA_ERR_T_CODE_LSB, AA_ERR_T_CODE_W),
             b->failed    ? AA_K_ErrLogFailed
             : b->never   ? AA_K_ErrLogFit
             : b->dropper ? AA_K_ErrLogDrop
                          : AA_K_ErrLogWdog,
             "why it was dropped");
    b->stopped += b->failed;
  }
}

static void what_is_moved(bench *b, unsigned out, bool fwd) {
  uint32_t move[(AA_MOVE_T_W + 31) / 32];
  dut_get_move_o(b->d, move);
  CHECK_EQ(b->t, bits_get(move, AA_MOVE_T_LANE_LSB, 4), b->s[1].lane, "lane of what is moved");
  CHECK_EQ(b->t, bits_get(move, AA_MOVE_T_FWD_LSB, 1), fwd, "forwarded");
  CHECK_EQ(b->t, bits_get(move, AA_MOVE_T_PUT_LSB, 1), out == AA_E_OutRedirect || (out == AA_E_OutLog && !b->d2->read),
           "put");
  CHECK_EQ(b->t, bits_get(move, AA_MOVE_T_BEATS_LSB, 9), !b->d2->read, "beats of payload");
  CHECK_EQ(b->t, bits_get(move, AA_MOVE_T_SEQ_LSB, AA_MOVE_T_SEQ_W), b->s[1].n & 255, "sequence number");
  for (unsigned i = 0; fwd && i < 4; i++)
    CHECK_EQ(b->t, bits_get(move, AA_MOVE_T_HDR_LSB + 32 * i, 32), b->d2->hdr[i], "word %u of the header that leaves",
             i);
}

static void decided(bench *b) {
  uint32_t ret[(AA_K_RetireW + 31) / 32];
  dut_get_ret_o(b->d, ret);
  unsigned out = (unsigned)bits_get(ret, AA_RETIRE_T_CODE_LSB, 4);
  bool fwd = out == AA_E_OutPass || out == AA_E_OutLog || out == AA_E_OutLost;
  b->outcomes[out]++;
  CHECK_EQ(b->t, bits_get(ret, AA_RETIRE_T_LANE_LSB, 4), b->s[1].lane, "lane of the record");
  CHECK_EQ(b->t, b->s[1].n, b->rd[b->s[1].lane], "in order");
  CHECK_EQ(b->t, tracks(b), b->d2->read && (fwd || out == AA_E_OutFlush), "tag entry");
  if (tracks(b)) {
    CHECK(b->t, b->tag_ready, "a tag entry that is not there");
    CHECK_EQ(b->t, tag_act(b, AA_TAG_ACT_T_ALLOC_LOGGED_LSB, 1), out == AA_E_OutLog, "its completions are logged");
    CHECK_EQ(b->t, tag_act(b, AA_TAG_ACT_T_ALLOC_TAG_LSB, 10), b->s[1].n & 255, "tag");
  }
  CHECK_EQ(b->t, dut_get_flush_valid_o(b->d), out == AA_E_OutFlush, "waiter");
  CHECK(b->t, out != AA_E_OutFlush || (b->flush_ready && b->d2->flush && !b->d2->live), "a flush");
  CHECK_EQ(b->t, takes(b) && b->space, out == AA_E_OutLog || out == AA_E_OutRedirect, "reservation");
  CHECK_EQ(b->t, loses(b), out == AA_E_OutLost || out == AA_E_OutBlockLost, "record dropped");
  waited_for_space(b, ret);
  CHECK_EQ(b->t, dut_get_ur_valid_o(b->d), b->d2->read && !fwd && out != AA_E_OutFlush, "UR");
  CHECK(b->t, !dut_get_ur_valid_o(b->d) || b->ur_ready, "a UR slot that is not there");
  if (b->d2->live) CHECK(b->t, out == AA_E_OutBlock && dut_get_err_valid_o(b->d), "a live tag");
  if (!b->d2->read) CHECK(b->t, b->moved, "payload is always moved");
  if (b->moved) what_is_moved(b, out, fwd);
  CHECK_EQ(b->t, b->moved, fwd || !b->d2->read || out == AA_E_OutRedirect, "moved");
  if (b->d2->read) CHECK(b->t, b->np_ready || !fwd, "the host has room");
  b->rd[b->s[1].lane]++;
}

static void given_back(bench *b) {
  unsigned l = b->s[1].lane, half = b->wdog > 3 ? b->wdog / 2 : 1;
  bool starves = b->d2->log && !b->d2->live && !b->space && !b->never && !b->dropper;
  uint64_t from = b->since[l] > b->since_set ? b->since[l] : b->since_set;
  bool lacks =
      b->d2->read && (b->d2->allowed ? !b->tag_ready || !b->np_ready : !b->ur_ready);  // something else as well
  if (starves && b->since[l] && !lacks)
    CHECK(b->t, !b->wdog || b->c - from <= 3 * half, "lane %u still waits for space after %llu cycles, watchdog %u", l,
          (unsigned long long)(b->c - from), b->wdog);
  if (starves && !b->since[l]) b->least[l] = b->wdog ? b->wdog : ~0u;
  b->since[l] = !starves ? 0 : b->since[l] ? b->since[l] : b->c;
}

// As aa_pick keeps them.
static void pointers(bench *b) {
  bool take = dut_get_pick_ready_o(b->d) && b->offer, advance = !b->d2 || b->done || b->back;
  const unsigned port_of_pick = b->s[1].lane >> 1;
  bool kill = b->back && b->d1 && b->s[0].lane >> 1 == port_of_pick;
  for (unsigned l = 0; l < LANES; l++) {
    if (b->rest[l]) b->rest[l]--;
    if (b->back && l >> 1 == port_of_pick) b->next[l] = b->rd[l];
  }
  if (b->back && dut_get_rest_o(b->d)) b->rest[dut_get_back_lane_o(b->d)] = 3;
  if (advance) {
    b->s[1] = b->s[0];
    b->s[1].valid = b->s[0].valid && !kill;
  }
  if (dut_get_pick_ready_o(b->d)) {
    b->s[0].valid = take;
    b->s[0].lane = b->lane;
    if (take) b->s[0].n = b->next[b->lane]++;
  }
  b->hold_for = b->hold ? b->hold_for + 1 : 0;
  if (b->hold_for > 3) CHECK(b->t, dut_get_idle_o(b->d), "hold ends within 3 cycles");
  const uint64_t ask = dut_get_tag_ask_o(b->d);
  if (ask >> AA_TAG_ASK_T_LOOK_LSB & 1) b->key = ask >> AA_TAG_ASK_T_KEY_LSB & ((1u << AA_TAG_ASK_T_KEY_W) - 1);
}

// What D2 did.
static void look(bench *b) {
  b->done = dut_get_done_valid_o(b->d);
  b->moved = dut_get_move_valid_o(b->d) && b->move_ready;
  CHECK(b->t, !(b->done && b->back) && (b->d2 || (!b->done && !b->back)), "decided or given back");
  CHECK_EQ(b->t, dut_get_ret_valid_o(b->d), b->done, "a record with every decision");
  CHECK(b->t,
        b->done || !(tracks(b) || dut_get_flush_valid_o(b->d) || dut_get_ur_valid_o(b->d) || (takes(b) && b->space) ||
                     loses(b) || dut_get_err_valid_o(b->d) || dut_get_fault_valid_o(b->d) || b->moved ||
                     dut_get_event_o(b->d)),
        "a trace without a decision");
  CHECK(b->t, !b->hold || !b->done, "a decision under hold");
  bool old =
      b->d2 && b->d2->read &&
      ((b->old_ports >> b->s[1].lane / 2 & 1) || ((b->old_fn >> b->s[1].lane / 2 & 1) && b->rid == b->s[1].lane));
  CHECK(b->t, !old || b->hold || b->done || !b->move_ready, "what is old waits for nothing");
  if (b->done && old)
    dropped_as_old(b);
  else if (b->done)
    decided(b);
  if (b->back && !b->hold) given_back(b);
}

static void ends(bench *b) {
  CHECK(b->t, b->olds > 20, "%llu were dropped for a reset", (unsigned long long)b->olds);
  for (unsigned i = 0; i < 7; i++)
    CHECK(b->t, b->outcomes[i] > 20, "outcome %u came %llu times", i, (unsigned long long)b->outcomes[i]);
  CHECK(b->t, b->expired > 20, "the watchdog ended %llu waits", (unsigned long long)b->expired);
  CHECK(b->t, b->close > 20, "%llu times two decisions of a lane in consecutive cycles", (unsigned long long)b->close);
  CHECK(b->t, b->stopped > tb_least(b->t, 20), "%u records dropped since their log has stopped", (unsigned)b->stopped);
}

int main(int argc, char **argv) {
  static bench all;
  bench *b = &all;
  tb t;
  tb_init(&t, argc, argv, "aa_decide", 60000);
  b->t = &t;
  b->d = dut_begin(&t);
  dut_reset(b->d, 2);
  for (b->c = 0; b->c < t.cycles && !t.failures; b->c++) {
    requests(b);
    watchdog(b);
    resources(b);
    drive(b);
    look(b);
    pointers(b);
    dut_tick(b->d);
  }
  ends(b);
  dut_free(b->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
