// bench_beyond measures training steps of three models without sentence pairs, on random data. They are a small
// convolutional network, the captioner (Xu et al. 2015) and a language model whose LSTM attends to its past states
// (Cheng et al. 2016). Each thread computes a part of the batch, as in train. beyond_torch.py has the same models in
// PyTorch, and compare.py compares the two.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "apps/cli/command_line.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/optimise/clip.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "autograd/var.h"
#include "models/language_models/next_word.h"
#include "models/pictures/picture_encoder.h"
#include "models/pictures/picture_tagger.h"
#include "models/pictures/show_attend_tell.h"
#include "tests/benchmarks/timing.h"

using namespace softalign;

namespace {

using autograd::Array;
using autograd::Ids;
using autograd::Params;
using autograd::Random;
using autograd::Real;
using autograd::Var;
using models::Grid;

constexpr std::size_t batch = 32;

// The model that is trained, on the losses of one fixed batch. The batch is cut into parts, one per thread.
struct Subject {
  std::string counted;                     // the unit of the throughput
  std::size_t in_a_batch = 0;              // units per batch
  std::function<Var(std::size_t)> losses;  // the losses of part i
};

Ids labels(std::size_t n, std::size_t kinds, Random& random) {
  Ids ids;
  for (std::size_t i = 0; i < n; ++i) ids.push_back(static_cast<autograd::Id>(random.below(kinds)));
  return ids;
}

// Pictures of each part of the batch.
std::vector<Var> pictures(std::size_t parts, const Grid& grid, Random& random) {
  std::vector<Var> all;
  for (std::size_t part = 0; part < parts; ++part) {
    Array values({grid.cells(), batch / parts, 3});
    for (Real& value : values.span()) value = static_cast<Real>(random.uniform());
    all.push_back(autograd::constant(values));
  }
  return all;
}

// Pictures of 32 x 32 pixels with one label per cell of an 8 x 8 grid.
Subject convolution(const Params& p, Random& random, std::size_t parts) {
  static constexpr Grid grid{32, 32};
  const models::PictureTagger model({.layer = models::PictureTagger::Layer::convolution, .labels = 6}, p);
  const std::size_t rows = models::PictureTagger::cells(grid).cells() * batch / parts;
  return {"pictures", batch,
          [model, rows, x = pictures(parts, grid, random), y = labels(rows, 6, random)](std::size_t i) {
            return cross_entropy(reshape(model(x[i], grid).logits, {rows, 6}), y);
          }};
}

// Pictures of 24 x 24 pixels with captions of 9 words, from a vocabulary of 20.
Subject captioner(const Params& p, Random& random, std::size_t parts) {
  static constexpr Grid grid{24, 24};
  constexpr std::size_t T = 9, V = 20;
  models::ModelOptions o;
  o.target_vocabulary = V, o.embedding = 32, o.hidden = 96, o.attention_size = 64, o.dropout = 0;
  o.initialiser = layers::InitialiserKind::standard;
  const models::PictureEncoder encoder({.pixels = grid}, p / "encoder",
                                       layers::initialiser_config(layers::InitialiserKind::standard));
  const models::ShowAttendTell decoder(o, encoder.width(), p);
  const std::size_t words = T * batch / parts;
  models::Targets shifted{T, labels(words, V - 4, random), labels(words, V - 4, random)};
  for (Ids* ids : {&shifted.in, &shifted.out})
    for (autograd::Id& id : *ids) id += 4;  // no word is a special token
  return {"pictures", batch, [encoder, decoder, x = pictures(parts, grid, random), shifted](std::size_t i) {
            return decoder.teacher_forced(decoder.memory(encoder(x[i])), shifted, nullptr).losses;
          }};
}

// Texts of 30 words from a vocabulary of 1,000.
Subject lstmn(const Params& p, Random& random, std::size_t parts) {
  static constexpr std::size_t T = 30, V = 1000;
  const std::size_t B = batch / parts, words = T * B;
  const models::NextWord model({.words = V, .embedding = 64, .hidden = 128, .attention_size = 128}, p);
  std::vector<Ids> x, y;
  for (std::size_t part = 0; part < parts; ++part)
    x.push_back(labels(words, V, random)), y.push_back(labels(words, V, random));
  return {"words", T * batch, [model, B, words, x, y](std::size_t i) {
            return cross_entropy(reshape(model(x[i], B).logits, {words, V}), y[i]);
          }};
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  std::string what = "convolution";
  double seconds = 5;
  apps::CommandLine line("bench_beyond", "Training steps of what reads no sentences; the last line is JSON.",
                         {"bench_beyond --what captioner --threads 1"}, common);
  line.add("what", &what, "what is trained", apps::one_of({"convolution", "captioner", "lstmn"}));
  line.add("seconds", &seconds, "measure at least so long", apps::between(0, 1e6));
  return line.run(argc, argv, [&] {
    Random random(common.seed);
    const Params p(random.split("parameters"));
    const auto make = what == "convolution" ? convolution : what == "captioner" ? captioner : lstmn;
    // No model is large enough for its threads to share products. A power of two divides the batch evenly.
    const std::size_t parts = std::bit_floor(std::min<std::size_t>(batch, std::size_t(autograd::threads())));
    const Subject subject = make(p, random, parts);
    autograd::Optimiser adam(p, {});
    std::vector<double> losses(parts);
    const double step = benchmarks::median_seconds(
        [&] {
          run_shards(p, parts, [&](std::size_t part) {
            const Var now = mean(subject.losses(part)) * (Real(1) / static_cast<Real>(parts));
            losses[part] = static_cast<double>(now.value().item());
            backward(now);
          });
          clip_by_global_norm(p, 1);
          adam.step(1e-3);
        },
        seconds, 3);
    const double loss = std::accumulate(losses.begin(), losses.end(), 0.0);
    const double rate = static_cast<double>(subject.in_a_batch) / step;
    fmt::print("{}: step {:.2f} ms, {:.0f} {}/s, {} parameters, loss {:.3f}\n", what, 1e3 * step, rate, subject.counted,
               p.count(), loss);
    const nlohmann::json result{{"train_step_ms", 1e3 * step}, {"train_per_s", rate}, {"params", p.count()},
                                {"same_model", true},          {"loss", loss},        {"threads", common.threads}};
    fmt::print("{}\n", result.dump());
    return 0;
  });
}
