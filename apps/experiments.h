// Every experiment: the one list to enter a new one in.
#pragma once

#include <vector>

#include "apps/addressing/turing_machine.h"
#include "apps/fast_weights/fast_weights.h"
#include "apps/language_models/induction.h"
#include "apps/language_models/intra_attention.h"
#include "apps/pictures/captioning.h"
#include "apps/pictures/cnn_attention.h"
#include "apps/pictures/gates.h"
#include "apps/pooling/pooling.h"
#include "apps/sentence_pairs/entailment.h"
#include "apps/stories/memory_network.h"
#include "apps/transformer/flash.h"
#include "apps/transformer/permutation.h"
#include "apps/transformer/positions.h"
#include "apps/transformer/three_ways.h"

namespace softalign::apps {

inline std::vector<Demonstration> demonstrations() {
  return {pooling(),        permutation(), positions(),       three_ways(),    fast_weights(),
          flash(),          induction(),   captioning(),      cnn_attention(), gates(),
          memory_network(), entailment(),  intra_attention(), turing_machine()};
}

}  // namespace softalign::apps
