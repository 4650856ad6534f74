#include "data/pictures/twins.h"

#include <vector>

#include "data/pictures/shapes.h"

namespace softalign::data {

Twins draw_twins(autograd::Random& random) {
  Twins twins{empty_squares(random), {}};
  std::vector<size_t> places;
  do {
    places = random.different(squares, squares);
  } while (touch(places[0], places[1]) || touch(places[2], places[3]) || touch(places[4], places[5]));
  const std::vector<size_t> shapes = random.different(twins.objects.size() / 2, shape_names.size());
  for (size_t i = 0; i < twins.objects.size(); ++i) {
    const size_t twin = i % 2 == 0 ? i + 1 : i - 1;
    twins.objects[i] = {{places[i], shapes[i / 2], random.below(colour_names.size())}, twin};
    draw_object(twins.picture, twins.objects[i]);
  }
  return twins;
}

}  // namespace softalign::data
