// SPDX-License-Identifier: Apache-2.0
// nic_ctx with the register bus and nic_qp behind it, seen as its neighbours see it: frames name contexts and must be
// shown at the place that has them, software rings bells, closes and opens contexts and writes what it may not, memory
// answers late, queue pairs work. Each context has a truth here: what is turned on must say it, and memory must, when
// it has been closed.
// Rules of rtl/nic/README.md: CTX-1, CTX-2, CTX-4, CTX-5, CTX-6, CTX-7, CTX-8, CTX-9, CTX-10, CTX-11, CTX-14, MEM-6.
// top: nic_ctx_sim
// long: default narrow wide
// config: default -GNumQps=4 -GContexts=16 -GReplay=4
// config: narrow -GNumQps=2 -GContexts=16 -GReplay=1 +define+TOCSIN_DATA_W=128
// config: wide -GNumQps=20 -GContexts=64 -GReplay=3 +define+TOCSIN_DATA_W=512
// netlist: narrow
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "tocsin/nic_regs.h"
#include "nic_ctx_sim_tb.h"

enum {
  NQ = P_NumQps,
  NC = P_Contexts,
  RP = P_Replay,
  QPN = 0x1230,
  RID = 0x100,
  PROC = 5,
  SIZE = 256,
  LAG = 4,
  JOBS = 32
};
enum { CTL, MAC, PEER, PSN, RING, RINGC, PROD, STS, NOW, IP6H, IP6L, VLAN, RATE, MSG, VA, REST, WORDS, OPEN = WORDS };
enum { LOADED, SAVED, CLOSED, BROKEN, NOPLACE };
#define BASE 0x123456789000ull
#define FIELD(w, T, F) bits_get(w, NIC_##T##_T_##F##_LSB, NIC_##T##_T_##F##_W)

typedef struct context {
  uint64_t word[WORDS];  // of QP_CTL (off) to QP_REST, as memory has it when it is closed
  uint64_t answer[RP][2];
  unsigned answers, place;            // NQ: none
  bool open, bad, rung, said, moved;  // moved: memory is what the NIC has made of it
  uint16_t cons, prod, bell, soft;    // soft: as software has it
  uint32_t epsn, una, msn;
  bool err, resp_err, task;
  uint8_t code;
} context;
typedef struct place {
  bool on, used, quiet, power, response, ack;
  unsigned ctx, rests;  // cycles that it has not been at work
  uint64_t answer[RP][2];
} place;
typedef struct job {
  unsigned words, at;  // in all of memory
  unsigned delay, gone;
  uint64_t data[160];
} job;

static context cx[NC];
static place pl[NQ];
static uint64_t mem[NC * SIZE];
static uint32_t frame[64];
static unsigned frames, loaded, saved, closed, broken, none, rang, shown, dropped;
static job wr[JOBS], rd;
static unsigned writes, written, beats;
static bool reading, closing;
static unsigned close_ctx, loading = NQ;
static bool idle, calm;  // queue pairs hardly work; software rings and closes little
static bool rests;       // what is held is idle
// Writes leave late; so do responses; frames are long decided on; what is turned on takes its time to begin.
static bool late, lazy, sluggish, tardy;
static bool lonely;     // no frames come, and nothing is closed
static unsigned meets;  // in so many cycles the places at rest are met, one of which may be looked for
static unsigned eager;  // cycles in which frames often bring work
static unsigned waits;  // cycles in which nothing kept a bell from being seen to
// A case by name: queue pairs do what is due and else nothing, these owe acknowledgements or are slow, no frame leaves.
static bool still, stuck;
static uint64_t owing, slow;
static tb t;
static dut *d;

static bool posts(unsigned p) {
  const context *c = &cx[pl[p].ctx];
  return pl[p].used && c->prod != c->cons && !c->err;
}
static bool some_on(void) {
  for (unsigned p = 0; p < NQ; p++)
    if (pl[p].on) return true;
  return false;
}

static bool works(unsigned p) { return posts(p) || (pl[p].used && cx[pl[p].ctx].task); }

// ---- contexts as software makes them ----
static void open_context(unsigned i) {
  context *c = &cx[i];
  bool rung = c->rung;
  uint16_t bell = c->bell;
  memset(c, 0, sizeof *c);
  c->place = NQ;
  c->open = rnd_chance(&t, 85);
  c->bad = rnd_chance(&t, 5);
  c->rung = rung;
  c->bell = bell;
  c->word[CTL] = rnd(&t) & (NIC_QP_CTL_RECV_MASK | NIC_QP_CTL_IPV6_MASK | NIC_QP_CTL_VLAN_MASK | NIC_QP_CTL_PROC_MASK |
                            NIC_QP_CTL_RNR_MASK | NIC_QP_CTL_RETRY_MASK | NIC_QP_CTL_RNR_RETRY_MASK |
                            NIC_QP_CTL_TIMEOUT_MASK | NIC_QP_CTL_PKEY_MASK);
  c->word[CTL] |= (1 + rnd_below(&t, 5)) << NIC_QP_CTL_MTU_LSB;
  c->word[MAC] = rnd_bits(&t, 48);
  c->word[PEER] = rnd(&t) & (NIC_QP_PEER_IP_MASK | NIC_QP_PEER_QP_MASK);
  c->word[RING] = rnd(&t) & NIC_QP_RING_ADDR_MASK;
  c->word[RINGC] = 15 | rnd_bits(&t, 16) << 16;
  c->word[IP6H] = rnd(&t);
  c->word[IP6L] = rnd(&t);
  c->word[VLAN] = rnd_bits(&t, 16);
  c->cons = (uint16_t)rnd_bits(&t, 16);
  c->prod = (uint16_t)(c->cons + (rnd_chance(&t, 20) ? rnd_below(&t, 3) : 0));
  c->soft = c->prod;
  c->epsn = (uint32_t)rnd_bits(&t, 24);
  c->una = (uint32_t)rnd_bits(&t, 24);
  c->msn = (uint32_t)rnd_bits(&t, 24);
  c->err = rnd_chance(&t, 10);
  c->code = (uint8_t)rnd_bits(&t, 8);
  c->resp_err = rnd_chance(&t, 10);
  c->answers = (unsigned)rnd_below(&t, RP + 1);
  for (unsigned k = 0; k < c->answers; k++) c->answer[k][0] = rnd_bits(&t, 24), c->answer[k][1] = rnd(&t);
  if (rnd_chance(&t, 30)) c->word[VA] = rnd(&t), c->word[REST] = rnd(&t), c->word[MSG] = NIC_QP_MSG_WRITE_MASK;
  if (rnd_chance(&t, 30)) c->word[MSG] |= rnd(&t) & (NIC_QP_MSG_TOLD_MASK | NIC_QP_MSG_AGAIN_MASK);
}

