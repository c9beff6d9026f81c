// SPDX-License-Identifier: Apache-2.0
// nic_rx against nic_frame_parse: named frames, a bit turned over anywhere, streams without a gap, and a slow user;
// IPv4 and IPv6, with an 802.1Q tag and without.
// Rules of rtl/nic/README.md: FRM-1, FRM-2, FRM-3, FRM-4, FRM-5, FRM-6, FRM-7, FRM-8, FRM-9, FRM-10.
// config: default +define+TOCSIN_DATA_W=256 -GBeats=256 -GFrames=16
// config: narrow +define+TOCSIN_DATA_W=128 -GBeats=512 -GFrames=8
// config: wide +define+TOCSIN_DATA_W=512 -GBeats=128 -GFrames=16
// netlist: narrow
// long: narrow-netlist
#include "tb.h"
#include "nic_rx_tb.h"
#include "nic_wire.h"

enum { QUEUE = 1024, BIG = 16384, LATENCY = 3 };

typedef struct kept {
  nic_head h;
  uint8_t pay[NIC_PAYLOAD_MAX];
} kept;

typedef struct bench {
  tb t;
  dut *d;
  nic_self me;
  unsigned pause, head_ready, pay_ready;  // chances
  // frames taken and not yet judged; good ones whose head, payload has not left
  unsigned verdict[QUEUE], in, judged, good, heads, items, seen[8];
  uint64_t due[QUEUE];
  kept keep[QUEUE];
  unsigned item_at, stuck;
  uint64_t stalls;
  unsigned kind;  // of the frames: 4 and: 1 with a tag, 2 IPv6; 0: at random
  bool head_waits, pay_waits;
  uint32_t head_was[HEAD_O_WORDS], pay_was[PAY_O_WORDS];
} bench;

static void look_at_head(bench *b) {
  uint32_t head[HEAD_O_WORDS];
  bool valid = dut_get_head_valid_o(b->d);
  dut_get_head_o(b->d, head);
  if (b->head_waits)
    CHECK(&b->t, valid && words_eq(head, b->head_was, NIC_HEAD_T_W), "waiting head %u changed", b->heads);
  bool ready = dut_get_head_ready_i(b->d);
  b->head_waits = valid && !ready;
  memcpy(b->head_was, head, sizeof head);
  if (!valid) return;
  CHECK(&b->t, b->heads < b->good, "a head too many");
  if (b->heads == b->good) return;
  CHECK_EQ(&b->t, dut_get_next_valid_o(b->d), b->good - b->heads > 1, "is there one behind head %u", b->heads);
  if (b->good - b->heads > 1)
    CHECK_EQ(&b->t, dut_get_next_qp_o(b->d), b->keep[(b->heads + 1) % QUEUE].h.qp, "QP behind head %u", b->heads);
  nic_head_check(&b->t, head, &b->keep[b->heads % QUEUE].h, b->heads);
}

static void look_at_pay(bench *b, unsigned heads_shown) {
  uint32_t pay[PAY_O_WORDS];
  bool valid = dut_get_pay_valid_o(b->d);
  dut_get_pay_o(b->d, pay);
  if (b->pay_waits)
    CHECK(&b->t, valid && words_eq(pay, b->pay_was, NIC_BYTES_T_W), "waiting payload of %u changed", b->items);
  b->pay_waits = valid && !dut_get_pay_ready_i(b->d);
  memcpy(b->pay_was, pay, sizeof pay);
  if (!valid) return;
  CHECK(&b->t, b->items < heads_shown, "payload of %u before its head", b->items);
  if (b->items >= b->good) return;
  const kept *k = &b->keep[b->items % QUEUE];
  unsigned left = k->h.bytes - b->item_at, here = left < BEAT_BYTES ? left : BEAT_BYTES;
  uint8_t bytes[BEAT_BYTES];
  for (unsigned i = 0; i < BEAT_BYTES; i++) bytes[i] = (uint8_t)bits_get(pay, NIC_BYTES_T_DATA_LSB + 8 * i, 8);
  CHECK_EQ(&b->t, bits_get(pay, NIC_BYTES_T_BYTES_LSB, 7), here, "bytes of item %u at %u", b->items, b->item_at);
  CHECK_EQ(&b->t, bits_get(pay, NIC_BYTES_T_LAST_LSB, 1), left <= BEAT_BYTES, "last of item %u at %u", b->items,
           b->item_at);
  CHECK_EQ(&b->t, bits_get(pay, NIC_BYTES_T_ERR_LSB, 1), 0, "err");
  CHECK_MEM(&b->t, bytes, k->pay + b->item_at, here, "item %u at %u", b->items, b->item_at);
  if (!dut_get_pay_ready_i(b->d)) return;
  b->item_at += here;
  if (left <= BEAT_BYTES) {
    b->items++;
    b->item_at = 0;
  }
}

