# SPDX-License-Identifier: Apache-2.0
# Irregular programs: build/lib/libtocsin-irregular.a of sw/irregular/*.c and *.S, headers sw/include/tocsin/irregular, tests
# sw/irregular/test/test_*.c, plain and under ASan and UBSan. A test whose line `// also:` names tsan or valgrind runs under these too.
IRR_SRCS := $(sort $(wildcard sw/irregular/*.c sw/irregular/*.S))
IRR_LIB  := $(B)/lib/libtocsin-irregular.a
IRR_INC  := -Isw/irregular -Isw/irregular/test -Isw/include -Isw/lib -Isw/test $(INC) -Imodel/test
IRR_OBJS  = $(patsubst sw/irregular/%,$(B)/irregular/$(1)/%.o,$(IRR_SRCS))

# $(call irr-variant,NAME,FLAGS,LIBRARY,LIBRARIES BELOW)
define irr-variant
$(B)/irregular/$(1)/%.o: sw/irregular/% | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(IRR_INC) -MMD -MP -c -o $$@ $$<
$(3): $(call IRR_OBJS,$(1))
	@mkdir -p $$(@D)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(B)/irregular/$(1)/test/%: sw/irregular/test/%.c $(3) $(4)
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $(2) $$(IRR_INC) -MMD -MP -MF $$@.d -MT $$@ -c -o $$@.o $$<
	$$(Q)$$(CC) $(2) -o $$@ $$@.o $(3) $(4) -lpthread -lm
-include $$(wildcard $(B)/irregular/$(1)/*.d $(B)/irregular/$(1)/test/*.d)
endef
$(eval $(call irr-variant,plain,$(PIC),$(IRR_LIB),$(B)/lib/libtocsin-driver.a $(MODEL_LIB)))
$(eval $(call irr-variant,san,$(SAN),$(B)/irregular/san/libtocsin-irregular.a,$(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a))
# Only tests that need neither driver nor model are run by these.
$(eval $(call irr-variant,tsan,-O1 -fsanitize=thread,$(B)/irregular/tsan/libtocsin-irregular.a,))
$(eval $(call irr-variant,ucontext,-DIRR_UCONTEXT,$(B)/irregular/ucontext/libtocsin-irregular.a,))

irr-also        = $(patsubst sw/irregular/test/test_%.c,%,$(shell grep -lE '^// also:.* $(1)\b' sw/irregular/test/test_*.c 2>/dev/null))
IRR_TESTS      := $(patsubst sw/irregular/test/test_%.c,%,$(sort $(wildcard sw/irregular/test/test_*.c)))
IRR_TSAN       := $(call irr-also,tsan)
IRR_UCONTEXT   := $(call irr-also,ucontext)
IRR_VALGRIND   := $(call irr-also,valgrind)
NEED_valgrind  := $(NEED_cc) valgrind
.PHONY: $(IRR_TESTS:%=irr-%) $(IRR_TESTS:%=irrsan-%) $(IRR_TSAN:%=irrtsan-%) $(IRR_UCONTEXT:%=irrucontext-%) $(IRR_VALGRIND:%=irrvalgrind-%)
$(IRR_TESTS:%=irr-%): irr-%: $(B)/irregular/plain/test/test_%
	$(Q)$< --seed $(SEED)
$(IRR_TESTS:%=irrsan-%): irrsan-%: $(B)/irregular/san/test/test_%
	$(Q)ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 $< --seed $(SEED)
$(IRR_TSAN:%=irrtsan-%): irrtsan-%: $(B)/irregular/tsan/test/test_%
	$(Q)setarch -R true 2>/dev/null && run="setarch -R" || run=; TSAN_OPTIONS=halt_on_error=1 $$run $< --seed $(SEED)
$(IRR_UCONTEXT:%=irrucontext-%): irrucontext-%: $(B)/irregular/ucontext/test/test_%
	$(Q)$< --seed $(SEED)
$(IRR_VALGRIND:%=irrvalgrind-%): irrvalgrind-%: $(B)/irregular/plain/test/test_% | need-valgrind
	$(Q)valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=all $< --seed $(SEED)
IRR_TARGETS  := $(IRR_TESTS:%=irr-%) $(IRR_TESTS:%=irrsan-%) $(IRR_TSAN:%=irrtsan-%) $(IRR_UCONTEXT:%=irrucontext-%) $(IRR_VALGRIND:%=irrvalgrind-%)
TESTS        += $(IRR_TARGETS)
TESTS_SHARED += $(IRR_LIB) $(B)/irregular/san/libtocsin-irregular.a

# Each header stands alone, in C and in C++.
.PHONY: irr-headers irr-test irregular
irr-headers: | need-cc
	$(Q)for h in $(wildcard sw/include/tocsin/irregular/*.h); do $(CC) $(CSTD) $(WARN) $(IRR_INC) -fsyntax-only -x c $$h && \
	  $(CXX) -std=c++17 $(WARN) $(IRR_INC) -fsyntax-only -x c++ $$h || exit 1; done; echo "headers stand alone"
TESTS += irr-headers

irr-test: irr-headers $(IRR_TARGETS) ## all tests of sw/irregular, also under ASan, UBSan, TSan and Valgrind
irregular: $(IRR_LIB) ## tasks and what stands on them for irregular programs: build/lib/libtocsin-irregular.a
