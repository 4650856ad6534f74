// A sentence's losses, attention and share of the gradient do not depend on its batch. Neither the other sentences nor
// their order nor padding changes them. The tests draw random shapes and lengths for every model of the registry, in
// all() kinds.
#include <map>
#include <numeric>

#include "autograd/kernels.h"
#include "autograd/var.h"
#include "models/search/beam_search.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;
using data::Indices;

#ifdef SOFTALIGN_SLOW
constexpr std::size_t rounds = 1;
#else
constexpr std::size_t rounds = 2;
#endif

const double gradient_tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-4;

// The seed of a kind comes from its options under their first names, so that renaming an option does not change the
// draws.
std::string seed_of(const std::string& kind) {
  nlohmann::json options = nlohmann::json::parse(kind), first_named = nlohmann::json::object();
  for (const auto& [name, value] : options.items()) {
    if (name == "attention-window") first_named["scope"] = value;
    else if (name == "initial-state") first_named["start"] = value;
    else if (name == "hard-attention") first_named["look"] = value.get<bool>() ? "hard" : "soft";
    else first_named[name] = value;
  }
  return first_named.dump();
}

// Adds up to 20 to each size, so that rows end within and beyond a vector register. A size that must equal another
// size, or be a multiple of one, stays as it is.
ModelOptions resized(ModelOptions o, Random& random) {
  for (std::size_t* size : {&o.embedding, &o.hidden, &o.attention_size, &o.readout}) {
    const std::size_t before = *size;
    *size += random.below(21);
    if (!problem_of(o).empty()) *size = before;
  }
  return o;
}

// Up to 5 pairs of up to 9 words per side. Some sides are empty, and some words are <unk>.
std::vector<data::EncodedPair> random_pairs(const ModelOptions& o, Random& random) {
  const auto side = [&](std::size_t vocabulary) {
    Ids ids(random.below(10));
    for (Id& id : ids) {
      const auto word = static_cast<Id>(data::end_id + random.below(vocabulary - data::end_id));
      id = word == data::end_id ? data::unk_id : word;
    }
    return ids;
  };
  std::vector<data::EncodedPair> corpus(1 + random.below(5));
  for (data::EncodedPair& pair : corpus)
    pair = as_read(o, {side(o.source_vocabulary), side(o.target_vocabulary)},
                   static_cast<std::uint64_t>(&pair - corpus.data()));
  return corpus;
}

// Adds steps of padding on both sides. Pictures have the same size, so they have no padding.
Batch padded(Batch batch, std::size_t source, std::size_t target) {
  if (!batch.pictures.empty()) source = 0;
  batch.source_steps += source;
  batch.targets.steps += target;
  batch.source.resize(batch.source_steps * batch.size, data::pad_id);
  for (Ids* ids : {&batch.targets.in, &batch.targets.out}) ids->resize(batch.targets.steps * batch.size, data::pad_id);
  return batch;
}

// The results of a model for the sentences of a batch, cut to each sentence's own words.
struct Outcome {
  std::map<std::size_t, Array> losses, attention;  // by index in the corpus: (T_b), (T_b, K, S_b)
  std::vector<Array> gradients;                    // gradients of the sum of all losses
};

// Cuts (T*B, ..., S) to (T_b, ..., S_b) of sentence b. All numbers outside of this part must be exactly 0.
Array own_part(const Array& x, const Batch& batch, std::size_t b, std::size_t S) {
  const std::size_t width = x.size() / (batch.targets.steps * batch.size), K = width / S, own = batch.places[b];
  Array part({batch.target_lengths[b], K, own});
  for (std::size_t t = 0; t < batch.target_lengths[b]; ++t)
    for (std::size_t k = 0; k < K; ++k) {
      const Real* row = x.data() + (t * batch.size + b) * width + k * S;
      std::copy_n(row, own, part.data() + (t * K + k) * own);
      CHECK(std::all_of(row + own, row + S, [](Real weight) { return weight == 0; }));
    }
  return part;
}

Outcome outcome(const Made& made, const Batch& batch) {
  Outcome result;
  const TeacherForced forced = made.model.teacher_forced(batch);
  backward(sum(forced.losses));
  result.gradients = compare::gradients(made.params);
  const BatchWeights& weights = forced.weights;
  for (std::size_t b = 0; b < batch.size; ++b) {
    Array losses({batch.target_lengths[b]});
    for (std::size_t t = 0; t < batch.targets.steps; ++t) {
      const Real loss = forced.losses.value()[t * batch.size + b];
      if (t < losses.size()) losses[t] = loss;
      else CHECK(loss == 0);
    }
    result.losses[batch.index[b]] = losses;
    if (!weights.matrix.defined()) continue;
    const Var& all = weights.heads.empty() ? weights.matrix : weights.heads[0].weights;
    result.attention[batch.index[b]] = own_part(all.value(), batch, b, most_places(batch));
  }
  return result;
}

