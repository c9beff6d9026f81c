// SPDX-License-Identifier: Apache-2.0
// Graphs from files.
//   - Edge lists as text: a line "A B" or "A B WEIGHT" each, vertices from 0 on, spaces or tabs between; lines that
//     begin with # or % are comments. There are as many vertices as the largest number says. Edges have no direction,
//     unless the reader is told so.
//   - Matrix Market, known by its first line: coordinate; pattern, integer or real; general (edges from row to column)
//     or symmetric (no direction, the lower triangle only). Rows and columns, of which there must be as many,
//     are vertices 1 ...
// Lines end in LF or CR LF, and are READ_LINE bytes long at most. Empty ones do not count.
#ifndef TOCSIN_SUITE_READ_H
#define TOCSIN_SUITE_READ_H

#include <stdio.h>

#include "edges.h"

enum { READ_LINE = 1024, READ_WHY = 200 };
#define READ_WEIGHT 1e299  // of a path of EDGES_VERTICES edges the sum is a number still

typedef struct read_how {
  bool weights;   // keep the weights of the file, which must not be negative then, nor above READ_WEIGHT
  bool directed;  // edges of a text file go from A to B only
} read_how;

typedef struct reader {
  FILE *f;
  const read_how *how;
  edge_list *list;
  uint64_t line;  // the one that has been read last, or that something is wrong with; 0: none
  char text[READ_LINE + 2];
  char why[READ_WHY];
} reader;

// False: r->line and r->why say what is wrong, and the list is empty. The caller closes f.
bool edges_read(reader *r, FILE *f, const read_how *how, edge_list *l);

// ---- for the two formats
// The next line that is not empty, without its end: 1; 0: there is none; -1: it is no text.
int read_next(reader *r);
bool read_bad(reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));  // false
// The next word of the line, *at, ends where it ends; false: there is none.
enum { READ_SHOWN = 40 };
typedef struct read_word {
  const char *text;
  int n;
} read_word;
bool read_word_next(const char **at, read_word *w);
// As much of it as may go to a terminal.
const char *read_shown(read_word w, char text[READ_SHOWN + 4]);
// The word as a number from `least` to `most`; `what` it is, for the message.
bool read_whole(reader *r, read_word w, const char *what, uint64_t least, uint64_t most, uint64_t *value);
bool read_real(reader *r, read_word w, bool whole, double *value);
// Nothing more stands in the line.
bool read_end(reader *r, const char *at);
bool read_edge(reader *r, uint64_t a, uint64_t b, double weight);

bool read_text(reader *r);    // the first line has been read
bool read_matrix(reader *r);  // the same
#endif
