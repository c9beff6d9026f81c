// SPDX-License-Identifier: Apache-2.0
// nic_regs against an array of words and an array of counters: every register with every strobe, all kinds of records.
// What is read or written is on the bus in the cycle before, which is no write.
// Rules of rtl/nic/README.md: CNT-2.
// config: default
// config: large -GNumQps=256 -GNumProcs=16 -GNumMrs=256 -GTableBits=12 -GRecvDepth=64 -GNumLogs=32 -GContexts=4096
// netlist: default
#include <string.h>

#include "reg_bus.h"
#include "tb.h"
#include "tocsin/nic_regs.h"
#include "nic_regs_tb.h"

enum { SLOTS = RET_VALID_I_W, RW = RET_I_W / SLOTS, CNT = 42 };
enum { RX = 2, FRAME = 3, SEND = 4, TX = 5, TASK = 6, EVENT = 7, TIMER = 8, RATE = 11, CTX = 12 };

static uint64_t word[16], cnt[64];  // those beyond CNT stay 0
static uint64_t began;              // the cycle behind the last reset
static const uint64_t fields[16] = {
    [2] = 0xffffffffffff, [3] = 0xffffffffff, [4] = 0xffff,        [5] = 0xffff,
    [6] = 0x77,           [7] = 0xffffffff,   [9] = 0xffffffff,    [10] = ~0ull,
    [11] = ~0ull,         [12] = 0xffffffff,  [13] = 0xff07ff07ff, [14] = 0x7ff07ffffff};

// Which counter a record has; -1: none.
static int counter(unsigned kind, unsigned code, bool flag) {
  switch (kind) {
    case RX: return code < 6 ? (int)code : -1;
    case FRAME: return code < 12 ? 6 + (int)code : code == 12 ? 34 : -1;
    case SEND: return 18;
    case TX: return code == 5 ? 33 : code == 6 ? 36 : !flag && code < 5 ? 19 + (int)code : -1;
    case TASK: return code ? -1 : 24;
    case EVENT: return code ? 25 + flag : -1;
    case TIMER: return code ? -1 : 27;
    case RATE: return code ? -1 : 35;
    case CTX: return code < 5 ? 37 + (int)code : -1;
    default: return -1;
  }
}

// FULL is 1024 at most, MIN 1 at least.
static void rates(tb *t, dut *d) {
  uint32_t w[CFG_RATE_O_WORDS];
  dut_get_cfg_rate_o(d, w);
  uint64_t full = word[13] & 0x7ff, least = word[13] >> 16 & 0x7ff;
#define RATE_IS(F, v) CHECK_EQ(t, bits_get(w, NIC_RATE_CFG_T_##F##_LSB, NIC_RATE_CFG_T_##F##_W), v, "P2: " #F)
  RATE_IS(FULL, full > 1024 ? 1024 : full);
  RATE_IS(LEAST, least ? least : 1);
  RATE_IS(G, word[13] >> 32 & 15);
  RATE_IS(FAST, word[13] >> 36 & 15);
  RATE_IS(CALM, word[14] & 255);
  RATE_IS(RAISE, word[14] >> 8 & 255);
  RATE_IS(ADD, word[14] >> 16 & 0x7ff);
  RATE_IS(HYPER, word[14] >> 32 & 0x7ff);
  CHECK_EQ(t, dut_get_cfg_cnp_o(d), word[12], "P2: time of CNPs");
}

static void settings(tb *t, dut *d) {
  CHECK_EQ(t, dut_get_cfg_mac_o(d), word[2], "P2: MAC");
  CHECK_EQ(t, dut_get_cfg_ip_o(d) | dut_get_cfg_tos_o(d) << 32, word[3], "P2: IP, TOS");
  uint32_t ip6[4];
  dut_get_cfg_ip6_o(d, ip6);
  CHECK_EQ(t, bits_get(ip6, 0, 64), word[11], "P2: IPv6, low");
  CHECK_EQ(t, bits_get(ip6, 64, 64), word[10], "P2: IPv6, high");
  CHECK_EQ(t, dut_get_cfg_qpn_o(d) | dut_get_cfg_rid_o(d) << 16, word[4] | word[5] << 16, "P2: QPN, RID");
  CHECK_EQ(t, dut_get_cfg_mps_o(d) | dut_get_cfg_mrrs_o(d) << 4, word[6], "P2: DMA");
  CHECK_EQ(t, dut_get_cfg_tmo_o(d) | dut_get_cfg_tick_o(d) << 32, word[7] | word[9] << 32, "P2: times");
}

