# SPDX-License-Identifier: Apache-2.0
# Lockstep of the whole IOMMU with the golden model. Parameter sets; one program for each, with and without waves.
# (spaces only: these are words for both Verilator and the C compiler)
COSIM_small   := DataW=128 NumPorts=1 Window=2 IotlbEntries=2 IotlbWays=2 IotlbRandom=0 SpEntries=1 CtxEntries=2 \
                 PscEntries=1 Walkers=1 NumLogs=2 LogDepth=2 TagEntries=4 FlushPages=1 FlushWaiters=2 ScratchWords=2
COSIM_default := DataW=256 NumPorts=2 Window=8 IotlbEntries=64 IotlbWays=4 IotlbRandom=0 SpEntries=4 CtxEntries=16 \
                 PscEntries=8 Walkers=4 NumLogs=8 LogDepth=16 TagEntries=32 FlushPages=4 FlushWaiters=8 ScratchWords=16
COSIM_wide    := DataW=512 AxiCache=15 NumPorts=4 Window=16 IotlbEntries=16 IotlbWays=16 IotlbRandom=1 SpEntries=8 \
                 CtxEntries=8 PscEntries=4 Walkers=8 NumLogs=32 LogDepth=32 TagEntries=64 FlushPages=8 \
                 FlushWaiters=16 ScratchWords=64
