// Chapter 24 normalises one matrix of scores by rows and by columns, and compares two sentences with the same words.
// If you give a number of steps, the program trains a model and prints how this model judges some pairs.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "apps/experiments/learning.h"
#include "apps/experiments/sequences.h"
#include "apps/sentence_pairs/entailment.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"

using namespace softalign;
using namespace autograd;
using models::DecomposableAttention;

namespace {

const std::string premise = "a red dog runs and a blue car sleeps", exchanged = "a blue dog runs and a red car sleeps";

void both_ways() {
  const std::vector<std::string> a{"dog", "sleeps"}, b{"a", "dog", "rests"};
  const Var e = constant(Array({2, 3}, {0, 3, 0, 0, 0, 2}));  // "dog" fits "dog", and "sleeps" fits "rests"
  const Array of_a = softmax(e).value(), of_b = softmax(transpose(e, {1, 0})).value();
  std::printf("            softmax of rows           of columns\n%15s %6s %6s %9s %6s %6s\n", "a", "dog", "rests", "a",
              "dog", "rests");
  for (std::size_t i = 0; i < 2; ++i)
    std::printf("%8s %6.3f %6.3f %6.3f %9.3f %6.3f %6.3f\n", a[i].c_str(), of_a[3 * i], of_a[3 * i + 1],
                of_a[3 * i + 2], of_b[i], of_b[2 + i], of_b[4 + i]);
}

// Returns the probabilities (1, 3) of the three answers for a pair of sentences.
Array judged(const DecomposableAttention& model, const std::string& a, const std::string& b) {
  static const apps::WordIds table = apps::word_ids(data::entailment_words());
  const auto ids = [&](const std::string& sentence) {
    Ids all;
    for (const std::string& word : data::split_words(sentence)) all.push_back(table.at(word));
    return all;
  };
  const Ids of_a = ids(a), of_b = ids(b);
  const NoGrad no_grad;
  return softmax(model({of_a.size(), of_b.size(), 1, of_a, of_b, {of_a.size()}, {of_b.size()}}).logits).value();
}

DecomposableAttention::Options sizes(bool intra) {
  return {.words = apps::EntailmentBatch::words(), .labels = data::entailment_labels.size(), .intra = intra};
}

void exchange_colours() {
  std::printf("\ncolours exchanged, the answer changes by\n");
  for (const bool intra : {false, true}) {
    const Params p(Random(1));
    const DecomposableAttention model(sizes(intra), p);
    for (const Parameter& parameter : p.all())  // the term d prefers near words
      for (std::size_t distance = 0; parameter.name == "distances/E" && distance < parameter.var.dim(0); ++distance)
        parameter.var.mutable_value()[distance] = -static_cast<Real>(distance);
    const Array same = judged(model, premise, premise), other = judged(model, premise, exchanged);
    const double apart = std::abs(same[0] - other[0]);
    const std::string by = apart < 1e-6 ? "rounding" : fmt::format("{:.4f}", apart);
    std::printf("  %-32s %9s\n", intra ? "words and their neighbours" : "only words", by.c_str());
  }
}

void learn_to_judge(std::size_t steps) {
  const Params params(Random(1));
  const DecomposableAttention model(sizes(false), params);
  apps::learn(params, steps, 2e-3, [&](std::size_t step) {
    const apps::EntailmentBatch batch(32, steps + step);
    return mean(cross_entropy(model(batch.pairs).logits, batch.labels, {.ignore = -1}));
  });
  std::printf("\n%-38s %8s %8s %8s\n", premise.c_str(), "follows", "neither", "against");
  for (const std::string& hypothesis :
       {premise, exchanged, std::string("a blue car rests"), std::string("a red dog runs"),
        std::string("a green dog runs"), std::string("a blue dog runs"), std::string("a red horse runs")}) {
    const Array p = judged(model, premise, hypothesis);
    std::printf("  %-36s %8.2f %8.2f %8.2f\n", hypothesis.c_str(), p[0], p[1], p[2]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  both_ways();
  exchange_colours();
  if (argc > 1) learn_to_judge(std::stoul(argv[1]));
}
