// This file writes notes of `train`. At the start of --resume, a note says at which step the training continues. At the
// end, notes say whether more epochs or more pairs could help.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/inference/evaluation.h"
#include "apps/run/train_options.h"
#include "apps/training/training_data.h"

namespace softalign::apps {

// Returns, for example, "continuing at step 134, in epoch 2 of 16". `epoch` is the current epoch, counted from 1.
std::string describe_resumed(std::size_t steps, std::size_t epoch, std::size_t epochs);

// Returns notes about a training that has finished all of its epochs. Each note has one or more complete lines. If the
// validation loss still fell clearly in the last epoch, and was never lower, a note says how to continue. If BLEU is
// below 10 after several epochs, another note explains what to expect from little text. Two more notes are for runs
// without an alignment layer. One says that the attention is nearly uniform. The other says that most of the attention
// is on </s>, and names an option that may help. `losses` are the validation losses, one per epoch. `resume_command` is
// the command that resumes the training.
std::string note_of_end(const std::vector<double>& losses, const EvaluationScores& best, const TrainingData& data,
                        const std::string& resume_command, const LoadedRun& run);

}  // namespace softalign::apps
