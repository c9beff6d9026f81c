// SPDX-License-Identifier: Apache-2.0
// aa_log_get: writes entries whose data come later: the completions of logged reads, and the header.
//
//   cmd: pad header | header + data --> mask, zeros --> | register | --> aa_log_pack (any DW) --> AXI write source
//   data --------------^                                                       +--> done
//
// A command is a chunk of data, the closing of an entry (its header), or both: an entry whose data are one chunk.
//
// P1  A command writes: with close, the pad's header (with pad) at pad_addr, and the entry's header at addr; then ndw
//     DWs of data and `zeros` DWs of zero, behind the header or, without close, at addr. No other byte is written.
// P2  Bytes outside fbe (first DW) and lbe (last DW; ndw = 1: fbe & lbe) are zero.
// P3  ceil(ndw / BeatDw) beats are taken, none for a mere closing.
// P4  done_id_o: the entry is closed and its header, its pad and all its chunks have their write responses; in the
//     order of closing.
//
// Rate: a beat of data a cycle, with its header or without; commands that follow each other in memory share the bus
// word between them. Latency 1 to aw / w. Cost: aa_log_pack with a rotation by DWs, a register for what it is given,
// two counters.
// Rules of README.md: LOG-2, LOG-5.
`default_nettype none

module aa_log_get #(
  parameter int unsigned Outstanding = 16,
  parameter int unsigned Ids = 16
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  // Chunks and closings (a mere closing has ndw and zeros 0)
  input  wire logic                         cmd_valid_i,
  output logic                              cmd_ready_o,
  input  wire aa_pkg::get_log_t             cmd_i,

  // Data of chunks, first DW in lane 0
  input  wire logic                         data_valid_i,
  output logic                              data_ready_o,
  input  wire logic [cm_pkg::DataW-1:0]     data_i,

  // AXI write source
  output logic                              aw_valid_o,
  input  wire logic                         aw_ready_i,
  output logic      [63:0]                  aw_addr_o,
  output logic      [7:0]                   aw_len_o,
  output logic      [aa_pkg::LogIdxW-1:0]   aw_log_o,
  output logic                              w_valid_o,
  input  wire logic                         w_ready_i,
  output logic      [cm_pkg::DataW-1:0]     w_data_o,
  output logic      [cm_pkg::DataW/8-1:0]   w_strb_o,
  output logic                              w_last_o,
  input  wire logic                         b_valid_i,

  // Done
  output logic                              done_valid_o,
  input  wire logic                         done_ready_i,
  output aa_pkg::entry_id_t                 done_id_o
);

  localparam int unsigned BeatDw = cm_pkg::BeatDw;
  localparam int unsigned LgDw = $clog2(BeatDw);
  localparam int unsigned CntW = $clog2(BeatDw + 1);

  logic        padded_q;       // the pad is written
  logic        mid_q;          // past the first beat
  logic [10:0] left_q, left;   // DWs of data from this beat on, zeros included
  logic [10:0] have_q, have;   // DWs of data from this beat on
  logic [10:0] dws;
  logic        pad, first, last, take_data, valid, ready;

  assign pad       = cmd_i.close && cmd_i.pad && !padded_q;
  assign first     = !mid_q;
  assign dws       = cmd_i.ndw + 11'(cmd_i.zeros);
  assign left      = first ? dws : left_q;
  assign have      = first ? cmd_i.ndw : have_q;
  assign last      = pad || left <= 11'(BeatDw);
  assign take_data = have != '0 && !pad;
  assign valid     = cmd_valid_i && (!take_data || data_valid_i);

  assign cmd_ready_o  = valid && ready && last && !pad;
  assign data_ready_o = cmd_valid_i && ready && take_data;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      padded_q <= 1'b0;
      mid_q    <= 1'b0;
    end else if (valid && ready) begin
      padded_q <= pad || (padded_q && !last);
      mid_q    <= !last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid && ready) begin
      left_q <= left - 11'(BeatDw);
      have_q <= have <= 11'(BeatDw) ? '0 : have - 11'(BeatDw);
    end
  end

  // ---- data -----------------------------------------------------------------------------------------------------
  logic [LgDw-1:0] tail_end;
  logic            data_end;  // the last DW of data is in this beat
  logic [cm_pkg::DataW/8-1:0] keep;
  logic [127:0]    pad_hdr;
  logic [10:0]     pad_len, total;
  logic [CntW-1:0] cnt;

  assign tail_end = cmd_i.ndw[LgDw-1:0] - LgDw'(1);
  assign data_end = have <= 11'(BeatDw);
  assign total    = (pad ? 11'd0 : dws) + (cmd_i.close ? 11'd4 : 11'd0);
  assign cnt      = pad ? '0 : last ? CntW'(left) : CntW'(BeatDw);
  assign pad_len  = cmd_i.pad_bytes[12:2] - 11'd4;
  assign pad_hdr  = {34'd0, pad_len, 4'd0, aa_pkg::KindPad, 76'd0};

  always_comb begin
    for (int unsigned j = 0; j < BeatDw; j++) begin
      keep[4*j+:4] = have != '0 && (!data_end || LgDw'(j) <= tail_end) ? 4'hF : 4'h0;
      if (j == 0 && first) keep[4*j+:4] = keep[4*j+:4] & cmd_i.fbe;
      if (data_end && LgDw'(j) == tail_end) keep[4*j+:4] = keep[4*j+:4] & cmd_i.lbe;
    end
  end

  // A register between the FIFO of commands and the shifters: the one is read, and the other fills words, in a cycle
  // each.
  logic                        s_valid, s_ready, s_last, s_head, s_done;
  logic [aa_pkg::HostAddrW-1:0] s_addr;
  logic [10:0]                 s_total;
  logic [127:0]                s_hdr;
  logic [cm_pkg::DataW-1:0]    s_data;
  logic [cm_pkg::DataW/8-1:0]  s_keep;
  logic [CntW-1:0]             s_cnt;
  logic [aa_pkg::EntryIdW-1:0] s_id;

  cm_fifo #(
    .Width(aa_pkg::HostAddrW + 142 + cm_pkg::DataW + cm_pkg::DataW / 8 + CntW + aa_pkg::EntryIdW),
    .Depth(1)
  ) u_stage (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(valid),
    .in_ready_o(ready),
    .in_data_i({last, pad ? cmd_i.pad_addr : cmd_i.addr, total, cmd_i.close, pad ? pad_hdr : cmd_i.hdr, data_i, keep,
                cnt, cmd_i.close && last && !pad, cmd_i.id}),
    .out_valid_o(s_valid),
    .out_ready_i(s_ready),
    .out_data_o({s_last, s_addr, s_total, s_head, s_hdr, s_data, s_keep, s_cnt, s_done, s_id}),
    .level_o()
  );

  aa_log_pack #(
    .Gran(4),
    .Outstanding(Outstanding),
    .Ids(Ids)
  ) u_pack (
    .clk_i,
    .rst_ni,
    .in_valid_i(s_valid),
    .in_ready_o(s_ready),
    .in_last_i(s_last),
    .in_addr_i(s_addr),
    .in_total_i(s_total),
    .in_head_i(s_head),
    .in_hdr_i(s_hdr),
    .in_data_i(s_data),
    .in_keep_i(s_keep),
    .in_cnt_i(s_cnt),
    .in_done_i(s_done),
    .in_id_i(s_id),
    .aw_valid_o,
    .aw_ready_i,
    .aw_addr_o,
    .aw_len_o,
    .aw_log_o,
    .w_valid_o,
    .w_ready_i,
    .w_data_o,
    .w_strb_o,
    .w_last_o,
    .b_valid_i,
    .done_valid_o,
    .done_ready_i,
    .done_id_o
  );

`ifdef FORMAL
`include "aa_log_get_props.svh"
`endif

endmodule

`default_nettype wire
