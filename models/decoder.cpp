#include "models/decoder.h"

#include <stdexcept>

namespace models {

std::unique_ptr<Decoder> Decoder::reweighted(const Reweight&) const {
  throw std::invalid_argument("the decoder has no attention whose weights could be changed");
}

}  // namespace models
