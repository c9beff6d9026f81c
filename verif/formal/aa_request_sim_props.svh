// SPDX-License-Identifier: Apache-2.0
// aa_request as a whole: what aa_xlt and aa_pick take each other and aa_port to be (their env_*) holds where they are
// wired together. The environment is that of aa_request: aa_inval, memory, aa_decide; devices send whatever they like.
// All hold for ever, of one port and one walk, by the invariants at the end. aa_xlt's env_look speaks of the words of
// the lanes' RAMs, of which induction sees one at a time: ABC finds the rest by itself.
`include "fv.svh"

  `FV_INIT
  `FV_SEES(f_pick, 5, {pick_valid_o, pick_lane_o})

  // What is picked and not decided, oldest first: aa_decide has two places.
  logic               f_v0_q, f_v1_q, f_keep0, f_keep1, f_push, f_hold_q;
  logic [3:0]         f_l0_q, f_l1_q;
  logic [Walkers-1:0] f_bus_q, f_id;  // reads on the bus, and which is answered
  always_comb for (int unsigned s = 0; s < Walkers; s++) f_id[s] = r_id_i == 8'(s);
  assign f_keep0 = f_v0_q && !done_valid_i && !(back_i && f_l0_q[3:1] == back_lane_i[3:1]);
  assign f_keep1 = f_v1_q && !(back_i && f_l1_q[3:1] == back_lane_i[3:1]);
  assign f_push = f_pick[4] && pick_ready_i && !(back_i && f_pick[3:1] == back_lane_i[3:1]);
  always_ff @(posedge clk_i) begin
    f_hold_q <= rst_ni && hold_i;
    f_v0_q   <= rst_ni && (f_keep0 || f_keep1 || f_push);
    f_l0_q   <= f_keep0 ? f_l0_q : f_keep1 ? f_l1_q : f_pick[3:0];
    f_v1_q   <= rst_ni && ((f_keep0 && f_keep1) || ((f_keep0 || f_keep1) && f_push));
    f_l1_q   <= f_keep0 && f_keep1 ? f_l1_q : f_pick[3:0];
    for (int unsigned s = 0; s < Walkers; s++) begin
      if (!rst_ni) f_bus_q[s] <= 1'b0;
      else if (ar_valid_o && ar_ready_i && ar_id_o == 8'(s)) f_bus_q[s] <= 1'b1;
      else if (r_valid_i && r_id_i == 8'(s)) f_bus_q[s] <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_inv: assume (!inv_valid_i || hold_i);
    env_forget: assume (!forget_i || (hold_i && f_hold_q && !f_v0_q));
    env_answer: assume (!r_valid_i || (f_bus_q & f_id) != '0);
    if (done_valid_i) env_done: assume (f_v0_q && done_lane_i == f_l0_q);
    if (back_i) env_back: assume (f_v0_q && back_lane_i == f_l0_q);
    if (f_v1_q && !done_valid_i && !back_i) env_places: assume (!pick_ready_i);

    p1_lanes: assert (!pick_valid_o || 32'(pick_lane_o) < NumLanes);
    c_two: cover (f_v1_q && f_l0_q == 4'd0 && f_l1_q == 4'd1);
    c_forget: cover (forget_i && f_rst_q && wait_o);
  end

`ifdef YOSYS
  // The invariants, over registers that fv_see shows, of one port and one walk. With one walk no two are under way for
  // one request, whatever the lanes show of it: so nothing here hangs on env_look.
  (* hierconn *) wire [15:0] \u_request.wr_ptr ;
  (* hierconn *) wire [15:0] \u_request.rd_ptr ;
  (* hierconn *) wire [15:0] \u_request.xl_ptr ;
  (* hierconn *) wire        \u_request.gen_port[0].u_port.u_rx.busy_q ;
  (* hierconn *) wire        \u_request.gen_port[0].u_port.u_rx.np_q ;
  (* hierconn *) wire        \u_request.u_xlt.f_bus_q ;
  (* hierconn *) wire [NumLanes*Window-1:0] \u_request.u_xlt.f_seen_q ;
  (* hierconn *) wire [15:0] \u_request.u_xlt.f_rd_q ;
  (* hierconn *) wire [3:0]  \u_request.u_xlt.fill_lane_q ;
  (* hierconn *) wire [7:0]  \u_request.u_xlt.fill_num_q ;
  (* hierconn *) wire        \u_request.u_xlt.f2_valid ;
  (* hierconn *) wire        \u_request.u_xlt.u_sched.c2_q ;
  (* hierconn *) wire [3:0]  \u_request.u_xlt.u_sched.f_look_lane_q ;
  (* hierconn *) wire [7:0]  \u_request.u_xlt.u_sched.f_look_num_q ;
  (* hierconn *) wire [$clog2(Window):0] \u_request.u_xlt.u_sched.num_q ;
  (* hierconn *) wire        \u_request.u_xlt.u_sched.f_busy_q ;
  (* hierconn *) wire        \u_request.u_xlt.u_sched.f_own_q ;
  (* hierconn *) wire [3:0]  \u_request.u_xlt.u_sched.f_lane_q ;
  (* hierconn *) wire [7:0]  \u_request.u_xlt.u_sched.f_num_q ;
  (* hierconn *) wire        \u_request.u_xlt.u_walk.f_bus_q ;
  (* hierconn *) wire        \u_request.u_xlt.u_walk.live ;
  (* hierconn *) wire        \u_request.u_xlt.u_walk.own_q ;
  (* hierconn *) wire [3:0]  \u_request.u_xlt.u_walk.gen_slot[0].lane_q ;
  (* hierconn *) wire [$clog2(Window)-1:0] \u_request.u_xlt.u_walk.gen_slot[0].idx_q ;
  (* hierconn *) wire [3:0]  \u_request.u_xlt.u_walk.f1_lane_o ;
  (* hierconn *) wire [7:0]  \u_request.u_xlt.u_walk.f1_num_o ;
  (* hierconn *) wire        \u_request.u_pick.f_v0_q ;
  (* hierconn *) wire        \u_request.u_pick.f_v1_q ;
  (* hierconn *) wire [3:0]  \u_request.u_pick.f_l0_q ;
  (* hierconn *) wire [3:0]  \u_request.u_pick.f_l1_q ;

  localparam int unsigned IdxW = $clog2(Window);

  logic [15:0]     f_wr, f_rd, f_xl, f_rd_q;
  logic [NumLanes*Window-1:0] f_seen, f_seen_ok;
  logic [NumLanes-1:0] f_step;
  logic            f_bus_xlt, f_bus_walk, f_rx, f_rx_np, f_f2, f_c2, f_busy, f_own, f_live, f_own_slot, f_pv0, f_pv1;
  logic [3:0]      f_fill_lane, f_look_lane, f_lane, f_slot_lane, f_who_lane, f_pl0, f_pl1;
  logic [7:0]      f_fill_num, f_look_num, f_num, f_who_num;
  logic [IdxW:0]   f_c2_num;
  logic [IdxW-1:0] f_slot_idx;
  fv_see #(
    .W(NumLanes * Window + 16 + 3 * 16 + 2 + 2 + 4 + 8 + 1 + 1 + 4 + 8 + (IdxW + 1) + 2 + 4 + 8 + 2 + 4 + IdxW + 4 + 8 +
       2 + 8)
  ) u_f_see (
    .inside_io({\u_request.u_xlt.f_seen_q , \u_request.u_xlt.f_rd_q ,
                \u_request.wr_ptr , \u_request.rd_ptr , \u_request.xl_ptr ,
                \u_request.u_xlt.f_bus_q , \u_request.u_xlt.u_walk.f_bus_q ,
                \u_request.gen_port[0].u_port.u_rx.busy_q , \u_request.gen_port[0].u_port.u_rx.np_q ,
                \u_request.u_xlt.fill_lane_q , \u_request.u_xlt.fill_num_q , \u_request.u_xlt.f2_valid ,
                \u_request.u_xlt.u_sched.c2_q , \u_request.u_xlt.u_sched.f_look_lane_q ,
                \u_request.u_xlt.u_sched.f_look_num_q , \u_request.u_xlt.u_sched.num_q ,
                \u_request.u_xlt.u_sched.f_busy_q , \u_request.u_xlt.u_sched.f_own_q ,
                \u_request.u_xlt.u_sched.f_lane_q , \u_request.u_xlt.u_sched.f_num_q ,
                \u_request.u_xlt.u_walk.live , \u_request.u_xlt.u_walk.own_q ,
                \u_request.u_xlt.u_walk.gen_slot[0].lane_q , \u_request.u_xlt.u_walk.gen_slot[0].idx_q ,
                \u_request.u_xlt.u_walk.f1_lane_o , \u_request.u_xlt.u_walk.f1_num_o ,
                \u_request.u_pick.f_v0_q , \u_request.u_pick.f_v1_q , \u_request.u_pick.f_l0_q ,
                \u_request.u_pick.f_l1_q }),
    .seen_o({f_seen, f_rd_q, f_wr, f_rd, f_xl, f_bus_xlt, f_bus_walk, f_rx, f_rx_np, f_fill_lane, f_fill_num, f_f2,
             f_c2, f_look_lane, f_look_num, f_c2_num, f_busy, f_own, f_lane, f_num, f_live, f_own_slot, f_slot_lane,
             f_slot_idx, f_who_lane, f_who_num, f_pv0, f_pv1, f_pl0, f_pl1})
  );

  logic [7:0]    f_rx_in, f_look_xl, f_look_wr;
  logic [IdxW:0] f_ahead;
  assign f_rx_in   = f_rx_np ? f_wr[15:8] - f_rd[15:8] : f_wr[7:0] - f_rd[7:0];
  assign f_look_xl = f_look_lane[0] ? f_xl[15:8] : f_xl[7:0];
  assign f_look_wr = f_look_lane[0] ? f_wr[15:8] : f_wr[7:0];
  assign f_ahead   = f_c2_num - f_look_xl[IdxW:0];
  always_comb for (int unsigned l = 0; l < NumLanes; l++) begin
    f_step[l] = 8'(f_wr[8*l+:8] - f_rd_q[8*l+:8]) <= 8'(Window) && 8'(f_rd[8*l+:8] - f_rd_q[8*l+:8]) <= 8'd1;
    for (int unsigned w = 0; w < Window; w++)
      f_seen_ok[l*Window+w] = !f_seen[l*Window+w] ||
                              ((8'(w) - f_rd_q[8*l+:8]) & 8'(Window - 1)) < 8'(f_wr[8*l+:8] - f_rd_q[8*l+:8]);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // What aa_decide holds is the same by aa_pick's account.
    p1_places: assert (f_pv0 == f_v0_q && f_pv1 == f_v1_q && (!f_v0_q || f_pl0 == f_l0_q) &&
                       (!f_v1_q || f_pl1 == f_l1_q));
    // The read on the bus is the same by the accounts of aa_xlt and aa_walk.
    p1_bus: assert (f_bus_xlt == f_bus_q && f_bus_walk == f_bus_q);
    // The lane of a TLP under way has room for it.
    if (f_rx) p1_room: assert (f_rx_in < 8'(Window));
    // A look-up and a fill are never in C2 together.
    p2_apart: assert (!(f_c2 && f_f2));
    // The number of a look-up, of few bits, is the low end of the one that was issued.
    if (f_c2) p2_look: assert (f_look_num[IdxW:0] == f_c2_num && f_look_lane < 4'd2);
    // A look-up is of a request that is there and not translated, or of the one that was translated just now.
    if (f_c2) p2_inside: assert (8'(f_ahead) < f_look_wr - f_look_xl || f_ahead == '1);
    // What aa_xlt has seen of a lane is there still, and a lane gives up one request at a time.
    p2_seen: assert (f_seen_ok == '1 && f_step == '1);
    // aa_xlt_sched and aa_walk agree on whether there is a walk,
    p3_live: assert (f_busy == f_live);
    // and for which request, and whether that is untranslated;
    if (f_busy) p3_own: assert (f_own == f_own_slot && f_lane == f_slot_lane && f_num[IdxW-1:0] == f_slot_idx &&
                                f_lane < 4'd2);
    // so does the RAM from which a fill has its lane and number,
    if (f_busy) p3_who: assert (f_lane == f_who_lane && f_num == f_who_num);
    // and so does the fill.
    if (f_f2) p3_fill: assert (f_busy && f_fill_lane == f_lane && f_fill_num == f_num);
  end
`endif
