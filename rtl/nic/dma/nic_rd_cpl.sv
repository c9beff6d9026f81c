// SPDX-License-Identifier: Apache-2.0
// nic_rd_cpl: judges completions and says where their words go.
//
//   cpl --> | beat | --1: what its tag waits for--> | both | --2: form, counts--> | verdict, words | --3: rotate--+
//                                                                                                                 v
//                                                                          lanes of the memory, end of the tag <--'
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
// eop. LowerAddress is not looked at: ByteCount says the place. Latency 3: what a tag waits for is read a cycle before
// it is compared, or is what the completion in front makes of it. Cost (16 tags, 256 bits):
// 1129 LUT4, 968 flip-flops, 6 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
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
  logic [DwW-1:0]      g_dw, n_dw, next_dw;
  logic [12:0]         g_bytes, n_bytes, next_bytes;
  logic [1:0]          g_lead;
  logic                fresh, here, same, start, mid, goes_on, lives;
  // The beat in 2, and what its tag was waiting for in the cycle before.
  logic                v2_q, sop2_q, eop2_q, err2_q, known2_q, data2_q, sc2_q, ur2_q, live2_q;
  logic [BeatDw-1:0]   strb2_q;
  logic [TagW-1:0]     tag2_q;
  logic [12:0]         bytes2_q, left2_q;
  logic [10:0]         len2_q;
  logic [2:0]          over2_q;
  logic [DataW-1:0]    beat2_q;
  logic [DwW-1:0]      dw2_q;
  logic [1:0]          lead2_q;

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

  // Where it goes on, if it does: if not, the tag ends, and is granted before this is looked at again.
  assign goes_on    = v2_q && sop2_q && live2_q;
  assign next_dw    = dw2_q + DwW'(len2_q);
  assign next_bytes = bytes2_q + {11'd0, lead2_q} - {len2_q, 2'd0};
  cm_lutram #(
    .Width(DwW + 13),
    .Depth(ReadTags)
  ) u_progress (
    .clk_i,
    .we_i(goes_on),
    .waddr_i(tag2_q),
    .wdata_i({next_dw, next_bytes}),
    .raddr_i(tag1_q),
    .rdata_o({n_dw, n_bytes})
  );

  assign same  = goes_on && tag1_q == tag2_q;
  assign fresh = fresh_q[tag1_q];
  assign here  = known1_q && !alien1_q && live_i[tag1_q] && g_rid == rid1_q && !(end_o && end_tag_o == tag1_q) &&
                 !(expire_i && expire_tag_i == tag1_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      v2_q    <= 1'b0;
      fresh_q <= '0;
    end else begin
      v2_q <= v1_q;
      if (goes_on) fresh_q[tag2_q] <= 1'b0;
      if (grant_i) fresh_q[grant_tag_i] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    {sop2_q, eop2_q, err2_q, known2_q} <= {sop1_q, eop1_q, err1_q, known1_q};
    {data2_q, sc2_q, ur2_q, strb2_q, beat2_q} <= {data1_q, sc1_q, ur1_q, strb1_q, beat1_q};
    {tag2_q, bytes2_q, len2_q, over2_q} <= {tag1_q, bytes1_q, len1_q, over1_q};
    live2_q <= here;
    dw2_q   <= same ? next_dw : fresh ? g_dw : n_dw;
    left2_q <= same ? next_bytes : fresh ? g_bytes : n_bytes;
    lead2_q <= !same && fresh ? g_lead : 2'd0;
  end

  // ---- 2: is it that? ----
  // The read ends with word number ceil((ByteCount + lead) / 4): so many more than ByteCount / 4.
  logic [2:0] sum, need;
  logic       last, wrong;
  assign sum   = {1'b0, bytes2_q[1:0]} + {1'b0, lead2_q};
  assign need  = sum == 3'd0 ? 3'd1 : sum <= 3'd4 ? 3'd2 : 3'd3;
  assign last  = over2_q == need;
  assign wrong = !data2_q || bytes2_q != left2_q || over2_q > need;
  // Still: it was so in the cycle before.
  assign lives = live2_q && !(end_o && end_tag_o == tag2_q) && !(expire_i && expire_tag_i == tag2_q);

  // The form of a beat: words that are still to come, and what of them are here.
  logic              open_q, fit;
  logic [10:0]       togo_q, togo;
  logic [BeatDw-1:0] want;
  assign start = v2_q && sop2_q;
  assign mid   = v2_q && !sop2_q && open_q;
  assign togo  = sop2_q ? (data2_q ? len2_q : 11'd0) : togo_q;
  assign fit   = strb2_q == want && eop2_q == (togo <= 11'(BeatDw));
  always_comb for (int unsigned i = 0; i < BeatDw; i++) want[i] = 11'(i) < togo;

  // ---- 3: the verdict so far; the words of the beat ----
  logic              v3_q, eop3_q, known3_q, mine3_q, fail3_q, ur3_q, wrong3_q, last3_q, err3_q, form3_q, write3_q;
  logic [TagW-1:0]   tag3_q;
  logic [BeatDw-1:0] want3_q;
  logic [DwW-1:0]    dw3_q;
  logic [DataW-1:0]  beat3_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= 1'b0;
      v3_q    <= 1'b0;
    end else begin
      if (v2_q) open_q <= (start || open_q) && !eop2_q;
      v3_q <= start || mid;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start || mid) begin
      togo_q  <= togo < 11'(BeatDw) ? 11'd0 : togo - 11'(BeatDw);
      eop3_q  <= eop2_q;
      want3_q <= want;
      beat3_q <= beat2_q;
    end
    if (start) begin
      tag3_q   <= tag2_q;
      known3_q <= known2_q;
      fail3_q  <= !sc2_q;
      ur3_q    <= ur2_q;
      wrong3_q <= sc2_q && wrong;
      last3_q  <= last;
      write3_q <= sc2_q && !wrong;
      err3_q   <= err2_q;
      form3_q  <= fit;
      dw3_q    <= dw2_q;
    end else if (mid) begin
      err3_q  <= err3_q || err2_q;
      form3_q <= form3_q && fit;
      dw3_q   <= dw3_q + DwW'(BeatDw);
    end
    // Once the tag is no longer live, what is still to come of this completion is of nobody's. It is live until it ends
    // or is given up, so it need not be looked for among all.
    if (start) mine3_q <= lives;
    else mine3_q <= mine3_q && !end_o && !(expire_i && expire_tag_i == tag3_q);
  end

  logic done, cut, good_form;
  assign cut       = start && open_q;
  assign done      = (v3_q && eop3_q) || cut;
  assign good_form = form3_q && known3_q && !cut;

  assign malformed_o = done && (!good_form || (mine3_q && wrong3_q));
  assign stray_o     = done && good_form && !mine3_q;
  assign end_bad_o   = !good_form || wrong3_q;
  assign end_o       = done && mine3_q && (end_bad_o || fail3_q || last3_q);
  assign mark_o      = done && mine3_q && (end_bad_o || fail3_q || err3_q);
  assign mark_ur_o   = ur3_q && !end_bad_o && !err3_q;
  assign end_tag_o   = tag3_q;

  // Lane l gets word (l - rot) of the beat; below rot it is in the next word of the memory.
  logic [LaneW-1:0]  rot;
  logic [BeatDw-1:0] lanes;
  assign rot = dw3_q[LaneW-1:0];
  always_comb begin
    wdata_o = beat3_q;
    lanes   = want3_q;
    for (int l = LaneW - 1; l >= 0; l--) begin
      if (rot[l]) begin
        wdata_o = (wdata_o << (32 << l)) | (wdata_o >> (DataW - (32 << l)));
        lanes   = (lanes << (1 << l)) | (lanes >> (BeatDw - (1 << l)));
      end
    end
    for (int unsigned l = 0; l < BeatDw; l++) waddr_o[WordW*l+:WordW] = dw3_q[DwW-1:LaneW] + WordW'(LaneW'(l) < rot);
    we_o = v3_q && write3_q && mine3_q ? lanes : '0;
  end

`ifdef FORMAL
`include "nic_rd_cpl_props.svh"
`endif

endmodule

`default_nettype wire
