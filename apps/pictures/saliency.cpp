// This file is the experiment `reproduce saliency` (Itti, Koch & Niebur 1998). A saliency map chooses the only square
// that a second network sees.
#include "apps/pictures/saliency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "data/pictures/shapes.h"
#include "layers/dense/linear.h"

namespace softalign::apps {

namespace {

using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Random;
using autograd::Real;
using autograd::Var;

constexpr std::size_t side = data::squares_side * data::square_side, pixels = side * side;

constexpr double least_peak = 0.1;  // share of the largest peak; smaller maxima are no peaks

std::size_t square_of(std::size_t pixel) {
  return pixel / side / data::square_side * data::squares_side + pixel % side / data::square_side;
}

std::vector<double> maxima_of_squares(const PixelMap& map) {
  std::vector<double> maxima(data::squares, 0);
  for (std::size_t i = 0; i < pixels; ++i) maxima[square_of(i)] = std::max(maxima[square_of(i)], map[i]);
  return maxima;
}

// Returns for each pixel the mean of a window around it. The window is cut off at the border of the picture. The
// function computes the means from the sums of all rectangles that start in the corner.
PixelMap blurred(const PixelMap& map, std::size_t reach) {
  std::vector<double> sums((side + 1) * (side + 1));
  const auto sum = [&](std::size_t i, std::size_t j) -> double& { return sums[i * (side + 1) + j]; };
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t j = 0; j < side; ++j)
      sum(i + 1, j + 1) = map[i * side + j] + sum(i, j + 1) + sum(i + 1, j) - sum(i, j);
  PixelMap means(pixels);
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t j = 0; j < side; ++j) {
      const std::size_t top = i < reach ? 0 : i - reach, left = j < reach ? 0 : j - reach;
      const std::size_t end = std::min(i + reach + 1, side), right = std::min(j + reach + 1, side);
      means[i * side + j] = (sum(end, right) - sum(top, right) - sum(end, left) + sum(top, left)) /
                            static_cast<double>((end - top) * (right - left));
    }
  return means;
}

// Returns how far the centre is above its surround (sign +1) or below it (sign -1). A difference near 0 is noise of the
// background or of rounding, so it becomes 0.
PixelMap centre_and_surround(const PixelMap& feature, double sign) {
  constexpr std::size_t centre = 2, surround = 9;
  constexpr double noise = 1e-9;
  const PixelMap near = blurred(feature, centre), far = blurred(feature, surround);
  PixelMap map(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const double difference = sign * (near[i] - far[i]);
    map[i] = difference > noise ? difference : 0;
  }
  return map;
}

}  // namespace

PixelMap normalised(PixelMap map) {
  const std::vector<double> maxima = maxima_of_squares(map);
  const double largest = *std::max_element(maxima.begin(), maxima.end());
  if (largest == 0) return map;
  double sum = -1, peaks = -1;  // -1 leaves out the largest maximum
  for (const double maximum : maxima)
    if (maximum > least_peak * largest) sum += maximum / largest, ++peaks;
  const double others = peaks > 0 ? sum / peaks : 0;
  for (double& value : map) value *= (1 - others) * (1 - others) / largest;
  return map;
}

PixelMap saliency_map(const data::Picture& board) {
  PixelMap intensity(pixels), red_green(pixels), blue_yellow(pixels), sum(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const double r = board.rgb[3 * i] / 255.0, g = board.rgb[3 * i + 1] / 255.0, b = board.rgb[3 * i + 2] / 255.0;
    intensity[i] = (r + g + b) / 3, red_green[i] = r - g, blue_yellow[i] = b - (r + g) / 2;
  }
  for (const PixelMap* feature : {&intensity, &red_green, &blue_yellow})
    for (const double sign : {1.0, -1.0}) {
      const PixelMap map = normalised(centre_and_surround(*feature, sign));
      for (std::size_t i = 0; i < pixels; ++i) sum[i] += map[i];
    }
  return sum;
}

