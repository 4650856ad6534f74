// Pictures as a run's model looks at them: brought to its size, their cells named.
#pragma once

#include <cstddef>
#include <string>

#include "apps/run/run_text.h"
#include "apps/run/train_options.h"
#include "data/pictures/captions.h"

namespace softalign::apps {

// What the encoder makes of every picture.
data::PictureOptions picture_options(const models::ModelOptions& model);

// `name`: what its record says of where it comes from.
SourceText picture_source(const Run& run, const data::Picture& picture, const std::string& name);

// The size that pictures are brought to, height or width or both: that of the first one to train on, the longer side
// at most 64. std::runtime_error: there is none, or it cannot be read.
void set_size_as_first(TrainOptions& options, bool height, bool width);

// The most words that a caption may have: --max-length, as in training. A picture has many cells, and twice their
// number would be the bound of an untrained model. 0: the run is not of pictures.
inline std::size_t most_caption_words(const TrainOptions& options) {
  return is_of_pictures(options) ? options.max_length : 0;
}

}  // namespace softalign::apps
