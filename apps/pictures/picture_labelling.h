// PictureLabellers (models/pictures/picture_tagger.h) taught to name what they are shown, looked at on the way.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/experiments/learning.h"
#include "apps/pictures/cell_pictures.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "models/pictures/picture_tagger.h"

namespace softalign::apps {

struct LabellerKind {
  std::string name;
  models::PictureLabeller::Layer layer;
};

struct PictureTask {
  std::size_t labels = 0, steps = 0, batch = 32;
  std::size_t looks = 8;  // on the way, evenly
  double rate = 4e-3;
};

template <class Found>
struct LearntLabels {
  std::vector<Found> on_the_way;
  double seconds = 0;  // of the steps, without the looks
};

// `draw` gives the CellPictures of (count, seed); `find` what is found in a look.
template <class Draw, class Find>
auto learn_labels(const models::PictureLabeller& model, const autograd::Params& params, const PictureTask& task,
                  std::uint64_t seed, const Draw& draw, const Find& find) {
  using Clock = std::chrono::steady_clock;
  LearntLabels<decltype(find())> learnt;
  Clock::duration spent{};
  auto begin = Clock::now();
  const auto look = [&] {
    spent += Clock::now() - begin;
    const auto found = find();
    begin = Clock::now();
    return found;
  };
  learnt.on_the_way = learn_and_look(params, task.steps, task.rate, task.looks, look, [&](std::size_t step) {
    const auto batch = draw(task.batch, seed * task.steps + step);
    const autograd::Var logits = model(autograd::constant(batch.values), cell_pixels).logits;
    const autograd::Var rows = reshape(logits, {batch.labels.size(), task.labels});
    const auto answers = static_cast<autograd::Real>(task.batch * batch.drawn.front().objects.size());
    return sum(cross_entropy(rows, batch.labels, {.ignore = -1})) * (autograd::Real(1) / answers);
  });
  learnt.seconds = std::chrono::duration<double>(spent).count();
  return learnt;
}

}  // namespace softalign::apps
