#include "layers/recurrent/recurrent_stack.h"

namespace softalign::layers {

RecurrentStack recurrent_stack(const Params& p, const std::string& kind, const StackOptions& options,
                               const Scheme& init) {
  return {p, options, [&](const Params& room, std::size_t E) { return Cell(room, kind, E, options.hidden, init); }};
}

}  // namespace softalign::layers
