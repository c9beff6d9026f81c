#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the C face of a Verilated module: mkshim.py BLOCK DIR [--rtl FILE] [--prefix dut] [FILE.sv...] [FLAG...]

Reads DIR/V<BLOCK>.h, writes DIR/<BLOCK>_tb.h (C11) and DIR/<BLOCK>_tb.cpp. FLAGs are the Verilator options of this
configuration; -G ones become P_<Name> in the header, like the parameters whose default in FILE is a plain number.
verif/README.md shows what the header offers. DIR/aa_fields.h has the fields of the packages among the FILEs.
"""
import argparse
import os
import re

import mkfields

PORT = re.compile(r"VL_(IN|OUT|INOUT)(8|16|64|W|)\(&?(\w+),(\d+),(\d+)(?:,(\d+))?\)")
PARAM = re.compile(r"\bparameter\s+(?:[\w:]+\s+)*?(\w+)\s*=\s*([^,)\n/]+)")


def number(text):
    """A Verilog literal as an int, or None."""
    text = text.strip().strip('"').replace("_", "")
    m = re.fullmatch(r"(?:\d+)?'s?([bodhBODH])([0-9a-fA-F]+)", text)
    if m:
        return int(m.group(2), {"b": 2, "o": 8, "d": 10, "h": 16}[m.group(1).lower()])
    return int(text) if re.fullmatch(r"\d+", text) else None


def ctype(width):
    return next(t for w, t in ((8, "CData"), (16, "SData"), (32, "IData"), (64, "QData")) if width <= w)


def parameters(rtl, flags):
    found = {}
    if rtl:
        with open(rtl, encoding="utf-8") as f:
            head = re.sub(r"//[^\n]*", "", f.read()).split(");")[0]
        for name, value in PARAM.findall(head):
            found[name] = number(value)
    for flag in flags:
        m = re.fullmatch(r"-G(\w+)=(.*)", flag)
        if m:
            found[m.group(1)] = number(m.group(2))
    return {k: v for k, v in found.items() if v is not None}


def header(block, pre, ports, params):
    out = [f"""// SPDX-License-Identifier: Apache-2.0
// Made by mkshim.py from the Verilated {block}; do not edit.
#ifndef {block.upper()}_{pre.upper()}_H
#define {block.upper()}_{pre.upper()}_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

typedef struct {pre} {pre};

#ifndef SHIM_WORDS  // a port's words: a compiler of C refuses an array that is smaller
#ifdef __cplusplus
#define SHIM_WORDS(n) *words
#else
#define SHIM_WORDS(n) words[static n]
#endif
#endif
"""]
    out += [f"#define P_{k} {v}U" if v < 1 << 32 else f"#define P_{k} {v}ULL" for k, v in params.items()]
    out.append(f"""
{pre} *{pre}_new(uint64_t seed, const char *waves);  // all inputs 0; registers random; waves: FST file or NULL
void {pre}_free({pre} *d);
void {pre}_eval({pre} *d);   // settles the combinational logic
void {pre}_tick({pre} *d);   // settles, then one rising edge of clk_i
uint64_t {pre}_cycle(const {pre} *d);
unsigned {pre}_errors(const {pre} *d);  // assertions that failed so far
void {pre}_on_error({pre} *d, void (*hook)(void *ctx), void *ctx);
void {pre}_close({pre} *d);  // writes out waves and coverage""")
    if any(p[1] == "rst_ni" for p in ports):
        out.append(f"void {pre}_reset({pre} *d, unsigned cycles);")
    out.append("")
    for direction, name, width in ports:
        up = name.upper()
        out.append(f"#define {up}_W {width}U")
        if width <= 64:
            if direction == "IN":
                out.append(f"void {pre}_set_{name}({pre} *d, uint64_t value);")
            out.append(f"uint64_t {pre}_get_{name}(const {pre} *d);")
        else:
            out.append(f"#define {up}_WORDS {(width + 31) // 32}U")
            if direction == "IN":
                out.append(f"void {pre}_set_{name}({pre} *d, const uint32_t SHIM_WORDS({up}_WORDS));")
            out.append(f"void {pre}_get_{name}(const {pre} *d, uint32_t SHIM_WORDS({up}_WORDS));")
    out.append(f"""
#ifdef TOCSIN_TB_H
static inline void {pre}_tb_close(void *d) {{ {pre}_close(({pre} *)d); }}
static inline uint64_t {pre}_tb_cycle(void *d) {{ return {pre}_cycle((const {pre} *)d); }}
// A device that belongs to test `t`: seed and waves come from the command line, failed assertions count as failures.
static inline {pre} *{pre}_begin(tb *t) {{
  {pre} *d = {pre}_new(t->seed, t->waves);
  tb_watch(t, d, {pre}_tb_cycle, {pre}_tb_close);
  {pre}_on_error(d, tb_assertion, t);
  return d;
}}
#endif

#ifdef __cplusplus
}}
#endif
#endif
""")
    return "\n".join(out)


