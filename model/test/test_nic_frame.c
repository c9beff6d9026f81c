// SPDX-License-Identifier: Apache-2.0
// Frames: two ICRCs captured on real wires and two computed, every opcode there and back, and each way to be refused.
#include "world.h"

#include "../src/nic/nic_crc.h"
#include "tocsin/nic_frame.h"

static const nic_self me = {
    .mac = 0x020000000001, .ip = 0x0a000002, .tos = 0x02, .ip6 = {0x20010db800000000, 0x0000000000000002}};

static size_t unhex(const char *text, uint8_t *out) {
  size_t n = 0;
  for (; text[0] && text[1]; text += 2) {
    unsigned v;
    sscanf(text, "%2x", &v);
    out[n++] = (uint8_t)v;
  }
  return n;
}

static void known_answer(const char *text, uint32_t wire) {
  uint8_t ip[128];
  size_t n = unhex(text, ip);
  uint32_t crc = nic_icrc(ip, n);
  EQ((crc & 255) << 24 | (crc >> 8 & 255) << 16 | (crc >> 16 & 255) << 8 | crc >> 24, wire);
}

/* Every length up to that of a long frame, at odd places, on any processor and on this one. */
static void crc(void) {
  uint8_t bytes[1200];
  uint32_t bitwise = 0x12345678, bad = 0;
  for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i * 37 + i / 3);
  for (unsigned n = 0; n < sizeof bytes - 3; n++) {
    bad += nic_crc32(0x12345678, bytes + 3, n) != bitwise;
    bad += nic_crc32_by_tables(0x12345678, bytes + 3, n) != bitwise;
    bitwise ^= bytes[3 + n];
    for (unsigned b = 0; b < 8; b++) bitwise = bitwise >> 1 ^ (bitwise & 1 ? 0xedb88320 : 0);
  }
  EQ(bad, 0);
}

static const uint8_t opcodes[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
                                  0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13,
                                  0x14, 0x16, 0x17, 0x1c, 0x1d, 0x81, 0xc6, 0xc7, 0xc8, 0xca};

static nic_head plain(uint8_t opcode, unsigned bytes) {
  return (nic_head){.mac = 0x0200000000aa,
                    .ip = 0x0a000001,
                    .port = 0xc000,
                    .opcode = opcode,
                    .pkey = 0xffff,
                    .qp = 0x11,
                    .psn = 5,
                    .bytes = (uint16_t)bytes};
}

/* What we send to ourselves: the peer is us. */
static size_t to_us(const nic_head *h, const uint8_t *pay, uint8_t *out) {
  nic_self peer = {.mac = h->mac, .ip = h->ip, .ip6 = h->ip6, .tos = me.tos};
  nic_head to = *h;
  to.mac = me.mac;
  to.ip = me.ip;
  to.ip6 = me.ip6;
  return nic_frame_build(&peer, &to, pay, out);
}

static unsigned parse(const uint8_t *f, size_t n) {
  nic_head h;
  const uint8_t *p;
  return nic_frame_parse(&me, f, n, false, &h, &p);
}

static void reseal(uint8_t *f, size_t n) {
  uint8_t *ip = f + 14;
  uint16_t sum = nic_ip_checksum(ip);
  ip[10] = (uint8_t)(sum >> 8);
  ip[11] = (uint8_t)sum;
  uint32_t crc = nic_icrc(ip, n - 18);
  for (int i = 0; i < 4; i++) f[n - 4 + (size_t)i] = (uint8_t)(crc >> 8 * i);
}

static bool has_imm(uint8_t op) {
  return op == 0x03 || op == 0x05 || op == 0x09 || op == 0x0b || op == 0x16 || op == 0x17;
}

/* TCI; what the ICRC leaves out and no IPv4 checksum covers: of IPv6 traffic class, flow label, hop limit; UDP's
 * checksum and BTH's byte 4. */
static bool anything(const nic_head *h, size_t at, unsigned bit) {
  size_t ip = h->tag ? 18 : 14, udp = ip + (h->v6 ? 40 : 20);
  if (h->tag && (at == 14 || at == 15)) return true;
  if (h->v6 && ((at == ip && bit < 16) || (at > ip && at < ip + 4) || at == ip + 7)) return true;
  return at == udp + 6 || at == udp + 7 || at == udp + 12;
}

