// The cells of a picture in the terminal: a small map for each word, side by side.
//
//       red         above        blue
//   ▀▀▀▀▀▀       ▀▀▀▀▀▀       ▀▀▀▀▀▀          in colour: two cells a character, one above the other
//   7)1 · · · ·  2 2 · 2 2 ·  · · · · 1 7)    without: tenths, ) beside a gold cell
//   1,1 .70 ● .70 1,1 .25      2,3 .70 ● .70
//
// Below each map its largest cell and, where the word has gold, whether that lies in it (● or x) and how much of the
// weights does. In colour gold cells are orange.
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"
#include "data/alignment/record.h"

namespace softalign::apps {

std::string draw_grid_maps(const data::Record& record, Colours colours, std::size_t columns);

}  // namespace softalign::apps
