#include "apps/training/endings.h"

#include "tests/apps/training/translating.h"
#include "tests/catch.h"

using namespace softalign;
using namespace apps;

namespace {

std::string note_after(const std::vector<double>& losses) {
  const Translating translating;
  return note_of_end(losses, EvaluationScores{}, translating.data, "train --resume", translating.run);
}

}  // namespace

TEST_CASE("a training is advised to continue only if its last epoch is clearly the best") {
  CHECK(note_after({2.0, 1.5, 1.2})
            .starts_with("note: the validation loss still decreases; to continue: train --resume --epochs "));
  CHECK(note_after({2.0, 1.5, 1.499}).empty());
  CHECK(note_after({2.0, 1.5, 1.6}).empty());
  CHECK(note_after({2.0, 1.0, 1.6, 1.2}).empty());  // overfitting: the second epoch was the best
  CHECK(note_after({2.0}).empty());
}
