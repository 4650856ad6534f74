#include "apps/training/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "apps/terminal/progress.h"

namespace softalign::apps {

namespace {

constexpr std::array<const char*, 8> levels{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// Column c of C is the mean of the values from floor(c N / C) to floor((c + 1) N / C).
std::vector<double> resampled(const std::vector<double>& values, std::size_t columns) {
  std::vector<double> means;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto at = [&](std::size_t column) {
      return values.begin() + static_cast<std::ptrdiff_t>(column * values.size() / columns);
    };
    means.push_back(std::accumulate(at(c), at(c + 1), 0.) / static_cast<double>(at(c + 1) - at(c)));
  }
  return means;
}

}  // namespace

std::string sparkline(const std::vector<double>& values, std::size_t columns) {
  if (values.empty() || columns == 0) return "";
  const std::vector<double> shown = resampled(values, std::min(columns, values.size()));
  double lowest = INFINITY, highest = -INFINITY;
  for (const double value : shown) {
    if (!std::isfinite(value)) continue;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  std::string text;
  for (const double value : shown) {
    if (!std::isfinite(value)) {
      text += " ";
      continue;
    }
    const double height = highest > lowest ? (value - lowest) / (highest - lowest) : 1;
    text += levels[static_cast<std::size_t>(std::lround(height * (levels.size() - 1)))];
  }
  return text;
}

namespace {

constexpr std::size_t most_columns_of_curve = 16;

// Returns the value with as many decimals as fit into the columns.
std::string figure(double value, int decimals, std::size_t columns) {
  for (; decimals >= 0; --decimals) {
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.size() <= columns) return text;
  }
  return fmt::format("{:.0e}", value);
}

double log_of(double loss) { return std::log(std::clamp(loss, 1e-9, 1e9)); }  // a loss may be 0

// The columns are the epoch, the losses of training and validation, perplexity, BLEU, AER, entropy, learning rate,
// gradient norm, speed and seconds.
constexpr std::array<std::size_t, 11> widths{5, 5, 5, 6, 4, 4, 7, 7, 5, 6, 5};
// A narrow terminal leaves out these columns one after the other until the rest fits. The order is learning rate,
// gradient norm, perplexity, seconds, speed, entropy, training loss.
constexpr std::array<std::size_t, 7> spare{7, 8, 3, 10, 9, 6, 1};

using Shown = std::array<bool, widths.size()>;

std::size_t width_of(const Shown& shown) {
  std::size_t width = std::string(" * ").size() - 1;  // the first column has no space before it
  for (std::size_t i = 0; i < widths.size(); ++i) width += shown[i] ? widths[i] + 1 : 0;
  return width;
}

Shown that_fit(std::size_t columns) {
  Shown shown;
  shown.fill(true);
  for (const std::size_t i : spare)
    if (width_of(shown) > columns) shown[i] = false;
  return shown;
}

std::string align(const std::array<std::string, widths.size()>& cells, const Shown& shown) {
  std::string line = pad_left(cells[0], widths[0]);
  for (std::size_t i = 1; i < cells.size(); ++i)
    if (shown[i]) line.append(" ").append(pad_left(cells[i], widths[i]));
  return line;
}

// Returns the longest sentence of at most ten words whose cells have numbers in this terminal. Returns the first
// sentence if there is none.
const data::Record& shown(const std::vector<data::Record>& tracked, const HeatmapStyle& style) {
  const auto words = [&](const data::Record& r) {
    return r.source.size() <= 10 && fits_with_numbers(r, style) ? r.source.size() : 0;
  };
  return *std::max_element(tracked.begin(), tracked.end(),
                           [&](const auto& a, const auto& b) { return words(a) < words(b); });
}

}  // namespace

EpochTable::EpochTable(const HeatmapStyle& style, std::size_t plot_every, const std::vector<CurvePoint>& before,
                       const TaskProperties& task)
    : style_(style), plot_every_(plot_every), answers_(task.one_word), has_accuracy_(task.attention_accuracy) {
  for (const CurvePoint& point : before) {
    losses_.push_back(point.loss);
    log_losses_.push_back(log_of(point.loss));
  }
}

std::string EpochTable::head() const {
  const Shown fit = that_fit(style_.columns);
  const bool with_curve = style_.columns >= width_of(fit) + std::string("valid").size();
  const std::string above = align({"", "train", "valid", "valid", answers_ ? "ans." : "", has_accuracy_ ? "hit" : "AER",
                                   "entropy", "learn.", "grad.", "target", ""},
                                  fit);
  const std::string below = align(
      {"epoch", "loss", "loss", "ppl", answers_ ? "%" : "BLEU", "%", "nats", "rate", "norm", "tok/s", "sec."}, fit);
  return dim(above + (with_curve ? "   valid" : ""), style_.colours) + "\n" +
         dim(below + (with_curve ? "   loss" : ""), style_.colours) + "\n";
}

std::string EpochTable::row(const EpochReport& r, const EvaluationScores& valid) const {
  const double attention = has_accuracy_ ? valid.attention_accuracy.accuracy() : valid.alignment.aer();
  const bool has_gold = (has_accuracy_ ? valid.attention_accuracy.words : valid.with_gold) > 0;
  const std::string aer = has_gold ? figure(100 * attention, 1, 4) : "-";
  const double written = answers_ ? valid.exact_match() : valid.bleu.score();
  const std::string bleu = valid.translated > 0 ? figure(written, 1, 4) : "-";
  const std::string entropy = valid.attention_rows > 0 ? fmt::format("{:.2f}", valid.entropy()) : "-";
  const Shown fit = that_fit(style_.columns);
  const std::string figures =
      align({fmt::format("{}", r.epoch), figure(r.losses.front(), 3, 5), figure(valid.loss(), 3, 5),
             figure(valid.perplexity(), 2, 6), bleu, aer, entropy, fmt::format("{:.1e}", r.learning_rate),
             figure(r.gradient_norm, 2, 5), format_rate(r.words_per_second), figure(r.seconds, 1, 5)},
            fit);
  const std::size_t room = style_.columns - std::min(style_.columns, width_of(fit));
  const std::string curve = sparkline(log_losses_, std::min(room, most_columns_of_curve));
  return figures + " " + (r.best ? bold("*", style_.colours) : " ") + " " + paint("38;5;32", curve, style_.colours) +
         "\n";  // this blue is readable on dark and on light backgrounds
}

std::string EpochTable::heatmap(std::size_t epoch, const std::vector<data::Record>& tracked) const {
  const bool due = plot_every_ > 0 && (epoch == 1 || epoch % plot_every_ == 0);
  return due && !tracked.empty() ? fmt::format("\n{}\n", draw_heatmap(shown(tracked, style_), style_)) : "";
}

std::string EpochTable::add(const EpochReport& report, const EvaluationScores& valid,
                            const std::vector<data::Record>& tracked) {
  losses_.push_back(valid.loss());
  log_losses_.push_back(log_of(valid.loss()));
  const std::string picture = heatmap(report.epoch, tracked);
  const std::string text = (interrupted_ ? head() : "") + row(report, valid) + picture;
  interrupted_ = !picture.empty();
  return text;
}

}  // namespace softalign::apps