static void tick(bench *b) {
  dut_set_head_ready_i(b->d, rnd_chance(&b->t, b->head_ready));
  dut_set_pay_ready_i(b->d, rnd_chance(&b->t, b->pay_ready));
  dut_eval(b->d);
  look_at_head(b);
  look_at_pay(b, b->heads + (unsigned)dut_get_head_valid_o(b->d));
  if (dut_get_head_valid_o(b->d) && dut_get_head_ready_i(b->d)) b->heads++;
  bool due = b->judged != b->in && b->due[b->judged % QUEUE] == dut_cycle(b->d);
  CHECK_EQ(&b->t, dut_get_judged_valid_o(b->d), due, "judged, frame %u", b->judged);
  if (due) {
    unsigned want = b->verdict[b->judged % QUEUE];
    CHECK_EQ(&b->t, dut_get_judged_o(b->d), want, "verdict of frame %u (%s)", b->judged, nic_rx_name(want));
    b->seen[want & 7]++;
    b->judged++;
    if (want == NIC_RX_GOOD) b->good++;
  }
  dut_tick(b->d);
}

static unsigned parse(bench *b, const uint8_t *f, size_t len, bool error) {
  unsigned to = b->good;  // those that are in flight and good come first
  for (unsigned i = b->judged; i != b->in; i++) to += b->verdict[i % QUEUE] == NIC_RX_GOOD;
  const uint8_t *pay;
  kept *k = &b->keep[to % QUEUE];
  unsigned v = nic_frame_parse(&b->me, f, len, error, &k->h, &pay);
  if (v == NIC_RX_GOOD) memcpy(k->pay, pay, k->h.bytes);
  return v;
}

static unsigned beats_of(size_t bytes) { return bytes ? (unsigned)((bytes + BEAT_BYTES - 1) / BEAT_BYTES) : 1; }

// Why a frame has been waiting for 100 cycles. `len`: of the frame, of which some beats may be inside.
static void is_full(bench *b, size_t len) {
  unsigned beats = beats_of(len);
  for (unsigned i = b->items; i != b->good; i++) beats += beats_of(b->keep[i % QUEUE].h.bytes);
  CHECK(&b->t, b->good - b->heads > P_Frames - 5 || beats > P_Beats - 5, "stuck with %u heads, %u beats",
        b->good - b->heads, beats);
  b->head_ready = b->pay_ready = 100;
  b->stuck++;
}

static unsigned send(bench *b, const uint8_t *f, size_t len, bool error) {
  unsigned v = parse(b, f, len, error);
  for (size_t at = 0; at < len; at += BEAT_BYTES) {
    size_t here = len - at < BEAT_BYTES ? len - at : BEAT_BYTES;
    bool last = here == len - at;
    uint32_t data[BEAT_BYTES / 4], keep[2] = {0, 0};
    rnd_words(&b->t, data, 8 * BEAT_BYTES);  // what keep excludes is anything
    for (size_t i = 0; i < here; i++) {
      bits_set(data, (unsigned)(8 * i), 8, f[at + i]);
      keep[i / 32] |= 1u << i % 32;
    }
    while (rnd_chance(&b->t, b->pause)) tick(b);
    dut_set_s_axis_valid_i(b->d, 1);
    dut_set_s_axis_data_i(b->d, data);
    dut_set_s_axis_keep_i(b->d, (uint64_t)keep[1] << 32 | keep[0]);
    dut_set_s_axis_last_i(b->d, last);
    dut_set_s_axis_error_i(b->d, last ? error : rnd_chance(&b->t, 50));
    dut_eval(b->d);
    for (unsigned waited = 0; !dut_get_s_axis_ready_o(b->d); waited++) {
      if (waited == 100 && b->head_ready == 0) is_full(b, len);
      b->stalls++;
      tick(b);
      dut_eval(b->d);
    }
    if (last) {
      b->verdict[b->in % QUEUE] = v;
      b->due[b->in % QUEUE] = dut_cycle(b->d) + LATENCY;
      b->in++;
    }
    tick(b);
    dut_set_s_axis_valid_i(b->d, 0);
  }
  return v;
}