static void state_words(context *c) {
  c->word[PROD] = c->prod;
  c->word[STS] = c->cons | (uint64_t)c->err << NIC_QP_STS_SEND_ERR_LSB |
                 (uint64_t)c->resp_err << NIC_QP_STS_RESP_ERR_LSB | (uint64_t)c->code << NIC_QP_STS_CODE_LSB;
  c->word[NOW] = c->epsn | (uint64_t)c->una << NIC_QP_NOW_UNA_LSB;
  c->word[MSG] = (c->word[MSG] & (NIC_QP_MSG_TOLD_MASK | NIC_QP_MSG_AGAIN_MASK | NIC_QP_MSG_WRITE_MASK)) | c->msn |
                 (uint64_t)c->task << NIC_QP_MSG_TASK_LSB | (uint64_t)c->answers << NIC_QP_MSG_ANSWERS_LSB;
}

// What is in memory: more answers than there are, where the least of what is written may not matter.
static void write_context(unsigned i) {
  context *c = &cx[i];
  state_words(c);
  memcpy(mem + i * SIZE, c->word, sizeof c->word);
  mem[i * SIZE + CTL] |= rnd_bits(&t, 1);
  mem[i * SIZE + PSN] = rnd(&t);
  mem[i * SIZE + OPEN] = c->open | rnd(&t) << 1;
  if (c->answers == RP && rnd_chance(&t, 50)) mem[i * SIZE + MSG] |= 64ull << NIC_QP_MSG_ANSWERS_LSB;
  for (unsigned k = 0; k < c->answers; k++) memcpy(mem + i * SIZE + 32 + 2 * k, c->answer[k], 16);
}

static void compare(unsigned i) {
  context *c = &cx[i];
  const uint64_t *m = mem + i * SIZE;
  state_words(c);
  for (unsigned k = 0; k < WORDS; k++)
    if (k != PSN && k != RATE) CHECK_EQ(&t, m[k], c->word[k], "P3: word %u of context %u in memory", k, i);
  for (unsigned k = 0; k < 2 * c->answers; k++)
    CHECK_EQ(&t, m[32 + k], c->answer[k / 2][k & 1], "word %u of the answers of context %u", k, i);
}

// ---- software: one access at a time ----
static enum { SW_NONE, SW_OFFERS, SW_WAITS } sw_is;
static bool sw_write;
static uint32_t sw_addr;
static uint64_t sw_data;
static unsigned sw_strb = 255;

static void sw(bool write, uint32_t addr, uint64_t data) {
  sw_is = SW_OFFERS, sw_write = write, sw_addr = addr, sw_data = data;
}

static void sw_new(bool bells, bool closes) {
  unsigned i = (unsigned)rnd_below(&t, NC), what = (unsigned)rnd_below(&t, 100);
  if (what < 55 && bells) {
    if (rnd_chance(&t, 3)) i = NC;  // there is none
    uint16_t prod = i < NC ? cx[i].soft = (uint16_t)(cx[i].soft + rnd_below(&t, 3)) : 9;
    sw(true, NIC_REG_NIC_BELL, (uint64_t)i << NIC_NIC_BELL_CTX_LSB | prod);
  } else if (what < 59 && closes && !closing) {
    sw(true, NIC_REG_NIC_CLOSE, i);
  } else if (what < 75) {
    uint32_t page = NIC_REG_QP_CTL + 256 * (uint32_t)rnd_below(&t, NQ) + 8 * (uint32_t)rnd_below(&t, 20),
             answer = NIC_REG_QP_ANSWER_PSN + 8 * (uint32_t)rnd_bits(&t, 15);
    sw(true, rnd_chance(&t, 70) ? page : answer, rnd(&t));
  } else if (what < 80) {
    if (some_on()) sw(true, NIC_REG_NIC_CTX, 0);
  } else {
    sw(false, rnd_chance(&t, 50) ? NIC_REG_NIC_CTX : NIC_REG_NIC_CLOSE, 0);
  }
}

static void sw_pins(void) {
  dut_set_s_awvalid_i(d, sw_is == SW_OFFERS && sw_write);
  dut_set_s_wvalid_i(d, sw_is == SW_OFFERS && sw_write);
  dut_set_s_arvalid_i(d, sw_is == SW_OFFERS && !sw_write);
  dut_set_s_awaddr_i(d, sw_addr);
  dut_set_s_araddr_i(d, sw_addr);
  dut_set_s_wdata_i(d, sw_data);
  dut_set_s_wstrb_i(d, sw_strb);
  dut_set_s_bready_i(d, rnd_chance(&t, 70));
  dut_set_s_rready_i(d, rnd_chance(&t, 70));
}

