# SPDX-License-Identifier: Apache-2.0
# Tocsin. The rules stand in the .mk file of the folder that they build; `make` alone prints what can be made.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

B      := build
REPORT := $(B)/report
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
$(if $(filter-out 0 -%,$(JOBS)),,$(error JOBS=$(JOBS): how many at once, 1 or more))
SEED   ?= 1
PREFIX ?= /usr/local
VERSION := $(shell sed -nE 's/^.define TOC_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$$/\2/p' model/include/tocsin/version.h | paste -sd.)
# Raised when programs that were linked with an older library cannot run with this one.
SOVERSION := 0
V      ?=
Q      := $(if $(V),,@)

CC      := gcc
CXX     := g++
CCACHE  := $(shell command -v ccache 2>/dev/null)
# What is compiled again in a copy of the tree is found, though it lies elsewhere.
export CCACHE_NOHASHDIR := 1
PY      := python3
WARN    := -Wall -Wextra -Wpedantic -Wconversion -Werror
CFLAGS  ?= -O2 -g
CSTD    := -std=c11 $(WARN)
INC     := -Imodel/include

# Every target brings what it lacks: `foo: | need-sim`, with NEED_sim := the packages.
NEED_cc     := gcc g++ python3
NEED_sim    := $(NEED_cc) verilator ccache zlib1g-dev
NEED_lint   := $(NEED_cc) verilator yosys python3-venv
NEED_formal := python3 yosys z3 python3-venv
NEED_plants := $(NEED_cc) patch
NEED_area   := python3 yosys
NEED_fpga   := $(NEED_area) python3-venv
NEED_cover  := $(NEED_sim)
.PHONY: need-%
need-%:
	@scripts/need.sh $(NEED_$*)

# What `make test-all` runs: names of targets, filled by the fragments. Each becomes one line of the report.
TESTS :=
# What is built first, because several tests share it.
TESTS_SHARED :=
# Of both, what `make test` has no time for in 15 minutes of two cores; block tests and proofs have lists of their own
# (verif.mk, formal.mk). Of each kind of test `make test` keeps what finds much for its time.
# Other tools, and whole programs as a user has them; what needs a machine that most have not.
MORE_tools := bench-link-test campaign-test carry-test cluster-test cocotb-test build/venv/cocotb/stamp cosim-example \
    build/checker/example/obj_dir/tb examples flow-test fuzz-traces gtkwave icarus-test params-test \
    params-plants paths rxe-brief same-test verilog-pcie-test
# The IOMMU at its widest; programs' traces of whole nodes; floods; contexts in memory; seeds.
MORE_lockstep := cosim-smoke-stock build/cosim/stock/cosim cosim-smoke-wide cosim-hostile-wide cosim-wiring-wide \
    build/cosim/wide/cosim cosim-nic-smoke-% cosim-nic-wiring-wide cosim-nic-flood cosim-nic-move cosim-nic-many \
    cosim-nic-hostile-many cosim-nic-model-many build/cosim_nic/many/cosim build/cosim_nic/model-many/cosim \
    cosim-tocsin-small cosim-graph-traces cosim-tocsin-wiring-ports cosim-tocsin-many \
    $(patsubst %,build/cosim_tocsin/%/cosim,ports many) cosim-nic-wiring-small cosim-tocsin-wiring-small
# Unit tests without sanitizers.
MORE_units := unit-%
# Containers: their parts have tests of their own, and all together stand in lockstep.
MORE_blocks := $(patsubst %,sim-%-default,aa_cpl aa_log aa_xlt ax_dev ax_iommu nic_responder nic_rx nic_tx xtq xtq_target)
# The driver on hardware; more ranks; sanitizers where a smaller test has them, too.
MORE_software := swrtl-% swrtlmany-% build/lib/libtocsin-rtl.so build/lib/libtocsin-rtl-many.so \
    sw-board build/bin/tocsin-board cli cli-san graph-cli-san build/bin/tocsin-san \
    sw-headers swsan-cpp sw-valgrind irrvalgrind-% build/irregular/valgrind/libtocsin-irregular.a irr-aarch64 \
    ranks-brief \
    irregular-page irr-headers irr-cpp irr-cpp-plants irrsan-cpp irrclang-cpp irr-team-tsan irrsan-team irrtsan-steal \
    suite-uts suitetsan-dist suitesan-dist suitesan-uts graph-procs graph-ranks \
    shmem-plants shmemtsan-teams shmemtsan-threads shmemsan-teams
MORE := $(foreach w,tools lockstep units blocks software,$(MORE_$(w)))

include scripts/marks.mk verif/venv/venv.mk rtl/rtl.mk model/model.mk verif/verif.mk verif/mutate.mk verif/campaign.mk \
    verif/lint/lint.mk verif/formal/formal.mk verif/systems/systems.mk fpga/fpga.mk
-include $(sort $(wildcard verif/cosim*/*.mk verif/cover/*.mk verif/bench/*.mk verif/rxe/*.mk sw/*.mk sw/*/*.mk))
include verif/shipped.mk

MORE := $(patsubst build/%,$(B)/%,$(MORE))
# What takes long comes first, or one core waits for it in the end.
LONG         := lint-tops formal-rows install-test mutate-smoke cosim-%
TESTS        := $(filter $(LONG),$(TESTS)) $(filter-out $(LONG),$(TESTS))
BRIEF        := $(filter-out $(MORE),$(TESTS))
TESTS_SHARED := $(filter $(B)/cosim_%,$(TESTS_SHARED)) $(filter-out $(B)/cosim_%,$(TESTS_SHARED))
BRIEF_SHARED := $(filter-out $(MORE),$(TESTS_SHARED))

.PHONY: help
help:
	@echo "Tocsin: a memory access rings a bell. Usage: make TARGET [NAME=value ...]"
	@grep -hE '^[a-z-]+:.*## ' $(sort $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | sort -u | \
	  awk -F '\t' '{ printf "  make %-10s %s\n", $$1, $$2 }'

# What is for one test by itself, and would have all of them look at less: asked for, or of the environment.
LESS = $(strip $(foreach v,BLOCK CASES CYCLES NETLIST PLANT,\
         $(and $(filter command environment,$(origin $(v))),$($(v)),$(v)=$($(v)))))
# $(call run-tests,NAMES,WHAT THEY SHARE)
run-tests = @$(if $(LESS),echo '$@ looks at everything: it takes no $(LESS)' >&2; exit 2;) mkdir -p $(REPORT) && \
  scripts/test.py --jobs $(JOBS) --junit $(REPORT)/junit.xml --shared "$(2)" $(1)
.PHONY: test test-all
test: | need-sim need-lint need-formal ## everything that a commit must pass; last line: N passed, N failed
	$(call run-tests,$(BRIEF),$(BRIEF_SHARED))
test-all: | need-sim need-lint need-formal ## the same and what takes too long for it: parameters, tools, sanitizers
	$(call run-tests,$(TESTS),$(TESTS_SHARED))

.PHONY: tests tests-all
tests: ## lists the tests that `make test` runs; each is a target
	@printf '%s\n' $(BRIEF)
tests-all: ## lists those of `make test-all`
	@printf '%s\n' $(TESTS)
.PHONY: tests-shared tests-shared-all
tests-shared:
	@printf '%s\n' $(BRIEF_SHARED)
tests-shared-all:
	@printf '%s\n' $(TESTS_SHARED)

.PHONY: clean
clean: ## removes build/
	rm -rf $(B)

.PHONY: FORCE
FORCE:
