// These functions draw pictures for three synthetic tasks: Twins, Lights and Mondrians. In each task, the label of an
// object depends on other parts of the picture. The functions also return what the labels depend on.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "autograd/random.h"
#include "data/corpus/picture.h"

namespace softalign::data {

// The board has 4 x 4 squares. Each square can contain one shape.
inline constexpr std::size_t squares_side = 4;                       // squares per row and column of a board
inline constexpr std::size_t square_side = 8;                        // height and width of a square in pixels
inline constexpr std::size_t squares = squares_side * squares_side;  // number of squares; they are numbered row by row

// A BoardObject is the content of a square: a shape and a colour of data/pictures/shapes.h.
struct BoardObject {
  std::size_t square, shape, colour;
};

struct Pixel {
  std::size_t top, left;
};
inline Pixel first_pixel(std::size_t square) {
  return {square / squares_side * square_side, square % squares_side * square_side};
}

// Returns a picture of 32 x 32 pixels that contains only noise.
Picture empty_squares(autograd::Random& random);

void draw_object(Picture& picture, const BoardObject& object);

// Returns true if two squares have a side or a corner in common. A square touches itself.
bool touch(std::size_t a, std::size_t b);

// In the task Twins, a board has six objects in three pairs. The two objects of a pair are twins: they have the same
// shape, and their squares do not touch. The label of an object is the colour of its twin.
struct Twins {
  struct Object : BoardObject {
    std::size_t twin;  // index of the twin, 0 .. 5
  };
  Picture picture;
  std::array<Object, 6> objects;
};

Twins draw_twins(autograd::Random& random);

// In the task Lights, a board has six objects and two lamps. An object is lit if a lamp is in a square that touches its
// own square. The label of a lit object is its colour, and the label of all other objects is "dark".
struct Lights {
  struct Object : BoardObject {
    bool lit;
  };
  Picture picture;
  std::array<Object, 6> objects;
  std::array<std::size_t, 2> lamps;  // squares, each filled with white
};

Lights draw_lights(autograd::Random& random);

// --- Mondrians ---
//
// A Mondrian (after Land and McCann 1971) has patches of paint under a light of unknown colour. The light is the same
// everywhere. The colour of a patch in the picture is its paint times the light. So a single patch does not show its
// paint, but the mean of all patches shows the light.

// Bits 0, 1 and 2 of the number of a paint stand for red, green and blue. If a bit is set, the paint reflects much of
// this colour, and otherwise half as much.
inline constexpr std::array<std::string_view, 8> paint_names{"black", "red",    "green", "yellow",
                                                             "blue",  "purple", "cyan",  "white"};

struct Mondrian {
  struct Patch {
    std::size_t square, paint;
  };
  Picture picture;
  std::array<Patch, squares> objects;
  std::array<double, 3> light;  // red, green and blue, each from 1/4 to 1
};

Mondrian draw_mondrian(autograd::Random& random);

}  // namespace softalign::data