/* Frames of the other kinds: each way to be refused that IPv4 without a tag has not. */
static void refused_kinds(void) {
  static const struct {
    const char *what;
    unsigned at, value, verdict;
  } cases[] = {
      {"as it is", 0, 0x02, NIC_RX_GOOD},
      {"another type behind the tag, read as IPv4", 16, 0x81, NIC_RX_SHORT},
      {"a tag of another type", 12, 0x88, NIC_RX_SHORT},
      {"VLAN", 15, 0x77, NIC_RX_GOOD},
      {"version 4", 18, 0x40, NIC_RX_FOREIGN},
      {"payload length", 23, 33, NIC_RX_SHORT},
      {"a fragment", 24, 44, NIC_RX_FOREIGN},
      {"hop-by-hop options", 24, 0, NIC_RX_FOREIGN},
      {"hop limit may be 0", 25, 0, NIC_RX_GOOD},
      {"other address, first byte", 42, 0x21, NIC_RX_FOREIGN},
      {"other address, last byte", 57, 0x03, NIC_RX_FOREIGN},
      {"other port", 61, 0xb8, NIC_RX_FOREIGN},
      {"UDP length", 63, 0x2c, NIC_RX_SHORT},
  };
  uint8_t f[160], g[160], v4[12] = {0};
  nic_head h = plain(NIC_OP_WRITE_ONLY, 6), got;
  const uint8_t *p, pay[8] = "refused";
  h.v6 = h.tag = true;
  h.ip = 0;
  h.ip6 = (nic_ip6){0xfe80000000000000, 1};
  h.tci = 0x6123;
  size_t n = to_us(&h, pay, f);
  EQ(n, 18 + 60 + 16 + 8 + 4);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    memcpy(g, f, n);
    g[cases[i].at] = (uint8_t)cases[i].value;
    uint32_t crc = nic_icrc(g + 18, n - 22);
    for (unsigned k = 0; k < 4; k++) g[n - 4 + k] = (uint8_t)(crc >> 8 * k);
    if (parse(g, n) != cases[i].verdict) fprintf(stderr, "%s:\n", cases[i].what);
    EQ(parse(g, n), cases[i].verdict);
  }
  for (size_t k = 0; k < n; k++) EQ(parse(f, k), NIC_RX_SHORT);
  /* congestion experienced, which the ICRC leaves out */
  memcpy(g, f, n);
  for (unsigned ecn = 0; ecn < 4; ecn++) {
    g[19] = (uint8_t)((g[19] & 0xcf) | ecn << 4);
    EQ(nic_frame_parse(&me, g, n, false, &got, &p), NIC_RX_GOOD);
    EQ(got.ce, ecn == 3);
  }
  /* a second tag: IPv4 would begin in it; and with a length there that is right */
  memcpy(g, f, 16);
  memcpy(g + 16, f + 12, n - 12);
  EQ(parse(g, n + 4), NIC_RX_SHORT);
  h = plain(NIC_OP_READ_MIDDLE, 0);
  h.tag = true;
  n = to_us(&h, pay, g);
  memcpy(g + 16, "\x81\x00", 2);
  EQ(parse(g, n), NIC_RX_FOREIGN);
  h.v6 = true;
  /* an IPv4 address as a source */
  h.ip6 = (nic_ip6){0, 0xffff0a000001};
  n = to_us(&h, pay, f);
  EQ(parse(f, n), NIC_RX_FOREIGN);
  /* who has no IPv6 address is sent no IPv6 frame, also not to :: */
  h.ip6 = (nic_ip6){0xfe80000000000000, 1};
  n = to_us(&h, pay, f);
  memset(f + 42, 0, 16);
  nic_self none = me;
  none.ip6 = (nic_ip6){0, 0};
  uint32_t crc = nic_icrc(f + 18, n - 22);
  for (unsigned k = 0; k < 4; k++) f[n - 4 + k] = (uint8_t)(crc >> 8 * k);
  EQ(nic_frame_parse(&none, f, n, false, &got, &p), NIC_RX_FOREIGN);
  /* the shortest frame, padded before it got its tag */
  h = plain(NIC_OP_READ_MIDDLE, 0);
  h.tag = true;
  n = to_us(&h, pay, f);
  EQ(n, 62);
  memset(f + n, 0, 4);
  for (unsigned k = 62; k < 66; k++) EQ(parse(f, k), k < 65 ? NIC_RX_GOOD : NIC_RX_SHORT);
  EQ(nic_frame_bth(f, 61), 0);
  EQ(nic_frame_bth(v4, 12), 0);
}

