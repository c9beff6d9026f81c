# SPDX-License-Identifier: Apache-2.0
# The papers' figures in simulated time: build/lib/cluster.so, a program of SimGrid's SMPI, and what
# sw/cluster/figures.py draws with it. NEED_cluster is asked for by the targets themselves, since a machine without
# SimGrid skips these tests.
CLUSTER      := $(B)/lib/cluster.so
# What the simulated programs of the suite of irregular programs have in common with those that run natively:
# inputs, checks, digests.
CLUSTER_SUITE := $(addprefix sw/irregular/suite/,bfs.c cc.c csr.c disjoint.c edges.c gups.c kron.c pagerank.c sha1.c sssp.c triangles.c uts.c uts_trees.c)
CLUSTER_SRC  := $(sort $(wildcard sw/cluster/*.c sw/cluster/graph/*.c)) $(CLUSTER_SUITE)
CLUSTER_HDR  := $(wildcard sw/cluster/*.h sw/cluster/graph/*.h sw/irregular/suite/*.h model/include/tocsin/*.h) \
                sw/apps/mix.h
CLUSTER_CC   := $(CSTD) $(CFLAGS) -fPIC -shared -D_GNU_SOURCE -isystem /usr/include/smpi $(INC) -Isw/cluster -Isw/apps \
                -Isw/irregular/suite
NEED_cluster := libsimgrid-dev gnuplot-nox
FIGURES      ?=
SERIES       ?=
FIGURES_PY   := $(PY) sw/cluster/figures.py
FIGURES_ONLY := $(if $(FIGURES),--only $(FIGURES))
FIGURES_LINK := $(if $(FIGURES),$(filter 6a 6b 6l,$(FIGURES)),all)
# Deferred: the program is of a fragment that is read later.
FIGURES_PAGING = $(if $(FIGURES),$(if $(filter paging,$(FIGURES)),$(BENCH_PAGING)),$(BENCH_PAGING))

# File by file, as their tests compile them once more for the bugs that they plant: ccache has them then.
# $(call cluster-link,NAME,FLAGS,SOURCES)
cluster-link = $(Q)mkdir -p $(B)/cluster/$(1) && for f in $(3); do \
               $(CCACHE) $(CC) $(2) -c -o $(B)/cluster/$(1)/$${f//\//-}.o $$f || exit 1; done && \
  $(CC) $(2) -o $@ $(patsubst %,$(B)/cluster/$(1)/%.o,$(subst /,-,$(3))) $(MODEL_LIB) -lsimgrid -lm -Wl,-z,defs
$(CLUSTER): $(CLUSTER_SRC) $(CLUSTER_HDR) $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(call cluster-link,cluster,$(CLUSTER_CC),$(CLUSTER_SRC))

.PHONY: cluster cluster-test figures figures-page figures-fresh
cluster: | need-cluster ## the papers' programs under SimGrid: build/lib/cluster.so, build/lib/xtq.so
	$(Q)$(MAKE) --no-print-directory $(CLUSTER) $(XTQ)
figures: cluster figures-paging $(if $(FIGURES_LINK),bench-link) ## the papers' figures in simulated time: build/figures, build/report/figures.json (FIGURES="7d 8b": these alone; SERIES=AA-Task: this curve alone, beside those that are there)
	@mkdir -p $(REPORT)
	$(Q)$(FIGURES_PY) --cluster $(CLUSTER) --xtq $(XTQ) --link $(BENCH_LINK) --paging $(BENCH_PAGING) --dir $(B)/figures \
	  --json $(REPORT)/figures.json --jobs $(JOBS) $(FIGURES_ONLY) \
	  $(if $(SERIES),--series $(SERIES))
.PHONY: figures-paging
figures-paging:
	$(Q)$(if $(FIGURES_PAGING),$(MAKE) --no-print-directory $(FIGURES_PAGING))
figures-page: | need-cluster ## writes docs/figures.md with its tables and pictures from what `make figures` left
	$(Q)$(FIGURES_PY) --page --dir $(B)/figures --json $(REPORT)/figures.json $(FIGURES_ONLY)
# The page is what its tables give; a difference from a paper has its cause beside it.
figures-fresh:
	@mkdir -p $(B)/figures
	$(Q)scripts/need.sh gnuplot-nox || true
	$(Q)if command -v gnuplot >/dev/null; then $(FIGURES_PY) --check --dir $(B)/figures; \
	  else echo "skipped: gnuplot is not here"; fi
cluster-test: $(MODEL_LIB) $(B)/bin/tocsin | need-plants
	$(Q)scripts/need.sh libsimgrid-dev || true
	$(Q)if command -v smpirun >/dev/null; then $(MAKE) --no-print-directory $(CLUSTER) $(XTQ) && \
	  sw/cluster/test/test.sh $(CLUSTER) '$(CCACHE) $(CC) $(CLUSTER_CC)' $(MODEL_LIB) $(wildcard sw/cluster/graph/*.c) \
	  $(CLUSTER_SUITE) && \
	  sw/cluster/graph/test/test.sh $(CLUSTER) '$(CCACHE) $(CC) $(CLUSTER_CC)' $(MODEL_LIB) $(B)/bin/tocsin \
	  $(CLUSTER_SUITE) && \
	  sw/cluster/xtq/test/test.sh $(XTQ) '$(CCACHE) $(CC) $(XTQ_CC)' $(MODEL_LIB); \
	  else echo "skipped: SimGrid is not here"; fi
TESTS += cluster-test figures-fresh
include sw/cluster/xtq/xtq.mk
