// SPDX-License-Identifier: Apache-2.0
// aa_inval: takes an invalidation, by register or by queue, through the hold to the translations. It also puts all
// records of slot Inval in one line.
//
//   CCMD, IOTLB  (aa_regs) --+--> one client --> hold --> inv --> aa_xlt --> inv_done: RetInval, forget, snap
//   descriptor   (aa_qi)   --+
//
// P1  hold_req_o stays until the client is done, or before its grant is gone, or has to wait (inv_wait_i); it is low
//     for two cycles between two clients, and rises only when inv_wait_i is low.
// P2  inv_valid_o is high only under a granted hold.
// P3  inv_o does not change while inv_valid_o waits for inv_done_i; that cycle retires RetInval with the client's
//     words, pulses forget_o and snap_o, and answers the client with r_done_o or q_done_o.
// P4  A register comes before the queue; one that came first is not pushed away.
// P5  Records that need no hold (a wait reached, the queue stopped, a register done) retire when nobody before them
//     does.
//
// hold_gnt_i stays while hold_req_o does, and a client stays under a granted hold. Cost: a state, a 3:1 mux of an
// invalidation.
// Rules of README.md: INV-3, INV-9, XLT-21, XLT-24, DUE-4.
`default_nettype none

module aa_inval (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  // Invalidation by register: r_sel_i 0 CCMD (r_a_i), 1 IOTLB (r_a_i) with IVA (r_b_i); later its completion
  input  wire logic        r_valid_i,
  input  wire logic        r_sel_i,
  input  wire logic [63:0] r_a_i,
  input  wire logic [63:0] r_b_i,
  output logic             r_done_o,
  input  wire logic        r_fin_valid_i,
  output logic             r_fin_ready_o,

  // Invalidation by queue: a checked descriptor of type 1 or 2; or a record alone (flag: the queue stops)
  input  wire logic        q_valid_i,
  input  wire logic [63:0] q_a_i,
  input  wire logic [63:0] q_b_i,
  output logic             q_done_o,
  input  wire logic        q_rec_valid_i,
  input  wire logic        q_rec_flag_i,
  output logic             q_rec_ready_o,

  // Decide pipeline, translations, drain
  output logic             hold_req_o,
  input  wire logic        hold_gnt_i,
  output logic             inv_valid_o,
  output aa_pkg::inval_t   inv_o,
  input  wire logic        inv_done_i,
  input  wire logic        inv_wait_i,  // aa_grace: from the cycle after forget_o came there, two after done
  output logic             forget_o,
  output logic             snap_o,

  // Retire: slot Inval
  output logic             ret_valid_o,
  output aa_pkg::retire_t  ret_o
);

  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StHold = 2'd1;  // wait for the grant
  localparam logic [1:0] StAct = 2'd2;
  localparam logic [5:0] Mamv = aa_reg_pkg::ResetCAP[aa_reg_pkg::CAP_MAMV_Lsb+:aa_reg_pkg::CAP_MAMV_W];

  logic [1:0]  state_q, state_d;
  logic        reg_q;  // the client
  logic        done_q;
  logic        here, done, iotlb;
  logic [1:0]  gran;
  logic [63:0] a, b;

  assign here        = reg_q ? r_valid_i : q_valid_i;
  assign hold_req_o  = state_q != StIdle;
  assign inv_valid_o = state_q == StAct && hold_gnt_i;
  assign done        = inv_valid_o && inv_done_i;
  assign r_done_o    = done && reg_q;
  assign q_done_o    = done && !reg_q;
  assign snap_o      = done;
  assign forget_o    = done;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if ((r_valid_i || q_valid_i) && !done_q && !inv_wait_i) state_d = StHold;
      StHold:  if (!here || inv_wait_i) state_d = StIdle;  // by a write that held before us: the queue is off, or all
                                                           // is translated again
               else if (hold_gnt_i) state_d = StAct;
      default: if (done) state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      reg_q   <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      done_q  <= done;
      if (state_q == StIdle) reg_q <= r_valid_i;
    end
  end

  // Layouts of one thing: two registers with IVA, and two descriptors.
  aa_pkg::desc_ctx_t   as_ctx;
  aa_pkg::desc_iotlb_t as_iotlb;
  aa_reg_pkg::ccmd_t   as_ccmd;
  aa_reg_pkg::iotlb_t  as_reg;
  aa_reg_pkg::iva_t    as_iva;
  assign as_ctx   = {q_b_i, q_a_i};
  assign as_iotlb = {q_b_i, q_a_i};
  assign as_ccmd  = r_a_i;
  assign as_reg   = r_a_i;
  assign as_iva   = r_b_i;
  assign iotlb    = reg_q ? r_sel_i : as_ctx.op[1];  // of the two that there are
  assign a        = reg_q ? r_a_i : q_a_i;
  assign b        = reg_q ? r_b_i : q_b_i;
  assign gran     = !reg_q ? as_ctx.gran : iotlb ? as_reg.IIRG : as_ccmd.CIRG;

  always_comb begin
    inv_o.ctx  = !iotlb;
    inv_o.am   = reg_q ? as_iva.AM : as_iotlb.am;
    inv_o.gran = iotlb && gran == 2'd3 && inv_o.am > Mamv ? 2'd1 : gran;
    inv_o.did  = !reg_q ? as_ctx.did : iotlb ? as_reg.DID : as_ccmd.DID;
    inv_o.sid  = reg_q ? as_ccmd.SID : as_ctx.sid;
    inv_o.fm   = reg_q ? as_ccmd.FM : as_ctx.fm;
    inv_o.ih   = reg_q ? as_iva.IH : as_iotlb.ih;
    inv_o.addr = reg_q ? as_iva.ADDR : as_iotlb.addr;
  end

  // Records
  assign q_rec_ready_o = !done;
  assign r_fin_ready_o = state_q != StAct && !q_rec_valid_i;  // done would be late, and much waits for it
  assign ret_valid_o   = done || q_rec_valid_i || (r_fin_valid_i && r_fin_ready_o);

  always_comb begin
    ret_o      = '0;
    ret_o.kind = aa_pkg::RetInval;
    ret_o.a    = r_a_i;
    if (done) begin
      ret_o.a    = a;
      ret_o.b    = b;
      ret_o.code = reg_q ? 4'd1 + 4'(r_sel_i) : 4'd0;
    end else if (q_rec_valid_i) begin
      ret_o.a    = q_a_i;
      ret_o.b    = q_b_i;
      ret_o.flag = q_rec_flag_i;
    end else begin
      ret_o.code = 4'd3 + 4'(r_sel_i);
    end
  end

`ifdef FORMAL
`include "aa_inval_props.svh"
`endif

endmodule

`default_nettype wire
