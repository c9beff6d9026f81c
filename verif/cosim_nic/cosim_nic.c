// SPDX-License-Identifier: Apache-2.0
// cosim (TOP=xtq, TOP=tocsin): random traffic between NICs over a bad link, one of them hardware in lockstep with the
// golden model, or a model as well.
#define _POSIX_C_SOURCE 200809L
#include "cosim_nic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "sw.h"

#ifndef CFG_NumProcs
#define CFG_NumProcs 4
#define CFG_NumQps 16
#define CFG_NumMrs 32
#define CFG_RespDepth 32
#define CFG_Replay 16
#define CFG_Window 64
#define CFG_Requests 16
#define CFG_TableBits 6
#define CFG_TableCache 0
#define CFG_RecvDepth 8
#define CFG_NumLogs 8
#define CFG_RxFrames 64
#endif
#ifndef CFG_Contexts
#define CFG_Contexts 0
#endif

void nic_hw(nic_config *c) {
  *c = (nic_config){.NumProcs = CFG_NumProcs,
                    .NumQps = CFG_NumQps,
                    .Contexts = CFG_Contexts,
                    .NumMrs = CFG_NumMrs,
                    .RespDepth = CFG_RespDepth,
                    .Replay = CFG_Replay,
                    .Window = CFG_Window,
                    .Requests = CFG_Requests,
                    .TableBits = CFG_TableBits,
                    .TableCache = CFG_TableCache,
                    .RecvDepth = CFG_RecvDepth,
                    .NumLogs = CFG_NumLogs,
                    .Frames = CFG_RxFrames};
}

net *nic_begin(const nic_options *o) {
  nic_config cfg;
  nic_hw(&cfg);
  net *w = net_new(o->backend, &cfg, o->nodes, o->duts, o->seed, o->wave);
  w->link = o->link;
  w->reached = o->reached;
  w->wave_from = o->wave_from;
  FILE *f = o->pcap ? fopen(o->pcap, "wb") : NULL;
  if (o->pcap && (!f || net_capture(w, f))) {
    perror(o->pcap);
    exit(2);
  }
  return w;
}

int nic_end(const nic_options *o, net *w) {
  int bad = w->mismatches != 0;
  if (bad) fprintf(stderr, "while  %s\nagain  %s\n", w->what ? w->what : "?", o->self);
  if (bad && o->backend != NET_MODEL) fprintf(stderr, "waves  %s\n", o->wave ? o->wave : "none: repeat with WAVES=1");
  if (w->pcap.file && fclose(w->pcap.file)) bad = 2;
  net_free(w);
  return bad;
}

// In the first cycle out of reset a frame of nobody begins at each node.
static void at_once(net *w) {
  frame f = {.n = 200};
  for (unsigned i = 0; i < f.n; i++) f.b[i] = (uint8_t)(0x11 * i);
  for (unsigned i = 0; i < w->nodes; i++) w->node[i].ops->take(&w->node[i], &f);
}

typedef struct outcome {
  uint64_t requests, cycles, half_requests;
  unsigned mismatches;
  double seconds, half_seconds;
  net_link link;
  net_again again;
} outcome;

// half: requests after which the time is taken as well (0: never), and where a run of the hardware alone ends.
static int random_run(const nic_options *o, uint64_t half, outcome *out) {
  memset(out, 0, sizeof *out);
  double start = cpu_seconds();
  net *w = nic_begin(o);
  at_once(w);
  sw_init(w, &(sw_options){.n = o->n,
                           .p_bad = o->p_bad,
                           .p_reconnect = o->p_reconnect,
                           .p_fail = o->p_fail,
                           .p_move = o->p_move,
                           .logs = o->logs,
                           .one_way = o->one_way});
  bool cut = false;
  while (!w->failed && !cut && sw_busy(w)) {
    sw_cycle(w);
    net_cycle(w);
    if (!half || out->half_requests || sw_ended(w) < half) continue;
    out->half_requests = sw_ended(w);
    out->half_seconds = cpu_seconds() - start;
    cut = o->backend == NET_RTL;
  }
  if (!w->failed && !cut) sw_finish(w);
  for (unsigned i = 0; i < w->duts && !w->failed && !cut && o->backend == NET_BOTH; i++)
    w->node[i].ops->end(&w->node[i]);
  if (o->tell && !w->failed && !cut) sw_tell(w);
  out->seconds = cpu_seconds() - start;
  out->requests = sw_ended(w);
  out->cycles = w->cycle;
  out->mismatches = w->mismatches;
  out->link = w->link;
  out->again = w->again;
  return nic_end(o, w);
}

