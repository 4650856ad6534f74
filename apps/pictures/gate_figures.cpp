#include "apps/pictures/gate_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "autograd/var.h"

namespace softalign::apps {

namespace {

constexpr std::size_t strengths = 5;  // of the light, evenly on a scale of factors from 1/4 to 1
constexpr std::array<const char*, 3> lights{"red light", "green light", "blue light"};

std::size_t strength_of(double light) {
  return std::min(strengths - 1, static_cast<std::size_t>((2 + std::log2(light)) / 2 * strengths));
}

// The mean of a channel's gate over the pictures whose light is so strong in a colour; gates (B, C).
std::vector<double> mean_gates(const CellPictures<data::Mondrian>& test, const autograd::Array& gates,
                               std::size_t colour, std::size_t channel) {
  std::vector<double> sums(strengths), counts(strengths);
  const std::size_t C = gates.dim(1);
  for (std::size_t b = 0; b < test.drawn.size(); ++b) {
    const std::size_t s = strength_of(test.drawn[b].light[colour]);
    sums[s] += static_cast<double>(gates[b * C + channel]), counts[s] += 1;
  }
  for (std::size_t s = 0; s < strengths; ++s) sums[s] /= counts[s];
  return sums;
}

// The picture whose light has most of a colour beside the two others, under the gates (B, C) of its channels.
LookedAt most_lit(const CellPictures<data::Mondrian>& test, const autograd::Array& gates, std::size_t colour) {
  const auto beside = [&](const data::Mondrian& one) {
    const auto& [red, green, blue] = one.light;
    return one.light[colour] / (red + green + blue);
  };
  const auto most = std::max_element(test.drawn.begin(), test.drawn.end(),
                                     [&](const auto& a, const auto& b) { return beside(a) < beside(b); });
  const autograd::Real* row = gates.data() + static_cast<std::size_t>(most - test.drawn.begin()) * gates.dim(1);
  const auto& [red, green, blue] = most->light;
  return {.title = fmt::format("{}: {:.2f} {:.2f} {:.2f}", lights[colour], red, green, blue),
          .picture = most->picture,
          .rows = cells_of_pictures.height,
          .columns = cells_of_pictures.width,
          .weights = {},
          .gold = {},
          .asking = {},
          .gates = std::vector<double>(row, row + gates.dim(1))};
}

}  // namespace

GatesOf<CellPictures<data::Mondrian>> gates_of(const models::PictureLabeller& model,
                                               const CellPictures<data::Mondrian>& test) {
  const autograd::NoGrad no_grad;
  const autograd::Var gates = model(autograd::constant(test.values), cell_pixels).channels;
  LineChart chart{.title = "the gate that follows a light most",
                  .x_title = "how strong the light is",
                  .x = {"1/4", "", "1/2", "", "1"},
                  .decimals = 2,
                  .series = {},
                  .context = {}};
  std::vector<LookedAt> pictures;
  for (std::size_t colour = 0; colour < lights.size(); ++colour) {
    pictures.push_back(most_lit(test, gates.value(), colour));
    std::vector<double> most;
    const auto range = [](const std::vector<double>& means) { return std::abs(means.back() - means.front()); };
    for (std::size_t channel = 0; channel < gates.dim(1); ++channel) {
      const std::vector<double> means = mean_gates(test, gates.value(), colour, channel);
      if (most.empty() || range(means) > range(most)) most = means;
    }
    Series series{lights[colour], colour, {}};
    for (const double mean : most) series.values.emplace_back(data::Spread{mean, mean, mean, 1});
    chart.series.push_back(std::move(series));
  }
  return {std::move(chart), std::move(pictures)};
}

GatesOf<CellPictures<data::Lights>> gates_of(const models::PictureLabeller& model,
                                             const CellPictures<data::Lights>& test) {
  const autograd::NoGrad no_grad;
  const autograd::Var gates = model(autograd::constant(test.values), cell_pixels).cells;
  const std::size_t count = test.drawn.size();
  const auto gate = [&](std::size_t row) { return static_cast<double>(gates.value()[row]); };
  double lit = 0, dark = 0, lit_objects = 0, dark_objects = 0;
  for (std::size_t row = 0; row < test.objects.size(); ++row) {
    if (test.objects[row] < 0) continue;
    const bool is_lit = test.drawn[row % count].objects[static_cast<std::size_t>(test.objects[row])].lit;
    (is_lit ? lit : dark) += gate(row), (is_lit ? lit_objects : dark_objects) += 1;
  }
  GatesOf<CellPictures<data::Lights>> result{lit / lit_objects, dark / dark_objects, {}};
  constexpr std::size_t shown = 3;
  for (std::size_t b = 0; b < shown; ++b) {
    LookedAt picture{fmt::format("picture {}", b + 1),
                     test.drawn[b].picture,
                     cells_of_pictures.height,
                     cells_of_pictures.width,
                     {},
                     {},
                     {}};
    for (std::size_t cell = 0; cell < cells_of_pictures.cells(); ++cell)
      picture.weights.push_back(gate(cell * count + b));
    for (const data::Lights::Object& object : test.drawn[b].objects)
      if (object.lit)
        for (const std::size_t cell : covered(object.square)) picture.gold.push_back(cell);
    result.pictures.push_back(std::move(picture));
  }
  return result;
}

}  // namespace softalign::apps
