#include "models/search/sampling.h"

#include <limits>
#include <map>

#include "tests/models/table_model.h"

using namespace softalign;
using namespace tables;
using models::sample;
using models::SamplingOptions;

namespace {

std::vector<models::Random> streams(std::size_t sentences, std::uint64_t seed = 1) {
  std::vector<models::Random> all;
  for (std::size_t b = 0; b < sentences; ++b) all.push_back(models::Random(seed).split(b));
  return all;
}

// The distribution q of sampling.h, by its definition, over the ids that may be sampled.
std::map<Id, double> softmax(const std::vector<Real>& logits, const Ids& ids, double temperature) {
  std::map<Id, double> q;
  double total = 0;
  for (const Id v : ids) total += q[v] = std::exp(logits[static_cast<std::size_t>(v)] / temperature);
  for (auto& [v, p] : q) p /= total;
  return q;
}

std::map<Id, double> as_map(const std::vector<Real>& logits, const SamplingOptions& options) {
  std::map<Id, double> q;
  for (const auto& choice : choices(logits.data(), logits.size(), options)) q[choice.id] += choice.probability;
  return q;
}

void check_equal(const std::map<Id, double>& a, const std::map<Id, double>& b) {
  REQUIRE(a.size() == b.size());
  for (const auto& [v, p] : a) CHECK(p == Approx(b.at(v)).epsilon(1e-6));
}

}  // namespace

// Fan et al. 2018, section 5.2; Holtzman et al. 2020, section 3.1.
TEST_CASE("sampling: temperature, top k and nucleus give the distributions of their definitions") {
  //                               <pad> <unk> <s> </s> 4 5 6 7
  const std::vector<Real> logits = {9, 1, 9, 3, 2, 2, -std::numeric_limits<Real>::infinity(), 0};
  const Ids all = {1, 3, 4, 5, 7};
  for (const double temperature : {0.3, 1.0, 4.0})
    check_equal(as_map(logits, {.temperature = temperature}), softmax(logits, all, temperature));
  check_equal(as_map(logits, {.top_k = 1}), {{3, 1.0}});
  check_equal(as_map(logits, {.temperature = 2, .top_k = 2}), softmax(logits, {3, 4}, 2));  // 4, not 5: the smaller id
  check_equal(as_map(logits, {.top_k = 99}), softmax(logits, all, 1));
  // Cumulative probabilities: p(3) = .52, with 4: .71, with 5: .90, with 1: .97.
  check_equal(as_map(logits, {.top_p = .5}), {{3, 1.0}});
  check_equal(as_map(logits, {.top_p = .6}), softmax(logits, {3, 4}, 1));
  check_equal(as_map(logits, {.top_p = .85}), softmax(logits, {3, 4, 5}, 1));
  check_equal(as_map(logits, {.top_k = 2, .top_p = .85}), softmax(logits, {3, 4}, 1));
  check_equal(as_map(logits, {.top_k = 4, .top_p = .6}), softmax(logits, {3, 4}, 1));
  check_equal(as_map(logits, {.temperature = 100, .top_p = .5}), softmax(logits, {3, 4, 5}, 100));
  // If the most probable words have exactly top_p together, no other word is sampled.
  const Real impossible = -std::numeric_limits<Real>::infinity();
  check_equal(as_map({9, impossible, 9, 2, 2, 2, 2}, {.top_p = .5}), {{3, .5}, {4, .5}});
}

TEST_CASE("sampling: frequencies of words equal their probabilities") {
  const Table table = random_table(9, 3);
  const std::size_t n = 20000;
  for (const SamplingOptions& options : {SamplingOptions{.samples = n, .max_length = 2},
                                         SamplingOptions{.samples = n, .temperature = .5, .max_length = 2},
                                         SamplingOptions{.samples = n, .temperature = 2, .top_k = 4, .max_length = 2},
                                         SamplingOptions{.samples = n, .top_p = .6, .max_length = 2}}) {
    const auto drawn = sample(TableModel(table), make_batch(5, 2), options, streams(1)).at(0);
    REQUIRE(drawn.size() == n);
    std::map<Ids, std::size_t> counts;  // by the first two tokens, </s> included
    for (const Hypothesis& h : drawn) {
      Ids words = h.ids;
      if (h.finished) words.push_back(data::end_id);
      words.resize(std::min<std::size_t>(words.size(), 2));
      ++counts[words];
    }
    std::size_t found = 0;
    for (const auto& [first, p] : as_map(table(5, {}), options)) {
      const auto second = first == data::end_id ? std::map<Id, double>{{0, 1}} : as_map(table(5, {first}), options);
      for (const auto& [next, q] : second) {
        const Ids words = first == data::end_id ? Ids{first} : Ids{first, next};
        const double expected = static_cast<double>(n) * p * q;
        INFO("words " << first << " " << next << ", expected " << expected);
        CHECK(std::abs(static_cast<double>(counts[words]) - expected) < 4 * std::sqrt(expected * (1 - p * q)) + 1e-9);
        found += counts[words];
      }
    }
    CHECK(found == n);  // nothing else was sampled
  }
}

