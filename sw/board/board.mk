# SPDX-License-Identifier: Apache-2.0
# A board in simulation: the FPGA's top with its serial line on a pseudo-terminal (build/bin/tocsin-board).
BOARD     := $(B)/bin/tocsin-board
BOARD_DIR := $(B)/sw/board
BOARD_CC  := -Iverif/cosim -Isw/board -DBOARD_DIV=8 -DDUT_PINS='"board_pins.h"' -DDUT_TOP=tocsin_fpga \
             -DDUT_HEADER='"Vtocsin_fpga.h"'
$(BOARD): sw/board/board.c sw/board/board_pins.h sw/board/board.mk verif/cosim/dut_shim.cpp \
    $(wildcard verif/cosim/pin*.h) $(RTL_PKGS) \
    verif/sim/units.sh $(call rtl-in,cm aa nic xtq top) $(VRT) $(call cosim-pchs,$(WAVES)) | need-sim
	@mkdir -p $(@D) $(BOARD_DIR)
	$(Q)verilator $(filter-out --assert,$(VFLAGS)) -DTOCSIN_DATA_W=128 -GDiv=8 -GGap=4000 --Mdir $(BOARD_DIR) \
	  --prefix Vtocsin_fpga \
	  --top-module tocsin_fpga verif/lint/waivers.vlt $$(scripts/rtl.py tocsin_fpga)
	$(Q)CXX="$(CCACHE) $(CXX)" CXXFLAGS='$(CXXFLAGS_V) $(subst ',,$(BOARD_CC))' PCH=$(call cosim-pch,$(WAVES)) \
	  verif/sim/units.sh $(BOARD_DIR) tocsin_fpga "$(COSIM_OPT)" verif/cosim/dut_shim.cpp
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(BOARD_CC) -c -o $(BOARD_DIR)/board.o sw/board/board.c
	$(Q)$(CXX) -o $@ $(BOARD_DIR)/board.o $(BOARD_DIR)/Vtocsin_fpga__ALL.a $(VRT) -lz -lpthread

.PHONY: board sw-board
board: $(BOARD) ## the FPGA's top on a pseudo-terminal, to try backend `fpga` without a board
sw-board: $(BOARD) $(B)/sw/plain/test/test_board
	$(Q)$(B)/sw/plain/test/test_board $(BOARD)
TESTS        += sw-board
TESTS_SHARED += $(BOARD)
$(B)/sw/plain/test/test_board: sw/board/test_board.c $(B)/lib/libtocsin-driver.a $(B)/lib/libtocsin.a \
    $(wildcard sw/test/*.h model/test/*.h)
	@mkdir -p $(@D)
	$(Q)$(CCACHE) $(CC) $(CSTD) $(CFLAGS) $(SW_INC) -o $@ $(filter-out %.h,$^) -lpthread -lm
