// SPDX-License-Identifier: Apache-2.0
// ax_host_rd: memory reads that leave the IOMMU become AXI4 bursts, their data completions.
//
//   request --> aa_cpl_gen --> nic_split --chunk--+--> | AR | --> ar
//                                                 `--> | chunks |--v
//   cpl <-- ax_align <-- choose <-- | words | <-- r    | ends | <-- rlast
//
// P1  A read is answered by completions that have its bytes in order, cut at multiples of 128 << cfg_mps_i (at most
//     MaxCpl): Length, ByteCount, LowerAddress, tag, requester id as PCIe wants them; requests are answered in order.
// P2  A chunk is one INCR burst of whole words, with id 0. Its completion begins when all of it is here, so an error is
//     known.
// P3  A chunk with an error ends its read: one completion without data, UR for DECERR, completer abort for SLVERR; what
//     comes of the read behind it is dropped.
// P4  Without a byte enabled: a completion of one DW, and memory is not asked. What is not a memory read: UR.
// P5  A burst is asked for when there is room for its data: rready_o is always 1.
// P6  A waiting AR or beat never changes, and its valid falls only when it has left. Rate: a word a cycle, if Words
//     hold two completions and what memory's latency costs.
//
// Cost: block RAM of Words words, ax_align.
// One file: P3 drops what comes of a read that has ended: what was asked, what came and what leaves are one count.
`default_nettype none

module ax_host_rd #(
  parameter int unsigned MaxCpl = 256,  // bytes of a completion
  parameter int unsigned Words = 64,    // room for data that were asked for, in words
  parameter int unsigned Chunks = 8,    // bursts under way
  localparam int unsigned DataW = cm_pkg::DataW
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [2:0]       cfg_mps_i,  // 128 << n

  // Headers of requests
  input  wire logic             req_valid_i,
  output logic                  req_ready_o,
  input  wire logic [127:0]     req_hdr_i,

  // AXI4
  output logic      [63:0]      araddr_o,
  output logic      [7:0]       arlen_o,
  output logic      [15:0]      aruser_o,   // requester id
  output logic                  arvalid_o,
  input  wire logic             arready_i,
  input  wire logic [DataW-1:0] rdata_i,
  input  wire logic [1:0]       rresp_i,
  input  wire logic             rlast_i,
  input  wire logic             rvalid_i,
  output logic                  rready_o,

  // Completions
  output logic                  cpl_valid_o,
  input  wire logic             cpl_ready_i,
  output cm_pkg::tlp_t          cpl_o
);

  localparam int unsigned BeatDw = cm_pkg::BeatDw;
  localparam int unsigned LaneW = $clog2(BeatDw);
  localparam int unsigned LevelW = $clog2(Words + 1);
  localparam int unsigned CountW = 12 - LaneW;

  if (32'(Words) < MaxCpl / (DataW / 8) || Words < 3) begin : gen_bad_words
    $error("ax_host_rd: Words must hold a completion of MaxCpl bytes, and be at least 3");
  end

  // ---- a request: header of its first completion, bytes ----
  logic          is_read, none, ch_valid, ch_ready, ch_first, ch_last, ch_empty;
  logic [127:0]  ch_hdr;
  cm_pkg::tlp_req_t req;
  cm_pkg::tlp_cpl_t gen;
  logic [63:0]   base;
  logic [1:0]    ch_lead;
  logic [11:0]   ch_span;
  nic_pkg::dma_t job, ch_job;
  logic unused_req;
  assign req     = req_hdr_i;
  assign unused_req = &{1'b0, req};
  assign is_read = (req.op & cm_pkg::AnyFour) == cm_pkg::OpRead;
  assign none    = req.len == 10'd1 && req.fbe == '0;
  assign base    = cm_pkg::tlp_addr(req_hdr_i);
  aa_cpl_gen u_gen (
    .data_i(is_read),
    .req_i(req_hdr_i),
    .cpl_o(gen)
  );

  // The header travels where an atomic has its operands.
  always_comb begin
    job                     = '0;
    job.op                  = nic_pkg::DmaRead;
    job.rid                 = req.rid;
    job.va                  = {base[63:2], gen.lower[1:0]};
    job.len                 = !is_read || none ? 13'd0 : {gen.count == '0, gen.count};
    {job.swap, job.compare} = gen;
  end
  nic_split #(
    .Write(1'b0),
    .MaxSize(MaxCpl)
  ) u_split (
    .clk_i,
    .rst_ni,
    .size_i(cfg_mps_i),
    .job_valid_i(req_valid_i),
    .job_ready_o(req_ready_o),
    .job_i(job),
    .valid_o(ch_valid),
    .ready_i(ch_ready),
    .first_o(ch_first),
    .last_o(ch_last),
    .empty_o(ch_empty),
    .lead_o(ch_lead),
    .span_o(ch_span),
    .one_o(),
    .hdr_o(ch_hdr),
    .job_o(ch_job)
  );

  // ---- a chunk: its burst, and its completion's header ----
  cm_pkg::tlp_cpl_t  first_hdr, hdr;
  logic [63:0]       ch_va;
  logic [9:0]        ch_dws;   // 1024 as 0
  logic [11:0]       ch_sum;
  logic [CountW-1:0] ch_words;
  logic [11:0]       left_q, left;  // ByteCount
  logic              ar_valid_q, ar_room, list_ready, issue;
  logic [63:0]       ar_addr_q;
  logic [7:0]        ar_len_q;
  logic [15:0]       ar_rid_q;
  logic [LevelW-1:0] room_q;  // words neither here nor asked for
  assign first_hdr = {ch_job.swap, ch_job.compare};
  assign ch_va     = cm_pkg::tlp_addr(ch_hdr) & ~64'd3;
  assign ch_dws    = ch_empty ? first_hdr.len : ch_span[11:2] + 10'd1;
  assign ch_sum    = 12'(ch_va[LaneW+1:2]) + 12'(ch_span[11:2]);
  assign ch_words  = CountW'(ch_sum[11:LaneW]) + CountW'(1);
  assign left      = ch_first ? first_hdr.count : left_q;
  assign ar_room   = ch_empty || ((!ar_valid_q || arready_i) && 32'(room_q) >= 32'(ch_words));
  assign ch_ready  = list_ready && ar_room;
  assign issue     = ch_valid && ch_ready && !ch_empty;
  always_comb begin
    hdr       = first_hdr;
    hdr.len   = ch_dws;
    hdr.count = left;
    if (!ch_first) hdr.lower = '0;
  end

  logic word_out;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_valid_q <= 1'b0;
      room_q     <= LevelW'(Words);
    end else begin
      if (issue) ar_valid_q <= 1'b1;
      else if (arready_i) ar_valid_q <= 1'b0;
      room_q <= room_q - (issue ? LevelW'(ch_words) : '0) + LevelW'(word_out);
    end
  end
  always_ff @(posedge clk_i) begin
    if (ch_valid && ch_ready) left_q <= left - ch_span - 12'd1 + 12'(ch_lead);
    if (issue) begin
      ar_addr_q <= {ch_va[63:LaneW+2], (LaneW + 2)'(0)};
      ar_len_q  <= 8'(ch_sum[11:LaneW]);
      ar_rid_q  <= ch_job.rid;
    end
  end
  assign araddr_o  = ar_addr_q;
  assign arlen_o   = ar_len_q;
  assign aruser_o  = ar_rid_q;
  assign arvalid_o = ar_valid_q;
  assign rready_o  = 1'b1;

  // ---- what was asked for, and what has come ----
  logic             d_valid, d_pop, d_empty, d_last, w_valid, w_ready, e_valid, e_pop, unused_words, unused_ends;
  cm_pkg::tlp_cpl_t d_hdr;
  logic [LaneW-1:0] d_at;
  logic [DataW-1:0] w_data;
  logic [1:0]       e_resp, resp_q, resp;
  logic [$clog2(Chunks+1)-1:0] unused_list, unused_end;
  logic [LevelW-1:0] unused_level;
  cm_fifo #(
    .Width(2 + LaneW + 128),
    .Depth(Chunks)
  ) u_list (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(ch_valid && ar_room),
    .in_ready_o(list_ready),
    .in_data_i({ch_empty, ch_last, ch_va[LaneW+1:2], hdr}),
    .out_valid_o(d_valid),
    .out_ready_i(d_pop),
    .out_data_o({d_empty, d_last, d_at, d_hdr}),
    .level_o(unused_list)
  );
  cm_fifo_ram #(
    .Width(DataW),
    .Depth(Words)
  ) u_words (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(rvalid_i),
    .in_ready_o(unused_words),
    .in_data_i(rdata_i),
    .out_valid_o(w_valid),
    .out_ready_i(w_ready),
    .out_data_o(w_data),
    .level_o(unused_level)
  );
  // The worst response of a burst.
  assign resp = resp_q | (rresp_i & {2{rresp_i[1]}});
  always_ff @(posedge clk_i) begin
    if (!rst_ni) resp_q <= '0;
    else if (rvalid_i) resp_q <= rlast_i ? '0 : resp;
  end
  cm_fifo #(
    .Width(2),
    .Depth(Chunks)
  ) u_ends (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(rvalid_i && rlast_i),
    .in_ready_o(unused_ends),
    .in_data_i(resp),
    .out_valid_o(e_valid),
    .out_ready_i(e_pop),
    .out_data_o(e_resp),
    .level_o(unused_end)
  );

  // ---- completions ----
  logic              dead_q, good, bad, silent, drop_last, al_valid, al_ready, al_in_ready, al_first, al_last, al_end,
                     short, word_last;
  logic [DataW-1:0]  al_data;
  logic [BeatDw-1:0] al_strb;
  logic [CountW-1:0] gone_q;   // words of a bad chunk that have been dropped
  logic [10:0]       d_dws;
  logic [11:0]       d_sum;
  cm_pkg::tlp_t      one;
  cm_pkg::tlp_cpl_t  answer;
  assign d_dws = {d_hdr.len == '0, d_hdr.len};
  assign d_sum = 12'(d_at) + 12'(d_dws) - 12'd1;

  assign good   = d_valid && !d_empty && e_valid && e_resp == '0 && !dead_q;
  assign bad    = d_valid && !d_empty && e_valid && (e_resp != '0 || dead_q);
  assign silent = dead_q;  // its read has been answered
  assign short  = d_valid && (d_empty || (bad && word_last));
  assign word_last = {1'b0, gone_q} == (CountW + 1)'(d_sum[11:LaneW]);
  assign drop_last = bad && word_last && w_valid && (silent || cpl_ready_i);

  ax_align u_align (
    .clk_i,
    .rst_ni,
    .item_valid_i(good),
    .item_ready_o(al_end),
    .in_at_i(d_at),
    .out_at_i(LaneW'(0)),
    .dws_i(d_dws),
    .in_valid_i(w_valid && good),
    .in_ready_o(al_in_ready),
    .in_data_i(w_data),
    .out_valid_o(al_valid),
    .out_ready_i(al_ready),
    .out_data_o(al_data),
    .strb_o(al_strb),
    .first_o(al_first),
    .last_o(al_last)
  );
  assign al_ready = cpl_ready_i;
  assign w_ready  = good ? al_in_ready : bad && (!word_last || silent || cpl_ready_i);
  assign word_out = w_valid && w_ready;
  assign e_pop    = (good && al_end) || drop_last;
  assign d_pop    = e_pop || (d_valid && d_empty && cpl_ready_i);

  always_comb begin
    one      = '0;
    one.sop  = 1'b1;
    one.eop  = 1'b1;
    one.strb = BeatDw'(d_hdr.op[cm_pkg::OpData]);
    answer   = d_hdr;
    if (!d_empty) begin  // an error: no data
      answer.op     = cm_pkg::OpCpl;
      answer.len    = '0;
      answer.status = e_resp[0] ? 3'd1 : 3'd4;
      one.strb      = '0;
    end
    one.hdr = answer;
  end
  always_comb begin
    cpl_o = one;
    if (good) begin
      cpl_o.sop  = al_first;
      cpl_o.eop  = al_last;
      cpl_o.strb = al_strb;
      cpl_o.hdr  = d_hdr;
      cpl_o.data = al_data;
    end
  end
  assign cpl_valid_o = good ? al_valid : short && (d_empty || (w_valid && !silent));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dead_q <= 1'b0;
      gone_q <= '0;
    end else begin
      if (d_pop) dead_q <= !d_last && (dead_q || bad);
      if (d_pop) gone_q <= '0;
      else if (bad && word_out) gone_q <= gone_q + CountW'(1);
    end
  end

`ifdef FORMAL
`include "ax_host_rd_props.svh"
`endif

endmodule

`default_nettype wire
