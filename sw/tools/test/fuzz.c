// SPDX-License-Identifier: Apache-2.0
// fuzz SEED TURNS TRACE...: lines of good traces, mutated, through everything that takes a trace. The same in each run.
//
// A record that is read and written reads as the same record. No command crashes, none takes for ever, and each ends
// with one of its exit codes. Run under sanitizers (make fuzz-traces).
#include <fcntl.h>
#include <stddef.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli.h"
#include "tocsin/trace.h"

enum { LINES = 1 << 16, LONGEST = 2 * AA_TRACE_BYTES + 4096, MOST = 200, PATIENCE_S = 20 };

static uint64_t dice;
static uint32_t roll(uint32_t n) {
  dice ^= dice << 13;
  dice ^= dice >> 7;
  dice ^= dice << 17;
  return (uint32_t)(dice >> 16) % n;
}

static char *line[LINES];
static unsigned lines;
static unsigned begin[64], files;  // each trace's first line
static FILE *report;               // stdout and stderr are the commands'

static void load(const char *name) {
  char text[LONGEST];
  FILE *f = fopen(name, "r");
  if (!f) {
    fprintf(report, "fuzz: %s cannot be opened\n", name);
    exit(3);
  }
  begin[files++] = lines;
  while (lines < LINES && fgets(text, sizeof text, f))
    if (*text != '#' && *text != '\n') line[lines++] = strdup(text);
  fclose(f);
}

// ---- mutation

// Words that sit on the limits of what a record may say.
static const char *const edge[] = {"0",
                                   "-",
                                   "1",
                                   "3",
                                   "4",
                                   "0x7ff",
                                   "4095",
                                   "0x1000",
                                   "8192",
                                   "0xfffff",
                                   "0xffffffff",
                                   "0x100000000",
                                   "0xffffffffffffffff",
                                   "auto",
                                   "manual",
                                   "r",
                                   "w",
                                   "tocsin",
                                   "aa",
                                   "NumPorts",
                                   "00",
                                   "ff",
                                   "60000000000000ff0000000000000000"};

static const char *const option[] = {" seq=255", " beats=2048", " beats=1", " strb=0xffff",
                                     " strb=1",  " err",        " cut",     " nosop"};

static void insert(char *s, size_t at, const char *what) {
  size_t n = strlen(what), rest = strlen(s + at) + 1;
  if (at + n + rest > LONGEST) return;
  memmove(s + at + n, s + at, rest);
  memcpy(s + at, what, n);
}

static void erase(char *s, size_t at, size_t n) { memmove(s + at, s + at + n, strlen(s + at + n) + 1); }

// Begin and length of some word.
static size_t a_word(const char *s, size_t *n) {
  size_t at = 0;
  for (unsigned skip = roll(7);; skip--) {
    at += strspn(s + at, " \n");
    *n = strcspn(s + at, " \n");
    if (!skip || !s[at + *n + strspn(s + at + *n, " \n")]) return at;
    at += *n;
  }
}

static void mutate(char *s) {
  size_t n = strlen(s), w, at;
  if (!n) return;
  switch (roll(12)) {
    case 0: s[roll((uint32_t)n)] = "0123456789abcdefDCURWX-x \n"[roll(26)]; break;
    case 1: s[roll((uint32_t)n)] = (char)(1 + roll(255)); break;
    case 2: erase(s, roll((uint32_t)n), 1); break;
    case 3:
      at = a_word(s, &w);
      erase(s, at, w);
      insert(s, at, edge[roll(sizeof edge / sizeof *edge)]);
      break;
    case 4:
      at = a_word(s, &w);
      erase(s, at, w);
      break;
    case 5:
      insert(s, n - (s[n - 1] == '\n'), " ");
      insert(s, strlen(s) - (s[strlen(s) - 1] == '\n'), edge[roll(sizeof edge / sizeof *edge)]);
      break;
    case 6: s[roll((uint32_t)n)] = 0; break;
    case 7:  // a word that is as long as none may be, or just not
      at = a_word(s, &w);
      for (size_t most = 2 * AA_TRACE_BYTES - 8 + roll(16); w && w < most; w *= 2) {
        char half[LONGEST];
        snprintf(half, sizeof half, "%.*s", (int)(w < most - w ? w : most - w), s + at);
        insert(s, at, half);
      }
      break;
    case 8:  // a port that there may not be
      if (strchr("DUX", *s) && n > 2) s[2] = (char)('0' + roll(10));
      break;
    case 9:
      if (!strchr("DC", *s)) break;
      insert(s, n - (s[n - 1] == '\n'), option[roll(sizeof option / sizeof *option)]);
      break;
    default:  // a digit: the record stays one, and says something else
      at = roll((uint32_t)n);
      if (s[at] >= '0' && s[at] <= '9') s[at] = (char)('0' + roll(10));
  }
}

