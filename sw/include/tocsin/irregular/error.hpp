// SPDX-License-Identifier: Apache-2.0
/* Part of irregular.hpp: errors. They are those of tocsin.hpp (result.hpp), so that `attempt` takes them too. */
#ifndef TOCSIN_IRREGULAR_ERROR_HPP
#define TOCSIN_IRREGULAR_ERROR_HPP

#include "tocsin/irregular/status.h"
#include "tocsin/irregular/task.h"
#include "tocsin/result.hpp"

namespace tocsin::irregular {

class error : public tocsin::error {
 public:
  explicit error(irr_status s) : error(s, s == IRR_E_DRIVER ? toc_why() : irr_text(s)) {}
  error(irr_status s, const std::string &why)
      : tocsin::error(like(s), std::string(irr_name(s)) + ": " + why), reason_(s) {}
  irr_status reason() const noexcept { return reason_; }

 private:
  /* What the driver calls it. */
  static toc_status like(irr_status s) noexcept {
    switch (s) {
      case IRR_E_NOMEM: return TOC_E_NOMEM;
      case IRR_E_GONE: return TOC_E_PEER_GONE;
      case IRR_E_RANGE: return TOC_E_RANGE;
      case IRR_E_ALIGN: return TOC_E_ALIGN;
      case IRR_E_IN_USE: return TOC_E_IN_USE;
      case IRR_E_DRIVER: return TOC_E_IO;
      case IRR_E_THROWN: return TOC_E_REMOTE;
      default: return TOC_E_ARG;
    }
  }
  irr_status reason_;
};

/* Throws for everything but IRR_OK. Also for calls of the C interface: check(irr_net_export(...)). */
inline void check(irr_status s) {
  if (s != IRR_OK) throw error(s);
}
/* The same for calls of task.h and team.h, whose sentence is irr_why. */
inline void check_task(toc_status s) {
  if (s != TOC_OK) throw tocsin::error(s, irr_why());
}

}  // namespace tocsin::irregular
#endif
