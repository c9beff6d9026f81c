# SPDX-License-Identifier: Apache-2.0
# Nodes of ours against Soft-RoCE of a stock Linux kernel in QEMU. Everything of the guest is made below build/rxe.
RXE      := $(B)/rxe
RXE_TREE := $(RXE)/tree
RXE_LIB  := $(RXE_TREE)/usr/lib/x86_64-linux-gnu
RXE_SRC  := $(addprefix verif/rxe/,rxe.c rig.c cases.c sends.c report.c) sw/tools/record.c sw/tools/record_node.c \
  verif/cosim/mem.c verif/cosim_tocsin/trace_player.c
RXE_INC  := -D_GNU_SOURCE -Isw/include $(INC) -Isw/tools -Iverif/cosim -Iverif/cosim_tocsin
RXE_QEMU := qemu-system-x86_64 -accel tcg -cpu max -m 512 -nographic -no-reboot -nodefaults \
  -kernel $(RXE)/vmlinuz -initrd $(RXE)/initrd \
  -append 'console=ttyS0 panic=-1 quiet rxe_ip=10.84.1.1 rxe_vlan_ip=10.84.1.2' \
  -serial file:$(RXE)/console.log -chardev socket,id=control,path=@CONTROL@ -serial chardev:control \
  -netdev dgram,id=n,local.type=inet,local.host=127.0.0.1,local.port=@LOCAL@,remote.type=inet,remote.host=127.0.0.1,remote.port=@REMOTE@ \
  -device virtio-net-pci,netdev=n,mac=02:54:4f:43:01:01,csum=off,guest_csum=off,romfile=
NEED_rxe := $(NEED_sim) qemu-system-x86

# A kernel that was unpacked stays; `rm -r build/rxe` brings the newest.
$(RXE)/vmlinuz: verif/rxe/fetch.sh | need-cc
	@mkdir -p $(@D)
	$(Q)verif/rxe/fetch.sh $(CURDIR)/$(RXE) && cp $(RXE_TREE)/boot/vmlinuz-* $@
$(RXE)/guest: verif/rxe/guest.c verif/rxe/pattern.h $(RXE)/vmlinuz
	$(Q)$(CC) $(CSTD) $(CFLAGS) -isystem $(RXE_TREE)/usr/include -o $@ $< -L$(RXE_LIB) \
	  -Wl,-rpath-link,$(RXE_LIB):$(RXE_TREE)/lib/x86_64-linux-gnu -libverbs
$(RXE)/initrd: verif/rxe/initrd.py verif/rxe/init $(RXE)/guest
	$(Q)verif/rxe/initrd.py $(RXE_TREE) $@ $(RXE)/guest $(RXE_TREE)/usr/bin/ibv_rc_pingpong
$(RXE)/rxe: $(RXE_SRC) $(wildcard verif/rxe/*.h sw/tools/record*.h verif/cosim/mem.h verif/cosim_tocsin/*.h) \
    $(SW_LIB) $(MODEL_LIB) | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(RXE_INC) -o $@ $(RXE_SRC) $(SW_LIB) $(MODEL_LIB) -lpthread -lm

RXE_RUN = TOCSIN_RTL=$(SW_RTL) $(RXE)/rxe --dir $(REPORT) --seed $(SEED)
# Backend, MTUs, percent of frames that the link loses in either direction; ways (ip4): over which IP,
# behind a tag or not.
RXE_RUNS ?= model:1024:0,2,5 rtl:1024:0,2,5 model:256,512,2048,4096:0,2,5 rtl:256,4096:0,2 \
  model:1024:0,2:ip6,vlan4,vlan6 model:1024:5:vlan6 rtl:1024:0:ip6,vlan4 rtl:1024:0,2:vlan6
.PHONY: rxe
rxe: $(RXE)/rxe $(RXE)/initrd $(SW_RTL) $(call cosim-tocsin-prog,default) | need-rxe ## a stock Linux kernel's Soft-RoCE in QEMU against ours [RXE_RUNS=.. CASES=..]
	@mkdir -p $(REPORT)
	$(Q)$(RXE_RUN) --record $(RXE) --lockstep $(call cosim-tocsin-prog,default) $(RXE_RUNS:%=--run %) \
	  $(if $(CASES),--cases $(CASES)) -- $(RXE_QEMU)

# The shortest of it. What a machine lacks it says, and is not counted.
.PHONY: rxe-brief
rxe-brief:
	$(Q)if ! command -v qemu-system-x86_64 >/dev/null; then echo 'skipped: QEMU (qemu-system-x86) is not installed'; \
	elif ! said=$$($(MAKE) -s --no-print-directory $(RXE)/vmlinuz 2>&1); then \
	  why=$$(grep -m 1 '^the guest needs' <<<"$$said") && echo "skipped: $$why" || { echo "$$said"; exit 1; }; \
	else $(MAKE) -s --no-print-directory rxe-run; fi
.PHONY: rxe-run
rxe-run: $(RXE)/rxe $(RXE)/initrd
	@mkdir -p $(REPORT)
	$(Q)$(RXE_RUN) --brief --run model:1024:0,2 --run model:1024:0:vlan6 $(if $(CASES),--cases $(CASES)) -- $(RXE_QEMU)
TESTS += rxe-brief
