// SPDX-License-Identifier: Apache-2.0
// ask_model: reads lines `aa_iommu|xtq_nic NAME=VALUE ...`, every other parameter as by default, and says for
// each what the golden model has against it: a sentence, or - for nothing. Whether an instance can be made is held
// against the sentence.
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tocsin/aa.h"
#include "tocsin/nic.h"

typedef struct field {
  const char *name;
  size_t at;
} field;

#define AA(f) \
  { #f, offsetof(aa_config, f) }
#define NIC(f) \
  { #f, offsetof(nic_config, f) }
static const field aa_fields[] = {AA(NumPorts),   AA(Window),     AA(Walkers),      AA(IotlbEntries), AA(IotlbWays),
                                  AA(SpEntries),  AA(CtxEntries), AA(PscEntries),   AA(NumLogs),      AA(LogDepth),
                                  AA(TagEntries), AA(FlushPages), AA(FlushWaiters), AA(ScratchWords), {NULL, 0}};
static const field nic_fields[] = {NIC(NumProcs), NIC(NumQps),   NIC(NumMrs),    NIC(RespDepth),  NIC(Replay),
                                   NIC(Window),   NIC(Requests), NIC(TableBits), NIC(TableCache), NIC(RecvDepth),
                                   NIC(NumLogs),  NIC(Contexts), {NULL, 0}};

// Sets NAME=VALUE in a configuration; ends the program if there is no such field.
static void set(void *config, const field *f, bool *random, const char *word) {
  size_t n = strcspn(word, "=");
  unsigned v = (unsigned)strtoul(word + n + 1, NULL, 10);
  if (random && !strncmp(word, "IotlbRandom=", 12)) {
    *random = v;
    return;
  }
  while (f->name && (strlen(f->name) != n || memcmp(f->name, word, n))) f++;
  if (!f->name) {
    printf("no parameter %s\n", word);
    exit(1);
  }
  memcpy((char *)config + f->at, &v, sizeof v);
}

static void answer(const char *wrong, bool made) {
  if (made == !wrong)
    puts(wrong ? wrong : "-");
  else
    printf("%s, but an instance is %s\n", wrong ? wrong : "nothing", made ? "made" : "refused");
}

static void ask(char *line) {
  bool iommu = !strncmp(line, "aa_iommu", 8);
  aa_config a;
  nic_config n;
  aa *iommu_made = NULL;
  nic *nic_made = NULL;
  aa_config_default(&a);
  nic_config_default(&n);
  strtok(line, " \n");
  for (char *w = strtok(NULL, " \n"); w; w = strtok(NULL, " \n")) {
    if (iommu)
      set(&a, aa_fields, &a.IotlbRandom, w);
    else
      set(&n, nic_fields, NULL, w);
  }
  if (iommu)
    answer(aa_config_wrong(&a), aa_new(&a, &(aa_ops){0}, NULL, &iommu_made) == AA_OK);
  else
    answer(nic_config_wrong(&n), nic_new(&n, &(nic_ops){0}, NULL, &nic_made) == NIC_OK);
  aa_free(iommu_made);
  nic_free(nic_made);
}

int main(void) {
  char line[256];
  while (fgets(line, sizeof line, stdin)) ask(line);
  return 0;
}
