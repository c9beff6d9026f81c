// SPDX-License-Identifier: Apache-2.0
// nic_rd: DMA reads and atomics: jobs become MRd and AtomicOp TLPs, their completions become items of bytes.
//
//   job --> | job | --room--> nic_split --tag--> | two requests | --> req    cpl --> nic_rd_cpl --> memory, a lane a DW
//                     | order of jobs              nic_rd_tags <-- sent, end -------'                  |
//                     `----------------------------- all tags of the job have ended --> words --> nic_strip --> out
//
// P1  One item a job, in order of jobs, with exactly its bytes (an atomic: 8, the value before), shown when all of it
//     has arrived.
// P2  err is set for an item of which a completion had an error or was malformed, or did not come; its bytes are then
//     anything. ur: and each of these was status UR.
// P3  Requests: nic_split P1 to P4, size the smaller of MRRS and MaxRead; tag the index of one that is free; seq = src.
//     AtomicOps carry their operands (CAS: compare, then swap) and act on va with its low three bits cleared.
// P4  A waiting beat of req or out never changes, and its valid falls only when it has left.
//     job_ready_o is a register.
// P5  Every completion finds its room: it is taken before the request leaves. cpl_ready_o is always 1.
// P6  Rate: a request a cycle, a beat of completions a cycle, a beat of items a cycle, over jobs as well.
// P7  The time of a read (cfg_tmo_i) begins when its request leaves, however long that waits with its tag.
//
// Whether a chunk gets a tag is decided by registers: req_ready_i, which goes by what the other source of nic_tlp_mux
// has, chooses between two requests alone, and says when a read's time begins.
//
// The memory of ReadTags x MaxRead bytes is a ring of words that jobs take in order; a job lies in it as one piece from
// its first DW on, so a tag is free again as soon as its completions are here, and a job of 4096 bytes fits whatever
// MRRS is. Errors: pulses (stray, malformed, time-out with err_tag_o).
// Latency: job to request 4, last completion to item 6. Cost (16 tags, 256 bits):
// 3297 LUT4, 3020 flip-flops, 8 block RAMs, 9 levels (64 tags: README.md; Yosys 0.23, synth_ecp5 -nowidelut -abc9).
// One file: P5 and P6 hang on one ring of words that jobs, tags and items share; what could be apart has its block.
// Rules of README.md: MEM-2, MEM-3, MEM-7, TIM-7.
`default_nettype none

module nic_rd #(
  parameter int unsigned ReadTags = 16,
  parameter int unsigned MaxRead = 512,
  parameter int unsigned TmoW = 32  // of cfg_tmo_i; less only for the test
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic [2:0]      cfg_mrrs_i,  // 128 << n, 6 and 7 as 5; goes with the job
  input  wire logic [TmoW-1:0] cfg_tmo_i,   // cycles from the request on; 0: never
  input  wire logic            tag_free_i,  // pulse: tags that were given up may be used again

  // Jobs
  input  wire logic            job_valid_i,
  output logic                 job_ready_o,
  input  wire nic_pkg::dma_t   job_i,

  // Requests
  output logic                 req_valid_o,
  input  wire logic            req_ready_i,
  output cm_pkg::tlp_t         req_o,

  // Completions
  input  wire logic            cpl_valid_i,
  output logic                 cpl_ready_o,
  input  wire cm_pkg::tlp_t    cpl_i,

  // Items
  output logic                 out_valid_o,
  input  wire logic            out_ready_i,
  output nic_pkg::bytes_t      out_o,

  // Errors
  output logic                 err_stray_o,
  output logic                 err_malformed_o,
  output logic                 err_timeout_o,
  output logic      [7:0]      err_tag_o
);

  localparam int unsigned DataW = nic_pkg::DataW;
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned BeatDw = nic_pkg::BeatDw;
  localparam int unsigned ByteW = $clog2(BeatBytes);
  localparam int unsigned LaneW = $clog2(BeatDw);
  localparam int unsigned Words = ReadTags * MaxRead / BeatBytes;
  localparam int unsigned WordW = $clog2(Words);
  localparam int unsigned DwW = WordW + LaneW;
  localparam int unsigned LevelW = WordW + 1;
  localparam int unsigned TagW = $clog2(ReadTags);
  localparam int unsigned Slots = ReadTags;  // jobs that are inside
  localparam int unsigned SlotW = TagW;
  localparam int unsigned NeedW = 13 - ByteW + 1;  // words of a job

  if (ReadTags * MaxRead < 8192) begin : gen_bad_read_tags
    $error("nic_rd: ReadTags x MaxRead must be at least 8192, for a job of 4096 bytes at any address");
  end

  // ---- a job: how many words it needs ----
  nic_pkg::dma_t     job;
  logic [nic_pkg::DmaW-1:0] job_bits;
  logic              j_valid, j_go, j_fits, j_empty, split_ready, order_ready;
  logic [12:0]       j_span;           // its last byte, counted from the first DW
  logic [NeedW-1:0]  j_need;
  logic [LevelW-1:0] free_q;           // words that no job has
  logic              word_out;

  // Who gives jobs gives them without a look at what is free here: job_ready_o is a register. What a job needs is
  // computed behind it, since whose job it is is known late.
  cm_skid #(
    .Width(nic_pkg::DmaW)
  ) u_job (
    .clk_i,
    .rst_ni,
    .in_valid_i(job_valid_i),
    .in_ready_o(job_ready_o),
    .in_data_i(job_i),
    .out_valid_o(j_valid),
    .out_ready_i(j_go),
    .out_data_o(job_bits),
    .level_o()
  );
  assign job     = job_bits;
  assign j_span  = job.op != nic_pkg::DmaRead ? 13'd7 : job.len + {11'd0, job.va[1:0]} - 13'd1;
  assign j_empty = job.op == nic_pkg::DmaRead && job.len == '0;
  assign j_need = j_empty ? '0 : NeedW'(j_span[12:ByteW]) + NeedW'(1);
  assign j_fits = j_empty || 32'(j_span[12:ByteW]) < 32'(free_q);
  assign j_go   = j_valid && split_ready && order_ready && j_fits;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) free_q <= LevelW'(Words);
    else free_q <= free_q - (j_go ? LevelW'(j_need) : '0) + LevelW'(word_out);
  end

  // ---- its chunks get tags ----
  logic          ch_valid, ch_ready, ch_last, ch_empty, ch_atomic, tag_valid, req_room, grant, sent;
  logic [1:0]    ch_lead;
  logic [11:0]   ch_span;
  logic [127:0]  ch_hdr;
  nic_pkg::dma_t ch_job;
  logic [TagW-1:0] tag, sent_tag;
  cm_pkg::tlp_t  req;

  nic_split #(
    .Write(1'b0),
    .MaxSize(MaxRead)
  ) u_split (
    .clk_i,
    .rst_ni,
    .size_i(cfg_mrrs_i),
    .job_valid_i(j_go),
    .job_ready_o(split_ready),
    .job_i(job),
    .valid_o(ch_valid),
    .ready_i(ch_ready),
    .first_o(),
    .last_o(ch_last),
    .empty_o(ch_empty),
    .lead_o(ch_lead),
    .span_o(ch_span),
    .one_o(),
    .hdr_o(ch_hdr),
    .job_o(ch_job)
  );

  assign ch_atomic = ch_job.op != nic_pkg::DmaRead;
  assign grant     = ch_valid && !ch_empty && tag_valid && req_room;
  assign ch_ready  = ch_empty || (tag_valid && req_room);

  // Where the chunk goes: a job begins with a word of the ring.
  logic [DwW-1:0]   ring_q, ring_next;
  logic [SlotW:0]   issued_q;  // jobs of which all requests have a tag
  assign ring_next = ring_q + DwW'(ch_span[11:2]) + DwW'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ring_q   <= '0;
      issued_q <= '0;
    end else begin
      if (grant)
        ring_q <= ch_last ? {ring_next[DwW-1:LaneW] + WordW'(ring_next[LaneW-1:0] != '0), LaneW'(0)} : ring_next;
      if (ch_valid && ch_ready && ch_last) issued_q <= issued_q + (SlotW + 1)'(1);
    end
  end

  always_comb begin
    req.sop  = 1'b1;
    req.eop  = 1'b1;
    req.err  = 1'b0;
    req.seq  = ch_job.src;
    req.hdr  = ch_hdr | {48'd0, 8'(tag), 72'd0};
    req.strb = '0;
    req.data = '0;
    if (ch_atomic) begin
      req.strb[3:0] = ch_job.op == nic_pkg::DmaFetchAdd ? 4'h3 : 4'hF;
      req.data[127:0] = ch_job.op == nic_pkg::DmaFetchAdd ? {64'd0, ch_job.swap} : {ch_job.swap, ch_job.compare};
    end
  end
  cm_skid #(
    .Width(TagW + cm_pkg::TlpW)
  ) u_req (
    .clk_i,
    .rst_ni,
    .in_valid_i(grant),
    .in_ready_o(req_room),
    .in_data_i({tag, req}),
    .out_valid_o(req_valid_o),
    .out_ready_i(req_ready_i),
    .out_data_o({sent_tag, req_o}),
    .level_o()
  );
  assign sent = req_valid_o && req_ready_i;

  // ---- tags and completions ----
  logic                    end_valid, end_bad, mark, mark_ur, expire, over, busy;
  logic [TagW-1:0]         end_tag, expire_tag;
  logic [SlotW-1:0]        end_slot, expire_slot;
  logic [SlotW:0]          head_q, whole_q;
  logic [ReadTags-1:0]     live;
  logic [BeatDw-1:0]       we;
  logic [BeatDw*WordW-1:0] waddr;
  logic [DataW-1:0]        wdata;

  nic_rd_tags #(
    .ReadTags(ReadTags),
    .Slots(Slots),
    .W(TmoW)
  ) u_tags (
    .clk_i,
    .rst_ni,
    .cfg_tmo_i,
    .free_i(tag_free_i),
    .tag_valid_o(tag_valid),
    .tag_o(tag),
    .grant_i(grant),
    .grant_slot_i(issued_q[SlotW-1:0]),
    .sent_i(sent),
    .sent_tag_i(sent_tag),
    .end_i(end_valid),
    .end_bad_i(end_bad),
    .end_tag_i(end_tag),
    .expire_o(expire),
    .expire_tag_o(expire_tag),
    .over_o(over),
    .live_o(live),
    .look_tag_i(end_tag),
    .look_slot_o(end_slot),
    .expire_slot_o(expire_slot),
    .slot_i(whole_q[SlotW-1:0]),
    .busy_o(busy)
  );

  nic_rd_cpl #(
    .ReadTags(ReadTags),
    .Words(Words)
  ) u_cpl (
    .clk_i,
    .rst_ni,
    .cpl_valid_i,
    .cpl_i,
    .grant_i(grant),
    .grant_tag_i(tag),
    .grant_rid_i(ch_job.rid),
    .grant_dw_i(ring_q),
    .grant_bytes_i(13'(ch_span) + 13'd1 - 13'(ch_lead)),
    .grant_lead_i(ch_lead),
    .live_i(live),
    .expire_i(over),
    .expire_tag_i(expire_tag),
    .end_o(end_valid),
    .end_bad_o(end_bad),
    .mark_o(mark),
    .mark_ur_o(mark_ur),
    .end_tag_o(end_tag),
    .stray_o(err_stray_o),
    .malformed_o(err_malformed_o),
    .we_o(we),
    .waddr_o(waddr),
    .wdata_o(wdata)
  );

  assign cpl_ready_o   = 1'b1;
  assign err_timeout_o = expire;
  assign err_tag_o     = 8'(expire_tag);

  logic [Slots-1:0] err_q, hard_q;  // hard: not by UR alone
  logic [SlotW-1:0] in_slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_slot_q <= '0;
    else if (j_go) in_slot_q <= in_slot_q + SlotW'(1);
    for (int unsigned s = 0; s < Slots; s++) begin
      if (j_go && in_slot_q == SlotW'(s)) {err_q[s], hard_q[s]} <= 2'b00;
      if (mark && end_slot == SlotW'(s)) err_q[s] <= 1'b1;
      if (mark && !mark_ur && end_slot == SlotW'(s)) hard_q[s] <= 1'b1;
      if (expire && expire_slot == SlotW'(s)) {err_q[s], hard_q[s]} <= 2'b11;
    end
  end

  // ---- the oldest job, when it is whole ----
  // Jobs up to whole_q are: it runs ahead of head_q, so that no more than an item waits for a look at all tags.
  logic              o_valid, o_empty, o_pop, fetch, room, s_valid_q, s_last_q, s_empty_q, s_err_q, s_ur_q,
                     s_ready, o_last;
  logic [1:0]        o_lead, s_lead_q;
  logic [NeedW-1:0]  o_need, done_q;
  logic [ByteW-1:0]  o_top, s_top_q;
  logic [WordW-1:0]  read_q;
  logic [DataW-1:0]  rdata;
  logic [$clog2(Slots+1)-1:0] unused_level;

  cm_fifo #(
    .Width(1 + 2 + NeedW + ByteW),
    .Depth(Slots)
  ) u_order (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(j_go),
    .in_ready_o(order_ready),
    .in_data_i({j_empty, job.op == nic_pkg::DmaRead ? job.va[1:0] : 2'd0, j_need, j_span[ByteW-1:0]}),
    .out_valid_o(o_valid),
    .out_ready_i(o_pop),
    .out_data_o({o_empty, o_lead, o_need, o_top}),
    .level_o(unused_level)
  );

  assign room   = !s_valid_q || s_ready;
  assign fetch  = o_valid && head_q != whole_q && room;
  assign o_last = o_empty || done_q + NeedW'(1) == o_need;
  assign o_pop  = fetch && o_last;
  assign word_out = fetch && !o_empty;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q    <= '0;
      whole_q   <= '0;
      done_q    <= '0;
      read_q    <= '0;
      s_valid_q <= 1'b0;
    end else begin
      head_q  <= head_q + (SlotW + 1)'(o_pop);
      if (issued_q != whole_q && !busy) whole_q <= whole_q + (SlotW + 1)'(1);
      if (room) s_valid_q <= fetch;
      if (fetch) done_q <= o_last ? '0 : done_q + NeedW'(1);
      if (word_out) read_q <= read_q + WordW'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (fetch) begin
      s_last_q  <= o_last;
      s_empty_q <= o_empty;
      s_err_q   <= err_q[head_q[SlotW-1:0]];
      s_ur_q    <= err_q[head_q[SlotW-1:0]] && !hard_q[head_q[SlotW-1:0]];
      s_lead_q  <= o_lead;
      s_top_q   <= o_top;
    end
  end

  for (genvar l = 0; l < BeatDw; l++) begin : gen_lane
    cm_ram #(
      .Width(32),
      .Depth(Words)
    ) u_ram (
      .clk_i,
      .we_i(we[l]),
      .waddr_i(waddr[WordW*l+:WordW]),
      .wdata_i(wdata[32*l+:32]),
      .re_i(word_out && rst_ni),  // nothing is known before the first reset: no collision there either
      .raddr_i(read_q),
      .rdata_o(rdata[32*l+:32])
    );
  end

  nic_strip u_strip (
    .clk_i,
    .rst_ni,
    .in_valid_i(s_valid_q),
    .in_ready_o(s_ready),
    .in_data_i(rdata),
    .in_last_i(s_last_q),
    .in_empty_i(s_empty_q),
    .in_err_i(s_err_q),
    .in_ur_i(s_ur_q),
    .in_lead_i(s_lead_q),
    .in_stop_i(7'(s_top_q) + 7'd1),
    .out_valid_o,
    .out_ready_i,
    .out_beat_o(out_o)
  );

`ifdef FORMAL
`include "nic_rd_props.svh"
`endif

endmodule

`default_nettype wire