static void sw_done(void) {
  if (sw_is == SW_OFFERS && (dut_get_s_awready_o(d) || dut_get_s_arready_o(d)))
    sw_is = SW_WAITS;
  else if (sw_is == SW_WAITS && dut_get_s_bvalid_o(d))
    sw_is = SW_NONE;
  else if (sw_is == SW_WAITS && dut_get_s_rvalid_o(d))
    sw_is = SW_NONE;
}

// ---- memory ----
static void memory_pins(void) {
  uint32_t beat[RD_BEAT_I_WORDS] = {0};
  const unsigned per = NIC_BYTES_T_DATA_W / 64;
  bool valid = reading && rd.delay == 0;
  if (valid) {
    unsigned left = rd.words - beats * per, n = left < per ? left : per;
    bits_set(beat, NIC_BYTES_T_LAST_LSB, 1, left <= per);
    bits_set(beat, NIC_BYTES_T_ERR_LSB, 1, cx[rd.at / SIZE].bad);
    bits_set(beat, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, 8 * n);
    for (unsigned k = 0; k < n; k++) bits_set(beat, NIC_BYTES_T_DATA_LSB + 64 * k, 64, rd.data[beats * per + k]);
  }
  dut_set_rd_valid_i(d, valid);
  dut_set_rd_beat_i(d, beat);
  dut_set_rd_job_ready_i(d, !reading && rnd_chance(&t, 40));
  dut_set_wr_job_ready_i(d, writes - written < 8 && rnd_chance(&t, 50));
  dut_set_wr_pay_ready_i(d, rnd_chance(&t, 50));
  dut_set_wr_done_i(d, writes != written && wr[written % JOBS].delay == 0 && wr[written % JOBS].gone);
}

static unsigned at_of(const uint32_t *j) {
  uint64_t va = FIELD(j, DMA, VA);
  CHECK(&t, va >= BASE && va < BASE + 8 * NC * SIZE && va % 8 == 0, "an address outside: %" PRIx64, va);
  CHECK_EQ(&t, FIELD(j, DMA, RID), RID + PROC, "requester id");
  CHECK_EQ(&t, FIELD(j, DMA, SRC), 8, "source");
  return (unsigned)((va - BASE) / 8 % (NC * SIZE));
}

static unsigned paid;
static void memory_done(void) {
  uint32_t j[RD_JOB_O_WORDS], b[WR_PAY_O_WORDS];
  if (reading && rd.delay) rd.delay--;
  if (dut_get_rd_valid_i(d) && dut_get_rd_ready_o(d)) {
    beats++;
    if (beats * (NIC_BYTES_T_DATA_W / 64) >= rd.words) reading = false, meets = (unsigned)rnd_below(&t, 8);
  }
  if (dut_get_rd_job_valid_o(d) && dut_get_rd_job_ready_i(d)) {
    dut_get_rd_job_o(d, j);
    CHECK_EQ(&t, writes - written, 0, "MEM-6: writes that have not left when a context is read");
    rd.at = at_of(j);
    rd.words = (unsigned)FIELD(j, DMA, LEN) / 8;
    CHECK(&t, rd.at % SIZE == 0 ? rd.words == 32 : rd.at % SIZE == 32 && rd.words <= 2 * RP && rd.words,
          "a read of %u words", rd.words);
    for (unsigned k = 0; k < rd.words; k++) rd.data[k] = mem[rd.at + k];
    rd.delay = 1 + (unsigned)rnd_below(&t, 60);
    reading = true;
    if (cx[rd.at / SIZE].rung) waits = 0;
    beats = 0;
  }
  if (dut_get_wr_done_i(d)) {
    job *w = &wr[written++ % JOBS];
    for (unsigned k = 0; k < w->words; k++) mem[w->at + k] = w->data[k];
  }
  if (writes != written && wr[written % JOBS].delay) wr[written % JOBS].delay--;
  if (dut_get_wr_job_valid_o(d) && dut_get_wr_job_ready_i(d)) {
    dut_get_wr_job_o(d, j);
    job *w = &wr[writes++ % JOBS];
    if (paid < writes) w->gone = 0;
    w->at = at_of(j);
    w->words = (unsigned)FIELD(j, DMA, LEN) / 8;
    w->delay = (unsigned)rnd_below(&t, late ? 400 : 20);
  }
  if (dut_get_wr_pay_valid_o(d) && dut_get_wr_pay_ready_i(d)) {
    dut_get_wr_pay_o(d, b);
    job *w = &wr[paid++ % JOBS];
    w->gone = 1;
    for (unsigned k = 0; k < NIC_BYTES_T_DATA_W / 64; k++) w->data[k] = bits_get(b, NIC_BYTES_T_DATA_LSB + 64 * k, 64);
  }
}

// ---- what the NIC says of it ----
// A place that is turned on: what is told of it then. What its readers see is there a cycle later, and says of which
// context it is.
static struct {
  bool on, own;
  unsigned p;
  uint32_t go[START_GO_O_WORDS], peer[START_PEER_O_WORDS];
  unsigned epsn, spsn;
} start;

static void starts(unsigned p) {
  start.on = true;
  start.own = dut_get_own_o(d);
  start.p = p;
  dut_get_start_go_o(d, start.go);
  dut_get_start_peer_o(d, start.peer);
  start.epsn = (unsigned)dut_get_start_epsn_o(d);
  start.spsn = (unsigned)dut_get_start_spsn_o(d);
}

