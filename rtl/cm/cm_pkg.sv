// SPDX-License-Identifier: Apache-2.0
// cm_pkg: what every area shares: the beat of a TLP stream, its headers by name, and the merge of a register's bytes.
//
// The width of a beat is chosen once for a build (`TOCSIN_DATA_W: 128, 256 or 512), since a type in a package cannot
// take a module's parameter and a stream must be one packed struct.
// Rules of rtl/aa/README.md: STR-1.
`default_nettype none
`ifndef TOCSIN_DATA_W
`define TOCSIN_DATA_W 256
`endif

package cm_pkg;

  // ---- streams --------------------------------------------------------------------------------------------------
  localparam int unsigned AskedDataW = `TOCSIN_DATA_W;  // anything but 128, 256 and 512 is refused by the top
  localparam int unsigned DataW = AskedDataW == 128 || AskedDataW == 512 ? AskedDataW : 256;
  localparam int unsigned StrbW = DataW / 32;  // one bit a DW, as verilog-pcie has it
  localparam int unsigned BeatDw = DataW / 32;
  localparam int unsigned SeqW = 8;

  // One beat of a TLP. hdr (valid at sop) is big-endian: DW0 = 127:96, fmt/type = 127:120; data: byte 0 at 7:0.
  typedef struct packed {
    logic sop;
    logic eop;
    logic err;  // completions only: the link saw an error in this TLP
    logic [SeqW-1:0] seq;
    logic [StrbW-1:0] strb;
    logic [127:0] hdr;
    logic [DataW-1:0] data;
  } tlp_t;
  localparam int unsigned TlpW = 3 + SeqW + StrbW + 128 + DataW;

  // Its header by name (docs/formats.md 2.1): of a request, and of a completion.
  typedef struct packed {
    logic [7:0] op;
    logic t9;
    logic [2:0] tc;
    logic t8;
    logic ido;
    logic ln;
    logic th;
    logic td;           // a digest follows
    logic ep;           // poisoned
    logic ro;
    logic ns;
    logic [1:0] at;
    logic [9:0] len;    // words, 0: 1024
    logic [15:0] rid;
    logic [7:0] tag;
    logic [3:0] lbe;
    logic [3:0] fbe;
    logic [63:0] addr;  // op[OpFour]; else in its upper half (tlp_addr)
  } tlp_req_t;

  typedef struct packed {
    logic [7:0] op;
    logic t9;
    logic [2:0] tc;
    logic t8;
    logic ido;
    logic ln;
    logic th;
    logic td;
    logic ep;
    logic ro;
    logic ns;
    logic [1:0] at;
    logic [9:0] len;
    logic [15:0] cid;
    logic [2:0] status;
    logic bcm;
    logic [11:0] count;  // bytes still to come, 0: 4096
    logic [15:0] rid;
    logic [7:0] tag;
    logic none;
    logic [6:0] lower;   // of the address of the first byte
    logic [31:0] unused;
  } tlp_cpl_t;

  // Bits of op, and its values (a request's with three words).
  localparam int unsigned OpData = 6;
  localparam int unsigned OpFour = 5;
  localparam logic [7:0] OpRead = 8'h00;
  localparam logic [7:0] OpWrite = 8'h40;
  localparam logic [7:0] OpFetchAdd = 8'h4C;
  localparam logic [7:0] OpSwap = 8'h4D;
  localparam logic [7:0] OpCas = 8'h4E;
  localparam logic [7:0] OpCpl = 8'h0A;
  localparam logic [7:0] OpCplData = 8'h4A;
  localparam logic [7:0] OpReadLock = 8'h01;
  localparam logic [7:0] OpIo = 8'h02;
  localparam logic [7:0] OpConfig = 8'h04;
  localparam logic [7:0] OpMsg = 8'h30;
  localparam logic [7:0] AnyFour = 8'hDF;    // op & this: whatever the number of words
  localparam logic [7:0] AnyData = 8'hBF;
  localparam logic [7:0] AnyKind = 8'hFE;    // locked or not; configuration of type 0 or 1
  localparam logic [7:0] AnyRoute = 8'hF8;   // of a message
  localparam logic [7:0] AnyPrefix = 8'h7F;  // bit 7: a prefix, which the streams do not carry

  function automatic logic [63:0] tlp_addr(input logic [127:0] hdr);
    tlp_addr = hdr[120+OpFour] ? hdr[63:0] : {32'd0, hdr[63:32]};
  endfunction

  // ---- registers ------------------------------------------------------------------------------------------------
  // What the bus of registers says to all blocks. (No member of a struct begins above bit 0: Yosys 0.23 would look for
  // its parts at another place.)
  typedef struct packed {
    logic [16:0] addr;   // of the word of 8 bytes: [19:3] of the byte's
    logic we;
    logic [63:0] wdata;
    logic [7:0] wstrb;
  } reg_bus_t;

  // A write on the register bus: strobed bytes of what is written, the others of what is there.
  function automatic logic [63:0] merge(input logic [7:0] strb, input logic [63:0] written, input logic [63:0] there);
    for (int unsigned i = 0; i < 8; i++) merge[8*i+:8] = strb[i] ? written[8*i+:8] : there[8*i+:8];
  endfunction

endpackage

`default_nettype wire
