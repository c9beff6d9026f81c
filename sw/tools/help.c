// SPDX-License-Identifier: Apache-2.0
// What the commands are and take: the one list that help prints, and that arguments are held against.
#include <stdio.h>
#include <string.h>

#include "cli.h"

#define AT \
  { "--at LINE", "the state after this line of the trace, not at its end" }
#define ALL \
  { "--all", "also what is 0" }
#define OF_DEVICE                                                                                              \
  {"--backend NAME", "where the device is: uio (the default), vfio, fpga; model, rtl: one in this process"}, { \
    "--path PATH", "which one: uio0, 0000:01:00.0, /dev/ttyUSB0@115200"                                        \
  }
#define SEED \
  { "--seed N", "of all that is random; the same seed gives the same result (default 1)" }

#define VARIANT                                                                                                 \
  {"--variant NAME", "how it is done; the names stand below (default: serial on one rank, else aa)"},           \
      {"--ranks N", "on so many ranks (default 1; under mpirun or srun as many as they have begun)"},           \
      {"--record TRACE", "writes what happens to one rank's node as a trace, for tocsin replay"},               \
      {"--record-of iommu|node", "what the trace is of: the IOMMU (the default), or the node with its frames"}, \
      {"--record-node R", "which rank's (default 0)"}, {                                                        \
    "--processes", "each rank a process of its own, on the network; mpirun or srun mean that anyway"            \
  }
#define OF_GRAPH                                                                                             \
  VARIANT, {"--scale N", "a Kronecker graph of Graph500 with 2^N vertices (1 to 26, default 16)"},           \
      {"--degree N", "edges of it for each vertex (default 16)"},                                            \
      {"--input FILE", "a graph from a file: edge list as text, or Matrix Market; vertices begin with 0"}, { \
    "--seed N", "of graph and weights; 1, the default, gives Graph500's graph"                               \
  }
#define ROOT \
  { "--root V", "the vertex to begin with (default: the one with most edges)" }
#define DIRECTED \
  { "--directed", "the edges of a text file go one way" }

static const cli_command commands[] = {
    {"run",
     cmd_run,
     "PROGRAM|--list",
     "a program of the papers on a backend; it checks its result, whose digest is the same everywhere",
     {{"--list", "the programs; tocsin run PROGRAM --help says more of one"},
      {"--backend NAME", "model (the default: golden models), rtl (Verilated hardware), uio, vfio"},
      {"--path PATH", "which device, for uio and vfio"},
      SEED,
      {"--nodes N", "how many nodes, a rank on each (up to 64)"},
      {"--ranks N", "each rank a process of its own, on the network; begun by mpirun or srun, else N are begun here"},
      {"--rank R", "by hand: this is rank R of --ranks, and"},
      {"--root HOST:PORT", "is where rank 0 waits for the others"},
      {"--n N", "how much is done; what is counted depends on the program"},
      {"--size BYTES", "of a message, a multiple of 8; for getlog, launch and accumulate"},
      {"--loss PER_MILLE", "of 1000 frames so many are lost, as many doubled, as many overtaken (0 to 300, default 0)"},
      {"--variant tocsin|naive|both", "with Active Access and XTQ (the default), without, or one after the other"},
      {"--record TRACE", "writes what happens to a node as a trace, for tocsin replay (backend model)"},
      {"--record-of iommu|node", "what the trace is of: the IOMMU (the default), or the node with its frames"},
      {"--record-node R", "which node (default 0)"},
      {"--pcap FILE", "writes the frames of all nodes, for Wireshark"}},
     run_about},
    {"fig",
     cmd_fig,
     "NAME|--list",
     "a figure of a program over a sweep, Tocsin against naive: a table, DIR/NAME.csv and DIR/NAME.svg",
     {{"--list", "the figures; tocsin fig NAME --help says more of one"},
      {"--backend NAME", "model or rtl; which one is the default depends on the figure"},
      SEED,
      {"--out DIR", "where the files go (default: here); it must be there"}},
     fig_about},
    {"graph gups",
     cmd_graph,
     "",
     "random updates of a table, and how many went wrong",
     {VARIANT,
      {"--scale N", "a table of 2^N words (1 to 32, default 20)"},
      {"--updates N", "so many (default: 4 a word)"},
      {"--memory BYTES", "so much of a rank's table is in memory, pages of 4096; the rest is in a file (aa, naive)"},
      {"--store DIR", "where that file is made (default: where temporary ones are)"}},
     gups_about},
    {"graph uts",
     cmd_graph,
     "",
     "counts an unbalanced tree",
     {VARIANT,
      {"--tree NAME", "one whose size is published (default T1); they stand below"},
      {"--tree-args ARGS", "another, '-t 1 -a 3 -d 10 -b 4 -r 19', as these are written"}},
     uts_about},
    {"graph bfs",
     cmd_graph,
     "",
     "breadth-first search, checked by the five rules of Graph500",
     {OF_GRAPH, ROOT},
     bfs_about},
    {"graph pagerank",
     cmd_graph,
     "",
     "PageRank, the same to the last bit however it is done",
     {OF_GRAPH, DIRECTED},
     pagerank_about},
    {"graph cc", cmd_graph, "", "connected components", {OF_GRAPH}, cc_about},
    {"graph sssp", cmd_graph, "", "shortest paths from a vertex", {OF_GRAPH, ROOT, DIRECTED}, sssp_about},
    {"graph triangles", cmd_graph, "", "counts triangles", {OF_GRAPH}, triangles_about},
    {"replay",
     cmd_replay,
     "TRACE",
     "plays a trace on the model, the Verilated hardware, or both in lockstep; everything it expects must come",
     {{"--on model|rtl|both", "what it is played on (default model)"},
      {"--program COSIM", "the lockstep program for rtl and both, if it is not where install-rtl puts it"},
      AT},
     NULL},
    {"trace show",
     cmd_trace_show,
     "TRACE",
     "the records in words: TLPs, frames and registers decoded",
     {{"--kind LETTERS", "only records of these kinds, `--kind WDU`; the letters stand below"},
      {"--from LINE", "begins at this line of the file"},
      {"--count N", "so many records at most"}},
     kinds_about},
    {"trace stat", cmd_trace_stat, "TRACE", "how many records, TLPs and bytes, of which requesters", {{0}}, NULL},
    {"trace diff",
     cmd_trace_diff,
     "TRACE TRACE",
     "the first record that differs, whatever comments and spaces",
     {{0}},
     NULL},
    {"table dump",
     cmd_table_dump,
     "TRACE",
     "page tables after the trace: each context, each page with its bits",
     {AT},
     NULL},
    {"log dump",
     cmd_log_dump,
     "TRACE",
     "what the open access logs have for their readers",
     {{"--log N", "only this log"}, AT},
     NULL},
    {"regs",
     cmd_regs,
     "TRACE [NAME ...]",
     "registers after the trace that are not 0, by name, with fields; counters with what they count",
     {ALL, AT},
     NULL},
    {"top",
     cmd_top,
     "",
     "counters of a device as they run, once a second; the device is left as it is",
     {OF_DEVICE,
      {"--ms N", "between two looks (default 1000)"},
      {"--count N", "so many looks (default: until ^C)"},
      ALL},
     NULL},
    {"peek", cmd_peek, "[NAME ...]", "registers of a device by name; they are only read", {OF_DEVICE, ALL}, NULL},
};
enum { COMMANDS = sizeof commands / sizeof *commands, COLUMNS = 110, INDENT = 6 };

