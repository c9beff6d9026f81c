# SPDX-License-Identifier: Apache-2.0
# The golden model: build/lib/libtocsin.a, and its unit tests (model/test/test_*.c), plain and under ASan and UBSan.
MODEL_SRCS := $(sort $(wildcard model/src/*.c model/src/*/*.c))
MODEL_LIB  := $(B)/lib/libtocsin.a
# Behind CFLAGS: what is not optimized further is compiled in two thirds of the time, and run for less than that.
SAN        := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

comma := ,
# $(call model-variant,NAME,FLAGS): objects, library and unit tests of one way to compile.
define model-variant
$(B)/model/$(1)/%.o: model/src/%.c | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(INC) -MMD -MP -c -o $$@ $$<
$(if $(filter plain,$(1)),$(MODEL_LIB),$(B)/model/$(1)/libtocsin.a): $$(MODEL_SRCS:model/src/%.c=$(B)/model/$(1)/%.o)
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(B)/model/$(1)/test/%: model/test/%.c $(if $(filter plain,$(1)),$(MODEL_LIB),$(B)/model/$(1)/libtocsin.a)
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(INC) -Imodel/test -MMD -MP -MT $$@ -c -o $$@.o $$<
	$$(Q)$$(CC) $(2) \
	  $$(if $$(filter test_nomem,$$*),-Wl$$(comma)--wrap=malloc$$(comma)--wrap=calloc$$(comma)--wrap=realloc$$(comma)--wrap=free) -o $$@ $$@.o $$(filter %.a,$$^) -lm
-include $$(wildcard $(B)/model/$(1)/*.d $(B)/model/$(1)/*/*.d $(B)/model/$(1)/test/*.d)
endef
# `plain` is fit for shared libraries and for plugins that take the static ones.
PIC := -fPIC -fno-semantic-interposition
$(eval $(call model-variant,plain,$(PIC)))
$(eval $(call model-variant,san,$(SAN)))
$(eval $(call model-variant,cov,--coverage -O0))

# The shared library: what the installed headers declare, by version (libtocsin.map), and no other name.
MODEL_SO  := $(B)/lib/libtocsin.so.$(VERSION)
MODEL_MAP := model/libtocsin.map
# Of the model what a program or a test bench calls; headers of single blocks are its own affair.
MODEL_API := aa aa_count aa_lock aa_regs aa_snoop nic nic_frame nic_regs nic_time pcapng regs_table table tlp \
             tocsin_model \
             tocsin_root trace version
MODEL_H   := $(MODEL_API:%=model/include/tocsin/%.h)
SHARED     = $(CC) -shared -Wl,-soname,$(1).so.$(SOVERSION) -Wl,--version-script=$(2) \
             -Wl,--no-undefined-version -Wl,-z,defs \
  -Wl,-Bsymbolic-functions
$(MODEL_SO): $(MODEL_SRCS:model/src/%.c=$(B)/model/plain/%.o) $(MODEL_MAP)
	@mkdir -p $(@D)
	$(Q)$(call SHARED,libtocsin,$(MODEL_MAP)) -o $@ $(filter %.o,$^) -lm

UNIT := $(basename $(notdir $(sort $(wildcard model/test/test_*.c))))
.PHONY: $(UNIT:%=unit-%) $(UNIT:%=unitsan-%)
$(UNIT:%=unit-%): unit-%: $(B)/model/plain/test/%
	$(Q)$<
$(UNIT:%=unitsan-%): unitsan-%: $(B)/model/san/test/%
	$(Q)ASAN_OPTIONS=detect_leaks=1 $<
TESTS        += $(UNIT:%=unit-%) $(UNIT:%=unitsan-%)
TESTS_SHARED += $(MODEL_LIB) $(if $(UNIT),$(B)/model/san/libtocsin.a)

.PHONY: unit
unit: $(UNIT:%=unit-%) $(UNIT:%=unitsan-%) ## unit tests of the model, plain and under the sanitizers

# The decision table in the specification is what the model decides by.
DECISION_TABLE := model/tools/decision_table.sh
$(B)/model/decision_table: model/tools/decision_table.c $(MODEL_LIB)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(INC) -o $@ $^
.PHONY: decision-table decision-table-fresh
decision-table: $(B)/model/decision_table ## writes the decision table into rtl/aa/README.md
	$(Q)$(DECISION_TABLE) write $< rtl/aa/README.md
decision-table-fresh: $(B)/model/decision_table
	$(Q)$(DECISION_TABLE) check $< rtl/aa/README.md
TESTS += decision-table-fresh

.PHONY: model
model: $(MODEL_LIB) ## the golden model's library: build/lib/libtocsin.a
