# SPDX-License-Identifier: Apache-2.0
# Rates and latencies of the hardware in cycles, instructions of the model. One Verilated IOMMU for each number
# of walkers, without theorems; the test bench is that of lockstep, hardware alone.
BENCH_WALKERS := 1 4 8
BENCH_PARAMS  := NumPorts=2 Window=8 IotlbEntries=64 IotlbWays=4 IotlbRandom=0 SpEntries=4 CtxEntries=16 PscEntries=8 \
                 NumLogs=8 LogDepth=16 TagEntries=32 FlushPages=4 FlushWaiters=8 ScratchWords=16
BENCH_PARTS   := aa_reach axi bench bench_base host lock mem options pkt points driver traffic
BENCH_COSIM   := $(sort $(basename $(notdir $(wildcard verif/cosim_aa/*.c) $(filter-out %/dut_none.c,$(wildcard verif/cosim/*.c)))))
BENCH_PROGS   := $(BENCH_WALKERS:%=$(B)/bench/w%/bench_aa)
BENCH_LOCK    := $(B)/bench/w4/cosim
NEED_bench    := $(NEED_sim) valgrind
.SECONDARY: $(BENCH_COSIM:%=$(B)/bench/%.o)

# $(call bench-rule,FOLDER)
define bench-rule
$(B)/bench/%.o: $(1)/%.c $(wildcard verif/cosim_aa/*.h verif/cosim/*.h model/include/tocsin/*.h) | need-bench
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $$(INC) -Iverif/cosim_aa -Iverif/cosim -c -o $$@ $$<
endef
$(foreach d,verif/cosim_aa verif/cosim,$(eval $(call bench-rule,$(d))))

$(B)/bench/w%/bench_aa: verif/bench/bench_aa.c $(BENCH_PARTS:%=$(B)/bench/%.o) verif/cosim/dut_shim.cpp \
    verif/bench/bench.mk \
    $(RTL_PKGS) $(call rtl-in,cm aa) $(MODEL_LIB) $(VRT) | need-bench
	@mkdir -p $(@D)
	$(Q)verilator $(VFLAGS) -DTOCSIN_DATA_W=256 $(BENCH_PARAMS:%=-G%) -GWalkers=$* --Mdir $(@D) --prefix Vaa_iommu \
	  --top-module aa_iommu verif/lint/waivers.vlt $$(scripts/rtl.py aa_iommu)
	$(Q)$(MAKE) -s --no-print-directory -C $(@D) -f Vaa_iommu.mk Vaa_iommu__ALL.a OPT_FAST=-O2 OPT_SLOW=-O0 \
	  OPT_GLOBAL=-O1 \
	  OBJCACHE="$(CCACHE)" >/dev/null
	$(Q)$(CCACHE) $(CXX) $(CXXFLAGS_V) -I$(@D) -Iverif/cosim -c -o $(@D)/dut_shim.o verif/cosim/dut_shim.cpp
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(INC) -Iverif/cosim_aa -Iverif/cosim -DCFG_Walkers=$* -c \
	  -o $(@D)/bench_aa.o verif/bench/bench_aa.c
	$(Q)$(CXX) -o $@ $(@D)/bench_aa.o $(BENCH_PARTS:%=$(B)/bench/%.o) $(@D)/dut_shim.o \
	  $(@D)/Vaa_iommu__ALL.a $(MODEL_LIB) $(VRT) -lz -lpthread -lm

# Lockstep of the same hardware: without theorems, so that the model is compared with bare hardware.
$(BENCH_LOCK): $(B)/bench/w4/bench_aa $(BENCH_COSIM:%=$(B)/bench/%.o)
	$(Q)$(CXX) -o $@ $(BENCH_COSIM:%=$(B)/bench/%.o) $(@D)/dut_shim.o $(@D)/Vaa_iommu__ALL.a $(MODEL_LIB) $(VRT) \
	  -lz -lpthread -lm

# The NIC by the entries of a cache of tables (0: on-chip), with that of 256 queue pairs behind a dash;
# behind a second one contexts in memory, behind more NAME.VALUE of other parameters.
BENCH_NIC := 0 8 0-256 0-4-64
BENCH_NIC_CC := $(CSTD) $(CFLAGS) $(INC) -Iverif/cosim_nic -Iverif/cosim -DDUT_PINS='"nic_pins.h"'
BENCH_NIC_SRC := $(addprefix verif/bench/,bench_nic.c bench_nic_load.c bench_nic_ctx.c bench_nic_life.c nic_bench.c)
bench-nic-of = TableCache=$(firstword $(subst -, ,$(1))) NumQps=$(or $(word 2,$(subst -, ,$(1))),16) RespDepth=64 \
  $(addprefix Contexts=,$(word 3,$(subst -, ,$(1)))) $(subst .,=,$(wordlist 4,9,$(subst -, ,$(1))))
# The hardware by itself, since it takes minutes and the program seconds.
$(B)/bench/nic%/Vxtq_nic__ALL.a: $(RTL_PKGS) $(call rtl-in,cm nic xtq) verif/bench/bench.mk | need-bench
	@mkdir -p $(@D)
	$(Q)verilator $(VFLAGS) -DTOCSIN_DATA_W=256 $(patsubst %,-G%,$(call bench-nic-of,$*)) --Mdir $(@D) --prefix Vxtq_nic \
	  --top-module xtq_nic verif/lint/waivers.vlt $$(scripts/rtl.py xtq_nic)
	$(Q)$(MAKE) -s --no-print-directory -C $(@D) -f Vxtq_nic.mk Vxtq_nic__ALL.a OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O1 \
	  OBJCACHE="$(CCACHE)" >/dev/null
.PRECIOUS: $(B)/bench/nic%/Vxtq_nic__ALL.a
$(B)/bench/nic%/bench_nic: $(B)/bench/nic%/Vxtq_nic__ALL.a $(BENCH_NIC_SRC) verif/bench/nic_bench.h \
    verif/cosim/dut_shim.cpp $(B)/bench/mem.o $(wildcard verif/cosim_nic/nic_pins.h) $(MODEL_LIB) $(VRT) | need-bench
	$(Q)$(CCACHE) $(CXX) $(CXXFLAGS_V) -I$(@D) -Iverif/cosim_nic -Iverif/cosim $(COSIM_NIC_DUT) -c -o $(@D)/dut_shim.o \
	  verif/cosim/dut_shim.cpp
	$(Q)for f in $(BENCH_NIC_SRC); do $(CCACHE) $(CC) $(BENCH_NIC_CC) $(patsubst %,-DCFG_%,$(call bench-nic-of,$*)) \
	  -c -o $(@D)/$$(basename $$f .c).o $$f || exit 1; done
	$(Q)$(CXX) -o $@ $(patsubst %.c,$(@D)/%.o,$(notdir $(BENCH_NIC_SRC))) $(B)/bench/mem.o $(@D)/dut_shim.o $< \
	  $(MODEL_LIB) $(VRT) -lz -lpthread -lm

$(B)/bench/bench_model: verif/bench/bench_model.c $(MODEL_LIB) | need-bench
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(INC) -o $@ $< $(MODEL_LIB)

# Recorded workloads, played as fast as they go: those of the repository, and the large ones that there are.
BENCH_LARGE  := dht-2000 launch-2000 getlog-2000 counter-2000 checkpoint-5000 accumulate-200
BENCH_TRACES  = $(wildcard verif/traces/*.trc $(B)/traces/*.trc)
$(B)/traces/%.trc: $(B)/bin/tocsin
	@mkdir -p $(@D)
	$(Q)$< run $(firstword $(subst -, ,$*)) --n $(lastword $(subst -, ,$*)) --record $@ --record-node \
	  $(if $(filter accumulate-%,$*),0,1) >$(@:.trc=.log) || { cat $(@:.trc=.log); rm $@; exit 1; }
.PHONY: traces-large
traces-large: $(BENCH_LARGE:%=$(B)/traces/%.trc) ## records large workloads, some 30 MB in build/traces: `make bench` then plays them too

.PHONY: bench
bench: | need-bench ## rates and latencies of the RTL in cycles, instructions of the model; leaves build/report/bench.json
	@mkdir -p $(REPORT)
	$(Q)$(MAKE) --no-print-directory -j$(JOBS) $(BENCH_PROGS) $(BENCH_NIC:%=$(B)/bench/nic%/bench_nic) \
	  $(B)/bench/bench_model $(BENCH_LOCK)
	$(Q)scripts/bench.py --json $(REPORT)/bench.json --walkers $(BENCH_WALKERS) --nic $(BENCH_NIC) --dir $(B)/bench \
	  --cosim $(BENCH_LOCK) \
	  --traces $(BENCH_TRACES)

# The NIC's rates by the memory's latency and by the queue pairs at work, and with other parameters, some minutes behind
# its builds.
BENCH_NIC_TRIED := nic0-16-0-MaxRead.1024-ReadTags.64 nic0-16-0-MaxRead.1024-ReadTags.128 nic0-16-0-Requests.64
.PHONY: bench-nic
bench-nic: $(patsubst %,$(B)/bench/%/bench_nic,nic0 nic0-256 $(BENCH_NIC_TRIED)) ## the NIC's rates with memory of 1 to 200 cycles, tables for rtl/nic/README.md
	@mkdir -p $(REPORT)
	$(Q){ $(B)/bench/nic0/bench_nic nb_load && $(B)/bench/nic0-256/bench_nic nb_pairs && \
	  for n in $(BENCH_NIC_TRIED); do $(B)/bench/$$n/bench_nic nb_tried || exit 1; done; \
	  } 2>/dev/null >$(REPORT)/bench-nic.rows && \
	  scripts/bench_nic_table.py <$(REPORT)/bench-nic.rows >$(REPORT)/bench-nic.md && cat $(REPORT)/bench-nic.md && \
	  scripts/measured.py keep bench-nic --text <$(REPORT)/bench-nic.md

# What contexts in memory cost: one beside a queue pair in registers (nic0), 64 in 4 places, 4096 in 16. Some minutes,
# most of them of the 4096.
BENCH_NIC_CTX := nic0-4-64 nic0-16-4096
.PHONY: bench-nic-ctx
bench-nic: bench-nic-ctx
bench-nic-ctx: $(patsubst %,$(B)/bench/%/bench_nic,nic0 $(BENCH_NIC_CTX)) ## what contexts in memory cost in cycles, and rates of more queue pairs than places, a table for rtl/nic/README.md
	@mkdir -p $(REPORT)
	$(Q){ $(B)/bench/nic0/bench_nic nb_alone && \
	  for n in $(BENCH_NIC_CTX); do $(B)/bench/$$n/bench_nic || exit 1; done; \
	  } 2>/dev/null >$(REPORT)/bench-nic-ctx.rows && \
	  scripts/bench_nic_table.py contexts <$(REPORT)/bench-nic-ctx.rows >$(REPORT)/bench-nic-ctx.md && \
	  cat $(REPORT)/bench-nic-ctx.md && scripts/measured.py keep bench-nic-ctx --text <$(REPORT)/bench-nic-ctx.md

# What the NIC's requests under way cost, some minutes of Yosys.
AREA_NIC := nic_reply--RespDepth=16 nic_reply--RespDepth=64 nic_rd--ReadTags=16 nic_rd--ReadTags=64 \
            nic_rd--ReadTags=128 nic_rd--ReadTags=128,MaxRead=1024
.PHONY: area-nic
area-nic: | need-area ## what the NIC's requests under way cost on an ECP5, a table for rtl/nic/README.md
	@mkdir -p $(REPORT)
	$(Q)for b in $(AREA_NIC); do scripts/fpga.py area $${b%%--*} $${b##*--} || exit 1; done >$(REPORT)/area-nic.log
	$(Q){ printf '| block | LUT4 | CCU2C | flip-flops | LUT RAMs of 16 x 4 | block RAMs | levels |\n|---|---|---|---|---|---|---|\n'; \
	  sed -n 's/^\(nic_[a-z]*\) \(.*\): \([0-9]*\) LUT4, \([0-9]*\) CCU2C, \([0-9]*\) FF, \([0-9]*\) DPR16X4, \([0-9]*\) DP16KD.* \([0-9]*\) levels/| \1, \2 | \3 | \4 | \5 | \6 | \7 | \8 |/p' \
	  $(REPORT)/area-nic.log; } >$(REPORT)/area-nic.md && cat $(REPORT)/area-nic.md && \
	  scripts/measured.py keep area-nic --text <$(REPORT)/area-nic.md

# The model alone, in seconds; the rest of the numbers stays as it was.
.PHONY: bench-model
bench-model: $(B)/bench/bench_model | need-bench ## instructions of the model alone; leaves build/report/bench-model.json
	@mkdir -p $(REPORT)
	$(Q)scripts/bench.py --model-only --json $(REPORT)/bench-model.json --dir $(B)/bench
