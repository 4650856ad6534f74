// Alignment matrices as one SVG file for a paper or a slide: light, its style in it, nothing fetched.
#pragma once

#include <cstddef>
#include <string>

#include "data/alignment/record.h"

namespace softalign::apps {

class Sheet {
 public:
  // A figure below those before it: a group with the id "figure-1", "figure-2" .., its title how both sentences begin.
  // std::runtime_error: it has more than 1,000 cells a side, or all have more than 100,000, or are higher than
  // 1,000,000 px.
  void add(const data::Record& record);

  // The drawing of all: well-formed XML, whatever the words are.
  std::string svg() const;

 private:
  std::size_t figures_ = 0, cells_ = 0;
  double width_ = 0, height_ = 0;
  std::string content_;
};

}  // namespace softalign::apps
