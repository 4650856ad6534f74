// This file measures gates on test pictures. A gate is a number from 0 to 1 that multiplies a channel or a cell of a
// picture. The gate of a channel should close as the light gets stronger. The gate of a cell should be open where an
// object is lit.
#pragma once

#include <optional>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/pages/picture.h"
#include "apps/pictures/cell_pictures.h"
#include "data/pictures/synthetic_tasks.h"
#include "models/pictures/picture_tagger.h"

namespace softalign::apps {

// ChannelGates has the channel gates that a network computes for pictures. A picture shows coloured patches, and a
// coloured light falls on all of them.
struct ChannelGates {
  LineChart chart;                        // one line per colour of the light: the channel gate that it changes most
  std::vector<AttendedPicture> pictures;  // one picture per colour of the light, with all gates
};

// CellGates has the gates that a network computes for the cells of pictures. A picture shows objects, some lit by a
// lamp and some in the dark.
struct CellGates {
  std::optional<double> lit, dark;        // mean gate at the middle of lit and of dark objects
  std::vector<AttendedPicture> pictures;  // gates of the first pictures; lit objects have a frame
};

// The model must have gates of channels.
ChannelGates gates_of(const models::PictureTagger& model, const CellPictures<data::Mondrian>& test);
// The model must have gates of cells.
CellGates gates_of(const models::PictureTagger& model, const CellPictures<data::Lights>& test);

}  // namespace softalign::apps