static void drain(bench *b) {
  unsigned heads = b->head_ready, pays = b->pay_ready;
  b->head_ready = b->pay_ready = 100;
  for (unsigned i = 0; i < 4096 && (b->judged != b->in || b->items != b->good || b->heads != b->good); i++) tick(b);
  for (unsigned i = 0; i < 4; i++) tick(b);
  CHECK_EQ(&b->t, b->judged, b->in, "frames judged");
  CHECK_EQ(&b->t, b->heads, b->good, "heads");
  CHECK_EQ(&b->t, b->items, b->good, "items");
  b->head_ready = heads;
  b->pay_ready = pays;
}

// What a peer sends to us.
static size_t frame(bench *b, uint8_t opcode, unsigned bytes, uint8_t *f) {
  uint8_t pay[NIC_PAYLOAD_MAX];
  nic_head h = nic_head_random(&b->t, opcode, bytes);
  if (b->kind) h.v6 = b->kind >> 1 & 1, h.tag = b->kind & 1;
  nic_self peer = {.mac = h.mac, .ip = h.ip, .ip6 = h.ip6, .tos = (uint8_t)rnd(&b->t)};
  if (h.v6 && !peer.ip6.hi) peer.ip6.hi = rnd(&b->t);
  h.mac = b->me.mac;
  h.ip = b->me.ip;
  h.ip6 = b->me.ip6;
  for (unsigned i = 0; i < bytes; i++) pay[i] = (uint8_t)rnd(&b->t);
  return nic_frame_build(&peer, &h, pay, f);
}

// Where IP begins, and where UDP does.
static unsigned ip_at(const uint8_t *f) { return f[12] == 0x81 && f[13] == 0x00 ? 18 : 14; }
static bool is_v6(const uint8_t *f) { return f[ip_at(f) - 2] == 0x86 && f[ip_at(f) - 1] == 0xdd; }
static unsigned udp_at(const uint8_t *f) { return ip_at(f) + (is_v6(f) ? 40 : 20); }

// Sums made right again after a change, so that a rule is alone to speak.
static void seal(uint8_t *f, size_t len) {
  unsigned ip = ip_at(f);
  if (!is_v6(f)) {
    uint16_t sum = nic_ip_checksum(f + ip);
    f[ip + 10] = (uint8_t)(sum >> 8);
    f[ip + 11] = (uint8_t)sum;
  }
  uint32_t crc = nic_icrc(f + ip, len - ip - 4);
  for (unsigned i = 0; i < 4; i++) f[len - 4 + i] = (uint8_t)(crc >> 8 * i);
}

static void every_opcode_and_length(bench *b) {
  uint8_t f[NIC_FRAME_MAX];
  for (b->kind = 4; b->kind < 8; b->kind++)
    for (unsigned bytes = 0; bytes <= 2 * BEAT_BYTES + 1; bytes++)
      for (unsigned i = 0; i < sizeof nic_opcodes; i++) {
        size_t len = frame(b, nic_opcodes[i], bytes, f);
        CHECK_EQ(&b->t, send(b, f, len, false), NIC_RX_GOOD, "the reference takes what it makes");
      }
  drain(b);
}

// Every byte of the headers, changed; the sums made right: which rule speaks.
static void every_header_byte(bench *b) {
  uint8_t f[256];
  for (b->kind = 4; b->kind < 8; b->kind++)
    for (unsigned at = 0; at < 62 + 24; at++)
      for (unsigned change = 0; change < 8; change++) {
        size_t len = frame(b, change & 1 ? NIC_OP_WRITE_ONLY : NIC_OP_ACK, (unsigned)rnd_below(&b->t, 70), f);
        if (at >= len) continue;
        f[at] ^= (uint8_t)(1u << change);
        if (change & 4 && at >= ip_at(f)) seal(f, len);
        send(b, f, len, false);
      }
  b->kind = 0;
  drain(b);
}

