#include "data/pictures/boards.h"

#include <algorithm>

#include "data/pictures/shapes.h"

namespace softalign::data {

Board draw_board(autograd::Random& random) {
  constexpr size_t pixels = board_side * board_square, free = board_square - shape_side;
  Board board{noisy_ground(pixels, pixels, random), {}, {}};
  std::vector<size_t> squares = random.different(2, board_side * board_side);
  std::sort(squares.begin(), squares.end());  // row by row: the first is above or left of the second
  for (const size_t square : squares) {
    const size_t shape = random.below(shape_names.size()), colour = random.below(colour_names.size());
    const size_t down = random.below(free + 1), right = random.below(free + 1);
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

}  // namespace softalign::data
