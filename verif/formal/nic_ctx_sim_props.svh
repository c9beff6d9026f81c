// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx beside the registers that it writes (cm_axil_regs, nic_qp): what nic_ctx_swap and nic_ctx_seek
// assume of each other and of NIC_CTX. nic_ctx only wires, so what its blocks know of one another is said here, of
// registers that fv_see shows.
`include "fv.svh"

  `FV_INIT

  `FV_COMB if (f_past_q) begin
    if (refuse_o) p2_refuses: assert (!start_valid_o && !stop_valid_o && !bell_valid_o);
    c_asks: cover (rd_job_valid_o);
  end

`ifdef YOSYS
  (* hierconn *) wire [4:0]        \u_ctx.u_swap.state_q ;
  (* hierconn *) wire              \u_ctx.u_swap.gone_q ;
  (* hierconn *) wire              \u_ctx.u_swap.f_seek_q ;
  (* hierconn *) wire              \u_ctx.u_swap.f_walk_q ;
  (* hierconn *) wire              \u_ctx.u_swap.f_gone_q ;
  (* hierconn *) wire              \u_ctx.u_swap.f_gone2_q ;
  (* hierconn *) wire              \u_ctx.u_swap.f_try_q ;
  (* hierconn *) wire              \u_ctx.u_swap.f_ok_q ;
  (* hierconn *) wire [7:0]        \u_ctx.u_swap.f_tried_q ;
  (* hierconn *) wire [2:0]        \u_ctx.u_seek.state_q ;
  (* hierconn *) wire              \u_ctx.u_seek.found_q ;
  (* hierconn *) wire              \u_ctx.u_seek.free_q ;
  (* hierconn *) wire [7:0]        \u_ctx.u_seek.place_o ;
  (* hierconn *) wire [NumQps-1:0] \u_ctx.u_work.on_q ;
  (* hierconn *) wire              \u_ctx.u_regs.en_q ;
  (* hierconn *) wire              \u_ctx.u_bus.busy_q ;
  (* hierconn *) wire [2:0]        \u_ctx.u_move.state_q ;
  (* hierconn *) wire [2:0]        \u_axil.state_q ;
  (* hierconn *) wire              \u_qp.is_ctl_q ;

  logic [4:0]        f_swap;
  logic [2:0]        f_seek, f_move, f_axil;
  logic [NumQps-1:0] f_on;
  logic [7:0]        f_tried, f_place;
  logic              f_gone_job, f_searches, f_walks, f_gone, f_gone2, f_tries, f_ok, f_found, f_free, f_en, f_busy,
                     f_ctl;
  fv_see #(
    .W(5 + 8 + 8 + 3 + 2 + 8 + NumQps + 2 + 7)
  ) u_f_see (
    .inside_io({\u_ctx.u_swap.state_q , \u_ctx.u_swap.gone_q , \u_ctx.u_swap.f_seek_q , \u_ctx.u_swap.f_walk_q ,
                \u_ctx.u_swap.f_gone_q , \u_ctx.u_swap.f_gone2_q , \u_ctx.u_swap.f_try_q , \u_ctx.u_swap.f_ok_q ,
                \u_ctx.u_swap.f_tried_q , \u_ctx.u_seek.state_q , \u_ctx.u_seek.found_q , \u_ctx.u_seek.free_q ,
                \u_ctx.u_seek.place_o , \u_ctx.u_work.on_q , \u_ctx.u_regs.en_q , \u_ctx.u_bus.busy_q ,
                \u_ctx.u_move.state_q , \u_axil.state_q , \u_qp.is_ctl_q }),
    .seen_o({f_swap, f_gone_job, f_searches, f_walks, f_gone, f_gone2, f_tries, f_ok, f_tried, f_seek, f_found, f_free,
             f_place, f_on, f_en, f_busy, f_move, f_axil, f_ctl})
  );

  // States of nic_ctx_swap: a command to nic_ctx_move; a search, or a try of it.
  logic f_moves, f_under;
  assign f_moves = f_swap == 5'd15 || f_swap == 5'd17 || f_swap == 5'd19 || f_swap == 5'd21;
  assign f_under = f_swap >= 5'd8 && f_swap <= 5'd13;
  // Of nic_ctx_seek: 1 looks for a free place, 2 and 3 walk and try, 4 has walked, 5 ends.
  logic f_all;
  assign f_all = f_on == '1;

  `FV_COMB if (f_past_q && rst_ni) begin
    // The bus: an access of the NIC's is of a command that lasts, and to a queue pair's registers.
    p3_busy: assert (f_busy == (f_axil != 3'd0) && f_axil <= 3'd5);
    if (f_move == 3'd2 || f_move == 3'd3) p3_owns: assert (own_o && f_moves && !(f_swap == 5'd19 && f_gone_job));
    if (own_o && f_busy) p3_mine: assert (f_move == 3'd3 && (rb_o.addr[16:13] == 4'd1 || rb_o.addr[16:15] == 2'd1));
    // nic_qp has decoded what is on the bus when it is written (u_axil.state_q: StWrite).
    if (f_axil == 3'd3 && f_ctl) p3_decoded: assert (nic_reg_pkg::at_QP_CTL(rb_o.addr));
    // A job that NIC_CTX has not ended is one with contexts on.
    if (f_swap != 5'd0 && !f_gone_job) p3_on: assert (f_en);
    // One search, by both accounts.
    p3_search: assert (f_searches == (f_seek != 3'd0) && f_seek <= 3'd5);
    if (f_searches && !f_gone) p3_under: assert (f_under && !f_gone_job);
    if (f_searches && f_gone) p3_ended: assert (f_gone2 ? f_swap == 5'd0 : f_swap == 5'd8 && f_gone_job);
    if (f_gone) p3_gone: assert (f_searches);
    if (f_gone2 && !f_gone) p3_over: assert (!f_searches);
    // While it walks all places stay on, so that NIC_CTX cannot be written; one that NIC_CTX has ended finds a free
    // place at once.
    if (f_seek >= 3'd2 && f_seek <= 3'd4) p3_all: assert (f_all && !f_found && !f_free && !f_gone);
    if (f_seek == 3'd5 && !f_free) p3_kept: assert (f_all && !f_gone);
    if (f_walks) p3_walks: assert (f_searches && f_all && !(f_seek == 3'd5 && f_free));
    if (f_gone && f_seek == 3'd1) p3_none: assert (f_on == '0 && !f_gone2);
    if (f_gone && f_seek != 3'd1) p3_finds: assert (f_seek == 3'd5 && f_free && f_found);
    // A try is of the place at hand, and answered by nic_ctx_swap.
    p3_tries: assert (f_tries ? f_seek == 3'd3 && f_place == f_tried : 1'b1);
    if (f_ok) p3_ok: assert (f_seek == 3'd5 && f_found && !f_free && f_place == f_tried);
    if (f_seek == 3'd5 && f_found && !f_free) p3_found: assert (f_ok);
  end
`endif