// What most records of a kind say for a while: long enough for its counter's low bits to run over; then it is cleared.
enum { PHASE = 200, COUNTS = 140 };
static unsigned often[SLOTS];
static bool often_flag[SLOTS];
// Of each kind: how many of its codes count; of events two are looked at, with their flag.
static const unsigned codes[SLOTS + 1] = {
    [RX] = 6, [FRAME] = 13, [SEND] = 1, [TX] = 7, [TASK] = 1, [EVENT] = 2, [TIMER] = 1, [RATE] = 1, [CTX] = 5};

static void phase(tb *t, unsigned n) {
  for (unsigned k = 0; k < SLOTS; k++) {
    often[k] = codes[k + 1] ? n % codes[k + 1] : 0;
    if (k + 1 == EVENT) often[k] = 1 + (unsigned)rnd_below(t, 8);
    often_flag[k] = k + 1 == EVENT ? n & 1 : rnd_chance(t, 10);
  }
}

// Records of any kind, and which counters they are; what else they say is anything.
static void records(tb *t, dut *d, uint64_t *add) {
  uint32_t ret[RET_I_WORDS];
  uint64_t valid = 0;
  rnd_words(t, ret, RET_I_W);
  for (unsigned k = 0; k < SLOTS; k++) {
    const bool usual = rnd_chance(t, 90);
    unsigned code = usual ? often[k] : (unsigned)rnd_bits(t, 4);
    bool flag = usual ? often_flag[k] : rnd_chance(t, 50);
    valid |= (uint64_t)rnd_chance(t, 98) << k;
    bits_set(ret, k * RW + NIC_RETIRE_T_CODE_LSB, 4, code);
    bits_set(ret, k * RW + NIC_RETIRE_T_FLAG_LSB, 1, flag);
    int c = valid >> k & 1 ? counter(k + 1, code, flag) : -1;
    if (c >= 0) add[c] = 1;
  }
  dut_set_ret_valid_i(d, valid);
  dut_set_ret_i(d, ret);
}

static void reset(dut *d, unsigned cycles) {
  dut_set_rb_i(d, reg_bus_of(0, false, 0, 0).words);
  dut_reset(d, cycles);
  began = dut_cycle(d);
  memset(word, 0, sizeof word);
  memset(cnt, 0, sizeof cnt);
  word[0] = 0x14e434f54;
  word[1] = P_NumQps | P_NumProcs << 16 | (uint64_t)P_NumMrs << 24 | (uint64_t)P_TableBits << 36 |
            (uint64_t)P_RecvDepth << 40 | (uint64_t)P_NumLogs << 48 |
            (uint64_t)(P_Contexts ? __builtin_ctz(P_Contexts) : 0) << 56;
  word[4] = 1;
  word[6] = 0x21;
  word[9] = 1000;
  word[12] = 5000;
  word[13] = 0x5400010400;
  word[14] = 0xa00010505;
}

// What happens in a cycle, and how often each counter counts it.
static void events(tb *t, dut *d, uint64_t add[CNT]) {
  records(t, d, add);
  unsigned hit = (unsigned)rnd_bits(t, 2), miss = (unsigned)rnd_bits(t, 2);
  add[28] = (hit & 1) + (hit >> 1);
  add[29] = (miss & 1) + (miss >> 1);
  for (unsigned i = 30; i < 33; i++) add[i] = rnd_chance(t, 20);
  dut_set_hit_i(d, hit);
  dut_set_miss_i(d, miss);
  dut_set_stray_i(d, add[30]);
  dut_set_bad_item_i(d, add[31]);
  dut_set_marked_i(d, add[32]);
}

// A word on the bus. seen: it was there in the last cycle, which was no write.
typedef struct bus {
  unsigned i;
  uint64_t addr;
  bool is_cnt, far, seen;
} bus;

// One that counts much just now, or one whose number differs from it by a bit; of each kind as often as it has
// counters.
static unsigned busy_counter(tb *t) {
  unsigned kind = 1, n = (unsigned)rnd_below(t, 37);  // the sum of codes
  for (; n >= codes[kind]; kind++) n -= codes[kind];
  int c = counter(kind, often[kind - 1], often_flag[kind - 1]);
  if (c < 0) c = (int)rnd_below(t, CNT);
  return rnd_chance(t, 50) ? (unsigned)c : (unsigned)c ^ 1u << rnd_below(t, 6);
}

// One whose upper bits are on their way about when it can be written: since reset they come by in turn, one a cycle.
static unsigned swept_counter(tb *t, const dut *d) {
  return (unsigned)((dut_cycle(d) - began + CNT + 1 - rnd_below(t, 5)) % CNT);
}

