// SPDX-License-Identifier: Apache-2.0
// nic_ctx_move: moves a queue pair out of its place and into one, word by word over the register bus.
//
//   off    QP_CTL <- 0
//   save   QP_CTL, QP_MAC ... QP_REST, answers --> nic_ctx_save
//   load   nic_ctx_load --> QP_MAC ... QP_BEGIN_REST, QP_NAME, answers, QP_CTL (on), QP_PROD if it is not the consumer
//   ring   nic_ctx_bell --> QP_PROD
//
// P1  A command makes these accesses, in this order, each once, of the queue pair place_i; done_o with the last.
// P2  save: each word goes to nic_ctx_save as it is read: the page behind save_va_i, as many answers as its QP_MSG said
//     (at most Replay) 256 bytes behind.
// P3  load: each register gets the word of nic_ctx_load that says from where it goes on (CTX-5); QP_NAME name_i; QP_CTL
//     also EN.
// P4  ring: the producer is taken from nic_ctx_bell while the bus is the NIC's: nothing can ring between.
// P5  Between two accesses software has its turn.
//
// A command that is withdrawn (only load is, and only while the bus is software's) ends at once.
// An access takes 9 cycles, more if software has one, or if it waits for decisions.
// Cost: 40 flip-flops, a multiplexer of addresses.
// Rules of README.md: CTX-5, CTX-7.
`default_nettype none

module nic_ctx_move #(
  parameter int unsigned Replay = 16,
  localparam int unsigned AtW = $clog2(32 + 2 * Replay)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  // Commands: one of these, until done_o
  input  wire logic            off_i,
  input  wire logic            save_i,
  input  wire logic            load_i,
  input  wire logic            ring_i,
  input  wire logic [7:0]      place_i,
  input  wire logic [11:0]     name_i,
  output logic                 done_o,

  // Register bus (nic_ctx_bus)
  output logic                 want_o,
  input  wire logic            own_i,
  output logic                 acc_valid_o,
  output logic                 acc_write_o,
  output logic      [19:3]     acc_addr_o,
  output logic      [63:0]     acc_wdata_o,
  input  wire logic            acc_done_i,
  input  wire logic [63:0]     acc_rdata_i,

  // nic_ctx_load
  output logic      [AtW-1:0]  at_o,
  input  wire logic [63:0]     word_i,
  input  wire logic [6:0]      answers_i,
  input  wire logic [15:0]     cons_i,
  input  wire logic [15:0]     prod_i,

  // nic_ctx_save: begin_o: of the page, or of the answers
  output logic                 begin_o,
  output logic                 begin_more_o,
  output logic                 put_valid_o,
  input  wire logic            put_ready_i,
  output logic      [63:0]     put_o,
  output logic                 put_last_o,
  input  wire logic            put_idle_i,

  // nic_ctx_bell
  output logic                 take_o,
  input  wire logic            take_done_i,
  input  wire logic [15:0]     take_prod_i
);

  if (Replay < 1 || Replay > 64) begin : gen_bad_replay $error("nic_ctx_move: Replay must be 1 to 64"); end

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StWant = 3'd1;
  localparam logic [2:0] StTake = 3'd2;    // ring: the producer
  localparam logic [2:0] StAccess = 3'd3;
  localparam logic [2:0] StPut = 3'd4;     // the bus is given back; save: the word that has been read
  localparam logic [2:0] StNext = 3'd5;
  logic [2:0] state_q;

  // Words of the page are saved from 0 to LastWord; of a load, FirstName is QP_NAME.
  localparam logic [4:0] LastWord = 5'(nic_reg_pkg::RegQP_REST >> 3);
  localparam logic [4:0] MsgWord = 5'(nic_reg_pkg::RegQP_MSG >> 3);
  localparam logic [4:0] CtlWord = 5'(nic_reg_pkg::RegQP_CTL >> 3);
  localparam logic [4:0] ProdWord = 5'(nic_reg_pkg::RegQP_PROD >> 3);
  localparam logic [4:0] NameWord = 5'(nic_reg_pkg::RegQP_NAME >> 3);
  localparam logic [4:0] Names = 5'd12;

  // What is loaded into the k-th register: its word, and that of the context.
  function automatic logic [9:0] loads(input logic [4:0] k);
    unique case (k)
      5'd0:  loads = {2{5'(nic_reg_pkg::RegQP_MAC >> 3)}};
      5'd1:  loads = {2{5'(nic_reg_pkg::RegQP_PEER >> 3)}};
      5'd2:  loads = {5'(nic_reg_pkg::RegQP_PSN >> 3), 5'(nic_reg_pkg::RegQP_NOW >> 3)};
      5'd3:  loads = {2{5'(nic_reg_pkg::RegQP_RING >> 3)}};
      5'd4:  loads = {2{5'(nic_reg_pkg::RegQP_RINGC >> 3)}};
      5'd5:  loads = {2{5'(nic_reg_pkg::RegQP_IP6_HI >> 3)}};
      5'd6:  loads = {2{5'(nic_reg_pkg::RegQP_IP6_LO >> 3)}};
      5'd7:  loads = {2{5'(nic_reg_pkg::RegQP_VLAN >> 3)}};
      5'd8:  loads = {5'(nic_reg_pkg::RegQP_BEGIN >> 3), 5'(nic_reg_pkg::RegQP_STS >> 3)};
      5'd9:  loads = {5'(nic_reg_pkg::RegQP_BEGIN_MSG >> 3), 5'(nic_reg_pkg::RegQP_MSG >> 3)};
      5'd10: loads = {5'(nic_reg_pkg::RegQP_BEGIN_VA >> 3), 5'(nic_reg_pkg::RegQP_VA >> 3)};
      5'd11: loads = {5'(nic_reg_pkg::RegQP_BEGIN_REST >> 3), 5'(nic_reg_pkg::RegQP_REST >> 3)};
      default: loads = {NameWord, 5'd0};
    endcase
  endfunction

  // Where a command is: page, answers, and of a load then QP_CTL and QP_PROD.
  localparam logic [1:0] PtPage = 2'd0;
  localparam logic [1:0] PtAnswers = 2'd1;
  localparam logic [1:0] PtCtl = 2'd2;
  localparam logic [1:0] PtProd = 2'd3;
  logic [1:0]  part_q, part_d;
  logic [4:0]  k_q;           // word of the page, or register of the load
  logic [6:0]  n_q;           // word of the answers
  logic [7:0]  words, saved_q;  // words of answers; those that a save has found
  logic [63:0] data_q;        // what was read, or the producer
  logic        any, last_page, last_answer, ends;
  logic [4:0]  to, from;
  nic_reg_pkg::qp_msg_t msg;

  assign any         = off_i || save_i || load_i || ring_i;
  assign words       = save_i ? saved_q : {answers_i, 1'b0};
  assign last_page   = k_q == (save_i ? LastWord : Names);
  assign last_answer = {1'b0, n_q} + 8'd1 == words;
  assign {to, from}  = loads(k_q);
  assign msg         = acc_rdata_i;

  // The part that follows the word at hand.
  always_comb begin
    part_d = part_q;
    if (part_q == PtPage && last_page) part_d = words != '0 ? PtAnswers : PtCtl;
    else if (part_q == PtAnswers && last_answer) part_d = PtCtl;
    else if (part_q == PtCtl) part_d = PtProd;
  end
  assign ends = off_i || ring_i || (save_i && part_d == PtCtl) ||
                (load_i && ((part_q == PtCtl && prod_i == cons_i) || part_q == PtProd));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !any) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:   if (!save_i || put_idle_i) state_q <= StWant;
        StWant:   if (own_i) state_q <= ring_i ? StTake : StAccess;
        StTake:   if (take_done_i) state_q <= StAccess;
        StAccess: if (acc_done_i) state_q <= StPut;
        StPut:    if (!save_i || put_ready_i) state_q <= StNext;
        // software's turn; the answers of a save begin when the page has gone
        default:  if (ends) state_q <= StIdle;
                  else if (!save_i || part_d == part_q || put_idle_i) state_q <= StWant;
      endcase
    end
  end

  logic next;
  assign next = state_q == StNext && !ends && (!save_i || part_d == part_q || put_idle_i);
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      part_q <= PtPage;
      k_q    <= '0;
      n_q    <= '0;
    end else if (next) begin
      part_q <= part_d;
      k_q    <= k_q + 5'd1;
      if (part_q == PtAnswers) n_q <= n_q + 7'd1;
    end
    if (state_q == StAccess && acc_done_i) data_q <= acc_rdata_i;
    else if (state_q == StTake && take_done_i) data_q <= {48'd0, take_prod_i};
    if (state_q == StAccess && acc_done_i && part_q == PtPage && k_q == MsgWord)
      saved_q <= 32'(msg.ANSWERS) > Replay ? 8'(2 * Replay) : {msg.ANSWERS, 1'b0};
  end

  // ---- accesses ----
  logic [4:0] word;
  always_comb begin
    word = save_i ? k_q : to;
    if (off_i || part_q == PtCtl) word = CtlWord;
    if (ring_i || part_q == PtProd) word = ProdWord;
    at_o = AtW'(from);
    if (part_q == PtAnswers) at_o = AtW'(32) + AtW'(n_q);
    if (part_q == PtCtl) at_o = AtW'(CtlWord);
    if (part_q == PtProd) at_o = AtW'(ProdWord);
    acc_wdata_o = word_i;
    if (off_i) acc_wdata_o = '0;
    if (ring_i) acc_wdata_o = data_q;
    if (load_i && part_q == PtCtl) acc_wdata_o[nic_reg_pkg::QP_CTL_EN_Lsb] = 1'b1;
    if (load_i && part_q == PtProd) acc_wdata_o = {48'd0, prod_i};
    if (load_i && part_q == PtPage && k_q == Names) acc_wdata_o = {52'd0, name_i};
  end
  assign acc_addr_o  = part_q == PtAnswers ? {2'(nic_reg_pkg::RegQP_ANSWER_PSN >> 18), place_i, n_q} :
                                             {4'(nic_reg_pkg::RegQP_CTL >> 16), place_i, word};
  assign acc_write_o = !save_i;
  assign acc_valid_o = state_q == StAccess;
  assign want_o      = state_q == StWant || state_q == StTake || state_q == StAccess;
  assign take_o      = state_q == StTake;

  assign begin_o      = (state_q == StIdle && save_i && put_idle_i) || (next && save_i && part_d != part_q);
  assign begin_more_o = state_q != StIdle;
  assign put_valid_o  = state_q == StPut && save_i;
  assign put_o        = data_q;
  assign put_last_o   = part_q == PtAnswers ? last_answer : last_page;

  assign done_o = state_q == StNext && ends;

  logic unused;
  assign unused = ^msg;

`ifdef FORMAL
`include "nic_ctx_move_props.svh"
`endif

endmodule

`default_nettype wire
