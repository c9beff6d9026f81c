// SPDX-License-Identifier: Apache-2.0
// cm_axil_serial: a host that asks for registers over a line that loses and spoils bytes, and asks again until it is
// answered. A memory on the bus counts what is done: every write once, every read with the right value, whatever
// happens on the line. While the line is good each request has its one answer, bit by bit, also those that stop, come
// again, have a wrong crc or ask for what there is not.
// config: default -GAddrW=21 -GGap=200
// config: narrow -GAddrW=6 -GGap=50
// netlist: narrow
#include <string.h>

#include "tb.h"
#include "cm_axil_serial_tb.h"

enum { WORDS = 8, PAUSE = 4 };  // cycles between bytes, at least

static uint8_t crc8(const uint8_t *p, unsigned n) {
  uint8_t c = 0;
  for (; n--; p++) {
    c ^= *p;
    for (int i = 0; i < 8; i++) c = (uint8_t)(c & 0x80 ? c << 1 ^ 7 : c << 1);
  }
  return c;
}

// What kind of request it is, and what must be answered. AGAIN: the last one that was done. CRC: a byte is not the one
// that the crc was made of.
typedef enum kind { GOOD, AGAIN, CRC, UNALIGNED, FAR, FORM, KINDS } kind;

typedef struct request {
  uint8_t out[16], op;
  unsigned outs;
  bool write, wide;
  uint32_t addr;
  unsigned word;  // of the memory
  uint64_t value;
} request;

// The line and the bus: what the host has asked for, what memory has and what the host knows of it.
typedef struct {
  tb *t;
  dut *d;
  kind k;
  request q, last;  // last: the last one that was done, if any was
  bool any;
  uint8_t in[16], first[16];             // the answer; that to `last`
  unsigned sent, ins, want, wait, turn;  // want: bytes of the answer, once known
  bool waits, stopped;                   // the request has been sent; it was left in the middle
  uint32_t at[WORDS];                    // where the words of memory are
  uint64_t mem[WORDS], have[WORDS];      // on the bus; as the host knows it
  unsigned done, again, accesses, meant, spoilt, unmeant, strb, kinds[KINDS];
  bool aw, w, bvalid, r, noise, clean, out_ready, awready, wready, arready;
  bool refused;  // the bus answered the last access with an error
  unsigned resp;
  uint64_t awaddr, wdata, rdata, held[3];  // held: what waits on AW, W and AR
  bool holds[3];
} bench;

static void compose(bench *v) {
  request *q = &v->q;
  q->write = rnd_chance(v->t, 50);
  q->wide = rnd_chance(v->t, 50);
  q->value = rnd(v->t);
  q->word = (unsigned)rnd_below(v->t, WORDS);
  q->addr = v->at[q->word] + (q->wide || rnd_chance(v->t, 50) ? 0 : 4);
  unsigned bytes = q->wide ? 8 : 4;
  if (v->k == UNALIGNED) q->addr += q->wide && rnd_chance(v->t, 50) ? 4 : 1 + (uint32_t)rnd_below(v->t, 3);
  if (v->k == FAR) q->addr |= 1u << (P_AddrW + rnd_below(v->t, 24 - P_AddrW));
  q->op = (uint8_t)(q->write << 7 | v->turn << 6 | bytes);
  // Another number of bytes, or a bit that is to be 0.
  while (v->k == FORM && ((q->op & 63) == 4 || (q->op & 63) == 8))
    q->op = (uint8_t)(rnd_chance(v->t, 50) ? (q->op & 0xC0) | rnd_bits(v->t, 4) : q->op ^ rnd_bits(v->t, 2) << 4);
  q->out[0] = 0xA5;
  q->out[1] = q->op;
  for (unsigned i = 0; i < 3; i++) q->out[2 + i] = (uint8_t)(q->addr >> 8 * i);
  q->outs = 5;
  for (unsigned i = 0; q->write && v->k != FORM && i < bytes; i++) q->out[q->outs++] = (uint8_t)(q->value >> 8 * i);
  q->out[q->outs] = crc8(q->out + 1, q->outs - 1);
  q->outs++;
  if (v->k == CRC) q->out[2 + rnd_below(v->t, q->outs - 2)] ^= (uint8_t)(1u << rnd_below(v->t, 8));
}

