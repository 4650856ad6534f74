#include "apps/pictures/board_batch.h"

#include <algorithm>

#include "apps/experiments/word_ids.h"
#include "models/pictures/picture_encoder.h"

namespace softalign::apps {

namespace {

const WordIds& ids() {
  static const WordIds table = word_ids(data::board_words());
  return table;
}

constexpr autograd::Id first_word = data::end_id + 1;

}  // namespace

BoardBatch::BoardBatch(std::size_t B, std::uint64_t seed) : values({pixels.cells(), B, 3}) {
  autograd::Random random(seed);
  captions.size = B;
  captions.source_steps = cells.cells();
  captions.source_lengths.assign(B, cells.cells());
  for (std::size_t b = 0; b < B; ++b) {
    drawn.push_back(data::draw_board(random));
    models::write_pixels(drawn.back().picture, b, values);
    captions.target_lengths.push_back(drawn.back().caption.size() + 1);
    captions.target_steps = std::max(captions.target_steps, captions.target_lengths.back());
  }
  captions.target_in.assign(captions.target_steps * B, data::pad_id);
  captions.target_out = captions.target_in;
  for (std::size_t b = 0; b < B; ++b) {
    const std::vector<std::string>& caption = drawn[b].caption;
    captions.target_in[b] = data::start_id;
    for (std::size_t t = 0; t < caption.size(); ++t)
      captions.target_out[t * B + b] = captions.target_in[(t + 1) * B + b] = first_word + ids().at(caption[t]);
    captions.target_out[caption.size() * B + b] = data::end_id;
  }
}

std::size_t BoardBatch::words() { return static_cast<std::size_t>(first_word) + ids().size(); }

std::vector<std::size_t> BoardBatch::cells_of(std::size_t square) {
  constexpr std::size_t each = cells.width / data::board_side;
  std::vector<std::size_t> covered;
  for (std::size_t i = 0; i < each; ++i)
    for (std::size_t j = 0; j < each; ++j)
      covered.push_back((square / data::board_side * each + i) * cells.width + square % data::board_side * each + j);
  return covered;
}

}  // namespace softalign::apps
