// A decoder over a memory that comes from no text: RNNsearch writes about pictures, which are grids of 2 x 3 vectors.
#include <algorithm>
#include <numeric>

#include "autograd/ops/reduce.h"
#include "models/recurrent/rnnsearch.h"
#include "models/search/beam_search.h"
#include "models/search/ensemble.h"
#include "models/search/intervention.h"
#include "models/search/sampling.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;

constexpr std::size_t B = 3, cells = 6, D = 5;
const BeamOptions whole_space{.beam = 1000, .n_best = 4, .length_penalty = 0, .max_length = 2};

// The parameters of a decoder without an encoder or a source vocabulary.
struct Writer {
  Params params{Random(1)};
  RNNsearchDecoder decoder;
  explicit Writer(const nlohmann::json& options, std::uint64_t seed = 2) : decoder(make(params, options)) {
    Random random(seed);
    compare::randomise(params, random);
  }
  static RNNsearchDecoder make(const Params& p, const nlohmann::json& json) {
    ModelOptions o = completed(with(small(), json));
    o.source_vocabulary = 0;
    const layers::InitialiserConfig init = layers::initialiser_config(layers::InitialiserKind::standard);
    return {o, TargetEmbedding(target_embedding(o, o.embedding, p, init), o, o.readout, p, init), D, D, p};
  }
};

// The memory of some pictures. The initial state comes from the mean of their cells.
Memory pictures(const RNNsearchDecoder& decoder, const std::vector<std::size_t>& which) {
  Random random(5);
  const Array all = compare::random_array({cells, B, D}, random);
  Array grid({cells * which.size(), D});
  for (std::size_t j = 0; j < cells; ++j)
    for (std::size_t b = 0; b < which.size(); ++b)
      std::copy_n(all.data() + (j * B + which[b]) * D, D, grid.data() + (j * which.size() + b) * D);
  const Var states = autograd::constant(grid.reshaped({cells, which.size(), D}));
  return decoder.memory(std::vector<std::size_t>(which.size(), cells), states, mean(states, {0}));
}

// Teacher forcing: -log p of the words and of </s>.
TeacherForced forced(const Decoder& decoder, const Memory& memory, const Ids& words) {
  Targets targets{words.size() + 1, words, words};
  targets.in.insert(targets.in.begin(), data::start_id);
  targets.out.push_back(data::end_id);
  return decoder.teacher_forced(memory, targets);
}

double log_p(const Decoder& decoder, const Memory& memory, const Ids& words) {
  return -static_cast<double>(sum(forced(decoder, memory, words).losses).value().item());
}

const std::vector<nlohmann::json> kinds_of_decoder{{{"cell", "lstm"}},
                                                   {{"cell", "gru"}, {"coverage", true}},
                                                   {{"attention", "general"}, {"readout_state", "previous"}},
                                                   {{"attention", "qkv"}, {"heads", 2}, {"query_word", true}}};

}  // namespace

TEST_CASE("grid: a complete beam search finds the captions that enumeration finds") {
  const autograd::NoGrad no_grad;
  for (const nlohmann::json& json : kinds_of_decoder) {
    INFO(json.dump());
    const Writer writer(json);
    const auto found = beam_search(writer.decoder, pictures(writer.decoder, {0, 1, 2}), whole_space);
    REQUIRE(found.size() == B);
    for (std::size_t b = 0; b < B; ++b) {
      const Memory alone = pictures(writer.decoder, {b});
      std::vector<std::pair<double, Ids>> captions{{log_p(writer.decoder, alone, {}), {}}};
      const Ids vocabulary{data::unk_id, 4, 5, 6};
      for (const Id first : vocabulary) {
        captions.push_back({log_p(writer.decoder, alone, {first}), {first}});
        for (const Id second : vocabulary)
          captions.push_back({log_p(writer.decoder, alone, {first, second}), {first, second}});
      }
      std::sort(captions.rbegin(), captions.rend());
      REQUIRE(found[b].size() == whole_space.n_best);
      for (std::size_t i = 0; i < whole_space.n_best; ++i) {
        CHECK(found[b][i].ids == captions[i].second);
        CHECK(found[b][i].log_prob == Approx(captions[i].first).margin(1e-5));
      }
    }
  }
}

TEST_CASE("grid: a caption's weights cover the cells, sum to one and equal those of forced decoding") {
  const autograd::NoGrad no_grad;
  for (const nlohmann::json& json : kinds_of_decoder) {
    INFO(json.dump());
    const Writer writer(json);
    for (const auto& captions : beam_search(writer.decoder, pictures(writer.decoder, {2, 0, 1}), {.beam = 2})) {
      const Hypothesis& h = captions.at(0);
      REQUIRE(h.weights.matrix.size() == h.word_log_prob.size());
      for (const std::vector<float>& row : h.weights.matrix) {
        REQUIRE(row.size() == cells);
        CHECK(std::accumulate(row.begin(), row.end(), 0.0) == Approx(1).epsilon(1e-5));
      }
    }
    const Memory one = pictures(writer.decoder, {1});
    const Hypothesis h = beam_search(writer.decoder, one, whole_space).at(0).at(0);
    const Array alpha = forced(writer.decoder, one, h.ids).weights.matrix.value();
    for (std::size_t t = 0; t < h.weights.matrix.size(); ++t)
      for (std::size_t j = 0; j < cells; ++j)
        CHECK(h.weights.matrix[t][j] == Approx(alpha[t * cells + j]).margin(1e-5));
  }
}

TEST_CASE("grid: samples, an ensemble and an intervention need no source text") {
  const autograd::NoGrad no_grad;
  const Writer writer(kinds_of_decoder[0]), other(kinds_of_decoder[1], 3);
  const Memory memory = pictures(writer.decoder, {0, 1}), one = pictures(writer.decoder, {0});
  for (const auto& drawn : sample(writer.decoder, memory, {.samples = 2}, {Random(1), Random(2)}))
    for (const Hypothesis& h : drawn) CHECK(h.weights.matrix.size() == h.word_log_prob.size());

  const auto view = [](const Decoder& decoder) { return std::shared_ptr<const Decoder>(&decoder, [](const auto*) {}); };
  const auto both = make_ensemble({view(writer.decoder), view(other.decoder)});
  const Memory seen_by_both = ensemble_memory({one, pictures(other.decoder, {0})});
  const Hypothesis h = beam_search(*both, seen_by_both, whole_space).at(0).at(0);
  CHECK(h.log_prob == Approx(log_p(*both, seen_by_both, h.ids)).margin(1e-5));

  const Intervention force{data::InterventionKind::force, 0, 4};
  const Hypothesis looked = decode_with(writer.decoder, one, &force, Random(1));
  CHECK(looked.weights.matrix.at(0)[4] == Approx(1).margin(1e-6));
  CHECK(decode_with(*both, seen_by_both, &force, Random(1)).weights.matrix.at(0)[4] == Approx(1).margin(1e-6));
}
