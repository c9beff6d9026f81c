# SPDX-License-Identifier: Apache-2.0
# Wireshark's view of an XtqPut: installed as share/tocsin/xtq.lua.
NEED_dissector := $(NEED_cc) tshark
INSTALL_SHARE  += sw/wireshark/xtq.lua
.PHONY: dissector
dissector: $(B)/bin/tocsin | need-dissector ## what tshark shows of XtqPuts, by sw/wireshark/xtq.lua
	$(Q)sw/wireshark/test.sh $<
TESTS += dissector