static void turned_on(void) {
  const uint32_t *go = start.go, *peer = start.peer;
  const unsigned p = start.p;
  uint32_t q[LOOK_O_WORDS];
  start.on = false;
  dut_get_look_o(d, q);
  unsigned i = (unsigned)FIELD(q, QP_CFG, NAME);
  CHECK(&t, i < NC && !pl[p].used && start.own, "place %u is turned on for context %u", p, i);
  context *c = &cx[i % NC];
  CHECK(&t, c->place == NQ && c->open && !c->bad, "context %u is loaded: in place %u", i, c->place);
#define GO(F, v) CHECK_EQ(&t, FIELD(go, QP_GO, F), v, #F " of context %u", i)
  GO(CONS, c->cons), GO(SEND_ERR, c->err), GO(CODE, c->code), GO(RESP_ERR, c->resp_err), GO(MSN, c->msn);
  GO(AGAIN, c->word[MSG] >> NIC_QP_MSG_AGAIN_LSB & 0xffffff), GO(TOLD, c->word[MSG] >> NIC_QP_MSG_TOLD_LSB & 1);
  GO(MSG, c->word[MSG] >> NIC_QP_MSG_WRITE_LSB & 1), GO(VA, c->word[VA]), GO(LEFT, c->word[REST] & 0xffffffff);
  GO(RKEY, c->word[REST] >> 32);
#define IS(F, v) CHECK_EQ(&t, FIELD(q, QP_CFG, F), v, #F " of context %u", i)
  IS(RING, c->word[RING]), IS(RING_SIZE, 15);
#define PEER_IS(F, v) CHECK_EQ(&t, FIELD(peer, PEER, F), v, #F " of context %u", i)
  PEER_IS(MAC, c->word[MAC]), PEER_IS(QP, c->word[PEER] >> 32), PEER_IS(PORT, c->word[RINGC] >> 16);
  CHECK_EQ(&t, start.epsn, c->epsn, "ePSN of context %u", i);
  CHECK_EQ(&t, start.spsn, c->una, "PSN of context %u", i);
  for (unsigned k = 0; k < 2 * c->answers; k++)
    CHECK_EQ(&t, pl[p].answer[k / 2][k & 1], c->answer[k / 2][k & 1], "word %u of the answers of context %u", k, i);
  pl[p] = (place){.on = true, .used = true, .power = true, .ctx = i % NC};
  memcpy(pl[p].answer, c->answer, sizeof c->answer);
  c->place = p;
  // The write that it was in is over with the next frame.
  c->word[VA] = c->word[REST] = c->word[MSG] = 0;
  loading = p;
}

static void turned_off(unsigned p) {
  const context *c = &cx[pl[p].ctx];
  bool close = closing && close_ctx == pl[p].ctx;
  CHECK(&t, pl[p].used && dut_get_own_o(d), "place %u is turned off", p);
  if (!close)
    CHECK(&t, !works(p) && !pl[p].response, "place %u is taken: %u of %u, task %u, response %u", p, c->cons, c->prod,
          c->task, pl[p].response);
  pl[p].on = false;
  pl[p].quiet = true;
}

static void rings(unsigned p, uint16_t prod) {
  context *c = &cx[pl[p].ctx];
  CHECK(&t, pl[p].used, "a doorbell of place %u", p);
  if (loading == p) {
    CHECK_EQ(&t, prod, c->prod, "producer of a load");
    CHECK(&t, c->prod != c->cons, "a doorbell for nothing");
    return;
  }
  CHECK(&t, c->rung, "context %u was not rung", pl[p].ctx);
  CHECK_EQ(&t, prod, c->bell, "producer of context %u", pl[p].ctx);
  // A task may have begun since that was looked at, before the load.
  bool other = false;
  for (unsigned k = 0; k < NQ; k++) other |= k != p && !posts(k);
  CHECK(&t, other, "all other places are at work");
  c->rung = false;
  c->prod = prod;
  rang++;
  waits = 0;
}

static void record(void) {
  uint32_t r[RET_O_WORDS];
  if (!dut_get_ret_valid_o(d)) return;
  dut_get_ret_o(d, r);
  unsigned code = (unsigned)FIELD(r, RETIRE, CODE), p = (unsigned)FIELD(r, RETIRE, IDX),
           i = (unsigned)FIELD(r, RETIRE, A);
  bool flag = FIELD(r, RETIRE, FLAG);
  CHECK_EQ(&t, FIELD(r, RETIRE, KIND), 12, "kind of record");
  CHECK(&t, i < NC, "context %u", i);
  context *c = &cx[i % NC];
  switch (code) {
    case LOADED:
      CHECK(&t, p < NQ && pl[p].used && pl[p].ctx == i && loading == p, "context %u is said to be in place %u", i, p);
      loading = NQ;
      loaded++;
      return;
    case SAVED:
      CHECK(&t, p < NQ && pl[p].used && pl[p].ctx == i && !pl[p].on, "context %u is said to be saved from place %u", i,
            p);
      pl[p].used = false;
      c->place = NQ;
      c->moved = true;
      saved++;
      return;
    case CLOSED:
      if (flag) {
        CHECK(&t, closing && close_ctx == i && c->place == NQ && writes == written, "context %u is said to be closed",
              i);
        CHECK_EQ(&t, mem[i * SIZE + OPEN], 0, "OPEN of context %u", i);
        if (c->moved) compare(i);
        closing = c->open = c->rung = false;  // memory is software's
        closed++;
        return;
      }
      CHECK(&t, !c->open && !c->bad, "context %u is said to have been closed", i);
      break;
    case BROKEN:
      CHECK(&t, c->bad, "context %u is said to be broken", i);
      broken++;
      break;
    default:
      for (unsigned k = 0; k < NQ; k++)
        CHECK(&t, pl[k].on && pl[k].rests <= LAG, "no place, and place %u is not at work", k);
      none++;
  }
  CHECK(&t, c->place == NQ, "context %u is in place %u", i, c->place);
  if (c->rung) waits = 0;
  if (code != NOPLACE) c->rung = false;
  c->said = true;
}

