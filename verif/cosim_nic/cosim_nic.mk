# SPDX-License-Identifier: Apache-2.0
# NICs over a bad link: the golden model alone.
COSIM_NIC_SRC := $(sort $(wildcard verif/cosim_nic/*.c)) verif/cosim/mem.c verif/cosim/pkt.c
COSIM_NIC_HDR := $(wildcard verif/cosim_nic/*.h) verif/cosim/mem.h verif/cosim/pkt.h

$(B)/cosim_nic/model-san/cosim: $(COSIM_NIC_SRC) $(COSIM_NIC_HDR) $(MODEL_SRCS) verif/cosim_nic/cosim_nic.mk | need-cc
	@mkdir -p $(@D)
	$(Q)$(CC) $(CSTD) $(CFLAGS) $(SAN) $(INC) -Iverif/cosim -o $@ $(COSIM_NIC_SRC) $(MODEL_SRCS)

.PHONY: cosim-nic-model
cosim-nic-model: $(B)/cosim_nic/model-san/cosim
	$(Q)$< --backend model --n 2000 --seed $(SEED)
TESTS += cosim-nic-model

# What is on the wire, judged by tshark.
NEED_wire := python3 tshark
.PHONY: cosim-nic-wire
cosim-nic-wire: $(B)/cosim_nic/model-san/cosim | need-wire
	$(Q)$< --backend model --n 500 --seed $(SEED) --pcap $(<D)/wire.pcapng
	$(Q)verif/cosim_nic/wire.py $(<D)/wire.pcapng
TESTS += cosim-nic-wire
