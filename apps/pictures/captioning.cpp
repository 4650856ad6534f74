// This file is the experiment `reproduce captioning` (Xu et al. 2015). It measures from which part of a picture each
// word of its caption comes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/sequences.h"
#include "apps/experiments/test_seed.h"
#include "autograd/grid.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "data/corpus/batch.h"
#include "data/metrics/attention_accuracy.h"
#include "data/pictures/synthetic_captions.h"
#include "models/pictures/picture_encoder.h"
#include "models/pictures/show_attend_tell.h"
#include "models/search/beam_search.h"
#include "models/training/hard_attention.h"

namespace softalign::apps {

namespace {

// BoardBatch has B pictures of boards and their captions as numbers (data/pictures/synthetic_captions.h). The same seed
// gives the same pictures.
struct BoardBatch {
  static constexpr std::size_t side = data::board_side * data::board_square;
  static constexpr autograd::Grid pixels{side, side}, cells{side / 4, side / 4};

  BoardBatch(std::size_t B, std::uint64_t seed);

  std::vector<data::Board> examples;
  autograd::Array values;  // (24*24, B, 3), in [0, 1]
  data::Batch captions;    // the source is the cells: S = N, without ids

  static std::size_t words();                                    // V, with special words
  static std::vector<std::size_t> cells_of(std::size_t square);  // cells that the square covers
};

const WordIds& ids() {
  static const WordIds table = word_ids(data::board_words());
  return table;
}

constexpr autograd::Id first_word = data::end_id + 1;

BoardBatch::BoardBatch(std::size_t B, std::uint64_t seed) : values({pixels.cells(), B, 3}) {
  autograd::Random random(seed);
  captions.size = B;
  captions.source_steps = cells.cells();
  captions.source_lengths.assign(B, cells.cells());
  for (std::size_t b = 0; b < B; ++b) {
    examples.push_back(data::draw_board(random));
    models::write_pixels(examples.back().picture, b, values);
    captions.target_lengths.push_back(examples.back().caption.size() + 1);
    captions.targets.steps = std::max(captions.targets.steps, captions.target_lengths.back());
  }
  captions.targets.in.assign(captions.targets.steps * B, data::pad_id);
  captions.targets.out = captions.targets.in;
  for (std::size_t b = 0; b < B; ++b) {
    const std::vector<std::string>& caption = examples[b].caption;
    captions.targets.in[b] = data::start_id;
    for (std::size_t t = 0; t < caption.size(); ++t)
      captions.targets.out[t * B + b] = captions.targets.in[(t + 1) * B + b] = first_word + ids().at(caption[t]);
    captions.targets.out[caption.size() * B + b] = data::end_id;
  }
}

std::size_t BoardBatch::words() { return static_cast<std::size_t>(first_word) + ids().size(); }

std::vector<std::size_t> BoardBatch::cells_of(std::size_t square) {
  constexpr std::size_t each = cells.width / data::board_side;
  std::vector<std::size_t> covered;
  for (std::size_t i = 0; i < each; ++i)
    for (std::size_t j = 0; j < each; ++j)
      covered.push_back((square / data::board_side * each + i) * cells.width + square % data::board_side * each + j);
  return covered;
}

using autograd::Var;
using models::Decoder;

enum class CaptionAttention { mean, soft, hard };
struct Kind {
  std::string name;
  CaptionAttention attention;
};
const std::vector<Kind> kinds{{"mean of all cells", CaptionAttention::mean},
                              {"soft attention", CaptionAttention::soft},
                              {"hard attention", CaptionAttention::hard}};

constexpr std::size_t steps = 3000, B = 32, tested = 500, measurements = 10;
constexpr double rate = 3e-3;

models::ModelOptions sizes(CaptionAttention attention) {
  models::ModelOptions o;
  o.target_vocabulary = BoardBatch::words();
  o.embedding = 32, o.hidden = 96, o.attention_size = 64;
  o.dropout = 0;
  o.initialiser = layers::InitialiserKind::standard;
  o.hard_attention = attention == CaptionAttention::hard;
  return o;
}

struct Captioner {
  autograd::Params params;
  models::PictureEncoder encoder{{.pixels = BoardBatch::pixels},
                                 params / "encoder",
                                 layers::initialiser_config(layers::InitialiserKind::standard)};
  models::ShowAttendTell decoder;

