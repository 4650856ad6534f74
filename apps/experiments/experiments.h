// Every experiment: the one list to enter a new one in.
#pragma once

#include <vector>

#include "apps/experiments/captioning.h"
#include "apps/experiments/cnn_attention.h"
#include "apps/experiments/entailment.h"
#include "apps/experiments/fast_weights.h"
#include "apps/experiments/flash.h"
#include "apps/experiments/gates.h"
#include "apps/experiments/induction.h"
#include "apps/experiments/intra_attention.h"
#include "apps/experiments/memory_network.h"
#include "apps/experiments/permutation.h"
#include "apps/experiments/pooling.h"
#include "apps/experiments/positions.h"
#include "apps/experiments/three_ways.h"
#include "apps/experiments/turing_machine.h"

namespace apps {

inline std::vector<Demonstration> demonstrations() {
  return {pooling(),        permutation(), positions(),       three_ways(),    fast_weights(),
          flash(),          induction(),   captioning(),      cnn_attention(), gates(),
          memory_network(), entailment(),  intra_attention(), turing_machine()};
}

}  // namespace apps
