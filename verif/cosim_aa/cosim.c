// SPDX-License-Identifier: Apache-2.0
// cosim: random lockstep, directed hostile cases, replay of traces and the built-in workload, on the Verilated
// hardware, on the golden model, or on both.
#define _POSIX_C_SOURCE 200809L
#include "cosim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver.h"
#include "hw_config.h"
#include "tocsin/aa_time.h"

void cosim_progress(const cosim_options *o, uint64_t done, uint64_t total, const char *text) {
  static double last;
  if (!o->progress || !isatty(2)) return;
  if (!text) {
    fprintf(stderr, "\r\033[K");
    return;
  }
  double now = cpu_seconds();
  if (now - last < 0.1 && done < total) return;
  last = now;
  int w = total ? (int)(40 * (done < total ? done : total) / total) : 40;
  fprintf(stderr, "\r[%.*s%*s] %3d%%  %s\033[K", w, "########################################", 40 - w, "",
          total ? (int)(100 * (done < total ? done : total) / total) : 100, text);
  fflush(stderr);
}

// How near each timer came to its bound.
static void tell_time(const aa_lock *l) {
  const aa_time *t = aa_lock_time(l);
  for (unsigned i = 0; i < AA_TIMERS; i++)
    fprintf(stderr, "%s: latest %" PRIu32 " of %" PRIu32 " free cycles (%" PRIu64 " of %" PRIu64 " cycles free)\n",
            aa_timer_name(i), t->count[i].latest, t->count[i].limit, t->free[i], t->cycles);
}

typedef struct outcome {
  uint64_t requests, cycles, half_requests;
  unsigned mismatches;
  double seconds, half_seconds;
} outcome;

// STR-2: each stream shows something in the first cycle out of reset: a write with a read behind it,
// and a completion of nobody.
static void at_once(bench *b) {
  for (unsigned i = 0; i < b->hw.NumPorts; i++) {
    const uint16_t rid = (uint16_t)(0x100 * (i + 1));
    const uint64_t at = DRIVER_JUNK + 0x100 * (uint64_t)i;
    pktq_push(&b->dev_q[i], traffic_request(TLP_MWR32, rid, 0, at, 24, 0xF, 0xF));
    pktq_push(&b->dev_q[i], traffic_request(TLP_MRD32, rid, 1, at, 24, 0xF, 0xF));
  }
  pkt *p = pkt_new(0);
  tlp_pack(&(tlp_fields){.type = TLP_CPL, .rid = 0xbad, .byte_count = 4, .status = TLP_UR}, p->hdr);
  pktq_push(&b->cpl_q, p);
  bench_step(b);
}

// What devices and host do in the run.
static void draw_manners(bench *b, bool hostile) {
  traffic *t = b->traffic;
  host_mode *h = host_mode_of(b);
  t->left = ~0ull;  // until enough have gone in
  t->p_bad = hostile ? 12 : 0;
  t->p_live = hostile ? 4 : 0;
  t->p_wild = hostile ? 10 : 3;
  t->max_dw = rng_1in(&b->rng, 2) ? 64 : 1024;
  if (hostile) {
    h->p_bad = 8;
    h->p_stray = 8;
  }
  h->rcb = rng_1in(&b->rng, 2) ? 64 : 128;
  h->mps = 128u << rng_below(&b->rng, 4);
}

// Until n requests have gone in; half as of random_run.
static void requests(bench *b, const cosim_options *o, int backend, uint64_t n, uint64_t half, double start,
                     outcome *out) {
  while (b->stats.requests < n && !b->failed) {
    driver_action(b);
    if (half && !out->half_requests && b->stats.requests >= half) {
      out->half_requests = b->stats.requests;
      out->half_seconds = cpu_seconds() - start;
      if (backend == BENCH_RTL) break;
    }
    char text[80];
    snprintf(text, sizeof text, "%s, seed %" PRIu64 ", cycle %" PRIu64, backend_name(backend), o->seed, b->cycle);
    cosim_progress(o, b->stats.requests, n, text);
  }
  cosim_progress(o, n, n, NULL);
}

// Lets everything end, reads every log and counter (CNT-1), compares. Returns whether count holds the counters.
static bool come_to_rest(bench *b, int backend, uint64_t count[64]) {
  driver_rest(b);
  for (unsigned i = 0; i < 64 && !b->failed; i++) count[i] = bench_read(b, AA_REG_CNT + 8 * i, 8);
  bool counted = !b->failed;
  for (unsigned i = 0; i < b->hw.NumLogs && !b->failed; i++) {
    driver_consume(b, true);
    for (unsigned k = 0; k < 4; k++) bench_read(b, AA_REG_LP_PROD + (i << 12) + 8 * k, 8);
    if (b->driver->log[i].open) driver_close(b, b->driver, i);
  }
  bench_quiet(b, 20000);
  if (backend == BENCH_BOTH) lock_end(b);
  return counted;
}

static void tell_failure(const bench *b, const cosim_options *o, int backend, uint64_t n) {
  const char *what = b->driver->what ? b->driver->what : "setting up";
  if (o->hostile && backend == BENCH_BOTH)
    fprintf(stderr, "while  %s\nagain  make cosim TOP=aa N=%" PRIu64 " SEED=%" PRIu64 " CONFIG=%s WAVES=1\n", what, n,
            o->seed, o->config);
  else
    fprintf(stderr, "while  %s\nagain  %s\n", what, o->self);
  if (o->hostile && backend == BENCH_BOTH && !o->wave)
    fprintf(stderr, "waves  none; with WAVES=1  build/cosim/%s%s/wave.fst\n", o->config,
            strcmp(o->config, "default") ? "-waves" : "");
  else
    result_waves(o->self, o->config, o->wave, backend);
}

// count: the counters, or null. Those that software has cleared are not what the records add up to.
static void tell_totals(const bench *b, const uint64_t *count) {
  static const char *const kind[] = {"-",   "RegRead", "Walk",    "Xlate",  "Fill",  "Decide",
                                     "Cpl", "Timeout", "Publish", "Notify", "Inval", "RegWrite"};
  static const char *const name[] = {
      "decided", "writes",     "reads",         "atomics", "passed",   "hits",      "walks",       "faults",
      "fills",   "ctx",        "begun",         "denied",  "entries",  "bytes",     "published",   "bytes",
      "dropped", "aborted",    "stray",         "flushes", "not done", "malformed", "live tags",   "no log",
      "stock",   "stock lost", "invalidations", "MSIs",    "pads",     "poisoned",  "port filter", "time-outs"};
  uint64_t e = 0, bytes = 0;
  for (unsigned i = 0; i < b->hw.NumLogs; i++) e += b->driver->log[i].entries, bytes += b->driver->log[i].bytes;
  fprintf(stderr,
          "%" PRIu64 " TLPs in, %" PRIu64 " to the host, %" PRIu64 " completions, %" PRIu64 " to devices, %" PRIu64
          " log entries read (%" PRIu64 " bytes), %" PRIu64 " AXI reads, %" PRIu64 " writes, %" PRIu64
          " interrupts, %" PRIu64 " faults, %" PRIu64 " actions\n",
          b->stats.requests, b->stats.host_tlps, b->stats.completions, b->stats.dev_tlps, e, bytes, b->stats.axi_reads,
          b->stats.axi_writes, b->stats.interrupts, b->driver->faults_seen, b->driver->actions);
  if (count && b->hw.ActiveAccess) {
    const char *between = "counters that software never cleared: ";
    for (unsigned i = 0; i < 32; i++)
      if (!(b->driver->cleared >> i & 1)) fprintf(stderr, "%s%s %" PRIu64, between, name[i], count[i]), between = ", ";
    fputc('\n', stderr);
  }
  for (unsigned i = 1; i < 12; i++)
    fprintf(stderr, "%s%s %" PRIu64 "%s", i > 1 ? "" : "records: ", kind[i], b->stats.retired[i], i < 11 ? ", " : "\n");
  if (b->lock) tell_time(b->lock);
}

// One random run. reached: functional points, null: this is not the run that tells. half: requests after which the time
// is taken as well (0: never), and where an RTL-only run ends.
static void random_run(const cosim_options *o, int backend, uint64_t n, uint64_t half, uint64_t *reached,
                       outcome *out) {
  aa_config hw;
  memset(out, 0, sizeof *out);
  hw_config(&hw);
  bench *b = bench_new(backend, &hw, o->seed, backend & BENCH_RTL ? o->wave : NULL);
  if (!b) exit(2);
  b->wave_from = o->wave_from;
  b->reached = reached;
  double start = cpu_seconds();
  at_once(b);
  driver_init(b, o->hostile);
  draw_manners(b, o->hostile);
  requests(b, o, backend, n, half, start, out);
  uint64_t count[64] = {0};
  b->traffic->on = false;
  bool counted = b->stats.requests >= n && !b->failed && come_to_rest(b, backend, count);
  out->seconds = cpu_seconds() - start;
  out->requests = b->stats.requests;
  out->cycles = b->cycle;
  out->mismatches = b->mismatches;
  if (b->lock && reached) aa_reach_timers(b);
  if (b->failed) tell_failure(b, o, backend, n);
  if (reached && (o->verbose || b->failed)) tell_totals(b, counted ? count : NULL);
  driver_free(b);
  bench_free(b);
}

