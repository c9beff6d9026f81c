// SPDX-License-Identifier: Apache-2.0
// Traces: every record written and read back, and lines that are none refused.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tocsin/trace.h"

static const char *const good[] = {
    "R 0x8 8",
    "R 0x34 4 0x1 0x2",
    "R 0x1000 8 0x1434f53434f54",
    "W 0x18 4 0x80000000",
    "L 0x2108 8 0x0 0x0",
    "M 0x1b59b000 0x11",
    "T 0x0018 0xffffe000 r 0x19973000",
    "T 0x0018 0xffffe000 w -",
    "S 0x2064804 0x2",
    "B 0x1001 00ff10",
    "D 2 60000001011300ff1234567800001000 01020304 seq=9 beats=3 strb=0x7 err cut nosop",
    "D 0 0000000301135a1880001000",
    "C 4a0000010000000401135a04 41000000 err",
    "G auto",
    "G manual",
    "H 400000010113000ffee00000 41000000",
    "U 3 0a0000002000000401135a04",
    "N",
    "E 0xfff0000000000000 aa",
    "I 1000000",
    "Q",
    "L 0x80 8 0x40 0x7fff0",
    "X 1",
    "P NumPorts 2",
    "A tocsin",
    "K 1234567",
    "R 0x108040 8 0x1",
    "F 02544f430001",
    "F 02544f430001 err bent",
    "E 0x10 aabb ff0f",
    "O 02544f430000",
    "O 02544f430000 again",
};

static const char *const wrong[] = {
    "Z 1",
    "RR 0x8 8",
    "R 0x8",
    "R 0x8 5",
    "R 0x4 8",
    "R x 8",
    "W 0x18 4",
    "W 0x18 4 0x100000000",
    "R 0x8 4 1 2 3",
    "M 1",
    "S 1 0x1ffffffff",
    "T 1 2 x 3",
    "T 1 2 r",
    "T 1",
    "B 1 0",
    "B 1 0g",
    "B 1",
    "D 4 00",
    "D 0 00",
    "D 0 0000000301135a1880001000 00 00",
    "D 0 0000000301135a1880001000 seq=256",
    "H 0000000301135a1880001000 seq=2",
    "G other",
    "I",
    "P x",
    "N 1",
    "L 0x80 8",
    "X",
    "R 0x99999999999999999999 8",
    "R 0x8z 8",
    "R 0x8 8 z",
    "R 0x8 8 1 z",
    "M z 1",
    "M 1 z",
    "S z 1",
    "T z 1 r 1",
    "T 1 z r 1",
    "T 1 2 q",
    "B z 00",
    "B 1 0g0g",
    "E z 00",
    "I z",
    "D 0 00000003011 00",
    "D 0 0000000301135a18800010",
    "D 0",
    "D 0 0000000301135a1880001000 beats=5000",
    "D 0 0000000301135a1880001000 strb=0x10000",
    "D 0 0000000301135a1880001000 what",
    "C",
    "G",
    "L z 8 1 1",
    "L 0x80 8 z 1",
    "L 0x80 8 1 z",
    "X z",
    "P",
    "P NumPorts",
    "R 0x200000 8",
    "A",
    "A tocsin 1",
    "A ANameThatIsLongerThanAnyTop",
    "K z",
    "F",
    "F err",
    "F 00 again",
    "F 00 err err",
    "E 0 aabb ff",
    "E 0 aabb ff0f 00",
    "B 0 aabb ff0f",
    "O 0",
    "O 00 err",
    "O 00 again again",
    "P ANameThatIsMuchLongerThanAnyParameterOfTheHardwareWillEverBe 1",
};

// A complaint says what is wrong: who records by hand has nothing else.
static const char *const said[][2] = {
    {"R 0x1fffff 4", "size is 4 or 8, aligned"},  // in the range of registers, but between two
    {"R 0x1ffffc 8", "size is 4 or 8, aligned"},
    {"R 0x200000 4", "not a register offset"},
    {"W 0x200000 8 1", "not a register offset"},
    {"R 0x8 4 0x100000000", "not a value of this size: 0x100000000"},
    {"R 0x8 4 1 0x100000000", "not a mask of this size: 0x100000000"},
    {"Z 1", "unknown record: Z"},
    {"RR 0x8 8", "unknown record: RR"},
    {"N 1", "too many words: 1"},
    {"D 4 00", "not a port: 4"},
    {"D 3 00", "not a header of 12 or 16 bytes: 00"},
    {"D 0 0000000301135a1880001000 what", "neither bytes nor an option: what"},
    {"F 00 again", "not an option: again"},
    {"E 0 aabb ff", "not a mask of as many bytes: ff"},
    {"N \033[1m\177", "too many words: .[1m."},  // what is no text could do anything to a terminal
};

