// SPDX-License-Identifier: Apache-2.0
// What the commands of `tocsin` share: options, exit codes, JSON.
#ifndef TOCSIN_CLI_H
#define TOCSIN_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tocsin/regs_table.h"
#include "tocsin/tocsin.h"

// Exit codes, the same for every command.
enum {
  CLI_OK = 0,
  CLI_DIFFERENT = 1,  // what was compared differs, or a result is wrong
  CLI_USAGE = 2,      // the command line makes no sense
  CLI_FILE = 3,       // a file cannot be opened, or is not what it should be
  CLI_BACKEND = 4,    // a backend is not there, or cannot do this
  CLI_TIMEOUT = 5     // something that was waited for did not come
};

// JSON on stdout: a value at a time, commas and indentation by itself. `key` is NULL inside arrays.
typedef struct json {
  FILE *out;
  unsigned depth;
  bool empty;  // nothing yet in the innermost object or array
} json;

void json_open(json *j, const char *key, char bracket);  // '{' or '['
void json_close(json *j, char bracket);                  // '}' or ']'; the outermost ends the line
void json_text(json *j, const char *key, const char *value);
void json_uint(json *j, const char *key, uint64_t value);
void json_hex(json *j, const char *key,
              uint64_t value);  // addresses and registers: "0x1f", since JSON numbers end at 2^53
void json_bool(json *j, const char *key, bool value);
void json_real(json *j, const char *key, double value);
void json_bytes(json *j, const char *key, const uint8_t *bytes, uint32_t n);

typedef struct cli cli;

// An option as help shows it, "--seed N", and what it is for.
typedef struct cli_option {
  const char *words, *text;
} cli_option;
enum { CLI_OPTIONS = 18 };

typedef struct cli_command {
  const char *name;
  int (*run)(cli *c);
  const char *args, *text;         // args: what is no option
  cli_option option[CLI_OPTIONS];  // without --json and -h, which all have; behind the last one words is NULL
  int (*about)(
      const char *word);  // what else help says: of the word behind the command; NULL: of all that may stand there
} cli_command;
const cli_command *cli_command_named(const char *name);  // NULL: there is none
bool cli_first_word(const char *word);                   // of commands that have two
bool cli_has_option(const cli_command *k, const char *word);

// Help of a command, of all that begin so, or ("") of everything; the exit code.
int cli_help(const char *of, const char *about);
bool cli_asks_help(const char *word);

// The arguments of one command. Options may stand anywhere; "--" ends them.
struct cli {
  const char *command;      // "trace show", for messages
  const cli_command *what;  // whose options are taken; NULL: any
  int argc;
  char **argv;
  int at;
  bool as_json, no_more;
  json json;
};

// The next argument: 0 none is left, 1 an option (*word begins with "--"), 2 a word, 3 an option that the
// command does not have.
int cli_next(cli *c, const char **word);
// Opens a file to be read, "-" for standard input; NULL, and a message.
FILE *cli_open(const cli *c, const char *name);
void cli_close(FILE *f);

// Somebody looks, and the terminal can move its cursor.
bool cli_terminal(int fd);

// The value of the option just seen. NULL, and a message: there is none.
const char *cli_value(cli *c, const char *option);
// The same as a number from `least` to `max`, decimal or, behind 0x, hexadecimal. False, and a message: it is none.
bool cli_number(cli *c, const char *option, uint64_t least, uint64_t max, uint64_t *value);

// "tocsin COMMAND: text", then the code.
int cli_fail(const cli *c, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
// "... ; see tocsin help COMMAND"
int cli_usage(const cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// What a program's end means for the exit code; wrong: it ended well, but its result is not right.
int cli_code_of(toc_status s, bool wrong);
// Is there such a backend in this program?
bool cli_backend(const char *name);

// A bar of `done` of `all` on stderr, ctx an unsigned that begins as ~0U; for work that is long, and only if
// stderr is a terminal.
void cli_bar(void *ctx, uint64_t done, uint64_t all);
void cli_bar_clear(void);

// A register, its value and its fields that are not 0.
void cli_reg(cli *c, const tocsin_reg *r, unsigned index, uint64_t v);

int run_about(const char *program);
int fig_about(const char *figure);
int kinds_about(const char *file);
int gups_about(const char *word);
int uts_about(const char *word);
int bfs_about(const char *word);
int pagerank_about(const char *word);
int cc_about(const char *word);
int sssp_about(const char *word);
int triangles_about(const char *word);

int cmd_run(cli *c);
int cmd_fig(cli *c);
int cmd_graph(cli *c);
int cmd_trace_show(cli *c);
int cmd_trace_stat(cli *c);
int cmd_trace_diff(cli *c);
int cmd_table_dump(cli *c);
int cmd_log_dump(cli *c);
int cmd_regs(cli *c);
int cmd_replay(cli *c);
int cmd_top(cli *c);
int cmd_peek(cli *c);
#endif
