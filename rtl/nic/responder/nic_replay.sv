// SPDX-License-Identifier: Apache-2.0
// nic_replay: the answers of the last atomics of each queue pair, for those that are asked again, and as registers.
//
//   put {qp, psn, value} --> [ NumQps x Replay ] <-- | QP, PSN | <-- look {qp, psn}
//   rb {qp, index} ------------^        |              ^------------ rb, while the bus is held
//   drop ----------------------^        |
//                                       '--> | hit, PSN, value | --> look's answer, rb_rdata
//
// P1  hit_o says whether the PSN of two cycles before is that of one of the answers that the QP of two cycles before
//     had: those with which it was started and the ones put since, of these the last Replay. value_o is that answer, of
//     several with one PSN the newest.
// P2  A put or a drop in the cycle of the look-up or before it counts. A put takes the place of the oldest one.
// P3  With start_valid_i QP qp_i begins with start_num_i answers (at most Replay are taken): index 0, the oldest, to
//     start_num_i - 1, as they stand in QP_ANSWER. num_o is how many QP qp_i has.
// P4  QP_ANSWER_PSN and QP_ANSWER_VALUE of index i read as the i-th oldest answer; from num_o on, and of a QP that has
//     not been started, 0.
// P5  They are written while the QP is off (stop_valid_i), by byte. What was put, or written, at an index stays there
//     while the QP is off, whether it counts or not.
// P6  With drop_i what hit_o says was found counts no more, nor does what is older: index 0 is the one behind it, and
//     the indices go round the Replay places. (env: hit_o is of now, so nothing was put, dropped or started in the
//     cycle before, nor is in this one.)
//
// There is one look-up port. An access to QP_ANSWER takes it: held_i says that the bus is held, so that nobody puts
// (env) and nobody looks at what is looked up, and ready_o that the bus may go on: three cycles after held_i, which
// then falls. A look-up is right again two cycles after it.
//
// Cost: NumQps x Replay x 88 bits of LUT RAM, Replay comparators, 82 flip-flops and 2 a queue pair; two cycles.
// Rules of README.md: QPR-11, RSP-3, RSP-11.
`default_nettype none

module nic_replay #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Replay = 16
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Register bus: QP_ANSWER
  input  wire cm_pkg::reg_bus_t rb_i,
  output logic      [63:0]      rb_rdata_o,
  input  wire logic             held_i,      // QP_ANSWER: what is addressed was on the bus in the cycle before
  output logic                  ready_o,

  // The QP whose page is on the bus: it is turned on, never together with a put; turned off; how many it has
  input  wire logic [7:0]       qp_i,
  input  wire logic             start_valid_i,
  input  wire logic [6:0]       start_num_i,
  input  wire logic             stop_valid_i,
  output logic      [6:0]       num_o,

  // An answer
  input  wire logic             put_valid_i,
  input  wire logic [7:0]       put_qp_i,
  input  wire logic [23:0]      put_psn_i,
  input  wire logic [63:0]      put_value_i,

  // Look-up; two cycles later what it found, which may be dropped with what is older
  input  wire logic [7:0]       look_qp_i,
  input  wire logic [23:0]      look_psn_i,
  output logic                  hit_o,
  output logic      [63:0]      value_o,
  input  wire logic             drop_i
);

  if (NumQps < 1 || NumQps > 256) begin : gen_bad_num_qps $error("nic_replay: NumQps must be 1 to 256"); end
  if (Replay < 1 || Replay > 64) begin : gen_bad_replay $error("nic_replay: Replay must be 1 to 64"); end

  localparam int unsigned IdxW = NumQps > 1 ? $clog2(NumQps) : 1;
  localparam int unsigned WayW = Replay > 1 ? $clog2(Replay) : 1;
  localparam int unsigned NumW = $clog2(Replay + 1);

  // A QP's answers stand in places that follow one another, the last before the first: where the oldest is, where the
  // next one goes, how many there are.
  typedef struct packed {
    logic [WayW-1:0] first;
    logic [WayW-1:0] next;
    logic [NumW-1:0] num;
  } row_t;
  localparam int unsigned RowW = 2 * WayW + NumW;

  function automatic logic [WayW-1:0] wrap(input logic [WayW:0] place);
    wrap = 32'(place) >= Replay ? WayW'(32'(place) - Replay) : place[WayW-1:0];
  endfunction

  // ---- on, off; started: once, so that its row means something ----
  logic [NumQps-1:0] on_q, started_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {on_q, started_q} <= '0;
    else begin
      for (int unsigned i = 0; i < NumQps; i++) begin
        if (start_valid_i && qp_i == 8'(i)) {on_q[i], started_q[i]} <= '1;
        if (stop_valid_i && qp_i == 8'(i)) on_q[i] <= 1'b0;
      end
    end
  end

  // ---- the rows ----
  row_t            put_row, look_row, qp_row, row_d;
  logic            row_we, qp_started;
  logic [IdxW-1:0] row_at, put_at, look_at_q, found_at_q;
  logic [WayW-1:0] found_q, found_next_q, behind;  // where what was found stands, where its QP's next one goes
  logic [NumW-1:0] start_num;
  logic [WayW-1:0] start_first;
  logic            unused;
  assign unused = ^{qp_i, put_qp_i, look_qp_i, rb_i.addr, qp_row};  // what is needless for few QPs, and `next`

  assign put_at      = put_qp_i[IdxW-1:0];
  assign row_at      = start_valid_i ? qp_i[IdxW-1:0] : drop_i ? found_at_q : put_at;
  assign row_we      = start_valid_i || put_valid_i || drop_i;
  assign start_num   = 32'(start_num_i) > Replay ? NumW'(Replay) : NumW'(start_num_i);
  assign start_first = qp_started ? qp_row.first : '0;
  assign behind      = wrap({1'b0, found_q} + (WayW+1)'(1));
  always_comb begin
    row_d.first = 32'(put_row.num) == Replay ? wrap({1'b0, put_row.first} + (WayW+1)'(1)) : put_row.first;
    row_d.next  = wrap({1'b0, put_row.next} + (WayW+1)'(1));
    row_d.num   = 32'(put_row.num) == Replay ? put_row.num : put_row.num + NumW'(1);
    if (drop_i) begin
      row_d.first = behind;
      row_d.next  = found_next_q;
      row_d.num   = NumW'(32'(found_next_q) + (found_next_q < behind ? Replay : 0) - 32'(behind));
    end
    if (start_valid_i) begin
      row_d.first = start_first;
      row_d.next  = wrap((WayW+1)'(32'(start_first) + 32'(start_num)));
      row_d.num   = start_num;
    end
  end
  always_comb begin
    qp_started = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) if (qp_i == 8'(i)) qp_started = started_q[i];
  end
  assign num_o = qp_started ? 7'(qp_row.num) : '0;

  cm_lutram #(
    .Width(RowW),
    .Depth(NumQps)
  ) u_put (
    .clk_i,
    .we_i(row_we),
    .waddr_i(row_at),
    .wdata_i(row_d),
    .raddr_i(put_at),
    .rdata_o(put_row)
  );
  cm_lutram #(
    .Width(RowW),
    .Depth(NumQps)
  ) u_look (
    .clk_i,
    .we_i(row_we),
    .waddr_i(row_at),
    .wdata_i(row_d),
    .raddr_i(look_at_q),
    .rdata_o(look_row)
  );
  cm_lutram #(
    .Width(RowW),
    .Depth(NumQps)
  ) u_qp (
    .clk_i,
    .we_i(row_we),
    .waddr_i(row_at),
    .wdata_i(row_d),
    .raddr_i(qp_i[IdxW-1:0]),
    .rdata_o(qp_row)
  );

  // ---- QP_ANSWER: the bus takes the look-up port. 1: its QP is there, 2: the place, 3: PSN and value ----
  logic [13:0] rb_idx;
  logic [7:0]  rb_qp;
  logic        mine_q, is_psn_q, there_q, turn, counts_q, off_q;
  logic [1:0]  step_q;
  logic [WayW-1:0] way_q;
  assign rb_idx  = nic_reg_pkg::idx_QP_ANSWER_PSN(rb_i.addr);
  assign rb_qp   = rb_idx[13:6];
  assign turn    = held_i && mine_q;
  assign ready_o = !mine_q || step_q == 2'd3;
  always_ff @(posedge clk_i) begin
    mine_q   <= nic_reg_pkg::at_QP_ANSWER_PSN(rb_i.addr) || nic_reg_pkg::at_QP_ANSWER_VALUE(rb_i.addr);
    is_psn_q <= nic_reg_pkg::at_QP_ANSWER_PSN(rb_i.addr);
    there_q  <= 32'(rb_qp) < NumQps && 32'(rb_idx[5:0]) < Replay;
    if (!rst_ni || !turn) step_q <= 2'd0;
    else if (step_q != 2'd3) step_q <= step_q + 2'd1;
  end

  logic rb_on, rb_started;
  always_comb begin
    rb_on      = 1'b0;
    rb_started = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) if (rb_qp == 8'(i)) {rb_on, rb_started} = {on_q[i], started_q[i]};
  end
  always_ff @(posedge clk_i) begin
    way_q    <= wrap((rb_started ? {1'b0, look_row.first} : '0) + (WayW+1)'(rb_idx[5:0]));
    counts_q <= there_q && rb_started && 32'(rb_idx[5:0]) < 32'(look_row.num);
    off_q    <= there_q && !rb_on;
  end

  // ---- the look-up port ----
  logic [23:0] look_psn_q;
  always_ff @(posedge clk_i) begin
    look_at_q  <= turn ? rb_qp[IdxW-1:0] : look_qp_i[IdxW-1:0];
    look_psn_q <= look_psn_i;
  end

  // ---- what is written: an answer that is put, or the bus' ----
  logic            bus, bus_we, hit;
  logic [63:0]     value, written;
  logic [23:0]     psn_at, psn_q;
  logic [IdxW-1:0] at;
  logic [WayW-1:0] place, way;
  assign bus     = turn && step_q == 2'd3;  // a put may come in the first cycle in which the bus is not held
  assign bus_we  = bus && rb_i.we && off_q;
  assign at      = bus ? look_at_q : put_at;
  assign place   = bus ? way_q : put_row.next;
  assign written = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, is_psn_q ? {40'd0, psn_q} : value_o);

  // ---- their PSNs, a RAM for each place ----
  logic [24*Replay-1:0] psn;
  for (genvar w = 0; w < Replay; w++) begin : gen_way
    cm_lutram #(
      .Width(24),
      .Depth(NumQps)
    ) u_psn (
      .clk_i,
      .we_i((put_valid_i || (bus_we && is_psn_q)) && 32'(place) == w),
      .waddr_i(at),
      .wdata_i(bus ? written[23:0] : put_psn_i),
      .raddr_i(look_at_q),
      .rdata_o(psn[24*w+:24])
    );
  end
  // Those that count go from `first` up to `next`, or to the last place and on from place 0, where they are newer.
  logic            some, around, hit_old, hit_new;
  logic [WayW-1:0] way_old, way_new;
  assign some   = look_row.num != '0;
  assign around = look_row.first >= look_row.next;
  always_comb begin
    {hit_old, hit_new} = '0;
    {way_old, way_new} = '0;
    psn_at = '0;
    for (int unsigned w = 0; w < Replay; w++) begin
      if (psn[24*w+:24] == look_psn_q && some) begin
        if (around && w >= 32'(look_row.first)) {hit_old, way_old} = {1'b1, WayW'(w)};
        if ((around || w >= 32'(look_row.first)) && w < 32'(look_row.next)) {hit_new, way_new} = {1'b1, WayW'(w)};
      end
      if (32'(way_q) == w) psn_at = psn[24*w+:24];
    end
  end
  assign hit = hit_old || hit_new;
  assign way = hit_new ? way_new : way_old;

  // ---- their values ----
  localparam int unsigned Rows = NumQps << WayW;
  localparam int unsigned AtW = Rows > 1 ? $clog2(Rows) : 1;
  cm_lutram #(
    .Width(64),
    .Depth(Rows)
  ) u_value (
    .clk_i,
    .we_i(put_valid_i || (bus_we && !is_psn_q)),
    .waddr_i(AtW'({at, place})),
    .wdata_i(bus ? written : put_value_i),
    .raddr_i(AtW'({look_at_q, step_q[1] ? way_q : way})),
    .rdata_o(value)
  );

  always_ff @(posedge clk_i) begin
    hit_o   <= hit;
    value_o <= value;
    psn_q   <= psn_at;
    {found_at_q, found_q, found_next_q} <= {look_at_q, way, look_row.next};
  end
  assign rb_rdata_o = !mine_q || !counts_q ? '0 : is_psn_q ? {40'd0, psn_q} : value_o;

`ifdef FORMAL
`include "nic_replay_props.svh"
`endif

endmodule

`default_nettype wire