// ---- the register bus: answers, and what else nic_qp asks of a queue pair ----
static reg_bus on_bus(void) {
  reg_bus b;
  dut_get_rb_o(d, b.words);
  return b;
}
static uint32_t bus_addr(void) { return (uint32_t)REG_BUS(on_bus().words, ADDR) << 3; }
static bool is_answer(uint32_t a, unsigned *p, unsigned *k) {
  *p = (a - NIC_REG_QP_ANSWER_PSN) / 1024, *k = a % 1024 / 8;
  return a >= NIC_REG_QP_ANSWER_PSN && a < 0x80000 && *p < NQ && *k < 2 * RP;
}

static void state_pins(void) {
  unsigned p = (unsigned)dut_get_rb_qp_o(d) % NQ, k, q;
  const context *c = &cx[pl[p].ctx];
  uint32_t a = bus_addr();
  bool used = pl[p].used;
  dut_set_cons_i(d, used ? c->cons : 0);
  dut_set_send_err_i(d, used && c->err);
  dut_set_code_i(d, used ? c->code : 0);
  dut_set_resp_err_i(d, used && c->resp_err);
  dut_set_epsn_i(d, used ? c->epsn : 0);
  dut_set_una_i(d, used ? c->una : 0);
  dut_set_msn_i(d, used ? c->msn : 0);
  dut_set_task_i(d, used && c->task);
  dut_set_answers_i(d, used ? c->answers : 0);
  uint64_t more = 0;
  if (is_answer(a, &q, &k)) more = pl[q].answer[k / 2][k & 1];
  dut_set_more_i(d, more);
  dut_set_look_i(d, start.on ? start.p : p);
}

// Bytes that are not written count as 0.
static uint64_t written_bytes(uint64_t v, unsigned strb) {
  for (unsigned k = 0; k < 8; k++)
    if (!(strb >> k & 1)) v &= ~(255ull << 8 * k);
  return v;
}

static void bus(void) {
  if (start.on) turned_on();
  const reg_bus b = on_bus();
  if (!REG_BUS(b.words, WE)) return;
  unsigned p, k;
  uint32_t a = bus_addr();
  uint64_t v = REG_BUS(b.words, WDATA);
  bool own = dut_get_own_o(d);
  CHECK(&t, !own || a >= NIC_REG_QP_CTL, "the NIC writes register %x", a);
  CHECK_EQ(&t, dut_get_refuse_o(d), !own && a >= NIC_REG_QP_CTL, "P2: a write of software's to %x", a);
  if (own && is_answer(a, &p, &k)) pl[p].answer[k / 2][k & 1] = v;
  const unsigned strb = (unsigned)REG_BUS(b.words, WSTRB);
  const uint64_t rung = written_bytes(v, strb);
  if (!own && a == NIC_REG_NIC_BELL && strb & 15 && (rung >> 16 & 0xfff) < NC) {
    cx[rung >> 16 & 0xfff].rung = true;
    cx[rung >> 16 & 0xfff].bell = (uint16_t)rung;
  }
  if (!own && a == NIC_REG_NIC_CTX && !closing && !some_on())
    for (unsigned i = 0; i < NC; i++) cx[i].rung = false;  // CTX-1
  if (!own && a == NIC_REG_NIC_CLOSE && strb & 3 && !closing) closing = true, close_ctx = (unsigned)v;
  p = (unsigned)dut_get_pulse_qp_o(d);
  if (dut_get_start_valid_o(d)) starts(p);
  if (dut_get_stop_valid_o(d)) turned_off(p);
  if (dut_get_bell_valid_o(d)) rings(p, (uint16_t)dut_get_bell_prod_o(d));
  CHECK(&t, !(own && (a & 255) == 8 * PROD && a < 0x20000) || dut_get_bell_valid_o(d), "a producer was refused");
}

// ---- frames ----
static void frame_decided(void) {
  uint32_t qp = frame[0], as = (uint32_t)dut_get_head_qp_o(d);
  unsigned i = qp & 0xfff, p = as & 255;
  bool ours = qp >> 12 == QPN >> 4 && i < NC;
  if (as >> 8 == QPN) {
    CHECK(&t, ours && p < NQ && pl[p].on && pl[p].ctx == i && loading != p, "a frame of %x is shown at place %u", qp,
          p);
    context *c = &cx[pl[p % NQ].ctx];
    c->epsn = (c->epsn + 1) & 0xffffff;
    if (rnd_chance(&t, 50)) c->msn = (c->msn + 1) & 0xffffff;
    if (!still && rnd_chance(&t, 20)) pl[p].ack = true;
    if (!still && rnd_chance(&t, 20)) pl[p].response = true;
    if (rnd_chance(&t, 20)) {
      if (c->answers == RP)
        memmove(c->answer, c->answer + 1, sizeof c->answer - sizeof c->answer[0]);
      else
        c->answers++;
      c->answer[c->answers - 1][0] = c->epsn;
      c->answer[c->answers - 1][1] = rnd(&t);
      memcpy(pl[p].answer, c->answer, sizeof c->answer);
    }
    c->task = (bool)dut_get_resp_task_i(d);
    shown++;
  } else {
    CHECK_EQ(&t, p, qp & 255, "bits 7:0 of a frame of nobody");
    CHECK(&t, !ours || cx[i].said, "a frame of context %u is dropped, and nothing was said of it", i);
    dropped++;
  }
  memmove(frame, frame + 1, --frames * sizeof *frame);
  if (ours) cx[i].said = false;
}