// Some lines of a trace in their order, few of them mutated; how many bytes.
static size_t make(char *out) {
  size_t n = 0;
  unsigned count = 1 + roll(roll(2) ? MOST : 2), step = 1 + (roll(4) ? 0 : roll(9)), rate = 1 + roll(count);
  unsigned from = count > 2 && roll(3) ? begin[roll(files)] : roll(lines);
  for (unsigned i = 0; i < count; i++) {
    char s[LONGEST];
    snprintf(s, sizeof s, "%s", line[(from + i * step) % lines]);
    if (!roll(rate)) mutate(s);
    if (!roll(40)) snprintf(s, sizeof s, "%s", line[roll(lines)]);
    size_t k = strlen(s);
    memcpy(out + n, s, k);
    n += k;
  }
  if (n && !roll(20)) out[roll((uint32_t)n)] = 0;
  return n;
}

// ---- what must hold

static char *written(const aa_trace_rec *r) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  if (!f || aa_trace_write(f, r) || fclose(f)) abort();
  return text;
}

// Reading what was written gives what was read. How many records, or -1: not so.
static int round_trip(FILE *f) {
  aa_trace t, u;
  static aa_trace_rec r, again;
  int records = 0;
  aa_trace_open(&t, f);
  while (aa_trace_read(&t, &r) == 1) {
    char *line_of = written(&r);
    FILE *g = fmemopen(line_of, strlen(line_of), "r");
    aa_trace_open(&u, g);
    bool same = aa_trace_read(&u, &again) == 1 && !memcmp(&r, &again, offsetof(aa_trace_rec, data)) &&
                !memcmp(r.data, again.data, r.bytes);
    if (!same) fprintf(report, "line %u: written and read again it is another record: %s%s\n", t.line, line_of, u.why);
    fclose(g);
    free(line_of);
    if (!same) return -1;
    records++;
  }
  return records;
}

static const struct {
  int (*run)(cli *);
  const char *name;
  bool twice;  // takes two traces
} commands[] = {{cmd_trace_show, "trace show", false}, {cmd_trace_stat, "trace stat", false},
                {cmd_trace_diff, "trace diff", true},  {cmd_table_dump, "table dump", false},
                {cmd_log_dump, "log dump", false},     {cmd_regs, "regs", false},
                {cmd_replay, "replay", false}};

static unsigned turn, which;
static char text[MOST * LONGEST];
static size_t text_n;

static void show(void) {
  fprintf(report, "turn %u, %s, the trace:\n%.*s\n", turn, commands[which].name, (int)text_n, text);
}

// A sanitizer has the last word but one: the trace comes behind it.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

// In processor time, which a busy machine does not use up.
static void patience(unsigned s) { setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = s}, NULL); }

static void too_long(int n) {
  (void)n;
  fputs("fuzz: this does not end\n", report);
  show();
  _exit(1);
}

// 0, 1 and 3 are what becomes of a file; a trace differs from itself in nothing.
static bool command(char *name) {
  char *argv[] = {name, commands[which].twice ? name : (roll(2) ? "--json" : NULL), NULL};
  cli c = {
      .command = commands[which].name, .argc = argv[1] ? 2 : 1, .argv = argv, .json = {.out = stdout, .empty = true}};
  int e = commands[which].run(&c);
  bool good = e == CLI_OK || e == CLI_FILE || (e == CLI_DIFFERENT && !commands[which].twice);
  if (!good) fprintf(report, "fuzz: turn %u: %s ends with %d\n", turn, commands[which].name, e);
  return good;
}

int main(int argc, char **argv) {
  unsigned bad = 0, records = 0;
  report = fdopen(dup(2), "w");
  if (argc < 4 || argc > 60 || !report) return 2;
  setvbuf(report, NULL, _IONBF, 0);
  dice = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15u + 1;
  for (int i = 3; i < argc; i++) load(argv[i]);
  if (!freopen("/dev/null", "w", stdout) || !(stderr = fopen("/dev/null", "w"))) return 3;
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(show);
  signal(SIGPROF, too_long);
  const unsigned turns = (unsigned)strtoul(argv[2], NULL, 0);
  for (turn = 0; turn < turns && bad < 5; turn++) {
    char name[40];
    text_n = make(text);
    int fd = memfd_create("trace", 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (fd < 0 || write(fd, text, text_n) != (ssize_t)text_n) return 3;
    patience(PATIENCE_S);
    FILE *f = fopen(name, "r");
    int k = f ? round_trip(f) : -1;
    if (f) fclose(f);
    bool good = k >= 0;
    records += good ? (unsigned)k : 0;
    for (which = 0; which < sizeof commands / sizeof *commands; which++) good &= command(name);
    patience(0);
    close(fd);
    if (good) continue;
    bad++;
    show();
  }
  fprintf(report, "fuzz: %u traces, %u records, %u bad\n", turn, records, bad);
  while (lines) free(line[--lines]);
  return bad || records < turns;
}
