// SPDX-License-Identifier: Apache-2.0
// aa_log_put: writes entries whose data are at hand (puts, metadata-only records, atomics with operands).
//
//   cmd (+ pad) --> pad header | header + payload --> mask --> aa_log_pack --> AXI write source
//   data ---------------------------------------------^             +--> done
//
// P1  The entry is written at cmd.addr: header, then hdr.len DWs of payload, zeros up to the next 16 bytes; with
//     cmd.pad its header at pad_addr before. No other byte is written.
// P2  Payload bytes outside hdr.fbe (first DW) and hdr.lbe (last DW, hdr.len > 1) are zero.
// P3  ceil(hdr.len / BeatDw) payload beats are taken when hdr.data, none otherwise.
// P4  done_id_o: the entry, its pad included, has its write responses; in the order of the commands.
//
// Rate: an entry of 32 bytes a cycle at DataW 256 (aligned, or back to back with the one before), a payload beat a
// cycle. Cost: aa_log_pack and a beat counter.
// Rules of README.md: LOG-2, LOG-3, LOG-4.
`default_nettype none

module aa_log_put #(
  parameter int unsigned Outstanding = 32,
  parameter int unsigned Ids = 64
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,

  // Entries
  input  wire logic                         cmd_valid_i,
  output logic                              cmd_ready_o,
  input  wire aa_pkg::put_log_t             cmd_i,

  // Payload as in the TLP
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
  localparam int unsigned N = cm_pkg::DataW / 128;
  localparam int unsigned CntW = $clog2(N + 1);

  logic        padded_q;        // the pad is written
  logic        mid_q;           // past the first beat
  logic [10:0] left_q, left;    // DWs of payload from this beat on
  logic        end_q;           // this beat is the last: left_q <= BeatDw
  logic        short;
  logic        pad, first, last, valid, ready;

  assign pad   = cmd_i.pad && !padded_q;
  assign first = !mid_q;
  assign short = cmd_i.hdr.len[10:LgDw] == '0 || cmd_i.hdr.len == 11'(BeatDw);  // <=, without a carry chain
  assign left  = first ? cmd_i.hdr.len : left_q;
  assign last  = pad || !cmd_i.hdr.data || (first ? short : end_q);
  assign valid = cmd_valid_i && (pad || !cmd_i.hdr.data || data_valid_i);

  // Ready for a command that may come, like data_ready_o for a beat: whether it has come is in valid.
  assign cmd_ready_o  = ready && last && !pad && (!cmd_i.hdr.data || data_valid_i);
  assign data_ready_o = cmd_valid_i && ready && cmd_i.hdr.data && !pad;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      padded_q <= 1'b0;
      mid_q    <= 1'b0;
    end else if (valid && ready) begin
      padded_q <= cmd_i.pad && (pad || !last);
      mid_q    <= !last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid && ready) begin
      left_q <= left - 11'(BeatDw);
      end_q  <= left <= 11'(2 * BeatDw);
    end
  end

  // ---- payload: bytes that were not enabled are zero -------------------------------------------------------------
  // Only the low bits of len matter in the last beat: DW j is kept if j < len mod BeatDw, or that is 0.
  logic [LgDw-1:0] tail, tail_end;
  logic [cm_pkg::DataW/8-1:0] keep;
  logic [CntW-1:0] cnt;

  assign tail     = cmd_i.hdr.len[LgDw-1:0];
  assign tail_end = tail - LgDw'(1);

  always_comb begin
    for (int unsigned j = 0; j < BeatDw; j++) begin
      keep[4*j+:4] = !last || LgDw'(j) <= tail_end ? 4'hF : 4'h0;
      if (j == 0 && first) keep[4*j+:4] = keep[4*j+:4] & cmd_i.hdr.fbe;
      if (last && LgDw'(j) == tail_end && cmd_i.hdr.len != 11'd1) keep[4*j+:4] = keep[4*j+:4] & cmd_i.hdr.lbe;
    end
  end

  assign cnt = pad || !cmd_i.hdr.data ? '0 : last ? CntW'(tail_end >> 2) + CntW'(1) : CntW'(N);

  // ---- header ---------------------------------------------------------------------------------------------------
  logic [127:0] pad_hdr;
  logic [10:0]  pad_len;
  assign pad_len = cmd_i.pad_bytes[12:2] - 11'd4;
  assign pad_hdr = {34'd0, pad_len, 4'd0, aa_pkg::KindPad, 76'd0};

  aa_log_pack #(
    .Gran(16),
    .Outstanding(Outstanding),
    .Ids(Ids),
    .IdAhead(1'b1)
  ) u_pack (
    .clk_i,
    .rst_ni,
    .in_valid_i(valid),
    .in_ready_o(ready),
    .in_last_i(last),
    .in_addr_i(pad ? cmd_i.pad_addr : cmd_i.addr),
    .in_total_i(pad ? 11'd1 : 11'(cmd_i.total)),
    .in_head_i(1'b1),
    .in_hdr_i(pad ? pad_hdr : cmd_i.hdr),
    .in_data_i(data_i),
    .in_keep_i(keep),
    .in_cnt_i(cnt),
    .in_done_i(last && !pad),
    .in_id_i(cmd_i.id),
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
`include "aa_log_put_props.svh"
`endif

endmodule

`default_nettype wire
