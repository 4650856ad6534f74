// The state of a training as last.safetensors holds it: enough to go on as if it had never stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/run/run_folder.h"
#include "autograd/optimise/schedule.h"
#include "models/checkpoint.h"
#include "models/training/losses.h"

namespace apps {

struct TrainingState {
  // Place in the shuffled data: the order of an epoch's batches follows from seed and epoch alone.
  std::size_t epoch = 1;    // the one under way
  std::size_t batches = 0;  // of it done
  std::size_t steps = 0;    // since training began
  // Sums over the epoch under way.
  models::LossSums losses;
  double norm_sum = 0;
  std::size_t words = 0;
  // The best epoch so far, 0 if none has ended.
  std::size_t best_epoch = 0;
  double best_score = 0;              // by TrainOptions::keep; higher is better
  std::size_t waited = 0;             // epochs since
  std::uint64_t random_position = 0;  // of what dropout and scheduled sampling draw from
  std::uint64_t optimiser_steps = 0;
  autograd::Schedule::State schedule;
  // Byte lengths of the files that grow.
  std::int64_t metrics_bytes = 0, timing_bytes = 0, history_bytes = 0;
  // Of the encoded pairs (data/corpus/batches.h): a corpus that was changed since would be noticed.
  std::uint64_t training_hash = 0, validation_hash = 0;
};

// The parameters alone, as model.safetensors.
void save_model(const std::string& path, const Run& run);

// Parameters, state and `memory` (the optimiser's and the averages'), as last.safetensors; whole or not at all.
void save_state(const std::string& path, const Run& run, const models::NamedArrays& memory, const TrainingState& state);
// Brings them back, the arrays of `memory` in place. std::runtime_error if the file does not belong to this run or is
// damaged.
TrainingState load_state(const std::string& path, const Run& run, const models::NamedArrays& memory);

}  // namespace apps