static void there_and_back(void) {
  uint64_t s = 7;
  static uint8_t pay[NIC_PAYLOAD_MAX], out[NIC_FRAME_MAX];
  for (unsigned n = 0; n < 3000; n++) {
    nic_head h = plain(opcodes[n % sizeof opcodes], n % 5 ? rnd(&s) % 200 : rnd(&s) % (NIC_PAYLOAD_MAX + 1)), g;
    for (unsigned i = 0; i < h.bytes; i++) pay[i] = (uint8_t)rnd(&s);
    int ext = nic_ext_bytes(h.opcode);
    bool reth = ext >= 16 && ext != 28 && h.opcode != NIC_OP_CNP, aeth = ext == 12 || (ext == 4 && !has_imm(h.opcode));
    h.v6 = n >> 2 & 1;
    h.ip = h.v6 ? 0 : 0x0a000001;
    if (h.v6) h.ip6 = (nic_ip6){0xfe80000000000000, 0x020000fffe0000aa};
    h.tag = n >> 3 & 1;
    if (h.tag) h.tci = (uint16_t)rnd(&s);
    h.se = rnd(&s) & 1;
    h.ack_req = rnd(&s) & 1;
    if (reth || ext == 28) {
      h.va = (uint64_t)rnd(&s) << 32 | rnd(&s);
      h.rkey = (uint32_t)rnd(&s);
    }
    if (reth) h.length = (uint32_t)rnd(&s);
    if (ext == 28 || ext == 12) h.swap = (uint64_t)rnd(&s) << 32 | rnd(&s);
    if (ext == 28) h.compare = (uint64_t)rnd(&s) << 32 | rnd(&s);
    if (aeth) {
      h.syndrome = (uint8_t)rnd(&s);
      h.msn = rnd(&s) & 0xffffff;
    }
    if (has_imm(h.opcode)) h.imm = (uint32_t)rnd(&s);
    if (ext == 32) {
      h.xtq_kind = rnd(&s) & 1;
      h.xtq_proc = (uint16_t)rnd(&s);
      h.xtq_args = (uint32_t)rnd(&s);
      h.xtq_pay = (uint32_t)rnd(&s);
    }
    size_t len = to_us(&h, pay, out);
    const uint8_t *p = NULL;
    EQ(len, 14u + (h.tag ? 4u : 0u) + (h.v6 ? 60u : 40u) + (unsigned)ext + ((h.bytes + 3u) & ~3u) + 4u);
    memset(&g, 0, sizeof g);
    EQ(nic_frame_parse(&me, out, len, false, &g, &p), NIC_RX_GOOD);
    CHECK(g.v6 == h.v6 && g.ip6.hi == h.ip6.hi && g.ip6.lo == h.ip6.lo && g.tag == h.tag && g.tci == h.tci && !g.ce);
    CHECK(g.mac == h.mac && g.ip == h.ip && g.port == h.port && g.opcode == h.opcode && g.se == h.se &&
          g.ack_req == h.ack_req && g.pkey == h.pkey && g.qp == h.qp && g.psn == h.psn && g.va == h.va &&
          g.rkey == h.rkey && g.length == h.length && g.imm == h.imm && g.swap == h.swap && g.compare == h.compare &&
          g.syndrome == h.syndrome && g.msn == h.msn && g.xtq_kind == h.xtq_kind && g.xtq_proc == h.xtq_proc &&
          g.xtq_args == h.xtq_args && g.xtq_pay == h.xtq_pay && g.bytes == h.bytes);
    CHECK(!memcmp(p, pay, h.bytes));
    nic_self to = nic_frame_to(out, len);
    CHECK(to.mac == me.mac && (h.v6 ? to.ip6.lo == me.ip6.lo && to.ip6.hi == me.ip6.hi : to.ip == me.ip));
    EQ(nic_frame_bth(out, len), (h.tag ? 18u : 14u) + (h.v6 ? 48u : 28u));
    /* a bit turned over behind Ethernet's addresses is always found, but where anything is right */
    size_t at = 12 + rnd(&s) % (len - 12);
    uint8_t bit = (uint8_t)(1u << (rnd(&s) & 7));
    bool any = anything(&h, at, bit);
    out[at] ^= bit;
    EQ(parse(out, len) == NIC_RX_GOOD, any);
  }
}