// Offsets, ports and options as far as they go.
static const char *const outermost[] = {
    "R 0x1ffffc 4",
    "R 0x1ffff8 8 0xffffffffffffffff",
    "L 0x8 4 0xffffffff 0x1",
    "X 3",
    "S 0xffffffffffffffff 0xffffffff",
    "T 0xffff 0xffffffffffffffff w 0xffffffffffffffff",
    "D 3 0000000301135a1880001000 seq=255 beats=2048 strb=0xffff",
    "A aNameOf23CharactersFits",
    "I 18446744073709551615",
};

// Reads one line that is the whole file.
static int read_line(FILE *f, aa_trace *t, aa_trace_rec *r, const char *line) {
  rewind(f);
  fprintf(f, "%s\n#", line);
  rewind(f);
  aa_trace_open(t, f);
  return aa_trace_read(t, r);
}

int main(void) {
  aa_trace t;
  aa_trace_rec *r = calloc(1, sizeof *r);
  FILE *f = tmpfile(), *g = tmpfile();
  if (!r || !f || !g) return 1;
  fputs("# a comment\n\n", f);
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) fprintf(f, "%s  # note\n", good[i]);
  rewind(f);
  aa_trace_open(&t, f);
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    CHECK(aa_trace_read(&t, r) == 1 && t.line == i + 3);
    CHECK(aa_trace_write(g, r) == 0);
  }
  CHECK(aa_trace_read(&t, r) == 0 && r->kind == AA_TRACE_END);
  CHECK(aa_trace_write(g, r) == -1);
  rewind(g);
  char line[512];
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    CHECK(fgets(line, sizeof line, g));
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, good[i])) printf("wrote %s, read %s\n", line, good[i]);
    CHECK(!strcmp(line, good[i]));
  }
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    int s = read_line(f, &t, r, wrong[i]);
    if (s != -1) printf("accepted: %s\n", wrong[i]);
    CHECK(s == -1 && t.line == 1 && *t.why);
  }
  for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
    CHECK(read_line(f, &t, r, said[i][0]) == -1);
    if (strcmp(t.why, said[i][1])) printf("%s: %s\n", said[i][0], t.why);
    CHECK(!strcmp(t.why, said[i][1]));
  }
  for (size_t i = 0; i < sizeof outermost / sizeof *outermost; i++) {
    rewind(g);
    CHECK(read_line(f, &t, r, outermost[i]) == 1 && aa_trace_write(g, r) == 0);
    rewind(g);
    CHECK(fgets(line, sizeof line, g) && !strncmp(line, outermost[i], strlen(outermost[i])));
  }
  // without a newline at the end; a line that never ends
  fclose(f);
  if (!(f = tmpfile())) return 1;
  fputs("N", f);
  rewind(f);
  aa_trace_open(&t, f);
  CHECK(aa_trace_read(&t, r) == 1 && aa_trace_read(&t, r) == 0);
  rewind(f);
  for (unsigned i = 0; i < 1u << 16; i++) fputc('0', f);
  rewind(f);
  aa_trace_open(&t, f);
  CHECK(aa_trace_read(&t, r) == -1 && t.line == 1 && *t.why);
  // small and capital digits
  rewind(f);
  fputs("B 1 aAfF\n#", f);
  rewind(f);
  aa_trace_open(&t, f);
  CHECK(aa_trace_read(&t, r) == 1 && r->bytes == 2);
  // of what a trace is
  rewind(f);
  fputs("# a note\n\nA tocsin\n", f);
  rewind(f);
  CHECK(aa_trace_of_node(f) && aa_trace_of_node(f));
  rewind(f);
  fputs("N 1\n  ", f);
  rewind(f);
  CHECK(!aa_trace_of_node(f));
  fclose(f);
  fclose(g);
  free(r);
  return report();
}
