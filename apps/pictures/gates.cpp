// This file is the experiment `reproduce gates` (Hu et al. 2018, Woo et al. 2018). It measures how much gates over the
// channels and over the cells of a picture help.
#include "apps/pictures/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "apps/pictures/cell_pictures.h"
#include "autograd/var.h"
#include "data/pictures/shapes.h"

namespace softalign::apps {

namespace {

constexpr std::size_t strengths = 5;  // classes of light, on a logarithmic scale from 1/4 to 1
constexpr std::array<const char*, 3> light_names{"red light", "green light", "blue light"};

std::size_t strength_of(double light) {
  return std::min(strengths - 1, static_cast<std::size_t>((2 + std::log2(light)) / 2 * strengths));
}

// Returns the mean gate of a channel for each class of light in a colour, over the test pictures. `gates` is (B, C).
std::vector<double> mean_gates(const CellPictures<data::Mondrian>& test, const autograd::Array& gates,
                               std::size_t colour, std::size_t channel) {
  std::vector<double> sums(strengths), counts(strengths);
  const std::size_t C = gates.dim(1);
  for (std::size_t b = 0; b < test.scenes.size(); ++b) {
    const std::size_t s = strength_of(test.scenes[b].light[colour]);
    sums[s] += static_cast<double>(gates[b * C + channel]), counts[s] += 1;
  }
  for (std::size_t s = 0; s < strengths; ++s) sums[s] /= counts[s];
  return sums;
}

// Returns the picture whose light has the largest share of a colour, with the gates of its channels. `gates` is (B, C).
AttendedPicture most_lit(const CellPictures<data::Mondrian>& test, const autograd::Array& gates, std::size_t colour) {
  const auto beside = [&](const data::Mondrian& one) {
    const auto& [red, green, blue] = one.light;
    return one.light[colour] / (red + green + blue);
  };
  const auto most = std::max_element(test.scenes.begin(), test.scenes.end(),
                                     [&](const auto& a, const auto& b) { return beside(a) < beside(b); });
  const autograd::Real* row = gates.data() + static_cast<std::size_t>(most - test.scenes.begin()) * gates.dim(1);
  const auto& [red, green, blue] = most->light;
  return {.title = fmt::format("{}: {:.2f} {:.2f} {:.2f}", light_names[colour], red, green, blue),
          .picture = most->picture,
          .rows = cells_of_pictures.height,
          .columns = cells_of_pictures.width,
          .weights = {},
          .gold = {},
          .asking = {},
          .gates = std::vector<double>(row, row + gates.dim(1))};
}

}  // namespace

ChannelGates gates_of(const models::PictureTagger& model, const CellPictures<data::Mondrian>& test) {
  const autograd::NoGrad no_grad;
  const autograd::Var gates = model(autograd::constant(test.values), cell_pixels).channels;
  LineChart chart{.title = "the gate that is correlated most with a light",
                  .x_title = "intensity of the light",
                  .x = {"1/4", "", "1/2", "", "1"},
                  .decimals = 2,
                  .series = {},
                  .context = {}};
  std::vector<AttendedPicture> pictures;
  for (std::size_t colour = 0; colour < light_names.size(); ++colour) {
    pictures.push_back(most_lit(test, gates.value(), colour));
    std::vector<double> most;
    const auto range = [](const std::vector<double>& means) { return std::abs(means.back() - means.front()); };
    for (std::size_t channel = 0; channel < gates.dim(1); ++channel) {
      const std::vector<double> means = mean_gates(test, gates.value(), colour, channel);
      if (most.empty() || range(means) > range(most)) most = means;
    }
    Series series{light_names[colour], colour, {}};
    for (const double mean : most) series.values.emplace_back(data::MeanAndRange{mean, mean, mean, 1});
    chart.series.push_back(std::move(series));
  }
  return {std::move(chart), std::move(pictures)};
}

CellGates gates_of(const models::PictureTagger& model, const CellPictures<data::Lights>& test) {
  const autograd::NoGrad no_grad;
  const autograd::Var gates = model(autograd::constant(test.values), cell_pixels).cells;
  const std::size_t count = test.scenes.size();
  const auto gate = [&](std::size_t row) { return static_cast<double>(gates.value()[row]); };
  double lit = 0, dark = 0, lit_objects = 0, dark_objects = 0;
  for (std::size_t row = 0; row < test.objects.size(); ++row) {
    if (test.objects[row] < 0) continue;
    const bool is_lit = test.scenes[row % count].objects[static_cast<std::size_t>(test.objects[row])].lit;
    (is_lit ? lit : dark) += gate(row), (is_lit ? lit_objects : dark_objects) += 1;
  }
  CellGates result{lit / lit_objects, dark / dark_objects, {}};
  constexpr std::size_t shown = 3;
  for (std::size_t b = 0; b < shown; ++b) {
    AttendedPicture picture{fmt::format("picture {}", b + 1),
                            test.scenes[b].picture,
                            cells_of_pictures.height,
                            cells_of_pictures.width,
                            {},
                            {},
                            {}};
    for (std::size_t cell = 0; cell < cells_of_pictures.cells(); ++cell)
      picture.weights.push_back(gate(cell * count + b));
    for (const data::Lights::Object& object : test.scenes[b].objects)
      if (object.lit)
        for (const std::size_t cell : covered(object.square)) picture.gold.push_back(cell);
    result.pictures.push_back(std::move(picture));
  }
  return result;
}

namespace {

using Layer = models::PictureTagger::Layer;

const std::vector<TaggerKind> kinds{{"nothing", Layer::nothing},
                                    {"3 x 3 convolution", Layer::convolution},
                                    {"channel gate", Layer::channel_gate},
                                    {"spatial gate", Layer::cell_gate},
                                    {"both gates (CBAM)", Layer::both_gates}};
constexpr std::size_t nothing = 0, of_channels = 2, of_cells = 3;  // indices in `kinds`

constexpr std::size_t steps = 800, B = 32, tested = 500, measurements = 8;

constexpr std::size_t dark = data::colour_names.size();  // the label of an unlit object, after the colours
// OfMondrians and OfLights are the two tasks. A task draws pictures, and gives a label to the cell in the middle of
// each object.
struct OfMondrians {
  using Pictures = CellPictures<data::Mondrian>;
  using Gates = ChannelGates;
  static constexpr std::size_t labels = data::paint_names.size();
  static Pictures draw(std::size_t count, std::uint64_t seed) {
    return {count, seed, data::draw_mondrian,
            [](const data::Mondrian&, const data::Mondrian::Patch& patch) { return patch.paint; }};
  }
  static bool gated(Layer layer) { return layer == Layer::channel_gate || layer == Layer::both_gates; }
};
struct OfLights {
  using Pictures = CellPictures<data::Lights>;
  using Gates = CellGates;
  static constexpr std::size_t labels = dark + 1;
  static Pictures draw(std::size_t count, std::uint64_t seed) {
    return {count, seed, data::draw_lights,
            [](const data::Lights&, const data::Lights::Object& object) { return object.lit ? object.colour : dark; }};
  }
  static bool gated(Layer layer) { return layer == Layer::cell_gate || layer == Layer::both_gates; }
};

struct Found {
  double accuracy = 0;  // percent
};

template <class Task>
Found found(const models::PictureTagger& model, const typename Task::Pictures& test) {
  const autograd::NoGrad no_grad;
  const autograd::Var logits = model(autograd::constant(test.values), cell_pixels).logits;
  Hits right;
  for (std::size_t row = 0; row < test.labels.size(); ++row)
    if (test.labels[row] >= 0)
      right.count(largest(logits, row, Task::labels) == static_cast<std::size_t>(test.labels[row]));
  return {right.percent()};
}

template <class Task>
struct Learnt : LearntLabels<Found> {
  std::size_t parameters = 0;
  typename Task::Gates gates;  // set if the layer has the gates of this task
};

template <class Task>
Learnt<Task> learnt(const TaggerKind& kind, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const models::PictureTagger model({.layer = kind.layer, .labels = Task::labels}, params);
  const typename Task::Pictures test = Task::draw(tested, test_seed);
  const PictureTask task{.labels = Task::labels, .steps = steps, .batch = B, .measurements = measurements};
  Learnt<Task> result{learn_labels(model, params, task, seed, Task::draw, [&] { return found<Task>(model, test); }),
                      params.count(),
                      {}};
  if (Task::gated(kind.layer)) result.gates = gates_of(model, test);
  return result;
}

// Findings has the accuracies of every layer in both tasks, and the means of the spatial gate at lit and at dark
// objects.
struct Findings {
  std::vector<data::MeanAndRange> paint, colour;
  std::optional<data::MeanAndRange> lit, unlit;
};

std::string setting() {
  return fmt::format(
      "Two tasks on pictures of 32 x 32 pixels; two convolutions with stride 2 give 8 x 8 cells of 48 channels. Paint: "
      "sixteen patches under a coloured light; each cell has to predict one of eight paints, and only the mean of all "
      "patches shows the light. Lamps: six objects and two lamps; each object has to predict its colour if a lamp is "
      "next to it, or \"dark\" otherwise. Training takes {} steps of {}; the test has {} other pictures. Accuracy in "
      "percent.",
      steps, B, tested);
}

std::vector<std::string> row_of(const TaggerKind& kind, const std::vector<Learnt<OfMondrians>>& mondrians,
                                const std::vector<Learnt<OfLights>>& lights) {
  const auto open = mean_and_range_of(lights, [](const auto& one) { return one.gates.lit; });
  const auto closed = mean_and_range_of(lights, [](const auto& one) { return one.gates.dark; });
  const auto seconds = [](const auto& one) { return std::optional(one.seconds); };
  return {
      kind.name,
      std::to_string(lights.front().parameters),
      to_text(final_value(mondrians, &Found::accuracy), 1),
      to_text(final_value(lights, &Found::accuracy), 1),
      open ? fmt::format("{}, {}", data::to_text(open, 2), data::to_text(closed, 2)) : "-",
      fmt::format("{:.0f}", mean_and_range_of(mondrians, seconds)->mean + mean_and_range_of(lights, seconds)->mean)};
}

std::vector<std::pair<std::string, Verdict>> claims_of(const Findings& found) {
  const auto gained = [&](const std::vector<data::MeanAndRange>& right, std::size_t k) {
    return fmt::format("{:.1f}, no layer {:.1f}", right[k].mean, right[nothing].mean);
  };
  return {{"A channel gate compensates for the colour of the light (Hu et al. 2018)",
           {found.paint[of_channels].mean >= found.paint[nothing].mean + 10, gained(found.paint, of_channels)}},
          {"A spatial gate selects the lit objects (Woo et al. 2018)",
           {found.colour[of_cells].mean >= found.colour[nothing].mean + 10, gained(found.colour, of_cells)}},
          {"The spatial gate is open at lit objects and closed at dark objects",
           {found.lit->mean >= found.unlit->mean + 0.2,
            fmt::format("lit {:.2f}, dark {:.2f}", found.lit->mean, found.unlit->mean)}},
          {"Neither gate helps with the task of the other",
           {found.paint[of_cells].mean < found.paint[nothing].mean + 10 &&
                found.colour[of_channels].mean < found.colour[nothing].mean + 10,
            fmt::format("paint {}; lamps {}", gained(found.paint, of_cells), gained(found.colour, of_channels))}}};
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = setting();
  shown.columns = {"layer", "parameters", "paint", "lamps", "mean gate at lit and at dark objects", "seconds"};
  LineChart paints = chart_of_measurements("accuracy on paint, percent", "pictures seen", steps * B, measurements);
  LineChart colours = chart_of_measurements("accuracy on lamps, percent", "pictures seen", steps * B, measurements);
  Findings findings;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k].name));
    const auto mondrians = with_seeds(seeds, [&](std::size_t seed) { return learnt<OfMondrians>(kinds[k], seed); });
    const auto lights = with_seeds(seeds, [&](std::size_t seed) { return learnt<OfLights>(kinds[k], seed); });
    paints.series.push_back(accuracy_of(kinds[k].name, k, mondrians));
    colours.series.push_back(accuracy_of(kinds[k].name, k, lights));
    findings.paint.push_back(*final_value(mondrians, &Found::accuracy));
    findings.colour.push_back(*final_value(lights, &Found::accuracy));
    if (k == of_cells) {
      findings.lit = mean_and_range_of(lights, [](const auto& one) { return one.gates.lit; });
      findings.unlit = mean_and_range_of(lights, [](const auto& one) { return one.gates.dark; });
    }
    shown.rows.push_back(row_of(kinds[k], mondrians, lights));
    if (k == of_channels) {
      const auto& gates = mondrians.front().gates;
      shown.charts.push_back(gates.chart);
      shown.pictures = gates.pictures;
    }
    if (k == of_cells) {
      const auto& gated = lights.front().gates.pictures;
      shown.pictures.insert(shown.pictures.end(), gated.begin(), gated.end());
    }
  }
  shown.charts.insert(shown.charts.begin(), {std::move(paints), std::move(colours)});
  shown.claims = claims_of(findings);
  return shown;
}

}  // namespace

SmallExperiment gates() { return {"gates", "Gates: squeeze-and-excitation and spatial attention", run}; }

}  // namespace softalign::apps
