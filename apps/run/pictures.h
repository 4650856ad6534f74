// Pictures as a run's model looks at them: brought to its size, their cells named.
#pragma once

#include <string>

#include "apps/run/run_text.h"
#include "apps/run/train_options.h"
#include "data/corpus/captions.h"

namespace apps {

// What the encoder makes of every picture.
data::PictureOptions picture_options(const models::ModelOptions& model);

// `name`: what its record says of where it comes from.
SourceText picture_source(const Run& run, const data::Picture& picture, const std::string& name);

// The size that pictures are brought to, height or width or both: that of the first one to train on, the longer side
// at most 64. std::runtime_error: there is none, or it cannot be read.
void set_size_as_first(TrainOptions& options, bool height, bool width);

}  // namespace apps