static void ask(bench *v) {
  v->sent = v->ins = v->want = 0;
  v->wait = PAUSE;
  v->waits = v->stopped = false;
}

static void next(bench *v) {
  v->k = rnd_chance(v->t, 50) ? GOOD : rnd_chance(v->t, 20) ? AGAIN : (kind)rnd_below(v->t, KINDS);
  if (v->k == AGAIN && !v->any) v->k = GOOD;
  if (v->k == AGAIN)
    v->q = v->last;
  else
    compose(v);
  ask(v);
}

// A request goes on if it stops for fewer than Gap cycles, and is forgotten if it stops for Gap: then it begins anew,
// also with the very byte of the cycle in which it is forgotten.
static void pause(bench *v) {
  v->wait = rnd_chance(v->t, 3) ? P_Gap - (unsigned)rnd_below(v->t, 2) : PAUSE + (unsigned)rnd_below(v->t, 8);
  if (v->sent < v->q.outs && rnd_chance(v->t, 2)) {
    ask(v);
    v->wait = P_Gap + 1 + (unsigned)rnd_below(v->t, 3);
    v->stopped = true;
  }
}

static void speak(bench *v) {
  bool valid = false;
  uint8_t byte = (uint8_t)rnd(v->t);
  if (!v->waits && v->wait && !--v->wait) {
    byte = v->q.out[v->sent++];
    valid = !(v->noise && rnd_chance(v->t, 1));
    if (v->noise && rnd_chance(v->t, 1)) byte ^= (uint8_t)(1u << rnd_below(v->t, 8)), v->spoilt++;
    v->spoilt += !valid;
    if (v->sent == v->q.outs)
      v->waits = true, v->wait = 0;
    else
      pause(v);
  } else if (v->waits && ++v->wait > P_Gap + 600) {
    CHECK(v->t, !v->clean, "P2: a request of kind %d has no answer", (int)v->k);
    v->again++;
    ask(v);  // nothing good came
  } else if (!v->waits && v->sent == 0 && !v->stopped && rnd_chance(v->t, 5)) {
    valid = byte != 0xA5;  // what is no request
  }
  dut_set_in_valid_i(v->d, valid);
  dut_set_in_data_i(v->d, byte);
}

static void drive(bench *v) {
  speak(v);
  v->out_ready = rnd_chance(v->t, 30);
  v->awready = !v->aw && !v->bvalid && rnd_chance(v->t, 40);
  v->wready = !v->w && !v->bvalid && rnd_chance(v->t, 40);
  v->arready = !v->r && rnd_chance(v->t, 40);
  dut_set_out_ready_i(v->d, v->out_ready);
  dut_set_m_awready_i(v->d, v->awready);
  dut_set_m_wready_i(v->d, v->wready);
  dut_set_m_arready_i(v->d, v->arready);
  dut_set_m_bvalid_i(v->d, v->bvalid);
  dut_set_m_bresp_i(v->d, v->bvalid ? v->resp : rnd_bits(v->t, 2));
  dut_set_m_rvalid_i(v->d, v->r);
  dut_set_m_rresp_i(v->d, v->r ? v->resp : rnd_bits(v->t, 2));
  dut_set_m_rdata_i(v->d, v->r ? v->rdata : rnd(v->t));
  dut_eval(v->d);
}

static void respond(bench *v) {
  v->resp = rnd_chance(v->t, 30) ? 2 + (unsigned)rnd_bits(v->t, 1) : 0;
  v->refused = v->resp != 0;
  v->accesses++;
}