static uint32_t frame_of(unsigned i) { return (QPN >> 4) << 12 | i; }

static uint32_t new_frame(void) {
  if (rnd_chance(&t, 5)) return (uint32_t)rnd_bits(&t, 24);
  unsigned near = (unsigned)rnd_below(&t, NC);
  if (rnd_chance(&t, 50)) near = pl[rnd_below(&t, NQ)].ctx;
  return frame_of(near) | (rnd_chance(&t, 2) ? NC : 0);
}

// A bell is seen to where nothing else is under way and two places are not at work: its context is here, or read. What
// is counted is the search for it, and the writes with which a context comes into its place, 250 cycles of the 500.
static void bell_waits(void) {
  unsigned spare = 0;
  bool due = false, busy = frames || closing || reading || loading != NQ || writes != written || sw_is != SW_NONE;
  for (unsigned k = 0; k < NQ; k++) {
    spare += !pl[k].used || (pl[k].rests > LAG && !pl[k].response);
    busy |= pl[k].used && !pl[k].on;  // it is being saved
  }
  for (unsigned i = 0; i < NC; i++) due |= cx[i].rung;
  if (!due || spare < 2) waits = 0;
  if (due && spare >= 2 && !busy) waits++;
  CHECK(&t, waits != 500, "a bell waits for nothing");
}

// Queue pairs: one of them ends a request, but not while what is idle is held; acknowledgements and responses leave.
static void work_pins(void) {
  unsigned p = (unsigned)rnd_below(&t, NQ);
  context *c = &cx[pl[p].ctx];
  bool req = pl[p].on && pl[p].power && loading != p && (!tardy || still || rnd_chance(&t, 1)),
       quiet = !req && pl[p].quiet && rnd_chance(&t, 20);
  if (req && rnd_chance(&t, 50)) pl[p].power = false;
  if (!rests && pl[p].on && loading != p && !pl[p].power && c->prod != c->cons && !c->err &&
      rnd_chance(&t, idle && !still ? 1 : 10)) {
    req = true;
    if (rnd_chance(&t, 3))
      c->err = true, c->code = 3;
    else
      c->cons++, c->una = (c->una + 1) & 0xffffff;
  }
  dut_set_req_valid_i(d, req);
  dut_set_req_qp_i(d, p);
  dut_set_req_cons_i(d, c->cons);
  dut_set_req_err_i(d, c->err);
  dut_set_quiet_valid_i(d, quiet);
  dut_set_quiet_qp_i(d, p);
  if (quiet) pl[p].quiet = false;
  if (rnd_chance(&t, 10)) pl[p].ack = false;
  if (rnd_chance(&t, lazy ? 1 : 10)) pl[p].response = false;
  uint64_t acks = 0, responses = 0;
  for (unsigned k = 0; k < NQ; k++) acks |= (uint64_t)pl[k].ack << k, responses |= (uint64_t)pl[k].response << k;
  dut_set_acks_i(d, acks | owing);
  dut_set_responses_i(d, responses);
  dut_set_slow_i(d, still ? slow : rnd_chance(&t, 2) ? rnd_bits(&t, NQ) : 0);
}

static void cycle(bool more, bool bells, bool closes) {
  static unsigned age;
  if (dut_cycle(d) % 3000 == 0)
    idle = rnd_chance(&t, 40), calm = rnd_chance(&t, 40), late = rnd_chance(&t, 30), lazy = rnd_chance(&t, 30),
    sluggish = rnd_chance(&t, 40), tardy = rnd_chance(&t, 50), lonely = rnd_chance(&t, 25);
  if (more && !lonely && frames < 12 && rnd_chance(&t, 8)) frame[frames++] = new_frame();
  unsigned p = (unsigned)rnd_below(&t, NQ);
  if (meets && !--meets && more && !frames) {
    for (unsigned k = 0; k < NQ && frames < 12; k++, p = (p + 1) % NQ)
      if (pl[p].on && !works(p)) frame[frames++] = frame_of(pl[p].ctx);
    eager = 40;
  }
  if (eager) eager--;
  if (sw_is == SW_NONE && rnd_chance(&t, calm ? 1 : 8)) sw_new(bells, closes && !lonely);
  dut_set_head_valid_i(d, frames > 0);
  dut_set_head_qp_i(d, frames > 0 ? frame[0] : 0);
  dut_set_next_valid_i(d, frames > 1);
  dut_set_next_qp_i(d, frames > 1 ? frame[1] : 0);
  rests = dut_get_hold_o(d) && (rests || rnd_chance(&t, 60));
  dut_set_idle_i(d, rests);
  dut_set_head_ready_i(d, 0);
  dut_set_resp_valid_i(d, 0);
  sw_pins();
  memory_pins();
  work_pins();
  dut_eval(d);
  state_pins();
  bool shows = dut_get_head_valid_o(d),
       goes = shows && !stuck && age >= 2 && !dut_get_hold_o(d) && rnd_chance(&t, sluggish ? 3 : 60);
  p = (unsigned)dut_get_head_qp_o(d) & 255;
  age = shows && !goes ? age + 1 : 0;
  dut_set_head_ready_i(d, goes);
  if (goes && dut_get_head_qp_o(d) >> 8 == QPN) {
    const context *c = &cx[pl[p % NQ].ctx];
    dut_set_resp_valid_i(d, 1);
    dut_set_resp_qp_i(d, p);
    dut_set_resp_task_i(d, c->task ? rnd_chance(&t, 50) : !still && rnd_chance(&t, eager ? 60 : 15));
  }
  dut_eval(d);
  if (goes) frame_decided();
  bus();
  record();
  bell_waits();
  memory_done();
  sw_done();
  for (unsigned k = 0; k < NQ; k++) pl[k].rests = works(k) ? 0 : pl[k].rests + 1;
  dut_tick(d);
  // A context on which the NIC's hand is not is made anew (CTX-3).
  unsigned i = (unsigned)rnd_below(&t, NC);
  if (closes && !cx[i].open && cx[i].place == NQ && !cx[i].rung && !reading && !closing && loading == NQ &&
      sw_is == SW_NONE && rnd_chance(&t, 30)) {
    bool wanted = false;
    for (unsigned k = 0; k < frames; k++) wanted |= (frame[k] & 0xfff) == i;
    if (!wanted) open_context(i), write_context(i);
  }
}

