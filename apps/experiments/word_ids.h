// Words as numbers, in the order of a list.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "autograd/array.h"

namespace softalign::apps {

using WordIds = std::map<std::string, autograd::Id>;

inline WordIds word_ids(const std::vector<std::string>& words) {
  WordIds ids;
  for (const std::string& word : words) ids.emplace(word, static_cast<autograd::Id>(ids.size()));
  return ids;
}

}  // namespace softalign::apps
