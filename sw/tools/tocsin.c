// SPDX-License-Identifier: Apache-2.0
// tocsin: the command line. help.c has the list of commands.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

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

// Help, if one of the arguments asks for it: -1, it does not. The word behind the command says of what.
static int helped(cli *c) {
  const char *about = NULL;
  for (int i = c->at; i < c->argc && strcmp(c->argv[i], "--"); i++) {
    if (cli_asks_help(c->argv[i])) return cli_help(c->command, about);
    if (i == c->at && *c->argv[i] != '-') about = c->argv[i];
  }
  return -1;
}

// tocsin help [COMMAND [PROGRAM]]
static int help_command(int argc, char **argv) {
  char name[64] = "";
  const char *about = NULL;
  for (int i = 2; i < argc && !about; i++) {
    if (cli_asks_help(argv[i])) continue;
    if (*name && cli_command_named(name)) {
      about = argv[i];
    } else {
      size_t n = strlen(name);
      snprintf(name + n, sizeof name - n, "%s%s", n ? " " : "", argv[i]);
    }
  }
  return cli_help(strcmp(name, "help") ? name : "", about);
}

int main(int argc, char **argv) {
  streams();
  cli c = {.argc = argc, .argv = argv, .json = {.out = stdout, .empty = true}};
  char name[64] = "";
  c.command = argc > 1 ? argv[1] : "";
  if (argc < 2) {
    cli_help("", NULL);
    return CLI_USAGE;
  }
  if (!strcmp(argv[1], "--version")) {
    puts("tocsin " TOC_VERSION_TEXT);
    return written(&c, CLI_OK);
  }
  if (!strcmp(argv[1], "help") || cli_asks_help(argv[1])) return written(&c, help_command(argc, argv));
  for (int words = 1; words <= 2 && words < argc; words++) {
    if (words == 2 && cli_asks_help(argv[2])) return written(&c, cli_help(name, NULL));  // of `trace`, say
    if (strlen(name) + strlen(argv[words]) + 2 >= sizeof name) break;
    strcat(strcat(name, words > 1 ? " " : ""), argv[words]);
    if (!(c.what = cli_command_named(name))) continue;
    c.command = c.what->name;
    c.at = words + 1;
    int e = helped(&c);
    return written(&c, e < 0 ? c.what->run(&c) : e);
  }
  if (cli_first_word(argv[1]))
    fprintf(stderr, "tocsin %s: %s%s; see tocsin help %s\n", argv[1], argc > 2 ? "there is no " : "which one?",
            argc > 2 ? argv[2] : "", argv[1]);
  else
    fprintf(stderr, "tocsin: no command %s; see tocsin help\n", *name ? name : argv[1]);
  return CLI_USAGE;
}
