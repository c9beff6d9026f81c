// SPDX-License-Identifier: Apache-2.0
// nic_ctx_load: reads a context from memory, and gives it word by word.
//
//   start {page or answers} --> job (nic_rd)      item --> | beat | --word--> [ 32 + 2 x Replay words ] --> word
//                                                                `--> OPEN, ANSWERS, consumer, producer
//
// P1  A start makes one job, of 256 bytes at the context or of 16 bytes for each of answers_o at 256 behind it.
// P2  done_o when its item has come whole; err_o says that one of its beats bore err.
// P3  word_o is word at_i of the last page (0 to 31), or of the last answers (from 32 on), a cycle after at_i.
// P4  open_o, answers_o (at most Replay), cons_o and prod_o are what the last page said.
// P5  A beat is taken in as many cycles as it has words, whatever else happens: others' items wait for nothing else.
//
// Cost: RAM of 64 x (32 + 2 x Replay) bits, a beat.
// Rules of README.md: CTX-2, CTX-3, CTX-5.
`default_nettype none

module nic_ctx_load #(
  parameter int unsigned Replay = 16,
  localparam int unsigned Words = 32 + 2 * Replay,
  localparam int unsigned AtW = $clog2(Words)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  input  wire logic            start_i,
  input  wire logic            more_i,     // the answers, not the page
  input  wire logic [15:0]     rid_i,
  input  wire logic [63:0]     va_i,       // of the context; with start_i
  output logic                 done_o,
  output logic                 err_o,
  output logic                 open_o,
  output logic      [6:0]      answers_o,
  output logic      [15:0]     cons_o,
  output logic      [15:0]     prod_o,

  input  wire logic [AtW-1:0]  at_i,
  output logic      [63:0]     word_o,

  // Memory (nic_rd)
  output logic                 job_valid_o,
  input  wire logic            job_ready_i,
  output nic_pkg::dma_t        job_o,
  input  wire logic            in_valid_i,
  output logic                 in_ready_o,
  input  wire nic_pkg::bytes_t in_beat_i
);

  if (Replay < 1 || Replay > 64) begin : gen_bad_replay $error("nic_ctx_load: Replay must be 1 to 64"); end

  localparam int unsigned BeatWords = nic_pkg::BeatBytes / 8;
  localparam int unsigned CntW = $clog2(BeatWords + 1);

  localparam logic [AtW-1:0] AtProd = AtW'(nic_reg_pkg::RegQP_PROD >> 3);
  localparam logic [AtW-1:0] AtSts = AtW'(nic_reg_pkg::RegQP_STS >> 3);
  localparam logic [AtW-1:0] AtMsg = AtW'(nic_reg_pkg::RegQP_MSG >> 3);
  localparam logic [AtW-1:0] AtOpen = AtW'(16);

  logic                      job_q, busy_q, done_q, err_q, open_q, take, last_q, page_q;
  logic [63:0]               va_q;
  logic [12:0]               len_q;
  logic [15:0]               rid_q, cons_q, prod_q;
  logic [6:0]                answers_q;
  logic [nic_pkg::DataW-1:0] beat_q;
  logic [CntW-1:0]           left_q;  // words of the beat at hand
  logic [AtW-1:0]            to_q;    // where the next one goes
  logic                      we;

  nic_reg_pkg::qp_msg_t  msg;
  nic_reg_pkg::qp_sts_t  sts;
  nic_reg_pkg::qp_prod_t prod;
  assign {msg, sts, prod} = {3{beat_q[63:0]}};

  assign we         = left_q != '0;
  assign in_ready_o = busy_q && (left_q == '0 || left_q == CntW'(1));
  assign take       = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      job_q  <= 1'b0;
      busy_q <= 1'b0;
      done_q <= 1'b0;
      left_q <= '0;
    end else begin
      done_q <= left_q == CntW'(1) && last_q;
      if (start_i) {job_q, busy_q} <= 2'b11;
      else begin
        if (job_ready_i) job_q <= 1'b0;
        if (take && in_beat_i.last) busy_q <= 1'b0;
      end
      if (take) left_q <= CntW'((in_beat_i.bytes + 7'd7) >> 3);
      else if (we) left_q <= left_q - CntW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      va_q   <= more_i ? va_i + 64'd256 : va_i;
      len_q  <= more_i ? {2'd0, answers_q, 4'd0} : 13'd256;
      rid_q  <= rid_i;
      to_q   <= more_i ? AtW'(32) : '0;
      page_q <= !more_i;
      err_q  <= 1'b0;
    end else begin
      if (we) to_q <= to_q + AtW'(1);
      if (take && in_beat_i.err) err_q <= 1'b1;
    end
    if (take) {last_q, beat_q} <= {in_beat_i.last, in_beat_i.data};
    else if (we) beat_q <= beat_q >> 64;
    if (we && page_q) begin
      if (to_q == AtProd) prod_q <= prod.PROD;
      if (to_q == AtSts) cons_q <= sts.CONS;
      if (to_q == AtMsg) answers_q <= 32'(msg.ANSWERS) > Replay ? 7'(Replay) : msg.ANSWERS;
      if (to_q == AtOpen) open_q <= beat_q[0];
    end
  end

  cm_ram #(
    .Width(64),
    .Depth(Words)
  ) u_words (
    .clk_i,
    .we_i(we),
    .waddr_i(to_q),
    .wdata_i(beat_q[63:0]),
    .re_i(!we),
    .raddr_i(at_i),
    .rdata_o(word_o)
  );

  always_comb begin
    job_o     = '0;
    job_o.rid = rid_q;
    job_o.src = nic_pkg::SrcCtx;
    job_o.va  = va_q;
    job_o.len = len_q;
    job_o.op  = nic_pkg::DmaRead;
  end
  assign job_valid_o = job_q;
  assign done_o      = done_q;
  assign err_o       = err_q;
  assign open_o      = open_q;
  assign answers_o   = answers_q;
  assign cons_o      = cons_q;
  assign prod_o      = prod_q;

  logic unused;
  assign unused = ^{msg, sts, prod, in_beat_i.ur};

`ifdef FORMAL
`include "nic_ctx_load_props.svh"
`endif

endmodule

`default_nettype wire
