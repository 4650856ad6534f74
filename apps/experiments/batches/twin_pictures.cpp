#include "apps/experiments/batches/twin_pictures.h"

#include "autograd/storage/random.h"
#include "models/encoders/pixels.h"

namespace apps {

TwinPictures::TwinPictures(std::size_t B, std::uint64_t seed)
    : values({pixels.cells(), B, 3}), labels(cells.cells() * B, -1), objects(labels) {
  autograd::Random random(seed);
  for (std::size_t b = 0; b < B; ++b) {
    drawn.push_back(data::draw_twins(random));
    const data::Twins& twins = drawn.back();
    models::write_pixels(twins.picture, b, values);
    for (std::size_t o = 0; o < twins.objects.size(); ++o) {
      const std::size_t row = middle(twins.objects[o]) * B + b;
      labels[row] = static_cast<autograd::Id>(twins.objects[twins.objects[o].twin].colour);
      objects[row] = static_cast<autograd::Id>(o);
    }
  }
}

std::vector<std::size_t> TwinPictures::covered(const data::Twins::Object& object) {
  const std::size_t top = object.square / data::twins_side * 2, left = object.square % data::twins_side * 2;
  const std::size_t first = top * cells.width + left;
  return {first, first + 1, first + cells.width, first + cells.width + 1};
}

// Two convolutions of 3 x 3 at every second place see seven pixels each way, here those of the object.
std::size_t TwinPictures::middle(const data::Twins::Object& object) { return covered(object).back(); }

}  // namespace apps
