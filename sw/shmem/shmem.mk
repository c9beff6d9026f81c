# SPDX-License-Identifier: Apache-2.0
# OpenSHMEM: build/lib/libtocsin-shmem.a, build/include, build/bin/oshcc and oshrun, laid out as `make install` does it; tests
# sw/shmem/test/test_*.c, run as 2 and as 4 PEs, plain and under ASan and UBSan.
SHM_SRCS := $(filter-out sw/shmem/oshrun.c,$(sort $(wildcard sw/shmem/*.c))) sw/apps/ranks.c sw/apps/ranks_mpi.c
SHM_H    := $(shell cd sw/shmem/include && find * -name '*.h' | sort)
SHM_LIB  := $(B)/lib/libtocsin-shmem.a
SHM_INC  := -D_GNU_SOURCE -Isw/shmem -Isw/shmem/include -Isw/include -Isw/apps $(INC)
SHM_BIN  := $(B)/bin/oshcc $(B)/bin/oshc++ $(B)/bin/oshrun
SHM_TREE := $(SHM_LIB) $(SHM_BIN) $(SHM_H:%=$(B)/include/%) $(B)/lib/libtocsin-driver.a $(MODEL_LIB)

# One object, whose only names are those that shmem.h declares.
# $(call shm-variant,NAME,FLAGS)
define shm-variant
$(B)/shmem/$(1)/%.o: sw/%.c | need-cc
	@mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(CSTD) $$(CFLAGS) $$(if $$(filter apps/%,$$*),-fvisibility=hidden) $(2) $$(SHM_INC) -MMD -MP -c -o $$@ $$<
$(B)/shmem/$(1)/libtocsin-shmem.a: $$(SHM_SRCS:sw/%.c=$(B)/shmem/$(1)/%.o)
	$$(Q)ld -r -o $$(@D)/all.o $$^ && objcopy --localize-hidden $$(@D)/all.o && rm -f $$@ && ar rcs $$@ $$(@D)/all.o
-include $$(wildcard $(B)/shmem/$(1)/*/*.d)
endef
$(eval $(call shm-variant,plain,$(PIC)))
$(eval $(call shm-variant,san,$(SAN)))
$(SHM_LIB): $(B)/shmem/plain/libtocsin-shmem.a
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(B)/include/%: sw/shmem/include/%
	$(Q)install -D -m 644 $< $@
$(B)/bin/oshcc $(B)/bin/oshc++: sw/shmem/oshcc.sh
	$(Q)install -D -m 755 $< $@
$(B)/bin/oshrun: sw/shmem/oshrun.c | need-cc
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) -D_GNU_SOURCE -o $@ $<

.PHONY: shmem
shmem: $(SHM_TREE) ## OpenSHMEM: build/bin/oshcc and oshrun, build/lib/libtocsin-shmem.a

# As programs of others are built: by oshcc, from the tree.
SHM_TESTS := $(patsubst sw/shmem/test/test_%.c,%,$(sort $(wildcard sw/shmem/test/test_*.c)))
$(B)/shmem/test_%: sw/shmem/test/test_%.c sw/shmem/test/check.h $(SHM_TREE)
	$(Q)OSHCC="$(CC)" $(B)/bin/oshcc $(CSTD) $(CFLAGS) -D_GNU_SOURCE -o $@ $<
$(B)/shmem/san/test_%: sw/shmem/test/test_%.c sw/shmem/test/check.h $(B)/shmem/san/libtocsin-shmem.a $(SHM_TREE) \
    $(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a
	$(Q)$(CC) $(CSTD) $(CFLAGS) -D_GNU_SOURCE $(SAN) -I$(B)/include -o $@ $< $(B)/shmem/san/libtocsin-shmem.a \
	  $(B)/sw/san/libtocsin-driver.a $(B)/model/san/libtocsin.a -pthread -lm
.PHONY: $(SHM_TESTS:%=shmem-%) $(SHM_TESTS:%=shmemsan-%)
$(SHM_TESTS:%=shmem-%): shmem-%: $(B)/shmem/test_%
$(SHM_TESTS:%=shmemsan-%): shmemsan-%: $(B)/shmem/san/test_%
$(SHM_TESTS:%=shmem-%) $(SHM_TESTS:%=shmemsan-%):
	$(Q)for n in 1 2 4; do ASAN_OPTIONS=detect_leaks=1 $(B)/bin/oshrun --here -n $$n $< || exit 1; done
TESTS        += $(SHM_TESTS:%=shmem-%) $(SHM_TESTS:%=shmemsan-%)
TESTS_SHARED += $(SHM_TREE) $(B)/shmem/san/libtocsin-shmem.a
