// SPDX-License-Identifier: Apache-2.0
// aa_log_pack: turns segments of memory (an address and granules of data) into AXI write bursts of whole bus words.
//
//   segment beats --> rotate --> | low word | high word |
//                                  + residue -> w         high word -> residue (the word that is not yet full)
//
// A segment is a run of granules (Gran bytes), of which the first 16 bytes may come as a header beside the data. What
// does not fill a bus word stays behind as the residue. If the next segment starts in the same word while it waits, the
// two are merged, so entries that lie back to back cost no extra beat; otherwise the residue leaves as a burst of its
// own. Segments of two logs are never merged: a burst that fails is one log's.
//
// P1  Every granule of a segment is written, at its address, exactly once; no other byte is.
// P2  Bursts stay inside a 4 KiB page; w_last_o is on the beat that aw_len_o announced.
// P3  What is offered on aw or w stays until it is taken; w is never taken before its aw.
// P4  done_id_o are the ids of segments with done, in order, each after the response to the burst with its last
//     granule.
// P5  Nothing waits for a segment that has not come: a residue leaves when no mergeable segment is there.
// P6  aw_log_o is the log of every granule in the burst.
//
// Rate: a beat in and a beat out per cycle, bursts of one beat included. Latency none to aw / w, 2 from b to done.
// Cost: one bus word of flip-flops, about 4 LUT4 a bit at 8 granules a word and 5 with headers, two small FIFOs.
// One file: rotation, residue and burst are one step a beat, and P1 counts granules over all of it.
// Rules of README.md: ERR-1.
`default_nettype none

module aa_log_pack #(
  parameter int unsigned Gran = 16,         // bytes: 4 or 16
  parameter int unsigned Outstanding = 32,  // bursts without a response
  parameter int unsigned Ids = 64,          // entries that are not done yet
  parameter bit          IdAhead = 1'b0,    // every beat waits for room for an id: in_done_i may be late
  localparam int unsigned N = cm_pkg::DataW / (8 * Gran),
  localparam int unsigned CntW = $clog2(N + 1)
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  // Segments, beat by beat. addr, total and head belong to the segment, the header to its first beat.
  input  wire logic                           in_valid_i,
  output logic                                in_ready_o,
  input  wire logic                           in_last_i,
  input  wire logic [aa_pkg::HostAddrW-1:0]   in_addr_i,
  input  wire logic [10:0]                    in_total_i,  // granules, header included
  input  wire logic                           in_head_i,   // it begins with the header; addr is then a multiple of 16
  input  wire logic [127:0]                   in_hdr_i,
  input  wire logic [cm_pkg::DataW-1:0]       in_data_i,
  input  wire logic [cm_pkg::DataW/8-1:0]     in_keep_i,   // bytes of data kept, others are written as zero
  input  wire logic [CntW-1:0]                in_cnt_i,    // granules of data in this beat
  input  wire logic                           in_done_i,   // an entry is whole with this segment, of 16 bytes at least
  input  wire aa_pkg::entry_id_t              in_id_i,     // its log is the segment's

  // AXI write source
  output logic                                aw_valid_o,
  input  wire logic                           aw_ready_i,
  output logic      [63:0]                    aw_addr_o,
  output logic      [7:0]                     aw_len_o,
  output logic      [aa_pkg::LogIdxW-1:0]     aw_log_o,
  output logic                                w_valid_o,
  input  wire logic                           w_ready_i,
  output logic      [cm_pkg::DataW-1:0]       w_data_o,
  output logic      [cm_pkg::DataW/8-1:0]     w_strb_o,
  output logic                                w_last_o,
  input  wire logic                           b_valid_i,

  // Entries whose every byte is in memory
  output logic                                done_valid_o,
  input  wire logic                           done_ready_i,
  output aa_pkg::entry_id_t                   done_id_o
);

  if (Gran != 4 && Gran != 16) begin : gen_bad_gran $error("aa_log_pack: Gran must be 4 or 16"); end
  if (Ids <= cm_pkg::DataW / 128) begin : gen_bad_ids
    $error("aa_log_pack: Ids must be more than the entries of a bus word");
  end

  localparam int unsigned G = 8 * Gran;
  localparam int unsigned H = 16 / Gran;  // granules of a header
  localparam int unsigned ByteW = $clog2(cm_pkg::DataW / 8);  // address bits inside a bus word
  localparam int LgN = ByteW - $clog2(Gran);
  localparam int unsigned WordW = aa_pkg::HostAddrW - ByteW;  // address of a bus word
  localparam int unsigned PageW = 12 - ByteW;                 // bits of it inside a page
  localparam int unsigned LeftW = 12 - LgN;                   // words of a segment
  localparam int unsigned DoneW = 3;                          // entries that end in one burst: at most 5

  // ---- state ----------------------------------------------------------------------------------------------------
  logic [cm_pkg::DataW-1:0] res_q;             // residue
  logic [cm_pkg::DataW/8-1:0] res_keep_q;      // its bytes that are not to be written as zero
  logic [N-1:0]             res_valid_q, res_valid_d;
  logic [WordW-1:0]         word_q, word_d;    // where the residue goes
  logic [LeftW-1:0]         left_q;            // full words that the segment still owes
  logic                     seg_q, seg_d;      // inside a segment
  logic [aa_pkg::LogIdxW-1:0] log_q, log;      // of the residue, or of the segment
  logic                     flush_q;           // the residue has been offered on its own
  logic                     open_q;            // inside a burst
  logic                     aw_done_q;         // aw of the waiting beat has been taken
  logic [DoneW-1:0]         ended_q, ended_d;  // entries that end in words not yet closed by a burst's last beat

  // ---- what this step is ----------------------------------------------------------------------------------------
  logic [WordW-1:0] in_word, word;
  logic waits, clash, flush, take, full, emit, fire, bfifo_ready, id_ready, id_ok, out_room;

  // in_valid_i is late (payload at hand, pad or not): in_ready_o is told for a beat that may come, so it does without.
  // No wait for an id is for ever, since the word under way holds fewer entries than there are Ids.
  assign in_word  = in_addr_i[aa_pkg::HostAddrW-1:ByteW];
  assign waits    = !seg_q && |res_valid_q;
  assign clash    = waits && (res_valid_q[N-1] || flush_q || in_word != word_q || in_id_i.log != log_q);
  assign flush    = clash || (waits && !in_valid_i);
  assign id_ok    = id_ready || (!IdAhead && !in_done_i);
  assign take     = in_valid_i && !clash && id_ok;
  assign word     = seg_q || |res_valid_q ? word_q : in_word;  // a segment that is merged starts in word_q
  assign log      = seg_q || |res_valid_q ? log_q : in_id_i.log;

  // ---- rotate and merge -----------------------------------------------------------------------------------------
  // Bytes that are not kept are masked behind the rotation: masks are cheap to rotate, and a data bit then costs one
  // LUT a level of the rotation, one for w and one for the residue.
  logic [CntW-1:0]            at;    // place of the segment's granule 0, 0..N-1
  logic [CntW-1:0]            pos;   // place of data granule 0, 0..N
  logic [2*N-1:0]             span;  // granules of low and high word that this beat fills
  logic [N-1:0]               hdr_here, low_valid, high_valid;
  logic [cm_pkg::DataW-1:0]   rot;
  logic [cm_pkg::DataW/8-1:0] keep;

  assign at   = CntW'(in_addr_i[ByteW-1:0] >> $clog2(Gran));
  assign pos  = in_head_i ? at + CntW'(H) : at;
  assign span = ~({2 * N{1'b1}} << in_cnt_i) << pos;

  // Inside a segment the residue lies where its header was, and nothing is written over it.
  assign hdr_here = in_head_i ? N'((1 << H) - 1) << at : '0;

  // Rotate left by pos (N = 0 mod N), one level of multiplexers a bit.
  always_comb begin
    rot  = in_data_i;
    keep = in_keep_i;
    for (int l = 0; l < LgN; l++) begin
      if (pos[l]) begin
        rot  = (rot << (G << l)) | (rot >> (cm_pkg::DataW - (G << l)));
        keep = (keep << (Gran << l)) | (keep >> (cm_pkg::DataW / 8 - (Gran << l)));
      end
    end
  end

  assign low_valid  = flush ? res_valid_q : res_valid_q | span[N-1:0] | hdr_here;
  assign high_valid = flush ? '0 : span[2*N-1:N];

  assign full = res_valid_q[N-1] || span[N-1] || hdr_here[N-1];
  assign emit = full || flush;  // the low word is complete, or has to go

  // A granule of the residue is loaded from the rotated beat without a multiplexer: it keeps what it has by its enable,
  // and what is not valid in it is never looked at. Only a header that does not complete its word has to get there.
  logic [N-1:0]               load, hdr_low, hdr_res;
  logic [cm_pkg::DataW/8-1:0] low_keep, from_beat, res_keep_d;
  logic [cm_pkg::DataW-1:0]   beat, low, res_d;

  assign load = emit ? '1 : ~res_valid_q;

  always_comb begin
    for (int unsigned k = 0; k < N; k++) begin
      // Data of a segment with a header never reach the first 16 bytes of the low word; one in the last completes it.
      hdr_low[k] = k < H ? in_head_i : hdr_here[k];
      hdr_res[k] = k + H < N && hdr_low[k] && !emit;
      beat[G*k+:G]            = hdr_low[k] ? in_hdr_i[G*(k%H)+:G] : rot[G*k+:G];
      from_beat[Gran*k+:Gran] = {Gran{!res_valid_q[k]}} & ({Gran{hdr_here[k]}} | keep[Gran*k+:Gran]);
      low_keep[Gran*k+:Gran]  = {Gran{res_valid_q[k]}} & res_keep_q[Gran*k+:Gran];
      res_d[G*k+:G]           = hdr_res[k] ? in_hdr_i[G*(k%H)+:G] : rot[G*k+:G];
      res_keep_d[Gran*k+:Gran] = hdr_res[k] ? '1 : keep[Gran*k+:Gran];
    end
    for (int unsigned b = 0; b < cm_pkg::DataW / 8; b++)
      low[8*b+:8] = (low_keep[b] ? res_q[8*b+:8] : 8'd0) | (from_beat[b] ? beat[8*b+:8] : 8'd0);
  end

  // ---- bursts ---------------------------------------------------------------------------------------------------
  // The page border closes a burst, so its length needs no counter of its own.
  logic [LeftW-1:0] owed, left;
  logic             page_end, past_end;

  assign owed     = LeftW'((32'(at) + 32'(in_total_i)) >> LgN);
  assign left     = seg_q ? left_q : flush ? LeftW'(1) : owed;
  assign past_end = 16'(word[PageW-1:0]) + 16'(left) >= 16'(1 << PageW);
  assign page_end = &word[PageW-1:0];

  assign aw_addr_o  = 64'({word, ByteW'(0)});
  assign aw_len_o   = past_end ? 8'((1 << PageW) - 1 - 32'(word[PageW-1:0])) : 8'(left - LeftW'(1));
  assign aw_log_o   = log;
  assign w_data_o   = low;
  assign w_last_o   = left == LeftW'(1) || page_end;
  always_comb for (int unsigned k = 0; k < N; k++) w_strb_o[Gran*k+:Gran] = {Gran{low_valid[k]}};

  assign aw_valid_o = w_valid_o && !open_q && !aw_done_q;
  assign w_valid_o  = (flush || (take && full)) && bfifo_ready;
  assign out_room   = bfifo_ready && w_ready_i && (open_q || aw_done_q || aw_ready_i);
  assign fire       = (flush || (take && full)) && out_room;
  assign in_ready_o = !clash && id_ok && (!full || out_room);

  // ---- next state -----------------------------------------------------------------------------------------------
  logic ends;
  logic [DoneW-1:0] closed;

  assign ends = take && in_last_i && in_done_i;

  always_comb begin
    res_valid_d = emit ? high_valid : low_valid;
    word_d      = emit ? word + WordW'(1) : word;
    seg_d       = !flush && !in_last_i;
    closed      = ended_q + DoneW'(ends && res_valid_d == '0);
    if (emit && w_last_o) ended_d = DoneW'(ends && res_valid_d != '0);
    else ended_d = ended_q + DoneW'(ends);
  end

  logic step;
  assign step = fire || (take && !emit);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      res_valid_q <= '0;
      seg_q       <= 1'b0;
      flush_q     <= 1'b0;
      open_q      <= 1'b0;
      aw_done_q   <= 1'b0;
      ended_q     <= '0;
    end else begin
      flush_q   <= flush && !fire;
      aw_done_q <= w_valid_o && !fire && (aw_done_q || aw_ready_i) && !open_q;
      if (fire) open_q <= !w_last_o;
      if (step) begin
        res_valid_q <= res_valid_d;
        seg_q       <= seg_d;
        ended_q     <= ended_d;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      word_q <= word_d;
      left_q <= left - LeftW'(1);
      log_q  <= log;
    end
    for (int unsigned k = 0; k < N; k++) begin
      if (step && load[k]) begin
        res_q[G*k+:G]            <= res_d[G*k+:G];
        res_keep_q[Gran*k+:Gran] <= res_keep_d[Gran*k+:Gran];
      end
    end
  end

  // ---- responses ------------------------------------------------------------------------------------------------
  // How many entries each burst makes whole; and their ids. Responses come in order. Both go into their FIFO from a
  // register, for what is pushed is known last of all; an item in the register counts for room. A response may be for
  // the burst that is still there: then it never goes in. An id is in its FIFO when its entry can be done.
  logic burst_q, burst_out, bfifo_in, bfifo_valid, unused_bfifo_ready, id_out, bfull_q, bnear_q;
  logic id_q, ifull_q, inear_q, unused_ids_ready, ids_valid;
  logic [DoneW-1:0] closed_q, bfifo_ended, burst_ended;
  logic [$clog2(Outstanding+1)-1:0] bfifo_level;
  logic [$clog2(Ids+1)-1:0] ids_level, due_q;
  aa_pkg::entry_id_t in_id_q;

  assign bfifo_ready = (!bfull_q && !(bnear_q && burst_q)) || (Outstanding == 1 && b_valid_i);
  assign id_ready    = !ifull_q && !(inear_q && id_q);

  assign burst_out   = b_valid_i && (bfifo_valid || burst_q);
  assign burst_ended = bfifo_valid ? bfifo_ended : closed_q;
  assign bfifo_in    = burst_q && (bfifo_valid || !b_valid_i);
  assign id_out      = ids_valid && done_valid_o && done_ready_i;

  // Full, and full but for one, of what is in a FIFO.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {burst_q, id_q, bfull_q, ifull_q, inear_q} <= '0;
      bnear_q <= Outstanding == 1;
    end else begin
      burst_q <= fire && w_last_o;
      id_q    <= step && ends;
      if (burst_q != burst_out) begin
        bfull_q <= burst_q && bnear_q;
        bnear_q <= burst_q ? 32'(bfifo_level) + 32'd2 == Outstanding : bfull_q;
      end
      if (id_q != id_out) begin
        ifull_q <= id_q && inear_q;
        inear_q <= id_q ? 32'(ids_level) + 32'd2 == Ids : ifull_q;
      end
    end
    closed_q <= closed;
    in_id_q  <= in_id_i;
  end

  cm_fifo #(
    .Width(DoneW),
    .Depth(Outstanding)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(bfifo_in),
    .in_ready_o(unused_bfifo_ready),
    .in_data_i(closed_q),
    .out_valid_o(bfifo_valid),
    .out_ready_i(b_valid_i),
    .out_data_o(bfifo_ended),
    .level_o(bfifo_level)
  );

  cm_fifo #(
    .Width(aa_pkg::EntryIdW),
    .Depth(Ids)
  ) u_ids (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(id_q),
    .in_ready_o(unused_ids_ready),
    .in_data_i(in_id_q),
    .out_valid_o(ids_valid),
    .out_ready_i(done_valid_o && done_ready_i),
    .out_data_o(done_id_o),
    .level_o(ids_level)
  );

  assign done_valid_o = due_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) due_q <= '0;
    else due_q <= due_q + (burst_out ? $bits(due_q)'(burst_ended) : '0) - $bits(due_q)'(done_valid_o && done_ready_i);
  end

`ifdef FORMAL
`include "aa_log_pack_props.svh"
`endif

endmodule

`default_nettype wire
