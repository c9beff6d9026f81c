// SPDX-License-Identifier: Apache-2.0
// cm_count: up to 63 counters of 64 bits for a bus of registers.
//
//   events --> low bits of each counter --carry--> [ upper bits, a word a counter ]      read: {word + carry, low bits}
//                                                       ^ swept, one a cycle
//
// P1  A read gives the number of events in the cycles before that of the read, since reset or the last clear. What is
//     read or written is on the bus in the cycle before, which is no write (env_setup): rb_rdata_o is the word whose
//     address was on the bus in the cycle before, as it is now.
// P2  A write to counter i, whatever its data and strobes, clears it: the events of that very cycle are cleared too (a
//     register's write is the last record of its cycle). Counters beyond NumCnt read 0 and ignore writes.
// P3  Nothing is lost: the sweep takes a carry every NumCnt cycles and clears it 2 cycles later, when its word is
//     written, and low bits are too many to overflow twice in between.
//
// The sweep is on its way for 4 cycles (read, take, add, write): a clear of its counter in between drops it, and a
// carry that comes after the taking waits for the next time. A read looks the word up a cycle ahead; whether there is a
// carry is known in the cycle of the read, and chooses between the word and one more.
//
// Counters named in Twice take two events a cycle; BytesACnt and BytesBCnt take a number of bytes; CycleCnt counts
// cycles; none of these is there if its number is not below NumCnt. Events are known late: those of one a cycle only
// enable a register whose next value waits for them.
// Cost: 9 flip-flops a counter and four words; upper bits in LUT RAM for the register bus and again in block RAM for
// the sweep.
// Rules of rtl/aa/README.md: CNT-1.
`default_nettype none

module cm_count #(
  parameter int unsigned NumCnt = 16,
  parameter int unsigned CycleCnt = NumCnt,   // none, and so the next two
  parameter int unsigned BytesACnt = NumCnt,
  parameter int unsigned BytesBCnt = NumCnt,
  parameter int unsigned BytesW = 2,           // bytes in one cycle: below 2^BytesW
  parameter logic [NumCnt-1:0] Twice = '0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Register bus: whether it is at a counter, and which
  input  wire logic              rb_sel_i,
  input  wire logic [5:0]        rb_idx_i,
  input  wire logic              rb_we_i,
  output logic      [63:0]       rb_rdata_o,

  // Events: one bit a counter; a second one for those in Twice
  input  wire logic [NumCnt-1:0] inc_i,
  input  wire logic [NumCnt-1:0] more_i,
  input  wire logic [BytesW-1:0] bytes_a_i,  // with inc_i[BytesACnt]
  input  wire logic [BytesW-1:0] bytes_b_i   // with inc_i[BytesBCnt]
);

  if (NumCnt < 4 || NumCnt > 63) begin : gen_bad_num_cnt $error("cm_count: NumCnt must be 4 to 63"); end
  if (BytesW < 2 || BytesW > 24) begin : gen_bad_bytes_w $error("cm_count: BytesW must be 2 to 24"); end

  localparam int unsigned IdxW = $clog2(NumCnt);
  localparam int unsigned LowW = $clog2(2 * (NumCnt + 2));            // low bits: up to 2 events a cycle
  localparam int unsigned BigW = BytesW + $clog2(NumCnt + 2);         // low bits of the two that count bytes
  localparam int unsigned HighW = 64 - LowW;

  logic [NumCnt-1:0] fresh_q;           // the word counts as 0: cleared, and not swept since
  logic [63:0]       carry;
  logic [64*32-1:0]  low;               // padded: a power of two is cheap to select from
  logic [IdxW-1:0]   s0_q, s1_q, s2_q, s3_q;  // sweep: read, take, add, write
  logic              s1_valid_q, s2_valid_q, s3_valid_q, s2_carry_q, s3_carry_q;
  logic              hit, big, unused;
  logic [5:0]        idx_q;                  // the counter on the bus; none is number 63, which there is not
  logic [HighW-1:0]  word, base, base_q, sum_q;
  logic [63:0]       high_q, one_q, more;  // the upper bits of what is read, in their place, and with a carry

  assign hit    = rb_sel_i && 32'(rb_idx_i) < NumCnt;
  assign unused = &{1'b0, inc_i, more_i};

  always_ff @(posedge clk_i) idx_q <= hit ? rb_idx_i : 6'd63;

  // ---- low bits ----
  for (genvar i = 0; i < NumCnt; i++) begin : gen_cnt
    localparam bit Big = i == BytesACnt || i == BytesBCnt;
    localparam int unsigned W = Big ? BigW : LowW;
    logic [W-1:0] low_q;
    logic         carry_q, over, swept;  // over: the low bits run over in this cycle
    assign swept = s3_valid_q && s3_carry_q && s3_q == IdxW'(i);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (rb_we_i && idx_q == 6'(i))) carry_q <= 1'b0;
      else carry_q <= over || (carry_q && !swept);
    end
    if (Big || Twice[i]) begin : gen_sum
      logic [W-1:0] step;
      logic [W:0]   next;
      logic         some;
      assign step = Big ? (i == BytesACnt ? W'(bytes_a_i) : W'(bytes_b_i)) :
                    W'({inc_i[i] && more_i[i], inc_i[i] ^ more_i[i]});
      assign some = Big ? inc_i[i] : 1'b1;
      assign next = {1'b0, low_q} + {1'b0, step};
      assign over = some && next[W];
      always_ff @(posedge clk_i) begin
        if (!rst_ni || (rb_we_i && idx_q == 6'(i))) low_q <= '0;
        else if (some) low_q <= next[W-1:0];
      end
    end else begin : gen_one
      logic [W-1:0] next;
      logic         some, ones;  // ones: all bits below are 1
      assign some = i == CycleCnt || inc_i[i];
      assign over = some && ones;
      always_comb begin
        ones = 1'b1;
        for (int unsigned b = 0; b < W; b++) begin
          next[b] = low_q[b] ^ ones;
          ones = ones && low_q[b];
        end
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni || (rb_we_i && idx_q == 6'(i))) low_q <= '0;
        else if (some) low_q <= next;
      end
    end
    assign low[32*i+:32] = 32'(low_q);
    assign carry[i]      = carry_q;
  end
  assign low[64*32-1:NumCnt*32]  = '0;
  assign carry[63:NumCnt]        = '0;

  // ---- sweep ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s0_q       <= '0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s3_valid_q <= 1'b0;
      fresh_q    <= '1;
    end else begin
      s0_q       <= s0_q == IdxW'(NumCnt - 1) ? '0 : s0_q + IdxW'(1);
      s1_valid_q <= 1'b1;
      s2_valid_q <= s1_valid_q && !(rb_we_i && idx_q == 6'(s1_q));
      s3_valid_q <= s2_valid_q && !(rb_we_i && idx_q == 6'(s2_q));
      for (int unsigned i = 0; i < NumCnt; i++) begin
        if (rb_we_i && idx_q == 6'(i)) fresh_q[i] <= 1'b1;
        else if (s3_valid_q && s3_q == IdxW'(i)) fresh_q[i] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    s1_q       <= s0_q;
    s2_q       <= s1_q;
    s3_q       <= s2_q;
    s2_carry_q <= carry[6'(s1_q)];
    s3_carry_q <= s2_carry_q;
    base_q     <= fresh_q[s1_q] ? '0 : base;
    sum_q      <= base_q + HighW'(s2_carry_q);
  end

  // Two copies of the words: block RAM for the sweep, whose 'x tells synthesis that a collision does not matter (the
  // sweep writes 3 places behind its read), and LUT RAM for the bus.
  logic [HighW-1:0] sweep_q [64];
  logic [HighW-1:0] read_q [NumCnt];
  always_ff @(posedge clk_i) if (s3_valid_q) sweep_q[6'(s3_q)] <= sum_q;
  always_ff @(posedge clk_i) base <= s3_valid_q && s3_q == s0_q ? 'x : sweep_q[6'(s0_q)];
  always_ff @(posedge clk_i) if (s3_valid_q) read_q[s3_q] <= sum_q;

  // ---- read ----
  // As the word is in the next cycle: what is being written is not in the RAM yet.
  always_comb begin
    word = read_q[rb_idx_i[IdxW-1:0]];
    if (fresh_q[rb_idx_i[IdxW-1:0]]) word = '0;
    if (s3_valid_q && s3_q == rb_idx_i[IdxW-1:0]) word = sum_q;
  end

  assign big = rb_idx_i == 6'(BytesACnt) || rb_idx_i == 6'(BytesBCnt);
  always_ff @(posedge clk_i) begin
    high_q <= !hit ? '0 : big ? {word[63-BigW:0], BigW'(0)} : {word, LowW'(0)};
    one_q  <= big ? 64'd1 << BigW : 64'd1 << LowW;
  end

  assign more       = high_q + one_q;
  assign rb_rdata_o = (carry[idx_q] ? more : high_q) | 64'(low[{idx_q, 5'd0}+:32]);

`ifdef FORMAL
`include "cm_count_props.svh"
`endif

endmodule

`default_nettype wire
