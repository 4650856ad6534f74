#include "apps/run/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "data/io/files.h"
#include "data/io/shipped.h"
#include "data/pictures/picture_file.h"
#include "data/pictures/scaled.h"
#include "models/encoders/picture_encoder.h"

namespace apps {

data::PictureOptions picture_options(const models::ModelOptions& o) {
  const models::Grid cells = models::picture_cells({o.picture_height, o.picture_width});
  return {o.picture_height, o.picture_width, cells.height, cells.width};
}

SourceText picture_source(const Run& run, const data::Picture& picture, const std::string& name) {
  const data::PictureOptions its = picture_options(run.options.model);
  SourceText text;
  text.line = name;
  text.places = cell_names(its);
  text.picture = std::make_shared<const data::Picture>(data::scaled(picture, its.height, its.width));
  return text;
}

PictureSize first_size(const std::string& captions, std::size_t most) {
  const std::string path = data::shipped(captions);
  const std::vector<std::string> lines = data::read_lines(path);
  if (lines.empty()) throw std::runtime_error(fmt::format("{}: no picture in it", path));
  const std::string name = lines.front().substr(0, lines.front().find('\t'));
  const data::Picture picture = data::read_picture((std::filesystem::path(path).parent_path() / name).string());
  constexpr std::size_t least = 4;  // what leaves a cell
  const std::size_t larger = std::max(picture.height, picture.width);
  const auto brought = [&](std::size_t side) {
    return std::max(least, larger <= most ? side : (side * most + larger / 2) / larger);
  };
  return {brought(picture.height), brought(picture.width)};
}

}  // namespace apps
