# SPDX-License-Identifier: Apache-2.0
# Long campaigns: SEEDS of every configuration of a top, links with and without loss; verif/CAMPAIGN.md is their record.
SEEDS ?= 1-20
CONFIGS          ?= default small wide $(if $(filter aa,$(TOP)),stock,many)
# Where runs take place: here; on HOSTS of GNU Parallel, by ssh, in the folder WORKDIR there; as arrays of Slurm,
# with more options of sbatch in SBATCH.
ENGINE           ?= local
HOSTS            ?= :
WORKDIR          ?= .
SBATCH           ?=
CAMPAIGN_N_aa    := 1000000
# Built for speed in a folder of its own: what Verilator makes does not fit the nearest caches, and most of it is seldom
# run; a short run tells the compiler which part. The same runs take half of the time. Theorems, which are half of what
# small has to do, are left to `make test` and to proofs; THEOREMS=1 has them, too. By a newer Verilator, which makes
# the same of it in three quarters of the instructions, and is a second opinion of the one that builds the tests;
# CAMPAIGN_VERILATOR= takes that one. By clang, which makes of it what runs in four fifths of GCC's time;
# CAMPAIGN_CXX=g++ takes that one.
CAMPAIGN_VERILATOR ?= $(call venv,verilator)
VENV_ELSE_verilator := ; make campaign CAMPAIGN_VERILATOR= takes the Verilator that is installed
CAMPAIGN_BIN      := $(abspath $(dir $(CAMPAIGN_VERILATOR)))/lib/python*/site-packages/verilator/bin
CAMPAIGN_PATH     := $(if $(CAMPAIGN_VERILATOR),PATH=$$(echo $(CAMPAIGN_BIN)):$$PATH)
CAMPAIGN_B        := $(B)/campaign$(if $(CAMPAIGN_VERILATOR),,-installed)$(if $(THEOREMS),-theorems)
CAMPAIGN_CXX      ?= clang++
CAMPAIGN_CLANG    := $(findstring clang,$(CAMPAIGN_CXX))
CAMPAIGN_VARS     := B=$(CAMPAIGN_B) CXX=$(CAMPAIGN_CXX) CCACHE= VRT_PARTS='.o _threads.o _dpi.o' COSIM_WAVY= \
                     $(if $(THEOREMS),,cosim-formal=)
# Debian 12's clang leaves __atomic_is_lock_free, which Verilator's runtime calls, to a library.
CAMPAIGN_ATOMIC   := $(if $(CAMPAIGN_CLANG),-latomic)
CAMPAIGN_TRAIN    := COSIM_OPT='-O2 -fprofile-generate' COSIM_LD='-fprofile-generate $(CAMPAIGN_ATOMIC)'
CAMPAIGN_TRAINED  := COSIM_OPT='-O2 $(if $(CAMPAIGN_CLANG),-fprofile-use=$$(@D)/trained.profdata,-fprofile-use \
                     -fprofile-partial-training -Wno-missing-profile)' COSIM_LD='$(CAMPAIGN_ATOMIC)'
campaign_aa       = $(foreach c,$(CONFIGS),'$(c)=$(CAMPAIGN_B)/cosim/$(c)/cosim --once --config $(c)')
CAMPAIGN_N_xtq   := 300000
campaign-lossy    = $(foreach c,$(CONFIGS),'$(c), loss=$(CAMPAIGN_B)/$1/$(c)/cosim --once --config $(c)' \
                                            '$(c), no loss=$(CAMPAIGN_B)/$1/$(c)/cosim --once --config $(c) --lossless')
