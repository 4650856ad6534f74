#include "data/pictures/synthetic_captions.h"

#include <fmt/format.h>

#include "data/corpus/corpus.h"
#include "data/pictures/boards.h"
#include "data/pictures/scenes.h"

namespace softalign::data {

namespace {

// "\tCAPTION\tBOXES": word j is seen in `boxes[j]`, if anywhere.
std::string line_of(const Tokens& caption, const std::vector<std::optional<Box>>& boxes) {
  std::string line = "\t" + join_words(caption);
  char before = '\t';
  for (size_t j = 0; j < boxes.size(); ++j) {
    if (!boxes[j]) continue;
    const Box& box = *boxes[j];
    line += fmt::format("{}{},{},{},{}-{}", before, box.left, box.top, box.width, box.height, j);
    before = ' ';
  }
  return line;
}

}  // namespace

SyntheticExample shapes_and_caption(autograd::Random& random) {
  Board board = draw_board(random);
  std::vector<std::optional<Box>> boxes;
  for (const std::optional<size_t>& square : board.gold) {
    boxes.emplace_back();
    if (square)
      boxes.back() =
          Box{*square % board_side * board_square, *square / board_side * board_square, board_square, board_square};
  }
  const std::string line = line_of(board.caption, boxes);
  return {line, line, std::move(board.picture)};
}

SyntheticExample scene_and_caption(autograd::Random& random) {
  Scene scene = draw_scene(random);
  const std::string line = line_of(scene.caption, scene.boxes);
  return {line, line, std::move(scene.picture)};
}

}  // namespace softalign::data
