// Memory networks: gradients, and properties that hold for any weights (Sukhbaatar et al. 2015, eq. 1-4, sections 2.2
// and 4.1).
#include "models/stories/memory_network.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "tests/catch.h"
#include "tests/compare.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Array;
using autograd::Params;
using autograd::Random;
using Weighting = MemoryNetwork::Weighting;

const double exact = sizeof(autograd::Real) == 8 ? 1e-12 : 1e-5;

// Two stories, one of three sentences and one of two. A sentence has up to three words.
Stories two_stories() {
  return {3, 2, 3, {1, 2, 3, 4, 5, -1, 5, 1, -1, 6, -1, -1, 2, 2, 4, -1, -1, -1}, {1, 4, -1, 6, 2, 3}, {3, 2}};
}
// One story with these sentences.
Stories story(const std::vector<Ids>& sentences, const Ids& question) {
  Stories s{sentences.size(), 1, 3, {}, question, {sentences.size()}};
  for (const Ids& sentence : sentences) s.sentences.insert(s.sentences.end(), sentence.begin(), sentence.end());
  return s;
}

MemoryNetwork::Options tiny(std::size_t hops, std::size_t ages = 4, HopTying tying = HopTying::adjacent) {
  return {.words = 7, .width = 5, .sentences = ages, .hops = hops, .tying = tying};
}
constexpr HopTying both_tyings[] = {HopTying::adjacent, HopTying::layer_wise};

}  // namespace

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("memory network: gradients equal central differences with the softmax, without it, and for the mean") {
  for (const Weighting input : {Weighting::softmax, Weighting::linear, Weighting::mean})
    for (const std::size_t hops : {1, 3})
      for (const HopTying tying : both_tyings)
        for (const bool relu : {false, true}) {
          const Params p{Random(1)};
          MemoryNetwork::Options options = tiny(hops, 4, tying);
          options.relu = relu;
          const MemoryNetwork model(options, p);
          Random random(2);
          compare::randomise(p, random);
          const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
            return cross_entropy(model(two_stories(), input).logits, {3, 5}, {.ignore = -1});
          });
          INFO(check.report);
          CHECK(check.ok);
        }
}
#endif

// Sukhbaatar et al. 2015, eq. 1-4, sections 2.2, 4.1, 4.2 and 5.
TEST_CASE("memory network: logits and the weights of every hop equal torch's, for both hops") {
  for (const std::string& name : golden::cases("memory_network")) {
    INFO(name);
    golden::Golden g("memory_network", name);
    Params p(Random(1));
    const bool layer_wise = name.find("layer-wise") != std::string::npos;
    MemoryNetwork::Options options =
        tiny(g.fact<std::size_t>("hops"), 3, layer_wise ? HopTying::layer_wise : HopTying::adjacent);
    options.relu = g.fact<bool>("relu");
    const MemoryNetwork model(options, p);
    g.adopt(p);
    const auto out = model(two_stories(), g.fact<bool>("linear") ? Weighting::linear : Weighting::softmax);
    std::vector<std::pair<std::string, Var>> outputs{{"logits", out.logits}};
    for (std::size_t h = 0; h < out.weights.size(); ++h)
      outputs.emplace_back("weights_" + std::to_string(h + 1), out.weights[h]);
    g.check(outputs);
  }
}

// Sukhbaatar et al. 2015, section 5.
TEST_CASE("memory network: with relu, half of the units are not negative after every hop, as a loop computes them") {
  const Params p{Random(9)};
  MemoryNetwork::Options options = tiny(3);
  options.relu = true;
  const MemoryNetwork model(options, p);
  Random random(10);
  compare::randomise(p, random);
  const auto embedded = model.embed(two_stories());
  const Ids rows{0, 1};
  const Array u = model.attend(embedded, rows, Weighting::linear).u.value();
  std::size_t clipped = 0;
  for (std::size_t b = 0; b < 2; ++b) {
    std::vector<double> expected(5);
    for (std::size_t k = 0; k < 5; ++k) expected[k] = static_cast<double>(embedded.u.value()[b * 5 + k]);
    for (std::size_t h = 0; h < 3; ++h) {
      std::vector<double> next = expected;
      for (std::size_t i = 0; i < embedded.lengths[b]; ++i) {
        double score = 0;
        for (std::size_t k = 0; k < 5; ++k)
          score += static_cast<double>(embedded.keys[h].value()[(i * 2 + b) * 5 + k]) * expected[k];
        for (std::size_t k = 0; k < 5; ++k)
          next[k] += score * static_cast<double>(embedded.values[h].value()[(i * 2 + b) * 5 + k]);
      }
      for (std::size_t k = 2; k < 5; ++k) {  // of five units, three are in the second half
        clipped += next[k] < 0;
        next[k] = std::max(0., next[k]);
      }
      expected = next;
    }
    for (std::size_t k = 0; k < 5; ++k)
      CHECK(static_cast<double>(u[b * 5 + k]) == Approx(expected[k]).epsilon(1e-4).margin(1e-5));
  }
  CHECK(clipped > 0);
}

