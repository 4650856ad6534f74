// This file is the experiment `reproduce cnn-attention` (Zhang et al. 2019, Wang et al. 2018). It measures how much
// self-attention over the cells of a picture helps.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "apps/pictures/cell_pictures.h"
#include "autograd/var.h"
#include "data/pictures/shapes.h"
#include "data/pictures/synthetic_tasks.h"

namespace softalign::apps {

namespace {

using Layer = models::PictureTagger::Layer;
using autograd::Real;

const std::vector<TaggerKind> kinds{
    {"nothing", Layer::nothing}, {"3 x 3 convolution", Layer::convolution}, {"self-attention", Layer::attention}};
constexpr std::size_t attention = 2;  // index in `kinds`

constexpr std::size_t steps = 1000, B = 32, tested = 500, measurements = 8;

using TwinPictures = CellPictures<data::Twins>;

TwinPictures pictures(std::size_t count, std::uint64_t seed) {
  return {count, seed, data::draw_twins, [](const data::Twins& twins, const data::Twins::Object& object) {
            return twins.objects[object.twin].colour;
          }};
}

// Found has percentages. `accuracy` counts correct colours. `hit` counts the cells of an object whose largest weight is
// on one of the four cells of its twin. `mass` is the weight on these cells.
struct Found {
  double accuracy = 0;
  std::optional<double> hit, mass;
};

Found found(const models::PictureTagger& model, const TwinPictures& test) {
  const autograd::NoGrad no_grad;
  const auto read = model(autograd::constant(test.values), cell_pixels);
  const autograd::Var &logits = read.logits, &weights = read.weights;
  const std::size_t V = data::colour_names.size(), N = cells_of_pictures.cells(), count = test.scenes.size();
  Hits right, hits, mass;
  for (std::size_t row = 0; row < test.labels.size(); ++row) {
    if (test.labels[row] < 0) continue;
    right.count(largest(logits, row, V) == static_cast<std::size_t>(test.labels[row]));
    if (!weights.defined()) continue;
    const data::Twins& twins = test.scenes[row % count];
    const std::size_t twin = twins.objects[static_cast<std::size_t>(test.objects[row])].twin;
    const std::vector<std::size_t> cells = covered(twins.objects[twin].square);
    hits.count(std::find(cells.begin(), cells.end(), largest(weights, row, N)) != cells.end());
    mass.count(std::accumulate(cells.begin(), cells.end(), 0.0, [&, &a = weights](double sum, std::size_t cell) {
      return sum + static_cast<double>(a.value()[row * N + cell]);
    }));
  }
  if (!weights.defined()) return {right.percent(), {}, {}};
  return {right.percent(), hits.percent(), mass.percent()};
}

// Returns the attention of one cell for each object that begins a pair, in the first test picture.
std::vector<AttendedPicture> attended_pictures(const models::PictureTagger& model, const TwinPictures& test) {
  const autograd::NoGrad no_grad;
  const auto weights = model(autograd::constant(test.values), cell_pixels).weights.value();
  const std::size_t N = cells_of_pictures.cells(), count = test.scenes.size();
  const data::Twins& twins = test.scenes.front();
  std::vector<AttendedPicture> looks_of_it;
  for (std::size_t i = 0; i < twins.objects.size(); i += 2) {
    const data::Twins::Object& object = twins.objects[i];
    const std::size_t asking = middle(object.square);
    const Real* row = weights.data() + asking * count * N;
    looks_of_it.push_back({fmt::format("the {} {}", data::colour_names[object.colour], data::shape_names[object.shape]),
                           twins.picture, cells_of_pictures.height, cells_of_pictures.width,
                           std::vector<double>(row, row + N), covered(twins.objects[object.twin].square), asking});
  }
  return looks_of_it;
}

struct Learnt : LearntLabels<Found> {
  std::size_t parameters = 0;
  std::vector<AttendedPicture> pictures;
};

Learnt learnt(const TaggerKind& kind, const TwinPictures& test, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const models::PictureTagger model({.layer = kind.layer, .labels = data::colour_names.size()}, params);
  const PictureTask task{.labels = data::colour_names.size(), .steps = steps, .batch = B, .measurements = measurements};
  Learnt result{
      learn_labels(model, params, task, seed, pictures, [&] { return found(model, test); }), params.count(), {}};
  if (kind.layer == Layer::attention) result.pictures = attended_pictures(model, test);
  return result;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Each picture of 32 x 32 pixels has six objects, which are three pairs of the same shape. The cell of each "
      "object has to predict the colour of the other object of its pair (its twin). Two convolutions with stride 2 "
      "give 8 x 8 cells of 48 channels, and the table names the layer between them and the output. Training takes {} "
      "steps of {}; the test has {} other pictures. In percent; chance is 16.7.",
      steps, B, tested);
  shown.columns = {"layer", "parameters", "accuracy", "largest weight on the twin", "weight on the twin", "seconds"};
  LineChart chart = chart_of_measurements("accuracy, percent", "pictures seen", steps * B, measurements);
  const TwinPictures test = pictures(tested, test_seed);
  std::vector<data::MeanAndRange> right;
  std::optional<data::MeanAndRange> hit;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k].name));
    const auto all = with_seeds(seeds, [&](std::size_t seed) { return learnt(kinds[k], test, seed); });
    chart.series.push_back(accuracy_of(kinds[k].name, k, all));
    right.push_back(*final_value(all, &Found::accuracy));
    const auto hits = final_value(all, &Found::hit), mass = final_value(all, &Found::mass);
    if (hits) hit = hits;
    shown.rows.push_back(
        {kinds[k].name, std::to_string(all.front().parameters), to_text(right.back(), 1), hits ? to_text(hits, 1) : "-",
         mass ? to_text(mass, 1) : "-",
         mean_text(mean_and_range_of(all, [](const Learnt& one) { return std::optional(one.seconds); }), 0)});
    if (!all.front().pictures.empty()) shown.pictures = all.front().pictures;
  }
  shown.charts.push_back(std::move(chart));
  shown.claims = {
      {"Self-attention transports information across the picture (section 3)",
       {right[attention].mean >= 99, fmt::format("accuracy {:.1f}", right[attention].mean)}},
      {"A convolution does not, because it sees only neighbouring cells",
       {right[1].mean <= 30, fmt::format("accuracy {:.1f}, no layer {:.1f}", right[1].mean, right[0].mean)}},
      {"Each cell attends to the twin",
       {hit->mean >= 80, fmt::format("largest weight on the twin {:.1f}", hit->mean)}}};
  return shown;
}

}  // namespace

SmallExperiment cnn_attention() { return {"cnn-attention", "Self-attention in a convolutional network", run}; }

}  // namespace softalign::apps