// Addresses and types that only look like ours, and tags.
static void strangers(bench *b) {
  static const uint8_t types[][2] = {{0x08, 0x00}, {0x86, 0xdd}, {0x81, 0x00},
                                     {0x88, 0xa8}, {0x08, 0x06}, {0x00, 0x81}};
  uint8_t f[256];
  size_t len;
  for (b->kind = 4; b->kind < 8; b->kind++)
    for (unsigned i = 0; i < 6; i++)  // of a tag, or of what it carries
      for (unsigned where = 12; where <= 16; where += 4) {
        len = frame(b, NIC_OP_WRITE_ONLY, 30, f);
        memcpy(f + where, types[i], 2);
        send(b, f, len, false);
      }
  b->kind = 7;
  for (unsigned bit = 0; bit <= 32; bit++) {  // any IPv4 address as an IPv6 frame's source; the last is 0.0.0.0
    len = frame(b, NIC_OP_ACK, 0, f);
    uint8_t *source = f + 18 + 8;
    memset(source, 0, 16);
    memset(source + 10, 0xff, 2);
    if (bit < 32) source[12 + bit / 8] = (uint8_t)(1u << bit % 8);
    seal(f, len);
    CHECK_EQ(&b->t, send(b, f, len, false), NIC_RX_FOREIGN, "a source that is an IPv4 address, bit %u", bit);
    source[11] = 0xfe;
    seal(f, len);
    CHECK_EQ(&b->t, send(b, f, len, false), NIC_RX_GOOD, "a source that is none");
  }
  drain(b);
  nic_ip6 was = b->me.ip6;
  for (unsigned none = 0; none < 2; none++) {  // without an IPv6 address of our own no IPv6 frame is ours
    b->me.ip6 = none ? (nic_ip6){0, 0} : (nic_ip6){0, 1};
    uint32_t w[4] = {(uint32_t)b->me.ip6.lo, 0, 0, 0};
    dut_set_cfg_ip6_i(b->d, w);
    len = frame(b, NIC_OP_ACK, 0, f);
    CHECK_EQ(&b->t, send(b, f, len, false), none ? NIC_RX_FOREIGN : NIC_RX_GOOD, "to ::%u", 1 - none);
    drain(b);
  }
  b->me.ip6 = was;
  uint32_t w[4] = {(uint32_t)was.lo, (uint32_t)(was.lo >> 32), (uint32_t)was.hi, (uint32_t)(was.hi >> 32)};
  dut_set_cfg_ip6_i(b->d, w);
  b->kind = 0;
}

// Every length that is cut off or grown, without padding and with.
static void every_cut(bench *b) {
  uint8_t f[256];
  for (b->kind = 4; b->kind < 8; b->kind++) {
    for (unsigned n = 1; n < 130; n++) {
      memset(f, 0, sizeof f);
      size_t len = frame(b, NIC_OP_WRITE_LAST, (unsigned)rnd_below(&b->t, 12), f);
      (void)len;
      send(b, f, n, false);
    }
    for (unsigned n = 0; n <= 6; n++) {  // the shortest frame, filled up: with zeros, as it should be, or with anything
      size_t len = frame(b, NIC_OP_READ_MIDDLE, 0, f);
      for (size_t i = len; i < len + n; i++) f[i] = n & 1 ? 0x5a : 0;
      CHECK_EQ(&b->t, send(b, f, len + n, false), n == 0 || (n <= 2 && b->kind < 6) ? NIC_RX_GOOD : NIC_RX_SHORT,
               "filled with %u, kind %u", n, b->kind);
    }
  }
  b->kind = 0;
  drain(b);
}

// Lengths that lie: an IP length that is more or less than there is, more payload than allowed, frames that do not end.
static void liars(bench *b) {
  static uint8_t f[BIG];
  static const unsigned lengths[] = {0, 4, 23, 24, 25, 40, 4076, 4156, 4160, 4164, 8172, 65512, 65535};
  size_t len;
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (unsigned same = 0; same < 8; same++) {
      b->kind = 4 + same / 2;
      len = frame(b, same & 1 ? NIC_OP_XTQ_ONLY : NIC_OP_WRITE_MIDDLE, 100, f);
      unsigned udp = udp_at(f), at = is_v6(f) ? ip_at(f) + 4 : ip_at(f) + 2, n = lengths[i],
               said = n + (is_v6(f) ? 0 : 20);
      f[at] = (uint8_t)(said >> 8);
      f[at + 1] = (uint8_t)said;
      f[udp + 4] = (uint8_t)(n >> 8);
      f[udp + 5] = (uint8_t)n;
      send(b, f, len, false);
      if (udp + n < BIG && n >= 24) {  // and as long as it says
        seal(f, udp + n);
        send(b, f, udp + n, false);
      }
      send(b, f, BIG - (same & 1), false);
    }
  for (b->kind = 4; b->kind < 8; b->kind++) {
    len = frame(b, NIC_OP_WRITE_MIDDLE, NIC_PAYLOAD_MAX, f);
    CHECK_EQ(&b->t, send(b, f, len, false), NIC_RX_GOOD, "4096 bytes");
    CHECK_EQ(&b->t, send(b, f, len, true), NIC_RX_SHORT, "FCS wrong");
  }
  b->kind = 0;
  drain(b);
}

