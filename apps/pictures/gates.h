// This file measures gates on test pictures. The gates of channels should close as the light gets stronger. The gates
// of cells should be open where an object is lit.
#pragma once

#include <optional>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/pages/picture.h"
#include "apps/pictures/cell_pictures.h"
#include "data/pictures/synthetic_tasks.h"
#include "models/pictures/picture_tagger.h"

namespace softalign::apps {

template <class Pictures>
struct GatesOf;

template <>
struct GatesOf<CellPictures<data::Mondrian>> {
  LineChart chart;                        // of each colour of the light the channel whose gate follows it most
  std::vector<AttendedPicture> pictures;  // one under much of each colour of the light, with all gates
};

template <>
struct GatesOf<CellPictures<data::Lights>> {
  std::optional<double> lit, dark;        // the mean gate at the middle of an object
  std::vector<AttendedPicture> pictures;  // the gates of the first pictures, lit objects framed
};

// For a model with gates of channels.
GatesOf<CellPictures<data::Mondrian>> gates_of(const models::PictureTagger& model,
                                               const CellPictures<data::Mondrian>& test);
// For a model with gates of cells.
GatesOf<CellPictures<data::Lights>> gates_of(const models::PictureTagger& model,
                                             const CellPictures<data::Lights>& test);

}  // namespace softalign::apps
