// Notes of train at the start of a --resume and at the end of a training: the step, and what more epochs or more
// pairs could give.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/inference/evaluation.h"
#include "apps/run/train_options.h"
#include "apps/training/translation.h"

namespace softalign::apps {

// "going on at step 134, in epoch 2 of 16". `epoch` is the one under way, from 1.
std::string describe_resumed(std::size_t steps, std::size_t epoch, std::size_t epochs);

// Notes, in whole lines, of a training that has made all of its epochs. One says how to go on if the validation loss
// still fell in the last epoch. Another says, where BLEU is below 10 after several epochs, what so little text can
// give. `losses` are those of the validation, one for each epoch; `go_on` is the command that resumes the training.
std::string note_of_end(const std::vector<double>& losses, const Score& best, const TrainingData& data,
                        const std::string& go_on, const Run& run);

}  // namespace softalign::apps