// The rate: frames of 64 bytes (and the shortest, a cycle each at DataW 512) without a gap, and none
// is ever made to wait.
static void no_gap(bench *b) {
  uint8_t f[256];
  b->pause = 0;
  b->head_ready = b->pay_ready = 100;
  for (unsigned i = 0; i < 10; i++) {
    unsigned bytes = i < 5 ? 0 : 64;
    b->kind = i % 5 ? 3 + i % 5 : 0;
    uint64_t stalls = b->stalls, beats = 0, from = dut_cycle(b->d);
    for (unsigned n = 0; n < 200; n++) {
      size_t len = frame(b, bytes ? NIC_OP_WRITE_ONLY : NIC_OP_ACK, bytes, f);
      beats += beats_of(len);
      send(b, f, len, false);
    }
    CHECK_EQ(&b->t, b->stalls, stalls, "cycles in which a frame had to wait");
    CHECK_EQ(&b->t, dut_cycle(b->d) - from, beats, "cycles for 200 frames of %u bytes, kind %u", bytes, b->kind);
    drain(b);
  }
  b->kind = 0;
}

// Nobody takes anything, until a frame is stuck: then it is full, of heads or of payload, and nothing has been lost.
static void nobody_takes(bench *b) {
  static uint8_t f[NIC_FRAME_MAX];
  static const unsigned sizes[] = {0, 64, 700, 4096};
  for (unsigned s = 0; s < 4; s++) {
    b->head_ready = b->pay_ready = 0;
    unsigned stuck = b->stuck;
    while (b->stuck == stuck) send(b, f, frame(b, NIC_OP_WRITE_LAST, sizes[s], f), false);
    drain(b);
  }
}

static void anything(bench *b) {
  static uint8_t f[NIC_FRAME_MAX];
  if (rnd_chance(&b->t, 5)) {
    b->pause = rnd_chance(&b->t, 50) ? 0 : (unsigned)rnd_below(&b->t, 90);
    b->head_ready = rnd_chance(&b->t, 50) ? 100 : 1 + (unsigned)rnd_below(&b->t, 100);
    b->pay_ready = rnd_chance(&b->t, 50) ? 100 : 20 + (unsigned)rnd_below(&b->t, 81);
  }
  size_t len = frame(b, nic_opcodes[rnd_below(&b->t, sizeof nic_opcodes)], nic_bytes_random(&b->t), f);
  switch (rnd_below(&b->t, 12)) {
    case 0: f[rnd_below(&b->t, len)] ^= (uint8_t)(1u << rnd_below(&b->t, 8)); break;
    case 1: len = 1 + rnd_below(&b->t, len); break;
    case 2: f[rnd_below(&b->t, 62 + 24) % len] = (uint8_t)rnd(&b->t); break;
    case 3:
      f[12 + rnd_below(&b->t, udp_at(f) + 8)] ^= (uint8_t)(1u << rnd_below(&b->t, 8));
      seal(f, len);
      break;
    case 4:
      f[udp_at(f) + 8] = (uint8_t)rnd(&b->t);
      f[udp_at(f) + 9] &= 0xf0;
      seal(f, len);
      break;
    default: break;
  }
  send(b, f, len, rnd_chance(&b->t, 2));
}

int main(int argc, char **argv) {
  static bench b;
  tb_init(&b.t, argc, argv, "nic_rx", 40000);
  b.me = (nic_self){.mac = 0x02a1b2c3d4e5, .ip = 0x0a0b0c0d, .ip6 = {0xfe80000000000000, 0x00a1b2fffec3d4e5}};
  b.head_ready = b.pay_ready = 100;
  b.d = dut_begin(&b.t);
  dut_set_cfg_mac_i(b.d, b.me.mac);
  dut_set_cfg_ip_i(b.d, b.me.ip);
  uint32_t ip6[4] = {(uint32_t)b.me.ip6.lo, (uint32_t)(b.me.ip6.lo >> 32), (uint32_t)b.me.ip6.hi,
                     (uint32_t)(b.me.ip6.hi >> 32)};
  dut_set_cfg_ip6_i(b.d, ip6);
  dut_reset(b.d, 2);
  every_opcode_and_length(&b);
  every_header_byte(&b);
  strangers(&b);
  every_cut(&b);
  liars(&b);
  no_gap(&b);
  nobody_takes(&b);
  const uint64_t end = dut_cycle(b.d) + b.t.cycles;
  while (dut_cycle(b.d) < end) anything(&b);
  drain(&b);
  for (unsigned v = NIC_RX_GOOD; v <= NIC_RX_BTH; v++)
    CHECK(&b.t, b.seen[v] > tb_least(&b.t, 5), "%u frames judged %s", b.seen[v], nic_rx_name(v));
  dut_free(b.d);
  tb_unwatch(&b.t);
  return tb_end(&b.t);
}
