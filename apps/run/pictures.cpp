#include "apps/run/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "apps/run/corpus_files.h"
#include "data/io/files.h"
#include "data/io/shipped.h"
#include "data/pictures/picture_file.h"
#include "models/pictures/picture_encoder.h"

namespace softalign::apps {

data::PictureOptions picture_options(const models::ModelOptions& o) {
  const models::Grid cells = models::picture_cells({o.picture_height, o.picture_width});
  return {o.picture_height, o.picture_width, cells.height, cells.width};
}

SourceText picture_source(const Run& run, const data::Picture& picture, const std::string& name) {
  const data::PictureOptions its = picture_options(run.options.model);
  SourceText text;
  text.line = name;
  text.places = data::cell_names(its.rows, its.columns);
  text.picture = std::make_shared<const data::Picture>(data::scaled(picture, its.height, its.width));
  return text;
}

void set_size_as_first(TrainOptions& options, bool height, bool width) {
  if (!height && !width) return;
  const std::string path = data::shipped(training_files(options).tsv);
  const std::vector<std::string> lines = data::read_lines(path);
  if (lines.empty()) throw std::runtime_error(fmt::format("{}: no picture in it", path));
  const std::string name = lines.front().substr(0, lines.front().find('\t'));
  if (name.empty()) return;  // said, with its line, where the corpus is read
  const data::Picture picture = [&] {
    try {
      return data::read_picture((std::filesystem::path(path).parent_path() / name).string());
    } catch (const std::runtime_error& problem) {
      throw std::runtime_error(fmt::format("{}:1: {}", path, problem.what()));
    }
  }();
  constexpr std::size_t least = 4, most = 64;  // what leaves a cell, and what a small network reads in a moment
  const std::size_t longer = std::max(picture.height, picture.width);
  const auto brought = [&](std::size_t side) {
    return std::max(least, longer <= most ? side : (side * most + longer / 2) / longer);
  };
  if (height) options.model.picture_height = brought(picture.height);
  if (width) options.model.picture_width = brought(picture.width);
}

}  // namespace softalign::apps
