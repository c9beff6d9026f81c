# SPDX-License-Identifier: Apache-2.0
# Block tests: verif/sim/test_<block>.c against the Verilated <block>, once a configuration. verif/README.md says how to
# write one. Lines of the test file that count here:
#   // config: NAME -GDepth=4 +define+X=1    one more configuration; NAME `default` replaces the plain one
#   // top: MODULE                           the module, if it is not the one that the test is named after
#   // netlist: NAME                         `make test` also runs this configuration on Yosys' netlist
#   // long: NAME NAME-netlist               what runs for longer than it takes to build
# WAVES=1, COVER=1 and NETLIST=1 choose a variant with a build folder of its own.
# Asked when a recipe runs, since the first `make` may be the one that installs Verilator; once, when it is there.
VROOT     = $(or $(VROOT_IS),$(eval VROOT_IS := $(shell verilator --getenv VERILATOR_ROOT 2>/dev/null))$(VROOT_IS))
VINC      = $(VROOT)/include
# Bugs planted in a netlist; each netlist-BLOCK-CONFIG has to notice one.
MUTANTS  ?= 5
SIM_VAR  := $(if $(NETLIST),-netlist)$(if $(WAVES),-waves)$(if $(COVER),-cover)
SIM_FILES := $(wildcard verif/sim/test_*.c)
SIM_LIST := $(if $(SIM_FILES),$(shell awk 'FNR == 1 { b = FILENAME; sub(/.*\/test_/, "", b); sub(/\.c$$/, "", b); \
              print b "--default" } /^\/\/ config: / { print b "--" $$3 }' $(SIM_FILES) | sort -u))
NET_LIST := $(if $(SIM_FILES),$(shell awk '/^\/\/ netlist: / { b = FILENAME; sub(/.*\/test_/, "", b); \
              sub(/\.c$$/, "", b); print b "--" $$3 }' $(SIM_FILES) | sort -u))
# Parameters make some comparisons constant, so style and width are left to `make lint`, on default parameters.
VFLAGS   := --cc -Wno-lint -Wno-style --assert -O3 --x-assign unique --x-initial unique --output-split 20000 --no-timing
VTRACE   := --trace-fst --trace-structs
COVER_VAR := $(if $(COVER),-cover)
VFLAGS   += $(VMORE)
VFLAGS   += $(if $(WAVES),$(VTRACE)) $(if $(COVER),--coverage-line --coverage-user)
# A test runs for less than a second, and its compiler for several: VOPT=-O2 is for long runs.
VOPT     ?= -O0
# $(call cxxflags-v,1): of what can write waves.
cxxflags-v = -O1 -std=gnu++17 -faligned-new -I$(VINC) -I$(VINC)/vltstd -DVERILATOR=1 -DVM_SC=0 \
             -DVM_COVERAGE=$(if $(COVER),1,0) -DVM_TRACE=$(if $(1),1,0) -DVM_TRACE_FST=$(if $(1),1,0) -DVM_TRACE_VCD=0
CXXFLAGS_V = $(call cxxflags-v,$(WAVES))

# A coverage run measures the model as well.
MODEL_LINK := $(if $(COVER),$(B)/model/cov/libtocsin.a,$(MODEL_LIB))

# The parts that all tests share.
VRT := $(B)/sim/rt/libverilated.a
$(B)/sim/rt/%.o: | need-sim
	@mkdir -p $(@D)
	$(Q)inc=$$(verilator --getenv VERILATOR_ROOT)/include && $(CCACHE) $(CXX) -O2 -std=gnu++17 -faligned-new \
	  -I$$inc -I$$inc/vltstd -DVERILATOR=1 -DVM_SC=0 -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=1 -c -o $@ $$inc/$*.cpp
VRT_PARTS ?= .o _threads.o _fst_c.o _cov.o _dpi.o
$(VRT): $(addprefix $(B)/sim/rt/verilated,$(VRT_PARTS))
	$(Q)rm -f $@ && ar rcs $@ $^
