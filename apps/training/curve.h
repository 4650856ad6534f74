// Learning curves, as a run's metrics.jsonl has them.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace softalign::apps {

// What the validation pairs said after an epoch.
struct CurvePoint {
  std::size_t epoch = 0;
  double loss = 0;             // nats per target token; NaN of a training that diverged
  std::optional<double> bleu;  // percent; none without translations
  std::optional<double> aer;   // 0 to 1; none without attention or gold
  bool best = false;           // the best so far, so that its model was kept
};

// A point for each line of the file's first `bytes`; none if there is no such file or it is empty. std::runtime_error,
// naming file and line, for what train does not write.
std::vector<CurvePoint> read_curve(const std::string& metrics_file,
                                   std::size_t bytes = std::numeric_limits<std::size_t>::max());

}  // namespace softalign::apps
