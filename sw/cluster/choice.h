// SPDX-License-Identifier: Apache-2.0
// NAME=VALUE on a command line, by a table of what there is.
#ifndef TOCSIN_CLUSTER_CHOICE_H
#define TOCSIN_CLUSTER_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum choice_kind {
  CHOICE_TEXT,   // const char *
  CHOICE_COUNT,  // unsigned
  CHOICE_WIDE,   // uint64_t
  CHOICE_REAL,   // double
  CHOICE_FLAG    // bool: 0 or 1
} choice_kind;
typedef struct choice {
  const char *name;  // NULL ends the table
  choice_kind kind;
  void *to;
  double least, most;  // of numbers
} choice;

// Of main's words those from the second on. Exits with a sentence, as choice_bad does, if one is not in the table or
// not in its bounds.
void choice_read(const char *program, const choice *table, int words, char **word);
// The number of a word in a list that ends with NULL; of one that is not there that of the NULL.
unsigned choice_index(const char *const *list, const char *word);
_Noreturn void choice_bad(const char *program, const char *what, const char *why);
#endif
