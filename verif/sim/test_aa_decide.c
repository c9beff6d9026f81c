// SPDX-License-Identifier: Apache-2.0
// aa_decide: requests that need every kind of resource, resources that come and go. Each request is decided once, or given
// back and offered again; a decision has all that it needs, and what is given back leaves no trace. The watchdog drops a record
// after 1 to 1.5 times its value from when its request first lacked space, also behind one that it has just dropped. What is
// forwarded has the translated header.
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

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_decide", 60000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  item q[LANES][QUEUE];
  unsigned made[LANES] = {0}, next[LANES] = {0}, rd[LANES] = {0}, hold_for = 0, rest[LANES] = {0}, port_of_pick = 0;
  struct {
    bool valid;
    unsigned lane, n;
  } s[2] = {{0}};
  uint64_t outcomes[8] = {0}, key = 0, stopped = 0, olds = 0;
  unsigned rid = 0;
  uint32_t ret[(AA_K_RetireW + 31) / 32], tag[(AA_TAG_ALLOC_T_W + 31) / 32], move[(AA_MOVE_T_W + 31) / 32],
      err[ERR_O_WORDS];
  static const unsigned wdogs[] = {0, 1, 2, 7, 40, 41, 0, 150};
  // A lane that waits for log space: since when (0: it does not), and the watchdogs that there were meanwhile.
  uint64_t since[LANES] = {0}, since_set = 0, expired = 0, close = 0, last_done[LANES] = {0};
  unsigned wdog = 0, least[LANES] = {0};
  for (uint64_t c = 0; c < t.cycles && !t.failures; c++) {
    bool hold = (c & 511) > 500;
    unsigned plenty = c & 4096 ? 90 : 40;
    for (unsigned l = 0; l < LANES; l++)
      if (made[l] - rd[l] < 8) q[l][made[l] % QUEUE] = make(&t, l, made[l]), made[l]++;
    // A lane to pick from; what goes back in this cycle is not picked (aa_pick).
    unsigned lane = (unsigned)rnd_below(&t, LANES);
    item *p = &q[lane][next[lane] % QUEUE];
    bool offer = !hold && next[lane] != made[lane] && !rest[lane] && rnd_chance(&t, 80);
    item *d1 = s[0].valid ? &q[s[0].lane][s[0].n % QUEUE] : NULL,
         *d2 = s[1].valid ? &q[s[1].lane][s[1].n % QUEUE] : NULL;
    if (!(c & 1023)) {
      wdog = wdogs[c >> 10 & 7];
      since_set = c;
      for (unsigned l = 0; l < LANES; l++) least[l] = wdog && wdog < least[l] ? wdog : least[l];
    }
    dut_set_wdog_i(d, wdog);
    bool dry = c & 2048;  // hardly ever any space
    bool cam = true, space = rnd_chance(&t, dry ? 1 : plenty), never = !space && rnd_chance(&t, 6),
         failed = !space && rnd_chance(&t, dry ? 1 : 5), dropper = failed || rnd_chance(&t, 10);
    bool tag_ready = rnd_chance(&t, plenty), flush_ready = rnd_chance(&t, plenty), ur_ready = rnd_chance(&t, plenty);
    bool np_ready = rnd_chance(&t, plenty), move_ready = rnd_chance(&t, plenty);
    dut_set_hold_i(d, hold);
    dut_set_pick_lane_i(d, lane);
    dut_set_pick_req_i(d, p->req);
    dut_set_pick_res_i(d, p->res);
    dut_set_cam_hit_i(d, cam);
    dut_set_cam_log_i(d, 3);
    dut_set_page_hit_i(d, d1 && d1->flush);
    dut_set_rsv_space_i(d, space);
    dut_set_rsv_never_i(d, never);
    dut_set_rsv_drop_i(d, dropper);
    dut_set_rsv_failed_i(d, failed);
    // What has been reset: whole ports, or requester ids (a lane's is its number).
    unsigned old_ports = rnd_chance(&t, 15) ? (unsigned)rnd_bits(&t, P_NumPorts) : 0,
             old_fn = (unsigned)rnd_bits(&t, P_NumPorts);
    dut_set_old_i(d, old_ports);
    dut_set_old_fn_i(d, old_fn);
    if ((c & 511) == 511) rid = (unsigned)rnd_below(&t, 3 * LANES);  // under hold
    dut_set_fn_rid_i(d, rid);
    if (d2) CHECK_EQ(&t, key, s[1].lane << 10 | (s[1].n & 255), "the key that was looked up a cycle ahead");
    dut_set_tag_live_i(d, d2 && d2->live);
    dut_set_tag_ready_i(d, tag_ready);
    dut_set_flush_ready_i(d, flush_ready);
    dut_set_ur_ready_i(d, ur_ready);
    dut_set_host_np_ready_i(d, np_ready);
    dut_set_move_ready_i(d, move_ready);
    dut_set_pick_valid_i(d, 0);
    dut_eval(d);
    bool back = dut_get_back_o(d);
    if (back && dut_get_back_lane_o(d) >> 1 == lane >> 1) offer = false;
    dut_set_pick_valid_i(d, offer);
    dut_eval(d);
    // ---- what D2 did ----
    bool done = dut_get_done_valid_o(d), moved = dut_get_move_valid_o(d) && move_ready;
    CHECK(&t, !(done && back) && (d2 || (!done && !back)), "decided or given back");
    CHECK_EQ(&t, dut_get_ret_valid_o(d), done, "a record with every decision");
    CHECK(&t,
          done || !(dut_get_tag_valid_o(d) || dut_get_flush_valid_o(d) || dut_get_ur_valid_o(d) ||
                    (dut_get_rsv_take_o(d) && space) || dut_get_rsv_lost_o(d) || dut_get_err_valid_o(d) ||
                    dut_get_fault_valid_o(d) || moved || dut_get_event_o(d)),
          "a trace without a decision");
    CHECK(&t, !hold || !done, "a decision under hold");
    bool old =
        d2 && d2->read && ((old_ports >> s[1].lane / 2 & 1) || ((old_fn >> s[1].lane / 2 & 1) && rid == s[1].lane));
    CHECK(&t, !old || hold || done || !move_ready, "what is old waits for nothing");
    if (done && old) {
      dut_get_ret_o(d, ret);
      CHECK_EQ(&t, bits_get(ret, AA_RETIRE_T_CODE_LSB, 4), AA_E_OutBlock, "what is old is dropped");
      CHECK(&t,
            !(dut_get_tag_valid_o(d) || dut_get_flush_valid_o(d) || dut_get_ur_valid_o(d) || dut_get_rsv_take_o(d) ||
              dut_get_rsv_lost_o(d) || dut_get_err_valid_o(d) || dut_get_fault_valid_o(d)),
            "what is old leaves nothing");
      CHECK_EQ(&t, dut_get_event_o(d) >> 4, 1 << 12, "and is counted");
      olds++;
      last_done[s[1].lane] = c;
      since[s[1].lane] = 0;
      rd[s[1].lane]++;
    } else if (done) {
      dut_get_ret_o(d, ret);
      dut_get_tag_o(d, tag);
      unsigned out = (unsigned)bits_get(ret, AA_RETIRE_T_CODE_LSB, 4);
      bool fwd = out == AA_E_OutPass || out == AA_E_OutLog || out == AA_E_OutLost;
      outcomes[out]++;
      CHECK_EQ(&t, bits_get(ret, AA_RETIRE_T_LANE_LSB, 4), s[1].lane, "lane of the record");
      CHECK_EQ(&t, s[1].n, rd[s[1].lane], "in order");
      CHECK_EQ(&t, dut_get_tag_valid_o(d), d2->read && (fwd || out == AA_E_OutFlush), "tag entry");
      if (dut_get_tag_valid_o(d)) {
        CHECK(&t, tag_ready, "a tag entry that is not there");
        CHECK_EQ(&t, bits_get(tag, AA_TAG_ALLOC_T_LOGGED_LSB, 1), out == AA_E_OutLog, "its completions are logged");
        CHECK_EQ(&t, bits_get(tag, AA_TAG_ALLOC_T_TAG_LSB, 10), s[1].n & 255, "tag");
      }
      CHECK_EQ(&t, dut_get_flush_valid_o(d), out == AA_E_OutFlush, "waiter");
      CHECK(&t, out != AA_E_OutFlush || (flush_ready && d2->flush && !d2->live), "a flush");
      CHECK_EQ(&t, dut_get_rsv_take_o(d) && space, out == AA_E_OutLog || out == AA_E_OutRedirect, "reservation");
      CHECK_EQ(&t, dut_get_rsv_lost_o(d), out == AA_E_OutLost || out == AA_E_OutBlockLost, "record dropped");
      bool waited = !never && !dropper && dut_get_rsv_lost_o(d);
      CHECK_EQ(&t, bits_get(ret, AA_RETIRE_T_FLAG_LSB, 1), waited, "flag: the watchdog");
      if (waited) {
        uint64_t begun = since[s[1].lane];
        CHECK(&t, !space && wdog, "dropped without need");
        CHECK(&t, begun && c - begun > least[s[1].lane],
              "lane %u dropped by the watchdog %u, given back %s %llu before", s[1].lane, least[s[1].lane],
              begun ? "first" : "never", (unsigned long long)(begun ? c - begun : 0));
        expired++;
      }
      if (d2->log && c - last_done[s[1].lane] == 1) close++;
      last_done[s[1].lane] = c;
      since[s[1].lane] = 0;
      if (dut_get_rsv_lost_o(d)) {
        dut_get_err_o(d, err);
        CHECK_EQ(&t, bits_get(err, AA_ERR_T_CODE_LSB, AA_ERR_T_CODE_W),
                 failed    ? AA_K_ErrLogFailed
                 : never   ? AA_K_ErrLogFit
                 : dropper ? AA_K_ErrLogDrop
                           : AA_K_ErrLogWdog,
                 "why it was dropped");
        stopped += failed;
      }
      CHECK_EQ(&t, dut_get_ur_valid_o(d), d2->read && !fwd && out != AA_E_OutFlush, "UR");
      CHECK(&t, !dut_get_ur_valid_o(d) || ur_ready, "a UR slot that is not there");
      if (d2->live) CHECK(&t, out == AA_E_OutBlock && dut_get_err_valid_o(d), "a live tag");
      if (!d2->read) CHECK(&t, moved, "payload is always moved");
      if (moved) {
        dut_get_move_o(d, move);
        CHECK_EQ(&t, bits_get(move, AA_MOVE_T_LANE_LSB, 4), s[1].lane, "lane of what is moved");
        CHECK_EQ(&t, bits_get(move, AA_MOVE_T_FWD_LSB, 1), fwd, "forwarded");
        CHECK_EQ(&t, bits_get(move, AA_MOVE_T_PUT_LSB, 1), out == AA_E_OutRedirect || (out == AA_E_OutLog && !d2->read),
                 "put");
        CHECK_EQ(&t, bits_get(move, AA_MOVE_T_BEATS_LSB, 9), !d2->read, "beats of payload");
        CHECK_EQ(&t, bits_get(move, AA_MOVE_T_SEQ_LSB, AA_MOVE_T_SEQ_W), s[1].n & 255, "sequence number");
        for (unsigned i = 0; fwd && i < 4; i++)
          CHECK_EQ(&t, bits_get(move, AA_MOVE_T_HDR_LSB + 32 * i, 32), d2->hdr[i], "word %u of the header that leaves",
                   i);
      }
      CHECK_EQ(&t, moved, fwd || !d2->read || out == AA_E_OutRedirect, "moved");
      if (d2->read) CHECK(&t, np_ready || !fwd, "the host has room");
      rd[s[1].lane]++;
    }
    if (back && !hold) {
      unsigned l = s[1].lane, half = wdog > 3 ? wdog / 2 : 1;
      bool starves = d2->log && !d2->live && !space && !never && !dropper;
      uint64_t from = since[l] > since_set ? since[l] : since_set;
      bool lacks = d2->read && (d2->allowed ? !tag_ready || !np_ready : !ur_ready);  // something else as well
      if (starves && since[l] && !lacks)
        CHECK(&t, !wdog || c - from <= 3 * half, "lane %u still waits for space after %llu cycles, watchdog %u", l,
              (unsigned long long)(c - from), wdog);
      if (starves && !since[l]) least[l] = wdog ? wdog : ~0u;
      since[l] = !starves ? 0 : since[l] ? since[l] : c;
    }
    // ---- pointers, as aa_pick keeps them ----
    bool take = dut_get_pick_ready_o(d) && offer, advance = !d2 || done || back;
    port_of_pick = s[1].lane >> 1;
    bool kill = back && d1 && s[0].lane >> 1 == port_of_pick;
    for (unsigned l = 0; l < LANES; l++) {
      if (rest[l]) rest[l]--;
      if (back && l >> 1 == port_of_pick) next[l] = rd[l];
    }
    if (back && dut_get_rest_o(d)) rest[dut_get_back_lane_o(d)] = 3;
    if (advance) {
      s[1] = s[0];
      s[1].valid = s[0].valid && !kill;
    }
    if (dut_get_pick_ready_o(d)) {
      s[0].valid = take;
      s[0].lane = lane;
      if (take) s[0].n = next[lane]++;
    }
    hold_for = hold ? hold_for + 1 : 0;
    if (hold_for > 3) CHECK(&t, dut_get_idle_o(d), "hold ends within 3 cycles");
    if (dut_get_tag_look_o(d)) key = dut_get_tag_key_o(d);
    dut_tick(d);
  }
  CHECK(&t, olds > 20, "%llu were dropped for a reset", (unsigned long long)olds);
  for (unsigned i = 0; i < 7; i++)
    CHECK(&t, outcomes[i] > 20, "outcome %u came %llu times", i, (unsigned long long)outcomes[i]);
  CHECK(&t, expired > 20, "the watchdog ended %llu waits", (unsigned long long)expired);
  CHECK(&t, close > 20, "%llu times two decisions of a lane in consecutive cycles", (unsigned long long)close);
  CHECK(&t, stopped > tb_least(&t, 20), "%u records dropped since their log has stopped", (unsigned)stopped);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