static unsigned word_at(bench *v, uint64_t addr) {
  for (unsigned i = 0; i < WORDS; i++)
    if (v->at[i] == addr) return i;
  CHECK(v->t, false, "P1: access to %llx", (unsigned long long)addr);
  return 0;
}

// P3: what is shown and not taken stays.
static void holds(bench *v) {
  bool on[3] = {dut_get_m_awvalid_o(v->d), dut_get_m_wvalid_o(v->d), dut_get_m_arvalid_o(v->d)},
       ready[3] = {v->awready, v->wready, v->arready};
  uint64_t now[3] = {dut_get_m_awaddr_o(v->d), dut_get_m_wdata_o(v->d) ^ dut_get_m_wstrb_o(v->d),
                     dut_get_m_araddr_o(v->d)};
  for (unsigned i = 0; i < 3; i++) {
    if (v->holds[i]) CHECK(v->t, on[i] && now[i] == v->held[i], "P3: channel %u changes while it waits", i);
    v->holds[i] = on[i] && !ready[i];
    v->held[i] = now[i];
  }
}

static void bus(bench *v) {
  holds(v);
  if (v->bvalid && dut_get_m_bready_o(v->d)) v->bvalid = false;
  if (v->r && dut_get_m_rready_o(v->d)) v->r = false;
  if (v->awready && dut_get_m_awvalid_o(v->d)) v->aw = true, v->awaddr = dut_get_m_awaddr_o(v->d);
  if (v->wready && dut_get_m_wvalid_o(v->d))
    v->w = true, v->wdata = dut_get_m_wdata_o(v->d), v->strb = (unsigned)dut_get_m_wstrb_o(v->d);
  if (v->aw && v->w) {
    uint64_t *m = &v->mem[word_at(v, v->awaddr)];
    for (unsigned i = 0; i < 8; i++)
      if (v->strb >> i & 1) *m = (*m & ~(0xffull << 8 * i)) | (v->wdata & 0xffull << 8 * i);
    v->aw = v->w = false;
    v->bvalid = true;
    respond(v);
  }
  if (v->arready && dut_get_m_arvalid_o(v->d)) {
    v->rdata = v->mem[word_at(v, dut_get_m_araddr_o(v->d))];
    v->r = true;
    respond(v);
  }
}

// A new request has been done, once.
static void done(bench *v) {
  const request *q = &v->q;
  unsigned status = v->in[1], shift = 8 * (q->addr & 4);
  uint64_t mask = q->wide ? ~0ull : 0xffffffffull << shift;
  CHECK_EQ(v->t, status, v->refused, "P2: status");
  v->meant++;
  if (q->write) {
    v->have[q->word] = (v->have[q->word] & ~mask) | (q->value << shift & mask);
    CHECK_EQ(v->t, v->mem[q->word], v->have[q->word], "P1: what was written to word %u", q->word);
  } else if (!status) {
    uint64_t got = 0;
    for (unsigned i = 0; i < (q->wide ? 8u : 4u); i++) got |= (uint64_t)v->in[2 + i] << 8 * i;
    CHECK_EQ(v->t, got, (v->have[q->word] & mask) >> shift, "P1: what was read of word %u", q->word);
  }
  v->turn ^= 1;
  v->any = true;
  v->last = v->q;
  memcpy(v->first, v->in, sizeof v->in);
}

static void answered(bench *v) {
  if (v->k == GOOD)
    done(v);
  else if (v->k == AGAIN)
    CHECK_MEM(v->t, v->in, v->first, v->want, "P2: the answer to the last request, once more");
  else
    CHECK_EQ(v->t, v->in[1], v->k == CRC ? 2 : 3, "P2: status of a request of kind %d", (int)v->k);
  // What noise has made of a request has the right crc by chance, once in some hundreds: a write without its bit 7 is a
  // read, whose crc is the first byte of data.
  if (!v->clean && v->accesses > v->meant) {
    v->unmeant += v->accesses - v->meant;
    v->meant = v->accesses;
    memcpy(v->have, v->mem, sizeof v->have);
  }
  CHECK_EQ(v->t, v->accesses, v->meant, "P1: accesses, each once");
  v->kinds[v->k]++;
  v->done++;
  v->clean = !v->noise;
  next(v);
}