static int random_and_report(const nic_options *o) {
  outcome run, alone;
  uint64_t half = o->backend == NET_BOTH && !o->wave && !o->once ? (o->n < 40000 ? o->n / 2 + 1 : 20000) : 0;
  int bad = random_run(o, half, &run);
  double rtl = o->backend == NET_RTL ? run.seconds : 0;
  if (half && !bad && run.half_seconds > 0) {
    // the same run without the model, up to the same request; the whole is scaled by the ratio
    nic_options a = *o;
    a.backend = NET_RTL;
    a.pcap = NULL;
    a.reached = NULL;
    random_run(&a, half, &alone);
    rtl = run.seconds * alone.half_seconds / run.half_seconds;
  }
  char more[280];
  snprintf(more, sizeof more,
           ", %" PRIu64 " frames (%" PRIu64 " lost, %" PRIu64 " doubled, %" PRIu64 " overtaken, %" PRIu64
           " damaged, %" PRIu64 " marked; %" PRIu64 " requests and %" PRIu64 " bytes asked for or sent again)",
           run.link.did.frames, run.link.did.dropped, run.link.did.twice, run.link.did.swapped, run.link.did.bent,
           run.link.did.marked, run.again.frames, run.again.bytes);
  const points reached = {net_hw.points, o->reached, net_hw.num_points};
  int wrote = result_tell(&(result){.points = &reached,
                                    .points_file = o->points,
                                    .bounds = o->bounds,
                                    .quiet = o->quiet,
                                    .top = net_hw.name,
                                    .config = o->config,
                                    .json = o->json,
                                    .on = o->backend,
                                    .seed = o->seed,
                                    .requests = run.requests,
                                    .cycles = run.cycles,
                                    .mismatches = run.mismatches,
                                    .seconds = run.seconds,
                                    .seconds_rtl = rtl},
                          more);
  return bad ? bad : wrote;
}

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
      "cosim --hostile LIST    directed cases by number (\"29,31\") or \"all\"\n"
      "cosim --wiring LIST     cases of the wiring, likewise\n"
      "cosim --flood WHAT      floods of one kind of frame: \"fast\", \"slow\", \"all\", or part of their names\n"
      "cosim --replay FILE     plays a trace of a node (verif/traces/README.md): top tocsin, --backend both or rtl");
  return 2;
}

int main(int argc, char **argv) {
  nic_options o = {.backend = NET_BOTH,
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
                          {"--quiet", OPT_YES, &o.quiet}};
  if (!options_read(argc, argv, table, sizeof table / sizeof *table)) return usage();
  o.self = options_again(argc, argv);
  if (!(o.reached = calloc(net_hw.num_points, sizeof *o.reached))) abort();
  if (tame) o.p_bad = o.p_reconnect = o.p_fail = 0;
  if (lossless) o.link.drop = o.link.twice = o.link.swap = o.link.bend = 0;
  if (o.nodes < 2 || o.nodes > NET_NODES || !o.duts || o.duts > o.nodes || (hostile && !net_hw.hostile) ||
      (flood && !net_hw.flood) || (wiring && (!net_hw.wiring || o.backend == NET_MODEL)))
    return usage();
  if (replay) return net_hw.replay ? net_hw.replay(&o, replay) : usage();
  int status = hostile  ? net_hw.hostile(&o, hostile)
               : wiring ? net_hw.wiring(&o, wiring)
               : flood  ? net_hw.flood(&o, flood)
                        : random_and_report(&o);
  free(o.reached);
  return status;
}
