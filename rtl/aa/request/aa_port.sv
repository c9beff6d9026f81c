// SPDX-License-Identifier: Apache-2.0
// aa_port: one device port: checked requests in two lanes, and the credits for them.
//
//                          +--> aa_lane P  (index 0) --> look-ups, decisions, payload
//   dev_req --> aa_rx -----+
//                          +--> aa_lane NP (index 1) --> look-ups, decisions, payload
//
// P1  Every TLP that starts becomes exactly one request of its lane, in arrival order, visible in the cycle after its
//     last beat.
// P2  Of the two wr_ptr_o one at most moves in a cycle: the order in which they do is that of arrival.
// P3  Credits: what is inside and what is still allowed never exceed the headers' room, nor the payload room in use.
// P4  A full NP lane does not stop a P request of a device that keeps to its credits.
// P5  A read that has hints becomes one of all bytes that has none (STR-9).
//
// Payload units freed are counted as beats leave, by the number of 16-byte units that each holds; units of a request
// that is dropped as malformed are freed in the cycle after its end. Latency 1, rate 1 beat a cycle.
// Rules of README.md: STR-5, STR-10, RST-1.
`default_nettype none

module aa_port #(
  parameter int unsigned Window = 8,
  parameter int unsigned PayDw = 2048,
  localparam int unsigned ReqW = aa_pkg::ReqW,
  localparam int unsigned LookupW = aa_pkg::LookupW,
  localparam int unsigned DataW = cm_pkg::DataW
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic [2:0]         mps_i,
  input  wire logic [2:0]         mrrs_i,

  // Device
  input  wire logic               dev_req_valid_i,
  output logic                    dev_req_ready_o,
  input  wire cm_pkg::tlp_t       dev_req_beat_i,
  output logic      [7:0]         crd_ph_o,
  output logic      [11:0]        crd_pd_o,
  output logic      [7:0]         crd_nph_o,
  output logic      [11:0]        crd_npd_o,

  // Lanes: P low, NP high
  output logic      [15:0]        wr_ptr_o,
  input  wire logic [15:0]        rd_ptr_i,
  input  wire logic [15:0]        lk_idx_i,
  output logic      [2*LookupW-1:0] lk_o,
  input  wire logic [15:0]        rd_idx_i,
  output logic      [2*ReqW-1:0]  req_o,
  output logic      [1:0]         pay_valid_o,
  input  wire logic [1:0]         pay_ready_i,
  output logic      [2*DataW-1:0] pay_data_o
);

  localparam int unsigned BeatDw = cm_pkg::BeatDw;
  localparam int unsigned UnitW = BeatDw > 4 ? $clog2(BeatDw / 4) : 1;
  localparam int unsigned PayW = DataW + UnitW;
  localparam int unsigned HeadW = 3 + cm_pkg::SeqW + 128;
  localparam int unsigned NpDepth = BeatDw < 8 ? Window * 8 / BeatDw : Window;
  // A TLP of one unit takes a whole beat: leave as much aside for the TLPs that can be inside at once.
  localparam int unsigned PdInit = PayDw / 4 - 2 * Window * (BeatDw / 4 - 1);
  localparam int unsigned NpdInit = 2 * Window;

  if (PayDw < 1024 + 8 * Window * (BeatDw / 4 - 1) ||
      PayDw > 8188) begin : gen_bad_pay_dw
    $error("aa_port: PayDw must hold a 4 KiB TLP, and fit 2047 credits");
  end

  // ---- rx ----
  logic              np, head, pay, done, good;
  aa_pkg::req_kind_e kind;
  logic [UnitW-1:0]  pay_units;
  logic [4:0]        bad;
  logic [8:0]        units;
  logic [1:0]        ok;

  // A read with hints (TH) has a steering tag where its byte enables would be, which are all of them. Without its hints
  // it is as any other.
  cm_pkg::tlp_t      beat;
  cm_pkg::tlp_req_t  plain;
  always_comb begin
    plain = dev_req_beat_i.hdr;
    if ((plain.op & cm_pkg::AnyFour) == cm_pkg::OpRead && plain.th) begin
      plain.th  = 1'b0;
      plain.fbe = 4'hF;
      plain.lbe = plain.len == 10'd1 ? 4'h0 : 4'hF;
      if (plain.op[cm_pkg::OpFour]) plain.addr[1:0] = 2'd0;
      else plain.addr[33:32] = 2'd0;
    end
    beat     = dev_req_beat_i;
    beat.hdr = plain;
  end

  aa_rx u_rx (
    .clk_i,
    .rst_ni,
    .mps_i,
    .mrrs_i,
    .in_valid_i(dev_req_valid_i),
    .in_ready_o(dev_req_ready_o),
    .in_beat_i(beat),
    .p_ok_i(ok[0]),
    .np_ok_i(ok[1]),
    .np_o(np),
    .head_o(head),
    .kind_o(kind),
    .pay_o(pay),
    .pay_units_o(pay_units),
    .done_o(done),
    .bad_o(bad),
    .good_o(good),
    .err_o(),
    .units_o(units)
  );

  // ---- what goes into the lanes at the first beat ----
  cm_pkg::tlp_req_t     hdr;
  logic [63:0]          addr;
  aa_pkg::lookup_t        look;
  logic [HeadW-1:0]     head_data;
  assign hdr  = beat.hdr;
  assign addr = cm_pkg::tlp_addr(beat.hdr);
  assign head_data = {kind, beat.seq, hdr};
  always_comb begin
    look.skip  = kind == aa_pkg::ReqPass || kind == aa_pkg::ReqRefuse;
    look.write = kind != aa_pkg::ReqRead;
    look.intr  = kind == aa_pkg::ReqWrite && addr[63:20] == aa_pkg::MsiRange;
    look.at    = hdr.at != 2'b00;
    look.sid   = hdr.rid;
    look.iova  = addr[63:12];
  end

  logic [2*HeadW-1:0] rd_head;
  logic [9:0]         lk_stat, rd_stat;
  logic [2*PayW-1:0]  pay_word;

  for (genvar l = 0; l < 2; l++) begin : gen_lane
    logic [LookupW-1:0] lk;
    aa_lane #(
      .Window(Window),
      .HeadW(HeadW),
      .LookupW(LookupW),
      .StatW(5),
      .PayW(PayW),
      .PayDepth(l == 0 ? PayDw / BeatDw : NpDepth),
      .PayRam(l == 0)
    ) u_lane (
      .clk_i,
      .rst_ni,
      .ok_o(ok[l]),
      .head_i(head && np == (l == 1)),
      .head_data_i(head_data),
      .look_data_i(look),
      .pay_i(pay && np == (l == 1)),
      .pay_data_i({pay_units, beat.data}),
      .done_i(done && np == (l == 1)),
      .keep_i(good),
      .stat_data_i(bad),
      .wr_ptr_o(wr_ptr_o[8*l+:8]),
      .rd_ptr_i(rd_ptr_i[8*l+:8]),
      .lk_idx_i(lk_idx_i[8*l+:8]),
      .lk_o(lk),
      .lk_stat_o(lk_stat[5*l+:5]),
      .rd_idx_i(rd_idx_i[8*l+:8]),
      .rd_o(rd_head[HeadW*l+:HeadW]),
      .rd_stat_o(rd_stat[5*l+:5]),
      .pay_valid_o(pay_valid_o[l]),
      .pay_ready_i(pay_ready_i[l]),
      .pay_data_o(pay_word[PayW*l+:PayW])
    );
    // skip is first
    assign lk_o[LookupW*l+:LookupW] = {lk[LookupW-1] || lk_stat[5*l+:5] != aa_pkg::ErrNone, lk[LookupW-2:0]};
    assign req_o[ReqW*l+:ReqW] = {rd_head[HeadW*l+128+cm_pkg::SeqW+:3], rd_stat[5*l+:5],
        rd_head[HeadW*l+:128+cm_pkg::SeqW]};
    assign pay_data_o[DataW*l+:DataW] = pay_word[PayW*l+:DataW];
  end

  // ---- credits ----
  logic [11:0] pd_q, npd_q;
  assign crd_ph_o  = 8'(Window) + rd_ptr_i[7:0];
  assign crd_nph_o = 8'(Window) + rd_ptr_i[15:8];
  assign crd_pd_o  = pd_q;
  assign crd_npd_o = npd_q;

  logic [UnitW:0]  pop0, pop1;
  logic            drop;
  assign pop0 = pay_valid_o[0] && pay_ready_i[0] ? {1'b0, pay_word[DataW+:UnitW]} + (UnitW + 1)'(1) : '0;
  assign pop1 = pay_valid_o[1] && pay_ready_i[1] ? {1'b0, pay_word[PayW+DataW+:UnitW]} + (UnitW + 1)'(1) : '0;
  assign drop = done && !good;

  // That a request is dropped is known last in its cycle: the credits for it are given one later.
  logic [1:0] drop_q;
  logic [8:0] units_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drop_q <= '0;
      pd_q   <= 12'(PdInit);
      npd_q  <= 12'(NpdInit);
    end else begin
      drop_q <= {drop && np, drop && !np};
      pd_q   <= pd_q + 12'(pop0) + (drop_q[0] ? 12'(units_q) : 12'd0);
      npd_q  <= npd_q + 12'(pop1) + (drop_q[1] ? 12'(units_q) : 12'd0);
    end
  end
  always_ff @(posedge clk_i) units_q <= units;

  logic unused;
  assign unused = ^{addr, rd_head};

`ifdef FORMAL
`include "aa_port_props.svh"
`endif

endmodule

`default_nettype wire
