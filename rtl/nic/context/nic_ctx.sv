// SPDX-License-Identifier: Apache-2.0
// nic_ctx: contexts in memory: more queue pairs than places. Wires blocks together.
//
//   software --> nic_ctx_bus --> cm_axil_regs --> rb --> nic_ctx_regs --> nic_ctx_bell
//                    ^                                       |               |
//               nic_ctx_move <------- nic_ctx_swap <---------+---------------+
//                ^        |             |     ^
//   nic_rd --> nic_ctx_load, nic_ctx_save --> nic_wr
//                                       |     |
//   nic_rx --> nic_ctx_head --> nic_ctx_map   nic_ctx_seek <-- nic_ctx_work <-- nic_qp, nic_req, nic_decide
//                  |
//                  +--> nic_responder
//
// P1  With contexts off frames pass as they are, and so do software's accesses, but for the turns of nic_ctx_bus.
// P2  own_o: the access on the register bus is the NIC's own. refuse_o: the one on it is a write of software's to a
//     queue pair's registers, with contexts on: it does nothing there.
// P3  held_o: a write that is on the bus waits for the decisions that are half made. Those need not that change what
//     nobody looks at: NIC_BELL, and a queue pair that the NIC has turned off. QP_CTL and QP_PROD always wait (env_held
//     of nic_qp).
// P4  wait_o: no write now (a sweep).
//
// Cost at 4096 contexts and 256 places: 12 block RAMs of 18 Kbit, LUT RAM of 256 x 62 bits.
// One file: it only wires, and each pin has a line.
// Rules of README.md: CTX-11, CTX-13.
`default_nettype none

module nic_ctx #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Contexts = 64,
  parameter int unsigned Replay = 16
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [15:0]       cfg_qpn_i,
  input  wire logic [15:0]       cfg_rid_i,

  // Software's AXI4-Lite, and what cm_axil_regs gets of it
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
  output logic                   m_awvalid_o,
  input  wire logic              m_awready_i,
  output logic      [19:0]       m_awaddr_o,
  output logic                   m_wvalid_o,
  input  wire logic              m_wready_i,
  output logic      [63:0]       m_wdata_o,
  output logic      [7:0]        m_wstrb_o,
  input  wire logic              m_bvalid_i,
  output logic                   m_bready_o,
  output logic                   m_arvalid_o,
  input  wire logic              m_arready_i,
  output logic      [19:0]       m_araddr_o,
  input  wire logic              m_rvalid_i,
  output logic                   m_rready_o,
  input  wire logic [63:0]       m_rdata_i,

  // Register bus
  input  wire cm_pkg::reg_bus_t  rb_i,
  output logic      [63:0]       rb_rdata_o,
  output logic                   own_o,
  output logic                   refuse_o,
  output logic                   held_o,
  output logic                   wait_o,

  // Heads of frames (nic_rx), and what nic_responder sees of them
  input  wire logic              head_valid_i,
  input  wire logic [23:0]       head_qp_i,
  input  wire logic              next_valid_i,
  input  wire logic [23:0]       next_qp_i,
  output logic                   head_valid_o,
  input  wire logic              head_ready_i,
  output logic      [23:0]       head_qp_o,
  output logic                   next_valid_o,
  output logic      [23:0]       next_qp_o,

  // Queue pairs: on, off, doorbell (nic_qp), state (nic_req), message (nic_decide)
  input  wire logic              start_valid_i,
  input  wire logic [7:0]        start_qp_i,
  input  wire nic_pkg::qp_go_t   start_go_i,
  input  wire logic              stop_valid_i,
  input  wire logic [7:0]        stop_qp_i,
  input  wire logic              bell_valid_i,
  input  wire logic [7:0]        bell_qp_i,
  input  wire logic [15:0]       bell_prod_i,
  input  wire logic              req_valid_i,
  input  wire logic [7:0]        req_qp_i,
  input  wire logic [15:0]       req_cons_i,
  input  wire logic              req_err_i,
  input  wire logic              resp_valid_i,
  input  wire logic [7:0]        resp_qp_i,
  input  wire logic              resp_task_i,
  input  wire logic              timer_valid_i,  // RetTimer
  input  wire nic_pkg::retire_t  timer_i,

  // Of each place: owes an acknowledgement, has responses under way, is slow
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

  localparam int unsigned CtxW = $clog2(Contexts);
  localparam int unsigned AtW = $clog2(32 + 2 * Replay);

  // ---- registers --------------------------------------------------------------------------------------------------
  logic            en, cfg_we, bell, close, close_done;
  logic [63:12]    base;
  logic [nic_pkg::ProcW-1:0] proc, job_proc;
  logic [CtxW-1:0] bell_ctx, close_ctx;
  logic [15:0]     bell_prod;
  logic [NumQps-1:0] on, works;

  nic_ctx_regs #(
    .Contexts(Contexts)
  ) u_regs (
    .clk_i,
    .rst_ni,
    .rb_i,
    .rb_rdata_o,
    .some_on_i(on != '0),
    .en_o(en),
    .table_o(base),
    .proc_o(proc),
    .cfg_we_o(cfg_we),
    .bell_valid_o(bell),
    .bell_ctx_o(bell_ctx),
    .bell_prod_o(bell_prod),
    .close_valid_o(close),
    .close_ctx_o(close_ctx),
    .close_done_i(close_done)
  );

  // ---- the NIC's own accesses ---------------------------------------------------------------------------------------
  logic        want, own, acc_valid, acc_write, acc_done;
  logic [19:3] acc_addr;
  logic [63:0] acc_wdata, acc_rdata;

  nic_ctx_bus u_bus (
    .clk_i,
    .rst_ni,
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
    .want_i(want),
    .own_o(own),
    .acc_valid_i(acc_valid),
    .acc_write_i(acc_write),
    .acc_addr_i(acc_addr),
    .acc_wdata_i(acc_wdata),
    .acc_wstrb_i(8'hFF),
    .acc_done_o(acc_done),
    .acc_rdata_o(acc_rdata),
    .m_awvalid_o,
    .m_awready_i,
    .m_awaddr_o,
    .m_wvalid_o,
    .m_wready_i,
    .m_wdata_o,
    .m_wstrb_o,
    .m_bvalid_i,
    .m_bready_o,
    .m_arvalid_o,
    .m_arready_i,
    .m_araddr_o,
    .m_rvalid_i,
    .m_rready_o,
    .m_rdata_i
  );

  logic pages, answers;  // registers of queue pairs
  assign pages    = rb_i.addr[16:13] == 4'(nic_reg_pkg::RegQP_CTL >> 16);
  assign answers  = rb_i.addr[16:15] == 2'(nic_reg_pkg::RegQP_ANSWER_PSN >> 18);
  assign own_o    = own;
  assign refuse_o = en && !own && (pages || answers);
  assign held_o   = own ? answers || nic_reg_pkg::at_QP_CTL(rb_i.addr) || nic_reg_pkg::at_QP_PROD(rb_i.addr) :
                          !nic_reg_pkg::at_NIC_BELL(rb_i.addr);

  // ---- directory, bells, frames -------------------------------------------------------------------------------------
  logic            map_busy, bell_busy, look_valid, look_ready, find_valid, hit, set_valid, set_here, first_valid, take,
                   peek, pop, ring_take, begun, bell_done, rings, waits, miss, drop, claim_valid, claim_clear,
                   met_valid;
  logic [CtxW-1:0] look_ctx, ctx, set_ctx, at_ctx, first, miss_ctx;
  logic [7:0]      hit_place, place, met_place;
  logic [15:0]     prod;

  assign wait_o = map_busy || bell_busy;

  nic_ctx_map #(
    .NumQps(NumQps),
    .Contexts(Contexts)
  ) u_map (
    .clk_i,
    .rst_ni,
    .sweep_i(cfg_we),
    .busy_o(map_busy),
    .look_valid_i(look_valid),
    .look_ctx_i(look_ctx),
    .look_ready_o(look_ready),
    .find_valid_i(find_valid),
    .find_ctx_i(ctx),
    .hit_o(hit),
    .place_o(hit_place),
    .set_valid_i(set_valid),
    .set_ctx_i(set_ctx),
    .set_here_i(set_here),
    .set_place_i(place),
    .at_place_i(place),
    .at_ctx_o(at_ctx)
  );

  nic_ctx_bell #(
    .Contexts(Contexts)
  ) u_bell (
    .clk_i,
    .rst_ni,
    .sweep_i(cfg_we),
    .busy_o(bell_busy),
    .bell_valid_i(bell),
    .bell_ctx_i(bell_ctx),
    .bell_prod_i(bell_prod),
    .first_valid_o(first_valid),
    .first_o(first),
    .take_i(take || ring_take),
    .peek_i(peek),
    .pop_i(pop),
    .ctx_i(ctx),
    .begun_o(begun),
    .done_o(bell_done),
    .rings_o(rings),
    .prod_o(prod)
  );

  nic_ctx_head #(
    .Contexts(Contexts)
  ) u_head (
    .clk_i,
    .rst_ni,
    .en_i(en),
    .cfg_qpn_i,
    .flush_i(cfg_we || (rb_i.we && nic_reg_pkg::at_NIC_QPN(rb_i.addr))),
    .head_valid_i,
    .head_qp_i,
    .next_valid_i,
    .next_qp_i,
    .head_valid_o,
    .head_ready_i,
    .head_qp_o,
    .next_valid_o,
    .next_qp_o,
    .look_valid_o(look_valid),
    .look_ctx_o(look_ctx),
    .look_ready_i(look_ready),
    .look_hit_i(hit),
    .look_place_i(hit_place),
    .waits_o(waits),
    .miss_o(miss),
    .miss_ctx_o(miss_ctx),
    .drop_i(drop),
    .claim_valid_i(claim_valid),
    .claim_place_i(place),
    .claim_clear_o(claim_clear),
    .met_valid_o(met_valid),
    .met_place_o(met_place)
  );

  // ---- places -------------------------------------------------------------------------------------------------------
  logic       two, other, seek, again, seek_done, found, free, try_valid, try_done, try_ok, rung, rests;
  logic [7:0] seek_place;

  nic_ctx_work #(
    .NumQps(NumQps)
  ) u_work (
    .clk_i,
    .rst_ni,
    .start_valid_i,
    .start_qp_i,
    .start_cons_i(start_go_i.cons),
    .start_err_i(start_go_i.send_err),
    .stop_valid_i,
    .stop_qp_i,
    .bell_valid_i,
    .bell_qp_i,
    .bell_prod_i,
    .req_valid_i,
    .req_qp_i,
    .req_cons_i,
    .req_err_i,
    .resp_valid_i,
    .resp_qp_i,
    .resp_task_i,
    .on_o(on),
    .works_o(works),
    .two_o(two),
    .place_i(place),
    .other_o(other)
  );

  nic_ctx_seek #(
    .NumQps(NumQps)
  ) u_seek (
    .clk_i,
    .rst_ni,
    .on_i(on),
    .works_i(works),
    .acks_i,
    .responses_i,
    .slow_i,
    .met_valid_i(met_valid),
    .met_place_i(met_place),
    .rung_valid_i(rung),
    .rung_place_i(place),
    .start_i(seek),
    .again_i(again),
    .done_o(seek_done),
    .found_o(found),
    .free_o(free),
    .place_o(seek_place),
    .try_valid_o(try_valid),
    .try_done_i(try_done),
    .try_ok_i(try_ok)
  );

  always_comb begin
    rests = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) if (place == 8'(i)) rests = !works[i] && !responses_i[i];
  end

  // ---- one thing at a time ------------------------------------------------------------------------------------------
  logic            off, save, load, ring, moved, read, read_more, read_done, err, open, shut_begin, shut_valid,
                   put_ready, put_idle, drained;
  logic [6:0]      num_answers;
  logic [63:0]     va;

  nic_ctx_swap #(
    .Contexts(Contexts)
  ) u_swap (
    .clk_i,
    .rst_ni,
    .en_i(en),
    .table_i(base),
    .proc_i(proc),
    .cfg_we_i(cfg_we),
    .sweeps_i(wait_o),
    .close_valid_i(close),
    .close_ctx_i(close_ctx),
    .close_done_o(close_done),
    .va_o(va),
    .proc_o(job_proc),
    .waits_i(waits),
    .miss_i(miss),
    .miss_ctx_i(miss_ctx),
    .drop_o(drop),
    .claim_valid_o(claim_valid),
    .claim_clear_i(claim_clear),
    .find_valid_o(find_valid),
    .ctx_o(ctx),
    .hit_i(hit),
    .hit_place_i(hit_place),
    .set_valid_o(set_valid),
    .set_ctx_o(set_ctx),
    .set_here_o(set_here),
    .at_ctx_i(at_ctx),
    .bell_valid_i(first_valid),
    .bell_ctx_i(first),
    .take_o(take),
    .peek_o(peek),
    .pop_o(pop),
    .begun_i(begun),
    .bell_done_i(bell_done),
    .rings_i(rings),
    .seek_o(seek),
    .again_o(again),
    .seek_done_i(seek_done),
    .found_i(found),
    .free_i(free),
    .seek_place_i(seek_place),
    .try_valid_i(try_valid),
    .try_done_o(try_done),
    .try_ok_o(try_ok),
    .rests_i(rests),
    .two_i(two),
    .other_i(other),
    .rung_o(rung),
    .off_o(off),
    .save_o(save),
    .load_o(load),
    .ring_o(ring),
    .place_o(place),
    .moved_i(moved),
    .off_we_i(stop_valid_i),
    .read_o(read),
    .read_more_o(read_more),
    .read_done_i(read_done),
    .err_i(err),
    .open_i(open),
    .some_i(num_answers != '0),
    .shut_begin_o(shut_begin),
    .shut_valid_o(shut_valid),
    .shut_ready_i(put_ready),
    .put_idle_i(put_idle),
    .drained_i(drained),
    .quiet_valid_i(timer_valid_i && timer_i.code == nic_pkg::TmQuiet),
    .quiet_place_i(timer_i.idx),
    .ret_valid_o,
    .ret_o
  );

  // ---- words --------------------------------------------------------------------------------------------------------
  logic [AtW-1:0] at;
  logic [63:0]    word, put;
  logic [15:0]    ctx_cons, ctx_prod;
  logic           put_begin, put_more, put_valid, put_last;
  logic [15:0]    rid;
  assign rid = cfg_rid_i + 16'(job_proc);

  nic_ctx_move #(
    .Replay(Replay)
  ) u_move (
    .clk_i,
    .rst_ni,
    .off_i(off),
    .save_i(save),
    .load_i(load),
    .ring_i(ring),
    .place_i(place),
    .name_i(12'(ctx)),
    .done_o(moved),
    .want_o(want),
    .own_i(own),
    .acc_valid_o(acc_valid),
    .acc_write_o(acc_write),
    .acc_addr_o(acc_addr),
    .acc_wdata_o(acc_wdata),
    .acc_done_i(acc_done),
    .acc_rdata_i(acc_rdata),
    .at_o(at),
    .word_i(word),
    .answers_i(num_answers),
    .cons_i(ctx_cons),
    .prod_i(ctx_prod),
    .begin_o(put_begin),
    .begin_more_o(put_more),
    .put_valid_o(put_valid),
    .put_ready_i(put_ready),
    .put_o(put),
    .put_last_o(put_last),
    .put_idle_i(put_idle),
    .take_o(ring_take),
    .take_done_i(bell_done),
    .take_prod_i(prod)
  );

  nic_ctx_load #(
    .Replay(Replay)
  ) u_load (
    .clk_i,
    .rst_ni,
    .start_i(read),
    .more_i(read_more),
    .rid_i(rid),
    .va_i(va),
    .done_o(read_done),
    .err_o(err),
    .open_o(open),
    .answers_o(num_answers),
    .cons_o(ctx_cons),
    .prod_o(ctx_prod),
    .at_i(at),
    .word_o(word),
    .job_valid_o(rd_job_valid_o),
    .job_ready_i(rd_job_ready_i),
    .job_o(rd_job_o),
    .in_valid_i(rd_valid_i),
    .in_ready_o(rd_ready_o),
    .in_beat_i(rd_beat_i)
  );

  nic_ctx_save u_save (
    .clk_i,
    .rst_ni,
    .begin_i(put_begin || shut_begin),
    .va_i(shut_begin ? va + 64'h80 : put_more ? va + 64'h100 : va),
    .rid_i(rid),
    .valid_i(put_valid || shut_valid),
    .ready_o(put_ready),
    .word_i(shut_valid ? 64'd0 : put),
    .last_i(put_last || shut_valid),
    .idle_o(put_idle),
    .drained_o(drained),
    .job_valid_o(wr_job_valid_o),
    .job_ready_i(wr_job_ready_i),
    .job_o(wr_job_o),
    .pay_valid_o(wr_pay_valid_o),
    .pay_ready_i(wr_pay_ready_i),
    .pay_o(wr_pay_o),
    .done_i(wr_done_i)
  );

  logic unused;
  assign unused = ^{start_go_i, timer_i};

endmodule

`default_nettype wire