// A word stays for a while, also behind a write: what it is then is seen.
static void move(tb *t, const dut *d, bus *b) {
  uint64_t was = b->addr;
  if (rnd_chance(t, 70)) return;
  b->is_cnt = rnd_chance(t, 75), b->far = rnd_chance(t, 5);
  b->i = (unsigned)rnd_below(t, b->is_cnt ? (rnd_chance(t, 90) ? CNT : 64) : 16);
  if (b->is_cnt && rnd_chance(t, 80)) b->i = rnd_chance(t, 60) ? busy_counter(t) : swept_counter(t, d);
  b->addr = (b->is_cnt ? NIC_REG_NIC_CNT : 0) + 8 * b->i;
  if (b->far) b->addr ^= 1ULL << (10 + rnd_below(t, 10));
  b->seen = b->seen && b->addr == was;
}

// True if a counter has been cleared.
static bool written(const bus *b, uint64_t data, unsigned strb) {
  if (b->far) return false;
  if (b->is_cnt) {
    cnt[b->i] = 0;
    return true;
  }
  for (unsigned k = 0; k < 64; k++)
    if (strb >> k / 8 & fields[b->i] >> k & 1) word[b->i] = (word[b->i] & ~(1ULL << k)) | (data & 1ULL << k);
  return false;
}

// Both limits of NIC_RATE, and what differs from them by a bit.
static void limits(tb *t, dut *d) {
  for (unsigned b = 0; b < 12; b++) {
    const uint64_t bit = 1ULL << b & 0x7ff, data = (1024 ^ bit) | bit << 16;
    dut_set_rb_i(d, reg_bus_of(NIC_REG_NIC_RATE, false, 0, 0).words);
    dut_tick(d);
    dut_set_rb_i(d, reg_bus_of(NIC_REG_NIC_RATE, true, data, 255).words);
    dut_tick(d);
    dut_eval(d);
    word[13] = data;
    rates(t, d);
  }
}

int main(int argc, char **argv) {
  unsigned reads = 0, clears = 0, now = 0;
  bus b = {0};
  tb t;
  tb_init(&t, argc, argv, "nic_regs", 40000);
  dut *d = dut_begin(&t);
  reset(d, 2);
  limits(&t, d);
  phase(&t, now);
  uint64_t shown = 0;
  while (dut_cycle(d) < t.cycles) {
    uint64_t add[CNT] = {0};
    unsigned n = (unsigned)dut_cycle(d);
    if (n / PHASE != now) phase(&t, now = n / PHASE);
    if (rnd_below(&t, 4000) == 0) reset(d, 1), b.seen = false;
    events(&t, d, add);
    move(&t, d, &b);
    bool we = b.seen && rnd_chance(&t, !b.is_cnt ? 20 : n % PHASE < COUNTS ? 1 : 60);
    unsigned strb = (unsigned)rnd_bits(&t, 8) | (rnd_chance(&t, 50) ? 255 : 0);
    uint64_t data = rnd_bits(&t, 64);
    we = we && strb;
    dut_set_rb_i(d, reg_bus_of(b.addr, we, data, strb).words);
    dut_eval(d);
    if (b.seen) CHECK_EQ(&t, dut_get_rb_late_o(d), shown, "P4: rb_late_o");
    shown = dut_get_rb_rdata_o(d);
    if (b.seen)
      CHECK_EQ(&t, dut_get_rb_rdata_o(d),
               b.far      ? 0
               : b.is_cnt ? cnt[b.i]
                          : word[b.i],
               "register at %llx", (unsigned long long)b.addr);
    CHECK_EQ(&t, dut_get_tag_free_o(d), we && b.addr == NIC_REG_NIC_TAG_FREE, "P2: tag_free_o");
    CHECK_EQ(&t, dut_get_cnp_we_o(d), we && b.addr == NIC_REG_NIC_CNP, "P5: cnp_we_o");
    CHECK_EQ(&t, dut_get_rate_we_o(d), we && (b.addr == NIC_REG_NIC_RATE || b.addr == NIC_REG_NIC_RAISE),
             "P5: rate_we_o");
    rates(&t, d);
    settings(&t, d);
    reads += b.seen && b.is_cnt && !b.far && cnt[b.i] > 100;
    for (unsigned k = 0; k < CNT; k++) cnt[k] += add[k];
    clears += we && written(&b, data, strb);
    b.seen = !we;
    dut_tick(d);
  }
  CHECK(&t, reads > t.cycles / 20 && clears > 20, "counters were read and cleared");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
