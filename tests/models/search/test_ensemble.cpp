#include "models/search/ensemble.h"

#include <algorithm>
#include <span>

#include "data/corpus/batches.h"
#include "models/checkpoint.h"
#include "models/registry.h"
#include "models/search/beam_search.h"
#include "models/search/sampling.h"
#include "tests/catch.h"
#include "tests/compare.h"
#include "tests/models/search/close.h"

using namespace softalign;
using namespace models;
using compare::check_close;

namespace {

std::unique_ptr<Seq2Seq> small(const std::string& kind, std::size_t hidden, std::uint64_t seed, std::size_t V = 12,
                               Real scale = 1) {
  ModelOptions o;
  o.model = kind;
  o.source_vocabulary = 12;
  o.target_vocabulary = V;
  o.embedding = o.attention_size = o.readout = 6;
  o.hidden = hidden;
  const autograd::Params params{Random(seed)};
  auto model = make_model(o, params);
  Random random(seed);
  compare::randomise(params, random);
  for (const auto& [name, array] : named_arrays(params))
    for (Array values = array; Real & value : std::span(values.data(), values.size())) value *= scale;
  return model;
}

template <class... Models>
std::unique_ptr<Seq2Seq> together(Models... models) {
  std::vector<std::unique_ptr<Seq2Seq>> all;
  (all.push_back(std::move(models)), ...);
  return make_ensemble(std::move(all));
}

const std::vector<data::EncodedPair> pairs = {
    {{4, 5, 6, 7, 8}, {5, 6}, {}}, {{9}, {11, 4, 4, 10}, {}}, {{11, 4}, {}, {}}};
Batch batch() { return data::make_batch(pairs, {0, 1, 2}); }

}  // namespace

TEST_CASE("ensemble: an ensemble of one model equals the model") {
  auto one = small("rnnsearch", 6, 1);
  const Seq2Seq* const itself = one.get();
  CHECK(together(std::move(one)).get() == itself);
}

TEST_CASE("ensemble: a word whose probability underflows keeps its logarithm") {
  const auto one = small("rnnsearch", 6, 1, 12, 3000);
  const auto twice = together(small("rnnsearch", 6, 1, 12, 3000), small("rnnsearch", 6, 1, 12, 3000));
  const Array a = one->teacher_forced(batch()).losses.value(), b = twice->teacher_forced(batch()).losses.value();
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == Approx(a[i]).epsilon(1e-4));
  CHECK(*std::max_element(a.data(), a.data() + a.size()) > 800);  // e^-745 is 0 in double precision
}

TEST_CASE("ensemble: a model together with itself decodes as the model does") {
  const auto one = small("rnnsearch", 6, 1);
  const auto twice = together(small("rnnsearch", 6, 1), small("rnnsearch", 6, 1));
  const BeamOptions options{.beam = 4, .n_best = 4};
  check_close(beam_search(*twice, batch(), options), beam_search(*one, batch(), options));
  const std::vector<Random> streams{Random(1), Random(2), Random(3)};
  check_close(sample(*twice, batch(), {.samples = 3}, streams), sample(*one, batch(), {.samples = 3}, streams));
}

TEST_CASE("ensemble: probabilities and attention are means over the models") {
  const std::vector<std::unique_ptr<Seq2Seq>> alone = [] {
    std::vector<std::unique_ptr<Seq2Seq>> models;
    models.push_back(small("rnnsearch", 6, 1));
    models.push_back(small("luong", 8, 2));
    models.push_back(small("encdec", 5, 3));
    return models;
  }();
  const auto all = together(small("rnnsearch", 6, 1), small("luong", 8, 2), small("encdec", 5, 3));
  const Batch b = batch();
  const TeacherForced forced = all->teacher_forced(b);
  std::vector<TeacherForced> members;
  for (const auto& model : alone) members.push_back(model->teacher_forced(b));
  for (std::size_t i = 0; i < b.targets.out.size(); ++i) {
    double p = 0;
    for (const TeacherForced& member : members) p += std::exp(-static_cast<double>(member.losses.value()[i])) / 3;
    CHECK(forced.losses.value()[i] == Approx(b.targets.out[i] == data::pad_id ? 0 : -std::log(p)).margin(1e-5));
  }
  const auto weight = [](const TeacherForced& f, std::size_t i) { return f.weights.matrix.value()[i]; };
  for (std::size_t i = 0; i < forced.weights.matrix.value().size(); ++i)
    CHECK(weight(forced, i) == Approx((weight(members[0], i) + weight(members[1], i)) / 2).margin(1e-6));

  // Each hypothesis of the search has the probability and the attention that teacher forcing gives it.
  std::size_t words = 0;
  const auto found = beam_search(*all, b, {.beam = 3, .n_best = 3});
  for (std::size_t s = 0; s < pairs.size(); ++s)
    for (const Hypothesis& h : found[s]) {
      const TeacherForced again =
          all->teacher_forced(data::make_batch(std::vector<data::EncodedPair>{{pairs[s].source, h.ids, {}}}, {0}));
      REQUIRE(h.weights.matrix.size() == h.word_log_prob.size());
      for (std::size_t t = 0; t < h.word_log_prob.size(); ++t, ++words) {
        CHECK(h.word_log_prob[t] == Approx(-static_cast<double>(again.losses.value()[t])).margin(1e-5));
        for (std::size_t j = 0; j < h.weights.matrix[t].size(); ++j)
          CHECK(h.weights.matrix[t][j] == Approx(weight(again, t * h.weights.matrix[t].size() + j)).margin(1e-5));
      }
    }
  CHECK(words > 20);
}

TEST_CASE("ensemble: an ensemble of models without attention gives none") {
  const auto model = together(small("encdec", 5, 1), small("encdec", 6, 2));
  CHECK_FALSE(model->decoder().attends());
  CHECK_FALSE(model->teacher_forced(batch()).weights.matrix.defined());
  CHECK(beam_search(*model, batch(), {})[0][0].weights.matrix.empty());
}

TEST_CASE("ensemble: misuse is refused") {
  CHECK_THROWS_AS(make_ensemble(std::vector<std::unique_ptr<Seq2Seq>>()), std::invalid_argument);
  CHECK_THROWS_AS(make_ensemble(std::vector<std::shared_ptr<const Decoder>>()), std::invalid_argument);
  const auto model = together(small("encdec", 5, 1), small("rnnsearch", 6, 2));
  Random random(1);
  const Training training{random};
  CHECK_THROWS_AS(model->encode(batch(), &training), std::invalid_argument);
  CHECK_THROWS_AS(model->teacher_forced(batch(), &training), std::invalid_argument);
  CHECK_THROWS_WITH(beam_search(*together(small("encdec", 5, 1), small("encdec", 5, 1, 13)), batch(), {}),
                    Catch::Contains("model 2 has 13 target words, model 1 has 12"));
}
