# SPDX-License-Identifier: Apache-2.0
# Mutation: bugs planted on purpose, and what finds them. scripts/mutate.py does the work; verif/README.md explains.
NEED_mutate := clang patch git
.PHONY: mutate mutate-smoke mutate-record mutate-book
mutate: | need-formal need-sim need-mutate ## planted bugs and what finds them: [BLOCK=X] [N=as many as were] [HOURS=6] [KIND=source|netlist|c|patch]; QUICK=1 netlists by test and miter alone; PATCH=FILE one; PATCHES=1
	$(Q)scripts/mutate.py \
	  $(if $(PATCH),--patch $(PATCH),$(if $(PATCHES),--patches,$(if $(QUICK),--quick) $(if $(filter file,$(origin N)),,-n $(N)) --jobs $(JOBS) --hours $(or $(HOURS),6) \
	  $(addprefix --block ,$(BLOCK)) $(addprefix --kind ,$(KIND))))

# One mutant a block, and the file that says which; with none chosen a lockstep takes the cycles of the plain one.
SMOKE_PLAIN := $(patsubst %,$(B)/%/small/cosim,cosim cosim_nic cosim_tocsin)
mutate-smoke: $(SMOKE_PLAIN) | need-sim need-formal
	$(Q)scripts/mutate.py --smoke --jobs 1 $(addprefix --block ,$(BLOCK))
TESTS += mutate-smoke

# What verif/MUTATION.md says is what was judged, and of which sources.
mutate-book: | need-formal need-mutants need-plants
	$(Q)verif/mutants/test_record.py
	$(Q)verif/mutants/test_package.py
	$(Q)verif/mutants/test_aiger.py
	$(Q)verif/mutants/test_boundary.py
	$(Q)verif/mutants/test_miter.py
	$(Q)verif/mutants/test_parts.py
	$(Q)verif/mutants/test_trial.py
	$(Q)verif/mutants/test_cmodel.py
	$(Q)verif/mutants/test_smoke.py
	$(Q)verif/mutants/test_planted.sh
	$(Q)verif/mutants/test_apply.sh
	$(Q)verif/mutants/test_plants.sh
TESTS += mutate-book

# Bugs planted in software: those of each folder's `plants`, all of them. `make test` plants a few, and sees
# that the others apply, also those of the tests that it leaves out (mutants-apply).
.PHONY: plants
plants: ## all bugs planted in software, each to be found by its test; 6 minutes of one core
	$(Q)$(MAKE) --no-print-directory -k PLANTS=all sw-plants irr-plants irr-cpp-plants shmem-plants cluster-test

# A bug that is kept must be one of the present sources. In a folder of another repository git would skip patches.
.PHONY: mutants-apply
NEED_mutants := git patch
PLANTED := $(wildcard sw/test/plants/*.patch sw/*/test/plants/*.patch sw/*/*/test/plants/*.patch sw/*/test/cpp/plants/*.patch)
mutants-apply: | need-mutants
	$(Q)bad=0; for p in verif/mutants/*.patch; do \
	  GIT_CEILING_DIRECTORIES="$$(dirname "$$PWD")" git apply --check $$p || \
	  { echo "FAILED: $$p does not apply any more: bring it up to the sources, or drop it with its reason"; bad=1; }; \
	done; for p in $(PLANTED); do \
	  patch -s -f -p1 --dry-run -i $$p || { echo "FAILED: $$p does not apply any more"; bad=1; }; \
	done; echo "mutants: $$(ls verif/mutants/*.patch $(PLANTED) | wc -l) patches looked at"; exit $$bad
TESTS += mutants-apply

mutate-record: $(SMOKE_PLAIN) | need-sim
	$(Q)scripts/mutate.py --record --jobs $(JOBS) $(addprefix --block ,$(BLOCK))
