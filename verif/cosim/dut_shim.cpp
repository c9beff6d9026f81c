// SPDX-License-Identifier: Apache-2.0
// A Verilated top behind a C interface: pointers to its pins, evaluate, dump. aa_iommu, unless DUT_TOP and DUT_HEADER
// say another, whose pins are then in DUT_PINS.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#ifndef DUT_TOP
#define DUT_TOP aa_iommu
#define DUT_HEADER "Vaa_iommu.h"
#endif
#include DUT_HEADER
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#include "pins.h"
#define DUT_REAL  // of the pins, those that the top has

#define DUT_CLASS2(x) V##x
#define DUT_CLASS1(x) DUT_CLASS2(x)
#define DUT_CLASS DUT_CLASS1(DUT_TOP)
#define DUT_NAME2(x) #x
#define DUT_NAME1(x) DUT_NAME2(x)

struct dut {
  VerilatedContext context;
  char *text = nullptr;  // what the hardware prints, with its size: a failed assertion in words
  size_t size = 0;
  FILE *said = open_memstream(&text, &size);
  std::string failed;
  bool clk = false;
  std::unique_ptr<DUT_CLASS> top;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> wave;
#endif
};

extern "C" dut *dut_new(uint64_t seed, const char *wave, pins *p) {
  dut *d = new dut;
  d->context.randReset(2);
  d->context.randSeed(static_cast<int>(seed & 0x7FFFFFFF) | 1);
  d->context.fatalOnError(false);
  d->context.assertOn(false);
  d->context.errorLimit(1 << 30);
  d->context.traceEverOn(wave != nullptr);
  d->top = std::make_unique<DUT_CLASS>(&d->context, DUT_NAME1(DUT_TOP));
#if VM_TRACE
  if (wave) {
    d->wave = std::make_unique<VerilatedFstC>();
    d->top->trace(d->wave.get(), 99);
    d->wave->open(wave);
  }
#endif
// All inputs idle from the start: random reset values are for registers.
#define PIN(name) std::memset(&d->top->name, 0, sizeof d->top->name);
#include "pins.h"
#undef PIN
#define PIN(name) p->name = reinterpret_cast<uint8_t *>(&d->top->name);
#include "pins.h"
#undef PIN
  return d;
}

extern "C" void dut_check(dut *d, int on) { d->context.assertOn(on != 0); }

// TOCSIN_CYCLES: 0 prints at the end how many cycles all machines of this run were given, n ends a run that needs more.
static void count_cycle() {
  static const char *const most = std::getenv("TOCSIN_CYCLES");
  static const unsigned long long limit = most ? std::strtoull(most, nullptr, 0) : 0;
  static unsigned long long cycles = 0;
  if (!most) return;
  if (!cycles++ && !limit) std::atexit([] { std::fprintf(stderr, "%llu cycles\n", cycles); });
  if (limit && cycles > limit) {
    std::printf("FAIL: no end after %llu cycles\n", limit);
    std::fflush(stdout);
    std::_Exit(3);
  }
}

// Verilator's runtime prints to stdout, which is a variable of the C library. Where a program's threads use it as well
// (DUT_THREADS), it stays as it is: what is built for them has no assertions, so nothing prints.
extern "C" void dut_eval(dut *d) {
  if (d->top->clk_i && !d->clk) count_cycle();
  d->clk = d->top->clk_i;
#ifdef DUT_THREADS
  d->top->eval();
#else
  FILE *out = stdout;
  stdout = d->said;
  d->top->eval();
  stdout = out;
#endif
}

extern "C" void dut_dump(dut *d, uint64_t time) {
  d->context.time(time);
#if VM_TRACE
  if (d->wave) d->wave->dump(time);
#endif
}

extern "C" const char *dut_failed(dut *d) {
  if (!d->context.errorCount()) return nullptr;
  if (d->failed.empty()) {
    std::fflush(d->said);
    d->failed.assign(d->text, d->size);
    size_t begin = d->failed.find("%Error: ");
    if (begin != std::string::npos) d->failed.erase(0, begin + std::strlen("%Error: "));
    d->failed.erase(std::min(d->failed.find('\n'), d->failed.size()));
  }
  return d->failed.c_str();
}

extern "C" void dut_free(dut *d) {
  if (!d) return;
  d->top->final();
#if VM_TRACE
  if (d->wave) d->wave->close();
#endif
#if VM_COVERAGE
  static unsigned runs;  // one file for each machine of a run
  if (const char *file = getenv("TOCSIN_COVERAGE"))
    d->context.coveragep()->write((std::string(file) + "." + std::to_string(runs++) + ".dat").c_str());
#endif
  d->top.reset();
  std::fclose(d->said);
  std::free(d->text);
  delete d;
}