campaign_xtq      = $(call campaign-lossy,cosim_nic)
CAMPAIGN_N_tocsin := 300000
campaign_tocsin   = $(call campaign-lossy,cosim_tocsin)
campaign-progs-aa  = $(CONFIGS:%=$(CAMPAIGN_B)/cosim/%/cosim)
campaign-progs-xtq = $(CONFIGS:%=$(CAMPAIGN_B)/cosim_nic/%/cosim)
campaign-progs-tocsin = $(CONFIGS:%=$(CAMPAIGN_B)/cosim_tocsin/%/cosim)
campaign-hw-aa    := aa_iommu
campaign-hw-xtq   := xtq_nic
campaign-hw-tocsin := tocsin
campaign-sw-aa    := aa tlp
campaign-sw-xtq   := nic xtq tlp
campaign-sw-tocsin := aa nic xtq tlp
campaign-sets-aa     := COSIM
campaign-sets-xtq    := COSIM_NIC
campaign-sets-tocsin := COSIM_TOCSIN
campaign-lists-aa     := verif/cosim_aa/cosim_aa.mk
campaign-lists-xtq    := verif/cosim_nic/cosim_nic.mk
campaign-lists-tocsin := verif/cosim_tocsin/cosim_tocsin.mk $(campaign-lists-xtq)
# What of the model stands in headers of its own, and the parameters of each configuration.
campaign-inner = model/src/*.h $(campaign-sw-$(TOP):%=model/src/*/%*.h)
campaign-config = $(foreach c,$(CONFIGS),'$(c)=$($(campaign-sets-$(TOP))_$(c))')
campaign-model = $(foreach p,$(campaign-sw-$(TOP)),model/src/$(p)*.c model/src/*/$(p)*.c model/include/tocsin/$(p)*.h)

$(CAMPAIGN_B)/%/trained: $(RTL_ALL) \
    $(wildcard model/src/*.c model/src/*/*.c model/include/tocsin/*.h verif/cosim*/*.[ch] verif/formal/*.svh)
	@rm -f $(@D)/*.gcda $(@D)/*.prof* $(@D)/*.o $(@D)/*.a $(@D)/cosim
	$(Q)$(MAKE) --no-print-directory $(CAMPAIGN_VARS) $(CAMPAIGN_TRAIN) $(@D)/cosim
	$(Q)LLVM_PROFILE_FILE=$(@D)/trained.profraw $(@D)/cosim --once --config $(notdir $*) --n 300 --quiet
	$(if $(CAMPAIGN_CLANG),$(Q)$(LLVM_PROFDATA) merge -o $(@D)/trained.profdata $(@D)/trained.profraw)
	@rm -f $(@D)/*.o $(@D)/*.a $(@D)/cosim
	@touch $@

# clang's profiles: what counts, and what sums up. Both have its version in their names.
LLVM_PROFDATA = llvm-profdata-$$($(CAMPAIGN_CXX) -dumpversion | cut -d. -f1)
NEED_clang := clang
.PHONY: need-profiles
need-profiles: | need-clang
	$(Q)v=$$($(CAMPAIGN_CXX) -dumpversion | cut -d. -f1); scripts/need.sh llvm-$$v libclang-rt-$$v-dev

# What it is asked for is looked at before minutes of builds.
campaign-unknown = $(strip $(foreach c,$(CONFIGS),$(if $($(campaign-sets-$(TOP))_$(c)),,$(c))))
campaign-named   = $(if $(campaign-hw-$(TOP)),,echo 'TOP=$(TOP): aa, xtq, tocsin' >&2; exit 2;) \
  $(if $(campaign-unknown),echo 'CONFIGS=$(CONFIGS): $(TOP) has no $(campaign-unknown)' >&2; exit 2;)
CAMPAIGN = scripts/campaign.py --top $(TOP) \
  --n $(if $(filter file,$(origin N)),$(CAMPAIGN_N_$(TOP)),$(N)) --seeds $(SEEDS) \
  --jobs $(JOBS) --minutes $(or $(MINUTES),0) --engine $(ENGINE) --hosts "$(HOSTS)" \
  --workdir "$(WORKDIR)" --sbatch="$(SBATCH)" \
  --work $(CAMPAIGN_B)/work --record verif/CAMPAIGN.md --run $(campaign_$(TOP)) \
  --sources $$(scripts/rtl.py $(campaign-hw-$(TOP))) $(wildcard $(campaign-model) $(campaign-inner)) \
  --config $(campaign-config)

.PHONY: campaign campaign-asked campaign-test
campaign-asked: | need-cc
	$(Q)$(campaign-named) $(CAMPAIGN) --look
campaign: | campaign-asked $(CAMPAIGN_VERILATOR) $(if $(CAMPAIGN_CLANG),need-profiles) ## many seeds in lockstep: [TOP=aa|xtq|tocsin] [SEEDS=1-20] [CONFIGS=...] [N=...] [MINUTES=...] [THEOREMS=1] [ENGINE=parallel HOSTS=8/one,: | slurm]; goes on where it stopped
	$(Q)$(CAMPAIGN_PATH) $(MAKE) --no-print-directory -j $(JOBS) $(campaign-progs-$(TOP):%/cosim=%/trained)
	$(Q)$(CAMPAIGN_PATH) $(MAKE) --no-print-directory -j $(JOBS) $(CAMPAIGN_VARS) $(CAMPAIGN_TRAINED) \
	  $(campaign-progs-$(TOP))
	$(Q)$(CAMPAIGN)

# What ran on REV counts for the present sources, if the model is the same and the hardware is proved to be.
NEED_carry := $(NEED_formal) git
.PHONY: campaign-carry carry-test
campaign-carry: | need-carry ## rows of REV's sources become rows of the present ones, if these are proved to be the same: TOP=xtq REV=commit [CONFIGS=...] [MOVED=OLD=NEW,...]
	$(Q)$(if $(REV),,echo 'campaign-carry: REV=commit, of which the rows are' >&2; exit 2)
	$(Q)$(campaign-named) scripts/carry.py --top $(TOP) --module $(campaign-hw-$(TOP)) --rev $(REV) --moved '$(MOVED)' \
	  --record verif/CAMPAIGN.md \
	  --model $(campaign-model:%='%') --headers $(campaign-inner:%='%') \
	  --lists $(campaign-lists-$(TOP)) --config $(campaign-config)
carry-test: | need-carry
	$(Q)verif/test_carry.sh
TESTS += carry-test

campaign-test: ## a campaign by each engine, of a program that only says that it ran
	$(Q)scripts/need.sh parallel munge slurmctld slurmd slurm-client || true
	$(Q)for e in local parallel slurm; do verif/test_campaign.sh $$e || exit 1; done
TESTS += campaign-test