std::vector<std::size_t> scan_path(const PixelMap& saliency) {
  const std::vector<double> maxima = maxima_of_squares(saliency);
  std::vector<std::size_t> path(data::squares);
  std::iota(path.begin(), path.end(), std::size_t{0});
  std::stable_sort(path.begin(), path.end(), [&](std::size_t a, std::size_t b) { return maxima[a] > maxima[b]; });
  return path;
}

OddOneOut draw_odd_one_out(Random& random) {
  OddOneOut example{data::empty_squares(random), {}};
  const autograd::Indices places = random.different(example.objects.size(), data::squares);
  const autograd::Indices colours = random.different(2, data::colour_names.size());
  for (std::size_t i = 0; i < example.objects.size(); ++i) {
    example.objects[i] = {places[i], random.below(data::shape_names.size()), colours[i == 0 ? 0 : 1]};
    draw_object(example.picture, example.objects[i]);
  }
  return example;
}

namespace {

constexpr std::size_t B = 32, steps = 600, tested = 500, hidden = 32;

enum class Sees { salient, chance, everything };
struct Kind {
  std::string name;
  Sees sees;
};
const std::vector<Kind> kinds{{"the most salient square", Sees::salient},
                              {"the square of a random object", Sees::chance},
                              {"all pixels", Sees::everything}};

// Returns the numbers that the second network reads of a picture.
std::vector<Real> seen(const OddOneOut& example, Sees sees, Random& random) {
  const auto& rgb = example.picture.rgb;
  std::vector<Real> numbers;
  const auto add = [&](std::size_t pixel) {
    for (std::size_t c = 0; c < 3; ++c) numbers.push_back(static_cast<Real>(rgb[3 * pixel + c]) / 255);
  };
  if (sees == Sees::everything) {
    for (std::size_t i = 0; i < pixels; ++i) add(i);
    return numbers;
  }
  const std::size_t square = sees == Sees::salient ? scan_path(saliency_map(example.picture)).front()
                                                   : example.objects[random.below(example.objects.size())].square;
  const auto [top, left] = data::first_pixel(square);
  for (std::size_t i = 0; i < data::square_side; ++i)
    for (std::size_t j = 0; j < data::square_side; ++j) add((top + i) * side + left + j);
  return numbers;
}

// Network is the second network. It predicts the shape of the odd one out.
struct Network {
  layers::InitialiserConfig init = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Linear first, second;
  Network(const autograd::Params& p, std::size_t inputs)
      : first(p / "first", inputs, hidden, init.input(1)),
        second(p / "second", hidden, data::shape_names.size(), init.input(1)) {}
  Var operator()(const Var& x) const { return second(relu(first(x))); }
};

struct Drawn {
  Var inputs;  // (pictures, numbers)
  Ids shapes;
};

Drawn drawn_for(Sees sees, std::size_t pictures, Random& random) {
  std::vector<Real> numbers;
  Ids shapes;
  for (std::size_t b = 0; b < pictures; ++b) {
    const OddOneOut example = draw_odd_one_out(random);
    const std::vector<Real> part = seen(example, sees, random);
    numbers.insert(numbers.end(), part.begin(), part.end());
    shapes.push_back(static_cast<Id>(example.objects.front().shape));
  }
  const std::size_t width = numbers.size() / pictures;
  return {constant(Array({pictures, width}, numbers)), shapes};
}

double right_of(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{Random(seed)};
  const std::size_t inputs = 3 * (kind.sees == Sees::everything ? pixels : data::square_side * data::square_side);
  const Network network(params, inputs);
  Random random(seed);
  learn(params, steps, 3e-3, [&](std::size_t) {
    const Drawn batch = drawn_for(kind.sees, B, random);
    return mean(cross_entropy(network(batch.inputs), batch.shapes, {.ignore = -1}));
  });
  const autograd::NoGrad no_grad;
  Random other(early_test_seed);
  const Drawn test = drawn_for(kind.sees, tested, other);
  const Var logits = network(test.inputs);
  Hits right;
  for (std::size_t b = 0; b < tested; ++b)
    right.count(largest(logits, b, data::shape_names.size()) == static_cast<std::size_t>(test.shapes[b]));
  return right.percent();
}

// `found` has the percentage of boards whose odd one out is among the first squares of the scan path, for each number
// of squares. `pictures` has the first boards.
struct Paths {
  std::vector<double> found;
  std::vector<AttendedPicture> pictures;
};

Paths paths_of(std::uint64_t seed) {
  constexpr std::size_t squares = 6, shown = 3;
  Random random(seed);
  std::vector<Hits> found(squares);
  Paths paths;
  for (std::size_t b = 0; b < tested; ++b) {
    const OddOneOut example = draw_odd_one_out(random);
    const PixelMap saliency = saliency_map(example.picture);
    const std::vector<std::size_t> path = scan_path(saliency);
    const auto at = std::find(path.begin(), path.end(), example.objects.front().square) - path.begin();
    for (std::size_t square = 0; square < squares; ++square)
      found[square].count(at <= static_cast<std::ptrdiff_t>(square));
    if (b >= shown) continue;
    paths.pictures.push_back({"saliency of six objects",
                              example.picture,
                              data::squares_side,
                              data::squares_side,
                              maxima_of_squares(saliency),
                              {example.objects.front().square},
                              {},
                              {}});
  }
  for (const Hits& hits : found) paths.found.push_back(hits.percent());
  return paths;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Each picture has 32 x 32 pixels and six objects. Five have the same colour, and the odd object has another "
      "one. A network of {} units names the shape of the odd object, one of {}; training takes {} steps of {} "
      "pictures, and the test has {} pictures. Accuracy in percent. The network sees one square of 8 x 8 pixels "
      "that a saliency map chooses without learning, or the square of a random object, or all pixels.",
      hidden, data::shape_names.size(), steps, B, tested);
  shown.columns = {"the network sees", "inputs", "accuracy"};
  std::vector<double> right;
  for (const Kind& kind : kinds) {
    report(fmt::format("[{}/{}] {}", right.size() + 1, kinds.size(), kind.name));
    const data::MeanAndRange of_seeds = over_seeds(seeds, [&](std::size_t seed) { return right_of(kind, seed); });
    right.push_back(of_seeds.mean);
    shown.rows.push_back(
        {kind.name, kind.sees == Sees::everything ? "3,072" : "192", to_text(std::optional(of_seeds), 1)});
  }
  const auto all = with_seeds(seeds, [](std::size_t seed) { return paths_of(early_test_seed + seed); });
  const auto found = [&](std::size_t square) {
    return mean_and_range_of(all, [square](const Paths& one) { return std::optional(one.found[square]); });
  };
  LineChart chart{.title = "pictures whose odd object is found, percent",
                  .x_title = "squares attended to",
                  .x = {},
                  .high = 100,
                  .series = {},
                  .context = {}};
  Series series{"saliency map", 0, {}};
  for (std::size_t square = 0; square < all.front().found.size(); ++square)
    chart.x.push_back(std::to_string(square + 1)), series.values.push_back(found(square));
  chart.series.push_back(std::move(series));
  shown.charts.push_back(std::move(chart));
  shown.pictures = all.front().pictures;
  shown.claims = {{"The most salient square shows the odd object, although the map learns nothing (Itti et al. 1998)",
                   {found(0)->mean >= 80, fmt::format("{:.1f}% of the pictures, chance is 6%", found(0)->mean)}},
                  {"A second network that sees only this square names the shape",
                   {right[0] >= 75, fmt::format("accuracy {:.1f}%", right[0])}},
                  {"With the square of a random object, or with all pixels, a network of the same size does not",
                   {right[1] <= 45 && right[2] <= 45, fmt::format("{:.1f}% and {:.1f}%", right[1], right[2])}}};
  return shown;
}

}  // namespace

SmallExperiment saliency() { return {"saliency", "Saliency: a map that guides a second network", run}; }

}  // namespace softalign::apps
