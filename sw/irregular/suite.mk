# SPDX-License-Identifier: Apache-2.0
# The suite of irregular programs (sw/irregular/suite): what `tocsin graph` runs, and its tests, plain, under ASan
# and UBSan, and one under TSan.
SUITE_SRC := $(sort $(wildcard sw/irregular/suite/*.c)) $(patsubst %,sw/apps/%.c,ranks ranks_mpi ranks_pmi)
SUITE_INC := -Isw/irregular/suite -Isw/apps -Isw/include $(INC) -Imodel/test

# $(call suite-variant,NAME,FLAGS,LIBRARIES,OBJECTS)
define suite-variant
$(B)/suite/$(1)/test_%: sw/irregular/suite/test/test_%.c $(4) $(3)
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) -D_GNU_SOURCE $(2) $$(SUITE_INC) -MMD -MP -MT $$@ -c -o $$@.o $$<
	$$(Q)$$(CC) $(2) -o $$@ $$@.o $$(filter %.o,$$^) $(3) -lpthread -lm
-include $$(wildcard $(B)/suite/$(1)/*.d $(B)/suite/$(1)/*/*/*.d $(B)/suite/$(1)/*/*/*/*.d)
endef
# The objects are those of the command line (sw/tools/tools.mk); under ThreadSanitizer, which does without it,
# there are others.
SUITE_TSAN := -O1 -fsanitize=thread
$(B)/suite/tsan/%.o: %.c | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) -D_GNU_SOURCE $(SUITE_TSAN) $(SUITE_INC) -MMD -MP -c -o $@ $<
$(eval $(call suite-variant,plain,,$(IRR_LIB) $(B)/lib/libtocsin-driver.a $(MODEL_LIB),$(SUITE_SRC:%.c=$(B)/tools/plain/%.o)))
$(eval $(call suite-variant,san,$(SAN),$(B)/irregular/san/libtocsin-irregular.a $(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a,$(SUITE_SRC:%.c=$(B)/tools/san/%.o)))
$(eval $(call suite-variant,tsan,$(SUITE_TSAN),$(B)/irregular/tsan/libtocsin-irregular.a $(B)/irregular/tsan/libbelow.a,$(SUITE_SRC:%.c=$(B)/suite/tsan/%.o)))

SUITE_TESTS := $(basename $(notdir $(sort $(wildcard sw/irregular/suite/test/test_*.c))))
.PHONY: $(SUITE_TESTS:test_%=suite-%) $(SUITE_TESTS:test_%=suitesan-%)
$(SUITE_TESTS:test_%=suite-%): suite-%: $(B)/suite/plain/test_%
	$(Q)$<
$(SUITE_TESTS:test_%=suitesan-%): suitesan-%: $(B)/suite/san/test_%
	$(Q)ASAN_OPTIONS=detect_leaks=1 $<
# By xtq kernels run delegates in threads of their own.
.PHONY: suitetsan-dist
suitetsan-dist: $(B)/suite/tsan/test_dist
	$(Q)setarch -R true 2>/dev/null && run="setarch -R" || run=; TSAN_OPTIONS=halt_on_error=1 $$run $<
TESTS        += suitetsan-dist
TESTS        += $(SUITE_TESTS:test_%=suite-%) $(SUITE_TESTS:test_%=suitesan-%)
TESTS_SHARED += $(foreach v,plain san,$(SUITE_SRC:%.c=$(B)/tools/$(v)/%.o))

# The command line: `tocsin graph`.
.PHONY: graph-cli graph-cli-san graph-ranks graph-procs
graph-cli: $(B)/bin/tocsin
graph-cli-san: $(B)/bin/tocsin-san
graph-cli graph-cli-san:
	$(Q)sw/irregular/suite/test/test.sh $<
graph-ranks: $(B)/bin/tocsin ## published trees, updates and searches at scale 16 on up to 64 ranks
	$(Q)sw/irregular/suite/test/ranks.sh $<
graph-procs: $(B)/bin/tocsin ## all programs on ranks that are processes: the digests of ranks in one process
	$(Q)scripts/need.sh openmpi-bin || true
	$(Q)sw/irregular/suite/test/procs.sh $<
TESTS        += graph-cli graph-cli-san graph-ranks graph-procs

# What happens to a node of each program, for lockstep with the RTL (verif/traces/README.md): of whole nodes,
# and of two IOMMUs for `make run`.
GRAPH_gups      := gups --scale 8 --updates 1024
GRAPH_gups-xtq  := gups --scale 8 --updates 1024 --variant xtq
GRAPH_uts       := uts --tree-args '-t 1 -a 3 -d 5 -b 3 -r 19'
GRAPH_bfs       := bfs --scale 6 --degree 8
GRAPH_pagerank  := pagerank --scale 2 --degree 1
GRAPH_cc        := cc --scale 5 --degree 4
GRAPH_sssp      := sssp --scale 5 --degree 6
GRAPH_triangles := triangles --scale 6 --degree 8
GRAPH_NODES     := gups gups-xtq uts bfs pagerank cc sssp triangles
GRAPH_IOMMUS    := gups-xtq bfs
# $(call graph-record,FILE,NAME,PART)
graph-record = $< graph $(GRAPH_$(2)) --ranks 2 --record-node 1 --record $(1) --record-of $(3) \
               >$(B)/suite/recorded 2>&1 || \
  { cat $(B)/suite/recorded; exit 1; };
.PHONY: graph-traces
graph-traces: $(B)/bin/tocsin ## records verif/traces/graph anew: a node of each irregular program, for lockstep
	@mkdir -p $(B)/suite verif/traces/graph/iommu
	$(Q)$(foreach p,$(GRAPH_NODES),$(call graph-record,verif/traces/graph/$(p).trc,$(p),node)) \
	$(foreach p,$(GRAPH_IOMMUS),$(call graph-record,verif/traces/graph/iommu/$(p).trc,$(p),iommu)) \
	  ls -l verif/traces/graph verif/traces/graph/iommu