static void access(bool write, uint32_t addr, uint64_t data) {
  unsigned n = 0;
  while (sw_is != SW_NONE && n++ < 20000) cycle(false, false, false);
  CHECK(&t, sw_is == SW_NONE, "software's access before has not ended");
  sw(write, addr, data);
  n = 0;
  while (sw_is != SW_NONE && n++ < 20000) cycle(false, false, false);
  CHECK(&t, sw_is == SW_NONE, "software's access has not ended");
}

static void ring(unsigned i) {
  uint64_t prod = cx[i].soft = (uint16_t)(cx[i].soft + rnd_below(&t, 3));
  access(true, NIC_REG_NIC_BELL, (uint64_t)i << NIC_NIC_BELL_CTX_LSB | prod);
}

// A host of 32 bits writes each word in two halves, the upper one of which says nothing (CTX-1).
static void half(unsigned strb, uint32_t addr, uint64_t data) {
  sw_strb = strb;
  access(true, addr, data);
  sw_strb = 255;
}
static void halves(void) {
  const unsigned was = rang + closed + broken;
  for (unsigned k = 0; k < 8; k++) {
    half(0xf0, k & 1 ? NIC_REG_NIC_CLOSE : NIC_REG_NIC_BELL, 0);
    for (unsigned n = 0; n < 600; n++) cycle(false, false, false);
  }
  CHECK_EQ(&t, rang + closed + broken, was, "bells and closes of upper halves");
}

// NIC_CTX is written while bells wait, and a context is read for the first: they are forgotten (CTX-1).
static void forgotten(void) {
  const unsigned was = loaded;
  for (unsigned n = 0; n < NC; n++) {
    for (unsigned k = 0; k < 4; k++) ring((n + 5 * k) % NC);
    access(true, NIC_REG_NIC_CTX, BASE | PROC << 4 | 1);
    for (unsigned k = 0; k < 300; k++) cycle(false, false, false);
  }
  CHECK_EQ(&t, loaded, was, "contexts that were loaded for a bell that is forgotten");
}

// ---- cases by name, in which only what they say happens ----
// Until nothing is under way.
static void settle(void) {
  bool busy = true;
  for (unsigned n = 0; busy && n < 50000; n++) {
    cycle(false, false, false);
    busy = frames || reading || writes != written || loading != NQ || sw_is != SW_NONE;
    for (unsigned i = 0; i < NC; i++) busy |= cx[i].rung;
    for (unsigned p = 0; p < NQ; p++) busy |= pl[p].used && (!pl[p].on || posts(p));
  }
  CHECK(&t, !busy, "bells, frames or requests never end");
  for (uint64_t n = 20 + rnd_below(&t, 40); n > 0; n--) cycle(false, false, false);
}

// A context that can be loaded, and has nothing to do.
static void sound_context(unsigned i, uint16_t cons) {
  context *c = &cx[i];
  open_context(i);
  c->open = true;
  c->bad = c->err = c->resp_err = false;
  c->cons = c->prod = c->soft = cons;
  write_context(i);
}

// A bell that brings no work.
static void ring_idle(unsigned i) {
  access(true, NIC_REG_NIC_BELL, (uint64_t)i << NIC_NIC_BELL_CTX_LSB | cx[i].prod);
  settle();
}

// A frame for the context of a place.
static void send_to(unsigned p) {
  CHECK(&t, frames < sizeof frame / sizeof *frame, "frames never leave");
  if (frames < sizeof frame / sizeof *frame) frame[frames++] = frame_of(pl[p].ctx);
}

// The place into which the next context that is in none comes.
static unsigned load_another(void) {
  static unsigned i;
  for (unsigned n = 0; n < NC && (n == 0 || cx[i].place != NQ); n++) i = (i + 1) % NC;
  ring_idle(i);
  CHECK(&t, cx[i].place != NQ, "context %u finds no place", i);
  return cx[i].place;
}

// CTX-1: a byte of NIC_BELL that is not written counts as 0, whatever its wires say. What each bell means is a request
// more than its context had.
static void bells_in_part(void) {
  static const struct {
    unsigned strb;
    uint32_t says, means;
  } bells[] = {{0x0e, 0x00011334, 0x00011300}, {0x0d, 0x00025a07, 0x00020007}, {0x0c, 0x0003ffff, 0x00030000},
               {0x04, 0x00041234, 0x00040000}, {0x07, 0xff051235, 0x00051235}, {0x0b, 0x00061236, 0x00001236}};
  for (unsigned k = 0; k < sizeof bells / sizeof *bells; k++) {
    unsigned i = bells[k].means >> NIC_NIC_BELL_CTX_LSB;
    sound_context(i, (uint16_t)(bells[k].means - 1));
    half(bells[k].strb, NIC_REG_NIC_BELL, bells[k].says);
    settle();
    cx[i].soft = cx[i].prod;
    CHECK_EQ(&t, cx[i].prod, (uint16_t)bells[k].means, "producer after a bell of bytes %x", bells[k].strb);
  }
}