const cli_command *cli_command_named(const char *name) {
  for (const cli_command *k = commands; k < commands + COMMANDS; k++)
    if (!strcmp(k->name, name)) return k;
  return NULL;
}

bool cli_first_word(const char *word) {
  const size_t n = strlen(word);
  for (const cli_command *k = commands; n && k < commands + COMMANDS; k++)
    if (!strncmp(k->name, word, n) && k->name[n] == ' ') return true;
  return false;
}

bool cli_has_option(const cli_command *k, const char *word) {
  for (const cli_option *o = k->option; o < k->option + CLI_OPTIONS && o->words; o++)
    if (strlen(word) == strcspn(o->words, " ") && !strncmp(o->words, word, strlen(word))) return true;
  return false;
}

// One more word of a line that begins anew before it is too long.
static unsigned word(unsigned at, const char *left, const char *w, const char *right) {
  unsigned n = (unsigned)(strlen(left) + strlen(w) + strlen(right));
  if (at + 1 + n > COLUMNS) {
    printf("\n%*s", INDENT - 1, "");
    at = INDENT - 1;
  }
  printf(" %s%s%s", left, w, right);
  return at + 1 + n;
}

static void usage(const cli_command *k) {
  unsigned at = (unsigned)printf("  tocsin %s", k->name);
  if (*k->args) at = word(at, "", k->args, "");
  for (const cli_option *o = k->option; o < k->option + CLI_OPTIONS && o->words; o++)
    if (!strstr(k->args, o->words)) at = word(at, "[", o->words, "]");
  printf("\n%*s%s\n", INDENT, "", k->text);
}

static void options(const cli_command *k) {
  putchar('\n');
  for (const cli_option *o = k->option; o < k->option + CLI_OPTIONS && o->words; o++)
    printf("  %-28s %s\n", o->words, o->text);
  printf("  %-28s %s\n  %-28s %s\n", "--json", "the same for programs", "-h, --help", "this");
}

static void everything(void) {
  puts("tocsin COMMAND ... [--json] [-h]: runs programs on Tocsin, and looks at and replays what happens to it.\n");
  for (const cli_command *k = commands; k < commands + COMMANDS; k++) usage(k);
  puts(
      "\ntocsin help COMMAND, or tocsin COMMAND -h, explains a command's options, tocsin help run PROGRAM a program;\n"
      "tocsin help is this, tocsin --version the version. --json: the same for programs.\n"
      "A TRACE is a file as share/doc/tocsin/verif/traces/README.md says, - is standard input; man tocsin has all of "
      "this.\n"
      "Exit codes: 0 done, 1 different or not as expected, 2 command line, 3 file, 4 backend, 5 time-out.");
}

int cli_help(const char *of, const char *about) {
  if (!*of) {
    everything();
    return CLI_OK;
  }
  const cli_command *k = cli_command_named(of), *only = k;
  int e = k && k->about && about ? k->about(about) : CLI_OK;  // what was asked for comes first
  if (e) return e;
  unsigned shown = 0;
  for (const cli_command *i = commands; i < commands + COMMANDS; i++) {
    if (k ? i != k : strncmp(i->name, of, strlen(of))) continue;
    usage(only = i);
    shown++;
  }
  if (!shown) {
    fprintf(stderr, "tocsin: no command %s; see tocsin help\n", of);
    return CLI_USAGE;
  }
  if (shown > 1) return CLI_OK;
  options(only);
  return only->about && !about ? only->about(NULL) : CLI_OK;
}
