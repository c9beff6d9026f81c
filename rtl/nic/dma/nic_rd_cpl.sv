// SPDX-License-Identifier: Apache-2.0
// nic_rd_cpl: judges completions and says where their words go.
//
//   cpl --> | beat | --1: form, tag, counts--> | verdict, words | --2: rotate--> lanes of the memory, end of the tag
//
// P1  Every completion that begins is judged once, at its end: good, stray_o, or malformed_o (nic_dma.h:
//     nic_reads_complete).
// P2  Words are written only for a tag that is live, and only inside the room that its request was given.
// P3  end_o when all bytes of a tag are in memory with the words of this very cycle, or its read has failed; bad: it is
//     given up.
// P4  mark_o: the item of end_tag_o has an error (status, EP, err of a beat, malformed); mark_ur_o: by status UR alone.
// P5  A beat is taken in every cycle.
//
// Malformed: type not Cpl or CplD; beats that are not what the header promises (strb, eop; cut off by the next sop);
// and of a live tag, with status SC: no data, ByteCount not what is left, more words than are left. Stray: of no live
// tag, or of one that was given up before the end. A beat without sop where a TLP should begin is passed over up to
// eop. LowerAddress is not looked at: ByteCount says the place. Latency 2. Cost (16 tags, 256 bits):
// 1076 LUT4, 636 flip-flops (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
// Rules of README.md: MEM-3, MEM-4, MEM-5, MEM-7.
`default_nettype none

module nic_rd_cpl #(
  parameter int unsigned ReadTags = 16,
  parameter int unsigned Words = 256,
  localparam int unsigned TagW = $clog2(ReadTags),
  localparam int unsigned BeatDw = nic_pkg::BeatDw,
  localparam int unsigned LaneW = $clog2(BeatDw),
  localparam int unsigned WordW = $clog2(Words),
  localparam int unsigned DwW = WordW + LaneW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  input  wire logic                       cpl_valid_i,
  input  wire cm_pkg::tlp_t               cpl_i,

  // A request gets a tag
  input  wire logic                       grant_i,
  input  wire logic [TagW-1:0]            grant_tag_i,
  input  wire logic [15:0]                grant_rid_i,
  input  wire logic [DwW-1:0]             grant_dw_i,     // where its first word goes
  input  wire logic [12:0]                grant_bytes_i,
  input  wire logic [1:0]                 grant_lead_i,   // bytes in front of the first in its word
  input  wire logic [ReadTags-1:0]        live_i,
  // A read is given up, or ends in this cycle: its tag is live no longer
  input  wire logic                       expire_i,
  input  wire logic [TagW-1:0]            expire_tag_i,

  // Verdicts
  output logic                            end_o,
  output logic                            end_bad_o,
  output logic                            mark_o,
  output logic                            mark_ur_o,      // and that is status UR, nothing else
  output logic      [TagW-1:0]            end_tag_o,
  output logic                            stray_o,
  output logic                            malformed_o,

  // Memory
  output logic      [BeatDw-1:0]          we_o,
  output logic      [BeatDw*WordW-1:0]    waddr_o,
  output logic      [nic_pkg::DataW-1:0]  wdata_o
);

  localparam int unsigned DataW = nic_pkg::DataW;

  // ---- 0: the header's fields that need no tag ----
  // over: 0 fewer words than ByteCount / 4, 1 as many, 2, 3 more, 4 beyond.
  cm_pkg::tlp_cpl_t hdr;
  logic [12:0] in_bytes;
  logic [10:0] in_len, in_more;
  logic unused;
  assign hdr      = cpl_i.hdr;
  assign unused   = &{1'b0, hdr};
  assign in_bytes = {hdr.count == '0, hdr.count};
  assign in_len   = {hdr.len == '0, hdr.len};
  assign in_more  = in_len - in_bytes[12:2];

  logic              v1_q, sop1_q, eop1_q, err1_q, known1_q, data1_q, sc1_q, ur1_q, alien1_q;
  logic [BeatDw-1:0] strb1_q;
  logic [15:0]       rid1_q;
  logic [TagW-1:0]   tag1_q;
  logic [12:0]       bytes1_q;
  logic [10:0]       len1_q;
  logic [2:0]        over1_q;
  logic [DataW-1:0]  beat1_q;

  always_ff @(posedge clk_i) begin
    v1_q <= rst_ni && cpl_valid_i;
    sop1_q   <= cpl_i.sop;
    eop1_q   <= cpl_i.eop;
    err1_q   <= cpl_i.err || (cpl_i.sop && hdr.ep);
    strb1_q  <= cpl_i.strb;
    known1_q <= hdr.op == cm_pkg::OpCpl || hdr.op == cm_pkg::OpCplData;
    data1_q  <= hdr.op[cm_pkg::OpData];
    sc1_q    <= hdr.status == 3'd0;
    ur1_q    <= hdr.status == 3'd1;
    rid1_q   <= hdr.rid;
    tag1_q   <= hdr.tag[TagW-1:0];
    alien1_q <= hdr.t9 || hdr.t8 || 32'(hdr.tag) >= ReadTags;
    bytes1_q <= in_bytes;
    len1_q   <= in_len;
    over1_q  <= in_len < in_bytes[12:2] ? 3'd0 : in_more > 11'd2 ? 3'd4 : 3'd1 + in_more[2:0];
    beat1_q  <= cpl_i.data;
  end

  // ---- 1: what the tag is waiting for: from the grant until its first completion, then from the last one ----
  localparam int unsigned GrantW = 16 + DwW + 13 + 2;
  logic [ReadTags-1:0] fresh_q;
  logic [15:0]         g_rid;
  logic [DwW-1:0]      g_dw, n_dw, dw;
  logic [12:0]         g_bytes, n_bytes, left;
  logic [1:0]          g_lead, lead;
  logic                start, mid, go_on, fresh;

  cm_lutram #(
    .Width(GrantW),
    .Depth(ReadTags)
  ) u_grant (
    .clk_i,
    .we_i(grant_i),
    .waddr_i(grant_tag_i),
    .wdata_i({grant_rid_i, grant_dw_i, grant_bytes_i, grant_lead_i}),
    .raddr_i(tag1_q),
    .rdata_o({g_rid, g_dw, g_bytes, g_lead})
  );

  cm_lutram #(
    .Width(DwW + 13),
    .Depth(ReadTags)
  ) u_progress (
    .clk_i,
    .we_i(go_on),
    .waddr_i(tag1_q),
    .wdata_i({dw + DwW'(len1_q), bytes1_q + {11'd0, lead} - {len1_q, 2'd0}}),
    .raddr_i(tag1_q),
    .rdata_o({n_dw, n_bytes})
  );

  assign fresh = fresh_q[tag1_q];
  assign dw    = fresh ? g_dw : n_dw;
  assign left  = fresh ? g_bytes : n_bytes;
  assign lead  = fresh ? g_lead : 2'd0;

  // The read ends with word number ceil((ByteCount + lead) / 4): so many more than ByteCount / 4.
  logic [2:0] sum, need;
  logic       live, last, wrong;
  assign sum   = {1'b0, bytes1_q[1:0]} + {1'b0, lead};
  assign need  = sum == 3'd0 ? 3'd1 : sum <= 3'd4 ? 3'd2 : 3'd3;
  assign live  = known1_q && !alien1_q && live_i[tag1_q] && g_rid == rid1_q && !(end_o && end_tag_o == tag1_q);
  assign last  = over1_q == need;
  assign wrong = !data1_q || bytes1_q != left || over1_q > need;

  // The form of a beat: words that are still to come, and what of them are here.
  logic              open_q, fit;
  logic [10:0]       togo_q, togo;
  logic [BeatDw-1:0] want;
  assign start = v1_q && sop1_q;
  assign mid   = v1_q && !sop1_q && open_q;
  assign togo  = sop1_q ? (data1_q ? len1_q : 11'd0) : togo_q;
  assign fit   = strb1_q == want && eop1_q == (togo <= 11'(BeatDw));
  assign go_on = start && live && sc1_q && !wrong && !last;
  always_comb for (int unsigned i = 0; i < BeatDw; i++) want[i] = 11'(i) < togo;

  // ---- 2: the verdict so far; the words of the beat ----
  logic              v2_q, eop2_q, known2_q, mine2_q, fail2_q, ur2_q, wrong2_q, last2_q, err2_q, form2_q, write2_q;
  logic [TagW-1:0]   tag2_q;
  logic [BeatDw-1:0] want2_q;
  logic [DwW-1:0]    dw2_q;
  logic [DataW-1:0]  beat2_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= 1'b0;
      v2_q    <= 1'b0;
      fresh_q <= '0;
    end else begin
      if (v1_q) open_q <= (start || open_q) && !eop1_q;
      v2_q <= start || mid;
      if (go_on) fresh_q[tag1_q] <= 1'b0;
      if (grant_i) fresh_q[grant_tag_i] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start || mid) begin
      togo_q  <= togo < 11'(BeatDw) ? 11'd0 : togo - 11'(BeatDw);
      eop2_q  <= eop1_q;
      want2_q <= want;
      beat2_q <= beat1_q;
    end
    if (start) begin
      tag2_q   <= tag1_q;
      known2_q <= known1_q;
      fail2_q  <= !sc1_q;
      ur2_q    <= ur1_q;
      wrong2_q <= sc1_q && wrong;
      last2_q  <= last;
      write2_q <= sc1_q && !wrong;
      err2_q   <= err1_q;
      form2_q  <= fit;
      dw2_q    <= dw;
    end else if (mid) begin
      err2_q  <= err2_q || err1_q;
      form2_q <= form2_q && fit;
      dw2_q   <= dw2_q + DwW'(BeatDw);
    end
    // Once the tag is no longer live, what is still to come of this completion is of nobody's. It is live until it ends
    // or is given up, so it need not be looked for among all.
    if (start) mine2_q <= live && !(expire_i && expire_tag_i == tag1_q);
    else mine2_q <= mine2_q && !end_o && !(expire_i && expire_tag_i == tag2_q);
  end

  logic done, cut, good_form;
  assign cut       = start && open_q;
  assign done      = (v2_q && eop2_q) || cut;
  assign good_form = form2_q && known2_q && !cut;

  assign malformed_o = done && (!good_form || (mine2_q && wrong2_q));
  assign stray_o     = done && good_form && !mine2_q;
  assign end_bad_o   = !good_form || wrong2_q;
  assign end_o       = done && mine2_q && (end_bad_o || fail2_q || last2_q);
  assign mark_o      = done && mine2_q && (end_bad_o || fail2_q || err2_q);
  assign mark_ur_o   = ur2_q && !end_bad_o && !err2_q;
  assign end_tag_o   = tag2_q;

  // Lane l gets word (l - rot) of the beat; below rot it is in the next word of the memory.
  logic [LaneW-1:0]  rot;
  logic [BeatDw-1:0] lanes;
  assign rot = dw2_q[LaneW-1:0];
  always_comb begin
    wdata_o = beat2_q;
    lanes   = want2_q;
    for (int l = LaneW - 1; l >= 0; l--) begin
      if (rot[l]) begin
        wdata_o = (wdata_o << (32 << l)) | (wdata_o >> (DataW - (32 << l)));
        lanes   = (lanes << (1 << l)) | (lanes >> (BeatDw - (1 << l)));
      end
    end
    for (int unsigned l = 0; l < BeatDw; l++) waddr_o[WordW*l+:WordW] = dw2_q[DwW-1:LaneW] + WordW'(LaneW'(l) < rot);
    we_o = v2_q && write2_q && mine2_q ? lanes : '0;
  end

`ifdef FORMAL
`include "nic_rd_cpl_props.svh"
`endif

endmodule

`default_nettype wire