static void unfilled(void) {
  uint8_t f[128];
  const uint8_t pay[8] = "refused";
  /* pad that is longer than what is there; pad and payload that do not fill words */
  nic_head h = plain(NIC_OP_WRITE_ONLY, 0);
  size_t n = to_us(&h, pay, f);
  f[43] = 0x70;
  reseal(f, n);
  EQ(parse(f, n), NIC_RX_SHORT);
  /* an extension that is not there */
  h = plain(NIC_OP_WRITE_LAST, 8);
  n = to_us(&h, pay, f);
  f[42] = NIC_OP_WRITE_ONLY;
  reseal(f, n);
  EQ(parse(f, n), NIC_RX_SHORT);
}

static void shortest_and_longest(void) {
  uint8_t f[128];
  const uint8_t pay[8] = "refused";
  /* the shortest frame, filled up to Ethernet's 60 bytes, but no more */
  nic_head h = plain(NIC_OP_READ_MIDDLE, 0);
  size_t n = to_us(&h, pay, f);
  EQ(n, 58);
  memset(f + n, 0, 8);
  EQ(parse(f, 58), NIC_RX_GOOD);
  EQ(parse(f, 59), NIC_RX_GOOD);
  EQ(parse(f, 60), NIC_RX_GOOD);
  EQ(parse(f, 61), NIC_RX_SHORT);

  /* 4096 bytes are enough */
  static uint8_t big[NIC_FRAME_MAX + 8], data[NIC_PAYLOAD_MAX];
  h = plain(NIC_OP_WRITE_MIDDLE, NIC_PAYLOAD_MAX);
  n = to_us(&h, data, big);
  EQ(parse(big, n), NIC_RX_GOOD);
  n += 4;
  big[16] = (uint8_t)((n - 14) >> 8);
  big[17] = (uint8_t)(n - 14);
  big[38] = (uint8_t)((n - 34) >> 8);
  big[39] = (uint8_t)(n - 34);
  reseal(big, n);
  EQ(parse(big, n), NIC_RX_SHORT);
  h.bytes = NIC_PAYLOAD_MAX + 1;
  EQ(nic_frame_build(&me, &h, data, big), 0);
  h = plain(0x15, 0);
  EQ(nic_frame_build(&me, &h, data, big), 0);
  EQ(nic_ext_bytes(0x15), -1);
}

static void refused(void) {
  uint8_t f[128], g[128];
  nic_head h = plain(NIC_OP_WRITE_ONLY, 6);
  const uint8_t pay[8] = "refused";
  size_t n = to_us(&h, pay, f);
  EQ(n, 14 + 40 + 16 + 8 + 4);
  static const struct {
    const char *what;
    unsigned at, value, verdict;
  } cases[] = {
      {"as it is", 0, 0x02, NIC_RX_GOOD},
      {"other MAC", 5, 0x02, NIC_RX_FOREIGN},
      {"broadcast", 0, 0xff, NIC_RX_FOREIGN},
      {"ARP", 13, 0x06, NIC_RX_FOREIGN},
      {"version 6", 14, 0x65, NIC_RX_FOREIGN},
      {"IHL 6", 14, 0x46, NIC_RX_FOREIGN},
      {"IP length", 17, 67, NIC_RX_SHORT},
      {"more fragments", 20, 0x20, NIC_RX_FOREIGN},
      {"fragment offset", 21, 0x01, NIC_RX_FOREIGN},
      {"DF may be 0", 20, 0x00, NIC_RX_GOOD},
      {"TTL may be 1", 22, 0x01, NIC_RX_GOOD},
      {"TCP", 23, 0x06, NIC_RX_FOREIGN},
      {"other IP", 33, 0x03, NIC_RX_FOREIGN},
      {"other port", 37, 0xb8, NIC_RX_FOREIGN},
      {"UDP length", 39, 0x2c, NIC_RX_SHORT},
      {"UDP checksum is not looked at", 40, 0x12, NIC_RX_GOOD},
      {"SEND", 42, 0x04, NIC_RX_GOOD},
      {"FLUSH", 42, 0x1c, NIC_RX_GOOD},
      {"ATOMIC WRITE", 42, 0x1d, NIC_RX_GOOD},
      {"15 has no form", 42, 0x15, NIC_RX_BTH},
      {"18 has no form", 42, 0x18, NIC_RX_BTH},
      {"1B has no form", 42, 0x1b, NIC_RX_BTH},
      {"1E has no form", 42, 0x1e, NIC_RX_BTH},
      {"1F has no form", 42, 0x1f, NIC_RX_BTH},
      {"UC has no form", 42, 0x2a, NIC_RX_BTH},
      {"TVer 1", 43, 0x61, NIC_RX_BTH},
      {"FECN", 46, 0x80, NIC_RX_GOOD},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    memcpy(g, f, n);
    g[cases[i].at] = (uint8_t)cases[i].value;
    reseal(g, n);
    if (parse(g, n) != cases[i].verdict) fprintf(stderr, "%s:\n", cases[i].what);
    EQ(parse(g, n), cases[i].verdict);
  }
  memcpy(g, f, n);
  g[24] ^= 1;
  EQ(parse(g, n), NIC_RX_SUM);
  memcpy(g, f, n);
  g[n - 1] ^= 0x80;
  EQ(parse(g, n), NIC_RX_ICRC);
  EQ(parse(f, n - 1), NIC_RX_SHORT);
  for (size_t k = 0; k < 58; k++) EQ(parse(f, k), NIC_RX_SHORT);
  const uint8_t *p;
  EQ(nic_frame_parse(&me, f, n, true, &h, &p), NIC_RX_SHORT);

  unfilled();

  shortest_and_longest();
}

