// SPDX-License-Identifier: Apache-2.0
// nic_ctx_sim: nic_ctx with the register bus and the registers of queue pairs that it moves: test_nic_ctx.c. Wires
// only; no part of the product.
`default_nettype none

module nic_ctx_sim #(
  parameter int unsigned NumQps = 4,
  parameter int unsigned Contexts = 16,
  parameter int unsigned Replay = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Software
  input  wire logic              s_awvalid_i,
  output logic                   s_awready_o,
  input  wire logic [19:0]       s_awaddr_i,
  input  wire logic              s_wvalid_i,
  output logic                   s_wready_o,
  input  wire logic [63:0]       s_wdata_i,
  input  wire logic [7:0]        s_wstrb_i,
  output logic                   s_bvalid_o,
  input  wire logic              s_bready_i,
  input  wire logic              s_arvalid_i,
  output logic                   s_arready_o,
  input  wire logic [19:0]       s_araddr_i,
  output logic                   s_rvalid_o,
  input  wire logic              s_rready_i,
  output logic      [63:0]       s_rdata_o,

  // Decisions
  output logic                   hold_o,
  input  wire logic              idle_i,

  // What is on the register bus; what it reads besides the registers of nic_qp
  output cm_pkg::reg_bus_t       rb_o,
  output logic                   rb_re_o,
  output logic                   own_o,
  output logic                   refuse_o,
  input  wire logic [63:0]       more_i,

  // Heads
  input  wire logic              head_valid_i,
  input  wire logic [23:0]       head_qp_i,
  input  wire logic              next_valid_i,
  input  wire logic [23:0]       next_qp_i,
  output logic                   head_valid_o,
  input  wire logic              head_ready_i,
  output logic      [23:0]       head_qp_o,
  output logic                   next_valid_o,
  output logic      [23:0]       next_qp_o,

  // State of the queue pair that is read
  output logic      [7:0]        rb_qp_o,
  input  wire logic [15:0]       cons_i,
  input  wire logic              send_err_i,
  input  wire logic [7:0]        code_i,
  input  wire logic              resp_err_i,
  input  wire logic [23:0]       epsn_i,
  input  wire logic [23:0]       una_i,
  input  wire logic [23:0]       msn_i,
  input  wire logic              task_i,
  input  wire logic [6:0]        answers_i,

  // What happens to queue pairs
  output logic                   start_valid_o,
  output logic                   stop_valid_o,
  output logic                   bell_valid_o,
  output logic      [7:0]        pulse_qp_o,
  output logic      [23:0]       start_epsn_o,
  output logic      [23:0]       start_spsn_o,
  output nic_pkg::qp_go_t        start_go_o,
  output nic_pkg::peer_t         start_peer_o,
  output logic      [15:0]       bell_prod_o,
  input  wire logic [7:0]        look_i,
  output nic_pkg::qp_cfg_t       look_o,

  input  wire logic              req_valid_i,
  input  wire logic [7:0]        req_qp_i,
  input  wire logic [15:0]       req_cons_i,
  input  wire logic              req_err_i,
  input  wire logic              resp_valid_i,
  input  wire logic [7:0]        resp_qp_i,
  input  wire logic              resp_task_i,
  input  wire logic              quiet_valid_i,
  input  wire logic [7:0]        quiet_qp_i,
  input  wire logic [NumQps-1:0] acks_i,
  input  wire logic [NumQps-1:0] responses_i,
  input  wire logic [NumQps-1:0] slow_i,

  // Memory
  output logic                   rd_job_valid_o,
  input  wire logic              rd_job_ready_i,
  output nic_pkg::dma_t          rd_job_o,
  input  wire logic              rd_valid_i,
  output logic                   rd_ready_o,
  input  wire nic_pkg::bytes_t   rd_beat_i,
  output logic                   wr_job_valid_o,
  input  wire logic              wr_job_ready_i,
  output nic_pkg::dma_t          wr_job_o,
  output logic                   wr_pay_valid_o,
  input  wire logic              wr_pay_ready_i,
  output nic_pkg::bytes_t        wr_pay_o,
  input  wire logic              wr_done_i,

  output logic                   ret_valid_o,
  output nic_pkg::retire_t       ret_o
);

  localparam int unsigned CfgW = nic_pkg::QpCfgW;

  logic        aw_valid, aw_ready, w_valid, w_ready, b_valid, b_ready, ar_valid, ar_ready, r_valid,
               r_ready, held, waits;
  logic [19:0] aw_addr, ar_addr;
  logic [63:0] w_data, rd_ctx, rd_qp, read;
  logic [7:0]  w_strb, stop_qp, bell_qp, unused_resume_qp;
  logic        unused_resume;
  logic [1:0]  unused_bresp, unused_rresp;
  cm_pkg::reg_bus_t  qp_rb;
  nic_pkg::resp_state_t    resp;
  nic_pkg::retire_t  timer;
  logic [4*CfgW-1:0] cfg;

  assign qp_rb      = {rb_o.addr, rb_o.we && !refuse_o, rb_o.wdata, rb_o.wstrb};
  assign pulse_qp_o = rb_qp_o;
  assign look_o     = cfg[CfgW-1:0];
  always_comb begin
    resp       = '0;
    resp.epsn  = epsn_i;
    resp.msn   = msn_i;
    resp.msg   = task_i;
    resp.send  = task_i;
    timer      = '0;
    timer.code = nic_pkg::TmQuiet;
    timer.idx  = quiet_qp_i;
  end

  // As xtq_nic grants a hold.
  logic idle_q;
  logic qp_ready;
  always_ff @(posedge clk_i) idle_q <= rst_ni && hold_o && idle_i;

  cm_axil_regs u_axil (
    .clk_i,
    .rst_ni,
    .s_awvalid_i(aw_valid),
    .s_awready_o(aw_ready),
    .s_awaddr_i(aw_addr),
    .s_wvalid_i(w_valid),
    .s_wready_o(w_ready),
    .s_wdata_i(w_data),
    .s_wstrb_i(w_strb),
    .s_bvalid_o(b_valid),
    .s_bready_i(b_ready),
    .s_bresp_o(unused_bresp),
    .s_arvalid_i(ar_valid),
    .s_arready_o(ar_ready),
    .s_araddr_i(ar_addr),
    .s_rvalid_o(r_valid),
    .s_rready_i(r_ready),
    .s_rdata_o(s_rdata_o),
    .s_rresp_o(unused_rresp),
    .rb_o,
    .rb_rdata_i(rd_qp | rd_ctx | more_i),
    .rb_far_i('0),
    .rb_late_i('0),
    .rb_re_o,
    .rb_rdata_o(read),
    .held_w_i(held),
    .held_r_i(1'b0),
    .hold_req_o(hold_o),
    .hold_gnt_i(idle_q && qp_ready),
    .wr_wait_i(waits)
  );

  nic_qp #(
    .NumQps(NumQps)
  ) u_qp (
    .clk_i,
    .rst_ni,
    .rb_i(qp_rb),
    .rb_rdata_o(rd_qp),
    .hold_i(hold_o),
    .ready_o(qp_ready),
    .rb_qp_o,
    .cons_i,
    .send_err_i,
    .code_i,
    .resp_err_i,
    .resp_i(resp),
    .una_i,
    .answers_i,
    .idx_i({4{look_i}}),
    .cfg_o(cfg),
    .start_valid_o,
    .start_qp_o(),
    .start_epsn_o,
    .start_spsn_o,
    .start_go_o,
    .start_peer_o,
    .stop_valid_o,
    .stop_qp_o(stop_qp),
    .bell_valid_o,
    .bell_qp_o(bell_qp),
    .bell_prod_o,
    .resume_valid_o(unused_resume),
    .resume_qp_o(unused_resume_qp)
  );

  nic_ctx #(
    .NumQps(NumQps),
    .Contexts(Contexts),
    .Replay(Replay)
  ) u_ctx (
    .clk_i,
    .rst_ni,
    .cfg_qpn_i(16'h1230),
    .cfg_rid_i(16'h0100),
    .s_awvalid_i,
    .s_awready_o,
    .s_awaddr_i,
    .s_wvalid_i,
    .s_wready_o,
    .s_wdata_i,
    .s_wstrb_i,
    .s_bvalid_o,
    .s_bready_i,
    .s_arvalid_i,
    .s_arready_o,
    .s_araddr_i,
    .s_rvalid_o,
    .s_rready_i,
    .m_awvalid_o(aw_valid),
    .m_awready_i(aw_ready),
    .m_awaddr_o(aw_addr),
    .m_wvalid_o(w_valid),
    .m_wready_i(w_ready),
    .m_wdata_o(w_data),
    .m_wstrb_o(w_strb),
    .m_bvalid_i(b_valid),
    .m_bready_o(b_ready),
    .m_arvalid_o(ar_valid),
    .m_arready_i(ar_ready),
    .m_araddr_o(ar_addr),
    .m_rvalid_i(r_valid),
    .m_rready_o(r_ready),
    .m_rdata_i(s_rdata_o),
    .rb_i(rb_o),
    .rb_rdata_o(rd_ctx),
    .own_o,
    .refuse_o,
    .held_o(held),
    .wait_o(waits),
    .head_valid_i,
    .head_qp_i,
    .next_valid_i,
    .next_qp_i,
    .head_valid_o,
    .head_ready_i,
    .head_qp_o,
    .next_valid_o,
    .next_qp_o,
    .start_valid_i(start_valid_o),
    .start_qp_i(rb_qp_o),
    .start_go_i(start_go_o),
    .stop_valid_i(stop_valid_o),
    .stop_qp_i(stop_qp),
    .bell_valid_i(bell_valid_o),
    .bell_qp_i(bell_qp),
    .bell_prod_i(bell_prod_o),
    .req_valid_i,
    .req_qp_i,
    .req_cons_i,
    .req_err_i,
    .resp_valid_i,
    .resp_qp_i,
    .resp_task_i,
    .timer_valid_i(quiet_valid_i),
    .timer_i(timer),
    .acks_i,
    .responses_i,
    .slow_i,
    .rd_job_valid_o,
    .rd_job_ready_i,
    .rd_job_o,
    .rd_valid_i,
    .rd_ready_o,
    .rd_beat_i,
    .wr_job_valid_o,
    .wr_job_ready_i,
    .wr_job_o,
    .wr_pay_valid_o,
    .wr_pay_ready_i,
    .wr_pay_o,
    .wr_done_i,
    .ret_valid_o,
    .ret_o
  );

`ifdef FORMAL
`include "nic_ctx_sim_props.svh"
`endif

endmodule

`default_nettype wire
