// SPDX-License-Identifier: Apache-2.0
// px_cpl: completions from the link, given back the requester id and tag of the device that item_i.
//
//   rx_cpl --> whose? --+--> requester id, tag, end of its read --> cpl
//                       `--> nobody's: dropped
//
// What the link's core says of a completion (rx_error_i, the codes of verilog-pcie):
//   none, poisoned, bad status           passed as it is; EP and the status are in its header
//   invalid tag                          nobody's: dropped, stray_o
//   mismatch                             dropped as well; if it is the last by its count the core has ended the read
//   invalid length, time-out, reset      the core has ended the read: a completion of one beat, completer abort
//   any other                            passed with err
//
// P1  Of a live tag every completion passes, in order, a beat a cycle, with the requester id and tag that were taken;
//     of a tag that is not live none does. LowerAddress is 0 in those of an AtomicOp (docs/formats.md 2.5), whatever
//     the core says (AMD's give the address that was asked for).
// P2  A tag ends with its last completion: one without data, or whose ByteCount is not more than what it brings. If the
//     core has ended the read (hold_o) the host may answer it all the same, later.
// P3  A waiting beat never changes. Latency 0. Cost: a multiplexer, 12 flip-flops.
`default_nettype none

module px_cpl (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Link
  input  wire logic                      rx_valid_i,
  output logic                           rx_ready_o,
  input  wire logic [127:0]              rx_hdr_i,
  input  wire logic [cm_pkg::DataW-1:0]  rx_data_i,
  input  wire logic [cm_pkg::StrbW-1:0]  rx_strb_i,
  input  wire logic                      rx_sop_i,
  input  wire logic                      rx_eop_i,
  input  wire logic [3:0]                rx_error_i,

  // Tags
  output logic      [7:0]                look_tag_o,
  input  wire logic                      hit_i,
  input  wire px_pkg::asked_t            item_i,   // as taken
  output logic                           end_o,
  output logic                           hold_o,   // with end_o: more of it may come

  // IOMMU
  output logic                           cpl_valid_o,
  input  wire logic                      cpl_ready_i,
  output cm_pkg::tlp_t                   cpl_o,

  output logic                           stray_o   // pulse: a completion was dropped
);

  typedef enum logic [1:0] {
    ModePass = 2'd0,
    ModeDrop = 2'd1,
    ModeOver = 2'd2,  // the core has ended the read
    ModeRest = 2'd3   // what comes of that after its first beat
  } mode_e;

  mode_e         mode_q, mode;
  logic          mid_q, last_q, err_q, ends, last, err, stray, over, taken;
  logic [7:0]    tag_q;
  logic [12:0]   left, brings;
  cm_pkg::tlp_cpl_t rx, head;
  assign rx = rx_hdr_i;
  assign stray = !hit_i || (rx_error_i == 4'd3 && !ends) || rx_error_i == 4'd6;
  assign over  = rx_error_i == 4'd3 || rx_error_i == 4'd4 || rx_error_i == 4'd8 || rx_error_i == 4'd15;
  assign mode  = mid_q ? mode_q : stray ? ModeDrop : over ? ModeOver : ModePass;

  assign left   = {rx.count == '0, rx.count};
  assign brings = {rx.len == '0, rx.len, 2'b00} - 13'(rx.lower[1:0]);
  assign ends   = !rx.op[cm_pkg::OpData] || left <= brings;
  assign last   = mid_q ? last_q : ends;
  assign err    = mid_q ? err_q : rx_error_i > 4'd2;

  always_comb begin
    head = rx;
    if (mode == ModeOver) begin
      head        = '0;
      head.op     = cm_pkg::OpCpl;
      head.tc     = item_i.tc;
      {head.ido, head.ro, head.ns} = item_i.attr;
      head.status = 3'd4;
      head.count  = 12'd4;
    end
    if (item_i.atomic) head.lower = '0;
    {head.rid, head.t9, head.t8, head.tag} = {item_i.rid, item_i.t9, item_i.t8, item_i.tag};
  end

  always_comb begin
    cpl_o      = '0;
    cpl_o.sop  = rx_sop_i;
    cpl_o.eop  = rx_eop_i || mode == ModeOver;
    cpl_o.err  = err && mode == ModePass;
    cpl_o.hdr  = head;
    cpl_o.data = rx_data_i;
    cpl_o.strb = mode == ModeOver ? '0 : rx_strb_i;
  end
  assign cpl_valid_o = rx_valid_i && (mode == ModePass || mode == ModeOver);
  assign rx_ready_o  = cpl_ready_i || mode == ModeDrop || mode == ModeRest;
  assign taken       = rx_valid_i && rx_ready_o;
  assign look_tag_o  = mid_q ? tag_q : rx.tag;
  assign end_o       = taken && ((mode == ModePass && last && rx_eop_i) || mode == ModeOver);
  assign hold_o      = mode == ModeOver;
  assign stray_o     = taken && !mid_q && mode == ModeDrop;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mid_q <= 1'b0;
    else if (taken) mid_q <= !rx_eop_i;
  end
  always_ff @(posedge clk_i) begin
    if (taken) begin
      mode_q <= mode == ModeOver ? ModeRest : mode;
      last_q <= last;
      err_q  <= err;
      tag_q  <= look_tag_o;
    end
  end

`ifdef FORMAL
`include "px_cpl_props.svh"
`endif

endmodule

`default_nettype wire
