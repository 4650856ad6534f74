#include "data/pictures/scenes.h"

#include <algorithm>

#include "data/pictures/shapes.h"

namespace softalign::data {

Scene draw_scene(autograd::Random& random) {
  Scene scene{noisy_ground(scene_height, scene_columns * scene_column, random), {}, {}};
  const size_t count = 2 + random.below(scene_columns - 1);
  std::vector<size_t> columns = random.different(count, scene_columns);
  std::sort(columns.begin(), columns.end());
  for (size_t i = 0; i < count; ++i) {
    const size_t shape = random.below(shape_names.size()), colour = random.below(colour_names.size());
    const size_t scale = 1 + random.below(2), side = scale * shape_side;
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

}  // namespace softalign::data