int cosim_random(const cosim_options *o) {
  outcome run, alone;
  uint64_t reached[AT_NUM] = {0};
  const points all = {aa_reach_list, reached, AT_NUM};
  uint64_t half = o->backend == BENCH_BOTH && !o->wave && !o->once ? (o->n < 40000 ? o->n / 2 + 1 : 20000) : 0;
  random_run(o, o->backend, o->n, half, reached, &run);
  double rtl = o->backend == BENCH_RTL ? run.seconds : 0;
  if (half && !run.mismatches) {
    // the same run without the model, up to the same request; the whole is scaled by the ratio
    random_run(o, BENCH_RTL, o->n, half, NULL, &alone);
    if (run.half_seconds > 0) rtl = run.seconds * alone.half_seconds / run.half_seconds;
  }
  return result_tell(&(result){.top = "aa",
                               .points = &all,
                               .points_file = o->points,
                               .bounds = o->bounds,
                               .excuses = o->excuses,
                               .quiet = !o->progress,
                               .config = o->config,
                               .json = o->json,
                               .on = o->backend,
                               .seed = o->seed,
                               .requests = run.requests,
                               .cycles = run.cycles,
                               .mismatches = run.mismatches,
                               .seconds = run.seconds,
                               .seconds_rtl = rtl},
                     "");
}

static int usage(void) {
  puts(
      "cosim [--backend both|rtl|model] [--n REQUESTS] [--seed S] [--tame] [--waves FILE [--waves-from CYCLE]] [--json "
      "FILE]\n"
      "      [--once] [--verbose] [--quiet] [--points FILE] [--bounds | --excuses]    once: no second run of the "
      "hardware alone, "
      "to compare the time\n"
      "cosim --replay FILE     plays a trace (verif/traces/README.md); --ports: compared from the ports alone as well "
      "(aa_snoop.h)\n"
      "cosim --full-rate FILE  plays a recorded workload on the hardware as fast as it goes; prints what that "
      "was\n"
      "cosim --hostile LIST    what broken peers send, by number (\"5,13\") or \"all\"\n"
      "cosim --wiring LIST     directed cases of the wiring, likewise\n"
      "cosim --workload DIR    the built-in workload; report and waves to DIR");
  return 2;
}

int main(int argc, char **argv) {
  cosim_options o = {
      .backend = BENCH_BOTH, .n = 20000, .seed = 1, .config = "default", .hostile = true, .progress = true};
  const char *replay = NULL, *full_rate = NULL, *cases = NULL, *wiring = NULL, *dir = NULL;
  const option table[] = {{"--tame", OPT_NO, &o.hostile},
                          {"--ports", OPT_YES, &o.ports},
                          {"--verbose", OPT_YES, &o.verbose},
                          {"--quiet", OPT_NO, &o.progress},
                          {"--points", OPT_TEXT, &o.points},
                          {"--bounds", OPT_YES, &o.bounds},
                          {"--excuses", OPT_YES, &o.excuses},
                          {"--backend", OPT_BACKEND, &o.backend},
                          {"--n", OPT_U64, &o.n},
                          {"--seed", OPT_U64, &o.seed},
                          {"--config", OPT_TEXT, &o.config},
                          {"--waves", OPT_TEXT, &o.wave},
                          {"--waves-from", OPT_U64, &o.wave_from},
                          {"--json", OPT_TEXT, &o.json},
                          {"--replay", OPT_TEXT, &replay},
                          {"--full-rate", OPT_TEXT, &full_rate},
                          {"--hostile", OPT_TEXT, &cases},
                          {"--wiring", OPT_TEXT, &wiring},
                          {"--workload", OPT_TEXT, &dir},
                          {"--once", OPT_YES, &o.once}};
  if (!options_read(argc, argv, table, sizeof table / sizeof *table)) return usage();
  o.self = options_again(argc, argv);
  if (replay) return cosim_replay(&o, replay);
  if (full_rate) return cosim_full_rate(&o, full_rate);
  if (cases) return cosim_hostile(&o, cases);
  if (wiring) return cosim_wiring(&o, wiring);
  if (dir) return cosim_workload(&o, dir);
  return cosim_random(&o);
}