static void line_back(bench *v) {
  if (v->clean && !v->waits) CHECK(v->t, !dut_get_out_valid_o(v->d), "P2: an answer that nobody asked for");
  if (!v->out_ready || !dut_get_out_valid_o(v->d)) return;
  uint8_t byte = (uint8_t)dut_get_out_data_o(v->d);
  if (v->noise && rnd_chance(v->t, 1)) byte ^= (uint8_t)(1u << rnd_below(v->t, 8)), v->spoilt++;
  if (v->clean && !v->ins) CHECK_EQ(v->t, byte, 0x5A, "P2: an answer begins");
  if (v->ins < sizeof v->in && (v->ins || byte == 0x5A)) v->in[v->ins++] = byte;
  if (v->ins == 2) {
    bool data = !v->q.write && v->in[1] == 0 && (v->k == GOOD || v->k == AGAIN);
    v->want = 3 + (!data ? 0 : v->q.wide ? 8 : 4);
  }
  if (v->ins <= 2 || v->ins != v->want) return;
  bool good = crc8(v->in + 1, v->ins - 2) == v->in[v->ins - 1] && (v->in[1] != 2 || v->k == CRC) && v->waits;
  if (good) {
    answered(v);
    return;
  }
  CHECK(v->t, !v->clean, "P2: no good answer to a request of kind %d, status %u", (int)v->k, v->in[1]);
  v->again++;
  ask(v);
  v->wait = P_Gap + 100;  // let what is on its way end
}

// What was done is forgotten: the last request is a new one.
static void reset(bench *v) {
  dut_reset(v->d, 1);
  memcpy(v->have, v->mem, sizeof v->have);
  v->meant = v->accesses;
  v->aw = v->w = v->bvalid = v->r = v->holds[0] = v->holds[1] = v->holds[2] = false;
  v->clean = !v->noise;
  next(v);
  if (!v->any || rnd_chance(v->t, 50)) {
    v->any = false;
    v->k = GOOD;
    compose(v);
  } else {
    v->k = GOOD;
    v->q = v->last;
    v->turn = v->q.op >> 6 & 1;
  }
}

int main(int argc, char **argv) {
  static bench all;
  bench *v = &all;
  tb t;
  tb_init(&t, argc, argv, "cm_axil_serial", 100000);
  v->t = &t;
  v->d = dut_begin(&t);
  for (unsigned i = 0; i < WORDS; i++) v->at[i] = (uint32_t)rnd_bits(&t, P_AddrW - 6) << 6 | i << 3;
  dut_reset(v->d, 2);
  reset(v);
  while (dut_cycle(v->d) < t.cycles) {
    v->noise = dut_cycle(v->d) / 5000 % 2;
    v->clean = v->clean && !v->noise;
    drive(v);
    if (rnd_below(&t, 3000) == 0) {
      reset(v);
      continue;
    }
    bus(v);
    line_back(v);
    dut_tick(v->d);
  }
  CHECK(&t, v->done > t.cycles / 1000 && v->again > 0 && v->spoilt > 10, "%u requests, %u asked again, %u spoilt bytes",
        v->done, v->again, v->spoilt);
  CHECK(&t, v->unmeant <= 2 + v->spoilt / 50, "%u accesses that nobody meant, of %u spoilt bytes", v->unmeant,
        v->spoilt);
  for (unsigned k = 0; k < KINDS; k++) CHECK(&t, v->kinds[k] > tb_least(&t, 10), "%u of kind %u", v->kinds[k], k);
  dut_free(v->d);
  tb_unwatch(&t);
  return tb_end(&t);
}