  Captioner(CaptionAttention attention, std::uint64_t seed)
      : params(autograd::Random(seed)), decoder(sizes(attention), encoder.width(), params) {}
  models::Memory read(const BoardBatch& batch) const {
    return decoder.memory(encoder(autograd::constant(batch.values)));
  }
  std::unique_ptr<Decoder> decoder_with(CaptionAttention attention) const {
    if (attention != CaptionAttention::mean) return std::make_unique<models::ShowAttendTell>(decoder);
    return decoder.with_attention_hook(
        [](const layers::HookInput& l) { return softmax(l.scores * autograd::Real(0)); });
  }
};

// Found has percentages. `accuracy` counts captions without an error, and `words` counts correct words. `hit` counts
// the words for a colour or a shape whose largest weight is on their object. `mass` is the weight on this object.
struct Found {
  double accuracy = 0, words = 0;
  std::optional<double> hit, near, mass;  // near: largest weight on the object or one cell away
};

Found found(const Captioner& model, CaptionAttention attention, const BoardBatch& test) {
  const autograd::NoGrad no_grad;
  const std::unique_ptr<Decoder> decoder = model.decoder_with(attention);
  const models::Memory memory = model.read(test);
  const data::Batch& captions = test.captions;
  const auto written = beam_search(*decoder, memory, {.max_length = captions.targets.steps});
  const Var alpha = decoder->teacher_forced(memory, captions.targets, nullptr).weights.matrix;  // (T*B, N)
  Hits exact, words, hits, near, mass;
  for (std::size_t b = 0; b < tested; ++b) {
    const data::Ids& said = written[b].front().ids;
    const std::size_t n = test.examples[b].caption.size();
    const auto is = [&](std::size_t t) { return captions.targets.out[t * tested + b]; };
    std::size_t right = 0;
    for (std::size_t t = 0; t < n; ++t) {
      right += t < said.size() && said[t] == is(t);
      words.count(t < said.size() && said[t] == is(t));
      if (!test.examples[b].gold[t]) continue;
      const std::vector<std::size_t> cells = BoardBatch::cells_of(*test.examples[b].gold[t]);
      const std::size_t row = t * tested + b, N = BoardBatch::cells.cells();
      const std::size_t best = largest(alpha, row, N);
      hits.count(std::find(cells.begin(), cells.end(), best) != cells.end());
      near.count(std::any_of(cells.begin(), cells.end(),
                             [&](std::size_t cell) { return data::are_near(cell, best, BoardBatch::cells.width); }));
      mass.count(std::accumulate(cells.begin(), cells.end(), 0.0, [&](double sum, std::size_t cell) {
        return sum + static_cast<double>(alpha.value()[row * N + cell]);
      }));
    }
    exact.count(right == n && said.size() == n);
  }
  if (attention == CaptionAttention::mean) return {exact.percent(), words.percent(), {}, {}, {}};
  return {exact.percent(), words.percent(), hits.percent(), near.percent(), mass.percent()};
}

// Returns the attention of each word of the first test caption.
std::vector<AttendedPicture> attended_pictures(const Captioner& model, const Kind& kind, const BoardBatch& test) {
  const autograd::NoGrad no_grad;
  const data::Batch& captions = test.captions;
  const Var alpha =
      model.decoder_with(kind.attention)->teacher_forced(model.read(test), captions.targets, nullptr).weights.matrix;
  const data::Board& board = test.examples.front();
  std::vector<AttendedPicture> all;
  for (std::size_t t = 0; t < board.caption.size(); ++t) {
    const autograd::Real* row = alpha.value().data() + t * tested * BoardBatch::cells.cells();
    all.push_back({board.caption[t],
                   board.picture,
                   BoardBatch::cells.height,
                   BoardBatch::cells.width,
                   std::vector<double>(row, row + BoardBatch::cells.cells()),
                   board.gold[t] ? BoardBatch::cells_of(*board.gold[t]) : std::vector<std::size_t>{},
                   {}});
  }
  return all;
}

struct Learnt {
  std::vector<Found> measured;  // after each tenth of the steps
  std::size_t parameters = 0;
  std::vector<AttendedPicture> pictures;
};

Learnt learnt(const Kind& kind, const BoardBatch& test, std::uint64_t seed) {
  const Captioner model(kind.attention, seed);
  const std::unique_ptr<Decoder> decoder = model.decoder_with(kind.attention);
  models::HardAttention hard{.baseline = autograd::zeros({BoardBatch(1, 1).captions.targets.steps})};
  Learnt result;
  result.parameters = model.params.count();
  const auto measure = [&] { return found(model, kind.attention, test); };
  result.measured = learn_and_observe(model.params, steps, rate, measurements, measure, [&](std::size_t step) {
    const BoardBatch batch(B, seed * steps + step);
    const data::Batch& captions = batch.captions;
    const models::Targets& targets = captions.targets;
    autograd::Random random = autograd::Random(seed).split(step);
    const models::Training training{random};
    hard.fraction = models::sampled_fraction(static_cast<double>(step) / steps);
    std::vector<layers::SampledAttention> glances;
    const Var losses =
        (kind.attention == CaptionAttention::hard
             ? teacher_forced_with_hard_attention(*decoder, model.read(batch), targets, training, hard, glances)
             : decoder->teacher_forced(model.read(batch), targets, &training))
            .losses;
    Var loss = sum(losses);
    if (kind.attention == CaptionAttention::hard) {
      models::Rewards rewards;
      loss = loss + reinforcement(losses, targets.out, glances, hard, rewards);
      follow(hard.baseline, rewards);
    }
    return loss * (1 / static_cast<autograd::Real>(data::target_words(captions)));
  });
  if (kind.attention != CaptionAttention::mean) result.pictures = attended_pictures(model, kind, test);
  return result;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Each picture of 24 x 24 pixels shows two objects on a board of 3 x 3 squares, for example \"a red circle above "
      "a blue square\" (6 shapes, 6 colours). Three convolutions give 6 x 6 cells of 64 channels with their positions; "
      "an LSTM of width 96 writes the caption greedily. Training takes {} steps of {}; the test has {} other pictures. "
      "All figures in percent. For words that name a colour or a shape: how often the largest weight is on their "
      "object, on it or within one cell of it, and the weight on it.",
      steps, B, tested);
  shown.columns = {"attention",       "parameters",  "captions, exact match", "words", "largest weight on the object",
                   "within one cell", "weight on it"};
  LineChart chart = chart_of_measurements("captions, exact match, percent", "pictures seen", steps * B, measurements);
  const BoardBatch test(tested, test_seed);
  std::vector<Found> means;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k].name));
    const auto all = with_seeds(seeds, [&](std::size_t seed) { return learnt(kinds[k], test, seed); });
    chart.series.push_back(accuracy_of(kinds[k].name, k, all));
    const auto exact = final_value(all, &Found::accuracy), hit = final_value(all, &Found::hit);
    shown.rows.push_back({kinds[k].name, std::to_string(all.front().parameters), to_text(exact, 1),
                          to_text(final_value(all, &Found::words), 1), to_text(hit, 1),
                          to_text(final_value(all, &Found::near), 1), to_text(final_value(all, &Found::mass), 1)});
    means.push_back({exact->mean, 0, hit ? std::optional(hit->mean) : std::nullopt, {}, {}});
    const std::vector<AttendedPicture>& pictures = all.front().pictures;
    shown.pictures.insert(shown.pictures.end(), pictures.begin(), pictures.end());
  }
  shown.charts.push_back(std::move(chart));
  shown.claims = {
      {"Soft attention describes the picture and attends to the object that each word names (section 5.4)",
       {means[1].accuracy >= 85 && *means[1].hit >= 85,
        fmt::format("exact match {:.1f}, largest weight on the object {:.1f}", means[1].accuracy, *means[1].hit)}},
      {"Hard attention, which samples one cell per word, is sufficient (section 4.1)",
       {means[2].accuracy >= 40 && *means[2].hit >= 80,
        fmt::format("exact match {:.1f}, largest weight on the object {:.1f}", means[2].accuracy, *means[2].hit)}},
      {"A correct caption does not prove attention to the objects: the mean of all cells, which contain their "
       "positions, is "
       "within ten points",
       {means[0].accuracy >= means[1].accuracy - 10,
        fmt::format("exact match {:.1f} with the mean, {:.1f} with soft attention", means[0].accuracy,
                    means[1].accuracy)}}};
  return shown;
}

}  // namespace

SmallExperiment captioning() {
  return {"captioning", "Show, attend and tell: which part of a picture each word comes from", run};
}

}  // namespace softalign::apps