/* A CNP as a switch's neighbour has sent it: of a real wire, up to its ICRC. 12 bytes behind BTH are too few. */
static void captured(void) {
  nic_self to = {.mac = 0x02, .ip = 0x0a001201};
  uint8_t f[14 + 60] = {0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 8, 0};
  unhex("45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff4000011800000000", f + 14);
  static const uint8_t icrc[4] = {0x82, 0xfd, 0x00, 0x2a};
  memcpy(f + 70, icrc, 4);
  nic_head h;
  const uint8_t *p;
  EQ(nic_frame_parse(&to, f, sizeof f, false, &h, &p), NIC_RX_GOOD);
  EQ(h.opcode, NIC_OP_CNP);
  EQ(h.qp, 0x118);
  EQ(h.ip, 0x0a001101);
  EQ(h.psn, 0);
  EQ(h.bytes, 0);
  CHECK(!h.ce && !h.ack_req);
  EQ(nic_ext_bytes(NIC_OP_CNP), 16);
  uint8_t ack[128];
  nic_head a = plain(NIC_OP_ATOMIC_ACK, 0); /* 12 bytes behind BTH */
  size_t n = to_us(&a, NULL, ack);
  ack[42] = NIC_OP_CNP;
  reseal(ack, n);
  EQ(parse(ack, n), NIC_RX_SHORT);
}

int main(void) {
  known_answer(
      "45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff4000011800000000"
      "00000000000000000000000000000000",
      0x82fd002a);
  known_answer(
      "450100400478400040110000c0a80007c0a80007c00012b7002c00002460ffff000000d300cf1710"
      "4630818be28935d90e9a95505401be885e500000",
      0x78f353f3);
  known_answer("4502003412344000401114810a0000010a000002c00012b7002000000470ffff0000001180ffffff68656c6c6f000000",
               0x4a4809f0);
  known_answer("4502003012344000401114850a0000010a000002c00012b7001c00001140ffff00000022000001001f000001", 0xb6a0d4e2);
  /* IPv6, made with zlib's CRC-32: what counts as ones is 0 in the one and something else in the other */
  known_answer(
      "60212345001c1140fe80000000000000020000fffe00000120010db8000000000000000000000002"
      "c00012b7001c00001140ffff00000022000001001f000001",
      0x17d245b0);
  known_answer(
      "6b9fffff00301101fe80000000000000020000fffe00000120010db8000000000000000000000002"
      "c00012b70030beef0a70ffffc0000022800000070123456789abcdef112233440000000568656c6c6f000000",
      0xe0b36827);
  uint8_t ip[20];
  unhex("45c2003c718c4000401191610a0011010a001201", ip);
  EQ(nic_ip_checksum(ip), 0x9161);
  crc();
  captured();
  there_and_back();
  refused();
  refused_kinds();
  CHECK(!strcmp(nic_rx_name(NIC_RX_ICRC), "icrc") && !strcmp(nic_rx_name(9), "?"));
  return report();
}