TEST_CASE("sampling: a low temperature is greedy search, and log p is the model's own at every temperature") {
  const Table table = random_table(9, 7);
  const Batch batch = make_batch({4, 5, 6}, {3, 1, 2});
  const TableModel model(table);
  const auto greedy = beam_search(model, batch, {});
  for (const SamplingOptions& options :
       {SamplingOptions{.temperature = 1e-6}, SamplingOptions{.top_k = 1}, SamplingOptions{.top_p = 1e-9}}) {
    const auto drawn = sample(model, batch, options, streams(3));
    for (std::size_t b = 0; b < 3; ++b) {
      CHECK(drawn[b].at(0).ids == greedy[b][0].ids);
      CHECK(drawn[b][0].finished == greedy[b][0].finished);
      CHECK(drawn[b][0].log_prob == greedy[b][0].log_prob);
      CHECK(drawn[b][0].score == drawn[b][0].log_prob);
      CHECK(drawn[b][0].weights.matrix == greedy[b][0].weights.matrix);
    }
  }
  std::size_t cut = 0;
  const auto warm = sample(model, batch, {.samples = 50, .temperature = 3, .max_length = 4}, streams(3));
  for (const Hypothesis& h : warm.at(1)) {
    check_hypotheses(table, 5, 2, {.length_penalty = 0}, {h});
    CHECK(h.ids.size() <= 4);
    if (!h.finished) CHECK(h.ids.size() == 4);
    cut += !h.finished;
  }
  CHECK(cut > 5);
  CHECK(cut < 45);
}

TEST_CASE("sampling: the words of a sentence depend on its random stream only") {
  const Table table = random_table(12, 1);
  const TableModel model(table);
  const SamplingOptions three{.samples = 3}, one{};
  const Ids ids = {4, 9, 5, 4};
  const std::vector<std::size_t> words = {3, 1, 7, 3};
  const auto together = sample(model, make_batch(ids, words), three, streams(4));
  CHECK(together[0][0].ids != together[0][1].ids);
  CHECK(together[0][0].ids != together[3][0].ids);  // the same sentence with another random stream
  for (std::size_t b = 0; b < 4; ++b) {
    const auto alone = sample(model, make_batch(ids[b], words[b]), one, {streams(4)[b]}).at(0);
    CHECK(alone.at(0).ids == together[b][0].ids);
    CHECK(alone[0].weights.matrix == together[b][0].weights.matrix);
  }
  CHECK(sample(model, make_batch(ids, words), three, streams(4))[2][1].ids == together[2][1].ids);
  CHECK(sample(model, make_batch(ids, words), three, streams(4, 2))[2][1].ids != together[2][1].ids);
}

TEST_CASE("sampling: misuse is refused, errors name a model with NaN, and an empty batch is accepted") {
  const TableModel model(random_table(6, 1));
  const Batch batch = make_batch(4, 1);
  const auto one = streams(1);
  CHECK_THROWS_AS(sample(model, batch, {.samples = 0}, one), std::invalid_argument);
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(sample(model, batch, {.temperature = bad}, one), std::invalid_argument);
  for (const double bad : {0.0, -0.1, 1.1, std::nan("")})
    CHECK_THROWS_AS(sample(model, batch, {.top_p = bad}, one), std::invalid_argument);
  CHECK_THROWS_AS(sample(model, batch, {}, {}), std::invalid_argument);
  CHECK(sample(model, Batch{}, {}, {}).empty());
  // After one word, only <pad> has a finite logit, and <pad> is never written.
  const TableModel silent([](Id, const Ids& words) {
    const Real no = -std::numeric_limits<Real>::infinity(), word = words.empty() ? Real(0) : no;
    return std::vector<Real>{words.empty() ? no : Real(0), no, no, no, word, no};
  });
  const Hypothesis cut = sample(silent, batch, {}, one).at(0).at(0);
  CHECK(cut.ids == Ids{4});
  CHECK_FALSE(cut.finished);
  const TableModel broken([](Id, const Ids&) { return std::vector<Real>(6, std::numeric_limits<Real>::quiet_NaN()); });
  CHECK_THROWS_WITH(sample(broken, batch, {}, one), Catch::Contains("sentence 1 (counted from 1)"));
}
