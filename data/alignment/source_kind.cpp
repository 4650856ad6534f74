#include "data/alignment/source_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "data/alignment/record.h"
#include "data/io/choice.h"
#include "data/io/quoted.h"
#include "data/pictures/captions.h"

namespace softalign::data {
namespace {

constexpr std::string_view before_image = "data:image/png;base64,";
constexpr std::string_view png_signature = "iVBORw0KGgo";  // in base64

// Of RFC 4648, section 4: four characters for each three bytes, the last four filled up with = signs.
bool is_base64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  for (size_t filled = 0; filled < 2 && !text.empty() && text.back() == '='; ++filled) text.remove_suffix(1);
  constexpr std::string_view known = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return text.find_first_not_of(known) == std::string_view::npos;
}

std::string problem_of_image(std::string_view image) {
  if (image.size() > longest_image)
    return fmt::format("source_image has {} bytes; at most {} are read: make the picture smaller", image.size(),
                       longest_image);
  if (image.substr(0, before_image.size()) != before_image)
    return fmt::format("source_image is no PNG as a data URI; expected {}...", before_image);
  image.remove_prefix(before_image.size());
  if (!is_base64(image) || image.substr(0, png_signature.size()) != png_signature)
    return "source_image does not hold the bytes of a PNG file in base64";
  return "";
}

std::string problem_of_grid(const Record& r) {
  const auto& [H, W] = *r.source_grid;
  if (H == 0 || W == 0 || H > most_cells || W > most_cells || H * W > most_cells)
    return fmt::format("source_grid is {} x {}; expected 1 to {} cells", H, W, most_cells);
  if (r.source.size() != H * W)
    return fmt::format("{} source tokens, but source_grid has {} x {} cells", r.source.size(), H, W);
  const Tokens names = cell_names(r.source_grid->H, r.source_grid->W);
  for (size_t s = 0; s < names.size(); ++s) {
    if (r.source[s] != names[s])
      return fmt::format("source token {} is {}; the name of that cell is {}", s, in_quotes(r.source[s]),
                         in_quotes(names[s]));
  }
  return "";
}

}  // namespace

std::string join_source(const Record& r) {
  return r.source_kind == "sentences" ? fmt::format("{}", fmt::join(r.source, " | ")) : join_words(r.source);
}

std::string problem_of_source(const Record& r) {
  const std::vector<std::string> known{"words", "cells", "sentences"};
  if (std::find(known.begin(), known.end(), r.source_kind) == known.end())
    return data::unknown_name("source_kind", r.source_kind, known);
  const bool cells = r.source_kind == "cells";
  if (r.source_kind != "words" && r.source_eos)
    return fmt::format("eos.source is true, but {} have no </s>", r.source_kind);
  if (r.source_grid && !cells) return fmt::format("source_grid is for cells, and the source is {}", r.source_kind);
  if (r.source_image && !cells) return fmt::format("source_image is for cells, and the source is {}", r.source_kind);
  if (cells && !r.source_grid) return "the source is cells, but there is no source_grid";
  if (cells) {
    if (const std::string problem = problem_of_grid(r); !problem.empty()) return problem;
  }
  return r.source_image ? problem_of_image(*r.source_image) : "";
}

}  // namespace softalign::data
