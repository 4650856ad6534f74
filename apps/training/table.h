// This file prints the epochs of a training as a table, with one row per epoch. The last column is the curve of the
// validation loss. Its scale is logarithmic, because the loss falls most in the first epochs. Every few epochs, a
// heatmap shows the attention of a tracked sentence, which is one of the first validation sentences.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/inference/evaluation.h"
#include "apps/run/tasks.h"
#include "apps/terminal/heatmap.h"
#include "apps/training/metrics.h"

namespace softalign::apps {

// Returns a curve in one line of text (a sparkline, Tufte 2006), for example "█▅▃▂▁▁". The highest value is █ and the
// lowest is ▁. If all values are equal, they are all █. A value that is not finite is a space. Each value has one
// column. If there are more values than `columns`, each column is the mean of several consecutive values. If there are
// no values or no columns, the result is "".
std::string sparkline(const std::vector<double>& values, std::size_t columns);

class EpochTable {
 public:
  // A heatmap follows the first epoch and each multiple of `plot_every`. If `plot_every` is 0, there are no heatmaps.
  // If --resume continues a training, `before` has its earlier epochs. Two columns depend on the task, and both are in
  // percent. One shows BLEU, or the accuracy of the answers if an answer is one word. The other shows AER, or attention
  // accuracy ("hit").
  EpochTable(const HeatmapStyle& style, std::size_t plot_every, const std::vector<CurvePoint>& before = {},
             const TaskProperties& task = properties_of(models::Task::translation));

  // Returns the header, which has two lines. Entropy is in nats. AER, attention accuracy and BLEU are in percent. "*"
  // marks the best epoch. The numbers take 72 characters of a line, or fewer in a narrow terminal. The curve takes the
  // remaining characters, at most 16.
  std::string head() const;
  // Returns the row of an epoch, with a heatmap of a tracked sentence if one is due. After a heatmap, the next row has
  // a new header. `valid` has the validation results of the epoch.
  std::string add(const EpochReport& report, const EvaluationScores& valid, const std::vector<data::Record>& tracked);
  // Returns the validation losses of all epochs, including those before --resume.
  const std::vector<double>& losses() const { return losses_; }

 private:
  std::string row(const EpochReport& report, const EvaluationScores& valid) const;
  // Returns "" if no heatmap is due or no sentence is tracked.
  std::string heatmap(std::size_t epoch, const std::vector<data::Record>& tracked) const;

  HeatmapStyle style_;
  std::size_t plot_every_;
  std::vector<double> losses_, log_losses_;
  bool answers_, has_accuracy_;
  bool interrupted_ = false;  // true if a heatmap interrupts the table, so that a new header must follow
};

}  // namespace softalign::apps