// Runs each sentence by itself and adds the gradients.
Outcome alone(const Made& made, const std::vector<data::EncodedPair>& corpus) {
  Outcome all;
  for (std::size_t b = 0; b < corpus.size(); ++b) {
    const Outcome one = outcome(made, data::make_batch(corpus, {b}));
    all.losses.insert(one.losses.begin(), one.losses.end());
    all.attention.insert(one.attention.begin(), one.attention.end());
    if (b == 0) all.gradients = one.gradients;
    else
      for (std::size_t p = 0; p < one.gradients.size(); ++p)
        for (std::size_t i = 0; i < one.gradients[p].size(); ++i) all.gradients[p][i] += one.gradients[p][i];
  }
  return all;
}

void check_same(const Outcome& a, const Outcome& b) {
  const auto check = [](const auto& some, const auto& others) {
    REQUIRE(some.size() == others.size());
    for (const auto& [index, x] : some) CHECK(compare::relative_error(x, others.at(index)) < alone_tolerance);
  };
  check(a.losses, b.losses);
  check(a.attention, b.attention);
  REQUIRE(a.gradients.size() == b.gradients.size());
  for (std::size_t p = 0; p < a.gradients.size(); ++p) {
    INFO("parameter " << p);
    CHECK(compare::relative_error(a.gradients[p], b.gradients[p]) < gradient_tolerance);
  }
}

// Some networks attend to states that are nearly equal, so the gradients of their scores are smaller than rounding
// errors elsewhere. These networks get larger weights, so that states differ. In other networks, larger weights would
// magnify rounding errors.
double scale_of(const ModelOptions& o) {
  const ModelOptions all = completed(o);
  if (reads_pictures(all)) return 0.25;  // larger weights would saturate later layers
  const bool alike =
      all.model == "attentive-reader" || all.model == "lstmn" || all.model == "lstmn-lm" || all.encoder == "lstmn";
  return alike ? 0.5 : 0.25;
}

Indices shuffled(std::size_t size, Random& random) {
  Indices indices(size);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  random.shuffle(indices);
  return indices;
}

}  // namespace

TEST_CASE("exactness: batch, order and padding change neither losses nor attention nor gradients, in both kernels") {
  for (const auto& [name, o] : all())
    for (std::size_t round = 0; round < rounds; ++round) {
      Random random = Random(31).split(seed_of(name)).split(round);
      const ModelOptions options = resized(o, random);
      const std::vector<data::EncodedPair> corpus = random_pairs(options, random);
      const Made made(options);
      compare::randomise(made.params, random, scale_of(options));
      const Indices order = shuffled(corpus.size(), random), other = shuffled(corpus.size(), random);
      const std::size_t more = 1 + random.below(20);
      for (const autograd::Kernels kernels : {autograd::Kernels::fused, autograd::Kernels::composed}) {
        const autograd::KernelsInForce in_force(kernels);
        INFO(name << ", round " << round << ", kernels " << static_cast<int>(kernels));
        const Outcome expected = alone(made, corpus);
        check_same(outcome(made, data::make_batch(corpus, order)), expected);
        check_same(outcome(made, padded(data::make_batch(corpus, other), more, random.below(20))), expected);
      }
    }
}

TEST_CASE("exactness: search results do not depend on the batch of a source") {
  for (const auto& [name, o] : all()) {
    INFO(name);
    Random random = Random(32).split(seed_of(name));
    const ModelOptions options = resized(o, random);
    const std::vector<data::EncodedPair> corpus = random_pairs(options, random);
    const Made made(options);
    const BeamOptions beam{.beam = 3, .n_best = 3, .max_length = 6};
    const Batch batch = data::make_batch(corpus, shuffled(corpus.size(), random));
    const auto together = beam_search(made.model, padded(batch, random.below(9), 0), beam);
    for (std::size_t b = 0; b < batch.size; ++b) {
      const auto found = beam_search(made.model, data::make_batch(corpus, {batch.index[b]}), beam).at(0);
      REQUIRE(found.size() == together[b].size());
      for (std::size_t n = 0; n < found.size(); ++n)
        CHECK(together[b][n].score == Approx(found[n].score).epsilon(alone_tolerance).margin(1e-6));
      CHECK(together[b][0].ids == found[0].ids);
    }
  }
}
