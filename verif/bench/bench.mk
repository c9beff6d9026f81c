# SPDX-License-Identifier: Apache-2.0
# Rates and latencies of the hardware in cycles, instructions of the model. One Verilated IOMMU for each number of walkers,
# without theorems; the test bench is that of lockstep, hardware alone.
BENCH_WALKERS := 1 4 8
BENCH_PARAMS  := NumPorts=2 Window=8 IotlbEntries=64 IotlbWays=4 IotlbRandom=0 SpEntries=4 CtxEntries=16 PscEntries=8 \
                 NumLogs=8 LogDepth=16 TagEntries=32 FlushPages=4 FlushWaiters=8 ScratchWords=16
BENCH_PARTS   := axi bench host lock mem pkt soft traffic
BENCH_COSIM   := $(sort $(filter-out dut_none,$(patsubst verif/cosim/%.c,%,$(wildcard verif/cosim/*.c))))
BENCH_PROGS   := $(BENCH_WALKERS:%=$(B)/bench/w%/bench_aa)
BENCH_LOCK    := $(B)/bench/w4/cosim
NEED_bench    := $(NEED_sim) valgrind
.SECONDARY: $(BENCH_COSIM:%=$(B)/bench/%.o)

$(B)/bench/%.o: verif/cosim/%.c $(wildcard verif/cosim/*.h model/include/tocsin/*.h) | need-bench
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(INC) -Iverif/cosim -c -o $@ $<

$(B)/bench/w%/bench_aa: verif/bench/bench_aa.c $(BENCH_PARTS:%=$(B)/bench/%.o) verif/cosim/dut_shim.cpp verif/bench/bench.mk \
    $(RTL_PKGS) $(wildcard rtl/cm/*.sv rtl/aa/*.sv) $(MODEL_LIB) $(VRT) | need-bench
	@mkdir -p $(@D)
	$(Q)verilator $(VFLAGS) -DTOCSIN_DATA_W=256 $(BENCH_PARAMS:%=-G%) -GWalkers=$* --Mdir $(@D) --prefix Vaa_iommu \
	  --top-module aa_iommu verif/lint/waivers.vlt $$(scripts/rtl.py aa_iommu)
	$(Q)$(MAKE) -s --no-print-directory -C $(@D) -f Vaa_iommu.mk Vaa_iommu__ALL.a OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O1 \
	  OBJCACHE="$(CCACHE)" >/dev/null
	$(Q)$(CCACHE) $(CXX) $(CXXFLAGS_V) -I$(@D) -Iverif/cosim -c -o $(@D)/dut_shim.o verif/cosim/dut_shim.cpp
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(INC) -Iverif/cosim -DCFG_Walkers=$* -c -o $(@D)/bench_aa.o verif/bench/bench_aa.c
	$(Q)$(CXX) -o $@ $(@D)/bench_aa.o $(BENCH_PARTS:%=$(B)/bench/%.o) $(@D)/dut_shim.o \
	  $(@D)/Vaa_iommu__ALL.a $(MODEL_LIB) $(VRT) -lz -lpthread -lm

# Lockstep of the same hardware: without theorems, so that the model is compared with bare hardware.
$(BENCH_LOCK): $(B)/bench/w4/bench_aa $(BENCH_COSIM:%=$(B)/bench/%.o)
	$(Q)$(CXX) -o $@ $(BENCH_COSIM:%=$(B)/bench/%.o) $(@D)/dut_shim.o $(@D)/Vaa_iommu__ALL.a $(MODEL_LIB) $(VRT) -lz -lpthread -lm

$(B)/bench/bench_model: verif/bench/bench_model.c $(MODEL_LIB) | need-bench
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(INC) -o $@ $< $(MODEL_LIB)

.PHONY: bench
bench: | need-bench ## rates and latencies of the RTL in cycles, instructions of the model; leaves build/report/bench.json
	@mkdir -p $(REPORT)
	$(Q)$(MAKE) --no-print-directory -j$(JOBS) $(BENCH_PROGS) $(B)/bench/bench_model $(BENCH_LOCK)
	$(Q)scripts/bench.py --json $(REPORT)/bench.json --walkers $(BENCH_WALKERS) --dir $(B)/bench --cosim $(BENCH_LOCK)