$(B)/sim/tb.o: verif/sim/tb.c verif/sim/tb.h | need-sim
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) -O2 -g -c -o $@ $<
# Verilator's headers, read once: half of what it takes to compile a small block. A variant's flags have to be those
# of its tests. One for each way to optimize: $(call pch,-O0), whose small functions, called everywhere, are optimized
# all the same: a test runs for up to a third less. The sum is for ccache, which would read it all each time.
# $(call pch,-O0), $(call pch,-O0,1): the second of what can write waves.
pch = $(B)/sim/rt/pch$(if $(or $(2),$(WAVES)),-waves)$(if $(COVER),-cover)$(1)/headers.h
PCH := $(call pch,$(VOPT))
define pch-rule
$(call pch,%,$(1)): verif/verif.mk | need-sim
	@mkdir -p $$(@D)
	$$(Q){ $$(if $$(filter -O0,$$*),echo '#pragma GCC push_options'; echo '#pragma GCC optimize ("O1")';) \
	  printf '#include "%s"\n' verilated.h $(if $(1),verilated_fst_c.h); \
	  $$(if $$(filter -O0,$$*),echo '#pragma GCC pop_options';) } >$$@
$(call pch,%,$(1)).gch: $(call pch,%,$(1))
	$$(Q)$$(CCACHE) $$(CXX) $$(call cxxflags-v,$(1)) $$* -x c++-header -o $$@ $$< && sha256sum <$$@ >$$@.sum
.PRECIOUS: $(call pch,%,$(1))
endef
$(foreach w,$(sort waves $(if $(WAVES),,none)),$(eval $(call pch-rule,$(filter waves,$(w)))))
TESTS_SHARED += $(VRT) $(B)/sim/tb.o $(PCH).gch $(call pch,-Og).gch
# Of whole tops in lockstep: -O1 takes twice as long to build, -O2 longer still, and what is built runs 3 to 7 % faster.
# Where this says more than how to optimize, the headers are read each time.
COSIM_OPT     ?= -Og
cosim-pch      = $(if $(filter 1,$(words $(COSIM_OPT))),$(call pch,$(COSIM_OPT),$(1)))
cosim-pchs     = $(if $(call cosim-pch),$(call pch,-O0,$(1)).gch $(call pch,$(COSIM_OPT),$(1)).gch)

# $(call sim-rule,BLOCK,CONFIG): the test program of one configuration. Verilator and its makefile
# skip what is the same.
define sim-rule
$(B)/sim/$(1)/$(2)$(SIM_VAR)/test: verif/sim/test_$(1).c verif/sim/tb.h verif/sim/mkshim.py verif/sim/mkfields.py \
    verif/sim/build.sh \
    verif/lint/waivers.vlt $$(B)/sim/tb.o $$(VRT) $$(PCH).gch $$(MODEL_LINK) | need-sim
	@mkdir -p $$(@D)
	$$(Q)VFLAGS="$$(VFLAGS) $$(if $(NETLIST),-Wno-fatal)" CXX="$$(CCACHE) $$(CXX)" CC="$$(CCACHE) $$(CC)" \
	  CXXFLAGS="$$(CXXFLAGS_V) $$(VOPT)" CSTD="$$(CSTD)" INC="$$(INC)" \
	  LIBS="$$(B)/sim/tb.o $$(MODEL_LINK) $$(VRT) $$(if $(COVER),--coverage)" \
	  NETLIST="$(NETLIST)" MUTANTS="$(MUTANTS)" PCH="$$(PCH)" verif/sim/build.sh $(1) $(2) $$(@D)
-include $(B)/sim/$(1)/$(2)$(SIM_VAR)/test.d
.PHONY: sim-$(1)-$(2)
sim-$(1)-$(2): $(B)/sim/$(1)/$(2)$(SIM_VAR)/test
	$$(Q)TOCSIN_COVERAGE=$$(<D)/coverage.dat $$(if $(NETLIST),TOCSIN_NETLIST=1) \
	  $$(if $(WAVES),scripts/gtkw.py --run $$(call sim-top,$(1)) $$(<D)/wave.fst) $$< --config $(2) --seed $$(SEED) \
	  $$(if $(CYCLES),--cycles $(CYCLES)) \
	  $$(if $(WAVES),--waves $$(<D)/wave.fst)
endef
# The module that a test is of.
sim-top = $(or $(shell sed -n 's|^// top: *\([a-z0-9_]*\).*|\1|p' verif/sim/test_$(1).c),$(1))
$(foreach s,$(SIM_LIST),$(eval $(call sim-rule,$(word 1,$(subst --, ,$(s))),$(word 2,$(subst --, ,$(s))))))
SIM_TESTS := $(foreach s,$(SIM_LIST),sim-$(subst --,-,$(s)))
NET_TESTS := $(foreach s,$(NET_LIST),netlist-$(subst --,-,$(s)))
TESTS     += $(SIM_TESTS) $(NET_TESTS)
# A block is tested as it is by itself, and a small one as a netlist with odd parameters, too; with all parameters, and
# all as netlists, by `make test-all`.
NET_BRIEF := cm_ aa_axi_ aa_cpl_gen- aa_cpl_mux- aa_ctx_cache- aa_grace- aa_hold- aa_inval- aa_leaf_bits- aa_lru- \
             aa_pay_fifo- aa_psc- aa_reg_hold- aa_reset- aa_retire_arb- aa_walk_step- nic_ack- nic_cnp- nic_cut- \
             nic_pack- nic_timer- nic_tlp_mux- xtq_queue- xtq_rewrite-
