// Compares the results of two searches.
#pragma once

#include <vector>

#include "models/search/hypothesis.h"
#include "tests/catch.h"

using namespace softalign;

namespace compare {

// Checks that both searches found the same hypotheses in the same order. Probabilities and weights may differ by
// rounding.
inline void check_close(const std::vector<std::vector<models::Hypothesis>>& a,
                        const std::vector<std::vector<models::Hypothesis>>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].size() == b[i].size());
    for (std::size_t n = 0; n < a[i].size(); ++n) {
      CHECK(a[i][n].ids == b[i][n].ids);
      CHECK(a[i][n].log_prob == Approx(b[i][n].log_prob).margin(1e-5));
      REQUIRE(a[i][n].weights.matrix.size() == b[i][n].weights.matrix.size());
      for (std::size_t t = 0; t < a[i][n].weights.matrix.size(); ++t)
        for (std::size_t s = 0; s < a[i][n].weights.matrix[t].size(); ++s)
          CHECK(a[i][n].weights.matrix[t][s] == Approx(b[i][n].weights.matrix[t][s]).margin(1e-6));
    }
  }
}

}  // namespace compare
