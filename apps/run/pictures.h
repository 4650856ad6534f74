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

// Of the first picture of a file of captions height and width, both divided by one number where the larger one is over
// `most`. std::runtime_error: there is none.
struct PictureSize {
  std::size_t height, width;
};
PictureSize first_size(const std::string& captions, std::size_t most = 64);

}  // namespace apps
