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

TEST_CASE("a training whose attention is on </s> ends on a note that names the option to change") {
  Translating translating;
  EvaluationScores scores;
  scores.attention_rows = scores.word_rows = 100;
  scores.even_sum = 100;
  const auto note = [&](double share) {
    scores.end_sum = share * 100;
    return note_of_end({2.0, 1.9, 1.9}, scores, translating.data, "train --resume", translating.run);
  };
  CHECK(note(0.5).empty());
  CHECK_THAT(note(0.99), Catch::StartsWith("note: 99% of the attention is on </s>") && Catch::Contains("lower --lr"));
  translating.run.options.model.attention = layers::ScoreKind::general;
  CHECK_THAT(note(0.99), Catch::Contains("Train again with --scale\n"));
  translating.run.options.model.scale = true;
  CHECK_THAT(note(0.99), !Catch::Contains("--scale"));
  translating.run.options.align = true;
  CHECK(note(0.99).empty());
}
