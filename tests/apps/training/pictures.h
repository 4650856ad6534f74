// Pictures of 8 x 8 pixels. Each half has one of three colours, and the caption names the colours in one or two words.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "apps/training/seq2seq_task.h"
#include "autograd/random.h"

using namespace softalign;

namespace pictures {

inline apps::TrainingData corpus(std::size_t train, std::size_t valid = 6) {
  autograd::Random random(5);
  std::vector<data::Pair> pairs;
  for (std::size_t i = 0; i < train + valid; ++i) {
    data::Picture picture{8, 8, std::vector<std::uint8_t>(8 * 8 * 3)};
    const std::size_t left = random.below(3), right = random.below(3);
    for (std::size_t pixel = 0; pixel < 64; ++pixel) picture.rgb[pixel * 3 + (pixel % 8 < 4 ? left : right)] = 255;
    data::Tokens caption{fmt::format("w{}", left)};
    if (right != left) caption.push_back(fmt::format("w{}", right));
    pairs.push_back({{}, caption, {}, {}, i + 1});
    pairs.back().places = {"1,1", "1,2", "2,1", "2,2"};
    pairs.back().picture = std::make_shared<const data::Picture>(std::move(picture));
  }
  const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(valid);
  return {{{first, pairs.end()}}, {{pairs.begin(), first}}};
}

// Options of Show, attend and tell with hard attention, for these pictures.
inline apps::TrainOptions looking_hard() {
  apps::TrainOptions o;
  o.task = models::Task::captioning;
  o.model.model = "show-attend-tell";
  o.model.encoder = "picture";
  o.model.hard_attention = true;
  o.model.picture_height = o.model.picture_width = 8;
  o.model.embedding = o.model.attention_size = 6;
  o.model.hidden = 8;
  o.epochs = 3;
  o.batch = 6;
  return o;
}

}  // namespace pictures
