// SPDX-License-Identifier: Apache-2.0
// xtq_rbuf: where arguments and payload of a message, or a SEND, go: the receive buffers that each process has posted,
// oldest first.
//
//   RB_ADDR, RB_POST --> [ RecvDepth buffers a process ] --pos--> | buffer | --> bytes fit behind offset?
//                              head, count, offset                          yes: fit_o, va_o; no: pos + 1, or none_o
//   take_i: head, offset move; what lies before is used up --> event 6, one each           RB_DROP: all are gone
//
// P1  fit_o: the bytes fit into the oldest buffer of the process in which they do, behind what is there; [va_o, va_o +
//     bytes_i) lies in it, va_o at a multiple of 64. none_o: they fit in none that is posted, one that was posted in
//     the cycle before included.
// P2  Without take_i a search changes nothing. take_i: the room is this message's; no other ever gets a byte of it.
// P3  A buffer is used up by take_i: those before the one found, and that one if less than its LEAST remains (behind
//     the next multiple of 64), or with all_i; and by RB_DROP, the oldest in which something has begun. Each used-up
//     buffer makes one event, in order, its number in `word`.
// P4  RB_POST refuses a misaligned or empty buffer and one too many (RB_STS.BAD); what is posted comes out unchanged.
// P5  RB_DROP leaves none. Those that are not used up by it are counted in GONE, and their numbers come again.
// P6  number_o and room_o: of the buffer found, and the bytes that it has from va_o on.
//
// What is read or written has been on the bus in the cycle before (env_setup). RB_DROP is not written during a search.
// find_i stays with proc_i, bytes_i and all_i until the search is given up or taken; take_i not before the cycle after
// fit_o.
// Latency: fit_o one cycle after find_i, two more for each buffer that is passed over; an event a cycle after its turn,
// one in two cycles. Cost: NumProcs x RecvDepth x 122 bits and NumProcs x 128 bits of LUT RAM; 99 + 3 log2 RecvDepth
// flip-flops a process.
// Rules of README.md: RBF-1, RBF-2, RBF-3, RBF-4, RCV-1, RCV-2, RCV-10.
`default_nettype none

module xtq_rbuf #(
  parameter int unsigned NumProcs = 4,
  parameter int unsigned RecvDepth = 8
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Search
  input  wire logic              find_i,
  input  wire logic [3:0]        proc_i,   // below NumProcs
  input  wire logic [31:0]       bytes_i,  // at least 1
  input  wire logic              all_i,    // take the whole rest
  output logic                   fit_o,
  output logic                   none_o,
  output logic      [63:0]       va_o,
  output logic      [31:0]       number_o,
  output logic      [31:0]       room_o,
  input  wire logic              take_i,

  // Used up
  output logic                   event_valid_o,
  input  wire logic              event_ready_i,
  output nic_pkg::event_t        event_o,

  // Registers
  input  wire cm_pkg::reg_bus_t  rb_i,
  output logic      [63:0]       rb_rdata_o
);

  if (NumProcs < 1 || NumProcs > 16) begin : gen_bad_num_procs $error("xtq_rbuf: NumProcs must be 1 to 16"); end
  if (RecvDepth < 2 || RecvDepth > 128 || (RecvDepth & (RecvDepth - 1)) != 0) begin : gen_bad_recv_depth
    $error("xtq_rbuf: RecvDepth must be 2, 4 ... 128");
  end

  localparam int unsigned ProcW = NumProcs > 1 ? $clog2(NumProcs) : 1;
  localparam int unsigned PtrW  = $clog2(RecvDepth);
  localparam int unsigned BufW  = 58 + 32 + 32;  // address[63:6], length, least

  // ---- state of a process ----
  logic [PtrW-1:0] head_q [NumProcs];
  logic [PtrW:0]   count_q [NumProcs];
  logic [31:0]     offset_q [NumProcs];  // bytes of the oldest in use, the next message begins here; at most its length
  logic [31:0]     number_q [NumProcs];  // of the oldest
  logic [31:0]     told_q [NumProcs];    // used-up buffers that an event has told of
  logic [PtrW:0]   gone_q [NumProcs];    // withdrawn by the last RB_DROP
  logic [BufW-1:0] buf_q [NumProcs*RecvDepth];

  logic [ProcW-1:0] proc, rb_proc_q;
  logic             post, unused;
  assign proc   = proc_i[ProcW-1:0];
  assign unused = &{1'b0, proc_i, next_q[5:0]};

  // ---- search: one buffer at a time ----
  logic             look_q, valid_q, load, fits;
  logic [PtrW:0]    pos_q, gone;
  logic [PtrW-1:0]  at;
  logic [57:0]      addr_q;
  logic [31:0]      len_q, least_q, off_q;
  logic [32:0]      room_end, next_q, next, limit_q;
  logic             used;

  assign at       = head_q[proc] + pos_q[PtrW-1:0];
  assign load     = find_i && !look_q;
  assign room_end = {1'b0, off_q} + {1'b0, bytes_i};
  assign fits     = room_end <= {1'b0, len_q};
  assign fit_o    = look_q && valid_q && fits;
  assign none_o   = look_q && !valid_q;
  assign va_o     = {addr_q, 6'd0} + {32'd0, off_q};
  assign number_o = number_q[proc] + 32'(pos_q);
  assign room_o   = len_q - off_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !find_i || take_i) begin
      look_q <= 1'b0;
      pos_q  <= '0;
    end else if (load) begin
      look_q <= !post;
    end else if (valid_q && !fits) begin
      look_q <= 1'b0;
      pos_q  <= pos_q + (PtrW+1)'(1);
    end else if (!valid_q && post) begin
      look_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      valid_q                  <= pos_q < count_q[proc];
      {addr_q, len_q, least_q} <= buf_q[{proc, at}];
      off_q                    <= pos_q == '0 ? offset_q[proc] : '0;
    end
    next_q  <= {1'b0, off_q} + ({1'b0, bytes_i} + 33'd63);
    limit_q <= {1'b0, len_q} - {1'b0, least_q};
  end

  // ---- taking ----
  // The next message begins at the next multiple of 64, if that leaves LEAST: a cycle after fit_o, from registers.
  assign next = {next_q[32:6], 6'd0};
  assign used = all_i || (least_q != '0 && $signed({1'b0, next}) > $signed({limit_q[32], limit_q}));
  assign gone = pos_q + (PtrW+1)'(used);

  // ---- registers ----
  logic [63:0]         radr_q [NumProcs];
  logic [63:0]         rpost_q [NumProcs];
  logic [NumProcs-1:0] adr_known_q, post_known_q, bad_q, rb_oh_q, proc_oh;
  logic                rb_sel, rb_adr_q, rb_post_q, rb_sts_q, rb_drop_q, drop, begun, asked, refuse, full;
  logic [63:0]         rb_old, merged, adr;
  logic [3:0]          rb_idx;
  nic_reg_pkg::rb_post_t to_post;
  nic_reg_pkg::rb_sts_t  at_sts, to_sts;
  nic_reg_pkg::rb_drop_t at_drop;
  logic [PtrW-1:0]     free_at;

  // The address is decoded a cycle before.
  assign rb_idx = nic_reg_pkg::idx_RB_ADDR(rb_i.addr);
  assign rb_sel = 32'(rb_idx) < NumProcs;
  always_ff @(posedge clk_i) begin
    rb_proc_q <= rb_idx[ProcW-1:0];
    rb_oh_q   <= NumProcs'(1) << rb_idx;
    rb_adr_q  <= rb_sel && nic_reg_pkg::at_RB_ADDR(rb_i.addr);
    rb_post_q <= rb_sel && nic_reg_pkg::at_RB_POST(rb_i.addr);
    rb_sts_q  <= rb_sel && nic_reg_pkg::at_RB_STS(rb_i.addr);
    rb_drop_q <= rb_sel && nic_reg_pkg::at_RB_DROP(rb_i.addr);
  end
  assign proc_oh = NumProcs'(1) << proc;
  assign drop    = rb_i.we && rb_drop_q && rb_i.wstrb[3:0] != '0;
  assign begun   = offset_q[rb_proc_q] != '0;
  assign adr     = (adr_known_q & rb_oh_q) != '0 ? radr_q[rb_proc_q] : '0;

  always_comb begin
    rb_old = '0;
    if (rb_adr_q) rb_old = adr;
    if (rb_post_q && (post_known_q & rb_oh_q) != '0) rb_old = rpost_q[rb_proc_q];
    {at_sts, at_drop} = '0;
    at_sts.OFFSET = offset_q[rb_proc_q];
    at_sts.BAD    = |(bad_q & rb_oh_q);
    at_sts.POSTED = 8'(count_q[rb_proc_q]);
    at_drop.NEXT  = number_q[rb_proc_q] + 32'(count_q[rb_proc_q]);
    at_drop.GONE  = 8'(gone_q[rb_proc_q]);
    rb_rdata_o = rb_old;
    if (rb_sts_q) rb_rdata_o = at_sts;
    if (rb_drop_q) rb_rdata_o = at_drop;
  end
  assign merged  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, rb_old);
  assign to_post = merged;
  assign to_sts  = rb_i.wdata;  // by its strobe

  // A message that leaves in the cycle of a write comes before it.
  assign full     = count_q[rb_proc_q] == (PtrW+1)'(RecvDepth) &&
                    !(take_i && rb_proc_q == proc && (pos_q != '0 || used));
  assign asked    = rb_i.we && rb_post_q && rb_i.wstrb[3:0] != '0;
  assign refuse   = full || adr[5:0] != '0 || to_post.LEN == '0;
  assign post     = asked && !refuse;
  assign free_at  = head_q[rb_proc_q] + count_q[rb_proc_q][PtrW-1:0];

  always_ff @(posedge clk_i) begin
    if (rb_i.we && rb_adr_q) radr_q[rb_proc_q] <= merged;
    if (rb_i.we && rb_post_q) rpost_q[rb_proc_q] <= merged;
    if (post) buf_q[{rb_proc_q, free_at}] <= {adr[63:6], to_post.LEN, to_post.LEAST};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      adr_known_q  <= '0;
      post_known_q <= '0;
      bad_q        <= '0;
    end else begin
      if (rb_i.we && rb_adr_q) adr_known_q <= adr_known_q | rb_oh_q;
      if (rb_i.we && rb_post_q) post_known_q <= post_known_q | rb_oh_q;
      if (asked && refuse) bad_q <= bad_q | rb_oh_q;
      else if (rb_i.we && rb_sts_q && rb_i.wstrb[1] && to_sts.BAD) bad_q <= bad_q & ~rb_oh_q;
    end
  end

  // ---- next state of the processes ----
  logic [ProcW-1:0]    turn_q;
  logic [NumProcs-1:0] turn_oh;
  assign turn_oh = NumProcs'(1) << turn_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < NumProcs; p++) begin
      if (!rst_ni) begin
        head_q[p]   <= '0;
        count_q[p]  <= '0;
        offset_q[p] <= '0;
        number_q[p] <= '0;
        told_q[p]   <= '0;
        gone_q[p]   <= '0;
      end else begin
        if (take_i && proc_oh[p]) begin
          head_q[p]   <= head_q[p] + gone[PtrW-1:0];
          number_q[p] <= number_q[p] + 32'(gone);
          offset_q[p] <= used ? '0 : next > {1'b0, len_q} ? len_q : next[31:0];
        end
        if (drop && rb_oh_q[p]) begin
          head_q[p]   <= head_q[p] + PtrW'(begun);
          number_q[p] <= number_q[p] + 32'(begun);
          offset_q[p] <= '0;
          gone_q[p]   <= count_q[p] - (PtrW+1)'(begun);
        end
        count_q[p] <= drop && rb_oh_q[p] ? '0 : count_q[p] - (take_i && proc_oh[p] ? gone : '0) +
                      (PtrW+1)'(post && rb_oh_q[p]);
        if (event_valid_o && event_ready_i && turn_oh[p]) told_q[p] <= told_q[p] + 32'd1;
      end
    end
  end

  // ---- events: the processes take turns ----
  // Whether the one whose turn it is has any is compared a cycle before.
  logic due, due_q;
  assign due           = told_q[turn_q] != number_q[turn_q];
  assign event_valid_o = due_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= '0;
    else if (!due && !due_q) turn_q <= 32'(turn_q) == NumProcs - 1 ? '0 : turn_q + ProcW'(1);
    due_q <= rst_ni && (due_q ? !event_ready_i : due);
  end

  always_comb begin
    event_o      = '0;
    event_o.proc = 4'(turn_q);
    event_o.kind = nic_pkg::EvBuffer;
    event_o.word = told_q[turn_q];
  end

`ifdef FORMAL
`include "xtq_rbuf_props.svh"
`endif

endmodule

`default_nettype wire
