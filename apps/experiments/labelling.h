// Labellers (models/tagger.h) taught a sequence task, and what they reach on sequences they have not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "apps/experiments/sequences.h"
#include "models/tagger.h"

namespace softalign::apps {

struct LabellingTask {
  std::string name;                       // data/synthetic/sequences.h
  std::size_t shortest = 0, length = 16;  // sequences of all lengths between; 0: of one length
  std::size_t steps = 800, batch = 32;
  double rate = 3e-3;
};

// In percent.
struct Reached {
  double accuracy = 0;
  std::optional<double> hit, mass;  // the largest weight lies on the word that counts; weight there; none without
};

// A labeller of these layers and positions, taught from a seed.
class Taught {
 public:
  Taught(models::Labeller::Layer layer, const std::string& positions, const LabellingTask& task, std::uint64_t seed);

  // On 200 sequences of that length. `counts`: of which places t of n; all, if it is empty.
  Reached reach(std::size_t length, const std::function<bool(std::size_t t, std::size_t n)>& counts = {}) const;

 private:
  std::string task_;
  autograd::Params params_;
  models::Labeller model_;
};

}  // namespace softalign::apps