COSIM_stock   := $(patsubst NumPorts=%,NumPorts=1,$(COSIM_default)) ActiveAccess=0
COSIM_CONFIGS := small default wide stock
COSIM_SRC     := $(sort $(wildcard verif/cosim_aa/*.c) $(COSIM_SHARED))
COSIM_HDR     := $(wildcard verif/cosim_aa/*.h verif/cosim/*.h)
COSIM_INC     := -Iverif/cosim_aa -Iverif/cosim
COSIM_HW      := $(patsubst %,verif/cosim_aa/%.c,axi cosim directed full_rate replay workload)
cosim-prog     = $(call cosim-dir,cosim,$(1))/cosim
$(eval $(call cosim-top,COSIM,cosim,aa_iommu,$(COSIM_INC),cm aa))

# The model alone, same driver, devices and root complex.
$(B)/cosim/model/cosim: $(call cosim-obj,cosim,default,$(COSIM_SRC) verif/cosim/dut_none.c,$(COSIM_HW)) $(MODEL_LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ -lm
$(B)/cosim/model-san/cosim: $(COSIM_SRC) $(COSIM_HDR) verif/cosim/dut_none.c $(B)/model/san/libtocsin.a | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(SAN) $(INC) $(COSIM_INC) -o $@ $(COSIM_SRC) verif/cosim/dut_none.c \
	  $(B)/model/san/libtocsin.a -lm

COSIM_TOPS += aa
.PHONY: cosim-aa
cosim-aa: $(call cosim-prog,$(cosim-config))
	@mkdir -p $(REPORT)
	$(Q)$(if $(WAVES),scripts/gtkw.py --run aa_iommu $(<D)/wave.fst) $< --n $(N) --seed $(SEED) --config $(cosim-config) \
	  --json $(REPORT)/cosim.json \
	  $(if $(WAVES),--waves $(<D)/wave.fst)

# Short runs of each parameter set, the hostile cases, and the recorded driver, in every `make test`.
# The time of the hardware alone is taken in one of them: for the others it would be the same requests twice.
HOSTILE_CONFIGS := $(filter-out stock,$(COSIM_CONFIGS))
COSIM_TESTS := $(COSIM_CONFIGS:%=cosim-smoke-%) $(HOSTILE_CONFIGS:%=cosim-hostile-%) \
               $(HOSTILE_CONFIGS:%=cosim-wiring-%) cosim-linux cosim-traces cosim-model \
               cosim-bounds
.PHONY: $(COSIM_TESTS)
$(COSIM_CONFIGS:%=cosim-smoke-%): cosim-smoke-%: $(B)/cosim/%$(COVER_VAR)/cosim
	$(Q)TOCSIN_COVERAGE=$(<D)/coverage.dat $< --seed $(SEED) --config $* --quiet \
	  $(if $(filter default,$*),--n 80000 --bounds,--n 20000 --excuses) $(if $(filter stock,$*),,--once)
$(HOSTILE_CONFIGS:%=cosim-hostile-%): cosim-hostile-%: $(B)/cosim/%$(COVER_VAR)/cosim
	$(Q)TOCSIN_COVERAGE=$(<D)/hostile-coverage.dat $< --hostile all --seed $(SEED) --config $* --quiet
$(HOSTILE_CONFIGS:%=cosim-wiring-%): cosim-wiring-%: $(B)/cosim/%$(COVER_VAR)/cosim
	$(Q)TOCSIN_COVERAGE=$(<D)/wiring-coverage.dat $< --wiring all --seed $(SEED) --config $* --quiet
# A run fails when a point is below its least, or an excuse above its most; here, by what other runs have counted.
cosim-bounds: $(B)/cosim/default/cosim
	$(Q)echo '21 excuse: walk of a request that hits' >$(<D)/excuse.points
	$(Q)cp $(<D)/excuse.points $(<D)/excuses.points
	$(Q)! $< --n 200 --once --quiet --points $(<D)/excuse.points --bounds >$(<D)/bounds.log 2>&1
	$(Q)grep -q 'FAIL points: "excuse: walk of a request that hits": got 21, want 20 or less' $(<D)/bounds.log
	$(Q)grep -q 'FAIL points: "AXI write answered with DECERR": got [0-4], want 5 or more' $(<D)/bounds.log
	$(Q)! $< --n 200 --once --quiet --points $(<D)/excuses.points --excuses >$(<D)/bounds.log 2>&1
	$(Q)test "$$(grep -c 'FAIL points' $(<D)/bounds.log)" = 1
	$(Q)$< --n 200 --once --quiet --excuses
cosim-linux: $(B)/cosim/default/cosim
	$(Q)$< --replay verif/traces/linux-vtd.rec --ports
# Of two irregular programs.
RUN_GRAPHS := verif/traces/graph/iommu/gups-xtq.trc verif/traces/graph/iommu/bfs.trc
cosim-traces: $(B)/cosim/default/cosim
	$(Q)for t in verif/traces/*.trc; do $< --replay $$t && $< --full-rate $$t >/dev/null || exit 1; done
	$(Q)for t in $(RUN_GRAPHS); do $< --replay $$t || exit 1; done
	$(Q)sed '0,/^U 0 /s/^\(U 0 [0-9a-f]*\) ../\1 5a/' verif/traces/dht.trc >$(<D)/slip.trc; \
	  ! $< --full-rate $(<D)/slip.trc >$(<D)/slip.log 2>&1 && \
	  grep -q 'slip.trc:[0-9]*: .* not what is expected for the device' $(<D)/slip.log && \
	  grep -q '^again  $<.* --full-rate .*slip.trc$$' $(<D)/slip.log && \
	  grep -q '^waves  none; with them  make WAVES=1 $< && $< .*slip.trc --waves wave.fst$$' $(<D)/slip.log
	$(Q)! $< --replay $(<D)/slip.trc >$(<D)/slip.log 2>&1 && \
	  grep -q '^again  $< --replay .*slip.trc$$' $(<D)/slip.log && \
	  grep -q '^waves  none; with them  make WAVES=1 $<' $(<D)/slip.log
	$(Q)sed '0,/^C /s/^C .*//' verif/traces/dht.trc >$(<D)/slip.trc; \
	  ! $< --full-rate $(<D)/slip.trc >$(<D)/slip.log 2>&1 && \
	  grep -q "slip.trc:$$(grep -n -m1 '^U' $(<D)/slip.trc | cut -d: -f1): this never comes" $(<D)/slip.log
cosim-model: $(B)/cosim/model-san/cosim
	$(Q)$< --backend model --hostile all --quiet
	$(Q)$< --backend model --replay verif/traces/linux-vtd.rec
	$(Q)for s in 1 2 3; do $< --backend model --n 20000 --seed $$s --quiet || exit 1; done
TESTS        += $(COSIM_TESTS)
COVER_TESTS  += $(COSIM_CONFIGS:%=cosim-smoke-%) $(HOSTILE_CONFIGS:%=cosim-hostile-%)
TESTS_SHARED += $(COSIM_CONFIGS:%=$(B)/cosim/%/cosim)
# The page that `make run` writes; here of the model alone.
.PHONY: report
report: $(B)/cosim/model/cosim $(B)/bin/tocsin
	@mkdir -p $(B)/cosim/model/run
	$(Q)$< --workload $(B)/cosim/model/run --backend model --seed $(SEED) >/dev/null
	$(Q)$(B)/bin/tocsin run launch --n 40 --seed 1 --pcap $(B)/cosim/model/run/wire.pcapng >/dev/null
	$(Q)verif/cosim_nic/report.py $(B)/cosim/model/run/wire.pcapng $(B)/cosim/model/run/report.html
	$(Q)verif/cosim_aa/check_report.py $(B)/cosim/model/run/report.html \
	  '(?s)40 messages of the kind.*XtqPut</td><td>40</td><td>12560</td><td>0<'
	$(Q)$(B)/bin/tocsin run launch --n 40 --seed 1 --loss 100 --pcap $(B)/cosim/model/run/wire.pcapng >/dev/null
	$(Q)verif/cosim_nic/report.py $(B)/cosim/model/run/wire.pcapng $(B)/cosim/model/run/report.html
	$(Q)verif/cosim_aa/check_report.py $(B)/cosim/model/run/report.html \
	  '(?s)40 messages of the kind.*XtqPut</td><td>\d+</td><td>\d+</td><td>[1-9]'
TESTS += report
.PHONY: replay
# A trace of a whole node (`A tocsin`) is played by the program of verif/cosim_tocsin.
REPLAY_TRACE = $(or $(TRACE),verif/traces/linux-vtd.rec)
REPLAY_NODE := $(if $(TRACE),$(shell grep -ls '^A tocsin' $(TRACE)))
replay: $(if $(REPLAY_NODE),$(call cosim-dir,cosim_tocsin,$(cosim-config))/cosim,$(call cosim-prog,$(cosim-config))) ## plays a trace: TRACE=file [BACKEND=both|rtl|model] [CONFIG=...] [WAVES=1]
	$(Q)$(if $(WAVES),scripts/gtkw.py --run $(if $(REPLAY_NODE),tocsin,aa_iommu) $(<D)/wave.fst) $< \
	  --replay $(REPLAY_TRACE) --backend $(or $(BACKEND),both) --config $(cosim-config) \
	  $(if $(WAVES),--waves $(<D)/wave.fst)

# The main job: the built-in workload in lockstep, with waves of its beginning.
.PHONY: run run-it
run: ## the main job: active puts, then messages that become tasks, through hardware and model; build/run/report.html, waves, wire.pcapng
	@echo 'make run: brings the tools, builds hardware and models (some minutes the first time),' \
	  'then plays and compares; build/run/report.html'
	$(Q)$(MAKE) --no-print-directory WAVES=1 run-it
	$(Q)$(MAKE) --no-print-directory WAVES=1 run-nic
run-it: $(call cosim-prog,$(cosim-config))
	@mkdir -p $(B)/run
	$(Q)scripts/gtkw.py --run aa_iommu $(B)/run/wave.fst $< --workload $(B)/run --seed $(SEED) --config $(cosim-config)
	@echo 'Recorded workloads (verif/traces), hardware and model in lockstep:'
	$(Q)for t in verif/traces/*.trc $(RUN_GRAPHS); do $< --replay $$t || exit 1; done
