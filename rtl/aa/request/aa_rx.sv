// SPDX-License-Identifier: Apache-2.0
// aa_rx: checks a TLP stream beat by beat, and says what goes into which lane.
//
//   in_beat --> [ type | header rules | beat rules ] --> head (at sop), pay (each good data beat), done (+ bad)
//                       in_ready = room in the lane of this TLP
//
// P1  Every TLP that starts makes exactly one head_o and, later or in the same cycle, exactly one done_o.
// P2  bad_o at done_o is the first rule of README.md that the TLP breaks, or ErrNone.
// P3  A good TLP with data makes exactly ceil(Length / BeatDw) pay_o; a bad one no more than that, and the lane takes
//     them back.
// P4  A beat without sop outside a TLP is taken and makes nothing. A sop inside a TLP waits for one cycle, in which
//     the TLP
//     that it cuts off is done as bad.
// P5  in_ready_o depends on room only (and, to find the lane, on the type of the TLP offered).
//
// Nothing is stored but the state of the TLP under way: the lane stores the header at its first beat.
// Cost: about 37 flip-flops and one for each DW of a beat, no cycle.
// Rules of README.md: STR-4, STR-6, STR-7, STR-8, STR-9, STR-10.
`default_nettype none

module aa_rx #(
  parameter bit Completion = 1'b0,  // 1: Cpl and CplD only, and every malformation is ErrCplLength
  localparam int unsigned BeatDw = cm_pkg::BeatDw,
  localparam int unsigned LowW = $clog2(BeatDw),
  localparam int unsigned UnitW = BeatDw > 4 ? $clog2(BeatDw / 4) : 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [2:0]        mps_i,   // limits: 128 << n bytes, 6 and 7 as 5
  input  wire logic [2:0]        mrrs_i,

  // In
  input  wire logic              in_valid_i,
  output logic                   in_ready_o,
  input  wire cm_pkg::tlp_t      in_beat_i,

  // Room in the lanes, for a header and for a beat
  input  wire logic              p_ok_i,
  input  wire logic              np_ok_i,

  // To the lanes
  output logic                   np_o,       // lane of the others
  output logic                   head_o,     // in_beat_i begins a TLP: keep its header
  output aa_pkg::req_kind_e      kind_o,     // valid with head_o
  output logic                   pay_o,      // in_beat_i.data is payload
  output logic      [UnitW-1:0]  pay_units_o,  // 16-byte units in it, less one
  output logic                   done_o,     // the TLP ends
  output logic      [4:0]        bad_o,      // valid with done_o: ErrNone, keep its payload; else drop it
  output logic                   good_o,     // bad_o is ErrNone
  output logic                   err_o,      // valid with done_o: some beat carried err
  output logic      [8:0]        units_o     // valid with done_o: 16-byte units that its header announces
);

  // ---- header (valid at sop) ----
  cm_pkg::tlp_req_t hdr;
  logic [7:0]   op;
  logic [9:0]   len, lm1;  // Length; less one
  logic [11:2]  addr;
  logic [3:0]   fbe, lbe;
  assign hdr  = in_beat_i.hdr;
  assign op   = hdr.op;
  assign len  = hdr.len;
  assign lm1  = len - 10'd1;
  assign addr = op[cm_pkg::OpFour] ? hdr.addr[11:2] : hdr.addr[43:34];
  assign lbe  = hdr.lbe;
  assign fbe  = hdr.fbe;

  logic is_rd, is_wr, is_at, is_cas, is_cpl, is_msg, is_refused, np_head, known;
  assign is_rd      = (op & cm_pkg::AnyFour) == cm_pkg::OpRead;
  assign is_wr      = (op & cm_pkg::AnyFour) == cm_pkg::OpWrite;
  assign is_cas     = (op & cm_pkg::AnyFour) == cm_pkg::OpCas;
  assign is_at      = (op & cm_pkg::AnyFour) == cm_pkg::OpFetchAdd || (op & cm_pkg::AnyFour) == cm_pkg::OpSwap ||
                      is_cas;
  assign is_cpl     = (op & cm_pkg::AnyData) == cm_pkg::OpCpl;
  assign is_msg     = (op & cm_pkg::AnyData & cm_pkg::AnyRoute) == cm_pkg::OpMsg;
  assign is_refused = (op & cm_pkg::AnyFour) == cm_pkg::OpReadLock || (op & cm_pkg::AnyData) == cm_pkg::OpIo ||
                      (op & cm_pkg::AnyData & cm_pkg::AnyKind) == cm_pkg::OpConfig;
  assign known      = is_cpl || (!Completion && (is_rd || is_wr || is_at || is_msg));
  assign np_head    = !Completion && (is_rd || is_at || is_refused);

  always_comb begin
    kind_o = aa_pkg::ReqRefuse;
    if (is_cpl || is_msg) kind_o = aa_pkg::ReqPass;
    if (is_wr) kind_o = aa_pkg::ReqWrite;
    if (is_rd) kind_o = aa_pkg::ReqRead;
    if (is_at) kind_o = aa_pkg::ReqAtomic;
  end

  // ---- header rules that come after the beat rules ----
  logic [2:0] limit;
  logic [10:0] past;   // DWs from the page to the end
  logic       over, cross4k, be_bad, at_bad, strict, fbe_run, lbe_run, broken;
  logic [4:0] rule;
  assign limit  = is_wr ? mps_i : mrrs_i;
  // Length is compared as it is, since the borrow of lm1 would come before what needs it.
  assign past   = {1'b0, addr} + {len == '0, len};
  assign cross4k = past[10] && past[9:0] != '0;
  assign strict = (len != 10'd1 && len != 10'd2) || addr[2];
  assign fbe_run = fbe == 4'hF || fbe == 4'hE || fbe == 4'hC || fbe == 4'h8;
  assign lbe_run = lbe == 4'hF || lbe == 4'h7 || lbe == 4'h3 || lbe == 4'h1;
  assign be_bad = len == 10'd1 ? lbe != '0 : strict ? !fbe_run || !lbe_run : fbe == '0 || lbe == '0;
  assign at_bad = is_cas ? !(len == 10'd2 || (len == 10'd4 && !addr[2]) || (len == 10'd8 && addr[3:2] == '0))
                         : !(len == 10'd1 || (len == 10'd2 && !addr[2]));
  always_comb begin
    unique case (limit)
      3'd0: over = lm1[9:5] != '0;
      3'd1: over = lm1[9:6] != '0;
      3'd2: over = lm1[9:7] != '0;
      3'd3: over = lm1[9:8] != '0;
      3'd4: over = lm1[9];
      default: over = 1'b0;
    endcase
    rule = aa_pkg::ErrNone;
    if (!known) rule = aa_pkg::ErrType;
    else if (is_at) rule = at_bad ? aa_pkg::ErrAtomic : aa_pkg::ErrNone;
    else if (is_wr || is_rd) begin
      if (over) rule = aa_pkg::ErrMaxSize;
      else if (cross4k) rule = aa_pkg::ErrCross4k;
      else if (be_bad) rule = aa_pkg::ErrByteEn;
    end
  end
  // rule is not ErrNone
  assign broken = !known || (is_at && at_bad) || ((is_wr || is_rd) && (over || cross4k || be_bad));

  // ---- the TLP under way ----
  logic            busy_q, np_q, data_q, form_q, err_q, broken_q, end_q;
  logic [4:0]      rule_q;
  logic [9:0]      lm1_q;
  logic [9-LowW:0] left_q, left;
  logic            fire, head, cut, act, data, last, form, broken_now, one_beat;
  logic [4:0]      rule_now;
  logic [9:0]      lm1_now;
  logic [BeatDw-1:0] strb, tail_q, tail;

  // Of the last beat, without the borrow of Length - 1: is the first beat the last one, and which DWs are in the last.
  assign one_beat = (len[9:LowW] == '0 && len != '0) || len == 10'(BeatDw);
  assign tail     = busy_q ? tail_q : len[LowW-1:0] == '0 ? '1 : ~({BeatDw{1'b1}} << len[LowW-1:0]);
  assign cut  = in_valid_i && busy_q && in_beat_i.sop;
  assign in_ready_o = busy_q ? !in_beat_i.sop && (np_q ? np_ok_i : p_ok_i)
                             : !in_beat_i.sop || (np_head ? np_ok_i : p_ok_i);
  assign fire = in_valid_i && in_ready_o;
  assign head = fire && in_beat_i.sop;
  assign act  = fire && (in_beat_i.sop || busy_q);

  assign data     = busy_q ? data_q : op[cm_pkg::OpData];
  assign lm1_now  = busy_q ? lm1_q : lm1;
  assign rule_now = busy_q ? rule_q : rule;
  assign left     = busy_q ? left_q : lm1[9:LowW];
  assign last     = !data || (busy_q ? end_q : one_beat);
  assign broken_now = busy_q ? broken_q : broken;

  assign strb = !data ? '0 : last ? tail : '1;
  assign form = (busy_q && form_q) || in_beat_i.eop != last || in_beat_i.strb != strb;

  assign np_o   = busy_q ? np_q : np_head;
  assign head_o = head;
  assign pay_o  = act && data && !(busy_q && (form_q || broken_q));
  assign done_o = cut || (act && in_beat_i.eop);
  assign err_o  = (busy_q && err_q) || (!cut && in_beat_i.err);
  assign units_o = data ? {1'b0, lm1_now[9:2]} + 9'd1 : '0;
  if (BeatDw > 4) begin : gen_units
    assign pay_units_o = last ? lm1_now[LowW-1:2] : '1;
  end else begin : gen_unit
    assign pay_units_o = '0;
  end
  assign good_o = !broken_now && !cut && !form;
  always_comb begin
    bad_o = rule_now;
    if (rule_now != aa_pkg::ErrType && (cut || form)) bad_o = aa_pkg::ErrLength;
    if (Completion && bad_o != aa_pkg::ErrNone) bad_o = aa_pkg::ErrCplLength;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (cut) busy_q <= 1'b0;
    else if (act) busy_q <= !in_beat_i.eop;
  end

  always_ff @(posedge clk_i) begin
    if (act) begin
      np_q   <= np_o;
      data_q <= data;
      form_q <= form;
      err_q  <= err_o;
      rule_q <= rule_now;
      lm1_q  <= lm1_now;
      left_q <= left - (10 - LowW)'(1);
      end_q  <= left == (10 - LowW)'(1);
      tail_q <= tail;
      broken_q <= broken_now;
    end
  end

  logic unused;
  assign unused = ^{in_beat_i, hdr};

`ifdef FORMAL
`include "aa_rx_props.svh"
`endif

endmodule

`default_nettype wire