TEST_CASE("memory network: a story has the same output in a batch, and its weights sum to 1 over its sentences") {
  const Params p{Random(3)};
  const MemoryNetwork model(tiny(2), p);
  const auto both = model(two_stories(), Weighting::softmax);
  const auto alone = model(story({{4, 5, -1}, {6, -1, -1}}, {6, 2, 3}), Weighting::softmax);
  CHECK(compare::relative_error(slice(both.logits, 0, 1, 2).value(), alone.logits.value()) < exact);
  for (const Var& weights : both.weights) {
    CHECK(weights.value()[5] == 0);  // the second story has no third sentence, so this is padding
    for (std::size_t b = 0; b < 2; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += static_cast<double>(weights.value()[b * 3 + i]);
      CHECK(sum == Approx(1).epsilon(1e-5));
    }
  }
  const auto single = model(story({{4, 5, -1}}, {6, 2, 3}), Weighting::softmax);
  for (const Var& weights : single.weights) CHECK(weights.value()[0] == Approx(1));
}

TEST_CASE("memory network: reordered sentences permute the weights unless ages are encoded") {
  const std::vector<Ids> sentences{{1, 2, 3}, {4, 5, -1}, {5, 1, -1}}, turned{{5, 1, -1}, {4, 5, -1}, {1, 2, 3}};
  for (const std::size_t ages : {1, 4}) {
    const Params p{Random(4)};
    const MemoryNetwork model(tiny(1, ages), p);
    const auto before = model(story(sentences, {1, 4, -1}), Weighting::softmax),
               after = model(story(turned, {1, 4, -1}), Weighting::softmax);
    double apart = 0;
    for (std::size_t i = 0; i < 3; ++i)
      apart = std::max(apart,
                       std::abs(static_cast<double>(before.weights[0].value()[i] - after.weights[0].value()[2 - i])));
    CHECK((apart < exact) == (ages == 1));
    CHECK((compare::relative_error(before.logits.value(), after.logits.value()) < exact) == (ages == 1));
  }
}

TEST_CASE("memory network: the order of words matters with position encoding, and the mean baseline has no attention") {
  const Params p{Random(5)};
  const MemoryNetwork model(tiny(1), p);
  const auto one = model(story({{1, 2, 3}, {4, 5, -1}}, {1, 4, -1}), Weighting::softmax),
             other = model(story({{3, 2, 1}, {4, 5, -1}}, {1, 4, -1}), Weighting::softmax);
  CHECK(compare::relative_error(one.logits.value(), other.logits.value()) > 1e-4);
  for (const Ids& question : {Ids{1, 4, -1}, Ids{2, 6, 6}}) {
    const auto mean = model(story({{1, 2, 3}, {4, 5, -1}}, question), Weighting::mean);
    for (const autograd::Real weight : mean.weights[0].value().span()) CHECK(weight == Approx(0.5));
  }
}

TEST_CASE("memory network: word tables are initialised the same, and age tables differ") {
  for (const HopTying tying : both_tyings) {
    const Params p{Random(6)};
    const MemoryNetwork model(tiny(2, 4, tying), p);
    std::map<std::string, Var> all;
    for (const auto& parameter : p.all()) all[parameter.name] = parameter.var;
    CHECK(compare::relative_error(all.at("words_0/E").value(), all.at("words_1/E").value()) == 0);
    CHECK(compare::relative_error(all.at("ages_0/E").value(), all.at("ages_1/E").value()) > 0.1);
  }
}

TEST_CASE("memory network: empty sentences age the others in training only and keep their order") {
  const Params p{Random(7)};
  const MemoryNetwork model(tiny(1, 40), p);
  for (const auto& parameter : p.all()) {  // a key contains its age only
    Array& numbers = Var(parameter.var).mutable_value();
    numbers.fill(0);
    if (parameter.name == "ages_0/E")
      for (std::size_t age = 0; age < 40; ++age) numbers[age * 5] = static_cast<autograd::Real>(age);
  }
  const auto ages = [&](const Training* training) {
    const Var keys = model.embed(two_stories(), training).keys.front();
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < 3; ++i) found.push_back(static_cast<std::size_t>(keys.value()[i * 2 * 5]));
    return found;
  };
  CHECK(ages(nullptr) == std::vector<std::size_t>{2, 1, 0});
  Random random(1);
  const Training quiet{random}, noisy{.random = random, .time_noise = 0.5};
  CHECK(ages(&quiet) == std::vector<std::size_t>{2, 1, 0});
  double empty = 0;
  for (std::size_t k = 0; k < 500; ++k) {
    const auto drawn = ages(&noisy);
    CHECK((drawn[0] > drawn[1] && drawn[1] > drawn[2]));
    empty += static_cast<double>(drawn[0] - 2);
  }
  CHECK(empty / 500 == Approx(3).margin(0.5));  // on average, one empty sentence per sentence
}
