// SPDX-License-Identifier: Apache-2.0
// tocsin: the command line. Which commands there are, and what help says about each.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

typedef struct command {
  const char *name;
  int (*run)(cli *c);
  const char *args, *text;
} command;

static const command commands[] = {
    {"run", cmd_run,
     "PROGRAM|--list [--backend NAME] [--seed N] [--nodes N] [--n N] [--size BYTES] [--loss PER_MILLE]"
     " [--variant tocsin|naive|both] [--record TRACE [--record-of iommu|node] [--record-node R]] [--pcap FILE]",
     "a program of the papers on a backend; it checks its result, whose digest is the same everywhere"},
    {"fig", cmd_fig, "NAME|--list [--backend NAME] [--seed N] [--out DIR]",
     "a figure of a program over a sweep, Tocsin against naive: a table, DIR/NAME.csv and DIR/NAME.svg"},
    {"replay", cmd_replay, "TRACE [--on model|rtl|both] [--program COSIM] [--at LINE]",
     "plays a trace on the model, the Verilated hardware, or both in lockstep; everything it expects must come"},
    {"trace show", cmd_trace_show, "TRACE [--kind LETTERS] [--from LINE] [--count N]",
     "the records in words: TLPs and registers decoded"},
    {"trace stat", cmd_trace_stat, "TRACE", "how many records, TLPs and bytes, of which requesters"},
    {"trace diff", cmd_trace_diff, "TRACE TRACE", "the first record that differs, whatever comments and spaces"},
    {"table dump", cmd_table_dump, "TRACE [--at LINE]",
     "page tables after the trace: each context, each page with its bits"},
    {"log dump", cmd_log_dump, "TRACE [--log N] [--at LINE]", "what the open access logs have for their readers"},
    {"regs", cmd_regs, "TRACE [NAME ...] [--all] [--at LINE]",
     "registers after the trace that are not 0, by name, with fields"},
    {"top", cmd_top, "[--backend NAME] [--path PATH] [--ms N] [--count N] [--all]",
     "counters of a device as they run, once a second; the device is left as it is"},
    {"peek", cmd_peek, "[--backend NAME] [--path PATH] [NAME ...] [--all]",
     "registers of a device by name; they are only read"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(const char *of) {
  if (!of || !*of)
    puts("tocsin COMMAND ... [--json]: runs programs on Tocsin, and looks at and replays what happens to it.\n");
  unsigned shown = 0;
  for (unsigned i = 0; i < COMMANDS; i++) {
    if (of && strncmp(commands[i].name, of, strlen(of))) continue;
    printf("  tocsin %s %s\n      %s\n", commands[i].name, commands[i].args, commands[i].text);
    shown++;
  }
  if (!shown) {
    fprintf(stderr, "tocsin: no command %s; see tocsin help\n", of);
    return CLI_USAGE;
  }
  if (!of || !*of)
    puts(
        "\n--json: the same for programs. A TRACE is a file as verif/traces/README.md says, - is standard input.\n"
        "Exit codes: 0 done, 1 different or not as expected, 2 command line, 3 file, 4 backend, 5 time-out.");
  return CLI_OK;
}

// A file must not be opened in the place of a stream that is closed: what is said would be written into it.
static void streams(void) {
  int fd;
  while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= 2) continue;
  if (fd >= 0) close(fd);
}

// What was printed must have arrived.
static int written(const cli *c, int code) {
  return fflush(stdout) || ferror(stdout) ? cli_fail(c, CLI_FILE, "the output cannot be written") : code;
}

int main(int argc, char **argv) {
  streams();
  cli c = {.argc = argc, .argv = argv, .json = {.out = stdout, .empty = true}};
  char name[64] = "";
  c.command = argc > 1 ? argv[1] : "";
  if (argc < 2) {
    help(NULL);
    return CLI_USAGE;
  }
  if (!strcmp(argv[1], "--version")) {
    puts("tocsin " TOC_VERSION_TEXT);
    return written(&c, CLI_OK);
  }
  if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help")) {
    size_t n = 0;
    for (int i = 2; i < argc && n < sizeof name; i++)
      n += (size_t)snprintf(name + n, sizeof name - n, "%s%s", i > 2 ? " " : "", argv[i]);
    return written(&c, help(name));
  }
  for (unsigned words = 1; words <= 2 && (int)words < argc; words++) {
    if (strlen(name) + strlen(argv[words]) + 2 >= sizeof name) break;
    strcat(strcat(name, words > 1 ? " " : ""), argv[words]);
    for (unsigned i = 0; i < COMMANDS; i++) {
      if (strcmp(commands[i].name, name)) continue;
      c.command = commands[i].name;
      c.at = (int)words + 1;
      for (int k = c.at; k < argc; k++)  // wherever it stands
        if (!strcmp(argv[k], "--help")) return written(&c, help(c.command));
      return written(&c, commands[i].run(&c));
    }
  }
  fprintf(stderr, "tocsin: no command %s; see tocsin help\n", *name ? name : argv[1]);
  return CLI_USAGE;
}
