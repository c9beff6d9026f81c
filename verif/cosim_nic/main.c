// SPDX-License-Identifier: Apache-2.0
// cosim (TOP=xtq, TOP=tocsin): what is asked for on the command line. net_hw, the hardware of this program, comes from
// here alone: nobody below knows which it is.
#include <stdio.h>
#include <stdlib.h>

#include "cosim_nic.h"
#include "options.h"

static int usage(void) {
  puts(
      "cosim [--backend both|rtl|model] [--n REQUESTS] [--seed S] [--tame] [--json FILE] [--pcap FILE]\n"
      "      [--drop P] [--twice P] [--swap P] [--bend P] [--mark P] [--lossless] [--bad P]     of 1000 frames, "
      "requests\n"
      "      [--reconnect P] [--fail P]    of 1000 requests, 10000 reads: queue pairs go off and on, memory fails\n"
      "      [--move P]    of 1000 looks at a queue pair at rest: it goes off, and on from where it was\n"
      "      [--nodes 2..4] [--duts 1..4] [--no-logs] [--one-way] [--tell] [--once] [--waves FILE [--waves-from "
      "CYCLE]]\n"
      "      once: no second run of the hardware alone, to compare the time\n"
      "      [--points FILE] [--bounds] [--quiet]    functional points: with those of earlier runs, within bounds, not "
      "printed\n"
      "      [--slip event|task|data|context|frame|register|memory]    what lockstep is to find different, to see how "
      "it "
      "says so\n"
      "cosim --hostile LIST    directed cases by number (\"29,31\") or \"all\"\n"
      "cosim --wiring LIST     cases of the wiring, likewise\n"
      "cosim --flood WHAT      floods of one kind of frame: \"fast\", \"slow\", \"all\", or part of their names\n"
      "cosim --replay FILE     plays a trace of a node (verif/traces/README.md): top tocsin, --backend both or rtl");
  return 2;
}

int main(int argc, char **argv) {
  nic_options o = {.hw = &net_hw,
                   .backend = NET_BOTH,
                   .n = 2000,
                   .seed = 1,
                   .nodes = 3,
                   .duts = 1,
                   .p_bad = 10,
                   .p_reconnect = 3,
                   .p_fail = 2,
                   .link = {.drop = 15, .twice = 15, .swap = 15, .bend = 10, .mark = 15, .delay = 20, .late = 400},
                   .logs = true,
                   .config = "default"};
  const char *hostile = NULL, *wiring = NULL, *flood = NULL, *replay = NULL;
  bool tame = false, lossless = false;
  const option table[] = {{"--backend", OPT_BACKEND, &o.backend},
                          {"--n", OPT_U64, &o.n},
                          {"--seed", OPT_U64, &o.seed},
                          {"--config", OPT_TEXT, &o.config},
                          {"--hostile", OPT_TEXT, &hostile},
                          {"--replay", OPT_TEXT, &replay},
                          {"--wiring", OPT_TEXT, &wiring},
                          {"--flood", OPT_TEXT, &flood},
                          {"--waves", OPT_TEXT, &o.wave},
                          {"--waves-from", OPT_U64, &o.wave_from},
                          {"--json", OPT_TEXT, &o.json},
                          {"--pcap", OPT_TEXT, &o.pcap},
                          {"--drop", OPT_UINT, &o.link.drop},
                          {"--twice", OPT_UINT, &o.link.twice},
                          {"--swap", OPT_UINT, &o.link.swap},
                          {"--bend", OPT_UINT, &o.link.bend},
                          {"--mark", OPT_UINT, &o.link.mark},
                          {"--bad", OPT_UINT, &o.p_bad},
                          {"--reconnect", OPT_UINT, &o.p_reconnect},
                          {"--fail", OPT_UINT, &o.p_fail},
                          {"--move", OPT_UINT, &o.p_move},
                          {"--nodes", OPT_UINT, &o.nodes},
                          {"--duts", OPT_UINT, &o.duts},
                          {"--tame", OPT_YES, &tame},
                          {"--lossless", OPT_YES, &lossless},
                          {"--no-logs", OPT_NO, &o.logs},
                          {"--one-way", OPT_YES, &o.one_way},
                          {"--tell", OPT_YES, &o.tell},
                          {"--once", OPT_YES, &o.once},
                          {"--points", OPT_TEXT, &o.points},
                          {"--bounds", OPT_YES, &o.bounds},
                          {"--slip", OPT_TEXT, &o.slip},
                          {"--quiet", OPT_YES, &o.quiet}};
  if (!options_read(argc, argv, table, sizeof table / sizeof *table)) return usage();
  o.self = options_again(argc, argv);
  o.argc = argc;
  o.argv = argv;
  if (!(o.reached = calloc(o.hw->num_points, sizeof *o.reached))) abort();
  if (tame) o.p_bad = o.p_reconnect = o.p_fail = 0;
  if (lossless) o.link.drop = o.link.twice = o.link.swap = o.link.bend = 0;
  if (o.nodes < 2 || o.nodes > NET_NODES || !o.duts || o.duts > o.nodes || (hostile && !o.hw->hostile) ||
      (flood && !o.hw->flood) || (wiring && (!o.hw->wiring || o.backend == NET_MODEL)))
    return usage();
  if (replay) return o.hw->replay ? o.hw->replay(&o, replay) : usage();
  int status = hostile  ? o.hw->hostile(&o, hostile)
               : wiring ? o.hw->wiring(&o, wiring)
               : flood  ? o.hw->flood(&o, flood)
                        : nic_random(&o);
  free(o.reached);
  return status;
}
