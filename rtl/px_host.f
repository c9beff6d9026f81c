cm/cm_pkg.sv
pcie/px_pkg.sv
pcie/px_asks.sv
cm/cm_skid.sv
pcie/px_tags.sv
pcie/px_cpl.sv
pcie/px_host.sv
