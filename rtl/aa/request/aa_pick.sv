// SPDX-License-Identifier: Apache-2.0
// aa_pick: chooses which lane's oldest undecided request is decided next.
//
//   lanes: rd <= pk <= xl <= wr     rd decided, pk picked, xl translated, wr arrived
//   res ---> [ result RAM a lane ] --+--> pick --> {lane, req, res}      back_i: a picked request could not be decided
//      +------------ bypass ---------+      ^
//   wr (P, NP) --> [ seen RAM a port ] -----+
//
// P1  The requests of a lane are picked in order, and only translated ones.
// P2  A non-posted request is picked after every posted one that arrived before it on its port, and waits for no other
//     one, however many have overtaken it.
// P3  back_i takes back all that was picked and not decided of one port, what is picked in that cycle included
//     (aa_decide drops it, so that back_i, which comes late, has no say in the choice); a lane that came back rests
//     until wake_i.
// P4  Fair: round robin over the lanes that can go; the bypass is used only when none waits.
// P5  Nothing is picked under hold_i.
// P6  A lane that came back is not picked again before the other lane of its port was, if that one can go.
//
// res_write_i comes with every res_valid_i, and without it only at the number that is translated next (xl), which
// nobody reads: the RAM does not wait for a hit.
//
// seen: with each posted request, how many non-posted ones had arrived before it. Those may be picked beside it, and
// are inside: so what is compared differs by Window at most. A number of posted requests, kept with a non-posted one,
// would grow old: nothing bounds how many overtake it.
//
// P6: who comes back takes what was picked of its port after it back with it. If it is woken each time, as others of
// other ports free something, round robin alone may give the other lane its turn always just then.
//
// Latency: a translation that arrives in cycle n is picked in cycle n. Rate: one a cycle.
// Cost: a Window x xlate_t LUT RAM a lane, one of Window x (log2 Window + 1) a port, two pointers of 8 bits a lane.
// Rules of README.md: STR-5, STR-12.
`default_nettype none

module aa_pick #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned Window = 8,
  localparam int unsigned NumLanes = 2 * NumPorts
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,
  input  wire logic                                hold_i,

  // Lanes
  input  wire logic [NumLanes*8-1:0]               wr_ptr_i,  // those of a port move one at a time, as requests arrive
  output logic      [NumLanes*8-1:0]               pk_ptr_o,
  output logic      [NumLanes*8-1:0]               rd_ptr_o,
  input  wire logic [NumLanes*aa_pkg::ReqW-1:0]    req_i,     // at pk_ptr_o

  // Translations
  input  wire logic [NumLanes*8-1:0]               xl_ptr_i,
  input  wire logic                                res_valid_i,
  input  wire logic                                res_write_i,  // known earlier: this number's word may be written
  input  wire logic [3:0]                          res_lane_i,
  input  wire logic [7:0]                          res_idx_i,
  input  wire aa_pkg::xlate_t                      res_i,

  // Pick
  output logic                                     pick_valid_o,
  input  wire logic                                pick_ready_i,
  output logic      [3:0]                          pick_lane_o,
  output aa_pkg::req_t                             pick_req_o,
  output aa_pkg::xlate_t                           pick_res_o,

  // Fate of what was picked
  input  wire logic                                done_valid_i,  // the oldest picked one of done_lane_i is decided
  input  wire logic [3:0]                          done_lane_i,
  input  wire logic                                back_i,        // not decided: its port starts again at rd
  input  wire logic                                rest_i,        // with back_i: back_lane_i rests until wake_i
  input  wire logic [3:0]                          back_lane_i,
  input  wire logic                                wake_i
);

  localparam int unsigned IdxW = Window > 1 ? $clog2(Window) : 1;
  localparam int unsigned LaneW = $clog2(NumLanes);

  logic [NumLanes-1:0] can, go, back, done, rest_q, gnt, fresh;
  logic [NumLanes-1:0] after_q;  // came back: the other lane of its port goes first
  logic [NumLanes*aa_pkg::XlateW-1:0] res;
  logic [NumLanes*8-1:0] pk_q, rd_q;
  logic [NumPorts-1:0] np_ok;
  logic any, bypass;
  logic [LaneW-1:0] idx;

  // ---- which posted requests a non-posted one waits for ----
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [IdxW:0] wr, wr_np, rd, pk, pk_np, seen;

    assign wr = wr_ptr_i[16*p+:IdxW+1];
    assign wr_np = wr_ptr_i[16*p+8+:IdxW+1];
    assign rd = rd_q[16*p+:IdxW+1];
    assign pk = pk_q[16*p+:IdxW+1];
    assign pk_np = pk_q[16*p+8+:IdxW+1];

    // The place of the next one that arrives is written until it does; a full lane has none.
    cm_lutram #(
      .Width(IdxW + 1),
      .Depth(Window)
    ) u_seen (
      .clk_i,
      .we_i(wr - rd != (IdxW + 1)'(Window)),
      .waddr_i(wr[IdxW-1:0]),
      .wdata_i(wr_np),
      .raddr_i(pk[IdxW-1:0]),
      .rdata_o(seen)
    );
    // Never more are picked than were seen before a posted one that is not.
    assign np_ok[p] = pk == wr || pk_np != seen;
  end

  // ---- lanes ----
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    logic [7:0] pk, rd_up, pk_up;
    logic order, taken, came;

    assign pk = pk_q[8*l+:8];
    assign back[l] = back_i && back_lane_i[3:1] == 3'(l / 2);
    assign done[l] = done_valid_i && done_lane_i == 4'(l);
    // What moves the pointers is late, so it only chooses.
    assign rd_up = rd_q[8*l+:8] + 8'd1;
    assign pk_up = pk + 8'd1;
    assign taken = pick_valid_o && pick_ready_i && pick_lane_o == 4'(l);
    assign order = (l & 1) == 0 || np_ok[l/2];
    // What is translated and stored, and what is being translated in this very cycle.
    assign can[l] = order && !rest_q[l] && !hold_i && pk != xl_ptr_i[8*l+:8];
    assign go[l] = can[l] && !(after_q[l] && can[l^1]);
    assign came = back_i && rest_i && back_lane_i == 4'(l);
    assign fresh[l] = order && !rest_q[l] && !hold_i && pk == xl_ptr_i[8*l+:8] && res_idx_i == pk;

    cm_lutram #(
      .Width(aa_pkg::XlateW),
      .Depth(Window)
    ) u_res (
      .clk_i,
      .we_i(res_write_i && res_lane_i == 4'(l)),
      .waddr_i(res_idx_i[IdxW-1:0]),
      .wdata_i(res_i),
      .raddr_i(pk[IdxW-1:0]),
      .rdata_o(res[aa_pkg::XlateW*l+:aa_pkg::XlateW])
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        pk_q[8*l+:8] <= '0;
        rd_q[8*l+:8] <= '0;
        rest_q[l] <= 1'b0;
        after_q[l] <= 1'b0;
      end else begin
        if (done[l]) rd_q[8*l+:8] <= rd_up;
        if (back[l]) pk_q[8*l+:8] <= done[l] ? rd_up : rd_q[8*l+:8];
        else if (taken) pk_q[8*l+:8] <= pk_up;
        rest_q[l] <= !wake_i && (rest_q[l] || came);
        after_q[l] <= came || (after_q[l] && (back[l] || !(pick_valid_o && pick_ready_i && pick_lane_o == 4'(l ^ 1))));
      end
    end
  end

  cm_rr_arb #(
    .N(NumLanes)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(go),
    .advance_i(pick_ready_i),
    .valid_o(any),
    .gnt_o(gnt),
    .idx_o(idx)
  );

  assign pk_ptr_o = pk_q;
  assign rd_ptr_o = rd_q;

  always_comb begin
    bypass = 1'b0;
    for (int unsigned l = 0; l < NumLanes; l++) if (fresh[l] && res_lane_i == 4'(l)) bypass = 1'b1;
  end
  // The lane of the bypass is known early, its data and its valid late: neither takes part in the choice of the lane.
  assign pick_valid_o = any || (bypass && res_valid_i);
  assign pick_lane_o = any ? 4'(idx) : res_lane_i;

  always_comb begin
    pick_req_o = '0;
    pick_res_o = any ? '0 : res_i;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (any ? gnt[l] : res_lane_i == 4'(l)) pick_req_o = pick_req_o | req_i[aa_pkg::ReqW*l+:aa_pkg::ReqW];
      if (any && gnt[l]) pick_res_o = pick_res_o | res[aa_pkg::XlateW*l+:aa_pkg::XlateW];
    end
  end

`ifdef FORMAL
`include "aa_pick_props.svh"
`endif

endmodule

`default_nettype wire