// CTX-6: all places are at rest, and a search has come by all of them. Of these one, q, is as it was then, all others
// owe acknowledgements, are slow, have met a frame or have met a bell: q is taken. If all are alike the one behind that
// which was taken last is (P3 of nic_ctx_seek).
enum { OWE, SLOW, MET, RUNG, ALIKE, WAYS };
static const char *const way_name[WAYS] = {"owe acknowledgements", "are slow", "have met a frame", "have met a bell",
                                           "are like it (P3 of nic_ctx_seek)"};
static void make_busy(unsigned way, unsigned q) {
  const uint64_t others = ((1ull << NQ) - 1) & ~(1ull << q);
  if (way == OWE) owing = others;
  if (way == SLOW) slow = others;
  for (unsigned p = 0; p < NQ; p++) {
    if (p != q && way == MET) send_to(p);
    if (p != q && way == RUNG) ring_idle(pl[p].ctx);
  }
  settle();
}
static void which_place(void) {
  for (unsigned i = 0; i < NC; i++)
    if (cx[i].place == NQ && (!cx[i].moved || !cx[i].open)) sound_context(i, (uint16_t)rnd_bits(&t, 16));
  for (unsigned p = 0; p < NQ; p++) load_another();
  for (unsigned way = 0; way < WAYS; way++) {
    for (unsigned k = 1; k < NQ; k += (NQ + 3) / 4) {
      owing = (1ull << NQ) - 1;  // none is better than another: the search comes by all
      unsigned last = load_another(), q = (last + (way == ALIKE ? 1 : k)) % NQ;
      owing = 0;
      make_busy(way, q);
      CHECK_EQ(&t, load_another(), q, "CTX-6: the place that is taken where all others %s", way_name[way]);
      owing = slow = 0;
    }
  }
}

// The frame behind the head is shown when it has been looked up, 2 cycles, while the head stays (nic_ctx_head).
static void one_behind(void) {
  stuck = true;
  for (unsigned p = 0; p < NQ; p++) {
    unsigned next = (p + 1) % NQ;
    send_to(p);
    for (uint64_t n = 5 + rnd_below(&t, 8); n > 0; n--) cycle(false, false, false);
    CHECK(&t, dut_get_head_valid_o(d) && dut_get_head_qp_o(d) == (QPN << 8 | p), "the frame of place %u is shown", p);
    send_to(next);
    for (unsigned n = 0; n < 3; n++) cycle(false, false, false);
    CHECK(&t, dut_get_next_valid_o(d) && dut_get_next_qp_o(d) == (QPN << 8 | next),
          "the frame of place %u is shown behind that of place %u", next, p);
    stuck = false;
    settle();
    stuck = true;
  }
  stuck = false;
}

// Behind the random part, which is not to depend on them.
static void cases(void) {
  still = true;
  settle();
  bells_in_part();
  which_place();
  one_behind();
  still = false;
}

// Nobody's bell is lost. Frames go on, since what is in a message stays at work until its last one.
static void all_served(void) {
  unsigned due = NC;
  for (unsigned n = 0; due && n < 200000; n++) {
    cycle(true, false, false);
    due = 0;
    for (unsigned i = 0; i < NC; i++) due += cx[i].rung;
  }
  CHECK_EQ(&t, due, 0, "bells that are never served");
}

// Frames end, then all contexts are closed (CTX-13), and memory has them.
static void close_all(void) {
  for (unsigned n = 0; frames && n < 100000; n++) cycle(false, false, false);
  CHECK_EQ(&t, frames, 0, "frames that wait");
  for (unsigned i = 0; i < NC; i++) {
    for (unsigned n = 0; closing && n < 20000; n++) cycle(false, false, false);
    access(true, NIC_REG_NIC_CLOSE, i);
    for (unsigned n = 0; closing && n < 20000; n++) cycle(false, false, false);
    CHECK(&t, !closing && !cx[i].open && cx[i].place == NQ, "context %u has not been closed", i);
  }
  for (unsigned p = 0; p < NQ; p++) CHECK(&t, !pl[p].on && !pl[p].used, "place %u is on", p);
}

int main(int argc, char **argv) {
  tb_init(&t, argc, argv, "nic_ctx", 300000);
  d = dut_begin(&t);
  for (unsigned i = 0; i < NC; i++) open_context(i), write_context(i);
  dut_reset(d, 2);
  access(true, NIC_REG_NIC_CTX, BASE | PROC << 4 | 1);
  forgotten();
  halves();
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) cycle(true, true, true);
  all_served();
  close_all();
  cases();
  close_all();
  access(true, NIC_REG_NIC_CTX, 0);
  dut_set_head_valid_i(d, 1);
  dut_set_head_qp_i(d, 0x123456);
  dut_eval(d);
  CHECK(&t, dut_get_head_valid_o(d) && dut_get_head_qp_o(d) == 0x123456, "P1: without contexts a head passes as it is");
  printf(
      "nic_ctx: %u loaded, %u saved, %u closed, %u broken, %u without a place, %u bells, %u frames shown, %u dropped\n",
      loaded, saved, closed, broken, none, rang, shown, dropped);
  CHECK(&t,
        loaded > tb_least(&t, 100) && saved > tb_least(&t, 60) && rang > tb_least(&t, 60) && shown > tb_least(&t, 400),
        "enough has happened");
  CHECK(&t, closed > tb_least(&t, NC), "and of all kinds");
  CHECK(&t, t.cycles < t.whole || (broken && dropped && (none || NQ > 4)), "also the rare ones");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
