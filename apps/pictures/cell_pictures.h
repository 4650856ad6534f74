// This file turns pictures of six objects (data/pictures/synthetic_tasks.h) into numbers. A model divides each picture
// into 8 x 8 cells and classifies each cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/experiments/learning.h"
#include "autograd/grid.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/stopwatch.h"
#include "autograd/var.h"
#include "data/pictures/synthetic_tasks.h"
#include "models/pictures/picture_encoder.h"
#include "models/pictures/picture_tagger.h"

namespace softalign::apps {

inline constexpr autograd::Grid cell_pixels{32, 32}, cells_of_pictures{8, 8};

// Returns the four cells that a square covers.
inline std::vector<std::size_t> covered(std::size_t square) {
  const std::size_t row = square / data::squares_side * 2, column = square % data::squares_side * 2;
  const std::size_t first = row * cells_of_pictures.width + column;
  return {first, first + 1, first + cells_of_pictures.width, first + cells_of_pictures.width + 1};
}

// Returns the lower right one of the four cells that a square covers. The two convolutions of a picture tagger compute
// the values of this cell from 7 x 7 pixels, and all of these pixels are in the square.
inline std::size_t middle(std::size_t square) { return covered(square).back(); }

// CellPictures stores B pictures of the type Scene, for example data::Mondrian or data::Lights. Its arrays have one row
// per cell of each picture. Row cell*B + b is the cell with the number `cell` of picture b.
template <class Scene>
struct CellPictures {
  // draw(random) returns a random scene, and said(scene, object) returns the label of an object in it.
  template <class Draw, class Said>
  CellPictures(std::size_t B, std::uint64_t seed, const Draw& draw, const Said& said)
      : values({cell_pixels.cells(), B, 3}), labels(cells_of_pictures.cells() * B, -1), objects(labels) {
    autograd::Random random(seed);
    for (std::size_t b = 0; b < B; ++b) {
      scenes.push_back(draw(random));
      const Scene& scene = scenes.back();
      models::write_pixels(scene.picture, b, values);
      for (std::size_t o = 0; o < scene.objects.size(); ++o) {
        const std::size_t row = middle(scene.objects[o].square) * B + b;
        labels[row] = static_cast<autograd::Id>(said(scene, scene.objects[o]));
        objects[row] = static_cast<autograd::Id>(o);
      }
    }
  }

  std::vector<Scene> scenes;
  autograd::Array values;  // (32*32, B, 3), in [0, 1]
  autograd::Ids labels;    // label of the object, at the cell in the middle of the object; -1 at all other cells
  autograd::Ids objects;   // index of the object, at the same cells; -1 at all other cells
};

// The types below describe the training of picture taggers (models/pictures/picture_tagger.h), which classify cells.
struct TaggerKind {
  std::string name;
  models::PictureTagger::Layer layer;
};

struct PictureTask {
  std::size_t labels = 0, steps = 0, batch = 32;
  std::size_t measurements = 8;  // number of measurements during the training, at equal distances
  double rate = 4e-3;
};

template <class Found>
struct LearntLabels {
  std::vector<Found> measured;
  double seconds = 0;  // time of the training steps, without the measurements
};

// Trains a tagger, and measures it several times during the training. draw(count, seed) returns the pictures of a
// training step. find() measures the model, and the function returns the results of find().
template <class Draw, class Find>
auto learn_labels(const models::PictureTagger& model, const autograd::Params& params, const PictureTask& task,
                  std::uint64_t seed, const Draw& draw, const Find& find) {
  LearntLabels<decltype(find())> learnt;
  autograd::Stopwatch watch;
  const auto measure = [&] {
    learnt.seconds += watch.seconds();
    const auto found = find();
    watch = autograd::Stopwatch();
    return found;
  };
  learnt.measured = learn_and_observe(params, task.steps, task.rate, task.measurements, measure, [&](std::size_t step) {
    const auto batch = draw(task.batch, seed * task.steps + step);
    const autograd::Var logits = model(autograd::constant(batch.values), cell_pixels).logits;
    const autograd::Var rows = reshape(logits, {batch.labels.size(), task.labels});
    const auto answers = static_cast<autograd::Real>(task.batch * batch.scenes.front().objects.size());
    return sum(cross_entropy(rows, batch.labels, {.ignore = -1})) * (autograd::Real(1) / answers);
  });
  return learnt;
}

}  // namespace softalign::apps
