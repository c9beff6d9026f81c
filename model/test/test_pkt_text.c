// SPDX-License-Identifier: Apache-2.0
// Two packets that should be one: which differences are found, and the text that says where. Who reads it has nothing
// but that text, so all of it is looked at.
#include "../src/aa/aa_pkt.h"
#include "check.h"
#include "tocsin/aa_lock.h"

enum { BYTES = 80 };

static char text[2000];
static uint8_t one[BYTES], other[BYTES];

static tlp packet(uint8_t type, unsigned ndw, const uint8_t *data) {
  tlp_fields f = {.type = type,
                  .length = (uint16_t)ndw,
                  .rid = 0x0113,
                  .tag = 5,
                  .fbe = 15,
                  .lbe = 15,
                  .addr = 0x1000,
                  .byte_count = 64,
                  .cid = 0x0200};
  tlp t = {.ndw = type & TLP_HAS_DATA ? ndw : 0, .data = data};
  tlp_pack(&f, t.hdr);
  return t;
}

static bool differ(const tlp *got, const tlp *want) {
  memset(text, 'x', sizeof text - 1);
  *text = 0;
  return tlp_difference(got, want, text, sizeof text);
}

// The first line; what follows are both packets, whole.
static bool line_is(const char *want) {
  size_t n = strlen(want);
  if (!strncmp(text, want, n) && text[n] == '\n') return true;
  printf("text: %s\nwant: %s\n", text, want);
  return false;
}
static unsigned has(const char *what) {
  unsigned n = 0;
  for (const char *p = text; (p = strstr(p, what)); p++) n++;
  return n;
}
// Behind the packets: the bytes around the place, of both or of none.
static void no_bytes(void) { EQ(has(" bytes "), 0); }

static void header(void) {
  char line[200];
  tlp want = packet(TLP_MWR32, 20, one), got = want;
  CHECK(!differ(&got, &want) && !*text);
  got.hdr[0] ^= 3u << 10;
  got.hdr[1] ^= 0xa0;
  CHECK(differ(&got, &want));
  CHECK(line_is("header word 0 differs, field AT: got 3 want 0, field LastBE: got 5 want f"));
  CHECK(has("\ngot  ") == 1 && has(aa_tlp_text(&got, line, sizeof line)) == 1);
  CHECK(has("\nwant ") == 1 && has(aa_tlp_text(&want, line, sizeof line)) == 1);
  no_bytes();

  got = want;
  got.hdr[2] ^= 0x4;
  CHECK(differ(&got, &want));
  CHECK(line_is("header word 2 differs, field address: got 1004 want 1000"));
  got = want;  // word 3 of a header of three is nobody's
  got.hdr[3] = 1;
  CHECK(!differ(&got, &want));

  want = got = packet(TLP_MRD64, 21, NULL);  // an odd Length
  want.hdr[2] = 0x12;
  got.hdr[2] = 0x34;
  want.hdr[3] = got.hdr[3] = 0x56789abc;
  CHECK(differ(&got, &want));
  CHECK(line_is("header word 2 differs, field address: got 3456789abc want 1256789abc"));
  got.hdr[2] = 0x12;
  got.hdr[3] ^= 0x8;
  CHECK(differ(&got, &want));
  CHECK(line_is("header word 3 differs, field address: got 1256789ab4 want 1256789abc"));

  want = got = packet(TLP_MRD32, 21, NULL);  // likewise: its address is word 2
  got.hdr[2] ^= 0x10;
  got.hdr[3] = 7;
  CHECK(differ(&got, &want));
  CHECK(line_is("header word 2 differs, field address: got 1010 want 1000"));
}

// Of a completion the words mean something else.
static void completion(void) {
  tlp want = packet(TLP_CPLD, 16, one), got = want;
  got.hdr[1] ^= 1u << 13 | 0x41;
  got.hdr[2] ^= 0x0100 | 0x0c;
  CHECK(differ(&got, &want));
  CHECK(
      line_is("header word 1 differs, field status: got 1 want 0, field ByteCount: got 1 want 40, "
              "field tag: got 4 want 5, field LowerAddress: got c want 0"));
  no_bytes();
  want = got = packet(TLP_CPLDLK, 16, one);
  got.hdr[2] ^= 1;
  CHECK(differ(&got, &want));
  CHECK(line_is("header word 2 differs, field LowerAddress: got 1 want 0"));
}

static void beside_the_header(void) {
  tlp want = packet(TLP_MWR32, 20, one), got = want;
  want.seq = 3;
  got.seq = 200;
  CHECK(differ(&got, &want));
  CHECK(line_is("seq differs, seq: got 200 want 3"));
  no_bytes();
  got = want;
  got.err = true;
  CHECK(differ(&got, &want));
  CHECK(line_is("err differs"));
  CHECK(has(" err, ") == 1);
  got = want;
  got.ndw = 19;
  CHECK(differ(&got, &want));
  CHECK(line_is("payload length differs"));
  CHECK(has(", 19 DW") == 1 && has(", 20 DW") == 1);
  no_bytes();
}

// The first byte that differs, and the 16 around it of both, as far as there are so many.
static void payload(void) {
  tlp want = packet(TLP_MWR32, 20, one), got = packet(TLP_MWR32, 20, other);
  for (unsigned i = 0; i < BYTES; i++) one[i] = other[i] = (uint8_t)(0x10 + i);
  CHECK(!differ(&got, &want));
  other[37] = 0xee;
  other[60] = 0xdd;
  CHECK(differ(&got, &want));
  CHECK(line_is("payload differs (byte 37: got ee, want 35)"));
  CHECK(has("\ngot  bytes 32 on: 30 31 32 33 34 ee 36 37 38 39 3a 3b 3c 3d 3e 3f\n"
            "want bytes 32 on: 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f") == 1);
  CHECK(!strcmp(text + strlen(text) - 6, " 3e 3f"));
  other[37] = one[37];
  other[60] = one[60];
  want.ndw = got.ndw = 18;
  other[71] = 0;
  CHECK(differ(&got, &want));
  CHECK(has("\ngot  bytes 64 on: 50 51 52 53 54 55 56 00\nwant bytes 64 on: 50 51 52 53 54 55 56 57") == 1);
  CHECK(!strcmp(text + strlen(text) - 6, " 56 57"));
  other[0] = 0xff;
  CHECK(differ(&got, &want));
  CHECK(line_is("payload differs (byte 0: got ff, want 10)"));
  CHECK(has("\ngot  bytes 0 on: ff 11 ") == 1);
}

// A buffer that is too small for all of it takes what fits, as a string.
static void little_room(void) {
  tlp want = packet(TLP_MWR32, 20, one), got = packet(TLP_MWR32, 20, other);
  other[3] = (uint8_t)~one[3];
  CHECK(differ(&got, &want));
  size_t all = strlen(text);
  for (size_t n = 1; n <= all + 1; n++) {
    char few[2000];
    memset(few, 'y', sizeof few);
    CHECK(tlp_difference(&got, &want, few, n));
    size_t behind = n;
    while (behind < sizeof few && few[behind] == 'y') behind++;
    if (strlen(few) != n - 1 || strncmp(few, text, n - 1) || behind != sizeof few) {
      EQ(n, 0);
      break;
    }
  }
}

int main(void) {
  header();
  completion();
  beside_the_header();
  payload();
  little_room();
  return report();
}
