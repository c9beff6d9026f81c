// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_event beside its rings, of which fv_see shows two: nic_ring's env_back. No more is given back to a
// ring than was taken of it, as long as the sources of nic_event give back what they have (its env_places, of which
// f_overdrew_q says that it was broken).
`include "fv.svh"

  `FV_INIT

`ifdef YOSYS
  localparam int unsigned HasW = 34;  // as in nic_ring
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[0].u_ring.f_less ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[0].u_ring.f_resv_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[0].u_ring.resv_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[1].u_ring.f_less ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[1].u_ring.f_resv_q ;
  (* hierconn *) wire [HasW-1:0]   \u_event.gen_ring[1].u_ring.resv_q ;
  (* hierconn *) wire [2*HasW-1:0] \u_event.f_has_q ;
  (* hierconn *) wire [2*HasW-1:0] \u_event.f_hand ;
  (* hierconn *) wire              \u_event.f_overdrawn ;
  (* hierconn *) wire              \u_event.f_overdrew_q ;

  logic [2*HasW-1:0] f_less, f_taken, f_resv, f_has, f_hand;
  logic              f_overdrawn, f_overdrew;
  fv_see #(
    .W(10 * HasW + 2)
  ) u_f_see (
    .inside_io({\u_event.gen_ring[1].u_ring.f_less , \u_event.gen_ring[0].u_ring.f_less ,
                \u_event.gen_ring[1].u_ring.f_resv_q , \u_event.gen_ring[0].u_ring.f_resv_q ,
                \u_event.gen_ring[1].u_ring.resv_q , \u_event.gen_ring[0].u_ring.resv_q ,
                \u_event.f_has_q , \u_event.f_hand , \u_event.f_overdrawn , \u_event.f_overdrew_q }),
    .seen_o({f_less, f_taken, f_resv, f_has, f_hand, f_overdrawn, f_overdrew})
  );

  `FV_COMB if (f_past_q && rst_ni && !f_overdrew) begin
    p3_taken: assert (f_taken[HasW-1:0] == f_has[HasW-1:0] + f_hand[HasW-1:0] &&
                      f_taken[HasW+:HasW] == f_has[HasW+:HasW] + f_hand[HasW+:HasW] && f_resv == f_taken);
    if (!f_overdrawn)
      p3_back: assert (f_less[HasW-1:0] <= f_taken[HasW-1:0] && f_less[HasW+:HasW] <= f_taken[HasW+:HasW]);
    c_back: cover (!f_overdrawn && f_less[HasW-1:0] == HasW'(2));
  end
`endif