def shim(block, pre, ports):
    names = {p[1] for p in ports}
    clk = "d->top.clk_i = {};" if "clk_i" in names else ""
    out = [f"""// SPDX-License-Identifier: Apache-2.0
// Made by mkshim.py; do not edit.
#include "V{block}.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "{block}_tb.h"

struct {pre} {{
  VerilatedContext ctx;
  V{block} top;
  uint64_t cycle = 0;
  int errors = 0;
  void (*hook)(void *) = nullptr;
  void *hook_ctx = nullptr;
#if VM_TRACE
  VerilatedFstC *fst = nullptr;
#endif
  static VerilatedContext *prepare(VerilatedContext *c, uint64_t seed) {{
    c->randReset(2);
    c->randSeed(static_cast<int>(seed % 2147483646u) + 1);
    c->errorLimit(1 << 30);
    c->fatalOnError(false);
    c->traceEverOn(true);
    return c;
  }}
  explicit {pre}(uint64_t seed) : top(prepare(&ctx, seed), "{block}") {{}}
}};

// TOCSIN_CYCLES: 0 prints at the end how many cycles all devices of this test were given,
// n ends a test that needs more.
static unsigned long long ticks = 0, ticks_most = 0;
static bool ticks_init() {{
  const char *most = std::getenv("TOCSIN_CYCLES");
  if (most) ticks_most = std::strtoull(most, nullptr, 0);
  if (most && !ticks_most) std::atexit([] {{ std::fprintf(stderr, "%llu cycles\\n", ticks); }});
  return true;
}}
static const bool ticks_read = ticks_init();

static void settle({pre} *d) {{
  d->top.eval();
  int n = d->ctx.errorCount();
  if (n != d->errors) {{
    d->errors = n;
    if (d->hook) d->hook(d->hook_ctx);
  }}
}}

static void dump({pre} *d, uint64_t phase) {{
  (void)d;
  (void)phase;
#if VM_TRACE
  if (d->fst) d->fst->dump(d->cycle * 10 + phase);
#endif
}}

{pre} *{pre}_new(uint64_t seed, const char *waves) {{
  {pre} *d = new {pre}(seed);
  (void)waves;"""]
    for direction, name, width in ports:
        if direction == "IN":
            out.append(f"  std::memset(&d->top.{name}, 0, sizeof d->top.{name});")
    if "mut_sel" in (p[1] for p in ports):  # a netlist full of mutants: this one
        out.append('  if (const char *m = std::getenv("TOCSIN_MUTANT")) d->top.mut_sel = std::strtoul(m, nullptr, 0);')
    out.append(f"""#if VM_TRACE
  if (waves && *waves) {{
    d->fst = new VerilatedFstC;
    d->top.trace(d->fst, 99);
    d->fst->open(waves);
  }}
#endif
  settle(d);
  return d;
}}

void {pre}_close({pre} *d) {{
#if VM_TRACE
  if (d->fst) {{
    d->fst->close();
    delete d->fst;
    d->fst = nullptr;
  }}
#endif
#if VM_COVERAGE
  const char *file = std::getenv("TOCSIN_COVERAGE");
  if (file) d->ctx.coveragep()->write(file);
#endif
  (void)d;
}}

void {pre}_free({pre} *d) {{
  d->top.final();
  {pre}_close(d);
  delete d;
}}

void {pre}_eval({pre} *d) {{ settle(d); }}

void {pre}_tick({pre} *d) {{
  {clk.format(0)}
  settle(d);
  dump(d, 0);
  {clk.format(1)}
  settle(d);
  dump(d, 5);
  d->cycle++;
  ticks++;
  if (ticks_most && ticks > ticks_most) {{
    std::printf("FAIL: no end after %llu cycles\\n", ticks_most);
    std::exit(3);
  }}
  d->ctx.timeInc(10);
}}

uint64_t {pre}_cycle(const {pre} *d) {{ return d->cycle; }}
unsigned {pre}_errors(const {pre} *d) {{ return static_cast<unsigned>(d->errors); }}
void {pre}_on_error({pre} *d, void (*hook)(void *), void *ctx) {{
  d->hook = hook;
  d->hook_ctx = ctx;
}}
""")
    if "rst_ni" in names:
        out.append(f"""void {pre}_reset({pre} *d, unsigned cycles) {{
  d->top.rst_ni = 0;
  for (unsigned i = 0; i < cycles; i++) {pre}_tick(d);
  d->top.rst_ni = 1;
}}
""")
    for direction, name, width in ports:
        port = f"d->top.{name}"
        if width <= 64:
            if direction == "IN":
                mask = "" if width in (8, 16, 32, 64) else f" & {(1 << width) - 1:#x}ULL"
                out.append(f"void {pre}_set_{name}({pre} *d, uint64_t v) {{ "
                           f"{port} = static_cast<{ctype(width)}>(v{mask}); }}")
            out.append(f"uint64_t {pre}_get_{name}(const {pre} *d) {{ return {port}; }}")
        else:
            words = (width + 31) // 32
            if direction == "IN":
                top = f" {port}[{words - 1}] &= {(1 << (width % 32)) - 1:#x}u;" if width % 32 else ""
                out.append(f"void {pre}_set_{name}({pre} *d, const uint32_t *w) {{ "
                           f"for (unsigned i = 0; i < {words}; i++) {port}[i] = w[i];{top} }}")
            out.append(f"void {pre}_get_{name}(const {pre} *d, uint32_t *w) {{ for (unsigned i = 0; i < {words}; i++) "
                       f"w[i] = {port}[i]; }}")
    return "\n".join(out) + "\n"


def write(path, text):
    try:
        with open(path, encoding="utf-8") as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("block")
    ap.add_argument("dir")
    ap.add_argument("--rtl")
    ap.add_argument("--prefix", default="dut")
    args, flags = ap.parse_known_args()
    with open(os.path.join(args.dir, f"V{args.block}.h"), encoding="utf-8") as f:
        ports = [(m[0], m[2], int(m[3]) - int(m[4]) + 1) for m in PORT.findall(f.read())]
    if not ports:
        raise SystemExit(f"mkshim.py: no ports in V{args.block}.h")
    base = os.path.join(args.dir, f"{args.block}_tb")
    write(base + ".h", header(args.block, args.prefix, ports, parameters(args.rtl, flags)))
    write(base + ".cpp", shim(args.block, args.prefix, ports))
    # in the same run: an interpreter starts as long as it works
    write(os.path.join(args.dir, "aa_fields.h"), mkfields.fields(flags))


if __name__ == "__main__":
    main()
