# SPDX-License-Identifier: Apache-2.0
# The software: build/lib/libtocsin-driver.a, its headers (sw/include/tocsin), and its tests (sw/test/test_*.c), plain and under
# ASan and UBSan. A test runs on every backend in process that it names in a line `// backend: NAME`.
SW_SRCS := $(sort $(wildcard sw/lib/*.c))
SW_LIB  := $(B)/lib/libtocsin-driver.a
SW_INC  := -Isw/include -Isw/lib -Isw/test $(INC) -Imodel/test

# $(call sw-variant,NAME,FLAGS,MODEL)
define sw-variant
$(B)/sw/$(1)/%.o: sw/lib/%.c | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(SW_INC) -MMD -MP -c -o $$@ $$<
$(if $(filter plain,$(1)),$(SW_LIB),$(B)/sw/$(1)/libtocsin-driver.a): $$(SW_SRCS:sw/lib/%.c=$(B)/sw/$(1)/%.o)
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(B)/sw/$(1)/test/%: sw/test/%.c $(if $(filter plain,$(1)),$(SW_LIB),$(B)/sw/$(1)/libtocsin-driver.a) $(3)
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(SW_INC) -MMD -MP -c -o $$@.o $$<
	$$(Q)$$(CC) $(2) -o $$@ $$@.o $$(filter %.a,$$^) -lpthread -lm
-include $$(wildcard $(B)/sw/$(1)/*.d $(B)/sw/$(1)/test/*.d)
endef
$(eval $(call sw-variant,plain,,$(MODEL_LIB)))
$(eval $(call sw-variant,san,$(SAN),$(B)/model/san/libtocsin.a))

SW_TESTS := $(basename $(notdir $(sort $(wildcard sw/test/test_*.c))))
.PHONY: $(SW_TESTS:test_%=sw-%) $(SW_TESTS:test_%=swsan-%)
$(SW_TESTS:test_%=sw-%): sw-%: $(B)/sw/plain/test/test_%
	$(Q)$< --seed $(SEED)
$(SW_TESTS:test_%=swsan-%): swsan-%: $(B)/sw/san/test/test_%
	$(Q)ASAN_OPTIONS=detect_leaks=1 $< --seed $(SEED)
TESTS        += $(SW_TESTS:test_%=sw-%) $(SW_TESTS:test_%=swsan-%)
TESTS_SHARED += $(SW_LIB) $(B)/sw/san/libtocsin-driver.a

.PHONY: sw
sw: $(SW_LIB) ## the driver and programming interface: build/lib/libtocsin-driver.a
