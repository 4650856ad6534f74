#include "data/pictures/synthetic_captions.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/corpus/corpus.h"
#include "data/pictures/shapes.h"

namespace softalign::data {

Board draw_board(autograd::Random& random) {
  constexpr std::size_t pixels = board_side * board_square, free = board_square - shape_side;
  Board board{noisy_ground(pixels, pixels, random), {}, {}};
  std::vector<std::size_t> squares = random.different(2, board_side * board_side);
  std::sort(squares.begin(), squares.end());  // row by row: the first is above or left of the second
  for (const std::size_t square : squares) {
    const std::size_t shape = random.below(shape_names.size()), colour = random.below(colour_names.size());
    const std::size_t down = random.below(free + 1), right = random.below(free + 1);
    draw_shape(board.picture, shape, colour, square / board_side * board_square + down,
               square % board_side * board_square + right);
    if (!board.caption.empty()) {
      board.caption.emplace_back(squares[0] / board_side < squares[1] / board_side ? "above" : "left-of");
      board.gold.emplace_back();
    }
    board.caption.insert(board.caption.end(),
                         {"a", std::string(colour_names[colour]), std::string(shape_names[shape])});
    board.gold.insert(board.gold.end(), {std::nullopt, square, square});
  }
  return board;
}

std::vector<std::string> board_words() {
  std::vector<std::string> words{"a", "above", "left-of"};
  words.insert(words.end(), colour_names.begin(), colour_names.end());
  words.insert(words.end(), shape_names.begin(), shape_names.end());
  return words;
}

Scene draw_scene(autograd::Random& random) {
  Scene scene{noisy_ground(scene_height, scene_columns * scene_column, random), {}, {}};
  const std::size_t count = 2 + random.below(scene_columns - 1);
  std::vector<std::size_t> columns = random.different(count, scene_columns);
  std::sort(columns.begin(), columns.end());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t shape = random.below(shape_names.size()), colour = random.below(colour_names.size());
    const std::size_t scale = 1 + random.below(2), side = scale * shape_side;
    const Box box{columns[i] * scene_column + random.below(scene_column - side + 1),
                  random.below(scene_height - side + 1), side, side};
    draw_shape(scene.picture, shape, colour, box.top, box.left, scale);
    if (i > 0) {
      scene.caption.emplace_back(i + 1 == count ? "and" : ",");
      scene.boxes.emplace_back();
    }
    scene.caption.insert(scene.caption.end(), {"a", scale == 1 ? "small" : "large", std::string(colour_names[colour]),
                                               std::string(shape_names[shape])});
    scene.boxes.insert(scene.boxes.end(), {std::nullopt, box, box, box});
  }
  return scene;
}

namespace {

// line_of returns "\tCAPTION\tBOXES". Word j has the box boxes[j], or no box.
std::string line_of(const Tokens& caption, const std::vector<std::optional<Box>>& boxes) {
  std::string line = "\t" + join_words(caption);
  char before = '\t';
  for (std::size_t j = 0; j < boxes.size(); ++j) {
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
  for (const std::optional<std::size_t>& square : board.gold) {
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
