// SPDX-License-Identifier: Apache-2.0
// aa_qi: the invalidation queue of VT-d (IQH, IQT, IQA), its wait descriptor, and the invalidation event (ICS,
// IECTL ...).
//
//   IQH != IQT --> fetch --> check --+--> invalidation --> aa_inval --------------------------------> IQH + 1
//                                    +--> wait --> reached --> drained --> status write --> NoteWait --> IQH + 1, IWC
//                                    +--> bad: IQE, IQH stays, no fetch until IQE is cleared
//
// P1  A descriptor is fetched only with QIES = 1 and IQE = 0, from IQA + 16 * IQH (48 bits), IQH != IQT, both inside
//     the queue. Whatever retires for it is legal then, too: when a write to IQT takes that away, it is dropped.
// P2  Only a well-formed descriptor of type 1 or 2 is handed to aa_inval; IQH moves by one in the cycle of its
//     RetInval.
// P3  A wait retires RetInval when reached; then, drained, its status write (SW); when that is answered, NoteWait: IQH
//     moves by one and IWC is set (IF).
//     If the answer is an error, NoteWait bears flag: IQE is set instead, IQH stays, IWC is left alone (the wait is
//     fetched again when IQE is cleared).
// P4  Anything else (type, reserved bits, granularity 0, IQT beyond the queue, error response, wait with neither SW nor
//     IF) retires RetInval with flag and sets IQE; words that were not read are 0.
// P5  QIES = 0: IQH is 0. A descriptor under way is dropped, but for a wait already reached: it still does its status
//     write and IWC, and moves IQH no more; the next fetch comes after it.
// P6  IP rises with IWC (0 to 1), and falls at NoteInvDone or when IWC is cleared. NoteInvDone retires only with IP = 1
//     and IM = 0; its message is offered next, with the registers as they were then (wr_wait_o keeps writes away).
// P7  IQA is not written while QIES = 1. A write to IQT waits (wr_wait_o) for an invalidation that is handed over, but
//     not while that one waits itself (inv_wait_i).
//
// One descriptor at a time. Cost: a descriptor (128 bits), 180 bits of registers.
// Rules of README.md: INV-2, INV-3, INV-4, INV-6, INV-7, INV-8, ERR-6, LOG-11.
`default_nettype none

module aa_qi (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t rb_i,
  output logic      [63:0]      rb_rdata_o,
  output logic                  wr_wait_o,

  // State of others
  input  wire logic             qie_i,
  input  wire logic             iqe_i,
  output logic                  iqe_set_o,
  input  wire logic             drained_i,

  // Fetch (aa_axi_r)
  output logic                  ar_valid_o,
  input  wire logic             ar_ready_i,
  output logic      [63:0]      ar_addr_o,
  input  wire logic             r_valid_i,
  input  wire logic [127:0]     r_data_i,
  input  wire logic             r_err_i,

  // Invalidations and records (aa_inval)
  output logic                  q_valid_o,
  output logic      [63:0]      q_a_o,
  output logic      [63:0]      q_b_o,
  input  wire logic             q_done_i,
  input  wire logic             inv_wait_i,  // aa_inval waits (aa_grace), and has no hold
  output logic                  q_rec_valid_o,
  output logic                  q_rec_flag_o,
  input  wire logic             q_rec_ready_i,

  // Status write and event
  output logic                  note_valid_o,
  output aa_pkg::retire_t       note_o,
  input  wire logic             note_ready_i,
  output logic                  msg_valid_o,
  input  wire logic             msg_ready_i,
  output logic      [63:0]      msg_addr_o,
  output logic      [63:0]      msg_data_o,
  output logic      [3:0]       msg_bytes_o,
  input  wire logic             msg_done_i,
  input  wire logic             msg_fail_i   // beside it: the answer is an error
);

  localparam logic [3:0] StIdle = 4'd0;
  localparam logic [3:0] StFetch = 4'd1;    // AR
  localparam logic [3:0] StData = 4'd2;     // R
  localparam logic [3:0] StCheck = 4'd3;
  localparam logic [3:0] StInval = 4'd4;    // aa_inval works
  localparam logic [3:0] StStop = 4'd5;     // record: the queue stops
  localparam logic [3:0] StReach = 4'd6;    // record: a wait is reached
  localparam logic [3:0] StDrain = 4'd7;
  localparam logic [3:0] StSend = 4'd8;     // status write
  localparam logic [3:0] StSent = 4'd9;
  localparam logic [3:0] StNote = 4'd10;    // record: the wait is done
  localparam logic [3:0] StEvSend = 4'd11;  // event; then back to StIdle or StDrain
  localparam logic [3:0] StEvSent = 4'd12;

  logic [3:0]   state_q, state_d;
  logic         stale_q;    // QIES was 0 since the descriptor under way was begun
  logic         beyond_q;   // IQT was beyond the queue then
  logic         drain_q;    // the event interrupted StDrain
  logic         over_q;     // the drain was over in a cycle of this wait
  logic         fail_q;     // the status write failed
  logic [127:0] desc_q;
  logic [14:0]  iqh_q, iqt_q;
  logic [63:12] iqa_q;
  logic [2:0]   qs_q;
  logic         iwc_q, im_q, ip_q;
  logic [31:0]  data_q;
  logic [63:2]  addr_q;

  aa_pkg::desc_ctx_t   as_ctx;  // the descriptor as each of its kinds has it
  aa_pkg::desc_iotlb_t as_iotlb;
  aa_pkg::desc_wait_t  as_wait;
  logic go, live, beyond, is_inval, is_wait, event_now, ev_note, wait_note, head_step, iwc_set;
  logic is_iqh, is_iqt, is_iqt_q, is_iqa, is_ics, is_iectl, is_ieaddr;
  logic [14:0] outside, last;

  // ---- the descriptor ----
  assign outside  = ~(15'h7FFF >> (3'd7 - qs_q));  // index bits above the queue's size
  assign last     = ~outside;
  assign beyond   = (iqt_q & outside) != 15'd0;
  assign as_ctx   = desc_q;
  assign as_iotlb = desc_q;
  assign as_wait  = desc_q;
  assign is_inval = as_ctx.gran != 2'd0 &&
                    ((as_ctx.op == aa_pkg::DescCtx && {as_ctx.rsv6, as_ctx.rsv50, as_ctx.rsv64} == '0) ||
                     (as_iotlb.op == aa_pkg::DescIotlb && {as_iotlb.rsv8, as_iotlb.rsv32, as_iotlb.rsv71} == '0));
  assign is_wait  = as_wait.op == aa_pkg::DescWait && {as_wait.rsv7, as_wait.rsv64} == '0 &&
                    (as_wait.intf || as_wait.sw);

  assign live      = qie_i && !stale_q && iqh_q != iqt_q && beyond == beyond_q;
  assign event_now = ip_q && !im_q;
  assign go        = qie_i && !iqe_i && iqh_q != iqt_q;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:
        if (event_now) begin
          if (note_ready_i) state_d = StEvSend;
        end else if (go) state_d = beyond ? StStop : StFetch;
      StFetch: if (ar_ready_i) state_d = StData;
      StData:  if (r_valid_i) state_d = r_err_i ? StStop : StCheck;
      StCheck: state_d = !live ? StIdle : is_inval ? StInval : is_wait ? StReach : StStop;
      StInval: if (!live || q_done_i) state_d = StIdle;
      StStop:  if (!live || q_rec_ready_i) state_d = StIdle;
      StReach: if (!live) state_d = StIdle;
               else if (q_rec_ready_i) state_d = StDrain;
      StDrain:
        if (event_now) begin
          if (note_ready_i) state_d = StEvSend;
        end else if (drained_i || over_q) state_d = as_wait.sw ? StSend : StNote;
      StSend:  if (msg_ready_i) state_d = StSent;
      StSent:  if (msg_done_i) state_d = StNote;
      StNote:  if (note_ready_i) state_d = StIdle;
      StEvSend: if (msg_ready_i) state_d = StEvSent;
      default: if (msg_done_i) state_d = drain_q ? StDrain : StIdle;
    endcase
  end

  assign ar_valid_o    = state_q == StFetch;
  assign ar_addr_o     = {16'd0, desc_q[47:0]};
  assign q_valid_o     = state_q == StInval && live;
  assign q_a_o         = desc_q[63:0];
  assign q_b_o         = desc_q[127:64];
  assign q_rec_valid_o = (state_q == StStop || state_q == StReach) && live;
  assign q_rec_flag_o  = state_q == StStop;
  assign iqe_set_o     = (state_q == StStop && live && q_rec_ready_i) || (wait_note && fail_q && qie_i && !stale_q);

  assign ev_note      = (state_q == StIdle || state_q == StDrain) && event_now && note_ready_i;
  assign wait_note    = state_q == StNote && note_ready_i;
  assign note_valid_o = state_q == StNote || ((state_q == StIdle || state_q == StDrain) && event_now);
  always_comb begin
    note_o      = '0;
    note_o.kind = aa_pkg::RetNotify;
    note_o.flag = state_q == StNote && fail_q;
    note_o.code = state_q == StNote ? aa_pkg::NoteWait : aa_pkg::NoteInvDone;
    note_o.a    = {32'd0, state_q == StNote ? as_wait.data & {32{as_wait.sw}} : data_q};
  end
  assign msg_valid_o  = state_q == StSend || state_q == StEvSend;
  assign msg_addr_o   = {state_q == StSend ? as_wait.addr : addr_q, 2'd0};
  assign msg_data_o   = {32'd0, state_q == StSend ? as_wait.data : data_q};
  assign msg_bytes_o  = 4'd4;
  assign wr_wait_o    = (state_q == StInval && is_iqt_q && !inv_wait_i) || state_q == StEvSend ||
                        ((state_q == StIdle || state_q == StDrain) && event_now);

  assign head_step = (wait_note && !fail_q && qie_i && !stale_q) || (state_q == StInval && q_done_i);
  assign iwc_set   = wait_note && !fail_q && as_wait.intf;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      stale_q <= 1'b0;
    end else begin
      state_q <= state_d;
      stale_q <= state_q != StIdle && state_d != StIdle && (stale_q || !qie_i);
    end
  end

  always_ff @(posedge clk_i) begin
    // What was not read is 0; until it is, where it lies, which stays whatever becomes of the queue.
    if (state_q == StIdle)
      desc_q <= state_d == StFetch ? 128'({iqa_q[47:12] + 36'(iqh_q[14:8]), iqh_q[7:0], 4'd0}) : '0;
    else if (state_q == StData && r_err_i) desc_q <= '0;
    else if (state_q == StData && r_valid_i) desc_q <= r_data_i;
    if (state_q == StIdle) beyond_q <= beyond;
    fail_q <= rst_ni && (state_q == StSent ? msg_fail_i : state_q == StNote && fail_q && !note_ready_i);
    if (state_q == StIdle || state_q == StDrain) drain_q <= state_q == StDrain;
    // The drain was over once: what is invalidated later holds this wait no more (INV-6).
    over_q <= rst_ni && (over_q || drained_i) &&
              (state_q == StDrain || (drain_q && (state_q == StEvSend || state_q == StEvSent)));
  end

  // ---- registers ----
  assign is_iqh    = aa_reg_pkg::at_IQH(rb_i.addr);
  assign is_iqt    = aa_reg_pkg::at_IQT(rb_i.addr);
  assign is_iqa    = aa_reg_pkg::at_IQA(rb_i.addr);
  always_ff @(posedge clk_i) is_iqt_q <= is_iqt;  // the address is there a cycle before the write
  assign is_ics    = aa_reg_pkg::at_ICS(rb_i.addr);
  assign is_iectl  = aa_reg_pkg::at_IECTL(rb_i.addr);
  assign is_ieaddr = aa_reg_pkg::at_IEADDR(rb_i.addr);

  // Each word as it is, and what would be written to it. ICS is the upper half of its word, IECTL the lower of its own.
  aa_reg_pkg::iqh_t    at_iqh;
  aa_reg_pkg::iqt_t    at_iqt, to_iqt;
  aa_reg_pkg::iqa_t    at_iqa, to_iqa;
  aa_reg_pkg::ics_t    at_ics, to_ics;
  aa_reg_pkg::iectl_t  at_iectl, to_iectl;
  logic [63:0]         at_ieaddr, to_ieaddr;
  logic [31:0]         to_data, unused_low;
  always_comb begin
    {at_iqh, at_iqt, at_iqa, at_ics, at_iectl} = '0;
    at_iqh.QH   = iqh_q;
    at_iqt.QT   = iqt_q;
    at_iqa.IQA  = iqa_q;
    at_iqa.QS   = qs_q;
    at_ics.IWC  = iwc_q;
    at_iectl.IM = im_q;
    at_iectl.IP = ip_q;
  end
  assign at_ieaddr             = {addr_q, 2'd0};
  assign to_iqt                = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_iqt);
  assign to_iqa                = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_iqa);
  assign {to_ics, unused_low}  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, '0);  // a bit without its strobe is no 1
  assign {to_data, to_iectl}   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, {data_q, at_iectl});
  assign to_ieaddr             = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_ieaddr);

  assign rb_rdata_o = (is_iqh && qie_i ? at_iqh : '0) | (is_iqt ? at_iqt : '0) | (is_iqa ? at_iqa : '0) |
                      (is_ics ? {at_ics, 32'd0} : '0) | (is_iectl ? {data_q, at_iectl} : '0) |
                      (is_ieaddr ? at_ieaddr : '0);

  logic ics_clr, iwc_d;
  assign ics_clr = rb_i.we && is_ics && to_ics.IWC;
  assign iwc_d   = (iwc_q || iwc_set) && !ics_clr;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      iqh_q  <= '0;
      iqt_q  <= '0;
      iqa_q  <= '0;
      qs_q   <= '0;
      iwc_q  <= 1'b0;
      ip_q   <= 1'b0;
      im_q   <= aa_reg_pkg::ResetIECTL[aa_reg_pkg::IECTL_IM_Lsb];
      data_q <= '0;
      addr_q <= '0;
    end else begin
      if (!qie_i) iqh_q <= '0;
      else if (head_step) iqh_q <= (iqh_q + 15'd1) & last;
      iwc_q <= iwc_d;
      ip_q  <= ((ip_q && !ev_note) || (iwc_set && !iwc_q)) && iwc_d;
      if (rb_i.we && is_iqt) iqt_q <= to_iqt.QT;
      if (rb_i.we && is_iqa && !qie_i) {iqa_q, qs_q} <= {to_iqa.IQA, to_iqa.QS};
      if (rb_i.we && is_iectl) {data_q, im_q} <= {to_data, to_iectl.IM};
      if (rb_i.we && is_ieaddr) addr_q <= to_ieaddr[63:2];
    end
  end

  logic unused;
  assign unused = &{1'b0, to_iqt, to_iqa, to_ics, to_iectl, to_ieaddr[1:0], unused_low};

`ifdef FORMAL
`include "aa_qi_props.svh"
`endif

endmodule

`default_nettype wire
