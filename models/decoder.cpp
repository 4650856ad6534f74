#include "models/decoder.h"

#include <stdexcept>

namespace softalign::models {

std::unique_ptr<Decoder> Decoder::reweighted(const Reweight&) const {
  throw std::invalid_argument("the decoder has no attention whose weights could be changed");
}

std::unique_ptr<Decoder> Decoder::with_words(const Ids&) const {
  throw std::invalid_argument("the decoder writes with all of its words; only those of translations leave some out");
}

}  // namespace softalign::models