MORE      += $(filter-out %-default,$(SIM_TESTS)) $(filter-out $(NET_BRIEF:%=netlist-%%),$(NET_TESTS))

# A few bugs are planted in it, of which the test has to notice one.
define net-rule
.PHONY: netlist-$(1)-$(2)
netlist-$(1)-$(2):
	$$(Q)[ -e $(B)/sim/$(1)/$(2)-netlist/mutants.ys ] || rm -f $(B)/sim/$(1)/$(2)-netlist/test
	$$(Q)$$(MAKE) --no-print-directory NETLIST=1 $(B)/sim/$(1)/$(2)-netlist/test
	$$(Q)verif/sim/planted.sh $(B)/sim/$(1)/$(2)-netlist $(2) $$(SEED)
endef
$(foreach s,$(NET_LIST),$(eval $(call net-rule,$(word 1,$(subst --, ,$(s))),$(word 2,$(subst --, ,$(s))))))

CONFIG ?= $(if $(BLOCK),$(patsubst $(BLOCK)--%,%,$(filter $(BLOCK)--%,$(SIM_LIST))))
.PHONY: sim
sim: $(if $(BLOCK),$(foreach c,$(CONFIG),sim-$(BLOCK)-$(c)),$(SIM_TESTS)) ## block tests: [BLOCK=aa_x [CONFIG=c]] [SEED=n] [CYCLES=n] [WAVES=1] [NETLIST=1]
	@$(if $(BLOCK),$(if $(CONFIG),:,echo 'sim: there is no verif/sim/test_$(BLOCK).c' >&2; exit 2),:)

.PHONY: complete
complete: ## every module has its model, theorems and test
	$(Q)scripts/complete.sh
TESTS += complete

# A save file fits one wave, so it is made with it; here its names are looked for in the RTL.
.PHONY: waves gtkwave
waves:
	$(Q)scripts/gtkw.py --check
# What GTKWave makes of save files, by a screenshot: build/gtkwave/*.png.
NEED_gtkwave := $(NEED_sim) gtkwave xvfb xauth
gtkwave: | need-gtkwave ## opens waves of two blocks in GTKWave, and looks at what it shows
	$(Q)verif/waves/test.sh $(B)/gtkwave
TESTS += waves gtkwave

# Any top, Verilated for co-simulation: build/vlt/TOP[-waves][-cover]/libV.a, header VTOP.h. PROPS=1 keeps the theorems.
$(B)/vlt/%$(SIM_VAR)/libV.a: $(RTL_ALL) $(wildcard verif/formal/*.svh) verif/lint/waivers.vlt | need-sim
	@mkdir -p $(@D)
	$(Q)verilator $(VFLAGS) $(if $(PROPS),-DFORMAL) $(VLT_FLAGS) -Iverif/formal --Mdir $(@D) --prefix V$* \
	  --top-module $* verif/lint/waivers.vlt $$(scripts/rtl.py $*)
	$(Q)$(MAKE) -s -C $(@D) -f V$*.mk V$*__ALL.a OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O2 OBJCACHE="$(CCACHE)" >/dev/null
	$(Q)cp $(@D)/V$*__ALL.a $@
.PRECIOUS: $(B)/vlt/%/libV.a

# The ends of each range: top and model refuse the same, in the same words.
.PHONY: params-test
$(B)/params/ask_model: verif/params/ask_model.c $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(INC) -o $@ $^ -lm
params-test: $(B)/params/ask_model | need-lint
	$(Q)verif/params/test_params.py $< $(B)/params
TESTS += params-test

# A step that changes nothing is proved to: what a module was in REV, and what it is.
.PHONY: same same-test
same: | need-formal ## proves modules to be what they were: BLOCK="X Y" [REV=HEAD] [PARAMS=A=1,B=2] [MOVED=OLD=NEW,...]
	$(Q)scripts/same.py $(BLOCK) --rev $(or $(REV),HEAD) $(if $(PARAMS),--params $(PARAMS)) \
	  $(if $(MOVED),--moved '$(MOVED)')
same-test: | need-formal
	$(Q)verif/lint/test_same.py
TESTS += same-test
