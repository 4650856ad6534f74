// Chapter 26 prints the position weights of three words, and a memory network of two hops whose parameters are set by
// hand. If you give a number of steps, the program also trains such a network.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "apps/experiments/learning.h"
#include "apps/stories/memory_network.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"

using namespace softalign;
using namespace autograd;
using models::MemoryNetwork;
using Weighting = MemoryNetwork::Weighting;

namespace {

void encode_places() {
  const int J = 3, d = 2;
  std::printf("l_kj      ");
  for (int j = 1; j <= J; ++j) std::printf(" word %d", j);
  for (int k = 1; k <= d; ++k) {
    std::printf("\nnumber %d  ", k);
    for (int j = 1; j <= J; ++j) std::printf(" %6.3f", (1 - double(j) / J) - double(k) / d * (1 - 2 * double(j) / J));
  }
  std::printf("\n\n");
}

const std::vector<std::string> known{"mary", "john", "took", "went", "apple", "garden", "office", "where"};

std::size_t id_of(const std::string& word) {
  return static_cast<std::size_t>(std::find(known.begin(), known.end(), word) - known.begin());
}

void two_hops_by_hand() {
  enum Number { of_mary, of_john, of_time, of_garden, of_office, of_apple, numbers };
  const Params p(Random(1));
  const MemoryNetwork model({.words = known.size(), .width = numbers, .sentences = 3, .hops = 2}, p);
  std::map<std::string, Var> tables;
  for (const Parameter& parameter : p.all()) (tables[parameter.name] = parameter.var).mutable_value().fill(0);
  const auto set = [&](const std::string& table, std::size_t row, Number number, Real value) {
    tables.at(table).mutable_value()[row * numbers + number] = value;
  };
  set("words_0/E", id_of("apple"), of_apple, 2), set("words_0/E", id_of("where"), of_time, 6);  // A^1 = B
  set("words_1/E", id_of("mary"), of_mary, 6), set("words_1/E", id_of("john"), of_john, 6);     // C^1 = A^2
  set("ages_1/E", 0, of_time, 2), set("ages_1/E", 1, of_time, 1);
  set("words_2/E", id_of("garden"), of_garden, 3), set("words_2/E", id_of("office"), of_office, 3);  // C^2 = W'

  const std::vector<std::vector<std::string>> story{
      {"mary", "took", "apple"}, {"mary", "went", "garden"}, {"john", "went", "office"}};
  models::Stories stories{story.size(), 1, 3, {}, {}, {story.size()}};
  for (const auto& sentence : story)
    for (const std::string& word : sentence) stories.sentences.push_back(static_cast<Id>(id_of(word)));
  stories.questions = {static_cast<Id>(id_of("where")), static_cast<Id>(id_of("apple")), -1};
  const auto out = model(stories, Weighting::softmax);
  std::printf("where apple?           hop 1   hop 2\n");
  for (std::size_t i = 0; i < story.size(); ++i)
    std::printf("%-20s %7.3f %7.3f\n", (story[i][0] + " " + story[i][1] + " " + story[i][2]).c_str(),
                out.weights[0].value()[i], out.weights[1].value()[i]);
  const Array answer = softmax(out.logits).value();
  std::printf("garden %.3f, office %.3f\n", answer[id_of("garden")], answer[id_of("office")]);
}

// Returns the percentage of right answers after each twentieth of the steps.
std::vector<double> learnt(std::size_t steps, std::size_t linear_steps, std::uint64_t seed) {
  constexpr std::size_t B = 32, sentences = 8, tested = 500;
  const Params p{Random(seed)};
  const MemoryNetwork model({.words = apps::StoryBatch::words(), .sentences = sentences, .hops = 2}, p);
  const apps::StoryBatch test("two", sentences, tested, 1'000'000);
  const auto right = [&] {
    const NoGrad no_grad;
    const Var logits = model(test.stories, Weighting::softmax).logits;
    apps::Hits hits;
    for (std::size_t b = 0; b < tested; ++b)
      hits.count(apps::largest(logits, b, apps::StoryBatch::words()) == static_cast<std::size_t>(test.answers[b]));
    return hits.percent();
  };
  return apps::learn_and_observe(p, steps, 5e-3, 20, right, [&](std::size_t step) {
    const apps::StoryBatch batch("two", sentences, B, seed * steps + step);
    const Weighting weighting = step < linear_steps ? Weighting::linear : Weighting::softmax;
    return mean(cross_entropy(model(batch.stories, weighting).logits, batch.answers, {.ignore = -1}));
  });
}

}  // namespace

int main(int argc, char** argv) {
  encode_places();
  two_hops_by_hand();
  const std::size_t steps = argc > 1 ? std::stoul(argv[1]) : 0;
  if (steps == 0) return 0;
  std::printf("\nright in 100, after every %zu steps\n", steps / 20);
  for (const std::size_t linear_steps : {std::size_t(0), steps / 10})
    for (const std::uint64_t seed : {1, 2, 3}) {
      std::printf("%s  seed %zu ", linear_steps == 0 ? "softmax from the start" : "linear start          ",
                  std::size_t(seed));
      for (const double percent : learnt(steps, linear_steps, seed)) std::printf("%3.0f", percent);
      std::printf("\n");
    }
}
